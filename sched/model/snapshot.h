/* SPDX-License-Identifier: MIT */
/*
 * snapshot.h - an immutable copy of the scheduler state, the input of a pass
 *
 * A snapshot is one block of memory: this header, then tables, which are located by offsets from the header
 * and never by pointers. So it is copied with memcpy, and a copy can be passed to another thread, modified
 * for a what-if query, or sent to another process. The live state (state.h) has the same form, with spare
 * capacity in the tables; a published snapshot is a copy of it without the spare capacity.
 *
 * Readers use const struct snapshot * and the snapshot_* functions below. Job slots may be empty (state
 * JOB_NONE); use the WAITING and RUNNING tables to iterate over jobs.
 */
#ifndef MODEL_SNAPSHOT_H
#define MODEL_SNAPSHOT_H

#include <stddef.h>
#include <stdint.h>

#include "advance.h"
#include "cred.h"
#include "job.h"
#include "limit.h"
#include "node.h"
#include "policy.h"
#include "sched/policy/fairshare.h"
#include "sched/policy/throttle.h"

struct prio_creds; /* defined in sched/policy/priority.h */
struct prio_world; /* defined in sched/policy/priority.h */

enum snapshot_table_id {
	TABLE_JOBS,    /* struct job; by slot, some slots are empty */
	TABLE_WAITING, /* struct waiting; the idle jobs by (submit time, ID) */
	TABLE_RUNNING, /* uint32_t; the slots of running jobs by (due end, ID) */
	TABLE_NODES,   /* struct node, in the order of the configuration */
	TABLE_CREDS,   /* struct cred, in the order in which they were first named, after the five DEFAULTs */
	TABLE_PARTITIONS, /* struct partition; [0] is ALL                                    */
	TABLE_RUNS,       /* struct alloc_run; the runs of a job are chained */
	TABLE_CHANGES,    /* struct change, by seq: changes by operators that can be undone */
	TABLE_VALUES,     /* struct config_entry: values set in the configuration, in its order */
	TABLE_USAGE,      /* struct usage; row cred.usage is for a credential, column i for window
			     snapshot.fs_window[i] */
	TABLE_LIMITS,     /* struct limit, in the order of limit_compare: by credential */
	TABLE_PERMITS,   /* struct permit: access lists for QOS and accounts, and the QOS lists of reservation
			    levels */
	TABLE_TRAITS,    /* struct trait: names of features, node classes and generic resources */
	TABLE_DEPENDS,   /* struct depend; the dependencies of a job are chained */
	TABLE_ADVANCES,  /* struct advance, by seq: advance reservations that are not released; some may be
			    over */
	TABLE_KEPT_RUNS, /* struct alloc_run: what advance reservations reserve; the runs of a reservation are
			    adjacent */
	TABLE_GUESTS,    /* struct guest: guests of advance reservations; the guests of a reservation are
			    adjacent */
	TABLE_STRINGS,   /* char; NUL-terminated strings, the first is "" */
	TABLE_COUNT
};

struct snapshot_table {
	uint64_t offset; /* bytes from the start of the block            */
	uint32_t count;  /* number of items in use */
	uint32_t room;   /* capacity in items */
};

/* An idle job, with the values that a search of the queue needs first. */
struct waiting {
	uint32_t slot;
	uint32_t wall_s; /* wallclock limit, at most UINT32_MAX */
	uint32_t procs;  /* job_procs of the job, at most UINT32_MAX */
};

