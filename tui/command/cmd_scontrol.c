/* SPDX-License-Identifier: MIT */
/*
 * cmd_scontrol.c - scontrol: show, hold, release, requeue, suspend, resume and update
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "delegate.h"
#include "job_list.h"
#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"
#include "tui/draw/text.h"
#include "verbs.h"

/* --- show ---------------------------------------------------------------------------------------- */

static void add_pair(const struct cmd_env *env, const char *name, const char *value)
{
	str_addf(env->out, " %s=", name);
	text_safe(env->out, value != NULL && value[0] != '\0' ? value : "(null)", env->ascii);
}

static void add_moment(const struct cmd_env *env, const char *name, int64_t at_s)
{
	char when[MOMENT_TEXT];

	add_pair(env, name, at_s == TIME_NONE || at_s == TIME_NEVER ? "Unknown" : wallclock_iso(when, at_s));
}

/* One line a job, as with -o: what scripts look for is found in it. */
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
	add_moment(env, "SubmitTime", job->submit_s);
	add_moment(env, "StartTime", runs ? job->start_s : future_start(&list->future, slot).start_s);
	add_moment(env, "EndTime", runs ? list->now_s + job_left_s(job, list->now_s) : TIME_NEVER);
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

/* The names of a list, one a line: "a,n[1-3]". A range of more than this many names is cut off. */
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
			return err_set(&env->err, "show hostnames: name a list of hosts") ? CMD_DONE
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
		"show \"%.40s\" is not known; there are job, node, partition, reservation, config, hostnames",
		what);
	return CMD_USAGE;
}

/* --- update -------------------------------------------------------------------------------------- */

/* TimeLimit in Slurm's grammar: a bare number is minutes. */
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

/* NAME=VALUE of a job. False with a sentence: it cannot be changed. */
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
		return err_set(
			&env->err,
			"update %.40s: of a waiting job TimeLimit, QOS, Dependency, StartTime, NumNodes, "
			"Features, ArrayTaskThrottle, Priority and Nice can be changed",
			name);
	return true;
}

/* State=DRAIN of a node. */
static enum cmd_status update_node(struct cmd_env *env, const char *node, const char *state)
{
	struct delegate d = {.count = 0};

	if (state == NULL || (strncasecmp(state, "drain", 5) != 0 && !str_same_word(state, "resume") &&
			      !str_same_word(state, "undrain") && !str_same_word(state, "idle"))) {
		err_set(&env->err, "update NodeName=%.40s: State=DRAIN and State=RESUME are known", node);
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

/* --- the verb ------------------------------------------------------------------------------------- */

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
		str_add(env->out, env->caller != NULL ? "the scheduler is UP\n" : "the scheduler is DOWN\n");
		return CMD_DONE;
	}
	if (strcmp(argv[1], "update") == 0)
		return update(env, argc - 2, argv + 2);
	if (verb == NULL) {
		err_set(&env->err,
			"\"%.40s\" is not known; there are show, hold, release, requeue, suspend, resume, "
			"update and "
			"ping",
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
	.help = "Shows and changes jobs and nodes as scontrol of Slurm does: show job [JOB], show node, show "
		"hostnames [LIST], hold JOB..., release JOB..., update JobId=JOB TimeLimit=TIME, update "
		"NodeName=NODE "
		"State=DRAIN.",
	.options = (const struct cmd_option[]){{"-o", NULL, "no effect: a job is one line"},
					       {"-d", NULL, "no effect"},
					       {0}},
	.min = 1,
	.max = -1,
	.authority = CMD_ANYONE,
	.flags = CMD_ANY_STATE,
	.changes_by = changing,
	.run = run_scontrol,
};
