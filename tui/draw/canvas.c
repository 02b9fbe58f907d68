/* SPDX-License-Identifier: MIT */
/*
 * canvas.c - grid of cells that a frame is drawn on
 *
 * All cells are written by set_cell, except when the whole canvas is cleared or copied. set_cell maintains an
 * invariant: a cell of width 2 is followed by a cell of width 0 in the same row, and no other cell has width
 * 0.
 */
#include "canvas.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"

static const struct {
	const char *utf8, *ascii;
} glyphs[GLYPH_COUNT] = {
	[GLYPH_TOP_LEFT] = {"┌", "+"},     [GLYPH_TOP_RIGHT] = {"┐", "+"},   [GLYPH_BOTTOM_LEFT] = {"└", "+"},
	[GLYPH_BOTTOM_RIGHT] = {"┘", "+"}, [GLYPH_HLINE] = {"─", "-"},       [GLYPH_VLINE] = {"│", "|"},
	[GLYPH_CURSOR] = {">", ">"},       [GLYPH_MARK] = {"*", "*"},        [GLYPH_SORT_DOWN] = {"▾", "v"},
	[GLYPH_SORT_UP] = {"▴", "^"},      [GLYPH_BAR_FULL] = {"█", "|"},    [GLYPH_BAR_HALF] = {"▌", "|"},
	[GLYPH_BAR_SECOND] = {"▒", ":"},   [GLYPH_BAR_THIRD] = {"×", "x"},   [GLYPH_TRACK] = {"─", "-"},
	[GLYPH_KNOB] = {"┃", "|"},         [GLYPH_SPARK_1] = {"▁", "."},     [GLYPH_SPARK_1 + 1] = {"▂", "."},
	[GLYPH_SPARK_1 + 2] = {"▃", ":"},  [GLYPH_SPARK_1 + 3] = {"▄", ":"}, [GLYPH_SPARK_1 + 4] = {"▅", "+"},
	[GLYPH_SPARK_1 + 5] = {"▆", "+"},  [GLYPH_SPARK_1 + 6] = {"▇", "#"}, [GLYPH_SPARK_8] = {"█", "#"},
};

static const struct cell blank = {
	.bytes = " ", .len = 1, .width = 1, .role = ROLE_TEXT, .over = CELL_NO_OVERLAY};

/* ---- the grid ---- */

static struct cell *cell_at(const struct canvas *c, int x, int y)
{
	return &c->cell[(size_t)y * (size_t)c->w + (size_t)x];
}

static size_t cell_count(const struct canvas *c)
{
	return (size_t)c->w * (size_t)c->h;
}

void canvas_clear(struct canvas *c)
{
	size_t count = cell_count(c);

	for (size_t i = 0; i < count; i++)
		c->cell[i] = blank;
	c->caret_x = c->caret_y = -1;
}

static void set_size(struct canvas *c, int w, int h)
{
	c->w = w > 0 ? w : 0;
	c->h = h > 0 ? h : 0;
	c->cell = vec_room(c->cell, &c->cap, cell_count(c), sizeof *c->cell);
}

void canvas_resize(struct canvas *c, int w, int h)
{
	set_size(c, w, h);
	canvas_clear(c);
}

void canvas_free(struct canvas *c)
{
	free(c->cell);
	*c = (struct canvas){0};
}

void canvas_copy(struct canvas *dst, const struct canvas *src)
{
	set_size(dst, src->w, src->h);
	dst->ascii = src->ascii;
	dst->caret_x = src->caret_x;
	dst->caret_y = src->caret_y;
	if (cell_count(src))
		memcpy(dst->cell, src->cell, cell_count(src) * sizeof *src->cell);
}

const struct cell *canvas_at(const struct canvas *c, int x, int y)
{
	if (x < 0 || y < 0 || x >= c->w || y >= c->h)
		return NULL;
	return cell_at(c, x, y);
}

/* ---- rects ---- */

struct rect canvas_rect(const struct canvas *c)
{
	return (struct rect){0, 0, c->w, c->h};
}

/* Returns n, limited to the range from 0 to `have`. */
static int at_most(int n, int have)
{
	if (have < 0)
		have = 0;
	return n < 0 ? 0 : n < have ? n : have;
}

