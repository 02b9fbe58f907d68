/* SPDX-License-Identifier: MIT */
/*
 * lint_limits.c - lint of limits that have no effect or that no job can satisfy
 *
 * Rules W18 to W22, W37 to W41, W51, W54 and W56. A class can require more than it allows: its
 * minimum is compared with its maximum, with the limits on all jobs of the class together, and with the
 * limits of the system. A class inherits the values that it does not set from class DEFAULT, and the default
 * wallclock limit also from the system.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lint_text.h"
#include "sched/base/duration.h"

/* Maximum number of earlier elements that are compared; only programs write longer lists. */
#define LOOK_BACK 100

/* Does the limit count eligible jobs? */
static bool is_idle(const struct config_limit *limit)
{
	return limit->scope == LIMIT_IDLE || limit->scope == LIMIT_OVERRIDE_IDLE ||
	       limit->scope == LIMIT_QUEUED;
}

/* --- one limit --------------------------------------------------------------------------- */

static bool same_second(const struct config_limit *a, const struct config_limit *b)
{
	return a->second_type == b->second_type && a->second_len == b->second_len &&
	       (a->second_len == 0 || memcmp(a->second, b->second, a->second_len) == 0);
}

/* Does an earlier element of the list set the same limit? */
static bool is_repeated(const struct lint *l, const struct config_value *value,
			const struct config_limit *limit)
{
	const struct config_kept *first = l->list->item, *kept = (const struct config_kept *)value;
	struct config_limit other;

	for (int back = 0; kept > first && back < LOOK_BACK; back++) {
		kept--;
		if (kept->value.row != value->row || strcmp(kept->value.title, value->title) != 0)
			return false;
		if (lint_read_limit(&kept->value, &other) && same_second(&other, limit))
			return true;
	}
	return false;
}

/* Returns the text of the hard limit: "4" for "9,4". */
static const char *hard_of(const struct config_value *value)
{
	const char *text = config_value_text(value), *comma = strchr(text, ',');

	return comma != NULL ? comma + 1 : text;
}

/* A limit below this amount probably lacks a unit: a number without a unit is in MB. */
#define LEAST_MEMORY_MB 64

static void little_memory(struct lint *l, const struct config_value *value, const struct config_limit *limit)
{
	const char *amounts = config_value_text(value);
	char words[LINT_WORDS];

	if (limit->kind != LIMIT_MEM || limit->soft >= LEAST_MEMORY_MB)
		return;
	lint_report(l, "W51", value,
		    "%s = %s allows %" PRId64 " MB, too little for most programs; write the unit, as in 4gb",
		    lint_words(value, words), amounts, limit->soft);
	if (strspn(amounts, "0123456789") == strlen(amounts))
		lint_fix_value(l, value, "%sgb", amounts);
}

/* Proposed default memory of jobs that request no memory, unless a limit is lower. */
#define USUAL_MEMORY_MB 1024

/*
 * Reports all limits on memory in one finding (W56), because one default memory fixes all of them. The
 * proposed default does not exceed any of the limits.
 */
static void uncounted_memory(struct lint *l)
{
	const struct config_value *first = NULL;
	int64_t most_mb = USUAL_MEMORY_MB;
	struct config_limit limit;
	char words[LINT_WORDS];

	if (l->policy.default_mem_mb > 0)
		return;
	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);

		if (!lint_read_limit(value, &limit) || limit.kind != LIMIT_MEM)
			continue;
		first = first != NULL ? first : value;
		if (limit.soft > 0 && limit.soft < most_mb)
			most_mb = limit.soft;
	}
	if (first == NULL)
		return;
	lint_report(l, "W56", first,
		    "%s does not count jobs without a memory request, whose memory is not limited; set "
		    "systemdefaultjobmemory",
		    lint_words(first, words));
	lint_fix(l, "systemdefaultjobmemory", "%" PRId64, most_mb);
}

