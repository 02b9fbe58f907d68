/* SPDX-License-Identifier: MIT */
/*
 * at.h - --at: reports on a past state
 *
 * While a verb with --at runs, `s` and `now_s` in its struct cmd_env are a past state and its time, so that
 * reports need no special code for past states.
 */
#ifndef COMMAND_AT_H
#define COMMAND_AT_H

#include "cmd.h"
#include "store/store.h"
#include "tui/serve/client.h"

/*
 * Parses a past time: "14:10" (the most recent one), "2026-03-24T14:10" or "-2h" (before now_s). Returns
 * false with err set if the text is invalid or the time is in the future.
 */
bool at_second(const char *text, int64_t now_s, int64_t *out_s, struct err *err);

/*
 * Parses a time as at_second does, or the number of a journal entry, without reading the store. Sets
 * out->time_s for a time, and out->seq for an entry. Returns false with err set on failure.
 */
bool at_parse(const char *text, int64_t now_s, struct store_moment *out, struct err *err);

/*
 * Finds the journal entry and the time of a past state in a store. text is the number of a journal entry, or
 * a time as for at_second. Returns false with err set if the text is invalid, the time is in the future, or
 * the store no longer keeps that state.
 */
bool at_moment(struct store *store, const char *text, int64_t now_s, struct store_moment *out,
	       struct err *err);

/* The past state of --at, and the members of env that it replaces. Zeroed before at_begin. */
struct at {
	struct state *past; /* the past state, read from the store; NULL = not read from the store */
	/* the past state, received from the scheduler; `picture.s` is NULL if none was received */
	struct client_picture picture;
	const struct snapshot *s; /* env->s before at_begin; NULL = --at is not in use */
	int64_t now_s;            /* env->now_s before at_begin */
	bool was_past;            /* env->past before at_begin: the console already showed a past state */
};

/*
 * Sets env to the past state of --at; does nothing without --at. If the result is not CMD_DONE, env->err is
 * set.
 */
enum cmd_status at_begin(struct at *at, struct cmd_env *env);
/* Restores what at_begin has changed in env, and frees the past state. */
void at_end(struct at *at, struct cmd_env *env);

#endif
