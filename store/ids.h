/* SPDX-License-Identifier: MIT */
/*
 * ids.h - is a number one of many?
 */
#ifndef STORE_IDS_H
#define STORE_IDS_H

#include <stddef.h>
#include <stdint.h>

/* Puts numbers upward, each once; returns how many are left. */
size_t ids_order(uint64_t *id, size_t count);

/* The place of a number among those that ids_order put in order; SIZE_MAX: it is none of them. */
size_t ids_find(const uint64_t *id, size_t count, uint64_t wanted);

#endif
