/* SPDX-License-Identifier: MIT */
/*
 * rerun.c - a replay of the journal under the same policy reproduces every start
 *
 * A simulated cluster with operators who hold, cancel, suspend, requeue and start jobs, change weights, undo,
 * reserve, drain and pause; with nodes that shrink and recover, and a resource manager that sometimes
 * fails to start a job. A replay of its journal from any time under the same policy must
 * reproduce every recorded start, in the same order, at the same second. A replay with passes whenever one is
 * due gives the same starts, which shows that the record misses no pass.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "sched/host/arrivals.h"
#include "sched/host/driver.h"
#include "sched/host/rerun.h"
#include "tests/many.h"
#include "tests/memory_ledger.h"

#define NODES      16
#define NODE_PROCS 4
#define JOBS       400

static const struct fake_cluster cluster = {.nodes = NODES, .node_procs = NODE_PROCS, .node_mem_mb = 8000};

/* Options that use all counters of a pass. */
static const char busy_conf[] =
	"reservationdepth = 3\nreservationpolicy = highest\nqueuetimeweight = 1\nxfactorweight = "
	"100\nprocweight = 2\n"
	"bypassweight = 3\nfspolicy = dedicatedps\nfsinterval = \"1:00:00\"\nfsdepth = 5\nfsdecay = 0.7\n"
	"fsuserweight = 20\nfsgroupweight = 5\nidlepromotion = newest\nnodeallocationpolicy = minresource\n"
	"user DEFAULT { fstarget = 10.0 maxijob = {\"6\"} maxjob = {\"4,8\"} maxps = {\"200000,900000\"} }\n"
	"group DEFAULT { maxproc = {\"40,56\"} }\nclass DEFAULT { maxjob = {\"USER=5\"} }\n";

static const char plain_conf[] = "queuetimeweight = 1\nreservationdepth = 1\n";

/* --- a manager that fails to start some jobs --------------------------------------------------- */

/* The operations of the simulated cluster, with `start` replaced. There is one such cluster at a time. */
static struct {
	struct rm_ops ops;
	bool (*start)(void *self, const struct rm_start *start, int64_t now_s, struct err *err);
	struct rng rng;
	unsigned refused;
} failing;

static bool failing_start(void *self, const struct rm_start *start, int64_t now_s, struct err *err)
{
	if (rng_below(&failing.rng, 20) != 0)
		return failing.start(self, start, now_s, err);
	failing.refused++;
	return err_set(err, "the node does not answer");
}

static struct rm failing_cluster(const struct sim_origin *origin)
{
	struct rm rm = fake_from_workload(&cluster, origin);

	failing.ops = *rm.ops;
	failing.start = rm.ops->start;
	failing.ops.start = failing_start;
	rng_seed(&failing.rng, origin->seed);
	rm.ops = &failing.ops;
	return rm;
}

/* --- a recorded run ------------------------------------------------------------------------------- */

struct recorded_run {
	struct rng rng;
	struct driver *driver;
	struct alloc_run run[NODES];
	char text[96];
	unsigned done[EVENT_KIND_COUNT]; /* successful actions of operators */
};

static const struct job *any_waiting(struct recorded_run *l)
{
	const struct snapshot *s = driver_view(l->driver);
	uint32_t count = snapshot_count(s, TABLE_WAITING);

	return count == 0 ? NULL : &snapshot_jobs(s)[snapshot_waiting(s)[rng_below(&l->rng, count)].slot];
}

static const struct job *any_running(struct recorded_run *l)
{
	const struct snapshot *s = driver_view(l->driver);
	uint32_t count = snapshot_count(s, TABLE_RUNNING);

	return count == 0 ? NULL : &snapshot_jobs(s)[snapshot_running(s)[rng_below(&l->rng, count)]];
}

/* Starts the job on the first nodes with room for one task each. Refused if there are too few. */
static struct event start_by_hand(struct recorded_run *l, const struct job *job)
{
	const struct snapshot *s = driver_view(l->driver);
	struct event ev = {.kind = EVENT_START, .job = job->id, .who = "ann", .start.runs = l->run};

	for (uint32_t i = 0; i < NODES && ev.start.count < job->tasks; i++)
		if (node_procs_free(&snapshot_nodes(s)[i]) >= job->task_procs)
			l->run[ev.start.count++] = (struct alloc_run){.node = i,
								      .nodes = 1,
								      .procs = job->task_procs,
								      .tasks = 1,
								      .next = INDEX_NONE};
	return ev;
}

static struct event on_waiting(struct recorded_run *l, const struct job *job)
{
	struct event ev = {.job = job->id, .who = "ann"};

