/* SPDX-License-Identifier: MIT */
/*
 * state.h - the live state: a snapshot with spare capacity, and the indexes to change it
 *
 * Only the implementation of events (event*.c) calls the functions that change what is stored, with one
 * exception: a store fills an empty state through state_restore_*.
 *
 * The WAITING and RUNNING tables are kept sorted at every change, so that a pass need not sort; IDs are
 * found through a hash table; the policy in force is rebuilt from the configuration and the live changes
 * whenever either of them changes.
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

/* Returns an empty state: no nodes, no jobs, the default policy. Release with state_free. */
struct state *state_new(void);
void state_free(struct state *st);

/*
 * Ensures capacity for this number of jobs, which is kept even when the tables shrink. Unused capacity takes
 * address space but no memory; growing a table takes tens of milliseconds. Copies of the state do not keep
 * this capacity.
 */
void state_reserve_room(struct state *st, uint32_t jobs);

/* Returns the state as a snapshot. The address changes when the state grows: call again after each event. */
const struct snapshot *state_view(const struct state *st);

/*
 * Returns an independent state with the contents of a snapshot; previews are computed on such a copy. Release
 * with state_free.
 */
struct state *state_from_snapshot(const struct snapshot *s);

/*
 * Makes `to`, which state_new() or an earlier call has created, an exact copy of `from`, in the memory of
 * `to`: for a large state this is several times faster than a new copy. In the copy no changes are marked
 * (state_change_marks).
 */
void state_copy(struct state *to, const struct state *from);

/* Reserves the IDs up to `last` for later submissions with given IDs, as in the replay of a log: other
 * submissions get larger IDs. Not part of the snapshot, and not copied. */
void state_reserve_ids(struct state *st, uint64_t last);
/* The ID of the next submission without a given ID. */
uint64_t state_next_id(const struct state *st);

/* A job with its names as text: a submission, or a stored record. */
struct job_record {
	struct job job;        /* members that are texts or arrays below are ignored on input */
	const char *cred[5];   /* by enum cred_type; NULL = none */
	const char *partition; /* NULL = ALL */
	const char *label;     /* NULL = none */
	const char *name;      /* NULL = none */
	const char *qos_asked; /* the requested QOS; NULL = none. cred[CRED_QOS] is the granted QOS; in a
				  submission, cred[CRED_QOS] is the requested one */
	const char *features;  /* names, separated by blanks; NULL = none, here and below */
	const char *prefer;
	const char *gres;  /* "gpu:2 tape:1", per task                               */
	const char *hosts; /* names of nodes, separated by blanks */
	const char *order;
	const char *hold_reason;
	const char *base_reason;     /* ignored in submissions */
	const char *said;            /* see struct job */
	const struct depend *depend; /* .next is ignored                                       */
	uint32_t depend_count;
	const struct alloc_run *runs; /* of a running job, or of a planned start; .next is ignored */
	uint32_t run_count;
	const struct array_range *ranges; /* submissions: task numbers of an array; none: a single job */
	uint32_t range_count;
	const void *launch;   /* submissions: launch data for the ledger; NULL = none */
	uint32_t launch_size; /* bytes; stored records have the size only */
};

/* Memory for the arrays and texts of one record at a time. Begin with a zeroed struct. */
struct state_parts {
	struct alloc_run *run;
	struct depend *depend;
	struct array_range *range;
	size_t run_room, depend_room, range_room;
	struct str text;
};
void state_parts_free(struct state_parts *parts);

/* Returns the number of jobs that a submission creates. */
static inline uint32_t job_record_tasks(const struct job_record *record)
{
	return record->range_count == 0 ? 1 : array_tasks(record->ranges, record->range_count);
}

/*
 * state_submission_bytes returns the bytes that a submission adds to cred.stored, plus those of its names of
 * features and resources, which are not counted once it is a job. state_change_bytes returns the bytes that a
 * change of a job with these texts adds.
 */
