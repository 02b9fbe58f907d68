/* SPDX-License-Identifier: MIT */
/*
 * test_mask.c - states for users who may not see names of other users
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/config/config.h"
#include "sched/pass/crossover.h"
#include "tests/history.h"
#include "tests/scene.h"
#include "tests/seed.h"
#include "tui/serve/mask.h"

static const struct viewer eva = {.user = "eva-viewer", .group = "group-of-eva"};

/* Every string that must be hidden. */
static const char *const secret[] = {"bob-secret",     "group-of-bob", "account-of-bob", "job-of-bob",
				     "because-of-bob", "carla-secret", "left-secret",    "admin-secret",
				     "why-reserved",   "bobs-own",     "programs/secret"};

static struct scene *make_secrets(uint64_t *evas, uint64_t *bobs)
{
	struct scene *sc = scene_new(4, 4);
	struct event hold = {.kind = EVENT_HOLD,
			     .who = "admin-secret",
			     .hold = {.bits = JOB_HOLD_SYSTEM, .on = true, .reason = "because-of-bob"}};
	struct event reserve = {
		.kind = EVENT_RESERVE,
		.who = "admin-secret",
		.reserve = {.name = "maintenance",
			    .text = "begin=2000000000 end=2000003600 nodes=ALL user=carla-secret "
				    "reason=why-reserved"}};
	struct err err;
	uint64_t left;

	scene_config(sc, "queuetimeweight = 7\nuser bob-secret { priority = 5 }\n"
			 "class fast { maxjob = {\"USER:carla-secret=3\"} }\n"
			 "admin2 = \"admin-secret\"\nprolog = \"/programs/secret\"\n");
	*evas = scene_add(sc, (struct scene_job){.user = "eva-viewer",
						 .group = "group-of-eva",
						 .account = "account-of-eva",
						 .name = "job-of-eva"});
	*bobs = scene_add(sc, (struct scene_job){.user = "bob-secret",
						 .group = "group-of-bob",
						 .account = "account-of-bob",
						 .qos = NULL,
						 .name = "job-of-bob"});
	left = scene_add(sc, (struct scene_job){.user = "left-secret", .name = "job-of-bob"});
	scene_cancel(sc, left);
	hold.job = *bobs;
	scene_apply(sc, &hold);
	scene_set(sc, "user[bob-secret].priority", "9");
	(void)scene_try(sc, &reserve, &err);
	return sc;
}

static bool copy_bytes(void *self, uint64_t offset, const void *bytes, size_t size)
{
	memcpy((char *)self + offset, bytes, size);
	return true;
}

/* Does the copy that a client receives contain the text? Memory between the tables is not sent (publisher.c).
 */
static bool client_sees(const struct snapshot *s, const char *text)
{
	size_t size = snapshot_copy_size(s);
	char *copy = calloc(1, size);
	bool has;

	assert_non_null(copy);
	assert_true(snapshot_write_copy(s, copy_bytes, copy));
	has = memmem(copy, size, text, strlen(text)) != NULL;
	free(copy);
	return has;
}

static void a_masked_state_contains_no_names_of_others(void **state)
{
	uint64_t evas, bobs;
	struct scene *sc = make_secrets(&evas, &bobs);
	struct snapshot *masked = mask_snapshot(scene_view(sc), &eva, NULL);
	size_t hidden = 0;

	(void)state;
	for (size_t i = 0; i < sizeof secret / sizeof secret[0]; i++) {
		hidden += client_sees(scene_view(sc), secret[i]);
		if (client_sees(masked, secret[i]))
			fail_msg("%s can be read", secret[i]);
	}
	assert_true(hidden >= 8); /* the state contained them */
	free(masked);
	scene_free(sc);
}

/* Memory from the system for each copy of a large state would take most of the scheduler's time. */
static void a_second_copy_takes_the_memory_of_the_first(void **state)
{
	uint64_t evas, bobs;
	struct scene *sc = make_secrets(&evas, &bobs);
	struct snapshot_buffer buffer = {.at = NULL};
	struct snapshot *fresh = mask_snapshot(scene_view(sc), &eva, NULL);
	struct snapshot *first = mask_reasons(scene_view(sc), "bob", &buffer);
	struct snapshot *seen = mask_snapshot(scene_view(sc), &eva, &buffer);

	(void)state;
	assert_ptr_equal(seen, first);
	assert_true(state_hash(seen) == state_hash(fresh));
	for (size_t i = 0; i < sizeof secret / sizeof secret[0]; i++)
		if (client_sees(seen, secret[i]))
			fail_msg("%s can be read", secret[i]);
	free(fresh);
	free(buffer.at);
	scene_free(sc);
}

