/* SPDX-License-Identifier: MIT */
/*
 * view_fairshare.c - Fairshare screen: usage against targets, and the effect of other settings
 *
 * The list shows the usage of each credential by window. Below the list are details of the share under the
 * cursor or sliders for the fairshare options, and both if there is room. Edits are added to the draft; the
 * list then shows targets, usage and effects before and after.
 */
#include <inttypes.h>
#include <string.h>

#include "finding_lines.h"
#include "page.h"
#include "sched/config/config.h"
#include "share_list.h"
#include "share_page.h"
#include "sliders.h"
#include "tui/report/shares.h"
#include "view.h"

#define SETTINGS_H 5  /* height of the sliders with their heading */
#define BOTH_H     30 /* height from which details and sliders are shown together */
#define PAGE_H     9  /* preferred height of the details */
#define LIST_H     7  /* minimum height of the list */

#define TARGET_STEP 10 /* percentage points by which { and } move a target */

struct fairshare_view {
	struct share_list list;
	struct slider_pane pane;
	const struct lint_cache *lint_cache; /* lint findings of the plan query that the list shows */
	struct page head, page;
	struct str asked; /* option for which a value is entered */
	struct wish {     /* the target that was last added to the draft with the keys { } 0 */
		uint64_t draft;
		struct str option;
		struct cred_attr attr;
	} wish;
};

static void fairshare_open(void *self, struct screen_host *host)
{
	struct fairshare_view *v = self;

	share_list_open(&v->list, host);
	slider_pane_open(&v->pane, host, SLIDERS_FAIRSHARE);
}

static void fairshare_close(void *self)
{
	struct fairshare_view *v = self;

	share_list_close(&v->list);
	slider_pane_close(&v->pane);
	page_free(&v->head);
	page_free(&v->page);
	str_free(&v->asked);
	str_free(&v->wish.option);
}

static void fairshare_enter(void *self)
{
	((struct fairshare_view *)self)->pane.focused = false;
}

static void fairshare_recalc(void *self)
{
	struct fairshare_view *v = self;

	slider_pane_recalc(&v->pane);
	v->lint_cache = v->list.host->ops->lint_cache(v->list.host->console);
	share_list_update(&v->list, v->list.host->ops->plan_query(v->list.host->console));
}

/* --- drawing ---------------------------------------------------------------------------- */

static void put_head(struct fairshare_view *v, struct canvas *canvas, struct rect *body)
{
	page_clear(&v->head);
	share_settings_line(&v->head, share_list_shown(&v->list), v->lint_cache, body->w);
	page_draw(&v->head, canvas, rect_take_top(body, (int)v->head.lines));
}

static void put_list(struct fairshare_view *v, struct canvas *canvas, struct rect r)
{
	struct page none = {0};

	v->list.table.unfocused = v->pane.focused;
	if (v->list.rows > 0) {
		share_list_draw(&v->list, canvas, r);
		return;
	}
	page_line(&none);
	page_wrap(&none, ROLE_DIM, 1, r.w - 2,
		  "Fairshare is disabled and usage is not recorded. To enable it, go to fspolicy with <Tab> "
		  "and press <Right>.");
	page_draw(&none, canvas, r);
	page_free(&none);
}

static void put_page(struct fairshare_view *v, struct canvas *canvas, struct rect r)
{
	const struct share_row *row = share_list_at_cursor(&v->list);

	canvas_rule(canvas, r, 0, 0, ROLE_RULE);
	(void)rect_take_top(&r, 1);
	page_clear(&v->page);
	if (row)
		share_page_row(&v->page, share_list_shown(&v->list), row, r.w);
	page_draw(&v->page, canvas, r);
}

/*
 * Returns the height of the details, at most PAGE_H + 1, that leaves at least LIST_H lines for the list; 0 if
 * there is too little room.
 */
static int page_height(int height)
{
	int left = height - LIST_H;

	return left < 4 ? 0 : left < PAGE_H + 1 ? left : PAGE_H + 1;
}

static void fairshare_draw(void *self, struct canvas *canvas, struct rect r)
{
	struct fairshare_view *v = self;
	struct rect lint;

	v->pane.sliders.table.body = 0; /* no clicks on the sliders, unless the code below draws them */
	put_head(v, canvas, &r);
	lint = finding_lines_take(v->lint_cache, SUBJECT_SHARES, &r);
	finding_lines_put(v->lint_cache, SUBJECT_SHARES, canvas, lint);
	if (r.h >= BOTH_H) {
		struct rect settings = rect_take_bottom(&r, SETTINGS_H);
		struct rect page = rect_take_bottom(&r, PAGE_H + 2);

		put_page(v, canvas, page);
		slider_pane_draw(&v->pane, canvas, settings);
	} else if (v->pane.focused) {
		slider_pane_draw(&v->pane, canvas, rect_take_bottom(&r, SETTINGS_H));
	} else {
		put_page(v, canvas, rect_take_bottom(&r, page_height(r.h)));
	}
	put_list(v, canvas, r);
}

