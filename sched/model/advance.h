/* SPDX-License-Identifier: MIT */
/*
 * advance.h - what did somebody ask to be kept, for whom, from when to when?
 *
 * An advance reservation (setres) keeps nodes, or some processors of them, for its guests from one
 * moment to another. A job that is no guest never overlaps it there; a guest may stand inside and
 * outside. Without guests it is for nobody: maintenance. What is kept is always named, so that it
 * does not depend on who runs when; whoever asks for so many processors anywhere gets them named
 * when it is made (requirements M-11, M-21).
 *
 * It is written as one text, in events as among the changes of operators:
 *
 *     start=1700000000 end=1700003600 personal node=n01 node=n02*4 user=eva job=12 reason=disks are old
 *
 * Moments are seconds; without an end it lasts until it is released. `node=n02*4` are 4 processors of
 * n02, `nodes=ALL` all there are. Personal: made by a user, within what the site allows. The reason is the
 * rest of the text.
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

#define ADVANCES_MOST          256 /* at a time */
#define ADVANCES_RELEASED_MOST 256 /* kept to be brought back; of more the oldest are gone for good */
#define ADVANCE_NAME           64  /* bytes of a name, with its end */

#define GUEST_JOB CRED_TYPE_COUNT /* beside the types of credentials: one job by its id */

/* One that stands in the snapshot. */
struct advance {
	uint64_t seq;                      /* of the event that made it */
	int64_t begin_s, end_s;            /* [begin_s, end_s); TIME_NEVER = until it is released */
	uint32_t name, owner, reason;      /* strings; owner: who made it; reason 0 = nobody said */
	uint32_t first_run, run_count;     /* of the snapshot's kept runs; procs 0 = the node whole */
	uint32_t first_guest, guest_count; /* of its guests */
	uint32_t personal;
};

/* Who may use it: all jobs of a credential, or one job. */
struct guest {
	uint64_t job;  /* of GUEST_JOB                        */
	uint32_t type; /* enum cred_type or GUEST_JOB         */
	uint32_t cred; /* credential of the type; INDEX_NONE  */
};

/* The same as text that was read, or is to be written. */
struct advance_place {
	const char *node;
	uint32_t procs; /* 0 = the node whole */
};
struct advance_guest {
	uint32_t type;
	uint64_t job;
	const char *name;
};
struct advance_text {
	int64_t begin_s, end_s;
	bool personal, all_nodes;
	struct advance_place *place; /* none where all nodes are kept */
	struct advance_guest *guest;
	size_t place_count, guest_count, place_room, guest_room;
	const char *reason; /* NULL = nobody said */
	struct arena arena; /* where names that were read live */
};

/* Zero is a valid empty one. Reads all of the text or nothing. */
bool advance_read(const char *text, struct advance_text *out, struct err *err);
void advance_write(const struct advance_text *a, struct str *out);
void advance_text_free(struct advance_text *a);

void advance_add_place(struct advance_text *a, const char *node, uint32_t procs);
void advance_add_guest(struct advance_text *a, uint32_t type, const char *name, uint64_t job);

/* Letters, digits, '.', '_' and '-', not too many of them? */
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
