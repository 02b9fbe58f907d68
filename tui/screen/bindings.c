/* SPDX-License-Identifier: MIT */
/*
 * bindings.c - keys of the console and the actions they are bound to
 *
 * The keys stand in the table as people write them and are read at each key pressed:
 * a hundred short names, cheaper than anything a key does.
 */
#include "bindings.h"

#include <string.h>

#include "page.h"
#include "tui/draw/table.h"

/* --- actions and keys --------------------------------------------------------------------------------- */

#define MOVING(default_keys, sentence)                                                                       \
	{                                                                                                    \
		.set = SET_MOVING, .keys = default_keys, .help = sentence                                    \
	}

#define GLOBAL(default_keys, word, sentence)                                                                 \
	{                                                                                                    \
		.set = SET_GLOBAL, .keys = default_keys, .label = word, .help = sentence                     \
	}

#define ACTING(default_keys, word, sentence)                                                                 \
	{                                                                                                    \
		.set = SET_ACTING, .keys = default_keys, .label = word, .help = sentence                     \
	}

#define SCREEN(views, default_keys, word, sentence)                                                          \
	{                                                                                                    \
		.set = SET_SCREEN, .screens = views, .keys = default_keys, .label = word, .help = sentence   \
	}

static const struct action_row rows[ACTION_COUNT] = {
	[ACTION_NONE] = {.set = SET_SCREEN, .screens = "", .keys = "", .help = ""},

	[ACTION_DOWN] = MOVING("j <Down>", "Down one line."),
	[ACTION_UP] = MOVING("k <Up>", "Up one line."),
	[ACTION_LEFT] =
		MOVING("h <Left>", "To the left: the job before, a slider down one step, close a part."),
	[ACTION_RIGHT] =
		MOVING("l <Right>", "To the right: the next job, a slider up one step, open a part."),
	[ACTION_PAGE_DOWN] = MOVING("<PgDn> <C-f>", "Down one page."),
	[ACTION_PAGE_UP] = MOVING("<PgUp> <C-b>", "Up one page."),
	[ACTION_HALF_DOWN] = MOVING("<C-d>", "Down half a page."),
	[ACTION_HALF_UP] = MOVING("<C-u>", "Up half a page."),
	[ACTION_HOME] = MOVING("g <Home>", "To the first line."),
	[ACTION_END] = MOVING("G <End>", "To the last line."),
	[ACTION_PANE_NEXT] = MOVING("<Tab>", "To the next part of the screen."),
	[ACTION_PANE_PREVIOUS] = MOVING("<S-Tab>", "To the part before."),

	[ACTION_SCREEN] = GLOBAL("1 2 3 4 5 6 7 8 9", NULL, "To the screen of that number."),
	[ACTION_BACK] = GLOBAL("q", "back", "Back to the screen before."),
	[ACTION_ESCAPE] = GLOBAL("<Esc>", NULL, "Cancel: drop the box, close a pane, clear the filter."),
	[ACTION_HELP] = GLOBAL("? <F1>", "help", "The keys of this screen and all commands."),
	[ACTION_QUIT] = GLOBAL("Q <F10> <C-c>", "quit", "Leave, after a question."),
	[ACTION_FILTER] = GLOBAL("/ <F4>", "filter",
				 "Show only what matches: text, !text, ^regexp$, user=eva,bob, name~fit, "
				 "procs>8, walltime<=2h."),
	[ACTION_SEARCH] =
		GLOBAL("<F3>", "search", "Go to what matches and hide nothing; in lists and texts."),
	[ACTION_MATCH_NEXT] = GLOBAL("n", NULL, "To the next match."),
	[ACTION_MATCH_PREVIOUS] = GLOBAL("N", NULL, "To the match before."),
	[ACTION_SORT] = GLOBAL("s <F6>", "sort", "In the queue: sort by the next column."),
	[ACTION_SORT_REVERSE] = GLOBAL("S", NULL, "In the queue: sort the other way round."),
	[ACTION_COLUMNS] = GLOBAL("C", "columns", "In the queue: choose the columns."),
	[ACTION_NUMBERS] =
		GLOBAL("=", "numbers", "Where a number comes from: a priority and start, a share, a limit."),
	[ACTION_MARK] = GLOBAL("<Space>", "mark", "Mark this job, or take its mark away."),
	[ACTION_MARK_RANGE] = GLOBAL("v", NULL, "Mark from here; again: up to here."),
	[ACTION_MARK_ALL] = GLOBAL("*", NULL, "Mark all that the filter shows."),
	[ACTION_MARK_NONE] = GLOBAL("\\", NULL, "Take all marks away."),
	[ACTION_COMMAND] = GLOBAL(":", "command", "Type a command; <Tab> completes, <Up> recalls."),
	[ACTION_UNDO] = GLOBAL("u", "undo", "Undo your last act, or in the journal this entry."),
	[ACTION_APPLY] = GLOBAL("A", "apply", "Apply the draft, all its edits or none."),
	[ACTION_DISCARD] =
		GLOBAL("D", "discard", "Discard the draft; one of several edits after a question."),
	[ACTION_APPLY_FOR] = GLOBAL(
		"<F7>", NULL, "Apply the draft, or the box, for a time: undone then unless it is kept."),
	[ACTION_KEEP] = GLOBAL("<F8>", NULL, "Keep what was changed for a while."),
	[ACTION_REPEAT] = GLOBAL(".", NULL, "Do the last change again, to this job."),
	[ACTION_COPY] = GLOBAL("y", NULL, "Copy the job's id to the clipboard of the terminal."),
	[ACTION_COPY_LINE] = GLOBAL("Y", NULL, "Copy why the job waits."),
	[ACTION_EXPORT] = GLOBAL("E", NULL, "Write this screen to a file, with all rows of its list."),
	[ACTION_FREEZE] = GLOBAL("Z", "freeze", "Hold the picture still, until Z again or a draft."),
	[ACTION_LIVE] = GLOBAL("L", "now", "Back to now, from a moment of the past."),
	[ACTION_ENTRY_BACK] =
		GLOBAL("[", "back", "All screens as they were one entry of the journal earlier."),
	[ACTION_ENTRY_ON] = GLOBAL("]", "on", "One entry later."),
	[ACTION_HOUR_BACK] = GLOBAL("(", NULL, "All screens as they were an hour earlier."),
	[ACTION_HOUR_ON] = GLOBAL(")", NULL, "An hour later."),
	[ACTION_SLOWER] = GLOBAL("<lt>", "slower", "Simulated time: slower, down to standing still."),
	[ACTION_FASTER] = GLOBAL(">", "faster", "Simulated time: faster."),
	[ACTION_THEME] = GLOBAL("T", NULL, "The next theme."),
	[ACTION_REDRAW] = GLOBAL("<C-l>", NULL, "Paint the screen again."),
	[ACTION_SUSPEND] = GLOBAL("<C-z>", NULL, "Why the console is not suspended."),

	[ACTION_OPEN] =
		ACTING("<Enter>", "open", "Open it; a change that was found: preview it; in the box: apply."),
	[ACTION_WHY] = ACTING("w", "why", "Every check of the job, with numbers."),
	[ACTION_PRIORITY] = ACTING("p", "priority", "What its priority is made of."),
	[ACTION_HOLD] = ACTING("H", "hold", "Hold it: user, system or batch."),
	[ACTION_RELEASE] = ACTING("R", "release", "Release its holds."),
	[ACTION_REWEIGHT] = ACTING("W", "weights", "Try other weights, and see the order change."),
	[ACTION_RAISE] = ACTING("+", NULL, "Ten points more of relative priority."),
	[ACTION_LOWER] = ACTING("-", NULL, "Ten points less of relative priority."),
	[ACTION_SET_PRIORITY] = ACTING("#", NULL, "Set an absolute priority, above all computed."),
	[ACTION_WALLTIME] = ACTING("t", NULL, "Give it another wallclock limit."),
	[ACTION_CANCEL] = ACTING("x <F9>", "cancel", "Cancel it; what runs ends, with all its processes."),
	[ACTION_SIGNAL] = ACTING("X", NULL, "Send a signal to what runs."),
	[ACTION_REQUEUE] = ACTING("i", NULL, "Stop what runs and let it wait again."),
	[ACTION_STOP] = ACTING("z", NULL, "Suspend what runs, or resume what is suspended."),
	[ACTION_OUTPUT] = ACTING("o", "output", "What it writes, as it is written."),
	[ACTION_SUBMIT] = ACTING("a", "submit", "Fill in the form for a new job."),
	[ACTION_ORDER_DOWN] = ACTING("J", NULL, "One place down in the order; ageing keeps it for an hour."),
	[ACTION_ORDER_UP] = ACTING("K", NULL, "One place up in the order; ageing keeps it for an hour."),

	[ACTION_EDIT] = SCREEN("job priority fairshare limits config submit whatif", "e", "value",
			       "Type the value under the cursor: a weight, a limit, an edit."),
	[ACTION_TEN_LESS] =
		SCREEN("priority fairshare", "{", "-10", "The slider down ten steps, a target ten points."),
	[ACTION_TEN_MORE] =
		SCREEN("priority fairshare", "}", "+10", "The slider up ten steps, a target ten points."),
	[ACTION_DEFAULT] =
		SCREEN("priority fairshare config submit", "0", "default",
		       "The slider, or the parameter, to the shipped default; no target; a field empty."),
	[ACTION_PERCENT] =
		SCREEN("priority fairshare", "b", "percent", "Show amounts or percent of the sum."),
	[ACTION_PART] = SCREEN("limits", "f", "near",
			       "All limits, those that are nearly used up, or those that are."),
	[ACTION_WHICH] = SCREEN("config", "f", "which",
				"All parameters, those changed, those set live, those lint finds odd."),
	[ACTION_ENDED] = SCREEN("queue", "f", "ended",
				"Jobs that have ended: how, and what they made of what they held."),
	[ACTION_ERRORS] =
		SCREEN("follow", "e", "errors", "What it writes to standard error, or to standard output."),
	[ACTION_SWITCH] =
		SCREEN("whatif", "f", "on/off", "Switch the edit under the cursor off, or on again."),
	[ACTION_REMOVE] =
		SCREEN("whatif", "r <Del>", "remove", "Take the edit under the cursor out of the draft."),
	[ACTION_ASSUME] =
		SCREEN("whatif", "m", "assume",
		       "How long jobs run: to their limits, as their users' did lately, as most did."),
	[ACTION_SWEEP] = SCREEN("whatif sweep goal", "V", "sweep",
				"Try one setting at several values (S sorts, on every screen)."),
	[ACTION_GOAL] = SCREEN("whatif sweep goal", "B", "solve",
			       "Which weight or limit starts this job by a time (g goes to the top)."),
	[ACTION_UNDO_TO] =
		SCREEN("journal", "U", "to here", "Undo everything that people changed after this entry."),
	[ACTION_ALL_ENTRIES] =
		SCREEN("journal", "f", "all", "All entries, or without what every pass writes."),
	[ACTION_ENTRIES_BACK] = SCREEN("queue job limits whatif journal config", "{", NULL,
				       "Ten entries of the journal earlier."),
	[ACTION_ENTRIES_ON] =
		SCREEN("queue job limits whatif journal config", "}", NULL, "Ten entries later."),
	[ACTION_DIFFERENCE] =
		SCREEN("journal", "c", "compare", "What has changed from that moment until now."),
	[ACTION_BECAUSE] =
		SCREEN("journal", "b", "because",
		       "What has happened because of it: all since is run again without it; again: stop."),
};

