/* SPDX-License-Identifier: MIT */
/*
 * cmd.c - finding and running a verb: options, words, flags and usage
 *
 * The command line, the prompt, keys and scripts all call cmd_run, which finds the verb, removes the options,
 * and checks the flags and the number of arguments. So an error has the same message everywhere.
 */
#include "cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "at.h"
#include "sched/base/vec.h"
#include "tui/serve/shell.h"

/* --- finding a verb ----------------------------------------------------------------------------------- */

/* Returns true if name is one of the words of list. */
static bool has_word(const char *list, const char *name)
{
	size_t len = strlen(name);
	const char *at = list;

	while (at && len > 0) {
		if (strncmp(at, name, len) == 0 && (at[len] == ' ' || at[len] == '\0'))
			return true;
		at = strchr(at, ' ');
		if (at)
			at++;
	}
	return false;
}

const struct cmd *cmd_find(const struct cmd_table *verbs, const char *name, struct err *err)
{
	const char *names[128];
	size_t count = 0;
	const char *near;

	for (size_t i = 0; i < verbs->count; i++) {
		if (strcmp(verbs->item[i]->name, name) == 0 || has_word(verbs->item[i]->alias, name))
			return verbs->item[i];
		if (count < sizeof names / sizeof names[0])
			names[count++] = verbs->item[i]->name;
	}
	near = str_nearest(name, names, count);
	if (near)
		err_set(err, "unknown verb '%s'; did you mean '%s'? 'kahu help' lists all verbs", name, near);
	else
		err_set(err, "unknown verb '%s'; 'kahu help' lists all verbs", name);
	return NULL;
}

/* --- options ------------------------------------------------------------------------------------------ */

/* A verb has the options of its struct cmd and the shared ones. After "--" every argument is a word. */

const struct cmd_option cmd_dry_run = {
	.name = "--dry-run",
	.help = "print what would change, and change nothing",
};

