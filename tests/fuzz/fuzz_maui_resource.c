/* SPDX-License-Identifier: MIT */
/*
 * fuzz_maui_resource.c - Maui's resource traces: an accepted node has valid values
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/state/state.h"
#include "sched/trace/maui_resource.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static bool same_text(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* An accepted trace is equal after it is written and read again. */
static void check_round_trip(const struct maui_resource *r)
{
	struct str text = {0};
	struct maui_resource again;

	maui_resource_write(r, &text);
	must(maui_resource_read("again", str_text(&text), text.len, &again, NULL));
	must(again.count == r->count && again.bad.count == 0 && again.procs == r->procs);
	for (size_t i = 0; i < r->count; i++) {
		const struct node_record *a = &r->node[i], *b = &again.node[i];

		must(same_text(a->name, b->name) && same_text(a->features, b->features));
		must(same_text(a->classes, b->classes) && a->procs == b->procs && a->mem_mb == b->mem_mb);
	}
	maui_resource_clear(&again);
	str_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct maui_resource r;
	struct err err = {{0}};
	int64_t procs = 0;

	if (!maui_resource_read("fuzz", (const char *)data, size, &r, &err)) {
		must(err.text[0] != '\0' && r.node == NULL);
		return 0;
	}
	for (size_t i = 0; i < r.count; i++) {
		must(r.node[i].procs > 0 && r.node[i].mem_mb >= 0 && r.node[i].name[0] != '\0');
		procs += r.node[i].procs;
	}
	must(procs == r.procs && procs <= INT32_MAX);
	check_round_trip(&r);
	maui_resource_clear(&r);
	return 0;
}
