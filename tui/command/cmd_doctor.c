/* SPDX-License-Identifier: MIT */
/* cmd_doctor.c - kahu doctor: checks of this host */
#include "cmd_doctor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <langinfo.h>
#include <linux/magic.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "cmd_lint.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/config/config.h"
#include "sched/host/door.h"
#include "sched/host/files.h"
#include "sched/rm/host_info.h"
#include "sched/rm/host_users.h"
#include "sched/rm/monotonic.h"
#include "sched/rm/outside_processes.h"
#include "sched/rm/slurm_query.h"
#include "sched/rm/spool.h"
#include "site.h"
#include "store/lock.h"
#include "store/store.h"
#include "tui/draw/term_type.h"
#include "tui/report/field.h"
#include "tui/report/report.h"
#include "tui/serve/client.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"

#define PATH_ROOM        4096
#define FINDINGS_MAX     100
#define COLOURS_SHOWN    8
#define FILES_WANTED     1024
#define PROCESSES_WANTED 4096
#define YEAR_2024        INT64_C(1704067200)
#define LOOK_NS          600000000 /* pause between two samples; slightly more than OUTSIDE_APART_S */
#define BUSY_SHARE       0.5 /* a warning if other processes use at least this share of all processors */
#define TRIES            21  /* number of measured commits; their median is reported */
#define SLOW_MS          20.0
#define SPACE_WANTED     (INT64_C(1) << 10) /* MB; less free space is a warning */
#define SPACE_NEEDED     INT64_C(64)        /* MB; less free space is a failure */

/* --- findings ----------------------------------------------------------------------------------------- */

static const char *const health_name[] = {
	[HEALTH_OK] = "ok",
	[HEALTH_WARN] = "warn",
	[HEALTH_FAIL] = "fail",
};

void findings_add(struct findings *f, enum health health, const char *what, const char *todo,
		  const char *format, ...)
{
	struct str value = {0};
	va_list words;

	va_start(words, format);
	str_addv(&value, format, words);
	va_end(words);
	f->item = vec_room(f->item, &f->room, f->count + 1, sizeof *f->item);
	f->item[f->count++] = (struct finding){.health = health,
					       .what = what,
					       .value = mem_string(str_text(&value)),
					       .todo = mem_string(todo != NULL ? todo : "")};
	str_free(&value);
}

enum health findings_worst(const struct findings *f)
{
	enum health worst = HEALTH_OK;

	for (size_t i = 0; i < f->count; i++)
		if (f->item[i].health > worst)
			worst = f->item[i].health;
	return worst;
}

size_t findings_count(const struct findings *f, enum health health)
{
	size_t count = 0;

	for (size_t i = 0; i < f->count; i++)
		count += f->item[i].health == health;
	return count;
}

void findings_free(struct findings *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->item[i].value);
		free(f->item[i].todo);
	}
	free(f->item);
	*f = (struct findings){.item = NULL};
}

void findings_print(const struct findings *f, bool ascii, struct str *out)
{
	for (size_t i = 0; i < f->count; i++) {
		const struct finding *item = &f->item[i];

		str_addf(out, "%-4s  %s: ", health_name[item->health], item->what);
		text_safe(out, item->value, ascii);
		if (item->todo[0] != '\0') {
			str_add(out, "; ");
			text_safe(out, item->todo, ascii);
		}
		str_add_char(out, '\n');
	}
}

static bool get_health(const void *item, struct value *out)
{
	out->text = health_name[((const struct finding *)item)->health];
	return true;
}

static bool get_todo(const void *item, struct value *out)
{
	out->text = ((const struct finding *)item)->todo;
	return out->text[0] != '\0';
}

static const struct field finding_fields[] = {{"health", NULL, FIELD_TEXT, .get = get_health},
					      {"what", NULL, FIELD_TEXT, FIELD_AT(struct finding, what)},
					      {"value", NULL, FIELD_TEXT, FIELD_AT(struct finding, value)},
					      {"todo", NULL, FIELD_TEXT, .get = get_todo},
					      {0}};

static void each_finding(const void *item, field_visit *visit, void *self)
{
	const struct findings *f = item;

	for (size_t i = 0; i < f->count; i++)
		visit(self, &f->item[i]);
}

static bool get_worst(const void *item, struct value *out)
{
	out->text = health_name[findings_worst(item)];
	return true;
}

