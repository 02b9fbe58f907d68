/* SPDX-License-Identifier: MIT */
/*
 * seats.h - processors and devices allocated to jobs
 *
 * The scheduler decides how many; which ones is decided here, at the start, so that a job has whole
 * cores of one NUMA domain where there are such, and devices near them. What a job has it keeps until it
 * ends, but for the processors of a suspended job that are released: it gets others when it is resumed. After
 * a restart what a job has is taken again by name. Devices are kept by name whatever devices are listed at
 * the time: one that leaves the list and comes back still belongs to its job.
 */
#ifndef RM_SEATS_H
#define RM_SEATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host_info.h"
#include "sched/base/str.h"

/* A device that a job has, listed or not. */
struct held_device {
	uint64_t job;
	struct device device;
};

struct seats {
	struct cpu cpu[HOST_CPUS_MAX]; /* whole cores side by side, domain by domain */
	struct device device[HOST_DEVICES_MAX];
	uint64_t cpu_job[HOST_CPUS_MAX];       /* whose it is; 0 = free */
	uint64_t device_job[HOST_DEVICES_MAX]; /* as held says */
	uint32_t cpu_count, device_count;
	uint64_t devices_avoided; /* bit by device: given when no other is left */
	uint32_t kept;            /* of the first processors, for the system */
	struct held_device *held;
	size_t held_count, held_cap;
};

/* Release with seats_free. */
void seats_init(struct seats *seats, const struct host_info *host);
void seats_free(struct seats *seats);

/*
 * Another list of devices, and another number of processors that no job gets: the first ones. What a job has
 * it keeps, even so. A device may be listed by its UUID at one time and by its number at another.
 */
void seats_set_devices(struct seats *seats, const struct device *device, uint32_t count);
void seats_keep(struct seats *seats, uint32_t cpus);

/* How many devices jobs have that are not listed. */
uint32_t seats_unlisted(const struct seats *seats);

/* Devices that others use, bit by device: given when no other is left. */
void seats_avoid(struct seats *seats, uint64_t devices);

/*
 * Gives a job so many processors and devices and names them: "0-3,8" and "0,2" (or UUIDs), appended; nothing
 * is appended where none are asked for. False: so many are not free, and nothing is taken.
 */
bool seats_take(struct seats *seats, uint64_t job, uint32_t cpus, uint32_t devices, struct str *cpu_list,
		struct str *device_list);

/*
 * Takes those that a job has had since before a restart, devices whether they are listed or not. False: a
 * text is no such list, and of that kind nothing is taken.
 */
bool seats_take_named(struct seats *seats, uint64_t job, const char *cpu_list, const char *device_list);

void seats_give_back(struct seats *seats, uint64_t job);

/* Its processors alone. */
void seats_release_cpus(struct seats *seats, uint64_t job);

#endif
