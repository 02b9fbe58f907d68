/* SPDX-License-Identifier: MIT */
/*
 * test_event.c - effects of events, and the errors of rejected events
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <string.h>

#include "sched/base/str.h"
#include "tests/scene.h"

static void assert_refused(struct scene *sc, struct event ev, const char *sentence)
{
	struct err err;

	assert_string_equal(scene_try(sc, &ev, &err), sentence);
}

/* --- events of a job ------------------------------------------------------------------------------ */

static void a_submission_resets_members_that_it_cannot_set(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct event ev = {.kind = EVENT_SUBMIT};

	(void)state;
	ev.submit.job = (struct job){.submit_s = 7,
				     .wall_limit_s = 60,
				     .tasks = 1,
				     .task_procs = 1,
				     .bypass = 9,
				     .points = 5,
				     .adjust = JOB_ADJUST_ABSOLUTE,
				     .flags = JOB_BACKFILLED,
				     .planned_s = 3,
				     .start_s = 4,
				     .holds = JOB_HOLD_USER};
	scene_apply(sc, &ev);
	assert_int_equal(ev.job, 1);
	assert_int_equal(ev.seq, scene_view(sc)->seq);
	assert_int_equal(scene_job_of(sc, 1)->accrual_s, 7);
	assert_int_equal(scene_job_of(sc, 1)->bypass, 0);
	assert_int_equal(scene_job_of(sc, 1)->points, 0);
	assert_int_equal(scene_job_of(sc, 1)->holds, 0);
	assert_true(scene_job_of(sc, 1)->planned_s == TIME_NEVER);
	assert_true(scene_job_of(sc, 1)->start_s == TIME_NONE);
	scene_free(sc);
}

static void ids_are_sequential_and_unique(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct event ev = {.kind = EVENT_SUBMIT, .job = 41};

	(void)state;
	ev.submit.job = (struct job){.wall_limit_s = 60, .tasks = 1, .task_procs = 1};
	scene_apply(sc, &ev);
	assert_int_equal(scene_submit(sc, 1, 1), 42);
	assert_refused(sc, ev, "job ID 41 is already in use");
	scene_free(sc);
}

/* Jobs of a log have given IDs; other jobs get larger ones, independent of the order. */
static void ids_of_a_log_are_reserved(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct event ev = {.kind = EVENT_SUBMIT, .job = 3};

	(void)state;
	ev.submit.job = (struct job){.wall_limit_s = 60, .tasks = 1, .task_procs = 1};
	state_reserve_ids(sc->st, 7);
	assert_int_equal(scene_submit(sc, 1, 1), 8);
	scene_apply(sc, &ev);
	assert_int_equal(scene_job_of(sc, 3)->state, JOB_IDLE);
	assert_int_equal(scene_submit(sc, 1, 1), 9);
	ev.job = 7;
	scene_apply(sc, &ev);
	assert_int_equal(scene_submit(sc, 1, 1), 10);
	scene_free(sc);
}

static void submissions_out_of_bounds_are_refused(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct event ev = {.kind = EVENT_SUBMIT};

	(void)state;
	ev.submit.job = (struct job){.wall_limit_s = 60, .task_procs = 1};
	assert_refused(sc, ev, "a job needs at least one processor");
	ev.submit.job.tasks = 65536;
	ev.submit.job.task_procs = 65536;
	assert_refused(
		sc, ev,
		"a job can request at most 4294967295 processors, not 65536 tasks of 65536 processors each");
	ev.submit.job.task_procs = 1;
	ev.submit.job.wall_limit_s = -1;
	assert_refused(sc, ev, "a wallclock limit must be between 1 and 253402300799 seconds, got -1");
	ev.submit.job.wall_limit_s = 60;
	ev.submit.job.base_holds = 8;
	assert_refused(sc, ev, "unknown kind of hold; the kinds are user, system and batch");
	scene_free(sc);
}

