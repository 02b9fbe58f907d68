/* SPDX-License-Identifier: MIT */
/*
 * console_act.c - command lines for keys that change something
 *
 * Finds the target jobs and the amounts, and asks questions where necessary. console_draft.c runs the command
 * lines.
 */
#include <inttypes.h>
#include <string.h>

#include "console_inside.h"
#include "sched/policy/priority.h"

#define NUDGE_POINTS 10
/* J and K: the new order lasts at least this many seconds, although jobs age at different rates */
#define MARGIN_S 3600

/* --- target jobs ---------------------------------------------------------------------- */

/* Returns the job under the cursor; 0 if none. */
static uint64_t job_here(const struct console *c)
{
	return console_view(c)->no_job ? 0 : c->job;
}

/* Appends a blank and the label of the job; its ID if the label would have to be quoted. */
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

/* Does the command apply to jobs in this state? Commands that are not named here apply to idle jobs. */
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

/* Returns the number of keys whose rows are hidden by the filter. */
static size_t count_hidden(const struct console *c, const struct table *t, const struct keyset *keys)
{
	size_t shown = 0;

	if (console_filter(c)->count == 0)
		return 0;
	for (size_t row = 0; row < t->source.rows; row++)
		shown += !table_is_section(t, row) && keyset_has(keys, t->source.key(t->source.self, row));
	return keys->count - shown;
}

size_t console_hidden_marks(const struct console *c)
{
	const struct view_ops *v = console_view(c);
	const struct table *t = v->jobs || v->entries ? console_table(c) : NULL;

	return t && t->marked.count > 0 ? count_hidden(c, t, &t->marked) : 0;
}

/* The target jobs of an action: the marked jobs, or the job under the cursor. */
struct targets {
	struct str names; /* each preceded by a blank */
	struct keyset marked;
	size_t hidden; /* number of marked jobs hidden by the filter */
};

static void free_targets(struct targets *t)
{
	str_free(&t->names);
	keyset_free(&t->marked);
}

static void add_marked(const struct console *c, const struct table *t, const char *pattern,
		       struct targets *out)
{
	const struct forecast *f = &c->shown->live;

	for (size_t i = 0; i < t->marked.count; i++) {
		const struct job *job = forecast_job(f, t->marked.key[i], NULL);

		if (!job || !concerns(pattern, job))
			continue;
		add_name(f->s, t->marked.key[i], &out->names);
		keyset_append(&out->marked, t->marked.key[i]);
	}
	keyset_settle(&out->marked);
	out->hidden = count_hidden(c, t, &out->marked);
}

/*
 * Finds the marked jobs to which the command applies; without marks, takes the job under the cursor in any
 * state. Returns false if there are none.
 */
static bool find_targets(const struct console *c, const char *pattern, struct targets *out)
{
	const struct table *t = console_view(c)->jobs ? console_table(c) : NULL;

	if (!t || t->marked.count == 0)
		add_name(c->shown->live.s, job_here(c), &out->names);
	else
		add_marked(c, t, pattern, out);
	return out->names.len > 0;
}

/* Shows how many jobs the box applies to, and how many of them are hidden. */
static void note_targets(struct console *c, const struct targets *t)
{
	if (c->box.proposal) {
		c->targets = t->marked.count;
		c->hidden_targets = t->hidden;
	} else if (t->hidden > 0) {
		console_say(c, ROLE_WARNING, "%zu marked jobs, %zu of them hidden by the filter.",
			    t->marked.count, t->hidden);
	}
}

static void say_no_target(struct console *c)
{
	const struct table *t = console_view(c)->jobs ? console_table(c) : NULL;

	if (t && t->marked.count > 0)
		console_say(c, ROLE_MESSAGE,
			    "This does not apply to any of the marked jobs; \\ clears the marks.");
	else
		console_say(c, ROLE_MESSAGE, "No job under the cursor.");
}

/* Proposes a command line; JOBS_HERE is replaced with the names of the jobs. */
static void propose_for_jobs(struct console *c, const char *pattern)
{
	size_t before = strcspn(pattern, JOBS_HERE);
	struct str line = {0};
	struct targets targets = {0};

	if (!c->shown || !find_targets(c, pattern, &targets)) {
		say_no_target(c);
	} else {
		str_add_bytes(&line, pattern, before);
		str_add(&line, str_text(&targets.names));
		str_add(&line, pattern[before] ? pattern + before + 1 : "");
		if (console_propose(c, str_text(&line))) {
			note_targets(c, &targets);
			str_clear(&console_front(c)->again);
			str_add(&console_front(c)->again, pattern);
		}
	}
	str_free(&line);
	free_targets(&targets);
}

