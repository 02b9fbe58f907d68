/* SPDX-License-Identifier: MIT */
/*
 * test_config_text.c - parsing of limits, targets and lists
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "config_row.h"
#include "sched/base/str.h"

static void assert_says(const struct err *err, const char *words)
{
	if (!strstr(err->text, words))
		fail_msg("\"%s\" does not say \"%s\"", err->text, words);
}

/* --- limits --------------------------------------------------------------------------------------- */

static struct config_limit limit_of(const char *option, const char *text)
{
	struct config_limit limit;
	struct err err = {""};

	if (!config_limit_read(row_of("user", option), NULL, 0, text, &limit, &err))
		fail_msg("%s", err.text);
	return limit;
}

static void T_27_a_limit_is_hard_or_soft_and_hard(void **state)
{
	struct config_limit one = limit_of("maxjob", "8"), both = limit_of("maxjob", "2,8");

	(void)state;
	assert_int_equal(one.soft, 8);
	assert_int_equal(one.hard, 8);
	assert_int_equal(both.soft, 2);
	assert_int_equal(both.hard, 8);
	assert_int_equal(both.second_type, CRED_TYPE_COUNT);
	assert_false(both.soft_beyond);
	assert_int_equal(limit_of("maxjob", " 2 , 8 ").soft, 2);
}

static void T_29_a_soft_limit_above_the_hard_one_becomes_the_hard_one(void **state)
{
	struct config_limit limit = limit_of("maxjob", "9,4"), open = limit_of("maxjob", "unlimited,4");

	(void)state;
	assert_int_equal(limit.soft, 4);
	assert_int_equal(limit.hard, 4);
	assert_true(limit.soft_beyond);
	assert_int_equal(open.soft, 4);
	assert_true(open.soft_beyond);
}

static void limit_can_be_unlimited(void **state)
{
	struct config_limit all = limit_of("maxproc", "Unlimited"), hard = limit_of("maxproc", "4,unlimited");

	(void)state;
	assert_true(all.soft == LIMIT_UNLIMITED && all.hard == LIMIT_UNLIMITED);
	assert_true(hard.soft == 4 && hard.hard == LIMIT_UNLIMITED);
}

static void T_07_to_T_14_each_kind_has_its_unit(void **state)
{
	static const struct {
		const char *option, *text;
		enum limit_scope scope;
		enum limit_kind kind;
		int64_t soft, hard;
	} row[] = {
		{"maxjob", "2,4", LIMIT_ACTIVE, LIMIT_JOB, 2, 4},
		{"maxproc", "32", LIMIT_ACTIVE, LIMIT_PROC, 32, 32},
		{"maxps", "720000", LIMIT_ACTIVE, LIMIT_PS, 720000, 720000},
		{"maxpe", "128", LIMIT_ACTIVE, LIMIT_PE, 128, 128},
		{"maxwc", "72:00:00", LIMIT_ACTIVE, LIMIT_WC, 259200, 259200},
		{"maxwc", "1:00:00:00,3d", LIMIT_ACTIVE, LIMIT_WC, 86400, 259200},
		{"maxnode", "64", LIMIT_ACTIVE, LIMIT_NODE, 64, 64},
		{"maxmem", "2048", LIMIT_ACTIVE, LIMIT_MEM, 2048, 2048},
		{"maxmem", "1gb,2gb", LIMIT_ACTIVE, LIMIT_MEM, 1024, 2048},
		{"maxijob", "20", LIMIT_IDLE, LIMIT_JOB, 20, 20},
		{"maximem", "20", LIMIT_IDLE, LIMIT_MEM, 20, 20},
		{"maxqueued", "72", LIMIT_QUEUED, LIMIT_JOB, 72, 72},
		/* exceeds 32 bits */
		{"maxps", "4294967297,1000000000000000", LIMIT_ACTIVE, LIMIT_PS, INT64_C(4294967297),
		 INT64_C(1000000000000000)},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(row); i++) {
		struct config_limit limit = limit_of(row[i].option, row[i].text);

		assert_int_equal(limit.scope, row[i].scope);
		assert_int_equal(limit.kind, row[i].kind);
		assert_true(limit.soft == row[i].soft && limit.hard == row[i].hard);
	}
}

