/* SPDX-License-Identifier: MIT */
/*
 * advance.c - jobs respect advance reservations, and are delayed by nothing more
 *
 * Random reservations of nodes, parts of nodes or the whole cluster, each for one user or for none; random
 * jobs, some of which request particular nodes. After each pass a naive check examines every node second by
 * second: a started job does not overlap a reservation that excludes it, an idle job could not have started,
 * and the estimated start of a job that waits alone is the earliest possible one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/forecast/plan.h"
#include "sched/pass/gate.h"
#include "tests/many.h"
#include "tests/scene.h"
#include "tests/seed.h"

#define NODES   3
#define PROCS   4
#define USERS   4
#define HORIZON 120

static uint32_t below(struct rng *rng, uint32_t limit)
{
	return (uint32_t)rng_below(rng, limit);
}

/* --- random events --------------------------------------------------------------------------------- */

/* Reservation i is for user u<i> or for no user, so a job is admitted to at most one reservation. */
static void reserve(struct rng *rng, struct scene *sc, uint32_t i)
{
	static const char *const what[] = {"nodes=ALL",
					   "node=n001",
					   "node=n002 node=n003",
					   "node=n001*2",
					   "node=n002*3",
					   "node=n003*1 node=n001*1",
					   "node=n002 node=n003*2"};
	int64_t begin_s = sc->now_s + below(rng, 40);
	struct event ev = {.kind = EVENT_RESERVE, .who = "root"};
	char name[16], text[128];
	struct err err;

	snprintf(name, sizeof name, "r%u", i);
	snprintf(text, sizeof text, "start=%lld %s", (long long)begin_s, what[below(rng, 7)]);
	if (below(rng, 8))
		snprintf(text + strlen(text), sizeof text - strlen(text), " end=%lld",
			 (long long)begin_s + 1 + below(rng, 30));
	if (below(rng, 3))
		snprintf(text + strlen(text), sizeof text - strlen(text), " user=u%u", i);
	ev.reserve.name = name;
	ev.reserve.text = text;
	assert_string_equal(scene_try(sc, &ev, &err), "");
}

static void release_one(struct rng *rng, struct scene *sc)
{
	const struct snapshot *s = scene_view(sc);
	uint32_t count = snapshot_count(s, TABLE_ADVANCES);
	struct event ev = {.kind = EVENT_UNRESERVE, .who = "root"};
	char name[ADVANCE_NAME];
	struct err err;

	if (count == 0)
		return;
	snprintf(name, sizeof name, "%s", snapshot_string(s, snapshot_advances(s)[below(rng, count)].name));
	ev.reserve.name = name;
	scene_try(sc, &ev, &err); /* a reservation that has ended cannot be released */
}

static void submit(struct rng *rng, struct scene *sc, bool particular)
{
	static const char *const user[USERS] = {"u0", "u1", "u2", "u3"};
	struct scene_job job = {.user = user[below(rng, USERS)], .wall_s = 1 + below(rng, 30)};

	job.task_procs = particular ? 1 + below(rng, 3) : 1;
	job.procs = job.task_procs * (1 + below(rng, 4));
	job.run_s = 1 + below(rng, (uint32_t)job.wall_s);
	if (particular && below(rng, 5) == 0)
		job.access = ACCESS_SINGLEJOB;
	if (particular && below(rng, 4) == 0)
		job.hosts = below(rng, 2) ? "n001 n002" : "n003";
	scene_add(sc, job);
}

/* --- the naive check ---------------------------------------------------------------------------------- */

/* Processors of a node that jobs use, or are planned to use, at a moment: jobs that the advance reservation
 * admits (guests), and the others. Without a reservation all jobs are others. */
struct hold {
	int64_t guests, others;
};

static void add_hold(const struct snapshot *s, const struct job *job, const struct advance *a, uint32_t node,
		     struct hold *hold)
{
	bool guest = a != NULL && snapshot_is_guest(s, a, job);

	for (uint32_t at = job->run; at != INDEX_NONE; at = snapshot_runs(s)[at].next) {
		const struct alloc_run *run = &snapshot_runs(s)[at];

		if (node >= run->node && node < run->node + run->nodes)
			*(guest ? &hold->guests : &hold->others) += run->procs;
	}
}

