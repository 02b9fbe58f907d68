/* SPDX-License-Identifier: MIT */
/*
 * codec.h - which fields does each kind of record have?
 *
 * For each kind a put, which appends one whole record to out, and a get, which opens the
 * first record of bytes and moves bytes behind it. A get gives all or nothing: on false
 * err says what is damaged or too new. Texts that were read point into the bytes; arrays
 * stand in the scratch given, until its next use.
 *
 * Appending a field: write it last, raise that kind's version in codec.c, and read it only from
 * records that have it (record_since), with a default otherwise. The fields of a job and of a node
 * stand in records of several kinds: those have one version together.
 */
#ifndef STORE_CODEC_H
#define STORE_CODEC_H

#include <stdbool.h>
#include <stdint.h>

#include "record.h"
#include "sched/host/ledger.h"
#include "sched/state/event.h"

/* Memory for arrays that are read or put together; zero at first, codec_scratch_free at the end. */
struct codec_scratch {
	struct state_parts parts;
	struct bypassed *bypassed;
	struct used_by *used;
	uint64_t *switched;
	size_t bypassed_room, used_room, switched_room;
};
void codec_scratch_free(struct codec_scratch *scratch);

/* The version of a kind that this program writes, and the newest it reads. */
uint16_t codec_newest(enum record_type type);

/* What a store is, checked before anything else. */
struct schema {
	uint32_t version;     /* of the layout in keys.h                     */
	const char *writer;   /* the program that made the store: "kahu 0.1" */
	uint64_t proven_from; /* the state follows from the journal behind this entry: see migrate.c */
};

/* How much of the past has been pruned (prune.c). */
struct pruned {
	uint64_t journal;  /* last entry removed from the journal, which has a checkpoint; 0 = none */
	int64_t history_s; /* latest end of a job removed from history; TIME_NONE = none            */
};
void put_pruned(struct str *out, const struct key *key, const struct pruned *pruned);
bool get_pruned(struct bytes *bytes, const struct key *key, struct pruned *out, struct err *err);

/* What is to be run for a job: bytes that mean nothing here (sched/rm/launch.h); they point into those given.
 */
void put_launch(struct str *out, const struct key *key, struct bytes launch);
/* The record up to the launch, which its last bytes are. */
void put_launch_head(struct str *out, const struct key *key, struct bytes launch);
bool get_launch(struct bytes *bytes, const struct key *key, struct bytes *launch, struct err *err);

/* What was answered to a request with a cookie: bytes that mean nothing here; they point into those given. */
struct kept_answer {
	int64_t at_s;
	struct bytes bytes;
};
void put_answer(struct str *out, const struct key *key, const struct kept_answer *answer);
bool get_answer(struct bytes *bytes, const struct key *key, struct kept_answer *out, struct err *err);

/* The state's own numbers, and how many records stand beside them. */
struct tally {
	struct state_counters counters;
	uint64_t nodes, jobs, changes, windows;
	uint64_t ended; /* in history; 0 in a checkpoint */
};

/* A configuration as it was read; both NULL = none. */
struct config_text {
	const char *file, *text;
};

/* A change with its texts; change.name, change.value and change.base are not kept. */
struct change_record {
	struct change change;
	const char *name, *value, *base;
};

void put_schema(struct str *out, const struct key *key, const struct schema *schema);
void put_tally(struct str *out, const struct key *key, const struct tally *tally);
void put_config(struct str *out, const struct key *key, const struct config_text *config);
void put_job(struct str *out, const struct key *key, const struct job_record *job);
void put_ended(struct str *out, const struct key *key, const struct ended_job *ended);
void put_node(struct str *out, const struct key *key, const struct node_record *node);
void put_change(struct str *out, const struct key *key, const struct change_record *change);
void put_usage(struct str *out, const struct key *key, const struct usage_window *window);
void put_event(struct str *out, const struct key *key, const struct event *ev);

bool get_schema(struct bytes *bytes, const struct key *key, struct schema *out, struct err *err);
bool get_tally(struct bytes *bytes, const struct key *key, struct tally *out, struct err *err);
bool get_config(struct bytes *bytes, const struct key *key, struct config_text *out, struct err *err);
bool get_job(struct bytes *bytes, const struct key *key, struct job_record *out,
	     struct codec_scratch *scratch, struct err *err);
bool get_ended(struct bytes *bytes, const struct key *key, struct ended_job *out,
	       struct codec_scratch *scratch, struct err *err);

/*
 * Of a record of an ended job what stands at the same place in every version: the start (TIME_NONE: none),
 * and the user, NULL = none. Its checksum is not looked at. False when it is too short or no such record.
 */
struct ended_glance {
	int64_t start_s;
	const char *user; /* points into the bytes */
};
bool glance_ended(struct bytes bytes, struct ended_glance *out);

bool get_node(struct bytes *bytes, const struct key *key, struct node_record *out, struct err *err);
bool get_change(struct bytes *bytes, const struct key *key, struct change_record *out, struct err *err);
bool get_usage(struct bytes *bytes, const struct key *key, struct usage_window *out,
	       struct codec_scratch *scratch, struct err *err);
bool get_event(struct bytes *bytes, const struct key *key, struct event *out, struct codec_scratch *scratch,
	       struct err *err);

#endif
