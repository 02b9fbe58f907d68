/* SPDX-License-Identifier: MIT */
/*
 * state_inside.h - what the files of the live state share and nobody else sees
 *
 * state_memory.c gives the tables room, state_index.c finds what stands in them by id or name,
 * state.c keeps jobs in order, state_policy.c the policy in force, state_restore.c fills an empty state,
 * state_check.c proves its invariants.
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
	uint32_t string_waste; /* bytes of strings nobody names any more */
};

/* Makes sure table id has memory for more items; moves the block. */
void state_make_room(struct state *st, enum snapshot_table_id id, uint32_t more);

/* Address of item i of a table, writable. */
void *state_item(struct state *st, enum snapshot_table_id id, uint32_t i);

/* Opens a gap at item i of a table, to be filled by the caller; returns it. */
void *state_open_gap(struct state *st, enum snapshot_table_id id, uint32_t i);

/* Takes item i out of a table and closes the gap. */
void state_close_gap(struct state *st, enum snapshot_table_id id, uint32_t i);

/* Adds a string; 0 for NULL and "". */
uint32_t state_add_string(struct state *st, const char *text);

/* Nobody names this string any more. */
void state_waste_string(struct state *st, uint32_t at);

/* Keeps the strings at most about twice what is in use; amortised over those that were wasted. */
void state_compact_strings(struct state *st);

/* Makes a job that stands in its slot known by its id, and forgets one that still stands there. */
void state_index_job(struct state *st, uint32_t slot);
void state_unindex_job(struct state *st, uint64_t id);

/* Builds all indexes from the block; gives their memory back. */
void state_index_all(struct state *st);
void state_index_free(struct state *st);

/* Index of a partition, added when new; 0 for NULL, "" and "ALL". */
uint32_t state_intern_partition(struct state *st, const char *name);

/* Adds a change and its texts; nothing is brought up to date by it. Valid until the table grows. */
const struct change *state_keep_change(struct state *st, const struct change *change, const char *name,
				       const char *value);

/* Marks which changes are undone, then rebuilds what settings touch. */
void state_mark_dead_changes(struct state *st);
void state_rebuild_policy(struct state *st);

/* Sums of nodes into the header. */
void state_sum_nodes(struct state *st);

#endif
