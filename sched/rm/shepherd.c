/* SPDX-License-Identifier: MIT */
/*
 * shepherd.c - the program that runs one job, independently of the scheduler
 *
 * The program detaches from its caller (or the fork server has done this), reads the launch, creates the
 * spool file (whose creator runs the job), runs prolog, job and epilog, and records how the job ended. The
 * end is recorded before the epilog runs, so that the epilog cannot cause it to be lost.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "fd_passing.h"
#include "sched/base/failpoint.h"
#include "sched/base/vec.h"
#include "shepherd_inside.h"
#include "system_clock.h"
#include "transient.h"
#include "waiter.h"

/* --- the fork server that creates shepherds ------------------------------------------------------------ */

/*
 * This process forks on request, and each child continues as a shepherd. The fork server does not wait for
 * its children, which the kernel reaps. The scheduler gets a pidfd of each child that is created together
 * with the process, so that it cannot refer to another process.
 *
 * The first user lookup of a process loads libraries, which costs more than the rest of a start. The fork
 * server therefore makes one lookup, which its children need not repeat, after a test in a child process has
 * shown that lookups are quick. If lookups are slow or hang, only the job that needs one waits.
 */

#define QUICK_MS 200

#define NAME_ROOM 64

/* --- looking up users --------------------------------------------------------------------------------- */

static void look_up(void)
{
	gid_t group;
	int room = 1;

	(void)getpwuid(getuid());
	(void)getgrouplist("root", 0, &group, &room);
}

/*
 * Starts the test of lookups in a child process. Returns a descriptor that becomes readable when the child
 * has made a lookup or has exited; -1: no child could be created.
 */
static int try_to_look_up(void)
{
	int pair[2];
	pid_t pid;

	if (pipe2(pair, O_CLOEXEC) != 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		close(SHEPHERD_SOCKET_FD);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		look_up();
		_exit(write(pair[1], "", 1) == 1 ? 0 : 1);
	}
	close(pair[1]);
	if (pid > 0)
		return pair[0];
	close(pair[0]);
	return -1;
}

/*
 * Called when the child has made its lookup or has exited. If the child's lookup was quick, makes one in this
 * process. Closes fd, and returns -1 as the caller's new value of the descriptor.
 */
static int hear_of_look_up(int fd, int64_t until_ms)
{
	char byte;

	if (read(fd, &byte, 1) == 1 && now_ms() <= until_ms)
		look_up();
	close(fd);
	return -1;
}

/* --- one new shepherd --------------------------------------------------------------------------------- */

/*
 * Forks and gets a pidfd of the child. If clone3() is not allowed, as in some containers, a pidfd is opened
 * after fork(); -1 if that fails.
 */
static pid_t fork_with_pidfd(int *out)
{
	int pidfd = -1;
	struct clone_args args = {
		.flags = CLONE_PIDFD, .exit_signal = SIGCHLD, .pidfd = (uint64_t)(uintptr_t)&pidfd};
	pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);

	if (pid < 0 && (errno == ENOSYS || errno == EPERM)) {
		pid = fork();
		pidfd = pid > 0 ? pidfd_open(pid, 0) : -1;
	}
	*out = pidfd;
	return pid;
}

/* Sets the name shown by `ps`, in place of the arguments of the fork server. */
static void take_name(char **argv, const char *name)
{
	size_t room = strlen(argv[1]) + 1 + strlen(argv[2]);

	if (argv[2] != argv[1] + strlen(argv[1]) + 1)
		return;
	memset(argv[1], '\0', room);
	memcpy(argv[1], name, strnlen(name, room));
}

/*
 * Called in the child: continues as if the program had been started for this shepherd. The shepherd takes a
 * session keyring of its own, because otherwise all jobs would share that of the fork server.
 */
static bool be_shepherd(char **argv, const char *name, int launch)
{
	signal(SIGCHLD, SIG_DFL);
	take_name(argv, name);
	return setsid() > 0 && as_leave_keys() && dup2(launch, SHEPHERD_LAUNCH_FD) == SHEPHERD_LAUNCH_FD &&
	       close(launch) == 0 && fcntl(SHEPHERD_LAUNCH_FD, F_SETFD, FD_CLOEXEC) == 0;
}

/* Has the scheduler died since its request? Then another scheduler decides about the start. */
static bool is_left_alone(void)
{
	struct pollfd file = {.fd = SHEPHERD_SOCKET_FD, .events = POLLRDHUP};

	return poll(&file, 1, 0) != 0;
}

