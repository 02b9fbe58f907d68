/* SPDX-License-Identifier: MIT */
/* test_fake.c - unit tests of the simulated cluster */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>

#include <string.h>

#include "sched/base/str.h"
#include "sched/model/job.h"
#include "sched/rm/fake.h"
#include "tests/seed.h"

static const struct fake_cluster cluster = {.nodes = 4, .node_procs = 2, .node_mem_mb = 4000};

#define RUN_S(id) ((id) % 2 == 0 ? 75 : 60)

/* --- scripted arrivals: job N is submitted at at_s[N - 1] ----------------------------------------- */

struct arrival_list {
	int64_t at_s[8]; /* ascending; ends with TIME_NEVER */
	uint64_t next;   /* index of the next job                 */
	uint64_t adopted_job_id;
	bool closed;
};

static int64_t arrival_list_next_s(const void *self)
{
	const struct arrival_list *m = self;

	return m->at_s[m->next];
}

static void arrival_list_report(void *self, rm_report *report, void *to)
{
	struct arrival_list *m = self;

	for (int64_t now_s = m->at_s[m->next]; m->at_s[m->next] == now_s; m->next++) {
		const struct event ev = {.time_s = now_s,
					 .kind = EVENT_SUBMIT,
					 .job = m->next + 1,
					 .who = "eva",
					 .submit = {.job = {.not_before_s = TIME_NONE,
							    .submit_s = now_s,
							    .start_s = TIME_NONE,
							    .planned_s = TIME_NEVER,
							    .wall_limit_s = 100,
							    .true_run_s = RUN_S(m->next + 1),
							    .tasks = 1,
							    .task_procs = 1}}};

		report(to, &ev);
	}
}

static void arrival_list_adopt(void *self, const struct snapshot *s)
{
	struct arrival_list *m = self;

	m->adopted_job_id = s->next_job_id;
	m->next = s->next_job_id - 1;
}

static void arrival_list_close(void *self)
{
	struct arrival_list *m = self;

	m->closed = true;
}

static const struct arrivals_ops arrival_list_ops = {
	.next_s = arrival_list_next_s,
	.report = arrival_list_report,
	.adopt = arrival_list_adopt,
	.close = arrival_list_close,
};

static struct rm cluster_with(struct arrival_list *m)
{
	return fake_new(&cluster, (struct arrivals){&arrival_list_ops, m});
}

/* --- reported events, one line each: "submit 7 at 100" -------------------------------------------- */

static void note_event(void *self, const struct event *ev)
{
	struct str *out = self;

	switch (ev->kind) {
	case EVENT_NODE:
		str_addf(out, "node %s of %u procs %lld MB\n", ev->node.name, ev->node.procs,
			 (long long)ev->node.mem_mb);
		break;
	case EVENT_SUBMIT:
		str_addf(out, "submit %llu at %lld\n", (unsigned long long)ev->job, (long long)ev->time_s);
		break;
	case EVENT_END:
		str_addf(out, "end %llu at %lld%s", (unsigned long long)ev->job, (long long)ev->time_s,
			 ev->end.at_limit ? " at its limit" : "");
		if (ev->end.status != 0)
			str_addf(out, " status %d", (int)ev->end.status);
		str_add(out, "\n");
		break;
	default:
		fail_msg("an event of kind %d is not a cluster's to report", (int)ev->kind);
	}
}

static void check_poll(struct rm *rm, int64_t now_s, const char *expected)
{
	struct str out = {0};

	rm->ops->poll(rm->self, now_s, note_event, &out);
	assert_string_equal(str_text(&out), expected);
	str_free(&out);
}

static void start_job(struct rm *rm, uint64_t id, int64_t now_s, int64_t run_s, int64_t limit_s)
{
	const struct job job = {.id = id, .true_run_s = run_s, .wall_limit_s = limit_s};
	const struct alloc_run run = {.node = 0, .nodes = 1, .procs = 1};
	struct err err;

	assert_true(rm->ops->start(rm->self, &(struct rm_start){.job = &job, .runs = &run, .run_count = 1},
				   now_s, &err));
}

