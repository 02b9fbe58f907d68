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
	const char *partition; /* "" = the whole system */
	struct prio_weights weights;
};

/* The configuration that is checked, values derived from it, and the findings. */
struct lint {
	const struct config_list *list;
	struct policy policy;
	struct weight_set *set; /* [0] has the weights of the system */
	size_t set_count, set_room;
	size_t system, system_end;                 /* index range of the values in section system */
	bool qos_adds_queuetime, qos_adds_xfactor; /* does a QOS set qtweight, or xfweight? */
	bool nodes_have_procs;                     /* does node DEFAULT set procs? */
	const struct config_value *priorityf;      /* a priorityf of a node; NULL = no node has one */
	bool weighs_priority;                      /* does a priorityf contain PRIORITY? */
	struct config_finding *out;
	size_t room, found; /* capacity of `out`; number of findings, which may be larger */
};

/* Removes empty sections, which are not checked. */
void lint_drop_empty(struct config_list *list);

/* Returns value i of the configuration; empty sections are not counted. */
static inline const struct config_value *lint_value(const struct lint *l, size_t i)
{
	return &l->list->item[i].value;
}

static inline size_t lint_index(const struct lint *l, const struct config_value *value)
{
	return (size_t)((const struct config_kept *)value - l->list->item);
}

/* The values of one section, which are adjacent: from index `first` to before `end`. */
struct lint_section {
	size_t first, end;
};
/* Returns the section that contains value i. */
struct lint_section lint_section_of(const struct lint *l, size_t i);

/* Reports a finding of the rule `id` about a value; NULL = about the whole text. */
void lint_report(struct lint *l, const char *id, const struct config_value *value, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Reports "fsweight = 100 has no effect: REASON" or "priority of user john has no effect: REASON". */
void lint_no_effect(struct lint *l, const char *id, const struct config_value *value, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * Set the fix of the last finding to a value, which the format makes, of an option: of the top level
 * (lint_fix), of the option that `value` sets (lint_fix_value), or of another option in the section of
 * `value` (lint_fix_beside).
 */
void lint_fix(struct lint *l, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void lint_fix_value(struct lint *l, const struct config_value *value, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void lint_fix_beside(struct lint *l, const struct config_value *value, const char *name, const char *format,
		     ...) __attribute__((format(printf, 4, 5)));
/* Sets the fix of the last finding to a weight of the system or of a partition. */
void lint_fix_weight(struct lint *l, const struct weight_set *set, const char *name, double weight);

/* Writes a description of a value to buf and returns it: "maxjob of user john". */
#define LINT_WORDS 160
const char *lint_words(const struct config_value *value, char buf[static LINT_WORDS]);

/* Parses a value that is a limit. Returns false if the value is not a limit, or is "unlimited". */
bool lint_read_limit(const struct config_value *value, struct config_limit *out);

/* Is it a value of the option `name` of this scope? */
bool lint_is(const struct config_value *value, const char *scope, const char *name);

/* Does the value equal the default of its option? */
bool lint_is_usual(const struct config_value *value);

/* Returns the number of sections of a kind that set an option to a value other than 0. */
unsigned lint_sections_with(const struct lint *l, const char *scope, const char *name);

/* Returns the value of an option in a section; NULL if it is not set there. */
const struct config_value *lint_value_in(const struct lint *l, const char *scope, const char *title,
					 const char *name);

/* Returns the value of an option of the top level; NULL if it is not set. */
const struct config_value *lint_value_of(const struct lint *l, const char *name);
/*
 * Returns the value of a weight or cap in a set of weights: that of the partition, otherwise that of the top
 * level.
 */
const struct config_value *lint_value_for(const struct lint *l, const struct weight_set *set,
					  const char *name);

/* Returns the set of weights of the partition in whose section a value is, otherwise that of the system. */
struct weight_set *lint_set_of(struct lint *l, const struct config_value *value);

/* Does a factor have a weight, either in this set of weights or added by a QOS? */
bool lint_has_weight(const struct lint *l, const struct weight_set *set, enum prio_factor f);

/*
 * Returns NULL if a factor counts in at least one set of weights: its weight and that of its component are
 * not 0. Otherwise returns the name of a weight that is 0.
 */
const char *lint_missing_weight(const struct lint *l, enum prio_factor f);

/* Return the name of the option that sets the weight of a factor, or of a component; static storage. */
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

/* Only for a text without a state: lint_state checks the same with the existing nodes. */
void lint_places(struct lint *l);

/* Does a QOS override limits of this kind that other credentials have? */
bool lint_is_overridden(const struct lint *l, enum limit_kind kind);

#endif
