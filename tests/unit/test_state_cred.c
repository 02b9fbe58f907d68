/* SPDX-License-Identifier: MIT */
/*
 * test_state_cred.c - reuse of credential rows
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/base/str.h"
#include "tests/scene.h"
#include "tests/told.h"

#define MANY_NAMES 3000

static uint32_t rows(const struct scene *sc)
{
	return snapshot_count(scene_view(sc), TABLE_CREDS);
}

static uint64_t add_job(struct scene *sc, const char *stem, int number)
{
	char account[32];

	snprintf(account, sizeof account, "%s%d", stem, number);
	return scene_add(sc, (struct scene_job){.account = account, .class_name = stem});
}

/* Submits and cancels jobs that each name a new account. */
static void churn(struct scene *sc, const char *stem, int jobs)
{
	for (int i = 0; i < jobs; i++)
		scene_cancel(sc, add_job(sc, stem, i));
}

static void names_of_ended_jobs_do_not_accumulate(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct told told;
	struct state *twin;
	struct err err;

	(void)state;
	told_begin(&told, sc);
	churn(sc, "x", MANY_NAMES);
	assert_true(rows(sc) < 2 * 256);
	/* Every credential is found by its name, and by no other. */
	for (uint32_t i = 0; i < rows(sc); i++) {
		const struct cred *cred = &snapshot_creds(scene_view(sc))[i];

		assert_int_equal(state_find_cred(sc->st, (enum cred_type)cred->type,
						 snapshot_string(scene_view(sc), cred->name)),
				 i);
	}
	twin = state_from_snapshot(state_view(told.before));
	for (size_t i = 0; i < told.count; i++) {
		struct event ev = told.event[i];

		ev.seq = 0;
		assert_true(event_apply(twin, &ev, &err));
	}
	assert_true(state_hash(state_view(twin)) == state_hash(scene_view(sc)));
	state_free(twin);
	told_end(&told);
	sc->tell = NULL;
	scene_free(sc);
}

static void referenced_credential_keeps_its_row(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t used, waiting, requesting;
	const struct snapshot *s;
	const struct job *job;

	(void)state;
	scene_config(sc, "account set { priority = 7 }\nuser u { adef = given alist = listed qdef = q }\n"
			 "account limited { maxjob = {\"GROUP:limiters=3\"} }\n");
	used = add_job(sc, "used", 1);
	scene_pass(sc);
	scene_go(sc, 10);
	scene_end(sc, used);
	waiting = add_job(sc, "waits", 1);
	requesting = scene_add(sc, (struct scene_job){.qos = "asked"});
	churn(sc, "x", MANY_NAMES);
	s = scene_view(sc);
	assert_true(rows(sc) < 2 * 256);
	job = scene_job_of(sc, waiting);
	assert_string_equal(snapshot_job_cred(s, job, CRED_ACCOUNT), "waits1");
	assert_string_equal(snapshot_job_cred(s, job, CRED_CLASS), "waits");
	assert_string_equal(snapshot_job_cred(s, scene_job_of(sc, requesting), CRED_QOS), "asked");
	for (const char *const *name =
		     (const char *const[]){"set", "given", "listed", "limited", "used1", NULL};
	     *name != NULL; name++)
		assert_true(state_find_cred(sc->st, CRED_ACCOUNT, *name) != INDEX_NONE);
	assert_true(state_find_cred(sc->st, CRED_GROUP, "limiters") != INDEX_NONE);
	assert_true(state_find_cred(sc->st, CRED_QOS, "q") != INDEX_NONE);
	assert_true(state_find_cred(sc->st, CRED_ACCOUNT, "x0") == INDEX_NONE);
	/* A name that returns after its row was found spare has a row of its own. */
	add_job(sc, "x", MANY_NAMES - 1);
	waiting = add_job(sc, "y", 1);
	assert_string_equal(snapshot_job_cred(scene_view(sc), scene_job_of(sc, waiting), CRED_ACCOUNT), "y1");
	assert_string_equal(snapshot_job_cred(scene_view(sc), scene_job_of(sc, waiting - 1), CRED_ACCOUNT),
			    "x2999");
	scene_free(sc);
}

