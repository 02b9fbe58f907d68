/* SPDX-License-Identifier: MIT */
/*
 * test_request_server_turn.c - is what is asked again, or at once, made once and in one commit?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>
#include <time.h>

#include "portal.h"
#include "sched/host/door_packet.h"
#include "sched/rm/monotonic.h"
#include "tui/serve/request_server_inside.h"

/* --- asked again ------------------------------------------------------------------------------- */

/* One request as it is sent, and what is answered. */
static void ask_raw(const struct portal *s, const struct str *request, struct answer_text *answer)
{
	struct str reply = {0};
	struct err err;
	int fd, connection = door_knock(s->dir, &err);

	assert_true(connection >= 0);
	assert_true(door_ask(connection, request->data, request->len, &reply, &fd, 60000, &err));
	assert_true(answer_read(reply.data, reply.len, answer, &err));
	free(answer->fate);
	str_free(&reply);
	close(connection);
}

static void write_submission(struct str *out, const char *cookie)
{
	struct str launch = {0};
	struct event ev = submission(&launch, NULL);
	struct request_text request = {.kind = ASK_CHANGE, .event = &ev, .count = 1};

	memcpy(request.cookie, cookie, COOKIE_BYTES);
	request_write(&request, out);
	str_free(&launch);
}

static void a_change_that_is_asked_for_again_is_made_once(void **state)
{
	struct answer_text first, again, other;
	struct str request = {0}, another = {0};
	struct portal s;
	struct caller *c;

	(void)state;
	portal_begin(&s, false);
	write_submission(&request, "0123456789abcdef");
	write_submission(&another, "0123456789abcdeX");
	ask_raw(&s, &request, &first);
	ask_raw(&s, &another, &other);
	ask_raw(&s, &request, &again);
	assert_int_equal(first.outcome, DRIVER_DONE);
	assert_int_equal(again.outcome, DRIVER_DONE);
	assert_int_equal(again.count, 1);
	assert_int_equal(again.applied[0].job, first.applied[0].job);
	assert_int_equal(again.applied[0].seq, first.applied[0].seq);
	assert_int_equal(other.applied[0].job, first.applied[0].job + 1);
	c = portal_call(&s);
	assert_int_equal(count_waiting(c), 2);
	caller_close(c);
	free(first.applied);
	free(again.applied);
	free(other.applied);
	str_free(&request);
	str_free(&another);
	portal_end(&s);
}

