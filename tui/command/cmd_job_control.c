/* SPDX-License-Identifier: MIT */
/*
 * cmd_job_control.c - job control: hold, release, cancel, suspend, resume, requeue, signal, set and start
 *
 * Named jobs are either all changed or, if one of them cannot be changed, left unchanged. Jobs that are
 * selected with -w, and tasks of an array that is named as 12[], are skipped if they cannot be changed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "complete.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/forecast/explain.h"
#include "sched/placement/placement.h"
#include "sched/rm/wallclock.h"
#include "tui/draw/text.h"
#include "tui/report/job_text.h"
#include "tui/report/select.h"

/* Adds the events for one job; adds none if the job is selected by -w and cannot be changed. */
typedef void act_one(struct cmd_env *env, const struct job *job, const void *what);

#define ACT_WAITING (1u << JOB_IDLE)
#define ACT_RUNNING (1u << JOB_RUNNING)
#define ACT_ALL     (ACT_WAITING | ACT_RUNNING)

/* --- jobs of a verb ----------------------------------------------------------------------------------- */

/* Returns true for a task of an array if words are given and none of them is the label of this task. */
static bool is_one_of_many(const struct snapshot *s, const struct job *job, char *const *word, int count)
{
	char label[JOB_LABEL_TEXT];

	for (int i = 0; i < count; i++)
		if (strcmp(word[i], snapshot_job_label(s, job, label)) == 0)
			return false;
	return job->array != 0 && count > 0;
}

/*
 * Removes the changes from index `from` on that the state refuses, for example because a task of an array is
 * already running.
 */
static void drop_refused(struct cmd_changes *changes, size_t from, const struct state *st)
{
	size_t kept = from;

	for (size_t i = from; i < changes->count; i++) {
		struct event timely = changes->event[i];

		timely.time_s = state_view(st)->now_s;
		if (event_check(st, &timely, NULL))
			changes->event[kept++] = changes->event[i];
	}
	changes->count = kept;
}

/*
 * Calls act for each job that is named or matches -w. With -w it skips jobs that are not in one of the states
 * (bits 1 << job_state).
 */
static enum cmd_status act_on_jobs(struct cmd_env *env, char *const *word, int count, unsigned states,
				   act_one *act, const void *what)
{
	const char *where = cmd_option(env, "-w");
	struct state *st = NULL; /* a copy of the state, made only if tasks of an array are selected */
	struct job_selection chosen;

	if (!select_jobs(env->s, word, count, where, &chosen, &env->err))
		return count == 0 && !where ? CMD_USAGE : CMD_REFUSED;
	for (size_t i = 0; i < chosen.count; i++) {
		const struct job *job = &snapshot_jobs(env->s)[chosen.slot[i]];

		size_t before = env->changes->count;

		if (!where || (states & 1u << job->state))
			act(env, job, what);
		if (!is_one_of_many(env->s, job, word, count))
			continue;
		if (st == NULL)
			st = state_from_snapshot(env->s);
		drop_refused(env->changes, before, st);
	}
	state_free(st);
	free(chosen.slot);
	if (env->changes->count > 0)
		return CMD_DONE;
	if (where)
		err_set(&env->err, "the change does not apply to any of the jobs that match '%s'", where);
	else
		err_set(&env->err, "the change does not apply to any of the selected tasks");
	return CMD_REFUSED;
}

/* --- hold and release --------------------------------------------------------------------------------- */

#define HOLD_OPTIONS                                                                                         \
	{"-u", NULL, "user hold"}, {"-s", NULL, "system hold"}, {"-b", NULL, "batch hold"},                  \
		{"-a", NULL, "all kinds of hold"}, CMD_WHERE_OPTION

static const struct cmd_option hold_options[] = {
	HOLD_OPTIONS,
	{"--reason", "TEXT", "reason for the hold, shown to all users"},
	{0},
};

static const struct cmd_option release_options[] = {HOLD_OPTIONS, {0}};

/* Returns the kinds of hold given as options, as bits of enum job_hold; 0 = none. */
static uint8_t hold_bits(const struct cmd_env *env)
{
	unsigned bits = 0;

	if (cmd_option(env, "-u"))
		bits |= JOB_HOLD_USER;
	if (cmd_option(env, "-s"))
		bits |= JOB_HOLD_SYSTEM;
	if (cmd_option(env, "-b"))
		bits |= JOB_HOLD_BATCH;
	if (cmd_option(env, "-a"))
		bits |= JOB_HOLD_ALL;
	return (uint8_t)bits;
}