static const struct field findings_fields[] = {
	{"worst", NULL, FIELD_TEXT, .get = get_worst},
	{"findings", NULL, FIELD_LIST, .of = finding_fields, .each = each_finding},
	{0}};

void findings_print_json(const struct findings *f, struct str *out)
{
	fields_document(out, findings_fields, 0, f);
}

/* --- the configuration -------------------------------------------------------------------------------- */

/* Counts warnings and errors; notes require no action. */
static int64_t count_grave(const struct config_finding *finding, size_t found)
{
	int64_t grave = 0;

	for (size_t i = 0; i < found && i < FINDINGS_MAX; i++)
		grave += finding[i].severity > SEVERITY_NOTE;
	return grave;
}

static int64_t judge_text(const char *file, const struct str *text, struct err *barred)
{
	struct config_finding *finding = mem_zero(FINDINGS_MAX, sizeof *finding);
	int64_t grave =
		count_grave(finding, config_lint(file, str_text(text), text->len, finding, FINDINGS_MAX));

	grave += count_grave(finding, config_lint_host(file, str_text(text), text->len, lint_ask_host, barred,
						       finding, FINDINGS_MAX));
	free(finding);
	return grave;
}

/* Returns the number of warnings and errors; -1 with err set if the file cannot be used. */
static int64_t judge_config(const char *file, struct err *err)
{
	struct config_list list = {0};
	struct str text = {0};
	struct err barred;
	int64_t found = -1;

	if (file_read_config(file, &text, &barred, err) &&
	    config_list_read(file, str_text(&text), text.len, &list, err))
		found = judge_text(file, &text, &barred);
	config_list_free(&list);
	str_free(&text);
	return found;
}

void doctor_config(struct findings *f, const char *file)
{
	struct err err = {{0}};
	int64_t found;

	if (file[0] == '\0') {
		findings_add(f, HEALTH_WARN, "configuration", "'kahu init' writes one for this host",
			     "none; jobs run in order of submission");
		return;
	}
	found = judge_config(file, &err);
	if (found < 0)
		findings_add(f, HEALTH_FAIL, "configuration", "fix the error; 'kahu lint' checks the file",
			     "%s", err.text);
	else if (found > 0)
		findings_add(f, HEALTH_WARN, "configuration", "'kahu lint' lists them",
			     "%s, %" PRId64 " warning%s", file, found, found == 1 ? "" : "s");
	else
		findings_add(f, HEALTH_OK, "configuration", NULL, "%s", file);
}

/* Appends the value of an option outside sections; `usual` if the file does not set it or cannot be read. */
static void doctor_option(const char *file, const char *name, const char *usual, struct str *out)
{
	struct config_list list = {0};
	struct str text = {0};

	str_add(out, usual);
	if (file[0] != '\0' && file_read(file, OPTION_TEXT_MAX, &text, NULL) &&
	    config_list_read(file, str_text(&text), text.len, &list, NULL))
		for (size_t i = 0; i < list.count; i++) {
			const struct config_value *value = &list.item[i].value;

			if (value->row != NULL && strcmp(value->row->name, name) == 0) {
				str_clear(out);
				str_add(out, value->value.text);
			}
		}
	config_list_free(&list);
	str_free(&text);
}

void doctor_memory(struct findings *f, const char *file, uint32_t people)
{
	struct str text = {0};
	int64_t mb = 0;

	doctor_option(file, "systemdefaultjobmemory", "0", &text);
	(void)memory_parse(str_text(&text), &mb, NULL);
	if (mb > 0)
		findings_add(f, HEALTH_OK, "default memory", NULL,
			     "jobs without a memory request get %" PRId64 " MB", mb);
	else if (people > 1)
		findings_add(f, HEALTH_WARN, "default memory", "set systemdefaultjobmemory",
			     "%" PRIu32
			     " users can log in here, and jobs without a memory request have no memory limit",
			     people);
	else
		findings_add(f, HEALTH_OK, "default memory", NULL,
			     "jobs without a memory request have no memory limit");
	str_free(&text);
}

/* --- PAM ---------------------------------------------------------------------------------------------- */

#ifdef HAVE_PAM

static bool has_service(const char *folder, const char *service)
{
	struct str path = {0};
	bool has;

	str_addf(&path, "%s/%s", folder, service);
	has = access(str_text(&path), R_OK) == 0;
	str_free(&path);
	return has;
}

