/* SPDX-License-Identifier: MIT */
/*
 * test_codec.c - does every kind of record come back as it was, and never as something else?
 *
 * Whether two records are equal is asked of the bytes: what was read is written again, and
 * must give the bytes it was read from. That no field is forgotten on both sides is seen
 * by changing each one (every_field_of_a_job_is_kept).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "store/codec.h"
#include "tests/seed.h"

/* One of each kind, with what its pointers point to. */
struct sample {
	enum record_type type;
	struct schema schema;
	struct tally tally;
	struct config_text config;
	struct job_record job;
	struct ended_job ended;
	struct node_record node;
	struct change_record change;
	struct event event;
	struct alloc_run run[4];
	struct bypassed passed[4];
	char text[12][64];
	int texts;
	char *long_text;
};

#define SAMPLE_TYPES RECORD_EVENT

static const struct key key = {.data = "a key", .size = 5};

/* --- random records --------------------------------------------------------------------- */

/* Any bytes but NUL: the store does not ask what a name means. */
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

static int64_t random_number(struct rng *rng)
{
	static const int64_t telling[] = {0, 1, -1, INT64_MAX, INT64_MIN, INT32_MAX, 86400};

	return rng_below(rng, 3) ? (int64_t)rng_u64(rng) : telling[rng_below(rng, 7)];
}

static uint32_t random_u32(struct rng *rng)
{
	return (uint32_t)random_number(rng);
}

static uint32_t random_runs(struct sample *s, struct rng *rng)
{
	uint32_t count = (uint32_t)rng_below(rng, 5);

	for (uint32_t i = 0; i < count; i++)
		s->run[i] = (struct alloc_run){random_u32(rng), random_u32(rng), random_u32(rng), INDEX_NONE};
	return count;
}

static struct job_record random_job(struct sample *s, struct rng *rng)
{
	struct job_record record = {.job = {.id = rng_u64(rng)}};
	struct job *job = &record.job;
	int64_t *number[] = {&job->submit_s,   &job->accrual_s, &job->not_before_s, &job->wall_limit_s,
			     &job->true_run_s, &job->start_s,   &job->planned_s,    &job->mem_mb,
			     &job->swap_mb,    &job->disk_mb,   &job->points};

	for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
		*number[i] = random_number(rng);
	job->tasks = random_u32(rng);
	job->task_procs = random_u32(rng);
	job->nodes = random_u32(rng);
	job->bypass = random_u32(rng);
	job->state = (uint8_t)rng_below(rng, JOB_STATE_COUNT);
	job->base_holds = (uint8_t)rng_below(rng, 8);
	job->holds = (uint8_t)rng_below(rng, 8);
	job->adjust = (uint8_t)rng_below(rng, 3);
	job->flags = (uint8_t)rng_below(rng, 4);
	for (int i = 0; i < CRED_TYPE_COUNT; i++)
		record.cred[i] = random_text(s, rng, true);
	record.partition = random_text(s, rng, true);
	record.label = random_text(s, rng, true);
	record.name = random_text(s, rng, true);
	record.run_count = random_runs(s, rng);
	record.runs = s->run;
	return record;
}

static struct node_record random_node(struct sample *s, struct rng *rng)
{
	struct node_record node = {.name = random_text(s, rng, false),
				   .partition = random_text(s, rng, true)};

	node.procs = random_u32(rng);
	node.mem_mb = random_number(rng);
	node.swap_mb = random_number(rng);
	node.disk_mb = random_number(rng);
	return node;
}

static struct sim_origin random_sim(struct rng *rng)
{
	return (struct sim_origin){.seed = rng_u64(rng),
				   .next_index = rng_u64(rng),
				   .job_limit = rng_u64(rng),
				   .load_pct = random_number(rng),
				   .last_s = random_number(rng),
				   .active = random_u32(rng)};
}

/* Some are longer than a page: those go to pages of their own in the file. */
static struct config_text random_config(struct sample *s, struct rng *rng)
{
	size_t len = rng_below(rng, 20000);

