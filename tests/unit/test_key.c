/* SPDX-License-Identifier: MIT */
/*
 * test_key.c - names of keys, written and read back
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tui/draw/key.h"

static struct key parse(const char *name)
{
	struct key key = {.code = KBD_NONE};
	struct err err;

	if (!key_parse(name, &key, &err))
		fail_msg("%s", err.text);
	return key;
}

static void assert_key(const char *name, enum kbd code, unsigned mods, uint32_t ch)
{
	struct key key = parse(name);

	assert_int_equal(key.code, code);
	assert_int_equal(key.mods, mods);
	assert_int_equal(key.ch, ch);
}

static void names_of_keys_are_parsed(void **state)
{
	(void)state;
	assert_key("j", KBD_CHAR, 0, 'j');
	assert_key("J", KBD_CHAR, 0, 'J');
	assert_key("é", KBD_CHAR, 0, 0xE9);
	assert_key(">", KBD_CHAR, 0, '>');
	assert_key("<lt>", KBD_CHAR, 0, '<');
	assert_key("<Space>", KBD_CHAR, 0, ' ');
	assert_key("<Enter>", KBD_ENTER, 0, 0);
	assert_key("<enter>", KBD_ENTER, 0, 0);
	assert_key("<F1>", KBD_F1, 0, 0);
	assert_key("<F12>", KBD_F12, 0, 0);
	assert_key("<C-d>", KBD_CHAR, KBD_CTRL, 'd');
	assert_key("<c-D>", KBD_CHAR, KBD_CTRL, 'd');
	assert_key("<A-x>", KBD_CHAR, KBD_ALT, 'x');
	assert_key("<S-Tab>", KBD_TAB, KBD_SHIFT, 0);
	assert_key("<C-A-S-Left>", KBD_LEFT, KBD_CTRL | KBD_ALT | KBD_SHIFT, 0);
}

static void keys_that_terminals_cannot_distinguish_are_equal(void **state)
{
	(void)state;
	assert_true(key_same(parse("<C-i>"), parse("<Tab>")));
	assert_true(key_same(parse("<C-m>"), parse("<Enter>")));
	assert_true(key_same(parse("<C-j>"), parse("<Enter>")));
	assert_true(key_same(parse("<C-[>"), parse("<Esc>")));
	assert_true(key_same(parse("<C-h>"), parse("<BS>")));
	assert_true(key_same(parse("<S-a>"), parse("A")));
	assert_true(key_same(parse("<C-@>"), parse("<C-Space>")));
}

static void an_invalid_key_name_is_refused_with_an_error(void **state)
{
	static const char *const rows[] = {"",      " ",     "<",     "<Entr>", "<>", "<C->", "<C-Enter",
					   "<X-a>", "<S-1>", "<C-1>", "jj",     "\t", "\xE9", "<F13>"};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct key key = {.code = KBD_F1};
		struct err err = {""};

		if (key_parse(rows[i], &key, &err))
			fail_msg("'%s' was read as a key", rows[i]);
		assert_true(err.text[0] != '\0');
		assert_int_equal(key.code, KBD_F1);
	}
}

static void a_sequence_of_keys_is_read_one_by_one(void **state)
{
	const char *at = "g<C-d><lt>x";
	struct key key;
	char name[KEY_TEXT];
	static const char *const expected[] = {"g", "<C-d>", "<lt>", "x"};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		assert_true(key_read(&at, &key, NULL));
		assert_string_equal(key_text(name, key), expected[i]);
	}
	assert_false(key_read(&at, &key, NULL));
}

static void assert_round_trip(struct key key)
{
	char name[KEY_TEXT];
	struct key back = parse(key_text(name, key));

	if (!key_same(key, back))
		fail_msg("%s came back as another key", name);
}

static void every_key_is_read_back_from_its_name(void **state)
{
	(void)state;
	for (uint32_t code = 0; code < 0x3000; code++) {
		struct key key = key_of_char(code);

		if (key.code == KBD_NONE)
			continue;
		assert_round_trip(key);
		key.mods |= KBD_ALT;
		assert_round_trip(key);
	}
	for (int code = KBD_ENTER; code < KBD_COUNT; code++)
		for (unsigned mods = 0; mods < 8; mods++)
			assert_round_trip((struct key){.code = (enum kbd)code, .mods = mods});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_keys_are_parsed),
		cmocka_unit_test(keys_that_terminals_cannot_distinguish_are_equal),
		cmocka_unit_test(an_invalid_key_name_is_refused_with_an_error),
		cmocka_unit_test(a_sequence_of_keys_is_read_one_by_one),
		cmocka_unit_test(every_key_is_read_back_from_its_name),
	};

	return cmocka_run_group_tests_name("key", tests, NULL, NULL);
}