static void all_credentials_of_a_job_keep_their_rows(void **state)
{
	static const char *const name[CRED_TYPE_COUNT] = {[CRED_USER] = "ju",
							  [CRED_GROUP] = "jg",
							  [CRED_ACCOUNT] = "ja",
							  [CRED_QOS] = "jq",
							  [CRED_CLASS] = "jc"};
	struct scene *sc = scene_new(1, 1);
	const struct job *job;
	uint64_t waiting;

	(void)state;
	scene_config(sc, "user DEFAULT { qlist = jq }\n");
	waiting = scene_add(
		sc, (struct scene_job){
			    .user = "ju", .group = "jg", .account = "ja", .qos = "jq", .class_name = "jc"});
	churn(sc, "x", MANY_NAMES);
	job = scene_job_of(sc, waiting);
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++) {
		assert_string_equal(snapshot_job_cred(scene_view(sc), job, type), name[type]);
		assert_int_equal(state_find_cred(sc->st, type, name[type]), job->cred[type]);
	}
	scene_free(sc);
}

static void system_default_keeps_its_row(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	scene_config(sc, "system { qdef = everyone }\nuser DEFAULT { adef = common }\n"
			 "user lister { alist = listed }\n");
	assert_true(scene_view(sc)->qdef != INDEX_NONE);
	churn(sc, "x", MANY_NAMES);
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		assert_int_equal(state_find_cred(sc->st, type, CRED_DEFAULT), type);
	assert_true(state_find_cred(sc->st, CRED_QOS, "everyone") != INDEX_NONE);
	assert_true(state_find_cred(sc->st, CRED_ACCOUNT, "common") != INDEX_NONE);
	assert_true(state_find_cred(sc->st, CRED_USER, "lister") != INDEX_NONE);
	scene_free(sc);
}

static void small_table_keeps_all_names(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	churn(sc, "x", 200);
	assert_true(state_find_cred(sc->st, CRED_ACCOUNT, "x0") != INDEX_NONE);
	assert_true(rows(sc) > 200);
	scene_free(sc);
}

static void use_an_hour(struct scene *sc, const char *account, int hour)
{
	uint64_t job = scene_add(sc, (struct scene_job){.account = account, .wall_s = 7200});

	scene_start(sc, job, 0, 1, 1);
	scene_go(sc, (hour + 1) * INT64_C(3600));
	scene_end(sc, job);
}

/* FS_DEPTH_MAX windows are kept with any value of FSDEPTH. */
static void credential_is_kept_while_it_has_usage(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	scene_config(sc, "fspolicy = dedicatedps\nfsinterval = \"1:00:00\"\nfsdepth = 2\n");
	use_an_hour(sc, "used", 0);
	for (int hour = 1; hour < FS_DEPTH_MAX; hour++)
		use_an_hour(sc, "other", hour);
	churn(sc, "x", MANY_NAMES);
	assert_true(state_find_cred(sc->st, CRED_ACCOUNT, "used") != INDEX_NONE);
	use_an_hour(sc, "other", FS_DEPTH_MAX);
	churn(sc, "x", MANY_NAMES);
	assert_true(state_find_cred(sc->st, CRED_ACCOUNT, "used") == INDEX_NONE);
	assert_true(state_find_cred(sc->st, CRED_ACCOUNT, "other") != INDEX_NONE);
	scene_free(sc);
}

/* Each of these settings alone keeps the name. */
static void credential_with_settings_keeps_its_row(void **state)
{
	static const char *const set[] = {
		"priority = -1",
		"qttarget = 1",
		"xftarget = 1.5",
		"qdef = q",
		"adef = a",
		"fstarget = 10",
		"qtweight = 1",
		"xfweight = -1",
		"default.wclimit = 60",
		"max.wclimit = 60",
		"min.wclimit = 60",
		"max.proc = 1",
		"min.proc = 1",
		"max.node = 1",
		"min.node = 1",
		"default.features = f",
		"nodeaccesspolicy = singlejob",
	};
	static const char *const owner[] = {"user", "qos", "class"};
	struct str text = {0};
	struct scene *sc = scene_new(1, 1);
	char title[32];
	int kept = 0;

	(void)state;
	for (size_t i = 0; i < sizeof set / sizeof set[0]; i++) {
		size_t who = i < 6 ? 0 : i < 8 ? 1 : 2;

		str_addf(&text, "%s keep%zu { %s }\n", owner[who], i, set[i]);
	}
	scene_config(sc, str_text(&text));
	churn(sc, "x", MANY_NAMES);
	assert_true(rows(sc) < 2 * 256);
	for (size_t i = 0; i < sizeof set / sizeof set[0]; i++) {
		snprintf(title, sizeof title, "keep%zu", i);
		for (int type = 0; type < CRED_TYPE_COUNT; type++)
			kept += state_find_cred(sc->st, (enum cred_type)type, title) != INDEX_NONE;
	}
	assert_int_equal(kept, sizeof set / sizeof set[0]);
	str_free(&text);
	scene_free(sc);
}

