/* SPDX-License-Identifier: MIT */
/*
 * test_qsub_finish.c - defaults of job name, folder and output paths
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/base/vec.h"
#include "tests/asked.h"

static void the_default_name_is_that_of_the_script_or_command(void **state)
{
	struct submission s;

	(void)state;
	asked(&s, NULL, "");
	assert_string_equal(s.record.name, "work.sh");
	submission_free(&s);
	asked(&s, "ls\n", "");
	assert_string_equal(s.record.name, "job.sh");
	submission_free(&s);
	asked(&s, "#PBS -N a\n", "-N b");
	assert_string_equal(s.record.name, "b");
	submission_free(&s);
}

/* Expected paths of output and errors. `script` NULL: a command; `errors` NULL: joined with the output. */
struct paths {
	const char *script, *options, *output, *errors;
};

static const struct paths paths[] = {
	{NULL, "", "/home/eva/run/work.sh.o%j", "/home/eva/run/work.sh.e%j"},
	{NULL, "-N x", "/home/eva/run/x.o%j", "/home/eva/run/x.e%j"},
	{NULL, "-N a/b%c", "/home/eva/run/a_b%%c.o%j", "/home/eva/run/a_b%%c.e%j"},
	{NULL, "-t 1-3", "/home/eva/run/work.sh.o%j-%a", "/home/eva/run/work.sh.e%j-%a"},
	{NULL, "-d /tmp", "/tmp/work.sh.o%j", "/tmp/work.sh.e%j"},
	{NULL, "-w /tmp/", "/tmp/work.sh.o%j", "/tmp/work.sh.e%j"},
	{NULL, "-d sub", "/home/eva/run/sub/work.sh.o%j", "/home/eva/run/sub/work.sh.e%j"},
	{NULL, "-d 100%", "/home/eva/run/100%%/work.sh.o%j", "/home/eva/run/100%%/work.sh.e%j"},
	{NULL, "-o out -e /dev/null", "/home/eva/run/out", "/dev/null"},
	{NULL, "-o logs/ -e /tmp/", "/home/eva/run/logs/work.sh.o%j", "/tmp/work.sh.e%j"},
	{NULL, "-o %x-%j.%u%%", "/home/eva/run/work.sh-%j.%u%%", "/home/eva/run/work.sh.e%j"},
	{NULL, "-o %%x", "/home/eva/run/%%x", "/home/eva/run/work.sh.e%j"},
	{NULL, "-j oe", "/home/eva/run/work.sh.o%j", NULL},
	{NULL, "-j oe -o out -e err", "/home/eva/run/out", NULL},
	{NULL, "-j eo", "/home/eva/run/work.sh.e%j", NULL},
	{NULL, "-j eo -o out -e err", "/home/eva/run/err", NULL},
	{NULL, "-j oe -j n", "/home/eva/run/work.sh.o%j", "/home/eva/run/work.sh.e%j"},
	{"#SBATCH -o slurm-%j.out\n", "", "/home/eva/run/slurm-%j.out", NULL},
	{"#SBATCH -o %A_%a.out -e %x.err -J n\n", "", "/home/eva/run/%j_%a.out", "/home/eva/run/n.err"},
	{"#SBATCH -e err\n#SBATCH -o out\n", "", "/home/eva/run/out", "/home/eva/run/err"},
	{"#SBATCH -o out\n", "-e err", "/home/eva/run/out", "/home/eva/run/err"},
	{"#SBATCH -o out\n", "-j n", "/home/eva/run/out", "/home/eva/run/job.sh.e%j"},
	{"#SBATCH -D /tmp -o out\n", "-d /var", "/var/out", NULL},
};

static void relative_paths_begin_in_the_folder_of_the_job(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(paths); i++) {
		struct submission s;

		asked(&s, paths[i].script, paths[i].options);
		assert_text(s.launch.output, paths[i].output);
		assert_text(s.launch.errors, paths[i].errors);
		assert_int_equal((s.launch.flags & LAUNCH_JOIN) != 0, paths[i].errors == NULL);
		submission_free(&s);
	}
}

