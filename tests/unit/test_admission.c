/* SPDX-License-Identifier: MIT */
/*
 * test_admission.c - names in submissions, and names that the configuration has sections for
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/state/event.h"
#include "tests/scene.h"
#include "tui/serve/admission.h"

/* --- names in submissions ------------------------------------------------------------------------- */

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

static void expect_accepted(const struct state *st, const char *class_name, const char *qos)
{
	struct job_record record = submission(class_name, qos);
	struct err err = {{0}};

	if (!admission_check(NULL, st, &record, &err))
		fail_msg("%s", err.text);
}

static void expect_refused(const struct state *st, const char *class_name, const char *qos,
			   const char *sentence)
{
	struct job_record record = submission(class_name, qos);
	struct err err = {{0}};

	assert_false(admission_check(NULL, st, &record, &err));
	assert_string_equal(err.text, sentence);
}

static void without_class_sections_every_class_is_accepted(void **state)
{
	struct state *st = site("");

	(void)state;
	expect_accepted(st, "anything", NULL);
	expect_accepted(st, NULL, NULL);
	state_free(st);
}

static void with_class_sections_other_classes_are_refused(void **state)
{
	struct state *st =
		site("class DEFAULT { maxjob = {\"8\"} }\nclass fast { }\nclass long { maxjob = {\"2\"} }\n"
		     "node n1 { procs = 4 classes = {\"wide\"} }\n");

	(void)state;
	expect_accepted(st, "fast", NULL);
	expect_accepted(st, "long", NULL);
	expect_accepted(st, "wide", NULL);
	expect_accepted(st, NULL, NULL);
	expect_refused(st, "fats", NULL, "class fats is not known here; 'kahu config' lists the classes");
	state_free(st);
}

/* A class in other case would be another class, without the limits of the intended one. */
static void class_names_are_case_sensitive(void **state)
{
	struct state *st = site("class short { maxjob = {\"1\"} }\nclass wide { }\n"
				"node n1 { procs = 4 classes = {\"Short\", \"Wide\", \"other\"} }\n");

	(void)state;
	expect_accepted(st, "short", NULL);
	expect_accepted(st, "wide", NULL);
	expect_accepted(st, "other", NULL);
	expect_refused(
		st, "Short", NULL,
		"class Short is not known here, but a class whose name differs only in upper and lower "
		"case is; 'kahu config' and 'kahu node' list the classes");
	expect_refused(
		st, "OTHER", NULL,
		"class OTHER is not known here, but a class whose name differs only in upper and lower "
		"case is; 'kahu config' and 'kahu node' list the classes");
	state_free(st);
}

static void a_forced_submission_may_name_an_unknown_class_but_no_known_one_in_other_case(void **state)
{
	struct state *st =
		site("class short { maxjob = {\"1\"} }\nnode n1 { procs = 4 classes = {\"Wide\"} }\n");
	static const char *const refused[] = {"SHORT", "wide"};
	struct job_record record = submission("unknown", NULL);
	struct err err = {{0}};

	(void)state;
	record.job.real |= JOB_REAL_FORCED;
	assert_true(admission_check(NULL, st, &record, &err));
	for (size_t i = 0; i < 2; i++) {
		record.cred[CRED_CLASS] = refused[i];
		assert_false(admission_check(NULL, st, &record, &err));
		assert_non_null(strstr(err.text, "differs only in upper and lower case"));
	}
	state_free(st);
}

static void a_qos_must_be_known_and_open(void **state)
{
	struct state *st = site("qos gold { priority = 100 }\nqos hi { }\n"
				"user eva { qlist = {\"hi\"} }\nuser bob { qlist = {\"gold\", \"hi\"} }\n");

	(void)state;
	expect_accepted(st, NULL, "hi");
	expect_refused(st, NULL, "gold", "QOS gold is not open to eva; omit it, or ask an administrator");
	expect_refused(st, NULL, "silver", "QOS silver is not known here; 'kahu config' lists each QOS");
	state_free(st);
}

static void expect_record_refused(const struct state *st, const struct job_record *record,
				  const char *sentence)
{
	struct err err = {{0}};

	assert_false(admission_check(NULL, st, record, &err));
	assert_string_equal(err.text, sentence);
}

