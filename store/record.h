/* SPDX-License-Identifier: MIT */
/*
 * record.h - what does every record look like from outside, and how are its fields written?
 *
 * A record is a header and fields, all numbers little-endian, without gaps:
 *
 *     u16 type    u16 version    u32 length of the fields    u32 CRC-32C    fields
 *
 * The checksum is over the key it is kept under, the header's first eight bytes and the
 * fields. A text is its u32 length with the NUL, then its bytes with the NUL; length 0 is
 * no text. Versions only append fields: a reader takes those that the record's version has
 * (record_since) and puts the default of the day for those an older writer did not know. A version newer
 * than the reader's is refused, so nothing is lost by an older program.
 *
 * Reading is sticky: after the first fault every field reads as 0 and record_close says
 * what is wrong. Texts that are read point into the bytes given to record_open.
 */
#ifndef STORE_RECORD_H
#define STORE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "keys.h"
#include "sched/base/err.h"
#include "sched/base/str.h"

/* Numbers are in files: never change one. */
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

#define RECORD_HEADER 12 /* bytes */

/* --- writing: appends to out; several records may stand one after the other ------- */

/* Returns where the record begins, for record_end. */
size_t record_begin(struct str *out, enum record_type type, uint16_t version);
void record_end(struct str *out, size_t begin, const struct key *key);
/* The record ends with bytes that are written behind out: they are many, and not copied for that. */
void record_end_with(struct str *out, size_t begin, const struct key *key, struct bytes rest);

void put_u8(struct str *out, uint8_t value);
void put_u32(struct str *out, uint32_t value);
void put_u64(struct str *out, uint64_t value);
void put_i64(struct str *out, int64_t value);
void put_real(struct str *out, double value);
void put_text(struct str *out, const char *text); /* NULL = none */
void put_bytes(struct str *out, const void *bytes, uint32_t size);

/* --- reading --------------------------------------------------------------------- */

struct record {
	enum record_type type;
	uint16_t version;
	const unsigned char *at, *end; /* fields not read yet               */
	const char *fault;             /* what is wrong, NULL = nothing yet */
};

/*
 * Opens the first record of bytes and moves bytes behind it. False when it is cut off,
 * its checksum is wrong, it is of another type or of a version above newest.
 */
bool record_open(struct record *r, struct bytes *bytes, const struct key *key, enum record_type type,
		 uint16_t newest, struct err *err);

/* The type of the first record of bytes, 0 when there is none; nothing is checked. */
unsigned record_peek(struct bytes bytes);

/* Has the record the fields that this version appended? */
bool record_since(const struct record *r, uint16_t version);

uint8_t get_u8(struct record *r);
uint32_t get_u32(struct record *r);
uint64_t get_u64(struct record *r);
int64_t get_i64(struct record *r);
double get_real(struct record *r);      /* finite       */
const char *get_text(struct record *r); /* NULL = none */
struct bytes get_bytes(struct record *r);

/* A number below limit, else a fault: for enumerations and flags. */
uint8_t get_below(struct record *r, unsigned limit);
bool get_bool(struct record *r);

/* The number of items that follow, each of at least size bytes: so it is never more than there is. */
uint32_t get_count(struct record *r, size_t size);

/* For a check of the caller's own. The first fault stays. */
void record_fault(struct record *r, const char *fault);

/* True when every field was read and nothing was wrong. */
bool record_close(const struct record *r, struct err *err);

/* "job", "event", ...; static storage. */
const char *record_type_name(unsigned type);

#endif
