/* SPDX-License-Identifier: MIT */
/*
 * test_crc32c.c - CRC-32C checksum
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/crc32c.h"
#include "tests/seed.h"

/* RFC 3720, appendix B.4, read as little-endian numbers. */
static void published_checksums_match(void **state)
{
	unsigned char bytes[32];

	(void)state;
	assert_int_equal(crc32c(0, "", 0), 0);
	assert_int_equal(crc32c(0, "123456789", 9), 0xe3069283);
	memset(bytes, 0, sizeof bytes);
	assert_int_equal(crc32c(0, bytes, sizeof bytes), 0x8a9136aa);
	memset(bytes, 0xff, sizeof bytes);
	assert_int_equal(crc32c(0, bytes, sizeof bytes), 0x62a8ab43);
	for (unsigned i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)i;
	assert_int_equal(crc32c(0, bytes, sizeof bytes), 0x46dd794e);
	for (unsigned i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)(31 - i);
	assert_int_equal(crc32c(0, bytes, sizeof bytes), 0x113fdb5c);
}

/* The definition: one bit at a time. */
static uint32_t bit_by_bit(const unsigned char *bytes, size_t size)
{
	uint32_t crc = ~UINT32_C(0);

	for (size_t i = 0; i < size; i++) {
		crc ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	}
	return ~crc;
}

static void every_length_and_alignment_matches_the_definition(void **state)
{
	unsigned char bytes[80];
	struct rng rng = seeded("crc32c against its definition");

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)rng_u64(&rng);
	for (size_t from = 0; from < 8; from++)
		for (size_t size = 0; size <= sizeof bytes - from; size++) {
			uint32_t expected = bit_by_bit(bytes + from, size);

			assert_int_equal(crc32c(0, bytes + from, size), expected);
			assert_int_equal(crc32c_by_table(0, bytes + from, size), expected);
		}
}

static void checksum_can_be_computed_in_pieces(void **state)
{
	const char *text = "a record's key, its header and its fields";
	size_t size = strlen(text);

	(void)state;
	for (size_t cut = 0; cut <= size; cut++)
		assert_int_equal(crc32c(crc32c(0, text, cut), text + cut, size - cut), crc32c(0, text, size));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_checksums_match),
		cmocka_unit_test(every_length_and_alignment_matches_the_definition),
		cmocka_unit_test(checksum_can_be_computed_in_pieces),
	};

	return cmocka_run_group_tests_name("crc32c", tests, NULL, NULL);
}
