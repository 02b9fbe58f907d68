/* SPDX-License-Identifier: MIT */
/*
 * config_lint_order.c - which rules of order, reservation and place idle, or starve somebody?
 *
 * Rules W9, W10, W23 to W27 and W29.
 *
 * Source: Maui Administrator's Guide 7.1.4 (a reservation that is made anew needs a factor that
 * grows with time), 8.2 (backfill).
 */
#include <string.h>

#include "config_lint.h"
#include "sched/base/str.h"

/* --- limits that matter here ------------------------------------------------------------- */

/* How many limits on running jobs have a soft value of their own; idle: how many there are on eligible jobs.
 */
static unsigned count_limits(const struct lint *l, bool idle)
{
	unsigned count = 0;

	for (size_t i = 0; i < l->list.count; i++) {
		const struct config_value *value = lint_value(l, i);
		struct config_limit limit;
		bool is_active;

		if (value->row->form != FORM_LIMIT ||
		    !config_limit_read(value->row, NULL, 0, value->value.text, &limit, NULL))
			continue;
		is_active = limit.scope == LIMIT_ACTIVE || limit.scope == LIMIT_OVERRIDE_ACTIVE;
		count += idle ? !is_active : is_active && limit.soft < limit.hard;
	}
	return count;
}

/* --- one value that another makes idle ----------------------------------------------------- */

/* Why an option of the top level does nothing beside what else is set; NULL if it does something. */
static const char *why_unused(const struct lint *l, const char *name)
{
	const struct policy *p = &l->policy;

	if (str_same_word(name, "backfillmetric") && p->backfill != BACKFILL_BESTFIT &&
	    p->backfill != BACKFILL_GREEDY)
		return "backfillpolicy is neither bestfit nor greedy";
	if (str_same_word(name, "backfilldepth") && p->backfill == BACKFILL_NONE)
		return "backfillpolicy is none";
	if (str_same_word(name, "hardpass") && count_limits(l, false) == 0)
		return "no limit on running jobs has a soft value below the hard one";
	if (str_same_word(name, "idlepromotion") && count_limits(l, true) == 0)
		return "there is no limit on eligible jobs, such as user DEFAULT { maxijob = {\"8\"} }";
	if ((str_same_word(name, "defercount") || str_same_word(name, "deferstartcount")) &&
	    p->defer_time_s == 0)
		return "defertime is 0";
	return NULL;
}

static void judge_node_priority(struct lint *l, const struct config_value *value)
{
	bool is_priority = config_is_node_priority(value);

	if (value->row->form != FORM_PRIORITYF && !is_priority)
		return;
	if (l->policy.allocation != ALLOCATE_PRIORITY)
		lint_no_effect(l, "W24", value, "nodeallocationpolicy is not priority");
	else if (is_priority && l->has_priorityf && !l->weighs_priority)
		lint_no_effect(l, "W24", value, "no priorityf names PRIORITY");
}

/* Does a section say how many processors its nodes have? */
static bool has_procs(const struct lint *l, size_t in)
{
	struct lint_section section = lint_section_of(l, in);

	for (size_t i = section.first; i < section.end; i++)
		if (lint_is(lint_value(l, i), "node", "procs"))
			return true;
	return false;
}

/* Sizes are given to nodes that are described whole: procs was probably forgotten. */
static void judge_node_size(struct lint *l, const struct config_value *value)
{
	if (strcmp(value->row->scope, "node") == 0 && value->row->type == OPTION_MEMORY &&
	    !l->nodes_have_procs && !has_procs(l, lint_index(l, value)))
		lint_report(l, "W29", value->place.line,
			    "node %s has no procs, so it is there only if a manager reports it; say how many "
			    "processors it has",
			    value->title);
}

void lint_unused(struct lint *l, const struct config_value *value)
{
	const char *why = *value->row->scope == '\0' ? why_unused(l, value->row->name) : NULL;

	if (why && !lint_is_usual(value))
		lint_no_effect(l, "W10", value, "%s", why);
	judge_node_priority(l, value);
	judge_node_size(l, value);
	if (value->row->form == FORM_PROGRAM && value->value.text[0] &&
	    l->policy.allocation != ALLOCATE_LOCAL)
		lint_no_effect(l, "W25", value, "nodeallocationpolicy is not local");
}

/* --- the whole: backfill and reservations -------------------------------------------------- */

static void backfill_without_promise(struct lint *l)
{
	const struct policy *policy = &l->policy;
	bool never = policy->reservation == RESERVE_NEVER;

	if (policy->backfill == BACKFILL_NONE || (!never && policy->reservation_depth[0] > 0))
		return;
	lint_report(l, "W9", lint_line_of(l, never ? "reservationpolicy" : "reservationdepth"),
		    "backfill without reservations lets a large job wait for ever behind small ones; set %s",
		    never ? "reservationpolicy = currenthighest" : "reservationdepth = 1");
}

