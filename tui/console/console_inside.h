/* SPDX-License-Identifier: MIT */
/*
 * console_inside.h - the console as its own files see it
 */
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
#define SMALL_W       60 /* below this size only a status line is shown */
#define SMALL_H       15
#define TALL_H        30 /* from here on the status has a line of its own */
#define STACK_MAX     16
#define PROGRESS_MS   100 /* between two looks at how far a search is */

/* A question with a few answers, each one key. */
struct question {
	const char *text; /* NULL = none is asked */
	struct {
		char key;
		const char *label;
	} choice[CHOICES_MAX];
	size_t count;
	size_t fallback; /* what Enter takes */
	void (*chosen)(struct console *c, char key);
};

/* Changes that are shown but not made: the draft, or the single act in the box. */
struct draft {
	struct edits edits;
	struct proposal *proposal; /* of the edits that are on; NULL = there are none */
	struct str lines;          /* the commands of these, "\n" between   */
	struct str label;          /* the same for people, on one line */
	int64_t for_s;             /* it is applied for this long; 0 = permanently */
	struct str reason;         /* why it is applied, "" = no reason was given */
	bool agreed;               /* what it loses or leaves undone was agreed to */
	struct str again;          /* what . would do: "hold -u " JOBS_HERE; "" = nothing */
};

/* Another form of the act in the box: a key, and the command line with JOBS_HERE. */
struct variant {
	char key;
	const char *label, *pattern;
};

/* A screen that q goes back to. */
struct visited {
	size_t view;
	char *filter; /* that of the jobs then; NULL: whatever there is stays */
};

/* In a line that can be repeated: where the jobs stand. */
#define JOBS_HERE "\001"

/* Keys that add up: the same one pressed again on the same job does more. */
struct nudge {
	enum action action; /* the one that counts up */
	uint64_t job;       /* 0 = no nudge is open   */
	int64_t count;
};

/* Something posted to the host that is not answered yet. */
struct ticket {
	uint64_t number;
	char *what; /* owned; the command, or NULL for time */
	bool undoable;
	size_t events;
};

/* What was applied together: the entries that it made. */
struct act {
	uint64_t first, last;
};

struct console {
	struct screen_host host;       /* what screens see of it */
	const struct session *session; /* borrowed */
	struct source source;          /* the session's */
	struct console_door door;

	/* what is so */
	bool scripted, ascii;
	bool wanted;       /* latest, moment or draft has no plan yet       */
	bool asking_files; /* the answer for files.job is on its way */
	bool asking_ended; /* the answer for ended is on its way */
	bool has_ended;    /* it has come, and was not read yet  */
	bool asking;       /* the host will say when there is a newer state */
	bool frozen;       /* Z                                             */
	bool numbers;      /* the pane of = is open                         */
	bool prompting;    /* the prompt has the keys                       */
	bool said;         /* the last message is on the message line       */
	bool dirty;        /* something changed since the last frame        */
	bool quit;
	bool detach;   /* leaving, the scheduler is to go on            */
	int32_t speed; /* as shown; the host's unless scripted */

