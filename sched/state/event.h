/* SPDX-License-Identifier: MIT */
/*
 * event.h - what can happen, and how does each happening change the state?
 *
 * The state changes only through event_apply. Every event is written to the journal in
 * the same transaction as the records it changed. Operator events (hold, priority, modify,
 * setting, undo) leave a change behind that can be undone; what a pass itself changes
 * (start, plan, accrual, bypass) are events like any other.
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
	EVENT_CONFIG = 1, /* a configuration was read                                     */
	EVENT_NODE,       /* a node was reported                                          */
	EVENT_SIM,        /* a simulated workload was set up or moved on                  */
	EVENT_SUBMIT,
	EVENT_START,
	EVENT_END,
	EVENT_HOLD,     /* holds set or released                                        */
	EVENT_PRIORITY, /* an operator's priority                                       */
	EVENT_SETTING,  /* a live change of an option (tune)                            */
	EVENT_UNDO,
	EVENT_PLAN,      /* a reservation within RESERVATIONDEPTH was made, moved, dropped */
	EVENT_ACCRUAL,   /* effective queue time stops or starts to count                */
	EVENT_BYPASS,    /* backfill passed jobs by                                      */
	EVENT_PASS,      /* kept reservations were moved up after ends (HIGHEST only)      */
	EVENT_CANCEL,    /* a job is to go: a waiting one goes at once, a running one when its manager reports
			    its end */
	EVENT_DEFER,     /* the scheduler lets a job be for a while                        */
	EVENT_MODIFY,    /* an attribute of a waiting job was changed                      */
	EVENT_USAGE,     /* one window of fairshare usage was read from elsewhere          */
	EVENT_USED,      /* how much a running job has used so far                         */
	EVENT_LOAD,      /* what a manager measures on a node                              */
	EVENT_ORDER,     /* LOCAL's program answered                                       */
	EVENT_ELIGIBLE,  /* a job was promoted to the eligible, or is not any more          */
	EVENT_SUSPEND,   /* a running job is to stand still, or to go on                    */
	EVENT_REQUEUE,   /* a running job is to be stopped, and waits again when its end is reported */
	EVENT_HALT,      /* passes are to start nothing any more, after so many; or to start jobs again */
	EVENT_SIGNAL,    /* a running job is to get a signal                                */
	EVENT_RESERVE,   /* nodes are kept for some from one moment to another             */
	EVENT_UNRESERVE, /* and no longer                                                  */
	EVENT_KEEP,      /* a change that was made for a while stays                       */
	EVENT_CLOCK,     /* the system's clock was set: see below                          */
	EVENT_KIND_COUNT
};

#define EVENT_SIGNAL_MAX 64

/*
 * The clock. Moments of the state and of the journal are those of the system's clock, so that everything a
 * person reads or writes (dates of jobs, advance reservations, the ends of temporary changes, the boundaries
 * of fairshare windows) needs no conversion. Such a clock can be set. The event EVENT_CLOCK says so: from it
 * on the state is at ev->time_s by the new clock, and what was measured as elapsed time is moved with the
 * clock: when jobs were submitted, started, suspended and charged, until when they are deferred, their
 * planned starts. A job keeps its queue time and what is left of its wallclock limit, in either direction.
 * Start dates of users, advance reservations and the ends of temporary changes stay, and happen when the new
 * clock shows them. Fairshare windows move by whole intervals: the current window stays the current one, and
 * ends at the next multiple of FSINTERVAL by the new clock.
 *
 * The other design, a state whose time never goes back and an offset to the clock, would have to convert
 * every moment in every report, request and option. Here one event is all there is to it, and times in the
 * journal go back only there: each such entry names the one before it (clock.before), which is how a moment
 * is found.
 */
#define EVENT_CLOCK_MOST INT64_C(100000000000) /* seconds: about 3000 years */

/* What a pass says of many waiting jobs at once: of the event's job, and of more. */
struct switched {
	bool on;
	uint32_t more_count;
	const uint64_t *more; /* each job once */
};

/* A waiting job that backfill passed by, and how often. */
struct bypassed {
	uint64_t job;
	uint32_t by;
	uint32_t spare;
};

/*
 * One event. Strings and arrays are borrowed from the caller; event_apply copies what it
 * keeps. who is the person or "sched".
 */
