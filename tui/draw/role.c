/* SPDX-License-Identifier: MIT */
/*
 * role.c - what can a cell of the screen mean?
 */
#include "role.h"

#include "sched/base/str.h"

static const struct role_info roles[ROLE_COUNT] = {
#define ROLE_ROW(id, name, mark, help) [id] = {name, mark, help},
	ROLE_TABLE(ROLE_ROW)
#undef ROLE_ROW
};

/* Neighbours without words or marks that would tell them apart. */
static const struct role_pair rivals[] = {
	{ROLE_TEXT, ROLE_STRONG},
	{ROLE_TAB, ROLE_TAB_ACTIVE},
	{ROLE_TEXT, ROLE_HEADER},
	{ROLE_HEADER, ROLE_HEADER_SORT},
	{ROLE_TEXT, ROLE_SECTION},
	{ROLE_TEXT, ROLE_CURSOR},
	{ROLE_CURSOR, ROLE_CURSOR_OFF},
	{ROLE_CURSOR, ROLE_MARK},
	{ROLE_TEXT, ROLE_MARK},
	{ROLE_TEXT, ROLE_MATCH},
	{ROLE_TEXT, ROLE_JOB_CHANGED},
	{ROLE_HINT_KEY, ROLE_HINT_TEXT},
	{ROLE_HELP_KEY, ROLE_TEXT},
	{ROLE_HELP_HEADING, ROLE_TEXT},
	{ROLE_CHECK_OK, ROLE_CHECK_FAIL},
	{ROLE_LIMIT_NEAR, ROLE_LIMIT_OVER},
	{ROLE_JOB_HELD, ROLE_JOB_BLOCKED},
	{ROLE_JOB_RESERVED, ROLE_JOB_BACKFILLED},
	{ROLE_START_ESTIMATE, ROLE_START_RESERVED},
	{ROLE_START_ESTIMATE, ROLE_START_PLACEHOLDER},
	{ROLE_START_ESTIMATE, ROLE_START_SLIPS},
	{ROLE_START_RESERVED, ROLE_START_SLIPS},
	{ROLE_EARLIER, ROLE_LATER},
	{ROLE_TITLE_LIVE, ROLE_TITLE_FROZEN},
	{ROLE_TITLE_LIVE, ROLE_TITLE_DRAFT},
	{ROLE_METER_USED, ROLE_METER_RESERVED},
	{ROLE_METER_USED, ROLE_METER_DOWN},
	{ROLE_SLIDER, ROLE_SLIDER_KNOB},
	{ROLE_CANDIDATE, ROLE_CANDIDATE_CHOSEN},
	{ROLE_DRAFT, ROLE_DRAFT_DANGER},
	{ROLE_MESSAGE, ROLE_ERROR},
	{ROLE_MESSAGE, ROLE_WARNING},
	{ROLE_WARNING, ROLE_ERROR},
};

const struct role_info *role_info(enum role role)
{
	return &roles[role < ROLE_COUNT ? role : ROLE_TEXT];
}

enum role role_find(const char *name)
{
	for (size_t i = 0; i < ROLE_COUNT; i++)
		if (str_same_word(roles[i].name, name))
			return (enum role)i;
	return ROLE_COUNT;
}

const struct role_pair *role_rivals(size_t *count)
{
	*count = sizeof rivals / sizeof rivals[0];
	return rivals;
}