/* --- nodes ---------------------------------------------------------------------------------------- */

static void nodes_are_named_by_number(void **state)
{
	struct arrival_list none = {.at_s = {TIME_NEVER}};
	struct rm rm = cluster_with(&none);
	struct str out = {0};

	(void)state;
	rm.ops->nodes(rm.self, NULL, note_event, &out);
	assert_string_equal(str_text(&out), "node n001 of 2 procs 4000 MB\nnode n002 of 2 procs 4000 MB\n"
					    "node n003 of 2 procs 4000 MB\nnode n004 of 2 procs 4000 MB\n");
	rm.ops->close(rm.self);
	str_free(&out);
}

static void names_of_a_thousand_nodes_have_four_digits(void **state)
{
	const struct fake_cluster large = {.nodes = 1000, .node_procs = 1};
	struct arrival_list none = {.at_s = {TIME_NEVER}};
	struct rm rm = fake_new(&large, (struct arrivals){&arrival_list_ops, &none});
	struct str out = {0};

	(void)state;
	rm.ops->nodes(rm.self, NULL, note_event, &out);
	assert_memory_equal(str_text(&out), "node n0001 of 1", 15);
	assert_non_null(strstr(str_text(&out), "node n1000 of 1"));
	rm.ops->close(rm.self);
	str_free(&out);
}

static void nodes_can_be_listed_individually(void **state)
{
	static const struct node_record node[] = {
		{.name = "big", .procs = 8, .mem_mb = 9000, .features = "tape"},
		{.name = "small", .procs = 1, .mem_mb = 10},
	};
	const struct fake_cluster mixed = {.nodes = 2, .node = node};
	struct arrival_list none = {.at_s = {TIME_NEVER}};
	struct rm rm = fake_new(&mixed, (struct arrivals){&arrival_list_ops, &none});
	struct str out = {0};

	(void)state;
	rm.ops->nodes(rm.self, NULL, note_event, &out);
	assert_string_equal(str_text(&out), "node big of 8 procs 9000 MB\nnode small of 1 procs 10 MB\n");
	assert_int_equal(fake_cluster_procs(&mixed), 9);
	assert_int_equal(fake_cluster_procs(&cluster), 8);
	rm.ops->close(rm.self);
	str_free(&out);
}

/* --- times of reports ----------------------------------------------------------------------------- */

static void arrivals_are_reported_at_their_time_and_not_before(void **state)
{
	struct arrival_list m = {.at_s = {10, 10, 20, TIME_NEVER}};
	struct rm rm = cluster_with(&m);

	(void)state;
	assert_int_equal(rm.ops->next_s(rm.self), 10);
	check_poll(&rm, 9, "");
	check_poll(&rm, 10, "submit 1 at 10\nsubmit 2 at 10\n");
	assert_int_equal(rm.ops->next_s(rm.self), 20);
	check_poll(&rm, 25, "submit 3 at 20\n");
	assert_true(rm.ops->next_s(rm.self) == TIME_NEVER);
	rm.ops->close(rm.self);
}

static void ends_are_reported_before_arrivals_of_the_same_second_by_job_id(void **state)
{
	struct arrival_list m = {.at_s = {10, 10, 70, TIME_NEVER}};
	struct rm rm = cluster_with(&m);

	(void)state;
	check_poll(&rm, 10, "submit 1 at 10\nsubmit 2 at 10\n");
	start_job(&rm, 2, 10, 60, 60);
	start_job(&rm, 1, 10, 60, 60);
	assert_int_equal(rm.ops->next_s(rm.self), 70);
	check_poll(&rm, 70, "end 1 at 70\nend 2 at 70\nsubmit 3 at 70\n");
	rm.ops->close(rm.self);
}

