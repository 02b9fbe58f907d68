/* SPDX-License-Identifier: MIT */
/* test_console_draft.c - actions that wait for confirmation, and the draft of the console */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "desk.h"

static const struct job *job_of(const struct console *c)
{
	return forecast_job(&c->shown->live, c->job, NULL);
}

static void a_hold_waits_for_confirmation_until_enter_applies_it(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "H");
	assert_true(screen_has(c, "Not applied yet"));
	assert_true(screen_has(c, "hold -u"));
	press(c, "s");
	assert_true(screen_has(c, "hold -s"));
	assert_true(screen_lacks(c, "DRAFT"));
	assert_int_equal(job_of(c)->holds, 0);
	press(c, "<Enter>");
	assert_true(screen_has(c, "Done: hold -s"));
	assert_int_equal(job_of(c)->holds, JOB_HOLD_SYSTEM);
	press(c, "R <Enter>");
	assert_int_equal(job_of(c)->holds, 0);
	press(c, "H <Enter>");
	assert_int_equal(job_of(c)->holds, JOB_HOLD_USER);
	press(c, "R <Enter>");
}

static void escape_drops_only_the_confirmation_box(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "3 1 H <Esc>");
	assert_int_equal(console_draft(c), 0);
	assert_int_equal(job_of(c)->holds, 0);
	press(c, "3 <Esc>");
	assert_string_equal(console_view(c)->name, "priority");
	assert_true(screen_has(c, "q returns to"));
}

static void the_confirmation_box_receives_all_keys(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	uint64_t job = c->job;

	press(c, "H j 3 Q A D :");
	assert_true(c->box.proposal != NULL);
	assert_true(c->job == job && !c->quit && !c->prompting);
	assert_string_equal(console_view(c)->name, "queue");
	console_mouse(c, 20, 1, 0);
	assert_string_equal(console_view(c)->name, "queue");
	press(c, "<Esc>");
	assert_true(c->box.proposal == NULL);
}

static void d_adds_the_action_to_the_draft(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	struct err err;

	assert_int_equal(console_command(c, "tune xfactorweight 77", &err), 0);
	press(c, "H s d");
	assert_true(c->box.proposal == NULL);
	assert_int_equal(console_edits(c)->count, 2);
	assert_true(screen_has(c, "DRAFT 2 edits: set xfactorweight = 77; hold system"));
	assert_int_equal(job_of(c)->holds, 0);
	press(c, "A");
	assert_int_equal(job_of(c)->holds, JOB_HOLD_SYSTEM);
	assert_true(c->shown->live.s->policy.weights.factor[PRIO_SERV_XFACTOR] == 77);
	assert_int_equal(console_edits(c)->count, 0);
}

static void moving_and_opening_never_change_a_draft(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	struct err err;

	assert_int_equal(console_command(c, "tune xfactorweight 77", &err), 0);
	press(c, "j k <Enter> q 6 <Enter> q 1 <Esc> <Esc> / b o b <Enter> <Esc> 8 <Enter> 9 <Enter> q q 7 "
		 "<Enter> 3 "
		 "<Enter> 4 <Enter> 1");
	assert_true(c->shown->live.s->policy.weights.factor[PRIO_SERV_XFACTOR] == 100);
	assert_int_equal(console_edits(c)->count, 1);
	assert_true(screen_has(c, "A apply  D discard"));
}

static void an_action_does_not_change_the_draft(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	struct err err;

	assert_int_equal(console_command(c, "tune xfactorweight 77", &err), 0);
	press(c, "H <Enter>");
	assert_int_equal(job_of(c)->holds, JOB_HOLD_USER);
	assert_int_equal(console_edits(c)->count, 1);
	assert_true(c->shown->live.s->policy.weights.factor[PRIO_SERV_XFACTOR] == 100);
	press(c, "x <Enter> <Enter>");
	assert_int_equal(job_of(c)->state, JOB_IDLE);
	assert_int_equal(console_edits(c)->count, 1);
}

static void edits_of_all_screens_join_one_draft(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "W j <Right> <Right> 7 H u W k <Right>");
	assert_int_equal(console_edits(c)->count, 3);
	press(c, "9 / x f a c t o r w <Enter> e <C-u> 5 0 <Enter>");
	assert_int_equal(console_edits(c)->count, 3);
	assert_string_equal(console_drafted(c, "xfactorweight"), "50");
	press(c, "3");
	assert_true(screen_has(c, "50"));
	press(c, "D");
	assert_true(screen_has(c, "Discard the draft of 3 edits?"));
	press(c, "<Enter>");
	assert_int_equal(console_edits(c)->count, 3);
	press(c, "D y");
	assert_int_equal(console_edits(c)->count, 0);
}

