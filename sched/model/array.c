/* SPDX-License-Identifier: MIT */
/*
 * array.c - job arrays: task numbers and labels
 *
 * Task numbers are unique: two tasks with the same label would share their output file.
 */
#include "array.h"

#include <inttypes.h>
#include <string.h>

#define DIGITS       "0123456789"
#define RANGES_SHOWN 4

/* --- numbers ----------------------------------------------------------------------------------- */

static bool is_range(const struct array_range *r)
{
	return r->first >= 0 && r->last >= r->first && r->last <= ARRAY_INDEX_MAX && r->step > 0 &&
	       r->step <= ARRAY_INDEX_MAX;
}

/* Returns the number of tasks in a range; 0 if array_check rejects the range, whose step may then be 0. */
static int64_t count_of(const struct array_range *r)
{
	return is_range(r) ? (r->last - r->first) / r->step + 1 : 0;
}

uint32_t array_tasks(const struct array_range *range, size_t count)
{
	int64_t tasks = 0;

	for (size_t i = 0; i < count; i++) {
		tasks += count_of(&range[i]);
		if (tasks > ARRAY_TASKS_MAX)
			return ARRAY_TASKS_MAX + 1;
	}
	return (uint32_t)tasks;
}

uint32_t array_number(const struct array_range *range, size_t count, uint32_t place)
{
	int64_t left = place;

	for (size_t i = 0; i < count; i++) {
		if (left < count_of(&range[i]))
			return (uint32_t)(range[i].first + left * range[i].step);
		left -= count_of(&range[i]);
	}
	return 0;
}

static bool contains(const struct array_range *r, int64_t number)
{
	return number >= r->first && number <= r->last && (number - r->first) % r->step == 0;
}

/* Returns the smallest number that both ranges contain; -1 if there is none. */
static int64_t shared_number(const struct array_range *a, const struct array_range *b)
{
	for (int64_t number = a->first; number <= a->last; number += a->step)
		if (contains(b, number))
			return number;
	return -1;
}

bool array_check(const struct array_range *range, size_t count, struct err *err)
{
	int64_t tasks = 0;

	if (count > ARRAY_RANGES_MAX)
		return err_set(
			err, "the array has more than %d ranges of task numbers; write a step, as in 0-98:2",
			ARRAY_RANGES_MAX);
	for (size_t i = 0; i < count; i++) {
		if (range[i].step <= 0)
			return err_set(err, "the step of an array must be at least 1, got %" PRId64,
				       range[i].step);
		if (!is_range(&range[i]))
			return err_set(err, "a range of task numbers must be ascending, between 0 and %d",
				       ARRAY_INDEX_MAX);
		tasks += count_of(&range[i]);
		if (tasks > ARRAY_TASKS_MAX)
			return err_set(err, "an array can have at most %d tasks", ARRAY_TASKS_MAX);
	}
	for (size_t i = 1; i < count; i++)
		for (size_t k = 0; k < i; k++) {
			int64_t twice = shared_number(&range[i], &range[k]);

			if (twice >= 0)
				return err_set(err, "task number %" PRId64 " occurs twice", twice);
		}
	return true;
}

/* --- parsing ------------------------------------------------------------------------------------- */

/*
 * Parses the digits at *at and moves *at behind them. Returns false if there are none or the number exceeds
 * ARRAY_INDEX_MAX.
 */
static bool take_number(const char **at, int64_t *out)
{
	size_t digits = strspn(*at, DIGITS);

	*out = 0;
	for (size_t i = 0; i < digits; i++)
		if (*out <= ARRAY_INDEX_MAX)
			*out = *out * 10 + (*at)[i] - '0';
	*at += digits;
	return digits > 0 && *out <= ARRAY_INDEX_MAX;
}

/*
 * Parses a range such as 1-100:10 at *at and moves *at behind it. Returns false if it is not a valid range.
 */
static bool take_range(const char **at, struct array_range *out)
{
	*out = (struct array_range){.step = 1};
	if (!take_number(at, &out->first))
		return false;
	out->last = out->first;
	if (**at == '-') {
		++*at;
		if (!take_number(at, &out->last))
			return false;
		if (**at == ':') {
			++*at;
			if (!take_number(at, &out->step))
				return false;
		}
	}
	return is_range(out);
}

bool array_read(const char **at, struct array_range *out, uint32_t *count)
{
	*count = 0;
	for (;; ++*at) {
		if (*count == ARRAY_RANGES_MAX || !take_range(at, &out[*count]))
			return false;
		++*count;
		if (**at != ',')
			return true;
	}
}

/* --- labels ----------------------------------------------------------------------------------------- */

bool array_word_read(const char *word, struct array_word *out)
{
	const char *at = strchr(word, '[');

	*out = (struct array_word){.stem = word};
	if (at == NULL || at == word)
		return false;
	out->len = (size_t)(at - word);
	at++;
	return (*at == ']' || array_read(&at, out->range, &out->count)) && strcmp(at, "]") == 0;
}

bool array_word_has(const struct array_word *word, const char *label)
{
	const char *at = label + word->len;
	int64_t number;

	if (strncmp(label, word->stem, word->len) != 0 || *at != '[')
		return false;
	at++;
	if (!take_number(&at, &number) || strcmp(at, "]") != 0)
		return false;
	for (uint32_t i = 0; i < word->count; i++)
		if (contains(&word->range[i], number))
			return true;
	return word->count == 0;
}

void array_add_numbers(const uint32_t *number, size_t count, struct str *out)
{
	size_t ranges = 0;

	for (size_t i = 0; i < count;) {
		size_t last = i;

		while (last + 1 < count && number[last + 1] == number[last] + 1)
			last++;
		if (ranges == RANGES_SHOWN) {
			str_add(out, ",...");
			return;
		}
		str_addf(out, "%s%" PRIu32, ranges++ > 0 ? "," : "", number[i]);
		if (last > i)
			str_addf(out, "%c%" PRIu32, last > i + 1 ? '-' : ',', number[last]);
		i = last + 1;
	}
}
