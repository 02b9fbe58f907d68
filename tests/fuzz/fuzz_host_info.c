/* SPDX-License-Identifier: MIT */
/*
 * fuzz_host_info.c - files of /proc and /sys with any content
 *
 * An accepted list is equal after it is written and read again.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/rm/host_info_inside.h"
#include "sched/rm/outside_processes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good)
{
	if (!good)
		abort();
}

static void try_list(const char *text)
{
	static uint16_t id[UINT16_MAX + 1], again[UINT16_MAX + 1];
	struct cpu_set set;
	struct err err = {""};
	struct str list = {0};
	size_t count;
	size_t count_again;

	bool good = host_info_read_cpus(text, id, UINT16_MAX + 1, &count, &err);
	require(good == cpu_set_read(text, &set));
	if (!good) {
		require(err.text[0]);
		return;
	}
	host_info_list_cpus(id, count, &list);
	require(host_info_read_cpus(str_text(&list), again, count, &count_again, NULL));
	require(count == count_again && memcmp(id, again, count * sizeof *id) == 0);
	for (size_t i = 0; i < count; i++)
		require(id[i] >= HOST_CPUS_MAX || set.has[id[i]]);
	require(count == 0 || !host_info_read_cpus(text, again, count - 1, &count_again, NULL));
	str_free(&list);
}

static void try_lines(const char *text)
{
	struct str word = {0};
	int64_t number;

	if (kernel_line(text, "MemTotal:", &word))
		require(strchr(str_text(&word), '\n') == NULL);
	if (kernel_line_number(text, "MemTotal:", &number))
		require(kernel_line(text, "MemTotal:", &word));
	kernel_has_word(text, "memory");
	str_free(&word);
}

static void try_process(const char *text)
{
	struct process p;

	if (!process_read(text, &p))
		return;
	require(p.pid > 0 && p.ticks >= 0 && p.pages >= 0 && p.start >= 0);
	for (const char *c = p.name; *c != '\0'; c++)
		require(*c >= ' ' && *c <= '~');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_alloc(size + 1);

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	try_list(text);
	try_lines(text);
	try_process(text);
	free(text);
	return 0;
}
