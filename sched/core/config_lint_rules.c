/* SPDX-License-Identifier: MIT */
/*
 * config_lint_rules.c - which rules are there, how grave is what each finds, and what is it about?
 *
 * One row a rule, whatever file asks it: `kahu lint --rules` and the manual are printed from here.
 * An id never gets another meaning; a rule that goes leaves a gap.
 */
#include <stddef.h>

#include "config.h"
#include "sched/base/str.h"

const struct config_rule config_rules[] = {
	{"W1", SEVERITY_WARNING, "A component has a weight, and none of its factors has one."},
	{"W2", SEVERITY_WARNING, "A factor has a weight, and its component has none."},
	{"W3", SEVERITY_WARNING, "What is capped has no weight."},
	{"W4", SEVERITY_WARNING, "A factor has a weight, and nobody has what it weighs."},
	{"W5", SEVERITY_WARNING, "A credential has a value whose factor has no weight."},
	{"W6", SEVERITY_WARNING, "No factor of priority has a weight."},
	{"W7", SEVERITY_WARNING, "Penalties end at the lowest priority and tie there."},
	{"W8", SEVERITY_ERROR, "Jobs with a penalty are blocked, and waiting does not help them."},
	{"W9", SEVERITY_WARNING, "Backfill without reservations lets large jobs starve."},
	{"W10", SEVERITY_WARNING, "An option does nothing beside what else is set."},
	{"W11", SEVERITY_WARNING, "The xfactor of the shortest jobs grows without measure."},
	{"W12", SEVERITY_WARNING, "Jobs have priorities below 0: they tie at the lowest or are blocked."},
	{"W13", SEVERITY_WARNING, "Jobs past their target all reach the highest priority and tie."},
	{"W14", SEVERITY_WARNING, "Something of fairshare is set, and no usage is looked at."},
	{"W15", SEVERITY_WARNING, "A cap on usage that holds nobody."},
	{"W16", SEVERITY_WARNING, "A share of more than 100 percent."},
	{"W17", SEVERITY_WARNING, "Usage is recorded and moves no job."},
	{"W18", SEVERITY_WARNING, "A soft limit above the hard one."},
	{"W19", SEVERITY_WARNING, "A soft value where only the hard one is looked at."},
	{"W20", SEVERITY_WARNING, "A limit that is said twice."},
	{"W21", SEVERITY_ERROR, "A class that asks for more than it allows."},
	{"W22", SEVERITY_ERROR, "Jobs that name no wallclock limit are refused."},
	{"W23", SEVERITY_ERROR, "Jobs between their soft and hard limits never start."},
	{"W24", SEVERITY_WARNING,
	 "Priorities of nodes that nobody asks for, or none where they are asked for."},
	{"W25", SEVERITY_WARNING,
	 "A program that chooses nodes and is not asked, or is asked for and not there."},
	{"W26", SEVERITY_WARNING, "A reservation that newer jobs can take over again and again."},
	{"W27", SEVERITY_WARNING, "A reservation level that no job belongs to."},
	{"W28", SEVERITY_WARNING, "A default QOS that its jobs may not use."},
	{"W29", SEVERITY_WARNING, "A node that is described without its processors."},
	{"W30", SEVERITY_WARNING, "Waiting makes jobs less urgent."},
	{"W31", SEVERITY_WARNING, "Usage of running jobs has a weight, and only waiting jobs are ranked."},
	{"W32", SEVERITY_WARNING, "A cap on the xfactor that every job reaches."},
	{"W33", SEVERITY_WARNING, "Targets that add up to more than the machine."},
	{"W34", SEVERITY_WARNING, "A ceiling or cap that nobody can pass."},
	{"W35", SEVERITY_WARNING, "Windows of usage that count nothing."},
	{"W36", SEVERITY_WARNING, "Usage is forgotten before the longest job ends."},
	{"W37", SEVERITY_WARNING, "A limit for two credentials of one type: no job has both."},
	{"W38", SEVERITY_WARNING, "A limit that another one keeps from ever being reached."},
	{"W39", SEVERITY_WARNING, "A class allows what the system or the class itself does not."},
	{"W40", SEVERITY_ERROR, "A limit below what a job takes that names no wallclock limit."},
	{"W41", SEVERITY_WARNING, "An override, and no limit of its kind that it could take the place of."},
	{"W42", SEVERITY_WARNING, "A QOS whose jobs gain nothing by waiting."},
	{"W43", SEVERITY_WARNING, "A QOS that nobody may use."},
	{"W44", SEVERITY_WARNING, "A warning that comes when the job begins."},
	{"W45", SEVERITY_WARNING, "An umask that keeps jobs from their own files."},
	{"W46", SEVERITY_WARNING, "An administrator who is one of a higher level."},
	{"L1", SEVERITY_NOTE, "Something is set for a credential that no job has."},
	{"L2", SEVERITY_WARNING, "Weights of a partition without nodes."},
	{"L3", SEVERITY_ERROR, "A class that no node takes."},
	{"L4", SEVERITY_ERROR, "A class that asks for features no node has."},
	{"L5", SEVERITY_WARNING, "A limit above the whole machine."},
	{"L6", SEVERITY_ERROR, "Waiting jobs that fit on no nodes, ever."},
	{"L7", SEVERITY_NOTE, "The hard limit is many times the soft one for some and not for others."},
	{"L8", SEVERITY_ERROR, "Waiting jobs that alone are beyond a limit."},
	{"L9", SEVERITY_NOTE, "Limits on eligible jobs keep jobs from gaining priority."},
	{"L10", SEVERITY_ERROR, "Nothing can start: every node is drained."},
	{"L11", SEVERITY_NOTE, "A live change stands over a line of the configuration."},
	{"L12", SEVERITY_NOTE, "A reservation for somebody who has no job."},
	{"L13", SEVERITY_WARNING, "A cap on usage keeps jobs waiting while processors are free."},
};

const size_t config_rule_count = sizeof config_rules / sizeof config_rules[0];

const struct config_rule *config_rule_find(const char *id)
{
	for (size_t i = 0; i < config_rule_count; i++)
		if (str_same_word(config_rules[i].id, id))
			return &config_rules[i];
	return NULL;
}

const char *config_severity_name(enum config_severity severity)
{
	static const char *const names[] = {
		[SEVERITY_NOTE] = "note", [SEVERITY_WARNING] = "warning", [SEVERITY_ERROR] = "error"};

	return names[severity];
}
