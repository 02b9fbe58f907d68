/* SPDX-License-Identifier: MIT */
/*
 * test_qsub_time.c - time limits and begin times of qsub and sbatch
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <time.h>

#include "sched/base/duration.h"
#include "tests/asked.h"

/* `iso` is the expected begin time in UTC. */
static void check_begin(const char *script, const char *options, const char *iso)
{
	struct submission s;
	char buf[MOMENT_TEXT];

	asked(&s, script, options);
	moment_iso(buf, s.record.job.not_before_s);
	if (strcmp(buf, iso) != 0)
		fail_msg("%s%s: %s, not %s", script ? script : "", options, buf, iso);
	submission_free(&s);
}

struct begins {
	const char *text, *iso;
};

/* The current time is 2026-03-24T16:02:11. */
static const struct begins dates[] = {
	{"16:30", "2026-03-24T16:30:00"},
	{"16:00", "2026-03-25T16:00:00"},
	{"2026-03-24T17:30", "2026-03-24T17:30:00"},
	{"+2:00:00", "2026-03-24T18:02:11"},
	{"1630", "2026-03-24T16:30:00"},
	{"1602", "2026-03-25T16:02:00"},
	{"1602.30", "2026-03-24T16:02:30"},
	{"0000", "2026-03-25T00:00:00"},
	{"251200", "2026-03-25T12:00:00"},
	{"011200", "2026-04-01T12:00:00"},
	{"04011200", "2026-04-01T12:00:00"},
	{"01011200.59", "2027-01-01T12:00:59"},
	{"2801011200", "2028-01-01T12:00:00"},
	{"202801011200", "2028-01-01T12:00:00"},
	{"200001011200", "2000-01-01T12:00:00"},
	{"2002291200", "2020-02-29T12:00:00"},
};

static void times_of_option_a_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(dates); i++) {
		struct str options = {0};

		str_addf(&options, "-a %s", dates[i].text);
		check_begin(NULL, str_text(&options), dates[i].iso);
		str_free(&options);
	}
}

static void a_day_that_this_month_lacks_is_in_the_next_one(void **state)
{
	struct submission s = {.throttle = 0};
	struct submitter submitter = eva;
	static const char *const word[] = {"submit", "-a", "311200", "-a", "151200"};
	char buf[MOMENT_TEXT];
	int rest;

	(void)state;
	assert_true(moment_parse("2026-12-24T16:00", 0, &submitter.now_s, NULL));
	assert_true(qsub_read_options(&s, &submitter, 5, word, &rest, NULL));
	assert_string_equal(moment_iso(buf, s.draft.not_before_s), "2027-01-15T12:00:00");
	assert_true(moment_parse("2026-11-30T16:00", 0, &submitter.now_s, NULL));
	assert_true(qsub_read_options(&s, &submitter, 3, word, &rest, NULL));
	assert_string_equal(moment_iso(buf, s.draft.not_before_s), "2026-12-31T12:00:00");
	submission_free(&s);
}

static void times_are_in_the_local_time_zone(void **state)
{
	(void)state;
	setenv("TZ", "EAST-3", 1);
	tzset();
	check_begin(NULL, "-a 1930", "2026-03-24T16:30:00");
	check_begin(NULL, "-a 19:30", "2026-03-24T16:30:00");
	check_begin("#SBATCH -b 2026-03-25\n", "", "2026-03-24T21:00:00");
	setenv("TZ", "UTC0", 1);
	tzset();
}

static const struct begins begins[] = {
	{"now", "2026-03-24T16:02:11"},
	{"now+60", "2026-03-24T16:03:11"},
	{"now+1minute", "2026-03-24T16:03:11"},
	{"now+2hours", "2026-03-24T18:02:11"},
	{"now+1day", "2026-03-25T16:02:11"},
	{"now+1weeks", "2026-03-31T16:02:11"},
	{"now+5seconds", "2026-03-24T16:02:16"},
	{"16:30", "2026-03-24T16:30:00"},
	{"2026-04-01", "2026-04-01T00:00:00"},
	{"2026-04-01T12:34", "2026-04-01T12:34:00"},
	{"2026-04-01T12:34:56", "2026-04-01T12:34:56"},
};

static void begin_times_of_sbatch_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(begins); i++) {
		struct str script = {0};

		str_addf(&script, "#SBATCH --begin=%s\n", begins[i].text);
		check_begin(str_text(&script), "", begins[i].iso);
		str_free(&script);
	}
}

static void time_limits_of_sbatch_are_read(void **state)
{
	static const struct {
		const char *text;
		int64_t s;
	} limits[] = {
		{"90", 5400},   {"1:30", 90},     {"2:00:00", 7200},      {"120:00:00", 432000},
		{"1-0", 86400}, {"1-12", 129600}, {"1-12:30", 131400},    {"1-12:30:05", 131405},
		{"0:01", 1},    {"0-0:0:1", 1},   {"5270400", 316224000}, {"3660-0", 316224000},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(limits); i++) {
		struct submission s;
		struct str script = {0};

		str_addf(&script, "#SBATCH -t %s\n", limits[i].text);
		asked(&s, str_text(&script), "");
		assert_int_equal(s.record.job.wall_limit_s, limits[i].s);
		submission_free(&s);
		str_free(&script);
	}
}

