/* SPDX-License-Identifier: MIT */
/*
 * select.h - selection of jobs by name, credential or state
 *
 *     12   j7   12-15                    by label (without one, by ID), or by a range of IDs
 *     12[]   12[3]   12[2-5,8]           all tasks, one task, or some tasks of an array (sched/model/array.h)
 *     -w 'user=eva state=idle'           by attributes; all terms must match
 *
 * Terms: user group account class qos (a name, or "-" for none), name (the name given by the user), state
 * (idle, running, held, suspended, deferred; for ended jobs the outcome as in reports) and job (a label as
 * above). Names may be comma-separated lists and glob patterns; states may be lists.
 */
#ifndef REPORT_SELECT_H
#define REPORT_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/model/snapshot.h"

#define JOB_FILTER_TERMS 8

/* A zeroed filter matches every job. Free with job_filter_clear. */
struct job_filter {
	struct {
		const char *key; /* static storage */
		char *value;     /* owned                     */
	} term[JOB_FILTER_TERMS];
	size_t count;
	bool live, ended; /* a term names a state that only queued jobs have (live), or that only ended jobs
			     have (ended) */
};

/* Parses the terms. On failure returns false with *out empty; err names the invalid word. */
bool job_filter_read(const char *text, struct job_filter *out, struct err *err);
void job_filter_clear(struct job_filter *f);
/* Returns false with err set, and clears the filter, if it names a state that only ended jobs have. */
bool job_filter_is_live(struct job_filter *f, struct err *err);
bool job_filter_match(const struct job_filter *f, const struct snapshot *s, const struct job *job);

/* Names of a job. job_filter_names is like job_filter_match, with the names given by the caller. */
struct job_names {
	const char *label, *name;
	const char *cred[CRED_TYPE_COUNT]; /* NULL = none */
	const char *outcome;               /* outcome of an ended job; NULL: not ended */
};
bool job_filter_names(const struct job_filter *f, const struct job_names *names, const struct job *job);

/* Slots of the selected jobs, each once, in the order in which they were named. */
struct job_selection {
	uint32_t *slot; /* owned; to be freed */
	size_t count, room;
};

/* Returns the slot of the job that the word names; INDEX_NONE with err set if there is none. */
uint32_t select_job(const struct snapshot *s, const char *word, struct err *err);

/*
 * Selects the jobs named by `count` words, or all that match `where`, or, if both are given, the named jobs
 * that match. A word that names no job, or an empty selection, is an error.
 */
bool select_jobs(const struct snapshot *s, char *const *word, int count, const char *where,
		 struct job_selection *out, struct err *err);

#endif
