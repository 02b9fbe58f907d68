/* SPDX-License-Identifier: MIT */
/*
 * view_whatif.c - What-if screen: the effect of the draft
 *
 * Above, what the draft changes. Below, what would become of each job, beside it what would become of all
 * together, or in its place of each user's and group's; at the bottom how busy the machine would be. While
 * the full projection is made the instant plan stands in for it, and the first line says so.
 */
#include <inttypes.h>

#include "jobs.h"
#include "moving.h"
#include "page.h"
#include "sched/rm/wallclock.h"
#include "tui/query/projection_query.h"
#include "tui/report/changes.h"
#include "view.h"
#include "whatif_asks.h"
#include "whatif_edits.h"
#include "whatif_figures.h"
#include "whatif_jobs.h"
#include "whatif_sight.h"
#include "whatif_time.h"
#include "whatif_totals.h"

#define TOTALS_W 34 /* of the totals beside the jobs                */
#define BESIDE_W 80 /* from here on there is room for both         */
#define EDITS_H  4  /* of the edits, while they do not have the keys */
#define TIME_H   18 /* from here on there is room for the timeline */

enum pane {
	PANE_JOBS,
	PANE_GROUPS,
	PANE_EDITS,
	PANE_COUNT
};

struct whatif_view {
	struct screen_host *host;
	struct whatif_sight sight;
	struct whatif_edits edits;
	struct whatif_jobs jobs;
	struct whatif_groups groups;
	enum pane pane;
	struct page head, totals, foot;
};

static void whatif_open(void *self, struct screen_host *host)
{
	struct whatif_view *v = self;

	v->host = host;
	whatif_edits_open(&v->edits, host);
	whatif_jobs_open(&v->jobs, host);
	whatif_groups_open(&v->groups, host);
}

static void whatif_close(void *self)
{
	struct whatif_view *v = self;

	whatif_edits_close(&v->edits);
	whatif_jobs_close(&v->jobs);
	whatif_groups_close(&v->groups);
	page_free(&v->head);
	page_free(&v->totals);
	page_free(&v->foot);
}

/* The totals stand at the right of the jobs, a blank on either side of them. */
static int jobs_width(int width)
{
	return width < BESIDE_W ? width : width - TOTALS_W - (width > BESIDE_W) - 1;
}

static void whatif_recalc(void *self)
{
	struct whatif_view *v = self;

	whatif_sight_take(&v->sight, v->host);
	whatif_edits_update(&v->edits);
	whatif_jobs_update(&v->jobs, &v->sight);
	table_lay_out(&v->jobs.table, jobs_width(v->host->ops->width(v->host->console)));
	v->sight.change_cells = whatif_jobs_change_cells(&v->jobs);
	whatif_groups_update(&v->groups, &v->sight);
}

/* --- drawing ---------------------------------------------------------------------------- */

static void add_tier(const struct whatif_view *v, struct str *out)
{
	uint32_t started, waiting;
	const struct projection_query *f = v->host->ops->projection_query(v->host->console);

	str_add(out, whatif_tier(v->sight.tier,
				 f && f->run_assumption ? f->run_assumption->kind : ASSUME_WCLIMIT));
	if (v->host->ops->foresees(v->host->console, &started, &waiting) && v->sight.tier == FUTURE_INSTANT)
		str_addf(out, "; full projection %" PRIu32 " of %" PRIu32 " jobs", started, waiting);
}

static void add_heading(const struct whatif_view *v, struct str *out)
{
	char when[MOMENT_TEXT];

	if (v->host->ops->draft(v->host->console) != 0)
		str_add(out, "What the draft changes");
	else if (whatif_sight_is_past(&v->sight))
		str_addf(out, "The queue at %s",
			 wallclock_short(when, v->sight.o->now_s, v->host->ops->now_s(v->host->console)));
	else
		str_add(out, "The queue as it is");
}

