/* SPDX-License-Identifier: MIT */
/*
 * advance.c - is what was reserved in advance kept, and nothing more?
 *
 * Random reservations of nodes, of parts of nodes and of all, for a user each or for nobody; random jobs,
 * some on any processors, some particular. A naive look at every node second by second says for each
 * pass: who started overlaps nothing that is kept from him; who did not start could not; and the first to
 * wait is promised the earliest begin there is.
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

/* --- what may happen ------------------------------------------------------------------------------- */

/* Reservation number i is for user u<i>, or for nobody: so whose processors somebody holds is no question. */
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
	scene_try(sc, &ev, &err); /* one that is over cannot be released */
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

/* --- the naive look ----------------------------------------------------------------------------------- */

/* What jobs hold, or are to hold, of a node at a moment: those who are guests of an advance reservation, and
 * the others; with a = NULL all of them are others. */
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

/* with_promises: also what waiting jobs are promised, where that names nodes. */
static struct hold hold_at(const struct snapshot *s, const struct advance *a, uint32_t node, int64_t at_s,
			   bool with_promises)
{
	struct hold hold = {0};

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++) {
		const struct job *job = &snapshot_jobs(s)[i];
		bool runs = job->state == JOB_RUNNING;
		int64_t begin_s = runs ? job->start_s : job->planned_s;

		if (job->state != JOB_RUNNING &&
		    (job->state != JOB_IDLE || !with_promises || job->planned_s == TIME_NEVER))
			continue;
		if (begin_s <= at_s && at_s < begin_s + job->wall_limit_s)
			add_hold(s, job, a, node, &hold);
	}
	return hold;
}

/* Processors that a reservation keeps of a node at a moment. */
static int64_t kept_of(const struct snapshot *s, const struct advance *a, uint32_t node, int64_t at_s)
{
	int64_t kept = 0;

	for (uint32_t i = 0; i < a->run_count && a->begin_s <= at_s && at_s < a->end_s; i++) {
		const struct alloc_run *run = &snapshot_kept_runs(s)[a->first_run + i];

		if (node >= run->node && node < run->node + run->nodes)
			kept += run->procs == 0 ? PROCS : run->procs;
	}
	return kept;
}

/* What is left of a node for a job at a moment. */
static int64_t left_for(const struct snapshot *s, const struct job *job, uint32_t node, int64_t at_s)
{
	int64_t left = PROCS - hold_at(s, NULL, node, at_s, false).others;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_ADVANCES); i++) {
		const struct advance *a = &snapshot_advances(s)[i];
		int64_t unused = kept_of(s, a, node, at_s) - hold_at(s, a, node, at_s, false).guests;

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

/* Tasks of a waiting job that could begin then, beside the running jobs and what is kept. */
static int64_t fitting(const struct snapshot *s, const struct job *job, int64_t begin_s)
{
	int64_t tasks = 0;

	for (uint32_t n = 0; n < NODES; n++) {
		int64_t least = on_hosts(s, job, n) ? PROCS : 0;

		for (int64_t at_s = begin_s; at_s < begin_s + job->wall_limit_s && least > 0; at_s++) {
			int64_t left = left_for(s, job, n, at_s);

			least = left < least ? left : least;
		}
		if (job->access == ACCESS_SINGLEJOB && least < PROCS)
			least = 0; /* a node of its own is one of which nothing is kept */
		tasks += least > 0 ? least / job->task_procs : 0;
	}
	return tasks < job->tasks ? tasks : job->tasks;
}

static bool fits(const struct snapshot *s, const struct job *job, int64_t begin_s)
{
	return fitting(s, job, begin_s) == job->tasks;
}

/* --- what must be so ------------------------------------------------------------------------------------ */

/* Whoever is no guest leaves what is kept, on each of its nodes as long as it may run. */
static void keeps_off(const struct snapshot *s, const struct job *job, int64_t begin_s, bool with_promises)
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
				if (kept_of(s, a, n, at_s) > 0)
					assert_true(hold_at(s, a, n, at_s, with_promises).others +
							    kept_of(s, a, n, at_s) <=
						    PROCS);
		}
	}
}

static void who_started_keeps_off(const struct scene *sc)
{
	const struct snapshot *s = scene_view(sc);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[i]];

		if (job->start_s == sc->now_s)
			keeps_off(s, job, sc->now_s, false);
	}
}

static void promises_keep_off(const struct scene *sc)
{
	const struct snapshot *s = scene_view(sc);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_waiting(s)[i].slot];

		if (job->planned_s != TIME_NEVER && job->run != INDEX_NONE)
			keeps_off(s, job, job->planned_s, true);
	}
}

static void who_waits_could_not_start(const struct scene *sc)
{
	const struct snapshot *s = scene_view(sc);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++)
		assert_false(fits(s, &snapshot_jobs(s)[snapshot_waiting(s)[i].slot], sc->now_s));
}

/* --- the properties --------------------------------------------------------------------------------------
 */

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

/* A moment in the life of the cluster, and the pass in it. */
static void live(struct rng *rng, struct scene *sc, uint32_t *reserved, bool particular)
{
	if (below(rng, 4) == 0 && *reserved < USERS)
		reserve(rng, sc, (*reserved)++);
	if (below(rng, 30) == 0)
		release_one(rng, sc);
	for (uint32_t i = below(rng, 3); i > 0; i--)
		submit(rng, sc, particular && below(rng, 2));
	scene_pass(sc);
}

static void nobody_overlaps_what_is_kept_from_him(void **state)
{
	struct rng rng = seeded("kept from others");

	(void)state;
	for (unsigned round = 0; round < many(150); round++) {
		size_t policy = below(&rng, POLICIES);
		struct scene *sc = begin(policy);
		uint32_t reserved = 0;
		bool particular = below(&rng, 2);

		for (int step = 0; step < 25; step++) {
			live(&rng, sc, &reserved, particular);
			who_started_keeps_off(sc);
			promises_keep_off(sc);
			if (policy < 3)
				who_waits_could_not_start(sc);
			scene_go(sc, sc->now_s + 1 + below(&rng, 8));
		}
		scene_free(sc);
	}
}

/* One job alone waits: its estimate is the first moment at which it fits. */
static void the_estimate_is_the_earliest_begin(void **state)
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
			live(&rng, sc, &reserved, true);
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

/* A reason for each that waits; and it speaks of a reservation only where without any the job would start. */
static void the_reason_names_what_stands_in_the_way(void **state)
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

			live(&rng, sc, &reserved, true);
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
						 fitting(s, &snapshot_jobs(s)[slot], sc->now_s) *
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

/* Passes when a pass asked for one start the same jobs at the same time as a pass each second. */
static void nothing_happens_between_what_was_due(void **state)
{
	struct rng rng = seeded("due beside what is kept");

	(void)state;
	for (unsigned round = 0; round < many(60); round++) {
		struct scene *sc = begin(below(&rng, POLICIES)), *every;
		uint32_t reserved = 0;
		int64_t end_s;

		for (int step = 0; step < 6; step++)
			live(&rng, sc, &reserved, true);
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
		cmocka_unit_test(nobody_overlaps_what_is_kept_from_him),
		cmocka_unit_test(the_estimate_is_the_earliest_begin),
		cmocka_unit_test(the_reason_names_what_stands_in_the_way),
		cmocka_unit_test(nothing_happens_between_what_was_due),
	};

	return cmocka_run_group_tests_name("advance", tests, NULL, NULL);
}
