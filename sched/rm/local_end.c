/* SPDX-License-Identifier: MIT */
/*
 * local_end.c - reports of jobs that have ended
 *
 * The result of a job is read from its spool file. A shepherd reports the end through a pipe shortly before
 * it exits, when it only has to make its record durable. An end is reported once; the file is removed at the
 * next poll, when the report is durable. Until then, the end would be found again after a crash.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "cgroup.h"
#include "local_inside.h"
#include "sched/base/failpoint.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "shepherd.h"
#include "transient.h"

/* --- reports of jobs that have ended ------------------------------------------------------------------ */

#define READY_MAX 64

static const char *end_sentence(const struct spool_ended *ended)
{
	switch ((enum end_reason)ended->reason) {
	case END_MEM_LIMIT:
		return ended->text[0] != '\0' ? ended->text : "it used more memory than its limit";
	case END_NOT_STARTED:
	case END_PROLOG:
		return ended->text;
	case END_EXITED:
	case END_WALL_LIMIT:
	case END_CANCELLED:
	case END_TRY_AGAIN:
	case END_HOST_FAULT:
	case END_REASON_COUNT:
		break;
	}
	if (ended->text[0] != '\0') /* message of the epilog */
		return ended->text;
	return ended->survivors > 0 ? "some of its processes could not be killed" : NULL;
}

/*
 * Returns the exit status to report. A job that was cancelled or reached its wallclock limit has not
 * completed, even if it exited with status 0: it counts as ended by TERM.
 */
static int32_t end_status(const struct spool_ended *ended)
{
	bool stopped = ended->reason == END_CANCELLED || ended->reason == END_WALL_LIMIT;

	return stopped && ended->status == 0 ? 256 + SIGTERM : ended->status;
}

/*
 * Reports a failed start. If the error is transient (`passes`), the driver retries the job after some
 * seconds; otherwise it defers the job.
 */
static struct event failed_event(uint64_t job, int64_t now_s, bool passes, const char *why)
{
	struct event ev = {.kind = EVENT_DEFER, .time_s = now_s, .job = job, .who = "sched"};

	ev.defer.failed_start = true;
	ev.defer.retry = passes;
	ev.defer.until_s = passes ? now_s : TIME_NEVER;
	ev.defer.reason = why;
	return ev;
}

struct event local_end_event(uint64_t job, const struct spool *spool, int64_t now_s)
{
	const struct spool_ended *ended = &spool->ended;
	struct event ev = {.kind = EVENT_END, .job = job, .who = "sched"};

	if (ended->reason == END_TRY_AGAIN || ended->reason == END_HOST_FAULT)
		return failed_event(job, ended->ended_s < now_s ? ended->ended_s : now_s,
				    ended->reason == END_TRY_AGAIN, ended->text);
	ev.time_s = ended->ended_s < now_s ? ended->ended_s : now_s;
	ev.end.status = end_status(ended);
	ev.end.at_limit = ended->reason == END_WALL_LIMIT;
	ev.end.has_used = true;
	ev.end.used_ps = (ended->user_ms + ended->system_ms) / 1000;
	ev.end.held_s = (ended->run_ms + 999) / 1000;
	ev.end.mem_mb = ended->mem_peak_kb / 1024;
	ev.end.why = end_sentence(ended);
	return ev;
}

struct event local_lost_event(const struct local *l, const struct spool *spool, struct err *why,
			      int64_t now_s)
{
	struct event ev = {.kind = EVENT_END, .time_s = now_s, .job = spool->job, .who = "sched"};
	bool this_boot = spool->has_begun && strcmp(spool->begun.boot_id, l->boot_id) == 0;

	if (why->text[0] == '\0')
		err_set(why, "its shepherd was killed, so its end was not observed");
	if (this_boot && orphans_kill(spool, l->host.cgroup) > 0)
		err_prefix(why, "some of its processes could not be killed");
	ev.end.lost = true;
	ev.end.why = why->text;
	return ev;
}

void local_note_gone(struct local *l, uint64_t job, uint32_t attempt)
{
	l->gone = vec_room(l->gone, &l->gone_cap, l->gone_count + 1, sizeof *l->gone);
	l->gone[l->gone_count++] = (struct gone){job, attempt};
}

static void local_note_barred(struct local *l, uint64_t job, uint32_t attempt)
{
	l->barred = vec_room(l->barred, &l->barred_cap, l->barred_count + 1, sizeof *l->barred);
	l->barred[l->barred_count++] = (struct gone){job, attempt};
}

/*
 * Removes the files of the job's barred attempts. There are few: a start is barred only if the scheduler or
 * the fork server died during it.
 */
