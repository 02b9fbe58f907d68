/* SPDX-License-Identifier: MIT */
/*
 * keys.c - tables of a store, and their keys
 */
#include "keys.h"

#include <string.h>

const char *const store_table_names[DB_TABLE_COUNT] = {
	[DB_META] = "meta",
	[DB_JOB] = "job",
	[DB_HISTORY] = "history",
	[DB_NODE] = "node",
	[DB_CHANGE] = "change",
	[DB_EVENT] = "event",
	[DB_CHECKPOINT] = "checkpoint",
	[DB_USAGE] = "usage",
	[DB_LAUNCH] = "launch",
	[DB_COOKIE] = "cookie",
	[DB_COOKIE_AGE] = "cookie_age",
	[DB_SCRIPT] = "script",
};

static void add_number(struct key *key, uint64_t number)
{
	for (int shift = 56; shift >= 0; shift -= 8)
		key->data[key->size++] = (unsigned char)(number >> shift);
}

static uint64_t number_at(struct bytes key, size_t from)
{
	const unsigned char *data = key.data;
	uint64_t number = 0;

	if (key.size < from + 8)
		return 0;
	for (size_t i = from; i < from + 8; i++)
		number = number << 8 | data[i];
	return number;
}

struct key key_word(const char *word)
{
	struct key key = {.size = strnlen(word, sizeof key.data)};

	memcpy(key.data, word, key.size);
	return key;
}

struct key key_number(uint64_t number)
{
	struct key key = {.size = 0};

	add_number(&key, number);
	return key;
}

struct key key_moment(int64_t at_s)
{
	return key_number((uint64_t)at_s ^ UINT64_C(1) << 63);
}

struct key key_history(int64_t end_s, uint64_t job)
{
	struct key key = key_moment(end_s);

	add_number(&key, job);
	return key;
}

struct key key_checkpoint(uint64_t seq, uint64_t part)
{
	struct key key = {.size = 0};

	add_number(&key, seq);
	add_number(&key, part);
	return key;
}

static void add_cookie(struct key *key, const struct cookie *cookie)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		key->data[key->size++] = (unsigned char)(cookie->uid >> shift);
	memcpy(key->data + key->size, cookie->bytes, COOKIE_BYTES);
	key->size += COOKIE_BYTES;
}

struct key key_cookie(const struct cookie *cookie)
{
	struct key key = {.size = 0};

	add_cookie(&key, cookie);
	return key;
}

struct key key_cookie_age(int64_t at_s, const struct cookie *cookie)
{
	struct key key = key_moment(at_s);

	add_cookie(&key, cookie);
	return key;
}

struct key key_copy(struct bytes key)
{
	struct key copy = {.size = key.size < sizeof copy.data ? key.size : sizeof copy.data};

	memcpy(copy.data, key.data, copy.size);
	return copy;
}

uint64_t key_first(struct bytes key)
{
	return number_at(key, 0);
}

uint64_t key_second(struct bytes key)
{
	return number_at(key, 8);
}

int64_t moment_of_key(struct bytes key)
{
	return (int64_t)(key_first(key) ^ UINT64_C(1) << 63);
}

struct key key_of_age(struct bytes key)
{
	struct key moment = key_moment(0), cookie = {.size = 0};

	if (key.size > moment.size && key.size - moment.size <= sizeof cookie.data) {
		cookie.size = key.size - moment.size;
		memcpy(cookie.data, (const unsigned char *)key.data + moment.size, cookie.size);
	}
	return cookie;
}
