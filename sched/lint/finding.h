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

/* The screen on which findings of a rule are shown, in addition to that of the configuration. */
enum config_subject {
	SUBJECT_OF_OPTION, /* determined by the option in the finding */
	SUBJECT_SHARES,
	SUBJECT_LIMITS,
	SUBJECT_OTHER
};

/* A rule with its description. IDs are stable: W rules check a text, L rules the live state, H rules the
 * host. */
struct config_rule {
	const char *id;
	enum config_severity severity;
	const char *says;
	enum config_subject subject;
};
extern const struct config_rule config_rules[];
extern const size_t config_rule_count;
/* Rule by ID, in any case; NULL if there is none. */
const struct config_rule *config_rule_find(const char *id);
/* "note", "warning", "error"; static storage. */
const char *config_severity_name(enum config_severity severity);

struct config_finding {
	const char *id; /* "W3": ID of the rule */
	enum config_severity severity;
	int line;                 /* line in the text; 0 = the whole text, or a live change */
	int64_t count;            /* number of affected jobs or nodes; 0 = not counted */
	char option[CONFIG_NAME]; /* name of the value, as config_resolve accepts it; "" = none */
	char fix[CONFIG_NAME +
		 64];   /* "NAME=VALUE": a setting that resolves the finding; "" = there is no single one */
	char text[256]; /* the problem and what to do about it */
};

/* Never SUBJECT_OF_OPTION: resolved to the subject of the option, for example shares for fsinterval. */
enum config_subject config_finding_subject(const struct config_finding *finding);

/*
 * Fills a finding of a rule about a value, NULL = about the whole text; and sets the fix, an option value
 * that resolves the finding. A finding about the whole text gets the option of its fix.
 */
void config_finding_say(struct config_finding *out, const char *id, const struct config_value *value,
			const char *format, va_list args);
void config_finding_fix(struct config_finding *finding, const char *name, const char *format, va_list args);

#endif
