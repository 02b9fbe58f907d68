/* SPDX-License-Identifier: MIT */
/*
 * fuzz_codec.c - records of the store
 *
 * The bytes are read unchanged, and again as the fields of a record of each type and
 * version with a valid checksum, which a fuzzer would not find. An accepted record of the newest
 * version must be written as the same bytes, so that no record is read that would not have been written.
 * A record of an older version must be equal after it is written in the newest one.
 */
#include <stdlib.h>
#include <string.h>

#include "store/codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct key key = {.data = "key", .size = 3};

static void require(bool good)
{
	if (!good)
		abort();
}

/* Reads a record of a type; if it is accepted, writes it again. */
static bool read_and_write(enum record_type type, struct bytes *bytes, struct str *again, struct err *err)
{
	struct codec_scratch scratch = {.bypassed = NULL};
	struct schema schema;
	struct tally tally;
	struct config_text config;
	struct job_record job;
	struct ended_job ended;
	struct node_record node;
	struct change_record change;
	struct usage_window window;
	struct kept_answer answer;
	struct pruned pruned;
	struct bytes launch;
	struct event ev;
	bool taken = false;

	switch (type) {
	case RECORD_SCHEMA:
		if ((taken = get_schema(bytes, &key, &schema, err)))
			put_schema(again, &key, &schema);
		break;
	case RECORD_COUNTERS:
		if ((taken = get_tally(bytes, &key, &tally, err)))
			put_tally(again, &key, &tally);
		break;
	case RECORD_CONFIG:
		if ((taken = get_config(bytes, &key, &config, err)))
			put_config(again, &key, &config);
		break;
	case RECORD_JOB:
		if ((taken = get_job(bytes, &key, &job, &scratch, err)))
			put_job(again, &key, &job);
		break;
	case RECORD_ENDED:
		if ((taken = get_ended(bytes, &key, &ended, &scratch, err)))
			put_ended(again, &key, &ended);
		break;
	case RECORD_NODE:
		if ((taken = get_node(bytes, &key, &node, err)))
			put_node(again, &key, &node);
		break;
	case RECORD_CHANGE:
		if ((taken = get_change(bytes, &key, &change, err)))
			put_change(again, &key, &change);
		break;
	case RECORD_USAGE:
		if ((taken = get_usage(bytes, &key, &window, &scratch, err)))
			put_usage(again, &key, &window);
		break;
	case RECORD_LAUNCH:
		if ((taken = get_launch(bytes, &key, &launch, err)))
			put_launch(again, &key, launch);
		break;
	case RECORD_COOKIE:
		if ((taken = get_answer(bytes, &key, &answer, err)))
			put_answer(again, &key, &answer);
		break;
	case RECORD_PRUNED:
		if ((taken = get_pruned(bytes, &key, &pruned, err)))
			put_pruned(again, &key, &pruned);
		break;
	case RECORD_EVENT:
		if ((taken = get_event(bytes, &key, &ev, &scratch, err)))
			put_event(again, &key, &ev);
		break;
	}
	codec_scratch_free(&scratch);
	return taken;
}

/* A record of an older version, written in the newest one, is read as the same. */
static void require_settled(enum record_type type, const struct str *written)
{
	struct bytes bytes = {written->data, written->len};
	struct str again = {0};
	struct err err;

	require(read_and_write(type, &bytes, &again, &err));
	require(again.len == written->len && memcmp(again.data, written->data, again.len) == 0);
	str_free(&again);
}

static uint16_t version_of(const char *record)
{
	const unsigned char *at = (const unsigned char *)record;

	return (uint16_t)(at[2] | at[3] << 8);
}

/* Reads all records of a type from some bytes. */
static void read_all(enum record_type type, struct bytes bytes)
{
	struct err err = {""};
	struct str again = {0};

	while (bytes.size > 0) {
		const char *from = bytes.data;

		str_clear(&again);
		if (!read_and_write(type, &bytes, &again, &err)) {
			require(err.text[0] != '\0');
			break;
		}
		if (version_of(from) < codec_newest(type)) {
			require_settled(type, &again);
			continue;
		}
		require(again.len == (size_t)((const char *)bytes.data - from));
		require(memcmp(again.data, from, again.len) == 0);
	}
	str_free(&again);
}

/* Reads the bytes as the fields of a record with a valid checksum. */
static void read_fields(enum record_type type, uint16_t version, const uint8_t *data, size_t size)
{
	struct str record = {0};
	size_t begin = record_begin(&record, type, version);

	str_add_bytes(&record, data, size);
	record_end(&record, begin, &key);
	read_all(type, (struct bytes){record.data, record.len});
	str_free(&record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (unsigned t = RECORD_SCHEMA; t <= RECORD_PRUNED; t++) {
		enum record_type type = (enum record_type)t;

		read_all(type, (struct bytes){data, size});
		for (uint16_t version = 1; version <= codec_newest(type); version++)
			read_fields(type, version, data, size);
	}
	return 0;
}