	switch (rng_below(&l->rng, 6)) {
	case 4:
	case 5:
		return start_by_hand(l, job);
	case 0:
		ev.kind = EVENT_HOLD;
		ev.hold.bits = JOB_HOLD_USER;
		ev.hold.on = (job->holds & JOB_HOLD_USER) == 0;
		if (rng_below(&l->rng, 3) == 0)
			ev.until_s = driver_view(l->driver)->now_s + 1 + (int64_t)rng_below(&l->rng, 7200);
		break;
	case 1:
		ev.kind = EVENT_PRIORITY;
		ev.priority.adjust = JOB_ADJUST_RELATIVE;
		ev.priority.points = (int64_t)rng_below(&l->rng, 2000) - 1000;
		break;
	case 2:
		ev.kind = EVENT_MODIFY;
		ev.modify.name = "walltime";
		ev.modify.value = "1:30:00";
		break;
	default:
		ev.kind = EVENT_CANCEL;
		break;
	}
	return ev;
}

static struct event on_running(struct recorded_run *l, const struct job *job)
{
	struct event ev = {.job = job->id, .who = "ann"};

	switch (rng_below(&l->rng, 3)) {
	case 0:
		ev.kind = EVENT_CANCEL;
		break;
	case 1:
		ev.kind = EVENT_REQUEUE;
		break;
	default:
		ev.kind = EVENT_SUSPEND;
		ev.suspend.on = !job_is_suspended(job) || job_awaits_resume(job);
		if (ev.suspend.on && rng_below(&l->rng, 3) > 0)
			ev.suspend.how = SUSPEND_RELEASE;
		if (ev.suspend.on && rng_below(&l->rng, 3) > 0)
			ev.until_s = driver_view(l->driver)->now_s + 1 + (int64_t)rng_below(&l->rng, 7200);
	}
	return ev;
}

static struct event on_policy(struct recorded_run *l)
{
	const struct snapshot *s = driver_view(l->driver);
	uint32_t changes = snapshot_count(s, TABLE_CHANGES);
	struct event ev = {.kind = EVENT_SETTING, .who = "ann"};
	static const char *const setting[][3] = {{"xfactorweight", "50", "200"},
						 {"reservationdepth", "1", "6"},
						 {"user[u1].maxjob", "1", "3,6"},
						 {"node[n003].drained", "true", "false"},
						 {"backfillpolicy", "none", "firstfit"}};
	size_t which = rng_below(&l->rng, sizeof setting / sizeof setting[0]);

	if (changes > 0 && rng_below(&l->rng, 3) == 0) {
		ev.kind = EVENT_UNDO;
		ev.undo.seq = snapshot_changes(s)[rng_below(&l->rng, changes)].seq;
		if (rng_below(&l->rng, 4) == 0)
			ev.kind = EVENT_KEEP;
		return ev;
	}
	ev.setting.name = setting[which][0];
	ev.setting.value = setting[which][1 + rng_below(&l->rng, 2)];
	if (rng_below(&l->rng, 2) == 0)
		ev.until_s = s->now_s + 1 + (int64_t)rng_below(&l->rng, 7200);
	return ev;
}

static struct event on_node(struct recorded_run *l)
{
	static char name[8];
	struct event ev = {.kind = EVENT_NODE, .who = "sched"};

	snprintf(name, sizeof name, "n%03" PRIu64, 1 + rng_below(&l->rng, NODES));
	ev.node = (struct node_record){.name = name,
				       .procs = rng_below(&l->rng, 2) == 0 ? NODE_PROCS : 2,
				       .mem_mb = 8000,
				       .used = NODE_NOT_MEASURED,
				       .active_from_s = TIME_NONE};
	return ev;
}

/* Pauses the scheduler, at once or after some passes, for at most an hour, or resumes it. */
static struct event on_scheduler(struct recorded_run *l)
{
	struct event ev = {.kind = EVENT_HALT, .who = "ann"};

	ev.halt.on = driver_view(l->driver)->halted == 0;
	if (ev.halt.on) {
		ev.halt.after = (uint32_t)rng_below(&l->rng, 3);
		ev.until_s = driver_view(l->driver)->now_s + 1 + (int64_t)rng_below(&l->rng, 3600);
	}
	return ev;
}

static struct event on_reservations(struct recorded_run *l)
{
	const struct snapshot *s = driver_view(l->driver);
	struct event ev = {.kind = EVENT_RESERVE, .who = "ann", .reserve = {.name = "keep", .text = l->text}};
	int64_t begin_s = s->now_s + (int64_t)rng_below(&l->rng, 7200);