	/* what is seen */
	struct worker *worker;
	struct picture *latest;
	struct picture *past;              /* what is to be shown in its place; NULL = nothing */
	struct plan_query *shown;          /* NULL before the first plan            */
	struct work *spare;                /* memory for the next, linked by .next  */
	struct projection_query *foreseen; /* the last that is whole; NULL before it */
	struct projection_query *estimate; /* likewise, of jobs that run to their limits: perhaps the same */
	bool answered;                     /* the operator has changed something since */
	struct projection_query *foreseeing;   /* with the worker; NULL = none is        */
	int64_t foresaw_ms;                    /* real clock: the last one was asked for */
	struct run_assumption *run_assumption; /* how long jobs are taken to run; NULL = to their limits */
	struct run_assumption *usual;          /* how long jobs usually ran, as of: */
	int64_t usual_ms;                      /* real clock                        */
	struct ablation_query *studied, *studying; /* likewise, of the draft that is foreseen  */
	int64_t asked_ms, planned_ms, drawn_ms;    /* real clock: last asked, planned, drawn */
	int64_t looked_ms;                         /* the screen in front looked around      */
	struct remedies_query *sought;             /* the last list of changes; NULL before it  */
	struct remedies_query *seeking;            /* with the worker; NULL = none is           */
	uint64_t seek_job;                         /* a time was named by which it is to start: */
	int64_t seek_by_s;                         /* this                                      */
	struct headroom *measured;                 /* the last values of a limit; NULL before them */
	struct headroom *measuring;                /* with the worker; NULL = none are          */
	int64_t measured_ms;                       /* real clock: they were last asked for      */
	struct accuracy_query *trust;              /* how past estimates came true; NULL: not known yet */
	struct accuracy_query *trusting;           /* with the worker; NULL = none is           */
	int64_t trust_ms;                          /* real clock: it was last asked for         */
	bool trust_behind;                         /* jobs have started since, and nothing is asked for */
	int64_t sought_ms;                         /* real clock: a list was last asked for     */
	struct draft_query *tried;                 /* the last answer; NULL before it           */
	struct draft_query *trying;                /* with the worker; NULL = none is           */
	uint64_t trials;                           /* how many there were                       */
	struct impact *impact;                     /* what entries of the journal did           */
	size_t impacts, impact_room;
	struct impact_query *glancing; /* with the worker; NULL = none is           */
	int64_t glanced_ms;            /* real clock: one was last asked for        */
	uint64_t undo_of, undo_as_of;  /* of which entry the next is, when which was the last */
	struct str undo_now;           /* what undoing it would do                  */
	struct consequences_query *consequences_query; /* the last that was asked for; NULL before it */
	struct consequences_query *hindseeing;         /* with the worker; NULL = none is            */
	struct lint_cache lint_cache;                  /* of lint, about what was asked for last    */
	struct canvas canvas;
	char theme[THEME_NAME_MAX];

	/* screens */
	void **memory; /* by position in views_all            */
	bool *stale;   /* its rows are older than the outlook */
	size_t current;
	struct visited stack[STACK_MAX];
	size_t stacked;
	uint64_t job;
	uint64_t range_from;    /* v was pressed here; 0 = it was not */
	struct figures figures; /* what the pane of = is about */
	struct page note;       /* and what stands in it       */

	/* what is typed and asked */
	struct filter *filter; /* by position in views_all; screens of jobs have that of the first */
	struct filter search;
	struct prompt prompt;
	void (*prompt_done)(void *self, const char *text);
	void (*prompt_changed)(void *self, const char *text);
	void *prompt_self;
	struct prompt_history commands, filters;
	char *filter_before; /* what Esc goes back to */
	struct str problem;  /* of the filter that is being typed, "" = none */
	struct question question;
	struct str asked; /* the words of a question that has numbers */

	/* changes */
	struct draft draft;
	struct draft box;
	struct page box_page;          /* what the box says */
	const struct variant *variant; /* of the act in the box */
	size_t variants;
	size_t targets, hidden_targets; /* marked jobs it acts on; of these the filter hides */
	struct nudge nudge;
	uint64_t drafts;  /* proposals so far, of the draft and the box */
	struct str again; /* the last draft that was applied, "" = none */
	struct ticket *ticket;
	size_t tickets, ticket_cap;
	struct act *act; /* those of several entries, oldest first */
	size_t acts, act_cap;
	struct err failure;

	/* what jobs write */
	struct job_files files; /* of the job that was asked about last; .job 0 = none */
	struct ended_list ended;

	/* what is said */
	struct message *message; /* oldest first */
	size_t messages, message_cap;
	struct str output;
	char *output_title;
};

/* --- console.c: outlooks and who holds them ---------------------------------------------- */

/* Asks for a plan of the newest picture with the draft that is open. */
void console_want_outlook(struct console *c);

