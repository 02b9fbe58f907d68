/* SPDX-License-Identifier: MIT */
/*
 * test_request_server.c - requests at the socket, their order and their commits
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pwd.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

#include "portal.h"
#include "sched/host/door_packet.h"
#include "sched/rm/monotonic.h"
#include "store/record.h"
#include "tests/crowd.h"
#include "tui/serve/request_server_inside.h"

static void a_submission_has_its_id_and_stands_in_the_state(void **state)
{
	struct portal s;
	struct client *c;

	(void)state;
	portal_begin(&s, false);
	c = portal_call(&s);
	assert_int_equal(submit(c, NULL), 1);
	assert_int_equal(submit(c, NULL), 2);
	assert_string_equal(user_of(c, 2), getpwuid(geteuid())->pw_name);
	client_close(c);
	portal_end(&s);
}

/* A connection on which nothing was asked for a while is closed, and so are all when the scheduler goes. */
static void who_asks_again_after_a_while_has_an_answer(void **state)
{
	struct portal s;
	struct client *c;

	(void)state;
	portal_begin(&s, false);
	c = portal_call(&s);
	assert_int_equal(count_waiting(c), 0);
	portal_close(&s);
	portal_open(&s, false);
	assert_int_equal(count_waiting(c), 0);
	client_close(c);
	portal_end(&s);
}

static void who_is_broken_off_does_not_ask_again(void **state)
{
	struct err err = {""};
	struct portal s;
	struct client *c;
	int64_t now_s;

	(void)state;
	portal_begin(&s, false);
	c = portal_call(&s);
	client_interrupt(c);
	assert_null(client_state(c, &now_s, &err));
	client_close(c);
	portal_end(&s);
}

static void who_it_is_the_kernel_says_not_the_message(void **state)
{
	struct portal s;
	struct client *c;
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
	client_close(c);
	portal_end(&s);
}

static void what_is_refused_is_said(void **state)
{
	struct event ev = {.kind = EVENT_CANCEL, .job = 77, .who = "x"};
	struct portal s;
	struct client *c;
	struct err err;

	(void)state;
	portal_begin(&s, false);
	c = portal_call(&s);
	assert_int_equal(client_post(c, &ev, 1, &err), DRIVER_REFUSED);
	assert_string_equal(err.text, "job 77 is not in the queue: it does not exist or has ended");
	ev = (struct event){.kind = EVENT_END, .job = 1, .who = "x"};
	assert_int_equal(client_post(c, &ev, 1, &err), DRIVER_REFUSED);
	assert_string_equal(err.text, "'end' is an event of the scheduler and cannot be requested");
	client_close(c);
	portal_end(&s);
}

static void a_batch_happens_whole_or_not_at_all(void **state)
{
	struct str launch = {0};
	struct event ev[2] = {submission(&launch, NULL), {.kind = EVENT_CANCEL, .job = 77}};
	struct portal s;
	struct client *c;
	struct err err;

	(void)state;
	portal_begin(&s, false);
	c = portal_call(&s);
	assert_int_equal(client_post(c, ev, 2, &err), DRIVER_REFUSED);
	assert_int_equal(count_waiting(c), 0);
	str_free(&launch);
	client_close(c);
	portal_end(&s);
}

static void a_submission_without_anything_to_run_is_refused(void **state)
{
	struct str launch = {0};
	struct event ev = submission(&launch, NULL);
	struct portal s;
	struct client *c;
	struct err err;

	(void)state;
	portal_begin(&s, false);
	c = portal_call(&s);
	ev.submit.launch = NULL;
	ev.submit.launch_size = 0;
	assert_int_equal(client_post(c, &ev, 1, &err), DRIVER_REFUSED);
	assert_string_equal(err.text, "the submission has no script or command");
	ev.submit.launch = "nonsense";
	ev.submit.launch_size = 8;
	assert_int_equal(client_post(c, &ev, 1, &err), DRIVER_REFUSED);
	str_free(&launch);
	client_close(c);
	portal_end(&s);
}

