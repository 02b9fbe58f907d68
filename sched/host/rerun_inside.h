/* SPDX-License-Identifier: MIT */
/*
 * rerun_inside.h - state of a journal replay, for rerun.c and its tests
 */
#ifndef HOST_RERUN_INSIDE_H
#define HOST_RERUN_INSIDE_H

#include "rerun.h"
#include "sched/pass/enact.h"
#include "sched/rm/fake.h"

#define REFUSALS_KEPT 100

/* An entry that can be undone: its number in the journal, and in the replay. */
struct twin {
	uint64_t on_record, here;
};

struct rerun {
	const struct rerun_record *record;
	enum rerun_pace pace;
	bool other_policy;
	uint64_t without; /* the entry to leave out; 0: none */
	moment_clock *clock;
	struct state *st;
	struct cycle *cycle;
	struct enact enact;
	struct ends ends;
	int64_t now_s, due_s, last_pass_s;
	bool dirty;       /* something has happened since the last pass */
	unsigned at_once; /* consecutive passes at this time */
	unsigned ahead; /* number of decisions of the last pass that have not been found in the record yet */

	struct rerun_fate *fate; /* by index in the record, as are end_s and label */
	int64_t *end_s;          /* time of the job's valid end in `ends`; TIME_NONE: it has none */
	const char **label;
	uint32_t started;
	uint64_t passes, rejected, hash;
	double busy_ps, there_ps;

	struct twin *twin; /* sorted by on_record */
	size_t twins, twin_cap;
	struct rerun_refusal refusal[REFUSALS_KEPT];
	uint64_t refusals;
	struct arena arena;
};

#endif
