/* SPDX-License-Identifier: MIT */
/*
 * test_slurm_jobs.c - jobs from the output of squeue of several versions
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/trace/slurm.h"
#include "sched/trace/slurm_text.h"
#include "tests/slurm_output.h"

#define MARK "markmark"

/* As printed by squeue 22.05.8 with --noconvert. */
#define WAITING_2205                                                                                         \
	"5" MARK "^PENDING^eva^staff^(null)^(null)^excl^1^1^1^1^30:00^2026-11-29T02:51:39^"                  \
	"2026-11-29T03:51:39^2026-11-29T04:21:39^Resources^1^cpu=1,mem=4000M,node=1,billing=1^N/A^N/A^N/"    \
	"A^N/A^"                                                                                             \
	"(null)^(null)^NO^(null)^^(null)^0^N/A^^wrap\n"
#define RUNNING_2205                                                                                         \
	"3" MARK "^RUNNING^bob^staff^phys^normal^gpu^2^1^2^1^1-00:30:00^2026-11-29T02:51:39^"                \
	"2026-11-29T02:51:40^2026-11-30T03:21:40^None^1^cpu=2,mem=100M,node=1,billing=2^N/"                  \
	"A^gres:gpu:a100:1^N/A^"                                                                             \
	"N/A^(null)^(null)^YES^(null)^^(null)^0^N/A^n[3-4]^train\n"
#define TASK_2205                                                                                            \
	"6_4" MARK "^PENDING^eva^staff^(null)^(null)^main^1^1^1^1^UNLIMITED^2026-11-29T02:51:39^N/A^N/A^"    \
	"JobArrayTaskLimit^1^cpu=1,mem=100M,node=1,billing=1^N/A^N/A^N/A^N/"                                 \
	"A^fast&ib^afterok:7(unfulfilled)^OK^"                                                               \
	"maint^n4^matlab:1^0^N/A^^wrap\n"
/* 24.05 prints the exit code and the signal, and gres/ before generic resources. */
#define ENDED_2405                                                                                           \
	"9" MARK                                                                                             \
	"^FAILED^bob^staff^phys^normal^gpu^8^2^8^1^1:00:00^2024-09-01T10:00:00^2024-09-01T10:05:00^"         \
	"2024-09-01T10:25:00^NonZeroExitCode^4294901700^cpu=8,mem=16G,node=2,billing=8,gres/gpu=4^N/A^"      \
	"gres/gpu:2^N/A^N/A^(null)^(null)^OK^(null)^^(null)^3:0^0^d[1-2]^job\n"
/* 20.11 prints the status of wait(). */
#define KILLED_2011                                                                                          \
	"8" MARK                                                                                             \
	"^TIMEOUT^ann^staff^chem^normal^batch^4^1^4^1^10:00^2021-05-01T10:00:00^2021-05-01T10:00:05^"        \
	"2021-05-01T10:10:15^TimeLimit^4294901757^cpu=4,mem=8G,node=1,billing=4^N/A^N/A^N/A^N/"              \
	"A^(null)^(null)^"                                                                                   \
	"OK^(null)^^(null)^15^N/A^c1^job\n"
#define MIXED_2405                                                                                           \
	"15+1" MARK "^PENDING^eva^staff^(null)^(null)^main^1^1^1^1^5:00^2024-09-01T10:00:00^N/A^N/A^None^0^" \
	"cpu=1,node=1^N/A^N/A^N/A^N/A^(null)^(null)^OK^(null)^^(null)^0:0^15^^het\n"

/* The text of a cluster must be kept as long as its jobs are used. */
struct reading {
	struct slurm_cluster c;
	char *text;
};

static bool try_read(struct reading *r, const char *text, struct err *err)
{
	*r = (struct reading){.text = mem_string(text)};
	return slurm_read_jobs(&r->c, r->text, strlen(text), MARK, err);
}

static struct reading read_text(const char *text)
{
	struct reading r;
	struct err err = {{0}};

	if (!try_read(&r, text, &err))
		fail_msg("%s", err.text);
	return r;
}

static void drop(struct reading *r)
{
	slurm_cluster_free(&r->c);
	free(r->text);
}

