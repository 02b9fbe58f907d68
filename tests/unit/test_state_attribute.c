/* SPDX-License-Identifier: MIT */
/*
 * test_state_attribute.c - attributes of jobs that can be changed
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "tests/scene.h"

static struct scene *one_job(void)
{
	struct scene *sc = scene_new(3, 4);

	sc->now_s = 1000;
	scene_node(sc, (struct node_record){.name = "n003", .procs = 4, .partition = "night"});
	scene_add(sc, (struct scene_job){.procs = 4,
					 .wall_s = 3600,
					 .mem_mb = 10,
					 .qos = "hi",
					 .features = "fast",
					 .gres = "gpu:2",
					 .hosts = "n001",
					 .user = "eva"});
	return sc;
}

/* Returns an attribute of job 1 as text. */
static const char *printed(const struct scene *sc, const char *name)
{
	static char text[100];
	struct str out = {0};

	state_print_attribute(scene_view(sc), scene_job_of(sc, 1), state_find_attribute(name), &out);
	snprintf(text, sizeof text, "%s", str_text(&out));
	str_free(&out);
	return text;
}

static void every_attribute_is_set_printed_and_undone(void **state)
{
	static const struct {
		const char *name, *before, *value, *after;
	} row[] = {
		{"walltime", "1:00:00", "2h", "2:00:00"},
		{"starttime", "none", "+1:00:00", "1970-01-01T01:16:40"},
		{"qos", "hi", "lo", "lo"},
		{"partition", "ALL", "night", "night"},
		{"nodes", "0", "2", "2"},
		{"tpn", "0", "2", "2"},
		{"mem", "10", "2gb", "2048"},
		{"swap", "0", "7", "7"},
		{"disk", "0", "1tb", "1048576"},
		{"gres", "gpu:2", "tape gpu:1", "tape:1 gpu:1"},
		{"features", "fast", "big,fast", "big fast"},
		{"prefer", "", "fast", "fast"},
		{"hosts", "n001", "n003, n002", "n003 n002"},
		{"access", "none", "SINGLEUSER", "singleuser"},
		{"nallocpolicy", "none", "CPULoad", "cpuload"},
		{"depend", "", "afterok:2", "afterok:2"},
	};
	struct scene *sc = one_job();

	(void)state;
	scene_submit(sc, 1, 100);
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		uint64_t seq;

		assert_string_equal(printed(sc, row[i].name), row[i].before);
		seq = scene_modify(sc, 1, row[i].name, row[i].value);
		assert_string_equal(printed(sc, row[i].name), row[i].after);
		scene_undo(sc, seq);
		assert_string_equal(printed(sc, row[i].name), row[i].before);
	}
	assert_int_equal(sizeof row / sizeof row[0] + 1, job_attribute_count); /* throttle: below */
	scene_free(sc);
}

/* A new list of names replaces the previous one and clears its bits. */
static void names_replace_previous_names(void **state)
{
	struct scene *sc = one_job();

	(void)state;
	scene_node(sc, (struct node_record){
			       .name = "n003", .procs = 4, .features = "fast tape", .gres = "gpu:4 tape:4"});
	assert_string_equal(printed(sc, "features"), "fast");
	scene_modify(sc, 1, "features", "tape");
	assert_string_equal(printed(sc, "features"), "tape");
	scene_modify(sc, 1, "prefer", "fast");
	scene_modify(sc, 1, "prefer", "tape");
	assert_string_equal(printed(sc, "prefer"), "tape");
	scene_modify(sc, 1, "prefer", "fast");
	assert_string_equal(printed(sc, "features"), "tape");
	assert_string_equal(printed(sc, "gres"), "gpu:2");
	scene_modify(sc, 1, "gres", "tape:3");
	assert_string_equal(printed(sc, "gres"), "tape:3");
	assert_string_equal(printed(sc, "features"), "tape");
	scene_modify(sc, 1, "features", "");
	assert_string_equal(printed(sc, "features"), "");
	assert_string_equal(printed(sc, "prefer"), "fast");
	scene_free(sc);
}

