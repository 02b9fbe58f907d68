/* SPDX-License-Identifier: MIT */
/*
 * pty.h - a pseudo terminal for a job, shown in the user's terminal
 *
 * The slave is the controlling terminal of the job: ^C, job control and the window size work in it. Output is
 * copied from the master to standard output, and input from standard input to the master. Meanwhile the
 * user's terminal is in raw mode; pty_finish restores its settings and must be called on all exit paths.
 */
#ifndef COMMAND_PTY_H
#define COMMAND_PTY_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "sched/base/err.h"

#define PTY_FILES 2
#define PTY_ROOM  4096

struct pty {
	int master;
	struct termios before;
	bool is_raw;
	bool hung_up;         /* no process has the slave open */
	char typed[PTY_ROOM]; /* input not yet written to the job */
	size_t typed_from, typed_to;
};

/* Allocates the terminal. Standard input must be a terminal too. Returns false with err set on failure. */
bool pty_open(struct pty *p, struct err *err);

/*
 * Returns the slave, with the settings and the size of the user's terminal; the caller closes it. Returns -1
 * with err set on failure.
 */
int pty_open_slave(const struct pty *p, struct err *err);

/* Sets the user's terminal to raw mode, so that all keys go to the job. */
void pty_start(struct pty *p);

/* Gives the slave the size of the user's terminal. */
void pty_resize(const struct pty *p);
void pty_poll_files(const struct pty *p, struct pollfd files[static PTY_FILES]);

/*
 * Copies input and output that are ready according to files, which pty_poll_files has set and poll() has
 * filled in. Returns false if the user's terminal is gone.
 */
bool pty_copy(struct pty *p, const struct pollfd files[static PTY_FILES]);

/* After the job has ended: copies its last output and restores the user's terminal. */
void pty_finish(struct pty *p);
void pty_close(struct pty *p);

#endif
