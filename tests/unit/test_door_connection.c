/* SPDX-License-Identifier: MIT */
/*
 * test_door_connection.c - one connection to the socket of the scheduler
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>

#include "sched/rm/monotonic.h"
#include "tests/door_scene.h"

#define SHORT_MS 20 /* patience */

static unsigned char many[DOOR_PACKET];

static void turn_until_asked(struct door_scene *s, int times)
{
	int64_t until_ms = monotonic_ms() + WAIT_MS;

	while (s->asked < times && monotonic_ms() < until_ms)
		door_turn(s->door);
	assert_int_equal(s->asked, times);
}

/* --- requests and answers ------------------------------------------------------------------------- */

static void a_request_can_arrive_in_parts(void **state)
{
	struct door_scene s;
	int connection;

	(void)state;
	scene_open(&s, false);
	connection = scene_knock(&s);
	send_text(connection, "a requ", false);
	send_text(connection, "", false);
	send_text(connection, "est", false);
	door_turn(s.door);
	send_text(connection, "", true);
	expect_answer(&s, connection, "a request");
	expect_echo(&s, connection, "");
	assert_int_equal(s.peer.uid, geteuid());
	assert_int_equal(s.peer.pid, getpid());
	close(connection);
	scene_close(&s);
}

static void answers_can_be_sent_in_any_order(void **state)
{
	static const char *const word[] = {"first", "second", "third"};
	struct door_scene s;
	int connection[3];

	(void)state;
	scene_open(&s, false);
	s.keep = true;
	for (int i = 0; i < 3; i++) {
		connection[i] = scene_knock(&s);
		send_text(connection[i], word[i], true);
		turn_until_asked(&s, i + 1);
	}
	for (int i = 3; i-- > 0;) {
		assert_true(scene_answer_kept(&s, i));
		expect_answer(&s, connection[i], word[i]);
		close(connection[i]);
	}
	scene_close(&s);
}

static void the_next_request_waits_for_the_answer_to_the_previous_one(void **state)
{
	struct door_scene s;
	int connection;

	(void)state;
	scene_open(&s, false);
	s.keep = true;
	connection = scene_knock(&s);
	send_text(connection, "one", true);
	send_text(connection, "two", true);
	turn_until_asked(&s, 1);
	for (int i = 0; i < 10; i++)
		door_turn(s.door);
	assert_int_equal(s.asked, 1);
	assert_true(scene_answer_kept(&s, 0));
	expect_answer(&s, connection, "one");
	turn_until_asked(&s, 2);
	assert_true(scene_answer_kept(&s, 1));
	expect_answer(&s, connection, "two");
	close(connection);
	scene_close(&s);
}

static void a_client_that_waits_for_an_answer_has_no_time_limit(void **state)
{
	struct door_scene s;
	int waiting, idle;

	(void)state;
	scene_open(&s, false);
	s.keep = true;
	waiting = scene_knock(&s);
	send_text(waiting, "patient", true);
	turn_until_asked(&s, 1);
	assert_int_equal(door_wait_ms(s.door), -1);
	s.door->patience_ms = SHORT_MS;
	idle = scene_knock(&s);
	expect_closed(&s, idle);
	assert_int_equal(s.gone, 0);
	s.door->patience_ms = DOOR_PATIENCE_MS;
	assert_true(scene_answer_kept(&s, 0));
	expect_answer(&s, waiting, "patient");
	close(waiting);
	close(idle);
	scene_close(&s);
}

/* --- time limits ---------------------------------------------------------------------------------- */

static void a_silent_client_is_disconnected(void **state)
{
	struct door_scene s;
	int connection;
	int64_t begun_ms = monotonic_ms();

	(void)state;
	scene_open(&s, false);
	assert_int_equal(door_wait_ms(s.door), -1);
	s.door->patience_ms = SHORT_MS;
	connection = scene_knock(&s);
	expect_closed(&s, connection);
	assert_true(monotonic_ms() - begun_ms >= SHORT_MS);
	assert_int_equal(door_wait_ms(s.door), -1);
	close(connection);
	scene_close(&s);
}

