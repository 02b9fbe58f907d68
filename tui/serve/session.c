/* SPDX-License-Identifier: MIT */
/*
 * session.c - what does a console work on, and who opens and closes it?
 *
 * Also the few places where the program meets its surroundings before any scheduler runs:
 * where a store and a configuration are looked for and who is asking.
 */
#include "session.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sched/host/host.h"
#include "store/store.h"

/* --- where ------------------------------------------------------------------------------ */

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

/* $VARIABLE/kahu..., else $HOME/fallback/kahu... as the XDG base directories say. */
static bool user_path(const char *variable, const char *fallback, const char *tail, char *out, size_t room,
		      struct err *err)
{
	const char *base = environment(variable), *home = environment("HOME");
	char head[4096];

	if (base)
		return put_path(out, room, err, base, tail);
	if (!home)
		return err_set(err, "neither $%s nor $HOME is set, so there is no usual place", variable);
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
