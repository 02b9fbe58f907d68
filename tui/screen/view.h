/* SPDX-License-Identifier: MIT */
/*
 * view.h - what is a screen, and what may it ask of the console?
 *
 * A screen is an ops table and a piece of memory of its own. It works in two phases that
 * never mix: recalc reads the outlook and decides what the rows are; draw writes cells.
 * Adding a screen is one file and one line in views.c.
 *
 * Screens that are a list hand out their table: moving, searching and marking are then
 * done for them, and when its keys are jobs the console keeps the cursor on the same job
 * from screen to screen.
 */
#ifndef SCREEN_VIEW_H
#define SCREEN_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/core/assume.h"
#include "tui/screen/bindings.h"
#include "tui/draw/canvas.h"
#include "tui/draw/table.h"
#include "tui/report/filter.h"
#include "tui/query/outlook.h"

struct ended_span;  /* tui/source.h */
struct console;     /* tui/console/console.h */
struct edits;       /* tui/console/edits.h */
struct foresight;   /* tui/answers/foresight.h */
struct figures;     /* tui/figure.h */
struct headroom;    /* tui/answers/headroom.h */
struct hindsight;   /* tui/answers/hindsight.h */
struct limit_row;   /* tui/limit_list.h */
struct impact;      /* tui/reports/impact.h */
struct linted;      /* tui/answers/linted.h */
struct trust;       /* tui/answers/trust.h */
struct page;        /* page.h */
struct spool_usage; /* sched/rm/spool.h */
struct study;       /* tui/answers/study.h */
struct str;         /* sched/base/str.h */
struct trial;       /* tui/answers/trial.h */
struct ways;        /* tui/answers/ways.h */
struct why_known;   /* tui/reports/why_text.h */

struct view_ops {
	const char *name;   /* "queue": for bindings and commands                    */
	const char *title;  /* on its tab                                            */
	int number;         /* the key that shows it; 0 = no key and no tab          */
	size_t size;        /* bytes of its memory, zero at first                    */
	const char *fields; /* that a filter can name, blanks between; NULL: it cannot be filtered */
	bool jobs;          /* the keys of its table are job ids                     */
	bool entries;       /* ... or no jobs, but can be marked as well                     */
	bool one_job;       /* it is about the job the cursor was on                 */
	bool no_job;        /* nothing on it is a job: keys that act on jobs say so  */
	/* Keys for the line at the bottom, the most useful first; ends with ACTION_NONE. */
	const enum action *hints;
	const enum action *draft_hints; /* these instead while there is a draft; NULL: the same */
	/* While it is in front it is brought up to date at least so often, for what nobody tells of; 0 = that
	 * is not needed. */
	int look_ms;
	bool seeks;    /* while it is in front, changes that would start the job are looked for */
	bool trusts;   /* while it is in front it is kept known how past estimates came true */
	bool foresees; /* it shows what the draft would do: acts join it, and assumptions can be changed */
	bool tries;    /* it shows what was asked: Enter previews the change of a row */

	/* Once, before anything else; and at the end. */
	void (*open)(void *self, struct console *c);
	void (*close)(void *self);
	/* It comes to the front. May be NULL. */
	void (*enter)(void *self);
	/* The outlook, the filter or the size has changed. Never called without an outlook, and always
	 * before numbers and draw. */
	void (*recalc)(void *self);
	void (*draw)(void *self, struct canvas *canvas, struct rect r);
	/* An action the screen has a meaning of its own for; false: not mine. May be NULL. */
	bool (*act)(void *self, enum action action, int arg);
	/* A click at a cell of the canvas, likewise; what is not taken goes to the list. May be NULL. */
	bool (*click)(void *self, int x, int y);
	/* The list that has the keys; NULL, or returns NULL: there is none. */
	struct table *(*table)(void *self);
	/* The text that has the keys, likewise. */
	struct page *(*page)(void *self);
	/* Does a row of the table match what is searched for? Called with the source's self. */
	bool (*match)(void *self, size_t row);
	/* Appends what stands on the status line. May be NULL. */
	void (*status)(void *self, struct str *out);
	/* Where the numbers of the row under the cursor come from. NULL: those of the cursor's job. */
	void (*numbers)(void *self, struct figures *out);
	/* Entries of the journal of which it shows what they did: the one under the cursor first, 0 = none
	 * is, then others, at most room of them. NULL: it shows no such thing. */
	size_t (*asks)(void *self, uint64_t *seq, size_t room);
	/* The limit under the cursor, of which it shows what other values would do; NULL, or returns NULL:
	 * there is none. */
	const struct limit_row *(*limit)(void *self);
};

