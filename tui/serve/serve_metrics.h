/* SPDX-License-Identifier: MIT */
/*
 * serve_metrics.h - the metrics file of the scheduler
 *
 * By the thread that waits for the scheduler, never by the scheduler's own: at most once in METRICSINTERVAL,
 * and only when something has happened. Each time the scheduler is asked for a fresh snapshot first.
 */
#ifndef TUI_SERVE_SERVE_METRICS_H
#define TUI_SERVE_SERVE_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/host/event_log.h"
#include "sched/host/host.h"

/* Zero is a valid beginning but for the three at the top. */
struct serve_metrics {
	struct event_log *event_log;
	struct host *host;
	void (*warn)(struct event_log *c, const char *text); /* a file that cannot be written, once */

	enum {
		METRICS_REST,  /* nothing has happened                     */
		METRICS_DIRTY, /* it is written when it is time             */
		METRICS_ASKED  /* a snapshot is on its way                  */
	} state;
	int64_t due_ms; /* of DIRTY and ASKED */
	bool failed;
};

/* To be watched for reading; -1 = nothing. How long to wait at most, in ms; -1 = for ever. */
int serve_metrics_fd(const struct serve_metrics *m);
int serve_metrics_wait_ms(const struct serve_metrics *m);

/* After each wait. fresh: the scheduler has something new. */
void serve_metrics_turn(struct serve_metrics *m, bool fresh);

#endif
