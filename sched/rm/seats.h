/* SPDX-License-Identifier: MIT */
/*
 * seats.h - processors and devices allocated to jobs
 *
 * The seats of a job are its processors and devices. The scheduler decides how many a job gets; this file
 * decides which ones, when the job starts: whole cores of one NUMA domain if possible, and devices near them.
 * A job keeps its seats until it ends; but if the processors of a suspended job are released, the job gets
 * other ones when it is resumed. After a restart of the scheduler, the seats of running jobs are allocated
 * again by name. Devices are recorded by name, whether they are listed at the time or not: a device that is
 * removed from the list and added again still belongs to its job.
 */
#ifndef RM_SEATS_H
#define RM_SEATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host_info.h"
#include "sched/base/str.h"

/* A device that is allocated to a job, whether it is listed or not. */
struct held_device {
	uint64_t job;
	struct device device;
};

struct seats {
	struct cpu cpu[HOST_CPUS_MAX]; /* threads of a core are adjacent; sorted by domain */
	struct device device[HOST_DEVICES_MAX];
	uint64_t cpu_job[HOST_CPUS_MAX];       /* job to which the processor is allocated; 0 = free */
	uint64_t device_job[HOST_DEVICES_MAX]; /* job to which the device is allocated; 0 = free; derived from
						  `held` */
	uint32_t cpu_count, device_count;
	uint64_t devices_avoided; /* see seats_avoid() */
	uint32_t kept;            /* the first `kept` processors are reserved for the system */
	struct held_device *held;
	size_t held_count, held_cap;
};

/* Release with seats_free. */
void seats_init(struct seats *seats, const struct host_info *host);
void seats_free(struct seats *seats);

/*
 * seats_set_devices() replaces the list of devices; a device may be listed by its UUID at one time and by its
 * number at another. seats_keep() reserves the first `cpus` processors, which no job then gets. Jobs keep the
 * seats that they have.
 */
void seats_set_devices(struct seats *seats, const struct device *device, uint32_t count);
void seats_keep(struct seats *seats, uint32_t cpus);

/* Returns the number of allocated devices that are not listed. */
uint32_t seats_unlisted(const struct seats *seats);

/*
 * Sets the devices that outside processes use, as a bit mask: they are allocated only when no other device is
 * free.
 */
void seats_avoid(struct seats *seats, uint64_t devices);

/*
 * Allocates processors and devices to a job and appends their names, such as "0-3,8" and "0,2" (or UUIDs), to
 * the lists; nothing for a count of 0. If not enough of them are free, returns false and allocates nothing.
 */
bool seats_take(struct seats *seats, uint64_t job, uint32_t cpus, uint32_t devices, struct str *cpu_list,
		struct str *device_list);

/*
 * Allocates the named processors and devices, which the job got before the scheduler was restarted; a device
 * need not be listed. Returns false if cpu_list or device_list is not a valid list; nothing in an invalid
 * list is allocated.
 */
bool seats_take_named(struct seats *seats, uint64_t job, const char *cpu_list, const char *device_list);

void seats_give_back(struct seats *seats, uint64_t job);

/* Releases the processors of a job, but not its devices. */
void seats_release_cpus(struct seats *seats, uint64_t job);

#endif
