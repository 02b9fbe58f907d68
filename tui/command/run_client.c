/* SPDX-License-Identifier: MIT */
/* run_client.c - the client side of kahu run: socket, signals, terminal and status line */
#include "run_client.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cmd.h"
#include "sched/base/duration.h"
#include "sched/forecast/explain.h"
#include "sched/forecast/future.h"
#include "sched/rm/monotonic.h"
#include "sched/rm/wallclock.h"
#include "tui/draw/text.h"
#include "tui/report/job_text.h"
#include "tui/serve/client.h"
#include "watch.h"

/* --- the status line ---------------------------------------------------------------------------------- */

#define WIDTH 80 /* used if the width of the terminal is unknown */

static int terminal_width(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : WIDTH;
}

/*
 * Shows the status line. It is cut to the width of the terminal, because a line that wraps cannot be
 * overwritten.
 */
static void write_line(const struct status_line *q)
{
	struct str safe = {0};
	int width = terminal_width() - 1;

	if (text_width(str_text(&q->line)) > width)
		text_fit(&safe, str_text(&q->line), width, TEXT_LEFT, q->ascii);
	else
		text_safe(&safe, str_text(&q->line), q->ascii);
	fprintf(stderr, "\r\033[K%s", str_text(&safe));
	fflush(stderr);
	str_free(&safe);
}

/* Removes the status line from the terminal. */
static void status_line_clear(struct status_line *q)
{
	if (q->line.len > 0)
		fputs("\r\033[K", stderr);
	str_free(&q->line);
}

static void describe(const struct snapshot *s, const struct job *job, const struct why *why, int64_t now_s,
		     struct str *out)
{
	char when[MOMENT_TEXT], label[JOB_LABEL_TEXT];

	str_addf(out, "job %s waits", snapshot_job_label(s, job, label));
	if (why->lead.gate != GATE_NONE) {
		str_add(out, ": ");
		job_text_sentence(s, job, &why->lead, now_s, out);
	}
	if (why->estimated_s != TIME_NEVER && why->estimated_s > now_s)
		str_addf(out, " Starts about %s.", wallclock_short(when, why->estimated_s, now_s));
}

static bool never(const struct snapshot *s, const struct job *job, const struct why *why, int64_t now_s,
		  struct err *err)
{
	struct str sentence = {0};

	job_text_sentence(s, job, &why->lead, now_s, &sentence);
	err_set(err, "job %" PRIu64 " could never start: %s", job->id, str_text(&sentence));
	str_free(&sentence);
	return false;
}

/*
 * Shows why the job waits, and its estimated start. Returns false if the job can never start; err says why.
 */
static bool status_line_update(struct status_line *q, const struct snapshot *s, uint64_t id, int64_t now_s,
			       struct err *err)
{
	uint32_t slot = snapshot_find_job(s, id);
	struct future future = {.side = {.s = NULL}};
	struct future_setup setup = {.now_s = now_s,
				     .full = true,
				     .most_work = FUTURE_LIST_WORK,
				     .reasons = true,
				     .one = true,
				     .slot = slot};
	struct future_start start;
	struct str line = {0};
	const struct job *job;
	struct why why;
	bool good = true;

	if (slot == INDEX_NONE || snapshot_jobs(s)[slot].state != JOB_IDLE)
		return true;
	job = &snapshot_jobs(s)[slot];
	future_build(&future, s, &setup);
	start = future_start(&future, slot);
	explain_planned(s, slot, &future.plan, &why);
	explain_dated(&why, s, &start, explain_future(&future, slot));
	if (why.verdict == VERDICT_NEVER) {
		good = never(s, job, &why, now_s, err);
	} else if (q->wanted) {
		describe(s, job, &why, now_s, &line);
		if (strcmp(str_text(&line), str_text(&q->line)) != 0) {
			str_free(&q->line);
			q->line = line;
			line = (struct str){0};
			write_line(q);
		}
	}
	str_free(&line);
	future_clear(&future);
	return good;
}

/* --- the socket for the job --------------------------------------------------------------------------- */

/*
 * Each turn of the loop handles signals, accepts the connection of the shepherd, copies the pseudo terminal,
 * reads how the job ended, and asks the scheduler about a job whose shepherd has not connected yet. After the
 * shepherd has connected, the scheduler is no longer needed.
 */

#define REASON_FIRST_MS 1000 /* first pause between updates of the status line; then doubled */

