/* SPDX-License-Identifier: MIT */
/*
 * lint_priority.c - lint of weights, caps, priorities and fairshare
 *
 * Rules W1 to W8, W11, W13 to W17, W30 to W36, W42, W50 and W55. A factor counts only if
 * the weight of its component, its own weight and its measured value are all nonzero.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lint_text.h"
#include "sched/base/duration.h"
#include "sched/policy/priority.h"

/* Value of the factors QUEUETIME and XFACTOR of component TARGET when a job has reached its target. */
#define AT_TARGET 1e8

/* --- single weights, caps and priorities --------------------------------------------------------- */

static void component_without_factors(struct lint *l, const struct config_value *value, enum prio_component c)
{
	const struct weight_set *set = lint_set_of(l, value);
	enum prio_factor first = PRIO_FACTOR_COUNT;

	for (enum prio_factor f = PRIO_FACTOR_COUNT; f-- > 0;) {
		if (policy_factor_info(f)->component != c)
			continue;
		if (lint_has_weight(l, set, f))
			return;
		first = f;
	}
	if (value->value.number == 1) /* 1 is the default, which a file may repeat */
		return;
	lint_no_effect(l, "W1", value, "none of its factors has a weight; set %s or another of them",
		       lint_weight_name(first));
	lint_fix_value(l, value, "1");
}

static void factor_without_component(struct lint *l, const struct config_value *value, enum prio_factor f)
{
	enum prio_component c = policy_factor_info(f)->component;
	const struct weight_set *set = lint_set_of(l, value);

	if (set->weights.component[c] != 0)
		return;
	lint_no_effect(l, "W2", value, "%s is 0; set it to 1", lint_component_weight_name(c));
	lint_fix_weight(l, set, lint_component_weight_name(c), 1);
}

static void cap_without_weight(struct lint *l, const struct config_value *value, bool counts,
			       const char *name)
{
	if (counts)
		return;
	lint_no_effect(l, "W3", value, "%s is 0; set that weight or remove the cap", name);
	lint_fix_value(l, value, "0");
}

static void usage_of_waiting_jobs(struct lint *l, const struct config_value *value, enum prio_factor f)
{
	if (policy_factor_info(f)->component != PRIO_USAGE)
		return;
	lint_no_effect(l, "W31", value, "idle jobs have used nothing, and running jobs are not ranked");
	lint_fix_value(l, value, "0");
}

static void cap_below_all(struct lint *l, const struct config_value *value, enum prio_factor f)
{
	if (f != PRIO_SERV_XFACTOR || value->value.number > 1)
		return;
	lint_report(l, "W32", value,
		    "%s makes the xfactor of all jobs equal, because every xfactor is at least 1; set a "
		    "larger cap, such as 50, or 0 for none",
		    value->row->name);
	lint_fix_value(l, value, "50");
}

static void factor_without_values(struct lint *l, const struct config_value *value, enum prio_factor f)
{
	const char *target = f == PRIO_TARGET_QUEUETIME ? "qttarget" : "xftarget";
	enum prio_component c = policy_factor_info(f)->component;

	if (c == PRIO_CRED) {
		const char *type = cred_type_name(f - PRIO_CRED_USER + CRED_USER);

		if (lint_sections_with(l, type, "priority") > 0)
			return;
		lint_no_effect(l, "W4", value, "no %s has a priority; write %s NAME { priority = ... }", type,
			       type);
	} else if (c == PRIO_TARGET) {
		if (lint_sections_with(l, "qos", target) + lint_sections_with(l, "user", target) > 0)
			return;
		lint_no_effect(l, "W4", value, "no qos or user has a %s; write qos NAME { %s = ... }", target,
			       target);
	} else {
		return;
	}
	lint_fix_value(l, value, "0");
}

/*
 * Returns the factor to which an option of a credential contributes; PRIO_FACTOR_COUNT if it contributes to
 * none.
 */
static enum prio_factor factor_fed_by(const struct option *row)
{
	enum cred_type type = cred_type_find(row->scope);

	if (type == CRED_TYPE_COUNT || row->form != FORM_FIELD)
		return PRIO_FACTOR_COUNT;
	switch (row->offset) {
	case offsetof(struct cred_attr, priority):
		return PRIO_CRED_USER + type;
	case offsetof(struct cred_attr, qt_weight):
		return PRIO_SERV_QUEUETIME;
	case offsetof(struct cred_attr, xf_weight):
		return PRIO_SERV_XFACTOR;
	case offsetof(struct cred_attr, qt_target_s):
		return PRIO_TARGET_QUEUETIME;
	case offsetof(struct cred_attr, xf_target):
		return PRIO_TARGET_XFACTOR;
	default:
		return PRIO_FACTOR_COUNT;
	}
}

