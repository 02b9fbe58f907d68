/* SPDX-License-Identifier: MIT */
/*
 * sbatch.c - the options of sbatch
 *
 * Parses Slurm's options in the forms used in scripts: --name=value, --name value, -n value, -nvalue. Slurm's
 * partitions are classes here. An option that leaves a choice to Slurm (2-4 nodes, one of two features) is
 * either an error, or its first value is used. The #SBATCH lines of a script are found by directives.c, and
 * durations and dates are parsed by times.c.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "qsub_inside.h"
#include "sched/base/duration.h"
#include "sched/model/machine.h"

/* --- how many, and where ---------------------------------------------------------------------------- */

static bool read_ntasks(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	int64_t number;

	(void)by;
	return qsub_read_count(text, &number, err) &&
	       qsub_set_shape(&qsub_shape(s)->tasks, number, "tasks", err);
}

/* The minimum of a range is used, because a job has a fixed number of nodes. */
static bool read_nodes(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	const char *dash = strchr(text, '-');
	char *least = arena_copy(&s->arena, text, strlen(text) + 1);
	int64_t number, most;

	(void)by;
	if (dash != NULL)
		least[dash - text] = '\0';
	if (!qsub_read_count(least, &number, err) || (dash != NULL && !qsub_read_count(dash + 1, &most, err)))
		return false;
	if (dash != NULL && most < number)
		return err_set(err, "\"%s\": the range is descending; write the smaller number first", text);
	if (dash != NULL && most > number)
		qsub_ignore(s, "the upper bound of --nodes=", text);
	return qsub_set_shape(&qsub_shape(s)->nodes, number, "nodes", err);
}

static bool read_per_node(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	int64_t number;

	(void)by;
	return qsub_read_count(text, &number, err) &&
	       qsub_set_shape(&qsub_shape(s)->per_node, number, "tasks per node", err);
}

static bool read_task_procs(struct submission *s, const struct submitter *by, const char *text,
			    struct err *err)
{
	int64_t number;

	(void)by;
	return qsub_read_count(text, &number, err) &&
	       qsub_set_shape(&qsub_shape(s)->task_procs, number, "processors per task", err);
}

static bool read_gpu_procs(struct submission *s, const struct submitter *by, const char *text,
			   struct err *err)
{
	(void)by;
	return qsub_read_count(text, &s->draft.gpu_procs, err);
}

/* Of several partitions, the first one is used. */
static bool read_partitions(struct submission *s, const struct submitter *by, const char *text,
			    struct err *err)
{
	size_t len = strcspn(text, ",");
	char *first = arena_copy(&s->arena, text, len + 1);

	first[len] = '\0';
	if (text[len] != '\0')
		qsub_ignore(s, "all partitions but the first of ",
			    qsub_is_shown(text) && strlen(text) < 60 ? text : "?");
	return qsub_read_class(s, by, first, err);
}

static bool read_node_list(struct submission *s, const struct submitter *by, const char *text,
			   struct err *err)
{
	struct qsub_shape *shape = qsub_shape(s);
	uint32_t count;

	(void)by;
	if (strchr(text, '[') != NULL)
		return err_set(err, "\"%s\": write node names separated by commas", text);
	return qsub_read_names(s, text, ",", &shape->hosts, &count, err) &&
	       qsub_set_shape(&shape->nodes, count, "nodes", err);
}

static bool read_constraint(struct submission *s, const struct submitter *by, const char *text,
			    struct err *err)
{
	(void)by;
	if (strpbrk(text, "|,[]()*!") != NULL)
		return err_set(err,
			       "\"%s\": alternative features are not supported; write the features that the "
			       "job needs as a&b",
			       text);
	return qsub_read_names(s, text, "&", &s->draft.features, NULL, err);
}

/*
 * The value is optional. "user" allows other jobs of the same user on the nodes; with "mcs" or "topo", as
 * without a value, nodes are exclusive.
 */
