/* SPDX-License-Identifier: MIT */
/*
 * sweep.c - the effect of several values of one option
 *
 * All futures are rows of one comparison. Totals are taken after the last future, when it is known which jobs
 * start in all of them.
 */
#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/state/draft.h"

struct sweeping {
	struct sweep *out;
	const struct snapshot *s;
	const struct sweep_setup *setup;
	struct future future;
	struct comparison line;
	uint32_t *rank;       /* by slot: position among the idle jobs of the live state */
	uint32_t *rank_after; /* by slot: position among the idle jobs of the current future; 0 = not idle */
	size_t rank_room, rank_after_room;
};

static uint32_t *ranks(uint32_t *rank, size_t *room, const struct plan *plan)
{
	rank = vec_room(rank, room, plan->slots, sizeof *rank);
	for (uint32_t slot = 0; slot < plan->slots; slot++)
		rank[slot] = 0;
	for (uint32_t i = 0; i < plan->queue.idle_count; i++)
		rank[plan->queue.idle[i].slot] = i + 1;
	return rank;
}

/* Returns the number of jobs in both futures whose position among the idle jobs differs. */
static uint32_t count_reordered(const struct sweeping *w)
{
	struct job_lookup lookup = {.s = w->future.side.s};
	uint32_t count = 0;

	for (uint32_t i = 0; i < w->line.jobs; i++) {
		uint32_t before = w->line.slot[i];
		uint32_t slot = job_lookup(&lookup, snapshot_jobs(w->s)[before].id, before);

		count += slot != INDEX_NONE && w->rank[before] != w->rank_after[slot];
	}
	free(lookup.by_id);
	return count;
}

static void watch(struct sweeping *w, struct sweep_point *point)
{
	const struct whatif_side *side = &w->future.side;
	uint32_t slot = w->setup->watch == 0 ? INDEX_NONE : snapshot_find_job(side->s, w->setup->watch);

	w->rank_after = ranks(w->rank_after, &w->rank_after_room, side->plan);
	point->reordered = count_reordered(w);
	point->watch_s = slot == INDEX_NONE ? TIME_NEVER : side->start_s[slot];
	point->watch_rank = slot == INDEX_NONE ? 0 : w->rank_after[slot];
}

static void tell_progress(const struct sweeping *w, size_t futures)
{
	if (w->setup->looked)
		w->setup->looked(w->setup->ahead.self, futures);
}

/* Adds the future with one value on top of the draft as the next row. Returns false if stopped. */
static bool look(struct sweeping *w, const struct snapshot *draft, struct sweep_point *point)
{
	const struct event ev = {.kind = EVENT_SETTING,
				 .who = "whatif",
				 .setting = {.name = w->setup->name, .value = point->value}};
	struct state *st = draft_make(draft, &ev, 1, NULL, &point->err);
	bool finished;

	point->refused = !st;
	if (!st)
		return true;
	finished = future_build(&w->future, state_view(st), &w->setup->ahead);
	(void)comparison_add(&w->line, &w->future.side);
	watch(w, point);
	state_free(st);
	return finished;
}

/*
 * Adds the futures of all values. If the draft is refused, every value counts as refused. Returns false if
 * stopped.
 */
static bool look_at_values(struct sweeping *w)
{
	struct err err = {.text = ""};
	struct state *draft = draft_make(w->s, w->setup->ev, w->setup->count, NULL, &err);
	bool finished = true;

	for (size_t i = 0; i < w->out->points && finished; i++) {
		struct sweep_point *point = &w->out->point[i];

		tell_progress(w, i + 1);
		point->refused = !draft;
		point->err = err;
		finished = !draft || look(w, state_view(draft), point);
	}
	state_free(draft);
	return finished;
}

static bool look_at_all(struct sweeping *w)
{
	bool finished = future_build(&w->future, w->s, &w->setup->ahead);

	comparison_begin(&w->line, &w->future.side);
	w->rank = ranks(w->rank, &w->rank_room, w->future.side.plan);
	watch(w, &w->out->live);
	return finished && look_at_values(w);
}

static void tell(struct sweeping *w)
{
	int64_t now_s = w->setup->ahead.now_s;
	size_t row = 0;

	w->out->jobs = w->line.common_jobs;
	comparison_totals(&w->line, 0, now_s, &w->out->live.totals);
	for (size_t i = 0; i < w->out->points; i++) {
		struct sweep_point *point = &w->out->point[i];

		if (point->refused)
			continue;
		comparison_totals(&w->line, ++row, now_s, &point->totals);
		point->change = comparison_changes(&w->line, 0, row);
	}
}

static void begin(const struct sweeping *w)
{
	const struct sweep_setup *setup = w->setup;
	struct sweep *out = w->out;

	out->live = (struct sweep_point){.value = NULL};
	out->point = vec_room(out->point, &out->room, setup->values, sizeof *out->point);
	out->points = setup->values;
	for (size_t i = 0; i < setup->values; i++)
		out->point[i] = (struct sweep_point){.value = setup->value[i]};
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
	comparison_clear(&w.line);
	free(w.rank);
	free(w.rank_after);
	return finished;
}

void sweep_clear(struct sweep *w)
{
	free(w->point);
	*w = (struct sweep){.jobs = 0};
}

size_t sweep_best(const struct sweep *w)
{
	double least = w->live.totals.wait_s;
	size_t best = INDEX_NONE;

	for (size_t i = 0; i < w->points; i++) {
		if (w->point[i].refused || w->point[i].totals.wait_s >= least)
			continue;
		least = w->point[i].totals.wait_s;
		best = i;
	}
	return best;
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
