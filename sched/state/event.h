/* SPDX-License-Identifier: MIT */
/*
 * event.h - events, the only way to change the state
 *
 * The state changes only through event_apply. Every event is written to the journal in the same transaction
 * as the records that it changed. Events of operators (hold, priority, modify, setting, undo) leave a change
 * that can be undone; what a pass changes (start, plan, accrual, bypass) is recorded as events in the same
 * way.
 */
#ifndef STATE_EVENT_H
#define STATE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/duration.h"
#include "sched/base/err.h"
#include "state.h"

enum event_kind {
	EVENT_CONFIG = 1, /* a configuration was read */
	EVENT_NODE,       /* a node was reported */
	EVENT_SIM,        /* a simulated workload was set up or has progressed */
	EVENT_SUBMIT,
	EVENT_START,
	EVENT_END,
	EVENT_HOLD,     /* holds were set or released */
	EVENT_PRIORITY, /* an operator has set or reset a priority */
	EVENT_SETTING,  /* an option was changed while the scheduler runs */
	EVENT_UNDO,
	EVENT_PLAN,    /* a job reservation was made, moved or dropped */
	EVENT_ACCRUAL, /* effective queue time stops or starts to accrue */
	EVENT_BYPASS,  /* jobs were bypassed by backfill */
	EVENT_PASS, /* job reservations were moved up after jobs had ended (RESERVATIONPOLICY HIGHEST only) */
	EVENT_CANCEL,    /* a job is cancelled: an idle job leaves at once, a running one when its end is
			    reported                                                    */
	EVENT_DEFER,     /* a job is deferred */
	EVENT_MODIFY,    /* an attribute of an idle job was changed */
	EVENT_USAGE,     /* a window of fairshare usage was imported */
	EVENT_USED,      /* measured usage of a running job */
	EVENT_LOAD,      /* measured load of a node */
	EVENT_ORDER,     /* the site's node allocation program (LOCAL) has answered */
	EVENT_ELIGIBLE,  /* a job became eligible, or is no longer eligible */
	EVENT_SUSPEND,   /* a running job is suspended or resumed */
	EVENT_REQUEUE,   /* a running job is stopped and, when its end is reported, requeued */
	EVENT_HALT,      /* the scheduler is paused, at once or after some passes, or resumed */
	EVENT_SIGNAL,    /* a signal is sent to a running job */
	EVENT_RESERVE,   /* an advance reservation is made */
	EVENT_UNRESERVE, /* an advance reservation is released */
	EVENT_KEEP,      /* a temporary change becomes permanent */
	EVENT_CLOCK,     /* the system clock was set: see below */
	EVENT_DESCRIBE,  /* a resource manager that decides by itself reports new data of a job (submit) */
	EVENT_FAULT,     /* the resource manager cannot be read, or can be read again */
	EVENT_KIND_COUNT
};

#define EVENT_SIGNAL_MAX 64

/*
 * The clock. Times in the state and the journal are those of the system clock, so that everything people read
 * or write (dates of jobs, advance reservations, ends of temporary changes, boundaries of fairshare windows)
 * needs no conversion. Setting the system clock is recorded as EVENT_CLOCK: from then on the state uses the
 * new clock, beginning at ev->time_s. Times from which elapsed time is measured are moved with the clock:
 * submit, start, suspend and charge times, the ends of deferrals, and planned starts. A job keeps its queue
 * time and the rest of its wallclock limit, whether the clock is set forward or back. Start dates set by
 * users, advance reservations and ends of temporary changes stay the same and take effect when the new clock
 * reaches them. Fairshare windows move by whole intervals: the current window stays the current one and ends
 * at the next multiple of FSINTERVAL by the new clock.
 *
 * The alternative would be a time that never goes back, and an offset between it and the system clock: every
 * report, request and option would then have to convert times. Times in the journal go back only at these
 * events, and each such entry refers to the previous one (clock.before), which makes it possible to find the
 * entry for a given time.
 */
#define EVENT_CLOCK_MOST INT64_C(100000000000) /* seconds: about 3000 years */