static bool read_exclusive(struct submission *s, const struct submitter *by, const char *text,
			   struct err *err)
{
	(void)by;
	if (text[0] != '\0' && strcmp(text, "user") != 0 && strcmp(text, "mcs") != 0 &&
	    strcmp(text, "topo") != 0)
		return err_set(err, "\"%s\": write --exclusive or --exclusive=user", text);
	s->draft.access = strcmp(text, "user") == 0 ? ACCESS_SINGLEUSER : ACCESS_SINGLEJOB;
	return true;
}

/* --- memory and devices -------------------------------------------------------------------------------- */

/* Parses a memory size: 4G, 512M, 100000K or a number of MB. */
static bool read_size(struct submission *s, const char *text, int64_t *mb, struct err *err)
{
	size_t len = strlen(text), digits = strspn(text, "0123456789");
	char *copy = arena_take(&s->arena, len + 2);
	int64_t kb;

	memcpy(copy, text, len + 1);
	if (digits + 1 == len && strchr("kK", text[digits]) != NULL) {
		copy[digits] = '\0';
		if (!str_read_whole(copy, &kb) || kb > MEMORY_MAX_MB * 1024)
			return err_set(err, "\"%s\" is too much memory", text);
		*mb = (kb + 1023) / 1024;
	} else {
		if (digits + 1 == len && strchr("mMgGtT", text[digits]) != NULL)
			memcpy(copy + len, "b", sizeof "b");
		if (!memory_parse(copy, mb, NULL))
			return err_set(err, "\"%s\" is not a memory size; write 512, 512M, 4G or 1T", text);
	}
	if (*mb == 0)
		qsub_ignore(s, "a memory size of ", "0");
	return true;
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

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool read_mem_per_gpu(struct submission *s, const struct submitter *by, const char *text,
			     struct err *err)
{
	(void)by;
	return read_size(s, text, &s->draft.gpu_mem_mb, err);
}

static bool read_gres(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	for (;; text++) {
		size_t len = strcspn(text, ",");
		char *copy = arena_copy(&s->arena, text, len + 1);
		const char *item = copy;

		copy[len] = '\0';
		if (strncmp(item, "gres:", 5) == 0 || strncmp(item, "gres/", 5) == 0)
			item += 5;
		if (strncmp(item, "gpu:", 4) == 0 && is_letter(item[4]) && strchr(item + 4, ':') == NULL) {
			qsub_ignore(s, "the GPU type ", qsub_is_shown(item) && len < 60 ? item + 4 : "?");
			item = "gpu:1"; /* a type without a number means one GPU */
		}
		if (strncmp(item, "gpu:", 4) == 0 ? !qsub_read_gpus(s, item + 4, QSUB_NODE, err)
						  : !qsub_read_gres(s, item, QSUB_NODE, err))
			return false;
		text += len;
		if (*text == '\0')
			return true;
	}
}

static bool read_gpus(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return qsub_read_gpus(s, text, QSUB_JOB, err);
}

static bool read_gpus_per_node(struct submission *s, const struct submitter *by, const char *text,
			       struct err *err)
{
	(void)by;
	return qsub_read_gpus(s, text, QSUB_NODE, err);
}

static bool read_gpus_per_task(struct submission *s, const struct submitter *by, const char *text,
			       struct err *err)
{
	(void)by;
	return qsub_read_gpus(s, text, QSUB_TASK, err);
}

/* --- other options ------------------------------------------------------------------------------------ */

/* Standard error goes to the output file, unless --error is given. */
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

/* Returns the mail events, as letters of qsub, for a mail type of Slurm; NULL: unknown type. */
static const char *mail_letters(const char *word, size_t len)
{
	static const struct {
		const char *name, *letters;
	} words[] = {{"NONE", ""},          {"BEGIN", "b"},        {"END", "e"},        {"FAIL", "a"},
		     {"ALL", "bea"},        {"REQUEUE", ""},       {"TIME_LIMIT", "a"}, {"TIME_LIMIT_90", ""},
		     {"TIME_LIMIT_80", ""}, {"TIME_LIMIT_50", ""}, {"ARRAY_TASKS", ""}, {"STAGE_OUT", ""},
		     {"INVALID_DEPEND", ""}};

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
			return err_set(err,
				       "unknown mail type \"%.*s\"; types are BEGIN, END, FAIL, ALL and NONE",
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

/* --- signals, files, dependencies --------------------------------------------------------------------- */

#define SIGNAL_BEFORE_S 60 /* Slurm's default */

/*
 * Returns the number of a signal, which is given as a name, with or without SIG, or as a number; 0: unknown.
 */
static uint32_t signal_number(const char *name, size_t len)
{
	static const struct {
		const char *name;
		uint32_t number;
	} names[] = {{"HUP", SIGHUP},   {"INT", SIGINT},   {"QUIT", SIGQUIT}, {"USR1", SIGUSR1},
		     {"USR2", SIGUSR2}, {"TERM", SIGTERM}, {"CONT", SIGCONT}, {"ABRT", SIGABRT},
		     {"ALRM", SIGALRM}, {"URG", SIGURG}};
	uint32_t number = 0;

	if (len >= 3 && strncasecmp(name, "SIG", 3) == 0) {
		name += 3;
		len -= 3;
	}
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strlen(names[i].name) == len && strncasecmp(names[i].name, name, len) == 0)
			return names[i].number;
	for (size_t i = 0; i < len && len <= 2; i++)
		number = name[i] >= '0' && name[i] <= '9' ? number * 10 + (uint32_t)(name[i] - '0') : 99;
	return number <= 64 ? number : 0;
}

/* Parses [R][B:]SIGNAL[@SECONDS]. The signal will be sent to those processes of the job that catch it. */
static bool read_signal(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	const char *colon = strchr(text, ':'), *name = colon != NULL ? colon + 1 : text;
	size_t len = strcspn(name, "@");
	uint32_t number = signal_number(name, len);
	int64_t before_s = SIGNAL_BEFORE_S;

	(void)by;
	if (number == 0)
		return err_set(err, "\"%.60s\" is not a signal; write USR1@120 or B:TERM@60", text);
	if (name[len] == '@' && !qsub_read_count(name + len + 1, &before_s, err))
		return false;
	s->launch.own_signal = number;
	s->launch.own_signal_s = before_s;
	return true;
}

/* A nice value lowers the priority: it becomes user priority with the opposite sign. */
static bool read_nice(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	int64_t nice = 100;

	(void)by;
	if (text[0] != '\0' && !str_read_whole(text, &nice))
		return err_set(err, "\"%.60s\" is not a whole number", text);
	s->draft.points = nice > 1024 ? -1024 : nice < -1023 ? 1023 : -nice;
	return true;
}

static bool read_open_mode(struct submission *s, const struct submitter *by, const char *text,
			   struct err *err)
{
	(void)by;
	if (strcmp(text, "append") != 0 && strcmp(text, "truncate") != 0)
		return err_set(err, "\"%.60s\" is neither append nor truncate", text);
	s->launch.flags &= ~(uint32_t)LAUNCH_APPEND;
	if (text[0] == 'a')
		s->launch.flags |= LAUNCH_APPEND;
	return true;
}

/* Does NAME or PREFIX[RANGES] include the host? A text with brackets that cannot be parsed counts as
 * including the host. */
static bool names_host(const char *text, size_t len, const char *host)
{
	size_t stem = strcspn(text, "[");
	const char *digits = host + stem, *at = text + stem + 1;
	struct array_range range[ARRAY_RANGES_MAX];
	uint32_t count;
	int64_t number;

	if (stem >= len)
		return strlen(host) == len && strncmp(text, host, len) == 0;
	if (strncmp(text, host, stem) != 0 || digits[0] == '\0' ||
	    digits[strspn(digits, "0123456789")] != '\0')
		return false;
	number = strtoll(digits, NULL, 10);
	if (!array_read(&at, range, &count) || *at != ']')
		return true;
	for (uint32_t i = 0; i < count; i++)
		if (number >= range[i].first && number <= range[i].last)
			return true;
	return false;
}

/* Jobs run on this host, so excluding other hosts has no effect. */
static bool read_exclude(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)s;
	for (const char *at = text; *at != '\0';) {
		size_t len = 0;

		for (bool inside = false; at[len] != '\0' && (inside || at[len] != ','); len++)
			inside = at[len] == '[' || (inside && at[len] != ']');
		if (by->host != NULL && names_host(at, len, by->host))
			return err_set(
				err, "\"%.60s\" excludes this host, which is the only one; remove the option",
				text);
		at += len + (at[len] == ',');
	}
	return true;
}

static bool read_input(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	return qsub_read_job_path(s, by, text, &s->launch.input, err) &&
	       (s->launch.input[0] == '/' || err_set(err, "\"%.60s\" must begin with '/'", text));
}

static bool share_nodes(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	(void)text;
	(void)err;
	s->draft.access = 0;
	return true;
}

static bool read_wrap(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	if (!s->draft.last_word)
		return err_set(err,
			       "allowed only on the command line; in a script, the script itself is run");
	if (text[0] == '\0' || strlen(text) > LAUNCH_NEW_SCRIPT_MAX - 64)
		return err_set(err, "write a shell command, as in --wrap='make && ./run'");
	s->draft.wrap = arena_string(&s->arena, text);
	return true;
}

static bool show_only(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	(void)text;
	(void)err;
	return s->draft.dry_run = true;
}

static bool force(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	(void)text;
	if (!s->draft.last_word)
		return err_set(err, "allowed only on the command line");
	return s->draft.force = true;
}

static bool with_terminal(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	(void)text;
	(void)err;
	return s->draft.pty = true;
}

static bool refuse_wait(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)s;
	(void)by;
	(void)text;
	return err_set(err, "not supported; use 'kahu wait JOB', or 'kahu run'");
}

