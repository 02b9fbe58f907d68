/* SPDX-License-Identifier: MIT */
/*
 * why_report.c - changes that would start a job
 */
#include "why_report.h"

#include <inttypes.h>
#include <string.h>

#include "job_text.h"
#include "report.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/base/str.h"
#include "sched/rm/wallclock.h"
#include "tui/serve/users.h"

/* --- changes that would start a job ------------------------------------------------------------------- */

#define MOST_SHOWN 8

static const char *label_of(const struct snapshot *s, uint64_t id, char buf[static JOB_LABEL_TEXT])
{
	uint32_t slot = snapshot_find_job(s, id);

	return slot == INDEX_NONE ? "?" : snapshot_job_label(s, &snapshot_jobs(s)[slot], buf);
}

/* Amounts in readable form: 2:52:03 instead of 10323. */
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
	static const char *const words[] = {[ADMIN_ALL] = "administrator 1",
					    [ADMIN_JOBS] = "administrator 2",
					    [ADMIN_NONE] = "its owner"};

	return words[permission_level(s, job, ev)];
}

/* --- start without a change --------------------------------------------------------------------------- */

/*
 * The reason that blocks the job until then, without the time at which it clears, which was printed before.
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

/* The predicate that says what the job waits for until it starts; empty if it starts at once, or never. */
static void remedy_until(const struct snapshot *s, const struct job *job, const struct remedies *u,
			 struct str *out)
{
	if (u->start_s != TIME_NEVER && u->last_s != TIME_NONE && u->holds != GATE_NONE)
		add_last(s, job, u, out);
}

/* "; job 12 ends then": the largest job that ends when this one starts. */
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
		str_addf(out, ": until then it %s", str_text(&until));
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
		str_add(out, "it still ");
	} else {
		str_add(out, "it ");
	}
	add_last(s, job, u, out);
	if (!remedies_proven(u))
		str_add(out, "; that is so if all jobs end well, and may change when one fails");
}

static void add_unreached(const struct remedies *u, int64_t now_s, struct str *out)
{
	str_add(out, "Does not start by itself before ");
	job_text_moment(out, u->last_s, now_s);
	str_add(out, ", where the projection reached its budget of work");
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

static void cell_cost(struct report *r, const struct snapshot *s, const struct remedy *c)
{
	struct str cost = {0};

	remedy_cost(s, c, &cost);
	report_cell(r, str_text(&cost));
	str_free(&cost);
}

static void add_row(struct report *r, const struct cmd_env *env, uint64_t job, const struct remedy *c)
{
	char when[MOMENT_TEXT];
	struct str line = {0};

	remedy_line(env->s, &c->ev, &line);
	report_cell(r, str_text(&line));
	report_cell(r, c->starts_s <= env->now_s ? "now" : wallclock_short(when, c->starts_s, env->now_s));
	cell_cost(r, env->s, c);
	report_cell(r, remedy_who(env->s, job, &c->ev));
	str_free(&line);
}

/* Does any change start it later than the earliest possible start? */
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
		str_addf(out, "It needs no change to start by %s.", wallclock_short(when, by_s, now_s));
		return;
	}
	str_add(out, u->by_s == by_s ? "Single changes that start it " : "No single change starts it ");
	if (by_s <= now_s)
		str_add(out, "now");
	else
		str_addf(out, "by %s", wallclock_short(when, by_s, now_s));
	if (u->by_s != by_s && u->by_s != TIME_NEVER)
		str_addf(out, "; those that start it soonest, %s %s", is_one_later(u) ? "from" : "at",
			 wallclock_short(soonest, u->by_s, now_s));
	if (u->by_s != by_s && is_one_later(u))
		str_add(out, " on");
	str_add(out, u->count > 0 ? " (simulated, not made):" : ".");
}

