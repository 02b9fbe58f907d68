/* SPDX-License-Identifier: MIT */
/*
 * doctor_host.c - which hardware, kernel and other processes does a scheduler find here?
 */
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "doctor.h"
#include "sched/base/vec.h"
#include "sched/rm/facts.h"
#include "sched/rm/foreign.h"

#define FILES_WANTED     1024
#define PROCESSES_WANTED 4096
#define YEAR_2024        INT64_C(1704067200)
#define LOOK_NS          600000000 /* a little more than FOREIGN_APART_S */
#define BUSY_SHARE       0.5       /* of all processors: then others are in the way */

/* --- hardware -------------------------------------------------------------------------------------- */

static void tell_processors(struct findings *f, const struct facts *facts)
{
	findings_add(f, HEALTH_OK, "processors", NULL,
		     "%" PRIu32 " on %" PRIu32 " cores, %" PRIu32 " NUMA domain%s", facts->cpu_count,
		     facts->core_count, facts->numa_count, facts->numa_count == 1 ? "" : "s");
	if (facts->mem_mb > 0)
		findings_add(f, HEALTH_OK, "memory", NULL, "%" PRId64 " MB, %" PRId64 " MB of swap",
			     facts->mem_mb, facts->swap_mb);
	else
		findings_add(f, HEALTH_WARN, "memory",
			     "say how much there is: node NAME { memory = ... } in kahu.conf",
			     "how much there is cannot be read");
}

static void tell_devices(struct findings *f, const struct facts *facts, bool configured)
{
	struct str names = {0};

	for (uint32_t i = 0; i < facts->device_count; i++)
		str_addf(&names, "%s%s %s", i > 0 ? ", " : "", facts->device[i].kind, facts->device[i].id);
	if (facts->device_count > 0)
		findings_add(f, HEALTH_OK, "devices", NULL, "%" PRIu32 "%s: %s", facts->device_count,
			     configured ? ", as devices in kahu.conf says" : "", str_text(&names));
	else if (configured)
		findings_add(f, HEALTH_OK, "devices", NULL, "none, as devices in kahu.conf says");
	else
		findings_add(f, HEALTH_OK, "devices",
			     "devices = \"0,1\" in kahu.conf names them where they are not found",
			     "no graphics processors are found");
	str_free(&names);
}

/* Nobody should believe that memory is bounded where it is not. */
static void tell_level(struct findings *f, enum hold_level level, const char *why)
{
	switch (level) {
	case HOLD_FULL:
		findings_add(f, HEALTH_OK, "jobs held together", NULL,
			     "full: the kernel bounds a job's memory, and finds and kills it as one");
		break;
	case HOLD_KILL_ONLY:
		findings_add(f, HEALTH_WARN, "jobs held together", why,
			     "kill-only: a job is found and killed as one, but its memory is only looked at "
			     "every second: a job can use more than it asked for until then, and files in "
			     "memory (memfd, tmpfs) are not seen");
		break;
	case HOLD_NONE:
		findings_add(f, HEALTH_WARN, "jobs held together", why,
			     "none: a job's processes are found one by one, and its memory is only looked at "
			     "every second: a job can use more than it asked for until then, and files in "
			     "memory (memfd, tmpfs) are not seen");
		break;
	}
}

/* pids.max in the cgroup of a job, or RLIMIT_NPROC. */
static void look_at_processes(struct findings *f, const char *cgroup)
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
			     "at most jobprocesses, counted by the kernel for each job (pids.max)");
	else
		findings_add(f, HEALTH_OK, "processes of a job", "run as a service, with cgroups v2",
			     "at most jobprocesses for all of a user together (RLIMIT_NPROC)");
}

void doctor_hardware(struct findings *f, const char *root, const char *file)
{
	struct facts *facts = mem_zero(1, sizeof *facts);
	struct str why = {0}, devices = {0};
	bool without;
	struct err err = {{0}};
	enum hold_level level;

	doctor_option(file, "devices", "", &devices);
	without = strcmp(str_text(&devices), "none") == 0;
	if (facts_read(root, devices.len > 0 && !without ? str_text(&devices) : NULL, facts, &err)) {
		if (without)
			facts->device_count = 0;
		tell_processors(f, facts);
		tell_devices(f, facts, devices.len > 0);
	} else {
		findings_add(f, HEALTH_FAIL, "processors", NULL, "%s", err.text);
	}
	level = facts_cgroup(root, facts->cgroup, sizeof facts->cgroup, &why);
	tell_level(f, level, str_text(&why));
	if (level != HOLD_NONE)
		findings_add(f, HEALTH_OK, "cgroup", NULL, "jobs get theirs below %s", facts->cgroup);
	look_at_processes(f, level != HOLD_NONE ? facts->cgroup : "");
	str_free(&why);
	free(facts);
	str_free(&devices);
}

/* --- the system -------------------------------------------------------------------------------------- */

static void look_at_boot(struct findings *f)
{
	char boot_id[BOOT_ID];
	struct err err = {{0}};

	if (spool_boot_id(boot_id, &err))
		findings_add(f, HEALTH_OK, "boot id", NULL, "%s", boot_id);
	else
		findings_add(f, HEALTH_FAIL, "boot id", "is /proc mounted?", "%s", err.text);
}

