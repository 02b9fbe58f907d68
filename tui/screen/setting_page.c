/* SPDX-License-Identifier: MIT */
/*
 * setting_page.c - details of one parameter, and of one finding of lint
 */
#include "setting_page.h"

#include <inttypes.h>
#include <stdio.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/rm/wallclock.h"
#include "store/store.h"

#define LABEL_W 9 /* cells before the text of a line */

static void add_line(struct page *p, const char *label, enum role role, int width, const char *text)
{
	page_line(p);
	page_at(p, 1);
	page_add(p, ROLE_DIM, label);
	page_at(p, LABEL_W);
	page_wrap_on(p, role, LABEL_W, width - LABEL_W - 1, text);
}

/* --- who set it ----------------------------------------------------------------------------- */

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

/* " by eva, 16:02:11": from the journal, where it is kept. */
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
		str_add(&text, item->line > 0 ? item->origin : "default: nobody has set it");
	if (item->seq != 0 && !setting_list_differs(l, item))
		add_who(l, item->seq, store, &text);
	if (item->said != NULL && (item->seq != 0 || setting_list_differs(l, item)))
		str_addf(&text, "; %s:%d says %s",
			 s->config_file ? snapshot_string(s, s->config_file) : "built in", item->line,
			 item->said);
	add_line(p, "from", item->seq != 0 ? ROLE_EVENT_OPERATOR : ROLE_TEXT, width, str_text(&text));
	str_free(&text);
}

/* --- one parameter ---------------------------------------------------------------------------- */

static const char *or_dash(const char *text)
{
	return text != NULL && text[0] != '\0' ? text : "-";
}

static void add_findings(struct page *p, const struct setting_list *l, const char *option, int width)
{
	const struct config_finding *finding;

	for (size_t i = 0; (finding = setting_list_finding(l, option, i)) != NULL; i++)
		add_line(p, finding->id, finding_role(finding), width, finding->text);
}

void setting_page_row(struct page *p, const struct setting_list *l, const struct setting_row *item,
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
	add_line(p, "takes", ROLE_TEXT, width, str_text(&text));
	add_line(p, "meaning", ROLE_TEXT, width, item->row->help);
	str_free(&text);
}

/* --- one finding ------------------------------------------------------------------------------ */

void setting_page_finding(struct page *p, const struct setting_list *l, const struct config_finding *finding,
			  int width)
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
		 finding->fix[0] != '\0' ? finding->fix : "no one value mends it");
	str_free(&where);
}
