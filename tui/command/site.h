/* SPDX-License-Identifier: MIT */
/*
 * site.h - how does the scheduler of this host come to life, and how does it stop?
 *
 * The same for `kahu serve` and for a console that runs the scheduler itself: store, configuration, this
 * host's resource manager, the driver's thread, the door. Jobs do not stop with it: their shepherds
 * go on, and the next one takes them over.
 */
#ifndef COMMAND_SITE_H
#define COMMAND_SITE_H

#include "tui/command/cmd.h"

struct fates;
struct chronicle; /* sched/host/chronicle.h */
struct herald;
struct host;
struct notify;
struct porter;

/* Zero is a valid closed one. */
struct site {
	struct store *store;
	struct fates *fates;
	struct porter *porter;
	struct proxies *proxies; /* of the porter */
	struct host *host;
	struct notify *notify;
	struct herald *herald;
	int listening;               /* > 0: the socket that was handed over, until the porter has it */
	struct chronicle *chronicle; /* set before site_open: is told of all that happens; NULL = nobody */
	/* Set with it: hears of programs that could not be told, from a thread of theirs. */
	void (*warn)(struct chronicle *c, const char *text);
	int watchdog_ms;           /* set before site_open: as host.h has it */
	int64_t soft_files;        /* the soft limit of descriptors before it was raised */
	bool barred;               /* the programs of the configuration are not run: it is another user's */
	char *cgroup;              /* the folder below which jobs and programs get theirs; NULL = none */
	bool yields;               /* set before site_open: one that runs is looked at instead, and at once */
	bool served;               /* site_open was refused, and that is why: one runs */
	const struct shell *shell; /* as it was opened with: borrowed */
};

/* As the options of every verb ask for: --store, --config. CMD_REFUSED when somebody else runs it. One who is
 * about to end, and verbs that hold the store for a moment, are waited for. */
enum cmd_status site_open(struct site *site, const struct shell *shell, struct err *err);
void site_close(struct site *site);

/* Arms crash_restart.h for the site; site_close disarms it. */
void site_survive_crashes(const struct site *site);

/* Reads the configuration again, as `kahu reload` asks for it; from any thread. */
enum cmd_status site_reload(const struct site *site, struct err *err);

#endif
