/* SPDX-License-Identifier: MIT */
/*
 * state.h - the live state: a snapshot with room to grow, and the indexes to change it
 *
 * event.c is the only user of the functions that change something, with one exception:
 * state_restore_*, by which a store fills an empty state with what it kept.
 *
 * The WAITING and RUNNING tables are kept in order at every change, so a pass need not
 * sort; ids are found through a hash; the policy in force is rebuilt from the
 * configuration text and the live changes whenever either moves.
 */
#ifndef STATE_STATE_H
#define STATE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/base/str.h"
#include "sched/config/config.h"
#include "sched/model/array.h"
#include "sched/model/snapshot.h"

struct state; /* opaque */

/* An empty state: no nodes, no jobs, the default policy. Release with state_free. */
struct state *state_new(void);
void state_free(struct state *st);

/* The state as a snapshot. The address changes when the state grows: ask again after each event. */
const struct snapshot *state_view(const struct state *st);

/* A copy that can be edited alone: what previews work on. Release with state_free. */
struct state *state_from_snapshot(const struct snapshot *s);

/* Submissions that name their ids, up to `last`, are still to come, as in the replay of a log: the others get
 * larger ids. No part of the snapshot; copies do not know it. */
void state_reserve_ids(struct state *st, uint64_t last);
/* The id that a submission without one gets. */
uint64_t state_next_id(const struct state *st);

/* A job with its names as text: a submission, or a record out of the store. */
struct job_record {
	struct job job;        /* what is a text or an array below is ignored on input      */
	const char *cred[5];   /* by enum cred_type; NULL = none                            */
	const char *partition; /* NULL = ALL                                                */
	const char *label;     /* NULL = the id                                             */
	const char *name;      /* NULL = none                                               */
	const char *qos_asked; /* NULL = none; cred[CRED_QOS] is what it got, of a submission what it asks */
	const char *features;  /* names, blank between; NULL = none, here and below      */
	const char *prefer;
	const char *gres;  /* "gpu:2 tape:1", per task                               */
	const char *hosts; /* names of nodes, blank between                          */
	const char *order;
	const char *hold_reason;
	const char *base_reason;     /* ignored in submissions */
	const struct depend *depend; /* .next is ignored                                       */
	uint32_t depend_count;
	const struct alloc_run *runs; /* of a running job, or of a named plan; .next is ignored  */
	uint32_t run_count;
	const struct array_range *ranges; /* submissions: the numbers of its tasks; none: it is one job   */
	uint32_t range_count;
	const void *launch;   /* submissions: what is to be run, for the ledger to keep; NULL = nothing */
	uint32_t launch_size; /* bytes; a store's records have it without the launch    */
};

/* Memory for the arrays and texts of one record at a time. Zero at first. */
struct state_parts {
	struct alloc_run *run;
	struct depend *depend;
	struct array_range *range;
	size_t run_room, depend_room, range_room;
	struct str text;
};
void state_parts_free(struct state_parts *parts);

/* How many jobs a submission becomes. */
static inline uint32_t job_record_tasks(const struct job_record *record)
{
	return record->range_count == 0 ? 1 : array_tasks(record->ranges, record->range_count);
}

/*
 * How many bytes a submission takes in a store (cred.stored), together with its names of features and
 * resources, which do not count once it is a job; and how many a change of a job with these texts takes.
 */
uint64_t state_submission_bytes(const struct job_record *record);
uint64_t state_change_bytes(const char *name, const char *value);

/* How many dependencies a text of them has: each has a colon before it. NULL has none. */
uint64_t state_names_in(const char *text);

/* The record of the job in a slot; it points into the snapshot and into parts. */
void state_job_record(const struct snapshot *s, uint32_t slot, struct job_record *out,
		      struct state_parts *parts);

/* Slot by id, INDEX_NONE if there is none. Constant time. */
uint32_t state_find(const struct state *st, uint64_t id);

/* Index of a node, a credential, a partition by name, INDEX_NONE if there is none. */
uint32_t state_find_node(const struct state *st, const char *name);
uint32_t state_find_cred(const struct state *st, enum cred_type type, const char *name);
uint32_t state_find_partition(const struct state *st, const char *name);

