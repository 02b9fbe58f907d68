/* SPDX-License-Identifier: MIT */
/*
 * state_file.h - packed states, and memory files that the scheduler can withdraw
 *
 * The scheduler keeps the only descriptor that can change the file. A client receives a read-only descriptor
 * and copies what it reads. Clients therefore hold only their own memory, and the scheduler can withdraw a
 * file at any time by truncating it; a client that was too slow repeats its request.
 */
#ifndef SERVE_STATE_FILE_H
#define SERVE_STATE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/model/snapshot.h"

/* Creates and seals a file with the given bytes. */
int memory_file(const char *name, const void *bytes, size_t size, struct err *err);

/* A read-only descriptor of the file for a client; -1 with a sentence. */
int memory_file_lend(int fd, struct err *err);

/* Frees the memory of the file, even if clients hold descriptors of it, and closes fd. */
void memory_file_withdraw(int fd);

/*
 * A copy of a received file; the descriptor may then be closed. NULL with a sentence; *withdrawn: the
 * scheduler withdrew it meanwhile, and it can be requested again. An empty file is *size 0 and not NULL.
 */
const void *memory_file_read(int fd, size_t *size, bool *withdrawn, struct err *err);
void memory_file_free(const void *at, size_t size);

/* --- states that the scheduler lends to clients, packed ----------------------------------------------- */

/*
 * Most fields of a job are those of the job before it. A word of eight bytes in a table is therefore written
 * only where it differs from the same word of the item before; the file takes a fraction of the memory and of
 * the time, which is the scheduler's.
 *
 *     file   = u32 "KHP1", u32 SNAPSHOT_VERSION, u64 size of the state, header of the state, tables
 *     table  = blocks of up to 64 words, the last bytes that are no word; strings: as they are
 *     block  = u64 one bit for each word that differs, then the differences (exclusive or) of those words
 */

/* Makes a sealed file; also sets its size. -1 with a sentence. */
int state_file_make(const struct snapshot *s, size_t *size, struct err *err);

/*
 * Reads a packed state: the state and its size, to be freed with memory_file_free. earlier is freed or
 * reused. NULL with a sentence; *withdrawn: the scheduler has withdrawn the file meanwhile.
 */
const struct snapshot *state_file_read(int fd, const void *earlier, size_t earlier_size, size_t *size,
				       bool *withdrawn, struct err *err);

#endif
