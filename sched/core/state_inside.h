/* SPDX-License-Identifier: MIT */
/*
 * state_inside.h - what the files of the live state share and nobody else sees
 *
 * state_memory.c gives the tables room, state_index.c finds what stands in them by id or name, state_order.c
 * keeps jobs in order, state_count.c counts them. Of jobs: state_job.c their coming and going, state_run.c
 * what they hold, state_place.c what they may, state_depend.c who waits for whom, state_depend_text.c how
 * that is written, state_settle.c what comes of it, state_attribute.c what can be changed of a job,
 * state_usage.c what they used, state_submit.c their defaults. Of the site: state_node.c, state_differ.c,
 * state_trait.c, state_policy.c the policy in force. Of what operators do: state_change.c keeps it,
 * state_effect.c makes it so. state_record.c and state_restore.c are for a store, state_check.c and
 * state_hash.c prove and compare.
 */
#ifndef CORE_STATE_INSIDE_H
#define CORE_STATE_INSIDE_H

#include "state.h"

/* Open addressing, power-of-two room, INDEX_NONE = empty; grown at two thirds full. */
struct index_table {
	uint32_t *entry;
	uint32_t room, count;
};

struct state {
	struct snapshot *s;
	struct index_table by_id;   /* job id -> slot                         */
	struct index_table by_cred; /* (type, name) -> credential index       */
	struct index_table by_node; /* name -> node index                     */
	uint32_t *free_slot;        /* empty job slots below the table's count */
	size_t free_count, free_room;
	uint32_t free_run;     /* chain of free runs                     */
	uint32_t free_depend;  /* chain of free dependencies             */
	uint32_t string_waste; /* bytes of strings nobody names any more */
};

/* Nobody names the strings of a change any more. */
void state_waste_change(struct state *st, const struct change *change);

/* Makes sure table id has memory for more items; moves the block. */
void state_make_room(struct state *st, enum snapshot_table_id id, uint32_t more);

/* Address of item i of a table, writable. */
void *state_item(struct state *st, enum snapshot_table_id id, uint32_t i);

/* Opens a gap at item i of a table, to be filled by the caller; returns it. */
void *state_open_gap(struct state *st, enum snapshot_table_id id, uint32_t i);

/* Takes item i out of a table and closes the gap. */
void state_close_gap(struct state *st, enum snapshot_table_id id, uint32_t i);

/* Keeps the strings at most about twice what is in use; amortised over those that were wasted. */
void state_compact_strings(struct state *st);

/* Makes a job that stands in its slot known by its id, and forgets one that still stands there. */
void state_index_job(struct state *st, uint32_t slot);
void state_unindex_job(struct state *st, uint64_t id);

/* Makes a new node known by its name. */
void state_index_node(struct state *st, uint32_t i);

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
void state_requeue_job(struct state *st, uint32_t slot);
void state_list_running(struct state *st, uint32_t slot);
void state_unlist_running(struct state *st, uint32_t slot);

/* Adds a job to the header's counts, or (sign < 0) takes it out. */
void state_count_job(struct state *st, uint32_t slot, int sign);

/* Tasks on each node of a run. The first version's runs did not say: as many as their processors hold. */
static inline uint32_t state_run_tasks(const struct job *job, const struct alloc_run *run)
{
	return run->tasks > 0 ? run->tasks : run->procs / job->task_procs;
}

/* Puts a waiting job that has start_s and access_held onto its nodes; takes a running one off them. */
void state_place_job(struct state *st, uint32_t slot, const struct alloc_run *runs, uint32_t count);
void state_leave_nodes(struct state *st, uint32_t slot, int64_t now_s);
void state_free_runs(struct state *st, uint32_t slot);

/* Could a job that was kept have been started there? What policy may have forbidden since is not asked. */
bool state_check_kept_runs(const struct state *st, const struct job *job, const struct alloc_run *runs,
			   uint32_t count, struct err *err);

/* Dependencies one after the other, the first of them; gives them back. */
uint32_t state_chain_depends(struct state *st, const struct depend *item, size_t count);
void state_free_depends(struct state *st, uint32_t first);

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

/* One dependency in words, with the mark of one that is settled: "afterok:12+". */
void state_add_depend(const struct depend *depend, struct str *out);

#define DEPEND_NAMES "after, afterany, afterok and afternotok"

/* Sets an attribute of a job that is a copy; text is none of the state's own strings. */
void state_set_attribute(struct state *st, struct job *job, const struct job_attribute *attribute,
			 const char *text);

/* Index of a partition, added when new; 0 for NULL, "" and "ALL". */
uint32_t state_intern_partition(struct state *st, const char *name);

/*
 * The bits of the names in a text (see config_word), added when new; NULL and "" name none. The check says
 * whether there are bits enough for all of them, and whether they can be read at all: it comes
 * first. Of kind TRAIT_GRES a text also says how many: "gpu:2 tape".
 */
bool state_check_traits(const struct state *st, enum trait_kind kind, const char *text, struct err *err);
uint64_t state_intern_traits(struct state *st, enum trait_kind kind, const char *text);
void state_intern_gres(struct state *st, const char *text, uint32_t gres[static GRES_MAX]);

/* The same of all traits that a job names. */
bool state_check_job_traits(const struct state *st, const struct job_record *record, struct err *err);

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
