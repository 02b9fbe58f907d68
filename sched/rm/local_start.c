/* SPDX-License-Identifier: MIT */
/*
 * local_start.c - job starts
 *
 * The submitting client has written the launch; the decisions of the scheduler are added here, and the result
 * is passed to the shepherd as a sealed memfd.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "descriptors.h"
#include "fd_passing.h"
#include "launch.h"
#include "local_inside.h"
#include "sched/base/failpoint.h"
#include "shepherd.h"
#include "transient.h"

/* --- the fork server of shepherds --------------------------------------------------------------------- */

/*
 * The fork server is a process that runs the shepherd's program. It is started once and creates each shepherd
 * by fork(), so the cost of starting the program (dynamic linking, user lookups) is paid only once. The fork
 * server exits with the scheduler; shepherds continue. The program file is opened once, so that an upgrade
 * does not mix two versions of the protocol.
 *
 * The scheduler's thread waits for each answer, so the fork server has the niceness of that thread (host.c);
 * with the default niceness it would compete with the busy processes of all users. Shepherds and jobs get the
 * default niceness at the fork.
 *
 * A fork server that does not answer within PATIENCE_S is killed; then it is unknown whether it has created
 * the shepherd.
 */

/*
 * Number of the descriptor from which the shepherd's program is executed. The program closes it at its start,
 * with all other descriptors above SHEPHERD_ENDS_FD.
 */
#define PROGRAM_FD 6

#define PATIENCE_S 5

/* --- start and end of the fork server ----------------------------------------------------------------- */

/* The fork server has its own session, inherits no descriptors, ignores no signals and blocks all of them, so
 * that only SIGKILL ends it. Descriptors that it receives later have higher numbers than its own. */
static int spawn(const struct local *l, int socket, pid_t *pid)
{
	const char *argv[] = {SHEPHERD_PROGRAM, SHEPHERD_FORK_SERVER, SHEPHERD_NAME_ROOM, NULL};
	const char *environment[10] = {"PATH=/usr/bin:/bin"};
	char soft_files[64];
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	char path[32];
	sigset_t all;
	int failed;

	snprintf(path, sizeof path, "/proc/self/fd/%d", PROGRAM_FD);
	snprintf(soft_files, sizeof soft_files, DESCRIPTORS_OF_JOBS "=%" PRId64, l->setup.soft_files);
	environment[1] = soft_files;
	fail_environment(environment + 2, 7);
	sigfillset(&all);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes,
				 POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &all);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&files, socket, SHEPHERD_SOCKET_FD);
	posix_spawn_file_actions_adddup2(&files, l->folder, SHEPHERD_FOLDER_FD);
	posix_spawn_file_actions_adddup2(&files, l->ends[1], SHEPHERD_ENDS_FD);
	posix_spawn_file_actions_adddup2(&files, l->shepherd, PROGRAM_FD);
	posix_spawn_file_actions_addclosefrom_np(&files, PROGRAM_FD + 1);
	posix_spawn_file_actions_addchdir_np(&files, "/");
	failed = posix_spawn(pid, path, &files, &attributes, (char *const *)(uintptr_t)argv,
			     (char *const *)(uintptr_t)environment);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	return failed;
}

/*
 * Gives the fork server the niceness of this thread, if this thread has one that child processes do not
 * inherit. The children of the fork server do not inherit it either.
 */
static void share_priority(pid_t fork_server)
{
	const struct sched_param none = {.sched_priority = 0};
	const int policy = SCHED_OTHER | SCHED_RESET_ON_FORK;

	if (sched_getscheduler(0) == policy && sched_setscheduler(fork_server, policy, &none) == 0)
		setpriority(PRIO_PROCESS, (id_t)fork_server, getpriority(PRIO_PROCESS, 0));
}

static bool set_timeout(int socket)
{
	const struct timeval limit = {.tv_sec = PATIENCE_S};

	return setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0 &&
	       setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0;
}

