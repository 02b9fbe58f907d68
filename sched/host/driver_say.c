/* SPDX-License-Identifier: MIT */
/*
 * driver_say.c - messages that are not in the journal
 */
#include <stdarg.h>

#include "driver_inside.h"
#include "sched/base/str.h"

void driver_say(struct driver *d, const char *format, ...)
{
	struct str text = {0};
	va_list args;

	if (d->warn == NULL)
		return;
	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	d->warn(d->warn_self, str_text(&text));
	str_free(&text);
}
