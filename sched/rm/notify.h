/* SPDX-License-Identifier: MIT */
/*
 * notify.h - notification of site programs
 *
 * Who has something to say leaves it here and goes on; a thread of its own starts the programs, a few at
 * a time, and ends who takes too long. The next notice is the oldest of the user with the fewest programs
 * that run; one that cannot be killed gives its place back, and counts for its user until it has ended. What
 * waits is bounded: when too much does, the oldest notice of the user with the most is
 * forgotten, and a warning says how many were. Nothing is kept over an end of the scheduler, so a program
 * hears of an event once or not at all.
 */
#ifndef RM_NOTIFY_H
#define RM_NOTIFY_H

#include <stdint.h>

#include "sched/base/err.h"

struct notify; /* opaque */

#define NOTIFY_RUNNING_MAX      8u    /* programs at a time              */
#define NOTIFY_USER_RUNNING_MAX 2u    /* of these those of one user      */
#define NOTIFY_WAITING_MAX      1000u /* notices that wait for one       */
#define NOTIFY_LIMIT_MS         30000 /* then a program is killed, and all of its cgroup */
#define NOTIFY_GONE_MS          2000  /* after that one that has not ended gives its place back */
#define NOTIFY_PROCESSES        64    /* of one program, where there are cgroups */
#define NOTIFY_MEM_MB           256   /* the same                                */
#define NOTIFY_CLOSE_MS         500   /* what is done at the end at most */
#define NOTIFY_WARN_APART_MS    60000 /* between warnings of forgotten notices, and about programs */

struct notify_setup {
	const char *runner;    /* kahu-shepherd, which becomes the user; NULL: all run as who we are */
	const char *cgroup;    /* below it the programs of a runner get cgroups; NULL: they get none */
	int64_t soft_files;    /* the soft limit of descriptors of these programs; 0 = ours          */
	int64_t limit_ms;      /* NOTIFY_LIMIT_MS but in tests                                       */
	int64_t warn_apart_ms; /* NOTIFY_WARN_APART_MS but in tests                                  */
	/* Called by the thread of the notices, with a sentence on what went wrong; NULL = nobody is. */
	void (*warn)(void *self, const char *text);
	void *self;
};

/* One program to be run. */
struct notice {
	const char *user;               /* the job's; it runs as that user where there is a runner */
	const char *about;              /* "job 12": for sentences                 */
	const char *const *argv;        /* the path first, NULL at the end         */
	const char *const *environment; /* "NAME=value" ..., NULL at the end       */
	const char *input;              /* for its standard input                  */
};

/* What setup points at is copied, but for self. NULL with a sentence. */
struct notify *notify_new(const struct notify_setup *setup, struct err *err);

/* Copies the notice; never waits. Any thread. */
void notify_send(struct notify *n, const struct notice *notice);

/* What waits is still done, as long as NOTIFY_CLOSE_MS allows; the rest is killed or forgotten. */
void notify_free(struct notify *n);

#endif
