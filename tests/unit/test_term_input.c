/* SPDX-License-Identifier: MIT */
/*
 * test_term_input.c - keys and pastes from bytes
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tests/seed.h"
#include "tui/draw/term_input.h"

static struct term_input input;
static struct str seen;

static int begin(void **state)
{
	(void)state;
	input = (struct term_input){.state = INPUT_PLAIN};
	return 0;
}

static int end(void **state)
{
	(void)state;
	term_input_free(&input);
	str_free(&seen);
	return 0;
}

static void note(const struct term_event *event)
{
	char name[KEY_TEXT];

	str_addf(&seen, "%s ", key_text(name, event->key));
}

/* Feeds bytes, then a pause, which completes a pending key. Returns the names of the keys. */
static const char *keys_of(const char *bytes, size_t len)
{
	struct term_event event;

	str_clear(&seen);
	for (size_t i = 0; i < len; i++)
		if (term_input_byte(&input, (unsigned char)bytes[i], &event))
			note(&event);
	if (term_input_idle(&input, &event))
		note(&event);
	return str_text(&seen);
}

#define KEYS(bytes) keys_of(bytes, sizeof(bytes) - 1)

static void characters_and_controls_are_keys(void **state)
{
	(void)state;
	assert_string_equal(KEYS("jJ \r\n\t\x7F\x04"), "j J <Space> <Enter> <Enter> <Tab> <BS> <C-d> ");
	assert_string_equal(KEYS("é日😀"), "é 日 😀 ");
	assert_string_equal(KEYS("\0"), "<C-Space> ");
}

static void invalid_bytes_are_dropped(void **state)
{
	(void)state;
	assert_string_equal(KEYS("\xE9x\x80y\xF0\x9F\xFF\xFFz"), "x y z ");
	assert_string_equal(KEYS("\xC2\x9B"), "");
}

static void a_character_may_arrive_in_parts(void **state)
{
	(void)state;
	assert_string_equal(KEYS("\xE6"), "");
	assert_string_equal(KEYS("\x97"), "");
	assert_string_equal(KEYS("\xA5"), "日 ");
}

static void escape_is_a_key_only_when_nothing_follows(void **state)
{
	(void)state;
	assert_string_equal(KEYS("\033"), "<Esc> ");
	assert_string_equal(KEYS("\033\033"), "<Esc> <Esc> ");
	assert_string_equal(KEYS("\033x"), "<A-x> ");
	assert_string_equal(KEYS("\033é"), "<A-é> ");
	assert_string_equal(KEYS("\033\r"), "<A-Enter> ");
}

static void unknown_sequences_are_dropped_completely(void **state)
{
	(void)state;
	assert_string_equal(KEYS("\033[12;34Rj"), "j ");
	assert_string_equal(KEYS("\033OZj"), "j ");
	assert_string_equal(KEYS("\033]11;rgb:0000/0000/0000\aj"), "j ");
	assert_string_equal(KEYS("\033P1$r0m\033\\j"), "j ");
	assert_string_equal(KEYS("\033["), "");
	assert_string_equal(KEYS("j"), "j ");
}

static void a_key_from_curses_ends_an_escape_sequence(void **state)
{
	struct term_event event;
	struct key up = {.code = KBD_UP};

	(void)state;
	term_input_byte(&input, 0x1B, &event);
	assert_true(term_input_key(&input, up, &event));
	assert_int_equal(event.key.mods, KBD_ALT);
	assert_true(term_input_key(&input, up, &event));
	assert_int_equal(event.key.mods, 0);
	assert_false(term_input_key(&input, (struct key){.code = KBD_NONE}, &event));
}

static void a_paste_is_one_event_with_its_text(void **state)
{
	struct term_event event;

	(void)state;
	term_input_paste_begin(&input);
	assert_string_equal(KEYS("rm -rf\n\033[A日"), "");
	assert_false(term_input_key(&input, (struct key){.code = KBD_ENTER}, &event));
	assert_true(term_input_paste_end(&input, &event));
	assert_int_equal(event.kind, TERM_PASTE);
	assert_int_equal(event.len, 13);
	assert_memory_equal(event.text, "rm -rf\n\033[A日", 13);
	assert_false(term_input_paste_end(&input, &event));
	assert_string_equal(KEYS("j"), "j ");
}

static void a_paste_is_truncated_to_its_maximum_size(void **state)
{
	struct term_event event;

	(void)state;
	term_input_paste_begin(&input);
	for (size_t i = 0; i < PASTE_MAX + 10; i++)
		assert_false(term_input_byte(&input, 'x', &event));
	assert_true(term_input_paste_end(&input, &event));
	assert_int_equal(event.len, PASTE_MAX);
}

static void terminfo_names_of_modified_keys_are_decoded(void **state)
{
	static const struct {
		const char *name, *key;
	} rows[] = {{"kUP5", "<C-Up>"},        {"kLFT3", "<A-Left>"}, {"kEND2", "<S-End>"},
		    {"kNXT8", "<C-A-S-PgDn>"}, {"kUP", "<none>"},     {"kUP9", "<none>"},
		    {"KEY_F(70)", "<none>"},   {"k5", "<none>"}};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char name[KEY_TEXT];

		assert_string_equal(key_text(name, term_input_named(rows[i].name)), rows[i].key);
	}
	assert_int_equal(term_input_named(NULL).code, KBD_NONE);
}

static void random_bytes_give_keys_that_have_names(void **state)
{
	struct rng rng = seeded("random_bytes_give_keys_that_have_names");

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct term_event event;
		char name[KEY_TEXT];
		struct key back;

		if (!term_input_byte(&input, (unsigned char)rng_below(&rng, 256), &event))
			continue;
		assert_true(key_parse(key_text(name, event.key), &back, NULL));
		assert_true(key_same(back, event.key));
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(characters_and_controls_are_keys),
		TEST(invalid_bytes_are_dropped),
		TEST(a_character_may_arrive_in_parts),
		TEST(escape_is_a_key_only_when_nothing_follows),
		TEST(unknown_sequences_are_dropped_completely),
		TEST(a_key_from_curses_ends_an_escape_sequence),
		TEST(a_paste_is_one_event_with_its_text),
		TEST(a_paste_is_truncated_to_its_maximum_size),
		TEST(terminfo_names_of_modified_keys_are_decoded),
		TEST(random_bytes_give_keys_that_have_names),
	};

	return cmocka_run_group_tests_name("term_input", tests, NULL, NULL);
}
