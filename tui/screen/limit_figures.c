/* SPDX-License-Identifier: MIT */
/*
 * limit_figures.c - where the numbers about a limit come from
 *
 * What is in use is added up again from the jobs that count; of many the largest are named and the
 * others stand together.
 */
#include "limit_figures.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/rm/wallclock.h"
#include "tui/report/limit_report.h"
#include "tui/report/settings.h"

#define NAMED_MOST 8 /* jobs in a sum */

/* --- what is in use --------------------------------------------------------------------------- */

/* One job that counts. */
struct counted {
	uint32_t slot;
	int64_t amount, procs;
};

struct counting {
	const struct forecast *f;
	const struct limit_row *row;
	struct counted *item;
	size_t count, room;
};

static void count_job(void *self, uint32_t slot, const struct job *job)
{
	struct counting *c = self;

	c->item = vec_room(c->item, &c->room, c->count + 1, sizeof *c->item);
	c->item[c->count++] =
		(struct counted){slot, limit_use_amount(c->f, c->row, slot, job, c->f->plan.now_s),
				 limit_use_procs(c->f, slot, job)};
}

static int by_amount(const void *a, const void *b)
{
	const struct counted *x = a, *y = b;

	if (x->amount != y->amount)
		return x->amount > y->amount ? -1 : 1;
	return (x->slot > y->slot) - (x->slot < y->slot);
}

/* "2 procs * 34948 s [899744]", of what is no time "8 [899744]". */
static uint32_t job_part(struct figures *out, const struct counting *c, const struct counted *job)
{
	bool is_product = c->row->kind == LIMIT_PS && job->procs > 0;
	char label[JOB_LABEL_TEXT];
	int64_t each_s = is_product ? job->amount / job->procs : 0;
	uint32_t part = is_product ? figure_number(out, NULL, (double)each_s, "s")
				   : figure_number(out, NULL, (double)job->amount, NULL);

	figure_remark(out, part, snapshot_job_label(c->f->s, &snapshot_jobs(c->f->s)[job->slot], label));
	if (!is_product)
		return part;
	return figure_join(out, FIGURE_TIMES, figure_number(out, NULL, (double)job->procs, "procs"), part);
}

static uint32_t others_part(struct figures *out, const struct counting *c)
{
	struct str remark = {0};
	int64_t sum = 0;
	uint32_t part;

	if (c->count <= NAMED_MOST)
		return FIGURE_NONE;
	for (size_t i = NAMED_MOST; i < c->count; i++)
		sum += c->item[i].amount;
	str_addf(&remark, "%zu others", c->count - NAMED_MOST);
	part = figure_remark(out, figure_number(out, NULL, (double)sum, NULL), str_text(&remark));
	str_free(&remark);
	return part;
}

/* The sum over the jobs that count, the largest by name. */
static uint32_t use_part(struct figures *out, const struct forecast *f, const struct limit_row *row)
{
	struct counting c = {.f = f, .row = row};
	uint32_t sum = FIGURE_NONE;

	limit_use_each(f, row, count_job, &c);
	if (c.count > 0)
		qsort(c.item, c.count, sizeof *c.item, by_amount);
	for (size_t i = 0; i < c.count && i < NAMED_MOST; i++)
		sum = figure_join(out, FIGURE_PLUS, sum, job_part(out, &c, &c.item[i]));
	sum = figure_join(out, FIGURE_PLUS, sum, others_part(out, &c));
	free(c.item);
	return sum == FIGURE_NONE ? figure_number(out, NULL, 0, NULL) : sum;
}

static void add_whole(struct figures *out, const char *title, int64_t value, uint32_t part)
{
	struct str shown = {0};

	str_addf(&shown, "%" PRId64, value);
	figure_add(out, title, str_text(&shown), part, (double)value, FIGURE_WHOLE);
	str_free(&shown);
}

static uint32_t whole(struct figures *out, const char *name, int64_t value)
{
	return figure_number(out, name, (double)value, NULL);
}

