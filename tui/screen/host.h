/* SPDX-License-Identifier: MIT */
/*
 * host.h - functions of the console for its screens
 *
 * The console is above the screens in the dependency order and fills in the table. A screen gets its host
 * when it is opened: v->host->ops->job(v->host->console) returns the current job.
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
	const struct plan_query *(*plan_query)(const struct console *c);
	/* NULL before the first one */
	/* Lint findings of the plan query, which must exist. */
	const struct lint_cache *(*lint_cache)(struct console *c);
	/* The last complete projection, of any queue and draft; NULL if there is none. */
	const struct projection_query *(*projection_query)(const struct console *c);
	/*
	 * The effect of the shown draft; requires a plan query. False if it is from the instant plan, because
	 * the projection is not complete or exceeds its budget.
	 */
	bool (*compared)(const struct console *c, struct plan_change *out);
	/* Progress of the running projection in jobs; false if none is running. */
	bool (*projection_progress)(const struct console *c, uint32_t *started, uint32_t *waiting);
	/* Effect of each edit of the draft; NULL if not known yet. */
	const struct ablation_query *(*ablation)(const struct console *c);
	/* Switches to the next run time assumption. */
	void (*assume_next)(struct console *c);
	/*
	 * The checks of a job, and changes that would start it if they are known; false if the job is not in
	 * the queue.
	 */
	bool (*why)(const struct console *c, uint64_t job, struct why_known *out);
	/*
	 * Changes that would start the current job; NULL while the search runs. For screens that set
	 * QUERY_REMEDIES in `queries`.
	 */
	const struct remedies_query *(*remedies)(const struct console *c);
	/* Is the search running? *tried: number of changes tried so far. */
	bool (*remedies_running)(const struct console *c, size_t *tried);
	/*
	 * The effect of larger values of a limit; NULL while the query runs. For screens that provide
	 * `limit`.
	 */
	const struct headroom *(*headroom)(const struct console *c, const struct limit_row *row);
	/* Accuracy of past estimates; NULL if not known yet. For screens that set QUERY_ACCURACY in
	 * `queries`. */
	const struct accuracy_query *(*accuracy)(const struct console *c);
	/* Shows the changes that would start a job by a time; TIME_NONE = now. */
	void (*seek)(struct console *c, uint64_t job, int64_t to_start_by_s);
	/*
	 * Starts a sweep (in the syntax of tui/query/draft_query.h), or a search for a weight or limit that
	 * starts the current job by a time, and shows its screen. False with err set: the words cannot be
	 * parsed, or there is no queue yet.
	 */
	bool (*try_sweep)(struct console *c, const char *words, struct err *err);
	bool (*try_goal)(struct console *c, int64_t by_s, struct err *err);
	/*
	 * The last query started; NULL if there is none. *making: it is running, and only the request and the
	 * progress may be read.
	 */
	const struct draft_query *(*draft_query)(const struct console *c, bool *making);
	/*
	 * The effect of a journal entry on the queue, and of undoing it now; NULL while it is read. For
	 * screens that provide `asks`.
	 */
	const struct impact *(*impact)(const struct console *c, uint64_t seq);
	const char *(*undo_now)(const struct console *c, uint64_t seq);
	/* Starts the replay for the consequences of an entry; stops a running one. */
	void (*turn_because)(struct console *c, uint64_t seq);
	/*
	 * The consequences of an entry; NULL if they were not requested. *making: the replay is running, and
	 * only its progress may be read.
	 */
	const struct consequences_query *(*consequences_query)(const struct console *c, uint64_t seq,
							       bool *making);
	/*
	 * Width of the body of every screen. Screens must not keep the width of the last frame, which is
	 * outdated in the first frame after a resize.
	 */
	int (*width)(const struct console *c);
	/* The current job; 0 if there is none. */
	uint64_t (*job)(const struct console *c);
	void (*go_job)(struct console *c, uint64_t job);
	/* The filter. All screens of jobs share one; every other screen has a separate one. */
	const struct filter *(*filter)(const struct console *c);
	/* The pattern of F3 and n: the search, otherwise the filter. */
	const struct filter *(*search)(const struct console *c);
	struct store *(*store)(const struct console *c);
	/* NULL: there is no store */
	/*
	 * Shows all screens as of a past state: after an entry, or (seq 0) at a time. The state is read in
	 * the background.
	 */
	void (*show_past)(struct console *c, struct store_moment moment);
	/* Returns to live. */
	void (*show_now)(struct console *c);
	/* The state that is shown or being read. */
	int64_t (*moment_s)(const struct console *c);
	/* The same if it is a past state; false if live. */
	bool (*moment)(const struct console *c, struct store_moment *out);
	/* The latest state, even if a past one is shown; valid until the console's next turn. */
	const struct snapshot *(*latest)(const struct console *c);
	/* Shows a screen by name; q returns to the present one. */
	void (*go)(struct console *c, const char *screen);
	void (*back)(struct console *c);
	bool (*is_in_front)(const struct console *c, const struct view_ops *view);
	/* Shows the jobs of the queue whose field has a value, until q is pressed. */
	void (*show_jobs)(struct console *c, const char *field, const char *value);
	/* The rows must be updated. */
	void (*recalc)(struct console *c);
	void (*say)(struct console *c, enum role role, const char *format, ...)
		__attribute__((format(printf, 3, 4)));
	/*
	 * Proposes command lines, separated by "\n", all or none: actions on jobs open the box; settings, and
	 * all changes on a screen that sets `shows_draft`, are added to the draft. False: refused, and the
	 * console has shown the reason.
	 */
	bool (*propose)(struct console *c, const char *lines);
	/* Proposes a value of an option; quotes special characters. */
	bool (*propose_tune)(struct console *c, const char *option, const char *value);
	/* The same, but always opens the box: for suggested changes, undo and keep. */
	void (*preview)(struct console *c, const char *lines);
	void (*preview_tune)(struct console *c, const char *option, const char *value);
	/* The value of an option in the draft; NULL if the draft does not set it. */
	const char *(*drafted)(const struct console *c, const char *name);
	/* Removes the edit of an option from the draft, if there is one. */
	void (*unset)(struct console *c, const char *name);
	/*
	 * Applies the box, otherwise the draft; for_s > 0: temporarily. reason may be NULL. False with err
	 * set: there is none, or it cannot be applied.
	 */
	bool (*apply_for)(struct console *c, int64_t for_s, const char *reason, struct err *err);
	/*
	 * Closes the box, otherwise discards the draft, without confirmation. False with err set: there is
	 * none.
	 */
	bool (*drop_all)(struct console *c, struct err *err);
	/* Number of the proposal in the box or the draft, 0 = none; it changes with every edit. */
	uint64_t (*draft)(const struct console *c);
	/*
	 * The edits of the draft, and functions to disable or enable one, remove it, or replace its command
	 * line.
	 */
	const struct edits *(*edits)(const struct console *c);
	void (*switch_edit)(struct console *c, size_t at);
	void (*remove_edit)(struct console *c, size_t at);
	void (*replace_edit)(struct console *c, size_t at, const char *line);
	/* Asks for a line of text and passes it to done; Esc cancels. */
	void (*ask)(struct console *c, const char *sign, const char *text,
		    void (*done)(void *self, const char *text), void *self);
	const struct message *(*messages)(const struct console *c, size_t *count);
	/* The output and the command line of the last command. */
	const char *(*output)(const struct console *c, const char **title);
	/*
	 * The paths of a job's output files; NULL if not known yet, and the screen is updated when they are.
	 */
	const struct job_files *(*files)(struct console *c, uint64_t job);
	/*
	 * Calls visit for the jobs that ended in the span, last one first. False: not read yet, and the
	 * screen is updated later; or, with err set, they cannot be read.
	 */
	bool (*ended)(struct console *c, const struct ended_span *span, history_visit *visit, void *self,
		      struct err *err);
	/* Current resource usage of a running job; false if unknown. */
	bool (*usage)(const struct console *c, const struct job *job, struct spool_usage *out);
	/* The screen from which the help was opened. */
	const char *(*previous)(const struct console *c);
	/* The verbs in the order of the help: at = 0, 1, ...; false after the last one. */
	bool (*verb)(size_t at, struct host_verb *out);
	int64_t (*now_s)(const struct console *c);
};

struct screen_host {
	const struct screen_host_ops *ops;
	struct console *console;
};

#endif
