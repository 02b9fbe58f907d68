/* SPDX-License-Identifier: MIT */
/*
 * state_inside.h - what the files of the live state share
 */
#ifndef STATE_STATE_INSIDE_H
#define STATE_STATE_INSIDE_H

#include "state.h"

/* Open addressing, power-of-two room, INDEX_NONE = empty; grown at two thirds full. */
struct index_table {
	uint32_t *entry;
	uint32_t room, count;
};

/* Places of changes in their table. at: free(). */
struct change_list {
	uint32_t *at;
	size_t count;
};

/* Tasks of each array that are here, by its id; like index_table, tasks 0 = empty. */
struct array_table {
	struct array_tasks {
		uint64_t array;
		uint32_t tasks;
		uint32_t idle;        /* of these, those that wait */
		uint32_t launch_size; /* bytes that they share */
	} * item;
	uint32_t room, count;
};

/* Open dependencies of jobs and in texts of changes, by what they name; see state_change.c. */
struct named_index {
	struct named_entry {
		struct depend key; /* on 0 = a free entry; next: in its bucket, or of the free ones */
		uint64_t change;   /* seq; 0 = a dependency of a job */
		uint32_t depend;
	} * entry;
	uint32_t *bucket;
	size_t room;
	uint32_t count, buckets, free_entry;
	uint32_t full; /* entries at which those that have left are removed */
	bool is_built;
};

/* For state_check_depends(), which is asked about a state that it does not change; see state_depend.c. */
struct depend_search {
	uint64_t looked_at;   /* dependencies, by all searches so far */
	uint64_t *named;      /* a set of bits by what dependencies name; NULL: not built yet */
	uint32_t named_bits;  /* a power of two */
	uint32_t until_built; /* dependencies to be added before it is built anew */
};

struct state {
	struct snapshot *s;
	struct depend_search *depend_search;
	struct index_table by_id;   /* job id -> slot                         */
	struct index_table by_cred; /* (type, name) -> credential index       */
	struct index_table by_node; /* name -> node index                     */
	struct index_table by_task; /* (array, number) -> job slot            */
	struct named_index named;
	struct array_table arrays;
	uint32_t *free_slot; /* empty job slots below the table's count */
	size_t free_count, free_room;
	bool *spare_cred;     /* by credential: nothing needed it at the last look, nothing named it since */
	uint32_t spare_end;   /* credentials there were at that look         */
	uint32_t spare_at;    /* the next of them to be tried                */
	uint32_t creds_look;  /* number of credentials at which to look again, once all spare ones are used */
	uint32_t free_run;    /* chain of free runs                     */
	uint32_t free_depend; /* chain of free dependencies             */
	uint64_t reserved_id; /* see state_reserve_ids; 0 = none */
	bool no_lost;         /* no waiting job has a dependency that can never be met */
	uint32_t string_waste; /* bytes of strings nobody names any more */
	struct change_marks marks;
};

/* Nobody names the strings of a change any more. */
void state_waste_change(struct state *st, const struct change *change);

/* Makes sure table id has memory for more items; moves the block. */
void state_make_room(struct state *st, enum snapshot_table_id id, uint32_t more);

/* Address of item i of a table, writable. */
void *state_item(struct state *st, enum snapshot_table_id id, uint32_t i);

/* Takes item i out of a table and closes the gap. */
void state_close_gap(struct state *st, enum snapshot_table_id id, uint32_t i);

/* Keeps the strings at most about twice what is in use; amortised over those that were wasted. */
void state_compact_strings(struct state *st);

/* Add a job, which is in its slot already, to the indexes of ids and tasks, and remove it while it is there.
 */
void state_index_job(struct state *st, uint32_t slot);
void state_unindex_job(struct state *st, uint64_t id);

/* Slot of the task of an array with a number; INDEX_NONE: it is not here. */
uint32_t state_find_task(const struct state *st, uint64_t array, uint32_t number);

/* Adds a credential to the index of names, and removes it from there. */
void state_index_cred(struct state *st, uint32_t i);
void state_unindex_cred(struct state *st, uint32_t i);

/*
 * Credentials (state_config.c). One that nothing needs any more keeps its row until another of any type takes
 * it over: rows do not move. Called where no index of a credential is held outside the tables.
 */
