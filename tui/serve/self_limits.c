/* SPDX-License-Identifier: MIT */
/*
 * self_limits.c - limits on what one user's requests cost, with that user's current use
 */
#include "self_limits.h"

#include <string.h>

static bool ends(const char *text, size_t size)
{
	return memchr(text, '\0', size) != NULL;
}

bool self_limits_check(const struct self_limit *limit, size_t size)
{
	size_t count = size / sizeof *limit;

	if (size % sizeof *limit != 0 || count > SELF_LIMITS_MAX)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!ends(limit[i].option, sizeof limit[i].option) ||
		    !ends(limit[i].unit, sizeof limit[i].unit) || !ends(limit[i].what, sizeof limit[i].what))
			return false;
	return true;
}