	free(s->long_text);
	s->long_text = calloc(1, len + 1);
	for (size_t i = 0; i < len; i++)
		s->long_text[i] = (char)(' ' + rng_below(rng, 90));
	return (struct config_text){random_text(s, rng, true), s->long_text};
}

static void random_event_part(struct sample *s, struct rng *rng)
{
	struct event *ev = &s->event;
	struct config_text config;

	switch (ev->kind) {
	case EVENT_CONFIG:
		config = random_config(s, rng);
		ev->config.file = config.file;
		ev->config.text = config.text;
		break;
	case EVENT_NODE:
		ev->node = random_node(s, rng);
		break;
	case EVENT_SIM:
		ev->sim = random_sim(rng);
		break;
	case EVENT_SUBMIT:
		ev->submit = random_job(s, rng);
		break;
	case EVENT_START:
		ev->start.count = random_runs(s, rng);
		ev->start.runs = s->run;
		ev->start.backfilled = rng_below(rng, 2);
		break;
	case EVENT_END:
		ev->end.status = (int32_t)random_number(rng);
		ev->end.at_limit = rng_below(rng, 2);
		break;
	case EVENT_HOLD:
		ev->hold.bits = (uint8_t)rng_below(rng, 8);
		ev->hold.on = rng_below(rng, 2);
		break;
	case EVENT_PRIORITY:
		ev->priority.adjust = (uint8_t)rng_below(rng, 3);
		ev->priority.points = random_number(rng);
		break;
	case EVENT_SETTING:
		ev->setting.name = random_text(s, rng, false);
		ev->setting.value = random_text(s, rng, false);
		break;
	case EVENT_UNDO:
		ev->undo.seq = rng_u64(rng);
		break;
	case EVENT_PLAN:
		ev->plan.start_s = random_number(rng);
		break;
	case EVENT_ACCRUAL:
		ev->accrual.on = rng_below(rng, 2);
		break;
	case EVENT_BYPASS:
		ev->bypass.count = (uint32_t)rng_below(rng, 4);
		for (uint32_t i = 0; i < ev->bypass.count; i++)
			s->passed[i] = (struct bypassed){.job = rng_u64(rng), .by = random_u32(rng)};
		ev->bypass.item = s->passed;
		break;
	case EVENT_PASS:
	case EVENT_KIND_COUNT:
		break;
	}
}

static void random_change(struct sample *s, struct rng *rng)
{
	s->change.change = (struct change){.seq = rng_u64(rng),
					   .job = rng_u64(rng),
					   .number = random_number(rng),
					   .kind = (uint32_t)rng_below(rng, CHANGE_UNDO + 1),
					   .on = random_u32(rng),
					   .dead = (uint32_t)rng_below(rng, 2)};
	s->change.name = random_text(s, rng, s->change.change.kind != CHANGE_SETTING);
	s->change.value = random_text(s, rng, s->change.change.kind != CHANGE_SETTING);
}

static void random_tally(struct sample *s, struct rng *rng)
{
	s->tally = (struct tally){.counters = {.now_s = random_number(rng),
					       .seq = rng_u64(rng),
					       .next_job_id = rng_u64(rng),
					       .ends_pending = random_u32(rng),
					       .sim = random_sim(rng)},
				  .nodes = rng_u64(rng),
				  .jobs = rng_u64(rng),
				  .changes = rng_u64(rng),
				  .ended = rng_u64(rng)};
}

/* kind: of an event, 0 = any. */
static void random_sample(struct sample *s, enum record_type type, unsigned kind, struct rng *rng)
{
	s->type = type;
	s->texts = 0;
	s->schema = (struct schema){random_u32(rng), random_text(s, rng, true)};
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
					      .at_limit = rng_below(rng, 2)};
		s->ended.record = random_job(s, rng);
		break;
	case RECORD_NODE:
		s->node = random_node(s, rng);
		break;
	case RECORD_CHANGE:
		random_change(s, rng);
		break;
	case RECORD_EVENT:
		s->event = (struct event){
			.seq = rng_u64(rng), .time_s = random_number(rng), .job = rng_u64(rng)};
		s->event.kind = (enum event_kind)(kind ? kind : 1 + rng_below(rng, EVENT_KIND_COUNT - 1));
		s->event.who = random_text(s, rng, true);
		random_event_part(s, rng);
		break;
	}
}

