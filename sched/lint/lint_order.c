/* SPDX-License-Identifier: MIT */
/*
 * lint_order.c - lint of backfill, reservations, node allocation, and of settings for real jobs
 *
 * Rules W9, W10, W23 to W27, W29 and W44 to W46.
 *
 * Source: Maui Administrator's Guide 7.1.4 (a reservation that is recomputed in each pass needs a factor that
 * grows with time), 8.2 (backfill).
 */
#include <string.h>

#include "lint_text.h"
#include "sched/base/duration.h"
#include "sched/base/str.h"

/* --- limits ------------------------------------------------------------- */

/*
 * Returns the number of limits on eligible jobs (idle), or of limits on running jobs whose soft value is
 * lower than the hard value.
 */
static unsigned count_limits(const struct lint *l, bool idle)
{
	unsigned count = 0;

	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);
		struct config_limit limit;
		bool is_active;

		if (!lint_read_limit(value, &limit))
			continue;
		is_active = limit.scope == LIMIT_ACTIVE || limit.scope == LIMIT_OVERRIDE_ACTIVE;
		count += idle ? !is_active : is_active && limit.soft < limit.hard;
	}
	return count;
}

/* --- values that another value makes ineffective ------------------------------------------------------ */

/*
 * Returns the reason why an option of the top level has no effect with the other settings; NULL if it has an
 * effect.
 */
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
	if ((str_same_word(name, "userreservationtime") || str_same_word(name, "userreservationprocs")) &&
	    p->user_reservations == 0)
		return "userreservations is 0";
	if (str_same_word(name, "warntime") && p->site.warn_signal == WARN_NONE)
		return "warnsignal is none";
	if (str_same_word(name, "metricsinterval") && lint_value_of(l, "metricsfile") == NULL)
		return "there is no metricsfile";
	if (str_same_word(name, "localtimeout") && p->allocation != ALLOCATE_LOCAL)
		return "nodeallocationpolicy is not local";
	return NULL;
}

/* Reports that a value has no effect unless another option has the value `wanted`. */
static void needs_other_value(struct lint *l, const char *id, const struct config_value *value,
			      const char *option, const char *wanted)
{
	lint_no_effect(l, id, value, "%s is not %s", option, wanted);
	lint_fix(l, option, "%s", wanted);
}

static void judge_node_priority(struct lint *l, const struct config_value *value)
{
	bool is_priority = config_is_node_priority(value);

	if (value->row->form != FORM_PRIORITYF && !is_priority)
		return;
	if (l->policy.allocation != ALLOCATE_PRIORITY) {
		needs_other_value(l, "W24", value, "nodeallocationpolicy", "priority");
	} else if (is_priority && l->priorityf != NULL && !l->weighs_priority) {
		lint_no_effect(l, "W24", value, "no priorityf names PRIORITY");
		lint_fix_value(l, l->priorityf, "%s + PRIORITY", l->priorityf->value.text);
	}
}

/* Does the section of value `in` set the number of processors of the node? */
static bool has_procs(const struct lint *l, size_t in)
{
	struct lint_section section = lint_section_of(l, in);

	for (size_t i = section.first; i < section.end; i++)
		if (lint_is(lint_value(l, i), "node", "procs"))
			return true;
	return false;
}

/* Reports W29: a node section with memory, swap or disk but without procs, which was probably forgotten. */
static void judge_node_size(struct lint *l, const struct config_value *value)
{
	if (strcmp(value->row->scope, "node") == 0 && value->row->type == OPTION_MEMORY &&
	    !l->nodes_have_procs && !has_procs(l, lint_index(l, value))) {
		lint_report(l, "W29", value,
			    "node %s has no procs, so it exists only if a resource manager reports it; set "
			    "the number of its processors",
			    value->title);
		lint_fix_beside(l, value, "procs", "1");
	}
}

void lint_unused(struct lint *l, const struct config_value *value)
{
	const char *why = *value->row->scope == '\0' ? why_unused(l, value->row->name) : NULL;

	if (why && !lint_is_usual(value)) {
		lint_no_effect(l, "W10", value, "%s", why);
		lint_fix_value(l, value, "%s", value->row->fallback);
	}
	judge_node_priority(l, value);
	judge_node_size(l, value);
	if (value->row->form == FORM_PROGRAM && value->value.text[0] &&
	    l->policy.allocation != ALLOCATE_LOCAL)
		needs_other_value(l, "W25", value, "nodeallocationpolicy", "local");
}

