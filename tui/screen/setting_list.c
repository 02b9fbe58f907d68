/* SPDX-License-Identifier: MIT */
/*
 * setting_list.c - rows of the Config screen: parameters and findings of lint
 *
 * What is set changes seldom and jobs often: the text is taken apart again only when something was set.
 */
#include "setting_list.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"

/* --- life ------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t word)
{
	return (hash ^ word) * UINT64_C(0x100000001b3);
}

/* Another number whenever something is set: of the text, and of the live changes that hold. */
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

void setting_list_build(struct setting_list *l, const struct plan_query *o,
			const struct lint_cache *lint_cache)
{
	l->o = o;
	l->lint_cache = lint_cache;
	l->comparing = o->draft.s != NULL;
	read_settings(&l->live, &l->version, o->live.s, &l->err);
	if (l->comparing)
		read_settings(&l->draft, &l->draft_version, o->draft.s, &l->err);
}

void setting_list_free(struct setting_list *l)
{
	settings_free(&l->live);
	settings_free(&l->draft);
}

/* --- looking ------------------------------------------------------------------------------------ */

const struct settings *setting_list_shown(const struct setting_list *l)
{
	return l->comparing ? &l->draft : &l->live;
}

const struct lint_list *setting_list_findings(const struct setting_list *l)
{
	return lint_cache_shown(l->lint_cache);
}

const struct config_finding *setting_list_finding(const struct setting_list *l, const char *option, size_t i)
{
	const struct lint_list *found = setting_list_findings(l);

	for (size_t at = 0; at < found->count; at++)
		if (str_same_word(found->item[at].option, option) && i-- == 0)
			return &found->item[at];
	return NULL;
}

/* What holds now; NULL = nothing is set. */
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

bool setting_list_differs(const struct setting_list *l, const struct setting_row *item)
{
	return l->comparing && !same_text(now_of(l, item), item->value);
}

bool setting_list_is_in(const struct setting_list *l, const struct setting_row *item, enum setting_part part)
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

/* --- cells ------------------------------------------------------------------------------------- */

/* The first is the same with a draft. */
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

const struct table_column setting_columns[SETTING_COLUMNS] = {
	[COL_NAME] = {.title = "PARAMETER", .min = 24, .max = 34},
	[COL_VALUE] = {.title = "VALUE", .min = 14, .max = 20},
	[COL_DEFAULT] = {.title = "DEFAULT", .min = 12, .max = 14, .drop = 2},
	[COL_UNIT] = {.title = "UNIT", .min = 6, .max = 12, .drop = 3},
	[COL_FROM] = {.title = "FROM", .min = 13, .max = 20, .drop = 1},
	[COL_LINT] = {.title = "LINT", .min = 6, .max = 9},
	[COL_HELP] = {.title = "MEANING", .min = 20, .drop = 4, .flexible = true},
};

const struct table_column setting_draft_columns[SETTING_COLUMNS] = {
	[DRAFT_NAME] = {.title = "PARAMETER", .min = 24, .max = 34},
	[DRAFT_NOW] = {.title = "NOW", .min = 14, .max = 20},
	[DRAFT_AFTER] = {.title = "AFTER", .min = 14, .max = 20},
	[DRAFT_DEFAULT] = {.title = "DEFAULT", .min = 12, .max = 14, .drop = 2},
	[DRAFT_FROM] = {.title = "FROM", .min = 13, .max = 20, .drop = 1},
	[DRAFT_LINT] = {.title = "LINT", .min = 6, .max = 9},
	[DRAFT_HELP] = {.title = "MEANING", .min = 20, .drop = 4, .flexible = true},
};

const struct table_column finding_columns[FINDING_COLUMNS] = {
	{.title = "RULE", .min = 4},
	{.title = "", .min = 8},
	{.title = "PARAMETER", .min = 20, .max = 34},
	{.title = "WHAT", .min = 30, .flexible = true},
};

static const char *or_dash(const char *text)
{
	return text != NULL && text[0] != '\0' ? text : "-";
}

enum role finding_role(const struct config_finding *finding)
{
	return finding->severity == SEVERITY_ERROR     ? ROLE_ERROR
	       : finding->severity == SEVERITY_WARNING ? ROLE_WARNING
						       : ROLE_MESSAGE;
}

static enum role add_lint(const struct setting_list *l, const struct setting_row *item, struct str *out)
{
	const struct config_finding *first = setting_list_finding(l, item->name, 0);

	if (first == NULL)
		return ROLE_DIM;
	str_addf(out, "%s%s", first->id, setting_list_finding(l, item->name, 1) != NULL ? " +" : "");
	return finding_role(first);
}

/* A file's last name is enough beside its line. */
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

enum role setting_cell(const struct setting_list *l, const struct setting_row *item, size_t column,
		       struct str *out)
{
	return l->comparing ? draft_cell(l, item, (enum draft_column)column, out)
			    : plain_cell(l, item, (enum column)column, out);
}

enum role finding_cell(const struct setting_list *l, const struct config_finding *finding, size_t column,
		       struct str *out)
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
