/* SPDX-License-Identifier: MIT */
/*
 * limit_page.c - details of one limit: usage, forecast and blocked jobs
 *
 * The forecast of the usage, and the time at which a blocked job fits, assume that running jobs run to their
 * wallclock limits and that no other jobs start.
 */
#include "limit_page.h"

#include <inttypes.h>
#include <stdlib.h>

#include "page.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/policy/throttle.h"
#include "sched/rm/wallclock.h"
#include "tui/query/headroom.h"
#include "tui/report/report.h"
#include "tui/report/settings.h"

#define JOBS_SHOWN 6 /* maximum number of jobs listed that count against the limit */

#define HELD_SHOWN 12 /* maximum number of blocked jobs listed */

#define MOMENTS 4 /* maximum number of times in the forecast, before the time at which a blocked job fits */

#define HOUR_S 3600

static void put(struct page *p, enum role role, int width, const struct str *text)
{
	page_wrap(p, role, 1, width - 2, str_text(text));
}

static void add_label(const struct forecast *f, uint32_t slot, struct str *out)
{
	char label[JOB_LABEL_TEXT];

	str_add(out, snapshot_job_label(f->s, &snapshot_jobs(f->s)[slot], label));
}

/* --- jobs that count ---------------------------------------------------------------------------------- */

struct listing {
	const struct forecast *f;
	const struct limit_row *row;
	uint32_t listed;
	struct str *out;
};

/*
 * Appends a job with the amount that it uses: "899744 2 procs x 34948 s = 69896". For a limit on the number
 * of jobs, appends only the label.
 */
static void list_job(void *self, uint32_t slot, const struct job *job)
{
	struct listing *list = self;
	int64_t procs = limit_use_procs(list->f, slot, job);
	int64_t amount = limit_use_amount(list->f, list->row, slot, job, list->f->plan.now_s);

	if (list->listed++ >= JOBS_SHOWN)
		return;
	str_add(list->out, list->listed > 1 ? ", " : "");
	add_label(list->f, slot, list->out);
	if (list->row->kind == LIMIT_PS && procs > 0)
		str_addf(list->out, " %" PRId64 " procs x %" PRId64 " s =", procs, amount / procs);
	if (list->row->kind != LIMIT_JOB)
		str_addf(list->out, " %" PRId64, amount);
}

static void add_jobs(const struct forecast *f, const struct limit_row *row, struct str *out)
{
	struct listing list = {.f = f, .row = row, .out = out};

	limit_use_each(f, row, list_job, &list);
	if (list.listed > JOBS_SHOWN)
		str_addf(out, " +%" PRIu32 " more", list.listed - JOBS_SHOWN);
}

/* --- blocked jobs ------------------------------------------------------------------------------------- */

struct held {
	uint32_t count, at_hard;
	uint32_t
		first; /* slot of the blocked job that fits first; INDEX_NONE = no job fits at a known time */
	struct str list; /* owned */
};

static struct held find_held(const struct forecast *f, const struct limit_row *row)
{
	const struct waiting *waiting = snapshot_waiting(f->s);
	struct held held = {.first = INDEX_NONE};

	for (uint32_t i = 0; row->holds_back > 0 && i < snapshot_count(f->s, TABLE_WAITING); i++) {
		uint32_t slot = waiting[i].slot;
		const struct reason *reason = &f->plan.reason[slot];

		if (!limit_row_holds(f->s, row, &snapshot_jobs(f->s)[slot], reason))
			continue;
		if (held.count++ < HELD_SHOWN) {
			str_add_char(&held.list, ' ');
			add_label(f, slot, &held.list);
		}
		held.at_hard += reason->hard;
		if (reason->until_s != TIME_NEVER &&
		    (held.first == INDEX_NONE || reason->until_s < f->plan.reason[held.first].until_s))
			held.first = slot;
	}
	return held;
}

