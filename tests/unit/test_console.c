/* SPDX-License-Identifier: MIT */
/*
 * test_console.c - does the console do what its keys say, and survive any of them?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "tests/console_session.h"
#include "tests/many.h"
#include "tests/seed.h"
#include "tui/console_inside.h"

struct fixture {
	struct session session;
	struct console *c;
};

static int begin(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	f->session = session_begin(7);
	f->c = console_new(&f->session, NULL, true, NULL);
	console_resize(f->c, 100, 30);
	settle(f->c);
	*state = f;
	return 0;
}

static int end(void **state)
{
	struct fixture *f = *state;

	console_free(f->c);
	session_end(&f->session);
	free(f);
	return 0;
}

static const struct job *job_of(const struct console *c)
{
	return forecast_job(&c->shown->live, c->job, NULL);
}

/* --- looking ---------------------------------------------------------------------------- */

static void the_first_screen_is_the_queue_with_the_cursor_on_the_first_idle_job(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;

	assert_true(screen_has(c, "[1 Queue]"));
	assert_true(screen_has(c, "IDLE"));
	assert_int_equal(c->job, snapshot_jobs(c->shown->live.s)[c->shown->live.plan.queue.idle[0].slot].id);
}

static void the_cursor_stays_on_its_job_from_screen_to_screen(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;
	uint64_t job;

	press(c, "j j j");
	job = c->job;
	press(c, "3");
	assert_int_equal(c->job, job);
	press(c, "2");
	assert_int_equal(c->job, job);
	press(c, "q q s s S");
	assert_int_equal(c->job, job);
	assert_true(screen_has(c, "[1 Queue]"));
}

static void a_screen_that_is_not_there_is_named_in_a_sentence(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;

	press(c, "5");
	assert_true(screen_has(
		c, "there is no screen 5; there are 1 Queue, 2 Job, 3 Priority, 4 Share, 6 Limits"));
	assert_true(screen_has(c, "[1 Queue]"));
}

static void a_key_that_does_nothing_says_so(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;

	press(c, "I");
	assert_true(screen_has(c, "I does nothing here; ? lists the keys."));
}

static void a_filter_hides_rows_and_escape_brings_them_back(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;

	press(c, "/ n o s u c h j o b");
	assert_true(screen_has(c, "IDLE 0"));
	press(c, "<Enter>");
	assert_true(screen_has(c, "filter: nosuchjob"));
	press(c, "<Esc>");
	assert_true(screen_lacks(c, "IDLE 0"));
	press(c, "/ x <Esc>");
	assert_int_equal(console_filter(c)->count, 0);
}

static void screens_of_jobs_share_a_filter_and_others_have_their_own(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;

	press(c, "/ b o b <Enter> 3");
	assert_string_equal(filter_text(console_filter(c)), "bob");
	press(c, "9");
	assert_int_equal(console_filter(c)->count, 0);
	press(c, "/ w e i g h t <Enter> 1");
	assert_string_equal(filter_text(console_filter(c)), "bob");
	press(c, "q");
	assert_string_equal(filter_text(console_filter(c)), "weight");
}

static void who_comes_back_from_the_jobs_of_a_row_leaves_both_filters_as_they_were(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;

	press(c, "/ b o b <Enter> 6 / e v a <Enter>");
	console_show_jobs(c, "user", "kim");
	assert_string_equal(filter_text(console_filter(c)), "user=kim");
	press(c, "q");
	assert_string_equal(filter_text(console_filter(c)), "eva");
	press(c, "1");
	assert_string_equal(filter_text(console_filter(c)), "bob");
}

static void where_the_screen_in_front_has_no_room_the_first_tabs_are_left_out(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;

	console_resize(c, 80, 24);
	assert_string_equal(console_tab_at(c, 1), "queue");
	press(c, "?");
	assert_true(screen_has(c, "[Help]"));
	assert_true(screen_lacks(c, "1 Queue"));
	assert_string_equal(console_tab_at(c, 1), "job");
	console_resize(c, 100, 30);
	assert_true(screen_has(c, "1 Queue"));
	assert_string_equal(console_tab_at(c, 1), "queue");
}

