/* SPDX-License-Identifier: MIT */
/* config_row.h - an option of the configuration by its name */
#ifndef TESTS_CONFIG_ROW_H
#define TESTS_CONFIG_ROW_H

#include "sched/config/config.h"

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

static inline const struct option *row_of(const char *scope, const char *name)
{
	const struct option *row = option_find(config_rows, config_row_count, scope, name);

	if (!row)
		fail_msg("there is no row %s %s", scope, name);
	return row;
}

#endif