/* --- keys that add up ----------------------------------------------------------------- */

/* Removes the priority change of the job, because the keys have cancelled each other out. */
static void unpropose_priority(struct console *c, uint64_t job)
{
	if (c->box.proposal)
		console_drop(c, &c->box);
	else if (c->draft.proposal)
		console_remove_edit(c,
				    edits_find_priority(&c->draft.edits, &c->draft.proposal->changes, job));
}

/*
 * Counts a key press and returns the sum, negative for down; 0 if the presses have cancelled each other out.
 */
static int64_t count_nudge(struct console *c, enum action up, int by)
{
	if (!console_front(c)->proposal || c->nudge.job != c->job || c->nudge.action != up)
		c->nudge = (struct nudge){.action = up, .job = c->job};
	return c->nudge.count += by;
}

/*
 * Appends " priority=+30", " priority=500" for an absolute priority, or " priority=none" to clear an
 * adjustment.
 */
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

/* Appends a command line that adds points to the current points of a job. */
static void add_raise(struct console *c, uint64_t id, int64_t points, struct str *lines)
{
	const struct job *job = forecast_job(&c->shown->live, id, NULL);

	str_add(lines, lines->len > 0 ? "\nset" : "set");
	add_name(c->shown->live.s, id, lines);
	add_priority(lines, job->adjust, relative_points(job) + points);
}

static void raise_jobs(struct console *c, int by)
{
	struct targets targets = {0};
	struct keyset jobs = {0};
	struct str lines = {0};
	int64_t points;

	if (!c->shown || !find_targets(c, "set", &targets)) {
		say_no_target(c);
		free_targets(&targets);
		return;
	}
	for (size_t i = 0; i < targets.marked.count; i++)
		keyset_append(&jobs, targets.marked.key[i]);
	if (jobs.count == 0)
		keyset_append(&jobs, c->job);
	points = NUDGE_POINTS * count_nudge(c, ACTION_RAISE, by);
	for (size_t i = 0; i < jobs.count; i++) {
		if (points == 0)
			unpropose_priority(c, jobs.key[i]);
		else if (forecast_job(&c->shown->live, jobs.key[i], NULL))
			add_raise(c, jobs.key[i], points, &lines);
	}
	if (lines.len > 0 && console_propose(c, str_text(&lines)))
		note_targets(c, &targets);
	str_free(&lines);
	keyset_free(&jobs);
	free_targets(&targets);
}

/* Returns the rank that a job would have at a given time with these points. */
static int64_t rank_with(const struct forecast *f, const struct job *job, int64_t points, int64_t at_s)
{
	struct job changed = *job;
	struct prio_result result;

	if (changed.adjust == JOB_ADJUST_NONE)
		changed.adjust = JOB_ADJUST_RELATIVE;
	changed.points = points;
	queue_priority(f->s, &changed, at_s, &f->plan.queue.shares, &result);
	return result.rank;
}

static int64_t rank_at(const struct forecast *f, const struct job *job, int64_t at_s)
{
	struct prio_result result;

	queue_priority(f->s, job, at_s, &f->plan.queue.shares, &result);
	return result.rank;
}

static bool is_before(int64_t rank, const struct job *job, int64_t other_rank, const struct job *other)
{
	return priority_compare(rank, other_rank, job_compare_age(job, other)) < 0;
}

/* Returns the points closest to the current ones that rank the job just past another job at a given time. */
static int64_t points_past(const struct forecast *f, const struct job *job, const struct job *other, bool up,
			   int64_t at_s)
{
	int64_t points = relative_points(job), other_rank = rank_at(f, other, at_s);

	points += other_rank - rank_with(f, job, points, at_s) + (up ? -1 : 1);
	for (int i = 0; i < 4 && is_before(rank_with(f, job, points, at_s), job, other_rank, other) != up;
	     i++)
		points += up ? 1 : -1;
	return points;
}

/*
 * Returns the points, as close as possible to the current ones, that move the job to a place in the order,
 * counted from 1, and keep it there for MARGIN_S although jobs age at different rates. The margin is reduced
 * if it would move the job past the next job as well.
 */
