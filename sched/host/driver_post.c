/* SPDX-License-Identifier: MIT */
/*
 * driver_post.c - requests, and their group commit
 *
 * A request is applied as soon as it is accepted, so the next one is judged by what it left; durable it is
 * with all others of its turn. So a storm of submissions costs one commit a turn and not one each, and the
 * starts that follow from them are in the same one.
 */
#include <string.h>

#include "driver_inside.h"
#include "sched/base/vec.h"

/* dependencies and jobs that one request may visit: a few tenths of a second */
#define LOOKED_AT_MAX 20000000u

/*
 * The work that one change of dependencies causes depends on what its user has queued, and nobody else is
 * answered meanwhile: it has a limit.
 */
static bool looks_at_few(const struct state *trial, struct err *err)
{
	return state_depends_looked_at(trial) <= LOOKED_AT_MAX ||
	       err_set(err, "too many changes of dependencies for one request while so many dependencies "
			    "are queued; change fewer jobs at a time");
}

/*
 * A single event is refused before it changes anything; several are tried on a copy, so that
 * nobody sees half of them.
 */
static bool would_apply(const struct driver *d, const struct event *ev, size_t count, struct err *err)
{
	struct state *trial;
	bool ok = true;

	if (count <= 1)
		return true;
	trial = state_from_snapshot(state_view(d->st));
	for (size_t i = 0; i < count && ok; i++) {
		struct event timely = driver_in_time(trial, &ev[i]);

		ok = looks_at_few(trial, err) && event_apply(trial, &timely, err);
	}
	state_free(trial);
	return ok;
}

/* What the site says of its host. An undo may take back any of it. */
static bool may_change_nodes(const struct event *ev)
{
	return ev->kind == EVENT_CONFIG || ev->kind == EVENT_UNDO ||
	       (ev->kind == EVENT_SETTING && (str_same_word(ev->setting.name, "rmpollinterval") ||
					      str_same_word(ev->setting.name, "devices") ||
					      str_same_word(ev->setting.name, "systemprocs") ||
					      str_same_word(ev->setting.name, "systemmemory")));
}

/* What lessens the load, or stops something, is taken although the store is full. */
static bool can_do_without_room(const struct event *ev, size_t count)
{
	for (size_t i = 0; i < count; i++)
		switch (ev[i].kind) {
		case EVENT_CANCEL:
		case EVENT_SIGNAL:
		case EVENT_SUSPEND:
		case EVENT_REQUEUE:
		case EVENT_HOLD:
		case EVENT_HALT:
			break;
		default:
			return false;
		}
	return true;
}

enum driver_outcome driver_accept(struct driver *d, struct event *ev, size_t count, struct err *err)
{
	bool configured = false;

	if (count > 0 && driver_is_stalled(d, ev->time_s)) {
		*err = d->stall.why;
		return DRIVER_REFUSED;
	}
	if (!can_do_without_room(ev, count) && !driver_has_room(d, err))
		return DRIVER_REFUSED;
	if (!would_apply(d, ev, count, err))
		return DRIVER_REFUSED;
	for (size_t i = 0; i < count; i++) {
		struct event timely = driver_in_time(d->st, &ev[i]);

		if (!driver_apply(d, &timely, err))
			return DRIVER_REFUSED;
		driver_note_action(d, &timely);
		configured = configured || may_change_nodes(&timely);
		ev[i] = timely;
	}
	d->dirty = true;
	return configured && !driver_ask_nodes(d, err) ? DRIVER_FAILED : DRIVER_DONE;
}

/* --- durable ---------------------------------------------------------------------------------- */

static enum driver_outcome refuse(struct driver *d, int64_t now_s, struct err *err)
{
	struct err why = *err;

	if (!driver_recover(d, now_s, err))
		return DRIVER_FAILED;
	*err = why;
	return DRIVER_REFUSED;
}

/* Once the events are durable, what follows from them may still fail, and is then found again. */
static enum driver_outcome commit_and_act(struct driver *d, int64_t now_s, struct err *err)
{
	if (!driver_commit(d, err))
		return refuse(d, now_s, err);
	return driver_act(d, now_s, err) || driver_recover(d, now_s, err) ? DRIVER_DONE : DRIVER_FAILED;
}

enum driver_outcome driver_post(struct driver *d, struct event *ev, size_t count, struct err *err)
{
	enum driver_outcome outcome = driver_accept(d, ev, count, err);

	return outcome == DRIVER_DONE ? commit_and_act(d, state_view(d->st)->now_s, err) : outcome;
}

enum driver_outcome driver_settle(struct driver *d, int64_t now_s, struct err *err)
{
	if (!driver_is_stalled(d, now_s) && d->poll_s == 0 && !driver_gather(d, now_s, err))
		return DRIVER_FAILED;
	return commit_and_act(d, now_s, err);
}

/* --- who asks again --------------------------------------------------------------------------- */

void driver_remember(struct driver *d, const struct cookie *cookie, const void *answer, size_t size)
{
	if (d->ledger.ops == NULL)
		return;
	d->answered = vec_room(d->answered, &d->answered_room, d->answered_count + 1, sizeof *d->answered);
	d->answered[d->answered_count++] =
		(struct answered){*cookie, arena_copy(&d->arena, answer, size), size};
}

static const struct answered *find_unsettled(const struct driver *d, const struct cookie *cookie)
{
	for (size_t i = 0; i < d->answered_count; i++) {
		const struct cookie *kept = &d->answered[i].cookie;

		if (kept->uid == cookie->uid && memcmp(kept->bytes, cookie->bytes, COOKIE_BYTES) == 0)
			return &d->answered[i];
	}
	return NULL;
}

bool driver_recall(const struct driver *d, const struct cookie *cookie, bool *known, struct str *out,
		   struct err *err)
{
	const struct answered *unsettled = find_unsettled(d, cookie);

	*known = unsettled != NULL;
	if (unsettled != NULL)
		str_add_bytes(out, unsettled->answer, unsettled->size);
	return *known || d->ledger.ops == NULL || d->ledger.ops->recall == NULL ||
	       d->ledger.ops->recall(d->ledger.self, cookie, known, out, err);
}