static void a_late_poll_reports_in_order_of_time(void **state)
{
	struct arrival_list m = {.at_s = {10, 80, TIME_NEVER}};
	struct rm rm = cluster_with(&m);

	(void)state;
	check_poll(&rm, 10, "submit 1 at 10\n");
	start_job(&rm, 1, 10, 100, 100);
	start_job(&rm, 7, 10, 60, 60);
	check_poll(&rm, 1000, "end 7 at 70\nsubmit 2 at 80\nend 1 at 110\n");
	rm.ops->close(rm.self);
}

static void a_job_is_stopped_at_its_limit(void **state)
{
	struct arrival_list none = {.at_s = {TIME_NEVER}};
	struct rm rm = cluster_with(&none);

	(void)state;
	start_job(&rm, 5, 10, 900, 600);
	start_job(&rm, 6, 10, 600, 600);
	check_poll(&rm, 610, "end 5 at 610 at its limit\nend 6 at 610\n");
	rm.ops->close(rm.self);
}

static void a_cancelled_job_ends_at_once_with_the_status_of_a_cancellation(void **state)
{
	const struct job running = {.id = 5}, unknown = {.id = 6};
	struct arrival_list none = {.at_s = {TIME_NEVER}};
	struct rm rm = cluster_with(&none);
	struct err err;

	(void)state;
	start_job(&rm, 4, 10, 600, 600);
	start_job(&rm, 5, 10, 600, 600);
	assert_false(rm.ops->cancel(rm.self, &unknown, 100, &err));
	assert_string_equal(err.text, "job 6 does not run on this cluster");
	assert_true(rm.ops->cancel(rm.self, &running, 100, &err));
	assert_int_equal(rm.ops->next_s(rm.self), 100);
	check_poll(&rm, 700, "end 5 at 100 status 271\nend 4 at 610\n");
	rm.ops->close(rm.self);
}

static void a_job_ends_by_signals_that_end_a_process(void **state)
{
	static const int ending[] = {SIGTERM, SIGKILL, SIGINT}, other[] = {SIGUSR1, SIGHUP, SIGCONT};
	const struct job running = {.id = 5};
	struct arrival_list none = {.at_s = {TIME_NEVER}};
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) {
		struct rm rm = cluster_with(&none);

		start_job(&rm, 5, 10, 600, 600);
		assert_true(rm.ops->signal(rm.self, &running, other[i], 100, &err));
		assert_int_equal(rm.ops->next_s(rm.self), 610);
		assert_true(rm.ops->signal(rm.self, &running, ending[i], 100, &err));
		assert_int_equal(rm.ops->next_s(rm.self), 100);
		rm.ops->close(rm.self);
	}
}

static void a_suspended_job_ends_later_by_the_suspended_time(void **state)
{
	struct job job = {
		.id = 5, .state = JOB_RUNNING, .true_run_s = 50, .wall_limit_s = 100, .start_s = 10};
	struct arrival_list none = {.at_s = {TIME_NEVER}};
	struct rm rm = cluster_with(&none);
	struct err err;

	(void)state;
	start_job(&rm, 5, 10, 50, 100);
	job.real = JOB_REAL_SUSPENDED;
	job.suspended_at_s = 20;
	assert_true(rm.ops->suspend(rm.self, &job, true, &err));
	assert_true(rm.ops->next_s(rm.self) == TIME_NEVER);
	job.real = 0;
	job.suspended_s = 300;
	job.suspended_at_s = 0;
	assert_true(rm.ops->suspend(rm.self, &job, false, &err));
	check_poll(&rm, 700, "end 5 at 360\n");
	assert_false(rm.ops->suspend(rm.self, &job, true, &err));
	assert_string_equal(err.text, "job 5 does not run on this cluster");
	rm.ops->close(rm.self);
}

