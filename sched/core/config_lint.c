/* SPDX-License-Identifier: MIT */
/*
 * config_lint.c - what will a good configuration not do, and what to do about it?
 *
 * Rules about one written value come first, in the order of the file; rules about the
 * whole follow. What is not written is never judged: defaults that idle are no mistake.
 * A value of the top level is judged by the weights of ALL, one of a partition by the
 * partition's own.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "priority.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

/* What the TARGET factors measure at the target. */
#define AT_TARGET 1e8

struct weight_set {
	const char *partition; /* "" is ALL */
	struct prio_weights weights;
};

struct subject {
	struct config_list list;
	struct policy policy;
	struct weight_set *set; /* [0] is ALL */
	size_t set_count, set_room;
	bool qos_adds_queuetime, qos_adds_xfactor;
	struct config_finding *out;
	size_t room, found;
};

static void report(struct subject *s, const char *id, int line, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void report(struct subject *s, const char *id, int line, const char *format, ...)
{
	va_list args;

	if (s->found < s->room) {
		struct config_finding *finding = &s->out[s->found];

		*finding = (struct config_finding){.id = id, .line = line};
		va_start(args, format);
		vsnprintf(finding->text, sizeof finding->text, format, args);
		va_end(args);
	}
	s->found++;
}

/* --- what the text sets -------------------------------------------------------------- */

static bool is_value_of(const struct config_value *value, const char *scope, const char *name)
{
	return value->row && strcmp(value->row->scope, scope) == 0 && strcmp(value->row->name, name) == 0;
}

/* How many sections of a kind set an option to something other than 0. */
static unsigned sections_with(const struct subject *s, const char *scope, const char *name)
{
	unsigned count = 0;

	for (size_t i = 0; i < s->list.count; i++)
		if (is_value_of(&s->list.item[i].value, scope, name))
			count += s->list.item[i].value.value.number != 0;
	return count;
}

static struct weight_set *set_of(struct subject *s, const struct config_value *value)
{
	const char *partition = strcmp(value->row->scope, "partition") == 0 ? value->title : "";

	for (size_t i = 0; i < s->set_count; i++)
		if (strcmp(s->set[i].partition, partition) == 0)
			return &s->set[i];
	s->set = vec_room(s->set, &s->set_room, s->set_count + 1, sizeof *s->set);
	s->set[s->set_count] = (struct weight_set){.partition = partition, .weights = s->policy.weights};
	return &s->set[s->set_count++];
}

/* The top level first: partitions begin with its weights. */
static void collect(struct subject *s)
{
	s->qos_adds_queuetime = sections_with(s, "qos", "qtweight") > 0;
	s->qos_adds_xfactor = sections_with(s, "qos", "xfweight") > 0;
	policy_default(&s->policy);
	for (size_t i = 0; i < s->list.count; i++)
		config_store(&s->list.item[i].value, &s->policy, NULL, NULL, NULL);
	s->set = vec_room(NULL, &s->set_room, 1, sizeof *s->set);
	s->set[s->set_count++] = (struct weight_set){.partition = "", .weights = s->policy.weights};
	for (size_t i = 0; i < s->list.count; i++) {
		const struct config_value *value = &s->list.item[i].value;

		if (value->row && strcmp(value->row->scope, "partition") == 0)
			config_store(value, NULL, &set_of(s, value)->weights, NULL, NULL);
	}
}

static const char *weight_name(enum prio_factor f)
{
	return config_weight_name((struct config_weight){FACTOR_WEIGHT, f});
}

static const char *component_weight_name(enum prio_component c)
{
	return config_weight_name((struct config_weight){COMPONENT_WEIGHT, c});
}

/* Does a factor have a weight, its own or from a QOS? */
static bool has_weight(const struct subject *s, const struct weight_set *set, enum prio_factor f)
{
	return set->weights.factor[f] != 0 || (f == PRIO_SERV_QUEUETIME && s->qos_adds_queuetime) ||
	       (f == PRIO_SERV_XFACTOR && s->qos_adds_xfactor);
}

/* What hinders a factor from counting anywhere: the name of a weight that is 0, NULL if nothing does. */
static const char *missing_weight(const struct subject *s, enum prio_factor f)
{
	enum prio_component c = policy_factor_info(f)->component;
	const char *missing = NULL;

	for (size_t i = 0; i < s->set_count; i++) {
		if (!has_weight(s, &s->set[i], f))
			missing = weight_name(f);
		else if (s->set[i].weights.component[c] == 0)
			missing = component_weight_name(c);
		else
			return NULL;
	}
	return missing;
}

/* --- one value that is not 0 --------------------------------------------------------- */

static void no_effect(struct subject *s, const char *id, const struct config_value *value, const char *format,
		      ...) __attribute__((format(printf, 4, 5)));

/* "fsweight = 100 has no effect: ", "priority of user john has no effect: " and the reason. */
static void no_effect(struct subject *s, const char *id, const struct config_value *value, const char *format,
		      ...)
{
	char reason[sizeof s->out->text];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof reason, format, args);
	va_end(args);
	if (cred_type_find(value->row->scope) < CRED_TYPE_COUNT)
		report(s, id, value->place.line, "%s of %s %s has no effect: %s", value->row->name,
		       value->row->scope, value->title, reason);
	else
		report(s, id, value->place.line, "%s = %s has no effect: %s", value->row->name,
		       value->value.text, reason);
}

