/* SPDX-License-Identifier: MIT */
/*
 * acts.c - what may an operator do that undo knows?
 *
 * An event is made at random and tried; more than half are accepted. The names are few, so that entries meet.
 */
#include "acts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/config/config.h"
#include "sched/state/draft.h"
#include "tests/chance.h"

#define JOBS       8
#define RUNNING    3 /* of them, where there is room */
#define LONG_S     1000000
#define EDITS_MAX  6
#define WHILE_S    20
#define VALUE_TEXT 32

#define PICK(rng, list) ((list)[chance_below((rng), (uint32_t)(sizeof(list) / sizeof *(list)))])

/* An event with room for its texts. */
struct act {
	struct event ev;
	char name[CONFIG_NAME], value[CONFIG_NAME];
};

/* --- jobs ------------------------------------------------------------------------------------------- */

static uint64_t any_job(struct rng *rng)
{
	return 1 + chance_below(rng, JOBS);
}

static void make_hold(struct rng *rng, struct act *a)
{
	a->ev.kind = EVENT_HOLD;
	a->ev.job = any_job(rng);
	a->ev.hold.bits = (uint8_t)(1 + chance_below(rng, 7));
	a->ev.hold.on = chance_below(rng, 2);
	a->ev.hold.reason = chance_below(rng, 3) == 0 ? "the disk is full" : NULL;
}

static void make_priority(struct rng *rng, struct act *a)
{
	a->ev.kind = EVENT_PRIORITY;
	a->ev.job = any_job(rng);
	a->ev.priority.adjust = (uint8_t)chance_below(rng, 3);
	a->ev.priority.points = chance_below(rng, 100);
}

static void make_modify(struct rng *rng, struct act *a)
{
	static const char *const set[][2] = {
		{"walltime", "77"},
		{"walltime", "5:00"},
		{"starttime", "+1:00"},
		{"starttime", "none"},
		{"qos", "hi"},
		{"qos", "lo"},
		{"features", "fast"},
		{"features", ""},
		{"prefer", "tape"},
		{"gres", "gpu:2"},
		{"mem", "128"},
		{"nodes", "1"},
		{"access", "shared"},
		{"access", "singleuser"},
		{"nallocpolicy", "cpuload"},
		{"depend", "afterany:1"},
		{"depend", ""},
		{"hosts", "n001"},
	};
	const char *const *picked = PICK(rng, set);

	a->ev.kind = EVENT_MODIFY;
	a->ev.job = any_job(rng);
	a->ev.modify.name = picked[0];
	a->ev.modify.value = picked[1];
}

static void make_suspend(struct rng *rng, struct act *a)
{
	a->ev.kind = EVENT_SUSPEND;
	a->ev.job = any_job(rng);
	a->ev.suspend.on = chance_below(rng, 2);
}

/* --- settings ----------------------------------------------------------------------------------------- */

static const char *section(struct rng *rng, const char *scope)
{
	static const char *const title[][3] = {
		{"user", "u1", "u2"},     {"group", "g1", "DEFAULT"},     {"account", "a1", "DEFAULT"},
		{"qos", "hi", "lo"},      {"class", "short", "DEFAULT"},  {"partition", "night", "day"},
		{"node", "n001", "n001"}, {"reservationlevel", "1", "2"}, {"system", "", ""},
	};

	for (size_t i = 0; i < sizeof title / sizeof title[0]; i++)
		if (strcmp(title[i][0], scope) == 0)
			return title[i][1 + chance_below(rng, 2)];
	return "some";
}

/* A text that some rows take; what others take of it is up to them. */
static const char *any_text(struct rng *rng)
{
	static const char *const text[] = {"2,8", "25.0",   "30.0+", "40.0%",        "USER=72",
					   "hi",  "hi&",    "u1",    "SPEED + AMEM", "fast",
					   "5",   "USER=3", "10-",   "USER:u1=4"};

	return PICK(rng, text);
}