static void look_at_clock(struct findings *f)
{
	struct timex state = {.modes = 0};
	int64_t now_s = (int64_t)time(NULL);
	bool synchronised = adjtimex(&state) != -1 && (state.status & STA_UNSYNC) == 0;

	if (now_s < YEAR_2024)
		findings_add(f, HEALTH_FAIL, "clock", "set it",
			     "it is %" PRId64 " s after 1970: that is past", now_s);
	else if (!synchronised)
		findings_add(
			f, HEALTH_WARN, "clock", "start chrony or systemd-timesyncd",
			"nobody keeps it right; limits are kept by another clock, but start times may jump");
	else
		findings_add(f, HEALTH_OK, "clock", NULL, "kept right by the network");
}

static void look_at_limit(struct findings *f, int which, const char *what, unsigned long long wanted)
{
	struct rlimit limit;

	if (getrlimit((__rlimit_resource_t)which, &limit) != 0)
		return;
	if (limit.rlim_cur == RLIM_INFINITY)
		findings_add(f, HEALTH_OK, what, NULL, "not limited");
	else if ((unsigned long long)limit.rlim_cur >= wanted)
		findings_add(f, HEALTH_OK, what, NULL, "%llu", (unsigned long long)limit.rlim_cur);
	else
		findings_add(f, HEALTH_WARN, what, "raise it with ulimit, or in the service",
			     "%llu, less than %llu", (unsigned long long)limit.rlim_cur, wanted);
}

static void look_at_user(struct findings *f)
{
	const struct passwd *pw = getpwuid(geteuid());

	if (pw == NULL)
		findings_add(f, HEALTH_WARN, "users", "look into /etc/nsswitch.conf",
			     "user %lu, who asks, has no name here", (unsigned long)geteuid());
	else if (geteuid() == 0)
		findings_add(f, HEALTH_OK, "users", NULL, "anybody may submit; jobs run as who submits them");
	else
		findings_add(f, HEALTH_OK, "users", "let root run it, for several people",
			     "only %s may submit to what %s runs", pw->pw_name, pw->pw_name);
}

void doctor_system(struct findings *f)
{
	look_at_user(f);
	look_at_boot(f);
	look_at_clock(f);
	look_at_limit(f, RLIMIT_NOFILE, "open files", FILES_WANTED);
	look_at_limit(f, RLIMIT_NPROC, "processes", PROCESSES_WANTED);
}

/* --- others -------------------------------------------------------------------------------------------- */

/* Appends the names of the devices that they use. */
static void name_devices(const struct foreign_watch *watch, const struct facts *facts, struct str *out)
{
	uint64_t used = foreign_devices(watch);

	for (uint32_t i = 0; i < facts->device_count; i++)
		if ((used >> i & 1) != 0)
			str_addf(out, "%s%s", out->len > 0 ? ", " : "", facts->device[i].id);
}

static bool look_twice(const char *root, const int64_t *pid, size_t count, struct foreign *out,
		       struct str *devices, struct err *err)
{
	const struct timespec a_while = {.tv_nsec = LOOK_NS};
	struct foreign_watch *watch = foreign_watch_new(root);
	struct facts *facts = mem_zero(1, sizeof *facts);
	bool good = foreign_look(watch, pid, count, out, err);

	/* The second look searches for devices as well. */
	if (good) {
		if (facts_read(root, NULL, facts, NULL))
			foreign_watch_devices(watch, facts->device, facts->device_count);
		nanosleep(&a_while, NULL);
		good = foreign_look(watch, pid, count, out, err);
	}
	if (good)
		name_devices(watch, facts, devices);
	free(facts);
	foreign_watch_free(watch);
	return good;
}

static void tell_others(struct findings *f, const struct foreign *others)
{
	double procs = (double)sysconf(_SC_NPROCESSORS_ONLN);
	bool many = others->load >= BUSY_SHARE * procs;
	struct str largest = {0};

	if (others->largest[0] != '\0')
		str_addf(&largest, ", above all %s (%.1f)", others->largest, others->largest_load);
	findings_add(f, many ? HEALTH_WARN : HEALTH_OK, "other processes",
		     many ? "what they use, jobs do not get, unless nodeavailabilitypolicy = dedicated"
			  : NULL,
		     "they keep %.1f processors busy%s", others->load, str_text(&largest));
	str_free(&largest);
}

void doctor_others(struct findings *f, const char *root, const int64_t *job_pid, size_t count)
{
	struct str devices = {0};
	struct foreign others;
	struct err err = {{0}};

	if (!look_twice(root, job_pid, count, &others, &devices, &err))
		findings_add(f, HEALTH_WARN, "other processes", NULL, "%s", err.text);
	else
		tell_others(f, &others);
	if (devices.len > 0)
		findings_add(f, HEALTH_WARN, "other processes on devices",
			     "jobs get these when no other is left", "%s", str_text(&devices));
	str_free(&devices);
}
