/* SPDX-License-Identifier: MIT */
/*
 * test_record.c - encoding and decoding of records
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "store/record.h"
#include "tests/seed.h"

static const struct key key = {.data = "key", .size = 3};

static struct bytes bytes_of(const struct str *s)
{
	return (struct bytes){s->data, s->len};
}

/* Encodes a record with two fields, and in version 2 with a third. */
static void put_sample(struct str *out, uint16_t version)
{
	size_t at = record_begin(out, RECORD_NODE, version);

	put_u32(out, 7);
	put_text(out, "seven");
	if (version >= 2)
		put_i64(out, -70);
	record_end(out, at, &key);
}

struct sample {
	uint32_t number;
	const char *name;
	int64_t added;
};

static bool get_sample(struct bytes *bytes, uint16_t newest, struct sample *out, struct err *err)
{
	struct record r;

	if (!record_open(&r, bytes, &key, RECORD_NODE, newest, err))
		return false;
	out->number = get_u32(&r);
	out->name = get_text(&r);
	out->added = record_since(&r, 2) ? get_i64(&r) : -1;
	return record_close(&r, err);
}

static void encoding_matches_the_specification(void **state)
{
	static const unsigned char expected[] = {6, 0, 1, 0, 14, 0, 0, 0};
	struct str s = {0};

	(void)state;
	put_sample(&s, 1);
	assert_int_equal(s.len, RECORD_HEADER + 14);
	assert_memory_equal(s.data, expected, sizeof expected);
	assert_memory_equal(s.data + RECORD_HEADER, "\7\0\0\0\6\0\0\0seven", 14);
	str_free(&s);
}

static void extreme_numbers_round_trip(void **state)
{
	struct str s = {0};
	struct record r;
	struct bytes bytes;
	size_t at = record_begin(&s, RECORD_JOB, 1);

	(void)state;
	put_u8(&s, UINT8_MAX);
	put_u32(&s, UINT32_MAX);
	put_u64(&s, UINT64_MAX);
	put_i64(&s, INT64_MIN);
	put_text(&s, NULL);
	put_text(&s, "");
	record_end(&s, at, &key);
	bytes = bytes_of(&s);
	assert_true(record_open(&r, &bytes, &key, RECORD_JOB, 1, NULL));
	assert_int_equal(get_u8(&r), UINT8_MAX);
	assert_int_equal(get_u32(&r), UINT32_MAX);
	assert_true(get_u64(&r) == UINT64_MAX);
	assert_true(get_i64(&r) == INT64_MIN);
	assert_null(get_text(&r));
	assert_string_equal(get_text(&r), "");
	assert_true(record_close(&r, NULL));
	assert_int_equal(bytes.size, 0);
	str_free(&s);
}

static void records_are_adjacent(void **state)
{
	struct str s = {0};
	struct sample got = {.name = NULL};

	(void)state;
	put_sample(&s, 1);
	put_sample(&s, 1);
	struct bytes bytes = bytes_of(&s);
	assert_int_equal(record_peek(bytes), RECORD_NODE);
	assert_true(get_sample(&bytes, 1, &got, NULL));
	assert_int_equal(bytes.size, s.len / 2);
	assert_true(get_sample(&bytes, 1, &got, NULL));
	assert_int_equal(bytes.size, 0);
	assert_int_equal(record_peek(bytes), 0);
	str_free(&s);
}

static void missing_field_of_an_older_record_has_its_default(void **state)
{
	struct str s = {0};
	struct sample got = {.name = NULL};

	(void)state;
	put_sample(&s, 1);
	struct bytes bytes = bytes_of(&s);
	assert_true(get_sample(&bytes, 2, &got, NULL));
	assert_string_equal(got.name, "seven");
	assert_int_equal(got.added, -1);
	str_clear(&s);
	put_sample(&s, 2);
	bytes = bytes_of(&s);
	assert_true(get_sample(&bytes, 2, &got, NULL));
	assert_int_equal(got.added, -70);
	str_free(&s);
}

static void assert_refused(const struct str *s, const char *words)
{
	struct bytes bytes = bytes_of(s);
	struct sample got = {.name = NULL};
	struct err err = {""};

	assert_false(get_sample(&bytes, 1, &got, &err));
	if (!strstr(err.text, words))
		fail_msg("\"%s\" does not say \"%s\"", err.text, words);
}

static void a_newer_record_is_refused(void **state)
{
	struct str s = {0};

	(void)state;
	put_sample(&s, 2);
	assert_refused(&s, "type node has version 2, but this program reads only versions up to 1");
	str_free(&s);
}

