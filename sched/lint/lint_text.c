/* SPDX-License-Identifier: MIT */
/*
 * lint_text.c - functions for lint rules: queries of a text, findings and fixes; and the rules about the host
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config_lint.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

/* --- queries of the text -------------------------------------------------------------- */

/* Empty sections have no effect. */
void lint_drop_empty(struct config_list *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (list->item[i].value.row)
			list->item[kept++] = list->item[i];
		else
			free(list->item[i].words);
	}
	list->count = kept;
}

bool lint_is(const struct config_value *value, const char *scope, const char *name)
{
	return strcmp(value->row->scope, scope) == 0 && strcmp(value->row->name, name) == 0;
}

bool lint_read_limit(const struct config_value *value, struct config_limit *out)
{
	return value->row->form == FORM_LIMIT &&
	       config_limit_read(value->row, value->second, value->second_len, value->value.text, out,
				 NULL) &&
	       out->hard != LIMIT_UNLIMITED;
}

bool lint_is_usual(const struct config_value *value)
{
	const struct option *row = value->row;
	struct option_value usual;

	if (!row->fallback || !option_read(row, row->fallback, &usual, NULL))
		return false;
	return row->type == OPTION_LIST ? str_same_word(usual.text, value->value.text)
					: usual.number == value->value.number;
}

unsigned lint_sections_with(const struct lint *l, const char *scope, const char *name)
{
	unsigned count = 0;

	for (size_t i = 0; i < l->list->count; i++)
		if (lint_is(lint_value(l, i), scope, name))
			count += lint_value(l, i)->value.number != 0;
	return count;
}

const struct config_value *lint_value_in(const struct lint *l, const char *scope, const char *title,
					 const char *name)
{
	for (size_t i = 0; i < l->list->count; i++)
		if (lint_is(lint_value(l, i), scope, name) && strcmp(lint_value(l, i)->title, title) == 0)
			return lint_value(l, i);
	return NULL;
}

const struct config_value *lint_value_of(const struct lint *l, const char *name)
{
	return lint_value_in(l, "", "", name);
}

const struct config_value *lint_value_for(const struct lint *l, const struct weight_set *set,
					  const char *name)
{
	const struct config_value *own = lint_value_in(l, "partition", set->partition, name);

	return own != NULL ? own : lint_value_of(l, name);
}

static bool same_section(const struct lint *l, size_t a, size_t b)
{
	const struct config_value *x = lint_value(l, a), *y = lint_value(l, b);

	return strcmp(x->row->scope, y->row->scope) == 0 && strcmp(x->title, y->title) == 0;
}

struct lint_section lint_section_of(const struct lint *l, size_t i)
{
	struct lint_section section = {i, i + 1};

	while (section.first > 0 && same_section(l, section.first - 1, i))
		section.first--;
	while (section.end < l->list->count && same_section(l, section.end, i))
		section.end++;
	return section;
}

/* --- weights ------------------------------------------------------------------------- */

struct weight_set *lint_set_of(struct lint *l, const struct config_value *value)
{
	const char *partition = strcmp(value->row->scope, "partition") == 0 ? value->title : "";

	for (size_t i = 0; i < l->set_count; i++)
		if (str_same_word(l->set[i].partition, partition))
			return &l->set[i];
	l->set = vec_room(l->set, &l->set_room, l->set_count + 1, sizeof *l->set);
	l->set[l->set_count] = (struct weight_set){.partition = partition, .weights = l->policy.weights};
	return &l->set[l->set_count++];
}

bool lint_has_weight(const struct lint *l, const struct weight_set *set, enum prio_factor f)
{
	return set->weights.factor[f] != 0 || (f == PRIO_SERV_QUEUETIME && l->qos_adds_queuetime) ||
	       (f == PRIO_SERV_XFACTOR && l->qos_adds_xfactor);
}

const char *lint_missing_weight(const struct lint *l, enum prio_factor f)
{
	enum prio_component c = policy_factor_info(f)->component;
	const char *missing = NULL;

	for (size_t i = 0; i < l->set_count; i++) {
		if (!lint_has_weight(l, &l->set[i], f))
			missing = lint_weight_name(f);
		else if (l->set[i].weights.component[c] == 0)
			missing = lint_component_weight_name(c);
		else
			return NULL;
	}
	return missing;
}

const char *lint_weight_name(enum prio_factor f)
{
	return config_weight_name((struct config_weight){FACTOR_WEIGHT, f});
}

const char *lint_component_weight_name(enum prio_component c)
{
	return config_weight_name((struct config_weight){COMPONENT_WEIGHT, c});
}

/* --- findings and fixes ------------------------------------------------------------------------------- */

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

/* --- findings about a text ---------------------------------------------------------------------------- */

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

/* --- fixes ------------------------------------------------------------------------- */

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

/* --- checks of this host ------------------------------------------------------------------------------ */

/*
 * Rules H1 to H5. The caller, who runs on the host whose configuration is checked, passes a function that
 * answers questions about the host; this file performs no I/O.
 */

struct host {
	struct lint lint;
	host_ask *ask;
	void *self;
	const char *file;
	const struct config_value *first_program;
};

/* --- programs ---------------------------------------------------------------------------- */