static void start_allocates_nodes_and_end_releases_them(void **state)
{
	struct scene *sc = scene_new(2, 2);
	uint64_t job = scene_submit(sc, 4, 100);

	(void)state;
	scene_start(sc, job, 0, 2, 2);
	assert_int_equal(scene_job_of(sc, job)->state, JOB_RUNNING);
	assert_int_equal(scene_view(sc)->procs_busy, 4);
	scene_end(sc, job);
	assert_int_equal(scene_view(sc)->procs_busy, 0);
	assert_int_equal(state_find(sc->st, job), INDEX_NONE);
	scene_free(sc);
}

static void starts_beyond_free_resources_are_refused(void **state)
{
	static const struct alloc_run twice[] = {{.node = 1, .nodes = 1, .procs = 1},
						 {.node = 0, .nodes = 2, .procs = 1}};
	struct scene *sc = scene_new(2, 2);
	struct alloc_run run = {.node = 0, .nodes = 1, .procs = 2};
	struct event ev = {.kind = EVENT_START, .start = {.runs = &run, .count = 1}};

	(void)state;
	scene_submit(sc, 1, 100);
	ev.job = scene_submit(sc, 2, 100);
	scene_start(sc, 1, 0, 1, 1);
	assert_refused(sc, ev, "job 2 cannot start: node n001 has only 1 processors free");
	run.node = 2;
	assert_refused(sc, ev, "job 2 is to run on nodes that do not exist");
	run = (struct alloc_run){.node = 1, .nodes = UINT32_MAX, .procs = 2};
	assert_refused(sc, ev, "job 2 is to run on nodes that do not exist");
	run = (struct alloc_run){.node = 1, .nodes = 1, .procs = 1};
	assert_refused(sc, ev, "job 2 is to run on 1 processors, but requested 2");
	ev.start.runs = twice;
	ev.start.count = 2;
	assert_refused(sc, ev, "job 2 is to run on node n001 twice");
	scene_free(sc);
}

static void only_idle_jobs_can_start_and_only_running_jobs_can_end(void **state)
{
	static const struct alloc_run run = {.node = 0, .nodes = 1, .procs = 1};
	struct scene *sc = scene_new(1, 2);
	struct event start = {.kind = EVENT_START, .job = 1, .start = {.runs = &run, .count = 1}};
	struct event end = {.kind = EVENT_END, .job = 2};

	(void)state;
	sc->now_s = 60;
	scene_submit(sc, 1, 100);
	scene_submit(sc, 1, 100);
	scene_start(sc, 1, 0, 1, 1);
	assert_refused(sc, start, "job 1 has run for 0:00:00; a start applies only to idle jobs");
	assert_refused(sc, end, "job 2 is Idle; an end does not apply");
	end.job = 9;
	assert_refused(sc, end, "job 9 is not in the queue: it does not exist or has ended");
	end.job = 0;
	assert_refused(sc, end, "job 0 is not in the queue: it does not exist or has ended");
	scene_free(sc);
}

static void idle_job_is_cancelled_at_once_and_running_job_at_its_end(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event ev = {.kind = EVENT_CANCEL, .job = 2};

	(void)state;
	scene_submit(sc, 1, 100);
	scene_submit(sc, 1, 100);
	scene_hold(sc, 1, JOB_HOLD_USER);
	scene_cancel(sc, 1);
	assert_int_equal(state_find(sc->st, 1), INDEX_NONE);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_CHANGES), 0);
	scene_start(sc, 2, 0, 1, 1);
	scene_cancel(sc, 2);
	assert_int_equal(scene_job_of(sc, 2)->flags & JOB_CANCELLED, JOB_CANCELLED);
	assert_int_equal(scene_job_of(sc, 2)->state, JOB_RUNNING);
	assert_refused(sc, ev, "job 2 is already cancelled; it leaves the queue when its end is reported");
	ev.job = 1;
	assert_refused(sc, ev, "job 1 is not in the queue: it does not exist or has ended");
	scene_end(sc, 2);
	scene_free(sc);
}