/* One holder less of an outlook; its memory is kept for the next. NULL is allowed. */
void console_let_go(struct console *c, struct plan_query *o);

/* Is what is made beside the keys to be made anew? */
enum want {
	WANT_NOTHING,
	WANT_LATER, /* only time has moved on: work_interval_ms after the last */
	WANT_NOW
};

/* console_ahead.c */
/* Collects what was run ahead and asks for more, where the screen in front wants it. */
void console_look_ahead(struct console *c);
/* Gives an outlook that is to be shown the estimated starts that are known. */
void console_estimate(struct console *c, struct plan_query *o);
/* When something is due for it; next: what is due otherwise, -1 = nothing. */
int console_ahead_timeout_ms(const struct console *c, int64_t now_ms, int next);

/* console_screens.c */
const struct view_ops *console_view(const struct console *c);
void *console_view_memory(const struct console *c);
struct table *console_table(const struct console *c);
struct page *console_page(const struct console *c);
/* Brings the rows of the screen up to date. */
void console_freshen(struct console *c);
void console_follow_cursor(struct console *c);

/* console_act.c */
bool console_act(struct console *c, enum action action);
/* Puts another form of the act into the box. */
void console_choose_variant(struct console *c, const struct variant *variant);
/* Marked rows of the screen in front that its filter hides. */
size_t console_hidden_marks(const struct console *c);
void console_undo(struct console *c);
void console_repeat(struct console *c);

/* console_edits.c */
/* What a verb finds around it in the console. */
struct cmd_env console_env(struct console *c, const struct snapshot *s, struct cmd_changes *changes,
			   struct str *out);
/* The lines join the draft, or replace what is in the box, against a state. False with a sentence: both are
 * as they were. */
bool console_add_edits(struct console *c, const struct snapshot *s, const char *lines, struct err *err);
bool console_open_box(struct console *c, const struct snapshot *s, const char *lines, struct err *err);
/* What keys and plans are about: the box while it is open, else the draft, which may be empty. */
struct draft *console_front(struct console *c);
const struct draft *console_shown_draft(const struct console *c);
/* Drops the box or the draft. */
void console_drop(struct console *c, struct draft *d);

/* console_draft.c */
/* Applies what is in the box, else the draft, after the questions it needs. */
void console_apply(struct console *c);
/* Discards the draft; one of several edits after a question. */
void console_discard(struct console *c);
void console_box_to_draft(struct console *c);
void console_answered(struct console *c, const struct host_answer *answer);
/* Is it known that its events would not be taken? The shown outlook has the sentence. */
bool console_draft_refused(const struct console *c, const struct draft *d);
/* What it would end or take away, in words; false: nothing. */
bool console_draft_loss(const struct console *c, const struct draft *d, struct str *out);
/* Runs command lines, all or none of which are proposed. */
enum cmd_status console_run_lines(struct console *c, const char *lines, struct err *err);

/* console_edits.c */
/* A key while the box is open: it has all of them. */
void console_box_key(struct console *c, struct key key);
/* Draws it over the body. */
void console_draw_box(struct console *c, struct rect body);

/* Lines of the bar; 0: there is no draft. */
int console_bar_height(const struct console *c);
void console_draw_bar(struct console *c, struct rect r);

/* console_draw.c */
/* Asks where this screen is to be written. */
void console_ask_export(struct console *c);

/* console_past.c */
#define CONSOLE_PAST_STAYS "a past state cannot be changed; L returns to live"
/* What was loaded takes the place of what is shown, unless it could not be: then it says so. */
bool console_past_came(struct console *c, const struct plan_query *o);
/* Does the action change something, or begin to: is it none of the past? */
bool console_past_bars(enum action action);
/* While the past is shown: says that it cannot be changed, when the action would. */
bool console_past_stays(struct console *c, enum action action);

/* A step through the journal, from whatever moment is shown. */
void console_step_past(struct console *c, enum action action);

