/* SPDX-License-Identifier: MIT */
/*
 * placement_state.h - state of a placement, shared by the files of this folder
 *
 * The files, from the ground up: advance_reservation.c computes what is reserved for guests; claims.c, what
 * jobs hold on each node over time; candidate.c, how many tasks fit on a node and the values that allocation
 * policies compare. shape.c caches results for jobs with equal requests. placement.c takes claims, and finds
 * nodes and start times for jobs. feasibility.c computes how much of a job fits and what is lacking.
 */
#ifndef PLACEMENT_STATE_H
#define PLACEMENT_STATE_H

#include "placement.h"
#include "sched/model/expr.h"

enum claim_kind {
	CLAIM_RUNS,   /* a running job, until its latest end */
	CLAIM_STARTS, /* a start of this pass */
	CLAIM_LATER   /* a reservation */
};

/* What one job holds on one node. */
struct claim {
	int64_t begin_s, end_s; /* [begin_s, end_s) */
	uint32_t slot;
	uint32_t procs, tasks;
	uint32_t next;  /* next claim on the same node, or next unused claim; INDEX_NONE = none */
	uint8_t access; /* enum node_access in effect for the job on this node */
	uint8_t kind;   /* enum claim_kind */
};

/* All claims of one job. */
struct holding {
	int64_t begin_s, end_s;
	uint32_t slot;
	uint32_t first_run, run_count; /* its runs, in placement.held */
};

/* The claims on one node. */
struct node_claims {
	uint32_t first; /* index of the first claim; INDEX_NONE = none */
	uint32_t added; /* number of starts, reservations and shares of advance reservations on the node */
	int64_t full_until_s; /* one job holds all processors of the node at least until this time */
	int64_t idle_from_s;  /* the node has no claims from this time on, or from an earlier time */
};

/* What is held on a node from at_s until the next step. */
struct step {
	int64_t at_s;
	uint32_t begins;       /* number of claims that begin here */
	uint32_t reservations; /* number of reservations that hold resources in this step */
};

/* All steps of a node from now on; count 0: the timeline has not been built. */
struct timeline {
	struct step *step;
	int64_t *amount; /* amounts held in each step: placement.kinds per step */
	uint32_t count;
	int64_t last_begin_s; /* no claim begins after this time */
	size_t step_cap, amount_cap;
};

/* Processors that will be taken from the profile when it is built. */
struct pending_take {
	int64_t begin_s, end_s, procs;
};

/* A PRIORITYF that nodes have. */
struct priority_function {
	uint32_t text; /* string of the snapshot */
	bool good;     /* could it be parsed? */
	struct expr expr;
};

/* An advance reservation in effect or in the future. */
struct advance_reservation {
	int64_t begin_s, end_s; /* [begin_s, end_s) */
	uint32_t index;         /* index into the snapshot's advance reservations */
};

struct shape;     /* see below */
struct guest_set; /* advance_reservation.c */
struct share;     /* advance_reservation.c */

struct placement {
	const struct snapshot *s;
	int64_t now_s;
	bool plain;
	int64_t procs_free;

	struct profile *profile;
	bool has_profile;
	struct pending_take *pending; /* processors taken before the profile is built */
	size_t pending_count, pending_cap;

	uint32_t *taken; /* by node: processors taken by starts; all 0 between passes */
	size_t taken_cap;
	struct alloc_list starts; /* runs of the jobs started in this pass; .next is the job's slot */
	uint32_t lowest, highest; /* only nodes in [lowest, highest) can have a free processor */