static void a_record_of_another_type_is_refused(void **state)
{
	struct str s = {0};
	size_t at = record_begin(&s, RECORD_JOB, 1);

	(void)state;
	record_end(&s, at, &key);
	assert_refused(&s, "found type job (4)");
	str_free(&s);
}

static void a_record_under_another_key_is_refused(void **state)
{
	static const struct key other = {.data = "kez", .size = 3};
	struct str s = {0};
	size_t at = record_begin(&s, RECORD_NODE, 1);

	(void)state;
	put_u32(&s, 7);
	put_text(&s, "seven");
	record_end(&s, at, &other);
	assert_refused(&s, "checksum");
	str_free(&s);
}

static void truncated_record_is_rejected(void **state)
{
	struct str s = {0};
	struct sample got = {.name = NULL};

	(void)state;
	put_sample(&s, 1);
	for (size_t size = 0; size < s.len; size++) {
		struct bytes bytes = {s.data, size};
		struct err err = {""};

		assert_false(get_sample(&bytes, 1, &got, &err));
		assert_string_not_equal(err.text, "");
	}
	str_free(&s);
}

static void every_flipped_bit_is_detected(void **state)
{
	struct str s = {0};
	struct sample got = {.name = NULL};

	(void)state;
	put_sample(&s, 1);
	for (size_t bit = 0; bit < s.len * 8; bit++) {
		struct bytes bytes = bytes_of(&s);

		s.data[bit / 8] = (char)(s.data[bit / 8] ^ 1 << bit % 8);
		assert_false(get_sample(&bytes, 1, &got, NULL));
		s.data[bit / 8] = (char)(s.data[bit / 8] ^ 1 << bit % 8);
	}
	str_free(&s);
}

/* A faulty program could write a valid checksum with invalid fields. */
static void invalid_fields_are_rejected_despite_a_valid_checksum(void **state)
{
	static const struct {
		const char *fields;
		size_t size;
		const char *words;
	} row[] = {
		{"\7\0\0\0", 4, "a field is missing"},
		{"\7\0\0\0\6\0\0\0seve", 12, "a field is missing"},
		{"\7\0\0\0\xff\xff\xff\xffseven", 13, "a field is missing"},
		{"\7\0\0\0\5\0\0\0seven", 13, "is not terminated at its stated length"},
		{"\7\0\0\0\6\0\0\0se\0en", 14, "is not terminated at its stated length"},
		{"\7\0\0\0\6\0\0\0seven\0x", 15, "more fields than this program knows"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct str s = {0};
		size_t at = record_begin(&s, RECORD_NODE, 1);

		str_add_bytes(&s, row[i].fields, row[i].size);
		record_end(&s, at, &key);
		assert_refused(&s, row[i].words);
		str_free(&s);
	}
}

static void values_and_counts_out_of_range_are_faults(void **state)
{
	struct str s = {0};
	struct record r;
	struct err err;
	size_t at = record_begin(&s, RECORD_NODE, 1);

	(void)state;
	put_u8(&s, 3);
	put_u32(&s, 2);
	put_u32(&s, 0);
	record_end(&s, at, &key);
	struct bytes bytes = bytes_of(&s);
	assert_true(record_open(&r, &bytes, &key, RECORD_NODE, 1, NULL));
	assert_int_equal(get_below(&r, 4), 3);
	/* The count says two items of four bytes; the record has one. */
	assert_int_equal(get_count(&r, 4), 0);
	assert_false(record_close(&r, &err));
	assert_non_null(strstr(err.text, "longer than its record"));

	bytes = bytes_of(&s);
	assert_true(record_open(&r, &bytes, &key, RECORD_NODE, 1, NULL));
	assert_false(get_bool(&r));
	assert_int_equal(get_u32(&r), 0);
	assert_false(record_close(&r, &err));
	assert_non_null(strstr(err.text, "does not know"));
	str_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(encoding_matches_the_specification),
		cmocka_unit_test(extreme_numbers_round_trip),
		cmocka_unit_test(records_are_adjacent),
		cmocka_unit_test(missing_field_of_an_older_record_has_its_default),
		cmocka_unit_test(a_newer_record_is_refused),
		cmocka_unit_test(a_record_of_another_type_is_refused),
		cmocka_unit_test(a_record_under_another_key_is_refused),
		cmocka_unit_test(truncated_record_is_rejected),
		cmocka_unit_test(every_flipped_bit_is_detected),
		cmocka_unit_test(invalid_fields_are_rejected_despite_a_valid_checksum),
		cmocka_unit_test(values_and_counts_out_of_range_are_faults),
	};

	return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
