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

uint8_t fate_exit_status(const struct fate *fate)
{
	return fate->lost ? 1 : exit_status_of(fate->status);
}

static void describe_end(const struct fate *fate, struct str *out)
{
	const char *name = fate->status >= STATUS_SIGNALLED && fate->status != STATUS_DEPEND_FAILED
				   ? sigabbrev_np(fate->status - STATUS_SIGNALLED)
				   : NULL;

	if (fate->lost)
		str_add(out, "is lost: its exit status is unknown");
	else if (fate->status == STATUS_DEPEND_FAILED)
		str_add(out, "left the queue, since its dependency can no longer be met");
	else if (fate->start_s == TIME_NONE)
		str_add(out, "was cancelled before it ran");
	else if (fate->cancelled)
		str_add(out, "was cancelled");
	else if (fate->at_limit)
		str_add(out, "was ended at its wallclock limit");
	else if (name != NULL)
		str_addf(out, "was ended by %s", name);
	else
		str_addf(out, "ended with %" PRId32, fate->status);
	if (fate->why != NULL)
		str_addf(out, ": %s", fate->why);
}

void fate_describe(const struct fate *fate, struct str *out)
{
	if (fate->label != NULL)
		str_addf(out, "job %s ", fate->label);
	else
		str_addf(out, "job %" PRIu64 " ", fate->job);
	switch ((enum fate_phase)fate->phase) {
	case FATE_WAITING:
		str_add(out, "waits");
		break;
	case FATE_RUNNING:
		str_add(out, "runs");
		break;
	case FATE_ENDED:
		describe_end(fate, out);
		break;
	case FATE_UNKNOWN:
	case FATE_PHASE_COUNT:
		str_add(out, "is not known");
		break;
	}
}

/* --- outcomes of ended jobs, kept for clients --------------------------------------------------------- */

/*
 * Entries for jobs and arrays share a pool of FATES_KEPT. Each entry is in a hash chain by job number, and in
 * the list of its user, ordered by end. When the pool is full, the user with the most entries loses the
 * oldest one, so a user who ends many jobs does not displace the entries of users with fewer. Adding an entry
 * costs the same whether or not the pool is full.
 */

#define ARRAY_LABEL 24 /* "12[]"  */

#define TASK_LABEL 40 /* "12[3]" */

/* Entries and shares are numbered from 1; 0: none. */
struct entry {
	struct fate fate;      /* job 0: unused */
	bool array;            /* summary of all ended tasks of the array; the worst outcome counts */
	uint32_t share;        /* share of the user */
	uint32_t next;         /* next entry in the chain of the job number; if unused: next unused entry */
	uint32_t older, newer; /* neighbours in the list of the user */
	char *texts;           /* owned; all texts of fate in one block */
};

/* The entries of one user; unused without entries. */
struct share {
	char *user;     /* owned; "" for jobs without a user */
	uint32_t count; /* number of entries */
	uint32_t oldest, newest;
	uint32_t next;             /* next share in the chain of the name; if unused: next unused share */
	uint32_t previous, behind; /* neighbours in the list of shares with the same count */
};

struct fates {
	struct ledger inner;
	struct entry entry[FATES_KEPT + 1];
	uint32_t hash[FATES_KEPT + 1]; /* hash of the label of each entry */
	uint32_t by_number[FATES_KEPT];
	struct share share[FATES_KEPT + 1];
	uint32_t by_user[FATES_KEPT];
	uint32_t with_count[FATES_KEPT + 1]; /* first share with this number of entries */
	uint32_t most;                       /* largest number of entries of a share */
	uint32_t unused_entry, unused_share;
};

struct fates *fates_new(struct ledger inner)
{
	struct fates *fates = mem_zero(1, sizeof *fates);

	fates->inner = inner;
	fates->unused_entry = fates->unused_share = 1;
	for (uint32_t i = 1; i < FATES_KEPT; i++)
		fates->entry[i].next = fates->share[i].next = i + 1;
	return fates;
}

void fates_free(struct fates *fates)
{
	if (fates == NULL)
		return;
	for (size_t i = 1; i <= FATES_KEPT; i++) {
		free(fates->entry[i].texts);
		free(fates->share[i].user);
	}
	free(fates);
}

