/* SPDX-License-Identifier: MIT */
/*
 * expr.h - PRIORITYF expressions
 *
 *     expression = [sign] term { ("+" | "-") term }
 *     term       = factor { ("*" | "/") factor }
 *     factor     = number | COMPONENT | "(" expression ")" | sign factor
 *
 * Numbers may begin with a decimal point; names are case-insensitive; blanks are ignored (N-17 .. N-21).
 * Division by an expression that is always 0 is an error when the text is parsed; division by a component
 * that is 0 at run time gives 0, so that a value is always finite.
 *
 * Source: Maui Administrator's Guide 5.2.1 (table of components).
 */
#ifndef MODEL_EXPR_H
#define MODEL_EXPR_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/err.h"

/*
 * Components of an expression (N-15, N-16). A...: available to batch jobs; C...: configured. Units are
 * processors and MB.
 */
enum expr_component {
	EXPR_ADISK,
	EXPR_AMEM,
	EXPR_APROCS, /* configured minus dedicated processors */
	EXPR_ASWAP,
	EXPR_CDISK,
	EXPR_CMEM,
	EXPR_CPROCS,
	EXPR_CSWAP,
	EXPR_JOBCOUNT,    /* number of running jobs on the node */
	EXPR_LOAD,        /* one-minute load average */
	EXPR_PREF,        /* 1: the node has the features that the job prefers */
	EXPR_PRIORITY,    /* priority configured for the node */
	EXPR_RESAFFINITY, /* 1: an advance reservation in force on this node admits the job */
	/* Relative speed of the node; if all nodes have the same relative speed, the node's procspeed if set.
	 */
	EXPR_SPEED,
	EXPR_USAGE, /* percentage of time with running jobs */
	EXPR_COMPONENT_COUNT
};

/* Returns the name of a component: "ADISK", "AMEM" ...; static storage. */
const char *expr_component_name(enum expr_component c);

#define EXPR_STEPS 64

/* A compiled expression: instructions of a stack machine, without pointers. */
struct expr {
	unsigned count;
	struct expr_step {
		unsigned char op; /* private to expr.c */
		unsigned char component;
		double number;
	} step[EXPR_STEPS];
};

/*
 * Parses an expression. On failure returns false, and err contains the column (1-based), what was found there
 * and what was expected.
 */
bool expr_read(const char *text, struct expr *out, struct err *err);

/* Does the expression use this component? */
bool expr_uses(const struct expr *e, enum expr_component c);

/* Returns the value of the expression for these component values; always finite. */
double expr_value(const struct expr *e, const double value[static EXPR_COMPONENT_COUNT]);

#endif