void lint_limit(struct lint *l, const struct config_value *value)
{
	struct config_limit limit;
	char words[LINT_WORDS];

	if (!lint_read_limit(value, &limit))
		return;
	little_memory(l, value, &limit);
	lint_words(value, words);
	if (limit.soft_beyond)
		lint_report(l, "W18", value,
			    "%s: the soft limit in %s is above the hard limit, which is used for both; write "
			    "SOFT,HARD",
			    words, value->value.text);
	else if (is_idle(&limit) && limit.soft < limit.hard)
		lint_report(l, "W19", value,
			    "%s: the soft limit of %s has no effect, because limits on eligible jobs are "
			    "always hard; write only the hard limit",
			    words, value->value.text);
	if (limit.soft_beyond || (is_idle(&limit) && limit.soft < limit.hard))
		lint_fix_value(l, value, "%s", hard_of(value));
	if (is_repeated(l, value, &limit)) {
		lint_report(l, "W20", value, "%s: %s replaces an earlier limit in the list", words,
			    value->value.text);
		lint_fix_value(l, value, "%s", config_value_text(value));
	}
}

/* --- classes ----------------------------------------------------------------------------- */

/* The settings of a class. */
struct class_view {
	const char *name;
	const struct config_value *first; /* first value of the section */
	struct cred_attr attr;            /* settings of the class itself */
	struct cred_attr all;             /* settings of class DEFAULT */
	int64_t hard[LIMIT_KIND_COUNT];   /* the lowest limit of each kind without a second credential */
};

static void add_to_class(struct class_view *c, const struct config_value *value)
{
	struct config_limit limit;

	config_store(value, NULL, NULL, &c->attr, NULL);
	if (lint_read_limit(value, &limit) && limit.second_type == CRED_TYPE_COUNT &&
	    limit.hard < c->hard[limit.kind])
		c->hard[limit.kind] = limit.hard;
}

static const char *amount_text(enum limit_kind kind, int64_t amount, char buf[static DURATION_TEXT])
{
	if (kind == LIMIT_WC)
		return duration_text(buf, amount);
	snprintf(buf, DURATION_TEXT, "%" PRId64, amount);
	return buf;
}

static int64_t at_least_one(int64_t n)
{
	return n > 0 ? n : 1;
}

/*
 * Reports W21 if the minimum request of a class, `least`, exceeds the limit `most`, which the message calls
 * `what`. A limit of 0 or less means no limit.
 */
static void least_beside(struct lint *l, const struct class_view *c, enum limit_kind kind, int64_t least,
			 const char *what, int64_t most)
{
	static const char *const unit[LIMIT_KIND_COUNT] = {
		[LIMIT_PROC] = "processors",
		[LIMIT_NODE] = "nodes",
		[LIMIT_PS] = "processor-seconds",
		[LIMIT_WC] = "of wallclock limit",
	};
	static const char *const option[LIMIT_KIND_COUNT] = {
		[LIMIT_PROC] = "min.proc",
		[LIMIT_NODE] = "min.node",
		[LIMIT_PS] = "min.wclimit",
		[LIMIT_WC] = "min.wclimit",
	};
	char a[DURATION_TEXT], b[DURATION_TEXT];

	if (most <= 0 || least <= most)
		return;
	lint_report(l, "W21", c->first, "no job can be in class %s: its minimum is %s %s, but %s is %s",
		    c->name, amount_text(kind, least, a), unit[kind], what, amount_text(kind, most, b));
	if (kind == LIMIT_PS)
		most /= at_least_one(c->attr.min_procs);
	if (most > 0)
		lint_fix_beside(l, c->first, option[kind], "%" PRId64, most);
}

static int64_t own_or_all(int64_t own, int64_t all)
{
	return own != 0 ? own : all;
}

/* Returns the lower of two bounds; 0 means no bound. */
static int64_t least_bound(int64_t a, int64_t b)
{
	return a > 0 && (b <= 0 || a < b) ? a : b;
}

