/* SPDX-License-Identifier: MIT */
/*
 * whatif_asks.c - what can be asked on the What-if screen, and on those of the answers?
 *
 * For a sweep the prompt holds the setting of the edit under the cursor, or a weight that is in use, and a
 * range around what it is now; for a goal it holds "now".
 */
#include "whatif_asks.h"

#include <stdio.h>

#include "sched/base/duration.h"
#include "sched/core/crossing.h"
#include "tui/query/trial.h"
#include "tui/console/edits.h"
#include "tui/report/sweep_words.h"
#include "sched/rm/wallclock.h"
#include "view.h"

static void refuse(struct console *c, const struct err *err)
{
	console_say(c, ROLE_ERROR, "%s", err->text);
}

/* --- a sweep -------------------------------------------------------------------------------- */

static void sweep_typed(void *self, const char *text)
{
	struct err err;

	if (text[0] && !console_try_sweep(self, text, &err))
		refuse(self, &err);
}

/* NULL: it sets nothing, or its events are not known. */
static const char *setting_of(const struct console *c, size_t at)
{
	const struct proposal *p = console_outlook(c)->proposal;
	const struct edit *edit = at < console_edits(c)->count ? &console_edits(c)->item[at] : NULL;

	if (!p || !edit || edit->off || edit->first >= p->changes.count ||
	    p->changes.event[edit->first].kind != EVENT_SETTING)
		return NULL;
	return p->changes.event[edit->first].setting.name;
}

/* What people turn first: how much waiting counts; then what else is in use. */
static const char *weight_in_use(const struct snapshot *s)
{
	static const unsigned first[] = {PRIO_SERV_QUEUETIME, PRIO_SERV_XFACTOR};

	for (unsigned i = 0; i < 2 + PRIO_FACTOR_COUNT; i++) {
		struct config_weight weight = {FACTOR_WEIGHT, i < 2 ? first[i] : i - 2};

		if (crossing_in_use(&s->policy.weights, weight))
			return config_weight_name(weight);
	}
	return "queuetimeweight";
}

static void ask_sweep(struct console *c, size_t edit)
{
	const struct outlook *o = console_outlook(c);
	const struct snapshot *s = o->draft.s ? o->draft.s : o->live.s;
	const char *name = setting_of(c, edit);
	struct str offer = {0};

	if (name)
		sweep_words_offer(s, name, &offer);
	if (offer.len == 0)
		sweep_words_offer(s, weight_in_use(s), &offer);
	console_ask(c, "sweep: ", str_text(&offer), sweep_typed, c);
	str_free(&offer);
}

/* --- a goal --------------------------------------------------------------------------------- */

static void goal_typed(void *self, const char *text)
{
	int64_t by_s = console_outlook(self)->now_s;
	struct err err;

	if (!text[0])
		return;
	if ((!str_same_word(text, "now") && !wallclock_parse(text, by_s, &by_s, &err)) ||
	    !console_try_goal(self, by_s, &err))
		refuse(self, &err);
}

static void ask_goal(struct console *c)
{
	const struct forecast *f = &console_outlook(c)->live;
	const struct job *job = forecast_job(f, console_job(c), NULL);
	char label[JOB_LABEL_TEXT], sign[JOB_LABEL_TEXT + 32];

	if (!job || job->state != JOB_IDLE) {
		console_say(c, ROLE_MESSAGE, "There is no waiting job under the cursor.");
		return;
	}
	snprintf(sign, sizeof sign, "job %s is to start by: ", snapshot_job_label(f->s, job, label));
	console_ask(c, sign, "now", goal_typed, c);
}

bool whatif_asks(struct console *c, enum action action, size_t edit)
{
	if (action != ACTION_SWEEP && action != ACTION_GOAL)
		return false;
	if (!console_outlook(c))
		console_say(c, ROLE_MESSAGE, "The queue is not read yet.");
	else if (action == ACTION_SWEEP)
		ask_sweep(c, edit);
	else
		ask_goal(c);
	return true;
}
