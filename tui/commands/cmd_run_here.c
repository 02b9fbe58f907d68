/* SPDX-License-Identifier: MIT */
/*
 * cmd_run_here.c - kahu run: a job as if it ran here
 *
 * It is handed in like any other and waits its turn; then it has our standard input, output and errors
 * (waiter.h), or a terminal that is shown in ours, and its exit status is ours. Once it runs nothing goes
 * through the scheduler: signals go to its shepherd, and from there comes how it ended.
 *
 * While it waits ^C cancels it. Who is lost while it runs ends it, as a lost terminal does.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "caller.h"
#include "handin.h"
#include "pair.h"
#include "queued_line.h"
#include "sched/rm/waiter.h"
#include "tui/draw/text.h"
#include "tui/line.h"
#include "watch.h"

#define REASON_FIRST_MS 1000 /* how often it is asked why the job waits, more and more seldom */
#define REASON_LAST_MS  30000
#define AFTER_MS        5000 /* for the scheduler to know what has become of one that was stopped */
#define SOCKET          "w"

struct run {
	struct cmd_env *env;
	bool pty, quiet;
	struct handin in;
	struct caller *caller; /* NULL: the scheduler is gone, for a while */
	uint64_t job;
	char dir[64], path[80]; /* of our socket */
	int listening, connection, signals;
	struct pair pair;
	struct queued_line line;
	int64_t ask_at_ms, reason_at_ms, give_up_at_ms;
	int ask_pause_ms, reason_pause_ms;
	bool told; /* how it ended */
	struct spool_ended ended;
	bool over;
	int status; /* of the program, when it is over */
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* --- what is asked for ------------------------------------------------------------------------------- */

/* Takes our own options out of what stands before "--"; the rest is submit's. */
static bool take_options(struct run *r, int *argc, char **argv)
{
	int kept = 1, at = 1;

	for (; at < *argc && strcmp(argv[at], "--") != 0; at++) {
		if (strcmp(argv[at], "--pty") == 0)
			r->pty = true;
		else if (strcmp(argv[at], "--quiet") == 0)
			r->quiet = true;
		else
			argv[kept++] = argv[at];
	}
	if (at + 1 >= *argc)
		return err_set(&r->env->err, "run: say the command behind --, as in 'kahu run -- hostname'");
	while (at < *argc)
		argv[kept++] = argv[at++];
	argv[ *argc = kept] = NULL;
	return true;
}

static bool suits(const struct submission *s, struct err *err)
{
	if (s->draft.output != NULL || s->draft.errors != NULL || s->draft.join_output ||
	    s->draft.join_errors)
		return err_set(err, "run: -o, -e and -j name files, but the job writes where run does; leave "
				    "them out");
	return s->range_count == 0 || err_set(err, "run: -t: an array cannot be run here; submit it");
}

/* What runs on our terminal knows which one it is. */
static void say_terminal(struct submission *s)
{
	const char *term = getenv("TERM");
	struct launch_words *words = &s->launch.environment;
	const char **item = arena_take(&s->arena, (words->count + 2) * sizeof *item);
	struct str setting = {0};

	if (term == NULL)
		return;
	str_addf(&setting, "TERM=%s", term);
	item[0] = arena_string(&s->arena,
			       str_text(&setting)); /* what was said with -v comes behind it, and wins */
	for (uint32_t i = 0; i <= words->count; i++)
		item[i + 1] = i < words->count ? words->item[i] : NULL;
	*words = (struct launch_words){item, words->count + 1};
	str_free(&setting);
}

/* Runs once: who waited for it is not there a second time. */
static void wait_for_it(struct run *r)
{
	struct launch *launch = &r->in.submission.launch;

	launch->waiter = r->path;
	launch->output = launch->errors = NULL;
	launch->flags &= ~(uint32_t)(LAUNCH_JOIN | LAUNCH_APPEND | LAUNCH_REQUEUE);
	if (!r->pty)
		return;
	launch->flags |= LAUNCH_PTY;
	say_terminal(&r->in.submission);
}

/* --- where the job finds us ---------------------------------------------------------------------------- */

/* A folder that only we can use. */
static bool make_folder(struct run *r, const char *parent)
{
	if (parent == NULL ||
	    snprintf(r->dir, sizeof r->dir, "%s/kahu-run.XXXXXX", parent) >= (int)sizeof r->dir)
		return false;
	if (mkdtemp(r->dir) != NULL)
		return true;
	r->dir[0] = '\0';
	return false;
}

static bool listen_for_it(struct run *r)
{
	if (!make_folder(r, getenv("XDG_RUNTIME_DIR")) && !make_folder(r, "/tmp"))
		return err_set(&r->env->err, "no folder can be made in /tmp for the job to find us: %s",
			       strerror(errno));
	snprintf(r->path, sizeof r->path, "%s/" SOCKET, r->dir);
	r->listening = waiter_listen(r->path, &r->env->err);
	return r->listening >= 0;
}

static bool watch_signals(struct run *r)
{
	static const int heard[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH};
	sigset_t wanted;

	sigemptyset(&wanted);
	for (size_t i = 0; i < sizeof heard / sizeof heard[0]; i++)
		sigaddset(&wanted, heard[i]);
	sigprocmask(SIG_BLOCK, &wanted, NULL);
	signal(SIGPIPE, SIG_IGN);
	if (r->pty)
		signal(SIGTSTP, SIG_IGN); /* what was typed is the job's */
	r->signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
	return r->signals >= 0 || err_set(&r->env->err, "signals cannot be watched: %s", strerror(errno));
}

/* --- the end ------------------------------------------------------------------------------------------- */

static void complain(struct run *r, const char *sentence)
{
	struct str safe = {0};

	queued_line_clear(&r->line);
	text_safe(&safe, sentence, r->env->ascii);
	fprintf(stderr, "kahu: %s\n", str_text(&safe));
	str_free(&safe);
}

static void finish(struct run *r, int status)
{
	queued_line_clear(&r->line);
	r->over = true;
	r->status = status;
}

static void finish_with(struct run *r, int status, const char *sentence)
{
	complain(r, sentence);
	finish(r, status);
}

/* What the exit status does not say. */
static const char *reason_text(const struct spool_ended *ended)
{
	static const char *const texts[END_REASON_COUNT] = {
		[END_WALL_LIMIT] = "it was stopped at its wallclock limit",
		[END_MEM_LIMIT] = "it used more memory than it asked for",
		[END_CANCELLED] = "it was cancelled",
		[END_NOT_STARTED] = "it could not be started",
		[END_PROLOG] = "the site's prolog refused it",
	};

	return ended->text[0] != '\0' ? ended->text : texts[ended->reason];
}

static void finish_ended(struct run *r)
{
	const char *text = reason_text(&r->ended);
	char sentence[SPOOL_TEXT + 64];

	if (text != NULL) {
		snprintf(sentence, sizeof sentence, "job %" PRIu64 ": %s", r->job, text);
		complain(r, sentence);
	}
	finish(r, exit_status_of(r->ended.status));
}

/* The scheduler does not say in time what has become of it. */
static void give_up(struct run *r)
{
	if (r->told)
		finish_ended(r);
	else
		finish_with(r, 1, "the job has ended, and nobody says how");
}

static void finish_fate(struct run *r, const struct fate *fate)
{
	struct str sentence = {0};

	fate_describe(fate, &sentence);
	finish_with(r, fate->phase == FATE_ENDED ? fate_exit_status(fate) : 1, str_text(&sentence));
	str_free(&sentence);
}

/* --- the scheduler ------------------------------------------------------------------------------------- */

static void lose_scheduler(struct run *r)
{
	caller_close(r->caller);
	r->caller = NULL;
}

static void cancel(struct run *r)
{
	struct event ev = {.kind = EVENT_CANCEL, .job = r->job};

	if (r->caller != NULL)
		caller_post(r->caller, &ev, 1, NULL);
}

/* Why it waits; one that never could is taken away. */
static void ask_why(struct run *r)
{
	struct err err;
	int64_t now_s;
	const struct snapshot *s = caller_state(r->caller, &now_s, &err);

	if (s == NULL) {
		lose_scheduler(r);
	} else if (!queued_line_tell(&r->line, s, r->job, now_s, &err)) {
		cancel(r);
		finish_with(r, CMD_REFUSED, err.text);
	}
	r->reason_pause_ms =
		r->reason_pause_ms * 2 < REASON_LAST_MS ? r->reason_pause_ms * 2 : REASON_LAST_MS;
	r->reason_at_ms = r->line.wanted ? now_ms() + r->reason_pause_ms : INT64_MAX;
}

static void take_fate(struct run *r, const struct fate *fate)
{
	switch ((enum fate_phase)fate->phase) {
	case FATE_WAITING:
		r->give_up_at_ms = INT64_MAX;
		if (now_ms() >= r->reason_at_ms)
			ask_why(r);
		break;
	case FATE_RUNNING:
		queued_line_clear(&r->line);
		break;
	case FATE_ENDED:
	case FATE_UNKNOWN:
	case FATE_PHASE_COUNT:
		finish_fate(r, fate);
		break;
	}
}

/* Until the job has come to us: what has become of it? A scheduler that is gone is waited for. */
static void ask(struct run *r)
{
	const struct fate_name name = {.job = r->job};
	struct fate fate;
	bool runs;

	if (r->caller == NULL)
		r->caller = caller_find(r->env->shell->store, &runs, NULL);
	if (r->caller != NULL) {
		if (caller_fates(r->caller, &name, 1, false, &fate, NULL))
			take_fate(r, &fate);
		else
			lose_scheduler(r);
	}
	r->ask_pause_ms = r->ask_pause_ms * 2 < WATCH_LAST_MS ? r->ask_pause_ms * 2 : WATCH_LAST_MS;
	r->ask_at_ms = now_ms() + r->ask_pause_ms;
}

static void ask_soon(struct run *r)
{
	r->ask_pause_ms = WATCH_FIRST_MS;
	r->ask_at_ms = now_ms() + r->ask_pause_ms;
}

/* --- the job ------------------------------------------------------------------------------------------- */

static void let_in(struct run *r)
{
	int files[3] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}, side = -1;
	struct err err;

