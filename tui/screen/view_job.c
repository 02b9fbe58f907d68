/* SPDX-License-Identifier: MIT */
/*
 * view_job.c - Job screen: why a job is not running, and its history
 *
 * Shows the job, all checks in order, changes that would start it, its priority formula, and its journal
 * entries. Left and right move to the previous and next job of the queue. Tab selects one of the changes, and
 * Enter previews the selected one. If there is room, the Queue screen shows parts of this page beside or
 * below its list.
 */
#include "view_job.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "journal.h"
#include "page.h"
#include "sched/base/duration.h"
#include "sched/forecast/explain.h"
#include "sched/pass/queue.h"
#include "sched/rm/spool.h"
#include "sched/rm/wallclock.h"
#include "tui/query/job_query.h"
#include "tui/report/job_fields.h"
#include "tui/report/job_text.h"
#include "tui/report/priority_report.h"
#include "tui/report/why_report.h"
#include "view.h"
#include "whatif_sight.h"

/* --- remedies: the changes that would start a job ----------------------------------------------------- */

#define JOB_REMEDIES_MOST 9

#define CHANGE_X 3

#define TIER_X 25

#define WIDE 100

/* Returns the number of changes shown. In this section, `remedies` is NULL while the search runs. */
static size_t count_remedies(const struct remedies_query *remedies)
{
	if (!remedies)
		return 0;
	return remedies->found.count < JOB_REMEDIES_MOST ? remedies->found.count : JOB_REMEDIES_MOST;
}

/* Appends the command line of a change. */
static void add_remedy_line(const struct remedies_query *remedies, size_t at, struct str *out)
{
	remedy_line(remedies->query.plan_query->live.s, &remedies->found.change[at].ev, out);
}

/*
 * Writes, after a change, when the job would start with it, which jobs it delays, and who may make the
 * change.
 */
static void put_effect(struct page *p, const struct remedies_query *remedies, const struct remedy *change,
		       int width)
{
	const struct plan_query *o = remedies->query.plan_query;
	int when_x = width < WIDE ? 34 : 42;
	char when[MOMENT_TEXT];
	struct str cost = {0};

	page_at(p, when_x);
	page_add(p, ROLE_TEXT,
		 change->starts_s <= o->now_s ? "now" : wallclock_short(when, change->starts_s, o->now_s));
	remedy_cost(o->live.s, change, &cost);
	str_addf(&cost, "; %s", remedy_who(o->live.s, remedies->job, &change->ev));
	page_beside(p, ROLE_DIM, when_x + 10, width - 1, str_text(&cost));
	str_free(&cost);
}

static void put_changes(struct page *p, const struct remedies_query *remedies, const char *chosen, int width,
			size_t *line)
{
	struct str text = {0};

	for (size_t i = 0; i < count_remedies(remedies); i++) {
		bool is_chosen;

		str_clear(&text);
		add_remedy_line(remedies, i, &text);
		is_chosen = strcmp(str_text(&text), chosen) == 0;
		page_line(p);
		if (is_chosen)
			*line = p->lines;
		page_add(p, ROLE_STRONG, is_chosen ? ">" : " ");
		page_at(p, CHANGE_X);
		page_add(p, is_chosen ? ROLE_STRONG : ROLE_TEXT, str_text(&text));
		put_effect(p, remedies, &remedies->found.change[i], width);
	}
	str_free(&text);
}

static void put_found(struct page *p, const struct remedies_query *remedies, const char *chosen, int width,
		      size_t *line)
{
	const struct plan_query *o = remedies->query.plan_query;
	struct str text = {0};

	if (remedies->found.start_s > remedies_query_due_s(remedies)) {
		remedies_heading(&remedies->found, remedies_query_due_s(remedies), o->now_s, &text);
		page_wrap(p, ROLE_TEXT, 1, width - 2, str_text(&text));
	}
	put_changes(p, remedies, chosen, width, line);
	str_clear(&text);
	remedies_unsearched(&remedies->found, o->now_s, &text);
	if (text.len > 0)
		page_wrap(p, ROLE_DIM, 1, width - 2, str_text(&text));
	str_free(&text);
}