/* with_reservations: also the job reservations of idle jobs that name nodes. */
static struct hold hold_at(const struct snapshot *s, const struct advance *a, uint32_t node, int64_t at_s,
			   bool with_reservations)
{
	struct hold hold = {0};

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++) {
		const struct job *job = &snapshot_jobs(s)[i];
		bool runs = job->state == JOB_RUNNING;
		int64_t begin_s = runs ? job->start_s : job->planned_s;

		if (job->state != JOB_RUNNING &&
		    (job->state != JOB_IDLE || !with_reservations || job->planned_s == TIME_NEVER))
			continue;
		if (begin_s <= at_s && at_s < begin_s + job->wall_limit_s)
			add_hold(s, job, a, node, &hold);
	}
	return hold;
}

/* Processors of a node that an advance reservation holds at a moment. */
static int64_t reserved_procs(const struct snapshot *s, const struct advance *a, uint32_t node, int64_t at_s)
{
	int64_t kept = 0;

	for (uint32_t i = 0; i < a->run_count && a->begin_s <= at_s && at_s < a->end_s; i++) {
		const struct alloc_run *run = &snapshot_kept_runs(s)[a->first_run + i];

		if (node >= run->node && node < run->node + run->nodes)
			kept += run->procs == 0 ? PROCS : run->procs;
	}
	return kept;
}

/* Processors of a node that a job can use at a moment. */
static int64_t procs_left_for(const struct snapshot *s, const struct job *job, uint32_t node, int64_t at_s)
{
	int64_t left = PROCS - hold_at(s, NULL, node, at_s, false).others;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_ADVANCES); i++) {
		const struct advance *a = &snapshot_advances(s)[i];
		int64_t unused = reserved_procs(s, a, node, at_s) - hold_at(s, a, node, at_s, false).guests;

		if (unused > 0 && !snapshot_is_guest(s, a, job))
			left -= unused;
	}
	return left;
}

static bool on_hosts(const struct snapshot *s, const struct job *job, uint32_t node)
{
	return job->hosts == 0 || strstr(snapshot_string(s, job->hosts),
					 snapshot_string(s, snapshot_nodes(s)[node].name)) != NULL;
}

/* Tasks of an idle job that fit from begin_s on, next to running jobs and advance reservations. */
static int64_t fitting_tasks(const struct snapshot *s, const struct job *job, int64_t begin_s)
{
	int64_t tasks = 0;

	for (uint32_t n = 0; n < NODES; n++) {
		int64_t least = on_hosts(s, job, n) ? PROCS : 0;

		for (int64_t at_s = begin_s; at_s < begin_s + job->wall_limit_s && least > 0; at_s++) {
			int64_t left = procs_left_for(s, job, n, at_s);

			least = left < least ? left : least;
		}
		if (job->access == ACCESS_SINGLEJOB && least < PROCS)
			least = 0; /* a dedicated node must have no reserved processor */
		tasks += least > 0 ? least / job->task_procs : 0;
	}
	return tasks < job->tasks ? tasks : job->tasks;
}

static bool fits(const struct snapshot *s, const struct job *job, int64_t begin_s)
{
	return fitting_tasks(s, job, begin_s) == job->tasks;
}

/* --- the conditions ------------------------------------------------------------------------------------- */

/* A job that a reservation excludes leaves the reserved processors free on each of its nodes until its time
 * limit. */
static void check_job_respects_reservations(const struct snapshot *s, const struct job *job, int64_t begin_s,
					    bool with_reservations)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_ADVANCES); i++) {
		const struct advance *a = &snapshot_advances(s)[i];

		if (snapshot_is_guest(s, a, job))
			continue;
		for (uint32_t n = 0; n < NODES; n++) {
			struct hold own = {0};

			add_hold(s, job, NULL, n, &own);
			for (int64_t at_s = begin_s; own.others > 0 && at_s < begin_s + job->wall_limit_s;
			     at_s++)
				if (reserved_procs(s, a, n, at_s) > 0)
					assert_true(hold_at(s, a, n, at_s, with_reservations).others +
							    reserved_procs(s, a, n, at_s) <=
						    PROCS);
		}
	}
}

