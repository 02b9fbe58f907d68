/* SPDX-License-Identifier: MIT */
/*
 * serve_metrics.h - the metrics file of the scheduler
 *
 * The file is written by the main thread, which waits for the scheduler, and never by the scheduler's thread:
 * at most once per METRICSINTERVAL, and only after a change. A fresh snapshot is requested before each write.
 */
#ifndef TUI_SERVE_SERVE_METRICS_H
#define TUI_SERVE_SERVE_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/host/event_log.h"
#include "sched/host/host.h"

/* The caller sets the first three members, and sets the others to zero. */
struct serve_metrics {
	struct event_log *event_log;
	struct host *host;
	void (*warn)(struct event_log *c,
		     const char *text); /* called for the first of several failures to write the file */

	enum {
		METRICS_REST,  /* no change since the last write */
		METRICS_DIRTY, /* there is a change; the file is written when due */
		METRICS_ASKED  /* a snapshot has been requested */
	} state;
	int64_t due_ms; /* DIRTY: time of the next write; ASKED: time until which to wait for the snapshot */
	bool failed;
};

/* serve_metrics_fd returns the descriptor to poll for reading, -1 = none; serve_metrics_wait_ms the maximum
 * time to wait, -1 = unlimited. */
int serve_metrics_fd(const struct serve_metrics *m);
int serve_metrics_wait_ms(const struct serve_metrics *m);

/* To be called after each wait; writes the file when due. fresh: the scheduler has a new snapshot. */
void serve_metrics_turn(struct serve_metrics *m, bool fresh);

#endif
