/* SPDX-License-Identifier: MIT */
/*
 * test_fairshare_cases.c - comparison of shares, factors and caps with the output of the original
 *
 * Case 02 has targets of all five credential types, case 04 has caps. Usage comes from the FS files of the
 * cases and from the jobs that ran.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sched/policy/priority.h"
#include "sched/trace/fsfile.h"
#include "tests/shares.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Adds the window of a file, as an import does. */
static void load(struct site *s, const char *file, const char *text, struct fsfile *f)
{
	struct err err;
	uint32_t column;

	if (!fsfile_read(file, text, strlen(text), f, &err))
		fail_msg("%s", err.text);
	column = column_of(s, f->begin_s, s->policy.fs_interval_s);
	s->window[column].total += f->total;
	for (size_t i = 0; i < f->count; i++)
		charge_cred(s, cred_of(s, f->use[i].type, f->use[i].name), column, f->use[i].amount);
}

static const char *const case_02_files[][2] = {
	{"FS.1699660800", "# FS\nuser bob 999999.000\nTOTAL DEFAULT 999999.000000\n"},
	{"FS.1699747200", "# FS\nuser amy 200000.000\nclass batch 200000.000\ngroup staff 200000.000\nTOTAL "
			  "DEFAULT 200000.000000\n"},
	{"FS.1699833600",
	 "# FS\nuser amy 60000.000\nuser bob 10000.000\nuser carl 10000.000\ngroup staff 40000.000\n"
	 "group other 40000.000\nacct phys 80000.000\nqos hi 40000.000\nclass fast 5000.000\nclass batch "
	 "75000.000\n"
	 "TOTAL DEFAULT 80000.000000\n"},
	{"FS.1699920000",
	 "# FS\nuser amy 20000.000\nuser bob 50000.000\nuser carl 30000.000\ngroup staff 70000.000\n"
	 "group other 30000.000\nacct phys 40000.000\nacct chem 60000.000\nqos hi 10000.000\nclass fast "
	 "25000.000\n"
	 "class batch 75000.000\nTOTAL DEFAULT 100000.000000\n"},
};

static void set_credentials(struct site *s, struct job *job, const char *const name[CRED_TYPE_COUNT])
{
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		if (name[type])
			job->cred[type] = cred_of(s, (enum cred_type)type, name[type]);
}

/* The state at pass 3: job blk of user zed has run on one processor since pass 1. */
static struct site *case_02_site(struct fsfile file[static COUNT(case_02_files)])
{
	static const char *const blk[CRED_TYPE_COUNT] = {"zed", "zg", NULL, NULL, "batch"};
	struct site *s = new_site(DAY, 3, 0.5);
	struct job *job = add_job(s, 1, 900000);

	for (size_t i = 0; i < COUNT(case_02_files); i++)
		load(s, case_02_files[i][0], case_02_files[i][1], &file[i]);
	set_target(s, CRED_USER, CRED_DEFAULT, 10, FS_TARGET);
	set_target(s, CRED_USER, "amy", 25, FS_TARGET);
	set_target(s, CRED_USER, "bob", 30, FS_FLOOR);
	set_target(s, CRED_USER, "carl", 12, FS_CEILING);
	set_target(s, CRED_GROUP, "staff", 50, FS_TARGET);
	set_target(s, CRED_GROUP, "other", 50, FS_FLOOR);
	set_target(s, CRED_ACCOUNT, "phys", 40, FS_CEILING);
	set_target(s, CRED_ACCOUNT, "chem", 20, FS_TARGET);
	set_target(s, CRED_CLASS, "fast", 15, FS_TARGET);
	set_target(s, CRED_CLASS, "batch", 60, FS_TARGET);
	set_target(s, CRED_QOS, "hi", 20, FS_CEILING);
	set_credentials(s, job, blk);
	start_job(s, job, T0 + MINUTE);
	s->now_s = T0 + 3 * MINUTE;
	return s;
}

/* One row of the original's diagnose -f; a window without usage is "-------". */
struct printed_share {
	enum cred_type type;
	const char *name, *percent, *target, *window[3];
};

static void assert_share(struct site *s, const struct printed_share *row, uint32_t windows)
{
	static const char *const suffix[] = {"", "", "+", "-", "^", "%"};
	const struct fs_share *share = share_of(s, row->type, row->name);
	char text[32];

	assert_printed("%.2f", share->percent, row->percent);
	snprintf(text, sizeof text, "%.2f%s%s", share->target, suffix[share->mode], share->missed ? "*" : "");
	assert_string_equal(text, row->target);
	for (uint32_t i = 0; i < windows; i++)
		if (share->window[i] == 0)
			assert_string_equal("-------", row->window[i]);
		else
			assert_printed("%.2f", 100 * (double)share->window[i] / (double)s->f.total[i],
				       row->window[i]);
}

