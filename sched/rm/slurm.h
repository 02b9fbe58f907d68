/* SPDX-License-Identifier: MIT */
/*
 * slurm.h - Slurm as a resource manager that is watched
 *
 * Slurm decides which job runs where and when; this manager reads nodes, partitions, jobs and reservations
 * every RMPOLLINTERVAL and reports what has changed. It changes nothing in Slurm: the only commands that it
 * runs are squeue and scontrol show (slurm_query.h), and it refuses every action.
 *
 * If Slurm does not answer, the state stays as it was, and the manager reports in one sentence what is wrong
 * (EVENT_FAULT). When Slurm answers again, it reports that the fault is over.
 */
#ifndef RM_SLURM_H
#define RM_SLURM_H

#include "rm.h"
#include "slurm_query.h"

/*
 * Creates the manager at the time now_s. Returns ops NULL with err set on failure. Does not test whether
 * Slurm answers.
 */
struct rm slurm_new(const struct slurm_setup *setup, int64_t now_s, struct err *err);

#endif
