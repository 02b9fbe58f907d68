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

#define ADVANCES_MOST          256 /* in force at a time */
#define ADVANCES_RELEASED_MOST 256 /* released ones that can still be restored; older ones are dropped */
#define ADVANCE_NAME           64  /* size of a name in bytes, with its NUL */

#define GUEST_JOB CRED_TYPE_COUNT /* in addition to the credential types: one job by its ID */

/* A reservation in the snapshot. */
struct advance {
	uint64_t seq;                      /* of the event that created it */
	int64_t begin_s, end_s;            /* [begin_s, end_s); TIME_NEVER = until it is released */
	uint32_t name, owner, reason;      /* strings; owner: its creator; reason: 0 = none */
	uint32_t first_run, run_count;     /* in TABLE_KEPT_RUNS; procs 0 = the whole node */
	uint32_t first_guest, guest_count; /* in TABLE_GUESTS */
	uint32_t personal;
};

/* A guest: all jobs of a credential, or one job. */
struct guest {
	uint64_t job;  /* if the type is GUEST_JOB */
	uint32_t type; /* enum cred_type or GUEST_JOB         */
	uint32_t cred; /* credential of the type, or INDEX_NONE */
};

/* A reservation in its text form, parsed or to be printed. */
struct advance_place {
	const char *node;
	uint32_t procs; /* 0 = the whole node */
};
struct advance_guest {
	uint32_t type;
	uint64_t job;
	const char *name;
};
struct advance_text {
	int64_t begin_s, end_s;
	bool personal, all_nodes;
	struct advance_place *place; /* none if all nodes are reserved */
	struct advance_guest *guest;
	size_t place_count, guest_count, place_room, guest_room;
	const char *reason; /* NULL = none */
	struct arena arena; /* owns the names that were parsed */
};

/* A zeroed struct is a valid empty one. Parses the whole text; false: err is set. */
bool advance_read(const char *text, struct advance_text *out, struct err *err);
void advance_write(const struct advance_text *a, struct str *out);
void advance_text_free(struct advance_text *a);

void advance_add_place(struct advance_text *a, const char *node, uint32_t procs);
void advance_add_guest(struct advance_text *a, uint32_t type, const char *name, uint64_t job);

/* Does the name consist of letters, digits, '.', '_' and '-', and is it short enough? */
bool advance_check_name(const char *name, struct err *err);

/* "user", ..., "job". Static storage. */
const char *guest_type_name(uint32_t type);

/* "n01 n02*4", "all nodes"; "user eva, job 12", "nobody". Appended. */
void advance_say_places(const struct advance_text *a, struct str *out);
void advance_say_guests(const struct advance_text *a, struct str *out);

static inline bool advance_is_over(const struct advance *a, int64_t now_s)
{
	return a->end_s <= now_s;
}

#endif