static void the_default_folder_is_the_current_one(void **state)
{
	static const struct {
		const char *options, *dir;
	} dirs[] = {{"", "/home/eva/run"}, {"-d sub/x", "/home/eva/run/sub/x"}, {"-w /tmp", "/tmp"}};
	struct submitter root = eva;
	struct submission s;

	(void)state;
	for (size_t i = 0; i < COUNT(dirs); i++) {
		asked(&s, NULL, dirs[i].options);
		assert_string_equal(s.launch.dir, dirs[i].dir);
		submission_free(&s);
	}
	root.dir = "/";
	s = (struct submission){.draft = {.dir = "tmp"}, .launch = {.command = {asked_command, 2}}};
	assert_true(qsub_finish(&s, &root, NULL));
	assert_string_equal(s.launch.dir, "/tmp");
	submission_free(&s);
}

static const struct asked_wrong wrong[] = {
	{"-o %N", "-o: unknown % sequence in /home/eva/run/%N; %j is the job, %a the task number in an "
		  "array, %u "
		  "the user, %% a percent sign"},
	{"-e 5%", "-e: unknown % sequence in /home/eva/run/5%; %j is the job, %a the task number in an "
		  "array, %u "
		  "the user, %% a percent sign"},
	{"-j eo -e %5y",
	 "-e: unknown % sequence in /home/eva/run/%y; %j is the job, %a the task number in an "
	 "array, %u the user, %% a percent sign"},
};

static void a_path_with_an_unknown_pattern_is_refused(void **state)
{
	(void)state;
	check_wrong_options(wrong, COUNT(wrong));
}

static void a_submission_without_a_command_is_refused(void **state)
{
	struct submission s = {.draft = {.name = "x"}};
	struct err err = {""};

	(void)state;
	assert_false(qsub_finish(&s, &eva, &err));
	assert_string_equal(err.text, "no command given; name a script, or write a command after --");
	s.draft.name = NULL;
	assert_false(qsub_finish(&s, &eva, &err));
	assert_string_equal(err.text, "no command given; name a script, or write a command after --");
	submission_free(&s);
}

static void an_unprintable_default_name_is_refused(void **state)
{
	static const char *const command[] = {"./a\tb", NULL};
	struct submission s = {.launch = {.command = {command, 1}}};
	struct err err = {""};

	(void)state;
	assert_false(qsub_finish(&s, &eva, &err));
	assert_string_equal(err.text,
			    "the job name (choose another one with -N): \"a?b\" contains unprintable "
			    "bytes; use letters, digits and punctuation");
	s.draft.name = "ab";
	assert_true(qsub_finish(&s, &eva, &err));
	submission_free(&s);
}

static void the_size_of_a_submission_is_limited(void **state)
{
	char *word = mem_zero(LAUNCH_NEW_MAX + 1, 1);
	const char *const command[] = {"x", word, NULL};
	struct submission s = {.launch = {.command = {command, 2}}};
	struct err err = {""};

	(void)state;
	memset(word, 'x', LAUNCH_NEW_MAX);
	assert_false(qsub_finish(&s, &eva, &err));
	assert_non_null(strstr(err.text, "script, command and environment have 1048"));
	s.launch.command.count = LAUNCH_WORDS_MAX + 1;
	assert_false(qsub_finish(&s, &eva, &err));
	assert_string_equal(err.text, "the command has too many words: at most 4096, got 4097");
	submission_free(&s);
	free(word);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_default_name_is_that_of_the_script_or_command),
		cmocka_unit_test(relative_paths_begin_in_the_folder_of_the_job),
		cmocka_unit_test(the_default_folder_is_the_current_one),
		cmocka_unit_test(a_path_with_an_unknown_pattern_is_refused),
		cmocka_unit_test(a_submission_without_a_command_is_refused),
		cmocka_unit_test(an_unprintable_default_name_is_refused),
		cmocka_unit_test(the_size_of_a_submission_is_limited),
	};

	return cmocka_run_group_tests_name("qsub_finish", tests, NULL, NULL);
}
