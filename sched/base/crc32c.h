/* SPDX-License-Identifier: MIT */
/*
 * crc32c.h - has a run of bytes changed?
 *
 * CRC-32C (Castagnoli), as in iSCSI, RFC 3720 appendix B.4: finds every change of one
 * bit, of two bits and of up to 32 bits in a row. "123456789" gives 0xe3069283.
 */
#ifndef BASE_CRC32C_H
#define BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Begin with 0; the result of one run of bytes is the beginning of the next. */
uint32_t crc32c(uint32_t before, const void *bytes, size_t size);

/* The same on processors without an instruction for it. */
uint32_t crc32c_by_table(uint32_t before, const void *bytes, size_t size);

#endif
