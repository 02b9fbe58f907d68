/* SPDX-License-Identifier: MIT */
/*
 * prompt.c - line editor with history and completion
 *
 * Every edit replaces a part of the line with replace(), which keeps the cursor at the start of a grapheme
 * and the line within its maximum length. Recalling history and cycling through completions are modes that
 * end with any other key.
 */
#include "prompt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

/* ---- history ---- */

static void drop_line(struct prompt_history *h, size_t at)
{
	free(h->line[at]);
	memmove(&h->line[at], &h->line[at + 1], (h->count - at - 1) * sizeof *h->line);
	h->count--;
}

void prompt_history_add(struct prompt_history *h, const char *line)
{
	char *copy;

	if (!line[0])
		return;
	copy = mem_string(line);
	for (size_t i = h->count; i-- > 0;)
		if (strcmp(h->line[i], copy) == 0)
			drop_line(h, i);
	if (h->count == PROMPT_HISTORY_MAX)
		drop_line(h, 0);
	h->line = vec_room(h->line, &h->cap, h->count + 1, sizeof *h->line);
	h->line[h->count++] = copy;
}

void prompt_history_free(struct prompt_history *h)
{
	for (size_t i = 0; i < h->count; i++)
		free(h->line[i]);
	free(h->line);
	*h = (struct prompt_history){0};
}

/* ---- choices ---- */

void prompt_choice_add(struct prompt_choices *out, const char *text)
{
	out->text = vec_room(out->text, &out->cap, out->count + 1, sizeof *out->text);
	out->text[out->count++] = mem_string(text);
}

static void free_choices(struct prompt_choices *choices)
{
	for (size_t i = 0; i < choices->count; i++)
		free(choices->text[i]);
	free(choices->text);
	*choices = (struct prompt_choices){0};
}

/* ---- the line ---- */

const char *prompt_line(const struct prompt *p)
{
	return str_text(&p->line);
}

/* Replaces line[from..to) with text[0..len), and sets the cursor after it. */
static void replace(struct prompt *p, size_t from, size_t to, const char *text, size_t len)
{
	struct str line = {0};
	const char *old = prompt_line(p);

	if (p->line.len - (to - from) + len > PROMPT_TEXT_MAX)
		len = 0;
	str_add_bytes(&line, old, from);
	str_add_bytes(&line, text, len);
	str_add(&line, old + to);
	str_free(&p->line);
	p->line = line;
	p->cursor = from + len;
}

static void set_line(struct prompt *p, const char *text)
{
	replace(p, 0, p->line.len, text, strlen(text));
}

static void forget(char **text)
{
	free(*text);
	*text = NULL;
}

static void end_completing(struct prompt *p)
{
	free_choices(&p->choices);
	forget(&p->word);
}

static void end_recalling(struct prompt *p)
{
	forget(&p->typed);
	p->recalled = p->history ? p->history->count : 0;
}

void prompt_open(struct prompt *p, const char *sign, const char *text)
{
	*p = (struct prompt){0};
	snprintf(p->sign, sizeof p->sign, "%s", sign);
	set_line(p, text);
}

void prompt_close(struct prompt *p)
{
	end_completing(p);
	forget(&p->typed);
	str_free(&p->line);
	p->cursor = 0;
}

/* ---- recalling lines and cycling through completions ---- */

static enum prompt_result recall(struct prompt *p, int dir)
{
	const struct prompt_history *h = p->history;
	size_t at;

	if (!h)
		return PROMPT_MOVED;
	if (!p->typed) {
		p->typed = mem_string(prompt_line(p));
		p->recalled = h->count;
	}
	at = p->recalled;
	do {
		if (dir < 0 ? at == 0 : at >= h->count)
			return PROMPT_MOVED;
		at = dir < 0 ? at - 1 : at + 1;
	} while (at < h->count && strncmp(h->line[at], p->typed, strlen(p->typed)) != 0);
	p->recalled = at;
	set_line(p, at < h->count ? h->line[at] : p->typed);
	return PROMPT_CHANGED;
}