static void judge_least(struct lint *l, const struct class_view *c)
{
	const struct cred_attr *own = &c->attr, *all = &c->all;
	const struct policy *p = &l->policy;
	int64_t procs = own_or_all(own->min_procs, all->min_procs);
	int64_t nodes = own_or_all(own->min_nodes, all->min_nodes);
	int64_t wall_s = own_or_all(own->min_wall_s, all->min_wall_s);
	/* The ranges of the options prevent an overflow: at most 1e9 processors for ten years. */
	int64_t least_ps = at_least_one(procs) * at_least_one(wall_s);

	least_beside(l, c, LIMIT_PROC, procs, "max.proc", own_or_all(own->max_procs, all->max_procs));
	least_beside(l, c, LIMIT_NODE, nodes, "max.node", own_or_all(own->max_nodes, all->max_nodes));
	least_beside(l, c, LIMIT_WC, wall_s, "max.wclimit", own_or_all(own->max_wall_s, all->max_wall_s));
	least_beside(l, c, LIMIT_PROC, procs, "systemmaxprocperjob", p->max_job_procs);
	least_beside(l, c, LIMIT_WC, wall_s, "systemmaxjobwalltime", p->max_job_wall_s);
	least_beside(l, c, LIMIT_PS, least_ps, "systemmaxprocsecondperjob", p->max_job_ps);
	least_beside(l, c, LIMIT_PROC, procs, "its limit on processors", c->hard[LIMIT_PROC]);
	least_beside(l, c, LIMIT_NODE, nodes, "its limit on nodes", c->hard[LIMIT_NODE]);
	least_beside(l, c, LIMIT_WC, wall_s, "its limit on wallclock time", c->hard[LIMIT_WC]);
	least_beside(l, c, LIMIT_PS, least_ps, "its limit on processor-seconds", c->hard[LIMIT_PS]);
}

/* Checks W22: compares the default wallclock limit of jobs of a class with its minimum and maximum. */
static void judge_usual_limit(struct lint *l, const struct class_view *c)
{
	const struct cred_attr *own = &c->attr, *all = &c->all;
	int64_t of_class = own_or_all(own->default_wall_s, all->default_wall_s);
	int64_t usual = own_or_all(of_class, l->policy.default_wall_s);
	int64_t least = own_or_all(own->min_wall_s, all->min_wall_s);
	int64_t most = own_or_all(own->max_wall_s, all->max_wall_s);
	char a[DURATION_TEXT];

	/* A conflict between system default and system limit is reported for the system. */
	if (of_class != 0)
		most = least_bound(most, l->policy.max_job_wall_s);
	if ((most <= 0 || usual <= most) && usual >= least)
		return;
	lint_report(l, "W22", c->first,
		    "jobs of class %s without a wallclock limit never start: their default of %s is %s",
		    c->name, duration_text(a, usual),
		    usual < least ? "less than min.wclimit" : "more than is allowed");
	lint_fix_beside(l, c->first, "default.wclimit", "%" PRId64, usual < least ? least : most);
}

/* Does the class itself bound the size of its jobs? */
static bool has_bounds(const struct class_view *c)
{
	const struct cred_attr *own = &c->attr;
	bool is_limited = false;

	for (int kind = 0; kind < LIMIT_KIND_COUNT; kind++)
		is_limited = is_limited || c->hard[kind] != LIMIT_UNLIMITED;
	return is_limited || own->min_procs != 0 || own->max_procs != 0 || own->min_nodes != 0 ||
	       own->max_nodes != 0 || own->min_wall_s != 0 || own->max_wall_s != 0;
}

/*
 * Checks a class. A class that sets no bounds has those of class DEFAULT, which is itself checked as a
 * class.
 */
static void judge_class(struct lint *l, const struct class_view *c)
{
	const struct cred_attr *own = &c->attr;
	size_t found = l->found;

	if (c->name == NULL)
		return;
	if (has_bounds(c))
		judge_least(l, c);
	if (l->found == found && (own->default_wall_s | own->min_wall_s | own->max_wall_s) != 0)
		judge_usual_limit(l, c);
}

