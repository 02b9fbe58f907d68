/* SPDX-License-Identifier: MIT */
/*
 * cmd_start.c - how does an operator start a job at once?
 *
 * Where it fits now, whatever limits say and others are promised: what that oversteps is said. It must fit;
 * on what is reserved for others it stands only where there is no other place.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "complete.h"
#include "sched/forecast/explain.h"
#include "sched/placement/room.h"
#include "tui/draw/text.h"
#include "tui/report/jobtext.h"
#include "tui/report/select.h"

/* The state in which the job may use these nodes alone; NULL with a sentence when they do not exist. */
static struct state *on_nodes(struct cmd_env *env, const struct job *job, const char *nodes)
{
	struct state *copy = state_from_snapshot(env->s);
	struct event ev = {.time_s = env->now_s, .kind = EVENT_MODIFY, .job = job->id, .who = env->who};

	ev.modify.name = "hosts";
	ev.modify.value = nodes;
	if (event_apply(copy, &ev, &env->err))
		return copy;
	state_free(copy);
	return NULL;
}

/* Where it can stand now beside the running jobs, and beside what the snapshot says is reserved. */
static bool find_in(const struct snapshot *s, uint32_t slot, int64_t now_s, struct alloc_list *runs,
		    int64_t *fit)
{
	struct room *room = room_new();
	enum lack lack;
	bool found;

	room_begin(room, s, now_s);
	found = room_find(room, slot, now_s, now_s + snapshot_jobs(s)[slot].wall_limit_s, runs);
	*fit = room_fit(room, slot, now_s, now_s + 1, &lack);
	room_free(room);
	return found;
}

static bool find_past_reservations(const struct snapshot *s, uint32_t slot, int64_t now_s,
				   struct alloc_list *runs, int64_t *fit)
{
	struct snapshot *copy = snapshot_copy(s);
	bool found;

	copy->table[TABLE_ADVANCES].count = 0;
	found = find_in(copy, slot, now_s, runs, fit);
	free(copy);
	return found;
}

static bool find_runs(struct cmd_env *env, const struct snapshot *s, uint32_t slot, struct alloc_list *runs)
{
	const struct job *job = &snapshot_jobs(s)[slot];
	char label[JOB_LABEL_TEXT];
	int64_t fit;
	bool found = find_in(s, slot, env->now_s, runs, &fit);

	if (!found && snapshot_count(s, TABLE_ADVANCES) > 0)
		found = find_past_reservations(s, slot, env->now_s, runs, &fit);
	return found ||
	       err_set(&env->err,
		       "job %s cannot start now: it needs %lld processors, and %lld that it could use are "
		       "free",
		       snapshot_job_label(s, job, label), (long long)job_procs(job), (long long)fit);
}

/* Everything that would have kept it from starting. */
static void say_overstepped(struct cmd_env *env, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(env->s)[slot];
	struct plan plan = {0};
	struct str text = {0};
	struct why why;

	explain_why(env->s, slot, env->now_s, &plan, &why);
	for (int g = GATE_NONE + 1; g < GATE_COUNT; g++) {
		if (!why.check[g].known || why.check[g].ok || g == GATE_RESOURCES)
			continue;
		str_clear(&text);
		jobtext_sentence(env->s, job, &why.check[g].reason, env->now_s, &text);
		str_add(env->out, "overstepped: ");
		text_safe(env->out, str_text(&text), env->ascii);
		str_add_char(env->out, '\n');
	}
	str_free(&text);
	plan_clear(&plan);
}

static void add_start(struct cmd_env *env, const struct job *job, const struct alloc_list *runs)
{
	struct event *ev = cmd_add_event(env, EVENT_START, job->id);
	struct alloc_run *own = cmd_own_bytes(env, runs->count * sizeof *own);

	memcpy(own, runs->item, runs->count * sizeof *own);
	ev->start.runs = own;
	ev->start.count = (uint32_t)runs->count;
}

static bool start(struct cmd_env *env, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(env->s)[slot];
	const char *nodes = cmd_option(env, "-n");
	struct state *copy = nodes ? on_nodes(env, job, nodes) : NULL;
	struct alloc_list runs = {0};
	bool ok = (copy || !nodes) && find_runs(env, copy ? state_view(copy) : env->s, slot, &runs);

	if (ok) {
		if (!env->json)
			say_overstepped(env, slot);
		add_start(env, job, &runs);
	}
	free(runs.item);
	if (copy)
		state_free(copy);
	return ok;
}

static enum cmd_status run_start(struct cmd_env *env, int argc, char **argv)
{
	uint32_t slot = select_job(env->s, argv[1], &env->err);
	char label[JOB_LABEL_TEXT];

	(void)argc;
	if (slot == INDEX_NONE)
		return CMD_REFUSED;
	if (snapshot_jobs(env->s)[slot].state != JOB_IDLE) {
		err_set(&env->err, "job %s runs already",
			snapshot_job_label(env->s, &snapshot_jobs(env->s)[slot], label));
		return CMD_REFUSED;
	}
	return start(env, slot) ? CMD_DONE : CMD_REFUSED;
}

const struct cmd cmd_start = {
	.name = "start",
	.alias = "runjob",
	.args = "JOB",
	.help = "Starts a job now where it fits, past limits and what is promised to others.",
	.options = (const struct cmd_option[]){{"-n", "NODES", "on these nodes: 'n1 n2'"}, {0}},
	.min = 1,
	.max = 1,
	.authority = CMD_ADMIN2,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_start,
	.complete = complete_jobs,
};
