/* SPDX-License-Identifier: MIT */
/*
 * test_qsub_lines.c - option lines of a script: #PBS, #SBATCH and #MSUB
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/base/vec.h"
#include "tests/asked.h"

static void option_lines_of_a_script_are_recognized(void **state)
{
	static const struct {
		const char *script, *name;
	} scripts[] = {
		{"#!/bin/sh\n#PBS -N one\nls\n", "one"},
		{"#PBS -N one\n", "one"},
		{"#PBS -N one", "one"},
		{"#PBS -N one\r\nls\r\n", "one"},
		{"  #PBS\t-N one\n", "one"},
		{"#PBS-N one\n", "one"},
		{"#PBS -h -N one -z\n", "one"},
		{"#PBS -N 'one two'\n", "one two"},
		{"#PBS -N \"one two\"\n", "one two"},
		{"#PBS -N one\\ two\n", "one two"},
		{"#PBS -N one # of several\n", "one"},
		{"#PBS -N one#two\n", "one#two"},
		{"#PBS -N '#one'\n", "#one"},
		{"#!/bin/sh\n\n# a comment\n   # another\n\t\n#PBS -N one\n", "one"},
		{"#PBS\n#SBATCH\n#PBS -N one\n", "one"},
		{"#SBATCH -J one\n", "one"},
		{"#SBATCH -Jone\n", "one"},
		{"#SBATCH --job-name=one\n", "one"},
		{"#SBATCH --job-name one --hold\n", "one"},
		{"#SBATCH --job-name='one two'#three\n", "one two"},
		{"#SBATCH --job-name=one\\#two\n", "one#two"},
		{"#SBATCH --JOB-NAME=one\n", "one"},
		{"#PBS -N one\n#SBATCH -J two\n", "two"},
		/* ordinary comments, and lines after the first command, contain no options */
		{"ls\n#PBS -N one\n", "job.sh"},
		{"#!/bin/sh\nls\n#SBATCH -J one\n", "job.sh"},
		{" #SBATCH -J one\nls\n", "job.sh"},
		{"##PBS -N one\n", "job.sh"},
		{"# PBS -N one\n", "job.sh"},
		{"#pbs -N one\n", "job.sh"},
		{"#PBSX -N one\n", "job.sh"},
		{"#SBATCHES -J one\n", "job.sh"},
		{"#PBS # -N one\n", "job.sh"},
		{"#MSUB -N one\n", "one"},
		{"#MSUBS -N one\n", "job.sh"},
		{"#SBATCH --comment=my own words -J one\n", "one"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(scripts); i++) {
		struct submission s;

		asked(&s, scripts[i].script, "");
		if (strcmp(s.record.name, scripts[i].name) != 0)
			fail_msg("%s: %s, not %s", scripts[i].script, s.record.name, scripts[i].name);
		submission_free(&s);
	}
}

static void the_script_is_stored_unchanged_with_its_nul_bytes(void **state)
{
	static const char script[] = "#!/bin/sh\n#PBS -h\nprintf 'a\0b'\n#PBS -Q\n";
	struct submission s = {.throttle = 0};

	(void)state;
	assert_true(qsub_read_script(&s, &eva, "job.sh", script, sizeof script, NULL));
	assert_true(qsub_finish(&s, &eva, NULL));
	assert_int_equal(s.launch.script_size, sizeof script);
	assert_memory_equal(s.launch.script, script, sizeof script);
	assert_true(s.launch.script != script);
	assert_true(s.hold);
	submission_free(&s);
}

static void a_nul_byte_in_an_option_line_is_refused(void **state)
{
	static const char script[] = "#PBS -N a\0b\n";
	struct submission s = {.throttle = 0};
	struct err err = {""};

	(void)state;
	assert_false(qsub_read_script(&s, &eva, "job.sh", script, sizeof script - 1, &err));
	assert_string_equal(err.text, "job.sh:1: #PBS: contains a NUL byte");
	submission_free(&s);
}