	snprintf(l->text, sizeof l->text, "start=%" PRId64 " end=%" PRId64 " node=n%03" PRIu64 "%s", begin_s,
		 begin_s + 1 + (int64_t)rng_below(&l->rng, 20000), 1 + rng_below(&l->rng, NODES),
		 rng_below(&l->rng, 2) == 0 ? " user=u1" : "");
	if (snapshot_find_advance(s, "keep") != INDEX_NONE)
		ev.kind = EVENT_UNRESERVE;
	return ev;
}

/* Refused actions (a node whose jobs use more, a change already undone) have no effect. */
static void operate(struct recorded_run *l)
{
	const struct job *waiting = any_waiting(l), *running = any_running(l);
	uint64_t what = rng_below(&l->rng, 20);
	struct event ev;
	struct err err;

	if (what < 2 && waiting != NULL)
		ev = on_waiting(l, waiting);
	else if (what == 2 && running != NULL)
		ev = on_running(l, running);
	else if (what == 3)
		ev = on_policy(l);
	else if (what == 4)
		ev = on_node(l);
	else if (what == 5 && rng_below(&l->rng, 4) == 0)
		ev = on_scheduler(l);
	else if (what == 6)
		ev = on_reservations(l);
	else
		return;
	if (driver_post(l->driver, &ev, 1, &err) == DRIVER_DONE)
		l->done[ev.kind]++;
}

static void record_run(struct memory_ledger *m, struct rng *rng, unsigned done[EVENT_KIND_COUNT])
{
	struct sim_origin origin = {
		.seed = rng_u64(rng), .next_index = 1, .job_limit = JOBS, .load_pct = 130, .active = 1};
	struct event ev = {
		.kind = EVENT_CONFIG, .who = "root", .config = {.file = "busy.conf", .text = busy_conf}};
	struct recorded_run l = {.rng = *rng};
	struct err err;

	memory_begin(m);
	l.driver = driver_new(failing_cluster(&origin), memory_ledger(m), &err);
	if (l.driver == NULL || driver_post(l.driver, &ev, 1, &err) != DRIVER_DONE)
		fail_msg("%s", err.text);
	for (int64_t at_s; (at_s = driver_next_s(l.driver)) != TIME_NEVER;) {
		if (!driver_step(l.driver, at_s, &err))
			fail_msg("%s", err.text);
		operate(&l);
	}
	driver_free(l.driver);
	if (m->fault.text[0] != '\0')
		fail_msg("%s", m->fault.text);
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
		done[kind] += l.done[kind];
	*rng = l.rng;
}

/* --- the replay ------------------------------------------------------------------------------------- */

/* The record from a journal entry on, which is the first one of its second. */
struct past {
	const struct memory_ledger *m;
	size_t begin; /* of its events */
	struct state *from;
	struct rerun_record record;
};

static void past_begin(struct past *p, const struct memory_ledger *m, size_t begin)
{
	struct err err;

	while (begin > 0 && m->event[begin - 1].time_s == m->event[begin].time_s)
		begin--;
	*p = (struct past){.m = m, .begin = begin, .from = state_new()};
	for (size_t i = 0; i < begin; i++) {
		struct event ev = m->event[i];

		if (!event_apply(p->from, &ev, &err))
			fail_msg("%s", err.text);
	}
	rerun_record_begin(&p->record, state_view(p->from), m->event[begin].time_s,
			   m->event[m->count - 1].time_s);
	for (size_t i = begin; i < m->count; i++)
		assert_true(rerun_record_take(&p->record, &m->event[i]));
	rerun_record_finish(&p->record);
}

static void past_end(struct past *p)
{
	rerun_record_clear(&p->record);
	state_free(p->from);
}

static struct rerun *replay(const struct past *p, enum rerun_pace pace, const char *config)
{
	struct rerun_setup setup = {.record = &p->record,
				    .from = state_view(p->from),
				    .pace = pace,
				    .config_file = "other.conf",
				    .config_text = config};
	struct err err;
	struct rerun *r = rerun_new(&setup, &err);

	if (r == NULL)
		fail_msg("%s", err.text);
	for (size_t i = p->begin; i < p->m->count; i++)
		assert_true(rerun_take(r, &p->m->event[i]));
	rerun_finish(r);
	return r;
}

static void check_starts(const struct past *p, const struct rerun *r, const char *pace)
{
	for (size_t i = 0; i < p->record.jobs; i++) {
		const struct rerun_job *job = &p->record.job[i];
		const struct rerun_fate *fate = &rerun_fates(r)[i];

		if (fate->start_s != job->start_s || (job->start_s != TIME_NONE && fate->rank != job->rank))
			fail_msg("%s: job %" PRIu64 " started at %" PRId64 " as number %" PRIu32
				 ", in the replay at %" PRId64 " as number %" PRIu32,
				 pace, job->id, job->start_s, job->rank, fate->start_s, fate->rank);
	}
}

