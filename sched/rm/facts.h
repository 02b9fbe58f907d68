/* SPDX-License-Identifier: MIT */
/*
 * facts.h - what is this host, and what on it is in use by others?
 *
 * Read from /sys, /proc and the cgroup tree below a root folder ("/" but in tests), so that a test brings a
 * host of its own. Nothing here changes anything but facts_cgroup, which makes and removes a folder to see
 * whether it may.
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

/* A logical processor we may use. Those of one core stand side by side in facts.cpu. */
struct cpu {
	uint16_t id;
	uint16_t core; /* number of the core, over all sockets */
	uint16_t numa; /* NUMA domain                          */
};

struct device {
	char id[DEVICE_NAME];   /* what CUDA_VISIBLE_DEVICES takes: UUID, or the index */
	char kind[DEVICE_NAME]; /* "nvidia", "amd", "listed"                           */
	uint16_t numa;
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
 * be read is left out (no memory said, one core each), never guessed; false only without any processor.
 */
bool facts_read(const char *root, const char *devices, struct facts *out, struct err *err);

/* The folder for jobs' cgroups and the level it gives; why it is not `full` as a sentence in *why. */
enum hold_level facts_cgroup(const char *root, char *folder, size_t room, struct str *why);

/* "0-3,8" of a set of processor ids, ascending; and back. False: it is not such a list. */
void facts_list_cpus(const uint16_t *id, size_t count, struct str *out);
bool facts_read_cpus(const char *text, uint16_t *id, size_t room, size_t *count, struct err *err);

/* What runs outside the queue: processor time and memory of processes that belong to no job. */
struct foreign {
	double load; /* processors kept busy, over the time since the last look */
	int64_t mem_mb;
	uint32_t processes; /* that used more than a twentieth of a processor         */
	char largest[64];   /* "python3 of eva (3.9)": the one that used the most     */
};

/* Looks again; keeps what it must remember between two looks. of_jobs: processor time and memory of our own.
 */
struct foreign_watch; /* opaque */
struct foreign_watch *foreign_watch_new(const char *root);
bool foreign_look(struct foreign_watch *w, const int64_t *job_pid, size_t count, struct foreign *out,
		  struct err *err);
void foreign_watch_free(struct foreign_watch *w);

#endif
