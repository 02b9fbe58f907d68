/* SPDX-License-Identifier: MIT */
/*
 * justification.c - changes that require a reason
 */
#include "justification.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sched/base/duration.h"
#include "sched/lint/lint.h"

static void add(struct str *out, size_t begin, const char *words)
{
	str_add(out, out->len > begin ? "; " : "");
	str_add(out, words);
}

static void ask_delays(const struct future_pair *pair, struct str *out, size_t begin)
{
	if (pair->whatif.later <= pair->before.side.s->policy.guard_delayed)
		return;
	add(out, begin, "it delays ");
	str_addf(out, "%" PRIu32 " jobs", pair->whatif.later);
}

/* Returns true if the job has a reservation and the change delays its start. */
static bool is_put_off(const struct whatif_side *before, const struct whatif_side *after,
		       struct job_lookup *lookup, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(before->s)[slot];
	uint32_t then;

	if (job->planned_s == TIME_NEVER)
		return false;
	then = job_lookup(lookup, job->id, slot);
	return then != INDEX_NONE && snapshot_jobs(after->s)[then].state == JOB_IDLE &&
	       after->start_s[then] > before->start_s[slot];
}

static void ask_promises(const struct whatif_side *before, const struct whatif_side *after,
			 moment_clock *clock, struct str *out, size_t begin)
{
	char label[JOB_LABEL_TEXT], when[MOMENT_TEXT];
	struct job_lookup lookup = {.s = after->s};

	for (uint32_t i = 0; i < snapshot_count(before->s, TABLE_WAITING); i++) {
		uint32_t slot = snapshot_waiting(before->s)[i].slot;

		if (!is_put_off(before, after, &lookup, slot))
			continue;
		add(out, begin, "it postpones the reserved start of ");
		str_addf(out, "%s, which was %s",
			 snapshot_job_label(before->s, &snapshot_jobs(before->s)[slot], label),
			 moment_short(when, moment_by(clock, snapshot_jobs(before->s)[slot].planned_s),
				      moment_by(clock, before->plan->now_s)));
		break;
	}
	free(lookup.by_id);
}

static void ask_lint(const struct whatif_side *before, const struct whatif_side *after, struct str *out,
		     size_t begin)
{
	struct lint_list was = {0}, is = {0}, brought = {0};

	lint_state(&was, before->s, before->plan);
	lint_state(&is, after->s, after->plan);
	lint_new(&brought, &was, &is);
	if (lint_count(&brought, SEVERITY_ERROR) + lint_count(&brought, SEVERITY_WARNING) > 0) {
		add(out, begin, "lint ");
		str_addf(out, "%s: %s", brought.item[0].id, brought.item[0].text);
	}
	lint_free(&was);
	lint_free(&is);
	lint_free(&brought);
}

bool justification_required(const struct future_pair *pair, moment_clock *clock, struct str *out)
{
	const struct whatif_side *before = &pair->before.side, *after = &pair->after.side;
	size_t begin = out->len;

	if (before->s->policy.guard_delayed == 0)
		return false;
	ask_delays(pair, out, begin);
	ask_promises(before, after, clock, out, begin);
	ask_lint(before, after, out, begin);
	return out->len > begin;
}