static void credential_without_weight(struct lint *l, const struct config_value *value)
{
	enum prio_factor f = factor_fed_by(value->row);
	const char *missing = f == PRIO_FACTOR_COUNT ? NULL : lint_missing_weight(l, f);

	if (missing) {
		lint_no_effect(l, "W5", value, "%s is 0; set it to 1", missing);
		lint_fix(l, missing, "1");
	}
}

void lint_weight(struct lint *l, const struct config_value *value)
{
	struct config_weight place = config_weight_of(value->row);

	if (value->value.number == 0)
		return;
	switch (place.kind) {
	case NO_WEIGHT:
		credential_without_weight(l, value);
		break;
	case COMPONENT_WEIGHT:
		component_without_factors(l, value, place.index);
		break;
	case COMPONENT_CAP:
		cap_without_weight(l, value, lint_set_of(l, value)->weights.component[place.index] != 0,
				   lint_component_weight_name(place.index));
		break;
	case FACTOR_WEIGHT:
		factor_without_component(l, value, place.index);
		factor_without_values(l, value, place.index);
		usage_of_waiting_jobs(l, value, place.index);
		break;
	case FACTOR_CAP:
		cap_without_weight(l, value, lint_has_weight(l, lint_set_of(l, value), place.index),
				   lint_weight_name(place.index));
		if (lint_has_weight(l, lint_set_of(l, value), place.index))
			cap_below_all(l, value, place.index);
		break;
	}
}

/* --- all weights and penalties together ----------------------------------------------------------- */

static void nothing_counts(struct lint *l)
{
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (!lint_missing_weight(l, f))
			return;
	lint_report(l, "W6", NULL,
		    "no factor of priority has a weight: jobs are ordered by submission time; set "
		    "queuetimeweight = 1 if this is intended");
	lint_fix(l, lint_weight_name(PRIO_SERV_QUEUETIME), "1");
	if (l->policy.weights.component[PRIO_SERV] == 0)
		lint_fix(l, lint_component_weight_name(PRIO_SERV), "1");
}

/* Is the value a negative priority of a credential, and does its factor count? */
static bool is_penalty(const struct lint *l, const struct config_value *value)
{
	return cred_type_find(value->row->scope) != CRED_TYPE_COUNT &&
	       strcmp(value->row->name, "priority") == 0 && value->value.number < 0 &&
	       !lint_missing_weight(l, factor_fed_by(value->row));
}

static void penalties_meet_floor(struct lint *l)
{
	const struct config_value *first = NULL;

	if (l->policy.allow_negative || l->policy.reject_negative)
		return;
	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);

		if (!is_penalty(l, value))
			continue;
		if (first && first->value.number != value->value.number) {
			lint_report(
				l, "W7", value,
				"jobs of %s %s (%s) and of %s %s (%s) can both end at priority 1 and then "
				"tie; set enablenegjobpriority = true to keep them apart",
				first->row->scope, first->title, first->value.text, value->row->scope,
				value->title, value->value.text);
			lint_fix(l, "enablenegjobpriority", "true");
			return;
		}
		if (!first)
			first = value;
	}
}

static double at_most(double value, double cap)
{
	return cap > 0 && value > cap ? cap : value;
}

/* Returns the maximum priority that a job gains by waiting; INFINITY if there is no maximum. */
static double gain_of_waiting(const struct prio_weights *w)
{
	static const enum prio_factor growing[] = {PRIO_SERV_QUEUETIME, PRIO_SERV_XFACTOR};
	double most = 0;

	if (w->component[PRIO_SERV] <= 0)
		return 0;
	for (size_t i = 0; i < sizeof growing / sizeof growing[0]; i++)
		if (w->factor[growing[i]] > 0)
			most += w->factor[growing[i]] * at_most(INFINITY, w->factor_cap[growing[i]]);
	return w->component[PRIO_SERV] * at_most(most, w->component_cap[PRIO_SERV]);
}

/* Returns the contribution of a credential's penalty to the priority of its jobs. */
static double penalty_of(const struct lint *l, const struct config_value *value)
{
	const struct prio_weights *w = &l->policy.weights;
	enum prio_factor f = factor_fed_by(value->row);

	return w->component[PRIO_CRED] * w->factor[f] * value->value.number;
}