	/* Claims on each node; in a plain placement they are built only if a policy needs them. */
	bool has_claims;
	struct node_claims *node_claims;
	size_t node_claims_cap;
	struct claim *claim;
	size_t claim_cap;
	uint32_t claim_count, claim_spare; /* number of claims, unused ones included; first unused claim */
	struct holding *holding;           /* the claims by job */
	size_t holding_count, holding_cap;
	struct alloc_list held;    /* runs of the holdings */
	struct timeline *timeline; /* by node */
	size_t timeline_cap;
	bool users_matter; /* does a claim have access SINGLEUSER? */
	bool has_open;
	uint32_t *open; /* nodes that had a free processor when the list was made, by ascending index */
	size_t open_first, open_end, open_cap; /* [open_first, open_end): the part of the list that begins and
						  ends with nodes that are not full */
	size_t open_listed;                    /* number of nodes when the list was made */
	uint32_t shut_drained;                 /* number of drained nodes that are not in the list */
	int64_t *future_begin_s; /* start times of reservations and resumes, ascending, without duplicates */
	size_t future_begin_count, future_begin_cap;
	uint8_t *is_reserved; /* by slot: does the job have a reservation? all 0 between passes */
	size_t is_reserved_cap;
	uint32_t *reserved_slot; /* slots of the jobs with a reservation */
	size_t reserved_count, reserved_slot_cap;

	/* Cached results. */
	uint64_t version; /* version of the claims: incremented whenever claims are added or removed */
	struct shape *shape;
	size_t shape_count, shape_cap;
	uint32_t *shape_at; /* hash table: index of a shape + 1 */

	/*
	 * For each kind of resource, the smallest configured amount of any node on which the amount is known;
	 * valid if knows_least.
	 */
	bool knows_least;
	bool classes_matter; /* do nodes have lists of classes? */
	int kinds_least;     /* number of kinds in `least`; no node has, and no job requests, other kinds */
	struct alloc_amounts least;

	/* Input of node allocation in this pass. */
	struct alloc_candidate *candidate;
	size_t candidate_count, candidate_cap;
	uint32_t *fits; /* by node: number of tasks of the job in question that fit */
	size_t fits_cap;
	bool knows_machine;
	enum alloc_speeds speeds;
	struct alloc_amounts machine;
	unsigned kinds;                   /* number of kinds of resources that the machine has */
	int8_t kind_at[ALLOC_KIND_COUNT]; /* index of each kind among these; -1 = the machine lacks it */
	bool has_line;
	uint32_t *line; /* by node: its rank (nodealloc_line) */
	size_t line_cap;
	bool has_functions;
	struct priority_function *function;
	size_t function_count, function_cap;
	uint32_t *function_of; /* by node: index of its function, INDEX_NONE = none */
	size_t function_of_cap;

	/* Advance reservations and suspended jobs. */
	struct advance_reservation *advance;
	uint32_t advance_count;
	size_t advance_cap;
	struct guest_set *set; /* the different sets of invitations; a set is identified by its index here */
	size_t set_count, set_cap;
	uint32_t *set_of; /* by slot: index of the job's set; 0 = not determined yet */
	size_t set_of_cap;
	struct resume_claim *resume; /* suspended jobs whose processors are released */
	size_t resume_count, resume_cap;
	struct alloc_list resumed; /* runs of the jobs that resume now; included in `taken` */
	struct share *share; /* processors that advance reservations reserve on each node, sorted by node */
	size_t share_cap;
	uint32_t *share_first; /* by node: index of its first share; one more element for the end */
	size_t share_first_cap;
};

static inline const struct job *placement_job(const struct placement *p, uint32_t slot)
{
	return &snapshot_jobs(p->s)[slot];
}

/* Returns the number of processors of a node that are free now. */
static inline uint32_t placement_free_on(const struct placement *p, uint32_t node)
{
	return node_procs_free(&snapshot_nodes(p->s)[node]) - p->taken[node];
}

/* --- advance_reservation.c ------------------------------------------------------------------------------ */

/*
 * Two fixed sets of invitations. OF_ALL: to every advance reservation, so that none withholds processors.
 * OF_NONE: to no advance reservation.
 */
#define GUEST_OF_ALL  0
#define GUEST_OF_NONE 1

