/* SPDX-License-Identifier: MIT */
/*
 * console_numbers.c - what stands in the pane of = ?
 *
 * The figures of the row under the cursor, as the screen in front gives them, with who made the
 * entries they name. Where they need more lines than the pane has, = goes on to the next of them and
 * closes the pane behind the last.
 */
#include "console_inside.h"
#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"
#include "store/store.h"
#include "tui/screen/figure_page.h"
#include "tui/screen/job_figures.h"

bool console_shows_numbers(const struct console *c)
{
	const struct view_ops *v = console_view(c);

	return c->numbers && (v->jobs || v->one_job || v->numbers);
}

struct asked_entry {
	uint64_t seq;
	int64_t now_s;
	struct str *out;
};

static bool visit_entry(void *self, const struct event *ev)
{
	struct asked_entry *asked = self;
	char when[MOMENT_TEXT];

	if (ev->seq == asked->seq)
		str_addf(asked->out, " by %s, %s", ev->who ? ev->who : "sched",
			 wallclock_short(when, ev->time_s, asked->now_s));
	return false;
}

/* Says nothing of an entry that the journal has no more. */
static void tell_who(void *self, uint64_t entry, struct str *out)
{
	struct console *c = self;
	struct asked_entry asked = {.seq = entry, .now_s = c->shown->now_s, .out = out};
	struct err err;

	if (console_store(c))
		(void)store_journal(console_store(c), entry, false, visit_entry, &asked, &err);
}

void console_write_numbers(struct console *c)
{
	page_clear(&c->note);
	figures_clear(&c->figures, c->shown->now_s);
	if (console_view(c)->numbers)
		console_view(c)->numbers(console_view_memory(c), &c->figures);
	else
		job_figures_now(&c->figures, c->shown, c->job, FORMULA_POINTS);
	figures_tell(&c->figures, tell_who, c);
	figure_page_put(&c->note, &c->figures, c->canvas.w);
}

/* False: the last line of them is on the screen. */
static bool go_on(struct console *c)
{
	struct console_layout layout;
	size_t before = c->note.top;

	if (!c->shown)
		return false;
	console_write_numbers(c);
	console_layout(c, &layout);
	c->note.body = layout.note.h - 1;
	page_move(&c->note, c->note.body);
	return c->note.top > before;
}

void console_turn_numbers(struct console *c)
{
	if (console_shows_numbers(c) && go_on(c))
		return;
	c->numbers = !console_shows_numbers(c);
	page_home(&c->note);
	if (!c->numbers || console_shows_numbers(c))
		return;
	c->numbers = false;
	console_say(c, ROLE_MESSAGE, "There is no number on this screen that could be explained.");
}
