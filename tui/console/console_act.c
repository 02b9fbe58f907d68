/* SPDX-License-Identifier: MIT */
/*
 * console_act.c - how does a key that changes something become command lines?
 *
 * On which jobs, by how much, with which question first. What becomes of the lines is
 * console_draft.c's.
 */
#include <inttypes.h>
#include <string.h>

#include "console_inside.h"

#define NUDGE_POINTS 10

/* --- on which jobs -------------------------------------------------------------------- */

/* The job under the cursor, 0 = none. */
static uint64_t job_here(const struct console *c)
{
	return console_view(c)->no_job ? 0 : c->job;
}

/* Appends the name of a job as commands take it. */
static void add_name(const struct snapshot *s, uint64_t id, struct str *out)
{
	uint32_t slot = snapshot_find_job(s, id);
	char label[JOB_LABEL_TEXT];
	const char *name = slot == INDEX_NONE ? "" : snapshot_job_label(s, &snapshot_jobs(s)[slot], label);

	if (name[0] == '\0' || name[0] == '-' || strpbrk(name, " \t'\"\\"))
		str_addf(out, " %" PRIu64, id);
	else
		str_addf(out, " %s", name);
}

/* Can a command line do anything to the job? Those that are not here act on waiting jobs. */
static bool concerns(const char *pattern, const struct job *job)
{
	static const struct {
		const char *verb;
		bool waiting, running;
	} row[] = {{"cancel", true, true}, {"signal", false, true}, {"requeue", false, true}};

	if (strncmp(pattern, "release", strlen("release")) == 0)
		return job->holds != 0;
	if (strncmp(pattern, "suspend", strlen("suspend")) == 0)
		return job->state == JOB_RUNNING && (!job_is_suspended(job) || job_awaits_resume(job));
	if (strncmp(pattern, "resume", strlen("resume")) == 0)
		return job_is_suspended(job) && !job_awaits_resume(job);
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
		if (strncmp(pattern, row[i].verb, strlen(row[i].verb)) == 0)
			return job->state == JOB_RUNNING ? row[i].running : row[i].waiting;
	return job->state == JOB_IDLE;
}

static size_t add_marked(const struct forecast *f, const struct keyset *marked, const char *pattern,
			 struct str *out)
{
	size_t count = 0;

	for (size_t i = 0; i < marked->count; i++) {
		const struct job *job = forecast_job(f, marked->key[i], NULL);

		if (!job || !concerns(pattern, job))
			continue;
		add_name(f->s, marked->key[i], out);
		count++;
	}
	return count;
}

/*
 * Appends the marked jobs that the command line concerns, as -w would choose them, else the
 * one under the cursor, whatever it is; each behind a blank. Returns how many.
 */
static size_t add_targets(const struct console *c, const char *pattern, struct str *out)
{
	const struct table *t = console_view(c)->jobs ? console_table(c) : NULL;
	const struct forecast *f = &c->shown->live;

	if (t && t->marked.count > 0)
		return add_marked(f, &t->marked, pattern, out);
	if (!forecast_job(f, job_here(c), NULL))
		return 0;
	add_name(f->s, job_here(c), out);
	return 1;
}

static void say_no_target(struct console *c)
{
	const struct table *t = console_view(c)->jobs ? console_table(c) : NULL;

	if (t && t->marked.count > 0)
		console_say(c, ROLE_MESSAGE,
			    "None of the marked jobs could be changed by this; \\ clears the marks.");
	else
		console_say(c, ROLE_MESSAGE, "There is no job under the cursor.");
}

/* Drafts a line in which JOBS_HERE stands for the jobs. */
static void propose_for_jobs(struct console *c, const char *pattern)
{
	size_t before = strcspn(pattern, JOBS_HERE);
	struct str line = {0}, jobs = {0};

	if (!c->shown || add_targets(c, pattern, &jobs) == 0) {
		say_no_target(c);
	} else {
		str_add_bytes(&line, pattern, before);
		str_add(&line, str_text(&jobs));
		str_add(&line, pattern[before] ? pattern + before + 1 : "");
		console_propose(c, str_text(&line));
		if (c->draft.proposal) {
			str_clear(&c->draft.again);
			str_add(&c->draft.again, pattern);
		}
	}
	str_free(&line);
	str_free(&jobs);
}

/* --- nudges: keys that add up --------------------------------------------------------- */

