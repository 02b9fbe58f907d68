/* SPDX-License-Identifier: MIT */
/* test_config.c - parsing and rejection of configurations */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "config_row.h"
#include "sched/base/str.h"

/* --- table of options ----------------------------------------------------------------------------- */

static void P_07_every_factor_has_a_weight_and_a_cap(void **state)
{
	char name[64];

	(void)state;
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		const char *keyword = policy_factor_info(f)->keyword;

		snprintf(name, sizeof name, "%sweight", keyword);
		assert_int_equal(row_of("", name)->offset, offsetof(struct policy, weights.factor[f]));
		assert_int_equal(row_of("partition", name)->offset, offsetof(struct prio_weights, factor[f]));
		snprintf(name, sizeof name, "%scap", keyword);
		assert_int_equal(row_of("", name)->offset, offsetof(struct policy, weights.factor_cap[f]));
		assert_int_equal(row_of("partition", name)->offset,
				 offsetof(struct prio_weights, factor_cap[f]));
	}
}

static void P_07_every_component_has_a_weight_and_a_cap(void **state)
{
	static const char *const keyword[] = {"cred", "fs", "res", "service", "target", "usage"};
	char name[64];

	(void)state;
	for (unsigned c = 0; c < PRIO_COMPONENT_COUNT; c++) {
		snprintf(name, sizeof name, "%sweight", keyword[c]);
		assert_int_equal(row_of("", name)->offset, offsetof(struct policy, weights.component[c]));
		snprintf(name, sizeof name, "%scap", keyword[c]);
		assert_int_equal(row_of("", name)->offset, offsetof(struct policy, weights.component_cap[c]));
	}
}

static void weights_map_to_options_and_back(void **state)
{
	const struct config_weight xfactor = {FACTOR_WEIGHT, PRIO_SERV_XFACTOR};
	struct config_weight found = config_weight_of(row_of("partition", "xfactorweight"));

	(void)state;
	assert_int_equal(found.kind, FACTOR_WEIGHT);
	assert_int_equal(found.index, PRIO_SERV_XFACTOR);
	assert_string_equal(config_weight_name(xfactor), "xfactorweight");
	assert_string_equal(config_weight_name((struct config_weight){COMPONENT_CAP, PRIO_SERV}),
			    "servicecap");
	assert_int_equal(config_weight_of(row_of("", "reservationdepth")).kind, NO_WEIGHT);
	assert_int_equal(config_weight_of(row_of("user", "priority")).kind, NO_WEIGHT);
	assert_int_equal(config_weight_of(row_of("", "localnodeallocation")).kind, NO_WEIGHT);
}

static void every_option_can_be_described(void **state)
{
	(void)state;
	for (size_t i = 0; i < config_row_count; i++) {
		const struct option *row = &config_rows[i];
		struct option_value value;
		struct err err;

		assert_non_null(row->unit);
		assert_int_equal(row->help[strlen(row->help) - 1], '.');
		assert_ptr_equal(row_of(row->scope, row->name), row);
		if (row->fallback && !option_read(row, row->fallback, &value, &err))
			fail_msg("the default of %s: %s", row->name, err.text);
	}
}

/* --- the shipped configuration -------------------------------------------------------------------- */

static void shipped_configuration_equals_the_defaults(void **state)
{
	struct policy defaults, read;
	struct config_list list = {0};
	struct err err;

	(void)state;
	if (!config_list_read("defaults.conf", core_defaults_conf, strlen(core_defaults_conf), &list, &err))
		fail_msg("%s", err.text);
	policy_default(&defaults);
	read = defaults;
	memset(&read.weights, 0x7f, sizeof read.weights);
	read.reservation_depth[0] = read.default_wall_s = read.xfactor_min_wall_s = -1;
	read.accrual = read.backfill = read.reservation = 99;
	read.allow_negative = read.reject_negative = true;
	for (size_t i = 0; i < list.count; i++)
		config_store(&list.item[i].value, &read, NULL, NULL, NULL);
	config_list_free(&list);
	assert_memory_equal(&read, &defaults, sizeof read);
}

static void shipped_configuration_contains_every_option(void **state)
{
	(void)state;
	for (size_t i = 0; i < config_row_count; i++) {
		const struct option *row = &config_rows[i];

		if (strcmp(row->scope, "partition") != 0 && !strstr(core_defaults_conf, row->name))
			fail_msg("%s is missing", row->name);
		if (!strstr(core_defaults_conf, option_section_name(row->scope)))
			fail_msg("section %s is missing", row->scope);
	}
}