static void usage_of_a_running_job_is_recorded(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event ev = {.kind = EVENT_USED, .job = 1, .used = {.ps = 77}};

	(void)state;
	scene_submit(sc, 1, 100);
	assert_refused(sc, ev, "usage was reported for job 1, which is not running");
	scene_start(sc, 1, 0, 1, 1);
	scene_apply(sc, &ev);
	assert_int_equal(scene_job_of(sc, 1)->used_ps, 77);
	ev.used.ps = -1;
	assert_refused(sc, ev, "job 1 was reported with negative usage");
	scene_free(sc);
}

static void node_measurements_are_recorded(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event ev = {.kind = EVENT_LOAD, .load = {.node = "n001", .used = NODE_NOT_MEASURED}};

	(void)state;
	ev.load.used.load = 1.5;
	scene_apply(sc, &ev);
	assert_true(snapshot_nodes(scene_view(sc))[0].used.load == 1.5);
	assert_true(snapshot_nodes(scene_view(sc))[0].used.mem_mb == -1);
	assert_int_equal(snapshot_nodes(scene_view(sc))[0].used_by, 0);
	ev.load.by = "python3 of eva";
	scene_apply(sc, &ev);
	assert_string_equal(snapshot_string(scene_view(sc), snapshot_nodes(scene_view(sc))[0].used_by),
			    "python3 of eva");
	ev.load.used.load = NAN;
	assert_refused(sc, ev, "the reported load of node n001 is not a number");
	ev.load.node = "n9";
	assert_refused(sc, ev, "the load of an unknown node n9 was reported");
	scene_free(sc);
}

/* --- events of operators -------------------------------------------------------------------------- */

static void holds_are_refused_with_the_reason(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event hold = {.kind = EVENT_HOLD, .job = 1, .hold = {.bits = JOB_HOLD_USER, .on = true}};
	struct event release = {.kind = EVENT_HOLD, .job = 2, .hold = {.bits = JOB_HOLD_USER}};

	(void)state;
	sc->now_s = 39009;
	scene_add(sc, (struct scene_job){.label = "eleven"});
	scene_submit(sc, 1, 100);
	scene_start(sc, 1, 0, 1, 1);
	assert_refused(sc, hold, "job eleven has run for 0:00:00; a hold applies only to idle jobs");
	assert_refused(sc, release, "job 2 has no such hold (its holds: none)");
	scene_hold(sc, 2, JOB_HOLD_USER);
	hold.job = 2;
	assert_refused(sc, hold, "job 2 already has that hold (user)");
	hold.hold.bits = 0;
	assert_refused(sc, hold, "no kind of hold was given; the kinds are user, system and batch");
	hold.hold.bits = 8;
	assert_refused(sc, hold, "no kind of hold was given; the kinds are user, system and batch");
	hold.hold.bits = JOB_HOLD_USER;
	hold.job = 77;
	assert_refused(sc, hold, "job 77 is not in the queue: it does not exist or has ended");
	release.hold.bits = JOB_HOLD_ALL;
	scene_apply(sc, &release);
	assert_int_equal(scene_job_of(sc, 2)->holds, 0);
	scene_free(sc);
}

