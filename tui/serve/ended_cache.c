/* SPDX-License-Identifier: MIT */
/*
 * ended_cache.c - outcomes of jobs, and the cache of ended jobs
 */
#include "ended_cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/host/outputs.h"
#include "sched/model/job.h"
#include "store/store.h"

/* --- outcomes of jobs as text and exit status ---------------------------------------------------------- */

uint8_t exit_status_of(int32_t status)
{
	if (status == STATUS_DEPEND_FAILED)
		return 1;
	return status >= STATUS_SIGNALLED ? (uint8_t)(128 + (status - STATUS_SIGNALLED)) : (uint8_t)status;
}

uint8_t job_status_exit(const struct job_status *job_status)
{
	return job_status->lost ? 1 : exit_status_of(job_status->status);
}

static void describe_end(const struct job_status *job_status, struct str *out)
{
	const char *name =
		job_status->status >= STATUS_SIGNALLED && job_status->status != STATUS_DEPEND_FAILED
			? sigabbrev_np(job_status->status - STATUS_SIGNALLED)
			: NULL;

	if (job_status->lost)
		str_add(out, "is lost: its exit status is unknown");
	else if (job_status->status == STATUS_DEPEND_FAILED)
		str_add(out, "left the queue because its dependency can no longer be met");
	else if (job_status->start_s == TIME_NONE)
		str_add(out, "was cancelled before it ran");
	else if (job_status->cancelled)
		str_add(out, "was cancelled");
	else if (job_status->at_limit)
		str_add(out, "was ended at its wallclock limit");
	else if (name != NULL)
		str_addf(out, "was ended by %s", name);
	else
		str_addf(out, "ended with status %" PRId32, job_status->status);
	if (job_status->why != NULL)
		str_addf(out, ": %s", job_status->why);
}

void job_status_describe(const struct job_status *job_status, struct str *out)
{
	if (job_status->label != NULL)
		str_addf(out, "job %s ", job_status->label);
	else
		str_addf(out, "job %" PRIu64 " ", job_status->job);
	switch ((enum job_phase)job_status->phase) {
	case JOB_PHASE_WAITING:
		str_add(out, "is waiting");
		break;
	case JOB_PHASE_RUNNING:
		str_add(out, "is running");
		break;
	case JOB_PHASE_ENDED:
		describe_end(job_status, out);
		break;
	case JOB_PHASE_UNKNOWN:
	case JOB_PHASE_COUNT:
		str_add(out, "is not known");
		break;
	}
}

/* --- outcomes of ended jobs, kept for clients --------------------------------------------------------- */

/*
 * Entries for jobs and arrays share a pool of ENDED_CACHE_MAX. Each entry is in a hash chain by job number,
 * and in the list of its user, which is ordered by end time. When the pool is full, the user with the most
 * entries loses the oldest one, so a user with many ended jobs does not displace the entries of users with
 * few. Adding an entry costs the same whether or not the pool is full.
 */

#define ARRAY_LABEL 24 /* buffer size for a label such as "12[]" */

#define TASK_LABEL 40 /* buffer size for a label such as "12[3]" */

/* Entries and shares are numbered from 1; 0: none. */
struct entry {
	struct job_status job_status; /* job 0: unused */
	bool array;                   /* summary of all ended tasks of an array, with their worst outcome */
	uint32_t share;               /* share to which the entry belongs */
	uint32_t next;                /* next entry in the hash chain; unused entries: next unused one */
	uint32_t older, newer;        /* neighbours in the user's list */
	char *texts;                  /* owned; all texts of job_status in one block */
};

/* The entries of one user. A share without entries is unused. */
struct share {
	char *user;     /* owned; "" for jobs without a user */
	uint32_t count; /* number of entries */
	uint32_t oldest, newest;
	uint32_t next;             /* next share in the hash chain; unused shares: next unused one */
	uint32_t previous, behind; /* neighbours in the list of shares with the same count */
};

struct ended_cache {
	struct ledger inner;
	struct entry entry[ENDED_CACHE_MAX + 1];
	uint32_t hash[ENDED_CACHE_MAX + 1]; /* hash of the label of each entry */
	uint32_t by_number[ENDED_CACHE_MAX];
	struct share share[ENDED_CACHE_MAX + 1];
	uint32_t by_user[ENDED_CACHE_MAX];
	uint32_t with_count[ENDED_CACHE_MAX + 1]; /* by number of entries: first share that has this number */
	uint32_t most;                            /* largest number of entries that a share has */
	uint32_t unused_entry, unused_share;
};