/*
 * Creates a shepherd and answers the request. Returns 0 in the child, otherwise the PID of the child, or -1.
 */
static pid_t create_shepherd(char **argv, const char *name, int launch)
{
	struct shepherd_reply answer = {.pid = 0};
	int pidfd = -1;

	answer.pid = fail_at(FAIL_FORK_SERVER_BEFORE_FORK) ? -1 : fork_with_pidfd(&pidfd);
	if (answer.pid == 0) {
		if (!be_shepherd(argv, name, launch))
			_exit(SHEPHERD_FAILED);
		return 0;
	}
	answer.failed = errno;
	fail_at(FAIL_FORK_SERVER_AFTER_FORK);
	fd_passing_send(SHEPHERD_SOCKET_FD, &answer, sizeof answer, pidfd);
	if (pidfd >= 0)
		close(pidfd);
	return answer.pid;
}

/* --- the loop of the fork server ------------------------------------------------------------------- */

/* Handles one request. Returns false if there will be no more requests. */
static bool hear(char **argv, bool *is_shepherd)
{
	char name[NAME_ROOM] = "";
	int launch = -1;
	ssize_t n = fd_passing_receive(SHEPHERD_SOCKET_FD, name, sizeof name - 1, &launch, 0);

	if (n <= 0 || is_left_alone())
		return false;
	*is_shepherd = create_shepherd(argv, name, launch) == 0;
	if (!*is_shepherd && launch >= 0)
		close(launch);
	return true;
}

/*
 * Implements SHEPHERD_FORK_SERVER (shepherd.h). Returns true in a new shepherd, which has its name and
 * descriptors, and false in the fork server when the scheduler is gone.
 */
static bool run_fork_server(char **argv)
{
	struct sigaction leave_to_kernel = {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDWAIT};
	struct pollfd file[] = {{.fd = SHEPHERD_SOCKET_FD, .events = POLLIN}, {.fd = -1, .events = POLLIN}};
	int64_t until_ms = now_ms() + QUICK_MS;
	bool is_shepherd = false;

	sigaction(SIGCHLD, &leave_to_kernel, NULL);
	file[1].fd = try_to_look_up();
	while (!is_shepherd) {
		poll(file, sizeof file / sizeof file[0], -1);
		if (file[1].revents != 0)
			file[1].fd = hear_of_look_up(file[1].fd, until_ms);
		if (file[0].revents != 0 && !hear(argv, &is_shepherd))
			return false;
	}
	return true;
}

/* --- the program that runs one job, independently of the scheduler ------------------------------------ */

#define WRITE_TRIES 50 /* number of attempts to write the end */

#define WRITE_EACH_MS 200

#define EPILOG_TRIES_MS INT64_C(300000) /* retry the epilog for this time if the host lacks resources */

#define EPILOG_PAUSE_MS INT64_C(10000) /* maximum pause between tries */

/* --- the end of the job ------------------------------------------------------------------------------- */

/*
 * Sets all signals to their default actions and blocks them: only KILL ends a shepherd. The C library
 * reserves two signals and does not allow changing their actions. The caller may nevertheless ignore them, so
 * the system call is used.
 */
static void reset_signals(void)
{
	static const uint64_t
		by_default[8]; /* the kernel's struct sigaction: handler, flags and mask are all zero */
	sigset_t all;

	for (int i = 1; i <= SIGRTMAX; i++)
		syscall(SYS_rt_sigaction, i, by_default, NULL, (size_t)SIGRTMAX / 8);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
}

/* Redirects standard input, output and error to /dev/null; closes all descriptors above `last`. */
static bool reset_files(int last)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	bool good = null >= 0;

	for (int fd = 0; good && fd <= STDERR_FILENO; fd++)
		good = dup2(null, fd) == fd;
	close_range((unsigned)last + 1, ~0U, 0);
	for (int fd = SHEPHERD_LAUNCH_FD; good && fd <= last; fd++)
		good = fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
	return good;
}

/* The OOM killer should choose the processes of the job, not the shepherd; only root can request that. */
static void lower_oom_score(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)!write(fd, "-900", 4);
	close(fd);
}

static bool leave_caller(int last_file)
{
	reset_signals();
	setsid(); /* fails if this process is already a session leader */
	umask(077);
	lower_oom_score();
	return reset_files(last_file) && as_leave_keys() && chdir("/") == 0 &&
	       prctl(PR_SET_NAME, SHEPHERD_PROGRAM) == 0;
}

/* --- orders from the scheduler ------------------------------------------------------------------------ */