static void rejected_for_ever(struct lint *l)
{
	double gain = gain_of_waiting(&l->policy.weights);
	bool is_stopped = l->policy.accrual == ACCRUAL_FULL;

	if (!l->policy.reject_negative)
		return;
	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);
		char most[64];

		if (!is_penalty(l, value) || (!is_stopped && gain > -penalty_of(l, value)))
			continue;
		snprintf(most, sizeof most, "waiting adds at most %g points", gain);
		lint_report(
			l, "W8", value,
			"jobs of %s %s (%s) can be blocked permanently: rejectnegpriojobs blocks negative "
			"priorities, and %s; set rejectnegpriojobs = false",
			value->row->scope, value->title, value->value.text,
			gain <= 0    ? "waiting adds nothing"
			: is_stopped ? "jobprioaccrualpolicy = fullpolicy stops their queue time"
				     : most);
		lint_fix(l, "rejectnegpriojobs", "false");
		return;
	}
}

/* --- rules for one set of weights, which return true if they report a finding ---------------------- */

static bool short_jobs_overtake(struct lint *l, const struct weight_set *set)
{
	const struct prio_weights *weights = &set->weights;

	if (l->policy.xfactor_min_wall_s > 0 || weights->factor_cap[PRIO_SERV_XFACTOR] > 0 ||
	    weights->component_cap[PRIO_SERV] > 0 ||
	    weights->component[PRIO_SERV] * weights->factor[PRIO_SERV_XFACTOR] <= 0)
		return false;
	lint_report(l, "W11", lint_value_of(l, "xfminwclimit"),
		    "a one-second job gains as much xfactor in a minute as a one-hour job in 2.5 days; "
		    "set xfminwclimit or xfactorcap");
	lint_fix(l, "xfminwclimit", "0:02:00");
	return true;
}

static bool newest_first(struct lint *l, const struct weight_set *set)
{
	double component = set->weights.component[PRIO_SERV],
	       factor = set->weights.factor[PRIO_SERV_QUEUETIME];
	const char *name =
		component < 0 ? lint_component_weight_name(PRIO_SERV) : lint_weight_name(PRIO_SERV_QUEUETIME);

	if (component * factor >= 0)
		return false;
	lint_report(l, "W30", lint_value_for(l, set, name),
		    "the weight of queue time is negative: newer jobs overtake older ones, which can wait "
		    "indefinitely; make queuetimeweight and serviceweight positive");
	lint_fix_weight(l, set, name, component < 0 ? -component : -factor);
	return true;
}

/* Reports a QOS whose qtweight cancels queuetimeweight, so that its jobs gain nothing by waiting. */
static void qos_without_growth(struct lint *l)
{
	const struct prio_weights *weights = &l->policy.weights;
	double all = weights->factor[PRIO_SERV_QUEUETIME];

	if (all <= 0 || weights->component[PRIO_SERV] <= 0)
		return;
	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);

		if (!lint_is(value, "qos", "qtweight") || all + value->value.number > 0)
			continue;
		lint_report(l, "W42", value,
			    "jobs of qos %s gain nothing by waiting: queuetimeweight plus the qtweight of "
			    "the QOS is %g; make qtweight larger than %g",
			    value->title, all + value->value.number, -all);
		lint_fix_value(l, value, "0");
	}
}

static bool targets_reach_bound(struct lint *l, const struct weight_set *set)
{
	const struct prio_weights *w = &set->weights;

	for (enum prio_factor f = PRIO_TARGET_QUEUETIME; f <= PRIO_TARGET_XFACTOR; f++) {
		double factor = w->factor[f] * at_most(AT_TARGET, w->factor_cap[f]);

		if (w->component[PRIO_TARGET] * at_most(factor, w->component_cap[PRIO_TARGET]) < PRIO_MAX)
			continue;
		lint_report(l, "W13", lint_value_for(l, set, lint_weight_name(f)),
			    "jobs past their target all reach the highest priority, 1000000000, and tie; "
			    "keep %s * %s below 10",
			    lint_component_weight_name(PRIO_TARGET), lint_weight_name(f));
		lint_fix_weight(l, set, lint_weight_name(f), 9 / w->component[PRIO_TARGET]);
		return true;
	}
	return false;
}