struct ended_cache *ended_cache_new(struct ledger inner)
{
	struct ended_cache *ended_cache = mem_zero(1, sizeof *ended_cache);

	ended_cache->inner = inner;
	ended_cache->unused_entry = ended_cache->unused_share = 1;
	for (uint32_t i = 1; i < ENDED_CACHE_MAX; i++)
		ended_cache->entry[i].next = ended_cache->share[i].next = i + 1;
	return ended_cache;
}

void ended_cache_free(struct ended_cache *ended_cache)
{
	if (ended_cache == NULL)
		return;
	for (size_t i = 1; i <= ENDED_CACHE_MAX; i++) {
		free(ended_cache->entry[i].texts);
		free(ended_cache->share[i].user);
	}
	free(ended_cache);
}

/* FNV-1a hash of a text. Comparing hashes first avoids comparing most texts. */
static uint32_t hash_of(const char *text)
{
	uint32_t h = UINT32_C(2166136261);

	for (; *text != '\0'; text++)
		h = (h ^ (unsigned char)*text) * UINT32_C(16777619);
	return h;
}

/* --- shares -------------------------------------------------------------------------------------- */

static uint32_t find_share(const struct ended_cache *ended_cache, const char *user)
{
	uint32_t at = ended_cache->by_user[hash_of(user) % ENDED_CACHE_MAX];

	while (at != 0 && strcmp(ended_cache->share[at].user, user) != 0)
		at = ended_cache->share[at].next;
	return at;
}

static uint32_t make_share(struct ended_cache *ended_cache, const char *user)
{
	uint32_t *chain = &ended_cache->by_user[hash_of(user) % ENDED_CACHE_MAX];
	uint32_t at = ended_cache->unused_share;

	ended_cache->unused_share = ended_cache->share[at].next;
	ended_cache->share[at] = (struct share){.user = mem_string(user), .next = *chain};
	*chain = at;
	return at;
}

static void drop_share(struct ended_cache *ended_cache, uint32_t at)
{
	struct share *share = &ended_cache->share[at];
	uint32_t *link = &ended_cache->by_user[hash_of(share->user) % ENDED_CACHE_MAX];

	while (*link != at)
		link = &ended_cache->share[*link].next;
	*link = share->next;
	free(share->user);
	*share = (struct share){.next = ended_cache->unused_share};
	ended_cache->unused_share = at;
}

/*
 * Sets the number of entries of a share and moves the share to the list of shares with this number. The
 * number changes by one at a time, so the largest number also changes by at most one and is found without a
 * search.
 */
static void set_count(struct ended_cache *ended_cache, uint32_t at, uint32_t count)
{
	struct share *share = &ended_cache->share[at];

	if (share->previous != 0)
		ended_cache->share[share->previous].behind = share->behind;
	else if (share->count != 0)
		ended_cache->with_count[share->count] = share->behind;
	if (share->behind != 0)
		ended_cache->share[share->behind].previous = share->previous;
	share->count = count;
	share->previous = share->behind = 0;
	if (count != 0) {
		share->behind = ended_cache->with_count[count];
		ended_cache->with_count[count] = at;
		if (share->behind != 0)
			ended_cache->share[share->behind].previous = at;
	}
	if (count > ended_cache->most)
		ended_cache->most = count;
	else if (ended_cache->with_count[ended_cache->most] == 0 && ended_cache->most != 0)
		ended_cache->most--;
}

/* --- entries ------------------------------------------------------------------------------------- */

static uint32_t find_entry(const struct ended_cache *ended_cache, uint64_t number, bool array)
{
	uint32_t at = ended_cache->by_number[number % ENDED_CACHE_MAX];

	while (at != 0 &&
	       (ended_cache->entry[at].job_status.job != number || ended_cache->entry[at].array != array))
		at = ended_cache->entry[at].next;
	return at;
}

/* Adds the entry to the user's share as the newest one. */
static void join_share(struct ended_cache *ended_cache, uint32_t at, const char *user)
{
	struct entry *entry = &ended_cache->entry[at];
	struct share *share;

	entry->share = find_share(ended_cache, user);
	if (entry->share == 0)
		entry->share = make_share(ended_cache, user);
	share = &ended_cache->share[entry->share];
	entry->older = share->newest;
	entry->newer = 0;
	if (entry->older != 0)
		ended_cache->entry[entry->older].newer = at;
	else
		share->oldest = at;
	share->newest = at;
	set_count(ended_cache, entry->share, share->count + 1);
}

