/* SPDX-License-Identifier: MIT */
/*
 * crossing_option.c - which option moves a job in the queue, and whom else does it move?
 *
 * A job's weights are those of its partition; what a partition does not set itself follows what holds for
 * all. Who is to see no names of others does not see which settings are live either: then only a weight that
 * is another than that of all shows whose it is.
 */
#include <string.h>

#include "crossing_inside.h"
#include "sched/base/str.h"

void crossing_name(const struct crossing_pair *p, struct config_weight weight, struct str *out)
{
	uint32_t partition = p->a.job->partition;

	if (partition != 0)
		str_addf(out, "partition[%s].",
			 snapshot_string(p->s, snapshot_partitions(p->s)[partition].name));
	str_add(out, config_weight_name(weight));
}

/* Is it the option of a partition's section that sets a weight? */
static bool is_of(const struct option *row, const char *title, const char *partition,
		  struct config_weight weight)
{
	struct config_weight set = config_weight_of(row);

	return strcmp(row->scope, "partition") == 0 && set.kind == weight.kind && set.index == weight.index &&
	       str_same_word(title, partition);
}

static bool changed_live(const struct snapshot *s, const struct change *change, const char *partition,
			 struct config_weight weight)
{
	struct config_value value;
	char title[CONFIG_TITLE];

	return change->kind == CHANGE_SETTING && !change->dead &&
	       config_resolve_name(snapshot_string(s, change->name), &value, title, sizeof title, NULL) &&
	       is_of(value.row, title, partition, weight);
}

/* Does a partition set a weight itself, in the configuration or live, as far as names are shown? */
static bool has_its_own(const struct snapshot *s, uint32_t partition, struct config_weight weight)
{
	const char *name = snapshot_string(s, snapshot_partitions(s)[partition].name);
	const struct config_entry *entry = snapshot_values(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_VALUES); i++)
		if (is_of(&config_rows[entry[i].row], snapshot_string(s, entry[i].title), name, weight))
			return true;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++)
		if (changed_live(s, &snapshot_changes(s)[i], name, weight))
			return true;
	return false;
}

static bool hides_live(const struct snapshot *s)
{
	const struct change *change = snapshot_changes(s);

	for (uint32_t i = 0; s->masked && i < snapshot_count(s, TABLE_CHANGES); i++)
		if (change[i].kind == CHANGE_SETTING && !change[i].dead &&
		    strcmp(snapshot_string(s, change[i].name), SNAPSHOT_HIDDEN) == 0)
			return true;
	return false;
}

/* A weight that is another than that of all is the partition's own, whoever looks. */
enum crossing_moved crossing_moved(const struct crossing_pair *p, struct config_weight weight)
{
	uint32_t of_a = p->a.job->partition, of_b = p->b.job->partition;
	double here = crossing_value(&p->a.weights, weight), there = crossing_value(&p->b.weights, weight);

	if (of_a == of_b)
		return CROSSING_MOVES_BOTH;
	if (of_a != 0 || here < there || here > there || has_its_own(p->s, of_b, weight))
		return CROSSING_MOVES_ONE;
	return hides_live(p->s) ? CROSSING_MOVED_HIDDEN : CROSSING_MOVES_BOTH;
}