static const char *value_of(const struct snapshot *s, const char *name)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_VALUES); i++)
		if (strcmp(config_rows[snapshot_values(s)[i].row].name, name) == 0)
			return snapshot_string(s, snapshot_values(s)[i].text);
	return NULL;
}

static void own_jobs_nodes_and_public_settings_are_visible(void **state)
{
	uint64_t evas, bobs;
	struct scene *sc = make_secrets(&evas, &bobs);
	struct snapshot *masked = mask_snapshot(scene_view(sc), &eva, NULL);
	const struct job *own = &snapshot_jobs(masked)[snapshot_find_job(masked, evas)];
	const struct job *other = &snapshot_jobs(masked)[snapshot_find_job(masked, bobs)];

	(void)state;
	assert_string_equal(snapshot_job_cred(masked, own, CRED_USER), "eva-viewer");
	assert_string_equal(snapshot_job_cred(masked, own, CRED_GROUP), "group-of-eva");
	assert_string_equal(snapshot_job_cred(masked, own, CRED_ACCOUNT), "account-of-eva");
	assert_string_equal(snapshot_string(masked, own->name), "job-of-eva");
	assert_string_equal(snapshot_job_cred(masked, other, CRED_USER), MASK_NAME);
	assert_string_equal(snapshot_job_cred(masked, other, CRED_ACCOUNT), MASK_NAME);
	assert_string_equal(snapshot_string(masked, other->name), MASK_NAME);
	assert_string_equal(snapshot_string(masked, other->hold_reason), MASK_NAME);
	assert_int_equal(other->holds, JOB_HOLD_SYSTEM);
	assert_string_equal(snapshot_string(masked, snapshot_nodes(masked)[2].name), "n003");
	assert_string_equal(value_of(masked, "queuetimeweight"), "7");
	assert_string_equal(value_of(masked, "prolog"), MASK_NAME);
	free(masked);
	scene_free(sc);
}

/* Users can invent names of classes that the site has not configured. */
static void classes_invented_by_another_user_are_hidden(void **state)
{
	struct scene *sc = scene_new(4, 4);
	struct snapshot *masked;
	uint64_t evas, bobs, fast;

	(void)state;
	scene_config(sc, "class fast { priority = 5 }\nclass silent { }\n");
	evas = scene_add(sc, (struct scene_job){.user = "eva-viewer", .class_name = "of-eva"});
	bobs = scene_add(sc, (struct scene_job){.user = "bob-secret", .class_name = "class-of-bob"});
	scene_add(sc, (struct scene_job){.user = "bob-secret", .class_name = "of-eva"});
	scene_add(sc, (struct scene_job){.user = "bob-secret", .class_name = "silent"});
	fast = scene_add(sc, (struct scene_job){.user = "bob-secret", .class_name = "fast"});
	masked = mask_snapshot(scene_view(sc), &eva, NULL);
	assert_true(client_sees(scene_view(sc), "class-of-bob"));
	assert_false(client_sees(masked, "class-of-bob"));
	assert_true(client_sees(masked, "silent"));
	assert_string_equal(snapshot_job_cred(masked, &snapshot_jobs(masked)[snapshot_find_job(masked, bobs)],
					      CRED_CLASS),
			    MASK_NAME);
	assert_string_equal(snapshot_job_cred(masked, &snapshot_jobs(masked)[snapshot_find_job(masked, evas)],
					      CRED_CLASS),
			    "of-eva");
	assert_string_equal(snapshot_job_cred(masked, &snapshot_jobs(masked)[snapshot_find_job(masked, fast)],
					      CRED_CLASS),
			    "fast");
	free(masked);
	scene_free(sc);
}

