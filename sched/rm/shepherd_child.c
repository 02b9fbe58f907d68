/* SPDX-License-Identifier: MIT */
/*
 * shepherd_child.c - the child process that becomes the user's job
 *
 * The child works in steps, each with its own error message. As root it sets up cgroup, processors, groups,
 * limits and PAM session. Then it changes its GID and UID, the UID last, because after that it may not change
 * anything else, and checks that the change cannot be reversed. Only then does it use anything of the user:
 * folder, files, program.
 *
 * The spool file is closed first: its lock must not outlive the shepherd in a child that hangs in a file
 * system that does not answer. All descriptors except the channel are closed before a path of the user is
 * opened.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptors.h"
#include "fd_passing.h"
#include "host_info.h"
#include "host_users.h"
#include "orphans.h"
#include "sched/base/failpoint.h"
#include "sched/base/vec.h"
#include "shepherd_inside.h"
#include "transient.h"

/* --- the PAM account check and session of a job ------------------------------------------------------- */

/*
 * The shepherd remains linked only with libc: libpam is loaded with dlopen() in child processes of the
 * shepherd, so a module that crashes or hangs does not affect the shepherd. The child that becomes the job
 * checks the account and opens the session while it is still root: resource limits, the audit login UID,
 * keyrings and namespaces belong to this process and are inherited by all processes of the job. Another child
 * closes the session with its own handle when the job has ended for any reason: a PAM session may be closed
 * by a different program than the one that opened it (pam_open_session in the PAM application developers'
 * guide).
 *
 * Without libpam at build time, without a service file, or without root, there is no session. If there is a
 * service file but libpam cannot be loaded, no job starts: an expired account must not run jobs because a
 * library is missing or the host lacks descriptors.
 */

int64_t pam_limit_ms(void)
{
	return strtoll(fail_path("KAHU_PAM_LIMIT_MS", "60000"), NULL, 10);
}

#ifdef HAVE_PAM

#include <dlfcn.h>
#include <security/pam_appl.h>

#define LIBRARY "libpam.so.0"

/* The functions of libpam that are used. */
struct pam {
	int (*start)(const char *service, const char *user, const struct pam_conv *conv, pam_handle_t **out);
	int (*end)(pam_handle_t *handle, int status);
	int (*set_item)(pam_handle_t *handle, int type, const void *item);
	int (*acct_mgmt)(pam_handle_t *handle, int flags);
	int (*setcred)(pam_handle_t *handle, int flags);
	int (*open_session)(pam_handle_t *handle, int flags);
	int (*close_session)(pam_handle_t *handle, int flags);
	char **(*getenvlist)(pam_handle_t *handle);
	const char *(*strerror)(pam_handle_t *handle, int status);
	pam_handle_t *handle;
};

static bool load(struct pam *pam)
{
	/* dlsym() returns a pointer to data, and C has no conversion from that to a function pointer. */
	const struct {
		const char *name;
		void **at;
	} part[] = {{"pam_start", (void **)(void *)&pam->start},
		    {"pam_end", (void **)(void *)&pam->end},
		    {"pam_set_item", (void **)(void *)&pam->set_item},
		    {"pam_acct_mgmt", (void **)(void *)&pam->acct_mgmt},
		    {"pam_setcred", (void **)(void *)&pam->setcred},
		    {"pam_open_session", (void **)(void *)&pam->open_session},
		    {"pam_close_session", (void **)(void *)&pam->close_session},
		    {"pam_getenvlist", (void **)(void *)&pam->getenvlist},
		    {"pam_strerror", (void **)(void *)&pam->strerror}};
	void *library = dlopen(LIBRARY, RTLD_NOW);
	size_t found = 0;

	while (library != NULL && found < sizeof part / sizeof part[0] &&
	       (*part[found].at = dlsym(library, part[found].name)) != NULL)
		found++;
	return found == sizeof part / sizeof part[0];
}

/* Conversation function: there is no user to answer, so prompts fail and messages are dropped. */
static int converse(int count, const struct pam_message **message, struct pam_response **response, void *self)
{
	(void)self;
	for (int i = 0; i < count; i++)
		if (message[i]->msg_style == PAM_PROMPT_ECHO_OFF ||
		    message[i]->msg_style == PAM_PROMPT_ECHO_ON)
			return PAM_CONV_ERR;
	*response = count > 0 ? calloc((size_t)count, sizeof **response) : NULL;
	return count <= 0 || *response != NULL ? PAM_SUCCESS : PAM_BUF_ERR;
}

