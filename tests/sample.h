/* SPDX-License-Identifier: MIT */
/*
 * sample.h - random records of each kind
 *
 * Random records with the memory that their pointers refer to, and their encoding and decoding. Records are
 * compared by their encoding.
 */
#ifndef TESTS_SAMPLE_H
#define TESTS_SAMPLE_H

#include <stdlib.h>
#include <string.h>

#include "sched/base/rng.h"
#include "sched/state/stored_field.h"
#include "store/codec.h"

/* One record of each kind, with the memory that its pointers refer to. */
struct sample {
	enum record_type type;
	struct schema schema;
	struct tally tally;
	struct config_text config;
	struct job_record job;
	struct ended_job ended;
	struct node_record node;
	struct change_record change;
	struct usage_window window;
	struct bytes launch;
	struct kept_answer answer;
	struct pruned pruned;
	struct event event;
	struct alloc_run run[4];
	struct bypassed passed[4];
	uint64_t more[4];
	struct depend depend[4];
	struct array_range range[3];
	struct used_by used[4];
	char text[24][64];
	int texts;
	char *long_text;
};

#define SAMPLE_TYPES RECORD_PRUNED

static const struct key sample_key = {.data = "a key", .size = 5};

/* --- random records ------------------------------------------------------------------------------- */

/* Random bytes except NUL: the store does not interpret names. */
static const char *random_text(struct sample *s, struct rng *rng, bool may_be_none)
{
	char *text = s->text[s->texts++];
	size_t len = rng_below(rng, sizeof s->text[0]);

	if (may_be_none && rng_below(rng, 4) == 0)
		return NULL;
	for (size_t i = 0; i < len; i++)
		text[i] = (char)(1 + rng_below(rng, 255));
	text[len] = '\0';
	return text;
}

static inline int64_t random_number(struct rng *rng)
{
	static const int64_t telling[] = {0, 1, -1, INT64_MAX, INT64_MIN, INT32_MAX, 86400};

	return rng_below(rng, 3) ? (int64_t)rng_u64(rng) : telling[rng_below(rng, 7)];
}

static inline uint32_t random_u32(struct rng *rng)
{
	return (uint32_t)random_number(rng);
}

static inline uint32_t random_runs(struct sample *s, struct rng *rng)
{
	uint32_t count = (uint32_t)rng_below(rng, 5);

	for (uint32_t i = 0; i < count; i++)
		s->run[i] = (struct alloc_run){random_u32(rng), random_u32(rng), random_u32(rng),
					       random_u32(rng), INDEX_NONE};
	return count;
}

static inline struct job_record random_job(struct sample *s, struct rng *rng)
{
	struct job_record record = {.job = {.id = rng_u64(rng)}};
	struct job *job = &record.job;
	int64_t *number[] = {&job->submit_s,   &job->accrual_s, &job->not_before_s, &job->wall_limit_s,
			     &job->true_run_s, &job->start_s,   &job->planned_s,    &job->mem_mb,
			     &job->swap_mb,    &job->disk_mb,   &job->points,       &job->defer_until_s,
			     &job->used_ps};
	uint32_t *small[] = {&job->tasks,      &job->task_procs,  &job->nodes,          &job->bypass,
			     &job->procs_held, &job->defer_count, &job->tasks_per_node, &job->start_count};

	for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
		*number[i] = random_number(rng);
	for (size_t i = 0; i < sizeof small / sizeof small[0]; i++)
		*small[i] = random_u32(rng);
	job->state = (uint8_t)rng_below(rng, JOB_STATE_COUNT);
	job->base_holds = (uint8_t)rng_below(rng, 8);
	job->holds = (uint8_t)rng_below(rng, 8);
	job->adjust = (uint8_t)rng_below(rng, 3);
	job->flags = (uint8_t)rng_below(rng, 32);
	job->real = (uint8_t)rng_below(rng, JOB_REAL_ALL + 1);
	job->retries = (uint8_t)rng_below(rng, JOB_RETRIES_MAX + 1);
	job->access = (uint8_t)rng_below(rng, ACCESS_SINGLETASK + 1);
	job->access_held = (uint8_t)rng_below(rng, ACCESS_SINGLETASK + 1);
	job->allocation = (uint8_t)rng_below(rng, ALLOCATION_POLICY_COUNT + 1);
	for (int i = 0; i < CRED_TYPE_COUNT; i++)
		record.cred[i] = random_text(s, rng, true);
	record.partition = random_text(s, rng, true);
	record.label = random_text(s, rng, true);
	record.name = random_text(s, rng, true);
	record.qos_asked = random_text(s, rng, true);
	record.features = random_text(s, rng, true);
	record.prefer = random_text(s, rng, true);
	record.gres = random_text(s, rng, true);
	record.hosts = random_text(s, rng, true);
	record.order = random_text(s, rng, true);
	record.hold_reason = random_text(s, rng, true);
	record.base_reason = random_text(s, rng, true);
	record.depend_count = (uint32_t)rng_below(rng, 5);
	for (uint32_t i = 0; i < record.depend_count; i++)
		s->depend[i] = (struct depend){.on = rng_u64(rng),
					       .next = INDEX_NONE,
					       .number = random_u32(rng),
					       .of = (uint8_t)rng_below(rng, DEPEND_OF_COUNT),
					       .type = (uint8_t)rng_below(rng, DEPEND_TYPE_COUNT),
					       .state = (uint8_t)rng_below(rng, DEPEND_NEVER + 1)};
	record.depend = s->depend;
	record.run_count = random_runs(s, rng);
	record.runs = s->run;
	job->array = rng_u64(rng);
	job->array_index = random_u32(rng);
	job->array_limit = random_u32(rng);
	job->base_points = (int32_t)random_u32(rng);
	record.range_count = (uint32_t)rng_below(rng, 4);
	for (uint32_t i = 0; i < record.range_count; i++)
		s->range[i] =
			(struct array_range){random_number(rng), random_number(rng), random_number(rng)};
	record.ranges = s->range;
	return record;
}

