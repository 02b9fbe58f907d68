/* SPDX-License-Identifier: MIT */
/*
 * cheapest.c - no single change is cheaper than the first of the remedies
 *
 * X2. Idle jobs in small random clusters must start now or by a given time. The grid contains every single
 * change that remedies.h lists as a candidate, with the values that a numeric option can have, and is
 * searched completely: no change that starts the job costs less. Changes that remedies.h excludes are never
 * offered.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sched/forecast/remedies.h"
#include "sched/policy/knob.h"
#include "tests/many.h"
#include "tests/stuck.h"

#define SMALL 10 /* the most idle jobs, and the most running jobs */

struct grid {
	const struct scene *sc;
	uint64_t job;
	int64_t by_s;
	struct projection before, after;
	struct remedies found;
	unsigned asked, tried, effective;
	char text[32]; /* the number being tried */
};

static bool is_cheaper(const struct remedy *a, const struct remedy *b)
{
	if ((a->ev.kind == EVENT_CANCEL) != (b->ev.kind == EVENT_CANCEL))
		return b->ev.kind == EVENT_CANCEL;
	if (a->forever != b->forever)
		return a->forever < b->forever;
	if (a->delayed != b->delayed)
		return a->delayed < b->delayed;
	return a->delay_sum_s < b->delay_sum_s;
}

static void add_cost(const struct grid *g, struct remedy *c)
{
	const struct snapshot *s = scene_view(g->sc);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
		uint64_t other = snapshot_jobs(s)[snapshot_waiting(s)[i].slot].id;
		int64_t was_s = stuck_start_s(&g->before, s, other),
			is_s = stuck_start_s(&g->after, s, other);

		if (other == g->job || is_s <= was_s)
			continue;
		c->delayed++;
		c->forever += is_s == TIME_NEVER;
		c->delay_sum_s += is_s == TIME_NEVER ? 0 : is_s - was_s;
	}
}

/* Fails if a change that starts the job costs less than the first remedy found. */
static void judge(struct grid *g, struct remedy *c)
{
	const struct remedy *first = g->found.change;
	struct str its = {0}, words = {0};

	add_cost(g, c);
	g->effective++;
	if (g->found.count > 0 && g->found.by_s == g->by_s && !is_cheaper(c, first))
		return;
	event_describe(&c->ev, NULL, &its);
	if (g->found.count > 0)
		event_describe(&first->ev, NULL, &words);
	fail_msg("\"%s\" is cheaper for job %llu than \"%s\", in %lld s", str_text(&its),
		 (unsigned long long)g->job, str_text(&words), (long long)(g->by_s - g->sc->now_s));
}

/* True if the change starts the job in time; if `judged`, its cost is then compared with the first remedy. */
static bool try_event(struct grid *g, struct event ev, bool judged)
{
	const struct snapshot *s = scene_view(g->sc);
	struct state *st = state_from_snapshot(s);
	struct project_setup setup = {.from_s = g->sc->now_s, .until_s = g->by_s};
	struct remedy c = {.ev = ev};
	bool does = false;

	ev.time_s = g->sc->now_s;
	ev.who = "grid";
	if (event_apply(st, &ev, NULL)) {
		g->tried++;
		project_run(&g->after, state_view(st), &setup);
		does = stuck_start_s(&g->after, s, g->job) <= g->by_s;
	}
	if (does && judged) {
		setup.until_s = TIME_NEVER;
		project_run(&g->after, state_view(st), &setup);
		judge(g, &c);
	}
	state_free(st);
	return does;
}

static void try_on_grid(struct grid *g, struct event ev)
{
	try_event(g, ev, true);
}

/* Tries the smallest number of the range that starts the job: steps of one at first, then longer ones, then a
 * binary search between the last number that does not start it and the first that does. */
static void number_on_grid(struct grid *g, struct event (*make)(void *self, double number), void *self,
			   double from, double to)
{
	double fails = from, does = from;

	while (does <= to && !try_event(g, make(self, does), false)) {
		fails = does;
		does += 1 + floor((does - from) / 60);
	}
	while (does <= to && does - fails > 1) {
		double middle = floor((fails + does) / 2);

		if (try_event(g, make(self, middle), false))
			does = middle;
		else
			fails = middle;
	}
	if (does <= to)
		try_event(g, make(self, does), true);
}

