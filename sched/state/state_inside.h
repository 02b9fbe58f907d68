/* SPDX-License-Identifier: MIT */
/*
 * state_inside.h - declarations shared by the files that implement the live state
 */
#ifndef STATE_STATE_INSIDE_H
#define STATE_STATE_INSIDE_H

#include <string.h>

#include "state.h"

/*
 * A hash table with open addressing. Its capacity is a power of two, INDEX_NONE is an empty entry, and it
 * grows when two thirds are full.
 */
struct index_table {
	uint32_t *entry;
	uint32_t room, count;
};

/* Positions of changes in their table. The caller frees `at`. */
struct change_list {
	uint32_t *at;
	size_t count;
};

/*
 * The number of tasks in the state for each array, by array ID. A hash table like index_table; tasks 0 = an
 * empty entry.
 */
struct array_table {
	struct array_tasks {
		uint64_t array;
		uint32_t tasks;
		uint32_t idle;        /* number of idle tasks among them */
		uint32_t launch_size; /* size of their shared launch data */
	} * item;
	uint32_t room, count;
};

/* Open dependencies of jobs, and in texts of changes, by the job that they name; see state_change.c. */
struct named_index {
	struct named_entry {
		struct depend key; /* on == 0: a free entry; next: the next entry of the bucket or of the free
				      list */
		uint64_t change; /* number of the change whose text contains the dependency; 0 = it belongs to
				    a job */
		uint32_t depend;
	} * entry;
	uint32_t *bucket;
	size_t room;
	uint32_t count, buckets, free_entry;
	uint32_t full; /* number of entries at which obsolete ones are removed */
	bool is_built;
};

/*
 * What state_check_depends() keeps between calls; allocated separately, because that function takes a const
 * state. See state_depend.c.
 */
struct depend_search {
	uint64_t looked_at;   /* dependencies examined so far */
	uint64_t *named;      /* a bit set of the jobs that dependencies name; NULL: not built yet */
	uint32_t named_bits;  /* a power of two */
	uint32_t until_built; /* number of dependencies that may be added before `named` is rebuilt */
	/* The last search that found no cycle: its dependencies, and by slot the jobs to which they lead. */
	struct depend *item;
	size_t items, item_cap; /* items 0: no search is kept */
	bool *reached;
	uint32_t reached_slots;
};