static void put_held(struct page *p, const struct limit_row *row, const struct held *held, int width)
{
	struct str text = {0};

	if (held->count == 0) {
		str_add(&text, "blocks no job");
	} else {
		str_add(&text, "blocks ");
		report_count(&text, held->count, "job", "jobs");
		if (row->soft != row->hard)
			str_addf(&text, " (%" PRIu32 " at the soft limit, %" PRIu32 " at the hard limit)",
				 held->count - held->at_hard, held->at_hard);
		str_addf(&text, ":%s", str_text(&held->list));
		if (held->count > HELD_SHOWN)
			str_addf(&text, " +%" PRIu32 " more", held->count - HELD_SHOWN);
	}
	put(p, held->count > 0 ? ROLE_REASON : ROLE_DIM, width, &text);
	str_free(&text);
}

/* --- projected usage ---------------------------------------------------------------------------------- */

/*
 * Returns the next time of the forecast: the next full hour if the usage decreases continuously, otherwise
 * the next end of a job.
 */
static int64_t next_moment_s(const struct limit_row *row, const struct limit_use *sum)
{
	if (limit_use_falls(row))
		return (sum->at_s / HOUR_S + 1) * HOUR_S;
	return sum->next_end_s;
}

static void add_moment(const struct forecast *f, const struct limit_use *sum, struct str *out)
{
	char when[MOMENT_TEXT];

	str_addf(out, "   %s %" PRId64, wallclock_short(when, sum->at_s, f->plan.now_s), sum->amount);
}

static void put_forecast(struct page *p, const struct forecast *f, const struct limit_row *row,
			 const struct held *held, int width)
{
	struct limit_use sum = limit_use_at(f, row, f->plan.now_s);
	int64_t room_s = held->first == INDEX_NONE ? TIME_NEVER : f->plan.reason[held->first].until_s;
	struct str text = {0};

	if (sum.running == 0)
		return;
	str_add(&text, "forecast");
	add_moment(f, &sum, &text);
	for (int i = 1; i < MOMENTS && sum.amount > 0; i++) {
		int64_t at_s = next_moment_s(row, &sum);

		if (at_s == TIME_NEVER || at_s >= room_s)
			break;
		sum = limit_use_at(f, row, at_s);
		add_moment(f, &sum, &text);
	}
	if (room_s != TIME_NEVER) {
		sum = limit_use_at(f, row, room_s);
		add_moment(f, &sum, &text);
		str_add(&text, ": room for ");
		add_label(f, held->first, &text);
		str_addf(&text, " (%" PRId64 ")", f->plan.reason[held->first].asked);
	}
	put(p, ROLE_FORMULA, width, &text);
	str_free(&text);
}

static void put_use(struct page *p, const struct forecast *f, const struct limit_row *row, int width)
{
	struct limit_use sum = limit_use_at(f, row, f->plan.now_s);
	struct str text = {0};

	if (sum.jobs == 0) {
		str_add(&text, "no job counts against this limit now");
	} else {
		report_count(&text, sum.jobs, "job", "jobs");
		str_add(&text, ": ");
		add_jobs(f, row, &text);
	}
	if (sum.running > 0 && row->kind == LIMIT_PS)
		str_addf(&text, "; decreases by %" PRId64 " per second", sum.procs);
	else if (sum.running > 0 && row->kind == LIMIT_WC)
		str_addf(&text, "; decreases by %" PRIu32 " per second", sum.running);
	put(p, ROLE_TEXT, width, &text);
	str_free(&text);
}

/* --- other values of the limit ------------------------------------------------------------------------ */

/*
 * Appends the outcome of a value of the limit that lets only some of the blocked jobs start: "2 of 5 by
 * 19:44:39".
 */
static void add_some(const struct headroom *h, const struct headroom_point *point, struct str *out)
{
	char when[MOMENT_TEXT];

	if (point->started == 0)
		str_add(out, "no job starts");
	else if (point->at_once == point->started)
		str_addf(out, "%" PRIu32 " of %" PRIu32 " now", point->started, h->held);
	else
		str_addf(out, "%" PRIu32 " of %" PRIu32 " by %s", point->started, h->held,
			 wallclock_short(when, point->last_s, h->query.plan_query->now_s));
}

