/* SPDX-License-Identifier: MIT */
/*
 * make_store.c - a large store for measurements: make_store DIR QUEUED ENDED [FLOOD]
 *
 * Writes QUEUED idle jobs of many users, which all request two processors, and ENDED ended jobs to a
 * new store, through the ledger as a scheduler would, some thousand in each commit. The first job of the
 * queue sleeps for an hour on all processors of a host with two; the others wait for it. FLOOD jobs of two
 * more users follow the ended ones; they are cancelled before they start.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sched/base/vec.h"
#include "sched/host/event_copy.h"
#include "sched/rm/launch.h"
#include "sched/state/state.h"
#include "store/store.h"

#define STEP_JOBS  1000
#define USERS      200
#define ENDED_FROM 1000000000 /* ID of the first ended job, above those of the queue */

struct making {
	struct store *store;
	struct state *st;
	struct arena arena;
	struct str launch, first_launch;
	struct event event[STEP_JOBS];
	struct ended_job *ended;
	size_t ended_count, ended_all, flood;
	int64_t now_s;
};

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "make_store: %s\n", what);
	exit(1);
}

static void write_launch(struct str *out, const char *const *words, uint32_t count)
{
	const struct launch what = {
		.command = {words, count}, .dir = "/tmp", .uid = getuid(), .gid = getgid()};

	launch_write(&what, out);
}

static const char *user_of(struct making *m, size_t i)
{
	char name[16];

	snprintf(name, sizeof name, "user%03zu", i % USERS);
	return arena_string(&m->arena, name);
}

static void submit(struct making *m, size_t i, struct event *ev)
{
	const struct str *launch = state_view(m->st)->next_job_id <= 1 ? &m->first_launch : &m->launch;
	struct err err;

	*ev = (struct event){.kind = EVENT_SUBMIT, .time_s = m->now_s};
	ev->who = ev->submit.cred[CRED_USER] = user_of(m, i);
	ev->submit.cred[CRED_GROUP] = "users";
	ev->submit.name = "simulation";
	ev->submit.job = (struct job){.submit_s = m->now_s,
				      .not_before_s = TIME_NONE,
				      .wall_limit_s = 3600 + (int64_t)(i % 100) * 60,
				      .true_run_s = -1,
				      .tasks = 2,
				      .task_procs = 1,
				      .access = ACCESS_UNSET,
				      .real = JOB_REAL_LAUNCH};
	ev->submit.launch = launch->data;
	ev->submit.launch_size = (uint32_t)launch->len;
	if (!event_apply(m->st, ev, &err))
		die(err.text);
}

/* The next ended job: one every 30 seconds, the last one now. */
static void end_one(struct making *m, size_t number)
{
	struct ended_job *ended = &m->ended[m->ended_count++];
	int64_t ago_s = (int64_t)(m->ended_all - number) * 30;

	*ended = (struct ended_job){.end_s = m->now_s - ago_s, .mem_mb = 100};
	ended->record.cred[CRED_USER] = user_of(m, number);
	ended->record.cred[CRED_GROUP] = "users";
	ended->record.name = "simulation";
	ended->record.job = (struct job){.id = ENDED_FROM + number,
					 .submit_s = ended->end_s - 900,
					 .start_s = ended->end_s - 600,
					 .not_before_s = TIME_NONE,
					 .wall_limit_s = 3600,
					 .tasks = 2,
					 .task_procs = 1,
					 .access = ACCESS_UNSET,
					 .used_ps = 1000};
}

/* The next job of the flood. */
static void flood_one(struct making *m, size_t number)
{
	struct ended_job *ended = &m->ended[m->ended_count++];
	char label[32];

	snprintf(label, sizeof label, "%zu[%zu]", number / 999 + 1, number % 999);
	*ended = (struct ended_job){.end_s = m->now_s, .status = STATUS_CANCELLED};
	ended->record.cred[CRED_USER] = number % 2 == 0 ? "flood1" : "flood2";
	ended->record.cred[CRED_GROUP] = "users";
	ended->record.label = arena_string(&m->arena, label);
	ended->record.job = (struct job){.id = ENDED_FROM + m->ended_all + number,
					 .array = ENDED_FROM + m->ended_all + number / 999,
					 .submit_s = m->now_s - 60,
					 .start_s = TIME_NONE,
					 .not_before_s = TIME_NONE,
					 .wall_limit_s = 3600,
					 .tasks = 1,
					 .task_procs = 1,
					 .access = ACCESS_UNSET,
					 .flags = JOB_CANCELLED,
					 .used_ps = -1};
}

static void commit(struct making *m, size_t events)
{
	const struct ledger ledger = store_ledger(m->store);
	struct ledger_step step = {.event = m->event,
				   .event_count = events,
				   .ended = m->ended,
				   .ended_count = m->ended_count,
				   .after = state_view(m->st)};
	struct err err;

	if (!ledger.ops->commit(ledger.self, &step, &err))
		die(err.text);
	m->ended_count = 0;
	arena_reset(&m->arena);
}

/* Adds ended jobs to each step, in proportion to the submitted jobs. */
static void fill(struct making *m, size_t queued)
{
	size_t steps = (queued + STEP_JOBS - 1) / STEP_JOBS, all = m->ended_all + m->flood;
	size_t each = all / steps + 1, number = 0;

	m->ended = mem_zero(each, sizeof *m->ended);
	for (size_t at = 0; at < queued; at += STEP_JOBS) {
		size_t count = queued - at < STEP_JOBS ? queued - at : STEP_JOBS;

		for (size_t i = 0; i < count; i++)
			submit(m, at + i, &m->event[i]);
		for (size_t i = 0; i < each && number < all; i++, number++) {
			if (number < m->ended_all)
				end_one(m, number);
			else
				flood_one(m, number - m->ended_all);
		}
		commit(m, count);
	}
	free(m->ended);
}

int main(int argc, char **argv)
{
	static const char *const quick[] = {"/bin/true", NULL}, *const slow[] = {"/bin/sleep", "3600", NULL};
	static struct making m;
	size_t queued = argc >= 4 && argc <= 5 ? strtoul(argv[2], NULL, 10) : 0;
	struct err err;

	if (queued == 0)
		die("usage: make_store DIR QUEUED ENDED [FLOOD]");
	m.now_s = (int64_t)time(NULL) - 60;
	m.ended_all = strtoul(argv[3], NULL, 10);
	m.flood = argc == 5 ? strtoul(argv[4], NULL, 10) : 0;
	write_launch(&m.launch, quick, 1);
	write_launch(&m.first_launch, slow, 2);
	m.st = state_new();
	m.store = store_open(argv[1], STORE_CHANGE, &err);
	if (m.store == NULL)
		die(err.text);
	fill(&m, queued);
	store_close(m.store);
	state_free(m.st);
	arena_free(&m.arena);
	str_free(&m.launch);
	str_free(&m.first_launch);
	return 0;
}
