/* SPDX-License-Identifier: MIT */
/* test_driver_local.c - node allocation by the site's program (policy "local") */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sched/host/arrivals.h"
#include "sched/host/driver.h"
#include "sched/trace/swf.h"
#include "tests/store_dir.h"

static struct store_dir folder;

static int make_folder(void **state)
{
	(void)state;
	make_store_dir(&folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	remove_store_dir(&folder);
	return 0;
}

/* A driver with four nodes of two processors, and its warnings. */
struct scene {
	struct trace trace;
	struct driver *driver;
	struct str warned;
};

static void take_warning(void *self, const char *text)
{
	str_addf(self, "%s\n", text);
}

static void begin(struct scene *s, const char *log, const char *program)
{
	const struct fake_cluster cluster = {.nodes = 4, .node_procs = 2};
	struct str config = {0};
	struct event ev = {.kind = EVENT_CONFIG, .who = "ann"};
	const char *file = name_in(&folder, "program");
	FILE *f = fopen(file, "w");
	struct err err = {{0}};

	assert_non_null(f);
	fprintf(f, "#!/bin/sh\n%s\n", program);
	fclose(f);
	assert_int_equal(chmod(file, 0700), 0);
	*s = (struct scene){.warned = {0}};
	assert_true(swf_read("log", log, strlen(log), 8, &s->trace, &err));
	s->driver = driver_new(fake_from_trace(&cluster, &s->trace), (struct ledger){0}, &err);
	driver_set_warn(s->driver, take_warning, &s->warned);
	str_addf(&config, "nodeallocationpolicy = local\nlocalnodeallocation = \"%s\"\nlocaltimeout = 30\n",
		 file);
	ev.time_s = driver_view(s->driver)->now_s;
	ev.config.file = "a.conf";
	ev.config.text = str_text(&config);
	if (driver_post(s->driver, &ev, 1, &err) != DRIVER_DONE)
		fail_msg("%s", err.text);
	str_free(&config);
}

static void run_until(struct scene *s, int64_t until_s)
{
	struct err err;

	for (int64_t at_s = driver_next_s(s->driver); at_s <= until_s; at_s = driver_next_s(s->driver))
		if (!driver_step(s->driver, at_s, &err))
			fail_msg("%s", err.text);
}

static void end(struct scene *s)
{
	struct err err;

	if (!state_check(driver_state(s->driver), &err))
		fail_msg("%s", err.text);
	driver_free(s->driver);
	trace_clear(&s->trace);
	str_free(&s->warned);
}

/* expected: nodes and processors of the running job, "n003*2 n001*1". */
static void check_nodes(const struct scene *s, uint64_t id, const char *expected)
{
	const struct snapshot *v = driver_view(s->driver);
	uint32_t slot = state_find(driver_state(s->driver), id);
	struct str text = {0};

	assert_true(slot != INDEX_NONE);
	for (uint32_t i = snapshot_jobs(v)[slot].run; i != INDEX_NONE; i = snapshot_runs(v)[i].next)
		for (uint32_t n = 0; n < snapshot_runs(v)[i].nodes; n++)
			str_addf(&text, "%s%s*%u", text.len > 0 ? " " : "",
				 snapshot_string(v, snapshot_nodes(v)[snapshot_runs(v)[i].node + n].name),
				 snapshot_runs(v)[i].procs);
	assert_string_equal(str_text(&text), expected);
	str_free(&text);
}

static const char *order_of(const struct scene *s, uint64_t id)
{
	const struct snapshot *v = driver_view(s->driver);

	return snapshot_string(v, snapshot_jobs(v)[state_find(driver_state(s->driver), id)].order);
}

#define ONE_JOB "1 10 0 100 3 -1 -1 3 100 -1 1 7\n"

static void a_job_runs_on_the_nodes_that_the_program_prints(void **state)
{
	struct scene s;

	(void)state;
	begin(&s, ONE_JOB, "echo n003 n002");
	run_until(&s, 50);
	check_nodes(&s, 1, "n003*2 n002*1");
	assert_string_equal(order_of(&s, 1), "n003 n002");
	assert_string_equal(str_text(&s.warned), "");
	end(&s);
}

static void the_program_gets_the_nodes_and_the_job(void **state)
{
	struct scene s;

	(void)state;
	/* Prints n004 first if its input is as expected, otherwise n001. */
	begin(&s, ONE_JOB,
	      "nodes=$(cat)\n"
	      "want='n001 2 2\nn002 2 2\nn003 2 2\nn004 2 2'\n"
	      "[ \"$nodes\" = \"$want\" ] && [ $KAHU_JOB = 1 ] && [ $KAHU_USER = u7 ] && [ $KAHU_TASKS = 3 ] "
	      "&&\n"
	      "[ $KAHU_WALLTIME = 100 ] && echo n004 n003 n002 n001 || echo n001 n002");
	run_until(&s, 50);
	check_nodes(&s, 1, "n004*2 n003*1");
	end(&s);
}

static void expect_fallback(const char *program, const char *why)
{
	struct scene s;

	begin(&s, ONE_JOB, program);
	run_until(&s, 50);
	assert_string_equal(order_of(&s, 1), JOB_NO_ANSWER);
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_RUNNING), 1);
	assert_non_null(strstr(str_text(&s.warned), "the nodes of job 1 are chosen as with minresource: "));
	assert_non_null(strstr(str_text(&s.warned), why));
	end(&s);
}

