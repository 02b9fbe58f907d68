/* SPDX-License-Identifier: MIT */
/* console_inside.h - internal interface of the console's files */
#ifndef TUI_CONSOLE_CONSOLE_INSIDE_H
#define TUI_CONSOLE_CONSOLE_INSIDE_H

#include "console.h"
#include "sched/host/host.h"
#include "tui/command/cmd_list.h"
#include "tui/draw/prompt.h"
#include "tui/draw/theme.h"
#include "tui/query/draft_query.h"
#include "tui/query/headroom.h"
#include "tui/query/impact_query.h"
#include "tui/query/job_query.h"
#include "tui/query/plan_query.h"
#include "tui/query/projection_query.h"
#include "tui/report/changes.h"
#include "tui/report/figure.h"
#include "tui/screen/host.h"
#include "tui/screen/page.h"
#include "tui/screen/view.h"
#include "tui/serve/session.h"

#define MESSAGES_KEPT 200
#define CHOICES_MAX   6
#define SMALL_W       60 /* smaller terminals only show a status line */
#define SMALL_H       15
#define TALL_H        30 /* terminals of at least this height have a separate status line */
#define STACK_MAX     16
#define PROGRESS_MS   100 /* interval at which the progress of a query is redrawn */

/* A question whose answers are single keys. */
struct question {
	const char *text; /* NULL = no question */
	struct {
		char key;
		const char *label;
	} choice[CHOICES_MAX];
	size_t count;
	size_t fallback; /* answer of Enter */
	void (*chosen)(struct console *c, char key);
};

/* Changes that are not applied yet: the draft, or the single action in the box. */
struct draft {
	struct edits edits;
	struct proposal *proposal; /* events of the enabled edits; NULL if there are no edits */
	struct str lines;          /* command lines of the enabled edits, separated by "\n" */
	struct str label;          /* description for messages, in one line */
	int64_t for_s;             /* duration of a temporary change; 0 = permanent */
	struct str reason;         /* reason for the change; "" = none */
	bool agreed;               /* the user has confirmed losses and omissions */
	/* command line that the key . will repeat, such as "hold -u" JOBS_HERE; "": it repeats `lines` */
	struct str again;
};

/* A variant of the action in the box: its key, and the command line with JOBS_HERE. */
struct variant {
	char key;
	const char *label, *pattern;
};

/* A screen to which the key q returns. */
struct visited {
	size_t view;
	char *filter; /* job filter to be restored; NULL: keep the current filter */
};

/* Placeholder for the jobs in a repeatable command line. */
#define JOBS_HERE "\001"

/* The keys that add up when they are pressed repeatedly on the same job. */
struct nudge {
	enum action action; /* the action that moves up: ACTION_RAISE or ACTION_ORDER_UP */
	uint64_t job;       /* 0 = none */
	int64_t count;
};

/* A request to the host that is not answered yet. */
struct ticket {
	uint64_t number;
	char *what; /* owned; description of the change, or NULL for an advance of time */
	bool undoable;
	size_t events;
};

/* The journal entries of changes that were applied together. */
struct act {
	uint64_t first, last;
};

/* Whether a new query of a kind is needed. */
enum want {
	WANT_NOTHING, /* no answer is needed; a running query is cancelled */
	WANT_KEPT,    /* the answer or the running query suffices */
	WANT_LATER,   /* a new query after an interval, because time has passed */
	WANT_NOW      /* a new query now; a running query in the same lane is cancelled */
};

/* The console's side of a kind of background query; the computation itself is in tui/query. */
struct background_ops {
	enum want (*want)(const struct console *c);
	/* Creates the wanted query. NULL: queries of this kind are started by keys (console_ask_query). */
	struct query *(*make)(struct console *c);
	/*
	 * Called when a result has become the answer. Returns false if the result need not be kept; the
	 * previous answer is then restored. NULL: every result is kept.
	 */
	bool (*take)(struct console *c, struct query *q);
	/* Does the front screen show the progress of the running query? NULL: no. */
	bool (*shows_progress)(const struct console *c);
	/* the answer is shown on all screens; otherwise on screens with the bit of this kind in .queries */
	bool on_all_screens;
	int64_t shortest_ms; /* minimum interval for WANT_LATER; query_interval_ms() may be longer */
};

struct background {
	struct query *answer, *running; /* NULL = none */
	int64_t asked_ms;               /* monotonic time at which the last query was posted */
	bool later;                     /* WANT_LATER, and no query is running */
};

struct console {
	struct screen_host host;         /* functions for screens */
	const struct cmd_console *verbs; /* functions for verbs */
	const struct session *session;   /* borrowed */
	struct source source;            /* source of the session */
	struct console_door door;

