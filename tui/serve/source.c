/* SPDX-License-Identifier: MIT */
/*
 * source.c - where do the pictures of a scheduler come from, and where do changes go?
 *
 * Here: the one in this process. Another one is remote.c's.
 */
#include "source.h"

static const struct shared_snapshot *hold(void *self)
{
	return host_hold(self);
}

static void release(void *self, const struct shared_snapshot *shared)
{
	host_release(self, shared);
}

static void ask(void *self)
{
	host_ask_snapshot(self);
}

static bool is_newer(void *self, uint64_t version)
{
	return host_is_newer(self, version);
}

static uint64_t post(void *self, const struct event *ev, size_t count)
{
	return host_post(self, ev, count);
}

static bool take_answer(void *self, struct host_answer *out)
{
	return host_take_answer(self, out);
}

static bool take_warning(void *self, struct err *out)
{
	return host_take_warning(self, out);
}

static int wake_fd(const void *self)
{
	return host_wake_fd(self);
}

static void clear_wake(void *self)
{
	host_clear_wake(self);
}

static int64_t now_s(void *self)
{
	return host_now_s(self);
}

static bool failed(void *self, struct err *err)
{
	return host_failed(self, err);
}

static bool is_lost(void *self)
{
	(void)self;
	return false;
}

struct source source_of_host(struct host *host)
{
	static const struct source_ops ops = {
		.hold = hold,
		.release = release,
		.ask = ask,
		.is_newer = is_newer,
		.post = post,
		.take_answer = take_answer,
		.take_warning = take_warning,
		.wake_fd = wake_fd,
		.clear_wake = clear_wake,
		.now_s = now_s,
		.failed = failed,
		.is_lost = is_lost,
	};

	return (struct source){&ops, host};
}

struct history_wish ended_span_wish(const struct ended_span *span)
{
	struct history_wish wish = {.after = {.end_s = span->since_s}, .backward = true};

	if (span->until_s != INT64_MAX)
		wish.before = (struct history_place){span->until_s, UINT64_MAX};
	return wish;
}