static void leave_share(struct ended_cache *ended_cache, uint32_t at)
{
	struct entry *entry = &ended_cache->entry[at];
	struct share *share = &ended_cache->share[entry->share];

	if (entry->older != 0)
		ended_cache->entry[entry->older].newer = entry->newer;
	else
		share->oldest = entry->newer;
	if (entry->newer != 0)
		ended_cache->entry[entry->newer].older = entry->older;
	else
		share->newest = entry->older;
	set_count(ended_cache, entry->share, share->count - 1);
	if (share->count == 0)
		drop_share(ended_cache, entry->share);
}

static void drop_entry(struct ended_cache *ended_cache, uint32_t at)
{
	struct entry *entry = &ended_cache->entry[at];
	uint32_t *link = &ended_cache->by_number[entry->job_status.job % ENDED_CACHE_MAX];

	leave_share(ended_cache, at);
	while (*link != at)
		link = &ended_cache->entry[*link].next;
	*link = entry->next;
	free(entry->texts);
	ended_cache->hash[at] = 0;
	*entry = (struct entry){.next = ended_cache->unused_entry};
	ended_cache->unused_entry = at;
}

/*
 * Returns the oldest entry of the user with the most entries. If several users have the most, the user whose
 * job has just ended loses an entry.
 */
static uint32_t oldest_of_most(const struct ended_cache *ended_cache, const char *user)
{
	uint32_t own = find_share(ended_cache, user);
	bool gives = own != 0 && ended_cache->share[own].count == ended_cache->most;

	return ended_cache->share[gives ? own : ended_cache->with_count[ended_cache->most]].oldest;
}

static uint32_t make_entry(struct ended_cache *ended_cache, uint64_t number, bool array, const char *user)
{
	uint32_t *chain = &ended_cache->by_number[number % ENDED_CACHE_MAX];
	uint32_t at = find_entry(ended_cache, number, array);

	if (at != 0) /* the history has a record for each end of the job; only the last one counts */
		drop_entry(ended_cache, at);
	if (ended_cache->unused_entry == 0)
		drop_entry(ended_cache, oldest_of_most(ended_cache, user));
	at = ended_cache->unused_entry;
	ended_cache->unused_entry = ended_cache->entry[at].next;
	ended_cache->entry[at] = (struct entry){.job_status.job = number, .array = array, .next = *chain};
	*chain = at;
	join_share(ended_cache, at, user);
	return at;
}

/* --- remembering --------------------------------------------------------------------------------- */

static size_t size_of(const char *text)
{
	return text == NULL ? 0 : strlen(text) + 1;
}

/* Copies the text to *at and advances *at. */
static const char *put_text(char **at, const char *text)
{
	char *kept = *at;
	size_t size = size_of(text);

	if (size == 0)
		return NULL;
	memcpy(kept, text, size);
	*at += size;
	return kept;
}

/*
 * Returns the outcome of an array, and makes the entry of the array the newest one of the user, so that the
 * entries of the tasks are evicted first.
 */
static struct job_status *array_status(struct ended_cache *ended_cache, uint64_t id, const char *user)
{
	uint32_t at = find_entry(ended_cache, id, true);
	char label[ARRAY_LABEL];
	struct entry *entry;

	if (at != 0) {
		leave_share(ended_cache, at);
		join_share(ended_cache, at, user);
		return &ended_cache->entry[at].job_status;
	}
	entry = &ended_cache->entry[make_entry(ended_cache, id, true, user)];
	snprintf(label, sizeof label, "%" PRIu64 "[]", id);
	entry->texts = mem_string(label);
	entry->job_status = (struct job_status){
		.job = id, .phase = JOB_PHASE_ENDED, .start_s = TIME_NONE, .label = entry->texts};
	return &entry->job_status;
}

static void remember_task(struct ended_cache *ended_cache, const struct ended_job *ended, const char *user)
{
	struct job_status *job_status = array_status(ended_cache, ended->record.job.array, user);
	int64_t start_s = ended->record.job.start_s;

	if (exit_status_of(ended->status) > exit_status_of(job_status->status))
		job_status->status = ended->status;
	if (job_status->start_s == TIME_NONE || (start_s != TIME_NONE && start_s < job_status->start_s))
		job_status->start_s = start_s;
	job_status->lost = job_status->lost || ended->lost;
	job_status->end_s = ended->end_s;
}

