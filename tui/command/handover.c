/* SPDX-License-Identifier: MIT */
/*
 * handover.c - how does this host's scheduler go on when the console that ran it is left?
 *
 * The new process finds the two descriptors under fixed numbers, and an entry of its environment says so. It
 * has taken over when it answers at the door; what it says from then on stands in a log beside the store.
 */
#include "handover.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "sched/host/host.h"
#include "site.h"
#include "store/store.h"
#include "tui/serve/caller.h"
#include "tui/serve/porter.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"

#define PATH_ROOM 4096
#define FREE_FD   10 /* descriptors are moved from here on before they get their numbers */
#define LOG       "serve.log"
#define LOG_OLD   "serve.log.old"

/* --- the new process ----------------------------------------------------------------------------- */

static bool put_at(int from, int to)
{
	return from >= 0 && dup2(from, to) == to;
}

/* Standard input and output are nobody's; what is said is written down, what was written before is kept. */
static bool open_standard(const char *store)
{
	struct str log = {0}, old = {0};
	int nothing = open("/dev/null", O_RDWR), words;
	bool good;

	str_addf(&log, "%s/" LOG, store);
	str_addf(&old, "%s/" LOG_OLD, store);
	(void)rename(str_text(&log), str_text(&old));
	words = open(str_text(&log), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0600);
	good = put_at(nothing, STDIN_FILENO) && put_at(nothing, STDOUT_FILENO) &&
	       put_at(words >= 0 ? words : nothing, STDERR_FILENO);
	str_free(&log);
	str_free(&old);
	return good;
}

/* A program that was built anew since has the same name, and this one none any more. */
const char *handover_program(void)
{
	static char path[PATH_ROOM];
	const char gone[] = " (deleted)";
	ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
	size_t tail = sizeof gone - 1;

	if (len <= 0)
		return "/proc/self/exe";
	path[len] = '\0';
	if ((size_t)len > tail && strcmp(path + len - tail, gone) == 0)
		path[(size_t)len - tail] = '\0';
	return access(path, X_OK) == 0 ? path : "/proc/self/exe";
}

/* Names of places stay what they are when the folder is left. */
static const char *whole_path(const char *path, char room[static PATH_ROOM])
{
	return path != NULL && realpath(path, room) != NULL ? room : path;
}

static void keep_places(void)
{
	static const char *const names[] = {"KAHU_STORE", "KAHU_CONF", "KAHU_RUN"};
	char room[PATH_ROOM];

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *path = getenv(names[i]);

		if (path != NULL && path[0] != '\0')
			(void)setenv(names[i], whole_path(path, room), 1);
	}
}

/* Signals are as they were for a program that was started by a shell. */
static void reset_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	signal(SIGHUP, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGTSTP, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void run_program(const struct shell *shell)
{
	static char kahu[] = "kahu", serve[] = "serve", to_store[] = "--store", to_config[] = "--config";
	char store[PATH_ROOM], config[PATH_ROOM];
	char *argv[8] = {kahu, serve};
	int count = 2;

	if (shell->store != NULL) {
		argv[count++] = to_store;
		argv[count++] = (char *)(uintptr_t)whole_path(shell->store, store);
	}
	if (shell->config != NULL) {
		argv[count++] = to_config;
		argv[count++] = (char *)(uintptr_t)whole_path(shell->config, config);
	}
	keep_places();
	(void)setenv(HANDOVER_ENTRY, "1", 1);
	if (chdir("/") == 0)
		execv(handover_program(), argv);
}

static void become_server(const struct shell *shell, const char *store, struct handed handed)
{
	int lock, door;

	setsid();
	lock = fcntl(handed.lock, F_DUPFD, FREE_FD);
	door = fcntl(handed.door, F_DUPFD, FREE_FD);
	if (open_standard(store) && put_at(lock, HANDOVER_LOCK_FD) && put_at(door, HANDOVER_DOOR_FD) &&
	    close_range(HANDOVER_DOOR_FD + 1, ~0U, 0) == 0) {
		reset_signals();
		run_program(shell);
	}
	fprintf(stderr, "kahu: the scheduler cannot be started again: %s\n", strerror(errno));
	fflush(stderr);
	_exit(127);
}

/* --- the old one ---------------------------------------------------------------------------------- */

static void close_handed(struct handed handed)
{
	if (handed.lock >= 0)
		close(handed.lock);
	if (handed.door >= 0)
		close(handed.door);
}

/* It answers; or it has ended, and then nobody does. */
static bool answers(const char *dir, struct err *err)
{
	struct caller *caller = caller_open(dir, err);
	int64_t now_s;
	bool good = caller != NULL && caller_state(caller, &now_s, err) != NULL;

	caller_close(caller);
	return good;
}

bool handover(struct site *site, const struct shell *shell, struct err *err)
{
	struct handed handed;
	char dir[PATH_ROOM], store[PATH_ROOM];
	pid_t child = -1;
	bool good;

	signal(SIGHUP, SIG_IGN); /* a terminal that is lost may say so more than once */
	good = session_socket_dir(shell->store, dir, sizeof dir, err);
	snprintf(store, sizeof store, "%s", store_dir(site->store));
	host_stop(site->host);
	site->host = NULL;
	handed =
		(struct handed){.lock = store_hand_over(site->store), .door = porter_hand_over(site->porter)};
	site_close(site);
	if (good && (handed.lock < 0 || handed.door < 0))
		good = err_set(err, "lock and socket cannot be handed over: %s", strerror(errno));
	fflush(NULL);
	if (good && (child = fork()) == 0)
		become_server(shell, store, handed);
	close_handed(handed);
	good = good && child > 0 && answers(dir, err);
	if (good)
		printf("The scheduler goes on as process %d: 'kahu' shows it again, 'kahu sched stop' ends "
		       "it.\n",
		       (int)child);
	else
		err_prefix(err,
			   "the scheduler does not go on (its log is %s/" LOG
			   "); jobs do, and 'kahu serve' starts it",
			   store);
	return good;
}

struct handed handover_take(void)
{
	struct handed handed = {-1, -1};

	if (getenv(HANDOVER_ENTRY) != NULL && fcntl(HANDOVER_LOCK_FD, F_GETFD) >= 0 &&
	    fcntl(HANDOVER_DOOR_FD, F_GETFD) >= 0)
		handed = (struct handed){HANDOVER_LOCK_FD, HANDOVER_DOOR_FD};
	unsetenv(HANDOVER_ENTRY);
	return handed;
}
