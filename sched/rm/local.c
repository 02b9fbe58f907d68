/* SPDX-License-Identifier: MIT */
/*
 * local.c - the resource manager of this host: which jobs run here, and what has become of them?
 *
 * A shepherd that has gone makes its pidfd readable; what its job did is then read from the spool file.
 * One that is well says so a little earlier, when all that is left to do is for its own safety.
 * An end is reported once; its file is taken away at the next call, when the report is durable: until
 * then a crash finds it again.
 */
#include "local.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "facts_inside.h"
#include "local_inside.h"
#include "orphans.h"
#include "sched/base/failpoint.h"
#include "sched/base/vec.h"
#include "shepherd.h"

#define READY_MAX 64
#define ENDS_ID   0  /* no job has it: the pipe of ends */
#define FIRST_FD  10 /* beyond those that a shepherd is given */
#define AGAIN_S   1  /* when a shepherd has not yet said who it is */
#define FAILED_S  60 /* how long a job whose shepherd could not begin waits */

/* --- the jobs that run ------------------------------------------------------------------------ */

int local_high_fd(int fd)
{
	int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD);

	if (fd >= 0)
		close(fd);
	return high;
}

static struct local_job *find_job(struct local *l, uint64_t id)
{
	for (size_t i = 0; i < l->job_count; i++)
		if (l->job[i].id == id)
			return &l->job[i];
	return NULL;
}

struct local_job *local_add(struct local *l, const struct job *job)
{
	l->job = vec_room(l->job, &l->job_room, l->job_count + 1, sizeof *l->job);
	l->job[l->job_count] = (struct local_job){.id = job->id,
						  .attempt = job->start_count,
						  .procs = (uint32_t)job_procs_counted(job),
						  .pidfd = -1};
	local_jobs_changed(l);
	return &l->job[l->job_count++];
}

void local_drop(struct local *l, struct local_job *job)
{
	seats_give_back(&l->seats, job->id);
	if (job->pidfd >= 0)
		close(job->pidfd);
	*job = l->job[--l->job_count];
	local_jobs_changed(l);
}

void local_forget(struct local *l)
{
	while (l->job_count > 0)
		local_drop(l, &l->job[l->job_count - 1]);
	l->gone_count = l->report_count = 0;
	arena_reset(&l->arena);
}

void local_watch(struct local *l, struct local_job *job, pid_t pid, int pidfd)
{
	struct epoll_event wanted = {.events = EPOLLIN, .data.u64 = job->id};

	job->pid = pid;
	job->pidfd = pidfd;
	if (pidfd >= 0 && !fail_at(FAIL_BEFORE_WATCH) &&
	    epoll_ctl(l->epoll, EPOLL_CTL_ADD, pidfd, &wanted) == 0)
		return;
	if (pidfd >= 0)
		close(pidfd);
	job->pidfd = -1;
	l->again_s = (int64_t)time(NULL) + AGAIN_S;
}

/* --- ends --------------------------------------------------------------------------------------- */

static const char *end_sentence(const struct spool_ended *ended)
{
	switch ((enum end_reason)ended->reason) {
	case END_MEM_LIMIT:
		return ended->text[0] != '\0' ? ended->text : "it used more memory than it asked for";
	case END_NOT_STARTED:
	case END_PROLOG:
		return ended->text;
	case END_EXITED:
	case END_WALL_LIMIT:
	case END_CANCELLED:
	case END_REASON_COUNT:
		break;
	}
	return ended->survivors > 0 ? "some of its processes could not be killed" : NULL;
}

/* One that was told to end and went with 0 has not done what it was there for: TERM has ended it. */
static int32_t end_status(const struct spool_ended *ended)
{
	bool stopped = ended->reason == END_CANCELLED || ended->reason == END_WALL_LIMIT;

	return stopped && ended->status == 0 ? 256 + SIGTERM : ended->status;
}

struct event local_end_event(uint64_t job, const struct spool *spool, int64_t now_s)
{
	const struct spool_ended *ended = &spool->ended;
	struct event ev = {.kind = EVENT_END, .job = job, .who = "sched"};

	ev.time_s = ended->ended_s < now_s ? ended->ended_s : now_s;
	ev.end.status = end_status(ended);
	ev.end.at_limit = ended->reason == END_WALL_LIMIT;
	ev.end.has_used = true;
	ev.end.used_ps = (ended->user_ms + ended->system_ms) / 1000;
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
		err_set(why, "its shepherd was killed, so nobody saw it end");
	if (this_boot && orphans_kill(spool, l->facts.cgroup) > 0)
		err_prefix(why, "some of its processes could not be killed");
	ev.end.lost = true;
	ev.end.why = why->text;
	return ev;
}

