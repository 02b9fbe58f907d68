/* SPDX-License-Identifier: MIT */
/*
 * console_past.c - past states on all screens, sweeps and goals, effects of journal entries, output files and
 * ended jobs
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "console_inside.h"
#include "sched/base/arena.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/host/outputs.h"
#include "sched/rm/monotonic.h"
#include "sched/rm/spool.h"
#include "store/store.h"
#include "tui/command/at.h"
#include "tui/report/job_text.h"
#include "tui/serve/past.h"

/* --- past states -------------------------------------------------------------------------------------- */

static void look_at(struct console *c, struct picture *past)
{
	picture_drop(c->past);
	c->past = past;
	console_want_plan_query(c);
	c->dirty = true;
}

/* May the screens leave the present? Not while a draft is open, because a draft applies to the present. */
static bool can_leave(struct console *c, struct err *err)
{
	if (!c->session->store && !c->source.ops->fetch_past)
		return err_set(err, "this session has no journal and therefore no past states");
	return !console_shown_draft(c)->proposal ||
	       err_set(err, "a draft is open; apply it (A) or discard it (D) before viewing a past state");
}

void console_show_past(struct console *c, struct store_moment moment)
{
	struct err err;

	if (can_leave(c, &err))
		look_at(c, picture_of_past(&c->source, c->session->store, moment));
	else
		console_say(c, ROLE_ERROR, "%s", err.text);
}

void console_show_now(struct console *c)
{
	if (c->past)
		look_at(c, NULL);
	else
		console_say(c, ROLE_MESSAGE, "The screens are live; [ goes back through the journal.");
}

/*
 * Reads a time or an entry as typed. Without a store, the source finds out whether the state is available
 * when it reads the state.
 */
static bool read_moment(const struct console *c, const char *text, struct store_moment *out, struct err *err)
{
	if (c->session->store)
		return at_moment(c->session->store, text, console_now_s(c), out, err);
	return at_parse(text, console_now_s(c), out, err);
}

bool console_show_at(struct console *c, const char *text, struct err *err)
{
	struct store_moment moment;

	if (strcmp(text, "now") == 0) {
		console_show_now(c);
		return true;
	}
	if (!can_leave(c, err) || !read_moment(c, text, &moment, err))
		return false;
	look_at(c, picture_of_past(&c->source, c->session->store, moment));
	return true;
}

int64_t console_moment_s(const struct console *c)
{
	return c->past ? c->past->moment.time_s : console_now_s(c);
}

bool console_moment(const struct console *c, struct store_moment *out)
{
	if (c->past)
		*out = c->past->moment;
	return c->past != NULL;
}

void console_step_past(struct console *c, enum action action)
{
	size_t journal = views_find(view_journal.name);

	if (!c->shown)
		return;
	view_journal.recalc(c->memory[journal]);
	(void)view_journal.act(c->memory[journal], action, 0);
}

bool console_past_came(struct console *c, const struct plan_query *o)
{
	if (!o->lost) {
		if (c->past && c->past == o->picture)
			c->past->moment.time_s = o->now_s;
		return true;
	}
	console_say(c, ROLE_ERROR, "%s", o->err.text);
	if (c->past == o->picture) {
		picture_drop(c->past);
		c->past = c->shown && plan_query_is_past(c->shown) ? picture_hold(c->shown->picture) : NULL;
	}
	return false;
}

bool console_past_bars(enum action action)
{
	switch (action) {
	case ACTION_OPEN:
	case ACTION_WHY:
	case ACTION_PRIORITY:
	case ACTION_OUTPUT:
		return false;
	case ACTION_UNDO:
	case ACTION_UNDO_TO:
	case ACTION_APPLY:
	case ACTION_DISCARD:
	case ACTION_APPLY_FOR:
	case ACTION_KEEP:
	case ACTION_REPEAT:
	case ACTION_EDIT:
	case ACTION_TEN_LESS:
	case ACTION_TEN_MORE:
	case ACTION_DEFAULT:
	case ACTION_SWITCH:
	case ACTION_REMOVE:
		return true;
	default:
		return action_row(action)->set == SET_ACTING;
	}
}

bool console_past_stays(struct console *c, enum action action)
{
	if (!c->past || !console_past_bars(action))
		return false;
	console_say(c, ROLE_WARNING, "%s", CONSOLE_PAST_STAYS);
	return true;
}

/* --- sweeps and goals --------------------------------------------------------------------------------- */

/* A sweep or goal is cancelled when its screen is left. */

static bool shows_draft_query(const struct console *c)
{
	return (console_view(c)->queries & QUERY_BIT(QUERY_DRAFT)) != 0;
}

