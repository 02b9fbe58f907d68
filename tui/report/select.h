/* SPDX-License-Identifier: MIT */
/*
 * select.h - selection of jobs by name, credential or state
 *
 *     12   j7   12-15                    by name (an id, where it has no other), by a range of them
 *     12[]   12[3]   12[2-5,8]           all tasks of an array, one, some (sched/model/array.h)
 *     -w 'user=eva state=idle'           by what they are; all terms must match
 *
 * Terms: user group account class qos (a name, or "-" for none), name (what its user calls it), state (idle,
 * running, held, suspended, deferred; of one that has ended as reports call its outcome) and job (a label as
 * above). Names may be lists, with commas between, and patterns as of file names; states may be lists.
 */
#ifndef REPORT_SELECT_H
#define REPORT_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/model/snapshot.h"

#define JOB_FILTER_TERMS 8

/* Zero matches every job. Release with job_filter_clear. */
struct job_filter {
	struct {
		const char *key; /* static                    */
		char *value;     /* owned                     */
	} term[JOB_FILTER_TERMS];
	size_t count;
	bool live, ended; /* a state is named that only jobs of the queue, only ended ones have */
};

/* Reads the terms. On failure *out is empty and err names the word. */
bool job_filter_read(const char *text, struct job_filter *out, struct err *err);
void job_filter_clear(struct job_filter *f);
/* Refuses and clears one that names a state of jobs that have ended. */
bool job_filter_is_live(struct job_filter *f, struct err *err);
bool job_filter_match(const struct job_filter *f, const struct snapshot *s, const struct job *job);

/* The same for a job whose names are at hand. */
struct job_names {
	const char *label, *name;
	const char *cred[CRED_TYPE_COUNT]; /* NULL = none */
	const char *outcome;               /* how it ended; NULL: it has not */
};
bool job_filter_names(const struct job_filter *f, const struct job_names *names, const struct job *job);

/* Slots of jobs, each once, in the order named. */
struct job_selection {
	uint32_t *slot; /* owned; free() it */
	size_t count, room;
};

/* One job by name; INDEX_NONE with a sentence when there is none. */
uint32_t select_job(const struct snapshot *s, const char *word, struct err *err);

/*
 * The jobs of `count` words, or all that match `where`, or those of the words that match
 * when both are given. A word that names no job, or nothing selected at all, is an error.
 */
bool select_jobs(const struct snapshot *s, char *const *word, int count, const char *where,
		 struct job_selection *out, struct err *err);

#endif