/* The time limit is for the whole request, however often a part of it arrives. */
static void a_request_that_arrives_too_slowly_is_disconnected(void **state)
{
	struct door_scene s;
	int64_t until_ms = monotonic_ms() + WAIT_MS;
	struct packet p;
	int connection, drops = 0;

	(void)state;
	scene_open(&s, false);
	s.door->patience_ms = SHORT_MS;
	connection = scene_knock(&s);
	while (packet_receive(connection, &p, NULL) == PACKET_LATER) {
		assert_true(monotonic_ms() < until_ms);
		drops += packet_send(connection, PACKET_DATA, false, "", 0, -1);
		poll(NULL, 0, 1);
		door_turn(s.door);
	}
	assert_true(drops > 1);
	assert_int_equal(s.asked, 0);
	close(connection);
	scene_close(&s);
}

static void a_client_that_does_not_read_is_disconnected_and_delays_no_others(void **state)
{
	struct door_scene s;
	struct packet p;
	int slow, other;
	size_t got = 0;

	(void)state;
	scene_open(&s, false);
	s.answer_size = DOOR_REQUEST_MAX;
	slow = scene_knock(&s);
	send_text(slow, "much", true);
	turn_until_asked(&s, 1);
	s.answer_size = 0;
	other = scene_knock(&s);
	expect_echo(&s, other, "meanwhile");
	s.door->connection[0]->until_ms = monotonic_ms();
	door_turn(s.door);
	while (receive_packet(&s, slow, &p) == PACKET_WHOLE) {
		assert_false(p.last);
		got += p.size;
	}
	assert_in_range(got, DOOR_PACKET, DOOR_REQUEST_MAX - 1);
	expect_echo(&s, other, "afterwards");
	close(slow);
	close(other);
	scene_close(&s);
}

/* --- clients that disconnect
 * --------------------------------------------------------------------------------------- */

static void a_disconnect_before_the_answer_is_reported_to_the_handler(void **state)
{
	struct door_scene s;
	int connection;

	(void)state;
	scene_open(&s, false);
	s.keep = true;
	connection = scene_knock(&s);
	send_text(connection, "bye", true);
	close(connection);
	turn_until_asked(&s, 1);
	while (s.gone == 0)
		door_turn(s.door);
	assert_false(scene_answer_kept(&s, 0));
	assert_int_equal(s.door->count, 0);
	scene_close(&s);
}

static void closing_the_door_reports_unanswered_requests_to_the_handler(void **state)
{
	struct door_scene s;
	int connection;

	(void)state;
	scene_open(&s, false);
	s.keep = true;
	connection = scene_knock(&s);
	send_text(connection, "wait", true);
	turn_until_asked(&s, 1);
	scene_close(&s);
	assert_int_equal(s.gone, 1);
	close(connection);
}

static void a_disconnect_in_the_middle_of_a_transfer_frees_its_memory(void **state)
{
	struct door_scene s;
	int half, reading;

	(void)state;
	scene_open(&s, false);
	s.answer_size = DOOR_REQUEST_MAX;
	half = scene_knock(&s);
	send_text(half, "half", false);
	reading = scene_knock(&s);
	send_text(reading, "much", true);
	turn_until_asked(&s, 1);
	assert_int_equal(s.door->count, 2);
	close(half);
	close(reading);
	while (s.door->count > 0)
		door_turn(s.door);
	assert_int_equal(s.gone, 0);
	assert_int_equal(user_of(s.door, geteuid())->held, 0);
	scene_close(&s);
}

/* One turn sees both: first the request, whose handler answers the client that has just disconnected. */
static void an_answer_to_a_disconnected_client_is_dropped(void **state)
{
	struct door_scene s;
	int leaving, asking;

	(void)state;
	scene_open(&s, false);
	s.keep = true;
	leaving = scene_knock(&s);
	send_text(leaving, "bye", true);
	turn_until_asked(&s, 1);
	asking = scene_knock(&s);
	door_turn(s.door);
	s.keep = false;
	s.answers_kept = 0;
	send_text(asking, "hello", true);
	close(leaving);
	expect_answer(&s, asking, "hello");
	assert_int_equal(s.gone, 0);
	assert_int_equal(s.door->count, 1);
	assert_int_equal(user_of(s.door, geteuid())->connections, 1);
	close(asking);
	scene_close(&s);
}

