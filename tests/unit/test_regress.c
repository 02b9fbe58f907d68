/* SPDX-License-Identifier: MIT */
/*
 * test_regress.c - compares decisions and answers of the scheduler in fixed runs with stored records
 *
 * Each run ("life") is a small cluster of a site with random events of a fixed seed. The record of a site
 * (tests/regress/NAME.txt) contains the decisions of each pass, the time of the next pass, the reasons and
 * estimated starts of the waiting jobs, and at the end the results of the projection, the search for changes,
 * the lint rules, the comparison of priorities and undo. Other tests derive the expected results from rules;
 * this test finds changes that they do not check. After an intended change, or a change of tests/chance.c,
 * run it with KAHU_REGRESS=write and review the difference before committing it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/forecast/plan.h"
#include "sched/forecast/project.h"
#include "sched/forecast/remedies.h"
#include "sched/lint/lint.h"
#include "sched/pass/crossover.h"
#include "sched/pass/gate.h"
#include "sched/state/undo_plan.h"
#include "tests/acts.h"
#include "tests/chance.h"

#define STEPS        12
#define ACTS         40
#define LIVES        4 /* runs in each record, with different seeds */
#define ASKED        2 /* waiting jobs of each run for which changes are searched */
#define PLANS_EVERY  3
#define FIRST_SECOND 1774368000 /* start time of the runs of chance.c */

/* --- a record ------------------------------------------------------------------------------------ */

static void add_moment(struct str *out, int64_t at_s)
{
	if (at_s == TIME_NEVER)
		str_add(out, "never");
	else if (at_s == TIME_NONE)
		str_add(out, "none");
	else
		str_addf(out, "%lld", (long long)(at_s >= FIRST_SECOND ? at_s - FIRST_SECOND : at_s));
}

static void add_event(struct str *out, const struct event *ev)
{
	struct str text = {0};

	event_describe(ev, NULL, &text);
	str_add(out, str_text(&text));
	str_free(&text);
}

/* Writes a reason; of a limit, its kind, its scope and whether it is the hard value. */
static void add_reason(struct str *out, const struct reason *reason)
{
	str_addf(out, "%s", reason->gate == GATE_NONE ? "free" : gate_rows[reason->gate].name);
	if (reason->cred != INDEX_NONE || reason->gate == GATE_ACTIVE_HARD ||
	    reason->gate == GATE_ACTIVE_SOFT)
		str_addf(out, ", limit %d.%d.%d of %d %d", reason->kind, reason->scope, reason->hard,
			 (int)reason->cred, (int)reason->second);
	if (reason->lack != LACK_NONE)
		str_addf(out, ", lack %d", reason->lack);
	str_add(out, ": ");
	add_moment(out, reason->value);
	str_add(out, " of ");
	add_moment(out, reason->limit);
	str_addf(out, ", asked %lld, other %llu, until ", (long long)reason->asked,
		 (unsigned long long)reason->other);
	add_moment(out, reason->until_s);
}

static void add_decision(struct str *out, const struct cycle_result *r, const struct decision *d)
{
	static const char *const name[] = {"resume", "start",   "plan",   "unplan", "accrue",
					   "pause",  "promote", "demote", "bypass", "pass"};

	str_addf(out, "  %s %llu%s", name[d->kind], (unsigned long long)d->job,
		 d->backfilled ? " backfilled" : "");
	if (d->kind == DECIDE_BYPASS)
		str_addf(out, " %u", d->count);
	if (d->kind == DECIDE_PLAN) {
		str_add(out, " at ");
		add_moment(out, d->planned_s);
	}
	if (d->kind == DECIDE_START || d->kind == DECIDE_PLAN)
		for (uint32_t i = d->first_run; i < d->first_run + d->run_count; i++)
			str_addf(out, " %u+%u*%u", r->runs[i].node, r->runs[i].nodes, r->runs[i].procs);
	str_add_char(out, '\n');
}

