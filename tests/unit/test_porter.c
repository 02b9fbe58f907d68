/* SPDX-License-Identifier: MIT */
/*
 * test_porter.c - who answers at the door of the running scheduler?
 *
 * A scheduler in this process and clients beside it, some of them another user when we are root. Nothing
 * is run: the cluster is simulated and refuses what really wants to run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sched/host/arrivals.h"
#include "sched/host/door.h"
#include "sched/host/door_packet.h"
#include "sched/rm/launch.h"
#include "store/record.h"
#include "tests/crowd.h"
#include "tests/memory_ledger.h"
#include "tui/commands/caller.h"
#include "tui/commands/fates.h"
#include "tui/commands/porter.h"
#include "tui/commands/request.h"

#define NOBODY 65534

struct scene {
	char dir[64];
	struct memory_ledger ledger;
	struct fates *fates;
	struct porter *porter;
	struct host *host;
};

static void begin(struct scene *s, bool everybody)
{
	const struct fake_cluster cluster = {.nodes = 2, .node_procs = 4};
	const struct sim_origin none = {.active = 0};
	struct host_setup setup = {.start_s = 1000, .speed = 1};
	struct err err;

	strcpy(s->dir, "/tmp/kahu-porter.XXXXXX");
	assert_non_null(mkdtemp(s->dir));
	if (everybody)
		assert_int_equal(chmod(s->dir, 0755), 0);
	memory_begin(&s->ledger);
	s->fates = fates_new(memory_ledger(&s->ledger));
	setup.driver = driver_new(fake_from_workload(&cluster, &none), fates_ledger(s->fates), &err);
	assert_non_null(setup.driver);
	s->porter = porter_open(
		&(struct porter_setup){.dir = s->dir, .fates = s->fates, .everybody = everybody}, &err);
	if (s->porter == NULL)
		fail_msg("%s", err.text);
	setup.guest = porter_guest(s->porter);
	s->host = host_start(&setup, &err);
	assert_non_null(s->host);
}

static void end(struct scene *s)
{
	host_stop(s->host);
	porter_close(s->porter);
	fates_free(s->fates);
	assert_string_equal(s->ledger.fault.text, "");
	memory_end(&s->ledger);
	assert_int_equal(rmdir(s->dir), 0);
}

static struct caller *call(const struct scene *s)
{
	struct err err;
	struct caller *c = caller_open(s->dir, &err);

	if (c == NULL)
		fail_msg("%s", err.text);
	return c;
}

/* A submission by whomever it says, to be run as root. */
static struct event submission(struct str *launch, const char *user)
{
	const char *const words[] = {"true", NULL};
	struct launch what = {.command = {words, 1}, .output = "/tmp/o%j", .uid = 0, .gid = 0};
	struct event ev = {.kind = EVENT_SUBMIT, .who = "root"};

	launch_write(&what, launch);
	ev.submit.cred[CRED_USER] = user;
	ev.submit.launch = launch->data;
	ev.submit.launch_size = (uint32_t)launch->len;
	ev.submit.job = (struct job){.not_before_s = TIME_NONE,
				     .wall_limit_s = 60,
				     .true_run_s = -1,
				     .tasks = 1,
				     .task_procs = 1,
				     .base_holds = JOB_HOLD_USER,
				     .real = JOB_REAL_LAUNCH};
	return ev;
}

static uint64_t submit(struct caller *c, const char *user)
{
	struct str launch = {0};
	struct event ev = submission(&launch, user);
	struct err err;

	if (caller_post(c, &ev, 1, &err) != DRIVER_DONE)
		fail_msg("%s", err.text);
	str_free(&launch);
	return ev.job;
}

static const char *user_of(struct caller *c, uint64_t id)
{
	static struct err err;
	int64_t now_s;
	const struct snapshot *s = caller_state(c, &now_s, &err);
	uint32_t slot;

	if (s == NULL)
		return err.text;
	slot = snapshot_find_job(s, id);
	assert_int_not_equal(slot, INDEX_NONE);
	return snapshot_string(s, snapshot_creds(s)[snapshot_jobs(s)[slot].cred[CRED_USER]].name);
}

