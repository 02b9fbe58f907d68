/* SPDX-License-Identifier: MIT */
/*
 * rewinder.h - who puts together what was so at a moment, beside the scheduler?
 *
 * The states of then are read, and made the files that are handed out, by a thread of its own, one after the
 * other, so that the scheduler goes on meanwhile. Everybody has one at a time, and all together a few; more
 * are refused. The last files are kept for who asks for the same; other moments one user gets
 * REWINDINGS_AT_ONCE in a row and then one every REWINDING_GAP_MS, since whom a file was given to may keep
 * it. Its functions are called by one thread alone, that of the scheduler.
 */
#ifndef TUI_SERVE_REWINDER_H
#define TUI_SERVE_REWINDER_H

#include <stdbool.h>
#include <sys/types.h>

#include "people.h"
#include "sched/base/err.h"
#include "store/store.h"

#define REWINDINGS_MAX     8 /* at a time */
#define REWINDINGS_AT_ONCE 32
#define REWINDING_GAP_MS   500

struct proxies;
struct rewinder;  /* opaque */
struct rewinding; /* opaque: one of them */

/* Store and proxies (handout.h) stay the caller's, and outlive it. NULL with a sentence. */
struct rewinder *rewinder_new(struct store *store, struct proxies *proxies, struct err *err);
/* Waits for what is being made; what was asked for is forgotten. NULL is allowed. */
void rewinder_free(struct rewinder *r);

/* Readable once one is done, until rewinder_clear. */
int rewinder_fd(const struct rewinder *r);
void rewinder_clear(struct rewinder *r);

/* seq 0: whatever it was at that second; whole: with all names. NULL with a sentence: it is one too many. */
struct rewinding *rewinder_ask(struct rewinder *r, const struct person *to, bool whole,
			       struct store_moment moment, struct err *err);
bool rewinder_is_done(struct rewinder *r, const struct rewinding *w);
/* Of one that is done: a sealed file of the state, the caller's to close, and its moment; once. -1 with a
 * sentence. */
int rewinder_take(struct rewinding *w, struct store_moment *moment, struct err *err);
/* Nobody wants it any more, whether it is done or not. NULL is allowed. */
void rewinder_forget(struct rewinder *r, struct rewinding *w);

#endif
