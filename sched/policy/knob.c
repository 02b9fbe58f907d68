/* SPDX-License-Identifier: MIT */
/*
 * knob.c - options as numbers that can be read, varied and set
 *
 * The value in force is read from the policy. A changed number is printed by the functions that print the
 * configuration, so that it has the syntax of the configuration.
 */
#include "knob.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "priority.h"
#include "sched/base/str.h"

/* Above this number a double cannot represent every whole number. */
#define WHOLE_MAX 1e15

static enum config_form form_of(const struct knob *k)
{
	return (enum config_form)k->value.row->form;
}

/* --- the value in force ------------------------------------------------------------------------------- */

static bool is_limit(const struct snapshot *s, const struct limit *limit, uint32_t owner,
		     const struct config_limit *wanted)
{
	const char *second;

	if (limit->cred != owner || limit->scope != wanted->scope || limit->kind != wanted->kind ||
	    limit->second_type != wanted->second_type ||
	    (limit->second == INDEX_NONE) != (wanted->second_len == 0))
		return false;
	if (limit->second == INDEX_NONE)
		return true;
	second = snapshot_string(s, snapshot_creds(s)[limit->second].name);
	return strlen(second) == wanted->second_len &&
	       memcmp(second, wanted->second, wanted->second_len) == 0;
}

static const struct limit *find_limit(const struct snapshot *s, uint32_t owner,
				      const struct config_limit *wanted)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_LIMITS); i++)
		if (is_limit(s, &snapshot_limits(s)[i], owner, wanted))
			return &snapshot_limits(s)[i];
	return NULL;
}

/*
 * Returns the limit of an owner for the wanted second credential, or else for any second credential; NULL if
 * there is none.
 */
static const struct limit *find_own_limit(const struct snapshot *s, uint32_t owner,
					  const struct config_limit *wanted)
{
	const struct limit *found = find_limit(s, owner, wanted);
	struct config_limit each = *wanted;

	each.second_len = 0;
	return found ? found : find_limit(s, owner, &each);
}

/* Returns the limit of a credential, or else that of DEFAULT; NULL if there is none. */
static const struct limit *find_credential_limit(const struct snapshot *s, const struct knob *k,
						 const struct config_limit *wanted)
{
	const char *const name[] = {k->value.title, CRED_DEFAULT};
	const struct limit *found = NULL;

	for (int i = 0; i < 2 && !found; i++) {
		uint32_t owner = snapshot_find_cred(s, cred_type_find(k->value.row->scope), name[i]);

		if (owner != INDEX_NONE)
			found = find_own_limit(s, owner, wanted);
	}
	return found;
}

static void look_up_limit(struct knob *k, const struct snapshot *s)
{
	struct config_limit wanted;
	const struct limit *found;

	config_limit_read(k->value.row, k->value.second, k->value.second_len, "1", &wanted, NULL);
	found = *k->value.row->scope == '!' ? find_own_limit(s, INDEX_NONE, &wanted)
					    : find_credential_limit(s, k, &wanted);
	k->limit = found ? *found : (struct limit){.kind = (uint8_t)wanted.kind};
	k->is_set = found && found->soft != LIMIT_UNLIMITED;
	k->now = k->is_set ? (double)found->soft : 0;
}

static void look_up_attr(struct knob *k, const struct snapshot *s)
{
	enum cred_type type = cred_type_find(k->value.row->scope);
	uint32_t at = type == CRED_TYPE_COUNT ? INDEX_NONE : snapshot_find_cred(s, type, k->value.title);

	if (at != INDEX_NONE)
		k->attr = snapshot_creds(s)[at].attr;
}

static const struct prio_weights *weights_of(const struct snapshot *s, const char *partition)
{
	uint32_t at = snapshot_find_partition(s, partition);

	return at == 0 || at == INDEX_NONE ? &s->policy.weights : &snapshot_partitions(s)[at].weights;
}

static void look_up_field(struct knob *k, const struct snapshot *s)
{
	struct option_value value;
	struct str text = {0};

	config_print_value(k->value.row, &s->policy, weights_of(s, k->value.title), &k->attr, &text);
	k->is_set = text.len > 0 && option_read(k->value.row, str_text(&text), &value, NULL);
	if (k->is_set)
		k->now = k->value.row->type == OPTION_REAL ? value.number : (double)value.whole;
	str_free(&text);
}

