/* SPDX-License-Identifier: MIT */
/*
 * replay_do.c - what do commands and reports say in the middle of a replay?
 *
 * The same verbs as everywhere, on the state as it is after the pass of that moment; what
 * they change is posted to the replay's driver, so the next pass sees it.
 */
#include "replay_do.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/json.h"
#include "sched/base/vec.h"
#include "sched/host/replay.h"
#include "tui/command/post.h"
#include "tui/serve/session.h"

static struct cmd_env make_env(struct replay *replay, int64_t at_s, struct cmd_changes *changes,
			       struct str *out)
{
	const struct snapshot *s = driver_view(replay_driver(replay));

	return (struct cmd_env){.s = s,
				.now_s = at_s > s->now_s ? at_s : s->now_s,
				.replay = replay,
				.who = session_user(),
				.out = out,
				.changes = changes};
}

static enum cmd_status run_line(struct replay *replay, struct cmd_env *env, const char *line)
{
	enum cmd_status status = cmd_run_line(env, line);

	if (status == CMD_DONE)
		status = post_changes(env, &(struct post_to){.driver = replay_driver(replay)});
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

/* Blanks the words --json in a line; false when there is none. */
static bool take_json(char *line)
{
	static const char word[] = "--json";
	const size_t len = sizeof word - 1;
	bool found = false;

	for (char *at = strstr(line, word); at != NULL; at = strstr(at + len, word)) {
		if ((at > line && at[-1] != ' ') || (at[len] != ' ' && at[len] != '\0'))
			continue;
		memset(at, ' ', len);
		found = true;
	}
	return found;
}

void replay_do(struct replay *replay, int64_t at_s, const char *line, bool ascii, struct replay_output *out)
{
	struct cmd_changes changes = {0};
	struct str printed = {0};
	struct cmd_env env = make_env(replay, at_s, &changes, &printed);
	enum cmd_status status;
	char *words;

	words = mem_string(line);
	env.ascii = ascii;
	env.json = take_json(words);
	status = run_line(replay, &env, words);
	free(words);
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

bool replay_report(struct replay *replay, int64_t at_s, const char *line, bool json, bool ascii,
		   struct str *out, struct err *err)
{
	struct cmd_changes changes = {0};
	struct cmd_env env = make_env(replay, at_s, &changes, out);
	enum cmd_status status;

	env.json = json;
	env.ascii = ascii;
	status = cmd_run_line(&env, line);
	cmd_changes_clear(&changes);
	return status == CMD_DONE || err_set(err, "%s", env.err.text);
}
