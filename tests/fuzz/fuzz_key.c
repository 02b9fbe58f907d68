/* SPDX-License-Identifier: MIT */
/*
 * fuzz_key.c - every key that is read is printed as a name that is read as the same key
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "tui/draw/key.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_alloc(size + 1);
	const char *at = text;
	struct key key, again;
	struct err err = {""};

	memcpy(text, data, size);
	text[size] = '\0';
	while (key_read(&at, &key, &err)) {
		char name[KEY_TEXT];

		if (!key_parse(key_text(name, key), &again, NULL) || !key_same(key, again))
			abort();
	}
	if (!err.text[0])
		abort();
	free(text);
	return 0;
}
