/* SPDX-License-Identifier: MIT */
/*
 * test_authorization.c - authorization of changes
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/scene.h"
#include "tui/serve/allowance.h"
#include "tui/serve/authorization.h"

#define REASON  4000 /* bytes */
#define CANCELS 20

/* A user with CANCELS idle jobs and a journal allowance of 8 kB a day. */
struct canceller {
	struct scene *sc;
	struct allowance *all;
	struct allowance_use *use;
	struct authorization authorization;
	struct event ev[CANCELS + 1];
	struct arena arena;
	char reason[REASON + 1];
};

static const struct person eva = {.uid = 1000, .user = "eva", .level = ADMIN_NONE};

/* The reason has a character of two bytes at the place where it is cut. */
static void canceller_begin(struct canceller *c)
{
	*c = (struct canceller){.sc = scene_new(1, 1), .all = allowance_new()};
	allowance_set(c->all, 10, 8192);
	c->use = allowance_of(c->all, eva.uid, 0);
	memset(c->reason, 'x', REASON);
	memcpy(c->reason + 63, "\303\251", 2);
	for (size_t i = 0; i < CANCELS; i++) {
		uint64_t job = scene_add(c->sc, (struct scene_job){.user = "eva"});

		c->ev[i] = (struct event){.kind = EVENT_CANCEL, .job = job, .why = c->reason};
	}
	c->ev[CANCELS] = (struct event){
		.kind = EVENT_HOLD, .job = c->ev[0].job, .hold = {.bits = JOB_HOLD_USER, .on = true}};
}

/* The size of the request includes the reasons. */
static bool ask(struct canceller *c, size_t first, size_t count, struct err *err)
{
	size_t size = 0;

	for (size_t i = first; i < first + count; i++)
		size += c->ev[i].why != NULL ? strlen(c->ev[i].why) : 0;
	c->authorization = (struct authorization){
		.by = &eva, .st = c->sc->st, .allowance = c->all, .use = c->use, .size = size};
	if (!authorize_events(&c->authorization, c->ev + first, count, &c->arena, err))
		return false;
	allowance_charge_journal(c->use, c->authorization.journal);
	return true;
}

static void canceller_end(struct canceller *c)
{
	arena_free(&c->arena);
	allowance_free(c->all);
	scene_free(c->sc);
}

static void reasons_of_cancels_beyond_the_allowance_are_shortened(void **state)
{
	struct canceller c;
	struct err err;
	int64_t used;

	(void)state;
	canceller_begin(&c);
	assert_true(ask(&c, 0, 1, &err)); /* within the allowance */
	assert_int_equal(strlen(c.ev[0].why), REASON);
	used = allowance_journal_used(c.all, c.use);
	assert_in_range(used, REASON, REASON + 400);
	assert_true(
		ask(&c, 1, CANCELS - 1, &err)); /* as a client can send: a reason of maximum size in each */
	for (size_t i = 1; i < CANCELS; i++) {
		assert_int_equal(strlen(c.ev[i].why), 63);
		assert_memory_equal(c.ev[i].why, c.reason, 63);
	}
	assert_in_range(allowance_journal_used(c.all, c.use) - used, 63 * (CANCELS - 1), 3000);
	canceller_end(&c);
}

static void other_requests_are_refused_beyond_the_allowance(void **state)
{
	struct canceller c;
	struct err err;

	(void)state;
	canceller_begin(&c);
	allowance_charge_journal(c.use, 8192);
	assert_false(ask(&c, CANCELS, 1, &err));
	assert_non_null(strstr(err.text, "maxuserjournal"));
	c.ev[CANCELS - 1].why = "too long";
	assert_false(ask(&c, CANCELS - 1, 2, &err)); /* a cancel together with other events is refused too */
	assert_true(ask(&c, CANCELS - 1, 1, &err));
	assert_string_equal(c.ev[CANCELS - 1].why, "too long");
	canceller_end(&c);
}