uint64_t state_submission_bytes(const struct job_record *record);
uint64_t state_change_bytes(const char *name, const char *value);
/*
 * state_submission_texts and state_change_texts return the bytes of the texts alone, which are added to
 * cred.texts.
 */
uint64_t state_submission_texts(const struct job_record *record);
uint64_t state_change_texts(const char *name, const char *value);

/* Returns the number of dependencies in a text, which is the number of its colons; 0 for NULL. */
uint64_t state_names_in(const char *text);

/* Sets *out to the record of the job in a slot; *out points into the snapshot and into `parts`. */
void state_job_record(const struct snapshot *s, uint32_t slot, struct job_record *out,
		      struct state_parts *parts);

/* Returns the slot of a job by ID, INDEX_NONE if there is none. Constant time. */
uint32_t state_find(const struct state *st, uint64_t id);

/* Returns the index of a node, a credential or a partition by name, INDEX_NONE if there is none. */
uint32_t state_find_node(const struct state *st, const char *name);
uint32_t state_find_cred(const struct state *st, enum cred_type type, const char *name);
uint32_t state_find_partition(const struct state *st, const char *name);

/* A node as reported by a resource manager or defined in a configuration. */
struct node_record {
	const char *name;
	const char *partition; /* NULL = ALL */
	uint32_t procs;
	int64_t mem_mb, swap_mb, disk_mb;
	const char *features;    /* names, separated by blanks; NULL = none, here and below */
	const char *classes;     /* NULL = any */
	const char *gres;        /* "gpu:4 tape:1" */
	double speed, procspeed; /* speed: 0 = not set, which means 1 */
	uint32_t rack, index;
	uint8_t access;        /* enum node_access */
	struct node_used used; /* members that are not measured are negative */
	const char *used_by;   /* the process outside jobs that uses the node most; NULL = not known */
	int64_t active_s, active_from_s; /* for a store; ignored in reports */
	uint8_t shut;                    /* see struct node; also the next member */
	const char *said;
};

/* Sets *out to the record of node i; *out points into the snapshot and into `parts`. */
void state_node_record(const struct snapshot *s, uint32_t i, struct node_record *out,
		       struct state_parts *parts);

/* Usage of one credential in a window: a line of an FS file. */
struct used_by {
	uint32_t type; /* enum cred_type */
	const char *name;
	int64_t amount; /* in thousandths of a processor-second (FS_UNIT) */
};

/* One window of usage. */
struct usage_window {
	int64_t begin_s, length_s;
	const struct used_by *item;
	uint32_t count;
	int64_t total; /* usage of all jobs */
};

/*
 * Sets *out to the window in column c of the usage table; length_s is 0 if the column is empty. The
 * credentials are stored at *items, which has a capacity of *room and grows as needed; the caller frees it.
 */
void state_usage_window(const struct snapshot *s, uint32_t c, struct usage_window *out,
			struct used_by **items, size_t *room);

/* --- attributes of jobs -------------------------------------------------- */

#define JOB_DEPEND_ATTRIBUTE "depend"

/*
 * An attribute of an idle job that can be changed. The name, and the syntax of its value (takes), are shown
 * to people.
 */
struct job_attribute {
	const char *name;
	uint8_t form; /* private, as is offset */
	const char *takes;
	size_t offset;
};
extern const struct job_attribute job_attributes[];
extern const size_t job_attribute_count;

/* Finds an attribute by name, without regard to case; NULL if there is none. */
const struct job_attribute *state_find_attribute(const char *name);

/* Appends the attribute of a job as text: the value set last, otherwise the submitted one. */
void state_print_attribute(const struct snapshot *s, const struct job *job,
			   const struct job_attribute *attribute, struct str *out);

/*
 * Parses a text such as "afterok:12,afterany:13[]". Empties the list first; the caller frees out->item.
 * Returns false with err set if the text is invalid.
 */
struct depend_list {
	struct depend *item;
	size_t count, room;
};
bool depend_list_read(const char *text, struct depend_list *out, struct err *err);