/*
 * Writes the changes that would start the current job. chosen: command line of the selected change, "" =
 * none. Returns the line of the selected change on the page, from 1; 0 = none.
 */
static size_t put_remedies(struct page *p, struct screen_host *host, const char *chosen, int width)
{
	const struct job *job = forecast_job(&host->ops->plan_query(host->console)->live,
					     host->ops->job(host->console), NULL);
	/* The search uses full projections (remedies.h). */
	const char *tier = whatif_tier(FUTURE_FULL, ASSUME_WCLIMIT);
	const struct remedies_query *remedies = host->ops->remedies(host->console);
	size_t line = 0, tried;

	if (!job || job->state != JOB_IDLE)
		return 0;
	page_heading(p, "WHAT WOULD START IT");
	page_at(p, TIER_X);
	page_add(p, ROLE_STATUS, tier);
	if (remedies) {
		put_found(p, remedies, chosen, width, &line);
	} else {
		page_line(p);
		page_at(p, 1);
		page_add(p, ROLE_DIM, "searching for changes ...");
		if (host->ops->remedies_running(host->console, &tried) && tried > 0)
			page_addf(p, ROLE_DIM, " %zu tried", tried);
	}
	return line;
}

/* --- page of a job ------------------------------------------------------------------------------------ */

#define LABEL_X 2

#define VALUE_X 12

#define NAME_X 4 /* column of the name of a check, after its number */

#define FOUND_X 26

#define TRUST_WIDTH 100

static void put_row(struct page *p, const char *label, enum role role, const struct str *value)
{
	page_line(p);
	page_at(p, LABEL_X);
	page_add(p, ROLE_DIM, label);
	page_at(p, VALUE_X);
	page_add(p, role, str_text(value));
}

static void put_creds(struct page *p, const struct snapshot *s, const struct job *job)
{
	static const enum cred_type after_user[] = {CRED_GROUP, CRED_ACCOUNT};
	const char *name = snapshot_job_cred(s, job, CRED_USER);
	struct str value = {0};

	str_add(&value, name ? name : "-");
	for (size_t i = 0; i < 2; i++) {
		name = snapshot_job_cred(s, job, after_user[i]);
		str_addf(&value, "/%s", name ? name : "-");
	}
	name = snapshot_job_cred(s, job, CRED_CLASS);
	str_addf(&value, "   class %s", name ? name : "-");
	name = snapshot_job_cred(s, job, CRED_QOS);
	str_addf(&value, "   QOS %s", name ? name : "-");
	put_row(p, "for", ROLE_TEXT, &value);
	str_free(&value);
}

static void put_request(struct page *p, const struct job *job)
{
	struct str value = {0};
	char wall[DURATION_TEXT];

	if (job->nodes > 0)
		str_addf(&value, "%" PRIu32 " nodes, ", job->nodes);
	str_addf(&value, "%" PRId64 " procs for %s = %" PRId64 " PS", job_procs(job),
		 duration_text(wall, job->wall_limit_s), job_procs(job) * job->wall_limit_s);
	if (job->mem_mb > 0)
		str_addf(&value, ", %" PRId64 " MB per task", job->mem_mb);
	put_row(p, "asks", ROLE_TEXT, &value);
	str_free(&value);
}

