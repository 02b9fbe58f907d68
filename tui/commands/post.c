/* SPDX-License-Identifier: MIT */
/*
 * post.c - what becomes of the changes a verb gave back, where no console asks about them?
 *
 * They are posted all or nothing; then each is named with its entry in the journal, which
 * is what undo takes.
 */
#include "post.h"

#include <inttypes.h>

#include "sched/base/json.h"
#include "sched/host/driver.h"
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

enum cmd_status post_changes(struct cmd_env *env, struct driver *driver)
{
	struct cmd_changes *changes = env->changes;
	enum driver_outcome outcome = DRIVER_DONE;
	struct str effect = {0};

	if (changes->count == 0)
		return CMD_DONE;
	if (!cmd_preview(env->s, env->now_s, changes, &effect, &env->err))
		outcome = DRIVER_REFUSED;
	else if (!env->dry_run)
		outcome = driver_post(driver, changes->event, changes->count, &env->err);
	if (outcome == DRIVER_DONE) {
		const struct snapshot *s = env->dry_run ? env->s : driver_view(driver);

		if (env->json)
			print_json(env, s, str_text(&effect));
		else
			print_plain(env, s, str_text(&effect));
	}
	str_free(&effect);
	return outcome == DRIVER_DONE ? CMD_DONE : outcome == DRIVER_REFUSED ? CMD_REFUSED : CMD_FAILED;
}
