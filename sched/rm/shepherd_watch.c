/* SPDX-License-Identifier: MIT */
/*
 * shepherd_watch.c - supervision of a job until its last process has exited
 *
 * The shepherd waits in one poll() for four descriptors: signals (exits and orders), a timer set to the next
 * due time, the channel from the child, which is closed when the child executes the job's program, and the
 * relay, if a client is waiting. The child reports errors through the channel. If the waiting client is lost,
 * the job is ended as if its terminal were lost: it gets HUP, and is then ended like a cancelled job.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sched/base/failpoint.h"
#include "shepherd_inside.h"
#include "system_clock.h"
#include "transient.h"
#include "trusted.h"
#include "waiter.h"

/* --- termination of the processes of a job ------------------------------------------------------------ */

/*
 * Orphaned processes of the job become children of the shepherd, so the job is over exactly when waitpid()
 * finds no child. The exit status of the job is that of its first process; when this process exits, the
 * remaining ones are ended.
 */

#define KILL_BOUND_MS 5000

#define KILL_EACH_MS 20

#define REAPS_MAX 256 /* maximum per call, because a job can create processes as fast as they are reaped */

static void note_end_of_leader(struct shepherd *s, int status)
{
	fail_at(FAIL_SHEP_AFTER_WAIT);
	s->leader_ended = true;
	s->ended.status = WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}

/*
 * If a process asks its parent, the shepherd, to trace it (PTRACE_TRACEME), the shepherd detaches from it.
 * Repeated requests would keep the shepherd busy, so after STOPS_MAX requests in a second, each requesting
 * process is killed.
 */
#define STOPS_MAX 100 /* requests per second, of all processes of the job */

static void end_tracing(struct shepherd *s, pid_t pid, int signal)
{
	int64_t second = now_ms() / 1000;

	if (second != s->stops_at) {
		s->stops_at = second;
		s->stops = 0;
	}
	if (++s->stops > STOPS_MAX)
		kill(pid, SIGKILL);
	ptrace(PTRACE_DETACH, pid, NULL, (void *)(intptr_t)signal);
}

bool shepherd_reap(struct shepherd *s)
{
	pid_t pid = 1;
	int status;

	for (int i = 0; i < REAPS_MAX && pid > 0; i++) {
		pid = waitpid(-1, &status, WNOHANG);
		if (pid > 0 && WIFSTOPPED(status))
			end_tracing(s, pid, WSTOPSIG(status));
		else if (pid > 0 && pid == s->leader && !s->leader_ended)
			note_end_of_leader(s, status);
	}
	s->more_to_reap = pid > 0;
	return pid >= 0;
}

/* Waits until a child exits, at most the given time. */
static void shepherd_wait_for_death(int64_t at_most_ms)
{
	struct timespec limit = {.tv_sec = (time_t)(at_most_ms / 1000),
				 .tv_nsec = (long)(at_most_ms % 1000) * 1000000};
	sigset_t death;

	sigemptyset(&death);
	sigaddset(&death, SIGCHLD);
	sigtimedwait(&death, NULL, &limit);
}

uint32_t shepherd_kill_all(struct shepherd *s)
{
	int64_t until_ms = now_ms() + KILL_BOUND_MS;

	while (shepherd_reap(s)) {
		if (now_ms() >= until_ms)
			return tree_living(&s->tree);
		cgroup_kill(&s->cgroup);
		tree_signal(&s->tree, SIGKILL);
		shepherd_wait_for_death(KILL_EACH_MS);
	}
	return 0;
}

/* Resumes all processes, including those that were stopped in another way, and the clock. */
static void resume_job(struct shepherd *s)
{
	cgroup_freeze(&s->cgroup, false);
	tree_signal(&s->tree, SIGCONT);
	if (s->suspended)
		clock_resume(&s->clock, now_ms());
	s->suspended = false;
	usage_show_soon(s);
}