#define REASON_LAST_MS 30000

#define AFTER_MS 5000 /* longest wait for a scheduler that knows how a cancelled job ended */

#define SOCKET "w"

/*
 * Creates a folder that only this user can access, and stores its path in c->dir. Returns false if it cannot
 * be created below parent.
 */
static bool make_folder(struct run_client *c, const char *parent)
{
	if (parent == NULL ||
	    snprintf(c->dir, sizeof c->dir, "%s/kahu-run.XXXXXX", parent) >= (int)sizeof c->dir)
		return false;
	if (mkdtemp(c->dir) != NULL)
		return true;
	c->dir[0] = '\0';
	return false;
}

static bool listen_for_it(struct run_client *c, struct err *err)
{
	if (!make_folder(c, getenv("XDG_RUNTIME_DIR")) && !make_folder(c, "/tmp"))
		return err_set(err, "cannot create a directory in /tmp: %s", strerror(errno));
	snprintf(c->path, sizeof c->path, "%s/" SOCKET, c->dir);
	c->listening = waiter_listen(c->path, err);
	return c->listening >= 0 && waiter_make_key(c->key, err);
}

static bool watch_signals(struct run_client *c, struct err *err)
{
	static const int heard[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH};
	sigset_t wanted;

	sigemptyset(&wanted);
	for (size_t i = 0; i < sizeof heard / sizeof heard[0]; i++)
		sigaddset(&wanted, heard[i]);
	sigprocmask(SIG_BLOCK, &wanted, NULL);
	signal(SIGPIPE, SIG_IGN);
	if (c->pty)
		signal(SIGTSTP, SIG_IGN); /* ^Z goes to the job */
	c->signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
	return c->signals >= 0 || err_set(err, "cannot create a signal descriptor: %s", strerror(errno));
}

/* --- the end ------------------------------------------------------------------------------------------ */

static void complain(struct run_client *c, const char *sentence)
{
	struct str safe = {0};

	status_line_clear(&c->line);
	text_safe(&safe, sentence, c->ascii);
	fprintf(stderr, "kahu: %s\n", str_text(&safe));
	str_free(&safe);
}

/*
 * Reports that the job stays in the queue. The job will fail when it starts, because then no process listens
 * at the socket.
 */
static void report_not_cancelled(struct run_client *c)
{
	char sentence[200];

	snprintf(sentence, sizeof sentence,
		 "job %" PRIu64 " was not cancelled because no scheduler responds; it stays in the queue and "
		 "fails when it starts; to remove it, run 'kahu cancel %" PRIu64 "'",
		 c->job, c->job);
	complain(c, sentence);
}

static void finish(struct run_client *c, int status)
{
	status_line_clear(&c->line);
	c->over = true;
	c->status = status;
}

static void finish_with(struct run_client *c, int status, const char *sentence)
{
	complain(c, sentence);
	finish(c, status);
}

/* Returns why the job ended, if the exit status does not show it; NULL if it does. */
static const char *reason_text(const struct spool_ended *ended)
{
	static const char *const texts[END_REASON_COUNT] = {
		[END_WALL_LIMIT] = "it reached its wallclock limit",
		[END_MEM_LIMIT] = "it exceeded its memory limit",
		[END_CANCELLED] = "it was cancelled",
		[END_NOT_STARTED] = "it could not be started",
		[END_PROLOG] = "the prolog failed",
		[END_TRY_AGAIN] = "it could not be started and will be retried",
		[END_HOST_FAULT] = "it could not be started and is deferred",
	};

	return ended->text[0] != '\0' ? ended->text : texts[ended->reason];
}

static void finish_ended(struct run_client *c)
{
	const char *text = reason_text(&c->ended);
	char sentence[SPOOL_TEXT + 64];

	if (text != NULL) {
		snprintf(sentence, sizeof sentence, "job %" PRIu64 ": %s", c->job, text);
		complain(c, sentence);
	}
	finish(c, exit_status_of(c->ended.status));
}

/* Ends without an answer from the scheduler, because none came in time. */
static void give_up(struct run_client *c)
{
	if (c->told)
		finish_ended(c);
	else
		finish_with(c, 1, "the job has ended with unknown status");
}

