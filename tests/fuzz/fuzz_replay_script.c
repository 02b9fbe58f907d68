/* SPDX-License-Identifier: MIT */
/*
 * fuzz_replay_script.c - files of commands for a replay
 *
 * The commands of an accepted file are in order of time, none is before the log, and they are equal after the
 * file is written with seconds of the log and read again.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/trace/swf.h"
#include "tui/command/replay_setup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct trace_job job = {.submit_s = 100};

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void check_command(const struct replay_command *c)
{
	must(c->at_s >= 0);
	must(c->line[0] != '\0' && !strpbrk(c->line, "\n") && !strchr(" \t\r", c->line[0]));
}

static void check_again(const struct replay_script *first, const struct trace *trace)
{
	struct replay_script again;
	struct str text = {0};

	for (size_t i = 0; i < first->count; i++)
		str_addf(&text, "%" PRId64 " %s\n", first->command[i].at_s, first->command[i].line);
	must(replay_script_read("again", mem_string(str_text(&text)), trace, &again, NULL));
	must(again.count == first->count);
	for (size_t i = 0; i < again.count; i++)
		must(again.command[i].at_s == first->command[i].at_s &&
		     strcmp(again.command[i].line, first->command[i].line) == 0);
	replay_script_free(&again);
	str_free(&text);
}

static void read_with(const uint8_t *data, size_t size, const struct trace *trace)
{
	char *text = mem_alloc(size + 1);
	struct replay_script script;
	struct err err = {""};

	memcpy(text, data, size);
	text[size] = '\0';
	if (!replay_script_read("f", text, trace, &script, &err)) {
		must(strncmp(err.text, "f:", 2) == 0 && !script.text && script.count == 0);
		return;
	}
	for (size_t i = 0; i < script.count; i++) {
		check_command(&script.command[i]);
		must(i == 0 || script.command[i - 1].at_s <= script.command[i].at_s);
	}
	check_again(&script, trace);
	replay_script_free(&script);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_with(data, size, &(struct trace){.job = &job, .count = 1, .unix_start_s = 1000000000});
	read_with(data, size, &(struct trace){.job = &job, .count = 1});
	return 0;
}