/* A node as reported by a manager or written in a configuration. */
struct node_record {
	const char *name;
	const char *partition; /* NULL = ALL */
	uint32_t procs;
	int64_t mem_mb, swap_mb, disk_mb;
	const char *features;    /* names, blank between; NULL = none, here and below  */
	const char *classes;     /* NULL = any                                         */
	const char *gres;        /* "gpu:4 tape:1"                                     */
	double speed, procspeed; /* speed 0 = not set: 1                               */
	uint32_t rack, index;
	uint8_t access;                  /* enum node_access                                   */
	struct node_used used;           /* all negative: not measured                         */
	const char *used_by;             /* who uses most of it outside the queue; NULL = not known */
	int64_t active_s, active_from_s; /* for a store; ignored in reports           */
};

/* The record of node i; it points into the snapshot and into parts. */
void state_node_record(const struct snapshot *s, uint32_t i, struct node_record *out,
		       struct state_parts *parts);

/* What one credential used in a window: a line of an FS file. */
struct used_by {
	uint32_t type; /* enum cred_type */
	const char *name;
	int64_t amount; /* FS_UNITs of a processor-second */
};

/* One window of usage. */
struct usage_window {
	int64_t begin_s, length_s;
	const struct used_by *item;
	uint32_t count;
	int64_t total; /* of all jobs */
};

/* Column c of the table of usage; nothing (length_s 0) when it is empty. item points into *room items at
 * *items, which grows; free() it. */
void state_usage_window(const struct snapshot *s, uint32_t c, struct usage_window *out,
			struct used_by **items, size_t *room);

/* --- attributes that can be changed -------------------------------------------------- */

#define JOB_DEPEND_ATTRIBUTE "depend"

/* One attribute of a waiting job; name and what it takes are for people. */
struct job_attribute {
	const char *name;
	uint8_t form; /* private, here and below */
	const char *takes;
	size_t offset;
};
extern const struct job_attribute job_attributes[];
extern const size_t job_attribute_count;

/* By name, any case; NULL if there is none. */
const struct job_attribute *state_find_attribute(const char *name);

/* The attribute of a job as text: what was set last, or as it was submitted. Appended. */
void state_print_attribute(const struct snapshot *s, const struct job *job,
			   const struct job_attribute *attribute, struct str *out);

/* "afterok:12,afterany:13[]" as dependencies; list is emptied first. Release with free(list->item). */
struct depend_list {
	struct depend *item;
	size_t count, room;
};
bool depend_list_read(const char *text, struct depend_list *out, struct err *err);

/* One dependency in words, with the mark of one that is settled: "afterok:12+". Appended. */
void state_add_depend(const struct depend *depend, struct str *out);

/* The words of all of a job's, appended. Of one that is settled a mark follows: + met, - never to be met. */
void state_add_depends(const struct snapshot *s, const struct job *job, struct str *out);

/* --- changes; for event.c ------------------------------------------------------- */

/* All of these are called with arguments that event_apply has checked. */
/* An array becomes a job for each of its numbers, with ids from this one on. */
void state_submit_job(struct state *st, const struct job_record *asked, uint64_t id);
void state_start_job(struct state *st, uint32_t slot, int64_t now_s, const struct alloc_run *runs,
		     uint32_t count, bool backfilled);
void state_end_job(struct state *st, uint32_t slot, int64_t now_s);
/* A running job waits again: its manager could not start it. */
void state_return_job(struct state *st, uint32_t slot, int64_t now_s);
/* Plans a waiting job, TIME_NEVER = not any more; the nodes it names if count > 0. */
void state_unplan_job(struct state *st, uint32_t slot);
void state_plan_job(struct state *st, uint32_t slot, int64_t start_s, const struct alloc_run *runs,
		    uint32_t count);
struct job *state_job(struct state *st, uint32_t slot);
/* Replaces the record of a waiting job, which keeps its id, submit time, processors and runs. */
void state_edit_waiting(struct state *st, uint32_t slot, const struct job *edited);
uint32_t state_add_node(struct state *st, const struct node_record *record);
/* by: who uses most of it outside the queue, copied; NULL = not known. */
void state_set_load(struct state *st, uint32_t node, const struct node_used *used, const char *by);
uint32_t state_intern_cred(struct state *st, enum cred_type type, const char *name);
struct snapshot *state_header(struct state *st);
uint32_t state_add_string(struct state *st, const char *text); /* 0 for NULL and "" */
void state_waste_string(struct state *st, uint32_t at);        /* nobody names it any more */