static void fairshare_numbers(void *self, struct figures *out)
{
	static const struct share_row all = {.kind = SHARE_TOTAL};
	const struct fairshare_view *v = self;
	const struct share_row *row = share_list_at_cursor(&v->list);

	share_figures(out, &v->list, row ? row : &all);
}

/* --- keys ------------------------------------------------------------------------------- */

static const struct cred *cred_at_cursor(const struct fairshare_view *v)
{
	const struct share_row *row = share_list_at_cursor(&v->list);

	if (!row || row->kind != SHARE_CRED)
		return NULL;
	return &snapshot_creds(share_list_shown(&v->list)->s)[row->cred];
}

static const char *cred_name(const struct fairshare_view *v, const struct cred *cred)
{
	return snapshot_string(share_list_shown(&v->list)->s, cred->name);
}

static void target_typed(void *self, const char *text)
{
	const struct fairshare_view *v = self;

	if (text[0])
		(void)v->list.host->ops->propose_tune(v->list.host->console, str_text(&v->asked), text);
}

/*
 * Returns the credential under the cursor, and sets v->asked to the name of its target: "user[eva].fstarget".
 * Shows a message and returns NULL if there is no credential.
 */
static const struct cred *cred_with_target(struct fairshare_view *v)
{
	const struct cred *cred = cred_at_cursor(v);

	if (!cred) {
		v->list.host->ops->say(v->list.host->console, ROLE_MESSAGE,
				       "Only credentials have targets; <Tab> goes to the global settings.");
		return NULL;
	}
	str_clear(&v->asked);
	str_addf(&v->asked, "%s[%s].fstarget", cred_type_name((enum cred_type)cred->type),
		 cred_name(v, cred));
	return cred;
}

static void add_target(const struct cred *cred, const struct cred_attr *attr, struct str *out)
{
	config_print_value(option_find(config_rows, config_row_count,
				       cred_type_name((enum cred_type)cred->type), "fstarget"),
			   NULL, NULL, attr, out);
}

/*
 * Is v->wish the last edit of the draft, and does it set the target named by v->asked? The list may not show
 * this target yet, because the plan query of the draft may not be ready.
 */
static bool wishes(const struct fairshare_view *v)
{
	return v->wish.draft != 0 && v->wish.draft == v->list.host->ops->draft(v->list.host->console) &&
	       strcmp(str_text(&v->wish.option), str_text(&v->asked)) == 0;
}

/* Appends the live target of the credential under the cursor. */
static void add_live_target(const struct fairshare_view *v, struct str *out)
{
	uint32_t at = share_list_at_cursor(&v->list)->cred;
	const struct snapshot *s = v->list.o->live.s;

	if (at < snapshot_count(s, TABLE_CREDS))
		add_target(&snapshot_creds(s)[at], &snapshot_creds(s)[at].attr, out);
}

/*
 * Moves the target of the credential under the cursor by percentage points in the draft; if `points` is 0,
 * removes the target.
 */
static void move_target(struct fairshare_view *v, int points)
{
	const struct cred *cred = cred_with_target(v);
	struct wish *wish = &v->wish;
	struct str live = {0}, value = {0};

	if (!cred)
		return;
	if (!wishes(v))
		wish->attr = cred->attr;
	if (points == 0)
		wish->attr.fs_mode = FS_NO_TARGET;
	shares_move_target(&wish->attr, points);
	add_target(cred, &wish->attr, &value);
	add_live_target(v, &live);
	if (strcmp(str_text(&live), str_text(&value)) == 0)
		v->list.host->ops->unset(v->list.host->console, str_text(&v->asked));
	else
		(void)v->list.host->ops->propose_tune(v->list.host->console, str_text(&v->asked),
						      value.len > 0 ? str_text(&value) : "none");
	str_clear(&wish->option);
	str_add(&wish->option, str_text(&v->asked));
	wish->draft = v->list.host->ops->draft(v->list.host->console);
	str_free(&live);
	str_free(&value);
}

