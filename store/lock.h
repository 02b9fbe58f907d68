/* SPDX-License-Identifier: MIT */
/*
 * lock.h - exclusive use of a store directory
 *
 * A store may be used if its directory is private to the owner and on a local disk; if no other process has
 * it open for change (kahu.lock contains the process ID of the holder); and if this process does not have it
 * open already, because closing one of the two would release LMDB's locks.
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
 * Returns false with an error if the path is not a directory, belongs to another user, is writable by others,
 * is on a network file system, or contains other files but no store.
 */
bool store_check_dir(const char *dir, struct err *err);

/* Like store_check_dir, but the directory may have lost its store, because a copy is about to replace it. */
bool store_check_place(const char *dir, struct err *err);

/* Acquires the lock and returns its descriptor. The lock is held until store_unlock or the end of the
 * process. -1 on failure; errno EBUSY: another process holds the lock. */
int store_lock(const char *dir, struct err *err);
void store_unlock(int fd);
/* Sets or clears the holder's request that other processes wait for the lock, because it will soon be
 * released. */
bool store_lock_say(int fd, bool wait);
/* Adopts a lock whose descriptor was passed to this process, which becomes the holder. Returns the
 * descriptor; -1 if it is not the lock of dir. Takes ownership of the descriptor in every case. */
int store_lock_adopt(const char *dir, int fd, struct err *err);

/* A directory that this process has open, identified independently of its name. */
struct store_claim {
	dev_t dev;
	ino_t ino;
};

/* Registers dir as open in this process. Returns false if it is open already. */
bool store_claim(const char *dir, struct store_claim *out, struct err *err);
void store_unclaim(const struct store_claim *claim);

#endif