/* All members of jobs except hidden names and sizes are those of the state. */
static void check_jobs_unchanged(const struct snapshot *masked, const struct snapshot *s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++) {
		struct job a = snapshot_jobs(masked)[i], b = snapshot_jobs(s)[i];

		a.name = b.name;
		a.hold_reason = b.hold_reason;
		a.base_reason = b.base_reason;
		memcpy(a.unknown, b.unknown, sizeof a.unknown);
		assert_int_equal(a.launch_size | a.stored | a.texts, 0); /* sizes of hidden data */
		a.launch_size = b.launch_size;
		a.stored = b.stored;
		a.texts = b.texts;
		assert_memory_equal(&a, &b, sizeof a);
	}
}

static bool has_string(const struct snapshot *s, const char *text)
{
	const char *strings = snapshot_string(s, 0);
	uint32_t end = snapshot_count(s, TABLE_STRINGS);

	for (uint32_t i = 0; i < end; i += (uint32_t)strlen(strings + i) + 1)
		if (strcmp(strings + i, text) == 0)
			return true;
	return false;
}

static bool may_be_shown(const struct snapshot *s, const char *name, const struct viewer *viewer)
{
	bool shown = strcmp(name, viewer->user) == 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS); i++) {
		const struct cred *cred = &snapshot_creds(s)[i];

		shown = shown || ((cred->type == CRED_QOS || cred->type == CRED_CLASS) &&
				  strcmp(snapshot_string(s, cred->name), name) == 0);
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_TRAITS); i++)
		shown = shown || strcmp(snapshot_string(s, snapshot_traits(s)[i].name), name) == 0;
	return shown || strcmp(name, CRED_DEFAULT) == 0 || strcmp(name, CRED_NONE) == 0;
}

static void check_users_hidden(const struct snapshot *s, const struct viewer *viewer)
{
	struct snapshot *masked = mask_snapshot(s, viewer, NULL);
	struct state *usable;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS); i++) {
		const char *name = snapshot_string(s, snapshot_creds(s)[i].name);

		if (snapshot_creds(s)[i].type == CRED_USER && !may_be_shown(s, name, viewer) &&
		    has_string(masked, name))
			fail_msg("%s can see %s", viewer->user, name);
	}
	check_jobs_unchanged(masked, s);
	usable = state_from_snapshot(masked); /* previews use such a state */
	state_free(usable);
	free(masked);
}

static void a_user_sees_no_other_user_in_random_histories(void **state)
{
	struct rng rng = seeded("what a user may see");
	struct history h;

	(void)state;
	history_begin(&h, rng_u64(&rng));
	for (int i = 0; i < 300; i++) {
		(void)history_step(&h, 12);
		check_users_hidden(state_view(h.st), &(struct viewer){"eva", "staff"});
		check_users_hidden(state_view(h.st), &(struct viewer){"nobody-at-all", "x"});
	}
	history_end(&h);
}

static struct crossover find_crossover(const struct snapshot *s, int64_t now_s, unsigned factor,
				       struct crossover_nearest *nearest)
{
	struct queue queue = {.idle = NULL};
	struct crossover_pair pair;
	struct crossover found;

	queue_build(&queue, s, now_s);
	crossover_measure(&pair, s, snapshot_find_job(s, 2), snapshot_find_job(s, 1), now_s, &queue.shares);
	crossover_find(&found, &pair, (struct config_weight){FACTOR_WEIGHT, factor});
	*nearest = crossover_nearest(&pair);
	queue_clear(&queue);
	return found;
}

/* A partition may have a weight of its own that is hidden. If its value differs from the weight of the site,
 * it is known to be set; if it is equal, a viewer cannot tell. */
