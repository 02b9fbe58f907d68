/* SPDX-License-Identifier: MIT */
/*
 * memory_file.c - large answers in memory (memfd) that the scheduler lends to clients and can withdraw
 *
 * The file is sealed against writing but not against being cut, and its mode lets nobody else open it for
 * writing through /proc.
 */
#include "memory_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEALS (F_SEAL_WRITE | F_SEAL_GROW)

static const char nothing[1];

static int give_up(int fd, struct err *err)
{
	err_set(err, "the answer cannot be sent: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

int memory_file_begin(const char *name, size_t size, struct err *err)
{
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0 || fchmod(fd, 0400) != 0 || ftruncate(fd, (off_t)size) != 0)
		return give_up(fd, err);
	return fd;
}

/* Written and not mapped: the system then neither clears the pages first nor maps and unmaps each. */
bool memory_file_put(int fd, uint64_t offset, const void *bytes, size_t size, struct err *err)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = pwrite(fd, (const char *)bytes + done, size - done, (off_t)(offset + done));

		if (n < 0 && errno != EINTR) {
			give_up(fd, err);
			return false;
		}
		done += n > 0 ? (size_t)n : 0;
	}
	return true;
}

int memory_file_seal(int fd, struct err *err)
{
	return fcntl(fd, F_ADD_SEALS, SEALS | F_SEAL_SEAL) == 0 ? fd : give_up(fd, err);
}

int memory_file(const char *name, const void *bytes, size_t size, struct err *err)
{
	int fd = memory_file_begin(name, size, err);

	return fd >= 0 && memory_file_put(fd, 0, bytes, size, err) ? memory_file_seal(fd, err) : -1;
}

int memory_file_lend(int fd, struct err *err)
{
	char path[40];
	int lent;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	lent = open(path, O_RDONLY | O_CLOEXEC);
	if (lent < 0)
		err_set(err, "the answer cannot be sent: %s", strerror(errno));
	return lent;
}

void memory_file_withdraw(int fd)
{
	if (ftruncate(fd, 0) != 0) {
		/* It can be cut as long as it is not sealed against that: then it stays until nobody holds
		 * it. */
	}
	close(fd);
}

/* False: it ended before that. */
static bool read_all(int fd, char *at, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = pread(fd, at + done, size - done, (off_t)done);

		if (n <= 0 && (n == 0 || errno != EINTR))
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* Pages that are there already need not be cleared by the system once more. */
static void *take_memory(const void *earlier, size_t earlier_size, size_t size)
{
	if (earlier != NULL && earlier_size > 0)
		return mremap((void *)(uintptr_t)earlier, earlier_size, size, MREMAP_MAYMOVE);
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
}

void *memory_file_room(const void *earlier, size_t earlier_size, size_t size, struct err *err)
{
	void *at = take_memory(earlier, earlier_size, size);

	if (at != MAP_FAILED)
		return at;
	memory_file_free(earlier, earlier_size);
	err_set(err, "out of memory for the scheduler's answer: %s", strerror(errno));
	return NULL;
}

const void *memory_file_read(int fd, size_t *size, bool *withdrawn, struct err *err)
{
	struct stat st;
	void *at;

	*withdrawn = false;
	if (fd < 0 || fstat(fd, &st) != 0 || (fcntl(fd, F_GET_SEALS) & SEALS) != SEALS) {
		err_set(err, "what the scheduler sent cannot be trusted: it is not sealed");
		return NULL;
	}
	*size = (size_t)st.st_size;
	if (*size == 0)
		return nothing;
	at = memory_file_room(NULL, 0, *size, err);
	if (at == NULL)
		return NULL;
	if (read_all(fd, at, *size))
		return at;
	munmap(at, *size);
	*withdrawn = true;
	err_set(err, "the scheduler withdrew its answer before it was read; try again");
	return NULL;
}

void memory_file_free(const void *at, size_t size)
{
	if (size > 0)
		munmap((void *)(uintptr_t)at, size);
}
