/* SPDX-License-Identifier: MIT */
/*
 * rerun_parties.h - who gains and who loses by another policy?
 *
 * Two runs of the same record side by side, by user, group, account, QOS and class. Means are over the jobs
 * that start in both, so that both columns speak of the same jobs.
 */
#ifndef HOST_RERUN_PARTIES_H
#define HOST_RERUN_PARTIES_H

#include "rerun.h"

/* Sums over the jobs that start in both. */
struct rerun_sums {
	double wait_s, slowdown, xfactor;
};

struct rerun_party {
	enum cred_type type; /* CRED_TYPE_COUNT: everybody */
	uint32_t cred;       /* of the first run's view    */
	uint32_t jobs, earlier, later;
	struct rerun_sums before, after;
};

struct rerun_parties {
	struct rerun_party *item; /* everybody, then by type, within it as they appeared; those with jobs */
	size_t count, room;
	uint32_t only_before, only_after; /* jobs that start in one of them alone */
	uint32_t neither;                 /* jobs that start in none              */
};

/* Replaces what it holds; free(item). Both runs are of the same record, and have ended. */
void rerun_compare(struct rerun_parties *out, const struct rerun *before, const struct rerun *after);

#endif
