/* SPDX-License-Identifier: MIT */
/*
 * cmd_option.c - which options were given to a verb, and with what?
 *
 * A verb has the options of its row and those that all of its kind share. What is no option is a word;
 * behind "--" all are.
 */
#include <string.h>

#include "cmd.h"
#include "sched/base/vec.h"

const struct cmd_option cmd_dry_run = {
	.name = "--dry-run",
	.help = "say what would change, change nothing",
};

const struct cmd_option cmd_reason = {
	.name = "--reason",
	.value = "TEXT",
	.help = "why, kept in the journal with what is changed",
};

const struct cmd_option cmd_at = {
	.name = "--at",
	.value = "MOMENT",
	.help = "as it was then: 14:10, 2026-03-24T14:10, -2h, or after an entry of the journal",
};

static bool has_own(const struct cmd *cmd, const char *name)
{
	for (const struct cmd_option *o = cmd->options; o && o->name; o++)
		if (strcmp(o->name, name) == 0)
			return true;
	return false;
}

const struct cmd_option *cmd_shared_option(const struct cmd *cmd, size_t at)
{
	if (cmd_takes_dry_run(cmd) && at-- == 0)
		return &cmd_dry_run;
	if (cmd_takes_dry_run(cmd) && !has_own(cmd, cmd_reason.name) && at-- == 0)
		return &cmd_reason;
	return (cmd->flags & CMD_PAST) && at == 0 ? &cmd_at : NULL;
}

/* Is the word, up to its '=', this option? */
static bool is_option(const struct cmd_option *o, const char *word, size_t len)
{
	return strncmp(o->name, word, len) == 0 && o->name[len] == '\0';
}

const struct cmd_option *cmd_find_option(const struct cmd *cmd, const char *word, const char **value)
{
	size_t len = strcspn(word, "=");
	bool is_long = strncmp(word, "--", 2) == 0;
	const struct cmd_option *o;

	*value = is_long && word[len] == '=' ? word + len + 1 : NULL;
	if (!is_long)
		len = strlen(word);
	for (o = cmd->options; o && o->name; o++)
		if (is_option(o, word, len))
			return o;
	for (size_t i = 0; (o = cmd_shared_option(cmd, i)) != NULL; i++)
		if (is_option(o, word, len))
			return o;
	return NULL;
}

bool cmd_is_option(const char *word)
{
	return word[0] == '-' && word[1] != '\0' && word[1] != '.' && !(word[1] >= '0' && word[1] <= '9');
}

static void give(struct cmd_env *env, const char *name, const char *value)
{
	env->given = vec_room(env->given, &env->given_room, env->given_count + 1, sizeof *env->given);
	env->given[env->given_count++] = (struct cmd_given){.name = name, .value = value};
}

/* Letters that share a word, "-an", and a value behind its letter, "-ueva". False: they are none. */
static bool take_letters(struct cmd_env *env, const struct cmd *cmd, int argc, char **argv, int *at)
{
	const char *word = argv[*at];
	const struct cmd_option *option[16];
	size_t count = 0;

	if (word[0] != '-' || word[1] == '-')
		return false;
	for (const char *letter = word + 1; *letter != '\0'; letter++) {
		const char name[] = {'-', *letter, '\0'}, *value;

		if (count == sizeof option / sizeof option[0] ||
		    (option[count] = cmd_find_option(cmd, name, &value)) == NULL)
			return false;
		if (option[count++]->value == NULL)
			continue;
		if (letter[1] == '\0' && *at + 1 >= argc)
			return false;
		give(env, option[--count]->name, letter[1] != '\0' ? letter + 1 : argv[++*at]);
		break;
	}
	for (size_t i = 0; i < count; i++)
		give(env, option[i]->name, "");
	return true;
}

/* Takes the option at argv[*at] and its value. False with a sentence when it is not one. */
static bool take_option(struct cmd_env *env, const struct cmd *cmd, int argc, char **argv, int *at)
{
	const char *value;
	const struct cmd_option *option = cmd_find_option(cmd, argv[*at], &value);

	if (!option && take_letters(env, cmd, argc, argv, at))
		return true;
	if (!option)
		return err_set(&env->err, "%s has no option '%s'; 'kahu help %s' lists them", cmd->name,
			       argv[*at], cmd->name);
	if (!option->value && value)
		return err_set(&env->err, "%s: option %s takes no value, got '%s'", cmd->name, option->name,
			       value);
	if (option->value && !value && *at + 1 >= argc)
		return err_set(&env->err, "%s: option %s needs %s behind it", cmd->name, option->name,
			       option->value);
	if (option->value && !value)
		value = argv[++*at];
	give(env, option->name, value ? value : "");
	return true;
}

bool cmd_take_words(struct cmd_env *env, const struct cmd *cmd, int argc, char **argv, char **words,
		    int *count)
{
	bool only_words = false;

	env->given_count = 0;
	*count = 0;
	if (cmd->flags & CMD_SUBMITS) {
		memcpy(words, argv, ((size_t)argc + 1) * sizeof *words);
		*count = argc;
		return true;
	}
	words[(*count)++] = argv[0];
	for (int i = 1; i < argc; i++) {
		if (!only_words && strcmp(argv[i], "--") == 0)
			only_words = true;
		else if (only_words || !cmd_is_option(argv[i]))
			words[(*count)++] = argv[i];
		else if (!take_option(env, cmd, argc, argv, &i))
			return false;
	}
	words[*count] = NULL;
	return true;
}
