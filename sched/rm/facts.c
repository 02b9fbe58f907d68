/* SPDX-License-Identifier: MIT */
/*
 * facts.c - what is this host?
 *
 * Each question has a file of its own; here the answers come together.
 */
#include "facts_inside.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Of letters, digits, '.', '-' and '_', as the name of a node. */
static void read_name(const char *root, struct facts *out)
{
	struct str text = {0};

	if (kernel_text(&text, "%s/proc/sys/kernel/hostname", root) && text.len > 0)
		snprintf(out->host, sizeof out->host, "%s", str_text(&text));
	else
		snprintf(out->host, sizeof out->host, "localhost");
	str_free(&text);
	for (char *c = out->host; *c != '\0'; c++)
		if (!(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z') && !(*c >= '0' && *c <= '9') &&
		    *c != '.' && *c != '-')
			*c = '_';
}

bool facts_read(const char *root, const char *devices, struct facts *out, struct err *err)
{
	const char *prefix = kernel_root(root);
	struct str why = {0};

	memset(out, 0, sizeof *out);
	if (!facts_read_processors(prefix, out, err) || !facts_read_devices(prefix, devices, out, err))
		return false;
	read_name(prefix, out);
	facts_read_memory(prefix, out);
	out->level = facts_cgroup(root, out->cgroup, sizeof out->cgroup, &why);
	str_free(&why);
	return true;
}