/* Returns the value that a factor can reach for an ordinary job; 0 for factors that are not checked here. */
static double ordinary(enum prio_factor f)
{
	switch (f) {
	case PRIO_FS_USER:
	case PRIO_FS_GROUP:
	case PRIO_FS_ACCOUNT:
	case PRIO_FS_QOS:
	case PRIO_FS_CLASS:
		return 10; /* percent below the target */
	case PRIO_SERV_QUEUETIME:
		return 24 * 60; /* minutes */
	case PRIO_SERV_XFACTOR:
		return 10;
	case PRIO_RES_NODE:
	case PRIO_RES_PROC:
	case PRIO_RES_PE:
	case PRIO_SERV_BYPASS:
		return 1;
	case PRIO_RES_PS:
	case PRIO_RES_WALLTIME:
		return 3600;
	default:
		return 0;
	}
}

/*
 * Returns the largest priority that the configuration gives to a credential of the type that the factor
 * measures.
 */
static double largest_priority(const struct lint *l, enum prio_factor f)
{
	double largest = 0;

	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);

		if (strcmp(value->row->name, "priority") == 0 && factor_fed_by(value->row) == f &&
		    value->value.number > largest)
			largest = value->value.number;
	}
	return largest;
}

static bool ordinary_jobs_tie(struct lint *l, const struct weight_set *set)
{
	const struct prio_weights *w = &set->weights;

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		enum prio_component c = policy_factor_info(f)->component;
		double most, usual = at_most(c == PRIO_CRED ? largest_priority(l, f) : ordinary(f),
					     w->factor_cap[f]);

		if (w->component[c] * at_most(w->factor[f] * usual, w->component_cap[c]) < PRIO_MAX)
			continue;
		lint_report(l, "W55", lint_value_for(l, set, lint_weight_name(f)),
			    "%s * %s takes jobs to the highest priority, 1000000000, where they tie: %g %s "
			    "is enough; keep the product below %g",
			    lint_component_weight_name(c), lint_weight_name(f), usual,
			    f == PRIO_SERV_QUEUETIME ? "minutes of queue time" : "of this factor",
			    PRIO_MAX / usual);
		most = PRIO_MAX / usual / w->component[c] / 2;
		lint_fix_weight(l, set, lint_weight_name(f), most >= 1 ? floor(most) : most);
		return true;
	}
	return false;
}

/* Checks the weights of the system, then those of the partitions, up to the first finding. */
static void judge_sets(struct lint *l, bool (*rule)(struct lint *, const struct weight_set *))
{
	for (size_t i = 0; i < l->set_count; i++)
		if (rule(l, &l->set[i]))
			return;
}

void lint_weights(struct lint *l)
{
	nothing_counts(l);
	penalties_meet_floor(l);
	rejected_for_ever(l);
	qos_without_growth(l);
	judge_sets(l, short_jobs_overtake);
	judge_sets(l, newest_first);
	judge_sets(l, targets_reach_bound);
	judge_sets(l, ordinary_jobs_tie);
}

/* --- fairshare that neither ranks nor blocks a job ---------------------------------------------------- */

/*
 * Rules W14 to W17, W33 to W36 and W50, and the fairshare part of W4 and W5. A target has an effect only if
 * usage is recorded (FSPOLICY) and both the weight of fairshare and the weight of its credential type are set
 * (guide 6.3). A cap needs only FSPOLICY; a cap of DEFAULT has no effect.
 */

static bool is_cap(enum fs_mode mode)
{
	return mode == FS_CAP_ABSOLUTE || mode == FS_CAP_RELATIVE;
}

/*
 * Returns the mode of the fairshare target that a value sets, and the target; FS_NO_TARGET for any other
 * value.
 */
static enum fs_mode target_of(const struct config_value *value, double *target)
{
	uint8_t mode = FS_NO_TARGET;

	*target = 0;
	if (value->row->form == FORM_TARGET)
		config_target_read(value->value.text, target, &mode, NULL);
	return (enum fs_mode)mode;
}

/*
 * Returns the number of targets that are not caps, and sets *caps to the number of caps: of one credential
 * type, or of all types if `type` is CRED_TYPE_COUNT.
 */
static unsigned count_targets(const struct lint *l, enum cred_type type, unsigned *caps)
{
	unsigned targets = 0;
	double target;

	*caps = 0;
	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);
		enum fs_mode mode = target_of(value, &target);

		if (mode == FS_NO_TARGET ||
		    (type != CRED_TYPE_COUNT && cred_type_find(value->row->scope) != type))
			continue;
		*caps += is_cap(mode);
		targets += !is_cap(mode);
	}
	return targets;
}

