/* SPDX-License-Identifier: MIT */
/*
 * slurm.h - nodes, partitions, reservations and jobs as Slurm's commands print them
 *
 * One answer of each command describes the whole cluster:
 *
 *     scontrol -o -a show node, ... show partition, ... show reservation
 *     squeue -h -a -r -t all        with the text of slurm_job_format() in $SQUEUE_FORMAT2
 *
 * Their output differs between the versions of Slurm only in fields that are not read here (20.11 to 24.05).
 * A field that is missing counts as having no value. A line that cannot be read is left out and counted as a
 * bad line; the reasons of the first bad lines are kept (struct bad_lines).
 *
 * The readers change the text that they read: the records point into it.
 */
#ifndef TRACE_SLURM_H
#define TRACE_SLURM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "line.h"
#include "sched/base/arena.h"
#include "sched/base/err.h"
#include "sched/base/str.h"

/* Texts are never NULL; "" = none. Lists are separated by blanks unless stated otherwise. */
struct slurm_node {
	const char *name;
	uint32_t procs;
	int64_t mem_mb, disk_mb;
	int64_t procs_taken, mem_taken_mb; /* allocated to jobs */
	const char *features, *partitions;
	const char *gres;   /* "gpu:3 gpu_a100:2 gpu_v100:1" */
	const char *state;  /* "MIXED+DRAIN"                                 */
	const char *reason; /* why it is down or drained */
	bool shut;          /* Slurm starts no jobs on it */
};

struct slurm_partition {
	const char *name, *state;
	const char *sharing; /* OverSubscribe: "NO", "YES:4", "FORCE:2", "EXCLUSIVE" */
};

struct slurm_reservation {
	const char *name;
	int64_t begin_s, end_s;
	const char *hosts;            /* a list for slurm_hosts */
	const char *users, *accounts; /* separated by commas; a name with - is excluded */
	bool whole;                   /* whole nodes are reserved, not only some of their cores */
};

enum slurm_phase {
	SLURM_PENDING,
	SLURM_RUNNING, /* holds its nodes, also while it is suspended or completing */
	SLURM_ENDED,
	SLURM_UNKNOWN /* a state that this program does not know */
};

struct slurm_job {
	const char *id; /* "12", "12_3" a task of an array, "12+1" a component of a heterogeneous job */
	const char *state, *user, *group, *account, *qos, *partition;
	const char *reason, *tres, *features, *depends, *sharing, *reservation, *licenses;
	const char *gres_job, *gres_node, *gres_socket, *gres_task; /* lists for slurm_gres */
	const char *hosts;       /* lists for slurm_hosts: where it runs ... */
	const char *hosts_asked; /* ... and the nodes that it requires */
	const char *name;
	uint32_t procs, nodes, tasks, task_procs;
	int64_t limit_s; /* SLURM_UNLIMITED: none; 0 = not set */
	int64_t submit_s, start_s, end_s;
	int32_t status; /* exit status, or 256 + signal */
	enum slurm_phase phase;
	bool suspended, held; /* held: its priority is 0 */
	bool mixed;           /* a component of a heterogeneous job */
	uint64_t fingerprint; /* hash of the fields that do not change by themselves while the job waits, runs
				 or ends */
};

struct slurm_cluster {
	struct slurm_node *node;
	struct slurm_partition *partition;
	struct slurm_reservation *reservation;
	struct slurm_job *job;
	size_t nodes, partitions, reservations, jobs;
	size_t node_room, partition_room, reservation_room, job_room;
	struct bad_lines bad;
	struct arena arena;
};

/*
 * A zeroed struct is an empty cluster. slurm_cluster_reset empties it and keeps the memory for reuse;
 * slurm_cluster_free frees the memory.
 */
void slurm_cluster_reset(struct slurm_cluster *c);
void slurm_cluster_free(struct slurm_cluster *c);

#define SLURM_MARK 9 /* size of a mark, including the NUL */

/*
 * Appends the value of SQUEUE_FORMAT2. The mark is a text of random letters, which squeue prints after the ID
 * of each job. Because users cannot predict it, a line in a job name that contains newlines cannot be taken
 * for another job.
 */
void slurm_job_format(const char *mark, struct str *out);

/*
 * Each of these functions adds the records of a complete answer to the cluster. The answer has len bytes and
 * a NUL after them. If it was cut off, or is not what the command should have printed, the function returns
 * false with one sentence in err, and the cluster must not be used.
 */
bool slurm_read_nodes(struct slurm_cluster *c, char *text, size_t len, struct err *err);
bool slurm_read_partitions(struct slurm_cluster *c, char *text, size_t len, struct err *err);
bool slurm_read_reservations(struct slurm_cluster *c, char *text, size_t len, struct err *err);
bool slurm_read_jobs(struct slurm_cluster *c, char *text, size_t len, const char *mark, struct err *err);

#endif