static bool start_completing(struct prompt *p)
{
	p->complete(p->complete_self, prompt_line(p), p->cursor, &p->choices);
	if (p->choices.from > p->cursor)
		p->choices.from = p->cursor;
	if (p->choices.count == 0) {
		end_completing(p);
		return false;
	}
	p->word = strndup(prompt_line(p) + p->choices.from, p->cursor - p->choices.from);
	p->chosen = p->choices.count;
	return p->word != NULL;
}

/* Accepts the only candidate, and adds a blank after it. */
static enum prompt_result take_only_choice(struct prompt *p)
{
	const char *text = p->choices.text[0];
	size_t len = strlen(text);

	replace(p, p->choices.from, p->cursor, text, len);
	if (p->cursor == p->line.len && len > 0 && text[len - 1] != '=')
		replace(p, p->cursor, p->cursor, " ", 1);
	end_completing(p);
	return PROMPT_CHANGED;
}

static enum prompt_result complete(struct prompt *p, int dir)
{
	const char *text;
	size_t states;

	if (!p->complete || (!p->word && !start_completing(p)))
		return PROMPT_MOVED;
	if (p->choices.count == 1)
		return take_only_choice(p);
	states = p->choices.count + 1;
	p->chosen = dir < 0 ? (p->chosen + states - 1) % states : (p->chosen + 1) % states;
	text = p->chosen < p->choices.count ? p->choices.text[p->chosen] : p->word;
	replace(p, p->choices.from, p->cursor, text, strlen(text));
	return PROMPT_CHANGED;
}

/* ---- editing ---- */

static enum prompt_result move_to(struct prompt *p, size_t at)
{
	p->cursor = at;
	return PROMPT_MOVED;
}

static enum prompt_result cut_out(struct prompt *p, size_t from, size_t to)
{
	if (from == to)
		return PROMPT_MOVED;
	replace(p, from, to, "", 0);
	return PROMPT_CHANGED;
}

static size_t left_of(const struct prompt *p)
{
	return text_step_back(prompt_line(p), p->cursor);
}

static size_t right_of(const struct prompt *p)
{
	return text_step(prompt_line(p), p->line.len, p->cursor);
}

static size_t word_start(const struct prompt *p)
{
	const char *line = prompt_line(p);
	size_t at = p->cursor;

	while (at > 0 && line[at - 1] == ' ')
		at--;
	while (at > 0 && line[at - 1] != ' ')
		at--;
	return at;
}

static enum prompt_result insert_char(struct prompt *p, uint32_t code)
{
	char bytes[4];
	size_t len = text_encode(bytes, code);

	replace(p, p->cursor, p->cursor, bytes, len);
	return PROMPT_CHANGED;
}

static enum prompt_result control_key(struct prompt *p, uint32_t letter)
{
	switch (letter) {
	case 'a':
		return move_to(p, 0);
	case 'e':
		return move_to(p, p->line.len);
	case 'b':
		return move_to(p, left_of(p));
	case 'f':
		return move_to(p, right_of(p));
	case 'd':
		return cut_out(p, p->cursor, right_of(p));
	case 'w':
		return cut_out(p, word_start(p), p->cursor);
	case 'u':
		return cut_out(p, 0, p->cursor);
	case 'k':
		return cut_out(p, p->cursor, p->line.len);
	case 'c':
	case 'g':
		return PROMPT_CANCELLED;
	default:
		return PROMPT_MOVED;
	}
}

static enum prompt_result edit_key(struct prompt *p, struct key key)
{
	switch (key.code) {
	case KBD_CHAR:
		if (key.mods & KBD_CTRL)
			return control_key(p, key.ch);
		return key.mods ? PROMPT_MOVED : insert_char(p, key.ch);
	case KBD_BACKSPACE:
		return p->line.len == 0 ? PROMPT_CANCELLED : cut_out(p, left_of(p), p->cursor);
	case KBD_DELETE:
		return cut_out(p, p->cursor, right_of(p));
	case KBD_LEFT:
		return move_to(p, left_of(p));
	case KBD_RIGHT:
		return move_to(p, right_of(p));
	case KBD_HOME:
		return move_to(p, 0);
	case KBD_END:
		return move_to(p, p->line.len);
	case KBD_ENTER:
		return PROMPT_DONE;
	case KBD_ESC:
		return PROMPT_CANCELLED;
	default:
		return PROMPT_MOVED;
	}
}

