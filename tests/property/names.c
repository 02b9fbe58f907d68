/* SPDX-License-Identifier: MIT */
/*
 * names.c - slots of features and resources belong to the site, and every replay gives the same state
 *
 * Users submit and change jobs that name features and resources at random, many of which no node has, while
 * the site replaces its own names: in configurations, reports of nodes, settings that are undone. A
 * configuration must load however many names jobs have used. After each act the state is checked
 * (tests/scene.h). The state of the scene is replaced by one that a store restored now and then; a twin that
 * only applies events must have the same hash all the time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/base/str.h"
#include "store/store.h"
#include "tests/chance.h"
#include "tests/many.h"
#include "tests/told.h"

#define NODES     3
#define ACTS      150
#define NAMES     300 /* features that jobs and nodes name */
#define RESOURCES 30

struct world {
	struct rng rng;
	struct scene *sc;
	struct state *twin; /* applies the same events */
	struct store *store;
	struct told told; /* since the last commit */
	uint32_t settings;
	struct str text;
};

static uint32_t pick(struct world *w, uint32_t below)
{
	return chance_below(&w->rng, below);
}

/* "f12 F7 ": a name may occur twice, in another case. */
static const char *names(struct world *w, const char *stem, uint32_t count, uint32_t of)
{
	str_clear(&w->text);
	for (uint32_t i = 0; i < count; i++)
		str_addf(&w->text, "%c%u ", pick(w, 4) == 0 ? stem[0] - 'a' + 'A' : stem[0], pick(w, of));
	return str_text(&w->text);
}

static const char *resources(struct world *w, uint32_t count)
{
	str_clear(&w->text);
	for (uint32_t i = 0; i < count; i++)
		str_addf(&w->text, "r%u:%u ", pick(w, RESOURCES), pick(w, 4));
	return str_text(&w->text);
}

/* --- random events --------------------------------------------------------------------------- */

static void submit(struct world *w)
{
	struct scene_job job = {.run_s = 1 + pick(w, 50)};
	struct str features = {0}, prefer = {0}, gres = {0};

	str_add(&features, names(w, "f", pick(w, 4), NAMES));
	str_add(&prefer, names(w, "f", pick(w, 3), NAMES));
	str_add(&gres, resources(w, pick(w, 2)));
	job.features = pick(w, 2) ? str_text(&features) : NULL;
	job.prefer = pick(w, 2) ? str_text(&prefer) : NULL;
	job.gres = pick(w, 2) ? str_text(&gres) : NULL;
	scene_add(w->sc, job);
	str_free(&features);
	str_free(&prefer);
	str_free(&gres);
}

static void modify(struct world *w)
{
	static const char *const attribute[] = {"features", "prefer", "gres"};
	uint64_t job = chance_waiting(&w->rng, w->sc);
	uint32_t which = pick(w, 3);
	struct event ev = {.kind = EVENT_MODIFY, .job = job, .who = "u1"};
	struct err err;

	ev.modify.name = attribute[which];
	ev.modify.value = which == 2 ? resources(w, pick(w, 3)) : names(w, "f", pick(w, 4), NAMES);
	if (job != 0)
		(void)scene_try(w->sc, &ev, &err);
}

/* Together with the names in settings, the names stay below the maximum: 20 features for each of 3 nodes and
 * 2 of a class; 2 resources for each of 3 nodes. */
static void configure(struct world *w)
{
	uint32_t first = pick(w, NAMES - 64), first_resource = pick(w, RESOURCES - 6);
	struct str conf = {0};
	struct event ev = {.kind = EVENT_CONFIG, .who = "root", .config = {.file = "kahu.conf"}};
	struct err err = {""};

	for (uint32_t n = 0; n < NODES; n++) {
		str_addf(&conf, "node n00%u { procs = 4 features = \"", n + 1);
		for (uint32_t i = 0; i < 20; i++)
			str_addf(&conf, "f%u ", first + n * 20 + i);
		str_addf(&conf, "\" gres = \"r%u:3 r%u:3\" }\n", first_resource + 2 * n,
			 first_resource + 2 * n + 1);
	}
	str_addf(&conf, "class c { default.features = \"f%u f%u\" }\n", first + 60, first + 61);
	ev.config.text = str_text(&conf);
	scene_try(w->sc, &ev, &err);
	/* Names of jobs never prevent a configuration; only resources that running jobs hold may. */
	if (err.text[0] != '\0' && strstr(err.text, " units of ") == NULL)
		fail_msg("%s", err.text);
	str_free(&conf);
}