static void T_17_T_18_a_limit_can_be_for_a_second_credential(void **state)
{
	struct config_limit each = limit_of("maxjob", "GROUP=12"), one = limit_of("maxproc", "USER:steve=50");
	struct config_limit both = limit_of("maxps", "user=72000,1080000"),
			    acct = limit_of("maxjob", "acct:x=1");

	(void)state;
	assert_int_equal(each.second_type, CRED_GROUP);
	assert_int_equal(each.second_len, 0);
	assert_int_equal(each.hard, 12);
	assert_int_equal(one.second_type, CRED_USER);
	assert_int_equal(one.second_len, 5);
	assert_memory_equal(one.second, "steve", 5);
	assert_int_equal(one.hard, 50);
	assert_int_equal(both.soft, 72000);
	assert_int_equal(both.hard, 1080000);
	assert_int_equal(acct.second_type, CRED_ACCOUNT);
}

static void the_second_credential_can_be_part_of_the_name(void **state)
{
	struct config_limit limit;
	struct err err = {""};

	(void)state;
	assert_true(config_limit_read(row_of("class", "maxproc"), "user:steve", 10, "25,50", &limit, &err));
	assert_int_equal(limit.second_type, CRED_USER);
	assert_int_equal(limit.second_len, 5);
	assert_int_equal(limit.soft, 25);
	assert_false(config_limit_read(row_of("class", "maxproc"), "user", 4, "GROUP=50", &limit, &err));
	assert_says(&err, "the option name already contains user");
}