static inline double random_real(struct rng *rng)
{
	return (double)random_number(rng) / 1024;
}

static inline struct node_used random_used(struct rng *rng)
{
	return (struct node_used){random_real(rng), random_real(rng), random_number(rng), random_number(rng),
				  random_number(rng)};
}

static inline struct node_record random_node(struct sample *s, struct rng *rng)
{
	struct node_record node = {.name = random_text(s, rng, false),
				   .partition = random_text(s, rng, true)};

	node.procs = random_u32(rng);
	node.mem_mb = random_number(rng);
	node.swap_mb = random_number(rng);
	node.disk_mb = random_number(rng);
	node.features = random_text(s, rng, true);
	node.classes = random_text(s, rng, true);
	node.gres = random_text(s, rng, true);
	node.speed = random_real(rng);
	node.procspeed = random_real(rng);
	node.rack = random_u32(rng);
	node.index = random_u32(rng);
	node.access = (uint8_t)rng_below(rng, ACCESS_SINGLETASK + 1);
	node.used = random_used(rng);
	node.used_by = random_text(s, rng, true);
	node.active_s = random_number(rng);
	node.active_from_s = random_number(rng);
	return node;
}

static inline struct usage_window random_window(struct sample *s, struct rng *rng)
{
	struct usage_window window = {.begin_s = random_number(rng),
				      .length_s = random_number(rng),
				      .count = (uint32_t)rng_below(rng, 5),
				      .total = random_number(rng)};

	for (uint32_t i = 0; i < window.count; i++)
		s->used[i] = (struct used_by){(uint32_t)rng_below(rng, CRED_TYPE_COUNT),
					      random_text(s, rng, false), random_number(rng)};
	window.item = s->used;
	return window;
}

static inline struct sim_origin random_sim(struct rng *rng)
{
	return (struct sim_origin){.seed = rng_u64(rng),
				   .next_index = rng_u64(rng),
				   .job_limit = rng_u64(rng),
				   .load_pct = random_number(rng),
				   .last_s = random_number(rng),
				   .active = random_u32(rng)};
}

/* Some texts are longer than a page, and are stored on overflow pages. */
static inline struct config_text random_config(struct sample *s, struct rng *rng)
{
	size_t len = rng_below(rng, 20000);

	free(s->long_text);
	s->long_text = calloc(1, len + 1);
	for (size_t i = 0; i < len; i++)
		s->long_text[i] = (char)(' ' + rng_below(rng, 90));
	return (struct config_text){random_text(s, rng, true), s->long_text};
}

static inline struct switched random_switched(struct sample *s, struct rng *rng)
{
	uint32_t count = (uint32_t)rng_below(rng, 5);

	for (uint32_t i = 0; i < count; i++)
		s->more[i] = rng_u64(rng);
	return (struct switched){.on = rng_below(rng, 2), .more = s->more, .more_count = count};
}

static inline uint32_t random_bypassed(struct sample *s, struct rng *rng)
{
	uint32_t count = (uint32_t)rng_below(rng, 4);

	for (uint32_t i = 0; i < count; i++)
		s->passed[i] = (struct bypassed){.job = rng_u64(rng), .by = random_u32(rng)};
	return count;
}

