/* SPDX-License-Identifier: MIT */
/*
 * test_select.c - selection of jobs by words and terms
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "small_state.h"
#include "tui/command/cmd.h"
#include "tui/report/select.h"

/* Checks the IDs of the selected jobs, such as "1 2 ", or the error. */
static void check_chosen(const char *where, const char *words, const char *expected)
{
	struct state *st = small_state();
	const struct snapshot *s = state_view(st);
	char got[600] = "", **word;
	struct job_selection chosen;
	struct err err;
	int count;

	word = cmd_split(words, &count, NULL);
	if (!select_jobs(s, word, count, where, &chosen, &err))
		snprintf(got, sizeof got, "%s", err.text);
	for (size_t i = 0; i < chosen.count; i++)
		snprintf(got + strlen(got), sizeof got - strlen(got), "%llu ",
			 (unsigned long long)snapshot_jobs(s)[chosen.slot[i]].id);
	assert_string_equal(got, expected);
	free(chosen.slot);
	free(word);
	state_free(st);
}

static void jobs_are_named_by_name_and_range(void **state)
{
	(void)state;
	check_chosen(NULL, "3", "3 ");
	check_chosen(NULL, "fit 2", "4 2 ");
	check_chosen(NULL, "2-4", "2 3 ");
	check_chosen(NULL, "3-900 1", "3 1 ");
}

static void a_job_named_twice_is_chosen_once(void **state)
{
	(void)state;
	check_chosen(NULL, "3 1-3 3", "3 1 2 ");
}

static void all_terms_must_match(void **state)
{
	(void)state;
	check_chosen("user=u1", "", "1 4 ");
	check_chosen("user=u1 state=idle", "", "4 ");
	check_chosen("state=running", "", "1 ");
	check_chosen("class=long", "", "3 ");
	check_chosen("class=- state=IDLE", "", "2 4 ");
	check_chosen("job=2-3", "", "2 3 ");
	check_chosen("user=u1", "1 2", "1 ");
	check_chosen("name=-", "", "1 2 3 4 ");
	check_chosen("user=u[13]", "", "1 3 4 ");
	check_chosen("user=u2,u3", "", "2 3 ");
	check_chosen("state=running,idle", "", "1 2 3 4 ");
}

static void a_selection_without_jobs_is_refused(void **state)
{
	(void)state;
	check_chosen(NULL, "", "no job given; name one, a range such as 12-15, or -w 'user=eva state=idle'");
	check_chosen(NULL, "77", "there is no job '77' in the queue; 'kahu queue' lists them");
	check_chosen(NULL, "2 77", "there is no job '77' in the queue; 'kahu queue' lists them");
	check_chosen(NULL, "50-60", "no job in the range 50-60 is in the queue; 'kahu queue' lists all jobs");
	check_chosen(NULL, "4-2", "the range 4-2 runs backwards; write the smaller id first");
	check_chosen("user=u9", "", "no job matches 'user=u9'; 'kahu queue' lists all");
}

static void an_ended_job_is_reported_as_ended(void **state)
{
	struct state *st = small_state();
	struct err err;

	(void)state;
	small_apply(st, (struct event){.kind = EVENT_END, .time_s = 50, .job = 1, .who = "sched"});
	assert_int_equal(select_job(state_view(st), "1", &err), INDEX_NONE);
	assert_string_equal(err.text, "job 1 has ended; see 'kahu history 1'");
	assert_int_equal(select_job(state_view(st), "01", &err), INDEX_NONE);
	assert_string_equal(err.text, "there is no job '01' in the queue; 'kahu queue' lists them");
	assert_int_equal(select_job(state_view(st), "1x", &err), INDEX_NONE);
	assert_string_equal(err.text, "there is no job '1x' in the queue; 'kahu queue' lists them");
	state_free(st);
}

