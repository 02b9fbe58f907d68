/* SPDX-License-Identifier: MIT */
/*
 * draft_query.c - sweeps and goals on a draft
 */
#include "draft_query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/forecast/explain.h"
#include "sched/forecast/solve.h"
#include "sched/pass/crossover.h"
#include "tui/report/job_text.h"
#include "tui/report/limit_report.h"

/* --- values of a sweep, as typed ---------------------------------------------------------------------- */

#define STEPS 11

#define OFFER_MOST 10 /* upper end of the offered sweep of an option that is 0 */

static bool read_count(const char *text, size_t *count, struct err *err)
{
	char *end = NULL;
	unsigned long number = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end != '\0' || number < 2 || number > SWEEP_VALUES)
		return err_set(err, "%s is not a valid number of values; it must be from 2 to %d", text,
			       SWEEP_VALUES);
	*count = number;
	return true;
}

/* Parses LO..HI or LO..HI/STEPS, and sets the values of the sweep. Modifies lo and hi. */
static bool read_range(struct sweep_spec *w, const struct snapshot *s, char *lo, char *hi,
		       struct arena *arena, struct err *err)
{
	char *slash = strchr(hi, '/');
	size_t count = STEPS;
	double from, to;
	struct knob knob;

	if (slash) {
		*slash = '\0';
		if (!read_count(slash + 1, &count, err))
			return false;
	}
	if (!knob_find(&knob, s, w->name, arena, err) || !knob_read_ends(&knob, lo, hi, &from, &to, err))
		return false;
	if (from > to)
		return err_set(err, "%s is more than %s; write the smaller value first", lo, hi);
	w->values = sweep_range(&knob, from, to, count, arena, w->value);
	return true;
}

static bool read_list(struct sweep_spec *w, char *words, struct err *err)
{
	for (char *at = words; at; w->values++) {
		char *bar = strchr(at, '|');

		if (w->values == SWEEP_VALUES)
			return err_set(err, "a sweep can have at most %d values", SWEEP_VALUES);
		if (bar)
			*bar = '\0';
		w->value[w->values] = at;
		at = bar ? bar + 1 : NULL;
	}
	return true;
}

bool sweep_spec_read(struct sweep_spec *out, const struct snapshot *s, const char *words, struct arena *arena,
		     struct err *err)
{
	char *own = arena_copy(arena, words, strlen(words) + 1), *sign = strchr(own, '='), *dots;

	*out = (struct sweep_spec){.name = own};
	if (!sign || sign[1] == '\0')
		return err_set(err, "%s: no values given; write NAME=LO..HI, NAME=LO..HI/STEPS or NAME=A|B|C",
			       words);
	*sign = '\0';
	dots = strstr(sign + 1, "..");
	if (!dots)
		return read_list(out, sign + 1, err);
	*dots = '\0';
	return read_range(out, s, sign + 1, dots + 2, arena, err);
}

void sweep_spec_offer(const struct snapshot *s, const char *name, struct str *out)
{
	struct arena arena = {0};
	struct knob knob;
	double far;

	if (knob_find(&knob, s, name, &arena, NULL)) {
		far = knob.now == 0 ? OFFER_MOST : 2 * knob.now;
		str_addf(out, "%s=%.10g..%.10g", knob.name, fmax(fmin(far, 0), knob.min),
			 fmin(fmax(far, 0), knob.max));
	}
	arena_free(&arena);
}

/* --- smallest change of one weight or limit that starts a job in time --------------------------------- */

struct search {
	struct goal *out;
	const struct goal_setup *setup;
	uint32_t slot;
	const char **name; /* names of the options to try */
	size_t names, room;
	struct solve_known known;
};

static const struct job *job_of(const struct search *s)
{
	return &snapshot_jobs(s->setup->s)[s->slot];
}

/* --- options to try ----------------------------------------------------------------------- */

static void add_name(struct search *s, const char *name)
{
	for (size_t i = 0; i < s->names; i++)
		if (strcmp(s->name[i], name) == 0)
			return;
	s->name = vec_room(s->name, &s->room, s->names + 1, sizeof *s->name);
	s->name[s->names++] = arena_string(&s->out->arena, name);
}

