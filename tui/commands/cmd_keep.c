/* SPDX-License-Identifier: MIT */
/*
 * cmd_keep.c - kahu verify, backup and restore: is the store whole, and where is a copy?
 *
 * They work on the files of the store, which only its owner can read; verify and backup also while a
 * scheduler runs. A file that was cut off can end a reader of its map with a signal: that is said too.
 */
#include <inttypes.h>
#include <signal.h>
#include <unistd.h>

#include "cmd.h"
#include "store/store.h"
#include "tui/line.h"
#include "tui/session.h"

#define PATH_ROOM 4096

/* --- a damaged file -------------------------------------------------------------------------- */

static void say_cut_off(int number)
{
	static const char text[] = "kahu: the store is damaged: its file is shorter than it says; "
				   "put a copy in its place with 'kahu restore'\n";

	(void)number;
	(void)!write(STDERR_FILENO, text, sizeof text - 1);
	_exit(CMD_FAILED);
}

static void expect_damage(void)
{
	struct sigaction action = {.sa_handler = say_cut_off};

	sigaction(SIGBUS, &action, NULL);
	sigaction(SIGSEGV, &action, NULL);
}

/* --- verify and backup ------------------------------------------------------------------------- */

static struct store *open_store(struct cmd_env *env)
{
	char dir[PATH_ROOM];

	expect_damage();
	return session_store_dir(env->shell->store, dir, sizeof dir, &env->err)
		       ? store_open(dir, STORE_READ, &env->err)
		       : NULL;
}

static enum cmd_status run_verify(struct cmd_env *env, int argc, char **argv)
{
	struct store *store = open_store(env);
	uint64_t first = 0, last = 0;
	bool good;

	(void)argc;
	(void)argv;
	if (store == NULL)
		return CMD_FAILED;
	good = store_verify(store, &env->err) && store_journal_range(store, &first, &last, &env->err);
	if (good)
		str_addf(env->out, "%s is whole: %" PRIu64 " entries in its journal\n", store_dir(store),
			 last - first + (last > 0));
	store_close(store);
	return good ? CMD_DONE : CMD_FAILED;
}

static enum cmd_status run_backup(struct cmd_env *env, int argc, char **argv)
{
	struct store *store = open_store(env);
	bool good;

	(void)argc;
	if (store == NULL)
		return CMD_FAILED;
	good = store_backup(store, argv[1], &env->err);
	if (good)
		str_addf(env->out, "%s has a copy of %s, which is a store: try 'kahu --store %s verify'\n",
			 argv[1], store_dir(store), argv[1]);
	store_close(store);
	return good ? CMD_DONE : CMD_FAILED;
}

/* --- restore ------------------------------------------------------------------------------------- */

static enum cmd_status run_restore(struct cmd_env *env, int argc, char **argv)
{
	char dir[PATH_ROOM];

	(void)argc;
	expect_damage();
	if (!session_store_dir(env->shell->store, dir, sizeof dir, &env->err))
		return CMD_REFUSED;
	if (store_holder(dir) > 0) {
		err_set(&env->err, "the store %s is in use by process %d: stop that one first", dir,
			store_holder(dir));
		return CMD_REFUSED;
	}
	if (!store_restore(dir, argv[1], &env->err))
		return CMD_FAILED;
	str_addf(env->out, "%s is as %s was; what was there is kept as " STORE_REPLACED "\n", dir, argv[1]);
	return CMD_DONE;
}

const struct cmd cmd_verify = {
	.name = "verify",
	.args = "",
	.help = "Reads every record of the store and says whether it is whole; also while a scheduler runs.",
	.authority = CMD_ADMIN1,
	.flags = CMD_SHELL,
	.run = run_verify,
};

const struct cmd cmd_backup = {
	.name = "backup",
	.args = "FOLDER",
	.help = "Copies the store into a new folder; also while a scheduler runs.",
	.min = 1,
	.max = 1,
	.authority = CMD_ADMIN1,
	.flags = CMD_SHELL,
	.run = run_backup,
};

const struct cmd cmd_restore = {
	.name = "restore",
	.args = "FOLDER",
	.help = "Puts a copy in place of the store, while no scheduler runs. Jobs that have run since the "
		"copy "
		"was made wait again: hold them first in the copy if they must not run twice.",
	.min = 1,
	.max = 1,
	.authority = CMD_ADMIN1,
	.flags = CMD_SHELL,
	.run = run_restore,
};
