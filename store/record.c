/* SPDX-License-Identifier: MIT */
/*
 * record.c - format of records, and encoding of their fields
 */
#include "record.h"

#include <math.h>
#include <string.h>

#include "sched/base/crc32c.h"

const char *record_type_name(unsigned type)
{
	static const char *const name[] = {
		[RECORD_SCHEMA] = "schema", [RECORD_COUNTERS] = "counters", [RECORD_CONFIG] = "configuration",
		[RECORD_JOB] = "job",       [RECORD_ENDED] = "ended job",   [RECORD_NODE] = "node",
		[RECORD_CHANGE] = "change", [RECORD_EVENT] = "event",       [RECORD_USAGE] = "usage",
		[RECORD_LAUNCH] = "launch", [RECORD_COOKIE] = "cookie",     [RECORD_PRUNED] = "pruned",
	};

	return type < sizeof name / sizeof name[0] && name[type] ? name[type] : "unknown";
}

/* --- numbers ------------------------------------------------------------------------ */

static void store_number(unsigned char *at, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		at[i] = (unsigned char)(value >> 8 * i);
}

static uint64_t load_number(const unsigned char *at, size_t size)
{
	uint64_t value = 0;

	for (size_t i = 0; i < size; i++)
		value |= (uint64_t)at[i] << 8 * i;
	return value;
}

static void put_number(struct str *out, uint64_t value, size_t size)
{
	unsigned char bytes[8];

	store_number(bytes, value, size);
	str_add_bytes(out, bytes, size);
}

/* Checksum of a record; rest: its last bytes, if they are stored separately. */
static uint32_t checksum(const struct key *key, const unsigned char *record, size_t fields, struct bytes rest)
{
	uint32_t crc = crc32c(0, key->data, key->size);

	crc = crc32c(crc, record, RECORD_HEADER - 4);
	crc = crc32c(crc, record + RECORD_HEADER, fields);
	return crc32c(crc, rest.data, rest.size);
}

/* --- encoding ------------------------------------------------------------------------ */

size_t record_begin(struct str *out, enum record_type type, uint16_t version)
{
	size_t begin = out->len;

	put_number(out, type, 2);
	put_number(out, version, 2);
	put_number(out, 0, 8);
	return begin;
}

void record_end_with(struct str *out, size_t begin, const struct key *key, struct bytes rest)
{
	unsigned char *record = (unsigned char *)out->data + begin;
	size_t fields = out->len - begin - RECORD_HEADER;

	store_number(record + 4, fields + rest.size, 4);
	store_number(record + 8, checksum(key, record, fields, rest), 4);
}

void record_end(struct str *out, size_t begin, const struct key *key)
{
	record_end_with(out, begin, key, (struct bytes){NULL, 0});
}

void put_u8(struct str *out, uint8_t value)
{
	put_number(out, value, 1);
}

void put_u32(struct str *out, uint32_t value)
{
	put_number(out, value, 4);
}

void put_u64(struct str *out, uint64_t value)
{
	put_number(out, value, 8);
}

void put_i64(struct str *out, int64_t value)
{
	put_number(out, (uint64_t)value, 8);
}

void put_real(struct str *out, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	put_u64(out, bits);
}

void put_text(struct str *out, const char *text)
{
	size_t size = text ? strlen(text) + 1 : 0;

	put_u32(out, (uint32_t)size);
	str_add_bytes(out, text, size);
}

void put_bytes(struct str *out, const void *bytes, uint32_t size)
{
	put_u32(out, size);
	str_add_bytes(out, bytes, size);
}

/* --- decoding ------------------------------------------------------------------------ */

unsigned record_peek(struct bytes bytes)
{
	return bytes.size < RECORD_HEADER ? 0 : (unsigned)load_number(bytes.data, 2);
}

static bool check_header(const unsigned char *record, size_t size, const struct key *key, struct err *err)
{
	if (size < RECORD_HEADER)
		return err_set(err, "it has %zu bytes, fewer than a record's header", size);

	size_t fields = load_number(record + 4, 4);
	if (size - RECORD_HEADER < fields)
		return err_set(err, "it is truncated: %zu of %zu bytes are present", size - RECORD_HEADER,
			       fields);
	if (load_number(record + 8, 4) != checksum(key, record, fields, (struct bytes){NULL, 0}))
		return err_set(err, "its checksum is wrong");
	return true;
}

