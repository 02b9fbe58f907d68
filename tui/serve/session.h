/* SPDX-License-Identifier: MIT */
/*
 * session.h - a console's scheduler, and the paths of its store
 *
 * The console looks at a scheduler that runs in its own process (sched/host/host.h) or in another one, which
 * it reaches through the door (remote.h), and cannot tell which: both give out snapshots that are held and
 * given back, take batches of events and answer them later, and wake one descriptor when there is news.
 * Nothing here waits. All of it is called by the console's thread.
 */
#ifndef SERVE_SESSION_H
#define SERVE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/base/str.h"
#include "sched/host/host.h"
#include "store/store.h"

/* Where the words of a job are. */
#define SOURCE_PATH 4096
#define SOURCE_USER 64

struct job_files {
	uint64_t job;
	char user[SOURCE_USER];                        /* whose job it is; "" = not said */
	char output[SOURCE_PATH], errors[SOURCE_PATH]; /* absolute; "" = nowhere, and err says why */
	struct err err;
};

/* Jobs that ended at since_s or later and not after until_s; of these the newest, at most so many. */
struct ended_span {
	int64_t since_s, until_s; /* until_s: INT64_MAX = no bound */
	uint64_t newest;
};

/* The last one first. */
struct history_filter ended_span_wish(const struct ended_span *span);

/* Jobs that have ended, the last one first, as records in the store's own form: past_read. */
struct ended_list {
	struct str bytes; /* the taker's */
	size_t count;
	struct err err; /* not empty: they could not be read, and why */
};

/* A state as it came. */
struct past_picture {
	const struct snapshot *s;
	size_t size;
};

struct source_ops {
	/* The latest snapshot, until it is given back. Never NULL. */
	const struct shared_snapshot *(*hold)(void *self);
	void (*release)(void *self, const struct shared_snapshot *shared);
	/* Wants a newer one, once there is: at most once a frame. */
	void (*ask)(void *self);
	/* Is it known that there is a newer one than of that version? */
	bool (*is_newer)(void *self, uint64_t version);

	/* Sends events (deep copied), all or nothing; in several requests only when they are more than one
	 * may have. Returns a ticket; its answer comes behind the snapshot that shows what it did. */
	uint64_t (*post)(void *self, const struct event *ev, size_t count);
	bool (*take_answer)(void *self, struct host_answer *out);
	/* What went wrong outside and is dealt with; of several the last. */
	bool (*take_warning)(void *self, struct err *out);

	/* Asks for the files of a job; the answer is taken later. NULL: who asks has the store. */
	void (*ask_files)(void *self, uint64_t job);
	bool (*take_files)(void *self, struct job_files *out);

	/* Asks for jobs that have ended, likewise. */
	void (*ask_ended)(void *self, const struct ended_span *span);
	bool (*take_ended)(void *self, struct ended_list *out);

	/*
	 * The state of a moment that is past, to be given back with drop_past; *moment becomes the one it is
	 * of. Blocks; from any thread. False with a sentence. NULL: who asks has the store.
	 */
	bool (*fetch_past)(void *self, struct store_moment *moment, struct past_picture *out,
			   struct err *err);
	void (*drop_past)(const struct past_picture *picture);

	/* Readable when there is news: first clear_wake, then look. */
	int (*wake_fd)(const void *self);
	void (*clear_wake)(void *self);

	int64_t (*now_s)(void *self);
	/* It has stopped for good. */
	bool (*failed)(void *self, struct err *err);
	/* It cannot be reached at the moment; it is tried again and again. */
	bool (*is_lost)(void *self);
};

struct source {
	const struct source_ops *ops;
	void *self;
};

/* The scheduler in this process; the host stays the caller's. */
struct source source_of_host(struct host *host);

/* --- a console's scheduler, and the paths of its store ------------------------------------------------ */

/*
 * A session is a running scheduler, here or elsewhere, on a store with what the person at
 * the terminal asked for. The verbs that open one (demo, replay --console, no verb at all)
 * fill it, call console_run (tui/console/console.h) and close it.
 */

struct driver;
struct host;
struct store;

#define THEME_AT_FIRST "default"

struct session {
	struct source source; /* the running scheduler                                      */
	struct host *host;    /* simulated: whose clock is moved; stopped by session_close  */
	struct store *store;  /* for the journal; owned                                    */
	bool attached;        /* it runs in another process, and goes on without this one         */
	bool detach;          /* written by console_run: it shall go on when the console is left    */
	bool simulated;       /* virtual time: < > and Z move it                           */
	bool readonly;        /* --readonly: verbs that change something are refused       */
	bool ascii;           /* --ascii                                                   */
	bool color;           /* false: --no-color (NO_COLOR is the terminal's business)   */
	const char *who;      /* for events                                                */
	const char *theme;    /* name; NULL = THEME_AT_FIRST                               */
};

/* The folder of a store as the design says: dir, else $KAHU_STORE, else the user's place. False: no home. */
bool session_store_dir(const char *dir, char *out, size_t room, struct err *err);

/* The configuration file likewise; "" when neither is named and the usual one does not exist. */
bool session_config_file(const char *file, char *out, size_t room, struct err *err);

/* The same whether it exists or not: where a new one goes. */
bool session_config_place(const char *file, char *out, size_t room, struct err *err);

/* The folder of the socket of the scheduler that holds the store: for the usual store the usual one, which
 * others can reach; else the store itself. dir as for session_store_dir. */
bool session_socket_dir(const char *dir, char *out, size_t room, struct err *err);

/* The name of the user who runs the program; valid until the next call. */
const char *session_user(void);

/* Starts the host thread; at least from the state's last moment on. The driver is taken over. */
bool session_start(struct session *s, struct driver *driver, int64_t start_s, int speed, struct err *err);

/* Stops the scheduler and closes the store. Zero is a valid closed session. */
void session_close(struct session *s);

#endif