/* Stops or resumes all processes and the clock. */
static void shepherd_suspend(struct shepherd *s, bool suspends)
{
	if (suspends == s->suspended || s->kill_at_ms != INT64_MAX)
		return;
	if (!suspends) {
		resume_job(s);
		return;
	}
	clock_stop(&s->clock, now_ms());
	if (!cgroup_freeze(&s->cgroup, true))
		tree_signal(&s->tree, SIGSTOP);
	s->suspended = true;
	usage_show_soon(s);
}

/*
 * Binds the job to the processors in the file that the scheduler has written (spool.h). KAHU_CPUS in the
 * environment of its processes still names the processors of the start.
 */
static void shepherd_rebind(struct shepherd *s)
{
	char cpus[SPOOL_LIST];

	if (!spool_take_cpus(s->folder, s->launch.job, s->launch.attempt, cpus))
		return;
	cgroup_bind(&s->cgroup, cpus);
	if (!tree_bind(&s->tree, cpus))
		return;
	spool_set_list(s->begun.cpus, cpus);
	spool_write_begun(s->spool, &s->begun);
}

/*
 * Is there a child that does not run as the job's user yet? Requests of a user must not reach such a process
 * of root, which may be inside PAM.
 */
static bool shepherd_is_entering(const struct shepherd *s)
{
	return s->leader > 0 && !s->leader_ended && s->progress->user_since_ms == 0;
}

/* Sends a postponed TERM, if there is one and the child runs as the job's user. */
static void shepherd_pay_term(struct shepherd *s)
{
	if (!s->owes_term || shepherd_is_entering(s))
		return;
	s->owes_term = false;
	tree_signal(&s->tree, SIGTERM);
	resume_job(s);
}

static int64_t grace_ms(const struct shepherd *s);

/*
 * Ends the job: sends TERM to all processes, and KILL after the grace period, which may be 0. If there are
 * several reasons, the first one is recorded. TERM is postponed while the child does not run as the job's
 * user yet.
 */
static void shepherd_stop(struct shepherd *s, enum end_reason reason, int64_t grace_ms)
{
	int64_t kill_at_ms = now_ms() + grace_ms;

	if (s->kill_at_ms == INT64_MAX) {
		if (!s->leader_ended)
			s->ended.reason = reason;
		s->owes_term = grace_ms > 0;
		s->progress->ends = true;
		shepherd_pay_term(s);
	}
	if (kill_at_ms < s->kill_at_ms)
		s->kill_at_ms = kill_at_ms;
}

/* --- prolog and epilog of the site -------------------------------------------------------------------- */

/*
 * Prolog and epilog run as the scheduler's user; their environment contains only variables that describe the
 * job, and PATH. The shepherd waits for them with a time limit. Processes that they leave behind are killed,
 * because every descendant of the shepherd counts as a process of the job.
 */

#define SITE_LIMIT_MS INT64_C(120000)

#define NOT_RUN 127 /* exit status of shells for a program that cannot be run */