static void a_waiting_and_a_running_job_are_read(void **state)
{
	struct reading r = read_text(WAITING_2205 RUNNING_2205);
	const struct slurm_job *waits = &r.c.job[0], *runs = &r.c.job[1];

	(void)state;
	assert_int_equal(r.c.jobs, 2);
	assert_string_equal(waits->id, "5");
	assert_int_equal(waits->phase, SLURM_PENDING);
	assert_string_equal(waits->user, "eva");
	assert_string_equal(waits->account, "");
	assert_string_equal(waits->partition, "excl");
	assert_string_equal(waits->reason, "Resources");
	assert_string_equal(waits->sharing, "NO");
	assert_int_equal(waits->limit_s, 1800);
	assert_int_equal(waits->start_s - waits->submit_s, 3600);
	assert_string_equal(waits->hosts, "");
	assert_int_equal(runs->phase, SLURM_RUNNING);
	assert_int_equal(runs->procs, 2);
	assert_int_equal(runs->limit_s, 88200);
	assert_string_equal(runs->gres_node, "gres:gpu:a100:1");
	assert_string_equal(runs->hosts, "n[3-4]");
	assert_string_equal(runs->reason, "");
	assert_string_equal(runs->name, "train");
	drop(&r);
}

static void a_task_of_an_array_has_its_own_line(void **state)
{
	struct reading r = read_text(TASK_2205);
	const struct slurm_job *job = &r.c.job[0];

	(void)state;
	assert_string_equal(job->id, "6_4");
	assert_true(job->limit_s == SLURM_UNLIMITED);
	assert_int_equal(job->start_s, 0);
	assert_string_equal(job->features, "fast&ib");
	assert_string_equal(job->depends, "afterok:7(unfulfilled)");
	assert_string_equal(job->reservation, "maint");
	assert_string_equal(job->hosts_asked, "n4");
	assert_string_equal(job->licenses, "matlab:1");
	assert_false(job->held);
	drop(&r);
}

static void exit_codes_of_older_and_newer_versions_are_read(void **state)
{
	struct reading r = read_text(ENDED_2405 KILLED_2011);

	(void)state;
	assert_int_equal(r.c.job[0].phase, SLURM_ENDED);
	assert_int_equal(r.c.job[0].status, 3);
	assert_int_equal(r.c.job[1].phase, SLURM_ENDED);
	assert_int_equal(r.c.job[1].status, 256 + SIGTERM);
	drop(&r);
}

static void a_component_of_a_heterogeneous_job_is_marked(void **state)
{
	struct reading r = read_text(MIXED_2405 WAITING_2205);

	(void)state;
	assert_string_equal(r.c.job[0].id, "15+1");
	assert_true(r.c.job[0].mixed);
	assert_true(r.c.job[0].held);
	assert_false(r.c.job[1].mixed);
	drop(&r);
}

/* A user chooses the name of a job, but cannot guess the mark. */
static void a_name_cannot_pretend_to_be_another_job(void **state)
{
	struct reading r = read_text(
		"1" MARK "^PENDING^mal^staff^a^q^p^1^1^1^1^1:00^2024-09-01T10:00:00^N/A^N/A^Priority^1^"
		"cpu=1^N/A^N/A^N/A^N/A^(null)^(null)^OK^(null)^^(null)^0:0^0^^x^y|z\n"
		"2markwrong^RUNNING^root^x\n"
		"3^PENDING^root\n" WAITING_2205);

	(void)state;
	assert_int_equal(r.c.jobs, 2);
	assert_int_equal(r.c.bad.count, 0);
	assert_string_equal(r.c.job[0].name, "x^y|z?2markwrong^RUNNING^root^x?3^PENDING^root");
	assert_string_equal(r.c.job[1].id, "5");
	drop(&r);
}

static void the_fingerprint_changes_with_what_describes_the_job(void **state)
{
	struct reading a = read_text(WAITING_2205), b = read_text(WAITING_2205), c;
	struct str text = {0};
	char *at;

	(void)state;
	assert_true(a.c.job[0].fingerprint == b.c.job[0].fingerprint);
	assert_true(a.c.job[0].fingerprint != 0);
	str_add(&text, WAITING_2205);
	at = strstr(text.data, "30:00");
	at[0] = '4';
	c = read_text(str_text(&text));
	assert_true(a.c.job[0].fingerprint != c.c.job[0].fingerprint);
	drop(&c);
	at[0] = '3';
	at = strstr(text.data, "Resources"); /* why it waits does not describe it */
	at[0] = 'r';
	c = read_text(str_text(&text));
	assert_true(a.c.job[0].fingerprint == c.c.job[0].fingerprint);
	drop(&c);
	drop(&a);
	drop(&b);
	str_free(&text);
}

static void assert_refused(const char *text, const char *expected)
{
	struct reading r;
	struct err err = {{0}};

	if (try_read(&r, text, &err))
		fail_msg("it was read: %s", text);
	if (strstr(err.text, expected) == NULL)
		fail_msg("'%s' is not in '%s'", expected, err.text);
	drop(&r);
}