static void priorities_have_bounds(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event ev = {.kind = EVENT_PRIORITY, .job = scene_submit(sc, 1, 100)};

	(void)state;
	ev.priority.adjust = 3;
	assert_refused(sc, ev, "a priority can only be set, changed by points, or reset");
	ev.priority.adjust = JOB_ADJUST_RELATIVE;
	ev.priority.points = -1000000001;
	assert_refused(
		sc, ev,
		"a change of priority must be between -1000000000 and 1000000000 points, got -1000000001");
	ev.priority.points = 1000000001;
	assert_refused(
		sc, ev,
		"a change of priority must be between -1000000000 and 1000000000 points, got 1000000001");
	scene_priority(sc, 1, JOB_ADJUST_RELATIVE, 1000000000);
	scene_priority(sc, 1, JOB_ADJUST_RELATIVE, -1000000000);
	ev.priority.adjust = JOB_ADJUST_ABSOLUTE;
	ev.priority.points = -1;
	assert_refused(sc, ev, "an absolute priority must not be negative, got -1");
	scene_start(sc, 1, 0, 1, 1);
	ev.priority.points = 1;
	assert_refused(sc, ev, "job 1 has run for 0:00:00; a priority applies only to idle jobs");
	scene_free(sc);
}

static void a_modification_needs_an_attribute_and_a_value(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event ev = {.kind = EVENT_MODIFY, .job = scene_submit(sc, 1, 100), .modify.value = "5"};
	struct event keep = {.kind = EVENT_KEEP};

	(void)state;
	assert_refused(sc, ev, "an attribute and a value are required");
	ev.modify.name = "mem";
	ev.modify.value = NULL;
	assert_refused(sc, ev, "an attribute and a value are required");
	keep.keep.seq = scene_modify(sc, 1, "mem", "5");
	assert_non_null(
		strstr(scene_try(sc, &keep, &(struct err){""}), "is not a temporary change in force"));
	keep.keep.seq = 99;
	assert_refused(sc, keep, "entry 99 is not a temporary change in force");
	scene_free(sc);
}

static void settings_that_do_not_exist_are_refused(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event ev = {.kind = EVENT_SETTING, .setting = {.name = "xfactorwieght", .value = "1"}};

	(void)state;
	assert_refused(sc, ev, "there is no option xfactorwieght; did you mean xfactorweight?");
	ev.setting.name = "node[n001].procs";
	assert_refused(
		sc, ev,
		"procs of a node cannot be changed while the scheduler runs; write it in the configuration");
	scene_free(sc);
}

static void error_says_why_an_undo_is_impossible(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event undo = {.kind = EVENT_UNDO};
	uint64_t released;

	(void)state;
	scene_submit(sc, 1, 100);
	undo.undo.seq = scene_view(sc)->seq;
	assert_refused(sc, undo,
		       "entry 2 cannot be undone: it is not a change of an operator, or what it changed no "
		       "longer exists");
	undo.undo.seq = 99;
	assert_refused(sc, undo,
		       "entry 99 cannot be undone: it is not a change of an operator, or what it changed no "
		       "longer exists");
	scene_hold(sc, 1, JOB_HOLD_USER);
	released = scene_release(sc, 1, JOB_HOLD_USER);
	undo.undo.seq = scene_set(sc, "xfactorweight", "3");
	scene_undo(sc, undo.undo.seq);
	assert_refused(sc, undo, "entry 5 has been undone already");
	scene_pass(sc);
	undo.undo.seq = released;
	assert_refused(sc, undo, "entry 4 cannot be undone: job 1 has started since");
	scene_end(sc, 1);
	assert_refused(sc, undo,
		       "entry 4 cannot be undone: it is not a change of an operator, or what it changed no "
		       "longer exists");
	scene_free(sc);
}

/* --- other events --------------------------------------------------------------------------------- */

static void time_does_not_go_back(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event ev = {.kind = EVENT_SIM, .time_s = 99};

	(void)state;
	sc->now_s = 100;
	scene_submit(sc, 1, 100);
	assert_refused(sc, ev,
		       "an event is 0:00:01 earlier than the previous event; only a change of the system "
		       "clock can set the time back");
	ev.kind = (enum event_kind)200;
	assert_refused(sc, ev, "an event of unknown kind 200");
	scene_free(sc);
}

