/* SPDX-License-Identifier: MIT */
/*
 * views.c - the table of all screens
 */
#include <string.h>

#include "view.h"

const struct view_ops *const views_all[] = {
	&view_queue,   &view_job,      &view_priority,   &view_fairshare, &view_limits, &view_whatif,
	&view_journal, &view_config,   &view_help,       &view_output,    &view_follow, &view_submit,
	&view_ended,   &view_messages, &view_difference, &view_sweep,     &view_goal,
};

const size_t views_count = sizeof views_all / sizeof views_all[0];

size_t views_find(const char *name)
{
	size_t i = 0;

	while (i < views_count && strcmp(views_all[i]->name, name) != 0)
		i++;
	return i;
}
