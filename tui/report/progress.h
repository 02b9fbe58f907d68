/* SPDX-License-Identifier: MIT */
/*
 * progress.h - how far has a long piece of work come?
 *
 * One line on standard error, drawn over itself and wiped at the end; only on a terminal,
 * and only once the work has taken half a second.
 */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	const char *what; /* "jobs" */
	uint64_t total;
	double begun_s, shown_s; /* of the monotonic clock */
	bool wanted, drawn;
};

/* Seconds of a clock that only goes forward. */
double progress_clock(void);

void progress_begin(struct progress *p, const char *what, uint64_t total);
void progress_show(struct progress *p, uint64_t done);
void progress_end(struct progress *p);

#endif