static void add_pass(struct str *out, struct scene *sc)
{
	struct cycle_result r;

	cycle_run(sc->cycle, scene_view(sc), sc->now_s, true, &r);
	str_add(out, "pass ");
	add_moment(out, sc->now_s);
	str_add(out, ", next ");
	add_moment(out, r.next_due_s);
	str_add_char(out, '\n');
	for (uint32_t i = 0; i < r.decision_count; i++)
		add_decision(out, &r, &r.decision[i]);
	scene_pass(sc);
}

/* --- answers ------------------------------------------------------------------------------------- */

static void add_plan(struct str *out, const struct scene *sc)
{
	const struct snapshot *s = scene_view(sc);
	struct plan plan = {.start_s = NULL};

	plan_build(&plan, s, sc->now_s);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
		uint32_t slot = snapshot_waiting(s)[i].slot;

		str_addf(out, "  job %llu starts ", (unsigned long long)snapshot_jobs(s)[slot].id);
		add_moment(out, plan.start_s[slot]);
		str_add(out, ", ");
		add_reason(out, &plan.reason[slot]);
		str_add_char(out, '\n');
	}
	plan_clear(&plan);
}

static void add_findings(struct str *out, const struct scene *sc)
{
	struct plan plan = {.start_s = NULL};
	struct lint_list list = {.count = 0};

	plan_build(&plan, scene_view(sc), sc->now_s);
	lint_state(&list, scene_view(sc), &plan);
	for (size_t i = 0; i < list.count; i++)
		str_addf(out, "  finding %s line %d option %s fix %s\n", list.item[i].id, list.item[i].line,
			 list.item[i].option, list.item[i].fix);
	lint_free(&list);
	plan_clear(&plan);
}

static void add_projection(struct str *out, const struct scene *sc)
{
	const struct snapshot *s = scene_view(sc);
	struct project_setup setup = {.from_s = sc->now_s, .until_s = TIME_NEVER};
	struct projection p = {.start_s = NULL};

	assert_true(project_run(&p, s, &setup));
	str_addf(out, "projection: %u of %u start\n", p.started, p.waiting);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
		uint32_t slot = snapshot_waiting(s)[i].slot;

		str_addf(out, "  job %llu from ", (unsigned long long)snapshot_jobs(s)[slot].id);
		add_moment(out, p.start_s[slot]);
		str_add(out, " to ");
		add_moment(out, p.end_s[slot]);
		str_add_char(out, '\n');
	}
	project_clear(&p);
}

static void add_change(struct str *out, const struct remedy *c)
{
	str_add(out, "  ");
	add_event(out, &c->ev);
	str_add(out, ": starts ");
	add_moment(out, c->starts_s);
	str_addf(out, ", delays %u (%u never) by %lld s, loses %lld%s", c->delayed, c->forever,
		 (long long)c->delay_sum_s, (long long)c->work_lost_ps, c->partial ? ", at least" : "");
	for (uint32_t i = 0; i < c->delays; i++) {
		str_addf(out, ", %llu by ", (unsigned long long)c->delay[i].job);
		add_moment(out, c->delay[i].by_s);
	}
	str_add_char(out, '\n');
}

static void add_remedies(struct str *out, const struct scene *sc, uint32_t slot)
{
	const struct snapshot *s = scene_view(sc);
	struct remedies_setup setup = {.now_s = sc->now_s, .by_s = sc->now_s};
	struct remedies found = {.change = NULL};

	assert_true(remedies_find(&found, s, slot, &setup));
	str_addf(out, "changes for job %llu: %s, left %u, last %s, holds %s, ending %llu, starts ",
		 (unsigned long long)snapshot_jobs(s)[slot].id, remedies_search_name(found.search),
		 found.left, found.last.first == GATE_NONE ? "-" : gate_rows[found.last.first].name,
		 found.holds == GATE_NONE ? "-" : gate_rows[found.holds].name,
		 (unsigned long long)found.ending);
	add_moment(out, found.start_s);
	str_add(out, ", by ");
	add_moment(out, found.by_s);
	str_add_char(out, '\n');
	for (size_t i = 0; i < found.count; i++)
		add_change(out, &found.change[i]);
	remedies_clear(&found);
}

