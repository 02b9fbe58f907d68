/* SPDX-License-Identifier: MIT */
/*
 * test_limit_report.c - rows of limits, their names, and the jobs that count for them
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/model/limit.h"
#include "tests/scene.h"
#include "tui/report/limit_report.h"

/* A scene with its plan and its limits. */
struct listed {
	struct scene *sc;
	struct plan plan;
	struct limit_list list;
};

static void list_limits(struct listed *l)
{
	plan_build(&l->plan, scene_view(l->sc), l->sc->now_s);
	limit_list_build(&l->list, scene_view(l->sc), &l->plan);
}

static struct listed make_listed(const char *config)
{
	struct listed l = {.sc = scene_new(1, 16)};

	scene_config(l.sc, config);
	return l;
}

static void free_listed(struct listed *l)
{
	limit_list_free(&l->list);
	plan_clear(&l->plan);
	scene_free(l->sc);
}

static void add_job(struct listed *l, const char *user, uint32_t procs)
{
	scene_add(l->sc, (struct scene_job){.user = user, .group = "staff", .procs = procs});
}

/* `expected` has a line "user[eva].maxproc = 2,4: 1 used, 0 held" for each row. */
static void check_rows(struct listed *l, const char *expected)
{
	struct str out = {0};

	list_limits(l);
	for (size_t i = 0; i < l->list.count; i++) {
		const struct limit_row *row = &l->list.row[i];

		limit_row_add_option(l->list.s, row, &out);
		str_add(&out, " = ");
		limit_row_add_value(row, &out);
		str_addf(&out, ": %d used, %d held\n", (int)row->used, (int)row->holds_back);
	}
	assert_string_equal(str_text(&out), expected);
	str_free(&out);
}

static void limits_that_hold_jobs_come_first_then_the_most_used(void **state)
{
	struct listed l = make_listed("user amy { maxproc = {\"8\"} }\n"
				      "user bob { maxproc = {\"8\"} }\n"
				      "user eva { maxjob = {\"1,2\"} maxproc = {\"16\"} }\n");

	(void)state;
	add_job(&l, "amy", 2);
	add_job(&l, "bob", 4);
	add_job(&l, "eva", 1);
	add_job(&l, "eva", 1);
	scene_pass(l.sc);
	add_job(&l, "eva", 1);
	check_rows(&l, "user[eva].maxjob = 1,2: 2 used, 1 held\n"
		       "user[bob].maxproc = 8: 4 used, 0 held\n"
		       "user[amy].maxproc = 8: 2 used, 0 held\n"
		       "user[eva].maxproc = 16: 2 used, 0 held\n");
	free_listed(&l);
}

static void limits_have_the_names_of_their_options(void **state)
{
	struct listed l = make_listed(
		"systemmaxjobwalltime = \"1:00:00\"\n"
		"system { maxjob = {\"100\"} }\n"
		"user eva { maxwc = {\"2:00:00,4:00:00\"} maximem = {\"4gb\"} maxqueued = {\"9\"} }\n"
		"qos hi { omaxproc = {\"8\"} omaxips = {\"5000\"} }\n"
		"class fast { max.proc = 4 maxnode = {\"USER:eva=2\"} }\n");

	(void)state;
	scene_add(l.sc, (struct scene_job){.user = "eva", .qos = "hi", .class_name = "fast", .wall_s = 600});
	scene_pass(l.sc);
	check_rows(&l, "class[fast].maxnode[user:eva] = 2: 1 used, 0 held\n"
		       "class[fast].max.proc = 4: 1 used, 0 held\n"
		       "systemmaxjobwalltime = 1:00:00: 600 used, 0 held\n"
		       "qos[hi].omaxproc = 8: 1 used, 0 held\n"
		       "user[eva].maxqueued = 9: 1 used, 0 held\n"
		       "user[eva].maxwc = 2:00:00,4:00:00: 600 used, 0 held\n"
		       "system.maxjob = 100: 1 used, 0 held\n"
		       "user[eva].maximem = 4096: 0 used, 0 held\n"
		       "qos[hi].omaxips = 5000: 0 used, 0 held\n");
	free_listed(&l);
}

