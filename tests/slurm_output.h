/* SPDX-License-Identifier: MIT */
/*
 * slurm_output.h - what Slurm's commands print about a generated cluster
 *
 * The cluster depends only on the model. Nodes have 32 processors, and every eighth one four GPUs of one
 * type. Running jobs fill `busy_pct` of the nodes with two jobs of 16 processors each; the other jobs wait:
 * single jobs, tasks of arrays, jobs with dependencies, on GPUs, on features and on exclusive nodes, held
 * jobs.
 */
#ifndef TESTS_SLURM_OUTPUT_H
#define TESTS_SLURM_OUTPUT_H

#include <stdint.h>

#include "sched/base/str.h"

struct slurm_model {
	uint64_t seed;
	unsigned version; /* 2011, 2205 or 2405: the formats of Slurm 20.11, 22.05 and 24.05 */
	uint32_t nodes, jobs, busy_pct;
	int64_t now_s;
};

/* Append the answers of scontrol -o show node, partition and reservation. */
void slurm_output_nodes(const struct slurm_model *m, struct str *out);
void slurm_output_partitions(const struct slurm_model *m, struct str *out);
void slurm_output_reservations(const struct slurm_model *m, struct str *out);

/* Appends the answer of squeue in the format of slurm_job_format with this mark. */
void slurm_output_jobs(const struct slurm_model *m, const char *mark, struct str *out);

#endif