/* The job of an edit may have ended before the next edit is added. */
static void an_edit_that_is_no_longer_possible_is_disabled(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	struct err err;

	press(c, "H d x <Enter> y");
	assert_int_equal(console_command(c, "tune xfactorweight 77", &err), 0);
	assert_true(screen_has(c, "Edit 1 of the draft was disabled"));
	assert_int_equal(console_edits(c)->count, 2);
	press(c, "A");
	assert_true(c->shown->live.s->policy.weights.factor[PRIO_SERV_XFACTOR] == 77);
}

static void quitting_with_a_draft_asks_for_confirmation(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	struct err err;

	assert_int_equal(console_command(c, "tune xfactorweight 77", &err), 0);
	press(c, "Q");
	assert_true(screen_has(c, "The draft will be discarded"));
	press(c, "<Enter>");
	assert_false(c->quit);
	press(c, "Q y");
	assert_true(c->quit);
}

static void a_typed_action_does_not_replace_the_one_in_the_box(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	struct err err;

	press(c, "H");
	assert_int_not_equal(console_command(c, "tune xfactorweight 77", &err), 0);
	assert_non_null(strstr(err.text, "is not answered yet"));
	assert_true(c->box.proposal != NULL);
	assert_int_equal(console_command(c, "discard", &err), 0);
	assert_true(c->box.proposal == NULL);
	assert_int_not_equal(console_command(c, "discard", &err), 0);
}

static void marked_jobs_that_the_filter_hides_are_counted(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	char text[64];
	size_t hidden;

	press(c, "*");
	console_set_filter(c, "user=eva");
	settle(c);
	hidden = console_hidden_marks(c);
	assert_true(hidden > 0 && hidden < console_table(c)->marked.count);
	snprintf(text, sizeof text, "%zu marked (%zu hidden)", console_table(c)->marked.count, hidden);
	assert_true(screen_has(c, text));
	press(c, "H");
	assert_true(c->targets > 0 && c->hidden_targets > 0 && c->hidden_targets < c->targets);
	snprintf(text, sizeof text, "%zu marked jobs, %zu of them hidden by the filter", c->targets,
		 c->hidden_targets);
	assert_true(screen_has(c, text));
	press(c, "<Esc>");
}

static void undo_reverts_the_last_change(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "H u <Enter>");
	assert_int_equal(job_of(c)->holds, JOB_HOLD_USER);
	press(c, "u");
	assert_true(screen_has(c, "(hold user of"));
	press(c, "<Enter>");
	assert_int_equal(job_of(c)->holds, 0);
	press(c, "u");
	assert_true(screen_has(c, "nothing to undo"));
}

static void a_change_applies_to_all_marked_jobs(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	const struct snapshot *s;
	unsigned held = 0;

	press(c, "<Space> <Space> <Space> H u <Enter> \\");
	s = c->shown->live.s;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++)
		held += snapshot_jobs(s)[i].state == JOB_IDLE && snapshot_jobs(s)[i].holds == JOB_HOLD_USER;
	assert_int_equal(held, 3);
	press(c, "u <Enter>");
}

static void a_change_can_be_repeated_on_another_job(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	uint64_t next;

	press(c, "j");
	next = c->job;
	press(c, "k H b <Enter>");
	console_go_job(c, next);
	press(c, "1 . <Enter>");
	assert_int_equal(forecast_job(&c->shown->live, next, NULL)->holds, JOB_HOLD_BATCH);
}

static uint32_t place_of(const struct console *c, uint64_t id)
{
	uint32_t slot = snapshot_find_job(c->shown->live.s, id);

	return c->shown->live.place[slot];
}

static void a_job_moves_down_and_up_in_the_order(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	uint64_t job = c->job;

	assert_int_equal(place_of(c, job), 1);
	press(c, "J J <Enter>");
	assert_int_equal(place_of(c, job), 3);
	press(c, "K <Enter>");
	assert_int_equal(place_of(c, job), 2);
	press(c, "J K");
	assert_int_equal(console_draft(c), 0);
}

