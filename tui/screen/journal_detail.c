/* SPDX-License-Identifier: MIT */
/*
 * journal_detail.c - details of the journal entry under the cursor
 */
#include "journal_detail.h"

#include <inttypes.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"
#include "tui/query/impact_query.h"
#include "tui/report/impact.h"
#include "view.h"

#define INDENT 3

static void put(struct page *p, enum role role, int width, const char *title, const char *text)
{
	struct str line = {0};

	str_addf(&line, "%s: %s", title, text);
	page_wrap(p, role, INDENT, width - INDENT, str_text(&line));
	str_free(&line);
}

static void put_queue(struct page *p, const struct impact *impact, int width)
{
	const char *before = str_text(&impact->before), *after = str_text(&impact->after);
	struct str both = {0};

	if (before[0] == '\0' && after[0] == '\0')
		return;
	if (strcmp(before, after) == 0)
		str_addf(&both, "%s, as before", after);
	else
		str_addf(&both, "%s -> %s", before[0] ? before : "nobody", after[0] ? after : "nobody");
	put(p, ROLE_TEXT, width, "queue", str_text(&both));
	str_free(&both);
}

/* What was run again ends with the entry that was the last then. */
static void put_whole(struct page *p, const struct consequences *b, int64_t now_s, int width)
{
	char when[MOMENT_TEXT];
	struct str title = {0}, text = {0};

	str_addf(&title, "because of it, by %s", wallclock_short(when, b->record.until_s, now_s));
	consequences_print(b, &text);
	put(p, ROLE_TEXT, width, str_text(&title), str_text(&text));
	str_free(&title);
	str_free(&text);
}

static void put_because(struct page *p, struct screen_host *host, uint64_t seq, int width)
{
	bool making;
	const struct consequences_query *h = host->ops->consequences_query(host->console, seq, &making);
	struct str text = {0};

	if (h && !making) {
		put_whole(p, &h->consequences, host->ops->outlook(host->console)->now_s, width);
		return;
	}
	if (h)
		str_addf(&text, "all since is run again, with it and without it: %d %%; b stops it",
			 consequences_query_percent(h));
	else
		str_add(&text, "b runs all since again, with it and without it");
	put(p, ROLE_DIM, width, "because of it", str_text(&text));
	str_free(&text);
}

static void put_found(struct page *p, struct screen_host *host, uint64_t seq, const struct impact *impact,
		      int width)
{
	const char *undo = plan_query_is_past(host->ops->outlook(host->console))
				   ? NULL
				   : host->ops->undo_now(host->console, seq);

	if (impact->brief.len == 0)
		return;
	put(p, ROLE_TEXT, width, "at once", str_text(&impact->brief));
	put_queue(p, impact, width);
	if (undo && undo[0])
		put(p, ROLE_TEXT, width, "undo now", undo);
	put_because(p, host, seq, width);
}

static void put_none(struct page *p, struct screen_host *host, const struct err *err)
{
	page_line(p);
	page_at(p, 1);
	if (err->text[0])
		page_add(p, ROLE_ERROR, err->text);
	else
		page_add(p, ROLE_DIM,
			 host->ops->store(host->console) ? "No entry matches."
							 : "No journal can be read here.");
}

static void put_entry(struct page *p, const struct journal_entry *e, int width)
{
	char when[MOMENT_TEXT];
	struct str text = {0};

	str_addf(&text, "%" PRIu64 "  %s  %s: %s", e->seq, wallclock_iso(when, e->time_s), e->who, e->what);
	page_wrap(p, ROLE_TEXT, 1, width - 1, str_text(&text));
	str_free(&text);
}

void journal_detail(struct page *p, struct screen_host *host, const struct journal_entry *e,
		    const struct err *err, int width)
{
	const struct impact *impact = e ? host->ops->impact(host->console, e->seq) : NULL;

	if (!e) {
		put_none(p, host, err);
		return;
	}
	put_entry(p, e, width);
	if (impact)
		put_found(p, host, e->seq, impact, width);
	else if (impact_applies(e->kind) && host->ops->store(host->console))
		put(p, ROLE_DIM, width, "at once", "being looked up");
}
