/* SPDX-License-Identifier: MIT */
/*
 * why_report.c - explanation of why a job does not run, as text and JSON
 */
#include "why_report.h"

#include <inttypes.h>
#include <string.h>

#include "field.h"
#include "job_report.h"
#include "job_text.h"
#include "report.h"
#include "sched/base/amount.h"
#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/pass/queue.h"
#include "sched/rm/wallclock.h"
#include "tui/serve/users.h"

/* --- changes that would start a job ------------------------------------------------------------------- */

#define MOST_SHOWN 8

static const char *label_of(const struct snapshot *s, uint64_t id, char buf[static JOB_LABEL_TEXT])
{
	uint32_t slot = snapshot_find_job(s, id);

	return slot == INDEX_NONE ? "?" : snapshot_job_label(s, &snapshot_jobs(s)[slot], buf);
}

/* Appends "NAME=VALUE", with a wallclock limit as 2:52:03 instead of 10323. */
static void add_attribute(const struct event *ev, struct str *out)
{
	char text[DURATION_TEXT];
	const char *value = ev->modify.value;
	struct str word = {0};
	int64_t wall_s;

	if (strcmp(ev->modify.name, "walltime") == 0 && duration_parse(value, &wall_s, NULL))
		value = duration_text(text, wall_s);
	str_addf(&word, "%s=%s", ev->modify.name, value);
	str_add_word(out, str_text(&word));
	str_free(&word);
}

void remedy_line(const struct snapshot *s, const struct event *ev, struct str *out)
{
	char label[JOB_LABEL_TEXT];

	switch (ev->kind) {
	case EVENT_SETTING:
		str_add(out, "tune ");
		str_add_word(out, ev->setting.name);
		str_add_char(out, ' ');
		str_add_word(out, ev->setting.value);
		break;
	case EVENT_MODIFY:
		str_addf(out, "set %s ", label_of(s, ev->job, label));
		add_attribute(ev, out);
		break;
	case EVENT_PRIORITY:
		str_addf(out,
			 ev->priority.adjust == JOB_ADJUST_ABSOLUTE ? "setspri %" PRId64 " %s"
								    : "setspri -r %+" PRId64 " %s",
			 ev->priority.points, label_of(s, ev->job, label));
		break;
	case EVENT_HOLD:
		str_addf(out, "%s %s", ev->hold.on ? "hold -s" : "release", label_of(s, ev->job, label));
		break;
	case EVENT_CANCEL:
		str_addf(out, "cancel %s", label_of(s, ev->job, label));
		break;
	case EVENT_DEFER:
		str_addf(out, "release %s", label_of(s, ev->job, label));
		break;
	case EVENT_UNRESERVE:
		str_add(out, "unreserve ");
		str_add_word(out, ev->reserve.name);
		break;
	case EVENT_HALT:
		str_add(out, "sched resume");
		break;
	default:
		cmd_describe(s, ev, out);
		break;
	}
}

/* --- permission --------------------------------------------------------------------------------------- */

bool remedy_may(void *self, const struct event *ev)
{
	const struct remedy_view *view = self;

	if (!view->s->masked || ev->job == view->job)
		return true;
	return ev->job == 0 && ev->kind != EVENT_UNRESERVE;
}

const char *remedy_who(const struct snapshot *s, uint64_t job, const struct event *ev)
{
	static const char *const words[] = {
		[ADMIN_ALL] = "admin level 1", [ADMIN_JOBS] = "admin level 2", [ADMIN_NONE] = "its owner"};

	return words[permission_level(s, job, ev)];
}

/* --- start without a change --------------------------------------------------------------------------- */

/*
 * Appends the reason that blocks the job until it starts, without the time at which the reason clears, which
 * was printed before.
 */
static void add_last(const struct snapshot *s, const struct job *job, const struct remedies *u,
		     struct str *out)
{
	struct reason reason = u->last.check[u->holds].reason;

	if (reason.gate >= GATE_CLASS_LIMIT && reason.gate <= GATE_FS_CAP)
		reason.until_s = TIME_NEVER;
	job_text_predicate(s, job, &reason, u->last_s, out);
	if (out->len > 0 && out->data[out->len - 1] == '.')
		out->data[--out->len] = '\0';
}

/*
 * Appends a predicate that says what the job waits for until it starts; nothing if it starts at once, or
 * never.
 */
