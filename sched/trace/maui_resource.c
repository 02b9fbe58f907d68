/* SPDX-License-Identifier: MIT */
/*
 * maui_resource.c - Maui resource traces
 */
#include "maui_resource.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "maui_text.h"
#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/state/state.h"

/* Fields, numbered as in the guide. */
enum field {
	FIELD_TYPE = 1,
	FIELD_EVENT,
	FIELD_NAME = 4,
	FIELD_SWAP = 6,
	FIELD_MEMORY,
	FIELD_DISK,
	FIELD_PROCS,
	FIELD_FRAME,
	FIELD_SLOT,
	FIELD_FEATURES = 15,
	FIELD_CLASSES,
	FIELD_SPEED = 18,
	FIELD_COUNT = 21
};

static const struct maui_number number_rows[] = {
	{FIELD_SWAP, "swap", MEMORY_MAX_MB, 0}, {FIELD_MEMORY, "memory", MEMORY_MAX_MB, 0},
	{FIELD_DISK, "disk", MEMORY_MAX_MB, 0}, {FIELD_PROCS, "processors", INT32_MAX, 0},
	{FIELD_FRAME, "frame", INT32_MAX, 0},   {FIELD_SLOT, "slot", INT32_MAX, 0},
	{FIELD_SPEED, "speed", INT32_MAX, 0},
};
#define NUMBER_ROWS (sizeof number_rows / sizeof number_rows[0])

struct reader {
	struct maui_resource *out;
	struct maui_line line;
};

static bool read_line(struct reader *r, struct span text)
{
	struct maui_line *line = &r->line;

	if (!maui_line_cut(line, text, FIELD_COUNT, FIELD_PROCS, "node"))
		return false;
	if (!span_is(line->word[FIELD_TYPE], "COMPUTENODE"))
		return maui_line_refuse(line, FIELD_TYPE, "type", "is not COMPUTENODE");
	if (!span_is(line->word[FIELD_EVENT], "AVAILABLE") && !span_is(line->word[FIELD_EVENT], "DEFINED") &&
	    !span_is(line->word[FIELD_EVENT], "DRAINED"))
		return maui_line_refuse(line, FIELD_EVENT, "event", "is not AVAILABLE, DEFINED or DRAINED");
	if (maui_is_none(line->word[FIELD_NAME]) || !maui_is_name(line->word[FIELD_NAME]))
		return maui_line_refuse(line, FIELD_NAME, "name",
					"is missing, too long or contains control characters");
	if (!maui_line_numbers(line, number_rows, NUMBER_ROWS))
		return false;
	return line->value[FIELD_PROCS] > 0 ||
	       maui_line_refuse(line, FIELD_PROCS, "processors", "must be at least 1");
}

/* Returns the value of a numeric field; negative numbers count as 0. */
static int64_t amount(const struct reader *r, enum field field)
{
	return r->line.value[field] > 0 ? r->line.value[field] : 0;
}

static void add_node(struct reader *r)
{
	struct maui_resource *out = r->out;
	const struct span *word = r->line.word;

	if (!span_is(word[FIELD_EVENT], "AVAILABLE")) {
		out->apart++;
		return;
	}
	out->node = vec_room(out->node, &out->room, out->count + 1, sizeof *out->node);
	out->node[out->count++] = (struct node_record){
		.name = maui_name(&out->arena, word[FIELD_NAME]),
		.procs = (uint32_t)amount(r, FIELD_PROCS),
		.mem_mb = amount(r, FIELD_MEMORY),
		.swap_mb = amount(r, FIELD_SWAP),
		.disk_mb = amount(r, FIELD_DISK),
		.features = maui_names(&out->arena, word[FIELD_FEATURES], false),
		.classes = maui_names(&out->arena, word[FIELD_CLASSES], true),
		.rack = (uint32_t)amount(r, FIELD_FRAME),
		.index = (uint32_t)amount(r, FIELD_SLOT),
		.used = NODE_NOT_MEASURED,
		.active_from_s = TIME_NONE,
	};
	out->procs += amount(r, FIELD_PROCS);
}

/* --- the whole trace ------------------------------------------------------------------- */

struct named {
	const char *name;
};

static int by_name(const void *left, const void *right)
{
	return strcmp(((const struct named *)left)->name, ((const struct named *)right)->name);
}

/* Returns a name that occurs twice; NULL if there is none. */
static const char *find_twice(const struct maui_resource *resource)
{
	struct named *named = mem_zero(resource->count, sizeof *named);
	const char *twice = NULL;

	for (size_t i = 0; i < resource->count; i++)
		named[i].name = resource->node[i].name;
	qsort(named, resource->count, sizeof *named, by_name);
	for (size_t i = 1; i < resource->count && twice == NULL; i++)
		if (strcmp(named[i - 1].name, named[i].name) == 0)
			twice = named[i].name;
	free(named);
	return twice;
}

static bool check_machine(const char *file, const struct maui_resource *out, struct err *err)
{
	const char *twice;

	if (out->count == 0 && out->bad.count > 0)
		return err_set(
			err,
			"%s: no node could be read; the file must be a Maui resource trace; line %" PRIu32
			": %s",
			file, out->bad.shown[0].line, out->bad.shown[0].why);
	if (out->count == 0)
		return err_set(err, "%s: it contains no AVAILABLE nodes", file);
	if (out->procs > INT32_MAX)
		return err_set(err,
			       "%s: its nodes have %" PRId64 " processors, but at most %d can be scheduled",
			       file, out->procs, INT32_MAX);
	twice = find_twice(out);
	return twice == NULL ||
	       err_set(err, "%s: node %s is listed twice; remove one of the lines", file, twice);
}

bool maui_resource_read(const char *file, const char *text, size_t len, struct maui_resource *out,
			struct err *err)
{
	struct reader r = {.out = out, .line.bad = &out->bad};
	struct span all = {text, text + len}, line;

	*out = (struct maui_resource){0};
	for (line_skip_mark(&all); line_next(&all, &line);) {
		r.line.number++;
		if (maui_line_counts(line) && read_line(&r, line))
			add_node(&r);
	}
	if (check_machine(file, out, err))
		return true;
	maui_resource_clear(out);
	return false;
}

void maui_resource_clear(struct maui_resource *resource)
{
	free(resource->node);
	arena_free(&resource->arena);
	*resource = (struct maui_resource){0};
}

void maui_resource_write(const struct maui_resource *resource, struct str *out)
{
	str_add(out, "VERSION 230\n");
	for (size_t i = 0; i < resource->count; i++) {
		const struct node_record *node = &resource->node[i];
		char count[16];

		str_addf(out,
			 "COMPUTENODE AVAILABLE 0 %s [NONE] %" PRId64 " %" PRId64 " %" PRId64 " %" PRIu32
			 " %" PRIu32 " %" PRIu32 " 1 [NONE] [NONE] ",
			 node->name, node->swap_mb, node->mem_mb, node->disk_mb, node->procs, node->rack,
			 node->index);
		maui_add_list(out, node->features, "");
		str_add_char(out, ' ');
		snprintf(count, sizeof count, ":%" PRIu32, node->procs);
		maui_add_list(out, node->classes, count);
		str_add(out, " [NONE] 1.0 [NONE] [NONE] [NONE]\n");
	}
}
