/* SPDX-License-Identifier: MIT */
/*
 * maui_resource.h - Maui resource traces
 *
 * A line "VERSION n", then one line per node with 21 fields separated by blanks. The fields and their
 * numbers: COMPUTENODE, an event, the time of the event, the node's name (1-4); swap, memory and disk in MB
 * (6-8); processors (9); frame and slot (10, 11); features (15); classes, each with a count (16); network
 * (17); relative speed (18). Fields after the ninth may be missing.
 *
 * The speed is checked but not used: Maui does not use it either, so speeds come from the configuration. The
 * counts of classes, and the fields not listed here, are ignored. A node whose event is not AVAILABLE is left
 * out: DEFINED means that it is down, DRAINED that it accepts no jobs.
 *
 * Source: Maui Administrator's Guide 16.2.
 */
#ifndef TRACE_MAUI_RESOURCE_H
#define TRACE_MAUI_RESOURCE_H

#include "line.h"
#include "sched/base/arena.h"
#include "sched/base/err.h"

struct node_record; /* sched/state/state.h */

/* The nodes of a trace. Release with maui_resource_clear. */
struct maui_resource {
	struct node_record *node; /* the available nodes, in the order of the file */
	size_t count, room;
	int64_t procs;  /* processors of all these nodes */
	uint64_t apart; /* number of nodes left out, because they are down or drained */
	struct bad_lines bad;
	struct arena arena; /* memory of the names */
};

/*
 * Parses a whole trace for which maui_begins (maui_text.h) is true. Returns false, with a message that begins
 * with the file name, if it has no available nodes, a node twice, or more processors than can be scheduled.
 */
bool maui_resource_read(const char *file, const char *text, size_t len, struct maui_resource *out,
			struct err *err);

void maui_resource_clear(struct maui_resource *resource);

struct str;
/* Appends a trace of the nodes; they are all AVAILABLE. */
void maui_resource_write(const struct maui_resource *resource, struct str *out);

#endif
