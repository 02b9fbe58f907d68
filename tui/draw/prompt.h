/* SPDX-License-Identifier: MIT */
/*
 * prompt.h - line editor with history and completion
 *
 * A one-line editor for ":" commands, "/" filters and values. It is driven by keys,
 * reads no terminal and runs no commands. While it is open it receives all keys, so
 * that a key typed into a filter never acts on a job.
 *
 *     characters, paste        insert at the cursor
 *     <BS> <Del> <C-d>         delete a character; <BS> in an empty line closes
 *     <C-w> <C-u> <C-k>        delete the word before, all text before, all text after the cursor
 *     <Left> <Right> <C-b> <C-f> <Home> <End> <C-a> <C-e>
 *     <Up> <Down> <C-p> <C-n>  older, newer line of the history with the same prefix
 *     <Tab> <S-Tab>            next, previous completion; after the last one the typed text;
 *                              a single one is accepted, followed by a blank
 *     <Enter>  <Esc> <C-c> <C-g>
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

/* Lines entered before, oldest first. {0} is empty; prompts may share a history. */
struct prompt_history {
	char **line;
	size_t count, cap;
};

/* Adds a line, and removes an equal earlier one, or the oldest beyond the maximum. "" is not added. */
void prompt_history_add(struct prompt_history *h, const char *line);
void prompt_history_free(struct prompt_history *h);

/* Candidates for the text between `from` and the cursor. */
struct prompt_choices {
	size_t from; /* start of the replaced word in bytes; initially 0 */
	char **text;
	size_t count, cap;
};
void prompt_choice_add(struct prompt_choices *out, const char *text);

/*
 * Called at the first <Tab> with the line and the cursor (in bytes). Adds complete replacements, best first.
 */
typedef void prompt_completer(void *self, const char *line, size_t cursor, struct prompt_choices *out);

struct prompt {
	char sign[48];                  /* ":" or "/" or "value:"                      */
	struct str line;                /* current text */
	size_t cursor;                  /* byte in line, at the start of a grapheme    */
	struct prompt_history *history; /* borrowed; NULL = none          */
	prompt_completer *complete;     /* NULL = no completion */
	void *complete_self;

	size_t recalled;               /* index of the recalled history line; count if none */
	char *typed;                   /* line before recalling; owned */
	struct prompt_choices choices; /* while <Tab> cycles                          */
	size_t chosen;                 /* index of the selected candidate; choices.count: the typed word */
	char *word;                    /* the typed word; NULL when not completing; owned */
};

enum prompt_result {
	PROMPT_MOVED,    /* line unchanged */
	PROMPT_CHANGED,  /* line changed (update the filter) */
	PROMPT_DONE,     /* Enter: line complete; the caller adds it to the history */
	PROMPT_CANCELLED /* Esc                                          */
};

/* Opens with an initial text, cursor at its end. Free with prompt_close. */
void prompt_open(struct prompt *p, const char *sign, const char *text);
void prompt_close(struct prompt *p);
const char *prompt_line(const struct prompt *p);

enum prompt_result prompt_key(struct prompt *p, struct key key);
/*
 * Inserts pasted text: newlines and tabs become blanks, other controls are removed. Never completes the line.
 */
enum prompt_result prompt_paste(struct prompt *p, const char *text, size_t len);

/*
 * Draws the line on the last row of r, scrolled to the cursor, and sets the canvas's caret. During
 * completion, candidates are shown on the row above, if there is one.
 */
void prompt_draw(const struct prompt *p, struct canvas *c, struct rect r);

#endif
