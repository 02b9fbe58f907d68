/* SPDX-License-Identifier: MIT */
/*
 * codec_fields.h - encoding of fields common to several kinds of records; for codec*.c only
 */
#ifndef STORE_CODEC_FIELDS_H
#define STORE_CODEC_FIELDS_H

#include "codec.h"

/* record_begin and record_open with the newest version of the kind. */
size_t codec_begin(struct str *out, enum record_type type);
bool codec_open(struct record *r, struct bytes *bytes, const struct key *key, enum record_type type,
		struct err *err);

/* The first versions with certain fields. Version 2: most fields of jobs, nodes, changes and events. */
#define VERSION_2 2

/* Jobs have the fields of real jobs. */
#define VERSION_3 3

/* Jobs have array tasks and requested priorities. */
#define VERSION_4 4

/* A setting may be temporary. */
#define VERSION_5 5

/* Every change may be temporary and have a reason. */
#define VERSION_6 6

/* A failed start may be retried, and jobs count retries. Jobs and events record for how long a job was
 * suspended, by whom, and whether its processors are released. Jobs record the size of their launch data. */
#define VERSION_7 7

/* Measurements include the largest user of a node outside the queue. */
#define VERSION_8 8

/* One accrual or eligible event may concern many jobs. */
#define VERSION_9 9

/* A cancel may be due to a dependency that can no longer be met. */
#define VERSION_10 10

void put_sim_fields(struct str *out, const struct sim_origin *sim);
void get_sim_fields(struct record *r, struct sim_origin *out);

/* Runs without their tasks, as in the first version; and the tasks, in the same order. */
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