static enum want want_draft_query(const struct console *c)
{
	return shows_draft_query(c) ? WANT_KEPT : WANT_NOTHING;
}

const struct background_ops console_draft_query_ops = {.want = want_draft_query,
						       .shows_progress = shows_draft_query};

static void ask(struct console *c, struct draft_query *t, const char *screen)
{
	t->number = ++c->draft_queries;
	console_ask_query(c, &t->query, true);
	if (shows_draft_query(c))
		console_back(c); /* the previous result was dropped */
	console_go(c, screen);
	console_recalc(c);
}

bool console_try_sweep(struct console *c, const char *words, struct err *err)
{
	struct draft_query *t;

	if (!c->shown)
		return err_set(err, "the queue has not been read yet");
	t = draft_query_sweep(c->shown, c->run_assumption, c->job, words, err);
	if (t)
		ask(c, t, "sweep");
	return t != NULL;
}

bool console_try_goal(struct console *c, int64_t by_s, struct err *err)
{
	const struct job *job = c->shown ? forecast_job(&c->shown->live, c->job, NULL) : NULL;

	if (!job || job->state != JOB_IDLE)
		return err_set(err, "no idle job under the cursor");
	if (by_s < c->shown->now_s)
		by_s = c->shown->now_s;
	ask(c, draft_query_goal(c->shown, c->run_assumption, c->job, by_s), "goal");
	return true;
}

const struct draft_query *console_draft_query(const struct console *c, bool *making)
{
	*making = console_running(c, QUERY_DRAFT) != NULL;
	return (const struct draft_query *)console_newest(c, QUERY_DRAFT);
}

/* --- effects of journal entries ----------------------------------------------------------------------- */

/*
 * Effects are computed while a screen that shows them is in front: first for the entry under the cursor,
 * together with the effect of undoing it now, then for the surrounding entries. The effect of an entry never
 * changes and is cached; the effect of an undo depends on the queue and is updated regularly. The
 * consequences of an entry are computed on request.
 */

#define KEPT_MAX 512 /* maximum number of cached effects */

#define AGAIN_MS 1000 /* interval for updating the effect of an undo */

/* --- known effects ------------------------------------------------------------------------------------ */

const struct impact *console_impact(const struct console *c, uint64_t seq)
{
	for (size_t i = 0; i < c->impacts; i++)
		if (c->impact[i].seq == seq)
			return &c->impact[i];
	return NULL;
}

const char *console_undo_now(const struct console *c, uint64_t seq)
{
	return c->undo_of == seq ? str_text(&c->undo_now) : NULL;
}

const struct consequences_query *console_consequences(const struct console *c, uint64_t seq, bool *making)
{
	const struct consequences_query *h =
		(const struct consequences_query *)console_newest(c, QUERY_CONSEQUENCES);

	*making = console_running(c, QUERY_CONSEQUENCES) != NULL;
	return h && h->consequences.seq == seq ? h : NULL;
}

static void forget_impacts(struct console *c)
{
	for (size_t i = 0; i < c->impacts; i++)
		impact_clear(&c->impact[i]);
	c->impacts = 0;
}

void console_free_impacts(struct console *c)
{
	forget_impacts(c);
	free(c->impact);
	str_free(&c->undo_now);
}

/*
 * Moves the effects to the cache; the query itself need not be kept. Entries that could not be read are
 * cached as well, so that they are not requested repeatedly.
 */
static bool take_impacts(struct console *c, struct query *q)
{
	struct impact_query *g = (struct impact_query *)q;

	if (c->impacts + g->count > KEPT_MAX)
		forget_impacts(c);
	c->impact = vec_room(c->impact, &c->impact_room, c->impacts + g->count, sizeof *c->impact);
	for (size_t i = 0; i < g->count; i++) {
		if (console_impact(c, g->seq[i]))
			continue;
		g->impact[i].seq = g->seq[i];
		c->impact[c->impacts++] = g->impact[i];
		g->impact[i] = (struct impact){0};
	}
	if (q->plan_query) {
		c->undo_of = g->seq[0];
		c->undo_as_of = q->plan_query->live.s->seq;
		str_clear(&c->undo_now);
		str_add(&c->undo_now, str_text(&g->undo));
	}
	if (g->err.text[0])
		console_say(c, ROLE_ERROR, "%s", g->err.text);
	return false;
}

/* --- requests ----------------------------------------------------------------------------------------- */