static void defaults_parse_by_their_rows(void **state)
{
	struct policy defaults;
	struct str text = {0};

	(void)state;
	policy_default(&defaults);
	for (size_t i = 0; i < config_row_count; i++) {
		if (*config_rows[i].scope != '\0')
			continue;
		str_clear(&text);
		config_print_value(&config_rows[i], &defaults, NULL, NULL, &text);
		assert_string_equal(str_text(&text), config_rows[i].fallback ? config_rows[i].fallback : "");
	}
	str_free(&text);
}

/* --- reading -------------------------------------------------------------------------------------- */

static bool into_policy(void *self, const struct config_value *value, struct err *err)
{
	(void)err;
	config_store(value, self, NULL, NULL, NULL);
	return true;
}

static bool read_policy(const char *text, struct policy *policy, struct err *err)
{
	policy_default(policy);
	return config_read("kahu.conf", text, strlen(text), into_policy, policy, err);
}

static void options_are_set(void **state)
{
	struct policy policy;
	struct err err = {""};

	(void)state;
	if (!read_policy("xfactorweight = 1000 # and a comment\n"
			 "XFactorCap = 0.5\n"
			 "queuetimeweight = -2.25\n"
			 "enablenegjobpriority = yes\n"
			 "rejectnegpriojobs = true\n"
			 "jobprioaccrualpolicy = FullPolicy\n"
			 "backfillpolicy = none\n"
			 "reservationpolicy = highest\n"
			 "reservationdepth = 10\n"
			 "xfminwclimit = 15m\n"
			 "systemdefaultjobwalltime = \"1:12:00:00\"\n",
			 &policy, &err))
		fail_msg("%s", err.text);
	assert_true(policy.weights.factor[PRIO_SERV_XFACTOR] == 1000);
	assert_true(policy.weights.factor_cap[PRIO_SERV_XFACTOR] == 0.5);
	assert_true(policy.weights.factor[PRIO_SERV_QUEUETIME] == -2.25);
	assert_true(policy.allow_negative && policy.reject_negative);
	assert_int_equal(policy.accrual, ACCRUAL_FULL);
	assert_int_equal(policy.backfill, BACKFILL_NONE);
	assert_int_equal(policy.reservation, RESERVE_HIGHEST);
	assert_int_equal(policy.reservation_depth[0], 10);
	assert_int_equal(policy.xfactor_min_wall_s, 900);
	assert_int_equal(policy.default_wall_s, 129600);
}

/* Values of one section of each kind. */
struct sections {
	struct cred_attr attr;
	struct prio_weights weights;
	struct config_node node;
	char titles[256];
};

static bool into_sections(void *self, const struct config_value *value, struct err *err)
{
	struct sections *s = self;
	size_t len = strlen(s->titles);

	(void)err;
	snprintf(s->titles + len, sizeof s->titles - len, "%s.%s ", value->title,
		 value->row ? value->row->name : value->value.text);
	config_store(value, NULL, &s->weights, &s->attr, &s->node);
	return true;
}

static void sections_are_set(void **state)
{
	const char *text = "user john { priority = -1000 xftarget = 10.5 }\n"
			   "qos hi { qtweight = 5000 xfweight = 100 qttarget = 4h }\n"
			   "partition p1 { queuetimeweight = 7 servicecap = 9 }\n"
			   "node n1 { procs = 64 memory = 2gb swap = 100 disk = 1tb }\n";
	struct sections s = {.node = {.mem_mb = -1, .swap_mb = -1, .disk_mb = -1}};
	struct err err = {""};

	(void)state;
	if (!config_read("kahu.conf", text, strlen(text), into_sections, &s, &err))
		fail_msg("%s", err.text);
	assert_true(s.attr.priority == -1000 && s.attr.xf_target == 10.5);
	assert_true(s.attr.qt_weight == 5000 && s.attr.xf_weight == 100);
	assert_int_equal(s.attr.qt_target_s, 14400);
	assert_true(s.weights.factor[PRIO_SERV_QUEUETIME] == 7 && s.weights.component_cap[PRIO_SERV] == 9);
	assert_int_equal(s.node.procs, 64);
	assert_int_equal(s.node.mem_mb, 2048);
	assert_int_equal(s.node.swap_mb, 100);
	assert_int_equal(s.node.disk_mb, 1 << 20);
	assert_string_equal(s.titles, "john.priority john.xftarget hi.qtweight hi.xfweight hi.qttarget "
				      "p1.queuetimeweight p1.servicecap n1.procs n1.memory n1.swap n1.disk ");
}

