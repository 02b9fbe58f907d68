/* SPDX-License-Identifier: MIT */
/*
 * event_reserve.c - what may be reserved in advance, and released?
 *
 * An administrator reserves what he likes, also nodes on which jobs run: they go on, and what
 * they leave is kept. A user's own reservation is within what the site allows, takes no processors
 * that others may still hold then, delays no promised start, and always admits the user who made it.
 */
#include <stdlib.h>
#include <string.h>

#include "event_inside.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/placement/room.h"

/* --- a user's own -------------------------------------------------------------------------------- */

static bool is_for(const struct advance_text *a, const char *user)
{
	for (size_t i = 0; i < a->guest_count; i++)
		if (a->guest[i].type == CRED_USER && strcmp(a->guest[i].name, user) == 0)
			return true;
	return false;
}

static uint32_t own_reservations(const struct snapshot *s, const char *user, int64_t now_s)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_ADVANCES); i++) {
		const struct advance *a = &snapshot_advances(s)[i];

		count += a->personal && !advance_is_over(a, now_s) &&
			 strcmp(snapshot_string(s, a->owner), user) == 0;
	}
	return count;
}

static bool check_count(const struct snapshot *s, const char *user, int64_t now_s, struct err *err)
{
	int64_t most = s->policy.user_reservations;

	if (most == 0)
		return err_set(err, "users make no reservations at this site (userreservations is 0)");
	return own_reservations(s, user, now_s) < most ||
	       err_set(err, "%s has %lld reservation%s already, and a user may have no more", user,
		       (long long)most, most == 1 ? "" : "s");
}

static bool check_length(const struct policy *policy, const struct advance_text *a, int64_t now_s,
			 struct err *err)
{
	int64_t begin_s = a->begin_s > now_s ? a->begin_s : now_s, most_s = policy->user_reservation_s;
	char is[DURATION_TEXT], most[DURATION_TEXT];

	if (a->end_s == TIME_NEVER)
		return err_set(err, "a reservation of one's own needs an end");
	return most_s == 0 || a->end_s - begin_s <= most_s ||
	       err_set(err, "a reservation of one's own lasts at most %s, not %s",
		       duration_text(most, most_s), duration_text(is, a->end_s - begin_s));
}

/* What is asked of each node, and of what is left there. */
struct asking {
	const struct snapshot *s;
	const struct advance_text *text;
	struct room *room;
	uint32_t *procs; /* by node */
	int64_t sum, now_s;
};

static void add_node(struct asking *k, uint32_t node, uint32_t procs)
{
	k->procs[node] = procs > 0 ? procs : snapshot_nodes(k->s)[node].procs;
	k->sum += k->procs[node];
}

static bool has_spare(const struct asking *k, uint32_t node)
{
	return k->procs[node] == 0 ||
	       room_spare(k->room, node, k->text->begin_s, k->text->end_s) >= k->procs[node];
}

/* They must be nobody's until the end. */
static bool check_node(const struct asking *k, uint32_t node, struct err *err)
{
	int64_t spare = room_spare(k->room, node, k->text->begin_s, k->text->end_s);

	return spare >= k->procs[node] ||
	       err_set(err, "node %s will have %lld of its processors free of others then, not %lld",
		       snapshot_string(k->s, snapshot_nodes(k->s)[node].name),
		       (long long)(spare > 0 ? spare : 0), (long long)k->procs[node]);
}

/* --- promised starts ------------------------------------------------------------------------------ */

/* May the job run within the reservation? */
static bool is_invited(const struct asking *k, const struct job *job)
{
	for (size_t i = 0; i < k->text->guest_count; i++) {
		const struct advance_guest *guest = &k->text->guest[i];
		uint32_t cred = guest->type == GUEST_JOB ? INDEX_NONE : job->cred[guest->type];

		if (guest->type == GUEST_JOB
			    ? guest->job == job->id
			    : cred != INDEX_NONE &&
				      strcmp(snapshot_string(k->s, snapshot_creds(k->s)[cred].name),
					     guest->name) == 0)
			return true;
	}
	return false;
}

/* Its planned runs; false: they are not free of what is asked. */
static bool keep_named(struct asking *k, uint32_t slot, int64_t begin_s, int64_t end_s)
{
	const struct job *job = &snapshot_jobs(k->s)[slot];
	bool good = true;

	for (uint32_t at = job->run; at != INDEX_NONE; at = snapshot_runs(k->s)[at].next) {
		const struct alloc_run *run = &snapshot_runs(k->s)[at];

		room_count_promise(k->room, slot, begin_s, end_s, run, 1);
		for (uint32_t n = run->node; good && n < run->node + run->nodes; n++)
			good = has_spare(k, n);
	}
	return good;
}

