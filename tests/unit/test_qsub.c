/* SPDX-License-Identifier: MIT */
/*
 * test_qsub.c - options of qsub and their errors
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/asked.h"

static void names_and_credentials_are_read(void **state)
{
	struct submission s;

	(void)state;
	asked(&s, NULL, "-N 'a name' -A phys -q fast -l qos=hi,partition=p1");
	assert_string_equal(s.record.name, "a name");
	assert_string_equal(s.record.cred[CRED_ACCOUNT], "phys");
	assert_string_equal(s.record.cred[CRED_CLASS], "fast");
	assert_string_equal(s.record.cred[CRED_QOS], "hi");
	assert_string_equal(s.record.partition, "p1");
	assert_null(s.record.cred[CRED_USER]);
	submission_free(&s);
}

static void unspecified_values_have_their_defaults(void **state)
{
	struct submission s;

	(void)state;
	asked(&s, NULL, "");
	assert_int_equal(s.record.job.tasks, 1);
	assert_int_equal(s.record.job.task_procs, 1);
	assert_int_equal(s.record.job.nodes, 0);
	assert_int_equal(s.record.job.wall_limit_s, 0);
	assert_true(s.record.job.not_before_s == TIME_NONE);
	assert_int_equal(s.record.job.true_run_s, -1);
	assert_int_equal(s.record.job.submit_s, ASKED_NOW_S);
	assert_int_equal(s.record.job.base_holds, 0);
	assert_int_equal(s.record.job.adjust, JOB_ADJUST_NONE);
	assert_null(s.record.cred[CRED_QOS]);
	assert_null(s.record.features);
	assert_null(s.depend);
	assert_null(s.mail);
	assert_int_equal(s.launch.flags, 0);
	assert_null(s.launch.shell);
	assert_int_equal(qsub_tasks(&s), 1);
	submission_free(&s);
}

static void option_letters_may_be_combined_and_followed_by_their_values(void **state)
{
	struct submission s;

	(void)state;
	asked(&s, NULL, "-hzNlong -lwalltime=90s -p-5");
	assert_true(s.hold);
	assert_int_equal(s.record.job.base_holds, JOB_HOLD_USER);
	assert_true(s.terse);
	assert_string_equal(s.record.name, "long");
	assert_int_equal(s.record.job.wall_limit_s, 90);
	assert_int_equal(s.record.job.base_points, -5);
	submission_free(&s);
}

static void operands_begin_after_the_options(void **state)
{
	static const struct {
		const char *word[5];
		int count, rest;
	} lines[] = {
		{{"submit", "-h", "job.sh"}, 3, 2},
		{{"submit", "-N", "x", "--", "-h"}, 5, 4},
		{{"submit", "-h", "-"}, 3, 2},
		{{"submit", "job.sh", "-h"}, 3, 1},
		{{"submit"}, 1, 1},
		{{"submit", "--"}, 2, 2},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++) {
		struct submission s = {.throttle = 0};
		int rest;

		assert_true(qsub_read_options(&s, &eva, lines[i].count, lines[i].word, &rest, NULL));
		assert_int_equal(rest, lines[i].rest);
		submission_free(&s);
	}
}

static void mail_events_are_written_as_letters(void **state)
{
	static const struct {
		const char *options, *mail;
	} mails[] = {{"-m abe", "bea"}, {"-m e", "e"}, {"-m aa", "a"}, {"-m n", NULL}, {"-m b -m n", NULL}};

	(void)state;
	for (size_t i = 0; i < COUNT(mails); i++) {
		struct submission s;

		asked(&s, NULL, mails[i].options);
		assert_text(s.mail, mails[i].mail);
		submission_free(&s);
	}
}

static void flags_are_kept_in_the_launch(void **state)
{
	struct submission s;

	(void)state;
	asked(&s, NULL, "-r y -S /bin/dash -M eva@host,ops@host -W umask=077");
	assert_int_equal(s.launch.flags, LAUNCH_REQUEUE);
	assert_string_equal(s.launch.shell, "/bin/dash");
	assert_string_equal(s.mail_to, "eva@host,ops@host");
	assert_int_equal(s.launch.umask, 077);
	submission_free(&s);
	asked(&s, NULL, "-r y -r n");
	assert_int_equal(s.launch.flags, 0);
	assert_int_equal(s.launch.umask, 027);
	submission_free(&s);
}

static void values_of_attributes_may_contain_commas(void **state)
{
	struct submission s;

	(void)state;
	asked(&s, NULL,
	      "-W depend=afterok:12:13,afterany:14,umask=22,x='PREF:FAST;TPN:2;HOSTLIST:n1,n2' -l procs=4");
	assert_string_equal(s.depend, "afterok:12:13,afterany:14");
	assert_int_equal(s.launch.umask, 022);
	assert_string_equal(s.record.prefer, "FAST");
	assert_int_equal(s.record.job.tasks_per_node, 2);
	assert_string_equal(s.record.hosts, "n1 n2");
	submission_free(&s);
}

static const struct asked_wrong wrong[] = {
	{"-Q x", "unknown option -Q; options are -A, -a, -b, -C, -c, -d, -e, -E, -F, -f, -h, -I, -J, -j, "
		 "-K, -k, -l, -M, -m, -N, -n, -o, -P, -p, -q, -R, -r, -S, -t, -u, -V, -v, -W, -w, -X, -z"},
	{"--arra", "--array needs a value: RANGES[%N]"},
	{"--nothing=10", "\"--nothing=10\" is not an option; 'kahu submit --help' lists options"},
	{"-N", "-N needs a value: NAME"},
	{"-h -I", "-I: not supported in a script; use 'kahu run --pty -- bash'"},
	{"-N ''", "-N: the value is empty"},
	{"-N 'a\033[2Jb'", "-N: \"a?[2Jb\" contains unprintable bytes; use letters, digits and punctuation"},
	{"-N 'a\xc2\x9b"
	 "b'",
	 "-N: \"a??b\" contains unprintable bytes; use letters, digits and punctuation"},
	{"-N 01234567890123456789012345678901234567890123456789012345678901234",
	 "-N: \"01234567890123456789...\" is longer than 64 bytes"},
	{"-A 'two words'", "-A: not a valid name: \"two words\"; use letters, digits and _-.+@%/:"},
	{"-A 'DEFAULT].maxjob'",
	 "-A: not a valid name: \"DEFAULT].maxjob\"; use letters, digits and _-.+@%/:"},
	{"-A -h", "-A: not a valid name: \"-h\"; use letters, digits and _-.+@%/:"},
	{"-q ''", "-q: the value is empty"},
	{"-p 1024", "-p: \"1024\" is not a whole number from -1024 to 1023"},
	{"-p high", "-p: \"high\" is not a whole number from -1024 to 1023"},
	{"-j both", "-j: must be oe (standard error joins standard output), eo (the reverse) or n (neither), "
		    "got \"both\""},
	{"-m ax", "-m: must be b (begin), e (end), a (abort) or n (never), got \"ax\""},
	{"-r maybe", "-r: must be y or n, got \"maybe\""},
	{"-S bash", "-S: \"bash\" must be the absolute path of a shell, such as /bin/sh"},
	{"-o '$NOTHING/x'", "-o: \"$NOTHING/x\": this variable is unknown at submission; write the path, "
			    "with %j for the job and %u "
			    "for the user"},
	{"-d ''", "-d: the value is empty"},
	{"-W umask=888", "-W: umask: \"888\" is not an octal number from 0 to 777, such as 027"},
	{"-W umask=7777", "-W: umask: \"7777\" is not an octal number from 0 to 777, such as 027"},
	{"-W stagein=a", "-W: unknown attribute stagein; attributes are depend=, umask= and x="},
	{"-W depend", "-W: \"depend\" is not NAME=VALUE"},
	{"-W depend=before:12", "-W: depend: \"before:12\" is not a list of dependencies; write "
				"afterok:12,afterany:13, or afterok:14[] for "
				"all tasks of an array (after, afterany, "
				"afterok and afternotok)"},
	{"-W depend=", "-W: depend: no job given"},
	{"-W depend=afterok:12+",
	 "-W: depend: \"afterok:12+\": delayed dependencies are not supported; remove '+' and '-'"},
};

static void unknown_options_and_invalid_values_are_refused(void **state)
{
	(void)state;
	check_wrong_options(wrong, COUNT(wrong));
}

static void the_option_list_contains_the_supported_options(void **state)
{
	struct str list = {0};

	(void)state;
	qsub_list_options(&list);
	for (const char *letter = "AadeIhJjlMmNopqrStVvWwz"; *letter; letter++) {
		char option[] = "  -A";

		option[3] = *letter;
		assert_non_null(strstr(str_text(&list), option));
	}
	assert_non_null(strstr(str_text(&list), "  -l walltime=DURATION\n"));
	assert_non_null(strstr(str_text(&list), "  -W depend="));
	str_free(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_credentials_are_read),
		cmocka_unit_test(unspecified_values_have_their_defaults),
		cmocka_unit_test(option_letters_may_be_combined_and_followed_by_their_values),
		cmocka_unit_test(operands_begin_after_the_options),
		cmocka_unit_test(mail_events_are_written_as_letters),
		cmocka_unit_test(flags_are_kept_in_the_launch),
		cmocka_unit_test(values_of_attributes_may_contain_commas),
		cmocka_unit_test(unknown_options_and_invalid_values_are_refused),
		cmocka_unit_test(the_option_list_contains_the_supported_options),
	};

	return cmocka_run_group_tests_name("qsub", tests, NULL, NULL);
}
