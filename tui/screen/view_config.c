/* SPDX-License-Identifier: MIT */
/*
 * view_config.c - Config screen: parameters, their origin, and lint findings
 *
 * The list shows all parameters with their values and where they are set. <Tab> switches to the list of lint
 * findings. Below the list are details of the row under the cursor. Edits are added to the draft; the list
 * then shows values before and after.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "finding_lines.h"
#include "page.h"
#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/lint/lint.h"
#include "sched/rm/wallclock.h"
#include "store/store.h"
#include "tui/draw/table.h"
#include "tui/query/plan_query.h"
#include "tui/report/settings.h"
#include "view.h"

/* Which parameters are listed. */
enum setting_part {
	SETTINGS_ALL,
	SETTINGS_CHANGED, /* value differs from the default */
	SETTINGS_LIVE,    /* set live, or by the draft */
	SETTINGS_ODD,     /* with lint findings about the parameter */
	SETTING_PARTS
};

struct setting_list {
	struct settings live, draft;
	const struct lint_cache *lint_cache; /* lint findings, borrowed from the console */
	uint64_t version, draft_version;     /* results of version_of() when live and draft were last read */
	const struct plan_query *o;
	bool comparing; /* there is a draft */
	struct err err; /* error of the last read of the configuration text */
};

#define SETTING_COLUMNS 7

#define FINDING_COLUMNS 4

/*
 * Settings change rarely, so the configuration text is not parsed for each update of the screen, but only
 * after a change.
 */

/* --- opening and closing ------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t hash, uint64_t word)
{
	return (hash ^ word) * UINT64_C(0x100000001b3);
}

/* Returns a number that differs if the configuration text or the live changes to settings differ. */
static uint64_t version_of(const struct snapshot *s)
{
	const char *text = snapshot_string(s, s->config_text);
	uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), snapshot_count(s, TABLE_VALUES));

	for (; *text != '\0'; text++)
		hash = mix(hash, (unsigned char)*text);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++) {
		const struct change *change = &snapshot_changes(s)[i];

		if (change->kind == CHANGE_SETTING && !change->dead)
			hash = mix(hash, change->seq);
	}
	return hash;
}

static void read_settings(struct settings *all, uint64_t *version, const struct snapshot *s, struct err *err)
{
	uint64_t now = version_of(s);

	if (all->count > 0 && *version == now)
		return;
	settings_free(all);
	err->text[0] = '\0';
	(void)settings_of(all, s, err);
	*version = now;
}

/* lint_cache: the findings of the plan query; borrowed. */
static void setting_list_build(struct setting_list *l, const struct plan_query *o,
			       const struct lint_cache *lint_cache)
{
	l->o = o;
	l->lint_cache = lint_cache;
	l->comparing = o->draft.s != NULL;
	read_settings(&l->live, &l->version, o->live.s, &l->err);
	if (l->comparing)
		read_settings(&l->draft, &l->draft_version, o->draft.s, &l->err);
}

static void setting_list_free(struct setting_list *l)
{
	settings_free(&l->live);
	settings_free(&l->draft);
}

/* --- look-up of values and findings ------------------------------------------------------------------- */

/* Returns the shown settings: those of the draft if there is one, otherwise the live ones. */
static const struct settings *setting_list_shown(const struct setting_list *l)
{
	return l->comparing ? &l->draft : &l->live;
}

static const struct lint_list *setting_list_findings(const struct setting_list *l)
{
	return lint_cache_shown(l->lint_cache);
}

/* Returns finding i of an option, counted from 0; NULL if the option has at most i findings. */
static const struct config_finding *setting_list_finding(const struct setting_list *l, const char *option,
							 size_t i)
{
	const struct lint_list *found = setting_list_findings(l);

	for (size_t at = 0; at < found->count; at++)
		if (str_same_word(found->item[at].option, option) && i-- == 0)
			return &found->item[at];
	return NULL;
}

/* Returns the live value; NULL if it is not set. */
static const char *now_of(const struct setting_list *l, const struct setting_row *item)
{
	size_t at;

	if (!l->comparing)
		return item->value;
	at = settings_find(&l->live, item->name);
	return at < l->live.count ? l->live.item[at].value : NULL;
}