static void remedy_until(const struct snapshot *s, const struct job *job, const struct remedies *u,
			 struct str *out)
{
	if (u->start_s != TIME_NEVER && u->last_s != TIME_NONE && u->holds != GATE_NONE)
		add_last(s, job, u, out);
}

/* Appends the largest job that ends when this job starts: "; job 12 ends then". */
static void remedy_ending(const struct snapshot *s, const struct remedies *u, struct str *out)
{
	char label[JOB_LABEL_TEXT];

	if (u->start_s != TIME_NEVER && u->last_s != TIME_NONE && u->holds != GATE_NONE && u->ending != 0)
		str_addf(out, "; job %s ends then", label_of(s, u->ending, label));
}

static void add_start(const struct snapshot *s, const struct job *job, const struct remedies *u,
		      int64_t now_s, struct str *out)
{
	struct str until = {0};

	str_add(out, "Starts by itself ");
	job_text_moment(out, u->start_s, now_s);
	remedy_until(s, job, u, &until);
	if (until.len > 0)
		str_addf(out, ": until then the job %s", str_text(&until));
	remedy_ending(s, u, out);
	str_free(&until);
}

static void add_never(const struct snapshot *s, const struct job *job, const struct remedies *u,
		      int64_t now_s, struct str *out)
{
	str_add(out, remedies_proven(u) ? "Never starts by itself: " : "Does not start by itself: ");
	if (snapshot_is_halted(s)) {
		str_add(out, s->no_room != 0 ? "the disk that holds the store is full"
					     : "the scheduler is paused");
		return;
	}
	if (u->last_s > now_s && !plan_is_permanent(s, &u->last.check[u->holds].reason)) {
		str_add(out, "once no more events are due, ");
		if (!remedies_proven(u)) {
			job_text_moment(out, u->last_s, now_s);
			str_add(out, ", ");
		}
		str_add(out, "the job still ");
	} else {
		str_add(out, "the job ");
	}
	add_last(s, job, u, out);
	if (!remedies_proven(u))
		str_add(out, "; this assumes that all jobs end successfully, and may change if one fails");
}

static void add_unreached(const struct remedies *u, int64_t now_s, struct str *out)
{
	str_add(out, "Does not start by itself before ");
	job_text_moment(out, u->last_s, now_s);
	str_add(out, "; the projection stopped there because its work limit was reached");
}

void remedy_itself(const struct snapshot *s, const struct job *job, const struct remedies *u, int64_t now_s,
		   struct str *out)
{
	if (!u->reached)
		add_unreached(u, now_s, out);
	else if (u->start_s == TIME_NEVER)
		add_never(s, job, u, now_s, out);
	else
		add_start(s, job, u, now_s, out);
	str_add_char(out, '.');
}

/* --- text ----------------------------------------------------------------------------------------- */

static bool is_shorter_limit(const struct event *ev)
{
	return ev->kind == EVENT_MODIFY && strcmp(ev->modify.name, "walltime") == 0;
}

void remedy_cost(const struct snapshot *s, const struct remedy *c, struct str *out)
{
	char label[JOB_LABEL_TEXT], text[DURATION_TEXT];

	if (c->delayed == 0)
		str_add(out, "no job delayed");
	else
		report_count(out, c->delayed, "job delayed", "jobs delayed");
	if (c->delays > 0 && c->delay[0].by_s == TIME_NEVER)
		str_addf(out, ", %s indefinitely", label_of(s, c->delay[0].job, label));
	else if (c->delays > 0)
		str_addf(out, ", %s by %s", label_of(s, c->delay[0].job, label),
			 duration_text(text, c->delay[0].by_s));
	if (is_shorter_limit(&c->ev))
		str_add(out, "; the job is killed at this limit");
	if (c->work_lost_ps > 0)
		str_addf(out, "; %.1f CPU-hours lost", (double)c->work_lost_ps / 3600);
}

/* Does any of the changes start the job later than the earliest start that a change achieves? */
static bool is_one_later(const struct remedies *u)
{
	for (size_t i = 0; i < u->count; i++)
		if (u->change[i].starts_s > u->by_s)
			return true;
	return false;
}