static void add_hold(struct cmd_env *env, const struct job *job, uint8_t bits, bool on)
{
	struct event *ev = cmd_add_event(env, EVENT_HOLD, job->id);
	const char *reason = cmd_option(env, "--reason");

	ev->hold.bits = bits;
	ev->hold.on = on;
	ev->hold.reason = on && reason ? cmd_own(env, reason) : NULL;
}

static void hold_one(struct cmd_env *env, const struct job *job, const void *what)
{
	uint8_t bits = *(const uint8_t *)what;

	if (!cmd_option(env, "-w") || (job->holds & bits) != bits)
		add_hold(env, job, bits, true);
}

static enum cmd_status run_hold(struct cmd_env *env, int argc, char **argv)
{
	uint8_t bits = hold_bits(env);

	if (bits == 0)
		bits = JOB_HOLD_USER;
	return act_on_jobs(env, argv + 1, argc - 1, ACT_WAITING, hold_one, &bits);
}

const struct cmd cmd_hold = {
	.name = "hold",
	.alias = "sethold",
	.args = "JOB...",
	.help = "Hold idle jobs, with a user hold unless another kind is named.",
	.options = hold_options,
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_hold,
	.complete = complete_jobs,
};

static void release_one(struct cmd_env *env, const struct job *job, const void *what)
{
	uint8_t bits = *(const uint8_t *)what;

	if (bits == JOB_HOLD_ALL && job->holds == 0 && job->defer_until_s > env->now_s) {
		cmd_add_event(env, EVENT_DEFER, job->id)->defer.until_s = TIME_NONE;
		return;
	}
	if (cmd_option(env, "-w") && (job->holds & bits) == 0)
		return;
	/* The event names only the holds that the job has, so that the journal shows no others. */
	if (bits == JOB_HOLD_ALL && job->holds != 0)
		bits = job->holds;
	add_hold(env, job, bits, false);
}

static enum cmd_status run_release(struct cmd_env *env, int argc, char **argv)
{
	uint8_t bits = hold_bits(env);

	if (bits == 0)
		bits = JOB_HOLD_ALL;
	return act_on_jobs(env, argv + 1, argc - 1, ACT_WAITING, release_one, &bits);
}

const struct cmd cmd_release = {
	.name = "release",
	.alias = "releasehold",
	.args = "JOB...",
	.help = "Release jobs from all holds, or only from the kinds given as options. Also ends the "
		"deferral of deferred jobs.",
	.options = release_options,
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_release,
	.complete = complete_jobs,
};

/* --- cancel ------------------------------------------------------------------------------------------- */

static void cancel_one(struct cmd_env *env, const struct job *job, const void *what)
{
	(void)what;
	if (!cmd_option(env, "-w") || !(job->flags & JOB_CANCELLED))
		cmd_add_event(env, EVENT_CANCEL, job->id);
}

static enum cmd_status run_cancel(struct cmd_env *env, int argc, char **argv)
{
	return act_on_jobs(env, argv + 1, argc - 1, ACT_ALL, cancel_one, NULL);
}

const struct cmd cmd_cancel = {
	.name = "cancel",
	.alias = "canceljob",
	.args = "JOB...",
	.help = "Cancel jobs. Idle jobs are removed at once; running jobs end as soon as their processes "
		"have exited.",
	.options = (const struct cmd_option[]){CMD_WHERE_OPTION, {0}},
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_cancel,
	.complete = complete_jobs,
};

/* --- suspend, resume and requeue ---------------------------------------------------------------------- */

struct suspension {
	bool on;
	uint8_t how;   /* SUSPEND_RELEASE, SUSPEND_KEEP or 0 */
	int64_t for_s; /* 0 = until the job is resumed */
};

static void suspend_one(struct cmd_env *env, const struct job *job, const void *what)
{
	const struct suspension *suspension = what;
	struct event *ev;

	/*
	 * With -w, suspend skips jobs that are already suspended, and resume skips jobs that are already
	 * resumed.
	 */
	if (cmd_option(env, "-w") && (job_is_suspended(job) && !job_awaits_resume(job)) == suspension->on)
		return;
	ev = cmd_add_event(env, EVENT_SUSPEND, job->id);
	ev->suspend.on = suspension->on;
	ev->suspend.how = suspension->how;
	ev->until_s = suspension->for_s > 0 ? env->now_s + suspension->for_s : 0;
}

