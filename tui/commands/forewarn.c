/* SPDX-License-Identifier: MIT */
/*
 * forewarn.c - can what was handed in ever start?
 *
 * It is taken all the same, since the machine or its limits may change; but who waits for it should know that
 * he waits for that. One pass over a copy of the queue tells, as it would tell the console.
 */
#include "forewarn.h"

#include <stdio.h>
#include <unistd.h>

#include "sched/core/cycle.h"
#include "tui/draw/text.h"
#include "tui/reports/jobtext.h"
#include "tui/serve/caller.h"
#include "tui/serve/memory_file.h"

#define SHOWN_MAX 5

static bool is_never(const struct reason *reason)
{
	return reason->gate == GATE_FEASIBLE || reason->gate == GATE_CLASS_LIMIT ||
	       reason->gate == GATE_SYSTEM_LIMIT;
}

static void say(const struct cmd_env *env, const struct snapshot *s, uint32_t slot,
		const struct reason *reason, int64_t now_s)
{
	struct str line = {0}, safe = {0};

	jobtext_sentence(s, &snapshot_jobs(s)[slot], reason, now_s, &line);
	text_safe(&safe, str_text(&line), env->ascii);
	fprintf(stderr, "kahu: %s\n", str_text(&safe));
	str_free(&line);
	str_free(&safe);
}

static void look(const struct cmd_env *env, const struct caller_picture *picture)
{
	const struct cmd_changes *changes = env->changes;
	const struct snapshot *s = picture->s;
	struct cycle *cycle = cycle_new();
	struct cycle_result result;

	cycle_run(cycle, s, picture->now_s > s->now_s ? picture->now_s : s->now_s, true, &result);
	for (size_t i = 0; i < changes->count && i < SHOWN_MAX; i++) {
		uint32_t slot = snapshot_find_job(s, changes->event[i].job);

		if (slot != INDEX_NONE && snapshot_jobs(s)[slot].state == JOB_IDLE &&
		    is_never(&result.reason[slot]))
			say(env, s, slot, &result.reason[slot], picture->now_s);
	}
	cycle_free(cycle);
}

void forewarn(const struct cmd_env *env, struct caller *caller)
{
	struct caller_picture picture;

	if (!isatty(STDERR_FILENO) || !caller_newer(caller, 0, &picture, &(struct err){{0}}))
		return;
	look(env, &picture);
	memory_file_free(picture.s, picture.size);
}
