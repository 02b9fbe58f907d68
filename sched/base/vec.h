/* SPDX-License-Identifier: MIT */
/*
 * vec.h - how do arrays grow, and what happens when memory ends?
 *
 * Memory that cannot be had ends the process with a sentence on stderr: the journal
 * holds everything that was acknowledged, so stopping is safe and half a change is not.
 * A growable array is a plain pointer with a count and a capacity beside it:
 *
 *     struct step *step;  size_t count, cap;
 *     step = vec_room(step, &cap, count + 1, sizeof *step);
 *     step[count++] = s;
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>

/* malloc, calloc, realloc, strdup that never return NULL. Release with free(). */
void *mem_alloc(size_t size);
void *mem_zero(size_t count, size_t size);
void *mem_resize(void *old, size_t size);
char *mem_string(const char *text);

/* Ends the program as the functions above do: for memory that a library did not get. */
_Noreturn void mem_exhausted(void);

/*
 * Makes room for `need` items of `size` bytes; returns the (possibly moved) array.
 * Capacity at least doubles, so appending one by one costs constant time each.
 * New items are not initialised. items may be NULL when *cap is 0.
 */
void *vec_room(void *items, size_t *cap, size_t need, size_t size);

/* The same for an array that is all zero between its uses: when it grows nothing is kept and all is zero. */
void *vec_zeroed(void *items, size_t *cap, size_t need, size_t size);

/* Moves the last of `count` items to its place among the others, which are sorted. For items that come nearly
 * in order: it looks from the end. */
void vec_sort_last(void *items, size_t count, size_t size, int (*compare)(const void *, const void *));

#endif
