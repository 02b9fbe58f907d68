/* SPDX-License-Identifier: MIT */
/*
 * test_request_server_others.c - requests of users other than the administrator
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "portal.h"
#include "sched/host/door.h"
#include "sched/host/door_packet.h"

/* --- own jobs --------------------------------------------------------------------------------- */

/* Runs in a separate process as the user nobody. Returns 0, or the number of the check that failed. */
static int act_as_nobody(const struct portal *s, uint64_t root_job)
{
	struct event cancel = {.kind = EVENT_CANCEL, .job = root_job};
	struct event tune = {.kind = EVENT_SETTING, .setting = {.name = "xfactorweight", .value = "1"}};
	struct job_status job_status[2];
	struct client *c;
	struct err err;
	uint64_t own_job;

	if (setresgid(NOBODY, NOBODY, NOBODY) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0)
		return 10;
	c = client_open(s->dir, &err);
	if (c == NULL)
		return 11;
	if (client_post(c, &cancel, 1, &err) != DRIVER_REFUSED ||
	    strstr(err.text, "does not belong to nobody") == NULL)
		return 12;
	if (client_post(c, &tune, 1, &err) != DRIVER_REFUSED)
		return 13;
	own_job = submit(c, "root");
	if (strcmp(user_of(c, own_job), "nobody") != 0)
		return 14;
	if (!client_jobs(c, (const struct job_ref[]){{.job = root_job}, {.job = own_job}}, 2, true,
			 job_status, &err))
		return 16;
	if (job_status[0].phase != JOB_PHASE_WAITING || job_status[0].output != NULL ||
	    job_status[0].user != NULL)
		return 17;
	if (job_status[1].output == NULL || strcmp(job_status[1].user, "nobody") != 0)
		return 18;
	cancel.job = own_job;
	if (client_post(c, &cancel, 1, &err) != DRIVER_DONE)
		return 15;
	client_close(c);
	return 0;
}

static void users_act_only_on_their_own_jobs(void **state)
{
	struct portal s;
	struct client *c;
	uint64_t root_job;
	int status;
	pid_t pid;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	c = portal_call(&s);
	root_job = submit(c, NULL);
	pid = fork();
	if (pid == 0)
		_exit(act_as_nobody(&s, root_job));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	client_close(c);
	portal_end(&s);
}

/* --- uids and gids without an entry -----------------------------------------------------------------------
 */

/* Runs a check in a process with the given uid and gid and no supplementary groups; the check returns 0. */
static void check_as(const struct portal *s, uid_t uid, gid_t gid,
		     int (*check_server)(const struct portal *s))
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (setgroups(0, NULL) != 0 || setresgid(gid, gid, gid) != 0 || setresuid(uid, uid, uid) != 0)
			_exit(10);
		_exit(check_server(s));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* Returns 0 if a query and a change are both refused. */
static int query_and_change_are_refused(const struct portal *s)
{
	struct str launch = {0};
	struct event ev = submission(&launch, NULL);
	struct err err;
	int64_t now_s;
	struct client *c = client_open(s->dir, &err);

	if (c == NULL)
		return 11;
	if (client_state(c, &now_s, &err) != NULL || strstr(err.text, "has no entry in the user") == NULL)
		return 12;
	client_close(c);
	c = client_open(s->dir, &err);
	if (c == NULL)
		return 13;
	if (client_post(c, &ev, 1, &err) == DRIVER_DONE || strstr(err.text, "has no entry") == NULL)
		return 14;
	client_close(c);
	return 0;
}

/* Returns 0 if a submitted job is charged to the primary group of the user nobody. */
static int job_has_primary_group(const struct portal *s)
{
	struct err err;
	int64_t now_s;
	struct client *c = client_open(s->dir, &err);
	const struct snapshot *view;
	const struct job *job;

	if (c == NULL)
		return 11;
	submit(c, NULL);
	view = client_state(c, &now_s, &err);
	if (view == NULL)
		return 12;
	job = &snapshot_jobs(view)[snapshot_count(view, TABLE_JOBS) - 1];
	if (strcmp(snapshot_string(view, snapshot_creds(view)[job->cred[CRED_GROUP]].name),
		   getgrgid(getpwuid(NOBODY)->pw_gid)->gr_name) != 0)
		return 13;
	client_close(c);
	return 0;
}

