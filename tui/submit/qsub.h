/* SPDX-License-Identifier: MIT */
/*
 * qsub.h - what does a person ask for with the options of qsub?
 *
 * One reader for the command line of `submit` and `run` and for the lines of a script: "#PBS" ones with the
 * same options, "#SBATCH" ones with Slurm's long and short ones, from the lists printed by
 * qsub_list_options. What is not on a list is an error that names the option and the
 * line: an option that is dropped silently is a job that runs otherwise than asked. The command line has
 * the last word over the script.
 *
 * A job is so many equal tasks. What is asked for in other terms is shared out so that no part of
 * the job has less than was asked, or is refused with a sentence:
 *
 *     nodes=2:ppn=4      8 tasks of one processor, 4 on each of 2 nodes
 *     mem=, vmem=        of the whole job: the same part for each task, rounded up to a MB
 *     pmem=, pvmem=      of each task; where both are said the larger counts
 *     gpus=, Slurm's --mem and --gres   of each node; a job that names no number of nodes is then on one
 *     --gpus, software=  of the whole job, in equal parts on its nodes
 *     gres=              of each task
 *
 * Where there are fewer devices than tasks, tasks that share one become a single task of several
 * processors: nodes=2:ppn=4,gpus=1 is 2 tasks of 4 processors and one gpu.
 *
 * Paths that are not absolute begin in the job's folder; %j %a %u %% stand for what launch.h says, %x for
 * the name, %A for what %j is, %N for the host; so do $PBS_JOBID, $PBS_JOBNAME, $HOME and the like. Options
 * that have no effect on this host are listed in `ignored`.
 */
#ifndef SUBMIT_QSUB_H
#define SUBMIT_QSUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/arena.h"
#include "sched/base/err.h"
#include "sched/base/str.h"
#include "sched/rm/launch.h"
#include "sched/state/state.h"

/* Of what an amount is. */
enum qsub_scope {
	QSUB_JOB,
	QSUB_NODE,
	QSUB_TASK,
	QSUB_PROC,
	QSUB_SCOPE_COUNT
};

/* Where the chunks of select= are: anywhere, all on one node, each on a node of its own. */
enum qsub_place {
	QSUB_PLACE_FREE,
	QSUB_PLACE_PACK,
	QSUB_PLACE_SCATTER
};

/* So many of a generic resource. */
struct qsub_gres {
	const char *name;
	uint32_t count;
	uint8_t scope; /* enum qsub_scope */
	bool last_word;
};

/* How many and where; 0 and NULL = not said. */
struct qsub_shape {
	int64_t nodes, per_node, tasks, task_procs;
	const char *hosts; /* all of these: there are as many nodes; blank between */
	const char *features;
	bool last_word;
};

/* Of memory, by enum qsub_scope; 0 = not said. */
struct qsub_memory {
	int64_t mb[QSUB_SCOPE_COUNT];
	bool last_word;
};

struct qsub_setting; /* qsub_environment.c */

/*
 * What was said so far: private to qsub*.c. last_word marks what the command line said: there the first
 * word about a thing replaces all that the script said of it.
 */
struct qsub_draft {
	bool last_word; /* the command line is being read */
	struct qsub_shape shape;
	struct qsub_memory memory, swap;
	struct qsub_gres gres[GRES_MAX];
	uint32_t gres_count;
	int64_t tasks_per_node; /* TPN: at least so many */
	int64_t wall_limit_s, not_before_s, points;
	const char *name, *account, *class, *qos, *partition;
	const char *features, *prefer, *hosts;
	const char *dir, *output, *errors, *script_name;
	const struct qsub_setting *setting; /* newest first */
	uint32_t umask;
	int64_t gpu_procs, gpu_mem_mb; /* of each GPU: --cpus-per-gpu, --mem-per-gpu */
	bool singleton;                /* behind the user's other jobs of this name  */
	int64_t processes;             /* of select's mpiprocs, for the environment; 0 = the tasks */
	uint8_t place;                 /* enum qsub_place of -l place=                             */
	uint8_t access, allocation;    /* as in struct job */
	bool has_not_before, has_umask, all_variables;
	bool join_output, join_errors; /* -j oe: all goes to the output; -j eo: to the errors */
	bool output_home, errors_home; /* -k: files whose path is not said lie in the user's home */
	const char *wrap;              /* --wrap: a line for the shell                              */
	bool force;                    /* --force: also when it would never start                   */
	bool dry_run;                  /* --dry-run: shows what was understood, submits nothing     */
	bool export_said;              /* --export: which variables it gets                    */
	bool pty;                      /* --pty: srun with a terminal                          */
	bool errors_follow;            /* Slurm: without a word on errors they go to the output */
};