void doctor_pam(struct findings *f, const char *file)
{
	struct str service = {0};
	const char *name;

	doctor_option(file, "pamservice", SITE_PAM_SERVICE_DEFAULT, &service);
	name = str_text(&service);
	if (geteuid() != 0)
		findings_add(f, HEALTH_OK, "pam", NULL,
			     "not used: only a scheduler that runs as root opens sessions");
	else if (strcmp(name, "none") == 0)
		findings_add(f, HEALTH_WARN, "pam", "remove pamservice = none",
			     "disabled (pamservice): jobs of expired accounts start, and limits.conf is not "
			     "applied");
	else if (has_service("/etc/pam.d", name) || has_service("/usr/lib/pam.d", name))
		findings_add(f, HEALTH_OK, "pam", NULL,
			     "service %s: accounts are checked and login limits apply to jobs", name);
	else
		findings_add(f, HEALTH_WARN, "pam",
			     "run make install, which writes /etc/pam.d/kahu, or set pamservice",
			     "no file for the service '%s' (the service 'other' is not used instead): jobs "
			     "of expired accounts start, and limits.conf is not applied",
			     name);
	str_free(&service);
}

#else

void doctor_pam(struct findings *f, const char *file)
{
	(void)file;
	findings_add(f, geteuid() == 0 ? HEALTH_WARN : HEALTH_OK, "pam",
		     "install the development files of libpam and rebuild",
		     "built without PAM: jobs of expired accounts start, and limits.conf is not applied");
}

#endif

/* --- the shepherd ------------------------------------------------------------------------------------- */

void doctor_shepherd(struct findings *f, const char *program)
{
	struct stat st;

	if (access(program, X_OK) != 0)
		findings_add(f, HEALTH_FAIL, "shepherd", "run make install",
			     "cannot execute %s, which runs the jobs: %s", program, strerror(errno));
	else if (stat(program, &st) == 0 && geteuid() == 0 &&
		 ((st.st_mode & S_IWOTH) != 0 || ((st.st_mode & S_IWGRP) != 0 && st.st_gid != 0)))
		findings_add(f, HEALTH_FAIL, "shepherd", "chmod go-w",
			     "%s runs as root, but other users can write to it", program);
	else
		findings_add(f, HEALTH_OK, "shepherd", NULL, "%s", program);
}

/* --- the terminal ------------------------------------------------------------------------------------- */

static bool wants_colours(void)
{
	const char *no = getenv("NO_COLOR");

	return no == NULL || no[0] == '\0';
}

static void doctor_terminal(struct findings *f, bool ascii)
{
	const char *name = getenv("TERM");
	bool utf8 = !ascii && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	struct term_type type;

	if (!isatty(STDOUT_FILENO)) {
		findings_add(f, HEALTH_OK, "terminal", NULL, "standard output is not a terminal");
		return;
	}
	if (name == NULL || !term_type_find(name, STDOUT_FILENO, &type) || !type.places_cursor) {
		findings_add(f, HEALTH_WARN, "terminal",
			     "set TERM to the type of your terminal (usually xterm-256color); until then, "
			     "only verbs such as 'kahu queue' work",
			     "terminal type '%s' does not support the console", name != NULL ? name : "");
		return;
	}
	findings_add(f, utf8 ? HEALTH_OK : HEALTH_WARN, "terminal",
		     utf8 ? NULL : "set a UTF-8 locale (LANG=C.UTF-8) for line-drawing characters",
		     "%s, %d colours%s%s", type.name, type.colours,
		     type.colours < COLOURS_SHOWN || !wants_colours() ? ", not used" : "",
		     utf8 ? "" : ", no UTF-8");
}

/* --- hardware ----------------------------------------------------------------------------------------- */

static void report_processors(struct findings *f, const struct host_info *host)
{
	findings_add(f, HEALTH_OK, "processors", NULL,
		     "%" PRIu32 " on %" PRIu32 " cores, %" PRIu32 " NUMA domain%s", host->cpu_count,
		     host->core_count, host->numa_count, host->numa_count == 1 ? "" : "s");
	if (host->mem_mb > 0)
		findings_add(f, HEALTH_OK, "memory", NULL, "%" PRId64 " MB, %" PRId64 " MB of swap",
			     host->mem_mb, host->swap_mb);
	else
		findings_add(f, HEALTH_WARN, "memory", "set node NAME { memory = ... } in kahu.conf",
			     "the amount cannot be read");
}

