/* SPDX-License-Identifier: MIT */
/*
 * cmd_slurm.c - squeue, sinfo, scancel and scontrol
 *
 * Each command is translated to a verb of Kahu. Tasks of arrays are written as in Slurm: 12_3.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "complete.h"
#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"
#include "translation.h"
#include "tui/draw/text.h"
#include "tui/report/job_text.h"
#include "tui/report/report.h"
#include "tui/serve/session.h"
#include "verbs.h"

/* --- selection of jobs -------------------------------------------------------------------------------- */

/* Returns the value of an option that has a letter and a long name; NULL if neither is given. */
static const char *either(const struct cmd_env *env, const char *letter, const char *name)
{
	const char *value = cmd_option(env, letter);

	return value != NULL ? value : cmd_option(env, name);
}

/*
 * Adds a list of Slurm's states, such as "PD,R", to the terms of -w. Returns false with err set on failure.
 */
static bool add_states(struct cmd_env *env, struct delegate *d, const char *list)
{
	static const struct {
		const char *slurm, *ours;
	} states[] = {{"PD", "idle"},         {"PENDING", "idle"},      {"R", "running"},
		      {"RUNNING", "running"}, {"S", "suspended"},       {"SUSPENDED", "suspended"},
		      {"CG", "running"},      {"COMPLETING", "running"}};
	struct str words = {0};
	char *rest = arena_copy(&d->arena, list, strlen(list) + 1);
	bool good = true;

	if (str_same_word(list, "all"))
		return true;
	for (char *word; good && (word = strsep(&rest, ",")) != NULL;) {
		size_t i = 0;

		while (i < sizeof states / sizeof states[0] && !str_same_word(states[i].slurm, word))
			i++;
		good = i < sizeof states / sizeof states[0] ||
		       err_set(&env->err,
			       "unknown state %.40s; states are PENDING, RUNNING, SUSPENDED and COMPLETING; "
			       "'kahu history' lists ended jobs",
			       word);
		if (good)
			str_addf(&words, "%s%s", words.len > 0 ? "," : "", states[i].ours);
	}
	if (good)
		delegate_term(d, "state", str_text(&words));
	str_free(&words);
	return good;
}

static bool add_filters(struct cmd_env *env, struct delegate *d)
{
	static const struct {
		const char *letter, *name, *key;
	} filters[] = {{"-u", "--user", "user"},
		       {"-p", "--partition", "class"},
		       {"-n", "--name", "name"},
		       {"-A", "--account", "account"},
		       {"-q", "--qos", "qos"}};
	const char *states = either(env, "-t", "--state");

	for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
		const char *value = either(env, filters[i].letter, filters[i].name);

		if (value != NULL)
			delegate_term(d, filters[i].key, value);
	}
	if (states == NULL)
		states = cmd_option(env, "--states");
	if (cmd_option(env, "--me") != NULL)
		delegate_term(d, "user", session_user());
	return states == NULL || add_states(env, d, states);
}

/* --- squeue ------------------------------------------------------------------------------------------- */

/* Appends a duration as squeue does: [DAYS-]HH:MM:SS, or MM:SS below one hour. */
static void add_time(struct str *out, int64_t s)
{
	if (s >= 86400)
		str_addf(out, "%" PRId64 "-", s / 86400);
	if (s >= 86400)
		str_addf(out, "%02" PRId64 ":%02" PRId64 ":%02" PRId64, s / 3600 % 24, s / 60 % 60, s % 60);
	else if (s >= 3600)
		str_addf(out, "%" PRId64 ":%02" PRId64 ":%02" PRId64, s / 3600, s / 60 % 60, s % 60);
	else
		str_addf(out, "%" PRId64 ":%02" PRId64, s / 60, s % 60);
}

static void add_moment(struct str *out, int64_t at_s)
{
	char when[MOMENT_TEXT];

	str_add(out, at_s == TIME_NEVER || at_s == TIME_NONE ? "N/A" : wallclock_iso(when, at_s));
}