static void features_and_resources_that_no_node_has_are_refused(void **state)
{
	struct state *st = site("node DEFAULT { features = later }\n"
				"node n1 { procs = 4 features = {\"fast\", \"big\"} gres = {\"gpu:2\"} }\n"
				"node n2 { features = soon }\nclass c { default.features = tall }\n");
	struct job_record record = submission(NULL, NULL);
	uint64_t before = state_hash(state_view(st));
	struct err err = {{0}};

	(void)state;
	record.features = "FAST, soon tall later";
	record.prefer = "big";
	record.gres = "GPU:2";
	if (!admission_check(NULL, st, &record, &err))
		fail_msg("%s", err.text);
	record.features = "fast slow";
	expect_record_refused(st, &record,
			      "no node has the feature slow; 'kahu node' lists the features and generic "
			      "resources of nodes");
	record.features = NULL;
	record.prefer = "slow";
	expect_record_refused(st, &record,
			      "preference: no node has the feature slow; 'kahu node' lists the features and "
			      "generic resources of nodes");
	record.prefer = NULL;
	record.gres = "tape:2";
	expect_record_refused(st, &record,
			      "no node has the generic resource tape; 'kahu node' lists the features and "
			      "generic resources of nodes");
	record.gres = NULL;
	record.partition = "east";
	expect_record_refused(st, &record, "there is no partition east");
	assert_true(state_hash(state_view(st)) == before);
	state_free(st);
}

static void hosts_must_be_nodes_and_are_case_insensitive(void **state)
{
	struct state *st = site("node n1 { procs = 4 }\nnode Big { procs = 4 }\nnode n2 { procs = 4 }\n");
	struct job_record record = submission(NULL, NULL);
	struct err err = {{0}};

	(void)state;
	record.hosts = "n2 N1,bIG";
	if (!admission_check(NULL, st, &record, &err))
		fail_msg("%s", err.text);
	record.hosts = "n1 n3";
	expect_record_refused(st, &record, "there is no node n3; 'kahu node' lists the nodes");
	record.hosts = "N2 n";
	expect_record_refused(st, &record, "there is no node n; 'kahu node' lists the nodes");
	state_free(st);
}

static void changes_of_a_job_are_checked_like_submissions(void **state)
{
	struct state *st = site("node n1 { procs = 4 features = fast gres = {\"gpu:2\"} }\nqos hi { }\n");
	static const char *const good[][2] = {{"features", "fast"}, {"features", ""}, {"prefer", "FAST"},
					      {"gres", "gpu:1"},    {"qos", "hi"},    {"qos", ""},
					      {"tpn", "slow"}};
	static const char *const bad[][3] = {
		{"features", "slow",
		 "features: no node has the feature slow; 'kahu node' lists the features and generic "
		 "resources of nodes"},
		{"Prefer", "slow",
		 "Prefer: no node has the feature slow; 'kahu node' lists the features and generic resources "
		 "of nodes"},
		{"gres", "tape",
		 "gres: no node has the generic resource tape; 'kahu node' lists the features and generic "
		 "resources of nodes"},
		{"qos", "lo", "qos: QOS lo is not known here; 'kahu config' lists each QOS"},
	};
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		assert_true(admission_check_modify(NULL, st, good[i][0], good[i][1], &err));
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_false(admission_check_modify(NULL, st, bad[i][0], bad[i][1], &err));
		assert_string_equal(err.text, bad[i][2]);
	}
	state_free(st);
}

static void an_account_must_be_open(void **state)
{
	struct state *st =
		site("user eva { alist = {\"bio\"} }\ngroup staff { alist = {\"phys\"} }\n"
		     "account gold { priority = 5 }\naccount bio { qlist = hi }\nqos hi { }\nqos lo { }\n");
	struct job_record record = submission(NULL, NULL);
	struct err err;

	(void)state;
	assert_true(admission_check(NULL, st, &record, &err));
	record.cred[CRED_ACCOUNT] = "phys";
	assert_true(admission_check(NULL, st, &record, &err));
	record.cred[CRED_ACCOUNT] = "gold";
	expect_record_refused(st, &record,
			      "account gold is not open to eva; use one of these accounts: bio, phys");
	record.cred[CRED_ACCOUNT] = "unheard";
	expect_record_refused(st, &record,
			      "account unheard is not open to eva; use one of these accounts: bio, phys");
	record.cred[CRED_USER] = "bob";
	record.cred[CRED_GROUP] = "guests";
	assert_true(admission_check(NULL, st, &record, &err));
	state_free(st);

	st = site("accountaccess = listed\n");
	expect_record_refused(st, &record,
			      "account unheard is not open to bob, and no alist grants any account "
			      "(see accountaccess); submit without an account, or ask an administrator");
	record.cred[CRED_ACCOUNT] = NULL;
	assert_true(admission_check(NULL, st, &record, &err));
	state_free(st);
}

