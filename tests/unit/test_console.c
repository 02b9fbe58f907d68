/* SPDX-License-Identifier: MIT */
/* test_console.c - screens, keys and redrawing of the console */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "desk.h"
#include "tests/many.h"
#include "tests/seed.h"
#include "tests/store_dir.h"

/* --- screens -------------------------------------------------------------------------------------- */

static void the_first_screen_is_the_queue_with_the_cursor_on_the_first_idle_job(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	assert_true(screen_has(c, "[1 Queue]"));
	assert_true(screen_has(c, "IDLE"));
	assert_int_equal(c->job, snapshot_jobs(c->shown->live.s)[c->shown->live.plan.queue.idle[0].slot].id);
}

static void the_cursor_stays_on_its_job_from_screen_to_screen(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
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

static void an_unknown_screen_gives_an_error(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "5");
	assert_true(screen_has(
		c, "unknown screen 5; the screens are 1 Queue, 2 Job, 3 Priority, 4 Share, 6 Limits"));
	assert_true(screen_has(c, "[1 Queue]"));
}

static void a_key_without_a_function_is_reported(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "I");
	assert_true(screen_has(c, "I has no function here; ? lists the keys."));
}

static void a_filter_hides_rows_and_escape_shows_them_again(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

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
	struct console *c = ((struct desk *)*state)->c;

	press(c, "/ b o b <Enter> 3");
	assert_string_equal(filter_text(console_filter(c)), "bob");
	press(c, "9");
	assert_int_equal(console_filter(c)->count, 0);
	press(c, "/ w e i g h t <Enter> 1");
	assert_string_equal(filter_text(console_filter(c)), "bob");
	press(c, "q");
	assert_string_equal(filter_text(console_filter(c)), "weight");
}

static void returning_from_the_jobs_of_a_row_restores_both_filters(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "/ b o b <Enter> 6 / e v a <Enter>");
	console_show_jobs(c, "user", "kim");
	assert_string_equal(filter_text(console_filter(c)), "user=kim");
	press(c, "q");
	assert_string_equal(filter_text(console_filter(c)), "eva");
	press(c, "1");
	assert_string_equal(filter_text(console_filter(c)), "bob");
}

static void the_first_tabs_are_omitted_if_the_current_one_does_not_fit(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

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

static void the_numbers_pane_shows_the_priority_formula(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "=");
	assert_true(screen_has(c, " + queuetime 2 * "));
	assert_true(screen_has(c, "queuetimeweight: kahu.conf:1"));
	press(c, "<Esc>");
	assert_true(screen_lacks(c, " + queuetime 2 * "));
}

static void the_numbers_pane_scrolls_and_closes_at_its_end(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

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
	struct console *c = ((struct desk *)*state)->c;
	struct str text;

	console_resize(c, 40, 10);
	text = screen_text(c);
	assert_memory_equal(str_text(&text), "Too small, needs 60x15. ", 24);
	str_free(&text);
	console_resize(c, 60, 15);
	assert_true(screen_has(c, "[1 Queue]"));
}

/* --- prompt, paste, freeze and quit --------------------------------------------------------------- */

static void commands_run_at_the_prompt(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
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

static void pasted_text_is_not_taken_as_keys(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	console_paste(c, "Qy\n", 3);
	settle(c);
	assert_false(console_wants_to_quit(c));
	press(c, ":");
	console_paste(c, "quit\n", 5);
	assert_false(console_wants_to_quit(c));
	press(c, "<Esc>");
}

static void a_frozen_screen_does_not_change_with_time(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	int64_t now_s = c->shown->now_s;

	press(c, "Z");
	console_advance(c, console_now_s(c) + 7200);
	settle(c);
	assert_int_equal(c->shown->now_s, now_s);
	assert_true(screen_has(c, "FROZEN 2:00h"));
	press(c, "j <Esc> Z");
	assert_int_equal(c->shown->now_s, now_s + 7200);
	assert_true(screen_has(c, "LIVE"));
}

static void headings_name_the_sort_order(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	assert_true(screen_has(c, "by priority"));
	press(c, "s s s g");
	assert_true(screen_has(c, "by PROC"));
	assert_true(screen_lacks(c, "by priority"));
}

static void the_numbers_pane_needs_a_screen_with_numbers(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "= ?");
	assert_true(screen_lacks(c, " + queuetime 2 * "));
	press(c, "=");
	assert_true(screen_has(c, "This screen has no numbers"));
	press(c, "q =");
	assert_true(screen_has(c, " + queuetime 2 * "));
}

