/* SPDX-License-Identifier: MIT */
/*
 * notify.h - notification of site programs
 *
 * Callers leave a notice and continue; a separate thread runs the programs, a few at a time, and kills
 * programs that exceed their time limit. The next notice is the oldest of the user with the fewest running
 * programs. A program that cannot be killed gives up its place, and counts for its user until it has exited.
 * The queue is bounded: when it is full, the oldest notice of the user with the most notices is dropped, and
 * a warning says how many were. The queue does not survive the scheduler, so a program is notified of an
 * event at most once.
 */
#ifndef RM_NOTIFY_H
#define RM_NOTIFY_H

#include <stdint.h>

#include "sched/base/err.h"

struct notify; /* opaque */

#define NOTIFY_RUNNING_MAX      8u    /* programs at a time */
#define NOTIFY_USER_RUNNING_MAX 2u    /* programs of one user at a time */
#define NOTIFY_WAITING_MAX      1000u /* queued notices */
#define NOTIFY_LIMIT_MS         30000 /* time limit of a program; then it is killed with its cgroup */
#define NOTIFY_GONE_MS          2000  /* time after which a killed program gives up its place */
#define NOTIFY_PROCESSES        64    /* processes of one program, if cgroups are available */
#define NOTIFY_MEM_MB           256   /* memory, likewise */
#define NOTIFY_CLOSE_MS         500   /* time limit of notify_free() */
#define NOTIFY_WARN_APART_MS    60000 /* minimum time between warnings */

struct notify_setup {
	const char *runner;    /* kahu-shepherd, which changes to the user; NULL: all programs run as this
				  process does */
	const char *cgroup;    /* folder for the cgroups of programs; NULL: none */
	int64_t soft_files;    /* soft limit of descriptors of these programs; 0 = that of this process */
	int64_t limit_ms;      /* NOTIFY_LIMIT_MS except in tests */
	int64_t warn_apart_ms; /* NOTIFY_WARN_APART_MS except in tests */
	/* Called by the thread with a warning; NULL = never. */
	void (*warn)(void *self, const char *text);
	void *self;
};

/* A program to run. */
struct notice {
	const char *user;               /* user of the job; with a runner the program runs as that user */
	const char *about;              /* "job 12", for messages */
	const char *const *argv;        /* path and arguments, NULL-terminated */
	const char *const *environment; /* "NAME=value" ..., NULL-terminated */
	const char *input;              /* text for its standard input */
};

/* Copies what setup points to, except self. NULL with a message. */
struct notify *notify_new(const struct notify_setup *setup, struct err *err);

/* Copies the notice and never blocks. May be called from any thread. */
void notify_send(struct notify *n, const struct notice *notice);

/* Runs queued notices for at most NOTIFY_CLOSE_MS, then kills and drops the rest. */
void notify_free(struct notify *n);

#endif
