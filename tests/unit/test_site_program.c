/* SPDX-License-Identifier: MIT */
/*
 * test_site_program.c - answers of site programs
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sched/rm/site_program.h"
#include "tests/emulated.h"
#include "tests/store_dir.h"

static struct store_dir folder;
static const char *program;

static int make_folder(void **state)
{
	(void)state;
	make_store_dir(&folder);
	program = name_in(&folder, "program");
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	remove_store_dir(&folder);
	return 0;
}

static void write_program(const char *body)
{
	FILE *f = fopen(program, "w");

	assert_non_null(f);
	fprintf(f, "#!/bin/sh\n%s\n", body);
	fclose(f);
	assert_int_equal(chmod(program, 0700), 0);
}

static const char *const facts[] = {"KAHU_JOB=900991", "KAHU_TASKS=4", NULL};

/* Runs a program once; the caller clears the answer. */
static struct ask run_once(const char *body, const char *input, int64_t timeout_s)
{
	struct ask ask = {.environment = facts};

	write_program(body);
	str_add(&ask.input, input);
	ask_all(program, &ask, 1, timeout_s);
	return ask;
}

static void check_answer(const char *body, const char *input, const char *expected)
{
	struct ask ask = run_once(body, input, 60);

	if (!ask.answered)
		fail_msg("%s", ask.err.text);
	assert_string_equal(str_text(&ask.answer), expected);
	ask_clear(&ask);
}

static void check_no_answer(const char *body, int64_t timeout_s, const char *why)
{
	struct ask ask = run_once(body, "n1\n", timeout_s);

	assert_false(ask.answered);
	assert_string_equal(str_text(&ask.answer), "");
	assert_non_null(strstr(ask.err.text, program));
	assert_non_null(strstr(ask.err.text, why));
	ask_clear(&ask);
}

static void a_program_reads_its_input_and_its_environment(void **state)
{
	(void)state;
	check_answer("sort -r", "n001 8\nn002 8\n", "n002 8\nn001 8\n");
	check_answer("echo $KAHU_JOB $KAHU_TASKS", "", "900991 4\n");
}

static void nul_bytes_in_an_answer_become_blanks(void **state)
{
	(void)state;
	check_answer("printf '\\000n1\\000n2\\000'", "", " n1 n2 ");
}

static void the_environment_contains_nothing_else(void **state)
{
	(void)state;
	setenv("KAHU_SECRET", "x", 1);
	check_answer("env | grep -c KAHU_; echo $KAHU_SECRET; pwd; echo $LC_ALL", "", "2\n\n/\nC\n");
	unsetenv("KAHU_SECRET");
}

static void long_input_may_be_read_or_ignored(void **state)
{
	struct str input = {0};

	(void)state;
	for (int i = 0; i < 40000; i++)
		str_addf(&input, "n%06d 64 64\n", i);
	check_answer("echo n1", str_text(&input), "n1\n");
	check_answer("wc -l | tr -d ' '", str_text(&input), "40000\n");
	str_free(&input);
}

static void signals_have_their_defaults_in_the_program(void **state)
{
	sigset_t all, before;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	check_no_answer("kill -TERM $$; echo lives", 60, "was ended by signal 15");
	sigprocmask(SIG_SETMASK, &before, NULL);
	signal(SIGPIPE, SIG_DFL);
}

static void a_failed_program_has_no_answer(void **state)
{
	(void)state;
	check_no_answer("echo n1; exit 3", 60, "ended with status 3");
	check_no_answer("echo n1; kill -9 $$", 60, "was ended by signal 9");
}

static void a_missing_program_has_no_answer(void **state)
{
	struct ask ask = {.environment = facts};

	(void)state;
	if (is_emulated())
		skip();
	ask_all("/nonexistent/program", &ask, 1, 60);
	assert_false(ask.answered);
	assert_string_equal(ask.err.text,
			    "/nonexistent/program could not be started: No such file or directory");
	ask_clear(&ask);
}

static void an_overlong_answer_is_rejected(void **state)
{
	(void)state;
	check_no_answer("yes n1", 60, "printed an answer that is too long");
}

static int64_t monotonic_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Tells if any process has this text in its command line. */
static bool is_running(const char *word)
{
	DIR *proc = opendir("/proc");
	bool found = false;

	assert_non_null(proc);
	for (struct dirent *entry; !found && (entry = readdir(proc)) != NULL;) {
		char path[300], text[256] = "";
		FILE *f;

		snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
		f = fopen(path, "r");
		if (f == NULL)
			continue;
		for (size_t i = fread(text, 1, sizeof text - 1, f); i-- > 0;)
			if (text[i] == '\0')
				text[i] = ' ';
		found = strstr(text, word) != NULL;
		fclose(f);
	}
	closedir(proc);
	return found;
}

/* Runs three programs of which one is quick. Returns false if even that one exceeded the time, on a slow
 * machine.
 */
static bool one_of_three_answers(int64_t timeout_s)
{
	static const char *const input[3] = {"slow\n", "quick\n", "silent\n"};
	struct ask ask[3] = {{.environment = facts}, {.environment = facts}, {.environment = facts}};
	int64_t begun_ms = monotonic_ms();
	bool answered;

	for (int i = 0; i < 3; i++)
		str_add(&ask[i].input, input[i]);
	ask_all(program, ask, 3, timeout_s);
	assert_true(monotonic_ms() - begun_ms >= timeout_s * 1000);
	answered = ask[1].answered;
	assert_string_equal(str_text(&ask[1].answer), answered ? "quick\n" : "");
	assert_false(ask[0].answered || ask[2].answered);
	assert_non_null(strstr(ask[0].err.text, "did not answer in time"));
	assert_non_null(strstr(ask[2].err.text, "did not answer in time"));
	for (int i = 0; i < 3; i++)
		ask_clear(&ask[i]);
	return answered;
}

/* Late programs are killed with their children, and so are background processes of all programs. */
static void the_time_limit_applies_to_all_programs_together(void **state)
{
	char body[200], child_command[40];
	int64_t until_ms;

	(void)state;
	snprintf(child_command, sizeof child_command, "sleep 4242.%d",
		 (int)getpid()); /* not used by any other test */
	snprintf(body, sizeof body,
		 "read n; [ \"$n\" = quick ] && { echo $n; exit; }\n"
		 "[ \"$n\" = silent ] && exec >&-\n%s & %s",
		 child_command, child_command);
	write_program(body);
	assert_true(one_of_three_answers(1) || one_of_three_answers(20));
	until_ms = monotonic_ms() + 60000;
	while (is_running(child_command)) /* already killed, but possibly still exiting */
		assert_true(monotonic_ms() < until_ms);
}

static void a_nul_byte_does_not_truncate_an_answer(void **state)
{
	(void)state;
	check_answer("printf 'a\\000b\\n'", "", "a b\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_reads_its_input_and_its_environment),
		cmocka_unit_test(nul_bytes_in_an_answer_become_blanks),
		cmocka_unit_test(the_environment_contains_nothing_else),
		cmocka_unit_test(long_input_may_be_read_or_ignored),
		cmocka_unit_test(signals_have_their_defaults_in_the_program),
		cmocka_unit_test(a_failed_program_has_no_answer),
		cmocka_unit_test(a_missing_program_has_no_answer),
		cmocka_unit_test(an_overlong_answer_is_rejected),
		cmocka_unit_test(the_time_limit_applies_to_all_programs_together),
		cmocka_unit_test(a_nul_byte_does_not_truncate_an_answer),
	};

	return cmocka_run_group_tests_name("site_program", tests, make_folder, remove_folder);
}