/* The same change for several idle jobs: the event's job and others. */
struct switched {
	bool on;
	uint32_t more_count;
	const uint64_t *more; /* each job at most once */
};

/* An idle job that was bypassed by backfill, and the number of bypasses. */
struct bypassed {
	uint64_t job;
	uint32_t by;
	uint32_t spare;
};

/*
 * One event. Strings and arrays are borrowed from the caller; event_apply copies what it keeps. `who` is the
 * user, or "sched".
 */
struct event {
	uint64_t seq;   /* set by event_apply: previous + 1 */
	int64_t time_s; /* not before the previous event, except for EVENT_CLOCK */
	enum event_kind kind;
	uint64_t job; /* ID; 0 if the event concerns no job (SUBMIT: 0 = next free ID) */
	const char *who;
	int64_t until_s; /* time at which the change is undone automatically; 0 = permanent */
	const char *why; /* the reason given; NULL = none */
	union {
		struct {
			const char *file, *text;
		} config;
		struct node_record node;
		struct sim_origin sim;
		struct job_record submit;
		struct {
			const struct alloc_run *runs;
			uint32_t count;
			bool backfilled;
			bool reported;   /* a resource manager has started the job by its own decision */
			int64_t since_s; /* with `reported`: the time of the start, which may be before time_s
					  */
		} start;
		struct {
			int32_t status;  /* exit status; 0 for simulated jobs             */
			bool at_limit;   /* the job was stopped at its wallclock limit */
			bool has_used;   /* used_ps is valid */
			bool lost;       /* the result is not known */
			int64_t used_ps; /* total processor-seconds used */
			int64_t held_s;  /* run time, rounded up; 0 = not measured */
			int64_t mem_mb;  /* peak memory; 0 = not measured */
			const char *why; /* an explanation in addition to status; NULL = none */
		} end;
		struct {
			bool depends;      /* idle job: its dependency can no longer be met */
			const char *cause; /* description of the dependency; NULL unless depends */
		} cancel;
		struct {
			uint8_t bits;       /* enum job_hold */
			bool on;            /* true: set, false: release */
			const char *reason; /* NULL = none */
		} hold;
		struct {
			uint8_t adjust; /* enum job_adjust               */
			int64_t points;
		} priority;
		struct {
			const char *name, *value;
		} setting;
		struct {
			uint64_t seq; /* number of the change to undo or to make permanent */
		} undo, keep;
		struct {
			int64_t start_s; /* TIME_NEVER: reservation dropped */
			const struct alloc_run
				*runs; /* named nodes; count 0: the reservation names no nodes */
			uint32_t count;
		} plan;
		struct {
			int64_t until_s; /* TIME_NONE: no longer deferred */
			const char *reason;
			bool failed_start; /* the start failed: the job is idle again */
			bool retry; /* with failed_start: a temporary failure, which does not count as a
				       deferral; the start is tried again at until_s */
		} defer;
		struct {
			const char *name, *value; /* "qos", "hi": see job_attributes in state.h */
		} modify;
		struct {
			const char *name, *text; /* UNRESERVE: only the name; see advance.h */
		} reserve;
		struct usage_window usage; /* replaces the window if it exists */
		struct {
			int64_t ps;
		} used;
		struct {
			const char *node;
			struct node_used used;
			const char *by; /* "python3 of eva": the process outside jobs that uses the node most;
					   NULL = not known */
		} load;
		struct {
			const char *nodes; /* node names, the best first, separated by blanks; NULL = no
					      answer: nodes are allocated as with MINRESOURCE */
		} order;
		struct switched accrual;  /* on: queue time accrues from time_s */
		struct switched eligible; /* on: the jobs are now eligible */
		struct {
			bool on;     /* true: suspend, false: resume */
			uint8_t how; /* bits of enum suspend_how; resume: only SUSPEND_RESUMED */
		} suspend;
		struct {
			uint8_t number; /* number of the signal on this system, 1 to EVENT_SIGNAL_MAX */
		} signal;
		struct {
			bool on;
			uint32_t after; /* number of passes that still start jobs */
		} halt;
		struct {
			const char *text; /* what is wrong, as a sentence; NULL: the resource manager can be
					     read again */
		} fault;
		struct {
			int64_t by_s;    /* seconds by which the clock was set; negative: back */
			uint64_t before; /* set by event_apply: the previous entry that set the clock back; 0
					    = none */
		} clock;
		struct {
			const struct bypassed *item; /* each job at most once */
			uint32_t count;
		} bypass;
	};
};

