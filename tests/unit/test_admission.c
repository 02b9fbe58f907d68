/* SPDX-License-Identifier: MIT */
/*
 * test_admission.c - does the site know what a submission names?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/scene.h"
#include "tui/serve/admission.h"

static struct job_record submission(const char *class_name, const char *qos)
{
	struct job_record record = {.job = {.tasks = 1, .task_procs = 1, .wall_limit_s = 100}};

	record.cred[CRED_USER] = "eva";
	record.cred[CRED_GROUP] = "staff";
	record.cred[CRED_CLASS] = class_name;
	record.cred[CRED_QOS] = qos;
	return record;
}

static struct state *site(const char *conf)
{
	struct state *st = state_new();
	struct event ev = {
		.kind = EVENT_CONFIG, .who = "root", .config = {.file = "kahu.conf", .text = conf}};
	struct err err;

	if (!event_apply(st, &ev, &err))
		fail_msg("%s", err.text);
	return st;
}

static void must_take(const struct state *st, const char *class_name, const char *qos)
{
	struct job_record record = submission(class_name, qos);
	struct err err = {{0}};

	if (!admission_check(st, &record, &err))
		fail_msg("%s", err.text);
}

static void must_refuse(const struct state *st, const char *class_name, const char *qos, const char *sentence)
{
	struct job_record record = submission(class_name, qos);
	struct err err = {{0}};

	assert_false(admission_check(st, &record, &err));
	assert_string_equal(err.text, sentence);
}

static void where_no_class_is_named_every_class_is_taken(void **state)
{
	struct state *st = site("");

	(void)state;
	must_take(st, "anything", NULL);
	must_take(st, NULL, NULL);
	state_free(st);
}

static void where_classes_are_named_others_are_refused(void **state)
{
	struct state *st =
		site("class DEFAULT { maxjob = {\"8\"} }\nclass fast { }\nclass long { maxjob = {\"2\"} }\n"
		     "node n1 { procs = 4 classes = {\"wide\"} }\n");

	(void)state;
	must_take(st, "fast", NULL);
	must_take(st, "long", NULL);
	must_take(st, "wide", NULL);
	must_take(st, NULL, NULL);
	must_refuse(st, "fats", NULL, "class fats is not known here; 'kahu config' lists what is");
	state_free(st);
}

static void a_qos_must_be_known_and_open(void **state)
{
	struct state *st = site("qos gold { priority = 100 }\nqos hi { }\n"
				"user eva { qlist = {\"hi\"} }\nuser bob { qlist = {\"gold\", \"hi\"} }\n");

	(void)state;
	must_take(st, NULL, "hi");
	must_refuse(st, NULL, "gold", "QOS gold is not open to eva; leave it out, or ask an administrator");
	must_refuse(st, NULL, "silver", "QOS silver is not known here; 'kahu config' lists what is");
	state_free(st);
}

static void what_cannot_be_shown_is_refused(void **state)
{
	struct state *st = site("");
	struct job_record record = submission(NULL, NULL);
	static const char turned[] = {'a',    '\342', '\200',
				      '\256', 'b',    '\0'}; /* right to left from here on */
	static const char *const bad[] = {"a\033[2Jb", turned, "a\x9b-", "\xff"};
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		record.name = bad[i];
		assert_false(admission_check(st, &record, &err));
		assert_string_equal(err.text,
				    "a name of the submission has bytes that cannot be shown; write "
				    "letters, digits and signs");
	}
	record.name = "gr\xc3\xb6\xc3\x9f"
		      "e";
	assert_true(admission_check(st, &record, &err));
	state_free(st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_no_class_is_named_every_class_is_taken),
		cmocka_unit_test(where_classes_are_named_others_are_refused),
		cmocka_unit_test(a_qos_must_be_known_and_open),
		cmocka_unit_test(what_cannot_be_shown_is_refused),
	};

	return cmocka_run_group_tests_name("admission", tests, NULL, NULL);
}