/* Determines the advance reservations of a pass. */
void advances_begin(struct placement *p);
/* Determines the shares of the advance reservations on each node. */
void advances_place(struct placement *p);
void advances_free(struct placement *p);

/* Returns the set of a job's invitations: the advance reservations of which it is a guest. */
uint32_t advance_guests(struct placement *p, uint32_t slot);

/* Returns the set `guests` with an invitation to one more advance reservation. */
uint32_t guests_with(struct placement *p, uint32_t guests, uint32_t advance);

/* Does an advance reservation admit jobs with this set of invitations? */
bool advance_admits(const struct placement *p, uint32_t guests, uint32_t advance);

/* Does an advance reservation reserve processors of the node? */
static inline bool advances_on_node(const struct placement *p, uint32_t node)
{
	return p->advance_count > 0 && p->share_first[node + 1] > p->share_first[node];
}

/* Returns the i-th advance reservation on a node; NULL after the last. */
const struct advance_reservation *advance_on(const struct placement *p, uint32_t node, uint32_t i);

/*
 * Returns the number of processors of a node that are reserved at at_s and not available to jobs with this
 * set of invitations.
 */
int64_t advance_kept(struct placement *p, uint32_t node, uint32_t guests, int64_t at_s);

/*
 * Is the node reserved, at some time in [begin_s, end_s), for jobs with this set of invitations? These jobs
 * prefer such nodes.
 */
bool advance_prefers(const struct placement *p, uint32_t node, uint32_t guests, int64_t begin_s,
		     int64_t end_s);

/*
 * Does an advance reservation in effect at some time in [begin_s, end_s) admit jobs with this set of
 * invitations?
 */
bool advance_prefers_any(const struct placement *p, uint32_t guests, int64_t begin_s, int64_t end_s);

/* --- claims.c ------------------------------------------------------------------------------------------- */

/* Determines placement.speeds, .machine, .kinds and .kind_at on first use. */
void placement_need_machine(struct placement *p);

/* Returns the timeline of a node, which is built on first use. Valid until the next claim is added. */
struct timeline *timeline_of(struct placement *p, uint32_t node);

/* Returns the index of the step in effect at at_s, which is not before the first step. */
uint32_t timeline_at(const struct timeline *c, int64_t at_s);

/* Returns the amount of a kind that is held in a step. */
static inline int64_t timeline_held(const struct placement *p, const struct timeline *c, uint32_t step,
				    int kind)
{
	return p->kind_at[kind] < 0 ? 0 : c->amount[(size_t)step * p->kinds + (size_t)p->kind_at[kind]];
}

/* Returns the first start of a claim at or after at_s; TIME_NEVER if there is none. */
int64_t timeline_next_begin(const struct timeline *c, int64_t at_s);

void timelines_free(struct placement *p);

/* Builds the claims of running and suspended jobs and of this pass's starts, on first use. */
void claims_build(struct placement *p);

/* Adds the claims of a start or a reservation on all its nodes, and its holding. */
void claim_take(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
		const struct alloc_run *runs, uint32_t count);

/* Adds a claim on each node of a run. */
void claim_add(struct placement *p, struct claim claim, const struct alloc_run *run);
/* Removes the claim of a job that begins at begin_s from a node. The claim must exist. */
void claim_drop(struct placement *p, uint32_t node, uint32_t slot, int64_t begin_s);

/* Removes a holding; its runs stay in placement.held until the next pass. */
void claim_drop_holding(struct placement *p, uint32_t slot, int64_t begin_s);

/* Notes that a job has a reservation, which begins at begin_s. */
void claims_note_reservation(struct placement *p, uint32_t slot, int64_t begin_s);

/* Notes that a reservation or a resume begins at begin_s. */
void claims_note_begin(struct placement *p, int64_t begin_s);

/* Returns the latest end of a running job. Claims of other jobs on its processors can begin at that time. */
int64_t claim_running_until(const struct placement *p, const struct job *job);

/* Adds the claims of suspended jobs to the profile, between profile_reset and profile_settle. */
void resume_note_profile(const struct placement *p);

