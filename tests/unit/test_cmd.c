/* SPDX-License-Identifier: MIT */
/* test_cmd.c - unit tests of running verbs: options, arguments, errors, completion and --at */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/rm/wallclock.h"
#include "sched/state/state.h"
#include "small_state.h"
#include "tui/command/at.h"
#include "tui/command/cmd_list.h"
#include "tui/command/complete.h"
#include "tui/console/console.h"

/* --- command lines -------------------------------------------------------------------------------- */

static void check_line(const char *line, enum cmd_status status, const char *sentence)
{
	struct cmd_changes changes = {0};
	struct str out = {0};
	struct cmd_env env = {.verbs = &cmd_verbs, .out = &out, .changes = &changes};

	assert_int_equal(cmd_run_line(&env, line), status);
	assert_string_equal(env.err.text, sentence);
	cmd_changes_clear(&changes);
	str_free(&out);
}

static void a_line_that_cannot_run_gives_an_error(void **state)
{
	(void)state;
	check_line("", CMD_USAGE, "no verb given; 'help' lists all verbs");
	check_line("holt 1", CMD_USAGE,
		   "unknown verb 'holt'; did you mean 'hold'? 'kahu help' lists all verbs");
	check_line("hold 'a", CMD_USAGE, "the quote ' is opened but not closed; close it");
	check_line("why", CMD_USAGE, "why: too few arguments; usage: why JOB");
	check_line("queue 1", CMD_USAGE, "queue takes no arguments, got 1; usage: queue");
	check_line("queue -x", CMD_USAGE, "queue has no option '-x'; 'kahu help queue' lists its options");
	check_line("queue -u", CMD_USAGE, "queue: option -u needs a value: USER");
	check_line("hold 1 --dry-run=yes", CMD_USAGE, "hold: option --dry-run takes no value, got 'yes'");
	check_line("queue", CMD_REFUSED, "queue needs a store or a running scheduler");
	check_line("demo", CMD_REFUSED, "demo starts a separate session; run 'kahu demo' in a shell");
}

static void the_table_is_well_formed(void **state)
{
	(void)state;
	for (size_t i = 0; i < cmd_verbs.count; i++) {
		const struct cmd *cmd = cmd_verbs.item[i];

		assert_non_null(cmd->args);
		assert_true(cmd->help[strlen(cmd->help) - 1] == '.');
		assert_true(cmd->max < 0 || cmd->min <= cmd->max);
		assert_ptr_equal(cmd_find(&cmd_verbs, cmd->name, NULL), cmd);
		for (const struct cmd_option *o = cmd->options; o && o->name; o++)
			assert_true(o->name[0] == '-' && o->help);
	}
}

static void aliases_are_not_abbreviated(void **state)
{
	struct err err;

	(void)state;
	assert_string_equal(cmd_find(&cmd_verbs, "showq", NULL)->name, "queue");
	assert_null(cmd_find(&cmd_verbs, "show", &err));
	assert_null(cmd_find(&cmd_verbs, "", &err));
	assert_null(cmd_find(&cmd_verbs, "showq ", &err));
}

