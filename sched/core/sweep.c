/* SPDX-License-Identifier: MIT */
/*
 * sweep.c - what happens when one setting goes through several values?
 *
 * All futures stand in one line-up, whose rows tell their totals once it is known which jobs start in all.
 */
#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draft.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

struct sweeping {
	struct sweep *out;
	const struct snapshot *s;
	const struct sweep_setup *setup;
	struct future future;
	struct lineup line;
	struct event *ev; /* the draft, and behind it the setting */
};

static uint32_t rank_of(const struct plan *plan, uint32_t slot)
{
	for (uint32_t i = 0; i < plan->queue.idle_count; i++)
		if (plan->queue.idle[i].slot == slot)
			return i + 1;
	return 0;
}

static void watch(const struct sweeping *w, struct sweep_point *point)
{
	const struct whatif_side *side = &w->future.side;
	uint32_t slot = w->setup->watch == 0 ? INDEX_NONE : snapshot_find_job(side->s, w->setup->watch);

	point->watch_s = slot == INDEX_NONE ? TIME_NEVER : side->start_s[slot];
	point->watch_rank = slot == INDEX_NONE ? 0 : rank_of(side->plan, slot);
}

/* The future with one value, as the next row. False: told to stop. */
static bool look(struct sweeping *w, struct sweep_point *point)
{
	struct state *st;
	bool finished;

	w->ev[w->setup->count].setting.value = point->value;
	st = draft_make(w->s, w->ev, w->setup->count + 1, NULL, &point->err);
	point->refused = !st;
	if (!st)
		return true;
	finished = future_build(&w->future, state_view(st), &w->setup->ahead);
	(void)lineup_add(&w->line, &w->future.side);
	watch(w, point);
	state_free(st);
	return finished;
}

static bool look_at_all(struct sweeping *w)
{
	bool finished = future_build(&w->future, w->s, &w->setup->ahead);

	lineup_begin(&w->line, &w->future.side);
	watch(w, &w->out->live);
	for (size_t i = 0; i < w->out->points && finished; i++)
		finished = look(w, &w->out->point[i]);
	return finished;
}

static void tell(struct sweeping *w)
{
	int64_t now_s = w->setup->ahead.now_s;
	size_t row = 0;

	w->out->jobs = w->line.common_jobs;
	lineup_totals(&w->line, 0, now_s, &w->out->live.totals);
	for (size_t i = 0; i < w->out->points; i++) {
		struct sweep_point *point = &w->out->point[i];

		if (point->refused)
			continue;
		lineup_totals(&w->line, ++row, now_s, &point->totals);
		point->change = lineup_compare(&w->line, 0, row);
	}
}

static void begin(struct sweeping *w)
{
	const struct sweep_setup *setup = w->setup;
	struct sweep *out = w->out;

	out->live = (struct sweep_point){.value = NULL};
	out->point = vec_room(out->point, &out->room, setup->values, sizeof *out->point);
	out->points = setup->values;
	for (size_t i = 0; i < setup->values; i++)
		out->point[i] = (struct sweep_point){.value = setup->value[i]};
	w->ev = mem_zero(setup->count + 1, sizeof *w->ev);
	for (size_t i = 0; i < setup->count; i++)
		w->ev[i] = setup->ev[i];
	w->ev[setup->count] =
		(struct event){.kind = EVENT_SETTING, .who = "whatif", .setting = {.name = setup->name}};
}

bool sweep_find(struct sweep *out, const struct snapshot *s, const struct sweep_setup *setup)
{
	struct sweeping w = {.out = out, .s = s, .setup = setup};
	bool finished;

	begin(&w);
	finished = look_at_all(&w);
	if (finished)
		tell(&w);
	future_clear(&w.future);
	lineup_clear(&w.line);
	free(w.ev);
	return finished;
}

void sweep_clear(struct sweep *w)
{
	free(w->point);
	*w = (struct sweep){.jobs = 0};
}

/* --- ranges ----------------------------------------------------------------------------------------- */

static double between(double lo, double hi, size_t i, size_t steps)
{
	double part = steps > 1 ? (double)i / (double)(steps - 1) : 0;

	if (i == 0 || i + 1 == steps)
		return i == 0 ? lo : hi;
	return lo > 0 && hi > SWEEP_WIDE * lo ? lo * pow(hi / lo, part) : lo + (hi - lo) * part;
}

size_t sweep_range(const struct knob *k, double lo, double hi, size_t steps, struct arena *arena,
		   const char *out[static SWEEP_VALUES])
{
	bool whole = lo == floor(lo) && hi == floor(hi) && hi - lo >= (double)steps - 1;
	struct str text = {0};
	size_t count = 0;

	for (size_t i = 0; i < steps && count < SWEEP_VALUES; i++) {
		double number = between(lo, hi, i, steps);

		str_clear(&text);
		knob_print(k, whole ? round(number) : number, &text);
		if (count == 0 || strcmp(out[count - 1], str_text(&text)) != 0)
			out[count++] = arena_string(arena, str_text(&text));
	}
	str_free(&text);
	return count;
}
