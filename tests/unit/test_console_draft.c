/* SPDX-License-Identifier: MIT */
/*
 * test_console_draft.c - is a change drafted before it is made, and can it be taken back?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "desk.h"

static const struct job *job_of(const struct console *c)
{
	return forecast_job(&c->shown->live, c->job, NULL);
}

static void a_hold_is_a_draft_first_and_enter_applies_it(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "H");
	assert_true(screen_has(c, "Which hold?"));
	press(c, "s");
	assert_true(screen_has(c, "hold -s"));
	assert_true(screen_has(c, "DRAFT"));
	assert_int_equal(job_of(c)->holds, 0);
	press(c, "<Enter>");
	assert_true(screen_has(c, "Done: hold -s"));
	assert_int_equal(job_of(c)->holds, JOB_HOLD_SYSTEM);
	press(c, "R <Enter>");
	assert_int_equal(job_of(c)->holds, 0);
}

static void escape_drops_a_draft(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "H <Enter> <Esc>");
	assert_true(screen_lacks(c, "DRAFT"));
	assert_int_equal(job_of(c)->holds, 0);
}

static void undo_takes_the_last_change_back(void **state)
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

static void marked_jobs_take_the_change_together(void **state)
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

static void the_smallest_change_is_written(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	const struct queued *idle = c->shown->live.plan.queue.idle;
	int64_t gap = idle[0].rank - idle[1].rank;
	int64_t points;

	press(c, "J");
	points = c->draft.proposal->changes.event[0].priority.points;
	assert_true(points == -gap || points == -gap - 1);
}

static void raising_adds_up(void **state)
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

static void a_slider_drafts_and_enter_tunes(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "W j <Right> <Right>");
	assert_true(screen_has(c, "in the order the draft would give"));
	assert_true(screen_has(c, "tune xfactorweight 104"));
	assert_true(c->shown->live.s->policy.weights.factor[PRIO_SERV_XFACTOR] == 100);
	press(c, "<Enter>");
	assert_true(c->shown->live.s->policy.weights.factor[PRIO_SERV_XFACTOR] == 104);
	press(c, "<Right> <Left>");
	assert_int_equal(console_draft(c), 0);
	press(c, "} <Esc>");
	assert_true(screen_has(c, "104           104"));
	press(c, "e <C-u> 7 . 5 <Enter> <Enter>");
	assert_true(c->shown->live.s->policy.weights.factor[PRIO_SERV_XFACTOR] == 7.5);
}

static void a_readonly_console_refuses_every_change(void **state)
{
	struct desk *f = *state;

	f->session.readonly = true;
	press(f->c, "H u");
	assert_true(screen_has(f->c, "this console is read-only"));
	assert_true(screen_has(f->c, "READ-ONLY"));
	press(f->c, "R + W <Right>");
	assert_int_equal(console_draft(f->c), 0);
}

static void a_draft_lets_a_frozen_picture_follow_again(void **state)
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
	press(c, "<Enter>");
	settle(c);
	assert_true(screen_has(c, "Done: tune xfactorweight 77."));
	press(c, "Z u");
	assert_true(screen_has(c, "(xfactorweight = 77)"));
	press(c, "<Enter>");
	settle(c);
	assert_true(screen_has(c, "Done: undo"));
}

static void undo_means_the_change_just_made_before_it_is_shown(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	struct err err;

	assert_int_equal(console_command(c, "tune xfactorweight 77", &err), 0);
	console_apply(c);
	while (c->tickets > 0)
		console_turn(c);
	console_undo(c);
	assert_string_equal(str_text(&c->draft.label) + strcspn(str_text(&c->draft.label), "("),
			    "(xfactorweight = 77)");
	console_drop_draft(c);
}

static void a_draft_that_would_be_refused_offers_no_enter(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "g H s");
	settle(c);
	assert_true(screen_has(c, "a hold acts only on waiting jobs"));
	assert_true(screen_lacks(c, "<Enter> apply"));
	assert_true(screen_has(c, "<Esc> drop"));
	press(c, "<Esc>");
}

static void marked_jobs_that_run_are_left_alone(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	size_t marked;

	press(c, "* H b");
	settle(c);
	marked = console_table(c)->marked.count;
	assert_false(console_draft_refused(c));
	assert_true(c->draft.proposal->changes.count > 0);
	assert_true(c->draft.proposal->changes.count < marked);
	press(c, "<Esc> \\ g <Space> R");
	assert_true(screen_has(c, "None of the marked jobs"));
	press(c, "+");
	assert_true(screen_has(c, "None of the marked jobs"));
}

/* Of a simulated cluster: the first job of the list runs. */
static void z_suspends_a_running_job_and_resumes_a_suspended_one(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "g z");
	assert_true(screen_has(c, "keep them"));
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
	assert_false(console_draft_refused(c));
	for (size_t i = 0; i < c->draft.proposal->changes.count; i++)
		assert_int_equal(c->draft.proposal->changes.event[i].suspend.how, SUSPEND_KEEP);
	press(c, "<Enter> z");
	assert_true(screen_has(c, "resume"));
	press(c, "<Esc> \\");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CONSOLE_TEST(a_hold_is_a_draft_first_and_enter_applies_it),
		CONSOLE_TEST(escape_drops_a_draft),
		CONSOLE_TEST(undo_takes_the_last_change_back),
		CONSOLE_TEST(marked_jobs_take_the_change_together),
		CONSOLE_TEST(z_suspends_a_running_job_and_resumes_a_suspended_one),
		CONSOLE_TEST(a_change_can_be_repeated_on_another_job),
		CONSOLE_TEST(a_job_moves_down_and_up_in_the_order),
		CONSOLE_TEST(the_smallest_change_is_written),
		CONSOLE_TEST(raising_adds_up),
		CONSOLE_TEST(an_absolute_priority_is_typed),
		CONSOLE_TEST(a_slider_drafts_and_enter_tunes),
		CONSOLE_TEST(a_readonly_console_refuses_every_change),
		CONSOLE_TEST(a_draft_lets_a_frozen_picture_follow_again),
		CONSOLE_TEST(undo_means_the_change_just_made_before_it_is_shown),
		CONSOLE_TEST(a_draft_that_would_be_refused_offers_no_enter),
		CONSOLE_TEST(marked_jobs_that_run_are_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
