/* SPDX-License-Identifier: MIT */
/*
 * at.c - as of which moment does a verb report?
 */
#include "at.h"

#include "sched/base/duration.h"
#include "sched/core/state.h"
#include "tui/wallclock.h"

#define DAY_S 86400

bool at_second(const char *text, int64_t now_s, at_clock *clock, int64_t *out_s, struct err *err)
{
	int64_t back_s;

	if (text[0] == '-') {
		if (!duration_parse(text + 1, &back_s, err))
			return false;
		*out_s = now_s - back_s;
	} else if (!clock(text, now_s - DAY_S + 1, out_s, NULL)) {
		return err_set(err,
			       "\"%s\" is no moment of the past: write 14:10, 2026-03-24T14:10, -2h or the "
			       "number of a journal entry",
			       text);
	}
	return (*out_s <= now_s && text[0] != '+') ||
	       err_set(err, "\"%s\" is still to come: 'kahu when' and 'kahu whatif' look ahead", text);
}

bool at_moment(struct store *store, const char *text, int64_t now_s, at_clock *clock,
	       struct store_moment *out, struct err *err)
{
	int64_t number;

	if (text[0] != '-' && text[0] != '+' && str_read_whole(text, &number))
		return store_moment_of_entry(store, (uint64_t)number, out, err);
	return at_second(text, now_s, clock, &number, err) && store_moment_of_time(store, number, out, err);
}

static bool load(struct cmd_env *env, const struct store_moment *moment, struct at *at)
{
	struct state *past = state_new();

	if (!store_state_at(env->store, moment->seq, past, &env->err)) {
		state_free(past);
		return false;
	}
	*at = (struct at){.past = past, .s = env->s, .now_s = env->now_s, .was_past = env->past};
	env->s = state_view(past);
	env->now_s = moment->time_s;
	env->past = true;
	return true;
}

/* A report for people says what they look at. */
static void say(struct cmd_env *env, const struct store_moment *moment)
{
	char when[MOMENT_TEXT];

	if (!env->json)
		str_addf(env->out, "As of %s, after entry %llu of the journal\n\n",
			 moment_long(when, wallclock(moment->time_s)), (unsigned long long)moment->seq);
}

enum cmd_status at_begin(struct at *at, struct cmd_env *env)
{
	const char *text = cmd_option(env, cmd_at.name);
	struct store_moment moment;

	if (text == NULL)
		return CMD_DONE;
	if (env->store == NULL) {
		err_set(&env->err, "--at %s: there is no journal here to look back in", text);
		return CMD_REFUSED;
	}
	if (!at_moment(env->store, text, env->now_s, wallclock_parse, &moment, &env->err) ||
	    !load(env, &moment, at))
		return CMD_REFUSED;
	say(env, &moment);
	return CMD_DONE;
}

void at_end(struct at *at, struct cmd_env *env)
{
	if (at->past == NULL)
		return;
	env->s = at->s;
	env->now_s = at->now_s;
	env->past = at->was_past;
	state_free(at->past);
}