	/* state */
	bool scripted, ascii;
	bool wanted;       /* the latest state or draft has no plan yet */
	bool asking_files; /* request for files.job pending */
	bool asking_ended; /* request for `ended` pending */
	bool has_ended;    /* the answer with `ended` was received, but not read yet */
	bool asking;       /* a snapshot was requested from the host and has not arrived yet */
	bool frozen;       /* the key Z has frozen the screen */
	bool numbers;      /* the numbers pane is open */
	bool prompting;    /* the prompt has the focus */
	bool said;         /* the message line shows the last message */
	bool dirty;        /* something changed since the last frame        */
	bool quit;
	bool detach;   /* the scheduler continues after quitting */
	int32_t speed; /* displayed simulation speed; also the speed of the host, unless scripted */

	/* shown data */
	struct worker *worker;
	struct picture *latest;
	struct picture *past;     /* past state to be shown; NULL = live */
	struct plan_query *shown; /* NULL before the first plan            */
	struct query *spare;      /* plan queries for reuse, linked by .next */
	struct background background[QUERY_KIND_COUNT];
	bool answered; /* the scheduler has answered a change since the last projection began */
	struct run_assumption
		*run_assumption;      /* assumed run times; NULL = jobs run to their wallclock limits */
	struct run_assumption *usual; /* usual run times, read at usual_ms */
	int64_t usual_ms;             /* monotonic time */
	int64_t asked_ms, planned_ms, drawn_ms; /* monotonic times of the last request, plan and frame */
	int64_t looked_ms;                      /* monotonic time of the last refresh of the front screen */
	uint64_t seek_job;                      /* job for which a start time was given */
	int64_t seek_by_s;                      /* time by which that job is to start */
	uint64_t draft_queries;                 /* number of sweeps and goals started so far */
	struct impact *impact;                  /* effects of journal entries */
	size_t impacts, impact_room;
	/* journal entry of undo_now, and the last entry when undo_now was computed */
	uint64_t undo_of, undo_as_of;
	struct str undo_now;          /* effect of undoing that entry */
	struct lint_cache lint_cache; /* cached lint findings */
	struct canvas canvas;
	char theme[THEME_NAME_MAX];

	/* screens */
	void **memory; /* by index in views_all */
	bool *stale;   /* by index in views_all: the rows are older than the plan */
	size_t current;
	struct visited stack[STACK_MAX];
	size_t stacked;
	uint64_t job;
	uint64_t range_from;    /* key of the row where v was pressed; 0 = none */
	struct figures figures; /* content of the numbers pane */
	struct page note;       /* text of the numbers pane */

	/* prompt and question */
	struct filter *filter; /* by index in views_all; all job screens use the first one */
	struct filter search;
	struct prompt prompt;
	void (*prompt_done)(void *self, const char *text);
	void (*prompt_changed)(void *self, const char *text);
	void *prompt_self;
	struct prompt_history commands, filters;
	char *filter_before; /* filter before the prompt was opened; Esc restores it */
	struct str problem;  /* error of the filter being typed; "" = none */
	struct question question;
	struct str asked; /* text of a question that contains numbers */

	/* changes */
	struct draft draft;
	struct draft box;
	struct page box_page;          /* text of the box */
	const struct variant *variant; /* variants of the action in the box; NULL = none */
	size_t variants;
	/* number of marked target jobs, and how many of them the filter hides */
	size_t targets, hidden_targets;
	struct nudge nudge;
	uint64_t drafts;  /* number of proposals created */
	struct str again; /* command lines that the key . repeats; "" = none */
	struct ticket *ticket;
	size_t tickets, ticket_cap;
	struct act *act; /* requests with several entries, oldest first */
	size_t acts, act_cap;
	struct err failure;

	/* output of jobs */
	struct job_files files; /* output files of the job last asked about; .job 0 = none */
	struct ended_list ended;

	/* messages */
	struct message *message; /* oldest first */
	size_t messages, message_cap;
	struct str output;
	char *output_title;
};

/* --- console_query.c: plan queries and background queries -------------------------------- */

/* Returns a plan query with one reference. */
struct plan_query *console_new_plan_query(struct console *c);
/* Drops a reference to a plan query; after the last one, its memory is reused. o may be NULL. */
void console_let_go(struct console *c, struct plan_query *o);
void console_free_spares(struct console *c);

static inline const struct query *console_answer(const struct console *c, enum query_kind kind)
{
	return c->background[kind].answer;
}

static inline const struct query *console_running(const struct console *c, enum query_kind kind)
{
	return c->background[kind].running;
}

