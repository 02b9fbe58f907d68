/* SPDX-License-Identifier: MIT */
/* test_codec_fields.c - unit tests that fields of records are stored */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tests/sample.h"
#include "tests/seed.h"

/* Flips one bit of the field; the encoding must change. */
static void expect_stored(struct sample *s, void *field, const char *name)
{
	unsigned char *byte = field;
	struct str before = {0}, after = {0};

	put_sample(&before, s);
	*byte ^= 1;
	put_sample(&after, s);
	*byte ^= 1;
	if (before.len == after.len && memcmp(before.data, after.data, before.len) == 0)
		fail_msg("%s is not kept", name);
	str_free(&before);
	str_free(&after);
}

#define EXPECT_STORED(sample, field) expect_stored((sample), &(sample)->field, #field)

static void fields_of_a_job_are_stored(void **state)
{
	struct rng rng = seeded("fields of a job");
	struct sample s = {.long_text = NULL};

	(void)state;
	do
		random_sample(&s, RECORD_JOB, 0, &rng);
	while (s.job.run_count == 0 || s.job.depend_count == 0);
	EXPECT_STORED(&s, job.job.id);
	EXPECT_STORED(&s, job.job.submit_s);
	EXPECT_STORED(&s, job.job.accrual_s);
	EXPECT_STORED(&s, job.job.not_before_s);
	EXPECT_STORED(&s, job.job.wall_limit_s);
	EXPECT_STORED(&s, job.job.true_run_s);
	EXPECT_STORED(&s, job.job.start_s);
	EXPECT_STORED(&s, job.job.planned_s);
	EXPECT_STORED(&s, job.job.mem_mb);
	EXPECT_STORED(&s, job.job.swap_mb);
	EXPECT_STORED(&s, job.job.disk_mb);
	EXPECT_STORED(&s, job.job.points);
	EXPECT_STORED(&s, job.job.tasks);
	EXPECT_STORED(&s, job.job.task_procs);
	EXPECT_STORED(&s, job.job.nodes);
	EXPECT_STORED(&s, job.job.bypass);
	EXPECT_STORED(&s, job.job.state);
	EXPECT_STORED(&s, job.job.base_holds);
	EXPECT_STORED(&s, job.job.holds);
	EXPECT_STORED(&s, job.job.adjust);
	EXPECT_STORED(&s, job.job.flags);
	EXPECT_STORED(&s, job.job.real);
	EXPECT_STORED(&s, job.job.retries);
	EXPECT_STORED(&s, run[0].node);
	EXPECT_STORED(&s, run[0].nodes);
	EXPECT_STORED(&s, run[0].procs);
	EXPECT_STORED(&s, run[0].tasks);
	EXPECT_STORED(&s, job.job.defer_until_s);
	EXPECT_STORED(&s, job.job.used_ps);
	EXPECT_STORED(&s, job.job.tasks_per_node);
	EXPECT_STORED(&s, job.job.procs_held);
	EXPECT_STORED(&s, job.job.defer_count);
	EXPECT_STORED(&s, job.job.start_count);
	EXPECT_STORED(&s, job.job.access);
	EXPECT_STORED(&s, job.job.allocation);
	EXPECT_STORED(&s, job.job.access_held);
	EXPECT_STORED(&s, depend[0].on);
	EXPECT_STORED(&s, depend[0].type);
	EXPECT_STORED(&s, depend[0].state);
	EXPECT_STORED(&s, depend[0].of);
	EXPECT_STORED(&s, depend[0].number);
	EXPECT_STORED(&s, job.job.array);
	EXPECT_STORED(&s, job.job.array_index);
	EXPECT_STORED(&s, job.job.array_limit);
	EXPECT_STORED(&s, job.job.base_points);
	EXPECT_STORED(&s, job.job.suspended_s);
	EXPECT_STORED(&s, job.job.suspended_at_s);
	EXPECT_STORED(&s, job.job.resume_s);
	EXPECT_STORED(&s, job.job.released_s);
	EXPECT_STORED(&s, job.job.held_since_s);
	EXPECT_STORED(&s, job.job.charged_ps);
	EXPECT_STORED(&s, job.launch_size);
}

/* Replaces the text by a longer one; the length of the encoding must change. */
static void expect_text_stored(struct sample *s, const char **text)
{
	static const char other[] =
		"a text that is longer than any of those that were drawn by lot, so that it tells";
	struct str before = {0}, after = {0};
	const char *original = *text;

	put_sample(&before, s);
	*text = other;
	put_sample(&after, s);
	*text = original;
	assert_int_not_equal(before.len, after.len);
	str_free(&before);
	str_free(&after);
}