static void any_value(struct rng *rng, const struct option *row, char *out, size_t room)
{
	uint32_t choices = 0;

	switch (row->type) {
	case OPTION_CHOICE:
		while (row->choices[choices] != NULL)
			choices++;
		snprintf(out, room, "%s", row->choices[chance_below(rng, choices)]);
		break;
	case OPTION_BOOL:
		snprintf(out, room, "%s", chance_below(rng, 2) ? "true" : "false");
		break;
	case OPTION_TEXT:
	case OPTION_LIST:
		snprintf(out, room, "%s",
			 row->fallback != NULL && chance_below(rng, 3) == 0 ? row->fallback : any_text(rng));
		break;
	default:
		snprintf(out, room, "%u",
			 chance_below(rng, 2) ? 1 + chance_below(rng, 9) : chance_below(rng, 4000));
	}
}

/* Any row that there is; those that cannot be set live are refused. */
static void make_setting(struct rng *rng, struct act *a)
{
	const struct option *row = &config_rows[chance_below(rng, (uint32_t)config_row_count)];
	const char *scope = option_section_name(row->scope);

	if (*scope == '\0')
		snprintf(a->name, sizeof a->name, "%s", row->name);
	else if (*row->scope == '!')
		snprintf(a->name, sizeof a->name, "%s.%s", scope, row->name);
	else
		snprintf(a->name, sizeof a->name, "%s[%s].%s", scope, section(rng, scope), row->name);
	any_value(rng, row, a->value, sizeof a->value);
	a->ev.kind = EVENT_SETTING;
	a->ev.setting.name = a->name;
	a->ev.setting.value = a->value;
}

/* The same few again and again, so that they stand on each other. */
static void make_common(struct rng *rng, struct act *a)
{
	a->ev.kind = EVENT_SETTING;
	a->ev.setting.name = chance_setting(rng, 0, a->value);
	a->ev.setting.value = a->value;
}

static void make_drain(struct rng *rng, struct act *a)
{
	snprintf(a->name, sizeof a->name, "node[n00%u].drained", 1 + chance_below(rng, 3));
	a->ev.kind = EVENT_SETTING;
	a->ev.setting.name = a->name;
	a->ev.setting.value = chance_below(rng, 2) ? "true" : "false";
}

/* --- the site ------------------------------------------------------------------------------------------ */

static void make_reserve(struct rng *rng, const struct snapshot *s, struct act *a)
{
	uint32_t standing = snapshot_count(s, TABLE_ADVANCES);

	a->ev.reserve.name = a->name;
	if (standing > 0 && chance_below(rng, 2) == 0) {
		a->ev.kind = EVENT_UNRESERVE;
		snprintf(a->name, sizeof a->name, "%s",
			 snapshot_string(s, snapshot_advances(s)[chance_below(rng, standing)].name));
		return;
	}
	a->ev.kind = EVENT_RESERVE;
	snprintf(a->name, sizeof a->name, "r%u", chance_below(rng, 5));
	uint32_t user = chance_below(rng, 3);
	snprintf(a->value, sizeof a->value, "start=%lld node=n001*1 user=u%u",
		 (long long)s->now_s + chance_below(rng, 99), user);
	a->ev.reserve.text = a->value;
}

static void make_halt(struct rng *rng, struct act *a)
{
	a->ev.kind = EVENT_HALT;
	a->ev.halt.on = chance_below(rng, 2) == 0;
	a->ev.halt.after = a->ev.halt.on ? chance_below(rng, 3) : 0;
}

/* --- what was done before ----------------------------------------------------------------------------------
 */

static void make_again(struct rng *rng, const struct snapshot *s, struct act *a)
{
	uint32_t count = snapshot_count(s, TABLE_CHANGES);

	a->ev.kind = chance_below(rng, 5) == 0 ? EVENT_KEEP : EVENT_UNDO;
	a->ev.undo.seq = count == 0 ? 0 : snapshot_changes(s)[chance_below(rng, count)].seq;
}

/* --- acts
 * --------------------------------------------------------------------------------------------------- */

