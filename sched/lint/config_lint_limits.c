/* SPDX-License-Identifier: MIT */
/*
 * config_lint_limits.c - which limits are not what they seem, and which can no job keep?
 *
 * Rules W18 to W22, W51 and W56. A class may ask for more than it allows: its least beside its own limits,
 * those of its jobs together, and those of the system. What it does not say class DEFAULT says, and how
 * long a job may run that does not say it, the system, too.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "config_lint.h"
#include "sched/base/duration.h"

/* How far a repeated element is looked for: longer lists are made by programs. */
#define LOOK_BACK 100

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

/* Does an element before this one in its list limit the same? */
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

/* "9,4": "4". */
static const char *hard_of(const struct config_value *value)
{
	const char *text = config_value_text(value), *comma = strchr(text, ',');

	return comma != NULL ? comma + 1 : text;
}

/* Less than a program needs to be loaded: an amount without a unit counts MB. */
#define LEAST_MEMORY_MB 64

static void little_memory(struct lint *l, const struct config_value *value, const struct config_limit *limit)
{
	const char *amounts = config_value_text(value);
	char words[LINT_WORDS];

	if (limit->kind != LIMIT_MEM || limit->soft >= LEAST_MEMORY_MB)
		return;
	lint_report(l, "W51", value,
		    "%s = %s allows %" PRId64
		    " MB, with which hardly a program runs; write the unit, as in 4gb",
		    lint_words(value, words), amounts, limit->soft);
	if (strspn(amounts, "0123456789") == strlen(amounts))
		lint_fix_value(l, value, "%sgb", amounts);
}

/* What is proposed as the memory of jobs that name none, unless a limit is lower. */
#define USUAL_MEMORY_MB 1024

/* One finding for all limits on memory: a default mends all of them. It must be one that each of them lets
 * through. */
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
	lint_report(
		l, "W56", first,
		"%s does not count jobs that name no memory, and nothing limits what such a job uses; set "
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
			    "%s: the soft limit of %s is above the hard one, which counts for both; write "
			    "SOFT,HARD",
			    words, value->value.text);
	else if (is_idle(&limit) && limit.soft < limit.hard)
		lint_report(
			l, "W19", value,
			"%s: the soft limit of %s is not looked at, as jobs are eligible or they are not; "
			"write the hard one alone",
			words, value->value.text);
	if (limit.soft_beyond || (is_idle(&limit) && limit.soft < limit.hard))
		lint_fix_value(l, value, "%s", hard_of(value));
	if (is_repeated(l, value, &limit)) {
		lint_report(l, "W20", value, "%s: %s takes the place of an earlier limit in the list", words,
			    value->value.text);
		lint_fix_value(l, value, "%s", config_value_text(value));
	}
}

/* --- classes ----------------------------------------------------------------------------- */

/* What is known of a class. */
struct class_view {
	const char *name;
	const struct config_value *first;
	struct cred_attr attr;          /* its own */
	struct cred_attr all;           /* of class DEFAULT */
	int64_t hard[LIMIT_KIND_COUNT]; /* the least of its plain limits */
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

/* What the smallest job of a class asks for, beside something that allows `most`; 0 or less is no bound. */
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
	lint_report(l, "W21", c->first,
		    "no job can be in class %s: the least it takes is %s %s, and %s is %s", c->name,
		    amount_text(kind, least, a), unit[kind], what, amount_text(kind, most, b));
	if (kind == LIMIT_PS)
		most /= at_least_one(c->attr.min_procs);
	if (most > 0)
		lint_fix_beside(l, c->first, option[kind], "%" PRId64, most);
}

static int64_t own_or_all(int64_t own, int64_t all)
{
	return own != 0 ? own : all;
}

/* The least that two bounds allow; 0 is none. */
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
	/* Bounded by rows: 1e9 processors for ten years. */
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

/* The limit that jobs get which name none, beside what is allowed. */
static void judge_usual_limit(struct lint *l, const struct class_view *c)
{
	const struct cred_attr *own = &c->attr, *all = &c->all;
	int64_t of_class = own_or_all(own->default_wall_s, all->default_wall_s);
	int64_t usual = own_or_all(of_class, l->policy.default_wall_s);
	int64_t least = own_or_all(own->min_wall_s, all->min_wall_s);
	int64_t most = own_or_all(own->max_wall_s, all->max_wall_s);
	char a[DURATION_TEXT];

	/* What the system's own limit does to the system's own default is said of the system. */
	if (of_class != 0)
		most = least_bound(most, l->policy.max_job_wall_s);
	if ((most <= 0 || usual <= most) && usual >= least)
		return;
	lint_report(l, "W22", c->first,
		    "jobs of class %s that name no wallclock limit never start: the %s that they get is %s",
		    c->name, duration_text(a, usual),
		    usual < least ? "less than min.wclimit" : "more than is allowed");
	lint_fix_beside(l, c->first, "default.wclimit", "%" PRId64, usual < least ? least : most);
}

/* Does a class say itself how large its jobs are? */
static bool has_bounds(const struct class_view *c)
{
	const struct cred_attr *own = &c->attr;
	bool is_limited = false;

	for (int kind = 0; kind < LIMIT_KIND_COUNT; kind++)
		is_limited = is_limited || c->hard[kind] != LIMIT_UNLIMITED;
	return is_limited || own->min_procs != 0 || own->max_procs != 0 || own->min_nodes != 0 ||
	       own->max_nodes != 0 || own->min_wall_s != 0 || own->max_wall_s != 0;
}

/* One that says nothing of it is as class DEFAULT, which is judged by itself. */
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
		    "jobs that name no wallclock limit never start: systemdefaultjobwalltime is more than %s",
		    name);
	lint_fix(l, "systemdefaultjobwalltime", "%" PRId64, most_s);
}

/* The values of a section stand together. */
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