static void finish_status(struct run_client *c, const struct job_status *job_status)
{
	struct str sentence = {0};

	c->may_come = false;
	job_status_describe(job_status, &sentence);
	finish_with(c, job_status->phase == JOB_PHASE_ENDED ? job_status_exit(job_status) : 1,
		    str_text(&sentence));
	str_free(&sentence);
}

/* --- the scheduler ------------------------------------------------------------------------------------ */

static void lose_scheduler(struct run_client *c)
{
	client_close(c->scheduler);
	c->scheduler = NULL;
}

static enum driver_outcome post_cancel(struct run_client *c)
{
	struct event ev = {.kind = EVENT_CANCEL, .job = c->job};

	return c->scheduler != NULL ? client_post(c->scheduler, &ev, 1, NULL) : DRIVER_FAILED;
}

/*
 * Cancels the job. Tries again once with a scheduler that may have started since the last request. Returns
 * false if no scheduler has answered.
 */
static bool cancel(struct run_client *c)
{
	enum driver_outcome outcome = post_cancel(c);
	bool runs;

	if (outcome == DRIVER_FAILED && (c->scheduler == NULL || client_is_lost(c->scheduler))) {
		lose_scheduler(c);
		c->scheduler = client_find(c->store, &runs, NULL);
		outcome = post_cancel(c);
	}
	c->may_come = outcome != DRIVER_DONE;
	return outcome != DRIVER_FAILED;
}

/* Updates the status line, and cancels the job if it can never start. */
static void ask_why(struct run_client *c)
{
	struct err err;
	int64_t now_s;
	const struct snapshot *s = client_state(c->scheduler, &now_s, &err);

	if (s == NULL) {
		lose_scheduler(c);
	} else if (!status_line_update(&c->line, s, c->job, now_s, &err)) {
		cancel(c);
		finish_with(c, CMD_REFUSED, err.text);
	}
	c->reason_pause_ms =
		c->reason_pause_ms * 2 < REASON_LAST_MS ? c->reason_pause_ms * 2 : REASON_LAST_MS;
	c->reason_at_ms = c->line.wanted ? monotonic_ms() + c->reason_pause_ms : INT64_MAX;
}

static void take_status(struct run_client *c, const struct job_status *job_status)
{
	switch ((enum job_phase)job_status->phase) {
	case JOB_PHASE_WAITING:
		c->give_up_at_ms = INT64_MAX;
		if (monotonic_ms() >= c->reason_at_ms)
			ask_why(c);
		break;
	case JOB_PHASE_RUNNING:
		status_line_clear(&c->line);
		if (c->give_up_at_ms != INT64_MAX) /* this scheduler will soon know how the job ended */
			c->give_up_at_ms = monotonic_ms() + AFTER_MS;
		break;
	case JOB_PHASE_ENDED:
	case JOB_PHASE_UNKNOWN:
	case JOB_PHASE_COUNT:
		finish_status(c, job_status);
		break;
	}
}

/*
 * Asks the scheduler for the state of a job whose shepherd has not connected. If no scheduler is running, the
 * next call looks for one again.
 */
static void ask(struct run_client *c)
{
	const struct job_ref name = {.job = c->job};
	struct job_status job_status;
	bool runs;

	if (c->scheduler == NULL)
		c->scheduler = client_find(c->store, &runs, NULL);
	if (c->scheduler != NULL) {
		if (client_jobs(c->scheduler, &name, 1, false, &job_status, NULL))
			take_status(c, &job_status);
		else
			lose_scheduler(c);
	}
	c->ask_pause_ms = c->ask_pause_ms * 2 < WATCH_LAST_MS ? c->ask_pause_ms * 2 : WATCH_LAST_MS;
	c->ask_at_ms = monotonic_ms() + c->ask_pause_ms;
}

static void ask_soon(struct run_client *c)
{
	c->ask_pause_ms = WATCH_FIRST_MS;
	c->ask_at_ms = monotonic_ms() + c->ask_pause_ms;
}

/* --- the job ------------------------------------------------------------------------------------------ */

static void let_in(struct run_client *c)
{
	int files[3] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}, side = -1;
	struct err err;

	status_line_clear(&c->line);
	if (c->pty) {
		side = pty_open_slave(&c->terminal, &err);
		files[0] = files[1] = files[2] = side;
	}
	if (!c->pty || side >= 0)
		c->connection = waiter_accept(c->listening, c->key, c->job, files, &err);
	if (side >= 0)
		close(side);
	c->may_come = c->connection < 0;
	if (c->may_come)
		complain(c, err.text);
	else if (c->pty)
		pty_start(&c->terminal);
}