extern const struct view_ops view_queue, view_job, view_priority, view_fairshare, view_limits, view_whatif,
	view_journal, view_config, view_help, view_output, view_follow, view_submit, view_ended,
	view_messages, view_difference, view_sweep, view_goal;

/* All screens, in the order of their tabs. */
extern const struct view_ops *const views_all[];
extern const size_t views_count;
/* Position in views_all by name; views_count if there is none. */
size_t views_find(const char *name);

/* --- what a screen may ask of the console --------------------------------------------- */

const struct outlook *console_outlook(const struct console *c); /* NULL before the first */
/* What lint says of that; there is an outlook. */
const struct linted *console_linted(struct console *c);
/* The last projection that is whole, of whatever queue and draft; NULL: there is none. */
const struct foresight *console_foresight(const struct console *c);
/* What the draft that is shown changes; there is an outlook. False: by the instant plan, as the projection is
 * not there yet or exceeds its budget. */
bool console_compared(const struct console *c, struct plan_change *out);
/* Jobs that have started, of those that are to, in the one being made; false: none is. */
bool console_foresees(const struct console *c, uint32_t *started, uint32_t *waiting);
/* Which edit of that does what; NULL: it is not known, or not yet. */
const struct study *console_study(const struct console *c);
/* The next of the ways to say for how much of their limits jobs are taken to run. */
void console_assume_next(struct console *c);
/* What is known of a job of the outlook, with what would start it where that is known; false when it is not
 * there. */
bool console_why(const struct console *c, uint64_t job, struct why_known *out);
/* What would start the job the cursor is on; NULL: it is being looked for. For screens that seek. */
const struct ways *console_ways(const struct console *c);
/* Is it being looked for? *tried: so many changes were tried by now. */
bool console_seeks_ways(const struct console *c, size_t *tried);
/* What other values of a limit would do; NULL: they are being tried. For screens that have a limit. */
const struct headroom *console_headroom(const struct console *c, const struct limit_row *row);
/* How past estimates came true; NULL: it is not known, or not yet. For screens that trust. */
const struct trust *console_trust(const struct console *c);
/* Shows what would start a job by a time; TIME_NONE = at once. */
void console_seek(struct console *c, uint64_t job, int64_t to_start_by_s);
/*
 * Asks what happens when a setting goes through several values, in words of tui/sweep_words.h, or which
 * weight or limit starts the cursor's job by a time; shows the screen of it. False with a sentence: the words
 * cannot be read, or there is no queue yet.
 */
bool console_try_sweep(struct console *c, const char *words, struct err *err);
bool console_try_goal(struct console *c, int64_t by_s, struct err *err);
/* What was asked last; NULL: nothing yet. *making: only what was asked and how far it is may be looked at. */
const struct trial *console_trial(const struct console *c, bool *making);
/* What an entry of the journal did to the queue, and what undoing it would do now; NULL: it is being looked
 * for. For screens that ask. */
const struct impact *console_impact(const struct console *c, uint64_t seq);
const char *console_undo_now(const struct console *c, uint64_t seq);
/* Begins to find out what has happened because of an entry; while that goes on: stops it. */
void console_turn_because(struct console *c, uint64_t seq);
/* What was found; NULL: nobody has asked for this entry lately. *making: only how far it is may be looked at.
 */
const struct hindsight *console_hindsight(const struct console *c, uint64_t seq, bool *making);
/*
 * Columns of the body of every screen. Whatever depends on the width takes it from here: a width kept from
 * the last draw is out of date in the first frame after a resize.
 */
