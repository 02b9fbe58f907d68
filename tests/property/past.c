/* SPDX-License-Identifier: MIT */
/*
 * past.c - past states and priorities are reproduced exactly
 *
 * A simulated cluster with a store, in which an operator makes random changes. At random times, which may lie
 * between two journal entries, the hash of the state and the priorities of some idle jobs are recorded.
 * Afterwards each of these times is looked up in the journal and everything is recomputed: the state is
 * equal, and every number of every priority is equal bit for bit. Reading leaves the store unchanged, byte
 * for byte. MANY=40 compares more than 10 000 priorities.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/host/arrivals.h"
#include "sched/host/driver.h"
#include "sched/host/files.h"
#include "sched/pass/queue.h"
#include "sched/policy/priority.h"
#include "sched/state/state.h"
#include "store/store.h"
#include "tests/many.h"
#include "tests/store_dir.h"

#define JOBS_MOST 10
#define JOBS      1200
#define FILE_MAX  ((size_t)1 << 30)

/* All kinds of factors of a priority. */
static const char conf[] =
	"reservationdepth = 3\nqueuetimeweight = 1\nxfactorweight = 100\nprocweight = 2\nbypassweight = 3\n"
	"userweight = 2\nfspolicy = dedicatedps\nfsinterval = \"1:00:00\"\nfsdepth = 5\nfsdecay = 0.7\n"
	"fsuserweight = 20\nfsgroupweight = 5\n"
	"user DEFAULT { fstarget = 10.0 maxijob = {\"6\"} maxjob = {\"4,8\"} maxps = {\"200000,900000\"} }\n";

struct job_priority {
	uint64_t job;
	struct prio_result priority;
};

struct sample {
	int64_t at_s;
	uint64_t seq, hash;
	struct job_priority priority[JOBS_MOST];
	unsigned count;
};

static struct driver *open_driver(struct ledger ledger, uint64_t seed)
{
	static const struct fake_cluster cluster = {.nodes = 16, .node_procs = 4, .node_mem_mb = 8000};
	struct sim_origin origin = {
		.seed = seed, .next_index = 1, .job_limit = JOBS, .load_pct = 130, .active = 1};
	struct event ev = {
		.kind = EVENT_CONFIG, .who = "root", .config = {.file = "past.conf", .text = conf}};
	struct err err;
	struct driver *d = driver_new(fake_from_workload(&cluster, &origin), ledger, &err);

	if (!d || driver_post(d, &ev, 1, &err) != DRIVER_DONE)
		fail_msg("%s", err.text);
	return d;
}

/* Changes a weight, holds or releases a job, or undoes a random change. */
static void make_random_change(struct rng *rng, struct driver *d, int64_t now_s)
{
	const struct snapshot *s = driver_view(d);
	uint32_t waiting = snapshot_count(s, TABLE_WAITING), changes = snapshot_count(s, TABLE_CHANGES);
	struct event ev = {.who = "ann", .time_s = now_s};
	char value[16];

	if (rng_below(rng, 3) == 0 && changes > 0) {
		ev.kind = EVENT_UNDO;
		ev.undo.seq = snapshot_changes(s)[rng_below(rng, changes)].seq;
	} else if (rng_below(rng, 2) == 0 && waiting > 0) {
		const struct job *job = &snapshot_jobs(s)[snapshot_waiting(s)[rng_below(rng, waiting)].slot];

		ev.kind = EVENT_HOLD;
		ev.job = job->id;
		ev.hold.bits = JOB_HOLD_USER;
		ev.hold.on = (job->holds & JOB_HOLD_USER) == 0;
	} else {
		snprintf(value, sizeof value, "%u", (unsigned)rng_below(rng, 300));
		ev.kind = EVENT_SETTING;
		ev.setting.name = "xfactorweight";
		ev.setting.value = value;
	}
	if (driver_post(d, &ev, 1, NULL) == DRIVER_FAILED)
		fail_msg("the store could not be written");
}

/* Records the priorities of random idle jobs, or, with `again`, of the jobs recorded there. */
static void take_priorities(const struct snapshot *s, int64_t at_s, struct rng *rng, struct sample *out,
			    const struct sample *again)
{
	uint32_t waiting = snapshot_count(s, TABLE_WAITING);
	struct queue q = {.idle = NULL};

	queue_build(&q, s, at_s);
	out->count = again ? again->count : waiting < JOBS_MOST ? waiting : JOBS_MOST;
	for (unsigned i = 0; i < out->count; i++) {
		uint32_t slot = again ? snapshot_find_job(s, again->priority[i].job)
				      : snapshot_waiting(s)[rng_below(rng, waiting)].slot;

		assert_true(slot != INDEX_NONE);
		memset(&out->priority[i], 0, sizeof out->priority[i]);
		out->priority[i].job = snapshot_jobs(s)[slot].id;
		queue_priority(s, &snapshot_jobs(s)[slot], at_s, &q.shares, &out->priority[i].priority);
	}
	queue_clear(&q);
}

