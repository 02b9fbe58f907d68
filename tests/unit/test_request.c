/* SPDX-License-Identifier: MIT */
/*
 * test_request.c - encoding of requests and answers
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/rm/launch.h"
#include "tests/history.h"
#include "tests/seed.h"
#include "tui/serve/request.h"
#include "tui/serve/request_check.h"

static void assert_unreadable(const struct str *bytes, size_t size)
{
	struct arena arena = {0};
	struct request_text request;
	struct err err = {""};

	assert_false(request_read(bytes->data, size, &arena, &request, &err));
	assert_true(err.text[0] != '\0');
	arena_free(&arena);
}

/* Decodes the encoded request and checks that encoding it again gives the same bytes. */
static void assert_round_trip(const struct request_text *sent)
{
	struct str bytes = {0}, again = {0};
	struct arena arena = {0};
	struct request_text got;
	struct err err;

	request_write(sent, &bytes);
	if (!request_read(bytes.data, bytes.len, &arena, &got, &err))
		fail_msg("%s", err.text);
	assert_int_equal(got.kind, sent->kind);
	assert_int_equal(got.count, sent->count);
	request_write(&got, &again);
	assert_int_equal(again.len, bytes.len);
	assert_memory_equal(again.data, bytes.data, bytes.len);
	str_free(&bytes);
	str_free(&again);
	arena_free(&arena);
}

/* Removes the fields that a client may not send. Returns false if no client may request the event. */
static bool restrict_to_client(struct event *ev)
{
	const struct job job = ev->submit.job;

	if (ev->kind == EVENT_SUBMIT) {
		ev->submit.runs = NULL;
		ev->submit.run_count = 0;
		ev->submit.job.base_holds &= JOB_HOLD_USER;
		ev->submit.job.real = 0;
		ev->submit.launch = NULL;
		ev->submit.launch_size = 0;
		ev->submit.job.not_before_s = job.not_before_s < 0 ? TIME_NONE : job.not_before_s;
	}
	return request_check_event(ev, NULL);
}

static void events_of_a_random_history_round_trip(void **state)
{
	struct rng rng = seeded("requests of a history");
	size_t sent[EVENT_KIND_COUNT] = {0};
	struct history h;

	(void)state;
	history_begin(&h, rng_u64(&rng));
	for (int i = 0; i < 300; i++) {
		struct ledger_step step = history_step(&h, 6);

		(void)step;
		for (size_t k = 0; k < h.event_count; k++) {
			struct event ev = h.event[k];

			if (!restrict_to_client(&ev))
				continue;
			assert_round_trip(
				&(struct request_text){.kind = ASK_CHANGE, .event = &ev, .count = 1});
			sent[ev.kind]++;
		}
	}
	assert_true(sent[EVENT_SUBMIT] > 0 && sent[EVENT_HOLD] > 0 && sent[EVENT_MODIFY] > 0);
	assert_int_equal(sent[EVENT_END] + sent[EVENT_PLAN] + sent[EVENT_NODE], 0);
	history_end(&h);
}

static void expected_job_states_round_trip_and_are_checked(void **state)
{
	struct event ev[3] = {{.kind = EVENT_CANCEL, .job = 1},
			      {.kind = EVENT_CANCEL, .job = 2},
			      {.kind = EVENT_SETTING, .setting = {.name = "xfactorweight", .value = "5"}}};
	uint8_t was[3] = {JOB_IDLE, JOB_RUNNING, JOB_NONE};
	struct request_text sent = {.kind = ASK_CHANGE, .event = ev, .count = 3, .was = was}, got;
	struct arena arena = {0};
	struct str bytes = {0};
	struct err err;

	(void)state;
	assert_round_trip(&sent);
	request_write(&sent, &bytes);
	assert_true(request_read(bytes.data, bytes.len, &arena, &got, &err));
	assert_memory_equal(got.was, was, sizeof was);
	arena_free(&arena);
	was[1] = JOB_STATE_COUNT;
	str_clear(&bytes);
	request_write(&sent, &bytes);
	assert_unreadable(&bytes, bytes.len);
	str_free(&bytes);
}

