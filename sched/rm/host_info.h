/* SPDX-License-Identifier: MIT */
/*
 * host_info.h - hardware and cgroups of this host
 *
 * All of it is read from /sys, /proc and the cgroup tree below a root directory, which is "/" outside of
 * tests. Only two functions change anything: host_info_cgroup() creates and removes a directory to find out
 * whether it may, and host_info_cgroup_enter(). outside_processes.h reports what other processes use of the
 * host.
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
	char kind[DEVICE_NAME]; /* "nvidia", "amd", "listed"                           */
	uint16_t numa;
	int16_t node; /* number of /dev/nvidiaN or /dev/dri/renderDN; -1 = unknown */
};

struct host_info {
	char hostname[256]; /* its name */
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
 * detection; NULL = detect. What cannot be read is left out (memory 0, each processor a core), never guessed.
 * False if there is no processor or `devices` is not a list.
 */
bool host_info_read(const char *root, const char *devices, struct host_info *out, struct err *err);

/*
 * Finds the directory for the cgroups of jobs and the level of control that it gives. Appends to *why a
 * sentence that says why the level is below `full`. Leaves everything as it was.
 */
enum hold_level host_info_cgroup(const char *root, char *folder, size_t room, struct str *why);

/*
 * As above, for a scheduler that is about to run jobs; called once, before the first. Enables memory control
 * for cgroups below the directory; this process moves into DIRECTORY/scheduler where that is necessary.
 */
enum hold_level host_info_cgroup_enter(const char *root, char *folder, size_t room, struct str *why);

/* Writes ascending processor ids as a list such as "0-3,8", and reads one. False: not such a list. */
void host_info_list_cpus(const uint16_t *id, size_t count, struct str *out);
bool host_info_read_cpus(const char *text, uint16_t *id, size_t room, size_t *count, struct err *err);

#endif
