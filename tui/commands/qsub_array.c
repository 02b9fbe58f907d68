/* SPDX-License-Identifier: MIT */
/*
 * qsub_array.c - which numbers do the tasks of an array have?
 *
 * 0-9%4, 1-100:10, 1,3,5-7: ranges with a comma between them, at the end how many may be
 * there at a time. No number comes twice: two tasks of one name would share their output.
 */
#include <inttypes.h>
#include <string.h>

#include "qsub_inside.h"

#define DIGITS "0123456789"

/* Digits at *at as a number; refused beyond ARRAY_INDEX_MAX. */
static bool take_index(const char **at, int64_t *out)
{
	size_t digits = strspn(*at, DIGITS);

	*out = 0;
	for (size_t i = 0; i < digits; i++)
		if (*out <= ARRAY_INDEX_MAX)
			*out = *out * 10 + (*at)[i] - '0';
	*at += digits;
	return digits > 0 && *out <= ARRAY_INDEX_MAX;
}

/* 1-100:10 at *at. */
static bool take_range(const char **at, struct array_range *out)
{
	*out = (struct array_range){.step = 1};
	if (!take_index(at, &out->first))
		return false;
	out->last = out->first;
	if (**at == '-') {
		++*at;
		if (!take_index(at, &out->last))
			return false;
		if (**at == ':') {
			++*at;
			if (!take_index(at, &out->step))
				return false;
		}
	}
	return out->last >= out->first && out->step > 0;
}

static int64_t count_of(const struct array_range *r)
{
	return (r->last - r->first) / r->step + 1;
}

static bool contains(const struct array_range *r, int64_t index)
{
	return index >= r->first && index <= r->last && (index - r->first) % r->step == 0;
}

/* A number that both have, -1 if there is none. */
static int64_t shared_index(const struct array_range *a, const struct array_range *b)
{
	for (int64_t index = a->first; index <= a->last; index += a->step)
		if (contains(b, index))
			return index;
	return -1;
}

static bool add_range(struct submission *s, struct array_range range, struct err *err)
{
	if (s->range_count == ARRAY_RANGES_MAX)
		return err_set(err, "more than %d ranges; write a step, as in 0-98:2", ARRAY_RANGES_MAX);
	s->range[s->range_count++] = range;
	if (count_of(&range) > ARRAY_TASKS_MAX || qsub_tasks(s) > ARRAY_TASKS_MAX)
		return err_set(err, "an array has at most %d tasks", ARRAY_TASKS_MAX);
	for (uint32_t i = 0; i + 1 < s->range_count; i++) {
		int64_t twice = shared_index(&range, &s->range[i]);

		if (twice >= 0)
			return err_set(err, "%" PRId64 " is in it twice", twice);
	}
	return true;
}

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

	(void)by;
	s->range_count = s->throttle = 0;
	do {
		struct array_range range;

		if (!take_range(&at, &range) || (*at != '\0' && *at != ',' && *at != '%'))
			return err_set(err,
				       "\"%s\" is no array: write 0-9, 1-100:10 or 1,3,5-7, with numbers up "
				       "to %d, then %%4 for four at a time",
				       text, ARRAY_INDEX_MAX);
		if (!add_range(s, range, err))
			return false;
	} while (*at++ == ',');
	return at[-1] == '\0' || read_throttle(s, at, err);
}

uint32_t qsub_tasks(const struct submission *s)
{
	int64_t tasks = 0;

	for (uint32_t i = 0; i < s->range_count; i++)
		tasks += count_of(&s->range[i]);
	return s->range_count == 0 ? 1 : (uint32_t)tasks;
}
