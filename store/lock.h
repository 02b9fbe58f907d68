/* SPDX-License-Identifier: MIT */
/*
 * lock.h - may this process use the store in this directory?
 *
 * Three answers are needed: the directory is ours alone and on a disk of this machine;
 * no other process schedules on it (kahu.lock, which also says who does); and this
 * process has not opened it already, since LMDB's locks would not survive that.
 */
#ifndef STORE_LOCK_H
#define STORE_LOCK_H

#include <stdbool.h>
#include <sys/types.h>

#include "sched/base/err.h"

#define STORE_LOCK_NAME "kahu.lock"

/* Makes dir, and what leads to it, with mode 0700; content when it is there. */
bool store_make_dir(const char *dir, struct err *err);

/*
 * Refuses what is no directory, belongs to somebody else, can be written by others,
 * stands on a network file system, or holds other things but no store.
 */
bool store_check_dir(const char *dir, struct err *err);

/* The same, but a store that stood there may be lost: a copy is to be put in its place. */
bool store_check_place(const char *dir, struct err *err);

/* Takes the lock until it is given back or the process ends. -1 with a sentence; with errno EBUSY another has
 * it. */
int store_lock(const char *dir, struct err *err);
void store_unlock(int fd);
/* Who wants the store meanwhile is asked to wait, or not any more: what the holder does is soon over. */
bool store_lock_say(int fd, bool wait);
/* The lock as a descriptor that was handed to this process, which becomes its holder. -1: it is not that. The
 * descriptor is taken in every case. */
int store_lock_adopt(const char *dir, int fd, struct err *err);

/* A directory that this process has open, whatever it is called or moved to. */
struct store_claim {
	dev_t dev;
	ino_t ino;
};

/* False when this process has dir open already. */
bool store_claim(const char *dir, struct store_claim *out, struct err *err);
void store_unclaim(const struct store_claim *claim);

#endif
