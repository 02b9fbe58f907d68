/* SPDX-License-Identifier: MIT */
/*
 * site.h - the scheduler of this host: store, configuration, resource manager, thread and socket
 *
 * Used by `kahu serve`, and by a console that runs the scheduler in its own process. When the scheduler
 * stops, jobs continue under their shepherds, and the next scheduler adopts them.
 */
#ifndef COMMAND_SITE_H
#define COMMAND_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd.h"
#include "sched/base/err.h"
#include "tui/serve/crash_restart.h"

struct ended_cache;
struct event_log; /* sched/host/event_log.h */
struct notifier;
struct host;
struct notify;
struct request_server;

/* The running scheduler. A zeroed site is closed. */
struct site {
	struct store *store;
	struct ended_cache *ended_cache;
	struct request_server *server;
	struct proxies *proxies; /* used by the server */
	struct host *host;
	struct notify *notify;
	struct notifier *notifier;
	/* > 0: the listening socket that another process handed over, until the server takes it */
	int listening;
	struct event_log *event_log; /* set before site_open: log of all events; NULL = none */
	/* Set together with event_log: called with a warning, possibly from another thread. */
	void (*warn)(struct event_log *c, const char *text);
	int watchdog_ms;    /* set before site_open: as in host.h */
	int64_t soft_files; /* the soft limit of file descriptors before site_open raised it */
	/* the programs of the configuration are not run, because another user can change the configuration */
	bool barred;
	char *cgroup; /* path of the cgroup below which jobs and programs have theirs; NULL = none */
	bool yields;  /* set before site_open: do not wait for a running scheduler to stop */
	bool served;  /* set by site_open: it refused because a scheduler is running */
	const struct shell *shell; /* borrowed */
};

/*
 * Starts the scheduler of this host, with --store and --config in shell. Waits for a scheduler that is
 * stopping, and for verbs that hold the lock of the store only briefly. CMD_REFUSED: another process holds
 * the store, or the configuration is wrong. Any result other than CMD_DONE sets err and closes the site.
 */
enum cmd_status site_open(struct site *site, const struct shell *shell, struct err *err);
void site_close(struct site *site);

/*
 * Reads which resource manager (enum manager_kind) and mode (enum manager_mode) a configuration file sets;
 * file "" = none. Returns false with err set if the file cannot be read, or if the manager cannot run in this
 * mode.
 */
bool site_read_manager(const char *file, uint8_t *manager, uint8_t *mode, struct err *err);

/* Activates the restart after a crash (crash_restart.h); site_close deactivates it. */
void site_survive_crashes(const struct site *site);

/* Makes the scheduler read its configuration again, as `kahu reload` does. May be called from any thread. */
enum cmd_status site_reload(const struct site *site, struct err *err);

/*
 * Hands the scheduler of a console over to a new process that runs `kahu serve`. The new process inherits the
 * lock of the store and the socket: no other scheduler can start in between, and clients only have to wait.
 * Closes the site in every case. Returns false with err set if the scheduler has stopped.
 */
bool handover(struct site *site, const struct shell *shell, struct err *err);

/*
 * Returns the path from which this program was started, even if the file there has been replaced since.
 * Static storage.
 */
const char *handover_program(void);

#define SITE_PATH 4096

/*
 * Sets out to the path of the shepherd's program: beside this program if it exists there, else the installed
 * one.
 */
void site_find_shepherd(char out[static SITE_PATH]);

#endif
