/* SPDX-License-Identifier: MIT */
/*
 * cmd_env.h - environment of a verb: its input, output and options
 */
#ifndef REPORT_CMD_ENV_H
#define REPORT_CMD_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/base/str.h"
#include "sched/model/snapshot.h"

struct caller;      /* tui/serve/caller.h */
struct cmd;         /* tui/command/cmd.h */
struct cmd_changes; /* changes.h */
struct cmd_console; /* tui/command/cmd_console.h */
struct cmd_table;   /* tui/command/cmd.h */
struct console;     /* tui/console/console.h */
struct replay;      /* sched/host/replay.h */
struct shell;       /* tui/serve/shell.h */
struct store;       /* store/store.h */

/* Also the exit status of the program. */
enum cmd_status {
	CMD_DONE = 0,
	CMD_REFUSED = 1,
	CMD_USAGE = 2,
	CMD_FAILED = 3
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
	const struct cmd_table *verbs; /* to find and run other verbs                     */
	const struct snapshot *s;      /* NULL without CMD_STORE                          */
	int64_t now_s;
	struct store *store;           /* for journal and history; NULL in replay         */
	bool past;                     /* s and now_s are of a moment that is past (--at)  */
	struct caller *caller;         /* the running scheduler, where there is one: it knows them too */
	const struct replay *replay;   /* whose state it is; NULL where there is none     */
	const char *who;               /* for events: a user's name                       */
	bool json;                     /* --json                                          */
	bool ascii;                    /* --ascii or a locale without UTF-8               */
	int width;                     /* cells a line may take; 0 = as long as it wants  */
	struct str *out;               /* what it prints                                  */
	struct err err;                /* the sentence when it did not work               */
	struct cmd_changes *changes;   /* events of a changing verb; never NULL for one   */
	struct console *console;       /* the console in which the verb was typed; NULL elsewhere */
	const struct cmd_console *ask; /* what verbs may ask of it (cmd_console.h); NULL elsewhere */
	const struct shell *shell;     /* what the program was started with; NULL elsewhere */
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

/* The value of an option as given last, "" for one without a value; NULL when it was not given. */
const char *cmd_option(const struct cmd_env *env, const char *name);

/* The same for one that may be repeated: at = 0, 1, ... until NULL. */
const char *cmd_option_at(const struct cmd_env *env, const char *name, size_t at);

/* A whole number of an option; fallback when it was not given. False: not a number in the range. */
bool cmd_option_whole(struct cmd_env *env, const char *name, int64_t min, int64_t max, int64_t fallback,
		      int64_t *out);

/* --- progress of long work ---------------------------------------------------------------------------- */

/*
 * One line on standard error, drawn over itself and wiped at the end; only on a terminal,
 * and only once the work has taken half a second.
 */

struct progress {
	const char *what; /* "jobs" */
	uint64_t total;
	double begun_s, shown_s; /* of the monotonic clock */
	bool wanted, drawn;
};

/* Seconds of a clock that only goes forward. */
double progress_clock(void);
void progress_begin(struct progress *p, const char *what, uint64_t total);
void progress_show(struct progress *p, uint64_t done);
void progress_end(struct progress *p);

#endif
