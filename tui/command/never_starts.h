/* SPDX-License-Identifier: MIT */
/*
 * never_starts.h - jobs and submissions that can never start
 *
 * A job can never start when it requests more than the cluster has, exceeds a limit by itself, or depends on
 * a job that did not end as the dependency requires. Only a change of the cluster, the limit or the
 * dependency can let it start.
 */
#ifndef COMMAND_NEVER_STARTS_H
#define COMMAND_NEVER_STARTS_H

#include "cmd.h"

struct client; /* tui/serve/client.h */

/*
 * Tests the submissions in env->changes on the state of the scheduler, or on s if client is NULL. Returns
 * false if one of them can never start, and env->err says why. Returns true also if the test is not possible,
 * because the scheduler checks submissions itself.
 */
bool submissions_can_start(struct cmd_env *env, struct client *client, const struct snapshot *s);

/*
 * Like submissions_can_start, on s. If the result is false, the reason is appended to cause, as the end of
 * the sentence "the job would never start: ...".
 */
bool submissions_can_start_in(struct cmd_env *env, const struct snapshot *s, int64_t now_s,
			      struct str *cause);

/* Sets user and group of a submission to those of this process if they are not set, as the scheduler does. */
void submission_set_owner(struct event *ev);

/* Idle jobs of a state that can never start. */
struct never_starts {
	uint64_t *job; /* IDs of the jobs, ascending */
	char **why;    /* the reason for each job, one sentence, safe for a terminal */
	size_t count, room;
};

/* Finds the idle jobs of s that can never start. Release *out with never_starts_clear. */
void never_starts_find(const struct snapshot *s, int64_t now_s, bool ascii, struct never_starts *out);

/* Returns the reason for a job; NULL if the job is not in the list. */
const char *never_starts_reason(const struct never_starts *f, uint64_t job);
void never_starts_clear(struct never_starts *f);

#endif
