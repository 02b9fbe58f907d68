/* SPDX-License-Identifier: MIT */
/*
 * limit_page.c - usage of one limit, how it falls, and the jobs that the limit blocks
 *
 * Running jobs are taken to run to their limits and nothing else to start: so the forecast is
 * the same arithmetic by which a reason says when it clears.
 */
#include "limit_page.h"

#include <inttypes.h>

#include "page.h"
#include "sched/base/duration.h"
#include "sched/policy/throttle.h"
#include "sched/rm/wallclock.h"
#include "tui/query/headroom.h"
#include "tui/report/limit_report.h"
#include "tui/report/report.h"

#define JOBS_SHOWN 6  /* of those that count        */
#define HELD_SHOWN 12 /* of those that are held     */
#define MOMENTS    4  /* of the forecast, with now  */
#define HOUR_S     3600

static void put(struct page *p, enum role role, int width, const struct str *text)
{
	page_wrap(p, role, 1, width - 2, str_text(text));
}

static void add_label(const struct forecast *f, uint32_t slot, struct str *out)
{
	char label[JOB_LABEL_TEXT];

	str_add(out, snapshot_job_label(f->s, &snapshot_jobs(f->s)[slot], label));
}

/* --- jobs that count ------------------------------------------------------------------------ */

struct listing {
	const struct forecast *f;
	const struct limit_row *row;
	uint32_t listed;
	struct str *out;
};

/* "899744 2 procs x 34948 s = 69896"; of the number of jobs the name alone. */
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

/* --- jobs held back -------------------------------------------------------------------------- */

struct held {
	uint32_t count, at_hard;
	uint32_t first;  /* the slot that gets room first; INDEX_NONE */
	struct str list; /* release it */
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
		str_add(&text, "holds no job back");
	} else {
		str_add(&text, "holds back ");
		report_count(&text, held->count, "job", "jobs");
		if (row->soft != row->hard)
			str_addf(&text, " (%" PRIu32 " at the soft value, %" PRIu32 " at the hard one)",
				 held->count - held->at_hard, held->at_hard);
		str_addf(&text, ":%s", str_text(&held->list));
		if (held->count > HELD_SHOWN)
			str_addf(&text, " +%" PRIu32 " more", held->count - HELD_SHOWN);
	}
	put(p, held->count > 0 ? ROLE_REASON : ROLE_DIM, width, &text);
	str_free(&text);
}

/* --- what becomes of it ------------------------------------------------------------------------ */

/* The next full hour, or the next end of a job where nothing falls between ends. */
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
		str_add(&text, "no job counts against it now");
	} else {
		report_count(&text, sum.jobs, "job", "jobs");
		str_add(&text, ": ");
		add_jobs(f, row, &text);
	}
	if (sum.running > 0 && row->kind == LIMIT_PS)
		str_addf(&text, "; falls %" PRId64 " a second", sum.procs);
	else if (sum.running > 0 && row->kind == LIMIT_WC)
		str_addf(&text, "; falls %" PRIu32 " a second", sum.running);
	put(p, ROLE_TEXT, width, &text);
	str_free(&text);
}

/* --- other values of it --------------------------------------------------------------------------- */

/* Where some never start. */
static void add_some(const struct headroom *h, const struct headroom_point *point, struct str *out)
{
	char when[MOMENT_TEXT];

	if (point->started == 0)
		str_add(out, "none starts");
	else if (point->at_once == point->started)
		str_addf(out, "%" PRIu32 " of %" PRIu32 " now", point->started, h->held);
	else
		str_addf(out, "%" PRIu32 " of %" PRIu32 " by %s", point->started, h->held,
			 wallclock_short(when, point->last_s, h->outlook->now_s));
}

/* "1 now, all by 01:54:48" */
static void add_outcome(const struct headroom *h, const struct headroom_point *point, struct str *out)
{
	int64_t now_s = h->outlook->now_s;
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

/* "stays: first 19:44:39, all by ... | is 76000: ...": values that come to the same stand together. */
static void add_points(const struct headroom *h, struct str *out)
{
	const char *before = "";

	for (size_t i = 0; i < h->points; i++) {
		const struct headroom_point *point = &h->point[i];

		str_addf(out, "%s%s", before, i > 0 ? point->value : "stays");
		before = " or ";
		if (i > 0 && i + 1 < h->points && same_outcome(point, point + 1))
			continue;
		str_add(out, ": ");
		if (i > 0 && same_outcome(point, &h->point[0]))
			str_add(out, "the same");
		else
			add_outcome(h, point, out);
		before = " | is ";
	}
}

static void put_tries(struct page *p, const struct limit_row *row, const struct headroom *h, int width)
{
	struct str text = {0};

	if (!headroom_is_asked(row))
		return;
	str_add(&text, "if the limit ");
	if (h)
		add_points(h, &text);
	else
		str_add(&text, "were another: being tried ...");
	put(p, ROLE_FORMULA, width, &text);
	str_free(&text);
}

/* --- overrides ---------------------------------------------------------------------------------- */

/* The scope of a QOS's limits that take the place of the row's; its own where none do (T-22). */
static uint8_t overriding_scope(const struct snapshot *s, const struct limit_row *row)
{
	bool can_be = row->kind != LIMIT_JOB && row->cred != INDEX_NONE &&
		      snapshot_creds(s)[row->cred].type != CRED_QOS;

	if (can_be && row->scope == LIMIT_ACTIVE)
		return LIMIT_OVERRIDE_ACTIVE;
	return can_be && row->scope == LIMIT_IDLE ? LIMIT_OVERRIDE_IDLE : row->scope;
}

/* Has the QOS, or QOS DEFAULT, a limit that holds its jobs instead of the row's? */
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

/* T-21: they count, but another limit decides whether they run. */
static void put_exempt(struct page *p, const struct forecast *f, const struct limit_row *row, int width)
{
	struct exempt exempt = {.f = f, .row = row};
	struct str text = {0};

	limit_use_each(f, row, add_exempt, &exempt);
	if (exempt.jobs == 0)
		return;
	report_count(&text, exempt.jobs, "of them is", "of them are");
	str_addf(&text, " held by O%s of the QOS instead of this limit",
		 limit_name((enum limit_scope)row->scope, (enum limit_kind)row->kind));
	put(p, ROLE_TEXT, width, &text);
	str_free(&text);
}

/* --- a row ---------------------------------------------------------------------------------------- */

/* As the value of the limit is written: time as a duration. */
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
	str_add(&text, limit_row_is_per_job(row) ? ", for each job: the largest here asks for " : ": ");
	add_used(row, &text);
	if (!limit_row_is_per_job(row))
		str_add(&text, " in use");
	if (!limit_row_is_per_job(row) && row->soft != LIMIT_UNLIMITED)
		str_addf(&text, ", %.0f%% of the soft value", limit_row_percent(row));
	if (limit_row_is_override(row))
		str_add(&text, "; for jobs of this QOS it stands in for such limits of others");
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