static void remember(struct ended_cache *ended_cache, const struct ended_job *ended)
{
	const struct job_record *record = &ended->record;
	const char *user = record->cred[CRED_USER];
	const char *sharer = user != NULL ? user : "";
	uint32_t slot = make_entry(ended_cache, record->job.id, false, sharer);
	struct job_status *job_status = &ended_cache->entry[slot].job_status;
	char *at = mem_alloc(size_of(record->label) + size_of(user) + size_of(ended->why) +
			     size_of(ended->output) + size_of(ended->errors) + 1);

	ended_cache->entry[slot].texts = at;
	*job_status = (struct job_status){.job = record->job.id,
					  .phase = JOB_PHASE_ENDED,
					  .lost = ended->lost,
					  .at_limit = ended->at_limit,
					  .cancelled = (record->job.flags & JOB_CANCELLED) != 0,
					  .status = ended->status,
					  .start_s = record->job.start_s,
					  .end_s = ended->end_s};
	job_status->label = put_text(&at, record->label);
	ended_cache->hash[slot] = record->label != NULL ? hash_of(record->label) : 0;
	job_status->user = put_text(&at, user);
	job_status->why = put_text(&at, ended->why);
	job_status->output = put_text(&at, ended->output);
	job_status->errors = put_text(&at, ended->errors);
	if (record->job.array != 0)
		remember_task(ended_cache, ended, sharer);
}

static bool recall(void *self, const struct ended_job *ended)
{
	remember(self, ended);
	return true;
}

bool ended_cache_recall(struct ended_cache *ended_cache, struct store *store, int64_t since_s,
			struct err *err)
{
	return store_history(store, since_s, recall, ended_cache, err);
}

/* --- the ledger ---------------------------------------------------------------------------------- */

static bool ended_cache_load(void *self, struct state *st, struct err *err)
{
	struct ended_cache *ended_cache = self;

	return ended_cache->inner.ops->load(ended_cache->inner.self, st, err);
}

static bool ended_cache_commit(void *self, const struct ledger_step *step, struct err *err)
{
	struct ended_cache *ended_cache = self;

	if (!ended_cache->inner.ops->commit(ended_cache->inner.self, step, err))
		return false;
	for (size_t i = 0; i < step->ended_count; i++)
		remember(ended_cache, &step->ended[i]);
	return true;
}

static bool ended_cache_launch(void *self, uint64_t job, struct str *out, struct err *err)
{
	struct ended_cache *ended_cache = self;

	return ended_cache->inner.ops->launch(ended_cache->inner.self, job, out, err);
}

static bool ended_cache_has_room(void *self, struct err *err)
{
	struct ended_cache *ended_cache = self;

	return ended_cache->inner.ops->has_room == NULL ||
	       ended_cache->inner.ops->has_room(ended_cache->inner.self, err);
}

static bool ended_cache_recall_answer(void *self, const struct cookie *cookie, bool *known, struct str *out,
				      struct err *err)
{
	struct ended_cache *ended_cache = self;

	*known = false;
	return ended_cache->inner.ops->recall == NULL ||
	       ended_cache->inner.ops->recall(ended_cache->inner.self, cookie, known, out, err);
}

struct ledger ended_cache_ledger(struct ended_cache *ended_cache)
{
	static const struct ledger_ops ops = {
		.load = ended_cache_load,
		.commit = ended_cache_commit,
		.launch = ended_cache_launch,
		.recall = ended_cache_recall_answer,
		.has_room = ended_cache_has_room,
	};

	return (struct ledger){&ops, ended_cache};
}

/* --- finding ------------------------------------------------------------------------------------- */

/* Returns the number in "12" and "12[]"; 0: not a number. */
static uint64_t read_number(const char *label)
{
	char *end;
	unsigned long long number;

	if (label[0] < '1' || label[0] > '9')
		return 0;
	number = strtoull(label, &end, 10);
	return *end == '\0' || strcmp(end, "[]") == 0 ? number : 0;
}

static const struct job_status *find_number(const struct ended_cache *ended_cache, uint64_t number,
					    bool array)
{
	uint32_t at = number != 0 ? find_entry(ended_cache, number, array) : 0;

	return at != 0 ? &ended_cache->entry[at].job_status : NULL;
}

/* Finds an ended job or array by its label, or by its number as text. The number of an array is also that of
 * its first task; here it means the array. */