/* Clamps a number to the range of a member of struct waiting. */
static inline uint32_t at_most_u32(int64_t n)
{
	return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

/* How a job is suspended or resumed: by whom, and what happens to its processors. */
enum suspend_how {
	SUSPEND_BY_OWNER = 1, /* suspended by its owner (option ownersuspend), who may resume it */
	SUSPEND_RELEASE = 2,  /* other jobs may use its processors */
	SUSPEND_KEEP = 4,     /* the job keeps its processors; without this and SUSPEND_RELEASE, option
				 ownersuspend decides */
	SUSPEND_RESUMED = 8,  /* resumed by a pass: the free processors are allocated to the job again */
	SUSPEND_HOW_ALL = 15
};

/* Kinds of changes. */
enum change_kind {
	CHANGE_HOLD,      /* number: enum job_hold bits; on: 1 = set, 0 = cleared */
	CHANGE_PRIORITY,  /* number: points; on: enum job_adjust */
	CHANGE_SETTING,   /* name, value: name of the option and its new value as text */
	CHANGE_UNDO,      /* number: seq of the change that is undone */
	CHANGE_MODIFY,    /* name, value: job attribute and new value; base: its value at submission */
	CHANGE_RESERVE,   /* name, value: advance reservation and its text; base: the user who created it */
	CHANGE_UNRESERVE, /* name: the advance reservation that is released */
	CHANGE_HALT,    /* on: pause or continue; number: passes that still start jobs; base of the first such
			   change: "paused" if the scheduler was already paused */
	CHANGE_SUSPEND, /* on: suspend or resume; number: enum suspend_how bits */
	CHANGE_KIND_COUNT,
	CHANGE_GONE =
		CHANGE_KIND_COUNT /* a removed change; its item is freed later, together with many others */
};

/*
 * A change made by an operator. The effective value is the base value with all live changes applied in order;
 * a change is dead while a live CHANGE_UNDO refers to it. So after an undo the state is as if the change had
 * never been made; the undo can itself be undone.
 */
struct change {
	uint64_t seq;    /* sequence number of its event        */
	uint64_t job;    /* ID of the job; 0 for changes of the site */
	uint64_t before; /* seq of the previous change of the same job, or else of the site; 0 = none */
	int64_t number;
	int64_t until_s; /* undone automatically at this time; 0 = permanent */
	uint32_t kind;   /* enum change_kind                     */
	uint32_t on;
	uint32_t name;  /* string: name of the option, job attribute or advance reservation */
	uint32_t value; /* string: new value, or text of the reservation; of a hold: the reason */
	uint32_t dead;  /* 1 while the change is undone */
	uint32_t base;  /* string: see the kinds that have a base */
};

/* Kinds of access list: the QOS or accounts that a credential may use, or the QOS of a reservation level. */
enum permit_kind {
	PERMIT_QOS,      /* QLIST of a credential; qos: a QOS in it */
	PERMIT_QOS_BOTH, /* QLIST with & of a credential; qos: a QOS in it. Every such list must contain the
			    QOS */
	PERMIT_QOS_ONLY, /* QLIST with ^ of a credential; qos: a QOS in it. Only this list counts */
	PERMIT_LEVEL,    /* owner: reservation level; qos: a QOS in its RESERVATIONQOSLIST */
	PERMIT_ACCOUNT   /* ALIST of a credential; qos: an account in it */
};
struct permit {
	uint32_t owner; /* credential, or INDEX_NONE = the system; for PERMIT_LEVEL the level */
	uint32_t qos;   /* credential: a QOS or an account */
	uint32_t kind;  /* enum permit_kind                               */
};

/* A value set in the configuration. */
struct config_entry {
	uint32_t row;   /* index into config_rows of the option */
	uint32_t line;  /* line of the configuration text */
	uint32_t title; /* string: name of the section in which it is set; "" = before all sections */
	uint32_t text;  /* string: the value as it was written */
};

/* State of the workload generator of a simulated cluster, stored so that a stopped demo can continue. */
struct sim_origin {
	uint64_t seed;
	uint64_t next_index; /* index of the next job to generate; jobs 1 .. next_index - 1 have been
				submitted */
	uint64_t job_limit;  /* number of jobs to generate; 0 = no limit */
	int64_t load_pct;    /* offered load as a percentage of the machine */
	int64_t last_s;      /* time of the last arrival; before the first arrival, start of the simulation */
	uint32_t active;     /* 1: there is a generator */
	uint32_t spare;
};

#define SNAPSHOT_MAGIC   UINT32_C(0x4b616875)
#define SNAPSHOT_VERSION 16

struct snapshot {
	uint32_t magic, version;
	uint64_t size;        /* size of the whole block in bytes */
	int64_t now_s;        /* time of the snapshot; in the live state, time of the last event */
	uint64_t seq;         /* number of the last event applied; 0 = none */
	uint64_t next_job_id; /* ID of the next job that is submitted without an ID */
	int64_t procs_total;  /* configured processors */
	int64_t procs_busy;
	int64_t nodes_busy; /* number of nodes with at least one busy processor */
	int64_t mem_mb_total, swap_mb_total, disk_mb_total;
	uint32_t ends_pending;  /* 1: processors were freed since the last pass; reservations may move up */
	uint32_t config_file;   /* string: path of the file that config_text was read from; 0 = built in */
	uint32_t config_text;   /* string: the configuration as it was read; 0 = only defaults */
	uint32_t adjusted;      /* number of idle jobs with a priority set by an operator */
	uint32_t planned;       /* number of idle jobs with a planned start */
	uint32_t paused;        /* number of idle jobs whose queue time does not accrue */
	uint32_t ranks_equal;   /* 1: no weight is set: all ranks are equal, the order is by submit time */
	uint32_t particular;    /* number of idle and running jobs with JOB_PARTICULAR */
	uint32_t deferred;      /* number of idle jobs with a defer time or a dependency */
	uint32_t throttled;     /* number of idle tasks of arrays with a limit on running tasks */
	uint32_t of_arrays;     /* number of idle and running tasks of arrays */
	uint32_t local_program; /* string: program of the site for nodeallocationpolicy local; 0 = none */
	uint32_t site_text[SITE_TEXT_COUNT]; /* strings: text settings of the site; 0 = not set */
	uint32_t priorityf;    /* string: PRIORITYF of node DEFAULT; 0 = none                   */
	uint32_t nodes_differ; /* 1: because of partitions, classes or access policies, nodes are not equal
				  for all jobs */
	uint32_t qdef;         /* default QOS of the system, a credential; INDEX_NONE = none */
	uint32_t ranks_drift;  /* 1: the order of idle jobs changes with time, because some ranks grow faster
				  than others */
	uint32_t halted; /* 1: the scheduler is paused; passes start no jobs after halt_after more passes */
	uint32_t halt_after; /* number of passes that still start jobs while halted */
	uint32_t masked;   /* 1: names that the reader may not see are hidden, also in the configuration. The
			      policy in force is not affected, but a what-if can change only limits of the
			      system and of credentials whose names are shown */
	uint32_t released; /* number of suspended jobs whose processors are released */
	uint32_t gone_changes;   /* number of items of TABLE_CHANGES of kind CHANGE_GONE */
	uint32_t timed_changes;  /* number of changes with until_s, dead or not */
	uint32_t depend_changes; /* number of changes of kind CHANGE_MODIFY that set dependencies */
	uint32_t shifted;        /* number of idle jobs whose queue time does not begin at their submission */
	uint64_t site_changed;   /* seq of the newest change of the site; 0 = none; change.before leads to the
				    earlier ones */
	uint64_t set_back; /* seq of the newest event that set the clock back; 0 = none; clock.before leads to
			      the earlier ones */
	int64_t stats_since_s;                    /* start of the statistics (node.active_s) */
	struct fs_window fs_window[FS_DEPTH_MAX]; /* the window of each column of TABLE_USAGE */
	struct sim_origin sim;
	struct policy policy;  /* policy in force: that of the configuration with live changes applied */
	uint32_t no_room;      /* 1: the store's disk is full, and no job starts; not stored */
	uint32_t watched;      /* 1: the resource manager decides, and this scheduler only shows what it would
				  do; not stored */
	uint32_t watch_fault;  /* string: what is wrong with the watched manager; 0 = nothing; not stored */
	uint32_t spare3;       /* zero                                                        */
	int64_t grid_s;        /* > 0: passes run only at multiples of it (replay --poll); not stored */
	int64_t grid_passed_s; /* passes up to this time have already run; not stored */
	uint64_t settled_seq;  /* largest settled_seq of all dependencies; not stored */
	struct snapshot_table table[TABLE_COUNT];
};

/* Text shown in place of a hidden name. */
#define SNAPSHOT_HIDDEN "-"

/* Returns true if no job starts, because the scheduler is paused or its store is full. */
static inline bool snapshot_is_halted(const struct snapshot *s)
{
	return s->no_room != 0 || (s->halted != 0 && s->halt_after == 0);
}

/*
 * Returns the time of the first pass at or after at_s: at_s itself, or with grid_s the next multiple of it.
 */
int64_t snapshot_pass_s(const struct snapshot *s, int64_t at_s);

/* The earliest time at which a temporary change is undone; TIME_NEVER if there is none. */
int64_t snapshot_next_return_s(const struct snapshot *s);

/*
 * Returns the seconds between two polls, at which shares and the order of jobs are checked: RMPOLLINTERVAL.
 * Passes that run at multiples of a shorter interval are polls, as in the original.
 */
static inline int64_t snapshot_poll_s(const struct snapshot *s)
{
	return s->grid_s > 0 && s->grid_s < s->policy.poll_interval_s ? s->grid_s : s->policy.poll_interval_s;
}

/* Returns true for a temporary change that is in force and will be undone at change->until_s. */
static inline bool snapshot_is_for_a_while(const struct change *change)
{
	return change->dead == 0 && change->until_s > 0;
}

/* Address of a table's first item; the accessors below cast it. */
static inline const void *snapshot_items(const struct snapshot *s, enum snapshot_table_id id)
{
	return (const char *)s + s->table[id].offset;
}

static inline uint32_t snapshot_count(const struct snapshot *s, enum snapshot_table_id id)
{
	return s->table[id].count;
}

static inline const struct job *snapshot_jobs(const struct snapshot *s)
{
	return snapshot_items(s, TABLE_JOBS);
}

static inline const struct waiting *snapshot_waiting(const struct snapshot *s)
{
	return snapshot_items(s, TABLE_WAITING);
}

static inline const uint32_t *snapshot_running(const struct snapshot *s)
{
	return snapshot_items(s, TABLE_RUNNING);
}

static inline const struct node *snapshot_nodes(const struct snapshot *s)
{
	return snapshot_items(s, TABLE_NODES);
}

static inline const struct cred *snapshot_creds(const struct snapshot *s)
{
	return snapshot_items(s, TABLE_CREDS);
}

static inline const struct partition *snapshot_partitions(const struct snapshot *s)
{
	return snapshot_items(s, TABLE_PARTITIONS);
}

static inline const struct alloc_run *snapshot_runs(const struct snapshot *s)
{
	return snapshot_items(s, TABLE_RUNS);
}

static inline const struct change *snapshot_changes(const struct snapshot *s)
{
	return snapshot_items(s, TABLE_CHANGES);
}

/* Returns the number of kept changes: the items of the table except those of kind CHANGE_GONE. */
static inline uint32_t snapshot_change_count(const struct snapshot *s)
{
	return snapshot_count(s, TABLE_CHANGES) - s->gone_changes;
}

static inline const struct config_entry *snapshot_values(const struct snapshot *s)
{
	return snapshot_items(s, TABLE_VALUES);
}

static inline const struct usage *snapshot_usage(const struct snapshot *s)
{
	return snapshot_items(s, TABLE_USAGE);
}

static inline const struct limit *snapshot_limits(const struct snapshot *s)
{
	return snapshot_items(s, TABLE_LIMITS);
}

static inline const struct permit *snapshot_permits(const struct snapshot *s)
{
	return snapshot_items(s, TABLE_PERMITS);
}

static inline const struct trait *snapshot_traits(const struct snapshot *s)
{
	return snapshot_items(s, TABLE_TRAITS);
}

static inline const struct depend *snapshot_depends(const struct snapshot *s)
{
	return snapshot_items(s, TABLE_DEPENDS);
}

static inline const struct advance *snapshot_advances(const struct snapshot *s)
{
	return snapshot_items(s, TABLE_ADVANCES);
}

static inline const struct alloc_run *snapshot_kept_runs(const struct snapshot *s)
{
	return snapshot_items(s, TABLE_KEPT_RUNS);
}

static inline const struct guest *snapshot_guests(const struct snapshot *s)
{
	return snapshot_items(s, TABLE_GUESTS);
}

/* Returns the string at an offset; "" for 0. */
static inline const char *snapshot_string(const struct snapshot *s, uint32_t at)
{
	return (const char *)snapshot_items(s, TABLE_STRINGS) + at;
}

/* Returns a text setting of the site; NULL if it is not set. */
static inline const char *snapshot_site_text(const struct snapshot *s, enum site_text which)
{
	return s->site_text[which] == 0 ? NULL : snapshot_string(s, s->site_text[which]);
}

/* Item size of each table in bytes. */
extern const uint32_t snapshot_item_size[TABLE_COUNT];

/* Returns the next offset at or after `offset` at which a table may begin. */
static inline uint64_t snapshot_align(uint64_t offset)
{
	return (offset + 7) & ~(uint64_t)7;
}

/*
 * Lays the tables out behind the header, each with a capacity of room[i] items; returns the size of the
 * block.
 */
size_t snapshot_layout(struct snapshot_table table[TABLE_COUNT], const uint32_t room[TABLE_COUNT]);

/* Returns a copy in which table i has a capacity of room[i] items (at least its count); free() it. */
struct snapshot *snapshot_copy_with_room(const struct snapshot *s, const uint32_t room[TABLE_COUNT]);

/* Returns a copy without spare capacity; free() it. Slots keep their numbers. */
struct snapshot *snapshot_copy(const struct snapshot *s);

/*
 * A buffer for successive copies of a state; initially zeroed; release it with free(at). It is reused because
 * malloc() takes blocks above its mmap threshold from the system each time, and the first access to their
 * pages takes many times as long as the copy itself.
 */
struct snapshot_buffer {
	void *at;
	size_t room; /* bytes */
};
/* Like snapshot_copy_with_room (room NULL: snapshot_copy), but overwrites the previous copy in the buffer. */
struct snapshot *snapshot_copy_into(const struct snapshot *s, const uint32_t room[TABLE_COUNT],
				    struct snapshot_buffer *buffer);

/*
 * Returns a copy of the site alone: nodes, credentials, policy and advance reservations, without jobs and
 * without changes that can be undone. free() it.
 */
struct snapshot *snapshot_copy_site(const struct snapshot *s);

/* Returns the size in bytes of the result of snapshot_copy. */
size_t snapshot_copy_size(const struct snapshot *s);

/*
 * Passes the bytes of a copy to `put`, piece by piece with their offsets; the bytes between pieces are
 * padding and must be zero. Returns false as soon as `put` does.
 */
typedef bool snapshot_write(void *self, uint64_t offset, const void *bytes, size_t size);
bool snapshot_write_copy(const struct snapshot *s, snapshot_write *put, void *self);

/*
 * Returns the slot of a job by ID; INDEX_NONE if there is none. A linear search: use a job_lookup for many
 * jobs.
 */
uint32_t snapshot_find_job(const struct snapshot *s, uint64_t id);

/*
 * Finds many jobs of one state in another state that began as a copy of it. Usually a job is still in the
 * same slot; the first job that is not causes the jobs of the other state to be sorted by ID. Initialise with
 * {.s = the other state}; free(lookup.by_id) at the end.
 */
struct job_lookup {
	const struct snapshot *s;
	struct job_slot *by_id;
	uint32_t count;
};

/*
 * Returns the slot of the job with this ID in the other state; INDEX_NONE if it is no longer there. slot: its
 * slot in the first state.
 */
uint32_t job_lookup(struct job_lookup *lookup, uint64_t id, uint32_t slot);

/* Returns the slot of the job that a user means by a label or a decimal ID; INDEX_NONE if there is none. */
uint32_t snapshot_find_label(const struct snapshot *s, const char *label);

/* Returns the index of a credential by its exact name, INDEX_NONE if there is none. */
uint32_t snapshot_find_cred(const struct snapshot *s, enum cred_type type, const char *name);

/* Returns the index of a partition by name, in any case; NULL or "" is ALL. INDEX_NONE if there is none. */
uint32_t snapshot_find_partition(const struct snapshot *s, const char *name);

/*
 * snapshot_find_advance returns the index of an advance reservation by name, ignoring case; INDEX_NONE if
 * there is none. snapshot_is_guest tells whether a job is one of its guests.
 */
uint32_t snapshot_find_advance(const struct snapshot *s, const char *name);
bool snapshot_is_guest(const struct snapshot *s, const struct advance *advance, const struct job *job);

/* The name of a job in lists: its label, or else its ID, which is then written to buf. */
#define JOB_LABEL_TEXT 24
const char *snapshot_job_label(const struct snapshot *s, const struct job *job,
			       char buf[static JOB_LABEL_TEXT]) __attribute__((warn_unused_result));

/* Returns the name of a job's credential of a type; NULL if it has none. */
const char *snapshot_job_cred(const struct snapshot *s, const struct job *job, enum cred_type type);

/* Set the two inputs of priority_measure that come from the snapshot; fs_delta is set to 0. */
void snapshot_job_creds(const struct snapshot *s, const struct job *job, struct prio_creds *out);
void snapshot_world(const struct snapshot *s, int64_t now_s, struct prio_world *out);

/* Does the factor have a weight in any partition? */
bool snapshot_weighs(const struct snapshot *s, enum prio_factor f);
/* Does any fairshare factor have a weight in any partition? */
bool snapshot_weighs_shares(const struct snapshot *s);

/*
 * The first two set *out to the inputs of fairshare, or of throttling, that come from the snapshot.
 * snapshot_machine returns the total resources of the machine.
 */
void snapshot_fs_world(const struct snapshot *s, int64_t now_s, struct fs_world *out);
void snapshot_throttle_world(const struct snapshot *s, int64_t now_s, struct throttle_world *out);
struct machine snapshot_machine(const struct snapshot *s);

/*
 * Traits by name, ignoring case: snapshot_find_trait returns the bit, -1 if there is none;
 * snapshot_trait_name returns the name as the snapshot spells it, NULL if there is none. snapshot_trait_names
 * appends the names of all bits of a mask, separated by blanks.
 */
struct str;
int snapshot_find_trait(const struct snapshot *s, enum trait_kind kind, const char *name);
const char *snapshot_trait_name(const struct snapshot *s, enum trait_kind kind, const char *name);
void snapshot_trait_names(const struct snapshot *s, enum trait_kind kind, uint64_t bits, struct str *out);
/*
 * Appends all names of one kind that a job requests: first the names in the table of traits, then those that
 * no node has.
 */
void snapshot_job_traits(const struct snapshot *s, const struct job *job, enum job_unknown which,
			 struct str *out);
/* Appends generic resources and their amounts, as in "gpu:2 tape:1"; nothing if all amounts are 0. */
void snapshot_gres_names(const struct snapshot *s, const uint32_t gres[static GRES_MAX], struct str *out);

/*
 * Returns the QOS of a job with these credentials that requests `asked` (INDEX_NONE: none), M-13: the
 * requested QOS if the access lists permit it; otherwise the first permitted QDEF of its user, group, account
 * and class (each: its own, then that of DEFAULT) and of the system; otherwise none. Without any QLIST every
 * QOS is permitted.
 */
uint32_t snapshot_qos_for(const struct snapshot *s, const uint32_t cred[static CRED_TYPE_COUNT],
			  uint32_t asked);

/*
 * May a job with these credentials charge an account (INDEX_NONE: an account without a credential yet)? If
 * its user, group or class (its own list, otherwise DEFAULT's) has an ALIST, one of these lists must contain
 * the account; without any list all accounts are allowed, or none with ACCOUNTACCESS LISTED.
 */
bool snapshot_account_is_open(const struct snapshot *s, const uint32_t cred[static CRED_TYPE_COUNT],
			      uint32_t account);

/* Is the account in an account list of the job's user, group or class? */
bool snapshot_account_is_listed(const struct snapshot *s, const uint32_t cred[static CRED_TYPE_COUNT],
				uint32_t account);

/*
 * Returns the account of a job with these credentials that requests none: the first ADEF of its user, group
 * and class (each: its own, then that of DEFAULT) that the job may charge; INDEX_NONE = none.
 */
uint32_t snapshot_account_for(const struct snapshot *s, const uint32_t cred[static CRED_TYPE_COUNT]);

/*
 * Returns the reservation level of a job's QOS: the first level whose list contains the QOS, otherwise the
 * first level without a list; RESERVATION_LEVELS if there is none.
 */
unsigned snapshot_job_level(const struct snapshot *s, const struct job *job);

/* Returns the strictest node access of the job, its class and the system; nodes are not considered. */
enum node_access snapshot_job_access(const struct snapshot *s, const struct job *job);

/*
 * Returns the seconds for which a job may hold its processors after its wallclock limit: jobgrace for a real
 * job, else 0.
 */
int64_t snapshot_job_grace_s(const struct snapshot *s, const struct job *job);

/* Returns the weights for a job: those of its partition. */
const struct prio_weights *snapshot_job_weights(const struct snapshot *s, const struct job *job);

#endif