/* Returns the running query, otherwise the answer. */
static inline const struct query *console_newest(const struct console *c, enum query_kind kind)
{
	const struct background *b = &c->background[kind];

	return b->running ? b->running : b->answer;
}

/* Posts a query; hurry: cancels the running query in its lane. */
void console_ask_query(struct console *c, struct query *q, bool hurry);
/* Collects results, and posts and cancels queries as wanted. */
void console_keep_queries(struct console *c);
/*
 * Returns the number of milliseconds until console_keep_queries has to be called, but not more than next; -1
 * = no limit.
 */
int console_queries_timeout_ms(const struct console *c, int64_t now_ms, int next);
/* Drops the answers. Called after the worker has stopped. */
void console_free_queries(struct console *c);

/* console_ahead.c */
extern const struct background_ops console_estimate_ops, console_assumed_ops, console_ablation_ops,
	console_remedies_ops, console_headroom_ops, console_accuracy_ops;
/* console_past.c */
extern const struct background_ops console_draft_query_ops, console_impact_ops, console_consequences_ops;

/* console_ahead.c */
/* Copies the known estimated starts into a plan query before it is shown. */
void console_estimate(struct console *c, struct plan_query *o);

/* console_front.c */
/* Requests a plan of the latest state and the open draft. */
void console_want_plan_query(struct console *c);
/* Opens the prompt, and calls `done` with the typed text. */
void console_open_prompt(struct console *c, const char *sign, const char *text,
			 void (*done)(void *self, const char *text), void *self);
/* Returns the environment of a verb in the console. */
struct cmd_env console_env(struct console *c, const struct snapshot *s, struct cmd_changes *changes,
			   struct str *out);
const struct view_ops *console_view(const struct console *c);
void *console_view_memory(const struct console *c);
struct table *console_table(const struct console *c);
struct page *console_page(const struct console *c);
/* Updates the rows of the front screen. */
void console_freshen(struct console *c);
void console_follow_cursor(struct console *c);

/* console_act.c */
bool console_act(struct console *c, enum action action);
/* Selects a variant of the action in the box. */
void console_choose_variant(struct console *c, const struct variant *variant);
/* Returns the number of marked rows hidden by the filter. */
size_t console_hidden_marks(const struct console *c);
void console_undo(struct console *c);
void console_repeat(struct console *c);

/* console_edits.c */
/*
 * console_add_edits adds the edits to the draft; console_open_box replaces the content of the box. Both
 * return false with err set if nothing was changed.
 */
bool console_add_edits(struct console *c, const struct snapshot *s, const char *lines, struct err *err);
bool console_open_box(struct console *c, const struct snapshot *s, const char *lines, struct err *err);
/*
 * Returns the changes that keys edit and that plans include: the box while it is open, otherwise the draft,
 * which may be empty.
 */
struct draft *console_front(struct console *c);
static inline const struct draft *console_shown_draft(const struct console *c)
{
	return c->box.proposal ? &c->box : &c->draft;
}

/* Closes the box or discards the draft. */
void console_drop(struct console *c, struct draft *d);

/* console_draft.c */
/* Applies the box, otherwise the draft, after asking the necessary questions. */
void console_apply(struct console *c);
/* Discards the draft; asks for confirmation if it has several edits. */
void console_discard(struct console *c);
void console_box_to_draft(struct console *c);
void console_answered(struct console *c, const struct host_answer *answer);
/* Is it known that the events of the draft would be refused? The reason is in err of the shown plan query. */
bool console_draft_refused(const struct console *c, const struct draft *d);
/* Appends a description of the jobs that the draft would end or cancel; returns false if there are none. */
bool console_draft_loss(const struct console *c, const struct draft *d, struct str *out);
/* Runs command lines. Their changes are proposed together, or none of them is. */
enum cmd_status console_run_lines(struct console *c, const char *lines, struct err *err);

/* console_box.c */
/* Handles a key while the box is open. */
void console_box_key(struct console *c, struct key key);
/* Draws the box over the body. */
void console_draw_box(struct console *c, struct rect body);

/* Returns the height of the draft bar; 0 without a draft. */
int console_bar_height(const struct console *c);
void console_draw_bar(struct console *c, struct rect r);

/* console_draw.c */
/* Asks for the file name of an export. */
void console_ask_export(struct console *c);

/* console_past.c */
#define CONSOLE_PAST_STAYS "a past state cannot be changed; L returns to live"
/*
 * Called when a plan query is complete. If the past state that it is about could not be loaded, reports the
 * error and returns false.
 */
