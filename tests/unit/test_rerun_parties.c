/* SPDX-License-Identifier: MIT */
/*
 * test_rerun_parties.c - who gains, who loses, and by how much?
 *
 * Starts are made up; of each party the sums are worked out by hand.
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

/* Two runs of four jobs: who they belong to stands in a state. */
struct both {
	struct scene *sc;
	struct rerun_job job[JOBS];
	struct rerun_fate before_fate[JOBS], after_fate[JOBS];
	struct rerun_record record;
	struct rerun before, after;
	struct rerun_parties parties;
};

/* Job by job: when it starts before and after; all come at 0, may run for 100 s and run for 50. */
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

static void both_free(struct both *b)
{
	free(b->parties.item);
	scene_free(b->sc);
}

/* name NULL: everybody. */
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

static void must_be(const struct rerun_party *p, uint32_t jobs, uint32_t earlier, uint32_t later)
{
	assert_non_null(p);
	assert_int_equal(p->jobs, jobs);
	assert_int_equal(p->earlier, earlier);
	assert_int_equal(p->later, later);
}

static void near_to(double is, double should_be)
{
	assert_true(is > should_be - 1e-9 && is < should_be + 1e-9);
}

static void each_job_counts_for_all_that_it_belongs_to(void **state)
{
	static const int64_t before_s[] = {0, 10, 20, 30}, after_s[] = {30, 10, 0, 20};
	struct both b;
	const struct rerun_party *ann;

	(void)state;
	compare(&b, before_s, after_s);
	must_be(party(&b, CRED_TYPE_COUNT, NULL), 4, 2, 1);
	must_be(party(&b, CRED_USER, "ann"), 2, 1, 1);
	must_be(party(&b, CRED_USER, "bob"), 1, 0, 0);
	must_be(party(&b, CRED_USER, "eva"), 1, 1, 0);
	must_be(party(&b, CRED_GROUP, "lab"), 3, 1, 1);
	must_be(party(&b, CRED_ACCOUNT, "x"), 1, 0, 0);
	must_be(party(&b, CRED_CLASS, "short"), 1, 0, 1);
	ann = party(&b, CRED_USER, "ann");
	near_to(ann->before.wait_s, 20);
	near_to(ann->after.wait_s, 30);
	near_to(ann->before.slowdown, 1 + 70.0 / 50);
	near_to(ann->after.slowdown, 80.0 / 50 + 1);
	near_to(ann->before.xfactor, 1 + 1.2);
	near_to(ann->after.xfactor, 1.3 + 1);
	both_free(&b);
}

static void everybody_comes_first_and_nobody_without_jobs(void **state)
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
	both_free(&b);
}

static void means_are_over_the_jobs_that_start_in_both(void **state)
{
	static const int64_t before_s[] = {0, TIME_NONE, 20, 30}, after_s[] = {5, 10, TIME_NONE, TIME_NONE};
	struct both b;

	(void)state;
	compare(&b, before_s, after_s);
	must_be(party(&b, CRED_TYPE_COUNT, NULL), 1, 0, 1);
	must_be(party(&b, CRED_USER, "ann"), 1, 0, 1);
	assert_null(party(&b, CRED_USER, "bob"));
	assert_int_equal(b.parties.only_before, 2);
	assert_int_equal(b.parties.only_after, 1);
	assert_int_equal(b.parties.neither, 0);
	both_free(&b);
}

static void jobs_that_start_in_neither_are_counted(void **state)
{
	static const int64_t before_s[] = {0, TIME_NONE, TIME_NONE, TIME_NONE},
			     after_s[] = {TIME_NONE, 10, TIME_NONE, TIME_NONE};
	struct both b;

	(void)state;
	compare(&b, before_s, after_s);
	must_be(party(&b, CRED_TYPE_COUNT, NULL), 0, 0, 0);
	assert_int_equal(b.parties.count, 1);
	assert_int_equal(b.parties.only_before, 1);
	assert_int_equal(b.parties.only_after, 1);
	assert_int_equal(b.parties.neither, 2);
	both_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_job_counts_for_all_that_it_belongs_to),
		cmocka_unit_test(everybody_comes_first_and_nobody_without_jobs),
		cmocka_unit_test(means_are_over_the_jobs_that_start_in_both),
		cmocka_unit_test(jobs_that_start_in_neither_are_counted),
	};

	return cmocka_run_group_tests_name("rerun_parties", tests, NULL, NULL);
}
