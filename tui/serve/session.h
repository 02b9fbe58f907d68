/* SPDX-License-Identifier: MIT */
/*
 * session.h - a console's scheduler, and the paths of its store
 *
 * The console uses a scheduler in its own process (sched/host/host.h) or, through a socket, in another
 * process (remote.h). The operations are the same: both provide reference-counted snapshots, accept batches
 * of events and answer them later, and make one descriptor readable when there is news. No operation blocks
 * unless its comment says so. All of them are called by the console's thread.
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
	char output[SOURCE_PATH], errors[SOURCE_PATH]; /* absolute paths; "" = none, with the reason in err */
	struct err err;
};

/* A request for the jobs that ended from since_s to until_s inclusive; if there are more than `newest`, only
 * the newest of them. */
struct ended_span {
	int64_t since_s, until_s; /* until_s: INT64_MAX = no bound */
	uint64_t newest;
};

/* Returns the filter that selects these jobs, last end first. It does not limit their number. */
struct history_filter ended_span_wish(const struct ended_span *span);

/* Ended jobs, last end first, as records in the store's format, which past_read decodes. */
struct ended_list {
	struct str bytes; /* owned by the receiver */
	size_t count;
	struct err err; /* if not empty, why they could not be read */
};

/* A past state as fetch_past returns it. */
struct past_picture {
	const struct snapshot *s;
	size_t size;
};

struct source_ops {
	/* Acquires the latest snapshot, which the caller returns with `release`. Never NULL. */
	const struct shared_snapshot *(*hold)(void *self);
	void (*release)(void *self, const struct shared_snapshot *shared);
	/* Requests a newer snapshot, to be fetched when there is one. Called at most once per frame. */
	void (*ask)(void *self);
	/* Is a snapshot newer than the given version known to exist? */
	bool (*is_newer)(void *self, uint64_t version);

	/*
	 * Sends events (deep copies), all or nothing; if they exceed the limit of one request, in several
	 * requests. Returns a ticket. The answer is delivered after the snapshot that shows the effect of the
	 * events.
	 */
	uint64_t (*post)(void *self, const struct event *ev, size_t count);
	bool (*take_answer)(void *self, struct host_answer *out);
	/*
	 * Sets *out to the last error from which the scheduler or the connection has recovered. Returns false
	 * if there was none since the previous call.
	 */
	bool (*take_warning)(void *self, struct err *out);

	/* Requests the output paths of a job; take_files takes the answer later. NULL: the console has the
	 * store. */
	void (*ask_files)(void *self, uint64_t job);
	bool (*take_files)(void *self, struct job_files *out);

	/* Requests ended jobs; take_ended takes the answer later. */
	void (*ask_ended)(void *self, const struct ended_span *span);
	bool (*take_ended)(void *self, struct ended_list *out);

	/*
	 * Fetches a past state, to be released with drop_past, and sets *moment to its exact entry and time.
	 * Blocks; any thread may call it. Returns false with err set on failure. NULL: the console has the
	 * store.
	 */
	bool (*fetch_past)(void *self, struct store_moment *moment, struct past_picture *out,
			   struct err *err);
	void (*drop_past)(const struct past_picture *picture);

	/*
	 * Returns a descriptor that is readable when there is news. Call clear_wake before looking for the
	 * news.
	 */
	int (*wake_fd)(const void *self);
	void (*clear_wake)(void *self);

	int64_t (*now_s)(void *self);
	/* Has the scheduler stopped permanently? */
	bool (*failed)(void *self, struct err *err);
	/* Is the scheduler unreachable, so that the connection is being retried? */
	bool (*is_lost)(void *self);
};

struct source {
	const struct source_ops *ops;
	void *self;
};

/* Returns the operations on a scheduler in this process; the caller keeps the host. */
struct source source_of_host(struct host *host);

/* --- a console's scheduler, and the paths of its store ------------------------------------------------ */

/*
 * A session is a running scheduler on a store, in this or another process, together with the options of the
 * person at the terminal. The verbs that open a console (demo, replay --console, no verb) fill in the
 * session, call console_run (tui/console/console.h) and close the session.
 */

struct driver;
struct host;
struct store;

#define THEME_AT_FIRST "default"

struct session {
	struct source source; /* the running scheduler */
	struct host *host;    /* simulations: the host with the controlled clock; owned */
	struct store *store;  /* source of the journal; owned */
	bool attached;        /* the scheduler runs in another process, and keeps running without this one */
	bool detach;          /* set by console_run: the scheduler is to outlive the console */
	bool simulated;       /* virtual time, controlled by < > and Z */
	bool readonly;        /* --readonly: verbs that change something are refused */
	bool ascii;           /* --ascii                                                   */
	bool color;           /* false: --no-color (term.h handles NO_COLOR) */
	const char *who;      /* user name recorded in events */
	const char *theme;    /* name; NULL = THEME_AT_FIRST */
};

/*
 * Sets out to the folder of the store: dir, else $KAHU_STORE, else the user's default. Returns false with err
 * set on failure, for example if there is no home directory.
 */
bool session_store_dir(const char *dir, char *out, size_t room, struct err *err);

/* Sets out to the path of the configuration file: file, else $KAHU_CONF, else the user's default. "" if none
 * is named and the default file does not exist. */
bool session_config_file(const char *file, char *out, size_t room, struct err *err);

/* Like session_config_file, but sets the default path even if there is no such file, so that it can be
 * created. */
bool session_config_place(const char *file, char *out, size_t room, struct err *err);

/*
 * Sets out to the folder of the socket of the scheduler that holds the store. For the default store this is
 * the default folder, which other users can reach; otherwise the folder of the store. dir as for
 * session_store_dir.
 */
bool session_socket_dir(const char *dir, char *out, size_t room, struct err *err);

/* Returns the name of the user who runs the program, valid until the next call. */
const char *session_user(void);

/*
 * Starts the host's thread with the clock at start_s, or at the time of the state if that is later. Takes
 * ownership of the driver. Returns false with err set on failure.
 */
bool session_start(struct session *s, struct driver *driver, int64_t start_s, int speed, struct err *err);

/* Stops the scheduler and closes the store. May be called on a zero-initialized session. */
void session_close(struct session *s);

#endif
