/* SPDX-License-Identifier: MIT */
/*
 * test_changes.c - previews of changes, and the edits of a draft
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "small_state.h"
#include "tests/scene.h"
#include "tui/command/cmd_list.h"
#include "tui/report/changes.h"

/* --- previews ------------------------------------------------------------------------------------- */

static void check_preview(const char *line, const char *expected)
{
	struct state *st = small_state();
	uint64_t hash = state_hash(state_view(st));
	struct cmd_changes changes = {0};
	struct str out = {0}, effect = {0};
	struct cmd_env env = {.verbs = &cmd_verbs,
			      .s = state_view(st),
			      .now_s = 40,
			      .who = "ops",
			      .out = &out,
			      .changes = &changes};
	struct err err = {""};

	assert_int_equal(cmd_run_line(&env, line), CMD_DONE);
	if (cmd_preview(state_view(st), 40, true, &changes, &effect, &err))
		assert_string_equal(str_text(&effect), expected);
	else
		assert_string_equal(err.text, expected);
	assert_true(state_hash(state_view(st)) == hash);
	cmd_changes_clear(&changes);
	str_free(&out);
	str_free(&effect);
	state_free(st);
}

static void a_change_without_effect_is_reported_as_such(void **state)
{
	(void)state;
	check_preview("set 2 priority=+1", "order and all estimated starts unchanged");
	check_preview("tune xfactorweight 0", "order and all estimated starts unchanged");
}

static void a_job_that_overtakes_delays_the_others(void **state)
{
	(void)state;
	check_preview("set fit priority=+5", "3 jobs change order; 1 earlier; 2 later; worst: 2 +0:01:40");
}

static void a_refused_change_gives_its_error(void **state)
{
	(void)state;
	check_preview("release 2", "job 2 has no such hold (its holds: none)");
}

static void later_changes_include_earlier_ones(void **state)
{
	struct state *st = small_state();
	struct cmd_changes changes = {0};
	struct cmd_env env = {.now_s = 40, .who = "ops", .changes = &changes};
	struct str effect = {0};
	struct event *ev;

	(void)state;
	ev = cmd_add_event(&env, EVENT_HOLD, 2);
	ev->hold.bits = JOB_HOLD_USER;
	ev->hold.on = true;
	ev = cmd_add_event(&env, EVENT_HOLD, 2);
	ev->hold.bits = JOB_HOLD_USER;
	assert_true(cmd_preview(state_view(st), 40, true, &changes, &effect, NULL));
	assert_string_equal(str_text(&effect), "order and all estimated starts unchanged");
	cmd_changes_clear(&changes);
	str_free(&effect);
	state_free(st);
}

/* --- edits of a draft ----------------------------------------------------------------------------- */

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
	struct cmd_env env = {.verbs = &cmd_verbs,
			      .s = scene_view(d->sc),
			      .who = "eva",
			      .out = &d->out,
			      .changes = &d->changes};
	bool good;

	cmd_changes_clear(&d->changes);
	good = edits_compile(&d->edits, &env, cmd_run_line);
	d->err = env.err;
	return good;
}

/* As in the console: adds lines to the edits and compiles all of them. */
static void draft(struct draft_of *d, const char *lines)
{
	edits_add_lines(&d->edits, lines);
	assert_true(compile(d));
}

static void check(const struct draft_of *d, const char *lines)
{
	struct str text = {0};

	edits_add_text(&d->edits, &text);
	assert_string_equal(str_text(&text), lines);
	str_free(&text);
}

static void every_edit_joins_the_draft(void **state)
{
	struct draft_of d;

	(void)state;
	begin(&d);
	draft(&d, "hold 1");
	draft(&d, "hold 2");
	draft(&d, "hold 1");
	check(&d, "hold 1\nhold 2");
	draft(&d, "tune xfactorweight 5");
	check(&d, "hold 1\nhold 2\ntune xfactorweight 5");
	assert_int_equal(d.changes.count, 3);
	end(&d);
}

static void an_edit_of_the_same_object_replaces_the_earlier_one(void **state)
{
	struct draft_of d;

	(void)state;
	begin(&d);
	draft(&d, "tune xfactorweight 5\nset 1 priority=+10");
	draft(&d, "tune XFACTORWEIGHT=7");
	check(&d, "set 1 priority=+10\ntune XFACTORWEIGHT=7");
	draft(&d, "set 2 priority=+10");
	check(&d, "set 1 priority=+10\ntune XFACTORWEIGHT=7\nset 2 priority=+10");
	draft(&d, "set 1 priority=+20");
	check(&d, "tune XFACTORWEIGHT=7\nset 2 priority=+10\nset 1 priority=+20");
	assert_int_equal(d.changes.count, 3);
	assert_int_equal(d.edits.item[2].first, 2);
	end(&d);
}

static void the_edit_of_a_setting_or_a_priority_is_found(void **state)
{
	const char *value = NULL;
	struct draft_of d;

	(void)state;
	begin(&d);
	draft(&d, "hold 1\ntune xfactorweight 5\nset 2 priority=+10");
	assert_int_equal(edits_find_setting(&d.edits, &d.changes, "XFactorWeight", &value), 1);
	assert_string_equal(value, "5");
	assert_int_equal(edits_find_setting(&d.edits, &d.changes, "procweight", &value), d.edits.count);
	assert_int_equal(edits_find_priority(&d.edits, &d.changes, 2), 2);
	assert_int_equal(edits_find_priority(&d.edits, &d.changes, 1), d.edits.count);
	d.edits.item[1].off = true;
	assert_true(compile(&d));
	assert_int_equal(edits_find_setting(&d.edits, &d.changes, "xfactorweight", &value), d.edits.count);
	end(&d);
}

static void a_disabled_edit_is_kept_and_gives_no_events(void **state)
{
	struct draft_of d;

	(void)state;
	begin(&d);
	draft(&d, "hold 1\ntune xfactorweight 5");
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

static void a_refused_line_is_reported(void **state)
{
	struct draft_of d;

	(void)state;
	begin(&d);
	edits_add(&d.edits, "hold 1");
	edits_add(&d.edits, "hold 99");
	assert_false(compile(&d));
	assert_int_equal(d.edits.refused, 1);
	assert_non_null(strstr(d.err.text, "99"));
	end(&d);
}

static void a_line_that_changes_nothing_is_no_edit(void **state)
{
	struct draft_of d;

	(void)state;
	begin(&d);
	draft(&d, "queue\nhold 1");
	check(&d, "hold 1");
	end(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_without_effect_is_reported_as_such),
		cmocka_unit_test(a_job_that_overtakes_delays_the_others),
		cmocka_unit_test(a_refused_change_gives_its_error),
		cmocka_unit_test(later_changes_include_earlier_ones),
		cmocka_unit_test(every_edit_joins_the_draft),
		cmocka_unit_test(an_edit_of_the_same_object_replaces_the_earlier_one),
		cmocka_unit_test(the_edit_of_a_setting_or_a_priority_is_found),
		cmocka_unit_test(a_disabled_edit_is_kept_and_gives_no_events),
		cmocka_unit_test(a_refused_line_is_reported),
		cmocka_unit_test(a_line_that_changes_nothing_is_no_edit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
