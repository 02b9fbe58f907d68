/* SPDX-License-Identifier: MIT */
/*
 * cmd_serve.c - kahu serve, sched and reload: running and controlling the scheduler
 *
 * serve runs until SIGTERM or SIGINT; SIGHUP reloads the configuration. When the scheduler stops, running
 * jobs continue, and the next scheduler adopts them. If standard error is not a terminal, it is used as a log
 * with one line for each event of a job.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cmd.h"
#include "complete.h"
#include "post.h"
#include "sched/host/door.h"
#include "sched/host/event_log.h"
#include "sched/host/host.h"
#include "sched/host/service.h"
#include "site.h"
#include "store/store.h"
#include "tui/report/field.h"
#include "tui/serve/client.h"
#include "tui/serve/crash_restart.h"
#include "tui/serve/serve_metrics.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"

/* --- serve -------------------------------------------------------------------------------------------- */

/*
 * Blocks SIGTERM, SIGINT and SIGHUP in all threads and returns a descriptor that receives them; -1 with err
 * set on failure.
 */
static int watch_signals(struct err *err)
{
	sigset_t wanted;
	int fd;

	sigemptyset(&wanted);
	sigaddset(&wanted, SIGTERM);
	sigaddset(&wanted, SIGINT);
	sigaddset(&wanted, SIGHUP);
	sigprocmask(SIG_BLOCK, &wanted, NULL);
	signal(SIGPIPE, SIG_IGN);
	fd = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		err_set(err, "cannot create a signal descriptor: %s", strerror(errno));
	return fd;
}

/* Writes a warning to standard error: as a message on a terminal, else as a line of the log. */
static void warn(struct event_log *event_log, const char *text)
{
	struct str line = {0};

	if (isatty(STDERR_FILENO)) {
		fprintf(stderr, "kahu: %s\n", text);
		return;
	}
	str_addf(&line, "warning: %s", text);
	event_log_say(event_log, SERVICE_WARNING, str_text(&line));
	str_free(&line);
}

static void tell_warnings(const struct site *site)
{
	struct err warning;

	while (host_take_warning(site->host, &warning))
		warn(site->event_log, warning.text);
}

/*
 * Handles a signal: SIGHUP reloads the configuration. Returns false for any other signal, which ends the
 * scheduler.
 */
static bool go_on_after(const struct site *site, int signals)
{
	struct signalfd_siginfo info;
	struct err err = {{0}};

	if (read(signals, &info, sizeof info) != sizeof info)
		return true;
	if (info.ssi_signo != SIGHUP)
		return false;
	service_notify_reload();
	if (site_reload(site, &err) != CMD_DONE) {
		err_prefix(&err, "the configuration was not changed");
		warn(site->event_log, err.text);
	}
	service_notify("READY=1");
	return true;
}

static enum cmd_status serve_until_told(struct site *site, int signals, struct err *err)
{
	struct serve_metrics metrics = {.event_log = site->event_log, .host = site->host, .warn = warn};
	struct pollfd fds[3] = {{.fd = signals, .events = POLLIN},
				{.fd = host_wake_fd(site->host), .events = POLLIN},
				{.events = POLLIN}};

	for (;;) {
		fds[2].fd = serve_metrics_fd(&metrics);
		if (poll(fds, 3, serve_metrics_wait_ms(&metrics)) < 0 && errno != EINTR) {
			err_set(err, "cannot wait for the scheduler: %s", strerror(errno));
			return CMD_FAILED;
		}
		if (fds[0].revents != 0 && !go_on_after(site, signals))
			return CMD_DONE;
		host_clear_wake(site->host);
		tell_warnings(site);
		serve_metrics_turn(&metrics, fds[1].revents != 0);
		if (host_failed(site->host, err))
			return CMD_FAILED;
	}
}

static struct event_log *open_event_log(struct err *err)
{
	return event_log_new(isatty(STDERR_FILENO) ? -1 : STDERR_FILENO, service_is_journal(STDERR_FILENO),
			     err);
}

/* Warns if the system's scheduler runs on this host too: both would allocate the same processors. */
static void warn_of_another(const struct shell *shell, struct event_log *event_log)
{
	char own[4096];
	int connection = -1;

	if (session_socket_dir(shell->store, own, sizeof own, NULL) && strcmp(own, KAHU_RUNSTATEDIR) != 0)
		connection = door_knock(KAHU_RUNSTATEDIR, NULL);
	if (connection < 0)
		return;
	close(connection);
	warn(event_log, "the scheduler at " KAHU_RUNSTATEDIR
			" runs jobs on the same processors of this host; submit to that scheduler, or leave "
			"processors to it with systemprocs");
}

static enum cmd_status run_serve(struct cmd_env *env, int argc, char **argv)
{
	struct event_log *event_log = open_event_log(&env->err);
	struct site site = {.event_log = event_log, .warn = warn};
	enum cmd_status status = CMD_FAILED;
	int signals = event_log != NULL ? watch_signals(&env->err) : -1;

