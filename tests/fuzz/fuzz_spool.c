/* SPDX-License-Identifier: MIT */
/*
 * fuzz_spool.c - spool files: a job that may have run is never judged as one that has not
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sched/rm/spool.h"
#include "tests/store_dir.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct store_dir dir;
static int folder = -1;

static void require(bool good)
{
	if (!good)
		abort();
}

static void remove_folder(void)
{
	remove_store_dir(&dir);
}

static void make_folder(void)
{
	make_store_dir(&dir);
	atexit(remove_folder);
	folder = open(dir.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	require(folder >= 0);
}

static bool is_text(const char *text, size_t room)
{
	return memchr(text, '\0', room) != NULL;
}

static void require_complete(const struct spool *spool)
{
	require(!spool->has_begun ||
		(spool->begun.level <= HOLD_FULL && is_text(spool->begun.cpus, SPOOL_LIST) &&
		 is_text(spool->begun.devices, SPOOL_LIST) && is_text(spool->begun.boot_id, BOOT_ID)));
	require(spool->has_begun || (!spool->has_cpus && !spool->has_devices));
	require(!spool->has_ended ||
		(spool->ended.reason < END_REASON_COUNT && is_text(spool->ended.text, SPOOL_TEXT)));
}

static bool is_zero(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size && i < SPOOL_SIZE; i++)
		if ((i < 1024 || (i >= 2048 && i < 3072)) && data[i] != 0)
			return false;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct spool read, judged;
	struct err err = {""};
	enum spool_fate fate;
	int fd;

	if (folder < 0)
		make_folder();
	fd = openat(folder, "7.1", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	close(fd);
	require(spool_read(folder, 7, 1, &read, &err));
	require_complete(&read);
	fate = spool_judge(folder, 7, 1, "11111111-2222-3333-4444-555555555555", &judged, &err);
	require_complete(&judged);
	require((fate == SPOOL_NONE) == is_zero(data, size));
	require((fate == SPOOL_ENDED) == judged.has_ended && fate != SPOOL_ALIVE);
	require(fate != SPOOL_LOST || err.text[0] != '\0');
	return 0;
}