/* Says what was requested and, if no change achieves it, what comes nearest. */
void remedies_heading(const struct remedies *u, int64_t by_s, int64_t now_s, struct str *out)
{
	char when[MOMENT_TEXT], soonest[MOMENT_TEXT];

	if (u->start_s <= by_s) {
		str_addf(out, "The job needs no change to start by %s.", wallclock_short(when, by_s, now_s));
		return;
	}
	str_add(out,
		u->by_s == by_s ? "Single changes that start the job " : "No single change starts the job ");
	if (by_s <= now_s)
		str_add(out, "now");
	else
		str_addf(out, "by %s", wallclock_short(when, by_s, now_s));
	if (u->by_s != by_s && u->by_s != TIME_NEVER)
		str_addf(out, "; changes that start it soonest, %s %s", is_one_later(u) ? "from" : "at",
			 wallclock_short(soonest, u->by_s, now_s));
	if (u->by_s != by_s && is_one_later(u))
		str_add(out, " on");
	str_add(out, u->count > 0 ? " (simulated only):" : ".");
}

void remedies_unsearched(const struct remedies *u, int64_t now_s, struct str *out)
{
	static const char *const parts[] = {"of the job", "of its limits", "of the site", "of other jobs"};
	unsigned left = u->left;

	if (u->search != REMEDIES_BUDGET && u->known_s == TIME_NEVER)
		return;
	if (left != 0)
		str_add(out, "The search stopped because its work limit was reached: not all changes ");
	for (unsigned part = 0; left != 0; part++, left &= ~((1U << part) - 1))
		if ((left >> part & 1) != 0)
			str_addf(out, "%s%s", parts[part],
				 (left >> part) == 1   ? " were tried."
				 : (left >> part) == 3 ? " and "
						       : ", ");
	if (u->known_s == TIME_NEVER)
		return;
	str_add(out, left == 0 && u->left == 0 ? "" : " ");
	str_add(out, "Delays of other jobs are known up to ");
	job_text_moment(out, u->known_s, now_s);
	str_add_char(out, '.');
}

/* --- explanation of why a job does not run ------------------------------------------------------------ */

#define COUNTED_SHOWN 4 /* maximum number of jobs listed that count against an idle limit */

static const struct job *job_of(const struct why_known *k)
{
	return &snapshot_jobs(k->s)[k->slot];
}

/* --- verdict ------------------------------------------------------------------------------------------ */

static bool begins_with(const struct str *text, const char *words)
{
	return strncmp(str_text(text), words, strlen(words)) == 0;
}

/* Appends the verdict and the reason, without words that the predicate of the reason already contains. */
static void add_reason(const struct why_known *k, struct str *out)
{
	const struct reason lead = k->why.lead;
	bool at_end = k->why.verdict == VERDICT_NEVER && !plan_is_permanent(k->s, &lead);
	struct str predicate = {0};

	job_text_predicate(k->s, job_of(k), &lead, k->now_s, &predicate);
	if (k->why.verdict == VERDICT_NOT_NOW)
		str_add(out, "does not start now: it ");
	else if (at_end)
		str_add(out, "never starts: once no more events are due, it still ");
	else if (k->why.verdict == VERDICT_NEVER && !begins_with(&predicate, "never starts"))
		str_add(out, "never starts: it ");
	str_add(out, str_text(&predicate));
	str_free(&predicate);
}

void why_text_verdict(const struct why_known *k, struct str *out)
{
	const struct job *job = job_of(k);
	char label[JOB_LABEL_TEXT];

	if (k->why.verdict == VERDICT_RUNS || k->why.verdict == VERDICT_STARTS_NOW) {
		job_text_sentence(k->s, job, &(struct reason){.gate = GATE_NONE}, k->now_s, out);
		if (k->why.verdict == VERDICT_STARTS_NOW && !k->why.check[GATE_ACTIVE_SOFT].ok)
			str_add(out,
				" It exceeds a soft limit, so it starts after all jobs within their limits.");
		return;
	}
	str_addf(out, "Job %s ", snapshot_job_label(k->s, job, label));
	add_reason(k, out);
}

/* --- estimated start ---------------------------------------------------------------------------------- */

/* Do both reasons name the same check, limit and other job? */
static bool is_same_cause(const struct reason *a, const struct reason *b)
{
	return a->gate == b->gate && a->kind == b->kind && a->scope == b->scope && a->hard == b->hard &&
	       a->cred == b->cred && a->second == b->second && a->other == b->other;
}

/* Appends what the job waits for until it starts, unless the verdict already says so. */
static void add_until(const struct why_known *k, struct str *out)
{
	const struct reason lead = k->why.lead;
	struct str until = {0};

	if (k->remedies == NULL || k->remedies->start_s != k->start.start_s)
		return;
	if (!is_same_cause(&lead, &k->remedies->last.check[k->remedies->holds].reason))
		remedy_until(k->s, job_of(k), k->remedies, &until);
	if (until.len > 0)
		str_addf(out, "; until then the job %s", str_text(&until));
	remedy_ending(k->s, k->remedies, out);
	str_free(&until);
}

