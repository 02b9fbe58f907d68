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
#ifndef CORE_STATE_H
#define CORE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "sched/base/err.h"
#include "snapshot.h"

struct state; /* opaque */

/* An empty state: no nodes, no jobs, the default policy. Release with state_free. */
struct state *state_new(void);
void state_free(struct state *st);

/* The state as a snapshot. The address changes when the state grows: ask again after each event. */
const struct snapshot *state_view(const struct state *st);

/* A copy that can be edited alone: what previews work on. Release with state_free. */
struct state *state_from_snapshot(const struct snapshot *s);

/* A job with its names as text: a submission, or a record out of the store. */
struct job_record {
	struct job job;        /* cred, partition, label, name, run are ignored on input    */
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
	const struct depend *depend; /* .next is ignored                                       */
	uint32_t depend_count;
	const struct alloc_run *runs; /* of a running job, or of a named plan; .next is ignored  */
	uint32_t run_count;
};

/* The record of the job in a slot; pointers into the snapshot. runs_room entries at runs. */
void state_job_record(const struct snapshot *s, uint32_t slot, struct job_record *out, struct alloc_run *runs,
		      uint32_t runs_room);

/* How many allocation runs the job in a slot has. */
uint32_t state_run_count(const struct snapshot *s, uint32_t slot);

/* Slot by id, INDEX_NONE if there is none. Constant time. */
uint32_t state_find(const struct state *st, uint64_t id);

/* Index of a node by name, INDEX_NONE if there is none. */
uint32_t state_find_node(const struct state *st, const char *name);

/* A node as reported by a manager or written in a configuration. */
struct node_record {
	const char *name;
	const char *partition; /* NULL = ALL */
	uint32_t procs;
	int64_t mem_mb, swap_mb, disk_mb;
	const char *features;              /* names, blank between; NULL = none, here and below  */
	const char *classes;               /* NULL = any                                         */
	const char *gres;                  /* "gpu:4 tape:1"                                     */
	const char *priorityf;             /* NULL = that of DEFAULT                             */
	double speed, procspeed, priority; /* speed 0 = not set: 1                   */
	uint32_t rack, index;
	uint8_t access;                  /* enum node_access                                   */
	struct node_used used;           /* all negative: not measured                         */
	int64_t active_s, active_from_s; /* for a store; ignored in reports           */
};

/* --- changes; for event.c ------------------------------------------------------- */

/* All of these are called with arguments that event_apply has checked. */
uint32_t state_add_job(struct state *st, const struct job_record *record, uint64_t id);
void state_start_job(struct state *st, uint32_t slot, int64_t now_s, const struct alloc_run *runs,
		     uint32_t count, bool backfilled);
void state_end_job(struct state *st, uint32_t slot);
struct job *state_job(struct state *st, uint32_t slot);
/* Replaces the record of a waiting job, which keeps its id, submit time and size. */
void state_edit_waiting(struct state *st, uint32_t slot, const struct job *edited);
uint32_t state_add_node(struct state *st, const struct node_record *record);
uint32_t state_intern_cred(struct state *st, enum cred_type type, const char *name);
struct snapshot *state_header(struct state *st);

/* Adds a change and brings what it touches up to date. name, value: settings only. */
void state_add_change(struct state *st, const struct change *change, const char *name, const char *value);

/* The change made by event seq, NULL if there is none. */
const struct change *state_find_change(const struct snapshot *s, uint64_t seq);

/*
 * Replaces the configuration. The text is read into a scratch first: on false nothing
 * has changed. Nodes named in it are added or resized.
 */
bool state_set_config(struct state *st, const char *file, const char *text, struct err *err);

/* Is what a job asks for within bounds? */
bool state_check_size(const struct job *job, struct err *err);

/* Can the job run on these nodes now: they exist, each is named once, is free, and all are what it asked for?
 */
bool state_check_runs(const struct state *st, const struct job *job, const struct alloc_run *runs,
		      uint32_t count, struct err *err);

/* Would this setting be accepted now? Nothing changes. */
bool state_check_setting(const struct state *st, const char *name, const char *value, struct err *err);

/* --- restoring; for a store ------------------------------------------------------ */

/*
 * Into an empty state, in this order: nodes by index, config, jobs in any order, changes by
 * seq, then finish. What a configuration says of nodes is not looked at again: the node
 * records say what has become of them, and in which order they stand.
 */
bool state_restore_config(struct state *st, const char *file, const char *text, struct err *err);
bool state_restore_node(struct state *st, const struct node_record *record, struct err *err);
bool state_restore_job(struct state *st, const struct job_record *record, struct err *err);
void state_restore_change(struct state *st, const struct change *change, const char *name, const char *value);

/* The header's own values (now_s, seq, next_job_id, ends_pending, sim); policy in force is rebuilt.
 */
struct state_counters {
	int64_t now_s;
	uint64_t seq, next_job_id;
	uint32_t ends_pending;
	struct sim_origin sim;
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