static bool refuse_reservation(struct submission *s, const struct submitter *by, const char *text,
			       struct err *err)
{
	(void)s;
	(void)by;
	return err_set(err, "binding to reservation \"%.60s\" is not supported; remove the option", text);
}

/* --- the table --------------------------------------------------------------------------------------- */

static const struct qsub_row options[] = {
	{"account", 'A', "NAME", "charge the job to NAME", qsub_read_account},
	{"array", 'a', "RANGES[%N]", "submit a job array; run at most N tasks at a time", qsub_read_array},
	{"begin", 'b', "TIME", "earliest start of the job", qsub_read_slurm_begin},
	{"workdir", '\0', "DIR", "same as --chdir", qsub_read_dir},
	{"chdir", 'D', "DIR", "working directory of the job", qsub_read_dir},
	{"constraint", 'C', "NAME[&NAME]...", "required node features", read_constraint},
	{"cpus-per-gpu", '\0', "N", "processors per GPU", read_gpu_procs},
	{"cpus-per-task", 'c', "N", "processors per task", read_task_procs},
	{"dependency", 'd', "afterok:JOB[:JOB]...", "jobs that this job waits for", qsub_read_depend},
	{"error", 'e', "PATH", "write standard error to PATH", qsub_read_errors},
	{"exclusive", '\0', "[=user]",
	 "allocate nodes exclusively, or share them only with jobs of the same user", read_exclusive},
	{"export", '\0', "ALL|NONE|NAME[=VALUE][,...]", "environment variables exported to the job",
	 qsub_read_export},
	{"gpus", 'G', "N", "GPUs for the whole job", read_gpus},
	{"gpus-per-node", '\0', "N", "GPUs per node", read_gpus_per_node},
	{"gpus-per-task", '\0', "N", "GPUs per task", read_gpus_per_task},
	{"gres", '\0', "NAME[:N][,...]", "generic resources per node", read_gres},
	{"hold", 'H', NULL, "submit the job with a user hold", qsub_hold},
	{"job-name", 'J', "NAME", "name of the job", qsub_read_job_name},
	{"mail-type", '\0', "TYPE[,...]", "send mail at these events: BEGIN, END, FAIL, ALL or NONE",
	 read_mail_type},
	{"mail-user", '\0', "ADDRESS", "recipient of the mail (default: the submitting user)",
	 qsub_read_mail_to},
	{"mem", '\0', "SIZE", "memory per node", read_mem},
	{"mem-per-gpu", '\0', "SIZE", "memory per GPU", read_mem_per_gpu},
	{"mem-per-cpu", '\0', "SIZE", "memory per processor", read_mem_per_cpu},
	{"no-requeue", '\0', NULL, "never requeue the job", no_requeue},
	{"nodelist", 'w', "NODE[,NODE]...", "run the job on these nodes", read_node_list},
	{"nodes", 'N', "N", "number of nodes", read_nodes},
	{"ntasks", 'n', "N", "number of tasks", read_ntasks},
	{"ntasks-per-node", '\0', "N", "tasks per node", read_per_node},
	{"output", 'o', "PATH", "write standard output, and standard error unless --error is given, to PATH",
	 read_output},
	{"partition", 'p', "NAME", "submit the job to class NAME", read_partitions},
	{"qos", 'q', "NAME", "quality of service (QOS) of the job", qsub_read_qos},
	{"requeue", '\0', NULL, "requeue the job if it is lost", requeue},
	{"time", 't', "TIME", "wallclock limit, in minutes or as days-hours:minutes:seconds",
	 qsub_read_slurm_limit},
	{"tasks", '\0', "N", "same as --ntasks", read_ntasks},
	{"tasks-per-node", '\0', "N", "same as --ntasks-per-node", read_per_node},
	{"signal", '\0', "[B:]SIGNAL[@SECONDS]", "send SIGNAL that many seconds before the wallclock limit",
	 read_signal},
	{"nice", '\0', "[=N]", "subtract N from the priority of the job, as -p -N does", read_nice},
	{"open-mode", '\0', "append|truncate", "append to existing output files, or truncate them",
	 read_open_mode},
	{"exclude", 'x', "NODE[,NODE]...", "do not run the job on these nodes", read_exclude},
	{"input", 'i', "PATH", "read standard input from PATH", read_input},
	{"oversubscribe", 's', NULL, "share nodes with other jobs", share_nodes},
	{"share", '\0', NULL, "same as --oversubscribe", share_nodes},
	{"parsable", '\0', NULL, "print only the job ID", qsub_terse},
	{"wrap", '\0', "LINE", "run LINE with sh instead of a script; on the command line only", read_wrap},
	{"force", '\0', NULL, "submit the job even if it would never start; on the command line only", force},
	{"dry-run", '\0', NULL, "print the parsed request without submitting the job", show_only},
	{"test-only", '\0', NULL, "same as --dry-run", show_only},
	{"wait", 'W', NULL, "not supported; use 'kahu wait'", refuse_wait},
	{"reservation", '\0', "NAME", "not supported", refuse_reservation},
	{"pty", '\0', NULL, "with srun: run the command in a terminal", with_terminal},
	{"disable-status", 'X', NULL, NULL, NULL},
	{"exact", '\0', NULL, NULL, NULL},
	{"immediate", 'I', "[=X]", NULL, NULL},
	{"kill-on-bad-exit", 'K', "[=X]", NULL, NULL},
	{"label", 'l', NULL, NULL, NULL},
	{"mpi", '\0', "X", NULL, NULL},
	{"overlap", '\0', NULL, NULL, NULL},
	{"threads", 'T', "X", NULL, NULL},
	{"unbuffered", 'u', NULL, NULL, NULL},
	{"batch", '\0', "X", NULL, NULL},
	{"bb", '\0', "X", NULL, NULL},
	{"bbf", '\0', "X", NULL, NULL},
	{"cluster-constraint", '\0', "X", NULL, NULL},
	{"container", '\0', "X", NULL, NULL},
	{"cpu_bind", '\0', "X", NULL, NULL},
	{"deadline", '\0', "X", NULL, NULL},
	{"delay-boot", '\0', "X", NULL, NULL},
	{"export-file", '\0', "X", NULL, NULL},
	{"extra", '\0', "X", NULL, NULL},
	{"gid", '\0', "X", NULL, NULL},
	{"gres-flags", '\0', "X", NULL, NULL},
	{"ignore-pbs", '\0', NULL, NULL, NULL},
	{"jobid", '\0', "X", NULL, NULL},
	{"mcs-label", '\0', "X", NULL, NULL},
	{"mem_bind", '\0', "X", NULL, NULL},
	{"no-bell", '\0', NULL, NULL, NULL},
	{"oom-kill-step", '\0', "[=X]", NULL, NULL},
	{"reboot", '\0', NULL, NULL, NULL},
	{"resv-ports", '\0', "[=X]", NULL, NULL},
	{"segment", '\0', "X", NULL, NULL},
	{"sockets", '\0', "X", NULL, NULL},
	{"stepmgr", '\0', NULL, NULL, NULL},
	{"tres-bind", '\0', "X", NULL, NULL},
	{"tres-per-job", '\0', "X", NULL, NULL},
	{"tres-per-task", '\0', "X", NULL, NULL},
	{"uid", '\0', "X", NULL, NULL},
	{"nodefile", 'F', "X", NULL, NULL},
	{"acctg-freq", '\0', "X", NULL, NULL},
	{"clusters", 'M', "X", NULL, NULL},
	{"comment", '\0', "X", NULL, NULL},
	{"contiguous", '\0', NULL, NULL, NULL},
	{"core-spec", 'S', "X", NULL, NULL},
	{"cores-per-socket", '\0', "X", NULL, NULL},
	{"cpu-bind", '\0', "X", NULL, NULL},
	{"cpu-freq", '\0', "X", NULL, NULL},
	{"distribution", 'm', "X", NULL, NULL},
	{"extra-node-info", 'B', "X", NULL, NULL},
	{"get-user-env", '\0', "[=X]", NULL, NULL},
	{"gpu-bind", '\0', "X", NULL, NULL},
	{"gpu-freq", '\0', "X", NULL, NULL},
	{"gpus-per-socket", '\0', "X", NULL, NULL},
	{"hint", '\0', "X", NULL, NULL},
	{"kill-on-invalid-dep", '\0', "X", NULL, NULL},
	{"licenses", 'L', "X", NULL, NULL},
	{"mem-bind", '\0', "X", NULL, NULL},
	{"mincpus", '\0', "X", NULL, NULL},
	{"network", '\0', "X", NULL, NULL},
	{"no-kill", 'k', "[=X]", NULL, NULL},
	{"ntasks-per-core", '\0', "X", NULL, NULL},
	{"ntasks-per-gpu", '\0', "X", NULL, NULL},
	{"ntasks-per-socket", '\0', "X", NULL, NULL},
	{"overcommit", 'O', NULL, NULL, NULL},
	{"power", '\0', "X", NULL, NULL},
	{"prefer", '\0', "X", NULL, NULL},
	{"priority", '\0', "X", NULL, NULL},
	{"profile", '\0', "X", NULL, NULL},
	{"propagate", '\0', "[=X]", NULL, NULL},
	{"quiet", 'Q', NULL, NULL, NULL},
	{"sockets-per-node", '\0', "X", NULL, NULL},
	{"spread-job", '\0', NULL, NULL, NULL},
	{"switches", '\0', "X", NULL, NULL},
	{"thread-spec", '\0', "X", NULL, NULL},
	{"threads-per-core", '\0', "X", NULL, NULL},
	{"time-min", '\0', "X", NULL, NULL},
	{"tmp", '\0', "X", NULL, NULL},
	{"use-min-nodes", '\0', NULL, NULL, NULL},
	{"verbose", 'v', NULL, NULL, NULL},
	{"wait-all-nodes", '\0', "X", NULL, NULL},
	{"wckey", '\0', "X", NULL, NULL},
};
static const struct qsub_table option_table = {options, sizeof options / sizeof options[0]};

