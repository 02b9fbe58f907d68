/* SPDX-License-Identifier: MIT */
/*
 * prompt.h - line editor with history and completion
 *
 * A one-line editor for ":" commands, "/" filters and values. Keys in, state out: it
 * reads no terminal and runs nothing. While it is open it takes every key, so that no
 * key typed into a filter ever acts on a job.
 *
 *     characters, paste        insert at the cursor
 *     <BS> <Del> <C-d>         delete a character; <BS> in an empty line closes
 *     <C-w> <C-u> <C-k>        delete the word before, all before, all behind the cursor
 *     <Left> <Right> <C-b> <C-f> <Home> <End> <C-a> <C-e>
 *     <Up> <Down> <C-p> <C-n>  older, newer line of the history that begins like this one
 *     <Tab> <S-Tab>            next, previous completion; after the last the typed text again;
 *                              the only one is taken with a blank behind it
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
#define PROMPT_TEXT_MAX    4096 /* bytes; what goes beyond is not taken */

/* Lines given before, oldest first. {0} is empty; several prompts may share one. */
struct prompt_history {
	char **line;
	size_t count, cap;
};

/* Adds a line; the same line earlier goes away, as does the oldest beyond the maximum. "" is not kept. */
void prompt_history_add(struct prompt_history *h, const char *line);
void prompt_history_free(struct prompt_history *h);

/* Candidates for what stands between `from` and the cursor. */
struct prompt_choices {
	size_t from; /* byte where the replaced word begins; 0 unless set */
	char **text;
	size_t count, cap;
};
void prompt_choice_add(struct prompt_choices *out, const char *text);

/* Asked at the first <Tab>: line and cursor (bytes). Adds the whole replacements, best first. */
typedef void prompt_completer(void *self, const char *line, size_t cursor, struct prompt_choices *out);

struct prompt {
	char sign[48];                  /* ":" or "/" or "value:"                      */
	struct str line;                /* what was typed                              */
	size_t cursor;                  /* byte in line, at the start of a grapheme    */
	struct prompt_history *history; /* borrowed; NULL = none          */
	prompt_completer *complete;     /* NULL = <Tab> does nothing      */
	void *complete_self;

	size_t recalled;               /* history line shown; == count when none      */
	char *typed;                   /* the line before recalling; owned            */
	struct prompt_choices choices; /* while <Tab> cycles                          */
	size_t chosen;                 /* == choices.count: the word as typed         */
	char *word;                    /* that word; NULL when not completing; owned  */
};

enum prompt_result {
	PROMPT_MOVED,    /* went on; the line is the same                */
	PROMPT_CHANGED,  /* went on; the line changed (filter again)     */
	PROMPT_DONE,     /* Enter: the line is given; add it to the history if it should stay */
	PROMPT_CANCELLED /* Esc                                          */
};

/* Opens with a first text, cursor at its end. Release with prompt_close. */
void prompt_open(struct prompt *p, const char *sign, const char *text);
void prompt_close(struct prompt *p);
const char *prompt_line(const struct prompt *p);

enum prompt_result prompt_key(struct prompt *p, struct key key);
/* Pasted text: newlines and tabs become blanks, other controls are left out. Never gives the line. */
enum prompt_result prompt_paste(struct prompt *p, const char *text, size_t len);

/*
 * Draws the line on the last row of r, scrolled so that the cursor is seen, and places the
 * canvas's caret. While completing, the candidates stand on the row above, if r has one.
 */
void prompt_draw(const struct prompt *p, struct canvas *c, struct rect r);

#endif