static void component_without_factors(struct subject *s, const struct config_value *value,
				      enum prio_component c)
{
	const struct weight_set *set = set_of(s, value);
	enum prio_factor first = PRIO_FACTOR_COUNT;

	for (enum prio_factor f = PRIO_FACTOR_COUNT; f-- > 0;) {
		if (policy_factor_info(f)->component != c)
			continue;
		if (has_weight(s, set, f))
			return;
		first = f;
	}
	if (value->value.number != 1) /* the default may stand in the file */
		no_effect(s, "W1", value, "none of its factors has a weight; set %s or another of them",
			  weight_name(first));
}

static void factor_without_component(struct subject *s, const struct config_value *value, enum prio_factor f)
{
	enum prio_component c = policy_factor_info(f)->component;

	if (set_of(s, value)->weights.component[c] == 0)
		no_effect(s, "W2", value, "%s is 0; set it to 1", component_weight_name(c));
}

static void cap_without_weight(struct subject *s, const struct config_value *value, bool counts,
			       const char *name)
{
	if (!counts)
		no_effect(s, "W3", value, "%s is 0; give that a value or remove the cap", name);
}

static void factor_without_values(struct subject *s, const struct config_value *value, enum prio_factor f)
{
	const char *target = f == PRIO_TARGET_QUEUETIME ? "qttarget" : "xftarget";
	enum prio_component c = policy_factor_info(f)->component;

	if (c == PRIO_CRED) {
		const char *type = cred_type_name(f - PRIO_CRED_USER + CRED_USER);

		if (sections_with(s, type, "priority") == 0)
			no_effect(s, "W4", value, "no %s has a priority; write %s NAME { priority = ... }",
				  type, type);
	} else if (c == PRIO_FS) {
		no_effect(s, "W4", value,
			  "this version records no usage, so nobody is off target; leave it at 0");
	} else if (c == PRIO_TARGET) {
		if (sections_with(s, "qos", target) + sections_with(s, "user", target) == 0)
			no_effect(s, "W4", value, "no qos or user has a %s; write qos NAME { %s = ... }",
				  target, target);
	}
}

/* Which factor a credential's option feeds; PRIO_FACTOR_COUNT for other rows. */
static enum prio_factor factor_fed_by(const struct option *row)
{
	enum cred_type type = cred_type_find(row->scope);

	if (type == CRED_TYPE_COUNT)
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
	default:
		return PRIO_TARGET_XFACTOR;
	}
}

static void credential_without_weight(struct subject *s, const struct config_value *value)
{
	enum prio_factor f = factor_fed_by(value->row);
	const char *missing = f == PRIO_FACTOR_COUNT ? NULL : missing_weight(s, f);

	if (missing)
		no_effect(s, "W5", value, "%s is 0; set it to 1", missing);
}

