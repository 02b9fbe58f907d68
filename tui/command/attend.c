/* SPDX-License-Identifier: MIT */
/*
 * attend.c - what is done here from when a job is handed in until it has ended?
 *
 * One turn hears our signals, lets the job in, shows its terminal, hears how it ended, and asks the scheduler
 * what has become of a job that has not come yet. Once it is here nothing goes through the scheduler.
 */
#include "attend.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "sched/rm/monotonic.h"
#include "sched/rm/waiter.h"
#include "tui/draw/text.h"
#include "tui/serve/caller.h"
#include "watch.h"

#define REASON_FIRST_MS 1000 /* how often it is asked why the job waits, more and more seldom */
#define REASON_LAST_MS  30000
#define AFTER_MS        5000 /* without a scheduler that could say what has become of one that was stopped */
#define SOCKET          "w"

/* --- where the job finds us ---------------------------------------------------------------------------- */

/* A folder that only we can use. */
static bool make_folder(struct attend *a, const char *parent)
{
	if (parent == NULL ||
	    snprintf(a->dir, sizeof a->dir, "%s/kahu-run.XXXXXX", parent) >= (int)sizeof a->dir)
		return false;
	if (mkdtemp(a->dir) != NULL)
		return true;
	a->dir[0] = '\0';
	return false;
}

static bool listen_for_it(struct attend *a, struct err *err)
{
	if (!make_folder(a, getenv("XDG_RUNTIME_DIR")) && !make_folder(a, "/tmp"))
		return err_set(err, "no folder can be made in /tmp for the job to find us: %s",
			       strerror(errno));
	snprintf(a->path, sizeof a->path, "%s/" SOCKET, a->dir);
	a->listening = waiter_listen(a->path, err);
	return a->listening >= 0 && waiter_make_key(a->key, err);
}

static bool watch_signals(struct attend *a, struct err *err)
{
	static const int heard[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH};
	sigset_t wanted;

	sigemptyset(&wanted);
	for (size_t i = 0; i < sizeof heard / sizeof heard[0]; i++)
		sigaddset(&wanted, heard[i]);
	sigprocmask(SIG_BLOCK, &wanted, NULL);
	signal(SIGPIPE, SIG_IGN);
	if (a->pty)
		signal(SIGTSTP, SIG_IGN); /* what was typed is the job's */
	a->signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
	return a->signals >= 0 || err_set(err, "signals cannot be watched: %s", strerror(errno));
}

/* --- the end ------------------------------------------------------------------------------------------- */

static void complain(struct attend *a, const char *sentence)
{
	struct str safe = {0};

	queued_line_clear(&a->line);
	text_safe(&safe, sentence, a->ascii);
	fprintf(stderr, "kahu: %s\n", str_text(&safe));
	str_free(&safe);
}

/* It ends when it starts, for it finds nobody. */
static void complain_of_queued(struct attend *a)
{
	char sentence[200];

	snprintf(sentence, sizeof sentence,
		 "job %" PRIu64
		 " was not cancelled because no scheduler answers; it stays in the queue and fails when it "
		 "starts; remove it with 'kahu cancel %" PRIu64 "'",
		 a->job, a->job);
	complain(a, sentence);
}

static void finish(struct attend *a, int status)
{
	queued_line_clear(&a->line);
	a->over = true;
	a->status = status;
}

static void finish_with(struct attend *a, int status, const char *sentence)
{
	complain(a, sentence);
	finish(a, status);
}

/* What the exit status does not say. */
static const char *reason_text(const struct spool_ended *ended)
{
	static const char *const texts[END_REASON_COUNT] = {
		[END_WALL_LIMIT] = "it was stopped at its wallclock limit",
		[END_MEM_LIMIT] = "it used more memory than its limit",
		[END_CANCELLED] = "it was cancelled",
		[END_NOT_STARTED] = "it could not be started",
		[END_PROLOG] = "the site's prolog refused it",
		[END_TRY_AGAIN] = "it could not be started and will be retried",
		[END_HOST_FAULT] = "it could not be started and is deferred",
	};

	return ended->text[0] != '\0' ? ended->text : texts[ended->reason];
}

static void finish_ended(struct attend *a)
{
	const char *text = reason_text(&a->ended);
	char sentence[SPOOL_TEXT + 64];

	if (text != NULL) {
		snprintf(sentence, sizeof sentence, "job %" PRIu64 ": %s", a->job, text);
		complain(a, sentence);
	}
	finish(a, exit_status_of(a->ended.status));
}

