/* SPDX-License-Identifier: MIT */
/*
 * grid.h - how have jobs of each size and length fared?
 *
 * The matrix of showgrid: a row for each doubling of processors, a column for each doubling of
 * the wallclock limit; a job stands in the first that holds it.
 */
#ifndef REPORT_GRID_H
#define REPORT_GRID_H

#include "cmd_env.h"

/* Prints one statistic of the jobs that ended at or after since_s. CMD_USAGE: there is none of that name. */
enum cmd_status grid_print(struct cmd_env *env, const char *statistic, int64_t since_s);

#endif