static void check_started_jobs(const struct scene *sc)
{
	const struct snapshot *s = scene_view(sc);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[i]];

		if (job->start_s == sc->now_s)
			check_job_respects_reservations(s, job, sc->now_s, false);
	}
}

static void check_job_reservations(const struct scene *sc)
{
	const struct snapshot *s = scene_view(sc);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_waiting(s)[i].slot];

		if (job->planned_s != TIME_NEVER && job->run != INDEX_NONE)
			check_job_respects_reservations(s, job, job->planned_s, true);
	}
}

static void check_idle_jobs_do_not_fit(const struct scene *sc)
{
	const struct snapshot *s = scene_view(sc);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++)
		assert_false(fits(s, &snapshot_jobs(s)[snapshot_waiting(s)[i].slot], sc->now_s));
}

/* --- the properties ---------------------------------------------------------------------------------- */

static const char *const policies[] = {
	"reservationpolicy = never\nnodeallocationpolicy = firstavailable\n",
	"reservationpolicy = never\nnodeallocationpolicy = lastavailable\n",
	"reservationpolicy = never\nnodeallocationpolicy = minresource\n",
	"reservationdepth = 3\nnodeallocationpolicy = lastavailable\n",
	"reservationpolicy = highest\nreservationdepth = 100\nnodeallocationpolicy = firstavailable\n",
	"backfillpolicy = bestfit\nreservationdepth = 2\n",
	"nodeallocationpolicy = priority\nnode DEFAULT { priorityf = \"100 * RESAFFINITY - JOBCOUNT\" }\n",
};
#define POLICIES (sizeof policies / sizeof policies[0])

static struct scene *begin(size_t policy)
{
	struct scene *sc = scene_new(NODES, PROCS);

	scene_config(sc, policies[policy]);
	return sc;
}

/* Random reservations and submissions at one moment, followed by a pass. */
static void random_step(struct rng *rng, struct scene *sc, uint32_t *reserved, bool particular)
{
	if (below(rng, 4) == 0 && *reserved < USERS)
		reserve(rng, sc, (*reserved)++);
	if (below(rng, 30) == 0)
		release_one(rng, sc);
	for (uint32_t i = below(rng, 3); i > 0; i--)
		submit(rng, sc, particular && below(rng, 2));
	scene_pass(sc);
}

static void jobs_do_not_overlap_reservations_that_exclude_them(void **state)
{
	struct rng rng = seeded("kept from others");

	(void)state;
	for (unsigned round = 0; round < many(150); round++) {
		size_t policy = below(&rng, POLICIES);
		struct scene *sc = begin(policy);
		uint32_t reserved = 0;
		bool particular = below(&rng, 2);

		for (int step = 0; step < 25; step++) {
			random_step(&rng, sc, &reserved, particular);
			check_started_jobs(sc);
			check_job_reservations(sc);
			if (policy < 3)
				check_idle_jobs_do_not_fit(sc);
			scene_go(sc, sc->now_s + 1 + below(&rng, 8));
		}
		scene_free(sc);
	}
}

/* The estimated start of the only idle job is the first moment at which it fits. */
static void the_estimated_start_of_a_single_idle_job_is_the_earliest_possible(void **state)
{
	struct rng rng = seeded("the earliest beside what is kept");

	(void)state;
	for (unsigned round = 0; round < many(250); round++) {
		struct scene *sc = begin(below(&rng, 5));
		uint32_t reserved = 0, slot;
		const struct snapshot *s;
		int64_t earliest_s;
		struct plan plan = {0};

		for (int step = 0; step < 4; step++) {
			random_step(&rng, sc, &reserved, true);
			scene_go(sc, sc->now_s + 1 + below(&rng, 4));
		}
		while (snapshot_count(scene_view(sc), TABLE_WAITING) > 0)
			scene_cancel(
				sc, snapshot_jobs(scene_view(sc))[snapshot_waiting(scene_view(sc))->slot].id);
		submit(&rng, sc, below(&rng, 2));
		s = scene_view(sc);
		slot = snapshot_waiting(s)->slot;
		for (earliest_s = sc->now_s; earliest_s < sc->now_s + HORIZON; earliest_s++)
			if (fits(s, &snapshot_jobs(s)[slot], earliest_s))
				break;
		plan_build(&plan, s, sc->now_s);
		if (earliest_s == sc->now_s + HORIZON)
			assert_true(plan.start_s[slot] >= earliest_s);
		else
			assert_int_equal(plan.start_s[slot], earliest_s);
		plan_clear(&plan);
		scene_free(sc);
	}
}

