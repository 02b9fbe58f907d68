/* SPDX-License-Identifier: MIT */
/*
 * state_inside.h - declarations shared by the files that implement the live state
 */
#ifndef STATE_STATE_INSIDE_H
#define STATE_STATE_INSIDE_H

#include <string.h>

#include "state.h"

/* Open addressing, capacity a power of two, INDEX_NONE = empty; grows when two thirds full. */
struct index_table {
	uint32_t *entry;
	uint32_t room, count;
};

/* Positions of changes in their table. Free `at`. */
struct change_list {
	uint32_t *at;
	size_t count;
};

/* Number of tasks in the state for each array, by array ID; like index_table, tasks 0 = empty. */
struct array_table {
	struct array_tasks {
		uint64_t array;
		uint32_t tasks;
		uint32_t idle;        /* idle ones among them */
		uint32_t launch_size; /* size of their shared launch data */
	} * item;
	uint32_t room, count;
};

/* Open dependencies of jobs and in texts of changes, by the job they name; see state_change.c. */
struct named_index {
	struct named_entry {
		struct depend
			key; /* on == 0: a free entry; next: in its bucket, or in the list of free entries */
		uint64_t change; /* seq; 0 = a dependency of a job */
		uint32_t depend;
	} * entry;
	uint32_t *bucket;
	size_t room;
	uint32_t count, buckets, free_entry;
	uint32_t full; /* number of entries at which obsolete ones are removed */
	bool is_built;
};

/* State of state_check_depends(), which is called for a const state; see state_depend.c. */
struct depend_search {
	uint64_t looked_at;   /* dependencies examined so far */
	uint64_t *named;      /* a bit set of the jobs that dependencies name; NULL: not built yet */
	uint32_t named_bits;  /* a power of two */
	uint32_t until_built; /* dependencies to be added before it is rebuilt */
	/* The last search that found nothing: the jobs to which these dependencies lead, by slot. */
	struct depend *item;
	size_t items, item_cap; /* items 0: none is kept */
	bool *reached;
	uint32_t reached_slots;
};

struct state {
	struct snapshot *s;
	size_t block_bytes; /* allocated for s, at least its size */
	uint32_t room_jobs; /* see state_reserve_room */
	struct depend_search *depend_search;
	struct index_table by_id;   /* job id -> slot                         */
	struct index_table by_cred; /* (type, name) -> credential index       */
	struct index_table by_node; /* name -> node index                     */
	struct index_table by_task; /* (array, number) -> job slot            */
	struct named_index named;
	struct array_table arrays;
	uint32_t *free_slot; /* empty job slots below the table's count */
	size_t free_count, free_room;
	bool *spare_cred;      /* by credential: unused at the last search and not named since */
	uint32_t spare_end;    /* number of credentials at that search */
	uint32_t spare_at;     /* the next of them to try */
	uint32_t creds_look;   /* number of credentials at which to search again */
	uint32_t free_run;     /* chain of free runs                     */
	uint32_t free_depend;  /* chain of free dependencies             */
	uint64_t reserved_id;  /* see state_reserve_ids; 0 = none */
	bool no_lost;          /* no idle job has a dependency that can never be met */
	uint32_t string_waste; /* bytes of unused strings */
	struct change_marks marks;
};

/* Marks the strings of a change as unused. */
void state_waste_change(struct state *st, const struct change *change);

/* Ensures that a table has capacity for `more` items; may move the block. */
void state_make_room(struct state *st, enum snapshot_table_id id, uint32_t more);

/* Shrinks the tables to their items plus a quarter, so that the next submissions do not move the block again.
 */
void state_give_room_back(struct state *st);

/* Address of item i of a table, writable. */
void *state_item(struct state *st, enum snapshot_table_id id, uint32_t i);

/* Removes item i from a table and closes the gap. */
void state_close_gap(struct state *st, enum snapshot_table_id id, uint32_t i);

/* Keeps the strings at no more than about twice the size in use; amortized over the unused ones. */
void state_compact_strings(struct state *st);

/* Add the job in a slot to the indexes of IDs and tasks, and remove it while it is still in the slot. */
void state_index_job(struct state *st, uint32_t slot);
void state_unindex_job(struct state *st, uint64_t id);

/* Slot of the task of an array with this number; INDEX_NONE if it is not in the state. */
uint32_t state_find_task(const struct state *st, uint64_t array, uint32_t number);

/* Adds a credential to the index of names, and removes it from the index. */
void state_index_cred(struct state *st, uint32_t i);
void state_unindex_cred(struct state *st, uint32_t i);

/*
 * Credentials (state_cred.c). The row of an unused credential stays until another credential of any type
 * reuses it: rows do not move. Must be called where no index of a credential is held outside of the tables.
 */
void state_find_spare_creds(struct state *st);

