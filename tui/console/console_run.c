/* SPDX-License-Identifier: MIT */
/*
 * console_run.c - the console in a terminal, or driven by a script
 *
 * The loop sleeps in one poll() on the terminal, the host, the worker and the signals, until the next timeout
 * of the console. SIGHUP, SIGTERM and SIGINT end it cleanly: the terminal is restored, the host stops after
 * its current step, and all committed changes are in the store. SIGTSTP is ignored, because it would stop the
 * scheduler.
 */
#include <errno.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "console.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/host/files.h"
#include "sched/host/host.h"
#include "script.h"
#include "tui/draw/term.h"
#include "tui/draw/theme.h"
#include "tui/serve/session.h"

#define EXIT_USAGE  2
#define EXIT_SYSTEM 3
#define RETRY_MS    100 /* interval for retrying output to a blocked terminal */
#define DEFAULT_W   80
#define DEFAULT_H   24
#define SCRIPT_MAX  (1 << 20) /* maximum size of a script in bytes */

/* --- signals ---------------------------------------------------------------------------- */

struct signals {
	int fd; /* readable when a signal to quit has arrived */
	sigset_t mask_before;
	struct sigaction stop_before;
};

static bool signals_open(struct signals *s, struct err *err)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	sigset_t leave;

	sigemptyset(&leave);
	sigaddset(&leave, SIGHUP);
	sigaddset(&leave, SIGTERM);
	sigaddset(&leave, SIGINT);
	s->fd = signalfd(-1, &leave, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->fd < 0)
		return err_set(err, "cannot create a signal descriptor: %s", strerror(errno));
	pthread_sigmask(SIG_BLOCK, &leave, &s->mask_before);
	sigaction(SIGTSTP, &ignore, &s->stop_before);
	return true;
}

/*
 * Discards pending signals: if they were delivered now, they would kill the process before its store is
 * closed.
 */
static void signals_close(struct signals *s)
{
	struct signalfd_siginfo heard;

	while (read(s->fd, &heard, sizeof heard) > 0)
		;
	close(s->fd);
	sigaction(SIGTSTP, &s->stop_before, NULL);
	pthread_sigmask(SIG_SETMASK, &s->mask_before, NULL);
}

/* --- the terminal ----------------------------------------------------------------------- */

static void use_theme(void *self, const struct theme *theme)
{
	term_use_theme(self, theme);
}

static bool copy(void *self, const char *text, size_t len)
{
	return term_copy(self, text, len);
}

static void repaint(void *self)
{
	term_repaint(self);
}

static void use_mouse(void *self, bool on)
{
	term_use_mouse(self, on);
}

static void resize(struct console *c, const struct term *t)
{
	int w, h;

	term_size(t, &w, &h);
	console_resize(c, w, h);
}

static void take_event(struct console *c, struct term *t, const struct term_event *ev)
{
	switch (ev->kind) {
	case TERM_KEY:
		console_key(c, ev->key);
		break;
	case TERM_PASTE:
		console_paste(c, ev->text, ev->len);
		break;
	case TERM_RESIZE:
		resize(c, t);
		break;
	case TERM_MOUSE:
		console_mouse(c, ev->x, ev->y,
			      ev->key.code == KBD_UP     ? -1
			      : ev->key.code == KBD_DOWN ? 1
							 : 0);
		break;
	}
}

static bool load_theme(const struct session *s, struct theme *theme, struct err *err)
{
	return theme_load(NULL, s->theme ? s->theme : THEME_AT_FIRST, theme, err);
}

static bool is_hangup(int signal_fd)
{
	struct signalfd_siginfo heard;

	return read(signal_fd, &heard, sizeof heard) == sizeof heard && heard.ssi_signo == SIGHUP;
}

/* Runs until the console quits or its terminal is gone; returns false if the terminal is gone. */
static bool loop(struct console *c, struct term *t, int signal_fd)
{
	while (!console_wants_to_quit(c) && !term_lost(t)) {
		struct pollfd fds[4] = {{.fd = term_fd(t), .events = POLLIN},
					{.fd = signal_fd, .events = POLLIN},
					{.events = POLLIN},
					{.events = POLLIN}};
		struct term_event ev;
		int fd[2], timeout_ms;
		bool behind = false;

		console_turn(c);
		if (console_is_dirty(c))
			behind = !term_show(t, console_draw(c));
		console_fds(c, fd);
		fds[2].fd = fd[0];
		fds[3].fd = fd[1];
		timeout_ms = console_timeout_ms(c);
		if (behind && (timeout_ms < 0 || timeout_ms > RETRY_MS))
			timeout_ms = RETRY_MS;
		(void)poll(fds, 4, timeout_ms);
		if (fds[1].revents)
			return !is_hangup(signal_fd);
		while (!console_wants_to_quit(c) && term_read(t, &ev))
			take_event(c, t, &ev);
		if (behind)
			(void)term_show(t, console_draw(c));
	}
	return !term_lost(t);
}

static int run_in(struct term *t, struct session *s, int signal_fd, struct err *err)
{
	struct console_door door = {
		.self = t, .use_theme = use_theme, .copy = copy, .repaint = repaint, .use_mouse = use_mouse};
	struct console *c = console_new(s, &door, false, err);

	if (!c)
		return EXIT_SYSTEM;
	resize(c, t);
	s->detach = !loop(c, t, signal_fd) || console_detaches(c);
	if (s->detach)
		signal(SIGHUP, SIG_IGN); /* more than one SIGHUP may arrive */
	console_free(c);
	return 0;
}

bool console_has_terminal(struct err *err)
{
	return (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) ||
	       err_set(err, "the console needs a terminal; -b prints the queue as text, --script FILE runs "
			    "the console from a script");
}

static int run_terminal(struct session *s, struct err *err)
{
	struct term_options options = {.no_colour = !s->color};
	struct theme *theme = mem_alloc(sizeof *theme);
	struct signals signals;
	struct term *t = NULL;
	int status = EXIT_USAGE;

	if (console_has_terminal(err) && load_theme(s, theme, err))
		t = term_open(&options, err);
	if (t && signals_open(&signals, err)) {
		struct session mine = *s;

		mine.ascii = s->ascii || !term_is_utf8(t);
		term_use_theme(t, theme);
		status = run_in(t, &mine, signals.fd, err);
		s->detach = mine.detach;
		signals_close(&signals);
	}
	term_close(t);
	free(theme);
	return status;
}

/* --- scripts ---------------------------------------------------------------------------- */

static int run_script(struct session *s, const char *file, struct err *err)
{
	struct session mine = *s;
	struct str text = {0};
	struct console *c;
	bool ok;

	if (!file_read(file, SCRIPT_MAX, &text, err))
		return EXIT_USAGE;
	if (s->simulated)
		host_set_speed(s->host, 0);
	mine.ascii = s->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	c = console_new(&mine, NULL, true, err);
	if (!c) {
		str_free(&text);
		return EXIT_SYSTEM;
	}
	console_resize(c, DEFAULT_W, DEFAULT_H);
	ok = script_run(c, file_name(file), str_text(&text), err);
	s->detach = console_detaches(c);
	console_free(c);
	str_free(&text);
	return ok ? 0 : 1;
}

int console_run(struct session *s, const char *script, struct err *err)
{
	return script ? run_script(s, script, err) : run_terminal(s, err);
}