static void clear_barred(struct local *l, uint64_t job)
{
	for (size_t i = l->barred_count; i-- > 0;) {
		if (l->barred[i].job != job)
			continue;
		spool_remove(l->folder, job, l->barred[i].attempt, NULL);
		l->barred[i] = l->barred[--l->barred_count];
	}
}

/*
 * Each end removes only the files of its own and of barred attempts, so its cost does not grow with the
 * number of earlier attempts.
 */
void local_clear_gone(struct local *l)
{
	if (l->gone_count > 0)
		fail_at(FAIL_GONE_BEFORE_UNLINK);
	for (size_t i = 0; i < l->gone_count; i++) {
		spool_remove(l->folder, l->gone[i].job, l->gone[i].attempt, NULL);
		clear_barred(l, l->gone[i].job);
	}
	l->gone_count = 0;
}

/* Handles a shepherd that has exited while its lock is still held: the job is examined again later. */
static void stop_watching(struct local *l, struct local_job *job, int64_t now_s)
{
	close(job->pidfd);
	job->pidfd = -1;
	l->again_s = now_s + LOCAL_AGAIN_S;
}

/*
 * Reports a job whose shepherd has exited before the job began, so the start has failed. A shepherd that has
 * not reported a reason was killed, or had no memory.
 */
static struct event never_begun_event(const struct local_job *job, int64_t now_s, struct err *why)
{
	err_set(why, "its shepherd could not begin: %s",
		job->failed != 0 ? strerror(job->failed) : "it was killed or ran out of memory");
	return failed_event(job->id, now_s, job->failed == 0 || error_is_transient(job->failed), why->text);
}

/* Notes the memory and the cgroup of surviving processes, which are still in use. */
static void note_survivors(struct local *l, const struct local_job *job, const struct spool *spool,
			   int64_t now_s)
{
	if (spool->ended.survivors == 0)
		return;
	local_memory_left(l, job, spool->ended.mem_peak_kb, now_s);
	local_note_cgroup_of(l, spool);
}

static void report_fate(struct local *l, struct local_job *job, int64_t now_s, rm_report *report, void *to)
{
	struct spool spool;
	struct err err = {{0}};
	struct event ev;

	switch (spool_judge(l->folder, job->id, job->attempt, l->boot_id, &spool, &err)) {
	case SPOOL_ALIVE: /* a child still has the lock, or this process has no free descriptor: try again
			     soon */
		stop_watching(l, job, now_s);
		return;
	case SPOOL_ENDED:
		ev = local_end_event(job->id, &spool, now_s);
		note_survivors(l, job, &spool, now_s);
		break;
	case SPOOL_LOST:
		ev = local_lost_event(l, &spool, &err, now_s);
		local_memory_left(l, job, spool.usage.mem_peak_kb, now_s);
		local_note_cgroup_of(l, &spool);
		break;
	case SPOOL_NONE:
		ev = never_begun_event(job, now_s, &err);
		break;
	}
	local_note_gone(l, job->id, job->attempt);
	local_drop(l, job);
	report(to, &ev);
}

/*
 * Reports the end when the shepherd announces it. The report need not wait until the shepherd has synced the
 * file, because committing it makes the result durable.
 */
static void report_end(struct local *l, struct local_job *job, int64_t now_s, rm_report *report, void *to)
{
	struct spool spool;
	struct event ev;

	if (!spool_read(l->folder, job->id, job->attempt, &spool, NULL) || !spool.has_ended)
		return;
	ev = local_end_event(job->id, &spool, now_s);
	note_survivors(l, job, &spool, now_s);
	local_note_gone(l, job->id, job->attempt);
	local_drop(l, job);
	report(to, &ev);
}

static void hear_ends(struct local *l, int64_t now_s, rm_report *report, void *to)
{
	struct shepherd_end end;

	while (read(l->ends[0], &end, sizeof end) == sizeof end) {
		struct local_job *job = local_find(l, end.job);

		if (job == NULL || job->attempt != end.attempt)
			continue;
		if (end.failed != 0)
			job->failed = end.failed;
		else
			report_end(l, job, now_s, report, to);
	}
}

void local_take_ends(struct local *l, int64_t now_s, rm_report *report, void *to)
{
	struct epoll_event ready[READY_MAX];
	int count;

	do {
		count = epoll_wait(l->epoll, ready, READY_MAX, 0);
		/*
		 * A shepherd reports the end before it exits, so its report is read before its exit is
		 * handled.
		 */
		hear_ends(l, now_s, report, to);
		for (int i = 0; i < count; i++) {
			struct local_job *job = local_find(l, ready[i].data.u64);

			if (job != NULL)
				report_fate(l, job, now_s, report, to);
		}
	} while (count == READY_MAX || (count < 0 && errno == EINTR));
}