/* --- invalid requests
 * --------------------------------------------------------------------------------------- */

static void an_invalid_packet_is_refused(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
	} wrong[] = {{"x", 1},
		     {"KHD1", 4},
		     {"KHD1\0\1\0", 7},
		     {"KHD1\0\2\0\0", 8},
		     {"KHD1\1\1\0\0", 8},
		     {"KHD1\7\1\0\0", 8},
		     {"KHD1\0\1\0\1", 8},
		     {"khd1\0\1\0\0", 8}};
	struct door_scene s;

	(void)state;
	scene_open(&s, false);
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		int connection = scene_knock(&s);

		assert_int_equal(send(connection, wrong[i].bytes, wrong[i].size, 0), wrong[i].size);
		send_text(connection, "and more that is never read", true);
		expect_refusal(&s, connection, "this is not a kahu request");
		close(connection);
	}
	assert_int_equal(s.asked, 0);
	scene_close(&s);
}

static void a_packet_that_is_too_long_is_refused(void **state)
{
	static char bytes[PACKET_HEADER + DOOR_PACKET + 1] = "KHD1\0\1";
	struct door_scene s;
	int connection;

	(void)state;
	scene_open(&s, false);
	connection = scene_knock(&s);
	assert_int_equal(send(connection, bytes, sizeof bytes, 0), sizeof bytes);
	expect_refusal(&s, connection, "this is not a kahu request");
	close(connection);
	scene_close(&s);
}

/* Sends until the door closes the connection, or until `most` bytes are sent. */
static size_t pour(struct door_scene *s, int connection, size_t most)
{
	size_t sent = 0;

	while (sent < most) {
		if (packet_send(connection, PACKET_DATA, false, many, sizeof many, -1))
			sent += sizeof many;
		else if (errno != EAGAIN)
			break;
		else
			door_turn(s->door);
	}
	return sent;
}

static void an_endless_request_is_cut_off(void **state)
{
	struct door_scene s;
	int connection;

	(void)state;
	scene_open(&s, false);
	connection = scene_knock(&s);
	assert_in_range(pour(&s, connection, 4 * DOOR_REQUEST_MAX), DOOR_REQUEST_MAX, 2 * DOOR_REQUEST_MAX);
	expect_refusal(&s, connection, "the request is too large: more than 5 MB");
	assert_int_equal(s.asked, 0);
	close(connection);
	scene_close(&s);
}

static void a_request_in_many_small_packets_is_refused(void **state)
{
	struct door_scene s;
	int connection;

	(void)state;
	scene_open(&s, false);
	scene_distrust(&s);
	connection = scene_knock(&s);
	for (int i = 0; i < 16; i++)
		send_text(connection, "x", false);
	send_text(connection, "", true);
	expect_answer(&s, connection, "xxxxxxxxxxxxxxxx");
	for (int i = 0; i < 17; i++)
		send_text(connection, "x", false);
	expect_refusal(&s, connection, "the request comes in too many small packets");
	close(connection);
	scene_close(&s);
}

static void memory_of_the_requests_of_a_user_is_limited(void **state)
{
	int connection[DOOR_HELD / DOOR_REQUEST_MAX + 1], i = 0;
	struct door_scene s;

	(void)state;
	scene_open(&s, false);
	scene_distrust(&s);
	for (size_t left = DOOR_HELD; left > 0; i++) {
		size_t part = left < DOOR_REQUEST_MAX ? left : DOOR_REQUEST_MAX;

		connection[i] = scene_knock(&s);
		assert_int_equal(pour(&s, connection[i], part), part);
		left -= part;
		while (user_of(s.door, geteuid())->held < DOOR_HELD - left)
			door_turn(s.door);
	}
	send_text(connection[i - 1], "one more", true);
	expect_refusal(&s, connection[i - 1],
		       "the requests of this user that are in progress take too much memory "
		       "(maxuserrequestmemory); try again later");
	send_text(connection[0], "", true); /* the refused request has freed enough memory for this one */
	turn_until_asked(&s, 1);
	while (i > 0)
		close(connection[--i]);
	scene_close(&s);
}