/* The scheduler does not say in time what has become of it. */
static void give_up(struct attend *a)
{
	if (a->told)
		finish_ended(a);
	else
		finish_with(a, 1, "the job has ended, and nobody says how");
}

static void finish_fate(struct attend *a, const struct fate *fate)
{
	struct str sentence = {0};

	a->may_come = false;
	fate_describe(fate, &sentence);
	finish_with(a, fate->phase == FATE_ENDED ? fate_exit_status(fate) : 1, str_text(&sentence));
	str_free(&sentence);
}

/* --- the scheduler ------------------------------------------------------------------------------------- */

static void lose_scheduler(struct attend *a)
{
	caller_close(a->caller);
	a->caller = NULL;
}

static enum driver_outcome post_cancel(struct attend *a)
{
	struct event ev = {.kind = EVENT_CANCEL, .job = a->job};

	return a->caller != NULL ? caller_post(a->caller, &ev, 1, NULL) : DRIVER_FAILED;
}

/* The scheduler may have been started again since we spoke last. False: no scheduler answers. */
static bool cancel(struct attend *a)
{
	enum driver_outcome outcome = post_cancel(a);
	bool runs;

	if (outcome == DRIVER_FAILED && (a->caller == NULL || caller_is_lost(a->caller))) {
		lose_scheduler(a);
		a->caller = caller_find(a->store, &runs, NULL);
		outcome = post_cancel(a);
	}
	a->may_come = outcome != DRIVER_DONE;
	return outcome != DRIVER_FAILED;
}

/* Why it waits; one that never could is taken away. */
static void ask_why(struct attend *a)
{
	struct err err;
	int64_t now_s;
	const struct snapshot *s = caller_state(a->caller, &now_s, &err);

	if (s == NULL) {
		lose_scheduler(a);
	} else if (!queued_line_tell(&a->line, s, a->job, now_s, &err)) {
		cancel(a);
		finish_with(a, CMD_REFUSED, err.text);
	}
	a->reason_pause_ms =
		a->reason_pause_ms * 2 < REASON_LAST_MS ? a->reason_pause_ms * 2 : REASON_LAST_MS;
	a->reason_at_ms = a->line.wanted ? monotonic_ms() + a->reason_pause_ms : INT64_MAX;
}

static void take_fate(struct attend *a, const struct fate *fate)
{
	switch ((enum fate_phase)fate->phase) {
	case FATE_WAITING:
		a->give_up_at_ms = INT64_MAX;
		if (monotonic_ms() >= a->reason_at_ms)
			ask_why(a);
		break;
	case FATE_RUNNING:
		queued_line_clear(&a->line);
		if (a->give_up_at_ms != INT64_MAX) /* who answers will know */
			a->give_up_at_ms = monotonic_ms() + AFTER_MS;
		break;
	case FATE_ENDED:
	case FATE_UNKNOWN:
	case FATE_PHASE_COUNT:
		finish_fate(a, fate);
		break;
	}
}

/* Until the job has come to us: what has become of it? A scheduler that is gone is waited for. */
static void ask(struct attend *a)
{
	const struct fate_name name = {.job = a->job};
	struct fate fate;
	bool runs;

	if (a->caller == NULL)
		a->caller = caller_find(a->store, &runs, NULL);
	if (a->caller != NULL) {
		if (caller_fates(a->caller, &name, 1, false, &fate, NULL))
			take_fate(a, &fate);
		else
			lose_scheduler(a);
	}
	a->ask_pause_ms = a->ask_pause_ms * 2 < WATCH_LAST_MS ? a->ask_pause_ms * 2 : WATCH_LAST_MS;
	a->ask_at_ms = monotonic_ms() + a->ask_pause_ms;
}

static void ask_soon(struct attend *a)
{
	a->ask_pause_ms = WATCH_FIRST_MS;
	a->ask_at_ms = monotonic_ms() + a->ask_pause_ms;
}

/* --- the job ------------------------------------------------------------------------------------------- */