/* --- to bytes and back --------------------------------------------------------------------- */

static void put_sample(struct str *out, const struct sample *s)
{
	switch (s->type) {
	case RECORD_SCHEMA:
		put_schema(out, &key, &s->schema);
		break;
	case RECORD_COUNTERS:
		put_tally(out, &key, &s->tally);
		break;
	case RECORD_CONFIG:
		put_config(out, &key, &s->config);
		break;
	case RECORD_JOB:
		put_job(out, &key, &s->job);
		break;
	case RECORD_ENDED:
		put_ended(out, &key, &s->ended);
		break;
	case RECORD_NODE:
		put_node(out, &key, &s->node);
		break;
	case RECORD_CHANGE:
		put_change(out, &key, &s->change);
		break;
	case RECORD_EVENT:
		put_event(out, &key, &s->event);
		break;
	}
}

static bool get_sample(struct bytes *bytes, struct sample *out, struct codec_scratch *scratch,
		       struct err *err)
{
	switch (out->type) {
	case RECORD_SCHEMA:
		return get_schema(bytes, &key, &out->schema, err);
	case RECORD_COUNTERS:
		return get_tally(bytes, &key, &out->tally, err);
	case RECORD_CONFIG:
		return get_config(bytes, &key, &out->config, err);
	case RECORD_JOB:
		return get_job(bytes, &key, &out->job, scratch, err);
	case RECORD_ENDED:
		return get_ended(bytes, &key, &out->ended, scratch, err);
	case RECORD_NODE:
		return get_node(bytes, &key, &out->node, err);
	case RECORD_CHANGE:
		return get_change(bytes, &key, &out->change, err);
	case RECORD_EVENT:
		return get_event(bytes, &key, &out->event, scratch, err);
	}
	return false;
}

static void must_come_back(const struct sample *s)
{
	struct sample got = {.type = s->type};
	struct codec_scratch scratch = {.bypassed = NULL};
	struct str written = {0}, again = {0};
	struct err err = {""};

	put_sample(&written, s);
	struct bytes bytes = {written.data, written.len};
	if (!get_sample(&bytes, &got, &scratch, &err))
		fail_msg("refused: %s", err.text);
	assert_int_equal(bytes.size, 0);
	put_sample(&again, &got);
	assert_int_equal(written.len, again.len);
	assert_memory_equal(written.data, again.data, written.len);
	codec_scratch_free(&scratch);
	str_free(&written);
	str_free(&again);
}

static void every_kind_of_record_comes_back(void **state)
{
	struct rng rng = seeded("records to bytes and back");
	struct sample s = {.long_text = NULL};

	(void)state;
	for (int round = 0; round < 200; round++)
		for (unsigned type = 1; type <= SAMPLE_TYPES; type++) {
			random_sample(&s, (enum record_type)type, 0, &rng);
			must_come_back(&s);
		}
	for (int round = 0; round < 50; round++)
		for (unsigned kind = 1; kind < EVENT_KIND_COUNT; kind++) {
			random_sample(&s, RECORD_EVENT, kind, &rng);
			must_come_back(&s);
		}
	free(s.long_text);
}

/* --- nothing is forgotten -------------------------------------------------------------------- */

/* Turns one byte of a value; the bytes written must differ, else the field is not kept. */
static void must_be_kept(struct sample *s, void *field, const char *name)
{
	unsigned char *byte = field;
	struct str before = {0}, after = {0};

	put_sample(&before, s);
	*byte ^= 1;
	put_sample(&after, s);
	*byte ^= 1;
	if (before.len == after.len && memcmp(before.data, after.data, before.len) == 0)
		fail_msg("%s is not kept", name);
	str_free(&before);
	str_free(&after);
}