struct rect rect_take_top(struct rect *r, int n)
{
	struct rect taken = {r->x, r->y, r->w, at_most(n, r->h)};

	r->y += taken.h;
	r->h -= taken.h;
	return taken;
}

struct rect rect_take_bottom(struct rect *r, int n)
{
	struct rect taken = {r->x, r->y, r->w, at_most(n, r->h)};

	r->h -= taken.h;
	taken.y += r->h;
	return taken;
}

struct rect rect_take_left(struct rect *r, int n)
{
	struct rect taken = {r->x, r->y, at_most(n, r->w), r->h};

	r->x += taken.w;
	r->w -= taken.w;
	return taken;
}

struct rect rect_take_right(struct rect *r, int n)
{
	struct rect taken = {r->x, r->y, at_most(n, r->w), r->h};

	r->w -= taken.w;
	taken.x += r->w;
	return taken;
}

/* Returns the part of r that is on the canvas. */
static struct rect clip(const struct canvas *c, struct rect r)
{
	int64_t right = (int64_t)r.x + r.w, bottom = (int64_t)r.y + r.h;

	if (r.x < 0)
		r.x = 0;
	if (r.y < 0)
		r.y = 0;
	if (right > c->w)
		right = c->w;
	if (bottom > c->h)
		bottom = c->h;
	r.w = right > r.x ? (int)(right - r.x) : 0;
	r.h = bottom > r.y ? (int)(bottom - r.y) : 0;
	return r;
}

/* ---- drawing ---- */

/* Writes a cell of width 1 or 2 that is completely on the canvas. */
static void set_cell(struct canvas *c, int x, int y, const struct cell *new)
{
	struct cell *cell = cell_at(c, x, y);
	struct cell *last = cell + new->width - 1;

	if (cell->width == 0)
		cell[-1] = (struct cell){" ", 1, 1, cell[-1].role, cell[-1].over};
	if (last->width == 2)
		last[1] = (struct cell){" ", 1, 1, last->role, last->over};
	*cell = *new;
	if (new->width == 2)
		*last = (struct cell){.role = new->role, .over = new->over};
}

/* The cells of one row of the canvas that are visible in a rect. */
struct strip {
	int y, left, right; /* row; first visible x; first x after the last visible one (equal to left: none
			       is visible) */
};

static struct strip strip_of(const struct canvas *c, struct rect r, int y)
{
	struct rect seen = clip(c, r);
	int64_t row = (int64_t)r.y + y;
	struct strip strip = {(int)row, seen.x, seen.x + seen.w};

	if (row < seen.y || row >= seen.y + seen.h || y < 0)
		strip.right = strip.left;
	return strip;
}

/* Writes a cell if it is visible. If only half of a wide grapheme is visible, this half is a blank. */
static void put_cell(struct canvas *c, const struct strip *strip, int64_t x, const struct cell *cell)
{
	struct cell half = blank;

	if (x >= strip->left && x + cell->width <= strip->right) {
		set_cell(c, (int)x, strip->y, cell);
	} else if (cell->width == 2 && (x + 1 == strip->left || x + 1 == strip->right) &&
		   strip->left < strip->right) {
		half.role = cell->role;
		set_cell(c, (int)(x < strip->left ? x + 1 : x), strip->y, &half);
	}
}

static void put_piece(struct canvas *c, const struct strip *strip, int64_t x, enum role role,
		      const struct text_piece *piece)
{
	struct cell cell = {.role = (uint8_t)role, .over = CELL_NO_OVERLAY};

	if (piece->single) {
		memcpy(cell.bytes, piece->bytes, piece->len);
		cell.len = piece->len;
		cell.width = piece->cells;
		put_cell(c, strip, x, &cell);
		return;
	}
	cell.len = cell.width = 1;
	for (int i = 0; i < piece->len; i++) {
		cell.bytes[0] = piece->bytes[i];
		put_cell(c, strip, x + i, &cell);
	}
}

static int put_bytes(struct canvas *c, struct rect r, int x, int y, enum role role, const char *text,
		     size_t len)
{
	struct strip strip = strip_of(c, r, y);
	int64_t at = (int64_t)r.x + x;
	int used = 0;

	for (size_t i = 0; i < len;) {
		struct text_piece piece;

		i += text_next(text + i, len - i, c->ascii, &piece);
		put_piece(c, &strip, at + used, role, &piece);
		used += piece.cells;
	}
	return used;
}