/* Does the weight contribute points to priorities, or would it if it were not 0? */
static bool could_count(const struct prio_weights *weights, struct config_weight weight)
{
	if (weight.kind == FACTOR_WEIGHT)
		return weights->component[policy_factor_info(weight.index)->component] != 0;
	return crossover_in_use(weights, weight);
}

static void add_weights(struct search *s)
{
	const struct crossover_pair pair = {.s = s->setup->s, .a = {.job = job_of(s)}};
	const struct prio_weights *weights = snapshot_job_weights(s->setup->s, job_of(s));
	struct str name = {0};

	for (unsigned i = 0; i < PRIO_COMPONENT_COUNT + PRIO_FACTOR_COUNT; i++) {
		struct config_weight weight = {i < PRIO_COMPONENT_COUNT ? COMPONENT_WEIGHT : FACTOR_WEIGHT,
					       i < PRIO_COMPONENT_COUNT ? i : i - PRIO_COMPONENT_COUNT};

		if (!could_count(weights, weight))
			continue;
		str_clear(&name);
		crossover_name(&pair, weight, &name);
		add_name(s, str_text(&name));
	}
	str_free(&name);
}

static bool has_cred(const struct job *job, uint32_t cred)
{
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		if (job->cred[type] == cred)
			return true;
	return cred == INDEX_NONE;
}

static void add_limits(struct search *s)
{
	struct limit_list list = {.s = NULL};
	struct str name = {0};

	limit_list_build(&list, s->setup->s, s->setup->plan);
	for (size_t i = 0; i < list.count; i++) {
		if (!has_cred(job_of(s), list.row[i].cred) || !has_cred(job_of(s), list.row[i].second))
			continue;
		str_clear(&name);
		limit_row_add_option(s->setup->s, &list.row[i], &name);
		add_name(s, str_text(&name));
	}
	str_free(&name);
	limit_list_free(&list);
}

static void add_caps(struct search *s)
{
	const struct cred *creds = snapshot_creds(s->setup->s);
	struct str name = {0};

	for (int type = 0; type < CRED_TYPE_COUNT; type++) {
		uint32_t at = job_of(s)->cred[type];

		if (at == INDEX_NONE ||
		    (creds[at].attr.fs_mode != FS_CAP_ABSOLUTE && creds[at].attr.fs_mode != FS_CAP_RELATIVE))
			continue;
		str_clear(&name);
		str_addf(&name, "%s[%s].fstarget", cred_type_name((enum cred_type)type),
			 snapshot_string(s->setup->s, creds[at].name));
		add_name(s, str_text(&name));
	}
	str_free(&name);
}

/* --- one option ----------------------------------------------------------------------------- */

static const char *print(struct search *s, const struct knob *knob, double number)
{
	struct str text = {0};
	const char *own;

	knob_print(knob, number, &text);
	own = arena_string(&s->out->arena, str_text(&text));
	str_free(&text);
	return own;
}

static void keep_way(struct search *s, const struct knob *knob, const struct solve *found)
{
	struct goal *out = s->out;
	double change = fabs(found->value - knob->now);

	out->way = vec_room(out->way, &out->room, out->count + 1, sizeof *out->way);
	out->way[out->count++] = (struct goal_way){
		.name = arena_string(&out->arena, knob->name),
		.is_set = knob->is_set,
		.now = knob->now,
		.number = found->value,
		.value = print(s, knob, found->value),
		.relative = knob->now == 0 ? (double)INFINITY : change / fabs(knob->now),
		.start_s = found->start_s,
		/* without the job itself */
		.earlier = found->effect.earlier > 0 ? found->effect.earlier - 1 : 0,
		.later = found->effect.later,
		.most_delay_s = found->effect.most_delay_s,
		.most_delayed = found->effect.most_delayed,
	};
}

static void keep_holds(struct search *s, const struct solve *found)
{
	const struct snapshot *with = state_view(found->with);

	str_clear(&s->out->holds);
	job_text_predicate(with, &snapshot_jobs(with)[s->slot], &found->holds, s->setup->now_s,
			   &s->out->holds);
}

static bool should_continue(void *self);