static void add_id(struct str *out, const struct job_list *list, const struct job *job)
{
	char label[JOB_LABEL_TEXT];
	const char *at = snapshot_job_label(list->s, job, label);

	for (; *at != '\0'; at++)
		if (*at == '[')
			str_add_char(out, '_');
		else if (*at != ']')
			str_add_char(out, *at);
}

static void add_place(struct str *out, const struct job_list *list, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(list->s)[slot];

	if (job->state == JOB_RUNNING) {
		job_list_nodes(list, job, out);
		return;
	}
	str_add_char(out, '(');
	job_list_reason(list, slot, out);
	str_add_char(out, ')');
}

/* Appends the field with this letter if it is a credential. Returns false if it is another field. */
static bool add_cred(struct str *out, const struct job_list *list, const struct job *job, char letter)
{
	static const char letters[] = "ugaqP";
	static const enum cred_type type[] = {CRED_USER, CRED_GROUP, CRED_ACCOUNT, CRED_QOS, CRED_CLASS};
	const char *at = strchr(letters, letter), *name;

	if (at == NULL)
		return false;
	name = snapshot_job_cred(list->s, job, type[at - letters]);
	str_add(out, name != NULL ? name : "(null)");
	return true;
}

static bool add_when(struct str *out, const struct job_list *list, uint32_t slot, char letter)
{
	const struct job *job = &snapshot_jobs(list->s)[slot];
	bool runs = job->state == JOB_RUNNING;

	if (letter == 'M')
		add_time(out, job_list_ran_s(list, job));
	else if (letter == 'l')
		add_time(out, job->wall_limit_s);
	else if (letter == 'L')
		add_time(out, runs ? job_left_s(job, list->now_s) : job->wall_limit_s);
	else if (letter == 'S')
		add_moment(out, runs ? job->start_s : future_start(&list->future, slot).start_s);
	else if (letter == 'V')
		add_moment(out, job->submit_s);
	else if (letter == 'e')
		add_moment(out, runs ? job_left_s(job, list->now_s) + list->now_s : TIME_NEVER);
	else
		return false;
	return true;
}

static bool add_amount(struct str *out, const struct job_list *list, const struct job *job, char letter)
{
	if (letter == 'D')
		str_addf(out, "%" PRIu32, job_list_node_count(list, job));
	else if (letter == 'C')
		str_addf(out, "%" PRId64, job_procs_counted(job));
	else if (letter == 'm')
		str_addf(out, "%" PRId64 "M", job->mem_mb * job->tasks);
	else if (letter == 'K' && job->array != 0)
		str_addf(out, "%" PRIu32, job->array_index);
	else if (letter == 'K')
		str_add(out, "N/A");
	else
		return false;
	return true;
}

/* Appends the field of -o with this letter. */
static void add_field(struct str *out, const struct job_list *list, uint32_t slot, char letter)
{
	const struct job *job = &snapshot_jobs(list->s)[slot];

	if (add_cred(out, list, job, letter) || add_when(out, list, slot, letter) ||
	    add_amount(out, list, job, letter))
		return;
	if (letter == 'i' || letter == 'A' || letter == 'F')
		add_id(out, list, job);
	else if (letter == 'j')
		str_add(out, job_list_name(list, job));
	else if (letter == 't')
		str_add(out, job_list_state(list, job)->slurm);
	else if (letter == 'T')
		str_add(out, job_list_state(list, job)->slurm_long);
	else if (letter == 'N')
		job_list_nodes(list, job, out);
	else if (letter == 'r')
		job_list_reason(list, slot, out);
	else
		add_place(out, list, slot);
}

