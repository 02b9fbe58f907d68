/* SPDX-License-Identifier: MIT */
/*
 * ablate.c - the effect of each edit of a draft (ablation)
 *
 * A subset of the edits is a bit set, and its future is a row of the comparison. With few edits all subsets
 * are projected, and the number of a row is its bit set; with many edits, only the subsets with one edit and
 * those with all edits but one are projected, and the whole draft.
 *
 * The Shapley value of edit i is the sum, over all subsets S without i, of |S|! (n - |S| - 1)! / n! times
 * what i adds to S. Gains are whole seconds, and the factors multiplied by n! are whole numbers, so the sum
 * is exact up to the single division at its end.
 */
#include "ablate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/state/draft.h"

struct ablation {
	struct ablate *out;
	const struct snapshot *s;
	const struct event *ev;
	size_t count;
	const struct future_setup *setup;
	struct future future; /* future with the current subset */
	struct comparison line;
	bool *skip;
};

/* --- futures --------------------------------------------------------------------------------------- */

/*
 * Adds, as the next row, the future with the edits that are not skipped. Returns false if the projection was
 * stopped.
 */
static bool look(struct ablation *a)
{
	struct state *st = draft_make_willing(a->s, a->ev, a->count, a->skip);
	bool finished = future_build(&a->future, state_view(st), a->setup);

	(void)comparison_add(&a->line, &a->future.side);
	state_free(st);
	return finished;
}

/* Projects all subsets of the edits: row r is the subset with bit set r. Returns false if stopped. */
static bool look_at_all(struct ablation *a)
{
	bool finished = true;

	for (size_t set = 1; set < (size_t)1 << a->count && finished; set++) {
		for (size_t i = 0; i < a->count; i++)
			a->skip[i] = (set >> i & 1) == 0;
		finished = look(a);
	}
	return finished;
}

/*
 * Projects edit i alone as row 1 + i, the draft without edit i as row 1 + count + i, and the whole draft as
 * the last row. Returns false if stopped.
 */
static bool look_at_each(struct ablation *a)
{
	bool finished = true;

	for (size_t row = 0; row < 2 * a->count && finished; row++) {
		bool without = row >= a->count;

		for (size_t i = 0; i < a->count; i++)
			a->skip[i] = (i == row % a->count) == without;
		finished = look(a);
	}
	for (size_t i = 0; i < a->count; i++)
		a->skip[i] = false;
	return finished && look(a);
}

/* --- shares ------------------------------------------------------------------------------------------ */

static int64_t factorial(size_t n)
{
	return n < 2 ? 1 : (int64_t)n * factorial(n - 1);
}

static size_t bits_of(size_t set)
{
	size_t bits = 0;

	for (; set != 0; set &= set - 1)
		bits++;
	return bits;
}

/* Returns the mean of a sum over the compared jobs; 0 if there are none. */
static double mean_of(const struct ablation *a, double sum_s)
{
	return a->line.common_jobs > 0 ? sum_s / a->line.common_jobs : 0;
}

static double shapley(const struct ablation *a, size_t i, const int64_t *gain_s)
{
	int64_t sum = 0;

	for (size_t set = 0; set < (size_t)1 << a->count; set++) {
		size_t size = bits_of(set);

		if ((set >> i & 1) == 0)
			sum += factorial(size) * factorial(a->count - size - 1) *
			       (gain_s[set | (size_t)1 << i] - gain_s[set]);
	}
	return mean_of(a, (double)sum / (double)factorial(a->count));
}

static void judge_exactly(struct ablation *a)
{
	size_t all = ((size_t)1 << a->count) - 1;
	int64_t gain_s[(size_t)1 << ABLATE_EXACT] = {0};

	for (size_t set = 0; set <= all; set++)
		gain_s[set] = comparison_changes(&a->line, 0, set).gain_s;
	for (size_t i = 0; i < a->count; i++)
		a->out->edit[i] = (struct ablate_edit){
			.alone = comparison_changes(&a->line, 0, (size_t)1 << i),
			.last = comparison_changes(&a->line, all & ~((size_t)1 << i), all),
			.share_s = shapley(a, i, gain_s),
		};
	a->out->whole = comparison_changes(&a->line, 0, all);
}

static void judge_each(struct ablation *a)
{
	size_t whole = a->line.rows - 1;

	for (size_t i = 0; i < a->count; i++) {
		struct start_changes last = comparison_changes(&a->line, 1 + a->count + i, whole);

		a->out->edit[i] = (struct ablate_edit){
			.alone = comparison_changes(&a->line, 0, 1 + i),
			.last = last,
			.share_s = mean_of(a, (double)last.gain_s),
		};
	}
	a->out->whole = comparison_changes(&a->line, 0, whole);
}