/*
 * Checks the event against the state, applies it, and sets its number (ev->seq) and, for a submission, the
 * job ID (ev->job). If it returns false, nothing has changed and err contains the reason: "job 12 has run for
 * 0:09:55; a hold applies only to idle jobs".
 */
bool event_apply(struct state *st, struct event *ev, struct err *err);

/*
 * Checks whether event_apply would accept the event. To check a batch, apply its events to a copy of the
 * state.
 */
bool event_check(const struct state *st, const struct event *ev, struct err *err);

/*
 * Does the job leave the tables with this end? It does not if it is to be requeued, or if it was lost and
 * may be requeued; a cancelled job always does.
 */
bool event_ends_for_good(const struct job *job, const struct event *ev);

/* Returns the time at which the job of a start event starts, or has started. */
static inline int64_t event_start_s(const struct event *ev)
{
	return ev->start.reported ? ev->start.since_s : ev->time_s;
}

/*
 * Is the job charged for the time for which it held its processors? Only if its start has failed and it is
 * deferred or retried. A job that becomes idle again at once is not charged: it never began to run, and the
 * scheduler may have been stopped since.
 */
bool event_charges_start(const struct event *ev);

/*
 * Returns the end that will be reported for a job that is being stopped: the job was killed, which does not
 * count as success for dependencies. The caller sets time and who.
 */
struct event event_of_stop(uint64_t job);

/*
 * Finds the next temporary change that is over at now_s and sets *ev to the event that undoes it or, if it
 * can no longer be undone, makes it permanent; the caller sets time and who. Before each pass the caller
 * repeats the call, applying each event, until it returns false. *at is UINT32_MAX in the first call and
 * keeps the position between calls, so that all calls together traverse the changes once.
 */
bool event_returns(const struct state *st, int64_t now_s, uint32_t *at, struct event *ev);

#define EVENT_CAUSE_TEXT 128

/*
 * Finds the next idle job whose dependency can no longer be met and sets *ev to the cancel that removes it
 * from the queue; the caller sets time and who. With KEEPDEPENDENCYFAILED there are none. Before each pass
 * the caller repeats the call, applying each event, until it returns false; *at is 0 in the first call and
 * keeps the position between calls. Jobs that depend on the cancelled job follow in later calls.
 */
bool event_drops(struct state *st, uint32_t *at, struct event *ev, char cause[static EVENT_CAUSE_TEXT]);

/*
 * Called after a pass. If the scheduler is to pause after a number of passes, sets *ev to the event that
 * counts this pass and returns true; the caller sets time and who.
 */
bool event_counts_pass(const struct snapshot *s, struct event *ev);

/* Returns the name of a kind of event, such as "submit"; static storage. */
const char *event_kind_name(enum event_kind kind);

/* Does an event of this kind leave a change that can be undone? */
bool event_can_undo(enum event_kind kind);

/*
 * Appends a description in one line, with times by the given clock: "hold user 12", "set xfactorweight 1000".
 */
struct str;
void event_describe(const struct event *ev, moment_clock *clock, struct str *out);
/* Like event_describe, with `job` as the label of the job, such as "12[3]"; NULL = its number. */
void event_describe_as(const struct event *ev, const char *job, moment_clock *clock, struct str *out);

/*
 * Formats the value of a job's attribute for display; a date, which is stored in seconds or in UTC, by the
 * given clock.
 */
const char *event_value_text(const char *name, const char *value, int64_t now_s, moment_clock *clock,
			     char buf[static MOMENT_TEXT]);

#endif
