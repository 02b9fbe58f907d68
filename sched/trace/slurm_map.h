/* SPDX-License-Identifier: MIT */
/*
 * slurm_map.h - nodes and jobs of Slurm as records of this scheduler
 *
 * The scheduler's records cannot express all requests that Slurm has. The others are left out and counted as
 * notes, by kind (slurm_note_text).
 *
 *   partition            class of the job; a node has the classes of its partitions
 *   processors, nodes    as many tasks as nodes, with equal shares; if the processors are not a multiple of
 *                        the nodes, tasks of one processor
 *   memory, GPUs         what the job gets in all, divided among its tasks; a GPU of a type, "a100", counts
 *                        as gpu and as gpu_a100
 *   exclusive use        the job shares its nodes with no other job (singlejob), or only with jobs of its
 *                        user (singleuser)
 *   held, or waiting for what only Slurm knows       a hold, with Slurm's word as the reason
 *   no time limit        SLURM_LONGEST_S
 */
#ifndef TRACE_SLURM_MAP_H
#define TRACE_SLURM_MAP_H

#include "sched/state/state.h"
#include "slurm.h"

#define SLURM_LONGEST_S (INT64_C(365) * 86400)

enum slurm_note {
	NOTE_MIXED,       /* jobs: components of heterogeneous jobs */
	NOTE_PARTITIONS,  /* jobs: several partitions are requested; the first one counts */
	NOTE_FEATURES,    /* jobs: a constraint other than features that are all required */
	NOTE_GRES,        /* jobs: generic resources that cannot be divided among the tasks, or are unknown */
	NOTE_DEPENDS,     /* jobs: a dependency other than on single jobs in the queue */
	NOTE_RESERVATION, /* jobs: a reservation is requested */
	NOTE_LICENSES,    /* jobs: licenses are requested */
	NOTE_UNLIMITED,   /* jobs: no time limit */
	NOTE_STATE,       /* jobs: in an unknown state */
	NOTE_SHARED,      /* partitions: oversubscribed */
	NOTE_CORES,       /* reservations: of cores, without nodes, or with an owner that is excluded */
	NOTE_TAKEN,       /* reservations: an operator's reservation here has the name */
	NOTE_NAMES,       /* nodes: more partitions, features or generic resources than can be named */
	NOTE_REFUSED,     /* reports that were refused */
	NOTE_BAD_LINES,   /* lines that could not be read */
	NOTE_COUNT
};

struct slurm_notes {
	uint32_t count[NOTE_COUNT];
};

/*
 * Returns the words that follow the count of a note, such as "jobs that request licenses, which are ignored";
 * static storage.
 */
const char *slurm_note_text(enum slurm_note note);

/*
 * How the cluster is mapped: which names are used, and what running jobs hold on each node. A node is
 * reported with at least the resources that its jobs hold, because Slurm can be configured to let jobs share
 * processors.
 */
struct slurm_map {
	const struct slurm_cluster *c;
	struct slurm_notes notes;
	bool counts_memory; /* Slurm allocates memory */
	const char *gres[GRES_MAX];
	uint32_t gres_count;
	const char *features[64];
	uint32_t feature_count;
	const char *classes[64];
	uint32_t class_count;
	uint32_t *node_by_name; /* open addressing: index into c->node + 1; 0 = empty */
	size_t node_slots;
	/*
	 * By node: what running jobs hold; in the arrays *_brief, the largest amount that any one job held
	 * that has started and ended since the last comparison. The arrays of generic resources have GRES_MAX
	 * items for each node.
	 */
	uint64_t *procs, *mem_mb, *gres_held, *procs_brief, *gres_brief;
	struct arena arena; /* of the names and texts since the last call of slurm_map_begin */
};

/*
 * Prepares m for a cluster, which must stay valid. Begin with a zeroed struct; slurm_map_free frees it.
 * counted_memory: did Slurm allocate memory at the last comparison? While no node runs jobs, this cannot be
 * determined, and the earlier answer is used.
 */
void slurm_map_begin(struct slurm_map *m, const struct slurm_cluster *c, bool counted_memory);

/*
 * Returns the value of job.described for a job. If the value in the state differs, the job must be described
 * anew.
 */
static inline uint64_t slurm_map_described(const struct slurm_map *m, const struct slurm_job *job)
{
	return (job->fingerprint ^ (m->counts_memory ? UINT64_C(0x9e3779b97f4a7c15) : 0)) | 1;
}

void slurm_map_free(struct slurm_map *m);

/* What a job requests, as tasks. */
struct slurm_shape {
	uint32_t tasks, task_procs, nodes; /* nodes 0 = any */
	int64_t mem_mb;                    /* of each task */
	uint32_t gres[GRES_MAX];           /* of each task, by index in slurm_map.gres */
};
void slurm_map_shape(struct slurm_map *m, const struct slurm_job *job, struct slurm_shape *out);

/* The nodes of a job, as ascending indices in c->node; count is 0 if one of them is unknown. */
struct slurm_hosts_of {
	uint32_t *item;
	size_t count, room;
};
void slurm_map_hosts(const struct slurm_map *m, const struct slurm_job *job, struct slurm_hosts_of *out);

/* Returns the number of tasks of a running job on the i-th of its nodes. */
uint32_t slurm_map_tasks_on(const struct slurm_shape *shape, size_t i, size_t nodes);

/* Adds what a running job holds. Must be called for all running jobs before slurm_map_node. */
void slurm_map_hold(struct slurm_map *m, const struct slurm_shape *shape, const struct slurm_hosts_of *hosts);
/*
 * Like slurm_map_hold, for a job that has started and ended since the last comparison. Of several such jobs
 * on a node, only the largest amount counts.
 */
void slurm_map_hold_briefly(struct slurm_map *m, const struct slurm_shape *shape,
			    const struct slurm_hosts_of *hosts);

/* Forgets what slurm_map_hold_briefly has noted for a node. Returns false if there was nothing. */
bool slurm_map_forget_brief(struct slurm_map *m, size_t node);

/* Returns the record of a node. Its texts are valid until slurm_map_begin. */
struct node_record slurm_map_node(struct slurm_map *m, size_t i);

/*
 * Returns the record of a job without its dependencies, which the caller adds. Its texts are valid until
 * slurm_map_begin.
 */
struct job_record slurm_map_job(struct slurm_map *m, const struct slurm_job *job);

/* Returns the holds of a waiting job: bits of enum job_hold, 0 = none. */
uint8_t slurm_map_holds(const struct slurm_job *job);

#endif