/*
 * Searches for a value of one option that starts the job in time, and keeps the result. Options that are not
 * numeric, or that cannot be set while the scheduler runs, are skipped.
 */
static enum solve_outcome look_at(struct search *s, const char *name, struct solve *found)
{
	const struct goal_setup *setup = s->setup;
	struct arena arena = {0};
	struct knob knob;
	struct solve_setup ask = {.knob = &knob,
				  .job = setup->job,
				  .now_s = setup->now_s,
				  .by_s = setup->by_s,
				  .assume = setup->assume,
				  .accuracy = setup->accuracy,
				  .known = &s->known,
				  .nearest_only = true,
				  .should_continue = setup->should_continue,
				  .self = setup->self};
	enum solve_outcome outcome = SOLVE_NONE;

	if (knob_find(&knob, setup->s, name, &arena, NULL)) {
		knob_range(&knob, &ask.lo, &ask.hi);
		if (solve_find(found, setup->s, &ask, NULL)) {
			s->out->tried++;
			s->out->start_s = found->start_without_s;
			outcome = found->outcome;
		}
	}
	if (outcome == SOLVE_FOUND)
		keep_way(s, &knob, found);
	else if (outcome == SOLVE_NONE && found->with)
		keep_holds(s, found);
	arena_free(&arena);
	return outcome;
}

/* --- all options ------------------------------------------------------------------------------ */

