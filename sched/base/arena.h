/* SPDX-License-Identifier: MIT */
/*
 * arena.h - where do many small things live that all end at the same moment?
 *
 * Memory is taken piece by piece and given back all at once; the blocks are kept for the
 * next round. Zero is a valid empty arena. Addresses stay valid until arena_reset.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block; /* arena.c */
struct arena_adopted;

struct arena {
	struct arena_block *first; /* in use, newest first     */
	struct arena_block *spare; /* kept for the next round  */
	struct arena_adopted *adopted;
};

/* size bytes, aligned for anything, not initialised; never NULL. */
void *arena_take(struct arena *a, size_t size);

/* A copy of size bytes; NULL when from is NULL. */
void *arena_copy(struct arena *a, const void *from, size_t size);

/* A copy of a string; NULL when text is NULL. */
const char *arena_string(struct arena *a, const char *text);

/* Memory of malloc() becomes the arena's, which frees it when it is emptied. */
void arena_adopt(struct arena *a, void *memory);

void arena_reset(struct arena *a); /* empty, keeps the memory */
void arena_free(struct arena *a);  /* empty, gives it back    */

#endif