int canvas_put(struct canvas *c, struct rect r, int x, int y, enum role role, const char *text)
{
	return put_bytes(c, r, x, y, role, text, strlen(text));
}

int canvas_putf(struct canvas *c, struct rect r, int x, int y, enum role role, const char *format, ...)
{
	struct str text = {0};
	va_list args;
	int used;

	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	used = put_bytes(c, r, x, y, role, str_text(&text), text.len);
	str_free(&text);
	return used;
}

/* Draws a text that is wider than `width` cells, cut with a mark. */
static void put_cut(struct canvas *c, struct rect r, int x, int y, int width, enum role role,
		    const char *text)
{
	struct str cut = {0};

	text_fit(&cut, text, width, TEXT_LEFT, c->ascii);
	put_bytes(c, r, x, y, role, str_text(&cut), cut.len);
	str_free(&cut);
}

static void put_blanks(struct canvas *c, struct rect r, int x, int y, int count, enum role role)
{
	struct strip strip = strip_of(c, r, y);
	struct cell cell = blank;

	cell.role = (uint8_t)role;
	for (int i = 0; i < count; i++)
		put_cell(c, &strip, (int64_t)r.x + x + i, &cell);
}

int canvas_put_fit(struct canvas *c, struct rect r, int x, int y, int width, enum text_align align,
		   enum role role, const char *text)
{
	size_t len = strlen(text);
	int spare = width - text_width_bytes(text, len);
	int before = align == TEXT_RIGHT ? spare : 0;

	if (width <= 0)
		return 0;
	if (spare < 0) {
		put_cut(c, r, x, y, width, role, text);
		return width;
	}
	put_blanks(c, r, x, y, before, role);
	put_bytes(c, r, x + before, y, role, text, len);
	put_blanks(c, r, x + width - spare + before, y, spare - before, role);
	return width;
}

int canvas_put_right(struct canvas *c, struct rect r, int y, enum role role, const char *text)
{
	int x = r.w - text_width(text);

	canvas_put(c, r, x, y, role, text);
	return x;
}

const char *glyph_text(enum glyph glyph, bool ascii)
{
	return ascii ? glyphs[glyph].ascii : glyphs[glyph].utf8;
}

int canvas_glyph(struct canvas *c, struct rect r, int x, int y, enum role role, enum glyph glyph)
{
	return canvas_put(c, r, x, y, role, glyph_text(glyph, c->ascii));
}

void canvas_fill(struct canvas *c, struct rect r, enum role role)
{
	struct rect seen = clip(c, r);
	struct cell cell = blank;

	cell.role = (uint8_t)role;
	for (int y = seen.y; y < seen.y + seen.h; y++)
		for (int x = seen.x; x < seen.x + seen.w; x++)
			set_cell(c, x, y, &cell);
}

void canvas_rule(struct canvas *c, struct rect r, int x, int y, enum role role)
{
	struct strip strip = strip_of(c, r, y);
	int64_t from = (int64_t)r.x + x;

	for (int64_t at = from > strip.left ? from : strip.left; at < strip.right; at++)
		canvas_glyph(c, r, (int)(at - r.x), y, role, GLYPH_HLINE);
}

void canvas_overlay(struct canvas *c, struct rect r, enum role role)
{
	struct rect seen = clip(c, r);

	for (int y = seen.y; y < seen.y + seen.h; y++)
		for (int x = seen.x; x < seen.x + seen.w; x++) {
			struct cell *cell = cell_at(c, x, y);

			for (int i = 0; i < cell->width; i++)
				cell[i].over = (uint8_t)role;
		}
}

void canvas_dump(const struct canvas *c, struct str *out)
{
	for (int y = 0; y < c->h; y++) {
		size_t end = out->len;

		for (int x = 0; x < c->w; x++) {
			const struct cell *cell = cell_at(c, x, y);

			str_add_bytes(out, cell->bytes, cell->len);
			if (cell->len != 1 || cell->bytes[0] != ' ')
				end = out->len;
		}
		if (out->len > end) {
			out->len = end;
			out->data[end] = '\0';
		}
		str_add_char(out, '\n');
	}
}
