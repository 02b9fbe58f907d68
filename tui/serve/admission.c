/* SPDX-License-Identifier: MIT */
/*
 * admission.c - does the site know what a submission names?
 */
#include "admission.h"

#include <string.h>

#include "sched/core/config.h"
#include "tui/qsub/qsub.h"

/* --- what the configuration names ---------------------------------------------------------------- */

struct naming {
	const char *scope, *name;
	bool any, this; /* it names some of that kind; this one */
};

static const char *scope_of(const struct config_value *value)
{
	return value->row != NULL ? value->row->scope : value->value.text;
}

static void look(struct naming *n, const struct config_value *value)
{
	if (strcmp(scope_of(value), n->scope) != 0 || strcmp(value->title, CRED_DEFAULT) == 0)
		return;
	n->any = true;
	n->this = n->this || strcmp(value->title, n->name) == 0;
}

/* Read again for a name that no job had before: seldom. */
static struct naming find_named(const struct snapshot *s, const char *scope, const char *name)
{
	const char *text = snapshot_string(s, s->config_text);
	struct naming n = {.scope = scope, .name = name};
	struct config_list list = {0};

	if (config_list_read("kahu.conf", text, strlen(text), &list, NULL))
		for (size_t i = 0; i < list.count; i++)
			look(&n, &list.item[i].value);
	config_list_free(&list);
	return n;
}

/* --- class and QOS ---------------------------------------------------------------------------------- */

static bool check_class(const struct state *st, const char *name, struct err *err)
{
	const struct snapshot *s = state_view(st);
	struct naming n;

	if (name == NULL || snapshot_find_trait(s, TRAIT_CLASS, name) >= 0)
		return true;
	n = find_named(s, "class", name);
	return n.this || !n.any ||
	       err_set(err, "class %s is not known here; 'kahu config' lists what is", name);
}

static bool check_qos(const struct state *st, const struct job_record *record, struct err *err)
{
	const struct snapshot *s = state_view(st);
	const char *name = record->cred[CRED_QOS];
	uint32_t cred[CRED_TYPE_COUNT];

	if (name == NULL)
		return true;
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		cred[type] = record->cred[type] == NULL ? INDEX_NONE
							: state_find_cred(st, type, record->cred[type]);
	if (cred[CRED_QOS] == INDEX_NONE)
		return find_named(s, "qos", name).this ||
		       err_set(err, "QOS %s is not known here; 'kahu config' lists what is", name);
	return snapshot_qos_for(s, cred, cred[CRED_QOS]) == cred[CRED_QOS] ||
	       err_set(err, "QOS %s is not open to %s; leave it out, or ask an administrator", name,
		       record->cred[CRED_USER] != NULL ? record->cred[CRED_USER] : "this job");
}

/* --- names ---------------------------------------------------------------------------------------------- */

static bool can_be_shown(const struct job_record *record, struct err *err)
{
	const char *const text[] = {record->name, record->label, record->cred[CRED_ACCOUNT],
				    record->cred[CRED_CLASS], record->cred[CRED_QOS]};

	for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
		if (text[i] != NULL && !qsub_is_shown(text[i]))
			return err_set(err, "a name of the submission has bytes that cannot be shown; write "
					    "letters, digits and signs");
	return true;
}

bool admission_check(const struct state *st, const struct job_record *record, struct err *err)
{
	return can_be_shown(record, err) && check_class(st, record->cred[CRED_CLASS], err) &&
	       check_qos(st, record, err);
}
