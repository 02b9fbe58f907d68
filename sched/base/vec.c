/* SPDX-License-Identifier: MIT */
/*
 * vec.c - growing arrays, and memory allocation that ends the process on failure
 *
 * Exhausted memory ends in abort(), not exit(): exit handlers would run on half-changed state, whereas the
 * crash handler only restores the terminal.
 */
#include "vec.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAP 8

void mem_exhausted(void)
{
	fputs("kahu: out of memory; all acknowledged changes are in the store; start kahu again when memory "
	      "is available\n",
	      stderr);
	abort();
}

static void *must(void *memory)
{
	if (!memory)
		mem_exhausted();
	return memory;
}

/* malloc(0) and the like may return NULL without being out of memory. */
static size_t at_least_one(size_t size)
{
	return size ? size : 1;
}

void *mem_alloc(size_t size)
{
	return must(malloc(at_least_one(size)));
}

void *mem_zero(size_t count, size_t size)
{
	return must(calloc(at_least_one(count), at_least_one(size)));
}

void *mem_resize(void *old, size_t size)
{
	return must(realloc(old, at_least_one(size)));
}

char *mem_string(const char *text)
{
	return must(strdup(text));
}

void *mem_copy_into(void *old, const void *from, size_t size)
{
	void *copy = mem_resize(old, size);

	if (size > 0)
		memcpy(copy, from, size);
	return copy;
}

void *vec_room(void *items, size_t *cap, size_t need, size_t size)
{
	size_t room = *cap;

	if (need <= room)
		return items;
	if (need > PTRDIFF_MAX / size)
		mem_exhausted();
	room = room <= PTRDIFF_MAX / size / 2 ? room * 2 : need;
	if (room < FIRST_CAP)
		room = FIRST_CAP;
	if (room < need)
		room = need;
	items = mem_resize(items, room * size);
	*cap = room;
	return items;
}

void *vec_zeroed(void *items, size_t *cap, size_t need, size_t size)
{
	if (need <= *cap)
		return items;
	free(items);
	*cap = need + need / 2;
	return mem_zero(*cap, size);
}

void vec_sort_last(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
	char *item = items, *last;
	size_t at = count == 0 ? 0 : count - 1;

	while (at > 0 && compare(item + (at - 1) * size, item + (count - 1) * size) > 0)
		at--;
	if (count == 0 || at == count - 1)
		return;
	last = mem_alloc(size);
	memcpy(last, item + (count - 1) * size, size);
	memmove(item + (at + 1) * size, item + at * size, (count - 1 - at) * size);
	memcpy(item + at * size, last, size);
	free(last);
}
