/* SPDX-License-Identifier: MIT */
/*
 * session.h - a console's scheduler, and the paths of its store
 *
 * The console uses a scheduler in its own process (sched/host/host.h) or in another one, connected through a
 * socket (remote.h), by the same operations: both provide reference-counted snapshots, accept batches of
 * events and answer them later, and signal one descriptor when something is new. No operation blocks unless
 * stated. All of them are called by the console's thread.
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

/* Paths of a job's output files. */
#define SOURCE_PATH 4096
#define SOURCE_USER 64

struct job_files {
	uint64_t job;
	char user[SOURCE_USER];                        /* user of the job; "" = unknown */
	char output[SOURCE_PATH], errors[SOURCE_PATH]; /* absolute; "" = none, with the reason in err */
	struct err err;
};

/* Jobs that ended from since_s to until_s inclusive; of these the newest, up to a maximum number. */
struct ended_span {
	int64_t since_s, until_s; /* until_s: INT64_MAX = no bound */
	uint64_t newest;
};

/* The filter for these jobs, last end first. */
struct history_filter ended_span_wish(const struct ended_span *span);

/* Ended jobs, last end first, as records in the store's format: past_read. */
struct ended_list {
	struct str bytes; /* owned by the receiver */
	size_t count;
	struct err err; /* if not empty, why they could not be read */
};

/* A state as received. */
struct past_picture {
	const struct snapshot *s;
	size_t size;
};

struct source_ops {
	/* Acquires the latest snapshot, to be released by drop. Never NULL. */
	const struct shared_snapshot *(*hold)(void *self);
	void (*release)(void *self, const struct shared_snapshot *shared);
	/* Requests a newer snapshot when there is one. Called at most once per frame. */
	void (*ask)(void *self);
	/* Is a snapshot newer than the given version known to exist? */
	bool (*is_newer)(void *self, uint64_t version);

	/*
	 * Sends events (deep copies), all or nothing; in several requests only if they exceed the limit of
	 * one. Returns a ticket; the answer is delivered after the snapshot that shows its effect.
	 */
	uint64_t (*post)(void *self, const struct event *ev, size_t count);
	bool (*take_answer)(void *self, struct host_answer *out);
	/* The last recovered error since the previous call. */
	bool (*take_warning)(void *self, struct err *out);

	/* Requests the output paths of a job; the answer is taken later. NULL: the console has the store. */
	void (*ask_files)(void *self, uint64_t job);
	bool (*take_files)(void *self, struct job_files *out);

	/* Requests ended jobs in the same way. */
	void (*ask_ended)(void *self, const struct ended_span *span);
	bool (*take_ended)(void *self, struct ended_list *out);

	/*
	 * Fetches a past state, to be released by drop_past; *moment becomes its exact time. Blocks; may be
	 * called in any thread. False with a sentence. NULL: the console has the store.
	 */
	bool (*fetch_past)(void *self, struct store_moment *moment, struct past_picture *out,
			   struct err *err);
	void (*drop_past)(const struct past_picture *picture);

	/* Readable when something is new: call clear_wake before examining it. */
	int (*wake_fd)(const void *self);
	void (*clear_wake)(void *self);

	int64_t (*now_s)(void *self);
	/* The scheduler has stopped permanently. */
	bool (*failed)(void *self, struct err *err);
	/* The scheduler cannot be reached; the connection is being retried. */
	bool (*is_lost)(void *self);
};

struct source {
	const struct source_ops *ops;
	void *self;
};

/* Operations on the scheduler in this process; the caller keeps the host. */
struct source source_of_host(struct host *host);

/* --- a console's scheduler, and the paths of its store ------------------------------------------------ */

/*
 * A session is a running scheduler, in this or another process, on a store, together with the options of the
 * person at the terminal. The verbs that open a console (demo, replay --console, no verb) fill it, call
 * console_run (tui/console/console.h) and close it.
 */

struct driver;
struct host;
struct store;

#define THEME_AT_FIRST "default"

struct session {
	struct source source; /* the running scheduler */
	struct host *host;    /* simulations: the host whose clock is controlled; stopped by session_close */
	struct store *store;  /* for the journal; owned */
	bool attached;        /* the scheduler runs in another process, and continues without this one */
	bool detach;          /* set by console_run: the scheduler is to continue after the console */
	bool simulated;       /* virtual time, controlled by < > and Z */
	bool readonly;        /* --readonly: verbs that change something are refused */
	bool ascii;           /* --ascii                                                   */
	bool color;           /* false: --no-color (term.h handles NO_COLOR) */
	const char *who;      /* user name recorded in events */
	const char *theme;    /* name; NULL = THEME_AT_FIRST */
};

/* The folder of the store: dir, else $KAHU_STORE, else the user's default. False: no home directory. */
bool session_store_dir(const char *dir, char *out, size_t room, struct err *err);

/* The configuration file likewise; "" if none is named and the default file does not exist. */
bool session_config_file(const char *file, char *out, size_t room, struct err *err);

/* The same whether the file exists or not, for creating it. */
bool session_config_place(const char *file, char *out, size_t room, struct err *err);

/*
 * The folder of the socket of the scheduler that holds the store: for the default store the default folder,
 * which other users can reach; else the store itself. dir as for session_store_dir.
 */
bool session_socket_dir(const char *dir, char *out, size_t room, struct err *err);

/* The name of the user who runs the program; valid until the next call. */
const char *session_user(void);

/* Starts the host thread, at the state's last time or later. Takes ownership of the driver. */
bool session_start(struct session *s, struct driver *driver, int64_t start_s, int speed, struct err *err);

/* Stops the scheduler and closes the store. A zero-initialized session is a closed one. */
void session_close(struct session *s);

#endif