/* Counts a key; returns how often, down being negative. 0: they took each other back. */
static int64_t count_nudge(struct console *c, enum action up, int by)
{
	if (!c->draft.proposal || c->nudge.job != c->job || c->nudge.action != up)
		c->nudge = (struct nudge){.action = up, .job = c->job};
	c->nudge.count += by;
	if (c->nudge.count == 0)
		console_take_back(c);
	return c->nudge.count;
}

/* "priority=+30", or what takes an adjustment away. */
static void add_priority(struct str *line, uint8_t adjust, int64_t points)
{
	if (adjust == JOB_ADJUST_ABSOLUTE)
		str_addf(line, " priority=%" PRId64, points);
	else if (points == 0)
		str_add(line, " priority=none");
	else
		str_addf(line, " priority=%+" PRId64, points);
}

static int64_t relative_points(const struct job *job)
{
	return job->adjust == JOB_ADJUST_NONE ? 0 : job->points;
}

/* One line a job, as each has points of its own already. */
static void raise_jobs(struct console *c, int by)
{
	const struct table *t = console_view(c)->jobs ? console_table(c) : NULL;
	size_t marked = t ? t->marked.count : 0;
	int64_t points = c->shown && job_here(c) ? NUDGE_POINTS * count_nudge(c, ACTION_RAISE, by) : 0;
	struct str lines = {0};

	for (size_t i = 0; points != 0 && i < (marked > 0 ? marked : 1); i++) {
		uint64_t id = marked > 0 ? t->marked.key[i] : c->job;
		const struct job *job = forecast_job(&c->shown->live, id, NULL);

		if (!job || (marked > 0 && !concerns("set", job)))
			continue;
		str_add(&lines, lines.len > 0 ? "\nset" : "set");
		add_name(c->shown->live.s, id, &lines);
		add_priority(&lines, job->adjust, relative_points(job) + points);
	}
	if (lines.len > 0)
		console_propose(c, str_text(&lines));
	else if (marked > 0 && points != 0)
		say_no_target(c);
	str_free(&lines);
}

/* The rank the job would have with so many points. */
static int64_t rank_with(const struct forecast *f, const struct job *job, int64_t points)
{
	struct job changed = *job;
	struct prio_result result;

	if (changed.adjust == JOB_ADJUST_NONE)
		changed.adjust = JOB_ADJUST_RELATIVE;
	changed.points = points;
	forecast_priority(f, &changed, &result);
	return result.rank;
}

static bool is_before(int64_t rank, const struct job *job, const struct queued *other,
		      const struct job *other_job)
{
	if (rank != other->rank)
		return rank > other->rank;
	if (job->submit_s != other_job->submit_s)
		return job->submit_s < other_job->submit_s;
	return job->id < other_job->id;
}

/* The points nearest to the present ones that put the job just past `other`. */
static int64_t points_past(const struct forecast *f, const struct job *job, const struct queued *other,
			   bool up)
{
	const struct job *other_job = &snapshot_jobs(f->s)[other->slot];
	int64_t points = relative_points(job);

	points += other->rank - rank_with(f, job, points) + (up ? -1 : 1);
	for (int i = 0; i < 4 && is_before(rank_with(f, job, points), job, other, other_job) != up; i++)
		points += up ? 1 : -1;
	return points;
}

static void move_in_order(struct console *c, int by)
{
	const struct forecast *f = c->shown ? &c->shown->live : NULL;
	uint32_t slot, place = 0;
	const struct job *job = f ? forecast_job(f, job_here(c), &slot) : NULL;
	int64_t target;
	struct str line = {0};

	if (job)
		place = f->place[slot];
	if (place == 0) {
		console_say(c, ROLE_MESSAGE, "Only idle jobs have a place in the order.");
		return;
	}
	target = place - count_nudge(c, ACTION_ORDER_UP, by);
	if (target == place)
		return;
	if (target < 1 || target > f->plan.queue.idle_count) {
		c->nudge.count -= by;
		console_say(c, ROLE_MESSAGE, "It is the %s already.", by > 0 ? "first" : "last");
		return;
	}
	str_add(&line, "set");
	add_name(f->s, c->job, &line);
	add_priority(&line, job->adjust,
		     points_past(f, job, &f->plan.queue.idle[target - 1], target < place));
	console_propose(c, str_text(&line));
	str_free(&line);
}

/* --- questions ------------------------------------------------------------------------ */

static void answer_hold(struct console *c, char key)
{
	char pattern[] = "hold -u" JOBS_HERE;

	pattern[6] = key;
	propose_for_jobs(c, pattern);
}

