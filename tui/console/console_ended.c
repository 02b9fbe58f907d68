/* SPDX-License-Identifier: MIT */
/*
 * console_ended.c - which jobs have ended, for a screen that lists them?
 *
 * Who runs the scheduler looks into its store; who is attached asks it, and goes on meanwhile: when the
 * answer has come the screens are brought up to date, and the one that asked reads it.
 */
#include "console_inside.h"
#include "store/store.h"
#include "tui/serve/past.h"

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
	const struct history_wish wish = ended_span_wish(span);
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
