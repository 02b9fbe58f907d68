/* SPDX-License-Identifier: MIT */
/*
 * qsub_select.c - PBS Pro's chunks: -l select=2:ncpus=4:mem=8gb:ngpus=1 and -l place=scatter
 *
 * A chunk becomes a task, so it lies on one node; chunks of several kinds are refused, since a job consists
 * of equal tasks. mpiprocs counts for the environment alone, ompthreads not at all.
 */
#include <stdlib.h>
#include <string.h>

#include "qsub_inside.h"
#include "sched/base/duration.h"

struct chunk {
	int64_t count, procs, mb, gpus, mpi;
	const char *host;
	struct str features;
};

static bool is_true(const char *text)
{
	return str_same_word(text, "true") || str_same_word(text, "t") || str_same_word(text, "yes") ||
	       str_same_word(text, "y") || strcmp(text, "1") == 0;
}

/* NAME=VALUE of a chunk. */
static bool read_part(struct submission *s, const char *name, const char *value, struct chunk *out,
		      struct err *err)
{
	static const char *const known[] = {"ncpus", "mpiprocs", "ngpus",     "mem",
					    "host",  "vnode",    "ompthreads"};

	if (str_same_word(name, "ncpus"))
		return qsub_read_count(value, &out->procs, err);
	if (str_same_word(name, "mpiprocs"))
		return qsub_read_count(value, &out->mpi, err);
	if (str_same_word(name, "ngpus"))
		return strcmp(value, "0") == 0 || qsub_read_count(value, &out->gpus, err);
	if (str_same_word(name, "mem") || str_same_word(name, "pmem"))
		return memory_parse(value, &out->mb, err);
	if (str_same_word(name, "host") || str_same_word(name, "vnode"))
		return qsub_read_name(s, value, &out->host, err);
	if (str_same_word(name, "ompthreads") || str_same_word(name, "vmem") || str_same_word(name, "arch") ||
	    str_same_word(name, "accelerator")) {
		qsub_ignore(s, "select ", name);
		return true;
	}
	if (is_true(value)) {
		str_addf(&out->features, "%s%s", out->features.len > 0 ? " " : "", name);
		return true;
	}
	/* A resource of some site, unless it is one of ours with a typing error. */
	if (str_nearest(name, known, sizeof known / sizeof known[0]) == NULL) {
		qsub_ignore(s, "select ", name);
		return true;
	}
	return err_set(
		err,
		"\"%.40s=%.40s\" is not known of a chunk; there are ncpus, mem, ngpus, mpiprocs, host and "
		"FEATURE=true",
		name, value);
}

/* text is changed. */
static bool read_chunk(struct submission *s, char *text, struct chunk *out, struct err *err)
{
	char *rest = strchr(text, ':');

	*out = (struct chunk){.count = 1, .procs = 1};
	if (rest != NULL)
		*rest++ = '\0';
	if (strchr(text, '=') != NULL) { /* the number is left out */
		if (rest != NULL)
			rest[-1] = ':';
		rest = text;
	} else if (!qsub_read_count(text, &out->count, err)) {
		return false;
	}
	while (rest != NULL) {
		char *word = rest, *value = strchr(word, '=');

		rest = strchr(word, ':');
		if (rest != NULL)
			*rest++ = '\0';
		if (value == NULL || (rest != NULL && value > rest))
			return err_set(err, "\"%.60s\" is not NAME=VALUE", word);
		*value++ = '\0';
		if (!read_part(s, word, value, out, err))
			return false;
	}
	return true;
}

static bool is_same(const struct chunk *a, const struct chunk *b)
{
	return a->procs == b->procs && a->mb == b->mb && a->gpus == b->gpus && a->mpi == b->mpi &&
	       a->host == NULL && b->host == NULL &&
	       strcmp(str_text(&a->features), str_text(&b->features)) == 0;
}

static bool apply(struct submission *s, const struct chunk *chunk, struct err *err)
{
	struct qsub_shape *shape = qsub_shape(s);

	if (chunk->count > INT32_MAX)
		return err_set(err, "so many chunks cannot be");
	if (!qsub_set_shape(&shape->tasks, chunk->count, "chunks", err) ||
	    !qsub_set_shape(&shape->task_procs, chunk->procs, "processors of a chunk", err))
		return false;
	if (chunk->mb > 0)
		qsub_memory(s, &s->draft.memory)->mb[QSUB_TASK] = chunk->mb;
	if (chunk->host != NULL)
		shape->hosts = chunk->host;
	if (chunk->features.len > 0 &&
	    !qsub_read_names(s, str_text(&chunk->features), " ", &shape->features, NULL, err))
		return false;
	s->draft.processes = chunk->mpi > 0 && chunk->procs % chunk->mpi == 0 ? chunk->count * chunk->mpi : 0;
	return chunk->gpus == 0 || qsub_add_gres(s, "gpu", (uint32_t)chunk->gpus, QSUB_TASK, err);
}

bool qsub_read_select(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	struct chunk all = {.count = 0}, next = {.count = 0};
	char *rest = arena_copy(&s->arena, text, strlen(text) + 1);
	bool good = true;

	(void)by;
	for (bool first = true; good && rest != NULL; first = false) {
		char *word = rest;

		rest = strchr(word, '+');
		if (rest != NULL)
			*rest++ = '\0';
		good = read_chunk(s, word, first ? &all : &next, err);
		if (good && !first && !is_same(&all, &next))
			good = err_set(err, "its chunks are not alike; a job is of equal tasks: submit two "
					    "jobs, or ask for "
					    "the same in each chunk");
		if (!first)
			all.count += next.count;
		str_free(&next.features);
	}
	good = good && apply(s, &all, err);
	str_free(&all.features);
	return good;
}

bool qsub_read_place(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	for (const char *at = text; *at != '\0';) {
		size_t len = strcspn(at, ":");
		char *word = arena_copy(&s->arena, at, len + 1);

		word[len] = '\0';
		at += len + (at[len] == ':');
		if (str_same_word(word, "excl") || str_same_word(word, "exclhost"))
			s->draft.access = ACCESS_SINGLEJOB;
		else if (str_same_word(word, "pack"))
			s->draft.place = QSUB_PLACE_PACK;
		else if (str_same_word(word, "scatter") || str_same_word(word, "vscatter"))
			s->draft.place = QSUB_PLACE_SCATTER;
		else if (strncmp(word, "group=", 6) == 0)
			qsub_ignore(s, "place ", "group");
		else if (!str_same_word(word, "free") && !str_same_word(word, "shared"))
			return err_set(err,
				       "\"%.40s\" is not known; there are free, pack, scatter, excl, "
				       "exclhost, shared",
				       word);
	}
	return true;
}
