/* SPDX-License-Identifier: MIT */
/*
 * rivals_line.c - how is it told on one line when two jobs change places?
 *
 * What is written first turns the order round with the least change, so that a narrow screen loses what
 * matters least.
 */
#include "rivals_line.h"

#include <inttypes.h>
#include <string.h>

#include "tui/draw/text.h"

/* A change of a weight by more than so many times its value is told only where there is no smaller one. */
#define FAR 100

/* --- pieces --------------------------------------------------------------------------------------------- */

/* Pieces with a sign between them, as long as they fit; of the rest, how many. */
struct fitting {
	struct str *out;
	int room;
	const char *between;
	size_t left_out;
	bool any;
};

/* counts: what is in the piece; behind: what there is besides. */
static void fit(struct fitting *f, const char *piece, size_t counts, size_t behind)
{
	int needed = text_width(piece) + (f->any ? text_width(f->between) : 0);
	int tail = behind == 0 ? 0 : (int)strlen(f->between) + (int)strlen("+9 more") + (behind > 9);

	if (f->left_out > 0 || text_width(str_text(f->out)) + needed + tail > f->room) {
		f->left_out += counts;
		return;
	}
	str_addf(f->out, "%s%s", f->any ? f->between : "", piece);
	f->any = true;
}

static void end_fitting(const struct fitting *f)
{
	if (f->left_out > 0)
		str_addf(f->out, "%s+%zu more", f->any ? f->between : "", f->left_out);
}

/* --- lines ---------------------------------------------------------------------------------------------- */

/* Is it found, and not much farther away than what is told besides? */
static bool is_told(const struct rival_weight *w, const struct crossing_flip *flip)
{
	return flip->found && (rival_distance(&w->found, flip->at) <= w->nearest ||
			       rival_distance(&w->found, flip->at) < FAR);
}

/* "< 143"; "-3..142" where it matters how far it holds. */
static void add_flip(const struct rival_weight *w, const struct crossing_flip *flip, int sign,
		     struct str *out)
{
	struct crossing_flip told = *flip;

	told.to_the_end = told.to_the_end || rival_distance(&w->found, flip->until) >= FAR;
	crossing_add_flip(&told, sign, out);
}

/* "xfactor < 143 or > 900 (fragile: -4.7%)" */
static void add_weight(const struct rival_weight *w, struct str *out)
{
	bool down = is_told(w, &w->found.down), up = is_told(w, &w->found.up);

	rival_add_weight_name(w->weight, out);
	str_add_char(out, ' ');
	if (!down && !up)
		str_add(out, w->found.up.hidden ? "not known" : "not near by");
	if (down)
		add_flip(w, &w->found.down, -1, out);
	if (down && up)
		str_add(out, " or ");
	if (up)
		add_flip(w, &w->found.up, 1, out);
	if (w->nearest <= RIVAL_FRAGILE)
		str_addf(out, " (fragile: %+.1f%%)", rival_change_percent(w));
}

static bool is_never(const struct rival_weight *w)
{
	return !w->found.down.found && !w->found.up.found && w->found.down.proven && w->found.up.proven;
}

static void add_weights(const struct rival *r, struct fitting *fitting)
{
	struct str piece = {0}, never = {0};
	size_t nevers = 0, told = 0;

	for (size_t i = 0; i < r->weights; i++)
		nevers += is_never(&r->weight[i]);
	for (size_t i = 0; i < r->weights; i++) {
		if (is_never(&r->weight[i])) {
			str_add(&never, never.len > 0 ? " " : "never by ");
			rival_add_weight_name(r->weight[i].weight, &never);
			continue;
		}
		str_clear(&piece);
		add_weight(&r->weight[i], &piece);
		fit(fitting, str_text(&piece), 1, r->weights - ++told);
	}
	if (nevers > 0)
		fit(fitting, str_text(&never), nevers, 0);
	if (r->weights == 0)
		fit(fitting, "never: no weight is in use", 1, 0);
	str_free(&piece);
	str_free(&never);
}

