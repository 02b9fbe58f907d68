/* SPDX-License-Identifier: MIT */
/* test_console_trial.c - sweeps and searches started from the console */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "desk.h"

/* Whether the query is complete or abandoned by then, none runs after its screen is left. */
static void a_query_ends_when_its_screen_is_left(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	const char *const keys[] = {"V", "<Enter>", "q", "V", "<Enter>", "<Enter>", "q"};
	bool running = true;

	press(c, "7");
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		struct key key;

		assert_true(key_parse(keys[i], &key, NULL));
		console_key(c, key); /* without waiting for the query */
	}
	settle(c);
	(void)console_draft_query(c, &running);
	assert_false(running);
	press(c, "7 V <Enter>");
	assert_true(console_draft_query(c, &running)->query.whole);
	assert_string_equal(console_view(c)->name, "sweep");
	press(c, "q");
	assert_string_equal(console_view(c)->name, "whatif");
}

/* Without console_turn() the result is not collected, so the search stays unfinished. */
static void taking_a_result_too_early_reports_that_the_search_is_running(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	const char *const keys[] = {"V", "<Enter>", "<Enter>"};
	struct key key;

	press(c, "7");
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		assert_true(key_parse(keys[i], &key, NULL));
		console_key(c, key);
	}
	assert_true(screen_has(c, "The search is still running."));
	settle(c);
	press(c, "1");
	assert_true(key_parse("w", &key, NULL));
	console_key(c, key);
	assert_true(screen_has(c, "searching for changes ..."));
	assert_true(key_parse("<Enter>", &key, NULL));
	console_key(c, key);
	assert_true(screen_has(c, "The search for changes is still running."));
	settle(c);
	assert_true(screen_lacks(c, "searching for changes"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CONSOLE_TEST(taking_a_result_too_early_reports_that_the_search_is_running),
		CONSOLE_TEST(a_query_ends_when_its_screen_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