void qsub_list_sbatch(struct str *out)
{
	for (size_t i = 0; i < option_table.count; i++) {
		const struct qsub_row *row = &options[i];
		bool optional = row->takes != NULL && row->takes[0] == '[';

		if (row->help == NULL)
			continue;
		str_add(out, "  ");
		if (row->letter != '\0')
			str_addf(out, "-%c, ", row->letter);
		str_addf(out, "--%s%s%s\n        %s\n", row->name, row->takes == NULL || optional ? "" : "=",
			 row->takes == NULL ? "" : row->takes, row->help);
	}
	qsub_list_unused(&option_table, "--", out);
}

/* --- parsing options ---------------------------------------------------------------------------------- */

static const struct qsub_row *find_letter(char letter)
{
	for (size_t i = 0; i < option_table.count; i++)
		if (options[i].letter == letter)
			return &options[i];
	return NULL;
}

/* Finds an option by its name, or by an unambiguous prefix, as getopt_long() does. */
static const struct qsub_row *find_name(const char *name, size_t len)
{
	const struct qsub_row *row = qsub_find(&option_table, name, len);

	if (row != NULL || len < 3)
		return row;
	for (size_t i = 0; i < option_table.count; i++) {
		if (strncasecmp(options[i].name, name, len) != 0)
			continue;
		if (row != NULL)
			return NULL;
		row = &options[i];
	}
	return row;
}