static void report_devices(struct findings *f, const struct host_info *host, bool configured)
{
	struct str names = {0};

	for (uint32_t i = 0; i < host->device_count; i++)
		str_addf(&names, "%s%s %s", i > 0 ? ", " : "", host->device[i].kind, host->device[i].id);
	if (host->device_count > 0)
		findings_add(f, HEALTH_OK, "devices", NULL, "%" PRIu32 "%s: %s", host->device_count,
			     configured ? ", set by the option devices in kahu.conf" : "", str_text(&names));
	else if (configured)
		findings_add(f, HEALTH_OK, "devices", NULL, "none, set by the option devices in kahu.conf");
	else
		findings_add(f, HEALTH_OK, "devices", "if there are GPUs, set devices = \"0,1\" in kahu.conf",
			     "no GPUs found");
	str_free(&names);
}

/* The kernel enforces memory limits only with HOLD_FULL. */
static void report_containment(struct findings *f, enum hold_level level, const char *why)
{
	switch (level) {
	case HOLD_FULL:
		findings_add(f, HEALTH_OK, "job containment", NULL,
			     "full: the kernel enforces the memory limit of a job and can kill all its "
			     "processes at once");
		break;
	case HOLD_KILL_ONLY:
		findings_add(f, HEALTH_WARN, "job containment", why,
			     "kill-only: all processes of a job can be killed at once, but its memory is "
			     "checked only once a second: between two checks the job can use more than "
			     "requested, and files in memory (memfd, tmpfs) are not counted");
		break;
	case HOLD_NONE:
		findings_add(f, HEALTH_WARN, "job containment", why,
			     "none: the processes of a job are found one by one, and its memory is checked "
			     "only once a second: between two checks the job can use more than requested, "
			     "and files in memory (memfd, tmpfs) are not counted");
		break;
	}
}

/* Reports how jobprocesses is enforced: by pids.max in the cgroup of a job, or by RLIMIT_NPROC. */
static void check_processes(struct findings *f, const char *cgroup)
{
	char path[4200], text[256] = "";
	FILE *file;

	snprintf(path, sizeof path, "%s/cgroup.subtree_control", cgroup);
	file = cgroup[0] != '\0' ? fopen(path, "re") : NULL;
	if (file != NULL) {
		if (fgets(text, sizeof text, file) == NULL)
			text[0] = '\0';
		fclose(file);
	}
	if (strstr(text, "pids") != NULL)
		findings_add(f, HEALTH_OK, "processes of a job", NULL,
			     "jobprocesses is enforced for each job (pids.max)");
	else
		findings_add(f, HEALTH_OK, "processes of a job",
			     "run the scheduler as a service with cgroups v2",
			     "jobprocesses is enforced for all processes of a user together (RLIMIT_NPROC)");
}

void doctor_hardware(struct findings *f, const char *root, const char *file)
{
	struct host_info *host = mem_zero(1, sizeof *host);
	struct str why = {0}, devices = {0};
	bool without;
	struct err err = {{0}};
	enum hold_level level;

	doctor_option(file, "devices", "", &devices);
	without = strcmp(str_text(&devices), "none") == 0;
	if (host_info_read(root, devices.len > 0 && !without ? str_text(&devices) : NULL, host, &err)) {
		if (without)
			host->device_count = 0;
		report_processors(f, host);
		report_devices(f, host, devices.len > 0);
	} else {
		findings_add(f, HEALTH_FAIL, "processors", NULL, "%s", err.text);
	}
	level = host_info_cgroup(root, host->cgroup, sizeof host->cgroup, &why);
	report_containment(f, level, str_text(&why));
	if (level != HOLD_NONE)
		findings_add(f, HEALTH_OK, "cgroup", NULL, "job cgroups are created below %s", host->cgroup);
	check_processes(f, level != HOLD_NONE ? host->cgroup : "");
	str_free(&why);
	free(host);
	str_free(&devices);
}

/* --- the system --------------------------------------------------------------------------------------- */

static void check_boot(struct findings *f)
{
	char boot_id[BOOT_ID];
	struct err err = {{0}};

	if (spool_boot_id(boot_id, &err))
		findings_add(f, HEALTH_OK, "boot id", NULL, "%s", boot_id);
	else
		findings_add(f, HEALTH_FAIL, "boot id", "check that /proc is mounted", "%s", err.text);
}

