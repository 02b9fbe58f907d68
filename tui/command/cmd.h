/* SPDX-License-Identifier: MIT */
/*
 * cmd.h - one table of verbs, five doors
 *
 * A verb is one row. The shell, the `:` prompt, a key, a script and (later) the socket run
 * the same row; help, completion and the man page are printed from it. A verb reads a
 * snapshot; a verb that changes something does not change it but gives back events, which
 * its door previews, asks about and hands to whoever owns the state. A refused verb gives
 * one sentence: what, which object, why, what to do.
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
 * Who may, at least: of a verb with several effects the least. What the running scheduler lets others do it
 * judges by the events that they ask for (may.h), and a test holds the two together. In this process
 * everybody is the operator.
 */
enum cmd_authority {
	CMD_ANYONE,
	CMD_OWNER,
	CMD_ADMIN3,
	CMD_ADMIN2,
	CMD_ADMIN1
};

enum cmd_flag {
	CMD_CHANGES = 1,    /* gives back events; takes --dry-run                          */
	CMD_STORE = 2,      /* needs a state: a store, or the running scheduler            */
	CMD_SHELL = 4,      /* only from the shell: starts a session of its own (demo ...) */
	CMD_CONSOLE = 8,    /* only in the console: moves the screen (theme, quit ...)     */
	CMD_ANY_STATE = 16, /* uses a state when there is one, does without otherwise      */
	CMD_PAST = 64,      /* shows what is so, or was: takes --at                       */
	CMD_CURSOR = 128,   /* in the console the job under the cursor is meant where no word is given */
	CMD_SUBMITS = 32 /* has qsub's options, which it reads itself; posts without looking at the state */
};

struct cmd_candidates; /* complete.h */

struct cmd {
	const char *name;
	const char *alias;                /* Maui's names, space separated; NULL = none      */
	const char *args;                 /* "JOB...", for usage lines; "" = none            */
	const char *help;                 /* one sentence                                    */
	const struct cmd_option *options; /* its own; NULL = none                            */
	int min, max;                     /* words after the verb without options; max -1 = many */
	enum cmd_authority authority;
	unsigned flags;
	void (*list)(struct str *out); /* CMD_SUBMITS: prints the options that it reads itself */
	/* CMD_SUBMITS: is the value of this option in the next word? */
	bool (*needs_word)(const char *option);
	const char *const *changes_by; /* options and first words with which a report changes something,
					  NULL at the end; NULL = none */
	/* argv[0] is the verb as it was called; options have been taken out (cmd_option asks for them). */
	enum cmd_status (*run)(struct cmd_env *env, int argc, char **argv);
	/* Adds candidates for the last word; NULL = none. */
	void (*complete)(const struct snapshot *s, const char *word, struct cmd_candidates *out);
};

/* May it give back events: always, or with one of its options or words? */
static inline bool cmd_may_change(const struct cmd *cmd)
{
	return (cmd->flags & CMD_CHANGES) || cmd->changes_by;
}

/* Can its effect be shown without being made? */
static inline bool cmd_takes_dry_run(const struct cmd *cmd)
{
	return cmd_may_change(cmd) && !(cmd->flags & CMD_SUBMITS);
}

/* All verbs, in the order of the help. */
extern const struct cmd *const cmd_all[];
extern const size_t cmd_all_count;

/* By name or alias, exact; NULL with err naming the nearest. */
const struct cmd *cmd_find(const char *name, struct err *err);

/* The row of an option word ("-n", "--speed=5") of a verb, NULL if it has none such; *value is set to what
 * stands behind '=', else NULL. */
const struct cmd_option *cmd_find_option(const struct cmd *cmd, const char *word, const char **value);
/* Is it an option and not a word? "-" is standard input and -5 a number: both are words. */
bool cmd_is_option(const char *word);

/*
 * Splits argv into options, which env has then, and words, for which there is room for argc + 1. False with a
 * sentence: one is no option of the verb, or has a value too many or too few.
 */
bool cmd_take_words(struct cmd_env *env, const struct cmd *cmd, int argc, char **argv, char **words,
		    int *count);

/*
 * Splits a line into words ("..." and '...' and backslash as in a shell, nothing else
 * is special) and runs the verb. For the prompt, keys and scripts.
 */
enum cmd_status cmd_run_line(struct cmd_env *env, const char *line);

/* The same for words: for the shell. Checks options, count and flags first. */
enum cmd_status cmd_run(struct cmd_env *env, int argc, char **argv);

/* Every changing verb has the first two; every report on a state has the last. */
extern const struct cmd_option cmd_dry_run, cmd_reason, cmd_at;

/* The options that a verb has beside its own: at = 0, 1, ... until NULL. */
const struct cmd_option *cmd_shared_option(const struct cmd *cmd, size_t at);

/* A name in `width` cells and, indented behind it, what it means. */
void cmd_print_entry(const char *name, int width, const char *text, struct str *out);
/* One verb's usage and help. */
void cmd_print_usage(const struct cmd *cmd, struct str *out);

#endif