/* Its shepherd has gone without a beginning: the start is barred, and the job waits. */
static struct event failed_event(uint64_t job, int64_t now_s)
{
	struct event ev = {.kind = EVENT_DEFER, .time_s = now_s, .job = job, .who = "sched"};

	ev.defer.failed_start = true;
	ev.defer.until_s = now_s + FAILED_S;
	ev.defer.reason = "its shepherd could not begin";
	return ev;
}

void local_note_gone(struct local *l, uint64_t job, uint32_t attempt)
{
	l->gone = vec_room(l->gone, &l->gone_room, l->gone_count + 1, sizeof *l->gone);
	l->gone[l->gone_count++] = (struct gone){job, attempt};
}

/* What was reported at the last call is durable by now. */
static void clear_gone(struct local *l)
{
	if (l->gone_count > 0)
		fail_at(FAIL_GONE_BEFORE_UNLINK);
	for (size_t i = 0; i < l->gone_count; i++)
		for (uint32_t attempt = 1; attempt <= l->gone[i].attempt; attempt++)
			spool_remove(l->folder, l->gone[i].job, attempt, NULL);
	l->gone_count = 0;
}

/* The shepherd is gone, and the lock is not: it is asked for again in a while. */
static void stop_watching(struct local *l, struct local_job *job, int64_t now_s)
{
	close(job->pidfd);
	job->pidfd = -1;
	l->again_s = now_s + AGAIN_S;
}

static void report_fate(struct local *l, struct local_job *job, int64_t now_s, rm_report *report, void *to)
{
	struct spool spool;
	struct err err = {{0}};
	struct event ev;

	switch (spool_judge(l->folder, job->id, job->attempt, l->boot_id, &spool, &err)) {
	case SPOOL_ALIVE: /* a child that it had just made has the lock still, or we have no descriptor: soon
			   */
		stop_watching(l, job, now_s);
		return;
	case SPOOL_ENDED:
		ev = local_end_event(job->id, &spool, now_s);
		break;
	case SPOOL_LOST:
		ev = local_lost_event(l, &spool, &err, now_s);
		break;
	case SPOOL_NONE:
		ev = failed_event(job->id, now_s);
		break;
	}
	local_note_gone(l, job->id, job->attempt);
	local_drop(l, job);
	report(to, &ev);
}

/* What its shepherd has written is made durable by the report, before its own copy is. */
static void report_end(struct local *l, struct local_job *job, int64_t now_s, rm_report *report, void *to)
{
	struct spool spool;
	struct event ev;

	if (!spool_read(l->folder, job->id, job->attempt, &spool, NULL) || !spool.has_ended)
		return;
	ev = local_end_event(job->id, &spool, now_s);
	local_note_gone(l, job->id, job->attempt);
	local_drop(l, job);
	report(to, &ev);
}

static void hear_ends(struct local *l, int64_t now_s, rm_report *report, void *to)
{
	struct shepherd_end end;

	while (read(l->ends[0], &end, sizeof end) == sizeof end) {
		struct local_job *job = find_job(l, end.job);

		if (job != NULL && job->attempt == end.attempt)
			report_end(l, job, now_s, report, to);
	}
}

static void take_ready(struct local *l, int64_t now_s, rm_report *report, void *to)
{
	struct epoll_event ready[READY_MAX];
	int count;

	do {
		count = epoll_wait(l->epoll, ready, READY_MAX, 0);
		for (int i = 0; i < count; i++) {
			struct local_job *job = find_job(l, ready[i].data.u64);

			if (ready[i].data.u64 == ENDS_ID)
				hear_ends(l, now_s, report, to);
			else if (job != NULL)
				report_fate(l, job, now_s, report, to);
		}
	} while (count == READY_MAX || (count < 0 && errno == EINTR));
}

/* --- what they use ------------------------------------------------------------------------------ */

static void sample(struct local *l, int64_t now_s, rm_report *report, void *to)
{
	for (size_t i = 0; i < l->job_count; i++) {
		struct local_job *job = &l->job[i];
		struct event ev = {.kind = EVENT_USED, .time_s = now_s, .job = job->id, .who = "sched"};
		struct spool spool;

		if (!spool_read(l->folder, job->id, job->attempt, &spool, NULL) || !spool.has_usage)
			continue;
		ev.used.ps = spool.usage.cpu_ms / 1000;
		if (ev.used.ps == job->used_ps)
			continue;
		job->used_ps = ev.used.ps;
		report(to, &ev);
	}
	l->sample_s = now_s + LOCAL_SAMPLE_S;
}

