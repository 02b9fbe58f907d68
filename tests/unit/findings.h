/* SPDX-License-Identifier: MIT */
/*
 * findings.h - what does lint find in a text?
 *
 * For the tests of its rules: each has a text that gives it and nothing else, and the nearest
 * text that gives nothing.
 */
#ifndef TESTS_UNIT_FINDINGS_H
#define TESTS_UNIT_FINDINGS_H

#include <string.h>

#include "sched/core/config.h"

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

static inline void gives_nothing(const char *text)
{
	struct findings found = lint(text);

	if (found.count > 0)
		fail_msg("%s: %s, in: %s", found.item[0].id, found.item[0].text, text);
}

/* The text gives this finding at this line, with these words in it, and no other. */
static inline void gives(const char *text, const char *id, int line, const char *words)
{
	struct findings found = lint(text);

	if (found.count != 1)
		fail_msg("%zu findings, the last %s, in: %s", found.count,
			 found.count > 0 ? found.item[found.count - 1].id : "none", text);
	assert_string_equal(found.item[0].id, id);
	assert_int_equal(found.item[0].line, line);
	if (!strstr(found.item[0].text, words))
		fail_msg("\"%s\" does not say \"%s\"", found.item[0].text, words);
}

#endif
