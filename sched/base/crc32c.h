/* SPDX-License-Identifier: MIT */
/*
 * crc32c.h - CRC-32C checksum
 *
 * CRC-32C (Castagnoli), as in iSCSI, RFC 3720 appendix B.4: detects every change of one bit, of two bits and
 * of up to 32 consecutive bits. The checksum of "123456789" is 0xe3069283.
 */
#ifndef BASE_CRC32C_H
#define BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/*
 * Returns the checksum of the bytes. `before` is the checksum of the bytes that precede them, 0 if none do.
 */
uint32_t crc32c(uint32_t before, const void *bytes, size_t size);

/* Like crc32c, but never uses the CPU's CRC instruction, which some processors lack. */
uint32_t crc32c_by_table(uint32_t before, const void *bytes, size_t size);

#endif
