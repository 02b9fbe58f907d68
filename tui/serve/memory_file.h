/* SPDX-License-Identifier: MIT */
/*
 * memory_file.h - large answers in memory (memfd) that the scheduler lends to clients and can withdraw
 *
 * The scheduler keeps the only descriptor that can change the file; a client gets one that can only read it,
 * and copies what it reads. So what clients keep is their own memory, and what they hold of the scheduler's
 * can be withdrawn at any time: the file is cut to nothing, and a client that was too slow asks again.
 */
#ifndef TUI_SERVE_MEMORY_FILE_H
#define TUI_SERVE_MEMORY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"

/*
 * A file of size zero bytes, to be written piece by piece and then sealed. Each gives the file up when it
 * fails: -1 or false, with a sentence.
 */
int memory_file_begin(const char *name, size_t size, struct err *err);
bool memory_file_put(int fd, uint64_t offset, const void *bytes, size_t size, struct err *err);
int memory_file_seal(int fd, struct err *err);

/* All of that for bytes in one piece. */
int memory_file(const char *name, const void *bytes, size_t size, struct err *err);

/* A descriptor of the file that can only read it, for a client; -1 with a sentence. */
int memory_file_lend(int fd, struct err *err);
/* Gives back the memory of the file, whoever still holds descriptors of it, and closes fd. */
void memory_file_withdraw(int fd);

/*
 * A copy of a file that came; the descriptor may be closed. NULL with a sentence; *withdrawn: it was taken
 * back meanwhile, and can be asked for again. An empty file is *size 0 and not NULL.
 */
const void *memory_file_read(int fd, size_t *size, bool *withdrawn, struct err *err);
void memory_file_free(const void *at, size_t size);
/*
 * Memory as memory_file_free takes it. earlier, if there is one, is such memory that is no longer needed: it
 * is used again or freed. NULL with a sentence.
 */
void *memory_file_room(const void *earlier, size_t earlier_size, size_t size, struct err *err);

#endif
