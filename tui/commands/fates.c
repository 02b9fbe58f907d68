/* SPDX-License-Identifier: MIT */
/*
 * fates.c - what has become of the jobs that people ask the running scheduler about?
 *
 * Those that have ended stand in a table by the last bits of their number: finding one costs one look, and
 * a new one takes the place of the one that ended FATES_KEPT numbers before it.
 */
#include "fates.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/host/outputs.h"
#include "store/store.h"

struct fates {
	struct ledger inner;
	struct fate ended[FATES_KEPT]; /* job 0: none; texts are owned, all in one block at label */
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

static void remember(struct fates *fates, const struct ended_job *ended)
{
	const struct job_record *record = &ended->record;
	size_t slot = record->job.id % FATES_KEPT;
	struct fate *fate = &fates->ended[slot];
	const char *user = record->cred[CRED_USER];
	char *at = mem_alloc(size_of(record->label) + size_of(user) + size_of(ended->why) +
			     size_of(ended->output) + size_of(ended->errors) + 1);

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

static const struct fate *find_ended(const struct fates *fates, const struct fate_name *name)
{
	const struct fate *fate = &fates->ended[name->job % FATES_KEPT];

	if (name->job != 0)
		return fate->job == name->job ? fate : NULL;
	for (size_t i = 0; i < FATES_KEPT; i++)
		if (fates->ended[i].label != NULL && strcmp(fates->ended[i].label, name->label) == 0)
			return &fates->ended[i];
	return NULL;
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

struct fate fates_find(const struct fates *fates, const struct state *st, const struct fate_name *name,
		       bool outputs, struct arena *arena)
{
	const struct snapshot *s = state_view(st);
	struct fate unknown = {.job = name->job, .start_s = TIME_NONE, .end_s = TIME_NONE};
	const struct fate *ended;
	uint32_t slot;

	if (name->job == 0 && name->label == NULL)
		return unknown;
	slot = name->job != 0 ? state_find(st, name->job) : snapshot_find_label(s, name->label);
	if (slot != INDEX_NONE)
		return fate_here(fates, s, &snapshot_jobs(s)[slot], outputs, arena);
	ended = fates != NULL ? find_ended(fates, name) : NULL;
	return ended != NULL ? *ended : unknown;
}
