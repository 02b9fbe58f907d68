/* SPDX-License-Identifier: MIT */
/* desk.h - a console without a terminal, for tests that press keys */
#ifndef TESTS_DESK_H
#define TESTS_DESK_H

#include <stdlib.h>

#include "tests/console_session.h"
#include "tui/console/console_inside.h"

struct desk {
	struct session session;
	struct console *c;
};

static inline int desk_begin(void **state)
{
	struct desk *d = calloc(1, sizeof *d);

	d->session = session_begin(7);
	d->c = console_new(&d->session, NULL, true, NULL);
	console_resize(d->c, 100, 30);
	settle(d->c);
	*state = d;
	return 0;
}

static inline int desk_end(void **state)
{
	struct desk *d = *state;

	console_free(d->c);
	session_end(&d->session);
	free(d);
	return 0;
}

#define CONSOLE_TEST(test) cmocka_unit_test_setup_teardown(test, desk_begin, desk_end)

#endif
