/* SPDX-License-Identifier: MIT */
/*
 * page.c - text with roles: building, scrolling, drawing
 */
#include "page.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

/* --- pages -------------------------------------------------------------------------------------------- */

#define LINES_FOR_MORE 3 /* minimum height that shows the number of hidden lines; lower pages show a mark */

#define BESIDE_X 5 /* column of a remark that does not fit beside its subject */

void page_clear(struct page *p)
{
	str_clear(&p->text);
	p->pieces = 0;
	p->lines = 0;
	p->x = 0;
}

void page_free(struct page *p)
{
	str_free(&p->text);
	free(p->piece);
	*p = (struct page){0};
}

void page_line(struct page *p)
{
	p->lines++;
	p->x = 0;
}

void page_at(struct page *p, int x)
{
	p->x = x > p->x || p->x == 0 ? x : p->x + 1;
}

void page_add(struct page *p, enum role role, const char *text)
{
	if (p->lines == 0)
		page_line(p);
	p->piece = vec_room(p->piece, &p->cap, p->pieces + 1, sizeof *p->piece);
	p->piece[p->pieces++] =
		(struct page_piece){.line = p->lines - 1, .x = p->x, .role = role, .at = p->text.len};
	str_add_bytes(&p->text, text, strlen(text) + 1);
	p->x += text_width(text);
}

void page_addf(struct page *p, enum role role, const char *format, ...)
{
	struct str text = {0};
	va_list args;

	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	page_add(p, role, str_text(&text));
	str_free(&text);
}

/* Returns the number of bytes of text that fit into width cells. Breaks after a blank if possible. */
static size_t fitting(const char *text, size_t len, int width)
{
	size_t end = 0, blank = 0;

	while (end < len) {
		size_t next = text_step(text, len, end);

		if (text[end] == ' ')
			blank = next;
		else if (text_width_bytes(text, next) > width)
			return blank > 0 ? blank : end > 0 ? end : next;
		end = next;
	}
	return len;
}

/* Returns the length of text without trailing blanks. */
static size_t without_blanks(const char *text, size_t len)
{
	while (len > 0 && text[len - 1] == ' ')
		len--;
	return len;
}

void page_wrap_on(struct page *p, enum role role, int x, int width, const char *text)
{
	size_t len = strlen(text);

	while (len > 0) {
		size_t part = fitting(text, len, width);

		page_at(p, x);
		page_addf(p, role, "%.*s", (int)without_blanks(text, part), text);
		text += part;
		len -= part;
		if (len > 0)
			page_line(p);
	}
}

void page_beside(struct page *p, enum role role, int x, int width, const char *text)
{
	int from = p->x > x ? p->x + 1 : x;

	if (from + text_width(text) > width) {
		page_line(p);
		x = BESIDE_X;
	}
	page_wrap_on(p, role, x, width - x, text);
}

void page_wrap(struct page *p, enum role role, int x, int width, const char *text)
{
	if (text[0] == '\0')
		return;
	page_line(p);
	page_wrap_on(p, role, x, width, text);
}

void page_heading(struct page *p, const char *text)
{
	if (p->lines > 0)
		page_line(p);
	page_line(p);
	page_at(p, 1);
	page_add(p, ROLE_HELP_HEADING, text);
}

static size_t last_top(const struct page *p)
{
	size_t body = p->body > 0 ? (size_t)p->body : 1;

	return p->lines > body ? p->lines - body : 0;
}

static void go_to(struct page *p, size_t top)
{
	size_t last = last_top(p);

	p->top = top < last ? top : last;
	p->at_end = p->top == last;
}

void page_show(struct page *p, size_t line)
{
	size_t body =
		p->body > 1 ? (size_t)p->body - 1 : 1; /* the last line shows the number of hidden lines */

	if (line > p->top + body)
		go_to(p, line - body);
	if (line > 0 && line <= p->top)
		go_to(p, line - 1);
	if (p->top > last_top(p))
		page_end(p);
}

