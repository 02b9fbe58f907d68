/* SPDX-License-Identifier: MIT */
/*
 * test_rerun_parties.c - effect of a change on each user, group, account and class
 *
 * Starts are invented; the expected sums are calculated by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/host/rerun.h"
#include "sched/host/rerun_inside.h"
#include "tests/scene.h"

#define JOBS 4

/* Two runs of four jobs, and the state that contains the credentials of the jobs. */
struct both {
	struct scene *sc;
	struct rerun_job job[JOBS];
	struct rerun_fate before_fate[JOBS], after_fate[JOBS];
	struct rerun_record record;
	struct rerun before, after;
	struct rerun_parties parties;
};

/* Compares two runs with these starts; all jobs are submitted at 0 s, have a limit of 100 s and run for 50 s.
 */
static void compare(struct both *b, const int64_t before_s[JOBS], const int64_t after_s[JOBS])
{
	*b = (struct both){.sc = scene_new(1, 1)};
	scene_add(b->sc, (struct scene_job){.user = "ann", .group = "lab", .class_name = "short"});
	scene_add(b->sc, (struct scene_job){.user = "bob", .group = "lab", .account = "x"});
	scene_add(b->sc, (struct scene_job){.user = "ann", .group = "lab"});
	scene_add(b->sc, (struct scene_job){.user = "eva"});
	for (uint32_t i = 0; i < JOBS; i++) {
		struct rerun_fate *fate = &b->before_fate[i];

		b->job[i] = (struct rerun_job){.id = i + 1, .run_s = 50};
		*fate = (struct rerun_fate){.start_s = before_s[i], .end_s = TIME_NONE, .wall_limit_s = 100};
		for (int type = 0; type < CRED_TYPE_COUNT; type++)
			fate->cred[type] = scene_job_of(b->sc, i + 1)->cred[type];
		b->after_fate[i] = *fate;
		b->after_fate[i].start_s = after_s[i];
	}
	b->record = (struct rerun_record){.job = b->job, .jobs = JOBS};
	b->before = (struct rerun){.record = &b->record, .st = b->sc->st, .fate = b->before_fate};
	b->after = (struct rerun){.record = &b->record, .st = b->sc->st, .fate = b->after_fate};
	rerun_compare(&b->parties, &b->before, &b->after);
}

static void free_both(struct both *b)
{
	free(b->parties.item);
	scene_free(b->sc);
}

/* Returns the row of a credential, or of all jobs if name is NULL; NULL if there is no such row. */
static const struct rerun_party *party(const struct both *b, enum cred_type type, const char *name)
{
	const struct snapshot *s = scene_view(b->sc);

	for (size_t i = 0; i < b->parties.count; i++) {
		const struct rerun_party *p = &b->parties.item[i];

		if (p->type == type &&
		    (name == NULL || strcmp(snapshot_string(s, snapshot_creds(s)[p->cred].name), name) == 0))
			return p;
	}
	return NULL;
}

static void check_party(const struct rerun_party *p, uint32_t jobs, uint32_t earlier, uint32_t later)
{
	assert_non_null(p);
	assert_int_equal(p->jobs, jobs);
	assert_int_equal(p->earlier, earlier);
	assert_int_equal(p->later, later);
}

static void assert_near(double is, double wanted)
{
	assert_true(is > wanted - 1e-9 && is < wanted + 1e-9);
}

static void each_job_counts_for_all_of_its_credentials(void **state)
{
	static const int64_t before_s[] = {0, 10, 20, 30}, after_s[] = {30, 10, 0, 20};
	struct both b;
	const struct rerun_party *ann;

	(void)state;
	compare(&b, before_s, after_s);
	check_party(party(&b, CRED_TYPE_COUNT, NULL), 4, 2, 1);
	check_party(party(&b, CRED_USER, "ann"), 2, 1, 1);
	check_party(party(&b, CRED_USER, "bob"), 1, 0, 0);
	check_party(party(&b, CRED_USER, "eva"), 1, 1, 0);
	check_party(party(&b, CRED_GROUP, "lab"), 3, 1, 1);
	check_party(party(&b, CRED_ACCOUNT, "x"), 1, 0, 0);
	check_party(party(&b, CRED_CLASS, "short"), 1, 0, 1);
	ann = party(&b, CRED_USER, "ann");
	assert_near(ann->before.wait_s, 20);
	assert_near(ann->after.wait_s, 30);
	assert_near(ann->before.slowdown, 1 + 70.0 / 50);
	assert_near(ann->after.slowdown, 80.0 / 50 + 1);
	assert_near(ann->before.xfactor, 1 + 1.2);
	assert_near(ann->after.xfactor, 1.3 + 1);
	free_both(&b);
}

static void all_jobs_are_the_first_row_and_empty_rows_are_omitted(void **state)
{
	static const int64_t start_s[] = {0, 10, 20, 30};
	struct both b;

	(void)state;
	compare(&b, start_s, start_s);
	assert_int_equal(b.parties.item[0].type, CRED_TYPE_COUNT);
	for (size_t i = 0; i < b.parties.count; i++) {
		assert_true(b.parties.item[i].jobs > 0);
		assert_int_equal(b.parties.item[i].earlier + b.parties.item[i].later, 0);
		if (i > 1)
			assert_true(b.parties.item[i].type >= b.parties.item[i - 1].type);
	}
	free_both(&b);
}

static void means_cover_the_jobs_that_start_in_both_runs(void **state)
{
	static const int64_t before_s[] = {0, TIME_NONE, 20, 30}, after_s[] = {5, 10, TIME_NONE, TIME_NONE};
	struct both b;

	(void)state;
	compare(&b, before_s, after_s);
	check_party(party(&b, CRED_TYPE_COUNT, NULL), 1, 0, 1);
	check_party(party(&b, CRED_USER, "ann"), 1, 0, 1);
	assert_null(party(&b, CRED_USER, "bob"));
	assert_int_equal(b.parties.only_before, 2);
	assert_int_equal(b.parties.only_after, 1);
	assert_int_equal(b.parties.neither, 0);
	free_both(&b);
}

static void jobs_that_start_in_neither_run_are_counted(void **state)
{
	static const int64_t before_s[] = {0, TIME_NONE, TIME_NONE, TIME_NONE},
			     after_s[] = {TIME_NONE, 10, TIME_NONE, TIME_NONE};
	struct both b;

	(void)state;
	compare(&b, before_s, after_s);
	check_party(party(&b, CRED_TYPE_COUNT, NULL), 0, 0, 0);
	assert_int_equal(b.parties.count, 1);
	assert_int_equal(b.parties.only_before, 1);
	assert_int_equal(b.parties.only_after, 1);
	assert_int_equal(b.parties.neither, 2);
	free_both(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_job_counts_for_all_of_its_credentials),
		cmocka_unit_test(all_jobs_are_the_first_row_and_empty_rows_are_omitted),
		cmocka_unit_test(means_cover_the_jobs_that_start_in_both_runs),
		cmocka_unit_test(jobs_that_start_in_neither_run_are_counted),
	};

	return cmocka_run_group_tests_name("rerun_parties", tests, NULL, NULL);
}