/*
 * Reads how the job ended. If it was cancelled, asks the scheduler too: only the scheduler knows whether the
 * job was requeued.
 */
static void hear_end(struct run_client *c)
{
	c->told = waiter_hear(c->connection, &c->ended);
	close(c->connection);
	c->connection = -1;
	pty_finish(&c->terminal);
	if (c->told && c->ended.reason != END_CANCELLED) {
		finish_ended(c);
		return;
	}
	c->may_come = true;
	c->give_up_at_ms = monotonic_ms() + AFTER_MS;
	ask_soon(c);
}

static void pass_on(struct run_client *c, int number)
{
	if (number == SIGWINCH) {
		if (c->pty && c->connection >= 0)
			pty_resize(&c->terminal);
	} else if (c->connection < 0) {
		if (!cancel(c))
			report_not_cancelled(c);
		finish(c, 128 + number);
	} else if (number == SIGHUP && c->pty) {
		finish(c, 128 + number); /* the user's terminal is gone, and so is the job's */
	} else {
		waiter_signal(c->connection, number);
	}
}

static void hear_signals(struct run_client *c)
{
	struct signalfd_siginfo info;

	while (!c->over && read(c->signals, &info, sizeof info) == sizeof info)
		pass_on(c, (int)info.ssi_signo);
}

/* --- waiting ------------------------------------------------------------------------------------------ */

static int wait_ms(const struct run_client *c)
{
	int64_t left_ms = c->ask_at_ms - monotonic_ms();

	if (c->connection >= 0)
		return -1;
	return left_ms > 0 ? (int)left_ms : 0;
}

static void turn(struct run_client *c)
{
	struct pollfd files[3 + PTY_FILES] = {
		{.fd = c->signals, .events = POLLIN},
		{.fd = c->connection < 0 ? c->listening : -1, .events = POLLIN},
		{.fd = c->connection, .events = POLLIN},
		{.fd = -1},
		{.fd = -1},
	};
	bool shows = c->pty && c->connection >= 0;

	if (shows)
		pty_poll_files(&c->terminal, files + 3);
	if (poll(files, sizeof files / sizeof files[0], wait_ms(c)) < 0)
		return;
	if (files[0].revents != 0)
		hear_signals(c);
	if (!c->over && shows && !pty_copy(&c->terminal, files + 3))
		finish(c, 128 + SIGHUP);
	if (!c->over && files[2].revents != 0)
		hear_end(c);
	else if (!c->over && files[1].revents != 0)
		let_in(c);
	if (!c->over && c->connection < 0 && monotonic_ms() >= c->ask_at_ms)
		ask(c);
	if (!c->over && c->connection < 0 && monotonic_ms() >= c->give_up_at_ms)
		give_up(c);
}

/* --- life cycle --------------------------------------------------------------------------------------- */

bool run_client_open(struct run_client *c, const struct run_options *options, struct err *err)
{
	*c = (struct run_client){
		.store = options->store,
		.pty = options->pty,
		.ascii = options->ascii,
		.line = {.wanted = !options->quiet && isatty(STDERR_FILENO), .ascii = options->ascii},
		.listening = -1,
		.connection = -1,
		.signals = -1,
		.terminal = {.master = -1},
		.give_up_at_ms = INT64_MAX,
		.reason_pause_ms = REASON_FIRST_MS / 2};
	return (!c->pty || pty_open(&c->terminal, err)) && listen_for_it(c, err) && watch_signals(c, err);
}

int run_client_wait(struct run_client *c, struct client *scheduler, uint64_t job)
{
	c->scheduler = scheduler;
	c->job = job;
	c->may_come = true;
	ask_soon(c);
	while (!c->over)
		turn(c);
	return c->status;
}

/*
 * The folder is kept while the shepherd may still connect, so that no other user can create a folder with its
 * name.
 */
void run_client_close(struct run_client *c)
{
	pty_close(&c->terminal);
	if (c->listening >= 0) {
		close(c->listening);
		unlink(c->path);
	}
	if (c->dir[0] != '\0' && !c->may_come)
		rmdir(c->dir);
	if (c->connection >= 0)
		close(c->connection);
	if (c->signals >= 0)
		close(c->signals);
	client_close(c->scheduler);
}