static void look_up(struct knob *k, const struct snapshot *s)
{
	int64_t depth;

	look_up_attr(k, s);
	switch (form_of(k)) {
	case FORM_LIMIT:
		look_up_limit(k, s);
		break;
	case FORM_TARGET:
		k->is_set = k->attr.fs_mode != FS_NO_TARGET;
		k->now = k->is_set ? k->attr.fs_target : 0;
		if (!k->is_set)
			k->attr.fs_mode = FS_TARGET;
		break;
	case FORM_LEVEL_DEPTH:
		depth = s->policy.reservation_depth[config_level(k->value.title)];
		k->is_set = depth >= 0;
		k->now = k->is_set ? (double)depth : 0;
		break;
	default:
		look_up_field(k, s);
		break;
	}
}

/* --- finding ----------------------------------------------------------------------------------------- */

static bool is_number(const struct option *row)
{
	if (strcmp(row->scope, "node") == 0)
		return false;
	if (row->form != FORM_FIELD)
		return row->form == FORM_LIMIT || row->form == FORM_TARGET || row->form == FORM_LEVEL_DEPTH;
	return row->type == OPTION_REAL || row->type == OPTION_COUNT || row->type == OPTION_DURATION ||
	       row->type == OPTION_MEMORY;
}

static void find_bounds(struct knob *k)
{
	const struct option *row = k->value.row;
	bool open = row->min == 0 && row->max == 0;

	k->min = open ? 0 : fmax(row->min, -WHOLE_MAX);
	k->max = open ? WHOLE_MAX : fmin(row->max, WHOLE_MAX);
	if (open && row->type == OPTION_REAL)
		k->min = -WHOLE_MAX;
	if (form_of(k) == FORM_LIMIT)
		k->min = 1;
}

static bool may_have_a_fraction(const struct knob *k)
{
	return k->value.row->type == OPTION_REAL || form_of(k) == FORM_TARGET;
}

static int parts_of(const struct knob *k)
{
	bool between = k->min >= 0 && k->max <= 1, fraction = k->now != floor(k->now) && fabs(k->now) < 10;

	return may_have_a_fraction(k) && (between || fraction) ? KNOB_PARTS : 1;
}

bool knob_find(struct knob *out, const struct snapshot *s, const char *name, struct arena *arena,
	       struct err *err)
{
	char *own = arena_copy(arena, name, strlen(name) + 1), *title = arena_take(arena, CONFIG_TITLE);
	struct str printed = {0};
	struct option_value one = {.text = "1"};

	*out = (struct knob){.is_set = false};
	if (!config_resolve_name(own, &out->value, title, CONFIG_TITLE, err))
		return false;
	if (!is_number(out->value.row))
		return err_set(err,
			       "the value of %s is not a number; use a weight, a cap, a limit or another "
			       "option with a number",
			       name);
	out->value.value = one;
	config_print_name(&out->value, &printed);
	out->name = arena_string(arena, str_text(&printed));
	str_free(&printed);
	find_bounds(out);
	look_up(out, s);
	out->parts = parts_of(out);
	return true;
}

/* --- reading and writing ------------------------------------------------------------------------------ */

bool knob_read(const struct knob *k, const char *text, double *out, struct err *err)
{
	const struct option *row = k->value.row;
	struct option_value value;
	struct config_limit limit;
	uint8_t mode;

	if (!option_read(row, text, &value, err))
		return false;
	if (form_of(k) == FORM_TARGET)
		return config_target_read(text, out, &mode, err);
	if (form_of(k) == FORM_LIMIT) {
		if (!config_limit_read(row, k->value.second, k->value.second_len, text, &limit, err))
			return false;
		*out = (double)limit.soft;
		return true;
	}
	*out = row->type == OPTION_REAL ? value.number : (double)value.whole;
	return true;
}

static bool read_end(const struct knob *k, const char *text, double *out, struct err *err)
{
	return knob_read(k, text, out, err) &&
	       (fabs(*out) <= k->max ||
		err_set(err, "%s cannot be the end of a range: %s allows %.0f at most", text, k->name,
			k->max));
}

bool knob_read_ends(const struct knob *k, const char *lo_text, const char *hi_text, double *lo, double *hi,
		    struct err *err)
{
	return read_end(k, lo_text, lo, err) && read_end(k, hi_text, hi, err);
}

