/* SPDX-License-Identifier: MIT */
/*
 * whatif_edits.c - edits of the draft, and the effect of each
 */
#include "whatif_edits.h"

#include "tui/report/changes.h"
#include "view.h"

enum column {
	COL_NUMBER,
	COL_OFF,
	COL_TEXT,
	COL_COUNT
};

static const struct table_column columns[COL_COUNT] = {
	[COL_NUMBER] = {.title = "", .min = 2, .align = TEXT_RIGHT},
	[COL_OFF] = {.title = "", .min = 3},
	[COL_TEXT] = {.title = "", .min = 20, .flexible = true},
};

static uint64_t key(void *self, size_t row)
{
	(void)self;
	return row + 1;
}

static enum role cell(void *self, size_t row, size_t column, struct str *out)
{
	const struct edit *edit =
		&((const struct whatif_edits *)self)
			 ->host->ops->edits(((const struct whatif_edits *)self)->host->console)
			 ->item[row];

	switch (column) {
	case COL_NUMBER:
		str_addf(out, "%zu", row + 1);
		return ROLE_STRONG;
	case COL_OFF:
		str_add(out, edit->off ? "off" : "");
		return ROLE_WARNING;
	default:
		str_add(out, edit->text[0] ? edit->text : edit->line);
		return edit->off ? ROLE_DIM : ROLE_DRAFT;
	}
}

void whatif_edits_open(struct whatif_edits *l, struct screen_host *host)
{
	l->host = host;
	table_init(&l->table, columns, COL_COUNT);
	l->table.no_header = true;
}

void whatif_edits_close(struct whatif_edits *l)
{
	table_free(&l->table);
}

void whatif_edits_update(struct whatif_edits *l)
{
	struct table_source source = {.self = l, .key = key, .cell = cell};

	source.rows = l->host->ops->edits(l->host->console)->count;
	table_update(&l->table, &source);
}

int whatif_edits_height(const struct whatif_edits *l, int most)
{
	size_t rows = l->host->ops->edits(l->host->console)->count;

	return rows < (size_t)most ? (int)rows : most;
}

/* --- keys ------------------------------------------------------------------------------- */

static void typed(void *self, const char *text)
{
	const struct whatif_edits *l = self;

	if (text[0] && l->asked < l->host->ops->edits(l->host->console)->count)
		l->host->ops->replace_edit(l->host->console, l->asked, text);
}

static void write_anew(struct whatif_edits *l)
{
	l->asked = l->table.cursor;
	l->host->ops->ask(l->host->console,
			  "edit: ", l->host->ops->edits(l->host->console)->item[l->asked].line, typed, l);
}

bool whatif_edits_act(struct whatif_edits *l, enum action action)
{
	bool here = l->table.cursor != TABLE_NO_ROW &&
		    l->table.cursor < l->host->ops->edits(l->host->console)->count;

	switch (action) {
	case ACTION_EDIT:
	case ACTION_SWITCH:
	case ACTION_REMOVE:
		break;
	default:
		return false;
	}
	if (!here)
		l->host->ops->say(l->host->console, ROLE_MESSAGE, "There is no edit: nothing is drafted.");
	else if (action == ACTION_EDIT)
		write_anew(l);
	else if (action == ACTION_SWITCH)
		l->host->ops->switch_edit(l->host->console, l->table.cursor);
	else
		l->host->ops->remove_edit(l->host->console, l->table.cursor);
	return true;
}
