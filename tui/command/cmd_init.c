/* SPDX-License-Identifier: MIT */
/*
 * cmd_init.c - kahu init: an initial configuration for this host and its users
 *
 * An existing file is not overwritten; with --force it is kept as FILE.old.
 */
#include "cmd_init.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "sched/base/vec.h"
#include "sched/config/config.h"
#include "sched/host/files.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"

/* --- the text ----------------------------------------------------------------------------------------- */

/*
 * The generated policy is first come, first served, with fairshare and with backfill that delays no
 * reservation. Settings that a site may want next are written as comments.
 */

#define SYSTEM_SHARE 20 /* 1/SYSTEM_SHARE of the memory is reserved for the system ... */

#define SYSTEM_MIN_MB 512 /* ... but at least this many MB */

#define ALL_PERCENT 100.0

static const char *plural(uint32_t count)
{
	return count == 1 ? "" : "s";
}

/* Appends one line about the hardware: "lab: 16 processors, 64000 MB of memory, 2 GPUs". */
static void print_host_line(const struct host_info *info, struct str *out)
{
	str_addf(out, "%s: %" PRIu32 " processor%s", info->hostname, info->cpu_count,
		 plural(info->cpu_count));
	if (info->core_count > 0 && info->core_count < info->cpu_count)
		str_addf(out, " on %" PRIu32 " core%s", info->core_count, plural(info->core_count));
	if (info->numa_count > 1)
		str_addf(out, " in %" PRIu32 " NUMA domains", info->numa_count);
	if (info->mem_mb > 0)
		str_addf(out, ", %" PRId64 " MB of memory", info->mem_mb);
	if (info->device_count > 0)
		str_addf(out, ", %" PRIu32 " GPU%s (%s)", info->device_count, plural(info->device_count),
			 info->device[0].kind);
}

static void print_head(const struct host_info *info, int64_t now_s, struct str *out)
{
	time_t now = (time_t)now_s;
	struct tm tm;
	char date[32];

	gmtime_r(&now, &tm);
	strftime(date, sizeof date, "%Y-%m-%d", &tm);
	str_addf(out, "# kahu.conf, written by 'kahu init' on %s for\n# ", date);
	print_host_line(info, out);
	str_add(out, ".\n"
		     "#\n"
		     "# Edit this file as needed: 'kahu lint' checks it, 'kahu config' shows the options in "
		     "force,\n"
		     "# kahu.conf(5) describes all options.\n"
		     "\n");
}

static void print_host(const struct host_info *info, struct str *out)
{
	int64_t share_mb = info->mem_mb / SYSTEM_SHARE;

	str_add(out,
		"# --- this host -----------------------------------------------------------------------\n"
		"\n"
		"# Processors and memory are detected at each start; these amounts are reserved for the "
		"system.\n"
		"systemprocs = 0\n");
	str_addf(out, "systemmemory = %" PRId64 "mb\n\n",
		 share_mb > SYSTEM_MIN_MB ? share_mb : (int64_t)SYSTEM_MIN_MB);
	if (info->device_count > 0) {
		str_add(out, "# GPUs were found; list here the ones that jobs may use.\n"
			     "# devices = \"");
		for (uint32_t i = 0; i < info->device_count; i++)
			str_addf(out, "%s%s", i > 0 ? "," : "", info->device[i].id);
		str_add(out, "\"\n\n");
	} else {
		str_add(out, "# No GPUs were found; jobs that request GPUs never start on this host.\n"
			     "# devices = \"0,1\"\n"
			     "\n");
	}
	str_add(out, "# Features that jobs may request:\n");
	str_addf(out, "# node %s { features = {\"fast\"} }\n\n", info->hostname);
}

static void print_memory(const struct host_info *info, const char *why, struct str *out)
{
	switch (info->level) {
	case HOLD_FULL:
		str_add(out, "# The kernel enforces the memory limit of jobs (cgroups).\n"
			     "\n");
		break;
	case HOLD_KILL_ONLY:
	case HOLD_NONE:
		str_addf(out,
			 "# Memory use of jobs is checked every second, but memory limits are not enforced "
			 "by the kernel:\n"
			 "# %s.\n"
			 "\n",
			 why);
		break;
	}
}