static const struct job_status *find_called(const struct ended_cache *ended_cache, const char *label)
{
	uint64_t number = read_number(label);
	const struct job_status *array = find_number(ended_cache, number, true);
	uint32_t hash = hash_of(label);

	if (array != NULL)
		return array;
	for (size_t i = 1; i <= ENDED_CACHE_MAX; i++)
		if (ended_cache->hash[i] == hash && ended_cache->entry[i].job_status.label != NULL &&
		    strcmp(ended_cache->entry[i].job_status.label, label) == 0)
			return &ended_cache->entry[i].job_status;
	return find_number(ended_cache, number, false);
}

/*
 * Returns the slot of the job without a label whose number, as text, equals the label; INDEX_NONE: there is
 * none.
 */
static uint32_t unlabelled(const struct state *st, const char *label, uint64_t id)
{
	uint32_t slot = state_find(st, id);
	char buf[JOB_LABEL_TEXT];

	return slot != INDEX_NONE && strcmp(snapshot_job_label(state_view(st),
							       &snapshot_jobs(state_view(st))[slot], buf),
					    label) == 0
		       ? slot
		       : INDEX_NONE;
}

/* What a name refers to in the state: a job, or the tasks of an array. */
struct here {
	uint32_t slot; /* INDEX_NONE: no job */
	uint64_t array;
	uint8_t phase; /* phase of the array; JOB_PHASE_UNKNOWN: it has no tasks in the state */
};

/* A name to be looked up in the state. */
struct sought {
	const char *label;
	uint32_t hash; /* hash of the label */
	struct here *here;
};

static void look_at(const struct snapshot *s, uint32_t slot, uint32_t hash, const struct sought *sought)
{
	const struct job *job = &snapshot_jobs(s)[slot];
	struct here *here = sought->here;

	if (here->slot == INDEX_NONE && job->label != 0 && sought->hash == hash &&
	    strcmp(snapshot_string(s, job->label), sought->label) == 0)
		here->slot = slot;
	if (here->array != 0 && job->array == here->array && here->phase != JOB_PHASE_RUNNING)
		here->phase = job->state == JOB_RUNNING ? JOB_PHASE_RUNNING : JOB_PHASE_WAITING;
}

/* Looks up all names in the state, in one pass over its jobs. */
static void look_around(const struct snapshot *s, const struct sought *sought, size_t count)
{
	const struct job *job = snapshot_jobs(s);

	for (uint32_t i = 0; count > 0 && i < snapshot_count(s, TABLE_JOBS); i++) {
		uint32_t hash;

		if (job[i].state == JOB_NONE || (job[i].label == 0 && job[i].array == 0))
			continue;
		hash = job[i].label != 0 ? hash_of(snapshot_string(s, job[i].label)) : 0;
		for (size_t k = 0; k < count; k++)
			look_at(s, i, hash, &sought[k]);
	}
}

static void find_here(const struct state *st, const struct job_ref *name, size_t count, struct here *here)
{
	struct sought *sought = mem_zero(count + 1, sizeof *sought);
	size_t labels = 0;

	for (size_t k = 0; k < count; k++) {
		here[k] = (struct here){.slot = INDEX_NONE};
		if (name[k].job != 0) {
			here[k].slot = state_find(st, name[k].job);
		} else if (name[k].label != NULL) {
			here[k].array = read_number(name[k].label);
			sought[labels++] = (struct sought){name[k].label, hash_of(name[k].label), &here[k]};
		}
	}
	look_around(state_view(st), sought, labels);
	free(sought);
	for (size_t k = 0; k < count; k++)
		if (here[k].slot == INDEX_NONE && here[k].array != 0)
			here[k].slot = unlabelled(st, name[k].label, here[k].array);
}

/* Data for looking up all names of a request. */
struct finding {
	const struct ended_cache *ended_cache;
	const struct state *st;
	const struct job_status_files *files;
	struct outputs_cache *outputs;
	struct arena *arena;
};

static bool tells_files(const struct finding *f, const char *user)
{
	return f->files != NULL &&
	       (f->files->user == NULL || (user != NULL && strcmp(user, f->files->user) == 0));
}

static struct job_status status_here(const struct finding *f, const struct job *job)
{
	const struct snapshot *s = state_view(f->st);
	struct job_status job_status = {.job = job->id, .start_s = job->start_s, .end_s = TIME_NONE};
	struct outputs outputs = {.output = NULL};

	job_status.phase = job->state == JOB_RUNNING ? JOB_PHASE_RUNNING : JOB_PHASE_WAITING;
	job_status.label = job->label != 0 ? snapshot_string(s, job->label) : NULL;
	job_status.user = snapshot_job_cred(s, job, CRED_USER);
	if (f->ended_cache != NULL && tells_files(f, job_status.user))
		outputs = outputs_find(f->ended_cache->inner, f->outputs, s, job, f->arena);
	job_status.output = outputs.output;
	job_status.errors = outputs.errors;
	return job_status;
}

