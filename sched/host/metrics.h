/* SPDX-License-Identifier: MIT */
/*
 * metrics.h - the scheduler's counters in Prometheus text format
 *
 * For the textfile collector of node_exporter, which reads a complete file. Names and units follow
 * Prometheus' conventions: seconds, and the suffix _total for counters.
 */
#ifndef HOST_METRICS_H
#define HOST_METRICS_H

#include "event_log.h"

/* Appends all metrics to out: gauges from s, counters from figures. */
void metrics_print(const struct snapshot *s, const struct figures *figures, struct str *out);

#endif
