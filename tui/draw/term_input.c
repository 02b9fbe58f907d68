/* SPDX-License-Identifier: MIT */
/*
 * term_input.c - decoder of the bytes from a terminal
 */
#include "term_input.h"

#include <string.h>

void term_input_free(struct term_input *in)
{
	str_free(&in->paste);
	*in = (struct term_input){0};
}

static bool give_key(struct term_input *in, struct key key, struct term_event *out)
{
	in->state = INPUT_PLAIN;
	in->alt = false;
	in->partial_len = 0;
	*out = (struct term_event){.kind = TERM_KEY, .key = key};
	return key.code != KBD_NONE;
}

static bool give_char(struct term_input *in, uint32_t code, struct term_event *out)
{
	struct key key = key_of_char(code);

	if (in->alt)
		key.mods |= KBD_ALT;
	return give_key(in, key, out);
}

/*
 * Processes a byte of a character. Returns true with the event of its key if the character is complete: an
 * ASCII character immediately, a multi-byte character as soon as its bytes can be decoded.
 */
static bool take_plain(struct term_input *in, unsigned char byte, struct term_event *out)
{
	uint32_t code;

	if (byte < 0x80) {
		in->partial_len = 0;
		return give_char(in, byte, out);
	}
	in->partial[in->partial_len++] = (char)byte;
	text_decode(in->partial, in->partial_len, &code);
	if (code != TEXT_INVALID)
		return give_char(in, code, out);
	if ((unsigned char)in->partial[0] < 0xC2 || in->partial_len == sizeof in->partial) {
		in->partial_len = 0;
		in->alt = false;
	}
	return false;
}

static bool take_escaped(struct term_input *in, unsigned char byte, struct term_event *out)
{
	switch (byte) {
	case '[':
		in->state = INPUT_SEQUENCE;
		return false;
	case 'O':
		in->state = INPUT_SINGLE;
		return false;
	case ']':
	case 'P':
	case '_':
	case '^':
		in->state = INPUT_STRING;
		return false;
	case 0x1B:
		give_key(in, (struct key){.code = KBD_ESC}, out);
		in->state = INPUT_ESCAPE;
		return true;
	default:
		in->state = INPUT_PLAIN;
		in->alt = true;
		return take_plain(in, byte, out);
	}
}

bool term_input_byte(struct term_input *in, unsigned char byte, struct term_event *out)
{
	if (in->pasting) {
		if (in->paste.len < PASTE_MAX)
			str_add_char(&in->paste, (char)byte);
		return false;
	}
	switch (in->state) {
	case INPUT_ESCAPE:
		return take_escaped(in, byte, out);
	case INPUT_SEQUENCE:
		if (byte >= 0x40 && byte <= 0x7E)
			in->state = INPUT_PLAIN;
		return false;
	case INPUT_SINGLE:
		in->state = INPUT_PLAIN;
		return false;
	case INPUT_STRING:
		if (byte == '\a')
			in->state = INPUT_PLAIN;
		else if (byte == 0x1B)
			in->state = INPUT_SINGLE;
		return false;
	case INPUT_PLAIN:
		break;
	}
	if (byte != 0x1B)
		return take_plain(in, byte, out);
	in->partial_len = 0;
	in->state = INPUT_ESCAPE;
	return false;
}

bool term_input_key(struct term_input *in, struct key key, struct term_event *out)
{
	if (in->pasting)
		return false;
	if (in->state == INPUT_ESCAPE)
		key.mods |= KBD_ALT;
	return give_key(in, key, out);
}

bool term_input_idle(struct term_input *in, struct term_event *out)
{
	bool was_escape = in->state == INPUT_ESCAPE;

	in->state = INPUT_PLAIN;
	return was_escape && give_key(in, (struct key){.code = KBD_ESC}, out);
}

/* A digit at the end of the name encodes the modifiers: 1, plus 1 for Shift, 2 for Alt and 4 for Ctrl. */
struct key term_input_named(const char *name)
{
	static const struct {
		const char *name;
		enum kbd code;
	} keys[] = {
		{"kUP", KBD_UP},     {"kDN", KBD_DOWN},   {"kLFT", KBD_LEFT},    {"kRIT", KBD_RIGHT},
		{"kHOM", KBD_HOME},  {"kEND", KBD_END},   {"kPRV", KBD_PAGE_UP}, {"kNXT", KBD_PAGE_DOWN},
		{"kDC", KBD_DELETE}, {"kIC", KBD_INSERT},
	};
	size_t len = name ? strlen(name) : 0;
	unsigned bits;

	if (len < 4 || name[len - 1] < '2' || name[len - 1] > '8')
		return (struct key){.code = KBD_NONE};
	bits = (unsigned)(name[len - 1] - '1');
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (strlen(keys[i].name) == len - 1 && strncmp(keys[i].name, name, len - 1) == 0)
			return (struct key){.code = keys[i].code,
					    .mods = (bits & 1 ? KBD_SHIFT : 0u) | (bits & 2 ? KBD_ALT : 0u) |
						    (bits & 4 ? KBD_CTRL : 0u)};
	return (struct key){.code = KBD_NONE};
}

void term_input_paste_begin(struct term_input *in)
{
	in->pasting = true;
	in->state = INPUT_PLAIN;
	in->partial_len = 0;
	str_clear(&in->paste);
}

bool term_input_paste_end(struct term_input *in, struct term_event *out)
{
	if (!in->pasting)
		return false;
	in->pasting = false;
	*out = (struct term_event){.kind = TERM_PASTE, .text = str_text(&in->paste), .len = in->paste.len};
	return true;
}