/* A client of its own can send what 'kahu submit' refuses. */
static void a_script_beyond_the_limit_is_refused_by_the_server_too(void **state)
{
	char *script = mem_zero(LAUNCH_NEW_SCRIPT_MAX + 1, 1);
	struct launch large = {.script = script, .dir = "/"};
	struct str launch = {0}, bytes = {0};
	struct event ev = submission(&launch, NULL);
	struct portal s;
	struct client *c;
	struct err err;

	(void)state;
	portal_begin(&s, false);
	c = portal_call(&s);
	memset(script, '#', LAUNCH_NEW_SCRIPT_MAX + 1);
	for (uint32_t more = 0; more < 2; more++) {
		large.script_size = (uint32_t)LAUNCH_NEW_SCRIPT_MAX + more;
		str_clear(&bytes);
		launch_write(&large, &bytes);
		ev.submit.launch = bytes.data;
		ev.submit.launch_size = (uint32_t)bytes.len;
		assert_int_equal(client_post(c, &ev, 1, &err), more == 0 ? DRIVER_DONE : DRIVER_REFUSED);
	}
	assert_non_null(strstr(err.text, "the script 524289; the maxima are 1048576 and 524288"));
	str_free(&launch);
	str_free(&bytes);
	free(script);
	client_close(c);
	portal_end(&s);
}

static void what_has_become_of_jobs_is_told(void **state)
{
	const struct job_ref name[3] = {{.job = 1}, {.job = 2}, {.job = 3}};
	struct event cancel = {.kind = EVENT_CANCEL, .job = 1};
	struct job_status job_status[3];
	struct portal s;
	struct client *c;
	struct err err;

	(void)state;
	portal_begin(&s, false);
	c = portal_call(&s);
	submit(c, NULL);
	submit(c, NULL);
	assert_int_equal(client_post(c, &cancel, 1, &err), DRIVER_DONE);
	assert_true(client_jobs(c, name, 3, false, job_status, &err));
	assert_true(job_status[0].job == 1 && job_status[0].phase == JOB_PHASE_ENDED &&
		    job_status[0].status == STATUS_CANCELLED);
	assert_true(job_status[0].start_s == TIME_NONE && job_status[0].end_s >= 1000);
	assert_string_equal(job_status[0].user, getpwuid(geteuid())->pw_name);
	assert_true(job_status[1].phase == JOB_PHASE_WAITING && job_status[1].output == NULL);
	assert_int_equal(job_status[2].phase, JOB_PHASE_UNKNOWN);
	assert_true(client_jobs(c, name + 1, 1, true, job_status, &err));
	assert_string_equal(job_status[0].output, "/tmp/o2");
	client_close(c);
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
	struct client *c;
	ino_t first;

	(void)state;
	portal_begin(&s, false);
	c = portal_call(&s);
	submit(c, NULL);
	first = file_of_state(&s);
	assert_true(file_of_state(&s) == first);
	submit(c, NULL);
	assert_true(file_of_state(&s) != first);
	client_close(c);
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
static int64_t submit_many(struct client *c)
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
	struct client *c;
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
	client_close(c);
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
	assert_string_equal(answer.err.text, "the client is kahu 7.5 and this is kahu " KAHU_VERSION
					     ": use the program that the scheduler was started from");
	free(answer.applied);
	free(answer.job_status);
	close(connection);
	str_free(&request);
	str_free(&reply);
	portal_end(&s);
}

static void without_a_scheduler_the_sentence_says_so(void **state)
{
	struct err err = {""};

	(void)state;
	assert_null(client_open("/tmp/there-is-none", &err));
	assert_true(err.text[0] != '\0');
}

/* --- turns -------------------------------------------------------------------------------------------- */

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
	free(answer->job_status);
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
	struct client *c;

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
	client_close(c);
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
	struct host_guest guest = request_server_guest(t->s.server);
	struct err err;

	if (!guest.ops->turn(guest.self, t->driver, 1000, &err))
		fail_msg("%s", err.text);
}

static void begin_turned_at(struct turned *t, struct request_server_site site, int turn_ms)
{
	const struct fake_cluster cluster = {.nodes = 2, .node_procs = 4};
	const struct sim_origin none = {.active = 0};
	struct err err;

	strcpy(t->s.dir, "/tmp/kahu-porter.XXXXXX");
	assert_non_null(mkdtemp(t->s.dir));
	memory_begin(&t->s.ledger);
	t->driver = driver_new(fake_from_workload(&cluster, &none), memory_ledger(&t->s.ledger), &err);
	t->s.server = request_server_open(
		&(struct request_server_setup){
			.dir = t->s.dir, .site = site, .turn_ms = turn_ms, .door_turn_ms = LONG_TURN_MS},
		&err);
	assert_non_null(t->s.server);
	for (int i = 0; i < CALLERS; i++) {
		t->connection[i] = door_knock(t->s.dir, &err);
		assert_true(t->connection[i] >= 0);
	}
	turn(t);
}

