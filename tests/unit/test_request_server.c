/* SPDX-License-Identifier: MIT */
/*
 * test_request_server.c - who answers at the door of the running scheduler?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pwd.h>
#include <signal.h>

#include "portal.h"
#include "sched/rm/monotonic.h"
#include "store/record.h"
#include "tests/crowd.h"

static void a_submission_has_its_id_and_stands_in_the_state(void **state)
{
	struct portal s;
	struct caller *c;

	(void)state;
	portal_begin(&s, false);
	c = portal_call(&s);
	assert_int_equal(submit(c, NULL), 1);
	assert_int_equal(submit(c, NULL), 2);
	assert_string_equal(user_of(c, 2), getpwuid(geteuid())->pw_name);
	caller_close(c);
	portal_end(&s);
}

/* A connection on which nothing was asked for a while is closed, and so are all when the scheduler goes. */
static void who_asks_again_after_a_while_has_an_answer(void **state)
{
	struct portal s;
	struct caller *c;

	(void)state;
	portal_begin(&s, false);
	c = portal_call(&s);
	assert_int_equal(count_waiting(c), 0);
	portal_close(&s);
	portal_open(&s, false);
	assert_int_equal(count_waiting(c), 0);
	caller_close(c);
	portal_end(&s);
}

static void who_is_broken_off_does_not_ask_again(void **state)
{
	struct err err = {""};
	struct portal s;
	struct caller *c;
	int64_t now_s;

	(void)state;
	portal_begin(&s, false);
	c = portal_call(&s);
	caller_interrupt(c);
	assert_null(caller_state(c, &now_s, &err));
	caller_close(c);
	portal_end(&s);
}

static void who_it_is_the_kernel_says_not_the_message(void **state)
{
	struct portal s;
	struct caller *c;
	struct launch launch;
	struct str bytes = {0};
	void *room;
	struct err err;

	(void)state;
	portal_begin(&s, false);
	c = portal_call(&s);
	assert_string_equal(user_of(c, submit(c, "somebody-else")), getpwuid(geteuid())->pw_name);
	assert_true(memory_launch(&s.ledger, 1, &bytes, &err));
	assert_true(launch_read(bytes.data, bytes.len, &launch, &room, &err));
	assert_int_equal(launch.uid, geteuid());
	free(room);
	str_free(&bytes);
	caller_close(c);
	portal_end(&s);
}

static void what_is_refused_is_said(void **state)
{
	struct event ev = {.kind = EVENT_CANCEL, .job = 77, .who = "x"};
	struct portal s;
	struct caller *c;
	struct err err;

	(void)state;
	portal_begin(&s, false);
	c = portal_call(&s);
	assert_int_equal(caller_post(c, &ev, 1, &err), DRIVER_REFUSED);
	assert_string_equal(err.text, "job 77 is not in the queue: it does not exist or has ended");
	ev = (struct event){.kind = EVENT_END, .job = 1, .who = "x"};
	assert_int_equal(caller_post(c, &ev, 1, &err), DRIVER_REFUSED);
	assert_string_equal(err.text, "'end' is an event of the scheduler and cannot be requested");
	caller_close(c);
	portal_end(&s);
}

static void a_batch_happens_whole_or_not_at_all(void **state)
{
	struct str launch = {0};
	struct event ev[2] = {submission(&launch, NULL), {.kind = EVENT_CANCEL, .job = 77}};
	struct portal s;
	struct caller *c;
	struct err err;

	(void)state;
	portal_begin(&s, false);
	c = portal_call(&s);
	assert_int_equal(caller_post(c, ev, 2, &err), DRIVER_REFUSED);
	assert_int_equal(count_waiting(c), 0);
	str_free(&launch);
	caller_close(c);
	portal_end(&s);
}

static void a_submission_without_anything_to_run_is_refused(void **state)
{
	struct str launch = {0};
	struct event ev = submission(&launch, NULL);
	struct portal s;
	struct caller *c;
	struct err err;

	(void)state;
	portal_begin(&s, false);
	c = portal_call(&s);
	ev.submit.launch = NULL;
	ev.submit.launch_size = 0;
	assert_int_equal(caller_post(c, &ev, 1, &err), DRIVER_REFUSED);
	assert_string_equal(err.text, "the submission has no script or command");
	ev.submit.launch = "nonsense";
	ev.submit.launch_size = 8;
	assert_int_equal(caller_post(c, &ev, 1, &err), DRIVER_REFUSED);
	str_free(&launch);
	caller_close(c);
	portal_end(&s);
}

static void what_has_become_of_jobs_is_told(void **state)
{
	const struct fate_name name[3] = {{.job = 1}, {.job = 2}, {.job = 3}};
	struct event cancel = {.kind = EVENT_CANCEL, .job = 1};
	struct fate fate[3];
	struct portal s;
	struct caller *c;
	struct err err;

	(void)state;
	portal_begin(&s, false);
	c = portal_call(&s);
	submit(c, NULL);
	submit(c, NULL);
	assert_int_equal(caller_post(c, &cancel, 1, &err), DRIVER_DONE);
	assert_true(caller_fates(c, name, 3, false, fate, &err));
	assert_true(fate[0].job == 1 && fate[0].phase == FATE_ENDED && fate[0].status == STATUS_CANCELLED);
	assert_true(fate[0].start_s == TIME_NONE && fate[0].end_s >= 1000);
	assert_string_equal(fate[0].user, getpwuid(geteuid())->pw_name);
	assert_true(fate[1].phase == FATE_WAITING && fate[1].output == NULL);
	assert_int_equal(fate[2].phase, FATE_UNKNOWN);
	assert_true(caller_fates(c, name + 1, 1, true, fate, &err));
	assert_string_equal(fate[0].output, "/tmp/o2");
	caller_close(c);
	portal_end(&s);
}

