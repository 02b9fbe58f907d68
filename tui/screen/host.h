/* SPDX-License-Identifier: MIT */
/*
 * host.h - what a screen may ask of the console that shows it
 *
 * The console lies above its screens and fills the table. A screen gets its host when it is opened and keeps
 * it: v->host->ops->job(v->host->console) is the job the cursor is on.
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

/* A line of the messages screen. */
struct message {
	int64_t time_s;
	enum role role;
	char *text;
};

/* A verb that can be typed at the prompt, for help. */
struct host_verb {
	const char *name, *args, *help;
};

struct screen_host_ops {
	const struct plan_query *(*outlook)(const struct console *c);
	/* NULL before the first */
	/* What lint says of that; there is an outlook. */
	const struct lint_cache *(*lint_cache)(struct console *c);
	/* The last projection that is whole, of whatever queue and draft; NULL: there is none. */
	const struct projection_query *(*projection_query)(const struct console *c);
	/* What the draft that is shown changes; there is an outlook. False: by the instant plan, as the
	 * projection is not there yet or exceeds its budget. */
	bool (*compared)(const struct console *c, struct plan_change *out);
	/* Jobs that have started, of those that are to, in the one being made; false: none is. */
	bool (*foresees)(const struct console *c, uint32_t *started, uint32_t *waiting);
	/* Which edit of that does what; NULL: it is not known, or not yet. */
	const struct ablation_query *(*study)(const struct console *c);
	/* The next of the ways to say for how much of their limits jobs are taken to run. */
	void (*assume_next)(struct console *c);
	/* What is known of a job of the outlook, with what would start it where that is known; false when it
	 * is not there. */
	bool (*why)(const struct console *c, uint64_t job, struct why_known *out);
	/* What would start the job the cursor is on; NULL: it is being looked for. For screens that seek. */
	const struct remedies_query *(*ways)(const struct console *c);
	/* Is it being looked for? *tried: so many changes were tried by now. */
	bool (*seeks_ways)(const struct console *c, size_t *tried);
	/* What other values of a limit would do; NULL: they are being tried. For screens that have a limit.
	 */
	const struct headroom *(*headroom)(const struct console *c, const struct limit_row *row);
	/* How past estimates came true; NULL: it is not known, or not yet. For screens that trust. */
	const struct accuracy_query *(*trust)(const struct console *c);
	/* Shows what would start a job by a time; TIME_NONE = at once. */
	void (*seek)(struct console *c, uint64_t job, int64_t to_start_by_s);
	/*
	 * Asks what happens when a setting goes through several values, in words of tui/report/draft_query.h,
	 * or which weight or limit starts the cursor's job by a time; shows the screen of it. False with a
	 * sentence: the words cannot be read, or there is no queue yet.
	 */
	bool (*try_sweep)(struct console *c, const char *words, struct err *err);
	bool (*try_goal)(struct console *c, int64_t by_s, struct err *err);
	/* What was asked last; NULL: nothing yet. *making: only what was asked and how far it is may be
	 * looked at. */
	const struct draft_query *(*trial)(const struct console *c, bool *making);
	/* What an entry of the journal did to the queue, and what undoing it would do now; NULL: it is being
	 * looked for. For screens that ask. */
	const struct impact *(*impact)(const struct console *c, uint64_t seq);
	const char *(*undo_now)(const struct console *c, uint64_t seq);
	/* Begins to find out what has happened because of an entry; while that goes on: stops it. */
	void (*turn_because)(struct console *c, uint64_t seq);
	/* What was found; NULL: nobody has asked for this entry lately. *making: only how far it is may be
	 * looked at.
	 */
	const struct consequences_query *(*consequences_query)(const struct console *c, uint64_t seq,
							       bool *making);
	/*
	 * Columns of the body of every screen. Whatever depends on the width takes it from here: a width kept
	 * from the last draw is out of date in the first frame after a resize.
	 */
	int (*width)(const struct console *c);
	/* The job the cursor is on, 0 = none. */
	uint64_t (*job)(const struct console *c);
	void (*go_job)(struct console *c, uint64_t job);
	/* What is typed for one screen of jobs holds for all of them, else for the one in front. */
	const struct filter *(*filter)(const struct console *c);
	/* What F3 and n look for: the search, else the filter. */
	const struct filter *(*search)(const struct console *c);
	struct store *(*store)(const struct console *c);
	/* NULL: nothing is kept */
	/* All screens as they were at a moment: right after an entry, or (seq 0) whatever it was at a second.
	 * It takes a little until an outlook of it is there. */
	void (*show_past)(struct console *c, struct store_moment moment);
	/* And as they are. */
	void (*show_now)(struct console *c);
	/* The moment that is shown, or is about to be. */
	int64_t (*moment_s)(const struct console *c);
	/* The same if it is past; false: it is what is so now. */
	bool (*moment)(const struct console *c, struct store_moment *out);
	/* What is so, whatever is shown; valid until the console's next turn. */
	const struct snapshot *(*latest)(const struct console *c);
	/* Shows a screen by name; the present one is where q goes back to. */
	void (*go)(struct console *c, const char *screen);
	void (*back)(struct console *c);
	bool (*is_in_front)(const struct console *c, const struct view_ops *view);
	/* Shows the jobs of the queue whose field has a value, until q goes back. */
	void (*show_jobs)(struct console *c, const char *field, const char *value);
	/* Rows have to be found anew. */
	void (*recalc)(struct console *c);
	void (*say)(struct console *c, enum role role, const char *format, ...)
		__attribute__((format(printf, 3, 4)));
	/*
	 * Proposes command lines ("\n" between), all or none: an act on jobs in the box, which waits for an
	 * answer; settings, and everything on a screen that foresees, as edits of the draft. False: they were
	 * refused, and the console has said why.
	 */
	bool (*propose)(struct console *c, const char *lines);
	/* Proposes setting an option to a value, whatever characters are in both. */
	bool (*propose_tune)(struct console *c, const char *option, const char *value);
	/* The same into the box, whatever they change: Enter on a change that was found, undo, keep. */
	void (*preview)(struct console *c, const char *lines);
	void (*preview_tune)(struct console *c, const char *option, const char *value);
	/* The value that the draft sets an option to; NULL: it does not set it. */
	const char *(*drafted)(const struct console *c, const char *name);
	/* Takes the edit that sets an option out of the draft, if there is one. */
	void (*unset)(struct console *c, const char *name);
	/* Applies what is in the box, else the draft; for_s > 0: for this long. reason: NULL = none. False
	 * with a sentence: there is none, or it cannot be. */
	bool (*apply_for)(struct console *c, int64_t for_s, const char *reason, struct err *err);
	/* Drops what is in the box, else the draft, without a question. False with a sentence: there is none.
	 */
	bool (*drop_all)(struct console *c, struct err *err);
	/* The number of what is proposed, in the box or the draft, 0 = nothing; it is another with every
	 * change. */
	uint64_t (*draft)(const struct console *c);
	/* What the draft consists of; and one of it switched off or on, taken out, given as another line. */
	const struct edits *(*edits)(const struct console *c);
	void (*switch_edit)(struct console *c, size_t at);
	void (*remove_edit)(struct console *c, size_t at);
	void (*replace_edit)(struct console *c, size_t at, const char *line);
	/* Asks for a line of text; done gets it, or nobody when Esc is pressed. */
	void (*ask)(struct console *c, const char *sign, const char *text,
		    void (*done)(void *self, const char *text), void *self);
	const struct message *(*messages)(const struct console *c, size_t *count);
	/* What the last command printed, and what it was. */
	const char *(*output)(const struct console *c, const char **title);
	/*
	 * In which files the words of a job are. NULL: not known yet, the screen is brought up to date when
	 * it is.
	 */
	const struct job_files *(*files)(struct console *c, uint64_t job);
	/*
	 * Visits the jobs of the span, the last one first. False: it is not known yet, and the screen is
	 * brought up to date when it is; or, with a sentence, it cannot be known.
	 */
	bool (*ended)(struct console *c, const struct ended_span *span, history_visit *visit, void *self,
		      struct err *err);
	/* What a running job uses now; false: it is not known here. */
	bool (*usage)(const struct console *c, const struct job *job, struct spool_usage *out);
	/* The screen that help was asked from. */
	const char *(*previous)(const struct console *c);
	/* The verbs in the order of the help: at = 0, 1, ...; false behind the last. */
	bool (*verb)(size_t at, struct host_verb *out);
	int64_t (*now_s)(const struct console *c);
};

struct screen_host {
	const struct screen_host_ops *ops;
	struct console *console;
};

#endif
