/* SPDX-License-Identifier: MIT */
/*
 * qsub_inside.h - what the files that read options of submissions share
 *
 * An option is a row: its name, what it takes, and a reader that writes into the draft. Readers report what
 * is wrong with a value; the caller adds the name of the option and the line. The rows of qsub, of -l and of
 * Slurm have one form, so that a row can serve several of them.
 */
#ifndef SUBMIT_QSUB_INSIDE_H
#define SUBMIT_QSUB_INSIDE_H

#include "qsub.h"

typedef bool qsub_reader(struct submission *s, const struct submitter *by, const char *text, struct err *err);

struct qsub_row {
	const char *name;  /* "N" of -N, "walltime", "ntasks" of --ntasks             */
	char letter;       /* Slurm's short form; '\0' = none                         */
	const char *takes; /* "NAME"; "[=user]" may follow; NULL = nothing does       */
	const char *help;  /* a few words; NULL: without effect here                  */
	qsub_reader *read; /* NULL: without effect here, ignored with a warning        */
};

struct qsub_table {
	const struct qsub_row *row;
	size_t count;
};

/* --- tables: values.c ------------------------------------------------------------------------ */

/* By name, any case when it is longer than a letter; NULL = none. */
const struct qsub_row *qsub_find(const struct qsub_table *table, const char *name, size_t len);
/* "a, b, c" of the names, each with `before` before it. */
void qsub_add_names(const struct qsub_table *table, const char *before, struct str *out);
/* A paragraph of help with the names of the rows that have no effect. */
void qsub_list_unused(const struct qsub_table *table, const char *before, struct str *out);

/* sbatch.c: the same of a #SBATCH line; all words belong to options. */
bool qsub_read_sbatch(struct submission *s, const struct submitter *by, int count, const char *const *word,
		      struct err *err);
/* One option of Slurm among words, at *at, which moves on to its value. */
bool qsub_read_slurm_option(struct submission *s, const struct submitter *by, int count,
			    const char *const *word, int *at, struct err *err);
/* Notes that an option was ignored, which is told once. */
void qsub_ignore(struct submission *s, const char *before, const char *name);
/* In a script the words after an address or an ignored value belong to it: "-M your name". *at moves over
 * them. */
void qsub_skip_words(struct submission *s, const struct qsub_row *row, int count, const char *const *word,
		     int *at);
/* Reads the value of a row, or ignores it. */
bool qsub_read_row(struct submission *s, const struct submitter *by, const struct qsub_row *row,
		   const char *before, const char *value, struct err *err);

/*
 * Cuts "a=1,b=2,3" into name and value: what has no '=' before the next comma belongs to the value
 * before it. *at moves on; it may end with a comma. False at the end, and for what has no name (err).
 */
struct qsub_pair {
	const char *name, *value;
};
bool qsub_next_pair(struct submission *s, const char **at, struct qsub_pair *out, struct err *err);

/* --- values: values.c ---------------------------------------------------------------------- */

/* What a job is called: shown as it is, at most 64 bytes. */
bool qsub_read_title(struct submission *s, const char *text, const char **out, struct err *err);
/* The name of a credential, feature or node: likewise, one word. */
bool qsub_read_name(struct submission *s, const char *text, const char **out, struct err *err);
/* A path with host: before it left off, and $VARIABLES that are known replaced. */
bool qsub_read_job_path(struct submission *s, const struct submitter *by, const char *text, const char **out,
			struct err *err);
/* Names between any of `separators`; with a blank between them. count may be NULL. */
bool qsub_read_names(struct submission *s, const char *text, const char *separators, const char **out,
		     uint32_t *count, struct err *err);
/* A whole number from 1 on. */
bool qsub_read_count(const char *text, int64_t *out, struct err *err);
bool qsub_read_path(struct submission *s, const char *text, const char **out, struct err *err);

/* --- what several kinds of lines say: qsub_common.c --------------------------------------------- */

qsub_reader qsub_read_job_name, qsub_read_account, qsub_read_class, qsub_read_qos, qsub_read_dir;
qsub_reader qsub_read_output, qsub_read_errors, qsub_read_mail_to, qsub_hold, qsub_terse;
/* qsub_select.c: PBS Pro's chunks */
qsub_reader qsub_read_select, qsub_read_place;
/* "2:shared", "a100:2" or "2": how many GPUs; a type or a mode has no effect. */
bool qsub_read_gpus(struct submission *s, const char *text, enum qsub_scope scope, struct err *err);

/* qsub_time.c */
qsub_reader qsub_read_walltime, qsub_read_date, qsub_read_slurm_limit, qsub_read_slurm_begin;
/* qsub_array.c */
qsub_reader qsub_read_array;
/* qsub_depend.c */
qsub_reader qsub_read_depend;
/* qsub_environment.c */
qsub_reader qsub_read_variables, qsub_read_export, qsub_all_variables;

/* qsub_resources.c: -l and the x= of -W */
qsub_reader qsub_read_resources, qsub_read_extensions;
void qsub_list_resources(struct str *out);
/* qsub_nodes.c: 2:ppn=4:fast */
qsub_reader qsub_read_nodes;

/* --- amounts: qsub_amount.c ------------------------------------------------------------------------ */

/* The shape as this line may write it: empty when it is the first word of the command line about it. */
struct qsub_shape *qsub_shape(struct submission *s);
/* Sets a number of it; one that says otherwise on the same side is refused. what: "nodes". */
bool qsub_set_shape(int64_t *field, int64_t value, const char *what, struct err *err);
struct qsub_memory *qsub_memory(struct submission *s, struct qsub_memory *memory);
bool qsub_add_gres(struct submission *s, const char *name, uint32_t count, enum qsub_scope scope,
		   struct err *err);
/* "gpu:2,tape" */
bool qsub_read_gres(struct submission *s, const char *text, enum qsub_scope scope, struct err *err);

/* --- the end: qsub_share.c, qsub_finish.c ------------------------------------------------------------ */

#endif
