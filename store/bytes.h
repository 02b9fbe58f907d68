/* SPDX-License-Identifier: MIT */
/*
 * bytes.h - a borrowed byte range
 */
#ifndef STORE_BYTES_H
#define STORE_BYTES_H

#include <stddef.h>

struct bytes {
	const void *data;
	size_t size;
};

#endif
