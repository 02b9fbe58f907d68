/* SPDX-License-Identifier: MIT */
/*
 * unblock_try.c - does a change start the job in time, and what does it cost others?
 *
 * A trial costs a projection that ends as soon as the job has started; only changes that help pay for a whole
 * one, to see whom they delay.
 */
#include <stdlib.h>

#include "draft.h"
#include "sched/base/vec.h"
#include "unblock_inside.h"

/* --- trying -------------------------------------------------------------------------------------- */

/* A projection that ends when the job has started. */
struct watching {
	struct search *search;
	const struct projection *projection;
};

bool search_goes_on(struct search *s)
{
	s->stopped = s->stopped || (s->setup->go_on != NULL && !s->setup->go_on(s->setup->self));
	return !s->stopped;
}

static bool until_started(void *self, uint32_t started)
{
	const struct watching *w = self;

	(void)started;
	return w->projection->start_s[w->search->slot] == TIME_NEVER && search_goes_on(w->search);
}

static bool until_told(void *self, uint32_t started)
{
	(void)started;
	return search_goes_on(self);
}

/* The state with a change; NULL: it would be refused. state_free it. */
static struct state *changed_state(const struct search *s, const struct event *change)
{
	struct event ev = *change;

	ev.time_s = s->setup->now_s;
	return draft_make(s->s, &ev, 1, NULL, NULL);
}

/* Does the job start in time with this change? When, by projection; TIME_NEVER: not in time, or it is
 * refused. */
static int64_t try_event(struct search *s, const struct event *ev)
{
	struct watching watching = {s, &s->trial};
	struct project_setup setup = {
		.from_s = s->setup->now_s, .until_s = s->by_s, .go_on = until_started, .self = &watching};
	bool may = s->setup->may == NULL || s->setup->may(s->setup->self, ev);
	struct state *st = may && search_goes_on(s) ? changed_state(s, ev) : NULL;

	if (st == NULL)
		return TIME_NEVER;
	project_run(&s->trial, state_view(st), &setup);
	state_free(st);
	return s->trial.start_s[s->slot];
}

/* --- what it costs ------------------------------------------------------------------------------- */

static void note_delay(struct unblock_change *c, uint64_t job, int64_t by_s)
{
	uint32_t at;

	c->delayed++;
	if (by_s == TIME_NEVER)
		c->forever++;
	else
		c->delay_sum_s += by_s;
	if (c->delays < UNBLOCK_DELAYS)
		c->delays++;
	else if (by_s <= c->delay[c->delays - 1].by_s)
		return;
	for (at = c->delays - 1; at > 0 && c->delay[at - 1].by_s < by_s; at--)
		c->delay[at] = c->delay[at - 1];
	c->delay[at] = (struct unblock_delay){job, by_s};
}

static void note_delays(const struct search *s, struct unblock_change *c)
{
	for (uint32_t i = 0; i < snapshot_count(s->s, TABLE_WAITING); i++) {
		uint32_t slot = snapshot_waiting(s->s)[i].slot;
		int64_t before_s = s->base.start_s[slot], after_s = s->trial.start_s[slot];

		if (slot != s->slot && after_s > before_s)
			note_delay(c, snapshot_jobs(s->s)[slot].id,
				   after_s == TIME_NEVER ? TIME_NEVER : after_s - before_s);
	}
}

/* What a job that runs has done so far is lost with it. */
static int64_t work_lost_ps(const struct search *s, const struct event *ev)
{
	uint32_t slot = ev->kind == EVENT_CANCEL ? snapshot_find_job(s->s, ev->job) : INDEX_NONE;
	const struct job *job = slot == INDEX_NONE ? NULL : &snapshot_jobs(s->s)[slot];

	if (job == NULL || job->state != JOB_RUNNING)
		return 0;
	return (s->setup->now_s - job->start_s) * job_procs_counted(job);
}

int search_compare(const struct unblock_change *one, const struct unblock_change *two)
{
	if ((one->ev.kind == EVENT_CANCEL) != (two->ev.kind == EVENT_CANCEL))
		return one->ev.kind == EVENT_CANCEL ? 1 : -1;
	if (one->forever != two->forever)
		return one->forever < two->forever ? -1 : 1;
	if (one->delayed != two->delayed)
		return one->delayed < two->delayed ? -1 : 1;
	if (one->delay_sum_s != two->delay_sum_s)
		return one->delay_sum_s < two->delay_sum_s ? -1 : 1;
	return (one->work_lost_ps > two->work_lost_ps) - (one->work_lost_ps < two->work_lost_ps);
}