static void judge_value(struct subject *s, const struct config_value *value)
{
	struct config_weight place = config_weight_of(value->row);

	switch (place.kind) {
	case NO_WEIGHT:
		credential_without_weight(s, value);
		break;
	case COMPONENT_WEIGHT:
		component_without_factors(s, value, place.index);
		break;
	case COMPONENT_CAP:
		cap_without_weight(s, value, set_of(s, value)->weights.component[place.index] != 0,
				   component_weight_name(place.index));
		break;
	case FACTOR_WEIGHT:
		factor_without_component(s, value, place.index);
		factor_without_values(s, value, place.index);
		break;
	case FACTOR_CAP:
		cap_without_weight(s, value, has_weight(s, set_of(s, value), place.index),
				   weight_name(place.index));
		break;
	}
}

/* --- the whole ----------------------------------------------------------------------- */

static int line_in(const struct subject *s, const char *scope, const char *title, const char *name)
{
	for (size_t i = 0; i < s->list.count; i++) {
		const struct config_value *value = &s->list.item[i].value;

		if (is_value_of(value, scope, name) && strcmp(value->title, title) == 0)
			return value->place.line;
	}
	return 0;
}

/* The line that sets an option of the top level, 0 if none does. */
static int line_of(const struct subject *s, const char *name)
{
	return line_in(s, "", "", name);
}

/* The line that sets an option for a set of weights: its own, else that of ALL, else 0. */
static int line_for(const struct subject *s, const struct weight_set *set, const char *name)
{
	int own = line_in(s, "partition", set->partition, name);

	return own > 0 ? own : line_of(s, name);
}

static void nothing_counts(struct subject *s)
{
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (!missing_weight(s, f))
			return;
	report(s, "W6", 0,
	       "no factor of priority has a weight: jobs stand in the order of their submission; "
	       "set queuetimeweight = 1 if that is meant");
}

/* Does a credential's value make priorities negative, where its factor counts? */
static bool is_penalty(const struct subject *s, const struct config_value *value)
{
	return value->row && strcmp(value->row->name, "priority") == 0 && value->value.number < 0 &&
	       !missing_weight(s, factor_fed_by(value->row));
}

static void penalties_meet_floor(struct subject *s)
{
	const struct config_value *first = NULL;

	if (s->policy.allow_negative || s->policy.reject_negative)
		return;
	for (size_t i = 0; i < s->list.count; i++) {
		const struct config_value *value = &s->list.item[i].value;

		if (!is_penalty(s, value))
			continue;
		if (first && first->value.number != value->value.number) {
			report(s, "W7", value->place.line,
			       "jobs of %s %s (%s) and of %s %s (%s) can both end at priority 1 and then "
			       "tie; "
			       "set enablenegjobpriority = true to keep them apart",
			       first->row->scope, first->title, first->value.text, value->row->scope,
			       value->title, value->value.text);
			return;
		}
		if (!first)
			first = value;
	}
}

static void rejected_for_ever(struct subject *s)
{
	const struct prio_weights *weights = &s->policy.weights;
	bool waiting_helps = weights->component[PRIO_SERV] * weights->factor[PRIO_SERV_QUEUETIME] > 0 ||
			     weights->component[PRIO_SERV] * weights->factor[PRIO_SERV_XFACTOR] > 0;

	if (!s->policy.reject_negative || (waiting_helps && s->policy.accrual != ACCRUAL_FULL))
		return;
	for (size_t i = 0; i < s->list.count; i++) {
		const struct config_value *value = &s->list.item[i].value;

		if (!is_penalty(s, value))
			continue;
		report(s, "W8", value->place.line,
		       "jobs of %s %s (%s) can be blocked for ever: rejectnegpriojobs blocks what is "
		       "negative "
		       "and %s; set rejectnegpriojobs = false",
		       value->row->scope, value->title, value->value.text,
		       waiting_helps ? "fullpolicy stops its queue time" : "waiting adds nothing");
		return;
	}
}

