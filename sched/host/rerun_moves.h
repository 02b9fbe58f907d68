/* SPDX-License-Identifier: MIT */
/*
 * rerun_moves.h - which jobs start at another moment?
 *
 * Two runs of the same record side by side. Compared are first starts of jobs that waited when it began or
 * came later, in both.
 */
#ifndef HOST_RERUN_MOVES_H
#define HOST_RERUN_MOVES_H

#include "rerun.h"

struct rerun_move {
	uint32_t job;              /* place in the record              */
	int64_t before_s, after_s; /* TIME_NONE: it has not started    */
};

struct rerun_moves {
	struct rerun_move *item; /* by id */
	size_t count, room;
	uint32_t earlier, later;              /* of those that start in both            */
	int64_t most_earlier_s, most_later_s; /* by how much, both positive        */
	uint32_t only_before, only_after;     /* start in one of them alone             */
};

/* Replaces what it holds; free(item). Both runs are of the same record, and have ended. */
void rerun_find_moves(struct rerun_moves *out, const struct rerun *before, const struct rerun *after);

#endif
