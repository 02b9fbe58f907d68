/* SPDX-License-Identifier: MIT */
/*
 * node_file.h - the file with the nodes of a running job ($PBS_NODEFILE)
 *
 * The shepherd writes the file before the job starts, keeps it locked, and removes it at the end. A file that
 * is not locked was left behind by a shepherd that was killed.
 */
#ifndef RM_NODE_FILE_H
#define RM_NODE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#define NODE_FILE_ROOM 64

struct node_file {
	char path[NODE_FILE_ROOM]; /* "" = none */
	int fd;                    /* holds the lock; closed on exec */
};

/* Returns false with errno set if the file cannot be written in any folder; *out is then empty. */
bool node_file_write(struct node_file *out, const char *lines, size_t len);
void node_file_remove(struct node_file *file);

/* Removes the files that killed shepherds of this user have left behind. */
void node_file_sweep(void);

#endif