/* Appends what the resource manager says if it decides. */
static void add_manager(const struct why_known *k, struct str *out)
{
	struct str said = {0};

	if (job_text_manager(k->s, job_of(k), k->now_s, &said))
		str_addf(out, "%s. ", str_text(&said));
	str_free(&said);
}

void why_text_start(const struct why_known *k, struct str *out)
{
	if (k->why.verdict == VERDICT_RUNS)
		return;
	add_manager(k, out);
	str_add(out, "Estimated start: ");
	if (k->why.verdict == VERDICT_NEVER) {
		str_add(out, "never");
	} else if (k->why.estimated_s != TIME_NEVER) {
		estimated_text(out, &k->start, job_of(k)->planned_s, k->now_s);
		add_until(k, out);
	} else if (snapshot_is_halted(k->s)) {
		str_add(out, "none while the scheduler is paused");
	} else if (k->why.verdict == VERDICT_HELD) {
		str_add(out, "none while the job is held");
	} else if (k->remedies != NULL && k->remedies->start_s == TIME_NEVER) {
		str_add(out, "none. ");
		remedy_itself(k->s, job_of(k), k->remedies, k->now_s, out);
		return;
	} else {
		str_add(out, "not known");
	}
	str_add(out, ".");
}

/* --- jobs that count against an idle limit ------------------------------------------------------------ */

static void add_counted(const struct why_known *k, uint32_t slot, struct str *out)
{
	const struct reason *reason = &k->plan->reason[slot];
	char label[JOB_LABEL_TEXT];

	str_add(out, snapshot_job_label(k->s, &snapshot_jobs(k->s)[slot], label));
	if (reason->gate == GATE_ACTIVE_SOFT || reason->gate == GATE_FS_CAP) {
		str_add(out, " (");
		job_text_short(k->s, reason, k->now_s, out);
		str_add(out, ")");
	}
}

void why_text_counted(const struct why_known *k, struct str *out)
{
	const struct reason *reason = &k->why.check[GATE_IDLE_LIMIT].reason;
	uint32_t slot[COUNTED_SHOWN], count;

	if (k->why.verdict == VERDICT_RUNS || k->why.check[GATE_IDLE_LIMIT].ok ||
	    !explain_is_idle_limit(reason))
		return;
	count = queue_counted(&k->plan->queue, k->s, k->slot, reason, slot, COUNTED_SHOWN);
	if (count == 0)
		return;
	str_addf(out, "Counted against %s: ", explain_limit_name(reason));
	for (uint32_t i = 0; i < count && i < COUNTED_SHOWN; i++) {
		if (i > 0)
			str_add(out, i + 1 == count ? " and " : ", ");
		add_counted(k, slot[i], out);
	}
	if (count > COUNTED_SHOWN)
		str_addf(out, " and %u more", count - COUNTED_SHOWN);
	str_add(out, ".");
}

/* --- checks --------------------------------------------------------------------------------------------- */

/* One check: `check` is written to JSON; `shown` is printed, with times as wall-clock times. */
struct check_item {
	const struct why_report *report;
	struct check check, shown;
	int number;
	const char *name;
	int64_t until_s; /* when the check clears by itself; TIME_NEVER: it does not */
};

static const struct check *check_of(const void *item)
{
	return &((const struct check_item *)item)->check;
}

/* Is this the check of a limit or a cap, which has an owner? */
static bool has_owner(const void *item)
{
	const struct check *check = check_of(item);

	if (check->gate == GATE_FS_CAP)
		return check->reason.cred != INDEX_NONE;
	return check->gate >= GATE_CLASS_LIMIT && check->gate <= GATE_ACTIVE_SOFT &&
	       check->reason.kind != LIMIT_KIND_COUNT;
}

static bool has_amounts(const void *item)
{
	return check_of(item)->gate != GATE_FS_CAP && has_owner(item);
}

static bool has_failed(const void *item)
{
	return !check_of(item)->ok;
}

/*
 * Is this the check of a relative fairshare cap? The share that is compared with the cap (reason.asked)
 * includes this job; the value is the share so far.
 */
static bool is_relative_cap(const void *item)
{
	const struct check_item *i = item;

	return i->check.gate == GATE_FS_CAP && has_owner(i) &&
	       snapshot_creds(i->report->known.s)[i->check.reason.cred].attr.fs_mode == FS_CAP_RELATIVE;
}