void remedies_unsearched(const struct remedies *u, int64_t now_s, struct str *out)
{
	static const char *const parts[] = {"of the job", "of its limits", "of the site", "of other jobs"};
	unsigned left = u->left;

	if (u->search != REMEDIES_BUDGET && u->known_s == TIME_NEVER)
		return;
	if (left != 0)
		str_add(out, "The search reached its budget of work: not all changes ");
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

void remedies_print(const struct cmd_env *env, uint64_t job, const struct remedies *u, int64_t by_s)
{
	static const struct report_column columns[] = {
		{"", TEXT_LEFT}, {"", TEXT_LEFT}, {"", TEXT_LEFT}, {"", TEXT_LEFT}};
	static const unsigned char spare[] = {0, 0, 0, 1};
	struct report r = {
		.column = columns, .columns = 4, .no_titles = true, .width = env->width, .spare = spare};
	struct str unsearched = {0};

	str_add_char(env->out, '\n');
	remedies_heading(u, by_s, env->now_s, env->out);
	str_add_char(env->out, '\n');
	for (size_t i = 0; i < u->count && i < MOST_SHOWN; i++)
		add_row(&r, env, job, &u->change[i]);
	report_print(&r, 2, env->ascii, env->out);
	report_free(&r);
	remedies_unsearched(u, env->now_s, &unsearched);
	if (unsearched.len > 0)
		str_addf(env->out, "%s\n", str_text(&unsearched));
	str_free(&unsearched);
}

/* --- JSON ------------------------------------------------------------------------------------------ */

static void json_change(struct json *j, const struct snapshot *s, uint64_t job, const struct remedy *c)
{
	char label[JOB_LABEL_TEXT];
	struct str line = {0};

	remedy_line(s, &c->ev, &line);
	json_open(j, NULL, '{');
	json_text(j, "change", str_text(&line));
	json_int(j, "starts_at", c->starts_s);
	json_text(j, "may", remedy_who(s, job, &c->ev));
	json_int(j, "delayed", c->delayed);
	json_bool(j, "delays_complete", !c->partial);
	json_int(j, "work_lost_ps", c->work_lost_ps);
	json_text(j, "note", is_shorter_limit(&c->ev) ? "the job is killed at this limit" : NULL);
	json_open(j, "delays", '[');
	for (uint32_t i = 0; i < c->delays; i++) {
		json_open(j, NULL, '{');
		json_text(j, "job", label_of(s, c->delay[i].job, label));
		json_int_or_null(j, "by_s", c->delay[i].by_s, TIME_NEVER);
		json_close(j);
	}
	json_close(j);
	json_close(j);
	str_free(&line);
}

void remedies_json(struct json *j, const struct snapshot *s, uint64_t job, const struct remedies *u)
{
	json_open(j, "changes", '[');
	for (size_t i = 0; i < u->count; i++)
		json_change(j, s, job, &u->change[i]);
	json_close(j);
	json_text(j, "search", remedies_search_name(u->search));
	json_open(j, "not_searched", '[');
	for (unsigned part = 0; part < REMEDIES_PARTS; part++)
		if ((u->left >> part & 1) != 0)
			json_text(j, NULL, remedies_part_name((enum remedies_part)part));
	json_close(j);
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

/* The predicate with the reason, if the verdict does not contain it already. */
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

/* What the job waits for until it starts, unless the verdict has just said it. */
static void add_until(const struct why_known *k, struct str *out)
{
	const struct reason lead = k->why.lead;
	struct str until = {0};

	if (k->remedies == NULL || k->remedies->start_s != k->start.start_s)
		return;
	if (!is_same_cause(&lead, &k->remedies->last.check[k->remedies->holds].reason))
		remedy_until(k->s, job_of(k), k->remedies, &until);
	if (until.len > 0)
		str_addf(out, "; until then it %s", str_text(&until));
	remedy_ending(k->s, k->remedies, out);
	str_free(&until);
}

void why_text_start(const struct why_known *k, struct str *out)
{
	if (k->why.verdict == VERDICT_RUNS)
		return;
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

bool why_text_shows(const struct check *check, bool all)
{
	return check->known && (all || !check->ok);
}