static const struct limit_row *row_of(const struct listed *l, const char *option)
{
	struct str row_text = {0};

	for (size_t i = 0; i < l->list.count; i++) {
		bool found;

		str_clear(&row_text);
		limit_row_add_option(l->list.s, &l->list.row[i], &row_text);
		found = strcmp(str_text(&row_text), option) == 0;
		if (found) {
			str_free(&row_text);
			return &l->list.row[i];
		}
	}
	fail_msg("there is no limit %s", option);
	return NULL;
}

static uint32_t slot_of(const struct listed *l, uint64_t job)
{
	uint32_t slot = snapshot_find_job(l->list.s, job);

	assert_true(slot != INDEX_NONE);
	return slot;
}

/* Checks that only this limit holds the job, and that job and limit use the same label. */
static void check_holder(const struct listed *l, uint64_t id, const char *option, const char *label)
{
	uint32_t slot = slot_of(l, id);
	const struct job *job = &snapshot_jobs(l->list.s)[slot];
	const struct reason *reason = &l->plan.reason[slot];
	const struct limit_row *holder = row_of(l, option);
	struct str row_text = {0}, job_text = {0};

	limit_add_label(l->list.s, job, reason, &job_text);
	limit_row_add_label(l->list.s, holder, &row_text);
	assert_string_equal(str_text(&job_text), label);
	assert_string_equal(str_text(&row_text), label);
	for (size_t i = 0; i < l->list.count; i++) {
		const struct limit_row *row = &l->list.row[i];

		assert_true(limit_row_holds(l->list.s, row, job, reason) == (row == holder));
	}
	str_free(&row_text);
	str_free(&job_text);
}

static void a_job_is_held_by_the_limit_of_its_own_credential(void **state)
{
	struct listed l = make_listed("user DEFAULT { maxjob = {\"1\"} }\n");

	(void)state;
	add_job(&l, "eva", 1);
	add_job(&l, "bob", 1);
	scene_pass(l.sc);
	add_job(&l, "eva", 1);
	list_limits(&l);
	check_holder(&l, 3, "user[eva].maxjob", "MAXJOB/user:eva");
	assert_int_equal(row_of(&l, "user[bob].maxjob")->holds_back, 0);
	free_listed(&l);
}

static void a_job_is_held_by_a_limit_with_a_second_credential(void **state)
{
	struct listed l = make_listed("group staff { maxproc = {\"USER=4\", \"USER:bob=2\"} }\n");

	(void)state;
	add_job(&l, "eva", 4);
	add_job(&l, "bob", 2);
	scene_pass(l.sc);
	add_job(&l, "eva", 1);
	add_job(&l, "bob", 1);
	list_limits(&l);
	check_holder(&l, 3, "group[staff].maxproc[user:eva]", "MAXPROC/group:staff/user:eva");
	check_holder(&l, 4, "group[staff].maxproc[user:bob]", "MAXPROC/group:staff/user:bob");
	free_listed(&l);
}

static void an_override_limit_is_named_after_its_qos(void **state)
{
	struct listed l = make_listed("user eva { maxproc = {\"1\"} }\nqos hi { omaxproc = {\"4\"} }\n");

	(void)state;
	scene_add(l.sc, (struct scene_job){.user = "eva", .qos = "hi", .procs = 4});
	scene_pass(l.sc);
	scene_add(l.sc, (struct scene_job){.user = "eva", .qos = "hi", .procs = 1});
	list_limits(&l);
	check_holder(&l, 2, "qos[hi].omaxproc", "OMAXPROC/qos:hi");
	assert_true(limit_row_is_override(row_of(&l, "qos[hi].omaxproc")));
	assert_false(limit_row_is_override(row_of(&l, "user[eva].maxproc")));
	free_listed(&l);
}