/*
 * Appends the outcome of a value of the limit, that is, when the blocked jobs start with it: "1 now, all by
 * 01:54:48".
 */
static void add_outcome(const struct headroom *h, const struct headroom_point *point, struct str *out)
{
	int64_t now_s = h->query.plan_query->now_s;
	char when[MOMENT_TEXT];

	if (point->refused) {
		str_add(out, "cannot be set");
	} else if (point->started < h->held) {
		add_some(h, point, out);
	} else if (point->at_once == h->held) {
		str_add(out, h->held == 1 ? "now" : "all now");
	} else {
		if (point->at_once > 0)
			str_addf(out, "%" PRIu32 " now", point->at_once);
		else
			str_addf(out, "%s%s", h->held == 1 ? "" : "first ",
				 wallclock_short(when, point->first_s, now_s));
		if (h->held > 1)
			str_addf(out, ", all by %s", wallclock_short(when, point->last_s, now_s));
	}
}

static bool same_outcome(const struct headroom_point *a, const struct headroom_point *b)
{
	return a->refused == b->refused && a->at_once == b->at_once && a->started == b->started &&
	       a->first_s == b->first_s && a->last_s == b->last_s;
}

/*
 * Appends the outcome of each value, that is, when the blocked jobs start with it: "with this limit: first
 * 19:44:39, all by ... | with 76000: ...". Adjacent values with the same outcome are joined.
 */
static void add_points(const struct headroom *h, struct str *out)
{
	const char *before = "";

	for (size_t i = 0; i < h->points; i++) {
		const struct headroom_point *point = &h->point[i];

		str_addf(out, "%s%s", before, i > 0 ? point->value : "this limit");
		before = " or ";
		if (i > 0 && i + 1 < h->points && same_outcome(point, point + 1))
			continue;
		str_add(out, ": ");
		if (i > 0 && same_outcome(point, &h->point[0]))
			str_add(out, "the same");
		else
			add_outcome(h, point, out);
		before = " | with ";
	}
}

static void put_tries(struct page *p, const struct limit_row *row, const struct headroom *h, int width)
{
	struct str text = {0};

	if (!headroom_is_asked(row))
		return;
	str_add(&text, "with ");
	if (h)
		add_points(h, &text);
	else
		str_add(&text, "other limits: trying values ...");
	put(p, ROLE_FORMULA, width, &text);
	str_free(&text);
}

/* --- overrides ---------------------------------------------------------------------------------------- */

/*
 * Returns the scope of the QOS limits that override the limit of the row; the scope of the row itself if no
 * QOS limit can override it (requirement T-22).
 */
static uint8_t overriding_scope(const struct snapshot *s, const struct limit_row *row)
{
	bool can_be = row->kind != LIMIT_JOB && row->cred != INDEX_NONE &&
		      snapshot_creds(s)[row->cred].type != CRED_QOS;

	if (can_be && row->scope == LIMIT_ACTIVE)
		return LIMIT_OVERRIDE_ACTIVE;
	return can_be && row->scope == LIMIT_IDLE ? LIMIT_OVERRIDE_IDLE : row->scope;
}

/* Does a QOS, or QOS DEFAULT, have a limit that overrides the limit of the row for jobs of this QOS? */
static bool is_overridden(const struct snapshot *s, const struct limit_row *row, uint32_t qos)
{
	const struct limit *limit = snapshot_limits(s);
	uint8_t scope = overriding_scope(s, row);

	for (uint32_t i = 0; scope != row->scope && i < snapshot_count(s, TABLE_LIMITS); i++)
		if (limit[i].kind == row->kind && limit[i].scope == scope &&
		    (limit[i].cred == qos || limit[i].cred == (uint32_t)CRED_QOS))
			return true;
	return false;
}

