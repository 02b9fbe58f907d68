/* SPDX-License-Identifier: MIT */
/*
 * test_codec.c - round trips of records, and rejection of damaged records
 *
 * Records are compared by their encoding: a decoded record is encoded again and must give the same bytes.
 * test_codec_fields.c changes fields one by one and so finds those that are neither encoded nor decoded.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/host/event_copy.h"
#include "tests/sample.h"
#include "tests/seed.h"

static void expect_round_trip(const struct sample *s)
{
	struct sample got = {.type = s->type};
	struct codec_scratch scratch = {.bypassed = NULL};
	struct str written = {0}, written_again = {0};
	struct err err = {""};

	put_sample(&written, s);
	struct bytes bytes = {written.data, written.len};
	if (!get_sample(&bytes, &got, &scratch, &err))
		fail_msg("refused: %s", err.text);
	assert_int_equal(bytes.size, 0);
	put_sample(&written_again, &got);
	assert_int_equal(written.len, written_again.len);
	assert_memory_equal(written.data, written_again.data, written.len);
	codec_scratch_free(&scratch);
	str_free(&written);
	str_free(&written_again);
}

static void every_kind_of_record_round_trips(void **state)
{
	struct rng rng = seeded("records to bytes and back");
	struct sample s = {.long_text = NULL};

	(void)state;
	for (int round = 0; round < 200; round++)
		for (unsigned type = 1; type <= SAMPLE_TYPES; type++) {
			random_sample(&s, (enum record_type)type, 0, &rng);
			expect_round_trip(&s);
		}
	for (int round = 0; round < 50; round++)
		for (unsigned kind = 1; kind < EVENT_KIND_COUNT; kind++) {
			random_sample(&s, RECORD_EVENT, kind, &rng);
			expect_round_trip(&s);
		}
	free(s.long_text);
}

/* --- damaged records ------------------------------------------------------------------------------ */

static void expect_rejected(enum record_type type, const char *bytes, size_t size)
{
	struct sample got = {.type = type};
	struct codec_scratch scratch = {.bypassed = NULL};
	struct bytes given = {bytes, size};
	struct err err = {""};

	assert_false(get_sample(&given, &got, &scratch, &err));
	assert_string_not_equal(err.text, "");
	codec_scratch_free(&scratch);
}

static void truncated_records_are_rejected(void **state)
{
	struct rng rng = seeded("cut records");
	struct sample s = {.long_text = NULL};

	(void)state;
	for (unsigned type = 1; type <= SAMPLE_TYPES; type++) {
		struct str bytes = {0};

		random_sample(&s, (enum record_type)type, 0, &rng);
		put_sample(&bytes, &s);
		for (size_t size = 0; size < bytes.len && size < 600; size++)
			expect_rejected(s.type, bytes.data, size);
		str_free(&bytes);
	}
	free(s.long_text);
}

static void flipped_bits_are_detected(void **state)
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
		expect_rejected(s.type, bytes.data, bytes.len);
		bytes.data[bit / 8] = (char)(bytes.data[bit / 8] ^ 1 << bit % 8);
	}
	str_free(&bytes);
	free(s.long_text);
}

static void record_of_another_kind_is_rejected(void **state)
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
				expect_rejected((enum record_type)other, bytes.data, bytes.len);
	}
	str_free(&bytes);
	free(s.long_text);
}

/* Random bytes in the fields of a record, with a correct checksum. */
static void random_fields_are_decoded_or_rejected(void **state)
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
			record_end(&bytes, 0, &sample_key);
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

/* Memory referenced by a random event is overwritten; its copy still has the same encoding. */
static void a_copy_of_an_event_is_independent_of_the_original(void **state)
{
	struct rng rng = seeded("copied events");
	struct str before = {0}, after = {0};

	(void)state;
	for (unsigned kind = 1; kind < EVENT_KIND_COUNT; kind++)
		for (int i = 0; i < 20; i++) {
			static struct sample s;
			struct arena arena = {0};
			struct event kept;

			str_clear(&before);
			str_clear(&after);
			random_sample(&s, RECORD_EVENT, kind, &rng);
			put_event(&before, &sample_key, &s.event);
			kept = event_copy(&arena, &s.event);
			if (s.long_text != NULL)
				memset(s.long_text, 'x', strlen(s.long_text));
			free(s.long_text);
			memset(&s, 'x', sizeof s);
			s.long_text = NULL;
			put_event(&after, &sample_key, &kept);
			assert_int_equal(after.len, before.len);
			assert_memory_equal(after.data, before.data, before.len);
			arena_free(&arena);
		}
	str_free(&before);
	str_free(&after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_of_an_event_is_independent_of_the_original),
		cmocka_unit_test(every_kind_of_record_round_trips),
		cmocka_unit_test(truncated_records_are_rejected),
		cmocka_unit_test(flipped_bits_are_detected),
		cmocka_unit_test(record_of_another_kind_is_rejected),
		cmocka_unit_test(random_fields_are_decoded_or_rejected),
	};

	return cmocka_run_group_tests_name("codec", tests, NULL, NULL);
}
