/* SPDX-License-Identifier: MIT */
/*
 * finding.h - lint rules with their severity, and findings
 */
#ifndef LINT_FINDING_H
#define LINT_FINDING_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/config/config.h"

enum config_severity {
	SEVERITY_NOTE,    /* possibly not intended */
	SEVERITY_WARNING, /* a setting does not have the effect it suggests */
	SEVERITY_ERROR    /* some or all jobs can never run */
};

/* The screen that shows the findings of a rule, in addition to the Config screen. */
enum config_subject {
	SUBJECT_OF_OPTION, /* the screen depends on the option in the finding */
	SUBJECT_SHARES,
	SUBJECT_LIMITS,
	SUBJECT_OTHER
};

/*
 * A lint rule. IDs never change their meaning. W rules check the text of a configuration, L rules also use
 * the live state, and H rules the host.
 */
struct config_rule {
	const char *id;
	enum config_severity severity;
	const char *says;
	enum config_subject subject;
};
extern const struct config_rule config_rules[];
extern const size_t config_rule_count;
/* Finds a rule by its ID, in any case; NULL if there is none. */
const struct config_rule *config_rule_find(const char *id);
/* Returns "note", "warning" or "error"; static storage. */
const char *config_severity_name(enum config_severity severity);

struct config_finding {
	const char *id; /* "W3": ID of the rule */
	enum config_severity severity;
	int line;      /* line in the text; 0 = the finding is about the whole text or a live change */
	int64_t count; /* number of affected jobs or nodes; 0 = not counted */
	char option[CONFIG_NAME]; /* name of the value, as config_resolve accepts it; "" = none */
	char fix[CONFIG_NAME +
		 64];   /* "NAME=VALUE": a setting that resolves the finding; "" = no single setting does */
	char text[256]; /* the problem and what to do about it */
};

/*
 * Returns the subject of a finding: that of its rule or, for SUBJECT_OF_OPTION, of its option, for example
 * SUBJECT_SHARES for fsinterval. Never returns SUBJECT_OF_OPTION.
 */
enum config_subject config_finding_subject(const struct config_finding *finding);

/* Fills a finding of the rule `id` about a value (NULL: about the whole text). */
void config_finding_say(struct config_finding *out, const char *id, const struct config_value *value,
			const char *format, va_list args);
/*
 * Sets the fix of a finding to NAME=VALUE, with VALUE from the format and args; no fix if the result is too
 * long. If the finding has no option, its option becomes NAME.
 */
void config_finding_fix(struct config_finding *finding, const char *name, const char *format, va_list args);

#endif
