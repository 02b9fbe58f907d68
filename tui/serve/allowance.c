/* SPDX-License-Identifier: MIT */
/*
 * allowance.c - processor time and journal space used by the requests of each user
 *
 * If a user's buckets are full, no request waits and the user has introduced no names, the user is
 * indistinguishable from a new one, so the record is deleted. The number of records is therefore bounded by
 * the number of users who sent a request within the last minutes, changed something within the last day, or
 * introduced names.
 */
#include "allowance.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/model/job.h"

/* --- processor time and journal space used by each user, and the order of requests -------------------- */

#define SECOND_MS 1000

#define DAY_S 86400.0

/* The bucket for large requests holds what the first bucket receives in LARGE_MS, and fills LARGE_PART times
 * slower than it. */
#define LARGE_MS   3000
#define LARGE_PART 40

struct allowance {
	struct allowance_use **use;
	size_t count, room;
	int64_t ns_per_ms;
	double journal;  /* refill rate, bytes per day */
	uint64_t served; /* number of requests served so far */
};

struct allowance *allowance_new(void)
{
	struct allowance *all = mem_zero(1, sizeof *all);

	allowance_set(all, 100, 0);
	return all;
}

void allowance_free(struct allowance *all)
{
	if (all == NULL)
		return;
	for (size_t i = 0; i < all->count; i++)
		free(all->use[i]);
	free(all->use);
	free(all);
}

void allowance_set(struct allowance *all, int64_t percent, int64_t journal_bytes)
{
	double more = (double)journal_bytes - all->journal;

	all->ns_per_ms = percent * 10000;
	all->journal = (double)journal_bytes;
	/* a new rate does not change the amounts already used */
	for (size_t i = 0; i < all->count; i++)
		all->use[i]->journal += more;
}

static int64_t full_ns(const struct allowance *all)
{
	return all->ns_per_ms * SECOND_MS;
}

void allowance_fill(const struct allowance *all, struct allowance_use *use, int64_t now_ms)
{
	int64_t passed_ms = now_ms - use->at_ms;

	use->at_ms = now_ms;
	use->left_ns += passed_ms * all->ns_per_ms;
	if (use->left_ns > full_ns(all))
		use->left_ns = full_ns(all);
	use->large_ns += passed_ms * all->ns_per_ms / LARGE_PART;
	if (use->large_ns > allowance_large_full_ns(all))
		use->large_ns = allowance_large_full_ns(all);
	use->journal += (double)passed_ms * all->journal / (DAY_S * SECOND_MS);
	if (use->journal > all->journal)
		use->journal = all->journal;
	if (now_ms - use->since_ms < SECOND_MS)
		return;
	use->last_ns = now_ms - use->since_ms < 2 * (int64_t)SECOND_MS ? use->used_ns : 0;
	use->used_ns = 0;
	use->since_ms = now_ms;
}

static void forget_others(struct allowance *all, int64_t now_ms)
{
	size_t kept = 0;

	for (size_t i = 0; i < all->count; i++) {
		struct allowance_use *use = all->use[i];

		allowance_fill(all, use, now_ms);
		if (use->waiting == 0 && use->names == 0 && use->left_ns >= full_ns(all) &&
		    use->large_ns >= allowance_large_full_ns(all) && use->journal >= all->journal &&
		    now_ms - use->changed_ms >= ALLOWANCE_CHANGED_MS)
			free(use);
		else
			all->use[kept++] = use;
	}
	all->count = kept;
}

struct allowance_use *allowance_of(struct allowance *all, uid_t uid, int64_t now_ms)
{
	struct allowance_use *use;

	for (size_t i = 0; i < all->count; i++)
		if (all->use[i]->uid == uid) {
			allowance_fill(all, all->use[i], now_ms);
			return all->use[i];
		}
	forget_others(all, now_ms);
	all->use = vec_room(all->use, &all->room, all->count + 1, sizeof(struct allowance_use *));
	use = mem_zero(1, sizeof *use);
	*use = (struct allowance_use){.uid = uid,
				      .left_ns = full_ns(all),
				      .large_ns = allowance_large_full_ns(all),
				      .at_ms = now_ms,
				      .since_ms = now_ms,
				      .journal = all->journal};
	all->use[all->count++] = use;
	return use;
}