static bool read_for(struct cmd_env *env, int64_t *out_s)
{
	const char *text = cmd_option(env, "--for");

	if (text == NULL)
		return true;
	if (!duration_parse(text, out_s, &env->err))
		return err_prefix(&env->err, "--for");
	return *out_s > 0 || err_set(&env->err, "--for: the duration is 0; give one such as 30m");
}

static enum cmd_status run_suspend(struct cmd_env *env, int argc, char **argv)
{
	struct suspension suspension = {.on = true};

	if (!read_for(env, &suspension.for_s))
		return CMD_USAGE;
	if (cmd_option(env, "--release") && cmd_option(env, "--keep")) {
		err_set(&env->err, "--release and --keep are mutually exclusive; give only one");
		return CMD_USAGE;
	}
	if (cmd_option(env, "--release"))
		suspension.how = SUSPEND_RELEASE;
	else if (cmd_option(env, "--keep"))
		suspension.how = SUSPEND_KEEP;
	return act_on_jobs(env, argv + 1, argc - 1, ACT_RUNNING, suspend_one, &suspension);
}

static enum cmd_status run_resume(struct cmd_env *env, int argc, char **argv)
{
	const struct suspension suspension = {.on = false};

	return act_on_jobs(env, argv + 1, argc - 1, ACT_RUNNING, suspend_one, &suspension);
}

static void requeue_one(struct cmd_env *env, const struct job *job, const void *what)
{
	(void)what;
	if (!cmd_option(env, "-w") || (job->real & JOB_REAL_AGAIN) == 0)
		cmd_add_event(env, EVENT_REQUEUE, job->id);
}

static enum cmd_status run_requeue(struct cmd_env *env, int argc, char **argv)
{
	return act_on_jobs(env, argv + 1, argc - 1, ACT_RUNNING, requeue_one, NULL);
}

#define ON_RUNNING_JOBS                                                                                      \
	.args = "JOB...", .max = -1, .flags = CMD_CHANGES | CMD_STORE, .complete = complete_jobs

const struct cmd cmd_suspend = {
	.name = "suspend",
	.help = "Suspend running jobs. They keep their memory, and their processors unless these are "
		"released; "
		"the wallclock limit stops counting. Users may suspend their own jobs only where the option "
		"ownersuspend allows it.",
	.options = (const struct cmd_option[]){CMD_WHERE_OPTION,
					       {"--for", "DURATION", "resume the jobs after this time"},
					       {"--keep", NULL, "keep the processors of the jobs allocated"},
					       {"--release", NULL,
						"let other jobs use the processors; a job resumes only when "
						"its processors are free again"},
					       {0}},
	.authority = CMD_ADMIN2,
	.run = run_suspend,
	ON_RUNNING_JOBS,
};

const struct cmd cmd_resume = {
	.name = "resume",
	.help = "Resume suspended jobs. A job that released its processors waits until they are free. Users "
		"may resume only jobs that they suspended themselves.",
	.options = (const struct cmd_option[]){CMD_WHERE_OPTION, {0}},
	.authority = CMD_ADMIN2,
	.run = run_resume,
	ON_RUNNING_JOBS,
};

const struct cmd cmd_requeue = {
	.name = "requeue",
	.help = "Requeue running jobs: stop them and return them to the queue.",
	.options = (const struct cmd_option[]){CMD_WHERE_OPTION, {0}},
	.authority = CMD_OWNER,
	.run = run_requeue,
	ON_RUNNING_JOBS,
};

/* --- signal ------------------------------------------------------------------------------------------- */

/*
 * Returns the number of the signal "TERM", "sigterm" or "15". Returns 0 with err set if there is no such
 * signal.
 */
static uint8_t read_signal(const char *word, struct err *err)
{
	const char *name = strncasecmp(word, "SIG", 3) == 0 ? word + 3 : word;
	int64_t number;

	if (str_read_whole(word, &number) && number > 0 && number <= EVENT_SIGNAL_MAX)
		return (uint8_t)number;
	for (uint8_t i = 1; i <= EVENT_SIGNAL_MAX; i++)
		if (sigabbrev_np(i) != NULL && strcasecmp(sigabbrev_np(i), name) == 0)
			return i;
	err_set(err, "unknown signal '%s'; give a name such as USR1, or a number from 1 to %d", word,
		EVENT_SIGNAL_MAX);
	return 0;
}

static void signal_one(struct cmd_env *env, const struct job *job, const void *what)
{
	cmd_add_event(env, EVENT_SIGNAL, job->id)->signal.number = *(const uint8_t *)what;
}