static _Noreturn void become_program(const struct shepherd *s, const char *program)
{
	const char *argv[] = {program, NULL};
	struct settings settings = {.count = 0};
	char uid[16];
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	umask(022);
	environ_set(&settings, "PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
	environ_add_job(&s->launch, &settings);
	snprintf(uid, sizeof uid, "%" PRIu32, s->launch.uid);
	environ_set(&settings, "KAHU_UID", uid);
	if (s->launch.user != NULL)
		environ_set(&settings, "KAHU_USER", s->launch.user);
	s->progress->execs = true;
	execve(program, (char *const *)(uintptr_t)argv, settings.item);
	s->progress->failed = errno;
	s->progress->execs = false;
	_exit(NOT_RUN);
}

static bool judge(const char *program, int status, struct err *err)
{
	if (WIFSIGNALED(status))
		return err_set(err, "%s was ended by signal %d", program, WTERMSIG(status));
	return WEXITSTATUS(status) == 0 ||
	       err_set(err, "%s ended with status %d", program, WEXITSTATUS(status));
}

bool site_wait(const char *program, pid_t pid, int64_t limit_ms, struct err *err)
{
	int64_t until_ms = now_ms() + limit_ms;
	int status;
	pid_t ended;

	while ((ended = waitpid(pid, &status, WNOHANG)) == 0) {
		if (now_ms() >= until_ms)
			return err_set(err, "%s did not end within %" PRId64 " s and was killed", program,
				       limit_ms / 1000);
		shepherd_wait_for_death(until_ms - now_ms());
	}
	return ended == pid ? judge(program, status, err)
			    : err_set(err, "the exit status of %s is unknown: %s", program, strerror(errno));
}

/*
 * Sets the message and kind of a program that could not be run. why = 0: the child died before it could call
 * execve(), for example because there was no memory for it.
 */
static bool refuse_run(const char *program, int why, enum end_reason *kind, struct err *err)
{
	*kind = why == 0 || error_is_transient(why) ? END_TRY_AGAIN : END_HOST_FAULT;
	return why == 0 ? err_prefix(err, "the child process failed before it executed the program")
			: err_set(err, "%s could not be run: %s", program, strerror(why));
}

/* Orders that arrive while the program is running remain queued. */
bool site_run(struct shepherd *s, const char *program, enum end_reason *kind, struct err *err)
{
	pid_t pid;
	bool good;

	if (!trusted_program(program, err)) {
		*kind = error_is_transient(errno) ? END_TRY_AGAIN : END_HOST_FAULT;
		return false;
	}
	*s->progress = (struct progress){.execs = false};
	pid = fork();
	if (pid == 0)
		become_program(s, program);
	if (pid < 0)
		return refuse_run(program, errno, kind, err);
	good = site_wait(program, pid, SITE_LIMIT_MS, err);
	*kind = END_PROLOG;
	if (!good && !s->progress->execs)
		refuse_run(program, s->progress->failed, kind, err);
	shepherd_kill_all(s);
	return good;
}

/* --- supervision of a job until its last process has exited ------------------------------------------- */

#define ORDER_COUNT (SHEPHERD_LIMIT + 1)

#define AT_ONCE 16 /* maximum number of signals per read */

#define READS_MAX 64 /* maximum number of reads before other work is done */

/*
 * Time after which a child that has reported a failure is killed. It exits at once unless descriptors from a
 * waiting client delay it.
 */
#define GIVEN_UP_MS 1000

/*
 * Interval of checks whether the child runs as the job's user, so that postponed orders can be carried out.
 */
#define ENTER_LOOK_MS 20

/*
 * The charge for a signal, as a multiple of the time that sending it took: sending signals uses at most a
 * twentieth of a processor.
 */
#define SIGNAL_SHARE 20

/* --- orders ------------------------------------------------------------------------------------------- */

int shepherd_listen(void)
{
	sigset_t heard;

	sigemptyset(&heard);
	sigaddset(&heard, SIGCHLD);
	for (int order = 0; order < ORDER_COUNT; order++)
		sigaddset(&heard, SIGRTMIN + order);
	return signalfd(-1, &heard, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int64_t grace_ms(const struct shepherd *s)
{
	return clock_ms(s->launch.grace_s);
}

static void set_limit(struct shepherd *s, int64_t limit_s)
{
	s->launch.wall_limit_s = limit_s;
	clock_set_limit(&s->clock, limit_s);
	s->warned = false;
}

static void obey(struct shepherd *s, enum shepherd_order order, int32_t number)
{
	switch (order) {
	case SHEPHERD_CANCEL:
		shepherd_stop(s, END_CANCELLED, number == 1 ? 0 : grace_ms(s));
		break;
	case SHEPHERD_SIGNAL:
		signal_queue_add(&s->requested, number);
		break;
	case SHEPHERD_SUSPEND:
		s->suspends = true;
		s->releases = s->releases || number == 1;
		break;
	case SHEPHERD_RESUME:
		s->suspends = false;
		s->rebinds = s->rebinds || number == 1;
		break;
	case SHEPHERD_LIMIT:
		if (number > 0)
			set_limit(s, number);
		break;
	}
}

/*
 * Is the signal an order of the scheduler or of root? Other real-time signals are ignored. An order for which
 * the kernel's queue was full arrives like one from kill(), without its value (SI_USER).
 */
static bool is_order(const struct signalfd_siginfo *info)
{
	return info->ssi_signo >= (uint32_t)SIGRTMIN &&
	       (info->ssi_code == SI_QUEUE || info->ssi_code == SI_USER) &&
	       (info->ssi_uid == 0 || info->ssi_uid == getuid());
}

/*
 * Returns the value of an order. For a resume order without a value, returns 1: spool_take_cpus() shows
 * whether there are new processors.
 */
static int32_t number_of(const struct signalfd_siginfo *info)
{
	if (info->ssi_code == SI_QUEUE)
		return info->ssi_int;
	return (int)info->ssi_signo == SIGRTMIN + SHEPHERD_RESUME ? 1 : 0;
}

/*
 * Carries out suspend and resume orders. Of several orders that were read together, only the last one counts,
 * because each is a walk over all processes. The orders are postponed while the child does not run as the
 * job's user yet.
 */
static void stop_or_resume(struct shepherd *s)
{
	if (s->leader == 0 || shepherd_is_entering(s))
		return;
	if (s->rebinds)
		shepherd_rebind(s);
	if (s->suspends && s->releases && s->kill_at_ms != INT64_MAX)
		shepherd_stop(s, s->ended.reason, 0);
	s->rebinds = s->releases = false;
	shepherd_suspend(s, s->suspends);
}

static void hear_orders(struct shepherd *s)
{
	struct signalfd_siginfo info[AT_ONCE];
	ssize_t n = 1;

	for (int reads = 0; reads < READS_MAX && n > 0; reads++) {
		n = read(s->signals, info, sizeof info);
		for (size_t i = 0; n > 0 && i < (size_t)n / sizeof info[0]; i++)
			if (is_order(&info[i]))
				obey(s, (enum shepherd_order)((int)info[i].ssi_signo - SIGRTMIN),
				     number_of(&info[i]));
	}
	stop_or_resume(s);
}

/*
 * Sends a signal to all processes, and charges the signal queue for the time that this took, because the user
 * may have created many processes.
 */
static void send_signal(struct shepherd *s, int number)
{
	int64_t began_ms = now_ms(), ended_ms;

	s->signalled = true;
	tree_signal(&s->tree, number);
	ended_ms = now_ms();
	signal_queue_charge(&s->requested, ended_ms, (ended_ms - began_ms) * SIGNAL_SHARE);
}

static void send_requested(struct shepherd *s)
{
	int number;

	while (!shepherd_is_entering(s) && (number = signal_queue_next(&s->requested, now_ms())) != 0) {
		signal_queue_remove(&s->requested);
		send_signal(s, number);
	}
}

static bool may_signal(const struct shepherd *s)
{
	return !shepherd_is_entering(s) && signal_queue_moment_ms(&s->requested) <= now_ms();
}

/* Reads the messages of the waiting client. While the client exceeds the signal rate, nothing is read. */
static void hear_waiter(struct shepherd *s)
{
	int signal_number;

	while (s->waiter >= 0 && may_signal(s)) {
		switch (waiter_listen_to(s->waiter, &signal_number)) {
		case WAITER_SILENT:
			return;
		case WAITER_SIGNAL:
			send_signal(s, signal_number);
			break;
		case WAITER_GONE:
			waiter_leave(s->waiter);
			s->waiter = -1;
			tree_signal(&s->tree, SIGHUP);
			shepherd_stop(s, END_CANCELLED, grace_ms(s));
			break;
		}
	}
}

/* --- the child ---------------------------------------------------------------------------------------- */

static void not_started(struct shepherd *s, enum end_reason reason, const char *why)
{
	if (s->ended.reason == END_EXITED)
		s->ended.reason = reason;
	s->ended.status = SPOOL_NEVER_RAN;
	err_shorten(s->ended.text, sizeof s->ended.text, why);
}

/* Records that the job could not be started because a system call failed, with errno set. */
static void note_failure(struct shepherd *s, const char *what)
{
	int why = errno;
	struct err err;

	err_set(&err, "%s: %s", what, strerror(why));
	not_started(s, error_is_transient(why) ? END_TRY_AGAIN : END_NOT_STARTED, err.text);
}

#define USER_SETUP_MS "5000" /* a start that fails later than this is not retried */

/*
 * Has the start failed too late to be retried? A start that is retried is not charged. Once the child runs as
 * the user, that user can stop it, block it in a FUSE file system, and kill it later; each such start would
 * hold processors without a charge. So a start that fails late counts as the job's own failure.
 */
static bool fails_late(const struct shepherd *s)
{
	int64_t since_ms = s->progress->user_since_ms;

	return since_ms != 0 &&
	       now_ms() - since_ms > strtoll(fail_path("KAHU_USER_SETUP_MS", USER_SETUP_MS), NULL, 10);
}

/*
 * Returns the reason to record for a failed start. It is not retried if it failed late, or if a waiting
 * client has already seen it fail, because a second start could not reach that client.
 */
static enum end_reason final_reason(const struct shepherd *s, enum end_reason reason)
{
	return s->waiter < 0 && !fails_late(s) ? reason : END_NOT_STARTED;
}

/*
 * Handles a message from the child. The first byte is the kind of the message and, for a failure, its cause.
 */
static void read_child_message(struct shepherd *s, const char *text)
{
	enum end_reason reason = text[0] == CHILD_TRY_AGAIN    ? END_TRY_AGAIN
				 : text[0] == CHILD_HOST_FAULT ? END_HOST_FAULT
							       : END_NOT_STARTED;

	s->session_until_ms = INT64_MAX;
	if (text[0] == CHILD_REACHED) {
		s->waiter = s->relay;
		s->relay = -1;
		return;
	}
	if (text[0] == CHILD_ENTERED)
		return;
	not_started(s, final_reason(s, reason), text + 1);
	if (s->kill_at_ms > now_ms() + GIVEN_UP_MS)
		s->kill_at_ms = now_ms() + GIVEN_UP_MS;
}

static void hear_child(struct shepherd *s)
{
	char text[1 + SPOOL_TEXT];
	ssize_t n = 1;

	while (s->channel >= 0 && n > 0) {
		n = recv(s->channel, text, sizeof text - 1, MSG_DONTWAIT);
		if (n > 0) {
			text[n] = '\0';
			read_child_message(s, text);
		} else if (n == 0) {
			close(s->channel);
			s->channel = -1;
		}
	}
}

static _Noreturn void be_child(const struct shepherd *s, int channel)
{
	struct err err = {""};
	char text[1 + SPOOL_TEXT];
	enum end_reason reason = child_become_job(s, channel, &err);

	text[0] = CHILD_GIVES_UP;
	if (reason == END_TRY_AGAIN)
		text[0] = CHILD_TRY_AGAIN;
	else if (reason == END_HOST_FAULT)
		text[0] = CHILD_HOST_FAULT;
	err_shorten(text + 1, sizeof text - 1, err.text);
	(void)!send(channel, text, strlen(text), MSG_NOSIGNAL);
	_exit(SPOOL_NEVER_RAN);
}

/*
 * Creates the child inside its cgroup (CLONE_INTO_CGROUP). Moving it later would be the most expensive step
 * of a start, because the kernel blocks all forks for tens of milliseconds meanwhile. If CLONE_INTO_CGROUP is
 * not supported, the child moves itself.
 */
static pid_t fork_into_cgroup(struct cgroup *c)
{
	struct clone_args args = {
		.flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD, .cgroup = (unsigned)c->folder};
	pid_t pid;

	c->born_in = true;
	pid = c->level == HOLD_NONE ? -1 : (pid_t)syscall(SYS_clone3, &args, sizeof args);
	if (pid >= 0)
		return pid;
	c->born_in = false;
	return fork();
}

/*
 * Records the failure of a child that died during its setup without a message. A lack of memory (the child
 * aborts, see vec.h, or the kernel kills it) or a full channel is transient. Any other signal or status is
 * caused by a library or PAM module that will fail again. But once the child runs as the user, who can send
 * it any signal, the failure counts as the job's own.
 */
static void judge_silent_death(struct shepherd *s)
{
	int signal_number = s->ended.status > 256 ? s->ended.status - 256 : 0;
	bool passes =
		signal_number == SIGABRT || signal_number == SIGKILL || s->ended.status == SPOOL_NEVER_RAN;
	struct err err;

	if (s->leader <= 0 || !s->leader_ended || s->progress->execs || s->signalled ||
	    s->ended.reason != END_EXITED)
		return;
	if (signal_number != 0)
		err_set(&err, "its process was ended by signal %d (%s) before its program began",
			signal_number, strsignal(signal_number));
	else
		err_set(&err, "its process ended with status %d before its program began",
			(int)s->ended.status);
	not_started(s,
		    final_reason(s, passes                            ? END_TRY_AGAIN
				    : s->progress->user_since_ms != 0 ? END_NOT_STARTED
								      : END_HOST_FAULT),
		    err.text);
}

/* Creates the relay if a client is waiting. Returns false on failure, with the reason recorded. */
static bool make_relay(struct shepherd *s)
{
	if (s->launch.waiter == NULL)
		return true;
	if (!shepherd_may_relay((uid_t)s->launch.uid)) {
		not_started(
			s, END_NOT_STARTED,
			"too many kahu-relay processes of this user cannot exit; remove what blocks them, "
			"such as a hanging FUSE file system");
		return false;
	}
	if (shepherd_relay(&s->launch, &s->relay, &s->hand))
		return true;
	note_failure(s, "the relay to its waiting client could not be created");
	return false;
}

/* Creates the child. Returns false if there is none, with the reason recorded. */
static bool make_child(struct shepherd *s)
{
	int pair[2];

	*s->progress = (struct progress){.execs = false};

	if (!make_relay(s))
		return false;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
		note_failure(s, "cannot create a channel to its process");
		return false;
	}
	if (pam_is_used(&s->launch))
		s->session_until_ms = now_ms() + pam_limit_ms();
	s->leader = fail_at(FAIL_SHEP_BEFORE_FORK) ? -1 : fork_into_cgroup(&s->cgroup);
	if (s->leader == 0)
		be_child(s, pair[1]);
	if (s->leader < 0)
		note_failure(s, "cannot create a process for it");
	fail_at(FAIL_SHEP_AFTER_FORK);
	close(pair[1]);
	if (s->hand >= 0)
		close(s->hand);
	s->hand = -1;
	s->channel = pair[0];
	return s->leader > 0;
}

/* --- waiting ------------------------------------------------------------------------------------------ */

static bool is_told_to_end(const struct shepherd *s)
{
	return s->kill_at_ms != INT64_MAX;
}

static int64_t warn_moment(const struct shepherd *s)
{
	return s->warned || s->launch.warn_signal == 0 ? INT64_MAX
						       : clock_moment(&s->clock, s->launch.warn_s);
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/*
 * Returns the time at which the processes of the job are killed. Opening a session has its own time limit,
 * because a half-opened session cannot be undone.
 */
static int64_t kill_moment(const struct shepherd *s)
{
	return shepherd_is_entering(s) && s->session_until_ms != INT64_MAX ? INT64_MAX : s->kill_at_ms;
}

static int64_t next_moment(const struct shepherd *s)
{
	int64_t at_ms = earlier(earlier(s->look_at_ms, s->kill_at_ms), s->session_until_ms);

	if (s->more_to_reap)
		return now_ms();
	if (shepherd_is_entering(s))
		return earlier(earlier(s->look_at_ms, kill_moment(s)),
			       earlier(s->session_until_ms, now_ms() + ENTER_LOOK_MS));
	if (s->requested.count > 0 || (s->waiter >= 0 && !may_signal(s)))
		at_ms = earlier(at_ms, signal_queue_moment_ms(&s->requested));
	return is_told_to_end(s) ? at_ms
				 : earlier(at_ms, earlier(warn_moment(s), clock_moment(&s->clock, 0)));
}

/* Carries out what is due: time limits, warnings and measurements. */
static void act(struct shepherd *s)
{
	int64_t at_ms = now_ms();

	if (at_ms >= s->session_until_ms) {
		struct err err;

		s->session_until_ms = INT64_MAX;
		err_set(&err, "PAM did not open a session for the job within %" PRId64 " s",
			pam_limit_ms() / 1000);
		shepherd_stop(s, END_HOST_FAULT, 0);
		not_started(s, END_HOST_FAULT, err.text);
	}
	if (s->leader_ended)
		shepherd_stop(s, END_EXITED, grace_ms(s));
	if (!is_told_to_end(s) && at_ms >= clock_moment(&s->clock, 0))
		shepherd_stop(s, END_WALL_LIMIT, grace_ms(s));
	if (!is_told_to_end(s) && !shepherd_is_entering(s) && at_ms >= warn_moment(s)) {
		tree_warn(&s->tree, (int)s->launch.warn_signal);
		s->warned = true;
	}
	if (usage_look(s, at_ms) && !is_told_to_end(s))
		shepherd_stop(s, END_MEM_LIMIT, 0);
}

static void sleep_until(const struct shepherd *s, int timer, int64_t at_ms)
{
	bool hears = may_signal(s);
	struct itimerspec due = {.it_value = {.tv_sec = (time_t)(at_ms / 1000),
					      .tv_nsec = (long)(at_ms % 1000) * 1000000 + 1}};
	struct pollfd files[] = {{.fd = s->signals, .events = POLLIN},
				 {.fd = timer, .events = POLLIN},
				 {.fd = s->channel, .events = POLLIN},
				 {.fd = hears ? s->waiter : -1, .events = POLLIN}};

	timerfd_settime(timer, TFD_TIMER_ABSTIME, &due, NULL);
	poll(files, sizeof files / sizeof files[0], -1);
}

static void watch(struct shepherd *s, int timer)
{
	while (shepherd_reap(s)) {
		act(s);
		if (now_ms() >= kill_moment(s)) {
			s->ended.survivors = shepherd_kill_all(s);
			break;
		}
		sleep_until(s, timer, next_moment(s));
		hear_child(s);
		hear_orders(s);
		shepherd_pay_term(s);
		send_requested(s);
		hear_waiter(s);
	}
	hear_child(s);
	/* The job has used its processors until its last process exited, and is charged for that time. */
	s->ended.ended_s = system_clock_s();
	s->ended.run_ms = clock_ran_ms(&s->clock, now_ms());
}

/* Starts the job and supervises it, unless an order to cancel it arrived during the prolog. */
static void start(struct shepherd *s, int timer)
{
	hear_orders(s);
	if (is_told_to_end(s)) {
		s->ended.status = 256 + SIGTERM;
		return;
	}
	s->ended.begun_s = system_clock_s();
	clock_start(&s->clock, s->launch.wall_limit_s, now_ms());
	usage_begin(s);
	if (make_child(s))
		watch(s, timer);
}

void shepherd_run_job(struct shepherd *s)
{
	int timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);

	if (timer < 0) {
		note_failure(s, "cannot create a timer for its wallclock limit");
		return;
	}
	start(s, timer);
	close(timer);
	if (s->channel >= 0)
		close(s->channel);
	s->channel = -1;
	if (s->ended.reason == END_NOT_STARTED || s->ended.reason == END_TRY_AGAIN ||
	    s->ended.reason == END_HOST_FAULT)
		s->ended.status = SPOOL_NEVER_RAN;
	else if (s->leader > 0 && !s->leader_ended)
		s->ended.status = 256 + SIGKILL; /* the first process could not be killed */
	if (s->ended.reason == END_EXITED && cgroup_ran_out_of_memory(&s->cgroup))
		s->ended.reason = END_MEM_LIMIT;
	judge_silent_death(s);
}
