/* SPDX-License-Identifier: MIT */
/*
 * state_inside.h - what the files of the live state share and nobody else sees
 *
 * state.c keeps the tables, state_policy.c the policy in force, state_restore.c fills an
 * empty state, state_check.c proves its invariants.
 */
#ifndef CORE_STATE_INSIDE_H
#define CORE_STATE_INSIDE_H

#include "state.h"

/* One value of the configuration, kept so that the policy can be rebuilt. Owns its texts. */
struct kept_value {
	struct config_value value;
	char *title, *text;
};

struct kept_list {
	struct kept_value *item;
	size_t count, room;
};

/* Open addressing, power-of-two room, INDEX_NONE = empty; grown at two thirds full. */
struct index_table {
	uint32_t *entry;
	uint32_t room, count;
};

struct state {
	struct snapshot *s;
	struct kept_list kept;      /* of the configuration in force          */
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

/* Adds a string; 0 for NULL and "". */
uint32_t state_add_string(struct state *st, const char *text);

/* Index of a partition, added when new; 0 for NULL, "" and "ALL". */
uint32_t state_intern_partition(struct state *st, const char *name);

/* Sets a job's holds, points and adjust from its base and the live changes. */
void state_apply_job_changes(struct state *st, uint32_t slot);

/* Marks which changes are undone, then rebuilds what settings touch. */
void state_mark_dead_changes(struct state *st);
void state_rebuild_policy(struct state *st);

void kept_clear(struct kept_list *list);

/* Reads a configuration into a list that rebuild can use; on false the list is empty. */
bool kept_read(const char *file, const char *text, struct kept_list *out, struct err *err);

/* The list, read from that text, becomes the configuration in force; takes it over. Nodes are not touched. */
void state_keep_config(struct state *st, const char *file, const char *text, struct kept_list *kept);

/* Sums of nodes into the header. */
void state_sum_nodes(struct state *st);

#endif