static void the_size_of_a_script_is_limited(void **state)
{
	struct submission s = {.throttle = 0};
	struct err err = {""};
	char *script = mem_zero(LAUNCH_NEW_SCRIPT_MAX + 1, 1);

	(void)state;
	memset(script, '#', LAUNCH_NEW_SCRIPT_MAX + 1);
	assert_true(qsub_read_script(&s, &eva, "job.sh", script, LAUNCH_NEW_SCRIPT_MAX, &err));
	submission_free(&s);
	assert_false(qsub_read_script(&s, &eva, "job.sh", script, LAUNCH_NEW_SCRIPT_MAX + 1, &err));
	assert_string_equal(
		err.text,
		"job.sh: the script has 524289 bytes; the maximum is 524288; put data into separate files");
	submission_free(&s);
	assert_false(qsub_read_script(&s, &eva, "job.sh", "", 0, &err));
	assert_string_equal(err.text, "job.sh: the script is empty");
	submission_free(&s);
	free(script);
}

static void options_of_sbatch_are_read(void **state)
{
	struct submission s;

	(void)state;
	asked(&s,
	      "#SBATCH -A phys -p fast -q hi -D /tmp -d afterok:12 -H --requeue\n"
	      "#SBATCH --mail-type=END,begin --mail-user=eva@host --exclusive\n",
	      "");
	assert_string_equal(s.record.cred[CRED_ACCOUNT], "phys");
	assert_string_equal(s.record.cred[CRED_CLASS], "fast");
	assert_string_equal(s.record.cred[CRED_QOS], "hi");
	assert_string_equal(s.launch.dir, "/tmp");
	assert_string_equal(s.depend, "afterok:12");
	assert_int_equal(s.record.job.base_holds, JOB_HOLD_USER);
	assert_int_equal(s.launch.flags & LAUNCH_REQUEUE, LAUNCH_REQUEUE);
	assert_string_equal(s.mail, "be");
	assert_string_equal(s.mail_to, "eva@host");
	assert_int_equal(s.record.job.access, ACCESS_SINGLEJOB);
	submission_free(&s);
	asked(&s, "#SBATCH --requeue --no-requeue --exclusive=user --mail-type=ALL\n", "");
	assert_int_equal(s.launch.flags, 0);
	assert_int_equal(s.record.job.access, ACCESS_SINGLEUSER);
	assert_string_equal(s.mail, "bea");
	submission_free(&s);
	asked(&s, "#SBATCH --mail-type=FAIL\n#SBATCH --mail-type=NONE\n", "");
	assert_null(s.mail);
	submission_free(&s);
}

#define SBATCH "jobs/job.sh:2: #SBATCH: "

