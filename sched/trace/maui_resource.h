/* SPDX-License-Identifier: MIT */
/*
 * maui_resource.h - Maui resource traces
 *
 * A line "VERSION n", then one line per node with 21 fields separated by blanks: COMPUTENODE, an event, its
 * time, the node's name (4); swap, memory and disk in MB and processors (6-9), frame and slot (10, 11),
 * features (15), classes, each with a number (16), network, relative speed (18). Missing fields after the
 * ninth count as not set.
 *
 * The speed is checked but not used: Maui does not use it either, so speeds come from the configuration. The
 * numbers of classes, and the fields not listed here, are ignored. A node whose event is not AVAILABLE
 * (DEFINED means down, DRAINED accepts no jobs) is not part of the machine.
 *
 * Source: Maui Administrator's Guide 16.2.
 */
#ifndef TRACE_MAUI_RESOURCE_H
#define TRACE_MAUI_RESOURCE_H

#include "line.h"
#include "sched/base/arena.h"
#include "sched/base/err.h"

struct node_record; /* sched/state/state.h */

/* Release with maui_resource_clear. */
struct maui_resource {
	struct node_record *node; /* in the order of the file */
	size_t count, room;
	int64_t procs;  /* of all nodes */
	uint64_t apart; /* number of omitted nodes, down or drained */
	struct bad_lines bad;
	struct arena arena; /* of the names */
};

/*
 * Parses a whole trace with the beginning that maui_begins (maui_text.h) requires. Returns false if there are
 * no nodes, or more processors than can be scheduled, with a message that begins with the file name.
 */
bool maui_resource_read(const char *file, const char *text, size_t len, struct maui_resource *out,
			struct err *err);

void maui_resource_clear(struct maui_resource *resource);

struct str;
void maui_resource_write(const struct maui_resource *resource, struct str *out);

#endif