static const char *field_title(char letter)
{
	static const struct {
		char letter;
		const char *title;
	} titles[] = {{'i', "JOBID"},      {'A', "JOBID"},       {'F', "ARRAY_JOB_ID"},
		      {'K', "ARRAY_TASK"}, {'j', "NAME"},        {'u', "USER"},
		      {'g', "GROUP"},      {'a', "ACCOUNT"},     {'P', "PARTITION"},
		      {'q', "QOS"},        {'t', "ST"},          {'T', "STATE"},
		      {'M', "TIME"},       {'l', "TIME_LIMIT"},  {'L', "TIME_LEFT"},
		      {'D', "NODES"},      {'C', "CPUS"},        {'m', "MIN_MEMORY"},
		      {'N', "NODELIST"},   {'r', "REASON"},      {'R', "NODELIST(REASON)"},
		      {'S', "START_TIME"}, {'V', "SUBMIT_TIME"}, {'e', "END_TIME"}};

	for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
		if (titles[i].letter == letter)
			return titles[i].title;
	return NULL;
}

/*
 * Reads a field such as "%.18i" or "%9P" at *at, and moves *at past it. Returns its letter; a '.' aligns to
 * the right.
 */
static char read_field(const char **at, bool *right, size_t *width)
{
	const char *c = *at + 1;

	*right = *c == '.';
	c += *right;
	*width = strtoul(c, NULL, 10);
	c += strspn(c, "0123456789");
	*at = *c == '\0' ? c : c + 1;
	return *c;
}

/*
 * Prints a job in the given format, or the titles if `slot` is INDEX_NONE. Returns false with err set if the
 * format has an unknown field.
 */
static bool print_line(struct cmd_env *env, const struct job_list *list, uint32_t slot, const char *format)
{
	struct str *out = env->out;

	for (const char *at = format; *at != '\0';) {
		struct str field = {0};
		size_t width;
		bool right;
		char letter;

		if (*at != '%') {
			str_add_char(out, *at++);
			continue;
		}
		letter = read_field(&at, &right, &width);
		if (field_title(letter) == NULL)
			return err_set(&env->err, "-o: field %%%c is not supported", letter);
		if (slot == INDEX_NONE)
			str_add(&field, field_title(letter));
		else
			add_field(&field, list, slot, letter);
		if (width > 0) {
			text_fit(out, str_text(&field), width > 512 ? 512 : (int)width,
				 right ? TEXT_RIGHT : TEXT_LEFT, env->ascii);
		} else {
			text_safe(out, str_text(&field), env->ascii);
		}
		str_free(&field);
	}
	while (out->len > 0 && out->data[out->len - 1] == ' ')
		out->data[--out->len] = '\0';
	str_add_char(out, '\n');
	return true;
}

static const char *find_format(const struct cmd_env *env)
{
	const char *asked = either(env, "-o", "--format");

	if (asked == NULL)
		asked = getenv("SQUEUE_FORMAT");
	if (asked != NULL)
		return asked;
	if (cmd_option(env, "--start") != NULL)
		return "%.18i %.9P %.8j %.8u %.2t %.19S %.6D %R";
	if (either(env, "-l", "--long") != NULL)
		return "%.18i %.9P %.8j %.8u %.8T %.10M %.9l %.6D %R";
	return "%.18i %.9P %.8j %.8u %.2t %.10M %.6D %R";
}

static enum cmd_status run_squeue(struct cmd_env *env, int argc, char **argv)
{
	struct delegate d = {.count = 0};
	struct job_list list = {.slot = NULL};
	const char *jobs = either(env, "-j", "--jobs"), *format = find_format(env);
	bool good = add_filters(env, &d);

	(void)argc;
	(void)argv;
	if (jobs == NULL)
		jobs = cmd_option(env, "--job");
	if (jobs != NULL)
		delegate_jobs(env->s, &d, jobs);
	if (!good) {
		delegate_free(&d);
		return CMD_USAGE;
	}
	if (!job_list_find(env, &d, &list)) {
		job_list_free(&list);
		return CMD_REFUSED;
	}
	if (either(env, "-h", "--noheader") == NULL)
		good = print_line(env, &list, INDEX_NONE, format);
	for (size_t i = 0; i < list.count && good; i++)
		good = print_line(env, &list, list.slot[i], format);
	job_list_free(&list);
	return good ? CMD_DONE : CMD_USAGE;
}