const struct action_row *action_row(enum action action)
{
	return &rows[action];
}

static bool has_word(const char *words, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = strstr(words, word); at; at = strstr(at + 1, word))
		if ((at == words || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0'))
			return true;
	return false;
}

bool action_is_on(enum action action, const char *screen)
{
	return rows[action].set != SET_SCREEN || has_word(rows[action].screens, screen);
}

/* The place of a key in a list of key names, from 1; 0 when it is not there. */
static int place_of(const char *keys, struct key key)
{
	struct key listed;

	for (int place = 1; key_read(&keys, &listed, NULL); place++) {
		if (key_same(listed, key))
			return place;
		keys += strspn(keys, " ");
	}
	return 0;
}

enum action bindings_find(const char *screen, struct key key, int *arg)
{
	for (enum action a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		*arg = action_is_on(a, screen) ? place_of(rows[a].keys, key) : 0;
		if (*arg > 0)
			return a;
	}
	return ACTION_NONE;
}

const char *bindings_first(enum action action, char buf[static KEY_TEXT])
{
	size_t len = strcspn(rows[action].keys, " ");

	len = len < KEY_TEXT ? len : KEY_TEXT - 1;
	memcpy(buf, rows[action].keys, len);
	buf[len] = '\0';
	return buf;
}

/* --- movement of lists and texts ---------------------------------------------------------------------- */

bool moving_table(struct table *t, enum action action)
{
	switch (action) {
	case ACTION_DOWN:
		table_move(t, 1);
		return true;
	case ACTION_UP:
		table_move(t, -1);
		return true;
	case ACTION_PAGE_DOWN:
		table_page(t, 2);
		return true;
	case ACTION_PAGE_UP:
		table_page(t, -2);
		return true;
	case ACTION_HALF_DOWN:
		table_page(t, 1);
		return true;
	case ACTION_HALF_UP:
		table_page(t, -1);
		return true;
	case ACTION_HOME:
		table_home(t);
		return true;
	case ACTION_END:
		table_end(t);
		return true;
	default:
		return false;
	}
}

bool moving_page(struct page *p, enum action action)
{
	switch (action) {
	case ACTION_DOWN:
		page_move(p, 1);
		return true;
	case ACTION_UP:
		page_move(p, -1);
		return true;
	case ACTION_PAGE_DOWN:
		page_move(p, p->body);
		return true;
	case ACTION_PAGE_UP:
		page_move(p, -p->body);
		return true;
	case ACTION_HALF_DOWN:
		page_move(p, p->body / 2);
		return true;
	case ACTION_HALF_UP:
		page_move(p, -(p->body / 2));
		return true;
	case ACTION_HOME:
		page_home(p);
		return true;
	case ACTION_END:
		page_end(p);
		return true;
	default:
		return false;
	}
}
