/* SPDX-License-Identifier: MIT */
/*
 * expr.h - what does a PRIORITYF expression mean?
 *
 *     expression = [sign] term { ("+" | "-") term }
 *     term       = factor { ("*" | "/") factor }
 *     factor     = number | COMPONENT | "(" expression ")" | sign factor
 *
 * Numbers may begin with a point; names are in any case; blanks are free (N-17 .. N-21).
 * Dividing by what can be nothing but 0 is refused when the text is read; a component that is
 * 0 at run time makes the quotient 0, so that a value is always finite.
 *
 * Source: Maui Administrator's Guide 5.2.1 (table of components).
 */
#ifndef MODEL_EXPR_H
#define MODEL_EXPR_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/err.h"

/* N-15, N-16. A*: available to batch; C*: configured; in processors and MB. */
enum expr_component {
	EXPR_ADISK,
	EXPR_AMEM,
	EXPR_APROCS, /* configured less dedicated             */
	EXPR_ASWAP,
	EXPR_CDISK,
	EXPR_CMEM,
	EXPR_CPROCS,
	EXPR_CSWAP,
	EXPR_JOBCOUNT,    /* running jobs                          */
	EXPR_LOAD,        /* one-minute load                       */
	EXPR_PREF,        /* 1: has what the job prefers           */
	EXPR_PRIORITY,    /* of the node, as set                   */
	EXPR_RESAFFINITY, /* of a reservation here for this job    */
	EXPR_SPEED,       /* relative; where none differ, procspeed if set */
	EXPR_USAGE,       /* percent of the time with jobs         */
	EXPR_COMPONENT_COUNT
};

/* "ADISK" ...; static storage. */
const char *expr_component_name(enum expr_component c);

#define EXPR_STEPS 64

/* A compiled expression: flat, no pointers; steps of a stack machine. */
struct expr {
	unsigned count;
	struct expr_step {
		unsigned char op; /* private to expr.c */
		unsigned char component;
		double number;
	} step[EXPR_STEPS];
};

/* False: a sentence with the column (1-based), what stands there and what could. */
bool expr_read(const char *text, struct expr *out, struct err *err);

/* Does the expression use this component? */
bool expr_uses(const struct expr *e, enum expr_component c);

/* Always finite. */
double expr_value(const struct expr *e, const double value[static EXPR_COMPONENT_COUNT]);

#endif