/* --- the state, as long as it is the same ------------------------------------------------------ */

static ino_t file_of_state(const struct portal *s)
{
	const struct request_text request = {.kind = ASK_STATE};
	struct str bytes = {0}, reply = {0};
	struct stat st;
	struct err err;
	int fd, connection = door_knock(s->dir, &err);

	request_write(&request, &bytes);
	assert_true(door_ask(connection, bytes.data, bytes.len, &reply, &fd, 60000, &err));
	assert_int_equal(fstat(fd, &st), 0);
	close(fd);
	close(connection);
	str_free(&bytes);
	str_free(&reply);
	return st.st_ino;
}

static void the_same_state_is_one_file_for_all(void **state)
{
	struct portal s;
	struct caller *c;
	ino_t first;

	(void)state;
	portal_begin(&s, false);
	c = portal_call(&s);
	submit(c, NULL);
	first = file_of_state(&s);
	assert_true(file_of_state(&s) == first);
	submit(c, NULL);
	assert_true(file_of_state(&s) != first);
	caller_close(c);
	portal_end(&s);
}

/* --- a crowd ----------------------------------------------------------------------------------- */

#define ASKED    100
#define ROUNDS   6
#define LIMIT_MS 2000 /* far below the patience that the crowd is given; how much less, a bench tells */

static int compare_ms(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Milliseconds that 99 of a hundred submissions do not take. */
static int64_t submit_many(struct caller *c)
{
	int64_t took_ms[ASKED];

	for (int i = 0; i < ASKED; i++) {
		took_ms[i] = monotonic_ms();
		submit(c, NULL);
		took_ms[i] = monotonic_ms() - took_ms[i];
	}
	qsort(took_ms, ASKED, sizeof *took_ms, compare_ms);
	printf("# p50 %d ms, p99 %d ms\n", (int)took_ms[ASKED / 2], (int)took_ms[ASKED * 99 / 100]);
	return took_ms[ASKED * 99 / 100];
}

/* Who waits for the crowd's patience does so in every round; what else the machine does may spoil one. */
static void a_crowd_that_is_not_nice_delays_nobody(void **state)
{
	int64_t took_ms = INT64_MAX;
	uint32_t rounds = 0;
	struct portal s;
	struct caller *c;
	int ready[2], status;
	char byte;
	pid_t crowd;

	(void)state;
	portal_begin(&s, false);
	c = portal_call(&s);
	assert_int_equal(pipe(ready), 0);
	crowd = fork();
	if (crowd == 0)
		be_a_crowd(s.dir, ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	for (; rounds < ROUNDS && took_ms >= LIMIT_MS; rounds++)
		took_ms = submit_many(c);
	assert_int_equal(kill(crowd, SIGKILL), 0);
	assert_int_equal(waitpid(crowd, &status, 0), crowd);
	assert_true(took_ms < LIMIT_MS);
	assert_int_equal(count_waiting(c), rounds * ASKED);
	caller_close(c);
	close(ready[0]);
	close(ready[1]);
	portal_end(&s);
}

/* --- another version --------------------------------------------------------------------------- */

static void a_program_of_another_version_is_told_so(void **state)
{
	struct str request = {0}, reply = {0};
	struct key first = key_number(0);
	size_t at = record_begin(&request, (enum record_type)64, 9);
	struct answer_text answer;
	struct portal s;
	struct err err;
	int fd, connection;

	(void)state;
	portal_begin(&s, false);
	put_text(&request, "7.5");
	put_u64(&request, 12345);
	record_end(&request, at, &first);
	connection = door_knock(s.dir, &err);
	assert_true(door_ask(connection, request.data, request.len, &reply, &fd, 60000, &err));
	assert_true(answer_read(reply.data, reply.len, &answer, &err));
	assert_int_equal(answer.outcome, DRIVER_REFUSED);
	assert_string_equal(answer.err.text,
			    "the program that asks is kahu 7.5 and this is kahu " KAHU_VERSION
			    ": use the program that the scheduler was started from");
	free(answer.applied);
	free(answer.fate);
	close(connection);
	str_free(&request);
	str_free(&reply);
	portal_end(&s);
}

static void without_a_scheduler_the_sentence_says_so(void **state)
{
	struct err err = {""};

	(void)state;
	assert_null(caller_open("/tmp/there-is-none", &err));
	assert_true(err.text[0] != '\0');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_submission_has_its_id_and_stands_in_the_state),
		cmocka_unit_test(who_asks_again_after_a_while_has_an_answer),
		cmocka_unit_test(who_is_broken_off_does_not_ask_again),
		cmocka_unit_test(who_it_is_the_kernel_says_not_the_message),
		cmocka_unit_test(what_is_refused_is_said),
		cmocka_unit_test(a_batch_happens_whole_or_not_at_all),
		cmocka_unit_test(a_submission_without_anything_to_run_is_refused),
		cmocka_unit_test(what_has_become_of_jobs_is_told),
		cmocka_unit_test(the_same_state_is_one_file_for_all),
		cmocka_unit_test(a_crowd_that_is_not_nice_delays_nobody),
		cmocka_unit_test(a_program_of_another_version_is_told_so),
		cmocka_unit_test(without_a_scheduler_the_sentence_says_so),
	};

	return cmocka_run_group_tests_name("porter", tests, NULL, NULL);
}