static void nodes_never_shrink_below_their_jobs(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct event ev = {.kind = EVENT_NODE, .node = {.procs = 2}};

	(void)state;
	assert_refused(sc, ev, "a node was reported without a name");
	ev.node.name = "n001";
	scene_submit(sc, 3, 100);
	scene_pass(sc);
	assert_refused(sc, ev, "node n001 was reported with 2 processors, but its running jobs use 3");
	ev.node = (struct node_record){.name = "n001", .procs = 3, .mem_mb = -1};
	assert_refused(sc, ev, "node n001 was reported with a negative amount of memory or disk");
	ev.node.mem_mb = 0;
	scene_apply(sc, &ev);
	assert_int_equal(scene_view(sc)->procs_total, 3);
	ev.node.disk_mb = MEMORY_MAX_MB + 1;
	assert_refused(sc, ev,
		       "node n001 was reported with 1099511627777 MB of memory or disk; the maximum is "
		       "1099511627776 MB");
	ev.node.disk_mb = MEMORY_MAX_MB;
	scene_apply(sc, &ev);
	for (int i = 0; i < 2; i++) {
		ev.node.speed = i == 0 ? INFINITY : 1;
		ev.node.procspeed = i == 1 ? INFINITY : 1;
		assert_refused(sc, ev, "node n001 was reported with an invalid speed");
	}
	ev.node.speed = ev.node.procspeed = 1;
	ev.node.access = ACCESS_SINGLETASK + 1;
	assert_refused(sc, ev, "node n001 was reported with an access policy that does not exist");
	ev.node.name = "";
	assert_refused(sc, ev, "a node was reported without a name");
	scene_free(sc);
}

static void changes_of_a_pass_are_events(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct bypassed bypassed[] = {{.job = 1, .by = 2}, {.job = 9, .by = 1}};
	struct event plan = {.kind = EVENT_PLAN, .job = 1, .plan = {.start_s = 500}};
	struct event accrual = {.kind = EVENT_ACCRUAL, .job = 1};
	struct event bypass = {.kind = EVENT_BYPASS, .bypass = {.item = bypassed, .count = 2}};

	(void)state;
	scene_submit(sc, 1, 100);
	scene_apply(sc, &plan);
	assert_int_equal(scene_job_of(sc, 1)->planned_s, 500);
	assert_int_equal(scene_view(sc)->planned, 1);
	scene_apply(sc, &accrual);
	assert_int_equal(scene_view(sc)->paused, 1);
	sc->now_s = 70;
	accrual.accrual.on = true;
	scene_apply(sc, &accrual);
	assert_int_equal(scene_job_of(sc, 1)->accrual_s, 70);
	assert_int_equal(scene_view(sc)->paused, 0);
	assert_refused(sc, bypass, "job 9 is not idle");
	bypass.bypass.count = 1;
	scene_apply(sc, &bypass);
	assert_int_equal(scene_job_of(sc, 1)->bypass, 2);
	scene_start(sc, 1, 0, 1, 1);
	assert_int_equal(scene_view(sc)->planned, 0);
	plan.time_s = 0;
	assert_refused(sc, plan, "job 1 is not idle");
	scene_free(sc);
}

static void events_that_free_resources_are_noted(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_set(sc, "reservationpolicy", "highest");
	scene_submit(sc, 4, 100);
	scene_pass(sc);
	scene_submit(sc, 4, 100);
	scene_pass(sc);
	assert_int_equal(scene_view(sc)->ends_pending, 0);
	scene_end(sc, 1);
	assert_int_equal(scene_view(sc)->ends_pending, 1);
	scene_pass(sc);
	assert_int_equal(scene_view(sc)->ends_pending, 0);
	scene_end(sc, 2); /* no job has a reservation */
	assert_int_equal(scene_view(sc)->ends_pending, 0);
	scene_free(sc);
}

