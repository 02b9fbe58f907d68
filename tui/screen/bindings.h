/* SPDX-License-Identifier: MIT */
/*
 * bindings.h - keys of the console and the actions they are bound to
 *
 * The table of actions (bindings.c) contains the keys of each action, its label on the key line and its
 * description in the help. Movement keys, global keys and keys that act on jobs mean the same on every
 * screen. All other keys are defined by single screens, which must not use a movement key, a global key or a
 * key that acts on jobs for another action (tests/unit/test_bindings.c).
 */
#ifndef SCREEN_BINDINGS_H
#define SCREEN_BINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/draw/key.h"

enum action {
	ACTION_NONE,
	/* movement */
	ACTION_DOWN,
	ACTION_UP,
	ACTION_LEFT,
	ACTION_RIGHT,
	ACTION_PAGE_DOWN,
	ACTION_PAGE_UP,
	ACTION_HALF_DOWN,
	ACTION_HALF_UP,
	ACTION_HOME,
	ACTION_END,
	ACTION_PANE_NEXT,
	ACTION_PANE_PREVIOUS,
	/* screens */
	ACTION_SCREEN, /* the argument is the number of the screen */
	ACTION_BACK,
	ACTION_ESCAPE,
	ACTION_HELP,
	ACTION_QUIT,
	/* search */
	ACTION_FILTER,
	ACTION_SEARCH,
	ACTION_MATCH_NEXT,
	ACTION_MATCH_PREVIOUS,
	ACTION_SORT,
	ACTION_SORT_REVERSE,
	ACTION_COLUMNS,
	ACTION_NUMBERS,
	/* marks */
	ACTION_MARK,
	ACTION_MARK_RANGE,
	ACTION_MARK_ALL,
	ACTION_MARK_NONE,
	/* commands */
	ACTION_COMMAND,
	ACTION_UNDO,
	ACTION_REPEAT,
	ACTION_APPLY,
	ACTION_DISCARD,
	ACTION_APPLY_FOR,
	ACTION_KEEP,
	ACTION_COPY,
	ACTION_COPY_LINE,
	ACTION_EXPORT,
	ACTION_FREEZE,
	ACTION_LIVE,
	ACTION_ENTRY_BACK,
	ACTION_ENTRY_ON,
	ACTION_HOUR_BACK,
	ACTION_HOUR_ON,
	ACTION_SLOWER,
	ACTION_FASTER,
	ACTION_THEME,
	ACTION_REDRAW,
	ACTION_SUSPEND,
	/* actions on jobs */
	ACTION_OPEN,
	ACTION_WHY,
	ACTION_PRIORITY,
	ACTION_HOLD,
	ACTION_RELEASE,
	ACTION_REWEIGHT,
	ACTION_RAISE,
	ACTION_LOWER,
	ACTION_SET_PRIORITY,
	ACTION_WALLTIME,
	ACTION_CANCEL,
	ACTION_SIGNAL,
	ACTION_REQUEUE,
	ACTION_STOP,
	ACTION_OUTPUT,
	ACTION_SUBMIT,
	ACTION_ORDER_DOWN,
	ACTION_ORDER_UP,
	/* actions of single screens */
	ACTION_EDIT,
	ACTION_TEN_LESS,
	ACTION_TEN_MORE,
	ACTION_DEFAULT,
	ACTION_PERCENT,
	ACTION_PART,
	ACTION_WHICH,
	ACTION_ALL_ENTRIES,
	ACTION_ENTRIES_BACK,
	ACTION_ENTRIES_ON,
	ACTION_DIFFERENCE,
	ACTION_BECAUSE,
	ACTION_UNDO_TO,
	ACTION_ERRORS,
	ACTION_ENDED,
	ACTION_SWITCH,
	ACTION_REMOVE,
	ACTION_ASSUME,
	ACTION_SWEEP,
	ACTION_GOAL,
	ACTION_COUNT
};

enum action_set {
	SET_MOVING, /* movement, on every screen */
	SET_GLOBAL,
	SET_ACTING, /* actions on the job under the cursor or the marked jobs, on every screen */
	SET_SCREEN  /* only on the screens that the row names */
};

struct action_row {
	enum action_set set;
	const char *screens; /* SET_SCREEN: names of the screens, separated by blanks; other sets: NULL */
	const char *keys;    /* names of the keys, separated by blanks: "j <Down>" */
	const char *label;   /* label on the key line: "hold"; NULL = not on the key line */
	const char *help;    /* description for the help */
};

/* Returns the row of an action, never NULL. action must be less than ACTION_COUNT. */
const struct action_row *action_row(enum action action);

/* Is the action available on the screen? */
bool action_is_on(enum action action, const char *screen);

/*
 * Returns the action of a key on a screen; ACTION_NONE if the key has none there. Sets *arg to the position
 * of the key among the keys of the action, from 1; for ACTION_SCREEN, this is the number of the screen.
 */
enum action bindings_find(const char *screen, struct key key, int *arg);

/* Writes the name of the first key of an action to buf ("" if the action has no key), and returns buf. */
const char *bindings_first(enum action action, char buf[static KEY_TEXT]);

/* --- movement keys of lists and texts ----------------------------------------------------------------- */

struct page;  /* page.h           */
struct table; /* tui/draw/table.h */

/*
 * Moves the cursor of the list, or scrolls the page. Does nothing and returns false if the action is not a
 * movement up or down.
 */
bool moving_table(struct table *t, enum action action);
bool moving_page(struct page *p, enum action action);

#endif