/* A promise without nodes, as any processors will do: it gets some that are free beside what is asked. */
static bool keep_floating(struct asking *k, uint32_t slot, int64_t begin_s, int64_t end_s, bool overlaps)
{
	int64_t left = job_procs(&snapshot_jobs(k->s)[slot]);

	for (uint32_t n = 0; left > 0 && n < snapshot_count(k->s, TABLE_NODES); n++) {
		int64_t spare = room_spare(k->room, n, begin_s, end_s) - (overlaps ? k->procs[n] : 0);
		uint32_t procs = (uint32_t)(spare < left ? spare : left);
		const struct alloc_run run = {
			.node = n, .nodes = 1, .procs = procs, .tasks = procs, .next = INDEX_NONE};

		if (spare <= 0)
			continue;
		room_count_promise(k->room, slot, begin_s, end_s, &run, 1);
		left -= procs;
	}
	return left == 0;
}

static bool check_promise(struct asking *k, uint32_t slot, struct err *err)
{
	const struct job *job = &snapshot_jobs(k->s)[slot];
	int64_t begin_s = job->planned_s > k->now_s ? job->planned_s : k->now_s, end_s;
	char label[JOB_LABEL_TEXT], when[MOMENT_TEXT];
	bool overlaps, kept;

	if (job->planned_s == TIME_NEVER)
		return true;
	end_s = begin_s + job->wall_limit_s;
	overlaps = k->text->begin_s < end_s && k->text->end_s > begin_s;
	if (overlaps && is_invited(k, job))
		return true;
	kept = job->run != INDEX_NONE ? keep_named(k, slot, begin_s, end_s)
				      : keep_floating(k, slot, begin_s, end_s, overlaps);
	return kept || !overlaps ||
	       err_set(err,
		       "it would delay job %s, whose reserved start is %s; reserve other processors, or "
		       "another time",
		       snapshot_job_label(k->s, job, label), moment_short(when, job->planned_s, k->now_s));
}

static bool check_promises(struct asking *k, struct err *err)
{
	bool good = true;

	for (uint32_t i = 0; good && k->s->planned > 0 && i < snapshot_count(k->s, TABLE_WAITING); i++)
		good = check_promise(k, snapshot_waiting(k->s)[i].slot, err);
	return good;
}

static bool check_nodes(const struct state *st, const struct advance_text *a, int64_t now_s, int64_t *sum,
			struct err *err)
{
	const struct snapshot *s = state_view(st);
	uint32_t nodes = snapshot_count(s, TABLE_NODES);
	struct asking k = {.s = s, .text = a, .now_s = now_s};
	bool good = true;

	k.room = room_new();
	k.procs = mem_zero((size_t)nodes + 1, sizeof *k.procs);
	room_begin(k.room, s, now_s);
	for (uint32_t n = 0; a->all_nodes && n < nodes; n++)
		add_node(&k, n, 0);
	for (size_t i = 0; i < a->place_count; i++)
		add_node(&k, state_find_node(st, a->place[i].node), a->place[i].procs);
	for (uint32_t n = 0; good && n < nodes; n++)
		good = k.procs[n] == 0 || check_node(&k, n, err);
	good = good && check_promises(&k, err);
	*sum = k.sum;
	room_free(k.room);
	free(k.procs);
	return good;
}

static bool check_personal(const struct state *st, const struct event *ev, const struct advance_text *a,
			   struct err *err)
{
	const struct snapshot *s = state_view(st);
	int64_t most = s->policy.user_reservation_procs, procs = 0;

	if (ev->who == NULL || !is_for(a, ev->who))
		return err_set(err, "a reservation of one's own is for oneself, whoever else may use it");
	if (!check_count(s, ev->who, ev->time_s, err) || !check_length(&s->policy, a, ev->time_s, err) ||
	    !check_nodes(st, a, ev->time_s, &procs, err))
		return false;
	return most == 0 || procs <= most ||
	       err_set(err, "a reservation of one's own has at most %lld processors, not %lld",
		       (long long)most, (long long)procs);
}

/* --- the events ------------------------------------------------------------------------------------ */

bool event_check_reserve(const struct state *st, const struct event *ev, struct err *err)
{
	struct advance_text a;
	bool good;

	if (!state_can_reserve(st, err) || !advance_read(ev->reserve.text, &a, err))
		return false;
	good = state_check_advance(st, ev->reserve.name, &a, ev->time_s, err) &&
	       (!a.personal || check_personal(st, ev, &a, err));
	advance_text_free(&a);
	return good;
}

void event_apply_reserve(struct state *st, const struct event *ev)
{
	const struct change change = event_change(ev, CHANGE_RESERVE);

	state_reserve(st, &change, ev->reserve.name, ev->reserve.text, ev->who, ev->time_s);
}

bool event_check_unreserve(const struct state *st, const struct event *ev, struct err *err)
{
	const struct snapshot *s = state_view(st);
	const char *name = ev->reserve.name == NULL ? "" : ev->reserve.name;
	uint32_t i = snapshot_find_advance(s, name);

	if (!state_can_reserve(st, err))
		return false;
	if (i == INDEX_NONE || advance_is_over(&snapshot_advances(s)[i], ev->time_s))
		return err_set(err, "there is no reservation %s; 'kahu reservations' lists them", name);
	return true;
}

void event_apply_unreserve(struct state *st, const struct event *ev)
{
	const struct change change = event_change(ev, CHANGE_UNRESERVE);

	state_unreserve(st, &change, ev->reserve.name);
}