struct event {
	uint64_t seq;   /* written by event_apply: previous + 1        */
	int64_t time_s; /* the moment, never before the previous event: but see EVENT_CLOCK */
	enum event_kind kind;
	uint64_t job; /* id; 0 when the event is not about a job (SUBMIT: 0 = next free id) */
	const char *who;
	int64_t until_s; /* a change is taken back by itself then; 0 = it stays     */
	const char *why; /* the reason that was given for it; NULL = none           */
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
		} start;
		struct {
			int32_t status;  /* exit status; 0 for simulated jobs             */
			bool at_limit;   /* it was stopped at its wallclock limit         */
			bool has_used;   /* used_ps says something                        */
			bool lost;       /* how it ended is not known                     */
			int64_t used_ps; /* processor-seconds it used in the end          */
			int64_t held_s;  /* how long it ran, rounded up; 0 = not measured */
			int64_t mem_mb;  /* the most memory it had; 0 = not measured      */
			const char *why; /* a sentence where status does not say it; NULL = none */
		} end;
		struct {
			bool depends; /* of a waiting job: what it was to wait for can no longer happen */
			const char *cause; /* what that is, as a sentence; NULL unless depends */
		} cancel;
		struct {
			uint8_t bits;       /* enum job_hold                     */
			bool on;            /* set or release                    */
			const char *reason; /* NULL = nobody said                */
		} hold;
		struct {
			uint8_t adjust; /* enum job_adjust               */
			int64_t points;
		} priority;
		struct {
			const char *name, *value;
		} setting;
		struct {
			uint64_t seq; /* of the change to undo, or to keep */
		} undo, keep;
		struct {
			int64_t start_s;              /* TIME_NEVER: dropped          */
			const struct alloc_run *runs; /* the nodes it names; count 0: it floats */
			uint32_t count;
		} plan;
		struct {
			int64_t until_s; /* TIME_NONE: it is deferred no longer      */
			const char *reason;
			bool failed_start; /* its manager could not start it: it waits again */
			bool retry; /* with failed_start: for a reason that passes by itself. until_s is when
				       it is tried again; not counted as a defer */
		} defer;
		struct {
			const char *name, *value; /* "qos", "hi": see job_attributes in state.h */
		} modify;
		struct {
			const char *name, *text; /* UNRESERVE: the name alone; see advance.h       */
		} reserve;
		struct usage_window usage; /* replaces what is there of that window */
		struct {
			int64_t ps;
		} used;
		struct {
			const char *node;
			struct node_used used;
			const char *by; /* "python3 of eva": uses most of it outside the queue; NULL = not
					   known */
		} load;
		struct {
			const char *nodes; /* names in order, blank between; NULL = it did not answer:
					      MINRESOURCE */
		} order;
		struct switched accrual;  /* on: counts again from time_s */
		struct switched eligible; /* on: promoted                 */
		struct {
			bool on;     /* suspend or resume                              */
			uint8_t how; /* on: enum suspend_how bits; else 0              */
		} suspend;
		struct {
			uint8_t number; /* 1 to EVENT_SIGNAL_MAX, as this system counts them */
		} signal;
		struct {
			bool on;
			uint32_t after; /* so many passes still start jobs */
		} halt;
		struct {
			int64_t by_s;    /* how far it was set: forward, or back when negative           */
			uint64_t before; /* written by event_apply: the entry that set it back before; 0 =
					    none */
		} clock;
		struct {
			const struct bypassed *item; /* each job once */
			uint32_t count;
		} bypass;
	};
};

/*
 * Checks the event against the state, then applies it, numbers it (ev->seq) and, for a
 * submission, gives the id (ev->job). On false nothing has changed and err says why, for
 * a person: "job 12 runs since 10:50:09; a hold acts only on waiting jobs".
 */
bool event_apply(struct state *st, struct event *ev, struct err *err);

/* Only the check. A batch is checked event by event as it is applied to a copy. */
bool event_check(const struct state *st, const struct event *ev, struct err *err);

/*
 * Does the job leave the tables by this end? Not when it was asked to be requeued, or when its end is not
 * known and it may be run again: then it waits again.
 */
bool event_ends_for_good(const struct job *job, const struct event *ev);

/* Is a failed start that is deferred or retried charged for the time for which the job held its processors?
 * One that waits again at once is not: its job was not begun, and the scheduler may have been stopped since.
 */
bool event_charges_start(const struct event *ev);

/* The end that its manager will report of a job that is asked to stop: it was killed, which is no success for
 * those that wait for it. Time and who are the caller's. */
struct event event_of_stop(uint64_t job);

/*
 * Finds the next temporary change that is over at now_s and sets *ev to the event that undoes it or, where it
 * can no longer be undone, makes it permanent; time and who are the caller's. Before each pass the caller
 * repeats the call, applying each event, until it returns false. *at is UINT32_MAX in the first call and
 * keeps the place between calls, so that all calls together walk over the changes once.
 */
bool event_returns(const struct state *st, int64_t now_s, uint32_t *at, struct event *ev);

#define EVENT_CAUSE_TEXT 128

/*
 * Finds the next waiting job whose dependency can no longer be met and sets *ev to the cancel by which it
 * leaves the queue; time and who are the caller's. None where KEEPDEPENDENCYFAILED keeps such jobs. Before
 * each pass the caller repeats the call, applying each event, until it returns false; *at is 0 in the first
 * call and keeps the place between calls. The jobs that wait for such a job follow it.
 */
bool event_drops(struct state *st, uint32_t *at, struct event *ev, char cause[static EVENT_CAUSE_TEXT]);

/* Does the scheduler pause after so many passes, and one has been made? Then *ev counts it; its time and who
 * are the caller's. */
bool event_counts_pass(const struct snapshot *s, struct event *ev);

/* "submit", "start", ...; static storage. */
const char *event_kind_name(enum event_kind kind);

/* True for the kinds that leave a change which undo can take back. */
bool event_can_undo(enum event_kind kind);

/* One line for a person, with the time of a clock: "hold user 12", "set xfactorweight 1000". */
struct str;
void event_describe(const struct event *ev, moment_clock *clock, struct str *out);
/* The same with the name of the job that it is about, such as "12[3]"; NULL = its number. */
void event_describe_as(const struct event *ev, const char *job, moment_clock *clock, struct str *out);

/* What a job's attribute was set to, for a person: a date, written in seconds or in UTC, by the clock. */
const char *event_value_text(const char *name, const char *value, int64_t now_s, moment_clock *clock,
			     char buf[static MOMENT_TEXT]);

#endif