/*
 * Returns the row of the option in a word such as "--name=value", "--name", "-n" or "-nvalue"; NULL: unknown.
 * *value: the value in this word, NULL if it contains none.
 */
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
	return len < 2 ? NULL : find_name(word + 2, len);
}

bool qsub_slurm_needs_word(const char *word)
{
	const char *value;
	const struct qsub_row *row = find_option(word, &value);

	return row != NULL && row->takes != NULL && row->takes[0] != '[' && value == NULL;
}

bool qsub_read_slurm_option(struct submission *s, const struct submitter *by, int count,
			    const char *const *word, int *at, struct err *err)
{
	const char *value;
	const struct qsub_row *row = find_option(word[*at], &value);

	if (row == NULL)
		return err_set(err, "\"%.40s\" is not an option; 'kahu submit --help' lists options",
			       word[*at]);
	if (row->takes == NULL && value != NULL)
		return err_set(err, "--%s takes no value, got \"%s\"", row->name, value);
	if (row->takes != NULL && row->takes[0] != '[' && value == NULL) {
		if (*at + 1 == count)
			return err_set(err, "--%s needs a value: %s", row->name, row->takes);
		value = word[++*at];
	}
	if (!qsub_read_row(s, by, row, "--", value == NULL ? "" : value, err))
		return false;
	qsub_skip_words(s, row, count, word, at);
	return true;
}

bool qsub_read_sbatch(struct submission *s, const struct submitter *by, int count, const char *const *word,
		      struct err *err)
{
	for (int at = 0; at < count; at++)
		if (!qsub_read_slurm_option(s, by, count, word, &at, err))
			return false;
	return true;
}

bool qsub_read_slurm_options(struct submission *out, const struct submitter *by, int argc,
			     const char *const *argv, int *rest, struct err *err)
{
	out->draft.last_word = true;
	for (*rest = 1; *rest < argc; ++*rest) {
		const char *word = argv[*rest];

		if (word[0] != '-' || word[1] == '\0')
			return true;
		if (strcmp(word, "--") == 0) {
			++*rest;
			return true;
		}
		if (!qsub_read_slurm_option(out, by, argc, argv, rest, err))
			return false;
	}
	return true;
}
