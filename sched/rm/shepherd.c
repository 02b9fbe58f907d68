/* SPDX-License-Identifier: MIT */
/*
 * shepherd.c - the program that runs one job, independently of the scheduler
 *
 * The life of the program: it leaves everything of its caller (or the nursery has), reads what is to be run,
 * makes the spool file (who makes it, runs the job), runs prolog, job and epilog, and leaves behind how it
 * ended. The end is written before the epilog: nothing that the site's program does can lose it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "sched/base/failpoint.h"
#include "sched/base/vec.h"
#include "shepherd_inside.h"
#include "system_clock.h"
#include "transient.h"
#include "waiter.h"

#define WRITE_TRIES   50 /* of the end */
#define WRITE_EACH_MS 200

#define EPILOG_TRIES_MS INT64_C(300000) /* while what it needs is short */
#define EPILOG_PAUSE_MS INT64_C(10000)  /* the longest between two of them */

/* --- what it leaves ---------------------------------------------------------------------------- */

/*
 * All signals stay blocked: nobody ends a shepherd but by KILL. The C library keeps two signals to itself and
 * lets nobody set them; who started us may have them ignored all the same, so the kernel is asked.
 */
static void reset_signals(void)
{
	static const uint64_t by_default[8]; /* as the kernel has it: handler, flags, mask are all zero */
	sigset_t all;

	for (int i = 1; i <= SIGRTMAX; i++)
		syscall(SYS_rt_sigaction, i, by_default, NULL, (size_t)SIGRTMAX / 8);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
}

/* Standard input, output and errors lead nowhere; beyond our own descriptors nothing stays open. */
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

/* When memory ends the kernel kills what uses it, not what counts it; only root may say so. */
static void ask_to_be_spared(void)
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
	setsid(); /* fails when it leads one already */
	umask(077);
	ask_to_be_spared();
	return reset_files(last_file) && as_leave_keys() && chdir("/") == 0 &&
	       prctl(PR_SET_NAME, SHEPHERD_PROGRAM) == 0;
}

/* --- what it is told --------------------------------------------------------------------------- */

/* The bytes of the launch, which it points into; NULL: they cannot be read. */
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

/* --- its life ---------------------------------------------------------------------------------- */

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
 * Its room on the disk is there since the beginning, so what fails now may pass. The scheduler makes an end
 * durable itself, and need not wait until it is on the disk here as well. With an epilog the place of the job
 * is not free before that has run.
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

/* A shortage that passes is waited for; a host without a folder for the list runs its jobs without it. */
static bool write_nodes(struct shepherd *s)
{
	struct err err;

	if (environ_write_nodes(&s->launch, s->node_file, sizeof s->node_file) || !error_is_transient(errno))
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

/* Written over what is there, so only where there is something to add. */
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
 * What the epilog cleans up belongs to the next job's processors as well, so a shortage of processes or
 * memory, which passes, is waited for. Without the epilog the end of the job says so.
 */
static void run_epilog(struct shepherd *s)
{
	enum end_reason kind;
	struct err err;

	int64_t until_ms = now_ms() + EPILOG_TRIES_MS, pause_ms = 100;

	while (!site_run(s, s->launch.epilog, &kind, &err)) {
		if (kind == END_PROLOG) /* it ran and failed: that is the site's own affair */
			return;
		if (kind != END_TRY_AGAIN || now_ms() + pause_ms > until_ms) {
			note_epilog(s, err.text);
			return;
		}
		sleep_ms(pause_ms);
		pause_ms = pause_ms * 2 < EPILOG_PAUSE_MS ? pause_ms * 2 : EPILOG_PAUSE_MS;
	}
}

/* Nothing of the job has begun: the scheduler decides by the error what becomes of it. */
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
	if (s->node_file[0] != '\0')
		unlink(s->node_file);
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

/* From here on all processes that lose their parent below it are its own. */
static int tend(int ends)
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
	if (argc < 3 || strcmp(argv[1], SHEPHERD_NURSERY) != 0)
		return leave_caller(SHEPHERD_FOLDER_FD) ? tend(-1) : SHEPHERD_FAILED;
	if (!leave_caller(SHEPHERD_ENDS_FD))
		return SHEPHERD_FAILED;
	return nursery_live(argv) ? tend(SHEPHERD_ENDS_FD) : SHEPHERD_DONE;
}
