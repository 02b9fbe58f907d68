/* SPDX-License-Identifier: MIT */
/*
 * state_depend_text.c - how is written what a job waits for?
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "state_inside.h"

static const char *const type_names[DEPEND_TYPE_COUNT] = {
	[DEPEND_START] = "after",
	[DEPEND_COMPLETE] = "afterany",
	[DEPEND_OK] = "afterok",
	[DEPEND_FAILED] = "afternotok",
};

/* Behind the id: what has become of it. Only texts that are kept have one. */
static const char state_marks[] = {[DEPEND_OPEN] = '\0', [DEPEND_MET] = '+', [DEPEND_NEVER] = '-'};

/* "afterok", or as PBS has it for whole arrays "afterokarray". */
static bool read_type(const char *text, size_t len, uint8_t *out, bool *array)
{
	static const char suffix[] = "array";
	char name[24] = "";

	if (len >= sizeof name)
		return false;
	memcpy(name, text, len);
	*array = len > strlen(suffix) && str_same_word(name + len - strlen(suffix), suffix);
	if (*array)
		name[len - strlen(suffix)] = '\0';
	for (unsigned t = 0; t < DEPEND_TYPE_COUNT; t++)
		if (str_same_word(name, type_names[t])) {
			*out = (uint8_t)t;
			return true;
		}
	return false;
}

/* "[]": all tasks; "[3]": one. */
static bool read_brackets(char **at, struct depend *out)
{
	char *end = *at + 1;
	unsigned long number = 0;

	out->of = *end == ']' ? DEPEND_ON_ARRAY : DEPEND_ON_TASK;
	if (out->of == DEPEND_ON_TASK) {
		if (!isdigit((unsigned char)*end))
			return false;
		number = strtoul(end, &end, 10);
	}
	if (*end != ']' || number > ARRAY_INDEX_MAX)
		return false;
	out->number = (uint32_t)number;
	*at = end + 1;
	return true;
}

static bool read_id(const char **at, struct depend *out)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;
	out->on = strtoull(*at, &end, 10);
	if (*end == '[' && !read_brackets(&end, out))
		return false;
	out->state = *end == '+' ? DEPEND_MET : *end == '-' ? DEPEND_NEVER : DEPEND_OPEN;
	*at = end + (out->state != DEPEND_OPEN);
	return **at == '\0' || **at == ':' || **at == ',';
}

/* "afterok:12:13": one kind and its jobs. */
static bool read_group(const char **at, struct depend_list *out)
{
	struct depend depend = {.next = INDEX_NONE};
	size_t len = strcspn(*at, ":,");
	bool array;

	if (!read_type(*at, len, &depend.type, &array) || (*at)[len] != ':')
		return false;
	for (*at += len; **at == ':';) {
		++*at;
		depend.of = array ? DEPEND_ON_ARRAY : DEPEND_ON_JOB;
		depend.number = 0;
		if (!read_id(at, &depend) || (array && depend.of != DEPEND_ON_ARRAY))
			return false;
		out->item = vec_room(out->item, &out->room, out->count + 1, sizeof *out->item);
		out->item[out->count++] = depend;
	}
	return true;
}

bool depend_list_read(const char *text, struct depend_list *out, struct err *err)
{
	const char *at = text;

	out->count = 0;
	while (*at != '\0')
		if (!read_group(&at, out) || (*at == ',' && *++at == '\0'))
			return err_set(err,
				       "\"%s\" says no dependencies; write afterok:12,afterany:13, or "
				       "afterok:14[] for all tasks of an array (%s)",
				       text, DEPEND_NAMES);
	return true;
}

void state_add_depend(const struct depend *depend, struct str *out)
{
	char on[DEPEND_ON_TEXT];

	str_addf(out, "%s:%s", type_names[depend->type], job_depend_on(depend, on));
	if (depend->state != DEPEND_OPEN)
		str_add_char(out, state_marks[depend->state]);
}

void state_add_depends(const struct snapshot *s, const struct job *job, struct str *out)
{
	for (uint32_t d = job->depend; d != INDEX_NONE; d = snapshot_depends(s)[d].next) {
		if (d != job->depend)
			str_add_char(out, ',');
		state_add_depend(&snapshot_depends(s)[d], out);
	}
}