/* Adds a new node to the index of names. */
void state_index_node(struct state *st, uint32_t i);

/* Builds the indexes of job slots from the block. */
void state_index_slots(struct state *st);

/* Builds the indexes of jobs, credentials and nodes from the block, copies them, and frees them. */
void state_index_all(struct state *st);
void state_index_copy(struct state *to, const struct state *from);
void state_index_free(struct state *st);

/* Distributes a number over all bits. */
static inline uint64_t state_mix(uint64_t x)
{
	x ^= x >> 33;
	x *= UINT64_C(0xff51afd7ed558ccd);
	x ^= x >> 33;
	return x;
}

/* Adds an idle job from its record, without nodes; returns its slot. */
uint32_t state_add_job(struct state *st, const struct job_record *record, uint64_t id);

/* Adds a job to its table and removes it from the table. The fields that determine its position must not have
 * changed in between, except for its size, which state_requeue_job updates. */
void state_queue_job(struct state *st, uint32_t slot);
void state_unqueue_job(struct state *st, uint32_t slot);

void state_list_running(struct state *st, uint32_t slot);
void state_unlist_running(struct state *st, uint32_t slot);

/* Adds a job to the header's counts, or (sign < 0) removes it. */
void state_count_job(struct state *st, uint32_t slot, int sign);

/*
 * Stored bytes per user (state_stored.c): counts a new job, a job whose texts or dependencies have changed,
 * and a job that leaves; and a change of a job when it is added or (sign < 0) removed.
 */
void state_store_job(struct state *st, uint32_t slot);
void state_restate_job(struct state *st, uint32_t slot);
void state_unstore_job(struct state *st, uint32_t slot);
void state_store_change(struct state *st, const struct change *change, int sign);
/* Builds the table of arrays from the block, copies it, and frees it. */
void state_index_arrays(struct state *st);
void state_copy_arrays(struct state *to, const struct state *from);
void state_free_arrays(struct state *st);

/*
 * The entry of an array in the table of arrays, as an index (INDEX_NONE if none of its tasks is in the state)
 * or by value. state_count_idle_task adds one to its idle tasks; UINT32_MAX as `one` subtracts one.
 */
uint32_t state_array_place(const struct state *st, uint64_t array);
struct array_tasks state_array_tasks(const struct state *st, uint64_t array);
void state_count_idle_task(struct state *st, const struct job *job, uint32_t one);
bool state_check_stored(const struct state *st, struct err *err);

/* Tasks on each node of a run. Runs of the first version do not record them: as many as their processors
 * allow. */
static inline uint32_t state_run_tasks(const struct job *job, const struct alloc_run *run)
{
	return run->tasks > 0 ? run->tasks : run->procs / job->task_procs;
}

/* Allocates the nodes to an idle job that has start_s and access_held; deallocates those of a running job. */
void state_place_job(struct state *st, uint32_t slot, const struct alloc_run *runs, uint32_t count);
void state_leave_nodes(struct state *st, uint32_t slot, int64_t now_s);
void state_free_runs(struct state *st, uint32_t slot);

/*
 * Releases the processors of a suspended job to other jobs, unless it does not share its nodes with them; its
 * other resources stay allocated. The job then has JOB_REAL_RELEASED.
 */
void state_release_procs(struct state *st, uint32_t slot, int64_t now_s);

/* Only suspended jobs have released processors, and only such jobs wait for them. */
bool state_check_released(const struct job *job, struct err *err);

/* Could a stored job have been started there? Restrictions added to the policy since then are ignored. */
bool state_check_kept_runs(const struct state *st, const struct job *job, const struct alloc_run *runs,
			   uint32_t count, struct err *err);

/* Chains dependencies and returns the first; and frees a chain. */
uint32_t state_chain_depends(struct state *st, const struct depend *item, size_t count);
void state_free_depends(struct state *st, uint32_t first);
/* Replaces the dependencies of a job. They have passed state_check_depends(). */
void state_replace_depends(struct state *st, struct job *job, const struct depend *item, size_t count);
/* Releases what searches have kept. */
void state_free_depend_search(struct depend_search *search);

/*
 * The index of open dependencies: adds the dependency at i; adds those in the texts of a change. Removes and
 * returns the next one with a key (.next and .state of the key are ignored): the position of a dependency or
 * of a change; the other is INDEX_NONE. False: there is none.
 */
void state_name_depend(struct state *st, uint32_t i);

bool state_take_named(struct state *st, const struct depend *key, uint32_t *depend, uint32_t *change);
void state_named_copy(struct state *to, const struct state *from);
void state_named_free(struct state *st);