/* --- adoption of jobs that ran without a scheduler ---------------------------------------------------- */

/*
 * After a restart, the spool file of each running job shows what has become of the job. If the job never
 * began, its start is first barred by creating the file here: a shepherd that is only late finds the file and
 * does nothing.
 *
 * The folder records its boot ID (file "boot"). After a reboot, a missing file does not show that a job never
 * began, so a job without a file is lost, and is not returned to the queue. The new boot ID is recorded as
 * soon as the reports about all these jobs are durable, before the first start.
 */

#define BOOT_FILE "boot"

/*
 * Tests whether the folder was last used in this boot. Returns false with a message if a transient error
 * prevents that. A boot file that is missing or unreadable counts as that of another boot.
 */
static bool find_boot(const struct local *l, bool *is_this, struct err *err)
{
	char text[BOOT_ID] = "";
	int fd = openat(l->folder, BOOT_FILE, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t n = fd < 0 ? -1 : read(fd, text, BOOT_ID - 1);
	int why = errno;

	if (fd >= 0)
		close(fd);
	*is_this = n == BOOT_ID - 1 && strcmp(text, l->boot_id) == 0;
	return n >= 0 || !error_is_transient(why) ||
	       err_set(err, "%s/%s cannot be read: %s", l->setup.spool, BOOT_FILE, strerror(why));
}

bool local_keep_boot(struct local *l, bool *passes, struct err *err)
{
	static const char fresh[] = BOOT_FILE ".new";
	int fd, why;
	bool good;

	if (l->boot_kept)
		return true;
	fd = openat(l->folder, fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	good = fd >= 0 && write(fd, l->boot_id, BOOT_ID - 1) == BOOT_ID - 1 && fsync(fd) == 0;
	why = errno;
	if (fd >= 0)
		close(fd);
	errno = why;
	good = good && !fail_at(FAIL_BOOT_BEFORE_RENAME) &&
	       renameat(l->folder, fresh, l->folder, BOOT_FILE) == 0 && fsync(l->folder) == 0;
	fail_at(FAIL_BOOT_AFTER_RENAME);
	l->boot_kept = good;
	if (!good && passes != NULL)
		*passes = error_is_transient(errno);
	return good ||
	       err_set(err, "%s/%s cannot be written: %s", l->setup.spool, BOOT_FILE, strerror(errno));
}

/* Keeps a report, with its strings, for the next poll. */
static void put_report(struct local *l, const struct event *ev, uint32_t attempt)
{
	struct event kept = *ev;

	if (kept.kind == EVENT_END)
		kept.end.why = arena_string(&l->arena, ev->end.why);
	else
		kept.defer.reason = arena_string(&l->arena, ev->defer.reason);
	l->report = vec_room(l->report, &l->report_cap, l->report_count + 1, sizeof *l->report);
	l->report[l->report_count++] = (struct local_report){kept, attempt};
}

static struct event given_back(uint64_t job)
{
	struct event ev = {.kind = EVENT_DEFER, .time_s = INT64_MAX, .job = job, .who = "sched"};

	ev.defer.failed_start = true;
	ev.defer.until_s = TIME_NONE;
	ev.defer.reason = "the scheduler or its fork server stopped before the job started";
	return ev;
}

/*
 * Bars a start by creating its spool file, which remains empty until it is removed after the end of the job.
 * Returns false with errno set on failure; EEXIST: a shepherd has created the file in the meantime.
 */
static bool bar(struct local *l, uint64_t job, uint32_t attempt)
{
	int fd = spool_create(l->folder, job, attempt);

	if (fd < 0)
		return false;
	close(fd);
	local_note_barred(l, job, attempt);
	return true;
}

static bool is_same_process(const struct spool_begun *begun)
{
	return begun->pid > 0 && spool_pid_start(begun->pid) == begun->pid_start;
}

static void take_seats(struct local *l, struct local_job *job, const struct spool *spool)
{
	const char *cpus = job->unseated ? "" : spool->begun.cpus;

	if (job->unknown_cpus && (job->unseated || spool->has_cpus))
		job->unknown_cpus = !seats_take_named(&l->seats, job->id, cpus, "");
	if (job->unknown_devices && spool->has_devices)
		job->unknown_devices = !seats_take_named(&l->seats, job->id, "", spool->begun.devices);
}

bool local_know_seats(struct local *l, bool devices, struct err *err)
{
	struct spool spool;

	for (size_t i = 0; i < l->job_count; i++) {
		struct local_job *job = &l->job[i];

		if (!job->unknown_cpus && !job->unknown_devices)
			continue;
		if (spool_read(l->folder, job->id, job->attempt, &spool, NULL))
			take_seats(l, job, &spool);
		if (job->unknown_cpus || (devices && job->unknown_devices))
			return err_set(err,
				       "job %" PRIu64
				       " is running, but the %s that it uses are not in its spool file yet; "
				       "other jobs get none until they are, or until the job ends",
				       job->id, job->unknown_cpus ? "processors" : "devices");
	}
	return true;
}

/*
 * Watches a running shepherd as soon as it has identified itself. The pidfd is opened before the checks, so
 * that they apply to the watched process even if the process ID is reused.
 */
static void take_alive(struct local *l, struct local_job *job, const struct spool *spool)
{
	int pidfd = spool->has_begun && spool->begun.pid > 0 ? pidfd_open((pid_t)spool->begun.pid, 0) : -1;

	take_seats(l, job, spool);
	if (spool->has_begun && is_same_process(&spool->begun)) {
		job->bound = spool->begun.cpus[0] != '\0';
		local_watch(l, job, (pid_t)spool->begun.pid, pidfd);
	} else if (pidfd >= 0) {
		close(pidfd);
	}
}

/*
 * Evaluates the spool file of a job, and bars a start that never began. If the bar cannot be created, for
 * example for lack of disk space, a late shepherd might still begin: then the result is SPOOL_ALIVE, and the
 * file is evaluated again later.
 */
static enum spool_fate judge(struct local *l, const struct local_job *job, struct spool *spool,
			     struct err *why)
{
	enum spool_fate fate = spool_judge(l->folder, job->id, job->attempt, l->boot_id, spool, why);

	if (fate != SPOOL_NONE)
		return fate;
	if (job->old_boot) {
		err_set(why, "the machine went down while the job was running, or just before it started");
		return SPOOL_LOST;
	}
	fail_at(FAIL_ADOPT_BEFORE_BAR);
	if (!bar(l, job->id, job->attempt))
		return errno == EEXIST || errno == ESTALE
			       ? spool_judge(l->folder, job->id, job->attempt, l->boot_id, spool, why)
			       : SPOOL_ALIVE;
	fail_at(FAIL_ADOPT_AFTER_BAR);
	return SPOOL_NONE;
}

/*
 * Tests whether the run of a job is over, and sets *out to the event that reports its end. Returns false if
 * its shepherd is running, or if this cannot be determined yet.
 */
static bool is_over(struct local *l, const struct local_job *job, struct spool *spool, struct err *why,
		    struct event *out)
{
	enum spool_fate fate = judge(l, job, spool, why);

	fail_at(FAIL_ADOPT_AFTER_JUDGE);
	switch (fate) {
	case SPOOL_ALIVE:
		return false;
	case SPOOL_ENDED:
		*out = local_end_event(job->id, spool, INT64_MAX);
		if (spool->ended.survivors > 0)
			local_note_cgroup_of(l, spool);
		break;
	case SPOOL_LOST:
		*out = local_lost_event(l, spool, why, INT64_MAX);
		local_note_cgroup_of(l, spool);
		break;
	case SPOOL_NONE:
		*out = given_back(job->id);
		break;
	}
	return true;
}

/*
 * Repeats the last order to the shepherd, because a committed request may not have reached it before a crash.
 * A repeated order does no harm.
 */
static void ask_again(struct local *l, const struct job *job)
{
	if ((job->flags & JOB_CANCELLED) != 0 || (job->real & JOB_REAL_AGAIN) != 0)
		local_cancel(l, job, 0, NULL);
	else
		local_suspend(l, job, (job->real & JOB_REAL_SUSPENDED) != 0, NULL);
}

static void adopt_job(struct local *l, const struct job *job, bool same_boot)
{
	struct local_job *found = local_add(l, job);
	struct err why = {{0}};
	struct spool spool;
	struct event ev;

	found->old_boot = !same_boot;
	found->unseated = job_is_released(job);
	found->unknown_cpus = found->unknown_devices = true;
	if (is_over(l, found, &spool, &why, &ev)) {
		put_report(l, &ev, job->start_count);
		local_drop(l, found);
		return;
	}
	/*
	 * The job was to be resumed, possibly on other processors, but the shepherd has not received the
	 * order.
	 */
	if (spool.has_usage && spool.usage.suspended && !job_is_suspended(job))
		found->unseated = true;
	take_alive(l, found, &spool);
}

/* --- remaining files ---------------------------------------------------------------------------------- */

static bool runs(const struct snapshot *s, uint64_t id, uint32_t attempt)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[i]];

		if (job->id == id)
			return job->start_count == attempt;
	}
	return false;
}

