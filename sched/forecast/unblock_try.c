/* SPDX-License-Identifier: MIT */
/*
 * unblock_try.c - does a change start the job in time, and what does it cost others?
 *
 * A trial costs a projection that ends as soon as the job has started; only changes that help pay for a whole
 * one, to see whom they delay.
 */
#include <stdlib.h>

#include "sched/base/vec.h"
#include "sched/state/draft.h"
#include "unblock_inside.h"

/* --- trying -------------------------------------------------------------------------------------- */

/* A projection that ends when the job has started. */
struct watching {
	struct search *search;
	const struct projection *projection;
};

bool search_goes_on(struct search *s)
{
	s->stopped = s->stopped ||
		     (s->setup->should_continue != NULL && !s->setup->should_continue(s->setup->self));
	return !s->stopped;
}

bool search_may_spend(struct search *s, uint64_t more)
{
	if (s->allowance == 0 || s->work + more < s->allowance)
		return true;
	s->out->left |= 1U << s->part;
	s->is_cut = true;
	return false;
}

static bool until_started(void *self, uint32_t started)
{
	const struct watching *w = self;

	(void)started;
	return w->projection->start_s[w->search->slot] == TIME_NEVER && search_goes_on(w->search) &&
	       search_may_spend(w->search, w->projection->work);
}

static void look_at_place(void *self, const struct snapshot *s, const struct queue *queue,
			  const struct project_ranks *ranks)
{
	place_look(&((const struct watching *)self)->search->place, s, queue, ranks);
}

/* The state with a change; NULL: it would be refused. */
static struct state *changed_state(const struct search *s, const struct event *change)
{
	struct event ev = *change;

	ev.time_s = s->setup->now_s;
	return draft_make(s->s, &ev, 1, NULL, NULL);
}

/* Projects the trial at hand from a state that it uses up. */
static void project_trial(struct search *s, struct state *st, const struct project_setup *setup)
{
	uint64_t jobs = snapshot_count(s->s, TABLE_JOBS);

	s->is_cut = false;
	project_state(&s->trial, st, setup);
	s->work += jobs + s->trial.work;
}

/* When does the job start with this change, up to a moment? By projection; TIME_NEVER: it does not, or the
 * change is refused. */
static int64_t try_until(struct search *s, const struct event *ev, int64_t until_s)
{
	struct watching watching = {s, &s->trial};
	struct project_setup setup = {.from_s = s->setup->now_s,
				      .until_s = until_s,
				      .should_continue = until_started,
				      .self = &watching};
	bool may = s->setup->may == NULL || s->setup->may(s->setup->self, ev);
	struct state *st = may && search_goes_on(s) && search_may_spend(s, 0) ? changed_state(s, ev) : NULL;

	s->place = (struct place){.slot = s->slot};
	if (st == NULL)
		return TIME_NEVER;
	if (ev->kind == EVENT_PRIORITY) {
		s->place.room = INT64_MAX;
		setup.ranked = look_at_place;
	}
	project_trial(s, st, &setup);
	return s->trial.start_s[s->slot];
}