static int64_t points_for_place(const struct forecast *f, const struct job *job, int64_t place, bool up)
{
	const struct queued *idle = f->plan.queue.idle;
	int64_t now_s = f->plan.now_s, beyond = place + (up ? -1 : 1), now, later, most;
	const struct job *other = &snapshot_jobs(f->s)[idle[place - 1].slot];

	now = points_past(f, job, other, up, now_s);
	later = points_past(f, job, other, up, now_s + MARGIN_S);
	if (up ? later <= now : later >= now)
		return now;
	if (beyond < 1 || beyond > f->plan.queue.idle_count)
		return later;
	other = &snapshot_jobs(f->s)[idle[beyond - 1].slot];
	most = points_past(f, job, other, up, now_s) + (up ? -1 : 1);
	if (up)
		return later < most ? later : most > now ? most : now;
	return later > most ? later : most < now ? most : now;
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
		console_say(c, ROLE_MESSAGE, "Only idle jobs can be reordered.");
		return;
	}
	target = place - count_nudge(c, ACTION_ORDER_UP, by);
	if (target == place) {
		unpropose_priority(c, c->job);
		return;
	}
	if (target < 1 || target > f->plan.queue.idle_count) {
		c->nudge.count -= by;
		console_say(c, ROLE_MESSAGE, "The job is already %s.", by > 0 ? "first" : "last");
		return;
	}
	str_add(&line, "set");
	add_name(f->s, c->job, &line);
	add_priority(&line, job->adjust, points_for_place(f, job, target, target < place));
	(void)console_propose(c, str_text(&line));
	str_free(&line);
}

/* --- questions ------------------------------------------------------------------------ */

void console_choose_variant(struct console *c, const struct variant *variant)
{
	const struct variant *all = c->variant;
	size_t count = c->variants;

	propose_for_jobs(c, variant->pattern);
	c->variant = all;
	c->variants = count;
}

/*
 * Proposes an action with several variants: opens the box with the first variant, or, on screens that add
 * actions to the draft, asks for the variant first.
 */
static void propose_variants(struct console *c, const char *text, const struct variant *variant, size_t count,
			     void (*chosen)(struct console *c, char key))
{
	if (!console_view(c)->shows_draft) {
		propose_for_jobs(c, variant[0].pattern);
		c->variant = c->box.proposal ? variant : NULL;
		c->variants = c->box.proposal ? count : 0;
		return;
	}
	c->question = (struct question){.text = text, .count = count, .chosen = chosen};
	for (size_t i = 0; i < count; i++) {
		c->question.choice[i].key = variant[i].key;
		c->question.choice[i].label = variant[i].label;
	}
}

static void answer_variant(struct console *c, const struct variant *variant, size_t count, char key)
{
	for (size_t i = 0; i < count; i++)
		if (variant[i].key == key)
			propose_for_jobs(c, variant[i].pattern);
}

static const struct variant holds[] = {
	{'u', "user hold", "hold -u" JOBS_HERE},
	{'s', "system hold", "hold -s" JOBS_HERE},
	{'b', "batch hold", "hold -b" JOBS_HERE},
};
#define HOLDS (sizeof holds / sizeof holds[0])

static void answer_hold(struct console *c, char key)
{
	answer_variant(c, holds, HOLDS, key);
}

static void hold(struct console *c)
{
	propose_variants(c, "Which hold?", holds, HOLDS, answer_hold);
}

static const struct variant suspends[] = {
	{'k', "keep the processors", "suspend --keep" JOBS_HERE},
	{'r', "release them for other jobs", "suspend --release" JOBS_HERE},
};
#define SUSPENDS (sizeof suspends / sizeof suspends[0])

static void answer_suspend(struct console *c, char key)
{
	answer_variant(c, suspends, SUSPENDS, key);
}

/* Proposes to resume the target jobs if none of them can be suspended, else to suspend them. */
static void suspend_or_resume(struct console *c)
{
	const struct table *t = console_view(c)->jobs ? console_table(c) : NULL;
	const struct job *here = c->shown ? forecast_job(&c->shown->live, job_here(c), NULL) : NULL;
	struct targets targets = {0};
	bool resumes = t && t->marked.count > 0
			       ? c->shown && !find_targets(c, "suspend", &targets)
			       : here != NULL && job_is_suspended(here) && !job_awaits_resume(here);

	free_targets(&targets);
	if (resumes)
		propose_for_jobs(c, "resume" JOBS_HERE);
	else
		propose_variants(c, "Suspend:", suspends, SUSPENDS, answer_suspend);
}

/* Proposes a command line that contains the typed text. */
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
		console_say(c, ROLE_MESSAGE, "No job under the cursor.");
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
		hold(c);
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

/* --- repeat --------------------------------------------------------------------------- */

void console_undo(struct console *c)
{
	console_preview(c, "undo");
}

void console_repeat(struct console *c)
{
	if (c->again.len == 0)
		console_say(c, ROLE_MESSAGE, "No change to repeat.");
	else if (strstr(str_text(&c->again), JOBS_HERE))
		propose_for_jobs(c, str_text(&c->again));
	else
		(void)console_propose(c, str_text(&c->again));
}