/* Zero is one of which nothing is said yet. All strings live in the arena. */
struct submission {
	struct arena arena;
	struct job_record record; /* what the scheduler decides by; job.true_run_s = -1            */
	struct launch launch;     /* what is run: the first half of launch.h                        */
	struct array_range range[ARRAY_RANGES_MAX]; /* of -t: 0-9%4, 1-100:10, 1,3,5-7 */
	uint32_t range_count;
	uint32_t throttle;  /* how many tasks of the array may run at a time; 0 = no bound */
	const char *depend; /* "afterok:12,afterany:13" as written; NULL = none           */
	const char *mail;   /* on which events: of "b" "e" "a"; NULL = none               */
	const char *mail_to;
	bool hold;           /* -h                                                         */
	bool terse;          /* only the id is printed (-z)                                */
	struct str ignored;  /* options without effect here, ", " between                     */
	struct str problems; /* what is wrong with the lines of the script, one a line; the last is err's */
	struct qsub_draft draft;
};

/* Where a submission is made: what options are relative to. */
struct submitter {
	const char *dir; /* absolute                                      */
	const char *home, *user, *shell;
	const char *host;               /* NULL = not known                              */
	const char *const *environment; /* NULL at the end: what -V carries over, -v NAME takes */
	int64_t now_s;
	uint32_t umask;
};

/*
 * argv[0] is the verb. *rest: the first word that is no option (the command or the script), argc if
 * there is none; a "--" before it is passed over. Reads nothing from files.
 */
bool qsub_read_options(struct submission *out, const struct submitter *by, int argc, const char *const *argv,
		       int *rest, struct err *err);

/* Is the value of this option in the next word? Of qsub's, or of Slurm's alone. */
bool qsub_needs_word(const char *word);
bool qsub_slurm_needs_word(const char *word);

/* The same with the options of sbatch and srun: -n is the number of tasks. */
bool qsub_read_slurm_options(struct submission *out, const struct submitter *by, int argc,
			     const char *const *argv, int *rest, struct err *err);

/*
 * The lines of a script, before the command line's: call it first. NUL bytes may be in it. The script
 * becomes what is to be run; name is a path for messages, and its last part the job's name.
 */
bool qsub_read_script(struct submission *out, const struct submitter *by, const char *name,
		      const void *script, size_t size, struct err *err);

/*
 * The rest: output paths, name, defaults that hang on others; then out is whole. A command is put into
 * out->launch before. What is not said: the name is the last part of the script's or the command's,
 * output NAME.o%j and errors NAME.e%j (NAME.o%j-%a of an array) in the job's folder, which is
 * the submitter's; of his environment only what -v names, and his umask.
 */
bool qsub_finish(struct submission *out, const struct submitter *by, struct err *err);

/* The lists of what is understood, for help, the manual page and errors. */
void qsub_list_options(struct str *out);
void qsub_list_sbatch(struct str *out);

/* How many tasks its array has; 1 when it is none. */
uint32_t qsub_tasks(const struct submission *s);

void submission_free(struct submission *s);

/* May it be shown as it is: UTF-8 without controls and direction marks? */
bool qsub_is_shown(const char *text);

#endif
