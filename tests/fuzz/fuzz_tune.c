/* SPDX-License-Identifier: MIT */
/*
 * fuzz_tune.c - option names that tune accepts are accepted by the scheduler
 *
 * The words of the line follow the verb. An accepted command is one event with the
 * full name of the option: the state accepts it, except for a node that does not exist, and tune accepts that
 * name with the same result.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "tests/unit/small_state.h"
#include "tui/command/cmd.h"
#include "tui/command/verbs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static enum cmd_status tune(struct cmd_changes *changes, int count, char **word, struct err *err)
{
	struct cmd_env env = {.now_s = 40, .who = "ops", .changes = changes};
	enum cmd_status status = cmd_tune.run(&env, count, word);

	*err = env.err;
	return status;
}

static void check_again(const struct event *ev)
{
	char verb[] = "tune", *name = mem_string(ev->setting.name), *value = mem_string(ev->setting.value);
	char *word[] = {verb, name, value, NULL};
	struct cmd_changes changes = {0};
	struct err err;

	require(tune(&changes, 3, word, &err) == CMD_DONE && changes.count == 1);
	require(strcmp(changes.event[0].setting.name, ev->setting.name) == 0);
	require(strcmp(changes.event[0].setting.value, ev->setting.value) == 0);
	cmd_changes_clear(&changes);
	free(name);
	free(value);
}

static void try_words(int count, char **word)
{
	struct cmd_changes changes = {0};
	struct err err = {""};

	if (tune(&changes, count, word, &err) == CMD_DONE) {
		struct state *st = small_state();

		require(changes.count == 1 && changes.event[0].kind == EVENT_SETTING);
		check_again(&changes.event[0]);
		require(event_apply(st, &changes.event[0], &err) ||
			strncmp(err.text, "there is no node", 16) == 0);
		state_free(st);
	} else {
		require(err.text[0] != '\0' && changes.count == 0);
	}
	cmd_changes_clear(&changes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_alloc(size + 6), **word;
	int count;

	memcpy(text, "tune ", 5);
	memcpy(text + 5, data, size);
	text[size + 5] = '\0';
	word = cmd_split(text, &count, NULL);
	if (word && count >= 1 + cmd_tune.min && count <= 1 + cmd_tune.max)
		try_words(count, word);
	free(word);
	free(text);
	return 0;
}