static void hold_on_grid(struct grid *g, uint64_t job, uint8_t bits, bool on)
{
	struct event ev = {.kind = EVENT_HOLD, .job = job};

	ev.hold.bits = bits;
	ev.hold.on = on;
	try_on_grid(g, ev);
}

static void modify_on_grid(struct grid *g, const char *name, const char *value)
{
	struct event ev = {.kind = EVENT_MODIFY, .job = g->job};

	ev.modify.name = name;
	ev.modify.value = value;
	try_on_grid(g, ev);
}

static void set_on_grid(struct grid *g, const char *name, const char *value)
{
	struct event ev = {.kind = EVENT_SETTING};

	ev.setting.name = name;
	ev.setting.value = value;
	try_on_grid(g, ev);
}

/* --- other jobs --------------------------------------------------------------------------------------- */

static void grid_of_others(struct grid *g)
{
	const struct snapshot *s = scene_view(g->sc);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
		uint64_t other = snapshot_jobs(s)[snapshot_waiting(s)[i].slot].id;

		if (other == g->job)
			continue;
		hold_on_grid(g, other, JOB_HOLD_SYSTEM, true);
		try_on_grid(g, (struct event){.kind = EVENT_CANCEL, .job = other});
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++)
		try_on_grid(g, (struct event){.kind = EVENT_CANCEL,
					      .job = snapshot_jobs(s)[snapshot_running(s)[i]].id});
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_ADVANCES); i++) {
		struct event ev = {.kind = EVENT_UNRESERVE};

		ev.reserve.name = snapshot_string(s, snapshot_advances(s)[i].name);
		try_on_grid(g, ev);
	}
}

/* --- the job itself ----------------------------------------------------------------------------------- */

static void amount_on_grid(struct grid *g, const char *name, int64_t from, int64_t to)
{
	int64_t step = from - to > 400 ? 7 : 1;
	char text[32];

	for (int64_t amount = to; amount < from; amount += step) {
		snprintf(text, sizeof text, "%lld", (long long)amount);
		modify_on_grid(g, name, text);
	}
}

struct points {
	uint64_t job;
	enum job_adjust adjust;
};

static struct event with_points(void *self, double number)
{
	const struct points *p = self;
	struct event ev = {.kind = EVENT_PRIORITY, .job = p->job};

	ev.priority.adjust = (uint8_t)p->adjust;
	ev.priority.points = (int64_t)number;
	return ev;
}

/* More relative points than the job has; and an absolute priority if the job has one already, or if no number
 * of relative points is enough. */
static void points_on_grid(struct grid *g)
{
	const struct job *job = scene_job_of(g->sc, g->job);
	struct points p = {.job = g->job, .adjust = JOB_ADJUST_RELATIVE};

	if (job->adjust != JOB_ADJUST_ABSOLUTE)
		number_on_grid(g, with_points, &p, 1 + (job->adjust ? (double)job->points : 0), 1e9);
	p.adjust = JOB_ADJUST_ABSOLUTE;
	if (job->adjust == JOB_ADJUST_ABSOLUTE ||
	    !try_event(g,
		       (struct event){.kind = EVENT_PRIORITY,
				      .job = g->job,
				      .priority = {JOB_ADJUST_RELATIVE, 1000000000}},
		       false))
		number_on_grid(g, with_points, &p,
			       job->adjust == JOB_ADJUST_ABSOLUTE ? 1 + (double)job->points : 0, 1e9);
}

static struct event with_throttle(void *self, double number)
{
	struct grid *g = self;
	struct event ev = {.kind = EVENT_MODIFY, .job = g->job};

	snprintf(g->text, sizeof g->text, "%.0f", number);
	ev.modify.name = "throttle";
	ev.modify.value = g->text;
	return ev;
}

