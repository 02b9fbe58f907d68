/* SPDX-License-Identifier: MIT */
/*
 * local_ends.c - reports of jobs that have ended
 *
 * What the job did is read from the spool file. A shepherd that is well says so a little before it goes,
 * when all that is left to do is for its own safety. An end is reported once; its file is taken away at the
 * next call, when the report is durable: until then a crash finds it again.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "local_inside.h"
#include "sched/base/failpoint.h"
#include "sched/base/vec.h"
#include "shepherd.h"
#include "transient.h"

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
	if (ended->text[0] != '\0') /* of the epilog */
		return ended->text;
	return ended->survivors > 0 ? "some of its processes could not be killed" : NULL;
}

/* One that was told to end and went with 0 has not done what it was there for: TERM has ended it. */
static int32_t end_status(const struct spool_ended *ended)
{
	bool stopped = ended->reason == END_CANCELLED || ended->reason == END_WALL_LIMIT;

	return stopped && ended->status == 0 ? 256 + SIGTERM : ended->status;
}

/* The driver decides: it retries the job after seconds if the error is transient, and defers it otherwise. */
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
		err_set(why, "its shepherd was killed, so nobody saw it end");
	if (this_boot && orphans_kill(spool, l->facts.cgroup) > 0)
		err_prefix(why, "some of its processes could not be killed");
	ev.end.lost = true;
	ev.end.why = why->text;
	return ev;
}

void local_note_cgroup(struct local *l, const char *name)
{
	l->left = vec_room(l->left, &l->left_room, l->left_count + 1, sizeof *l->left);
	snprintf(l->left[l->left_count++].name, ORPHANS_FOLDER, "%s", name);
}

/* Its shepherd removes it, or gives up soon. */
void local_note_cgroup_of(struct local *l, const struct spool *spool)
{
	char name[ORPHANS_FOLDER];

	if (l->facts.cgroup[0] == '\0' || !spool->has_begun)
		return;
	orphans_folder(spool->job, spool->attempt, spool->begun.pid, spool->begun.pid_start, name);
	local_note_cgroup(l, name);
}

void local_remove_cgroups(struct local *l)
{
	int parent = l->left_count == 0 ? -1 : open(l->facts.cgroup, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	size_t kept = 0;

	if (parent < 0)
		return;
	for (size_t i = 0; i < l->left_count; i++)
		if (unlinkat(parent, l->left[i].name, AT_REMOVEDIR) != 0 &&
		    (errno == EBUSY || errno == ENOTEMPTY))
			l->left[kept++] = l->left[i];
	l->left_count = kept;
	close(parent);
}

void local_note_gone(struct local *l, uint64_t job, uint32_t attempt)
{
	l->gone = vec_room(l->gone, &l->gone_room, l->gone_count + 1, sizeof *l->gone);
	l->gone[l->gone_count++] = (struct gone){job, attempt};
}

void local_note_barred(struct local *l, uint64_t job, uint32_t attempt)
{
	l->barred = vec_room(l->barred, &l->barred_room, l->barred_count + 1, sizeof *l->barred);
	l->barred[l->barred_count++] = (struct gone){job, attempt};
}

/* Few attempts are ever barred: those whose start the death of a scheduler or of the fork server met. */
static void clear_barred(struct local *l, uint64_t job)
{
	for (size_t i = l->barred_count; i-- > 0;) {
		if (l->barred[i].job != job)
			continue;
		spool_remove(l->folder, job, l->barred[i].attempt, NULL);
		l->barred[i] = l->barred[--l->barred_count];
	}
}

/* Each attempt removes its own file: what an end costs does not grow with the attempts before it. */
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

/* The shepherd is gone, and the lock is not: it is asked for again in a while. */
static void stop_watching(struct local *l, struct local_job *job, int64_t now_s)
{
	close(job->pidfd);
	job->pidfd = -1;
	l->again_s = now_s + LOCAL_AGAIN_S;
}

/* Its shepherd has gone without a beginning: the start is barred. A shepherd that has not said why was
 * killed, or found no memory. */
static struct event never_begun_event(const struct local_job *job, int64_t now_s, struct err *why)
{
	err_set(why, "its shepherd could not begin: %s",
		job->failed != 0 ? strerror(job->failed) : "it was killed, or found no memory");
	return failed_event(job->id, now_s, job->failed == 0 || error_is_transient(job->failed), why->text);
}

/* What they have is in use, and so is the cgroup that they are in. */
static void note_survivors(struct local *l, const struct local_job *job, const struct spool *spool,
			   int64_t now_s)
{
	if (spool->ended.survivors == 0)
		return;
	local_memory_left(l, job, now_s);
	local_note_cgroup_of(l, spool);
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
		note_survivors(l, job, &spool, now_s);
		break;
	case SPOOL_LOST:
		ev = local_lost_event(l, &spool, &err, now_s);
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

/* What its shepherd has written is made durable by the report, before its own copy is. */
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
		/* What a shepherd said comes before that it has gone. */
		hear_ends(l, now_s, report, to);
		for (int i = 0; i < count; i++) {
			struct local_job *job = local_find(l, ready[i].data.u64);

			if (job != NULL)
				report_fate(l, job, now_s, report, to);
		}
	} while (count == READY_MAX || (count < 0 && errno == EINTR));
}
