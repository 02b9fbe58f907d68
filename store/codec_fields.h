/* SPDX-License-Identifier: MIT */
/*
 * codec_fields.h - fields that records of several kinds have in common; for codec*.c only
 */
#ifndef STORE_CODEC_FIELDS_H
#define STORE_CODEC_FIELDS_H

#include "codec.h"

/* record_begin and record_open with the newest version of the kind that this program knows. */
size_t codec_begin(struct str *out, enum record_type type);
bool codec_open(struct record *r, struct bytes *bytes, const struct key *key, enum record_type type,
		struct err *err);

/* The version from which records of jobs, nodes, changes and events have what they say now. */
#define VERSION_2 2

/* From here on jobs say what is special about those that really run. */
#define VERSION_3 3

/* Jobs are tasks of arrays, and have points of their own. */
#define VERSION_4 4

/* A setting may be for a while. */
#define VERSION_5 5

/* Every change may be for a while, and have a reason. */
#define VERSION_6 6

/* A failed start may be retried, and jobs count that. Jobs and events say how long a job has been suspended,
 * by whom, and whether its processors are released. Jobs say how large what is to be run is. */
#define VERSION_7 7

/* Measurements name who uses most of a node outside the queue. */
#define VERSION_8 8

/* One accrual or eligible event names many jobs. */
#define VERSION_9  9
#define VERSION_10 10

/* A cancel may be that of a job whose dependency can no longer be met. */
#define VERSION_10 10

void put_sim_fields(struct str *out, const struct sim_origin *sim);
void get_sim_fields(struct record *r, struct sim_origin *out);

/* Runs without their tasks, as the first version had them; and the tasks, in the same order. */
void put_runs(struct str *out, const struct alloc_run *runs, uint32_t count);
void put_tasks(struct str *out, const struct alloc_run *runs, uint32_t count);
const struct alloc_run *get_runs(struct record *r, struct codec_scratch *scratch, uint32_t *count);
void get_tasks(struct record *r, struct codec_scratch *scratch, uint32_t count);

void put_job_fields(struct str *out, const struct job_record *job);
void get_job_fields(struct record *r, struct job_record *out, struct codec_scratch *scratch);

void put_node_fields(struct str *out, const struct node_record *node);
void get_node_fields(struct record *r, struct node_record *out);

void put_used(struct str *out, const struct node_used *used);
void get_used(struct record *r, struct node_used *out);

void put_window(struct str *out, const struct usage_window *window);
void get_window(struct record *r, struct usage_window *out, struct codec_scratch *scratch);

#endif