static void write_head(struct whatif_view *v, int width)
{
	struct str text = {0};

	add_heading(v, &text);
	page_clear(&v->head);
	page_line(&v->head);
	page_at(&v->head, 1);
	page_add(&v->head, ROLE_HELP_HEADING, str_text(&text));
	str_clear(&text);
	add_tier(v, &text);
	page_at(&v->head, width - 1 - text_width(str_text(&text)));
	page_add(&v->head, ROLE_STATUS, str_text(&text));
	if (whatif_sight_is_past(&v->sight))
		page_wrap(
			&v->head, ROLE_DIM, 1, width - 2,
			"Run ahead from that moment, as it looked then: what has come since is not known to "
			"it. Nothing is drafted in the past; L goes back to now.");
	else if (v->host->ops->draft(v->host->console) == 0)
		page_wrap(&v->head, ROLE_DIM, 1, width - 2,
			  "There is no draft: this is the queue as it is. W tries other weights, : another "
			  "setting (tune user[eva].maxproc 8), H and R hold and release; what is drafted on "
			  "any "
			  "screen is shown here.");
	str_free(&text);
}

static void put_edits(struct whatif_view *v, struct canvas *canvas, struct rect *body)
{
	int most = v->pane == PANE_EDITS ? body->h / 2 : EDITS_H;

	v->edits.table.unfocused = v->pane != PANE_EDITS;
	table_draw(&v->edits.table, canvas, rect_take_top(body, whatif_edits_height(&v->edits, most)));
}

/* Does edit n of the list stand for event n? Then what is said of events is said of edits. */
static bool are_edits_single(const struct whatif_view *v)
{
	const struct edits *e = v->host->ops->edits(v->host->console);

	for (size_t i = 0; i < e->count; i++)
		if (e->item[i].off || e->item[i].events != 1)
			return false;
	return true;
}

static void write_foot(struct whatif_view *v, int width)
{
	const struct ablation_query *study =
		v->sight.tier != FUTURE_INSTANT ? v->host->ops->study(v->host->console) : NULL;
	struct str text = {0};

	page_clear(&v->foot);
	if (!study || !v->sight.comparing)
		return;
	if (study->ablate.count > 1 && are_edits_single(v)) {
		ablate_print(&study->ablate, study->outlook->live.s, &text);
		page_wrap(&v->foot, ROLE_TEXT, 1, width - 2, str_text(&text));
	}
	for (size_t i = 0; i < study->odd.count; i++) {
		if (study->odd.item[i].severity == SEVERITY_NOTE)
			continue;
		str_clear(&text);
		str_addf(&text, "%s: %s", study->odd.item[i].id, study->odd.item[i].text);
		page_wrap(&v->foot, ROLE_WARNING, 1, width - 2, str_text(&text));
	}
	str_free(&text);
}

static void put_foot(struct whatif_view *v, struct canvas *canvas, struct rect *body, int most)
{
	int lines;

	write_foot(v, body->w);
	lines = (int)v->foot.lines < most ? (int)v->foot.lines : most;
	if (lines > 0)
		page_draw(&v->foot, canvas, rect_take_bottom(body, lines));
}

static void put_jobs(struct whatif_view *v, struct canvas *canvas, struct rect r)
{
	struct rect jobs = rect_take_left(&r, jobs_width(r.w));

	if (r.w > 0) {
		struct rect totals;

		(void)rect_take_left(&r, 1);
		totals = rect_take_left(&r, TOTALS_W);
		page_clear(&v->totals);
		whatif_totals_page(&v->totals, &v->sight, TOTALS_W);
		page_draw(&v->totals, canvas, totals);
	}
	v->jobs.table.unfocused = v->pane != PANE_JOBS;
	table_draw(&v->jobs.table, canvas, jobs);
}

static void whatif_draw(void *self, struct canvas *canvas, struct rect r)
{
	struct whatif_view *v = self;
	int height = r.h;

	v->jobs.table.body = v->groups.table.body = 0; /* what is not drawn cannot be clicked on */
	write_head(v, r.w);
	page_draw(&v->head, canvas, rect_take_top(&r, (int)v->head.lines));
	put_edits(v, canvas, &r);
	if (!v->sight.w)
		return;
	canvas_rule(canvas, rect_take_top(&r, 1), 0, 0, ROLE_RULE);
	if (height >= TIME_H)
		whatif_time_draw(&v->sight, canvas, rect_take_bottom(&r, WHATIF_TIME_LINES));
	put_foot(v, canvas, &r, height / 6);
	if (v->pane == PANE_GROUPS)
		table_draw(&v->groups.table, canvas, r);
	else
		put_jobs(v, canvas, r);
}

