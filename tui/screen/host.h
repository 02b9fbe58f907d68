/* SPDX-License-Identifier: MIT */
/*
 * host.h - functions of the console for its screens
 *
 * Screens must not depend on the console, so the console fills in this table of functions. A screen gets its
 * host when it is opened: v->host->ops->job(v->host->console) returns the current job.
 */
#ifndef SCREEN_HOST_H
#define SCREEN_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/model/snapshot.h"
#include "store/store.h"
#include "tui/draw/theme.h"

struct console;            /* tui/console/console.h */
struct console;            /* tui/console/console.h */
struct edits;              /* tui/report/changes.h */
struct edits;              /* tui/report/changes.h */
struct ended_span;         /* tui/serve/session.h */
struct filter;             /* tui/report/filter.h */
struct projection_query;   /* tui/query/projection_query.h */
struct headroom;           /* tui/query/headroom.h */
struct consequences_query; /* tui/query/impact_query.h */
struct impact;             /* tui/report/impact.h */
struct job_files;          /* tui/serve/session.h */
struct limit_row;          /* tui/report/limit_report.h */
struct lint_cache;         /* tui/query/plan_query.h */
struct plan_query;         /* tui/query/plan_query.h */
struct plan_change;        /* sched/forecast/plan.h */
struct spool_usage;        /* sched/rm/spool.h */
struct ablation_query;     /* tui/query/projection_query.h */
struct draft_query;        /* tui/query/draft_query.h */
struct accuracy_query;     /* tui/query/job_query.h */
struct view_ops;           /* view.h */
struct remedies_query;     /* tui/query/job_query.h */
struct why_known;          /* tui/report/why_report.h */

/* A line of the Messages screen. */
struct message {
	int64_t time_s;
	enum role role;
	char *text;
};

/* A verb for the help and the prompt. */
struct host_verb {
	const char *name, *args, *help;
};