/* Records a moment between this step and the next. False: there is none, or no job is idle. */
static bool take_sample(struct rng *rng, const struct driver *d, struct sample *out)
{
	const struct snapshot *s = driver_view(d);
	int64_t next_s = driver_next_s(d);

	if (next_s == TIME_NEVER || next_s <= s->now_s || snapshot_count(s, TABLE_WAITING) == 0)
		return false;
	out->at_s = s->now_s + (int64_t)rng_below(rng, (uint64_t)(next_s - s->now_s));
	out->seq = s->seq;
	out->hash = state_hash(s);
	take_priorities(s, out->at_s, rng, out, NULL);
	return true;
}

static unsigned run_cluster(struct rng *rng, struct driver *d, struct sample *sample, unsigned most)
{
	unsigned count = 0;
	int64_t at_s;
	struct err err;

	while (count < most && (at_s = driver_next_s(d)) != TIME_NEVER) {
		if (!driver_step(d, at_s, &err))
			fail_msg("%s", err.text);
		if (rng_below(rng, 10) == 0)
			make_random_change(rng, d, at_s);
		if (rng_below(rng, 20) == 0)
			count += take_sample(rng, d, &sample[count]);
	}
	return count;
}

static bool same_bits(const void *a, const void *b, size_t size)
{
	return memcmp(a, b, size) == 0;
}

static void check_same_priority(const struct job_priority *now, const struct job_priority *then, int64_t at_s)
{
	const struct prio_result *a = &now->priority, *b = &then->priority;
	bool same = a->rank == b->rank && a->bounded == b->bounded &&
		    same_bits(&a->sum, &b->sum, sizeof a->sum) &&
		    same_bits(a->value, b->value, sizeof a->value) &&
		    same_bits(a->capped, b->capped, sizeof a->capped) &&
		    same_bits(a->weighted, b->weighted, sizeof a->weighted) &&
		    same_bits(a->component, b->component, sizeof a->component);

	if (!same)
		fail_msg("job %" PRIu64 " at %" PRId64 " had the priority %.17g, recomputed as %.17g",
			 then->job, at_s, b->sum, a->sum);
}

static void check_sample(struct store *store, const struct sample *then)
{
	struct state *st = state_new();
	struct sample now = {.count = 0};
	struct store_moment m;
	struct err err;

	if (!store_moment_of_time(store, then->at_s, &m, NULL, &err) ||
	    !store_state_at(store, m.seq, st, &err))
		fail_msg("%s", err.text);
	assert_int_equal(m.seq, then->seq);
	assert_true(state_hash(state_view(st)) == then->hash);
	take_priorities(state_view(st), then->at_s, NULL, &now, then);
	for (unsigned i = 0; i < then->count; i++)
		check_same_priority(&now.priority[i], &then->priority[i], then->at_s);
	state_free(st);
}

/* A hash of the data file of the store. */
static uint64_t fingerprint(struct store_dir *dir)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	struct str bytes = {0};
	struct err err;

	if (!file_read(name_in(dir, "data.mdb"), FILE_MAX, &bytes, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < bytes.len; i++)
		h = (h ^ (unsigned char)bytes.data[i]) * UINT64_C(0x100000001b3);
	str_free(&bytes);
	return h;
}

static void past_states_and_priorities_are_reproduced_exactly(void **state)
{
	struct rng rng = seeded("moments of the past");
	unsigned most = many(30), taken = 0, count = 0;
	struct sample *sample = calloc(most, sizeof *sample);

	(void)state;
	while (count < most) {
		unsigned before = count;
		struct store_dir dir;
		struct err err;
		struct store *store;
		struct driver *d;
		uint64_t bytes;

		make_store_dir(&dir);
		store = store_open(dir.path, STORE_CHANGE, &err);
		if (!store)
			fail_msg("%s", err.text);
		d = open_driver(store_ledger(store), rng_u64(&rng));
		count += run_cluster(&rng, d, sample + count, most - count);
		driver_free(d);
		store_close(store);
		bytes = fingerprint(&dir);
		store = store_open(dir.path, STORE_READ, &err);
		assert_non_null(store);
		for (unsigned i = before; i < count; i++) {
			check_sample(store, &sample[i]);
			taken += sample[i].count;
		}
		assert_true(store_verify(store, &err));
		store_close(store);
		assert_true(fingerprint(&dir) == bytes);
		remove_store_dir(&dir);
	}
	printf("# %u priorities at %u moments\n", taken, count);
	assert_true(taken > count);
	free(sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(past_states_and_priorities_are_reproduced_exactly),
	};

	return cmocka_run_group_tests_name("past", tests, NULL, NULL);
}