/* --- keys ------------------------------------------------------------------------------- */

static bool whatif_act(void *self, enum action action, int arg)
{
	struct whatif_view *v = self;
	struct table *own = v->pane == PANE_GROUPS ? &v->groups.table : &v->edits.table;

	(void)arg;
	if (v->pane != PANE_JOBS && moving_table(own, action))
		return true;
	switch (action) {
	case ACTION_PANE_NEXT:
		v->pane = (v->pane + 1) % PANE_COUNT;
		return true;
	case ACTION_PANE_PREVIOUS:
		v->pane = (v->pane + PANE_COUNT - 1) % PANE_COUNT;
		return true;
	case ACTION_ASSUME:
		v->host->ops->assume_next(v->host->console);
		return true;
	default:
		return whatif_edits_act(&v->edits, action) ||
		       whatif_asks(v->host, action, v->edits.table.cursor);
	}
}

static struct table *whatif_table(void *self)
{
	return &((struct whatif_view *)self)->jobs.table;
}

/* Beside a job stand the totals, in their place the groups; edits have no numbers. */
static void whatif_numbers(void *self, struct figures *out)
{
	const struct whatif_view *v = self;
	const struct whatif_group *group = v->pane == PANE_GROUPS ? whatif_groups_chosen(&v->groups) : NULL;
	const struct projection_query *f = v->host->ops->projection_query(v->host->console);

	if (group) {
		whatif_figures_group(out, &v->sight, group);
	} else {
		whatif_figures_job(out, &v->sight, v->host->ops->job(v->host->console));
		whatif_figures_totals(out, &v->sight);
	}
	whatif_figures_tier(out, &v->sight,
			    f && f->run_assumption ? f->run_assumption->kind : ASSUME_WCLIMIT);
}

static void whatif_status(void *self, struct str *out)
{
	static const char *const panes[PANE_COUNT] = {"jobs", "totals", "edits"};
	const struct whatif_view *v = self;

	if (v->sight.comparing && v->sight.w)
		str_addf(out, "%" PRIu32 " earlier, %" PRIu32 " later, %" PRIu32 " change rank   ",
			 v->sight.w->earlier, v->sight.w->later, v->sight.w->reordered);
	str_addf(out, "keys: %s (<Tab>)", panes[v->pane]);
}

static const enum action hints[] = {
	ACTION_SWEEP,   ACTION_GOAL,    ACTION_ASSUME, ACTION_REWEIGHT, ACTION_HOLD, ACTION_WHY,
	ACTION_RELEASE, ACTION_NUMBERS, ACTION_FILTER, ACTION_BACK,     ACTION_NONE,
};

/* Keys that are for an edit only where there is one. */
static const enum action draft_hints[] = {
	ACTION_EDIT,    ACTION_SWITCH,   ACTION_SWEEP, ACTION_GOAL, ACTION_ASSUME,
	ACTION_REMOVE,  ACTION_REWEIGHT, ACTION_HOLD,  ACTION_WHY,  ACTION_RELEASE,
	ACTION_NUMBERS, ACTION_FILTER,   ACTION_BACK,  ACTION_NONE,
};

const struct view_ops view_whatif = {
	.name = "whatif",
	.fields = JOBS_FIELDS " type",
	.title = "What-if",
	.number = 7,
	.size = sizeof(struct whatif_view),
	.jobs = true,
	.foresees = true,
	.hints = hints,
	.draft_hints = draft_hints,
	.open = whatif_open,
	.close = whatif_close,
	.recalc = whatif_recalc,
	.draw = whatif_draw,
	.act = whatif_act,
	.table = whatif_table,
	.match = whatif_jobs_match,
	.status = whatif_status,
	.numbers = whatif_numbers,
};