static void array_limit_applies_to_array_tasks_only(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct event ev = {.kind = EVENT_MODIFY, .modify = {.name = "throttle", .value = "10001"}};
	uint64_t seq;
	struct err err;

	(void)state;
	ev.job = scene_add(sc, (struct scene_job){.array = 3, .at_a_time = 2});
	assert_string_equal(printed(sc, "throttle"), "2");
	seq = scene_modify(sc, ev.job, "throttle", "0");
	assert_string_equal(printed(sc, "throttle"), "0");
	assert_int_equal(scene_view(sc)->throttled, 2);
	scene_undo(sc, seq);
	assert_string_equal(printed(sc, "throttle"), "2");
	assert_int_equal(scene_view(sc)->throttled, 3);
	assert_string_equal(scene_try(sc, &ev, &err),
			    "throttle: at most 10000 tasks of an array can run at a time, and task numbers "
			    "go up to 9999999");
	scene_free(sc);
}

static void an_entry_in_the_middle_is_undone(void **state)
{
	struct scene *sc = one_job();
	uint64_t first, second, third, undo;

	(void)state;
	first = scene_modify(sc, 1, "walltime", "10");
	second = scene_modify(sc, 1, "WallTime", "20");
	scene_modify(sc, 1, "mem", "3");
	third = scene_modify(sc, 1, "walltime", "30");
	scene_undo(sc, second);
	assert_string_equal(printed(sc, "walltime"), "0:00:30");
	scene_undo(sc, third);
	assert_string_equal(printed(sc, "walltime"), "0:00:10");
	undo = scene_undo(sc, first);
	assert_string_equal(printed(sc, "walltime"), "1:00:00");
	scene_undo(sc, undo);
	assert_string_equal(printed(sc, "walltime"), "0:00:10");
	assert_string_equal(printed(sc, "mem"), "3");
	assert_int_equal(snapshot_waiting(scene_view(sc))[0].wall_s, 10);
	scene_free(sc);
}

static void invalid_values_are_rejected_with_a_reason(void **state)
{
	static const struct {
		const char *name, *value, *message;
	} row[] = {
		{"wallclock", "1", "a job has no attribute wallclock that can be changed"},
		{"wltime", "1", "a job has no attribute wltime that can be changed; did you mean walltime?"},
		{"class", "x", "a job has no attribute class that can be changed"},
		{"walltime", "0",
		 "walltime: a wallclock limit must be between 1 and 253402300799 seconds, got 0"},
		{"nodes", "-1", "nodes: \"-1\" is not a whole number from 0 to 4294967295"},
		{"hosts", "n001 n9", "hosts: there is no node n9"},
		{"nodes", "4294967296", "nodes: \"4294967296\" is not a whole number from 0 to 4294967295"},
		{"nodes", "two", "nodes: \"two\" is not a whole number from 0 to 4294967295"},
		{"walltime", "soon", "walltime: \"soon\""},
		{"starttime", "whenever", "starttime: \"whenever\""},
		{"depend", "before", "depend: "},
		{"qos", "hi\nlo", "qos: the name of a QOS must be on one line"},
		{"partition", "day", "partition: there is no partition day"},
		{"mem", "1000000tb", "mem: "},
		{"depend", "afterok:1+", "depend: dependencies cannot be given with the marks"},
		{"depend", "afterok:7", "depend: job 7, on which the job would depend, was never submitted"},
		{"access", "open", "access: nodeaccesspolicy must be "},
		{"throttle", "2", "throttle: job 1 is not a task of an array"},
		{"nallocpolicy", "random", "nallocpolicy: nodeallocationpolicy must be "},
	};
	struct scene *sc = one_job();

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct event ev = {.kind = EVENT_MODIFY,
				   .job = 1,
				   .modify = {.name = row[i].name, .value = row[i].value}};
		struct err err;

		scene_try(sc, &ev, &err);
		if (strncmp(err.text, row[i].message, strlen(row[i].message)) != 0)
			fail_msg("%s = %s: %s", row[i].name, row[i].value, err.text);
	}
	scene_free(sc);
}

static void M_13_qos_without_access_is_rejected(void **state)
{
	struct scene *sc = one_job();
	struct event ev = {.kind = EVENT_MODIFY, .job = 1, .modify = {.name = "qos", .value = "mid"}};
	uint64_t seq;
	struct err err;

	(void)state;
	scene_config(sc, "user eva { qlist = \"lo\" qdef = lo }\n");
	assert_string_equal(
		scene_try(sc, &ev, &err),
		"qos: QOS mid is not open to the job of eva: see qlist of its user, group, account and "
		"class");
	ev.modify.value = "never named";
	assert_string_not_equal(scene_try(sc, &ev, &err), "");
	seq = scene_modify(sc, 1, "qos", "");
	assert_string_equal(printed(sc, "qos"), "\nlo"); /* none is requested, lo is granted */
	scene_undo(sc, seq); /* the QOS granted earlier is restored, although it would not be granted now */
	assert_string_equal(printed(sc, "qos"), "hi");
	scene_free(sc);
}