static void check_same(const struct past *p, enum rerun_pace pace)
{
	struct rerun *r = replay(p, pace, NULL);
	struct rerun_agreement agreement = {.differs = NULL};
	const struct rerun_refusal *refusal;
	uint64_t refused;
	size_t kept;

	check_starts(p, r, pace == RERUN_AS_RECORDED ? "as recorded" : "when due");
	refusal = rerun_refusals(r, &kept, &refused);
	if (refused > 0)
		fail_msg("%s at %" PRId64 " is refused in the replay: %s", refusal->what, refusal->time_s,
			 refusal->why);
	rerun_agree(r, &agreement);
	assert_int_equal(agreement.in_order, agreement.jobs);
	assert_int_equal(agreement.same_start, agreement.jobs);
	assert_int_equal(agreement.count, 0);
	free(agreement.differs);
	rerun_free(r);
}

static void a_replay_under_the_same_policy_reproduces_every_start(void **state)
{
	struct rng rng = seeded("run again");
	unsigned done[EVENT_KIND_COUNT] = {0};

	(void)state;
	for (unsigned round = 0; round < many(3); round++) {
		struct memory_ledger m;

		record_run(&m, &rng, done);
		for (int from = 0; from < 4; from++) {
			struct past p;

			past_begin(&p, &m, from == 0 ? 0 : (size_t)rng_below(&rng, m.count));
			check_same(&p, RERUN_AS_RECORDED);
			check_same(&p, RERUN_WHEN_DUE);
			past_end(&p);
		}
		memory_end(&m);
	}
	for (enum event_kind kind = 0; kind < EVENT_KIND_COUNT; kind++)
		if (done[kind] > 0)
			printf("# %u %s\n", done[kind], event_kind_name(kind));
	printf("# %u refused by their manager\n", failing.refused);
	assert_true(done[EVENT_REQUEUE] > 0 && done[EVENT_NODE] > 0 && done[EVENT_UNDO] > 0);
	assert_true(done[EVENT_START] > 0 && done[EVENT_SUSPEND] > 0 && done[EVENT_HALT] > 0 &&
		    done[EVENT_RESERVE] > 0 && failing.refused > 0);
}

/* --- another policy ---------------------------------------------------------------------------------- */

/* A job runs as long as recorded, unless it was stopped or the run time is unknown. */
static void check_run_times(const struct past *p, const struct rerun *r)
{
	for (size_t i = 0; i < p->record.jobs; i++) {
		const struct rerun_job *job = &p->record.job[i];
		const struct rerun_fate *fate = &rerun_fates(r)[i];

		if (fate->start_s != TIME_NONE && fate->end_s != TIME_NONE && job->run_s >= 0 &&
		    job->stint == job->last)
			assert_int_equal(fate->end_s - fate->start_s, job->run_s);
	}
}

static void check_parties(const struct rerun *before, const struct rerun *after)
{
	struct rerun_parties parties = {.item = NULL};
	uint32_t users = 0;

	rerun_compare(&parties, before, after);
	for (size_t i = 1; i < parties.count; i++)
		if (parties.item[i].type == CRED_USER)
			users += parties.item[i].jobs;
	assert_int_equal(parties.item[0].type, CRED_TYPE_COUNT);
	assert_int_equal(users, parties.item[0].jobs);
	assert_true(parties.item[0].earlier + parties.item[0].later <= parties.item[0].jobs);
	free(parties.item);
}

static void run_times_are_the_same_under_another_policy(void **state)
{
	struct rng rng = seeded("another policy");
	unsigned done[EVENT_KIND_COUNT] = {0};
	struct memory_ledger m;

	(void)state;
	record_run(&m, &rng, done);
	for (int from = 0; from < 3; from++) {
		struct rerun *before, *after;
		struct past p;

		past_begin(&p, &m, from == 0 ? 0 : (size_t)rng_below(&rng, m.count));
		before = replay(&p, RERUN_WHEN_DUE, NULL);
		after = replay(&p, RERUN_WHEN_DUE, plain_conf);
		check_run_times(&p, before);
		check_run_times(&p, after);
		check_parties(before, after);
		rerun_free(before);
		rerun_free(after);
		past_end(&p);
	}
	memory_end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_replay_under_the_same_policy_reproduces_every_start),
		cmocka_unit_test(run_times_are_the_same_under_another_policy),
	};

	return cmocka_run_group_tests_name("rerun", tests, NULL, NULL);
}