static void a_suspended_job_can_be_cancelled(void **state)
{
	struct job job = {.id = 5, .state = JOB_RUNNING, .true_run_s = 50, .wall_limit_s = 100};
	struct arrival_list none = {.at_s = {TIME_NEVER}};
	struct rm rm = cluster_with(&none);
	struct err err;

	(void)state;
	start_job(&rm, 5, 0, 50, 100);
	job.real = JOB_REAL_SUSPENDED;
	assert_true(rm.ops->suspend(rm.self, &job, true, &err));
	assert_true(rm.ops->cancel(rm.self, &job, 90, &err));
	job.flags = JOB_CANCELLED;
	assert_true(rm.ops->suspend(rm.self, &job, false, &err));
	check_poll(&rm, 700, "end 5 at 90 status 271\n");
	rm.ops->close(rm.self);
}

static void a_real_job_is_refused(void **state)
{
	const struct job job = {.id = 3, .true_run_s = -1, .wall_limit_s = 60};
	const struct alloc_run run = {.node = 0, .nodes = 1, .procs = 1};
	struct arrival_list none = {.at_s = {TIME_NEVER}};
	struct rm rm = cluster_with(&none);
	struct err err;

	(void)state;
	assert_false(rm.ops->start(rm.self, &(struct rm_start){.job = &job, .runs = &run, .run_count = 1}, 0,
				   &err));
	assert_non_null(strstr(err.text, "job 3 has no run time to simulate"));
	rm.ops->close(rm.self);
}

static void the_source_is_closed_with_the_cluster(void **state)
{
	struct arrival_list m = {.at_s = {TIME_NEVER}};
	struct rm rm = cluster_with(&m);

	(void)state;
	assert_false(m.closed);
	rm.ops->close(rm.self);
	assert_true(m.closed);
}

/* --- adoption ------------------------------------------------------------------------------------- */

struct adopting {
	struct state *st;
	struct rm rm;
};

static void apply_to_state(void *self, const struct event *ev)
{
	struct adopting *a = self;
	struct event copy = *ev;
	struct err err;

	if (copy.kind == EVENT_NODE)
		copy.time_s = 0;
	if (!event_apply(a->st, &copy, &err))
		fail_msg("%s", err.text);
}

static void start_in_state(struct adopting *a, uint64_t id, int64_t now_s, uint32_t node)
{
	const struct alloc_run run = {.node = node, .nodes = 1, .procs = 1, .next = INDEX_NONE};
	struct event ev = {.time_s = now_s,
			   .kind = EVENT_START,
			   .job = id,
			   .who = "sched",
			   .start = {.runs = &run, .count = 1}};

	apply_to_state(a, &ev);
}

static void running_jobs_are_adopted_by_cluster_and_arrivals(void **state)
{
	struct arrival_list first = {.at_s = {10, 10, 10, 40, 75, TIME_NEVER}};
	struct arrival_list second = first;
	struct adopting a = {.st = state_new(), .rm = cluster_with(&first)};
	struct rm other = cluster_with(&second);
	struct err err;

	(void)state;
	a.rm.ops->nodes(a.rm.self, NULL, apply_to_state, &a);
	a.rm.ops->poll(a.rm.self, 10, apply_to_state, &a);
	start_in_state(&a, 2, 10, 0);
	start_in_state(&a, 3, 20, 1);
	start_in_state(&a, 1, 25, 2);
	a.rm.ops->poll(a.rm.self, 40, apply_to_state, &a);

	assert_true(other.ops->adopt(other.self, state_view(a.st), &err));
	assert_int_equal(second.adopted_job_id, 5);
	check_poll(&other, 100, "submit 5 at 75\nend 3 at 80\nend 1 at 85\nend 2 at 85\n");
	assert_true(other.ops->next_s(other.self) == TIME_NEVER);
	other.ops->close(other.self);
	a.rm.ops->close(a.rm.self);
	state_free(a.st);
}

/* --- queue of ends -------------------------------------------------------------------------------- */

static void an_empty_queue_of_ends_is_never_due(void **state)
{
	struct ends ends = {0};

	(void)state;
	assert_true(ends_next_s(&ends) == TIME_NEVER);
	ends_clear(&ends);
}