static void ask_hold(struct console *c)
{
	c->question = (struct question){
		.text = "Which hold?",
		.choice = {{'u', "user"}, {'s', "system"}, {'b', "batch"}},
		.count = 3,
		.chosen = answer_hold,
	};
}

static void answer_suspend(struct console *c, char key)
{
	propose_for_jobs(c, key == 'r' ? "suspend --release" JOBS_HERE : "suspend --keep" JOBS_HERE);
}

/* Resumes when there is nothing else that it could do. */
static void suspend_or_resume(struct console *c)
{
	const struct table *t = console_view(c)->jobs ? console_table(c) : NULL;
	const struct job *here = c->shown ? forecast_job(&c->shown->live, job_here(c), NULL) : NULL;
	struct str jobs = {0};
	bool resumes = t && t->marked.count > 0
			       ? c->shown && add_targets(c, "suspend", &jobs) == 0
			       : here != NULL && job_is_suspended(here) && !job_awaits_resume(here);

	str_free(&jobs);
	if (resumes) {
		propose_for_jobs(c, "resume" JOBS_HERE);
		return;
	}
	c->question = (struct question){
		.text = "Suspend: may other jobs use the processors?",
		.choice = {{'k', "keep them"}, {'r', "release them"}},
		.count = 2,
		.chosen = answer_suspend,
	};
}

/* Drafts what stands before the jobs and behind them, with the typed text in between. */
static void propose_with(struct console *c, const char *before, const char *text, const char *behind)
{
	struct str pattern = {0};

	str_addf(&pattern, "%s%s%s", before, text, behind);
	if (text[0] != '\0')
		propose_for_jobs(c, str_text(&pattern));
	str_free(&pattern);
}

static void give_points(void *self, const char *text)
{
	propose_with(self, "set" JOBS_HERE " priority=", text, "");
}

static void give_walltime(void *self, const char *text)
{
	propose_with(self, "set" JOBS_HERE " walltime=", text, "");
}

static void give_signal(void *self, const char *text)
{
	propose_with(self, "signal ", text, JOBS_HERE);
}

bool console_act(struct console *c, enum action action)
{
	if (action_row(action)->set == SET_ACTING && action != ACTION_REWEIGHT && action != ACTION_SUBMIT &&
	    job_here(c) == 0) {
		console_say(c, ROLE_MESSAGE, "There is no job under the cursor.");
		return true;
	}
	switch (action) {
	case ACTION_OPEN:
	case ACTION_WHY:
		console_go(c, "job");
		return true;
	case ACTION_PRIORITY:
		console_go(c, "priority");
		return true;
	case ACTION_REWEIGHT:
		console_go(c, "priority");
		if (console_view(c)->act)
			(void)console_view(c)->act(console_view_memory(c), ACTION_REWEIGHT, 0);
		return true;
	case ACTION_HOLD:
		ask_hold(c);
		return true;
	case ACTION_RELEASE:
		propose_for_jobs(c, "release" JOBS_HERE);
		return true;
	case ACTION_RAISE:
		raise_jobs(c, 1);
		return true;
	case ACTION_LOWER:
		raise_jobs(c, -1);
		return true;
	case ACTION_SET_PRIORITY:
		console_ask(c, "points:", "", give_points, c);
		return true;
	case ACTION_WALLTIME:
		console_ask(c, "wallclock limit:", "", give_walltime, c);
		return true;
	case ACTION_CANCEL:
		propose_for_jobs(c, "cancel" JOBS_HERE);
		return true;
	case ACTION_SIGNAL:
		console_ask(c, "signal:", "", give_signal, c);
		return true;
	case ACTION_REQUEUE:
		propose_for_jobs(c, "requeue" JOBS_HERE);
		return true;
	case ACTION_STOP:
		suspend_or_resume(c);
		return true;
	case ACTION_SUBMIT:
		console_go(c, "submit");
		return true;
	case ACTION_OUTPUT:
		console_go(c, "follow");
		return true;
	case ACTION_ORDER_UP:
		move_in_order(c, 1);
		return true;
	case ACTION_ORDER_DOWN:
		move_in_order(c, -1);
		return true;
	default:
		return false;
	}
}

/* --- again ---------------------------------------------------------------------------- */

void console_undo(struct console *c)
{
	console_propose(c, "undo");
}

void console_repeat(struct console *c)
{
	if (c->again.len == 0)
		console_say(c, ROLE_MESSAGE, "Nothing has been changed yet that could be done again.");
	else if (strstr(str_text(&c->again), JOBS_HERE))
		propose_for_jobs(c, str_text(&c->again));
	else
		console_propose(c, str_text(&c->again));
}
