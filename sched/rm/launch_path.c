/* SPDX-License-Identifier: MIT */
/*
 * launch_path.c - job names and output paths
 *
 * As launch.h has it: no two jobs, and no two tasks of an array, share a file by accident.
 */
#include <inttypes.h>
#include <string.h>

#include "launch.h"

/* "3" of the label "12[3]"; NULL when there is none. */
static const char *array_number(const char *label, size_t *len)
{
	const char *open = label == NULL ? NULL : strchr(label, '[');
	const char *close = open == NULL ? NULL : strchr(open, ']');

	if (close == NULL || close == open + 1)
		return NULL;
	*len = (size_t)(close - open - 1);
	return open + 1;
}

void launch_job_id(const struct launch *launch, struct str *out)
{
	if (launch->label != NULL)
		str_add(out, launch->label);
	else
		str_addf(out, "%" PRIu64, launch->job);
}

/* Part of a file's name: no '/' in it. */
static void add_name(struct str *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		str_add_char(out, (char)(text[i] == '/' ? '_' : text[i]));
}

static void add_array_number(struct str *out, const char *label)
{
	size_t len;
	const char *number = array_number(label, &len);

	if (number != NULL)
		add_name(out, number, len);
}

void launch_array_id(const struct launch *launch, struct str *out)
{
	add_array_number(out, launch->label);
}

/* "12", and "12-3" for "12[3]" unless the array's number is told apart. */
static void add_job(struct str *out, const struct launch *launch, bool apart)
{
	size_t len;
	const char *number = array_number(launch->label, &len);

	if (number == NULL && launch->label != NULL) {
		add_name(out, launch->label, strlen(launch->label));
	} else if (number == NULL) {
		str_addf(out, "%" PRIu64, launch->job);
	} else {
		add_name(out, launch->label, (size_t)(number - 1 - launch->label));
		if (!apart) {
			str_add_char(out, '-');
			add_name(out, number, len);
		}
	}
}

/* %a stands in it. */
static bool tells_array_apart(const char *pattern)
{
	for (const char *c = strchr(pattern, '%'); c != NULL && c[1] != '\0'; c = strchr(c + 2, '%'))
		if (c[1] == 'a')
			return true;
	return false;
}

/* What % and a letter stand for; false: for nothing. */
static bool add_percent(struct str *out, char letter, const struct launch *launch, bool apart)
{
	switch (letter) {
	case 'j':
		add_job(out, launch, apart);
		return true;
	case 'a':
		add_array_number(out, launch->label);
		return true;
	case 'u':
		add_name(out, launch->user, launch->user == NULL ? 0 : strlen(launch->user));
		return true;
	case '%':
		str_add_char(out, '%');
		return true;
	default:
		return false;
	}
}

bool launch_path(const char *pattern, const struct launch *launch, struct str *out, struct err *err)
{
	bool apart = tells_array_apart(pattern);

	for (const char *c = pattern; *c != '\0'; c++)
		if (*c != '%')
			str_add_char(out, *c);
		else if (!add_percent(out, *++c, launch, apart))
			return err_set(err,
				       "%s has a '%%' that says nothing here; %%j is the job, %%a its number "
				       "in an array, %%u the user, %%%% a percent sign",
				       pattern);
	return true;
}
