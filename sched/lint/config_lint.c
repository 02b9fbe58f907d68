/* SPDX-License-Identifier: MIT */
/*
 * config_lint.c - lint of a configuration text: the rules and their order
 *
 * Rules about single values are checked first, in the order of the file, then the rules about the whole text.
 * A value of the top level is checked with the weights of the system, a value of a partition with the weights
 * of that partition.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "config_lint.h"
#include "lint_text.h"
#include "sched/base/vec.h"
#include "sched/model/expr.h"

static void collect_priorityf(struct lint *l, const struct config_value *value)
{
	struct expr expr;

	if (value->row->form != FORM_PRIORITYF || !expr_read(value->value.text, &expr, NULL))
		return;
	l->priorityf = value;
	l->weighs_priority = l->weighs_priority || expr_uses(&expr, EXPR_PRIORITY);
}

/* Sets the range of the values in section system, which are adjacent. */
static void find_system(struct lint *l)
{
	while (l->system < l->list->count && lint_value(l, l->system)->row->scope[0] != '!')
		l->system++;
	l->system_end = l->system;
	while (l->system_end < l->list->count && lint_value(l, l->system_end)->row->scope[0] == '!')
		l->system_end++;
}

/*
 * Derives the policy and the sets of weights from the values. The top level comes first, because partitions
 * inherit its weights.
 */
static void collect(struct lint *l)
{
	l->qos_adds_queuetime = lint_sections_with(l, "qos", "qtweight") > 0;
	l->qos_adds_xfactor = lint_sections_with(l, "qos", "xfweight") > 0;
	find_system(l);
	policy_default(&l->policy);
	l->nodes_have_procs = lint_value_in(l, "node", CRED_DEFAULT, "procs") != NULL;
	for (size_t i = 0; i < l->list->count; i++) {
		config_store(lint_value(l, i), &l->policy, NULL, NULL, NULL);
		collect_priorityf(l, lint_value(l, i));
	}
	l->set = vec_room(NULL, &l->set_room, 1, sizeof *l->set);
	l->set[l->set_count++] = (struct weight_set){.partition = "", .weights = l->policy.weights};
	for (size_t i = 0; i < l->list->count; i++)
		if (strcmp(lint_value(l, i)->row->scope, "partition") == 0)
			config_store(lint_value(l, i), NULL, &lint_set_of(l, lint_value(l, i))->weights, NULL,
				     NULL);
}

static void judge_value(struct lint *l, const struct config_value *value)
{
	lint_weight(l, value);
	lint_share(l, value);
	lint_limit(l, value);
	lint_unused(l, value);
	lint_reach(l, value);
}

static size_t judge(const struct config_list *list, bool is_text, struct config_finding *out, size_t room)
{
	struct lint l = {.list = list, .out = out, .room = room};

	collect(&l);
	for (size_t i = 0; i < list->count; i++)
		judge_value(&l, lint_value(&l, i));
	lint_weights(&l);
	lint_order(&l);
	lint_shares(&l);
	lint_limits(&l);
	lint_access(&l);
	lint_accounts(&l);
	lint_site(&l);
	if (is_text)
		lint_places(&l);
	free(l.set);
	return l.found;
}

size_t config_lint_list(const struct config_list *list, struct config_finding *out, size_t room)
{
	return judge(list, false, out, room);
}

size_t config_lint(const char *file, const char *text, size_t len, struct config_finding *out, size_t room)
{
	struct config_list list = {0};
	size_t found;

	if (!config_list_read(file, text, len, &list, NULL))
		return 0;
	lint_drop_empty(&list);
	found = judge(&list, true, out, room);
	config_list_free(&list);
	return found;
}