static bool get_check_limit(const void *item, struct value *out)
{
	out->text = check_of(item)->limit;
	return strcmp(out->text, "-") != 0;
}

static bool get_owner(const void *item, struct value *out)
{
	explain_owner(((const struct check_item *)item)->report->known.s, &check_of(item)->reason,
		      &out->made);
	out->text = str_text(&out->made);
	return true;
}

static bool get_compared(const void *item, struct value *out)
{
	str_addf(&out->made, "%.2f %%", (double)check_of(item)->reason.asked / 1000);
	return value_made(out);
}

static bool get_limit_name(const void *item, struct value *out)
{
	out->text = explain_limit_name(&check_of(item)->reason);
	return true;
}

static bool get_limit_level(const void *item, struct value *out)
{
	out->text = check_of(item)->reason.hard ? "hard" : "soft";
	return true;
}

static enum role value_cell(const void *item, struct str *out)
{
	str_add(out, ((const struct check_item *)item)->shown.value);
	return ROLE_TEXT;
}

static enum role limit_cell(const void *item, struct str *out)
{
	str_add(out, ((const struct check_item *)item)->shown.limit);
	return ROLE_TEXT;
}

static enum role until_cell(const void *item, struct str *out)
{
	const struct check_item *i = item;
	char when[MOMENT_TEXT];

	if (i->until_s != TIME_NEVER)
		str_add(out, wallclock_short(when, i->until_s, i->report->known.now_s));
	return ROLE_TEXT;
}

static enum role result_cell(const void *item, struct str *out)
{
	const struct check *check = check_of(item);
	int64_t sum = amount_add(check->reason.value, check->reason.asked);

	str_add(out, check->ok ? "ok" : "FAIL");
	if (!check->ok && has_amounts(item))
		str_addf(out, " %" PRId64 " %s %" PRId64, sum, sum > check->reason.limit ? ">" : "<",
			 check->reason.limit);
	return ROLE_TEXT;
}

static const struct field check_fields[] = {
	{NULL, "", FIELD_COUNT, FIELD_AT(struct check_item, number)},
	{"check", "CHECK", FIELD_TEXT, FIELD_AT(struct check_item, name)},
	{"value", "VALUE", FIELD_TEXT, FIELD_AT(struct check_item, check.value), .cell = value_cell},
	{"limit", "LIMIT", FIELD_TEXT, .get = get_check_limit, .cell = limit_cell},
	{NULL, "RESULT", FIELD_TEXT, .cell = result_cell},
	{"ok", NULL, FIELD_BOOL, FIELD_AT(struct check_item, check.ok)},
	{"of", "OF", FIELD_TEXT, .get = get_owner, .when = has_owner},
	{"compared", NULL, FIELD_TEXT, .get = get_compared, .when = is_relative_cap},
	{"name", NULL, FIELD_TEXT, .get = get_limit_name, .when = has_amounts},
	{"level", NULL, FIELD_TEXT, .get = get_limit_level, .when = has_amounts},
	{"in_use", NULL, FIELD_COUNT, FIELD_AT(struct check_item, check.reason.value), .when = has_amounts},
	{"asked", NULL, FIELD_COUNT, FIELD_AT(struct check_item, check.reason.asked), .when = has_amounts},
	{"allowed", NULL, FIELD_COUNT, FIELD_AT(struct check_item, check.reason.limit), .when = has_amounts},
	{"until", "UNTIL", FIELD_INSTANT, FIELD_OR_NULL(struct check_item, until_s, TIME_NEVER),
	 .cell = until_cell, .when = has_failed},
	{0}};

/* Visits the checks that apply. */
static void each_check(const void *item, field_visit *visit, void *self)
{
	const struct why_report *r = item;
	const struct why_known *k = &r->known;

	for (int gate = 1; gate < GATE_COUNT; gate++) {
		struct check_item i = {
			r,
			k->why.check[gate],
			k->why.check[gate],
			gate,
			gate_rows[gate].name,
			k->why.verdict == VERDICT_NEVER ? TIME_NEVER : k->why.check[gate].reason.until_s};

		if (!i.check.known)
			continue;
		job_text_check(k->s, k->now_s, &i.shown);
		visit(self, &i);
	}
}

/* --- the changes as rows -------------------------------------------------------------------------------- */

struct change_item {
	const struct why_report *report;
	const struct remedy *change;
};

