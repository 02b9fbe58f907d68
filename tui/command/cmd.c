/* SPDX-License-Identifier: MIT */
/*
 * cmd.c - may a verb run here, with these words?
 *
 * Every door comes through cmd_run: it finds the row (cmd_list.c), takes the options out of the
 * words by the row's list (cmd_option.c), counts what is left and asks the flags. So a verb sees
 * only words it can use, and every door refuses the same things with the same sentence.
 */
#include "cmd.h"

#include <stdlib.h>
#include <string.h>

#include "at.h"
#include "sched/base/vec.h"

/* To qsub's options belongs -h, a hold; and a script may have options of its own. */
static bool wants_help(const struct cmd *cmd, int argc, char **argv)
{
	if (cmd->flags & CMD_SUBMITS)
		return argc > 1 && strcmp(argv[1], "--help") == 0;
	const char *value;
	bool own = cmd_find_option(cmd, "-h", &value) != NULL;

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--help") == 0 || (!own && strcmp(argv[i], "-h") == 0))
			return true;
	return false;
}

/* May the verb run behind this door? Opens the state it needs. */
static enum cmd_status make_ready(struct cmd_env *env, const struct cmd *cmd)
{
	unsigned needs = cmd->flags & (CMD_STORE | CMD_CHANGES | CMD_ANY_STATE);

	if ((cmd->flags & CMD_SHELL) && !env->shell) {
		err_set(&env->err, "%s starts a session of its own; run 'kahu %s' in a shell", cmd->name,
			cmd->name);
		return CMD_REFUSED;
	}
	if ((cmd->flags & CMD_CONSOLE) && !env->console) {
		err_set(&env->err, "%s moves the screen; it works only in the console", cmd->name);
		return CMD_REFUSED;
	}
	if (needs && !env->s && env->open)
		return env->open(env, cmd);
	if ((needs & (CMD_STORE | CMD_CHANGES)) && !env->s) {
		err_set(&env->err, "%s needs a store or a running scheduler", cmd->name);
		return CMD_REFUSED;
	}
	return CMD_DONE;
}

static bool count_is_right(struct cmd_env *env, const struct cmd *cmd, int count)
{
	int min = (cmd->flags & CMD_CURSOR) && env->console ? 0 : cmd->min;

	if (count >= min && (cmd->max < 0 || count <= cmd->max))
		return true;
	if (cmd->args[0] == '\0')
		return err_set(&env->err, "%s takes no words, got %d; usage: %s", cmd->name, count,
			       cmd->name);
	return err_set(&env->err, "%s: too %s words; usage: %s %s", cmd->name, count < min ? "few" : "many",
		       cmd->name, cmd->args);
}

static bool changes_now(const struct cmd_env *env, const struct cmd *cmd, const char *first)
{
	if ((cmd->flags & CMD_CHANGES) != 0)
		return true;
	for (const char *const *by = cmd->changes_by; by != NULL && *by != NULL; by++)
		if ((*by)[0] == '-' ? cmd_option(env, *by) != NULL : first != NULL && strcmp(*by, first) == 0)
			return true;
	return false;
}

static bool keeps_the_past(struct cmd_env *env, bool changes)
{
	return !changes || cmd_option(env, cmd_at.name) == NULL ||
	       err_set(&env->err, "the past cannot be changed: leave --at out to change what is so now");
}

/* A hold has its reason already, as its own. */
static void give_reason(struct cmd_env *env)
{
	const char *reason = cmd_option(env, cmd_reason.name);
	struct cmd_changes *changes = env->changes;

	if (reason == NULL || reason[0] == '\0')
		return;
	changes->reason = cmd_own(env, reason);
	for (size_t i = 0; i < changes->count; i++)
		if (changes->event[i].why == NULL &&
		    (changes->event[i].kind != EVENT_HOLD || changes->event[i].hold.reason == NULL))
			changes->event[i].why = changes->reason;
}

/* A submission reads its options itself: is --dry-run among those before its script? */
static bool submits_nothing(const struct cmd *cmd, int argc, char **argv)
{
	if ((cmd->flags & CMD_SUBMITS) == 0 || cmd->needs_word == NULL)
		return false;
	for (int i = 1; i < argc && argv[i][0] == '-' && strcmp(argv[i], "--") != 0; i++) {
		if (strcmp(argv[i], "--dry-run") == 0)
			return true;
		i += cmd->needs_word(argv[i]);
	}
	return false;
}

static enum cmd_status run_words(struct cmd_env *env, const struct cmd *cmd, int argc, char **argv)
{
	char **words = mem_alloc(((size_t)argc + 1) * sizeof *words);
	enum cmd_status status = CMD_USAGE;
	struct at at = {0};
	int count;

	if (cmd_take_words(env, cmd, argc, argv, words, &count) && count_is_right(env, cmd, count - 1)) {
		bool changes = changes_now(env, cmd, count > 1 ? words[1] : NULL);

		env->dry_run =
			cmd_option(env, cmd_dry_run.name) != NULL || submits_nothing(cmd, count, words);
		env->acts = !env->dry_run && changes;
		status = keeps_the_past(env, changes) ? make_ready(env, cmd) : CMD_REFUSED;
		if (status == CMD_DONE)
			status = at_begin(&at, env);
		if (status == CMD_DONE)
			status = cmd->run(env, count, words);
		if (status == CMD_DONE && env->changes)
			give_reason(env);
		at_end(&at, env);
	}
	free(words);
	free(env->given);
	env->given = NULL;
	env->given_count = env->given_room = 0;
	return status;
}

enum cmd_status cmd_run(struct cmd_env *env, int argc, char **argv)
{
	const struct cmd *cmd;

	if (argc < 1) {
		err_set(&env->err, "no verb was given; 'help' lists them");
		return CMD_USAGE;
	}
	cmd = cmd_find(argv[0], &env->err);
	if (!cmd)
		return CMD_USAGE;
	if (wants_help(cmd, argc, argv)) {
		cmd_print_usage(cmd, env->out);
		return CMD_DONE;
	}
	return run_words(env, cmd, argc, argv);
}

enum cmd_status cmd_run_line(struct cmd_env *env, const char *line)
{
	int count;
	char **words = cmd_split(line, &count, &env->err);
	enum cmd_status status;

	if (!words)
		return CMD_USAGE;
	status = cmd_run(env, count, words);
	free(words);
	return status;
}
