/* SPDX-License-Identifier: MIT */
/*
 * why_text.c - the answer to "why is this job not running?" in sentences
 */
#include "why_text.h"

#include <string.h>

#include "estimated.h"
#include "jobtext.h"
#include "report.h"
#include "sched/base/str.h"
#include "way_out.h"

#define COUNTED_SHOWN 4 /* jobs that an idle limit counts */

static const struct job *job_of(const struct why_known *k)
{
	return &snapshot_jobs(k->s)[k->slot];
}

/* --- the verdict ------------------------------------------------------------------------------- */

static bool begins_with(const struct str *text, const char *words)
{
	return strncmp(str_text(text), words, strlen(words)) == 0;
}

/* The reason as it is told behind the subject, where the verdict does not say it already. */
static void add_reason(const struct why_known *k, struct str *out)
{
	const struct reason lead = k->why.lead;
	bool at_end = k->why.verdict == VERDICT_NEVER && !plan_is_permanent(k->s, &lead);
	struct str predicate = {0};

	jobtext_predicate(k->s, job_of(k), &lead, k->now_s, &predicate);
	if (k->why.verdict == VERDICT_NOT_NOW)
		str_add(out, "does not start now: it ");
	else if (at_end)
		str_add(out, "never starts: when nothing happens any more, it still ");
	else if (k->why.verdict == VERDICT_NEVER && !begins_with(&predicate, "never starts"))
		str_add(out, "never starts: it ");
	str_add(out, str_text(&predicate));
	str_free(&predicate);
}

void why_text_verdict(const struct why_known *k, struct str *out)
{
	const struct job *job = job_of(k);
	char label[JOB_LABEL_TEXT];

	if (k->why.verdict == VERDICT_RUNS || k->why.verdict == VERDICT_STARTS_NOW) {
		jobtext_sentence(k->s, job, &(struct reason){.gate = GATE_NONE}, k->now_s, out);
		return;
	}
	str_addf(out, "Job %s ", snapshot_job_label(k->s, job, label));
	add_reason(k, out);
}

/* --- the estimated start ------------------------------------------------------------------------- */

/* Do both speak of the same check, limit and other job? */
static bool is_same_cause(const struct reason *a, const struct reason *b)
{
	return a->gate == b->gate && a->kind == b->kind && a->scope == b->scope && a->hard == b->hard &&
	       a->cred == b->cred && a->second == b->second && a->other == b->other;
}

/* What it waits for until it starts, unless the verdict has just said so. */
static void add_until(const struct why_known *k, struct str *out)
{
	const struct reason lead = k->why.lead;
	struct str until = {0};

	if (k->ways == NULL || k->ways->start_s != k->start.start_s)
		return;
	if (!is_same_cause(&lead, &k->ways->last.check[k->ways->holds].reason))
		way_out_until(k->s, job_of(k), k->ways, &until);
	if (until.len > 0)
		str_addf(out, "; until then it %s", str_text(&until));
	way_out_ending(k->s, k->ways, out);
	str_free(&until);
}

void why_text_start(const struct why_known *k, struct str *out)
{
	if (k->why.verdict == VERDICT_RUNS)
		return;
	str_add(out, "Estimated start: ");
	if (k->why.verdict == VERDICT_NEVER) {
		str_add(out, "never");
	} else if (k->why.estimated_s != TIME_NEVER) {
		estimated_text(out, &k->start, job_of(k)->planned_s, k->now_s);
		add_until(k, out);
	} else if (snapshot_is_halted(k->s)) {
		str_add(out, "none while the scheduler is paused");
	} else if (k->why.verdict == VERDICT_HELD) {
		str_add(out, "none while the job is held");
	} else if (k->ways != NULL && k->ways->start_s == TIME_NEVER) {
		str_add(out, "none. ");
		way_out_itself(k->s, job_of(k), k->ways, k->now_s, out);
		return;
	} else {
		str_add(out, "not known");
	}
	str_add(out, ".");
}

/* --- what an idle limit counts ------------------------------------------------------------------- */

static void add_counted(const struct why_known *k, uint32_t slot, struct str *out)
{
	const struct reason *reason = &k->plan->reason[slot];
	char label[JOB_LABEL_TEXT];

	str_add(out, snapshot_job_label(k->s, &snapshot_jobs(k->s)[slot], label));
	if (reason->gate == GATE_ACTIVE_SOFT || reason->gate == GATE_FS_CAP) {
		str_add(out, " (");
		jobtext_short(k->s, reason, k->now_s, out);
		str_add(out, ")");
	}
}

void why_text_counted(const struct why_known *k, struct str *out)
{
	const struct reason *reason = &k->why.check[GATE_IDLE_LIMIT].reason;
	uint32_t slot[COUNTED_SHOWN], count;

	if (k->why.verdict == VERDICT_RUNS || k->why.check[GATE_IDLE_LIMIT].ok ||
	    !explain_is_idle_limit(reason))
		return;
	count = queue_counted(&k->plan->queue, k->s, k->slot, reason, slot, COUNTED_SHOWN);
	if (count == 0)
		return;
	str_addf(out, "Counted against %s: ", explain_limit_name(reason));
	for (uint32_t i = 0; i < count && i < COUNTED_SHOWN; i++) {
		if (i > 0)
			str_add(out, i + 1 == count ? " and " : ", ");
		add_counted(k, slot[i], out);
	}
	if (count > COUNTED_SHOWN)
		str_addf(out, " and %u more", count - COUNTED_SHOWN);
	str_add(out, ".");
}

bool why_text_shows(const struct check *check, bool all)
{
	return check->known && (all || !check->ok);
}
