/* SPDX-License-Identifier: MIT */
/*
 * test_snapshot_job.c - QOS, reservation level, node access and account of a job
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/base/str.h"
#include "tests/scene.h"

static struct scene *configured(const char *text)
{
	struct scene *sc = scene_new(2, 4);

	scene_config(sc, text);
	return sc;
}

/* Submits a job of user john, group staff and class long with this QOS; returns the QOS granted, or "". */
static const char *granted_qos(struct scene *sc, const char *requested)
{
	uint64_t job = scene_add(
		sc,
		(struct scene_job){.user = "john", .group = "staff", .class_name = "long", .qos = requested});
	const char *qos = snapshot_job_cred(scene_view(sc), scene_job_of(sc, job), CRED_QOS);

	return qos == NULL ? "" : qos;
}

/* --- M-13 --------------------------------------------------------------------------------- */

static void M_13_without_lists_every_qos_is_permitted(void **state)
{
	struct scene *sc = configured("user john { qdef = normal }\n");

	(void)state;
	assert_string_equal(granted_qos(sc, "hi"), "hi");
	assert_string_equal(granted_qos(sc, NULL), "normal");
	scene_config(sc, "");
	assert_string_equal(granted_qos(sc, NULL), "");
	scene_free(sc);
}

static void M_13_plain_lists_permit_the_qos_they_name(void **state)
{
	struct scene *sc = configured("user john { qlist = lo }\ngroup staff { qlist = mid }\n"
				      "class DEFAULT { qlist = hi }\nuser eva { qlist = other }\n");

	(void)state;
	assert_string_equal(granted_qos(sc, "lo"), "lo");
	assert_string_equal(granted_qos(sc, "mid"), "mid");
	assert_string_equal(granted_qos(sc, "hi"),
			    "hi"); /* the class has no list, so that of DEFAULT applies */
	assert_string_equal(granted_qos(sc, "other"), "");
	scene_free(sc);
}

static void M_13_own_list_replaces_that_of_default(void **state)
{
	struct scene *sc = configured("user DEFAULT { qlist = hi }\nuser john { qlist = lo }\n");

	(void)state;
	assert_string_equal(granted_qos(sc, "lo"), "lo");
	assert_string_equal(granted_qos(sc, "hi"), "");
	scene_free(sc);
}

static void M_13_list_with_ampersand_requires_another_list(void **state)
{
	struct scene *sc = configured("user john { qlist = \"lo hi\" }\ngroup staff { qlist = \"hi&\" }\n");

	(void)state;
	assert_string_equal(granted_qos(sc, "hi"), "hi");
	assert_string_equal(granted_qos(sc, "lo"), "");
	scene_config(sc, "group staff { qlist = \"hi&\" }\n"); /* without another list, this list alone
								  permits the QOS */
	assert_string_equal(granted_qos(sc, "hi"), "hi");
	assert_string_equal(granted_qos(sc, "lo"), "");
	scene_free(sc);
}

static void M_13_list_with_caret_decides_alone(void **state)
{
	struct scene *sc = configured("user john { qlist = lo }\ngroup staff { qlist = \"hi^\" }\n"
				      "class long { qlist = \"mid^\" }\n");

	(void)state;
	assert_string_equal(granted_qos(sc, "hi"), "hi");
	assert_string_equal(granted_qos(sc, "lo"), "");
	assert_string_equal(granted_qos(sc, "mid"), ""); /* the group takes precedence over the class */
	scene_free(sc);
}

static void M_13_denied_request_gets_the_first_permitted_default(void **state)
{
	struct scene *sc =
		configured("user john { qlist = \"lo mid\" qdef = secret }\nuser DEFAULT { qdef = mid }\n"
			   "group staff { qdef = lo }\nsystem { qdef = lo }\n");

	(void)state;
	assert_string_equal(granted_qos(sc, "hi"), "mid");
	assert_string_equal(granted_qos(sc, NULL), "mid");
	scene_config(
		sc,
		"user john { qlist = lo qdef = secret }\ngroup staff { qdef = hi }\nsystem { qdef = lo }\n");
	assert_string_equal(granted_qos(sc, NULL), "lo");
	scene_config(sc, "user john { qlist = lo }\n");
	assert_string_equal(granted_qos(sc, "hi"), "");
	scene_free(sc);
}

