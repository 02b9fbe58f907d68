/* SPDX-License-Identifier: MIT */
/*
 * room_inside.h - what the files of the room share and nobody else sees
 *
 * From the ground up: room_machine.c says what there is, room_guard.c what is kept for others, room_moment.c
 * adds up what is held of a node over time, room_claim.c by whom. placement_fit.c says how many tasks fit on
 * a node, room_value.c what policies of node allocation look at. room_memo.c remembers what was found for
 * jobs that ask the same. room.c keeps what is taken, placement_spare.c says what guards leave,
 * placement_find.c on which nodes a job can stand, room_seek.c from when on, room_reason.c what is lacking,
 * placement_feasible.c what there could be. resume_claim.c claims the processors of suspended jobs that
 * released them.
 */
#ifndef PLACEMENT_STATE_H
#define PLACEMENT_STATE_H

#include "placement.h"
#include "sched/model/expr.h"

enum claim_kind {
	CLAIM_RUNS,   /* a running job, until it must have ended */
	CLAIM_STARTS, /* a start of this pass                    */
	CLAIM_LATER   /* a reservation                           */
};

/* What one job holds of one node. */
struct claim {
	int64_t begin_s, end_s; /* [begin_s, end_s)                                        */
	uint32_t slot;
	uint32_t procs, tasks;
	uint32_t next;  /* of the same node; INDEX_NONE at the end; free ones chain likewise */
	uint8_t access; /* enum node_access that counts for it on this node                  */
	uint8_t kind;   /* enum claim_kind                                                   */
};

/* What one job holds, all claims together. */
struct holding {
	int64_t begin_s, end_s;
	uint32_t slot;
	uint32_t first_run, run_count; /* of room.held */
};

/* The claims of one node. */
struct node_claims {
	uint32_t first;
	uint32_t added;       /* of them, those of this pass: starts and reservations */
	int64_t full_until_s; /* at least until then one job has all its processors   */
	int64_t idle_from_s;  /* from then on, perhaps earlier, it has no claims      */
};

/* What is held of a node from a moment on, until the next. */
struct step {
	int64_t at_s;
	uint32_t begins;       /* claims that begin here            */
	uint32_t reservations; /* reservations that hold something  */
};

/* All moments of a node from now on; count 0: its claims are not added up yet. */
struct timeline {
	struct step *step;
	int64_t *amount; /* room.kinds for each moment */
	uint32_t count;
	int64_t last_begin_s; /* no claim begins after it */
	size_t step_cap, amount_cap;
};

/* One step of the profile that is to be taken when it is built. */
struct pending_take {
	int64_t begin_s, end_s, procs;
};

/* A PRIORITYF of this pass. */
struct priority_function {
	uint32_t text; /* string of the snapshot     */
	bool good;     /* false: it cannot be read   */
	struct expr expr;
};

/* An advance reservation that is not over. */
struct advance_reservation {
	int64_t begin_s, end_s; /* [begin_s, end_s) */
	uint32_t index;         /* of the snapshot  */
};

struct shape;     /* room_memo.c  */
struct guest_set; /* room_guard.c */
struct share;     /* likewise     */

struct placement {
	const struct snapshot *s;
	int64_t now_s;
	bool plain;
	int64_t procs_free;

	struct profile *profile;
	bool has_profile;
	struct pending_take *pending; /* taken before the profile was built */
	size_t pending_count, pending_cap;

	uint32_t *taken; /* processors that starts took, by node; all 0 between passes */
	size_t taken_cap;
	struct alloc_list starts; /* their runs; .next is the slot                         */
	uint32_t lowest, highest; /* no node below, none from there on has a free processor */

	/* Claims by node; in a plain room only when a policy has to know them. */
	bool has_claims;
	struct node_claims *node_claims;
	size_t node_claims_cap;
	struct claim *claim;
	size_t claim_cap;
	uint32_t claim_count, claim_spare;
	struct holding *holding; /* the same by job */
	size_t holding_count, holding_cap;
	struct alloc_list held;
	struct timeline *timeline; /* by node */
	size_t timeline_cap;
	bool users_matter; /* somebody wants to be alone with his own jobs       */
	bool has_open;
	uint32_t *open; /* nodes with a free processor now, by index           */
	size_t open_first, open_end, open_cap;
	size_t open_listed;    /* so many were open when they were listed; trimmed since then at both ends */
	uint32_t shut_drained; /* of the nodes not listed, those that are drained */
	int64_t *future_begin_s; /* when reservations begin, ascending, each once     */
	size_t future_begin_count, future_begin_cap;
	uint8_t *is_reserved; /* by slot: it has a reservation; all 0 between passes */
	size_t is_reserved_cap;
	uint32_t *reserved_slot; /* those */
	size_t reserved_count, reserved_slot_cap;

