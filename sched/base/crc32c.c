/* SPDX-License-Identifier: MIT */
/*
 * crc32c.c - CRC-32C checksum
 *
 * Slicing-by-8 (Kounavis and Berry, 2005): eight bytes per step with eight tables, where table k contains the
 * effect of a byte on the remainder when k more bytes follow. Remainders are linear, so the entry of a byte
 * is the exclusive or of the entries of its bits. The source contains only the entries of single bits; the
 * compiler computes all others from them.
 */
#include "crc32c.h"

#include <string.h>

#define OF_BITS(n, b0, b1, b2, b3, b4, b5, b6, b7)                                                           \
	(((n)&1 ? b0 : 0U) ^ ((n)&2 ? b1 : 0U) ^ ((n)&4 ? b2 : 0U) ^ ((n)&8 ? b3 : 0U) ^                     \
	 ((n)&16 ? b4 : 0U) ^ ((n)&32 ? b5 : 0U) ^ ((n)&64 ? b6 : 0U) ^ ((n)&128 ? b7 : 0U))
#define FOUR(n, ...)                                                                                         \
	OF_BITS((n), __VA_ARGS__), OF_BITS((n) + 1, __VA_ARGS__), OF_BITS((n) + 2, __VA_ARGS__),             \
		OF_BITS((n) + 3, __VA_ARGS__)
#define SIXTEEN(n, ...)                                                                                      \
	FOUR((n), __VA_ARGS__), FOUR((n) + 4, __VA_ARGS__), FOUR((n) + 8, __VA_ARGS__),                      \
		FOUR((n) + 12, __VA_ARGS__)
#define SIXTY_FOUR(n, ...)                                                                                   \
	SIXTEEN((n), __VA_ARGS__), SIXTEEN((n) + 16, __VA_ARGS__), SIXTEEN((n) + 32, __VA_ARGS__),           \
		SIXTEEN((n) + 48, __VA_ARGS__)
#define ALL(...)                                                                                             \
	{                                                                                                    \
		SIXTY_FOUR(0, __VA_ARGS__), SIXTY_FOUR(64, __VA_ARGS__), SIXTY_FOUR(128, __VA_ARGS__),       \
			SIXTY_FOUR(192, __VA_ARGS__)                                                         \
	}

/* The polynomial 0x1edc6f41 with the lowest bit first is 0x82f63b78, the last entry of the first line. */
static const uint32_t table[8][256] = {
	ALL(0xf26b8303, 0xe13b70f7, 0xc79a971f, 0x8ad958cf, 0x105ec76f, 0x20bd8ede, 0x417b1dbc, 0x82f63b78),
	ALL(0x13a29877, 0x274530ee, 0x4e8a61dc, 0x9d14c3b8, 0x3fc5f181, 0x7f8be302, 0xff17c604, 0xfbc3faf9),
	ALL(0xa541927e, 0x4f6f520d, 0x9edea41a, 0x38513ec5, 0x70a27d8a, 0xe144fb14, 0xc76580d9, 0x8b277743),
	ALL(0xdd45aab8, 0xbf672381, 0x7b2231f3, 0xf64463e6, 0xe964b13d, 0xd725148b, 0xaba65fe7, 0x52a0c93f),
	ALL(0x38116fac, 0x7022df58, 0xe045beb0, 0xc5670b91, 0x8f2261d3, 0x1ba8b557, 0x37516aae, 0x6ea2d55c),
	ALL(0xef306b19, 0xdb8ca0c3, 0xb2f53777, 0x6006181f, 0xc00c303e, 0x85f4168d, 0x0e045beb, 0x1c08b7d6),
	ALL(0x68032cc8, 0xd0065990, 0xa5e0c5d1, 0x4e2dfd53, 0x9c5bfaa6, 0x3d5b83bd, 0x7ab7077a, 0xf56e0ef4),
	ALL(0x493c7d27, 0x9278fa4e, 0x211d826d, 0x423b04da, 0x847609b4, 0x0d006599, 0x1a00cb32, 0x34019664),
};

static uint32_t eight_bytes(uint32_t crc, const uint8_t *p)
{
	return table[7][(crc ^ p[0]) & 255] ^ table[6][((crc >> 8) ^ p[1]) & 255] ^
	       table[5][((crc >> 16) ^ p[2]) & 255] ^ table[4][(crc >> 24) ^ p[3]] ^ table[3][p[4]] ^
	       table[2][p[5]] ^ table[1][p[6]] ^ table[0][p[7]];
}

#if defined __x86_64__ && defined __GNUC__
/* SSE 4.2 has an instruction for this polynomial. */
__attribute__((target("sse4.2"))) static uint32_t by_instruction(uint32_t crc, const uint8_t *p, size_t size)
{
	uint64_t wide = crc, part;

	for (; size >= 8; size -= 8, p += 8) {
		memcpy(&part, p, 8);
		wide = __builtin_ia32_crc32di(wide, part);
	}
	crc = (uint32_t)wide;
	for (; size > 0; size--, p++)
		crc = __builtin_ia32_crc32qi(crc, *p);
	return crc;
}

#define HAS_INSTRUCTION() __builtin_cpu_supports("sse4.2")
#else
static uint32_t by_instruction(uint32_t crc, const uint8_t *p, size_t size)
{
	(void)p;
	(void)size;
	return crc;
}

#define HAS_INSTRUCTION() 0
#endif

uint32_t crc32c_by_table(uint32_t before, const void *bytes, size_t size)
{
	const uint8_t *p = bytes;
	uint32_t crc = ~before;

	for (; size >= 8; size -= 8, p += 8)
		crc = eight_bytes(crc, p);
	for (; size > 0; size--, p++)
		crc = (crc >> 8) ^ table[0][(crc ^ *p) & 255];
	return ~crc;
}

uint32_t crc32c(uint32_t before, const void *bytes, size_t size)
{
	return HAS_INSTRUCTION() ? ~by_instruction(~before, bytes, size)
				 : crc32c_by_table(before, bytes, size);
}