struct state {
	struct snapshot *s;
	size_t block_bytes; /* bytes allocated for s, at least s->size */
	uint32_t room_jobs; /* number of jobs reserved by state_reserve_room */
	struct depend_search *depend_search;
	struct index_table by_id;   /* job id -> slot                         */
	struct index_table by_cred; /* (type, name) -> credential index       */
	struct index_table by_node; /* name -> node index                     */
	struct index_table by_task; /* (array, number) -> job slot            */
	struct named_index named;
	struct array_table arrays;
	uint32_t *free_slot; /* empty job slots below the table's count */
	size_t free_count, free_room;
	bool *spare_cred;      /* by credential: unused at the last search and not looked up since */
	uint32_t spare_end;    /* number of credentials at that search */
	uint32_t spare_at;     /* the next credential to try */
	uint32_t creds_look;   /* number of credentials at which the next search takes place */
	uint32_t free_run;     /* chain of free runs */
	uint32_t free_depend;  /* chain of free dependencies */
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

/* Removes unused strings when they take about half of the table, so that the cost is amortized over them. */
void state_compact_strings(struct state *st);

/*
 * state_index_job adds the job in a slot to the indexes of IDs and tasks; state_unindex_job removes it, and
 * must be called while the job is still in its slot.
 */
void state_index_job(struct state *st, uint32_t slot);
void state_unindex_job(struct state *st, uint64_t id);

/* Returns the slot of the task of an array with this number; INDEX_NONE if it is not in the state. */
uint32_t state_find_task(const struct state *st, uint64_t array, uint32_t number);

/* state_index_cred adds a credential to the index of names, state_unindex_cred removes it. */
void state_index_cred(struct state *st, uint32_t i);
void state_unindex_cred(struct state *st, uint32_t i);

/*
 * Searches for rows of unused credentials, which new credentials of any type then reuse; rows never move
 * (state_cred.c). Must only be called where no index of a credential is held outside of the tables.
 */
void state_find_spare_creds(struct state *st);

/* Adds a new node to the index of names. */
void state_index_node(struct state *st, uint32_t i);

/* Builds the indexes of job slots from the block. */
void state_index_slots(struct state *st);

/*
 * state_index_all builds the indexes of jobs, credentials and nodes from the block; state_index_copy copies
 * them; state_index_free frees them.
 */
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

/* Adds an idle job from its record, without allocating nodes; returns its slot. */
uint32_t state_add_job(struct state *st, const struct job_record *record, uint64_t id);

/*
 * state_queue_job adds an idle job to table WAITING, and state_unqueue_job removes it. Its submit time must
 * not change in between; a change of its size must be followed by state_requeue_job.
 */
void state_queue_job(struct state *st, uint32_t slot);
void state_unqueue_job(struct state *st, uint32_t slot);

void state_list_running(struct state *st, uint32_t slot);
void state_unlist_running(struct state *st, uint32_t slot);

/* Adds a job to the header's counts, or (sign < 0) removes it. */
void state_count_job(struct state *st, uint32_t slot, int sign);

/*
 * Stored bytes per user (state_stored.c). state_store_job counts a new job, state_restate_job a job whose
 * texts or dependencies have changed, and state_unstore_job a job that leaves. state_store_change counts a
 * change of a job when it is added or (sign < 0) removed.
 */
void state_store_job(struct state *st, uint32_t slot);
void state_restate_job(struct state *st, uint32_t slot);
void state_unstore_job(struct state *st, uint32_t slot);
void state_store_change(struct state *st, const struct change *change, int sign);
/* state_index_arrays builds the table of arrays from the block; the other functions copy and free it. */
void state_index_arrays(struct state *st);
void state_copy_arrays(struct state *to, const struct state *from);
void state_free_arrays(struct state *st);

/*
 * state_array_place returns the index of an array in the table of arrays, INDEX_NONE if none of its tasks is
 * in the state; state_array_tasks returns the entry itself. state_count_idle_task adds `one` to the number
 * of its idle tasks; UINT32_MAX subtracts one.
 */
uint32_t state_array_place(const struct state *st, uint64_t array);
struct array_tasks state_array_tasks(const struct state *st, uint64_t array);
void state_count_idle_task(struct state *st, const struct job *job, uint32_t one);
bool state_check_stored(const struct state *st, struct err *err);

/*
 * Returns the number of tasks on each node of a run. Runs stored by the first version do not record it: then
 * it is as many as the processors of the run allow.
 */
static inline uint32_t state_run_tasks(const struct job *job, const struct alloc_run *run)
{
	return run->tasks > 0 ? run->tasks : run->procs / job->task_procs;
}

/*
 * state_place_job allocates nodes to an idle job, which must have start_s and access_held, and makes it
 * running. state_leave_nodes releases the nodes of a running job. state_free_runs frees the runs of a job.
 */
void state_place_job(struct state *st, uint32_t slot, const struct alloc_run *runs, uint32_t count);
void state_leave_nodes(struct state *st, uint32_t slot, int64_t now_s);
void state_free_runs(struct state *st, uint32_t slot);

/*
 * Releases the processors of a suspended job to other jobs, unless the job does not share its nodes; its
 * other resources stay allocated. The job then has JOB_REAL_RELEASED.
 */
void state_release_procs(struct state *st, uint32_t slot, int64_t now_s);

/*
 * Are the flags of the job consistent? Only suspended jobs may have released processors, and only jobs with
 * released processors may wait for them.
 */
bool state_check_released(const struct job *job, struct err *err);

/*
 * Could a stored running job have been started on these nodes? Restrictions that the policy has added since
 * are ignored.
 */
bool state_check_kept_runs(const struct state *st, const struct job *job, const struct alloc_run *runs,
			   uint32_t count, struct err *err);

/*
 * state_chain_depends adds dependencies as a chain and returns the first; state_free_depends frees a chain.
 */
uint32_t state_chain_depends(struct state *st, const struct depend *item, size_t count);
void state_free_depends(struct state *st, uint32_t first);
/* Replaces the dependencies of a job. The new ones must have passed state_check_depends(). */
void state_replace_depends(struct state *st, struct job *job, const struct depend *item, size_t count);
/* Frees the memory of searches. */
void state_free_depend_search(struct depend_search *search);

/*
 * The index of open dependencies. state_name_depend adds the dependency at i. state_take_named removes the
 * next entry with the given key (.next and .state are ignored) and sets either *depend to the position of a
 * dependency or *change to that of a change; the other becomes INDEX_NONE. Returns false if there is no
 * entry.
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

/* Returns the index of a partition, which is added if new; 0 for NULL, "" and "ALL". */
uint32_t state_intern_partition(struct state *st, const char *name);

/*
 * Traits (state_trait.c). Only nodes and the configuration add names to the table of traits, which has few
 * slots; other names that a job requests are kept as text (job.unknown).
 */

/* Is the list of names valid? With kind TRAIT_GRES names may have a count: "gpu:2 tape". */
bool state_read_names(enum trait_kind kind, const char *text, struct err *err);

/* Are all lists of names in a submission or a stored job valid? */
bool state_check_job_traits(const struct job_record *record, struct err *err);

/*
 * Is there room in the table of traits for all names in a text, besides the names that are in use elsewhere?
 * replaced: for each node, whether its current names are about to be replaced (NULL: none are). new_config:
 * the names in the configuration are about to be replaced.
 */
bool state_check_traits(const struct state *st, enum trait_kind kind, const char *text, const bool *replaced,
			bool new_config, struct err *err);

/*
 * Is there room in the table of traits for the names in the new description of node i (INDEX_NONE: a new
 * node)?
 */
bool state_check_node_traits(const struct state *st, uint32_t i, const struct node_record *record,
			     struct err *err);

/* Checks the description of a node except for its traits. */
bool state_check_node_size(const struct state *st, const struct node_record *record, struct err *err);

/*
 * state_intern_traits returns the bits of the names in a text (see config_word), and state_intern_gres sets
 * their counts by bit. New names are added to the table; NULL and "" contain no names.
 */
uint64_t state_intern_traits(struct state *st, enum trait_kind kind, const char *text);
void state_intern_gres(struct state *st, const char *text, uint32_t gres[static GRES_MAX]);

/* Sets the names that a copy of a job requests; text must not be one of the state's own strings. */
void state_name_traits(struct state *st, struct job *job, enum job_unknown which, const char *text);

/* Removes the names of a kind from node i, which is about to be described anew, except those held by its
 * running jobs. */
void state_forget_traits(struct state *st, uint32_t i, enum trait_kind kind);

/* Do all jobs refer to the names that they request by slot, where the names have slots? */
bool state_check_slots(const struct state *st, struct err *err);

/*
 * state_note_nodes_differ determines whether nodes differ for plain jobs; called when partitions, classes or
 * access of nodes, the policy, or attributes of classes have changed. state_note_difference does so when only
 * node i has changed: it is new (is_new), or was as in `before`. Other nodes are examined only if necessary.
 */
void state_note_nodes_differ(struct state *st);
void state_note_difference(struct state *st, uint32_t i, bool is_new, const struct node *before);

/*
 * state_mark_particular updates JOB_PARTICULAR of one job; state_note_particular updates it for all jobs,
 * after the machine's set of resources has changed.
 */
void state_mark_particular(const struct snapshot *s, struct job *job);
void state_note_particular(struct state *st);

/*
 * Adds a change and its texts, without applying it. Returns the stored change, which is valid until the
 * table grows.
 */
const struct change *state_keep_change(struct state *st, const struct change *change, const char *name,
				       const char *value, const char *base);

/* Returns the changes of a job, or those of the site (job = 0), oldest first. */
struct change_list state_list_changes(const struct state *st, uint64_t job);
/*
 * Returns the index in `list` of the change at position `at` of the table of changes. The list must contain
 * this change.
 */
size_t state_place_in(const struct change_list *list, uint32_t at);

/*
 * Removes from the table the changes of the site that are marked in `gone`; `list` contains all changes of
 * the site.
 */
void state_drop_site_changes(struct state *st, const struct change_list *list, const bool *gone);

/* Marks the change at i, which is then written with the next commit. */
void state_mark_change(struct state *st, uint32_t i);

/* Removes the changes of a job that leaves the state. */
void state_drop_changes(struct state *st, uint64_t job);

/* Removes the suspends of a job that no longer runs. */
void state_drop_suspends(struct state *st, uint64_t job);

/*
 * state_mark_dead_changes determines which changes are undone, from all undos. state_kill_named determines
 * this after one new undo, which is at position `undo`. The caller then updates what the changes affect.
 */
void state_mark_dead_changes(struct state *st);
void state_kill_named(struct state *st, uint32_t undo);

/* Rebuilds the policy from all settings. */
void state_rebuild_policy(struct state *st);

/*
 * Rebuilds the advance reservations in force from the changes. Returns false if a text is damaged, which only
 * texts from a store can be.
 */
bool state_rebuild_advances(struct state *st, struct err *err);

#endif
