/* SPDX-License-Identifier: MIT */
/*
 * state_file.h - packed states, and memory files that the scheduler can withdraw
 *
 * The scheduler keeps the only descriptor through which a file can be changed. A client receives a read-only
 * descriptor and copies what it reads, so clients hold only their own memory. The scheduler can withdraw a
 * file at any time by truncating it; a client that has not read it by then repeats its request.
 */
#ifndef SERVE_STATE_FILE_H
#define SERVE_STATE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/model/snapshot.h"

/* Creates a sealed file with the given bytes. Returns its descriptor; -1 with err set on failure. */
int memory_file(const char *name, const void *bytes, size_t size, struct err *err);

/* Returns a read-only descriptor of the file for a client; -1 with err set on failure. */
int memory_file_lend(int fd, struct err *err);

/* Frees the memory of the file, even if clients hold descriptors of it, and closes fd. */
void memory_file_withdraw(int fd);

/*
 * Returns a copy of a received file; the descriptor may then be closed. Returns NULL with err set on failure;
 * if *withdrawn is set, the scheduler has withdrawn the file in the meantime, and the client can request it
 * again. For an empty file, *size is 0 and the result is not NULL.
 */
const void *memory_file_read(int fd, size_t *size, bool *withdrawn, struct err *err);
void memory_file_free(const void *at, size_t size);

/* --- states that the scheduler lends to clients, packed ----------------------------------------------- */

/*
 * Most fields of a job have the same value as those of the job before it in the table. A word of eight bytes
 * in a table is therefore written only where it differs from the same word of the previous item. The packed
 * file takes a fraction of the memory of the state, and of the scheduler's time.
 *
 *     file   = u32 "KHP1", u32 SNAPSHOT_VERSION, u64 size of the state, header of the state, tables
 *     table  = blocks of up to 64 words, then the last bytes if they are less than a word; the table of
 *              strings is not packed
 *     block  = u64 one bit for each word that differs, then the differences (exclusive or) of those words
 */

/*
 * Packs a state into a sealed file. Returns its descriptor and sets *size to its size; -1 with err set on
 * failure.
 */
int state_file_make(const struct snapshot *s, size_t *size, struct err *err);

/*
 * Reads a packed state. Returns the state and sets *size; both are for memory_file_free. earlier is a
 * previous result that is no longer needed: it is reused or freed. Returns NULL with err set on failure; if
 * *withdrawn is set, the scheduler has withdrawn the file in the meantime.
 */
const struct snapshot *state_file_read(int fd, const void *earlier, size_t earlier_size, size_t *size,
				       bool *withdrawn, struct err *err);

#endif