static struct job_status array_here(const struct here *here, struct arena *arena)
{
	char label[ARRAY_LABEL];
	struct job_status job_status = {
		.job = here->array, .phase = here->phase, .start_s = TIME_NONE, .end_s = TIME_NONE};

	snprintf(label, sizeof label, "%" PRIu64 "[]", here->array);
	job_status.label = arena_string(arena, label);
	return job_status;
}

static struct job_status status_ended(const struct finding *f, const struct job_status *ended)
{
	struct job_status job_status = *ended;

	if (!tells_files(f, job_status.user))
		job_status.output = job_status.errors = NULL;
	return job_status;
}

static struct job_status find_one(const struct finding *f, const struct job_ref *name,
				  const struct here *here)
{
	const struct job_status unknown = {.job = name->job, .start_s = TIME_NONE, .end_s = TIME_NONE};
	const struct job_status *ended = NULL;

	if (here->slot != INDEX_NONE)
		return status_here(f, &snapshot_jobs(state_view(f->st))[here->slot]);
	if (here->phase != JOB_PHASE_UNKNOWN)
		return array_here(here, f->arena);
	if (f->ended_cache != NULL && name->job != 0)
		ended = find_number(f->ended_cache, name->job, false);
	else if (f->ended_cache != NULL && name->label != NULL)
		ended = find_called(f->ended_cache, name->label);
	return ended != NULL ? status_ended(f, ended) : unknown;
}

void ended_cache_find_all(const struct ended_cache *ended_cache, const struct state *st,
			  const struct job_ref *name, size_t count, const struct job_status_files *files,
			  struct arena *arena, struct job_status *out)
{
	const struct finding f = {.ended_cache = ended_cache,
				  .st = st,
				  .files = files,
				  .outputs = files != NULL ? outputs_cache_new() : NULL,
				  .arena = arena};
	struct here *here = mem_zero(count + 1, sizeof *here);

	find_here(st, name, count, here);
	for (size_t k = 0; k < count; k++)
		out[k] = find_one(&f, &name[k], &here[k]);
	outputs_cache_free(f.outputs);
	free(here);
}

struct job_status ended_cache_find(const struct ended_cache *ended_cache, const struct state *st,
				   const struct job_ref *name, const struct job_status_files *files,
				   struct arena *arena)
{
	struct job_status job_status;

	ended_cache_find_all(ended_cache, st, name, 1, files, arena, &job_status);
	return job_status;
}

/* --- checks of dependencies ---------------------------------------------------------------------------- */

/* Finds the outcome of the job that a dependency names; of an array, the worst outcome of its tasks so far.
 * NULL: not known. */
static const struct job_status *find_end_of(const struct ended_cache *ended_cache,
					    const struct depend *depend)
{
	char label[TASK_LABEL];

	switch ((enum depend_of)depend->of) {
	case DEPEND_ON_ARRAY:
		snprintf(label, sizeof label, "%" PRIu64 "[]", depend->on);
		return find_called(ended_cache, label);
	case DEPEND_ON_TASK:
		snprintf(label, sizeof label, "%" PRIu64 "[%" PRIu32 "]", depend->on, depend->number);
		return find_called(ended_cache, label);
	case DEPEND_ON_JOB:
	case DEPEND_OF_COUNT:
		break;
	}
	return find_number(ended_cache, depend->on, false);
}

static enum job_outcome outcome_of(const struct job_status *job_status)
{
	if (job_status->start_s == TIME_NONE)
		return JOB_NEVER_RAN;
	return job_status->status == 0 && !job_status->lost ? JOB_SUCCEEDED : JOB_FAILED;
}

bool ended_cache_check_depend(const struct ended_cache *ended_cache, const struct depend *depend,
			      struct err *err)
{
	const struct job_status *found = ended_cache != NULL ? find_end_of(ended_cache, depend) : NULL;
	struct job_status end;
	struct str words = {0};

	if (found == NULL || state_depend_after(depend->type, outcome_of(found)) != DEPEND_NEVER)
		return true;
	end = *found;
	end.why = NULL; /* the reason is visible to the job's owner only */
	job_status_describe(&end, &words);
	err_set(err,
		"%s: a job that depends on it in this way would never start; name another job, or omit the "
		"dependency",
		str_text(&words));
	str_free(&words);
	return false;
}