void state_find_spare_creds(struct state *st);

/* Makes a new node known by its name. */
void state_index_node(struct state *st, uint32_t i);

/* Builds the indexes of job slots from the block. */
void state_index_slots(struct state *st);

/* Builds all indexes from the block; gives their memory back. */
void state_index_all(struct state *st);
void state_index_free(struct state *st);

/* Spreads a number over all bits. */
static inline uint64_t state_mix(uint64_t x)
{
	x ^= x >> 33;
	x *= UINT64_C(0xff51afd7ed558ccd);
	x ^= x >> 33;
	return x;
}

/* Adds a waiting job as its record says, without nodes; its slot. */
uint32_t state_add_job(struct state *st, const struct job_record *record, uint64_t id);

/* Puts a job into its table and takes it out again: it must be as it was when it was put there, but for
 * its size, which state_requeue_job writes anew. */
void state_queue_job(struct state *st, uint32_t slot);
void state_unqueue_job(struct state *st, uint32_t slot);

void state_list_running(struct state *st, uint32_t slot);
void state_unlist_running(struct state *st, uint32_t slot);

/* Adds a job to the header's counts, or (sign < 0) takes it out. */
void state_count_job(struct state *st, uint32_t slot, int sign);

/*
 * Bytes of users (state_restore.c): counts a job that is new, one whose texts or dependencies have changed,
 * and one that leaves; and a change of a job, which is here, when it comes or (sign < 0) leaves.
 */
void state_store_job(struct state *st, uint32_t slot);
void state_restate_job(struct state *st, uint32_t slot);
void state_unstore_job(struct state *st, uint32_t slot);
void state_store_change(struct state *st, const struct change *change, int sign);
void state_index_arrays(struct state *st);
void state_free_arrays(struct state *st);

/*
 * The entry of an array in the table of arrays, as an index (INDEX_NONE if none of its tasks is in the state)
 * or by value. state_count_idle_task adds one to its idle tasks; UINT32_MAX as `one` subtracts one.
 */
uint32_t state_array_place(const struct state *st, uint64_t array);
struct array_tasks state_array_tasks(const struct state *st, uint64_t array);
void state_count_idle_task(struct state *st, const struct job *job, uint32_t one);
bool state_check_stored(const struct state *st, struct err *err);

/* Tasks on each node of a run. The first version's runs did not say: as many as their processors hold. */
static inline uint32_t state_run_tasks(const struct job *job, const struct alloc_run *run)
{
	return run->tasks > 0 ? run->tasks : run->procs / job->task_procs;
}

/* Puts a waiting job that has start_s and access_held onto its nodes; takes a running one off them. */
void state_place_job(struct state *st, uint32_t slot, const struct alloc_run *runs, uint32_t count);
void state_leave_nodes(struct state *st, uint32_t slot, int64_t now_s);
void state_free_runs(struct state *st, uint32_t slot);

/*
 * The processors of a suspended job are released to other jobs, unless it has nodes to itself or to its
 * user; what else it holds stays its own. The job then has JOB_REAL_RELEASED.
 */
void state_release_procs(struct state *st, uint32_t slot, int64_t now_s);

/* Only the processors of a suspended job are released, and only such a job waits for them. */
bool state_check_released(const struct job *job, struct err *err);

/* Could a job that was kept have been started there? What policy may have forbidden since is not asked. */
bool state_check_kept_runs(const struct state *st, const struct job *job, const struct alloc_run *runs,
			   uint32_t count, struct err *err);

/* Dependencies one after the other, the first of them; gives them back. */
uint32_t state_chain_depends(struct state *st, const struct depend *item, size_t count);
void state_free_depends(struct state *st, uint32_t first);

/*
 * The index of open dependencies: adds the one at i, those in the texts of a change. Takes the next one with
 * a key out of it (.next and .state of the key do not matter): a dependency's place or a change's, the other
 * is INDEX_NONE. False: there is none.
 */
void state_name_depend(struct state *st, uint32_t i);

bool state_take_named(struct state *st, const struct depend *key, uint32_t *depend, uint32_t *change);
void state_named_free(struct state *st);

/* Is it this job, or one of those, that is waited for? */
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

#define DEPEND_NAMES "after, afterany, afterok and afternotok"

