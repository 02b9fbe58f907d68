/* SPDX-License-Identifier: MIT */
/* own_dir.h - a temporary directory for each test, for cmocka_unit_test_setup_teardown */
#ifndef TESTS_OWN_DIR_H
#define TESTS_OWN_DIR_H

#include <sys/stat.h>

#include "tests/store_dir.h"

static struct store_dir dir;

static inline int new_dir(void **state)
{
	(void)state;
	make_store_dir(&dir);
	return 0;
}

static inline int old_dir(void **state)
{
	(void)state;
	chmod(dir.path, 0700); /* the test may have removed permissions */
	remove_store_dir(&dir);
	return 0;
}

#endif