static void M_13_requested_qos_is_kept(void **state)
{
	struct scene *sc = configured("user john { qlist = lo qdef = lo }\n");
	const struct job *job;

	(void)state;
	assert_string_equal(granted_qos(sc, "hi"), "lo");
	job = scene_job_of(sc, 1);
	assert_string_equal(
		snapshot_string(scene_view(sc), snapshot_creds(scene_view(sc))[job->qos_asked].name), "hi");
	granted_qos(sc, NULL);
	assert_int_equal(scene_job_of(sc, 2)->qos_asked, INDEX_NONE);
	scene_free(sc);
}

/* --- levels and access ----------------------------------------------------------------------- */

static unsigned level_of(struct scene *sc, const char *qos)
{
	uint64_t job = scene_add(sc, (struct scene_job){.qos = qos});

	return snapshot_job_level(scene_view(sc), scene_job_of(sc, job));
}

static void level_is_the_first_that_lists_the_qos(void **state)
{
	struct scene *sc = configured("reservationlevel 1 { reservationqoslist = \"hi vip\" }\n"
				      "reservationlevel 2 { reservationqoslist = vip }\n");

	(void)state;
	assert_int_equal(level_of(sc, "hi"), 1);
	assert_int_equal(level_of(sc, "vip"), 1);
	assert_int_equal(level_of(sc, "lo"), 0);
	assert_int_equal(level_of(sc, NULL), 0);
	scene_config(sc, "reservationlevel 0 { reservationqoslist = hi }\n");
	assert_int_equal(level_of(sc, "hi"), 0);
	assert_int_equal(level_of(sc, "lo"), RESERVATION_LEVELS);
	scene_config(sc, "reservationlevel 0 { reservationqoslist = hi }\nreservationlevel 4 { "
			 "reservationdepth = 2 }\n");
	assert_int_equal(level_of(sc, "lo"), 4);
	scene_free(sc);
}

static enum node_access access_of(struct scene *sc, const char *class_name, uint8_t own)
{
	uint64_t job = scene_add(sc, (struct scene_job){.class_name = class_name, .access = own});

	return snapshot_job_access(scene_view(sc), scene_job_of(sc, job));
}

static void strictest_access_applies(void **state)
{
	struct scene *sc = configured("class own { nodeaccesspolicy = singlejob }\n"
				      "class DEFAULT { nodeaccesspolicy = singleuser }\n");

	(void)state;
	assert_int_equal(access_of(sc, "own", ACCESS_UNSET), ACCESS_SINGLEJOB);
	assert_int_equal(access_of(sc, "other", ACCESS_UNSET), ACCESS_SINGLEUSER);
	assert_int_equal(access_of(sc, "other", ACCESS_SINGLETASK), ACCESS_SINGLETASK);
	scene_config(sc, "");
	assert_int_equal(access_of(sc, "own", ACCESS_UNSET), ACCESS_SHARED);
	assert_int_equal(access_of(sc, NULL, ACCESS_SINGLEUSER), ACCESS_SINGLEUSER);
	scene_set(sc, "nodeaccesspolicy", "singlejob");
	assert_int_equal(access_of(sc, NULL, ACCESS_SINGLEUSER), ACCESS_SINGLEJOB);
	scene_free(sc);
}

/* --- accounts ------------------------------------------------------------------------------- */

/* Submits a job of user john, group staff and class long with this account; returns the account charged, or
 * "". */
static const char *charged_account(struct scene *sc, const char *requested)
{
	uint64_t job = scene_add(
		sc, (struct scene_job){
			    .user = "john", .group = "staff", .class_name = "long", .account = requested});
	const char *account = snapshot_job_cred(scene_view(sc), scene_job_of(sc, job), CRED_ACCOUNT);

	return account == NULL ? "" : account;
}