static void refused_by_default(struct lint *l, const char *name, int64_t most_s)
{
	lint_report(l, "W22", lint_value_of(l, name),
		    "jobs without a wallclock limit never start: systemdefaultjobwalltime is more than %s",
		    name);
	lint_fix(l, "systemdefaultjobwalltime", "%" PRId64, most_s);
}

/* Checks a class when the next one begins, because the values of a section are adjacent. */
void lint_limits(struct lint *l)
{
	struct class_view c = {.name = NULL};
	struct cred_attr all = {0};
	const struct policy *p = &l->policy;

	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);

		if (strcmp(value->row->scope, "class") == 0 && strcmp(value->title, CRED_DEFAULT) == 0)
			config_store(value, NULL, NULL, &all, NULL);
	}
	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);

		if (strcmp(value->row->scope, "class") != 0)
			continue;
		if (!c.name || strcmp(c.name, value->title) != 0) {
			judge_class(l, &c);
			c = (struct class_view){.name = value->title, .first = value, .all = all};
			for (int kind = 0; kind < LIMIT_KIND_COUNT; kind++)
				c.hard[kind] = LIMIT_UNLIMITED;
		}
		add_to_class(&c, value);
	}
	judge_class(l, &c);
	if (p->max_job_wall_s > 0 && p->default_wall_s > p->max_job_wall_s)
		refused_by_default(l, "systemmaxjobwalltime", p->max_job_wall_s);
	else if (p->max_job_ps > 0 && p->default_wall_s > p->max_job_ps)
		refused_by_default(l, "systemmaxprocsecondperjob", p->max_job_ps);
	uncounted_memory(l);
}

/* --- limits that can never be reached, or never be satisfied ------------------------------------------ */

/*
 * Rules W37 to W41 and W54. A limit on all jobs of the system, or on running and eligible jobs together,
 * counts more jobs than a limit on some of them; if it is also lower, the other limit is never reached. A job
 * that requests no wallclock limit gets the default; a limit on time below the default blocks every such job.
 */

/* --- limits of pairs of credentials -------------------------------------------------------------------- */

static void pair_of_one_type(struct lint *l, const struct config_value *value,
			     const struct config_limit *limit)
{
	char words[LINT_WORDS];

	if (limit->second_type == CRED_TYPE_COUNT || cred_type_find(value->row->scope) != limit->second_type)
		return;
	lint_report(
		l, "W37", value,
		"%s has no effect with %s: a job has only one %s; write the limit in the section of that %s",
		lint_words(value, words), value->value.text, value->row->scope, value->row->scope);
	lint_fix_value(l, value, "unlimited");
}

/* --- limits above other limits ----------------------------------------------------------------- */

/* Does everything that counts against the limit `part` also count against the limit `whole`? */
static bool is_part_of(const struct config_limit *part, const struct config_limit *whole)
{
	bool jobs = part->kind == LIMIT_JOB && whole->scope == LIMIT_QUEUED;

	return whole->second_type == CRED_TYPE_COUNT &&
	       ((part->scope == whole->scope && part->kind == whole->kind) ||
		(jobs && (part->scope == LIMIT_ACTIVE || part->scope == LIMIT_IDLE)));
}

static bool is_of_system(const struct config_value *value)
{
	return value->row->scope[0] == '!';
}

/* A limit that is reached before another limit. */
struct earlier {
	const struct config_value *value; /* NULL = there is none */
	int64_t hard;
};

/*
 * Sets *least to the lowest limit in a section that counts everything that `limit` counts, if it is below
 * least->hard.
 */
static void look_for_less(const struct lint *l, struct lint_section in, const struct config_limit *limit,
			  struct earlier *least)
{
	bool of_system = in.first < in.end && is_of_system(lint_value(l, in.first));
	struct config_limit other;

	for (size_t i = in.first; i < in.end; i++) {
		const struct config_value *value = lint_value(l, i);

		if (!lint_read_limit(value, &other) || !is_part_of(limit, &other) ||
		    other.hard >= least->hard ||
		    (!of_system && other.scope != LIMIT_QUEUED && limit->second_type == CRED_TYPE_COUNT))
			continue;
		*least = (struct earlier){value, other.hard};
	}
}