static void add_use(struct figures *out, const struct forecast *f, const struct limit_row *row)
{
	if (limit_row_is_per_job(row)) {
		add_whole(out, "IN USE", row->used, whole(out, NULL, row->used));
		figure_note(out, "what the largest job here asks for");
		return;
	}
	add_whole(out, "IN USE", row->used, use_part(out, f, row));
}

/* --- the limit itself --------------------------------------------------------------------------- */

static void add_value(struct figures *out, const char *title, int64_t value)
{
	if (value != LIMIT_UNLIMITED)
		add_whole(out, title, value, whole(out, NULL, value));
}

/* How specific the place is that sets it. */
enum place {
	OWN,      /* of this owner, and of this second credential where there is one */
	OWN_EACH, /* of this owner, for each second credential of the type           */
	GENERAL,  /* of DEFAULT, for this second credential                          */
	GENERAL_EACH,
	PLACES
};

/* Where it is set: for the owner, for each of its type, for a pair or for each pair. */
static enum place note_origin(struct figures *out, const struct snapshot *s, const struct limit_row *row)
{
	struct limit_row set = *row;
	struct str option = {0}, place = {0};
	bool is_found = false;
	uint64_t entry = 0;
	int i;

	for (i = 0; i < PLACES && !is_found; i++) {
		set.second = i % 2 == 0 ? row->second : INDEX_NONE;
		if (i == GENERAL && row->cred != INDEX_NONE)
			set.cred = snapshot_creds(s)[row->cred].type;
		str_clear(&option);
		str_clear(&place);
		limit_row_add_option(s, &set, &option);
		is_found = origin_find(s, str_text(&option), &place, &entry);
	}
	figure_note_origin(out, str_text(&option), str_text(&place), entry);
	str_free(&option);
	str_free(&place);
	return (enum place)(i - 1);
}

/* Has DEFAULT of the owner's type one of the same kind, which does not count beside the owner's? */
static bool hides_general(const struct snapshot *s, const struct limit_row *row)
{
	const struct limit *limit = snapshot_limits(s);

	for (uint32_t i = 0; row->cred != INDEX_NONE && i < snapshot_count(s, TABLE_LIMITS); i++)
		if (limit[i].cred == snapshot_creds(s)[row->cred].type && limit[i].kind == row->kind &&
		    limit[i].scope == row->scope && limit[i].second_type == row->second_type)
			return true;
	return false;
}

/* Why this one counts: the most specific one does. */
static void say_which(struct figures *out, const struct snapshot *s, const struct limit_row *row,
		      enum place place)
{
	const char *type = limit_row_owner_type(s, row), *name = limit_row_owner(s, row);
	struct str text = {0};

	if (limit_row_is_override(row)) {
		str_addf(&text, "It stands in for such limits of the other credentials of jobs of qos %s.",
			 name);
	} else if (place >= GENERAL && name) {
		str_addf(&text, "It is that of %s DEFAULT: %s %s has none of its own.", type, type, name);
	} else if (name && row->cred >= CRED_TYPE_COUNT && hides_general(s, row)) {
		str_addf(&text, "Its own: that of %s DEFAULT does not count for %s %s.", type, type, name);
	}
	if (place == OWN_EACH || place == GENERAL_EACH)
		str_addf(&text, "%sIt holds for each %s by itself.", text.len > 0 ? " " : "",
			 cred_type_name((enum cred_type)row->second_type));
	if (text.len > 0)
		figure_say(out, str_text(&text));
	str_free(&text);
}

/* --- beside it ------------------------------------------------------------------------------------ */

static void add_percent(struct figures *out, const struct limit_row *row)
{
	struct str shown = {0};

	if (row->soft == LIMIT_UNLIMITED)
		return;
	str_addf(&shown, "%.0f%%", limit_row_percent(row));
	figure_add_rounded(out, "OF SOFT", limit_row_percent(row), 0,
			   row->soft == 0 ? figure_number(out, NULL, limit_row_percent(row), NULL)
					  : figure_join(out, FIGURE_OVER,
							figure_join(out, FIGURE_TIMES,
								    figure_number(out, NULL, 100, NULL),
								    whole(out, NULL, row->used)),
							whole(out, NULL, row->soft)));
	figure_show(out, str_text(&shown));
	str_free(&shown);
}