/* Without undo and keep: what an edit of a draft can be, too. */
static void make_edit(struct rng *rng, const struct snapshot *s, struct act *a)
{
	*a = (struct act){.ev.who = "eva"};
	switch (chance_below(rng, 12)) {
	case 0:
	case 1:
		make_hold(rng, a);
		break;
	case 2:
		make_priority(rng, a);
		break;
	case 3:
	case 4:
		make_modify(rng, a);
		break;
	case 5:
		make_suspend(rng, a);
		break;
	case 6:
		make_common(rng, a);
		break;
	case 7:
		make_drain(rng, a);
		break;
	case 8:
		make_reserve(rng, s, a);
		break;
	case 9:
		make_halt(rng, a);
		break;
	default:
		make_setting(rng, a);
	}
	if (event_can_undo(a->ev.kind) && chance_below(rng, 6) == 0)
		a->ev.until_s = s->now_s + 1 + chance_below(rng, WHILE_S);
}

/* What an act said is not kept: its texts are gone by then. */
static void forget_texts(struct event *entry)
{
	if (entry->kind == EVENT_SETTING)
		entry->setting.name = entry->setting.value = "";
	if (entry->kind == EVENT_MODIFY)
		entry->modify.name = entry->modify.value = "";
	if (entry->kind == EVENT_RESERVE || entry->kind == EVENT_UNRESERVE)
		entry->reserve.name = entry->reserve.text = "";
}

void diary_note(struct diary *d, const struct event *ev)
{
	struct event *entry;

	d->entry = vec_room(d->entry, &d->room, d->count + 1, sizeof *d->entry);
	entry = &d->entry[d->count++];
	*entry = (struct event){.seq = ev->seq, .kind = ev->kind, .job = ev->job, .who = ev->who};
	if (ev->kind == EVENT_UNDO || ev->kind == EVENT_KEEP)
		entry->undo.seq = ev->undo.seq;
	if (ev->kind == EVENT_SIGNAL)
		entry->signal = ev->signal;
	forget_texts(entry);
}

static unsigned try_one(struct scene *sc, struct event *ev, struct diary *d)
{
	struct err err;

	if (scene_try(sc, ev, &err)[0] != '\0')
		return 0;
	diary_note(d, ev);
	return 1;
}

/* A draft is applied as a whole or not at all, and is then what it was as a draft. */
static unsigned apply_draft(struct rng *rng, struct scene *sc, struct diary *d)
{
	unsigned count = 2 + chance_below(rng, EDITS_MAX - 1);
	struct act act[EDITS_MAX];
	struct event ev[EDITS_MAX];
	struct state *draft;

	for (unsigned i = 0; i < count; i++) {
		make_edit(rng, scene_view(sc), &act[i]);
		ev[i] = act[i].ev;
		ev[i].time_s = sc->now_s;
	}
	draft = draft_make(scene_view(sc), ev, count, NULL, NULL);
	if (draft == NULL)
		return 0;
	for (unsigned i = 0; i < count; i++)
		assert_int_equal(try_one(sc, &ev[i], d), 1);
	assert_true(state_hash(state_view(draft)) == state_hash(scene_view(sc)));
	state_free(draft);
	return count;
}

unsigned acts_once(struct rng *rng, struct scene *sc, struct diary *d)
{
	struct act act = {.ev.who = "eva"};

	switch (chance_below(rng, 8)) {
	case 0:
		return apply_draft(rng, sc, d);
	case 1:
		make_again(rng, scene_view(sc), &act);
		break;
	default:
		make_edit(rng, scene_view(sc), &act);
	}
	return try_one(sc, &act.ev, d);
}

void acts_wait(struct scene *sc, int64_t to_s, struct diary *d)
{
	struct event ev = {.time_s = to_s, .who = "sched"};
	uint32_t at = UINT32_MAX;

	scene_go(sc, to_s);
	while (event_returns(sc->st, to_s, &at, &ev)) {
		scene_apply(sc, &ev);
		diary_note(d, &ev);
	}
}

struct scene *acts_scene(struct rng *rng)
{
	struct scene *sc = chance_scene(rng, 0);

	/* No pass has looked yet: what it plans is not an operator's, and goes when a job is modified. */
	for (uint32_t i = 0; i < RUNNING; i++) {
		uint64_t job = scene_submit(sc, 1, LONG_S);

		if (i < snapshot_count(scene_view(sc), TABLE_NODES))
			scene_start(sc, job, i, 1, 1);
	}
	for (uint32_t i = RUNNING; i < JOBS; i++)
		chance_submit(rng, sc, 0);
	return sc;
}
