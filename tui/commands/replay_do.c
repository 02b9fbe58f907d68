/* SPDX-License-Identifier: MIT */
/*
 * replay_do.c - which commands run at which moments of a replay?
 *
 * The same verbs as everywhere, on the state as it is after the pass of that moment; what
 * they change is posted to the replay's driver, so the next pass sees it.
 */
#include "replay_do.h"

#include <stdlib.h>
#include <string.h>

#include "post.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/base/vec.h"
#include "sched/host/driver.h"
#include "sched/host/files.h"
#include "sched/trace/swf.h"
#include "tui/session.h"

#define SCRIPT_MAX_BYTES ((size_t)16 << 20)

bool trace_moment(const struct trace *trace, const char *text, int64_t *out_s, struct err *err)
{
	int64_t first_s = trace->count > 0 ? trace->job[0].submit_s : 0;

	if (str_read_whole(text, out_s)) {
		if (*out_s >= 0)
			return true;
		return err_set(err, "the moment '%s' lies before the log; its seconds count from 0", text);
	}
	if (text[0] == '+') {
		if (!duration_parse(text + 1, out_s, err))
			return false;
		*out_s += first_s;
		return true;
	}
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
	if (!moment_parse(text, trace->unix_start_s, out_s, err))
		return false;
	*out_s -= trace->unix_start_s;
	return true;
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

bool replay_script_read(const char *file, const struct trace *trace, struct replay_script *out,
			struct err *err)
{
	struct str text = {0};
	unsigned number = 0;
	char *next;

	*out = (struct replay_script){0};
	if (!file_read(file, SCRIPT_MAX_BYTES, &text, err)) {
		str_free(&text);
		return false;
	}
	str_add(&text, "");
	out->text = next = text.data;
	while (next) {
		char *line = next;

		number++;
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!take_line(out, trace, line, err)) {
			replay_script_free(out);
			return err_prefix(err, "%s:%u", file_name(file), number);
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

/* --- running -------------------------------------------------------------------------------- */

static struct cmd_env make_env(struct driver *driver, int64_t at_s, struct cmd_changes *changes,
			       struct str *out)
{
	const struct snapshot *s = driver_view(driver);

	return (struct cmd_env){.s = s,
				.now_s = at_s > s->now_s ? at_s : s->now_s,
				.who = session_user(),
				.out = out,
				.changes = changes};
}

static enum cmd_status run_line(struct driver *driver, struct cmd_env *env, const char *line)
{
	enum cmd_status status = cmd_run_line(env, line);

	if (status == CMD_DONE)
		status = post_changes(env, driver);
	cmd_changes_clear(env->changes);
	return status;
}

static void put_json(struct json *j, int64_t at_s, const char *line, enum cmd_status status,
		     const char *output)
{
	json_open(j, NULL, '{');
	json_int(j, "time", at_s);
	json_text(j, "command", line);
	json_int(j, "status", status);
	json_text(j, "output", output);
	json_close(j);
}

void replay_do(struct driver *driver, int64_t at_s, const char *line, bool ascii, struct replay_output *out)
{
	struct cmd_changes changes = {0};
	struct str printed = {0};
	struct cmd_env env = make_env(driver, at_s, &changes, &printed);
	enum cmd_status status;

	env.ascii = ascii;
	status = run_line(driver, &env, line);
	if (status != CMD_DONE) {
		str_addf(&printed, "%s\n", env.err.text);
		out->refused = true;
	}
	if (out->json)
		put_json(out->json, at_s, line, status, str_text(&printed));
	else
		str_addf(out->text, "$ %s\n%s\n", line, str_text(&printed));
	str_free(&printed);
}

bool replay_report(struct driver *driver, int64_t at_s, const char *line, bool json, bool ascii,
		   struct str *out, struct err *err)
{
	struct cmd_changes changes = {0};
	struct cmd_env env = make_env(driver, at_s, &changes, out);
	enum cmd_status status;

	env.json = json;
	env.ascii = ascii;
	status = cmd_run_line(&env, line);
	cmd_changes_clear(&changes);
	return status == CMD_DONE || err_set(err, "%s", env.err.text);
}