static bool reserve(struct scene *sc, const struct person *by, const char *guests, struct err *err)
{
	char text[200];
	struct event ev = {.kind = EVENT_RESERVE, .reserve = {.name = "probe", .text = text}};
	struct allowance *all = allowance_new();
	struct authorization p = {.by = by, .st = sc->st, .allowance = all, .names = 0};
	struct arena arena = {0};
	bool good;

	p.use = allowance_of(all, by->uid, 0);
	allowance_set(all, 10, 1 << 20);
	snprintf(text, sizeof text, "start=2000000000 end=2000000060 personal node=n001 user=%s%s%s",
		 by->user, guests[0] != '\0' ? " " : "", guests);
	good = authorize_events(&p, &ev, 1, &arena, err);
	arena_free(&arena);
	allowance_free(all);
	return good;
}

/* Otherwise the answer and the state would reveal the owners of hidden jobs. */
static void with_hidden_names_a_user_cannot_reserve_for_other_users(void **state)
{
	static const char *const others[] = {"user=bob", "user=nobody-has-this", "group=theirs",
					     "account=bobs"};
	static const char *const shown[] = {"", "group=ours", "account=evas", "qos=DEFAULT", "job=1"};
	static const struct person person = {.uid = 1000,
					     .user = "eva",
					     .group = "ours",
					     .level = ADMIN_NONE},
				   may_see = {
					   .uid = 1001, .user = "ann", .group = "ours", .level = ADMIN_SEES};
	struct scene *sc = scene_new(1, 1);
	struct err err;

	(void)state;
	scene_config(sc, "hidenames = true\nuserreservations = 2\n");
	scene_add(sc, (struct scene_job){.user = "eva", .account = "evas"});
	scene_add(sc, (struct scene_job){.user = "bob", .group = "theirs", .account = "bobs"});
	for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
		if (!reserve(sc, &person, shown[i], &err))
			fail_msg("%s: %s", shown[i], err.text);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		assert_false(reserve(sc, &person, others[i], &err));
		assert_non_null(strstr(err.text, "names of other users are hidden (hidenames)"));
		if (!reserve(sc, &may_see, others[i], &err))
			fail_msg("%s: %s", others[i], err.text);
	}
	scene_set(sc, "hidenames", "false");
	assert_true(reserve(sc, &person, others[0], &err));
	scene_free(sc);
}

/* Sorting long lists takes time, even with few changes. */
static void long_lists_in_one_request_are_refused(void **state)
{
	static char list[60000];
	struct event ev[5];
	struct scene *sc = scene_new(1, 1);
	struct allowance *all = allowance_new();
	struct authorization p = {.by = &eva, .st = sc->st, .allowance = all, .names = 0};
	struct arena arena = {0};
	struct err err;

	(void)state;
	allowance_set(all, 10, 1 << 20);
	p.use = allowance_of(all, eva.uid, 0);
	for (size_t i = 0; i + 1 < sizeof list; i++)
		list[i] = i % 2 == 0 ? 'a' : ' ';
	for (size_t i = 0; i < 5; i++)
		ev[i] = (struct event){.kind = EVENT_MODIFY,
				       .job = scene_add(sc, (struct scene_job){.user = "eva"}),
				       .modify = {.name = "hosts", .value = list}};
	assert_false(authorize_events(&p, ev, 5, &arena, &err));
	assert_string_equal(err.text,
			    "the lists of features, nodes and resources in this request take 292 kB, "
			    "but at most 256 kB are allowed; change fewer jobs at a time");
	assert_true(authorize_events(&p, ev, 4, &arena, &err));
	arena_free(&arena);
	allowance_free(all);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(with_hidden_names_a_user_cannot_reserve_for_other_users),
		cmocka_unit_test(reasons_of_cancels_beyond_the_allowance_are_shortened),
		cmocka_unit_test(other_requests_are_refused_beyond_the_allowance),
		cmocka_unit_test(long_lists_in_one_request_are_refused),
	};

	return cmocka_run_group_tests_name("petition", tests, NULL, NULL);
}
