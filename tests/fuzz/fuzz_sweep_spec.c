/* SPDX-License-Identifier: MIT */
/*
 * fuzz_sweep_spec.c - the arguments of a sweep
 *
 * An argument gives values or a message. Every value of a range is a valid number of the option, and two
 * consecutive values are different.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "tests/unit/small_state.h"
#include "tui/query/draft_query.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* The number of a value of the option; of "300,400" the first. */
static double number_of(const struct knob *knob, const char *value)
{
	double number = 0;

	require(knob_read(knob, value, &number, NULL) || strpbrk(value, ",+-^%"));
	return number;
}

static void check_range(const struct sweep_spec *read, const struct snapshot *s)
{
	struct arena arena = {0};
	struct knob knob;

	require(knob_find(&knob, s, read->name, &arena, NULL));
	for (size_t i = 0; i < read->values; i++) {
		require(i == 0 || strcmp(read->value[i], read->value[i - 1]) != 0);
		(void)number_of(&knob, read->value[i]);
	}
	arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct state *st = small_state();
	char *text = mem_alloc(size + 1);
	struct err err = {.text = ""};
	struct sweep_spec read;
	struct arena arena = {0};

	memcpy(text, data, size);
	text[size] = '\0';
	if (sweep_spec_read(&read, state_view(st), text, &arena, &err)) {
		require(read.values >= 1 && read.values <= SWEEP_VALUES);
		require(strncmp(read.name, text, strlen(read.name)) == 0 && text[strlen(read.name)] == '=');
		if (strstr(text + strlen(read.name), ".."))
			check_range(&read, state_view(st));
	} else {
		require(err.text[0] != '\0');
	}
	arena_free(&arena);
	state_free(st);
	free(text);
	return 0;
}
