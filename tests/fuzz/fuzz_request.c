/* SPDX-License-Identifier: MIT */
/*
 * fuzz_request.c - requests and answers
 *
 * An accepted request or answer is equal after it is written and read again. As most inputs have an invalid
 * checksum, each input is also put into a record with a valid one.
 */
#include <stdlib.h>

#include "store/record.h"
#include "tui/serve/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_request(const void *data, size_t size)
{
	struct str once = {0}, twice = {0};
	struct arena arena = {0};
	struct request_text request;
	struct err err;

	if (request_read(data, size, &arena, &request, &err)) {
		request_write(&request, &once);
		if (!request_read(once.data, once.len, &arena, &request, &err))
			abort();
		request_write(&request, &twice);
		if (once.len != twice.len)
			abort();
	}
	str_free(&once);
	str_free(&twice);
	arena_free(&arena);
}

static void read_answer(const void *data, size_t size)
{
	struct answer_text answer;

	if (answer_read(data, size, &answer, NULL)) {
		free(answer.applied);
		free(answer.job_status);
	}
}

/* Writes the input as the fields of several records, whose types the first bytes choose. */
static void sign(const uint8_t *data, size_t size, struct str *out)
{
	for (uint64_t place = 0; size > 3; place++) {
		struct key key = key_number(place);
		size_t fields = data[1] % (size - 2), at;

		at = record_begin(out, (enum record_type)(place == 0 ? 64 + data[0] % 2 : data[0] % 12),
				  1 + data[0] % 3);
		str_add_bytes(out, data + 2, fields);
		record_end(out, at, &key);
		data += 2 + fields;
		size -= 2 + fields;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str signed_bytes = {0};

	read_request(data, size);
	read_answer(data, size);
	sign(data, size, &signed_bytes);
	read_request(signed_bytes.data, signed_bytes.len);
	read_answer(signed_bytes.data, signed_bytes.len);
	str_free(&signed_bytes);
	return 0;
}