static void jobs_without_a_qos_use_the_limits_of_qos_none_or_DEFAULT(void **state)
{
	struct listed l = make_listed("user eva { maxproc = {\"1\"} }\nqos DEFAULT { omaxproc = {\"4\"} }\n");

	(void)state;
	add_job(&l, "eva", 4);
	scene_pass(l.sc);
	add_job(&l, "eva", 1);
	list_limits(&l);
	check_holder(&l, 2, "qos[DEFAULT].omaxproc", "OMAXPROC/qos:DEFAULT");
	assert_int_equal(row_of(&l, "qos[DEFAULT].omaxproc")->holds_back, 1);
	assert_true(limit_row_counts(l.list.s, row_of(&l, "qos[DEFAULT].omaxproc"),
				     &snapshot_jobs(l.list.s)[slot_of(&l, 1)], true));
	scene_config(l.sc, "user eva { maxproc = {\"1\"} }\nqos DEFAULT { omaxproc = {\"4\"} }\n"
			   "qos none { omaxproc = {\"4\"} }\n");
	list_limits(&l);
	check_holder(&l, 2, "qos[none].omaxproc", "OMAXPROC/qos:none");
	free_listed(&l);
}

static void a_class_without_its_own_limit_uses_that_of_class_DEFAULT(void **state)
{
	struct listed l = make_listed("class DEFAULT { max.proc = 4 }\nclass wide { max.proc = 8 }\n");

	(void)state;
	scene_add(l.sc, (struct scene_job){.class_name = "fast", .procs = 6});
	scene_add(l.sc, (struct scene_job){.class_name = "wide", .procs = 10});
	list_limits(&l);
	check_holder(&l, 1, "class[DEFAULT].max.proc", "MAX.PROC/class:DEFAULT");
	check_holder(&l, 2, "class[wide].max.proc", "MAX.PROC/class:wide");
	assert_true(limit_row_is_per_job(row_of(&l, "class[wide].max.proc")));
	assert_int_equal(row_of(&l, "class[wide].max.proc")->used, 10);
	free_listed(&l);
}

static void a_reason_other_than_a_limit_has_no_limit_name(void **state)
{
	struct listed l = make_listed("user eva { maxjob = {\"4\"} }\n");
	struct str out = {0};
	uint32_t slot;

	(void)state;
	add_job(&l, "eva", 16);
	scene_pass(l.sc);
	add_job(&l, "eva", 1);
	list_limits(&l);
	slot = slot_of(&l, 2);
	limit_add_label(l.list.s, &snapshot_jobs(l.list.s)[slot], &l.plan.reason[slot], &out);
	assert_string_equal(str_text(&out), "");
	assert_false(limit_row_holds(l.list.s, &l.list.row[0], &snapshot_jobs(l.list.s)[slot],
				     &l.plan.reason[slot]));
	str_free(&out);
	free_listed(&l);
}

static void a_limit_is_found_in_a_later_list(void **state)
{
	struct listed l =
		make_listed("user DEFAULT { maxjob = {\"4\"} }\ngroup staff { maxproc = {\"USER=4\"} }\n");
	struct limit_list later = {0};
	struct limit_row gone;

	(void)state;
	add_job(&l, "eva", 1);
	add_job(&l, "bob", 1);
	scene_pass(l.sc);
	list_limits(&l);
	limit_list_build(&later, l.list.s, &l.plan);
	for (size_t i = 0; i < l.list.count; i++)
		assert_int_equal(limit_list_find_row(&later, &l.list.row[i]), i);
	gone = l.list.row[0];
	gone.kind = LIMIT_PE;
	assert_int_equal(limit_list_find_row(&later, &gone), later.count);
	limit_list_free(&later);
	assert_int_equal(later.count, 0);
	free_listed(&l);
}

static void jobs_count_for_the_limits_of_their_credentials(void **state)
{
	struct listed l =
		make_listed("user eva { maxproc = {\"8\"} maxiproc = {\"8\"} maxqueued = {\"8\"} }\n"
			    "account none { maxjob = {\"8\"} }\n"
			    "class fast { max.proc = 4 }\n");
	const struct job *job;

	(void)state;
	add_job(&l, "eva", 1);
	scene_pass(l.sc);
	list_limits(&l);
	job = &snapshot_jobs(l.list.s)[slot_of(&l, 1)];
	assert_true(limit_row_counts(l.list.s, row_of(&l, "user[eva].maxproc"), job, true));
	assert_false(limit_row_counts(l.list.s, row_of(&l, "user[eva].maxproc"), job, false));
	assert_false(limit_row_counts(l.list.s, row_of(&l, "user[eva].maxiproc"), job, true));
	assert_true(limit_row_counts(l.list.s, row_of(&l, "user[eva].maxiproc"), job, false));
	assert_true(limit_row_counts(l.list.s, row_of(&l, "user[eva].maxqueued"), job, true));
	assert_true(limit_row_counts(l.list.s, row_of(&l, "user[eva].maxqueued"), job, false));
	assert_true(limit_row_counts(l.list.s, row_of(&l, "account[none].maxjob"), job, true));
	assert_false(limit_row_counts(l.list.s, row_of(&l, "class[fast].max.proc"), job, true));
	free_listed(&l);
}

