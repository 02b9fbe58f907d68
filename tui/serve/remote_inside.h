/* SPDX-License-Identifier: MIT */
/*
 * remote_inside.h - what the two threads of an attached console and its own share
 *
 *     remote_share.c  pictures, connections
 *     remote_post.c   the poster: changes, in which files the words of jobs are, and which have ended
 *     remote.c        the watcher, life
 *
 * All behind one mutex, but for a connection: its own thread opens and closes it, under the mutex, so that
 * who ends can break it off.
 */
#ifndef TUI_CONSOLE_REMOTE_INSIDE_H
#define TUI_CONSOLE_REMOTE_INSIDE_H

#include <pthread.h>

#include "remote.h"
#include "sched/base/arena.h"
#include "tui/serve/caller.h"

/* A picture with who holds it; the shared part comes first. */
struct fetched {
	struct shared_snapshot shared;
	size_t size;
	unsigned holders; /* the remote holds the latest */
};

struct order {
	struct order *next;
	uint64_t ticket;
	struct event *event; /* in the arena; NULL: the files of a job are wanted, or the jobs that ended */
	size_t count;
	uint64_t job;           /* 0: those that ended are */
	struct ended_span span; /* these                   */
	struct arena arena;
};

struct reply {
	struct reply *next;
	struct host_answer answer;
};

struct remote {
	char *store; /* as it was named; NULL = it was not */
	int wake_fd;
	pthread_t watcher, poster;

	pthread_mutex_t lock; /* guards all below */
	pthread_cond_t work;  /* something is wanted, ordered, or it is time to end */
	struct fetched *latest;
	struct caller *watching, *posting; /* connections, NULL = none */
	struct order *first, **last;
	struct reply *first_reply, **last_reply;
	struct err warning; /* not yet taken; empty = none */
	struct job_files files;
	bool files_found; /* and not yet taken */
	struct ended_list ended;
	bool ended_found; /* likewise */
	int64_t clock_s;  /* the scheduler's, as it last said */
	uint64_t next_ticket;
	bool wanted, lost, stop;
};

/* remote_share.c */
/* Wakes the console's thread. */
void remote_ring(const struct remote *r);
/* Takes the picture over. since: the version it was waited for from, when another may have come meanwhile
 * that is newer, and then it is dropped; 0 = it was not waited for. */
void remote_publish(struct remote *r, const struct caller_picture *picture, uint64_t since);
/* As in struct source_ops. */
const struct shared_snapshot *remote_hold(void *self);
void remote_release(void *self, const struct shared_snapshot *shared);
void remote_ask(void *self);
bool remote_is_newer(void *self, uint64_t version);
/* The latest; when nobody else is left who could hold it. */
void remote_forget_picture(struct remote *r);

/* The connection of a thread: opened or, with NULL, closed. False: it is time to end. */
bool remote_set_connection(struct remote *r, struct caller **place, struct caller *c);
/* It, or a new one; NULL with a sentence. */
struct caller *remote_connect(struct remote *r, struct caller **place, struct err *err);

/* remote_post.c */
/* The poster: brings what is ordered until it is time to end. self is the remote. */
void *remote_carry(void *self);
/* As in struct source_ops. */
uint64_t remote_post(void *self, const struct event *ev, size_t count);
bool remote_take_answer(void *self, struct host_answer *out);
void remote_ask_files(void *self, uint64_t job);
bool remote_take_files(void *self, struct job_files *out);
void remote_ask_ended(void *self, const struct ended_span *span);
bool remote_take_ended(void *self, struct ended_list *out);
/* What was not brought, and answers that nobody took. */
void remote_forget_orders(struct remote *r);

#endif
