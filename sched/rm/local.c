/* SPDX-License-Identifier: MIT */
/*
 * local.c - the resource manager of this host
 *
 * Each poll reports, in this order: what was found after a restart, jobs that have ended, the usage of
 * running jobs, and the load of outside processes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host_info_inside.h"
#include "local.h"
#include "local_inside.h"
#include "node_file.h"
#include "sched/base/vec.h"
#include "system_clock.h"

/* --- resources in use --------------------------------------------------------------------------------- */

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

/* --- operations --------------------------------------------------------------------------------------- */

/*
 * Sets the device node numbers of listed devices. A device listed by UUID gets the number of the detected
 * NVIDIA device with this UUID.
 */
static void number_devices(const struct host_info *found, struct host_info *listed)
{
	for (uint32_t i = 0; i < listed->device_count; i++)
		for (uint32_t k = 0; k < found->device_count; k++)
			if (listed->device[i].node < 0 && strcmp(found->device[k].kind, "nvidia") == 0 &&
			    strcmp(listed->device[i].id, found->device[k].id) == 0)
				listed->device[i].node = found->device[k].node;
}

/*
 * Uses the devices that the site lists, or detects them if it lists none. If the list is invalid, no device
 * is available.
 */
static void choose_devices(struct local *l, const struct snapshot *s)
{
	const char *list = snapshot_site_text(s, SITE_DEVICES);
	struct host_info *host = mem_zero(1, sizeof *host);

	if (list != NULL && strcmp(list, "none") == 0)
		list = "";
	host_info_read_devices(kernel_root(l->setup.root), list, host, NULL);
	number_devices(&l->host, host);
	seats_set_devices(&l->seats, host->device, host->device_count);
	local_devices_changed(l);
	free(host);
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/*
 * Sets *procs and *gpus to what the host has or, if its running jobs have more, to what these jobs have: a
 * node cannot be reported with fewer resources than its jobs have. Running jobs may have devices that are no
 * longer listed, and processors that are now reserved for the system. The devices of a job may be unknown
 * here; the snapshot shows how many it has.
 */
static void count_all(struct local *l, const struct snapshot *s, uint32_t *procs, uint32_t *gpus)
{
	uint32_t procs_there = l->seats.cpu_count - l->seats.kept;
	int gpu = snapshot_find_trait(s, TRAIT_GRES, "gpu");

	*procs = procs_there;
	*gpus = l->seats.device_count + seats_unlisted(&l->seats);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++) {
		const struct node *node = &snapshot_nodes(s)[i];

		if (strcmp(snapshot_string(s, node->name), l->host.hostname) != 0)
			continue;
		*procs = larger(*procs, node->procs_busy);
		*gpus = larger(*gpus, gpu < 0 ? 0 : node->gres_busy[gpu]);
	}
	l->told_more = *procs > procs_there || *gpus > l->seats.device_count;
	l->told_is_old = false;
}

static bool local_nodes_changed(const void *self)
{
	return ((const struct local *)self)->told_is_old;
}

/* Returns the time of the last poll; before the first poll, the time of the system clock. */
static int64_t local_now_s(const struct local *l)
{
	return l->now_s != TIME_NONE ? l->now_s : system_clock_s();
}

static void local_nodes(void *self, const struct snapshot *s, rm_report *report, void *to)
{
	struct local *l = self;
	struct event ev = {.kind = EVENT_NODE, .who = "sched"};
	struct str gres = {0};
	uint32_t gpus;

	l->load.every_s = s->policy.poll_interval_s;
	choose_devices(l, s);
	seats_keep(&l->seats, (uint32_t)smaller(s->policy.site.keep_procs, l->host.cpu_count - 1));
	count_all(l, s, &ev.node.procs, &gpus);
	if (gpus > 0)
		str_addf(&gres, "gpu:%u", gpus);
	ev.time_s = local_now_s(l);
	ev.node.name = l->host.hostname;
	ev.node.mem_mb = l->host.mem_mb - smaller(s->policy.site.keep_mem_mb, l->host.mem_mb / 2);
	ev.node.swap_mb = l->host.swap_mb;
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
		return local_now_s(l);
	if (l->job_count > 0)
		next_s = smaller(next_s, smaller(l->sample_s, l->signals_s));
	return some_are_unknown(l) ? smaller(next_s, l->again_s) : next_s;
}

/*
 * Looks again at jobs whose shepherd has not identified itself, at most once every LOCAL_AGAIN_S seconds. If
 * the clock was set back, the next look is at most one interval away.
 */