static void walltimes_of_qsub_are_read(void **state)
{
	struct submission s;

	(void)state;
	asked(&s, "#PBS -l walltime=1:00:00\n", "");
	assert_int_equal(s.record.job.wall_limit_s, 3600);
	submission_free(&s);
	asked(&s, "#PBS -l walltime=1:00:00\n", "-l walltime=90");
	assert_int_equal(s.record.job.wall_limit_s, 90);
	submission_free(&s);
}

#define NO_DATE                                                                                              \
	" is not a time: write 16:30, 2026-03-24T16:30, +2:00:00 (from now) or [[[[CC]YY]MM]DD]hhmm[.SS]"

static const struct asked_wrong wrong[] = {
	{"-a 160", "-a: \"160\"" NO_DATE},
	{"-a 2400", "-a: \"2400\"" NO_DATE},
	{"-a 1660", "-a: \"1660\"" NO_DATE},
	{"-a 1630.6", "-a: \"1630.6\"" NO_DATE},
	{"-a 1630.60", "-a: \"1630.60\"" NO_DATE},
	{"-a 13011200", "-a: \"13011200\"" NO_DATE},
	{"-a 2102291200", "-a: \"2102291200\"" NO_DATE},
	{"-a 1774368131000", "-a: \"1774368131000\"" NO_DATE},
	{"-a soon",
	 "-a: \"soon\" is not a time: write 16:30, 2026-03-24T16:30, +2:00:00 (from now) or seconds since "
	 "1970"},
};

#define NO_LIMIT                                                                                             \
	" is not a Slurm time limit; write minutes, minutes:seconds, hours:minutes:seconds or "              \
	"days-hours:minutes:seconds, at most 3660 days"
#define NO_BEGIN " is not a time: write 16:30, 2026-03-24, 2026-03-24T16:30 or now+2hours"

static const struct asked_wrong wrong_lines[] = {
	{"#SBATCH -t 0", "jobs/job.sh:2: #SBATCH: --time: the duration must be at least one second"},
	{"#SBATCH -t UNLIMITED", "jobs/job.sh:2: #SBATCH: --time: \"UNLIMITED\"" NO_LIMIT},
	{"#SBATCH -t 1:2:3:4", "jobs/job.sh:2: #SBATCH: --time: \"1:2:3:4\"" NO_LIMIT},
	{"#SBATCH -t 1-", "jobs/job.sh:2: #SBATCH: --time: \"1-\"" NO_LIMIT},
	{"#SBATCH -t 1-2-3", "jobs/job.sh:2: #SBATCH: --time: \"1-2-3\"" NO_LIMIT},
	{"#SBATCH -t 1:", "jobs/job.sh:2: #SBATCH: --time: \"1:\"" NO_LIMIT},
	{"#SBATCH -t 9999999999", "jobs/job.sh:2: #SBATCH: --time: \"9999999999\"" NO_LIMIT},
	{"#SBATCH -t 11111111111111111-0",
	 "jobs/job.sh:2: #SBATCH: --time: \"11111111111111111-0\"" NO_LIMIT},
	{"#SBATCH -t 3661-0", "jobs/job.sh:2: #SBATCH: --time: \"3661-0\"" NO_LIMIT},
	{"#SBATCH -b teatime", "jobs/job.sh:2: #SBATCH: --begin: \"teatime\"" NO_BEGIN},
	{"#SBATCH -b now+", "jobs/job.sh:2: #SBATCH: --begin: \"now+\"" NO_BEGIN},
	{"#SBATCH -b now+1month", "jobs/job.sh:2: #SBATCH: --begin: \"now+1month\"" NO_BEGIN},
	{"#SBATCH -b now-1", "jobs/job.sh:2: #SBATCH: --begin: \"now-1\"" NO_BEGIN},
	{"#SBATCH -b now+999999999weeks", "jobs/job.sh:2: #SBATCH: --begin: \"now+999999999weeks\"" NO_BEGIN},
	{"#SBATCH -b 1774368131", "jobs/job.sh:2: #SBATCH: --begin: \"1774368131\"" NO_BEGIN},
	{"#SBATCH -b 2026-13-01", "jobs/job.sh:2: #SBATCH: --begin: \"2026-13-01\"" NO_BEGIN},
};

static void an_invalid_time_is_refused(void **state)
{
	(void)state;
	check_wrong_options(wrong, COUNT(wrong));
	check_wrong_lines(wrong_lines, COUNT(wrong_lines));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_of_option_a_are_read),
		cmocka_unit_test(a_day_that_this_month_lacks_is_in_the_next_one),
		cmocka_unit_test(times_are_in_the_local_time_zone),
		cmocka_unit_test(begin_times_of_sbatch_are_read),
		cmocka_unit_test(time_limits_of_sbatch_are_read),
		cmocka_unit_test(walltimes_of_qsub_are_read),
		cmocka_unit_test(an_invalid_time_is_refused),
	};

	setenv("TZ", "UTC0", 1);
	tzset();
	return cmocka_run_group_tests_name("qsub_time", tests, NULL, NULL);
}
