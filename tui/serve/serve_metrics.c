/* SPDX-License-Identifier: MIT */
/*
 * serve_metrics.c - the metrics file of the scheduler
 */
#include "serve_metrics.h"

#include <limits.h>
#include <poll.h>
#include <sys/stat.h>

#include "sched/base/str.h"
#include "sched/host/files.h"
#include "sched/host/metrics.h"
#include "sched/rm/monotonic.h"

#define PATIENCE_MS 1000 /* maximum time to wait for a snapshot; then the last one is used */

int serve_metrics_fd(const struct serve_metrics *m)
{
	return m->state == METRICS_REST ? event_log_fd(m->event_log) : -1;
}

int serve_metrics_wait_ms(const struct serve_metrics *m)
{
	int64_t left_ms = m->due_ms - monotonic_ms();

	if (m->state == METRICS_REST)
		return -1;
	return left_ms < 0 ? 0 : left_ms > INT_MAX ? INT_MAX : (int)left_ms;
}

/* Writes the file atomically, and makes it readable by all users. */
static bool write_file(const char *file, const struct str *text, struct err *err)
{
	struct outfile out;

	if (!outfile_open(&out, file, err))
		return false;
	if (out.temp[0] !=
	    '\0') /* no temporary file means that the target is a device, whose mode is left unchanged */
		fchmod(out.fd, 0644);
	return outfile_write(&out, text, err);
}

static void write_figures(struct serve_metrics *m, const struct snapshot *s, const char *file)
{
	struct err err = {{0}};
	struct figures figures;
	struct str text = {0};
	bool good;

	event_log_take(m->event_log, &figures);
	metrics_print(s, &figures, &text);
	good = write_file(file, &text, &err);
	if (!good && !m->failed)
		m->warn(m->event_log, err.text);
	m->failed = !good;
	str_free(&text);
}

/* The options are read each time, because they may have changed. */
static void write_now(struct serve_metrics *m)
{
	const struct shared_snapshot *shared = host_hold(m->host);
	const char *file = snapshot_site_text(shared->s, SITE_METRICS_FILE);

	if (file != NULL && file[0] != '\0') {
		write_figures(m, shared->s, file);
	} else {
		struct figures unused;

		event_log_take(m->event_log, &unused);
	}
	m->due_ms = monotonic_ms() + shared->s->policy.site.metrics_interval_s * 1000;
	m->state = METRICS_REST;
	host_release(m->host, shared);
}

static bool has_news(const struct serve_metrics *m)
{
	struct pollfd fd = {.fd = event_log_fd(m->event_log), .events = POLLIN};

	return poll(&fd, 1, 0) == 1;
}

void serve_metrics_turn(struct serve_metrics *m, bool fresh)
{
	int64_t at_ms = monotonic_ms();

	if (m->state == METRICS_REST && has_news(m))
		m->state = METRICS_DIRTY;
	if (m->state == METRICS_DIRTY && at_ms >= m->due_ms) {
		host_ask_snapshot(m->host);
		m->state = METRICS_ASKED;
		m->due_ms = at_ms + PATIENCE_MS;
	} else if (m->state == METRICS_ASKED && (fresh || at_ms >= m->due_ms)) {
		write_now(m);
	}
}
