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

#include "configured.h"
#include "sched/base/err.h"
#include "sched/state/state.h"

/*
 * A class must be one that the configuration names, where it names any; a QOS one that it names and that the
 * job's credentials may have; an account one that is open to them (snapshot_account_is_open). Features,
 * generic resources and the partition must be those of a node or of the configuration, and hosts must be
 * nodes. Names and labels must be such that they can be shown.
 *
 * A site that configures no classes has no use for them, and scripts written for another site may name one:
 * any class is accepted there (c: names of the configuration, or NULL). New names of classes count toward
 * maxusernames (petition.c). A forced submission may name a class, features and generic resources that the
 * site does not know.
 */
bool admission_check(struct configured *c, const struct state *st, const struct job_record *record,
		     struct err *err);

/* The same of an attribute of a job (state.h) that is set to a value. */
bool admission_check_modify(struct configured *c, const struct state *st, const char *name, const char *value,
			    struct err *err);

#endif