static void judge(struct ablation *a)
{
	struct ablate *out = a->out;

	out->edit = vec_room(out->edit, &out->room, a->count, sizeof *out->edit);
	out->count = a->count;
	if (out->exact)
		judge_exactly(a);
	else
		judge_each(a);
	out->jobs = a->line.common_jobs;
	out->gain_s = mean_of(a, (double)out->whole.gain_s);
	out->remainder_s = 0;
	if (out->exact)
		return;
	out->remainder_s = out->gain_s;
	for (size_t i = 0; i < a->count; i++)
		out->remainder_s -= out->edit[i].share_s;
}

/* --- the ablation ------------------------------------------------------------------------------------ */

bool ablate_find(struct ablate *out, const struct snapshot *s, const struct whatif_side *live,
		 const struct event *ev, size_t count, const struct future_setup *setup, struct err *err)
{
	struct ablation a = {.out = out, .s = s, .ev = ev, .count = count, .setup = setup};
	struct state *whole = draft_make(s, ev, count, NULL, err);
	bool finished;

	if (!whole)
		return false;
	state_free(whole);
	a.skip = mem_zero(count + 1, sizeof *a.skip);
	comparison_begin(&a.line, live);
	out->count = 0;
	out->exact = count <= ABLATE_EXACT;
	finished = out->exact ? look_at_all(&a) : look_at_each(&a);
	if (finished)
		judge(&a);
	else
		err_set(err, "the search was stopped before it finished");
	future_clear(&a.future);
	comparison_clear(&a.line);
	free(a.skip);
	return finished;
}

void ablate_clear(struct ablate *a)
{
	free(a->edit);
	*a = (struct ablate){.edit = NULL};
}

/* --- in words ----------------------------------------------------------------------------------------- */

static void print_job(const struct snapshot *s, uint64_t id, struct str *out)
{
	uint32_t slot = snapshot_find_job(s, id);
	char label[JOB_LABEL_TEXT];

	if (slot != INDEX_NONE)
		str_add(out, snapshot_job_label(s, &snapshot_jobs(s)[slot], label));
}

static bool changes_nothing(const struct ablate_edit *e)
{
	return e->alone.changed == 0 && e->last.changed == 0;
}

/*
 * Returns true if the shares can be printed as percentages of the gain. If edits work against each other, a
 * share exceeds the gain or has the opposite sign.
 */
static bool shares_are_parts(const struct ablate *a)
{
	for (size_t i = 0; i < a->count; i++)
		if (a->edit[i].share_s * a->gain_s < 0 || fabs(a->edit[i].share_s) > fabs(a->gain_s))
			return false;
	return a->whole.gain_s != 0;
}

/* Appends the share of an edit as a duration: "saves 0:04:01". */
static void print_time(const struct ablate_edit *e, struct str *out)
{
	char text[DURATION_TEXT];

	str_addf(out, "%s %s", e->share_s > 0 ? "saves" : "costs",
		 duration_text(text, llround(fabs(e->share_s))));
}

static void print_edit(const struct ablate *a, const struct ablate_edit *e, const struct snapshot *s,
		       bool parts, struct str *out)
{
	const char *what = a->whole.gain_s > 0 ? "gain" : "loss";

	if (changes_nothing(e))
		str_add(out, "changes no start");
	else if (a->whole.gain_s != 0 && e->alone.gain_s == a->whole.gain_s)
		str_addf(out, "alone causes the whole %s", what);
	else if (e->last.changed == 1 && e->alone.changed <= 1) {
		str_add(out, "changes only ");
		print_job(s, e->last.only, out);
	} else if (e->last.changed == 0)
		str_add(out, "adds nothing to the others");
	else if (parts && e->share_s != 0)
		str_addf(out, "gives %.0f%% of the %s", 100 * e->share_s / a->gain_s, what);
	else if (fabs(e->share_s) >= 0.5)
		print_time(e, out);
	else
		str_addf(out, "changes %" PRIu32 " starts", e->last.changed);
}

void ablate_print(const struct ablate *a, const struct snapshot *s, struct str *out)
{
	bool parts = shares_are_parts(a);

	if (!parts && a->count > 0)
		str_add(out, "mean wait: ");
	for (size_t i = 0; i < a->count; i++) {
		str_addf(out, "%sedit %zu ", i == 0 ? "" : "; ", i + 1);
		print_edit(a, &a->edit[i], s, parts, out);
	}
	if (fabs(a->remainder_s) >= 1)
		str_addf(out, "; together the edits save %.0f s of mean wait that no single edit saves",
			 a->remainder_s);
}
