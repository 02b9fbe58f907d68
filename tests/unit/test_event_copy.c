/* SPDX-License-Identifier: MIT */
/*
 * test_event_copy.c - does a kept event stay right when what it was made from is overwritten?
 *
 * Every string and array of an event stands here in memory that is scribbled over before the
 * copy is looked at.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/host/event_copy.h"
#include "tests/unit/small_state.h"

/* Words that do not last: each word is its own array, all overwritten at once. */
struct words {
	char text[20][24];
	struct alloc_run run[2];
	struct depend depend[1];
	struct used_by used[2];
	struct array_range range[1];
	size_t count;
};

static const char *word(struct words *w, const char *text)
{
	char *at = w->text[w->count++];

	snprintf(at, sizeof w->text[0], "%s", text);
	return at;
}

static const struct alloc_run *two_runs(struct words *w)
{
	w->run[0] = (struct alloc_run){.node = 3, .nodes = 2, .procs = 8, .next = INDEX_NONE};
	w->run[1] = (struct alloc_run){.node = 9, .nodes = 1, .procs = 4, .next = INDEX_NONE};
	return w->run;
}

static const struct depend *one_depend(struct words *w)
{
	w->depend[0] = (struct depend){.on = 44, .next = INDEX_NONE, .type = DEPEND_OK};
	return w->depend;
}

static const struct array_range *one_range(struct words *w)
{
	w->range[0] = (struct array_range){.first = 3, .last = 9, .step = 2};
	return w->range;
}

static struct job_record a_record(struct words *w)
{
	return (struct job_record){
		.job = {.tasks = 4, .task_procs = 2, .wall_limit_s = 600},
		.cred = {[CRED_USER] = word(w, "john"), [CRED_QOS] = word(w, "hi")},
		.partition = word(w, "p1"),
		.label = word(w, "job.17"),
		.name = word(w, "water"),
		.qos_asked = word(w, "higher"),
		.features = word(w, "fast tape"),
		.prefer = word(w, "big"),
		.gres = word(w, "gpu:2"),
		.hosts = word(w, "n1 n2"),
		.order = word(w, "n2 n1"),
		.hold_reason = word(w, "too large"),
		.base_reason = word(w, "no room"),
		.depend = one_depend(w),
		.depend_count = 1,
		.runs = two_runs(w),
		.run_count = 2,
		.ranges = one_range(w),
		.range_count = 1,
		.launch = word(w, "#!/bin/sh"),
		.launch_size = 9,
	};
}

static void scribble(struct words *w)
{
	memset(w, 'x', sizeof *w);
}

static void check_record(const struct job_record *kept)
{
	assert_int_equal(kept->job.tasks, 4);
	assert_int_equal(kept->job.wall_limit_s, 600);
	assert_string_equal(kept->cred[CRED_USER], "john");
	assert_string_equal(kept->cred[CRED_QOS], "hi");
	assert_null(kept->cred[CRED_GROUP]);
	assert_string_equal(kept->partition, "p1");
	assert_string_equal(kept->label, "job.17");
	assert_string_equal(kept->name, "water");
	assert_string_equal(kept->qos_asked, "higher");
	assert_string_equal(kept->features, "fast tape");
	assert_string_equal(kept->prefer, "big");
	assert_string_equal(kept->gres, "gpu:2");
	assert_string_equal(kept->hosts, "n1 n2");
	assert_string_equal(kept->order, "n2 n1");
	assert_string_equal(kept->hold_reason, "too large");
	assert_string_equal(kept->base_reason, "no room");
	assert_int_equal(kept->depend_count, 1);
	assert_int_equal(kept->depend[0].on, 44);
	assert_int_equal(kept->run_count, 2);
	assert_int_equal(kept->runs[0].node, 3);
	assert_int_equal(kept->runs[1].procs, 4);
	assert_int_equal(kept->range_count, 1);
	assert_int_equal(kept->ranges[0].last, 9);
	assert_memory_equal(kept->launch, "#!/bin/sh", kept->launch_size);
}

static void a_record_outlives_its_words(void **state)
{
	struct words w = {.count = 0};
	struct arena arena = {0};
	struct job_record record = a_record(&w), kept = job_record_copy(&arena, &record);

	(void)state;
	scribble(&w);
	check_record(&kept);
	arena_free(&arena);
}

static void a_record_may_have_no_words_and_no_runs(void **state)
{
	const struct job_record record = {.job = {.tasks = 1}};
	struct arena arena = {0};
	struct job_record kept = job_record_copy(&arena, &record);

	(void)state;
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		assert_null(kept.cred[t]);
	assert_null(kept.partition);
	assert_null(kept.label);
	assert_null(kept.name);
	assert_null(kept.runs);
	arena_free(&arena);
}