static void print_limit(const struct knob *k, double number, struct str *out)
{
	struct limit limit = k->limit;
	bool one = !k->is_set || limit.soft == limit.hard;

	limit.soft = (int64_t)number;
	if (one || limit.hard < limit.soft)
		limit.hard = limit.soft;
	config_print_limit(&limit, out);
}

void knob_print(const struct knob *k, double number, struct str *out)
{
	struct cred_attr attr = k->attr;

	attr.fs_target = number;
	if (form_of(k) == FORM_LIMIT)
		print_limit(k, number, out);
	else if (form_of(k) == FORM_TARGET)
		config_print_value(k->value.row, NULL, NULL, &attr, out);
	else if (k->value.row->type == OPTION_REAL)
		str_add_real(out, number);
	else
		str_addf(out, "%" PRId64, (int64_t)number);
}

struct event knob_event(const struct knob *k, double number, struct arena *arena)
{
	struct event ev = {.kind = EVENT_SETTING, .who = "whatif", .setting = {.name = k->name}};
	struct str text = {0};

	knob_print(k, number, &text);
	ev.setting.value = arena_string(arena, str_text(&text));
	str_free(&text);
	return ev;
}

/* --- ranges --------------------------------------------------------------------------------------------- */

#define FAR_TIMES 10
#define FAR_LEAST 1000

void knob_range(const struct knob *k, double *lo, double *hi)
{
	double far = fmax(FAR_TIMES * fabs(k->now), FAR_LEAST);

	*lo = knob_ceil(k, fmax(k->min, k->now < 0 ? -far : 0));
	*hi = knob_floor(k, fmin(k->max, fmax(far, k->min)));
}

double knob_ceil(const struct knob *k, double number)
{
	return ceil(number * k->parts) / k->parts;
}

double knob_floor(const struct knob *k, double number)
{
	return floor(number * k->parts) / k->parts;
}

/* --- weights of factors that are 0 -----------------------------------------------------------------------
 */

/*
 * Returns true if the factor stays 0 for this job until an event changes it. USAGE factors are 0 for idle
 * jobs.
 */
static bool stays_zero(const struct snapshot *s, const struct job *job, enum prio_factor f, double value)
{
	switch (policy_factor_info(f)->component) {
	case PRIO_CRED:
	case PRIO_RES:
	case PRIO_TARGET:
		return value == 0;
	case PRIO_FS:
		return s->policy.fs_policy == FS_NONE;
	case PRIO_USAGE:
		return job->state == JOB_IDLE;
	case PRIO_SERV:
	case PRIO_COMPONENT_COUNT:
		break;
	}
	return false;
}

static bool is_zero(const struct snapshot *s, const struct job *job, enum prio_factor f, int64_t now_s)
{
	double value[PRIO_FACTOR_COUNT];
	struct prio_creds creds = {.qt_weight = 0};
	struct prio_world world;

	snapshot_job_creds(s, job, &creds);
	snapshot_world(s, now_s, &world);
	priority_measure(job, &creds, &world, value);
	return stays_zero(s, job, f, value[f]);
}

static bool is_zero_for_all(const struct snapshot *s, enum prio_factor f, int64_t now_s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++)
		if (!is_zero(s, &snapshot_jobs(s)[snapshot_waiting(s)[i].slot], f, now_s))
			return false;
	return true;
}

/*
 * Returns true if something will change without an operator: a temporary change that will be undone, or a
 * running job that will be idle again or removed.
 */
static bool will_change(const struct snapshot *s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++)
		if (snapshot_is_for_a_while(&snapshot_changes(s)[i]))
			return true;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++)
		if (job_is_leaving(&snapshot_jobs(s)[snapshot_running(s)[i]]))
			return true;
	return false;
}

bool knob_is_weightless(const struct knob *k, const struct snapshot *s, int64_t now_s)
{
	struct config_weight weight = config_weight_of(k->value.row);

	/* While all ranks are equal, passes do not rank the queue. Setting any weight would change this. */
	return weight.kind == FACTOR_WEIGHT && !s->ranks_equal && !will_change(s) &&
	       is_zero_for_all(s, (enum prio_factor)weight.index, now_s);
}
