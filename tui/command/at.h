/* SPDX-License-Identifier: MIT */
/*
 * at.h - --at: reports on a past state
 *
 * While the verb runs, env has the state and the time of a past moment that the journal keeps. Reports do not
 * distinguish it from the present.
 */
#ifndef COMMAND_AT_H
#define COMMAND_AT_H

#include "cmd.h"
#include "store/store.h"
#include "tui/serve/client.h"

/* Parses "14:10" (the last one), "2026-03-24T14:10" or "-2h". Refuses times in the future. */
bool at_second(const char *text, int64_t now_s, int64_t *out_s, struct err *err);

/* Parses a time, or the number of a journal entry, without looking into a store: out has the one or the
 * other. */
bool at_parse(const char *text, int64_t now_s, struct store_moment *out, struct err *err);

/*
 * Finds a past moment in a store: the number of a journal entry, "14:10" (the last one), "2026-03-24T14:10",
 * or "-2h" (before now_s). False sets err: invalid text, a time in the future, or no longer kept.
 */
bool at_moment(struct store *store, const char *text, int64_t now_s, struct store_moment *out,
	       struct err *err);

/* The past state and the present one that it replaces. Zero at first. */
struct at {
	struct state *past;            /* NULL: from the scheduler, or the present */
	struct client_picture picture; /* from the scheduler; .s NULL: none */
	const struct snapshot *s;
	int64_t now_s; /* of the present, as s */
	bool was_past; /* s is itself a past state (screens of the past) */
};

/* Sets env to the past state of --at. Does nothing without --at. */
enum cmd_status at_begin(struct at *at, struct cmd_env *env);
/* Sets env to the present state again. */
void at_end(struct at *at, struct cmd_env *env);

#endif