/* Comparing hashes first avoids comparing most texts. */
static uint32_t hash_of(const char *text)
{
	uint32_t h = UINT32_C(2166136261);

	for (; *text != '\0'; text++)
		h = (h ^ (unsigned char)*text) * UINT32_C(16777619);
	return h;
}

/* --- shares -------------------------------------------------------------------------------------- */

static uint32_t find_share(const struct fates *fates, const char *user)
{
	uint32_t at = fates->by_user[hash_of(user) % FATES_KEPT];

	while (at != 0 && strcmp(fates->share[at].user, user) != 0)
		at = fates->share[at].next;
	return at;
}

static uint32_t make_share(struct fates *fates, const char *user)
{
	uint32_t *chain = &fates->by_user[hash_of(user) % FATES_KEPT];
	uint32_t at = fates->unused_share;

	fates->unused_share = fates->share[at].next;
	fates->share[at] = (struct share){.user = mem_string(user), .next = *chain};
	*chain = at;
	return at;
}

static void drop_share(struct fates *fates, uint32_t at)
{
	struct share *share = &fates->share[at];
	uint32_t *link = &fates->by_user[hash_of(share->user) % FATES_KEPT];

	while (*link != at)
		link = &fates->share[*link].next;
	*link = share->next;
	free(share->user);
	*share = (struct share){.next = fates->unused_share};
	fates->unused_share = at;
}

/* A count changes by one, so the largest count also changes by at most one and needs no search. */
static void set_count(struct fates *fates, uint32_t at, uint32_t count)
{
	struct share *share = &fates->share[at];

	if (share->previous != 0)
		fates->share[share->previous].behind = share->behind;
	else if (share->count != 0)
		fates->with_count[share->count] = share->behind;
	if (share->behind != 0)
		fates->share[share->behind].previous = share->previous;
	share->count = count;
	share->previous = share->behind = 0;
	if (count != 0) {
		share->behind = fates->with_count[count];
		fates->with_count[count] = at;
		if (share->behind != 0)
			fates->share[share->behind].previous = at;
	}
	if (count > fates->most)
		fates->most = count;
	else if (fates->with_count[fates->most] == 0 && fates->most != 0)
		fates->most--;
}

/* --- entries ------------------------------------------------------------------------------------- */

static uint32_t find_entry(const struct fates *fates, uint64_t number, bool array)
{
	uint32_t at = fates->by_number[number % FATES_KEPT];

	while (at != 0 && (fates->entry[at].fate.job != number || fates->entry[at].array != array))
		at = fates->entry[at].next;
	return at;
}

/* Makes the entry the newest of the user. */
static void join_share(struct fates *fates, uint32_t at, const char *user)
{
	struct entry *entry = &fates->entry[at];
	struct share *share;

	entry->share = find_share(fates, user);
	if (entry->share == 0)
		entry->share = make_share(fates, user);
	share = &fates->share[entry->share];
	entry->older = share->newest;
	entry->newer = 0;
	if (entry->older != 0)
		fates->entry[entry->older].newer = at;
	else
		share->oldest = at;
	share->newest = at;
	set_count(fates, entry->share, share->count + 1);
}

static void leave_share(struct fates *fates, uint32_t at)
{
	struct entry *entry = &fates->entry[at];
	struct share *share = &fates->share[entry->share];

	if (entry->older != 0)
		fates->entry[entry->older].newer = entry->newer;
	else
		share->oldest = entry->newer;
	if (entry->newer != 0)
		fates->entry[entry->newer].older = entry->older;
	else
		share->newest = entry->older;
	set_count(fates, entry->share, share->count - 1);
	if (share->count == 0)
		drop_share(fates, entry->share);
}

static void drop_entry(struct fates *fates, uint32_t at)
{
	struct entry *entry = &fates->entry[at];
	uint32_t *link = &fates->by_number[entry->fate.job % FATES_KEPT];

	leave_share(fates, at);
	while (*link != at)
		link = &fates->entry[*link].next;
	*link = entry->next;
	free(entry->texts);
	fates->hash[at] = 0;
	*entry = (struct entry){.next = fates->unused_entry};
	fates->unused_entry = at;
}

