/* SPDX-License-Identifier: MIT */
/*
 * config_lint_found.c - how is written what a rule finds, and what would mend it?
 */
#include <stdarg.h>
#include <stdio.h>

#include "config_lint.h"
#include "sched/base/str.h"

void config_finding_say(struct config_finding *out, const char *id, const struct config_value *value,
			const char *format, va_list args)
{
	struct str name = {0};

	*out = (struct config_finding){.id = id,
				       .severity = config_rule_find(id)->severity,
				       .line = value != NULL ? value->place.line : 0};
	if (value != NULL)
		config_print_name(value, &name);
	snprintf(out->option, sizeof out->option, "%s", str_text(&name));
	vsnprintf(out->text, sizeof out->text, format, args);
	str_free(&name);
}

void config_finding_fix(struct config_finding *finding, const char *name, const char *format, va_list args)
{
	char value[sizeof finding->fix];

	vsnprintf(value, sizeof value, format, args);
	if (snprintf(finding->fix, sizeof finding->fix, "%s=%s", name, value) >= (int)sizeof finding->fix)
		finding->fix[0] = '\0';
	if (finding->option[0] == '\0')
		snprintf(finding->option, sizeof finding->option, "%s", name);
}

/* --- of a text ---------------------------------------------------------------------------- */

void lint_report(struct lint *l, const char *id, const struct config_value *value, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (l->found < l->room)
		config_finding_say(&l->out[l->found], id, value, format, args);
	va_end(args);
	l->found++;
}

const char *lint_words(const struct config_value *value, char buf[static LINT_WORDS])
{
	const char *section = option_section_name(value->row->scope);

	if (value->title[0])
		snprintf(buf, LINT_WORDS, "%s of %s %s", value->row->name, section, value->title);
	else if (section[0])
		snprintf(buf, LINT_WORDS, "%s of the %s", value->row->name, section);
	else
		snprintf(buf, LINT_WORDS, "%s = %s", value->row->name, value->value.text);
	return buf;
}

void lint_no_effect(struct lint *l, const char *id, const struct config_value *value, const char *format, ...)
{
	char reason[sizeof l->out->text], words[LINT_WORDS];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof reason, format, args);
	va_end(args);
	lint_report(l, id, value, "%s has no effect: %s", lint_words(value, words), reason);
}

/* --- what to set ------------------------------------------------------------------------- */

static void set_fix(struct lint *l, const char *name, const char *format, va_list args)
{
	if (l->found <= l->room)
		config_finding_fix(&l->out[l->found - 1], name, format, args);
}

void lint_fix(struct lint *l, const char *name, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set_fix(l, name, format, args);
	va_end(args);
}

void lint_fix_value(struct lint *l, const struct config_value *value, const char *format, ...)
{
	struct str name = {0};
	va_list args;

	config_print_name(value, &name);
	va_start(args, format);
	set_fix(l, str_text(&name), format, args);
	va_end(args);
	str_free(&name);
}

static void add_section(const struct option *row, const char *title, struct str *out)
{
	if (row->scope[0] == '!')
		str_addf(out, "%s.", option_section_name(row->scope));
	else if (row->scope[0] != '\0')
		str_addf(out, "%s[%s].", row->scope, title);
}

void lint_fix_beside(struct lint *l, const struct config_value *value, const char *name, const char *format,
		     ...)
{
	struct str path = {0};
	va_list args;

	add_section(value->row, value->title, &path);
	str_add(&path, name);
	va_start(args, format);
	set_fix(l, str_text(&path), format, args);
	va_end(args);
	str_free(&path);
}

void lint_fix_weight(struct lint *l, const struct weight_set *set, const char *name, double weight)
{
	struct str path = {0};

	if (set->partition[0] != '\0')
		str_addf(&path, "partition[%s].", set->partition);
	str_add(&path, name);
	lint_fix(l, str_text(&path), "%g", weight);
	str_free(&path);
}
