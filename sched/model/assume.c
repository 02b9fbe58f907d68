/* SPDX-License-Identifier: MIT */
/*
 * assume.c - assumptions about run times for projections
 *
 * Each histogram counts jobs by the percentage of their wallclock limit that they ran, rounded up. So a
 * median is cheap to maintain and does not depend on the order of the jobs. Users are stored by name, because
 * ended jobs no longer refer to credentials of a state.
 */
#include "assume.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"

static const char *const names[ASSUME_KIND_COUNT] = {"wclimit", "history", "median"};

const char *assume_name(enum assume_kind kind)
{
	return names[kind];
}

bool assume_read(const char *text, enum assume_kind *out, struct err *err)
{
	for (enum assume_kind kind = 0; kind < ASSUME_KIND_COUNT; kind++)
		if (str_same_word(names[kind], text)) {
			*out = kind;
			return true;
		}
	return err_set(
		err,
		"'%s' is not an assumption about run times; use wclimit (the wallclock limit), history (what "
		"is usual for the user) or median (what is usual for all users)",
		text);
}

/* --- recording ------------------------------------------------------------------------------------ */

/* Returns the percentage of the wallclock limit that the job ran; 100 beyond the limit. */
static unsigned step_of(int64_t run_s, int64_t wall_limit_s)
{
	if (run_s >= wall_limit_s)
		return ACCURACY_STEPS;
	if (run_s <= 0)
		return 0;
	if (wall_limit_s > INT64_MAX / ACCURACY_STEPS)
		return (unsigned)(run_s / (wall_limit_s / ACCURACY_STEPS));
	return (unsigned)((run_s * ACCURACY_STEPS + wall_limit_s - 1) / wall_limit_s);
}

/* Returns the index of the user in a->user, or the index at which to insert the user. */
static size_t place_of(const struct accuracy *a, const char *user)
{
	size_t low = 0, high = a->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (strcmp(a->user[middle].user, user) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool stands_at(const struct accuracy *a, size_t place, const char *user)
{
	return place < a->count && strcmp(a->user[place].user, user) == 0;
}

static struct accuracy_of *user_of(struct accuracy *a, const char *user)
{
	size_t place = place_of(a, user);

	if (stands_at(a, place, user))
		return &a->user[place];
	a->user = vec_room(a->user, &a->room, a->count + 1, sizeof *a->user);
	memmove(&a->user[place + 1], &a->user[place], (a->count - place) * sizeof *a->user);
	a->count++;
	a->user[place] = (struct accuracy_of){.user = mem_string(user)};
	return &a->user[place];
}

static void count(struct accuracy_of *of, unsigned step)
{
	of->jobs++;
	of->step[step]++;
}

void accuracy_note(struct accuracy *a, const char *user, int64_t run_s, int64_t wall_limit_s)
{
	unsigned step = step_of(run_s, wall_limit_s);

	count(&a->all, step);
	if (user != NULL)
		count(user_of(a, user), step);
}

void accuracy_clear(struct accuracy *a)
{
	for (size_t i = 0; i < a->count; i++)
		free(a->user[i].user);
	free(a->user);
	*a = (struct accuracy){.user = NULL};
}

/* --- queries ---------------------------------------------------------------------------------------- */

const struct accuracy_of *accuracy_find(const struct accuracy *a, const char *user)
{
	size_t place = place_of(a, user);

	return stands_at(a, place, user) ? &a->user[place] : NULL;
}

double accuracy_median(const struct accuracy_of *of)
{
	uint64_t half = ((uint64_t)of->jobs + 1) / 2, seen = 0;

	if (of->jobs == 0)
		return 1;
	for (unsigned step = 0; step < ACCURACY_STEPS; step++) {
		seen += of->step[step];
		if (seen >= half)
			return (double)step / ACCURACY_STEPS;
	}
	return 1;
}

double assume_usual_share(const struct accuracy *a, const char *user)
{
	const struct accuracy_of *of = a == NULL || user == NULL ? NULL : accuracy_find(a, user);

	if (a == NULL)
		return 0;
	if (of == NULL || of->jobs < ASSUME_JOBS_LEAST)
		of = &a->all;
	return of->jobs < ASSUME_JOBS_LEAST ? 0 : accuracy_median(of);
}

const double *assume_shares(struct assumed *out, const struct snapshot *s, const struct accuracy *a,
			    enum assume_kind kind)
{
	uint32_t creds = snapshot_count(s, TABLE_CREDS);
	double usual;

	if (kind == ASSUME_WCLIMIT)
		return NULL;
	usual = accuracy_median(&a->all);
	out->share = vec_room(out->share, &out->room, creds, sizeof *out->share);
	for (uint32_t i = 0; i < creds; i++) {
		const struct cred *cred = &snapshot_creds(s)[i];
		const struct accuracy_of *of = NULL;

		if (kind == ASSUME_HISTORY && cred->type == CRED_USER)
			of = accuracy_find(a, snapshot_string(s, cred->name));
		if (cred->type != CRED_USER)
			out->share[i] = 1;
		else
			out->share[i] =
				of != NULL && of->jobs >= ASSUME_JOBS_LEAST ? accuracy_median(of) : usual;
	}
	return out->share;
}