static void add_crossings(struct str *out, const struct scene *sc)
{
	const struct snapshot *s = scene_view(sc);
	struct plan plan = {.start_s = NULL};

	plan_build(&plan, s, sc->now_s);
	for (uint32_t i = 1; i < plan.queue.idle_count; i++) {
		struct crossover_pair pair;
		struct crossover_nearest nearest;
		struct str name = {0};

		crossover_measure(&pair, s, plan.queue.idle[i - 1].slot, plan.queue.idle[i].slot, sc->now_s,
				  &plan.queue.shares);
		nearest = crossover_nearest(&pair);
		if (!nearest.found)
			continue;
		crossover_name(&pair, nearest.weight, &name);
		str_addf(out, "  %llu and %llu change places at %s = %lld\n",
			 (unsigned long long)pair.a.job->id, (unsigned long long)pair.b.job->id,
			 str_text(&name), (long long)nearest.at);
		str_free(&name);
	}
	plan_clear(&plan);
}

static void add_answers(struct str *out, const struct scene *sc)
{
	const struct snapshot *s = scene_view(sc);

	add_plan(out, sc);
	add_findings(out, sc);
	add_projection(out, sc);
	add_crossings(out, sc);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING) && i < ASKED; i++)
		add_remedies(out, sc, snapshot_waiting(s)[i].slot);
}

/* --- runs --------------------------------------------------------------------------------------- */

/* A site: its configuration, and the kinds of random events (chance.h). */
struct site {
	const char *name, *policy;
	unsigned kinds;
};

#define USUAL "rmpollinterval = 10\n"

static const struct site sites[] = {
	{"default", USUAL, CHANCE_DATES},
	{"targets",
	 USUAL
	 "xfactorweight = 20\nxfminwclimit = 30\ntargetxfactorweight = 1.5\ntargetqueuetimeweight = 0.5\n"
	 "procweight = 3\nservicecap = 4000\nqos hi { xftarget = 3 qttarget = 60 xfweight = 7 }\n"
	 "user u1 { qttarget = 90 }\nuser u3 { xftarget = 2 }\n",
	 CHANCE_DATES | CHANCE_TASKS},
	{"signs",
	 USUAL
	 "userweight = 1\nrejectnegpriojobs = true\nenablenegjobpriority = true\nqueuetimeweight = 10\n"
	 "jobprioaccrualpolicy = always\nuser u2 { priority = -25 }\nuser u3 { priority = 9 }\n"
	 "bypassweight = 3\nbypasscap = 12\npartition night { queuetimeweight = 40 xfactorweight = 2 }\n",
	 CHANCE_LATE},
	{"limits",
	 USUAL
	 "idlepromotion = newest\nuser DEFAULT { maxjob = {\"2,4\"} maxijob = {\"2\"} maxps = {\"900,2500\"} "
	 "}\n"
	 "group DEFAULT { maxproc = {\"4,9\", \"QOS:hi=3\"} }\nclass short { max.wclimit = 300 maxjob = "
	 "{\"3\", \"USER=1,2\"} }\nqos hi { omaxproc = {\"6\"} }\nxfactorweight = 5\n",
	 CHANCE_LIMITS},
	{"promotion",
	 USUAL
	 "idlepromotion = priority\nhardpass = idleonly\nuser DEFAULT { maxijob = {\"1\"} }\n"
	 "user u1 { maxijob = {\"3\"} maxwc = {\"200,400\"} }\nsystem { maxijob = {\"5\"} }\nprocweight = 2\n"
	 "xfactorweight = 30\nxfminwclimit = 10\nsystemmaxjobwalltime = 900\n",
	 CHANCE_LIMITS | CHANCE_ARRAYS},
	{"shares",
	 USUAL
	 "fspolicy = dedicatedps\nfsinterval = 40\nfsdepth = 4\nfsdecay = 0.6\nfsweight = 1\nfsuserweight = "
	 "50\n"
	 "fsgroupweight = 9\nuser u1 { fstarget = \"30+\" }\nuser u2 { fstarget = \"25-\" }\n"
	 "user u3 { fstarget = \"40%\" }\ngroup u1 { fstarget = 33 }\ngroup u2 { fstarget = \"2000^\" }\n",
	 CHANCE_LIMITS | CHANCE_LATE},
	{"nodes",
	 USUAL
	 "nodeallocationpolicy = priority\nbackfillpolicy = bestfit\nbackfillmetric = procseconds\n"
	 "node DEFAULT { priorityf = \"APROCS - 2 * JOBCOUNT + 0.5 * CPROCS\" }\nnode n002 { priority = 3 }\n"
	 "memweight = 1\nreservationdepth = 3\n",
	 CHANCE_TASKS},
	{"balance",
	 USUAL
	 "nodeallocationpolicy = maxbalance\nbackfillpolicy = greedy\nbackfillmetric = pe\n"
	 "reservationpolicy = highest\nreservationdepth = 2\npeweight = 4\nnodeaccesspolicy = singleuser\n",
	 CHANCE_TASKS | CHANCE_RESERVED},
	{"strict", USUAL "backfillpolicy = none\nnodeallocationpolicy = contiguous\nxfactorweight = 3\n",
	 CHANCE_TASKS | CHANCE_DATES | CHANCE_RESERVED},
	{"small",
	 USUAL "nodeallocationpolicy = minresource\nreservationpolicy = never\nbackfilldepth = 3\npsweight = "
	       "0.01\n",
	 CHANCE_ARRAYS | CHANCE_RESERVED | CHANCE_TASKS},
};

