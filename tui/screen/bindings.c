/* SPDX-License-Identifier: MIT */
/*
 * bindings.c - keys of the console and the actions they are bound to
 *
 * Key names are stored as text and parsed at each key press: parsing a hundred short names takes less time
 * than any action.
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

	[ACTION_DOWN] = MOVING("j <Down>", "Move down one line."),
	[ACTION_UP] = MOVING("k <Up>", "Move up one line."),
	[ACTION_LEFT] =
		MOVING("h <Left>",
		       "Move left; on some screens: previous job, slider down one step, collapse a section."),
	[ACTION_RIGHT] = MOVING(
		"l <Right>", "Move right; on some screens: next job, slider up one step, expand a section."),
	[ACTION_PAGE_DOWN] = MOVING("<PgDn> <C-f>", "Move down one page."),
	[ACTION_PAGE_UP] = MOVING("<PgUp> <C-b>", "Move up one page."),
	[ACTION_HALF_DOWN] = MOVING("<C-d>", "Move down half a page."),
	[ACTION_HALF_UP] = MOVING("<C-u>", "Move up half a page."),
	[ACTION_HOME] = MOVING("g <Home>", "Go to the first line."),
	[ACTION_END] = MOVING("G <End>", "Go to the last line."),
	[ACTION_PANE_NEXT] = MOVING("<Tab>", "Move the focus to the next pane."),
	[ACTION_PANE_PREVIOUS] = MOVING("<S-Tab>", "Move the focus to the previous pane."),

	[ACTION_SCREEN] = GLOBAL("1 2 3 4 5 6 7 8 9", NULL, "Show the screen with that number."),
	[ACTION_BACK] = GLOBAL("q", "back", "Return to the previous screen."),
	[ACTION_ESCAPE] =
		GLOBAL("<Esc>", NULL, "Cancel: dismiss the box, close a pane, or clear the filter."),
	[ACTION_HELP] = GLOBAL("? <F1>", "help", "Show the keys of this screen and all commands."),
	[ACTION_QUIT] = GLOBAL("Q <F10> <C-c>", "quit", "Quit, after confirmation."),
	[ACTION_FILTER] = GLOBAL("/ <F4>", "filter",
				 "Show only matching rows: text, !text, ^regexp$, user=eva,bob, name~fit, "
				 "procs>8, walltime<=2h."),
	[ACTION_SEARCH] = GLOBAL("<F3>", "search", "Search lists and texts without hiding rows."),
	[ACTION_MATCH_NEXT] = GLOBAL("n", NULL, "Go to the next match."),
	[ACTION_MATCH_PREVIOUS] = GLOBAL("N", NULL, "Go to the previous match."),
	[ACTION_SORT] = GLOBAL("s <F6>", "sort", "On the queue screen: sort by the next column."),
	[ACTION_SORT_REVERSE] = GLOBAL("S", NULL, "On the queue screen: reverse the sort order."),
	[ACTION_COLUMNS] = GLOBAL("C", "columns", "On the queue screen: select the columns to show."),
	[ACTION_NUMBERS] = GLOBAL(
		"=", "numbers", "Show how the numbers are computed: a priority, a start, a share, a limit."),
	[ACTION_MARK] = GLOBAL("<Space>", "mark", "Mark or unmark this job."),
	[ACTION_MARK_RANGE] =
		GLOBAL("v", NULL, "Mark a range: press v on its first row and again on its last row."),
	[ACTION_MARK_ALL] = GLOBAL("*", NULL, "Mark all jobs that the filter shows."),
	[ACTION_MARK_NONE] = GLOBAL("\\", NULL, "Remove all marks."),
	[ACTION_COMMAND] = GLOBAL(":", "command", "Enter a command; <Tab> completes, <Up> recalls."),
	[ACTION_UNDO] = GLOBAL("u", "undo", "Undo your last change; on the journal screen, undo this entry."),
	[ACTION_APPLY] =
		GLOBAL("A", "apply", "Apply all edits of the draft; if one is refused, none is applied."),
	[ACTION_DISCARD] =
		GLOBAL("D", "discard", "Discard the draft; asks for confirmation if it has several edits."),
	[ACTION_APPLY_FOR] = GLOBAL(
		"<F7>", NULL,
		"Apply the draft or the box temporarily: undone after a given time unless kept with <F8>."),
	[ACTION_KEEP] = GLOBAL("<F8>", NULL, "Make a temporary change permanent."),
	[ACTION_REPEAT] = GLOBAL(".", NULL, "Repeat the last change on this job."),
	[ACTION_COPY] = GLOBAL("y", NULL, "Copy the job ID to the terminal's clipboard."),
	[ACTION_COPY_LINE] = GLOBAL("Y", NULL, "Copy the reason why the job is waiting."),
	[ACTION_EXPORT] = GLOBAL("E", NULL, "Export this screen to a file, with all rows of its list."),
	[ACTION_FREEZE] =
		GLOBAL("Z", "freeze", "Freeze the screen until Z is pressed again or a draft is opened."),
	[ACTION_LIVE] = GLOBAL("L", "now", "Return to live from a past state."),
	[ACTION_ENTRY_BACK] = GLOBAL("[", "back", "Show all screens as of the previous journal entry."),
	[ACTION_ENTRY_ON] = GLOBAL("]", "forward", "Show all screens as of the next journal entry."),
	[ACTION_HOUR_BACK] = GLOBAL("(", NULL, "Show all screens as of one hour earlier."),
	[ACTION_HOUR_ON] = GLOBAL(")", NULL, "Show all screens as of one hour later."),
	[ACTION_SLOWER] = GLOBAL("<lt>", "slower", "Slow down simulated time; the slowest speed stops it."),
	[ACTION_FASTER] = GLOBAL(">", "faster", "Speed up simulated time."),
	[ACTION_THEME] = GLOBAL("T", NULL, "Switch to the next theme."),
	[ACTION_REDRAW] = GLOBAL("<C-l>", NULL, "Redraw the screen."),
	[ACTION_SUSPEND] = GLOBAL("<C-z>", NULL, "Not supported: shows why the console is not suspended."),

	[ACTION_OPEN] = ACTING("<Enter>", "open", "Open the row; preview a suggested change; apply the box."),
	[ACTION_WHY] = ACTING("w", "why", "Show every check of the job, with its numbers."),
	[ACTION_PRIORITY] = ACTING("p", "priority", "Show the components of the job's priority."),
	[ACTION_HOLD] = ACTING("H", "hold", "Hold the job: user, system or batch hold."),
	[ACTION_RELEASE] = ACTING("R", "release", "Release the job's holds."),
	[ACTION_REWEIGHT] = ACTING("W", "weights", "Try other priority weights and see the order change."),
	[ACTION_RAISE] = ACTING("+", NULL, "Raise the job's relative priority by 10 points."),
	[ACTION_LOWER] = ACTING("-", NULL, "Lower the job's relative priority by 10 points."),
	[ACTION_SET_PRIORITY] =
		ACTING("#", NULL, "Set an absolute priority, which ranks above all computed priorities."),
	[ACTION_WALLTIME] = ACTING("t", NULL, "Change the job's wallclock limit."),
	[ACTION_CANCEL] =
		ACTING("x <F9>", "cancel", "Cancel the job; all processes of a running job are killed."),
	[ACTION_SIGNAL] = ACTING("X", NULL, "Send a signal to a running job."),
	[ACTION_REQUEUE] = ACTING("i", NULL, "Requeue a running job."),
	[ACTION_STOP] = ACTING("z", NULL, "Suspend a running job, or resume a suspended one."),
	[ACTION_OUTPUT] = ACTING("o", "output", "Follow the job's output."),
	[ACTION_SUBMIT] = ACTING("a", "submit", "Submit a new job with a form."),
	[ACTION_ORDER_DOWN] = ACTING(
		"J", NULL, "Move the job down one place, by a priority that keeps it there for an hour."),
	[ACTION_ORDER_UP] = ACTING(
		"K", NULL, "Move the job up one place, by a priority that keeps it there for an hour."),

	[ACTION_EDIT] = SCREEN("job priority fairshare limits config submit whatif", "e", "value",
			       "Enter a value for the row under the cursor: a weight, a limit, an edit."),
	[ACTION_TEN_LESS] = SCREEN("priority fairshare", "{", "-10",
				   "Move the slider down ten steps, or lower the target by ten points."),
	[ACTION_TEN_MORE] = SCREEN("priority fairshare", "}", "+10",
				   "Move the slider up ten steps, or raise the target by ten points."),
	[ACTION_DEFAULT] = SCREEN(
		"priority fairshare config submit", "0", "default",
		"Reset the slider or parameter to its default, remove the target, or clear the field."),
	[ACTION_PERCENT] = SCREEN("priority fairshare", "b", "percent",
				  "Switch between amounts and percent of the total."),
	[ACTION_PART] =
		SCREEN("limits", "f", "near", "Show all limits, limits nearly reached, or limits reached."),
	[ACTION_WHICH] =
		SCREEN("config", "f", "which",
		       "Show all parameters, or only those changed, set live, or with lint findings."),
	[ACTION_ENDED] = SCREEN("queue", "f", "ended",
				"Show ended jobs: their outcome and how much of their request they used."),
	[ACTION_ERRORS] =
		SCREEN("follow", "e", "errors", "Switch between standard output and standard error."),
	[ACTION_SWITCH] = SCREEN("whatif", "f", "on/off", "Disable or enable the edit under the cursor."),
	[ACTION_REMOVE] =
		SCREEN("whatif", "r <Del>", "remove", "Remove the edit under the cursor from the draft."),
	[ACTION_ASSUME] = SCREEN("whatif", "m", "assume",
				 "Select the assumed run times: wallclock limits, usual run times "
				 "for the user, or usual run times for all users."),
	[ACTION_SWEEP] = SCREEN("whatif sweep goal", "V", "sweep", "Compare several values of one setting."),
	[ACTION_GOAL] = SCREEN("whatif sweep goal", "B", "solve",
			       "Find the weight or limit change that starts this job by a given time."),
	[ACTION_UNDO_TO] =
		SCREEN("journal", "U", "to here", "Undo all changes that users made after this entry."),
	[ACTION_ALL_ENTRIES] = SCREEN("journal", "f", "all",
				      "Show all entries, or omit those that scheduling passes write."),
	[ACTION_ENTRIES_BACK] = SCREEN("queue job limits whatif journal config", "{", NULL,
				       "Show all screens as of ten journal entries earlier."),
	[ACTION_ENTRIES_ON] = SCREEN("queue job limits whatif journal config", "}", NULL,
				     "Show all screens as of ten journal entries later."),
	[ACTION_DIFFERENCE] = SCREEN("journal", "c", "compare", "Compare the shown past state with now."),
	[ACTION_BECAUSE] =
		SCREEN("journal", "b", "replay",
		       "Replay with and without this entry to show its consequences; press again to stop."),
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

/* Returns the position of a key in a list of key names, from 1; 0 if the key is not in the list. */
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