int64_t allowance_wait_ms(const struct allowance *all, const struct allowance_use *use)
{
	return use->exempt || use->left_ns >= 0 ? 0 : -use->left_ns / all->ns_per_ms + 1;
}

/*
 * Returns the sort key of a user's bucket. Users with more than half a bucket have equal rank and take turns.
 */
static int64_t rank(const struct allowance *all, const struct allowance_use *use)
{
	int64_t left_ns = use->exempt && use->left_ns < 0 ? 0 : use->left_ns;

	return left_ns > full_ns(all) / 2 ? full_ns(all) / 2 : left_ns;
}

bool allowance_is_before(const struct allowance *all, const struct allowance_use *a,
			 const struct allowance_use *b)
{
	int64_t more = rank(all, a) - rank(all, b);

	return more > 0 || (more == 0 && a->served < b->served);
}

void allowance_note_served(struct allowance *all, struct allowance_use *use)
{
	use->served = ++all->served;
}

/* The bucket of an exempt user does not become negative. */
void allowance_charge(struct allowance_use *use, int64_t ns)
{
	use->used_ns += ns;
	use->left_ns -= ns;
	if (use->exempt && use->left_ns < 0)
		use->left_ns = 0;
}

int64_t allowance_large_full_ns(const struct allowance *all)
{
	return all->ns_per_ms * LARGE_MS;
}

int64_t allowance_large_used_ns(const struct allowance *all, const struct allowance_use *use)
{
	return allowance_large_full_ns(all) - use->large_ns;
}

int64_t allowance_large_wait_ms(const struct allowance *all, const struct allowance_use *use)
{
	return use->exempt || use->large_ns >= 0 ? 0 : -use->large_ns * LARGE_PART / all->ns_per_ms + 1;
}

void allowance_charge_large(const struct allowance *all, struct allowance_use *use, int64_t ns)
{
	int64_t least_ns = -all->ns_per_ms * ALLOWANCE_LARGE_MS / LARGE_PART;

	if (!use->exempt)
		use->large_ns = use->large_ns - ns > least_ns ? use->large_ns - ns : least_ns;
}

void allowance_charge_journal(struct allowance_use *use, int64_t bytes)
{
	if (!use->exempt)
		use->journal -= (double)bytes;
}

int64_t allowance_journal_left(const struct allowance_use *use)
{
	return use->journal > 0 ? (int64_t)use->journal : 0;
}

int64_t allowance_journal_wait_s(const struct allowance *all, const struct allowance_use *use, int64_t bytes)
{
	double missing = (double)bytes - use->journal;

	if (use->exempt || missing <= 0)
		return 0;
	return (double)bytes > all->journal ? TIME_NEVER : (int64_t)(missing * DAY_S / all->journal) + 1;
}

int64_t allowance_journal_used(const struct allowance *all, const struct allowance_use *use)
{
	return (int64_t)(all->journal - use->journal);
}

int64_t allowance_recent_ns(const struct allowance_use *use, int64_t now_ms)
{
	if (now_ms - use->since_ms >= SECOND_MS)
		return now_ms - use->since_ms < 2 * (int64_t)SECOND_MS ? use->used_ns : 0;
	return use->last_ns > use->used_ns ? use->last_ns : use->used_ns;
}

/* --- limits on the requests of one user, with their usage --------------------------------------------- */

static bool ends(const char *text, size_t size)
{
	return memchr(text, '\0', size) != NULL;
}

bool self_limits_check(const struct self_limit *limit, size_t size)
{
	size_t count = size / sizeof *limit;

	if (size % sizeof *limit != 0 || count > SELF_LIMITS_MAX)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!ends(limit[i].option, sizeof limit[i].option) ||
		    !ends(limit[i].unit, sizeof limit[i].unit) || !ends(limit[i].what, sizeof limit[i].what))
			return false;
	return true;
}