static enum cmd_status run_signal(struct cmd_env *env, int argc, char **argv)
{
	uint8_t number = read_signal(argv[1], &env->err);

	return number == 0 ? CMD_USAGE
			   : act_on_jobs(env, argv + 2, argc - 2, ACT_RUNNING, signal_one, &number);
}

const struct cmd cmd_signal = {
	.name = "signal",
	.args = "SIGNAL JOB...",
	.help = "Send a signal, by name or number, to all processes of running jobs.",
	.options = (const struct cmd_option[]){CMD_WHERE_OPTION, {0}},
	.min = 1,
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_signal,
	.complete = complete_jobs,
};

/* --- set ---------------------------------------------------------------------------------------------- */

/* One NAME=VALUE of set: an attribute of the job, or its priority. */
struct assignment {
	const char *name, *value; /* name NULL: the priority */
	uint8_t adjust;           /* enum job_adjust                       */
	int64_t points;
};

/*
 * Reads a priority: "+50" and "-50" are added to the computed priority, "500" is absolute, "none" removes an
 * operator's priority. Returns false with err set on failure.
 */
static bool read_priority(const char *text, struct assignment *out, struct err *err)
{
	bool sign = text[0] == '+' || text[0] == '-';

	*out = (struct assignment){.adjust = JOB_ADJUST_NONE};
	if (strcmp(text, "none") == 0)
		return true;
	if (!str_read_whole(text[0] == '+' ? text + 1 : text, &out->points))
		return err_set(err, "priority '%s': write +50 or -50 (added), 500 (absolute) or none", text);
	out->adjust = sign ? JOB_ADJUST_RELATIVE : JOB_ADJUST_ABSOLUTE;
	return true;
}

static bool no_such_name(const char *word, size_t len, struct err *err)
{
	struct str names = {0};

	for (size_t i = 0; i < job_attribute_count; i++)
		str_addf(&names, ", %s", job_attributes[i].name);
	err_set(err, "set %.*s: unknown attribute; attributes are priority%s", (int)len, word,
		str_text(&names));
	str_free(&names);
	return false;
}

/*
 * Converts a local time to seconds since 1970, as text in *value. "none" is left unchanged. Returns false
 * with err set on failure.
 */
static bool read_date(struct cmd_env *env, const char *text, const char **value)
{
	char number[24];
	int64_t at_s;

	if (strcmp(text, "none") == 0)
		return true;
	if (!wallclock_parse(text, env->now_s, &at_s, &env->err))
		return false;
	snprintf(number, sizeof number, "%lld", (long long)at_s);
	*value = cmd_own(env, number);
	return true;
}

/*
 * Reads one NAME=VALUE, with a start time converted to seconds since 1970. Returns false with err set on
 * failure.
 */
static bool read_assignment(struct cmd_env *env, const char *word, struct assignment *out)
{
	size_t len = strcspn(word, "=");
	const char *text = word + len + 1;

	if (len == strlen("priority") && strncmp(word, "priority", len) == 0)
		return read_priority(text, out, &env->err);
	*out = (struct assignment){.value = text};
	for (size_t i = 0; i < job_attribute_count; i++)
		if (strlen(job_attributes[i].name) == len && strncmp(job_attributes[i].name, word, len) == 0)
			out->name = job_attributes[i].name;
	if (!out->name)
		return no_such_name(word, len, &env->err);
	if (strcmp(out->name, "starttime") == 0)
		return read_date(env, text, &out->value);
	out->value = cmd_own(env, text);
	return true;
}

static void want_one(struct cmd_env *env, const struct job *job, const void *what)
{
	const struct assignment *a = what;
	struct event *ev;

	if (a->name) {
		ev = cmd_add_event(env, EVENT_MODIFY, job->id);
		ev->modify.name = cmd_own(env, a->name);
		ev->modify.value = cmd_own(env, a->value);
		return;
	}
	ev = cmd_add_event(env, EVENT_PRIORITY, job->id);
	ev->priority.adjust = a->adjust;
	ev->priority.points = a->points;
}

/*
 * Reads the words with '=' into `a`, and moves the other words, which name jobs, to the front of argv.
 * Returns false with err set on failure.
 */
static bool read_words(struct cmd_env *env, int argc, char **argv, struct assignment *a, int *values,
		       int *jobs)
{
	*values = *jobs = 0;
	for (int i = 1; i < argc; i++) {
		if (!strchr(argv[i], '='))
			argv[1 + (*jobs)++] = argv[i];
		else if (!read_assignment(env, argv[i], &a[(*values)++]))
			return false;
	}
	return *values > 0 || err_set(&env->err, "set: no attribute given; usage: set JOB... NAME=VALUE");
}

