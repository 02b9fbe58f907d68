/* SPDX-License-Identifier: MIT */
/*
 * qsub_sbatch.c - what does a #SBATCH line ask for?
 *
 * Slurm's options as they are written in scripts: --name=value, --name value, -n value, -nvalue. A
 * partition of Slurm is a class here. Where Slurm would choose (2-4 nodes, one feature of
 * two) a job cannot say it, and is refused.
 */
#include <string.h>

#include "qsub_inside.h"
#include "sched/base/duration.h"
#include "sched/core/machine.h"

/* --- how many, and where ---------------------------------------------------------------------------- */

static bool read_ntasks(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	int64_t number;

	(void)by;
	return qsub_read_count(text, &number, err) &&
	       qsub_set_shape(&qsub_shape(s)->tasks, number, "tasks", err);
}

static bool read_nodes(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	int64_t number;

	(void)by;
	if (strchr(text, '-') != NULL)
		return err_set(err, "\"%s\": a job has a fixed number of nodes, not a range", text);
	return qsub_read_count(text, &number, err) &&
	       qsub_set_shape(&qsub_shape(s)->nodes, number, "nodes", err);
}

static bool read_per_node(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	int64_t number;

	(void)by;
	return qsub_read_count(text, &number, err) &&
	       qsub_set_shape(&qsub_shape(s)->per_node, number, "tasks of a node", err);
}

static bool read_task_procs(struct submission *s, const struct submitter *by, const char *text,
			    struct err *err)
{
	int64_t number;

	(void)by;
	return qsub_read_count(text, &number, err) &&
	       qsub_set_shape(&qsub_shape(s)->task_procs, number, "processors of a task", err);
}

static bool read_node_list(struct submission *s, const struct submitter *by, const char *text,
			   struct err *err)
{
	struct qsub_shape *shape = qsub_shape(s);
	uint32_t count;

	(void)by;
	if (strchr(text, '[') != NULL)
		return err_set(err, "\"%s\": write the name of each node, with commas between them", text);
	return qsub_read_names(s, text, ",", &shape->hosts, &count, err) &&
	       qsub_set_shape(&shape->nodes, count, "nodes", err);
}

static bool read_constraint(struct submission *s, const struct submitter *by, const char *text,
			    struct err *err)
{
	(void)by;
	if (strpbrk(text, "|,[]()*!") != NULL)
		return err_set(err,
			       "\"%s\": a job has no choice between features; write those it needs as a&b",
			       text);
	return qsub_read_names(s, text, "&", &s->draft.features, NULL, err);
}

/* Optional: "user"; all else shares with nobody. */
static bool read_exclusive(struct submission *s, const struct submitter *by, const char *text,
			   struct err *err)
{
	(void)by;
	if (text[0] != '\0' && strcmp(text, "user") != 0)
		return err_set(err, "\"%s\": there is --exclusive alone and --exclusive=user", text);
	s->draft.access = text[0] == '\0' ? ACCESS_SINGLEJOB : ACCESS_SINGLEUSER;
	return true;
}

/* --- memory and devices -------------------------------------------------------------------------------- */

/* 4G, 512M, 100000K or a number of MB. */
static bool read_size(struct submission *s, const char *text, int64_t *mb, struct err *err)
{
	size_t len = strlen(text), digits = strspn(text, "0123456789");
	char *copy = arena_take(&s->arena, len + 2);
	int64_t kb;

	memcpy(copy, text, len + 1);
	if (digits + 1 == len && strchr("kK", text[digits]) != NULL) {
		copy[digits] = '\0';
		if (!str_read_whole(copy, &kb) || kb > MEMORY_MAX_MB * 1024)
			return err_set(err, "\"%s\" is more memory than there is", text);
		*mb = (kb + 1023) / 1024;
	} else {
		if (digits + 1 == len && strchr("mMgGtT", text[digits]) != NULL)
			memcpy(copy + len, "b", sizeof "b");
		if (!memory_parse(copy, mb, NULL))
			return err_set(err, "\"%s\" is not a size of memory: write 512, 512M, 4G or 1T",
				       text);
	}
	return *mb > 0 ||
	       err_set(err, "\"%s\": all memory of a node cannot be asked for; write how much", text);
}

static bool read_mem(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	int64_t mb = 0;

	(void)by;
	if (!read_size(s, text, &mb, err))
		return false;
	qsub_memory(s, &s->draft.memory)->mb[QSUB_NODE] = mb;
	return true;
}

