/* SPDX-License-Identifier: MIT */
/*
 * lint_settings.c - which settings stand against each other: live ones over lines, limits of one kind?
 *
 * Rules L7 and L11.
 */
#include <inttypes.h>
#include <string.h>

#include "lint_inside.h"

/* From here on hard limits are so unlike that somebody may have mistyped one. */
#define RATIO_APART 4

/* --- hard limits beside soft ones ------------------------------------------------------------ */

/* Of one row: where hard is most, and least, times soft. */
struct ratios {
	const struct config_value *most, *least;
	double most_ratio, least_ratio;
};

static double ratio_of(const struct config_value *value)
{
	struct config_limit limit;

	if (value->row->form != FORM_LIMIT ||
	    !config_limit_read(value->row, value->second, value->second_len, value->value.text, &limit,
			       NULL) ||
	    limit.hard == LIMIT_UNLIMITED || limit.soft >= limit.hard)
		return 0;
	return (double)limit.hard / (double)limit.soft;
}

static struct ratios ratios_of(const struct lint_view *v, const struct option *row)
{
	struct ratios r = {.most = NULL};

	for (size_t i = 0; i < v->values->count; i++) {
		const struct config_value *value = &v->values->item[i].value;
		double ratio = value->row == row ? ratio_of(value) : 0;

		if (ratio > 0 && (r.most == NULL || ratio > r.most_ratio)) {
			r.most = value;
			r.most_ratio = ratio;
		}
		if (ratio > 0 && (r.least == NULL || ratio < r.least_ratio)) {
			r.least = value;
			r.least_ratio = ratio;
		}
	}
	return r;
}

/* One row after another; most have no limit that is set. */
static void uneven_ratios(const struct lint_view *v)
{
	for (size_t i = 0; i < config_row_count; i++) {
		const struct option *row = &config_rows[i];
		struct ratios r = row->form == FORM_LIMIT ? ratios_of(v, row) : (struct ratios){.most = NULL};

		if (r.most != NULL && r.least != NULL && r.most_ratio >= RATIO_APART * r.least_ratio)
			lint_found(
				v, "L7", r.most,
				"%s: the hard limit is %.1f times the soft one for %s %s, %.1f times for %s "
				"(intended?)",
				row->name, r.most_ratio, row->scope, r.most->title, r.least_ratio,
				r.least->title);
	}
}

/* --- live changes over lines ------------------------------------------------------------------ */

/* The configuration's own value of that name; lists of names have several elements and are not compared. */
static bool find_line(const struct snapshot *s, const struct config_value *live, int *line, const char **text)
{
	struct str name = {0}, other = {0};
	bool found = false;

	config_print_name(live, &name);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_VALUES); i++) {
		const struct config_entry *entry = &snapshot_values(s)[i];
		struct config_value value = {.row = &config_rows[entry->row],
					     .title = snapshot_string(s, entry->title),
					     .value.text = snapshot_string(s, entry->text)};

		if (value.row != live->row ||
		    (value.row->type == OPTION_LIST && value.row->form != FORM_LIMIT))
			continue;
		str_clear(&other);
		config_print_name(&value, &other);
		if (!str_same_word(str_text(&name), str_text(&other)))
			continue;
		found = true;
		*line = (int)entry->line;
		*text = config_value_text(&value);
	}
	str_free(&name);
	str_free(&other);
	return found;
}

/* The value in force, when this change is it. */
static void over_a_line(const struct lint_view *v, const struct change *change)
{
	const char *name = snapshot_string(v->s, change->name), *text = snapshot_string(v->s, change->value);
	const char *said = NULL;
	struct config_value value;
	struct config_finding *found;
	char title[CONFIG_TITLE];
	int line = 0;

	if (!config_resolve(name, text, &value, title, sizeof title, NULL) ||
	    !find_line(v->s, &value, &line, &said) || str_same_word(said, text))
		return;
	found = lint_found(v, "L11", NULL,
			   "%s is %s since entry %" PRIu64 ", over %s in line %d of the configuration", name,
			   text, change->seq, said, line);
	found->line = line;
	lint_say_fix(found, name, "%s", said);
}

static bool is_last_of_name(const struct snapshot *s, uint32_t at)
{
	const struct change *change = snapshot_changes(s);

	for (uint32_t i = at + 1; i < snapshot_count(s, TABLE_CHANGES); i++)
		if (change[i].kind == CHANGE_SETTING && !change[i].dead &&
		    str_same_word(snapshot_string(s, change[i].name), snapshot_string(s, change[at].name)))
			return false;
	return true;
}

void lint_settings(const struct lint_view *v)
{
	uneven_ratios(v);
	for (uint32_t i = 0; i < snapshot_count(v->s, TABLE_CHANGES); i++) {
		const struct change *change = &snapshot_changes(v->s)[i];

		if (change->kind == CHANGE_SETTING && !change->dead && is_last_of_name(v->s, i))
			over_a_line(v, change);
	}
}