static int begin(struct pam *pam, const char *service, const char *user)
{
	static const struct pam_conv conv = {.conv = converse};
	int status = pam->start(service, user, &conv, &pam->handle);

	if (status == PAM_SUCCESS)
		status = pam->set_item(pam->handle, PAM_TTY, "kahu");
	if (status == PAM_SUCCESS)
		status = pam->set_item(pam->handle, PAM_RUSER, user);
	return status;
}

/*
 * Does the service have a file? A file that cannot be examined counts as existing: then PAM decides, and no
 * account remains unchecked.
 */
static bool has_service_file(const char *service)
{
	static const char *const folder[] = {"/etc/pam.d", "/usr/lib/pam.d"};
	char path[PAM_PATH_ROOM];

	for (size_t i = 0; i < sizeof folder / sizeof folder[0]; i++) {
		snprintf(path, sizeof path, "%s/%s", folder[i], service);
		if (access(path, R_OK) == 0 || (errno != ENOENT && errno != ENOTDIR))
			return true;
	}
	return false;
}

bool pam_is_used(const struct launch *launch)
{
	return launch->pam != NULL && getuid() == 0 && has_service_file(launch->pam);
}

/*
 * Classifies a PAM error: an unavailable user directory or a lack of memory is transient; a broken service or
 * module is a fault of the host; anything else concerns the account.
 */
static enum end_reason fault_of(int status)
{
	switch (status) {
	case PAM_AUTHINFO_UNAVAIL:
	case PAM_BUF_ERR:
	case PAM_TRY_AGAIN:
		return END_TRY_AGAIN;
	case PAM_OPEN_ERR:
	case PAM_SYMBOL_ERR:
	case PAM_SERVICE_ERR:
	case PAM_SYSTEM_ERR:
	case PAM_MODULE_UNKNOWN:
	case PAM_ABORT:
	case PAM_BAD_ITEM:
		return END_HOST_FAULT;
	default:
		return END_NOT_STARTED;
	}
}

static bool refuse_load(int why, struct err *err)
{
	const char *text = dlerror();

	child_note(error_is_transient(why) ? END_TRY_AGAIN : END_HOST_FAULT);
	return err_set(err, "PAM cannot be loaded for it: %s", text != NULL ? text : "unknown reason");
}

static bool refuse(const struct pam *pam, const char *service, const char *what, int status, struct err *err)
{
	child_note(fault_of(status));
	return err_set(err, "%s (PAM service %s): %s", what, service, pam->strerror(pam->handle, status));
}

bool pam_enter(const struct shepherd *s, const char *user, struct settings *environment, struct err *err)
{
	struct pam pam = {.handle = NULL};
	const char *service = s->launch.pam;
	int status;

	errno = 0;
	if (!load(&pam))
		return refuse_load(errno, err);
	status = begin(&pam, service, user);
	if (status != PAM_SUCCESS)
		return refuse(&pam, service, "PAM cannot be used for it", status, err);
	status = pam.acct_mgmt(pam.handle, PAM_SILENT);
	if (status != PAM_SUCCESS)
		return refuse(&pam, service, "the account of its user is refused", status, err);
	status = pam.setcred(pam.handle, PAM_ESTABLISH_CRED | PAM_SILENT);
	if (status != PAM_SUCCESS)
		return refuse(&pam, service, "the credentials of its user cannot be established", status,
			      err);
	/* From here on there is a session to close, whatever ends this process. */
	snprintf(s->progress->session_user, sizeof s->progress->session_user, "%s", user);
	s->progress->opens_session = true;
	status = pam.open_session(pam.handle, PAM_SILENT);
	s->progress->opens_session = status == PAM_SUCCESS;
	if (status != PAM_SUCCESS)
		return refuse(&pam, service, "no session can be opened for its user", status, err);
	for (char **item = pam.getenvlist(pam.handle); item != NULL && *item != NULL; item++)
		environ_add(environment, *item);
	/* The handle is not closed here: another process closes the session with its own handle. */
	return true;
}

