/* SPDX-License-Identifier: MIT */
/*
 * prompt.h - line editor with history and completion
 *
 * A one-line editor for ":" commands, "/" filters and values. The caller passes it keys; it does not read the
 * terminal or run commands. While it is open it receives all keys, so that a key typed into a filter never
 * acts on a job.
 *
 *     characters, paste        insert at the cursor
 *     <BS> <Del> <C-d>         delete a character; <BS> in an empty line cancels
 *     <C-w> <C-u> <C-k>        delete the word before, all text before, all text after the cursor
 *     <Left> <Right> <C-b> <C-f> <Home> <End> <C-a> <C-e>   move the cursor
 *     <Up> <Down> <C-p> <C-n>  older, newer line of the history that begins with the typed text
 *     <Tab> <S-Tab>            next, previous completion; after the last one the typed text;
 *                              a single completion is accepted, followed by a blank
 *     <Enter>                  done; <Esc> <C-c> <C-g> cancel
 */
#ifndef DRAW_PROMPT_H
#define DRAW_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "canvas.h"
#include "key.h"
#include "sched/base/str.h"

#define PROMPT_HISTORY_MAX 200
#define PROMPT_TEXT_MAX    4096 /* bytes; the rest is ignored */

/* Lines entered before, oldest first. A zeroed struct is empty. Several prompts may share a history. */
struct prompt_history {
	char **line;
	size_t count, cap;
};

/*
 * Adds a line unless it is empty. Removes an equal earlier line, and the oldest line if the history would
 * exceed its maximum.
 */
void prompt_history_add(struct prompt_history *h, const char *line);
void prompt_history_free(struct prompt_history *h);

/* Candidates for the text between `from` and the cursor. */
struct prompt_choices {
	size_t from; /* byte offset of the word that is replaced; initially 0 */
	char **text;
	size_t count, cap;
};
void prompt_choice_add(struct prompt_choices *out, const char *text);

/*
 * Adds the candidates, best first. Called at the first <Tab> with the line and the byte offset of the cursor.
 */
typedef void prompt_completer(void *self, const char *line, size_t cursor, struct prompt_choices *out);

struct prompt {
	char sign[48];                  /* text before the line: ":", "/" or "value:" */
	struct str line;                /* current text */
	size_t cursor;                  /* byte offset in line, at the start of a grapheme */
	struct prompt_history *history; /* borrowed; NULL = none          */
	prompt_completer *complete;     /* NULL = no completion */
	void *complete_self;

	size_t recalled; /* index of the recalled line in the history; its count if none is recalled */
	char *typed;     /* the line before the first recall; owned */
	struct prompt_choices choices; /* candidates while <Tab> cycles through them */
	size_t chosen; /* index of the selected candidate; choices.count = the typed word is selected */
	char *word;    /* the typed word; NULL if no completion is in progress; owned */
};

enum prompt_result {
	PROMPT_MOVED,    /* line unchanged */
	PROMPT_CHANGED,  /* line changed (update the filter) */
	PROMPT_DONE,     /* Enter: the line is complete; the caller adds it to the history */
	PROMPT_CANCELLED /* Esc, or another key that cancels */
};

/* Opens a prompt with an initial text and the cursor at its end. Release with prompt_close. */
void prompt_open(struct prompt *p, const char *sign, const char *text);
void prompt_close(struct prompt *p);
const char *prompt_line(const struct prompt *p);

/* Handles a key. */
enum prompt_result prompt_key(struct prompt *p, struct key key);
/*
 * Inserts pasted text: newlines and tabs become blanks, other control characters are removed. Never returns
 * PROMPT_DONE.
 */
enum prompt_result prompt_paste(struct prompt *p, const char *text, size_t len);

/*
 * Draws the line in the last row of r, scrolled so that the cursor is visible, and places the caret of the
 * canvas. During completion, the candidates are drawn in the row above, if there is one.
 */
void prompt_draw(const struct prompt *p, struct canvas *c, struct rect r);

#endif