/* Reports a value that has no effect because fspolicy is none. */
static void off(struct lint *l, const char *id, const struct config_value *value)
{
	lint_no_effect(l, id, value,
		       "fspolicy is none, so usage is not recorded; set fspolicy = dedicatedps");
	lint_fix(l, "fspolicy", "dedicatedps");
}

static void cap_of_default(struct lint *l, const struct config_value *value)
{
	lint_no_effect(l, "W15", value, "a cap applies only to the %s for which it is set",
		       value->row->scope);
	lint_fix_value(l, value, "none");
}

static void target_without_weight(struct lint *l, const struct config_value *value, const char *missing)
{
	lint_no_effect(l, "W5", value, "%s is 0; set it to 1", missing);
	lint_fix(l, missing, "1");
}

/* Reports a target of 100 percent or more that cannot be reached or exceeded. */
static void judge_share(struct lint *l, const struct config_value *value, enum fs_mode mode, double target)
{
	if (target > 100) {
		lint_report(l, "W16", value,
			    "fstarget of %s %s is a share of more than 100 percent, which cannot be reached",
			    value->row->scope, value->title);
		lint_fix_value(l, value, mode == FS_CEILING || mode == FS_CAP_RELATIVE ? "none" : "100");
	} else if (mode == FS_CEILING || mode == FS_CAP_RELATIVE) {
		lint_no_effect(l, "W34", value, "a share cannot exceed 100 percent");
		lint_fix_value(l, value, "none");
	}
}

static void judge_target(struct lint *l, const struct config_value *value, enum fs_mode mode, double target)
{
	const char *missing = lint_missing_weight(l, PRIO_FS_USER + cred_type_find(value->row->scope));

	if (l->policy.fs_policy == FS_NONE)
		off(l, is_cap(mode) ? "W15" : "W14", value);
	else if (is_cap(mode) && strcmp(value->title, CRED_DEFAULT) == 0)
		cap_of_default(l, value);
	else if (!is_cap(mode) && missing)
		target_without_weight(l, value, missing);
	if (mode != FS_CAP_ABSOLUTE && target >= 100)
		judge_share(l, value, mode, target);
}

static void judge_weight(struct lint *l, const struct config_value *value, enum prio_factor f)
{
	enum cred_type type = CRED_USER + (f - PRIO_FS_USER);
	const char *name = cred_type_name(type);
	unsigned caps;

	if (l->policy.fs_policy == FS_NONE) {
		off(l, "W14", value);
	} else if (count_targets(l, type, &caps) == 0) {
		lint_no_effect(l, "W4", value, "no %s has a fstarget%s; write %s NAME { fstarget = ... }",
			       name, caps > 0 ? " that is not a cap" : "", name);
		lint_fix_value(l, value, "0");
	}
}

static bool is_window_option(const struct config_value *value)
{
	return lint_is(value, "", "fsinterval") || lint_is(value, "", "fsdepth") ||
	       lint_is(value, "", "fsdecay");
}

void lint_share(struct lint *l, const struct config_value *value)
{
	struct config_weight place = config_weight_of(value->row);
	double target;
	enum fs_mode mode = target_of(value, &target);

	if (mode != FS_NO_TARGET)
		judge_target(l, value, mode, target);
	else if (place.kind == FACTOR_WEIGHT && value->value.number != 0 &&
		 policy_factor_info(place.index)->component == PRIO_FS)
		judge_weight(l, value, place.index);
	else if (l->policy.fs_policy == FS_NONE && is_window_option(value) && !lint_is_usual(value))
		off(l, "W14", value);
}

/* Does any fairshare factor have a weight? If so, its missing targets were already reported (W4). */
static bool has_any_weight(const struct lint *l)
{
	for (enum prio_factor f = PRIO_FS_USER; f <= PRIO_FS_CLASS; f++)
		for (size_t i = 0; i < l->set_count; i++)
			if (lint_has_weight(l, &l->set[i], f))
				return true;
	return false;
}

