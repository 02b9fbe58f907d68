/* SPDX-License-Identifier: MIT */
/*
 * event_field.h - the fields of each kind of event
 *
 * One row for each field of the union in struct event, in the order in which records contain them. Encoding,
 * decoding and copying go through these rows, and so do the tests that make events at random: a new field is
 * a member of the struct and one row.
 */
#ifndef STATE_EVENT_FIELD_H
#define STATE_EVENT_FIELD_H

#include <stddef.h>
#include <stdint.h>

#include "event.h"

enum event_field_type {
	EVENT_FIELD_TEXT, /* const char *; NULL = none                               */
	EVENT_FIELD_BOOL,
	EVENT_FIELD_U8,
	EVENT_FIELD_I32,
	EVENT_FIELD_U32,
	EVENT_FIELD_I64,
	EVENT_FIELD_U64,
	EVENT_FIELD_RUNS,     /* const struct alloc_run *, without the numbers of tasks  */
	EVENT_FIELD_TASKS,    /* the same runs: their numbers of tasks                   */
	EVENT_FIELD_SWITCHED, /* struct switched                                         */
	EVENT_FIELD_BYPASSED, /* const struct bypassed *                                 */
	EVENT_FIELD_JOB,      /* struct job_record                                       */
	EVENT_FIELD_NODE,     /* struct node_record                                      */
	EVENT_FIELD_SIM,      /* struct sim_origin                                       */
	EVENT_FIELD_WINDOW,   /* struct usage_window                                     */
	EVENT_FIELD_USED      /* struct node_used                                        */
};

struct event_field {
	const char *name; /* NULL: the end of the rows of a kind                         */
	enum event_field_type type;
	size_t offset;       /* in struct event                                             */
	size_t count_offset; /* of the number of items, a uint32_t: RUNS, TASKS, BYPASSED   */
	unsigned below;      /* U8: its values are below this; 0 = any value                */
	uint16_t since;      /* the version of the journal's records that added it, or 0    */
	uint16_t until;      /* the version that dropped it; 0 = it is still written        */
	const char *missing; /* TEXT: what is wrong if it is NULL; NULL = it may be         */
};

/* The rows of a kind, ended by one without a name; static storage. */
const struct event_field *event_fields(enum event_kind kind);

#endif
