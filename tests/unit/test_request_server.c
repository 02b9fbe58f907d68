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

static void a_submission_returns_its_id_and_appears_in_the_state(void **state)
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

/* The server closes idle connections, and all connections when it stops. */
static void client_reconnects_after_the_server_closed_its_connection(void **state)
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

static void an_interrupted_client_does_not_retry(void **state)
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

static void the_kernel_identifies_the_user_not_the_message(void **state)
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

static void a_refused_request_returns_the_reason(void **state)
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

static void a_batch_is_applied_completely_or_not_at_all(void **state)
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

static void a_submission_without_a_script_or_command_is_refused(void **state)
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

/* A client other than 'kahu submit' can send a script that 'kahu submit' refuses. */
static void the_server_also_refuses_a_script_above_the_size_limit(void **state)
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
	assert_non_null(strstr(
		err.text,
		"(at most 1048576 are allowed), and the script has 524289 (at most 524288 are allowed)"));
	str_free(&launch);
	str_free(&bytes);
	free(script);
	client_close(c);
	portal_end(&s);
}

static void status_of_ended_waiting_and_unknown_jobs_is_returned(void **state)
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

/* --- sharing of an unchanged state ---------- ------------------------------------------------------ */

static ino_t inode_of_state_file(const struct portal *s)
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

static void an_unchanged_state_is_sent_as_the_same_file(void **state)
{
	struct portal s;
	struct client *c;
	ino_t first;

	(void)state;
	portal_begin(&s, false);
	c = portal_call(&s);
	submit(c, NULL);
	first = inode_of_state_file(&s);
	assert_true(inode_of_state_file(&s) == first);
	submit(c, NULL);
	assert_true(inode_of_state_file(&s) != first);
	client_close(c);
	portal_end(&s);
}

/* --- misbehaving clients -----------------------------------------------------------------------------------
 */

#define SUBMISSIONS 100
#define ROUNDS      6
#define LIMIT_MS                                                                                             \
	2000 /* far below the server's timeout for slow clients; a benchmark measures the exact delay */

static int compare_ms(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Returns the 99th percentile of the time of a submission in milliseconds. */
static int64_t measure_submissions(struct client *c)
{
	int64_t took_ms[SUBMISSIONS];

	for (int i = 0; i < SUBMISSIONS; i++) {
		took_ms[i] = monotonic_ms();
		submit(c, NULL);
		took_ms[i] = monotonic_ms() - took_ms[i];
	}
	qsort(took_ms, SUBMISSIONS, sizeof *took_ms, compare_ms);
	printf("# p50 %d ms, p99 %d ms\n", (int)took_ms[SUBMISSIONS / 2],
	       (int)took_ms[SUBMISSIONS * 99 / 100]);
	return took_ms[SUBMISSIONS * 99 / 100];
}

/* A server that waits for slow clients is late in every round; other load on the machine only in some. */
static void misbehaving_clients_do_not_delay_submissions(void **state)
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
		took_ms = measure_submissions(c);
	assert_int_equal(kill(crowd, SIGKILL), 0);
	assert_int_equal(waitpid(crowd, &status, 0), crowd);
	assert_true(took_ms < LIMIT_MS);
	assert_int_equal(count_waiting(c), rounds * SUBMISSIONS);
	client_close(c);
	close(ready[0]);
	close(ready[1]);
	portal_end(&s);
}

/* --- clients of another version ---------------------------------------------------------------------------
 */

static void a_client_of_another_version_is_refused(void **state)
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

static void opening_a_client_without_a_scheduler_reports_an_error(void **state)
{
	struct err err = {""};

	(void)state;
	assert_null(client_open("/tmp/there-is-none", &err));
	assert_true(err.text[0] != '\0');
}

/* --- repeated requests ------------------------------------------------------------------------------- */

/* Sends an encoded request over a new connection and decodes the answer. */
static void exchange_request(const struct portal *s, const struct str *request, struct answer_text *answer)
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