static enum cmd_status run_set(struct cmd_env *env, int argc, char **argv)
{
	struct assignment *a = mem_zero((size_t)argc, sizeof *a);
	enum cmd_status status = CMD_USAGE;
	int values, jobs;

	if (read_words(env, argc, argv, a, &values, &jobs)) {
		status = CMD_DONE;
		for (int i = 0; i < values && status == CMD_DONE; i++)
			status = act_on_jobs(env, argv + 1, jobs, ACT_WAITING, want_one, &a[i]);
	}
	free(a);
	return status;
}

const struct cmd cmd_set = {
	.name = "set",
	.alias = "modify",
	.args = "JOB... NAME=VALUE...",
	.help = "Change idle jobs. priority=+50 or -50 is added to the computed priority, priority=500 "
		"places the job before all computed priorities, priority=none clears both. Other names are "
		"walltime, starttime, qos, partition, nodes, tpn, mem, swap, disk, gres, features, prefer, "
		"hosts, access, nallocpolicy, throttle (how many tasks of its array may run at a time) and "
		"depend.",
	.options = (const struct cmd_option[]){CMD_WHERE_OPTION, {0}},
	.min = 1,
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_set,
	.complete = complete_jobs,
};

/* --- setspri and setqos, as in Maui ------------------------------------------------------------------- */

static enum cmd_status run_setspri(struct cmd_env *env, int argc, char **argv)
{
	struct assignment a = {.adjust = JOB_ADJUST_ABSOLUTE};

	if (!str_read_whole(argv[1][0] == '+' ? argv[1] + 1 : argv[1], &a.points)) {
		err_set(&env->err, "setspri takes an integer followed by jobs, got '%s'", argv[1]);
		return CMD_USAGE;
	}
	if (cmd_option(env, "-r"))
		a.adjust = JOB_ADJUST_RELATIVE;
	if (a.points == 0)
		a.adjust = JOB_ADJUST_NONE;
	return act_on_jobs(env, argv + 2, argc - 2, ACT_WAITING, want_one, &a);
}

const struct cmd cmd_setspri = {
	.name = "setspri",
	.args = "PRIORITY JOB...",
	.help = "Same as 'set JOB priority=PRIORITY', or with -r 'priority=+PRIORITY', in Maui's notation; 0 "
		"clears the priority.",
	.options = (const struct cmd_option[]){{"-r", NULL, "add PRIORITY to the computed priority"},
					       CMD_WHERE_OPTION,
					       {0}},
	.min = 1,
	.max = -1,
	.authority = CMD_ADMIN2,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_setspri,
	.complete = complete_jobs,
};

static enum cmd_status run_setqos(struct cmd_env *env, int argc, char **argv)
{
	struct assignment a = {.name = "qos", .value = cmd_own(env, argv[1])};

	return act_on_jobs(env, argv + 2, argc - 2, ACT_WAITING, want_one, &a);
}

const struct cmd cmd_setqos = {
	.name = "setqos",
	.args = "QOS JOB...",
	.help = "Same as 'set JOB qos=QOS', in Maui's notation.",
	.options = (const struct cmd_option[]){CMD_WHERE_OPTION, {0}},
	.min = 1,
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_setqos,
	.complete = complete_jobs,
};

/* --- start -------------------------------------------------------------------------------------------- */

/*
 * start runs a job at once, regardless of limits and of the reservations of other jobs, and prints which
 * checks it overrides. The job must fit on the resources that the running jobs leave free. Nodes with advance
 * reservations are used only if the job does not fit elsewhere.
 */

/*
 * Returns a copy of the state in which the job may use only these nodes. Returns NULL with err set if the job
 * cannot be restricted to them.
 */
static struct state *on_nodes(struct cmd_env *env, const struct job *job, const char *nodes)
{
	struct state *copy = state_from_snapshot(env->s);
	struct event ev = {.time_s = env->now_s, .kind = EVENT_MODIFY, .job = job->id, .who = env->who};

	ev.modify.name = "hosts";
	ev.modify.value = nodes;
	if (event_apply(copy, &ev, &env->err))
		return copy;
	state_free(copy);
	return NULL;
}

/*
 * Finds nodes for a start now, given the running jobs and the advance reservations of s. Sets *fit to the
 * number of free processors that the job could use. Returns false if the job does not fit.
 */
