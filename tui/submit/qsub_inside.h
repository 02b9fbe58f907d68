/* SPDX-License-Identifier: MIT */
/*
 * qsub_inside.h - internal interface of the option parsers
 *
 * Each option is a row of a table: its name, the form of its value, and a parser that writes the value into
 * the draft. Parsers report errors in the value; the caller adds the option and the line to the message. The
 * tables of qsub, -l and Slurm have rows of the same format, so that they can share parsers.
 */
#ifndef SUBMIT_QSUB_INSIDE_H
#define SUBMIT_QSUB_INSIDE_H

#include "qsub.h"

typedef bool qsub_reader(struct submission *s, const struct submitter *by, const char *text, struct err *err);

struct qsub_row {
	const char *name;  /* "N" for -N, "walltime", "ntasks" for --ntasks */
	char letter;       /* short option of Slurm; '\0' = none */
	const char *takes; /* form of the value: "NAME", "[=user]" if it is optional; NULL = no value */
	const char *help;  /* short help; NULL: not listed, because the option has no effect */
	qsub_reader *read; /* NULL: no effect, ignored with a warning */
};

struct qsub_table {
	const struct qsub_row *row;
	size_t count;
};

/* --- tables: values.c ------------------------------------------------------------------------ */

/* Finds a row by name, ignoring case except for single letters; NULL if there is none. */
const struct qsub_row *qsub_find(const struct qsub_table *table, const char *name, size_t len);
/* Appends the names of the table, separated by commas, each preceded by `before`. */
void qsub_add_names(const struct qsub_table *table, const char *before, struct str *out);
/* Appends a paragraph of help with the options that have no effect. */
void qsub_list_unused(const struct qsub_table *table, const char *before, struct str *out);

/* Parses the options at the beginning of the words (qsub.c). *rest: index of the first word that is not an
 * option. */
bool qsub_read_words(struct submission *s, const struct submitter *by, int count, const char *const *word,
		     int *rest, struct err *err);
/* Parses a #SBATCH line, in which all words belong to options (sbatch.c). */
bool qsub_read_sbatch(struct submission *s, const struct submitter *by, int count, const char *const *word,
		      struct err *err);
/*
 * Parses the option of Slurm in the word at *at; if its value is the next word, *at moves to this word
 * (sbatch.c).
 */
bool qsub_read_slurm_option(struct submission *s, const struct submitter *by, int count,
			    const char *const *word, int *at, struct err *err);
/* Records that an option was ignored, once for each option. `before` is its prefix, such as "--". */
void qsub_ignore(struct submission *s, const char *before, const char *name);
/*
 * In scripts, skips the words between the value of an option and the next option, if the value is a mail
 * address or is ignored: they belong to the value, as in "-M your name". *at moves to the last of these
 * words.
 */
void qsub_skip_words(struct submission *s, const struct qsub_row *row, int count, const char *const *word,
		     int *at);
/*
 * Parses the value of an option, or records that the option was ignored. The message of an error begins with
 * `before` and the name of the option.
 */
bool qsub_read_row(struct submission *s, const struct submitter *by, const struct qsub_row *row,
		   const char *before, const char *value, struct err *err);

/*
 * Gets the next pair of a list such as "a=1,b=2,3" and advances *at. An item without '=' belongs to the value
 * before it: here b is "2,3". The list may end with a comma. Returns false at the end of the list, and, with
 * err set, for a value without a name.
 */
struct qsub_pair {
	const char *name, *value;
};
bool qsub_next_pair(struct submission *s, const char **at, struct qsub_pair *out, struct err *err);

/* --- values: values.c ---------------------------------------------------------------------- */

/* Checks and copies a job name: printable, at most 64 bytes. */
bool qsub_read_title(struct submission *s, const char *text, const char **out, struct err *err);
/* Checks and copies the name of a credential, feature or node: one printable word, at most 64 bytes. */
bool qsub_read_name(struct submission *s, const char *text, const char **out, struct err *err);
/* Parses a path of the job: removes "HOST:" and expands known $VARIABLES. */
bool qsub_read_job_path(struct submission *s, const struct submitter *by, const char *text, const char **out,
			struct err *err);
/*
 * Parses a list of names separated by any of `separators`; a name given twice is an error. *out is the list
 * separated by blanks, and *count (may be NULL) the number of names.
 */
bool qsub_read_names(struct submission *s, const char *text, const char *separators, const char **out,
		     uint32_t *count, struct err *err);
/* Parses an integer from 1 to INT32_MAX. */
bool qsub_read_count(const char *text, int64_t *out, struct err *err);
bool qsub_read_path(struct submission *s, const char *text, const char **out, struct err *err);

/* --- options common to qsub and sbatch: values.c --------------------------------------------------- */

qsub_reader qsub_read_job_name, qsub_read_account, qsub_read_class, qsub_read_qos, qsub_read_dir;
qsub_reader qsub_read_output, qsub_read_errors, qsub_read_mail_to, qsub_hold, qsub_terse;
/* Chunks of PBS Pro: resources.c. */
qsub_reader qsub_read_select, qsub_read_place;
/* Parses a number of GPUs: "2:shared", "a100:2" or "2"; types and modes have no effect (values.c). */
bool qsub_read_gpus(struct submission *s, const char *text, enum qsub_scope scope, struct err *err);

/* Times, arrays and dependencies: times.c. */
qsub_reader qsub_read_walltime, qsub_read_date, qsub_read_slurm_limit, qsub_read_slurm_begin;
qsub_reader qsub_read_array;
qsub_reader qsub_read_depend;
/* Environment variables: submission.c. */
qsub_reader qsub_read_variables, qsub_read_export, qsub_all_variables;

/* Resources of -l and of -W x=: resources.c. */
qsub_reader qsub_read_resources, qsub_read_extensions;
void qsub_list_resources(struct str *out);
/* A value of -l nodes=, such as 2:ppn=4:fast. */
qsub_reader qsub_read_nodes;

/* --- amounts: resources.c ------------------------------------------------------------------------ */

/*
 * Returns the shape that the current option modifies. The first such option on the command line clears the
 * shape that the script requested.
 */
struct qsub_shape *qsub_shape(struct submission *s);
/*
 * Sets a number of the shape. A different number from the same source is an error. what: name for the
 * message, such as "nodes".
 */
bool qsub_set_shape(int64_t *field, int64_t value, const char *what, struct err *err);
struct qsub_memory *qsub_memory(struct submission *s, struct qsub_memory *memory);
bool qsub_add_gres(struct submission *s, const char *name, uint32_t count, enum qsub_scope scope,
		   struct err *err);
/* Parses a list of generic resources such as "gpu:2,tape". */
bool qsub_read_gres(struct submission *s, const char *text, enum qsub_scope scope, struct err *err);

#endif
