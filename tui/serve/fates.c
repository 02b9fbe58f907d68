/* SPDX-License-Identifier: MIT */
/*
 * fates.c - what has become of the jobs that people ask the running scheduler about?
 *
 * Those that have ended stand in a table by the last bits of their number: finding one costs one look, and
 * a new one takes the place of the one that ended FATES_KEPT numbers before it.
 */
#include "fates.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/host/outputs.h"
#include "store/store.h"

#define ARRAY_LABEL 24 /* "12[]"  */
#define TASK_LABEL  40 /* "12[3]" */

/* All tasks of an array that have ended. */
struct array_fate {
	char label[ARRAY_LABEL];
	struct fate fate; /* job: id of the array, 0: none */
};

struct fates {
	struct ledger inner;
	struct array_fate array[FATES_KEPT];
	struct fate ended[FATES_KEPT]; /* job 0: none; texts are owned, all in one block at label */
	uint32_t hash[FATES_KEPT];     /* of their labels */
	char *texts[FATES_KEPT];
};

struct fates *fates_new(struct ledger inner)
{
	struct fates *fates = mem_zero(1, sizeof *fates);

	fates->inner = inner;
	return fates;
}

void fates_free(struct fates *fates)
{
	if (fates == NULL)
		return;
	for (size_t i = 0; i < FATES_KEPT; i++)
		free(fates->texts[i]);
	free(fates);
}

/* --- remembering --------------------------------------------------------------------------------- */

static size_t size_of(const char *text)
{
	return text == NULL ? 0 : strlen(text) + 1;
}

/* A text moves to *at, which moves behind it. */
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

/* So that not every label has to be looked at to find one. */
static uint32_t hash_of(const char *label)
{
	uint32_t h = UINT32_C(2166136261);

	for (; *label != '\0'; label++)
		h = (h ^ (unsigned char)*label) * UINT32_C(16777619);
	return h;
}

static void remember_task(struct fates *fates, const struct ended_job *ended)
{
	uint64_t id = ended->record.job.array;
	struct array_fate *array = &fates->array[id % FATES_KEPT];
	struct fate *fate = &array->fate;
	int64_t start_s = ended->record.job.start_s;

	if (fate->job != id) {
		snprintf(array->label, sizeof array->label, "%" PRIu64 "[]", id);
		*fate = (struct fate){
			.job = id, .phase = FATE_ENDED, .start_s = TIME_NONE, .label = array->label};
	}
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
	size_t slot = record->job.id % FATES_KEPT;
	struct fate *fate = &fates->ended[slot];
	const char *user = record->cred[CRED_USER];
	char *at = mem_alloc(size_of(record->label) + size_of(user) + size_of(ended->why) +
			     size_of(ended->output) + size_of(ended->errors) + 1);

	if (record->job.array != 0)
		remember_task(fates, ended);
	free(fates->texts[slot]);
	fates->texts[slot] = at;
	*fate = (struct fate){.job = record->job.id,
			      .phase = FATE_ENDED,
			      .lost = ended->lost,
			      .at_limit = ended->at_limit,
			      .status = ended->status,
			      .start_s = record->job.start_s,
			      .end_s = ended->end_s};
	fate->label = put_text(&at, record->label);
	fates->hash[slot] = record->label != NULL ? hash_of(record->label) : 0;
	fate->user = put_text(&at, user);
	fate->why = put_text(&at, ended->why);
	fate->output = put_text(&at, ended->output);
	fate->errors = put_text(&at, ended->errors);
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
	};

	return (struct ledger){&ops, fates};
}

/* --- finding ------------------------------------------------------------------------------------- */

/* "12" and "12[]"; 0: it is no number. */
static uint64_t read_number(const char *label)
{
	char *end;
	unsigned long long number;

	if (label[0] < '1' || label[0] > '9')
		return 0;
	number = strtoull(label, &end, 10);
	return *end == '\0' || strcmp(end, "[]") == 0 ? number : 0;
}

static const struct fate *find_id(const struct fates *fates, uint64_t id)
{
	const struct fate *fate = &fates->ended[id % FATES_KEPT];

	return fate->job == id ? fate : NULL;
}

/* An array is meant by its number before its first task, which has the same. */
static const struct fate *find_called(const struct fates *fates, const char *label)
{
	uint64_t number = read_number(label);
	uint32_t hash;

	if (number != 0 && fates->array[number % FATES_KEPT].fate.job == number)
		return &fates->array[number % FATES_KEPT].fate;
	hash = hash_of(label);
	for (size_t i = 0; i < FATES_KEPT; i++)
		if (fates->hash[i] == hash && fates->ended[i].label != NULL &&
		    strcmp(fates->ended[i].label, label) == 0)
			return &fates->ended[i];
	return number != 0 ? find_id(fates, number) : NULL;
}

