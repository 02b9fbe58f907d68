/* SPDX-License-Identifier: MIT */
/*
 * outputs.c - output files of jobs
 */
#include "outputs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/rm/launch.h"

#define BUCKETS   1024
#define KEPT_MOST 256 /* trimming empties a cache with more launches; a launch takes 12 kB at most */

/* The cached part of a launch: output, errors, waiter, mail and flags. */
struct said {
	uint64_t id;
	uint32_t next; /* next item of its bucket, as index + 1; 0: none */
	struct launch launch;
};

struct outputs_cache {
	struct said *item;
	size_t count, cap;
	uint32_t bucket[BUCKETS]; /* first item of each bucket, as index + 1; 0: none */
	struct arena arena;
};

struct outputs_cache *outputs_cache_new(void)
{
	return mem_zero(1, sizeof(struct outputs_cache));
}

void outputs_cache_trim(struct outputs_cache *cache)
{
	if (cache->count <= KEPT_MOST)
		return;
	memset(cache->bucket, 0, sizeof cache->bucket);
	cache->count = 0;
	arena_reset(&cache->arena);
}

void outputs_cache_free(struct outputs_cache *cache)
{
	if (cache == NULL)
		return;
	arena_free(&cache->arena);
	free(cache->item);
	free(cache);
}

/*
 * Resolves a pattern to a path. Returns false if there is no file, because the output goes to a waiting
 * client, or because the pattern is invalid (the shepherd refuses it, too).
 */
static bool resolve(const char *pattern, const struct launch *launch, struct str *path)
{
	return pattern != NULL && launch->waiter == NULL && launch_path(pattern, launch, path, NULL);
}

/*
 * Returns the path that a pattern resolves to, in the arena; NULL: no file. A path of PATH_MAX bytes or more
 * cannot exist.
 */
static const char *keep_path(const char *pattern, const struct launch *launch, struct arena *arena)
{
	struct str path = {0};
	const char *kept = NULL;

	if (resolve(pattern, launch, &path) && path.len < PATH_MAX)
		kept = arena_string(arena, str_text(&path));
	str_free(&path);
	return kept;
}

static const char *keep_text(const char *text, struct arena *arena)
{
	return text != NULL ? arena_string(arena, text) : NULL;
}

/* Reads launch data; its strings are in the arena. Returns false if there is none or it cannot be read. */
static bool read_said(struct ledger ledger, uint64_t id, struct arena *arena, struct launch *said)
{
	struct launch launch;
	struct str bytes = {0};
	void *room = NULL;
	bool good = ledger.ops->launch(ledger.self, id, &bytes, NULL) &&
		    launch_read(bytes.data, bytes.len, &launch, &room, NULL);

	*said = (struct launch){.flags = 0};
	if (good) {
		said->flags = launch.flags;
		said->output = keep_text(launch.output, arena);
		said->errors = keep_text(launch.errors, arena);
		said->waiter = keep_text(launch.waiter, arena);
		said->mail = keep_text(launch.mail, arena);
		said->mail_to = keep_text(launch.mail_to, arena);
	}
	free(room);
	str_free(&bytes);
	return good;
}

static struct launch find_said(struct outputs_cache *cache, struct ledger ledger, uint64_t id)
{
	uint32_t *first = &cache->bucket[id % BUCKETS], at = *first;
	struct launch said;

	while (at != 0 && cache->item[at - 1].id != id)
		at = cache->item[at - 1].next;
	if (at != 0)
		return cache->item[at - 1].launch;
	if (!read_said(ledger, id, &cache->arena, &said))
		return said;
	cache->item = vec_room(cache->item, &cache->cap, cache->count + 1, sizeof *cache->item);
	cache->item[cache->count++] = (struct said){.id = id, .next = *first, .launch = said};
	*first = (uint32_t)cache->count;
	return said;
}

struct outputs outputs_find(struct ledger ledger, struct outputs_cache *cache, const struct snapshot *s,
			    const struct job *job, struct arena *arena)
{
	struct outputs found = {.output = NULL};
	char label[JOB_LABEL_TEXT];
	struct launch said;

	if (ledger.ops == NULL || (job->real & JOB_REAL_LAUNCH) == 0)
		return found;
	if (cache != NULL)
		said = find_said(cache, ledger, job_launch_id(job));
	else
		(void)read_said(ledger, job_launch_id(job), arena, &said);
	said.job = job->id;
	said.label = snapshot_job_label(s, job, label);
	said.user = snapshot_job_cred(s, job, CRED_USER);
	found.output = keep_path(said.output, &said, arena);
	found.errors = (said.flags & LAUNCH_JOIN) != 0 ? found.output : keep_path(said.errors, &said, arena);
	found.mail = keep_text(said.mail, arena);
	found.mail_to = keep_text(said.mail_to, arena);
	return found;
}

static size_t path_bytes(const char *pattern, const struct launch *launch)
{
	struct str path = {0};
	size_t bytes = resolve(pattern, launch, &path) ? path.len : 0;

	str_free(&path);
	return bytes;
}

size_t outputs_bytes(const struct launch *launch)
{
	size_t output = path_bytes(launch->output, launch);

	return output + ((launch->flags & LAUNCH_JOIN) != 0 ? output : path_bytes(launch->errors, launch));
}