static void edit_target(struct fairshare_view *v)
{
	const struct cred *cred = cred_with_target(v);
	struct str sign = {0}, value = {0};

	if (!cred)
		return;
	add_target(cred, &cred->attr, &value);
	str_addf(&sign, "%s: ", str_text(&v->asked));
	v->list.host->ops->ask(v->list.host->console, str_text(&sign), str_text(&value), target_typed, v);
	str_free(&sign);
	str_free(&value);
}

static void open_row(struct fairshare_view *v)
{
	const struct share_row *row = share_list_at_cursor(&v->list);
	const struct cred *cred = cred_at_cursor(v);

	if (cred)
		v->list.host->ops->show_jobs(v->list.host->console,
					     cred_type_name((enum cred_type)cred->type), cred_name(v, cred));
	else if (row && row->kind == SHARE_TYPE) {
		share_list_set_open(&v->list, !share_list_is_open(&v->list, row->type));
		v->list.host->ops->recalc(v->list.host->console);
	}
}

static bool list_act(struct fairshare_view *v, enum action action)
{
	switch (action) {
	case ACTION_LEFT:
	case ACTION_RIGHT:
		share_list_set_open(&v->list, action == ACTION_RIGHT);
		v->list.host->ops->recalc(v->list.host->console);
		return true;
	case ACTION_EDIT:
		edit_target(v);
		return true;
	case ACTION_TEN_LESS:
	case ACTION_TEN_MORE:
		move_target(v, action == ACTION_TEN_LESS ? -TARGET_STEP : TARGET_STEP);
		return true;
	case ACTION_DEFAULT:
		move_target(v, 0);
		return true;
	case ACTION_OPEN:
		open_row(v);
		return true;
	default:
		return false;
	}
}

static bool fairshare_act(void *self, enum action action, int arg)
{
	struct fairshare_view *v = self;

	(void)arg;
	if (!v->pane.focused && list_act(v, action))
		return true;
	if (action == ACTION_PERCENT) {
		v->list.percent = !v->list.percent;
		return true;
	}
	return slider_pane_act(&v->pane, action);
}

static bool fairshare_click(void *self, int x, int y)
{
	return slider_pane_click(&((struct fairshare_view *)self)->pane, x, y);
}

static struct table *fairshare_table(void *self)
{
	return &((struct fairshare_view *)self)->list.table;
}

/*
 * Returns the number of jobs blocked by fairshare caps, including jobs that would exceed a cap only with
 * their whole request.
 */
static uint32_t count_held(const struct forecast *f)
{
	const struct fairshare *shares = &f->plan.queue.shares;
	uint32_t all = 0, held;

	for (uint32_t c = 0; c < shares->share_count; c++) {
		if (shares->share[c].mode < FS_CAP_ABSOLUTE)
			continue;
		(void)shares_waiting(f, c, &held);
		all += held;
	}
	return all;
}

static void fairshare_status(void *self, struct str *out)
{
	const struct fairshare_view *v = self;
	const struct fairshare *f = v->list.o ? share_list_live(&v->list) : NULL;
	uint32_t missed = 0, capped = 0, held = f ? count_held(&v->list.o->live) : 0;

	for (uint32_t c = 0; f && c < f->share_count; c++) {
		missed += f->share[c].missed;
		capped += shares_cap_is_reached(&f->share[c]);
	}
	str_addf(out, "%" PRIu32 " off target (*)   %" PRIu32 " at a cap (!)   focus: %s (<Tab>)", missed,
		 capped, v->pane.focused ? "settings" : "shares");
	if (held > 0)
		str_addf(out, "   caps block %" PRIu32 " job%s", held, held == 1 ? "" : "s");
}

static const enum action hints[] = {
	ACTION_OPEN,    ACTION_EDIT, ACTION_PERCENT, ACTION_TEN_LESS, ACTION_TEN_MORE, ACTION_DEFAULT,
	ACTION_NUMBERS, ACTION_UNDO, ACTION_FILTER,  ACTION_BACK,     ACTION_NONE,
};

const struct view_ops view_fairshare = {
	.name = "fairshare",
	.names = "name type user group account qos class",
	.title = "Share",
	.number = 4,
	.size = sizeof(struct fairshare_view),
	.no_job = true,
	.hints = hints,
	.open = fairshare_open,
	.close = fairshare_close,
	.enter = fairshare_enter,
	.recalc = fairshare_recalc,
	.draw = fairshare_draw,
	.act = fairshare_act,
	.click = fairshare_click,
	.table = fairshare_table,
	.match = share_list_match,
	.status = fairshare_status,
	.numbers = fairshare_numbers,
};