static _Noreturn void close_session(const struct launch *launch, const char *user)
{
	struct pam pam = {.handle = NULL};
	sigset_t none;
	bool good;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (!load(&pam) || begin(&pam, launch->pam, user) != PAM_SUCCESS)
		_exit(1);
	good = pam.close_session(pam.handle, PAM_SILENT) == PAM_SUCCESS;
	good = pam.setcred(pam.handle, PAM_DELETE_CRED | PAM_SILENT) == PAM_SUCCESS && good;
	pam.end(pam.handle, PAM_SUCCESS);
	_exit(good ? 0 : 1);
}

void pam_leave(struct shepherd *s)
{
	pid_t pid;

	if (!s->progress->opens_session)
		return;
	s->progress->opens_session = false;
	pid = fork();
	if (pid == 0)
		close_session(&s->launch, s->progress->session_user);
	if (pid > 0)
		site_wait("closing the PAM session", pid, pam_limit_ms(), NULL);
	shepherd_kill_all(s);
}

#else

bool pam_is_used(const struct launch *launch)
{
	(void)launch;
	return false;
}

bool pam_enter(const struct shepherd *s, const char *user, struct settings *environment, struct err *err)
{
	(void)s;
	(void)user;
	(void)environment;
	(void)err;
	return true;
}

void pam_leave(struct shepherd *s)
{
	(void)s;
}

#endif

/* --- the child process that becomes the user's job ---------------------------------------------------- */

#define SCRIPT_FD 100 /* descriptor of the script for its interpreter, above those that scripts use */

#define SCRIPT_PATH "/proc/self/fd/100"

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U /* Linux 6.3: the memfd may be executed */
#endif

static enum end_reason verdict = END_NOT_STARTED; /* returned by child_become_job(); see child_note() */

bool child_note(enum end_reason kind)
{
	verdict = kind;
	return false;
}

bool child_note_errno(int why)
{
	return child_note(error_is_transient(why) ? END_TRY_AGAIN : END_NOT_STARTED);
}

/*
 * Records the failure of a step that does not depend on the submission; errno gives the reason. Returns
 * false.
 */
static bool fail(struct err *err, const char *what)
{
	child_note(error_is_transient(errno) ? END_TRY_AGAIN : END_HOST_FAULT);
	err_set(err, "%s: %s", what, strerror(errno));
	return false;
}

/*
 * --- separation from the shepherd --------------------------------------------------------------------------
 */

/*
 * Closes the shepherd's files and unblocks signals: from here on, signals end the child like any other
 * process.
 */
static void leave_shepherd(const struct shepherd *s)
{
	sigset_t none;

	close(s->spool);
	close(s->folder);
	close(s->signals);
	as_reset_oom_score();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* --- limits ------------------------------------------------------------------------------------------- */

static bool bind_cpus(const char *cpus, struct err *err)
{
	uint16_t id[CPU_SETSIZE];
	size_t count;
	cpu_set_t set;

	if (cpus == NULL)
		return true;
	if (!host_info_read_cpus(cpus, id, CPU_SETSIZE, &count, err))
		return child_note(END_HOST_FAULT) || err_prefix(err, "it cannot be bound to processors");
	CPU_ZERO(&set);
	for (size_t i = 0; i < count; i++)
		CPU_SET(id[i], &set);
	return sched_setaffinity(0, sizeof set, &set) == 0 ||
	       fail(err, "it cannot be bound to its processors");
}

/*
 * If no cgroup limits the memory, limits the data size of each process to twice the memory of the job. This
 * stops a runaway process between two measurements; the exact limit is enforced by measuring
 * (shepherd_tree.c). It is twice the memory because thread stacks and untouched pages count as well.
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

/*
 * Restores the original limit of descriptors, which the scheduler has changed for itself, and disables core
 * files unless PAM sets a limit afterwards.
 */
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
	return setsid() > 0 || fail(err, "cannot create a session for it");
}

/*
 * If the cgroup does not limit the number of processes of the job, limits the processes of its user to the
 * same number. The kernel does not apply this limit to root.
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

/* --- the user ----------------------------------------------------------------------------------------- */