	(void)argc;
	(void)argv;
	crash_prepare(env->shell, handover_program()); /* first, to store the environment unchanged */
	site.watchdog_ms = service_watchdog_ms();
	if (signals >= 0)
		warn_of_another(env->shell, event_log);
	if (signals >= 0)
		status = site_open(&site, env->shell, &env->err);
	if (status == CMD_DONE) {
		printf("kahu serves %s\n", store_dir(site.store));
		fflush(stdout);
		service_notify("READY=1");
		site_survive_crashes(&site);
		status = serve_until_told(&site, signals, &env->err);
		service_notify("STOPPING=1");
	}
	site_close(&site);
	event_log_free(event_log);
	if (signals >= 0)
		close(signals);
	return status;
}

const struct cmd cmd_serve = {
	.name = "serve",
	.args = "",
	.help = "Run the scheduler of this host without a screen until it is stopped. Running jobs continue.",
	.flags = CMD_SHELL,
	.run = run_serve,
};

/* --- sched and reload --------------------------------------------------------------------------------- */

/*
 * `sched pause` changes the state, so the pause continues after a restart of the scheduler. During a pause
 * running jobs continue and submissions are accepted, but no job starts.
 */

static const char *const words[] = {"pause", "resume", "step", "stop", NULL};

static void complete_word(const struct snapshot *s, const char *word, struct cmd_candidates *out)
{
	(void)s;
	for (size_t i = 0; words[i] != NULL; i++)
		candidates_add(out, word, words[i]);
}

static bool get_paused(const void *item, struct value *out)
{
	out->whole = snapshot_is_halted(item);
	return true;
}

static bool get_passes_left(const void *item, struct value *out)
{
	const struct snapshot *s = item;

	out->whole = (int64_t)s->halt_after;
	return s->halted;
}

static const struct field sched_fields[] = {{"paused", NULL, FIELD_BOOL, .get = get_paused},
					    {"passes_left", NULL, FIELD_COUNT, .get = get_passes_left},
					    {0}};

static enum cmd_status tell(struct cmd_env *env)
{
	const struct snapshot *s = env->s;

	if (env->json) {
		fields_document(env->out, sched_fields, 0, s);
	} else if (!s->halted) {
		str_add(env->out, "scheduler running\n");
	} else if (s->halt_after == 0) {
		str_add(env->out, "scheduler paused; no jobs start until 'kahu sched resume'\n");
	} else {
		str_addf(env->out, "scheduler pauses after %" PRIu32 " more pass%s\n", s->halt_after,
			 s->halt_after == 1 ? "" : "es");
	}
	return CMD_DONE;
}

static enum cmd_status halt(struct cmd_env *env, bool on, uint32_t after)
{
	struct event *ev = cmd_add_event(env, EVENT_HALT, 0);

	ev->halt.on = on;
	ev->halt.after = after;
	return CMD_DONE;
}

static enum cmd_status step(struct cmd_env *env, const char *count)
{
	int64_t passes = 1;

	if (count != NULL && (!str_read_whole(count, &passes) || passes < 1 || passes > UINT32_MAX)) {
		err_set(&env->err, "step: \"%s\" is not a number of passes; write 1 or more", count);
		return CMD_USAGE;
	}
	return halt(env, true, (uint32_t)passes);
}

/* Stops the scheduler. Stopping is not a change of the state, so a scheduler must be running. */
static enum cmd_status stop(struct cmd_env *env)
{
	enum cmd_status status;

	if (env->client == NULL) {
		err_set(&env->err, "no scheduler is running");
		return CMD_REFUSED;
	}
	status = post_status(client_stop(env->client, &env->err));
	if (status == CMD_DONE)
		str_add(env->out, "scheduler stopped; running jobs continue and will be adopted by the next "
				  "scheduler\n");
	return status;
}

static enum cmd_status reload(struct cmd_env *env, int argc, char **argv)
{
	enum cmd_status status;

	(void)argc;
	(void)argv;
	if (env->client == NULL) {
		err_set(&env->err,
			"no scheduler is running; the next one reads the configuration when it starts");
		return CMD_REFUSED;
	}
	status = post_status(client_reload(env->client, &env->err));
	if (status == CMD_DONE)
		str_add(env->out, "configuration reloaded\n");
	return status;
}

static enum cmd_status run_sched(struct cmd_env *env, int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "", *more = argc > 2 ? argv[2] : NULL;

	if (argc == 1)
		return tell(env);
	if (strcmp(word, "step") == 0)
		return step(env, more);
	if (strcmp(word, "stop") == 0 && more == NULL)
		return env->dry_run ? CMD_DONE : stop(env);
	if (more != NULL || (strcmp(word, "pause") != 0 && strcmp(word, "resume") != 0)) {
		err_set(&env->err, "sched %s is not a command; write sched pause, resume, step [N] or stop",
			more != NULL ? more : word);
		return CMD_USAGE;
	}
	return halt(env, strcmp(word, "pause") == 0, 0);
}

const struct cmd cmd_sched = {
	.name = "sched",
	.alias = "schedctl",
	.args = "[pause | resume | step [N] | stop]",
	.help = "Pause or resume the scheduler, make it run N more passes, or stop it. Without an argument, "
		"print its state.",
	.max = 2,
	.authority = CMD_ADMIN1,
	.flags = CMD_STORE,
	.changes_by = words,
	.run = run_sched,
	.complete = complete_word,
};

const struct cmd cmd_reload = {
	.name = "reload",
	.args = "",
	.help = "Make the running scheduler read its configuration again. A configuration with errors is "
		"refused as a whole.",
	.authority = CMD_ADMIN1,
	.flags = CMD_STORE,
	.run = reload,
};
