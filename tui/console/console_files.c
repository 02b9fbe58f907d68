/* SPDX-License-Identifier: MIT */
/*
 * console_files.c - in which files are the words of a job?
 *
 * Who runs the scheduler looks into its store; who is attached asks it, and goes on meanwhile. What was found
 * for one job is kept until another is asked about: also when the job has ended. What a job uses stands
 * beside the store, where its shepherd writes it down again and again.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "console_inside.h"
#include "sched/base/arena.h"
#include "sched/host/outputs.h"
#include "sched/rm/spool.h"
#include "store/store.h"
#include "tui/report/jobtext.h"

#define LOOK_BACK_S 86400 /* ended jobs are looked for among those of one day */

static void put(struct job_files *files, const char *user, const char *output, const char *errors)
{
	snprintf(files->user, sizeof files->user, "%s", user != NULL ? user : "");
	snprintf(files->output, sizeof files->output, "%s", output != NULL ? output : "");
	snprintf(files->errors, sizeof files->errors, "%s", errors != NULL ? errors : "");
}

static bool look_at_ended(void *self, const struct ended_job *ended)
{
	struct job_files *files = self;

	if (ended->record.job.id != files->job)
		return true;
	put(files, ended->record.cred[CRED_USER], ended->output, ended->errors);
	return false;
}

static void find_in_store(struct console *c, struct job_files *files)
{
	struct picture *newest = picture_take(&c->source);
	uint32_t slot = snapshot_find_job(newest->s, files->job);
	struct arena arena = {0};

	if (slot != INDEX_NONE) {
		const struct job *job = &snapshot_jobs(newest->s)[slot];
		struct outputs found =
			outputs_find(store_ledger(c->session->store), NULL, newest->s, job, &arena);

		put(files, jobtext_cred(newest->s, job, CRED_USER), found.output, found.errors);
	} else {
		(void)store_history(c->session->store, console_now_s(c) - LOOK_BACK_S, look_at_ended, files,
				    &files->err);
	}
	arena_free(&arena);
	picture_drop(newest);
}

const struct job_files *console_files(struct console *c, uint64_t job)
{
	if (c->files.job == job)
		return c->asking_files ? NULL : &c->files;
	c->files = (struct job_files){.job = job};
	c->asking_files = c->source.ops->ask_files != NULL;
	if (c->asking_files)
		c->source.ops->ask_files(c->source.self, job);
	else if (c->session->store != NULL)
		find_in_store(c, &c->files);
	return c->asking_files ? NULL : &c->files;
}

void console_take_files(struct console *c)
{
	struct job_files found;

	if (!c->asking_files || !c->source.ops->take_files(c->source.self, &found) ||
	    found.job != c->files.job)
		return;
	c->files = found;
	c->asking_files = false;
	for (size_t i = 0; i < views_count; i++)
		c->stale[i] = true;
	c->dirty = true;
}

bool console_usage(const struct console *c, const struct job *job, struct spool_usage *out)
{
	struct str path = {0};
	struct spool spool = {.job = 0};
	bool known = false;
	int folder = -1;

	if (c->past || c->session->store == NULL || c->session->simulated || job->state != JOB_RUNNING)
		return false;
	str_addf(&path, "%s/spool", store_dir(c->session->store));
	folder = open(str_text(&path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder >= 0) {
		known = spool_read(folder, job->id, job->start_count, &spool, NULL) && spool.has_usage &&
			spool.usage.at_s != 0;
		close(folder);
	}
	if (known)
		*out = spool.usage;
	str_free(&path);
	return known;
}
