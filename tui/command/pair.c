/* SPDX-License-Identifier: MIT */
/*
 * pair.c - how does a job have a terminal that is shown in ours?
 *
 * Our side never blocks us; our own terminal may, when its user stops it, and then the job waits as it would
 * there. That the other side is closed everywhere is an error of read(), which comes behind the last word.
 */
#include "pair.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define NAME_ROOM    64
#define LAST_WORD_MS 1000 /* at most; when a process of the job outlived it */

bool pair_open(struct pair *p, struct err *err)
{
	*p = (struct pair){.master = -1};
	if (tcgetattr(STDIN_FILENO, &p->before) != 0)
		return err_set(err, "--pty: standard input is no terminal; leave it out");
	p->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (p->master >= 0 && grantpt(p->master) == 0 && unlockpt(p->master) == 0)
		return true;
	err_set(err, "--pty: no terminal can be had for the job: %s", strerror(errno));
	pair_close(p);
	return false;
}

void pair_resize(const struct pair *p)
{
	struct winsize size;

	if (ioctl(STDIN_FILENO, TIOCGWINSZ, &size) == 0)
		ioctl(p->master, TIOCSWINSZ, &size);
}

int pair_side(const struct pair *p, struct err *err)
{
	char name[NAME_ROOM];
	int side =
		ptsname_r(p->master, name, sizeof name) == 0 ? open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;

	if (side < 0) {
		err_set(err, "the job's terminal cannot be opened: %s", strerror(errno));
		return -1;
	}
	tcsetattr(side, TCSANOW, &p->before);
	pair_resize(p);
	return side;
}

void pair_begin(struct pair *p)
{
	struct termios raw = p->before;

	p->hung_up = false;
	cfmakeraw(&raw);
	p->is_raw = tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
}

/* --- copying ---------------------------------------------------------------------------------------- */

void pair_watch(const struct pair *p, struct pollfd files[static PAIR_FILES])
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
		if (n < 0 && errno == EAGAIN) /* another program has made our terminal so */
			poll(&(struct pollfd){.fd = STDOUT_FILENO, .events = POLLOUT}, 1, -1);
		bytes += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

static bool show(struct pair *p)
{
	char words[PAIR_ROOM];
	ssize_t n = read(p->master, words, sizeof words);

	if (n > 0)
		return write_all(words, (size_t)n);
	p->hung_up = n == 0 || (errno != EINTR && errno != EAGAIN);
	return true;
}

static bool take_typed(struct pair *p)
{
	ssize_t n = read(STDIN_FILENO, p->typed, sizeof p->typed);

	p->typed_from = 0;
	p->typed_to = n > 0 ? (size_t)n : 0;
	return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

static void give_typed(struct pair *p)
{
	ssize_t n = write(p->master, p->typed + p->typed_from, p->typed_to - p->typed_from);

	p->typed_from += n > 0 ? (size_t)n : 0;
	if (n < 0 && errno != EINTR && errno != EAGAIN)
		p->typed_from = p->typed_to;
}

bool pair_turn(struct pair *p, const struct pollfd files[static PAIR_FILES])
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

static void show_last_words(struct pair *p)
{
	struct pollfd file = {.fd = p->master, .events = POLLIN};

	while (!p->hung_up && poll(&file, 1, LAST_WORD_MS) > 0)
		if (!show(p))
			return;
}

void pair_end(struct pair *p)
{
	if (!p->is_raw)
		return;
	show_last_words(p);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &p->before);
	p->is_raw = false;
}

void pair_close(struct pair *p)
{
	if (p->is_raw)
		tcsetattr(STDIN_FILENO, TCSANOW, &p->before);
	p->is_raw = false;
	if (p->master >= 0)
		close(p->master);
	p->master = -1;
}