int console_width(const struct console *c);
/* The job the cursor is on, 0 = none. */
uint64_t console_job(const struct console *c);
void console_go_job(struct console *c, uint64_t job);
/* What is typed for one screen of jobs holds for all of them, else for the one in front. */
const struct filter *console_filter(const struct console *c);
/* What F3 and n look for: the search, else the filter. */
const struct filter *console_search(const struct console *c);
struct store *console_store(const struct console *c); /* NULL: nothing is kept */

/* All screens as they were at a moment: right after an entry, or (seq 0) whatever it was at a second. It
 * takes a little until an outlook of it is there. */
void console_show_past(struct console *c, struct store_moment moment);
/* And as they are. */
void console_show_now(struct console *c);
/* The moment that is shown, or is about to be. */
int64_t console_moment_s(const struct console *c);
/* The same if it is past; false: it is what is so now. */
bool console_moment(const struct console *c, struct store_moment *out);
/* What is so, whatever is shown; valid until the console's next turn. */
const struct snapshot *console_latest(const struct console *c);

/* Shows a screen by name; the present one is where q goes back to. */
void console_go(struct console *c, const char *screen);
void console_back(struct console *c);
bool console_is_in_front(const struct console *c, const struct view_ops *view);
/* Shows the jobs of the queue whose field has a value, until q goes back. */
void console_show_jobs(struct console *c, const char *field, const char *value);
/* Rows have to be found anew. */
void console_recalc(struct console *c);
void console_say(struct console *c, enum role role, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Proposes command lines ("\n" between), all or none: an act on jobs in the box, which waits for an answer;
 * settings, and everything on a screen that foresees, as edits of the draft. False: they were refused, and
 * the console has said why.
 */
bool console_propose(struct console *c, const char *lines);
/* Proposes setting an option to a value, whatever characters are in both. */
bool console_propose_tune(struct console *c, const char *option, const char *value);
/* The same into the box, whatever they change: Enter on a change that was found, undo, keep. */
void console_preview(struct console *c, const char *lines);
void console_preview_tune(struct console *c, const char *option, const char *value);
/* The value that the draft sets an option to; NULL: it does not set it. */
const char *console_drafted(const struct console *c, const char *name);
/* Takes the edit that sets an option out of the draft, if there is one. */
void console_unset(struct console *c, const char *name);
/* Applies what is in the box, else the draft; for_s > 0: for this long. reason: NULL = none. False with a
 * sentence: there is none, or it cannot be. */
bool console_apply_for(struct console *c, int64_t for_s, const char *reason, struct err *err);
/* Drops what is in the box, else the draft, without a question. False with a sentence: there is none. */
bool console_drop_all(struct console *c, struct err *err);
/* The number of what is proposed, in the box or the draft, 0 = nothing; it is another with every change. */
uint64_t console_draft(const struct console *c);

/* What the draft consists of; and one of it switched off or on, taken out, given as another line. */
const struct edits *console_edits(const struct console *c);
void console_switch_edit(struct console *c, size_t at);
void console_remove_edit(struct console *c, size_t at);
void console_replace_edit(struct console *c, size_t at, const char *line);

/* Asks for a line of text; done gets it, or nobody when Esc is pressed. */
void console_ask(struct console *c, const char *sign, const char *text,
		 void (*done)(void *self, const char *text), void *self);

/* The lines for the messages screen, oldest first. */
struct message {
	int64_t time_s;
	enum role role;
	char *text;
};
const struct message *console_messages(const struct console *c, size_t *count);
/* What the last command printed, and what it was. */
const char *console_output(const struct console *c, const char **title);
/*
 * In which files the words of a job are. NULL: not known yet, the screen is brought up to date when it is.
 */
const struct job_files *console_files(struct console *c, uint64_t job);
/*
 * Visits the jobs of the span, the last one first. False: it is not known yet, and the screen is brought up
 * to date when it is; or, with a sentence, it cannot be known.
 */
bool console_ended(struct console *c, const struct ended_span *span, history_visit *visit, void *self,
		   struct err *err);
/* What a running job uses now; false: it is not known here. */
bool console_usage(const struct console *c, const struct job *job, struct spool_usage *out);
/* The screen that help was asked from. */
const char *console_previous(const struct console *c);

#endif