static bool same_text(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool setting_list_differs(const struct setting_list *l, const struct setting_row *item)
{
	return l->comparing && !same_text(now_of(l, item), item->value);
}

static bool setting_list_is_in(const struct setting_list *l, const struct setting_row *item,
			       enum setting_part part)
{
	switch (part) {
	case SETTINGS_CHANGED:
		return setting_is_changed(item) || setting_list_differs(l, item);
	case SETTINGS_LIVE:
		return item->seq != 0 || setting_list_differs(l, item);
	case SETTINGS_ODD:
		return setting_list_finding(l, item->name, 0) != NULL;
	default:
		return true;
	}
}

/* --- cells -------------------------------------------------------------------------------------------- */

/* Columns without a draft. */
enum column {
	COL_NAME,
	COL_VALUE,
	COL_DEFAULT,
	COL_UNIT,
	COL_FROM,
	COL_LINT,
	COL_HELP
};

enum draft_column {
	DRAFT_NAME,
	DRAFT_NOW,
	DRAFT_AFTER,
	DRAFT_DEFAULT,
	DRAFT_FROM,
	DRAFT_LINT,
	DRAFT_HELP
};

static const struct table_column setting_columns[SETTING_COLUMNS] = {
	[COL_NAME] = {.title = "PARAMETER", .min = 24, .max = 34},
	[COL_VALUE] = {.title = "VALUE", .min = 14, .max = 20},
	[COL_DEFAULT] = {.title = "DEFAULT", .min = 12, .max = 14, .drop = 2},
	[COL_UNIT] = {.title = "UNIT", .min = 6, .max = 12, .drop = 3},
	[COL_FROM] = {.title = "FROM", .min = 13, .max = 20, .drop = 1},
	[COL_LINT] = {.title = "LINT", .min = 6, .max = 9},
	[COL_HELP] = {.title = "MEANING", .min = 20, .drop = 4, .flexible = true},
};

static const struct table_column setting_draft_columns[SETTING_COLUMNS] = {
	[DRAFT_NAME] = {.title = "PARAMETER", .min = 24, .max = 34},
	[DRAFT_NOW] = {.title = "NOW", .min = 14, .max = 20},
	[DRAFT_AFTER] = {.title = "AFTER", .min = 14, .max = 20},
	[DRAFT_DEFAULT] = {.title = "DEFAULT", .min = 12, .max = 14, .drop = 2},
	[DRAFT_FROM] = {.title = "FROM", .min = 13, .max = 20, .drop = 1},
	[DRAFT_LINT] = {.title = "LINT", .min = 6, .max = 9},
	[DRAFT_HELP] = {.title = "MEANING", .min = 20, .drop = 4, .flexible = true},
};

static const struct table_column finding_columns[FINDING_COLUMNS] = {
	{.title = "RULE", .min = 4},
	{.title = "", .min = 8},
	{.title = "PARAMETER", .min = 20, .max = 34},
	{.title = "WHAT", .min = 30, .flexible = true},
};

static const char *or_dash(const char *text)
{
	return text != NULL && text[0] != '\0' ? text : "-";
}

static enum role add_lint(const struct setting_list *l, const struct setting_row *item, struct str *out)
{
	const struct config_finding *first = setting_list_finding(l, item->name, 0);

	if (first == NULL)
		return ROLE_DIM;
	str_addf(out, "%s%s", first->id, setting_list_finding(l, item->name, 1) != NULL ? " +" : "");
	return finding_role(first);
}

/* Returns the origin of a setting without the directory of the file: "kahu.conf:12". */
static const char *short_origin(const struct setting_row *item)
{
	const char *slash = strrchr(item->origin, '/');

	return slash != NULL ? slash + 1 : item->origin;
}

static enum role plain_cell(const struct setting_list *l, const struct setting_row *item, enum column column,
			    struct str *out)
{
	switch (column) {
	case COL_NAME:
		str_add(out, item->name);
		return ROLE_TEXT;
	case COL_VALUE:
		str_add(out, or_dash(item->value));
		return setting_is_changed(item) ? ROLE_STRONG : ROLE_TEXT;
	case COL_DEFAULT:
		str_add(out, or_dash(item->row->fallback));
		return ROLE_DIM;
	case COL_UNIT:
		str_add(out, item->row->unit);
		return ROLE_DIM;
	case COL_FROM:
		str_add(out, short_origin(item));
		return item->seq != 0 ? ROLE_EVENT_OPERATOR : ROLE_DIM;
	case COL_LINT:
		return add_lint(l, item, out);
	default:
		str_add(out, item->row->help);
		return ROLE_DIM;
	}
}

static enum role draft_cell(const struct setting_list *l, const struct setting_row *item,
			    enum draft_column column, struct str *out)
{
	static const enum column same[SETTING_COLUMNS] = {
		[DRAFT_NAME] = COL_NAME, [DRAFT_DEFAULT] = COL_DEFAULT, [DRAFT_FROM] = COL_FROM,
		[DRAFT_LINT] = COL_LINT, [DRAFT_HELP] = COL_HELP,
	};

	switch (column) {
	case DRAFT_NOW:
		str_add(out, or_dash(now_of(l, item)));
		return ROLE_TEXT;
	case DRAFT_AFTER:
		str_add(out, setting_list_differs(l, item) ? or_dash(item->value) : "");
		return ROLE_TITLE_DRAFT;
	case DRAFT_FROM:
		if (setting_list_differs(l, item)) {
			str_add(out, "the draft");
			return ROLE_TITLE_DRAFT;
		}
		return plain_cell(l, item, COL_FROM, out);
	default:
		return plain_cell(l, item, same[column], out);
	}
}

static enum role setting_cell(const struct setting_list *l, const struct setting_row *item, size_t column,
			      struct str *out)
{
	return l->comparing ? draft_cell(l, item, (enum draft_column)column, out)
			    : plain_cell(l, item, (enum column)column, out);
}

static enum role finding_cell(const struct setting_list *l, const struct config_finding *finding,
			      size_t column, struct str *out)
{
	switch (column) {
	case 0:
		str_add(out, finding->id);
		return finding_role(finding);
	case 1:
		str_addf(out, "%s",
			 lint_cache_is_new(l->lint_cache, finding) ? "new"
								   : config_severity_name(finding->severity));
		return lint_cache_is_new(l->lint_cache, finding) ? ROLE_TITLE_DRAFT : finding_role(finding);
	case 2:
		str_add(out, finding->option);
		return ROLE_TEXT;
	default:
		str_add(out, finding->text);
		return ROLE_TEXT;
	}
}

#define LABEL_W 9 /* width of labels */

static void add_line(struct page *p, const char *label, enum role role, int width, const char *text)
{
	page_line(p);
	page_at(p, 1);
	page_add(p, ROLE_DIM, label);
	page_at(p, LABEL_W);
	page_wrap_on(p, role, LABEL_W, width - LABEL_W - 1, text);
}

/* --- origin of a value -------------------------------------------------------------------------------- */

struct entry {
	char who[64];
	int64_t time_s;
	bool found;
};

static bool take_entry(void *self, const struct event *ev)
{
	struct entry *entry = self;

	snprintf(entry->who, sizeof entry->who, "%s", ev->who != NULL ? ev->who : "");
	entry->time_s = ev->time_s;
	entry->found = true;
	return false;
}

/* Appends the user and the time of a live change, from the journal: " by eva, 16:02:11". */
static void add_who(const struct setting_list *l, uint64_t seq, struct store *store, struct str *out)
{
	struct entry entry = {.found = false};
	char when[MOMENT_TEXT];

	if (store == NULL || !store_journal(store, seq, false, take_entry, &entry, NULL) || !entry.found)
		return;
	str_addf(out, " by %s, %s", entry.who[0] != '\0' ? entry.who : "the scheduler",
		 wallclock_short(when, entry.time_s, l->o->now_s));
}

static void add_origin(struct page *p, const struct setting_list *l, const struct setting_row *item,
		       struct store *store, int width)
{
	const struct snapshot *s = l->o->live.s;
	struct str text = {0};

	if (setting_list_differs(l, item))
		str_add(&text, "the draft");
	else if (item->seq != 0)
		str_addf(&text, "set live, entry %" PRIu64, item->seq);
	else
		str_add(&text, item->line > 0 ? item->origin : "built-in default");
	if (item->seq != 0 && !setting_list_differs(l, item))
		add_who(l, item->seq, store, &text);
	if (item->said != NULL && (item->seq != 0 || setting_list_differs(l, item)))
		str_addf(&text, "; %s:%d says %s",
			 s->config_file ? snapshot_string(s, s->config_file) : "built in", item->line,
			 item->said);
	add_line(p, "from", item->seq != 0 ? ROLE_EVENT_OPERATOR : ROLE_TEXT, width, str_text(&text));
	str_free(&text);
}

/* --- details of a parameter --------------------------------------------------------------------------- */

static void add_findings(struct page *p, const struct setting_list *l, const char *option, int width)
{
	const struct config_finding *finding;

	for (size_t i = 0; (finding = setting_list_finding(l, option, i)) != NULL; i++)
		add_line(p, finding->id, finding_role(finding), width, finding->text);
}

/* Writes the details of a parameter. store: for the user and time of a live change; may be NULL. */
static void setting_page_row(struct page *p, const struct setting_list *l, const struct setting_row *item,
			     struct store *store, int width)
{
	const char *unit = item->row->unit;
	struct str text = {0};

	page_line(p);
	page_at(p, 1);
	page_add(p, ROLE_STRONG, item->name);
	page_addf(p, ROLE_TEXT, " = %s%s%s", or_dash(item->value), unit[0] != '\0' ? " " : "", unit);
	if (item->row->fallback != NULL)
		page_addf(p, ROLE_DIM, "   default %s", or_dash(item->row->fallback));
	add_findings(p, l, item->name, width);
	add_origin(p, l, item, store, width);
	option_print_legal(item->row, &text);
	add_line(p, "values", ROLE_TEXT, width, str_text(&text));
	add_line(p, "meaning", ROLE_TEXT, width, item->row->help);
	str_free(&text);
}

/* --- details of a finding ----------------------------------------------------------------------------- */

static void setting_page_finding(struct page *p, const struct setting_list *l,
				 const struct config_finding *finding, int width)
{
	const struct snapshot *s = l->o->live.s;
	struct str where = {0};

	page_line(p);
	page_at(p, 1);
	page_addf(p, ROLE_STRONG, "%s", finding->id);
	page_addf(p, finding_role(finding), " %s", config_severity_name(finding->severity));
	if (finding->line > 0)
		str_addf(&where, "%s:%d", s->config_file ? snapshot_string(s, s->config_file) : "built in",
			 finding->line);
	page_addf(p, ROLE_DIM, " %s", str_text(&where));
	add_line(p, "rule", ROLE_DIM, width, config_rule_find(finding->id)->says);
	add_line(p, "found", ROLE_TEXT, width, finding->text);
	add_line(p, "fix", finding->fix[0] != '\0' ? ROLE_TEXT : ROLE_DIM, width,
		 finding->fix[0] != '\0' ? finding->fix : "no single value fixes it");
	str_free(&where);
}

/* --- screen ------------------------------------------------------------------------------------------- */

#define PAGE_H 8 /* preferred height of the details */

#define LIST_H 8 /* minimum height of the list */

struct config_view {
	struct screen_host *host;
	struct setting_list list;
	enum setting_part part;
	bool lint;   /* findings are listed instead of settings */
	size_t *row; /* indices of the listed settings or findings */
	size_t rows, room;
	struct table settings, findings;
	struct page page;
	struct str asked; /* option for which a value is entered */
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

/* --- rows --------------------------------------------------------------------------------------------- */

static bool setting_passes(const struct config_view *v, const struct setting_row *item,
			   const struct filter *filter)
{
	const struct config_finding *finding;
	const char *scope = option_section_name(item->row->scope);

	if (filter->count == 0)
		return true;
	finding = setting_list_finding(&v->list, item->name, 0);
	return filter_match(filter,
			    (const struct named_text[]){
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
			    (const struct named_text[]){
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

/* Hash (FNV-1a) of the text, continued from `hash`. */
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

/* --- opening and closing ------------------------------------------------------------------------------ */

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

	setting_list_build(&v->list, v->host->ops->plan_query(v->host->console),
			   v->host->ops->lint_cache(v->host->console));
	v->settings.column = v->list.comparing ? setting_draft_columns : setting_columns;
	show_rows(v);
}

/* --- drawing ------------------------------------------------------------------------------------------ */

static const char *why_empty(const struct config_view *v)
{
	static const char *const parts[SETTING_PARTS] = {
		[SETTINGS_ALL] = "No matching parameters; <Esc> clears the filter.",
		[SETTINGS_CHANGED] = "No parameter differs from its default; f shows the next list.",
		[SETTINGS_LIVE] = "No parameter was set live; f shows the next list.",
		[SETTINGS_ODD] = "No lint findings; f shows all parameters.",
	};

	if (v->list.err.text[0] != '\0')
		return v->list.err.text;
	if (v->host->ops->filter(v->host->console)->count > 0)
		return parts[SETTINGS_ALL];
	return v->lint ? "No lint findings; <Tab> shows the parameters." : parts[v->part];
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

/* --- keys --------------------------------------------------------------------------------------------- */

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
		v->host->ops->say(v->host->console, ROLE_MESSAGE, "No single value fixes %s.", finding->id);
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

/* Switches to the other list, from a finding to its parameter or from a parameter to its first finding. */
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
			v->host->ops->say(v->host->console, ROLE_MESSAGE, "No lint findings for %s.",
					  item->name);
			return;
		}
		key = hash_of(hash_of(key, finding->id), finding->option);
	}
	v->lint = !v->lint;
	show_rows(v);
	if (!table_go(front(v), key))
		v->host->ops->say(v->host->console, ROLE_MESSAGE,
				  "Not in the list: the parameter is not set, or the filter hides it.");
}

static void config_act_here(struct config_view *v, enum action action)
{
	if (cursor(v) == TABLE_NO_ROW)
		v->host->ops->say(v->host->console, ROLE_MESSAGE, "No row under the cursor.");
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
	.names = "name value from section lint severity meaning what",
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
