/* SPDX-License-Identifier: MIT */
/*
 * arena.c - arena allocator
 */
#include "arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "vec.h"

#define BLOCK_SIZE 16384

struct arena_block {
	struct arena_block *next;
	size_t used, room;
	alignas(max_align_t) char bytes[];
};

struct arena_adopted {
	struct arena_adopted *next;
	void *memory;
};

static struct arena_block *block_for(struct arena *a, size_t size)
{
	struct arena_block **spare = &a->spare, *b;

	while (*spare != NULL && (*spare)->room < size)
		spare = &(*spare)->next;
	b = *spare;
	if (b != NULL) {
		*spare = b->next;
	} else {
		size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;

		b = mem_alloc(sizeof *b + room);
		b->room = room;
	}
	b->used = 0;
	b->next = a->first;
	a->first = b;
	return b;
}

void *arena_take(struct arena *a, size_t size)
{
	struct arena_block *b = a->first;
	void *at;

	size = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	if (b == NULL || b->room - b->used < size)
		b = block_for(a, size);
	at = b->bytes + b->used;
	b->used += size;
	return at;
}

void *arena_copy(struct arena *a, const void *from, size_t size)
{
	return from == NULL ? NULL : memcpy(arena_take(a, size), from, size);
}

const char *arena_string(struct arena *a, const char *text)
{
	return text == NULL ? NULL : arena_copy(a, text, strlen(text) + 1);
}

void arena_adopt(struct arena *a, void *memory)
{
	struct arena_adopted *adopted = arena_take(a, sizeof *adopted);

	*adopted = (struct arena_adopted){a->adopted, memory};
	a->adopted = adopted;
}

void arena_reset(struct arena *a)
{
	for (; a->adopted != NULL; a->adopted = a->adopted->next)
		free(a->adopted->memory);
	while (a->first != NULL) {
		struct arena_block *b = a->first;

		a->first = b->next;
		b->next = a->spare;
		a->spare = b;
	}
}

void arena_free(struct arena *a)
{
	arena_reset(a);
	while (a->spare != NULL) {
		struct arena_block *b = a->spare;

		a->spare = b->next;
		free(b);
	}
}
