/* SPDX-License-Identifier: MIT */
/*
 * memory_file.c - how is something large handed to another process, so that it can trust it?
 */
#include "memory_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEALS (F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW)

static const char nothing[1];

static int give_up(int fd, struct err *err)
{
	err_set(err, "what was asked for cannot be handed out: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

int memory_file_begin(const char *name, size_t size, void **at, struct err *err)
{
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

	*at = NULL;
	if (fd < 0 || ftruncate(fd, (off_t)size) != 0)
		return give_up(fd, err);
	if (size == 0)
		return fd;
	*at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return *at != MAP_FAILED ? fd : give_up(fd, err);
}

int memory_file_seal(int fd, void *at, size_t size, struct err *err)
{
	if (at != NULL)
		munmap(at, size);
	return fcntl(fd, F_ADD_SEALS, SEALS | F_SEAL_SEAL) == 0 ? fd : give_up(fd, err);
}

int memory_file(const char *name, const void *bytes, size_t size, struct err *err)
{
	void *at;
	int fd = memory_file_begin(name, size, &at, err);

	if (fd < 0)
		return -1;
	if (size > 0)
		memcpy(at, bytes, size);
	return memory_file_seal(fd, at, size, err);
}

const void *memory_file_map(int fd, size_t *size, struct err *err)
{
	struct stat st;
	void *at;

	if (fd < 0 || fstat(fd, &st) != 0 || (fcntl(fd, F_GET_SEALS) & SEALS) != SEALS) {
		err_set(err, "what the scheduler sent cannot be trusted: it is not sealed");
		return NULL;
	}
	*size = (size_t)st.st_size;
	if (*size == 0)
		return nothing;
	at = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (at != MAP_FAILED)
		return at;
	err_set(err, "what the scheduler sent cannot be looked at: %s", strerror(errno));
	return NULL;
}

void memory_file_unmap(const void *at, size_t size)
{
	if (size > 0)
		munmap((void *)(uintptr_t)at, size);
}
