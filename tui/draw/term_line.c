/* SPDX-License-Identifier: MIT */
/*
 * term_line.c - is the line to the terminal alive, and which bytes may go over it?
 */
#include "term_line.h"

#include <errno.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "sched/base/str.h"

bool line_takes_output(int fd)
{
	struct pollfd state = {.fd = fd, .events = POLLOUT};

	return poll(&state, 1, 0) == 1 && state.revents == POLLOUT;
}

bool line_is_gone(int fd)
{
	struct pollfd state = {.fd = fd, .events = POLLIN};
	int waiting = 0;

	if (poll(&state, 1, 0) <= 0)
		return false;
	if (state.revents & (POLLHUP | POLLERR | POLLNVAL))
		return true;
	return ioctl(fd, FIONREAD, &waiting) == 0 && waiting == 0;
}

void line_write(int fd, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		bytes += n;
		len -= (size_t)n;
	}
}

/* Would the terminal, as far as the C library knows, take as many cells for it as we do? */
static bool is_agreed(const struct cell *cell)
{
	int expected = cell->width;

	for (size_t i = 0; i < cell->len;) {
		uint32_t code;

		i += text_decode(cell->bytes + i, cell->len - i, &code);
		if (wcwidth((wchar_t)code) != expected)
			return false;
		expected = 0;
	}
	return true;
}

/* room: cells up to the edge. Curses writes a wide character that does not fit into them on the next line. */
static void add_cell(struct str *out, const struct cell *cell, int room, bool utf8)
{
	bool is_ascii = cell->len == 1 && (unsigned char)cell->bytes[0] < 0x80;

	if (is_ascii || (utf8 && cell->width <= room && is_agreed(cell)))
		str_add_bytes(out, cell->bytes, cell->len);
	else
		str_add_bytes(out, "??", cell->width < room ? cell->width : (size_t)room);
}

int line_next_run(const struct canvas *c, int x, int y, int width, bool utf8, struct str *out)
{
	const struct cell *first = canvas_at(c, x, y), *cell = first;

	str_clear(out);
	do {
		add_cell(out, cell, width - x, utf8);
		cell = ++x < width ? canvas_at(c, x, y) : NULL;
	} while (cell && cell->role == first->role && cell->over == first->over);
	return x;
}
