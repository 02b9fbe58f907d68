/* SPDX-License-Identifier: MIT */
/*
 * test_shepherd_faults.c - jobs whose shepherd has failing system calls
 *
 * A job is run repeatedly, and each time the next system call of its shepherd and of the child that becomes
 * the job fails, until no call is left to fail. After each failure, the job has run once or not at all, no
 * process is left behind, and the job's end or the reason why it did not start is recorded.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "sched/rm/descriptors.h"
#include "sched/rm/fd_passing.h"
#include "sched/rm/waiter.h"
#include "tests/faulty.h"
#include "tests/many.h"
#include "tests/shepherd_run.h"

#define CALLS_MAX 2000 /* more calls than any of the programs makes */

static unsigned failed_trials; /* failed trials */
static struct faulty *shared;  /* memory shared with the shepherd */
static char file[700], faulty_program[4096];

struct trial {
	struct launch launch;
	void (*while_running)(pid_t shepherd); /* called while the job runs, or NULL */
	int32_t status;                        /* of a job that runs to its end          */
	enum end_reason reason;
	bool may_be_cancelled;
	bool in_fork_server; /* a fork server starts the shepherd */
	const char *spared;
	bool cleans_up; /* an epilog writes "cleaned" */
};

/* --- one trial --------------------------------------------------------------------------------- */