static void put_times(struct page *p, const struct job *job, int64_t now_s)
{
	struct str value = {0};
	char when[MOMENT_TEXT], queued[DURATION_TEXT], effective[DURATION_TEXT];
	int64_t until_s = job->state == JOB_RUNNING ? job->start_s : now_s;

	str_addf(&value, "%s, queued %s", wallclock_short(when, job->submit_s, now_s),
		 duration_text(queued, until_s - job->submit_s));
	if (job_queued_s(job, until_s) != until_s - job->submit_s)
		str_addf(&value, " (effective %s)", duration_text(effective, job_queued_s(job, until_s)));
	if (job->bypass > 0)
		str_addf(&value, ", bypassed %" PRIu32 "x", job->bypass);
	put_row(p, "submitted", ROLE_TEXT, &value);
	str_clear(&value);
	if (job->state == JOB_RUNNING) {
		str_add(&value, wallclock_short(when, job->start_s, now_s));
		if (job_due_end_s(job) != TIME_NEVER) {
			str_add(&value, ", ends by ");
			jobs_add_moment(&value, job_due_end_s(job), now_s);
		}
		put_row(p, "started", ROLE_TEXT, &value);
	}
	if (job_is_suspended(job)) {
		str_clear(&value);
		str_addf(&value, "%s, ", wallclock_short(when, job->suspended_at_s, now_s));
		if (job->resume_s != 0)
			str_addf(&value, "resumed by %s, ", wallclock_short(when, job->resume_s, now_s));
		str_addf(&value, "%s remaining", duration_text(queued, job_left_s(job, now_s)));
		put_row(p, "suspended", ROLE_TEXT, &value);
	}
	str_free(&value);
}

/*
 * Writes the resource usage of a running job: "1.93 of 2 processors (97%), 512 MB now, peak 600 MB, 5
 * processes". The number of processors is an average since the start.
 */
static void put_usage(struct page *p, struct screen_host *host, const struct job *job, int64_t now_s)
{
	struct spool_usage usage = {.cpu_ms = job->used_ps * 1000};
	int64_t measured_s, procs = job_procs_counted(job);
	struct str value = {0};
	bool known;

	if (job->state != JOB_RUNNING || now_s <= job->start_s)
		return;
	known = host->ops->usage(host->console, job, &usage);
	if (!known && job->used_ps < 0)
		return;
	measured_s = job_ran_s(job, known && usage.at_s > job->start_s ? usage.at_s : now_s);
	if (measured_s <= 0)
		return;
	str_addf(&value, "%.2f of %" PRId64 " processors (%.0f%%)",
		 (double)usage.cpu_ms / 1000 / (double)measured_s, procs,
		 (double)usage.cpu_ms / 10 / (double)(measured_s * procs));
	if (known)
		str_addf(&value, ", %" PRId64 " MB now, peak %" PRId64 " MB, %" PRIu32 " process%s",
			 usage.mem_kb / 1024, usage.mem_peak_kb / 1024, usage.processes,
			 usage.processes == 1 ? "" : "es");
	put_row(p, "uses", ROLE_TEXT, &value);
	str_free(&value);
}

static void put_nodes(struct page *p, const struct snapshot *s, const struct job *job)
{
	struct str value = {0};

	for (uint32_t at = job->run; job->state == JOB_RUNNING && at != INDEX_NONE && value.len < 200;
	     at = snapshot_runs(s)[at].next) {
		const struct alloc_run *run = &snapshot_runs(s)[at];
		const struct node *first = &snapshot_nodes(s)[run->node];

		str_addf(&value, "%s%s", value.len ? " " : "", snapshot_string(s, first->name));
		if (run->nodes > 1)
			str_addf(&value, "..%s", snapshot_string(s, first[run->nodes - 1].name));
		str_addf(&value, "*%" PRIu32, run->procs);
	}
	if (value.len > 0)
		put_row(p, "on", ROLE_TEXT, &value);
	str_free(&value);
}

/* Appends the reserved start of the job: "reserved", with the time if it differs from the estimated start. */
static void add_reservation(const struct forecast *f, uint32_t slot, struct str *out)
{
	const struct job *job = &snapshot_jobs(f->s)[slot];
	char when[MOMENT_TEXT];

	str_add(out, "   ");
	if (jobs_add_slip(f, slot, out) || job->planned_s == TIME_NEVER || f->start_s[slot] == TIME_NEVER)
		return;
	str_add(out, "reserved");
	if (f->start_s[slot] != job->planned_s)
		str_addf(out, " %s", wallclock_short(when, job->planned_s, f->plan.now_s));
}

