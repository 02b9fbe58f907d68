/* SPDX-License-Identifier: MIT */
/*
 * test_configured.c - names of the classes and QOS that the configuration has sections for
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/state/event.h"
#include "tui/serve/configured.h"

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
		cmocka_unit_test(sections_are_found_by_type_and_name_also_empty_ones),
		cmocka_unit_test(the_default_section_alone_names_no_class),
		cmocka_unit_test(what_is_known_is_read_again_when_the_configuration_changes),
	};

	return cmocka_run_group_tests_name("configured", tests, NULL, NULL);
}