/* Removes the entries with cached effects from the list; returns the number of entries left. */
static size_t drop_known(const struct console *c, uint64_t *seq, size_t count)
{
	size_t left = 0;

	for (size_t i = 0; i < count; i++)
		if (!console_impact(c, seq[i]))
			seq[left++] = seq[i];
	return left;
}

static bool is_stale(const struct console *c)
{
	return c->undo_as_of != c->shown->live.s->seq &&
	       (c->scripted || monotonic_ms() - c->background[QUERY_IMPACT].asked_ms >= AGAIN_MS);
}

/*
 * Is a query about the entry under the cursor needed? It has priority: a running query about other entries is
 * cancelled.
 */
static bool wants_first(const struct console *c, uint64_t first)
{
	const struct impact_query *g = (const struct impact_query *)console_running(c, QUERY_IMPACT);

	if (first == 0 || (g && g->count == 1 && g->seq[0] == first))
		return false;
	if (!console_impact(c, first))
		return true;
	return !plan_query_is_past(c->shown) && (c->undo_of != first || is_stale(c));
}

/*
 * Sets seq to the entries to ask about next; returns their number. *first: the only entry is the one under
 * the cursor.
 */
static size_t next_entries(const struct console *c, uint64_t seq[static IMPACT_QUERY_MAX], bool *first)
{
	size_t count = console_view(c)->asks(console_view_memory(c), seq, IMPACT_QUERY_MAX);

	*first = count > 0 && wants_first(c, seq[0]);
	if (*first)
		return 1;
	if (count == 0 || console_running(c, QUERY_IMPACT))
		return 0;
	memmove(seq, seq + 1, (count - 1) * sizeof *seq);
	return drop_known(c, seq, count - 1);
}

static enum want want_impacts(const struct console *c)
{
	uint64_t seq[IMPACT_QUERY_MAX];
	bool first;

	if (!c->shown || !c->session->store || !console_view(c)->asks)
		return WANT_NOTHING;
	return next_entries(c, seq, &first) > 0 ? WANT_NOW : WANT_KEPT;
}

static struct query *make_impacts(struct console *c)
{
	uint64_t seq[IMPACT_QUERY_MAX];
	bool first;
	size_t count = next_entries(c, seq, &first);
	struct plan_query *o = first && !plan_query_is_past(c->shown) ? c->shown : NULL;

	return &impact_query_new(c->session->store, o, seq, count)->query;
}

const struct background_ops console_impact_ops = {
	.want = want_impacts, .make = make_impacts, .take = take_impacts};

/* --- consequences of an entry --------------------------------------------------------------------------- */

static enum want want_consequences(const struct console *c)
{
	(void)c;
	return WANT_KEPT;
}

static bool take_consequences(struct console *c, struct query *q)
{
	struct consequences_query *h = (struct consequences_query *)q;

	if (h->err.text[0])
		console_say(c, ROLE_ERROR, "%s", h->err.text);
	return h->err.text[0] == '\0';
}

static bool shows_consequences(const struct console *c)
{
	(void)c;
	return true;
}

const struct background_ops console_consequences_ops = {
	.want = want_consequences, .take = take_consequences, .shows_progress = shows_consequences};

void console_turn_because(struct console *c, uint64_t seq)
{
	struct query *before = c->background[QUERY_CONSEQUENCES].running;

	if (before) {
		query_cancel(before);
		console_say(c, ROLE_MESSAGE, "Replay of entry %llu stopped.",
			    (unsigned long long)((struct consequences_query *)before)->consequences.seq);
		return;
	}
	console_ask_query(c, &consequences_query_new(c->session->store, seq)->query, true);
	c->dirty = true;
}

/* --- output files of jobs ----------------------------------------------------------------------------- */

/*
 * A console with its own scheduler reads the store; an attached console asks the scheduler without waiting.
 * The paths of one job are kept until another job is asked about, even after the job has ended. Resource
 * usage is read from the files that shepherds update.
 */

#define LOOK_BACK_S 86400 /* ended jobs are searched back to this many seconds ago */

static void put(struct job_files *files, const char *user, const char *output, const char *errors)
{
	snprintf(files->user, sizeof files->user, "%s", user != NULL ? user : "");
	snprintf(files->output, sizeof files->output, "%s", output != NULL ? output : "");
	snprintf(files->errors, sizeof files->errors, "%s", errors != NULL ? errors : "");
}

static bool look_at_ended(void *self, const struct ended_job *ended)
{
	struct job_files *files = self;

	if (ended->record.job.id != files->job)
		return true;
	put(files, ended->record.cred[CRED_USER], ended->output, ended->errors);
	return false;
}