	/* What was found. */
	uint64_t version; /* of the claims: another after each take and give */
	struct shape *shape;
	size_t shape_count, shape_cap;
	uint32_t *shape_at; /* table of hashes: index of a shape + 1 */

	/* What every node has at least when it is empty, if it says how much. */
	bool knows_least;
	bool classes_matter; /* some nodes name classes */
	int kinds_least;     /* of so many kinds: nobody has or asks for any of those behind */
	struct alloc_amounts least;

	/* What allocation looks at, for this pass. */
	struct alloc_candidate *candidate;
	size_t candidate_count, candidate_cap;
	uint32_t *fits; /* by node: tasks of the job that is looked for */
	size_t fits_cap;
	bool knows_machine;
	enum alloc_speeds speeds;
	struct alloc_amounts machine;
	unsigned kinds;                   /* that it has, of processors and resources */
	int8_t kind_at[ALLOC_KIND_COUNT]; /* place of each among them; -1 = it has none */
	bool has_line;
	uint32_t *line; /* by node: its place among neighbours */
	size_t line_cap;
	bool has_functions;
	struct priority_function *function;
	size_t function_count, function_cap;
	uint32_t *function_of; /* by node: index of its function, INDEX_NONE = it has none */
	size_t function_of_cap;

	/* What is kept for some. */
	struct advance_reservation *advance;
	uint32_t advance_count;
	size_t advance_cap;
	struct guest_set *set; /* each once; a job's set is known by its place here */
	size_t set_count, set_cap;
	uint32_t *set_of; /* by slot; 0 = not looked for yet */
	size_t set_of_cap;
	struct resume_claim *resume; /* suspended jobs whose processors are released */
	size_t resume_count, resume_cap;
	struct alloc_list resumed; /* runs of those that are resumed now, counted in taken */
	struct share *share;       /* what guards keep of each node; those of a node stand together */
	size_t share_cap;
	uint32_t *share_first; /* by node, and the end */
	size_t share_first_cap;
};

static inline const struct job *placement_job(const struct placement *p, uint32_t slot)
{
	return &snapshot_jobs(p->s)[slot];
}

/* Processors that nobody holds now. */
static inline uint32_t placement_free_on(const struct placement *p, uint32_t node)
{
	return node_procs_free(&snapshot_nodes(p->s)[node]) - p->taken[node];
}

/*
 * A job's own reservation is in nobody's way when it is asked where that job has room: it is lifted before,
 * and lowered after. NULL: it has none.
 */
struct holding *holding_lift(struct placement *p, uint32_t slot);
void holding_restore(struct placement *p, struct holding *holding);

/* --- room_machine.c ---------------------------------------------------------------------- */

/* What room.speeds and room.machine say, found when first asked for. */
void placement_need_machine(struct placement *p);

/* Where each node stands among its neighbours, for policies that look at it; found when first asked for. */
const uint32_t *placement_line(struct placement *p, enum allocation_policy policy);

/* The policy that counts for a job. */
enum allocation_policy placement_policy(const struct snapshot *s, const struct job *job, bool now);

/* --- room_claim.c ------------------------------------------------------------------------ */

/* Builds the claims when they are first asked for. */
void claims_build(struct placement *p);

/*
 * How long after its wallclock limit an overdue job is taken to end. A real job is killed after jobgrace. Any
 * other may end at any moment: it is taken to end at the next of its poll intervals, counted from its limit,
 * so that what is promised behind it does not move at every look.
 */
int64_t claim_overdue_s(const struct placement *p, const struct job *job, int64_t overdue_s);

/* When a running job ends at the latest, for what is promised behind it. */
int64_t claim_running_until(const struct placement *p, const struct job *job);

/* Room for the suspended jobs whose processors are released; resume_claim.c. Before anything is taken. */
void resume_claim_all(struct placement *p);
/* The steps of their claims, between profile_reset and profile_settle. */
void resume_note_profile(const struct placement *p);
/* Forgets them. */
void resume_wipe(struct placement *p);

/* What a job takes now or later, of all its runs. */
void claim_take(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
		const struct alloc_run *runs, uint32_t count);

/* Begins what a job holds; adds a run to it, with a claim to each of its nodes. Valid until the next begins.
 */
struct holding *claim_begin_holding(struct placement *p, const struct claim *claim);
void claim_hold(struct placement *p, struct holding *holding, const struct claim *claim,
		const struct alloc_run *run);

/* Adds one claim to each node of a run; takes one away from a node. */
void claim_add(struct placement *p, struct claim claim, const struct alloc_run *run);
void claim_drop(struct placement *p, uint32_t node, uint32_t slot, int64_t begin_s);