static void print_jobs(struct str *out)
{
	str_add(out,
		"# --- jobs ----------------------------------------------------------------------------\n"
		"\n"
		"# Default and maximum wallclock limit of a job (0: no maximum).\n"
		"systemdefaultjobwalltime = \"1:00:00\"\n"
		"systemmaxjobwalltime = \"7:00:00:00\"\n"
		"\n"
		"# Memory limit of jobs without a memory request; without this option they have no memory "
		"limit.\n"
		"# systemdefaultjobmemory = 2gb\n"
		"\n"
		"# Delay between TERM and KILL when a job is ended, and a warning signal before the "
		"wallclock limit.\n"
		"jobgrace = 30s\n"
		"warnsignal = none\n"
		"warntime = 60s\n"
		"\n"
		"# Programs to run before and after each job.\n"
		"# prolog = \"/usr/local/libexec/kahu-prolog\"\n"
		"# epilog = \"/usr/local/libexec/kahu-epilog\"\n"
		"\n");
}

static void print_order(struct str *out)
{
	str_add(out,
		"# --- priorities ------------------------------------------------------------------------\n"
		"\n"
		"# One point of priority for each minute in the queue.\n"
		"queuetimeweight = 1\n"
		"\n"
		"# Jobs are backfilled if they do not delay the first idle job, which gets a reservation.\n"
		"backfillpolicy = firstfit\n"
		"reservationdepth = 1\n"
		"\n"
		"# Fairshare: usage of the last seven days, older usage weighted less. Each percent of the "
		"machine\n"
		"# above or below a target (see the sections below) is worth ten points.\n"
		"fspolicy = dedicatedps\n"
		"fsinterval = \"1:00:00:00\"\n"
		"fsdepth = 7\n"
		"fsdecay = 0.8\n"
		"fsweight = 1\n");
}

/* Returns the share of each of `count` users or groups in percent, at least 1. */
static double equal_share(uint32_t count)
{
	double share = ALL_PERCENT / (count > 0 ? count : 1);

	return share < 1 ? 1 : share;
}

static void print_users(const struct host_users *users, struct str *out)
{
	str_add(out, "fsuserweight = 10\n");
	if (users->groups > 0)
		str_add(out, "fsgroupweight = 10\n");
	str_addf(out,
		 "\n# %" PRIu32
		 " %s log in here. Equal shares for all users; set the share of one user as in\n"
		 "# user eva { fstarget = \"40\" }\n"
		 "user DEFAULT { fstarget = \"%.1f\" }\n"
		 "\n",
		 users->users, users->users == 1 ? "user can" : "users can", equal_share(users->users));
	str_add(out, "# Maximum numbers of running and of idle jobs per user:\n"
		     "# user DEFAULT { maxjob = {\"20\"} maxijob = {\"50\"} }\n"
		     "\n");
}

static void print_groups(const struct host_users *users, struct str *out)
{
	if (users->groups == 0)
		return;
	str_add(out, "# The groups of these users, with equal shares.\n");
	for (uint32_t i = 0; i < users->groups; i++)
		str_addf(out, "group \"%s\" { fstarget = \"%.1f\" } # %" PRIu32 " member%s\n",
			 users->group[i].name, equal_share(users->groups), users->group[i].members,
			 plural(users->group[i].members));
	str_add(out, "\n");
}

void init_print_config(const struct host_info *info, const char *why, const struct host_users *users,
		       int64_t now_s, struct str *out)
{
	print_head(info, now_s, out);
	print_host(info, out);
	print_memory(info, why, out);
	print_jobs(out);
	print_order(out);
	print_users(users, out);
	print_groups(users, out);
	str_add(out, "# Metrics for Prometheus:\n"
		     "# metricsfile = \"/var/lib/prometheus/node-exporter/kahu.prom\"\n");
}

/* --- the file ----------------------------------------------------------------------------------------- */

#define PATH_ROOM 4096

/* --- content of the file ------------------------------------------------------------------------------ */

/*
 * Checks that the text can be read as a configuration. It cannot be read if it contains the name of a group
 * that a configuration cannot express.
 */
static bool is_good(const char *file, const struct str *text, struct err *err)
{
	struct config_list list = {0};
	bool good = config_list_read(file, str_text(text), text->len, &list, err);

	config_list_free(&list);
	return good;
}

