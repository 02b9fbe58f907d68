/* SPDX-License-Identifier: MIT */
/*
 * wish.h - a job that does not exist: what would be said of it?
 *
 * It is submitted to a copy of the state, now, in the name of the person who asks or of whom
 * the options name. Used by verbs whose options are WISH_OPTIONS.
 */
#ifndef REPORT_WISH_H
#define REPORT_WISH_H

#include "cmd_env.h"
#include "tui/serve/people.h"

#define WISH_OPTIONS                                                                                         \
	{"-u", "USER", "for this user; else for who asks"},                                                  \
		{"-g", "GROUP", "for this group; else the user's"}, {"-a", "ACCOUNT", "for this account"},   \
		{"-c", "CLASS", "in this class"}, {"-q", "QOS", "with this QOS"},                            \
		{"-m", "MEMORY", "with so much memory a task"},                                              \
	{                                                                                                    \
		"-f", "FEATURES", "on nodes with these features"                                             \
	}

struct wish {
	int64_t procs, wall_s;
	uint8_t holds;                     /* enum job_hold: it waits for no pass to take it */
	const char *cred[CRED_TYPE_COUNT]; /* as asked for; filled by wish_submit        */
	char group[PEOPLE_NAME];           /* that a submission of the user would have   */
	struct state *copy;                /* with the job in it                             */
	uint32_t slot;
};

/* procs, wall_s and holds say what it wants, options the rest. False with a sentence: it would be refused.
 * Release with wish_free. */
bool wish_submit(struct wish *w, struct cmd_env *env);
void wish_free(struct wish *w);

#endif
