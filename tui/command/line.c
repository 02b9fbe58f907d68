/* SPDX-License-Identifier: MIT */
/*
 * line.c - the shell's door: words in, a report and an exit status out
 *
 * Takes the options that every verb has from the words and hands the rest to the command
 * table; what a verb works on is opened when it asks for it.
 */
#include "line.h"

#include <errno.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "opened.h"
#include "sched/base/vec.h"
#include "tui/command/cmd.h"
#include "tui/command/post.h"
#include "tui/serve/caller.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"
#include "visit.h"

/* --- the options of every verb -------------------------------------------------------- */

#define OPTION_WIDTH 16
#define TRIES        8 /* as often as a scheduler may end while one verb asks it */

struct line_option {
	const char *name, *value, *help;
	size_t offset; /* in struct shell: const char * when there is a value, else bool */
};

static const struct line_option line_options[] = {
	{"--store", "DIR", "the store; else $KAHU_STORE, else the usual place",
	 offsetof(struct shell, store)},
	{"--config", "FILE", "the configuration; else $KAHU_CONF, else the usual place",
	 offsetof(struct shell, config)},
	{"--script", "FILE", "drive the console from a script, no terminal needed",
	 offsetof(struct shell, script)},
	{"--json", NULL, "print JSON", offsetof(struct shell, json)},
	{"--ascii", NULL, "print and draw nothing but ASCII", offsetof(struct shell, ascii)},
	{"--no-color", NULL, "no colours, as with NO_COLOR set", offsetof(struct shell, no_color)},
	{"--readonly", NULL, "refuse every change", offsetof(struct shell, readonly)},
	{"--linear", NULL, "plain text from top to bottom, for screen readers; without a verb: the queue",
	 offsetof(struct shell, linear)},
	{"-b", NULL, "batch: without a verb, print the queue instead of opening the console",
	 offsetof(struct shell, batch)},
};

void line_print_options(struct str *out)
{
	char name[32];

	for (size_t i = 0; i < sizeof line_options / sizeof line_options[0]; i++) {
		const struct line_option *o = &line_options[i];

		snprintf(name, sizeof name, "%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
		cmd_print_entry(name, OPTION_WIDTH, o->help, out);
	}
}

static const struct line_option *find_line_option(const char *word, const char **value)
{
	size_t len = strcspn(word, "=");

	*value = word[len] == '=' ? word + len + 1 : NULL;
	for (size_t i = 0; i < sizeof line_options / sizeof line_options[0]; i++)
		if (strncmp(line_options[i].name, word, len) == 0 && line_options[i].name[len] == '\0')
			return &line_options[i];
	return NULL;
}

static void set_option(struct shell *shell, const struct line_option *option, const char *value)
{
	char *field = (char *)shell + option->offset;

	if (option->value)
		memcpy(field, &value, sizeof value);
	else
		*(bool *)field = true;
}

/* The words of a command line with the options of every verb taken out. */
struct line {
	struct shell shell;
	char **word; /* room for all of argv */
	int count;
	const struct cmd *verb; /* NULL until its word was seen, or when there is none such */
};

/* An option of the verb itself stays among the words, with what belongs to it. */
static bool keep_own_option(struct line *line, int argc, char **argv, int *at)
{
	const char *value;
	const struct cmd_option *own = line->verb ? cmd_find_option(line->verb, argv[*at], &value) : NULL;

	if (!own)
		return false;
	line->word[line->count++] = argv[*at];
	if (own->value && !value && *at + 1 < argc)
		line->word[line->count++] = argv[++*at];
	return true;
}

static bool take_line_option(struct line *line, int argc, char **argv, int *at, struct err *err)
{
	const char *value;
	const struct line_option *option = find_line_option(argv[*at], &value);

	if (!option) {
		line->word[line->count++] = argv[*at];
		return true;
	}
	if (!option->value && value)
		return err_set(err, "option %s takes no value, got '%s'", option->name, value);
	if (option->value && !value && *at + 1 >= argc)
		return err_set(err, "option %s needs %s behind it", option->name, option->value);
	if (option->value && !value)
		value = argv[++*at];
	if (option->value && value[0] == '\0')
		return err_set(err, "option %s needs %s behind it, got nothing", option->name, option->value);
	set_option(&line->shell, option, value);
	return true;
}

/*
 * The words of submit, run, sbatch and srun: what stands behind the script or command belongs to it, so
 * options are taken from what stands before. One letter is never an option of every verb here: sbatch has -b
 * itself.
 */
static bool read_submission(struct line *line, int argc, char **argv, int at, struct err *err)
{
	for (; at < argc && argv[at][0] == '-' && argv[at][1] != '\0' && strcmp(argv[at], "--") != 0; at++) {
		bool value = line->verb->needs_word(argv[at]) && at + 1 < argc;

		if (argv[at][1] != '-' || value) {
			line->word[line->count++] = argv[at];
			if (value)
				line->word[line->count++] = argv[++at];
		} else if (!take_line_option(line, argc, argv, &at, err)) {
			return false;
		}
	}
	while (at < argc)
		line->word[line->count++] = argv[at++];
	line->word[line->count] = NULL;
	return true;
}

static bool read_line(struct line *line, int argc, char **argv, struct err *err)
{
	for (int i = 1; i < argc; i++) {
		if (line->verb != NULL && (line->verb->flags & CMD_SUBMITS) != 0)
			return read_submission(line, argc, argv, i, err);
		if (strcmp(argv[i], "--") == 0) {
			while (i < argc)
				line->word[line->count++] = argv[i++];
		} else if (!cmd_is_option(argv[i])) {
			if (line->count == 0)
				line->verb = cmd_find(argv[i], NULL);
			line->word[line->count++] = argv[i];
		} else if (!keep_own_option(line, argc, argv, &i) &&
			   !take_line_option(line, argc, argv, &i, err)) {
			return false;
		}
	}
	line->word[line->count] = NULL;
	return true;
}

/* --- running ------------------------------------------------------------------------------ */

static bool locale_is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* Columns of the terminal that reads along; 0 when it is none. */
static int terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		return 0;
	return size.ws_col;
}