static const struct array_range four = {1, 7, 2};
static const struct {
	struct event ev;
	const char *line;
} event_lines[] = {
	{{.kind = EVENT_HOLD, .job = 12, .hold = {.bits = JOB_HOLD_USER, .on = true}}, "hold user 12"},
	{{.kind = EVENT_HOLD, .job = 12, .hold = {.bits = JOB_HOLD_SYSTEM}}, "release system 12"},
	{{.kind = EVENT_SETTING, .setting = {"xfactorweight", "1000"}}, "set xfactorweight = 1000"},
	{{.kind = EVENT_UNDO, .undo = {7}}, "undo 7"},
	{{.kind = EVENT_PRIORITY, .job = 3, .priority = {JOB_ADJUST_RELATIVE, -5}},
	 "change priority of 3 by -5"},
	{{.kind = EVENT_PRIORITY, .job = 3, .priority = {JOB_ADJUST_ABSOLUTE, 5}}, "set priority of 3 = 5"},
	{{.kind = EVENT_PRIORITY, .job = 3}, "reset priority of 3 to the computed value"},
	{{.kind = EVENT_START, .job = 3, .start = {.backfilled = true}}, "start 3 (backfilled)"},
	{{.kind = EVENT_END, .job = 3, .end = {.status = 1, .at_limit = true}},
	 "end 3, status 1, at its wallclock limit"},
	{{.kind = EVENT_PLAN, .job = 3, .plan = {.start_s = 60}}, "reservation of 3 at 1970-01-01T00:01:00"},
	{{.kind = EVENT_PLAN, .job = 3, .plan = {.start_s = TIME_NEVER}}, "reservation of 3 dropped"},
	{{.kind = EVENT_ACCRUAL, .job = 3}, "queue time of 3 stops"},
	{{.kind = EVENT_NODE, .node = {.name = "n1", .procs = 4}}, "node n1: 4 processors"},
	{{.kind = EVENT_HOLD, .job = 12, .hold = {JOB_HOLD_USER, true, "not yet"}}, "hold user 12: not yet"},
	{{.kind = EVENT_CANCEL, .job = 3}, "cancel 3"},
	{{.kind = EVENT_MODIFY, .job = 3, .modify = {"mem", "4gb"}}, "modify 3: mem = 4gb"},
	{{.kind = EVENT_DEFER, .job = 3, .defer = {60, "no room", false, false}},
	 "3 deferred until 1970-01-01T00:01:00: no room"},
	{{.kind = EVENT_DEFER, .job = 3, .defer = {TIME_NONE, NULL, false, false}},
	 "3 is no longer deferred"},
	{{.kind = EVENT_DEFER, .job = 3, .defer = {TIME_NONE, "refused", true, false}},
	 "start of 3 failed, it is idle again: refused"},
	{{.kind = EVENT_DEFER, .job = 3, .defer = {60, NULL, true, false}},
	 "start of 3 failed, deferred until 1970-01-01T00:01:00"},
	{{.kind = EVENT_DEFER, .job = 3, .defer = {60, "out of memory", true, true}},
	 "start of 3 failed, retried at 1970-01-01T00:01:00: out of memory"},
	{{.kind = EVENT_USED, .job = 3, .used = {77}}, "3 has used 77 processor-seconds"},
	{{.kind = EVENT_LOAD, .load = {"n1", {1.5, -1, 100, -1, 7}, NULL}},
	 "node n1: load 1.5 memory 100 MB disk 7 MB"},
	{{.kind = EVENT_LOAD, .load = {"n1", {1.5, 2, -1, -1, -1}, "python3 of eva"}},
	 "node n1: load 1.5 processors 2, mostly by python3 of eva"},
	{{.kind = EVENT_ORDER, .job = 3, .order = {"n2 n1"}}, "nodes for 3: n2 n1"},
	{{.kind = EVENT_ORDER, .job = 3}, "no order of nodes for 3"},
	{{.kind = EVENT_LOAD, .load = {"n1", {0, 2.5, 0, 0, 0}, NULL}},
	 "node n1: load 0 processors 2.5 memory 0 MB swap 0 MB disk 0 MB"},
	{{.kind = EVENT_LOAD, .load = {"n1", {-1, 0, -1, 8, -1}, NULL}}, "node n1: processors 0 swap 8 MB"},
	{{.kind = EVENT_CONFIG, .config = {.file = "kahu.conf"}}, "configuration read from kahu.conf"},
	{{.kind = EVENT_SIM, .sim = {.next_index = 8}}, "simulated workload at job 8"},
	{{.kind = EVENT_START, .job = 3}, "start 3"},
	{{.kind = EVENT_END, .job = 3, .end = {.lost = true, .why = "its node died"}},
	 "end 3, status unknown: its node died"},
	{{.kind = EVENT_END, .job = 3, .end = {.why = ""}}, "end 3, status 0"},
	{{.kind = EVENT_KEEP, .keep = {7}}, "keep 7"},
	{{.kind = EVENT_ACCRUAL, .job = 3, .accrual.on = true}, "queue time of 3 accrues again"},
	{{.kind = EVENT_ACCRUAL, .job = 3, .accrual = {false, 2, NULL}},
	 "queue time of 3 and of 2 more jobs stops"},
	{{.kind = EVENT_ELIGIBLE, .job = 3, .eligible = {true, 1, NULL}},
	 "3 and 1 more jobs are now eligible"},
	{{.kind = EVENT_ELIGIBLE, .job = 3, .eligible.on = true}, "3 is now eligible"},
	{{.kind = EVENT_ELIGIBLE, .job = 3}, "3 is no longer eligible"},
	{{.kind = EVENT_BYPASS, .bypass = {.count = 2}}, "backfill bypassed 2 jobs"},
	{{.kind = EVENT_PASS}, "reservations moved up after job ends"},
	{{.kind = EVENT_SUSPEND, .job = 3, .suspend = {.on = true}}, "suspend 3"},
	{{.kind = EVENT_SUSPEND, .job = 3}, "resume 3"},
	{{.kind = EVENT_REQUEUE, .job = 3}, "requeue 3"},
	{{.kind = EVENT_SIGNAL, .job = 3, .signal = {SIGUSR1}}, "signal USR1 to 3"},
	{{.kind = EVENT_SIGNAL, .job = 3, .signal = {63}}, "signal 63 to 3"},
	{{.kind = EVENT_HALT}, "the scheduler resumes"},
	{{.kind = EVENT_HALT, .halt = {true, 0}}, "the scheduler is paused"},
	{{.kind = EVENT_HALT, .halt = {true, 1}}, "the scheduler pauses after 1 more pass"},
	{{.kind = EVENT_HALT, .halt = {true, 2}}, "the scheduler pauses after 2 more passes"},
	{{.kind = EVENT_CLOCK, .time_s = 60, .clock = {.by_s = -3600}},
	 "the system clock was set back by 1:00:00, from 1970-01-01T01:01:00"},
	{{.kind = EVENT_CLOCK, .time_s = 3720, .clock = {.by_s = 3660}},
	 "the system clock was set forward by 1:01:00, from 1970-01-01T00:01:00"},
	{{.kind = EVENT_RESERVE, .reserve = {"maint", "start=60 end=120 node=n1*2 user=eva reason=a day"}},
	 "reserve maint: n1*2 for user eva from 1970-01-01T00:01:00 to 1970-01-01T00:02:00: a day"},
	{{.kind = EVENT_RESERVE, .reserve = {NULL, "start=60 nodes=ALL"}},
	 "reserve all nodes for nobody from 1970-01-01T00:01:00"},
	{{.kind = EVENT_RESERVE, .reserve = {"maint", "nonsense"}}, "reserve maint"},
	{{.kind = EVENT_UNRESERVE, .reserve = {"maint", NULL}}, "release reservation maint"},
	{{.kind = EVENT_UNRESERVE}, "release reservation "},
	{{.kind = EVENT_MODIFY, .job = 3, .modify = {"starttime", "+1:00"}},
	 "modify 3: starttime = 1970-01-01T00:01:00"},
	{{.kind = EVENT_MODIFY, .job = 3, .modify = {"starttime", "when it suits"}},
	 "modify 3: starttime = when it suits"},
	{{.kind = EVENT_HOLD,
	  .job = 12,
	  .time_s = 60,
	  .until_s = 3660,
	  .why = "a test",
	  .hold = {.bits = JOB_HOLD_USER, .on = true}},
	 "hold user 12 for 1:00:00: a test"},
	{{.kind = EVENT_UNDO, .time_s = 60, .until_s = 60, .undo = {7}}, "undo 7"},
	{{.kind = EVENT_SUBMIT, .job = 3, .submit = {.job = {.tasks = 1, .task_procs = 1}}},
	 "submit 3: 1 processor, user none"},
	{{.kind = EVENT_SUBMIT,
	  .job = 3,
	  .submit = {.job = {.tasks = 2, .task_procs = 3, .wall_limit_s = 60},
		     .cred = {[CRED_USER] = "eva"}}},
	 "submit 3: 6 processors for 0:01:00, user eva"},
	{{.kind = EVENT_SUBMIT,
	  .job = 3,
	  .submit = {.job = {.tasks = 1, .task_procs = 1}, .ranges = &four, .range_count = 1}},
	 "submit 3[], 4 tasks: 1 processor, user none"},
	{{.kind = EVENT_KIND_COUNT}, ""},
	{{.kind = EVENT_USAGE, .usage = {.begin_s = 60, .count = 5}},
	 "fairshare usage of 1970-01-01T00:01:00: 5 credentials"},
};

