/* SPDX-License-Identifier: MIT */
/*
 * script.c - a console driven from a file, without a terminal
 *
 * Directives are rows of a table. Waiting polls the console's descriptors; the timeout is only reached if the
 * console has a defect.
 */
#include "script.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/rm/wallclock.h"
#include "tui/draw/text.h"

#define IDLE_LIMIT_MS 600000 /* maximum time without a notification from a query lane (worker.h) */
#define SEEN_LIMIT_MS 60000
#define SIZE_MAX_W    1000
#define SIZE_MAX_H    1000

struct script {
	struct console *c;
	const char *rest; /* text after the current line */
	int status;       /* exit status of the last command or of the console, for expect-exit */
};

static bool wait_idle(struct console *c, struct err *err)
{
	if (!console_rest(c, IDLE_LIMIT_MS))
		return err_set(err, "the console is still busy after %d s", IDLE_LIMIT_MS / 1000);
	(void)console_draw(c);
	return !console_take_failure(c, err);
}

/* --- directives ------------------------------------------------------------------------- */

static bool do_size(struct script *s, const char *text, struct err *err)
{
	size_t len = strcspn(text, "x");
	char width[8] = "";
	int64_t w = 0, h = 0;

	if (len < sizeof width)
		memcpy(width, text, len);
	if (!str_read_whole(width, &w) || text[len] == '\0' || !str_read_whole(text + len + 1, &h) || w < 1 ||
	    h < 1 || w > SIZE_MAX_W || h > SIZE_MAX_H)
		return err_set(err, "the size must be WIDTHxHEIGHT, from 1x1 to %dx%d, got '%s'", SIZE_MAX_W,
			       SIZE_MAX_H, text);
	console_resize(s->c, (int)w, (int)h);
	return true;
}

static bool press(struct script *s, struct key key, struct err *err)
{
	if (console_wants_to_quit(s->c))
		return err_set(err, "the console has already quit");
	console_key(s->c, key);
	s->status = 0;
	return wait_idle(s->c, err);
}

static bool do_keys(struct script *s, const char *text, struct err *err)
{
	struct key key;

	while (*text) {
		if (!key_read(&text, &key, err) || !press(s, key, err))
			return false;
		text += strspn(text, " \t");
	}
	return true;
}

static bool do_type(struct script *s, const char *text, struct err *err)
{
	size_t len = strlen(text), at = 0;
	uint32_t code;

	while (at < len) {
		at += text_decode(text + at, len - at, &code);
		if (code == TEXT_INVALID)
			return err_set(err, "the text is not UTF-8");
		if (!press(s, key_of_char(code), err))
			return false;
	}
	return true;
}

/* Is the next directive an expect-exit with this status? If so, the failure of the command is not an
 * error. */
static bool is_expected(const struct script *s, int status)
{
	char expectation[32];
	const char *at = s->rest + strspn(s->rest, " \t\n");

	snprintf(expectation, sizeof expectation, "expect-exit %d", status);
	return strncmp(at, expectation, strlen(expectation)) == 0;
}

static bool do_command(struct script *s, const char *text, struct err *err)
{
	s->status = console_command(s->c, text, err);
	return s->status == 0 || is_expected(s, s->status);
}

/* Maximum time by which one directive may advance, so that a typing error does not run for hours. */
#define ADVANCE_MAX_S (INT64_C(366) * 24 * 3600)

static bool is_bounded(const char *text, int64_t by_s, struct err *err)
{
	return by_s <= ADVANCE_MAX_S ||
	       err_set(err, "%s is more than 366 days ahead, the maximum of one directive", text);
}

static bool do_advance(struct script *s, const char *text, struct err *err)
{
	int64_t by_s;

	if (!duration_parse(text, &by_s, err) || !is_bounded(text, by_s, err))
		return false;
	console_advance(s->c, console_now_s(s->c) + by_s);
	return true;
}

static bool do_until(struct script *s, const char *text, struct err *err)
{
	int64_t to_s;

	if (!wallclock_parse(text, console_now_s(s->c), &to_s, err))
		return false;
	if (to_s < console_now_s(s->c))
		return err_set(err, "%s is in the past", text);
	if (!is_bounded(text, to_s - console_now_s(s->c), err))
		return false;
	console_advance(s->c, to_s);
	return true;
}