static void add_left(struct figures *out, const struct limit_row *row)
{
	if (limit_row_is_per_job(row) || row->soft == LIMIT_UNLIMITED)
		return;
	add_whole(out, "LEFT", row->soft - row->used,
		  figure_join(out, FIGURE_MINUS, whole(out, "soft", row->soft), whole(out, NULL, row->used)));
}

/* How many wait at its soft value, how many at its hard one. */
static void add_held(struct figures *out, const struct forecast *f, const struct limit_row *row,
		     const char *title)
{
	const struct waiting *waiting = snapshot_waiting(f->s);
	int64_t soft = 0, hard = 0;

	for (uint32_t i = 0; i < snapshot_count(f->s, TABLE_WAITING); i++) {
		const struct reason *reason = &f->plan.reason[waiting[i].slot];

		if (!limit_row_holds(f->s, row, &snapshot_jobs(f->s)[waiting[i].slot], reason))
			continue;
		soft += !reason->hard;
		hard += reason->hard;
	}
	add_whole(out, title, row->holds_back,
		  soft > 0 && hard > 0
			  ? figure_join(out, FIGURE_PLUS, whole(out, "soft", soft), whole(out, "hard", hard))
			  : whole(out, NULL, soft + hard));
	figure_note(out, "jobs whose first failing check it is");
}

/* When less of it is in use. */
static void say_fall(struct figures *out, const struct forecast *f, const struct limit_row *row)
{
	struct limit_use use = limit_use_at(f, row, f->plan.now_s), then;
	char when[MOMENT_TEXT];
	struct str text = {0};

	if (limit_row_is_per_job(row) || use.running == 0 || use.next_end_s == TIME_NEVER)
		return;
	then = limit_use_at(f, row, use.next_end_s);
	if (limit_use_falls(row))
		str_addf(&text, "It falls %" PRId64 " a second; ",
			 row->kind == LIMIT_PS ? use.procs : (int64_t)use.running);
	str_addf(&text, "%s next of its jobs ends %s at the latest, and leaves %" PRId64 " in use.",
		 text.len > 0 ? "the" : "The", wallclock_short(when, use.next_end_s, f->plan.now_s),
		 then.amount);
	figure_say(out, str_text(&text));
	str_free(&text);
}

/* --- a row ------------------------------------------------------------------------------------------ */

void limit_figures(struct figures *out, const struct forecast *f, const struct limit_row *row)
{
	enum place place;

	add_use(out, f, row);
	add_value(out, "SOFT", row->soft);
	add_value(out, "HARD", row->hard);
	if (row->soft == LIMIT_UNLIMITED && row->hard == LIMIT_UNLIMITED)
		figure_say(out, "No limit is set.");
	place = note_origin(out, f->s, row);
	add_percent(out, row);
	add_left(out, row);
	say_fall(out, f, row);
	add_held(out, f, row, "HOLDS");
	say_which(out, f->s, row, place);
}

void limit_figures_draft(struct figures *out, const struct forecast *f, const struct limit_row *row,
			 const struct limit_row *before)
{
	add_use(out, f, row);
	if (before) {
		add_value(out, "SOFT", before->soft);
		add_value(out, "HARD", before->hard);
	} else {
		figure_say(out, "Without the draft there is no such limit.");
	}
	add_whole(out, "HOLDS", before ? before->holds_back : 0,
		  whole(out, NULL, before ? before->holds_back : 0));
	add_value(out, "SOFT AFTER", row->soft);
	add_value(out, "HARD AFTER", row->hard);
	add_held(out, f, row, "HOLDS AFTER");
	say_fall(out, f, row);
}
