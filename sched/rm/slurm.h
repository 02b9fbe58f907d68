/* SPDX-License-Identifier: MIT */
/*
 * slurm.h - Slurm as a resource manager that is watched
 *
 * Slurm decides which job runs where and when; this manager reads nodes, partitions, jobs and reservations
 * every RMPOLLINTERVAL and reports what has changed. It changes nothing in Slurm: the only commands that it
 * runs are squeue and scontrol show (slurm_query.h), and it refuses every action.
 *
 * If Slurm does not answer, the state stays as it was, and one sentence says what is wrong (EVENT_FAULT)
 * until it answers again.
 */
#ifndef RM_SLURM_H
#define RM_SLURM_H

#include "rm.h"
#include "slurm_query.h"

/* Creates the manager; ops NULL with err on failure. Whether Slurm answers shows later. */
struct rm slurm_new(const struct slurm_setup *setup, struct err *err);

#endif
