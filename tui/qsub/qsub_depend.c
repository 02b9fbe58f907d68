/* SPDX-License-Identifier: MIT */
/*
 * qsub_depend.c - which jobs have to come before this one?
 *
 * As depend_list_read takes it. Marks that tell what became of a dependency are for
 * changes that are kept, not for people.
 */
#include <stdlib.h>
#include <string.h>

#include "qsub_inside.h"

/* Between brackets a '-' is a range of tasks. */
static bool has_delay(const char *text)
{
	for (bool inside = false; *text != '\0'; text++) {
		inside = *text == '[' || (inside && *text != ']');
		if (!inside && (*text == '+' || *text == '-'))
			return true;
	}
	return false;
}

bool qsub_read_depend(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	struct depend_list list = {.item = NULL};
	bool good;

	(void)by;
	if (strchr(text, '?') != NULL)
		return err_set(err,
			       "\"%s\": all jobs of a list must come first, there is no choice between "
			       "them; write a comma for the '?'",
			       text);
	if (has_delay(text))
		return err_set(err, "\"%s\": a job waits for others without a delay; leave '+' and '-' away",
			       text);
	good = depend_list_read(text, &list, err) && (list.count > 0 || err_set(err, "no job is named"));
	free(list.item);
	if (good)
		s->depend = arena_string(&s->arena, text);
	return good;
}
