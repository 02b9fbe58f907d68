/* SPDX-License-Identifier: MIT */
/*
 * console_export.c - how does a screen get into a file?
 *
 * A dump is the picture as it is, for scripts. An export has all rows of the list: it is drawn once as if the
 * terminal were as high as that takes. What is there already is never written over by a key.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "console_inside.h"
#include "sched/model/snapshot.h"

#define ROWS_MAX 10000 /* of a list; more than that is for the verbs, and the last line says how many */
#define PAGE_H   100   /* lines of a page that may lie below the edge of the screen */

static bool write_text(const char *file, const char *mode, const struct str *text, struct err *err)
{
	FILE *out = fopen(file, mode);
	bool ok;

	if (!out && errno == EEXIST)
		return err_set(err, "%s is there already and stays as it is; name another file", file);
	if (!out)
		return err_set(err, "the screen cannot be written to %s: %s", file, strerror(errno));
	ok = fwrite(str_text(text), 1, text->len, out) == text->len;
	ok = fclose(out) == 0 && ok;
	return ok || err_set(err, "the screen cannot be written to %s: %s", file, strerror(errno));
}

bool console_dump(struct console *c, const char *file, struct err *err)
{
	struct str text = {0};
	bool ok;

	canvas_dump(console_draw(c), &text);
	ok = write_text(file, "w", &text, err);
	str_free(&text);
	return ok;
}

/* --- all of a screen ------------------------------------------------------------------------ */

static int height_of_all(const struct console *c)
{
	const struct table *table = console_table(c);
	size_t rows = table ? table->source.rows : 0;

	return c->canvas.h + PAGE_H + (int)(rows < ROWS_MAX ? rows : ROWS_MAX);
}

/* Of empty lines that follow one another one. Returns how many lines there are. */
static size_t close_up(const struct str *text, struct str *out)
{
	size_t lines = 0, empty = 0;

	for (const char *line = str_text(text), *end; (end = strchr(line, '\n')); line = end + 1) {
		empty = end == line ? empty + 1 : 0;
		if (empty > 1)
			continue;
		str_addf(out, "%.*s\n", (int)(end - line), line);
		lines++;
	}
	return lines;
}

/* Draws the screen with all its rows. Drawing at that height moves what is scrolled, which is put back. */
static void dump_all(struct console *c, struct str *out)
{
	struct table *table = console_table(c);
	struct page *page = console_page(c);
	size_t table_top = table ? table->top : 0, page_top = page ? page->top : 0, note_top = c->note.top;
	int w = c->canvas.w, h = c->canvas.h;

	console_resize(c, w, height_of_all(c));
	canvas_dump(console_draw(c), out);
	console_resize(c, w, h);
	console_freshen(c);
	if (table)
		table->top = table_top;
	if (page)
		page->top = page_top;
	c->note.top = note_top;
}

bool console_export(struct console *c, const char *file, struct err *err)
{
	struct str drawn = {0}, text = {0};
	size_t lines;
	bool ok;

	c->said = false;
	dump_all(c, &drawn);
	lines = close_up(&drawn, &text);
	ok = write_text(file, "wx", &text, err);
	if (ok)
		console_say(c, ROLE_MESSAGE, "Written to %s: %zu lines.", file, lines);
	str_free(&drawn);
	str_free(&text);
	return ok;
}

static void export_typed(void *self, const char *text)
{
	struct err err;

	if (text[0] && !console_export(self, text, &err))
		console_say(self, ROLE_ERROR, "%s", err.text);
}

/* By the entry after which it is so, a name that the next picture does not have. */
void console_ask_export(struct console *c)
{
	struct str name = {0};

	str_addf(&name, "kahu-%s-%" PRIu64 ".txt", console_view(c)->name,
		 c->shown ? c->shown->live.s->seq : 0);
	console_ask(c, "write to: ", str_text(&name), export_typed, c);
	str_free(&name);
}
