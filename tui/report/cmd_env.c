/* SPDX-License-Identifier: MIT */
/*
 * cmd_env.c - environment of a verb: its input, output and options
 */
#include "cmd_env.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/duration.h"
#include "sched/rm/monotonic.h"

/* --- environment of a verb: its input, output and options --------------------------------------------- */

const char *cmd_option_at(const struct cmd_env *env, const char *name, size_t at)
{
	for (size_t i = 0; i < env->given_count; i++)
		if (strcmp(env->given[i].name, name) == 0 && at-- == 0)
			return env->given[i].value;
	return NULL;
}

const char *cmd_option(const struct cmd_env *env, const char *name)
{
	for (size_t i = env->given_count; i-- > 0;)
		if (strcmp(env->given[i].name, name) == 0)
			return env->given[i].value;
	return NULL;
}

bool cmd_option_whole(struct cmd_env *env, const char *name, int64_t min, int64_t max, int64_t fallback,
		      int64_t *out)
{
	const char *text = cmd_option(env, name);

	*out = fallback;
	if (!text)
		return true;
	if (!str_read_whole(text, out) || *out < min || *out > max)
		return err_set(&env->err, "%s takes a whole number from %lld to %lld, got '%s'", name,
			       (long long)min, (long long)max, text);
	return true;
}

/* --- progress of long work ---------------------------------------------------------------------------- */

#define QUIET_S 0.5 /* seconds of work before progress is shown */

#define REDRAW_S 0.1

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
	snprintf(line, sizeof line, "%3d%%  %" PRIu64 " of %" PRIu64 " %s  %.0f per second  %s left",
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