static bool read_mem_per_cpu(struct submission *s, const struct submitter *by, const char *text,
			     struct err *err)
{
	int64_t mb = 0;

	(void)by;
	if (!read_size(s, text, &mb, err))
		return false;
	qsub_memory(s, &s->draft.memory)->mb[QSUB_PROC] = mb;
	return true;
}

static bool read_gres(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return qsub_read_gres(s, text, QSUB_NODE, err);
}

static bool add_gpus(struct submission *s, const char *text, enum qsub_scope scope, struct err *err)
{
	int64_t number;

	return qsub_read_count(text, &number, err) && qsub_add_gres(s, "gpu", (uint32_t)number, scope, err);
}

static bool read_gpus(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return add_gpus(s, text, QSUB_JOB, err);
}

static bool read_gpus_per_node(struct submission *s, const struct submitter *by, const char *text,
			       struct err *err)
{
	(void)by;
	return add_gpus(s, text, QSUB_NODE, err);
}

static bool read_gpus_per_task(struct submission *s, const struct submitter *by, const char *text,
			       struct err *err)
{
	(void)by;
	return add_gpus(s, text, QSUB_TASK, err);
}

/* --- the rest ----------------------------------------------------------------------------------------------
 */

/* Errors go where the output goes, unless they are sent elsewhere. */
static bool read_output(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	s->draft.errors_follow = s->draft.errors == NULL;
	return qsub_read_output(s, by, text, err);
}

static bool requeue(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	(void)text;
	(void)err;
	s->launch.flags |= LAUNCH_REQUEUE;
	return true;
}

static bool no_requeue(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	(void)text;
	(void)err;
	s->launch.flags &= ~(uint32_t)LAUNCH_REQUEUE;
	return true;
}

/* Slurm's words for qsub's letters; NULL: none of them. */
static const char *mail_letters(const char *word, size_t len)
{
	static const struct {
		const char *name, *letters;
	} words[] = {{"NONE", ""}, {"BEGIN", "b"}, {"END", "e"}, {"FAIL", "a"}, {"ALL", "bea"}};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strlen(words[i].name) == len && strncasecmp(words[i].name, word, len) == 0)
			return words[i].letters;
	return NULL;
}

static bool read_mail_type(struct submission *s, const struct submitter *by, const char *text,
			   struct err *err)
{
	bool wanted[3] = {false, false, false};
	char mail[4] = "";
	size_t count = 0;

	(void)by;
	for (;; text++) {
		size_t len = strcspn(text, ",");
		const char *letters = mail_letters(text, len);

		if (letters == NULL)
			return err_set(err, "\"%.*s\" is not known; there are BEGIN, END, FAIL, ALL and NONE",
				       (int)(len < 60 ? len : 60), text);
		for (int i = 0; i < 3; i++)
			wanted[i] = wanted[i] || strchr(letters, "bea"[i]) != NULL;
		text += len;
		if (*text == '\0')
			break;
	}
	for (int i = 0; i < 3; i++)
		if (wanted[i])
			mail[count++] = "bea"[i];
	s->mail = count == 0 ? NULL : arena_string(&s->arena, mail);
	return true;
}

/* --- the table
 * ---------------------------------------------------------------------------------------------- */

