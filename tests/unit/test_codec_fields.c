/* SPDX-License-Identifier: MIT */
/*
 * test_codec_fields.c - every field of every kind of record is stored
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tests/sample.h"
#include "tests/seed.h"

/* Turns one byte of a value; the bytes written must differ, else the field is not kept. */
static void must_be_kept(struct sample *s, void *field, const char *name)
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

#define KEPT(sample, field) must_be_kept((sample), &(sample)->field, #field)

static void every_field_of_a_job_is_kept(void **state)
{
	struct rng rng = seeded("fields of a job");
	struct sample s = {.long_text = NULL};

	(void)state;
	do
		random_sample(&s, RECORD_JOB, 0, &rng);
	while (s.job.run_count == 0 || s.job.depend_count == 0);
	KEPT(&s, job.job.id);
	KEPT(&s, job.job.submit_s);
	KEPT(&s, job.job.accrual_s);
	KEPT(&s, job.job.not_before_s);
	KEPT(&s, job.job.wall_limit_s);
	KEPT(&s, job.job.true_run_s);
	KEPT(&s, job.job.start_s);
	KEPT(&s, job.job.planned_s);
	KEPT(&s, job.job.mem_mb);
	KEPT(&s, job.job.swap_mb);
	KEPT(&s, job.job.disk_mb);
	KEPT(&s, job.job.points);
	KEPT(&s, job.job.tasks);
	KEPT(&s, job.job.task_procs);
	KEPT(&s, job.job.nodes);
	KEPT(&s, job.job.bypass);
	KEPT(&s, job.job.state);
	KEPT(&s, job.job.base_holds);
	KEPT(&s, job.job.holds);
	KEPT(&s, job.job.adjust);
	KEPT(&s, job.job.flags);
	KEPT(&s, job.job.real);
	KEPT(&s, job.job.retries);
	KEPT(&s, run[0].node);
	KEPT(&s, run[0].nodes);
	KEPT(&s, run[0].procs);
	KEPT(&s, run[0].tasks);
	KEPT(&s, job.job.defer_until_s);
	KEPT(&s, job.job.used_ps);
	KEPT(&s, job.job.tasks_per_node);
	KEPT(&s, job.job.procs_held);
	KEPT(&s, job.job.defer_count);
	KEPT(&s, job.job.start_count);
	KEPT(&s, job.job.access);
	KEPT(&s, job.job.allocation);
	KEPT(&s, job.job.access_held);
	KEPT(&s, depend[0].on);
	KEPT(&s, depend[0].type);
	KEPT(&s, depend[0].state);
}

/* A text of its own length in place of the one that is there. */
static void text_is_kept(struct sample *s, const char **text)
{
	static const char other[] =
		"a text that is longer than any of those that were drawn by lot, so that it tells";
	struct str before = {0}, after = {0};
	const char *was = *text;

	put_sample(&before, s);
	*text = other;
	put_sample(&after, s);
	*text = was;
	assert_int_not_equal(before.len, after.len);
	str_free(&before);
	str_free(&after);
}

static void every_text_of_a_job_is_kept(void **state)
{
	struct sample s = {.type = RECORD_JOB};
	const char **text[] = {&s.job.cred[0],   &s.job.cred[1],   &s.job.cred[2],     &s.job.cred[3],
			       &s.job.cred[4],   &s.job.partition, &s.job.label,       &s.job.name,
			       &s.job.qos_asked, &s.job.features,  &s.job.prefer,      &s.job.gres,
			       &s.job.hosts,     &s.job.order,     &s.job.hold_reason, &s.job.base_reason};

	(void)state;
	for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
		text_is_kept(&s, text[i]);
}

static void every_counter_and_change_field_is_kept(void **state)
{
	struct rng rng = seeded("fields of counters and changes");
	struct sample s = {.long_text = NULL};

	(void)state;
	random_sample(&s, RECORD_COUNTERS, 0, &rng);
	KEPT(&s, tally.counters.now_s);
	KEPT(&s, tally.counters.seq);
	KEPT(&s, tally.counters.next_job_id);
	KEPT(&s, tally.counters.ends_pending);
	KEPT(&s, tally.counters.sim.seed);
	KEPT(&s, tally.counters.sim.next_index);
	KEPT(&s, tally.counters.sim.job_limit);
	KEPT(&s, tally.counters.sim.load_pct);
	KEPT(&s, tally.counters.sim.last_s);
	KEPT(&s, tally.counters.sim.active);
	KEPT(&s, tally.nodes);
	KEPT(&s, tally.jobs);
	KEPT(&s, tally.changes);
	KEPT(&s, tally.ended);
	KEPT(&s, tally.windows);
	KEPT(&s, tally.counters.stats_since_s);
	KEPT(&s, tally.counters.halted);
	KEPT(&s, tally.counters.halt_after);
	KEPT(&s, tally.counters.set_back);
	random_sample(&s, RECORD_ENDED, 0, &rng);
	text_is_kept(&s, &s.ended.why);
	text_is_kept(&s, &s.ended.output);
	text_is_kept(&s, &s.ended.errors);
	random_sample(&s, RECORD_CHANGE, 0, &rng);
	KEPT(&s, change.change.seq);
	KEPT(&s, change.change.job);
	KEPT(&s, change.change.number);
	KEPT(&s, change.change.kind);
	KEPT(&s, change.change.on);
	KEPT(&s, change.change.dead);
}