/* Does the dependency refer to this job, or to its array? */
static inline bool depend_is_on(const struct depend *depend, const struct job *job)
{
	switch ((enum depend_of)depend->of) {
	case DEPEND_ON_TASK:
		return job->array == depend->on && job->array_index == depend->number;
	case DEPEND_ON_ARRAY:
		return job->array == depend->on;
	default:
		return job->id == depend->on;
	}
}

/* Does a change set the dependencies of a job? */
static inline bool state_changes_depend(const struct snapshot *s, const struct change *change)
{
	return change->kind == CHANGE_MODIFY &&
	       strcmp(snapshot_string(s, change->name), JOB_DEPEND_ATTRIBUTE) == 0;
}

#define DEPEND_NAMES "after, afterany, afterok and afternotok"

/* Sets an attribute of a copy of a job; text must not be one of the state's own strings. */
void state_set_attribute(struct state *st, struct job *job, const struct job_attribute *attribute,
			 const char *text);

/* Index of a partition, which is added if new; 0 for NULL, "" and "ALL". */
uint32_t state_intern_partition(struct state *st, const char *name);

/*
 * Traits (state_trait.c). Only nodes and the configuration add names to the table of traits, which has few
 * slots; other names that a job requests are kept as text (job.unknown).
 */

/* Is the list of names valid? With kind TRAIT_GRES names may have a count: "gpu:2 tape". */
bool state_read_names(enum trait_kind kind, const char *text, struct err *err);

/* The same for all names in a submission or a stored job. */
bool state_check_job_traits(const struct job_record *record, struct err *err);

/*
 * Can all names of a text be in the table, besides those in use elsewhere? replaced: for each node, whether
 * its current names are about to be replaced (NULL: none are). new_config: whether those of the configuration
 * are.
 */
bool state_check_traits(const struct state *st, enum trait_kind kind, const char *text, const bool *replaced,
			bool new_config, struct err *err);

/* The same for the new description of node i (INDEX_NONE: of a new node). */
bool state_check_node_traits(const struct state *st, uint32_t i, const struct node_record *record,
			     struct err *err);

/* Checks the description of a node except for its traits. */
bool state_check_node_size(const struct state *st, const struct node_record *record, struct err *err);

/* The bits of the names in a text (see config_word), which are added if new; NULL and "" contain none. */
uint64_t state_intern_traits(struct state *st, enum trait_kind kind, const char *text);
void state_intern_gres(struct state *st, const char *text, uint32_t gres[static GRES_MAX]);

/* Sets the names that a copy of a job requests; text must not be one of the state's own strings. */
void state_name_traits(struct state *st, struct job *job, enum job_unknown which, const char *text);

/* Removes the names of a kind from node i, which is about to be described anew, except those held by its
 * running jobs. */
void state_forget_traits(struct state *st, uint32_t i, enum trait_kind kind);

/* Do all jobs use the slot of every name that has one? */
bool state_check_slots(const struct state *st, struct err *err);

/*
 * Determines again whether nodes are unequal for plain jobs; called when partitions, classes or access of
 * nodes, the policy or attributes of classes have changed. The second function compares only node i, which is
 * new or was as `before`, as far as necessary.
 */
void state_note_nodes_differ(struct state *st);
void state_note_difference(struct state *st, uint32_t i, bool is_new, const struct node *before);

/*
 * The first function updates JOB_PARTICULAR of one job. The second updates it for all jobs, after the
 * machine's set of resources has changed.
 */
void state_mark_particular(const struct snapshot *s, struct job *job);
void state_note_particular(struct state *st);

/* Adds a change and its texts, without applying it. The result is valid until the table grows. */
const struct change *state_keep_change(struct state *st, const struct change *change, const char *name,
				       const char *value, const char *base);

/* The changes of a job, or (0) those of the site, oldest first. */
struct change_list state_list_changes(const struct state *st, uint64_t job);
/* The position of a change in a list that contains it. */
size_t state_place_in(const struct change_list *list, uint32_t at);

/* Removes the marked changes of the site from the table; list contains all of them. */
void state_drop_site_changes(struct state *st, const struct change_list *list, const bool *gone);

/* Marks the change at i, or all changes, to be written with the next commit. */
void state_mark_change(struct state *st, uint32_t i);

/* Removes the changes of a job that leaves the state. */
void state_drop_changes(struct state *st, uint64_t job);

/* Removes the suspends of a job that no longer runs. */
void state_drop_suspends(struct state *st, uint64_t job);

/* Determines which changes are undone: by all undos; by a new undo. The caller then updates what they affect.
 */
void state_mark_dead_changes(struct state *st);
void state_kill_named(struct state *st, uint32_t undo);

/* Rebuilds the policy from all settings. */
void state_rebuild_policy(struct state *st);

/* Rebuilds the advance reservations in force from the changes. False, only with stored changes: a text is
 * damaged. */
bool state_rebuild_advances(struct state *st, struct err *err);

#endif