static void usage_is_a_percentage_of_the_soft_value(void **state)
{
	(void)state;
	assert_true(limit_row_percent(&(struct limit_row){.used = 3, .soft = 4, .hard = 8}) == 75);
	assert_true(limit_row_percent(&(struct limit_row){.used = 3, .soft = LIMIT_UNLIMITED}) == 0);
	assert_true(limit_row_percent(&(struct limit_row){.used = 3, .soft = 0}) == 100);
	assert_true(limit_row_percent(&(struct limit_row){.used = 0, .soft = 0}) == 0);
}

static void a_site_without_limits_has_an_empty_list(void **state)
{
	struct listed l = make_listed("");

	(void)state;
	add_job(&l, "eva", 1);
	check_rows(&l, "");
	free_listed(&l);
}

/* Also for jobs with exclusive nodes, and for jobs without a node count. */
static void the_usage_of_a_limit_is_the_sum_over_its_jobs(void **state)
{
	const struct scene_job exclusive = {.user = "eva", .procs = 4, .access = ACCESS_SINGLEUSER};
	struct listed l = {.sc = scene_new(3, 16)};
	int64_t in_use = 0;

	(void)state;
	scene_config(l.sc, "user DEFAULT { maxproc = \"99\" maxps = \"99999\" maxnode = \"9\"\n"
			   "maxiproc = \"99\" maxips = \"99999\" maxinode = \"9\" }\n");
	scene_start(l.sc, scene_add(l.sc, exclusive), 0, 1, 4);
	scene_start(l.sc, scene_add(l.sc, exclusive), 0, 1, 4);
	scene_add(l.sc, (struct scene_job){.user = "eva", .access = ACCESS_SINGLEJOB});
	add_job(&l, "eva", 40);
	scene_add(l.sc,
		  (struct scene_job){.user = "eva", .nodes = 3, .procs = 3, .access = ACCESS_SINGLEUSER});
	list_limits(&l);
	for (size_t i = 0; i < l.list.count; i++) {
		struct forecast f = {.s = l.list.s, .plan = l.plan};
		struct limit_use use = limit_use_at(&f, &l.list.row[i], l.plan.now_s);

		assert_int_equal(use.amount, l.list.row[i].used);
		in_use += use.amount > 0;
	}
	assert_int_equal(in_use, 6);
	free_listed(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_that_hold_jobs_come_first_then_the_most_used),
		cmocka_unit_test(limits_have_the_names_of_their_options),
		cmocka_unit_test(a_job_is_held_by_the_limit_of_its_own_credential),
		cmocka_unit_test(a_job_is_held_by_a_limit_with_a_second_credential),
		cmocka_unit_test(an_override_limit_is_named_after_its_qos),
		cmocka_unit_test(jobs_without_a_qos_use_the_limits_of_qos_none_or_DEFAULT),
		cmocka_unit_test(a_class_without_its_own_limit_uses_that_of_class_DEFAULT),
		cmocka_unit_test(a_reason_other_than_a_limit_has_no_limit_name),
		cmocka_unit_test(a_limit_is_found_in_a_later_list),
		cmocka_unit_test(jobs_count_for_the_limits_of_their_credentials),
		cmocka_unit_test(usage_is_a_percentage_of_the_soft_value),
		cmocka_unit_test(a_site_without_limits_has_an_empty_list),
		cmocka_unit_test(the_usage_of_a_limit_is_the_sum_over_its_jobs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
