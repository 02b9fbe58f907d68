/* SPDX-License-Identifier: MIT */
/*
 * fuzz_theme.c - theme files are read completely or refused with a message
 */
#include <stdint.h>
#include <stdlib.h>

#include "tui/draw/theme.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct theme theme;
	struct err err = {""};

	if (!theme_parse("fuzz.theme", (const char *)data, size, NULL, &theme, &err) && !err.text[0])
		abort();
	return 0;
}