/*
 * Returns the direction in which a key recalls lines: -1 for older, +1 for newer lines, 0 for any other key.
 */
static int recall_direction(struct key key)
{
	bool control = key.code == KBD_CHAR && key.mods == KBD_CTRL;

	if (key.code == KBD_UP || (control && key.ch == 'p'))
		return -1;
	return key.code == KBD_DOWN || (control && key.ch == 'n');
}

enum prompt_result prompt_key(struct prompt *p, struct key key)
{
	int dir = recall_direction(key);

	if (key.code == KBD_TAB) {
		end_recalling(p);
		return complete(p, key.mods & KBD_SHIFT ? -1 : 1);
	}
	end_completing(p);
	if (dir)
		return recall(p, dir);
	end_recalling(p);
	return edit_key(p, key);
}

enum prompt_result prompt_paste(struct prompt *p, const char *text, size_t len)
{
	struct str clean = {0};
	size_t before = p->line.len;

	for (size_t i = 0; i < len;) {
		uint32_t code;
		size_t n = text_decode(text + i, len - i, &code);

		if (code == '\n' || code == '\r' || code == '\t')
			str_add_char(&clean, ' ');
		else if (code != TEXT_INVALID && text_code_width(code) >= 0)
			str_add_bytes(&clean, text + i, n);
		i += n;
	}
	end_completing(p);
	end_recalling(p);
	replace(p, p->cursor, p->cursor, str_text(&clean), clean.len);
	str_free(&clean);
	return p->line.len == before ? PROMPT_MOVED : PROMPT_CHANGED;
}

/* ---- drawing ---- */

/* Returns the byte offset from which the line is shown, so that the cursor is visible. */
static size_t first_shown(const struct prompt *p, int width)
{
	const char *line = prompt_line(p);
	int before = text_width_bytes(line, p->cursor);
	size_t from = 0;

	while (from < p->cursor && before >= width) {
		struct text_piece piece;

		from += text_next(line + from, p->cursor - from, false, &piece);
		before -= piece.cells;
	}
	return from;
}

/*
 * Only one row of candidates is shown at a time. Returns the first candidate of the row that contains the
 * selected candidate.
 */
static size_t first_choice(const struct prompt *p, int width)
{
	size_t first = 0;
	int x = 0;

	if (p->chosen == p->choices.count)
		return 0;
	for (size_t i = 0; i <= p->chosen; i++) {
		int used = text_width(p->choices.text[i]);

		if (x + used > width) {
			first = i;
			x = 0;
		}
		x += used + 2;
	}
	return first;
}

static void draw_choices(const struct prompt *p, struct canvas *c, struct rect row)
{
	int x = 0;

	canvas_fill(c, row, ROLE_CANDIDATE);
	for (size_t i = first_choice(p, row.w); i < p->choices.count && x < row.w; i++) {
		enum role role = i == p->chosen ? ROLE_CANDIDATE_CHOSEN : ROLE_CANDIDATE;

		if (x > 0 && x + text_width(p->choices.text[i]) > row.w)
			break;
		x += canvas_put(c, row, x, 0, role, p->choices.text[i]) + 2;
	}
}

void prompt_draw(const struct prompt *p, struct canvas *c, struct rect r)
{
	struct rect row = rect_take_bottom(&r, 1);
	const char *line = prompt_line(p);
	size_t from;

	canvas_fill(c, row, ROLE_PROMPT_TEXT);
	rect_take_left(&row, canvas_put(c, row, 0, 0, ROLE_PROMPT, p->sign));
	if (row.w > 0 && row.h > 0) {
		from = first_shown(p, row.w);
		canvas_put(c, row, 0, 0, ROLE_PROMPT_TEXT, line + from);
		c->caret_x = row.x + text_width_bytes(line + from, p->cursor - from);
		c->caret_y = row.y;
	}
	if (p->word && r.h > 0)
		draw_choices(p, c, rect_take_bottom(&r, 1));
}
