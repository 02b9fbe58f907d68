/* SPDX-License-Identifier: MIT */
/*
 * fuzz_fsfile.c - files of fairshare windows: no amount is lost
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/trace/fsfile.h"

#define FILE_NAME "FS.1699833600"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static const struct fs_use *find(const struct fsfile *f, const struct fs_use *like)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->use[i].type == like->type && strcmp(f->use[i].name, like->name) == 0)
			return &f->use[i];
	return NULL;
}

static bool is_equal_when_written(const struct fsfile *f)
{
	for (size_t i = 0; i < f->count; i++)
		for (const char *c = f->use[i].name; *c != '\0'; c++)
			if ((unsigned char)*c <= ' ' || *c == '\x7f')
				return false;
	return true;
}

/* An accepted file is equal after it is written and read again. */
static void check_round_trip(struct fsfile *f)
{
	struct str text = {0};
	struct fsfile again;

	if (f->length_s == 0)
		f->length_s = 86400;
	fsfile_write(f, &text);
	require(fsfile_read(FILE_NAME, str_text(&text), text.len, &again, NULL));
	require(again.count == f->count && again.total == f->total && again.length_s == f->length_s);
	require(again.begin_s == 1699833600);
	for (size_t i = 0; i < f->count; i++) {
		const struct fs_use *use = find(&again, &f->use[i]);

		require(use && use->amount == f->use[i].amount);
	}
	fsfile_clear(&again);
	str_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fsfile f;
	struct err err = {{0}};

	if (!fsfile_read(FILE_NAME, (const char *)data, size, &f, &err)) {
		require(err.text[0] != '\0' && f.use == NULL && f.text == NULL);
		return 0;
	}
	for (size_t i = 0; i < f.count; i++)
		require(f.use[i].amount >= 0 && f.use[i].type < CRED_TYPE_COUNT && f.use[i].name[0] != '\0');
	if (f.count < 1000 && is_equal_when_written(&f))
		check_round_trip(&f);
	fsfile_clear(&f);
	return 0;
}
