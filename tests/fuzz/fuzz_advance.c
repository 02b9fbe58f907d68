/* SPDX-License-Identifier: MIT */
/*
 * fuzz_advance.c - texts of advance reservations and hostlists
 *
 * A text is accepted or refused with a message. An accepted text is written and read again, and require be
 * equal. The text is also read as a hostlist, whose nodes must exist.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/model/advance.h"
#include "tests/unit/small_state.h"
#include "tui/command/hostlist.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_again(const struct advance_text *a)
{
	struct str first = {0}, second = {0};
	struct advance_text again;

	advance_write(a, &first);
	require(advance_read(str_text(&first), &again, NULL));
	advance_write(&again, &second);
	require(strcmp(str_text(&first), str_text(&second)) == 0);
	require(a->begin_s < a->end_s && a->all_nodes == (a->place_count == 0));
	advance_text_free(&again);
	str_free(&first);
	str_free(&second);
}

static void check_hostlist(const char *text)
{
	struct state *st = small_state();
	uint32_t nodes = snapshot_count(state_view(st), TABLE_NODES);
	bool *marked = mem_zero((size_t)nodes + 1, sizeof *marked);
	struct err err = {""};
	bool any = false;

	if (hostlist_mark(state_view(st), text, marked, &err)) {
		for (uint32_t n = 0; n < nodes; n++)
			any = any || marked[n];
		require(any);
	} else {
		require(err.text[0] != '\0');
	}
	free(marked);
	state_free(st);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_alloc(size + 1);
	struct advance_text a;
	struct err err = {""};

	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	if (advance_read(text, &a, &err)) {
		check_again(&a);
		advance_text_free(&a);
	} else {
		require(err.text[0] != '\0');
	}
	if (size < 1000)
		check_hostlist(text);
	free(text);
	return 0;
}
