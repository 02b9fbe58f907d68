/* SPDX-License-Identifier: MIT */
/*
 * findings.h - findings of lint in a configuration text
 *
 * Tests of a rule have a text with only this finding, and a similar text without findings.
 */
#ifndef TESTS_UNIT_FINDINGS_H
#define TESTS_UNIT_FINDINGS_H

#include <string.h>

#include "sched/lint/config_lint.h"
#include "sched/lint/lint.h"
#include "tests/scene.h"

#define ROOM 8

struct findings {
	struct config_finding item[ROOM];
	size_t count;
};

static inline struct findings lint(const char *text)
{
	struct config_list list = {0};
	struct findings found = {.count = 0};
	struct err err = {""};

	if (!config_list_read("kahu.conf", text, strlen(text), &list, &err))
		fail_msg("%s", err.text);
	config_list_free(&list);
	found.count = config_lint("kahu.conf", text, strlen(text), found.item, ROOM);
	for (size_t i = 0; i < found.count && i < ROOM; i++)
		if (found.item[i].text[0] == '\0' ||
		    (found.item[i].fix[0] != '\0' && found.item[i].option[0] == '\0'))
			fail_msg("%s: a finding without words, or a fix without an option", found.item[i].id);
	return found;
}

static inline void expect_no_finding(const char *text)
{
	struct findings found = lint(text);

	if (found.count > 0)
		fail_msg("%s: %s, in: %s", found.item[0].id, found.item[0].text, text);
}

/* Applies the fix as a setting: the same finding with the same fix must be gone. Does nothing for a text that
 * cannot be the configuration of a state, because of its nodes. */
static inline void check_fix(const char *text, const struct config_finding *finding)
{
	struct scene *sc = scene_new(1, 4);
	struct plan plan = {.start_s = NULL};
	struct lint_list list = {.count = 0};
	char name[sizeof finding->fix];
	char *value;

	if (!event_check(sc->st, &(struct event){.kind = EVENT_CONFIG, .config = {"kahu.conf", text}},
			 NULL)) {
		scene_free(sc);
		return;
	}
	strcpy(name, finding->fix);
	value = strchr(name, '=');
	*value++ = '\0';
	scene_config(sc, text);
	scene_set(sc, name, value);
	plan_build(&plan, scene_view(sc), 0);
	lint_state(&list, scene_view(sc), &plan);
	for (size_t i = 0; i < list.count; i++)
		if (strcmp(list.item[i].id, finding->id) == 0 &&
		    strcmp(list.item[i].option, finding->option) == 0 &&
		    strcmp(list.item[i].fix, finding->fix) == 0)
			fail_msg("%s stays with %s: %s", finding->id, finding->fix, list.item[i].text);
	lint_free(&list);
	plan_clear(&plan);
	scene_free(sc);
}

/* The text gives only this finding, at this line and with these words, and its fix works. */
static inline void expect_finding(const char *text, const char *id, int line, const char *words)
{
	struct findings found = lint(text);

	if (found.count != 1)
		fail_msg("%zu findings, the last %s, in: %s", found.count,
			 found.count > 0 ? found.item[found.count - 1].id : "none", text);
	assert_string_equal(found.item[0].id, id);
	assert_int_equal(found.item[0].line, line);
	if (!strstr(found.item[0].text, words))
		fail_msg("\"%s\" does not say \"%s\"", found.item[0].text, words);
	if (found.item[0].fix[0] != '\0')
		check_fix(text, &found.item[0]);
}

/* The text gives this finding, possibly among others, with this fix; "" = without a fix. */
static inline void expect_fix(const char *text, const char *id, const char *fix)
{
	struct findings found = lint(text);

	for (size_t i = 0; i < found.count && i < ROOM; i++)
		if (strcmp(found.item[i].id, id) == 0) {
			assert_string_equal(found.item[i].fix, fix);
			return;
		}
	fail_msg("no %s in: %s", id, text);
}

#endif
