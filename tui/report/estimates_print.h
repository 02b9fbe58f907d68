/* SPDX-License-Identifier: MIT */
/*
 * estimates_print.h - can the starts that are foretold be trusted? (kahu stats --estimates)
 */
#ifndef REPORT_ESTIMATES_PRINT_H
#define REPORT_ESTIMATES_PRINT_H

#include "cmd_env.h"

/* What was said of the starts since --since, by both tiers, against what came; why the worst did not come. */
enum cmd_status estimates_print(struct cmd_env *env);

#endif