bool console_past_came(struct console *c, const struct plan_query *o);
/* Does the action change something, so that it is not available in a past state? */
bool console_past_bars(enum action action);
/*
 * If a past state is shown and the action would change it, reports that this is not possible and returns
 * true.
 */
bool console_past_stays(struct console *c, enum action action);

/* Shows an earlier or later state, relative to the shown one, according to the action. */
void console_step_past(struct console *c, enum action action);

/* console_draft.c */
/* Asks for a duration, and applies the box or the draft for that time. */
void console_ask_for(struct console *c);

/* Writes the notes on the changes, with a heading for each kind of note. */
void console_write_notes(struct page *out, const struct cmd_changes *changes, int x, int width);
/* Returns the time at which the first temporary change will be undone; TIME_NEVER if there is none. */
int64_t console_next_return_s(const struct console *c);

/* console_past.c */
void console_take_files(struct console *c);

/* console_past.c */
void console_take_ended(struct console *c);
void console_forget_ended(struct console *c);

/* console_draw.c */
/* Is the numbers pane open, on a screen that has numbers? */
bool console_shows_numbers(const struct console *c);
/* Writes the numbers into c->note; requires a plan. */
void console_write_numbers(struct console *c);
/* Opens, scrolls or closes the numbers pane. */
void console_turn_numbers(struct console *c);

/* console_past.c */
void console_free_impacts(struct console *c);

/* console_draw.c */
struct console_layout {
	struct rect title, tabs, body, note, bar, status, line, hints;
};
void console_layout(const struct console *c, struct console_layout *out);
/* Returns the name of the screen whose tab is at a column; NULL if there is none. */
const char *console_tab_at(const struct console *c, int x);

/* --- functions for screens, as described in host.h --- */

const struct projection_query *console_foresight(const struct console *c);
bool console_compared(const struct console *c, struct plan_change *out);
bool console_projection_progress(const struct console *c, uint32_t *started, uint32_t *waiting);
const struct ablation_query *console_ablation(const struct console *c);
void console_assume_next(struct console *c);

const struct remedies_query *console_remedies(const struct console *c);
bool console_remedies_running(const struct console *c, size_t *tried);
const struct headroom *console_headroom(const struct console *c, const struct limit_row *row);
const struct accuracy_query *console_accuracy(const struct console *c);
void console_seek(struct console *c, uint64_t job, int64_t to_start_by_s);
bool console_try_sweep(struct console *c, const char *words, struct err *err);
bool console_try_goal(struct console *c, int64_t by_s, struct err *err);
const struct draft_query *console_draft_query(const struct console *c, bool *making);
const struct impact *console_impact(const struct console *c, uint64_t seq);
const char *console_undo_now(const struct console *c, uint64_t seq);
void console_turn_because(struct console *c, uint64_t seq);
const struct consequences_query *console_consequences(const struct console *c, uint64_t seq, bool *making);

void console_go_job(struct console *c, uint64_t job);
const struct filter *console_filter(const struct console *c);
const struct filter *console_search(const struct console *c);
struct store *console_store(const struct console *c);
void console_show_past(struct console *c, struct store_moment moment);
void console_show_now(struct console *c);
int64_t console_moment_s(const struct console *c);
bool console_moment(const struct console *c, struct store_moment *out);

void console_go(struct console *c, const char *screen);
void console_back(struct console *c);

void console_show_jobs(struct console *c, const char *field, const char *value);
void console_recalc(struct console *c);
void console_say(struct console *c, enum role role, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
bool console_propose(struct console *c, const char *lines);
bool console_propose_tune(struct console *c, const char *option, const char *value);
void console_preview(struct console *c, const char *lines);
void console_preview_tune(struct console *c, const char *option, const char *value);
const char *console_drafted(const struct console *c, const char *name);
void console_unset(struct console *c, const char *name);
bool console_apply_for(struct console *c, int64_t for_s, const char *reason, struct err *err);
bool console_drop_all(struct console *c, struct err *err);
uint64_t console_draft(const struct console *c);
const struct edits *console_edits(const struct console *c);
void console_switch_edit(struct console *c, size_t at);
void console_remove_edit(struct console *c, size_t at);
void console_replace_edit(struct console *c, size_t at, const char *line);
void console_ask(struct console *c, const char *sign, const char *text,
		 void (*done)(void *self, const char *text), void *self);

const struct job_files *console_files(struct console *c, uint64_t job);
bool console_ended(struct console *c, const struct ended_span *span, history_visit *visit, void *self,
		   struct err *err);
bool console_usage(const struct console *c, const struct job *job, struct spool_usage *out);

#endif
