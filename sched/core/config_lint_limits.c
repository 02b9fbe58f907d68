/* SPDX-License-Identifier: MIT */
/*
 * config_lint_limits.c - which limits are not what they seem, and which can no job keep?
 *
 * Rules W18 to W22. A class may ask for more than it allows: its least beside its own limits,
 * those of its jobs together, and those of the system.
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

void lint_limit(struct lint *l, const struct config_value *value)
{
	struct config_limit limit;
	char words[LINT_WORDS];

	if (!lint_read_limit(value, &limit))
		return;
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
	struct cred_attr attr;
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

static void judge_least(struct lint *l, const struct class_view *c)
{
	const struct cred_attr *attr = &c->attr;
	const struct policy *p = &l->policy;
	/* Bounded by rows: 1e9 processors for ten years. */
	int64_t least_ps = at_least_one(attr->min_procs) * at_least_one(attr->min_wall_s);

	least_beside(l, c, LIMIT_PROC, attr->min_procs, "max.proc", attr->max_procs);
	least_beside(l, c, LIMIT_NODE, attr->min_nodes, "max.node", attr->max_nodes);
	least_beside(l, c, LIMIT_WC, attr->min_wall_s, "max.wclimit", attr->max_wall_s);
	least_beside(l, c, LIMIT_PROC, attr->min_procs, "systemmaxprocperjob", p->max_job_procs);
	least_beside(l, c, LIMIT_WC, attr->min_wall_s, "systemmaxjobwalltime", p->max_job_wall_s);
	least_beside(l, c, LIMIT_PS, least_ps, "systemmaxprocsecondperjob", p->max_job_ps);
	least_beside(l, c, LIMIT_PROC, attr->min_procs, "its limit on processors", c->hard[LIMIT_PROC]);
	least_beside(l, c, LIMIT_NODE, attr->min_nodes, "its limit on nodes", c->hard[LIMIT_NODE]);
	least_beside(l, c, LIMIT_WC, attr->min_wall_s, "its limit on wallclock time", c->hard[LIMIT_WC]);
	least_beside(l, c, LIMIT_PS, least_ps, "its limit on processor-seconds", c->hard[LIMIT_PS]);
}

/* The limit that jobs get which name none, beside what is allowed. */
static void judge_usual_limit(struct lint *l, const struct class_view *c)
{
	const struct cred_attr *attr = &c->attr;
	int64_t usual = attr->default_wall_s;
	int64_t most = attr->max_wall_s > 0 ? attr->max_wall_s : l->policy.max_job_wall_s;
	char a[DURATION_TEXT];

	if (usual <= 0 || ((most <= 0 || usual <= most) && usual >= attr->min_wall_s))
		return;
	lint_report(l, "W22", c->first,
		    "class %s refuses jobs that name no wallclock limit: the %s that they get is %s", c->name,
		    duration_text(a, usual),
		    usual < attr->min_wall_s ? "less than min.wclimit" : "more than is allowed");
	lint_fix_beside(l, c->first, "default.wclimit", "%" PRId64,
			usual < attr->min_wall_s ? attr->min_wall_s : most);
}

static void judge_class(struct lint *l, const struct class_view *c)
{
	if (c->name) {
		judge_least(l, c);
		judge_usual_limit(l, c);
	}
}

static void refused_by_default(struct lint *l, const char *name, int64_t most_s)
{
	lint_report(l, "W22", lint_value_of(l, name),
		    "jobs that name no wallclock limit are refused: systemdefaultjobwalltime is more than %s",
		    name);
	lint_fix(l, "systemdefaultjobwalltime", "%" PRId64, most_s);
}

/* The values of a section stand together. */
void lint_limits(struct lint *l)
{
	struct class_view c = {.name = NULL};
	const struct policy *p = &l->policy;

	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);

		if (strcmp(value->row->scope, "class") != 0)
			continue;
		if (!c.name || strcmp(c.name, value->title) != 0) {
			judge_class(l, &c);
			c = (struct class_view){.name = value->title, .first = value};
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
}
