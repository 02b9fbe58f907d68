/* SPDX-License-Identifier: MIT */
/*
 * test_limit_list.c - rows of limits, their names and the jobs that count
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

static struct listed configured(const char *config)
{
	struct listed l = {.sc = scene_new(1, 16)};

	scene_config(l.sc, config);
	return l;
}

static void listed_end(struct listed *l)
{
	limit_list_free(&l->list);
	plan_clear(&l->plan);
	scene_free(l->sc);
}

static void add_job(struct listed *l, const char *user, uint32_t procs)
{
	scene_add(l->sc, (struct scene_job){.user = user, .group = "staff", .procs = procs});
}

/* "user[eva].maxproc 2/4 used 1 holds 0", for each row. */
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

static void limits_that_hold_jobs_back_come_first_then_those_most_used(void **state)
{
	struct listed l = configured("user amy { maxproc = {\"8\"} }\n"
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
	listed_end(&l);
}

static void limits_of_all_kinds_and_owners_are_named_as_they_are_set(void **state)
{
	struct listed l = configured(
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
	listed_end(&l);
}

static const struct limit_row *row_of(const struct listed *l, const char *option)
{
	struct str own = {0};

	for (size_t i = 0; i < l->list.count; i++) {
		bool found;

		str_clear(&own);
		limit_row_add_option(l->list.s, &l->list.row[i], &own);
		found = strcmp(str_text(&own), option) == 0;
		if (found) {
			str_free(&own);
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

/* The job waits for this limit and no other, and both say so by the same name. */
static void check_holder(const struct listed *l, uint64_t id, const char *option, const char *label)
{
	uint32_t slot = slot_of(l, id);
	const struct job *job = &snapshot_jobs(l->list.s)[slot];
	const struct reason *reason = &l->plan.reason[slot];
	const struct limit_row *holder = row_of(l, option);
	struct str own = {0}, said = {0};

	limit_add_label(l->list.s, job, reason, &said);
	limit_row_add_label(l->list.s, holder, &own);
	assert_string_equal(str_text(&said), label);
	assert_string_equal(str_text(&own), label);
	for (size_t i = 0; i < l->list.count; i++) {
		const struct limit_row *row = &l->list.row[i];

		assert_true(limit_row_holds(l->list.s, row, job, reason) == (row == holder));
	}
	str_free(&own);
	str_free(&said);
}

static void a_job_is_held_by_the_limit_of_its_own_credential(void **state)
{
	struct listed l = configured("user DEFAULT { maxjob = {\"1\"} }\n");

	(void)state;
	add_job(&l, "eva", 1);
	add_job(&l, "bob", 1);
	scene_pass(l.sc);
	add_job(&l, "eva", 1);
	list_limits(&l);
	check_holder(&l, 3, "user[eva].maxjob", "MAXJOB/user:eva");
	assert_int_equal(row_of(&l, "user[bob].maxjob")->holds_back, 0);
	listed_end(&l);
}

static void a_job_is_held_by_a_limit_with_a_second_credential(void **state)
{
	struct listed l = configured("group staff { maxproc = {\"USER=4\", \"USER:bob=2\"} }\n");

	(void)state;
	add_job(&l, "eva", 4);
	add_job(&l, "bob", 2);
	scene_pass(l.sc);
	add_job(&l, "eva", 1);
	add_job(&l, "bob", 1);
	list_limits(&l);
	check_holder(&l, 3, "group[staff].maxproc[user:eva]", "MAXPROC/group:staff/user:eva");
	check_holder(&l, 4, "group[staff].maxproc[user:bob]", "MAXPROC/group:staff/user:bob");
	listed_end(&l);
}

static void an_override_holds_in_the_name_of_its_qos(void **state)
{
	struct listed l = configured("user eva { maxproc = {\"1\"} }\nqos hi { omaxproc = {\"4\"} }\n");

	(void)state;
	scene_add(l.sc, (struct scene_job){.user = "eva", .qos = "hi", .procs = 4});
	scene_pass(l.sc);
	scene_add(l.sc, (struct scene_job){.user = "eva", .qos = "hi", .procs = 1});
	list_limits(&l);
	check_holder(&l, 2, "qos[hi].omaxproc", "OMAXPROC/qos:hi");
	assert_true(limit_row_is_override(row_of(&l, "qos[hi].omaxproc")));
	assert_false(limit_row_is_override(row_of(&l, "user[eva].maxproc")));
	listed_end(&l);
}

static void jobs_without_a_qos_are_those_of_qos_default_or_of_none(void **state)
{
	struct listed l = configured("user eva { maxproc = {\"1\"} }\nqos DEFAULT { omaxproc = {\"4\"} }\n");

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
	listed_end(&l);
}

static void a_class_without_a_limit_of_its_own_is_held_by_that_of_all_classes(void **state)
{
	struct listed l = configured("class DEFAULT { max.proc = 4 }\nclass wide { max.proc = 8 }\n");

	(void)state;
	scene_add(l.sc, (struct scene_job){.class_name = "fast", .procs = 6});
	scene_add(l.sc, (struct scene_job){.class_name = "wide", .procs = 10});
	list_limits(&l);
	check_holder(&l, 1, "class[DEFAULT].max.proc", "MAX.PROC/class:DEFAULT");
	check_holder(&l, 2, "class[wide].max.proc", "MAX.PROC/class:wide");
	assert_true(limit_row_is_per_job(row_of(&l, "class[wide].max.proc")));
	assert_int_equal(row_of(&l, "class[wide].max.proc")->used, 10);
	listed_end(&l);
}

static void a_reason_that_is_no_limit_has_no_name(void **state)
{
	struct listed l = configured("user eva { maxjob = {\"4\"} }\n");
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
	listed_end(&l);
}

static void a_limit_is_found_again_in_another_list(void **state)
{
	struct listed l =
		configured("user DEFAULT { maxjob = {\"4\"} }\ngroup staff { maxproc = {\"USER=4\"} }\n");
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
	listed_end(&l);
}

static void jobs_count_where_their_credentials_do(void **state)
{
	struct listed l = configured("user eva { maxproc = {\"8\"} maxiproc = {\"8\"} maxqueued = {\"8\"} }\n"
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
	listed_end(&l);
}

static void use_is_a_part_of_the_soft_value(void **state)
{
	(void)state;
	assert_true(limit_row_percent(&(struct limit_row){.used = 3, .soft = 4, .hard = 8}) == 75);
	assert_true(limit_row_percent(&(struct limit_row){.used = 3, .soft = LIMIT_UNLIMITED}) == 0);
	assert_true(limit_row_percent(&(struct limit_row){.used = 3, .soft = 0}) == 100);
	assert_true(limit_row_percent(&(struct limit_row){.used = 0, .soft = 0}) == 0);
}

static void a_site_without_limits_has_none(void **state)
{
	struct listed l = configured("");

	(void)state;
	add_job(&l, "eva", 1);
	check_rows(&l, "");
	listed_end(&l);
}

/* Also of jobs that keep others off their nodes, and of jobs that name no number of nodes. */
static void what_is_in_use_is_what_its_jobs_count(void **state)
{
	const struct scene_job shy = {.user = "eva", .procs = 4, .access = ACCESS_SINGLEUSER};
	struct listed l = {.sc = scene_new(3, 16)};
	int64_t in_use = 0;

	(void)state;
	scene_config(l.sc, "user DEFAULT { maxproc = \"99\" maxps = \"99999\" maxnode = \"9\"\n"
			   "maxiproc = \"99\" maxips = \"99999\" maxinode = \"9\" }\n");
	scene_start(l.sc, scene_add(l.sc, shy), 0, 1, 4);
	scene_start(l.sc, scene_add(l.sc, shy), 0, 1, 4);
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
	listed_end(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_that_hold_jobs_back_come_first_then_those_most_used),
		cmocka_unit_test(limits_of_all_kinds_and_owners_are_named_as_they_are_set),
		cmocka_unit_test(a_job_is_held_by_the_limit_of_its_own_credential),
		cmocka_unit_test(a_job_is_held_by_a_limit_with_a_second_credential),
		cmocka_unit_test(an_override_holds_in_the_name_of_its_qos),
		cmocka_unit_test(jobs_without_a_qos_are_those_of_qos_default_or_of_none),
		cmocka_unit_test(a_class_without_a_limit_of_its_own_is_held_by_that_of_all_classes),
		cmocka_unit_test(a_reason_that_is_no_limit_has_no_name),
		cmocka_unit_test(a_limit_is_found_again_in_another_list),
		cmocka_unit_test(jobs_count_where_their_credentials_do),
		cmocka_unit_test(use_is_a_part_of_the_soft_value),
		cmocka_unit_test(a_site_without_limits_has_none),
		cmocka_unit_test(what_is_in_use_is_what_its_jobs_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
