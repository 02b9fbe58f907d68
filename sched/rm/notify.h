/* SPDX-License-Identifier: MIT */
/*
 * notify.h - notification of site programs
 *
 * Callers queue a notice and continue; a separate thread runs the programs, a few at a time, and kills
 * programs that exceed their time limit. The notice that is handled next is the oldest one of the user with
 * the fewest running programs. A program that cannot be killed loses its slot, but counts toward its user's
 * limit until it has exited. The queue is bounded: when it is full, the oldest notice of the user with the
 * most notices is dropped, and a warning tells how many notices were dropped. The queue is lost when the
 * scheduler exits, so a program is notified of an event at most once.
 */
#ifndef RM_NOTIFY_H
#define RM_NOTIFY_H

#include <stdint.h>

#include "sched/base/err.h"

struct notify; /* opaque */

#define NOTIFY_RUNNING_MAX      8u    /* maximum number of programs running at a time */
#define NOTIFY_USER_RUNNING_MAX 2u    /* maximum number of running programs of one user */
#define NOTIFY_WAITING_MAX      1000u /* maximum number of queued notices */
#define NOTIFY_LIMIT_MS         30000 /* time limit of a program, after which it is killed with its cgroup */
#define NOTIFY_GONE_MS          2000  /* time after which a killed program loses its slot */
#define NOTIFY_PROCESSES        64    /* maximum number of processes of a program, if cgroups are available */
#define NOTIFY_MEM_MB           256   /* memory limit of a program, if cgroups are available */
#define NOTIFY_CLOSE_MS         500   /* time limit of notify_free() */
#define NOTIFY_WARN_APART_MS    60000 /* minimum time between warnings */

struct notify_setup {
	const char *runner; /* kahu-shepherd, which changes to the user; NULL: all programs run as the user of
			       this process */
	const char *cgroup; /* folder for the cgroups of programs; NULL: none */
	int64_t soft_files; /* soft limit of descriptors for the programs; 0 = that of this process */
	int64_t limit_ms;   /* NOTIFY_LIMIT_MS except in tests */
	int64_t warn_apart_ms; /* NOTIFY_WARN_APART_MS except in tests */
	/* Called by the thread for each warning; NULL = warnings are discarded. */
	void (*warn)(void *self, const char *text);
	void *self;
};

/* A program to run. */
struct notice {
	const char *user;        /* user of the job; if there is a runner, the program runs as this user */
	const char *about;       /* what the program is about, for messages: "job 12" */
	const char *const *argv; /* path and arguments of the program, NULL-terminated */
	const char *const *environment; /* "NAME=value" ..., NULL-terminated */
	const char *input;              /* text for its standard input */
};

/* Starts the thread. Copies the strings of *setup. Returns NULL with a message on failure. */
struct notify *notify_new(const struct notify_setup *setup, struct err *err);

/* Queues a copy of the notice. Does not wait for programs. May be called from any thread. */
void notify_send(struct notify *n, const struct notice *notice);

/*
 * Continues to handle queued notices for at most NOTIFY_CLOSE_MS, then kills the running programs, drops the
 * remaining notices and frees everything.
 */
void notify_free(struct notify *n);

#endif