struct exempt {
	const struct forecast *f;
	const struct limit_row *row;
	uint32_t jobs;
};

static void add_exempt(void *self, uint32_t slot, const struct job *job)
{
	struct exempt *exempt = self;

	(void)slot;
	exempt->jobs += is_overridden(exempt->f->s, exempt->row, job->cred[CRED_QOS]);
}

/*
 * Adds the number of jobs that count against the limit but are not subject to it, because a limit of their
 * QOS overrides it (requirement T-21).
 */
static void put_exempt(struct page *p, const struct forecast *f, const struct limit_row *row, int width)
{
	struct exempt exempt = {.f = f, .row = row};
	struct str text = {0};

	limit_use_each(f, row, add_exempt, &exempt);
	if (exempt.jobs == 0)
		return;
	report_count(&text, exempt.jobs, "of them is", "of them are");
	str_addf(&text, " subject to O%s of the QOS instead of this limit",
		 limit_name((enum limit_scope)row->scope, (enum limit_kind)row->kind));
	put(p, ROLE_TEXT, width, &text);
	str_free(&text);
}

/* --- one limit ---------------------------------------------------------------------------------------- */

/*
 * Appends the usage in the format of the limit's value: as a duration for a limit on wallclock time,
 * otherwise as a number.
 */
static void add_used(const struct limit_row *row, struct str *out)
{
	char text[DURATION_TEXT];

	if (row->kind == LIMIT_WC)
		str_add(out, duration_text(text, row->used));
	else
		str_addf(out, "%" PRId64, row->used);
}

static void put_title(struct page *p, const struct forecast *f, const struct limit_row *row, int width)
{
	struct str text = {0};

	limit_row_add_option(f->s, row, &text);
	str_add(&text, " = ");
	limit_row_add_value(row, &text);
	str_add(&text, limit_row_is_per_job(row) ? ", per job; the largest request is " : ": ");
	add_used(row, &text);
	if (!limit_row_is_per_job(row))
		str_add(&text, " in use");
	if (!limit_row_is_per_job(row) && row->soft != LIMIT_UNLIMITED)
		str_addf(&text, ", %.0f%% of the soft limit", limit_row_percent(row));
	if (limit_row_is_override(row))
		str_add(&text, "; for jobs of the QOS, replaces the limits of this kind on their user, "
			       "group, account and class");
	put(p, ROLE_STRONG, width, &text);
	str_free(&text);
}

void limit_page_row(struct page *p, const struct forecast *f, const struct limit_row *row,
		    const struct headroom *headroom, int width)
{
	struct held held = find_held(f, row);

	put_title(p, f, row, width);
	if (!limit_row_is_per_job(row)) {
		put_use(p, f, row, width);
		put_exempt(p, f, row, width);
		put_forecast(p, f, row, &held, width);
	}
	put_held(p, row, &held, width);
	put_tries(p, row, headroom, width);
	str_free(&held.list);
}

/* --- origin of the numbers ---------------------------------------------------------------------------- */

/*
 * The usage is shown as a sum over the jobs that count: the largest jobs by name, and all others in one
 * number.
 */

#define NAMED_MOST 8 /* maximum number of jobs named in a sum */

/* --- usage -------------------------------------------------------------------------------------------- */

/* A job that counts against the limit. */
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

/*
 * Returns the part for the amount of one job: "2 procs * 34948 s [899744]", or "8 [899744]" if the amount is
 * not a product with a time.
 */
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

/* Returns the part for the sum over all jobs that count against the limit. */
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
		figure_note(out, "the largest request of a job");
		return;
	}
	add_whole(out, "IN USE", row->used, use_part(out, f, row));
}

/* --- the limit itself --------------------------------------------------------------------------------- */

static void add_value(struct figures *out, const char *title, int64_t value)
{
	if (value != LIMIT_UNLIMITED)
		add_whole(out, title, value, whole(out, NULL, value));
}