static void check_clock(struct findings *f)
{
	struct timex state = {.modes = 0};
	int64_t now_s = (int64_t)time(NULL);
	bool synchronised = adjtimex(&state) != -1 && (state.status & STA_UNSYNC) == 0;

	if (now_s < YEAR_2024)
		findings_add(f, HEALTH_FAIL, "clock", "set the clock",
			     "set to a time before 2024: %" PRId64 " seconds since 1970", now_s);
	else if (!synchronised)
		findings_add(f, HEALTH_WARN, "clock", "start chrony or systemd-timesyncd",
			     "not synchronized; time limits use a monotonic clock, but start times may jump");
	else
		findings_add(f, HEALTH_OK, "clock", NULL, "synchronized over the network");
}

static void check_limit(struct findings *f, int which, const char *what, unsigned long long wanted)
{
	struct rlimit limit;

	if (getrlimit((__rlimit_resource_t)which, &limit) != 0)
		return;
	if (limit.rlim_cur == RLIM_INFINITY)
		findings_add(f, HEALTH_OK, what, NULL, "not limited");
	else if ((unsigned long long)limit.rlim_cur >= wanted)
		findings_add(f, HEALTH_OK, what, NULL, "%llu", (unsigned long long)limit.rlim_cur);
	else
		findings_add(f, HEALTH_WARN, what, "raise the limit with ulimit or in the service unit",
			     "%llu, less than %llu", (unsigned long long)limit.rlim_cur, wanted);
}

static void check_user(struct findings *f)
{
	const struct passwd *pw = getpwuid(geteuid());

	if (pw == NULL)
		findings_add(f, HEALTH_WARN, "users", "check /etc/nsswitch.conf",
			     "user ID %lu has no name on this host", (unsigned long)geteuid());
	else if (geteuid() == 0)
		findings_add(f, HEALTH_OK, "users", NULL,
			     "all users may submit; jobs run as the submitting user");
	else
		findings_add(f, HEALTH_OK, "users", "run the scheduler as root to serve several users",
			     "only %s may submit to a scheduler that runs as %s", pw->pw_name, pw->pw_name);
}

static void doctor_system(struct findings *f)
{
	check_user(f);
	check_boot(f);
	check_clock(f);
	check_limit(f, RLIMIT_NOFILE, "open files", FILES_WANTED);
	check_limit(f, RLIMIT_NPROC, "processes", PROCESSES_WANTED);
}

/* --- other processes ---------------------------------------------------------------------------------- */

/* Appends the names of devices in use. */
static void name_devices(const struct outside_watch *watch, const struct host_info *host, struct str *out)
{
	uint64_t used = outside_devices(watch);

	for (uint32_t i = 0; i < host->device_count; i++)
		if ((used >> i & 1) != 0)
			str_addf(out, "%s%s", out->len > 0 ? ", " : "", host->device[i].id);
}

static bool look_twice(const char *root, const int64_t *pid, size_t count, struct outside_use *out,
		       struct str *devices, struct err *err)
{
	const struct timespec a_while = {.tv_nsec = LOOK_NS};
	struct outside_watch *watch = outside_watch_new(root);
	struct host_info *host = mem_zero(1, sizeof *host);
	bool good = outside_look(watch, pid, count, out, err);

	/* One sample is enough for devices, so only the second one includes them. */
	if (good) {
		if (host_info_read(root, NULL, host, NULL))
			outside_watch_devices(watch, host->device, host->device_count);
		nanosleep(&a_while, NULL);
		good = outside_look(watch, pid, count, out, err);
	}
	if (good)
		name_devices(watch, host, devices);
	free(host);
	outside_watch_free(watch);
	return good;
}

static void report_others(struct findings *f, const struct outside_use *others)
{
	double procs = (double)sysconf(_SC_NPROCESSORS_ONLN);
	bool many = others->load >= BUSY_SHARE * procs;
	struct str largest = {0};

	if (others->largest[0] != '\0')
		str_addf(&largest, ", most of them by %s (%.1f)", others->largest, others->largest_load);
	findings_add(f, many ? HEALTH_WARN : HEALTH_OK, "other processes",
		     many ? "their usage is subtracted from what jobs can get; to ignore it, set "
			    "nodeavailabilitypolicy = dedicated"
			  : NULL,
		     "%.1f processors busy%s", others->load, str_text(&largest));
	str_free(&largest);
}