/* Generates the configuration. Sets *host to one line about the hardware. */
static bool make_text(const char *file, struct str *text, struct str *host, struct err *err)
{
	struct host_info *info = mem_zero(1, sizeof *info);
	struct host_users *users = mem_zero(1, sizeof *users);
	struct str why = {0};
	bool good = host_info_read("/", NULL, info, err);

	if (good) {
		host_info_cgroup("/", info->cgroup, sizeof info->cgroup, &why);
		host_users_find("/", users);
		init_print_config(info, str_text(&why), users, (int64_t)time(NULL), text);
		print_host_line(info, host);
		good = is_good(file, text, err);
	}
	str_free(&why);
	free(users);
	free(info);
	return good;
}

/* --- path of the file --------------------------------------------------------------------------------- */

/* Creates the parent folders of a file, readable by all. */
static bool make_folders(const char *file, struct err *err)
{
	char path[PATH_ROOM];

	snprintf(path, sizeof path, "%s", file);
	for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0755) != 0 && errno != EEXIST)
			return err_set(err, "cannot create the folder %s: %s", path, strerror(errno));
		*slash = '/';
	}
	return true;
}

static bool is_free(const char *file, struct err *err)
{
	struct stat st;

	return lstat(file, &st) != 0 || err_set(err,
						"%s already exists; --force replaces it and keeps it as "
						"%s.old, 'kahu init -' only prints the new one",
						file, file);
}

static bool keep_old(const char *file, struct err *err)
{
	char old[PATH_ROOM + 8];

	snprintf(old, sizeof old, "%s.old", file);
	return rename(file, old) == 0 || errno == ENOENT ||
	       err_set(err, "cannot rename %s to %s: %s", file, old, strerror(errno));
}

/*
 * Writes a new file and links it to its name: link() fails if another process has created the file meanwhile.
 */
static bool put_file(const char *file, const struct str *text, struct err *err)
{
	char fresh[PATH_ROOM + 8];
	struct outfile out;
	bool good;

	snprintf(fresh, sizeof fresh, "%s.new", file);
	if (!outfile_open(&out, fresh, err) || !outfile_write(&out, text, err))
		return false;
	good = (chmod(fresh, 0644) == 0 && link(fresh, file) == 0) ||
	       err_set(err, "cannot write %s: %s", file, strerror(errno));
	unlink(fresh);
	return good;
}

static enum cmd_status write_there(struct cmd_env *env, const char *file, const struct str *text)
{
	bool forced = cmd_option(env, "--force") != NULL;

	if (!forced && !is_free(file, &env->err))
		return CMD_REFUSED;
	if (!make_folders(file, &env->err) || (forced && !keep_old(file, &env->err)) ||
	    !put_file(file, text, &env->err))
		return CMD_FAILED;
	return CMD_DONE;
}

/* --- the verb ----------------------------------------------------------------------------------------- */

static bool choose_file(struct cmd_env *env, const char *named, char out[static PATH_ROOM])
{
	const char *config = env->shell != NULL ? env->shell->config : NULL;

	return session_config_place(named != NULL ? named : config, out, PATH_ROOM, &env->err);
}

static void tell(struct cmd_env *env, const char *file, const struct str *host)
{
	str_addf(env->out,
		 "Wrote %s for %s.\n"
		 "Next: review the file, check the host with 'kahu doctor', and start the scheduler with "
		 "'kahu serve'%s.\n",
		 file, str_text(host),
		 geteuid() == 0 ? " (as a service: 'systemctl enable --now kahu')" : "");
}

static enum cmd_status run_init(struct cmd_env *env, int argc, char **argv)
{
	const char *named = argc > 1 ? argv[1] : NULL;
	char file[PATH_ROOM] = "-";
	struct str text = {0}, host = {0};
	enum cmd_status status = CMD_REFUSED;
	bool prints = named != NULL && strcmp(named, "-") == 0;

	if ((prints || choose_file(env, named, file)) && make_text(file, &text, &host, &env->err))
		status = prints ? CMD_DONE : write_there(env, file, &text);
	if (status == CMD_DONE && prints)
		str_add(env->out, str_text(&text));
	else if (status == CMD_DONE)
		tell(env, file, &host);
	str_free(&text);
	str_free(&host);
	return status;
}

static const struct cmd_option options[] = {
	{"--force", NULL, "replace an existing file, which is kept as FILE.old"},
	{NULL, NULL, NULL},
};

const struct cmd cmd_init = {
	.name = "init",
	.args = "[FILE]",
	.help = "Write an initial configuration for the hardware and users of this host. With -, print it.",
	.options = options,
	.max = 1,
	.flags = CMD_SHELL,
	.run = run_init,
};
