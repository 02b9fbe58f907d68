/* SPDX-License-Identifier: MIT */
/* test_bindings.c - key bindings and their help texts */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "tui/screen/bindings.h"

static const char *const screens[] = {"queue",  "job",    "priority", "fairshare", "limits", "journal",
				      "help",   "output", "messages", "follow",    "submit", "ended",
				      "whatif", "sweep",  "goal",     "config"};
#define SCREENS (sizeof screens / sizeof screens[0])

/* Calls `each` for every key of every action. */
static void each_key(void (*each)(enum action action, struct key key, const char *name))
{
	for (enum action a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		const char *text = action_row(a)->keys;
		char name[KEY_TEXT];
		struct key key;

		while (*text) {
			assert_true(key_read(&text, &key, NULL));
			each(a, key, key_text(name, key));
			text += strspn(text, " ");
		}
	}
}

static void check_one_meaning(enum action action, struct key key, const char *name)
{
	for (size_t i = 0; i < SCREENS; i++) {
		int arg;
		enum action found = bindings_find(screens[i], key, &arg);

		if (action_is_on(action, screens[i]) && found != action)
			fail_msg("%s on the screen %s is two things", name, screens[i]);
	}
}

static void a_key_has_one_action_on_a_screen(void **state)
{
	(void)state;
	each_key(check_one_meaning);
}

static void check_not_rebound(enum action action, struct key key, const char *name)
{
	if (action_row(action)->set != SET_SCREEN)
		return;
	for (enum action a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		const char *text = action_row(a)->keys;
		struct key other;

		while (action_row(a)->set != SET_SCREEN && key_read(&text, &other, NULL)) {
			if (key_same(other, key))
				fail_msg("a screen takes %s, which means something everywhere", name);
			text += strspn(text, " ");
		}
	}
}

static void no_screen_rebinds_a_global_key(void **state)
{
	(void)state;
	each_key(check_not_rebound);
}

static void check_vi_moves(enum action action, struct key key, const char *name)
{
	if (key.code == KBD_CHAR && key.mods == 0 && strchr("hjkl", (int)key.ch))
		if (action_row(action)->set != SET_MOVING)
			fail_msg("%s acts instead of moving", name);
}

static void h_j_k_and_l_only_move(void **state)
{
	(void)state;
	each_key(check_vi_moves);
}

/* The keys that change jobs or settings, as in the rules of the console. */
static void keys_that_change_something_are_the_same_on_every_screen(void **state)
{
	static const struct {
		const char *key;
		enum action action;
	} acting[] = {
		{"H", ACTION_HOLD},       {"R", ACTION_RELEASE},  {"W", ACTION_REWEIGHT},
		{"+", ACTION_RAISE},      {"-", ACTION_LOWER},    {"#", ACTION_SET_PRIORITY},
		{"J", ACTION_ORDER_DOWN}, {"K", ACTION_ORDER_UP}, {"z", ACTION_STOP},
	};

	(void)state;
	for (size_t i = 0; i < sizeof acting / sizeof acting[0]; i++) {
		struct key key;
		int arg;

		assert_true(key_parse(acting[i].key, &key, NULL));
		assert_int_equal(action_row(acting[i].action)->set, SET_ACTING);
		for (size_t k = 0; k < SCREENS; k++)
			assert_int_equal(bindings_find(screens[k], key, &arg), acting[i].action);
	}
}

static void digits_select_the_screen_with_that_number(void **state)
{
	int arg;

	(void)state;
	for (uint32_t digit = 1; digit <= 9; digit++) {
		assert_int_equal(bindings_find("queue", key_of_char('0' + digit), &arg), ACTION_SCREEN);
		assert_int_equal(arg, digit);
	}
}

static void a_key_of_a_screen_has_no_action_on_others(void **state)
{
	int arg;

	(void)state;
	assert_int_equal(bindings_find("priority", key_of_char('e'), &arg), ACTION_EDIT);
	assert_int_equal(bindings_find("queue", key_of_char('e'), &arg), ACTION_NONE);
}

static void brackets_step_through_the_journal_on_every_screen(void **state)
{
	int arg;

	(void)state;
	for (size_t k = 0; k < SCREENS; k++) {
		assert_int_equal(bindings_find(screens[k], key_of_char('['), &arg), ACTION_ENTRY_BACK);
		assert_int_equal(bindings_find(screens[k], key_of_char(']'), &arg), ACTION_ENTRY_ON);
	}
	assert_int_equal(bindings_find("queue", key_of_char('{'), &arg), ACTION_ENTRIES_BACK);
	assert_int_equal(bindings_find("priority", key_of_char('{'), &arg), ACTION_TEN_LESS);
}

static void every_action_has_a_key_and_a_help_text(void **state)
{
	(void)state;
	for (enum action a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		const struct action_row *row = action_row(a);
		char first[KEY_TEXT];

		assert_true(bindings_first(a, first)[0] != '\0');
		assert_true(strlen(row->help) > 5);
		assert_int_equal(row->help[strlen(row->help) - 1], '.');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_key_has_one_action_on_a_screen),
		cmocka_unit_test(no_screen_rebinds_a_global_key),
		cmocka_unit_test(h_j_k_and_l_only_move),
		cmocka_unit_test(keys_that_change_something_are_the_same_on_every_screen),
		cmocka_unit_test(digits_select_the_screen_with_that_number),
		cmocka_unit_test(a_key_of_a_screen_has_no_action_on_others),
		cmocka_unit_test(brackets_step_through_the_journal_on_every_screen),
		cmocka_unit_test(every_action_has_a_key_and_a_help_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
