/* SPDX-License-Identifier: MIT */
/*
 * site.h - the scheduler of this host: store, configuration, resource manager, thread and door
 *
 * Used by `kahu serve` and by a console that runs the scheduler itself. When the scheduler stops, jobs
 * continue under their shepherds, and the next scheduler adopts them.
 */
#ifndef COMMAND_SITE_H
#define COMMAND_SITE_H

#include <stdbool.h>
#include <stddef.h>

#include "cmd.h"
#include "sched/base/err.h"
#include "tui/serve/crash_restart.h"

struct ended_cache;
struct event_log; /* sched/host/event_log.h */
struct notifier;
struct host;
struct notify;
struct request_server;

/* Zero is a valid closed one. */
struct site {
	struct store *store;
	struct ended_cache *ended_cache;
	struct request_server *server;
	struct proxies *proxies; /* of the server */
	struct host *host;
	struct notify *notify;
	struct notifier *notifier;
	int listening;               /* > 0: the socket that was handed over, until the server takes it */
	struct event_log *event_log; /* set before site_open: receives all events; NULL = none */
	/* Set with event_log: receives failures of notify programs, from another thread. */
	void (*warn)(struct event_log *c, const char *text);
	int watchdog_ms;    /* set before site_open: see host.h */
	int64_t soft_files; /* the soft limit of descriptors before it was raised */
	bool barred;        /* programs are not run, because another user can change the configuration */
	char *cgroup;       /* parent of the cgroups of jobs and programs; NULL = none */
	bool yields;        /* set before site_open: do not wait for a running scheduler to end */
	bool served;        /* set by site_open: refused because a scheduler runs */
	const struct shell *shell; /* borrowed */
};

/* Uses --store and --config. Waits for a scheduler that is ending and for verbs that hold the store for a
 * moment. CMD_REFUSED: another process runs the scheduler. */
enum cmd_status site_open(struct site *site, const struct shell *shell, struct err *err);
void site_close(struct site *site);

/* Arms crash_restart.h for the site. site_close disarms it. */
void site_survive_crashes(const struct site *site);

/* Reloads the configuration, as `kahu reload` does. May be called from any thread. */
enum cmd_status site_reload(const struct site *site, struct err *err);

/*
 * Hands the scheduler of a console over to a new process that runs `kahu serve`. The new process inherits the
 * lock of the store and the socket, so that no other scheduler can start in between and clients only wait.
 * Closes the site in every case. False sets err: the scheduler has stopped.
 */
bool handover(struct site *site, const struct shell *shell, struct err *err);

/* The program to execute: the one at the path this one was started from, also if it was rebuilt since. Static
 * storage. */
const char *handover_program(void);

#define SITE_PATH 4096

/* The shepherd beside this program if it exists, else the installed one. */
void site_find_shepherd(char out[static SITE_PATH]);

#endif
