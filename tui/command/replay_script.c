/* SPDX-License-Identifier: MIT */
/*
 * replay_script.c - which commands are to run at which moments of a replay?
 */
#include "replay_script.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/rm/wallclock.h"
#include "sched/trace/trace.h"

static bool not_before_log(const char *text, int64_t at_s, struct err *err)
{
	return at_s >= 0 ||
	       err_set(err, "the moment '%s' lies before the log; its seconds count from 0", text);
}

bool trace_moment(const struct trace *trace, const char *text, int64_t *out_s, struct err *err)
{
	int64_t first_s = trace->count > 0 ? trace->job[0].submit_s : 0;

	if (str_read_whole(text, out_s))
		return not_before_log(text, *out_s, err);
	if (text[0] == '+') {
		if (!duration_parse(text + 1, out_s, err))
			return false;
		*out_s += first_s;
		return true;
	}
	if (trace->from_epoch)
		return wallclock_parse(text, first_s, out_s, err);
	if (!strchr(text, 'T'))
		return err_set(
			err,
			"'%s' is no moment of a log; write its own seconds, +D from the first submission, "
			"or a date like 2026-03-24T16:30",
			text);
	if (trace->unix_start_s <= 0)
		return err_set(
			err,
			"'%s': the log does not say when it began (UnixStartTime), so a date means nothing; "
			"use its own seconds",
			text);
	if (!wallclock_parse(text, trace->unix_start_s, out_s, err))
		return false;
	*out_s -= trace->unix_start_s;
	return not_before_log(text, *out_s, err);
}

/* --- the script ---------------------------------------------------------------------------- */

static bool take_line(struct replay_script *script, const struct trace *trace, char *line, struct err *err)
{
	char *word = line + strspn(line, " \t\r");
	size_t len = strcspn(word, " \t\r");
	char *command = word + len + strspn(word + len, " \t\r");
	struct replay_command *c;

	if (word[0] == '\0' || word[0] == '#')
		return true;
	if (command[0] == '\0')
		return err_set(err, "a line is 'TIME COMMAND...', got only '%s'", word);
	word[len] = '\0';
	script->command =
		vec_room(script->command, &script->room, script->count + 1, sizeof *script->command);
	c = &script->command[script->count];
	c->line = command;
	if (!trace_moment(trace, word, &c->at_s, err))
		return false;
	script->count++;
	return true;
}

/* Commands of one moment run in the order of the file, in which their lines lie. */
static int by_moment(const void *left, const void *right)
{
	const struct replay_command *a = left, *b = right;

	if (a->at_s != b->at_s)
		return a->at_s < b->at_s ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

bool replay_script_read(const char *file, char *text, const struct trace *trace, struct replay_script *out,
			struct err *err)
{
	unsigned number = 0;

	*out = (struct replay_script){.text = text};
	for (char *line = text, *next; line; line = next) {
		number++;
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!take_line(out, trace, line, err)) {
			replay_script_free(out);
			return err_prefix(err, "%s:%u", file, number);
		}
	}
	if (out->count > 1)
		qsort(out->command, out->count, sizeof *out->command, by_moment);
	return true;
}

void replay_script_free(struct replay_script *script)
{
	free(script->command);
	free(script->text);
	*script = (struct replay_script){0};
}
