/* SPDX-License-Identifier: MIT */
/*
 * codec.h - encoding and decoding of records
 *
 * For each kind of record there is a put function, which appends one record to out, and a get function, which
 * decodes the first record of bytes and advances bytes. A get function returns false and sets err if the
 * record is damaged or too new. Decoded texts point into bytes; decoded arrays are in the given scratch
 * memory until its next use.
 *
 * To add a field: append a row with the next version, and raise the version of each kind of record that
 * contains the field in codec.c. In records of earlier versions the field reads as 0, or as codec_fields.c
 * fills it in.
 */
#ifndef STORE_CODEC_H
#define STORE_CODEC_H

#include <stdbool.h>
#include <stdint.h>

#include "record.h"
#include "sched/host/ledger.h"
#include "sched/state/event.h"

/* Memory for arrays of decoded records; zero-initialized, released with codec_scratch_free. */
struct codec_scratch {
	struct state_parts parts;
	struct bypassed *bypassed;
	struct used_by *used;
	uint64_t *switched;
	size_t bypassed_room, used_room, switched_room;
};
void codec_scratch_free(struct codec_scratch *scratch);

/*
 * Returns the version in which this program writes a kind of record, which is also the newest that it can
 * read.
 */
uint16_t codec_newest(enum record_type type);

/* Identification of a store, checked before anything else. */
struct schema {
	uint32_t version;     /* version of the layout in keys.h             */
	const char *writer;   /* the program that created the store: "kahu 0.1" */
	uint64_t proven_from; /* states after this entry can be verified from the journal: see migrate.c */
};

/* How much of the journal and the history was pruned (prune.c). */
struct pruned {
	uint64_t journal;  /* last pruned journal entry, for which there is a checkpoint; 0 = none */
	int64_t history_s; /* latest end time of a job pruned from the history; TIME_NONE = none */
};
void put_pruned(struct str *out, const struct key *key, const struct pruned *pruned);
bool get_pruned(struct bytes *bytes, const struct key *key, struct pruned *out, struct err *err);

/*
 * put_launch appends the launch data of a job: opaque bytes (sched/rm/launch.h). After get_launch, *launch
 * points into bytes.
 */
void put_launch(struct str *out, const struct key *key, struct bytes launch);
/* Appends the record up to the launch data; the caller must store the launch data directly after it. */
void put_launch_head(struct str *out, const struct key *key, struct bytes launch);
bool get_launch(struct bytes *bytes, const struct key *key, struct bytes *launch, struct err *err);

/*
 * The answer to a request with a cookie: opaque bytes, which after get_answer point into the decoded bytes.
 */
struct kept_answer {
	int64_t at_s;
	struct bytes bytes;
};
void put_answer(struct str *out, const struct key *key, const struct kept_answer *answer);
bool get_answer(struct bytes *bytes, const struct key *key, struct kept_answer *out, struct err *err);

/* The counters of the state, and the number of records of each kind. */
struct tally {
	struct state_counters counters;
	uint64_t nodes, jobs, changes, windows;
	uint64_t ended; /* ended jobs in the history; 0 in a checkpoint */
};

/* A configuration text and the name of its file; both NULL = no configuration. */
struct config_text {
	const char *file, *text;
};

/* A change with its texts; change.name, change.value and change.base are not stored. */
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
 * Two fields that are at fixed offsets in every version of the record of an ended job. get_ended_summary
 * reads them without verifying the checksum; false if the record is too short or of another kind.
 */
struct ended_summary {
	int64_t start_s;  /* TIME_NONE = the job was not started */
	const char *user; /* points into the bytes; NULL = none */
};
bool get_ended_summary(struct bytes bytes, struct ended_summary *out);

bool get_node(struct bytes *bytes, const struct key *key, struct node_record *out, struct err *err);
bool get_change(struct bytes *bytes, const struct key *key, struct change_record *out, struct err *err);
bool get_usage(struct bytes *bytes, const struct key *key, struct usage_window *out,
	       struct codec_scratch *scratch, struct err *err);
bool get_event(struct bytes *bytes, const struct key *key, struct event *out, struct codec_scratch *scratch,
	       struct err *err);

#endif