static void help_works_without_a_state(void **state)
{
	struct str out = {0};
	struct cmd_env env = {.verbs = &cmd_verbs, .out = &out};

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

	cmd_complete(&cmd_verbs, state_view(st), line, &console_verbs, &start, &found);
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

/* --- options -------------------------------------------------------------------------------------- */

static void options_are_distinguished_from_arguments(void **state)
{
	const struct cmd_option options[] = {{"-n", "N", ""}, {"--set", "X", ""}, {0}};
	const struct cmd cmd = {.name = "look", .options = options};
	const char *value;

	(void)state;
	assert_string_equal(cmd_find_option(&cmd, "-n", &value)->name, "-n");
	assert_null(value);
	assert_string_equal(cmd_find_option(&cmd, "--set=5", &value)->name, "--set");
	assert_string_equal(value, "5");
	assert_null(cmd_find_option(&cmd, "--se", &value));
	assert_null(cmd_find_option(&cmd, "-n5", &value));
	assert_null(cmd_find_option(&cmd, "--dry-run", &value));
	assert_true(cmd_is_option("-n") && cmd_is_option("--"));
	assert_false(cmd_is_option("-") || cmd_is_option("-5") || cmd_is_option("-.5") || cmd_is_option("n"));
}

/* A verb with one option that takes a value and one that does not. */
static const struct cmd look = {
	.name = "look",
	.options = (const struct cmd_option[]){{"-n", "N", ""}, {"--long", NULL, ""}, {0}},
};

#define WORDS 16

/* Splits a line into options and arguments; the caller frees *argv. */
static bool read_line(struct cmd_env *env, const char *line, char *words[static WORDS], int *count,
		      char ***argv)
{
	int given;

	*argv = cmd_split(line, &given, &env->err);
	assert_non_null(*argv);
	assert_true(given < WORDS);
	return cmd_take_words(env, &look, given, *argv, words, count);
}

static void options_are_accepted_anywhere_before_two_dashes(void **state)
{
	struct cmd_env env = {.now_s = 0};
	char *words[WORDS], **argv;
	int count;

	(void)state;
	assert_true(read_line(&env, "look a -n 3 b --long -n 4 -- -n", words, &count, &argv));
	assert_int_equal(count, 4);
	assert_string_equal(words[1], "a");
	assert_string_equal(words[2], "b");
	assert_string_equal(words[3], "-n");
	assert_null(words[4]);
	assert_string_equal(cmd_option(&env, "-n"), "4");
	assert_string_equal(cmd_option_at(&env, "-n", 0), "3");
	assert_string_equal(cmd_option_at(&env, "-n", 1), "4");
	assert_null(cmd_option_at(&env, "-n", 2));
	assert_string_equal(cmd_option(&env, "--long"), "");
	assert_null(cmd_option(&env, "--short"));
	free(env.given);
	free(argv);
}

static void check_refused(const char *line, const char *sentence)
{
	struct cmd_env env = {.now_s = 0};
	char *words[WORDS], **argv;
	int count;

	assert_false(read_line(&env, line, words, &count, &argv));
	assert_string_equal(env.err.text, sentence);
	free(env.given);
	free(argv);
}

static void an_unknown_option_or_a_wrong_value_is_refused(void **state)
{
	(void)state;
	check_refused("look --wide", "look has no option '--wide'; 'kahu help look' lists its options");
	check_refused("look --long=3", "look: option --long takes no value, got '3'");
	check_refused("look a -n", "look: option -n needs a value: N");
}

static void a_whole_number_is_within_its_range(void **state)
{
	struct cmd_given given = {.name = "-n", .value = "12"};
	struct cmd_env env = {.given = &given, .given_count = 1};
	int64_t value;

	(void)state;
	assert_true(cmd_option_whole(&env, "-n", 1, 12, 5, &value));
	assert_int_equal(value, 12);
	assert_true(cmd_option_whole(&env, "-m", 1, 12, 5, &value));
	assert_int_equal(value, 5);
	assert_false(cmd_option_whole(&env, "-n", 1, 11, 5, &value));
	assert_string_equal(env.err.text, "-n takes a whole number from 1 to 11, got '12'");
	given.value = "1x";
	assert_false(cmd_option_whole(&env, "-n", 1, 11, 5, &value));
}

/* --- --at ----------------------------------------------------------------------------------------- */

#define T0 INT64_C(1774368000) /* 2026-03-24 16:00:00 UTC */

#define NOW (T0 + 3 * 86400 + 1800)

static struct store *store;

/* Two entries, a day apart. */
static int setup_store(void **state)
{
	struct state *st = state_new();
	struct event ev[2] = {{.kind = EVENT_SIM, .time_s = T0, .who = "sched"},
			      {.kind = EVENT_SIM, .time_s = T0 + 86400, .who = "sched"}};
	struct ledger_step step = {.event = ev, .event_count = 2};
	struct ledger ledger;
	bool good = true;

	(void)state;
	store = store_open(NULL, STORE_TEMP, NULL);
	ledger = store_ledger(store);
	for (int i = 0; i < 2; i++)
		good = event_apply(st, &ev[i], NULL) && good;
	step.after = state_view(st);
	good = good && ledger.ops->commit(ledger.self, &step, NULL);
	state_free(st);
	return good ? 0 : -1;
}

static int teardown_store(void **state)
{
	(void)state;
	store_close(store);
	return 0;
}

static void a_past_time_is_parsed(void **state)
{
	static const struct {
		const char *text;
		int64_t time_s;
		uint64_t seq;
	} row[] = {
		{"1", T0, 1},
		{"2", T0 + 86400, 2},
		{"2026-03-24T16:00", T0, 1},
		{"2026-03-25T15:59:59", T0 + 86399, 1},
		{"2026-03-25T16:00:00", T0 + 86400, 2},
		{"-0", NOW, 2},
		{"-3d", NOW - 3 * 86400, 1},
		{"-48:30:00", T0 + 86400, 2},
		{"16:30", NOW, 2},                /* this second                  */
		{"16:29:59", NOW - 1, 2},         /* today (the last occurrence)                        */
		{"16:30:01", NOW + 1 - 86400, 2}, /* yesterday (the last occurrence) */
		{"00:00", NOW - 16 * 3600 - 1800, 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct store_moment m;
		struct err err;

		if (!at_moment(store, row[i].text, NOW, &m, &err))
			fail_msg("%s: %s", row[i].text, err.text);
		assert_int_equal(m.time_s, row[i].time_s);
		assert_int_equal(m.seq, row[i].seq);
	}
}

static void an_invalid_past_time_gives_an_error(void **state)
{
	static const struct {
		const char *text, *error;
	} row[] = {
		{"", "not a past time"},
		{"soon", "not a past time"},
		{"+1h", "is in the future"},
		{"+x", "not a past time"},
		{"2026-03-28T00:00", "is in the future"},
		{"-x", "x"},
		{"-4d", "is before the journal begins"},
		{"2020-01-01T00:00", "is before the journal begins (entry 1, 2026-03-24T16:00:00"},
		{"0", "journal entries are numbered from 1, got '0'"},
		{"3", "entry 3 has not been written yet"},
		{"99999999999999999999", "not a past time"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct store_moment m;
		struct err err = {""};

		assert_false(at_moment(store, row[i].text, NOW, &m, &err));
		if (!strstr(err.text, row[i].error))
			fail_msg("%s: \"%s\" does not say \"%s\"", row[i].text, err.text, row[i].error);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_that_cannot_run_gives_an_error),
		cmocka_unit_test(the_table_is_well_formed),
		cmocka_unit_test(aliases_are_not_abbreviated),
		cmocka_unit_test(help_works_without_a_state),
		cmocka_unit_test(the_last_word_is_completed),
		cmocka_unit_test(options_are_distinguished_from_arguments),
		cmocka_unit_test(options_are_accepted_anywhere_before_two_dashes),
		cmocka_unit_test(an_unknown_option_or_a_wrong_value_is_refused),
		cmocka_unit_test(a_whole_number_is_within_its_range),
		cmocka_unit_test_setup_teardown(a_past_time_is_parsed, setup_store, teardown_store),
		cmocka_unit_test_setup_teardown(an_invalid_past_time_gives_an_error, setup_store,
						teardown_store),
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests_name("cmd", tests, NULL, NULL);
}