/* Appends one dependency as text, with a mark if it is settled: "afterok:12+". */
void state_add_depend(const struct depend *depend, struct str *out);

/* Appends all dependencies of a job. Settled ones have a mark: + met, - can no longer be met. */
void state_add_depends(const struct snapshot *s, const struct job *job, struct str *out);

/* --- changes; for event*.c ------------------------------------------------------ */

/* All of these functions require arguments that event_apply has checked. */
/*
 * Adds the job of a submission with this ID. An array becomes one job per task number, with consecutive IDs
 * beginning with this one.
 */
void state_submit_job(struct state *st, const struct job_record *asked, uint64_t id);
/*
 * Replaces the data of a job with what its resource manager reports now. An idle job keeps its ID and, unless
 * its submit time changes, its queue time. Of a running job, only the wallclock limit and what the manager
 * says about the job change.
 */
void state_describe_job(struct state *st, uint32_t slot, const struct job_record *record);
void state_start_job(struct state *st, uint32_t slot, int64_t now_s, const struct alloc_run *runs,
		     uint32_t count, bool backfilled);
void state_end_job(struct state *st, uint32_t slot, int64_t now_s);
/* Makes a running job idle again, because its start failed or because it is requeued. */
void state_return_job(struct state *st, uint32_t slot, int64_t now_s);
/*
 * state_unplan_job removes the planned start of an idle job. state_plan_job sets it, with named nodes if
 * count > 0; TIME_NEVER removes it.
 */
void state_unplan_job(struct state *st, uint32_t slot);
void state_plan_job(struct state *st, uint32_t slot, int64_t start_s, const struct alloc_run *runs,
		    uint32_t count);
struct job *state_job(struct state *st, uint32_t slot);
/* Replaces the data of an idle job; its ID, submit time, processors and runs must stay the same. */
void state_edit_waiting(struct state *st, uint32_t slot, const struct job *edited);
uint32_t state_add_node(struct state *st, const struct node_record *record);
/*
 * by: the process outside jobs that uses the node most, such as "python3 of eva"; copied; NULL = not known.
 */
void state_set_load(struct state *st, uint32_t node, const struct node_used *used, const char *by);
uint32_t state_intern_cred(struct state *st, enum cred_type type, const char *name);
struct snapshot *state_header(struct state *st);
uint32_t state_add_string(struct state *st, const char *text); /* returns an offset; 0 for NULL and "" */
void state_waste_string(struct state *st, uint32_t at); /* the string at this offset is no longer used */

/* Like state_waste_string, but also erases the string, so that copies of the state cannot contain it. */
void state_wipe_string(struct state *st, uint32_t at);

/*
 * Once three quarters of the job slots are empty, moves the jobs together and frees the memory: otherwise
 * every copy of the state would stay as large as the longest queue so far. This changes slots and the address
 * of the block, so it is called between two steps, when no caller holds either.
 */
void state_close_slots(struct state *st);

/*
 * Charges the job's credentials with its usage since the last charge; called before a job ends or releases
 * its processors.
 */
void state_charge_job(struct state *st, uint32_t slot, int64_t end_s);

/* state_check_usage checks an imported window of fairshare usage; state_set_usage sets it. */
bool state_check_usage(const struct state *st, const struct usage_window *window, struct err *err);
void state_set_usage(struct state *st, const struct usage_window *window);

/* Sets whether the store's disk is full. While it is, passes start no jobs. */
void state_set_no_room(struct state *st, bool no_room);

/* Sets whether the resource manager decides; this scheduler then only shows what it would do. */
void state_set_watched(struct state *st, bool watched);
/* Sets what is wrong with the resource manager; NULL = nothing. */
void state_set_fault(struct state *st, const char *fault);

/*
 * Restricts passes to multiples of grid_s; the passes up to passed_s have been made. grid_s = 0: passes run
 * whenever they are due.
 */
void state_set_grid(struct state *st, int64_t grid_s, int64_t passed_s);