/* Forgets a holding; what it had of the runs stays where it is until the next pass. */
void claim_drop_holding(struct placement *p, uint32_t slot, int64_t begin_s);

/* Notes a promise: whose it is, and when it begins; or only when. */
void claims_note_reservation(struct placement *p, uint32_t slot, int64_t begin_s);
void claims_note_begin(struct placement *p, int64_t begin_s);

/* --- room_guard.c ------------------------------------------------------------------------ */

/* Sets of invitations: to all guards, as if there were none, and to none of them. */
#define GUEST_OF_ALL  0
#define GUEST_OF_NONE 1

/* The guards of the moment, none yet on a node; then on their nodes; and the end. */
void advances_begin(struct placement *p);
void advances_place(struct placement *p);
void advances_free(struct placement *p);

/* The set of invitations of a job; the same with one guard more. Does a guard invite those of the set? */
uint32_t advance_guests(struct placement *p, uint32_t slot);
uint32_t guests_with(struct placement *p, uint32_t guests, uint32_t advance);
bool advance_admits(const struct placement *p, uint32_t guests, uint32_t advance);

/* Has a node any? */
static inline bool advances_on_node(const struct placement *p, uint32_t node)
{
	return p->advance_count > 0 && p->share_first[node + 1] > p->share_first[node];
}

/* The guards of a node, one after the other; NULL behind the last. */
const struct advance_reservation *advance_on(const struct placement *p, uint32_t node, uint32_t i);

/* Processors of a node that are kept from those with a set of invitations, at a moment. */
int64_t advance_kept(struct placement *p, uint32_t node, uint32_t guests, int64_t at_s);

/* Is a node, or any, kept for them at some moment of [begin_s, end_s)? Then it is taken first. */
bool advance_prefers(const struct placement *p, uint32_t node, uint32_t guests, int64_t begin_s,
		     int64_t end_s);
bool advance_prefers_any(const struct placement *p, uint32_t guests, int64_t begin_s, int64_t end_s);

/* --- room_moment.c ----------------------------------------------------------------------- */

/* Nothing is added up of so many nodes; and the end. */
void timelines_reset(struct placement *p, uint32_t nodes);
void timelines_free(struct placement *p);

/* The claims of a node added up. Valid until the next is taken. */
struct timeline *timeline_of(struct placement *p, uint32_t node);

/* The index of the moment in force at at_s. */
uint32_t timeline_at(const struct timeline *c, int64_t at_s);

/* What is held from a moment on. */
static inline int64_t timeline_held(const struct placement *p, const struct timeline *c, uint32_t step,
				    int kind)
{
	return p->kind_at[kind] < 0 ? 0 : c->amount[(size_t)step * p->kinds + (size_t)p->kind_at[kind]];
}

/* When the next claim begins at or after a moment; TIME_NEVER = none does. */
int64_t timeline_next_begin(const struct timeline *c, int64_t at_s);

/* A claim is taken, or given back (sign -1): added up where claims have been. */
void timeline_change(struct placement *p, uint32_t node, const struct claim *claim, int sign);

/* --- placement_fit.c ------------------------------------------------------------------------ */

/* What a job wants of a node, with names looked up. */
struct request {
	const struct snapshot *s;
	const struct job *job;
	uint32_t slot;           /* INDEX_NONE: not in the snapshot                  */
	enum node_access access; /* its own, its class's or the system's             */
	const char *hosts;       /* NULL = any                                       */
	uint64_t classes;        /* bit of its class, 0 = no node names it           */
	bool has_class;
	bool is_picky;   /* not any node would do, whatever is free          */
	uint32_t guests; /* its set of invitations; GUEST_OF_ALL: nothing is kept from it */
	unsigned count;
	struct {
		uint8_t kind, lack; /* enum alloc_kind, enum lack                */
		int64_t amount;     /* by a task, > 0                            */
	} resource[ALLOC_KIND_COUNT];
};

struct request request_of(const struct snapshot *s, const struct job *job, uint32_t slot);

/* The same of a job of the room, with its invitations. */
struct request request_in(struct placement *p, uint32_t slot);

/* How many tasks fit on one node. */
struct fit {
	uint32_t tasks;
	uint8_t lack; /* enum lack: what keeps more from fitting */
};

/* What the node lacks, whatever is free of it; and may anything start there at all? */
enum lack request_lack_now(const struct request *request, const struct node *node);

/* Would the job hold the node whole? */
bool request_whole(const struct request *request, const struct node *node);

/* Does any node name classes? */
bool request_classes_matter(const struct snapshot *s);

