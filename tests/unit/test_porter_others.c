/* SPDX-License-Identifier: MIT */
/*
 * test_porter_others.c - what may others than the administrator ask for, and see?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "portal.h"

/* --- own jobs --------------------------------------------------------------------------------- */

/* In a process of its own, as nobody: 0 = as it should be. */
static int as_nobody(const struct portal *s, uint64_t roots)
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
	struct portal s;
	struct caller *c;
	uint64_t roots;
	int status;
	pid_t pid;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	c = portal_call(&s);
	roots = submit(c, NULL);
	pid = fork();
	if (pid == 0)
		_exit(as_nobody(&s, roots));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	caller_close(c);
	portal_end(&s);
}

/* --- levels, names, how many ------------------------------------------------------------------- */

/* In a process of its own, as nobody; must_be returns 0 when it is as it should be. */
static void nobody_must(const struct portal *s, int (*must_be)(struct caller *c))
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
	struct portal s;
	struct caller *c;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	c = portal_call(&s);
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
	portal_end(&s);
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
	struct portal s;
	struct caller *c;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	c = portal_call(&s);
	submit(c, NULL);
	nobody_must(&s, sees_root);
	set(c, "hidenames", "true");
	nobody_must(&s, sees_no_name_but_its_own);
	assert_string_equal(name_of_first_job(c), "root");
	set(c, "admin3", "nobody");
	nobody_must(&s, sees_root);
	caller_close(c);
	portal_end(&s);
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
	struct portal s;
	struct caller *c;

	(void)state;
	if (geteuid() != 0)
		skip();
	portal_begin(&s, true);
	c = portal_call(&s);
	set(c, "maxuserqueuable", "2");
	for (int i = 0; i < 3; i++)
		submit(c, NULL); /* no limit for root */
	nobody_must(&s, has_room_for_two);
	caller_close(c);
	portal_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(others_act_on_their_own_jobs_only),
		cmocka_unit_test(the_configuration_says_who_is_an_administrator),
		cmocka_unit_test(names_are_hidden_from_who_is_no_administrator),
		cmocka_unit_test(one_user_has_so_many_jobs_and_no_more),
	};

	return cmocka_run_group_tests_name("porter_others", tests, NULL, NULL);
}
