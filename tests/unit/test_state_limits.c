/* SPDX-License-Identifier: MIT */
/*
 * test_state_limits.c - limits in force, their owners and order
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/scene.h"

static struct scene *configured(const char *text)
{
	struct scene *sc = scene_new(2, 2);

	scene_config(sc, text);
	return sc;
}

/* Returns a credential's own limit of this kind and second credential, or NULL. */
static const struct limit *find(const struct scene *sc, uint32_t owner, enum limit_scope scope,
				enum limit_kind kind, enum cred_type second_type, uint32_t second)
{
	const struct snapshot *s = scene_view(sc);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_LIMITS); i++) {
		const struct limit *limit = &snapshot_limits(s)[i];

		if (limit->cred == owner && limit->scope == scope && limit->kind == kind &&
		    limit->second_type == second_type && limit->second == second)
			return limit;
	}
	return NULL;
}

static uint32_t cred_of(const struct scene *sc, enum cred_type type, const char *name)
{
	uint32_t i = snapshot_find_cred(scene_view(sc), type, name);

	assert_true(i != INDEX_NONE);
	return i;
}

static void assert_plain(const struct scene *sc, enum cred_type type, const char *name,
			 enum limit_scope scope, enum limit_kind kind, int64_t soft, int64_t hard)
{
	const struct limit *limit =
		find(sc, cred_of(sc, type, name), scope, kind, CRED_TYPE_COUNT, INDEX_NONE);

	if (limit == NULL) {
		fail_msg("%s %s has no %s", cred_type_name(type), name, limit_name(scope, kind));
		return;
	}
	assert_int_equal(limit->soft, soft);
	assert_int_equal(limit->hard, hard);
}

static void T_15_defaults_and_own_limits(void **state)
{
	struct scene *sc = configured("user DEFAULT { maxjob = 4 }\nuser john { maxjob = 8 }\n");

	(void)state;
	assert_plain(sc, CRED_USER, CRED_DEFAULT, LIMIT_ACTIVE, LIMIT_JOB, 4, 4);
	assert_plain(sc, CRED_USER, "john", LIMIT_ACTIVE, LIMIT_JOB, 8, 8);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_LIMITS), 2);
	scene_free(sc);
}

static void T_30_soft_and_hard_limits_of_all_credentials(void **state)
{
	struct scene *sc = configured("user steve { maxjob = {\"2,4\"} maxnode = {\"15,30\"} }\n"
				      "group staff { maxjob = {\"2,5\"} }\n"
				      "class DEFAULT { maxnode = {\"16,32\"} }\n"
				      "class batch { maxnode = {\"12,32\"} }\n"
				      "qos hiprio { maxjob = {\"3,5\"} maxnode = {\"32,64\"} }\n");

	(void)state;
	assert_plain(sc, CRED_USER, "steve", LIMIT_ACTIVE, LIMIT_JOB, 2, 4);
	assert_plain(sc, CRED_USER, "steve", LIMIT_ACTIVE, LIMIT_NODE, 15, 30);
	assert_plain(sc, CRED_GROUP, "staff", LIMIT_ACTIVE, LIMIT_JOB, 2, 5);
	assert_plain(sc, CRED_CLASS, CRED_DEFAULT, LIMIT_ACTIVE, LIMIT_NODE, 16, 32);
	assert_plain(sc, CRED_CLASS, "batch", LIMIT_ACTIVE, LIMIT_NODE, 12, 32);
	assert_plain(sc, CRED_QOS, "hiprio", LIMIT_ACTIVE, LIMIT_JOB, 3, 5);
	assert_plain(sc, CRED_QOS, "hiprio", LIMIT_ACTIVE, LIMIT_NODE, 32, 64);
	scene_free(sc);
}

static void T_29_a_soft_limit_is_never_above_the_hard_one(void **state)
{
	struct scene *sc = configured("user eva { maxjob = \"9,4\" }\n");

	(void)state;
	assert_plain(sc, CRED_USER, "eva", LIMIT_ACTIVE, LIMIT_JOB, 4, 4);
	scene_free(sc);
}

