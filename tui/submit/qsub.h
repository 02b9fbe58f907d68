/* SPDX-License-Identifier: MIT */
/*
 * qsub.h - parser of the options of qsub and sbatch
 *
 * Parses the command line of `submit` and `run`, and the lines of a script: "#PBS" lines with the same
 * options,
 * "#SBATCH" lines with Slurm's long and short options. qsub_list_options prints both lists. An option that is
 * not on a list is an error with its name and line, because a job without it would run differently than
 * requested. Options of the command line take precedence over the script.
 *
 * A job consists of equal tasks. Requests in other terms are divided among the tasks so that no part of the
 * job gets less than requested, or are refused:
 *
 *     nodes=2:ppn=4      8 tasks of one processor, 4 on each of 2 nodes
 *     mem=, vmem=        for the whole job: divided equally among the tasks, rounded up to a MB
 *     pmem=, pvmem=      per task; the larger one counts if both are given
 *     gpus=, Slurm's --mem and --gres   per node; without a number of nodes, the job runs on one node
 *     --gpus, software=  for the whole job, divided equally among its nodes
 *     gres=              per task
 *
 * If there are fewer devices than tasks, tasks that share a device are merged into one task of several
 * processors: nodes=2:ppn=4,gpus=1 is 2 tasks of 4 processors and one GPU.
 *
 * Relative paths start at the job's working directory. %j %a %u %% are described in launch.h; %x is the name,
 * %A the same as %j, %N the host; $PBS_JOBID, $PBS_JOBNAME, $HOME and similar variables are expanded as well.
 * Options that have no effect on this host are listed in `ignored`.
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

/* What an amount refers to. */
enum qsub_scope {
	QSUB_JOB,
	QSUB_NODE,
	QSUB_TASK,
	QSUB_PROC,
	QSUB_SCOPE_COUNT
};

/* Where the chunks of select= are placed: anywhere, all on one node, or each on a different node. */
enum qsub_place {
	QSUB_PLACE_FREE,
	QSUB_PLACE_PACK,
	QSUB_PLACE_SCATTER
};

/* An amount of a generic resource. */
struct qsub_gres {
	const char *name;
	uint32_t count;
	uint8_t scope; /* enum qsub_scope */
	bool last_word;
};

/* Number and placement of tasks; 0 and NULL = not given. */
struct qsub_shape {
	int64_t nodes, per_node, tasks, task_procs;
	const char *hosts; /* separated by blanks; all of them are allocated */
	const char *features;
	bool last_word;
};

/* Memory by enum qsub_scope; 0 = not given. */
struct qsub_memory {
	int64_t mb[QSUB_SCOPE_COUNT];
	bool last_word;
};

struct qsub_setting; /* qsub_environment.c */

/*
 * Options parsed so far; private to the files of this folder. last_word marks options of the command line:
 * the first one for a resource replaces all options of the script for it.
 */
struct qsub_draft {
	bool last_word; /* parsing the command line */
	struct qsub_shape shape;
	struct qsub_memory memory, swap;
	struct qsub_gres gres[GRES_MAX];
	uint32_t gres_count;
	int64_t tasks_per_node; /* TPN: minimum */
	int64_t wall_limit_s, not_before_s, points;
	const char *name, *account, *class, *qos, *partition;
	const char *features, *prefer, *hosts;
	const char *dir, *output, *errors, *script_name;
	const struct qsub_setting *setting; /* newest first */
	uint32_t umask;
	int64_t gpu_procs, gpu_mem_mb; /* of each GPU: --cpus-per-gpu, --mem-per-gpu */
	bool singleton;                /* depends on the user's other jobs of the same name */
	int64_t processes;             /* mpiprocs of select, for the environment; 0 = number of tasks */
	uint8_t place;                 /* enum qsub_place of -l place=                             */
	uint8_t access, allocation;    /* as in struct job */
	bool has_not_before, has_umask, all_variables;
	bool join_output, join_errors; /* -j oe: all goes to the output; -j eo: to the errors */
	bool output_home, errors_home; /* -k: files without a path are in the user's home directory */
	const char *wrap;              /* --wrap: a shell command */
	bool force;                    /* --force: submit even if the job would never start */
	bool dry_run;                  /* --dry-run: print the parsed request only */
	bool export_said;              /* --export was given */
	bool pty;                      /* --pty: srun with a terminal                          */
	bool errors_follow;            /* Slurm: standard error goes to the output file unless given */
};

/* A zeroed submission is empty. All strings are in the arena. */
struct submission {
	struct arena arena;
	struct job_record record;                   /* input of the scheduler; job.true_run_s = -1 */
	struct launch launch;                       /* what to run: the first half of launch.h */
	struct array_range range[ARRAY_RANGES_MAX]; /* of -t: 0-9%4, 1-100:10, 1,3,5-7 */
	uint32_t range_count;
	uint32_t throttle;  /* maximum number of concurrent tasks of the array; 0 = no maximum */
	const char *depend; /* "afterok:12,afterany:13" as written; NULL = none           */
	const char *mail;   /* mail events: of "b" "e" "a"; NULL = none */
	const char *mail_to;
	bool hold;           /* -h                                                         */
	bool terse;          /* print only the job ID (-z) */
	struct str ignored;  /* options without effect, separated by ", " */
	struct str problems; /* errors in lines of the script, one per line; the last one is in err */
	struct qsub_draft draft;
};

/* The environment of a submission, to which options are relative. */
struct submitter {
	const char *dir; /* absolute                                      */
	const char *home, *user, *shell;
	const char *host;               /* NULL = unknown */
	const char *const *environment; /* NULL-terminated; used by -V and -v NAME */
	int64_t now_s;
	uint32_t umask;
};

/*
 * argv[0] is the verb. *rest: index of the first word that is not an option (the command or the script), argc
 * if there is none; a "--" before it is skipped. Does not read files.
 */
bool qsub_read_options(struct submission *out, const struct submitter *by, int argc, const char *const *argv,
		       int *rest, struct err *err);

/* Is the value of this option in the next word? For options of qsub and for options of Slurm only. */
bool qsub_needs_word(const char *word);
bool qsub_slurm_needs_word(const char *word);

/* The same with the options of sbatch and srun: -n is the number of tasks. */
bool qsub_read_slurm_options(struct submission *out, const struct submitter *by, int argc,
			     const char *const *argv, int *rest, struct err *err);

/*
 * Parses the lines of a script; must be called before the command line is parsed. NUL bytes are allowed. The
 * script becomes the command of the job; name is its path for messages, and the last component the job name.
 */
bool qsub_read_script(struct submission *out, const struct submitter *by, const char *name,
		      const void *script, size_t size, struct err *err);

/*
 * Completes the submission: output paths, name, and dependent defaults. A command must be stored in
 * out->launch before. Defaults: the name is the last component of the script or command; output NAME.o%j and
 * errors NAME.e%j (NAME.o%j-%a for an array) in the working directory of the submitting process; only the
 * environment variables given with -v, and its umask.
 */
bool qsub_finish(struct submission *out, const struct submitter *by, struct err *err);

/* Lists of the supported options, for help, manual page and errors. */
void qsub_list_options(struct str *out);
void qsub_list_sbatch(struct str *out);

/* Number of tasks of the array; 1 without an array. */
uint32_t qsub_tasks(const struct submission *s);

void submission_free(struct submission *s);

/* Is the text printable: UTF-8 without controls and direction marks? */
bool qsub_is_shown(const char *text);

#endif
