/* SPDX-License-Identifier: MIT */
/*
 * finding.c - lint rules with their severity, and findings
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "finding.h"
#include "sched/base/str.h"

/* --- the rules with their severity and subject -------------------------------------------------------- */

/*
 * One row per rule, including those in other files: `kahu lint --rules` and the manual are generated from
 * this table. The meaning of an ID never changes; the ID of a removed rule is not reused.
 */

const struct config_rule config_rules[] = {
	{"W1", SEVERITY_WARNING, "A component has a weight, but none of its factors has one.",
	 SUBJECT_OF_OPTION},
	{"W2", SEVERITY_WARNING, "A factor has a weight, but its component has none.", SUBJECT_OF_OPTION},
	{"W3", SEVERITY_WARNING, "A cap of a component or factor without a weight.", SUBJECT_OF_OPTION},
	{"W4", SEVERITY_WARNING, "A factor has a weight, but no credential has a value for it.",
	 SUBJECT_OF_OPTION},
	{"W5", SEVERITY_WARNING, "A credential has a value whose factor has no weight.", SUBJECT_OF_OPTION},
	{"W6", SEVERITY_WARNING, "No factor of priority has a weight.", SUBJECT_OF_OPTION},
	{"W7", SEVERITY_WARNING, "Jobs with different penalties tie at the lowest priority.",
	 SUBJECT_OF_OPTION},
	{"W8", SEVERITY_ERROR, "Jobs with a penalty are blocked, and waiting does not help them.",
	 SUBJECT_OF_OPTION},
	{"W9", SEVERITY_WARNING, "Backfill without reservations lets large jobs starve.", SUBJECT_OF_OPTION},
	{"W10", SEVERITY_WARNING, "An option has no effect with the other settings.", SUBJECT_OF_OPTION},
	{"W11", SEVERITY_WARNING, "The xfactor of the shortest jobs grows without bound.", SUBJECT_OF_OPTION},
	{"W12", SEVERITY_WARNING, "Jobs have priorities below 0: they tie at the lowest or are blocked.",
	 SUBJECT_OF_OPTION},
	{"W13", SEVERITY_WARNING, "Jobs past their target all reach the highest priority and tie.",
	 SUBJECT_OF_OPTION},
	{"W14", SEVERITY_WARNING, "Fairshare options are set, but usage is not recorded.", SUBJECT_SHARES},
	{"W15", SEVERITY_WARNING, "A cap on usage that applies to no credential.", SUBJECT_SHARES},
	{"W16", SEVERITY_WARNING, "A share of more than 100 percent.", SUBJECT_SHARES},
	{"W17", SEVERITY_WARNING, "Usage is recorded, but changes no priority.", SUBJECT_SHARES},
	{"W18", SEVERITY_WARNING, "A soft limit above the hard one.", SUBJECT_LIMITS},
	{"W19", SEVERITY_WARNING, "A soft value where only the hard one counts.", SUBJECT_LIMITS},
	{"W20", SEVERITY_WARNING, "A limit that is set twice.", SUBJECT_LIMITS},
	{"W21", SEVERITY_ERROR, "A class that requires more than it allows.", SUBJECT_LIMITS},
	{"W22", SEVERITY_ERROR, "Jobs without a wallclock limit never start.", SUBJECT_OF_OPTION},
	{"W23", SEVERITY_ERROR, "Jobs between their soft and hard limits never start.", SUBJECT_LIMITS},
	{"W24", SEVERITY_WARNING, "Node priorities that are not used, or none where they are needed.",
	 SUBJECT_OF_OPTION},
	{"W25", SEVERITY_WARNING, "A node allocation program that is not used, or none where it is needed.",
	 SUBJECT_OF_OPTION},
	{"W26", SEVERITY_WARNING, "A reservation that newer jobs can take over repeatedly.",
	 SUBJECT_OF_OPTION},
	{"W27", SEVERITY_WARNING, "A reservation level that no job belongs to.", SUBJECT_OF_OPTION},
	{"W28", SEVERITY_WARNING, "A default QOS that its jobs may not use.", SUBJECT_OF_OPTION},
	{"W29", SEVERITY_WARNING, "A node section without the number of processors.", SUBJECT_OF_OPTION},
	{"W30", SEVERITY_WARNING, "Waiting lowers the priority of jobs.", SUBJECT_OF_OPTION},
	{"W31", SEVERITY_WARNING, "Usage of running jobs has a weight, but only idle jobs are ranked.",
	 SUBJECT_OF_OPTION},
	{"W32", SEVERITY_WARNING, "A cap on the xfactor that every job reaches.", SUBJECT_OF_OPTION},
	{"W33", SEVERITY_WARNING, "Targets that add up to more than 100 percent.", SUBJECT_SHARES},
	{"W34", SEVERITY_WARNING, "A ceiling or cap that cannot be exceeded.", SUBJECT_SHARES},
	{"W35", SEVERITY_WARNING, "Fairshare windows that do not count.", SUBJECT_SHARES},
	{"W36", SEVERITY_WARNING, "Usage is forgotten before the longest job ends.", SUBJECT_SHARES},
	{"W37", SEVERITY_WARNING, "A limit for two credentials of one type: no job has both.",
	 SUBJECT_LIMITS},
	{"W38", SEVERITY_WARNING, "A limit that can never be reached because of another limit.",
	 SUBJECT_LIMITS},
	{"W39", SEVERITY_WARNING, "A class allows more than the system or the class itself.", SUBJECT_LIMITS},
	{"W40", SEVERITY_ERROR, "A limit below the default wallclock limit or memory of jobs.",
	 SUBJECT_LIMITS},
	{"W41", SEVERITY_WARNING, "An override without a limit of its kind to override.", SUBJECT_LIMITS},
	{"W42", SEVERITY_WARNING, "A QOS whose jobs gain nothing by waiting.", SUBJECT_OF_OPTION},
	{"W43", SEVERITY_WARNING, "A QOS that no job may use.", SUBJECT_OF_OPTION},
	{"W44", SEVERITY_WARNING, "A warning that is sent when the job starts.", SUBJECT_OF_OPTION},
	{"W45", SEVERITY_WARNING, "An umask that denies jobs access to their own files.", SUBJECT_OF_OPTION},
	{"W46", SEVERITY_WARNING, "An administrator who is also listed at a higher level.",
	 SUBJECT_OF_OPTION},
	{"W47", SEVERITY_WARNING, "A default account that its jobs may not charge.", SUBJECT_OF_OPTION},
	{"W48", SEVERITY_WARNING, "A list of accounts contains an account without a section.",
	 SUBJECT_OF_OPTION},
	{"W49", SEVERITY_WARNING, "A list of QOS contains a QOS without a section.", SUBJECT_OF_OPTION},
	{"W50", SEVERITY_WARNING, "Fairshare windows of less than a minute.", SUBJECT_SHARES},
	{"W51", SEVERITY_WARNING, "A limit on memory of a few MB, where GB may be meant.", SUBJECT_LIMITS},
	{"W52", SEVERITY_WARNING, "A class requires a feature that no node section contains.",
	 SUBJECT_OF_OPTION},
	{"W53", SEVERITY_ERROR, "A class that no node section accepts.", SUBJECT_OF_OPTION},
	{"W54", SEVERITY_WARNING, "The minimum of a class exceeds the limit of a credential.",
	 SUBJECT_LIMITS},
	{"W55", SEVERITY_WARNING,
	 "A weight that takes ordinary jobs to the highest priority, where they tie.", SUBJECT_OF_OPTION},
	{"W56", SEVERITY_WARNING, "A limit on memory that does not count jobs without a memory request.",
	 SUBJECT_LIMITS},
	{"L1", SEVERITY_NOTE, "A setting of a credential that no job has.", SUBJECT_OF_OPTION},
	{"L2", SEVERITY_WARNING, "Weights of a partition without nodes.", SUBJECT_OF_OPTION},
	{"L3", SEVERITY_ERROR, "A class that no node accepts.", SUBJECT_OF_OPTION},
	{"L4", SEVERITY_ERROR, "A class that requires features no node has.", SUBJECT_OF_OPTION},
	{"L5", SEVERITY_WARNING, "A limit above the whole machine.", SUBJECT_LIMITS},
	{"L6", SEVERITY_ERROR, "Idle jobs that can never fit on any nodes.", SUBJECT_OF_OPTION},
	{"L7", SEVERITY_NOTE,
	 "The ratio of the hard limit to the soft limit differs widely between credentials.", SUBJECT_LIMITS},
	{"L8", SEVERITY_ERROR, "Idle jobs whose own request exceeds a limit.", SUBJECT_LIMITS},
	{"L9", SEVERITY_NOTE, "Limits on eligible jobs keep jobs from gaining priority.", SUBJECT_LIMITS},
	{"L10", SEVERITY_ERROR, "No job can start: every node is drained.", SUBJECT_OF_OPTION},
	{"L11", SEVERITY_NOTE, "A live change overrides a line of the configuration.", SUBJECT_OF_OPTION},
	{"L12", SEVERITY_NOTE, "An advance reservation whose guests have neither jobs nor fairshare usage.",
	 SUBJECT_OF_OPTION},
	{"L13", SEVERITY_WARNING, "A cap on usage keeps jobs waiting while processors are free.",
	 SUBJECT_SHARES},
	{"H1", SEVERITY_ERROR, "A prolog that does not exist or cannot be run on this host: no job starts.",
	 SUBJECT_OTHER},
	{"H2", SEVERITY_WARNING, "A program that does not exist or cannot be run on this host.",
	 SUBJECT_OTHER},
	{"H3", SEVERITY_WARNING, "An administrator without an account on this host.", SUBJECT_OTHER},
	{"H4", SEVERITY_NOTE, "Settings of users without an account on this host.", SUBJECT_OTHER},
	{"H5", SEVERITY_ERROR, "Programs in a configuration that another user can modify: none is run.",
	 SUBJECT_OTHER},
};

const size_t config_rule_count = sizeof config_rules / sizeof config_rules[0];

const struct config_rule *config_rule_find(const char *id)
{
	for (size_t i = 0; i < config_rule_count; i++)
		if (str_same_word(config_rules[i].id, id))
			return &config_rules[i];
	return NULL;
}

static enum config_subject subject_of_option(const char *name)
{
	struct config_value value;
	char title[CONFIG_TITLE];

	if (!config_resolve_name(name, &value, title, sizeof title, NULL))
		return SUBJECT_OTHER;
	if (value.row->form == FORM_LIMIT)
		return SUBJECT_LIMITS;
	return strncmp(value.row->name, "fs", 2) == 0 ? SUBJECT_SHARES : SUBJECT_OTHER;
}

enum config_subject config_finding_subject(const struct config_finding *finding)
{
	enum config_subject subject = config_rule_find(finding->id)->subject;

	return subject == SUBJECT_OF_OPTION ? subject_of_option(finding->option) : subject;
}

const char *config_severity_name(enum config_severity severity)
{
	static const char *const names[] = {
		[SEVERITY_NOTE] = "note", [SEVERITY_WARNING] = "warning", [SEVERITY_ERROR] = "error"};

	return names[severity];
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