static void after_an_invalid_answer_nodes_are_chosen_as_by_minresource(void **state)
{
	(void)state;
	expect_fallback("", "it printed no node name");
	expect_fallback("echo n001; exit 1", "ended with status 1");
	expect_fallback("echo n001 elsewhere", "elsewhere is not a node on which the job fits");
	expect_fallback("echo n001 n001", "n001 is not a node on which the job fits, or is listed twice");
}

static void the_program_runs_once_a_job_and_the_warning_appears_once(void **state)
{
	struct scene s;
	char count[600], line[64] = "";
	FILE *f;

	(void)state;
	/* Job 1 fills the machine; job 2 waits through two more passes. */
	begin(&s,
	      "1 10 0 100 8 -1 -1 8 100 -1 1 7\n2 20 0 100 8 -1 -1 8 100 -1 1 7\n"
	      "3 30 0 100 8 -1 -1 8 100 -1 1 7\n",
	      "echo $KAHU_JOB >>\"$(dirname \"$0\")/count\"; exit 1");
	run_until(&s, 50);
	assert_string_equal(str_text(&s.warned) + strlen("the nodes of job 1"),
			    strstr(str_text(&s.warned), " are chosen"));
	assert_null(strstr(str_text(&s.warned), "job 2"));
	snprintf(count, sizeof count, "%s/count", folder.path);
	f = fopen(count, "r");
	assert_non_null(f);
	line[fread(line, 1, sizeof line - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(line, "1\n2\n3\n");
	end(&s);
}

static void another_policy_does_not_run_the_program(void **state)
{
	struct scene s;
	struct event ev = {.kind = EVENT_SETTING,
			   .who = "ann",
			   .setting = {.name = "nodeallocationpolicy", .value = "firstavailable"}};
	struct err err;

	(void)state;
	begin(&s, ONE_JOB, "echo n003 n002");
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	run_until(&s, 50);
	check_nodes(&s, 1, "n001*2 n002*1");
	assert_string_equal(order_of(&s, 1), "");
	end(&s);
}

/* All users can write to the folder. */
static void a_program_that_others_can_change_is_not_run(void **state)
{
	struct scene s;

	(void)state;
	begin(&s, ONE_JOB, "echo n003 n002");
	assert_int_equal(chmod(folder.path, 0777), 0);
	run_until(&s, 50);
	check_nodes(&s, 1, "n004*2 n003*1");
	assert_non_null(strstr(str_text(&s.warned), "program is not run, as all users can write to "));
	assert_int_equal(chmod(folder.path, 0700), 0);
	end(&s);
}

static void with_a_configuration_of_another_user_the_program_is_not_run(void **state)
{
	struct scene s;

	(void)state;
	begin(&s, ONE_JOB, "echo n003 n002");
	driver_bar_programs(s.driver, "the configuration a.conf belongs to user 7");
	run_until(&s, 50);
	check_nodes(&s, 1, "n004*2 n003*1");
	assert_non_null(
		strstr(str_text(&s.warned), "is not run, as the configuration a.conf belongs to user 7"));
	end(&s);
	begin(&s, ONE_JOB, "echo n003 n002");
	driver_bar_programs(s.driver, "");
	run_until(&s, 50);
	check_nodes(&s, 1, "n003*2 n002*1");
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_runs_on_the_nodes_that_the_program_prints),
		cmocka_unit_test(the_program_gets_the_nodes_and_the_job),
		cmocka_unit_test(after_an_invalid_answer_nodes_are_chosen_as_by_minresource),
		cmocka_unit_test(the_program_runs_once_a_job_and_the_warning_appears_once),
		cmocka_unit_test(another_policy_does_not_run_the_program),
		cmocka_unit_test(a_program_that_others_can_change_is_not_run),
		cmocka_unit_test(with_a_configuration_of_another_user_the_program_is_not_run),
	};

	return cmocka_run_group_tests_name("driver_local", tests, make_folder, remove_folder);
}