static bool get_change(const void *item, struct value *out)
{
	const struct change_item *i = item;

	remedy_line(i->report->known.s, &i->change->ev, &out->made);
	return value_made(out);
}

static bool get_may(const void *item, struct value *out)
{
	const struct change_item *i = item;

	out->text = remedy_who(i->report->known.s, job_of(&i->report->known)->id, &i->change->ev);
	return true;
}

static bool get_delays_complete(const void *item, struct value *out)
{
	out->whole = !((const struct remedy *)item)->partial;
	return true;
}

static bool get_note(const void *item, struct value *out)
{
	out->text = "the job is killed at this limit";
	return is_shorter_limit(&((const struct remedy *)item)->ev);
}

static enum role starts_cell(const void *item, struct str *out)
{
	const struct change_item *i = item;
	int64_t now_s = i->report->known.now_s;
	char when[MOMENT_TEXT];

	str_add(out,
		i->change->starts_s <= now_s ? "now" : wallclock_short(when, i->change->starts_s, now_s));
	return ROLE_TEXT;
}

static enum role cost_cell(const void *item, struct str *out)
{
	const struct change_item *i = item;

	remedy_cost(i->report->known.s, i->change, out);
	return ROLE_TEXT;
}

struct delay_item {
	const char *label;
	int64_t by_s;
};

static void each_delay(const void *item, field_visit *visit, void *self)
{
	const struct change_item *i = item;
	char label[JOB_LABEL_TEXT];

	for (uint32_t d = 0; d < i->change->delays; d++)
		visit(self, &(struct delay_item){label_of(i->report->known.s, i->change->delay[d].job, label),
						 i->change->delay[d].by_s});
}

static const struct field delay_fields[] = {
	{"job", NULL, FIELD_TEXT, FIELD_AT(struct delay_item, label)},
	{"by_s", NULL, FIELD_DURATION, FIELD_OR_NULL(struct delay_item, by_s, TIME_NEVER)},
	{0}};

static const struct field effect_fields[] = {
	{"delayed", NULL, FIELD_COUNT, FIELD_AT(struct remedy, delayed)},
	{"delays_complete", NULL, FIELD_BOOL, .get = get_delays_complete},
	{"work_lost_ps", NULL, FIELD_COUNT, FIELD_AT(struct remedy, work_lost_ps)},
	{"note", NULL, FIELD_TEXT, .get = get_note},
	{0}};

static const struct field start_fields[] = {
	{"starts_at", NULL, FIELD_INSTANT, FIELD_AT(struct remedy, starts_s)}, {0}};

static const struct field change_fields[] = {
	{"change", "", FIELD_TEXT, .get = get_change},
	{.type = FIELD_MEMBERS, FIELD_TO(struct change_item, change), .of = start_fields},
	{"may", "", FIELD_TEXT, .get = get_may},
	{.type = FIELD_MEMBERS, FIELD_TO(struct change_item, change), .of = effect_fields},
	{"delays", NULL, FIELD_LIST, .of = delay_fields, .each = each_delay},
	{NULL, "STARTS", FIELD_TEXT, .cell = starts_cell},
	{NULL, "COST", FIELD_TEXT, .cell = cost_cell},
	{0}};

/* Returns the result of the search for changes; an empty one if there was no search. */
static const struct remedies *remedies_of(const struct why_report *r)
{
	static const struct remedies none;

	return r->known.remedies != NULL ? r->known.remedies : &none;
}

static void each_change(const void *item, field_visit *visit, void *self)
{
	const struct remedies *u = remedies_of(item);

	for (size_t i = 0; i < u->count; i++)
		visit(self, &(struct change_item){item, &u->change[i]});
}

/* --- the document --------------------------------------------------------------------------------------- */

static bool get_label(const void *item, struct value *out)
{
	const struct why_known *k = item;
	char label[JOB_LABEL_TEXT];

	str_add(&out->made, snapshot_job_label(k->s, job_of(k), label));
	return value_made(out);
}

static bool get_verdict(const void *item, struct value *out)
{
	out->text = verdict_name(((const struct why_known *)item)->why.verdict);
	return true;
}

static bool get_reserved_start(const void *item, struct value *out)
{
	out->whole = job_of(item)->planned_s;
	return out->whole != TIME_NEVER;
}

static bool get_tier(const void *item, struct value *out)
{
	out->text = future_tier_name(((const struct why_known *)item)->start.tier);
	return true;
}

