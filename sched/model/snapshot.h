/* SPDX-License-Identifier: MIT */
/*
 * snapshot.h - everything one pass may look at, frozen at one moment
 *
 * One block of memory: this header, then tables, found by offsets from the header's own
 * address and never by pointers. So copying is memcpy, and a copy can be handed to
 * another thread, edited for a what-if, or sent to another process. The live state
 * (state.h) keeps itself in the same form, with room to grow; a published snapshot is
 * that block without the room.
 *
 * Readers take const struct snapshot * and the snapshot_* functions below. Job slots may
 * be empty (state JOB_NONE); use the WAITING and RUNNING tables to visit jobs.
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

struct prio_creds; /* priority.h */
struct prio_world; /* priority.h */

enum snapshot_table_id {
	TABLE_JOBS,       /* struct job; slots, some empty                                   */
	TABLE_WAITING,    /* struct waiting; jobs in state IDLE by (submit time, id)         */
	TABLE_RUNNING,    /* uint32_t slots of running jobs by (due end, id)                 */
	TABLE_NODES,      /* struct node, in configured order                                */
	TABLE_CREDS,      /* struct cred, in order of appearance; first the five DEFAULTs    */
	TABLE_PARTITIONS, /* struct partition; [0] is ALL                                    */
	TABLE_RUNS,       /* struct alloc_run, chained per job                               */
	TABLE_CHANGES,    /* struct change, by seq: what operators changed and can be undone */
	TABLE_VALUES,     /* struct config_entry: the configuration's values, in its order       */
	TABLE_USAGE,      /* struct usage; rows named by cred.usage, columns by snapshot.fs_window        */
	TABLE_LIMITS,     /* struct limit; the limits of one credential stand together                */
	TABLE_PERMITS,    /* struct permit: QLIST and the QOS lists of reservation levels             */
	TABLE_TRAITS,     /* struct trait: names of features, node classes, generic resources         */
	TABLE_DEPENDS,    /* struct depend, chained per job                                           */
	TABLE_ADVANCES,   /* struct advance: advance reservations in force, some perhaps over; by seq */
	TABLE_KEPT_RUNS,  /* struct alloc_run: what they keep; those of one stand together            */
	TABLE_GUESTS,     /* struct guest: who may use them; likewise                                 */
	TABLE_STRINGS,    /* char; NUL-terminated strings, the first is ""                   */
	TABLE_COUNT
};

struct snapshot_table {
	uint64_t offset; /* bytes from the start of the block            */
	uint32_t count;  /* items in use                                 */
	uint32_t room;   /* items there is memory for                    */
};

/* One waiting job with what a scan needs at hand. */
struct waiting {
	uint32_t slot;
	uint32_t wall_s; /* wallclock limit, at most UINT32_MAX */
	uint32_t procs;  /* job_procs of that slot; more than UINT32_MAX counts as UINT32_MAX */
};