/* The job requests a QOS that only its default account may use. */
static void a_default_account_counts_when_the_qos_is_checked(void **state)
{
	struct state *st =
		site("user eva { adef = bio }\naccount bio { qlist = hi }\nqos hi { }\nqos lo { }\n");

	(void)state;
	expect_accepted(st, NULL, "hi");
	expect_refused(st, NULL, "lo", "QOS lo is not open to eva; omit it, or ask an administrator");
	state_free(st);
}

static void names_that_cannot_be_displayed_are_refused(void **state)
{
	struct state *st = site("");
	struct job_record record = submission(NULL, NULL);
	static const char turned[] = {'a', '\342', '\200', '\256', 'b', '\0'}; /* right-to-left override */
	static const char *const bad[] = {"a\033[2Jb", turned, "a\x9b-", "\xff"};
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		record.name = bad[i];
		assert_false(admission_check(NULL, st, &record, &err));
		assert_string_equal(err.text,
				    "a name in the submission contains bytes that cannot be displayed; "
				    "use letters, digits and punctuation");
	}
	record.name = "gr\xc3\xb6\xc3\x9f"
		      "e";
	assert_true(admission_check(NULL, st, &record, &err));
	state_free(st);
}

/* --- classes and QOS with a section in the configuration ------------------------------------------ */

static void configure(struct state *st, const char *text)
{
	struct event ev = {
		.kind = EVENT_CONFIG, .who = "root", .config = {.file = "kahu.conf", .text = text}};
	struct err err;

	if (!event_apply(st, &ev, &err))
		fail_msg("%s", err.text);
}

static struct configured_name find(struct configured *c, const struct state *st, enum cred_type type,
				   const char *name)
{
	return configured_find(c, state_view(st), type, name);
}

static void sections_are_found_by_type_and_name_even_if_empty(void **state)
{
	struct state *st = state_new();
	struct configured *c = configured_new();

	(void)state;
	configure(st, "class DEFAULT { maxjob = {\"8\"} }\nclass fast { }\nclass long { maxjob = {\"2\"} }\n"
		      "user eva { qlist = {\"hi\"} }\n");
	assert_true(find(c, st, CRED_CLASS, "fast").this);
	assert_true(find(c, st, CRED_CLASS, "long").this);
	assert_false(find(c, st, CRED_CLASS, "fats").this);
	assert_true(find(c, st, CRED_CLASS, "fats").any);
	assert_false(find(c, st, CRED_CLASS, "DEFAULT").this);
	assert_false(find(c, st, CRED_QOS, "fast").this);
	assert_false(find(c, st, CRED_QOS, "hi").any);
	assert_true(find(NULL, st, CRED_CLASS, "fast").this);
	configured_free(c);
	state_free(st);
}

static void the_default_section_is_not_a_class(void **state)
{
	struct state *st = state_new();

	(void)state;
	configure(st, "class DEFAULT { maxjob = {\"8\"} }\n");
	assert_false(find(NULL, st, CRED_CLASS, "fast").any);
	state_free(st);
}

static void names_are_read_again_when_the_configuration_changes(void **state)
{
	struct state *st = state_new();
	struct configured *c = configured_new();

	(void)state;
	assert_false(find(c, st, CRED_CLASS, "fast").any);
	configure(st, "class fast { }\n");
	assert_true(find(c, st, CRED_CLASS, "fast").this);
	configure(st, "class slow { }\nqos hi { }\n");
	assert_false(find(c, st, CRED_CLASS, "fast").this);
	assert_true(find(c, st, CRED_CLASS, "slow").this);
	assert_true(find(c, st, CRED_QOS, "hi").this);
	configure(st, "");
	assert_false(find(c, st, CRED_CLASS, "slow").any);
	configured_free(c);
	state_free(st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_class_sections_every_class_is_accepted),
		cmocka_unit_test(with_class_sections_other_classes_are_refused),
		cmocka_unit_test(class_names_are_case_sensitive),
		cmocka_unit_test(
			a_forced_submission_may_name_an_unknown_class_but_no_known_one_in_other_case),
		cmocka_unit_test(a_qos_must_be_known_and_open),
		cmocka_unit_test(an_account_must_be_open),
		cmocka_unit_test(a_default_account_counts_when_the_qos_is_checked),
		cmocka_unit_test(features_and_resources_that_no_node_has_are_refused),
		cmocka_unit_test(hosts_must_be_nodes_and_are_case_insensitive),
		cmocka_unit_test(changes_of_a_job_are_checked_like_submissions),
		cmocka_unit_test(names_that_cannot_be_displayed_are_refused),
		cmocka_unit_test(sections_are_found_by_type_and_name_even_if_empty),
		cmocka_unit_test(the_default_section_is_not_a_class),
		cmocka_unit_test(names_are_read_again_when_the_configuration_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