/* Says the sentence of a verb that did not work. */
static void complain(enum cmd_status status, const struct err *err)
{
	if (status != CMD_DONE && err->text[0])
		fprintf(stderr, "kahu: %s\n", err->text);
}

static enum cmd_status write_out(const struct str *out, enum cmd_status status)
{
	bool whole = fwrite(str_text(out), 1, out->len, stdout) == out->len;

	if (fflush(stdout) == 0 && whole)
		return status;
	fprintf(stderr, "kahu: the output could not be written: %s\n", strerror(errno));
	return CMD_FAILED;
}

static struct driver *instead(void *self)
{
	return opened_instead(self);
}

/* The scheduler went while it was asked, and nothing has been said or changed yet. */
static bool may_be_run_again(const struct cmd *cmd, const struct opened *opened, enum cmd_status status)
{
	return status == CMD_FAILED && cmd != NULL && (cmd->flags & CMD_SHELL) == 0 &&
	       caller_is_lost(opened->caller);
}

static int run_verb(const struct shell *shell, int argc, char **argv)
{
	struct str out = {0};
	struct cmd_changes changes = {0};
	struct opened opened = {.shell = shell};
	const struct cmd *cmd = cmd_find(argv[0], NULL);
	bool submits = cmd != NULL && (cmd->flags & CMD_SUBMITS);
	const struct cmd_env begin = {.who = submits ? "" : session_user(),
				      .json = shell->json,
				      .ascii = shell->ascii || !locale_is_utf8(),
				      .width = terminal_width(),
				      .out = &out,
				      .changes = &changes,
				      .shell = shell,
				      .open = opened_for,
				      .door = &opened};
	struct cmd_env env = begin;
	enum cmd_status status = cmd_run(&env, argc, argv);

	for (int i = 0; i < TRIES && may_be_run_again(cmd, &opened, status); i++) {
		str_clear(&out);
		cmd_changes_clear(&changes);
		opened_close(&opened);
		env = begin;
		status = cmd_run(&env, argc, argv);
	}
	if (status == CMD_DONE)
		status = post_changes(&env, &(struct post_to){.driver = opened.driver,
							      .caller = opened.caller,
							      .instead = instead,
							      .self = &opened});
	status = write_out(&out, status);
	complain(status, &env.err);
	cmd_changes_clear(&changes);
	opened_close(&opened);
	str_free(&out);
	return status == CMD_DONE ? env.exit_status : (int)status;
}

static enum cmd_status run_console(const struct shell *shell)
{
	struct err err = {{0}};
	enum cmd_status status = visit_run(shell, &err);

	complain(status, &err);
	return status;
}

static int run_words(struct line *line)
{
	static char help[] = "help", version[] = "version", queue[] = "queue";
	const char *first = line->count > 0 ? line->word[0] : "";

	if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
		line->word[0] = help;
	else if (strcmp(first, "--version") == 0)
		line->word[0] = version;
	else if (line->count == 0 && (line->shell.batch || line->shell.linear))
		line->word[line->count++] = queue;
	else if (line->count == 0)
		return (int)run_console(&line->shell);
	return run_verb(&line->shell, line->count, line->word);
}

/* A program that is linked to under a verb's name is that verb. */
static char *called_as(char *path)
{
	char *slash = strrchr(path, '/');
	char *name = slash ? slash + 1 : path;

	return strcmp(name, "kahu") != 0 && cmd_find(name, NULL) ? name : NULL;
}

int line_run(int argc, char **argv, const struct cmd_console *console)
{
	struct line line = {.word = mem_zero((size_t)argc + 2, sizeof *line.word),
			    .shell = {.console = console}};
	struct err err = {{0}};
	int status = CMD_USAGE;
	char *name = argc > 0 ? called_as(argv[0]) : NULL;

	if (name) {
		line.verb = cmd_find(name, NULL);
		line.word[line.count++] = name;
	}
	if (read_line(&line, argc, argv, &err))
		status = run_words(&line);
	else
		complain(CMD_USAGE, &err);
	free(line.word);
	return status;
}
