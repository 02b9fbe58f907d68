/* SPDX-License-Identifier: MIT */
/*
 * at.c - --at: reports on a past state
 */
#include "at.h"

#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"
#include "sched/state/state.h"
#include "tui/serve/state_file.h"

const struct cmd_option cmd_at = {
	.name = "--at",
	.value = "MOMENT",
	.help = "report the state at this past time (14:10, 2026-03-24T14:10 or -2h), or after the journal "
		"entry with this number",
};

bool at_second(const char *text, int64_t now_s, int64_t *out_s, struct err *err)
{
	int64_t back_s;

	if (text[0] == '-') {
		if (!duration_parse(text + 1, &back_s, err))
			return false;
		*out_s = now_s - back_s;
	} else if (!wallclock_last(text, now_s, out_s, NULL)) {
		return err_set(err,
			       "not a past time: \"%s\"; write 14:10, 2026-03-24T14:10, -2h or the number of "
			       "a journal entry",
			       text);
	}
	return (*out_s <= now_s && text[0] != '+') ||
	       err_set(err, "\"%s\" is in the future; use 'kahu when' or 'kahu whatif'", text);
}

bool at_parse(const char *text, int64_t now_s, struct store_moment *out, struct err *err)
{
	int64_t number;

	*out = (struct store_moment){.seq = 0};
	if (text[0] == '-' || text[0] == '+' || !str_read_whole(text, &number))
		return at_second(text, now_s, &out->time_s, err);
	out->seq = (uint64_t)number;
	return number > 0 || err_set(err, "journal entries are numbered from 1, got '%s'", text);
}

bool at_moment(struct store *store, const char *text, int64_t now_s, struct store_moment *out,
	       struct err *err)
{
	if (!at_parse(text, now_s, out, err))
		return false;
	return out->seq != 0 ? store_moment_of_entry(store, out->seq, out, wallclock, err)
			     : store_moment_of_time(store, out->time_s, out, wallclock, err);
}

static void take_place(struct cmd_env *env, const struct snapshot *s, int64_t at_s, struct at *at)
{
	at->s = env->s;
	at->now_s = env->now_s;
	at->was_past = env->past;
	env->s = s;
	env->now_s = at_s;
	env->past = true;
}

static bool load(struct cmd_env *env, const struct store_moment *moment, struct at *at)
{
	at->past = store_state_after(env->store, moment->seq, &env->err);
	if (at->past != NULL)
		take_place(env, state_view(at->past), moment->time_s, at);
	return at->past != NULL;
}

/*
 * Gets the past state from the scheduler, for a user who cannot open the store. Returns false with env->err
 * set on failure.
 */
static bool fetch(struct cmd_env *env, const char *text, struct store_moment *moment, struct at *at)
{
	if (!at_parse(text, env->now_s, moment, &env->err) ||
	    !client_moment(env->client, moment, &at->picture, &env->err))
		return false;
	*moment = (struct store_moment){.seq = at->picture.s->seq, .time_s = at->picture.now_s};
	take_place(env, at->picture.s, moment->time_s, at);
	return true;
}

static bool go_back(struct cmd_env *env, const char *text, struct store_moment *moment, struct at *at)
{
	if (env->store == NULL)
		return fetch(env, text, moment, at);
	return at_moment(env->store, text, env->now_s, moment, &env->err) && load(env, moment, at);
}

/* Begins a text report with the time of the past state. */
static void say(struct cmd_env *env, const struct store_moment *moment)
{
	char when[MOMENT_TEXT];

	if (!env->json)
		str_addf(env->out, "As of %s, after entry %llu of the journal\n\n",
			 wallclock_long(when, moment->time_s), (unsigned long long)moment->seq);
}

enum cmd_status at_begin(struct at *at, struct cmd_env *env)
{
	const char *text = cmd_option(env, cmd_at.name);
	struct store_moment moment;

	if (text == NULL)
		return CMD_DONE;
	if (env->store == NULL && env->client == NULL) {
		err_set(&env->err,
			"--at %s: no journal is available, so past states are unknown; remove the option",
			text);
		return CMD_REFUSED;
	}
	if (!go_back(env, text, &moment, at))
		return CMD_REFUSED;
	say(env, &moment);
	return CMD_DONE;
}

void at_end(struct at *at, struct cmd_env *env)
{
	if (at->s == NULL)
		return;
	env->s = at->s;
	env->now_s = at->now_s;
	env->past = at->was_past;
	state_free(at->past);
	if (at->picture.s != NULL)
		memory_file_free(at->picture.s, at->picture.size);
}
