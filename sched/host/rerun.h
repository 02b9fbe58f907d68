/* SPDX-License-Identifier: MIT */
/*
 * rerun.h - replay of the journal, under the same policy or another
 *
 * The journal is read twice. The first time (rerun_record_take) collects what must be known beforehand: how
 * long each job really ran, and in which order jobs started. The second time (rerun_take) runs the scheduler
 * on a copy of the initial state: the actions of users, resource managers and nodes are repeated at their
 * times, and the scheduler's decisions are made again. A job that starts at its recorded time ends when the
 * journal says so; a job that starts at another time runs for as long as it really did. Nothing is stored.
 *
 * Passes take place when the journal says so (RERUN_AS_RECORDED): then the same policy must make the same
 * decisions, because a pass without an entry decided nothing. Or they take place whenever something happens
 * or is due (RERUN_WHEN_DUE): only this compares policies fairly, because another policy decides at other
 * times.
 */
#ifndef HOST_RERUN_H
#define HOST_RERUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "replay.h"
#include "sched/base/arena.h"
#include "sched/state/event.h"

/* --- the record -------------------------------------------------------------------------------- */

/* One run of a job. */
struct rerun_stint {
	int64_t start_s, end_s; /* end_s TIME_NEVER: the run did not end within the record */
	uint32_t next;          /* index of the job's next run; INDEX_NONE: this is its last one */
};

/* What the journal says about one job. */
struct rerun_job {
	uint64_t id;
	int64_t entered_s; /* time of the journal entry with its submission; TIME_NONE: submitted before the
			      record */
	int64_t start_s;   /* its first start in the record; TIME_NONE: none */
	uint32_t rank;     /* position of this start among all starts, from 0 */
	uint32_t stint, last; /* indices of its first and last run; INDEX_NONE: it never ran */
	int64_t run_s;        /* duration of its last run; -1: unknown */
	int64_t asked_s; /* time at which its last run was cancelled or requeued; TIME_NONE: it was neither */
	int64_t grace_s; /* seconds from asked_s to the end of the run */
	int32_t status;
	bool at_limit;
	bool ran_before; /* the job was already running at the beginning of the record */
	bool taken_away; /* cancelled while running: how long the job would have run is unknown */
	bool gone;       /* cancelled while idle */
};

struct rerun_record {
	int64_t from_s, until_s; /* the period: [from_s, until_s] */
	int64_t last_s;          /* time of the last entry in the period */
	uint64_t first_seq;      /* number of the last entry contained in the initial state */
	struct rerun_job *job;   /* sorted by ID */
	size_t jobs, job_cap;
	struct rerun_stint *stint;
	size_t stints, stint_cap;
	uint32_t started;    /* number of jobs with a recorded start */
	uint32_t reported;   /* number of starts that the resource manager decided by itself */
	uint32_t no_end;     /* number of jobs with unknown run times that were not cancelled */
	uint32_t taken_away; /* number of jobs that were cancelled while they ran */
	uint64_t entries;
	uint64_t clock; /* the first entry that set the clock, so that the record cannot be replayed; 0 = none
			 */
	/* The times between which the first such entry set the clock, and the time to which the last one set
	 * it. */
	int64_t clock_old_s, clock_new_s, clock_last_s;
};

/*
 * Starts a record with the initial state `from`. The caller then passes all later entries, in order, to
 * rerun_record_take. A zeroed struct is a valid empty record.
 */
void rerun_record_begin(struct rerun_record *record, const struct snapshot *from, int64_t from_s,
			int64_t until_s);
/* Adds the next entry. Returns false if this entry, and so all following ones, are later than until_s. */
bool rerun_record_take(struct rerun_record *record, const struct event *ev);
void rerun_record_finish(struct rerun_record *record);
void rerun_record_clear(struct rerun_record *record);

/* Finds a job by ID; NULL if the record does not contain it. */
const struct rerun_job *rerun_record_find(const struct rerun_record *record, uint64_t id);

/* Is the event a decision that the scheduler made in a pass, or immediately before it? */
bool rerun_is_decision(const struct event *ev);

/*
 * Can the journal be replayed without this entry? It cannot without an end, nor without a decision of the
 * scheduler, which follows from other entries.
 */
bool rerun_can_be_without(const struct event *ev);

/* --- the replay ------------------------------------------------------------------------------------- */

enum rerun_pace {
	RERUN_AS_RECORDED,
	RERUN_WHEN_DUE,
	RERUN_FACTS /* no passes are run: the recorded decisions are repeated, including those of a watched
		       manager */
};

/* Strings are borrowed until rerun_new() returns, the record until rerun_free(). */
struct rerun_setup {
	const struct rerun_record *record;
	const struct snapshot *from;
	enum rerun_pace pace;
	/*
	 * Another policy: replaces the recorded configuration, and ignores live settings and configurations
	 * read later. NULL: the recorded policy.
	 */
	const char *config_file, *config_text;
	const char *const *set_name; /* set_count settings, applied to the recorded or the other policy from
					the beginning */
	const char *const *set_value;
	size_t set_count;
	uint64_t without;    /* the entry to leave out, with its undo or keep; 0: none */
	moment_clock *clock; /* for times in refusals; NULL: UTC */
};