static void an_event_of_each_kind_outlives_its_words(void **state)
{
	struct words w = {.count = 0};
	struct arena arena = {0};
	struct event submit = {.kind = EVENT_SUBMIT, .who = word(&w, "john"), .job = 7};
	struct event config = {.kind = EVENT_CONFIG, .who = word(&w, "root")};
	struct event node = {.kind = EVENT_NODE, .who = word(&w, "sched")};
	struct event start = {
		.kind = EVENT_START, .who = "sched", .start = {.runs = two_runs(&w), .count = 2}};
	struct event setting = {.kind = EVENT_SETTING, .who = "ann"};

	(void)state;
	submit.submit = a_record(&w);
	config.config.file = word(&w, "kahu.conf");
	config.config.text = word(&w, "queuetimeweight = 1");
	submit.why = word(&w, "asked by phone");
	submit = event_copy(&arena, &submit);
	config = event_copy(&arena, &config);
	start = event_copy(&arena, &start);
	scribble(&w);
	w.count = 0;
	node.who = word(&w, "sched");
	node.node = (struct node_record){.name = word(&w, "n001"), .partition = word(&w, "p2"), .procs = 8};
	setting.setting.name = word(&w, "xfactorweight");
	setting.setting.value = word(&w, "12.5");
	node = event_copy(&arena, &node);
	setting = event_copy(&arena, &setting);
	scribble(&w);

	assert_string_equal(submit.who, "john");
	assert_string_equal(submit.why, "asked by phone");
	assert_int_equal(submit.job, 7);
	check_record(&submit.submit);
	assert_string_equal(config.who, "root");
	assert_string_equal(config.config.file, "kahu.conf");
	assert_string_equal(config.config.text, "queuetimeweight = 1");
	assert_int_equal(start.start.count, 2);
	assert_int_equal(start.start.runs[0].nodes, 2);
	assert_int_equal(start.start.runs[1].node, 9);
	assert_string_equal(node.node.name, "n001");
	assert_string_equal(node.node.partition, "p2");
	assert_int_equal(node.node.procs, 8);
	assert_string_equal(setting.setting.name, "xfactorweight");
	assert_string_equal(setting.setting.value, "12.5");
	arena_free(&arena);
}

static void what_managers_and_operators_say_outlives_its_words(void **state)
{
	struct words w = {.count = 0};
	struct arena arena = {0};
	struct event hold = {.kind = EVENT_HOLD}, defer = {.kind = EVENT_DEFER};
	struct event modify = {.kind = EVENT_MODIFY}, load = {.kind = EVENT_LOAD};
	struct event order = {.kind = EVENT_ORDER}, usage = {.kind = EVENT_USAGE};
	struct event plan = {.kind = EVENT_PLAN}, node = {.kind = EVENT_NODE};
	struct event reserve = {.kind = EVENT_RESERVE}, end = {.kind = EVENT_END};

	(void)state;
	hold.hold.reason = word(&w, "too large");
	defer.defer.reason = word(&w, "no room");
	modify.modify.name = word(&w, "qos");
	modify.modify.value = word(&w, "hi");
	load.load.node = word(&w, "n1");
	load.load.by = word(&w, "hog of eva");
	reserve.reserve.name = word(&w, "maint");
	reserve.reserve.text = word(&w, "start=10 node=n1");
	end.end.why = word(&w, "out of memory");
	order.order.nodes = word(&w, "n2 n1");
	w.used[0] = (struct used_by){CRED_USER, word(&w, "eva"), 7};
	w.used[1] = (struct used_by){CRED_QOS, word(&w, "hi"), 8};
	usage.usage = (struct usage_window){.begin_s = 3, .item = w.used, .count = 2};
	plan.plan.runs = two_runs(&w);
	plan.plan.count = 2;
	node.node = (struct node_record){.name = word(&w, "n3"),
					 .features = word(&w, "fast"),
					 .classes = word(&w, "long"),
					 .gres = word(&w, "gpu")};
	hold = event_copy(&arena, &hold);
	defer = event_copy(&arena, &defer);
	modify = event_copy(&arena, &modify);
	load = event_copy(&arena, &load);
	reserve = event_copy(&arena, &reserve);
	end = event_copy(&arena, &end);
	order = event_copy(&arena, &order);
	usage = event_copy(&arena, &usage);
	plan = event_copy(&arena, &plan);
	node = event_copy(&arena, &node);
	scribble(&w);
	assert_string_equal(hold.hold.reason, "too large");
	assert_string_equal(defer.defer.reason, "no room");
	assert_string_equal(modify.modify.name, "qos");
	assert_string_equal(modify.modify.value, "hi");
	assert_string_equal(load.load.node, "n1");
	assert_string_equal(load.load.by, "hog of eva");
	assert_string_equal(reserve.reserve.name, "maint");
	assert_string_equal(reserve.reserve.text, "start=10 node=n1");
	assert_string_equal(end.end.why, "out of memory");
	assert_string_equal(order.order.nodes, "n2 n1");
	assert_string_equal(usage.usage.item[1].name, "hi");
	assert_int_equal(usage.usage.item[0].amount, 7);
	assert_int_equal(plan.plan.runs[1].node, 9);
	assert_string_equal(node.node.features, "fast");
	assert_string_equal(node.node.classes, "long");
	assert_string_equal(node.node.gres, "gpu");
	arena_free(&arena);
}