/* Each idle job has a reason. The reason is a reservation only if too few processors are left for the job. */
static void an_idle_job_names_a_reservation_only_if_one_blocks_it(void **state)
{
	struct rng rng = seeded("reserved, as a reason");
	unsigned seen = 0;

	(void)state;
	for (unsigned round = 0; round < many(100); round++) {
		struct scene *sc = begin(below(&rng, 3));
		uint32_t reserved = 0;

		for (int step = 0; step < 10; step++) {
			const struct snapshot *s;
			struct cycle_result result;

			random_step(&rng, sc, &reserved, true);
			s = scene_view(sc);
			cycle_run(sc->cycle, s, sc->now_s, true, &result);
			for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
				uint32_t slot = snapshot_waiting(s)[i].slot;
				const struct reason *reason = &result.reason[slot];

				assert_int_not_equal(reason->gate, GATE_NONE);
				if (reason->gate != GATE_RESERVED)
					continue;
				seen++;
				assert_int_equal(reason->limit,
						 fitting_tasks(s, &snapshot_jobs(s)[slot], sc->now_s) *
							 snapshot_jobs(s)[slot].task_procs);
				assert_true(reason->limit < reason->value);
				assert_true(reason->until_s > sc->now_s);
				assert_true(reason->asked < sc->now_s + snapshot_jobs(s)[slot].wall_limit_s);
			}
			scene_go(sc, sc->now_s + 1 + below(&rng, 8));
		}
		scene_free(sc);
	}
	assert_true(seen > 20);
}

/* Passes only at the times that the last pass requested start the same jobs at the same times as a pass each
 * second. */
static void passes_at_due_times_equal_a_pass_each_second(void **state)
{
	struct rng rng = seeded("due beside what is kept");

	(void)state;
	for (unsigned round = 0; round < many(60); round++) {
		struct scene *sc = begin(below(&rng, POLICIES)), *every;
		uint32_t reserved = 0;
		int64_t end_s;

		for (int step = 0; step < 6; step++)
			random_step(&rng, sc, &reserved, true);
		every = scene_copy(sc);
		end_s = sc->now_s + HORIZON;
		scene_play(sc, end_s);
		for (int64_t at_s = every->now_s; at_s <= end_s; at_s++) {
			scene_go(every, at_s);
			while (scene_pass(every) > 0)
				;
		}
		assert_int_equal(snapshot_count(scene_view(sc), TABLE_WAITING),
				 snapshot_count(scene_view(every), TABLE_WAITING));
		assert_int_equal(snapshot_count(scene_view(sc), TABLE_RUNNING),
				 snapshot_count(scene_view(every), TABLE_RUNNING));
		for (uint32_t i = 0; i < snapshot_count(scene_view(sc), TABLE_RUNNING); i++) {
			const struct job *job =
				&snapshot_jobs(scene_view(sc))[snapshot_running(scene_view(sc))[i]];

			assert_int_equal(job->start_s, scene_job_of(every, job->id)->start_s);
		}
		scene_free(sc);
		scene_free(every);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_do_not_overlap_reservations_that_exclude_them),
		cmocka_unit_test(the_estimated_start_of_a_single_idle_job_is_the_earliest_possible),
		cmocka_unit_test(an_idle_job_names_a_reservation_only_if_one_blocks_it),
		cmocka_unit_test(passes_at_due_times_equal_a_pass_each_second),
	};

	return cmocka_run_group_tests_name("advance", tests, NULL, NULL);
}