void doctor_others(struct findings *f, const char *root, const int64_t *job_pid, size_t count)
{
	struct str devices = {0};
	struct outside_use others;
	struct err err = {{0}};

	if (!look_twice(root, job_pid, count, &others, &devices, &err))
		findings_add(f, HEALTH_WARN, "other processes", NULL, "%s", err.text);
	else
		report_others(f, &others);
	if (devices.len > 0)
		findings_add(f, HEALTH_WARN, "other processes on devices",
			     "jobs are given these devices last", "%s", str_text(&devices));
	str_free(&devices);
}

/* --- the store ---------------------------------------------------------------------------------------- */

/* Sets out to dir, or to its nearest parent that exists. */
static void nearest_folder(const char *dir, char out[static PATH_ROOM])
{
	char *slash;

	snprintf(out, PATH_ROOM, "%s", dir);
	while (access(out, F_OK) != 0 && (slash = strrchr(out, '/')) != NULL && slash != out)
		*slash = '\0';
	if (access(out, F_OK) != 0)
		snprintf(out, PATH_ROOM, "%s", dir[0] == '/' ? "/" : ".");
}

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * Returns the median time of a commit in milliseconds; negative if it cannot be measured. Uses an unnamed
 * file, which leaves nothing behind.
 */
static double measure_sync(const char *folder)
{
	static const char block[4096];
	double took[TRIES];
	int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	bool good = fd >= 0;

	for (int i = 0; i < TRIES && good; i++) {
		double began = (double)monotonic_ns() / 1e6;

		good = pwrite(fd, block, sizeof block, (off_t)i * (off_t)sizeof block) ==
			       (ssize_t)sizeof block &&
		       fdatasync(fd) == 0;
		took[i] = (double)monotonic_ns() / 1e6 - began;
	}
	if (fd >= 0)
		close(fd);
	if (!good)
		return -1;
	qsort(took, TRIES, sizeof took[0], by_size);
	return took[TRIES / 2];
}

static void check_speed(struct findings *f, const char *folder)
{
	double ms = measure_sync(folder);
	struct statfs fs;
	bool in_memory = statfs(folder, &fs) == 0 && fs.f_type == TMPFS_MAGIC;

	if (in_memory)
		findings_add(f, HEALTH_WARN, "disk", "keep the store on a disk",
			     "%s is in memory and is lost when this host shuts down", folder);
	else if (ms < 0)
		findings_add(f, HEALTH_WARN, "disk", NULL, "cannot measure the speed of %s: %s", folder,
			     strerror(errno));
	else if (ms > SLOW_MS)
		findings_add(f, HEALTH_WARN, "disk", "keep the store on a faster disk",
			     "a commit takes %.1f ms (fdatasync), which delays each submission", ms);
	else
		findings_add(f, HEALTH_OK, "disk", NULL, "a commit takes %.2f ms (fdatasync)", ms);
}

static void check_space(struct findings *f, const char *folder)
{
	struct statvfs fs;
	int64_t free_mb;

	if (statvfs(folder, &fs) != 0)
		return;
	free_mb = (int64_t)((unsigned long long)fs.f_bavail * fs.f_frsize >> 20);
	findings_add(f,
		     free_mb < SPACE_NEEDED   ? HEALTH_FAIL
		     : free_mb < SPACE_WANTED ? HEALTH_WARN
					      : HEALTH_OK,
		     "space", free_mb < SPACE_WANTED ? "free some space" : NULL, "%" PRId64 " MB free for %s",
		     free_mb, folder);
}

static void check_folder(struct findings *f, const char *dir, const char *folder)
{
	struct err err = {{0}};

	if (strcmp(dir, folder) == 0 && !store_check_dir(dir, &err))
		findings_add(f, HEALTH_FAIL, "store", NULL, "%s", err.text);
	else if (access(folder, W_OK | X_OK) != 0)
		findings_add(f, HEALTH_FAIL, "store",
			     "name another store with --store DIR, or run as its owner",
			     "cannot write to %s: %s", folder, strerror(errno));
	else if (strcmp(dir, folder) == 0)
		findings_add(f, HEALTH_OK, "store", NULL, "%s", dir);
	else
		findings_add(f, HEALTH_OK, "store", NULL, "%s will be created", dir);
}

