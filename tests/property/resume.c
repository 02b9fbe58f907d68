/* SPDX-License-Identifier: MIT */
/*
 * resume.c - a scheduler that is stopped at any step and restarted continues as if it had not been stopped
 *
 * A simulated cluster with an operator runs once without interruption and once with many
 * restarts, with a ledger in memory and with a store on disk. Both runs have the same events with
 * the same numbers at the same times, and each restart restores the state.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/host/arrivals.h"
#include "sched/host/driver.h"
#include "store/store.h"
#include "tests/memory_ledger.h"
#include "tests/seed.h"
#include "tests/store_dir.h"

/* The events that the driver reported to its watcher. */
struct watched {
	struct str text; /* "3 submit 1 at 10 by u1" a line */
	unsigned count;
};

static void watch(void *self, const struct event *ev, const struct snapshot *after)
{
	struct watched *w = self;

	assert_int_equal(after->seq, ev->seq);
	assert_int_equal(after->now_s, ev->time_s);
	str_addf(&w->text, "%" PRIu64 " %s %" PRIu64 " at %" PRId64 " by %s\n", ev->seq,
		 event_kind_name(ev->kind), ev->job, ev->time_s, ev->who);
	w->count++;
}

static const struct fake_cluster cluster = {.nodes = 16, .node_procs = 4, .node_mem_mb = 8000};

#define JOBS 400

static struct sim_origin origin_of(uint64_t seed)
{
	return (struct sim_origin){
		.seed = seed, .next_index = 1, .job_limit = JOBS, .load_pct = 130, .last_s = 0, .active = 1};
}

/* Options that use all counters of a pass, so that all of them must be restored. */
static const char busy_conf[] =
	"reservationdepth = 3\nreservationpolicy = highest\nqueuetimeweight = 1\nxfactorweight = "
	"100\nprocweight = 2\n"
	"bypassweight = 3\nfspolicy = dedicatedps\nfsinterval = \"1:00:00\"\nfsdepth = 5\nfsdecay = 0.7\n"
	"fsuserweight = 20\nfsgroupweight = 5\nidlepromotion = newest\nnodeallocationpolicy = minresource\n"
	"user DEFAULT { fstarget = 10.0 maxijob = {\"6\"} maxjob = {\"4,8\"} maxps = {\"200000,900000\"} }\n"
	"group DEFAULT { maxproc = {\"40,56\"} }\nclass DEFAULT { maxjob = {\"USER=5\"} }\n";

static struct driver *open_driver(struct ledger ledger, uint64_t seed, struct watched *w)
{
	struct sim_origin origin = origin_of(seed);
	struct event ev = {
		.kind = EVENT_CONFIG, .who = "root", .config = {.file = "busy.conf", .text = busy_conf}};
	struct err err;
	struct driver *d = driver_new(fake_from_workload(&cluster, &origin), ledger, &err);

	if (!d)
		fail_msg("%s", err.text);
	driver_set_watch(d, watch, w);
	if (driver_view(d)->config_text == 0 && driver_post(d, &ev, 1, &err) != DRIVER_DONE)
		fail_msg("%s", err.text);
	return d;
}

static struct event hold(uint64_t job, bool on)
{
	return (struct event){
		.kind = EVENT_HOLD, .job = job, .who = "ann", .hold = {.bits = JOB_HOLD_USER, .on = on}};
}

/* An operator sometimes holds or releases an idle job or changes a weight; the state decides when. */
static void operate(struct driver *d)
{
	const struct snapshot *s = driver_view(d);
	uint64_t turn = s->seq;
	struct event ev = {
		.kind = EVENT_SETTING, .who = "ann", .setting = {"xfactorweight", turn % 2 ? "50" : "200"}};
	struct err err;

	if (turn % 7 == 3 && snapshot_count(s, TABLE_WAITING) > 0) {
		const struct job *job = &snapshot_jobs(s)[snapshot_waiting(s)[0].slot];

		ev = hold(job->id, (job->holds & JOB_HOLD_USER) == 0);
	} else if (turn % 29 != 5) {
		return;
	}
	if (driver_post(d, &ev, 1, &err) != DRIVER_DONE)
		fail_msg("%s", err.text);
}