/* Whether the second job, with this many points, is before the first at that time. */
static bool is_ahead(const struct console *c, int64_t points, int64_t at_s)
{
	const struct forecast *f = &c->shown->live;
	struct prio_result first, second;
	struct job job = snapshot_jobs(f->s)[f->plan.queue.idle[1].slot];

	job.adjust = JOB_ADJUST_RELATIVE;
	job.points = points;
	queue_priority(f->s, &job, at_s, &f->plan.queue.shares, &second);
	queue_priority(f->s, &snapshot_jobs(f->s)[f->plan.queue.idle[0].slot], at_s, &f->plan.queue.shares,
		       &first);
	return second.rank > first.rank;
}

static void a_move_in_the_order_holds_for_an_hour_with_the_fewest_points(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	int64_t now_s, points;

	now_s = c->shown->live.plan.now_s;
	press(c, "j K");
	points = c->box.proposal->changes.event[0].priority.points;
	for (int64_t s = 0; s <= 3600; s += 600)
		assert_true(is_ahead(c, points + 1, now_s + s));
	assert_false(is_ahead(c, points - 1, now_s) && is_ahead(c, points - 1, now_s + 3600));
	press(c, "<Esc>");
}

/* If the next job but one is close, the margin is smaller, so that the job moves one place, not two. */
static void each_move_in_the_order_is_one_place(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	uint64_t job = c->job;

	for (uint32_t place = 2; place < 8; place++) {
		press(c, "J <Enter>");
		assert_int_equal(place_of(c, job), place);
	}
	for (uint32_t place = 6; place > 0; place--) {
		press(c, "K <Enter>");
		assert_int_equal(place_of(c, job), place);
	}
}

static void repeated_raising_adds_up(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "+ + + -");
	assert_true(screen_has(c, "priority=+20"));
	press(c, "<Enter>");
	assert_int_equal(job_of(c)->points, 20);
}

static void an_absolute_priority_is_typed(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "j j # 5 0 0 <Enter> <Enter>");
	assert_int_equal(job_of(c)->adjust, JOB_ADJUST_ABSOLUTE);
	assert_int_equal(job_of(c)->points, 500);
	assert_int_equal(place_of(c, c->job), 1);
}

static void a_slider_edits_the_draft_and_a_applies_it(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "W j <Right> <Right>");
	assert_true(screen_has(c, "in the order of the draft"));
	assert_true(screen_has(c, "set xfactorweight = 104"));
	assert_true(c->shown->live.s->policy.weights.factor[PRIO_SERV_XFACTOR] == 100);
	press(c, "A");
	assert_true(c->shown->live.s->policy.weights.factor[PRIO_SERV_XFACTOR] == 104);
	press(c, "<Right> <Left>");
	assert_int_equal(console_draft(c), 0);
	press(c, "} D");
	assert_true(screen_has(c, "104           104"));
	press(c, "e <C-u> 7 . 5 <Enter> A");
	assert_true(c->shown->live.s->policy.weights.factor[PRIO_SERV_XFACTOR] == 7.5);
}

static void a_readonly_console_refuses_every_change(void **state)
{
	struct desk *f = *state;

	f->session.readonly = true;
	press(f->c, "H");
	assert_true(screen_has(f->c, "the console is read-only"));
	assert_true(screen_has(f->c, "READ-ONLY"));
	press(f->c, "R + W <Right>");
	assert_int_equal(console_draft(f->c), 0);
}

static void a_draft_unfreezes_the_screen(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	struct err err;

	press(c, "Z");
	console_advance(c, console_now_s(c) + 7200);
	settle(c);
	assert_int_equal(console_command(c, "tune xfactorweight 77", &err), 0);
	settle(c);
	assert_true(screen_has(c, "LIVE"));
	assert_int_equal(c->shown->now_s, console_now_s(c));
	press(c, "A");
	settle(c);
	assert_true(screen_has(c, "Done: tune xfactorweight 77."));
	press(c, "Z u");
	assert_true(screen_has(c, "(xfactorweight = 77)"));
	press(c, "<Enter>");
	settle(c);
	assert_true(screen_has(c, "Done: undo"));
}