/* The consequence of a missing program. NULL: the value is not a program. */
static const char *loss_of(const struct config_value *value)
{
	static const struct {
		const char *name, *loss;
	} programs[] = {
		{"prolog", "no job starts"},
		{"epilog", "nothing cleans up after jobs"},
		{"notifyprogram", "no notifications are sent"},
		{"mailprogram", "no mail is sent"},
		{"localnodeallocation", "nodes are allocated as with minresource"},
	};

	for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
		if (lint_is(value, "", programs[i].name))
			return programs[i].loss;
	return NULL;
}

static void judge_program(struct host *h, const struct config_value *value)
{
	const char *path = value->value.text, *loss = loss_of(value);
	const char *rule = lint_is(value, "", "prolog") ? "H1" : "H2";
	enum host_state state;
	struct err why;

	if (loss == NULL || path[0] == '\0')
		return;
	h->first_program = h->first_program != NULL ? h->first_program : value;
	state = h->ask(h->self, HOST_PROGRAM, path, &why);
	if (state == HOST_GOOD)
		return;
	if (state == HOST_UNTRUSTED)
		lint_report(&h->lint, rule, value, "%s, so %s", why.text, loss);
	else
		lint_report(&h->lint, rule, value,
			    state == HOST_MISSING
				    ? "%s = %s does not exist, so %s; install it or remove the option"
				    : "%s = %s is not an executable program, so %s; chmod +x it or remove "
				      "the option",
			    value->row->name, path, loss);
	lint_fix_value(&h->lint, value, "%s", "");
}

/* --- users ------------------------------------------------------------------------------ */

static bool is_known(const struct host *h, const char *word, size_t len)
{
	char name[CONFIG_TITLE];

	if (len >= sizeof name)
		return false;
	memcpy(name, word, len);
	name[len] = '\0';
	return h->ask(h->self, HOST_USER, name, NULL) == HOST_GOOD;
}

/* Appends the words of a list of names that exist, or do not exist, on the host. */
static void add_known(const struct host *h, const char *list, bool known, struct str *out)
{
	const char *word;
	size_t len;

	while ((word = config_word(&list, &len)) != NULL)
		if (is_known(h, word, len) == known)
			str_addf(out, "%s%.*s", out->len > 0 ? " " : "", (int)len, word);
}

static void judge_admins(struct host *h, const struct config_value *value)
{
	struct str unknown = {0}, known = {0};

	if (!lint_is(value, "", "admin1") && !lint_is(value, "", "admin2") && !lint_is(value, "", "admin3"))
		return;
	add_known(h, value->value.text, false, &unknown);
	add_known(h, value->value.text, true, &known);
	if (unknown.len > 0) {
		lint_report(&h->lint, "H3", value,
			    "%s contains names without an account on this host: %s; a user who gets such an "
			    "account later is an "
			    "administrator immediately",
			    value->row->name, str_text(&unknown));
		lint_fix_value(&h->lint, value, "%s", str_text(&known));
	}
	str_free(&unknown);
	str_free(&known);
}

/* Is it the first value of the section of a user who does not exist on this host? */
static bool is_of_stranger(const struct host *h, size_t i)
{
	const struct config_value *value = lint_value(&h->lint, i);

	return strcmp(value->row->scope, "user") == 0 && strcmp(value->title, CRED_DEFAULT) != 0 &&
	       lint_section_of(&h->lint, i).first == i && !is_known(h, value->title, strlen(value->title));
}

/* One finding for all users: a configuration from another host names many. */
static void judge_sections(struct host *h)
{
	const struct config_value *first = NULL;
	struct config_finding *finding;
	int64_t others = -1;

	for (size_t i = 0; i < h->lint.list->count; i++) {
		if (!is_of_stranger(h, i))
			continue;
		first = first != NULL ? first : lint_value(&h->lint, i);
		others++;
	}
	if (first == NULL)
		return;
	if (others == 0)
		lint_report(&h->lint, "H4", first,
			    "user %s has no account on this host, and therefore no jobs", first->title);
	else
		lint_report(&h->lint, "H4", first,
			    "user %s and %" PRId64 " other%s with settings have no account on this host",
			    first->title, others, others == 1 ? "" : "s");
	if (h->lint.found > h->lint.room)
		return;
	finding = &h->lint.out[h->lint.found - 1];
	finding->count = others + 1;
}

/* Only for a configuration that contains programs; the finding is at the first of them. */
static void judge_file(struct host *h)
{
	struct err why;

	if (h->first_program == NULL || h->ask(h->self, HOST_CONFIG, h->file, &why) != HOST_UNTRUSTED)
		return;
	lint_report(&h->lint, "H5", h->first_program, "no program that it names is run, as %s", why.text);
}

static void judge(struct host *h)
{
	for (size_t i = 0; i < h->lint.list->count; i++) {
		judge_program(h, lint_value(&h->lint, i));
		judge_admins(h, lint_value(&h->lint, i));
	}
	judge_sections(h);
	judge_file(h);
}

size_t config_lint_host(const char *file, const char *text, size_t len, host_ask *ask, void *self,
			struct config_finding *out, size_t room)
{
	struct config_list list = {0};
	struct host h = {
		.lint = {.list = &list, .out = out, .room = room}, .ask = ask, .self = self, .file = file};

	if (!config_list_read(file, text, len, &list, NULL))
		return 0;
	lint_drop_empty(&list);
	judge(&h);
	config_list_free(&list);
	return h.lint.found;
}