static bool find_in(const struct snapshot *s, uint32_t slot, int64_t now_s, struct alloc_list *runs,
		    int64_t *fit)
{
	struct placement *placement = placement_new();
	enum lack lack;
	bool found;

	placement_begin(placement, s, now_s);
	found = placement_find(placement, slot, now_s, now_s + snapshot_jobs(s)[slot].wall_limit_s, runs);
	*fit = placement_fit(placement, slot, now_s, now_s + 1, &lack);
	placement_free(placement);
	return found;
}

static bool find_past_reservations(const struct snapshot *s, uint32_t slot, int64_t now_s,
				   struct alloc_list *runs, int64_t *fit)
{
	struct snapshot *copy = snapshot_copy(s);
	bool found;

	copy->table[TABLE_ADVANCES].count = 0;
	found = find_in(copy, slot, now_s, runs, fit);
	free(copy);
	return found;
}

static bool find_runs(struct cmd_env *env, const struct snapshot *s, uint32_t slot, struct alloc_list *runs)
{
	const struct job *job = &snapshot_jobs(s)[slot];
	char label[JOB_LABEL_TEXT];
	int64_t fit;
	bool found = find_in(s, slot, env->now_s, runs, &fit);

	if (!found && snapshot_count(s, TABLE_ADVANCES) > 0)
		found = find_past_reservations(s, slot, env->now_s, runs, &fit);
	return found ||
	       err_set(&env->err,
		       "job %s cannot start now: it needs %lld processors, and %lld usable ones are free",
		       snapshot_job_label(s, job, label), (long long)job_procs(job), (long long)fit);
}

/* Prints every check that the start overrides. */
static void print_overrides(struct cmd_env *env, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(env->s)[slot];
	struct plan plan = {0};
	struct str text = {0};
	struct why why;

	explain_why(env->s, slot, env->now_s, &plan, &why);
	for (int g = GATE_NONE + 1; g < GATE_COUNT; g++) {
		if (!why.check[g].known || why.check[g].ok || g == GATE_RESOURCES)
			continue;
		str_clear(&text);
		job_text_sentence(env->s, job, &why.check[g].reason, env->now_s, &text);
		str_add(env->out, "overrides: ");
		text_safe(env->out, str_text(&text), env->ascii);
		str_add_char(env->out, '\n');
	}
	str_free(&text);
	plan_clear(&plan);
}

static void add_start(struct cmd_env *env, const struct job *job, const struct alloc_list *runs)
{
	struct event *ev = cmd_add_event(env, EVENT_START, job->id);
	struct alloc_run *own = cmd_own_bytes(env, runs->count * sizeof *own);

	memcpy(own, runs->item, runs->count * sizeof *own);
	ev->start.runs = own;
	ev->start.count = (uint32_t)runs->count;
}

static bool start_job(struct cmd_env *env, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(env->s)[slot];
	const char *nodes = cmd_option(env, "-n");
	struct state *copy = nodes ? on_nodes(env, job, nodes) : NULL;
	struct alloc_list runs = {0};
	bool ok = (copy || !nodes) && find_runs(env, copy ? state_view(copy) : env->s, slot, &runs);

	if (ok) {
		if (!env->json)
			print_overrides(env, slot);
		add_start(env, job, &runs);
	}
	free(runs.item);
	if (copy)
		state_free(copy);
	return ok;
}

static enum cmd_status run_start(struct cmd_env *env, int argc, char **argv)
{
	uint32_t slot = select_job(env->s, argv[1], &env->err);
	char label[JOB_LABEL_TEXT];

	(void)argc;
	if (slot == INDEX_NONE)
		return CMD_REFUSED;
	if (snapshot_jobs(env->s)[slot].state != JOB_IDLE) {
		err_set(&env->err, "job %s is already running",
			snapshot_job_label(env->s, &snapshot_jobs(env->s)[slot], label));
		return CMD_REFUSED;
	}
	return start_job(env, slot) ? CMD_DONE : CMD_REFUSED;
}

const struct cmd cmd_start = {
	.name = "start",
	.alias = "runjob",
	.args = "JOB",
	.help = "Start a job now if it fits, regardless of limits and of the reservations of other jobs.",
	.options = (const struct cmd_option[]){{"-n", "NODES", "start the job on these nodes: 'n1 n2'"}, {0}},
	.min = 1,
	.max = 1,
	.authority = CMD_ADMIN2,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_start,
	.complete = complete_jobs,
};
