/* SPDX-License-Identifier: MIT */
/*
 * fuzz_option.c - configuration texts with libconfuse
 *
 * A refusal has a message; libconfuse refuses no text that the scan
 * accepted; and a text has the same result when it is read again (libconfuse's scanner has global
 * variables).
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/option.h"
#include "tests/option_rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct tally {
	size_t calls, bytes;
};

static void require(bool good)
{
	if (!good)
		abort();
}

static bool count_value(void *self, const struct option *row, const char *title,
			const struct option_value *value, const struct option_place *place, struct err *err)
{
	struct tally *tally = self;

	(void)err;
	require(place->line >= 1);
	require(!row || row->scope[0] == '!' || (row->scope[0] == '\0') == (title[0] == '\0'));
	tally->calls++;
	tally->bytes += strlen(title) + strlen(value->text);
	return true;
}

/* True if the message after "f:LINE: " is one for a text that the scan accepted. */
static bool blames_libconfuse(const char *sentence)
{
	const char *words = strstr(sentence, ": ");

	return words && (strncmp(words, ": libconfuse refuses", 20) == 0 ||
			 strncmp(words, ": libconfuse did not", 20) == 0);
}

static bool parse(const uint8_t *data, size_t size, struct tally *tally)
{
	const char *text = (const char *)data;
	struct err err = {""};
	bool good = option_parse(option_rows, OPTION_ROWS, "f", text, size, count_value, tally, &err);

	require(good || strncmp(err.text, "f:", 2) == 0);
	require(good || !blames_libconfuse(err.text));
	return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tally first = {0};
	struct tally second = {0};

	require(parse(data, size, &first) == parse(data, size, &second));
	require(first.calls == second.calls && first.bytes == second.bytes);
	return 0;
}