static void find_in_store(struct console *c, struct job_files *files)
{
	struct picture *newest = picture_take(&c->source);
	uint32_t slot = snapshot_find_job(newest->s, files->job);
	struct arena arena = {0};

	if (slot != INDEX_NONE) {
		const struct job *job = &snapshot_jobs(newest->s)[slot];
		struct outputs found =
			outputs_find(store_ledger(c->session->store), NULL, newest->s, job, &arena);

		put(files, job_text_cred(newest->s, job, CRED_USER), found.output, found.errors);
	} else {
		(void)store_history(c->session->store, console_now_s(c) - LOOK_BACK_S, look_at_ended, files,
				    &files->err);
	}
	arena_free(&arena);
	picture_drop(newest);
}

const struct job_files *console_files(struct console *c, uint64_t job)
{
	if (c->files.job == job)
		return c->asking_files ? NULL : &c->files;
	c->files = (struct job_files){.job = job};
	c->asking_files = c->source.ops->ask_files != NULL;
	if (c->asking_files)
		c->source.ops->ask_files(c->source.self, job);
	else if (c->session->store != NULL)
		find_in_store(c, &c->files);
	return c->asking_files ? NULL : &c->files;
}

void console_take_files(struct console *c)
{
	struct job_files found;

	if (!c->asking_files || !c->source.ops->take_files(c->source.self, &found) ||
	    found.job != c->files.job)
		return;
	c->files = found;
	c->asking_files = false;
	for (size_t i = 0; i < views_count; i++)
		c->stale[i] = true;
	c->dirty = true;
}

bool console_usage(const struct console *c, const struct job *job, struct spool_usage *out)
{
	struct str path = {0};
	struct spool spool = {.job = 0};
	bool known = false;
	int folder = -1;

	if (c->past || c->session->store == NULL || c->session->simulated || job->state != JOB_RUNNING)
		return false;
	str_addf(&path, "%s/spool", store_dir(c->session->store));
	folder = open(str_text(&path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder >= 0) {
		known = spool_read(folder, job->id, job->start_count, &spool, NULL) && spool.has_usage &&
			spool.usage.at_s != 0;
		close(folder);
	}
	if (known)
		*out = spool.usage;
	str_free(&path);
	return known;
}

/* --- ended jobs --------------------------------------------------------------------------------------- */

/*
 * A console with its own scheduler reads the store; an attached console asks the scheduler without waiting.
 * When the answer arrives, the screens are updated, and the screen that asked reads it.
 */

void console_forget_ended(struct console *c)
{
	str_free(&c->ended.bytes);
	c->ended = (struct ended_list){.count = 0};
	c->has_ended = false;
}

static bool read_answer(struct console *c, history_visit *visit, void *self, struct err *err)
{
	struct past_wish wish = {.journal = false};
	struct past_visit visiting = {.job = visit, .self = self};
	bool good = c->ended.err.text[0] == '\0';

	if (good)
		good = past_read(c->ended.bytes.data, c->ended.bytes.len, c->ended.count, &wish, &visiting,
				 err);
	else
		*err = c->ended.err;
	console_forget_ended(c);
	return good;
}

struct visiting {
	history_visit *visit;
	void *self;
	uint64_t left;
};

static bool visit_newest(void *self, const struct ended_job *ended)
{
	struct visiting *v = self;

	return v->visit(v->self, ended) && --v->left > 0;
}

static bool read_store(struct console *c, const struct ended_span *span, history_visit *visit, void *self,
		       struct err *err)
{
	const struct history_filter wish = ended_span_wish(span);
	struct history_walk walk = {.most = 0};
	struct visiting visiting = {visit, self, span->newest};

	return store_history_find(c->session->store, &wish, &walk, visit_newest, &visiting, err);
}

bool console_ended(struct console *c, const struct ended_span *span, history_visit *visit, void *self,
		   struct err *err)
{
	if (c->session->store != NULL)
		return read_store(c, span, visit, self, err);
	if (c->source.ops->ask_ended == NULL)
		return true;
	if (c->has_ended)
		return read_answer(c, visit, self, err);
	if (!c->asking_ended)
		c->source.ops->ask_ended(c->source.self, span);
	c->asking_ended = true;
	return false;
}

void console_take_ended(struct console *c)
{
	struct ended_list found;

	if (!c->asking_ended || !c->source.ops->take_ended(c->source.self, &found))
		return;
	console_forget_ended(c);
	c->ended = found;
	c->has_ended = true;
	c->asking_ended = false;
	for (size_t i = 0; i < views_count; i++)
		c->stale[i] = true;
	c->dirty = true;
}
