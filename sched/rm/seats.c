/* SPDX-License-Identifier: MIT */
/*
 * seats.c - processors and devices allocated to jobs
 *
 * Allocation is best fit at three levels: the NUMA domain with the fewest free processors that suffice, else
 * all domains; completely free cores before partly used cores; devices of this domain before others.
 */
#include "seats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

#define NO_DOMAIN  UINT16_MAX
#define THE_SYSTEM UINT64_MAX /* stands for a job ID */

void seats_init(struct seats *seats, const struct host_info *host)
{
	*seats = (struct seats){.cpu_count = host->cpu_count, .device_count = host->device_count};
	memcpy(seats->cpu, host->cpu, host->cpu_count * sizeof *host->cpu);
	memcpy(seats->device, host->device, host->device_count * sizeof *host->device);
}

void seats_free(struct seats *seats)
{
	free(seats->held);
	seats->held = NULL;
	seats->held_count = seats->held_cap = 0;
}

/* --- devices and the jobs that use them -------------------------------------------------------- */

static bool is_kind(const struct device *device, const char *kind)
{
	return strcmp(device->kind, kind) == 0;
}

static bool is_numbered(const struct device *device)
{
	return strspn(device->id, "0123456789") == strlen(device->id);
}

/*
 * Are the two devices the same? Devices of two vendors may have the same number; a device from the site's
 * list has no vendor, and matches either. If one device is named by UUID and the other by number, the number
 * of /dev/nvidiaN decides.
 */
static bool is_same_device(const struct device *a, const struct device *b)
{
	if (strcmp(a->id, b->id) == 0)
		return strcmp(a->kind, b->kind) == 0 || is_kind(a, "listed") || is_kind(b, "listed");
	return a->node >= 0 && a->node == b->node && is_numbered(a) != is_numbered(b) && !is_kind(a, "amd") &&
	       !is_kind(b, "amd");
}

/* Returns the job to which the device is allocated; 0: it is free. */
static uint64_t holder_of(const struct seats *seats, const struct device *device)
{
	for (size_t i = 0; i < seats->held_count; i++)
		if (is_same_device(&seats->held[i].device, device))
			return seats->held[i].job;
	return 0;
}

static void find_holders(struct seats *seats)
{
	for (uint32_t i = 0; i < seats->device_count; i++)
		seats->device_job[i] = holder_of(seats, &seats->device[i]);
}

static void hold(struct seats *seats, uint64_t job, const struct device *device)
{
	seats->held = vec_room(seats->held, &seats->held_cap, seats->held_count + 1, sizeof *seats->held);
	seats->held[seats->held_count++] = (struct held_device){job, *device};
}

static void let_go(struct seats *seats, uint64_t job)
{
	size_t left = 0;

	for (size_t i = 0; i < seats->held_count; i++)
		if (seats->held[i].job != job)
			seats->held[left++] = seats->held[i];
	seats->held_count = left;
	find_holders(seats);
}

void seats_set_devices(struct seats *seats, const struct device *device, uint32_t count)
{
	memcpy(seats->device, device, count * sizeof *device);
	seats->device_count = count;
	seats->devices_avoided = 0;
	find_holders(seats);
}

uint32_t seats_unlisted(const struct seats *seats)
{
	uint32_t count = 0;

	for (size_t i = 0; i < seats->held_count; i++) {
		bool listed = false;

		for (uint32_t k = 0; k < seats->device_count && !listed; k++)
			listed = is_same_device(&seats->held[i].device, &seats->device[k]);
		count += !listed;
	}
	return count;
}

/* --- processors and the jobs that use them ----------------------------------------------------- */

void seats_keep(struct seats *seats, uint32_t cpus)
{
	seats->kept = cpus < seats->cpu_count ? cpus : seats->cpu_count;
	seats_give_back(seats, THE_SYSTEM);
	for (uint32_t i = 0; i < seats->kept; i++)
		if (seats->cpu_job[i] == 0)
			seats->cpu_job[i] = THE_SYSTEM;
}

static uint32_t free_in(const struct seats *seats, uint16_t numa)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < seats->cpu_count; i++)
		count += seats->cpu_job[i] == 0 && (numa == NO_DOMAIN || seats->cpu[i].numa == numa);
	return count;
}

/*
 * Returns the NUMA domain with the fewest free processors, but at least `cpus`; NO_DOMAIN if no domain has
 * that many.
 */
static uint16_t choose_domain(const struct seats *seats, uint32_t cpus)
{
	uint32_t least = UINT32_MAX;
	uint16_t best = NO_DOMAIN;

	for (uint32_t i = 0; i < seats->cpu_count; i++) {
		uint16_t numa = seats->cpu[i].numa;
		uint32_t room = i > 0 && seats->cpu[i - 1].numa == numa ? 0 : free_in(seats, numa);

		if (room < cpus || room >= least)
			continue;
		least = room;
		best = numa;
	}
	return best;
}

/*
 * Returns the number of processors of the core that begins at index i, and sets *free_count to the number of
 * free ones.
 */
static uint32_t core_size(const struct seats *seats, uint32_t i, uint32_t *free_count)
{
	uint32_t size = 0;

	*free_count = 0;
	for (; i + size < seats->cpu_count && seats->cpu[i + size].core == seats->cpu[i].core; size++)
		*free_count += seats->cpu_job[i + size] == 0;
	return size;
}

/*
 * Allocates up to `wanted` processors: of completely free cores if `whole`, else of any core. Returns how
 * many are missing.
 */
