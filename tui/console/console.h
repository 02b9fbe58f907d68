/* SPDX-License-Identifier: MIT */
/*
 * console.h - the console: a screen model driven by keys and sizes
 *
 * A console is a model of the screen that needs no terminal: keys and sizes go in, a canvas comes out. Three
 * loops drive it: the terminal's (console_run.c, the only file that includes term.h), a script's and a
 * test's.
 *
 * It never blocks: a worker computes plans, and changes are posted to the host, which answers later. The
 * screen always shows one plan query, so that its data is consistent. Keys that change something create a
 * draft that shows its effect; Enter applies it.
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

/* Functions for verbs: to open the console, and to be called in it. */
extern const struct cmd_console console_verbs;

/* Functions of console_verbs; see cmd_console.h. */
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

/* --- main loops ---------------------------------------------------------------------- */

/* Functions that need a terminal; the members are NULL if there is no terminal. */
struct console_door {
	void *self;
	void (*use_theme)(void *self, const struct theme *theme);
	bool (*copy)(void *self, const char *text, size_t len);
	void (*repaint)(void *self);
	void (*use_mouse)(void *self, bool on);
};

/*
 * Creates a console; NULL with err set on failure. The session is borrowed. scripted: time moves only by
 * console_advance and console_step.
 */
struct console *console_new(const struct session *s, const struct console_door *door, bool scripted,
			    struct err *err);
void console_free(struct console *c); /* c may be NULL */

void console_resize(struct console *c, int w, int h);
void console_key(struct console *c, struct key key);
/* Inserts pasted text into an open prompt; without a prompt, ignores the text with a warning. */
void console_paste(struct console *c, const char *text, size_t len);
/* Mouse event at a cell. lines: lines scrolled by the wheel, positive downwards; 0 = a click. */
void console_mouse(struct console *c, int x, int y, int lines);

/* Two descriptors for poll(): call console_turn when one is readable or the timeout has passed. */
void console_fds(const struct console *c, int fd[static 2]);
/* Timeout in milliseconds; -1 = none. */
int console_timeout_ms(const struct console *c);
/* Collects answers, snapshots and plans. */
void console_turn(struct console *c);

/* Has anything changed since console_draw? */
bool console_is_dirty(const struct console *c);
/* Draws the screen. The canvas is valid until the next call. */
const struct canvas *console_draw(struct console *c);

bool console_wants_to_quit(const struct console *c);
/* After quitting: should the scheduler in this process continue? */
bool console_detaches(const struct console *c);
/* Is a command, a plan or a snapshot pending? */
bool console_is_busy(struct console *c);
/* Runs until nothing is pending. Returns false if no event arrives for patience_ms (-1 = no timeout). */
bool console_rest(struct console *c, int patience_ms);
/* Refreshes everything, because real time has passed. */
void console_look_again(struct console *c);

/*
 * Runs a command line as if typed at the prompt: its changes go to the draft or open the box. Returns an enum
 * cmd_status; err is set unless it is 0.
 */
int console_command(struct console *c, const char *line, struct err *err);
/* Does time pass by itself, because the jobs are real? */
bool console_is_real(const struct console *c);
/*
 * Advance simulated time to a time, or by a number of steps. The console is busy until the scheduler has
 * answered.
 */
void console_advance(struct console *c, int64_t to_s);
void console_step(struct console *c, uint32_t count);
int64_t console_now_s(const struct console *c);
/* Returns the first error since the last call; false if there was none. */
bool console_take_failure(struct console *c, struct err *err);

#endif
