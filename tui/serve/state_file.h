/* SPDX-License-Identifier: MIT */
/*
 * state_file.h - states that the scheduler lends to clients, packed
 *
 * The scheduler keeps the only descriptor that can change the file; a client gets one that can only read it,
 * and copies what it reads. So what clients keep is their own memory, and what they hold of the scheduler's
 * can be withdrawn at any time: the file is cut to nothing, and a client that was too slow asks again.
 */
#ifndef SERVE_STATE_FILE_H
#define SERVE_STATE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/model/snapshot.h"

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

/* A sealed file (state_file.h), and its size; -1 with a sentence. */
int state_file_make(const struct snapshot *s, size_t *size, struct err *err);

/*
 * Reads one: the state and its size, to be freed with memory_file_free. earlier is freed, or its memory used
 * again. NULL with a sentence; *withdrawn: the scheduler has withdrawn it meanwhile.
 */
const struct snapshot *state_file_read(int fd, const void *earlier, size_t earlier_size, size_t *size,
				       bool *withdrawn, struct err *err);

#endif