/* The same, in time. */
static int64_t try_event(struct search *s, const struct event *ev)
{
	return try_until(s, ev, s->by_s);
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

/* Up to which moment both futures are known; TIME_NEVER: to their ends. */
static int64_t known_until_s(const struct search *s)
{
	return s->base.stopped || s->is_cut ? s->trial.last_s : TIME_NEVER;
}

/* gone: the slot of the job that the change keeps from starting. Of another that would start beyond what is
 * known, the delay is at least up to there. */
static void note_delays(const struct search *s, uint32_t gone, struct unblock_change *c)
{
	int64_t until_s = known_until_s(s);

	for (uint32_t i = 0; i < snapshot_count(s->s, TABLE_WAITING); i++) {
		uint32_t slot = snapshot_waiting(s->s)[i].slot;
		int64_t before_s = s->base.start_s[slot], after_s = s->trial.start_s[slot];

		if (after_s == TIME_NEVER && until_s != TIME_NEVER && slot != gone)
			after_s = until_s;
		if (slot != s->slot && before_s != TIME_NEVER && after_s > before_s)
			note_delay(c, snapshot_jobs(s->s)[slot].id,
				   after_s == TIME_NEVER ? TIME_NEVER : after_s - before_s);
	}
	c->partial = until_s != TIME_NEVER;
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

/* A projection that ends when it is known whom the change delays. */
struct weighing {
	struct search *search;
	uint32_t gone; /* the slot of the job that the change keeps from starting */
	uint32_t at;   /* in WAITING: of all before it is known when they start   */
};

static uint32_t find_gone(const struct search *s, const struct event *ev)
{
	bool goes = ev->kind == EVENT_CANCEL || (ev->kind == EVENT_HOLD && ev->hold.on);

	return goes ? snapshot_find_job(s->s, ev->job) : INDEX_NONE;
}

/* Who does not start without the change is not delayed. */
static bool is_known(const struct weighing *w, uint32_t slot)
{
	const struct search *s = w->search;

	return s->trial.start_s[slot] != TIME_NEVER || slot == w->gone ||
	       (s->base.start_s[slot] == TIME_NEVER && slot != s->slot);
}

static bool until_known(void *self, uint32_t started)
{
	struct weighing *w = self;
	const struct snapshot *s = w->search->s;

	(void)started;
	while (w->at < snapshot_count(s, TABLE_WAITING) && is_known(w, snapshot_waiting(s)[w->at].slot))
		w->at++;
	return w->at < snapshot_count(s, TABLE_WAITING) && search_goes_on(w->search) &&
	       search_may_spend(w->search, w->search->trial.work);
}

/* What the change does, and at what cost; false: the job does not start in time with it. */
static bool weigh(struct search *s, const struct event *ev, struct unblock_change *out)
{
	struct weighing weighing = {s, find_gone(s, ev), 0};
	struct project_setup setup = {.from_s = s->setup->now_s,
				      .until_s = s->base.stopped ? s->base.last_s : TIME_NEVER,
				      .should_continue = until_known,
				      .self = &weighing};
	struct state *st = search_may_spend(s, 0) ? changed_state(s, ev) : NULL;

	*out = (struct unblock_change){.ev = *ev};
	if (st == NULL)
		return false;
	project_trial(s, st, &setup);
	out->starts_s = s->trial.start_s[s->slot];
	if (s->stopped || out->starts_s > s->by_s)
		return false;
	out->work_lost_ps = work_lost_ps(s, ev);
	note_delays(s, weighing.gone, out);
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

/* A start later than the soonest so far is of no use to a probe. */
static int64_t probe_one(struct search *s, const struct event *ev)
{
	return try_until(s, ev, s->soonest_s < s->by_s ? s->soonest_s : s->by_s);
}

static int64_t probe_and_note(struct search *s, const struct event *ev)
{
	int64_t starts_s = probe_one(s, ev);

	s->probed_s = vec_room(s->probed_s, &s->probed_room, s->probed + 1, sizeof *s->probed_s);
	return s->probed_s[s->probed++] = starts_s;
}

void search_keep_if_it_does(struct search *s, struct event ev)
{
	bool does_it;

	if (s->probing)
		does_it = probe_and_note(s, &ev) != TIME_NEVER;
	else if (s->probed > 0)
		does_it = s->probed_s[s->at++] <= s->by_s;
	else
		does_it = try_event(s, &ev) != TIME_NEVER;
	if (does_it)
		keep_event(s, &ev);
}

void search_keep_unnoted(struct search *s, struct event ev)
{
	if ((s->probing ? probe_one(s, &ev) : try_event(s, &ev)) != TIME_NEVER)
		keep_event(s, &ev);
}

/* --- numbers --------------------------------------------------------------------------------------- */

/* So far from `from` on the way to `to`. */
static int64_t at_distance(int64_t from, int64_t to, int64_t distance)
{
	return to > from ? from + distance : from - distance;
}

/* Does it with this number? Not where one before it failed and it is alike. */
static bool does(struct search *s, make_event *make, int64_t number)
{
	struct event ev;

	if (number > s->failed.number && number - s->failed.number <= s->failed.room)
		return false;
	ev = make(s, number);
	if (try_event(s, &ev) != TIME_NEVER)
		return true;
	s->failed.number = number;
	s->failed.room = s->place.room;
	return false;
}

/* The nearest number that does it, taken that those between `fails` and `does` do from one of them on. */
static int64_t halve(struct search *s, make_event *make, int64_t without, int64_t with)
{
	while (llabs(with - without) > 1) {
		int64_t middle = without + (with - without) / 2;

		if (does(s, make, middle))
			with = middle;
		else
			without = middle;
	}
	return with;
}

bool search_number(struct search *s, make_event *make, int64_t from, int64_t to, int64_t *number)
{
	int64_t room = llabs(to - from), reach = 0;
	struct event ev;

	s->failed.number = s->failed.room = 0;
	for (int64_t distance = 1; reach < room && !s->stopped; distance *= 2) {
		int64_t failed = reach;

		reach = distance < room ? distance : room;
		*number = at_distance(from, to, reach);
		if (!does(s, make, *number))
			continue;
		if (!s->probing)
			*number = halve(s, make, at_distance(from, to, failed), *number);
		ev = make(s, *number);
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

	/* A probe keeps no changes. */
	if (s->out->count == 0 || s->out->change[s->out->count - 1].delayed == 0 || !weigh(s, &ev, &best) ||
	    search_compare(&best, &s->out->change[s->out->count - 1]) >= 0)
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