static bool do_step(struct script *s, const char *text, struct err *err)
{
	int64_t count;

	if (!str_read_whole(text, &count) || count < 1 || count > 1000000)
		return err_set(err, "the number of steps must be from 1 to 1000000, got '%s'", text);
	console_step(s->c, (uint32_t)count);
	return true;
}

static bool do_wait_idle(struct script *s, const char *text, struct err *err)
{
	(void)s;
	return text[0] == '\0' || err_set(err, "takes no argument, got '%s'", text);
}

static bool do_dump(struct script *s, const char *text, struct err *err)
{
	return console_dump(s->c, text, err);
}

static bool do_expect_exit(struct script *s, const char *text, struct err *err)
{
	int64_t wanted;

	if (!str_read_whole(text, &wanted))
		return err_set(err, "takes an exit status, got '%s'", text);
	return wanted == s->status || err_set(err, "the exit status is %d", s->status);
}

/*
 * interval for searching the screen again, because elapsed time alone can change it; events wake poll() at
 * once
 */
#define LOOK_MS 50

static bool screen_shows(struct console *c, const char *text)
{
	struct str screen = {0};
	bool found;

	canvas_dump(console_draw(c), &screen);
	found = strstr(str_text(&screen), text) != NULL;
	str_free(&screen);
	return found;
}

static bool do_wait_for(struct script *s, const char *text, struct err *err)
{
	for (int waited_ms = 0; waited_ms < SEEN_LIMIT_MS; waited_ms += LOOK_MS) {
		struct pollfd fds[2] = {{.events = POLLIN}, {.events = POLLIN}};
		int fd[2];

		if (!wait_idle(s->c, err))
			return false;
		if (screen_shows(s->c, text))
			return true;
		if (!console_is_real(s->c))
			return err_set(err, "not on the screen, and simulated time is stopped; use advance");
		console_fds(s->c, fd);
		fds[0].fd = fd[0];
		fds[1].fd = fd[1];
		(void)poll(fds, 2, LOOK_MS);
		console_look_again(s->c);
	}
	return err_set(err, "not on the screen after %d s", SEEN_LIMIT_MS / 1000);
}

static const struct directive {
	const char *name;
	bool (*run)(struct script *s, const char *text, struct err *err);
} directives[] = {
	{"size", do_size},         {"keys", do_keys},
	{"type", do_type},         {"advance", do_advance},
	{"until", do_until},       {"step", do_step},
	{"dump", do_dump},         {"wait-idle", do_wait_idle},
	{"wait-for", do_wait_for}, {"expect-exit", do_expect_exit},
};

/* --- lines ------------------------------------------------------------------------------ */

static bool run_named(struct script *s, const char *line, struct err *err)
{
	size_t len = strcspn(line, " \t");

	for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++)
		if (strlen(directives[i].name) == len && strncmp(directives[i].name, line, len) == 0)
			return directives[i].run(s, line + len + strspn(line + len, " \t"), err);
	return err_set(err, "unknown directive; directives are size, keys, type, :command, advance, until, "
			    "step, wait-idle, wait-for, dump and expect-exit");
}

static bool run_line(struct script *s, const char *line, struct err *err)
{
	bool ok = line[0] == ':' ? do_command(s, line + 1, err) : run_named(s, line, err);

	return ok && wait_idle(s->c, err);
}

/* Returns the next line, without blanks at its ends. The caller frees it. */
static char *next_line(struct script *s)
{
	size_t len = strcspn(s->rest, "\n");
	const char *begin = s->rest, *end = begin + len;
	char *line;

	s->rest = end + (*end == '\n');
	begin += strspn(begin, " \t");
	while (end > begin && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	len = end > begin ? (size_t)(end - begin) : 0;
	line = mem_alloc(len + 1);
	memcpy(line, begin, len);
	line[len] = '\0';
	return line;
}

bool script_run(struct console *c, const char *file, const char *text, struct err *err)
{
	struct script s = {.c = c, .rest = text};
	bool ok = wait_idle(c, err);

	for (int number = 1; ok && *s.rest; number++) {
		char *line = next_line(&s);

		if (line[0] != '\0' && line[0] != '#')
			ok = run_line(&s, line, err);
		if (!ok)
			err_prefix(err, "%s:%d: %s", file, number, line);
		free(line);
	}
	return ok;
}
