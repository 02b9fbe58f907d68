/* SPDX-License-Identifier: MIT */
/*
 * cmd_backup.c - kahu verify, backup and restore
 *
 * These verbs read the files of the store, which only its owner can do. verify and backup also work while a
 * scheduler runs.
 */
#include <inttypes.h>
#include <time.h>

#include "cmd.h"
#include "sched/base/duration.h"
#include "store/store.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"

#define PATH_ROOM 4096

/* --- verify and backup -------------------------------------------------------------------------------- */

static struct store *open_store(struct cmd_env *env)
{
	char dir[PATH_ROOM];

	return session_store_dir(env->shell->store, dir, sizeof dir, &env->err)
		       ? store_open(dir, STORE_READ, &env->err)
		       : NULL;
}

static void describe_last_good(const struct store *store, uint64_t last, struct str *out)
{
	int64_t now_s = (int64_t)time(NULL), at_s;
	char age[DURATION_TEXT];
	uint64_t entry;

	if (store_last_good(store_dir(store), &entry, &at_s))
		str_addf(out,
			 STORE_LAST_GOOD " contains the queue after entry %" PRIu64
					 " (later entries: %" PRIu64 "); it is %s old\n",
			 entry, last > entry ? last - entry : 0,
			 duration_text(age, now_s > at_s ? now_s - at_s : 0));
	else
		str_add(out,
			"there is no intact " STORE_LAST_GOOD "; the scheduler writes one when it stops\n");
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
	if (good) {
		str_addf(env->out, "%s is intact: %" PRIu64 " entries in its journal", store_dir(store),
			 last - first + (last > 0));
		str_addf(env->out, first > 1 ? ", which begins with entry %" PRIu64 "\n" : "\n", first);
		describe_last_good(store, last, env->out);
	}
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
		str_addf(env->out,
			 "%s is a store with a copy of %s; check it with 'kahu --store %s verify'\n", argv[1],
			 store_dir(store), argv[1]);
	store_close(store);
	return good ? CMD_DONE : CMD_FAILED;
}

/* --- restore ------------------------------------------------------------------------------------------ */

static void tell_lost(struct str *out, const struct store_recovery *got)
{
	uint64_t listed = got->lost < STORE_LOST_LISTED ? got->lost : STORE_LOST_LISTED;

	str_addf(out, "lost: %" PRIu64 " %s whose submission after that entry was acknowledged:", got->lost,
		 got->lost == 1 ? "job" : "jobs");
	for (uint64_t i = 0; i < listed; i++)
		str_addf(out, " %" PRIu64, got->lost_job[i]);
	str_addf(out, "%s\n", listed < got->lost ? " ..." : "");
}

static void tell_recovery(struct cmd_env *env, const char *dir, const struct store_recovery *got)
{
	char when[MOMENT_TEXT];

	str_addf(env->out,
		 "%s is restored to entry %" PRIu64 " (%s), starting from %s at entry %" PRIu64 "\n", dir,
		 got->seq, moment_iso(when, got->time_s), got->base, got->from);
	str_addf(env->out, "journal: begins with entry %" PRIu64 "; history: %" PRIu64 " jobs\n", got->first,
		 got->ended);
	if (got->skipped > 0)
		str_addf(env->out, "damage: %" PRIu64 " pages or records could not be read\n", got->skipped);
	if (got->unusable > 0)
		str_addf(env->out,
			 "entries after %" PRIu64 ": %" PRIu64 " of them, up to entry %" PRIu64
			 ", are readable but were not applied, because earlier ones are lost\n",
			 got->seq, got->unusable, got->last);
	if (got->lost > 0)
		tell_lost(env->out, got);
	if (got->held > 0)
		str_addf(env->out,
			 "held: %" PRIu64
			 " jobs that are idle after that entry were started later and may still be running "
			 "or have ended; to run them again, use 'kahu release'\n",
			 got->held);
	if (got->without_launch > 0)
		str_addf(env->out,
			 "%" PRIu64
			 " jobs cannot start because their scripts are lost; cancel and resubmit them\n",
			 got->without_launch);
	str_addf(env->out, "the damaged file is kept as " STORE_REPLACED "\n");
}

static enum cmd_status recover(struct cmd_env *env, const char *dir)
{
	struct store_recovery got;

	if (!store_recover(dir, &got, &env->err))
		return CMD_FAILED;
	tell_recovery(env, dir, &got);
	return CMD_DONE;
}

static enum cmd_status run_restore(struct cmd_env *env, int argc, char **argv)
{
	char dir[PATH_ROOM];

	if ((argc > 1) == (cmd_option(env, "--last-good") != NULL)) {
		err_set(&env->err, "restore takes either a FOLDER or --last-good");
		return CMD_USAGE;
	}
	if (!session_store_dir(env->shell->store, dir, sizeof dir, &env->err))
		return CMD_REFUSED;
	if (store_holder(dir) > 0) {
		err_set(&env->err, "the store %s is in use by process %d; stop that process first", dir,
			store_holder(dir));
		return CMD_REFUSED;
	}
	if (argc < 2)
		return recover(env, dir);
	if (!store_restore(dir, argv[1], &env->err))
		return CMD_FAILED;
	str_addf(env->out, "%s is replaced by %s; the previous store is kept as " STORE_REPLACED "\n", dir,
		 argv[1]);
	return CMD_DONE;
}

const struct cmd cmd_verify = {
	.name = "verify",
	.args = "",
	.help = "Check every record of the store. Works while a scheduler runs.",
	.authority = CMD_ADMIN1,
	.flags = CMD_SHELL,
	.run = run_verify,
};

const struct cmd cmd_backup = {
	.name = "backup",
	.args = "FOLDER",
	.help = "Copy the store into a new folder. Works while a scheduler runs.",
	.min = 1,
	.max = 1,
	.authority = CMD_ADMIN1,
	.flags = CMD_SHELL,
	.run = run_backup,
};

static const struct cmd_option restore_options[] = {
	{"--last-good", NULL, "recover a damaged store from its readable records and the last good copy"},
	{NULL, NULL, NULL},
};

const struct cmd cmd_restore = {
	.name = "restore",
	.args = "[FOLDER]",
	.options = restore_options,
	.help = "Replace the store with a copy, while no scheduler runs. Jobs that have started since the "
		"copy was made become idle again; if they must not run twice, hold them in the copy before "
		"you restore it. With --last-good, recover a damaged store instead.",
	.max = 1,
	.authority = CMD_ADMIN1,
	.flags = CMD_SHELL,
	.run = run_restore,
};