static uint32_t take_cores(struct seats *seats, uint64_t job, uint16_t numa, bool whole, uint32_t wanted)
{
	uint32_t size, free_count;

	for (uint32_t i = 0; i < seats->cpu_count && wanted > 0; i += size) {
		size = core_size(seats, i, &free_count);
		if ((numa != NO_DOMAIN && seats->cpu[i].numa != numa) ||
		    (whole && (free_count < size || wanted < size)))
			continue;
		for (uint32_t k = i; k < i + size && wanted > 0; k++)
			if (seats->cpu_job[k] == 0) {
				seats->cpu_job[k] = job;
				wanted--;
			}
	}
	return wanted;
}

void seats_avoid(struct seats *seats, uint64_t devices)
{
	seats->devices_avoided = devices;
}

/*
 * Allocates up to `wanted` free devices of one domain (NO_DOMAIN: of any): with `avoided`, only devices that
 * outside processes use, otherwise only others. Returns how many are missing.
 */
static uint32_t take_some(struct seats *seats, uint64_t job, uint16_t numa, bool avoided, uint32_t wanted)
{
	for (uint32_t i = 0; i < seats->device_count && wanted > 0; i++)
		if (seats->device_job[i] == 0 && (numa == NO_DOMAIN || seats->device[i].numa == numa) &&
		    (seats->devices_avoided >> i & 1) == avoided) {
			seats->device_job[i] = job;
			hold(seats, job, &seats->device[i]);
			wanted--;
		}
	return wanted;
}

/*
 * Allocates `wanted` devices. Devices that no outside process uses come first, even if they are in other
 * domains; devices of domain `numa` come before others.
 */
static void take_devices(struct seats *seats, uint64_t job, uint16_t numa, uint32_t wanted)
{
	for (int avoided = 0; avoided <= 1; avoided++) {
		wanted = take_some(seats, job, numa, avoided != 0, wanted);
		wanted = take_some(seats, job, NO_DOMAIN, avoided != 0, wanted);
	}
}

static uint32_t free_devices(const struct seats *seats)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < seats->device_count; i++)
		count += seats->device_job[i] == 0;
	return count;
}

static int by_id(const void *a, const void *b)
{
	const uint16_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void name_seats(const struct seats *seats, uint64_t job, struct str *cpu_list, struct str *device_list)
{
	uint16_t id[HOST_CPUS_MAX] = {0};
	const char *between = "";
	size_t count = 0;

	for (uint32_t i = 0; i < seats->cpu_count; i++)
		if (seats->cpu_job[i] == job)
			id[count++] = seats->cpu[i].id;
	qsort(id, count, sizeof *id, by_id);
	if (count > 0)
		host_info_list_cpus(id, count, cpu_list);
	for (uint32_t i = 0; i < seats->device_count; i++)
		if (seats->device_job[i] == job) {
			str_addf(device_list, "%s%s", between, seats->device[i].id);
			between = ",";
		}
}

bool seats_take(struct seats *seats, uint64_t job, uint32_t cpus, uint32_t devices, struct str *cpu_list,
		struct str *device_list)
{
	uint16_t numa;

	if (free_in(seats, NO_DOMAIN) < cpus || free_devices(seats) < devices)
		return false;
	numa = choose_domain(seats, cpus);
	cpus = take_cores(seats, job, numa, true, cpus);
	take_cores(seats, job, numa, false, cpus);
	take_devices(seats, job, numa, devices);
	name_seats(seats, job, cpu_list, device_list);
	find_holders(seats); /* one device may be listed under two names */
	return true;
}

/* Returns the device with this name, of any vendor; with the number of its device node, if it is known. */
static struct device device_named(const struct seats *seats, const char *name, size_t len)
{
	struct device named = {.kind = "listed", .node = -1};

	memcpy(named.id, name, len);
	for (uint32_t i = 0; i < seats->device_count; i++)
		if (strcmp(seats->device[i].id, named.id) == 0 && !is_kind(&seats->device[i], "amd"))
			named.node = seats->device[i].node;
	return named;
}

static bool is_device_list(const char *list)
{
	for (size_t len; list[0] != '\0'; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		if (len == 0 || len >= DEVICE_NAME)
			return false;
	}
	return true;
}

static void take_named_devices(struct seats *seats, uint64_t job, const char *list)
{
	for (size_t len; list[0] != '\0'; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		const struct device named = device_named(seats, list, len);

		hold(seats, job, &named);
	}
	find_holders(seats);
}

bool seats_take_named(struct seats *seats, uint64_t job, const char *cpu_list, const char *device_list)
{
	uint16_t id[HOST_CPUS_MAX];
	size_t count = 0;

	bool is_cpu_list = host_info_read_cpus(cpu_list, id, HOST_CPUS_MAX, &count, NULL);

	if (!is_cpu_list)
		count = 0;
	for (size_t k = 0; k < count; k++)
		for (uint32_t i = 0; i < seats->cpu_count; i++)
			if (seats->cpu[i].id == id[k])
				seats->cpu_job[i] = job;
	if (!is_device_list(device_list))
		return false;
	take_named_devices(seats, job, device_list);
	return is_cpu_list;
}

void seats_release_cpus(struct seats *seats, uint64_t job)
{
	for (uint32_t i = 0; i < seats->cpu_count; i++)
		if (seats->cpu_job[i] == job)
			seats->cpu_job[i] = 0;
}

void seats_give_back(struct seats *seats, uint64_t job)
{
	seats_release_cpus(seats, job);
	let_go(seats, job);
}
