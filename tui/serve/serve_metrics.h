/* SPDX-License-Identifier: MIT */
/*
 * serve_metrics.h - the metrics file of the scheduler
 *
 * Written by the main thread, which waits for the scheduler, and never by the scheduler's thread: at most
 * once per METRICSINTERVAL, and only after a change. A fresh snapshot is requested before each write.
 */
#ifndef TUI_SERVE_SERVE_METRICS_H
#define TUI_SERVE_SERVE_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/host/event_log.h"
#include "sched/host/host.h"

/* Zero-initialized, except for the first three fields. */
struct serve_metrics {
	struct event_log *event_log;
	struct host *host;
	void (*warn)(struct event_log *c,
		     const char *text); /* called once for a file that cannot be written */

	enum {
		METRICS_REST,  /* no change since the last write */
		METRICS_DIRTY, /* written when due */
		METRICS_ASKED  /* a snapshot has been requested */
	} state;
	int64_t due_ms; /* for DIRTY and ASKED */
	bool failed;
};

/* Descriptor to poll for reading (-1 = none), and the maximum wait in ms (-1 = unlimited). */
int serve_metrics_fd(const struct serve_metrics *m);
int serve_metrics_wait_ms(const struct serve_metrics *m);

/* To be called after each wait. fresh: the scheduler has a new state. */
void serve_metrics_turn(struct serve_metrics *m, bool fresh);

#endif