struct screen_host_ops {
	/* Returns the plan query that is shown; NULL before the first one is ready. */
	const struct plan_query *(*plan_query)(const struct console *c);
	/* Returns the lint findings of the plan query. There must be a plan query. */
	const struct lint_cache *(*lint_cache)(struct console *c);
	/*
	 * Returns the last complete projection, which may be of an earlier queue or draft; NULL if there is
	 * none.
	 */
	const struct projection_query *(*projection_query)(const struct console *c);
	/*
	 * Sets *out to the effect of the shown draft; there must be a plan query. Returns true if the effect
	 * is taken from the projection; false if the effect is taken from the instant plan, because the
	 * projection is not complete or exceeded its budget.
	 */
	bool (*compared)(const struct console *c, struct plan_change *out);
	/* Sets the progress of the running projection, in jobs; false if no projection is running. */
	bool (*projection_progress)(const struct console *c, uint32_t *started, uint32_t *waiting);
	/* Returns the effect of each single edit of the draft; NULL while it is not known. */
	const struct ablation_query *(*ablation)(const struct console *c);
	/* Switches to the next assumption about the run times of jobs. */
	void (*assume_next)(struct console *c);
	/*
	 * Sets *out to the checks of a job and, if they are known, the changes that would start it; false if
	 * the job is not in the queue.
	 */
	bool (*why)(const struct console *c, uint64_t job, struct why_known *out);
	/*
	 * Changes that would start the current job; NULL while the search runs. For screens that set
	 * QUERY_REMEDIES in `queries`.
	 */
	const struct remedies_query *(*remedies)(const struct console *c);
	/* Is the search for these changes running? Sets *tried to the number of changes tried so far. */
	bool (*remedies_running)(const struct console *c, size_t *tried);
	/*
	 * Returns the effect of larger values of the limit of a row; NULL while the query runs. For screens
	 * that provide `limit`.
	 */
	const struct headroom *(*headroom)(const struct console *c, const struct limit_row *row);
	/*
	 * Returns the accuracy of past estimates; NULL while it is not known. For screens that set
	 * QUERY_ACCURACY in `queries`.
	 */
	const struct accuracy_query *(*accuracy)(const struct console *c);
	/*
	 * Makes a job the current one, searches for changes that would start it by a time (TIME_NONE: now),
	 * and shows a screen that lists them.
	 */
	void (*seek)(struct console *c, uint64_t job, int64_t to_start_by_s);
	/*
	 * try_sweep starts a sweep, given in the syntax of tui/query/draft_query.h, and shows the Sweep
	 * screen. try_goal starts a search for the change of a weight or limit that starts the current job by
	 * a time, and shows the Goal screen. Returns false with err set if the sweep cannot be parsed, or if
	 * there is no queue yet.
	 */
	bool (*try_sweep)(struct console *c, const char *words, struct err *err);
	bool (*try_goal)(struct console *c, int64_t by_s, struct err *err);
	/*
	 * Returns the last sweep or search that was started; NULL if there is none. Sets *making if it is
	 * still running; then only its request and its progress may be read.
	 */
	const struct draft_query *(*draft_query)(const struct console *c, bool *making);
	/*
	 * impact: the effect of a journal entry on the queue; undo_now: the effect of undoing the entry now.
	 * NULL while this is computed. For screens that provide `asks`.
	 */
	const struct impact *(*impact)(const struct console *c, uint64_t seq);
	const char *(*undo_now)(const struct console *c, uint64_t seq);
	/*
	 * Starts a replay that finds the consequences of an entry. If a replay is running, stops it instead.
	 */
	void (*turn_because)(struct console *c, uint64_t seq);
	/*
	 * Returns the consequences of an entry; NULL if they were not requested. Sets *making if the replay
	 * is still running; then only its progress may be read.
	 */
	const struct consequences_query *(*consequences_query)(const struct console *c, uint64_t seq,
							       bool *making);
	/*
	 * Returns the width of the screen. A screen must not use the width of the last frame instead, which
	 * is wrong in the first frame after a resize.
	 */
	int (*width)(const struct console *c);
	/* Returns the ID of the current job; 0 if there is none. */
	uint64_t (*job)(const struct console *c);
	void (*go_job)(struct console *c, uint64_t job);
	/*
	 * Returns the filter of the current screen. All screens of jobs share one filter; every other screen
	 * has its own.
	 */
	const struct filter *(*filter)(const struct console *c);
	/*
	 * Returns the pattern that F3 and n look for: the last search, or the filter if nothing was searched
	 * for.
	 */
	const struct filter *(*search)(const struct console *c);
	/* Returns the store; NULL if the console cannot read it. */
	struct store *(*store)(const struct console *c);
	/*
	 * Shows all screens as of a past state: the state after journal entry moment.seq or, if that is 0, at
	 * moment.time_s. The state is read in the background.
	 */
	void (*show_past)(struct console *c, struct store_moment moment);
	/* Returns to live. */
	void (*show_now)(struct console *c);
	/* Returns the time of the state that is shown or being read; the present time if live. */
	int64_t (*moment_s)(const struct console *c);
	/* Sets *out to the past state that is shown or being read; false if live. */
	bool (*moment)(const struct console *c, struct store_moment *out);
	/*
	 * Returns the latest state, even while a past state is shown; valid until the next turn of the
	 * console's event loop.
	 */
	const struct snapshot *(*latest)(const struct console *c);
	/* Shows the screen with this name; q then returns to the present screen. */
	void (*go)(struct console *c, const char *screen);
	void (*back)(struct console *c);
	bool (*is_in_front)(const struct console *c, const struct view_ops *view);
	/*
	 * Shows the Queue screen, filtered to the jobs whose field has this value; q returns and restores the
	 * filter.
	 */
	void (*show_jobs)(struct console *c, const char *field, const char *value);
	/* Updates the rows of the current screen. */
	void (*recalc)(struct console *c);
	void (*say)(struct console *c, enum role role, const char *format, ...)
		__attribute__((format(printf, 3, 4)));
	/*
	 * Proposes command lines, separated by "\n"; either all of them are accepted or none. Settings are
	 * added to the draft; actions on jobs open the confirmation box. On a screen that sets `shows_draft`,
	 * all changes are added to the draft. Returns false if the proposal was refused; the console has then
	 * shown the reason.
	 */
	bool (*propose)(struct console *c, const char *lines);
	/* Proposes a new value of an option. Special characters in the value are quoted. */
	bool (*propose_tune)(struct console *c, const char *option, const char *value);
	/*
	 * Like propose, but settings also open the confirmation box. Used for suggested changes, undo and
	 * keep.
	 */
	void (*preview)(struct console *c, const char *lines);
	void (*preview_tune)(struct console *c, const char *option, const char *value);
	/* Returns the value of an option in the draft; NULL if the draft does not set it. */
	const char *(*drafted)(const struct console *c, const char *name);
	/* Removes the edit that sets an option from the draft, if there is one. */
	void (*unset)(struct console *c, const char *name);
	/*
	 * Applies the changes in the box or, if no box is open, the draft. With for_s > 0, the changes are
	 * undone after that many seconds. reason may be NULL. Returns false with err set if there is neither
	 * box nor draft, or if the changes cannot be applied.
	 */
	bool (*apply_for)(struct console *c, int64_t for_s, const char *reason, struct err *err);
	/*
	 * Closes the box or, if no box is open, discards the draft, without confirmation. Returns false with
	 * err set if there is neither.
	 */
	bool (*drop_all)(struct console *c, struct err *err);
	/*
	 * Returns a number that identifies the contents of the box or the draft, and changes with every edit;
	 * 0 if there is neither.
	 */
	uint64_t (*draft)(const struct console *c);
	/*
	 * Returns the edits of the draft. switch_edit disables or enables the edit at an index, remove_edit
	 * removes it, and replace_edit replaces its command line.
	 */
	const struct edits *(*edits)(const struct console *c);
	void (*switch_edit)(struct console *c, size_t at);
	void (*remove_edit)(struct console *c, size_t at);
	void (*replace_edit)(struct console *c, size_t at, const char *line);
	/*
	 * Asks the user for a line of text, with `sign` as the prompt and `text` as the initial value, and
	 * passes the line to done. Esc cancels the prompt.
	 */
	void (*ask)(struct console *c, const char *sign, const char *text,
		    void (*done)(void *self, const char *text), void *self);
	const struct message *(*messages)(const struct console *c, size_t *count);
	/* Returns the output of the last command; sets *title to its command line. */
	const char *(*output)(const struct console *c, const char **title);
	/*
	 * Returns the paths of a job's output files; NULL while they are not known. The screen is updated
	 * when they become known.
	 */
	const struct job_files *(*files)(struct console *c, uint64_t job);
	/*
	 * Calls visit for each job that ended in the span, last end first. Returns false with an empty err
	 * while the jobs are still being read (the screen is updated afterwards), and false with err set if
	 * they cannot be read.
	 */
	bool (*ended)(struct console *c, const struct ended_span *span, history_visit *visit, void *self,
		      struct err *err);
	/* Sets *out to the current resource usage of a running job; false if it is not known. */
	bool (*usage)(const struct console *c, const struct job *job, struct spool_usage *out);
	/* Returns the name of the screen from which the help was opened. */
	const char *(*previous)(const struct console *c);
	/* Sets *out to the verb at an index, in the order of the help; false after the last one. */
	bool (*verb)(size_t at, struct host_verb *out);
	int64_t (*now_s)(const struct console *c);
};

struct screen_host {
	const struct screen_host_ops *ops;
	struct console *console;
};

#endif