static void texts_of_a_job_are_stored(void **state)
{
	struct sample s = {.type = RECORD_JOB};
	const char **text[] = {&s.job.cred[0],   &s.job.cred[1],   &s.job.cred[2],     &s.job.cred[3],
			       &s.job.cred[4],   &s.job.partition, &s.job.label,       &s.job.name,
			       &s.job.qos_asked, &s.job.features,  &s.job.prefer,      &s.job.gres,
			       &s.job.hosts,     &s.job.order,     &s.job.hold_reason, &s.job.base_reason};

	(void)state;
	for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
		expect_text_stored(&s, text[i]);
}

static void fields_of_counters_and_changes_are_stored(void **state)
{
	struct rng rng = seeded("fields of counters and changes");
	struct sample s = {.long_text = NULL};

	(void)state;
	random_sample(&s, RECORD_COUNTERS, 0, &rng);
	EXPECT_STORED(&s, tally.counters.now_s);
	EXPECT_STORED(&s, tally.counters.seq);
	EXPECT_STORED(&s, tally.counters.next_job_id);
	EXPECT_STORED(&s, tally.counters.ends_pending);
	EXPECT_STORED(&s, tally.counters.sim.seed);
	EXPECT_STORED(&s, tally.counters.sim.next_index);
	EXPECT_STORED(&s, tally.counters.sim.job_limit);
	EXPECT_STORED(&s, tally.counters.sim.load_pct);
	EXPECT_STORED(&s, tally.counters.sim.last_s);
	EXPECT_STORED(&s, tally.counters.sim.active);
	EXPECT_STORED(&s, tally.nodes);
	EXPECT_STORED(&s, tally.jobs);
	EXPECT_STORED(&s, tally.changes);
	EXPECT_STORED(&s, tally.ended);
	EXPECT_STORED(&s, tally.windows);
	EXPECT_STORED(&s, tally.counters.stats_since_s);
	EXPECT_STORED(&s, tally.counters.halted);
	EXPECT_STORED(&s, tally.counters.halt_after);
	EXPECT_STORED(&s, tally.counters.set_back);
	random_sample(&s, RECORD_ENDED, 0, &rng);
	expect_text_stored(&s, &s.ended.why);
	expect_text_stored(&s, &s.ended.output);
	expect_text_stored(&s, &s.ended.errors);
	random_sample(&s, RECORD_CHANGE, 0, &rng);
	EXPECT_STORED(&s, change.change.seq);
	EXPECT_STORED(&s, change.change.job);
	EXPECT_STORED(&s, change.change.number);
	EXPECT_STORED(&s, change.change.kind);
	EXPECT_STORED(&s, change.change.on);
	EXPECT_STORED(&s, change.change.dead);
}

static void fields_of_a_node_are_stored(void **state)
{
	struct rng rng = seeded("fields of a node");
	struct sample s = {.long_text = NULL};

	(void)state;
	random_sample(&s, RECORD_NODE, 0, &rng);
	EXPECT_STORED(&s, node.procs);
	EXPECT_STORED(&s, node.mem_mb);
	EXPECT_STORED(&s, node.swap_mb);
	EXPECT_STORED(&s, node.disk_mb);
	EXPECT_STORED(&s, node.speed);
	EXPECT_STORED(&s, node.procspeed);
	EXPECT_STORED(&s, node.rack);
	EXPECT_STORED(&s, node.index);
	EXPECT_STORED(&s, node.access);
	EXPECT_STORED(&s, node.used.load);
	EXPECT_STORED(&s, node.used.procs);
	EXPECT_STORED(&s, node.used.mem_mb);
	EXPECT_STORED(&s, node.used.swap_mb);
	EXPECT_STORED(&s, node.used.disk_mb);
	expect_text_stored(&s, &s.node.used_by);
	EXPECT_STORED(&s, node.active_s);
	EXPECT_STORED(&s, node.active_from_s);
}

