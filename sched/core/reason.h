/* SPDX-License-Identifier: MIT */
/*
 * reason.h - why does a job not start now: which gate stops it, with which numbers?
 *
 * A reason is an enum with numbers; explain.c alone turns it into words. Gates stand in
 * the order in which a pass tries them; the first that fails is the job's reason. The
 * row of each gate (name, test) is in queue.c.
 */
#ifndef CORE_REASON_H
#define CORE_REASON_H

#include <stdint.h>

enum gate {
	GATE_NONE,         /* nothing stops it: it starts (or runs)                          */
	GATE_HOLD,         /* value: enum job_hold bits                                      */
	GATE_START_DATE,   /* until_s: the date                                              */
	GATE_FEASIBLE,     /* value: processors asked, limit: the machine's; never starts    */
	GATE_NEGATIVE,     /* value: priority < 0 and REJECTNEGPRIOJOBS                       */
	GATE_RESOURCES,    /* value: processors asked, limit: free now                       */
	GATE_RESERVATIONS, /* value: asked, limit: free while it would run; other, until_s: the
			      reservation it would delay and when that begins; other 0: its
			      own promise, which is kept, begins only then                   */
	GATE_ORDER,        /* strict order: other: the job ahead that must start first       */
	GATE_COUNT
};

struct reason {
	uint8_t gate; /* enum gate */
	uint8_t spare[7];
	int64_t value;
	int64_t limit;
	int64_t until_s; /* when it clears by itself, TIME_NEVER if it does not or nobody knows */
	uint64_t other;  /* id of another job, 0 = none                                        */
};

#endif
