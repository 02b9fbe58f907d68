/* SPDX-License-Identifier: MIT */
/*
 * fuzz_text.c - printed texts: no control characters, and the measured width
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "tui/draw/canvas.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good)
{
	if (!good)
		abort();
}

static void require_no_control(const struct str *text)
{
	for (size_t i = 0; i < text->len;) {
		uint32_t code;

		i += text_decode(text->data + i, text->len - i, &code);
		require(code != TEXT_INVALID && text_code_width(code) >= 0);
	}
}

static void check_width(const char *text, bool ascii)
{
	struct canvas canvas = {.ascii = ascii};
	struct str safe = {0}, fitted = {0};
	int width = text_width(text);

	text_safe(&safe, text, ascii);
	require_no_control(&safe);
	require(text_width(str_text(&safe)) == width);
	text_fit(&fitted, text, width / 2, TEXT_RIGHT, ascii);
	require(text_width(str_text(&fitted)) == width / 2);
	canvas_resize(&canvas, 20, 2);
	require(canvas_put(&canvas, canvas_rect(&canvas), 3, 1, ROLE_TEXT, text) == width);
	canvas_free(&canvas);
	str_free(&fitted);
	str_free(&safe);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_alloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	check_width(text, false);
	check_width(text, true);
	free(text);
	return 0;
}
