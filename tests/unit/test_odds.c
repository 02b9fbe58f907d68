/* SPDX-License-Identifier: MIT */
/*
 * test_odds.c - what does lint say of what is shown, and is it asked only when something changed?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "looking.h"
#include "tui/answers/odds.h"

static const char odd[] = "fspolicy = \"dedicatedps\"\nfsuserweight = 1\nfsweight = 1\n"
			  "user eva { fstarget = 150  maxjob = {\"8,4\"} }\n";

/* A state whose number of findings the test knows, though the outlook is not looked at. */
#define MARK 77

/* Has lint been asked since the mark was set? */
static bool asks(struct odds *odds, const struct outlook *o)
{
	odds->live.count = MARK;
	odds_take(odds, o);
	return odds->live.count != MARK;
}

static void lint_is_asked_again_only_for_another_version(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct odds odds = {.known = false};
	struct looking l;
	const struct outlook *o;

	(void)state;
	scene_config(sc, odd);
	o = looking_begin(&l, sc, NULL);
	l.picture.version = 7;
	odds_take(&odds, o);
	assert_true(odds.live.count >= 2);
	assert_false(asks(&odds, o));
	l.o->now_s += 5;
	assert_false(asks(&odds, o));
	l.picture.version = 8;
	assert_true(asks(&odds, o));
	assert_false(asks(&odds, o));
	looking_end(&l);
	odds_free(&odds);
	assert_false(odds.known);
	scene_free(sc);
}

static void another_draft_is_looked_at_and_so_is_none(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct odds odds = {.known = false};
	struct looking l;
	const struct outlook *o;

	(void)state;
	scene_config(sc, odd);
	o = looking_begin(&l, sc, "tune fsdecay 0");
	l.o->proposal->number = 1;
	odds_take(&odds, o);
	assert_ptr_equal(odds_shown(&odds), &odds.draft);
	assert_false(asks(&odds, o));
	l.o->proposal->number = 2;
	assert_true(asks(&odds, o));
	looking_end(&l);
	o = looking_begin(&l, sc, NULL);
	assert_true(asks(&odds, o));
	assert_ptr_equal(odds_shown(&odds), &odds.live);
	assert_int_equal(odds.brought.count, 0);
	looking_end(&l);
	odds_free(&odds);
	scene_free(sc);
}

static void a_past_moment_has_its_own(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct odds odds = {.known = false};
	struct looking l;
	const struct outlook *o;

	(void)state;
	o = looking_begin(&l, sc, NULL);
	odds_take(&odds, o);
	l.picture.is_past = true;
	l.picture.moment.seq = 3;
	assert_true(asks(&odds, o));
	assert_false(asks(&odds, o));
	l.picture.moment.seq = 4;
	assert_true(asks(&odds, o));
	l.picture.is_past = false;
	looking_end(&l);
	odds_free(&odds);
	scene_free(sc);
}

static void what_a_draft_brings_is_told_from_what_was_there(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct odds odds = {.known = false};
	struct looking l;
	size_t brought = 0;

	(void)state;
	scene_config(sc, odd);
	looking_begin(&l, sc, "tune user[bob].fstarget 120");
	l.o->proposal->number = 1;
	odds_take(&odds, l.o);
	for (size_t i = 0; i < odds.draft.count; i++) {
		const struct config_finding *finding = &odds.draft.item[i];

		if (!odds_is_new(&odds, finding))
			continue;
		brought++;
		if (strcmp(finding->id, "W16") == 0)
			assert_string_equal(finding->option, "user[bob].fstarget");
	}
	assert_true(brought > 0 && brought < odds.draft.count);
	looking_end(&l);
	odds_free(&odds);
	scene_free(sc);
}

static void findings_are_of_shares_of_limits_or_of_neither(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct odds odds = {.known = false};
	struct looking l;
	size_t count = 0;

	(void)state;
	scene_config(sc, odd);
	looking_begin(&l, sc, NULL);
	odds_take(&odds, l.o);
	assert_int_equal(odds_count(&odds, SUBJECT_SHARES, SEVERITY_WARNING), 1); /* 150 percent */
	assert_int_equal(odds_count(&odds, SUBJECT_LIMITS, SEVERITY_WARNING), 1); /* 8 above 4   */
	assert_int_equal(odds_count(&odds, SUBJECT_LIMITS, SEVERITY_ERROR), 0);
	for (enum config_subject subject = SUBJECT_SHARES; subject <= SUBJECT_OTHER; subject++)
		for (int severity = SEVERITY_NOTE; severity <= SEVERITY_ERROR; severity++)
			count += odds_count(&odds, subject, (enum config_severity)severity);
	assert_int_equal(count, odds.live.count);
	looking_end(&l);
	odds_free(&odds);
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
