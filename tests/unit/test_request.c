/* SPDX-License-Identifier: MIT */
/*
 * test_request.c - what do a client and the running scheduler say to each other through the door?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tests/history.h"
#include "tests/seed.h"
#include "tui/commands/request.h"

static void must_not_read(const struct str *bytes, size_t size)
{
	struct arena arena = {0};
	struct request_text request;
	struct err err = {""};

	assert_false(request_read(bytes->data, size, &arena, &request, &err));
	assert_true(err.text[0] != '\0');
	arena_free(&arena);
}

/* What was read is written as the same bytes: so nothing was lost. */
static void must_come_back(const struct request_text *sent)
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

static void events_of_all_kinds_come_through_with_what_is_to_be_run(void **state)
{
	struct rng rng = seeded("requests of a history");
	struct history h;

	(void)state;
	history_begin(&h, rng_u64(&rng));
	for (int i = 0; i < 300; i++) {
		struct ledger_step step = history_step(&h, 6);

		(void)step;
		must_come_back(
			&(struct request_text){.kind = ASK_CHANGE, .event = h.event, .count = h.event_count});
	}
	history_end(&h);
}

static void what_is_to_be_run_comes_through_byte_by_byte(void **state)
{
	static const char launch[] = "#!/bin/sh\n\0\1\377 end";
	struct event ev = {.kind = EVENT_SUBMIT};
	struct request_text got, sent = {.kind = ASK_CHANGE, .event = &ev, .count = 1};
	struct arena arena = {0};
	struct str bytes = {0};
	struct err err;

	(void)state;
	ev.submit.job = (struct job){.tasks = 1, .task_procs = 1, .real = JOB_REAL_LAUNCH};
	ev.submit.launch = launch;
	ev.submit.launch_size = sizeof launch;
	request_write(&sent, &bytes);
	assert_true(request_read(bytes.data, bytes.len, &arena, &got, &err));
	assert_int_equal(got.event[0].submit.launch_size, sizeof launch);
	assert_memory_equal(got.event[0].submit.launch, launch, sizeof launch);
	str_free(&bytes);
	arena_free(&arena);
}

static void a_question_without_events_comes_through(void **state)
{
	(void)state;
	must_come_back(&(struct request_text){.kind = ASK_STATE});
}

static void a_request_cut_off_anywhere_is_refused(void **state)
{
	struct event ev[2] = {{.kind = EVENT_CANCEL, .job = 7, .who = "eva"}, {.kind = EVENT_SUBMIT}};
	struct request_text sent = {.kind = ASK_CHANGE, .event = ev, .count = 2};
	struct str bytes = {0};

	(void)state;
	ev[1].submit.launch = "x";
	ev[1].submit.launch_size = 1;
	request_write(&sent, &bytes);
	for (size_t size = 0; size < bytes.len; size++)
		must_not_read(&bytes, size);
	str_add_char(&bytes, 'x');
	must_not_read(&bytes, bytes.len);
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
		must_not_read(&bytes, bytes.len);
		bytes.data[i] ^= 4;
	}
	str_free(&bytes);
}

static void an_answer_comes_back(void **state)
{
	struct applied applied[2] = {{12, 7}, {13, 0}};
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
	free(got.applied);
	for (size_t size = 0; size < bytes.len; size++)
		assert_false(answer_read(bytes.data, size, &got, &err));
	str_free(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_of_all_kinds_come_through_with_what_is_to_be_run),
		cmocka_unit_test(what_is_to_be_run_comes_through_byte_by_byte),
		cmocka_unit_test(a_question_without_events_comes_through),
		cmocka_unit_test(a_request_cut_off_anywhere_is_refused),
		cmocka_unit_test(a_damaged_request_is_refused),
		cmocka_unit_test(an_answer_comes_back),
	};

	return cmocka_run_group_tests_name("request", tests, NULL, NULL);
}
