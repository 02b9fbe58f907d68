/* SPDX-License-Identifier: MIT */
/*
 * progress.c - how far has a long piece of work come?
 */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "sched/base/duration.h"
#include "sched/rm/monotonic.h"

#define QUIET_S   0.5 /* shorter work shows nothing */
#define REDRAW_S  0.1
#define LINE_WIDE 72

double progress_clock(void)
{
	return (double)monotonic_ns() / 1e9;
}

void progress_begin(struct progress *p, const char *what, uint64_t total)
{
	*p = (struct progress){.what = what,
			       .total = total,
			       .begun_s = progress_clock(),
			       .wanted = total > 0 && isatty(STDERR_FILENO) == 1};
}

void progress_show(struct progress *p, uint64_t done)
{
	double now_s, rate;
	char line[128], left[DURATION_TEXT];

	if (!p->wanted)
		return;
	now_s = progress_clock();
	if (now_s - p->begun_s < QUIET_S || now_s - p->shown_s < REDRAW_S)
		return;
	p->shown_s = now_s;
	rate = (double)done / (now_s - p->begun_s);
	snprintf(line, sizeof line, "%3d%%  %" PRIu64 " of %" PRIu64 " %s  %.0f a second  %s left",
		 (int)(100 * done / p->total), done, p->total, p->what, rate,
		 rate > 0 ? duration_text(left, (int64_t)((double)(p->total - done) / rate)) : "?");
	fprintf(stderr, "\r%-*.*s", LINE_WIDE, LINE_WIDE, line);
	fflush(stderr);
	p->drawn = true;
}

void progress_end(struct progress *p)
{
	if (p->drawn)
		fprintf(stderr, "\r%*s\r", LINE_WIDE, "");
	p->drawn = p->wanted = false;
}
