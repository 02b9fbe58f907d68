/* SPDX-License-Identifier: MIT */
/*
 * view_config.c - Config screen: parameters, their origin, and findings of lint
 *
 * Every parameter with its value and where it was set; <Tab> shows what lint finds instead. Below is
 * all about the one under the cursor. What is edited is a draft, with the values before and after.
 */
#include <stdlib.h>
#include <string.h>

#include "finding_lines.h"
#include "page.h"
#include "sched/base/vec.h"
#include "setting_list.h"
#include "setting_page.h"
#include "view.h"

#define PAGE_H 8 /* lines about the one under the cursor, if there is room */
#define LIST_H 8 /* lines of the list that are left to it                  */

struct config_view {
	struct screen_host *host;
	struct setting_list list;
	enum setting_part part;
	bool lint;   /* the findings are shown */
	size_t *row; /* positions in the settings that are shown, or in the findings */
	size_t rows, room;
	struct table settings, findings;
	struct page page;
	struct str asked; /* the option that a value is typed for */
};

static const struct setting_row *setting_at(const struct config_view *v, size_t row)
{
	return &setting_list_shown(&v->list)->item[v->row[row]];
}

static const struct config_finding *finding_at(const struct config_view *v, size_t row)
{
	return &setting_list_findings(&v->list)->item[v->row[row]];
}

static struct table *front(struct config_view *v)
{
	return v->lint ? &v->findings : &v->settings;
}

static size_t cursor(const struct config_view *v)
{
	return v->lint ? v->findings.cursor : v->settings.cursor;
}

/* --- rows ------------------------------------------------------------------------------------ */

static bool setting_passes(const struct config_view *v, const struct setting_row *item,
			   const struct filter *filter)
{
	const struct config_finding *finding;
	const char *scope = option_section_name(item->row->scope);

	if (filter->count == 0)
		return true;
	finding = setting_list_finding(&v->list, item->name, 0);
	return filter_match(filter,
			    (const struct field[]){
				    {"name", item->name},
				    {"value", item->value},
				    {"from", item->origin},
				    {"section", scope[0] != '\0' ? scope : NULL},
				    {"lint", finding != NULL ? finding->id : NULL},
				    {"meaning", item->row->help},
			    },
			    6);
}

static bool finding_passes(const struct config_finding *finding, const struct filter *filter)
{
	return filter->count == 0 ||
	       filter_match(filter,
			    (const struct field[]){
				    {"lint", finding->id},
				    {"severity", config_severity_name(finding->severity)},
				    {"name", finding->option},
				    {"what", finding->text},
			    },
			    4);
}

static bool is_shown(const struct config_view *v, size_t i)
{
	const struct filter *filter = v->host->ops->filter(v->host->console);
	const struct setting_row *item;

	if (v->lint)
		return finding_passes(&setting_list_findings(&v->list)->item[i], filter);
	item = &setting_list_shown(&v->list)->item[i];
	return setting_list_is_in(&v->list, item, v->part) && setting_passes(v, item, filter);
}

static void find_rows(struct config_view *v)
{
	size_t all = v->lint ? setting_list_findings(&v->list)->count : setting_list_shown(&v->list)->count;

	v->rows = 0;
	for (size_t i = 0; i < all; i++) {
		if (!is_shown(v, i))
			continue;
		v->row = vec_room(v->row, &v->room, v->rows + 1, sizeof *v->row);
		v->row[v->rows++] = i;
	}
}

