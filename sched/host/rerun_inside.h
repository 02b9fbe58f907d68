/* SPDX-License-Identifier: MIT */
/*
 * rerun_inside.h - what the files of a journal that is run again share and nobody else sees
 *
 * rerun.c runs it: rerun_policy.c says under which policy, rerun_again.c does what was done, rerun_fate.c
 * keeps what becomes of the jobs, and rerun_tell.c tells it.
 */
#ifndef HOST_RERUN_INSIDE_H
#define HOST_RERUN_INSIDE_H

#include "rerun.h"
#include "sched/pass/enact.h"
#include "sched/rm/ends.h"

#define REFUSALS_KEPT 100

/* An entry that can be undone, and the number it has got here. */
struct twin {
	uint64_t on_record, here;
};

struct rerun {
	const struct rerun_record *record;
	enum rerun_pace pace;
	bool other_policy;
	uint64_t without; /* this entry does not happen; 0: all do */
	moment_clock *clock;
	struct state *st;
	struct cycle *cycle;
	struct enact enact;
	struct ends ends;
	int64_t now_s, due_s, last_pass_s;
	bool dirty;       /* something happened since the last pass          */
	unsigned at_once; /* passes in a row at this moment                  */
	unsigned ahead;   /* decisions of the last pass that the record still has to tell */

	struct rerun_fate *fate; /* by place in the record, here and below */
	int64_t *end_s;          /* in the queue of ends; TIME_NONE: not there */
	const char **label;
	uint32_t started;
	uint64_t passes, rejected, hash;
	double busy_ps, there_ps;

	struct twin *twin; /* by number on record */
	size_t twins, twin_room;
	struct rerun_refusal refusal[REFUSALS_KEPT];
	uint64_t refusals;
	struct arena arena;
};

/* --- rerun_policy.c --- */

/* Once, before anything happens. */
bool rerun_configure(struct rerun *r, const struct rerun_setup *setup, struct err *err);

/* --- rerun_again.c --- */

/* Is this entry, which no pass decided, to be done here? */
bool rerun_happens_again(const struct rerun *r, const struct event *ev);
/* Does it. False: it cannot be done here; if people did it then, that is kept to be told. */
bool rerun_do_again(struct rerun *r, const struct event *ev);
/* What was made for a while has been taken back here by a pass of its own; somebody may undo that. */
void rerun_note_return(struct rerun *r, const struct event *ev);

/* --- rerun_fate.c --- */

void rerun_make_fates(struct rerun *r);
/* Of a job by its place in the record; record->jobs: it is none of them. */
size_t rerun_place(const struct rerun *r, uint64_t id);
/* NULL: it neither waits nor runs here. */
const struct job *rerun_job_here(const struct rerun *r, uint64_t id);
/* What has happened here just now, whoever did it. */
void rerun_note(struct rerun *r, const struct event *ev);

#endif