/* Reports W33: the targets of one credential type add up to more than 100 percent. */
static void too_many_shares(struct lint *l, enum cred_type type)
{
	const struct config_value *largest = NULL;
	double sum = 0, most = 0, target;

	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);
		enum fs_mode mode = target_of(value, &target);

		if ((mode != FS_TARGET && mode != FS_FLOOR) || cred_type_find(value->row->scope) != type ||
		    strcmp(value->title, CRED_DEFAULT) == 0 || target > 100)
			continue;
		sum += target;
		if (target > most) {
			most = target;
			largest = value;
		}
	}
	/* Allows for rounding, as in 33.4 for a third. */
	if (largest == NULL || sum <= 101)
		return;
	lint_report(l, "W33", largest,
		    "the fstargets of %s add up to %g percent, so not all can be reached; lower them",
		    cred_type_plural(type), sum);
	if (most > sum - 100)
		lint_fix_value(l, largest, "%g%s", most - (sum - 100),
			       target_of(largest, &target) == FS_FLOOR ? "+" : "");
}

/*
 * Reports W35. Windows are weighted by decay^age, so that with a decay of 0 only the current window counts.
 */
static void idle_windows(struct lint *l)
{
	if (l->policy.fs_decay > 0 || l->policy.fs_depth == 1)
		return;
	lint_report(l, "W35", lint_value_of(l, "fsdecay"),
		    "fsdecay is 0, so only the current one of the %" PRId64 " windows counts; set fsdecay = "
		    "0.5, or fsdepth = 1 if this is intended",
		    l->policy.fs_depth);
	lint_fix(l, "fsdecay", "0.5");
}

/*
 * Returns the value that sets the longest wallclock limit of a job: systemmaxjobwalltime, otherwise the
 * largest max.wclimit of a class; NULL if neither is set.
 */
static const struct config_value *longest_allowed(const struct lint *l)
{
	const struct config_value *longest = lint_value_of(l, "systemmaxjobwalltime");

	if (longest != NULL && longest->value.whole > 0)
		return longest;
	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);

		if (lint_is(value, "class", "max.wclimit") &&
		    value->value.whole > (longest != NULL ? longest->value.whole : 0))
			longest = value;
	}
	return longest;
}

static void short_memory(struct lint *l)
{
	const struct config_value *longest = longest_allowed(l);
	int64_t interval_s = l->policy.fs_interval_s, depth = l->policy.fs_depth, needed;
	char words[LINT_WORDS], memory[DURATION_TEXT], most[DURATION_TEXT];

	if (longest == NULL || interval_s * depth >= longest->value.whole)
		return;
	lint_report(l, "W36", lint_value_of(l, "fsinterval"),
		    "usage is forgotten after %s (fsinterval * fsdepth), before a job of the maximum length "
		    "ends (%s of %s); increase fsdepth or fsinterval",
		    duration_text(memory, interval_s * depth), duration_text(most, longest->value.whole),
		    lint_words(longest, words));
	needed = (longest->value.whole + interval_s - 1) / interval_s;
	if (needed <= FS_DEPTH_MAX)
		lint_fix(l, "fsdepth", "%" PRId64, needed);
	else
		lint_fix(l, "fsinterval", "%" PRId64, (longest->value.whole + depth - 1) / depth);
}

/* A shorter window was probably meant in hours, but written without a unit. */
#define SHORTEST_WINDOW_S 60

static void short_windows(struct lint *l)
{
	int64_t interval_s = l->policy.fs_interval_s;
	char interval[DURATION_TEXT], memory[DURATION_TEXT];

	if (interval_s >= SHORTEST_WINDOW_S)
		return;
	lint_report(l, "W50", lint_value_of(l, "fsinterval"),
		    "a window of usage is %s long (fsinterval), so all usage is forgotten after %s; write "
		    "the unit, as in 24h",
		    duration_text(interval, interval_s),
		    duration_text(memory, interval_s * l->policy.fs_depth));
	lint_fix(l, "fsinterval", "24h");
}

void lint_shares(struct lint *l)
{
	unsigned caps, targets = count_targets(l, CRED_TYPE_COUNT, &caps);

	if (l->policy.fs_policy == FS_NONE)
		return;
	if (targets + caps == 0 && !has_any_weight(l)) {
		lint_report(
			l, "W17", lint_value_of(l, "fspolicy"),
			"usage is recorded, but changes no priority: there is no fstarget; write user NAME { "
			"fstarget = ... } and set fsuserweight");
		lint_fix(l, "fspolicy", "none");
	}
	for (enum cred_type type = CRED_USER; type < CRED_TYPE_COUNT; type++)
		too_many_shares(l, type);
	idle_windows(l);
	short_memory(l);
	short_windows(l);
}