/* Parses the name of a spool file, such as "12.1". */
static bool read_name(const char *name, uint64_t *id, uint32_t *attempt)
{
	char number[24] = "";
	const char *dot = strchr(name, '.');
	int64_t whole, behind;

	if (dot == NULL || (size_t)(dot - name) >= sizeof number)
		return false;
	memcpy(number, name, (size_t)(dot - name));
	if (!str_read_whole(number, &whole) || !str_read_whole(dot + 1, &behind) || whole < 1 || behind < 1 ||
	    behind > UINT32_MAX)
		return false;
	*id = (uint64_t)whole;
	*attempt = (uint32_t)behind;
	return true;
}

/*
 * Removes files of ended jobs that remained after a crash. The file of a running shepherd is kept, even if
 * the state does not contain its job.
 */
static void sweep(const struct local *l, const struct snapshot *s)
{
	int fd = openat(l->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	struct spool spool;
	uint64_t id;
	uint32_t attempt;

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		if (read_name(entry->d_name, &id, &attempt) && !runs(s, id, attempt) &&
		    spool_judge(l->folder, id, attempt, l->boot_id, &spool, NULL) != SPOOL_ALIVE)
			spool_remove(l->folder, id, attempt, NULL);
	if (dir != NULL)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
}

/*
 * Is `name` the cgroup of a start whose shepherd is dead? A living shepherd may still need an empty cgroup,
 * for the job that it is about to start. Job IDs that this store has not assigned belong to another
 * scheduler. Nothing else in the name distinguishes schedulers, so an empty cgroup of another scheduler's
 * dead shepherd may be removed, too.
 */
static bool is_left(const struct snapshot *s, const char *name)
{
	static const char first[] = "job.";
	char exact[ORPHANS_FOLDER];
	int64_t number[4];

	if (strncmp(name, first, sizeof first - 1) != 0 ||
	    !orphans_read_numbers(name + sizeof first - 1, 4, number))
		return false;
	if (number[0] < 1 || (uint64_t)number[0] >= s->next_job_id || number[1] < 1 || number[1] > UINT32_MAX)
		return false;
	orphans_folder((uint64_t)number[0], (uint32_t)number[1], number[2], number[3], exact);
	return strcmp(name, exact) == 0 && spool_pid_is_gone(number[2], number[3]);
}

struct leftovers {
	struct local *l;
	const struct snapshot *s;
};

static bool note_left(void *self, const char *name)
{
	const struct leftovers *left = self;

	if (!is_left(left->s, name))
		return false;
	local_note_cgroup(left->l, name);
	return true;
}

/*
 * Removes the empty cgroups of shepherds that were killed after the end of their jobs. Cgroups with processes
 * are noted: orphans.c kills the processes, and the cgroup is removed when they have exited.
 */
static void sweep_cgroups(struct local *l, const struct snapshot *s)
{
	struct leftovers left = {l, s};

	l->left_count = 0;
	if (l->host.cgroup[0] != '\0')
		cgroup_sweep(l->host.cgroup, false, note_left, &left);
}

bool local_adopt(void *self, const struct snapshot *s, struct err *err)
{
	struct local *l = self;
	bool same_boot;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++)
		if (snapshot_jobs(s)[i].described != 0)
			return err_set(err, "the store has jobs of Slurm (manager = slurm); use a separate "
					    "store for jobs of this host");
	if (!find_boot(l, &same_boot, err))
		return false;
	local_forget(l);
	l->boot_kept = same_boot;
	sweep(l, s);
	sweep_cgroups(l, s);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++)
		adopt_job(l, &snapshot_jobs(s)[snapshot_running(s)[i]], same_boot);
	/*
	 * Jobs that are to be resumed may need processors. Which ones are free is known only after all
	 * running jobs have been adopted.
	 */
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[i]];

		if (local_find(l, job->id) != NULL)
			ask_again(l, job);
	}
	return true;
}

void local_look_again(struct local *l, struct local_job *job, int64_t now_s, rm_report *report, void *to)
{
	struct err why = {{0}};
	struct spool spool;
	struct event ev;

	if (!is_over(l, job, &spool, &why, &ev)) {
		take_alive(l, job, &spool);
		return;
	}
	if (ev.kind == EVENT_END)
		local_note_gone(l, job->id, job->attempt);
	if (ev.time_s > now_s)
		ev.time_s = now_s;
	local_drop(l, job);
	report(to, &ev);
}