static inline void random_field(struct sample *s, struct rng *rng, const struct stored_field *field)
{
	void *at = (char *)&s->event + field->offset;
	uint32_t *count = (void *)((char *)&s->event + field->count_offset);

	switch (field->type) {
	case STORED_TEXT:
		*(const char **)at = random_text(s, rng, field->missing == NULL);
		break;
	case STORED_BOOL:
		*(bool *)at = rng_below(rng, 2);
		break;
	case STORED_U8:
		*(uint8_t *)at = (uint8_t)rng_below(rng, field->below > 0 ? field->below : 256);
		break;
	case STORED_I32:
		*(int32_t *)at = (int32_t)random_number(rng);
		break;
	case STORED_U32:
		*(uint32_t *)at = random_u32(rng);
		break;
	case STORED_I64:
		*(int64_t *)at = random_number(rng);
		break;
	case STORED_U64:
		*(uint64_t *)at = rng_u64(rng);
		break;
	case STORED_RUNS:
		*count = random_runs(s, rng);
		*(const struct alloc_run **)at = s->run;
		break;
	case STORED_TASKS: /* part of the runs */
		break;
	case STORED_SWITCHED:
		*(struct switched *)at = random_switched(s, rng);
		break;
	case STORED_BYPASSED:
		*count = random_bypassed(s, rng);
		*(const struct bypassed **)at = s->passed;
		break;
	case STORED_JOB:
		*(struct job_record *)at = random_job(s, rng);
		break;
	case STORED_NODE:
		*(struct node_record *)at = random_node(s, rng);
		break;
	case STORED_SIM:
		*(struct sim_origin *)at = random_sim(rng);
		break;
	case STORED_WINDOW:
		*(struct usage_window *)at = random_window(s, rng);
		break;
	case STORED_USED:
		*(struct node_used *)at = random_used(rng);
		break;
	default: /* occurs only in jobs, nodes and windows */
		break;
	}
}

/* The text of a configuration may be longer than a page. */
static inline void random_event_part(struct sample *s, struct rng *rng)
{
	for (const struct stored_field *field = event_fields(s->event.kind); field->name != NULL; field++)
		if (field->until == 0)
			random_field(s, rng, field);
	if (s->event.kind == EVENT_CONFIG)
		s->event.config.text = random_config(s, rng).text;
}

static inline void random_change(struct sample *s, struct rng *rng)
{
	bool has_texts;

	s->change.change = (struct change){.seq = rng_u64(rng),
					   .job = rng_u64(rng),
					   .number = random_number(rng),
					   .until_s = random_number(rng),
					   .kind = (uint32_t)rng_below(rng, CHANGE_KIND_COUNT),
					   .on = random_u32(rng),
					   .dead = (uint32_t)rng_below(rng, 2)};
	if (s->change.change.kind == CHANGE_UNRESERVE)
		s->change.change.number = 0;
	has_texts = s->change.change.kind == CHANGE_SETTING || s->change.change.kind == CHANGE_MODIFY ||
		    s->change.change.kind == CHANGE_RESERVE;
	s->change.name = random_text(s, rng, !has_texts);
	s->change.value = random_text(s, rng, !has_texts);
	s->change.base = random_text(s, rng, s->change.change.kind != CHANGE_MODIFY);
}

static inline void random_tally(struct sample *s, struct rng *rng)
{
	s->tally = (struct tally){.counters = {.now_s = random_number(rng),
					       .seq = rng_u64(rng),
					       .next_job_id = rng_u64(rng),
					       .ends_pending = random_u32(rng),
					       .sim = random_sim(rng),
					       .stats_since_s = random_number(rng),
					       .halted = random_u32(rng),
					       .halt_after = random_u32(rng),
					       .set_back = rng_u64(rng)},
				  .nodes = rng_u64(rng),
				  .jobs = rng_u64(rng),
				  .changes = rng_u64(rng),
				  .windows = rng_u64(rng),
				  .ended = rng_u64(rng)};
}

