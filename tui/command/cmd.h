/* SPDX-License-Identifier: MIT */
/*
 * cmd.h - the command interface: verbs, their options, and how they are run
 *
 * A verb is one struct cmd. The shell, the `:` prompt, keys and scripts all run the verb from it; help,
 * completion and the man page are printed from it. A verb reads a snapshot. A verb that makes changes returns
 * events, which its caller previews, confirms and posts to the owner of the state. A refused verb returns one
 * message: where, what is wrong, what to do.
 *
 * A new verb needs a `const struct cmd`, its declaration in verbs.h, and a line in cmd_list.c.
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
 * The lowest authorization that any of the verb's changes needs; some of its changes may need a higher one.
 * The running scheduler checks the events of each request itself (users.h); a test checks that the values
 * here agree with these checks. If no scheduler is running, a user who can open the store is treated as an
 * operator.
 */
enum cmd_authority {
	CMD_ANYONE,
	CMD_OWNER,
	CMD_ADMIN3,
	CMD_ADMIN2,
	CMD_ADMIN1
};

enum cmd_flag {
	CMD_CHANGES = 1,    /* returns events; has --dry-run */
	CMD_STORE = 2,      /* needs the state of a store or of the running scheduler */
	CMD_SHELL = 4,      /* only from the shell: starts a session (demo ...) */
	CMD_CONSOLE = 8,    /* only in the console: acts on the screen (theme ...)     */
	CMD_ANY_STATE = 16, /* uses a state if there is one */
	CMD_SUBMITS = 32,   /* parses its options itself, like qsub; submits without a state */
	CMD_PAST = 64,      /* a report on a state; has --at */
	CMD_CURSOR = 128,   /* in the console, without arguments: acts on the job under the cursor */
	CMD_TEXT = 256      /* prints the text of another system's command: no JSON    */
};

struct cmd_candidates; /* complete.h */

struct cmd {
	const char *name;
	const char *alias;                /* Maui's names, space separated; NULL = none      */
	const char *args;                 /* "JOB...", for usage lines; "" = none            */
	const char *help;                 /* description in the help */
	const struct cmd_option *options; /* without shared options (cmd_shared_option); NULL = none */
	int min, max;                     /* number of arguments without options; max -1 = unlimited */
	enum cmd_authority authority;
	unsigned flags;
	void (*list)(struct str *out); /* CMD_SUBMITS: prints its options for help */
	/* CMD_SUBMITS: is the next word the value of this option? */
	bool (*needs_word)(const char *option);
	/*
	 * Options and first arguments that make a report change something, followed by a NULL entry; NULL =
	 * none.
	 */
	const char *const *changes_by;
	/* argv[0] is the name or alias used. Options are no longer in argv; cmd_option returns them. */
	enum cmd_status (*run)(struct cmd_env *env, int argc, char **argv);
	/* Adds completions of the last word; NULL = none. */
	void (*complete)(const struct snapshot *s, const char *word, struct cmd_candidates *out);
};

/* Returns true if the verb can return events. */
static inline bool cmd_may_change(const struct cmd *cmd)
{
	return (cmd->flags & CMD_CHANGES) || cmd->changes_by;
}

/* Returns true if the verb has --dry-run and --reason. */
static inline bool cmd_takes_dry_run(const struct cmd *cmd)
{
	return cmd_may_change(cmd) && !(cmd->flags & CMD_SUBMITS);
}

/* Verbs in the order of the help. cmd_list.h has the table of all verbs. */
struct cmd_table {
	const struct cmd *const *item;
	size_t count;
};

/*
 * Finds a verb by its exact name or alias. Returns NULL with err set if there is none; err suggests the
 * nearest name.
 */
const struct cmd *cmd_find(const struct cmd_table *verbs, const char *name, struct err *err);

/*
 * Returns the option of a verb that a word such as "-n" or "--speed=5" names; NULL if there is none. *value
 * is the text after '=', else NULL.
 */
const struct cmd_option *cmd_find_option(const struct cmd *cmd, const char *word, const char **value);

/* Is the word an option? "-" (standard input) and negative numbers are not. */
bool cmd_is_option(const char *word);

/*
 * Stores the options in argv in env, and the other arguments in `words`, which has room for argc + 1
 * pointers. Returns false with err set if an option is unknown, a value is missing, or an option has a value
 * but takes none.
 */
bool cmd_take_words(struct cmd_env *env, const struct cmd *cmd, int argc, char **argv, char **words,
		    int *count);

/* Splits a line into words with the quotes and backslashes of a shell and runs the verb. */
enum cmd_status cmd_run_line(struct cmd_env *env, const char *line);

/* Finds the verb argv[0], checks its options, flags and number of arguments, and runs it. */
enum cmd_status cmd_run(struct cmd_env *env, int argc, char **argv);

/* Options of several verbs: --dry-run and --reason of verbs that make changes, --at of reports on a state. */
extern const struct cmd_option cmd_dry_run, cmd_reason, cmd_at;

/* Returns the shared option number `at` (0, 1, ...) of a verb; NULL after the last one. */
const struct cmd_option *cmd_shared_option(const struct cmd *cmd, size_t at);

/* The option -w of verbs that act on jobs. */
#define CMD_WHERE_OPTION                                                                                     \
	{                                                                                                    \
		"-w", "TERMS", "jobs that match: 'user=eva state=idle'"                                      \
	}

/* Appends a name in a column of `width` cells, then its explanation, which is wrapped and indented. */
void cmd_print_entry(const char *name, int width, const char *text, struct str *out);

/* Prints usage, help and options of a verb. */
void cmd_print_usage(const struct cmd *cmd, struct str *out);

/* An option that all verbs have, before or after the verb. */
struct cmd_global_option {
	const char *name, *value, *help;
	/* of its member in struct shell: a const char * if the option has a value, else a bool */
	size_t offset;
};

/*
 * Returns the global option that a word such as "--store=DIR" names; NULL if there is none. *value is the
 * text after '=', else NULL.
 */
const struct cmd_global_option *cmd_find_global_option(const char *word, const char **value);
void cmd_set_global_option(struct shell *shell, const struct cmd_global_option *option, const char *value);
void cmd_print_global_options(struct str *out);

#endif