static void a_launch_is_transferred_byte_by_byte(void **state)
{
	static const char script[] = "#!/bin/sh\n\0\1\377 end";
	const struct launch what = {.script = script, .script_size = sizeof script, .dir = "/\377\1"};
	struct str launch = {0};
	struct event ev = {.kind = EVENT_SUBMIT};
	struct request_text got, sent = {.kind = ASK_CHANGE, .event = &ev, .count = 1};
	struct arena arena = {0};
	struct str bytes = {0};
	struct err err;

	(void)state;
	launch_write(&what, &launch);
	ev.submit.job =
		(struct job){.tasks = 1, .task_procs = 1, .not_before_s = TIME_NONE, .real = JOB_REAL_LAUNCH};
	ev.submit.launch = launch.data;
	ev.submit.launch_size = (uint32_t)launch.len;
	request_write(&sent, &bytes);
	assert_true(request_read(bytes.data, bytes.len, &arena, &got, &err));
	assert_int_equal(got.event[0].submit.launch_size, launch.len);
	assert_memory_equal(got.event[0].submit.launch, launch.data, launch.len);
	str_free(&bytes);
	str_free(&launch);
	arena_free(&arena);
}

/* The head is read without the events, so a request with too many events is refused early. */
static void the_head_contains_the_number_of_events(void **state)
{
	struct event ev[3] = {
		{.kind = EVENT_CANCEL, .job = 1}, {.kind = EVENT_CANCEL, .job = 2}, {.kind = EVENT_CANCEL}};
	struct request_text sent = {.kind = ASK_CHANGE, .event = ev, .count = 3}, got;
	struct arena arena = {0};
	struct str bytes = {0};
	struct err err;

	(void)state;
	request_write(&sent, &bytes);
	memset(bytes.data + bytes.len - 40, 'x', 40);
	assert_true(request_read_head(bytes.data, bytes.len, &arena, &got, &err));
	assert_int_equal(got.kind, ASK_CHANGE);
	assert_int_equal(got.count, 3);
	assert_false(request_read(bytes.data, bytes.len, &arena, &got, &err));
	str_free(&bytes);
	arena_free(&arena);
}

static void a_query_without_events_round_trips(void **state)
{
	(void)state;
	assert_round_trip(&(struct request_text){.kind = ASK_STATE});
}

static void a_query_about_jobs_round_trips_within_its_limits(void **state)
{
	struct job_ref name[JOB_REFS_MAX + 1] = {{.job = 12}, {.label = "12[3]"}};
	struct request_text asked = {.kind = ASK_JOBS, .name = name, .name_count = 2, .outputs = true}, got;
	struct arena arena = {0};
	struct str bytes = {0};
	struct err err;

	(void)state;
	assert_round_trip(&asked);
	request_write(&asked, &bytes);
	assert_true(request_read(bytes.data, bytes.len, &arena, &got, &err));
	assert_true(got.outputs);
	assert_int_equal(got.name[0].job, 12);
	assert_string_equal(got.name[1].label, "12[3]");
	for (size_t i = 0; i <= JOB_REF_LABELS_MAX; i++)
		name[i].label = "x";
	asked.outputs = false;
	asked.name_count = JOB_REF_LABELS_MAX;
	assert_round_trip(&asked);
	for (int more = 0; more < 2; more++) { /* too many labels, then too many jobs */
		str_clear(&bytes);
		asked.name_count = more == 0 ? JOB_REF_LABELS_MAX + 1 : JOB_REFS_MAX + 1;
		request_write(&asked, &bytes);
		assert_unreadable(&bytes, bytes.len);
	}
	asked.outputs = true;
	asked.name_count = JOB_REF_FILES_MAX;
	assert_round_trip(&asked);
	str_clear(&bytes);
	asked.name_count++;
	request_write(&asked, &bytes);
	assert_unreadable(&bytes, bytes.len);
	str_free(&bytes);
	arena_free(&arena);
}

