/* SPDX-License-Identifier: MIT */
/* whatif_sight.c - the projections to compare: of the live queue and of the draft */
#include "whatif_sight.h"

#include "tui/report/job_fields.h"
#include "view.h"

const char *whatif_tier(enum future_tier tier, enum assume_kind kind)
{
	static const char *const words[ASSUME_KIND_COUNT] = {
		[ASSUME_WCLIMIT] = "full projection, jobs run to their limits",
		[ASSUME_HISTORY] = "full projection, jobs run as their users' did",
		[ASSUME_MEDIAN] = "full projection, jobs run as most did",
	};

	if (tier == FUTURE_INSTANT)
		return "instant plan";
	return tier == FUTURE_FULL ? words[kind] : "projection within its budget; ~: instant plan";
}

enum future_tier whatif_draft_tier(const struct plan_query *o)
{
	return o->live.tier == FUTURE_FULL && o->draft.tier == FUTURE_FULL ? FUTURE_FULL : FUTURE_INSTANT;
}

struct whatif_future whatif_future_of(const struct forecast *f, enum future_tier tier)
{
	if (tier == FUTURE_INSTANT)
		return (struct whatif_future){.f = f, .start_s = f->plan.start_s, .tier = FUTURE_INSTANT};
	return (struct whatif_future){.f = f,
				      .start_s = f->start_s,
				      .end_s = f->end_s,
				      .tier = FUTURE_PARTIAL,
				      .placeholder = f->placeholder};
}

enum role whatif_put_start(const struct whatif_future *future, uint32_t slot, struct str *out)
{
	bool placeholder = future->tier == FUTURE_INSTANT ||
			   (future->tier == FUTURE_PARTIAL && future->placeholder[slot]);

	return jobs_add_when(future->start_s[slot], future->f->plan.now_s, placeholder, out);
}

/* With the run time assumption of this screen. */
static struct whatif_future future_ahead(const struct forecast *f, const struct projected *a)
{
	if (a == NULL)
		return whatif_future_of(f, FUTURE_INSTANT);
	return (struct whatif_future){.f = f,
				      .start_s = projected_starts(a),
				      .end_s = a->run.end_s,
				      .tier = future_tier_of(&a->run),
				      .placeholder = a->placeholder};
}

void whatif_sight_take(struct whatif_sight *sight, struct screen_host *host)
{
	const struct plan_query *o = host->ops->outlook(host->console);
	const struct projection_query *f = host->ops->projection_query(host->console);

	if (f != NULL && (!projection_query_same_draft(f, o) || (f->draft && !projection_query_compares(f))))
		f = NULL;
	if (f != NULL)
		o = f->outlook;
	*sight = (struct whatif_sight){.o = o, .tier = FUTURE_INSTANT};
	if (f == NULL && !o->compares)
		return;
	sight->w = f != NULL ? &f->compared : &o->compared;
	sight->comparing = o->draft.s != NULL;
	sight->live = sight->draft = future_ahead(&o->live, f != NULL ? f->live : NULL);
	if (sight->comparing)
		sight->draft = future_ahead(&o->draft, f != NULL ? f->draft : NULL);
	sight->tier = sight->draft.tier;
}

bool whatif_sight_is_past(const struct whatif_sight *sight)
{
	return plan_query_is_past(sight->o);
}

int64_t whatif_sight_end_s(const struct whatif_sight *sight)
{
	int64_t end_s = sight->o->now_s;

	for (size_t i = 0; i < sight->w->count; i++) {
		const struct whatif_job *j = &sight->w->job[i];

		if (j->start_before_s != TIME_NEVER && j->start_before_s > end_s)
			end_s = j->start_before_s;
		if (j->start_after_s != TIME_NEVER && j->start_after_s > end_s)
			end_s = j->start_after_s;
	}
	return end_s;
}
