/* SPDX-License-Identifier: MIT */
/*
 * outputs.c - in which files are the words of a job?
 */
#include "outputs.h"

#include <limits.h>
#include <stdlib.h>

#include "sched/rm/launch.h"

/* A pattern that cannot be resolved is refused by the shepherd as well: there is no file. */
static bool resolve(const char *pattern, const struct launch *launch, struct str *path)
{
	return pattern != NULL && launch->waiter == NULL && launch_path(pattern, launch, path, NULL);
}

/* Nor is there one with a path as long as PATH_MAX. */
static const char *keep_path(const char *pattern, const struct launch *launch, struct arena *arena)
{
	struct str path = {0};
	const char *kept = NULL;

	if (resolve(pattern, launch, &path) && path.len < PATH_MAX)
		kept = arena_string(arena, str_text(&path));
	str_free(&path);
	return kept;
}

static const char *keep_text(const char *text, struct arena *arena)
{
	return text != NULL ? arena_string(arena, text) : NULL;
}

struct outputs outputs_find(struct ledger ledger, const struct snapshot *s, const struct job *job,
			    struct arena *arena)
{
	struct outputs found = {.output = NULL};
	char label[JOB_LABEL_TEXT];
	struct launch launch;
	struct str bytes = {0};
	void *room = NULL;

	if (ledger.ops != NULL && (job->real & JOB_REAL_LAUNCH) != 0 &&
	    ledger.ops->launch(ledger.self, job_launch_id(job), &bytes, NULL) &&
	    launch_read(bytes.data, bytes.len, &launch, &room, NULL)) {
		launch.job = job->id;
		launch.label = snapshot_job_label(s, job, label);
		launch.user = snapshot_job_cred(s, job, CRED_USER);
		found.output = keep_path(launch.output, &launch, arena);
		found.errors = (launch.flags & LAUNCH_JOIN) != 0 ? found.output
								 : keep_path(launch.errors, &launch, arena);
		found.mail = keep_text(launch.mail, arena);
		found.mail_to = keep_text(launch.mail_to, arena);
	}
	free(room);
	str_free(&bytes);
	return found;
}

static size_t path_bytes(const char *pattern, const struct launch *launch)
{
	struct str path = {0};
	size_t bytes = resolve(pattern, launch, &path) ? path.len : 0;

	str_free(&path);
	return bytes;
}

size_t outputs_bytes(const struct launch *launch)
{
	size_t output = path_bytes(launch->output, launch);

	return output + ((launch->flags & LAUNCH_JOIN) != 0 ? output : path_bytes(launch->errors, launch));
}
