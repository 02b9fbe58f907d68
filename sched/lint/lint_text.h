/* SPDX-License-Identifier: MIT */
/*
 * lint_text.h - a configuration text as the lint rules see it, and the rules
 *
 * A rule explains why a setting has no effect, or an effect that is probably not intended. Only settings that
 * are written are checked: a default without effect is not an error.
 */
#ifndef LINT_LINT_TEXT_H
#define LINT_LINT_TEXT_H

#include "finding.h"

struct weight_set {
	const char *partition; /* "" is ALL */
	struct prio_weights weights;
};

/* The text that is checked, values derived from it, and the findings. */
struct lint {
	const struct config_list *list;
	struct policy policy;
	struct weight_set *set; /* [0] is ALL */
	size_t set_count, set_room;
	size_t system, system_end; /* range of the values of section system */
	bool qos_adds_queuetime, qos_adds_xfactor;
	bool nodes_have_procs;                /* node DEFAULT sets procs      */
	const struct config_value *priorityf; /* priorityf of a node, NULL = there is none */
	bool weighs_priority;                 /* a priorityf contains PRIORITY */
	struct config_finding *out;
	size_t room, found;
};

/* Removes empty sections, which are not checked. */
void lint_drop_empty(struct config_list *list);

/* Value i of the text, without empty sections. */
static inline const struct config_value *lint_value(const struct lint *l, size_t i)
{
	return &l->list->item[i].value;
}

static inline size_t lint_index(const struct lint *l, const struct config_value *value)
{
	return (size_t)((const struct config_kept *)value - l->list->item);
}

/* The range of the values in the same section as value i, which are adjacent. */
struct lint_section {
	size_t first, end;
};
struct lint_section lint_section_of(const struct lint *l, size_t i);

/* Reports a finding about a value of the text, NULL = about the whole text. */
void lint_report(struct lint *l, const char *id, const struct config_value *value, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Reports "fsweight = 100 has no effect: ", "priority of user john has no effect: " and the reason. */
void lint_no_effect(struct lint *l, const char *id, const struct config_value *value, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Set the fix of the last finding: an option of the top level; the option of the value; another option of the
 * value's section. */
void lint_fix(struct lint *l, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void lint_fix_value(struct lint *l, const struct config_value *value, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void lint_fix_beside(struct lint *l, const struct config_value *value, const char *name, const char *format,
		     ...) __attribute__((format(printf, 4, 5)));
/* Sets a weight of ALL or of a partition as the fix. */
void lint_fix_weight(struct lint *l, const struct weight_set *set, const char *name, double weight);

/* Describes a value: "maxjob of user john". buf has LINT_WORDS bytes. */
#define LINT_WORDS 160
const char *lint_words(const struct config_value *value, char buf[static LINT_WORDS]);

/* Parses a value that is a limit; false if it is not, or if it is "unlimited". */
bool lint_read_limit(const struct config_value *value, struct config_limit *out);

bool lint_is(const struct config_value *value, const char *scope, const char *name);

/* Does the value equal the default? */
bool lint_is_usual(const struct config_value *value);

/* The number of sections of a kind that set an option to a value other than 0. */
unsigned lint_sections_with(const struct lint *l, const char *scope, const char *name);

/* The value of an option in a section, NULL if it is not set. */
const struct config_value *lint_value_in(const struct lint *l, const char *scope, const char *title,
					 const char *name);

/* The value of an option of the top level, NULL if it is not set; for a set of weights: its own, otherwise
 * that. */
const struct config_value *lint_value_of(const struct lint *l, const char *name);
const struct config_value *lint_value_for(const struct lint *l, const struct weight_set *set,
					  const char *name);

/* The set of weights that a value of the top level or of a partition belongs to. */
struct weight_set *lint_set_of(struct lint *l, const struct config_value *value);

/* Does a factor have a weight, its own or that of a QOS? */
bool lint_has_weight(const struct lint *l, const struct weight_set *set, enum prio_factor f);

/* The name of a weight that is 0, so that the factor counts nowhere; NULL if there is none. */
const char *lint_missing_weight(const struct lint *l, enum prio_factor f);

/* Names of the options that set the weight; static storage. */
const char *lint_weight_name(enum prio_factor f);
const char *lint_component_weight_name(enum prio_component c);

/* --- the rules, in the order in which they are checked ---------------------------------------- */

/* Rules about one value, checked in the order of the file. */
void lint_weight(struct lint *l, const struct config_value *value);
void lint_share(struct lint *l, const struct config_value *value);
void lint_limit(struct lint *l, const struct config_value *value);
void lint_unused(struct lint *l, const struct config_value *value);
void lint_reach(struct lint *l, const struct config_value *value);

/* Rules about the whole text. */
void lint_weights(struct lint *l);
void lint_order(struct lint *l);
void lint_shares(struct lint *l);
void lint_limits(struct lint *l);
void lint_access(struct lint *l);
void lint_accounts(struct lint *l);
void lint_site(struct lint *l);

/* Only for a text without a state: lint.h checks the same with the existing nodes. */
void lint_places(struct lint *l);

/* Does a QOS override limits of other credentials of this kind? */
bool lint_is_overridden(const struct lint *l, enum limit_kind kind);

#endif