/* What the change does, and at what cost; false: the job does not start in time with it. */
static bool weigh(struct search *s, const struct event *ev, struct unblock_change *out)
{
	struct project_setup setup = {
		.from_s = s->setup->now_s, .until_s = TIME_NEVER, .go_on = until_told, .self = s};
	struct state *st = changed_state(s, ev);

	*out = (struct unblock_change){.ev = *ev};
	if (st == NULL)
		return false;
	project_run(&s->trial, state_view(st), &setup);
	state_free(st);
	out->starts_s = s->trial.start_s[s->slot];
	if (s->stopped || out->starts_s > s->by_s)
		return false;
	out->work_lost_ps = work_lost_ps(s, ev);
	note_delays(s, out);
	return true;
}

static void keep(struct search *s, const struct unblock_change *change)
{
	s->out->change = vec_room(s->out->change, &s->out->room, s->out->count + 1, sizeof *s->out->change);
	s->out->change[s->out->count++] = *change;
}

/* Keeps a change that does it, with what it costs others. */
static void keep_event(struct search *s, const struct event *ev)
{
	struct unblock_change change;

	if (!s->probing) {
		if (weigh(s, ev, &change))
			keep(s, &change);
	} else if (s->trial.start_s[s->slot] < s->soonest_s) {
		s->soonest_s = s->trial.start_s[s->slot];
	}
}

void search_keep_if_it_does(struct search *s, struct event ev)
{
	if (try_event(s, &ev) != TIME_NEVER)
		keep_event(s, &ev);
}

/* --- numbers --------------------------------------------------------------------------------------- */

/* So far from `from` on the way to `to`. */
static int64_t at_distance(int64_t from, int64_t to, int64_t distance)
{
	return to > from ? from + distance : from - distance;
}

/* The nearest number that does it, taken that those between `fails` and `does` do from one of them on. */
static int64_t halve(struct search *s, make_event *make, int64_t fails, int64_t does)
{
	while (llabs(does - fails) > 1) {
		int64_t middle = fails + (does - fails) / 2;
		struct event ev = make(s, middle);

		if (try_event(s, &ev) == TIME_NEVER)
			fails = middle;
		else
			does = middle;
	}
	return does;
}

bool search_number(struct search *s, make_event *make, int64_t from, int64_t to, int64_t *number)
{
	int64_t room = llabs(to - from), reach = 0;
	struct event ev;

	for (int64_t distance = 1; reach < room && !s->stopped; distance *= 2) {
		int64_t failed = reach;

		reach = distance < room ? distance : room;
		ev = make(s, at_distance(from, to, reach));
		if (try_event(s, &ev) == TIME_NEVER)
			continue;
		*number = at_distance(from, to, reach);
		if (!s->probing) {
			*number = halve(s, make, at_distance(from, to, failed), *number);
			ev = make(s, *number);
		}
		keep_event(s, &ev);
		return true;
	}
	return false;
}

void search_cheaper(struct search *s, make_event *make, int64_t from, int64_t to)
{
	struct unblock_change best, change;
	int64_t costs = from, does = to;
	struct event ev = make(s, to);

	if (s->probing || s->out->count == 0 || s->out->change[s->out->count - 1].delayed == 0 ||
	    !weigh(s, &ev, &best) || search_compare(&best, &s->out->change[s->out->count - 1]) >= 0)
		return;
	while (llabs(does - costs) > 1) {
		int64_t middle = costs + (does - costs) / 2;

		ev = make(s, middle);
		if (weigh(s, &ev, &change) && search_compare(&change, &best) <= 0) {
			does = middle;
			best = change;
		} else {
			costs = middle;
		}
	}
	if (!s->stopped)
		keep(s, &best);
}

/* --- events --------------------------------------------------------------------------------------- */

bool search_fails(const struct search *s, enum gate gate)
{
	return s->why.check[gate].known && !s->why.check[gate].ok;
}

struct event search_event(const struct search *s, enum event_kind kind)
{
	return (struct event){.kind = kind, .job = s->job->id, .who = "whatif"};
}

/* It lives as long as the list. */
static const char *own_text(struct search *s, const char *text)
{
	return arena_string(&s->out->arena, text);
}

struct event search_modify(struct search *s, const char *name, const char *value)
{
	struct event ev = search_event(s, EVENT_MODIFY);

	ev.modify.name = name;
	ev.modify.value = own_text(s, value);
	return ev;
}

struct event search_setting(struct search *s, const char *name, const char *value)
{
	struct event ev = search_event(s, EVENT_SETTING);

	ev.job = 0;
	ev.setting.name = own_text(s, name);
	ev.setting.value = own_text(s, value);
	return ev;
}
