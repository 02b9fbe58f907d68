/* SPDX-License-Identifier: MIT */
/*
 * arena.h - arena allocator for many small objects with the same lifetime
 *
 * Memory is allocated piece by piece and released all at once. After arena_reset the blocks are reused. A
 * zeroed struct is a valid empty arena. Addresses stay valid until arena_reset or arena_free.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block; /* arena.c */
struct arena_adopted;

struct arena {
	struct arena_block *first;     /* blocks in use, newest first */
	struct arena_block *spare;     /* free blocks, for reuse */
	struct arena_adopted *adopted; /* list of the memory passed to arena_adopt */
};

/* Allocates size bytes, aligned for any type and not initialised; never returns NULL. */
void *arena_take(struct arena *a, size_t size);

/* Copies size bytes; returns NULL if `from` is NULL. */
void *arena_copy(struct arena *a, const void *from, size_t size);

/* Copies a string; returns NULL if `text` is NULL. */
const char *arena_string(struct arena *a, const char *text);

/* Takes ownership of memory from malloc(): it is freed when the arena is reset or freed. */
void arena_adopt(struct arena *a, void *memory);

void arena_reset(struct arena *a); /* empties the arena, keeps its blocks */
void arena_free(struct arena *a);  /* empties the arena, frees its blocks */

#endif