/* Clicks `cells` after the first `sign` in the line that begins with `begin`. */
static void click_after(struct console *c, const char *begin, char sign, int cells)
{
	struct str text = screen_text(c);
	const char *line = str_text(&text);
	int y = 0;

	while (line && strncmp(line + (line[0] != '\0'), begin, strlen(begin)) != 0) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
		y++;
	}
	assert_non_null(line);
	assert_non_null(strchr(line, sign));
	console_mouse(c, (int)(strchr(line, sign) - line) + cells, y, 0);
	settle(c);
	str_free(&text);
}

static void a_click_sets_a_slider_and_a_click_in_the_list_focuses_the_jobs(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "3");
	click_after(c, " xfactorweight", '[', 1);
	assert_true(screen_has(c, "set xfactorweight = 0"));
	assert_true(screen_has(c, "focus: weights"));
	click_after(c, " xfactorweight", '[', 0);
	assert_true(screen_has(c, "set xfactorweight = 0"));
	click_after(c, " JOB", 'J', 0);
	assert_true(screen_has(c, "focus: jobs"));
}

static void quitting_asks_for_confirmation(void **state)
{
	struct console *c = ((struct desk *)*state)->c;

	press(c, "Q n");
	assert_false(console_wants_to_quit(c));
	press(c, "Q <Esc>");
	assert_false(console_wants_to_quit(c));
	press(c, "Q y");
	assert_true(console_wants_to_quit(c));
}

/* --- redrawing ------------------------------------------------------------------------------------ */

/* Draws as the event loop of the console does: only if the console is dirty. */
static void show(struct console *c, struct canvas *seen)
{
	console_turn(c);
	if (console_is_dirty(c))
		canvas_copy(seen, console_draw(c));
}

static void assert_same_canvas(const struct canvas *seen, const struct canvas *wanted, unsigned step)
{
	assert_int_equal(seen->w, wanted->w);
	assert_int_equal(seen->h, wanted->h);
	for (int y = 0; y < wanted->h; y++)
		for (int x = 0; x < wanted->w; x++)
			if (memcmp(canvas_at(seen, x, y), canvas_at(wanted, x, y), sizeof *seen->cell) != 0) {
				struct str both = {0};

				canvas_dump(seen, &both);
				str_add(&both, "redrawn:\n");
				canvas_dump(wanted, &both);
				fputs(str_text(&both), stderr);
				str_free(&both);
				fail_msg("step %u: cell %d,%d of %dx%d differs from a fresh redraw", step, x,
					 y, wanted->w, wanted->h);
			}
	assert_int_equal(seen->caret_x, wanted->caret_x);
	assert_int_equal(seen->caret_y, wanted->caret_y);
}

/* console_resize makes every screen recalculate, even if the size stays the same. */
static const struct canvas *redraw(struct console *c)
{
	console_resize(c, c->canvas.w, c->canvas.h);
	return console_draw(c);
}

/* After a frame of another width, a screen may keep only its scroll position. */
static void assert_screen_equals_redraw(struct console *c, struct canvas *seen, int other_width,
					unsigned step)
{
	int w = c->canvas.w, h = c->canvas.h;

	settle(c);
	show(c, seen);
	assert_same_canvas(seen, redraw(c), step);
	console_resize(c, other_width, h);
	(void)console_draw(c);
	console_resize(c, w, h);
	canvas_copy(seen, console_draw(c));
	assert_same_canvas(seen, redraw(c), step);
}

/* A step has the number 1000 * screen + width. */
static void show_at_all_widths(struct console *c, struct canvas *seen, unsigned screen)
{
	static const int widths[] = {80, 150, 79, 100, 139, 140, 60, 160, 81};
	size_t count = sizeof widths / sizeof widths[0];

	for (size_t i = 0; i < count; i++) {
		console_resize(c, widths[i], 40);
		assert_screen_equals_redraw(c, seen, widths[(i + 1) % count],
					    screen * 1000 + (unsigned)widths[i]);
	}
}

static void the_first_frame_after_a_resize_has_the_new_size(void **state)
{
	static const char *const keys[] = {"1", "2", "3", "4",   "5",   "6",   "7",
					   "8", "9", "?", "1 o", "1 a", "1 f", "7 V <Enter>"};
	struct console *c = ((struct desk *)*state)->c;
	struct canvas seen = {0};

	for (unsigned draft = 0; draft < 2; draft++) {
		press(c, draft ? "1 + =" : "=");
		for (unsigned i = 0; i < sizeof keys / sizeof keys[0]; i++) {
			press(c, keys[i]);
			show_at_all_widths(c, &seen, i);
		}
	}
	canvas_free(&seen);
}

static void exporting_a_screen_keeps_its_scroll_position(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	size_t top;

	console_resize(c, 80, 20);
	press(c, "G");
	(void)console_draw(c);
	press(c, "k k k");
	(void)console_draw(c);
	top = console_table(c)->top;
	assert_true(top > 0);
	assert_true(console_export(c, "list.txt", NULL));
	(void)console_draw(c);
	assert_int_equal(console_table(c)->top, top);
	press(c, "? j j j j");
	(void)console_draw(c);
	assert_true(console_export(c, "page.txt", NULL));
	(void)console_draw(c);
	assert_int_equal(console_page(c)->top, 4);
}

