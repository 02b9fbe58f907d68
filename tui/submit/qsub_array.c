/* SPDX-License-Identifier: MIT */
/*
 * qsub_array.c - which numbers do the tasks of an array have?
 *
 * 0-9%4, 1-100:10, 1,3,5-7: ranges with a comma between them (array.h), at the end how many may be
 * there at a time.
 */

#include "qsub_inside.h"

static bool read_throttle(struct submission *s, const char *text, struct err *err)
{
	int64_t number;

	if (!str_read_whole(text, &number) || number < 1 || number > ARRAY_TASKS_MAX)
		return err_set(err, "behind %% stands how many may run at a time, from 1 to %d, got \"%s\"",
			       ARRAY_TASKS_MAX, text);
	s->throttle = (uint32_t)number;
	return true;
}

bool qsub_read_array(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	const char *at = text;
	bool good = array_read(&at, s->range, &s->range_count);

	(void)by;
	s->throttle = 0;
	if (!good && s->range_count == ARRAY_RANGES_MAX)
		return err_set(err, "more than %d ranges; write a step, as in 0-98:2", ARRAY_RANGES_MAX);
	if (!good || (*at != '\0' && *at != '%'))
		return err_set(err,
			       "\"%s\" is no array: write 0-9, 1-100:10 or 1,3,5-7, with numbers up "
			       "to %d, then %%4 for four at a time",
			       text, ARRAY_INDEX_MAX);
	return array_check(s->range, s->range_count, err) && (*at == '\0' || read_throttle(s, at + 1, err));
}

uint32_t qsub_tasks(const struct submission *s)
{
	return s->range_count == 0 ? 1 : array_tasks(s->range, s->range_count);
}
