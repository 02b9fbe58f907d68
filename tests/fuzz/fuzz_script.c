/* SPDX-License-Identifier: MIT */
/*
 * fuzz_script.c - scripts of the console
 *
 * A stand-in for the console checks the calls of the reader: sizes are
 * valid, time does not decrease, no key is pressed after the console has ended, and a failure
 * names its line. The stand-in ends at Q and refuses commands that do not begin with a letter.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "tui/console/console.h"
#include "tui/console/script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct console {
	int64_t now_s;
	bool left;
	struct canvas canvas;
};

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* --- the stand-in --------------------------------------------------------------------------- */

void console_resize(struct console *c, int w, int h)
{
	(void)c;
	must(w >= 1 && w <= 1000 && h >= 1 && h <= 1000);
}

void console_key(struct console *c, struct key key)
{
	char name[KEY_TEXT];

	must(!c->left);
	c->left = strcmp(key_text(name, key), "Q") == 0;
}

void console_fds(const struct console *c, int fd[static 2])
{
	(void)c;
	fd[0] = fd[1] = -1;
}

bool console_is_real(const struct console *c)
{
	(void)c;
	return false;
}

void console_look_again(struct console *c)
{
	(void)c;
}

const struct canvas *console_draw(struct console *c)
{
	return &c->canvas;
}

bool console_wants_to_quit(const struct console *c)
{
	return c->left;
}

bool console_rest(struct console *c, int patience_ms)
{
	(void)c;
	return patience_ms > 0;
}

int console_command(struct console *c, const char *line, struct err *err)
{
	(void)c;
	must(!strchr(line, '\n'));
	if (line[0] >= 'a' && line[0] <= 'z')
		return 0;
	err_set(err, "refused");
	return 1;
}

void console_advance(struct console *c, int64_t to_s)
{
	must(to_s >= c->now_s);
	c->now_s = to_s;
}

void console_step(struct console *c, uint32_t count)
{
	(void)c;
	must(count >= 1 && count <= 1000000);
}

int64_t console_now_s(const struct console *c)
{
	return c->now_s;
}

bool console_take_failure(struct console *c, struct err *err)
{
	(void)c;
	(void)err;
	return false;
}

bool console_dump(struct console *c, const char *file, struct err *err)
{
	(void)c;
	return file[0] != '\0' || err_set(err, "no file");
}

/* --- the input ------------------------------------------------------------------------------ */

/* The message is "f:LINE: directive: why", with a line of the text. */
static void require_place(const char *sentence, const char *text)
{
	char *end;
	long line, lines = 1;

	must(strncmp(sentence, "f:", 2) == 0);
	line = strtol(sentence + 2, &end, 10);
	for (; *text; text++)
		lines += *text == '\n';
	must(line >= 1 && line <= lines && *end == ':');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct console console = {.now_s = INT64_C(1774368131)};
	char *text = mem_alloc(size + 1);
	struct err err = {""};

	memcpy(text, data, size);
	text[size] = '\0';
	if (!script_run(&console, "f", text, &err))
		require_place(err.text, text);
	free(text);
	return 0;
}
