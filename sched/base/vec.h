/* SPDX-License-Identifier: MIT */
/*
 * vec.h - growing arrays, and memory allocation that ends the process on failure
 *
 * If memory is exhausted, the process prints a message to stderr and aborts: the journal contains everything
 * that was acknowledged, so stopping is safe and a half-finished change is not. A growing array is a pointer
 * with a count and a capacity:
 *
 *     struct step *step;  size_t count, cap;
 *     step = vec_room(step, &cap, count + 1, sizeof *step);
 *     step[count++] = s;
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>

/* malloc, calloc, realloc and strdup that never return NULL. Release with free(). */
void *mem_alloc(size_t size);
void *mem_zero(size_t count, size_t size);
void *mem_resize(void *old, size_t size);
char *mem_string(const char *text);

/*
 * Resizes old, which may be NULL, to `size` bytes and copies `from` into it. Returns the memory, possibly
 * moved.
 */
void *mem_copy_into(void *old, const void *from, size_t size);

/* Prints the message and aborts, like the functions above; for allocations that failed in a library. */
_Noreturn void mem_exhausted(void);

/*
 * Ensures capacity for `need` items of `size` bytes; returns the array, possibly moved. The capacity at least
 * doubles, so that appending an item takes amortized constant time. New items are not initialised. items may
 * be NULL if *cap is 0.
 */
void *vec_room(void *items, size_t *cap, size_t need, size_t size);

/*
 * Like vec_room, for an array that is all zero between uses. If the array grows, its contents are discarded
 * and all items are zero.
 */
void *vec_zeroed(void *items, size_t *cap, size_t need, size_t size);

/*
 * Moves the last of `count` items to its place among the others, which are sorted. Searches from the end,
 * which is fast for items that arrive nearly in order.
 */
void vec_sort_last(void *items, size_t count, size_t size, int (*compare)(const void *, const void *));

#endif
