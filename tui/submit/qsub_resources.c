/* SPDX-License-Identifier: MIT */
/*
 * qsub_resources.c - what does -l ask for, and what do the job extensions of -W x=?
 *
 * One table serves both: -l qos=hi,tpn=2 and -W x=QOS:hi;TPN:2 say the same (Maui Administrator's
 * Guide 13.3). What the guide has and a job cannot say here is refused with the reason.
 */
#include <string.h>

#include "qsub_inside.h"
#include "sched/base/duration.h"
#include "sched/config/config.h"

#define BETWEEN ",+:&" /* names of a list */

/* --- amounts --------------------------------------------------------------------------------------- */

static bool read_procs(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	int64_t number;

	(void)by;
	return qsub_read_count(text, &number, err) &&
	       qsub_set_shape(&qsub_shape(s)->tasks, number, "processors", err);
}

static bool read_ncpus(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	int64_t number;

	(void)by;
	return qsub_read_count(text, &number, err) &&
	       qsub_set_shape(&qsub_shape(s)->per_node, number, "processors of a node", err);
}

static bool read_tpn(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return qsub_read_count(text, &s->draft.tasks_per_node, err);
}

static bool read_memory(struct submission *s, struct qsub_memory *memory, enum qsub_scope scope,
			const char *text, struct err *err)
{
	int64_t mb;

	if (!memory_parse(text, &mb, err))
		return false;
	qsub_memory(s, memory)->mb[scope] = mb;
	return true;
}

static bool read_mem(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return read_memory(s, &s->draft.memory, QSUB_JOB, text, err);
}

static bool read_pmem(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return read_memory(s, &s->draft.memory, QSUB_TASK, text, err);
}

static bool read_vmem(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return read_memory(s, &s->draft.swap, QSUB_JOB, text, err);
}

static bool read_pvmem(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return read_memory(s, &s->draft.swap, QSUB_TASK, text, err);
}

static bool read_gpus(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return qsub_read_gpus(s, text, QSUB_NODE, err);
}

static bool read_gres(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return qsub_read_gres(s, text, QSUB_TASK, err);
}

static bool read_software(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return qsub_read_gres(s, text, QSUB_JOB, err);
}

/* --- names and choices ------------------------------------------------------------------------------ */

static bool refuse_choice(const char *text, struct err *err)
{
	return strpbrk(text, "|[]()*") == NULL ||
	       err_set(err,
		       "\"%s\": a job has no choice between features; name those it needs, as in "
		       "fast+tape",
		       text);
}

static bool read_features(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return refuse_choice(text, err) && qsub_read_names(s, text, BETWEEN, &s->draft.features, NULL, err);
}

static bool read_prefer(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return refuse_choice(text, err) && qsub_read_names(s, text, BETWEEN, &s->draft.prefer, NULL, err);
}

static bool read_hosts(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return qsub_read_names(s, text, BETWEEN, &s->draft.hosts, NULL, err);
}

static bool read_partition(struct submission *s, const struct submitter *by, const char *text,
			   struct err *err)
{
	(void)by;
	return qsub_read_name(s, text, &s->draft.partition, err);
}

/* As the configuration names them. */
static bool read_choice(const char *row, const char *text, int64_t *out, struct err *err)
{
	struct option_value value;

	if (!option_read(option_find(config_rows, config_row_count, "", row), text, &value, err))
		return false;
	*out = value.whole;
	return true;
}

static bool read_access(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	int64_t choice;

	(void)by;
	if (!read_choice("nodeaccesspolicy", text, &choice, err))
		return false;
	s->draft.access = (uint8_t)choice;
	return true;
}

static bool read_allocation(struct submission *s, const struct submitter *by, const char *text,
			    struct err *err)
{
	int64_t choice;

	(void)by;
	if (!read_choice("nodeallocationpolicy", text, &choice, err))
		return false;
	s->draft.allocation = (uint8_t)(choice + 1);
	return true;
}

static bool read_flags(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	if (!str_same_word(text, "restartable"))
		return err_set(err, "\"%s\" is no flag that a job can have here; there is RESTARTABLE", text);
	s->launch.flags |= LAUNCH_REQUEUE;
	return true;
}