/* A name in 64 bits (FNV-1a). */
static uint64_t hash_of(uint64_t hash, const char *text)
{
	for (; *text != '\0'; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return hash;
}

#define HASH_SEED UINT64_C(0xcbf29ce484222325)

static uint64_t setting_key(void *self, size_t row)
{
	return hash_of(HASH_SEED, setting_at(self, row)->name);
}

static uint64_t finding_key(void *self, size_t row)
{
	const struct config_finding *finding = finding_at(self, row);

	return hash_of(hash_of(HASH_SEED, finding->id), finding->option);
}

static enum role cell_of_setting(void *self, size_t row, size_t column, struct str *out)
{
	const struct config_view *v = self;

	return setting_cell(&v->list, setting_at(v, row), column, out);
}

static enum role cell_of_finding(void *self, size_t row, size_t column, struct str *out)
{
	const struct config_view *v = self;

	return finding_cell(&v->list, finding_at(v, row), column, out);
}

/* --- life ------------------------------------------------------------------------------------ */

static void config_open(void *self, struct screen_host *host)
{
	struct config_view *v = self;

	v->host = host;
	table_init(&v->settings, setting_columns, SETTING_COLUMNS);
	table_init(&v->findings, finding_columns, FINDING_COLUMNS);
}

static void config_close(void *self)
{
	struct config_view *v = self;

	table_free(&v->settings);
	table_free(&v->findings);
	setting_list_free(&v->list);
	page_free(&v->page);
	str_free(&v->asked);
	free(v->row);
}

static void show_rows(struct config_view *v)
{
	struct table_source source = {.self = v,
				      .key = v->lint ? finding_key : setting_key,
				      .cell = v->lint ? cell_of_finding : cell_of_setting};

	find_rows(v);
	source.rows = v->rows;
	table_update(front(v), &source);
}

static void config_recalc(void *self)
{
	struct config_view *v = self;

	setting_list_build(&v->list, v->host->ops->outlook(v->host->console),
			   v->host->ops->lint_cache(v->host->console));
	v->settings.column = v->list.comparing ? setting_draft_columns : setting_columns;
	show_rows(v);
}

/* --- drawing --------------------------------------------------------------------------------- */

static const char *why_empty(const struct config_view *v)
{
	static const char *const parts[SETTING_PARTS] = {
		[SETTINGS_ALL] = "No parameter matches; <Esc> clears the filter.",
		[SETTINGS_CHANGED] = "Everything is as shipped; f goes on.",
		[SETTINGS_LIVE] = "Nothing was set live; f goes on.",
		[SETTINGS_ODD] = "Lint finds nothing odd; f shows all.",
	};

	if (v->list.err.text[0] != '\0')
		return v->list.err.text;
	if (v->host->ops->filter(v->host->console)->count > 0)
		return parts[SETTINGS_ALL];
	return v->lint ? "Lint finds nothing odd; <Tab> shows the parameters." : parts[v->part];
}

static void put_list(struct config_view *v, struct canvas *canvas, struct rect r)
{
	struct page none = {0};

	if (v->rows > 0) {
		table_draw(front(v), canvas, r);
		return;
	}
	page_line(&none);
	page_wrap(&none, ROLE_DIM, 1, r.w - 2, why_empty(v));
	page_draw(&none, canvas, r);
	page_free(&none);
}

static void put_page(struct config_view *v, struct canvas *canvas, struct rect r)
{
	canvas_rule(canvas, r, 0, 0, ROLE_RULE);
	(void)rect_take_top(&r, 1);
	page_clear(&v->page);
	if (cursor(v) != TABLE_NO_ROW && v->lint)
		setting_page_finding(&v->page, &v->list, finding_at(v, cursor(v)), r.w);
	else if (cursor(v) != TABLE_NO_ROW)
		setting_page_row(&v->page, &v->list, setting_at(v, cursor(v)),
				 v->host->ops->store(v->host->console), r.w);
	page_draw(&v->page, canvas, r);
}

static int page_height(int height)
{
	int left = height - LIST_H;

	return left < 3 ? 0 : left < PAGE_H + 1 ? left : PAGE_H + 1;
}

static void config_draw(void *self, struct canvas *canvas, struct rect r)
{
	struct config_view *v = self;

	put_page(v, canvas, rect_take_bottom(&r, page_height(r.h)));
	put_list(v, canvas, r);
}

/* --- keys ------------------------------------------------------------------------------------ */

static void value_typed(void *self, const char *text)
{
	const struct config_view *v = self;

	if (text[0] != '\0')
		(void)v->host->ops->propose_tune(v->host->console, str_text(&v->asked), text);
}

static void edit(struct config_view *v)
{
	const struct setting_row *item = setting_at(v, cursor(v));
	struct str sign = {0};

	str_clear(&v->asked);
	str_add(&v->asked, item->name);
	str_addf(&sign, "%s: ", item->name);
	v->host->ops->ask(v->host->console, str_text(&sign), item->value != NULL ? item->value : "",
			  value_typed, v);
	str_free(&sign);
}

static void draft_fix(const struct config_view *v)
{
	const struct config_finding *finding = finding_at(v, cursor(v));
	char fix[sizeof finding->fix], *sign;

	memcpy(fix, finding->fix, sizeof fix);
	sign = strchr(fix, '=');
	if (sign == NULL) {
		v->host->ops->say(v->host->console, ROLE_MESSAGE, "No one value mends %s.", finding->id);
		return;
	}
	*sign = '\0';
	(void)v->host->ops->propose_tune(v->host->console, fix, sign + 1);
}

static void draft_default(const struct config_view *v)
{
	const struct setting_row *item = setting_at(v, cursor(v));

	if (item->row->fallback != NULL)
		(void)v->host->ops->propose_tune(v->host->console, item->name, item->row->fallback);
	else
		v->host->ops->say(v->host->console, ROLE_MESSAGE, "%s has no default.", item->name);
}

/* From a finding to its parameter, and back to the findings. */
static void cross(struct config_view *v)
{
	uint64_t key = HASH_SEED;

	if (v->lint) {
		key = hash_of(key, finding_at(v, cursor(v))->option);
		v->part = SETTINGS_ALL;
	} else {
		const struct setting_row *item = setting_at(v, cursor(v));
		const struct config_finding *finding = setting_list_finding(&v->list, item->name, 0);

		if (finding == NULL) {
			v->host->ops->say(v->host->console, ROLE_MESSAGE, "Lint finds nothing odd about %s.",
					  item->name);
			return;
		}
		key = hash_of(hash_of(key, finding->id), finding->option);
	}
	v->lint = !v->lint;
	show_rows(v);
	if (!table_go(front(v), key))
		v->host->ops->say(v->host->console, ROLE_MESSAGE,
				  "It is not in the list: nothing has set it, or the filter hides it.");
}

static void config_act_here(struct config_view *v, enum action action)
{
	if (cursor(v) == TABLE_NO_ROW)
		v->host->ops->say(v->host->console, ROLE_MESSAGE, "There is nothing under the cursor.");
	else if (action == ACTION_OPEN)
		cross(v);
	else if (v->lint)
		draft_fix(v);
	else if (action == ACTION_EDIT)
		edit(v);
	else
		draft_default(v);
}

static bool config_act(void *self, enum action action, int arg)
{
	struct config_view *v = self;

	(void)arg;
	switch (action) {
	case ACTION_OPEN:
	case ACTION_EDIT:
	case ACTION_DEFAULT:
		config_act_here(v, action);
		return true;
	case ACTION_PANE_NEXT:
	case ACTION_PANE_PREVIOUS:
		v->lint = !v->lint;
		show_rows(v);
		return true;
	case ACTION_WHICH:
		v->lint = false;
		v->part = (v->part + 1) % SETTING_PARTS;
		show_rows(v);
		return true;
	default:
		return false;
	}
}

static struct table *config_table(void *self)
{
	return front(self);
}

static bool match(void *self, size_t row)
{
	const struct config_view *v = self;

	return v->lint ? finding_passes(finding_at(v, row), v->host->ops->search(v->host->console))
		       : setting_passes(v, setting_at(v, row), v->host->ops->search(v->host->console));
}

static void config_status(void *self, struct str *out)
{
	static const char *const parts[SETTING_PARTS] = {"all", "changed", "set live", "with findings"};
	const struct config_view *v = self;
	const struct lint_list *found = setting_list_findings(&v->list);

	if (v->list.o == NULL)
		return;
	if (v->lint)
		str_addf(out, "%zu of %zu findings, <Tab> parameters   ", v->rows, found->count);
	else
		str_addf(out, "%zu parameters: %s (f)   ", v->rows, parts[v->part]);
	str_add(out, v->lint ? "" : "<Tab> ");
	finding_lines_count(v->list.lint_cache, SEVERITY_NOTE, out);
	if (v->list.comparing)
		str_addf(out, "; %zu new", v->list.lint_cache->brought.count);
}

static const enum action hints[] = {
	ACTION_EDIT,   ACTION_DEFAULT, ACTION_WHICH, ACTION_OPEN,
	ACTION_FILTER, ACTION_UNDO,    ACTION_BACK,  ACTION_NONE,
};

const struct view_ops view_config = {
	.name = "config",
	.fields = "name value from section lint severity meaning what",
	.title = "Config",
	.number = 9,
	.size = sizeof(struct config_view),
	.no_job = true,
	.hints = hints,
	.open = config_open,
	.close = config_close,
	.recalc = config_recalc,
	.draw = config_draw,
	.act = config_act,
	.table = config_table,
	.match = match,
	.status = config_status,
};