/* If several users have the largest count, the user whose job has just ended loses an entry. */
static uint32_t oldest_of_most(const struct fates *fates, const char *user)
{
	uint32_t own = find_share(fates, user);
	bool gives = own != 0 && fates->share[own].count == fates->most;

	return fates->share[gives ? own : fates->with_count[fates->most]].oldest;
}

static uint32_t make_entry(struct fates *fates, uint64_t number, bool array, const char *user)
{
	uint32_t *chain = &fates->by_number[number % FATES_KEPT];
	uint32_t at = find_entry(fates, number, array);

	if (at != 0) /* the history has a record for each time that a job number ended; the last one counts */
		drop_entry(fates, at);
	if (fates->unused_entry == 0)
		drop_entry(fates, oldest_of_most(fates, user));
	at = fates->unused_entry;
	fates->unused_entry = fates->entry[at].next;
	fates->entry[at] = (struct entry){.fate.job = number, .array = array, .next = *chain};
	*chain = at;
	join_share(fates, at, user);
	return at;
}

/* --- remembering --------------------------------------------------------------------------------- */

static size_t size_of(const char *text)
{
	return text == NULL ? 0 : strlen(text) + 1;
}

/* Copies the text to *at and advances it. */
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
 * The entry of an array is as new as the last end of one of its tasks, so the entries of the tasks are
 * evicted first.
 */
static struct fate *array_fate(struct fates *fates, uint64_t id, const char *user)
{
	uint32_t at = find_entry(fates, id, true);
	char label[ARRAY_LABEL];
	struct entry *entry;

	if (at != 0) {
		leave_share(fates, at);
		join_share(fates, at, user);
		return &fates->entry[at].fate;
	}
	entry = &fates->entry[make_entry(fates, id, true, user)];
	snprintf(label, sizeof label, "%" PRIu64 "[]", id);
	entry->texts = mem_string(label);
	entry->fate =
		(struct fate){.job = id, .phase = FATE_ENDED, .start_s = TIME_NONE, .label = entry->texts};
	return &entry->fate;
}

static void remember_task(struct fates *fates, const struct ended_job *ended, const char *user)
{
	struct fate *fate = array_fate(fates, ended->record.job.array, user);
	int64_t start_s = ended->record.job.start_s;

	if (exit_status_of(ended->status) > exit_status_of(fate->status))
		fate->status = ended->status;
	if (fate->start_s == TIME_NONE || (start_s != TIME_NONE && start_s < fate->start_s))
		fate->start_s = start_s;
	fate->lost = fate->lost || ended->lost;
	fate->end_s = ended->end_s;
}

static void remember(struct fates *fates, const struct ended_job *ended)
{
	const struct job_record *record = &ended->record;
	const char *user = record->cred[CRED_USER];
	const char *sharer = user != NULL ? user : "";
	uint32_t slot = make_entry(fates, record->job.id, false, sharer);
	struct fate *fate = &fates->entry[slot].fate;
	char *at = mem_alloc(size_of(record->label) + size_of(user) + size_of(ended->why) +
			     size_of(ended->output) + size_of(ended->errors) + 1);

	fates->entry[slot].texts = at;
	*fate = (struct fate){.job = record->job.id,
			      .phase = FATE_ENDED,
			      .lost = ended->lost,
			      .at_limit = ended->at_limit,
			      .cancelled = (record->job.flags & JOB_CANCELLED) != 0,
			      .status = ended->status,
			      .start_s = record->job.start_s,
			      .end_s = ended->end_s};
	fate->label = put_text(&at, record->label);
	fates->hash[slot] = record->label != NULL ? hash_of(record->label) : 0;
	fate->user = put_text(&at, user);
	fate->why = put_text(&at, ended->why);
	fate->output = put_text(&at, ended->output);
	fate->errors = put_text(&at, ended->errors);
	if (record->job.array != 0)
		remember_task(fates, ended, sharer);
}

static bool recall(void *self, const struct ended_job *ended)
{
	remember(self, ended);
	return true;
}