#define FILTER_OPTIONS                                                                                       \
	{"-u", "USER[,...]", "jobs of these users"}, {"--user", "USER[,...]", "same as -u"},                 \
		{"-p", "CLASS[,...]", "jobs of these classes"},                                              \
		{"--partition", "CLASS[,...]", "same as -p"}, {"-n", "NAME[,...]", "jobs with these names"}, \
		{"--name", "NAME[,...]", "same as -n"}, {"-A", "ACCOUNT[,...]", "jobs of these accounts"},   \
		{"--account", "ACCOUNT[,...]", "same as -A"}, {"-q", "QOS[,...]", "jobs with these QOS"},    \
		{"--qos", "QOS[,...]", "same as -q"},                                                        \
		{"-t", "STATE[,...]", "jobs in these states: PD, R, S, CG, all"},                            \
		{"--state", "STATE[,...]", "same as -t"}, {"--states", "STATE[,...]", "same as -t"},         \
	{                                                                                                    \
		"--me", NULL, "jobs of the caller"                                                           \
	}

const struct cmd cmd_squeue = {
	.name = "squeue",
	.args = "",
	.help = "List jobs, like squeue of Slurm.",
	.options =
		(const struct cmd_option[]){
			FILTER_OPTIONS,
			{"-j", "JOB[,...]", "list these jobs"},
			{"--jobs", "JOB[,...]", "same as -j"},
			{"--job", "JOB[,...]", "same as -j"},
			{"-h", NULL, "omit the header"},
			{"--noheader", NULL, "same as -h"},
			{"-o", "FORMAT", "fields such as %i %j %u %T %M %l %D %C %R %S"},
			{"--format", "FORMAT", "same as -o"},
			{"-l", NULL, "show the time limit"},
			{"--long", NULL, "same as -l"},
			{"--start", NULL, "show the estimated start"},
			{"-r", NULL, "no effect: tasks of arrays are listed one by one"},
			{"--array", NULL, "same as -r"},
			{"-a", NULL, "no effect"},
			{"--all", NULL, "no effect"},
			{"-S", "FIELDS", "no effect: jobs are sorted by ID"},
			{"--sort", "FIELDS", "same as -S"},
			{0},
		},
	.authority = CMD_ANYONE,
	.flags = CMD_STORE | CMD_TEXT,
	.run = run_squeue,
};

/* --- scancel ------------------------------------------------------------------------------------------ */

/*
 * If no job IDs are given and no job matches the options, the command does nothing and succeeds, as in Slurm.
 */
static enum cmd_status run_scancel(struct cmd_env *env, int argc, char **argv)
{
	struct delegate d = {.count = 0};
	const char *signal = either(env, "-s", "--signal");
	struct job_list list;

	if (signal != NULL)
		delegate_add(&d, "%s", signal);
	for (int i = 1; i < argc; i++)
		delegate_job(env->s, &d, argv[i]);
	if (!add_filters(env, &d)) {
		delegate_free(&d);
		return CMD_USAGE;
	}
	if (argc == 1 && d.terms.len > 0) {
		struct delegate same = {.count = 0};
		bool none;

		str_add(&same.terms, str_text(&d.terms));
		none = job_list_find(env, &same, &list) && list.count == 0;
		job_list_free(&list);
		if (none) {
			delegate_free(&d);
			return CMD_DONE;
		}
	}
	return delegate_run(env, &d, signal != NULL ? &cmd_signal : &cmd_cancel);
}

const struct cmd cmd_scancel = {
	.name = "scancel",
	.args = "[JOB...]",
	.help = "Cancel jobs or send them a signal, like scancel of Slurm.",
	.options =
		(const struct cmd_option[]){
			FILTER_OPTIONS,
			{"-s", "SIGNAL", "send a signal to the jobs"},
			{"--signal", "SIGNAL", "same as -s"},
			{"-b", NULL, "no effect: all processes of a job get the signal"},
			{"--batch", NULL, "same as -b"},
			{"-f", NULL, "same as -b"},
			{"--full", NULL, "same as -b"},
			{"-v", NULL, "no effect"},
			{"-Q", NULL, "no effect"},
			{"--quiet", NULL, "no effect"},
			{0},
		},
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_scancel,
	.complete = complete_jobs,
};

