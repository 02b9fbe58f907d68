/* SPDX-License-Identifier: MIT */
/*
 * driver_inside.h - private interface of the driver's files
 *
 * driver.c applies events, runs passes and commits; driver_act.c passes decisions to the resource manager;
 * driver_local.c asks the site's node allocation program.
 */
#ifndef HOST_DRIVER_INSIDE_H
#define HOST_DRIVER_INSIDE_H

#include "driver.h"
#include "event_copy.h"
#include "outputs.h"
#include "sched/base/arena.h"
#include "sched/base/str.h"
#include "sched/pass/cycle.h"
#include "sched/pass/enact.h"

/* An action of the resource manager after the commit. The memory of `runs` is in action_arena. */
struct action {
	enum event_kind kind; /* START, CANCEL, REQUEUE, SUSPEND or SIGNAL */
	uint64_t job;
	const struct alloc_run *runs;
	uint32_t run_count;
	bool on;    /* SUSPEND */
	int number; /* SIGNAL  */
};

struct driver {
	struct state *st;
	struct state *trial;   /* copy of the state on which requests with several events are tried; NULL: no
				  copy was needed recently */
	int64_t trial_until_s; /* time until which the copy is kept for the next such request */
	bool expects_many;     /* see driver_expect_many */
	struct cycle *cycle;
	struct rm rm;
	struct ledger ledger;
	driver_watch *watch;
	void *watch_self;
	driver_watch_end *watch_end;
	void *watch_end_self;
	driver_tell *tell;
	void *tell_self;
	driver_warn *warn;
	void *warn_self;
	driver_toll *toll;
	void *toll_self;
	struct driver_stats stats;

	bool dirty;     /* something happened since the last pass */
	int64_t due_s;  /* time of the next pass, as requested by the last pass */
	int64_t poll_s; /* > 0: passes run only at multiples of poll_s */

	/*
	 * The step so far. Events and ends are collected only if there is a ledger, because a replay without
	 * a ledger is then faster.
	 */
	int64_t step_s; /* earlier reports are dated at this time; TIME_NONE: reports keep their time */
	struct arena arena;
	struct outputs_cache *outputs;
	struct event *event;
	size_t event_count, event_cap;
	struct ended_job *ended;
	size_t ended_count, ended_cap;
	struct answered *answered; /* answers to the requests whose events are collected */
	size_t answered_count, answered_cap;
	struct action *action;
	size_t action_count, action_cap;
	struct arena action_arena; /* requests are freed before their actions are carried out */
	struct str launch;         /* launch data of the last start */
	uint64_t launch_id;        /* ID of the launch data in the ledger; 0 = none */
	struct enact enact;        /* decisions of the pass being carried out */

	struct { /* the reservation that a job lost because it was modified */
		uint64_t job;
		uint64_t first_seq, last_seq; /* first and last of consecutive modifications of the job, by
						 journal entry; 0 = none */
		uint32_t standing;            /* number of these modifications that have not been undone */
		int64_t start_s;
		struct alloc_run *run;
		uint32_t count;
		size_t cap;
	} given_up;

	struct {                 /* recovery from a failed commit */
		bool refused;    /* the last commit failed */
		bool waits;      /* no step is run before until_s */
		bool told;       /* the failure was reported, and no commit has succeeded since then */
		int64_t until_s; /* time of the next step */
		struct err why;
	} stall;

	bool room_told; /* it was reported that the store is full, and the store is still full */

	bool local_failed; /* the site's node allocation program (LOCAL) gave no valid answer the last time */
	struct str barred; /* why programs of the configuration are barred; empty: not barred */

	bool failed; /* a report or decision was refused: err has the first such error */
	struct err err;
};

/*
 * Returns the event. If its time is before the time of the state, which never goes back, the event gets the
 * time of the state.
 */
struct event driver_in_time(const struct state *st, const struct event *ev);

/*
 * Applies an event and collects it for the commit. The caller must keep the launch data of a submission until
 * the commit. Returns false if the event was refused.
 */
bool driver_apply(struct driver *d, struct event *ev, struct err *err);

/* Applies an event that the resource manager reports; self is the driver. */
void driver_take_report(void *self, const struct event *reported);

/*
 * Commits the collected events, and drops them even if the commit fails. Returns false with err set on
 * failure.
 */
bool driver_commit(struct driver *d, struct err *err);

/* Notes what the resource manager has to do because of an event that it did not report itself. */
void driver_note_action(struct driver *d, const struct event *happened);

/*
 * After the commit: passes the noted actions to the resource manager. A job whose start the manager refuses
 * returns to the queue, in a separate commit. Returns false if storage failed.
 */
bool driver_act(struct driver *d, int64_t now_s, struct err *err);

/*
 * Completes the report of a failed start: sets the time of the next try, or turns the report into an end if
 * the job was cancelled meanwhile.
 */
void driver_settle_failed_start(const struct driver *d, struct event *ev);

/*
 * Called before a pass: asks the site's program for the nodes of the first jobs in the queue. Returns false
 * if an answer could not be applied.
 */
bool driver_ask_local(struct driver *d, int64_t now_s, struct err *err);

/* Has a commit failed so recently that nothing is tried at now_s? */
bool driver_is_stalled(const struct driver *d, int64_t now_s);

/* --- a manager that is watched (driver_watch.c) ------------------------------------------------------- */

/*
 * Does the manager decide by itself (rm_ops.compare)? Then the state follows its reports. A pass only
 * determines what this scheduler would do: of its decisions, only those about queue times are applied.
 */
bool driver_is_watching(const struct driver *d);

/* Returns false with err set if one of the events would change what only the watched manager may change. */
bool driver_may_change(const struct driver *d, const struct event *ev, size_t count, struct err *err);

void driver_say(struct driver *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