static void a_change_requested_twice_with_one_cookie_is_made_once(void **state)
{
	struct answer_text first, again, other;
	struct str request = {0}, another = {0};
	struct portal s;
	struct client *c;

	(void)state;
	portal_begin(&s, false);
	write_submission(&request, "0123456789abcdef");
	write_submission(&another, "0123456789abcdeX");
	exchange_request(&s, &request, &first);
	exchange_request(&s, &another, &other);
	exchange_request(&s, &request, &again);
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

/* Another user who knows a cookie does not receive the answer, and the owner of the cookie still does. */
static void a_cookie_belongs_to_its_user(void **state)
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
	exchange_request(&s, &request, &first);
	pid = fork();
	if (pid == 0) {
		struct answer_text other_users;

		if (setresgid(NOBODY, NOBODY, NOBODY) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0)
			_exit(10);
		exchange_request(&s, &request, &other_users);
		_exit(other_users.applied[0].job == first.applied[0].job + 1 ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	exchange_request(&s, &request, &again);
	assert_int_equal(again.applied[0].job, first.applied[0].job);
	free(first.applied);
	free(again.applied);
	str_free(&request);
	portal_end(&s);
}

/* --- turns ------------------------------------------------------------------------------ */

#define CALLERS 16

/* All callers share a turn even on a slow or busy processor. */
#define LONG_TURN_MS 60000

/* A request server without a scheduler thread: the test itself calls turn. */
struct manual_server {
	struct portal s;
	struct driver *driver;
	int connection[CALLERS];
};

static void turn(struct manual_server *t)
{
	struct host_guest guest = request_server_guest(t->s.server);
	struct err err;

	if (!guest.ops->turn(guest.self, t->driver, 1000, &err))
		fail_msg("%s", err.text);
}

static void start_without_thread(struct manual_server *t, struct request_server_site site, int turn_ms)
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

static void start_with_long_turns(struct manual_server *t)
{
	start_without_thread(t, (struct request_server_site){.self = NULL}, LONG_TURN_MS);
}

static void stop_without_thread(struct manual_server *t)
{
	for (int i = 0; i < CALLERS; i++)
		close(t->connection[i]);
	request_server_close(t->s.server);
	driver_free(t->driver);
	assert_string_equal(t->s.ledger.fault.text, "");
	memory_end(&t->s.ledger);
	assert_int_equal(rmdir(t->s.dir), 0);
}

static void send_on(const struct manual_server *t, int i, const struct str *request)
{
	assert_true(packet_send(t->connection[i], PACKET_DATA, true, request->data, request->len, -1));
}

static void receive_on(const struct manual_server *t, int i, struct answer_text *answer)
{
	struct packet p;
	struct err err;

	assert_int_equal(packet_receive(t->connection[i], &p, NULL), PACKET_WHOLE);
	if (!answer_read(p.bytes, p.size, answer, &err))
		fail_msg("%s", err.text);
	free(answer->job_status);
}

static void assert_no_answer(const struct manual_server *t, int i)
{
	struct packet p;

	assert_int_equal(packet_receive(t->connection[i], &p, NULL), PACKET_LATER);
}

static bool turn_is_due(const struct manual_server *t)
{
	struct host_guest guest = request_server_guest(t->s.server);

	return guest.ops->wait_ms(guest.self) == 0;
}

static void simultaneous_changes_share_a_commit(void **state)
{
	struct str request = {0};
	struct answer_text answer;
	struct manual_server t;
	unsigned commits;

	(void)state;
	start_with_long_turns(&t);
	commits = t.s.ledger.commits;
	for (int i = 0; i < CALLERS; i++) {
		char cookie[COOKIE_BYTES + 1] = "cookie number aa";

		cookie[COOKIE_BYTES - 1] = (char)('a' + i);
		str_clear(&request);
		write_submission(&request, cookie);
		send_on(&t, i, &request);
		assert_no_answer(&t, i);
	}
	turn(&t);
	assert_int_equal(t.s.ledger.commits, commits + 1);
	for (uint64_t i = 0; i < CALLERS; i++) {
		receive_on(&t, (int)i, &answer);
		assert_int_equal(answer.outcome, DRIVER_DONE);
		assert_int_equal(answer.applied[0].job, i + 1);
		free(answer.applied);
	}
	str_free(&request);
	stop_without_thread(&t);
}

static void the_same_cookie_twice_in_one_turn_is_one_change(void **state)
{
	struct str request = {0};
	struct answer_text first, again;
	struct manual_server t;

	(void)state;
	start_with_long_turns(&t);
	write_submission(&request, "0123456789abcdef");
	send_on(&t, 0, &request);
	send_on(&t, 1, &request);
	turn(&t);
	receive_on(&t, 0, &first);
	receive_on(&t, 1, &again);
	assert_int_equal(first.applied[0].job, 1);
	assert_int_equal(again.applied[0].job, 1);
	assert_int_equal(snapshot_count(driver_view(t.driver), TABLE_WAITING), 1);
	free(first.applied);
	free(again.applied);
	str_free(&request);
	stop_without_thread(&t);
}

static void a_refused_request_does_not_affect_others_of_its_turn(void **state)
{
	struct event cancel = {.kind = EVENT_CANCEL, .job = 77};
	struct request_text what = {.kind = ASK_CHANGE, .event = &cancel, .count = 1};
	struct str request = {0}, refused = {0};
	struct answer_text answer;
	struct manual_server t;

	(void)state;
	start_with_long_turns(&t);
	write_submission(&request, "0123456789abcdef");
	request_write(&what, &refused);
	send_on(&t, 0, &refused);
	send_on(&t, 1, &request);
	send_on(&t, 2, &refused);
	turn(&t);
	for (int i = 0; i < 3; i++) {
		receive_on(&t, i, &answer);
		assert_int_equal(answer.outcome, i == 1 ? DRIVER_DONE : DRIVER_REFUSED);
		free(answer.applied);
	}
	str_free(&request);
	str_free(&refused);
	stop_without_thread(&t);
}

/* A small request sent after the large one is not answered before it: requests of one user keep their order.
 */
static void an_earlier_small_request_does_not_wait_for_a_large_commit(void **state)
{
	enum {
		MANY = 33
	};
	static struct event ev[MANY];
	struct str launch = {0}, small = {0}, large = {0}, later = {0};
	const struct request_text what = {.kind = ASK_CHANGE, .event = ev, .count = MANY};
	struct answer_text answer;
	struct manual_server t;

	(void)state;
	start_with_long_turns(&t);
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
	receive_on(&t, 0, &answer);
	assert_int_equal(answer.applied[0].job, 1);
	free(answer.applied);
	assert_no_answer(&t, 1);
	assert_no_answer(&t, 2);
	assert_true(turn_is_due(&t));
	turn(&t);
	receive_on(&t, 1, &answer);
	assert_int_equal(answer.count, MANY);
	assert_int_equal(answer.applied[MANY - 1].job, 1 + MANY);
	free(answer.applied);
	receive_on(&t, 2, &answer);
	assert_int_equal(answer.applied[0].job, 2 + MANY);
	free(answer.applied);
	str_free(&launch);
	str_free(&small);
	str_free(&large);
	str_free(&later);
	stop_without_thread(&t);
}

/* A request cancels three idle jobs, of which the second has been cancelled already. */
static void jobs_whose_state_has_changed_are_skipped_in_a_selection(void **state)
{
	struct str launch = {0}, request = {0};
	struct event one = submission(&launch, NULL), cancel[3];
	uint8_t was[3] = {JOB_IDLE, JOB_IDLE, JOB_IDLE};
	struct request_text what = {.kind = ASK_CHANGE, .event = cancel, .count = 3, .was = was};
	struct answer_text answer;
	struct manual_server t;
	struct err err;

	(void)state;
	start_with_long_turns(&t);
	for (int i = 0; i < 3; i++) {
		one.job = 0;
		assert_int_equal(driver_post(t.driver, &one, 1, &err), DRIVER_DONE);
		cancel[i] = (struct event){.kind = EVENT_CANCEL, .job = one.job, .who = "root"};
	}
	assert_int_equal(driver_post(t.driver, &cancel[1], 1, &err), DRIVER_DONE);
	request_write(&what, &request);
	send_on(&t, 0, &request);
	turn(&t);
	receive_on(&t, 0, &answer);
	assert_int_equal(answer.outcome, DRIVER_DONE);
	assert_int_equal(answer.count, 3);
	assert_int_equal(answer.applied[1].seq, 0);
	assert_int_equal(answer.applied[2].job, cancel[2].job);
	assert_int_equal(answer.applied[2].seq, answer.applied[0].seq + 1);
	assert_int_equal(snapshot_count(driver_view(t.driver), TABLE_WAITING), 0);
	free(answer.applied);
	send_on(&t, 1, &request); /* now all three have ended */
	turn(&t);
	receive_on(&t, 1, &answer);
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
	receive_on(&t, 2, &answer);
	assert_int_equal(answer.outcome, DRIVER_REFUSED);
	assert_non_null(strstr(answer.err.text, "is not in the queue"));
	free(answer.applied);
	str_free(&launch);
	str_free(&request);
	stop_without_thread(&t);
}

/* Without the states that the client expects, the request is applied completely or not at all. */
static void without_expected_states_no_event_is_skipped(void **state)
{
	struct str launch = {0}, request = {0};
	struct event one = submission(&launch, NULL),
		     cancel[2] = {{.kind = EVENT_CANCEL, .job = 1}, {.kind = EVENT_CANCEL, .job = 77}};
	struct request_text what = {.kind = ASK_CHANGE, .event = cancel, .count = 2};
	struct answer_text answer;
	struct manual_server t;
	struct err err;

	(void)state;
	start_with_long_turns(&t);
	assert_int_equal(driver_post(t.driver, &one, 1, &err), DRIVER_DONE);
	request_write(&what, &request);
	send_on(&t, 0, &request);
	turn(&t);
	receive_on(&t, 0, &answer);
	assert_int_equal(answer.outcome, DRIVER_REFUSED);
	assert_int_equal(snapshot_count(driver_view(t.driver), TABLE_WAITING), 1);
	free(answer.applied);
	str_free(&launch);
	str_free(&request);
	stop_without_thread(&t);
}

static void a_lost_answer_is_returned_again_for_its_cookie(void **state)
{
	struct str request = {0};
	struct answer_text answer;
	struct manual_server t;

	(void)state;
	start_with_long_turns(&t);
	write_submission(&request, "0123456789abcdef");
	send_on(&t, 0, &request);
	close(t.connection[0]);
	turn(&t);
	send_on(&t, 1, &request);
	turn(&t);
	receive_on(&t, 1, &answer);
	assert_int_equal(answer.applied[0].job, 1);
	assert_int_equal(snapshot_count(driver_view(t.driver), TABLE_WAITING), 1);
	free(answer.applied);
	t.connection[0] = dup(t.connection[1]);
	str_free(&request);
	stop_without_thread(&t);
}

/* --- slow queries and the order of requests ------------------------------------------------------------- */

#define SHORT_TURN_MS 500

static enum driver_outcome slow_reload(void *self, struct driver *driver, struct err *err)
{
	const struct timespec longer_than_a_turn = {.tv_nsec = 1100000 * (long)SHORT_TURN_MS};

	(void)driver;
	(void)err;
	++*(int *)self;
	nanosleep(&longer_than_a_turn, NULL);
	return DRIVER_DONE;
}

/* The scheduler does its other work between two slow queries. A change does not wait for queries; after its
 * commit, the turn ends so that new requests are read first. */
static void slow_queries_do_not_share_a_turn(void **state)
{
	const struct request_text what = {.kind = ASK_RELOAD};
	struct str question = {0}, change = {0};
	struct answer_text answer;
	struct manual_server t;
	int asked = 0;

	(void)state;
	start_without_thread(&t, (struct request_server_site){.reload = slow_reload, .self = &asked},
			     SHORT_TURN_MS);
	request_write(&what, &question);
	write_submission(&change, "0123456789abcdef");
	for (int i = 0; i < 3; i++)
		send_on(&t, i, &question);
	send_on(&t, 3, &change);
	turn(&t);
	receive_on(&t, 3, &answer);
	assert_int_equal(answer.applied[0].job, 1);
	free(answer.applied);
	assert_int_equal(asked, 0);
	for (int turns = 1; turns <= 3; turns++) {
		assert_true(turn_is_due(&t));
		turn(&t);
		assert_int_equal(asked, turns);
		receive_on(&t, turns - 1, &answer);
		assert_int_equal(answer.outcome, DRIVER_DONE);
		free(answer.applied);
	}
	assert_false(turn_is_due(&t));
	str_free(&question);
	str_free(&change);
	stop_without_thread(&t);
}

/* A query answered after the change would wait for the commit and the next turn. */
static void a_short_query_is_answered_in_the_same_turn_as_a_change(void **state)
{
	static struct job_ref name[1] = {{.job = 1}};
	const struct request_text what = {.kind = ASK_JOBS, .name = name, .name_count = 1};
	struct str question = {0}, change = {0};
	struct answer_text answer;
	struct manual_server t;

	(void)state;
	start_with_long_turns(&t);
	request_write(&what, &question);
	write_submission(&change, "0123456789abcdef");
	send_on(&t, 0, &change);
	send_on(&t, 1, &question);
	turn(&t);
	receive_on(&t, 0, &answer);
	assert_int_equal(answer.applied[0].job, 1);
	free(answer.applied);
	receive_on(&t, 1, &answer);
	assert_int_equal(answer.outcome, DRIVER_DONE);
	free(answer.applied);
	assert_false(turn_is_due(&t));
	str_free(&question);
	str_free(&change);
	stop_without_thread(&t);
}

/* Replaces a connection by one of the user nobody. */
static void knock_as_nobody(struct manual_server *t, int i)
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

/* Changes, which are made first, must not use up the time allowance that a query of the same user needs. */
static void a_query_is_answered_before_later_requests_of_its_user(void **state)
{
	static struct job_ref name[500];
	const struct request_text what = {.kind = ASK_JOBS, .name = name, .name_count = 500};
	struct event low = {.kind = EVENT_SETTING,
			    .time_s = 1000,
			    .who = "root",
			    .setting = {.name = "maxusercpu", .value = "1"}};
	struct str question = {0}, change = {0};
	struct answer_text answer;
	struct manual_server t;
	struct err err;

	(void)state;
	if (geteuid() != 0)
		skip();
	start_with_long_turns(&t);
	assert_int_equal(driver_post(t.driver, &low, 1, &err), DRIVER_DONE);
	t.s.server->everybody = true;
	knock_as_nobody(&t, 0);
	knock_as_nobody(&t, 1);
	turn(&t);
	request_write(&what, &question);
	write_submission(&change, "0123456789abcdef");
	send_on(&t, 2, &change); /* root's change: queries are answered after it */
	send_on(&t, 0, &question);
	/* Less than root's allowance, so that root's change is made first, but enough to read the query. */
	allowance_of(t.s.server->allowance, 65534, monotonic_ms())->left_ns = 2000000;
	turn(&t);
	assert_no_answer(&t, 0); /* read, and not answered in a turn that changes something */
	send_on(&t, 1, &change);
	while (!turn_is_due(&t))
		;
	allowance_of(t.s.server->allowance, 65534, monotonic_ms())->left_ns = 1000000000;
	turn(&t);
	receive_on(&t, 0, &answer);
	free(answer.applied);
	assert_no_answer(&t, 1);
	turn(&t);
	receive_on(&t, 1, &answer);
	free(answer.applied);
	receive_on(&t, 2, &answer);
	free(answer.applied);
	str_free(&question);
	str_free(&change);
	stop_without_thread(&t);
}

static void write_large_request(struct str *out)
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

static void send_large_on(const struct manual_server *t, int i, const struct str *large)
{
	for (size_t at = 0, part; at < large->len; at += part) {
		part = large->len - at < DOOR_PACKET ? large->len - at : DOOR_PACKET;
		assert_true(packet_send(t->connection[i], PACKET_DATA, at + part == large->len,
					large->data + at, part, -1));
	}
}

/* Even if the large request came first. A large request that has waited for a second is not delayed further.
 */
static void a_small_request_precedes_a_large_one_of_another_user(void **state)
{
	struct str small = {0}, large = {0};
	struct answer_text answer;
	struct manual_server t;

	(void)state;
	if (geteuid() != 0)
		skip();
	start_with_long_turns(&t);
	t.s.server->everybody = true;
	knock_as_nobody(&t, 0);
	turn(&t);
	write_large_request(&large);
	write_submission(&small, "0123456789abcdef");
	send_large_on(&t, 1, &large);
	send_on(&t, 0, &small);
	turn(&t);
	receive_on(&t, 0, &answer);
	assert_int_equal(answer.applied[0].job, 1);
	free(answer.applied);
	assert_no_answer(&t, 1);
	t.s.server->asked[0]->since_ms -= 1000;
	str_clear(&small);
	write_submission(&small, "0123456789abcdeX");
	send_on(&t, 0, &small);
	turn(&t);
	receive_on(&t, 1, &answer);
	assert_int_equal(answer.applied[0].job, 2);
	free(answer.applied);
	receive_on(&t, 0, &answer);
	free(answer.applied);
	str_free(&small);
	str_free(&large);
	stop_without_thread(&t);
}

/* In the time of a large request nobody else is served. */
static void a_large_request_waits_for_earlier_ones_of_its_user_and_is_refused_in_the_end(void **state)
{
	struct str small = {0}, large = {0};
	struct answer_text answer;
	struct allowance_use *use;
	struct host_guest guest;
	struct manual_server t;
	int64_t left_ns;

	(void)state;
	if (geteuid() != 0)
		skip();
	start_with_long_turns(&t);
	t.s.server->everybody = true;
	guest = request_server_guest(t.s.server);
	knock_as_nobody(&t, 0);
	knock_as_nobody(&t, 1);
	turn(&t);
	use = allowance_of(t.s.server->allowance, 65534, monotonic_ms());
	use->names = 1; /* the record is kept */
	left_ns = use->large_ns;
	write_large_request(&large);
	write_submission(&small, "0123456789abcdef");
	send_large_on(&t, 0, &large);
	turn(&t);
	receive_on(&t, 0, &answer);
	assert_int_equal(answer.outcome, DRIVER_DONE);
	free(answer.applied);
	assert_true(use->large_ns < left_ns);
	use->large_ns = -INT64_C(50000000);
	send_large_on(&t, 0, &large);
	turn(&t);
	send_on(&t, 1, &small);
	turn(&t);
	receive_on(&t, 1, &answer);
	assert_int_equal(answer.applied[0].job, 201);
	free(answer.applied);
	assert_no_answer(&t, 0);
	assert_false(turn_is_due(&t));
	use->large_ns = 0;
	turn(&t);
	receive_on(&t, 0, &answer);
	assert_int_equal(answer.applied[0].job, 202);
	free(answer.applied);
	use->large_ns = -INT64_C(50000000);
	send_large_on(&t, 0, &large);
	turn(&t);
	send_large_on(&t, 1, &large); /* only one may wait */
	turn(&t);
	turn(&t);
	receive_on(&t, 1, &answer);
	assert_int_equal(answer.outcome, DRIVER_REFUSED);
	free(answer.applied);
	assert_no_answer(&t, 0);
	t.s.server->asked[0]->since_ms -= 25000;
	assert_int_equal(guest.ops->wait_ms(guest.self), 0);
	turn(&t);
	receive_on(&t, 0, &answer);
	assert_int_equal(answer.outcome, DRIVER_REFUSED);
	assert_non_null(strstr(answer.err.text, "maxusercpu"));
	free(answer.applied);
	str_free(&small);
	str_free(&large);
	stop_without_thread(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_submission_returns_its_id_and_appears_in_the_state),
		cmocka_unit_test(client_reconnects_after_the_server_closed_its_connection),
		cmocka_unit_test(an_interrupted_client_does_not_retry),
		cmocka_unit_test(the_kernel_identifies_the_user_not_the_message),
		cmocka_unit_test(a_refused_request_returns_the_reason),
		cmocka_unit_test(a_batch_is_applied_completely_or_not_at_all),
		cmocka_unit_test(a_submission_without_a_script_or_command_is_refused),
		cmocka_unit_test(the_server_also_refuses_a_script_above_the_size_limit),
		cmocka_unit_test(status_of_ended_waiting_and_unknown_jobs_is_returned),
		cmocka_unit_test(an_unchanged_state_is_sent_as_the_same_file),
		cmocka_unit_test(misbehaving_clients_do_not_delay_submissions),
		cmocka_unit_test(a_client_of_another_version_is_refused),
		cmocka_unit_test(opening_a_client_without_a_scheduler_reports_an_error),
		cmocka_unit_test(a_change_requested_twice_with_one_cookie_is_made_once),
		cmocka_unit_test(a_cookie_belongs_to_its_user),
		cmocka_unit_test(simultaneous_changes_share_a_commit),
		cmocka_unit_test(a_short_query_is_answered_in_the_same_turn_as_a_change),
		cmocka_unit_test(the_same_cookie_twice_in_one_turn_is_one_change),
		cmocka_unit_test(a_refused_request_does_not_affect_others_of_its_turn),
		cmocka_unit_test(an_earlier_small_request_does_not_wait_for_a_large_commit),
		cmocka_unit_test(jobs_whose_state_has_changed_are_skipped_in_a_selection),
		cmocka_unit_test(without_expected_states_no_event_is_skipped),
		cmocka_unit_test(a_lost_answer_is_returned_again_for_its_cookie),
		cmocka_unit_test(slow_queries_do_not_share_a_turn),
		cmocka_unit_test(a_query_is_answered_before_later_requests_of_its_user),
		cmocka_unit_test(a_small_request_precedes_a_large_one_of_another_user),
		cmocka_unit_test(
			a_large_request_waits_for_earlier_ones_of_its_user_and_is_refused_in_the_end),
	};

	return cmocka_run_group_tests_name("request_server", tests, NULL, NULL);
}