/* --- random input --------------------------------------------------------------------------------- */

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

static void paste_anything(struct console *c, struct rng *rng)
{
	static const char *const parts[] = {"hold 1\n", "Qy\n",         ":quit\r",   "user=bob ",
					    "\xC3\xB6", "\xE6\x97\xA5", "e\xCC\x81", "\033[201~\033",
					    "\xFF\xC0", "\t\t"};
	struct str text = {0};
	size_t count = rng_below(rng, 12);

	for (size_t i = 0; i < count; i++)
		str_add(&text, parts[rng_below(rng, sizeof parts / sizeof parts[0])]);
	console_paste(c, str_text(&text), text.len);
	str_free(&text);
}

static void press_any(struct console *c, struct rng *rng, uint32_t kind)
{
	switch (kind) {
	case 0:
		console_resize(c, (int)rng_below(rng, 220), (int)rng_below(rng, 70));
		break;
	case 1:
		console_advance(c, console_now_s(c) + (int64_t)rng_below(rng, 4000));
		break;
	case 2:
		console_mouse(c, (int)rng_below(rng, 220), (int)rng_below(rng, 70),
			      (int)rng_below(rng, 3) - 1);
		break;
	case 3:
		paste_anything(c, rng);
		break;
	default:
		console_key(c, any_key(rng));
	}
}

static void press_many(struct console *c, struct rng *rng, unsigned steps)
{
	struct canvas seen = {0};

	for (unsigned i = 0; i < steps; i++) {
		uint32_t kind = (uint32_t)rng_below(rng, 40);

		press_any(c, rng, kind);
		show(c, &seen);
		if (kind == 0 || rng_below(rng, 8) == 0)
			assert_screen_equals_redraw(c, &seen, (int)rng_below(rng, 220), i);
	}
	settle(c);
	assert_false(c->source.ops->failed(c->source.self, NULL));
	canvas_free(&seen);
}

#define STEPS_EACH 2000

/* Time advances with the keys, and the queue grows with time, so a new console is opened every STEPS_EACH
 * steps. */
static void random_input_leaves_the_console_working(void **state)
{
	unsigned steps = many(STEPS_EACH);
	struct rng rng = seeded("keys and sizes at random");

	for (unsigned done = 0; done < steps; done += STEPS_EACH) {
		if (done > 0) {
			desk_end(state);
			desk_begin(state);
		}
		press_many(((struct desk *)*state)->c, &rng,
			   steps - done < STEPS_EACH ? steps - done : STEPS_EACH);
	}
	printf("# soak 1 %u 0\n", steps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CONSOLE_TEST(the_first_screen_is_the_queue_with_the_cursor_on_the_first_idle_job),
		CONSOLE_TEST(the_cursor_stays_on_its_job_from_screen_to_screen),
		CONSOLE_TEST(an_unknown_screen_gives_an_error),
		CONSOLE_TEST(a_key_without_a_function_is_reported),
		CONSOLE_TEST(a_filter_hides_rows_and_escape_shows_them_again),
		CONSOLE_TEST(screens_of_jobs_share_a_filter_and_others_have_their_own),
		CONSOLE_TEST(returning_from_the_jobs_of_a_row_restores_both_filters),
		CONSOLE_TEST(the_first_tabs_are_omitted_if_the_current_one_does_not_fit),
		CONSOLE_TEST(the_numbers_pane_shows_the_priority_formula),
		CONSOLE_TEST(the_numbers_pane_scrolls_and_closes_at_its_end),
		CONSOLE_TEST(a_small_terminal_gets_one_line),
		CONSOLE_TEST(commands_run_at_the_prompt),
		CONSOLE_TEST(pasted_text_is_not_taken_as_keys),
		CONSOLE_TEST(a_frozen_screen_does_not_change_with_time),
		CONSOLE_TEST(headings_name_the_sort_order),
		CONSOLE_TEST(the_numbers_pane_needs_a_screen_with_numbers),
		CONSOLE_TEST(a_click_sets_a_slider_and_a_click_in_the_list_focuses_the_jobs),
		CONSOLE_TEST(quitting_asks_for_confirmation),
		CONSOLE_TEST(the_first_frame_after_a_resize_has_the_new_size),
		CONSOLE_TEST(exporting_a_screen_keeps_its_scroll_position),
		CONSOLE_TEST(random_input_leaves_the_console_working),
	};

	struct store_dir here = {.path = ""};
	int failed;

	/* What the console exports goes to the current folder. */
	make_store_dir(&here);
	if (chdir(here.path) != 0)
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	remove_store_dir(&here);
	return failed;
}