/* As check_chosen, with the jobs 1 to 4 of small_state and the tasks 5[0-3,8], which are the jobs 5 to 9. */
static void check_tasks(const char *where, const char *words, const char *expected)
{
	struct state *st = small_state();
	struct array_range range[] = {{0, 3, 1}, {8, 8, 1}};
	struct event ev = {.time_s = state_view(st)->now_s, .kind = EVENT_SUBMIT, .who = "eva"};
	struct job_selection chosen;
	char got[600] = "", **word;
	struct err err;
	int count;

	ev.submit.job = (struct job){.submit_s = ev.time_s,
				     .wall_limit_s = 60,
				     .true_run_s = 1,
				     .tasks = 1,
				     .task_procs = 1,
				     .not_before_s = TIME_NONE};
	ev.submit.cred[CRED_USER] = "u7";
	ev.submit.ranges = range;
	ev.submit.range_count = 2;
	if (!event_apply(st, &ev, &err))
		fail_msg("%s", err.text);
	word = cmd_split(words, &count, NULL);
	if (!select_jobs(state_view(st), word, count, where, &chosen, &err))
		snprintf(got, sizeof got, "%s", err.text);
	for (size_t i = 0; i < chosen.count; i++)
		snprintf(got + strlen(got), sizeof got - strlen(got), "%llu ",
			 (unsigned long long)snapshot_jobs(state_view(st))[chosen.slot[i]].id);
	assert_string_equal(got, expected);
	free(chosen.slot);
	free(word);
	state_free(st);
}

static void array_tasks_are_selected_by_array_or_by_index(void **state)
{
	(void)state;
	check_tasks(NULL, "5[]", "5 6 7 8 9 ");
	check_tasks(NULL, "5[3]", "8 ");
	check_tasks(NULL, "5[8,0-1] 1", "5 6 9 1 ");
	check_tasks(NULL, "5[2] 5[]", "7 5 6 8 9 ");
	check_tasks("job=5[1-2]", "", "6 7 ");
	check_tasks("user=u7", "5[1-2]", "6 7 ");
	check_tasks("user=u1", "5[] 1", "1 ");
	check_tasks(NULL, "5[4-7]", "no task of 5[4-7] is in the queue; 'kahu queue' lists all jobs");
	check_tasks(NULL, "4[]", "no task of 4[] is in the queue; 'kahu queue' lists all jobs");
	check_tasks(NULL, "5", "5 names several tasks of an array; name one task, such as 5[0], or all: 5[]");
	check_tasks(NULL, "5-9", "no job in the range 5-9 is in the queue; 'kahu queue' lists all jobs");
}

static void an_invalid_term_is_refused(void **state)
{
	(void)state;
	check_chosen("user", "",
		     "'user' is not of the form NAME=VALUE; write terms such as user=eva state=idle");
	check_chosen("user=", "",
		     "'user=' is not of the form NAME=VALUE; write terms such as user=eva state=idle");
	check_chosen(
		"color=red", "",
		"'color=red': jobs are selected by user, group, account, class, qos, state, name or job");
	check_chosen("state=tired", "",
		     "state=tired: a state is idle, running, held, suspended or deferred; for a job that has "
		     "ended, it is completed, failed, atlimit, removed, notrun or lost");
	check_chosen("job=1 job=1 job=1 job=1 job=1 job=1 job=1 job=1 job=1", "",
		     "a selection has at most 8 terms; 'job=1' is one too many");
	check_chosen("'user=u1", "", "the quote ' is opened but not closed; close it");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_are_named_by_name_and_range),
		cmocka_unit_test(a_job_named_twice_is_chosen_once),
		cmocka_unit_test(all_terms_must_match),
		cmocka_unit_test(a_selection_without_jobs_is_refused),
		cmocka_unit_test(an_ended_job_is_reported_as_ended),
		cmocka_unit_test(array_tasks_are_selected_by_array_or_by_index),
		cmocka_unit_test(an_invalid_term_is_refused),
	};

	return cmocka_run_group_tests_name("select", tests, NULL, NULL);
}
