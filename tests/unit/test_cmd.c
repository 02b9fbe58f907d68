/* SPDX-License-Identifier: MIT */
/*
 * test_cmd.c - does every door find the same verbs, options and refusals?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "small_state.h"
#include "tui/command/cmd.h"
#include "tui/command/complete.h"
#include "tui/console/console.h"

static void check_line(const char *line, enum cmd_status status, const char *sentence)
{
	struct cmd_changes changes = {0};
	struct str out = {0};
	struct cmd_env env = {.out = &out, .changes = &changes};

	assert_int_equal(cmd_run_line(&env, line), status);
	assert_string_equal(env.err.text, sentence);
	cmd_changes_clear(&changes);
	str_free(&out);
}

static void a_line_that_cannot_run_says_why(void **state)
{
	(void)state;
	check_line("", CMD_USAGE, "no verb was given; 'help' lists them");
	check_line("holt 1", CMD_USAGE,
		   "there is no verb 'holt'; did you mean 'hold'? 'kahu help' lists all");
	check_line("hold 'a", CMD_USAGE, "the quote ' is opened but not closed; close it");
	check_line("why", CMD_USAGE, "why: too few words; usage: why JOB");
	check_line("queue 1", CMD_USAGE, "queue takes no words, got 1; usage: queue");
	check_line("queue -x", CMD_USAGE, "queue has no option '-x'; 'kahu help queue' lists them");
	check_line("queue -u", CMD_USAGE, "queue: option -u needs USER behind it");
	check_line("hold 1 --dry-run=yes", CMD_USAGE, "hold: option --dry-run takes no value, got 'yes'");
	check_line("queue", CMD_REFUSED, "queue needs a store or a running scheduler");
	check_line("demo", CMD_REFUSED, "demo starts a session of its own; run 'kahu demo' in a shell");
}

static void the_table_is_well_formed(void **state)
{
	(void)state;
	for (size_t i = 0; i < cmd_all_count; i++) {
		const struct cmd *cmd = cmd_all[i];

		assert_non_null(cmd->args);
		assert_true(cmd->help[strlen(cmd->help) - 1] == '.');
		assert_true(cmd->max < 0 || cmd->min <= cmd->max);
		assert_ptr_equal(cmd_find(cmd->name, NULL), cmd);
		for (const struct cmd_option *o = cmd->options; o && o->name; o++)
			assert_true(o->name[0] == '-' && o->help);
	}
}

static void aliases_are_found_whole(void **state)
{
	struct err err;

	(void)state;
	assert_string_equal(cmd_find("showq", NULL)->name, "queue");
	assert_null(cmd_find("show", &err));
	assert_null(cmd_find("", &err));
	assert_null(cmd_find("showq ", &err));
}

static void help_works_without_a_state(void **state)
{
	struct str out = {0};
	struct cmd_env env = {.out = &out};

	(void)state;
	assert_int_equal(cmd_run_line(&env, "hold --help"), CMD_DONE);
	assert_non_null(strstr(str_text(&out), "usage: kahu hold [OPTION]... JOB..."));
	assert_non_null(strstr(str_text(&out), "--dry-run"));
	str_free(&out);
}

static void check_completed(const char *line, size_t expected_start, const char *expected)
{
	struct state *st = small_state();
	struct cmd_candidates found = {0};
	struct str text = {0};
	size_t start;

	cmd_complete(state_view(st), line, &console_verbs, &start, &found);
	for (size_t i = 0; i < found.count; i++)
		str_addf(&text, "%s ", found.text[i]);
	assert_string_equal(str_text(&text), expected);
	assert_int_equal(start, expected_start);
	candidates_clear(&found);
	str_free(&text);
	state_free(st);
}

static void the_last_word_is_completed(void **state)
{
	(void)state;
	check_completed("jo", 0, "job journal ");
	check_completed("hold ", 5, "1 2 3 fit ");
	check_completed("hold f", 5, "fit ");
	check_completed("hold -", 5, "--dry-run --reason -a -b -s -u -w ");
	check_completed("tune xfactorw", 5, "xfactorweight ");
	check_completed("tune user[u2].q", 5, "user[u2].qdef user[u2].qlist user[u2].qttarget ");
	check_completed("tune system.maxq", 5, "system.maxqueued ");
	check_completed("tune node[DEFAULT]", 5,
			"node[DEFAULT].drained node[DEFAULT].priority node[DEFAULT].priorityf ");
	check_completed("dem", 0, "");
	check_completed("nonsense x", 9, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_that_cannot_run_says_why),
		cmocka_unit_test(the_table_is_well_formed),
		cmocka_unit_test(aliases_are_found_whole),
		cmocka_unit_test(help_works_without_a_state),
		cmocka_unit_test(the_last_word_is_completed),
	};

	return cmocka_run_group_tests_name("cmd", tests, NULL, NULL);
}