/* --- sinfo -------------------------------------------------------------------------------------------- */

static const char *node_word(const struct node *node)
{
	if (node->drained)
		return node->procs_busy > 0 ? "drng" : "drain";
	return node->procs_busy == 0 ? "idle" : node_procs_free(node) > 0 ? "mix" : "alloc";
}

static void print_nodes(struct report *rows, const struct snapshot *s, const char *class)
{
	static const char *const words[] = {"idle", "mix", "alloc", "drng", "drain"};

	for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
		struct str names = {0};
		unsigned count = 0;

		for (uint32_t n = 0; n < snapshot_count(s, TABLE_NODES); n++) {
			const struct node *node = &snapshot_nodes(s)[n];

			if (strcmp(node_word(node), words[w]) != 0)
				continue;
			str_addf(&names, "%s%s", names.len > 0 ? "," : "", snapshot_string(s, node->name));
			count++;
		}
		if (count > 0) {
			report_cell(rows, class);
			report_cell(rows, "up");
			report_cell(rows, "infinite");
			report_cellf(rows, "%u", count);
			report_cell(rows, words[w]);
			report_cell(rows, str_text(&names));
		}
		str_free(&names);
	}
}

/* Prints each class as a partition of all nodes. Without classes, prints one partition "all". */
static enum cmd_status run_sinfo(struct cmd_env *env, int argc, char **argv)
{
	static const struct report_column columns[] = {{"PARTITION", TEXT_LEFT},  {"AVAIL", TEXT_RIGHT},
						       {"TIMELIMIT", TEXT_RIGHT}, {"NODES", TEXT_RIGHT},
						       {"STATE", TEXT_RIGHT},     {"NODELIST", TEXT_LEFT}};
	const char *only = either(env, "-p", "--partition");
	struct report rows = {
		.column = columns, .columns = 6, .no_titles = either(env, "-h", "--noheader") != NULL};
	const struct snapshot *s = env->s;
	bool any = false;

	(void)argc;
	(void)argv;
	for (uint32_t c = CRED_TYPE_COUNT; c < snapshot_count(s, TABLE_CREDS); c++) {
		const char *name = snapshot_string(s, snapshot_creds(s)[c].name);

		if (snapshot_creds(s)[c].type != CRED_CLASS)
			continue;
		any = true;
		if (only == NULL || strcmp(only, name) == 0)
			print_nodes(&rows, s, name);
	}
	if (!any)
		print_nodes(&rows, s, "all");
	report_print(&rows, 0, env->ascii, env->out);
	report_free(&rows);
	return CMD_DONE;
}

const struct cmd cmd_sinfo = {
	.name = "sinfo",
	.args = "",
	.help = "List classes and node states, like sinfo of Slurm.",
	.options =
		(const struct cmd_option[]){
			{"-p", "CLASS", "only this class"},
			{"--partition", "CLASS", "same as -p"},
			{"-h", NULL, "omit the header"},
			{"--noheader", NULL, "same as -h"},
			{"-N", NULL, "no effect"},
			{"-l", NULL, "no effect"},
			{"-s", NULL, "no effect"},
			{"-a", NULL, "no effect"},
			{0},
		},
	.authority = CMD_ANYONE,
	.flags = CMD_STORE | CMD_TEXT,
	.run = run_sinfo,
};

/* --- scontrol show ------------------------------------------------------------------------------------ */

static void add_pair(const struct cmd_env *env, const char *name, const char *value)
{
	str_addf(env->out, " %s=", name);
	text_safe(env->out, value != NULL && value[0] != '\0' ? value : "(null)", env->ascii);
}

static void scontrol_add_moment(const struct cmd_env *env, const char *name, int64_t at_s)
{
	char when[MOMENT_TEXT];

	add_pair(env, name, at_s == TIME_NONE || at_s == TIME_NEVER ? "Unknown" : wallclock_iso(when, at_s));
}