static void the_numbers_pane_writes_out_the_priority(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;

	press(c, "=");
	assert_true(screen_has(c, " + queuetime 2 * "));
	assert_true(screen_has(c, "queuetimeweight: kahu.conf:1"));
	press(c, "<Esc>");
	assert_true(screen_lacks(c, " + queuetime 2 * "));
}

static void the_numbers_pane_goes_on_to_what_does_not_fit_and_closes(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;

	press(c, "=");
	assert_int_equal(c->note.top, 0);
	press(c, "=");
	assert_true(c->note.top > 0);
	for (int i = 0; i < 9 && console_shows_numbers(c); i++)
		press(c, "=");
	assert_false(console_shows_numbers(c));
	press(c, "=");
	assert_true(screen_has(c, " + queuetime 2 * "));
}

static void a_small_terminal_gets_one_line(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;
	struct str text;

	console_resize(c, 40, 10);
	text = screen_text(c);
	assert_memory_equal(str_text(&text), "Needs 60x15. ", 13);
	str_free(&text);
	console_resize(c, 60, 15);
	assert_true(screen_has(c, "[1 Queue]"));
}

/* --- changing --------------------------------------------------------------------------- */

static void a_hold_is_a_draft_first_and_enter_applies_it(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;

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
	struct console *c = ((struct fixture *)*state)->c;

	press(c, "H <Enter> <Esc>");
	assert_true(screen_lacks(c, "DRAFT"));
	assert_int_equal(job_of(c)->holds, 0);
}

static void undo_takes_the_last_change_back(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;

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
	struct console *c = ((struct fixture *)*state)->c;
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
	struct console *c = ((struct fixture *)*state)->c;
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
	struct console *c = ((struct fixture *)*state)->c;
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
	struct console *c = ((struct fixture *)*state)->c;
	const struct queued *idle = c->shown->live.plan.queue.idle;
	int64_t gap = idle[0].rank - idle[1].rank;
	int64_t points;

	press(c, "J");
	points = c->draft.proposal->changes.event[0].priority.points;
	assert_true(points == -gap || points == -gap - 1);
}

static void raising_adds_up(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;

	press(c, "+ + + -");
	assert_true(screen_has(c, "priority=+20"));
	press(c, "<Enter>");
	assert_int_equal(job_of(c)->points, 20);
}

static void an_absolute_priority_is_typed(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;

	press(c, "j j # 5 0 0 <Enter> <Enter>");
	assert_int_equal(job_of(c)->adjust, JOB_ADJUST_ABSOLUTE);
	assert_int_equal(job_of(c)->points, 500);
	assert_int_equal(place_of(c, c->job), 1);
}

static void a_slider_drafts_and_enter_tunes(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;

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
	struct fixture *f = *state;

	f->session.readonly = true;
	press(f->c, "H u");
	assert_true(screen_has(f->c, "this console is read-only"));
	assert_true(screen_has(f->c, "READ-ONLY"));
	press(f->c, "R + W <Right>");
	assert_int_equal(console_draft(f->c), 0);
}

static void commands_run_at_the_prompt(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;
	struct err err;

	assert_int_equal(console_command(c, "screen journal", &err), 0);
	assert_true(screen_has(c, "[8 Journal]"));
	assert_int_equal(console_command(c, "nonsense", &err), 2);
	assert_true(err.text[0] != '\0');
	assert_int_equal(console_command(c, "config", &err), 0);
	settle(c);
	assert_true(screen_has(c, "[Output]"));
	assert_int_equal(console_command(c, "messages", &err), 0);
	assert_true(screen_has(c, "[Messages]"));
	press(c, "? q q");
}

static void pasted_text_is_no_key(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;

	console_paste(c, "Qy\n", 3);
	settle(c);
	assert_false(console_wants_to_quit(c));
	press(c, ":");
	console_paste(c, "quit\n", 5);
	assert_false(console_wants_to_quit(c));
	press(c, "<Esc>");
}