/* Tells if a job of user john, group staff and class long may charge the account. */
static bool may_charge(const struct scene *sc, const char *account)
{
	const uint32_t cred[CRED_TYPE_COUNT] = {
		[CRED_USER] = state_find_cred(sc->st, CRED_USER, "john"),
		[CRED_GROUP] = state_find_cred(sc->st, CRED_GROUP, "staff"),
		[CRED_ACCOUNT] = INDEX_NONE,
		[CRED_QOS] = INDEX_NONE,
		[CRED_CLASS] = state_find_cred(sc->st, CRED_CLASS, "long"),
	};

	return snapshot_account_is_open(scene_view(sc), cred, state_find_cred(sc->st, CRED_ACCOUNT, account));
}

static void M_13_without_lists_accounts_depend_on_accountaccess(void **state)
{
	struct scene *sc = configured("");

	(void)state;
	assert_true(may_charge(sc, "new"));
	scene_config(sc, "accountaccess = listed\n");
	assert_false(may_charge(sc, "new"));
	scene_config(sc, "accountaccess = listed\ngroup staff { alist = new }\n");
	assert_true(may_charge(sc, "new"));
	assert_false(may_charge(sc, "other"));
	scene_free(sc);
}

static void M_13_one_of_the_lists_must_name_the_account(void **state)
{
	struct scene *sc = configured("user john { alist = {\"a b\", \"c\"} }\ngroup staff { alist = d }\n"
				      "class DEFAULT { alist = e }\nuser eva { alist = f }\n"
				      "user DEFAULT { alist = g }\naccount f { qlist = q }\n");

	(void)state;
	for (const char *one = "abcde"; *one != '\0'; one++)
		assert_true(may_charge(sc, (char[2]){*one, '\0'}));
	assert_false(may_charge(sc, "f")); /* listed for another user only */
	assert_false(may_charge(sc, "g")); /* john's own list replaces DEFAULT's */
	assert_false(may_charge(sc, "unheard"));
	scene_set(sc, "user[john].alist", "f");
	assert_true(may_charge(sc, "f"));
	assert_false(may_charge(sc, "a"));
	scene_free(sc);
}

static void M_13_job_without_account_charges_adef(void **state)
{
	struct scene *sc = configured("user john { adef = a }\ngroup staff { adef = b }\n");

	(void)state;
	assert_string_equal(charged_account(sc, NULL), "a");
	assert_string_equal(charged_account(sc, "x"), "x");
	scene_set(sc, "user[john].adef", "none");
	assert_string_equal(charged_account(sc, NULL), "b");
	/* A default account that no list allows is skipped. */
	scene_config(sc, "user john { alist = c adef = a }\nclass DEFAULT { adef = c }\n");
	scene_set(sc, "user[john].adef", "a");
	assert_string_equal(charged_account(sc, NULL), "c");
	scene_config(sc, "accountaccess = listed\n");
	assert_string_equal(charged_account(sc, NULL), "");
	scene_free(sc);
}

static void M_13_default_account_affects_the_qos(void **state)
{
	struct scene *sc = configured("user john { adef = a }\naccount a { qlist = hi qdef = hi }\n");

	(void)state;
	assert_string_equal(granted_qos(sc, NULL), "hi");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(M_13_without_lists_every_qos_is_permitted),
		cmocka_unit_test(M_13_plain_lists_permit_the_qos_they_name),
		cmocka_unit_test(M_13_own_list_replaces_that_of_default),
		cmocka_unit_test(M_13_list_with_ampersand_requires_another_list),
		cmocka_unit_test(M_13_list_with_caret_decides_alone),
		cmocka_unit_test(M_13_denied_request_gets_the_first_permitted_default),
		cmocka_unit_test(M_13_requested_qos_is_kept),
		cmocka_unit_test(level_is_the_first_that_lists_the_qos),
		cmocka_unit_test(strictest_access_applies),
		cmocka_unit_test(M_13_without_lists_accounts_depend_on_accountaccess),
		cmocka_unit_test(M_13_one_of_the_lists_must_name_the_account),
		cmocka_unit_test(M_13_job_without_account_charges_adef),
		cmocka_unit_test(M_13_default_account_affects_the_qos),
	};

	return cmocka_run_group_tests_name("snapshot_job", tests, NULL, NULL);
}
