/* SPDX-License-Identifier: MIT */
/*
 * session.h - what does a console work on, and who opens and closes it?
 *
 * A session is a running scheduler, here or elsewhere, on a store with what the person at
 * the terminal asked for. The verbs that open one (demo, replay --console, no verb at all)
 * fill it, call console_run (tui/console/console.h) and close it.
 */
#ifndef SERVE_SESSION_H
#define SERVE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "source.h"

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