/*
 * Returns the lowest limit that prevents `limit` from being reached: a limit of the system, or a limit in the
 * same section that counts more jobs. (A limit with a second credential counts only some of the owner's
 * jobs.)
 */
static struct earlier least_before(const struct lint *l, const struct config_value *value,
				   const struct config_limit *limit)
{
	struct earlier least = {NULL, limit->soft};

	look_for_less(l, (struct lint_section){l->system, l->system_end}, limit, &least);
	if (limit->scope != LIMIT_QUEUED)
		look_for_less(l, lint_section_of(l, lint_index(l, value)), limit, &least);
	return least;
}

static void never_reached(struct lint *l, const struct config_value *value, const struct config_limit *limit)
{
	struct earlier least = least_before(l, value, limit);
	char words[LINT_WORDS], others[LINT_WORDS];

	if (least.value == NULL)
		return;
	lint_report(l, "W38", value, "%s is never reached: %s allows no more than %s",
		    lint_words(value, words), lint_words(least.value, others),
		    config_value_text(least.value));
	lint_fix_value(l, value, "%" PRId64, least.hard);
}

/* Reports W38 for a limit on the jobs of a user above maxuserqueuable, which limits them already. */
static void above_user_queuable(struct lint *l, const struct config_value *value,
				const struct config_limit *limit)
{
	int64_t most = l->policy.site.user_jobs;
	char words[LINT_WORDS];

	if (strcmp(value->row->scope, "user") != 0 || limit->kind != LIMIT_JOB || limit->soft <= most)
		return;
	lint_report(l, "W38", value,
		    "%s is never reached: maxuserqueuable allows a user to submit no more than %" PRId64,
		    lint_words(value, words), most);
	lint_fix_value(l, value, "%" PRId64, most);
}

/* --- limits below the default request of a job ------------------------------------------------------- */

/* Returns the default wallclock limit of a class in seconds; 0 = it has none. */
static int64_t given_by_s(const struct lint *l, const char *class_name)
{
	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);

		if (lint_is(value, "class", "default.wclimit") && strcmp(value->title, class_name) == 0)
			return value->value.whole;
	}
	return 0;
}

/*
 * Returns the default wallclock limit of the jobs that a limit counts: that of their class, otherwise of
 * class DEFAULT, otherwise of the system; the lowest of all defaults if they can be in any class.
 */
static int64_t least_usual_s(const struct lint *l, const struct config_value *of)
{
	bool one_class = strcmp(of->row->scope, "class") == 0 && strcmp(of->title, CRED_DEFAULT) != 0;
	int64_t own = one_class ? given_by_s(l, of->title) : 0, all = given_by_s(l, CRED_DEFAULT);
	int64_t least = all > 0 ? all : l->policy.default_wall_s;

	if (one_class)
		return own > 0 ? own : least;
	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);

		if (lint_is(value, "class", "default.wclimit") && value->value.whole < least)
			least = value->value.whole;
	}
	return least;
}

/*
 * Returns the minimum number of processors of a job that a limit counts: that of its class, otherwise of
 * class DEFAULT; 1 if the job can be in any class.
 */
static int64_t fewest_procs(const struct lint *l, const struct config_value *of)
{
	const struct config_value *least = NULL;

	if (strcmp(of->row->scope, "class") == 0)
		least = lint_value_in(l, "class", of->title, "min.proc");
	if (least == NULL && strcmp(of->row->scope, "class") == 0)
		least = lint_value_in(l, "class", CRED_DEFAULT, "min.proc");
	return least != NULL && least->value.whole > 1 ? least->value.whole : 1;
}

