/* SPDX-License-Identifier: MIT */
/*
 * test_petition.c - what is signed, cut or refused of a request that the allowance of its user does not
 * cover?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tests/scene.h"
#include "tui/serve/allowance.h"
#include "tui/serve/petition.h"

#define REASON  4000 /* bytes */
#define CANCELS 20

/* A user who has so many waiting jobs, and an allowance of 8 kB a day. */
struct canceller {
	struct scene *sc;
	struct allowance *all;
	struct allowance_use *use;
	struct petition petition;
	struct event ev[CANCELS + 1];
	struct arena arena;
	char reason[REASON + 1];
};

static const struct person eva = {.uid = 1000, .user = "eva", .level = ADMIN_NONE};

/* The reason has a character of two bytes where it would be cut. */
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

/* The request has its reasons in it. */
static bool ask(struct canceller *c, size_t first, size_t count, struct err *err)
{
	size_t size = 0;

	for (size_t i = first; i < first + count; i++)
		size += c->ev[i].why != NULL ? strlen(c->ev[i].why) : 0;
	c->petition = (struct petition){
		.by = &eva, .st = c->sc->st, .allowance = c->all, .use = c->use, .size = size};
	if (!petition_sign(&c->petition, c->ev + first, count, &c->arena, err))
		return false;
	allowance_charge_journal(c->use, c->petition.journal);
	return true;
}

static void canceller_end(struct canceller *c)
{
	arena_free(&c->arena);
	allowance_free(c->all);
	scene_free(c->sc);
}

static void cancels_beyond_the_allowance_keep_the_beginning_of_their_reasons(void **state)
{
	struct canceller c;
	struct err err;
	int64_t used;

	(void)state;
	canceller_begin(&c);
	assert_true(ask(&c, 0, 1, &err)); /* within it */
	assert_int_equal(strlen(c.ev[0].why), REASON);
	used = allowance_journal_used(c.all, c.use);
	assert_in_range(used, REASON, REASON + 400);
	assert_true(ask(&c, 1, CANCELS - 1, &err)); /* as raw requests can be: the largest reason in each */
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
	assert_false(ask(&c, CANCELS - 1, 2, &err)); /* a cancel among others is as these */
	assert_true(ask(&c, CANCELS - 1, 1, &err));
	assert_string_equal(c.ev[CANCELS - 1].why, "too long");
	canceller_end(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cancels_beyond_the_allowance_keep_the_beginning_of_their_reasons),
		cmocka_unit_test(other_requests_are_refused_beyond_the_allowance),
	};

	return cmocka_run_group_tests_name("petition", tests, NULL, NULL);
}