/* Jobs of traces may have limits and dates out of range, which are printed as numbers. */
static void out_of_range_times_are_printed_as_numbers(void **state)
{
	struct scene *sc = one_job();

	(void)state;
	state_job(sc->st, state_find(sc->st, 1))->wall_limit_s = DURATION_MAX_S;
	assert_string_not_equal(printed(sc, "walltime"), "315360001");
	assert_non_null(strchr(printed(sc, "walltime"), ':'));
	state_job(sc->st, state_find(sc->st, 1))->wall_limit_s = DURATION_MAX_S + 1;
	assert_null(strchr(printed(sc, "walltime"), ':'));
	state_job(sc->st, state_find(sc->st, 1))->not_before_s = MOMENT_MAX_S;
	assert_string_equal(printed(sc, "starttime"), "9999-12-31T23:59:59");
	state_job(sc->st, state_find(sc->st, 1))->not_before_s = MOMENT_MAX_S + 1;
	assert_string_equal(printed(sc, "starttime"), "253402300800");
	state_job(sc->st, state_find(sc->st, 1))->not_before_s = -1;
	assert_string_equal(printed(sc, "starttime"), "-1");
	scene_free(sc);
}

static void dates_and_choices_can_be_undone(void **state)
{
	static const char *const name[] = {"starttime", "access", "nallocpolicy"};
	static const char *const value[] = {"5000", "singlejob", "fastest"};
	struct scene *sc = one_job();

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		scene_modify(sc, 1, name[i], value[i]);
		assert_string_not_equal(printed(sc, name[i]), "none");
		scene_modify(sc, 1, name[i], "None");
		assert_string_equal(printed(sc, name[i]), "none");
		scene_modify(sc, 1, name[i], value[i]);
		scene_modify(sc, 1, name[i], "");
		assert_string_equal(printed(sc, name[i]), "none");
	}
	scene_modify(sc, 1, "starttime", "5000");
	assert_int_equal(scene_job_of(sc, 1)->not_before_s, 5000);
	scene_free(sc);
}

/* A job that requested no QOS gets back the QOS granted before a change. */
static void granted_qos_is_restored(void **state)
{
	struct scene *sc = scene_new(1, 4);
	uint64_t first;

	(void)state;
	scene_config(sc, "user eva { qlist = \"lo hi\" qdef = lo }\n");
	scene_add(sc, (struct scene_job){.user = "eva"});
	assert_string_equal(printed(sc, "qos"), "\nlo");
	first = scene_modify(sc, 1, "qos", "hi");
	assert_string_equal(printed(sc, "qos"), "hi");
	scene_undo(sc, first);
	assert_string_equal(printed(sc, "qos"), "\nlo");
	scene_config(sc, "user eva { qlist = hi }\n");
	first = scene_modify(sc, 1, "qos", "");
	assert_string_equal(printed(sc, "qos"), "\n");
	scene_modify(sc, 1, "qos", "hi");
	scene_undo(sc, scene_view(sc)->seq);
	assert_string_equal(printed(sc, "qos"), "\n");
	scene_undo(sc, first);
	assert_string_equal(printed(sc, "qos"), "\nlo");
	scene_free(sc);
}

static void change_drops_the_planned_start(void **state)
{
	static const struct alloc_run run = {.node = 0, .nodes = 1, .procs = 4, .tasks = 4};
	struct scene *sc = one_job();
	struct event plan = {
		.kind = EVENT_PLAN, .job = 1, .plan = {.start_s = 5000, .runs = &run, .count = 1}};
	struct event order = {.kind = EVENT_ORDER, .job = 1, .order = {.nodes = "n002 n001"}};

	(void)state;
	scene_apply(sc, &plan);
	scene_apply(sc, &order);
	scene_modify(sc, 1, "mem", "20");
	assert_int_equal(scene_view(sc)->planned, 0);
	assert_true(scene_job_of(sc, 1)->planned_s == TIME_NEVER);
	assert_int_equal(scene_job_of(sc, 1)->run, INDEX_NONE);
	assert_int_equal(scene_job_of(sc, 1)->order, 0);
	scene_free(sc);
}