/* The same, and nobody can read it any more in copies of the state. */
void state_wipe_string(struct state *st, uint32_t at);

/*
 * Once three quarters of the job slots are empty, moves the jobs together and gives the memory back: every
 * copy of the state would otherwise be as large as the longest queue that there ever was. Slots and the block
 * change, so it is called between two steps, when nobody holds either.
 */
void state_close_slots(struct state *st);

/* The job in a slot is about to end, or to release its processors: what it has used since it was charged last
 * is charged to its credentials. */
void state_charge_job(struct state *st, uint32_t slot, int64_t end_s);

/* One window as it was elsewhere. */
bool state_check_usage(const struct state *st, const struct usage_window *window, struct err *err);
void state_set_usage(struct state *st, const struct usage_window *window);

/* Is there room in the store? Until there is, passes start nothing. */
void state_set_no_room(struct state *st, bool no_room);

/* Passes fall only on multiples of grid_s, and those up to passed_s have been held; 0: whenever they are due.
 */
void state_set_grid(struct state *st, int64_t grid_s, int64_t passed_s);

/* What became of a job for whom others wait; *depend as it is when it is made; may it be made, by `job`? */
enum job_outcome {
	JOB_STARTED,
	JOB_SUCCEEDED,
	JOB_FAILED,
	JOB_NEVER_RAN,
	JOB_OUTCOME_COUNT
};
/* What a dependency comes to by that; DEPEND_OPEN: it goes on waiting. */
enum depend_state state_depend_after(enum depend_type type, enum job_outcome outcome);
/* job: as it was before it left; the tables are as they are after it. */
/*
 * The first dependency that can never be met of the waiting jobs from place *at of their table on; *at is the
 * job's place then. NULL: no waiting job has one, as long as none is made or settled.
 */
const struct depend *state_next_lost(struct state *st, uint32_t *at);
void state_settle_depends(struct state *st, const struct job *job, enum job_outcome outcome);
void state_open_depend(const struct state *st, struct depend *depend);
bool state_check_depends(const struct state *st, uint64_t job, const struct depend *item, size_t count,
			 struct err *err);
/* Dependencies that state_check_depends() has looked at in this state since it was made: what it has cost. */
uint64_t state_depends_looked_at(const struct state *st);

/* Adds a change made at now_s and brings what it touches up to date. name, value: settings only. */
void state_add_change(struct state *st, const struct change *change, const char *name, const char *value,
		      int64_t now_s);

/* What was to be for a while stays. */
void state_keep_for_good(struct state *st, uint64_t seq);

/* If the change that stays is a suspend: nobody knows any more when its job is resumed. */
void state_suspend_stays(struct state *st, uint64_t seq, int64_t now_s);

/* Nothing starts any more, after so many passes: as it is counted down, without a change. */
void state_count_halt(struct state *st, bool on, uint32_t after);

/* May the attribute be set to this? Sets it as the change given. */
bool state_check_attribute(const struct state *st, const struct job *job,
			   const struct job_attribute *attribute, const char *text, struct err *err);
void state_modify_job(struct state *st, const struct change *change, uint32_t slot,
		      const struct job_attribute *attribute, const char *text);

/*
 * An advance reservation: can any be made or released here (not where names are hidden); may this one be, at
 * a moment; it is made as the change given; it is released by another. Those that are over leave with the
 * next one made, and of those released the oldest, if there are many.
 */
bool state_can_reserve(const struct state *st, struct err *err);
bool state_check_advance(const struct state *st, const char *name, const struct advance_text *a,
			 int64_t now_s, struct err *err);
void state_reserve(struct state *st, const struct change *change, const char *name, const char *text,
		   const char *owner, int64_t now_s);
void state_unreserve(struct state *st, const struct change *change, const char *name);

/* Why a job is held or deferred is looked up again. */
void state_note_reason(struct state *st, uint32_t slot);

/* The newest change of a job, and the one before a change of a job; NULL if there is none. How many there
 * are. */
const struct change *state_newest_change(const struct snapshot *s, const struct job *job);
const struct change *state_change_before(const struct snapshot *s, const struct change *change);
uint32_t state_count_changes(const struct snapshot *s, const struct job *job);