/* Whom ties leave where he is. */
static const char *tie_break(const struct rival *r, enum rival_side side)
{
	if (r->pair.a.job->submit_s != r->pair.b.job->submit_s)
		return side == RIVAL_BELOW ? "which came later" : "which came first";
	return side == RIVAL_BELOW ? "whose id is higher" : "whose id is lower";
}

/* "Tied with 1223, which came first; passes if: " */
static void add_lead(const struct rivals *r, enum rival_side side, struct str *out)
{
	static const char *const verb[][2] = {{"Swaps with", "swaps"}, {"Passes", "passes"}};
	const struct rival *rival = &r->at[side];
	const struct snapshot *s = r->f->s;
	uint32_t partition = rival->pair.a.job->partition;
	char buf[JOB_LABEL_TEXT];
	const char *label = snapshot_job_label(s, rival->pair.b.job, buf);

	if (rival->tied)
		str_addf(out, "Tied with %s, %s; %s if", label, tie_break(rival, side), verb[side][1]);
	else
		str_addf(out, "%s %s if", verb[side][0], label);
	if (partition != 0)
		str_addf(out, " of partition %s", snapshot_string(s, snapshot_partitions(s)[partition].name));
	str_add(out, ": ");
}

enum role rivals_line(const struct rivals *r, enum rival_side side, int width, struct str *out)
{
	const struct rival *rival = &r->at[side];
	struct fitting fitting = {.out = out, .room = width, .between = " | "};

	if (!rival->exists) {
		str_add(out, side == RIVAL_BELOW ? "Nobody below competes with it." : "It is already first.");
		return ROLE_DIM;
	}
	add_lead(r, side, out);
	add_weights(rival, &fitting);
	end_fitting(&fitting);
	return rival->tied || rival_is_fragile(rival) ? ROLE_WARNING : ROLE_TEXT;
}

/* --- an hour -------------------------------------------------------------------------------------------- */

static bool is_ahead_later(const struct rivals *r, enum rival_side side)
{
	int64_t other = r->later_rank[side];

	return r->later.rank != other ? r->later.rank > other : side == RIVAL_BELOW;
}

static void add_later_place(const struct rivals *r, struct str *out)
{
	char buf[JOB_LABEL_TEXT];
	enum rival_side side = RIVAL_ABOVE;

	if (r->at[RIVAL_BELOW].exists && !is_ahead_later(r, RIVAL_BELOW)) {
		str_addf(out, "; by then %s has passed it",
			 snapshot_job_label(r->f->s, r->at[RIVAL_BELOW].pair.b.job, buf));
		return;
	}
	if (!r->at[side].exists) {
		str_add(out, "; already first");
		return;
	}
	str_addf(out, is_ahead_later(r, side) ? "; by then it has passed %s" : "; still behind %s",
		 snapshot_job_label(r->f->s, r->at[side].pair.b.job, buf));
}

void rivals_hour_line(const struct rivals *r, int width, struct str *out)
{
	struct fitting fitting = {.out = out, .between = ", "};
	struct str piece = {0}, place = {0};
	struct rival_gains g;
	size_t gains = 0, told = 0;

	rivals_gains(r, &g);
	add_later_place(r, &place);
	str_addf(out, "In 1 h: %" PRId64 " -> %" PRId64 " (", r->now.rank, r->later.rank);
	fitting.room = width - text_width(str_text(&place)) - 1;
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		gains += rival_gain(&g, f) != 0;
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		if (rival_gain(&g, f) == 0)
			continue;
		str_clear(&piece);
		str_addf(&piece, "%s %+" PRId64, policy_factor_info(f)->keyword, rival_gain(&g, f));
		fit(&fitting, str_text(&piece), 1, gains - ++told);
	}
	if (gains == 0)
		str_add(out, "waiting gives nothing");
	end_fitting(&fitting);
	str_addf(out, ")%s", str_text(&place));
	str_free(&piece);
	str_free(&place);
}