static void a_frozen_picture_stays_while_time_goes_on(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;
	int64_t now_s = c->shown->now_s;

	press(c, "Z");
	console_advance(c, console_now_s(c) + 7200);
	settle(c);
	assert_int_equal(c->shown->now_s, now_s);
	assert_true(screen_has(c, "FROZEN 2:00h"));
	press(c, "j H <Esc> Z");
	assert_int_equal(c->shown->now_s, now_s + 7200);
	assert_true(screen_has(c, "LIVE"));
}

static void a_draft_lets_a_frozen_picture_follow_again(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;
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
	struct console *c = ((struct fixture *)*state)->c;
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
	struct console *c = ((struct fixture *)*state)->c;

	press(c, "g H s");
	settle(c);
	assert_true(screen_has(c, "a hold acts only on waiting jobs"));
	assert_true(screen_lacks(c, "<Enter> apply"));
	assert_true(screen_has(c, "<Esc> drop"));
	press(c, "<Esc>");
}

static void marked_jobs_that_run_are_left_alone(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;
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

static void the_parts_say_what_they_are_sorted_by(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;

	assert_true(screen_has(c, "by priority"));
	press(c, "s s s g");
	assert_true(screen_has(c, "by PROC"));
	assert_true(screen_lacks(c, "by priority"));
}

static void numbers_of_a_job_stand_only_where_a_job_is_shown(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;

	press(c, "= ?");
	assert_true(screen_lacks(c, " + queuetime 2 * "));
	press(c, "=");
	assert_true(screen_has(c, "There is no number on this screen"));
	press(c, "q =");
	assert_true(screen_has(c, " + queuetime 2 * "));
}

static void leaving_asks_first(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;

	press(c, "Q n");
	assert_false(console_wants_to_quit(c));
	press(c, "Q <Esc>");
	assert_false(console_wants_to_quit(c));
	press(c, "Q y");
	assert_true(console_wants_to_quit(c));
}

/* Whether it was found or given up by then, nothing is being made when nobody looks. */
static void what_was_asked_ends_when_its_screen_is_left(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;
	const char *const keys[] = {"V", "<Enter>", "<Esc>", "V", "<Enter>", "<Enter>", "<Esc>"};
	bool making = true;

	press(c, "7");
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		struct key key;

		assert_true(key_parse(keys[i], &key, NULL));
		console_key(c, key); /* without waiting for what it asks for */
	}
	settle(c);
	(void)console_trial(c, &making);
	assert_false(making);
	press(c, "7 V <Enter>");
	assert_true(console_trial(c, &making)->whole);
	assert_string_equal(console_view(c)->name, "sweep");
	press(c, "<Esc>");
	assert_string_equal(console_view(c)->name, "whatif");
}

/* As long as nobody collects it, what is looked for is not there. */
static void who_takes_too_early_is_told_that_it_is_still_looked_for(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;
	const char *const keys[] = {"V", "<Enter>", "<Enter>"};
	struct key key;

	press(c, "7");
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		assert_true(key_parse(keys[i], &key, NULL));
		console_key(c, key);
	}
	assert_true(screen_has(c, "The answer is still being looked for."));
	settle(c);
	press(c, "1");
	assert_true(key_parse("w", &key, NULL));
	console_key(c, key);
	assert_true(screen_has(c, "looking for changes ..."));
	assert_true(key_parse("<Enter>", &key, NULL));
	console_key(c, key);
	assert_true(screen_has(c, "Changes are still being looked for."));
	settle(c);
	assert_true(screen_lacks(c, "looking for changes"));
}

/* --- anything --------------------------------------------------------------------------- */

static struct key any_key(struct rng *rng)
{
	static const char *const names[] = {"<Enter>", "<Esc>",   "<Tab>",  "<S-Tab>", "<Up>",   "<Down>",
					    "<Left>",  "<Right>", "<PgDn>", "<PgUp>",  "<Home>", "<End>",
					    "<BS>",    "<C-u>",   "<F3>",   "<F6>",    "<C-l>",  "<C-z>"};
	struct key key;