/* The other users are simulated by a number. */
static void a_user_may_hold_less_while_other_users_hold_much(void **state)
{
	struct door_scene s;
	int first, second;

	(void)state;
	scene_open(&s, false);
	scene_distrust(&s);
	first = scene_knock(&s);
	second = scene_knock(&s);
	assert_int_equal(pour(&s, first, DOOR_CROWDED_EACH), DOOR_CROWDED_EACH);
	while (user_of(s.door, geteuid())->held < DOOR_CROWDED_EACH)
		door_turn(s.door);
	s.door->held += DOOR_CROWDED + 1;
	send_text(second, "one more", true);
	expect_refusal(&s, second,
		       "the requests of all users that are in progress take too much memory; send a smaller "
		       "request, or try again later");
	s.door->held -= DOOR_CROWDED + 1;
	send_text(first, "", true);
	turn_until_asked(&s, 1);
	close(first);
	close(second);
	scene_close(&s);
}

static void descriptors_sent_by_clients_are_closed(void **state)
{
	int pipes[2], connection;
	struct door_scene s;
	struct packet p;
	char byte;

	(void)state;
	scene_open(&s, false);
	connection = scene_knock(&s);
	assert_int_equal(pipe(pipes), 0);
	if (packet_send(connection, PACKET_DATA, true, "take it", 7, pipes[1])) {
		assert_int_equal(receive_packet(&s, connection, &p), PACKET_CLOSED);
	} else {
		send_text(connection, "take this", true); /* the kernel has refused to send the descriptor */
		expect_answer(&s, connection, "take this");
	}
	close(pipes[1]);
	/* End of file appears only after every copy of the writing end is closed. */
	assert_int_equal(read(pipes[0], &byte, 1), 0);
	close(pipes[0]);
	close(connection);
	scene_close(&s);
}

static void requests_beyond_the_rate_limit_are_refused(void **state)
{
	struct door_scene s;
	struct packet p;
	int connection;

	(void)state;
	scene_open(&s, false);
	scene_distrust(&s);
	connection = scene_knock(&s);
	do {
		send_text(connection, "x", true);
		assert_int_equal(receive_packet(&s, connection, &p), PACKET_WHOLE);
	} while (p.kind == PACKET_DATA && s.asked < 100 * DOOR_RATE);
	assert_in_range(s.asked, DOOR_RATE, 100 * DOOR_RATE - 1);
	assert_string_equal((const char *)p.bytes,
			    "rate limit exceeded: too many requests of this user in a second "
			    "(maxuserrequests); try again later");
	expect_closed(&s, connection);
	close(connection);
	scene_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_can_arrive_in_parts),
		cmocka_unit_test(answers_can_be_sent_in_any_order),
		cmocka_unit_test(the_next_request_waits_for_the_answer_to_the_previous_one),
		cmocka_unit_test(a_client_that_waits_for_an_answer_has_no_time_limit),
		cmocka_unit_test(a_silent_client_is_disconnected),
		cmocka_unit_test(a_request_that_arrives_too_slowly_is_disconnected),
		cmocka_unit_test(a_client_that_does_not_read_is_disconnected_and_delays_no_others),
		cmocka_unit_test(a_disconnect_before_the_answer_is_reported_to_the_handler),
		cmocka_unit_test(closing_the_door_reports_unanswered_requests_to_the_handler),
		cmocka_unit_test(a_disconnect_in_the_middle_of_a_transfer_frees_its_memory),
		cmocka_unit_test(an_answer_to_a_disconnected_client_is_dropped),
		cmocka_unit_test(an_invalid_packet_is_refused),
		cmocka_unit_test(a_packet_that_is_too_long_is_refused),
		cmocka_unit_test(an_endless_request_is_cut_off),
		cmocka_unit_test(a_request_in_many_small_packets_is_refused),
		cmocka_unit_test(memory_of_the_requests_of_a_user_is_limited),
		cmocka_unit_test(a_user_may_hold_less_while_other_users_hold_much),
		cmocka_unit_test(descriptors_sent_by_clients_are_closed),
		cmocka_unit_test(requests_beyond_the_rate_limit_are_refused),
	};

	return cmocka_run_group_tests_name("door_connection", tests, NULL, NULL);
}