/* The result for a job of the record, at the same index. */
struct rerun_fate {
	int64_t submit_s;       /* TIME_NONE: it was not submitted in the replay */
	int64_t start_s, end_s; /* first start and last end; TIME_NONE: none */
	int64_t wall_limit_s, procs;
	uint32_t rank;    /* position of this start among all starts, from 0 */
	uint32_t cred[5]; /* indices of its credentials in rerun_view() */
	bool backfilled;
};

/* An action in the journal that could not be repeated in the replay. */
struct rerun_refusal {
	int64_t time_s;
	uint64_t job;
	const char *what, *why;
};

struct rerun; /* opaque */

/*
 * Makes a replay. Returns NULL with err set if the configuration or a setting is invalid, or if the clock was
 * set during the record.
 */
struct rerun *rerun_new(const struct rerun_setup *setup, struct err *err);
/* Processes the next entry of the journal. Returns false if the entry is later than until_s. */
bool rerun_take(struct rerun *r, const struct event *ev);
/* Runs what is due up to until_s; called after the last entry. */
void rerun_finish(struct rerun *r);
void rerun_free(struct rerun *r);

const struct rerun_record *rerun_of(const struct rerun *r);
const struct rerun_fate *rerun_fates(const struct rerun *r); /* by index in the record */
/*
 * Returns the run time of a job that started: the recorded one; if that is unknown, the one in the replay, or
 * the wallclock limit if the job has not ended.
 */
int64_t rerun_run_s(const struct rerun *r, size_t job);
const struct snapshot *rerun_view(const struct rerun *r); /* the current state */
const char *rerun_label(const struct rerun *r, size_t job, char buf[static JOB_LABEL_TEXT]);

/* Returns the first refusals; *kept becomes their number, *all the number of all refusals. */
const struct rerun_refusal *rerun_refusals(const struct rerun *r, size_t *kept, uint64_t *all);

/*
 * Summarises the jobs that were idle at the beginning or were submitted later. Utilization is the quotient
 * of busy and available processor-seconds in the period.
 */
void rerun_summarise(const struct rerun *r, struct replay_summary *out);

/* --- agreement with the record ------------------------------------------------------------------------ */

/*
 * Agreement of the replay with the record: among the jobs that started in either, the largest set whose
 * starts have the same order in both (longest common subsequence).
 */
struct rerun_agreement {
	uint32_t jobs;       /* jobs that started in the replay or in the record */
	uint32_t in_order;   /* jobs that started in the same order in both */
	uint32_t same_start; /* jobs that started in the same second in both */
	uint32_t *differs;   /* indices of the jobs that are not in order, by ID */
	size_t count, cap;
};

/* Overwrites *out; the caller frees out->differs. */
void rerun_agree(const struct rerun *r, struct rerun_agreement *out);

/* --- causes of differences ---------------------------------------------------------------------------- */

/*
 * Explains why a job starts in the replay at another time than in the record, or in only one of them: returns
 * the last refused action about this job up to the earlier of the two starts, or the last one about any job.
 * NULL if there is none.
 */
const struct rerun_refusal *rerun_cause(const struct rerun *r, size_t job);

/* --- gains and losses by another policy ---------------------------------------------------------------- */

/* Sums over the jobs that started in both replays. */
struct rerun_sums {
	double wait_s, slowdown, xfactor;
};

struct rerun_party {
	enum cred_type type; /* CRED_TYPE_COUNT: all jobs */
	uint32_t cred;       /* index in rerun_view() of the first replay */
	uint32_t jobs, earlier, later;
	struct rerun_sums before, after;
};

struct rerun_parties {
	struct rerun_party *item; /* all jobs first, then each credential with jobs, by type and index */
	size_t count, cap;
	uint32_t only_before, only_after; /* jobs that started in the first, or the second, replay only */
	uint32_t neither;                 /* jobs that started in neither */
};

/* Compares two finished replays of the same record. Overwrites *out; the caller frees out->item. */
void rerun_compare(struct rerun_parties *out, const struct rerun *before, const struct rerun *after);

/* --- jobs that start at another time ------------------------------------------------------------------- */

struct rerun_move {
	uint32_t job;              /* index in the record */
	int64_t before_s, after_s; /* TIME_NONE: not started */
};

struct rerun_moves {
	struct rerun_move *item; /* sorted by ID */
	size_t count, cap;
	uint32_t earlier, later;              /* jobs that started earlier, or later, in the second replay */
	int64_t most_earlier_s, most_later_s; /* largest differences, both positive */
	uint32_t only_before, only_after;     /* jobs that started in the first, or the second, replay only */
};

/*
 * Finds the jobs that start at different times in two finished replays of the same record. Overwrites *out;
 * the caller frees out->item.
 */
void rerun_find_moves(struct rerun_moves *out, const struct rerun *before, const struct rerun *after);

#endif
