/* SPDX-License-Identifier: MIT */
/*
 * console.h - the full screen: who draws, who gets the keys, what happens when one is pressed?
 *
 * A console is a model of the screen that needs no terminal: keys and sizes go in, a
 * canvas comes out. Three loops drive it: the terminal's (console_run.c, the only file that
 * knows term.h), a script's and a test's.
 *
 * It never blocks: plans are made by a worker, changes are posted to the host and answered
 * later, and what is on the screen is always one outlook, made of things that belong
 * together. Keys that change something write a draft with its effect; Enter applies it.
 */
#ifndef TUI_CONSOLE_CONSOLE_H
#define TUI_CONSOLE_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "tui/command/cmd_console.h"
#include "tui/draw/canvas.h"
#include "tui/draw/key.h"

struct console; /* opaque */
struct theme;   /* tui/draw/theme.h */

/* What verbs may ask of the console, and how the program opens it. */
extern const struct cmd_console console_verbs;

/* As described in cmd_console.h. */
int console_run(struct session *s, const char *script, struct err *err);
bool console_has_terminal(struct err *err);
bool console_show(struct console *c, const char *screen, struct err *err);
bool console_show_at(struct console *c, const char *text, struct err *err);
void console_set_filter(struct console *c, const char *text);
bool console_set_theme(struct console *c, const char *name, struct err *err);
void console_set_mouse(struct console *c, bool on);
bool console_set_speed(struct console *c, int64_t speed, struct err *err);
bool console_dump(struct console *c, const char *file, struct err *err);
bool console_export(struct console *c, const char *file, struct err *err);
void console_act_of(const struct console *c, uint64_t seq, uint64_t *first, uint64_t *last);
void console_quit(struct console *c);
bool console_detach(struct console *c, struct err *err);

/* --- for loops ----------------------------------------------------------------------- */

/* What only a terminal can do. Each may be NULL. */
struct console_door {
	void *self;
	void (*use_theme)(void *self, const struct theme *theme);
	bool (*copy)(void *self, const char *text, size_t len);
	void (*repaint)(void *self);
	void (*use_mouse)(void *self, bool on);
};

/* The session stays the caller's. scripted: time moves only by console_advance and console_step. */
struct console *console_new(const struct session *s, const struct console_door *door, bool scripted,
			    struct err *err);
void console_free(struct console *c); /* NULL is allowed */

void console_resize(struct console *c, int w, int h);
void console_key(struct console *c, struct key key);
/* A whole paste: text for an open prompt, else dropped. */
void console_paste(struct console *c, const char *text, size_t len);
/* A turn of the wheel by some lines, down being positive, or with 0 a click, at a cell. */
void console_mouse(struct console *c, int x, int y, int lines);

/* Two descriptors for poll(): when one is readable, or the time is over, call console_turn. */
void console_fds(const struct console *c, int fd[static 2]);
/* Milliseconds until something is due by itself; -1 = nothing is. */
int console_timeout_ms(const struct console *c);
/* Collects what has happened: answers, snapshots, plans. */
void console_turn(struct console *c);

/* Did anything change since console_draw? */
bool console_is_dirty(const struct console *c);
/* The screen. Valid until the next call. */
const struct canvas *console_draw(struct console *c);

bool console_wants_to_quit(const struct console *c);
/* When it is left: shall a scheduler that runs in this process go on? */
bool console_detaches(const struct console *c);
/* Is anything on its way: a command, a plan, a snapshot? */
bool console_is_busy(struct console *c);
/* Turns until nothing is. False: nothing was heard of it for so long; -1 = however long that takes. */
bool console_rest(struct console *c, int patience_ms);
/* Looks at everything again, as of now: real time has passed. */
void console_look_again(struct console *c);

/* Runs a line as from the prompt, draft and all: an enum cmd_status, with a sentence when not 0. */
int console_command(struct console *c, const char *line, struct err *err);
/* Does time pass by itself, since jobs really run? */
bool console_is_real(const struct console *c);
/* Moves virtual time; busy until it is done. */
void console_advance(struct console *c, int64_t to_s);
void console_step(struct console *c, uint32_t count);
int64_t console_now_s(const struct console *c);
/* The first thing that went wrong since the last call; false when nothing did. */
bool console_take_failure(struct console *c, struct err *err);

#endif