/* Adds how the start was estimated: by the instant plan or by the projection. */
static void put_tier(struct page *p, const struct plan_query *o, uint32_t slot)
{
	bool never = o->live.start_s[slot] == TIME_NEVER;

	if (never && o->live.tier == FUTURE_INSTANT)
		return;
	page_at(p, p->x + 3);
	page_add(p, ROLE_DIM,
		 never                       ? "no start in the projection"
		 : o->live.placeholder[slot] ? "instant plan"
					     : "projection");
}

static void put_state(struct page *p, const struct plan_query *o, const struct job *job, uint32_t slot)
{
	static const char *const words[] = {"idle", "running", "blocked", "held"};
	enum role role = jobs_role(&o->live, slot);
	struct str value = {0};
	int word = role == ROLE_JOB_HELD ? 3 : job->state == JOB_RUNNING ? 1 : o->live.place[slot] ? 0 : 2;

	str_add(&value, words[word]);
	if (o->live.place[slot])
		str_addf(&value, ", number %" PRIu32 " of %" PRIu32, o->live.place[slot],
			 o->live.plan.queue.idle_count);
	if (job->holds)
		str_addf(&value, " (%s)", job_hold_names(job->holds));
	if (job->flags & JOB_BACKFILLED)
		str_add(&value, ", backfilled");
	put_row(p, "state", role, &value);
	str_clear(&value);
	if (job->state == JOB_IDLE) {
		role = jobs_add_start(&o->live, slot, &value);
		add_reservation(&o->live, slot, &value);
		put_row(p, "starts", role, &value);
		put_tier(p, o, slot);
	}
	str_free(&value);
}

/* Writes the accuracy of past estimates below the estimated start. Narrow screens omit it. */
static void put_accuracy(struct page *p, struct screen_host *host, uint32_t slot, int width)
{
	const struct plan_query *o = host->ops->plan_query(host->console);
	const struct accuracy_query *h = host->ops->accuracy(host->console);
	struct str value = {0};
	bool foretold = snapshot_jobs(o->live.s)[slot].state == JOB_IDLE &&
			o->live.start_s[slot] != TIME_NEVER && !plan_query_is_past(o);

	if (foretold && width >= TRUST_WIDTH && h && accuracy_query_print(h, &value))
		put_row(p, "", ROLE_DIM, &value);
	str_free(&value);
}

/* Writes state and estimated start in the same words as 'kahu why'. */
static void put_answer(struct page *p, struct screen_host *host, uint64_t id, int width)
{
	struct str sentence = {0};
	struct why_known known;

	if (!host->ops->why(host->console, id, &known))
		return;
	why_text_verdict(&known, &sentence);
	page_wrap(p, ROLE_REASON, 1, width - 2, str_text(&sentence));
	str_clear(&sentence);
	why_text_start(&known, &sentence);
	if (sentence.len > 0)
		page_wrap(p, ROLE_REASON, 1, width - 2, str_text(&sentence));
	str_free(&sentence);
}

void job_page_head(struct page *p, struct screen_host *host, uint64_t id, int width)
{
	const struct plan_query *o = host->ops->plan_query(host->console);
	uint32_t slot;
	const struct job *job = forecast_job(&o->live, id, &slot);
	char label[JOB_LABEL_TEXT];

	page_line(p);
	page_at(p, 1);
	if (!job) {
		page_addf(p, ROLE_DIM, "Job %" PRIu64 " is no longer in the queue.", id);
		return;
	}
	page_addf(p, ROLE_STRONG, "Job %s", snapshot_job_label(o->live.s, job, label));
	if (job->name)
		page_addf(p, ROLE_TEXT, "  %s", snapshot_string(o->live.s, job->name));
	put_creds(p, o->live.s, job);
	put_request(p, job);
	put_times(p, job, o->now_s);
	put_nodes(p, o->live.s, job);
	put_usage(p, host, job, o->now_s);
	put_state(p, o, job, slot);
	put_accuracy(p, host, slot, width);
	put_answer(p, host, id, width);
}

