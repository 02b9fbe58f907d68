/* SPDX-License-Identifier: MIT */
/*
 * metrics.h - the scheduler's counters in Prometheus' text format
 *
 * For the textfile collector of its node exporter: the text is put in a file whole. Names and units are as
 * Prometheus wants them: seconds, _total for what only grows.
 */
#ifndef HOST_METRICS_H
#define HOST_METRICS_H

#include "event_log.h"

/* Appends the text: what is as of s, what has happened as figures say. */
void metrics_print(const struct snapshot *s, const struct figures *figures, struct str *out);

#endif
