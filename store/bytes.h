/* SPDX-License-Identifier: MIT */
/*
 * bytes.h - some bytes that belong to somebody else
 */
#ifndef STORE_BYTES_H
#define STORE_BYTES_H

#include <stddef.h>

struct bytes {
	const void *data;
	size_t size;
};

#endif
