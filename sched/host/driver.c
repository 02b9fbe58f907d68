/* SPDX-License-Identifier: MIT */
/*
 * driver.c - one step of the scheduler: reports and requests -> events -> pass -> actions -> one commit
 */
#include "driver.h"

#include <stdlib.h>

#include "driver_inside.h"
#include "fingerprint.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"

#define ROOM_AGAIN_S 2 /* until a store without room is looked at again */

/* --- when ---------------------------------------------------------------------------------- */

/* The last multiple of the poll that is not after a moment. */
static int64_t poll_before(const struct driver *d, int64_t at_s)
{
	int64_t beyond_s = at_s % d->poll_s;

	return at_s - (beyond_s < 0 ? beyond_s + d->poll_s : beyond_s);
}

/* The moment at which something is due. */
static int64_t due_s(const struct driver *d)
{
	int64_t next_s = d->dirty ? state_view(d->st)->now_s : d->due_s;
	int64_t manager_s = d->rm.ops == NULL ? TIME_NEVER : d->rm.ops->next_s(d->rm.self);

	return manager_s < next_s ? manager_s : next_s;
}

int driver_fd(const struct driver *d)
{
	return d->rm.ops == NULL || d->stall.stands ? -1 : d->rm.ops->fd(d->rm.self);
}

int64_t driver_next_s(const struct driver *d)
{
	int64_t next_s = snapshot_pass_s(state_view(d->st), due_s(d));

	return driver_is_stalled(d, next_s) ? d->stall.until_s : next_s;
}

/* What a state has seen by now is over, and so is the pass of the poll before it. */
void driver_set_poll(struct driver *d, int64_t poll_s)
{
	int64_t now_s = state_view(d->st)->now_s;

	d->poll_s = poll_s;
	state_set_grid(d->st, poll_s, poll_s > 0 ? poll_before(d, now_s != TIME_NONE ? now_s : due_s(d)) : 0);
}

/* --- steps --------------------------------------------------------------------------------- */

bool driver_gather(struct driver *d, int64_t now_s, struct err *err)
{
	d->stall.stands = false;
	if (d->rm.ops != NULL)
		d->rm.ops->poll(d->rm.self, now_s, driver_take_report, d);
	if (d->failed)
		return err_set(err, "%s", d->err.text);
	if (d->rm.ops != NULL && d->rm.ops->nodes_changed != NULL && d->rm.ops->nodes_changed(d->rm.self) &&
	    !driver_ask_nodes(d, err))
		return false;
	if (!d->dirty && d->due_s > now_s)
		return true;
	if (!driver_has_room(d, NULL)) {
		d->dirty = false;
		d->due_s = now_s + ROOM_AGAIN_S;
		return true;
	}
	return driver_ask_local(d, now_s, err) && driver_pass(d, now_s, err);
}

static bool step(struct driver *d, int64_t now_s, struct err *err)
{
	return driver_gather(d, now_s, err) && driver_commit(d, err) && driver_act(d, now_s, err);
}

bool driver_step(struct driver *d, int64_t now_s, struct err *err)
{
	if (driver_is_stalled(d, now_s))
		return true;
	if (d->poll_s == 0)
		return step(d, now_s, err) || driver_recover(d, now_s, err);
	if (now_s < driver_next_s(d))
		return true;
	d->step_s = poll_before(d, now_s);
	state_set_grid(d->st, d->poll_s, d->step_s);
	return step(d, d->step_s, err);
}

static void say_clock(struct driver *d, const struct event *ev)
{
	int64_t by_s = ev->clock.by_s;
	char text[DURATION_TEXT];

	driver_say(d, "the system clock was set %s by %s; run times and queue times of jobs are not affected",
		   by_s < 0 ? "back" : "forward", duration_text(text, by_s < 0 ? -by_s : by_s));
}

/* The last event may be a little later than the clock that it is by; then less has passed than it seems. */
enum driver_outcome driver_set_clock(struct driver *d, int64_t now_s, int64_t by_s, struct err *err)
{
	int64_t last_s = state_view(d->st)->now_s;
	struct event ev = {.kind = EVENT_CLOCK, .time_s = now_s, .who = "sched", .clock.by_s = by_s};

