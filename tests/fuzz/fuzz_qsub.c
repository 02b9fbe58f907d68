/* SPDX-License-Identifier: MIT */
/*
 * fuzz_qsub.c - scripts and options of submissions
 *
 * The first line of the input has the options, the rest is the script; an input of one line is a
 * command. A submission is complete or refused with a message; its values are within their limits, can be
 * printed, and are equal after the launch record is written and read again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "tui/command/cmd.h"
#include "tui/submit/qsub.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const environment[] = {"HOME=/home/eva", "COLOUR=blue", NULL};
static const struct submitter eva = {.dir = "/home/eva/100%",
				     .home = "/home/eva",
				     .user = "eva",
				     .environment = environment,
				     .now_s = INT64_C(1774368131),
				     .umask = 022};

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void check_path(const char *pattern)
{
	struct launch launch = {.job = 1, .user = "eva", .label = "1[2]"};
	struct str path = {0};

	must(pattern[0] == '/');
	must(launch_path(pattern, &launch, &path, NULL));
	str_free(&path);
}

static void check_launch(const struct launch *launch)
{
	struct str bytes = {0};
	struct launch again;
	void *room;

	launch_write(launch, &bytes);
	must(launch_read(bytes.data, bytes.len, &again, &room, NULL));
	must(again.command.count == launch->command.count && again.script_size == launch->script_size);
	must(again.environment.count == launch->environment.count);
	free(room);
	str_free(&bytes);
	check_path(launch->output);
	if (launch->errors != NULL)
		check_path(launch->errors);
	must((launch->errors == NULL) == ((launch->flags & LAUNCH_JOIN) != 0));
}

static void check_whole(const struct submission *s)
{
	const struct job *job = &s->record.job;

	must(job->tasks > 0 && job->task_procs > 0 && job_procs(job) <= INT32_MAX);
	must(job->nodes <= job->tasks && (job->tasks_per_node <= 1 || job->tasks % job->tasks_per_node == 0));
	must(job->mem_mb >= 0 && job->mem_mb <= MEMORY_MAX_MB);
	must(job->wall_limit_s >= 0 && job->wall_limit_s <= DURATION_MAX_S);
	must(qsub_tasks(s) >= 1 && qsub_tasks(s) <= ARRAY_TASKS_MAX);
	for (const char *c = s->record.name; *c != '\0'; c++)
		must((unsigned char)*c >= ' ' && *c != 0x7f);
	must(strlen(s->record.name) <= 64);
	check_launch(&s->launch);
}

/* Reads the options and the script and completes the submission; false: refused. */
static bool read_all(struct submission *s, char **words, int count, const char *script, size_t size,
		     struct err *err)
{
	static const char *const command[] = {"work.sh", NULL};
	int rest;

	if (script == NULL)
		s->launch.command = (struct launch_words){command, 1};
	return (script == NULL || qsub_read_script(s, &eva, "job.sh", script, size, err)) &&
	       qsub_read_options(s, &eva, count, (const char *const *)words, &rest, err) &&
	       qsub_finish(s, &eva, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size == 0 ? NULL : memchr(data, '\n', size);
	size_t first = end == NULL ? size : (size_t)(end - data);
	const char *script = end == NULL ? NULL : (const char *)end + 1;
	struct submission s = {.throttle = 0};
	struct str line = {0};
	struct err err = {""};
	char **words;
	int count;

	str_add(&line, "submit ");
	str_add_bytes(&line, data, first);
	words = cmd_split(str_text(&line), &count, NULL);
	if (words != NULL) {
		if (read_all(&s, words, count, script, script == NULL ? 0 : size - first - 1, &err))
			check_whole(&s);
		else
			must(err.text[0] != '\0');
	}
	free(words);
	submission_free(&s);
	str_free(&line);
	return 0;
}