/* --- backfill and reservations ------------------------------------------------------------------------ */

static void backfill_without_reservation(struct lint *l)
{
	const struct policy *policy = &l->policy;
	bool never = policy->reservation == RESERVE_NEVER;

	if (policy->backfill == BACKFILL_NONE || (!never && policy->reservation_depth[0] > 0))
		return;
	lint_report(
		l, "W9", lint_value_of(l, never ? "reservationpolicy" : "reservationdepth"),
		"backfill without reservations lets a large job wait indefinitely behind small ones; set %s",
		never ? "reservationpolicy = currenthighest" : "reservationdepth = 1");
	lint_fix(l, never ? "reservationpolicy" : "reservationdepth", never ? "currenthighest" : "1");
}

static void depth_without_use(struct lint *l)
{
	const struct policy *policy = &l->policy;
	const struct config_value *depth = lint_value_of(l, "reservationdepth");

	if (depth == NULL || policy->reservation_depth[0] <= 1)
		return;
	if (policy->reservation == RESERVE_NEVER)
		lint_report(l, "W10", depth, "reservationdepth has no effect: reservationpolicy is never");
	else if (policy->backfill == BACKFILL_NONE)
		lint_report(l, "W10", depth,
			    "reservationdepth has no effect: with backfillpolicy = none no job starts "
			    "before the first idle job, so no reservation is needed");
	else
		return;
	lint_fix_value(l, depth, "1");
}

static void hard_limits_without_backfill(struct lint *l)
{
	if (l->policy.backfill == BACKFILL_NONE && l->policy.hard_pass == HARD_RESOURCES &&
	    count_limits(l, false) > 0) {
		lint_report(l, "W23", lint_value_of(l, "backfillpolicy"),
			    "jobs between their soft and hard limits never start: with hardpass = resources "
			    "only backfill can start them, and backfillpolicy is none; set hardpass = "
			    "idleonly or another backfillpolicy");
		lint_fix(l, "hardpass", "idleonly");
	}
}

/* Does waiting raise the priority of a job, so that newer jobs cannot overtake it again and again? */
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

/* Does any factor of priority count? */
static bool ranks(const struct lint *l, const struct weight_set *set)
{
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (lint_has_weight(l, set, f) &&
		    set->weights.component[policy_factor_info(f)->component] != 0)
			return true;
	return false;
}

static void reservation_without_growth(struct lint *l)
{
	if (l->policy.backfill == BACKFILL_NONE || l->policy.reservation != RESERVE_CURRENTHIGHEST)
		return;
	for (size_t i = 0; i < l->set_count; i++) {
		const struct weight_set *set = &l->set[i];

		if (!ranks(l, set) || waiting_helps(l, set))
			continue;
		lint_report(
			l, "W26", lint_value_for(l, set, "queuetimeweight"),
			"a job may lose its reservation to newer ones repeatedly, because no factor of its "
			"priority grows while it waits; set queuetimeweight or reservationpolicy = highest");
		lint_fix(l, "reservationpolicy", "highest");
		return;
	}
}

/*
 * Checks W27. The first level without a reservationqoslist takes the jobs of every QOS that no list names, so
 * that a later level without a list has no jobs.
 */
static void levels_without_jobs(struct lint *l)
{
	bool listed[RESERVATION_LEVELS] = {false}, taken = false;
	const struct config_value *first[RESERVATION_LEVELS] = {NULL};

	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);

		if (strcmp(value->row->scope, "reservationlevel") == 0)
			first[config_level(value->title)] = value;
		if (value->row->form == FORM_LEVEL_QOS && strcmp(value->value.text, "ALL") != 0)
			listed[config_level(value->title)] = true;
	}
	for (unsigned level = 0; level < RESERVATION_LEVELS; level++) {
		if (listed[level] || l->policy.reservation_depth[level] < 0)
			continue;
		if (taken)
			lint_report(l, "W27", first[level],
				    "no job belongs to reservation level %u: an earlier level without a "
				    "reservationqoslist takes the jobs of every QOS that no list names; set "
				    "reservationqoslist of level %u",
				    level, level);
		taken = true;
	}
}