/* --- the manager -------------------------------------------------------------------------------- */

/* Those that are found, unless the site lists them. A list that is none is as good as none. */
static void choose_devices(struct local *l, const struct snapshot *s)
{
	const char *list = snapshot_site_text(s, SITE_DEVICES);
	struct facts *facts = mem_zero(1, sizeof *facts);

	if (list != NULL && strcmp(list, "none") == 0)
		list = "";
	facts_read_devices(kernel_root(l->setup.root), list, facts, NULL);
	seats_set_devices(&l->seats, facts->device, facts->device_count);
	free(facts);
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void local_nodes(void *self, const struct snapshot *s, rm_report *report, void *to)
{
	struct local *l = self;
	struct event ev = {.kind = EVENT_NODE, .who = "sched"};
	struct str gres = {0};

	l->load.every_s = s->policy.poll_interval_s;
	choose_devices(l, s);
	seats_keep(&l->seats, (uint32_t)smaller(s->policy.site.keep_procs, l->facts.cpu_count - 1));
	if (l->seats.device_count > 0)
		str_addf(&gres, "gpu:%u", l->seats.device_count);
	ev.time_s = (int64_t)time(NULL);
	ev.node.name = l->facts.host;
	ev.node.procs = l->seats.cpu_count - l->seats.kept;
	ev.node.mem_mb = l->facts.mem_mb - smaller(s->policy.site.keep_mem_mb, l->facts.mem_mb / 2);
	ev.node.swap_mb = l->facts.swap_mb;
	ev.node.gres = gres.len > 0 ? str_text(&gres) : NULL;
	ev.node.used = NODE_NOT_MEASURED;
	report(to, &ev);
	str_free(&gres);
}

static bool some_are_unknown(const struct local *l)
{
	for (size_t i = 0; i < l->job_count; i++)
		if (l->job[i].pidfd < 0)
			return true;
	return false;
}

static int64_t local_next_s(const void *self)
{
	const struct local *l = self;
	int64_t next_s = l->load.look_s;

	if (l->report_count > 0 || l->load.is_news)
		return (int64_t)time(NULL);
	if (l->job_count > 0)
		next_s = smaller(next_s, l->sample_s);
	return some_are_unknown(l) ? smaller(next_s, l->again_s) : next_s;
}

/* Where the clock was set back the next look is no farther away than it ever is. */
static void look_for_unknown(struct local *l, int64_t now_s, rm_report *report, void *to)
{
	if (now_s < l->again_s && l->again_s <= now_s + AGAIN_S)
		return;
	l->again_s = now_s + AGAIN_S;
	for (size_t i = l->job_count; i-- > 0;)
		if (l->job[i].pidfd < 0)
			local_look_again(l, &l->job[i], now_s, report, to);
}

static void tell_adopted(struct local *l, int64_t now_s, rm_report *report, void *to)
{
	for (size_t i = 0; i < l->report_count; i++) {
		struct event ev = l->report[i].ev;

		if (ev.time_s > now_s)
			ev.time_s = now_s;
		if (ev.kind == EVENT_END)
			local_note_gone(l, ev.job, l->report[i].attempt);
		report(to, &ev);
	}
	l->report_count = 0;
	arena_reset(&l->arena);
}

static void local_poll(void *self, int64_t now_s, rm_report *report, void *to)
{
	struct local *l = self;

	clear_gone(l);
	/* A start that is committed next must not look as if it was of another boot. */
	if (l->report_count == 0)
		local_keep_boot(l, NULL);
	tell_adopted(l, now_s, report, to);
	take_ready(l, now_s, report, to);
	look_for_unknown(l, now_s, report, to);
	if (now_s >= l->sample_s)
		sample(l, now_s, report, to);
	if (now_s >= l->load.look_s)
		local_look(l, now_s);
	local_tell_load(l, now_s, report, to);
}

/* --- orders ------------------------------------------------------------------------------------- */

static bool order(struct local *l, const struct job *job, enum shepherd_order what, int number,
		  struct err *err)
{
	struct local_job *running = find_job(l, job->id);
	siginfo_t info = {0};

	if (running == NULL || running->pidfd < 0)
		return err_set(err, "job %" PRIu64 " has no shepherd on this host", job->id);
	info.si_code = SI_QUEUE;
	info.si_pid = getpid();
	info.si_uid = getuid();
	info.si_value.sival_int = number;
	info.si_signo = SIGRTMIN + (int)what;
	return pidfd_send_signal(running->pidfd, info.si_signo, &info, 0) == 0 ||
	       err_set(err, "the shepherd of job %" PRIu64 " cannot be reached: %s", job->id,
		       strerror(errno));
}

bool local_cancel(void *self, const struct job *job, int64_t now_s, struct err *err)
{
	(void)now_s;
	return order(self, job, SHEPHERD_CANCEL, 0, err);
}

bool local_suspend(void *self, const struct job *job, bool on, struct err *err)
{
	return order(self, job, on ? SHEPHERD_SUSPEND : SHEPHERD_RESUME, 0, err);
}

static bool local_signal(void *self, const struct job *job, int number, int64_t now_s, struct err *err)
{
	(void)now_s;
	return order(self, job, SHEPHERD_SIGNAL, number, err);
}

static int local_fd(const void *self)
{
	return ((const struct local *)self)->epoll;
}

/* --- making it ---------------------------------------------------------------------------------- */

static void local_close(void *self)
{
	struct local *l = self;

	/* Files of ends that were reported last stay: nobody knows here whether the store has them. */
	local_forget(l);
	local_end_nursery(l);
	if (l->folder >= 0)
		close(l->folder);
	if (l->shepherd >= 0)
		close(l->shepherd);
	for (int i = 0; i < 2; i++)
		if (l->ends[i] >= 0)
			close(l->ends[i]);
	if (l->epoll >= 0)
		close(l->epoll);
	foreign_watch_free(l->load.watch);
	arena_free(&l->keep);
	arena_free(&l->arena);
	free(l->job);
	free(l->report);
	free(l->gone);
	free(l);
}

static const struct rm_ops local_ops = {
	.name = "local",
	.nodes = local_nodes,
	.next_s = local_next_s,
	.poll = local_poll,
	.start = local_start,
	.cancel = local_cancel,
	.suspend = local_suspend,
	.signal = local_signal,
	.fd = local_fd,
	.adopt = local_adopt,
	.adopts_again = true,
	.close = local_close,
};

static bool open_folder(struct local *l, struct err *err)
{
	const char *spool = l->setup.spool;
	struct stat st;

	if (mkdir(spool, 0700) != 0 && errno != EEXIST)
		return err_set(err, "the folder %s for running jobs cannot be made: %s", spool,
			       strerror(errno));
	l->folder = local_high_fd(open(spool, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
	if (l->folder < 0 || fstat(l->folder, &st) != 0)
		return err_set(err, "the folder %s for running jobs cannot be used: %s", spool,
			       strerror(errno));
	return (st.st_uid == geteuid() && (st.st_mode & 022) == 0) ||
	       err_set(err, "the folder %s for running jobs must be ours, and nobody else may write to it",
		       spool);
}

static bool open_events(struct local *l)
{
	struct epoll_event wanted = {.events = EPOLLIN, .data.u64 = ENDS_ID};
	int ends[2];

	l->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (l->epoll < 0 || pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
		return false;
	l->ends[0] = ends[0];
	l->ends[1] = local_high_fd(ends[1]);
	return l->ends[1] >= 0 && epoll_ctl(l->epoll, EPOLL_CTL_ADD, l->ends[0], &wanted) == 0;
}

static bool open_all(struct local *l, struct err *err)
{
	if (!open_folder(l, err) || !spool_boot_id(l->boot_id, err))
		return false;
	l->shepherd = local_high_fd(open(l->setup.shepherd, O_RDONLY | O_CLOEXEC));
	if (l->shepherd < 0 || access(l->setup.shepherd, X_OK) != 0)
		return err_set(err, "%s, which runs the jobs, cannot be used: %s", l->setup.shepherd,
			       strerror(errno));
	return open_events(l) || err_set(err, "no epoll or no pipe: %s", strerror(errno));
}

struct rm local_new(const struct local_setup *setup, struct err *err)
{
	struct local *l = mem_zero(1, sizeof *l);

	l->folder = l->shepherd = l->epoll = l->cradle = l->ends[0] = l->ends[1] = -1;
	l->setup = *setup;
	l->setup.spool = arena_string(&l->keep, setup->spool);
	l->setup.shepherd = arena_string(&l->keep, setup->shepherd);
	l->setup.root = arena_string(&l->keep, setup->root);
	l->facts = *setup->facts;
	l->setup.facts = &l->facts;
	seats_init(&l->seats, &l->facts);
	l->load.watch = foreign_watch_new(setup->root);
	if (open_all(l, err))
		return (struct rm){.ops = &local_ops, .self = l};
	local_close(l);
	return (struct rm){.ops = NULL};
}