static void let_in(struct attend *a)
{
	int files[3] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}, side = -1;
	struct err err;

	queued_line_clear(&a->line);
	if (a->pty) {
		side = pair_side(&a->pair, &err);
		files[0] = files[1] = files[2] = side;
	}
	if (!a->pty || side >= 0)
		a->connection = waiter_accept(a->listening, a->key, a->job, files, &err);
	if (side >= 0)
		close(side);
	a->may_come = a->connection < 0;
	if (a->may_come)
		complain(a, err.text);
	else if (a->pty)
		pair_begin(&a->pair);
}

/* One that was stopped may only have been put back into the queue: the scheduler knows. */
static void hear_end(struct attend *a)
{
	a->told = waiter_hear(a->connection, &a->ended);
	close(a->connection);
	a->connection = -1;
	pair_end(&a->pair);
	if (a->told && a->ended.reason != END_CANCELLED) {
		finish_ended(a);
		return;
	}
	a->may_come = true;
	a->give_up_at_ms = monotonic_ms() + AFTER_MS;
	ask_soon(a);
}

static void pass_on(struct attend *a, int number)
{
	if (number == SIGWINCH) {
		if (a->pty && a->connection >= 0)
			pair_resize(&a->pair);
	} else if (a->connection < 0) {
		if (!cancel(a))
			complain_of_queued(a);
		finish(a, 128 + number);
	} else if (number == SIGHUP && a->pty) {
		finish(a, 128 + number); /* our terminal is gone, and the job's with it */
	} else {
		waiter_signal(a->connection, number);
	}
}

static void hear_signals(struct attend *a)
{
	struct signalfd_siginfo info;

	while (!a->over && read(a->signals, &info, sizeof info) == sizeof info)
		pass_on(a, (int)info.ssi_signo);
}

/* --- waiting ------------------------------------------------------------------------------------------- */

static int wait_ms(const struct attend *a)
{
	int64_t left_ms = a->ask_at_ms - monotonic_ms();

	if (a->connection >= 0)
		return -1;
	return left_ms > 0 ? (int)left_ms : 0;
}

static void turn(struct attend *a)
{
	struct pollfd files[3 + PAIR_FILES] = {
		{.fd = a->signals, .events = POLLIN},
		{.fd = a->connection < 0 ? a->listening : -1, .events = POLLIN},
		{.fd = a->connection, .events = POLLIN},
		{.fd = -1},
		{.fd = -1},
	};
	bool shows = a->pty && a->connection >= 0;

	if (shows)
		pair_watch(&a->pair, files + 3);
	if (poll(files, sizeof files / sizeof files[0], wait_ms(a)) < 0)
		return;
	if (files[0].revents != 0)
		hear_signals(a);
	if (!a->over && shows && !pair_turn(&a->pair, files + 3))
		finish(a, 128 + SIGHUP);
	if (!a->over && files[2].revents != 0)
		hear_end(a);
	else if (!a->over && files[1].revents != 0)
		let_in(a);
	if (!a->over && a->connection < 0 && monotonic_ms() >= a->ask_at_ms)
		ask(a);
	if (!a->over && a->connection < 0 && monotonic_ms() >= a->give_up_at_ms)
		give_up(a);
}

/* --- from the beginning to the end --------------------------------------------------------------------- */

bool attend_open(struct attend *a, const struct attend_wish *wish, struct err *err)
{
	*a = (struct attend){.store = wish->store,
			     .pty = wish->pty,
			     .ascii = wish->ascii,
			     .line = {.wanted = !wish->quiet && isatty(STDERR_FILENO), .ascii = wish->ascii},
			     .listening = -1,
			     .connection = -1,
			     .signals = -1,
			     .pair = {.master = -1},
			     .give_up_at_ms = INT64_MAX,
			     .reason_pause_ms = REASON_FIRST_MS / 2};
	return (!a->pty || pair_open(&a->pair, err)) && listen_for_it(a, err) && watch_signals(a, err);
}

int attend_job(struct attend *a, struct caller *caller, uint64_t job)
{
	a->caller = caller;
	a->job = job;
	a->may_come = true;
	ask_soon(a);
	while (!a->over)
		turn(a);
	return a->status;
}

/* While the job may still look for us nobody else is given the name of the folder. */
void attend_close(struct attend *a)
{
	pair_close(&a->pair);
	if (a->listening >= 0) {
		close(a->listening);
		unlink(a->path);
	}
	if (a->dir[0] != '\0' && !a->may_come)
		rmdir(a->dir);
	if (a->connection >= 0)
		close(a->connection);
	if (a->signals >= 0)
		close(a->signals);
	caller_close(a->caller);
}