/* kind: kind of an event; 0 = random. */
static inline void random_sample(struct sample *s, enum record_type type, unsigned kind, struct rng *rng)
{
	s->type = type;
	s->texts = 0;
	s->schema = (struct schema){random_u32(rng), random_text(s, rng, true), rng_u64(rng)};
	s->texts = 0;
	switch (type) {
	case RECORD_SCHEMA:
		break;
	case RECORD_COUNTERS:
		random_tally(s, rng);
		break;
	case RECORD_CONFIG:
		s->config = random_config(s, rng);
		break;
	case RECORD_JOB:
		s->job = random_job(s, rng);
		break;
	case RECORD_ENDED:
		s->ended = (struct ended_job){.end_s = random_number(rng),
					      .status = (int32_t)random_number(rng),
					      .at_limit = rng_below(rng, 2),
					      .lost = rng_below(rng, 2),
					      .mem_mb = random_number(rng),
					      .why = random_text(s, rng, true),
					      .output = random_text(s, rng, true),
					      .errors = random_text(s, rng, true)};
		s->ended.record = random_job(s, rng);
		break;
	case RECORD_NODE:
		s->node = random_node(s, rng);
		break;
	case RECORD_CHANGE:
		random_change(s, rng);
		break;
	case RECORD_USAGE:
		s->window = random_window(s, rng);
		break;
	case RECORD_LAUNCH:
		s->launch.data = random_text(s, rng, false);
		s->launch.size = rng_below(rng, sizeof s->text[0]);
		break;
	case RECORD_COOKIE:
		s->answer.at_s = random_number(rng);
		s->answer.bytes.data = random_text(s, rng, false);
		s->answer.bytes.size = rng_below(rng, sizeof s->text[0]);
		break;
	case RECORD_PRUNED:
		s->pruned = (struct pruned){rng_u64(rng), random_number(rng)};
		break;
	case RECORD_EVENT:
		s->event = (struct event){
			.seq = rng_u64(rng), .time_s = random_number(rng), .job = rng_u64(rng)};
		s->event.kind = (enum event_kind)(kind ? kind : 1 + rng_below(rng, EVENT_KIND_COUNT - 1));
		s->event.who = random_text(s, rng, true);
		s->event.until_s = rng_below(rng, 2) == 0 ? 0 : random_number(rng);
		s->event.why = random_text(s, rng, true);
		random_event_part(s, rng);
		break;
	}
}

/* --- encoding and decoding ------------------------------------------------------------------------ */

static inline void put_sample(struct str *out, const struct sample *s)
{
	switch (s->type) {
	case RECORD_SCHEMA:
		put_schema(out, &sample_key, &s->schema);
		break;
	case RECORD_COUNTERS:
		put_tally(out, &sample_key, &s->tally);
		break;
	case RECORD_CONFIG:
		put_config(out, &sample_key, &s->config);
		break;
	case RECORD_JOB:
		put_job(out, &sample_key, &s->job);
		break;
	case RECORD_ENDED:
		put_ended(out, &sample_key, &s->ended);
		break;
	case RECORD_NODE:
		put_node(out, &sample_key, &s->node);
		break;
	case RECORD_CHANGE:
		put_change(out, &sample_key, &s->change);
		break;
	case RECORD_USAGE:
		put_usage(out, &sample_key, &s->window);
		break;
	case RECORD_LAUNCH:
		put_launch(out, &sample_key, s->launch);
		break;
	case RECORD_COOKIE:
		put_answer(out, &sample_key, &s->answer);
		break;
	case RECORD_PRUNED:
		put_pruned(out, &sample_key, &s->pruned);
		break;
	case RECORD_EVENT:
		put_event(out, &sample_key, &s->event);
		break;
	}
}

static inline bool get_sample(struct bytes *bytes, struct sample *out, struct codec_scratch *scratch,
			      struct err *err)
{
	switch (out->type) {
	case RECORD_SCHEMA:
		return get_schema(bytes, &sample_key, &out->schema, err);
	case RECORD_COUNTERS:
		return get_tally(bytes, &sample_key, &out->tally, err);
	case RECORD_CONFIG:
		return get_config(bytes, &sample_key, &out->config, err);
	case RECORD_JOB:
		return get_job(bytes, &sample_key, &out->job, scratch, err);
	case RECORD_ENDED:
		return get_ended(bytes, &sample_key, &out->ended, scratch, err);
	case RECORD_NODE:
		return get_node(bytes, &sample_key, &out->node, err);
	case RECORD_CHANGE:
		return get_change(bytes, &sample_key, &out->change, err);
	case RECORD_USAGE:
		return get_usage(bytes, &sample_key, &out->window, scratch, err);
	case RECORD_LAUNCH:
		return get_launch(bytes, &sample_key, &out->launch, err);
	case RECORD_COOKIE:
		return get_answer(bytes, &sample_key, &out->answer, err);
	case RECORD_PRUNED:
		return get_pruned(bytes, &sample_key, &out->pruned, err);
	case RECORD_EVENT:
		return get_event(bytes, &sample_key, &out->event, scratch, err);
	}
	return false;
}

#endif
