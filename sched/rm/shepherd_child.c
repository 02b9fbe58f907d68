/* SPDX-License-Identifier: MIT */
/*
 * shepherd_child.c - the child process that becomes the user's job
 *
 * Step by step, each with its sentence. While it is root: its cgroup, its processors, a session, its bounds.
 * Then groups, gid, uid, in this order, for after the uid nothing else could be given up; and a check that
 * it cannot come back. Only then is anything of the user's touched: his folder, his files, his program.
 *
 * The spool file is closed first of all: its lock must not outlive the shepherd in a child that hangs
 * in a dead file system. All but the channel is closed before a path of the user is opened.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptors.h"
#include "facts.h"
#include "membership.h"
#include "orphans.h"
#include "passing.h"
#include "sched/base/failpoint.h"
#include "sched/base/vec.h"
#include "shepherd_inside.h"
#include "transient.h"

#define SCRIPT_FD   100 /* where a script stands for its interpreter, out of the way of its own descriptors */
#define SCRIPT_PATH "/proc/self/fd/100"

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U /* Linux 6.3: this file in memory is a program */
#endif

static enum end_reason verdict = END_NOT_STARTED; /* see child_note */

bool child_note(enum end_reason kind)
{
	verdict = kind;
	return false;
}

bool child_note_errno(int why)
{
	return child_note(error_is_transient(why) ? END_TRY_AGAIN : END_NOT_STARTED);
}

/* Of a step that does not depend on what was submitted. */
static bool fail(struct err *err, const char *what)
{
	child_note(error_is_transient(errno) ? END_TRY_AGAIN : END_HOST_FAULT);
	err_set(err, "%s: %s", what, strerror(errno));
	return false;
}

/* --- what it leaves behind --------------------------------------------------------------------- */