static void begin_turned(struct turned *t)
{
	begin_turned_at(t, (struct request_server_site){.self = NULL}, LONG_TURN_MS);
}

static void end_turned(struct turned *t)
{
	for (int i = 0; i < CALLERS; i++)
		close(t->connection[i]);
	request_server_close(t->s.server);
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
	free(answer->job_status);
}

static void must_be_silent(const struct turned *t, int i)
{
	struct packet p;

	assert_int_equal(packet_receive(t->connection[i], &p, NULL), PACKET_LATER);
}

static bool wants_a_turn(const struct turned *t)
{
	struct host_guest guest = request_server_guest(t->s.server);

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

#define SHORT_TURN_MS 500

static enum driver_outcome take_long(void *self, struct driver *driver, struct err *err)
{
	const struct timespec while_others_wait = {.tv_nsec = 1100000 * (long)SHORT_TURN_MS};

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
	begin_turned_at(&t, (struct request_server_site){.reload = take_long, .self = &asked}, SHORT_TURN_MS);
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

/* Behind the change it would wait for the commit, and for the next turn. */
static void a_short_question_is_answered_before_the_changes_of_a_turn(void **state)
{
	static struct job_ref name[1] = {{.job = 1}};
	const struct request_text what = {.kind = ASK_JOBS, .name = name, .name_count = 1};
	struct str question = {0}, change = {0};
	struct answer_text answer;
	struct turned t;

	(void)state;
	begin_turned(&t);
	request_write(&what, &question);
	write_submission(&change, "0123456789abcdef");
	send_on(&t, 0, &change);
	send_on(&t, 1, &question);
	turn(&t);
	hear_on(&t, 0, &answer);
	assert_int_equal(answer.applied[0].job, 1);
	free(answer.applied);
	hear_on(&t, 1, &answer);
	assert_int_equal(answer.outcome, DRIVER_DONE);
	free(answer.applied);
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
	static struct job_ref name[500];
	const struct request_text what = {.kind = ASK_JOBS, .name = name, .name_count = 500};
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
	t.s.server->everybody = true;
	knock_as_nobody(&t, 0);
	knock_as_nobody(&t, 1);
	turn(&t);
	request_write(&what, &question);
	write_submission(&change, "0123456789abcdef");
	send_on(&t, 2, &change); /* root's: questions are answered after it */
	send_on(&t, 0, &question);
	/* Less than root has, so that root's comes first; enough for the door to read the question. */
	allowance_of(t.s.server->allowance, 65534, monotonic_ms())->left_ns = 2000000;
	turn(&t);
	must_be_silent(&t, 0); /* read, and not answered in a turn that changes something */
	send_on(&t, 1, &change);
	while (!wants_a_turn(&t))
		;
	allowance_of(t.s.server->allowance, 65534, monotonic_ms())->left_ns = 1000000000;
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
	t.s.server->everybody = true;
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
	t.s.server->asked[0]->since_ms -= 1000;
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
		cmocka_unit_test(a_submission_has_its_id_and_stands_in_the_state),
		cmocka_unit_test(who_asks_again_after_a_while_has_an_answer),
		cmocka_unit_test(who_is_broken_off_does_not_ask_again),
		cmocka_unit_test(who_it_is_the_kernel_says_not_the_message),
		cmocka_unit_test(what_is_refused_is_said),
		cmocka_unit_test(a_batch_happens_whole_or_not_at_all),
		cmocka_unit_test(a_submission_without_anything_to_run_is_refused),
		cmocka_unit_test(a_script_beyond_the_limit_is_refused_by_the_server_too),
		cmocka_unit_test(what_has_become_of_jobs_is_told),
		cmocka_unit_test(the_same_state_is_one_file_for_all),
		cmocka_unit_test(a_crowd_that_is_not_nice_delays_nobody),
		cmocka_unit_test(a_program_of_another_version_is_told_so),
		cmocka_unit_test(without_a_scheduler_the_sentence_says_so),
		cmocka_unit_test(a_change_that_is_asked_for_again_is_made_once),
		cmocka_unit_test(a_cookie_is_its_users_own),
		cmocka_unit_test(those_who_ask_at_once_share_a_commit),
		cmocka_unit_test(a_short_question_is_answered_before_the_changes_of_a_turn),
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

	return cmocka_run_group_tests_name("request_server", tests, NULL, NULL);
}