/* A stranger who has heard of a cookie gets no answer by it, and takes nothing from whose it is. */
static void a_cookie_is_its_users_own(void **state)
{
	struct answer_text first, again;
	struct str request = {0};
	struct portal s;
	int status;
	pid_t pid;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	write_submission(&request, "0123456789abcdef");
	ask_raw(&s, &request, &first);
	pid = fork();
	if (pid == 0) {
		struct answer_text theirs;

		if (setresgid(NOBODY, NOBODY, NOBODY) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0)
			_exit(10);
		ask_raw(&s, &request, &theirs);
		_exit(theirs.applied[0].job == first.applied[0].job + 1 ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	ask_raw(&s, &request, &again);
	assert_int_equal(again.applied[0].job, first.applied[0].job);
	free(first.applied);
	free(again.applied);
	str_free(&request);
	portal_end(&s);
}

/* --- many at once ------------------------------------------------------------------------------ */

#define CALLERS 16

/* So that all callers share a turn also where the processor is slow or busy. */
#define LONG_TURN_MS 60000

/* Without a thread: the test itself turns what the scheduler would. */
struct turned {
	struct portal s;
	struct driver *driver;
	int connection[CALLERS];
};

static void turn(struct turned *t)
{
	struct host_guest guest = porter_guest(t->s.porter);
	struct err err;

	if (!guest.ops->turn(guest.self, t->driver, 1000, &err))
		fail_msg("%s", err.text);
}

static void begin_turned_at(struct turned *t, struct porter_site site, int turn_ms)
{
	const struct fake_cluster cluster = {.nodes = 2, .node_procs = 4};
	const struct sim_origin none = {.active = 0};
	struct err err;

	strcpy(t->s.dir, "/tmp/kahu-porter.XXXXXX");
	assert_non_null(mkdtemp(t->s.dir));
	memory_begin(&t->s.ledger);
	t->driver = driver_new(fake_from_workload(&cluster, &none), memory_ledger(&t->s.ledger), &err);
	t->s.porter =
		porter_open(&(struct porter_setup){.dir = t->s.dir, .site = site, .turn_ms = turn_ms}, &err);
	assert_non_null(t->s.porter);
	for (int i = 0; i < CALLERS; i++) {
		t->connection[i] = door_knock(t->s.dir, &err);
		assert_true(t->connection[i] >= 0);
	}
	turn(t);
}

static void begin_turned(struct turned *t)
{
	begin_turned_at(t, (struct porter_site){.self = NULL}, LONG_TURN_MS);
}

static void end_turned(struct turned *t)
{
	for (int i = 0; i < CALLERS; i++)
		close(t->connection[i]);
	porter_close(t->s.porter);
	driver_free(t->driver);
	assert_string_equal(t->s.ledger.fault.text, "");
	memory_end(&t->s.ledger);
	assert_int_equal(rmdir(t->s.dir), 0);
}

static void send_on(const struct turned *t, int i, const struct str *request)
{
	assert_true(packet_send(t->connection[i], PACKET_DATA, true, request->data, request->len, -1));
}

static void hear_on(const struct turned *t, int i, struct answer_text *answer)
{
	struct packet p;
	struct err err;

	assert_int_equal(packet_receive(t->connection[i], &p, NULL), PACKET_WHOLE);
	if (!answer_read(p.bytes, p.size, answer, &err))
		fail_msg("%s", err.text);
	free(answer->fate);
}

static void must_be_silent(const struct turned *t, int i)
{
	struct packet p;

	assert_int_equal(packet_receive(t->connection[i], &p, NULL), PACKET_LATER);
}

static bool wants_a_turn(const struct turned *t)
{
	struct host_guest guest = porter_guest(t->s.porter);

	return guest.ops->wait_ms(guest.self) == 0;
}

static void those_who_ask_at_once_share_a_commit(void **state)
{
	struct str request = {0};
	struct answer_text answer;
	struct turned t;
	unsigned commits;

	(void)state;
	begin_turned(&t);
	commits = t.s.ledger.commits;
	for (int i = 0; i < CALLERS; i++) {
		char cookie[COOKIE_BYTES + 1] = "cookie number aa";

		cookie[COOKIE_BYTES - 1] = (char)('a' + i);
		str_clear(&request);
		write_submission(&request, cookie);
		send_on(&t, i, &request);
		must_be_silent(&t, i);
	}
	turn(&t);
	assert_int_equal(t.s.ledger.commits, commits + 1);
	for (uint64_t i = 0; i < CALLERS; i++) {
		hear_on(&t, (int)i, &answer);
		assert_int_equal(answer.outcome, DRIVER_DONE);
		assert_int_equal(answer.applied[0].job, i + 1);
		free(answer.applied);
	}
	str_free(&request);
	end_turned(&t);
}

static void the_same_cookie_twice_in_one_turn_is_one_change(void **state)
{
	struct str request = {0};
	struct answer_text first, again;
	struct turned t;

	(void)state;
	begin_turned(&t);
	write_submission(&request, "0123456789abcdef");
	send_on(&t, 0, &request);
	send_on(&t, 1, &request);
	turn(&t);
	hear_on(&t, 0, &first);
	hear_on(&t, 1, &again);
	assert_int_equal(first.applied[0].job, 1);
	assert_int_equal(again.applied[0].job, 1);
	assert_int_equal(snapshot_count(driver_view(t.driver), TABLE_WAITING), 1);
	free(first.applied);
	free(again.applied);
	str_free(&request);
	end_turned(&t);
}

static void one_that_is_refused_harms_no_other_of_the_turn(void **state)
{
	struct event cancel = {.kind = EVENT_CANCEL, .job = 77};
	struct request_text what = {.kind = ASK_CHANGE, .event = &cancel, .count = 1};
	struct str request = {0}, refused = {0};
	struct answer_text answer;
	struct turned t;

	(void)state;
	begin_turned(&t);
	write_submission(&request, "0123456789abcdef");
	request_write(&what, &refused);
	send_on(&t, 0, &refused);
	send_on(&t, 1, &request);
	send_on(&t, 2, &refused);
	turn(&t);
	for (int i = 0; i < 3; i++) {
		hear_on(&t, i, &answer);
		assert_int_equal(answer.outcome, i == 1 ? DRIVER_DONE : DRIVER_REFUSED);
		free(answer.applied);
	}
	str_free(&request);
	str_free(&refused);
	end_turned(&t);
}

/* The small one behind it is not answered before it either: its user's requests keep their order. */
static void nobody_waits_for_the_commit_of_a_large_request(void **state)
{
	enum {
		MANY = 33
	};
	static struct event ev[MANY];
	struct str launch = {0}, small = {0}, large = {0}, later = {0};
	const struct request_text what = {.kind = ASK_CHANGE, .event = ev, .count = MANY};
	struct answer_text answer;
	struct turned t;

	(void)state;
	begin_turned(&t);
	for (int i = 0; i < MANY; i++) {
		str_clear(&launch);
		ev[i] = submission(&launch, NULL);
	}
	for (int i = 0; i < MANY; i++)
		ev[i].submit.launch = launch.data;
	request_write(&what, &large);
	write_submission(&small, "0123456789abcdef");
	write_submission(&later, "0123456789abcdeX");
	send_on(&t, 0, &small);
	send_on(&t, 1, &large);
	send_on(&t, 2, &later);
	turn(&t);
	hear_on(&t, 0, &answer);
	assert_int_equal(answer.applied[0].job, 1);
	free(answer.applied);
	must_be_silent(&t, 1);
	must_be_silent(&t, 2);
	assert_true(wants_a_turn(&t));
	turn(&t);
	hear_on(&t, 1, &answer);
	assert_int_equal(answer.count, MANY);
	assert_int_equal(answer.applied[MANY - 1].job, 1 + MANY);
	free(answer.applied);
	hear_on(&t, 2, &answer);
	assert_int_equal(answer.applied[0].job, 2 + MANY);
	free(answer.applied);
	str_free(&launch);
	str_free(&small);
	str_free(&large);
	str_free(&later);
	end_turned(&t);
}

/* Three jobs that wait were chosen to be cancelled; the one in the middle is gone by now. */
static void of_jobs_that_were_chosen_together_those_are_left_out_that_have_moved_on(void **state)
{
	struct str launch = {0}, request = {0};
	struct event one = submission(&launch, NULL), cancel[3];
	uint8_t was[3] = {JOB_IDLE, JOB_IDLE, JOB_IDLE};
	struct request_text what = {.kind = ASK_CHANGE, .event = cancel, .count = 3, .was = was};
	struct answer_text answer;
	struct turned t;
	struct err err;

	(void)state;
	begin_turned(&t);
	for (int i = 0; i < 3; i++) {
		one.job = 0;
		assert_int_equal(driver_post(t.driver, &one, 1, &err), DRIVER_DONE);
		cancel[i] = (struct event){.kind = EVENT_CANCEL, .job = one.job, .who = "root"};
	}
	assert_int_equal(driver_post(t.driver, &cancel[1], 1, &err), DRIVER_DONE);
	request_write(&what, &request);
	send_on(&t, 0, &request);
	turn(&t);
	hear_on(&t, 0, &answer);
	assert_int_equal(answer.outcome, DRIVER_DONE);
	assert_int_equal(answer.count, 3);
	assert_int_equal(answer.applied[1].seq, 0);
	assert_int_equal(answer.applied[2].job, cancel[2].job);
	assert_int_equal(answer.applied[2].seq, answer.applied[0].seq + 1);
	assert_int_equal(snapshot_count(driver_view(t.driver), TABLE_WAITING), 0);
	free(answer.applied);
	send_on(&t, 1, &request); /* now none of them is left */
	turn(&t);
	hear_on(&t, 1, &answer);
	assert_int_equal(answer.outcome, DRIVER_DONE);
	assert_int_equal(answer.count, 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(answer.applied[i].seq, 0);
	free(answer.applied);
	what.count = 1; /* a single job: the reason is given */
	str_clear(&request);
	request_write(&what, &request);
	send_on(&t, 2, &request);
	turn(&t);
	hear_on(&t, 2, &answer);
	assert_int_equal(answer.outcome, DRIVER_REFUSED);
	assert_non_null(strstr(answer.err.text, "is not in the queue"));
	free(answer.applied);
	str_free(&launch);
	str_free(&request);
	end_turned(&t);
}

/* That nobody said how they were means that all of it is meant, or nothing. */
static void without_that_nothing_is_left_out(void **state)
{
	struct str launch = {0}, request = {0};
	struct event one = submission(&launch, NULL),
		     cancel[2] = {{.kind = EVENT_CANCEL, .job = 1}, {.kind = EVENT_CANCEL, .job = 77}};
	struct request_text what = {.kind = ASK_CHANGE, .event = cancel, .count = 2};
	struct answer_text answer;
	struct turned t;
	struct err err;

	(void)state;
	begin_turned(&t);
	assert_int_equal(driver_post(t.driver, &one, 1, &err), DRIVER_DONE);
	request_write(&what, &request);
	send_on(&t, 0, &request);
	turn(&t);
	hear_on(&t, 0, &answer);
	assert_int_equal(answer.outcome, DRIVER_REFUSED);
	assert_int_equal(snapshot_count(driver_view(t.driver), TABLE_WAITING), 1);
	free(answer.applied);
	str_free(&launch);
	str_free(&request);
	end_turned(&t);
}

static void who_leaves_before_the_answer_finds_it_by_the_cookie(void **state)
{
	struct str request = {0};
	struct answer_text answer;
	struct turned t;

	(void)state;
	begin_turned(&t);
	write_submission(&request, "0123456789abcdef");
	send_on(&t, 0, &request);
	close(t.connection[0]);
	turn(&t);
	send_on(&t, 1, &request);
	turn(&t);
	hear_on(&t, 1, &answer);
	assert_int_equal(answer.applied[0].job, 1);
	assert_int_equal(snapshot_count(driver_view(t.driver), TABLE_WAITING), 1);
	free(answer.applied);
	t.connection[0] = dup(t.connection[1]);
	str_free(&request);
	end_turned(&t);
}

/* --- questions that take their time ------------------------------------------------------------- */

static enum driver_outcome take_long(void *self, struct driver *driver, struct err *err)
{
	const struct timespec while_others_wait = {.tv_nsec = 60000000};

	(void)driver;
	(void)err;
	++*(int *)self;
	nanosleep(&while_others_wait, NULL);
	return DRIVER_DONE;
}

/* The scheduler does what is due between two of them. A change does not wait for questions, and after its
 * commit the scheduler looks first who else has come. */
static void questions_that_take_long_do_not_share_a_turn(void **state)
{
	const struct request_text what = {.kind = ASK_RELOAD};
	struct str question = {0}, change = {0};
	struct answer_text answer;
	struct turned t;
	int asked = 0;

	(void)state;
	begin_turned_at(&t, (struct porter_site){.reload = take_long, .self = &asked}, 0);
	request_write(&what, &question);
	write_submission(&change, "0123456789abcdef");
	for (int i = 0; i < 3; i++)
		send_on(&t, i, &question);
	send_on(&t, 3, &change);
	turn(&t);
	hear_on(&t, 3, &answer);
	assert_int_equal(answer.applied[0].job, 1);
	free(answer.applied);
	assert_int_equal(asked, 0);
	for (int turns = 1; turns <= 3; turns++) {
		assert_true(wants_a_turn(&t));
		turn(&t);
		assert_int_equal(asked, turns);
		hear_on(&t, turns - 1, &answer);
		assert_int_equal(answer.outcome, DRIVER_DONE);
		free(answer.applied);
	}
	assert_false(wants_a_turn(&t));
	str_free(&question);
	str_free(&change);
	end_turned(&t);
}

/* The connection is nobody's from here on. */
static void knock_as_nobody(struct turned *t, int i)
{
	char path[200];
	struct err err;

	close(t->connection[i]);
	snprintf(path, sizeof path, "%s/" DOOR_SOCKET, t->s.dir);
	assert_int_equal(chmod(t->s.dir, 0755), 0);
	assert_int_equal(chmod(path, 0666), 0);
	assert_int_equal(seteuid(65534), 0);
	t->connection[i] = door_knock(t->s.dir, &err);
	assert_int_equal(seteuid(0), 0);
	assert_true(t->connection[i] >= 0);
}

/* Its changes, which are made first, must not use up for ever what a user's question needs. */
static void a_question_comes_before_what_its_user_asks_later(void **state)
{
	static struct fate_name name[500];
	const struct request_text what = {.kind = ASK_FATES, .name = name, .name_count = 500};
	struct event low = {.kind = EVENT_SETTING,
			    .time_s = 1000,
			    .who = "root",
			    .setting = {.name = "maxusercpu", .value = "1"}};
	struct str question = {0}, change = {0};
	struct answer_text answer;
	struct turned t;
	struct err err;

	(void)state;
	if (geteuid() != 0)
		skip();
	begin_turned(&t);
	assert_int_equal(driver_post(t.driver, &low, 1, &err), DRIVER_DONE);
	t.s.porter->everybody = true;
	knock_as_nobody(&t, 0);
	knock_as_nobody(&t, 1);
	turn(&t);
	request_write(&what, &question);
	write_submission(&change, "0123456789abcdef");
	send_on(&t, 2, &change); /* root's: questions are answered after it */
	send_on(&t, 0, &question);
	/* Less than root has, so that root's comes first; enough for the door to read the question. */
	allowance_of(t.s.porter->allowance, 65534, monotonic_ms())->left_ns = 2000000;
	turn(&t);
	must_be_silent(&t, 0); /* read, and not answered in a turn that changes something */
	send_on(&t, 1, &change);
	while (!wants_a_turn(&t))
		;
	allowance_of(t.s.porter->allowance, 65534, monotonic_ms())->left_ns = 1000000000;
	turn(&t);
	hear_on(&t, 0, &answer);
	free(answer.applied);
	must_be_silent(&t, 1);
	turn(&t);
	hear_on(&t, 1, &answer);
	free(answer.applied);
	hear_on(&t, 2, &answer);
	free(answer.applied);
	str_free(&question);
	str_free(&change);
	end_turned(&t);
}

static void write_many(struct str *out)
{
	enum {
		MANY = 200
	};
	static struct event ev[MANY];
	const struct request_text what = {.kind = ASK_CHANGE, .event = ev, .count = MANY};
	struct str launch = {0};

	for (int i = 0; i < MANY; i++) {
		str_clear(&launch);
		ev[i] = submission(&launch, NULL);
	}
	for (int i = 0; i < MANY; i++)
		ev[i].submit.launch = launch.data;
	request_write(&what, out);
	str_free(&launch);
}

/* Whoever came first; but a large one does not wait for ever. */
static void a_small_request_comes_before_the_large_one_of_another_user(void **state)
{
	struct str small = {0}, large = {0};
	struct answer_text answer;
	struct turned t;

	(void)state;
	if (geteuid() != 0)
		skip();
	begin_turned(&t);
	t.s.porter->everybody = true;
	knock_as_nobody(&t, 0);
	turn(&t);
	write_many(&large);
	write_submission(&small, "0123456789abcdef");
	for (size_t at = 0, part; at < large.len; at += part) {
		part = large.len - at < DOOR_PACKET ? large.len - at : DOOR_PACKET;
		assert_true(packet_send(t.connection[1], PACKET_DATA, at + part == large.len, large.data + at,
					part, -1));
	}
	send_on(&t, 0, &small);
	turn(&t);
	hear_on(&t, 0, &answer);
	assert_int_equal(answer.applied[0].job, 1);
	free(answer.applied);
	must_be_silent(&t, 1);
	t.s.porter->asked[0]->since_ms -= 1000;
	str_clear(&small);
	write_submission(&small, "0123456789abcdeX");
	send_on(&t, 0, &small);
	turn(&t);
	hear_on(&t, 1, &answer);
	assert_int_equal(answer.applied[0].job, 2);
	free(answer.applied);
	hear_on(&t, 0, &answer);
	free(answer.applied);
	str_free(&small);
	str_free(&large);
	end_turned(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_that_is_asked_for_again_is_made_once),
		cmocka_unit_test(a_cookie_is_its_users_own),
		cmocka_unit_test(those_who_ask_at_once_share_a_commit),
		cmocka_unit_test(the_same_cookie_twice_in_one_turn_is_one_change),
		cmocka_unit_test(one_that_is_refused_harms_no_other_of_the_turn),
		cmocka_unit_test(nobody_waits_for_the_commit_of_a_large_request),
		cmocka_unit_test(of_jobs_that_were_chosen_together_those_are_left_out_that_have_moved_on),
		cmocka_unit_test(without_that_nothing_is_left_out),
		cmocka_unit_test(who_leaves_before_the_answer_finds_it_by_the_cookie),
		cmocka_unit_test(questions_that_take_long_do_not_share_a_turn),
		cmocka_unit_test(a_question_comes_before_what_its_user_asks_later),
		cmocka_unit_test(a_small_request_comes_before_the_large_one_of_another_user),
	};

	return cmocka_run_group_tests_name("porter_turn", tests, NULL, NULL);
}