static void events_have_a_one_line_description(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof event_lines / sizeof *event_lines; i++) {
		struct str out = {0};

		event_describe(&event_lines[i].ev, NULL, &out);
		assert_string_equal(str_text(&out), event_lines[i].line);
		str_free(&out);
	}
	assert_string_equal(event_kind_name(EVENT_SUBMIT), "submit");
	assert_string_equal(event_kind_name(EVENT_KIND_COUNT), "unknown");
	assert_true(event_can_undo(EVENT_UNDO) && event_can_undo(EVENT_HOLD));
	assert_false(event_can_undo(EVENT_START) || event_can_undo(EVENT_CONFIG));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_submission_resets_members_that_it_cannot_set),
		cmocka_unit_test(ids_are_sequential_and_unique),
		cmocka_unit_test(ids_of_a_log_are_reserved),
		cmocka_unit_test(submissions_out_of_bounds_are_refused),
		cmocka_unit_test(start_allocates_nodes_and_end_releases_them),
		cmocka_unit_test(starts_beyond_free_resources_are_refused),
		cmocka_unit_test(only_idle_jobs_can_start_and_only_running_jobs_can_end),
		cmocka_unit_test(idle_job_is_cancelled_at_once_and_running_job_at_its_end),
		cmocka_unit_test(usage_of_a_running_job_is_recorded),
		cmocka_unit_test(node_measurements_are_recorded),
		cmocka_unit_test(holds_are_refused_with_the_reason),
		cmocka_unit_test(priorities_have_bounds),
		cmocka_unit_test(a_modification_needs_an_attribute_and_a_value),
		cmocka_unit_test(settings_that_do_not_exist_are_refused),
		cmocka_unit_test(error_says_why_an_undo_is_impossible),
		cmocka_unit_test(time_does_not_go_back),
		cmocka_unit_test(nodes_never_shrink_below_their_jobs),
		cmocka_unit_test(changes_of_a_pass_are_events),
		cmocka_unit_test(events_that_free_resources_are_noted),
		cmocka_unit_test(events_have_a_one_line_description),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