	if (rng_below(rng, 3) > 0)
		return key_of_char((uint32_t)(' ' + rng_below(rng, 95)));
	assert_true(key_parse(names[rng_below(rng, sizeof names / sizeof names[0])], &key, NULL));
	return key;
}

static void any_keys_and_sizes_do_no_harm(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;
	struct rng rng = seeded("keys and sizes at random");

	for (unsigned i = 0; i < many(4000); i++) {
		switch (rng_below(&rng, 40)) {
		case 0:
			console_resize(c, (int)rng_below(&rng, 220), (int)rng_below(&rng, 70));
			break;
		case 1:
			console_advance(c, console_now_s(c) + (int64_t)rng_below(&rng, 4000));
			break;
		case 2:
			console_mouse(c, (int)rng_below(&rng, 220), (int)rng_below(&rng, 70),
				      (int)rng_below(&rng, 3) - 1);
			break;
		default:
			console_key(c, any_key(&rng));
		}
		if (rng_below(&rng, 4) == 0)
			settle(c);
		(void)console_draw(c);
	}
	settle(c);
	assert_false(c->source.ops->failed(c->source.self, NULL));
}

#define CONSOLE_TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CONSOLE_TEST(the_first_screen_is_the_queue_with_the_cursor_on_the_first_idle_job),
		CONSOLE_TEST(the_cursor_stays_on_its_job_from_screen_to_screen),
		CONSOLE_TEST(a_screen_that_is_not_there_is_named_in_a_sentence),
		CONSOLE_TEST(a_key_that_does_nothing_says_so),
		CONSOLE_TEST(a_filter_hides_rows_and_escape_brings_them_back),
		CONSOLE_TEST(screens_of_jobs_share_a_filter_and_others_have_their_own),
		CONSOLE_TEST(who_comes_back_from_the_jobs_of_a_row_leaves_both_filters_as_they_were),
		CONSOLE_TEST(where_the_screen_in_front_has_no_room_the_first_tabs_are_left_out),
		CONSOLE_TEST(the_numbers_pane_writes_out_the_priority),
		CONSOLE_TEST(the_numbers_pane_goes_on_to_what_does_not_fit_and_closes),
		CONSOLE_TEST(a_small_terminal_gets_one_line),
		CONSOLE_TEST(a_hold_is_a_draft_first_and_enter_applies_it),
		CONSOLE_TEST(escape_drops_a_draft),
		CONSOLE_TEST(undo_takes_the_last_change_back),
		CONSOLE_TEST(marked_jobs_take_the_change_together),
		CONSOLE_TEST(a_change_can_be_repeated_on_another_job),
		CONSOLE_TEST(a_job_moves_down_and_up_in_the_order),
		CONSOLE_TEST(the_smallest_change_is_written),
		CONSOLE_TEST(raising_adds_up),
		CONSOLE_TEST(an_absolute_priority_is_typed),
		CONSOLE_TEST(a_slider_drafts_and_enter_tunes),
		CONSOLE_TEST(a_readonly_console_refuses_every_change),
		CONSOLE_TEST(commands_run_at_the_prompt),
		CONSOLE_TEST(pasted_text_is_no_key),
		CONSOLE_TEST(a_frozen_picture_stays_while_time_goes_on),
		CONSOLE_TEST(a_draft_lets_a_frozen_picture_follow_again),
		CONSOLE_TEST(undo_means_the_change_just_made_before_it_is_shown),
		CONSOLE_TEST(a_draft_that_would_be_refused_offers_no_enter),
		CONSOLE_TEST(marked_jobs_that_run_are_left_alone),
		CONSOLE_TEST(the_parts_say_what_they_are_sorted_by),
		CONSOLE_TEST(numbers_of_a_job_stand_only_where_a_job_is_shown),
		CONSOLE_TEST(leaving_asks_first),
		CONSOLE_TEST(who_takes_too_early_is_told_that_it_is_still_looked_for),
		CONSOLE_TEST(what_was_asked_ends_when_its_screen_is_left),
		CONSOLE_TEST(any_keys_and_sizes_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
