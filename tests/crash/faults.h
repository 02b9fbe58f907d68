/* SPDX-License-Identifier: MIT */
/*
 * faults.h - the memory that faults.so shares between processes
 */
#ifndef TESTS_CRASH_FAULTS_H
#define TESTS_CRASH_FAULTS_H

#include <stdint.h>

enum fault_kind {
	FAULT_MALLOC, /* malloc, calloc, realloc                            */
	FAULT_WRITE,  /* write and its kin, ftruncate: of regular files     */
	FAULT_SYNC,   /* fsync, fdatasync                                   */
	FAULT_FORK,   /* fork, clone3, posix_spawn                          */
	FAULT_OPEN,   /* open and its kin                                   */
	FAULT_READ,   /* read, pread: of regular files                      */
	FAULT_KINDS
};

/* FOLDER.calls, mapped by all processes under test. */
struct shared {
	uint64_t calls[FAULT_KINDS]; /* number of calls made */
	uint64_t failed;             /* number of calls that failed */
	int64_t clock_offset_s;      /* added to the time of day */
	uint32_t lock;               /* 1: a record is being written */
	uint32_t spare;
};

#endif