/* Reports W40 for a limit on memory below the default memory of jobs. */
static void below_the_usual_memory(struct lint *l, const struct config_value *value,
				   const struct config_limit *limit)
{
	int64_t usual_mb = l->policy.default_mem_mb;
	char words[LINT_WORDS];

	if (limit->kind != LIMIT_MEM || (limit->scope != LIMIT_ACTIVE && limit->scope != LIMIT_IDLE) ||
	    limit->hard >= usual_mb)
		return;
	lint_report(l, "W40", value,
		    "%s blocks every job without a memory request: the default is %" PRId64
		    " MB (systemdefaultjobmemory), and %s is less",
		    lint_words(value, words), usual_mb, config_value_text(value));
	lint_fix_value(l, value, "%" PRId64, usual_mb);
}

/*
 * Reports W40 for a limit on time or processor-seconds below what a job with the default wallclock limit
 * counts.
 */
static void below_the_usual(struct lint *l, const struct config_value *value,
			    const struct config_limit *limit)
{
	int64_t procs = limit->kind == LIMIT_PS ? fewest_procs(l, value) : 1;
	int64_t usual_s = least_usual_s(l, value), usual = usual_s * procs;
	char words[LINT_WORDS], time[DURATION_TEXT], processors[48] = "";

	if ((limit->kind != LIMIT_PS && limit->kind != LIMIT_WC) ||
	    (limit->scope != LIMIT_ACTIVE && limit->scope != LIMIT_IDLE) || limit->hard >= usual)
		return;
	lint_words(value, words);
	if (procs > 1)
		snprintf(processors, sizeof processors, " on at least %" PRId64 " processors", procs);
	lint_report(l, "W40", value,
		    "%s blocks every job without a wallclock limit: the default is %s%s, and %s is less",
		    words, duration_text(time, usual_s), processors, config_value_text(value));
	lint_fix_value(l, value, "%" PRId64, usual);
}

/* --- limits below the minimum of a class -------------------------------------------------- */

/* Returns the value that sets the minimum of a class for a kind of limit; NULL = the class sets none. */
static const struct config_value *least_of(const struct lint *l, const char *class_name, enum limit_kind kind)
{
	static const char *const option[LIMIT_KIND_COUNT] = {
		[LIMIT_PROC] = "min.proc", [LIMIT_NODE] = "min.node", [LIMIT_WC] = "min.wclimit"};

	return option[kind] != NULL ? lint_value_in(l, "class", class_name, option[kind]) : NULL;
}

/* Reports W54: a credential whose limit is below the minimum of a class can have no job in this class. */
static void below_a_class(struct lint *l, const struct config_value *value, const struct config_limit *limit)
{
	char words[LINT_WORDS];
	const char *class_name = "";

	if (strcmp(value->row->scope, "class") == 0 || limit->hard == LIMIT_UNLIMITED ||
	    (limit->second_type != CRED_TYPE_COUNT && limit->second_type != CRED_CLASS) ||
	    (limit->scope != LIMIT_ACTIVE && limit->scope != LIMIT_IDLE) ||
	    lint_is_overridden(l, limit->kind))
		return;
	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *least;

		class_name = lint_value(l, i)->title;
		if (strcmp(lint_value(l, i)->row->scope, "class") != 0 || lint_section_of(l, i).first != i ||
		    (limit->second_len > 0 && (strlen(class_name) != limit->second_len ||
					       memcmp(class_name, limit->second, limit->second_len) != 0)))
			continue;
		least = least_of(l, class_name, limit->kind);
		if (least == NULL || least->value.whole <= limit->hard)
			continue;
		lint_report(l, "W54", value, "%s = %s blocks every job of class %s: %s of that class is %s",
			    lint_words(value, words), config_value_text(value), class_name, least->row->name,
			    config_value_text(least));
		lint_fix_value(l, value, "%" PRId64, least->value.whole);
		return;
	}
}

/* --- overrides --------------------------------------------------------------------------- */

static bool is_override(const struct config_limit *limit)
{
	return limit->scope == LIMIT_OVERRIDE_ACTIVE || limit->scope == LIMIT_OVERRIDE_IDLE;
}