static void crossovers_that_depend_on_a_hidden_setting_are_not_known(void **state)
{
	struct scene *sc = scene_new(4, 4);
	struct snapshot *masked;
	struct crossover_nearest nearest;
	struct crossover found;
	struct str text = {0};

	(void)state;
	scene_config(sc, "queuetimeweight = 0\nwalltimeweight = 3\nprocweight = 5\n"
			 "partition day { nodeweight = 1 }\n");
	scene_add(sc, (struct scene_job){.wall_s = 100, .partition = "day"});
	scene_add(sc, (struct scene_job){.wall_s = 50});
	masked = mask_snapshot(scene_view(sc), &eva, NULL);
	assert_false(find_crossover(masked, sc->now_s, PRIO_RES_PROC, &nearest).up.hidden);
	assert_false(nearest.hidden);
	free(masked);
	scene_set(sc, "partition[day].walltimeweight", "4");
	scene_set(sc, "partition[day].procweight", "5");
	masked = mask_snapshot(scene_view(sc), &eva, NULL);
	/* 5 + 50 x against 400 + 5, in the state and in the masked state */
	found = find_crossover(scene_view(sc), sc->now_s, PRIO_RES_WALLTIME, &nearest);
	assert_int_equal(found.up.at, 9);
	assert_true(nearest.found && !nearest.hidden);
	found = find_crossover(masked, sc->now_s, PRIO_RES_WALLTIME, &nearest);
	assert_int_equal(found.up.at, 9);
	assert_true(nearest.hidden && !nearest.found);
	/* the partition's own weight equals that of the site, and the setting is hidden */
	assert_true(find_crossover(scene_view(sc), sc->now_s, PRIO_RES_PROC, &nearest).up.found);
	found = find_crossover(masked, sc->now_s, PRIO_RES_PROC, &nearest);
	assert_true(found.up.hidden && found.down.hidden);
	assert_false(found.up.found || found.up.proven);
	crossover_add_flip(&found.up, 1, &text);
	assert_string_equal(str_text(&text), "not known");
	str_free(&text);
	free(masked);
	scene_free(sc);
}

static const struct guest *first_guest(const struct snapshot *s, const char *reservation)
{
	uint32_t i = snapshot_find_advance(s, reservation);

	assert_int_not_equal(i, INDEX_NONE);
	assert_int_equal(snapshot_advances(s)[i].guest_count, 2);
	return &snapshot_guests(s)[snapshot_advances(s)[i].first_guest];
}

/* The owner of a reservation knows the names of its guests, and could infer which jobs belong to them. */
static void guests_of_an_own_reservation_do_not_reveal_the_jobs_of_others(void **state)
{
	struct scene *sc = scene_new(4, 4);
	struct event reserve = {
		.kind = EVENT_RESERVE,
		.who = "eva-viewer",
		.reserve = {
			.name = "mine",
			.text = "start=2000000000 end=2000003600 node=n001 user=eva-viewer user=bob-secret"}};
	struct snapshot *masked;
	const struct guest *guest;
	uint64_t bobs;

	(void)state;
	scene_add(sc, (struct scene_job){.user = "eva-viewer"});
	bobs = scene_add(sc, (struct scene_job){.user = "bob-secret"});
	scene_apply(sc, &reserve);
	reserve.who = "admin-secret";
	reserve.reserve.name = "theirs";
	reserve.reserve.text = "start=2000000000 end=2000003600 node=n002 user=eva-viewer user=bob-secret";
	scene_apply(sc, &reserve);
	masked = mask_snapshot(scene_view(sc), &eva, NULL);
	guest = first_guest(masked, "mine");
	assert_int_equal(guest[0].type, CRED_USER);
	assert_int_equal(guest[1].type, GUEST_JOB);
	assert_int_equal(guest[1].job, 0);
	assert_int_equal(guest[1].cred, INDEX_NONE);
	assert_false(snapshot_is_guest(masked,
				       &snapshot_advances(masked)[snapshot_find_advance(masked, "mine")],
				       &snapshot_jobs(masked)[snapshot_find_job(masked, bobs)]));
	/* Names of guests of other reservations are hidden; projections need their types. */
	assert_int_equal(first_guest(masked, "theirs")[1].type, CRED_USER);
	free(masked);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(guests_of_an_own_reservation_do_not_reveal_the_jobs_of_others),
		cmocka_unit_test(a_masked_state_contains_no_names_of_others),
		cmocka_unit_test(a_second_copy_takes_the_memory_of_the_first),
		cmocka_unit_test(own_jobs_nodes_and_public_settings_are_visible),
		cmocka_unit_test(classes_invented_by_another_user_are_hidden),
		cmocka_unit_test(a_user_sees_no_other_user_in_random_histories),
		cmocka_unit_test(crossovers_that_depend_on_a_hidden_setting_are_not_known),
	};

	return cmocka_run_group_tests_name("mask", tests, NULL, NULL);
}
