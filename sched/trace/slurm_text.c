/* SPDX-License-Identifier: MIT */
/*
 * slurm_text.c - times, sizes, lists of nodes and generic resources as Slurm's commands print them
 */
#include "slurm_text.h"

#include <stdio.h>
#include <string.h>

#include "sched/base/duration.h"

/* --- words and numbers -------------------------------------------------------------------------------- */

bool slurm_is_none(const char *text)
{
	static const char *const none[] = {"", "(null)", "N/A", "n/a", "None", "NONE", "Unknown"};

	for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
		if (strcmp(text, none[i]) == 0)
			return true;
	return false;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Parses digits and returns a pointer to the text after them; NULL if there is no digit or more than `most`.
 */
static const char *digits(const char *at, unsigned most, uint64_t *out)
{
	const char *begin = at;

	for (*out = 0; is_digit(*at); at++) {
		if ((unsigned)(at - begin) == most)
			return NULL;
		*out = *out * 10 + (uint64_t)(*at - '0');
	}
	return at == begin ? NULL : at;
}

bool slurm_count(const char *text, uint32_t *out)
{
	uint64_t number;
	const char *end = digits(text, 10, &number);

	if (end == NULL || *end != '\0' || number > UINT32_MAX)
		return false;
	*out = (uint32_t)number;
	return true;
}

/* --- times and durations ------------------------------------------------------------------------------ */

#define TIME_LEN 19 /* "2026-11-29T02:51:39" */

bool slurm_time(const char *text, int64_t *out)
{
	*out = 0;
	if (slurm_is_none(text))
		return true;
	return strlen(text) == TIME_LEN && text[4] == '-' && text[10] == 'T' && text[13] == ':' &&
	       moment_parse(text, 0, out, NULL);
}

bool slurm_duration(const char *text, int64_t *out_s)
{
	static const char *const unset[] = {"NOT_SET", "INVALID", "Partition_Limit"};
	uint64_t number, days = 0, part[3] = {0};
	unsigned parts = 0;
	const char *at = text;

	*out_s = 0;
	for (size_t i = 0; i < sizeof unset / sizeof unset[0]; i++)
		if (strcmp(text, unset[i]) == 0)
			return true;
	if (strcmp(text, "UNLIMITED") == 0 || strcmp(text, "INFINITE") == 0)
		*out_s = SLURM_UNLIMITED;
	if (*out_s != 0 || slurm_is_none(text))
		return true;
	for (; parts < 3; at++) {
		at = digits(at, 9, &number);
		if (at == NULL)
			return false;
		if (*at == '-' && parts == 0 && days == 0) {
			days = number;
			continue;
		}
		part[parts++] = number;
		if (*at != ':')
			break;
	}
	if (at == NULL || *at != '\0' || parts < 2)
		return false;
	*out_s = (int64_t)days * 86400;
	for (unsigned i = 0, unit = parts == 3 ? 3600 : 60; i < parts; i++, unit /= 60)
		*out_s += (int64_t)part[i] * unit;
	return *out_s <= DURATION_MAX_S;
}

bool slurm_size_mb(const char *text, int64_t *out_mb)
{
	static const char units[] = "KMGTP";
	uint64_t whole, decimals = 0;
	double value, scale = 1;
	const char *at = digits(text, 12, &whole), *unit;

	*out_mb = 0;
	if (at == NULL)
		return slurm_is_none(text);
	value = (double)whole;
	if (*at == '.') {
		const char *end = digits(at + 1, 9, &decimals);

		if (end == NULL)
			return false;
		for (const char *digit = at + 1; digit < end; digit++)
			scale /= 10;
		value += (double)decimals * scale;
		at = end;
	}
	unit = *at == '\0' ? &units[1] : strchr(units, *at);
	if (unit == NULL || (*at != '\0' && at[1] != '\0'))
		return false;
	for (const char *u = &units[1]; u < unit; u++)
		value *= 1024;
	if (unit < &units[1])
		value /= 1024;
	if (value > (double)MEMORY_MAX_MB)
		return false;
	*out_mb = (int64_t)value;
	return true;
}

/* --- lists of nodes ----------------------------------------------------------------------------------- */

/* The node name that is being composed from an item of the list such as "n[1-3]". */
struct host {
	char name[SLURM_NAME];
	slurm_visit_host *visit;
	void *self;
	unsigned left; /* number of further nodes that the list may name */
};

static bool expand(struct host *h, const char *at, const char *end, size_t len);

/* Expands one range of a bracket: appends each of its numbers, and then the rest of the name. */
static bool expand_range(struct host *h, const char **at, const char *behind, const char *end, size_t len)
{
	uint64_t first, last;
	const char *begin = *at;
	int width;

	*at = digits(*at, 9, &first);
	if (*at == NULL)
		return false;
	width = (int)(*at - begin);
	last = first;
	if (**at == '-') {
		*at = digits(*at + 1, 9, &last);
		if (*at == NULL || last < first || last - first >= SLURM_HOSTS_MAX)
			return false;
	}
	for (uint64_t n = first; n <= last; n++) {
		int added = snprintf(h->name + len, SLURM_NAME - len, "%0*llu", width, (unsigned long long)n);

		if (added < 0 || (size_t)added >= SLURM_NAME - len ||
		    !expand(h, behind, end, len + (size_t)added))
			return false;
	}
	return true;
}

/*
 * Appends the rest of an item, from `at` to `end`, to the first `len` bytes of h->name. Visits each resulting
 * name.
 */
static bool expand(struct host *h, const char *at, const char *end, size_t len)
{
	const char *behind;

	for (; at < end && *at != '['; at++) {
		if (*at == ']' || (unsigned char)*at <= ' ' || len + 1 >= SLURM_NAME)
			return false;
		h->name[len++] = *at;
	}
	if (at == end) {
		h->name[len] = '\0';
		if (h->left == 0 || len == 0)
			return false;
		h->left--;
		return h->visit(h->self, h->name);
	}
	behind = memchr(at, ']', (size_t)(end - at));
	if (behind == NULL)
		return false;
	do {
		at++;
		if (!expand_range(h, &at, behind + 1, end, len))
			return false;
	} while (at < behind && *at == ',');
	return at == behind;
}

/* Returns the end of the first name of a list: the next comma outside of brackets. */
static const char *end_of_name(const char *at)
{
	bool inside = false;

	for (; *at != '\0' && (inside || *at != ','); at++)
		inside = *at == '[' || (inside && *at != ']');
	return at;
}

bool slurm_hosts(const char *list, slurm_visit_host *visit, void *self)
{
	struct host h = {.visit = visit, .self = self, .left = SLURM_HOSTS_MAX};

	if (slurm_is_none(list))
		return true;
	for (;;) {
		const char *end = end_of_name(list);

		if (!expand(&h, list, end, 0))
			return false;
		if (*end == '\0')
			return true;
		list = end + 1;
	}
}

/* --- generic resources -------------------------------------------------------------------------------- */

#define GRES_PARTS 4

/* Returns the end of an item: the next comma outside of parentheses. */
static const char *end_of_item(const char *at)
{
	unsigned depth = 0;

	for (; *at != '\0' && (depth > 0 || *at != ','); at++)
		if (*at == '(')
			depth++;
		else if (*at == ')' && depth > 0)
			depth--;
	return at;
}

/* Reads one item, "gpu:a100:2", "gpu:2", "gpu" (a count of 1) or "gpu:a100=2". */
static bool read_gres(const char *at, size_t len, slurm_visit_gres *visit, void *self)
{
	char text[2 * SLURM_NAME], *part[GRES_PARTS], *next = text;
	unsigned parts = 0;
	uint32_t count = 1;

	if (len >= sizeof text)
		return false;
	memcpy(text, at, len);
	text[len] = '\0';
	text[strcspn(text, "(")] = '\0';
	for (; next != NULL && parts < GRES_PARTS; parts++) {
		part[parts] = next;
		next = strpbrk(next, ":=");
		if (next != NULL)
			*next++ = '\0';
	}
	if (next != NULL || part[0][0] == '\0')
		return false;
	if (parts > 1 && is_digit(part[parts - 1][0])) {
		if (!slurm_count(part[--parts], &count))
			return false;
	} else if (parts > 2) {
		return false;
	}
	if (parts > 2)
		return false;
	visit(self, part[0], parts > 1 ? part[1] : "", count);
	return true;
}

bool slurm_gres(const char *list, slurm_visit_gres *visit, void *self)
{
	bool good = true;

	if (slurm_is_none(list))
		return true;
	for (;;) {
		const char *end = end_of_item(list);
		size_t len = (size_t)(end - list), skip = 0;

		if (strncmp(list, "gres:", 5) == 0 || strncmp(list, "gres/", 5) == 0)
			skip = 5;
		/* "cpu=4" is counted by Slurm but is not a generic resource */
		if (skip > 0 || memchr(list, '=', len) == NULL)
			good = read_gres(list + skip, len - skip, visit, self) && good;
		if (*end == '\0')
			return good;
		list = end + 1;
	}
}

bool slurm_tres(const char *list, const char *name, struct str *out)
{
	size_t name_len = strlen(name);

	for (const char *at = list;;) {
		size_t len = strcspn(at, ",");

		if (len > name_len && strncmp(at, name, name_len) == 0 && at[name_len] == '=') {
			str_add_bytes(out, at + name_len + 1, len - name_len - 1);
			return true;
		}
		if (at[len] == '\0')
			return false;
		at += len + 1;
	}
}

/* --- lines of scontrol -------------------------------------------------------------------------------- */

const char *slurm_value(const char *line, const char *key, size_t *len)
{
	size_t key_len = strlen(key);

	for (const char *at = line; at != NULL; at = strchr(at, ' ')) {
		at += strspn(at, " ");
		if (strncmp(at, key, key_len) == 0 && at[key_len] == '=') {
			at += key_len + 1;
			*len = strcspn(at, " ");
			return at;
		}
		if (*at == '\0')
			return NULL;
	}
	return NULL;
}
