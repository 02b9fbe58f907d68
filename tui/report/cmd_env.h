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

struct client;      /* tui/serve/client.h */
struct cmd;         /* tui/command/cmd.h */
struct cmd_changes; /* changes.h */
struct cmd_console; /* tui/command/cmd_console.h */
struct cmd_table;   /* tui/command/cmd.h */
struct console;     /* tui/console/console.h */
struct replay;      /* sched/host/replay.h */
struct shell;       /* tui/serve/shell.h */
struct store;       /* store/store.h */

/* Result of a verb, which is also the exit status of the program. */
enum cmd_status {
	CMD_DONE = 0,
	CMD_REFUSED = 1,
	CMD_USAGE = 2,
	CMD_FAILED = 3
};

/*
 * An option of a verb. Lists of options end with an element whose name is NULL. Both "-n 5" and "--speed=5"
 * are accepted.
 */
struct cmd_option {
	const char *name;  /* "-r", "--speed"                                        */
	const char *value; /* placeholder of its value in usage lines: "N"; NULL = no value */
	const char *help;  /* description */
};

/* An option given on the command line. */
struct cmd_given {
	const char *name;  /* name as in struct cmd_option */
	const char *value; /* "" for an option without a value */
};

/*
 * The input and output of a verb, filled by its caller (command line, console or test). A pointer may be NULL
 * only if its comment says so.
 */
struct cmd_env {
	const struct cmd_table *verbs; /* for finding and running other verbs */
	/* the state; may be NULL for a verb that needs none (CMD_STORE in cmd.h) */
	const struct snapshot *s;
	int64_t now_s;
	struct store *store;   /* journal and history; NULL in a replay */
	bool past;             /* `s` and `now_s` are of a past time (--at) */
	struct client *client; /* the running scheduler, if any, which also provides journal and history */
	const struct replay *replay; /* the replay that the state is from; NULL = no replay */
	const char *who;             /* user name for events */
	bool json;                   /* --json                                          */
	bool ascii;                  /* --ascii or a locale without UTF-8               */
	int width;                   /* width of a line in cells; 0 = unlimited */
	struct str *out;             /* output of the verb */
	struct err err;              /* error message */
	/* events proposed by the verb; NULL only for a verb that changes nothing */
	struct cmd_changes *changes;
	struct console *console; /* the console in which the verb was typed; otherwise NULL */
	/* operations on the console (cmd_console.h); NULL if console is NULL */
	const struct cmd_console *ask;
	const struct shell *shell; /* options that kahu was started with; NULL in the console */
	/*
	 * Called when a verb needs a state and s is NULL: sets s and related fields, or fails. NULL = no
	 * state is available.
	 */
	enum cmd_status (*open)(struct cmd_env *env, const struct cmd *cmd);
	void *door; /* argument for open */
	/* Set by cmd_run before the verb runs. */
	bool dry_run; /* --dry-run: the caller shows cmd_preview and drops the changes */
	bool acts;    /* the verb changes something, and this is not a dry run */
	/* Set by a verb that waited for a job: exit status of the program. */
	uint8_t exit_status;
	struct cmd_given *given;
	size_t given_count, given_room;
};

/*
 * Returns the value of an option, the last one if repeated; "" for an option without a value; NULL if not
 * given.
 */
const char *cmd_option(const struct cmd_env *env, const char *name);

/*
 * Returns the value at position `at` (0, 1, ...) of an option that may be repeated; NULL after the last one.
 */
const char *cmd_option_at(const struct cmd_env *env, const char *name, size_t at);

/*
 * Sets *out to the value of an option as an integer; to fallback if it is not given. Returns false with
 * env->err set if the value is not an integer from min to max.
 */
bool cmd_option_whole(struct cmd_env *env, const char *name, int64_t min, int64_t max, int64_t fallback,
		      int64_t *out);

/* --- progress of long work ---------------------------------------------------------------------------- */

/*
 * One line on standard error, redrawn in place and erased at the end. Shown only on a terminal, and only
 * after half a second.
 */

struct progress {
	const char *what; /* unit of `total`: "jobs" */
	uint64_t total;
	double begun_s, shown_s; /* monotonic clock, seconds */
	bool wanted, drawn;
};

/* Monotonic clock in seconds. */
double progress_clock(void);
void progress_begin(struct progress *p, const char *what, uint64_t total);
void progress_show(struct progress *p, uint64_t done);
void progress_end(struct progress *p);

#endif
