/* SPDX-License-Identifier: MIT */
/*
 * test_linted.c - what does lint say of what is shown, and is it asked only when something changed?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "looking.h"
#include "tui/query/linted.h"

static const char odd[] = "fspolicy = \"dedicatedps\"\nfsuserweight = 1\nfsweight = 1\n"
			  "user eva { fstarget = 150  maxjob = {\"8,4\"} }\n";

/* A state whose number of linted the test knows, though the outlook is not looked at. */
#define MARK 77

/* Has lint been asked since the mark was set? */
static bool asks(struct linted *linted, const struct outlook *o)
{
	linted->live.count = MARK;
	linted_take(linted, o);
	return linted->live.count != MARK;
}

static void lint_is_asked_again_only_for_another_version(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct linted linted = {.known = false};
	struct looking l;
	const struct outlook *o;

	(void)state;
	scene_config(sc, odd);
	o = looking_begin(&l, sc, NULL);
	l.picture.version = 7;
	linted_take(&linted, o);
	assert_true(linted.live.count >= 2);
	assert_false(asks(&linted, o));
	l.o->now_s += 5;
	assert_false(asks(&linted, o));
	l.picture.version = 8;
	assert_true(asks(&linted, o));
	assert_false(asks(&linted, o));
	looking_end(&l);
	linted_free(&linted);
	assert_false(linted.known);
	scene_free(sc);
}

static void another_draft_is_looked_at_and_so_is_none(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct linted linted = {.known = false};
	struct looking l;
	const struct outlook *o;

	(void)state;
	scene_config(sc, odd);
	o = looking_begin(&l, sc, "tune fsdecay 0");
	l.o->proposal->number = 1;
	linted_take(&linted, o);
	assert_ptr_equal(linted_shown(&linted), &linted.draft);
	assert_false(asks(&linted, o));
	l.o->proposal->number = 2;
	assert_true(asks(&linted, o));
	looking_end(&l);
	o = looking_begin(&l, sc, NULL);
	assert_true(asks(&linted, o));
	assert_ptr_equal(linted_shown(&linted), &linted.live);
	assert_int_equal(linted.brought.count, 0);
	looking_end(&l);
	linted_free(&linted);
	scene_free(sc);
}

static void a_past_moment_has_its_own(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct linted linted = {.known = false};
	struct looking l;
	const struct outlook *o;

	(void)state;
	o = looking_begin(&l, sc, NULL);
	linted_take(&linted, o);
	l.picture.is_past = true;
	l.picture.moment.seq = 3;
	assert_true(asks(&linted, o));
	assert_false(asks(&linted, o));
	l.picture.moment.seq = 4;
	assert_true(asks(&linted, o));
	l.picture.is_past = false;
	looking_end(&l);
	linted_free(&linted);
	scene_free(sc);
}

static void what_a_draft_brings_is_told_from_what_was_there(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct linted linted = {.known = false};
	struct looking l;
	size_t brought = 0;

	(void)state;
	scene_config(sc, odd);
	looking_begin(&l, sc, "tune user[bob].fstarget 120");
	l.o->proposal->number = 1;
	linted_take(&linted, l.o);
	for (size_t i = 0; i < linted.draft.count; i++) {
		const struct config_finding *finding = &linted.draft.item[i];

		if (!linted_is_new(&linted, finding))
			continue;
		brought++;
		if (strcmp(finding->id, "W16") == 0)
			assert_string_equal(finding->option, "user[bob].fstarget");
	}
	assert_true(brought > 0 && brought < linted.draft.count);
	looking_end(&l);
	linted_free(&linted);
	scene_free(sc);
}

static void findings_are_of_shares_of_limits_or_of_neither(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct linted linted = {.known = false};
	struct looking l;
	size_t count = 0;

	(void)state;
	scene_config(sc, odd);
	looking_begin(&l, sc, NULL);
	linted_take(&linted, l.o);
	assert_int_equal(linted_count(&linted, SUBJECT_SHARES, SEVERITY_WARNING), 1); /* 150 percent */
	assert_int_equal(linted_count(&linted, SUBJECT_LIMITS, SEVERITY_WARNING), 1); /* 8 above 4   */
	assert_int_equal(linted_count(&linted, SUBJECT_LIMITS, SEVERITY_ERROR), 0);
	for (enum config_subject subject = SUBJECT_SHARES; subject <= SUBJECT_OTHER; subject++)
		for (int severity = SEVERITY_NOTE; severity <= SEVERITY_ERROR; severity++)
			count += linted_count(&linted, subject, (enum config_severity)severity);
	assert_int_equal(count, linted.live.count);
	looking_end(&l);
	linted_free(&linted);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lint_is_asked_again_only_for_another_version),
		cmocka_unit_test(another_draft_is_looked_at_and_so_is_none),
		cmocka_unit_test(a_past_moment_has_its_own),
		cmocka_unit_test(what_a_draft_brings_is_told_from_what_was_there),
		cmocka_unit_test(findings_are_of_shares_of_limits_or_of_neither),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