/* A size as a waiting entry has it. */
static inline uint32_t at_most_u32(int64_t n)
{
	return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

/* Who suspends a job, and what becomes of its processors. */
enum suspend_how {
	SUSPEND_BY_OWNER = 1, /* under ownersuspend: the owner may resume it              */
	SUSPEND_RELEASE = 2,  /* other jobs may have its processors ...                   */
	SUSPEND_KEEP = 4,     /* ... it keeps them. Neither: as ownersuspend says         */
	SUSPEND_RESUMED = 8,  /* of a resume: the processors are free, and taken again    */
	SUSPEND_HOW_ALL = 15
};

/* Which kind of thing a change touched. */
enum change_kind {
	CHANGE_HOLD,     /* number: bits; on: set or cleared                        */
	CHANGE_PRIORITY, /* number: points, on: enum job_adjust                     */
	CHANGE_SETTING,  /* name, value: an option's name and its new value as text */
	CHANGE_UNDO,     /* number: seq of the change undone                        */
	CHANGE_MODIFY, /* name, value: a job's attribute and its new value; base: what it was at submission */
	CHANGE_RESERVE,   /* name, value: of an advance reservation and its text; base: who made it      */
	CHANGE_UNRESERVE, /* name: of the reservation released                                          */
	CHANGE_HALT, /* on; number: passes that still start jobs; base of the first: "paused" if it was so */
	CHANGE_SUSPEND, /* on: a running job is suspended, number: enum suspend_how bits                 */
	CHANGE_KIND_COUNT,
	CHANGE_GONE = CHANGE_KIND_COUNT /* its job has left; the place is reused when many are gone */
};

/*
 * One operator's change. The effective value of a thing is its base value with all live
 * changes applied in order; a change is dead while a live CHANGE_UNDO names it. So undo
 * is "as if that entry had not happened", and undo can be undone.
 */
struct change {
	uint64_t seq;    /* the event that made it               */
	uint64_t job;    /* id; 0 for settings                   */
	uint64_t before; /* seq of the previous change of the same job, or of the site; 0 = none */
	int64_t number;
	int64_t until_s; /* it is taken back by itself then; 0 = it stays */
	uint32_t kind;   /* enum change_kind                     */
	uint32_t on;
	uint32_t name;  /* string; settings, modifications, reservations */
	uint32_t value; /* string; likewise; of a hold: why     */
	uint32_t dead;  /* 1 while undone                       */
	uint32_t base;  /* string; modifications, reservations  */
};

/* Who may use a QOS, or which QOS a reservation level is for. */
enum permit_kind {
	PERMIT_QOS,      /* QLIST of a credential                                     */
	PERMIT_QOS_BOTH, /* with &: only what other lists allow too                   */
	PERMIT_QOS_ONLY, /* with ^: this list alone counts                            */
	PERMIT_LEVEL,    /* owner: reservation level; qos: one of its RESERVATIONQOSLIST */
	PERMIT_ACCOUNT   /* ALIST of a credential; qos: an account                       */
};
struct permit {
	uint32_t owner; /* credential, INDEX_NONE = the system; or level */
	uint32_t qos;   /* credential                                     */
	uint32_t kind;  /* enum permit_kind                               */
};

/* One value the configuration sets. */
struct config_entry {
	uint32_t row;   /* index into config_rows                     */
	uint32_t line;  /* of the configuration text                  */
	uint32_t title; /* string: name of its section; "" at the top */
	uint32_t text;  /* string: the value as written               */
};

/* Where a simulated cluster's workload comes from, so that a stopped demo goes on. */
struct sim_origin {
	uint64_t seed;
	uint64_t next_index; /* of the generator; jobs 1 .. next_index-1 have been submitted       */
	uint64_t job_limit;  /* stop generating after so many jobs; 0 = never                      */
	int64_t load_pct;    /* offered load in percent of the machine                             */
	int64_t last_s;      /* moment of the last arrival; before the first: the start            */
	uint32_t active;     /* 0: no generator                                                    */
	uint32_t spare;
};

#define SNAPSHOT_MAGIC   UINT32_C(0x4b616875)
#define SNAPSHOT_VERSION 14

struct snapshot {
	uint32_t magic, version;
	uint64_t size;        /* bytes of the whole block                                   */
	int64_t now_s;        /* the moment it was frozen at; the live state: last event    */
	uint64_t seq;         /* last event applied; 0 = none                               */
	uint64_t next_job_id; /* the id the next submission without one gets                */
	int64_t procs_total;  /* configured                                                 */
	int64_t procs_busy;
	int64_t nodes_busy; /* nodes with at least one busy processor                     */
	int64_t mem_mb_total, swap_mb_total, disk_mb_total;
	uint32_t ends_pending;  /* since the last pass a job ended, or the like: kept reservations may move */
	uint32_t config_file;   /* string: where config_text came from; 0 = built in          */
	uint32_t config_text;   /* string: the configuration as read; 0 = defaults            */
	uint32_t adjusted;      /* waiting jobs with an operator's priority                   */
	uint32_t planned;       /* waiting jobs with a planned start                          */
	uint32_t paused;        /* waiting jobs whose queue time has stopped                   */
	uint32_t ranks_equal;   /* 1: no weight is set anywhere, so the order is by submit time */
	uint32_t particular;    /* jobs, waiting or running, with JOB_PARTICULAR                 */
	uint32_t deferred;      /* waiting jobs with a defer time or a dependency                */
	uint32_t throttled;     /* waiting tasks of arrays of which only some may run at a time   */
	uint32_t of_arrays;     /* jobs, waiting or running, that are tasks of arrays             */
	uint32_t local_program; /* string: what LOCAL asks; 0 = nothing                         */
	uint32_t site_text[SITE_TEXT_COUNT]; /* strings; 0 = not said                           */
	uint32_t priorityf;    /* string: PRIORITYF of node DEFAULT; 0 = none                   */
	uint32_t nodes_differ; /* 1: partitions, classes or access policies make nodes unequal for plain jobs
				*/
	uint32_t qdef; /* credential: the QOS that the system gives when nobody else does; INDEX_NONE  */
	uint32_t ranks_drift; /* 1: time alone changes the order, as some ranks grow faster than others */
	uint32_t halted;      /* 1: passes start nothing ...                                     */
	uint32_t halt_after;  /* ... but so many more may                                        */
	uint32_t masked;      /* 1: names are hidden, and with them what the configuration says of people: the
				 policy in force stays as it is, and only limits can be tried, of the
				 system and of credentials whose names are shown                    */
	uint32_t released;    /* suspended jobs whose processors are released                    */
	uint32_t gone_changes;   /* items of TABLE_CHANGES of kind CHANGE_GONE                  */
	uint32_t timed_changes;  /* changes with until_s, dead or not                           */
	uint32_t depend_changes; /* CHANGE_MODIFY of a job's dependencies                       */
	uint32_t spare2;         /* zero                                                        */
	uint64_t site_changed; /* seq of the newest change that is of no job; 0 = none. The others: before */
	uint64_t set_back; /* seq of the newest event that set the clock back; 0 = none. The others: before */
	int64_t stats_since_s; /* since when node.active_s is counted                           */
	struct fs_window fs_window[FS_DEPTH_MAX]; /* the columns of TABLE_USAGE                 */
	struct sim_origin sim;
	struct policy policy; /* in force: configuration with live changes applied          */
	uint32_t no_room; /* 1: the disk that holds the store is full, and nothing starts; no store has it */
	uint32_t spare3;  /* zero                                                        */
	int64_t grid_s;   /* > 0: passes fall only on multiples of it (replay --poll); no store has it ... */
	int64_t grid_passed_s; /* ... and those up to here have been held                     */
	uint64_t settled_seq;  /* the largest of the dependencies of all jobs; no store has it */
	struct snapshot_table table[TABLE_COUNT];
};

/* What stands in place of a name that is hidden. */
#define SNAPSHOT_HIDDEN "-"

/* The scheduler is paused, or its store is full: no job starts. */
static inline bool snapshot_is_halted(const struct snapshot *s)
{
	return s->no_room != 0 || (s->halted != 0 && s->halt_after == 0);
}

/* The first pass that sees what happens at a moment: at once, or where passes fall on a grid the next one. */
int64_t snapshot_pass_s(const struct snapshot *s, int64_t at_s);

/* A change in force that is taken back by itself at change->until_s. */
static inline bool snapshot_is_for_a_while(const struct change *change)
{
	return change->dead == 0 && change->until_s > 0;
}

/* Address of a table's first item; cast by the accessors below. */
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

/* Changes that are kept: the items of the table without those of kind CHANGE_GONE. */
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

/* The string at an offset; "" for 0. */
static inline const char *snapshot_string(const struct snapshot *s, uint32_t at)
{
	return (const char *)snapshot_items(s, TABLE_STRINGS) + at;
}

/* A text of the site; NULL when it is not said. */
static inline const char *snapshot_site_text(const struct snapshot *s, enum site_text which)
{
	return s->site_text[which] == 0 ? NULL : snapshot_string(s, s->site_text[which]);
}

/* Bytes of one item of each table. */
extern const uint32_t snapshot_item_size[TABLE_COUNT];

/* The next offset at which a table may be laid out. */
static inline uint64_t snapshot_align(uint64_t offset)
{
	return (offset + 7) & ~(uint64_t)7;
}

/* Lays the tables out behind the header, each with room[i] items; returns the block's size. */
size_t snapshot_layout(struct snapshot_table table[TABLE_COUNT], const uint32_t room[TABLE_COUNT]);

/* A copy in which table i has memory for room[i] items (at least its count). free() it. */
struct snapshot *snapshot_copy_with_room(const struct snapshot *s, const uint32_t room[TABLE_COUNT]);

/* A copy without spare room; free() it. Slots keep their numbers. */
struct snapshot *snapshot_copy(const struct snapshot *s);

/*
 * The same into memory that is kept and grown between calls (buffer, *room bytes;
 * NULL and 0 at first). Returns the buffer, possibly moved.
 */
struct snapshot *snapshot_copy_into(const struct snapshot *s, void *buffer, size_t *room);

/* Bytes snapshot_copy needs. */
size_t snapshot_copy_size(const struct snapshot *s);

/*
 * Hands the bytes of a copy to write, piece by piece, with their offsets; what lies between pieces is padding
 * and to be zero. False: write returned it.
 */
typedef bool snapshot_write(void *self, uint64_t offset, const void *bytes, size_t size);
bool snapshot_write_copy(const struct snapshot *s, snapshot_write *put, void *self);

/* Slot of a job by id; INDEX_NONE if there is none. Looks at every slot: for many jobs use a lookup. */
uint32_t snapshot_find_job(const struct snapshot *s, uint64_t id);

/*
 * Slots of many jobs of one state in another, which began as a copy of it. A job is mostly found in the slot
 * where it was; the first that is not has all jobs of the other state sorted by id. Starts as {.s = ...};
 * free(lookup.by_id) at the end.
 */
struct job_lookup {
	const struct snapshot *s;
	struct job_slot *by_id;
	uint32_t count;
};

/* slot: where the job was. INDEX_NONE: it is gone. */
uint32_t job_lookup(struct job_lookup *lookup, uint64_t id, uint32_t slot);

/* Slot by what people type: a label, or an id in decimal; INDEX_NONE if none. */
uint32_t snapshot_find_label(const struct snapshot *s, const char *label);

/* Index of a credential by name (exact), INDEX_NONE if none. */
uint32_t snapshot_find_cred(const struct snapshot *s, enum cred_type type, const char *name);

/* A partition by name, any case; NULL or "" is ALL. INDEX_NONE if none. */
uint32_t snapshot_find_partition(const struct snapshot *s, const char *name);

/* An advance reservation by name, any case; INDEX_NONE if none. Is the job one of its guests? */
uint32_t snapshot_find_advance(const struct snapshot *s, const char *name);
bool snapshot_is_guest(const struct snapshot *s, const struct advance *advance, const struct job *job);

/* What people see as the job's name in lists: its label, else its id, which is written into buf. */
#define JOB_LABEL_TEXT 24
const char *snapshot_job_label(const struct snapshot *s, const struct job *job,
			       char buf[static JOB_LABEL_TEXT]) __attribute__((warn_unused_result));

/* Name of a job's credential of a type; NULL when it has none. */
const char *snapshot_job_cred(const struct snapshot *s, const struct job *job, enum cred_type type);

/* The two inputs of prio_measure that come from the snapshot. */
void snapshot_job_creds(const struct snapshot *s, const struct job *job, struct prio_creds *out);
void snapshot_world(const struct snapshot *s, int64_t now_s, struct prio_world *out);

/* Does the factor have a weight, for any partition? */
bool snapshot_weighs(const struct snapshot *s, enum prio_factor f);
/* Likewise any factor of fairshare. */
bool snapshot_weighs_shares(const struct snapshot *s);

/* What fairshare and throttling look at, from the snapshot. */
void snapshot_fs_world(const struct snapshot *s, int64_t now_s, struct fs_world *out);
void snapshot_throttle_world(const struct snapshot *s, int64_t now_s, struct throttle_world *out);
struct machine snapshot_machine(const struct snapshot *s);

/* The bit of a trait in any case of letters, -1 if nobody has it; and how its name is written, NULL likewise.
 * The names of the bits of a mask, blank between, appended. */
struct str;
int snapshot_find_trait(const struct snapshot *s, enum trait_kind kind, const char *name);
const char *snapshot_trait_name(const struct snapshot *s, enum trait_kind kind, const char *name);
void snapshot_trait_names(const struct snapshot *s, enum trait_kind kind, uint64_t bits, struct str *out);
/* All names of one kind that a job asks for: those with a slot, then those that no node has. */
void snapshot_job_traits(const struct snapshot *s, const struct job *job, enum job_unknown which,
			 struct str *out);
/* "gpu:2 tape:1" of per-task amounts; nothing when all are 0. */
void snapshot_gres_names(const struct snapshot *s, const uint32_t gres[static GRES_MAX], struct str *out);

/*
 * The QOS a job with these credentials gets when it asks for one (INDEX_NONE: for none), M-13: the asked one
 * where some list permits it, else the first QDEF of user, group, account, class (own, then DEFAULT's),
 * system that is permitted, else none. A site without any QLIST permits all.
 */
uint32_t snapshot_qos_for(const struct snapshot *s, const uint32_t cred[static CRED_TYPE_COUNT],
			  uint32_t asked);

/*
 * May a job with these credentials charge an account (INDEX_NONE: one that nobody has named yet)? If its
 * user, group or class (own, else DEFAULT's) has an ALIST, one of the lists must name it; without any list
 * all may be charged, or none with ACCOUNTACCESS LISTED.
 */
bool snapshot_account_is_open(const struct snapshot *s, const uint32_t cred[static CRED_TYPE_COUNT],
			      uint32_t account);

/* Is the account on a list of the job's user, group or class? */
bool snapshot_account_is_listed(const struct snapshot *s, const uint32_t cred[static CRED_TYPE_COUNT],
				uint32_t account);

/* The account of a job with these credentials that names none: the first ADEF of user, group, class (own,
 * then DEFAULT's) that is open to it; INDEX_NONE = none. */
uint32_t snapshot_account_for(const struct snapshot *s, const uint32_t cred[static CRED_TYPE_COUNT]);

/* The reservation level that a job's QOS belongs to: the first that lists it, else the first without a list;
 * RESERVATION_LEVELS when there is none. */
unsigned snapshot_job_level(const struct snapshot *s, const struct job *job);

/* Who may share the job's nodes with it: its own wish, its class's, the node's, the system's (the strictest).
 */
enum node_access snapshot_job_access(const struct snapshot *s, const struct job *job);

/* For how many seconds a job may hold its processors after its wallclock limit: jobgrace if it is a real one.
 */
int64_t snapshot_job_grace_s(const struct snapshot *s, const struct job *job);

/* The weights that count for a job: its partition's. */
const struct prio_weights *snapshot_job_weights(const struct snapshot *s, const struct job *job);

#endif