static bool begin(struct local *l, bool *passes, struct err *err)
{
	int pair[2], failed;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
		*passes = error_is_transient(errno);
		return err_set(err, "cannot create a socket: %s", strerror(errno));
	}
	pair[1] = local_high_fd(pair[1]);
	failed = pair[1] < 0 || !set_timeout(pair[0]) ? errno : spawn(l, pair[1], &l->fork_server);
	if (pair[1] >= 0)
		close(pair[1]);
	if (failed == 0) {
		share_priority(l->fork_server);
		l->fork_socket = pair[0];
		return true;
	}
	close(pair[0]);
	*passes = error_is_transient(failed);
	return err_set(err, "%s could not be started: %s", l->setup.shepherd, strerror(failed));
}

void local_end_fork_server(struct local *l)
{
	if (l->fork_socket < 0)
		return;
	close(l->fork_socket);
	l->fork_socket = -1;
	kill(l->fork_server, SIGKILL);
	waitpid(l->fork_server, NULL, 0);
	l->fork_server = 0;
}

/* --- one new shepherd --------------------------------------------------------------------------------- */

/*
 * Sends a request to the fork server, which is started if it is not running, and replaced if it has died
 * since the last request.
 */
static bool ask(struct local *l, const char *name, int launch, bool *passes, struct err *err)
{
	for (int i = 0; i < 2; i++) {
		if (l->fork_socket < 0 && !begin(l, passes, err))
			return false;
		if (fd_passing_send(l->fork_socket, name, strlen(name), launch))
			return true;
		*passes = true; /* the next try starts another fork server */
		err_set(err, "the fork server of shepherds does not accept requests: %s", strerror(errno));
		local_end_fork_server(l);
	}
	return false;
}

/*
 * Creates a shepherd for the launch, a descriptor that the caller keeps. On failure, err has the reason, and
 * *passes tells whether it is transient.
 */
static enum creation create_shepherd(struct local *l, const char *name, int launch, struct new_shepherd *out,
				     bool *passes, struct err *err)
{
	struct shepherd_reply answer = {.pid = -1};

	*out = (struct new_shepherd){.pidfd = -1};
	if (!ask(l, name, launch, passes, err))
		return CREATION_NONE;
	if (fd_passing_receive(l->fork_socket, &answer, sizeof answer, &out->pidfd, 0) != sizeof answer) {
		err_set(err, "the fork server of shepherds has not answered");
		local_end_fork_server(l);
		return CREATION_UNKNOWN;
	}
	out->pid = answer.pid;
	if (answer.pid > 0)
		return CREATION_DONE;
	*passes = error_is_transient(answer.failed);
	err_set(err, "cannot create a process for its shepherd: %s", strerror(answer.failed));
	return CREATION_NONE;
}

/* --- job starts --------------------------------------------------------------------------------------- */

/* --- the launch --------------------------------------------------------------------------------------- */

static const char *cred_name(const struct snapshot *s, const struct job *job, enum cred_type type)
{
	uint32_t cred = job->cred[type];

	return cred == INDEX_NONE ? NULL : snapshot_string(s, snapshot_creds(s)[cred].name);
}

static const char *text_or_null(const struct snapshot *s, uint32_t string)
{
	return string == 0 ? NULL : snapshot_string(s, string);
}

/* Appends each node with its number of processors: "n001*2 n003*1". */
static void name_nodes(const struct rm_start *start, struct str *out)
{
	for (uint32_t r = 0; r < start->run_count; r++)
		for (uint32_t k = 0; k < start->runs[r].nodes; k++) {
			const struct node *node = &snapshot_nodes(start->s)[start->runs[r].node + k];

			str_addf(out, "%s%s*%u", out->len > 0 ? " " : "",
				 snapshot_string(start->s, node->name), start->runs[r].procs);
		}
}

/* Returns the number of GPUs (generic resource "gpu") of the whole job. */
static uint32_t devices_asked(const struct snapshot *s, const struct job *job)
{
	int gpu = snapshot_find_trait(s, TRAIT_GRES, "gpu");

	return gpu < 0 ? 0 : job->gres[gpu] * job->tasks;
}

/* Strings that the launch points to, needed until it is encoded. */
struct told {
	struct str nodes, cpus, devices;
	char label[JOB_LABEL_TEXT];
};