static bool line_matches(const struct page *p, size_t line, bool (*match)(const void *self, const char *text),
			 const void *self)
{
	struct str text = {0};
	bool matches;

	for (size_t i = 0; i < p->pieces; i++)
		if (p->piece[i].line == line)
			str_addf(&text, "%s ", p->text.data + p->piece[i].at);
	matches = text.len > 0 && match(self, str_text(&text));
	str_free(&text);
	return matches;
}

bool page_search(struct page *p, int dir, bool (*match)(const void *self, const char *text), const void *self)
{
	size_t lines = p->lines, at = p->found > 0 && p->found <= lines ? p->found - 1 : p->top;

	if (p->found == 0)
		at = dir > 0 ? at + lines - 1 : at;
	for (size_t i = 0; i < lines; i++) {
		at = (at + (dir > 0 ? 1 : lines - 1)) % lines;
		if (!line_matches(p, at, match, self))
			continue;
		p->found = at + 1;
		go_to(p, at);
		return true;
	}
	return false;
}

void page_move(struct page *p, int lines)
{
	if (lines >= 0)
		go_to(p, p->top + (size_t)lines);
	else
		go_to(p, p->top > (size_t)-lines ? p->top - (size_t)-lines : 0);
}

void page_home(struct page *p)
{
	go_to(p, 0);
}

void page_end(struct page *p)
{
	go_to(p, last_top(p));
}

/* Appends the number of lines hidden below the page: " +3 more"; on a low page only a mark. */
static void add_more(const struct page *p, size_t end, int height, struct str *out)
{
	if (end >= p->lines)
		return;
	if (height >= LINES_FOR_MORE)
		str_addf(out, " +%zu more", p->lines - end);
	else
		str_addf(out, " %c", TEXT_CUT_MARK);
}

/* Draws a piece, which is cut with a mark if it would exceed column `width`. */
static void put_piece(const struct page *p, const struct page_piece *piece, struct canvas *c, struct rect r,
		      int width)
{
	const char *text = p->text.data + piece->at;
	int y = (int)(piece->line - p->top), wide = text_width(text);

	if (piece->x + wide > width)
		wide = width - piece->x;
	canvas_put_fit(c, r, piece->x, y, wide, TEXT_LEFT, piece->role, text);
}

void page_draw(struct page *p, struct canvas *c, struct rect r)
{
	struct str more = {0};
	size_t end;

	p->body = r.h;
	if (r.h <= 0)
		return;
	if (p->top > last_top(p) || (p->follows && p->at_end))
		p->top = last_top(p);
	end = p->top + (size_t)r.h;
	add_more(p, end, r.h, &more);
	for (size_t i = 0; i < p->pieces; i++) {
		const struct page_piece *piece = &p->piece[i];

		if (piece->line >= p->top && piece->line < end)
			put_piece(p, piece, c, r, piece->line + 1 < end ? r.w : r.w - (int)more.len);
	}
	canvas_put_right(c, r, r.h - 1, ROLE_MORE, str_text(&more));
	str_free(&more);
}

/* --- figures on a page -------------------------------------------------------------------------------- */

#define NOTE_X 42 /* column of notes beside figures, if possible */

void figure_page_put(struct page *p, const struct figures *f, int width)
{
	struct str text = {0};

	for (size_t i = 0; i < f->count; i++) {
		const struct figure *figure = &f->item[i];
		bool is_number = figure->part != FIGURE_NONE;

		str_clear(&text);
		str_add(&text, figure_word(f, figure->title));
		if (is_number) {
			str_add_char(&text, ' ');
			figure_text(f, figure, &text);
		}
		page_wrap(p, is_number ? ROLE_FORMULA : ROLE_TEXT, 1, width - 2, str_text(&text));
		if (figure->note)
			page_beside(p, ROLE_DIM, NOTE_X, width, figure_word(f, figure->note));
	}
	str_free(&text);
}
