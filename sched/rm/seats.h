/* SPDX-License-Identifier: MIT */
/*
 * seats.h - processors and devices allocated to jobs
 *
 * The scheduler decides how many; which ones is decided here, at the start, so that a job gets whole cores of
 * one NUMA domain if possible, and devices near them. A job keeps its seats until it ends, except the
 * processors of a suspended job that are released: the job gets others when it is resumed. After a restart
 * the seats of running jobs are taken again by name. Devices are recorded by name, whatever devices are
 * listed at the time: a device that leaves the list and comes back still belongs to its job.
 */
#ifndef RM_SEATS_H
#define RM_SEATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host_info.h"
#include "sched/base/str.h"

/* A device allocated to a job, listed or not. */
struct held_device {
	uint64_t job;
	struct device device;
};

struct seats {
	struct cpu cpu[HOST_CPUS_MAX]; /* threads of a core are adjacent; sorted by domain */
	struct device device[HOST_DEVICES_MAX];
	uint64_t cpu_job[HOST_CPUS_MAX];       /* allocated to this job; 0 = free */
	uint64_t device_job[HOST_DEVICES_MAX]; /* derived from `held` */
	uint32_t cpu_count, device_count;
	uint64_t devices_avoided; /* bit mask: allocated only when no other device is free */
	uint32_t kept;            /* number of the first processors that are reserved for the system */
	struct held_device *held;
	size_t held_count, held_cap;
};

/* Release with seats_free. */
void seats_init(struct seats *seats, const struct host_info *host);
void seats_free(struct seats *seats);

/*
 * Replaces the list of devices and the number of processors that no job gets (the first ones). Jobs keep what
 * they have. A device may be listed by its UUID at one time and by its number at another.
 */
void seats_set_devices(struct seats *seats, const struct device *device, uint32_t count);
void seats_keep(struct seats *seats, uint32_t cpus);

/* The number of allocated devices that are not listed. */
uint32_t seats_unlisted(const struct seats *seats);

/* Devices used by outside processes, as a bit mask: allocated only when no other is free. */
void seats_avoid(struct seats *seats, uint64_t devices);

/*
 * Allocates processors and devices to a job and appends their names: "0-3,8" and "0,2" (or UUIDs); nothing
 * for a count of 0. False: not enough are free, and nothing is allocated.
 */
bool seats_take(struct seats *seats, uint64_t job, uint32_t cpus, uint32_t devices, struct str *cpu_list,
		struct str *device_list);

/*
 * Allocates the named ones, which a job has had since before a restart; devices whether listed or not. False:
 * a text is not such a list, and nothing of that kind is allocated.
 */
bool seats_take_named(struct seats *seats, uint64_t job, const char *cpu_list, const char *device_list);

void seats_give_back(struct seats *seats, uint64_t job);

/* Releases the processors of a job only. */
void seats_release_cpus(struct seats *seats, uint64_t job);

#endif