static void who_leaves_by_an_event_is_kept_for_history(void **state)
{
	struct arena arena = {0};
	struct state *st = small_state();
	struct event end = {.kind = EVENT_END,
			    .job = 1,
			    .time_s = 50,
			    .end = {.status = 3,
				    .at_limit = true,
				    .has_used = true,
				    .used_ps = 77,
				    .mem_mb = 12,
				    .why = "killed"}};
	struct event cancel = {.kind = EVENT_CANCEL, .job = 2, .time_s = 60};
	struct event hold = {.kind = EVENT_HOLD, .job = 2};
	struct ended_job ended;

	(void)state;
	assert_true(ended_job_of_event(&arena, st, &end, &ended));
	assert_int_equal(ended.status, 3);
	assert_int_equal(ended.end_s, 50);
	assert_int_equal(ended.record.job.used_ps, 77);
	assert_int_equal(ended.record.run_count, 1);
	assert_true(ended.at_limit);
	assert_int_equal(ended.mem_mb, 12);
	assert_string_equal(ended.why, "killed");
	assert_true(ended_job_of_event(&arena, st, &cancel, &ended));
	assert_int_equal(ended.status, STATUS_CANCELLED);
	assert_int_equal(ended.record.job.id, 2);
	assert_false(ended_job_of_event(&arena, st, &hold, &ended));
	cancel.job = 1; /* it runs: its end will come */
	assert_false(ended_job_of_event(&arena, st, &cancel, &ended));
	cancel.job = 77;
	assert_false(ended_job_of_event(&arena, st, &cancel, &ended));
	state_free(st);
	arena_free(&arena);
}

static void an_event_without_words_is_kept_as_it_is(void **state)
{
	const struct event hold = {.seq = 4,
				   .time_s = 90,
				   .kind = EVENT_HOLD,
				   .job = 12,
				   .hold = {.bits = JOB_HOLD_USER, .on = true}};
	struct arena arena = {0};
	struct event kept = event_copy(&arena, &hold);

	(void)state;
	assert_int_equal(kept.seq, 4);
	assert_int_equal(kept.time_s, 90);
	assert_int_equal(kept.job, 12);
	assert_int_equal(kept.hold.bits, JOB_HOLD_USER);
	assert_true(kept.hold.on);
	assert_null(kept.who);
	arena_free(&arena);
}

static void a_running_job_is_kept_with_its_runs_and_names(void **state)
{
	struct arena arena = {0};
	struct state *st = small_state();
	struct job_record running = job_record_of_slot(&arena, state_view(st), state_find(st, 1));
	struct job_record waiting = job_record_of_slot(&arena, state_view(st), state_find(st, 4));

	(void)state;
	state_free(st);
	assert_int_equal(running.job.id, 1);
	assert_string_equal(running.cred[CRED_USER], "u1");
	assert_int_equal(running.run_count, 1);
	assert_int_equal(running.runs[0].procs, 4);
	assert_int_equal(waiting.run_count, 0);
	assert_string_equal(waiting.label, "fit");
	arena_free(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_outlives_its_words),
		cmocka_unit_test(a_record_may_have_no_words_and_no_runs),
		cmocka_unit_test(an_event_of_each_kind_outlives_its_words),
		cmocka_unit_test(what_managers_and_operators_say_outlives_its_words),
		cmocka_unit_test(who_leaves_by_an_event_is_kept_for_history),
		cmocka_unit_test(an_event_without_words_is_kept_as_it_is),
		cmocka_unit_test(a_running_job_is_kept_with_its_runs_and_names),
	};

	return cmocka_run_group_tests_name("keep", tests, NULL, NULL);
}