/* One step of the driver. False: the run is over. */
static bool one_step(struct driver *d)
{
	int64_t at_s = driver_next_s(d);
	struct err err;

	if (at_s == TIME_NEVER)
		return false;
	if (!driver_step(d, at_s, &err))
		fail_msg("%s", err.text);
	operate(d);
	return true;
}

static void run_through(struct ledger ledger, uint64_t seed, struct watched *w, uint64_t *hash)
{
	struct driver *d = open_driver(ledger, seed, w);

	while (one_step(d))
		;
	*hash = state_hash(driver_view(d));
	driver_free(d);
}

static void check_same_events(struct watched *through, struct watched *stopped)
{
	const char *a = str_text(&through->text), *b = str_text(&stopped->text);

	assert_true(through->count > 2 * JOBS);
	while (*a && *a == *b)
		a++, b++;
	if (*a || *b)
		fail_msg("with restarts the events differ: '%.60s' instead of '%.60s'", a, b);
	str_free(&through->text);
	str_free(&stopped->text);
}

static void a_scheduler_resumes_from_a_ledger_in_memory(void **state)
{
	struct rng rng = seeded("stopped over memory");
	uint64_t seed = rng_u64(&rng), hash;
	struct watched through = {.count = 0}, stopped = {.count = 0};
	struct memory_ledger m;
	struct driver *d;
	unsigned turn = 0;

	(void)state;
	run_through((struct ledger){0}, seed, &through, &hash);
	memory_begin(&m);
	d = open_driver(memory_ledger(&m), seed, &stopped);
	while (one_step(d)) {
		if (++turn % 40 != 0)
			continue;
		driver_free(d);
		d = open_driver(memory_ledger(&m), seed, &stopped);
	}
	assert_true(state_hash(driver_view(d)) == hash);
	driver_free(d);
	if (m.fault.text[0])
		fail_msg("%s", m.fault.text);
	memory_end(&m);
	check_same_events(&through, &stopped);
}

static struct store *open_store(const char *dir)
{
	struct err err;
	struct store *s = store_open(dir, STORE_CHANGE, &err);

	if (!s)
		fail_msg("%s", err.text);
	return s;
}

static void a_scheduler_resumes_from_a_store(void **state)
{
	struct rng rng = seeded("stopped over a store");
	uint64_t seed = rng_u64(&rng), hash;
	struct watched through = {.count = 0}, stopped = {.count = 0};
	struct store_dir dir;
	struct store *store;
	struct driver *d;
	struct err err;
	unsigned turn = 0;

	(void)state;
	run_through((struct ledger){0}, seed, &through, &hash);
	make_store_dir(&dir);
	store = open_store(dir.path);
	d = open_driver(store_ledger(store), seed, &stopped);
	while (one_step(d)) {
		uint64_t before = state_hash(driver_view(d));

		if (++turn % 150 != 0)
			continue;
		driver_free(d);
		store_close(store);
		store = open_store(dir.path);
		d = open_driver(store_ledger(store), seed, &stopped);
		assert_true(state_hash(driver_view(d)) == before);
	}
	assert_true(state_hash(driver_view(d)) == hash);
	driver_free(d);
	if (!store_verify(store, &err))
		fail_msg("%s", err.text);
	store_close(store);
	remove_store_dir(&dir);
	check_same_events(&through, &stopped);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_scheduler_resumes_from_a_ledger_in_memory),
		cmocka_unit_test(a_scheduler_resumes_from_a_store),
	};

	return cmocka_run_group_tests_name("resume", tests, NULL, NULL);
}