static void ends_of_one_second_are_taken_by_job_id(void **state)
{
	static const struct ending added[] = {
		{5, 12, 0, false}, {3, 13, 0, false}, {5, 10, 0, false}, {3, 11, 0, true}};
	static const uint64_t job[] = {11, 13, 10, 12};
	struct ends ends = {0};

	(void)state;
	for (size_t i = 0; i < 4; i++)
		ends_add(&ends, &added[i]);
	for (size_t i = 0; i < 4; i++) {
		int64_t next_s = ends_next_s(&ends);
		struct ending e = ends_take(&ends);

		assert_int_equal(next_s, i < 2 ? 3 : 5);
		assert_int_equal(e.job, job[i]);
		assert_int_equal(e.at_limit, e.job == 11);
	}
	assert_true(ends_next_s(&ends) == TIME_NEVER);
	ends_clear(&ends);
}

static void the_earliest_end_is_always_taken_next(void **state)
{
	struct rng rng = seeded("ends");
	struct ends ends = {0};
	struct ending last = {.end_s = -1};

	(void)state;
	for (uint64_t i = 0; i < 20000; i++) {
		struct ending e = {.end_s = last.end_s + 1 + (int64_t)rng_below(&rng, 50), .job = i};

		ends_add(&ends, &e);
		if (rng_below(&rng, 3) == 0)
			continue;
		e = ends_take(&ends);
		assert_true(e.end_s > last.end_s || (e.end_s == last.end_s && e.job > last.job));
		last = e;
	}
	while (ends.count > 0) {
		struct ending e = ends_take(&ends);

		assert_true(e.end_s > last.end_s || (e.end_s == last.end_s && e.job > last.job));
		last = e;
	}
	ends_clear(&ends);
}

static void dropping_the_end_of_a_job_keeps_the_others_in_order(void **state)
{
	struct rng rng = seeded("ends dropped");

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct ends ends = {0};
		uint64_t count = 1 + rng_below(&rng, 40), dropped = rng_below(&rng, count);
		int64_t last_s = -1;

		for (uint64_t i = 0; i < count; i++) {
			struct ending e = {.end_s = (int64_t)rng_below(&rng, 20), .job = i};

			ends_add(&ends, &e);
		}
		assert_false(ends_drop(&ends, count));
		assert_true(ends_drop(&ends, dropped));
		assert_false(ends_drop(&ends, dropped));
		assert_int_equal(ends.count, count - 1);
		while (ends.count > 0) {
			struct ending e = ends_take(&ends);

			assert_true(e.end_s >= last_s && e.job != dropped);
			last_s = e.end_s;
		}
		ends_clear(&ends);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_are_named_by_number),
		cmocka_unit_test(names_of_a_thousand_nodes_have_four_digits),
		cmocka_unit_test(arrivals_are_reported_at_their_time_and_not_before),
		cmocka_unit_test(ends_are_reported_before_arrivals_of_the_same_second_by_job_id),
		cmocka_unit_test(a_late_poll_reports_in_order_of_time),
		cmocka_unit_test(a_job_is_stopped_at_its_limit),
		cmocka_unit_test(nodes_can_be_listed_individually),
		cmocka_unit_test(a_cancelled_job_ends_at_once_with_the_status_of_a_cancellation),
		cmocka_unit_test(a_job_ends_by_signals_that_end_a_process),
		cmocka_unit_test(a_suspended_job_ends_later_by_the_suspended_time),
		cmocka_unit_test(a_suspended_job_can_be_cancelled),
		cmocka_unit_test(a_real_job_is_refused),
		cmocka_unit_test(the_source_is_closed_with_the_cluster),
		cmocka_unit_test(running_jobs_are_adopted_by_cluster_and_arrivals),
		cmocka_unit_test(an_empty_queue_of_ends_is_never_due),
		cmocka_unit_test(ends_of_one_second_are_taken_by_job_id),
		cmocka_unit_test(the_earliest_end_is_always_taken_next),
		cmocka_unit_test(dropping_the_end_of_a_job_keeps_the_others_in_order),
	};

	return cmocka_run_group_tests_name("fake", tests, NULL, NULL);
}