void doctor_store(struct findings *f, const char *dir)
{
	char folder[PATH_ROOM];

	nearest_folder(dir, folder);
	check_folder(f, dir, folder);
	check_space(f, folder);
	check_speed(f, folder);
}

/* Reports the age of the last good copy, if the store exists. */
static void doctor_last_good(struct findings *f, const char *dir, int64_t now_s)
{
	char age[DURATION_TEXT];
	struct str path = {0};
	uint64_t entry;
	int64_t at_s;

	if (access(dir, R_OK | X_OK) != 0 || !store_check_dir(dir, NULL))
		return;
	str_addf(&path, "%s/" STORE_LAST_GOOD, dir);
	if (store_last_good(dir, &entry, &at_s))
		findings_add(f, HEALTH_OK, "last good copy", NULL, "of entry %" PRIu64 ", %s old", entry,
			     duration_text(age, now_s > at_s ? now_s - at_s : 0));
	else if (access(str_text(&path), F_OK) != 0)
		findings_add(f, HEALTH_OK, "last good copy", NULL,
			     "none yet; the scheduler writes one when it stops");
	else
		findings_add(f, HEALTH_WARN, "last good copy",
			     "start and stop the scheduler to write a new copy",
			     "damaged; the store cannot be recovered from it");
	str_free(&path);
}

/* --- the socket --------------------------------------------------------------------------------------- */