/* Returns the name of the PAM service; NULL: no PAM session. */
static const char *pam_service(const struct snapshot *s)
{
	const char *service = snapshot_site_text(s, SITE_PAM_SERVICE);

	if (service == NULL || service[0] == '\0')
		return SITE_PAM_SERVICE_DEFAULT;
	return strcmp(service, "none") == 0 ? NULL : service;
}

static void tell(const struct local *l, const struct rm_start *start, struct told *told, struct launch *out)
{
	static const uint8_t signal_number[] = {
		[WARN_NONE] = 0,       [WARN_HUP] = SIGHUP,   [WARN_INT] = SIGINT,
		[WARN_USR1] = SIGUSR1, [WARN_USR2] = SIGUSR2, [WARN_TERM] = SIGTERM,
	};
	const struct site_rules *site = &start->s->policy.site;
	const struct job *job = start->job;

	name_nodes(start, &told->nodes);
	out->job = job->id;
	out->attempt = job->start_count;
	out->label = snapshot_job_label(start->s, job, told->label);
	out->name = text_or_null(start->s, job->name);
	out->user = cred_name(start->s, job, CRED_USER);
	out->group = cred_name(start->s, job, CRED_GROUP);
	out->account = cred_name(start->s, job, CRED_ACCOUNT);
	out->class = cred_name(start->s, job, CRED_CLASS);
	out->qos = cred_name(start->s, job, CRED_QOS);
	out->nodes = str_text(&told->nodes);
	out->cpus = told->cpus.len > 0 && site->bind_cpus ? str_text(&told->cpus) : NULL;
	out->devices = told->devices.len > 0 || l->seats.device_count > 0 ? str_text(&told->devices) : NULL;
	out->cgroup = l->host.cgroup[0] != '\0' ? l->host.cgroup : NULL;
	out->prolog = snapshot_site_text(start->s, SITE_PROLOG);
	out->epilog = snapshot_site_text(start->s, SITE_EPILOG);
	out->procs = job_procs_counted(job);
	out->wall_limit_s = job->wall_limit_s;
	out->mem_mb = job->mem_mb * job->tasks;
	out->grace_s = site->grace_s;
	out->warn_s = out->own_signal != 0 ? out->own_signal_s : site->warn_s;
	out->warn_signal = out->own_signal != 0 ? out->own_signal : signal_number[site->warn_signal];
	/*
	 * The job may have been modified since submission, so that its processors are not a multiple of the
	 * submitted number of tasks.
	 */
	if (out->tasks == 0 || out->procs % out->tasks != 0)
		out->tasks = job->tasks;
	out->umask |= site->umask;
	out->pam = pam_service(start->s);
	out->no_new_privs = site->no_new_privs;
	out->processes = site->job_processes;
}

/* --- the launch file ---------------------------------------------------------------------------------- */

