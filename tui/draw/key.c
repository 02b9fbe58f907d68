/* SPDX-License-Identifier: MIT */
/*
 * key.c - names of keys
 */
#include "key.h"

#include <stdio.h>
#include <string.h>

#include "sched/base/str.h"
#include "text.h"

/* The names in angle brackets. A KBD_CHAR with a name is the character .ch. */
static const struct {
	const char *name;
	enum kbd code;
	uint32_t ch;
} names[] = {
	{"Enter", KBD_ENTER, 0},  {"Esc", KBD_ESC, 0},        {"Tab", KBD_TAB, 0},
	{"BS", KBD_BACKSPACE, 0}, {"Space", KBD_CHAR, ' '},   {"lt", KBD_CHAR, '<'},
	{"Up", KBD_UP, 0},        {"Down", KBD_DOWN, 0},      {"Left", KBD_LEFT, 0},
	{"Right", KBD_RIGHT, 0},  {"Home", KBD_HOME, 0},      {"End", KBD_END, 0},
	{"PgUp", KBD_PAGE_UP, 0}, {"PgDn", KBD_PAGE_DOWN, 0}, {"Ins", KBD_INSERT, 0},
	{"Del", KBD_DELETE, 0},   {"F1", KBD_F1, 0},          {"F2", KBD_F1 + 1, 0},
	{"F3", KBD_F1 + 2, 0},    {"F4", KBD_F1 + 3, 0},      {"F5", KBD_F1 + 4, 0},
	{"F6", KBD_F1 + 5, 0},    {"F7", KBD_F1 + 6, 0},      {"F8", KBD_F1 + 7, 0},
	{"F9", KBD_F1 + 8, 0},    {"F10", KBD_F1 + 9, 0},     {"F11", KBD_F1 + 10, 0},
	{"F12", KBD_F1 + 11, 0},
};

#define NAME_COUNT (sizeof names / sizeof names[0])

struct key key_of_char(uint32_t code)
{
	if (code == '\r' || code == '\n')
		return (struct key){.code = KBD_ENTER};
	if (code == '\t')
		return (struct key){.code = KBD_TAB};
	if (code == 0x1B)
		return (struct key){.code = KBD_ESC};
	if (code == '\b' || code == 0x7F)
		return (struct key){.code = KBD_BACKSPACE};
	if (code == 0)
		return (struct key){.code = KBD_CHAR, .mods = KBD_CTRL, .ch = ' '};
	if (code <= 26)
		return (struct key){.code = KBD_CHAR, .mods = KBD_CTRL, .ch = code + 'a' - 1};
	if (code < 0x20)
		return (struct key){.code = KBD_CHAR, .mods = KBD_CTRL, .ch = code + '@'};
	if (text_code_width(code) < 0)
		return (struct key){.code = KBD_NONE};
	return (struct key){.code = KBD_CHAR, .ch = code};
}

bool key_same(struct key a, struct key b)
{
	return a.code == b.code && a.mods == b.mods && a.ch == b.ch;
}

/*
 * Sets *out to a character with modifiers, as a terminal would send it. Returns false if no terminal sends
 * it.
 */
static bool modify_char(unsigned mods, uint32_t ch, struct key *out)
{
	struct key key;

	if (mods & KBD_SHIFT) {
		if (ch < 'A' || ch > 'z' || (ch > 'Z' && ch < 'a'))
			return false;
		ch &= ~(uint32_t)0x20;
	}
	if (mods & KBD_CTRL) {
		if (ch >= 'a' && ch <= 'z')
			ch &= ~(uint32_t)0x20;
		if (ch != ' ' && (ch < '@' || ch > '_'))
			return false;
		ch = ch == ' ' ? 0 : ch & 0x1F;
	}
	key = key_of_char(ch);
	key.mods |= mods & KBD_ALT;
	*out = key;
	return true;
}

/* Is the code point a valid, visible character, which can be written as itself? */
static bool is_plain(uint32_t code)
{
	return code != TEXT_INVALID && text_code_width(code) >= 0;
}

