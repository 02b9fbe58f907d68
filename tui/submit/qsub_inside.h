/* SPDX-License-Identifier: MIT */
/*
 * qsub_inside.h - internal interface of the option parsers
 *
 * An option is a row: its name, its value, and a parser that writes into the draft. Parsers report errors of
 * the value; the caller adds the option and the line. The rows of qsub, -l and Slurm have the same format, so
 * that they can share rows.
 */
#ifndef SUBMIT_QSUB_INSIDE_H
#define SUBMIT_QSUB_INSIDE_H

#include "qsub.h"

typedef bool qsub_reader(struct submission *s, const struct submitter *by, const char *text, struct err *err);

struct qsub_row {
	const char *name;  /* "N" for -N, "walltime", "ntasks" for --ntasks */
	char letter;       /* short option of Slurm; '\0' = none */
	const char *takes; /* "NAME", "[=user]" if optional; NULL = no value */
	const char *help;  /* short help; NULL: option without effect */
	qsub_reader *read; /* NULL: no effect, ignored with a warning */
};

struct qsub_table {
	const struct qsub_row *row;
	size_t count;
};

/* --- tables: values.c ------------------------------------------------------------------------ */

/* Finds a row by name, ignoring case except for single letters; NULL if there is none. */
const struct qsub_row *qsub_find(const struct qsub_table *table, const char *name, size_t len);
/* "a, b, c": the names, each preceded by `before`. */
void qsub_add_names(const struct qsub_table *table, const char *before, struct str *out);
/* A paragraph of help with the options that have no effect. */
void qsub_list_unused(const struct qsub_table *table, const char *before, struct str *out);

/* sbatch.c: parses a #SBATCH line, in which all words belong to options. */
bool qsub_read_sbatch(struct submission *s, const struct submitter *by, int count, const char *const *word,
		      struct err *err);
/* Parses one option of Slurm at *at, which moves to its value. */
bool qsub_read_slurm_option(struct submission *s, const struct submitter *by, int count,
			    const char *const *word, int *at, struct err *err);
/* Records that an option was ignored, once per option. */
void qsub_ignore(struct submission *s, const char *before, const char *name);
/* In scripts, words after an address or an ignored value belong to it: "-M your name". *at skips them. */
void qsub_skip_words(struct submission *s, const struct qsub_row *row, int count, const char *const *word,
		     int *at);
/* Parses the value of a row, or ignores it. */
bool qsub_read_row(struct submission *s, const struct submitter *by, const struct qsub_row *row,
		   const char *before, const char *value, struct err *err);

/*
 * Splits "a=1,b=2,3" into name and value; text without '=' before the next comma belongs to the previous
 * value. *at moves on; the list may end with a comma. False at the end, or, with err set, for a value without
 * a name.
 */
struct qsub_pair {
	const char *name, *value;
};
bool qsub_next_pair(struct submission *s, const char **at, struct qsub_pair *out, struct err *err);

/* --- values: values.c ---------------------------------------------------------------------- */

/* Checks a job name: printable, at most 64 bytes. */
bool qsub_read_title(struct submission *s, const char *text, const char **out, struct err *err);
/* Checks the name of a credential, feature or node: likewise, one word. */
bool qsub_read_name(struct submission *s, const char *text, const char **out, struct err *err);
/* Parses a path: removes host: and expands known $VARIABLES. */
bool qsub_read_job_path(struct submission *s, const struct submitter *by, const char *text, const char **out,
			struct err *err);
/* Parses names separated by any of `separators`; the result is separated by blanks. count may be NULL. */
bool qsub_read_names(struct submission *s, const char *text, const char *separators, const char **out,
		     uint32_t *count, struct err *err);
/* Parses an integer of at least 1. */
bool qsub_read_count(const char *text, int64_t *out, struct err *err);
bool qsub_read_path(struct submission *s, const char *text, const char **out, struct err *err);

/* --- what several kinds of lines say: qsub_common.c --------------------------------------------- */

qsub_reader qsub_read_job_name, qsub_read_account, qsub_read_class, qsub_read_qos, qsub_read_dir;
qsub_reader qsub_read_output, qsub_read_errors, qsub_read_mail_to, qsub_hold, qsub_terse;
/* qsub_select.c: PBS Pro's chunks */
qsub_reader qsub_read_select, qsub_read_place;
/* "2:shared", "a100:2" or "2": number of GPUs; types and modes have no effect. */
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

/* The shape to be modified by this line; empty at the first option of the command line for it. */
struct qsub_shape *qsub_shape(struct submission *s);
/* Sets a number of the shape; a different number from the same source is refused. what: "nodes". */
bool qsub_set_shape(int64_t *field, int64_t value, const char *what, struct err *err);
struct qsub_memory *qsub_memory(struct submission *s, struct qsub_memory *memory);
bool qsub_add_gres(struct submission *s, const char *name, uint32_t count, enum qsub_scope scope,
		   struct err *err);
/* "gpu:2,tape" */
bool qsub_read_gres(struct submission *s, const char *text, enum qsub_scope scope, struct err *err);

/* --- the end: qsub_share.c, qsub_finish.c ------------------------------------------------------------ */

#endif