bool fates_recall(struct fates *fates, struct store *store, int64_t since_s, struct err *err)
{
	return store_history(store, since_s, recall, fates, err);
}

/* --- the ledger ---------------------------------------------------------------------------------- */

static bool fates_load(void *self, struct state *st, struct err *err)
{
	struct fates *fates = self;

	return fates->inner.ops->load(fates->inner.self, st, err);
}

static bool fates_commit(void *self, const struct ledger_step *step, struct err *err)
{
	struct fates *fates = self;

	if (!fates->inner.ops->commit(fates->inner.self, step, err))
		return false;
	for (size_t i = 0; i < step->ended_count; i++)
		remember(fates, &step->ended[i]);
	return true;
}

static bool fates_launch(void *self, uint64_t job, struct str *out, struct err *err)
{
	struct fates *fates = self;

	return fates->inner.ops->launch(fates->inner.self, job, out, err);
}

static bool fates_has_room(void *self, struct err *err)
{
	struct fates *fates = self;

	return fates->inner.ops->has_room == NULL || fates->inner.ops->has_room(fates->inner.self, err);
}

static bool fates_recall_answer(void *self, const struct cookie *cookie, bool *known, struct str *out,
				struct err *err)
{
	struct fates *fates = self;

	*known = false;
	return fates->inner.ops->recall == NULL ||
	       fates->inner.ops->recall(fates->inner.self, cookie, known, out, err);
}

struct ledger fates_ledger(struct fates *fates)
{
	static const struct ledger_ops ops = {
		.load = fates_load,
		.commit = fates_commit,
		.launch = fates_launch,
		.recall = fates_recall_answer,
		.has_room = fates_has_room,
	};

	return (struct ledger){&ops, fates};
}

/* --- finding ------------------------------------------------------------------------------------- */

/* The number in "12" and "12[]"; 0: not a number. */
static uint64_t read_number(const char *label)
{
	char *end;
	unsigned long long number;

	if (label[0] < '1' || label[0] > '9')
		return 0;
	number = strtoull(label, &end, 10);
	return *end == '\0' || strcmp(end, "[]") == 0 ? number : 0;
}

static const struct fate *find_number(const struct fates *fates, uint64_t number, bool array)
{
	uint32_t at = number != 0 ? find_entry(fates, number, array) : 0;

	return at != 0 ? &fates->entry[at].fate : NULL;
}

/* The number of an array also belongs to its first task; it refers to the array. */
static const struct fate *find_called(const struct fates *fates, const char *label)
{
	uint64_t number = read_number(label);
	const struct fate *array = find_number(fates, number, true);
	uint32_t hash = hash_of(label);

	if (array != NULL)
		return array;
	for (size_t i = 1; i <= FATES_KEPT; i++)
		if (fates->hash[i] == hash && fates->entry[i].fate.label != NULL &&
		    strcmp(fates->entry[i].fate.label, label) == 0)
			return &fates->entry[i].fate;
	return find_number(fates, number, false);
}

/* The job without a label whose number, as text, equals the label. */
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
	uint8_t phase; /* phase of the array; FATE_UNKNOWN: it has no tasks in the state */
};

/* A name to be resolved. */
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
	if (here->array != 0 && job->array == here->array && here->phase != FATE_RUNNING)
		here->phase = job->state == JOB_RUNNING ? FATE_RUNNING : FATE_WAITING;
}

/* Resolves all names in one pass over the jobs. */
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

static void find_here(const struct state *st, const struct fate_name *name, size_t count, struct here *here)
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

/* Lookup of all names of a request. */
struct finding {
	const struct fates *fates;
	const struct state *st;
	const struct fate_files *files;
	struct outputs_cache *outputs;
	struct arena *arena;
};

static bool tells_files(const struct finding *f, const char *user)
{
	return f->files != NULL &&
	       (f->files->user == NULL || (user != NULL && strcmp(user, f->files->user) == 0));
}

static struct fate fate_here(const struct finding *f, const struct job *job)
{
	const struct snapshot *s = state_view(f->st);
	struct fate fate = {.job = job->id, .start_s = job->start_s, .end_s = TIME_NONE};
	struct outputs outputs = {.output = NULL};

