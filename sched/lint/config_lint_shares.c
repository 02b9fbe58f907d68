/* SPDX-License-Identifier: MIT */
/*
 * config_lint_shares.c - what of fairshare is tracked without moving or blocking a job?
 *
 * Rules W14 to W17, W33 to W36 and W50, and what W4 and W5 say of shares. A target moves a job by the product
 * of FSPOLICY's usage, the weight of fairshare and that of its type (guide 6.3: both must be set); a cap
 * needs FSPOLICY alone, and is its owner's own.
 */
#include <inttypes.h>
#include <string.h>

#include "config_lint.h"
#include "sched/base/duration.h"

static bool is_cap(enum fs_mode mode)
{
	return mode == FS_CAP_ABSOLUTE || mode == FS_CAP_RELATIVE;
}

/* The target that a value sets; FS_NO_TARGET when it is no target. */
static enum fs_mode target_of(const struct config_value *value, double *target)
{
	uint8_t mode = FS_NO_TARGET;

	*target = 0;
	if (value->row->form == FORM_TARGET)
		config_target_read(value->value.text, target, &mode, NULL);
	return (enum fs_mode)mode;
}

/* How many targets that are no caps there are, of one type or, with CRED_TYPE_COUNT, of any; caps counts
 * those. */
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

static void off(struct lint *l, const char *id, const struct config_value *value)
{
	lint_no_effect(l, id, value,
		       "fspolicy is none, so no usage is looked at; set fspolicy = dedicatedps");
	lint_fix(l, "fspolicy", "dedicatedps");
}

static void cap_of_nobody(struct lint *l, const struct config_value *value)
{
	lint_no_effect(l, "W15", value, "a cap holds only for the %s it is set for", value->row->scope);
	lint_fix_value(l, value, "none");
}

static void target_without_weight(struct lint *l, const struct config_value *value, const char *missing)
{
	lint_no_effect(l, "W5", value, "%s is 0; set it to 1", missing);
	lint_fix(l, missing, "1");
}

/* A share of the whole machine or more. */
static void judge_share(struct lint *l, const struct config_value *value, enum fs_mode mode, double target)
{
	if (target > 100) {
		lint_report(l, "W16", value,
			    "fstarget of %s %s is a share of more than 100 percent, which nobody reaches",
			    value->row->scope, value->title);
		lint_fix_value(l, value, mode == FS_CEILING || mode == FS_CAP_RELATIVE ? "none" : "100");
	} else if (mode == FS_CEILING || mode == FS_CAP_RELATIVE) {
		lint_no_effect(l, "W34", value, "nobody's share is above 100 percent");
		lint_fix_value(l, value, "none");
	}
}

static void judge_target(struct lint *l, const struct config_value *value, enum fs_mode mode, double target)
{
	const char *missing = lint_missing_weight(l, PRIO_FS_USER + cred_type_find(value->row->scope));

	if (l->policy.fs_policy == FS_NONE)
		off(l, is_cap(mode) ? "W15" : "W14", value);
	else if (is_cap(mode) && strcmp(value->title, CRED_DEFAULT) == 0)
		cap_of_nobody(l, value);
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
			       name, caps > 0 ? " that is no cap" : "", name);
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

/* A weight that lacks targets has been named already. */
static bool has_any_weight(const struct lint *l)
{
	for (enum prio_factor f = PRIO_FS_USER; f <= PRIO_FS_CLASS; f++)
		for (size_t i = 0; i < l->set_count; i++)
			if (lint_has_weight(l, &l->set[i], f))
				return true;
	return false;
}

/* Targets of one type that are to be reached, whoever has them: no more than the machine can be given. */
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
	/* Thirds that are written as 33.4 are meant as thirds. */
	if (largest == NULL || sum <= 101)
		return;
	lint_report(l, "W33", largest,
		    "the fstargets of %s add up to %g percent, so not all can be reached; lower them",
		    cred_type_plural(type), sum);
	if (most > sum - 100)
		lint_fix_value(l, largest, "%g%s", most - (sum - 100),
			       target_of(largest, &target) == FS_FLOOR ? "+" : "");
}

/* A window counts decay^age: with 0 the present one alone. */
static void idle_windows(struct lint *l)
{
	if (l->policy.fs_decay > 0 || l->policy.fs_depth == 1)
		return;
	lint_report(l, "W35", lint_value_of(l, "fsdecay"),
		    "fsdecay is 0, so of the %" PRId64 " windows the present one alone counts; set fsdecay = "
		    "0.5, or fsdepth = 1 if that is meant",
		    l->policy.fs_depth);
	lint_fix(l, "fsdecay", "0.5");
}

/* The longest that options let a job run: the system, else some class; NULL without one. */
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
	lint_report(
		l, "W36", lint_value_of(l, "fsinterval"),
		"usage is forgotten after %s (fsinterval * fsdepth), before a job ends that takes the %s of "
		"%s; look further back",
		duration_text(memory, interval_s * depth), duration_text(most, longest->value.whole),
		lint_words(longest, words));
	needed = (longest->value.whole + interval_s - 1) / interval_s;
	if (needed <= FS_DEPTH_MAX)
		lint_fix(l, "fsdepth", "%" PRId64, needed);
	else
		lint_fix(l, "fsinterval", "%" PRId64, (longest->value.whole + depth - 1) / depth);
}

/* No site means seconds: a number alone was written where hours were meant. */
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
		lint_report(l, "W17", lint_value_of(l, "fspolicy"),
			    "usage is recorded, but moves no job: there is no fstarget; write user NAME { "
			    "fstarget = ... } and set fsuserweight");
		lint_fix(l, "fspolicy", "none");
	}
	for (enum cred_type type = CRED_USER; type < CRED_TYPE_COUNT; type++)
		too_many_shares(l, type);
	idle_windows(l);
	short_memory(l);
	short_windows(l);
}
