/* SPDX-License-Identifier: MIT */
/*
 * cmd_set.c - how does an operator change what a waiting job asks for, or how urgent it is?
 *
 * "priority" is the operator's own; all else are attributes of the job, which has them from its
 * submission (state.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act.h"
#include "cmd.h"
#include "complete.h"
#include "sched/base/vec.h"
#include "sched/rm/wallclock.h"

/* --- one NAME=VALUE ---------------------------------------------------------------------------- */

/* What one word wants. */
struct wanted {
	const char *name, *value; /* an attribute; name NULL: the priority */
	uint8_t adjust;           /* enum job_adjust                       */
	int64_t points;
};

/* "none", "+50", "-50" are relative to the computed priority, "500" is absolute. */
static bool read_priority(const char *text, struct wanted *out, struct err *err)
{
	bool sign = text[0] == '+' || text[0] == '-';

	*out = (struct wanted){.adjust = JOB_ADJUST_NONE};
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
	err_set(err, "set %.*s: of a waiting job there are priority%s", (int)len, word, str_text(&names));
	str_free(&names);
	return false;
}

/* A date as the clock on the wall shows it becomes a number of seconds. */
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

/* Reads one NAME=VALUE; false with a sentence when the name is none that can be set. */
static bool read_assignment(struct cmd_env *env, const char *word, struct wanted *out)
{
	size_t len = strcspn(word, "=");
	const char *text = word + len + 1;

	if (len == strlen("priority") && strncmp(word, "priority", len) == 0)
		return read_priority(text, out, &env->err);
	*out = (struct wanted){.value = text};
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
	const struct wanted *wanted = what;
	struct event *ev;

	if (wanted->name) {
		ev = cmd_add_event(env, EVENT_MODIFY, job->id);
		ev->modify.name = cmd_own(env, wanted->name);
		ev->modify.value = cmd_own(env, wanted->value);
		return;
	}
	ev = cmd_add_event(env, EVENT_PRIORITY, job->id);
	ev->priority.adjust = wanted->adjust;
	ev->priority.points = wanted->points;
}

/* --- set ------------------------------------------------------------------------------------- */

/* Words with '=' are values, read into wanted; the others are jobs, moved to the front. */
static bool read_words(struct cmd_env *env, int argc, char **argv, struct wanted *wanted, int *values,
		       int *jobs)
{
	*values = *jobs = 0;
	for (int i = 1; i < argc; i++) {
		if (!strchr(argv[i], '='))
			argv[1 + (*jobs)++] = argv[i];
		else if (!read_assignment(env, argv[i], &wanted[(*values)++]))
			return false;
	}
	return *values > 0 || err_set(&env->err, "set what? usage: set JOB... priority=+50");
}

static enum cmd_status run_set(struct cmd_env *env, int argc, char **argv)
{
	struct wanted *wanted = mem_zero((size_t)argc, sizeof *wanted);
	enum cmd_status status = CMD_USAGE;
	int values, jobs;

	if (read_words(env, argc, argv, wanted, &values, &jobs)) {
		status = CMD_DONE;
		for (int i = 0; i < values && status == CMD_DONE; i++)
			status = act_on_jobs(env, argv + 1, jobs, ACT_WAITING, want_one, &wanted[i]);
	}
	free(wanted);
	return status;
}

const struct cmd cmd_set = {
	.name = "set",
	.alias = "modify",
	.args = "JOB... NAME=VALUE...",
	.help = "Changes waiting jobs: priority=+50 or -50 is added to the computed one, 500 goes before all "
		"computed ones, none undoes both; other names are walltime, starttime, qos, partition, "
		"nodes, tpn, "
		"mem, swap, disk, gres, features, prefer, hosts, access, nallocpolicy, throttle (how "
		"many tasks of its array may run at a time) and depend.",
	.options = (const struct cmd_option[]){ACT_WHERE_OPTION, {0}},
	.min = 1,
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_set,
	.complete = complete_jobs,
};

/* --- Maui's words ------------------------------------------------------------------------------ */

static enum cmd_status run_setspri(struct cmd_env *env, int argc, char **argv)
{
	struct wanted wanted = {.adjust = JOB_ADJUST_ABSOLUTE};

	if (!str_read_whole(argv[1][0] == '+' ? argv[1] + 1 : argv[1], &wanted.points)) {
		err_set(&env->err, "setspri takes a whole number and then jobs, got '%s'", argv[1]);
		return CMD_USAGE;
	}
	if (cmd_option(env, "-r"))
		wanted.adjust = JOB_ADJUST_RELATIVE;
	if (wanted.points == 0)
		wanted.adjust = JOB_ADJUST_NONE;
	return act_on_jobs(env, argv + 2, argc - 2, ACT_WAITING, want_one, &wanted);
}

const struct cmd cmd_setspri = {
	.name = "setspri",
	.args = "PRIORITY JOB...",
	.help = "Maui's way to write 'set JOB priority=PRIORITY', or with -r 'priority=+PRIORITY'; 0 is "
		"none.",
	.options = (const struct cmd_option[]){{"-r", NULL, "added to the computed priority"},
					       ACT_WHERE_OPTION,
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
	struct wanted wanted = {.name = "qos", .value = cmd_own(env, argv[1])};

	return act_on_jobs(env, argv + 2, argc - 2, ACT_WAITING, want_one, &wanted);
}

const struct cmd cmd_setqos = {
	.name = "setqos",
	.args = "QOS JOB...",
	.help = "Maui's way to write 'set JOB qos=QOS'.",
	.options = (const struct cmd_option[]){ACT_WHERE_OPTION, {0}},
	.min = 1,
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_setqos,
	.complete = complete_jobs,
};