/* Prints a job on one line, as scontrol does with -o, because scripts parse that form. */
static void show_job(const struct cmd_env *env, const struct job_list *list, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(list->s)[slot];
	bool runs = job->state == JOB_RUNNING;
	char text[DURATION_TEXT], label[JOB_LABEL_TEXT];
	struct str nodes = {0}, reason = {0};

	job_list_nodes(list, job, &nodes);
	job_list_reason(list, slot, &reason);
	str_addf(env->out, "JobId=%" PRIu64, job->id);
	if (job->array != 0)
		str_addf(env->out, " ArrayJobId=%" PRIu64 " ArrayTaskId=%" PRIu32, job->array,
			 job->array_index);
	add_pair(env, "JobName",
		 job->name != 0 ? job_list_name(list, job) : snapshot_job_label(list->s, job, label));
	add_pair(env, "UserId", snapshot_job_cred(list->s, job, CRED_USER));
	add_pair(env, "Account", snapshot_job_cred(list->s, job, CRED_ACCOUNT));
	add_pair(env, "QOS", snapshot_job_cred(list->s, job, CRED_QOS));
	add_pair(env, "JobState", job_list_state(list, job)->slurm_long);
	add_pair(env, "Reason", str_text(&reason));
	add_pair(env, "RunTime", duration_text(text, job_list_ran_s(list, job)));
	add_pair(env, "TimeLimit", duration_text(text, job->wall_limit_s));
	scontrol_add_moment(env, "SubmitTime", job->submit_s);
	scontrol_add_moment(env, "StartTime",
			    runs ? job->start_s : future_start(&list->future, slot).start_s);
	scontrol_add_moment(env, "EndTime", runs ? list->now_s + job_left_s(job, list->now_s) : TIME_NEVER);
	add_pair(env, "Partition", snapshot_job_cred(list->s, job, CRED_CLASS));
	add_pair(env, "NodeList", str_text(&nodes));
	str_addf(env->out,
		 " NumNodes=%" PRIu32 " NumCPUs=%" PRId64 " NumTasks=%" PRIu32 " CPUs/Task=%" PRIu32 "\n",
		 job_list_node_count(list, job), job_procs_counted(job), job->tasks, job->task_procs);
	str_free(&nodes);
	str_free(&reason);
}

static enum cmd_status show_jobs(struct cmd_env *env, int argc, char **argv)
{
	struct delegate d = {.count = 0};
	struct job_list list;
	enum cmd_status status = CMD_REFUSED;

	for (int i = 0; i < argc; i++)
		delegate_job(env->s, &d, argv[i]);
	if (job_list_find(env, &d, &list)) {
		for (size_t i = 0; i < list.count; i++)
			show_job(env, &list, list.slot[i]);
		status = CMD_DONE;
	}
	job_list_free(&list);
	return status;
}

/*
 * Prints the names of a list such as "a,n[1-3]", one on each line. Prints at most HOSTS_MOST names of a
 * range.
 */
#define HOSTS_MOST 10000

static void show_hosts(const char *list, struct str *out)
{
	while (*list != '\0') {
		size_t stem = strcspn(list, ",[");
		const char *at = list + stem;

		if (*at != '[') {
			str_addf(out, "%.*s\n", (int)stem, list);
		} else {
			while (*at != '\0' && *at != ']') {
				char *end;
				int digits = (int)strspn(++at, "0123456789");
				unsigned long first = strtoul(at, &end, 10), last = first;

				if (*end == '-')
					last = strtoul(end + 1, &end, 10);
				for (unsigned long n = first; n <= last && n - first < HOSTS_MOST; n++)
					str_addf(out, "%.*s%0*lu\n", (int)stem, list, digits, n);
				at = end + strcspn(end, ",]");
			}
			at += *at == ']';
		}
		list = at + (*at == ',');
	}
}

static bool begins(const char *word, const char *whole)
{
	return strlen(word) >= 3 && strncasecmp(word, whole, strlen(word)) == 0;
}

