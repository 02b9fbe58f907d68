/* SPDX-License-Identifier: MIT */
/*
 * admission.h - check of the names in a submission
 *
 * A section that says nothing is in the text of the configuration alone. Reading the text takes millions of
 * instructions, so the names are kept until the text changes.
 */
#ifndef SERVE_ADMISSION_H
#define SERVE_ADMISSION_H

#include <stdbool.h>

#include "sched/base/err.h"
#include "sched/model/snapshot.h"
#include "sched/state/state.h"

struct configured; /* opaque */

struct configured *configured_new(void);
void configured_free(struct configured *c);

struct configured_name {
	bool any;          /* the configuration has a section of that type, beside DEFAULT */
	bool this;         /* it has one of that name                                      */
	bool case_differs; /* it has none, but one whose name differs in case only   */
};

/* Looks a class or QOS up. c NULL: the text is read for this look alone. */
struct configured_name configured_find(struct configured *c, const struct snapshot *s, enum cred_type type,
				       const char *name);

/* --- check of the names in a submission --------------------------------------------------------------- */

/*
 * The core takes any class and falls back from a QOS that is not open, as Maui does with what its resource
 * manager lets through. Here nobody stands before us: a slip of the pen would wait or run under other rules
 * than its owner thinks. So it is refused with a sentence, before anything is kept.
 */

/*
 * A class must be one that the configuration names, where it names any; a QOS one that it names and that the
 * job's credentials may have; an account one that is open to them (snapshot_account_is_open). Features,
 * generic resources and the partition must be those of a node or of the configuration, and hosts must be
 * nodes. Names and labels must be such that they can be shown.
 *
 * A site that configures no classes has no use for them, and scripts written for another site may name one:
 * any class is accepted there (c: names of the configuration, or NULL). New names of classes count toward
 * maxusernames (authorization.c). A forced submission may name a class, features and generic resources that
 * the site does not know.
 */
bool admission_check(struct configured *c, const struct state *st, const struct job_record *record,
		     struct err *err);

/* The same of an attribute of a job (state.h) that is set to a value. */
bool admission_check_modify(struct configured *c, const struct state *st, const char *name, const char *value,
			    struct err *err);

#endif
