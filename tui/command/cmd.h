/* SPDX-License-Identifier: MIT */
/*
 * cmd.h - the command interface: verbs, their options, and how they are run
 *
 * A verb is one row. The shell, the `:` prompt, keys and scripts run the same row; help, completion and the
 * man page are printed from it. A verb reads a snapshot. A verb that makes changes returns events, which its
 * caller previews, confirms and posts to the owner of the state. A refused verb returns one message: where,
 * what is wrong, what to do.
 *
 * A new verb is one `const struct cmd` and its line in cmd_list.c.
 */
#ifndef COMMAND_CMD_H
#define COMMAND_CMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/report/changes.h"
#include "tui/report/cmd_env.h"
#include "tui/submit/words.h"

struct cmd;

/*
 * The lowest authorization that any effect of the verb needs. The running scheduler authorizes the events of
 * a request (users.h); a test compares the two. In this process every user is the operator.
 */
enum cmd_authority {
	CMD_ANYONE,
	CMD_OWNER,
	CMD_ADMIN3,
	CMD_ADMIN2,
	CMD_ADMIN1
};

enum cmd_flag {
	CMD_CHANGES = 1,    /* returns events; takes --dry-run                         */
	CMD_STORE = 2,      /* needs a state: of a store or of the running scheduler   */
	CMD_SHELL = 4,      /* only from the shell: starts its own session (demo ...)  */
	CMD_CONSOLE = 8,    /* only in the console: acts on the screen (theme ...)     */
	CMD_ANY_STATE = 16, /* uses a state if there is one                            */
	CMD_SUBMITS = 32,   /* parses qsub's options itself; posts without a state     */
	CMD_PAST = 64,      /* a report on a state: takes --at                         */
	CMD_CURSOR = 128,   /* in the console, without words: the job under the cursor */
	CMD_TEXT = 256      /* prints the text of another system's command: no JSON    */
};

struct cmd_candidates; /* complete.h */

struct cmd {
	const char *name;
	const char *alias;                /* Maui's names, space separated; NULL = none      */
	const char *args;                 /* "JOB...", for usage lines; "" = none            */
	const char *help;                 /* one sentence                                    */
	const struct cmd_option *options; /* its own; NULL = none                            */
	int min, max;                     /* number of words without options; max -1 = many  */
	enum cmd_authority authority;
	unsigned flags;
	void (*list)(struct str *out); /* CMD_SUBMITS: lists its options for help */
	/* CMD_SUBMITS: true if the value of this option is the next word. */
	bool (*needs_word)(const char *option);
	const char *const *changes_by; /* options and first words with which a report makes changes, NULL at
					  the end; NULL = none */
	/* argv[0] is the verb as called. Options are removed; cmd_option finds them. */
	enum cmd_status (*run)(struct cmd_env *env, int argc, char **argv);
	/* Adds candidates for the last word; NULL = none. */
	void (*complete)(const struct snapshot *s, const char *word, struct cmd_candidates *out);
};

/* True if the verb can return events. */
static inline bool cmd_may_change(const struct cmd *cmd)
{
	return (cmd->flags & CMD_CHANGES) || cmd->changes_by;
}

/* True if the verb has --dry-run and --reason. */
static inline bool cmd_takes_dry_run(const struct cmd *cmd)
{
	return cmd_may_change(cmd) && !(cmd->flags & CMD_SUBMITS);
}

/* Verbs in the order of the help. The table of all is in cmd_list.h. */
struct cmd_table {
	const struct cmd *const *item;
	size_t count;
};

/* By exact name or alias. NULL sets err, which suggests the nearest name. */
const struct cmd *cmd_find(const struct cmd_table *verbs, const char *name, struct err *err);

/* The row of an option word ("-n", "--speed=5") of a verb; NULL if there is none. *value is the text after
 * '=', else NULL. */
const struct cmd_option *cmd_find_option(const struct cmd *cmd, const char *word, const char **value);

/* "-" (standard input) and "-5" (a number) are words, not options. */
bool cmd_is_option(const char *word);

/*
 * Splits argv into options, which are stored in env, and words, an array of at least argc + 1. False sets
 * err: an unknown option, or an option with a value too many or too few.
 */
bool cmd_take_words(struct cmd_env *env, const struct cmd *cmd, int argc, char **argv, char **words,
		    int *count);

/* Splits a line into words with the quotes and backslashes of a shell and runs the verb. */
enum cmd_status cmd_run_line(struct cmd_env *env, const char *line);

/* Checks the options, the number of words and the flags, and runs the verb. */
enum cmd_status cmd_run(struct cmd_env *env, int argc, char **argv);

/* Verbs that make changes have the first two; reports on a state have the last. */
extern const struct cmd_option cmd_dry_run, cmd_reason, cmd_at;

/* The options of a verb that other verbs share: at = 0, 1, ... until NULL. */
const struct cmd_option *cmd_shared_option(const struct cmd *cmd, size_t at);

/* The option -w of verbs that act on jobs. */
#define CMD_WHERE_OPTION                                                                                     \
	{                                                                                                    \
		"-w", "TERMS", "jobs that match: 'user=eva state=idle'"                                      \
	}

/* Prints a name in `width` cells, followed by its explanation with an indent. */
void cmd_print_entry(const char *name, int width, const char *text, struct str *out);

/* Prints usage, help and options of a verb. */
void cmd_print_usage(const struct cmd *cmd, struct str *out);

/* An option that all verbs have, before or after the verb. */
struct cmd_global_option {
	const char *name, *value, *help;
	size_t offset; /* in struct shell: const char * if it has a value, else bool */
};

/* The option of a word such as "--store=DIR"; NULL if there is none. *value is the text after '=', else NULL.
 */
const struct cmd_global_option *cmd_find_global_option(const char *word, const char **value);
void cmd_set_global_option(struct shell *shell, const struct cmd_global_option *option, const char *value);
void cmd_print_global_options(struct str *out);

#endif