/* Memory, swap and disk of which nothing is known are not looked at. */
static inline bool fit_is_known(const struct node *node, int kind)
{
	return kind == ALLOC_PROCS || kind >= ALLOC_GRES || alloc_configured(node, kind) > 0;
}

/* On an empty node. */
struct fit fit_empty(const struct request *request, const struct node *node);

/* Beside all claims, throughout [begin_s, end_s). */
struct fit fit_between(struct placement *p, const struct request *request, uint32_t node, int64_t begin_s,
		       int64_t end_s);

/* What is left of a resource of a node for a job when it begins; and the least throughout [begin_s, end_s).
 */
int64_t fit_left(struct placement *p, uint32_t node, int kind, int64_t begin_s);
int64_t fit_least(struct placement *p, uint32_t node, int kind, int64_t begin_s, int64_t end_s);

/* --- room_memo.c ------------------------------------------------------------------------- */

/* What is known of all jobs that want the same of each node; NULL when there are too many different ones.
 * Valid until the next is asked for. */
struct shape *memo_shape(struct placement *p, const struct request *request);

/* What is known of the shape on an empty machine: so many tasks fit on the nodes below this one. */
struct empty_sum {
	uint32_t nodes;
	bool has_lack;
	uint8_t lack; /* enum lack, of all nodes */
	int64_t tasks;
};
struct empty_sum *memo_empty(struct shape *shape);

/* Over the empty nodes that fit at least one task of a job: the most tasks on a node, in whole units, and
 * the fewest processors of a node. tasks 0: not computed yet, or no node fits. */
struct alone {
	uint32_t tasks, procs;
};
struct alone *memo_alone(struct shape *shape);

/* Is it known that fewer tasks than these fit anywhere throughout [now, end_s)? */
bool memo_hopeless(const struct shape *shape, uint32_t tasks, int64_t end_s);

/* How many fit, and what others lack: false when that is not known. lack: LACK_COUNT = not looked for. */
bool memo_total(const struct placement *p, const struct shape *shape, int64_t end_s, int64_t *tasks,
		enum lack *lack);
void memo_note_total(const struct placement *p, struct shape *shape, int64_t end_s, int64_t tasks,
		     enum lack lack);

/* No job with as many tasks and as long a limit begins between from_s and this moment; at least from_s. */
int64_t memo_not_before(const struct shape *shape, const struct job *job, int64_t from_s);
void memo_note_begin(struct shape *shape, const struct job *job, int64_t from_s, int64_t begin_s);

/* Time was given back: nothing that was found counts any more. */
void memo_forget(struct placement *p);

/* --- room_value.c ------------------------------------------------------------------------ */

/* A node on which tasks of the job fit throughout [begin_s, end_s), as a policy looks at it. */
struct alloc_candidate candidate_make(struct placement *p, enum allocation_policy policy,
				      const struct request *request, uint32_t node, uint32_t tasks,
				      int64_t begin_s, int64_t end_s);

/* --- placement_find.c -------------------------------------------------------------------------- */

struct alloc_input placement_alloc_input(struct placement *p, const struct job *job,
					 enum allocation_policy policy);

/* The nodes that have a processor free now, and perhaps others: r->open[0 .. open_listed), by index. */
void placement_list_open(struct placement *p);

/* As placement_find, for a start now; and for a later moment at which so many tasks fit on each node (NULL:
 * to be found out). */
bool placement_find_now(struct placement *p, const struct request *request, int64_t end_s,
			struct alloc_list *out);
bool placement_find_later(struct placement *p, const struct request *request, int64_t begin_s, int64_t end_s,
			  const uint32_t *fits, struct alloc_list *out);

/* What is remembered of a job's shape; NULL = nothing is. */
struct shape *placement_shape(struct placement *p, const struct request *request);

/* --- room_reason.c ------------------------------------------------------------------------- */

/* Why nodes do not fit: how many lack what; `none` of those on which nothing fits. */
struct lacks {
	uint32_t none[LACK_COUNT], some[LACK_COUNT];
};

void lacks_count(struct lacks *lacks, struct fit fit);

/* What most nodes lack. */
enum lack lacks_judge(const struct lacks *lacks);

/* Does only the sum of what fits count: does the job not care how many nodes these are, and which? */
static inline bool placement_only_sum_counts(const struct snapshot *s, const struct job *job)
{
	return job->nodes == 0 && placement_policy(s, job, true) != ALLOCATE_CONTIGUOUS;
}

/* So many of the tasks as stay together. */
static inline uint32_t placement_whole_units(const struct job *job, uint32_t tasks)
{
	return job->tasks_per_node > 1 ? tasks - tasks % job->tasks_per_node : tasks;
}

#endif
