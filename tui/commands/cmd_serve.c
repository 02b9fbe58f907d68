/* SPDX-License-Identifier: MIT */
/*
 * cmd_serve.c - kahu serve: the scheduler of this host without a screen
 *
 * Runs until it is told to stop (TERM, INT). Running jobs go on; the next one that serves the store takes
 * them over.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cmd.h"
#include "sched/host/host.h"
#include "site.h"
#include "store/store.h"

/* Blocked in all threads, so that only the descriptor gets them. -1 with a sentence. */
static int watch_signals(struct err *err)
{
	sigset_t wanted;
	int fd;

	sigemptyset(&wanted);
	sigaddset(&wanted, SIGTERM);
	sigaddset(&wanted, SIGINT);
	sigprocmask(SIG_BLOCK, &wanted, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	fd = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		err_set(err, "signals cannot be watched: %s", strerror(errno));
	return fd;
}

static void tell_warnings(struct host *host)
{
	struct err warning;

	while (host_take_warning(host, &warning))
		fprintf(stderr, "kahu: %s\n", warning.text);
}

static enum cmd_status serve_until_told(struct site *site, int signals, struct err *err)
{
	struct pollfd fds[2] = {{.fd = signals, .events = POLLIN},
				{.fd = host_wake_fd(site->host), .events = POLLIN}};

	for (;;) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR) {
			err_set(err, "the scheduler cannot be waited for: %s", strerror(errno));
			return CMD_FAILED;
		}
		if (fds[0].revents != 0)
			return CMD_DONE;
		host_clear_wake(site->host);
		tell_warnings(site->host);
		if (host_failed(site->host, err))
			return CMD_FAILED;
	}
}

static enum cmd_status run_serve(struct cmd_env *env, int argc, char **argv)
{
	struct site site = {.store = NULL};
	enum cmd_status status;
	int signals = watch_signals(&env->err);

	(void)argc;
	(void)argv;
	if (signals < 0)
		return CMD_FAILED;
	status = site_open(&site, env->shell, &env->err);
	if (status == CMD_DONE) {
		printf("kahu serves %s\n", store_dir(site.store));
		fflush(stdout);
		status = serve_until_told(&site, signals, &env->err);
	}
	site_close(&site);
	close(signals);
	return status;
}

const struct cmd cmd_serve = {
	.name = "serve",
	.args = "",
	.help = "The scheduler of this host without a screen, until it is told to stop; jobs go on.",
	.flags = CMD_SHELL,
	.run = run_serve,
};