static void T_19_T_21_T_24_pairs_overrides_and_idle_limits(void **state)
{
	struct scene *sc = configured("class fast { maxjob = 3 maxnode = \"USER=8\"\n"
				      "  maxproc = {\"USER:steve=3\", \"USER:bob=4\"} }\n"
				      "qos hi { omaxjob = 3 omaxnode = 64 omaxips = 7 }\n"
				      "user eva { maxijob = 8 maxqueued = 72 }\n");
	uint32_t fast = cred_of(sc, CRED_CLASS, "fast"), steve = cred_of(sc, CRED_USER, "steve");

	(void)state;
	assert_plain(sc, CRED_CLASS, "fast", LIMIT_ACTIVE, LIMIT_JOB, 3, 3);
	assert_int_equal(find(sc, fast, LIMIT_ACTIVE, LIMIT_NODE, CRED_USER, INDEX_NONE)->hard, 8);
	assert_int_equal(find(sc, fast, LIMIT_ACTIVE, LIMIT_PROC, CRED_USER, steve)->hard, 3);
	assert_int_equal(
		find(sc, fast, LIMIT_ACTIVE, LIMIT_PROC, CRED_USER, cred_of(sc, CRED_USER, "bob"))->hard, 4);
	assert_plain(sc, CRED_QOS, "hi", LIMIT_OVERRIDE_ACTIVE, LIMIT_JOB, 3, 3);
	assert_plain(sc, CRED_QOS, "hi", LIMIT_OVERRIDE_ACTIVE, LIMIT_NODE, 64, 64);
	assert_plain(sc, CRED_QOS, "hi", LIMIT_OVERRIDE_IDLE, LIMIT_PS, 7, 7);
	assert_plain(sc, CRED_USER, "eva", LIMIT_IDLE, LIMIT_JOB, 8, 8);
	assert_plain(sc, CRED_USER, "eva", LIMIT_QUEUED, LIMIT_JOB, 72, 72);
	scene_free(sc);
}

static void limits_are_sorted_by_owner(void **state)
{
	struct scene *sc = configured("system { maxjob = {100, \"USER=3\"} }\n"
				      "class b { maxproc = {\"USER=4\", 8} maxijob = 2 }\n"
				      "user a { maxps = 5 maxjob = 1 }\n");
	const struct snapshot *s = scene_view(sc);
	const struct limit *limit = snapshot_limits(s);
	const struct cred *b = &snapshot_creds(s)[cred_of(sc, CRED_CLASS, "b")];

	(void)state;
	assert_int_equal(snapshot_count(s, TABLE_LIMITS), 7);
	assert_int_equal(limit[5].cred, INDEX_NONE);
	assert_int_equal(limit[5].second_type, CRED_TYPE_COUNT);
	assert_int_equal(limit[6].second_type, CRED_USER);
	assert_int_equal(b->limit_count, 3);
	for (uint32_t i = 0; i < 3; i++)
		assert_ptr_equal(&snapshot_creds(s)[limit[b->limit_first + i].cred], b);
	/* plain limits precede pairs, active limits precede idle limits */
	assert_int_equal(limit[b->limit_first].hard, 8);
	assert_int_equal(limit[b->limit_first + 1].hard, 4);
	assert_int_equal(limit[b->limit_first + 2].scope, LIMIT_IDLE);
	assert_int_equal(snapshot_creds(s)[CRED_USER].limit_count, 0);
	scene_free(sc);
}