static void look_for_unknown(struct local *l, int64_t now_s, rm_report *report, void *to)
{
	if (now_s < l->again_s && l->again_s <= now_s + LOCAL_AGAIN_S)
		return;
	l->again_s = now_s + LOCAL_AGAIN_S;
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
	size_t jobs = l->job_count + l->report_count;

	l->now_s = now_s;
	local_clear_gone(l);
	/* Record the boot ID now: otherwise the next committed start would seem to be from another boot. */
	if (l->report_count == 0)
		local_keep_boot(l, NULL, NULL);
	tell_adopted(l, now_s, report, to);
	local_take_ends(l, now_s, report, to);
	look_for_unknown(l, now_s, report, to);
	if (l->told_more && l->job_count + l->report_count < jobs)
		l->told_is_old = true;
	if (now_s >= l->sample_s)
		sample(l, now_s, report, to);
	if (local_look_is_due(l, now_s))
		local_look(l, now_s);
	local_tell_load(l, now_s, report, to);
	local_send_signals(l, now_s);
}

static void local_set_clock(void *self, int64_t by_s)
{
	struct local *l = self;
	int64_t *at[] = {&l->now_s,       &l->sample_s,    &l->again_s,         &l->signals_s,
			 &l->load.look_s, &l->load.told_s, &l->load.measured_s, &l->load.left_s};

	for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
		time_move(at[i], by_s);
}

static int local_fd(const void *self)
{
	return ((const struct local *)self)->epoll;
}

/* --- creation ----------------------------------------------------------------------------------------- */

static void local_close(void *self)
{
	struct local *l = self;

	/*
	 * Does not remove the spool files of the jobs whose ends were reported last: it is unknown whether
	 * these ends are in the store.
	 */
	local_forget(l);
	local_end_fork_server(l);
	if (l->folder >= 0)
		close(l->folder);
	if (l->shepherd >= 0)
		close(l->shepherd);
	for (int i = 0; i < 2; i++)
		if (l->ends[i] >= 0)
			close(l->ends[i]);
	if (l->epoll >= 0)
		close(l->epoll);
	local_close_load(l);
	seats_free(&l->seats);
	arena_free(&l->keep);
	arena_free(&l->arena);
	free(l->job);
	free(l->report);
	free(l->gone);
	free(l->left);
	str_free(&l->launch);
	free(l->barred);
	free(l);
}

static const struct rm_ops local_ops = {
	.name = "local",
	.nodes = local_nodes,
	.nodes_changed = local_nodes_changed,
	.next_s = local_next_s,
	.poll = local_poll,
	.set_clock = local_set_clock,
	.start = local_start,
	.cancel = local_cancel,
	.suspend = local_suspend,
	.signal = local_signal,
	.fd = local_fd,
	.adopt = local_adopt,
	.adopts_again = true,
	.close = local_close,
};

/* Creates the folder for spool files. Its directory entry must be durable before any file in it is. */
static bool make_folder(const char *spool)
{
	struct str above = {0};
	int fd;
	bool good;

	if (mkdir(spool, 0700) != 0)
		return errno == EEXIST;
	str_addf(&above, "%s/..", spool);
	fd = open(str_text(&above), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	str_free(&above);
	good = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL);
	if (fd >= 0)
		close(fd);
	return good;
}

static bool open_folder(struct local *l, struct err *err)
{
	const char *spool = l->setup.spool;
	struct stat st;

	if (!make_folder(spool))
		return err_set(err, "the folder %s for running jobs cannot be created: %s", spool,
			       strerror(errno));
	l->folder = local_high_fd(open(spool, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
	if (l->folder < 0 || fstat(l->folder, &st) != 0)
		return err_set(err, "the folder %s for running jobs cannot be used: %s", spool,
			       strerror(errno));
	return (st.st_uid == geteuid() && (st.st_mode & 022) == 0) ||
	       err_set(err,
		       "the folder %s for running jobs must belong to the scheduler's user, and group "
		       "and others must not have write permission",
		       spool);
}

static bool open_events(struct local *l)
{
	struct epoll_event wanted = {.events = EPOLLIN, .data.u64 = LOCAL_NO_JOB};
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
	return open_events(l) ||
	       err_set(err, "cannot create an epoll instance or a pipe: %s", strerror(errno));
}

struct rm local_new(const struct local_setup *setup, struct err *err)
{
	struct local *l = mem_zero(1, sizeof *l);

	l->folder = l->shepherd = l->epoll = l->fork_socket = l->ends[0] = l->ends[1] = l->load.call = -1;
	l->setup = *setup;
	l->setup.spool = arena_string(&l->keep, setup->spool);
	l->setup.shepherd = arena_string(&l->keep, setup->shepherd);
	l->setup.root = arena_string(&l->keep, setup->root);
	l->host = *setup->host;
	l->setup.host = &l->host;
	seats_init(&l->seats, &l->host);
	l->load.watch = outside_watch_new(setup->root);
	local_devices_changed(l);
	l->load.told_s = l->load.measured_s = TIME_NONE;
	l->load.left_most_mb = INT64_MAX;
	l->now_s = setup->now_s != 0 ? setup->now_s : TIME_NONE;
	l->signals_s = TIME_NEVER;
	if (open_all(l, err)) {
		node_file_sweep();
		return (struct rm){.ops = &local_ops, .self = l};
	}
	local_close(l);
	return (struct rm){.ops = NULL};
}