static struct scene *begin(const struct site *site)
{
	static const struct node_record node[] = {
		{.name = "n001", .procs = 4, .mem_mb = 100, .features = "fast", .speed = 1},
		{.name = "n002",
		 .procs = 4,
		 .mem_mb = 200,
		 .features = "fast tape",
		 .gres = "gpu:2",
		 .speed = 2},
		{.name = "n003", .procs = 2, .mem_mb = 400, .swap_mb = 50, .classes = "short", .speed = 1},
		{.name = "n004",
		 .procs = 3,
		 .mem_mb = 200,
		 .disk_mb = 70,
		 .gres = "gpu:1",
		 .partition = "night"},
	};
	struct scene *sc = scene_new(0, 0);

	sc->now_s = FIRST_SECOND;
	for (size_t i = 0; i < sizeof node / sizeof node[0]; i++)
		scene_node(sc, node[i]);
	scene_config(sc, site->policy);
	return sc;
}

/* Submits a job with requests besides processors. */
static void submit_with_requirements(struct rng *rng, struct scene *sc)
{
	static const char *const features[] = {NULL, "fast", "tape", "fast tape"};
	static const char *const gres[] = {NULL, NULL, "gpu:1", "gpu:2"};
	struct scene_job job = {.procs = 1, .user = "u1", .group = "u2"};

	job.procs += chance_below(rng, 3);
	job.wall_s = 20 + 10 * (int64_t)chance_below(rng, 9);
	job.run_s = 5 + (int64_t)chance_below(rng, 15);
	job.mem_mb = 20 * (int64_t)chance_below(rng, 5);
	job.disk_mb = 30 * (int64_t)chance_below(rng, 2);
	job.features = features[chance_below(rng, 4)];
	job.gres = gres[chance_below(rng, 4)];
	job.prefer = features[chance_below(rng, 3)];
	job.tasks_per_node = chance_below(rng, 3);
	scene_add(sc, job);
}