#define KEPT(sample, field) must_be_kept((sample), &(sample)->field, #field)

static void every_field_of_a_job_is_kept(void **state)
{
	struct rng rng = seeded("fields of a job");
	struct sample s = {.long_text = NULL};

	(void)state;
	do
		random_sample(&s, RECORD_JOB, 0, &rng);
	while (s.job.run_count == 0);
	KEPT(&s, job.job.id);
	KEPT(&s, job.job.submit_s);
	KEPT(&s, job.job.accrual_s);
	KEPT(&s, job.job.not_before_s);
	KEPT(&s, job.job.wall_limit_s);
	KEPT(&s, job.job.true_run_s);
	KEPT(&s, job.job.start_s);
	KEPT(&s, job.job.planned_s);
	KEPT(&s, job.job.mem_mb);
	KEPT(&s, job.job.swap_mb);
	KEPT(&s, job.job.disk_mb);
	KEPT(&s, job.job.points);
	KEPT(&s, job.job.tasks);
	KEPT(&s, job.job.task_procs);
	KEPT(&s, job.job.nodes);
	KEPT(&s, job.job.bypass);
	KEPT(&s, job.job.state);
	KEPT(&s, job.job.base_holds);
	KEPT(&s, job.job.holds);
	KEPT(&s, job.job.adjust);
	KEPT(&s, job.job.flags);
	KEPT(&s, run[0].node);
	KEPT(&s, run[0].nodes);
	KEPT(&s, run[0].procs);
}

static void every_text_of_a_job_is_kept(void **state)
{
	struct sample s = {.type = RECORD_JOB};
	const char **text[] = {&s.job.cred[0], &s.job.cred[1],   &s.job.cred[2], &s.job.cred[3],
			       &s.job.cred[4], &s.job.partition, &s.job.label,   &s.job.name};

	(void)state;
	for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
		struct str before = {0}, after = {0};

		put_sample(&before, &s);
		*text[i] = "x";
		put_sample(&after, &s);
		assert_int_not_equal(before.len, after.len);
		str_free(&before);
		str_free(&after);
	}
}

static void every_counter_and_change_field_is_kept(void **state)
{
	struct rng rng = seeded("fields of counters and changes");
	struct sample s = {.long_text = NULL};

	(void)state;
	random_sample(&s, RECORD_COUNTERS, 0, &rng);
	KEPT(&s, tally.counters.now_s);
	KEPT(&s, tally.counters.seq);
	KEPT(&s, tally.counters.next_job_id);
	KEPT(&s, tally.counters.ends_pending);
	KEPT(&s, tally.counters.sim.seed);
	KEPT(&s, tally.counters.sim.next_index);
	KEPT(&s, tally.counters.sim.job_limit);
	KEPT(&s, tally.counters.sim.load_pct);
	KEPT(&s, tally.counters.sim.last_s);
	KEPT(&s, tally.counters.sim.active);
	KEPT(&s, tally.nodes);
	KEPT(&s, tally.jobs);
	KEPT(&s, tally.changes);
	KEPT(&s, tally.ended);
	random_sample(&s, RECORD_CHANGE, 0, &rng);
	KEPT(&s, change.change.seq);
	KEPT(&s, change.change.job);
	KEPT(&s, change.change.number);
	KEPT(&s, change.change.kind);
	KEPT(&s, change.change.on);
	KEPT(&s, change.change.dead);
}

/* --- what is not a record ------------------------------------------------------------------- */

static void must_not_come_back(enum record_type type, const char *bytes, size_t size)
{
	struct sample got = {.type = type};
	struct codec_scratch scratch = {.bypassed = NULL};
	struct bytes given = {bytes, size};
	struct err err = {""};

	assert_false(get_sample(&given, &got, &scratch, &err));
	assert_string_not_equal(err.text, "");
	codec_scratch_free(&scratch);
}

