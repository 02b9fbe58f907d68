/* SPDX-License-Identifier: MIT */
/*
 * submit_form.h - form for a new job, and its command line
 *
 * The form knows no more than the options of `submit`: each field is one of them, and the line that it makes
 * could be typed in a shell. What is left empty is left out.
 */
#ifndef SCREEN_SUBMIT_FORM_H
#define SCREEN_SUBMIT_FORM_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/str.h"
#include "sched/model/cred.h"

enum form_field {
	FORM_COMMAND,
	FORM_SCRIPT,
	FORM_NAME,
	FORM_NODES,
	FORM_PPN,
	FORM_MEM,
	FORM_WALLTIME,
	FORM_GPUS,
	FORM_CLASS,
	FORM_QOS,
	FORM_ACCOUNT,
	FORM_START,
	FORM_DEPEND,
	FORM_OUTPUT,
	FORM_ERRORS,
	FORM_FOLDER,
	FORM_FIELDS
};

struct form_row {
	const char *label;
	const char *help;      /* what is written there, and what holds when nothing is */
	const char *option;    /* before the value: "-N ", or "nodes=" of an amount        */
	bool resource;         /* option is an amount of -l                             */
	enum cred_type choice; /* one of these names; CRED_TYPE_COUNT = anything        */
};

extern const struct form_row form_rows[FORM_FIELDS];

/* Zero is an empty form. */
struct submit_form {
	struct str value[FORM_FIELDS];
};
void submit_form_free(struct submit_form *f);

/* "submit -N fit -l nodes=2:ppn=4,walltime=1:00:00 -- ./fit data"; "" while nothing is said to be run. */
void submit_form_line(const struct submit_form *f, struct str *out);

#endif
