/* SPDX-License-Identifier: MIT */
/*
 * facts_memory.c - how much memory may jobs use together?
 *
 * All the kernel has, or what the cgroup that we stand in is bound to when that is less: jobs run below it.
 * A bound of any folder above ours binds us too. Version 1 says the smallest of them itself.
 */
#include "facts_inside.h"

#include <string.h>

#define KB_PER_MB 1024

/* Bytes; the smallest of the numbers in `file` from our folder up to the mount; "max" is no number. */
static int64_t smallest_bound(const struct cgroup_place *place, const char *file)
{
	struct str folder = {0};
	int64_t smallest = INT64_MAX;

	str_add(&folder, str_text(&place->folder));
	while (folder.len >= place->mount.len) {
		int64_t bytes;

		if (kernel_number(&bytes, "%s/%s", str_text(&folder), file) && bytes >= 0 && bytes < smallest)
			smallest = bytes;
		const char *slash = strrchr(str_text(&folder), '/'); /* one of the mount's at the latest */
		folder.len = (size_t)(slash - folder.data);
		folder.data[folder.len] = '\0';
	}
	str_free(&folder);
	return smallest;
}

static int64_t bound_of_version_1(const char *root)
{
	struct cgroup_place place;
	struct str text = {0};
	int64_t bytes = INT64_MAX;

	if (cgroup_find(root, "memory", &place) &&
	    kernel_text(&text, "%s/memory.stat", str_text(&place.folder)))
		kernel_line_number(str_text(&text), "hierarchical_memory_limit", &bytes);
	str_free(&text);
	cgroup_place_free(&place);
	return bytes >= 0 ? bytes : INT64_MAX;
}

static void lower(int64_t *mb, int64_t bytes)
{
	if (bytes / (KB_PER_MB * 1024) < *mb)
		*mb = bytes / (KB_PER_MB * 1024);
}

void facts_read_memory(const char *root, struct facts *out)
{
	struct str text = {0};
	struct cgroup_place place;
	int64_t kb;

	out->mem_mb = out->swap_mb = 0;
	if (kernel_text(&text, "%s/proc/meminfo", root)) {
		if (kernel_line_number(str_text(&text), "MemTotal:", &kb) && kb > 0)
			out->mem_mb = kb / KB_PER_MB;
		if (kernel_line_number(str_text(&text), "SwapTotal:", &kb) && kb > 0)
			out->swap_mb = kb / KB_PER_MB;
	}
	str_free(&text);
	lower(&out->mem_mb, bound_of_version_1(root));
	if (cgroup_find(root, NULL, &place)) {
		lower(&out->mem_mb, smallest_bound(&place, "memory.max"));
		lower(&out->swap_mb, smallest_bound(&place, "memory.swap.max"));
	}
	cgroup_place_free(&place);
}