/* --- what cannot be said ----------------------------------------------------------------------------- */

static bool refuse_reservation(struct submission *s, const struct submitter *by, const char *text,
			       struct err *err)
{
	(void)s;
	(void)by;
	return err_set(err,
		       "a job cannot be bound to the reservation \"%s\": it runs where its policy puts it",
		       text);
}

static bool refuse_node_set(struct submission *s, const struct submitter *by, const char *text,
			    struct err *err)
{
	(void)s;
	(void)by;
	return err_set(err, "a job cannot ask for the node set \"%s\"; ask for a feature its nodes have",
		       text);
}

static bool refuse_sizes(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)s;
	(void)by;
	return err_set(err, "a job has one size, not a choice of \"%s\"; ask for one of them", text);
}

static bool refuse_at_once(struct submission *s, const struct submitter *by, const char *text,
			   struct err *err)
{
	(void)s;
	(void)by;
	return str_same_word(text, "true") ||
	       err_set(err, "a job that cannot start at once waits; ask 'kahu windows' for what is free now");
}

static bool refuse_prologue(struct submission *s, const struct submitter *by, const char *text,
			    struct err *err)
{
	(void)s;
	(void)by;
	return err_set(err, "\"%.60s\": a job has no prologue of its own; call it in the script", text);
}

/* --- the table ----------------------------------------------------------------------------------------- */

static const struct qsub_row resources[] = {
	{"nodes", '\0', "N[:ppn=N][:gpus=N][:FEATURE]... or HOST+HOST", "nodes, and processors of each",
	 qsub_read_nodes},
	{"procs", '\0', "N", "processors, wherever they are", read_procs},
	{"ncpus", '\0', "N", "processors of one node", read_ncpus},
	{"ppn", '\0', "N", "the same", read_ncpus},
	{"mppwidth", '\0', "N", "as procs", read_procs},
	{"size", '\0', "N", "as procs", read_procs},
	{"mppnppn", '\0', "N", "as ncpus", read_ncpus},
	{"tpn", '\0', "N", "at least so many tasks on each node, and a multiple", read_tpn},
	{"walltime", '\0', "DURATION", "how long it may run", qsub_read_walltime},
	{"mem", '\0', "SIZE", "memory of the whole job", read_mem},
	{"pmem", '\0', "SIZE", "memory of each task", read_pmem},
	{"dmem", '\0', "SIZE", "the same", read_pmem},
	{"vmem", '\0', "SIZE", "virtual memory of the whole job", read_vmem},
	{"pvmem", '\0', "SIZE", "virtual memory of each task", read_pvmem},
	{"gpus", '\0', "N", "GPUs on each node", read_gpus},
	{"gres", '\0', "NAME[:N][,...]", "generic resources of each task", read_gres},
	{"software", '\0', "NAME[:N][,...]", "licences of the whole job", read_software},
	{"feature", '\0', "NAME[+NAME]...", "features its nodes must have", read_features},
	{"features", '\0', "NAME[+NAME]...", "the same", read_features},
	{"pref", '\0', "NAME[+NAME]...", "features it would like", read_prefer},
	{"hostlist", '\0', "NODE[+NODE]...", "nodes it may run on", read_hosts},
	{"partition", '\0', "NAME", "a partition", read_partition},
	{"qos", '\0', "NAME", "a quality of service", qsub_read_qos},
	{"naccesspolicy", '\0', "POLICY", "who may share its nodes", read_access},
	{"nallocpolicy", '\0', "POLICY", "how its nodes are chosen", read_allocation},
	{"flags", '\0', "RESTARTABLE", "as -r y", read_flags},
	{"select", '\0', "N:ncpus=N[:mem=SIZE][:ngpus=N]...", "N equal chunks, each on one node",
	 qsub_read_select},
	{"place", '\0', "free|pack|scatter[:excl|:shared]", "where the chunks are", qsub_read_place},
	{"ngpus", '\0', "N", "as gpus", read_gpus},
	{"host", '\0', "NODE", "as hostlist", read_hosts},
	{"cput", '\0', "DURATION", "no effect: processor time is not limited", NULL},
	{"pcput", '\0', "DURATION", "the same", NULL},
	{"file", '\0', "SIZE", "no effect", NULL},
	{"nice", '\0', "N", "no effect", NULL},
	{"arch", '\0', "NAME", "no effect", NULL},
	{"container", '\0', "X", "no effect", NULL},
	{"deadline", '\0', "X", "no effect", NULL},
	{"filesystems", '\0', "X", "no effect", NULL},
	{"jobfs", '\0', "SIZE", "no effect", NULL},
	{"minwclimit", '\0', "X", "no effect", NULL},
	{"mppmem", '\0', "SIZE", "no effect", NULL},
	{"neednodes", '\0', "X", "no effect", NULL},
	{"nodect", '\0', "N", "no effect", NULL},
	{"signal", '\0', "X", "no effect", NULL},
	{"singularity", '\0', "X", "no effect", NULL},
	{"storage", '\0', "X", "no effect", NULL},
	{"taskdistpolicy", '\0', "X", "no effect", NULL},
	{"ttc", '\0', "X", "no effect", NULL},
	{"opsys", '\0', "NAME", "no effect", NULL},
	{"ompthreads", '\0', "N", "no effect: see OMP_NUM_THREADS", NULL},
	{"mpiprocs", '\0', "N", "no effect outside select", NULL},
	{"queuejob", '\0', "TRUE", "a job that cannot start waits", refuse_at_once},
};
static const struct qsub_table resource_table = {resources, sizeof resources / sizeof resources[0]};