/* The setting from which a limit comes, the most specific one first. */
enum place {
	OWN,      /* set for this credential, and this second credential if the limit has one */
	OWN_EACH, /* set for this credential, and each second credential of a type */
	GENERAL,  /* set for DEFAULT, and this second credential if the limit has one */
	GENERAL_EACH,
	PLACES
};

/*
 * Adds a note to the last figure that says where the limit is set, and returns which setting the limit comes
 * from.
 */
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

/* Does the limit take precedence over a limit of the same kind that is set for DEFAULT? */
static bool hides_general(const struct snapshot *s, const struct limit_row *row)
{
	const struct limit *limit = snapshot_limits(s);

	for (uint32_t i = 0; row->cred != INDEX_NONE && i < snapshot_count(s, TABLE_LIMITS); i++)
		if (limit[i].cred == snapshot_creds(s)[row->cred].type && limit[i].kind == row->kind &&
		    limit[i].scope == row->scope && limit[i].second_type == row->second_type)
			return true;
	return false;
}

/* Adds a sentence that says why this setting applies: the most specific setting takes precedence. */
static void say_which(struct figures *out, const struct snapshot *s, const struct limit_row *row,
		      enum place place)
{
	const char *type = limit_row_owner_type(s, row), *name = limit_row_owner(s, row);
	struct str text = {0};

	if (limit_row_is_override(row)) {
		str_addf(&text,
			 "For jobs of QOS %s, this limit replaces the limits of the same kind on their user, "
			 "group, account and class.",
			 name);
	} else if (place >= GENERAL && name) {
		str_addf(&text,
			 "Set for %s DEFAULT; applies here because %s %s has no limit of this kind of its "
			 "own.",
			 type, type, name);
	} else if (name && row->cred >= CRED_TYPE_COUNT && hides_general(s, row)) {
		str_addf(&text, "Takes precedence over %s DEFAULT for %s %s.", type, type, name);
	}
	if (place == OWN_EACH || place == GENERAL_EACH)
		str_addf(&text, "%sApplies to each %s separately.", text.len > 0 ? " " : "",
			 cred_type_name((enum cred_type)row->second_type));
	if (text.len > 0)
		figure_say(out, str_text(&text));
	str_free(&text);
}

/* --- neighbouring settings ---------------------------------------------------------------------------- */

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

/*
 * Adds the number of blocked jobs, as the sum of jobs at the soft limit and jobs at the hard limit if there
 * are both.
 */
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
	figure_note(out, "jobs whose first failed check is this limit");
}

/* Adds a sentence that says when the usage decreases. */
static void say_fall(struct figures *out, const struct forecast *f, const struct limit_row *row)
{
	struct limit_use use = limit_use_at(f, row, f->plan.now_s), then;
	char when[MOMENT_TEXT];
	struct str text = {0};

	if (limit_row_is_per_job(row) || use.running == 0 || use.next_end_s == TIME_NEVER)
		return;
	then = limit_use_at(f, row, use.next_end_s);
	if (limit_use_falls(row))
		str_addf(&text, "Usage decreases by %" PRId64 " per second; ",
			 row->kind == LIMIT_PS ? use.procs : (int64_t)use.running);
	str_addf(&text, "%s next job that counts ends by %s and leaves %" PRId64 " in use.",
		 text.len > 0 ? "the" : "The", wallclock_short(when, use.next_end_s, f->plan.now_s),
		 then.amount);
	figure_say(out, str_text(&text));
	str_free(&text);
}

/* --- one limit ---------------------------------------------------------------------------------------- */

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
		figure_say(out, "This limit exists only in the draft.");
	}
	add_whole(out, "HOLDS", before ? before->holds_back : 0,
		  whole(out, NULL, before ? before->holds_back : 0));
	add_value(out, "SOFT AFTER", row->soft);
	add_value(out, "HARD AFTER", row->hard);
	add_held(out, f, row, "HOLDS AFTER");
	say_fall(out, f, row);
}
