/* SPDX-License-Identifier: MIT */
/*
 * rerun.h - what the journal tells once more, under the same policy or another
 *
 * Two walks over the journal. The first (rerun_record_take) finds out what is needed beforehand: for how long
 * each job really ran, and in which order jobs started. The second (rerun_take) runs the scheduler on a copy
 * of the state as it was at the beginning: what people, managers and nodes did happens again at its moment,
 * what the scheduler did it decides again. A job that starts when it did ends where the journal says so; one
 * that starts at another moment runs for as long as it really did. Nothing is written anywhere.
 *
 * When passes take place is asked of the journal (RERUN_AS_RECORDED): then the same policy must decide the
 * same, as a pass that left no trace decided nothing. Or they fall wherever something happens or is due
 * (RERUN_WHEN_DUE): the only fair way to compare policies, as another one decides at other moments.
 */
#ifndef HOST_RERUN_H
#define HOST_RERUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "replay.h"
#include "sched/base/arena.h"
#include "sched/state/event.h"

/* --- what is on record ------------------------------------------------------------------------- */

/* One of the times that a job ran. */
struct rerun_stint {
	int64_t start_s, end_s; /* end_s TIME_NEVER: it had not ended */
	uint32_t next;          /* the one after it; INDEX_NONE     */
};

/* What is on record of one job. */
struct rerun_job {
	uint64_t id;
	int64_t start_s;      /* its first start since the beginning; TIME_NONE: none */
	uint32_t rank;        /* of that start among all, from 0                       */
	uint32_t stint, last; /* INDEX_NONE: it never ran                              */
	int64_t run_s;        /* for how long it really ran in the end; -1: nobody knows */
	int64_t asked_s;      /* when it was asked to end; TIME_NONE                   */
	int64_t grace_s;      /* from then to its end                                  */
	int32_t status;
	bool at_limit;
	bool ran_before; /* it ran when the record begins */
	bool taken_away; /* cancelled while it ran: nobody knows how long it would have run */
	bool gone;       /* cancelled while it waited */
};

struct rerun_record {
	int64_t from_s, until_s; /* the moments looked at: [from_s, until_s]       */
	int64_t last_s;          /* of the last entry within it                    */
	uint64_t first_seq;      /* the state that it begins with is as of this entry */
	struct rerun_job *job;   /* by id */
	size_t jobs, job_room;
	struct rerun_stint *stint;
	size_t stints, stint_room;
	uint32_t started;    /* jobs with a start on record     */
	uint32_t no_end;     /* jobs whose end is not on record */
	uint32_t taken_away; /* likewise */
	uint64_t entries;
	uint64_t clock; /* an entry within it that set the clock: it cannot be run again; 0 = none */
};

/* Zero is empty. Begins with the state as it was then; entries follow from the next seq on, up to until_s. */
void rerun_record_begin(struct rerun_record *record, const struct snapshot *from, int64_t from_s,
			int64_t until_s);
/* False: the entry is later than until_s, and so are those behind it. */
bool rerun_record_take(struct rerun_record *record, const struct event *ev);
void rerun_record_finish(struct rerun_record *record);
void rerun_record_clear(struct rerun_record *record);

/* NULL: not a job of the record. */
const struct rerun_job *rerun_record_find(const struct rerun_record *record, uint64_t id);

/* Did the scheduler decide this in a pass? */
bool rerun_is_decision(const struct event *ev);

/* Can it be asked how it would have gone without this entry? Not of a decision, which follows from others,
 * nor of an end. */
bool rerun_can_be_without(const struct event *ev);

/* --- once more ------------------------------------------------------------------------------------ */

enum rerun_pace {
	RERUN_AS_RECORDED,
	RERUN_WHEN_DUE
};

/* Texts are borrowed until rerun_new returns, the record until rerun_free. */
struct rerun_setup {
	const struct rerun_record *record;
	const struct snapshot *from;
	enum rerun_pace pace;
	/*
	 * Another policy: this configuration stands in place of the one of then, and neither what was set
	 * live nor another configuration that was read counts. NULL: as it was.
	 */
	const char *config_file, *config_text;
	const char *const *set_name; /* over either, from the beginning on; set_count of them */
	const char *const *set_value;
	size_t set_count;
	uint64_t without;    /* this entry does not happen, nor what takes it back or keeps it; 0: all do */
	moment_clock *clock; /* that refusals tell the time by; NULL: UTC */
};