static void an_incomplete_or_wrong_answer_is_refused(void **state)
{
	(void)state;
	assert_refused("5" MARK "^PENDING^eva", "cut off");
	assert_refused("slurm_load_jobs error: Unable to contact slurm controller\n", "not a job");
	assert_refused("JOBID PARTITION\n" WAITING_2205, "not a job");
	assert_refused("5" MARK "^PENDING\n", "could be read");
}

static void bad_values_refuse_only_their_job(void **state)
{
	static const char *const bad[][2] = {{"^1^1^1^1^", "^0^1^1^1^"},
					     {"^1^1^1^1^", "^x^1^1^1^"},
					     {"^30:00^", "^soon^"},
					     {"2026-11-29T02:51:39^2026", "N/A^2026"},
					     {"2026-11-29T03:51:39", "yesterday"}};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		const char *at = strstr(WAITING_2205, bad[i][0]);
		struct str text = {0};
		struct reading r;

		str_add_bytes(&text, WAITING_2205, (size_t)(at - WAITING_2205));
		str_addf(&text, "%s%s%s", bad[i][1], at + strlen(bad[i][0]), RUNNING_2205);
		r = read_text(str_text(&text));
		assert_int_equal(r.c.jobs, 1);
		assert_int_equal(r.c.bad.count, 1);
		assert_string_equal(r.c.job[0].id, "3");
		drop(&r);
		str_free(&text);
	}
}

static void large_counts_with_a_unit_are_read(void **state)
{
	struct reading r =
		read_text("7" MARK "^PENDING^eva^staff^a^q^p^2K^1K^1M^1^1:00^2024-09-01T10:00:00^N/A^N/A^"
			  "Priority^1^cpu=2048^N/A^N/A^N/A^N/A^(null)^(null)^OK^(null)^^(null)^0:0^0^^big\n");

	(void)state;
	assert_int_equal(r.c.job[0].procs, 2048);
	assert_int_equal(r.c.job[0].nodes, 1024);
	assert_int_equal(r.c.job[0].tasks, 1048576);
	drop(&r);
}

static void no_job_is_no_error_and_states_may_be_unknown(void **state)
{
	struct reading r = read_text("");
	struct str text = {0};

	(void)state;
	assert_int_equal(r.c.jobs, 0);
	drop(&r);
	str_addf(&text, "5" MARK "^HIBERNATING%s", strchr(&WAITING_2205[strlen("5" MARK "^")], '^'));
	r = read_text(str_text(&text));
	assert_int_equal(r.c.job[0].phase, SLURM_UNKNOWN);
	drop(&r);
	str_free(&text);
}

/* The mark follows a width, so it must not begin with a digit; no field has a comma in its suffix. */
static void the_format_names_each_field_once(void **state)
{
	struct str format = {0};

	(void)state;
	slurm_job_format(MARK, &format);
	assert_memory_equal(format.data, "jobarrayid:0" MARK "^,state:0^,", 12 + 8 + 2 + 9);
	assert_non_null(strstr(format.data, ",nodelist:0^,name:0"));
	assert_string_equal(strrchr(format.data, ',') + 1, "name:0");
	str_free(&format);
}

static void a_generated_queue_of_each_version_is_read_without_a_bad_line(void **state)
{
	static const unsigned versions[] = {2011, 2205, 2405};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const struct slurm_model m = {.seed = 1,
					      .version = versions[i],
					      .nodes = 100,
					      .jobs = 3000,
					      .busy_pct = 80,
					      .now_s = 1795920000};
		struct str text = {0};
		struct reading r;

		slurm_output_jobs(&m, MARK, &text);
		r = read_text(str_text(&text));
		assert_int_equal(r.c.jobs, 3000);
		assert_int_equal(r.c.bad.count, 0);
		assert_int_equal(r.c.job[0].phase, SLURM_RUNNING);
		assert_int_equal(r.c.job[2999].phase, SLURM_PENDING);
		drop(&r);
		str_free(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_waiting_and_a_running_job_are_read),
		cmocka_unit_test(a_task_of_an_array_has_its_own_line),
		cmocka_unit_test(exit_codes_of_older_and_newer_versions_are_read),
		cmocka_unit_test(a_component_of_a_heterogeneous_job_is_marked),
		cmocka_unit_test(a_name_cannot_pretend_to_be_another_job),
		cmocka_unit_test(the_fingerprint_changes_with_what_describes_the_job),
		cmocka_unit_test(an_incomplete_or_wrong_answer_is_refused),
		cmocka_unit_test(bad_values_refuse_only_their_job),
		cmocka_unit_test(large_counts_with_a_unit_are_read),
		cmocka_unit_test(no_job_is_no_error_and_states_may_be_unknown),
		cmocka_unit_test(the_format_names_each_field_once),
		cmocka_unit_test(a_generated_queue_of_each_version_is_read_without_a_bad_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