	queued_line_clear(&r->line);
	if (r->pty) {
		side = pair_side(&r->pair, &err);
		files[0] = files[1] = files[2] = side;
	}
	if (!r->pty || side >= 0)
		r->connection = waiter_accept(r->listening, r->job, files, &err);
	if (side >= 0)
		close(side);
	if (r->connection < 0)
		complain(r, err.text);
	else if (r->pty)
		pair_begin(&r->pair);
}

/* One that was stopped may only have been put back into the queue: the scheduler knows. */
static void hear_end(struct run *r)
{
	r->told = waiter_hear(r->connection, &r->ended);
	close(r->connection);
	r->connection = -1;
	pair_end(&r->pair);
	if (r->told && r->ended.reason != END_CANCELLED) {
		finish_ended(r);
		return;
	}
	r->give_up_at_ms = now_ms() + AFTER_MS;
	ask_soon(r);
}

static void pass_on(struct run *r, int number)
{
	if (number == SIGWINCH) {
		if (r->pty && r->connection >= 0)
			pair_resize(&r->pair);
	} else if (r->connection < 0) {
		cancel(r);
		finish(r, 128 + number);
	} else if (number == SIGHUP && r->pty) {
		finish(r, 128 + number); /* our terminal is gone, and the job's with it */
	} else {
		waiter_signal(r->connection, number);
	}
}