/* Does a credential have a limit that the override can replace (throttle.h)? */
static bool has_anything_below(const struct lint *l, const struct config_limit *override)
{
	enum limit_scope scope = override->scope == LIMIT_OVERRIDE_ACTIVE ? LIMIT_ACTIVE : LIMIT_IDLE;
	struct config_limit limit;

	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);

		if (!is_of_system(value) && lint_read_limit(value, &limit) && limit.scope == scope &&
		    limit.kind == override->kind &&
		    (override->second_type == CRED_TYPE_COUNT || limit.second_type != CRED_TYPE_COUNT))
			return true;
	}
	return false;
}

static void nothing_to_override(struct lint *l, const struct config_value *value,
				const struct config_limit *limit)
{
	if (!is_override(limit) || limit->kind == LIMIT_JOB || has_anything_below(l, limit))
		return;
	lint_no_effect(l, "W41", value, "it overrides limits of its kind, but no credential has one");
	lint_fix_value(l, value, "unlimited");
}

/* --- classes ----------------------------------------------------------------------------- */

bool lint_is_overridden(const struct lint *l, enum limit_kind kind)
{
	struct config_limit limit;

	for (size_t i = 0; i < l->list->count; i++)
		if (lint_read_limit(lint_value(l, i), &limit) && is_override(&limit) && limit.kind == kind)
			return true;
	return false;
}

/* Returns the lowest limit of a kind, without a second credential, in the section of a class. */
static struct earlier least_of_class(const struct lint *l, const struct config_value *value,
				     enum limit_kind kind)
{
	struct lint_section section = lint_section_of(l, lint_index(l, value));
	struct earlier least = {NULL, LIMIT_UNLIMITED};
	struct config_limit limit;

	for (size_t i = section.first; i < section.end; i++)
		if (lint_read_limit(lint_value(l, i), &limit) && limit.kind == kind &&
		    limit.second_type == CRED_TYPE_COUNT && limit.hard < least.hard)
			least = (struct earlier){lint_value(l, i), limit.hard};
	return least;
}

static void above_the_class(struct lint *l, const struct config_value *value)
{
	static const struct {
		const char *name;
		enum limit_kind kind;
	} most[] = {{"max.proc", LIMIT_PROC}, {"max.node", LIMIT_NODE}, {"max.wclimit", LIMIT_WC}};

	for (size_t i = 0; i < sizeof most / sizeof most[0]; i++) {
		struct earlier least;

		if (!lint_is(value, "class", most[i].name) || lint_is_overridden(l, most[i].kind))
			continue;
		least = least_of_class(l, value, most[i].kind);
		if (value->value.whole <= least.hard)
			continue;
		lint_report(l, "W39", value, "%s of class %s is never reached: its %s = %s is lower",
			    value->row->name, value->title, least.value->row->name,
			    config_value_text(least.value));
		lint_fix_value(l, value, "%" PRId64, least.hard);
	}
}

static void above_the_system(struct lint *l, const struct config_value *value)
{
	const struct policy *p = &l->policy;
	const char *name = NULL;
	int64_t most = 0;

	if (lint_is(value, "class", "max.wclimit")) {
		name = "systemmaxjobwalltime";
		most = p->max_job_wall_s;
	} else if (lint_is(value, "class", "max.proc")) {
		name = "systemmaxprocperjob";
		most = p->max_job_procs;
	}
	if (most <= 0 || value->value.whole <= most)
		return;
	lint_report(l, "W39", value, "%s of class %s is never reached: %s is lower", value->row->name,
		    value->title, name);
	lint_fix_value(l, value, "%" PRId64, most);
}

void lint_reach(struct lint *l, const struct config_value *value)
{
	struct config_limit limit;

	above_the_system(l, value);
	above_the_class(l, value);
	if (!lint_read_limit(value, &limit))
		return;
	pair_of_one_type(l, value, &limit);
	nothing_to_override(l, value, &limit);
	if (is_override(&limit))
		return;
	below_the_usual(l, value, &limit);
	below_the_usual_memory(l, value, &limit);
	if (is_of_system(value))
		return;
	never_reached(l, value, &limit);
	above_user_queuable(l, value, &limit);
	below_a_class(l, value, &limit);
}