/* Sets an attribute of a job that is a copy; text is none of the state's own strings. */
void state_set_attribute(struct state *st, struct job *job, const struct job_attribute *attribute,
			 const char *text);

/* Index of a partition, added when new; 0 for NULL, "" and "ALL". */
uint32_t state_intern_partition(struct state *st, const char *name);

/*
 * Traits (state_trait.c). Only nodes and the configuration put names into the table of traits, whose
 * slots are few; what a job asks for beyond them is kept as text (job.unknown).
 */

/* Can the names of a text be read? Of kind TRAIT_GRES a text also says how many: "gpu:2 tape". */
bool state_read_names(enum trait_kind kind, const char *text, struct err *err);

/* The same of all that a submission or a stored job asks for. */
bool state_check_job_traits(const struct job_record *record, struct err *err);

/*
 * Can all names of a text be in the table, beside those in use elsewhere? replaced: per node, whether what
 * it has now will be gone (NULL: nowhere). new_config: whether what the configuration says now will be.
 */
bool state_check_traits(const struct state *st, enum trait_kind kind, const char *text, const bool *replaced,
			bool new_config, struct err *err);

/* The same of the new description of node i (INDEX_NONE: of one that is not here yet). */
bool state_check_node_traits(const struct state *st, uint32_t i, const struct node_record *record,
			     struct err *err);

/* May a node be described like that, but for the names of traits? */
bool state_check_node_size(const struct state *st, const struct node_record *record, struct err *err);

/* The bits of the names in a text (see config_word), added when new; NULL and "" name none. */
uint64_t state_intern_traits(struct state *st, enum trait_kind kind, const char *text);
void state_intern_gres(struct state *st, const char *text, uint32_t gres[static GRES_MAX]);

/* What a job, which is a copy, asks for from now on; text is none of the state's own strings. */
void state_name_traits(struct state *st, struct job *job, enum job_unknown which, const char *text);

/* Node i has none of the kind from now on but what its running jobs hold: it is about to be described anew.
 */
void state_forget_traits(struct state *st, uint32_t i, enum trait_kind kind);

/* Is every name that has a slot known by it to all jobs? False: a sentence. */
bool state_check_slots(const struct state *st, struct err *err);

/*
 * Looks again whether nodes are unequal for plain jobs: called when partitions, classes or access of
 * nodes, the policy or the attributes of classes have changed. Of node i, which is new or was as `before`,
 * it looks only as far as it must.
 */
void state_note_nodes_differ(struct state *st);
void state_note_difference(struct state *st, uint32_t i, bool is_new, const struct node *before);

/* Is this job particular? Of all jobs: the machine has some resource for the first time, or none any more. */
void state_mark_particular(const struct snapshot *s, struct job *job);
void state_note_particular(struct state *st);

/* Adds a change and its texts; nothing is brought up to date by it. Valid until the table grows. */
const struct change *state_keep_change(struct state *st, const struct change *change, const char *name,
				       const char *value, const char *base);

/* The changes of a job, or (0) those of no job, the oldest first. */
struct change_list state_list_changes(const struct state *st, uint64_t job);
/* The position of a change in a list that contains it. */
size_t state_place_in(const struct change_list *list, uint32_t at);

/* Removes the marked ones of a list of all changes of no job. */
void state_drop_site_changes(struct state *st, const struct change_list *list, const bool *gone);

/* Does a change set the dependencies of a job? */
bool state_changes_depend(const struct snapshot *s, const struct change *change);

/* The change at i, or all, must be written with the next commit. */
void state_mark_change(struct state *st, uint32_t i);

/* Forgets the changes of a job that leaves. */
void state_drop_changes(struct state *st, uint64_t job);

/* Those that let one stand still that does not run any more. */
void state_drop_suspends(struct state *st, uint64_t job);

/* Marks which changes are undone: by all undos; by one that is new. Then what they touch is to be rebuilt. */
void state_mark_dead_changes(struct state *st);
void state_kill_named(struct state *st, uint32_t undo);

/* The policy anew, from all settings. */
void state_rebuild_policy(struct state *st);

/* Builds the advance reservations in force anew from the changes. False, from a store alone: a text is
 * damaged.
 */
bool state_rebuild_advances(struct state *st, struct err *err);

#endif
