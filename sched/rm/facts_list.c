/* SPDX-License-Identifier: MIT */
/*
 * facts_list.c - which processors are meant by "0-3,8"?
 *
 * The form of the kernel's own lists: ascending ranges parted by commas, "" is none. Ascending means that
 * a list names no processor twice and is never longer than what it names.
 */
#include "facts_inside.h"

#include <string.h>

struct range {
	uint32_t first, last;
};

static bool take_id(const char **at, uint32_t *out)
{
	uint32_t id = 0;
	const char *c = *at;

	for (; *c >= '0' && *c <= '9'; c++) {
		id = id * 10 + (uint32_t)(*c - '0');
		if (id > UINT16_MAX)
			return false;
	}
	if (c == *at)
		return false;
	*at = c;
	*out = id;
	return true;
}

/* Takes one range and the comma behind it; next: the smallest id that may come. */
static bool take_range(const char **at, uint32_t next, struct range *out)
{
	if (!take_id(at, &out->first))
		return false;
	out->last = out->first;
	if (**at == '-') {
		++*at;
		if (!take_id(at, &out->last))
			return false;
	}
	if (out->first < next || out->last < out->first)
		return false;
	if (**at == ',') {
		++*at;
		return **at != '\0';
	}
	return **at == '\0';
}

bool cpu_set_read(const char *text, struct cpu_set *out)
{
	struct range r = {0};

	memset(out, 0, sizeof *out);
	for (uint32_t next = 0; *text != '\0'; next = r.last + 1) {
		if (!take_range(&text, next, &r))
			return false;
		for (uint32_t id = r.first; id <= r.last && id < FACTS_CPUS_MAX; id++)
			out->has[id] = true;
	}
	return true;
}

bool facts_read_cpus(const char *text, uint16_t *id, size_t room, size_t *count, struct err *err)
{
	const char *at = text;
	struct range r = {0};

	*count = 0;
	for (uint32_t next = 0; *at != '\0'; next = r.last + 1) {
		if (!take_range(&at, next, &r))
			return err_set(err,
				       "\"%s\" is not a list of processors: ascending numbers and ranges "
				       "such as 0-3,8 are one",
				       text);
		if (r.last - r.first >= room - *count)
			return err_set(err, "\"%s\" names more than %zu processors", text, room);
		for (uint32_t i = r.first; i <= r.last; i++)
			id[(*count)++] = (uint16_t)i;
	}
	return true;
}

void facts_list_cpus(const uint16_t *id, size_t count, struct str *out)
{
	size_t end;

	for (size_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count && id[end] == id[end - 1] + 1; end++)
			;
		str_addf(out, i > 0 ? ",%u" : "%u", id[i]);
		if (end - i > 1)
			str_addf(out, "-%u", id[end - 1]);
	}
}