static void title_default_is_case_insensitive(void **state)
{
	const char *text = "user default { priority = 5 }\nnode Default { procs = 4 }\n";
	struct sections s = {.titles = ""};

	(void)state;
	assert_true(config_read("kahu.conf", text, strlen(text), into_sections, &s, NULL));
	assert_string_equal(s.titles, "DEFAULT.priority DEFAULT.procs ");
}

static void empty_section_is_a_value(void **state)
{
	const char *text = "node n1 { }\n";
	struct sections s = {.titles = ""};

	(void)state;
	assert_true(config_read("kahu.conf", text, strlen(text), into_sections, &s, NULL));
	assert_string_equal(s.titles, "n1.node ");
	assert_int_equal(s.node.procs, 0);
}

static bool count_values(void *self, const struct config_value *value, struct err *err)
{
	(void)value;
	(void)err;
	++*(int *)self;
	return true;
}

static void invalid_text_is_rejected_with_its_line(void **state)
{
	static const struct {
		const char *text, *error;
	} row[] = {
		{"xfactorweight = 5\nxfactorwieght = 1\n", "kahu.conf:2: "},
		{"xfactorweight = 5\nxfactorwieght = 1\n", "xfactorweight?"},
		{"fscap = 1\nxfactorcap = -3\n",
		 "kahu.conf:2: xfactorcap must be a number from 0 to 1e+18, got"},
		{"xfactorweight = nan\n", "kahu.conf:1: xfactorweight must be a number"},
		{"xfactorweight = 1e13\n", "kahu.conf:1: xfactorweight must be a number"},
		{"reservationdepth = 1.5\n", "kahu.conf:1: reservationdepth must be a whole number"},
		{"backfillpolicy = bestest\n",
		 "kahu.conf:1: backfillpolicy must be firstfit, none, bestfit or greedy, got \"bestest\""},
		{"userweight = 5\nuserweight = 6\n", "kahu.conf:2: "},
		{"userweight = 5+\n", "kahu.conf:1: "},
		{"userweight = 5\nuser john { priority = 5\n", "kahu.conf:"},
		{"qos hi {\n xftarget = 1\n}\n", "kahu.conf:2: xftarget must be a number from 1.001"},
		{"user john {\n qttarget = 0\n}\n", "kahu.conf:2: qttarget must be a duration from 0:00:01"},
		{"group staff { qttarget = 1h }\n", "kahu.conf:1: "},
		{"partition all { userweight = 1 }\n", "kahu.conf:1: partition ALL is the whole system"},
		{"node n1 { procs = 0 }\n", "kahu.conf:1: procs must be a whole number from 1 to 1000000"},
		{"user \"\" { priority = 1 }\n", "kahu.conf:1: "},
		{"user \"0123456789012345678901234567890123456789012345678901234567890123456789\" "
		 "{ priority = 1 }\n",
		 "kahu.conf:1: the name of user 01234567890123456789... is longer than 64 bytes"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(row); i++) {
		struct err err = {""};
		int values = 0;

		assert_false(config_read("kahu.conf", row[i].text, strlen(row[i].text), count_values, &values,
					 &err));
		assert_int_equal(values, 0);
		if (!strstr(err.text, row[i].error))
			fail_msg("\"%s\" does not say \"%s\"", err.text, row[i].error);
	}
}

/* Copies the text of the last value. */
static bool last_text(void *self, const struct config_value *value, struct err *err)
{
	(void)err;
	snprintf(self, 64, "%s", value->value.text);
	return true;
}

static void N_17_to_N_20_node_expressions_are_parsed(void **state)
{
	static const char *const good[][2] = {
		{"node DEFAULT { priorityf = \"SPEED+ .01 * AMEM - 10 * JOBCOUNT\" }",
		 "SPEED+ .01 * AMEM - 10 * JOBCOUNT"},
		{"node DEFAULT { priorityf = \"-LOAD - 5*USAGE\" }", "-LOAD - 5*USAGE"},
		{"node batch1 { procs = 1 priority = 1000 priorityf = \"PRIORITY + APROCS\" }",
		 "PRIORITY + APROCS"},
		{"node DEFAULT { priorityf = JOBCOUNT }", "JOBCOUNT"},
		{"node DEFAULT { priorityf = \"5 * PREF - LOAD\" }", "5 * PREF - LOAD"},
	};
	const char *unquoted = "node DEFAULT {\n priorityf = SPEED + LOAD\n}\n";
	struct err err = {""};
	char text[64];

	(void)state;
	for (size_t i = 0; i < COUNT(good); i++) {
		if (!config_read("kahu.conf", good[i][0], strlen(good[i][0]), last_text, text, &err))
			fail_msg("%s", err.text);
		assert_string_equal(text, good[i][1]);
	}
	assert_false(config_read("kahu.conf", unquoted, strlen(unquoted), last_text, text, &err));
	assert_non_null(strstr(err.text, "kahu.conf:2: "));
}

static void M_16_names_with_a_dot_are_parsed(void **state)
{
	const char *text = "class batch {\n default.wclimit = 2:00:00\n max.proc = 64\n MIN.Proc = 4\n"
			   " default.features = {\"fast\", \"ib\"}\n}\n";
	struct sections s = {.titles = ""};
	struct err err = {""};

	(void)state;
	if (!config_read("kahu.conf", text, strlen(text), into_sections, &s, &err))
		fail_msg("%s", err.text);
	assert_int_equal(s.attr.default_wall_s, 7200);
	assert_int_equal(s.attr.max_procs, 64);
	assert_int_equal(s.attr.min_procs, 4);
	assert_string_equal(s.titles, "batch.default.wclimit batch.max.proc batch.min.proc "
				      "batch.default.features batch.default.features ");
}

static void untitled_sections_and_levels_are_read(void **state)
{
	const char *text = "system {\n maxjob = {\"100\", \"USER=3\"}\n}\n"
			   "reservationlevel 0 { reservationdepth = 3 }\n"
			   "reservationlevel 7 { reservationqoslist = hi }\n";
	static const char *const bad[][2] = {
		{"system x { maxjob = 1 }\n", "expected { at the beginning of a section"},
		{"system { priority = 1 }\n", "priority"},
		{"system { maxjob = 1 }\nsystem { maxnode = 1 }\n", "kahu.conf:2: system is defined twice"},
		{"reservationlevel 8 { reservationdepth = 1 }\n", "from 0 to 7, got 8"},
		{"reservationlevel { reservationdepth = 1 }\n", "expected the name of a section"},
		{"reservationqoslist = hi\n", "is only allowed in a section reservationlevel"},
	};
	struct policy policy;
	struct err err = {""};

	(void)state;
	if (!read_policy(text, &policy, &err))
		fail_msg("%s", err.text);
	assert_int_equal(policy.reservation_depth[0], 3);
	assert_int_equal(policy.reservation_depth[6], -1);
	assert_int_equal(policy.reservation_depth[7], 1);
	for (size_t i = 0; i < COUNT(bad); i++) {
		assert_false(read_policy(bad[i][0], &policy, &err));
		if (!strstr(err.text, bad[i][1]))
			fail_msg("\"%s\" does not say \"%s\"", err.text, bad[i][1]);
	}
}

static bool refuse_second(void *self, const struct config_value *value, struct err *err)
{
	(void)value;
	return ++*(int *)self < 2 || err_set(err, "enough");
}

static void sink_can_reject_a_value(void **state)
{
	const char *text = "userweight = 5\ngroupweight = 6\nclassweight = 7\n";
	struct err err = {""};
	int values = 0;

	(void)state;
	assert_false(config_read("kahu.conf", text, strlen(text), refuse_second, &values, &err));
	assert_int_equal(values, 2);
	assert_string_equal(err.text, "enough");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(P_07_every_factor_has_a_weight_and_a_cap),
		cmocka_unit_test(P_07_every_component_has_a_weight_and_a_cap),
		cmocka_unit_test(weights_map_to_options_and_back),
		cmocka_unit_test(every_option_can_be_described),
		cmocka_unit_test(shipped_configuration_equals_the_defaults),
		cmocka_unit_test(shipped_configuration_contains_every_option),
		cmocka_unit_test(defaults_parse_by_their_rows),
		cmocka_unit_test(options_are_set),
		cmocka_unit_test(sections_are_set),
		cmocka_unit_test(title_default_is_case_insensitive),
		cmocka_unit_test(empty_section_is_a_value),
		cmocka_unit_test(invalid_text_is_rejected_with_its_line),
		cmocka_unit_test(N_17_to_N_20_node_expressions_are_parsed),
		cmocka_unit_test(M_16_names_with_a_dot_are_parsed),
		cmocka_unit_test(untitled_sections_and_levels_are_read),
		cmocka_unit_test(sink_can_reject_a_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
