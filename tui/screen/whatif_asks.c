/* SPDX-License-Identifier: MIT */
/*
 * whatif_asks.c - prompts for a sweep and for a goal
 *
 * For a sweep the prompt holds the setting of the edit under the cursor, or a weight that is in use, and a
 * range around what it is now; for a goal it holds "now".
 */
#include "whatif_asks.h"

#include <stdio.h>

#include "sched/base/duration.h"
#include "sched/pass/crossing.h"
#include "sched/rm/wallclock.h"
#include "tui/query/draft_query.h"
#include "tui/report/changes.h"
#include "view.h"

static void refuse(struct screen_host *host, const struct err *err)
{
	host->ops->say(host->console, ROLE_ERROR, "%s", err->text);
}

/* --- a sweep -------------------------------------------------------------------------------- */

static void sweep_typed(void *self, const char *text)
{
	struct screen_host *host = self;
	struct err err;

	if (text[0] && !host->ops->try_sweep(host->console, text, &err))
		refuse(host, &err);
}

/* NULL: it sets nothing, or its events are not known. */
static const char *setting_of(struct screen_host *host, size_t at)
{
	const struct proposal *p = host->ops->outlook(host->console)->proposal;
	const struct edit *edit = at < host->ops->edits(host->console)->count
					  ? &host->ops->edits(host->console)->item[at]
					  : NULL;

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

static void ask_sweep(struct screen_host *host, size_t edit)
{
	const struct plan_query *o = host->ops->outlook(host->console);
	const struct snapshot *s = o->draft.s ? o->draft.s : o->live.s;
	const char *name = setting_of(host, edit);
	struct str offer = {0};

	if (name)
		sweep_spec_offer(s, name, &offer);
	if (offer.len == 0)
		sweep_spec_offer(s, weight_in_use(s), &offer);
	host->ops->ask(host->console, "sweep: ", str_text(&offer), sweep_typed, host);
	str_free(&offer);
}

/* --- a goal --------------------------------------------------------------------------------- */

static void goal_typed(void *self, const char *text)
{
	struct screen_host *host = self;
	int64_t by_s = host->ops->outlook(host->console)->now_s;
	struct err err;

	if (!text[0])
		return;
	if ((!str_same_word(text, "now") && !wallclock_parse(text, by_s, &by_s, &err)) ||
	    !host->ops->try_goal(host->console, by_s, &err))
		refuse(host, &err);
}

static void ask_goal(struct screen_host *host)
{
	const struct forecast *f = &host->ops->outlook(host->console)->live;
	const struct job *job = forecast_job(f, host->ops->job(host->console), NULL);
	char label[JOB_LABEL_TEXT], sign[JOB_LABEL_TEXT + 32];

	if (!job || job->state != JOB_IDLE) {
		host->ops->say(host->console, ROLE_MESSAGE, "There is no waiting job under the cursor.");
		return;
	}
	snprintf(sign, sizeof sign, "job %s is to start by: ", snapshot_job_label(f->s, job, label));
	host->ops->ask(host->console, sign, "now", goal_typed, host);
}

bool whatif_asks(struct screen_host *host, enum action action, size_t edit)
{
	if (action != ACTION_SWEEP && action != ACTION_GOAL)
		return false;
	if (!host->ops->outlook(host->console))
		host->ops->say(host->console, ROLE_MESSAGE, "The queue is not read yet.");
	else if (action == ACTION_SWEEP)
		ask_sweep(host, edit);
	else
		ask_goal(host);
	return true;
}
