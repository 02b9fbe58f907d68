/* SPDX-License-Identifier: MIT */
/*
 * advance.h - advance reservations
 *
 * An advance reservation (setres) reserves nodes, or processors of nodes, for its guests from one time to
 * another. Jobs that are not guests never overlap it on these nodes; guests may run inside and outside of it.
 * A reservation without guests admits no job: maintenance. The reserved nodes are always named, so that they
 * do not depend on which jobs run when; a request for a number of processors anywhere is resolved to nodes
 * when the reservation is made (requirements M-11, M-21).
 *
 * Its text form, in events as well as in operators' changes:
 *
 *     start=1700000000 end=1700003600 personal node=n01 node=n02*4 user=eva job=12 reason=disks are old
 *
 * Times are in seconds; without an end the reservation lasts until it is released. `node=n02*4` means 4
 * processors of n02, `nodes=ALL` all nodes. Personal: made by a user, within the limits of the site. The
 * reason is the rest of the text.
 */
#ifndef MODEL_ADVANCE_H
#define MODEL_ADVANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cred.h"
#include "job.h"
#include "sched/base/arena.h"
#include "sched/base/err.h"
#include "sched/base/str.h"

#define ADVANCES_MOST          256 /* maximum number of reservations that are not over */
#define ADVANCES_RELEASED_MOST 256 /* maximum number of released reservations that can be restored */
#define ADVANCE_NAME           64  /* maximum size of a name in bytes, including the NUL */

#define GUEST_JOB CRED_TYPE_COUNT /* guest type, in addition to the credential types: a single job */

/* An advance reservation in the snapshot. */
struct advance {
	uint64_t seq;           /* number of the event that created the reservation */
	int64_t begin_s, end_s; /* in force during [begin_s, end_s); end_s TIME_NEVER: until it is released */
	uint32_t name, owner, reason;      /* strings; owner: the user who created it; reason 0: no reason */
	uint32_t first_run, run_count;     /* reserved nodes, in TABLE_KEPT_RUNS; procs 0: the whole nodes */
	uint32_t first_guest, guest_count; /* guests, in TABLE_GUESTS */
	uint32_t personal;                 /* 1: made by a user, within the limits of the site */
};

/* A guest: all jobs of a credential, or one job. */
struct guest {
	uint64_t job;  /* ID of the job, if the type is GUEST_JOB */
	uint32_t type; /* enum cred_type or GUEST_JOB */
	uint32_t cred; /* index of the credential; INDEX_NONE for GUEST_JOB */
};

/* An advance reservation in text form, parsed or to be written. */
struct advance_place {
	const char *node;
	uint32_t procs; /* reserved processors of the node; 0 = the whole node */
};
struct advance_guest {
	uint32_t type;
	uint64_t job;
	const char *name;
};
struct advance_text {
	int64_t begin_s, end_s;
	bool personal, all_nodes;
	struct advance_place *place; /* reserved nodes; none if all_nodes */
	struct advance_guest *guest;
	size_t place_count, guest_count, place_room, guest_room;
	const char *reason; /* NULL = no reason */
	struct arena arena; /* owns the names and the reason */
};

/*
 * advance_read parses a text into *out; if the text is invalid, it returns false with err set, and *out is
 * empty. advance_write appends the text form to out. A zeroed struct is valid and empty; advance_text_free
 * frees it.
 */
bool advance_read(const char *text, struct advance_text *out, struct err *err);
void advance_write(const struct advance_text *a, struct str *out);
void advance_text_free(struct advance_text *a);

void advance_add_place(struct advance_text *a, const char *node, uint32_t procs);
void advance_add_guest(struct advance_text *a, uint32_t type, const char *name, uint64_t job);

/*
 * Returns true if the name has 1 to ADVANCE_NAME - 1 bytes, all of them letters, digits, '.', '_' or '-', and
 * otherwise false with err set.
 */
bool advance_check_name(const char *name, struct err *err);

/* Returns the name of a guest type: "user", "group" ... or, for GUEST_JOB, "job". Static storage. */
const char *guest_type_name(uint32_t type);

/* Append the nodes ("n01 n02*4", "all nodes") or the guests ("user eva, job 12", "nobody") to out. */
void advance_say_places(const struct advance_text *a, struct str *out);
void advance_say_guests(const struct advance_text *a, struct str *out);

static inline bool advance_is_over(const struct advance *a, int64_t now_s)
{
	return a->end_s <= now_s;
}

#endif
