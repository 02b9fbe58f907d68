/* SPDX-License-Identifier: MIT */
/*
 * term_rescue.c - who gives the terminal back when the program dies?
 *
 * A signal handler needs the terminal where it can find it, hence the one static here.
 * Faults are always taken; requests to end only where nobody else handles them.
 */
#include "term_rescue.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static const struct {
	int number;
	bool is_fault;
} signals[] = {
	{SIGSEGV, true}, {SIGBUS, true},   {SIGABRT, true}, {SIGFPE, true},
	{SIGILL, true},  {SIGTERM, false}, {SIGHUP, false}, {SIGINT, false},
};

#define SIGNAL_COUNT (sizeof signals / sizeof signals[0])

static struct {
	volatile sig_atomic_t armed;
	int fd;
	struct termios modes;
	char sequence[RESCUE_SEQUENCE_MAX];
	size_t len;
	struct sigaction before[SIGNAL_COUNT];
	bool taken[SIGNAL_COUNT];
	bool at_exit;
} rescue;

/* Only calls that POSIX allows in a handler. */
static void restore_terminal(void)
{
	int saved_errno = errno;

	if (rescue.armed) {
		rescue.armed = 0;
		if (write(rescue.fd, rescue.sequence, rescue.len) < 0)
			errno = 0; /* a terminal that is gone needs no rescue */
		tcsetattr(rescue.fd, TCSANOW, &rescue.modes);
	}
	errno = saved_errno;
}

static void handle_signal(int number)
{
	restore_terminal();
	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		if (signals[i].number == number && rescue.taken[i])
			sigaction(number, &rescue.before[i], NULL);
	raise(number); /* delivered when this handler returns */
}

static void take_signals(void)
{
	struct sigaction action = {.sa_handler = handle_signal, .sa_flags = SA_ONSTACK};

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < SIGNAL_COUNT; i++) {
		rescue.taken[i] = false;
		if (sigaction(signals[i].number, NULL, &rescue.before[i]) != 0)
			continue;
		if (!signals[i].is_fault && rescue.before[i].sa_handler != SIG_DFL)
			continue;
		rescue.taken[i] = sigaction(signals[i].number, &action, NULL) == 0;
	}
}

static void give_signals_back(void)
{
	for (size_t i = 0; i < SIGNAL_COUNT; i++) {
		struct sigaction now;

		if (rescue.taken[i] && sigaction(signals[i].number, NULL, &now) == 0 &&
		    now.sa_handler == handle_signal)
			sigaction(signals[i].number, &rescue.before[i], NULL);
		rescue.taken[i] = false;
	}
}

bool term_rescue_open(int fd)
{
	if (tcgetattr(fd, &rescue.modes) != 0)
		return false;
	rescue.fd = fd;
	rescue.armed = 0;
	if (!rescue.at_exit)
		rescue.at_exit = atexit(restore_terminal) == 0;
	take_signals();
	return true;
}

void term_rescue_arm(const char *sequence)
{
	snprintf(rescue.sequence, sizeof rescue.sequence, "%s", sequence);
	rescue.len = strlen(rescue.sequence);
	rescue.armed = 1;
}

void term_rescue_disarm(void)
{
	rescue.armed = 0;
}

void term_rescue_close(void)
{
	rescue.armed = 0;
	tcsetattr(rescue.fd, TCSANOW, &rescue.modes);
	give_signals_back();
}
