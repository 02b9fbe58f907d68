/* SPDX-License-Identifier: MIT */
/*
 * event_reserve.c - what may be reserved in advance, and released?
 *
 * An administrator reserves what he likes, also nodes on which jobs run: they go on, and what
 * they leave is kept. A user's own reservation is within what the site allows, takes nothing that somebody
 * may still hold then, and is for its maker, whoever else may use it.
 */
#include <string.h>

#include "event_inside.h"
#include "room.h"
#include "sched/base/duration.h"

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

/* Adds a node's processors to the sum. They must be nobody's until the end. */
static bool check_node(struct room *room, const struct snapshot *s, uint32_t node, uint32_t procs,
		       const struct advance_text *a, int64_t *sum, struct err *err)
{
	int64_t asked = procs > 0 ? procs : snapshot_nodes(s)[node].procs;
	int64_t spare = room_spare(room, node, a->begin_s, a->end_s);

	*sum += asked;
	return spare >= asked ||
	       err_set(err, "node %s will have %lld of its processors free of others then, not %lld",
		       snapshot_string(s, snapshot_nodes(s)[node].name), (long long)(spare > 0 ? spare : 0),
		       (long long)asked);
}

static bool check_nodes(const struct state *st, const struct advance_text *a, int64_t now_s, int64_t *sum,
			struct err *err)
{
	const struct snapshot *s = state_view(st);
	struct room *room = room_new();
	bool good = true;

	room_begin(room, s, now_s);
	for (uint32_t n = 0; good && a->all_nodes && n < snapshot_count(s, TABLE_NODES); n++)
		good = check_node(room, s, n, 0, a, sum, err);
	for (size_t i = 0; good && i < a->place_count; i++)
		good = check_node(room, s, state_find_node(st, a->place[i].node), a->place[i].procs, a, sum,
				  err);
	room_free(room);
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
