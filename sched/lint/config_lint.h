/* SPDX-License-Identifier: MIT */
/*
 * config_lint.h - what the files of rules about a configuration share
 *
 * A rule says why something that is written does nothing, or what it does that nobody wants. What
 * is not written is never judged: defaults that idle are no mistake.
 */
#ifndef LINT_CONFIG_LINT_H
#define LINT_CONFIG_LINT_H

#include <stdarg.h>

#include "sched/config/config.h"

struct weight_set {
	const char *partition; /* "" is ALL */
	struct prio_weights weights;
};

/* The text that is judged, what holds by it, and what was found. */
struct lint {
	const struct config_list *list;
	struct policy policy;
	struct weight_set *set; /* [0] is ALL */
	size_t set_count, set_room;
	size_t system, system_end; /* where the values of the section system stand */
	bool qos_adds_queuetime, qos_adds_xfactor;
	bool nodes_have_procs;                /* node DEFAULT says how many  */
	const struct config_value *priorityf; /* some node's, NULL = no node has one           */
	bool weighs_priority;                 /* some of them names PRIORITY                   */
	struct config_finding *out;
	size_t room, found;
};

/* Sections that say nothing are not judged. */
void lint_drop_empty(struct config_list *list);

/* Value i of the text; empty sections are not among them. */
static inline const struct config_value *lint_value(const struct lint *l, size_t i)
{
	return &l->list->item[i].value;
}

static inline size_t lint_index(const struct lint *l, const struct config_value *value)
{
	return (size_t)((const struct config_kept *)value - l->list->item);
}

/* Where the values stand that are in one section with value i; they stand together. */
struct lint_section {
	size_t first, end;
};
struct lint_section lint_section_of(const struct lint *l, size_t i);

/*
 * A finding of a rule, wherever it is kept: about a value, NULL = about the whole; and that it goes when an
 * option is set so. A finding about the whole is about what would mend it.
 */
void config_finding_say(struct config_finding *out, const char *id, const struct config_value *value,
			const char *format, va_list args);
void config_finding_fix(struct config_finding *finding, const char *name, const char *format, va_list args);

/* A finding about a value of the text, NULL = about the whole. */
void lint_report(struct lint *l, const char *id, const struct config_value *value, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* "fsweight = 100 has no effect: ", "priority of user john has no effect: " and the reason. */
void lint_no_effect(struct lint *l, const char *id, const struct config_value *value, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* What was reported last goes when this is set: the option of the top level; the same option as the value's;
 * another option of the value's section. */
void lint_fix(struct lint *l, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void lint_fix_value(struct lint *l, const struct config_value *value, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void lint_fix_beside(struct lint *l, const struct config_value *value, const char *name, const char *format,
		     ...) __attribute__((format(printf, 4, 5)));
/* A weight of ALL or of a partition. */
void lint_fix_weight(struct lint *l, const struct weight_set *set, const char *name, double weight);

/* "maxjob of user john": a value in words. buf has room for LINT_WORDS bytes. */
#define LINT_WORDS 160
const char *lint_words(const struct config_value *value, char buf[static LINT_WORDS]);

/* A value that is a limit, read; one that is lifted ("unlimited") is none. */
bool lint_read_limit(const struct config_value *value, struct config_limit *out);

bool lint_is(const struct config_value *value, const char *scope, const char *name);

/* Does it say what would hold without it? */
bool lint_is_usual(const struct config_value *value);

/* How many sections of a kind set an option to something other than 0. */
unsigned lint_sections_with(const struct lint *l, const char *scope, const char *name);

/* What sets an option of a section, NULL if nothing does. */
const struct config_value *lint_value_in(const struct lint *l, const char *scope, const char *title,
					 const char *name);

/* What sets an option of the top level, NULL if nothing does; for a set of weights: its own, else that. */
const struct config_value *lint_value_of(const struct lint *l, const char *name);
const struct config_value *lint_value_for(const struct lint *l, const struct weight_set *set,
					  const char *name);

/* The weights that a value of the top level or of a partition belongs to. */
struct weight_set *lint_set_of(struct lint *l, const struct config_value *value);

/* Does a factor have a weight, its own or from a QOS? */
bool lint_has_weight(const struct lint *l, const struct weight_set *set, enum prio_factor f);

/* What hinders a factor from counting anywhere: the name of a weight that is 0, NULL if nothing does. */
const char *lint_missing_weight(const struct lint *l, enum prio_factor f);

/* Names of the options that set them; static storage. */
const char *lint_weight_name(enum prio_factor f);
const char *lint_component_weight_name(enum prio_component c);

/* --- the rules, in the order in which they are asked ---------------------------------------- */

/* Of one value, in the order of the file. */
void lint_weight(struct lint *l, const struct config_value *value);
void lint_share(struct lint *l, const struct config_value *value);
void lint_limit(struct lint *l, const struct config_value *value);
void lint_unused(struct lint *l, const struct config_value *value);
void lint_reach(struct lint *l, const struct config_value *value);

/* Of the whole. */
void lint_weights(struct lint *l);
void lint_order(struct lint *l);
void lint_shares(struct lint *l);
void lint_limits(struct lint *l);
void lint_access(struct lint *l);
void lint_accounts(struct lint *l);
void lint_site(struct lint *l);

/* Of a text alone: of a state lint.h asks the same of the nodes that there are. */
void lint_places(struct lint *l);

/* Has a QOS something that takes the place of others' limits of a kind? */
bool lint_is_overridden(const struct lint *l, enum limit_kind kind);

#endif
