/* SPDX-License-Identifier: MIT */
/*
 * said.h - output of verbs on a scene, and the changes that they request
 *
 * Text is compared line by line with runs of blanks replaced by one, so that tests do not depend on the
 * layout. said_done applies the changes that a verb requests.
 */
#ifndef TESTS_SAID_H
#define TESTS_SAID_H

#include <string.h>

#include "tests/scene.h"
#include "tui/command/cmd_list.h"

/* Removes trailing blanks, and replaces runs of blanks by one; the result begins and ends with a newline. */
static inline void said_squeeze(const char *text, struct str *out)
{
	str_add_char(out, '\n');
	for (const char *at = text; *at; at++) {
		char last = out->data[out->len - 1];

		if (*at == ' ' && (last == ' ' || last == '\n'))
			continue;
		if (*at == '\n' && last == ' ')
			out->data[--out->len] = '\0';
		str_add_char(out, *at);
	}
}

static inline enum cmd_status said_run(struct scene *sc, const char *line, bool json, struct str *out,
				       struct cmd_changes *changes, struct err *err)
{
	struct cmd_env env = {.verbs = &cmd_verbs,
			      .s = scene_view(sc),
			      .now_s = sc->now_s,
			      .who = "ops",
			      .json = json,
			      .out = out,
			      .changes = changes};
	enum cmd_status status = cmd_run_line(&env, line);

	*err = env.err;
	return status;
}

static inline void said_expect(const char *text, const char *wanted)
{
	if (strstr(text, wanted))
		return;
	fail_msg("looked for:\n%s\nin:\n%s", wanted, text);
}

/* The output of the verb contains these consecutive lines; each ends with a newline. */
static inline void check_lines(struct scene *sc, const char *verb, const char *lines)
{
	struct str out = {0}, squeezed = {0}, wanted = {0};
	struct cmd_changes changes = {0};
	struct err err;

	if (said_run(sc, verb, false, &out, &changes, &err) != CMD_DONE)
		fail_msg("%s: %s", verb, err.text);
	said_squeeze(str_text(&out), &squeezed);
	str_addf(&wanted, "\n%s", lines);
	said_expect(str_text(&squeezed), str_text(&wanted));
	cmd_changes_clear(&changes);
	str_free(&out);
	str_free(&squeezed);
	str_free(&wanted);
}

/* The JSON output of the verb contains this part. */
static inline void check_json(struct scene *sc, const char *verb, const char *part)
{
	struct str out = {0};
	struct cmd_changes changes = {0};
	struct err err;

	if (said_run(sc, verb, true, &out, &changes, &err) != CMD_DONE)
		fail_msg("%s: %s", verb, err.text);
	said_expect(str_text(&out), part);
	cmd_changes_clear(&changes);
	str_free(&out);
}

/* The verb fails with this status and error. */
static inline void check_refused(struct scene *sc, const char *verb, enum cmd_status status,
				 const char *sentence)
{
	struct str out = {0};
	struct cmd_changes changes = {0};
	struct err err;

	assert_int_equal(said_run(sc, verb, false, &out, &changes, &err), status);
	assert_string_equal(err.text, sentence);
	cmd_changes_clear(&changes);
	str_free(&out);
}

/* Runs the verb and applies the changes that it requests. */
static inline void said_done(struct scene *sc, const char *line)
{
	struct str out = {0};
	struct cmd_changes changes = {0};
	struct err err;

	if (said_run(sc, line, false, &out, &changes, &err) != CMD_DONE)
		fail_msg("%s: %s", line, err.text);
	for (size_t i = 0; i < changes.count; i++)
		scene_apply(sc, &changes.event[i]);
	cmd_changes_clear(&changes);
	str_free(&out);
}

#endif
