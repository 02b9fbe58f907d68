/* SPDX-License-Identifier: MIT */
/*
 * bench_cycle.c - the time of one pass over a long queue, under a simple and a full policy, and its growth
 *
 * The same cluster and jobs ordered by queue time alone, and under a full policy: shares of 200 users with
 * usage in all windows, and of the other kinds of credentials, weights of all simple factors, soft and hard
 * limits of users, groups and pairs, limits on eligible jobs, ten reservations. Then the same with jobs that
 * request memory, so that nodes are examined.
 *
 * The pass is repeated on the same snapshot: it is a pure function, so each pass does the same.
 * Reasons are not requested. The growth is measured from the fewest jobs to eight times as many, and given as
 * the factor for twice the jobs: a quadratic pass has 4. It does not count a step at which a cache becomes
 * too small.
 */
#include <math.h>

#include "sched/base/str.h"
#include "sched/pass/cycle.h"
#include "tests/bench/queue_state.h"

#define USERS   200
#define WINDOWS 7
#define DAY_S   INT64_C(86400)

static const char all_off[] = "queuetimeweight = 1\nreservationdepth = 10\n";

static const char all_on[] =
	"reservationdepth = 10\n"
	"fspolicy = dedicatedps\nfsinterval = 24:00:00\nfsdepth = 7\nfsdecay = 0.8\nfsweight = 1\n"
	"fsuserweight = 100\nfsgroupweight = 50\nfsaccountweight = 20\nfsqosweight = 10\nfsclassweight = 10\n"
	"queuetimeweight = 1\nxfactorweight = 1000\nprocweight = 10\n"
	"userweight = 1\ngroupweight = 1\naccountweight = 1\nqosweight = 1\nclassweight = 1\n"
	"user DEFAULT {\n priority = 10\n maxjob = \"40,80\"\n maxproc = \"1024,4096\"\n"
	" maxps = \"100000000,400000000\"\n maxijob = 1000\n}\n"
	"group DEFAULT {\n fstarget = 20\n maxproc = \"8000,12000\"\n}\n"
	"account DEFAULT {\n fstarget = \"25+\"\n}\n"
	"qos DEFAULT {\n fstarget = \"30-\"\n}\n"
	"class DEFAULT {\n fstarget = 50\n maxjob = {\"100,200\", \"USER=20,40\"}\n"
	" maxproc = {\"USER=1024,4096\"}\n}\n";

/* Every user has a different target. */
static void write_all_on(struct str *out)
{
	char user[QUEUE_USER_TEXT];

	str_add(out, all_on);
	for (uint32_t i = 0; i < USERS; i++)
		str_addf(out, "user %s {\n fstarget = 0.%u\n priority = %u\n}\n", queue_user(i, user),
			 1 + i % 9, i);
}

/* The usage of all users in the days before, which is higher for some users than for others. */
static void add_past(struct state *st, uint32_t nodes)
{
	int64_t all = (int64_t)nodes * QUEUE_NODE_PROCS * DAY_S * FS_UNIT;
	int64_t today_s = fs_window_begin(state_view(st)->now_s, DAY_S);
	char name[USERS][QUEUE_USER_TEXT];
	struct used_by used[USERS];

	for (int64_t day = 1; day < WINDOWS; day++) {
		struct event ev = {.kind = EVENT_USAGE, .time_s = state_view(st)->now_s, .who = "bench"};

		for (uint32_t i = 0; i < USERS; i++)
			used[i] = (struct used_by){.type = CRED_USER,
						   .name = queue_user(i, name[i]),
						   .amount = all / USERS * (1 + (i + day) % 3) / 2};
		ev.usage = (struct usage_window){.begin_s = today_s - day * DAY_S,
						 .length_s = DAY_S,
						 .item = used,
						 .count = USERS,
						 .total = all};
		queue_apply(st, &ev);
	}
}

struct pass {
	struct cycle *cycle;
	const struct snapshot *s;
	struct cycle_result result;
};

static void run(void *self)
{
	struct pass *p = self;

	cycle_run(p->cycle, p->s, QUEUE_NOW_S, false, &p->result);
}

static double measure(const struct queue_site *site, uint32_t nodes, uint32_t queued)
{
	struct state *st = queue_state(site, nodes, queued);
	struct pass pass = {.cycle = cycle_new()};
	double took_ms;

	if (state_view(st)->policy.fs_policy != FS_NONE)
		add_past(st, nodes);
	pass.s = state_view(st);
	took_ms = queue_best_ms(run, &pass, queued > 20000 ? 6 : 16);
	cycle_free(pass.cycle);
	state_free(st);
	return took_ms;
}

static void report(uint32_t queued, bool memory, const char *what, double value, const char *unit,
		   const char *gate)
{
	struct str row = {0};

	str_addf(&row, "cycle, %u queued%s, %s", queued, memory ? " with memory" : "", what);
	bench_report(str_text(&row), value, unit, gate);
	str_free(&row);
}

/* Compares the simple and the full policy on 1 000 nodes. */
static void compare(const char *conf, uint32_t queued, bool memory, const char *gate)
{
	const struct queue_site off = {.conf = all_off, .users = USERS, .memory = memory};
	const struct queue_site on = {.conf = conf, .users = USERS, .memory = memory};
	double off_ms = measure(&off, 1000, queued), on_ms = measure(&on, 1000, queued);

	report(queued, memory, "all off", off_ms, "ms", NULL);
	report(queued, memory, "all on", on_ms, "ms", gate);
	report(queued, memory, "on to off", on_ms / off_ms, "times", NULL);
}

static double growth(const struct queue_site *site)
{
	return cbrt(measure(site, 1000, 100000) / measure(site, 1000, 12500));
}

static void measure_growth(const char *conf)
{
	const struct queue_site off = {.conf = all_off, .users = USERS}, on = {.conf = conf, .users = USERS};

	bench_report("cycle, all off, growth for twice the jobs", growth(&off), "times", "<=2.5");
	bench_report("cycle, all on, growth for twice the jobs", growth(&on), "times", "<=3");
	bench_report("cycle, all on, 100000 queued, 10000 nodes", measure(&on, 10000, 100000), "ms", NULL);
}

int main(void)
{
	static const uint32_t queued[] = {1000, 10000, 100000};
	struct str conf = {0};

	write_all_on(&conf);
	for (int memory = 0; memory < 2; memory++)
		for (size_t i = 0; i < sizeof queued / sizeof queued[0]; i++)
			compare(str_text(&conf), queued[i], memory == 1, queued[i] == 10000 ? "<=25" : NULL);
	measure_growth(str_text(&conf));
	str_free(&conf);
	return EXIT_SUCCESS;
}