static uint32_t count_waiting(struct caller *c)
{
	struct err err;
	int64_t now_s;
	const struct snapshot *s = caller_state(c, &now_s, &err);

	if (s == NULL) {
		fail_msg("%s", err.text);
		return 0;
	}
	return snapshot_count(s, TABLE_WAITING);
}

static void a_submission_has_its_id_and_stands_in_the_state(void **state)
{
	struct scene s;
	struct caller *c;

	(void)state;
	begin(&s, false);
	c = call(&s);
	assert_int_equal(submit(c, NULL), 1);
	assert_int_equal(submit(c, NULL), 2);
	assert_string_equal(user_of(c, 2), getpwuid(geteuid())->pw_name);
	caller_close(c);
	end(&s);
}

static void who_it_is_the_kernel_says_not_the_message(void **state)
{
	struct scene s;
	struct caller *c;
	struct launch launch;
	struct str bytes = {0};
	void *room;
	struct err err;

	(void)state;
	begin(&s, false);
	c = call(&s);
	assert_string_equal(user_of(c, submit(c, "somebody-else")), getpwuid(geteuid())->pw_name);
	assert_true(memory_launch(&s.ledger, 1, &bytes, &err));
	assert_true(launch_read(bytes.data, bytes.len, &launch, &room, &err));
	assert_int_equal(launch.uid, geteuid());
	free(room);
	str_free(&bytes);
	caller_close(c);
	end(&s);
}

static void what_is_refused_is_said(void **state)
{
	struct event ev = {.kind = EVENT_CANCEL, .job = 77, .who = "x"};
	struct scene s;
	struct caller *c;
	struct err err;

	(void)state;
	begin(&s, false);
	c = call(&s);
	assert_int_equal(caller_post(c, &ev, 1, &err), DRIVER_REFUSED);
	assert_string_equal(err.text, "job 77 is not here: it never was, or it has ended");
	ev = (struct event){.kind = EVENT_END, .job = 1, .who = "x"};
	assert_int_equal(caller_post(c, &ev, 1, &err), DRIVER_REFUSED);
	assert_string_equal(err.text, "'end' is the scheduler's own; nobody can ask for it");
	caller_close(c);
	end(&s);
}

static void a_batch_happens_whole_or_not_at_all(void **state)
{
	struct str launch = {0};
	struct event ev[2] = {submission(&launch, NULL), {.kind = EVENT_CANCEL, .job = 77}};
	struct scene s;
	struct caller *c;
	struct err err;

	(void)state;
	begin(&s, false);
	c = call(&s);
	assert_int_equal(caller_post(c, ev, 2, &err), DRIVER_REFUSED);
	assert_int_equal(count_waiting(c), 0);
	str_free(&launch);
	caller_close(c);
	end(&s);
}

static void a_submission_without_anything_to_run_is_refused(void **state)
{
	struct str launch = {0};
	struct event ev = submission(&launch, NULL);
	struct scene s;
	struct caller *c;
	struct err err;

	(void)state;
	begin(&s, false);
	c = call(&s);
	ev.submit.launch = NULL;
	ev.submit.launch_size = 0;
	assert_int_equal(caller_post(c, &ev, 1, &err), DRIVER_REFUSED);
	assert_string_equal(err.text, "the submission does not say what is to be run");
	ev.submit.launch = "nonsense";
	ev.submit.launch_size = 8;
	assert_int_equal(caller_post(c, &ev, 1, &err), DRIVER_REFUSED);
	str_free(&launch);
	caller_close(c);
	end(&s);
}

static void what_has_become_of_jobs_is_told(void **state)
{
	const struct fate_name name[3] = {{.job = 1}, {.job = 2}, {.job = 3}};
	struct event cancel = {.kind = EVENT_CANCEL, .job = 1};
	struct fate fate[3];
	struct scene s;
	struct caller *c;
	struct err err;

	(void)state;
	begin(&s, false);
	c = call(&s);
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
	end(&s);
}

/* --- asked again --------------------------------------------------------------------------------- */

/* One request as it is sent, and what is answered. */
static void ask_raw(const struct scene *s, const struct str *request, struct answer_text *answer)
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
	struct scene s;
	struct caller *c;

	(void)state;
	begin(&s, false);
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
	c = call(&s);
	assert_int_equal(count_waiting(c), 2);
	caller_close(c);
	free(first.applied);
	free(again.applied);
	free(other.applied);
	str_free(&request);
	str_free(&another);
	end(&s);
}

