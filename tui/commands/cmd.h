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
#ifndef TUI_CMD_H
#define TUI_CMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/arena.h"
#include "sched/base/err.h"
#include "sched/base/str.h"
#include "sched/core/event.h"
#include "sched/core/plan.h"
#include "sched/core/snapshot.h"

struct caller; /* caller.h */
struct cmd;
struct replay; /* sched/host/replay.h */
struct shell;  /* tui/line.h */
struct store;  /* store/store.h */

/* Also the exit status of the program. */
enum cmd_status {
	CMD_DONE = 0,
	CMD_REFUSED = 1,
	CMD_USAGE = 2,
	CMD_FAILED = 3
};

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

/* An option of a verb. A list ends with name NULL. Both "-n 5" and "--speed=5" are understood. */
struct cmd_option {
	const char *name;  /* "-r", "--speed"                                        */
	const char *value; /* what has to follow, for usage lines: "N"; NULL = nothing */
	const char *help;  /* a few words                                            */
};

/* One option as it was given. */
struct cmd_given {
	const char *name;  /* of its row                    */
	const char *value; /* "" for an option without one  */
};

/* What a verb may look at and write to; filled by its door. Zero where it says NULL. */
struct cmd_env {
	const struct snapshot *s; /* NULL without CMD_STORE                          */
	int64_t now_s;
	struct store *store;         /* for journal and history; NULL in replay         */
	bool past;                   /* s and now_s are of a moment that is past (--at)  */
	struct caller *caller;       /* the running scheduler, where there is one: it knows them too */
	const struct replay *replay; /* whose state it is; NULL where there is none     */
	const char *who;             /* for events: a user's name                       */
	bool json;                   /* --json                                          */
	bool ascii;                  /* --ascii or a locale without UTF-8               */
	int width;                   /* cells a line may take; 0 = as long as it wants  */
	struct str *out;             /* what it prints                                  */
	struct err err;              /* the sentence when it did not work               */
	struct cmd_changes *changes; /* events of a changing verb; never NULL for one   */
	void *console;               /* struct console of CMD_CONSOLE verbs, else NULL  */
	const struct shell *shell;   /* what the program was started with; NULL elsewhere */
	/* Called when a verb needs a state and s is NULL: sets s and what belongs to it, or
	 * refuses. NULL = this door has no state to offer. */
	enum cmd_status (*open)(struct cmd_env *env, const struct cmd *cmd);
	void *door; /* for open */
	/* Written by cmd_run before the verb runs. */
	bool dry_run; /* --dry-run: the door shows cmd_preview and drops the changes */
	bool acts;    /* it is to change something, and this is no dry run       */
	/* Written by a verb that waited for a job: what the program ends with when it is done. */
	uint8_t exit_status;
	struct cmd_given *given;
	size_t given_count, given_room;
};

/* One line about what the changes will do, for who has to say yes to them. */
enum cmd_note_kind {
	CMD_NOTE_CANNOT,  /* this part of what was asked for cannot be done; the sentence says why */
	CMD_NOTE_NOTHING, /* this part has no effect now                                           */
	CMD_NOTE_DOES,    /* this part does that                                                   */
	CMD_NOTE_STAYS,   /* this is not touched by it                                             */
	CMD_NOTE_OTHERS   /* this undoes what another operator did: what, who and when             */
};
struct cmd_note {
	enum cmd_note_kind kind;
	uint64_t seq; /* of the entry it is about, 0 = none */
	const char *text;
};

/* Events that a verb wants applied, all or nothing, with the memory their strings live in. */
struct cmd_changes {
	struct event *event;
	size_t count, room;
	struct cmd_note *note;
	size_t notes, note_room;
	const char *reason; /* that was given for them; NULL = none */
	bool slurm, terse;  /* of submissions: say "Submitted batch job 12", or the number alone */
	bool singleton;     /* a submission that waits for its user's other jobs of its name */
	bool forced;        /* submissions are made even if their jobs would never start */
	bool partial;       /* not all that was asked for, and nobody has said that this is all right */
	struct arena arena;
};
/* The text is copied. */
void cmd_add_note(struct cmd_changes *changes, enum cmd_note_kind kind, uint64_t seq, const char *text);
size_t cmd_count_notes(const struct cmd_changes *changes, enum cmd_note_kind kind);
/* "cannot be undone", ... what stands above notes of a kind. */
const char *cmd_note_title(enum cmd_note_kind kind);
struct event *cmd_add_event(struct cmd_env *env, enum event_kind kind, uint64_t job);
/* A copy of a text, and memory, that live as long as the changes. */
const char *cmd_own(struct cmd_env *env, const char *text);
void *cmd_own_bytes(struct cmd_env *env, size_t size);
void cmd_changes_clear(struct cmd_changes *changes);

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

/* The value of an option as given last, "" for one without a value; NULL when it was not given. */
const char *cmd_option(const struct cmd_env *env, const char *name);
/* The same for one that may be repeated: at = 0, 1, ... until NULL. */
const char *cmd_option_at(const struct cmd_env *env, const char *name, size_t at);
/* A whole number of an option; fallback when it was not given. False: not a number in the range. */
bool cmd_option_whole(struct cmd_env *env, const char *name, int64_t min, int64_t max, int64_t fallback,
		      int64_t *out);

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

/* The words of a line; the memory is one block, free() it. NULL with a sentence for an open quote. */
char **cmd_split(const char *line, int *count, struct err *err);

/* What an event does, with the job as people know it, and what an undo takes back. */
void cmd_describe(const struct snapshot *s, const struct event *ev, struct str *out);

/* "3 jobs change order; 4 earlier; 1 later; worst: 901013 +0:10:00": what lies between two futures. Appended.
 * s: of the first. */
void cmd_print_effect(const struct snapshot *s, const struct plan_change *change, struct str *out);

/*
 * What the events of a changing verb would do to the queue, as one line: "3 jobs change order;
 * 901013 +2:00:00". Applies them to a copy of s. asks_only: nothing will be changed, so it may take longer.
 * False: they would be refused.
 */
bool cmd_preview(const struct snapshot *s, int64_t now_s, bool asks_only, const struct cmd_changes *changes,
		 struct str *out, struct err *err);

/* Do they need a reason? Then what for is appended: "it delays 19 jobs". */
bool cmd_needs_reason(const struct snapshot *s, int64_t now_s, const struct cmd_changes *changes,
		      struct str *out);

/* Every changing verb has the first two; every report on a state has the last. */
extern const struct cmd_option cmd_dry_run, cmd_reason, cmd_at;

/* The options that a verb has beside its own: at = 0, 1, ... until NULL. */
const struct cmd_option *cmd_shared_option(const struct cmd *cmd, size_t at);

/* A name in `width` cells and, indented behind it, what it means. */
void cmd_print_entry(const char *name, int width, const char *text, struct str *out);
/* One verb's usage and help. */
void cmd_print_usage(const struct cmd *cmd, struct str *out);

#endif