static const struct qsub_row refusals[] = {
	{"advres", '\0', NULL, NULL, refuse_reservation}, {"nodeset", '\0', NULL, NULL, refuse_node_set},
	{"trl", '\0', NULL, NULL, refuse_sizes},          {"prologue", '\0', NULL, NULL, refuse_prologue},
	{"epilogue", '\0', NULL, NULL, refuse_prologue},
};
static const struct qsub_table refusal_table = {refusals, sizeof refusals / sizeof refusals[0]};

void qsub_list_resources(struct str *out)
{
	for (size_t i = 0; i < resource_table.count; i++) {
		const struct qsub_row *row = &resources[i];

		str_addf(out, "  -l %s=%s\n        %s\n", row->name, row->takes, row->help);
	}
}

static bool no_such_resource(const char *name, struct err *err)
{
	return err_set(err, "%.40s is not a resource; 'kahu submit --help' lists those that are", name);
}

static bool read_resource(struct submission *s, const struct submitter *by, const struct qsub_pair *pair,
			  struct err *err)
{
	const struct qsub_row *row = qsub_find(&resource_table, pair->name, strlen(pair->name));

	if (row == NULL)
		row = qsub_find(&refusal_table, pair->name, strlen(pair->name));
	if (row == NULL)
		return no_such_resource(pair->name, err);
	return qsub_read_row(s, by, row, row->read == NULL ? "-l " : "", pair->value, err);
}

bool qsub_read_resources(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	struct qsub_pair pair = {.name = ""};
	struct err bad = {""};

	if (text[0] == '\0')
		return err_set(err, "nothing stands there");
	/* NCI's word for the folder of submission, in which jobs run anyway. */
	if (strcmp(text, "wd") == 0)
		return true;
	if (strncmp(text, "wd,", 3) == 0)
		text += 3;
	while (qsub_next_pair(s, &text, &pair, &bad))
		if (!read_resource(s, by, &pair, err))
			return false;
	return bad.text[0] == '\0' || err_set(err, "%s", bad.text);
}

/* NAME:VALUE, text is changed. */
static bool read_extension(struct submission *s, const struct submitter *by, char *text, struct err *err)
{
	size_t len = strcspn(text, ":=");
	struct qsub_pair pair = {.name = text, .value = text + len + 1};

	if (text[len] == '\0')
		return err_set(err, "\"%s\" is no job extension; write NAME:VALUE;NAME:VALUE", text);
	text[len] = '\0';
	return read_resource(s, by, &pair, err);
}

bool qsub_read_extensions(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	char *rest = arena_copy(&s->arena, text, strlen(text) + 1);

	do {
		char *word = rest;

		rest += strcspn(rest, ";");
		if (*rest == ';')
			*rest++ = '\0';
		if (!read_extension(s, by, word, err))
			return false;
	} while (*rest != '\0');
	return true;
}
