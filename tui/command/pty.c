/* SPDX-License-Identifier: MIT */
/*
 * pty.c - a pseudo terminal for a job, shown in the user's terminal
 *
 * Reading and writing the master does not block. Writing to the user's terminal may block, when its output is
 * stopped; the job then waits as it would on that terminal. After the last output, when no process has the
 * slave open any more, read() from the master fails.
 */
#include "pty.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define NAME_ROOM 64

#define LAST_OUTPUT_MS 1000 /* longest wait for output of processes that outlive the job */

bool pty_open(struct pty *p, struct err *err)
{
	*p = (struct pty){.master = -1};
	if (tcgetattr(STDIN_FILENO, &p->before) != 0)
		return err_set(err, "--pty: standard input is not a terminal; remove the option");
	p->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (p->master >= 0 && grantpt(p->master) == 0 && unlockpt(p->master) == 0)
		return true;
	err_set(err, "--pty: cannot allocate a terminal for the job: %s", strerror(errno));
	pty_close(p);
	return false;
}

void pty_resize(const struct pty *p)
{
	struct winsize size;

	if (ioctl(STDIN_FILENO, TIOCGWINSZ, &size) == 0)
		ioctl(p->master, TIOCSWINSZ, &size);
}

int pty_open_slave(const struct pty *p, struct err *err)
{
	char name[NAME_ROOM];
	int side =
		ptsname_r(p->master, name, sizeof name) == 0 ? open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;

	if (side < 0) {
		err_set(err, "cannot open the job's terminal: %s", strerror(errno));
		return -1;
	}
	tcsetattr(side, TCSANOW, &p->before);
	pty_resize(p);
	return side;
}

void pty_start(struct pty *p)
{
	struct termios raw = p->before;

	p->hung_up = false;
	cfmakeraw(&raw);
	p->is_raw = tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
}

/* --- copying ------------------------------------------------------------------------------------------ */

void pty_poll_files(const struct pty *p, struct pollfd files[static PTY_FILES])
{
	bool is_typed = p->typed_to > p->typed_from;

	files[0] = (struct pollfd){.fd = p->hung_up ? -1 : p->master,
				   .events = (short)(POLLIN | (is_typed ? POLLOUT : 0))};
	files[1] = (struct pollfd){.fd = is_typed ? -1 : STDIN_FILENO, .events = POLLIN};
}

static bool write_all(const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t n = write(STDOUT_FILENO, bytes, size);

		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return false;
		if (n < 0 && errno == EAGAIN) /* another program has made the terminal non-blocking */
			poll(&(struct pollfd){.fd = STDOUT_FILENO, .events = POLLOUT}, 1, -1);
		bytes += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

static bool show(struct pty *p)
{
	char words[PTY_ROOM];
	ssize_t n = read(p->master, words, sizeof words);

	if (n > 0)
		return write_all(words, (size_t)n);
	p->hung_up = n == 0 || (errno != EINTR && errno != EAGAIN);
	return true;
}

static bool take_typed(struct pty *p)
{
	ssize_t n = read(STDIN_FILENO, p->typed, sizeof p->typed);

	p->typed_from = 0;
	p->typed_to = n > 0 ? (size_t)n : 0;
	return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

static void give_typed(struct pty *p)
{
	ssize_t n = write(p->master, p->typed + p->typed_from, p->typed_to - p->typed_from);

	p->typed_from += n > 0 ? (size_t)n : 0;
	if (n < 0 && errno != EINTR && errno != EAGAIN)
		p->typed_from = p->typed_to;
}

bool pty_copy(struct pty *p, const struct pollfd files[static PTY_FILES])
{
	bool good = true;

	if ((files[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0)
		good = show(p);
	if (good && files[1].revents != 0)
		good = take_typed(p);
	if (p->typed_to > p->typed_from)
		give_typed(p);
	return good;
}

/* --- the end ------------------------------------------------------------------------------------------ */

static void copy_last_output(struct pty *p)
{
	struct pollfd file = {.fd = p->master, .events = POLLIN};

	while (!p->hung_up && poll(&file, 1, LAST_OUTPUT_MS) > 0)
		if (!show(p))
			return;
}

void pty_finish(struct pty *p)
{
	if (!p->is_raw)
		return;
	copy_last_output(p);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &p->before);
	p->is_raw = false;
}

void pty_close(struct pty *p)
{
	if (p->is_raw)
		tcsetattr(STDIN_FILENO, TCSANOW, &p->before);
	p->is_raw = false;
	if (p->master >= 0)
		close(p->master);
	p->master = -1;
}