/* Returns the bytes of the launch, which the decoded launch refers to; NULL: they cannot be read. */
static void *read_launch_file(size_t *size)
{
	char *bytes;
	struct stat st;
	ssize_t n = 1;

	*size = 0;
	if (fstat(SHEPHERD_LAUNCH_FD, &st) != 0 || st.st_size > (off_t)LAUNCH_MAX)
		return NULL;
	bytes = mem_alloc((size_t)st.st_size);
	while (n != 0 && *size < (size_t)st.st_size) {
		n = pread(SHEPHERD_LAUNCH_FD, bytes + *size, (size_t)st.st_size - *size, (off_t)*size);
		if (n < 0 && errno != EINTR) {
			free(bytes);
			return NULL;
		}
		*size += n > 0 ? (size_t)n : 0;
	}
	return bytes;
}

/* --- the program from start to exit ------------------------------------------------------------------- */

static bool write_begun(struct shepherd *s)
{
	struct spool_begun *begun = &s->begun;

	*begun = (struct spool_begun){.pid = s->self,
				      .pid_start = spool_pid_start(s->self),
				      .begun_s = system_clock_s(),
				      .level = s->cgroup.level,
				      .uid = s->launch.uid};
	s->ended.begun_s = begun->begun_s;
	return spool_set_list(begun->cpus, s->launch.cpus) &&
	       spool_set_list(begun->devices, s->launch.devices) && spool_boot_id(begun->boot_id, NULL) &&
	       spool_write_begun(s->spool, begun);
}

static void tell_end(const struct shepherd *s)
{
	const struct shepherd_end end = {.job = s->launch.job, .attempt = s->launch.attempt};

	if (s->ends >= 0)
		(void)!write(s->ends, &end, sizeof end);
}

static void sleep_ms(int64_t ms)
{
	const struct timespec a_while = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&a_while, NULL);
}

/*
 * Writes how the job ended. The space in the file was allocated at the beginning, so a failure may be
 * transient. The end is reported before the file is synced, because the scheduler makes the end durable
 * itself. If there is an epilog, the end is reported after it, because until then the resources of the job
 * are not free.
 */
static bool write_ended(struct shepherd *s)
{
	bool is_told = false;

	for (int i = 0; i < WRITE_TRIES; i++) {
		if (!fail_at(FAIL_SHEP_BEFORE_ENDED) && spool_write_ended(s->spool, &s->ended)) {
			if (!is_told && s->launch.epilog == NULL)
				tell_end(s);
			is_told = true;
			if (!fail_at(FAIL_SHEP_BEFORE_SYNC) && spool_sync(s->spool))
				return true;
		}
		sleep_ms(WRITE_EACH_MS);
	}
	return false;
}

/*
 * Writes the file with the nodes of the job. Returns false, with a transient failure as the end of the job,
 * if the host lacks resources. On a host where no folder is usable for it, jobs run without the file.
 */
static bool write_nodes(struct shepherd *s)
{
	struct err err;

	if (environ_write_nodes(&s->launch, &s->node_file) || !error_is_transient(errno))
		return true;
	err_set(&err, "the list of its nodes (PBS_NODEFILE) cannot be written: %s", strerror(errno));
	s->ended.reason = END_TRY_AGAIN;
	s->ended.status = SPOOL_NEVER_RAN;
	err_shorten(s->ended.text, sizeof s->ended.text, err.text);
	return false;
}

static bool run_prolog(struct shepherd *s)
{
	enum end_reason kind;
	struct err err;

	if (s->launch.prolog == NULL || site_run(s, s->launch.prolog, &kind, &err))
		return true;
	s->ended.reason = kind;
	s->ended.status = SPOOL_NEVER_RAN;
	err_shorten(s->ended.text, sizeof s->ended.text, err.text);
	return false;
}

/* Adds to the record of the end that the epilog did not run, and why. */
static void note_epilog(struct shepherd *s, const char *why)
{
	struct err err;

	err_set(&err, "%s%sthe epilog did not run: %s", s->ended.text, s->ended.text[0] != '\0' ? "; " : "",
		why);
	err_shorten(s->ended.text, sizeof s->ended.text, err.text);
	spool_write_ended(s->spool, &s->ended);
	spool_sync(s->spool);
}

/*
 * Runs the epilog. The next job will use the processors that the epilog cleans up, so the epilog is retried
 * while the host lacks processes or memory. If it does not run at all, this is recorded in the end of the
 * job.
 */
