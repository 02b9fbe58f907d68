/* SPDX-License-Identifier: MIT */
/*
 * test_edits.c - what does a draft consist of, after what order of changes?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tests/scene.h"
#include "tui/console/edits.h"

struct draft_of {
	struct scene *sc;
	struct edits edits;
	struct cmd_changes changes;
	struct str out;
	struct err err;
};

static void begin(struct draft_of *d)
{
	*d = (struct draft_of){.sc = scene_new(1, 2)};
	scene_config(d->sc, "queuetimeweight = 1\n");
	scene_submit(d->sc, 2, 100);
	scene_submit(d->sc, 2, 100);
}

static void end(struct draft_of *d)
{
	edits_clear(&d->edits);
	cmd_changes_clear(&d->changes);
	str_free(&d->out);
	scene_free(d->sc);
}

static bool compile(struct draft_of *d)
{
	struct cmd_env env = {.s = scene_view(d->sc), .who = "eva", .out = &d->out, .changes = &d->changes};
	bool good;

	cmd_changes_clear(&d->changes);
	good = edits_compile(&d->edits, &env);
	d->err = env.err;
	return good;
}

static void keep_all(struct draft_of *d)
{
	for (size_t i = 0; i < d->edits.count; i++)
		d->edits.item[i].kept = true;
}

/* As the console does it: what stays, then what is new. */
static void draft(struct draft_of *d, const char *lines, const void *by)
{
	struct edits next = {0};

	edits_add_staying(&next, &d->edits, by);
	edits_add_lines(&next, lines, by);
	edits_clear(&d->edits);
	d->edits = next;
	assert_true(compile(d));
}

static void check(const struct draft_of *d, const char *lines)
{
	struct str text = {0};

	edits_add_text(&d->edits, &text);
	assert_string_equal(str_text(&text), lines);
	str_free(&text);
}

static void what_comes_next_takes_the_place_of_what_is_not_kept(void **state)
{
	struct draft_of d;

	(void)state;
	begin(&d);
	draft(&d, "hold 1", NULL);
	draft(&d, "hold 2", NULL);
	check(&d, "hold 2");
	keep_all(&d);
	draft(&d, "tune xfactorweight 5", NULL);
	check(&d, "hold 2\ntune xfactorweight 5");
	draft(&d, "tune procweight 5", NULL);
	check(&d, "hold 2\ntune procweight 5");
	assert_int_equal(d.changes.count, 2);
	assert_int_equal(edits_kept(&d.edits), 1);
	end(&d);
}

static void an_edit_about_the_same_thing_overtakes_a_kept_one(void **state)
{
	struct draft_of d;

	(void)state;
	begin(&d);
	draft(&d, "tune xfactorweight 5\nset 1 priority=+10", NULL);
	keep_all(&d);
	draft(&d, "tune XFACTORWEIGHT=7", NULL);
	check(&d, "set 1 priority=+10\ntune XFACTORWEIGHT=7");
	keep_all(&d);
	draft(&d, "set 2 priority=+10", NULL);
	check(&d, "set 1 priority=+10\ntune XFACTORWEIGHT=7\nset 2 priority=+10");
	keep_all(&d);
	draft(&d, "set 1 priority=+20", NULL);
	check(&d, "tune XFACTORWEIGHT=7\nset 2 priority=+10\nset 1 priority=+20");
	assert_int_equal(d.changes.count, 3);
	assert_int_equal(d.edits.item[2].first, 2);
	end(&d);
}

static void one_who_drafts_anew_replaces_all_of_his_kept_or_not(void **state)
{
	int sliders;
	struct draft_of d;

	(void)state;
	begin(&d);
	draft(&d, "tune xfactorweight 5\ntune procweight 2", &sliders);
	keep_all(&d);
	draft(&d, "hold 1", NULL);
	keep_all(&d);
	draft(&d, "tune procweight 2", &sliders);
	check(&d, "hold 1\ntune procweight 2");
	assert_true(edits_are_by(&d.edits, &sliders));
	end(&d);
}

static void an_edit_that_is_off_stays_and_gives_no_events(void **state)
{
	struct draft_of d;

	(void)state;
	begin(&d);
	draft(&d, "hold 1\ntune xfactorweight 5", NULL);
	d.edits.item[0].off = true;
	assert_true(compile(&d));
	assert_int_equal(d.edits.count, 2);
	assert_int_equal(d.changes.count, 1);
	assert_int_equal(d.changes.event[0].kind, EVENT_SETTING);
	assert_string_equal(d.edits.item[0].text, "hold user 1");
	check(&d, "tune xfactorweight 5");
	d.edits.item[0].off = false;
	assert_true(compile(&d));
	assert_int_equal(d.changes.count, 2);
	end(&d);
}

/* What a draft of these lines makes go, the one before being known with its events. */
static void check_gone(struct draft_of *d, const char *lines, const void *by, const char *gone)
{
	struct edits next = {0};
	struct cmd_changes changes = {0};
	struct cmd_env env = {.s = scene_view(d->sc), .who = "eva", .out = &d->out, .changes = &changes};
	struct str text = {0};

	edits_add_staying(&next, &d->edits, by);
	edits_add_lines(&next, lines, by);
	assert_true(edits_compile(&next, &env));
	edits_add_gone(&d->edits, &d->changes, &next, &changes, by, &text);
	assert_string_equal(str_text(&text), gone);
	edits_clear(&next);
	cmd_changes_clear(&changes);
	str_free(&text);
}

static void what_makes_room_for_something_else_is_known(void **state)
{
	int sliders;
	struct draft_of d;

	(void)state;
	begin(&d);
	draft(&d, "set 1 priority=+10", NULL);
	check_gone(&d, "set 1 priority=+20", NULL, "");
	check_gone(&d, "set 1 priority=+10", NULL, "");
	check_gone(&d, "set 2 priority=+10", NULL, "set priority of 1 +10");
	draft(&d, "hold 1\nhold 2", NULL);
	check_gone(&d, "release 1\nhold 2", NULL, "hold user 1");
	check_gone(&d, "tune procweight 2", NULL, "hold user 1; hold user 2");
	keep_all(&d);
	check_gone(&d, "tune procweight 2", NULL, "");
	draft(&d, "tune xfactorweight 5", &sliders);
	check_gone(&d, "tune procweight 2", &sliders, "");
	check_gone(&d, "set 1 priority=+10", NULL, "set xfactorweight = 5");
	end(&d);
}

static void a_line_that_is_refused_is_said(void **state)
{
	struct draft_of d;

	(void)state;
	begin(&d);
	edits_add(&d.edits, "hold 1", NULL);
	edits_add(&d.edits, "hold 99", NULL);
	assert_false(compile(&d));
	assert_non_null(strstr(d.err.text, "99"));
	end(&d);
}

static void a_line_that_changes_nothing_is_no_edit(void **state)
{
	struct draft_of d;

	(void)state;
	begin(&d);
	draft(&d, "queue\nhold 1", NULL);
	check(&d, "hold 1");
	end(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_comes_next_takes_the_place_of_what_is_not_kept),
		cmocka_unit_test(an_edit_about_the_same_thing_overtakes_a_kept_one),
		cmocka_unit_test(one_who_drafts_anew_replaces_all_of_his_kept_or_not),
		cmocka_unit_test(an_edit_that_is_off_stays_and_gives_no_events),
		cmocka_unit_test(what_makes_room_for_something_else_is_known),
		cmocka_unit_test(a_line_that_is_refused_is_said),
		cmocka_unit_test(a_line_that_changes_nothing_is_no_edit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
