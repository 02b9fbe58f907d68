/* SPDX-License-Identifier: MIT */
/*
 * post.c - what becomes of the changes a verb gave back, where no console asks about them?
 *
 * They are posted all or nothing; then each is named with its entry in the journal, which
 * is what undo takes.
 */
#include "post.h"

#include <inttypes.h>
#include <stdio.h>

#include "caller.h"
#include "sched/base/json.h"
#include "tui/draw/text.h"

#define SHOWN_MAX 20

static void print_plain(const struct cmd_env *env, const struct snapshot *s, const char *effect)
{
	struct str line = {0};

	for (size_t i = 0; i < env->changes->count && i < SHOWN_MAX; i++) {
		const struct event *ev = &env->changes->event[i];

		str_clear(&line);
		cmd_describe(s, ev, &line);
		if (env->dry_run)
			str_add(env->out, "would ");
		text_safe(env->out, str_text(&line), env->ascii);
		if (!env->dry_run)
			str_addf(env->out, "  [journal %" PRIu64 "]", ev->seq);
		str_add_char(env->out, '\n');
	}
	if (env->changes->count > SHOWN_MAX)
		str_addf(env->out, "and %zu more\n", env->changes->count - SHOWN_MAX);
	str_addf(env->out, "%s\n", effect);
	str_free(&line);
}

static void print_json(const struct cmd_env *env, const struct snapshot *s, const char *effect)
{
	struct json j = {.out = env->out};
	struct str line = {0};

	json_open(&j, NULL, '{');
	json_bool(&j, "applied", !env->dry_run);
	json_text(&j, "effect", effect);
	json_open(&j, "changes", '[');
	for (size_t i = 0; i < env->changes->count; i++) {
		const struct event *ev = &env->changes->event[i];

		str_clear(&line);
		cmd_describe(s, ev, &line);
		json_open(&j, NULL, '{');
		json_text(&j, "what", str_text(&line));
		json_int_or_null(&j, "seq", env->dry_run ? 0 : (int64_t)ev->seq, 0);
		json_close(&j);
	}
	json_close(&j);
	json_close(&j);
	str_add_char(env->out, '\n');
	str_free(&line);
}

enum driver_outcome post_events(const struct post_to *to, struct event *ev, size_t count, struct err *err)
{
	return to->driver != NULL ? driver_post(to->driver, ev, count, err)
				  : caller_post(to->caller, ev, count, err);
}

/* Submissions alone are named by their ids, for scripts; what they do to others is not looked at. */
static bool only_submissions(const struct cmd_changes *changes)
{
	for (size_t i = 0; i < changes->count; i++)
		if (changes->event[i].kind != EVENT_SUBMIT)
			return false;
	return true;
}

/* All of an array is named as what acts on it is told. */
static void print_id(const struct cmd_env *env, struct json *j, const struct event *ev)
{
	bool array = ev->submit.range_count > 0;
	char name[32];

	snprintf(name, sizeof name, "%" PRIu64 "%s", ev->job, array ? "[]" : "");
	if (!env->json)
		str_addf(env->out, "%s\n", name);
	else if (array)
		json_text(j, NULL, name);
	else
		json_int(j, NULL, (int64_t)ev->job);
}

static void print_ids(const struct cmd_env *env)
{
	struct json j = {.out = env->out};

	if (env->json)
		json_open(&j, NULL, '[');
	for (size_t i = 0; i < env->changes->count; i++)
		print_id(env, &j, &env->changes->event[i]);
	if (env->json) {
		json_close(&j);
		str_add_char(env->out, '\n');
	}
}

static enum cmd_status status_of(enum driver_outcome outcome)
{
	return outcome == DRIVER_DONE ? CMD_DONE : outcome == DRIVER_REFUSED ? CMD_REFUSED : CMD_FAILED;
}

static enum cmd_status post_submissions(struct cmd_env *env, const struct post_to *to)
{
	enum driver_outcome outcome = post_events(to, env->changes->event, env->changes->count, &env->err);

	if (outcome == DRIVER_DONE)
		print_ids(env);
	return status_of(outcome);
}

enum cmd_status post_changes(struct cmd_env *env, const struct post_to *to)
{
	struct cmd_changes *changes = env->changes;
	enum driver_outcome outcome = DRIVER_DONE;
	struct str effect = {0};

	if (changes->count == 0)
		return CMD_DONE;
	if (only_submissions(changes))
		return post_submissions(env, to);
	if (!cmd_preview(env->s, env->now_s, changes, &effect, &env->err))
		outcome = DRIVER_REFUSED;
	else if (!env->dry_run)
		outcome = post_events(to, changes->event, changes->count, &env->err);
	if (outcome == DRIVER_DONE) {
		const struct snapshot *s =
			env->dry_run || to->driver == NULL ? env->s : driver_view(to->driver);

		if (env->json)
			print_json(env, s, str_text(&effect));
		else
			print_plain(env, s, str_text(&effect));
	}
	str_free(&effect);
	return status_of(outcome);
}
