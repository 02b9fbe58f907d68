/* SPDX-License-Identifier: MIT */
/*
 * because.c - the reported consequences of a change, compared with a replay without it
 *
 * A simulated cluster with a store, in which weights are changed at certain times. The consequences of each
 * change are requested, and the whole simulation is repeated without this change. The jobs whose start
 * differs must be the reported ones, with the reported start times.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/host/arrivals.h"
#include "sched/host/driver.h"
#include "store/store.h"
#include "tests/seed.h"
#include "tui/report/impact.h"

#define RUNS      10
#define CHANGES   10 /* in each run */
#define JOBS      120
#define FIRST_ID  1
#define NOT_GIVEN CHANGES

static const struct fake_cluster cluster = {.nodes = 8, .node_procs = 4, .node_mem_mb = 8000};

static const char conf[] =
	"reservationdepth = 2\nqueuetimeweight = 1\nxfactorweight = 100\nprocweight = 2\n"
	"fspolicy = dedicatedps\nfsinterval = \"1:00:00\"\nfsdepth = 5\nfsdecay = 0.7\nfsuserweight = 20\n"
	"user DEFAULT { fstarget = 10.0 maxijob = {\"6\"} }\n";

struct weight_change {
	int64_t at_s;
	const char *name, *value;
	uint64_t seq; /* the journal entry, once the change was made */
};

/* --- a run ---------------------------------------------------------------------------------------- */

/* The start time of each job, by ID; 0: not started. */
struct start_times {
	int64_t start_s[JOBS + FIRST_ID];
};

static void watch(void *self, const struct event *ev, const struct snapshot *after)
{
	struct start_times *start_times = self;

	(void)after;
	if (ev->kind == EVENT_START && start_times->start_s[ev->job] == 0)
		start_times->start_s[ev->job] = ev->time_s;
}

static void post(struct driver *d, struct event ev, uint64_t *seq)
{
	struct err err;

	ev.who = "ann";
	if (driver_post(d, &ev, 1, &err) != DRIVER_DONE)
		fail_msg("%s", err.text);
	*seq = ev.seq;
}

static void make_change(struct driver *d, struct weight_change *c, bool given)
{
	if (given)
		post(d,
		     (struct event){.kind = EVENT_SETTING,
				    .time_s = c->at_s,
				    .setting = {.name = c->name, .value = c->value}},
		     &c->seq);
}

/* Runs the simulation with all changes except number `without` (NOT_GIVEN: with all). */
static void simulate(struct store *store, uint64_t seed, struct weight_change *c, size_t without,
		     struct start_times *start_times)
{
	struct sim_origin origin = {
		.seed = seed, .next_index = 1, .job_limit = JOBS, .load_pct = 250, .active = 1};
	struct ledger ledger = store == NULL ? (struct ledger){.ops = NULL} : store_ledger(store);
	size_t next = 0;
	struct err err;
	uint64_t seq;
	struct driver *d = driver_new(fake_from_workload(&cluster, &origin), ledger, &err);

	if (d == NULL)
		fail_msg("%s", err.text);
	memset(start_times, 0, sizeof *start_times);
	driver_set_watch(d, watch, start_times);
	post(d, (struct event){.kind = EVENT_CONFIG, .config = {.file = "test.conf", .text = conf}}, &seq);
	for (;;) {
		int64_t at_s = driver_next_s(d);
		bool changes = next < CHANGES && c[next].at_s <= at_s;

		if (at_s == TIME_NEVER && !changes)
			break;
		if (!driver_step(d, changes ? c[next].at_s : at_s, &err))
			fail_msg("%s", err.text);
		if (changes) {
			make_change(d, &c[next], next != without);
			next++;
		}
	}
	driver_free(d);
}

/* --- the comparison --------------------------------------------------------------------------------- */

static const struct rerun_move *move_of(const struct consequences *b, uint64_t id)
{
	for (size_t i = 0; i < b->moves.count; i++)
		if (b->record.job[b->moves.item[i].job].id == id)
			return &b->moves.item[i];
	return NULL;
}

/* The report does not cover starts after the end of its record. */
static int64_t within_record(const struct consequences *b, int64_t start_s)
{
	return start_s == 0 || start_s > b->record.until_s ? TIME_NONE : start_s;
}

static void check_job(const struct consequences *b, uint64_t id, int64_t without_s, int64_t with_s)
{
	const struct rerun_move *move = move_of(b, id);

	if ((move != NULL) != (without_s != with_s) ||
	    (move != NULL && (move->before_s != without_s || move->after_s != with_s)))
		fail_msg("entry %" PRIu64 ": job %" PRIu64 " starts at %" PRId64 " with it, at %" PRId64
			 " without; named are %" PRId64 " and %" PRId64,
			 b->seq, id, with_s, without_s, move == NULL ? 0 : move->after_s,
			 move == NULL ? 0 : move->before_s);
}

static size_t check_change(struct store *store, uint64_t seed, struct weight_change *c, size_t at,
			   const struct start_times *with)
{
	struct consequences b = {.source = {.store = store}, .seq = c[at].seq};
	struct weight_change again[CHANGES];
	struct start_times without;
	struct err err;
	size_t moved;

	memcpy(again, c, sizeof again);
	simulate(NULL, seed, again, at, &without);
	if (!consequences_find(&b, &err))
		fail_msg("%s", err.text);
	for (uint64_t id = FIRST_ID; id < JOBS + FIRST_ID; id++)
		check_job(&b, id, within_record(&b, without.start_s[id]),
			  within_record(&b, with->start_s[id]));
	moved = b.moves.count;
	consequences_clear(&b);
	return moved;
}

static void draw_changes(struct rng *rng, struct weight_change c[CHANGES])
{
	static const char *const names[] = {"xfactorweight", "procweight", "queuetimeweight", "fsuserweight"};
	static const char *const values[] = {"-200", "0", "3", "400", "20000"};
	int64_t at_s = (int64_t)rng_below(rng, 3600);

	for (size_t i = 0; i < CHANGES; i++) {
		at_s += 1 + (int64_t)rng_below(rng, 2400);
		c[i] = (struct weight_change){
			.at_s = at_s, .name = names[rng_below(rng, 4)], .value = values[rng_below(rng, 5)]};
	}
}

static void consequences_of_a_change_equal_a_replay_without_it(void **state)
{
	struct rng rng = seeded("because");
	size_t moved = 0, without_effect = 0;

	(void)state;
	for (int i = 0; i < RUNS; i++) {
		struct store *store = store_open("", STORE_TEMP, NULL);
		uint64_t seed = rng_u64(&rng);
		struct weight_change c[CHANGES];
		struct start_times with;

		draw_changes(&rng, c);
		simulate(store, seed, c, NOT_GIVEN, &with);
		for (size_t at = 0; at < CHANGES; at++) {
			size_t jobs = check_change(store, seed, c, at, &with);

			moved += jobs;
			without_effect += jobs == 0;
		}
		store_close(store);
	}
	printf("# %zu starts moved; %zu of %d changes moved none\n", moved, without_effect, RUNS * CHANGES);
	assert_true(moved > 0);
	assert_true(without_effect < RUNS * CHANGES * 9 / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(consequences_of_a_change_equal_a_replay_without_it),
	};

	return cmocka_run_group_tests_name("because", tests, NULL, NULL);
}
