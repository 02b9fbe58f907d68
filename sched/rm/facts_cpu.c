/* SPDX-License-Identifier: MIT */
/*
 * facts_cpu.c - which processors may we use, and which of them are one core?
 *
 * Ours are those that are online and in the mask we were started with: a container or an operator may
 * have set it. Processors are of one core when the kernel lists them as each other's siblings; their core is
 * then known by the smallest of them. Where no siblings are listed, those of one core_id in one package are;
 * where that is not said either, each is a core of its own. The order is domain, core, number.
 *
 * Numbers of FACTS_CPUS_MAX and above are left out: nobody could be bound to them (cpu_set_t ends there).
 */
#include "facts_inside.h"

#include <dirent.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

#define ROOM_IDS   65536 /* processors that a kernel may know of */
#define SYS_CPU    "%s/sys/devices/system/cpu"
#define SYS_NODE   "%s/sys/devices/system/node"
#define CORE_ID_OF INT64_C(0x100000000) /* above every number of a processor */

/* One of ours while its place is looked for. */
struct found {
	struct cpu cpu;
	int64_t core_key; /* the same for all of one core */
};

/* --- which are ours ------------------------------------------------------------------------- */

static bool ask_mask(struct cpu_set *out)
{
	cpu_set_t *mask = CPU_ALLOC(ROOM_IDS);
	size_t size = CPU_ALLOC_SIZE(ROOM_IDS);

	if (mask == NULL)
		return false;
	CPU_ZERO_S(size, mask);
	bool good = sched_getaffinity(0, size, mask) == 0;
	for (size_t id = 0; id < FACTS_CPUS_MAX; id++)
		out->has[id] = good && CPU_ISSET_S(id, size, mask);
	CPU_FREE(mask);
	return good;
}

static bool read_mask(const char *root, struct cpu_set *out)
{
	struct str status = {0};
	struct str list = {0};
	bool good = kernel_text(&status, "%s/proc/self/status", root) &&
		    kernel_line(str_text(&status), "Cpus_allowed_list:", &list) &&
		    cpu_set_read(str_text(&list), out);

	str_free(&status);
	str_free(&list);
	return good;
}

/* Allowed and online; what is not said does not leave anyone out, but one of both must be. */
static bool read_ours(const char *root, struct cpu_set *out)
{
	struct cpu_set online;
	struct str list = {0};
	bool have_mask = *root == '\0' ? ask_mask(out) : read_mask(root, out);
	bool have_online =
		kernel_text(&list, SYS_CPU "/online", root) && cpu_set_read(str_text(&list), &online);

	str_free(&list);
	if (!have_mask && have_online)
		*out = online;
	for (size_t id = 0; have_mask && have_online && id < FACTS_CPUS_MAX; id++)
		out->has[id] = out->has[id] && online.has[id];
	return have_mask || have_online;
}

/* --- where they are ------------------------------------------------------------------------- */

static int64_t smallest_of(const struct cpu_set *set)
{
	for (int64_t id = 0; id < FACTS_CPUS_MAX; id++)
		if (set->has[id])
			return id;
	return -1;
}

/* The smallest of its siblings; -1: they are not listed, or it is not among them. */
static int64_t read_siblings(const char *root, uint16_t id)
{
	struct cpu_set siblings;
	struct str list = {0};
	bool good = kernel_text(&list, SYS_CPU "/cpu%u/topology/thread_siblings_list", root, id) &&
		    cpu_set_read(str_text(&list), &siblings) && siblings.has[id];

	str_free(&list);
	return good ? smallest_of(&siblings) : -1;
}

static int64_t read_core_key(const char *root, uint16_t id)
{
	int64_t core = 0;
	int64_t package = 0;
	int64_t first = read_siblings(root, id);

	if (first >= 0)
		return first;
	if (!kernel_number(&core, SYS_CPU "/cpu%u/topology/core_id", root, id) || core < 0 ||
	    core > UINT16_MAX)
		return id;
	if (!kernel_number(&package, SYS_CPU "/cpu%u/topology/physical_package_id", root, id) ||
	    package < 0 || package > UINT16_MAX)
		package = 0;
	return CORE_ID_OF + package * ROOM_IDS + core;
}

/* "node12" -> 12; -1: it is no folder of a domain. */
static int64_t domain_number(const char *name)
{
	int64_t number;

	if (strncmp(name, "node", 4) != 0 || !str_read_whole(name + 4, &number) || number < 0 ||
	    number > UINT16_MAX)
		return -1;
	return number;
}

/* numa[id]: 0 where no domain claims it; of two that do the smaller one has it. */
static void read_domains(const char *root, uint16_t numa[static FACTS_CPUS_MAX])
{
	struct str text = {0};
	struct cpu_set set;
	struct cpu_set taken = {{false}};

	str_addf(&text, SYS_NODE, root);
	DIR *folder = opendir(str_text(&text));
	for (struct dirent *e = folder ? readdir(folder) : NULL; e != NULL; e = readdir(folder)) {
		int64_t number = domain_number(e->d_name);

		if (number < 0 || !kernel_text(&text, SYS_NODE "/%s/cpulist", root, e->d_name) ||
		    !cpu_set_read(str_text(&text), &set))
			continue;
		for (size_t id = 0; id < FACTS_CPUS_MAX; id++) {
			if (set.has[id] && (!taken.has[id] || number < numa[id]))
				numa[id] = (uint16_t)number;
			taken.has[id] = taken.has[id] || set.has[id];
		}
	}
	if (folder != NULL)
		closedir(folder);
	str_free(&text);
}

/* --- in their order ------------------------------------------------------------------------- */

static int compare_found(const void *left, const void *right)
{
	const struct found *a = left;
	const struct found *b = right;

	if (a->cpu.numa != b->cpu.numa)
		return a->cpu.numa < b->cpu.numa ? -1 : 1;
	if (a->core_key != b->core_key)
		return a->core_key < b->core_key ? -1 : 1;
	return a->cpu.id < b->cpu.id ? -1 : 1;
}

/* Cores get numbers in the order of the list, domains are counted. */
static void put_in_order(struct found *found, uint32_t count, struct facts *out)
{
	qsort(found, count, sizeof *found, compare_found);
	out->cpu_count = count;
	out->core_count = out->numa_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		bool other_numa = i == 0 || found[i].cpu.numa != found[i - 1].cpu.numa;

		out->numa_count += other_numa;
		out->core_count += other_numa || found[i].core_key != found[i - 1].core_key;
		out->cpu[i] = found[i].cpu;
		out->cpu[i].core = (uint16_t)(out->core_count - 1);
	}
}

bool facts_read_processors(const char *root, struct facts *out, struct err *err)
{
	uint16_t numa[FACTS_CPUS_MAX] = {0};
	struct cpu_set ours;
	uint32_t count = 0;

	if (!read_ours(root, &ours) || smallest_of(&ours) < 0)
		return err_set(err,
			       "no processor that Kahu may use is found in %s/proc/self/status and " SYS_CPU
			       "/online: are /proc and /sys mounted?",
			       root, root);
	struct found *found = mem_zero(FACTS_CPUS_MAX, sizeof *found);
	read_domains(root, numa);
	for (uint16_t id = 0; id < FACTS_CPUS_MAX; id++)
		if (ours.has[id])
			found[count++] = (struct found){.cpu = {.id = id, .numa = numa[id]},
							.core_key = read_core_key(root, id)};
	put_in_order(found, count, out);
	free(found);
	return true;
}
