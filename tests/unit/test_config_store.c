/* SPDX-License-Identifier: MIT */
/*
 * test_config_store.c - storing and printing of configuration values
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "config_row.h"
#include "sched/base/str.h"

static void check_printed(const char *name, const char *written, const char *expected)
{
	struct policy policy;
	struct prio_weights weights;
	struct cred_attr attr = {.priority = 0};
	struct config_value value;
	struct str text = {0};
	struct err err = {""};
	char title[CONFIG_TITLE];

	policy_default(&policy);
	prio_weights_default(&weights);
	if (!config_resolve(name, written, &value, title, sizeof title, &err))
		fail_msg("%s", err.text);
	config_store(&value, &policy, &weights, &attr, NULL);
	config_print_value(value.row, &policy, &weights, &attr, &text);
	assert_string_equal(str_text(&text), expected);
	str_free(&text);
}

static void a_value_is_printed_in_its_shortest_form(void **state)
{
	(void)state;
	check_printed("xfactorweight", "1000.0", "1000");
	check_printed("xfactorweight", ".50", "0.5");
	check_printed("partition[p].fscap", "1e3", "1000");
	check_printed("user[u].priority", "-7", "-7");
	check_printed("user[u].xftarget", "2.5", "2.5");
	check_printed("xfminwclimit", "120m", "2:00:00");
	check_printed("qos[q].qttarget", "90", "0:01:30");
	check_printed("reservationdepth", "010", "10");
	check_printed("backfillpolicy", "FirstFit", "firstfit");
	check_printed("enablenegjobpriority", "on", "true");
}

static void unset_target_prints_nothing(void **state)
{
	const struct cred_attr attr = {.priority = 0};
	struct str text = {0};

	(void)state;
	config_print_value(row_of("qos", "qttarget"), NULL, NULL, &attr, &text);
	config_print_value(row_of("user", "xftarget"), NULL, NULL, &attr, &text);
	assert_string_equal(str_text(&text), "");
	config_print_value(row_of("qos", "qtweight"), NULL, NULL, &attr, &text);
	assert_string_equal(str_text(&text), "0");
	str_free(&text);
}

static void value_without_an_owner_is_ignored(void **state)
{
	struct config_value value;
	struct cred_attr attr = {.priority = 3};
	char title[CONFIG_TITLE];

	(void)state;
	assert_true(config_resolve("fsweight", "5", &value, title, sizeof title, NULL));
	config_store(&value, NULL, NULL, &attr, NULL);
	assert_true(attr.priority == 3);
	value.row = NULL;
	config_store(&value, NULL, NULL, &attr, NULL);
	assert_true(attr.priority == 3);
}

static void F_28_a_target_is_printed_with_its_suffix(void **state)
{
	(void)state;
	check_printed("user[u].fstarget", "25.0+", "25+");
	check_printed("class[c].fstarget", "12.50", "12.5");
	check_printed("qos[q].fstarget", "10-", "10-");
	check_printed("group[g].fstarget", "50000^", "50000^");
	check_printed("account[a].fstarget", "25.0%", "25%");
	check_printed("account[a].fstarget", "none", "");
}

static void access_choices_start_after_unset(void **state)
{
	struct policy policy;
	struct cred_attr attr = {.access = ACCESS_UNSET};
	struct config_node node = {.access = ACCESS_UNSET};
	struct config_value value;
	char title[CONFIG_TITLE];

	(void)state;
	policy_default(&policy);
	assert_true(config_resolve("nodeaccesspolicy", "SingleTask", &value, title, sizeof title, NULL));
	config_store(&value, &policy, NULL, NULL, NULL);
	assert_int_equal(policy.access, ACCESS_SINGLETASK);
	assert_true(config_resolve("class[c].nodeaccesspolicy", "shared", &value, title, sizeof title, NULL));
	config_store(&value, NULL, NULL, &attr, NULL);
	assert_int_equal(attr.access, ACCESS_SHARED);
	assert_true(
		config_resolve("node[n].nodeaccesspolicy", "singlejob", &value, title, sizeof title, NULL));
	config_store(&value, NULL, NULL, NULL, &node);
	assert_int_equal(node.access, ACCESS_SINGLEJOB);
	check_printed("nodeaccesspolicy", "singleuser", "singleuser");
	check_printed("class[c].nodeaccesspolicy", "singleuser", "singleuser");
}

static void M_15_availability_is_printed_in_its_shortest_form(void **state)
{
	(void)state;
	check_printed("nodeavailabilitypolicy", "combined", "combined");
	check_printed("nodeavailabilitypolicy", "dedicated", "dedicated");
	check_printed("nodeavailabilitypolicy", "dedicated:mem, utilized:disk",
		      "combined dedicated:mem utilized:disk");
	check_printed("nodeavailabilitypolicy", "utilized:proc",
		      "utilized combined:mem combined:swap combined:disk");
}

static void M_16_class_has_defaults_and_job_limits(void **state)
{
	static const char *const name[] = {"class[c].default.wclimit", "class[c].max.wclimit",
					   "class[c].min.wclimit",     "class[c].max.proc",
					   "class[c].min.proc",        "class[c].max.node",
					   "class[c].min.node"};
	struct cred_attr attr = {.priority = 0};
	struct config_value value;
	char title[CONFIG_TITLE], text[2] = "1";

	(void)state;
	for (size_t i = 0; i < COUNT(name); i++, text[0]++) {
		assert_true(config_resolve(name[i], text, &value, title, sizeof title, NULL));
		config_store(&value, NULL, NULL, &attr, NULL);
	}
	assert_int_equal(attr.default_wall_s, 1);
	assert_int_equal(attr.max_wall_s, 2);
	assert_int_equal(attr.min_wall_s, 3);
	assert_int_equal(attr.max_procs, 4);
	assert_int_equal(attr.min_procs, 5);
	assert_int_equal(attr.max_nodes, 6);
	assert_int_equal(attr.min_nodes, 7);
}

static void choices_are_printed_as_they_are_written(void **state)
{
	(void)state;
	check_printed("fspolicy", "DedicatedPS%", "dedicatedps%");
	check_printed("fspolicy", "utilizedps", "utilizedps");
	check_printed("backfillmetric", "peseconds", "peseconds");
	check_printed("nodeallocationpolicy", "local", "local");
	check_printed("hardpass", "idleonly", "idleonly");
	check_printed("idlepromotion", "newest", "newest");
	check_printed("systemmaxprocsecondperjob", "4294967297", "4294967297");
	check_printed("fsdecay", ".50", "0.5");
}

static void a_limit_is_printed_in_configuration_syntax(void **state)
{
	static const struct {
		struct limit limit;
		const char *text;
	} row[] = {
		{{.kind = LIMIT_JOB, .soft = 2, .hard = 8}, "2,8"},
		{{.kind = LIMIT_PS, .soft = 720000, .hard = 720000}, "720000"},
		{{.kind = LIMIT_WC, .soft = 3600, .hard = 259200}, "1:00:00,3:00:00:00"},
		{{.kind = LIMIT_MEM, .soft = 2048, .hard = LIMIT_UNLIMITED}, "2048,unlimited"},
		{{.kind = LIMIT_JOB, .soft = LIMIT_UNLIMITED, .hard = LIMIT_UNLIMITED}, "unlimited"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(row); i++) {
		struct str text = {0};

		config_print_limit(&row[i].limit, &text);
		assert_string_equal(str_text(&text), row[i].text);
		str_free(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_is_printed_in_its_shortest_form),
		cmocka_unit_test(unset_target_prints_nothing),
		cmocka_unit_test(value_without_an_owner_is_ignored),
		cmocka_unit_test(F_28_a_target_is_printed_with_its_suffix),
		cmocka_unit_test(access_choices_start_after_unset),
		cmocka_unit_test(M_15_availability_is_printed_in_its_shortest_form),
		cmocka_unit_test(M_16_class_has_defaults_and_job_limits),
		cmocka_unit_test(choices_are_printed_as_they_are_written),
		cmocka_unit_test(a_limit_is_printed_in_configuration_syntax),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