static void every_cut_of_every_kind_is_refused(void **state)
{
	struct rng rng = seeded("cut records");
	struct sample s = {.long_text = NULL};

	(void)state;
	for (unsigned type = 1; type <= SAMPLE_TYPES; type++) {
		struct str bytes = {0};

		random_sample(&s, (enum record_type)type, 0, &rng);
		put_sample(&bytes, &s);
		for (size_t size = 0; size < bytes.len && size < 600; size++)
			must_not_come_back(s.type, bytes.data, size);
		str_free(&bytes);
	}
	free(s.long_text);
}

static void two_thousand_flipped_bits_are_all_refused(void **state)
{
	struct rng rng = seeded("flipped bits");
	struct sample s = {.long_text = NULL};
	struct str bytes = {0};

	(void)state;
	for (int i = 0; i < 2000; i++) {
		if (i % 20 == 0) {
			str_clear(&bytes);
			random_sample(&s, (enum record_type)(1 + rng_below(&rng, SAMPLE_TYPES)), 0, &rng);
			put_sample(&bytes, &s);
		}
		size_t bit = rng_below(&rng, bytes.len * 8);
		bytes.data[bit / 8] = (char)(bytes.data[bit / 8] ^ 1 << bit % 8);
		must_not_come_back(s.type, bytes.data, bytes.len);
		bytes.data[bit / 8] = (char)(bytes.data[bit / 8] ^ 1 << bit % 8);
	}
	str_free(&bytes);
	free(s.long_text);
}

static void a_kind_is_not_taken_for_another(void **state)
{
	struct rng rng = seeded("one kind for another");
	struct sample s = {.long_text = NULL};
	struct str bytes = {0};

	(void)state;
	for (unsigned type = 1; type <= SAMPLE_TYPES; type++) {
		str_clear(&bytes);
		random_sample(&s, (enum record_type)type, 0, &rng);
		put_sample(&bytes, &s);
		for (unsigned other = 1; other <= SAMPLE_TYPES; other++)
			if (other != type)
				must_not_come_back((enum record_type)other, bytes.data, bytes.len);
	}
	str_free(&bytes);
	free(s.long_text);
}

/* Each byte of a record's fields with every value, under a checksum that fits. */
static void fields_of_any_value_are_taken_or_refused_cleanly(void **state)
{
	struct rng rng = seeded("fields of any value");
	struct sample s = {.long_text = NULL}, got;
	struct codec_scratch scratch = {.bypassed = NULL};
	struct str bytes = {0};

	(void)state;
	for (unsigned kind = 1; kind < EVENT_KIND_COUNT; kind++) {
		str_clear(&bytes);
		do
			random_sample(&s, RECORD_EVENT, kind, &rng);
		while (s.long_text && strlen(s.long_text) > 500);
		put_sample(&bytes, &s);
		for (int i = 0; i < 2000; i++) {
			size_t at = RECORD_HEADER + rng_below(&rng, bytes.len - RECORD_HEADER);
			char old = bytes.data[at];
			struct err err = {""};

			bytes.data[at] = (char)rng_u64(&rng);
			record_end(&bytes, 0, &key);
			struct bytes given = {bytes.data, bytes.len};
			got = (struct sample){.type = RECORD_EVENT};
			if (!get_sample(&given, &got, &scratch, &err))
				assert_string_not_equal(err.text, "");
			bytes.data[at] = old;
		}
	}
	codec_scratch_free(&scratch);
	str_free(&bytes);
	free(s.long_text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_record_comes_back),
		cmocka_unit_test(every_field_of_a_job_is_kept),
		cmocka_unit_test(every_text_of_a_job_is_kept),
		cmocka_unit_test(every_counter_and_change_field_is_kept),
		cmocka_unit_test(every_cut_of_every_kind_is_refused),
		cmocka_unit_test(two_thousand_flipped_bits_are_all_refused),
		cmocka_unit_test(a_kind_is_not_taken_for_another),
		cmocka_unit_test(fields_of_any_value_are_taken_or_refused_cleanly),
	};

	return cmocka_run_group_tests_name("codec", tests, NULL, NULL);
}
