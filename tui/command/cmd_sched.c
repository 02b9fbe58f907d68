/* SPDX-License-Identifier: MIT */
/*
 * cmd_sched.c - kahu sched and reload: what is asked of the scheduler itself?
 *
 * A pause is part of the state: it outlives the scheduler. Jobs that run go on, ends are seen, submissions
 * taken; nothing starts.
 */
#include <inttypes.h>
#include <string.h>

#include "cmd.h"
#include "complete.h"
#include "post.h"
#include "sched/base/json.h"
#include "tui/serve/caller.h"

static const char *const words[] = {"pause", "resume", "step", "stop", NULL};

static void complete_word(const struct snapshot *s, const char *word, struct cmd_candidates *out)
{
	(void)s;
	for (size_t i = 0; words[i] != NULL; i++)
		candidates_add(out, word, words[i]);
}

static enum cmd_status tell(struct cmd_env *env)
{
	const struct snapshot *s = env->s;

	if (env->json) {
		struct json j = {.out = env->out};

		json_open(&j, NULL, '{');
		json_bool(&j, "paused", snapshot_is_halted(s));
		json_int_or_null(&j, "passes_left", s->halted ? (int64_t)s->halt_after : -1, -1);
		json_close(&j);
		str_add_char(env->out, '\n');
	} else if (!s->halted) {
		str_add(env->out, "the scheduler starts jobs\n");
	} else if (s->halt_after == 0) {
		str_add(env->out, "the scheduler is paused: nothing starts until 'kahu sched resume'\n");
	} else {
		str_addf(env->out, "the scheduler pauses after %" PRIu32 " more pass%s\n", s->halt_after,
			 s->halt_after == 1 ? "" : "es");
	}
	return CMD_DONE;
}

static enum cmd_status halt(struct cmd_env *env, bool on, uint32_t after)
{
	struct event *ev = cmd_add_event(env, EVENT_HALT, 0);

	ev->halt.on = on;
	ev->halt.after = after;
	return CMD_DONE;
}

static enum cmd_status step(struct cmd_env *env, const char *count)
{
	int64_t passes = 1;

	if (count != NULL && (!str_read_whole(count, &passes) || passes < 1 || passes > UINT32_MAX)) {
		err_set(&env->err, "step: \"%s\" is no number of passes; write 1 or more", count);
		return CMD_USAGE;
	}
	return halt(env, true, (uint32_t)passes);
}

/* Not a change of the state: only who runs can end. */
static enum cmd_status stop(struct cmd_env *env)
{
	enum cmd_status status;

	if (env->caller == NULL) {
		err_set(&env->err, "no scheduler runs here that could be stopped");
		return CMD_REFUSED;
	}
	status = post_status(caller_stop(env->caller, &env->err));
	if (status == CMD_DONE)
		str_add(env->out, "scheduler stopped; running jobs continue and will be adopted by the next "
				  "scheduler\n");
	return status;
}

static enum cmd_status reload(struct cmd_env *env, int argc, char **argv)
{
	enum cmd_status status;

	(void)argc;
	(void)argv;
	if (env->caller == NULL) {
		err_set(&env->err,
			"no scheduler runs here; the next one reads the configuration when it begins");
		return CMD_REFUSED;
	}
	status = post_status(caller_reload(env->caller, &env->err));
	if (status == CMD_DONE)
		str_add(env->out, "the configuration has been read\n");
	return status;
}

static enum cmd_status run_sched(struct cmd_env *env, int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "", *more = argc > 2 ? argv[2] : NULL;

	if (argc == 1)
		return tell(env);
	if (strcmp(word, "step") == 0)
		return step(env, more);
	if (strcmp(word, "stop") == 0 && more == NULL)
		return env->dry_run ? CMD_DONE : stop(env);
	if (more != NULL || (strcmp(word, "pause") != 0 && strcmp(word, "resume") != 0)) {
		err_set(&env->err, "sched %s is not known; write sched pause, resume, step [N] or stop",
			more != NULL ? more : word);
		return CMD_USAGE;
	}
	return halt(env, strcmp(word, "pause") == 0, 0);
}

const struct cmd cmd_sched = {
	.name = "sched",
	.alias = "schedctl",
	.args = "[pause | resume | step [N] | stop]",
	.help = "Pauses the scheduler, lets it go on or make N more passes, ends it; without a word: what it "
		"does.",
	.max = 2,
	.authority = CMD_ADMIN1,
	.flags = CMD_STORE,
	.changes_by = words,
	.run = run_sched,
	.complete = complete_word,
};

const struct cmd cmd_reload = {
	.name = "reload",
	.args = "",
	.help = "The running scheduler reads its configuration again: all of it, or, where it is wrong, "
		"nothing.",
	.authority = CMD_ADMIN1,
	.flags = CMD_STORE,
	.run = reload,
};
