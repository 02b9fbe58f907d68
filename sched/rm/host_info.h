/* SPDX-License-Identifier: MIT */
/*
 * host_info.h - hardware and cgroups of this host
 *
 * Everything is read from /sys, /proc and the cgroup tree below a root directory, which is "/" except in
 * tests. Only two functions change the host: host_info_cgroup() creates a cgroup directory as a test and
 * removes it, and host_info_cgroup_enter() prepares the cgroups of jobs. outside_processes.h reports which
 * resources other processes use.
 */
#ifndef RM_HOST_INFO_H
#define RM_HOST_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/base/str.h"
#include "spool.h"

#define HOST_CPUS_MAX    1024
#define HOST_DEVICES_MAX 64
#define DEVICE_NAME      48

/* A logical processor that jobs may use. host_info.cpu is sorted by NUMA domain, then by core. */
struct cpu {
	uint16_t id;
	uint16_t core; /* numbered from 0 over all sockets; threads of a core are adjacent */
	uint16_t numa; /* NUMA domain */
};

struct device {
	char id[DEVICE_NAME];   /* value for CUDA_VISIBLE_DEVICES: UUID, or the index */
	char kind[DEVICE_NAME]; /* "nvidia", "amd", or "listed" for a device listed in the configuration */
	uint16_t numa;
	int16_t node; /* number of /dev/nvidiaN or /dev/dri/renderDN; -1 = unknown */
};

struct host_info {
	char hostname[256]; /* characters that node names cannot have are replaced by '_' */
	struct cpu cpu[HOST_CPUS_MAX];
	uint32_t cpu_count, core_count, numa_count;
	int64_t mem_mb, swap_mb;
	struct device device[HOST_DEVICES_MAX];
	uint32_t device_count;
	enum hold_level level; /* how completely the processes of a job can be controlled */
	char cgroup[4096];     /* folder for the cgroups of jobs; "" = none */
};

/*
 * Reads the hardware of this host. devices: a list such as "0,1,2" from the configuration that replaces
 * detection; NULL = detect. Values that cannot be read are not guessed: memory becomes 0, and each processor
 * counts as one core. Returns false if no usable processor is found or `devices` is not a list.
 */
bool host_info_read(const char *root, const char *devices, struct host_info *out, struct err *err);

/*
 * Finds the directory for the cgroups of jobs, and returns the level of control that it gives. If the level
 * is below HOLD_FULL, appends a sentence with the reason to *why. Removes the cgroup that it creates as a
 * test, and changes nothing else on the host.
 */
enum hold_level host_info_cgroup(const char *root, char *folder, size_t room, struct str *why);

/*
 * Like host_info_cgroup(), but prepares the host for jobs: enables memory control for cgroups below the
 * directory, and moves this process into DIRECTORY/scheduler if memory control requires it. A scheduler calls
 * it once, before the first job.
 */
enum hold_level host_info_cgroup_enter(const char *root, char *folder, size_t room, struct str *why);

/*
 * host_info_list_cpus() appends ascending processor IDs as a list such as "0-3,8". host_info_read_cpus()
 * parses such a list; it returns false with a message if the text is not such a list or has more than `room`
 * IDs.
 */
void host_info_list_cpus(const uint16_t *id, size_t count, struct str *out);
bool host_info_read_cpus(const char *text, uint16_t *id, size_t room, size_t *count, struct err *err);

#endif
