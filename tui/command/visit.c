/* SPDX-License-Identifier: MIT */
/*
 * visit.c - which scheduler does the console show when no verb was given?
 */
#include "visit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "sched/host/door.h"
#include "store/store.h"
#include "tui/command/cmd_console.h"
#include "tui/command/simulate.h"
#include "tui/command/site.h"
#include "tui/serve/remote.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"

#define PATH_ROOM 4096

static struct session session_for(const struct shell *shell)
{
	return (struct session){
		.readonly = shell->readonly,
		.ascii = shell->ascii,
		.color = !shell->no_color,
		.who = session_user(),
	};
}

/* --- one that runs ------------------------------------------------------------------------------ */

/* Is the scheduler that was found the one that root runs for everybody? */
static bool is_everybodys(const struct shell *shell)
{
	return shell->store == NULL && getenv("KAHU_STORE") == NULL && getenv("KAHU_RUN") == NULL &&
	       access(KAHU_RUNSTATEDIR "/" DOOR_SOCKET, F_OK) == 0;
}

/* Only its owner can read the store of a scheduler. */
static struct store *open_store_of(const struct shell *shell)
{
	char dir[PATH_ROOM];

	if ((geteuid() != 0 && is_everybodys(shell)) ||
	    !session_store_dir(shell->store, dir, sizeof dir, NULL))
		return NULL;
	return store_open(dir, STORE_READ, NULL);
}

static enum cmd_status attach(const struct shell *shell, struct remote *remote, struct err *err)
{
	struct session session = session_for(shell);
	enum cmd_status status;

	session.attached = true;
	session.source = source_of_remote(remote);
	session.store = open_store_of(shell);
	status = (enum cmd_status)shell->console->run(&session, shell->script, err);
	remote_close(remote);
	if (session.store != NULL)
		store_close(session.store);
	return status;
}

/* --- one that is simulated ------------------------------------------------------------------------ */

static bool exists(const char *dir, const char *name)
{
	struct str path = {0};
	struct stat st;
	bool found;

	str_addf(&path, "%s/%s", dir, name);
	found = stat(str_text(&path), &st) == 0;
	str_free(&path);
	return found;
}

/* A store without a folder for real jobs: its cluster is a demo's, or none was begun yet. */
static bool is_simulated(const struct shell *shell)
{
	char dir[PATH_ROOM];

	return session_store_dir(shell->store, dir, sizeof dir, NULL) && exists(dir, "data.mdb") &&
	       !exists(dir, "spool");
}

static enum cmd_status simulate(const struct shell *shell, struct err *err)
{
	struct session session = {.store = NULL};
	enum cmd_status status = simulate_resume(shell, &session, err);

	if (status == CMD_DONE)
		status = simulate_show(shell, &session, err);
	session_close(&session);
	return status;
}

/* Nobody is given a scheduler who has not asked for one: by a store, or by a configuration. */
static bool is_wanted(const struct shell *shell, struct err *err)
{
	char dir[PATH_ROOM], config[PATH_ROOM];
	struct stat st;

	if (!session_store_dir(shell->store, dir, sizeof dir, err) ||
	    !session_config_file(shell->config, config, sizeof config, err))
		return false;
	return stat(dir, &st) == 0 || config[0] != '\0' ||
	       err_set(err,
		       "there is no store in %s and no configuration: 'kahu init' makes this host ready to "
		       "run "
		       "jobs, 'kahu demo' shows a simulated cluster",
		       dir);
}

/* --- this host's ------------------------------------------------------------------------------------ */

/* Another may have begun since there was none: then that one is meant. Else it stays refused. */
static enum cmd_status attach_instead(const struct shell *shell, struct err *err)
{
	struct err why = {{0}};
	bool runs;
	struct remote *remote = remote_open(shell->store, &runs, &why);

	return remote != NULL ? attach(shell, remote, err) : CMD_REFUSED;
}

/* Jobs go on in every case; with a detached one others are started as well. */
static enum cmd_status host_it(const struct shell *shell, struct err *err)
{
	struct session session = session_for(shell);
	struct site site = {.yields = true};
	enum cmd_status status = site_open(&site, shell, err);

	if (status != CMD_DONE)
		return status == CMD_REFUSED ? attach_instead(shell, err) : status;
	session.source = source_of_host(site.host);
	session.store = site.store;
	status = (enum cmd_status)shell->console->run(&session, shell->script, err);
	if (session.detach) {
		struct err why = {{0}};

		if (handover(&site, shell, &why))
			return status;
		fprintf(stderr, "kahu: %s\n", why.text);
		return CMD_FAILED;
	}
	site_close(&site);
	return status;
}

enum cmd_status visit_run(const struct shell *shell, struct err *err)
{
	bool runs;
	struct remote *remote = remote_open(shell->store, &runs, err);

	if (remote != NULL)
		return attach(shell, remote, err);
	if (runs)
		return CMD_FAILED;
	if (!is_wanted(shell, err))
		return CMD_REFUSED;
	if (shell->script == NULL && !shell->console->has_terminal(err))
		return CMD_USAGE;
	return is_simulated(shell) ? simulate(shell, err) : host_it(shell, err);
}
