/* SPDX-License-Identifier: MIT */
/* own_store.h - a store in the temporary directory of a test */
#ifndef TESTS_OWN_STORE_H
#define TESTS_OWN_STORE_H

#include "own_dir.h"
#include "store/store.h"

static inline struct store *must_open(enum store_mode mode)
{
	struct err err;
	struct store *s = store_open(dir.path, mode, &err);

	if (!s)
		fail_msg("%s", err.text);
	return s;
}

#endif