static void job_statuses_round_trip(void **state)
{
	const struct job_status sent[] = {{.job = 12,
					   .phase = JOB_PHASE_ENDED,
					   .lost = true,
					   .at_limit = true,
					   .status = 256 + 9,
					   .start_s = 5,
					   .end_s = 6,
					   .label = "12[3]",
					   .user = "eva",
					   .why = "nobody saw it",
					   .output = "/o",
					   .errors = "/e"},
					  {.job = 13, .start_s = TIME_NONE, .end_s = TIME_NONE}};
	struct answer_text got, answer = {.outcome = DRIVER_DONE,
					  .job_status = (struct job_status *)(uintptr_t)sent,
					  .status_count = 2};
	struct str bytes = {0};
	struct err err;

	(void)state;
	answer_write(&answer, &bytes);
	assert_true(answer_read(bytes.data, bytes.len, &got, &err));
	assert_int_equal(got.status_count, 2);
	assert_true(got.job_status[0].job == 12 && got.job_status[0].phase == JOB_PHASE_ENDED &&
		    got.job_status[0].status == 256 + 9);
	assert_true(got.job_status[0].lost && got.job_status[0].at_limit && got.job_status[0].start_s == 5);
	assert_int_equal(got.job_status[0].end_s, 6);
	assert_string_equal(got.job_status[0].label, "12[3]");
	assert_string_equal(got.job_status[0].user, "eva");
	assert_string_equal(got.job_status[0].why, "nobody saw it");
	assert_string_equal(got.job_status[0].output, "/o");
	assert_string_equal(got.job_status[0].errors, "/e");
	assert_null(got.job_status[1].label);
	assert_int_equal(got.job_status[1].phase, JOB_PHASE_UNKNOWN);
	free(got.applied);
	free(got.job_status);
	str_free(&bytes);
}

static void a_truncated_request_is_refused(void **state)
{
	struct event ev[2] = {{.kind = EVENT_CANCEL, .job = 7, .who = "eva"}, {.kind = EVENT_SUBMIT}};
	struct request_text sent = {.kind = ASK_CHANGE, .event = ev, .count = 2};
	struct str bytes = {0};

	(void)state;
	ev[1].submit.launch = "x";
	ev[1].submit.launch_size = 1;
	request_write(&sent, &bytes);
	for (size_t size = 0; size < bytes.len; size++)
		assert_unreadable(&bytes, size);
	str_add_char(&bytes, 'x');
	assert_unreadable(&bytes, bytes.len);
	str_free(&bytes);
}

static void a_damaged_request_is_refused(void **state)
{
	struct event ev = {.kind = EVENT_CANCEL, .job = 7, .who = "eva"};
	struct request_text sent = {.kind = ASK_CHANGE, .event = &ev, .count = 1};
	struct str bytes = {0};

	(void)state;
	request_write(&sent, &bytes);
	for (size_t i = 0; i < bytes.len; i++) {
		bytes.data[i] ^= 4;
		assert_unreadable(&bytes, bytes.len);
		bytes.data[i] ^= 4;
	}
	str_free(&bytes);
}

static void an_answer_round_trips(void **state)
{
	struct applied applied[2] = {{12, 7, 1774368600}, {13, 0, 0}};
	struct answer_text got, sent = {.outcome = DRIVER_REFUSED,
					.now_s = 1774368000,
					.err = {"job 9 is not eva's"},
					.applied = applied,
					.count = 2};
	struct str bytes = {0};
	struct err err;

	(void)state;
	answer_write(&sent, &bytes);
	assert_true(answer_read(bytes.data, bytes.len, &got, &err));
	assert_int_equal(got.outcome, DRIVER_REFUSED);
	assert_int_equal(got.now_s, 1774368000);
	assert_string_equal(got.err.text, "job 9 is not eva's");
	assert_int_equal(got.count, 2);
	assert_int_equal(got.applied[0].seq, 12);
	assert_int_equal(got.applied[0].job, 7);
	assert_int_equal(got.applied[0].until_s, 1774368600);
	assert_int_equal(got.applied[1].until_s, 0);
	free(got.applied);
	free(got.job_status);
	for (size_t size = 0; size < bytes.len; size++)
		assert_false(answer_read(bytes.data, size, &got, &err));
	str_free(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_of_a_random_history_round_trip),
		cmocka_unit_test(expected_job_states_round_trip_and_are_checked),
		cmocka_unit_test(a_launch_is_transferred_byte_by_byte),
		cmocka_unit_test(the_head_contains_the_number_of_events),
		cmocka_unit_test(a_query_without_events_round_trips),
		cmocka_unit_test(a_query_about_jobs_round_trips_within_its_limits),
		cmocka_unit_test(job_statuses_round_trip),
		cmocka_unit_test(a_truncated_request_is_refused),
		cmocka_unit_test(a_damaged_request_is_refused),
		cmocka_unit_test(an_answer_round_trips),
	};

	return cmocka_run_group_tests_name("request", tests, NULL, NULL);
}