/* A stranger who has heard of a cookie gets no answer by it, and takes nothing from whose it is. */
static void a_cookie_is_its_users_own(void **state)
{
	struct answer_text first, again;
	struct str request = {0};
	struct scene s;
	int status;
	pid_t pid;

	(void)state;
	if (geteuid() != 0)
		skip();
	begin(&s, true);
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
	end(&s);
}

/* --- many at once -------------------------------------------------------------------------------- */

#define CALLERS 16

/* Without a thread: the test itself turns what the scheduler would. */
struct turned {
	struct scene s;
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

static void begin_turned(struct turned *t)
{
	const struct fake_cluster cluster = {.nodes = 2, .node_procs = 4};
	const struct sim_origin none = {.active = 0};
	struct err err;

	strcpy(t->s.dir, "/tmp/kahu-porter.XXXXXX");
	assert_non_null(mkdtemp(t->s.dir));
	memory_begin(&t->s.ledger);
	t->driver = driver_new(fake_from_workload(&cluster, &none), memory_ledger(&t->s.ledger), &err);
	t->s.porter = porter_open(&(struct porter_setup){.dir = t->s.dir}, &err);
	assert_non_null(t->s.porter);
	for (int i = 0; i < CALLERS; i++) {
		t->connection[i] = door_knock(t->s.dir, &err);
		assert_true(t->connection[i] >= 0);
	}
	turn(t);
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

/* In a process of its own, as nobody: 0 = as it should be. */
static int as_nobody(const struct scene *s, uint64_t roots)
{
	struct event cancel = {.kind = EVENT_CANCEL, .job = roots};
	struct event tune = {.kind = EVENT_SETTING, .setting = {.name = "xfactorweight", .value = "1"}};
	struct fate fate[2];
	struct caller *c;
	struct err err;
	uint64_t mine;

	if (setresgid(NOBODY, NOBODY, NOBODY) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0)
		return 10;
	c = caller_open(s->dir, &err);
	if (c == NULL)
		return 11;
	if (caller_post(c, &cancel, 1, &err) != DRIVER_REFUSED || strstr(err.text, "is not nobody's") == NULL)
		return 12;
	if (caller_post(c, &tune, 1, &err) != DRIVER_REFUSED)
		return 13;
	mine = submit(c, "root");
	if (strcmp(user_of(c, mine), "nobody") != 0)
		return 14;
	if (!caller_fates(c, (const struct fate_name[]){{.job = roots}, {.job = mine}}, 2, true, fate, &err))
		return 16;
	if (fate[0].phase != FATE_WAITING || fate[0].output != NULL || fate[0].user != NULL)
		return 17;
	if (fate[1].output == NULL || strcmp(fate[1].user, "nobody") != 0)
		return 18;
	cancel.job = mine;
	if (caller_post(c, &cancel, 1, &err) != DRIVER_DONE)
		return 15;
	caller_close(c);
	return 0;
}

static void others_act_on_their_own_jobs_only(void **state)
{
	struct scene s;
	struct caller *c;
	uint64_t roots;
	int status;
	pid_t pid;

	(void)state;
	if (geteuid() != 0)
		skip();
	begin(&s, true);
	c = call(&s);
	roots = submit(c, NULL);
	pid = fork();
	if (pid == 0)
		_exit(as_nobody(&s, roots));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	caller_close(c);
	end(&s);
}

/* --- levels, names, how many -------------------------------------------------------------------- */

/* In a process of its own, as nobody; must_be returns 0 when it is as it should be. */
static void nobody_must(const struct scene *s, int (*must_be)(struct caller *c))
{
	struct err err;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		struct caller *c;

		if (setresgid(NOBODY, NOBODY, NOBODY) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0)
			_exit(10);
		c = caller_open(s->dir, &err);
		_exit(c == NULL ? 11 : must_be(c));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void set(struct caller *c, const char *name, const char *value)
{
	struct event ev = {.kind = EVENT_SETTING, .setting = {.name = name, .value = value}};
	struct err err;

	if (caller_post(c, &ev, 1, &err) != DRIVER_DONE)
		fail_msg("%s", err.text);
}

static enum driver_outcome may_rank_roots_job(struct caller *c)
{
	struct event ev = {.kind = EVENT_PRIORITY,
			   .job = 1,
			   .priority = {.adjust = JOB_ADJUST_ABSOLUTE, .points = 1 + getpid() % 1000}};
	struct err err;

	return caller_post(c, &ev, 1, &err);
}

static enum driver_outcome may_set(struct caller *c)
{
	struct event ev = {.kind = EVENT_SETTING, .setting = {.name = "xfactorweight", .value = "3"}};
	struct err err;

	return caller_post(c, &ev, 1, &err);
}

static int is_a_user(struct caller *c)
{
	return may_rank_roots_job(c) == DRIVER_REFUSED && may_set(c) == DRIVER_REFUSED ? 0 : 1;
}

static int acts_on_jobs(struct caller *c)
{
	return may_rank_roots_job(c) == DRIVER_DONE && may_set(c) == DRIVER_REFUSED ? 0 : 1;
}

static int does_everything(struct caller *c)
{
	return may_rank_roots_job(c) == DRIVER_DONE && may_set(c) == DRIVER_DONE ? 0 : 1;
}

static void the_configuration_says_who_is_an_administrator(void **state)
{
	struct scene s;
	struct caller *c;

	(void)state;
	if (geteuid() != 0)
		skip();
	begin(&s, true);
	c = call(&s);
	submit(c, NULL);
	nobody_must(&s, is_a_user);
	set(c, "admin3", "daemon, nobody");
	nobody_must(&s, is_a_user);
	set(c, "admin2", "daemon nobody");
	nobody_must(&s, acts_on_jobs);
	set(c, "admin2", "");
	nobody_must(&s, is_a_user);
	set(c, "admin1", "@nogroup");
	nobody_must(&s, does_everything);
	set(c, "admin1", "@no-such-group");
	nobody_must(&s, is_a_user);
	caller_close(c);
	end(&s);
}

static const char *name_of_first_job(struct caller *c)
{
	struct err err;
	int64_t now_s;
	const struct snapshot *s = caller_state(c, &now_s, &err);

	return s == NULL ? "" : snapshot_job_cred(s, &snapshot_jobs(s)[snapshot_find_job(s, 1)], CRED_USER);
}

static int sees_root(struct caller *c)
{
	return strcmp(name_of_first_job(c), "root") == 0 ? 0 : 1;
}

static int sees_no_name_but_its_own(struct caller *c)
{
	struct err err;
	int64_t now_s;
	uint64_t mine = submit(c, NULL);
	const struct snapshot *s;

	if (strcmp(name_of_first_job(c), "-") != 0 || strcmp(user_of(c, mine), "nobody") != 0)
		return 1;
	s = caller_state(c, &now_s, &err);
	return memmem(s, (size_t)s->size, "root", 4) == NULL ? 0 : 2;
}

static void names_are_hidden_from_who_is_no_administrator(void **state)
{
	struct scene s;
	struct caller *c;

	(void)state;
	if (geteuid() != 0)
		skip();
	begin(&s, true);
	c = call(&s);
	submit(c, NULL);
	nobody_must(&s, sees_root);
	set(c, "hidenames", "true");
	nobody_must(&s, sees_no_name_but_its_own);
	assert_string_equal(name_of_first_job(c), "root");
	set(c, "admin3", "nobody");
	nobody_must(&s, sees_root);
	caller_close(c);
	end(&s);
}

static int has_room_for_two(struct caller *c)
{
	struct str launch = {0};
	struct event ev = submission(&launch, NULL), two[2] = {ev, ev};
	struct err err;

	submit(c, NULL);
	if (caller_post(c, two, 2, &err) != DRIVER_REFUSED)
		return 1;
	submit(c, NULL);
	if (caller_post(c, &ev, 1, &err) != DRIVER_REFUSED)
		return 2;
	return strcmp(err.text,
		      "nobody would have more than the 2 jobs that maxuserqueuable lets a user have; "
		      "wait until some have ended") == 0
		       ? 0
		       : 3;
}

static void one_user_has_so_many_jobs_and_no_more(void **state)
{
	struct scene s;
	struct caller *c;

	(void)state;
	if (geteuid() != 0)
		skip();
	begin(&s, true);
	c = call(&s);
	set(c, "maxuserqueuable", "2");
	for (int i = 0; i < 3; i++)
		submit(c, NULL); /* no limit for root */
	nobody_must(&s, has_room_for_two);
	caller_close(c);
	end(&s);
}

/* --- the state, as long as it is the same ------------------------------------------------------- */

static ino_t file_of_state(const struct scene *s)
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
	struct scene s;
	struct caller *c;
	ino_t first;

	(void)state;
	begin(&s, false);
	c = call(&s);
	submit(c, NULL);
	first = file_of_state(&s);
	assert_true(file_of_state(&s) == first);
	submit(c, NULL);
	assert_true(file_of_state(&s) != first);
	caller_close(c);
	end(&s);
}

/* --- a crowd -------------------------------------------------------------------------------------- */

#define ASKED    300
#define LIMIT_MS 2000 /* far below the patience that the crowd is given; how much less, a bench tells */

static int compare_ms(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void a_crowd_that_is_not_nice_delays_nobody(void **state)
{
	int64_t took_ms[ASKED];
	struct scene s;
	struct caller *c;
	int ready[2], status;
	char byte;
	pid_t crowd;

	(void)state;
	begin(&s, false);
	c = call(&s);
	assert_int_equal(pipe(ready), 0);
	crowd = fork();
	if (crowd == 0)
		be_a_crowd(s.dir, ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	for (int i = 0; i < ASKED; i++) {
		took_ms[i] = door_now_ms();
		submit(c, NULL);
		took_ms[i] = door_now_ms() - took_ms[i];
	}
	qsort(took_ms, ASKED, sizeof *took_ms, compare_ms);
	printf("# p50 %d ms, p99 %d ms\n", (int)took_ms[ASKED / 2], (int)took_ms[ASKED * 99 / 100]);
	assert_int_equal(kill(crowd, SIGKILL), 0);
	assert_int_equal(waitpid(crowd, &status, 0), crowd);
	assert_true(took_ms[ASKED * 99 / 100] < LIMIT_MS);
	assert_int_equal(count_waiting(c), ASKED);
	caller_close(c);
	close(ready[0]);
	close(ready[1]);
	end(&s);
}

/* --- another version ------------------------------------------------------------------------------ */

static void a_program_of_another_version_is_told_so(void **state)
{
	struct str request = {0}, reply = {0};
	struct key first = key_number(0);
	size_t at = record_begin(&request, (enum record_type)64, 9);
	struct answer_text answer;
	struct scene s;
	struct err err;
	int fd, connection;

	(void)state;
	begin(&s, false);
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
	end(&s);
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
		cmocka_unit_test(who_it_is_the_kernel_says_not_the_message),
		cmocka_unit_test(what_is_refused_is_said),
		cmocka_unit_test(a_batch_happens_whole_or_not_at_all),
		cmocka_unit_test(a_submission_without_anything_to_run_is_refused),
		cmocka_unit_test(what_has_become_of_jobs_is_told),
		cmocka_unit_test(a_change_that_is_asked_for_again_is_made_once),
		cmocka_unit_test(a_cookie_is_its_users_own),
		cmocka_unit_test(those_who_ask_at_once_share_a_commit),
		cmocka_unit_test(the_same_cookie_twice_in_one_turn_is_one_change),
		cmocka_unit_test(one_that_is_refused_harms_no_other_of_the_turn),
		cmocka_unit_test(who_leaves_before_the_answer_finds_it_by_the_cookie),
		cmocka_unit_test(others_act_on_their_own_jobs_only),
		cmocka_unit_test(the_configuration_says_who_is_an_administrator),
		cmocka_unit_test(names_are_hidden_from_who_is_no_administrator),
		cmocka_unit_test(one_user_has_so_many_jobs_and_no_more),
		cmocka_unit_test(the_same_state_is_one_file_for_all),
		cmocka_unit_test(a_crowd_that_is_not_nice_delays_nobody),
		cmocka_unit_test(a_program_of_another_version_is_told_so),
		cmocka_unit_test(without_a_scheduler_the_sentence_says_so),
	};

	return cmocka_run_group_tests_name("porter", tests, NULL, NULL);
}