/* Removes the claims of suspended jobs at the end of a pass. */
void resume_wipe(struct placement *p);

/* --- candidate.c ---------------------------------------------------------------------------------------- */

/*
 * Returns the rank of each node (nodealloc_line), determined on first use; NULL if the policy does not need
 * it.
 */
const uint32_t *placement_line(struct placement *p, enum allocation_policy policy);

/* Returns the allocation policy in effect for a job; `now`: the job would start now. */
enum allocation_policy placement_policy(const struct snapshot *s, const struct job *job, bool now);

/* What a job requests of a node, with names resolved. */
struct request {
	const struct snapshot *s;
	const struct job *job;
	uint32_t slot;           /* INDEX_NONE: the job is not in the snapshot */
	enum node_access access; /* access policy of the job, of its class or of the system */
	const char *hosts;       /* names of the nodes that it accepts; NULL = any node */
	uint64_t classes;        /* bit of its class; 0 = no node lists the class */
	bool has_class;
	bool is_picky;   /* does it accept only some nodes, even if all are empty? */
	uint32_t guests; /* set of its invitations; GUEST_OF_ALL: no advance reservation excludes it */
	unsigned count;  /* number of resources that it requests */
	struct {
		uint8_t kind, lack; /* enum alloc_kind; the enum lack if there is too little of it */
		int64_t amount;     /* per task, > 0 */
	} resource[ALLOC_KIND_COUNT];
};

/* Returns the request of a job; its set of invitations is GUEST_OF_ALL. */
struct request request_of(const struct snapshot *s, const struct job *job, uint32_t slot);

/* Returns the request of a job of the placement, with its set of invitations. */
struct request request_in(struct placement *p, uint32_t slot);

/* The number of tasks that fit on one node. */
struct fit {
	uint32_t tasks;
	uint8_t lack; /* enum lack: what limits the number */
};

/*
 * Returns why the node is not suitable for the job, even if all its resources are free (it may be drained);
 * LACK_NONE if it is suitable.
 */
enum lack request_lack_now(const struct request *request, const struct node *node);

/* Would the job hold the whole node? */
bool request_whole(const struct request *request, const struct node *node);

/* Does the snapshot have trait names of a kind? */
bool has_trait(const struct snapshot *s, enum trait_kind kind);

/*
 * Is the amount of a kind on the node known? Unknown amounts of memory, swap and disk do not limit the number
 * of tasks.
 */
static inline bool fit_is_known(const struct node *node, int kind)
{
	return kind == ALLOC_PROCS || kind >= ALLOC_GRES || alloc_configured(node, kind) > 0;
}

/* Returns the number of tasks that fit on the node if it is empty. */
struct fit fit_empty(const struct request *request, const struct node *node);

/* Returns the number of tasks that fit on the node throughout [begin_s, end_s) given all claims. */
struct fit fit_between(struct placement *p, const struct request *request, uint32_t node, int64_t begin_s,
		       int64_t end_s);

/* Returns the amount of a kind that is left on a node at begin_s for a job that starts at that time. */
int64_t fit_left(struct placement *p, uint32_t node, int kind, int64_t begin_s);
/* Returns the minimum of this amount throughout [begin_s, end_s). */
int64_t fit_least(struct placement *p, uint32_t node, int kind, int64_t begin_s, int64_t end_s);

/*
 * Returns a candidate: a node on which `tasks` tasks of the job fit throughout [begin_s, end_s), with the
 * values that the policy compares.
 */
struct alloc_candidate candidate_make(struct placement *p, enum allocation_policy policy,
				      const struct request *request, uint32_t node, uint32_t tasks,
				      int64_t begin_s, int64_t end_s);

/* --- shape.c ------------------------------------------------------------------------------------------ */

#define RESULTS_MOST 4 /* maximum number of results of each kind for each shape */

