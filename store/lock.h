/* SPDX-License-Identifier: MIT */
/*
 * lock.h - exclusive use of a store directory
 *
 * A store may be used if the directory is private to its owner and on a local disk, if no other process has
 * it open for change (kahu.lock, which contains the process ID of the holder), and if this process does not
 * have it open already, because LMDB's locks would not survive that.
 */
#ifndef STORE_LOCK_H
#define STORE_LOCK_H

#include <stdbool.h>
#include <sys/types.h>

#include "sched/base/err.h"

#define STORE_LOCK_NAME "kahu.lock"

/* Creates dir and its parents with mode 0700; succeeds if dir exists. */
bool store_make_dir(const char *dir, struct err *err);

/*
 * Rejects a path that is not a directory, belongs to another user, is writable by others, is on a network
 * file system, or contains other files but no store.
 */
bool store_check_dir(const char *dir, struct err *err);

/* The same for a directory whose store may be missing, because a copy is about to replace it. */
bool store_check_place(const char *dir, struct err *err);

/* Acquires the lock, until it is released or the process ends. -1 on failure; with errno EBUSY another
 * process has it. */
int store_lock(const char *dir, struct err *err);
void store_unlock(int fd);
/* Sets or clears the request that other processes wait for the lock, because its holder will soon release it.
 */
bool store_lock_say(int fd, bool wait);
/* Adopts the lock as a file descriptor that was passed to this process, which becomes its holder. -1 if it is
 * not the lock. Takes ownership of the descriptor in every case. */
int store_lock_adopt(const char *dir, int fd, struct err *err);

/* A directory that this process has open, identified independently of its name. */
struct store_claim {
	dev_t dev;
	ino_t ino;
};

/* False if this process has dir open already. */
bool store_claim(const char *dir, struct store_claim *out, struct err *err);
void store_unclaim(const struct store_claim *claim);

#endif
