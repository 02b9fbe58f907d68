/* SPDX-License-Identifier: MIT */
/*
 * cmd_init.c - kahu init: a first configuration, for what this host has and who works on it
 *
 * Nothing that is there is lost: a file in its place is left alone, or with --force kept beside it as
 * FILE.old.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "firstconf.h"
#include "sched/base/vec.h"
#include "sched/config/config.h"
#include "sched/rm/outfile.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"

#define PATH_ROOM 4096

/* --- what stands in it ---------------------------------------------------------------------------- */

/* What is handed out must be good: a group's name could be what no configuration can say. */
static bool is_good(const char *file, const struct str *text, struct err *err)
{
	struct config_list list = {0};
	bool good = config_list_read(file, str_text(text), text->len, &list, err);

	config_list_free(&list);
	return good;
}

/* *host: one line about it. */
static bool make_text(const char *file, struct str *text, struct str *host, struct err *err)
{
	struct facts *facts = mem_zero(1, sizeof *facts);
	struct host_users *users = mem_zero(1, sizeof *users);
	struct str why = {0};
	bool good = facts_read("/", NULL, facts, err);

	if (good) {
		facts_cgroup("/", facts->cgroup, sizeof facts->cgroup, &why);
		facts_find_users("/", users);
		firstconf_print(facts, str_text(&why), users, (int64_t)time(NULL), text);
		firstconf_host(facts, host);
		good = is_good(file, text, err);
	}
	str_free(&why);
	free(users);
	free(facts);
	return good;
}

/* --- where it goes ---------------------------------------------------------------------------------- */

/* The folder of a file and those above it, for everybody to look into. */
static bool make_folders(const char *file, struct err *err)
{
	char path[PATH_ROOM];

	snprintf(path, sizeof path, "%s", file);
	for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0755) != 0 && errno != EEXIST)
			return err_set(err, "the folder %s cannot be made: %s", path, strerror(errno));
		*slash = '/';
	}
	return true;
}

static bool is_free(const char *file, struct err *err)
{
	struct stat st;

	return lstat(file, &st) != 0 ||
	       err_set(err,
		       "%s is there already; --force replaces it and keeps it as %s.old, 'kahu init -' only "
		       "prints",
		       file, file);
}

static bool keep_old(const char *file, struct err *err)
{
	char old[PATH_ROOM + 8];

	snprintf(old, sizeof old, "%s.old", file);
	return rename(file, old) == 0 || errno == ENOENT ||
	       err_set(err, "%s cannot be kept as %s: %s", file, old, strerror(errno));
}

/* The name is taken by link(), which fails where somebody has made such a file meanwhile. */
static bool put_file(const char *file, const struct str *text, struct err *err)
{
	char fresh[PATH_ROOM + 8];
	struct outfile out;
	bool good;

	snprintf(fresh, sizeof fresh, "%s.new", file);
	if (!outfile_open(&out, fresh, err) || !outfile_write(&out, text, err))
		return false;
	good = (chmod(fresh, 0644) == 0 && link(fresh, file) == 0) ||
	       err_set(err, "%s cannot be written: %s", file, strerror(errno));
	unlink(fresh);
	return good;
}

static enum cmd_status write_there(struct cmd_env *env, const char *file, const struct str *text)
{
	bool forced = cmd_option(env, "--force") != NULL;

	if (!forced && !is_free(file, &env->err))
		return CMD_REFUSED;
	if (!make_folders(file, &env->err) || (forced && !keep_old(file, &env->err)) ||
	    !put_file(file, text, &env->err))
		return CMD_FAILED;
	return CMD_DONE;
}

/* --- the verb ---------------------------------------------------------------------------------------- */

static bool choose_file(struct cmd_env *env, const char *named, char out[static PATH_ROOM])
{
	const char *config = env->shell != NULL ? env->shell->config : NULL;

	return session_config_place(named != NULL ? named : config, out, PATH_ROOM, &env->err);
}

static void tell(struct cmd_env *env, const char *file, const struct str *host)
{
	str_addf(env->out,
		 "%s is written for %s.\nNext: look through it; 'kahu doctor' says what this host lacks, "
		 "'kahu serve' runs the queue%s.\n",
		 file, str_text(host),
		 geteuid() == 0 ? " (as a service: 'systemctl enable --now kahu')" : "");
}

static enum cmd_status run_init(struct cmd_env *env, int argc, char **argv)
{
	const char *named = argc > 1 ? argv[1] : NULL;
	char file[PATH_ROOM] = "-";
	struct str text = {0}, host = {0};
	enum cmd_status status = CMD_REFUSED;
	bool prints = named != NULL && strcmp(named, "-") == 0;

	if ((prints || choose_file(env, named, file)) && make_text(file, &text, &host, &env->err))
		status = prints ? CMD_DONE : write_there(env, file, &text);
	if (status == CMD_DONE && prints)
		str_add(env->out, str_text(&text));
	else if (status == CMD_DONE)
		tell(env, file, &host);
	str_free(&text);
	str_free(&host);
	return status;
}

static const struct cmd_option options[] = {
	{"--force", NULL, "replace a file that is there; it is kept as FILE.old"},
	{NULL, NULL, NULL},
};

const struct cmd cmd_init = {
	.name = "init",
	.args = "[FILE]",
	.help = "Writes a first configuration for what this host has and who works on it; - prints it.",
	.options = options,
	.max = 1,
	.flags = CMD_SHELL,
	.run = run_init,
};