static void invalid_limit_is_rejected(void **state)
{
	static const struct {
		const char *option, *text, *error;
	} row[] = {
		{"maxjob", "0", "a limit must be at least 1"},
		{"maxjob", "0,4", "a limit must be at least 1"},
		{"maxjob", "-1", "a limit must be at least 1"},
		{"maxjob", "4,-2", "a limit must be at least 1"},
		{"maxjob", "", "is not a whole number"},
		{"maxjob", ",4", "is not a whole number"},
		{"maxjob", "4,", "is not a whole number"},
		{"maxjob", "2,4,8", "'4,8' is not a whole number"},
		{"maxjob", "1.5", "'1.5' is not a whole number of at most 1000000000000000"},
		{"maxjob", "many", "'many' is not a whole number"},
		{"maxps", "1000000000000001", "is not a whole number of at most 1000000000000000"},
		{"maxps", "9223372036854775808", "is not a whole number of at most"},
		{"maxps", "99999999999999999999999999999999999999999999999999999999999999999999",
		 "is not a whole number of at most"},
		{"maxwc", "1:99", "'1:99' is not a duration"},
		{"maxwc", "11y", "'11y' is not a duration"},
		{"maxmem", "4kg", "'4kg' is not a size"},
		{"maxjob", "USR=4", "unknown credential type USR; types: user, group"},
		{"maxjob", "=4", "unknown credential type ;"},
		{"maxjob", "USER:=4", "write 'user' without ':' for a limit on each user"},
		{"maxjob", "USER:default=4", "write 'user' without ':' for a limit on each user"},
		{"maxjob", "USER:a[b=4", "must not contain a bracket"},
		{"maxjob", "USER:01234567890123456789012345678901234567890123456789012345678901234=4",
		 "longer than 64 bytes"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(row); i++) {
		struct option_value value;
		struct err err = {""};

		assert_false(option_read(row_of("user", row[i].option), row[i].text, &value, &err));
		assert_false(option_read(row_of("user", row[i].option), row[i].text, &value, NULL));
		assert_says(&err, row[i].error);
		assert_says(&err, row[i].option);
	}
}

/* --- fairshare targets ---------------------------------------------------------------------------- */

static void F_26_F_28_F_29_F_30_suffix_selects_the_kind_of_target(void **state)
{
	static const struct {
		const char *text;
		double target;
		enum fs_mode mode;
	} row[] = {
		{"25.0", 25, FS_TARGET},          {"25.0+", 25, FS_FLOOR},
		{"10-", 10, FS_CEILING},          {"50000^", 50000, FS_CAP_ABSOLUTE},
		{"25.0%", 25, FS_CAP_RELATIVE},   {".5", 0.5, FS_TARGET},
		{"none", 0, FS_NO_TARGET},        {" 12.5 +", 12.5, FS_FLOOR},
		{"1e12^", 1e12, FS_CAP_ABSOLUTE},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(row); i++) {
		double target = -1;
		uint8_t mode = 99;
		struct err err = {""};

		if (!config_target_read(row[i].text, &target, &mode, &err))
			fail_msg("%s: %s", row[i].text, err.text);
		assert_true(target == row[i].target);
		assert_int_equal(mode, row[i].mode);
	}
}

static void invalid_target_is_rejected(void **state)
{
	static const char *const text[] = {"",     "+",     "%",     "^",     "25.0*", "+25",  "25++",
					   "25%+", "0",     "0+",    "-5",    "-5+",   "nan",  "inf",
					   "1e7",  "1e19^", "25 50", "25,50", "much",  "none+"};

	(void)state;
	for (size_t i = 0; i < COUNT(text); i++) {
		struct option_value value;
		struct err err = {""};

		if (option_read(row_of("user", "fstarget"), text[i], &value, &err))
			fail_msg("%s was taken", text[i]);
		assert_says(&err, "a target must be");
	}
}

/* --- lists of names ------------------------------------------------------------------------------- */

static void words_are_separated_by_blanks_and_commas(void **state)
{
	const char *at = " a, bc\t,,d ", *word;
	size_t len;

	(void)state;
	word = config_word(&at, &len);
	assert_true(len == 1 && word[0] == 'a');
	word = config_word(&at, &len);
	assert_true(len == 2 && word[0] == 'b');
	word = config_word(&at, &len);
	assert_true(len == 1 && word[0] == 'd');
	assert_null(config_word(&at, &len));
	assert_null(config_word(&at, &len));
}

static void invalid_names_are_rejected(void **state)
{
	static const struct {
		const char *scope, *option, *text, *error;
	} row[] = {
		{"user", "qlist", "", "a name is missing"},
		{"user", "qlist", " , ", "a name is missing"},
		{"user", "qlist", "&", "the name of a QOS is missing before &"},
		{"user", "qlist", "hi ^", "the name of a QOS is missing before ^"},
		{"user", "qlist", "01234567890123456789012345678901234567890123456789012345678901234",
		 "is longer than 64 bytes"},
		{"user", "qdef", "a b", "a single name is required"},
		{"user", "qdef", "", "a single name is required"},
		{"node", "partition", "a,b", "a single name is required"},
		{"node", "features", "", "a name is missing"},
		{"node", "gres", ":4", "the name of a generic resource is missing before :4"},
		{"node", "gres", "gpu:x", "a whole number from 0 to 1000000"},
		{"node", "gres", "gpu:-1", "a whole number from 0 to 1000000"},
		{"node", "gres", "gpu:1000001", "a whole number from 0 to 1000000"},
		{"", "nodeavailabilitypolicy", "dedicate", "unknown policy dedicate"},
		{"", "nodeavailabilitypolicy", "dedicated:gpu", "unknown resource gpu; resources: proc, mem"},
		{"", "nodeavailabilitypolicy", "", "a name is missing"},
		{"", "localnodeallocation", "nodes.sh", "must be absolute"},
		{"", "prolog", "prolog.sh", "must be absolute"},
		{"", "metricsfile", "kahu.prom", "must be absolute"},
		{"", "devices", "0, 1", "without blanks"},
		{"", "devices", "0,,1", "separated by commas"},
		{"", "devices", "", "separated by commas"},
		{"", "devices", "GPU-1,2,GPU-1", "GPU-1 is listed twice"},
		{"user", "maxproc", "USER:a]b=4", "must not contain a bracket"},
		{"user", "qdef", "01234567890123456789012345678901234567890123456789012345678901234",
		 "is longer than 64 bytes"},
		{"node", "gres", "gpu:1 01234567890123456789012345678901234567890123456789012345678901234",
		 "is longer than 64 bytes"},
		{"node", "gres", "gpu:111111111111111111111111111111111111111111111111111111111111111111",
		 "a whole number from 0 to 1000000"},
		{"", "admin1", "root 01234567890123456789012345678901234567890123456789012345678901234",
		 "is longer than 64 bytes"},
		{"", "pamservice", ".kahu", "must consist of at most 64 letters, digits"},
		{"", "pamservice", "ka/hu", "must consist of at most 64 letters, digits"},
		{"", "pamservice", "01234567890123456789012345678901234567890123456789012345678901234",
		 "at most 64"},
		{"", "devices", "0,01234567890123456789012345678901234567890123456789012345678901234",
		 "is longer than 47 bytes"},
		{"", "umask", "8", "octal"},
		{"", "umask", "", "octal"},
		{"", "umask", "1000", "at most 777"},
		{"", "umask", "00027", "octal"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(row); i++) {
		struct option_value value;
		struct err err = {""};

		assert_false(option_read(row_of(row[i].scope, row[i].option), row[i].text, &value, &err));
		assert_says(&err, row[i].error);
	}
}

/* Whether a list of `count` devices ("0,1,2") is accepted. */
static bool accepts_devices(unsigned count, struct err *err)
{
	struct option_value value;
	struct str text = {0};
	bool good;

	for (unsigned i = 0; i < count; i++)
		str_addf(&text, "%s%u", i > 0 ? "," : "", i);
	good = option_read(row_of("", "devices"), str_text(&text), &value, err);
	str_free(&text);
	return good;
}

static void longest_texts_are_accepted(void **state)
{
	static const struct {
		const char *scope, *option, *text;
	} row[] = {
		{"user", "qdef", "0123456789012345678901234567890123456789012345678901234567890123"},
		{"user", "maxjob", "USER:0123456789012345678901234567890123456789012345678901234567890123=4"},
		{"", "pamservice", "0123456789012345678901234567890123456789012345678901234567890123"},
		{"", "pamservice", "kahu-1.x_y"},
		{"", "umask", "0777"},
		{"", "admin1", ""},
	};
	struct option_value value;
	struct err err = {""};

	(void)state;
	for (size_t i = 0; i < COUNT(row); i++)
		if (!option_read(row_of(row[i].scope, row[i].option), row[i].text, &value, &err))
			fail_msg("%s = %s: %s", row[i].option, row[i].text, err.text);
	assert_true(accepts_devices(64, &err));
	assert_false(accepts_devices(65, &err));
	assert_says(&err, "there are more than 64 devices");
}

static void expression_length_is_limited(void **state)
{
	struct option_value value;
	struct str text = {0};
	struct err err = {""};

	(void)state;
	str_add(&text, "LOAD");
	while (text.len < 256)
		str_add_char(&text, ' ');
	assert_true(option_read(row_of("node", "priorityf"), str_text(&text), &value, &err));
	str_add_char(&text, ' ');
	assert_false(option_read(row_of("node", "priorityf"), str_text(&text), &value, &err));
	assert_says(&err, "the expression is longer than");
	str_free(&text);
}

static void generic_resource_has_a_count(void **state)
{
	size_t len;
	uint32_t count;

	(void)state;
	assert_true(config_gres_read("gpu:4", 5, &len, &count, NULL));
	assert_true(len == 3 && count == 4);
	assert_true(config_gres_read("tape", 4, &len, &count, NULL));
	assert_true(len == 4 && count == 1);
	assert_true(config_gres_read("gpu:0", 5, &len, &count, NULL));
	assert_int_equal(count, 0);
}

static void M_15_availability_of_all_or_of_one_resource(void **state)
{
	uint8_t available[AVAILABLE_RESOURCE_COUNT] = {0};

	(void)state;
	assert_true(config_available_read("dedicated", 9, available, NULL));
	for (int r = 0; r < AVAILABLE_RESOURCE_COUNT; r++)
		assert_int_equal(available[r], AVAILABLE_DEDICATED);
	assert_true(config_available_read("Utilized:MEM", 12, available, NULL));
	assert_int_equal(available[AVAILABLE_MEM], AVAILABLE_UTILIZED);
	assert_int_equal(available[AVAILABLE_PROCS], AVAILABLE_DEDICATED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(T_27_a_limit_is_hard_or_soft_and_hard),
		cmocka_unit_test(T_29_a_soft_limit_above_the_hard_one_becomes_the_hard_one),
		cmocka_unit_test(limit_can_be_unlimited),
		cmocka_unit_test(T_07_to_T_14_each_kind_has_its_unit),
		cmocka_unit_test(T_17_T_18_a_limit_can_be_for_a_second_credential),
		cmocka_unit_test(the_second_credential_can_be_part_of_the_name),
		cmocka_unit_test(invalid_limit_is_rejected),
		cmocka_unit_test(F_26_F_28_F_29_F_30_suffix_selects_the_kind_of_target),
		cmocka_unit_test(invalid_target_is_rejected),
		cmocka_unit_test(words_are_separated_by_blanks_and_commas),
		cmocka_unit_test(invalid_names_are_rejected),
		cmocka_unit_test(longest_texts_are_accepted),
		cmocka_unit_test(expression_length_is_limited),
		cmocka_unit_test(generic_resource_has_a_count),
		cmocka_unit_test(M_15_availability_of_all_or_of_one_resource),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