const struct cmd_option cmd_reason = {
	.name = "--reason",
	.value = "TEXT",
	.help = "reason for the change, recorded in the journal",
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

/*
 * Stores the options in an argument of combined letters ("-an") or of a letter and its value ("-ueva").
 * Returns false, and stores nothing, if the argument is neither.
 */
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

/*
 * Stores the option at argv[*at] and its value, and moves *at to the value if that is the next word. Returns
 * false with err set on failure.
 */
static bool take_option(struct cmd_env *env, const struct cmd *cmd, int argc, char **argv, int *at)
{
	const char *value;
	const struct cmd_option *option = cmd_find_option(cmd, argv[*at], &value);

	if (!option && take_letters(env, cmd, argc, argv, at))
		return true;
	if (!option)
		return err_set(&env->err, "%s has no option '%s'; 'kahu help %s' lists its options",
			       cmd->name, argv[*at], cmd->name);
	if (!option->value && value)
		return err_set(&env->err, "%s: option %s takes no value, got '%s'", cmd->name, option->name,
			       value);
	if (option->value && !value && *at + 1 >= argc)
		return err_set(&env->err, "%s: option %s needs a value: %s", cmd->name, option->name,
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

/* --- usage -------------------------------------------------------------------------------------------- */

#define HELP_WIDTH   79
#define OPTION_WIDTH 18
#define GLOBAL_WIDTH 16

/*
 * Appends text to a line that has reached column `indent`. Wraps at HELP_WIDTH; further lines are indented to
 * that column.
 */
static void add_wrapped(const char *text, int indent, struct str *out)
{
	int column = indent;

	while (*text) {
		int len = (int)strcspn(text, " ");

		if (column + len > HELP_WIDTH && column > indent) {
			str_addf(out, "\n%*s", indent, "");
			column = indent;
		}
		str_addf(out, "%s%.*s", column > indent ? " " : "", len, text);
		column += len + 1;
		text += len;
		text += strspn(text, " ");
	}
	str_add_char(out, '\n');
}

void cmd_print_entry(const char *name, int width, const char *text, struct str *out)
{
	str_addf(out, "  %-*s", width, name);
	if (strlen(name) > (size_t)width)
		str_addf(out, "\n%*s", width + 4, "");
	else
		str_add(out, "  ");
	add_wrapped(text, width + 4, out);
}

static void print_option(const struct cmd_option *o, struct str *out)
{
	char name[40];

	snprintf(name, sizeof name, "%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
	cmd_print_entry(name, OPTION_WIDTH, o->help, out);
}

void cmd_print_usage(const struct cmd *cmd, struct str *out)
{
	bool options = cmd->options || cmd_shared_option(cmd, 0);

	str_addf(out, "usage: %s%s%s%s%s\n", cmd->flags & CMD_CONSOLE ? ":" : "kahu ", cmd->name,
		 options ? " [OPTION]..." : "", cmd->args[0] ? " " : "", cmd->args);
	add_wrapped(cmd->help, 0, out);
	if (cmd->alias)
		str_addf(out, "Also called: %s\n", cmd->alias);
	if (options)
		str_add(out, "\n");
	for (const struct cmd_option *o = cmd->options; o && o->name; o++)
		print_option(o, out);
	for (size_t i = 0; cmd_shared_option(cmd, i); i++)
		print_option(cmd_shared_option(cmd, i), out);
	if (cmd->list)
		cmd->list(out);
}

/* --- global options ----------------------------------------------------------------------------------- */

static const struct cmd_global_option global_options[] = {
	{"--store", "DIR", "directory of the store (default: $KAHU_STORE, or the standard directory)",
	 offsetof(struct shell, store)},
	{"--config", "FILE", "configuration file (default: $KAHU_CONF, or the standard file)",
	 offsetof(struct shell, config)},
	{"--script", "FILE", "run the console from a script, without a terminal",
	 offsetof(struct shell, script)},
	{"--json", NULL, "print JSON", offsetof(struct shell, json)},
	{"--ascii", NULL, "use only ASCII characters", offsetof(struct shell, ascii)},
	{"--no-color", NULL, "do not use colors, as with NO_COLOR set", offsetof(struct shell, no_color)},
	{"--readonly", NULL, "refuse every change", offsetof(struct shell, readonly)},
	{"--linear", NULL, "print plain text for screen readers; without a verb, print the queue",
	 offsetof(struct shell, linear)},
	{"-b", NULL, "batch mode: without a verb, print the queue instead of opening the console",
	 offsetof(struct shell, batch)},
};

void cmd_print_global_options(struct str *out)
{
	char name[32];

	for (size_t i = 0; i < sizeof global_options / sizeof global_options[0]; i++) {
		const struct cmd_global_option *o = &global_options[i];

		snprintf(name, sizeof name, "%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
		cmd_print_entry(name, GLOBAL_WIDTH, o->help, out);
	}
}

const struct cmd_global_option *cmd_find_global_option(const char *word, const char **value)
{
	size_t len = strcspn(word, "=");

	*value = word[len] == '=' ? word + len + 1 : NULL;
	for (size_t i = 0; i < sizeof global_options / sizeof global_options[0]; i++)
		if (strncmp(global_options[i].name, word, len) == 0 && global_options[i].name[len] == '\0')
			return &global_options[i];
	return NULL;
}

void cmd_set_global_option(struct shell *shell, const struct cmd_global_option *option, const char *value)
{
	char *field = (char *)shell + option->offset;

	if (option->value)
		memcpy(field, &value, sizeof value);
	else
		*(bool *)field = true;
}

/* --- running a verb ----------------------------------------------------------------------------------- */

/*
 * Does the user ask for help? For verbs that submit jobs, only "--help" as the first argument asks for help:
 * -h is an option of qsub (hold), and the script may have any options.
 */
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

/* Checks that the verb may run here and opens the state that it needs. */
static enum cmd_status make_ready(struct cmd_env *env, const struct cmd *cmd)
{
	unsigned needs = cmd->flags & (CMD_STORE | CMD_CHANGES | CMD_ANY_STATE);

	if ((cmd->flags & CMD_SHELL) && !env->shell) {
		err_set(&env->err, "%s starts a separate session; run 'kahu %s' in a shell", cmd->name,
			cmd->name);
		return CMD_REFUSED;
	}
	if ((cmd->flags & CMD_CONSOLE) && !env->console) {
		err_set(&env->err, "%s is available only in the console", cmd->name);
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
		return err_set(&env->err, "%s takes no arguments, got %d; usage: %s", cmd->name, count,
			       cmd->name);
	return err_set(&env->err, "%s: too %s arguments; usage: %s %s", cmd->name,
		       count < min ? "few" : "many", cmd->name, cmd->args);
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
	       err_set(&env->err, "a past state cannot be changed; remove --at to change the present");
}

/* Adds the text of --reason to all events without a reason; a hold may have one already. */
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

/*
 * Returns true if --dry-run is among the options of a submission, before its script. Verbs that submit jobs
 * parse their options themselves.
 */
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
		err_set(&env->err, "no verb given; 'help' lists all verbs");
		return CMD_USAGE;
	}
	cmd = cmd_find(env->verbs, argv[0], &env->err);
	if (!cmd)
		return CMD_USAGE;
	if (wants_help(cmd, argc, argv)) {
		cmd_print_usage(cmd, env->out);
		return CMD_DONE;
	}
	if (env->json && (cmd->flags & CMD_TEXT) != 0) {
		err_set(&env->err, "%s does not support --json; use 'queue --json' or 'node --json'",
			cmd->name);
		return CMD_USAGE;
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
