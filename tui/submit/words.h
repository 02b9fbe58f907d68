/* SPDX-License-Identifier: MIT */
/*
 * words.h - splits a line into words, as a shell does
 */
#ifndef SUBMIT_WORDS_H
#define SUBMIT_WORDS_H

#include "sched/base/err.h"

/* The words of a line; the memory is one block, free() it. NULL with a sentence for an open quote. */
char **cmd_split(const char *line, int *count, struct err *err);

#endif
