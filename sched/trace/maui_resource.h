/* SPDX-License-Identifier: MIT */
/*
 * maui_resource.h - what does a Maui resource trace say?
 *
 * A line "VERSION n", then one node a line in 21 fields between blanks: COMPUTENODE, an event,
 * its time, the node's name (4); swap, memory and disk in MB and processors (6-9), frame and slot
 * (10, 11), features (15), classes with a number of each (16), network, relative speed (18). Fields
 * missing behind the ninth are as if they said nothing.
 *
 * The speed is read and checked, but no node gets it: the original did not look at it either, so
 * speeds come from the configuration. The numbers of the classes, and the fields that are not named
 * here, are not looked at. A node whose event is not AVAILABLE (DEFINED is down, DRAINED takes no
 * job) is no part of the machine.
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
	int64_t procs;  /* of all of them */
	uint64_t apart; /* nodes that are down or drained: left out */
	struct bad_lines bad;
	struct arena arena; /* of names */
};

/*
 * Reads a whole trace that begins as maui_begins (maui_text.h) says. False when there is no
 * node, or they have more processors than can be scheduled; with a sentence that starts with the
 * file's name.
 */
bool maui_resource_read(const char *file, const char *text, size_t len, struct maui_resource *out,
			struct err *err);

void maui_resource_clear(struct maui_resource *resource);

struct str;
void maui_resource_write(const struct maui_resource *resource, struct str *out);

#endif