static bool get_explanation(const void *item, struct value *out)
{
	const struct why_known *k = item;

	if (k->why.lead.gate != GATE_NONE || k->why.verdict == VERDICT_STARTS_NOW)
		job_text_sentence(k->s, job_of(k), &k->why.lead, k->now_s, &out->made);
	return value_made(out);
}

static bool is_over_idle_limit(const void *item)
{
	const struct check *check = &((const struct why_known *)item)->why.check[GATE_IDLE_LIMIT];

	return check->known && !check->ok && explain_is_idle_limit(&check->reason);
}

/* Visits the labels of jobs that count against an idle limit. */
static void each_counted(const void *item, field_visit *visit, void *self)
{
	const struct why_known *k = item;
	uint32_t slot[100], most = sizeof slot / sizeof slot[0];
	uint32_t count = queue_counted(&k->plan->queue, k->s, k->slot, &k->why.check[GATE_IDLE_LIMIT].reason,
				       slot, most);
	char label[JOB_LABEL_TEXT];

	for (uint32_t i = 0; i < count && i < most; i++)
		visit(self, snapshot_job_label(k->s, &snapshot_jobs(k->s)[slot[i]], label));
}

static const struct field name_fields[] = {{NULL, "", FIELD_TEXT, .held = HELD_ITEM}, {0}};

/* Whether the job passes all checks at one policy level. */
struct level_item {
	const char *name;
	bool passes;
};

static void each_level(const void *item, field_visit *visit, void *self)
{
	const struct why *why = &((const struct why_known *)item)->why;

	for (enum policy_level level = 0; level < POLICY_LEVEL_COUNT; level++)
		visit(self, &(struct level_item){policy_level_name(level),
						 policy_level_first_gate(why, level) == GATE_NONE});
}

static const struct field level_fields[] = {{NULL, "", FIELD_TEXT, FIELD_AT(struct level_item, name)},
					    {NULL, "", FIELD_BOOL, FIELD_AT(struct level_item, passes)},
					    {0}};

/* What happens without a change; not applicable if no projection was made. */
static bool get_by_itself(const void *item, struct value *out)
{
	const struct why_known *k = item;

	if (k->remedies != NULL)
		remedy_itself(k->s, job_of(k), k->remedies, k->now_s, &out->made);
	return value_made(out);
}

/*
 * The start without a change. For a job that starts at the next pass, there is no search for changes, and
 * this is the estimated start of the job.
 */
static bool get_projected_start(const void *item, struct value *out)
{
	const struct why_known *k = item;

	out->whole = k->remedies != NULL                    ? k->remedies->start_s
		     : k->why.verdict == VERDICT_STARTS_NOW ? k->why.estimated_s
							    : TIME_NEVER;
	return out->whole != TIME_NEVER;
}

static bool get_never_proven(const void *item, struct value *out)
{
	const struct why_known *k = item;

	out->whole = k->remedies != NULL && remedies_proven(k->remedies);
	return true;
}

static bool get_search(const void *item, struct value *out)
{
	out->text = remedies_search_name(remedies_of(item)->search);
	return true;
}

static void each_unsearched(const void *item, field_visit *visit, void *self)
{
	for (unsigned part = 0; part < REMEDIES_PARTS; part++)
		if ((remedies_of(item)->left >> part & 1) != 0)
			visit(self, remedies_part_name((enum remedies_part)part));
}

static const struct field head_fields[] = {
	{"job", NULL, FIELD_TEXT, .get = get_label}, {"verdict", NULL, FIELD_TEXT, .get = get_verdict}, {0}};

static const struct field known_fields[] = {
	{"clears_at", NULL, FIELD_INSTANT, FIELD_OR_NULL(struct why_known, why.clears_s, TIME_NEVER)},
	{"estimated_start", NULL, FIELD_INSTANT,
	 FIELD_OR_NULL(struct why_known, why.estimated_s, TIME_NEVER)},
	{"reserved_start", NULL, FIELD_INSTANT, .get = get_reserved_start},
	{"tier", NULL, FIELD_TEXT, .get = get_tier},
	{"explanation", NULL, FIELD_TEXT, .get = get_explanation},
	{"counted", NULL, FIELD_LIST, .of = name_fields, .each = each_counted, .when = is_over_idle_limit},
	{"passes", NULL, FIELD_MAP, .of = level_fields, .each = each_level},
	{"by_itself", NULL, FIELD_TEXT, .get = get_by_itself},
	{"projected_start", NULL, FIELD_INSTANT, .get = get_projected_start},
	{"never_proven", NULL, FIELD_BOOL, .get = get_never_proven},
	{0}};