/* Adds the owner of the limit or cap that a check tests, if there is room. */
static void put_owner(struct page *p, const struct snapshot *s, const struct check *check, int limit_x)
{
	struct str owner = {0};

	if (check->gate < GATE_CLASS_LIMIT || check->gate > GATE_FS_CAP || check->reason.cred == INDEX_NONE)
		return;
	explain_owner(s, &check->reason, &owner);
	if (p->x + 2 + text_width(str_text(&owner)) < limit_x) {
		page_at(p, p->x + 2);
		page_add(p, ROLE_DIM, str_text(&owner));
	}
	str_free(&owner);
}

static void put_check(struct page *p, const struct snapshot *s, const struct check *check, bool first,
		      int limit_x, int result_x)
{
	enum role role = check->ok ? ROLE_CHECK_OK : ROLE_CHECK_FAIL;

	page_line(p);
	page_add(p, ROLE_CHECK_FAIL, first ? ">" : " ");
	page_addf(p, ROLE_DIM, "%2d", (int)check->gate);
	page_at(p, NAME_X);
	page_add(p, first ? ROLE_STRONG : ROLE_TEXT, gate_rows[check->gate].name);
	page_at(p, FOUND_X);
	page_add(p, first ? ROLE_STRONG : ROLE_TEXT, check->value);
	put_owner(p, s, check, limit_x);
	page_at(p, limit_x);
	page_add(p, ROLE_DIM, check->limit);
	page_at(p, result_x);
	if (check->known)
		page_add(p, role, role_info(role)->mark);
}

/* Does the check not apply to the job, because nothing is set that it could test? */
static bool is_empty(const struct check *check)
{
	return check->ok && strcmp(check->value, "none") == 0;
}

/* Writes the names of the checks that do not apply, in one sentence. */
static void put_empty_checks(struct page *p, const struct why *why, int width)
{
	struct str names = {0};

	for (enum gate g = GATE_NONE + 1; g < GATE_COUNT; g++)
		if (is_empty(&why->check[g]))
			str_addf(&names, "%s%s", str_text(&names)[0] ? ", " : "none: ", gate_rows[g].name);
	if (str_text(&names)[0])
		page_wrap(p, ROLE_DIM, NAME_X, width - NAME_X - 1, str_text(&names));
	str_free(&names);
}

void job_page_checks(struct page *p, struct screen_host *host, uint64_t id, int width)
{
	struct why_known known;
	int result_x = width < 100 ? width - 8 : 92, limit_x = result_x - 20;

	if (!host->ops->why(host->console, id, &known) || known.why.verdict == VERDICT_RUNS)
		return;
	page_heading(p, "CHECK");
	page_at(p, FOUND_X);
	page_add(p, ROLE_HELP_HEADING, "VALUE");
	page_at(p, limit_x);
	page_add(p, ROLE_HELP_HEADING, "LIMIT");
	page_at(p, result_x);
	page_add(p, ROLE_HELP_HEADING, "RESULT");
	for (enum gate g = GATE_NONE + 1; g < GATE_COUNT; g++)
		if (!is_empty(&known.why.check[g]))
			put_check(p, known.s, &known.why.check[g], g == known.why.first, limit_x, result_x);
	put_empty_checks(p, &known.why, width);
}

void job_page_priority(struct page *p, struct screen_host *host, uint64_t id, int width)
{
	const struct plan_query *o = host->ops->plan_query(host->console);
	const struct job *job = forecast_job(&o->live, id, NULL);
	struct str line = {0};

	if (!job)
		return;
	page_heading(p, "PRIORITY");
	formula_line(&o->live, job, &line);
	page_wrap(p, ROLE_FORMULA, 1, width - 2, str_text(&line));
	str_free(&line);
}

/* --- screen ------------------------------------------------------------------------------------------- */

struct job_view {
	struct screen_host *host;
	struct page page;
	struct journal history;
	uint64_t job;       /* job that the page shows; the page is scrolled to the top when it changes */
	struct str chosen;  /* command line of the selected change; "" = none */
	size_t chosen_line; /* line of the selected change on the page, from 1; 0 = none */
};

