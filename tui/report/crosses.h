/* SPDX-License-Identifier: MIT */
/*
 * crosses.h - at which values of the weights and caps do two jobs change places?
 */
#ifndef REPORT_CROSSES_H
#define REPORT_CROSSES_H

#include "cmd_env.h"

/* pair: "A,B", two waiting jobs as people name them. */
enum cmd_status crosses_print(struct cmd_env *env, const char *pair);

#endif