static void places_on_grid(struct grid *g)
{
	const struct snapshot *s = scene_view(g->sc);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS); i++) {
		const struct cred *cred = &snapshot_creds(s)[i];
		const char *name = snapshot_string(s, cred->name);

		if (cred->type == CRED_QOS && strcmp(name, CRED_DEFAULT) != 0 && strcmp(name, CRED_NONE) != 0)
			modify_on_grid(g, "qos", name);
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_PARTITIONS); i++)
		modify_on_grid(g, "partition", snapshot_string(s, snapshot_partitions(s)[i].name));
}

static void grid_of_job(struct grid *g)
{
	static const char *const without[][2] = {{"starttime", "none"}, {"depend", ""},      {"nodes", "0"},
						 {"tpn", "0"},          {"gres", ""},        {"features", ""},
						 {"hosts", ""},         {"access", "shared"}};
	const struct job *job = scene_job_of(g->sc, g->job);
	struct event ev = {.kind = EVENT_DEFER, .job = g->job};

	if (job->holds != 0)
		hold_on_grid(g, g->job, job->holds, false);
	ev.defer.until_s = TIME_NONE;
	try_on_grid(g, ev);
	for (size_t i = 0; i < sizeof without / sizeof without[0]; i++)
		modify_on_grid(g, without[i][0], without[i][1]);
	amount_on_grid(g, "walltime", job->wall_limit_s, 60);
	amount_on_grid(g, "mem", job->mem_mb, 1);
	if (job->array_limit > 0)
		number_on_grid(g, with_throttle, g, job->array_limit + 1, 20);
	points_on_grid(g);
	places_on_grid(g);
}

/* --- limits and rules --------------------------------------------------------------------------------- */

struct raised {
	struct knob knob;
	struct arena arena;
};

static struct event with_number(void *self, double number)
{
	struct raised *r = self;

	return knob_event(&r->knob, number, &r->arena);
}

/* Raises a limit or cap that is set. For some options 0 means no limit. */
static void raise_on_grid(struct grid *g, const char *name)
{
	struct raised r = {.arena = {0}};

	if (knob_find(&r.knob, scene_view(g->sc), name, &r.arena, NULL) && r.knob.is_set && r.knob.now > 0)
		number_on_grid(g, with_number, &r, r.knob.now + 1, 1e9);
	arena_free(&r.arena);
}

/* The limits that apply to the job: those of its credentials and of the system. */
static void grid_of_limits(struct grid *g)
{
	const struct snapshot *s = scene_view(g->sc);
	const struct job *job = scene_job_of(g->sc, g->job);
	char name[128];

	for (size_t i = 0; i < config_row_count; i++) {
		const struct option *row = &config_rows[i];
		enum cred_type type = cred_type_find(row->scope);
		const char *owner = type == CRED_TYPE_COUNT ? NULL : snapshot_job_cred(s, job, type);

		if (row->form != FORM_LIMIT && row->form != FORM_TARGET)
			continue;
		if (owner != NULL)
			snprintf(name, sizeof name, "%s[%s].%s", row->scope, owner, row->name);
		else
			snprintf(name, sizeof name, "system.%s", row->name);
		if (owner != NULL || *row->scope == '!')
			raise_on_grid(g, name);
	}
	raise_on_grid(g, "systemmaxjobwalltime");
}

static void grid_of_rules(struct grid *g)
{
	struct event resume = {.kind = EVENT_HALT};

	set_on_grid(g, "backfillpolicy", "firstfit");
	set_on_grid(g, "reservationpolicy", "never");
	set_on_grid(g, "rejectnegpriojobs", "false");
	set_on_grid(g, "hardpass", "resources");
	try_on_grid(g, resume);
}

/* --- changes that are not offered-------------------------------------------------------------------------
 */