static const struct asked_wrong wrong[] = {
	{"#PBS -Q x", "jobs/job.sh:2: #PBS: unknown option -Q; options are -A, -a, -b, -C, -c, -d, -e, -E, "
		      "-F, -f, -h, -I, -J, -j, -K, -k, -l, -M, -m, -N, -n, -o, -P, -p, -q, -R, -r, -S, -t, "
		      "-u, -V, -v, -W, -w, -X, -z"},
	{"#PBS job.sh", "jobs/job.sh:2: #PBS: \"job.sh\" is not an option"},
	{"#PBS -h -- x", "jobs/job.sh:2: #PBS: \"x\" is not an option"},
	{"#PBS -N", "jobs/job.sh:2: #PBS: -N needs a value: NAME"},
	{"#PBS -N 'one", "jobs/job.sh:2: #PBS: the quote ' is opened but not closed; close it"},
	{"#PBS -h \\", "jobs/job.sh:2: #PBS: \"\\\" is not an option"},
	{"#SBATCH --nicer=5", SBATCH "\"--nicer=5\" is not an option; 'kahu submit --help' lists options"},
	{"#SBATCH --nice=much", SBATCH "--nice: \"much\" is not a whole number"},
	{"#SBATCH --signal=MAYBE", SBATCH "--signal: \"MAYBE\" is not a signal; write USR1@120 or B:TERM@60"},
	{"#SBATCH --wrap=true",
	 SBATCH "--wrap: allowed only on the command line; in a script, the script itself is run"},
	{"#SBATCH --hold=yes", SBATCH "--hold takes no value, got \"yes\""},
	{"#SBATCH -Hn4", SBATCH "--hold takes no value, got \"n4\""},
	{"#SBATCH --time", SBATCH "--time needs a value: TIME"},
	{"#SBATCH -n", SBATCH "--ntasks needs a value: N"},
	{"#SBATCH -n=4", SBATCH "--ntasks: \"=4\" is not a whole number from 1 to 2147483647"},
	{"#SBATCH -N 4-2",
	 SBATCH "--nodes: \"4-2\": the range is descending; write the smaller number first"},
	{"#SBATCH -c 0", SBATCH "--cpus-per-task: \"0\" is not a whole number from 1 to 2147483647"},
	{"#SBATCH --ntasks-per-node=x",
	 SBATCH "--ntasks-per-node: \"x\" is not a whole number from 1 to 2147483647"},
	{"#SBATCH -n 2 -n 4", SBATCH "--ntasks: tasks: 4 is requested here, but 2 before; request it once"},
	{"#SBATCH -w n[1-3]", SBATCH "--nodelist: \"n[1-3]\": write node names separated by commas"},
	{"#SBATCH -N 3 -w n1,n2",
	 SBATCH "--nodelist: nodes: 2 is requested here, but 3 before; request it once"},
	{"#SBATCH -C 'fast|big'", SBATCH "--constraint: \"fast|big\": alternative features are not "
					 "supported; write the features that the job needs as a&b"},
	{"#SBATCH --exclusive=all", SBATCH "--exclusive: \"all\": write --exclusive or --exclusive=user"},
	{"#SBATCH --mem=4GG", SBATCH "--mem: \"4GG\" is not a memory size; write 512, 512M, 4G or 1T"},
	{"#SBATCH --mem-per-cpu=x",
	 SBATCH "--mem-per-cpu: \"x\" is not a memory size; write 512, 512M, 4G or 1T"},
	{"#SBATCH --mem=9999999999999999999K", SBATCH "--mem: \"9999999999999999999K\" is too much memory"},
	{"#SBATCH --gpus=a100:x", SBATCH "--gpus: \"x\" is not a whole number from 1 to 2147483647"},
	{"#SBATCH --gpus-per-node=0",
	 SBATCH "--gpus-per-node: \"0\" is not a whole number from 1 to 2147483647"},
	{"#SBATCH --gpus-per-task=0",
	 SBATCH "--gpus-per-task: \"0\" is not a whole number from 1 to 2147483647"},
	{"#SBATCH --mail-type=END,SOMETIMES",
	 SBATCH "--mail-type: unknown mail type \"SOMETIMES\"; types are BEGIN, END, FAIL, ALL and NONE"},
	{"#SBATCH -d afterok:12?afterok:13",
	 SBATCH "--dependency: \"afterok:12?afterok:13\": alternative dependencies are not supported; "
		"replace '?' with a comma"},
	{"#SBATCH job.sh", SBATCH "\"job.sh\" is not an option; 'kahu submit --help' lists options"},
};

static void an_invalid_option_is_refused_with_its_line_number(void **state)
{
	(void)state;
	check_wrong_lines(wrong, COUNT(wrong));
}

static void the_sbatch_option_list_contains_common_options(void **state)
{
	struct str list = {0};

	(void)state;
	qsub_list_sbatch(&list);
	assert_non_null(strstr(str_text(&list), "  -n, --ntasks=N\n"));
	assert_non_null(strstr(str_text(&list), "  --mem=SIZE\n"));
	assert_non_null(strstr(str_text(&list), "  -H, --hold\n"));
	assert_non_null(strstr(str_text(&list), "  --exclusive[=user]\n"));
	str_free(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(option_lines_of_a_script_are_recognized),
		cmocka_unit_test(the_script_is_stored_unchanged_with_its_nul_bytes),
		cmocka_unit_test(a_nul_byte_in_an_option_line_is_refused),
		cmocka_unit_test(the_size_of_a_script_is_limited),
		cmocka_unit_test(options_of_sbatch_are_read),
		cmocka_unit_test(an_invalid_option_is_refused_with_its_line_number),
		cmocka_unit_test(the_sbatch_option_list_contains_common_options),
	};

	return cmocka_run_group_tests_name("qsub_lines", tests, NULL, NULL);
}