/* Reads the part of a key name after the modifiers: one character or a name. */
static bool read_base(const char *text, size_t len, unsigned mods, struct key *out)
{
	uint32_t code;

	if (len > 0 && text_decode(text, len, &code) == len && is_plain(code) && code != ' ')
		return modify_char(mods, code, out);
	for (size_t i = 0; i < NAME_COUNT; i++) {
		char name[8];

		snprintf(name, sizeof name, "%.*s", (int)(len < sizeof name ? len : sizeof name - 1), text);
		if (strlen(names[i].name) != len || !str_same_word(names[i].name, name))
			continue;
		if (names[i].code == KBD_CHAR)
			return modify_char(mods, names[i].ch, out);
		*out = (struct key){.code = names[i].code, .mods = mods};
		return true;
	}
	return false;
}

static unsigned mod_of_letter(char letter)
{
	switch (letter) {
	case 'C':
	case 'c':
		return KBD_CTRL;
	case 'A':
	case 'a':
		return KBD_ALT;
	case 'S':
	case 's':
		return KBD_SHIFT;
	default:
		return 0;
	}
}

/* Reads the key name text[0..len), without its angle brackets. */
static bool read_inside(const char *text, size_t len, struct key *out)
{
	unsigned mods = 0;

	while (len > 2 && text[1] == '-' && mod_of_letter(text[0])) {
		mods |= mod_of_letter(text[0]);
		text += 2;
		len -= 2;
	}
	return read_base(text, len, mods, out);
}

/*
 * Returns the closing bracket of a key name; NULL if there is none. In <A->>, the first '>' is the key
 * itself.
 */
static const char *find_close(const char *inside)
{
	const char *close = strchr(inside, '>');

	if (close && close - inside >= 2 && close[-1] == '-' && mod_of_letter(close[-2]) && close[1] == '>')
		return close + 1;
	return close;
}

bool key_read(const char **text, struct key *out, struct err *err)
{
	const char *at = *text;
	size_t len = strlen(at), used;
	uint32_t code;

	if (len == 0)
		return err_set(err, "a key name is missing");
	if (at[0] == '<') {
		const char *close = find_close(at + 1);

		if (!close)
			return err_set(err,
				       "key '%s' has no closing '>'; the character < itself is written <lt>",
				       at);
		if (!read_inside(at + 1, (size_t)(close - at - 1), out))
			return err_set(
				err, "unknown key '%.*s'; key names are written <Enter>, <C-d>, <PgDn>, <F1>",
				(int)(close - at + 1), at);
		*text = close + 1;
		return true;
	}
	used = text_decode(at, len, &code);
	if (!is_plain(code) || code == ' ')
		return err_set(err,
			       "a key cannot be written as byte 0x%02x; write a name like <Space> or <Tab>",
			       (unsigned char)at[0]);
	*out = key_of_char(code);
	*text = at + used;
	return true;
}

bool key_parse(const char *text, struct key *out, struct err *err)
{
	const char *at = text;
	struct key key;

	if (!key_read(&at, &key, err))
		return false;
	if (*at)
		return err_set(err, "'%s' is more than one key", text);
	*out = key;
	return true;
}

/*
 * Returns the name of a key without its modifiers; for a character without a name, the character, written to
 * buf.
 */
static const char *base_name(char buf[static 5], struct key key)
{
	for (size_t i = 0; i < NAME_COUNT; i++)
		if (names[i].code == key.code && names[i].ch == key.ch)
			return names[i].name;
	if (key.code != KBD_CHAR)
		return NULL;
	buf[text_encode(buf, key.ch)] = '\0';
	return buf;
}

const char *key_text(char buf[static KEY_TEXT], struct key key)
{
	char letter[5];
	const char *base = base_name(letter, key);

	if (base == letter && key.mods == 0)
		snprintf(buf, KEY_TEXT, "%s", letter);
	else
		snprintf(buf, KEY_TEXT, "<%s%s%s%s>", key.mods & KBD_CTRL ? "C-" : "",
			 key.mods & KBD_ALT ? "A-" : "", key.mods & KBD_SHIFT ? "S-" : "",
			 base ? base : "none");
	return buf;
}