static const struct qsub_row options[] = {
	{"account", 'A', "NAME", "who pays", qsub_read_account},
	{"array", 'a', "RANGES[%N]", "an array of jobs", qsub_read_array},
	{"begin", 'b', "TIME", "not before", qsub_read_slurm_begin},
	{"chdir", 'D', "DIR", "the job's folder", qsub_read_dir},
	{"constraint", 'C', "NAME[&NAME]...", "features its nodes must have", read_constraint},
	{"cpus-per-task", 'c', "N", "processors of each task", read_task_procs},
	{"dependency", 'd', "afterok:JOB[:JOB]...", "jobs that come first", qsub_read_depend},
	{"error", 'e', "PATH", "where its errors go", qsub_read_errors},
	{"exclusive", '\0', "[=user]", "it has its nodes alone, or with its user's jobs", read_exclusive},
	{"export", '\0', "ALL|NONE|NAME[=VALUE][,...]", "variables it gets", qsub_read_export},
	{"gpus", 'G', "N", "GPUs of the whole job", read_gpus},
	{"gpus-per-node", '\0', "N", "GPUs on each node", read_gpus_per_node},
	{"gpus-per-task", '\0', "N", "GPUs of each task", read_gpus_per_task},
	{"gres", '\0', "NAME[:N][,...]", "generic resources on each node", read_gres},
	{"hold", 'H', NULL, "it is held until 'kahu release'", qsub_hold},
	{"job-name", 'J', "NAME", "its name", qsub_read_job_name},
	{"mail-type", '\0', "TYPE[,...]", "mail at BEGIN, END, FAIL, ALL or NONE", read_mail_type},
	{"mail-user", '\0', "ADDRESS", "who gets that mail; else the user", qsub_read_mail_to},
	{"mem", '\0', "SIZE", "memory on each node", read_mem},
	{"mem-per-cpu", '\0', "SIZE", "memory for each processor", read_mem_per_cpu},
	{"no-requeue", '\0', NULL, "it is never run again", no_requeue},
	{"nodelist", 'w', "NODE[,NODE]...", "its nodes", read_node_list},
	{"nodes", 'N', "N", "how many nodes", read_nodes},
	{"ntasks", 'n', "N", "how many tasks", read_ntasks},
	{"ntasks-per-node", '\0', "N", "tasks on each node", read_per_node},
	{"output", 'o', "PATH", "where its output goes, and its errors", read_output},
	{"partition", 'p', "NAME", "its class", qsub_read_class},
	{"qos", 'q', "NAME", "a quality of service", qsub_read_qos},
	{"requeue", '\0', NULL, "it may be run again when its end is not known", requeue},
	{"time", 't', "TIME", "how long it may run, in minutes or days-hours:minutes:seconds",
	 qsub_read_slurm_limit},
};
static const struct qsub_table option_table = {options, sizeof options / sizeof options[0]};

void qsub_list_sbatch(struct str *out)
{
	for (size_t i = 0; i < option_table.count; i++) {
		const struct qsub_row *row = &options[i];
		bool optional = row->takes != NULL && row->takes[0] == '[';

		str_add(out, "  ");
		if (row->letter != '\0')
			str_addf(out, "-%c, ", row->letter);
		str_addf(out, "--%s%s%s\n        %s\n", row->name, row->takes == NULL || optional ? "" : "=",
			 row->takes == NULL ? "" : row->takes, row->help);
	}
}

/* --- walking
 * ------------------------------------------------------------------------------------------------- */

static const struct qsub_row *find_letter(char letter)
{
	for (size_t i = 0; i < option_table.count; i++)
		if (options[i].letter == letter)
			return &options[i];
	return NULL;
}

/* The row of "--name=value", "--name", "-n" or "-nvalue"; *value is what stands in the word itself. */
static const struct qsub_row *find_option(const char *word, const char **value)
{
	size_t len;

	*value = NULL;
	if (word[0] != '-' || word[1] == '\0')
		return NULL;
	if (word[1] != '-') {
		*value = word[2] == '\0' ? NULL : word + 2;
		return find_letter(word[1]);
	}
	len = strcspn(word + 2, "=");
	if (word[2 + len] == '=')
		*value = word + 2 + len + 1;
	return len < 2 ? NULL : qsub_find(&option_table, word + 2, len);
}

static bool no_such_option(const char *word, struct err *err)
{
	struct str names = {0};

	qsub_add_names(&option_table, "--", &names);
	err_set(err, "\"%.40s\" is not known; there are %s", word, str_text(&names));
	str_free(&names);
	return false;
}

bool qsub_read_sbatch(struct submission *s, const struct submitter *by, int count, const char *const *word,
		      struct err *err)
{
	for (int at = 0; at < count; at++) {
		const char *value;
		const struct qsub_row *row = find_option(word[at], &value);

		if (row == NULL)
			return no_such_option(word[at], err);
		if (row->takes == NULL && value != NULL)
			return err_set(err, "--%s takes no value, got \"%s\"", row->name, value);
		if (row->takes != NULL && row->takes[0] != '[' && value == NULL) {
			if (at + 1 == count)
				return err_set(err, "--%s needs %s behind it", row->name, row->takes);
			value = word[++at];
		}
		if (!row->read(s, by, value == NULL ? "" : value, err))
			return err_prefix(err, "--%s", row->name);
	}
	return true;
}