/* From now on it can be ended by signals like any process. */
static void leave_shepherd(const struct shepherd *s)
{
	sigset_t none;

	close(s->spool);
	close(s->folder);
	close(s->signals);
	as_be_spared_no_more();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* --- what binds it ----------------------------------------------------------------------------- */

static bool bind_cpus(const char *cpus, struct err *err)
{
	uint16_t id[CPU_SETSIZE];
	size_t count;
	cpu_set_t set;

	if (cpus == NULL)
		return true;
	if (!facts_read_cpus(cpus, id, CPU_SETSIZE, &count, err))
		return child_note(END_HOST_FAULT) || err_prefix(err, "it cannot be bound to processors");
	CPU_ZERO(&set);
	for (size_t i = 0; i < count; i++)
		CPU_SET(id[i], &set);
	return sched_setaffinity(0, sizeof set, &set) == 0 ||
	       fail(err, "it cannot be bound to its processors");
}

/*
 * Without a cgroup the data of one process is bounded to twice what the job may use: stacks of threads and
 * pages that are never touched count here, and the exact bound is kept by looking (shepherd_usage.c). This
 * stops a process that runs away between two looks.
 */
static bool set_limits(const struct shepherd *s)
{
	struct rlimit limit;

	if (s->launch.mem_mb <= 0 || s->cgroup.level == HOLD_FULL || s->launch.mem_mb > INT64_MAX >> 21)
		return true;
	if (getrlimit(RLIMIT_DATA, &limit) != 0)
		return false;
	if (limit.rlim_max > (rlim_t)s->launch.mem_mb << 21)
		limit.rlim_max = (rlim_t)s->launch.mem_mb << 21;
	limit.rlim_cur = limit.rlim_max;
	return setrlimit(RLIMIT_DATA, &limit) == 0;
}

/* The scheduler has changed its limit of descriptors; a job begins with the one it was started with. No core
 * files, unless PAM's limits say otherwise afterwards. */
static bool leave_limits(struct err *err)
{
	as_bound_descriptors(getenv(DESCRIPTORS_OF_JOBS));
	return as_leave_no_core() || fail(err, "its limits cannot be set");
}

static bool bind_to_place(const struct shepherd *s, struct err *err)
{
	if (!cgroup_join(&s->cgroup))
		return fail(err, "it cannot be put into its cgroup");
	if (!bind_cpus(s->launch.cpus, err))
		return false;
	return setsid() > 0 || fail(err, "it cannot have a session of its own");
}

/*
 * Where the kernel does not count the processes of the job: those of the user altogether, by the same number.
 * root is not bounded by it.
 */
static bool bound_processes(const struct shepherd *s)
{
	struct rlimit limit;

	if (s->launch.processes <= 0 || s->cgroup.bounds_processes)
		return true;
	if (getrlimit(RLIMIT_NPROC, &limit) != 0)
		return false;
	if (limit.rlim_max > (rlim_t)s->launch.processes)
		limit.rlim_max = (rlim_t)s->launch.processes;
	if (limit.rlim_cur > limit.rlim_max)
		limit.rlim_cur = limit.rlim_max;
	return setrlimit(RLIMIT_NPROC, &limit) == 0;
}

/* --- who it is --------------------------------------------------------------------------------- */

static const char *or_else(const char *text, const char *otherwise)
{
	return text == NULL || text[0] == '\0' ? otherwise : text;
}

/* Other accounts than root are checked where root gives a job their rights. */
static bool becomes_another(const struct launch *launch)
{
	return getuid() == 0 && launch->uid != 0;
}

/*
 * A job may wait for months, and meanwhile its account may have been removed and its uid given to another
 * one. The name is the one of the submission, by which the scheduler counts the job and says whose it is.
 */
static bool check_name(const struct launch *launch, const struct passwd *user, struct err *err)
{
	return launch->user == NULL || strcmp(launch->user, user->pw_name) == 0 ||
	       err_set(err,
		       "uid %" PRIu32
		       " was %s's when the job was submitted, and is %s's now; submit it again",
		       launch->uid, launch->user, user->pw_name);
}

/* Membership was checked at submission and may have ended since. */
static bool check_group(const struct launch *launch, const struct passwd *user, struct err *err)
{
	gid_t gid = (gid_t)launch->gid;
	struct membership groups = membership_of(user->pw_name, user->pw_gid);
	bool is_member = membership_has(&groups, gid);

	free(groups.group);
	if (is_member)
		return true;
	errno = 0;
	if (getgrgid(gid) == NULL && errno != 0 && errno != ENOENT && errno != ESRCH)
		return fail(err, "its group cannot be looked up");
	return err_set(err,
		       "%s is no longer a member of group %" PRIu32
		       ", with which the job was submitted; submit it again",
		       user->pw_name, launch->gid);
}

/* Whoever runs as himself needs no entry among the users, as in a container. */
static bool find_user(const struct launch *launch, struct identity *out, struct err *err)
{
	const struct passwd *user;
	bool is_other;

	errno = 0;
	user = getpwuid((uid_t)launch->uid);
	if (user == NULL && error_is_transient(errno))
		return fail(err, "its user cannot be looked up");
	if (user == NULL && (uid_t)launch->uid != getuid()) {
		err_set(err, "its user %" PRIu32 " is not known on this host (any more)", launch->uid);
		return false;
	}
	is_other = user != NULL && becomes_another(launch);
	if (is_other && !check_name(launch, user, err))
		return false;
	out->user = mem_string(user == NULL ? or_else(launch->user, "unknown") : user->pw_name);
	out->home = mem_string(user == NULL ? "/" : or_else(user->pw_dir, "/"));
	out->shell = mem_string(user == NULL ? "/bin/sh" : or_else(user->pw_shell, "/bin/sh"));
	return !is_other || check_group(launch, user, err);
}

static bool become_user(const struct launch *launch, struct err *err)
{
	uid_t uid = (uid_t)launch->uid;
	gid_t gid = (gid_t)launch->gid;

	if (getuid() != 0)
		return uid == getuid() ||
		       err_set(err,
			       "it belongs to user %" PRIu32 ", but this scheduler runs jobs of user %u only",
			       launch->uid, (unsigned)getuid());
	return as_take_ids(uid, gid) || fail(err, "it cannot run as its user");
}

/* Groups come first: PAM may add some. The shepherd is told at once that there is a session to close. */
static bool enter_session(const struct shepherd *s, const struct identity *who, int channel,
			  struct settings *settings, struct err *err)
{
	const struct launch *launch = &s->launch;
	const char word = CHILD_ENTERED;

	if (getuid() == 0 && !as_take_groups(who->user, (gid_t)launch->gid))
		return fail(err, "its groups cannot be set");
	if (!pam_is_used(launch))
		return true;
	if (!pam_enter(s, who->user, settings, err))
		return false;
	return send(channel, &word, sizeof word, MSG_NOSIGNAL) == sizeof word ||
	       fail(err, "its shepherd cannot be told of its session");
}

/* It goes when its shepherd is killed: its end could not be seen, its place would be given away. */
static bool die_with_shepherd(pid_t shepherd)
{
	return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == shepherd;
}

/*
 * A path given by the user may name a descriptor of this process (/proc/self/fd/3). Before such paths are
 * opened everything but the channel and the way to the relay is closed: the launch, the pipe that reports
 * ends, and whatever PAM left open. On a kernel without close_range() these are closed by exec only.
 */
static void leave_files(int channel, int hand)
{
	int low = hand >= 0 && hand < channel ? hand : channel, high = hand > channel ? hand : channel;

	if (low > STDERR_FILENO + 1)
		close_range(STDERR_FILENO + 1, (unsigned)low - 1, 0);
	if (high > low + 1)
		close_range((unsigned)low + 1, (unsigned)high - 1, 0);
	close_range((unsigned)high + 1, ~0U, 0);
}

static bool enter_folder(const struct launch *launch, const struct identity *who, struct err *err)
{
	const char *dir = launch->dir != NULL ? launch->dir : who->home;

	umask((mode_t)launch->umask);
	return chdir(dir) == 0 || child_note_errno(errno) ||
	       err_set(err, "its working directory %s cannot be used: %s", dir, strerror(errno));
}

/* --- what it runs ------------------------------------------------------------------------------ */

static bool write_all(int fd, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t n = write(fd, bytes, size);

		if (n < 0 && errno != EINTR)
			return false;
		bytes += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* A sealed file in memory at SCRIPT_FD: what was submitted is what runs. */
static bool make_script(const struct launch *launch)
{
	const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
	const int seals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
	int fd = memfd_create("job", flags | MFD_EXEC);

	if (fd < 0 && errno == EINVAL)
		fd = memfd_create("job", flags);
	return fd >= 0 && fchmod(fd, 0555) == 0 && write_all(fd, launch->script, launch->script_size) &&
	       fcntl(fd, F_ADD_SEALS, seals) == 0 && dup2(fd, SCRIPT_FD) == SCRIPT_FD;
}

static bool names_interpreter(const struct launch *launch)
{
	return launch->script_size >= 2 && memcmp(launch->script, "#!", 2) == 0;
}

static bool refuse_exec(const char *what, struct err *err)
{
	child_note_errno(errno);
	switch (errno) {
	case ENOENT:
		return err_set(err, "%s cannot be run: it is not there, or the program that it needs", what);
	case E2BIG:
		return err_set(err, "%s cannot be run: its arguments and environment are too large", what);
	default:
		return err_set(err, "%s cannot be run: %s", what, strerror(errno));
	}
}

/* All of ours are closed by exec; a kernel that cannot mark strangers' at once leaves those open. */
static bool keep_only_script(const struct launch *launch)
{
	close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
	return launch->script_size == 0 || fcntl(SCRIPT_FD, F_SETFD, 0) == 0;
}

/* The script and its arguments, after the shell that runs it if there is one. */
static const char **script_words(const struct launch *launch, const char *shell)
{
	const char **words = mem_zero(launch->command.count + 3, sizeof *words);
	uint32_t count = 0;

	if (shell != NULL)
		words[count++] = shell;
	words[count++] = SCRIPT_PATH;
	for (uint32_t i = 0; i < launch->command.count; i++)
		words[count++] = launch->command.item[i];
	return words;
}

static void run(const struct launch *launch, const struct identity *who, struct progress *progress,
		struct err *err)
{
	const char *shell = launch->shell != NULL ? launch->shell : who->shell, *what = shell;
	const char **words;

	if (!keep_only_script(launch)) {
		fail(err, "its script cannot be kept open");
		return;
	}
	progress->execs = true;
	if (launch->script_size == 0) {
		what = launch->command.item[0];
		execvp(what, (char *const *)(uintptr_t)launch->command.item);
	} else if (names_interpreter(launch)) {
		what = "its script";
		words = script_words(launch, NULL);
		execv(SCRIPT_PATH, (char *const *)(uintptr_t)words);
	} else {
		words = script_words(launch, shell);
		execv(shell, (char *const *)(uintptr_t)words);
	}
	progress->execs = false;
	refuse_exec(what, err);
}

/* --- step by step ------------------------------------------------------------------------------ */

/* The shepherd tells the waiting client, through the relay, how the job ended. */
static bool hand_over(int channel, int hand, int connection)
{
	const char word = CHILD_REACHED;

	return connection < 0 || (passing_send(hand, &word, sizeof word, connection) &&
				  send(channel, &word, sizeof word, MSG_NOSIGNAL) == sizeof word);
}

enum end_reason child_become_job(const struct shepherd *s, int channel, struct err *err)
{
	const struct launch *launch = &s->launch;
	struct settings settings = {.count = 0};
	struct identity who = {.user = NULL};
	char mark[ORPHANS_TEXT];
	int connection = -1;

	leave_shepherd(s);
	fail_at(FAIL_SHEP_IN_CHILD);
	if (!bind_to_place(s, err) || !find_user(launch, &who, err) || !leave_limits(err) ||
	    !enter_session(s, &who, channel, &settings, err) || !become_user(launch, err))
		return verdict;
	s->progress->user_since_ms = now_ms();
	if (s->progress->ends)
		raise(SIGTERM);
	fail_at(FAIL_SHEP_AS_USER);
	leave_files(channel, s->hand);
	if (!enter_folder(launch, &who, err))
		return verdict;
	if (!die_with_shepherd(s->self)) {
		err_set(err, "its shepherd was killed");
		return verdict;
	}
	if (!files_open(launch, &connection, err))
		return verdict;
	if (!hand_over(channel, s->hand, connection) || (launch->script_size > 0 && !make_script(launch))) {
		fail(err, "its script cannot be made ready");
		return verdict;
	}
	if (!set_limits(s) || !bound_processes(s) ||
	    (launch->no_new_privs != 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)) {
		fail(err, "its limits cannot be set");
		return verdict;
	}
	environ_make(launch, &who, &settings);
	orphans_mark(s->self, spool_pid_start(s->self), mark);
	environ_set(&settings, ORPHANS_MARK, mark);
	environ_drop(&settings, "PBS_NODEFILE"); /* of the shell that submitted it */
	if (s->node_file[0] != '\0')
		environ_set(&settings, "PBS_NODEFILE", s->node_file);
	environ = settings.item;
	run(launch, &who, s->progress, err);
	return verdict;
}
