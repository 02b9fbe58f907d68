/* SPDX-License-Identifier: MIT */
/*
 * rerun_parties.c - who gains and who loses by another policy?
 */
#include "rerun_parties.h"

#include <stdlib.h>

#include "sched/base/vec.h"

/* One job in both runs. */
struct pair {
	const struct rerun_fate *before, *after;
	int64_t run_before_s, run_after_s;
};

static void add_sums(struct rerun_sums *sums, const struct rerun_fate *fate, int64_t run_s)
{
	int64_t wait_s = fate->start_s - fate->submit_s;

	sums->wait_s += (double)wait_s;
	sums->slowdown += replay_bounded_slowdown(wait_s, run_s);
	sums->xfactor += 1 + (double)wait_s / (double)fate->wall_limit_s;
}

static void add_pair(struct rerun_party *party, const struct pair *pair)
{
	party->jobs++;
	party->earlier += pair->after->start_s < pair->before->start_s;
	party->later += pair->after->start_s > pair->before->start_s;
	add_sums(&party->before, pair->before, pair->run_before_s);
	add_sums(&party->after, pair->after, pair->run_after_s);
}

/* by_cred: a party for each credential of the first run's view; behind them everybody. */
static void add_job(struct rerun_party *by_cred, uint32_t creds, const struct pair *pair)
{
	add_pair(&by_cred[creds], pair);
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		if (pair->before->cred[type] != INDEX_NONE)
			add_pair(&by_cred[pair->before->cred[type]], pair);
}

static void keep(struct rerun_parties *out, const struct rerun_party *party)
{
	out->item = vec_room(out->item, &out->room, out->count + 1, sizeof *out->item);
	out->item[out->count++] = *party;
}

static void keep_type(struct rerun_parties *out, const struct rerun_party *by_cred, uint32_t creds,
		      enum cred_type type)
{
	for (uint32_t i = 0; i < creds; i++)
		if (by_cred[i].type == type && by_cred[i].jobs > 0)
			keep(out, &by_cred[i]);
}

static struct rerun_party *make_parties(const struct snapshot *s, uint32_t creds)
{
	struct rerun_party *by_cred = mem_zero(creds + 1, sizeof *by_cred);

	for (uint32_t i = 0; i < creds; i++)
		by_cred[i] =
			(struct rerun_party){.type = (enum cred_type)snapshot_creds(s)[i].type, .cred = i};
	by_cred[creds] = (struct rerun_party){.type = CRED_TYPE_COUNT, .cred = INDEX_NONE};
	return by_cred;
}

void rerun_compare(struct rerun_parties *out, const struct rerun *before, const struct rerun *after)
{
	const struct snapshot *s = rerun_view(before);
	uint32_t creds = snapshot_count(s, TABLE_CREDS);
	struct rerun_party *by_cred = make_parties(s, creds);

	out->count = out->only_before = out->only_after = out->neither = 0;
	for (size_t i = 0; i < rerun_of(before)->jobs; i++) {
		struct pair pair = {.before = &rerun_fates(before)[i],
				    .after = &rerun_fates(after)[i],
				    .run_before_s = rerun_run_s(before, i),
				    .run_after_s = rerun_run_s(after, i)};
		bool one = pair.before->start_s != TIME_NONE, other = pair.after->start_s != TIME_NONE;

		if (pair.before->submit_s == TIME_NONE || pair.after->submit_s == TIME_NONE)
			continue;
		out->only_before += one && !other;
		out->only_after += other && !one;
		out->neither += !one && !other;
		if (one && other)
			add_job(by_cred, creds, &pair);
	}
	keep(out, &by_cred[creds]);
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		keep_type(out, by_cred, creds, type);
	free(by_cred);
}