static bool write_all(int fd, const struct str *bytes)
{
	size_t done = 0;

	while (done < bytes->len) {
		ssize_t n = write(fd, bytes->data + done, bytes->len - done);

		if (n < 0 && errno != EINTR)
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return true;
}

/*
 * Writes the launch to a sealed memfd, which no process can change. Returns the descriptor, or -1 with errno
 * set.
 */
static int launch_file(struct local *l, const struct launch *launch)
{
	int fd = local_high_fd(memfd_create("kahu-launch", MFD_CLOEXEC | MFD_ALLOW_SEALING));
	bool good;

	if (fd < 0)
		return -1;
	str_clear(&l->launch);
	launch_write(launch, &l->launch);
	good = write_all(fd, &l->launch) && lseek(fd, 0, SEEK_SET) == 0 &&
	       fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
	if (good)
		return fd;
	close(fd);
	return -1;
}

/*
 * Creates the shepherd of a job. Returns false with a message only if no shepherd was created. A shepherd
 * that may have been created is examined later: either it has begun, or its start is barred.
 */
static bool run_shepherd(struct local *l, struct local_job *job, const struct launch *launch, bool *passes,
			 struct err *err)
{
	struct new_shepherd shepherd;
	enum creation creation;
	char name[64];
	int fd = launch_file(l, launch);

	if (fd < 0) {
		*passes = error_is_transient(errno);
		return err_set(err, "its launch data cannot be passed to its shepherd: %s", strerror(errno));
	}
	snprintf(name, sizeof name, "%" PRIu64 ".%u", job->id, job->attempt);
	creation = create_shepherd(l, name, fd, &shepherd, passes, err);
	fail_at(FAIL_START_AFTER_FORK);
	close(fd);
	/* Without a pidfd, the spool file shows later whether the shepherd has begun. */
	if (creation != CREATION_NONE)
		local_watch(l, job, shepherd.pid, shepherd.pidfd);
	return creation != CREATION_NONE;
}

/* --- the start ---------------------------------------------------------------------------------------- */

static bool has_more_than_host(const struct local *l, const struct rm_start *start)
{
	return start->run_count > 0 &&
	       snapshot_nodes(start->s)[start->runs[0].node].procs > l->seats.cpu_count - l->seats.kept;
}

static bool seat(struct local *l, const struct rm_start *start, struct told *told, struct err *err)
{
	uint32_t cpus = (uint32_t)job_procs_counted(start->job),
		 devices = devices_asked(start->s, start->job);

	if (seats_take(&l->seats, start->job->id, cpus, devices, &told->cpus, &told->devices))
		return true;
	/*
	 * The configuration may have more processors than the host. Then the job gets no processors of its
	 * own and is not bound.
	 */
	if (has_more_than_host(l, start) &&
	    seats_take(&l->seats, start->job->id, 0, devices, &told->cpus, &told->devices))
		return true;
	return err_set(err, "this host does not have %u free processors and %u free devices", cpus, devices);
}

/*
 * If the configuration is not trusted (start->barred), the programs that it names are not run, and neither
 * are jobs that need a prolog or epilog.
 */
static bool may_run_programs(const struct rm_start *start, struct err *err)
{
	static const enum site_text programs[] = {SITE_PROLOG, SITE_EPILOG};

	for (size_t i = 0; start->barred != NULL && i < sizeof programs / sizeof programs[0]; i++) {
		const char *program = snapshot_site_text(start->s, programs[i]);

		if (program != NULL && program[0] != '\0')
			return err_set(err, "%s is not run, as %s", program, start->barred);
	}
	return true;
}

static bool start_seated(struct local *l, const struct rm_start *start, struct launch *launch,
			 struct told *told, bool *passes, struct err *err)
{
	struct local_job *job;
	struct rlimit limit;
	bool good;

	if (launch->uid == 0 && !start->s->policy.site.allow_root)
		return err_set(err,
			       "jobs of root are not accepted here; set allowroot = true to accept them");
	if (!may_run_programs(start, err))
		return false;
	*passes = true;
	if (!local_know_seats(l, devices_asked(start->s, start->job) > 0, err))
		return false;
	*passes = false;
	if (!seat(l, start, told, err))
		return false;
	tell(l, start, told, launch);
	job = local_add(l, start->job);
	job->bound = launch->cpus != NULL;
	limit = descriptors_withhold();
	good = run_shepherd(l, job, launch, passes, err);
	descriptors_restore(limit);
	if (!good)
		local_drop(l, job);
	return good;
}

bool local_start(void *self, const struct rm_start *start, int64_t now_s, struct err *err)
{
	struct told told = {.nodes = {0}};
	struct local *l = self;
	struct launch launch;
	void *room = NULL;
	bool good, passes = false;

	(void)now_s;
	if (start->launch == NULL)
		return err_set(err, "it has no launch data (program and arguments); only jobs that were "
				    "submitted to this host can run here");
	if (!local_keep_boot(l, &passes, err))
		good = false;
	else
		good = launch_read(start->launch, start->launch_size, &launch, &room, err) &&
		       start_seated(l, start, &launch, &told, &passes, err);
	if (start->passes != NULL)
		*start->passes = passes;
	free(room);
	str_free(&told.nodes);
	str_free(&told.cpus);
	str_free(&told.devices);
	return good;
}
