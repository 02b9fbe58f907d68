/* SPDX-License-Identifier: MIT */
/*
 * cmd_job.c - how does an operator act on jobs?
 *
 * Jobs that are named must be able to take the change, or all is refused; of those that
 * are selected with -w, the ones that cannot take it are left out.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "complete.h"
#include "select.h"

#define WHERE_OPTION                                                                                         \
	{                                                                                                    \
		"-w", "TERMS", "jobs that match: 'user=eva state=idle'"                                      \
	}

/* Adds what is to happen to one job; false: it does not apply to this one. */
typedef bool job_act(struct cmd_env *env, const struct job *job, const void *what);

static enum cmd_status act_on_jobs(struct cmd_env *env, char *const *word, int count, job_act *act,
				   const void *what)
{
	const char *where = cmd_option(env, "-w");
	struct job_selection chosen;

	if (!select_jobs(env->s, word, count, where, &chosen, &env->err))
		return count == 0 && !where ? CMD_USAGE : CMD_REFUSED;
	for (size_t i = 0; i < chosen.count; i++) {
		const struct job *job = &snapshot_jobs(env->s)[chosen.slot[i]];

		if (!where || job->state == JOB_IDLE)
			act(env, job, what);
	}
	free(chosen.slot);
	if (env->changes->count > 0)
		return CMD_DONE;
	err_set(&env->err, "none of the jobs that match '%s' waits and can take this", where ? where : "");
	return CMD_REFUSED;
}

/* --- hold, release ------------------------------------------------------------------------- */

static const struct cmd_option hold_options[] = {
	{"-u", NULL, "user hold"},
	{"-s", NULL, "system hold"},
	{"-b", NULL, "batch hold"},
	{"-a", NULL, "all kinds of hold"},
	WHERE_OPTION,
	{0},
};

/* Bits of enum job_hold that the options name; 0 = none. */
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

	ev->hold.bits = bits;
	ev->hold.on = on;
}

static bool hold_one(struct cmd_env *env, const struct job *job, const void *what)
{
	uint8_t bits = *(const uint8_t *)what;

	if (cmd_option(env, "-w") && (job->holds & bits) == bits)
		return false;
	add_hold(env, job, bits, true);
	return true;
}

static enum cmd_status run_hold(struct cmd_env *env, int argc, char **argv)
{
	uint8_t bits = hold_bits(env);

	if (bits == 0)
		bits = JOB_HOLD_USER;
	return act_on_jobs(env, argv + 1, argc - 1, hold_one, &bits);
}

const struct cmd cmd_hold = {
	.name = "hold",
	.alias = "sethold",
	.args = "JOB...",
	.help = "Keeps waiting jobs from starting; a user hold unless another kind is named.",
	.options = hold_options,
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_hold,
	.complete = complete_jobs,
};

static bool release_one(struct cmd_env *env, const struct job *job, const void *what)
{
	uint8_t bits = *(const uint8_t *)what;

	if (cmd_option(env, "-w") && (job->holds & bits) == 0)
		return false;
	/* Of all kinds only those it has: the journal then says what was released. */
	if (bits == JOB_HOLD_ALL && job->holds != 0)
		bits = job->holds;
	add_hold(env, job, bits, false);
	return true;
}

static enum cmd_status run_release(struct cmd_env *env, int argc, char **argv)
{
	uint8_t bits = hold_bits(env);

	if (bits == 0)
		bits = JOB_HOLD_ALL;
	return act_on_jobs(env, argv + 1, argc - 1, release_one, &bits);
}

const struct cmd cmd_release = {
	.name = "release",
	.alias = "releasehold",
	.args = "JOB...",
	.help = "Takes holds from jobs; all kinds unless some are named.",
	.options = hold_options,
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_release,
	.complete = complete_jobs,
};

/* --- set ----------------------------------------------------------------------------------- */

struct priority_wish {
	uint8_t adjust; /* enum job_adjust */
	int64_t points;
};

/* "none", "+50", "-50" are relative to the computed priority, "500" is absolute. */
static bool read_priority(const char *text, struct priority_wish *out, struct err *err)
{
	bool sign = text[0] == '+' || text[0] == '-';

	*out = (struct priority_wish){.adjust = JOB_ADJUST_NONE};
	if (strcmp(text, "none") == 0)
		return true;
	if (!str_read_whole(text[0] == '+' ? text + 1 : text, &out->points))
		return err_set(err, "priority '%s': write +50 or -50 (added), 500 (absolute) or none", text);
	out->adjust = sign ? JOB_ADJUST_RELATIVE : JOB_ADJUST_ABSOLUTE;
	return true;
}

static bool set_one(struct cmd_env *env, const struct job *job, const void *what)
{
	const struct priority_wish *wish = what;
	struct event *ev = cmd_add_event(env, EVENT_PRIORITY, job->id);

	ev->priority.adjust = wish->adjust;
	ev->priority.points = wish->points;
	return true;
}

/* Reads one NAME=VALUE; false with a sentence when the name is none that can be set. */
static bool read_assignment(const char *word, struct priority_wish *out, struct err *err)
{
	size_t len = strcspn(word, "=");

	if (len != strlen("priority") || strncmp(word, "priority", len) != 0)
		return err_set(err, "set %s: of a job only priority can be set, as in priority=+50", word);
	return read_priority(word + len + 1, out, err);
}

static enum cmd_status run_set(struct cmd_env *env, int argc, char **argv)
{
	struct priority_wish wish;
	bool given = false;
	int jobs = 0;

	/* Words with '=' are values, the others jobs; they move to the front. */
	for (int i = 1; i < argc; i++) {
		if (!strchr(argv[i], '='))
			argv[1 + jobs++] = argv[i];
		else if (!read_assignment(argv[i], &wish, &env->err))
			return CMD_USAGE;
		else
			given = true;
	}
	if (!given) {
		err_set(&env->err, "set what? usage: set JOB... priority=+50");
		return CMD_USAGE;
	}
	return act_on_jobs(env, argv + 1, jobs, set_one, &wish);
}

const struct cmd cmd_set = {
	.name = "set",
	.args = "JOB... priority=VALUE",
	.help = "Gives jobs a priority: +50 or -50 is added to the computed one, 500 goes before all "
		"computed ones, none undoes both.",
	.options = (const struct cmd_option[]){WHERE_OPTION, {0}},
	.min = 1,
	.max = -1,
	.authority = CMD_ADMIN1,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_set,
	.complete = complete_jobs,
};

static enum cmd_status run_setspri(struct cmd_env *env, int argc, char **argv)
{
	struct priority_wish wish = {.adjust = JOB_ADJUST_ABSOLUTE};

	if (cmd_option(env, "-r"))
		wish.adjust = JOB_ADJUST_RELATIVE;
	if (!str_read_whole(argv[1][0] == '+' ? argv[1] + 1 : argv[1], &wish.points)) {
		err_set(&env->err, "setspri takes a whole number and then jobs, got '%s'", argv[1]);
		return CMD_USAGE;
	}
	return act_on_jobs(env, argv + 2, argc - 2, set_one, &wish);
}

const struct cmd cmd_setspri = {
	.name = "setspri",
	.args = "PRIORITY JOB...",
	.help = "Maui's way to write 'set JOB priority=PRIORITY', or with -r 'priority=+PRIORITY'.",
	.options = (const struct cmd_option[]){{"-r", NULL, "added to the computed priority"}, {0}},
	.min = 2,
	.max = -1,
	.authority = CMD_ADMIN1,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_setspri,
	.complete = complete_jobs,
};
