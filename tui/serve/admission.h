/* SPDX-License-Identifier: MIT */
/*
 * admission.h - does the site know what a submission names?
 *
 * The core takes any class and falls back from a QOS that is not open, as Maui does with what its resource
 * manager lets through. Here nobody stands before us: a slip of the pen would wait or run under other rules
 * than its owner thinks. So it is refused with a sentence, before anything is kept.
 */
#ifndef TUI_SERVE_ADMISSION_H
#define TUI_SERVE_ADMISSION_H

#include <stdbool.h>

#include "sched/base/err.h"
#include "sched/core/state.h"

/*
 * A class must be one that the configuration names, where it names any; a QOS one that it names and that the
 * job's credentials may have. Names and labels must be such that they can be shown.
 */
bool admission_check(const struct state *st, const struct job_record *record, struct err *err);

#endif
