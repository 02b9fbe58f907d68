/* SPDX-License-Identifier: MIT */
/*
 * test_state_hash.c - which differences of two states their hashes show
 *
 * Each pair of states is made by the same number of events, so the counters are equal and only the part in
 * question differs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/core/state.h"
#include "tests/scene.h"

/* Three nodes of four processors; job 1 runs on the first, jobs 2 and 3 wait. */
static struct scene *usual(void)
{
	struct scene *sc = scene_new(3, 4);

	scene_start(sc, scene_submit(sc, 2, 100), 0, 1, 2);
	scene_submit(sc, 1, 50);
	scene_submit(sc, 1, 50);
	return sc;
}

static void reserve(struct scene *sc, const char *text)
{
	struct event ev = {.kind = EVENT_RESERVE, .who = "root", .reserve = {.name = "maint", .text = text}};

	scene_apply(sc, &ev);
}

static void hold(struct scene *sc, bool other)
{
	scene_hold(sc, other ? 3 : 2, JOB_HOLD_USER);
}

static void first_waiting(struct scene *sc, bool other)
{
	scene_cancel(sc, 2);
	scene_cancel(sc, 3);
	scene_submit(sc, 1, other ? 70 : 60);
}

static void running(struct scene *sc, bool other)
{
	scene_start(sc, scene_submit(sc, 1, other ? 70 : 60), 1, 1, 1); /* its end is the first */
}

static void priority(struct scene *sc, bool other)
{
	scene_priority(sc, 3, JOB_ADJUST_RELATIVE, other ? 7 : 6);
}

static void policy(struct scene *sc, bool other)
{
	scene_set(sc, "xfactorweight", other ? "7" : "6");
}

static void credential(struct scene *sc, bool other)
{
	scene_set(sc, "user[u1].priority", other ? "7" : "6");
}

static void limit(struct scene *sc, bool other)
{
	scene_set(sc, "user[u1].maxjob", other ? "7" : "6");
}

static void node(struct scene *sc, bool other)
{
	scene_set(sc, "node[n002].priority", other ? "7" : "6");
}

static void advance(struct scene *sc, bool other)
{
	reserve(sc, other ? "start=10 end=20 node=n003" : "start=10 end=21 node=n003");
}

static void usage(struct scene *sc, bool other)
{
	scene_set(sc, "fspolicy", "dedicatedps");
	scene_go(sc, other ? 40 : 30);
	scene_end(sc, 1);
	scene_go(sc, 50);
}

static void partition(struct scene *sc, bool other)
{
	scene_set(sc, "partition[night].xfactorweight", other ? "7" : "6");
}

static void array(struct scene *sc, bool other)
{
	scene_cancel(sc, 2);
	scene_cancel(sc, 3);
	scene_add(sc, (struct scene_job){.array = 2, .at_a_time = other ? 1 : 2});
}

static void second_limit(struct scene *sc, bool other)
{
	scene_set(sc, other ? "group[g1].maxjob[user]" : "group[g1].maxjob[class]", "6");
}

static void system_limit(struct scene *sc, bool other)
{
	scene_set(sc, "system.maxjob", other ? "7" : "6");
}

static void allowed_qos(struct scene *sc, bool other)
{
	scene_set(sc, "user[u1].qlist", other ? "hi" : "lo");
}

static void level(struct scene *sc, bool other)
{
	scene_set(sc, "reservationqoslist[1]", other ? "hi" : "lo");
}

static void default_account(struct scene *sc, bool other)
{
	scene_set(sc, "user[u1].adef", other ? "bio" : "chem");
}

static void accounts(struct scene *sc, bool other)
{
	scene_set(sc, "accountaccess", other ? "listed" : "open");
}

static void owner_suspends(struct scene *sc, bool other)
{
	scene_set(sc, "ownersuspend", other ? "keep" : "no");
}

static void pam(struct scene *sc, bool other)
{
	scene_set(sc, "pamservice", other ? "kahu" : "");
}

static void privileges(struct scene *sc, bool other)
{
	scene_set(sc, "jobnonewprivs", other ? "true" : "false");
}

static void processes(struct scene *sc, bool other)
{
	scene_set(sc, "jobprocesses", other ? "7" : "16384");
}

static void request_size(struct scene *sc, bool other)
{
	scene_set(sc, "maxrequestevents", other ? "7" : "1000");
}

static void features(struct scene *sc, bool other)
{
	scene_modify(sc, 3, "features", other ? "fast" : "big");
}

static void preferred(struct scene *sc, bool other)
{
	scene_modify(sc, 3, "prefer", other ? "fast" : "big");
}

static void resources(struct scene *sc, bool other)
{
	scene_modify(sc, 3, "gres", other ? "gpu:2" : "gpu:1");
}

static uint64_t hash_after(void (*change)(struct scene *, bool), bool other)
{
	struct scene *sc = usual();
	uint64_t hash;

	change(sc, other);
	hash = state_hash(scene_view(sc));
	scene_free(sc);
	return hash;
}

static void every_part_of_a_state_is_in_its_hash(void **state)
{
	static const struct {
		const char *name;
		void (*change)(struct scene *, bool);
	} part[] = {
		{"hold", hold},
		{"first waiting", first_waiting},
		{"running", running},
		{"priority", priority},
		{"policy", policy},
		{"credential", credential},
		{"limit", limit},
		{"node", node},
		{"advance", advance},
		{"usage", usage},
		{"partition", partition},
		{"array", array},
		{"limit for a second credential", second_limit},
		{"limit of the system", system_limit},
		{"allowed QOS", allowed_qos},
		{"level", level},
		{"default account", default_account},
		{"accounts", accounts},
		{"suspending by owners", owner_suspends},
		{"service of PAM", pam},
		{"privileges", privileges},
		{"processes of a job", processes},
		{"changes in a request", request_size},
		{"features", features},
		{"preferred features", preferred},
		{"generic resources", resources},
	};

	(void)state;
	for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
		assert_true(hash_after(part[i].change, false) == hash_after(part[i].change, false));
		if (hash_after(part[i].change, false) == hash_after(part[i].change, true))
			fail_msg("the hash does not show a difference of: %s", part[i].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_part_of_a_state_is_in_its_hash),
	};

	return cmocka_run_group_tests_name("state_hash", tests, NULL, NULL);
}