/* --- node allocation ---------------------------------------------------------------------------------- */

static void places_without_rule(struct lint *l)
{
	const struct config_value *policy = lint_value_of(l, "nodeallocationpolicy");

	if (l->policy.allocation == ALLOCATE_PRIORITY && l->priorityf == NULL &&
	    lint_sections_with(l, "node", "priority") == 0) {
		lint_report(l, "W24", policy,
			    "no node has a priority or a priorityf, so all are equal; write node DEFAULT { "
			    "priorityf = \"SPEED - LOAD\" }");
		lint_fix(l, "node[DEFAULT].priorityf", "SPEED - LOAD");
	}
	if (l->policy.allocation == ALLOCATE_LOCAL && lint_value_of(l, "localnodeallocation") == NULL) {
		lint_report(l, "W25", policy,
			    "localnodeallocation is not set, so nodes are allocated as with minresource; set "
			    "it to the path of a program");
		lint_fix(l, "nodeallocationpolicy", "minresource");
	}
}

void lint_order(struct lint *l)
{
	backfill_without_reservation(l);
	depth_without_use(l);
	hard_limits_without_backfill(l);
	reservation_without_growth(l);
	levels_without_jobs(l);
	places_without_rule(l);
}

/* --- settings for real jobs and administrators -------------------------------------------------------- */

/*
 * Rules W44 to W46. Rules that need the host, to check that a program exists, are in lint_host.c.
 */

static void warned_at_once(struct lint *l)
{
	const struct policy *p = &l->policy;
	char time[DURATION_TEXT];

	if (p->site.warn_signal == WARN_NONE || p->site.warn_s < p->default_wall_s)
		return;
	lint_report(l, "W44", lint_value_of(l, "warntime"),
		    "a job without a wallclock limit is warned at its start: its default is %s, and warntime "
		    "is not shorter; reduce warntime",
		    duration_text(time, p->default_wall_s));
	lint_fix(l, "warntime", "0:01:00");
}

/* The owner's permissions to read and write. */
#define OWN_FILES 0600

static void umask_denies_owner(struct lint *l)
{
	if ((l->policy.site.umask & OWN_FILES) == 0)
		return;
	lint_report(l, "W45", lint_value_of(l, "umask"),
		    "umask denies jobs permission to read and write the files they create; 077 denies access "
		    "only to other users");
	lint_fix(l, "umask", "077");
}

/* --- administrators ---------------------------------------------------------------------- */

static bool names(const char *list, const char *word, size_t len)
{
	const char *other;
	size_t other_len;

	while ((other = config_word(&list, &other_len)) != NULL)
		if (other_len == len && memcmp(other, word, len) == 0)
			return true;
	return false;
}

/* Appends the words of a list that are not in another list. */
static void add_others(const char *list, const char *without, struct str *out)
{
	const char *word;
	size_t len;

	while ((word = config_word(&list, &len)) != NULL)
		if (!names(without, word, len))
			str_addf(out, "%s%.*s", out->len > 0 ? " " : "", (int)len, word);
}

static void named_twice(struct lint *l, const char *high_name, const char *low_name)
{
	const struct config_value *high = lint_value_of(l, high_name), *low = lint_value_of(l, low_name);
	const char *at, *word;
	struct str others = {0};
	size_t len;

	if (high == NULL || low == NULL)
		return;
	at = low->value.text;
	while ((word = config_word(&at, &len)) != NULL) {
		if (!names(high->value.text, word, len))
			continue;
		lint_report(l, "W46", low, "%.*s is already in %s, which includes all rights of %s", (int)len,
			    word, high_name, low_name);
		add_others(low->value.text, high->value.text, &others);
		lint_fix_value(l, low, "%s", str_text(&others));
		break;
	}
	str_free(&others);
}

void lint_site(struct lint *l)
{
	warned_at_once(l);
	umask_denies_owner(l);
	named_twice(l, "admin1", "admin2");
	named_twice(l, "admin1", "admin3");
	named_twice(l, "admin2", "admin3");
}
