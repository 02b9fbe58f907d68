/* SPDX-License-Identifier: MIT */
/*
 * pair.h - how does a job have a terminal that is shown in ours?
 *
 * A pair of pseudo terminals: the job's side is its terminal, with ^C, job control and a size; our side is
 * copied to and from the terminal at our standard input and output, which meanwhile passes every key on as
 * it is. What was set there is put back by pair_end, which is called on every way out.
 */
#ifndef COMMAND_PAIR_H
#define COMMAND_PAIR_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "sched/base/err.h"

#define PAIR_FILES 2 /* that pair_watch fills */
#define PAIR_ROOM  4096

struct pair {
	int master;
	struct termios before;
	bool is_raw;
	bool hung_up;          /* the job's side is closed everywhere     */
	char typed[PAIR_ROOM]; /* on its way to the job                   */
	size_t typed_from, typed_to;
};

/* Standard input must be a terminal. False with a sentence. */
bool pair_open(struct pair *p, struct err *err);

/* The job's side, set and sized as our terminal is; to be closed when it has been passed on. -1 with a
 * sentence. */
int pair_side(const struct pair *p, struct err *err);

/* From now on keys go to the job. */
void pair_begin(struct pair *p);
/* Our terminal has another size: so has the job's, which is told so by the system. */
void pair_resize(const struct pair *p);

void pair_watch(const struct pair *p, struct pollfd files[static PAIR_FILES]);
/* Copies what is there. False: our terminal is gone. */
bool pair_turn(struct pair *p, const struct pollfd files[static PAIR_FILES]);

/* The job has ended: what it wrote at last is copied, then our terminal is as it was. */
void pair_end(struct pair *p);
void pair_close(struct pair *p);

#endif
