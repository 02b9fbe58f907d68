/* SPDX-License-Identifier: MIT */
/*
 * steps.h - tasks of a command inside a job, as srun starts them
 */
#ifndef COMMAND_STEPS_H
#define COMMAND_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/base/err.h"

/* Is this process one of a job? */
bool steps_in_job(void);

/*
 * Runs the command as so many processes, each with its SLURM_PROCID, and waits for all; 0 = as many as the
 * job has tasks. Returns the highest exit status, 127 with a sentence when none could be started.
 */
uint8_t steps_run(char *const *command, int64_t tasks, struct err *err);

#endif