static void report(struct world *w)
{
	char name[8];
	struct str features = {0};
	struct event ev = {.kind = EVENT_NODE, .who = "rm"};
	struct err err;

	snprintf(name, sizeof name, "n00%u", 1 + pick(w, NODES));
	str_add(&features, names(w, "f", pick(w, 30), NAMES));
	ev.node = (struct node_record){.name = name, .procs = 4, .features = str_text(&features)};
	ev.node.gres = resources(w, pick(w, 3));
	(void)scene_try(w->sc, &ev, &err);
	str_free(&features);
}

static void set_or_undo(struct world *w)
{
	const struct snapshot *s = scene_view(w->sc);
	struct event ev = {.kind = EVENT_SETTING, .who = "root"};
	uint32_t count = snapshot_count(s, TABLE_CHANGES);
	struct err err;

	if (pick(w, 2) == 0 && count > 0) {
		ev.kind = EVENT_UNDO;
		ev.undo.seq = snapshot_changes(s)[pick(w, count)].seq;
	} else {
		ev.setting.name = "class[c].default.features";
		ev.setting.value = names(w, "f", 1, NAMES);
		if (w->settings++ >= 2)
			return;
	}
	(void)scene_try(w->sc, &ev, &err);
}

static void act(struct world *w)
{
	switch (pick(w, 10)) {
	case 0:
		configure(w);
		break;
	case 1:
		report(w);
		break;
	case 2:
		set_or_undo(w);
		break;
	case 3:
	case 4:
		modify(w);
		break;
	case 5:
		scene_pass(w->sc);
		scene_go(w->sc, w->sc->now_s + pick(w, 60));
		break;
	default:
		submit(w);
	}
}

/* --- equal states ----------------------------------------------------------------------------- */

static void check_equal_state(const struct world *w, const struct state *other, const char *which)
{
	if (state_hash(state_view(other)) != state_hash(scene_view(w->sc)))
		fail_msg("the state %s differs", which);
}

static void follow(struct world *w, size_t from)
{
	struct err err;

	for (size_t i = from; i < w->told.count; i++) {
		struct event ev = w->told.event[i];

		ev.seq = 0;
		if (!event_apply(w->twin, &ev, &err))
			fail_msg("the twin refuses an event that was applied: %s", err.text);
	}
	check_equal_state(w, w->twin, "that applies the same events");
}

/* The scheduler is stopped and started again. */
static void restart(struct world *w)
{
	struct ledger ledger = store_ledger(w->store);
	struct ledger_step step = {
		.event = w->told.event, .event_count = w->told.count, .after = scene_view(w->sc)};
	struct state *restored = state_new();
	struct err err;

	if (!ledger.ops->commit(ledger.self, &step, &err) || !ledger.ops->load(ledger.self, restored, &err))
		fail_msg("%s", err.text);
	check_equal_state(w, restored, "that a store restored");
	state_free(w->sc->st);
	w->sc->st = restored;
	told_end(&w->told);
	told_begin(&w->told, w->sc);
}

static void try_once(struct rng *rng)
{
	struct world w = {.sc = scene_new(0, 0), .twin = state_new()};

	w.rng = *rng;
	w.store = store_open(NULL, STORE_TEMP, NULL);
	told_begin(&w.told, w.sc);
	configure(&w);
	follow(&w, 0);
	for (int i = 0; i < ACTS; i++) {
		size_t before = w.told.count;

		act(&w);
		follow(&w, before);
		if (pick(&w, 20) == 0)
			restart(&w);
	}
	*rng = w.rng;
	told_end(&w.told);
	store_close(w.store);
	state_free(w.twin);
	scene_free(w.sc);
	str_free(&w.text);
}

static void names_of_jobs_never_prevent_a_configuration(void **state)
{
	struct rng rng = seeded("names of the site and of jobs");

	(void)state;
	for (unsigned i = 0; i < many(6); i++)
		try_once(&rng);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_jobs_never_prevent_a_configuration),
	};

	return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
