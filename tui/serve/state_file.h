/* SPDX-License-Identifier: MIT */
/*
 * state_file.h - states as the scheduler lends them to clients: a file in memory, packed
 *
 * Most fields of a job are those of the job before it. A word of eight bytes in a table is therefore written
 * only where it differs from the same word of the item before; the file takes a fraction of the memory and of
 * the time, which is the scheduler's.
 *
 *     file   = u32 "KHP1", u32 SNAPSHOT_VERSION, u64 size of the state, header of the state, tables
 *     table  = blocks of up to 64 words, the last bytes that are no word; strings: as they are
 *     block  = u64 one bit for each word that differs, then the differences (exclusive or) of those words
 */
#ifndef TUI_SERVE_STATE_FILE_H
#define TUI_SERVE_STATE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/err.h"
#include "sched/model/snapshot.h"

/* A sealed file (memory_file.h), and its size; -1 with a sentence. */
int state_file_make(const struct snapshot *s, size_t *size, struct err *err);

/*
 * Reads one: the state and its size, to be freed with memory_file_free. earlier is freed, or its memory used
 * again. NULL with a sentence; *withdrawn: the scheduler has withdrawn it meanwhile.
 */
const struct snapshot *state_file_read(int fd, const void *earlier, size_t earlier_size, size_t *size,
				       bool *withdrawn, struct err *err);

#endif