static void uids_and_gids_without_an_entry_are_not_accepted(void **state)
{
	const uid_t none = 4000000001u;
	struct portal s;

	(void)state;
	if (geteuid() != 0 || getpwuid(none) != NULL || getgrgid(none) != NULL || getpwuid(NOBODY) == NULL)
		skip();
	portal_begin(&s, true);
	check_as(&s, none, none, query_and_change_are_refused);
	check_as(&s, none, getpwuid(NOBODY)->pw_gid, query_and_change_are_refused);
	check_as(&s, NOBODY, none, job_has_primary_group);
	check_as(&s, NOBODY, 0, job_has_primary_group);
	portal_end(&s);
}

/* --- admin levels, hidden names, job limits
 * ------------------------------------------------------------------- */

/* Runs a check in a separate process as the user nobody; the check returns 0 on success. */
static void check_as_nobody(const struct portal *s, int (*check_client)(struct client *c))
{
	struct err err;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		struct client *c;

		if (setresgid(NOBODY, NOBODY, NOBODY) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0)
			_exit(10);
		c = client_open(s->dir, &err);
		_exit(c == NULL ? 11 : check_client(c));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void set(struct client *c, const char *name, const char *value)
{
	struct event ev = {.kind = EVENT_SETTING, .setting = {.name = name, .value = value}};
	struct err err;

	if (client_post(c, &ev, 1, &err) != DRIVER_DONE)
		fail_msg("%s", err.text);
}

static enum driver_outcome set_priority_of_root_job(struct client *c)
{
	struct event ev = {.kind = EVENT_PRIORITY,
			   .job = 1,
			   .priority = {.adjust = JOB_ADJUST_ABSOLUTE, .points = 1 + getpid() % 1000}};
	struct err err;

	return client_post(c, &ev, 1, &err);
}

static enum driver_outcome set_policy(struct client *c)
{
	struct event ev = {.kind = EVENT_SETTING, .setting = {.name = "xfactorweight", .value = "3"}};
	struct err err;

	return client_post(c, &ev, 1, &err);
}

static int has_no_admin_level(struct client *c)
{
	return set_priority_of_root_job(c) == DRIVER_REFUSED && set_policy(c) == DRIVER_REFUSED ? 0 : 1;
}

static int has_admin_level_2(struct client *c)
{
	return set_priority_of_root_job(c) == DRIVER_DONE && set_policy(c) == DRIVER_REFUSED ? 0 : 1;
}

static int has_admin_level_1(struct client *c)
{
	return set_priority_of_root_job(c) == DRIVER_DONE && set_policy(c) == DRIVER_DONE ? 0 : 1;
}

static void administrators_are_set_by_the_configuration(void **state)
{
	struct portal s;
	struct client *c;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	c = portal_call(&s);
	submit(c, NULL);
	check_as_nobody(&s, has_no_admin_level);
	set(c, "admin3", "daemon, nobody");
	check_as_nobody(&s, has_no_admin_level);
	set(c, "admin2", "daemon nobody");
	check_as_nobody(&s, has_admin_level_2);
	set(c, "admin2", "");
	check_as_nobody(&s, has_no_admin_level);
	set(c, "admin1", "@nogroup");
	check_as_nobody(&s, has_admin_level_1);
	set(c, "admin1", "@no-such-group");
	check_as_nobody(&s, has_no_admin_level);
	client_close(c);
	portal_end(&s);
}

static const char *name_of_first_job(struct client *c)
{
	struct err err;
	int64_t now_s;
	const struct snapshot *s = client_state(c, &now_s, &err);

	return s == NULL ? "" : snapshot_job_cred(s, &snapshot_jobs(s)[snapshot_find_job(s, 1)], CRED_USER);
}

static int sees_root(struct client *c)
{
	return strcmp(name_of_first_job(c), "root") == 0 ? 0 : 1;
}

static int sees_only_own_name(struct client *c)
{
	struct err err;
	int64_t now_s;
	uint64_t own_job = submit(c, NULL);
	const struct snapshot *s;

	if (strcmp(name_of_first_job(c), "-") != 0 || strcmp(user_of(c, own_job), "nobody") != 0)
		return 1;
	s = client_state(c, &now_s, &err);
	return memmem(s, (size_t)s->size, "root", 4) == NULL ? 0 : 2;
}

static void names_are_hidden_from_users_who_are_not_administrators(void **state)
{
	struct portal s;
	struct client *c;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	c = portal_call(&s);
	submit(c, NULL);
	check_as_nobody(&s, sees_root);
	set(c, "hidenames", "true");
	check_as_nobody(&s, sees_only_own_name);
	assert_string_equal(name_of_first_job(c), "root");
	set(c, "admin3", "nobody");
	check_as_nobody(&s, sees_root);
	client_close(c);
	portal_end(&s);
}

static int can_have_two_jobs(struct client *c)
{
	struct str launch = {0};
	struct event ev = submission(&launch, NULL), two[2] = {ev, ev};
	struct err err;

	submit(c, NULL);
	if (client_post(c, two, 2, &err) != DRIVER_REFUSED)
		return 1;
	submit(c, NULL);
	if (client_post(c, &ev, 1, &err) != DRIVER_REFUSED)
		return 2;
	return strcmp(err.text, "nobody would have more than the 2 jobs that maxuserqueuable allows; wait "
				"until some jobs have ended") == 0
		       ? 0
		       : 3;
}

static void the_number_of_jobs_of_a_user_is_limited(void **state)
{
	struct portal s;
	struct client *c;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	c = portal_call(&s);
	set(c, "maxuserqueuable", "2");
	for (int i = 0; i < 3; i++)
		submit(c, NULL); /* no limit for root */
	check_as_nobody(&s, can_have_two_jobs);
	client_close(c);
	portal_end(&s);
}

/* --- limits of requests, changes, names and texts
 * ------------------------------------------------------------------------ */

static int is_refused(struct client *c, struct event *ev, size_t count, const char *names)
{
	struct err err;

	if (client_post(c, ev, count, &err) != DRIVER_REFUSED)
		return 1;
	if (strstr(err.text, names) != NULL)
		return 0;
	fprintf(stderr, "%s\n", err.text);
	return 2;
}

/* Sends nearly as many bytes as a user's incomplete requests may have, in a request that does not end. */
static int send_most_of_a_request(const char *dir)
{
	static const char bytes[DOOR_PACKET];
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	snprintf(name.sun_path, sizeof name.sun_path, "%s/" DOOR_SOCKET, dir);
	if (connect(fd, (const struct sockaddr *)&name, sizeof name) != 0)
		return -1;
	for (int i = 0, tries = 0; i < 155 && tries < 10000; tries++)
		if (packet_send(fd, PACKET_DATA, false, bytes, sizeof bytes, -1))
			i++;
		else if (errno == EAGAIN)
			usleep(1000);
		else
			return -1;
	return fd;
}

static const char *socket_dir;

static int query_is_refused_while_memory_is_used_up(struct client *c)
{
	const struct job_ref name = {.job = 1};
	struct job_status job_status;
	struct err err;
	int fd;

	if (!client_jobs(c, &name, 1, false, &job_status, &err))
		return 1;
	fd = send_most_of_a_request(socket_dir);
	if (fd < 0)
		return 2;
	if (client_jobs(c, &name, 1, false, &job_status, &err))
		return 3;
	close(fd);
	return strstr(err.text, "maxuserrequestmemory allows 5 MB") != NULL ? 0 : 4;
}

/* An answer occupies memory until the client has read it. */
static void a_query_is_refused_if_its_answer_could_exceed_the_memory_limit(void **state)
{
	struct portal s;
	struct client *c;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	c = portal_call(&s);
	set(c, "maxuserrequestmemory", "5");
	socket_dir = s.dir;
	check_as_nobody(&s, query_is_refused_while_memory_is_used_up);
	client_close(c);
	portal_end(&s);
}

static int can_request_three_changes(struct client *c)
{
	struct str launch = {0};
	struct event ev = submission(&launch, NULL), four[4] = {ev, ev, ev, ev};
	struct array_range range = {.first = 0, .last = 3, .step = 1};
	struct err err;

	if (is_refused(c, four, 4, "maxrequestevents") != 0)
		return 1;
	if (client_post(c, four, 3, &err) != DRIVER_DONE)
		return 2;
	ev.submit.ranges = &range;
	ev.submit.range_count = 1;
	if (is_refused(c, &ev, 1, "maxrequestevents") != 0)
		return 3;
	range.last = 2;
	if (client_post(c, &ev, 1, &err) != DRIVER_DONE)
		return 4;
	ev = (struct event){.kind = EVENT_MODIFY,
			    .job = four[2].job,
			    .modify = {.name = JOB_DEPEND_ATTRIBUTE, .value = "afterany:1:2:3"}};
	if (is_refused(c, &ev, 1, "maxrequestevents") != 0) /* each dependency counts */
		return 5;
	ev.modify.value = "afterany:1:2";
	return client_post(c, &ev, 1, &err) == DRIVER_DONE ? 0 : 6;
}

static void the_number_of_changes_in_a_request_is_limited(void **state)
{
	struct portal s;
	struct client *c;
	struct str launch = {0};
	struct event ev = submission(&launch, NULL), four[4] = {ev, ev, ev, ev};
	struct err err;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	c = portal_call(&s);
	set(c, "maxrequestevents", "3");
	assert_int_equal(client_post(c, four, 4, &err), DRIVER_DONE); /* no limit for root */
	check_as_nobody(&s, can_request_three_changes);
	str_free(&launch);
	client_close(c);
	portal_end(&s);
}

static struct event hold_of(uint64_t job, bool on)
{
	return (struct event){.kind = EVENT_HOLD, .job = job, .hold = {.bits = JOB_HOLD_USER, .on = on}};
}

static int job_can_have_four_changes(struct client *c)
{
	uint64_t job = submit(c, NULL); /* the job is held */
	struct event ev = hold_of(job, false), two[2];
	struct err err;

	if (client_post(c, &ev, 1, &err) != DRIVER_DONE)
		return 1;
	two[0] = hold_of(job, true);
	two[1] = hold_of(job, false);
	if (client_post(c, two, 2, &err) != DRIVER_DONE)
		return 2;
	two[0] = hold_of(job, true);
	two[1] = hold_of(job, false);
	if (is_refused(c, two, 2, "maxjobchanges") != 0)
		return 3;
	two[0] = hold_of(job, true);
	if (client_post(c, two, 1, &err) != DRIVER_DONE)
		return 4;
	if (is_refused(c, two, 1, "maxjobchanges") != 0)
		return 5;
	ev = hold_of(submit(c, NULL), false);
	return client_post(c, &ev, 1, &err) == DRIVER_DONE ? 0 : 6;
}

static void the_number_of_changes_of_a_job_is_limited(void **state)
{
	struct portal s;
	struct client *c;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	c = portal_call(&s);
	set(c, "maxjobchanges", "4");
	check_as_nobody(&s, job_can_have_four_changes);
	client_close(c);
	portal_end(&s);
}

/* A release ends a hold and is never refused. */
static int jobs_can_have_two_changes(struct client *c)
{
	uint64_t first = submit(c, NULL); /* jobs are held when submitted */
	struct event ev = hold_of(first, false);
	struct err err;

	if (client_post(c, &ev, 1, &err) != DRIVER_DONE)
		return 1;
	ev = hold_of(submit(c, NULL), false);
	if (client_post(c, &ev, 1, &err) != DRIVER_DONE)
		return 2;
	ev = hold_of(first, true);
	if (is_refused(c, &ev, 1, "maxuserchanges") != 0)
		return 3;
	ev = hold_of(submit(c, NULL), false);
	return client_post(c, &ev, 1, &err) == DRIVER_DONE ? 0 : 4;
}

static void the_number_of_changes_of_all_jobs_of_a_user_is_limited(void **state)
{
	struct portal s;
	struct client *c;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	c = portal_call(&s);
	set(c, "maxuserchanges", "2");
	check_as_nobody(&s, jobs_can_have_two_changes);
	client_close(c);
	portal_end(&s);
}

static int changes_can_name_ten_thousand_dependencies(struct client *c)
{
	struct str launch = {0}, text = {0};
	struct event ev = submission(&launch, NULL);
	struct array_range range = {0, 899, 1};
	uint64_t array, job;
	struct err err;
	int changes = 0;

	ev.submit.ranges = &range;
	ev.submit.range_count = 1;
	if (client_post(c, &ev, 1, &err) != DRIVER_DONE)
		return 1;
	array = ev.job;
	job = submit(c, NULL);
	str_add(&text, "afterany");
	for (int i = 0; i < 900; i++)
		str_addf(&text, ":%llu[%d]", (unsigned long long)array, i);
	do {
		ev = (struct event){.kind = EVENT_MODIFY,
				    .job = job,
				    .modify = {.name = "depend", .value = str_text(&text)}};
	} while (client_post(c, &ev, 1, &err) == DRIVER_DONE && ++changes < 12);
	str_free(&text);
	str_free(&launch);
	if (changes < 5 || changes > 11)
		return 2;
	if (strstr(err.text, "at most 10000 are kept") == NULL)
		return 3;
	ev = hold_of(job, false);
	return client_post(c, &ev, 1, &err) == DRIVER_DONE ? 0 : 4;
}

static int jobs_can_have_ten_thousand_dependencies(struct client *c)
{
	struct depend depend[100] = {{0}};
	struct array_range range = {0, 199, 1};
	struct str launch = {0};
	struct event ev = submission(&launch, NULL), again;
	struct err err;

	ev.submit.ranges = &range;
	ev.submit.range_count = 1;
	again = ev;
	if (client_post(c, &again, 1, &err) != DRIVER_DONE)
		return 1;
	for (uint32_t i = 0; i < 20; i++)
		depend[i] = (struct depend){.of = DEPEND_ON_TASK, .on = again.job, .number = i};
	ev.submit.depend = depend;
	ev.submit.depend_count = 20;
	for (int i = 0; i < 2; i++) {
		again = ev;
		if (client_post(c, &again, 1, &err) != DRIVER_DONE)
			return 2;
	}
	again = ev;
	if (client_post(c, &again, 1, &err) != DRIVER_REFUSED ||
	    strstr(err.text, "have 8000 dependencies, this request adds 4000") == NULL)
		return 3;
	ev.submit.depend_count = 10;
	again = ev;
	return client_post(c, &again, 1, &err) == DRIVER_DONE ? 0 : 4;
}

static void dependencies_of_the_waiting_jobs_of_a_user_are_limited(void **state)
{
	struct portal s;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	check_as_nobody(&s, jobs_can_have_ten_thousand_dependencies);
	portal_end(&s);
}

static void dependencies_in_the_kept_changes_of_a_user_are_limited(void **state)
{
	struct portal s;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	check_as_nobody(&s, changes_can_name_ten_thousand_dependencies);
	portal_end(&s);
}

static int can_introduce_two_names(struct client *c)
{
	struct str launch = {0};
	struct event ev = submission(&launch, NULL);
	struct err err;

	ev.submit.cred[CRED_ACCOUNT] = "roots";
	for (int i = 0; i < 3; i++)
		if (client_post(c, &ev, 1, &err) != DRIVER_DONE)
			return 1;
	ev.submit.cred[CRED_ACCOUNT] = "first";
	if (client_post(c, &ev, 1, &err) != DRIVER_DONE)
		return 2;
	ev.submit.cred[CRED_ACCOUNT] = "second";
	if (client_post(c, &ev, 1, &err) != DRIVER_DONE)
		return 3;
	ev.submit.cred[CRED_ACCOUNT] = "third";
	if (is_refused(c, &ev, 1, "maxusernames") != 0)
		return 4;
	ev.submit.cred[CRED_ACCOUNT] = "first";
	return client_post(c, &ev, 1, &err) == DRIVER_DONE ? 0 : 5;
}

static void the_number_of_new_names_of_a_user_is_limited(void **state)
{
	struct portal s;
	struct client *c;
	struct str launch = {0};
	struct event ev = submission(&launch, NULL);
	struct err err;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	c = portal_call(&s);
	ev.submit.cred[CRED_ACCOUNT] = "roots";
	assert_int_equal(client_post(c, &ev, 1, &err), DRIVER_DONE);
	set(c, "maxusernames", "2");
	check_as_nobody(&s, can_introduce_two_names);
	str_free(&launch);
	client_close(c);
	portal_end(&s);
}

static int can_introduce_account_and_class(struct client *c)
{
	struct str launch = {0};
	struct event ev = submission(&launch, NULL);
	struct err err;

	ev.submit.cred[CRED_ACCOUNT] = ev.submit.cred[CRED_CLASS] = "first";
	if (client_post(c, &ev, 1, &err) != DRIVER_DONE)
		return 1;
	ev.submit.cred[CRED_CLASS] = "second";
	if (is_refused(c, &ev, 1,
		       "class second is new, and nobody has introduced the 2 new names that "
		       "maxusernames allows") != 0)
		return 2;
	ev.submit.cred[CRED_CLASS] = "roots";
	return client_post(c, &ev, 1, &err) == DRIVER_DONE ? 0 : 3;
}

static void unconfigured_classes_count_as_new_names(void **state)
{
	struct portal s;
	struct client *c;
	struct str launch = {0};
	struct event ev = submission(&launch, NULL);
	struct err err;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	c = portal_call(&s);
	ev.submit.cred[CRED_CLASS] = "roots";
	assert_int_equal(client_post(c, &ev, 1, &err), DRIVER_DONE);
	set(c, "maxusernames", "2");
	check_as_nobody(&s, can_introduce_account_and_class);
	str_free(&launch);
	client_close(c);
	portal_end(&s);
}

#define REASONS_WITHIN_LIMIT 150
#define REASON               4000 /* bytes */
#define REASONS_OVER_LIMIT   260

/* Submits the given number of jobs in one request, each with a long reason. */
static enum driver_outcome submit_with_reasons(struct client *c, size_t count, uint64_t *last,
					       struct err *err)
{
	static struct event ev[REASONS_OVER_LIMIT];
	static char reason[REASON + 1];
	struct str launch = {0};
	enum driver_outcome outcome;

	memset(reason, 'x', REASON);
	ev[0] = submission(&launch, NULL);
	ev[0].why = reason;
	for (size_t i = 1; i < count; i++)
		ev[i] = ev[0];
	outcome = client_post(c, ev, count, err);
	*last = ev[count - 1].job;
	str_free(&launch);
	return outcome;
}

static int can_journal_a_megabyte(struct client *c)
{
	struct event cancel = {.kind = EVENT_CANCEL};
	uint64_t job;
	struct err err;

	if (submit_with_reasons(c, REASONS_OVER_LIMIT, &job, &err) != DRIVER_REFUSED ||
	    strstr(err.text, "more than the 1 MB a day that maxuserjournal allows") == NULL)
		return 1;
	if (submit_with_reasons(c, REASONS_WITHIN_LIMIT, &cancel.job, &err) != DRIVER_DONE)
		return 2;
	if (submit_with_reasons(c, REASONS_WITHIN_LIMIT, &job, &err) != DRIVER_REFUSED ||
	    strstr(err.text, "of the 1 MB a day that maxuserjournal allows, nobody has ") == NULL ||
	    strstr(err.text, " kB left; try again in ") == NULL)
		return 3;
	return client_post(c, &cancel, 1, &err) == DRIVER_DONE ? 0 : 4;
}

static void the_daily_journal_volume_of_a_user_is_limited(void **state)
{
	struct portal s;
	struct client *c;
	struct err err;
	uint64_t last;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	c = portal_call(&s);
	set(c, "maxuserjournal", "1");
	check_as_nobody(&s, can_journal_a_megabyte);
	assert_int_equal(submit_with_reasons(c, REASONS_OVER_LIMIT, &last, &err),
			 DRIVER_DONE); /* no limit for root */
	client_close(c);
	portal_end(&s);
}

/* Submits an array job with the given pattern as the path of standard output and standard error. */
static enum driver_outcome submit_paths(struct client *c, const char *pattern, uint32_t tasks,
					struct err *err)
{
	const char *const words[] = {"true", NULL};
	struct launch what = {.command = {words, 1}, .output = pattern, .errors = pattern};
	const struct array_range range = {.first = 1, .last = tasks, .step = 1};
	struct str launch = {0}, bytes = {0};
	struct event ev = submission(&launch, NULL);
	enum driver_outcome outcome;

	launch_write(&what, &bytes);
	ev.submit.launch = bytes.data;
	ev.submit.launch_size = (uint32_t)bytes.len;
	ev.submit.ranges = &range;
	ev.submit.range_count = 1;
	outcome = client_post(c, &ev, 1, err);
	str_free(&launch);
	str_free(&bytes);
	return outcome;
}

/* 300 tasks with short paths take half a megabyte, 100 tasks with paths of 4000 bytes more than a megabyte.
 */
static int paths_of_each_task_count(struct client *c)
{
	char path[4001] = "/", many[4001] = "/";
	struct err err;

	memset(path + 1, 'x', sizeof path - 2);
	for (size_t i = 1; i + 2 < sizeof many; i += 2) {
		many[i] = '%';
		many[i + 1] = 'j';
	}
	if (submit_paths(c, path, 100, &err) != DRIVER_REFUSED || strstr(err.text, "maxuserjournal") == NULL)
		return 1;
	if (submit_paths(c, many, 20, &err) != DRIVER_REFUSED || strstr(err.text, "maxuserjournal") == NULL)
		return 2;
	return submit_paths(c, "/tmp/o%j", 300, &err) == DRIVER_DONE ? 0 : 3;
}

static void output_paths_of_each_task_count_toward_the_journal_limit(void **state)
{
	struct portal s;
	struct client *c;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	c = portal_call(&s);
	set(c, "maxuserjournal", "1");
	check_as_nobody(&s, paths_of_each_task_count);
	client_close(c);
	portal_end(&s);
}

/* Returns a state in which job 1 belongs to the user nobody and job 2 to root. */
static struct state *two_jobs(void)
{
	static const char *const users[] = {"nobody", "root"};
	struct event setting = {.kind = EVENT_SETTING,
				.time_s = 1000,
				.who = "root",
				.setting = {.name = "maxuserjournal", .value = "1"}};
	struct state *st = state_new();
	struct str launch = {0};
	struct err err;

	assert_true(event_apply(st, &setting, &err));
	for (int i = 0; i < 2; i++) {
		struct event ev = submission(&launch, users[i]);

		ev.time_s = 1000;
		ev.submit.job.submit_s = 1000;
		if (!event_apply(st, &ev, &err))
			fail_msg("%s", err.text);
		str_clear(&launch);
	}
	str_free(&launch);
	return st;
}

static void retries_count_toward_the_journal_limit_of_the_job_owner(void **state)
{
	struct state *st = two_jobs();
	const struct snapshot *s = state_view(st);
	struct request_server *server;
	struct err err;
	char dir[] = "/tmp/kahu-porter.XXXXXX";
	int taken = 0;

	(void)state;
	assert_non_null(mkdtemp(dir));
	server = request_server_open(&(struct request_server_setup){.dir = dir, .everybody = true}, &err);
	assert_non_null(server);
	while (taken < 5000 && request_server_take_toll(server, s, &snapshot_jobs(s)[0], 640))
		taken++;
	assert_in_range(taken, 1638,
			2000); /* a megabyte, and the allowance that is refilled during the loop */
	for (int i = 0; i < 2000; i++)
		assert_true(request_server_take_toll(server, s, &snapshot_jobs(s)[1], 640));
	request_server_close(server);
	rmdir(dir);
	state_free(st);
}

/* Submits a job with a script of the given size. */
static enum driver_outcome submit_large(struct client *c, uint32_t script_size, uint64_t *job,
					struct err *err)
{
	struct str launch = {0};
	char *script = malloc(script_size);
	struct launch what = {.script = script, .script_size = script_size, .dir = "/"};
	struct event ev = submission(&launch, NULL);
	enum driver_outcome outcome;

	memset(script, 'x', script_size);
	str_clear(&launch);
	launch_write(&what, &launch);
	ev.submit.launch = launch.data;
	ev.submit.launch_size = (uint32_t)launch.len;
	outcome = client_post(c, &ev, 1, err);
	*job = ev.job;
	str_free(&launch);
	free(script);
	return outcome;
}

static int can_store_a_megabyte(struct client *c)
{
	struct event cancel = {.kind = EVENT_CANCEL};
	uint64_t job;
	struct err err;

	if (submit_large(c, LAUNCH_NEW_SCRIPT_MAX, &cancel.job, &err) != DRIVER_DONE)
		return 1;
	if (submit_large(c, LAUNCH_NEW_SCRIPT_MAX, &job, &err) != DRIVER_REFUSED ||
	    strstr(err.text, "the jobs of nobody take 512 kB in the store, this request adds 513 kB, and "
			     "maxuserstored allows 1 MB; cancel jobs, or wait until some have ended") == NULL)
		return 2;
	if (submit_large(c, 1000, &job, &err) != DRIVER_DONE)
		return 3;
	if (client_post(c, &cancel, 1, &err) != DRIVER_DONE)
		return 4;
	return submit_large(c, LAUNCH_NEW_SCRIPT_MAX, &job, &err) == DRIVER_DONE ? 0 : 5;
}

static void stored_data_of_a_user_is_limited(void **state)
{
	struct portal s;
	struct client *c;
	uint64_t job;
	struct err err;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	c = portal_call(&s);
	set(c, "maxuserstored", "1");
	check_as_nobody(&s, can_store_a_megabyte);
	assert_int_equal(submit_large(c, LAUNCH_NEW_SCRIPT_MAX, &job, &err), DRIVER_DONE);
	assert_int_equal(submit_large(c, LAUNCH_NEW_SCRIPT_MAX, &job, &err),
			 DRIVER_DONE); /* no limit for root */
	client_close(c);
	portal_end(&s);
}

/* Each request releases and holds a job 64 times: 256 kB of reasons. */
static int can_have_a_megabyte_of_texts(struct client *c)
{
	struct event cancel = {.kind = EVENT_CANCEL}, turn[128];
	char reason[4097];
	struct err err;
	uint64_t job;

	memset(reason, 'r', 4096);
	reason[4096] = '\0';
	if (submit_large(c, 1000, &job, &err) != DRIVER_DONE)
		return 1;
	for (int i = 0; i < 128; i++)
		turn[i] = (struct event){.kind = EVENT_HOLD,
					 .job = job,
					 .hold = {.bits = JOB_HOLD_USER,
						  .on = i % 2 != 0,
						  .reason = i % 2 != 0 ? reason : NULL}};
	for (int part = 0; part < 4; part++)
		if (client_post(c, turn, 128, &err) != DRIVER_DONE)
			return 2;
	if (client_post(c, turn, 128, &err) != DRIVER_REFUSED ||
	    strstr(err.text, "names, host lists and reasons of the jobs of nobody take 1024 kB in the state, "
			     "this request adds 256 kB, and maxusertext allows 1 MB; ") == NULL)
		return 3;
	turn[1].hold.reason = NULL;
	if (client_post(c, turn, 2, &err) != DRIVER_DONE)
		return 4;
	cancel.job = job;
	return client_post(c, &cancel, 1, &err) == DRIVER_DONE ? 0 : 5;
}

static void texts_of_a_user_in_the_state_are_limited(void **state)
{
	struct portal s;
	struct client *c;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	c = portal_call(&s);
	set(c, "maxusertext", "1");
	set(c, "maxjobchanges", "1000");
	check_as_nobody(&s, can_have_a_megabyte_of_texts);
	client_close(c);
	portal_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(users_act_only_on_their_own_jobs),
		cmocka_unit_test(uids_and_gids_without_an_entry_are_not_accepted),
		cmocka_unit_test(administrators_are_set_by_the_configuration),
		cmocka_unit_test(names_are_hidden_from_users_who_are_not_administrators),
		cmocka_unit_test(the_number_of_jobs_of_a_user_is_limited),
		cmocka_unit_test(a_query_is_refused_if_its_answer_could_exceed_the_memory_limit),
		cmocka_unit_test(the_number_of_changes_in_a_request_is_limited),
		cmocka_unit_test(the_number_of_changes_of_a_job_is_limited),
		cmocka_unit_test(the_number_of_changes_of_all_jobs_of_a_user_is_limited),
		cmocka_unit_test(dependencies_in_the_kept_changes_of_a_user_are_limited),
		cmocka_unit_test(dependencies_of_the_waiting_jobs_of_a_user_are_limited),
		cmocka_unit_test(the_number_of_new_names_of_a_user_is_limited),
		cmocka_unit_test(unconfigured_classes_count_as_new_names),
		cmocka_unit_test(retries_count_toward_the_journal_limit_of_the_job_owner),
		cmocka_unit_test(output_paths_of_each_task_count_toward_the_journal_limit),
		cmocka_unit_test(the_daily_journal_volume_of_a_user_is_limited),
		cmocka_unit_test(stored_data_of_a_user_is_limited),
		cmocka_unit_test(texts_of_a_user_in_the_state_are_limited),
	};

	return cmocka_run_group_tests_name("request_server_others", tests, NULL, NULL);
}