static enum cmd_status show(struct cmd_env *env, int argc, char **argv)
{
	struct delegate d = {.count = 0};
	const char *what = argc > 0 ? argv[0] : "", *list = argc > 1 ? argv[1] : getenv("SLURM_JOB_NODELIST");

	if (begins(what, "hostnames")) {
		if (list == NULL)
			return err_set(&env->err, "show hostnames: no host list given") ? CMD_DONE
											: CMD_USAGE;
		show_hosts(list, env->out);
		return CMD_DONE;
	}
	if (env->s == NULL) {
		err_set(&env->err, "scontrol needs a running scheduler or a store");
		return CMD_REFUSED;
	}
	if (begins(what, "jobs") || begins(what, "jobid"))
		return show_jobs(env, argc - 1, argv + 1);
	for (int i = 1; i < argc; i++)
		delegate_add(&d, "%s", argv[i]);
	if (begins(what, "nodes"))
		return delegate_run(env, &d, &cmd_node);
	if (begins(what, "reservations"))
		return delegate_run(env, &d, &cmd_reservations);
	if (begins(what, "config"))
		return delegate_run(env, &d, &cmd_config);
	if (begins(what, "partitions")) {
		delegate_free(&d);
		return delegate_run(env, &d, &cmd_sinfo);
	}
	delegate_free(&d);
	err_set(&env->err,
		"show \"%.40s\" is not supported; write job, node, partition, reservation, config or "
		"hostnames",
		what);
	return CMD_USAGE;
}

/* --- scontrol update ---------------------------------------------------------------------------------- */

/* Adds a TimeLimit in Slurm's syntax, in which a plain number means minutes. */
static void add_limit(struct delegate *d, const char *text)
{
	int64_t minutes;

	if (str_read_whole(text, &minutes))
		delegate_add(d, "walltime=%" PRId64, minutes > INT32_MAX / 60 ? INT64_C(-1) : minutes * 60);
	else if (strchr(text, '-') != NULL)
		delegate_add(d, "walltime=%.*s:%s%s", (int)strcspn(text, "-"), text, strchr(text, '-') + 1,
			     strchr(text, ':') == NULL                 ? ":00:00"
			     : strchr(text, ':') == strrchr(text, ':') ? ":00"
								       : "");
	else
		delegate_add(d, "walltime=%s", text);
}

/* Adds NAME=VALUE of a job as a word for `set`. Returns false with err set if it cannot be changed. */
static bool add_update(struct cmd_env *env, struct delegate *d, const char *name, const char *value)
{
	int64_t nice;

	if (str_same_word(name, "TimeLimit"))
		add_limit(d, value);
	else if (str_same_word(name, "QOS"))
		delegate_add(d, "qos=%s", value);
	else if (str_same_word(name, "Dependency"))
		delegate_add(d, "depend=%s", value);
	else if (str_same_word(name, "StartTime"))
		delegate_add(d, "starttime=%s", value);
	else if (str_same_word(name, "NumNodes"))
		delegate_add(d, "nodes=%s", value);
	else if (str_same_word(name, "Features"))
		delegate_add(d, "features=%s", value);
	else if (str_same_word(name, "ArrayTaskThrottle"))
		delegate_add(d, "throttle=%s", value);
	else if (str_same_word(name, "Priority"))
		delegate_add(d, "priority=%s", value);
	else if (str_same_word(name, "Nice") && str_read_whole(value, &nice))
		delegate_add(d, "priority=%+" PRId64, -nice);
	else
		return err_set(&env->err,
			       "update %.40s: cannot be changed; only TimeLimit, QOS, Dependency, StartTime, "
			       "NumNodes, Features, ArrayTaskThrottle, Priority and Nice of an idle job can "
			       "be changed",
			       name);
	return true;
}

/* Drains a node for State=DRAIN, and undrains it for RESUME, UNDRAIN and IDLE. */
static enum cmd_status update_node(struct cmd_env *env, const char *node, const char *state)
{
	struct delegate d = {.count = 0};