	if (last_s != TIME_NONE && now_s - last_s < by_s)
		ev.clock.by_s = now_s - last_s;
	if (ev.clock.by_s == 0)
		return DRIVER_DONE;
	if (driver_is_stalled(d, now_s - by_s) || d->stall.stands)
		return DRIVER_REFUSED;
	if (!driver_apply(d, &ev, err))
		return DRIVER_FAILED;
	if (!driver_commit(d, err))
		return driver_recover(d, now_s - by_s, err) ? DRIVER_REFUSED : DRIVER_FAILED;
	if (d->rm.ops != NULL && d->rm.ops->set_clock != NULL)
		d->rm.ops->set_clock(d->rm.self, ev.clock.by_s);
	say_clock(d, &ev);
	/* What it knows of the next moments is by the old clock. */
	cycle_free(d->cycle);
	d->cycle = cycle_new();
	d->dirty = true;
	return DRIVER_DONE;
}

/* --- the machine --------------------------------------------------------------------------- */

/* A machine that is as it was reported before is not news. A simulated one does not know what time it is. */
static void take_node(void *self, const struct event *reported)
{
	struct driver *d = self;
	const struct snapshot *s = state_view(d->st);
	struct event ev = *reported;

	if (!state_report_is_news(d->st, &ev.node))
		return;
	if (ev.time_s == 0)
		ev.time_s = s->now_s != TIME_NONE ? s->now_s : d->rm.ops->next_s(d->rm.self);
	if (ev.time_s == TIME_NEVER)
		ev.time_s = 0;
	driver_take_report(self, &ev);
}

bool driver_ask_nodes(struct driver *d, struct err *err)
{
	if (d->rm.ops != NULL)
		d->rm.ops->nodes(d->rm.self, state_view(d->st), take_node, d);
	return !d->failed || err_set(err, "%s", d->err.text);
}

/* --- making and asking ---------------------------------------------------------------------------- */

static void close_manager(struct rm *rm)
{
	if (rm->ops != NULL)
		rm->ops->close(rm->self);
	rm->ops = NULL;
}

static bool take_over(struct driver *d, struct err *err)
{
	if (d->ledger.ops != NULL && !d->ledger.ops->load(d->ledger.self, d->st, err))
		return false;
	if (d->rm.ops != NULL && !d->rm.ops->adopt(d->rm.self, state_view(d->st), err))
		return false;
	if (!driver_ask_nodes(d, err))
		return false;
	d->dirty = snapshot_count(state_view(d->st), TABLE_WAITING) > 0 ||
		   snapshot_count(state_view(d->st), TABLE_CHANGES) > 0;
	return driver_commit(d, err);
}

struct driver *driver_new(struct rm rm, struct ledger ledger, struct err *err)
{
	struct driver *d = mem_zero(1, sizeof *d);

	d->st = state_new();
	d->cycle = cycle_new();
	d->rm = rm;
	d->ledger = ledger;
	d->outputs = outputs_cache_new();
	d->due_s = TIME_NEVER;
	d->step_s = TIME_NONE;
	d->stats.decisions_hash = FINGERPRINT_BEGIN;
	if (take_over(d, err))
		return d;
	driver_free(d);
	return NULL;
}

void driver_free(struct driver *d)
{
	if (d == NULL)
		return;
	close_manager(&d->rm);
	cycle_free(d->cycle);
	state_free(d->st);
	outputs_cache_free(d->outputs);
	arena_free(&d->arena);
	free(d->event);
	free(d->ended);
	free(d->answered);
	free(d->action);
	free(d->given_up.run);
	enact_clear(&d->enact);
	str_free(&d->launch);
	str_free(&d->barred);
	free(d);
}

void driver_set_watch_end(struct driver *d, driver_watch_end *watch, void *self)
{
	d->watch_end = watch;
	d->watch_end_self = self;
}

void driver_reserve_ids(struct driver *d, uint64_t last)
{
	state_reserve_ids(d->st, last);
}

void driver_set_watch(struct driver *d, driver_watch *watch, void *self)
{
	d->watch = watch;
	d->watch_self = self;
}

void driver_set_tell(struct driver *d, driver_tell *tell, void *self)
{
	d->tell = tell;
	d->tell_self = self;
}

void driver_set_warn(struct driver *d, driver_warn *warn, void *self)
{
	d->warn = warn;
	d->warn_self = self;
}

void driver_set_toll(struct driver *d, driver_toll *toll, void *self)
{
	d->toll = toll;
	d->toll_self = self;
}

void driver_bar_programs(struct driver *d, const char *why)
{
	str_clear(&d->barred);
	str_add(&d->barred, why != NULL ? why : "");
}

const struct snapshot *driver_view(const struct driver *d)
{
	return state_view(d->st);
}

const struct state *driver_state(const struct driver *d)
{
	return d->st;
}

void driver_get_stats(const struct driver *d, struct driver_stats *out)
{
	*out = d->stats;
}