static void every_field_of_a_node_is_kept(void **state)
{
	struct rng rng = seeded("fields of a node");
	struct sample s = {.long_text = NULL};

	(void)state;
	random_sample(&s, RECORD_NODE, 0, &rng);
	KEPT(&s, node.procs);
	KEPT(&s, node.mem_mb);
	KEPT(&s, node.swap_mb);
	KEPT(&s, node.disk_mb);
	KEPT(&s, node.speed);
	KEPT(&s, node.procspeed);
	KEPT(&s, node.rack);
	KEPT(&s, node.index);
	KEPT(&s, node.access);
	KEPT(&s, node.used.load);
	KEPT(&s, node.used.procs);
	KEPT(&s, node.used.mem_mb);
	KEPT(&s, node.used.swap_mb);
	KEPT(&s, node.used.disk_mb);
	text_is_kept(&s, &s.node.used_by);
	KEPT(&s, node.active_s);
	KEPT(&s, node.active_from_s);
}

static void every_text_of_a_node_and_a_change_is_kept(void **state)
{
	struct sample s = {.type = RECORD_NODE};

	(void)state;
	text_is_kept(&s, &s.node.name);
	text_is_kept(&s, &s.node.partition);
	text_is_kept(&s, &s.node.features);
	text_is_kept(&s, &s.node.classes);
	text_is_kept(&s, &s.node.gres);
	s.type = RECORD_CHANGE;
	text_is_kept(&s, &s.change.name);
	text_is_kept(&s, &s.change.value);
	text_is_kept(&s, &s.change.base);
}

static void every_field_of_a_window_is_kept(void **state)
{
	struct rng rng = seeded("fields of a window");
	struct sample s = {.long_text = NULL};

	(void)state;
	do
		random_sample(&s, RECORD_USAGE, 0, &rng);
	while (s.window.count == 0);
	KEPT(&s, window.begin_s);
	KEPT(&s, window.length_s);
	KEPT(&s, window.total);
	KEPT(&s, used[0].type);
	KEPT(&s, used[0].amount);
	text_is_kept(&s, &s.used[0].name);
}

static void every_field_of_an_event_is_kept(void **state)
{
	struct rng rng = seeded("fields of events");
	struct sample s = {.long_text = NULL};

	(void)state;
	do
		random_sample(&s, RECORD_EVENT, EVENT_PLAN, &rng);
	while (s.event.plan.count == 0);
	KEPT(&s, event.plan.start_s);
	KEPT(&s, run[0].tasks);
	random_sample(&s, RECORD_EVENT, EVENT_END, &rng);
	KEPT(&s, event.end.status);
	KEPT(&s, event.end.at_limit);
	KEPT(&s, event.end.has_used);
	KEPT(&s, event.end.used_ps);
	KEPT(&s, event.end.held_s);
	KEPT(&s, event.end.lost);
	KEPT(&s, event.end.mem_mb);
	text_is_kept(&s, &s.event.end.why);
	random_sample(&s, RECORD_EVENT, EVENT_SUSPEND, &rng);
	KEPT(&s, event.suspend.on);
	KEPT(&s, event.suspend.how);
	random_sample(&s, RECORD_EVENT, EVENT_RESERVE, &rng);
	text_is_kept(&s, &s.event.reserve.name);
	text_is_kept(&s, &s.event.reserve.text);
	random_sample(&s, RECORD_EVENT, EVENT_SIGNAL, &rng);
	KEPT(&s, event.signal.number);
	random_sample(&s, RECORD_EVENT, EVENT_DEFER, &rng);
	KEPT(&s, event.defer.until_s);
	KEPT(&s, event.defer.failed_start);
	KEPT(&s, event.defer.retry);
	text_is_kept(&s, &s.event.defer.reason);
	random_sample(&s, RECORD_EVENT, EVENT_HOLD, &rng);
	text_is_kept(&s, &s.event.hold.reason);
	random_sample(&s, RECORD_EVENT, EVENT_MODIFY, &rng);
	text_is_kept(&s, &s.event.modify.name);
	text_is_kept(&s, &s.event.modify.value);
	random_sample(&s, RECORD_EVENT, EVENT_LOAD, &rng);
	KEPT(&s, event.load.used.load);
	KEPT(&s, event.load.used.disk_mb);
	text_is_kept(&s, &s.event.load.node);
	text_is_kept(&s, &s.event.load.by);
	random_sample(&s, RECORD_EVENT, EVENT_USED, &rng);
	KEPT(&s, event.used.ps);
	random_sample(&s, RECORD_EVENT, EVENT_ORDER, &rng);
	text_is_kept(&s, &s.event.order.nodes);
	random_sample(&s, RECORD_EVENT, EVENT_USAGE, &rng);
	KEPT(&s, event.usage.total);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_of_a_job_is_kept),
		cmocka_unit_test(every_text_of_a_job_is_kept),
		cmocka_unit_test(every_counter_and_change_field_is_kept),
		cmocka_unit_test(every_field_of_a_node_is_kept),
		cmocka_unit_test(every_text_of_a_node_and_a_change_is_kept),
		cmocka_unit_test(every_field_of_a_window_is_kept),
		cmocka_unit_test(every_field_of_an_event_is_kept),
	};

	return cmocka_run_group_tests_name("codec fields", tests, NULL, NULL);
}
