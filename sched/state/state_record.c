/* SPDX-License-Identifier: MIT */
/*
 * state_record.c - what is the record of a job or a node that stands in the tables?
 *
 * A record has names where the tables have indexes and bits: it is what a person submits and what
 * a store keeps. Most names stand in the snapshot; those of traits are put together.
 */
#include <stdlib.h>

#include "sched/base/vec.h"
#include "state_inside.h"

void state_parts_free(struct state_parts *parts)
{
	free(parts->run);
	free(parts->depend);
	free(parts->range);
	str_free(&parts->text);
	*parts = (struct state_parts){.run = NULL};
}

static void record_runs(const struct snapshot *s, uint32_t first, struct job_record *out,
			struct state_parts *parts)
{
	for (uint32_t i = first; i != INDEX_NONE; i = snapshot_runs(s)[i].next) {
		parts->run = vec_room(parts->run, &parts->run_room, out->run_count + 1, sizeof *parts->run);
		parts->run[out->run_count++] = snapshot_runs(s)[i];
	}
	out->runs = parts->run;
}

static void record_depends(const struct snapshot *s, uint32_t first, struct job_record *out,
			   struct state_parts *parts)
{
	for (uint32_t i = first; i != INDEX_NONE; i = snapshot_depends(s)[i].next) {
		parts->depend = vec_room(parts->depend, &parts->depend_room, out->depend_count + 1,
					 sizeof *parts->depend);
		parts->depend[out->depend_count++] = snapshot_depends(s)[i];
	}
	out->depend = parts->depend;
}

/* A string that may be missing. */
static const char *text_at(const struct snapshot *s, uint32_t at)
{
	return at == 0 ? NULL : snapshot_string(s, at);
}

static const char *partition_name(const struct snapshot *s, uint32_t partition)
{
	return partition == 0 ? NULL : snapshot_string(s, snapshot_partitions(s)[partition].name);
}

/* Texts that are put together stand one after the other; where they stand is known when all do. */
struct composed {
	const char **to;
	size_t at;
};

static void compose_end(struct composed *c, struct str *text, const char **to, size_t at)
{
	*c = (struct composed){.to = text->len > at ? to : NULL, .at = at};
	if (text->len > at)
		str_add_char(text, '\0');
}

static void compose_traits(const struct snapshot *s, enum trait_kind kind, uint64_t bits, struct str *text,
			   struct composed *c, const char **to)
{
	size_t at = text->len;

	snapshot_trait_names(s, kind, bits, text);
	compose_end(c, text, to, at);
}

static void compose_gres(const struct snapshot *s, const uint32_t gres[static GRES_MAX], struct str *text,
			 struct composed *c, const char **to)
{
	size_t at = text->len;

	snapshot_gres_names(s, gres, text);
	compose_end(c, text, to, at);
}

static void compose_asked(const struct snapshot *s, const struct job *job, enum job_unknown which,
			  struct str *text, struct composed *c, const char **to)
{
	size_t at = text->len;

	snapshot_job_traits(s, job, which, text);
	compose_end(c, text, to, at);
}

static void compose(const struct composed *c, size_t count, const struct str *text)
{
	for (size_t i = 0; i < count; i++)
		if (c[i].to != NULL)
			*c[i].to = str_text(text) + c[i].at;
}

/* Few jobs have any. */
static void record_traits(const struct snapshot *s, const struct job *job, struct job_record *out,
			  struct state_parts *parts)
{
	struct composed c[3];

	if ((job->flags & JOB_PARTICULAR) == 0 && job->prefer == 0 && job->unknown[UNKNOWN_PREFER] == 0)
		return;
	str_clear(&parts->text);
	compose_asked(s, job, UNKNOWN_FEATURES, &parts->text, &c[0], &out->features);
	compose_asked(s, job, UNKNOWN_PREFER, &parts->text, &c[1], &out->prefer);
	compose_asked(s, job, UNKNOWN_GRES, &parts->text, &c[2], &out->gres);
	compose(c, 3, &parts->text);
}

void state_job_record(const struct snapshot *s, uint32_t slot, struct job_record *out,
		      struct state_parts *parts)
{
	const struct job *job = &snapshot_jobs(s)[slot];

	*out = (struct job_record){
		.job = *job,
		.partition = partition_name(s, job->partition),
		.label = text_at(s, job->label),
		.name = text_at(s, job->name),
		.hosts = text_at(s, job->hosts),
		.order = text_at(s, job->order),
		.hold_reason = text_at(s, job->hold_reason),
		.base_reason = text_at(s, job->base_reason),
		.launch_size = job->launch_size,
	};
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		out->cred[t] = snapshot_job_cred(s, job, (enum cred_type)t);
	if (job->qos_asked != INDEX_NONE)
		out->qos_asked = snapshot_string(s, snapshot_creds(s)[job->qos_asked].name);
	record_traits(s, job, out, parts);
	record_runs(s, job->run, out, parts);
	record_depends(s, job->depend, out, parts);
}

void state_node_record(const struct snapshot *s, uint32_t i, struct node_record *out,
		       struct state_parts *parts)
{
	const struct node *node = &snapshot_nodes(s)[i];
	struct composed c[3];

	*out = (struct node_record){
		.name = snapshot_string(s, node->name),
		.partition = partition_name(s, node->partition),
		.procs = node->procs,
		.mem_mb = node->mem_mb,
		.swap_mb = node->swap_mb,
		.disk_mb = node->disk_mb,
		.speed = node->speed,
		.procspeed = node->procspeed,
		.rack = node->rack,
		.index = node->index,
		.access = node->access,
		.used = node->used,
		.used_by = text_at(s, node->used_by),
		.active_s = node->active_s,
		.active_from_s = node->active_from_s,
	};
	str_clear(&parts->text);
	compose_traits(s, TRAIT_FEATURE, node->features, &parts->text, &c[0], &out->features);
	compose_traits(s, TRAIT_CLASS, node->classes, &parts->text, &c[1], &out->classes);
	compose_gres(s, node->gres, &parts->text, &c[2], &out->gres);
	compose(c, 3, &parts->text);
}

void state_usage_window(const struct snapshot *s, uint32_t c, struct usage_window *out,
			struct used_by **items, size_t *room)
{
	const struct fs_window *window = &s->fs_window[c];
	const struct cred *cred = snapshot_creds(s);

	*out = (struct usage_window){
		.begin_s = window->begin_s, .length_s = window->length_s, .total = window->total};
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS) && window->length_s > 0; i++) {
		uint32_t row = cred[i].usage;

		if (row == INDEX_NONE || snapshot_usage(s)[row].amount[c] == 0)
			continue;
		*items = vec_room(*items, room, (size_t)out->count + 1, sizeof **items);
		(*items)[out->count++] = (struct used_by){.type = cred[i].type,
							  .name = snapshot_string(s, cred[i].name),
							  .amount = snapshot_usage(s)[row].amount[c]};
	}
	out->item = *items;
}
