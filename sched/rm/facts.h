/* SPDX-License-Identifier: MIT */
/*
 * facts.h - what is this host?
 *
 * Read from /sys, /proc and the cgroup tree below a root folder ("/" but in tests), so that a test brings a
 * host of its own. What others use of it: foreign.h. Nothing here changes anything but
 * facts_cgroup, which makes and removes a folder to see whether it may, and facts_cgroup_enter.
 */
#ifndef RM_FACTS_H
#define RM_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/base/str.h"
#include "spool.h"

#define FACTS_CPUS_MAX    1024
#define FACTS_DEVICES_MAX 64
#define DEVICE_NAME       48

/* A logical processor we may use. In facts.cpu they stand domain by domain, core by core. */
struct cpu {
	uint16_t id;
	uint16_t core; /* from 0 on, over all sockets; whole cores stand side by side */
	uint16_t numa; /* NUMA domain */
};

struct device {
	char id[DEVICE_NAME];   /* what CUDA_VISIBLE_DEVICES takes: UUID, or the index */
	char kind[DEVICE_NAME]; /* "nvidia", "amd", "listed"                           */
	uint16_t numa;
	int16_t node; /* the number of /dev/nvidiaN or /dev/dri/renderDN; -1 = not known */
};

struct facts {
	char host[256]; /* its name */
	struct cpu cpu[FACTS_CPUS_MAX];
	uint32_t cpu_count, core_count, numa_count;
	int64_t mem_mb, swap_mb;
	struct device device[FACTS_DEVICES_MAX];
	uint32_t device_count;
	enum hold_level level; /* how far a job can be held together            */
	char cgroup[4096];     /* the folder below which jobs get theirs; "" = none */
};

/*
 * Fills it. devices: a list "0,1,2" of the configuration in place of those found; NULL = look. What cannot
 * be read is left out (no memory said, one core each), never guessed; false without any processor, and when
 * the list is not one.
 */
bool facts_read(const char *root, const char *devices, struct facts *out, struct err *err);

/*
 * The folder for jobs' cgroups and the level it gives; why it is not `full` as a sentence appended to *why.
 * Leaves everything as it was.
 */
enum hold_level facts_cgroup(const char *root, char *folder, size_t room, struct str *why);

/*
 * The same for who is about to run jobs, once, before the first: memory control is enabled for what
 * stands below the folder, and where that needs it this process moves into folder/scheduler.
 */
enum hold_level facts_cgroup_enter(const char *root, char *folder, size_t room, struct str *why);

/* "0-3,8" of a set of processor ids, ascending; and back. False: it is not such a list. */
void facts_list_cpus(const uint16_t *id, size_t count, struct str *out);
bool facts_read_cpus(const char *text, uint16_t *id, size_t room, size_t *count, struct err *err);

#endif