static void hear_signals(struct run *r)
{
	struct signalfd_siginfo info;

	while (!r->over && read(r->signals, &info, sizeof info) == sizeof info)
		pass_on(r, (int)info.ssi_signo);
}

/* --- waiting ------------------------------------------------------------------------------------------- */

static int wait_ms(const struct run *r)
{
	int64_t left_ms = r->ask_at_ms - now_ms();

	if (r->connection >= 0)
		return -1;
	return left_ms > 0 ? (int)left_ms : 0;
}

static void turn(struct run *r)
{
	struct pollfd files[3 + PAIR_FILES] = {
		{.fd = r->signals, .events = POLLIN},
		{.fd = r->connection < 0 ? r->listening : -1, .events = POLLIN},
		{.fd = r->connection, .events = POLLIN},
		{.fd = -1},
		{.fd = -1},
	};
	bool shows = r->pty && r->connection >= 0;

	if (shows)
		pair_watch(&r->pair, files + 3);
	if (poll(files, sizeof files / sizeof files[0], wait_ms(r)) < 0)
		return;
	if (files[0].revents != 0)
		hear_signals(r);
	if (!r->over && shows && !pair_turn(&r->pair, files + 3))
		finish(r, 128 + SIGHUP);
	if (!r->over && files[2].revents != 0)
		hear_end(r);
	else if (!r->over && files[1].revents != 0)
		let_in(r);
	if (!r->over && r->connection < 0 && now_ms() >= r->ask_at_ms)
		ask(r);
	if (!r->over && r->connection < 0 && now_ms() >= r->give_up_at_ms)
		give_up(r);
}