static void run_epilog(struct shepherd *s)
{
	enum end_reason kind;
	struct err err;

	int64_t until_ms = now_ms() + EPILOG_TRIES_MS, pause_ms = 100;

	while (!site_run(s, s->launch.epilog, &kind, &err)) {
		if (kind == END_PROLOG) /* the epilog ran and failed, which the site must handle itself */
			return;
		if (kind != END_TRY_AGAIN || now_ms() + pause_ms > until_ms) {
			note_epilog(s, err.text);
			return;
		}
		sleep_ms(pause_ms);
		pause_ms = pause_ms * 2 < EPILOG_PAUSE_MS ? pause_ms * 2 : EPILOG_PAUSE_MS;
	}
}

/* Reports that the job could not begin; the scheduler uses the error to decide whether to retry it. */
static int refuse_begin(const struct shepherd *s, int why)
{
	const struct shepherd_end end = {
		.job = s->launch.job, .attempt = s->launch.attempt, .failed = why != 0 ? why : EIO};

	if (s->ends >= 0)
		(void)!write(s->ends, &end, sizeof end);
	return SHEPHERD_FAILED;
}

static bool share_progress(struct shepherd *s)
{
	void *at = mmap(NULL, sizeof *s->progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	s->progress = at == MAP_FAILED ? NULL : at;
	return s->progress != NULL;
}

static int live(struct shepherd *s)
{
	bool is_written;

	s->signals = shepherd_listen();
	if (s->signals < 0 || !share_progress(s) || !write_begun(s)) {
		int why = errno;

		spool_remove(s->folder, s->launch.job, s->launch.attempt, NULL);
		return refuse_begin(s, why);
	}
	fail_at(FAIL_SHEP_AFTER_BEGUN);
	usage_begin(s);
	if (write_nodes(s) && run_prolog(s))
		shepherd_run_job(s);
	node_file_remove(&s->node_file);
	if (s->ended.ended_s == 0)
		s->ended.ended_s = system_clock_s();
	usage_end(s);
	is_written = write_ended(s);
	fail_at(FAIL_SHEP_AFTER_ENDED);
	pam_leave(s);
	if (s->launch.epilog != NULL) {
		run_epilog(s);
		if (is_written)
			tell_end(s);
	}
	return is_written ? SHEPHERD_DONE : SHEPHERD_FAILED;
}

static int take_job(struct shepherd *s)
{
	int status;

	s->spool = fail_at(FAIL_SHEP_BEFORE_LOCK) ? -1
						  : spool_create(s->folder, s->launch.job, s->launch.attempt);
	if (s->spool < 0)
		return errno == EEXIST || errno == ESTALE ? SHEPHERD_NOT_IT : refuse_begin(s, errno);
	fail_at(FAIL_SHEP_AFTER_LOCK);
	cgroup_make(&s->cgroup, &s->launch);
	status = live(s);
	cgroup_remove(&s->cgroup);
	if (s->waiter >= 0)
		waiter_tell(s->waiter, &s->ended);
	tree_free(&s->tree);
	return status;
}

/* Runs one shepherd: from here on, all orphaned descendants become its children. Returns the exit status. */
static int run_shepherd(int ends)
{
	struct shepherd s = {.folder = SHEPHERD_FOLDER_FD,
			     .self = getpid(),
			     .channel = -1,
			     .relay = -1,
			     .hand = -1,
			     .waiter = -1,
			     .shares = -1,
			     .ends = ends,
			     .kill_at_ms = INT64_MAX,
			     .session_until_ms = INT64_MAX};
	void *bytes, *room = NULL;
	size_t size;
	int status = SHEPHERD_FAILED;

	if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 || (bytes = read_launch_file(&size)) == NULL)
		return SHEPHERD_FAILED;
	if (launch_read(bytes, size, &s.launch, &room, NULL) && s.launch.wall_limit_s > 0)
		status = take_job(&s);
	free(room);
	free(bytes);
	return status;
}

int main(int argc, char **argv)
{
	if (argc > 5 && strcmp(argv[1], SHEPHERD_AS) == 0)
		return as_user(argv[2], argv[3], argv[4], argv + 5);
	if (argc < 3 || strcmp(argv[1], SHEPHERD_FORK_SERVER) != 0)
		return leave_caller(SHEPHERD_FOLDER_FD) ? run_shepherd(-1) : SHEPHERD_FAILED;
	if (!leave_caller(SHEPHERD_ENDS_FD))
		return SHEPHERD_FAILED;
	return run_fork_server(argv) ? run_shepherd(SHEPHERD_ENDS_FD) : SHEPHERD_DONE;
}