static void case_02_shares_equal_those_of_diagnose_f(void **state)
{
	static const struct printed_share row[] = {
		{CRED_USER, "carl", "18.41", "12.00-*", {"29.96", "12.50", "-------"}},
		{CRED_USER, "amy", "52.60", "25.00*", {"19.98", "75.00", "100.00"}},
		{CRED_USER, "bob", "28.93", "30.00+*", {"49.94", "12.50", "-------"}},
		{CRED_USER, "zed", "0.06", "10.00*", {"0.12", "-------", "-------"}},
		{CRED_USER, CRED_DEFAULT, "0.00", "10.00*", {"-------", "-------", "-------"}},
		{CRED_GROUP, "staff", "73.64", "50.00*", {"69.92", "50.00", "100.00"}},
		{CRED_GROUP, "other", "26.30", "50.00+*", {"29.96", "50.00", "-------"}},
		{CRED_GROUP, "zg", "0.06", "0.00", {"0.12", "-------", "-------"}},
		{CRED_ACCOUNT, "phys", "42.08", "40.00-*", {"39.95", "100.00", "-------"}},
		{CRED_ACCOUNT, "chem", "31.56", "20.00*", {"59.93", "-------", "-------"}},
		{CRED_QOS, "hi", "15.78", "20.00-", {"9.99", "50.00", "-------"}},
		{CRED_CLASS, "fast", "14.46", "15.00", {"24.97", "6.25", "-------"}},
		{CRED_CLASS, "batch", "85.54", "60.00*", {"75.03", "93.75", "100.00"}},
	};
	static const char *const total_hours[] = {"27.8", "22.2", "55.6"};
	struct fsfile file[COUNT(case_02_files)];
	struct site *s = case_02_site(file);

	(void)state;
	for (size_t i = 0; i < COUNT(row); i++)
		assert_share(s, &row[i], 3);
	for (int i = 0; i < 3; i++)
		assert_printed("%.1f", (double)s->f.total[i] / (double)(FS_UNIT * HOUR), total_hours[i]);
	free_site(s);
	for (size_t i = 0; i < COUNT(file); i++)
		fsfile_clear(&file[i]);
}

/* The original truncates factors to five characters, and rounds the priority. */
static void case_02_factors_equal_those_of_diagnose_p(void **state)
{
	static const struct {
		const char *cred[CRED_TYPE_COUNT];
		int64_t priority;
		const char *factor[CRED_TYPE_COUNT];
	} row[] = {
		{{"bob", "other", "chem", "hi", "fast"}, 249, {"32.1", "284.4", "-69.4", "0.0", "1.6"}},
		{{"carl", "other", "chem", NULL, "batch"}, -54, {"-192.", "284.4", "-69.4", "0.0", "-76.6"}},
		{{"bob", "staff", "phys", NULL, "batch"}, -341, {"32.1", "-283.", "-12.5", "0.0", "-76.6"}},
		{{"carl", "staff", "phys", NULL, "batch"}, -565, {"-192.", "-283.", "-12.5", "0.0", "-76.6"}},
		{{"amy", "other", "chem", "hi", "batch"}, -690, {"-828.", "284.4", "-69.4", "0.0", "-76.6"}},
		{{"amy", "staff", "phys", NULL, "fast"}, -1122, {"-828.", "-283.", "-12.5", "0.0", "1.6"}},
	};
	static const double weight[CRED_TYPE_COUNT] = {10, 4, 2, 5, 1};
	struct fsfile file[COUNT(case_02_files)];
	struct site *s = case_02_site(file);
	struct prio_weights *w = &s->policy.weights;

	(void)state;
	s->policy.allow_negative = true;
	w->factor[PRIO_SERV_QUEUETIME] = 0;
	w->component[PRIO_FS] = 3;
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		w->factor[PRIO_FS_USER + type] = weight[type];
	for (size_t i = 0; i < COUNT(row); i++) {
		const struct prio_world world = {.now_s = s->now_s, .procs = 1};
		struct prio_creds creds = {.priority = {0}};
		struct job *job = add_job(s, 1, HOUR);
		struct prio_result out;
		double value[PRIO_FACTOR_COUNT];
		char text[6];

		set_credentials(s, job, row[i].cred);
		fairshare_deltas(built(s), job, creds.fs_delta);
		priority_measure(job, &creds, &world, value);
		priority_weigh(&s->policy, w, &creds, job, value, &out);
		assert_int_equal(llround(out.sum), row[i].priority);
		for (int type = 0; type < CRED_TYPE_COUNT; type++) {
			double points = w->component[PRIO_FS] * out.weighted[PRIO_FS_USER + type];

			snprintf(text, sizeof text, "%.1f", points); /* truncated on purpose */
			assert_string_equal(text, row[i].factor[type]);
		}
	}
	free_site(s);
	for (size_t i = 0; i < COUNT(file); i++)
		fsfile_clear(&file[i]);
}

