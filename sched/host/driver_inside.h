/* SPDX-License-Identifier: MIT */
/*
 * driver_inside.h - what the files of the driver share and nobody else sees
 *
 * driver_say.c tells what no journal has, driver_apply.c takes events and commits them, driver_post.c takes
 * requests, driver_pass.c runs a pass, driver_act.c tells the manager what was decided, driver_local.c asks
 * the site's program, driver_recover.c goes on after a commit that failed, driver.c does all of it in order.
 */
#ifndef HOST_DRIVER_INSIDE_H
#define HOST_DRIVER_INSIDE_H

#include "driver.h"
#include "keep.h"
#include "outputs.h"
#include "sched/base/arena.h"
#include "sched/base/str.h"
#include "sched/pass/cycle.h"
#include "sched/pass/enact.h"

/* What the manager is to be told after the commit. Runs live as long as the step. */
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

	bool dirty;     /* something happened since the last pass           */
	int64_t due_s;  /* when the last pass said to look again            */
	int64_t poll_s; /* > 0: passes fall only on multiples of it         */

	/* The step so far: events and ends are kept only for a ledger. */
	int64_t step_s; /* TIME_NONE: reports keep the moments they come with */
	struct arena arena;
	struct outputs_cache *outputs;
	struct event *event;
	size_t event_count, event_room;
	struct ended_job *ended;
	size_t ended_count, ended_room;
	struct answered *answered; /* to what is in event */
	size_t answered_count, answered_room;
	struct action *action;
	size_t action_count, action_room;
	struct str launch;  /* of the last start */
	uint64_t launch_id; /* its number, as one that is in the ledger never changes; 0 = none */
	struct enact enact; /* of the pass at hand */

	struct { /* the reservation that a change of its job gave up: driver_apply.c */
		uint64_t job;
		uint64_t first_seq, last_seq; /* the changes, one after the other; 0 = there is none */
		uint32_t standing;            /* those that have not been undone                    */
		int64_t start_s;
		struct alloc_run *run;
		uint32_t count;
		size_t room;
	} given_up;

	struct {                 /* of a store that cannot be written: driver_recover.c */
		bool refused;    /* the last commit failed                        */
		bool stands;     /* until then nothing is tried                   */
		bool told;       /* somebody heard of it, and nothing was committed since */
		int64_t until_s; /* when it is tried again                        */
		struct err why;
	} stall;

	bool room_told; /* somebody heard that the store has no room, and it has had none since */

	bool local_failed; /* LOCAL's program did not answer the last time */
	struct str barred; /* why no program of the configuration is run; empty: they are */

	bool failed; /* a report or decision was refused: err has the first */
	struct err err;
};

/* Time does not go back: what comes late happens now. */
struct event driver_in_time(const struct state *st, const struct event *ev);

/* Applies an event and keeps it for the commit, until which the caller keeps what a submission is to run. */
bool driver_apply(struct driver *d, struct event *ev, struct err *err);

/* Takes what the manager reports; self is the driver. */
void driver_take_report(void *self, const struct event *reported);

/* What the manager has; a new configuration may leave to it what the old one said. */
bool driver_ask_nodes(struct driver *d, struct err *err);

/* What happens in a step before its commit: the manager's reports, and a pass if anything changed or is due.
 */
bool driver_gather(struct driver *d, int64_t now_s, struct err *err);

/* Has the store room for more than what must be written? False: err says so. */
bool driver_has_room(struct driver *d, struct err *err);

/* Makes the step durable; or gives it up. */
bool driver_commit(struct driver *d, struct err *err);
void driver_forget_step(struct driver *d);

/* One pass: its decisions are applied, and what the manager must do is noted. */
bool driver_pass(struct driver *d, int64_t now_s, struct err *err);

/* Notes what an event that is not the manager's own asks of it. */
void driver_note_action(struct driver *d, const struct event *happened);

/*
 * After the commit: tells the manager. What it refuses to start goes back to the queue and waits
 * there for a while, in a commit of its own. False: storage failed.
 */
bool driver_act(struct driver *d, int64_t now_s, struct err *err);

/* What the manager reports of a failed start: the moment of the next try; of a job that was cancelled
 * meanwhile it is the end. */
void driver_settle_failed_start(const struct driver *d, struct event *ev);

/* Before a pass: the site's program says where the first jobs should go. */
bool driver_ask_local(struct driver *d, int64_t now_s, struct err *err);

/*
 * After a commit that failed with err: state and manager are as the store has it, and nothing is tried for a
 * while. False: that cannot be done; err says why, or what the commit said.
 */
bool driver_recover(struct driver *d, int64_t now_s, struct err *err);
bool driver_is_stalled(const struct driver *d, int64_t now_s);

void driver_say(struct driver *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