/* What happened to a job that other jobs depend on. */
enum job_outcome {
	JOB_STARTED,
	JOB_SUCCEEDED,
	JOB_FAILED,
	JOB_NEVER_RAN,
	JOB_OUTCOME_COUNT
};
/* Returns the state of a dependency after this outcome; DEPEND_OPEN: it stays open. */
enum depend_state state_depend_after(enum depend_type type, enum job_outcome outcome);
/*
 * Searches the idle jobs for a dependency that can never be met, beginning at position *at of table WAITING,
 * and then from the start of the table. Returns the dependency and sets *at to the position of its job;
 * returns NULL if no idle job has one.
 */
const struct depend *state_next_lost(struct state *st, uint32_t *at);
/* Settles the dependencies on a job. job must be a copy, because the tables change. */
void state_settle_depends(struct state *st, const struct job *job, enum job_outcome outcome);
/* Sets the state of a new dependency: open, met, or impossible to meet. */
void state_open_depend(const struct state *st, struct depend *depend);
/* Checks the dependencies of a job, or of a submission (job = 0). */
bool state_check_depends(const struct state *st, uint64_t job, const struct depend *item, size_t count,
			 struct err *err);
/*
 * Returns the number of dependencies that state_check_depends() has examined in this state so far: a measure
 * of its cost.
 */
uint64_t state_depends_looked_at(const struct state *st);

/*
 * Adds a change made at now_s and updates what it affects. name: the option of a setting; value: the value
 * of a setting, or the reason for a hold; else NULL.
 */
void state_add_change(struct state *st, const struct change *change, const char *name, const char *value,
		      int64_t now_s);

/* Makes a temporary change permanent. */
void state_keep_for_good(struct state *st, uint64_t seq);

/*
 * To be called for a change that has become permanent: if it suspends a job, the job no longer has a resume
 * time.
 */
void state_suspend_stays(struct state *st, uint64_t seq, int64_t now_s);

/* Sets the number of passes before a pause, without adding a change. */
void state_count_halt(struct state *st, bool on, uint32_t after);

/*
 * state_check_attribute checks whether the attribute may have this value; state_modify_job sets it and
 * records the given change.
 */
bool state_check_attribute(const struct state *st, const struct job *job,
			   const struct job_attribute *attribute, const char *text, struct err *err);
void state_modify_job(struct state *st, const struct change *change, uint32_t slot,
		      const struct job_attribute *attribute, const char *text);

/*
 * Advance reservations. state_can_reserve: can reservations be made and released in this state? Not if names
 * are hidden. state_check_advance: can this reservation be made at now_s? state_reserve makes a reservation
 * and state_unreserve releases one; both record the given change. state_reserve also removes reservations
 * that are over and, if many have been released, the oldest of these.
 */
bool state_can_reserve(const struct state *st, struct err *err);
bool state_check_advance(const struct state *st, const char *name, const struct advance_text *a,
			 int64_t now_s, struct err *err);
void state_reserve(struct state *st, const struct change *change, const char *name, const char *text,
		   const char *owner, int64_t now_s);
void state_unreserve(struct state *st, const struct change *change, const char *name);

/* Updates the reason for the job's hold or deferral. */
void state_note_reason(struct state *st, uint32_t slot);

/*
 * state_newest_change returns the newest change of a job, state_change_before the previous change of the
 * same job; NULL if there is none. state_count_changes returns the number of changes of a job.
 */
const struct change *state_newest_change(const struct snapshot *s, const struct job *job);
const struct change *state_change_before(const struct snapshot *s, const struct change *change);
uint32_t state_count_changes(const struct snapshot *s, const struct job *job);

/*
 * The numbers (seq) of the changes that were made, modified or dropped since state_clear_change_marks, some
 * of them possibly more than once. all: any change may have been modified. state_change_marks returns NULL
 * if marks were never cleared for this state, so that none are kept.
 */