static void undo_refers_to_a_change_just_made_before_it_is_shown(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	struct err err;

	assert_int_equal(console_command(c, "tune xfactorweight 77", &err), 0);
	console_apply(c);
	while (c->tickets > 0)
		console_turn(c);
	console_undo(c);
	assert_string_equal(str_text(&c->box.label) + strcspn(str_text(&c->box.label), "("),
			    "(xfactorweight = 77)");
	console_drop(c, &c->box);
}

static void an_action_that_would_be_refused_cannot_be_confirmed(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "g H s");
	settle(c);
	assert_true(screen_has(c, "a hold applies only to idle jobs"));
	assert_true(screen_lacks(c, "<Enter> apply"));
	assert_true(screen_has(c, "<Esc> dismiss"));
	press(c, "<Esc>");
}

static void an_action_skips_marked_jobs_it_does_not_apply_to(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	size_t marked;

	press(c, "* H b");
	settle(c);
	marked = console_table(c)->marked.count;
	assert_false(console_draft_refused(c, &c->box));
	assert_true(c->box.proposal->changes.count > 0);
	assert_true(c->box.proposal->changes.count < marked);
	press(c, "<Esc> \\ g <Space> R");
	assert_true(screen_has(c, "does not apply to any of the marked jobs"));
	press(c, "+");
	assert_true(screen_has(c, "does not apply to any of the marked jobs"));
}

/* On the simulated cluster; the first job of the list runs. */
static void z_suspends_a_running_job_and_resumes_a_suspended_one(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "g z");
	assert_true(screen_has(c, "keep the processors"));
	press(c, "r");
	assert_true(screen_has(c, "suspend --release"));
	press(c, "<Enter>");
	assert_true(job_is_suspended(job_of(c)) && job_is_released(job_of(c)));
	press(c, "z");
	assert_true(screen_has(c, "resume"));
	press(c, "<Enter>");
	assert_true(!job_is_suspended(job_of(c)) || job_awaits_resume(job_of(c)));
	press(c, "* z k");
	settle(c);
	assert_false(console_draft_refused(c, &c->box));
	for (size_t i = 0; i < c->box.proposal->changes.count; i++)
		assert_int_equal(c->box.proposal->changes.event[i].suspend.how, SUSPEND_KEEP);
	press(c, "<Enter> z");
	assert_true(screen_has(c, "resume"));
	press(c, "<Esc> \\");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CONSOLE_TEST(a_hold_waits_for_confirmation_until_enter_applies_it),
		CONSOLE_TEST(escape_drops_only_the_confirmation_box),
		CONSOLE_TEST(the_confirmation_box_receives_all_keys),
		CONSOLE_TEST(d_adds_the_action_to_the_draft),
		CONSOLE_TEST(moving_and_opening_never_change_a_draft),
		CONSOLE_TEST(an_action_does_not_change_the_draft),
		CONSOLE_TEST(edits_of_all_screens_join_one_draft),
		CONSOLE_TEST(an_edit_that_is_no_longer_possible_is_disabled),
		CONSOLE_TEST(quitting_with_a_draft_asks_for_confirmation),
		CONSOLE_TEST(a_typed_action_does_not_replace_the_one_in_the_box),
		CONSOLE_TEST(marked_jobs_that_the_filter_hides_are_counted),
		CONSOLE_TEST(undo_reverts_the_last_change),
		CONSOLE_TEST(a_change_applies_to_all_marked_jobs),
		CONSOLE_TEST(z_suspends_a_running_job_and_resumes_a_suspended_one),
		CONSOLE_TEST(a_change_can_be_repeated_on_another_job),
		CONSOLE_TEST(a_job_moves_down_and_up_in_the_order),
		CONSOLE_TEST(a_move_in_the_order_holds_for_an_hour_with_the_fewest_points),
		CONSOLE_TEST(each_move_in_the_order_is_one_place),
		CONSOLE_TEST(repeated_raising_adds_up),
		CONSOLE_TEST(an_absolute_priority_is_typed),
		CONSOLE_TEST(a_slider_edits_the_draft_and_a_applies_it),
		CONSOLE_TEST(a_readonly_console_refuses_every_change),
		CONSOLE_TEST(a_draft_unfreezes_the_screen),
		CONSOLE_TEST(undo_refers_to_a_change_just_made_before_it_is_shown),
		CONSOLE_TEST(an_action_that_would_be_refused_cannot_be_confirmed),
		CONSOLE_TEST(an_action_skips_marked_jobs_it_does_not_apply_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
