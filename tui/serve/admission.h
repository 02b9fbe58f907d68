/* SPDX-License-Identifier: MIT */
/*
 * admission.h - check of the names in a submission
 *
 * A section of the configuration that has no settings exists only in the configuration text. Parsing the text
 * takes millions of instructions, so the names found in it are cached until the text changes.
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
	bool any;          /* the configuration has a section of this type besides DEFAULT */
	bool this;         /* the configuration has a section with this name */
	bool case_differs; /* no section has this name, but one differs only in case */
};

/*
 * Looks up a class or QOS in the configuration. c NULL: the configuration text is parsed for this call alone.
 */
struct configured_name configured_find(struct configured *c, const struct snapshot *s, enum cred_type type,
				       const char *name);

/* --- check of the names in a submission --------------------------------------------------------------- */

/*
 * The core accepts any class; if the requested QOS is not open to the job, the core gives the job another
 * QOS, as Maui does with jobs that its resource manager has already checked. Kahu has no such earlier check:
 * because of a misspelt name, a job would wait, or would run under other rules than the user expects. Unknown
 * names are therefore rejected with an explanation before anything is stored.
 */

/*
 * Checks the names in a submission. Returns false with err set if one is rejected. If the configuration names
 * any classes, the class must be one of them. The QOS must be configured and open to the job's credentials.
 * The account must be open to them (snapshot_account_is_open). Features, generic resources and the partition
 * must exist on a node or in the configuration, and hosts must be nodes. Names and labels must be
 * displayable.
 *
 * A site that configures no classes does not use them, but scripts written for another site may name one; so
 * any class is accepted there. New class names count toward maxusernames (authorization.c). A forced
 * submission may name a class, features and generic resources that the site does not know, but not a known
 * class in other case. c: names of the configuration, or NULL.
 */
bool admission_check(struct configured *c, const struct state *st, const struct job_record *record,
		     struct err *err);

/* Checks a new value of a job attribute (state.h), as admission_check does in a submission. */
bool admission_check_modify(struct configured *c, const struct state *st, const char *name, const char *value,
			    struct err *err);

#endif
