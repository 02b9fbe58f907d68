/* SPDX-License-Identifier: MIT */
/*
 * accuracy.h - how much of their limits have people's jobs used, by what is remembered of them?
 *
 * The one place that says which jobs count: those that ran and came to their own end, or to their limit.
 */
#ifndef REPORT_ACCURACY_H
#define REPORT_ACCURACY_H

#include <stdbool.h>

#include "cmd_env.h"
#include "sched/host/ledger.h"
#include "sched/model/assume.h"

/* Does it say how long such jobs run? */
bool accuracy_counts(const struct ended_job *ended);

/* All that ended within ASSUME_LOOK_BACK_S. False: env->err says why. */
bool accuracy_gather(struct cmd_env *env, struct accuracy *out);

/*
 * The assumption of --assume, without it that jobs run to their limits, and what it needs of history. USAGE:
 * it is none; FAILED: history cannot be read.
 */
enum cmd_status accuracy_option(struct cmd_env *env, enum assume_kind *kind, struct accuracy *out);

/* The assumption alone. False: --assume names none. */
bool accuracy_assumption(struct cmd_env *env, enum assume_kind *kind);

#define ASSUME_OPTION                                                                                        \
	{                                                                                                    \
		"--assume", "KIND",                                                                          \
			"jobs run wclimit (to their limits), history (as each user's did lately) or median " \
			"(as everybody's did)"                                                               \
	}

#endif