static void backfill_without_promise(struct subject *s)
{
	const struct policy *policy = &s->policy;
	bool never = policy->reservation == RESERVE_NEVER;

	if (policy->backfill == BACKFILL_NONE || (!never && policy->reservation_depth[0] > 0))
		return;
	report(s, "W9", line_of(s, never ? "reservationpolicy" : "reservationdepth"),
	       "backfill without reservations lets a large job wait for ever behind small ones; set %s",
	       never ? "reservationpolicy = currenthighest" : "reservationdepth = 1");
}

static void depth_without_use(struct subject *s)
{
	const struct policy *policy = &s->policy;
	int line = line_of(s, "reservationdepth");

	if (line == 0 || policy->reservation_depth[0] <= 1)
		return;
	if (policy->reservation == RESERVE_NEVER)
		report(s, "W10", line, "reservationdepth has no effect: reservationpolicy is never");
	else if (policy->backfill == BACKFILL_NONE)
		report(s, "W10", line,
		       "reservationdepth has no effect: with backfillpolicy = none no job starts past "
		       "the first that waits, so none need be promised a start");
}

/* --- one set of weights: true when the rule has found something ---------------------- */

static bool short_jobs_overtake(struct subject *s, const struct weight_set *set)
{
	const struct prio_weights *weights = &set->weights;

	if (s->policy.xfactor_min_wall_s > 0 || weights->factor_cap[PRIO_SERV_XFACTOR] > 0 ||
	    weights->component_cap[PRIO_SERV] > 0 ||
	    weights->component[PRIO_SERV] * weights->factor[PRIO_SERV_XFACTOR] <= 0)
		return false;
	report(s, "W11", line_of(s, "xfminwclimit"),
	       "a job of one second gains as much xfactor in a minute as one of an hour in 2.5 days; "
	       "set xfminwclimit or xfactorcap");
	return true;
}

static bool newest_first(struct subject *s, const struct weight_set *set)
{
	const struct prio_weights *weights = &set->weights;

	if (weights->component[PRIO_SERV] * weights->factor[PRIO_SERV_QUEUETIME] >= 0)
		return false;
	report(s, "W12", line_for(s, set, "queuetimeweight"),
	       "the weight of queue time is negative: newer jobs pass older ones, which can wait for ever; "
	       "make queuetimeweight and serviceweight positive");
	return true;
}

static double at_most(double value, double cap)
{
	return cap > 0 && value > cap ? cap : value;
}

static bool targets_reach_bound(struct subject *s, const struct weight_set *set)
{
	const struct prio_weights *w = &set->weights;

	for (enum prio_factor f = PRIO_TARGET_QUEUETIME; f <= PRIO_TARGET_XFACTOR; f++) {
		double factor = w->factor[f] * at_most(AT_TARGET, w->factor_cap[f]);

		if (w->component[PRIO_TARGET] * at_most(factor, w->component_cap[PRIO_TARGET]) < PRIO_MAX)
			continue;
		report(s, "W13", line_for(s, set, weight_name(f)),
		       "jobs past their target all stand at the highest priority, 1000000000, and tie; "
		       "keep %s * %s below 10",
		       component_weight_name(PRIO_TARGET), weight_name(f));
		return true;
	}
	return false;
}

/* ALL, then the partitions; what one of them has is not said again of the next. */
static void judge_sets(struct subject *s, bool (*rule)(struct subject *, const struct weight_set *))
{
	for (size_t i = 0; i < s->set_count; i++)
		if (rule(s, &s->set[i]))
			return;
}

size_t config_lint(const char *file, const char *text, size_t len, struct config_finding *out, size_t room)
{
	struct subject s = {.out = out, .room = room};

	if (!config_list_read(file, text, len, &s.list, NULL))
		return 0;
	collect(&s);
	for (size_t i = 0; i < s.list.count; i++)
		if (s.list.item[i].value.row && s.list.item[i].value.value.number != 0)
			judge_value(&s, &s.list.item[i].value);
	nothing_counts(&s);
	penalties_meet_floor(&s);
	rejected_for_ever(&s);
	backfill_without_promise(&s);
	depth_without_use(&s);
	judge_sets(&s, short_jobs_overtake);
	judge_sets(&s, newest_first);
	judge_sets(&s, targets_reach_bound);
	config_list_free(&s.list);
	free(s.set);
	return s.found;
}
