/* SPDX-License-Identifier: MIT */
/*
 * record.h - format of records, and encoding of their fields
 *
 * A record consists of a header and fields without padding; all numbers are little-endian:
 *
 *     u16 type    u16 version    u32 length of the fields    u32 CRC-32C    fields
 *
 * The checksum covers the record's key, the first eight bytes of the header and the fields. A text is encoded
 * as its u32 length, including the NUL, followed by its bytes and the NUL; length 0 means NULL. New versions
 * only append fields: a reader reads the fields of the record's version (record_since) and uses defaults for
 * the others. A version newer than the reader's is rejected, so that an older program loses no data.
 *
 * Read errors are sticky: after the first one every field reads as 0, and record_close returns the error.
 * Decoded texts point into the bytes given to record_open.
 */
#ifndef STORE_RECORD_H
#define STORE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "keys.h"
#include "sched/base/err.h"
#include "sched/base/str.h"

/* The numbers are stored in files: never change them. */
enum record_type {
	RECORD_SCHEMA = 1,
	RECORD_COUNTERS = 2,
	RECORD_CONFIG = 3,
	RECORD_JOB = 4,
	RECORD_ENDED = 5,
	RECORD_NODE = 6,
	RECORD_CHANGE = 7,
	RECORD_EVENT = 8,
	RECORD_USAGE = 9,
	RECORD_LAUNCH = 10,
	RECORD_COOKIE = 11,
	RECORD_PRUNED = 12
};

#define RECORD_HEADER 12 /* size of the header in bytes */

/* --- encoding: appends to out, which may contain several records ------- */

/* Begins a record. Returns its position in out, which record_end needs. */
size_t record_begin(struct str *out, enum record_type type, uint16_t version);
void record_end(struct str *out, size_t begin, const struct key *key);
/*
 * Ends a record whose last bytes (rest) are not in out: the caller stores them separately, to avoid a copy.
 */
void record_end_with(struct str *out, size_t begin, const struct key *key, struct bytes rest);

void put_u8(struct str *out, uint8_t value);
void put_u32(struct str *out, uint32_t value);
void put_u64(struct str *out, uint64_t value);
void put_i64(struct str *out, int64_t value);
void put_real(struct str *out, double value);
void put_text(struct str *out, const char *text); /* NULL = none */
void put_bytes(struct str *out, const void *bytes, uint32_t size);

/* --- decoding --------------------------------------------------------------------- */

struct record {
	enum record_type type;
	uint16_t version;
	const unsigned char *at, *end; /* fields not read yet               */
	const char *fault;             /* the first error; NULL = none */
};

/*
 * Opens the first record of bytes and advances bytes. Returns false if the record is truncated, has a wrong
 * checksum, is of another type, or has a version above newest.
 */
bool record_open(struct record *r, struct bytes *bytes, const struct key *key, enum record_type type,
		 uint16_t newest, struct err *err);

/* Returns the type of the first record of bytes; 0 = bytes is too short. Checks nothing else. */
unsigned record_peek(struct bytes bytes);

/* Does the record have the fields that this version added? */
bool record_since(const struct record *r, uint16_t version);

uint8_t get_u8(struct record *r);
uint32_t get_u32(struct record *r);
uint64_t get_u64(struct record *r);
int64_t get_i64(struct record *r);
double get_real(struct record *r);      /* always finite */
const char *get_text(struct record *r); /* NULL = none */
struct bytes get_bytes(struct record *r);

/* Reads a number, for enumerations and flags. A number not below limit is an error and reads as 0. */
uint8_t get_below(struct record *r, unsigned limit);
bool get_bool(struct record *r);

/* Reads the number of items that follow, each of at least size bytes. If too few bytes are left for that many
 * items, the number is an error and reads as 0. */
uint32_t get_count(struct record *r, size_t size);

/* Records an error that the caller has found, unless there was one before. */
void record_fault(struct record *r, const char *fault);

/* Returns true if all fields were read without an error and none is left. */
bool record_close(const struct record *r, struct err *err);

/* Returns the name of a type, such as "job" or "event"; static storage. */
const char *record_type_name(unsigned type);

#endif
