/* SPDX-License-Identifier: MIT */
/*
 * test_console_trial.c - is what was asked answered, and forgotten when its screen is left?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "desk.h"

/* Whether it was found or given up by then, nothing is being made when nobody looks. */
static void what_was_asked_ends_when_its_screen_is_left(void **state)
{
	struct console *c = ((struct desk *)*state)->c;
	const char *const keys[] = {"V", "<Enter>", "q", "V", "<Enter>", "<Enter>", "q"};
	bool making = true;

	press(c, "7");
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		struct key key;

		assert_true(key_parse(keys[i], &key, NULL));
		console_key(c, key); /* without waiting for what it asks for */
	}
	settle(c);
	(void)console_draft_query(c, &making);
	assert_false(making);
	press(c, "7 V <Enter>");
	assert_true(console_draft_query(c, &making)->query.whole);
	assert_string_equal(console_view(c)->name, "sweep");
	press(c, "q");
	assert_string_equal(console_view(c)->name, "whatif");
}

/* As long as nobody collects it, what is looked for is not there. */
static void who_takes_too_early_is_told_that_it_is_still_looked_for(void **state)
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
	assert_true(screen_lacks(c, "looking for changes"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CONSOLE_TEST(who_takes_too_early_is_told_that_it_is_still_looked_for),
		CONSOLE_TEST(what_was_asked_ends_when_its_screen_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
