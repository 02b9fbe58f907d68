/* SPDX-License-Identifier: MIT */
/*
 * test_script.c - directives and errors of console scripts
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "tests/console_session.h"
#include "tui/console/console_inside.h"
#include "tui/console/script.h"

struct fixture {
	struct session session;
	struct console *c;
};

static int begin(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	f->session = session_begin(11);
	f->c = console_new(&f->session, NULL, true, NULL);
	console_resize(f->c, 80, 24);
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

static void assert_passes(void **state, const char *text)
{
	struct err err = {{0}};

	if (!script_run(((struct fixture *)*state)->c, "s", text, &err))
		fail_msg("%s", err.text);
}

static void assert_fails(void **state, const char *text, const char *sentence)
{
	struct err err = {{0}};

	assert_false(script_run(((struct fixture *)*state)->c, "s", text, &err));
	if (!strstr(err.text, sentence))
		fail_msg("\"%s\" is not in \"%s\"", sentence, err.text);
}

static void comments_and_blank_lines_are_skipped(void **state)
{
	assert_passes(state, "\n# a comment\n\n   \n  wait-idle  \n");
	assert_passes(state, "");
}

static void an_error_names_file_line_and_directive(void **state)
{
	assert_fails(state, "wait-idle\n\nfly 3\n", "s:3: fly 3: unknown directive");
	assert_fails(state, "keysj\n", "unknown directive");
}

static void sizes_are_read_and_bounded(void **state)
{
	struct fixture *f = *state;

	assert_passes(state, "size 100x30\n");
	assert_int_equal(f->c->canvas.w, 100);
	assert_int_equal(f->c->canvas.h, 30);
	assert_fails(state, "size 100\n", "the size must be WIDTHxHEIGHT");
	assert_fails(state, "size 100x30x2\n", "the size must be WIDTHxHEIGHT");
	assert_fails(state, "size 0x30\n", "the size must be WIDTHxHEIGHT");
	assert_fails(state, "size 99999x30\n", "the size must be WIDTHxHEIGHT");
}

static void keys_are_pressed_one_by_one(void **state)
{
	struct fixture *f = *state;
	uint64_t first;

	assert_passes(state, "wait-idle\n");
	first = f->c->job;
	assert_passes(state, "keys j j <Up> k\n");
	assert_int_equal(f->c->job, first);
	assert_fails(state, "keys j <Nokey>\n", "s:1:");
}

static void text_is_typed_into_a_prompt(void **state)
{
	struct fixture *f = *state;

	assert_passes(state, "keys /\ntype user=eva\nkeys <Enter>\n");
	assert_string_equal(filter_text(console_filter(f->c)), "user=eva");
	assert_fails(state, "type \xff\n", "not UTF-8");
}

static void time_moves_only_by_directives(void **state)
{
	struct fixture *f = *state;
	int64_t now_s = console_now_s(f->c);

	assert_passes(state, "wait-idle\n");
	assert_int_equal(console_now_s(f->c), now_s);
	assert_passes(state, "advance 10m\n");
	assert_int_equal(console_now_s(f->c), now_s + 600);
	assert_passes(state, "until +1:00:00\n");
	assert_int_equal(console_now_s(f->c), now_s + 4200);
	assert_passes(state, "step 3\n");
	assert_true(console_now_s(f->c) > now_s + 4200);
	assert_fails(state, "advance soon\n", "soon");
	assert_fails(state, "until 5\n", "is in the past");
	assert_fails(state, "advance 3660d\n", "more than 366 days ahead");
	assert_fails(state, "step 0\n", "the number of steps");
}

static void a_refused_command_fails_unless_it_is_expected(void **state)
{
	assert_fails(state, ":hold 999999\n", "999999");
	assert_passes(state, ":hold 999999\nexpect-exit 1\n");
	assert_passes(state, ":nonsense\n\nexpect-exit 2\n");
	assert_fails(state, ":messages\nexpect-exit 1\n", "the exit status is 0");
	assert_fails(state, "expect-exit\n", "takes an exit status");
}

static void a_command_makes_a_draft_which_the_key_a_applies(void **state)
{
	struct fixture *f = *state;

	assert_passes(state, ":tune xfactorweight 5\n");
	assert_true(f->c->shown->live.s->policy.weights.factor[PRIO_SERV_XFACTOR] == 100);
	assert_passes(state, "keys A\n");
	assert_true(f->c->shown->live.s->policy.weights.factor[PRIO_SERV_XFACTOR] == 5);
}

static void no_key_is_accepted_after_the_console_has_quit(void **state)
{
	assert_passes(state, "keys Q y\nexpect-exit 0\n");
	assert_fails(state, "keys j\n", "has already quit");
}

static void a_screen_that_cannot_be_written_is_an_error(void **state)
{
	assert_fails(state, "dump /no/such/folder/file\n", "cannot write the screen to");
	assert_fails(state, "dump\n", "cannot write the screen to");
}

#define SCRIPT_TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

static void wait_for_fails_while_simulated_time_is_stopped(void **state)
{
	struct console *c = ((struct fixture *)*state)->c;
	struct err err;

	assert_true(script_run(c, "s", "size 80x24\nwait-for Total Jobs\n", &err));
	assert_false(script_run(c, "s", "wait-for no such words\n", &err));
	assert_non_null(strstr(err.text, "simulated time is stopped"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCRIPT_TEST(comments_and_blank_lines_are_skipped),
		SCRIPT_TEST(an_error_names_file_line_and_directive),
		SCRIPT_TEST(sizes_are_read_and_bounded),
		SCRIPT_TEST(keys_are_pressed_one_by_one),
		SCRIPT_TEST(text_is_typed_into_a_prompt),
		SCRIPT_TEST(time_moves_only_by_directives),
		SCRIPT_TEST(a_refused_command_fails_unless_it_is_expected),
		SCRIPT_TEST(a_command_makes_a_draft_which_the_key_a_applies),
		SCRIPT_TEST(no_key_is_accepted_after_the_console_has_quit),
		SCRIPT_TEST(a_screen_that_cannot_be_written_is_an_error),
		SCRIPT_TEST(wait_for_fails_while_simulated_time_is_stopped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