/* Is the entry shown? A past state shows only the entries up to this state. */
static bool is_told(const struct job_view *v, const struct journal_entry *e)
{
	const struct plan_query *o = v->host->ops->plan_query(v->host->console);

	return !plan_query_is_past(o) || e->seq <= o->live.s->seq;
}

static void put_history(struct job_view *v, int64_t now_s)
{
	char when[MOMENT_TEXT];

	page_heading(&v->page, "HISTORY");
	for (size_t i = 0; i < v->history.count; i++) {
		const struct journal_entry *e = &v->history.entry[i];

		if (!is_told(v, e))
			continue;
		page_line(&v->page);
		page_at(&v->page, 1);
		page_addf(&v->page, ROLE_DIM, "%-12s", wallclock_short(when, e->time_s, now_s));
		page_addf(&v->page, ROLE_TEXT, " %s", e->what);
		page_addf(&v->page, ROLE_DIM, "  (%s, entry %" PRIu64 ")", e->who, e->seq);
	}
	if (v->history.count == 0) {
		page_line(&v->page);
		page_at(&v->page, 1);
		page_add(&v->page, ROLE_DIM,
			 v->host->ops->store(v->host->console) != NULL
				 ? "no entries"
				 : "Journal not readable: the store belongs to another user; use :journal.");
	}
}

static void job_view_open(void *self, struct screen_host *host)
{
	((struct job_view *)self)->host = host;
}

static void job_view_close(void *self)
{
	struct job_view *v = self;

	page_free(&v->page);
	journal_clear(&v->history);
	str_free(&v->chosen);
}

static void job_view_recalc(void *self)
{
	struct job_view *v = self;
	uint64_t job = v->host->ops->job(v->host->console);
	int width = v->host->ops->width(v->host->console);

	if (job != v->job) {
		page_home(&v->page);
		str_clear(&v->chosen);
	}
	v->job = job;
	page_clear(&v->page);
	if (job == 0) {
		page_line(&v->page);
		page_at(&v->page, 1);
		page_add(&v->page, ROLE_DIM, "No job under the cursor.");
		return;
	}
	journal_follow(&v->history, v->host->ops->store(v->host->console),
		       v->host->ops->plan_query(v->host->console)->live.s,
		       (struct journal_filter){.job = job}, NULL);
	job_page_head(&v->page, v->host, job, width);
	job_page_checks(&v->page, v->host, job, width);
	v->chosen_line = put_remedies(&v->page, v->host, str_text(&v->chosen), width);
	job_page_priority(&v->page, v->host, job, width);
	put_history(v, v->host->ops->plan_query(v->host->console)->now_s);
}

static void job_view_draw(void *self, struct canvas *canvas, struct rect r)
{
	page_draw(&((struct job_view *)self)->page, canvas, r);
}

/* Returns the slot of the job at a position in the list of active, then idle, then blocked jobs. */
static uint32_t slot_at(const struct queue *q, uint32_t place)
{
	if (place < q->active_count)
		return q->active[place];
	place -= q->active_count;
	return place < q->idle_count ? q->idle[place].slot : q->blocked[place - q->idle_count];
}

/* Returns the ID of the previous or next job in this list; 0 if there is none. */
static uint64_t neighbour(const struct forecast *f, uint64_t id, bool after)
{
	const struct queue *q = &f->plan.queue;
	const struct job *jobs = snapshot_jobs(f->s);
	uint32_t count = q->active_count + q->idle_count + q->blocked_count, at = 0;

	while (at < count && jobs[slot_at(q, at)].id != id)
		at++;
	if (at == count || (after ? at + 1 == count : at == 0))
		return 0;
	return jobs[slot_at(q, after ? at + 1 : at - 1)].id;
}

/* --- changes that would start the job ----------------------------------------------------------------- */

/*
 * Returns the index of the selected change; the number of changes if none is selected, or if it is no longer
 * among them.
 */