	if (state == NULL || (strncasecmp(state, "drain", 5) != 0 && !str_same_word(state, "resume") &&
			      !str_same_word(state, "undrain") && !str_same_word(state, "idle"))) {
		err_set(&env->err, "update NodeName=%.40s: write State=DRAIN or State=RESUME", node);
		return CMD_USAGE;
	}
	delegate_add(&d, "%s", strncasecmp(state, "drain", 5) == 0 ? "drain" : "undrain");
	delegate_add(&d, "%s", node);
	return delegate_run(env, &d, &cmd_node);
}

static enum cmd_status update(struct cmd_env *env, int argc, char **argv)
{
	struct delegate d = {.count = 0};
	const char *node = NULL, *state = NULL;
	bool good = true;

	for (int i = 0; i < argc && good; i++) {
		size_t len = strcspn(argv[i], "=");
		char *name = arena_copy(&d.arena, argv[i], len + 1),
		     *value = argv[i] + len + (argv[i][len] == '=');

		name[len] = '\0';
		if (str_same_word(name, "JobId") || str_same_word(name, "Job") || argv[i][len] == '\0')
			delegate_jobs(env->s, &d, argv[i][len] == '\0' ? argv[i] : value);
		else if (str_same_word(name, "NodeName"))
			node = value;
		else if (node != NULL && str_same_word(name, "State"))
			state = value;
		else if (node == NULL)
			good = add_update(env, &d, name, value);
	}
	if (good && node == NULL)
		return delegate_run(env, &d, &cmd_set);
	delegate_free(&d);
	return good ? update_node(env, node, state) : CMD_USAGE;
}

/* --- scontrol ----------------------------------------------------------------------------------------- */

static const char *const changing[] = {"hold",    "uhold",  "release", "requeue",
				       "suspend", "resume", "update",  NULL};

static const struct cmd *verb_of(const char *word)
{
	static const struct cmd *const verbs[] = {&cmd_hold,    &cmd_hold,    &cmd_release,
						  &cmd_requeue, &cmd_suspend, &cmd_resume};

	for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
		if (strcmp(changing[i], word) == 0)
			return verbs[i];
	return NULL;
}

static enum cmd_status run_scontrol(struct cmd_env *env, int argc, char **argv)
{
	struct delegate d = {.count = 0};
	const struct cmd *verb = verb_of(argv[1]);

	if (strcmp(argv[1], "show") == 0)
		return show(env, argc - 2, argv + 2);
	if (env->s == NULL) {
		err_set(&env->err, "scontrol needs a running scheduler or a store");
		return CMD_REFUSED;
	}
	if (strcmp(argv[1], "ping") == 0) {
		str_add(env->out, env->client != NULL ? "the scheduler is UP\n" : "the scheduler is DOWN\n");
		return CMD_DONE;
	}
	if (strcmp(argv[1], "update") == 0)
		return update(env, argc - 2, argv + 2);
	if (verb == NULL) {
		err_set(&env->err,
			"unknown command \"%.40s\"; write show, hold, release, requeue, suspend, resume, "
			"update or ping",
			argv[1]);
		return CMD_USAGE;
	}
	for (int i = 2; i < argc; i++)
		delegate_jobs(env->s, &d, strncasecmp(argv[i], "jobid=", 6) == 0 ? argv[i] + 6 : argv[i]);
	return delegate_run(env, &d, verb);
}

const struct cmd cmd_scontrol = {
	.name = "scontrol",
	.args = "show | hold | release | requeue | suspend | resume | update ...",
	.help = "Show and change jobs and nodes, like scontrol of Slurm: show job [JOB], show node, show "
		"hostnames [LIST], hold JOB..., release JOB..., update JobId=JOB TimeLimit=TIME, update "
		"NodeName=NODE State=DRAIN.",
	.options = (const struct cmd_option[]){{"-o", NULL, "no effect: each job is printed on one line"},
					       {"-d", NULL, "no effect"},
					       {0}},
	.min = 1,
	.max = -1,
	.authority = CMD_ANYONE,
	.flags = CMD_ANY_STATE,
	.changes_by = changing,
	.run = run_scontrol,
};