/* A guest of a reservation keeps its row without a job. */
static void guests_of_a_reservation_keep_their_rows(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct event ev = {.kind = EVENT_RESERVE,
			   .who = "root",
			   .reserve = {"maint", "start=10 end=20 node=n001 user=guest job=1"}};

	(void)state;
	scene_apply(sc, &ev);
	churn(sc, "x", MANY_NAMES);
	assert_true(rows(sc) < 2 * 256);
	assert_true(state_find_cred(sc->st, CRED_USER, "guest") != INDEX_NONE);
	scene_free(sc);
}

/* Meanwhile, the guests of a reservation in force keep their rows. */
static void names_of_released_guests_do_not_accumulate(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct event stands = {.kind = EVENT_RESERVE,
			       .who = "root",
			       .reserve = {"stands", "start=10 end=20 node=n001 user=guest account=guests"}};
	struct told told;
	struct state *twin;
	struct str text = {0};
	struct err err;

	(void)state;
	told_begin(&told, sc);
	scene_apply(sc, &stands);
	for (int i = 0; i < MANY_NAMES / 10; i++) {
		struct event ev = {.kind = EVENT_RESERVE, .who = "root", .reserve.name = "goes"};

		str_clear(&text);
		str_add(&text, "start=10 end=20 node=n001");
		for (int k = 0; k < 10; k++)
			str_addf(&text, " account=x%d.%d", i, k);
		ev.reserve.text = str_text(&text);
		scene_apply(sc, &ev);
		ev = (struct event){.kind = EVENT_UNRESERVE, .who = "root", .reserve.name = "goes"};
		scene_apply(sc, &ev);
	}
	assert_true(rows(sc) < 2 * 256);
	for (uint32_t i = 0; i < snapshot_count(scene_view(sc), TABLE_GUESTS); i++) {
		const struct guest *guest = &snapshot_guests(scene_view(sc))[i];

		assert_int_equal(snapshot_creds(scene_view(sc))[guest->cred].type, guest->type);
		assert_int_equal(strncmp(snapshot_string(scene_view(sc),
							 snapshot_creds(scene_view(sc))[guest->cred].name),
					 "guest", 5),
				 0);
	}
	twin = state_from_snapshot(state_view(told.before));
	for (size_t i = 0; i < told.count; i++) {
		struct event ev = told.event[i];

		ev.seq = 0;
		assert_true(event_apply(twin, &ev, &err));
	}
	assert_true(state_hash(state_view(twin)) == state_hash(scene_view(sc)));
	state_free(twin);
	told_end(&told);
	sc->tell = NULL;
	str_free(&text);
	scene_free(sc);
}

static void idle_jobs_may_have_many_names(void **state)
{
	struct scene *sc = scene_new(1, 1);
	char account[32];

	(void)state;
	for (int i = 0; i < 1000; i++)
		add_job(sc, "w", i);
	churn(sc, "x", MANY_NAMES);
	for (int i = 0; i < 1000; i++) {
		snprintf(account, sizeof account, "w%d", i);
		assert_string_equal(
			snapshot_job_cred(scene_view(sc), scene_job_of(sc, (uint64_t)i + 1), CRED_ACCOUNT),
			account);
	}
	assert_true(rows(sc) < 2 * 1100);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_ended_jobs_do_not_accumulate),
		cmocka_unit_test(referenced_credential_keeps_its_row),
		cmocka_unit_test(all_credentials_of_a_job_keep_their_rows),
		cmocka_unit_test(system_default_keeps_its_row),
		cmocka_unit_test(credential_with_settings_keeps_its_row),
		cmocka_unit_test(credential_is_kept_while_it_has_usage),
		cmocka_unit_test(small_table_keeps_all_names),
		cmocka_unit_test(guests_of_a_reservation_keep_their_rows),
		cmocka_unit_test(names_of_released_guests_do_not_accumulate),
		cmocka_unit_test(idle_jobs_may_have_many_names),
	};

	return cmocka_run_group_tests_name("state_cred", tests, NULL, NULL);
}
