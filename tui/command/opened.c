/* SPDX-License-Identifier: MIT */
/*
 * opened.c - which state does a verb of the command line work on?
 */
#include "opened.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sched/host/driver.h"
#include "sched/rm/monotonic.h"
#include "store/store.h"
#include "tui/serve/caller.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"

#define PATH_ROOM    4096
#define LOOK_MS      20
#define LOOKS_FOR_MS 10000 /* for a scheduler that stays until it has answered */

/* --- what is there -------------------------------------------------------------------------- */

static bool store_exists(const char *dir)
{
	struct stat st;

	return stat(dir, &st) == 0 || errno != ENOENT;
}

/* It is there, or may be, behind a door that is closed to us. */
static bool store_is_closed(const char *dir)
{
	struct stat st;

	if (stat(dir, &st) == 0 && !S_ISDIR(st.st_mode))
		return false;
	return access(dir, R_OK | X_OK) != 0 && errno == EACCES;
}

/* Root's scheduler is installed on this host, and the user has named no other store. */
static bool roots_is_down(const char *dir)
{
	char usual[PATH_ROOM];
	struct stat st;

	return geteuid() != 0 && getenv("KAHU_STORE") == NULL && getenv("KAHU_RUN") == NULL &&
	       session_store_dir(NULL, usual, sizeof usual, NULL) && strcmp(usual, dir) == 0 &&
	       stat(KAHU_LOCALSTATEDIR, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == 0;
}

/* A store to work on where no scheduler runs. */
static bool has_store(const char *dir, struct err *err)
{
	if (!store_exists(dir) && roots_is_down(dir))
		return err_set(err, "root's scheduler, whose store is " KAHU_LOCALSTATEDIR
				    ", does not run; ask an "
				    "administrator to start it");
	if (!store_exists(dir))
		return err_set(err,
			       "no scheduler runs here, and there is no store in %s: 'kahu serve' runs real "
			       "jobs (those that run already go on), 'kahu demo --store %s' makes a "
			       "simulated cluster",
			       dir, dir);
	if (store_is_closed(dir))
		return err_set(err,
			       "no scheduler runs here, and the store %s is not %s's to open: who owns it "
			       "starts the scheduler with 'kahu serve'",
			       dir, session_user());
	return true;
}

static enum cmd_status may_be_asked(const struct opened *opened, struct cmd_env *env, const struct cmd *cmd)
{
	if (env->acts && opened->shell->readonly) {
		err_set(&env->err,
			"--readonly: nothing is changed; leave the option out to change something");
		return CMD_REFUSED;
	}
	if (opened->shell->config == NULL || (cmd->flags & CMD_ANY_STATE))
		return CMD_DONE;
	err_set(&env->err,
		"%s works on a store, which has its configuration in it; leave --config %s out, or change a "
		"value with 'kahu tune'",
		cmd->name, opened->shell->config);
	return CMD_USAGE;
}

/* --- a store nobody runs ---------------------------------------------------------------------- */

static bool open_for_report(struct opened *opened, struct cmd_env *env, const char *dir)
{
	struct ledger ledger;

	opened->store = store_open(dir, STORE_READ, &env->err);
	opened->unread = opened->store == NULL;
	if (!opened->store)
		return false;
	opened->state = state_new();
	ledger = store_ledger(opened->store);
	if (!ledger.ops->load(ledger.self, opened->state, &env->err))
		return false;
	env->s = state_view(opened->state);
	return true;
}

static bool open_to_change(struct opened *opened, const char *dir, struct err *err)
{
	opened->store = store_open(dir, STORE_CHANGE, err);
	opened->busy = opened->store == NULL && errno == EBUSY;
	if (!opened->store)
		return false;
	opened->driver = driver_new((struct rm){0}, store_ledger(opened->store), err);
	return opened->driver != NULL;
}

static bool open_for_change(struct opened *opened, struct cmd_env *env, const char *dir)
{
	if (!open_to_change(opened, dir, &env->err))
		return false;
	env->s = driver_view(opened->driver);
	return true;
}

static enum cmd_status open_stopped(struct opened *opened, struct cmd_env *env, const struct cmd *cmd)
{
	char dir[PATH_ROOM];

	env->who = session_user(); /* a scheduler that runs knows who it is */
	if (!session_store_dir(opened->shell->store, dir, sizeof dir, &env->err))
		return CMD_REFUSED;
	if (!(cmd->flags & CMD_ANY_STATE) && !has_store(dir, &env->err))
		return CMD_REFUSED;
	if (!store_exists(dir))
		return CMD_DONE;
	if (env->acts ? !open_for_change(opened, env, dir) : !open_for_report(opened, env, dir))
		return opened->busy ? CMD_REFUSED : CMD_FAILED;
	env->store = opened->store;
	env->now_s = env->s->now_s;
	return CMD_DONE;
}

/* --- a scheduler that runs ---------------------------------------------------------------------- */

/*
 * The state of a scheduler that runs; what is in the store besides only its owner can read. A store of one's
 * own that nobody runs is not the scheduler's.
 */
static bool open_running(struct opened *opened, struct cmd_env *env)
{
	char dir[PATH_ROOM];

	env->s = caller_state(opened->caller, &env->now_s, &env->err);
	if (env->s != NULL && !env->acts && session_store_dir(opened->shell->store, dir, sizeof dir, NULL) &&
	    store_holder(dir) > 0)
		env->store = opened->store = store_open(dir, STORE_READ, NULL);
	return env->s != NULL;
}

static enum cmd_status ask_running(struct opened *opened, struct cmd_env *env, const struct cmd *cmd)
{
	char dir[PATH_ROOM];

	if (opened->caller == NULL)
		return CMD_FAILED;
	if (env->acts && session_store_dir(env->shell->store, dir, sizeof dir, NULL) && !store_is_closed(dir))
		caller_expect_nobody(opened->caller, dir);
	env->caller = opened->caller;
	return (cmd->flags & CMD_SUBMITS) || open_running(opened, env) ? CMD_DONE : CMD_FAILED;
}

/* Where there is no store that it could change, a submission needs a scheduler. */
static int hope_ms(const struct shell *shell, const struct cmd *cmd)
{
	char dir[PATH_ROOM];

	if (!(cmd->flags & CMD_SUBMITS) || !session_store_dir(shell->store, dir, sizeof dir, NULL))
		return 0;
	return store_exists(dir) && !store_is_closed(dir) ? 0 : CALLER_HOPE_MS;
}

/* What changes something, or stays with jobs, is the scheduler's business also when it is only beginning. */
static struct caller *find_scheduler(struct cmd_env *env, const struct cmd *cmd, bool *runs)
{
	const struct shell *shell = env->shell;
	bool only_tells = cmd->authority == CMD_ANYONE && (cmd->flags & CMD_SHELL) == 0;

	return env->acts || !only_tells ? caller_await(shell->store, hope_ms(shell, cmd), runs, &env->err)
					: caller_find(shell->store, runs, &env->err);
}

/* --- whichever it is ------------------------------------------------------------------------------ */

/* Who came between the look for a scheduler and the store may be one that begins, or a verb that is soon
 * gone, or gone by now. A store that could not be read may be one that somebody is only just making. */
static bool is_worth_another_look(const struct opened *opened)
{
	const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
	char dir[PATH_ROOM];

	if ((!opened->busy && !opened->unread) ||
	    !session_store_dir(opened->shell->store, dir, sizeof dir, NULL) || !store_is_soon_free(dir) ||
	    (opened->unread && store_holder(dir) == 0))
		return false;
	if (opened->unread)
		nanosleep(&pause, NULL);
	return true;
}

/* The scheduler ended before it told its state: nothing has happened, and another may follow, or nobody. */
static bool went_unheard(struct opened *opened, struct cmd_env *env, int64_t until_ms)
{
	if (!caller_is_lost(opened->caller) || monotonic_ms() >= until_ms)
		return false;
	caller_close(opened->caller);
	opened->caller = env->caller = NULL;
	return true;
}

enum cmd_status opened_for(struct cmd_env *env, const struct cmd *cmd)
{
	struct opened *opened = env->door;
	enum cmd_status status = may_be_asked(opened, env, cmd);
	int64_t until_ms = monotonic_ms() + LOOKS_FOR_MS;
	bool runs;

	if (status != CMD_DONE)
		return status;
	do {
		opened->caller = find_scheduler(env, cmd, &runs);
		status = runs ? ask_running(opened, env, cmd) : open_stopped(opened, env, cmd);
	} while (runs ? went_unheard(opened, env, until_ms) : is_worth_another_look(opened));
	/* What was understood of a submission can be said without any state. */
	if (status != CMD_DONE && env->dry_run && (cmd->flags & CMD_SUBMITS) != 0) {
		env->caller = NULL;
		return CMD_DONE;
	}
	return status;
}

/* Verbs may hold it, one after the other, each for a moment. */
struct driver *opened_instead(struct opened *opened)
{
	const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
	int64_t until_ms = monotonic_ms() + LOOKS_FOR_MS;
	char dir[PATH_ROOM];

	if (opened->store != NULL || !session_store_dir(opened->shell->store, dir, sizeof dir, NULL) ||
	    !store_exists(dir) || store_is_closed(dir))
		return NULL;
	while (!open_to_change(opened, dir, NULL) && opened->busy && monotonic_ms() < until_ms)
		nanosleep(&pause, NULL);
	return opened->driver;
}

void opened_close(struct opened *opened)
{
	caller_close(opened->caller);
	if (opened->driver)
		driver_free(opened->driver);
	if (opened->state)
		state_free(opened->state);
	if (opened->store)
		store_close(opened->store);
	*opened = (struct opened){.shell = opened->shell};
}