/*
 * Which changes were made, changed or dropped since state_clear_change_marks, by seq, perhaps some twice;
 * all: perhaps any. NULL: nobody has cleared the marks of this state yet, so none are kept.
 */
struct change_marks {
	uint64_t *seq;
	size_t count, room;
	bool kept, all;
};
const struct change_marks *state_change_marks(struct state *st);
void state_clear_change_marks(struct state *st);

/* The change made by event seq, NULL if there is none. */
const struct change *state_find_change(const struct snapshot *s, uint64_t seq);

/*
 * Replaces the configuration. The text is read into a scratch first: on false nothing
 * has changed. Nodes named in it are added or resized.
 */
bool state_set_config(struct state *st, const char *file, const char *text, struct err *err);

/* The change behind an undo, an undo of an undo, and so on; NULL if it is not kept any more. */
const struct change *state_change_moved(const struct snapshot *s, const struct change *change);

/* Is what a job asks for within bounds? */
bool state_check_size(const struct job *job, struct err *err);

/* Do these nodes exist, is each named once, and are all tasks of the job on them? */
bool state_check_named(const struct state *st, const struct job *job, const struct alloc_run *runs,
		       uint32_t count, struct err *err);

/* Would a suspend at now_s with SUSPEND_RELEASE release the job's processors? False if they are released. */
bool state_can_release(const struct state *st, const struct job *job, int64_t now_s);

/* Are the processors of a suspended job that were released free again? And takes them: it runs again. */
bool state_check_retake(const struct state *st, const struct job *job, struct err *err);
void state_resume_job(struct state *st, uint32_t slot, int64_t now_s);

/* The clock was set by so much, and it is now_s by the new one: elapsed times move with it, see event.h. */
void state_set_clock(struct state *st, int64_t now_s, int64_t by_s);

/* The same, and can the job run there now: is all it asks for free, and may it stand there beside the others?
 */
bool state_check_runs(const struct state *st, const struct job *job, const struct alloc_run *runs,
		      uint32_t count, struct err *err);

/* May this be submitted: its bounds, with the defaults that it would get, its traits, its dependencies? */
bool state_check_submission(const struct state *st, const struct job_record *record, struct err *err);

/* Can the node be as it is said to be: its name, its amounts beside what its jobs hold, its traits? */
bool state_check_node(const struct state *st, const struct node_record *record, struct err *err);

/*
 * A node as its manager reports it: what the configuration says of the node has the last word. May it be;
 * take it; would that change anything? (state_node.c)
 */
bool state_check_report(const struct state *st, const struct node_record *reported, struct err *err);
void state_report_node(struct state *st, const struct node_record *reported);
bool state_report_is_news(const struct state *st, const struct node_record *reported);

/* Would this setting be accepted now? Nothing changes. */
bool state_check_setting(const struct state *st, const char *name, const char *value, struct err *err);

/* --- restoring; for a store ------------------------------------------------------ */

/*
 * Into an empty state, in this order: nodes by index, config, jobs and windows in any order, changes
 * by seq, then finish. What a configuration says of nodes is not looked at again: the node
 * records say what has become of them, and in which order they stand.
 */
bool state_restore_config(struct state *st, const char *file, const char *text, struct err *err);
bool state_restore_node(struct state *st, const struct node_record *record, struct err *err);
bool state_restore_job(struct state *st, const struct job_record *record, struct err *err);
bool state_restore_usage(struct state *st, const struct usage_window *window, struct err *err);
void state_restore_change(struct state *st, const struct change *change, const char *name, const char *value,
			  const char *base);

/* The header's own values; policy in force is rebuilt. */
struct state_counters {
	int64_t now_s;
	uint64_t seq, next_job_id;
	uint32_t ends_pending;
	struct sim_origin sim;
	int64_t stats_since_s;
	uint32_t halted, halt_after;
	uint64_t set_back;
};
bool state_restore_finish(struct state *st, const struct state_counters *counters, struct err *err);

/* Checks every invariant between tables (sums, order, indexes); false with a sentence. For tests and verify.
 */
bool state_check(const struct state *st, struct err *err);

/*
 * A fingerprint of everything that means something (not of slots, offsets or room): equal
 * states give equal numbers on every machine.
 */
uint64_t state_hash(const struct snapshot *s);

#endif
