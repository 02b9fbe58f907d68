/* SPDX-License-Identifier: MIT */
/*
 * fate.h - what has become of a job?
 *
 * The scheduler's answer to who asks about jobs by number or label, whether they wait, run or have ended
 * lately. What only concerns the owner is told to the owner alone, and to those who see everything.
 */
#ifndef TUI_SERVE_FATE_H
#define TUI_SERVE_FATE_H

#include <stdbool.h>
#include <stdint.h>

enum fate_phase {
	FATE_UNKNOWN, /* no such job, or it ended too long ago */
	FATE_WAITING,
	FATE_RUNNING,
	FATE_ENDED,
	FATE_PHASE_COUNT
};

/* Which job: its id, or when that is 0 what people call it: a label, a number; "12[]" and the number of an
 * array are all its tasks, of which the worst end counts. */
struct fate_name {
	uint64_t job;
	const char *label; /* NULL = none */
};

/* Texts: NULL = not said. Times: TIME_NONE = not yet. */
struct fate {
	uint64_t job;
	uint8_t phase;       /* enum fate_phase                                    */
	bool lost, at_limit; /* ended: it is not known how; at its wallclock limit */
	bool cancelled;      /* ended: as somebody cancelled it                    */
	int32_t status;      /* ended: as in ledger.h                              */
	int64_t start_s, end_s;
	const char *label, *user;    /* label NULL: the number                          */
	const char *why;             /* ended: a sentence where status does not say it; the reason given to
					cancel */
	const char *output, *errors; /* see outputs.h; only when they were asked for */
};

#define FATE_NAMES_MAX  1000 /* of one request */
#define FATE_LABELS_MAX 32   /* of them; each is looked for from end to end */
#define FATE_FILES_MAX                                                                                       \
	4 /* when their files are asked for; a launch of up to LAUNCH_MAX bytes is read for each */

struct str;

/* "job 12 ended with 0", "job 12 was ended by TERM", "job 12 runs", for a person; text_safe is yours. */
void fate_describe(const struct fate *fate, struct str *out);
/* As a shell has it: 128 and the number of the signal that ended it. 1 when nobody knows. */
uint8_t fate_exit_status(const struct fate *fate);
/* 128 + signal, of a status in the ledger's terms. */
uint8_t exit_status_of(int32_t status);

#endif