static const struct field why_fields[] = {
	{.type = FIELD_MEMBERS, FIELD_AT(struct why_report, known), .of = head_fields},
	{"checks", NULL, FIELD_LIST, .of = check_fields, .each = each_check},
	{.type = FIELD_MEMBERS, FIELD_AT(struct why_report, known), .of = known_fields},
	{"changes", NULL, FIELD_LIST, .of = change_fields, .each = each_change},
	{"search", NULL, FIELD_TEXT, .get = get_search},
	{"not_searched", NULL, FIELD_LIST, .of = name_fields, .each = each_unsearched},
	{0}};

void why_report_json(const struct why_report *r, struct str *out)
{
	fields_document(out, why_fields, 0, r);
}

/* --- the text ------------------------------------------------------------------------------------------- */

static void print_sentence(const struct why_report *r,
			   void (*say)(const struct why_known *k, struct str *out), struct str *out)
{
	struct str sentence = {0};

	say(&r->known, &sentence);
	if (sentence.len > 0) {
		text_safe(out, str_text(&sentence), r->ascii);
		str_add_char(out, '\n');
	}
	str_free(&sentence);
}

static void add_check(void *table, const void *item)
{
	const struct check_item *i = item;

	if (i->report->all || !i->check.ok)
		field_table_add(table, i);
}

static void print_checks(const struct why_report *r, struct str *out)
{
	static const struct field_column columns[] = {{.key = "", .drop = 4},  {.key = "check"},
						      {.key = "value"},        {.key = "limit"},
						      {.key = "RESULT"},       {.key = "until", .drop = 3},
						      {.key = "of", .drop = 2}};
	struct field_table t;

	field_table_begin(&t, check_fields, columns, sizeof columns / sizeof columns[0]);
	t.report.width = r->width;
	each_check(r, add_check, &t);
	if (t.report.cells > 0) {
		str_add_char(out, '\n');
		field_table_print(&t, 0, r->ascii, out);
	}
	field_table_free(&t);
}

/* Appends "Passes all checks with soft limits: no; with hard limits only: yes; without limits: yes." */
static void print_levels(const struct why *why, struct str *out)
{
	static const char *const words[] = {"with soft limits", "with hard limits only", "without limits"};

	str_add(out, "\nPasses all checks ");
	for (enum policy_level level = POLICY_LEVEL_SOFT; level <= POLICY_LEVEL_OFF; level++)
		str_addf(out, "%s%s: %s", level > POLICY_LEVEL_SOFT ? "; " : "", words[level],
			 policy_level_first_gate(why, level) == GATE_NONE ? "yes" : "no");
	str_add(out, ".\n");
}

/* Prints the best changes, with the cost of each for other jobs. */
static void print_changes(const struct why_report *r, struct str *out)
{
	static const struct field_column columns[] = {
		{.key = "change"}, {.key = "STARTS"}, {.key = "COST"}, {.key = "may", .drop = 1}};
	const struct remedies *u = r->known.remedies;
	struct str unsearched = {0};
	struct field_table t;

	field_table_begin(&t, change_fields, columns, sizeof columns / sizeof columns[0]);
	t.report.width = r->width;
	t.report.no_titles = true;
	str_add_char(out, '\n');
	remedies_heading(u, r->by_s, r->known.now_s, out);
	str_add_char(out, '\n');
	for (size_t i = 0; i < u->count && i < MOST_SHOWN; i++)
		field_table_add(&t, &(struct change_item){r, &u->change[i]});
	field_table_print(&t, 2, r->ascii, out);
	field_table_free(&t);
	remedies_unsearched(u, r->known.now_s, &unsearched);
	if (unsearched.len > 0)
		str_addf(out, "%s\n", str_text(&unsearched));
	str_free(&unsearched);
}

void why_report_text(const struct why_report *r, struct str *out)
{
	const struct why_known *k = &r->known;

	print_sentence(r, why_text_verdict, out);
	print_sentence(r, why_text_start, out);
	if (k->why.verdict == VERDICT_RUNS)
		return;
	if (k->start.placeholder && k->why.estimated_s != TIME_NEVER)
		estimated_note(out, r->future, k->now_s);
	print_sentence(r, why_text_counted, out);
	print_checks(r, out);
	if (r->all)
		print_levels(&k->why, out);
	if (k->remedies != NULL)
		print_changes(r, out);
}