static size_t chosen_at(const struct job_view *v, const struct remedies_query *remedies)
{
	size_t count = count_remedies(remedies), at = 0;
	struct str line = {0};

	for (; at < count; at++) {
		str_clear(&line);
		add_remedy_line(remedies, at, &line);
		if (strcmp(str_text(&line), str_text(&v->chosen)) == 0)
			break;
	}
	str_free(&line);
	return at;
}

static void say_none(const struct job_view *v)
{
	size_t tried;

	v->host->ops->say(v->host->console, ROLE_MESSAGE,
			  v->host->ops->remedies_running(v->host->console, &tried)
				  ? "The search for changes is still running."
				  : "No change to select.");
}

static void choose(struct job_view *v, bool after)
{
	const struct remedies_query *remedies = v->host->ops->remedies(v->host->console);
	size_t count = count_remedies(remedies), at = chosen_at(v, remedies);

	if (count == 0) {
		say_none(v);
		return;
	}
	if (at == count)
		at = after ? 0 : count - 1;
	else
		at = (at + (after ? 1 : count - 1)) % count;
	str_clear(&v->chosen);
	add_remedy_line(remedies, at, &v->chosen);
	job_view_recalc(v);
	page_show(&v->page, v->chosen_line);
}

static void propose(struct job_view *v)
{
	const struct remedies_query *remedies = v->host->ops->remedies(v->host->console);

	if (chosen_at(v, remedies) < count_remedies(remedies))
		v->host->ops->preview(v->host->console, str_text(&v->chosen));
	else if (count_remedies(remedies) == 0)
		say_none(v);
}

static void time_typed(void *self, const char *text)
{
	struct job_view *v = self;
	int64_t by_s = TIME_NONE;
	struct err err;

	if (text[0] != '\0' &&
	    !wallclock_parse(text, v->host->ops->plan_query(v->host->console)->now_s, &by_s, &err))
		v->host->ops->say(v->host->console, ROLE_ERROR, "%s", err.text);
	else
		v->host->ops->seek(v->host->console, v->host->ops->job(v->host->console), by_s);
}

/* --- keys ------------------------------------------------------------------------------------- */

static bool go_to_neighbour(struct job_view *v, bool after)
{
	uint64_t next = neighbour(&v->host->ops->plan_query(v->host->console)->live,
				  v->host->ops->job(v->host->console), after);

	if (next) {
		v->host->ops->go_job(v->host->console, next);
		v->host->ops->recalc(v->host->console);
	}
	return true;
}

static bool job_view_act(void *self, enum action action, int arg)
{
	struct job_view *v = self;

	(void)arg;
	switch (action) {
	case ACTION_WHY:
		return true;
	case ACTION_OPEN:
		propose(v);
		return true;
	case ACTION_LEFT:
	case ACTION_RIGHT:
		return go_to_neighbour(v, action == ACTION_RIGHT);
	case ACTION_PANE_NEXT:
	case ACTION_PANE_PREVIOUS:
		choose(v, action == ACTION_PANE_NEXT);
		return true;
	case ACTION_EDIT:
		v->host->ops->ask(v->host->console, "start by (16:30, +2:00:00; empty: now): ", "",
				  time_typed, v);
		return true;
	default:
		return false;
	}
}

static struct page *job_view_page(void *self)
{
	return &((struct job_view *)self)->page;
}

static const enum action hints[] = {
	ACTION_HOLD,    ACTION_RELEASE, ACTION_PRIORITY, ACTION_REWEIGHT,
	ACTION_NUMBERS, ACTION_UNDO,    ACTION_BACK,     ACTION_NONE,
};

const struct view_ops view_job = {
	.name = "job",
	.fields = job_fields,
	.title = "Job",
	.number = 2,
	.size = sizeof(struct job_view),
	.one_job = true,
	.queries = QUERY_BIT(QUERY_REMEDIES) | QUERY_BIT(QUERY_ACCURACY),
	.hints = hints,
	.open = job_view_open,
	.close = job_view_close,
	.recalc = job_view_recalc,
	.draw = job_view_draw,
	.act = job_view_act,
	.page = job_view_page,
};
