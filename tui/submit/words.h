/* SPDX-License-Identifier: MIT */
/*
 * words.h - splits a line into words, as a shell does
 */
#ifndef SUBMIT_WORDS_H
#define SUBMIT_WORDS_H

#include "sched/base/err.h"

/*
 * Returns the words of a line in one block of memory; free it with free(). Returns NULL with err set if a
 * quote is not closed.
 */
char **cmd_split(const char *line, int *count, struct err *err);

#endif
