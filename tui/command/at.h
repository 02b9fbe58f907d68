/* SPDX-License-Identifier: MIT */
/*
 * at.h - as of which moment does a verb report? (--at)
 *
 * A report reads a state and a clock, and does not know whether they are of now: --at puts those of a moment
 * that the journal keeps in their place while the verb runs.
 */
#ifndef COMMAND_AT_H
#define COMMAND_AT_H

#include "cmd.h"
#include "store/store.h"
#include "tui/serve/caller.h"

/* The second that a person means by "14:10" (the last one), "2026-03-24T14:10" or "-2h"; it is not ahead. */
bool at_second(const char *text, int64_t now_s, int64_t *out_s, struct err *err);

/* What a person means, before it is known whether it is kept: with an entry's number the second is not known
 * yet, with a second the entry is not. */
bool at_wish(const char *text, int64_t now_s, struct store_moment *out, struct err *err);

/*
 * The moment that a person means: the number of a journal entry, "14:10" (the last one), "2026-03-24T14:10",
 * or "-2h" (so long before now_s). False with a sentence: it is no such text, lies ahead, or is not kept.
 */
bool at_moment(struct store *store, const char *text, int64_t now_s, struct store_moment *out,
	       struct err *err);

/* What stands in place of the present. Zero at first. */
struct at {
	struct state *past;            /* NULL: it came from the scheduler, or it is the present */
	struct caller_picture picture; /* of the scheduler's; .s NULL: it is none  */
	const struct snapshot *s;
	int64_t now_s; /* of the present, like s */
	bool was_past; /* what is the present here is past already */
};

/* Takes env back to the moment that --at names; without --at it stays where it is. */
enum cmd_status at_begin(struct at *at, struct cmd_env *env);
/* Brings env to the present again. */
void at_end(struct at *at, struct cmd_env *env);

#endif
