/* SPDX-License-Identifier: MIT */
/*
 * unpack.c - compressed files, read through gzip, xz and zstd
 */
#include "unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sched/base/vec.h"
#include "site_program.h"

#define PIECE        ((size_t)64 << 10)
#define RATIO_MAX    64
#define BEYOND_RATIO ((size_t)16 << 20)
#define NOT_FOUND    127 /* status of env(1) when there is no such program */

static const struct packing {
	const char *suffix, *program;
} packings[] = {{".gz", "gzip"}, {".xz", "xz"}, {".zst", "zstd"}};

static const struct packing *packing_of(const char *path)
{
	size_t len = strlen(path);

	for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++) {
		size_t tail = strlen(packings[i].suffix);

		if (len > tail && strcmp(path + len - tail, packings[i].suffix) == 0)
			return &packings[i];
	}
	return NULL;
}

bool unpack_is_packed(const char *path)
{
	return packing_of(path) != NULL;
}

/* Reads to the end; false when there is more than max_bytes. */
static bool read_all(int fd, size_t max_bytes, struct str *out)
{
	size_t begin = out->len;
	ssize_t n;

	do {
		out->data = vec_room(out->data, &out->cap, out->len + PIECE + 1, 1);
		n = read(fd, out->data + out->len, out->cap - out->len - 1);
		out->len += n > 0 ? (size_t)n : 0;
	} while (out->len - begin <= max_bytes && (n > 0 || (n < 0 && errno == EINTR)));
	out->data[out->len] = '\0';
	return out->len - begin <= max_bytes;
}

static int status_of(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* in: the compressed file. */
static bool run(const struct packing *packing, const char *path, int in, size_t max_bytes, struct str *out,
		struct err *err)
{
	const char *argv[] = {"/usr/bin/env", packing->program, "-dc", NULL}, *environment[] = {NULL};
	int ends[2], failed, status;
	pid_t pid;
	bool fits;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return err_set(err, "cannot read %s: %s", path, strerror(errno));
	failed = spawn_program(argv, environment, in, ends[1], &pid);
	close(ends[1]);
	fits = failed == 0 && read_all(ends[0], max_bytes, out);
	close(ends[0]);
	status = failed == 0 ? status_of(pid) : NOT_FOUND;
	if (failed == 0 && !fits)
		return err_set(
			err,
			"cannot read %s: it holds more than %zu bytes, the most that is read of a packed "
			"file of its size; unpack it first",
			path, max_bytes);
	if (status == NOT_FOUND)
		return err_set(err, "cannot read %s: %s, which unpacks it, is not installed; install it",
			       path, packing->program);
	return status == 0 || err_set(err,
				      "cannot read %s: %s cannot unpack it; the file is damaged, or is no "
				      "%s file",
				      path, packing->program, packing->suffix);
}

/* False: it is no file, or its size is not known. */
static bool find_most(int in, size_t max_bytes, size_t *most)
{
	struct stat st;

	if (fstat(in, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	*most = max_bytes;
	if ((uint64_t)st.st_size < (max_bytes - BEYOND_RATIO) / RATIO_MAX)
		*most = (size_t)st.st_size * RATIO_MAX + BEYOND_RATIO;
	return true;
}

bool unpack_read(const char *path, size_t max_bytes, struct str *out, struct err *err)
{
	const struct packing *packing = packing_of(path);
	size_t begin = out->len;
	int in = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	size_t most;
	bool good;

	if (in < 0)
		return err_set(err, "cannot read %s: %s", path, strerror(errno));
	good = find_most(in, max_bytes, &most)
		       ? run(packing, path, in, most, out, err)
		       : err_set(err, "cannot read %s: it is no file; unpack it and name - (standard input)",
				 path);
	close(in);
	if (!good && out->data != NULL) {
		out->len = begin;
		out->data[begin] = '\0';
	}
	return good;
}