void doctor_socket(struct findings *f, const char *dir)
{
	char folder[PATH_ROOM];
	struct stat st;

	nearest_folder(dir, folder);
	if (strcmp(dir, folder) != 0)
		findings_add(f, access(folder, W_OK) == 0 ? HEALTH_OK : HEALTH_FAIL, "socket",
			     access(folder, W_OK) == 0 ? NULL : "name another folder with $KAHU_RUN",
			     "%s would be created in %s", dir, folder);
	else if (stat(dir, &st) != 0 || st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
		findings_add(f, HEALTH_FAIL, "socket",
			     "make the user who runs the scheduler the owner of this directory, and set its "
			     "mode to 755",
			     "%s must belong to the current user, and no other user may write to it", dir);
	else
		findings_add(f, HEALTH_OK, "socket", NULL, "in %s", dir);
}

void doctor_scheduler(struct findings *f, const char *store, const char *socket)
{
	int pid = access(store, F_OK) == 0 ? store_holder(store) : 0;
	int connection = door_knock(socket, NULL);

	if (connection >= 0)
		close(connection);
	if (connection >= 0 && pid > 0)
		findings_add(f, HEALTH_OK, "scheduler", NULL, "process %d is running and responds", pid);
	else if (connection >= 0)
		findings_add(f, HEALTH_OK, "scheduler", NULL, "running; it responds at %s", socket);
	else if (pid > 0)
		findings_add(f, HEALTH_WARN, "scheduler", NULL,
			     "process %d holds the store, but no scheduler responds at %s", pid, socket);
	else
		findings_add(f, HEALTH_OK, "scheduler", "start it with 'kahu serve'", "not running");
}

/*
 * Reports the scheduler of another user that responds at this socket, because it would receive the user's
 * jobs. Returns whether there is one.
 */
static bool doctor_served(struct findings *f, const char *socket)
{
	const struct passwd *owner;
	struct stat st;
	int connection;

	if (stat(socket, &st) != 0 || st.st_uid == geteuid())
		return false;
	connection = door_knock(socket, NULL);
	if (connection < 0)
		return false;
	close(connection);
	owner = getpwuid(st.st_uid);
	findings_add(f, HEALTH_OK, "scheduler",
		     "the other findings apply to a scheduler that you start yourself",
		     "the scheduler of %s responds at %s and accepts your jobs",
		     owner != NULL ? owner->pw_name : "another user", socket);
	return true;
}

/* --- the verb ----------------------------------------------------------------------------------------- */

struct pids {
	int64_t *item;
	size_t count, room;
};

/*
 * Adds the process ID of the shepherd that a spool file names, if the job has begun and not ended. If another
 * process has reused the ID, that process is not counted, which does no harm.
 */
static void add_shepherd(struct pids *pids, int folder, const char *name)
{
	struct spool spool;
	char *end;
	uint64_t job = strtoull(name, &end, 10);
	uint64_t attempt = *end == '.' ? strtoull(end + 1, &end, 10) : 0;

	if (*end != '\0' || job == 0 || attempt == 0 || attempt > UINT32_MAX ||
	    !spool_read(folder, job, (uint32_t)attempt, &spool, NULL) || !spool.has_begun || spool.has_ended)
		return;
	pids->item = vec_room(pids->item, &pids->room, pids->count + 1, sizeof *pids->item);
	pids->item[pids->count++] = spool.begun.pid;
}

static void find_shepherds(const char *store, struct pids *pids)
{
	char path[PATH_ROOM + 8];
	DIR *folder;

	snprintf(path, sizeof path, "%s/spool", store);
	folder = opendir(path);
	for (struct dirent *e = folder ? readdir(folder) : NULL; e != NULL; e = readdir(folder))
		add_shepherd(pids, dirfd(folder), e->d_name);
	if (folder != NULL)
		closedir(folder);
}

/*
 * Returns the number of users who may submit: all accounts that can log in if root runs the scheduler, else
 * 1.
 */
static uint32_t count_people(void)
{
	struct host_users users;

	if (geteuid() != 0)
		return 1;
	host_users_find("/", &users);
	return users.users;
}

static bool examine(struct cmd_env *env, struct findings *f)
{
	char asked[PATH_ROOM], store[PATH_ROOM], socket[PATH_ROOM], config[PATH_ROOM], shepherd[SITE_PATH];
	struct pids pids = {.item = NULL};
	struct err manager_err = {{0}};
	uint8_t manager, mode;
	bool served, slurm;

	if (!client_place(env->shell->store, asked, sizeof asked, &env->err) ||
	    !session_store_dir(env->shell->store, store, sizeof store, &env->err) ||
	    !session_socket_dir(env->shell->store, socket, sizeof socket, &env->err) ||
	    !session_config_file(env->shell->config, config, sizeof config, &env->err))
		return false;
	slurm = site_read_manager(config, &manager, &mode, &manager_err) && manager == MANAGER_SLURM;
	served = doctor_served(f, asked);
	site_find_shepherd(shepherd);
	find_shepherds(store, &pids);
	/* With Slurm as the manager, no job runs under this scheduler. */
	if (slurm)
		doctor_slurm(f, getenv("PATH"), getenv("SLURM_CONF"), SLURM_TIMEOUT_MS);
	else
		doctor_hardware(f, "/", config);
	doctor_system(f);
	if (!slurm) {
		doctor_pam(f, config);
		doctor_shepherd(f, shepherd);
	}
	doctor_config(f, config);
	/* doctor_config has reported a file that cannot be read */
	if (manager_err.text[0] != '\0' && judge_config(config, &(struct err){{0}}) >= 0)
		findings_add(f, HEALTH_FAIL, "manager", NULL, "%s", manager_err.text);
	if (!slurm)
		doctor_memory(f, config, count_people());
	doctor_store(f, store);
	doctor_last_good(f, store, (int64_t)time(NULL));
	if (!served || strcmp(asked, socket) != 0)
		doctor_socket(f, socket);
	if (!served)
		doctor_scheduler(f, store, socket);
	if (!slurm)
		doctor_others(f, "/", pids.item, pids.count);
	doctor_terminal(f, env->ascii);
	free(pids.item);
	return true;
}

static enum cmd_status run_doctor(struct cmd_env *env, int argc, char **argv)
{
	struct findings f = {.item = NULL};
	enum cmd_status status = CMD_REFUSED;

	(void)argc;
	(void)argv;
	if (examine(env, &f)) {
		if (env->json)
			findings_print_json(&f, env->out);
		else
			findings_print(&f, env->ascii, env->out);
		status = findings_worst(&f) < HEALTH_FAIL ? CMD_DONE : CMD_REFUSED;
		if (status == CMD_REFUSED)
			err_set(&env->err,
				"%zu of these findings must be fixed before jobs can run on this host",
				findings_count(&f, HEALTH_FAIL));
	}
	findings_free(&f);
	return status;
}

const struct cmd cmd_doctor = {
	.name = "doctor",
	.args = "",
	.help = "Check whether this host is ready to run jobs, and show how to fix what is missing. Changes "
		"nothing.",
	.flags = CMD_SHELL,
	.run = run_doctor,
};
