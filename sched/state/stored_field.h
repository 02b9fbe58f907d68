/* SPDX-License-Identifier: MIT */
/*
 * stored_field.h - the stored fields of jobs, nodes and events
 *
 * One row describes one member of a struct: where it is, how it is stored, and since which version of its
 * records. Encoding, decoding and copying go through these rows, so a new field is a member of the struct and
 * one row. The rows are in the order in which records contain the fields; a new one comes last.
 */
#ifndef STATE_STORED_FIELD_H
#define STATE_STORED_FIELD_H

#include <stddef.h>
#include <stdint.h>

#include "event.h"

/* The type of the member. Arrays are pointers to the items; the number of items is at count_offset. */
enum stored_type {
	STORED_TEXT, /* const char *; NULL = none                                   */
	STORED_BOOL,
	STORED_U8,
	STORED_U8_WIDE, /* uint32_t, stored as one byte                             */
	STORED_I32,
	STORED_U32,
	STORED_I64,
	STORED_U64,
	STORED_REAL,         /* double, finite */
	STORED_RUNS,         /* array of struct alloc_run, without the numbers of tasks */
	STORED_TASKS,        /* the same array: only the numbers of tasks */
	STORED_DEPENDS,      /* array of struct depend, without `of` and `number` */
	STORED_DEPENDS_TASK, /* the same array: only `of` and `number` */
	STORED_RANGES,       /* array of struct array_range */
	STORED_BYPASSED,     /* array of struct bypassed */
	STORED_USED_BY,      /* array of struct used_by */
	STORED_SWITCHED,     /* struct switched */
	STORED_JOB,          /* struct job_record */
	STORED_NODE,         /* struct node_record */
	STORED_SIM,          /* struct sim_origin */
	STORED_WINDOW,       /* struct usage_window */
	STORED_USED          /* struct node_used */
};

struct stored_field {
	const char *name; /* name of the member; NULL: the end of the rows */
	enum stored_type type;
	size_t offset;       /* offset of the member in the struct */
	size_t count_offset; /* arrays: offset of the number of items, a uint32_t */
	unsigned below;      /* U8, U8_WIDE: valid values are below this; 0 = all values are valid */
	uint16_t since;      /* version of the records that added the field, or 0 */
	uint16_t until;      /* version that dropped it; 0 = it is still written */
	const char *missing; /* TEXT: error message if the text is NULL; NULL = it may be NULL */
};

/* A row for a member of a struct; further members of the row may follow. */
#define STORED_ROW(owner, member, like)                                                                      \
	.name = #member, .type = STORED_##like, .offset = offsetof(struct owner, member)
#define STORED_END                                                                                           \
	{                                                                                                    \
		.name = NULL                                                                                 \
	}

/*
 * Returns the rows of STORED_JOB, NODE, SIM, WINDOW or USED; NULL for other types. Static storage. Jobs and
 * nodes are parts of several kinds of records, which share one version number.
 */
const struct stored_field *stored_fields(enum stored_type type);

/*
 * Returns the rows of a kind of event, which describe members of the union in struct event; static storage.
 */
const struct stored_field *event_fields(enum event_kind kind);

#endif
