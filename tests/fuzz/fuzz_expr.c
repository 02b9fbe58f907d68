/* SPDX-License-Identifier: MIT */
/*
 * fuzz_expr.c - a text is an expression with a finite value, or is refused with a message that has the column
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/model/expr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good)
{
	if (!good)
		abort();
}

static void try_values(const struct expr *e)
{
	double value[EXPR_COMPONENT_COUNT] = {0};

	require(e->count > 0 && e->count <= EXPR_STEPS);
	require(isfinite(expr_value(e, value)));
	for (int c = 0; c < EXPR_COMPONENT_COUNT; c++)
		value[c] = c % 2 == 0 ? 1e300 : -1e-300;
	require(isfinite(expr_value(e, value)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_alloc(size + 1);
	struct err err = {""};
	struct expr e;

	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	if (expr_read(text, &e, &err))
		try_values(&e);
	else
		require(strncmp(err.text, "column ", 7) == 0);
	free(text);
	return 0;
}
