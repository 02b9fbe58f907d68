/* SPDX-License-Identifier: MIT */
/*
 * trust.c - how have the starts that the console foretold come true?
 */
#include "trust.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "tui/report/estimate_accuracy.h"

static bool go_on(void *self)
{
	return !work_is_unwanted(self);
}

/* A journal that cannot be read says nothing here: whoever writes to it says why. */
static void run(struct work *self)
{
	struct trust *h = (struct trust *)self;
	struct estimate_accuracy_query wish = {.source = {.store = h->store},
					       .since_s = h->now_s - ESTIMATES_SINCE_S,
					       .until_seq = h->seq,
					       .setup = {.go_on = go_on, .self = self}};
	struct estimate_accuracy found = {.row = NULL};
	struct err err;

	h->whole = estimate_accuracy_read(&found, &wish, &err);
	if (h->whole)
		estimate_errors_of(&h->errors, found.row, found.count, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT);
	estimate_accuracy_clear(&found);
}

static void drop(struct work *self)
{
	trust_free((struct trust *)self);
}

static const struct work_ops trust_work = {.run = run, .drop = drop};

int64_t trust_last_start_s(const struct snapshot *s)
{
	int64_t last_s = TIME_NONE;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[i]];

		if (job->start_s > last_s)
			last_s = job->start_s;
	}
	return last_s;
}

struct trust *trust_new(struct store *store, const struct snapshot *s)
{
	struct trust *h = mem_zero(1, sizeof *h);

	h->work.ops = &trust_work;
	h->store = store;
	h->now_s = s->now_s;
	h->seq = s->seq;
	h->last_start_s = trust_last_start_s(s);
	return h;
}

void trust_free(struct trust *h)
{
	free(h);
}

bool trust_print(const struct trust *h, struct str *out)
{
	char half[DURATION_TEXT], most[DURATION_TEXT];

	if (!h->whole || h->errors.known < TRUST_LEAST)
		return false;
	str_addf(out, "estimates so far: half within %s, 4 of 5 within %s (%" PRIu32 " starts)",
		 duration_short(half, h->errors.median_s), duration_short(most, h->errors.p80_s),
		 h->errors.known);
	return true;
}