static void depth_without_use(struct lint *l)
{
	const struct policy *policy = &l->policy;
	int line = lint_line_of(l, "reservationdepth");

	if (line == 0 || policy->reservation_depth[0] <= 1)
		return;
	if (policy->reservation == RESERVE_NEVER)
		lint_report(l, "W10", line, "reservationdepth has no effect: reservationpolicy is never");
	else if (policy->backfill == BACKFILL_NONE)
		lint_report(l, "W10", line,
			    "reservationdepth has no effect: with backfillpolicy = none no job starts past "
			    "the first that waits, so none need be promised a start");
}

static void hard_limits_without_backfill(struct lint *l)
{
	if (l->policy.backfill == BACKFILL_NONE && l->policy.hard_pass == HARD_RESOURCES &&
	    count_limits(l, false) > 0)
		lint_report(
			l, "W23", lint_line_of(l, "backfillpolicy"),
			"jobs between their soft and hard limits never start: they start by backfill, and "
			"backfillpolicy is none; set hardpass = idleonly or another backfillpolicy");
}

/* Does a job gain by waiting, so that it comes to stand before all that come later? */
static bool waiting_helps(const struct lint *l, const struct weight_set *set)
{
	static const enum prio_factor growing[] = {PRIO_SERV_QUEUETIME, PRIO_SERV_XFACTOR, PRIO_SERV_BYPASS,
						   PRIO_TARGET_QUEUETIME, PRIO_TARGET_XFACTOR};

	for (size_t i = 0; i < sizeof growing / sizeof growing[0]; i++)
		if (lint_has_weight(l, set, growing[i]) &&
		    set->weights.component[policy_factor_info(growing[i])->component] != 0)
			return true;
	return false;
}

static bool ranks(const struct lint *l, const struct weight_set *set)
{
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (lint_has_weight(l, set, f) &&
		    set->weights.component[policy_factor_info(f)->component] != 0)
			return true;
	return false;
}

static void promise_without_growth(struct lint *l)
{
	if (l->policy.backfill == BACKFILL_NONE || l->policy.reservation != RESERVE_CURRENTHIGHEST)
		return;
	for (size_t i = 0; i < l->set_count; i++) {
		const struct weight_set *set = &l->set[i];

		if (!ranks(l, set) || waiting_helps(l, set))
			continue;
		lint_report(
			l, "W26", lint_line_for(l, set, "queuetimeweight"),
			"a job may lose its reservation to newer ones again and again, as no factor of its "
			"priority grows while it waits; set queuetimeweight or reservationpolicy = highest");
		return;
	}
}

/* A level without a list is for every QOS that no level names: the first of them takes all. */
static void levels_without_jobs(struct lint *l)
{
	bool listed[RESERVATION_LEVELS] = {false}, taken = false;
	int line[RESERVATION_LEVELS] = {0};

	for (size_t i = 0; i < l->list.count; i++) {
		const struct config_value *value = lint_value(l, i);

		if (strcmp(value->row->scope, "reservationlevel") == 0)
			line[config_level(value->title)] = value->place.line;
		if (value->row->form == FORM_LEVEL_QOS && strcmp(value->value.text, "ALL") != 0)
			listed[config_level(value->title)] = true;
	}
	for (unsigned level = 0; level < RESERVATION_LEVELS; level++) {
		if (listed[level] || l->policy.reservation_depth[level] < 0)
			continue;
		if (taken)
			lint_report(l, "W27", line[level],
				    "no job belongs to reservation level %u: an earlier one without a list "
				    "takes them; set its reservationqoslist",
				    level);
		taken = true;
	}
}

/* --- the whole: places --------------------------------------------------------------------- */

static void places_without_rule(struct lint *l)
{
	int line = lint_line_of(l, "nodeallocationpolicy");

	if (l->policy.allocation == ALLOCATE_PRIORITY && !l->has_priorityf &&
	    lint_sections_with(l, "node", "priority") == 0)
		lint_report(l, "W24", line,
			    "no node has a priority or a priorityf, so all are equal; write node DEFAULT { "
			    "priorityf = \"SPEED - LOAD\" }");
	if (l->policy.allocation == ALLOCATE_LOCAL && lint_line_of(l, "localnodeallocation") == 0)
		lint_report(
			l, "W25", line,
			"no program is asked, so nodes are taken as by minresource; set localnodeallocation "
			"to its path");
}

void lint_order(struct lint *l)
{
	backfill_without_promise(l);
	depth_without_use(l);
	hard_limits_without_backfill(l);
	promise_without_growth(l);
	levels_without_jobs(l);
	places_without_rule(l);
}
