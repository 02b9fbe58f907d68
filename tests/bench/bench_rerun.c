/* SPDX-License-Identifier: MIT */
/*
 * bench_rerun.c - the time to replay a whole journal
 *
 * A simulated cluster writes its store: 50 000 jobs within 30 days, with fairshare, limits and several
 * reservations. Then its journal is read and replayed, first with the recorded passes, then with passes
 * when they are due. The budget is a minute; BENCH_QUICK uses a tenth of the jobs and of the
 * budget.
 *
 * The sizes of the jobs are those of a cluster of 1 024 processors, but their rate is that of 5.4 such
 * clusters.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/host/arrivals.h"
#include "sched/host/driver.h"
#include "sched/host/event_copy.h"
#include "sched/host/rerun.h"
#include "store/store.h"

#define JOBS       50000
#define JOBS_QUICK 5000
#define MANY       4000 /* events in one commit */
#define NODES      688
#define NODE_PROCS 8
#define SIZED_FOR  1024 /* processors */
#define LOAD_PCT   430  /* of these processors */
#define GATE       "<=60"
#define GATE_QUICK "<=6"
#define DAY_S      86400.0

static const char conf[] =
	"reservationdepth = 4\nqueuetimeweight = 1\nxfactorweight = 100\nprocweight = 2\n"
	"fspolicy = dedicatedps\nfsinterval = \"12:00:00\"\nfsdepth = 7\nfsdecay = 0.8\nfsuserweight = 20\n"
	"user DEFAULT { fstarget = 5.0 maxijob = {\"20\"} }\n";

static void exit_unless(bool good, const struct err *err)
{
	if (good)
		return;
	fprintf(stderr, "bench_rerun: %s\n", err->text);
	exit(EXIT_FAILURE);
}

/* A ledger that commits many steps at once, because the time of the disk is measured elsewhere. */
struct many {
	struct ledger store;
	struct arena arena;
	struct event *event;
	size_t count, room;
	const struct snapshot *after;
};

static bool load(void *self, struct state *st, struct err *err)
{
	struct many *m = self;

	return m->store.ops->load(m->store.self, st, err);
}

static bool flush(struct many *m, struct err *err)
{
	struct ledger_step step = {.event = m->event, .event_count = m->count, .after = m->after};
	bool good = m->count == 0 || m->store.ops->commit(m->store.self, &step, err);

	m->count = 0;
	arena_reset(&m->arena);
	return good;
}

static bool commit(void *self, const struct ledger_step *step, struct err *err)
{
	struct many *m = self;

	for (size_t i = 0; i < step->event_count; i++) {
		m->event = vec_room(m->event, &m->room, m->count + 1, sizeof *m->event);
		m->event[m->count++] = event_copy(&m->arena, &step->event[i]);
	}
	m->after = step->after;
	return m->count < MANY || flush(m, err);
}

static const struct ledger_ops many_ops = {.load = load, .commit = commit};

/* Runs the cluster, whose events are written to the store. */
static void fill(struct store *store, uint64_t jobs)
{
	const struct fake_cluster cluster = {.nodes = NODES, .node_procs = NODE_PROCS, .node_mem_mb = 32000};
	const struct sim_origin origin = {
		.seed = 1, .next_index = 1, .job_limit = jobs, .load_pct = LOAD_PCT, .active = 1};
	struct event ev = {
		.kind = EVENT_CONFIG, .who = "root", .config = {.file = "bench.conf", .text = conf}};
	struct many many = {.store = store_ledger(store)};
	struct err err;
	struct driver *d = driver_new(fake_new(&cluster, arrivals_from_workload(SIZED_FOR, &origin)),
				      (struct ledger){&many_ops, &many}, &err);

	exit_unless(d != NULL, &err);
	exit_unless(driver_post(d, &ev, 1, &err) == DRIVER_DONE, &err);
	for (int64_t at_s; (at_s = driver_next_s(d)) != TIME_NEVER;)
		exit_unless(driver_step(d, at_s, &err), &err);
	exit_unless(flush(&many, &err), &err);
	driver_free(d);
	free(many.event);
	arena_free(&many.arena);
}

static bool record(void *self, const struct event *ev)
{
	return rerun_record_take(self, ev);
}

static bool take(void *self, const struct event *ev)
{
	return rerun_take(self, ev);
}

static void measure(struct store *store, const struct rerun_record *past, const struct snapshot *from,
		    enum rerun_pace pace, const char *what)
{
	struct rerun_setup setup = {.record = past, .from = from, .pace = pace};
	double begin_s = bench_cpu_s(), took_s;
	struct rerun_agreement agreement = {.differs = NULL};
	struct str row = {0};
	struct err err;
	struct rerun *r = rerun_new(&setup, &err);

	exit_unless(r != NULL, &err);
	exit_unless(store_journal(store, 1, false, take, r, &err), &err);
	rerun_finish(r);
	took_s = bench_cpu_s() - begin_s;
	str_addf(&row, "%zu jobs, %.0f days again, %s", past->jobs,
		 (double)(past->last_s - past->from_s) / DAY_S, what);
	bench_report(str_text(&row), took_s, "s CPU", past->jobs < JOBS ? GATE_QUICK : GATE);
	bench_report("  jobs a second", (double)past->jobs / took_s, "jobs/s", NULL);
	rerun_agree(r, &agreement);
	bench_report("  of 100 jobs, in the recorded order",
		     100.0 * agreement.in_order / (agreement.jobs > 0 ? agreement.jobs : 1), "jobs",
		     ">=99.9");
	free(agreement.differs);
	rerun_free(r);
	str_free(&row);
}

int main(void)
{
	struct err err;
	struct store *store = store_open(NULL, STORE_TEMP, &err);
	struct state *from = state_new();
	struct rerun_record past;

	exit_unless(store != NULL, &err);
	fill(store, getenv("BENCH_QUICK") != NULL ? JOBS_QUICK : JOBS);
	rerun_record_begin(&past, state_view(from), 0, TIME_NEVER);
	exit_unless(store_journal(store, 1, false, record, &past, &err), &err);
	rerun_record_finish(&past);
	past.until_s = past.last_s;
	bench_report("a journal: entries", (double)past.entries, "", NULL);
	bench_report("  days", (double)(past.last_s - past.from_s) / DAY_S, "", NULL);
	measure(store, &past, state_view(from), RERUN_AS_RECORDED, "as recorded (budget 60 s)");
	measure(store, &past, state_view(from), RERUN_WHEN_DUE, "when due (budget 60 s)");
	rerun_record_clear(&past);
	state_free(from);
	store_close(store);
	return EXIT_SUCCESS;
}