static void add_life(struct str *out, const struct site *site, uint64_t seed)
{
	struct rng rng;
	struct scene *sc = begin(site);

	rng_seed(&rng, seed);
	str_addf(out, "life %llu\n", (unsigned long long)seed);
	for (int step = 0; step < STEPS; step++) {
		chance_step(&rng, sc, site->kinds, 4);
		if (chance_below(&rng, 3) == 0)
			submit_with_requirements(&rng, sc);
		scene_take_returns(sc);
		scene_take_drops(sc);
		add_pass(out, sc);
		if (step % PLANS_EVERY == 0)
			add_plan(out, sc);
	}
	add_answers(out, sc);
	scene_free(sc);
}

static void add_undo(struct str *out, const struct scene *sc, const struct diary *d)
{
	struct undo_plan t = {0};

	undo_plan_add_after(&t, 0);
	for (size_t i = 0; i < d->count; i++)
		undo_plan_note_event(&t, &d->entry[i]);
	undo_plan_build(&t, scene_view(sc));
	str_addf(out, "undo of all: %zu, %zu cannot\n", t.count, t.cannot);
	for (size_t i = 0; i < t.count; i++)
		str_addf(out, "  %llu %d %s\n", (unsigned long long)t.item[i].seq, t.item[i].end,
			 t.item[i].text != NULL ? t.item[i].text : "");
	undo_plan_clear(&t);
}

/* Writes the actions of operators and the preview of their undo. */
static void add_acts(struct str *out, uint64_t seed)
{
	struct diary d = {.entry = NULL};
	struct rng rng;
	struct scene *sc;

	rng_seed(&rng, seed);
	sc = acts_scene(&rng);
	str_addf(out, "acts %llu\n", (unsigned long long)seed);
	for (int i = 0; i < ACTS; i++) {
		unsigned entries = acts_once(&rng, sc, &d);

		str_addf(out, "act %d: %u entries\n", i, entries);
		acts_wait(sc, sc->now_s + chance_below(&rng, 20), &d);
	}
	add_pass(out, sc);
	add_answers(out, sc);
	add_undo(out, sc, &d);
	free(d.entry);
	scene_free(sc);
}

/* --- comparison ----------------------------------------------------------------------------------- */

static void path_of(const char *name, char path[static 400])
{
	const char *top = getenv("KAHU_SOURCE");

	snprintf(path, 400, "%s/tests/regress/%s.txt", top != NULL ? top : ".", name);
}

static void write_record(const char *path, const struct str *record)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(record->data, 1, record->len, f), record->len);
	assert_int_equal(fclose(f), 0);
}

/* Compares the record line by line with the stored one, and frees it. */
static void compare_record(const char *name, struct str *record)
{
	char path[400], stored_line[1000], *rest = record->data;
	const char *mode = getenv("KAHU_REGRESS");
	FILE *f;

	path_of(name, path);
	if (mode != NULL && strcmp(mode, "write") == 0)
		write_record(path, record);
	f = fopen(path, "r");
	if (f == NULL)
		fail_msg("%s cannot be read", path);
	for (unsigned line = 1; fgets(stored_line, sizeof stored_line, f) != NULL; line++) {
		char *now = strsep(&rest, "\n");

		stored_line[strcspn(stored_line, "\n")] = '\0';
		if (now == NULL || strcmp(now, stored_line) != 0)
			fail_msg("%s:%u: \"%s\" has become \"%s\"", path, line, stored_line,
				 now != NULL ? now : "");
	}
	fclose(f);
	if (rest != NULL && *rest != '\0')
		fail_msg("%s ends before \"%s\"", path, strsep(&rest, "\n"));
	str_free(record);
}

static void runs_of_each_site_equal_their_records(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof sites / sizeof sites[0]; i++) {
		struct str record = {0};

		for (uint64_t seed = 1; seed <= LIVES; seed++)
			add_life(&record, &sites[i], seed);
		compare_record(sites[i].name, &record);
	}
}

static void operator_actions_and_their_undo_equal_their_record(void **state)
{
	struct str record = {0};

	(void)state;
	for (uint64_t seed = 1; seed <= LIVES; seed++)
		add_acts(&record, seed);
	compare_record("acts", &record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_of_each_site_equal_their_records),
		cmocka_unit_test(operator_actions_and_their_undo_equal_their_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