/* --- the verb ------------------------------------------------------------------------------------------ */

static enum cmd_status find_scheduler(struct run *r)
{
	struct cmd_env *env = r->env;
	bool runs;

	if (env->shell->readonly) {
		err_set(&env->err, "--readonly: nothing is changed; leave the option out to run something");
		return CMD_REFUSED;
	}
	r->caller = caller_find(env->shell->store, &runs, &env->err);
	if (r->caller != NULL)
		return CMD_DONE;
	if (!runs)
		err_set(&env->err, "no scheduler runs that could start it; 'kahu serve' starts one");
	return runs ? CMD_FAILED : CMD_REFUSED;
}

/* The event is ours alone: nothing is left for who called the verb. */
static enum cmd_status hand_in(struct run *r)
{
	struct cmd_env *env = r->env;
	enum driver_outcome outcome;

	handin_add(env, &r->in);
	outcome = caller_post(r->caller, env->changes->event, env->changes->count, &env->err);
	r->job = env->changes->event[0].job;
	env->changes->count = 0;
	return outcome == DRIVER_DONE ? CMD_DONE : outcome == DRIVER_REFUSED ? CMD_REFUSED : CMD_FAILED;
}

static enum cmd_status make_ready(struct run *r, int argc, char **argv)
{
	struct err *err = &r->env->err;
	enum cmd_status status;

	if (!take_options(r, &argc, argv))
		return CMD_USAGE;
	status = handin_read(&r->in, argc, argv, err);
	if (status != CMD_DONE)
		return status;
	if (!suits(&r->in.submission, err))
		return CMD_USAGE;
	status = find_scheduler(r);
	if (status != CMD_DONE)
		return status;
	if ((r->pty && !pair_open(&r->pair, err)) || !listen_for_it(r) || !watch_signals(r))
		return CMD_REFUSED;
	wait_for_it(r);
	return hand_in(r);
}

static void clean_up(struct run *r)
{
	pair_close(&r->pair);
	if (r->listening >= 0) {
		close(r->listening);
		unlink(r->path);
	}
	if (r->dir[0] != '\0')
		rmdir(r->dir);
	if (r->connection >= 0)
		close(r->connection);
	if (r->signals >= 0)
		close(r->signals);
	caller_close(r->caller);
	handin_free(&r->in);
}

static enum cmd_status run_here(struct cmd_env *env, int argc, char **argv)
{
	struct run r = {.env = env,
			.listening = -1,
			.connection = -1,
			.signals = -1,
			.pair = {.master = -1},
			.give_up_at_ms = INT64_MAX,
			.reason_pause_ms = REASON_FIRST_MS / 2};
	enum cmd_status status = make_ready(&r, argc, argv);

	if (status == CMD_DONE) {
		r.line = (struct queued_line){.wanted = !r.quiet && isatty(STDERR_FILENO),
					      .ascii = env->ascii};
		ask_soon(&r);
		while (!r.over)
			turn(&r);
		env->exit_status = (uint8_t)r.status;
	}
	clean_up(&r);
	return status;
}

static void list_options(struct str *out)
{
	str_add(out, "\n");
	cmd_print_entry("--pty", 20, "the job has a terminal, as for a shell or an editor", out);
	cmd_print_entry("--quiet", 20, "why it waits is not said", out);
	handin_list_options(out);
}

const struct cmd cmd_run_here = {
	.name = "run",
	.args = "[OPTION]... [--pty] -- COMMAND...",
	.help = "Runs a command as a job, here: waits its turn, has this input and output, passes signals on "
		"and "
		"ends with its exit status. ^C cancels it while it waits; when run is lost the job ends.",
	.max = -1,
	.authority = CMD_ANYONE,
	.flags = CMD_SUBMITS | CMD_SHELL,
	.list = list_options,
	.run = run_here,
};
