/* SPDX-License-Identifier: MIT */
/*
 * fuzz_words.c - can a line, a selection or a script of a replay do harm?
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/trace/swf.h"
#include "tui/commands/cmd.h"
#include "tui/commands/replay_script.h"
#include "tui/commands/select.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct trace_job job = {.submit_s = 100};
	const struct trace trace = {.job = &job, .count = 1, .unix_start_s = 1000000000};
	char *text = mem_alloc(size + 1);
	struct replay_script script;
	struct job_filter filter;
	struct err err;
	char **words;
	int count;

	memcpy(text, data, size);
	text[size] = '\0';
	words = cmd_split(text, &count, &err);
	for (int i = 0; words && i < count; i++)
		if (strlen(words[i]) > size)
			abort();
	free(words);
	if (job_filter_read(text, &filter, &err))
		job_filter_clear(&filter);
	if (replay_script_read("script", text, &trace, &script, &err)) {
		for (size_t i = 1; i < script.count; i++)
			if (script.command[i - 1].at_s > script.command[i].at_s)
				abort();
		replay_script_free(&script);
	}
	return 0;
}
