/* SPDX-License-Identifier: MIT */
/*
 * qsub.h - parser of the options of qsub and sbatch
 *
 * Parses the command line of `submit` and `run`, and the directives in a script: "#PBS" lines with the same
 * options, "#SBATCH" lines with Slurm's long and short options. An unknown option is an error, reported with
 * its name and line, because without it the job would run differently than requested. Options on the command
 * line take precedence over those in the script.
 *
 * A job consists of equal tasks. Requests in other terms are divided among the tasks so that no part of the
 * job gets less than requested, or are refused:
 *
 *     nodes=2:ppn=4      8 tasks of one processor, 4 on each of 2 nodes
 *     mem=, vmem=        for the whole job: divided equally among the tasks, rounded up to a MB
 *     pmem=, pvmem=      per task; if mem= or vmem= is given too, the larger amount per task is used
 *     gpus=, Slurm's --mem and --gres   per node; without a number of nodes, the job runs on one node
 *     --gpus, software=  for the whole job, divided equally among its nodes
 *     gres=              per task
 *
 * If there are fewer devices than tasks, tasks that share a device are merged into one task of several
 * processors: nodes=2:ppn=4,gpus=1 is 2 tasks of 4 processors and one GPU.
 *
 * Relative paths start at the job's working directory. %j %a %u %% in a path are described in launch.h; %x is
 * the name of the job, %A the same as %j, %N the host; $PBS_JOBID, $PBS_JOBNAME, $HOME and similar variables
 * are expanded as well. Options that have no effect on this host are listed in `ignored`.
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

/* The unit to which a requested amount refers. */
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
	const char *hosts; /* names separated by blanks; all of these nodes are allocated */
	const char *features;
	bool last_word;
};

/* Requested memory for each enum qsub_scope; 0 = not given. */
struct qsub_memory {
	int64_t mb[QSUB_SCOPE_COUNT];
	bool last_word;
};

struct qsub_setting; /* submission.c */

/*
 * Options parsed so far; private to the files of this folder. last_word marks options of the command line:
 * the first of them for a resource replaces all options of the script for this resource.
 */
struct qsub_draft {
	bool last_word; /* the command line is being parsed, not the script */
	struct qsub_shape shape;
	struct qsub_memory memory, swap;
	struct qsub_gres gres[GRES_MAX];
	uint32_t gres_count;
	int64_t tasks_per_node; /* tpn=: each node gets this number of tasks, or a multiple of it; 0 = not
				   given */
	int64_t wall_limit_s, not_before_s, points;
	const char *name, *account, *class, *qos, *partition;
	const char *features, *prefer, *hosts;
	const char *dir, *output, *errors, *script_name;
	const struct qsub_setting *setting; /* variables to export, newest first */
	uint32_t umask;
	int64_t gpu_procs, gpu_mem_mb; /* processors and memory per GPU: --cpus-per-gpu, --mem-per-gpu */
	bool singleton;                /* wait for the user's other jobs of the same name */
	int64_t processes; /* number of MPI processes (mpiprocs of select), for the environment; 0 = number of
			      tasks */
	uint8_t place;     /* enum qsub_place of -l place=                             */
	uint8_t access, allocation; /* values as in struct job */
	bool has_not_before, has_umask, all_variables;
	bool join_output,
		join_errors; /* both streams go to the output file (-j oe), or to the error file (-j eo) */
	bool output_home, errors_home; /* -k: a file without a given path is in the user's home directory */
	const char *wrap;              /* --wrap: a shell command */
	bool force;                    /* --force: submit even if the job would never start */
	bool dry_run;                  /* --dry-run: print the parsed request only */
	bool export_said;              /* --export was given */
	bool pty;                      /* --pty: srun with a terminal                          */
	bool errors_follow; /* Slurm: standard error goes to the output file unless --error is given */
};

/* A zeroed submission is empty. All strings are in the arena; submission_free() frees everything. */
struct submission {
	struct arena arena;
	struct job_record record; /* request to the scheduler; job.true_run_s = -1 */
	struct launch launch;     /* what to run: the members of struct launch that are set at submission */
	struct array_range range[ARRAY_RANGES_MAX]; /* ranges of task numbers given with -t, such as 0-9,
						       1-100:10 or 1,3,5-7 */
	uint32_t range_count;
	uint32_t throttle;  /* maximum number of concurrent tasks of the array; 0 = no maximum */
	const char *depend; /* dependencies as written, such as "afterok:12,afterany:13"; NULL = none */
	const char *mail;   /* mail events: any of "b" "e" "a"; NULL = none */
	const char *mail_to;
	bool hold;           /* submit the job with a user hold */
	bool terse;          /* print only the job ID (-z) */
	struct str ignored;  /* options without effect, separated by ", " */
	struct str problems; /* errors in the directives of the script, one per line; the last one is also in
				err */
	struct qsub_draft draft;
};

/* The submitting process, to which options refer. */
struct submitter {
	const char *dir; /* current directory, an absolute path */
	const char *home, *user, *shell;
	const char *host;               /* name of this host; NULL = unknown */
	const char *const *environment; /* NULL-terminated; used by -V and -v NAME */
	int64_t now_s;
	uint32_t umask;
};

/*
 * Parses the options of qsub on a command line; argv[0] is the verb. *rest: index of the first word that is
 * not an option (the command or the script), or argc if there is none; a "--" before it is skipped. Does not
 * read files. Returns false with a message on failure.
 */
bool qsub_read_options(struct submission *out, const struct submitter *by, int argc, const char *const *argv,
		       int *rest, struct err *err);

/*
 * Is the value of this option in the next word? The first function accepts options of qsub and Slurm, the
 * second only those of Slurm.
 */
bool qsub_needs_word(const char *word);
bool qsub_slurm_needs_word(const char *word);

/* Like qsub_read_options(), but for the options of sbatch and srun, in which -n is the number of tasks. */
bool qsub_read_slurm_options(struct submission *out, const struct submitter *by, int argc,
			     const char *const *argv, int *rest, struct err *err);

/*
 * Parses the directives of a script; must be called before the command line is parsed. The script may contain
 * NUL bytes, but not in directives. It becomes the command of the job. `name` is its path, for messages; the
 * last component is the default job name. Returns false with a message on failure; if directives are invalid,
 * out->problems then contains their errors.
 */
bool qsub_read_script(struct submission *out, const struct submitter *by, const char *name,
		      const void *script, size_t size, struct err *err);

/*
 * Completes the submission: sets the record and the launch from all options. The command, if there is no
 * script, must have been stored in out->launch. Defaults: the name of the job is the last component of the
 * path of the script or command; standard output goes to NAME.o%j and standard error to NAME.e%j (NAME.o%j-%a
 * and NAME.e%j-%a for an array) in the working directory of the job; the job gets no environment variables of
 * the submitting process, but its umask. Returns false with a message on failure.
 */
bool qsub_finish(struct submission *out, const struct submitter *by, struct err *err);

/*
 * Append the lists of supported options, for help and the manual page: the first those of qsub, the second
 * those of sbatch.
 */
void qsub_list_options(struct str *out);
void qsub_list_sbatch(struct str *out);

/* Returns the number of tasks of the array; 1 without an array. */
uint32_t qsub_tasks(const struct submission *s);

void submission_free(struct submission *s);

/* Is the text printable? True for UTF-8 without control characters and direction marks. */
bool qsub_is_shown(const char *text);

#endif