/* The job that has no label and so is called by its id, written as it is. */
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

/* Where a name leads in the state: to a job, or else to the tasks of an array. */
struct here {
	uint32_t slot; /* INDEX_NONE: to no job              */
	uint64_t array;
	uint8_t phase; /* of the array; FATE_UNKNOWN: it has no tasks here */
};

static void look_at(const struct snapshot *s, uint32_t slot, const struct fate_name *name, struct here *here)
{
	const struct job *job = &snapshot_jobs(s)[slot];

	if (here->slot == INDEX_NONE && job->label != 0 &&
	    strcmp(snapshot_string(s, job->label), name->label) == 0)
		here->slot = slot;
	if (here->array != 0 && job->array == here->array && here->phase != FATE_RUNNING)
		here->phase = job->state == JOB_RUNNING ? FATE_RUNNING : FATE_WAITING;
}

/* All names in one walk over the jobs: what many names cost is not many walks. */
static void look_around(const struct state *st, const struct fate_name *name, size_t count, struct here *here)
{
	const struct snapshot *s = state_view(st);
	const struct job *job = snapshot_jobs(s);
	bool any = false;

	for (size_t k = 0; k < count; k++) {
		here[k] = (struct here){.slot = INDEX_NONE};
		if (name[k].job != 0)
			here[k].slot = state_find(st, name[k].job);
		else if (name[k].label != NULL)
			here[k].array = read_number(name[k].label);
		any = any || (name[k].job == 0 && name[k].label != NULL);
	}
	for (uint32_t i = 0; any && i < snapshot_count(s, TABLE_JOBS); i++) {
		if (job[i].state == JOB_NONE || (job[i].label == 0 && job[i].array == 0))
			continue;
		for (size_t k = 0; k < count; k++)
			if (name[k].job == 0 && name[k].label != NULL)
				look_at(s, i, &name[k], &here[k]);
	}
	for (size_t k = 0; k < count; k++)
		if (here[k].slot == INDEX_NONE && here[k].array != 0)
			here[k].slot = unlabelled(st, name[k].label, here[k].array);
}

static struct fate fate_here(const struct fates *fates, const struct snapshot *s, const struct job *job,
			     bool with_outputs, struct arena *arena)
{
	struct fate fate = {.job = job->id, .start_s = job->start_s, .end_s = TIME_NONE};
	struct outputs outputs = {.output = NULL};

	if (with_outputs && fates != NULL)
		outputs = outputs_find(fates->inner, s, job, arena);
	fate.phase = job->state == JOB_RUNNING ? FATE_RUNNING : FATE_WAITING;
	fate.label = job->label != 0 ? snapshot_string(s, job->label) : NULL;
	fate.user = snapshot_job_cred(s, job, CRED_USER);
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

static struct fate find_one(const struct fates *fates, const struct state *st, const struct fate_name *name,
			    const struct here *here, bool outputs, struct arena *arena)
{
	const struct snapshot *s = state_view(st);
	struct fate unknown = {.job = name->job, .start_s = TIME_NONE, .end_s = TIME_NONE};
	const struct fate *ended = NULL;

	if (here->slot != INDEX_NONE)
		return fate_here(fates, s, &snapshot_jobs(s)[here->slot], outputs, arena);
	if (here->phase != FATE_UNKNOWN)
		return array_here(here, arena);
	if (fates != NULL && name->job != 0)
		ended = find_id(fates, name->job);
	else if (fates != NULL && name->label != NULL)
		ended = find_called(fates, name->label);
	return ended != NULL ? *ended : unknown;
}

void fates_find_all(const struct fates *fates, const struct state *st, const struct fate_name *name,
		    size_t count, bool outputs, struct arena *arena, struct fate *out)
{
	struct here *here = mem_zero(count + 1, sizeof *here);

	look_around(st, name, count, here);
	for (size_t k = 0; k < count; k++)
		out[k] = find_one(fates, st, &name[k], &here[k], outputs, arena);
	free(here);
}

struct fate fates_find(const struct fates *fates, const struct state *st, const struct fate_name *name,
		       bool outputs, struct arena *arena)
{
	struct fate fate;

	fates_find_all(fates, st, name, 1, outputs, arena, &fate);
	return fate;
}

/* --- what comes after ------------------------------------------------------------------------------- */

/* Of an array: how its worst task so far has. */
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
	return find_id(fates, depend->on);
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
	end.why = NULL; /* that is its owner's */
	fate_describe(&end, &words);
	err_set(err,
		"%s: what is to wait for it in this way would never start; name another job, or leave it out",
		str_text(&words));
	str_free(&words);
	return false;
}