static void same_value_keeps_the_planned_start(void **state)
{
	static const struct alloc_run run = {.node = 0, .nodes = 1, .procs = 4, .tasks = 4};
	struct scene *sc = one_job();
	struct event plan = {
		.kind = EVENT_PLAN, .job = 1, .plan = {.start_s = 5000, .runs = &run, .count = 1}};
	struct event order = {.kind = EVENT_ORDER, .job = 1, .order = {.nodes = "n002 n001"}};

	(void)state;
	scene_apply(sc, &plan);
	scene_apply(sc, &order);
	for (size_t i = 0; i < job_attribute_count; i++) {
		struct str same = {0};

		str_add(&same, printed(sc, job_attributes[i].name));
		scene_modify(sc, 1, job_attributes[i].name, str_text(&same));
		str_free(&same);
		scene_undo(sc, scene_view(sc)->seq);
		assert_int_equal(scene_job_of(sc, 1)->planned_s, 5000);
		assert_int_not_equal(scene_job_of(sc, 1)->run, INDEX_NONE);
		assert_int_not_equal(scene_job_of(sc, 1)->order, 0);
	}
	assert_int_equal(scene_view(sc)->planned, 1);
	scene_free(sc);
}

static void settled_dependencies_stay_settled_in_changes(void **state)
{
	struct scene *sc = scene_new(9, 1);
	uint64_t second;

	(void)state;
	scene_submit(sc, 1, 100);
	scene_submit(sc, 1, 100);
	scene_add(sc, (struct scene_job){.depend = "afterok:1"});
	second = scene_modify(sc, 3, "depend", "afterok:2");
	scene_start(sc, 1, 1, 1, 1);
	scene_end_with(sc, 1, 5); /* no dependency in force names job 1 now */
	scene_undo(sc, second);
	assert_int_equal(snapshot_depends(scene_view(sc))[scene_job_of(sc, 3)->depend].state, DEPEND_NEVER);
	scene_undo(sc, scene_view(sc)->seq);
	assert_int_equal(snapshot_depends(scene_view(sc))[scene_job_of(sc, 3)->depend].on, 2);
	scene_cancel(sc, 2);
	assert_int_equal(snapshot_depends(scene_view(sc))[scene_job_of(sc, 3)->depend].state, DEPEND_NEVER);
	scene_free(sc);
}

static void same_qos_keeps_the_reservation(void **state)
{
	struct scene *sc = scene_new(1, 4);
	uint64_t job;
	int64_t planned_s;

	(void)state;
	scene_submit(sc, 4, 1000);
	job = scene_add(sc, (struct scene_job){.procs = 4, .wall_s = 3600, .qos = "hi"});
	scene_pass(sc);
	planned_s = scene_job_of(sc, job)->planned_s;
	assert_int_equal(planned_s, sc->now_s + 1000);
	scene_modify(sc, job, "qos", "hi");
	assert_int_equal(scene_job_of(sc, job)->planned_s, planned_s);
	scene_modify(sc, job, "qos", "lo");
	assert_true(scene_job_of(sc, job)->planned_s == TIME_NEVER);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_qos_keeps_the_reservation),
		cmocka_unit_test(every_attribute_is_set_printed_and_undone),
		cmocka_unit_test(names_replace_previous_names),
		cmocka_unit_test(array_limit_applies_to_array_tasks_only),
		cmocka_unit_test(an_entry_in_the_middle_is_undone),
		cmocka_unit_test(invalid_values_are_rejected_with_a_reason),
		cmocka_unit_test(M_13_qos_without_access_is_rejected),
		cmocka_unit_test(out_of_range_times_are_printed_as_numbers),
		cmocka_unit_test(dates_and_choices_can_be_undone),
		cmocka_unit_test(granted_qos_is_restored),
		cmocka_unit_test(change_drops_the_planned_start),
		cmocka_unit_test(same_value_keeps_the_planned_start),
		cmocka_unit_test(settled_dependencies_stay_settled_in_changes),
	};

	return cmocka_run_group_tests_name("state_attribute", tests, NULL, NULL);
}