/* What became of a job of the record, at the same place. */
struct rerun_fate {
	int64_t submit_s;       /* TIME_NONE: it was not there                         */
	int64_t start_s, end_s; /* of its first start, and of its last end; TIME_NONE */
	int64_t wall_limit_s, procs;
	uint32_t rank;    /* among the starts, from 0 */
	uint32_t cred[5]; /* of rerun_view */
	bool backfilled;
};

/* What somebody did that could not be done again. */
struct rerun_refusal {
	int64_t time_s;
	uint64_t job;
	const char *what, *why;
};

struct rerun; /* opaque */

/* NULL with a sentence: the configuration or a setting is wrong, or the clock was set within the record. */
struct rerun *rerun_new(const struct rerun_setup *setup, struct err *err);
/* The next entry of the journal. False: it is later than until_s. */
bool rerun_take(struct rerun *r, const struct event *ev);
/* No more entries. */
void rerun_finish(struct rerun *r);
void rerun_free(struct rerun *r);

const struct rerun_record *rerun_of(const struct rerun *r);
const struct rerun_fate *rerun_fates(const struct rerun *r); /* by place in the record */
/* For how long a job that started runs: what is known, else to its limit. */
int64_t rerun_run_s(const struct rerun *r, size_t job);
const struct snapshot *rerun_view(const struct rerun *r); /* as it is now */
const char *rerun_label(const struct rerun *r, size_t job, char buf[static JOB_LABEL_TEXT]);

/* The first of them, and how many there are. */
const struct rerun_refusal *rerun_refusals(const struct rerun *r, size_t *kept, uint64_t *all);

/*
 * Of the jobs that waited when it began or came later. Utilisation is of the time looked at:
 * processor-seconds busy of those there were.
 */
void rerun_summarise(const struct rerun *r, struct replay_summary *out);

/* --- is it the same? -------------------------------------------------------------------------------- */

/*
 * Of the jobs that started on record or once more, those that keep their place: the most that can be left
 * standing so that both orders of starts are the same (a longest common subsequence).
 */
struct rerun_agreement {
	uint32_t jobs;       /* that started in either                      */
	uint32_t in_order;   /* keep their place                            */
	uint32_t same_start; /* start at the same second                    */
	uint32_t *differs;   /* places in the record of the jobs that do not keep theirs, by id */
	size_t count, room;
};

/* Replaces what it holds; free(differs). */
void rerun_agree(const struct rerun *r, struct rerun_agreement *out);

/* --- why is it not? ---------------------------------------------------------------------------------- */

/*
 * Of a job that starts at another moment than on record, or in one of them alone: what could not be done
 * again by then, of the job itself if there is such, else the last of all. NULL: nothing explains it.
 */
const struct rerun_refusal *rerun_cause(const struct rerun *r, size_t job);

/* --- gains and losses by another policy ---------------------------------------------------------------- */

/* Sums over the jobs that start in both. */
struct rerun_sums {
	double wait_s, slowdown, xfactor;
};

struct rerun_party {
	enum cred_type type; /* CRED_TYPE_COUNT: everybody */
	uint32_t cred;       /* of the first run's view    */
	uint32_t jobs, earlier, later;
	struct rerun_sums before, after;
};

struct rerun_parties {
	struct rerun_party *item; /* everybody, then by type, within it as they appeared; those with jobs */
	size_t count, room;
	uint32_t only_before, only_after; /* jobs that start in one of them alone */
	uint32_t neither;                 /* jobs that start in none              */
};

/* Replaces what it holds; free(item). Both runs are of the same record, and have ended. */
void rerun_compare(struct rerun_parties *out, const struct rerun *before, const struct rerun *after);

/* --- jobs that start at another time ------------------------------------------------------------------- */

struct rerun_move {
	uint32_t job;              /* place in the record              */
	int64_t before_s, after_s; /* TIME_NONE: it has not started    */
};

struct rerun_moves {
	struct rerun_move *item; /* by id */
	size_t count, room;
	uint32_t earlier, later;              /* of those that start in both            */
	int64_t most_earlier_s, most_later_s; /* by how much, both positive        */
	uint32_t only_before, only_after;     /* start in one of them alone             */
};

/* Replaces what it holds; free(item). Both runs are of the same record, and have ended. */
void rerun_find_moves(struct rerun_moves *out, const struct rerun *before, const struct rerun *after);

#endif