static void live_limit_replaces_only_the_same_limit(void **state)
{
	struct scene *sc = configured("class fast { maxjob = {\"4\", \"GROUP=12\", \"USER:steve=2\"} }\n");
	uint32_t fast = cred_of(sc, CRED_CLASS, "fast");
	uint64_t plain, pair;

	(void)state;
	plain = scene_set(sc, "class[fast].maxjob", "3,6");
	pair = scene_set(sc, "class[fast].maxjob[group]", "9");
	scene_set(sc, "class[fast].maxjob", "USER:steve=1");
	scene_set(sc, "user[new].maxps", "72000,1080000");
	assert_plain(sc, CRED_CLASS, "fast", LIMIT_ACTIVE, LIMIT_JOB, 3, 6);
	assert_int_equal(find(sc, fast, LIMIT_ACTIVE, LIMIT_JOB, CRED_GROUP, INDEX_NONE)->hard, 9);
	assert_int_equal(
		find(sc, fast, LIMIT_ACTIVE, LIMIT_JOB, CRED_USER, cred_of(sc, CRED_USER, "steve"))->hard, 1);
	assert_plain(sc, CRED_USER, "new", LIMIT_ACTIVE, LIMIT_PS, 72000, 1080000);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_LIMITS), 4);
	scene_undo(sc, plain);
	scene_undo(sc, pair);
	assert_plain(sc, CRED_CLASS, "fast", LIMIT_ACTIVE, LIMIT_JOB, 4, 4);
	assert_int_equal(find(sc, fast, LIMIT_ACTIVE, LIMIT_JOB, CRED_GROUP, INDEX_NONE)->hard, 12);
	scene_free(sc);
}

static void limit_is_removed_by_a_setting_and_restored_by_undo(void **state)
{
	struct scene *sc = configured("user DEFAULT { maxjob = 4 }\n");
	uint64_t seq = scene_set(sc, "user[eva].maxjob", "unlimited");

	(void)state;
	assert_plain(sc, CRED_USER, "eva", LIMIT_ACTIVE, LIMIT_JOB, LIMIT_UNLIMITED, LIMIT_UNLIMITED);
	scene_undo(sc, seq);
	assert_null(find(sc, cred_of(sc, CRED_USER, "eva"), LIMIT_ACTIVE, LIMIT_JOB, CRED_TYPE_COUNT,
			 INDEX_NONE));
	scene_free(sc);
}

static void the_last_element_of_a_list_is_in_force(void **state)
{
	struct scene *sc = configured("user a { maxjob = {\"4\", \"5\", \"GROUP=1\", \"GROUP=2\"} }\n");
	uint32_t a = cred_of(sc, CRED_USER, "a");

	(void)state;
	assert_plain(sc, CRED_USER, "a", LIMIT_ACTIVE, LIMIT_JOB, 5, 5);
	assert_int_equal(find(sc, a, LIMIT_ACTIVE, LIMIT_JOB, CRED_GROUP, INDEX_NONE)->hard, 2);
	scene_free(sc);
}

static void repeated_rebuilds_add_no_strings(void **state)
{
	struct scene *sc =
		configured("class f { maxjob = \"USER:steve=2\" qlist = \"a b\" default.features = x }\n"
			   "node DEFAULT { priorityf = \"SPEED\" }\n");
	uint64_t seq = scene_set(sc, "class[f].maxjob[user:steve]", "3");
	uint32_t bytes;

	(void)state;
	scene_undo(sc, seq);
	bytes = snapshot_count(scene_view(sc), TABLE_STRINGS);
	for (int i = 0; i < 5; i++)
		scene_undo(sc, scene_view(sc)->seq);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_STRINGS), bytes);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(T_15_defaults_and_own_limits),
		cmocka_unit_test(T_30_soft_and_hard_limits_of_all_credentials),
		cmocka_unit_test(T_29_a_soft_limit_is_never_above_the_hard_one),
		cmocka_unit_test(T_19_T_21_T_24_pairs_overrides_and_idle_limits),
		cmocka_unit_test(limits_are_sorted_by_owner),
		cmocka_unit_test(live_limit_replaces_only_the_same_limit),
		cmocka_unit_test(limit_is_removed_by_a_setting_and_restored_by_undo),
		cmocka_unit_test(the_last_element_of_a_list_is_in_force),
		cmocka_unit_test(repeated_rebuilds_add_no_strings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
