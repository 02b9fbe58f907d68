/* SPDX-License-Identifier: MIT */
/*
 * qsub.h - what does a person ask for with the options of qsub?
 *
 * One reader for the command line of `submit` and `run` and for the lines of a script: "#PBS" ones with the
 * same options, "#SBATCH" ones with Slurm's long and short ones, from the lists printed by
 * qsub_list_options. What is not on a list is an error that names the option and the
 * line: an option that is dropped silently is a job that runs otherwise than asked. The command line has
 * the last word over the script.
 */
#ifndef TUI_COMMANDS_QSUB_H
#define TUI_COMMANDS_QSUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/arena.h"
#include "sched/base/err.h"
#include "sched/base/str.h"
#include "sched/core/state.h"
#include "sched/rm/launch.h"

/* A range of numbers of an array: 0-9%4, 1-100:10, 1,3,5-7. */
struct array_range {
	int64_t first, last, step;
};
#define ARRAY_RANGES_MAX 64
#define ARRAY_TASKS_MAX  100000

/* All strings live in the arena. */
struct submission {
	struct arena arena;
	struct job_record record; /* what the scheduler decides by; job.true_run_s = -1            */
	struct launch launch;     /* what is run: the first half of launch.h                        */
	struct array_range range[ARRAY_RANGES_MAX];
	uint32_t range_count;
	uint32_t throttle;  /* at most so many tasks of the array at a time; 0 = no bound */
	const char *depend; /* "afterok:12,afterany:13" as written; NULL = none           */
	const char *mail;   /* on which events: of "b" "e" "a"; NULL = none               */
	const char *mail_to;
	bool hold;  /* -h                                                         */
	bool terse; /* only the id is printed (-z)                                */
};

/* Where a submission is made: what options are relative to. */
struct submitter {
	const char *dir; /* absolute                                      */
	const char *home, *user, *shell;
	const char *const *environment; /* NULL at the end: what -V carries over, -v NAME takes */
	int64_t now_s;
	uint32_t umask;
};

/*
 * argv behind the verb. *rest: the first word that is no option (the command or the script), argc if
 * there is none. Reads nothing from files.
 */
bool qsub_read_options(struct submission *out, const struct submitter *by, int argc, const char *const *argv,
		       int *rest, struct err *err);

/* The lines of a script, before the command line's: call it first. NUL bytes may be in it. */
bool qsub_read_script(struct submission *out, const struct submitter *by, const char *name,
		      const void *script, size_t size, struct err *err);

/* The rest: output paths, name, defaults that hang on others; then out is whole. */
bool qsub_finish(struct submission *out, const struct submitter *by, struct err *err);

/* The lists of what is understood, for help, the manual page and errors. */
void qsub_list_options(struct str *out);
void qsub_list_sbatch(struct str *out);

/* How many tasks its array has; 1 when it is none. */
uint32_t qsub_tasks(const struct submission *s);

void submission_free(struct submission *s);

#endif