static void texts_of_nodes_and_changes_are_stored(void **state)
{
	struct sample s = {.type = RECORD_NODE};

	(void)state;
	expect_text_stored(&s, &s.node.name);
	expect_text_stored(&s, &s.node.partition);
	expect_text_stored(&s, &s.node.features);
	expect_text_stored(&s, &s.node.classes);
	expect_text_stored(&s, &s.node.gres);
	s.type = RECORD_CHANGE;
	expect_text_stored(&s, &s.change.name);
	expect_text_stored(&s, &s.change.value);
	expect_text_stored(&s, &s.change.base);
}

static void fields_of_a_usage_window_are_stored(void **state)
{
	struct rng rng = seeded("fields of a window");
	struct sample s = {.long_text = NULL};

	(void)state;
	do
		random_sample(&s, RECORD_USAGE, 0, &rng);
	while (s.window.count == 0);
	EXPECT_STORED(&s, window.begin_s);
	EXPECT_STORED(&s, window.length_s);
	EXPECT_STORED(&s, window.total);
	EXPECT_STORED(&s, used[0].type);
	EXPECT_STORED(&s, used[0].amount);
	expect_text_stored(&s, &s.used[0].name);
}

static void fields_of_events_are_stored(void **state)
{
	struct rng rng = seeded("fields of events");
	struct sample s = {.long_text = NULL};

	(void)state;
	do
		random_sample(&s, RECORD_EVENT, EVENT_PLAN, &rng);
	while (s.event.plan.count == 0);
	EXPECT_STORED(&s, event.plan.start_s);
	EXPECT_STORED(&s, run[0].tasks);
	random_sample(&s, RECORD_EVENT, EVENT_END, &rng);
	EXPECT_STORED(&s, event.end.status);
	EXPECT_STORED(&s, event.end.at_limit);
	EXPECT_STORED(&s, event.end.has_used);
	EXPECT_STORED(&s, event.end.used_ps);
	EXPECT_STORED(&s, event.end.held_s);
	EXPECT_STORED(&s, event.end.lost);
	EXPECT_STORED(&s, event.end.mem_mb);
	expect_text_stored(&s, &s.event.end.why);
	random_sample(&s, RECORD_EVENT, EVENT_SUSPEND, &rng);
	EXPECT_STORED(&s, event.suspend.on);
	EXPECT_STORED(&s, event.suspend.how);
	random_sample(&s, RECORD_EVENT, EVENT_RESERVE, &rng);
	expect_text_stored(&s, &s.event.reserve.name);
	expect_text_stored(&s, &s.event.reserve.text);
	random_sample(&s, RECORD_EVENT, EVENT_SIGNAL, &rng);
	EXPECT_STORED(&s, event.signal.number);
	random_sample(&s, RECORD_EVENT, EVENT_DEFER, &rng);
	EXPECT_STORED(&s, event.defer.until_s);
	EXPECT_STORED(&s, event.defer.failed_start);
	EXPECT_STORED(&s, event.defer.retry);
	expect_text_stored(&s, &s.event.defer.reason);
	random_sample(&s, RECORD_EVENT, EVENT_HOLD, &rng);
	expect_text_stored(&s, &s.event.hold.reason);
	random_sample(&s, RECORD_EVENT, EVENT_MODIFY, &rng);
	expect_text_stored(&s, &s.event.modify.name);
	expect_text_stored(&s, &s.event.modify.value);
	random_sample(&s, RECORD_EVENT, EVENT_LOAD, &rng);
	EXPECT_STORED(&s, event.load.used.load);
	EXPECT_STORED(&s, event.load.used.disk_mb);
	expect_text_stored(&s, &s.event.load.node);
	expect_text_stored(&s, &s.event.load.by);
	random_sample(&s, RECORD_EVENT, EVENT_USED, &rng);
	EXPECT_STORED(&s, event.used.ps);
	random_sample(&s, RECORD_EVENT, EVENT_ORDER, &rng);
	expect_text_stored(&s, &s.event.order.nodes);
	random_sample(&s, RECORD_EVENT, EVENT_USAGE, &rng);
	EXPECT_STORED(&s, event.usage.total);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_of_a_job_are_stored),
		cmocka_unit_test(texts_of_a_job_are_stored),
		cmocka_unit_test(fields_of_counters_and_changes_are_stored),
		cmocka_unit_test(fields_of_a_node_are_stored),
		cmocka_unit_test(texts_of_nodes_and_changes_are_stored),
		cmocka_unit_test(fields_of_a_usage_window_are_stored),
		cmocka_unit_test(fields_of_events_are_stored),
	};

	return cmocka_run_group_tests_name("codec fields", tests, NULL, NULL);
}