/* console_draft.c */
/* Asks for how long the draft is to hold, and applies it for so long. */
void console_ask_for(struct console *c);

/* Appends what cannot be done, and what comes of the rest. */
void console_write_notes(struct page *out, const struct cmd_changes *changes, int x, int width);
/* When the first change that was made for a while is taken back; TIME_NEVER: none is. */
int64_t console_next_return_s(const struct console *c);

/* console_past.c */
void console_take_files(struct console *c);

/* console_past.c */
void console_take_ended(struct console *c);
void console_forget_ended(struct console *c);

/* console_draw.c */
/* Is the pane of = open, on a screen that has numbers to explain? */
bool console_shows_numbers(const struct console *c);
/* Writes them into c->note; there is something to look at. */
void console_write_numbers(struct console *c);
/* Opens the pane, goes on in it, or closes it. */
void console_turn_numbers(struct console *c);

/* console_ahead.c */
/* Takes what was found, and looks for more while the screen in front asks for it. */
void console_look_for_ways(struct console *c);
/* Milliseconds until it has something to do, or `next` if that is sooner; -1 = nothing is due. */
int console_ways_timeout_ms(const struct console *c, int64_t now_ms, int next);

/* console_ahead.c */
/* Takes what was found of a limit, and looks for more while the screen in front shows one. */
void console_measure_limit(struct console *c);
/* As console_ways_timeout_ms. */
int console_limit_timeout_ms(const struct console *c, int64_t now_ms, int next);

/* console_past.c */
/* Takes answers, and ends the search for one that nobody looks at. */
void console_take_trials(struct console *c);
/* When how far it is has to be drawn again; next: what is due otherwise, -1 = nothing. */
int console_trial_timeout_ms(const struct console *c, int64_t now_ms, int next);

/* console_past.c */
/* Takes what was found of entries, and looks for more while the screen in front shows it. */
void console_look_at_entries(struct console *c);
/* As console_ways_timeout_ms. */
int console_entries_timeout_ms(const struct console *c, int64_t now_ms, int next);
void console_free_entries(struct console *c);

/* console_ahead.c */
/* Takes what was found, and reads it anew when it is behind, and the screen in front tells of it. */
void console_keep_trust(struct console *c);
/* Milliseconds until it has something to do, or `next` if that is sooner; -1 = nothing is due. */
int console_trust_timeout_ms(const struct console *c, int64_t now_ms, int next);

/* console_draw.c */
struct console_layout {
	struct rect title, tabs, body, note, bar, status, line, hints;
};
void console_layout(const struct console *c, struct console_layout *out);
/* The screen whose tab is drawn at a column; NULL if none. */
const char *console_tab_at(const struct console *c, int x);

/* --- what screens may ask, as host.h describes it --- */

const struct projection_query *console_foresight(const struct console *c);
bool console_compared(const struct console *c, struct plan_change *out);
bool console_foresees(const struct console *c, uint32_t *started, uint32_t *waiting);
const struct ablation_query *console_study(const struct console *c);
void console_assume_next(struct console *c);

const struct remedies_query *console_ways(const struct console *c);
bool console_seeks_ways(const struct console *c, size_t *tried);
const struct headroom *console_headroom(const struct console *c, const struct limit_row *row);
const struct accuracy_query *console_trust(const struct console *c);
void console_seek(struct console *c, uint64_t job, int64_t to_start_by_s);
bool console_try_sweep(struct console *c, const char *words, struct err *err);
bool console_try_goal(struct console *c, int64_t by_s, struct err *err);
const struct draft_query *console_trial(const struct console *c, bool *making);
const struct impact *console_impact(const struct console *c, uint64_t seq);
const char *console_undo_now(const struct console *c, uint64_t seq);
void console_turn_because(struct console *c, uint64_t seq);
const struct consequences_query *console_hindsight(const struct console *c, uint64_t seq, bool *making);

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

extern const struct screen_host_ops console_host_ops;

#endif
