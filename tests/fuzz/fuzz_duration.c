/* SPDX-License-Identifier: MIT */
/*
 * fuzz_duration.c - texts of durations, sizes and times
 *
 * An accepted value is within its range, and is equal after it is written and read again.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/vec.h"

#define NOW INT64_C(1774368131)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good)
{
	if (!good)
		abort();
}

static void try_duration(const char *text)
{
	char buf[DURATION_TEXT];
	struct err err = {""};
	int64_t s;
	int64_t again;

	if (!duration_parse(text, &s, &err)) {
		require(err.text[0]);
		return;
	}
	require(s >= 0 && s <= DURATION_MAX_S);
	require(duration_parse(duration_text(buf, s), &again, NULL) && again == s);
	require(strlen(duration_short(buf, s)) <= 7);
}

static void try_moment(const char *text)
{
	char buf[MOMENT_TEXT];
	int64_t s;
	int64_t again;

	if (!moment_parse(text, NOW, &s, NULL))
		return;
	require(s >= 0 && s <= MOMENT_MAX_S);
	require(moment_parse(moment_iso(buf, s), NOW, &again, NULL) && again == s);
	moment_long(buf, s);
	moment_short(buf, s, NOW);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_alloc(size + 1);
	int64_t mb;

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	try_duration(text);
	try_moment(text);
	if (memory_parse(text, &mb, NULL))
		require(mb >= 0 && mb <= MEMORY_MAX_MB);
	free(text);
	return 0;
}