static const char *or_else(const char *text, const char *otherwise)
{
	return text == NULL || text[0] == '\0' ? otherwise : text;
}

/* Does a shepherd of root start a job of another user? Only then is the account checked. */
static bool becomes_another(const struct launch *launch)
{
	return getuid() == 0 && launch->uid != 0;
}

/*
 * Checks that the UID still belongs to the user name of the submission, which the scheduler charges for the
 * job. A job may wait for months; in the meantime, its account may have been removed and its UID reused.
 */
static bool check_name(const struct launch *launch, const struct passwd *user, struct err *err)
{
	return launch->user == NULL || strcmp(launch->user, user->pw_name) == 0 ||
	       err_set(err,
		       "uid %" PRIu32 " belonged to %s when the job was submitted, and belongs to %s now; "
		       "submit the job again",
		       launch->uid, launch->user, user->pw_name);
}

/*
 * Checks that the user is still a member of the group: membership was checked at submission, and may have
 * ended since.
 */
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
		       ", with which the job was submitted; submit the job again",
		       user->pw_name, launch->gid);
}

/*
 * Looks up the user of the job. If the scheduler is not root, the user database need not contain its user, as
 * in some containers.
 */
static bool find_user(const struct launch *launch, struct identity *out, struct err *err)
{
	const struct passwd *user;
	bool is_other;

	errno = 0;
	user = getpwuid((uid_t)launch->uid);
	if (user == NULL && error_is_transient(errno))
		return fail(err, "its user cannot be looked up");
	if (user == NULL && (uid_t)launch->uid != getuid()) {
		err_set(err, "its user %" PRIu32 " is unknown on this host", launch->uid);
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

/*
 * Sets the groups, then opens the PAM session, which may add groups. The shepherd is notified at once that
 * there is a session to close.
 */
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
	       fail(err, "its shepherd cannot be notified of its session");
}

/*
 * Makes the kernel kill the child when the shepherd dies: otherwise the job would continue unobserved, while
 * its resources would be allocated again. Returns false if the shepherd is already dead.
 */
static bool die_with_shepherd(pid_t shepherd)
{
	return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == shepherd;
}

/*
 * Closes all descriptors except standard ones, the channel, and `hand` (the socket to the relay): the launch,
 * the pipe that reports ends, and whatever PAM left open. This happens before a path of the user is opened,
 * because such a path may name a descriptor of this process (/proc/self/fd/3). On a kernel without
 * close_range() these descriptors are only closed by exec.
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

/* --- the job's program -------------------------------------------------------------------------------- */

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

/*
 * Writes the script to a sealed memfd, as descriptor SCRIPT_FD, so that exactly the submitted script runs.
 * Returns false with errno set on failure.
 */
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
		return err_set(err, "%s cannot be run: it, or the interpreter that it needs, does not exist",
			       what);
	case E2BIG:
		return err_set(err, "%s cannot be run: its arguments and environment are too large", what);
	default:
		return err_set(err, "%s cannot be run: %s", what, strerror(errno));
	}
}

/*
 * Makes exec close all descriptors except the standard ones and the script's. On a kernel without
 * close_range() those of libraries may stay open.
 */
static bool keep_only_script(const struct launch *launch)
{
	close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
	return launch->script_size == 0 || fcntl(SCRIPT_FD, F_SETFD, 0) == 0;
}

/* Returns the command line of a script: the shell that runs it (NULL: none), the script and its arguments. */
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

/* --- the steps ---------------------------------------------------------------------------------------- */

/*
 * Passes the connection to the waiting client to the relay, through which the shepherd later reports how the
 * job ended. Does nothing without a connection.
 */
static bool hand_over(int channel, int hand, int connection)
{
	const char word = CHILD_REACHED;

	return connection < 0 || (fd_passing_send(hand, &word, sizeof word, connection) &&
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
		fail(err, "its script cannot be prepared");
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
	environ_drop(&settings, "PBS_NODEFILE"); /* the submitting shell may have been in a job itself */
	if (s->node_file.path[0] != '\0')
		environ_set(&settings, "PBS_NODEFILE", s->node_file.path);
	environ = settings.item;
	run(launch, &who, s->progress, err);
	return verdict;
}
