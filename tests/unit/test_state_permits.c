/* SPDX-License-Identifier: MIT */
/*
 * test_state_permits.c - access lists of credentials and reservation levels
 * Their effect on jobs is tested in test_snapshot_job.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/base/str.h"
#include "tests/scene.h"

/* Checks the names and the kind of a list; names are "" if there is no such list. */
static void assert_list(const struct scene *sc, uint32_t owner, bool level, const char *names, uint32_t kind)
{
	const struct snapshot *s = scene_view(sc);
	struct str found = {0};

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_PERMITS); i++) {
		const struct permit *permit = &snapshot_permits(s)[i];

		if (permit->owner != owner || (permit->kind == PERMIT_LEVEL) != level)
			continue;
		assert_int_equal(permit->kind, kind);
		str_addf(&found, "%s%s", found.len > 0 ? " " : "",
			 snapshot_string(s, snapshot_creds(s)[permit->qos].name));
		assert_int_equal(snapshot_creds(s)[permit->qos].type, CRED_QOS);
	}
	assert_string_equal(str_text(&found), names);
	str_free(&found);
}

static uint32_t cred_of(const struct scene *sc, enum cred_type type, const char *name)
{
	return snapshot_find_cred(scene_view(sc), type, name);
}

static const char *qdef_of(const struct scene *sc, uint32_t qos)
{
	const struct snapshot *s = scene_view(sc);

	return qos == INDEX_NONE ? "none" : snapshot_string(s, snapshot_creds(s)[qos].name);
}

static struct scene *configured(const char *text)
{
	struct scene *sc = scene_new(1, 1);

	scene_config(sc, text);
	return sc;
}

static void M_13_lists_and_defaults_of_each_credential(void **state)
{
	struct scene *sc = configured("user john { qlist = {\"normal\", \"hi, lo\"} qdef = normal }\n"
				      "group staff { qlist = {\"normal\", \"hi&\"} }\n"
				      "account a { qlist = \"hi^\" }\n"
				      "class DEFAULT { qlist = lo qdef = lo }\n"
				      "system { qlist = normal qdef = hi }\n");
	const struct cred *cred = snapshot_creds(scene_view(sc));

	(void)state;
	assert_list(sc, cred_of(sc, CRED_USER, "john"), false, "normal hi lo", PERMIT_QOS);
	assert_list(sc, cred_of(sc, CRED_GROUP, "staff"), false, "normal hi", PERMIT_QOS_BOTH);
	assert_list(sc, cred_of(sc, CRED_ACCOUNT, "a"), false, "hi", PERMIT_QOS_ONLY);
	assert_list(sc, CRED_CLASS, false, "lo", PERMIT_QOS);
	assert_list(sc, INDEX_NONE, false, "normal", PERMIT_QOS);
	assert_string_equal(qdef_of(sc, cred[cred_of(sc, CRED_USER, "john")].qdef), "normal");
	assert_string_equal(qdef_of(sc, cred[CRED_CLASS].qdef), "lo");
	assert_string_equal(qdef_of(sc, cred[CRED_USER].qdef), "none");
	assert_string_equal(qdef_of(sc, scene_view(sc)->qdef), "hi");
	scene_free(sc);
}

static void a_live_list_replaces_the_whole_list(void **state)
{
	struct scene *sc = configured("user john { qlist = {\"a\", \"b\"} qdef = a }\n");
	uint32_t john = cred_of(sc, CRED_USER, "john");
	uint64_t list, qdef;

	(void)state;
	list = scene_set(sc, "user[john].qlist", "c d&");
	qdef = scene_set(sc, "user[john].qdef", "none");
	assert_list(sc, john, false, "c d", PERMIT_QOS_BOTH);
	assert_string_equal(qdef_of(sc, snapshot_creds(scene_view(sc))[john].qdef), "none");
	scene_undo(sc, list);
	scene_undo(sc, qdef);
	assert_list(sc, john, false, "a b", PERMIT_QOS);
	assert_string_equal(qdef_of(sc, snapshot_creds(scene_view(sc))[john].qdef), "a");
	scene_free(sc);
}

static void M_11_reservation_levels_have_depths_and_lists(void **state)
{
	struct scene *sc = configured(
		"reservationdepth = 4\n"
		"reservationlevel 1 { reservationdepth = 5 reservationqoslist = {\"hi\", \"lo\"} }\n"
		"reservationlevel 3 { reservationqoslist = vip }\n");
	const int64_t *depth = scene_view(sc)->policy.reservation_depth;

	(void)state;
	assert_int_equal(depth[0], 4);
	assert_int_equal(depth[1], 5);
	assert_int_equal(depth[2], -1);
	assert_int_equal(depth[3], 1);
	assert_list(sc, 1, true, "hi lo", PERMIT_LEVEL);
	assert_list(sc, 3, true, "vip", PERMIT_LEVEL);
	assert_list(sc, 0, true, "", PERMIT_LEVEL);
	scene_free(sc);
}

static void levels_are_changed_live(void **state)
{
	struct scene *sc = configured("reservationlevel 1 { reservationdepth = 5 reservationqoslist = hi }\n"
				      "reservationlevel 0 { reservationdepth = 2 }\n");

	(void)state;
	assert_int_equal(scene_view(sc)->policy.reservation_depth[0], 2);
	scene_set(sc, "reservationdepth[1]", "7");
	scene_set(sc, "reservationdepth[0]", "3");
	scene_set(sc, "reservationqoslist[1]", "lo");
	scene_set(sc, "reservationqoslist[6]", "x,y");
	assert_int_equal(scene_view(sc)->policy.reservation_depth[1], 7);
	assert_int_equal(scene_view(sc)->policy.reservation_depth[0], 3);
	assert_int_equal(scene_view(sc)->policy.reservation_depth[6], 1);
	assert_list(sc, 1, true, "lo", PERMIT_LEVEL);
	assert_list(sc, 6, true, "x y", PERMIT_LEVEL);
	scene_set(sc, "reservationqoslist[1]", "ALL");
	assert_list(sc, 1, true, "", PERMIT_LEVEL);
	scene_free(sc);
}

static void level_and_credential_indexes_are_distinct(void **state)
{
	struct scene *sc = configured("reservationlevel 0 { reservationqoslist = hi }\n"
				      "user DEFAULT { qlist = \"lo^\" }\n");

	(void)state;
	assert_list(sc, 0, true, "hi", PERMIT_LEVEL);
	assert_list(sc, 0, false, "lo", PERMIT_QOS_ONLY);
	scene_set(sc, "user[DEFAULT].qlist", "x");
	assert_list(sc, 0, true, "hi", PERMIT_LEVEL);
	assert_list(sc, 0, false, "x", PERMIT_QOS);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(M_13_lists_and_defaults_of_each_credential),
		cmocka_unit_test(a_live_list_replaces_the_whole_list),
		cmocka_unit_test(M_11_reservation_levels_have_depths_and_lists),
		cmocka_unit_test(levels_are_changed_live),
		cmocka_unit_test(level_and_credential_indexes_are_distinct),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