static const char *const case_04_files[][2] = {
	{"FS.1699833600",
	 "# FS\nuser amy 20000.000\nuser bob 10000.000\nuser carl 40000.000\nuser dan 10000.000\n"
	 "TOTAL DEFAULT 80000.000000\n"},
	{"FS.1699920000",
	 "# FS\nuser amy 40000.000\nuser bob 30000.000\nuser carl 20000.000\nuser dan 10000.000\n"
	 "TOTAL DEFAULT 100000.000000\n"},
};

static struct site *case_04_site(struct fsfile file[static COUNT(case_04_files)])
{
	static const char *const blk[CRED_TYPE_COUNT] = {"zed", "g", NULL, NULL, "batch"};
	struct site *s = new_site(DAY, 2, 0.5);
	struct job *job = add_job(s, 1, 900000);

	for (size_t i = 0; i < COUNT(case_04_files); i++)
		load(s, case_04_files[i][0], case_04_files[i][1], &file[i]);
	set_target(s, CRED_USER, "amy", 50000, FS_CAP_ABSOLUTE);
	set_target(s, CRED_USER, "bob", 60000, FS_CAP_ABSOLUTE);
	set_target(s, CRED_USER, "carl", 25, FS_CAP_RELATIVE);
	set_target(s, CRED_USER, "dan", 50, FS_CAP_RELATIVE);
	set_credentials(s, job, blk);
	start_job(s, job, T0 + MINUTE);
	s->now_s = T0 + 2 * MINUTE;
	return s;
}

static void case_04_amy_and_carl_are_blocked_and_bob_and_dan_are_not(void **state)
{
	struct fsfile file[COUNT(case_04_files)];
	struct site *s = case_04_site(file);
	struct fs_cap cap;

	(void)state;
	for (int pass = 2; pass <= 4; pass++) {
		s->now_s = T0 + pass * MINUTE;
		assert_false(passes(s, "amy", HOUR, &cap));
		assert_false(passes(s, "carl", HOUR, &cap));
		assert_true(passes(s, "bob", HOUR, &cap));
		assert_true(passes(s, "dan", HOUR, &cap));
	}
	free_site(s);
	for (size_t i = 0; i < COUNT(file); i++)
		fsfile_clear(&file[i]);
}

/* The state at pass 4: jobs bob1, bob2 and dan1 have run since pass 2. */
static void case_04_shares_equal_those_of_diagnose_f(void **state)
{
	static const struct printed_share row[] = {
		{CRED_USER, "carl", "28.46", "25.00%", {"19.89", "50.00"}},
		{CRED_USER, "amy", "35.58", "50000.00^", {"39.79", "25.00"}},
		{CRED_USER, "bob", "25.07", "60000.00^", {"30.08", "12.50"}},
		{CRED_USER, "dan", "10.76", "50.00%", {"10.07", "12.50"}},
		{CRED_USER, "zed", "0.13", "0.00", {"0.18", "-------"}},
		{CRED_GROUP, "g", "0.38", "0.00", {"0.54", "-------"}},
		{CRED_CLASS, "batch", "0.38", "0.00", {"0.54", "-------"}},
	};
	static const char *const user[] = {"bob", "bob", "dan"};
	struct fsfile file[COUNT(case_04_files)];
	struct site *s = case_04_site(file);

	(void)state;
	for (size_t i = 0; i < COUNT(user); i++) {
		const char *const name[CRED_TYPE_COUNT] = {user[i], "g", NULL, NULL, "batch"};
		struct job *job = add_job(s, 1, HOUR);

		set_credentials(s, job, name);
		start_job(s, job, T0 + 2 * MINUTE);
	}
	s->now_s = T0 + 4 * MINUTE;
	for (size_t i = 0; i < COUNT(row); i++)
		assert_share(s, &row[i], 2);
	free_site(s);
	for (size_t i = 0; i < COUNT(file); i++)
		fsfile_clear(&file[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(case_02_shares_equal_those_of_diagnose_f),
		cmocka_unit_test(case_02_factors_equal_those_of_diagnose_p),
		cmocka_unit_test(case_04_amy_and_carl_are_blocked_and_bob_and_dan_are_not),
		cmocka_unit_test(case_04_shares_equal_those_of_diagnose_f),
	};

	return cmocka_run_group_tests_name("fairshare_cases", tests, NULL, NULL);
}