/* What the jobs of a shape have in common. Without padding, because it is compared and hashed as bytes. */
struct shape_key {
	int64_t amount[ALLOC_KIND_COUNT];
	uint64_t features, classes;
	uint32_t hosts, partition;
	uint32_t tasks_per_node, nodes;
	uint32_t user; /* INDEX_NONE if it does not matter whose job it is */
	uint32_t rest; /* set of invitations, flags of unknown names, access, has_class and CONTIGUOUS as bits
			*/
};

/*
 * A cached result: `tasks` tasks fit throughout [now, end_s) at this version of the claims; if lack is
 * LACK_COUNT, at most `tasks` fit.
 */
struct total {
	uint64_t version;
	int64_t end_s, tasks;
	enum lack lack;
};

/*
 * A cached result: no job with at least `tasks` tasks and a wallclock limit of at least wall_s can start in
 * [from_s, begin_s).
 */
struct begin {
	uint32_t tasks;
	int64_t wall_s, from_s, begin_s;
};

/* How many tasks fit on the empty machine, summed up over the nodes below index `nodes`. */
struct empty_sum {
	uint32_t nodes;
	bool has_lack;
	uint8_t lack; /* enum lack: what most nodes lack */
	int64_t tasks;
};

/*
 * Over all empty nodes on which at least one task fits: the largest number of tasks that fit on a node (a
 * multiple of tasks_per_node), and the smallest number of processors of a node. tasks 0: not computed yet, or
 * no such node.
 */
struct single_node {
	uint32_t tasks, procs;
};

struct shape {
	struct shape_key key;
	struct total total[RESULTS_MOST];
	struct begin begin[RESULTS_MOST];
	unsigned total_count, begin_count; /* number of results noted so far; the oldest ones were replaced */
	struct empty_sum empty;
	struct single_node single;
};

/*
 * Returns the cache for all jobs with equal requests per node; NULL if there are too many different requests.
 * Valid until the next call.
 */
struct shape *memo_shape(struct placement *p, const struct request *request);

/* Is it known that fewer than `tasks` tasks fit throughout [now, end_s)? */
bool memo_hopeless(const struct shape *shape, uint32_t tasks, int64_t end_s);

/*
 * Notes how many tasks fit throughout [now, end_s), and the lack as for placement_fit. lack LACK_COUNT: the
 * number is an upper bound, and the lack is not known.
 */
void memo_note_total(const struct placement *p, struct shape *shape, int64_t end_s, int64_t tasks,
		     enum lack lack);

/*
 * Looks up how many tasks fit throughout [now, end_s), and the lack as for placement_fit. Returns false if
 * this is not cached.
 */
bool memo_total(const struct placement *p, const struct shape *shape, int64_t end_s, int64_t *tasks,
		enum lack *lack);

/* Returns the earliest time >= from_s at which the job might start, as far as the cached results say. */
int64_t memo_not_before(const struct shape *shape, const struct job *job, int64_t from_s);
/* Notes that the job cannot start in [from_s, begin_s). */
void memo_note_begin(struct shape *shape, const struct job *job, int64_t from_s, int64_t begin_s);

/* Discards all cached results, at the start of a pass or after a claim was removed. */
void memo_forget(struct placement *p);

/* --- placement.c ---------------------------------------------------------------------------------------- */

/*
 * A job's own reservation does not restrict that job. Before a query about the job, holding_lift removes the
 * claims of the reservation and returns its holding, or NULL if the job has none; afterwards holding_restore
 * adds them again.
 */
struct holding *holding_lift(struct placement *p, uint32_t slot);
void holding_restore(struct placement *p, struct holding *holding);

/* Returns the input of node allocation for a job of the placement. */
struct alloc_input placement_alloc_input(struct placement *p, const struct job *job,
					 enum allocation_policy policy);

/*
 * Ensures that p->open[0 .. open_listed) contains, by ascending index, all nodes with a processor free now;
 * some of its nodes may have been filled since it was made.
 */
void placement_list_open(struct placement *p);

#endif
