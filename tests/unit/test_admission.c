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

/* --- does the site know what a submission names? ------------------------------------------------------ */

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

	if (!admission_check(NULL, st, &record, &err))
		fail_msg("%s", err.text);
}

static void must_refuse(const struct state *st, const char *class_name, const char *qos, const char *sentence)
{
	struct job_record record = submission(class_name, qos);
	struct err err = {{0}};

	assert_false(admission_check(NULL, st, &record, &err));
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
	must_refuse(st, "fats", NULL, "class fats is not known here; 'kahu config' lists the classes");
	state_free(st);
}

/* In another case it would be another class, without the limits of the one that is meant. */
static void the_name_of_a_class_is_written_as_the_site_writes_it(void **state)
{
	struct state *st = site("class short { maxjob = {\"1\"} }\nclass wide { }\n"
				"node n1 { procs = 4 classes = {\"Short\", \"Wide\", \"other\"} }\n");

	(void)state;
	must_take(st, "short", NULL);
	must_take(st, "wide", NULL);
	must_take(st, "other", NULL);
	must_refuse(st, "Short", NULL,
		    "class Short is not known here, but a class with other capitalization is; 'kahu config' "
		    "and 'kahu node' list the classes");
	must_refuse(st, "OTHER", NULL,
		    "class OTHER is not known here, but a class with other capitalization is; 'kahu config' "
		    "and 'kahu node' list the classes");
	state_free(st);
}

static void a_qos_must_be_known_and_open(void **state)
{
	struct state *st = site("qos gold { priority = 100 }\nqos hi { }\n"
				"user eva { qlist = {\"hi\"} }\nuser bob { qlist = {\"gold\", \"hi\"} }\n");

	(void)state;
	must_take(st, NULL, "hi");
	must_refuse(st, NULL, "gold", "QOS gold is not open to eva; omit it, or ask an administrator");
	must_refuse(st, NULL, "silver", "QOS silver is not known here; 'kahu config' lists them");
	state_free(st);
}

static void must_refuse_record(const struct state *st, const struct job_record *record, const char *sentence)
{
	struct err err = {{0}};

	assert_false(admission_check(NULL, st, record, &err));
	assert_string_equal(err.text, sentence);
}

static void names_that_no_node_has_are_refused(void **state)
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
	must_refuse_record(st, &record, "no node has the feature slow; 'kahu node' lists what nodes have");
	record.features = NULL;
	record.prefer = "slow";
	must_refuse_record(st, &record,
			   "preference: no node has the feature slow; 'kahu node' lists what nodes have");
	record.prefer = NULL;
	record.gres = "tape:2";
	must_refuse_record(st, &record,
			   "no node has the generic resource tape; 'kahu node' lists what nodes have");
	record.gres = NULL;
	record.partition = "east";
	must_refuse_record(st, &record, "there is no partition east");
	assert_true(state_hash(state_view(st)) == before);
	state_free(st);
}

static void hosts_must_be_nodes_in_any_case_of_letters(void **state)
{
	struct state *st = site("node n1 { procs = 4 }\nnode Big { procs = 4 }\nnode n2 { procs = 4 }\n");
	struct job_record record = submission(NULL, NULL);
	struct err err = {{0}};

	(void)state;
	record.hosts = "n2 N1,bIG";
	if (!admission_check(NULL, st, &record, &err))
		fail_msg("%s", err.text);
	record.hosts = "n1 n3";
	must_refuse_record(st, &record, "there is no node n3; 'kahu node' lists the nodes");
	record.hosts = "N2 n";
	must_refuse_record(st, &record, "there is no node n; 'kahu node' lists the nodes");
	state_free(st);
}

static void what_a_job_is_changed_to_ask_for_is_refused_likewise(void **state)
{
	struct state *st = site("node n1 { procs = 4 features = fast gres = {\"gpu:2\"} }\nqos hi { }\n");
	static const char *const good[][2] = {{"features", "fast"}, {"features", ""}, {"prefer", "FAST"},
					      {"gres", "gpu:1"},    {"qos", "hi"},    {"qos", ""},
					      {"tpn", "slow"}};
	static const char *const bad[][3] = {
		{"features", "slow",
		 "features: no node has the feature slow; 'kahu node' lists what nodes have"},
		{"Prefer", "slow", "Prefer: no node has the feature slow; 'kahu node' lists what nodes have"},
		{"gres", "tape",
		 "gres: no node has the generic resource tape; 'kahu node' lists what nodes have"},
		{"qos", "lo", "qos: QOS lo is not known here; 'kahu config' lists them"},
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
	must_refuse_record(st, &record, "account gold is not open to eva; its accounts are: bio, phys");
	record.cred[CRED_ACCOUNT] = "unheard";
	must_refuse_record(st, &record, "account unheard is not open to eva; its accounts are: bio, phys");
	record.cred[CRED_USER] = "bob";
	record.cred[CRED_GROUP] = "guests";
	assert_true(admission_check(NULL, st, &record, &err));
	state_free(st);

	st = site("accountaccess = listed\n");
	must_refuse_record(st, &record,
			   "account unheard is not open to bob, and no alist names one that is "
			   "(accountaccess); omit it, or ask an administrator");
	record.cred[CRED_ACCOUNT] = NULL;
	assert_true(admission_check(NULL, st, &record, &err));
	state_free(st);
}

/* It asks for a QOS that only its default account may use. */
static void a_default_account_counts_when_the_qos_is_checked(void **state)
{
	struct state *st =
		site("user eva { adef = bio }\naccount bio { qlist = hi }\nqos hi { }\nqos lo { }\n");

	(void)state;
	must_take(st, NULL, "hi");
	must_refuse(st, NULL, "lo", "QOS lo is not open to eva; omit it, or ask an administrator");
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
		assert_false(admission_check(NULL, st, &record, &err));
		assert_string_equal(err.text, "a name of the submission has bytes that cannot be displayed; "
					      "use letters, digits and punctuation");
	}
	record.name = "gr\xc3\xb6\xc3\x9f"
		      "e";
	assert_true(admission_check(NULL, st, &record, &err));
	state_free(st);
}

/* --- names of the classes and QOS that the configuration has sections for ----------------------------- */

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

static void sections_are_found_by_type_and_name_also_empty_ones(void **state)
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

static void the_default_section_alone_names_no_class(void **state)
{
	struct state *st = state_new();

	(void)state;
	configure(st, "class DEFAULT { maxjob = {\"8\"} }\n");
	assert_false(find(NULL, st, CRED_CLASS, "fast").any);
	state_free(st);
}

static void what_is_known_is_read_again_when_the_configuration_changes(void **state)
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
		cmocka_unit_test(where_no_class_is_named_every_class_is_taken),
		cmocka_unit_test(where_classes_are_named_others_are_refused),
		cmocka_unit_test(the_name_of_a_class_is_written_as_the_site_writes_it),
		cmocka_unit_test(a_qos_must_be_known_and_open),
		cmocka_unit_test(an_account_must_be_open),
		cmocka_unit_test(a_default_account_counts_when_the_qos_is_checked),
		cmocka_unit_test(names_that_no_node_has_are_refused),
		cmocka_unit_test(hosts_must_be_nodes_in_any_case_of_letters),
		cmocka_unit_test(what_a_job_is_changed_to_ask_for_is_refused_likewise),
		cmocka_unit_test(what_cannot_be_shown_is_refused),
		cmocka_unit_test(sections_are_found_by_type_and_name_also_empty_ones),
		cmocka_unit_test(the_default_section_alone_names_no_class),
		cmocka_unit_test(what_is_known_is_read_again_when_the_configuration_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
