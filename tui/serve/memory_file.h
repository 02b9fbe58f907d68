/* SPDX-License-Identifier: MIT */
/*
 * memory_file.h - how is something large handed to another process, so that it can trust it?
 *
 * As a file in memory, sealed: nobody can change or cut it any more, so it is mapped and looked at once.
 */
#ifndef TUI_SERVE_MEMORY_FILE_H
#define TUI_SERVE_MEMORY_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/err.h"

/* A file of size bytes with room for who fills it: *at is where. memory_file_seal takes it, or gives it up.
 * -1 with a sentence. */
int memory_file_begin(const char *name, size_t size, void **at, struct err *err);
int memory_file_seal(int fd, void *at, size_t size, struct err *err);

/* The same for bytes that are there already. */
int memory_file(const char *name, const void *bytes, size_t size, struct err *err);

/* Maps a sealed file that came; the descriptor may be closed. NULL with a sentence; munmap what came. An
 * empty one is *size 0 and not NULL, and needs no munmap. */
const void *memory_file_map(int fd, size_t *size, struct err *err);
void memory_file_unmap(const void *at, size_t size);

#endif
