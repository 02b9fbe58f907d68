/* SPDX-License-Identifier: MIT */
/*
 * shepherd_run.h - how does a test run a job with the real kahu-shepherd?
 *
 * Hands it a launch as the scheduler does, gives it orders and reads its spool file. Each test has a folder
 * of its own; tests that touch files run as the present user and, when that is root, once more with jobs of
 * nobody. Nothing waits for longer than a condition takes to come true. To be included behind cmocka.h.
 */
#ifndef TESTS_SHEPHERD_RUN_H
#define TESTS_SHEPHERD_RUN_H

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sched/rm/launch.h"
#include "sched/rm/shepherd.h"
#include "sched/rm/spool.h"
#include "tests/store_dir.h"

#define NOBODY     65534u
#define PATIENCE_S 60
#define TEXT_ROOM  65536

static char program[4096];             /* kahu-shepherd */
static struct store_dir dir, programs; /* programs: empty until the first put_program */
static char home[600], path[8][700];   /* the jobs' folder; see in_home */
static unsigned paths;
static int folder; /* of spool files */
static unsigned who;
static struct spool spool;
static struct err err;
static char boot_id[BOOT_ID];

/* --- a folder for each test ------------------------------------------------------------------------- */

static inline int make_folder(unsigned uid)
{
	char spool_path[600];

	make_store_dir(&dir);
	snprintf(home, sizeof home, "%s/home", dir.path);
	snprintf(spool_path, sizeof spool_path, "%s/spool", dir.path);
	chmod(dir.path, 0711);
	mkdir(home, 0755);
	mkdir(spool_path, 0700);
	if (uid != getuid() && (chown(home, uid, uid) != 0 || chmod(home, 0755) != 0))
		return -1;
	folder = open(spool_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	who = uid;
	memset(&err, 0, sizeof err);
	return folder < 0;
}

static inline int as_ourselves(void **state)
{
	(void)state;
	return make_folder(getuid());
}

static inline int as_nobody(void **state)
{
	(void)state;
	return make_folder(NOBODY);
}

static inline int remove_folder(void **state)
{
	(void)state;
	close(folder);
	remove_store_dir(&dir);
	if (programs.path[0] != '\0')
		remove_store_dir(&programs);
	programs.path[0] = '\0';
	return 0;
}

/* The path of a name in the jobs' folder; valid for eight more. */
static inline const char *in_home(const char *name)
{
	char *out = path[paths++ % 8];

	snprintf(out, sizeof path[0], "%s/%s", home, name);
	return out;
}

static inline void put_file(const char *file, const char *text, mode_t mode)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

	assert_true(fd >= 0);
	assert_int_equal(fchmod(fd, mode), 0);
	assert_int_equal(fchown(fd, who, who), 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

/* A program of the site, which is ours, in a folder that nobody else can write to. Its path is valid for
 * eight more. */
static inline const char *put_program(const char *name, const char *text)
{
	static char at[8][700];
	static unsigned count;
	char *out = at[count++ % 8];
	unsigned user = who;

	if (programs.path[0] == '\0') {
		make_store_dir(&programs);
		assert_int_equal(chmod(programs.path, 0755), 0);
	}
	snprintf(out, sizeof at[0], "%s/%s", programs.path, name);
	who = getuid();
	put_file(out, text, 0755);
	who = user;
	return out;
}

/* What is in a file; "" when there is none. */
static inline const char *text_of(const char *file)
{
	static char text[TEXT_ROOM];
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

static inline bool has_line(const char *text, const char *line)
{
	size_t len = strlen(line);

	for (; text != NULL; text = strchr(text, '\n'), text = text == NULL ? NULL : text + 1)
		if (strncmp(text, line, len) == 0 && text[len] == '\n')
			return true;
	return false;
}

/* --- conditions ------------------------------------------------------------------------------------- */

static inline int64_t time_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static inline void a_moment(void)
{
	const struct timespec moment = {.tv_nsec = 2000000};

	nanosleep(&moment, NULL);
}

#define WAIT_UNTIL(condition)                                                                                \
	do {                                                                                                 \
		int64_t until_ms = time_ms() + PATIENCE_S * 1000;                                            \
		while (!(condition)) {                                                                       \
			assert_true(time_ms() < until_ms);                                                   \
			a_moment();                                                                          \
		}                                                                                            \
	} while (0)

/* As in /proc/PID/stat; 'X' when there is none. */
static inline char state_of(pid_t pid)
{
	char file[64];
	const char *at;

	snprintf(file, sizeof file, "/proc/%d/stat", (int)pid);
	at = strrchr(text_of(file), ')');
	return (char)(at == NULL ? 'X' : at[2]);
}

/* The number in a file of the jobs' folder. */
static inline pid_t pid_in(const char *name)
{
	return (pid_t)strtol(text_of(in_home(name)), NULL, 10);
}

static inline bool is_alive(pid_t pid)
{
	return strchr("XZ", state_of(pid)) == NULL;
}

/* --- starting --------------------------------------------------------------------------------------- */

static const char *const no_words[] = {NULL};

/* Jobs of other users than ours are started under the name that the user database has. */
static inline const char *user_name(void)
{
	const struct passwd *user = who == getuid() ? NULL : getpwuid(who);

	return user == NULL ? "eva" : user->pw_name;
}

/* A job of this test's user in his folder, its output in "out", its errors in "err". */
static inline struct launch launch_of(const char *const *words, uint32_t count)
{
	return (struct launch){.command = {words, count},
			       .environment = {no_words, 0},
			       .dir = home,
			       .output = in_home("out"),
			       .errors = in_home("err"),
			       .umask = 022,
			       .uid = who,
			       .gid = who,
			       .job = 12,
			       .attempt = 1,
			       .user = user_name(),
			       .procs = 1,
			       .wall_limit_s = 60,
			       .grace_s = 1};
}

static inline struct launch launch_script(const char *text)
{
	struct launch launch = launch_of(no_words, 0);

	launch.script = text;
	launch.script_size = (uint32_t)strlen(text);
	launch.shell = "/bin/sh";
	return launch;
}

static inline int memory_file(const struct str *bytes)
{
	int fd = memfd_create("launch", 0);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes->data, bytes->len), bytes->len);
	return fd;
}

/* Our descriptors at their places, as the scheduler puts them; uid: whose process it is to be. */
static inline _Noreturn void become_shepherd(int launch, unsigned uid)
{
	char *const argv[] = {(char[]){SHEPHERD_PROGRAM}, (char[]){"12.1"}, NULL};
	char *const environment[] = {(char[]){"PATH=/usr/bin:/bin"}, (char[]){"OURS=secret"}, NULL};
	int at = fcntl(launch, F_DUPFD, 10), spool_at = fcntl(folder, F_DUPFD, 10);
	int file = open(program, O_RDONLY | O_CLOEXEC); /* where that user may not go, perhaps */

	if (dup2(at, SHEPHERD_LAUNCH_FD) < 0 || dup2(spool_at, SHEPHERD_FOLDER_FD) < 0)
		_exit(90);
	if (uid != getuid() && (setresgid(uid, uid, uid) != 0 || setresuid(uid, uid, uid) != 0))
		_exit(91);
	signal(SIGCHLD, SIG_IGN); /* survives exec: the shepherd must not inherit it */
	fexecve(file, argv, environment);
	_exit(92);
}

static inline pid_t start_bytes(const struct str *bytes, unsigned uid)
{
	int fd = memory_file(bytes);
	pid_t pid = fork();

	if (pid == 0)
		become_shepherd(fd, uid);
	close(fd);
	assert_true(pid > 0);
	return pid;
}

static inline pid_t start(const struct launch *launch)
{
	struct str bytes = {0};
	pid_t pid;

	launch_write(launch, &bytes);
	pid = start_bytes(&bytes, getuid());
	str_free(&bytes);
	return pid;
}

static inline int exit_of(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static inline enum spool_fate judge(uint64_t job)
{
	return spool_judge(folder, job, 1, boot_id, &spool, &err);
}

static inline void finish(pid_t pid)
{
	assert_int_equal(exit_of(pid), SHEPHERD_DONE);
	assert_int_equal(judge(12), SPOOL_ENDED);
	assert_int_equal(spool.ended.survivors, 0);
}

static inline void run(const struct launch *launch)
{
	finish(start(launch));
}

static inline void assert_end(enum end_reason reason, int32_t status)
{
	assert_string_equal(spool.ended.text, "");
	assert_int_equal(spool.ended.reason, reason);
	assert_int_equal(spool.ended.status, status);
}

/* It never ran, and this sentence, with the jobs' folder in place of @, says why. */
static inline void assert_not_started(const char *sentence)
{
	const char *at = strchr(sentence, '@');
	char expected[1000];

	if (at == NULL)
		snprintf(expected, sizeof expected, "%s", sentence);
	else
		snprintf(expected, sizeof expected, "%.*s%s%s", (int)(at - sentence), sentence, home, at + 1);
	assert_string_equal(spool.ended.text, expected);
	assert_int_equal(spool.ended.reason, END_NOT_STARTED);
}

/* An order, as the scheduler gives it. */
static inline void order(pid_t pid, enum shepherd_order what, int number)
{
	assert_int_equal(sigqueue(pid, SIGRTMIN + (int)what, (union sigval){.sival_int = number}), 0);
}

/* A tree of double forks and sessions of their own that ignores TERM; each writes who he is. */
static const char stubborn[] =
	"trap '' TERM\n"
	"for i in 1 2 3; do\n"
	"	(setsid sh -c 'trap \"\" TERM; echo $$ >>pids; sleep 1000 & echo $! >>pids; wait' &)\n"
	"done\n"
	"echo $$ >>pids\n"
	"sleep 1000\n";

static inline int count_pids(bool only_alive)
{
	char pids[TEXT_ROOM];
	int count = 0;

	snprintf(pids, sizeof pids, "%s", text_of(in_home("pids")));
	for (const char *at = pids; *at != '\0'; at = strchr(at, '\n') + 1)
		count += !only_alive || is_alive((pid_t)strtol(at, NULL, 10));
	return count;
}

/* --- all of them ------------------------------------------------------------------------------------- */

#define OURS(test)                                                                                           \
	{                                                                                                    \
#test, test, as_ourselves, remove_folder, NULL                                               \
	}
#define NOBODYS(test)                                                                                        \
	{                                                                                                    \
#test "_as_nobody", test, as_nobody, remove_folder, NULL                                     \
	}

/* Beside the folder `build`, in which this program stands. */
static inline bool find_program(void)
{
	const char *build = getenv("KAHU_BUILD");
	ssize_t n;

	if (build != NULL) {
		snprintf(program, sizeof program, "%s/../%s", build, SHEPHERD_PROGRAM);
	} else {
		n = readlink("/proc/self/exe", program, sizeof program - 64);
		program[n > 0 ? n : 0] = '\0';
		for (int i = 0; i < 4 && strrchr(program, '/') != NULL; i++)
			*strrchr(program, '/') = '\0';
		snprintf(program + strlen(program), 64, "/%s", SHEPHERD_PROGRAM);
	}
	return access(program, X_OK) == 0;
}

#define SHEPHERD_TESTS 64

/* Those of nobody only when we are root. */
static inline int run_shepherd_tests(const char *name, const struct CMUnitTest *tests, size_t count)
{
	struct CMUnitTest chosen[SHEPHERD_TESTS];
	size_t chosen_count = 0;

	if (!find_program() || !spool_boot_id(boot_id, &err)) {
		printf("not ok %s is there: make builds it\n", program);
		return 1;
	}
	for (size_t i = 0; i < count; i++)
		if (getuid() == 0 || tests[i].setup_func != as_nobody)
			chosen[chosen_count++] = tests[i];
	if (chosen_count < count)
		printf("1..1\nok jobs of nobody # SKIP only root can start them\n");
	return _cmocka_run_group_tests(name, chosen, chosen_count, NULL, NULL);
}

#endif