	fate.phase = job->state == JOB_RUNNING ? FATE_RUNNING : FATE_WAITING;
	fate.label = job->label != 0 ? snapshot_string(s, job->label) : NULL;
	fate.user = snapshot_job_cred(s, job, CRED_USER);
	if (f->fates != NULL && tells_files(f, fate.user))
		outputs = outputs_find(f->fates->inner, f->outputs, s, job, f->arena);
	fate.output = outputs.output;
	fate.errors = outputs.errors;
	return fate;
}

static struct fate array_here(const struct here *here, struct arena *arena)
{
	char label[ARRAY_LABEL];
	struct fate fate = {
		.job = here->array, .phase = here->phase, .start_s = TIME_NONE, .end_s = TIME_NONE};

	snprintf(label, sizeof label, "%" PRIu64 "[]", here->array);
	fate.label = arena_string(arena, label);
	return fate;
}

static struct fate fate_ended(const struct finding *f, const struct fate *ended)
{
	struct fate fate = *ended;

	if (!tells_files(f, fate.user))
		fate.output = fate.errors = NULL;
	return fate;
}

static struct fate find_one(const struct finding *f, const struct fate_name *name, const struct here *here)
{
	const struct fate unknown = {.job = name->job, .start_s = TIME_NONE, .end_s = TIME_NONE};
	const struct fate *ended = NULL;

	if (here->slot != INDEX_NONE)
		return fate_here(f, &snapshot_jobs(state_view(f->st))[here->slot]);
	if (here->phase != FATE_UNKNOWN)
		return array_here(here, f->arena);
	if (f->fates != NULL && name->job != 0)
		ended = find_number(f->fates, name->job, false);
	else if (f->fates != NULL && name->label != NULL)
		ended = find_called(f->fates, name->label);
	return ended != NULL ? fate_ended(f, ended) : unknown;
}

void fates_find_all(const struct fates *fates, const struct state *st, const struct fate_name *name,
		    size_t count, const struct fate_files *files, struct arena *arena, struct fate *out)
{
	const struct finding f = {.fates = fates,
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

struct fate fates_find(const struct fates *fates, const struct state *st, const struct fate_name *name,
		       const struct fate_files *files, struct arena *arena)
{
	struct fate fate;

	fates_find_all(fates, st, name, 1, files, arena, &fate);
	return fate;
}

/* --- checks of dependencies ---------------------------------------------------------------------------- */

/* For an array: the worst outcome of its tasks so far. */
static const struct fate *find_end_of(const struct fates *fates, const struct depend *depend)
{
	char label[TASK_LABEL];

	switch ((enum depend_of)depend->of) {
	case DEPEND_ON_ARRAY:
		snprintf(label, sizeof label, "%" PRIu64 "[]", depend->on);
		return find_called(fates, label);
	case DEPEND_ON_TASK:
		snprintf(label, sizeof label, "%" PRIu64 "[%" PRIu32 "]", depend->on, depend->number);
		return find_called(fates, label);
	case DEPEND_ON_JOB:
	case DEPEND_OF_COUNT:
		break;
	}
	return find_number(fates, depend->on, false);
}

static enum job_outcome outcome_of(const struct fate *fate)
{
	if (fate->start_s == TIME_NONE)
		return JOB_NEVER_RAN;
	return fate->status == 0 && !fate->lost ? JOB_SUCCEEDED : JOB_FAILED;
}

bool fates_check_depend(const struct fates *fates, const struct depend *depend, struct err *err)
{
	const struct fate *found = fates != NULL ? find_end_of(fates, depend) : NULL;
	struct fate end;
	struct str words = {0};

	if (found == NULL || state_depend_after(depend->type, outcome_of(found)) != DEPEND_NEVER)
		return true;
	end = *found;
	end.why = NULL; /* visible to the owner only */
	fate_describe(&end, &words);
	err_set(err,
		"%s: a job that depends on it in this way would never start; name another job, or omit the "
		"dependency",
		str_text(&words));
	str_free(&words);
	return false;
}