static int by_size(const void *a, const void *b)
{
	const struct goal_way *x = a, *y = b;

	if (x->relative != y->relative)
		return x->relative < y->relative ? -1 : 1;
	if (x->later != y->later)
		return x->later < y->later ? -1 : 1;
	if (x->most_delay_s != y->most_delay_s)
		return x->most_delay_s < y->most_delay_s ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void looked(void *self, size_t done, size_t of);

static bool look_at_all(struct search *s)
{
	const struct goal_setup *setup = s->setup;
	enum solve_outcome outcome = SOLVE_NONE;
	struct solve found = {.tried = 0};

	for (size_t i = 0; i < s->names && outcome != SOLVE_STOPPED && outcome != SOLVE_NEEDLESS; i++) {
		outcome = look_at(s, s->name[i], &found);
		if (setup->looked)
			setup->looked(setup->self, i + 1, s->names);
	}
	solve_clear(&found);
	s->out->needless = outcome == SOLVE_NEEDLESS;
	return outcome != SOLVE_STOPPED;
}

bool goal_find(struct goal *out, const struct goal_setup *setup, struct err *err)
{
	struct search s = {.out = out, .setup = setup, .slot = snapshot_find_job(setup->s, setup->job)};
	bool whole;

	out->count = out->tried = 0;
	out->start_s = TIME_NEVER;
	out->needless = false;
	str_clear(&out->holds);
	arena_reset(&out->arena);
	if (s.slot == INDEX_NONE || job_of(&s)->state != JOB_IDLE)
		return err_set(err, "the job is not idle");
	add_weights(&s);
	add_limits(&s);
	add_caps(&s);
	whole = look_at_all(&s);
	if (whole && out->count > 1)
		qsort(out->way, out->count, sizeof *out->way, by_size);
	free(s.name);
	solve_known_clear(&s.known);
	return whole || err_set(err, "the search was stopped");
}

void goal_clear(struct goal *g)
{
	free(g->way);
	str_free(&g->holds);
	arena_free(&g->arena);
	*g = (struct goal){.count = 0};
}

/* --- sweeps and goals on a draft ---------------------------------------------------------------------- */

/* --- allocation --------------------------------------------------------------------------- */

static void run(struct query *self)
{
	(void)draft_query_build((struct draft_query *)self);
}

static void drop(struct query *self)
{
	draft_query_free((struct draft_query *)self);
}

static const struct query_ops draft_query_ops = {
	.kind = QUERY_DRAFT, .lane = LANE_ASKED, .run = run, .drop = drop};

static struct draft_query *query_new(enum draft_query_kind kind, struct plan_query *o,
				     struct run_assumption *run_assumption, uint64_t job)
{
	struct draft_query *t = mem_zero(1, sizeof *t);

	t->query.ops = &draft_query_ops;
	t->kind = kind;
	t->query.plan_query = plan_query_hold(o);
	t->run_assumption = run_assumption ? run_assumption_hold(run_assumption) : NULL;
	t->job = job;
	return t;
}

struct draft_query *draft_query_sweep(struct plan_query *o, struct run_assumption *run_assumption,
				      uint64_t watch, const char *words, struct err *err)
{
	struct draft_query *t = query_new(DRAFT_QUERY_SWEEP, o, run_assumption, watch);

	if (sweep_spec_read(&t->asked, o->live.s, words, &t->arena, err))
		return t;
	draft_query_free(t);
	return NULL;
}

struct draft_query *draft_query_goal(struct plan_query *o, struct run_assumption *run_assumption,
				     uint64_t job, int64_t by_s)
{
	struct draft_query *t = query_new(DRAFT_QUERY_GOAL, o, run_assumption, job);

	t->by_s = by_s;
	return t;
}

void draft_query_free(struct draft_query *t)
{
	if (!t)
		return;
	plan_query_drop(t->query.plan_query);
	run_assumption_drop(t->run_assumption);
	sweep_clear(&t->sweep);
	goal_clear(&t->goal);
	arena_free(&t->arena);
	free(t);
}

/* --- evaluation ----------------------------------------------------------------------------- */

static bool should_continue(void *self)
{
	return !query_is_unwanted(&((struct draft_query *)self)->query);
}

static bool should_continue_ahead(void *self, uint32_t started)
{
	(void)started;
	return should_continue(self);
}

static void looked(void *self, size_t done, size_t of)
{
	struct draft_query *t = self;

	atomic_store_explicit(&t->of, of, memory_order_relaxed);
	atomic_store_explicit(&t->done, done, memory_order_relaxed);
}

static void looked_at_future(void *self, size_t futures)
{
	looked(self, futures, ((struct draft_query *)self)->asked.values + 1);
}

/* Was any value of the sweep accepted? If not, err is set to the reason why the first was refused. */
static bool any_was_taken(struct draft_query *t)
{
	for (size_t i = 0; i < t->sweep.points; i++)
		if (!t->sweep.point[i].refused)
			return true;
	t->err = t->sweep.point[0].err;
	return false;
}

static bool build_sweep(struct draft_query *t)
{
	const struct plan_query *o = t->query.plan_query;
	const struct cmd_changes *changes = o->proposal ? &o->proposal->changes : NULL;
	struct sweep_setup setup = {.ev = changes ? changes->event : NULL,
				    .count = changes ? changes->count : 0,
				    .name = t->asked.name,
				    .value = t->asked.value,
				    .values = t->asked.values,
				    .watch = t->job,
				    .looked = looked_at_future};

	setup.ahead = (struct future_setup){
		.now_s = o->now_s, .full = true, .should_continue = should_continue_ahead, .self = t};
	if (t->run_assumption) {
		setup.ahead.assume = t->run_assumption->kind;
		setup.ahead.accuracy = &t->run_assumption->accuracy;
	}
	return sweep_find(&t->sweep, o->live.s, &setup) && any_was_taken(t);
}

const struct forecast *draft_query_base(const struct draft_query *t)
{
	return t->query.plan_query->draft.s ? &t->query.plan_query->draft : &t->query.plan_query->live;
}

static bool build_goal(struct draft_query *t)
{
	const struct forecast *base = draft_query_base(t);
	struct goal_setup setup = {.s = base->s,
				   .plan = &base->plan,
				   .job = t->job,
				   .now_s = t->query.plan_query->now_s,
				   .by_s = t->by_s,
				   .looked = looked,
				   .should_continue = should_continue,
				   .self = t};

	if (t->run_assumption) {
		setup.assume = t->run_assumption->kind;
		setup.accuracy = &t->run_assumption->accuracy;
	}
	return goal_find(&t->goal, &setup, &t->err);
}

bool draft_query_build(struct draft_query *t)
{
	bool good = t->kind == DRAFT_QUERY_SWEEP ? build_sweep(t) : build_goal(t);

	t->query.whole = !query_is_unwanted(&t->query);
	return good && t->query.whole;
}
