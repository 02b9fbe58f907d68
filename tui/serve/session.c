/* SPDX-License-Identifier: MIT */
/*
 * session.c - a console's scheduler, and the paths of its store
 *
 * This file also reads the environment before a scheduler runs: the paths of the store and the configuration,
 * and the name of the user.
 */
#include "session.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* --- operations on a scheduler in this process -------------------------------------------------------- */

/* For a scheduler in another process see remote.c. */

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

struct history_filter ended_span_wish(const struct ended_span *span)
{
	struct history_filter wish = {.after = {.end_s = span->since_s}, .backward = true};

	if (span->until_s != INT64_MAX)
		wish.before = (struct history_place){span->until_s, UINT64_MAX};
	return wish;
}

/* --- a console's scheduler, and the paths of its store ------------------------------------------------ */

/* --- paths ------------------------------------------------------------------------------- */

static bool put_path(char *out, size_t room, struct err *err, const char *head, const char *tail)
{
	int len = snprintf(out, room, "%s%s", head, tail);

	if (len < 0 || (size_t)len >= room)
		return err_set(err, "the path %.60s... is too long", head);
	return true;
}

static const char *environment(const char *name)
{
	const char *value = getenv(name);

	return value && value[0] ? value : NULL;
}

/* Sets out to $VARIABLE and the tail or, if the variable is not set, to $HOME, the fallback and the tail, as
 * in the XDG base directory specification. */
static bool user_path(const char *variable, const char *fallback, const char *tail, char *out, size_t room,
		      struct err *err)
{
	const char *base = environment(variable), *home = environment("HOME");
	char head[4096];

	if (base)
		return put_path(out, room, err, base, tail);
	if (!home)
		return err_set(err, "neither $%s nor $HOME is set, so there is no default path", variable);
	if (!put_path(head, sizeof head, err, home, fallback))
		return false;
	return put_path(out, room, err, head, tail);
}

bool session_store_dir(const char *dir, char *out, size_t room, struct err *err)
{
	if (!dir)
		dir = environment("KAHU_STORE");
	if (dir)
		return put_path(out, room, err, dir, "");
	if (geteuid() == 0)
		return put_path(out, room, err, KAHU_LOCALSTATEDIR, "");
	if (!user_path("XDG_STATE_HOME", "/.local/state", "/kahu", out, room, err))
		return err_prefix(err, "name a store with --store DIR");
	return true;
}

bool session_socket_dir(const char *dir, char *out, size_t room, struct err *err)
{
	const char *run = environment("KAHU_RUN");

	if (run)
		return put_path(out, room, err, run, "");
	if (dir || environment("KAHU_STORE"))
		return session_store_dir(dir, out, room, err);
	if (geteuid() == 0)
		return put_path(out, room, err, KAHU_RUNSTATEDIR, "");
	return environment("XDG_RUNTIME_DIR") ? user_path("XDG_RUNTIME_DIR", "", "/kahu", out, room, err)
					      : session_store_dir(dir, out, room, err);
}

bool session_config_place(const char *file, char *out, size_t room, struct err *err)
{
	if (!file)
		file = environment("KAHU_CONF");
	if (file)
		return put_path(out, room, err, file, "");
	if (geteuid() == 0)
		return put_path(out, room, err, KAHU_SYSCONFDIR, "/kahu.conf");
	return user_path("XDG_CONFIG_HOME", "/.config", "/kahu/kahu.conf", out, room, err);
}

bool session_config_file(const char *file, char *out, size_t room, struct err *err)
{
	bool named = file || environment("KAHU_CONF");
	bool found = session_config_place(file, out, room, named ? err : NULL);

	if (named)
		return found;
	if (!found || access(out, F_OK) != 0)
		out[0] = '\0';
	return true;
}

const char *session_user(void)
{
	static char number[24];
	const struct passwd *who = getpwuid(geteuid());

	if (who && who->pw_name && who->pw_name[0])
		return who->pw_name;
	snprintf(number, sizeof number, "uid%lu", (unsigned long)geteuid());
	return number;
}

/* --- the scheduler ------------------------------------------------------------------------ */

bool session_start(struct session *s, struct driver *driver, int64_t start_s, int speed, struct err *err)
{
	int64_t now_s = driver_view(driver)->now_s;
	struct host_setup setup = {
		.driver = driver, .start_s = start_s > now_s ? start_s : now_s, .speed = speed};

	s->host = host_start(&setup, err);
	s->source = source_of_host(s->host);
	return s->host != NULL;
}

void session_close(struct session *s)
{
	if (s->host)
		host_stop(s->host);
	if (s->store)
		store_close(s->store);
	*s = (struct session){0};
}