bool record_open(struct record *r, struct bytes *bytes, const struct key *key, enum record_type type,
		 uint16_t newest, struct err *err)
{
	const unsigned char *record = bytes->data;

	if (!check_header(record, bytes->size, key, err))
		return err_prefix(err, "a record of type %s is damaged", record_type_name(type));

	unsigned found = (unsigned)load_number(record, 2), version = (unsigned)load_number(record + 2, 2);
	size_t fields = load_number(record + 4, 4);
	if (found != type)
		return err_set(err, "a record of type %s is damaged: found type %s (%u) in its place",
			       record_type_name(type), record_type_name(found), found);
	if (version > newest)
		return err_set(err,
			       "a record of type %s has version %u, but this program reads only versions up "
			       "to %u: use the newer kahu that wrote it",
			       record_type_name(type), version, newest);
	*r = (struct record){.type = type,
			     .version = (uint16_t)version,
			     .at = record + RECORD_HEADER,
			     .end = record + RECORD_HEADER + fields};
	*bytes = (struct bytes){r->end, bytes->size - RECORD_HEADER - fields};
	return true;
}

bool record_since(const struct record *r, uint16_t version)
{
	return !r->fault && r->version >= version;
}

void record_fault(struct record *r, const char *fault)
{
	if (!r->fault)
		r->fault = fault;
}

/* Returns the next size bytes; NULL if there are fewer or there was an error. */
static const unsigned char *take(struct record *r, size_t size)
{
	const unsigned char *at = r->at;

	if (r->fault)
		return NULL;
	if ((size_t)(r->end - at) < size) {
		record_fault(r, "a field is missing");
		return NULL;
	}
	r->at += size;
	return at;
}

static uint64_t get_number(struct record *r, size_t size)
{
	const unsigned char *at = take(r, size);

	return at ? load_number(at, size) : 0;
}

uint8_t get_u8(struct record *r)
{
	return (uint8_t)get_number(r, 1);
}

uint32_t get_u32(struct record *r)
{
	return (uint32_t)get_number(r, 4);
}

uint64_t get_u64(struct record *r)
{
	return get_number(r, 8);
}

int64_t get_i64(struct record *r)
{
	return (int64_t)get_number(r, 8);
}

double get_real(struct record *r)
{
	uint64_t bits = get_u64(r);
	double value;

	memcpy(&value, &bits, sizeof value);
	if (isfinite(value))
		return value;
	record_fault(r, "a floating-point number is not finite");
	return 0;
}

const char *get_text(struct record *r)
{
	uint32_t size = get_u32(r);
	const unsigned char *at = size ? take(r, size) : NULL;

	if (at && memchr(at, '\0', size) != at + size - 1) {
		record_fault(r, "a string is not terminated at its stated length");
		return NULL;
	}
	return (const char *)at;
}

struct bytes get_bytes(struct record *r)
{
	uint32_t size = get_u32(r);
	const void *at = take(r, size);

	return (struct bytes){at, at ? size : 0};
}

uint8_t get_below(struct record *r, unsigned limit)
{
	uint8_t value = get_u8(r);

	if (value < limit)
		return value;
	record_fault(r, "a field has a value that this program does not know");
	return 0;
}

bool get_bool(struct record *r)
{
	return get_below(r, 2) != 0;
}

uint32_t get_count(struct record *r, size_t size)
{
	uint32_t count = get_u32(r);

	if (count <= (size_t)(r->end - r->at) / size)
		return count;
	record_fault(r, "a list is longer than its record");
	return 0;
}

bool record_close(const struct record *r, struct err *err)
{
	const char *fault = r->fault;

	if (!fault && r->at < r->end)
		fault = "it has more fields than this program knows";
	if (fault)
		return err_set(err, "a record of type %s is damaged: %s", record_type_name(r->type), fault);
	return true;
}