/* True if remedies.h lists the setting as a candidate. Limits are only raised. */
static bool is_known_setting(struct grid *g, const struct event *ev)
{
	static const char *const rule[] = {"backfillpolicy = firstfit", "reservationpolicy = never",
					   "rejectnegpriojobs = false", "hardpass = resources"};
	struct arena arena = {0};
	char text[128];
	struct knob knob;
	double number = 0;
	bool known;

	/* A cap that would have to be 100 percent or more is removed instead. */
	if (strstr(ev->setting.name, "].fstarget") != NULL && strcmp(ev->setting.value, "none") == 0)
		return true;
	snprintf(text, sizeof text, "%s = %s", ev->setting.name, ev->setting.value);
	for (size_t i = 0; i < sizeof rule / sizeof rule[0]; i++)
		if (strcmp(text, rule[i]) == 0)
			return true;
	known = knob_find(&knob, scene_view(g->sc), ev->setting.name, &arena, NULL) &&
		knob_read(&knob, ev->setting.value, &number, NULL) &&
		(knob.value.row->form == FORM_LIMIT || knob.value.row->form == FORM_TARGET ||
		 strncmp(ev->setting.name, "systemmax", 9) == 0 ||
		 strstr(ev->setting.name, ".max.") != NULL) &&
		number >= knob.now;
	arena_free(&arena);
	return known || strstr(text, ".drained = false") != NULL;
}

/* True if remedies.h lists the change as a candidate. Other jobs are only held or cancelled. */
static bool is_known(struct grid *g, const struct event *ev)
{
	switch (ev->kind) {
	case EVENT_SETTING:
		return is_known_setting(g, ev);
	case EVENT_HOLD:
		return ev->hold.on == (ev->job != g->job);
	case EVENT_CANCEL:
		return ev->job != g->job;
	case EVENT_UNRESERVE:
	case EVENT_HALT:
		return ev->job == 0;
	default:
		return ev->job == g->job &&
		       (ev->kind == EVENT_MODIFY || ev->kind == EVENT_PRIORITY || ev->kind == EVENT_DEFER);
	}
}

static void check_offers(struct grid *g)
{
	for (size_t i = 0; i < g->found.count; i++)
		if (!is_known(g, &g->found.change[i].ev)) {
			struct str words = {0};

			event_describe(&g->found.change[i].ev, NULL, &words);
			fail_msg("\"%s\" is offered for job %llu", str_text(&words),
				 (unsigned long long)g->job);
		}
}

/* --- the test ----------------------------------------------------------------------------------------- */

static bool is_small(const struct scene *sc)
{
	return snapshot_count(scene_view(sc), TABLE_WAITING) <= SMALL &&
	       snapshot_count(scene_view(sc), TABLE_RUNNING) <= SMALL;
}

/* Compares the remedies found for the job with the whole grid. */
static void compare(struct grid *g, struct rng *rng)
{
	const struct snapshot *s = scene_view(g->sc);
	struct project_setup ahead = {.from_s = g->sc->now_s, .until_s = TIME_NEVER};
	struct remedies_setup setup = {.now_s = g->sc->now_s, .by_s = g->sc->now_s};

	if (chance_below(rng, 2))
		setup.by_s += chance_below(rng, 400);
	g->by_s = setup.by_s;
	remedies_find(&g->found, s, snapshot_find_job(s, g->job), &setup);
	check_offers(g);
	if (g->found.start_s <= g->by_s)
		return;
	project_run(&g->before, s, &ahead);
	grid_of_others(g);
	grid_of_job(g);
	grid_of_limits(g);
	grid_of_rules(g);
	g->asked++;
}

static void no_change_on_the_grid_is_cheaper(void **state)
{
	struct rng rng = seeded("cheapest");
	struct grid g = {.tried = 0};

	(void)state;
	for (unsigned i = 0; i < many(40); i++) {
		struct scene *sc = stuck_scene(&rng, 4, 3);

		g.sc = sc;
		g.job = chance_waiting(&rng, sc);
		if (g.job != 0 && is_small(sc))
			compare(&g, &rng);
		scene_free(sc);
	}
	print_message(
		"# %u jobs, %u changes: %u of them start one in time, none costs less than what is found\n",
		g.asked, g.tried, g.effective);
	assert_true(g.effective > 0);
	remedies_clear(&g.found);
	project_clear(&g.before);
	project_clear(&g.after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(no_change_on_the_grid_is_cheaper)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