static int launch_file(const struct launch *launch)
{
	struct str bytes = {0};
	int fd;

	launch_write(launch, &bytes);
	fd = memory_file(&bytes);
	str_free(&bytes);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

/* Starts the faulty shepherd with the descriptors as 3, 4 and 5, unless -1. Signals are blocked, so that
 * orders wait until the shepherd reads them. */
static pid_t start_program(char *const *argv, const int fds[static 3])
{
	static char words[700 + sizeof FAULTY_FILE];
	char *const environment[] = {(char[]){"PATH=/usr/bin:/bin"}, (char[]){DESCRIPTORS_OF_JOBS "=1000"},
				     words, NULL};
	sigset_t all, before;
	pid_t pid;
	int high[3];

	snprintf(words, sizeof words, FAULTY_FILE "=%s", file);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid = fork();
	if (pid == 0) {
		for (int i = 0; i < 3; i++)
			high[i] = fcntl(fds[i], F_DUPFD, 20);
		for (int i = 0; i < 3; i++)
			if (fds[i] >= 0 && dup2(high[i], SHEPHERD_LAUNCH_FD + i) < 0)
				_exit(90);
		execve(faulty_program, argv, environment);
		_exit(92);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	assert_true(pid > 0);
	return pid;
}

static pid_t start_faulty(const struct launch *launch)
{
	char *const argv[] = {(char[]){SHEPHERD_PROGRAM}, (char[]){"12.1"}, NULL};
	const int fds[3] = {launch_file(launch), folder, -1};
	pid_t pid = start_program(argv, fds);

	close(fds[0]);
	return pid;
}

static bool all_children_ended(void)
{
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		continue;
	return pid < 0;
}

static unsigned ends_reported; /* ends reported in the pipe by shepherds of fork servers */

/* Runs the job with a shepherd that a fork server starts. The fork server ends when its socket is closed. */
static void run_in_fork_server(const struct launch *launch)
{
	char *const argv[] = {(char[]){SHEPHERD_PROGRAM}, (char[]){SHEPHERD_FORK_SERVER},
			      (char[]){SHEPHERD_NAME_ROOM}, NULL};
	const struct timeval patience = {
		.tv_usec = 500000}; /* the answer is lost if the call that sends it fails */
	struct shepherd_reply birth = {.pid = 0};
	struct shepherd_end end;
	int pair[2], ends[2], pidfd = -1, launch_fd = launch_file(launch);
	struct pollfd one = {.events = POLLIN};

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	assert_int_equal(setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
	assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
	start_program(argv, (const int[3]){pair[1], folder, ends[1]});
	close(pair[1]);
	close(ends[1]);
	fd_passing_send(pair[0], "12.1", 4, launch_fd);
	close(launch_fd);
	if (fd_passing_receive(pair[0], &birth, sizeof birth, &pidfd, 0) == sizeof birth && birth.pid <= 0)
		assert_true(birth.failed != 0);
	/* The pipe ends when no process has its write end open. */
	close(pair[0]);
	one.fd = ends[0];
	while (poll(&one, 1, PATIENCE_S * 1000) > 0 && read(ends[0], &end, sizeof end) == sizeof end) {
		assert_int_equal(end.job, 12);
		ends_reported += end.failed == 0;
	}
	if (pidfd >= 0)
		close(pidfd);
	close(ends[0]);
	WAIT_UNTIL(all_children_ended());
}

static bool is_there(const char *name)
{
	return access(in_home(name), F_OK) == 0;
}

static const char *check_end(const struct trial *t)
{
	bool ran = strcmp(text_of(in_home("ran")), "once\n") == 0;

	switch ((enum end_reason)spool.ended.reason) {
	case END_EXITED:
		return ran && spool.ended.status == t->status ? NULL : "is said to have ended as it has not";
	case END_CANCELLED:
		return t->may_be_cancelled ? NULL : "is said to be cancelled";
	case END_NOT_STARTED:
	case END_TRY_AGAIN:
	case END_HOST_FAULT:
	case END_PROLOG:
		return is_there("ran")               ? "is said not to have run"
		       : spool.ended.text[0] == '\0' ? "has not begun, and nobody says why"
						     : NULL;
	case END_WALL_LIMIT:
	case END_MEM_LIMIT:
	case END_REASON_COUNT:
		break;
	}
	return "has ended for a reason that there was not";
}

/* The relay of a waiting client is not a child of the shepherd and ends shortly after it. */
static bool has_left_processes(const struct trial *t)
{
	int64_t until_ms = time_ms() + (t->launch.waiter != NULL ? PATIENCE_S * 1000 : 0);
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) >= 0 && time_ms() < until_ms)
		if (pid == 0)
			a_moment();
	return pid >= 0;
}

/* Returns the fault of the trial, or NULL. */
static const char *check_trial(const struct trial *t, int status)
{
	if (!WIFEXITED(status))
		return "has lost its shepherd";
	if (has_left_processes(t))
		return "has left somebody behind";
	/* A job that was killed early may have left the file empty. */
	if (is_there("ran") && strcmp(text_of(in_home("ran")), "once\n") != 0 &&
	    text_of(in_home("ran"))[0] != '\0')
		return "has run twice";
	switch (judge(12)) {
	case SPOOL_ENDED:
		if (t->cleans_up && !is_there("cleaned") &&
		    strstr(spool.ended.text, "epilog did not run") == NULL)
			return "has no epilog, and nobody says why";
		return check_end(t);
	case SPOOL_NONE:
		return is_there("ran") ? "has run, and is given back" : NULL;
	case SPOOL_LOST:
		return WEXITSTATUS(status) == SHEPHERD_DONE ? "is lost" : NULL;
	case SPOOL_ALIVE:
		break;
	}
	return "is said to be alive";
}

static void clear(void)
{
	static const char *const names[] = {"ran", "out", "err", "ready", "prolog_ran", "cleaned"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		unlink(in_home(names[i]));
	spool_remove(folder, 12, 1, NULL);
}

/* Runs the job with the given call failing. Returns false if the job made fewer calls. */
static bool run_trial(const struct trial *t, long number, int why)
{
	const char *fault;
	int status;
	pid_t pid;
	bool failed;

	clear();
	faulty_begin(shared, number, why, t->spared);
	if (t->in_fork_server) {
		run_in_fork_server(&t->launch);
		status = SHEPHERD_DONE;
	} else {
		pid = start_faulty(&t->launch);
		if (t->while_running != NULL)
			t->while_running(pid);
		assert_int_equal(waitpid(pid, &status, 0), pid);
	}
	failed = faulty_end(shared);
	fault = check_trial(t, status);
	if (fault != NULL) {
		print_error("call %ld, %s, failed (%s): the job %s (status %d, reason %u, %s)\n", number,
			    shared->failed, strerror(why), fault, status, spool.ended.reason,
			    spool.ended.text);
		failed_trials++;
	}
	return failed;
}

static void fail_calls(const struct trial *t, int why)
{
	long number = 1;

	while (number < CALLS_MAX && run_trial(t, number, why))
		number += many_apart(1);
	assert_int_equal(spool.ended.reason, t->reason);
	assert_true(number > 1 && number < CALLS_MAX);
}

static void share_faults(void)
{
	snprintf(file, sizeof file, "%s/fault", dir.path);
	shared = faulty_share(file);
	assert_non_null(shared);
	assert_int_equal(chmod(file, 0666), 0);
}

static void fail_with(const struct trial *t, const int *why, size_t count)
{
	share_faults();
	failed_trials = 0;
	for (size_t i = 0; i < count; i++)
		fail_calls(t, why[i]);
	assert_int_equal(failed_trials, 0);
}

static void fail_each(const struct trial *t)
{
	static const int why[] = {EIO, FAULTY_SHORT};

	fail_with(t, why, sizeof why / sizeof why[0]);
}

/* Also with errors that the shepherd treats as temporary. */
static void fail_each_in_all_ways(const struct trial *t)
{
	static const int why[] = {EIO, FAULTY_SHORT, EMFILE, EINTR};

	fail_with(t, why, sizeof why / sizeof why[0]);
}

/* --- jobs -------------------------------------------------------------------------------- */

/* Calls that cannot fail with the arguments used here. */
#define SPARED "waitpid poll"

static char out_file[700], err_file[700];

static struct trial trial_of(struct launch launch)
{
	snprintf(out_file, sizeof out_file, "%s/out", home);
	snprintf(err_file, sizeof err_file, "%s/err", home);
	launch.output = out_file;
	launch.errors = err_file;
	return (struct trial){.launch = launch, .spared = SPARED};
}

static void a_script_with_all_limits(void **state)
{
	static const char *const variables[] = {"A=b", NULL};
	struct trial t = trial_of(launch_script("echo once >>ran; [ -s \"$PBS_NODEFILE\" ] && exit 7\n"));

	(void)state;
	t.status = 7; /* the job has its node file in every trial in which it runs */
	t.launch.nodes = "n1*1";
	t.launch.environment = (struct launch_words){variables, 1};
	t.launch.cpus = "0";
	t.launch.devices = "";
	t.launch.mem_mb = 4000;
	t.launch.processes = 5000;
	t.launch.no_new_privs = 1;
	fail_each_in_all_ways(&t);
}

static void a_program_with_joined_output(void **state)
{
	static const char *const words[] = {"sh", "-c", "echo once >>ran; exit ${#HIP_VISIBLE_DEVICES}",
					    NULL};
	static const char *const variables[] = {"HOME=/x", "SHELL=/x", "HIP_VISIBLE_DEVICES=1", "HIP=2",
						"HOMES=3"};
	struct trial t = trial_of(launch_of(words, 3));

	(void)state;
	t.launch.environment = (struct launch_words){variables, sizeof variables / sizeof variables[0]};
	t.launch.devices = "0,1";
	t.launch.label = "12[3]";
	t.launch.procs = 0;
	t.launch.flags = LAUNCH_JOIN | LAUNCH_APPEND;
	t.launch.errors = NULL;
	fail_each(&t);
}

/* The shepherd runs the prolog and the epilog in the same way as the job, and reports which of them failed.
 */
static void a_job_with_prolog_and_epilog(void **state)
{
	struct trial t = trial_of(launch_script("#!/bin/sh\necho once >>ran\n"));
	static const int why[] = {EIO, FAULTY_SHORT, EAGAIN};
	char text[800];

	(void)state;
	t.launch.prolog = put_program("prolog", "#!/bin/sh\nexit 0\n");
	snprintf(text, sizeof text, "#!/bin/sh\necho >%s/cleaned\n", home);
	t.launch.epilog = put_program("epilog", text);
	t.cleans_up = true;
	fail_with(&t, why, sizeof why / sizeof why[0]);
}

static bool is_ready(pid_t shepherd)
{
	return is_there("ready") || strchr("ZX", state_of(shepherd)) != NULL;
}

/* Suspends the job, resumes it on other processors, sends a signal and cancels it at once. */
static void give_orders(pid_t shepherd)
{
	WAIT_UNTIL(is_ready(shepherd));
	spool_write_cpus(folder, 12, 1, "0");
	/* Invalid orders, which are ignored; the last one lacks its value. */
	order(shepherd, SHEPHERD_SIGNAL, 0);
	order(shepherd, SHEPHERD_SIGNAL, 1000);
	order(shepherd, SHEPHERD_LIMIT, 0);
	assert_int_equal(kill(shepherd, SIGRTMIN + SHEPHERD_LIMIT), 0);
	order(shepherd, SHEPHERD_SUSPEND, 0);
	order(shepherd, SHEPHERD_RESUME, 1);
	order(shepherd, SHEPHERD_SIGNAL, SIGUSR1);
	order(shepherd, SHEPHERD_LIMIT, 50);
	order(shepherd, SHEPHERD_CANCEL, 1);
}

static void a_job_with_children_that_gets_orders(void **state)
{
	struct trial t = trial_of(launch_script("trap '' USR1\necho once >>ran\n"
						"(setsid sh -c 'trap \"\" USR1 TERM; sleep 1000 & wait' &)\n"
						"sleep 1000 &\necho >>ready\nwait\n"));

	(void)state;
	t.while_running = give_orders;
	t.reason = END_CANCELLED;
	t.may_be_cancelled = true;
	fail_each(&t);
}

static void a_job_whose_shepherd_is_started_by_a_fork_server(void **state)
{
	struct trial t = trial_of(launch_script("echo once >>ran\n"));

	(void)state;
	t.in_fork_server = true;
	fail_each(&t);
}

/* Uses the first PAM service found here; the faulty shepherd has its own PAM functions. */
static void a_job_with_a_pam_session(void **state)
{
	static const char *const services[] = {"other", "login", "su"};
	struct trial t =
		trial_of(launch_script("echo once >>ran\n[ \"$SET_BY_PAM\" = yes ] && exit 5\nexit 6\n"));

	(void)state;
	t.spared = SPARED " pam_getenvlist"; /* as if PAM set nothing */
	for (size_t i = 0; i < 3 && t.launch.pam == NULL; i++) {
		char service[64];

		snprintf(service, sizeof service, "/etc/pam.d/%s", services[i]);
		if (access(service, R_OK) == 0)
			t.launch.pam = services[i];
	}
#ifdef HAVE_PAM
	t.status = t.launch.pam != NULL ? 5 : 6;
#else
	t.status = 6;
#endif
	fail_each_in_all_ways(&t);
}

/* The exit status is 0 if the program has run as the user, and 127 if it has not run. */
static void a_program_that_runs_as_a_user(void **state)
{
	char *const argv[] = {(char[]){SHEPHERD_PROGRAM},
			      (char[]){SHEPHERD_AS},
			      (char[]){"nobody"},
			      (char[]){"64"},
			      (char[]){""},
			      (char[]){"/bin/sh"},
			      (char[]){"-c"},
			      (char[]){"id -u >ran"},
			      NULL};
	char *const unknown[] = {(char[]){SHEPHERD_PROGRAM},
				 (char[]){SHEPHERD_AS},
				 (char[]){"nobody.knows"},
				 (char[]){"64"},
				 (char[]){""},
				 (char[]){"/bin/sh"},
				 NULL};
	bool failed = true;
	long number = 0;

	(void)state;
	share_faults();
	assert_int_equal(chdir(home), 0);
	while (failed && number++ < CALLS_MAX) {
		int status;

		clear();
		faulty_begin(shared, number, EIO, "");
		status = exit_of(start_program(argv, (const int[3]){-1, -1, -1}));
		failed = faulty_end(shared);
		assert_true(status == (is_there("ran") ? 0 : 127));
		if (is_there("ran"))
			assert_int_equal(pid_in("ran"), NOBODY);
	}
	assert_true(number > 5 && is_there("ran"));
	assert_int_equal(exit_of(start_program(unknown, (const int[3]){-1, -1, -1})), 127);
	assert_int_equal(chdir("/"), 0);
}

/* --- waiting clients ----------------------------------------------------------------------------------- */

static int listening = -1;

/* Waits as `kahu run` does, in this process, whose calls do not fail. */
static void wait_for_job(pid_t shepherd)
{
	const int files[3] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
	struct pollfd one = {.fd = listening, .events = POLLIN};
	struct spool_ended ended;
	int connection = -1;

	while (poll(&one, 1, 2) == 0)
		if (strchr("ZX", state_of(shepherd)) != NULL)
			return;
	connection = waiter_accept(listening, NULL, 12, files, &err);
	if (connection < 0)
		return;
	waiter_signal(connection, SIGCONT);
	waiter_hear(connection, &ended);
	close(connection);
}

static void a_job_with_a_waiting_client(void **state)
{
	struct trial t = trial_of(launch_script("echo once >>ran\n"));
	char socket_path[700];

	(void)state;
	snprintf(socket_path, sizeof socket_path, "%s/waiter", home);
	listening = waiter_listen(socket_path, &err);
	assert_true(listening >= 0);
	assert_int_equal(chown(socket_path, who, who), 0);
	t.launch.waiter = socket_path;
	t.launch.output = t.launch.errors = NULL;
	t.while_running = wait_for_job;
	t.may_be_cancelled = true; /* the connection to the client may be lost */
	fail_each_in_all_ways(&t);
	close(listening);
}

/* The scheduler then frees the job's resources without waiting for the shepherd to exit. */
static void the_end_is_reported_after_the_epilog(void **state)
{
	struct launch launch = launch_script("echo once >>ran\n");

	(void)state;
	put_file(in_home("epilog"), "#!/bin/sh\nexit 3\n", 0755);
	launch.epilog = in_home("epilog");
	ends_reported = 0;
	run_in_fork_server(&launch);
	assert_int_equal(judge(12), SPOOL_ENDED);
	assert_int_equal(ends_reported, 1);
}

/* Looks in KAHU_BUILD, or in the parent of the directory of this program. */
static bool find_faulty(void)
{
	const char *build = getenv("KAHU_BUILD");
	ssize_t n;

	if (build != NULL) {
		snprintf(faulty_program, sizeof faulty_program, "%s/tests/faulty_shepherd", build);
		return access(faulty_program, X_OK) == 0;
	}
	n = readlink("/proc/self/exe", faulty_program, sizeof faulty_program - 64);
	faulty_program[n > 0 ? n : 0] = '\0';
	for (int i = 0; i < 2 && strrchr(faulty_program, '/') != NULL; i++)
		*strrchr(faulty_program, '/') = '\0';
	snprintf(faulty_program + strlen(faulty_program), 64, "/faulty_shepherd");
	return access(faulty_program, X_OK) == 0;
}

/* --- main -------------------------------------------------------------------------------- */

int main(void)
{
	static const struct CMUnitTest tests[] = {
		NOBODYS(a_script_with_all_limits),
		OURS(a_program_with_joined_output),
		NOBODYS(a_job_with_prolog_and_epilog),
		OURS(a_job_with_children_that_gets_orders),
		OURS(a_job_with_a_waiting_client),
		OURS(the_end_is_reported_after_the_epilog),
		OURS(a_job_whose_shepherd_is_started_by_a_fork_server),
		NOBODYS(a_job_with_a_pam_session),
		NOBODYS(a_program_that_runs_as_a_user),
	};

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (!find_faulty()) {
		printf("not ok %s is there: make builds it\n", faulty_program);
		return 1;
	}
	if (HAS_ADDRESS_SANITIZER) {
		puts("1..1\nok calls of a shepherd fail # SKIP its stand-ins do not go together with a "
		     "sanitizer");
		return 0;
	}
	return run_shepherd_tests("shepherd_faults", tests, sizeof tests / sizeof tests[0]);
}