struct change_marks {
	uint64_t *seq;
	size_t count, room;
	bool kept, all;
};
const struct change_marks *state_change_marks(struct state *st);
void state_clear_change_marks(struct state *st);

/* Returns the change made by event seq, NULL if there is none. */
const struct change *state_find_change(const struct snapshot *s, uint64_t seq);

/*
 * Replaces the configuration. The text is parsed into a draft first: if the function returns false, nothing
 * has changed. Nodes named in the text are added or resized.
 */
bool state_set_config(struct state *st, const char *file, const char *text, struct err *err);

/*
 * Returns the change that an undo, an undo of an undo, and so on, finally refers to; NULL if that change is
 * no longer kept. For a change that is not an undo, returns that change.
 */
const struct change *state_change_moved(const struct snapshot *s, const struct change *change);

/* Is the job's request within bounds? */
bool state_check_size(const struct job *job, struct err *err);

/* Do these nodes exist, is each of them named only once, and do the runs contain all tasks of the job? */
bool state_check_named(const struct state *st, const struct job *job, const struct alloc_run *runs,
		       uint32_t count, struct err *err);

/*
 * Would a suspend with SUSPEND_RELEASE at now_s release the job's processors? Returns false if they are
 * already released.
 */
bool state_can_release(const struct state *st, const struct job *job, int64_t now_s);

/*
 * state_check_retake: are the released processors of a suspended job free again? state_resume_job resumes a
 * suspended job, and allocates these processors again.
 */
bool state_check_retake(const struct state *st, const struct job *job, struct err *err);
void state_resume_job(struct state *st, uint32_t slot, int64_t now_s);

/* The clock was set by by_s, to now_s: moves the times that measure elapsed time, see event.h. */
void state_set_clock(struct state *st, int64_t now_s, int64_t by_s);

/*
 * Like state_check_named, but also checks that the job can start there now: everything that it requests is
 * free, and it may share these nodes.
 */
bool state_check_runs(const struct state *st, const struct job *job, const struct alloc_run *runs,
		      uint32_t count, struct err *err);

/* Checks a submission: its bounds with the defaults applied, its traits, its dependencies. */
bool state_check_submission(const struct state *st, const struct job_record *record, struct err *err);

/* Checks a node record: its name, its amounts against those in use, its traits. */
bool state_check_node(const struct state *st, const struct node_record *record, struct err *err);

/*
 * Reports of nodes by a resource manager; values in the configuration take precedence over reported ones
 * (state_node.c). state_check_report checks a report, state_report_node applies it, and state_report_is_news
 * tests whether it would change anything.
 */
bool state_check_report(const struct state *st, const struct node_record *reported, struct err *err);
void state_report_node(struct state *st, const struct node_record *reported);
bool state_report_is_news(const struct state *st, const struct node_record *reported);

/* Would this setting be accepted now? */
bool state_check_setting(const struct state *st, const char *name, const char *value, struct err *err);

/* --- restoring; for a store ------------------------------------------------------ */

/*
 * Fills an empty state, in this order: nodes by index, config, jobs and windows in any order, changes by seq,
 * then finish. The node sections of the configuration are not applied again: the node records contain the
 * result and its order.
 */
bool state_restore_config(struct state *st, const char *file, const char *text, struct err *err);
bool state_restore_node(struct state *st, const struct node_record *record, struct err *err);
bool state_restore_job(struct state *st, const struct job_record *record, struct err *err);
bool state_restore_usage(struct state *st, const struct usage_window *window, struct err *err);
void state_restore_change(struct state *st, const struct change *change, const char *name, const char *value,
			  const char *base);

/* The values of the header. state_restore_finish sets them and rebuilds the policy in force. */
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

/* Checks every invariant between tables (sums, order, indexes); for tests and `kahu verify`. */
bool state_check(const struct state *st, struct err *err);

/*
 * Returns a hash of the logical content (not of slots, offsets or capacities): equal states have equal hashes
 * on every machine.
 */
uint64_t state_hash(const struct snapshot *s);

#endif
