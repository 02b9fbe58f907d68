/* SPDX-License-Identifier: MIT */
/*
 * test_shepherd.c - does the real kahu-shepherd run real jobs, and leave the truth about each behind?
 *
 * Every test hands it a launch as the scheduler does and reads its spool file. Tests that touch files run as
 * the present user and, when that is root, once more with jobs of nobody. Nothing waits for longer than
 * a condition takes to come true.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
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
#include "sched/rm/waiter.h"
#include "tests/store_dir.h"

#define NOBODY     65534u
#define PATIENCE_S 20
#define TEXT_ROOM  65536

static char program[4096]; /* kahu-shepherd */
static struct store_dir dir;
static char home[600], path[8][700]; /* the jobs' folder; see in_home */
static unsigned paths;
static int folder; /* of spool files */
static unsigned who;
static struct spool spool;
static struct err err;
static char boot_id[BOOT_ID];

/* --- a folder for each test --------------------------------------------------------------------- */

static int make_folder(unsigned uid)
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

static int as_ourselves(void **state)
{
	(void)state;
	return make_folder(getuid());
}

static int as_nobody(void **state)
{
	(void)state;
	return make_folder(NOBODY);
}

static int remove_folder(void **state)
{
	(void)state;
	close(folder);
	remove_store_dir(&dir);
	return 0;
}

/* The path of a name in the jobs' folder; valid for eight more. */
static const char *in_home(const char *name)
{
	char *out = path[paths++ % 8];

	snprintf(out, sizeof path[0], "%s/%s", home, name);
	return out;
}

static void put_file(const char *file, const char *text, mode_t mode)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

	assert_true(fd >= 0);
	assert_int_equal(fchmod(fd, mode), 0);
	assert_int_equal(fchown(fd, who, who), 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

/* What is in a file; "" when there is none. */
static const char *text_of(const char *file)
{
	static char text[TEXT_ROOM];
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

/* --- conditions ---------------------------------------------------------------------------------- */

static int64_t time_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void a_moment(void)
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
static char state_of(pid_t pid)
{
	char file[64];
	const char *at;

	snprintf(file, sizeof file, "/proc/%d/stat", (int)pid);
	at = strrchr(text_of(file), ')');
	return (char)(at == NULL ? 'X' : at[2]);
}

/* The number in a file of the jobs' folder. */
static pid_t pid_in(const char *name)
{
	return (pid_t)strtol(text_of(in_home(name)), NULL, 10);
}

static bool is_alive(pid_t pid)
{
	return strchr("XZ", state_of(pid)) == NULL;
}

/* --- starting ------------------------------------------------------------------------------------ */

static const char *const no_words[] = {NULL};

/* A job of this test's user in his folder, its output in "out", its errors in "err". */
static struct launch launch_of(const char *const *words, uint32_t count)
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
			       .user = "eva",
			       .procs = 1,
			       .wall_limit_s = 60,
			       .grace_s = 1};
}

static struct launch launch_script(const char *text)
{
	struct launch launch = launch_of(no_words, 0);

	launch.script = text;
	launch.script_size = (uint32_t)strlen(text);
	launch.shell = "/bin/sh";
	return launch;
}

static int memory_file(const struct str *bytes)
{
	int fd = memfd_create("launch", 0);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes->data, bytes->len), bytes->len);
	return fd;
}

/* Our descriptors at their places, as the scheduler puts them; uid: whose process it is to be. */
static _Noreturn void become_shepherd(int launch, unsigned uid)
{
	char *const argv[] = {(char[]){SHEPHERD_PROGRAM}, (char[]){"12.1"}, NULL};
	char *const environment[] = {(char[]){"PATH=/usr/bin:/bin"}, (char[]){"OURS=secret"}, NULL};
	int at = fcntl(launch, F_DUPFD, 10), spool_at = fcntl(folder, F_DUPFD, 10);

	if (dup2(at, SHEPHERD_LAUNCH_FD) < 0 || dup2(spool_at, SHEPHERD_FOLDER_FD) < 0)
		_exit(90);
	if (uid != getuid() && (setresgid(uid, uid, uid) != 0 || setresuid(uid, uid, uid) != 0))
		_exit(91);
	signal(SIGCHLD, SIG_IGN); /* survives exec: the shepherd must not inherit it */
	execve(program, argv, environment);
	_exit(92);
}

static pid_t start_bytes(const struct str *bytes, unsigned uid)
{
	int fd = memory_file(bytes);
	pid_t pid = fork();

	if (pid == 0)
		become_shepherd(fd, uid);
	close(fd);
	assert_true(pid > 0);
	return pid;
}

static pid_t start(const struct launch *launch)
{
	struct str bytes = {0};
	pid_t pid;

	launch_write(launch, &bytes);
	pid = start_bytes(&bytes, getuid());
	str_free(&bytes);
	return pid;
}

static int exit_of(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static enum spool_fate judge(uint64_t job)
{
	return spool_judge(folder, job, 1, boot_id, &spool, &err);
}

static void finish(pid_t pid)
{
	assert_int_equal(exit_of(pid), SHEPHERD_DONE);
	assert_int_equal(judge(12), SPOOL_ENDED);
	assert_int_equal(spool.ended.survivors, 0);
}

static void run(const struct launch *launch)
{
	finish(start(launch));
}

static void assert_end(enum end_reason reason, int32_t status)
{
	assert_string_equal(spool.ended.text, "");
	assert_int_equal(spool.ended.reason, reason);
	assert_int_equal(spool.ended.status, status);
}

/* It never ran, and this sentence, with the jobs' folder in place of @, says why. */
static void assert_not_started(const char *sentence)
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
static void order(pid_t pid, enum shepherd_order what, int number)
{
	assert_int_equal(sigqueue(pid, SIGRTMIN + (int)what, (union sigval){.sival_int = number}), 0);
}

/* --- how jobs end -------------------------------------------------------------------------------- */

static void exit_status_and_signal_come_back(void **state)
{
	static const char *const killed[] = {"sh", "-c", "kill -9 $$", NULL};
	struct launch launch = launch_script("exit 7\n");

	(void)state;
	run(&launch);
	assert_end(END_EXITED, 7);
	assert_true(spool.ended.begun_s > 0 && spool.ended.ended_s >= spool.ended.begun_s);
	assert_true(spool.ended.run_ms >= 0 && spool.ended.run_ms < 60000);
	assert_true(spool.has_begun && spool.begun.uid == who);
	spool_remove(folder, 12, 1, NULL);
	launch = launch_of(killed, 3);
	run(&launch);
	assert_end(END_EXITED, 256 + 9);
}

/* cat prints the script, as the kernel hands it over. */
static void a_script_is_run_byte_for_byte(void **state)
{
	static const char script[] = "#!/bin/cat\nprintf '\0\xff\0'\n";
	struct launch launch = launch_of(no_words, 0);
	char out[sizeof script + 1] = "";
	int fd;

	(void)state;
	launch.script = script;
	launch.script_size = sizeof script;
	run(&launch);
	assert_end(END_EXITED, 0);
	fd = open(in_home("out"), O_RDONLY | O_CLOEXEC);
	assert_int_equal(read(fd, out, sizeof out), sizeof script);
	assert_memory_equal(out, script, sizeof script);
	close(fd);
}

static void a_script_without_interpreter_is_its_shells(void **state)
{
	struct launch launch =
		launch_script("x=1\necho $((x + 1)) $PWD\nls -l /proc/$$/fd | grep -c 'secret'\n");

	(void)state;
	run(&launch);
	assert_end(END_EXITED, 1);
	assert_string_equal(text_of(in_home("err")), "");
	assert_true(strncmp(text_of(in_home("out")), "2 /", 3) == 0);
	assert_non_null(strstr(text_of(in_home("out")), home));
}

static void what_the_first_process_leaves_behind_ends_too(void **state)
{
	struct launch launch = launch_script("sleep 1000 & setsid sleep 1000 & echo $! >last; exit 4\n");

	(void)state;
	run(&launch);
	assert_end(END_EXITED, 4);
	assert_false(is_alive(pid_in("last")));
}

/* --- files ---------------------------------------------------------------------------------------- */

static void output_and_errors_go_where_they_are_told(void **state)
{
	struct launch launch = launch_script("echo out; echo err >&2; cat; umask\n");

	(void)state;
	put_file(in_home("in"), "in\n", 0600);
	put_file(in_home("o12.100%"), "old\n", 0600);
	launch.input = in_home("in");
	launch.output = in_home("o%j.100%%");
	launch.errors = in_home("e%a%u");
	launch.umask = 027;
	run(&launch);
	assert_end(END_EXITED, 0);
	assert_string_equal(text_of(in_home("o12.100%")), "out\nin\n0027\n");
	assert_string_equal(text_of(in_home("eeva")), "err\n");
	spool_remove(folder, 12, 1, NULL);
	launch.flags = LAUNCH_JOIN | LAUNCH_APPEND;
	launch.input = NULL;
	run(&launch);
	assert_string_equal(text_of(in_home("o12.100%")), "out\nin\n0027\nout\nerr\n0027\n");
}

/* The job fails with the sentence; what the bait leads to is as it was. */
static void refuses_output(const char *sentence)
{
	struct launch launch = launch_script("echo harm\n");

	spool_remove(folder, 12, 1, NULL);
	run(&launch);
	assert_not_started(sentence);
	assert_string_equal(text_of(in_home("precious")), "precious");
	unlink(in_home("out"));
}

static void an_output_that_leads_elsewhere_is_not_opened(void **state)
{
	(void)state;
	put_file(in_home("precious"), "precious", 0600);
	assert_int_equal(symlink(in_home("precious"), in_home("out")), 0);
	refuses_output("its output @/out cannot be used: it is a symbolic link, which is not followed");
	assert_int_equal(link(in_home("precious"), in_home("out")), 0);
	refuses_output("its output @/out cannot be used: the file has other names as well (hard links)");
	assert_int_equal(mkfifo(in_home("out"), 0666), 0);
	assert_int_equal(chmod(in_home("out"), 0666), 0);
	refuses_output("its output @/out cannot be used: it is no file");
	int reader = open(in_home("precious"), O_RDONLY | O_CLOEXEC);

	assert_int_equal(mkfifo(in_home("out"), 0666), 0);
	assert_int_equal(chmod(in_home("out"), 0666), 0);
	int fifo = open(in_home("out"), O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	refuses_output("its output @/out cannot be used: it is no file"); /* though somebody listens */
	close(fifo);
	close(reader);
	assert_int_equal(mkdir(in_home("out"), 0777), 0);
	refuses_output("its output @/out cannot be used: Is a directory");
	rmdir(in_home("out"));
}

static void what_the_user_may_not_open_is_not_opened(void **state)
{
	struct launch launch = launch_script("true\n");

	(void)state;
	launch.input = "/etc/shadow";
	run(&launch);
	assert_not_started("its input /etc/shadow cannot be used: Permission denied");
	spool_remove(folder, 12, 1, NULL);
	launch.input = NULL;
	launch.output = "/etc/kahu-test-out";
	run(&launch);
	assert_not_started("its output /etc/kahu-test-out cannot be used: Permission denied");
}

static void a_path_that_is_not_there_is_a_sentence(void **state)
{
	struct launch launch = launch_script("true\n");

	(void)state;
	launch.errors = in_home("no/err");
	run(&launch);
	assert_not_started("its error output @/no/err cannot be used: its folder is not there");
	spool_remove(folder, 12, 1, NULL);
	launch.input = in_home("none");
	run(&launch);
	assert_not_started("its input @/none cannot be used: No such file or directory");
	spool_remove(folder, 12, 1, NULL);
	launch.dir = in_home("gone");
	run(&launch);
	assert_not_started("its working directory @/gone cannot be used: No such file or directory");
	spool_remove(folder, 12, 1, NULL);
	launch = launch_script("true\n");
	launch.output = in_home("%x");
	run(&launch);
	assert_int_equal(spool.ended.reason, END_NOT_STARTED);
	assert_non_null(strstr(spool.ended.text, "has a '%' that says nothing here"));
}

static void a_program_that_is_not_there_is_a_sentence(void **state)
{
	static const char *const missing[] = {"kahu-no-such-program", NULL};
	struct launch launch = launch_of(missing, 1);

	(void)state;
	run(&launch);
	assert_not_started(
		"kahu-no-such-program cannot be run: it is not there, or the program that it needs");
	spool_remove(folder, 12, 1, NULL);
	launch = launch_script("true\n");
	launch.shell = "/bin/nosuchshell";
	run(&launch);
	assert_not_started("/bin/nosuchshell cannot be run: it is not there, or the program that it needs");
	spool_remove(folder, 12, 1, NULL);
	launch = launch_script("#!/no/interpreter\n");
	run(&launch);
	assert_not_started("its script cannot be run: it is not there, or the program that it needs");
}

/* --- environment and place ------------------------------------------------------------------------ */

static bool has_line(const char *text, const char *line)
{
	size_t len = strlen(line);

	for (; text != NULL; text = strchr(text, '\n'), text = text == NULL ? NULL : text + 1)
		if (strncmp(text, line, len) == 0 && text[len] == '\n')
			return true;
	return false;
}

static void the_environment_is_built(void **state)
{
	static const char *const words[] = {"env", NULL};
	static const char *const own[] = {"MINE=1=2",  "PATH=/usr/bin:/bin:/mine", "KAHU_JOBID=99",
					  "USER=root", "OMP_NUM_THREADS=1",        NULL};
	static const char *const expected[] = {"MINE=1=2",
					       "PATH=/usr/bin:/bin:/mine",
					       "KAHU_JOBID=12[3]",
					       "KAHU_ATTEMPT=1",
					       "KAHU_ARRAY_ID=3",
					       "KAHU_JOBNAME=a name",
					       "KAHU_NODES=here*2",
					       "KAHU_PROCS=2",
					       "KAHU_QUEUE=fast",
					       "PBS_JOBID=12[3]",
					       "PBS_QUEUE=fast",
					       "PBS_ARRAYID=3",
					       "PBS_ENVIRONMENT=PBS_BATCH",
					       "OMP_NUM_THREADS=1",
					       "LANG=C.UTF-8",
					       "CUDA_VISIBLE_DEVICES=0,2",
					       "ROCR_VISIBLE_DEVICES=0,2",
					       "HIP_VISIBLE_DEVICES=0,2",
					       "NVIDIA_VISIBLE_DEVICES=0,2"};
	struct launch launch = launch_of(words, 1);
	const char *text;

	(void)state;
	launch.environment = (struct launch_words){own, 5};
	launch.label = "12[3]";
	launch.name = "a name";
	launch.nodes = "here*2";
	launch.class = "fast";
	launch.procs = 2;
	launch.devices = "0,2";
	run(&launch);
	assert_end(END_EXITED, 0);
	text = text_of(in_home("out"));
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
		if (!has_line(text, expected[i]))
			fail_msg("%s is not in\n%s", expected[i], text);
	assert_null(strstr(text, "OURS"));
	assert_null(strstr(text, "KAHU_JOBID=99"));
	assert_true(has_line(text, "USER=root") == (who == 0));
}

static void a_large_environment_is_carried(void **state)
{
	static const char *const words[] = {"sh", "-c", "env | grep -c ^V", NULL};
	static char item[200][1100], large[200 * 1024];
	const char *settings[201];
	struct launch launch = launch_of(words, 3);

	(void)state;
	for (int i = 0; i < 200; i++) {
		snprintf(item[i], sizeof item[i], "V%d=%01000d", i, i);
		settings[i] = item[i];
	}
	settings[200] = NULL;
	launch.environment = (struct launch_words){settings, 200};
	run(&launch);
	assert_end(END_EXITED, 0);
	assert_string_equal(text_of(in_home("out")), "200\n");
	spool_remove(folder, 12, 1, NULL);
	memset(large, 'x', sizeof large - 1);
	large[1] = '=';
	settings[0] = large;
	settings[1] = NULL;
	launch.environment.count = 1;
	run(&launch);
	assert_not_started("sh cannot be run: its arguments and environment are too large");
}

static void a_job_stays_on_its_processors(void **state)
{
	struct launch launch = launch_script("grep Cpus_allowed_list /proc/self/status\n");
	char cpus[16], expected[64];
	cpu_set_t ours;
	int first = 0;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof ours, &ours), 0);
	while (!CPU_ISSET((size_t)first, &ours))
		first++;
	snprintf(cpus, sizeof cpus, "%d", first);
	launch.cpus = cpus;
	run(&launch);
	assert_end(END_EXITED, 0);
	snprintf(expected, sizeof expected, "Cpus_allowed_list:\t%d\n", first);
	assert_string_equal(text_of(in_home("out")), expected);
	assert_string_equal(spool.begun.cpus, cpus);
	spool_remove(folder, 12, 1, NULL);
	launch.cpus = "1-x";
	run(&launch);
	assert_non_null(strstr(spool.ended.text, "it cannot be bound to processors: \"1-x\" is not a list"));
	assert_int_equal(spool.ended.reason, END_NOT_STARTED);
}

static void a_job_is_its_user_for_good(void **state)
{
	struct launch launch = launch_script("id -u; id -g; id -G; ulimit -c; cat /proc/self/oom_score_adj; "
					     "grep -E '^(SigIgn|SigBlk)' /proc/self/status\n");
	char expected[200];

	(void)state;
	run(&launch);
	assert_end(END_EXITED, 0);
	snprintf(expected, sizeof expected, "%u\n%u\n%u\n0\n", who, who, who);
	assert_true(strncmp(text_of(in_home("out")), expected, strlen(expected)) == 0);
	assert_non_null(strstr(text_of(in_home("out")),
			       "\n0\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n"));
}

static void a_user_that_is_not_known_is_a_sentence(void **state)
{
	struct launch launch = launch_script("true\n");

	(void)state;
	launch.uid = launch.gid = 54321;
	run(&launch);
	assert_not_started("its user 54321 is not known on this host (any more)");
}

/* --- limits and orders ---------------------------------------------------------------------------- */

/* A tree of double forks and sessions of their own that ignores TERM; each writes who he is. */
static const char stubborn[] =
	"trap '' TERM\n"
	"for i in 1 2 3; do\n"
	"	(setsid sh -c 'trap \"\" TERM; echo $$ >>pids; sleep 1000 & echo $! >>pids; wait' &)\n"
	"done\n"
	"echo $$ >>pids\n"
	"sleep 1000\n";

static int count_pids(bool only_alive)
{
	char pids[TEXT_ROOM];
	int count = 0;

	snprintf(pids, sizeof pids, "%s", text_of(in_home("pids")));
	for (const char *at = pids; *at != '\0'; at = strchr(at, '\n') + 1)
		count += !only_alive || is_alive((pid_t)strtol(at, NULL, 10));
	return count;
}

static void at_its_limit_nobody_of_a_job_survives(void **state)
{
	struct launch launch = launch_script(stubborn);

	(void)state;
	launch.wall_limit_s = 1;
	run(&launch);
	assert_end(END_WALL_LIMIT, 256 + 9);
	assert_int_equal(count_pids(false), 7);
	assert_int_equal(count_pids(true), 0);
	assert_true(spool.ended.run_ms >= 2000 && spool.ended.run_ms < 4000);
}

static void a_cancelled_job_is_asked_first(void **state)
{
	struct launch launch =
		launch_script("trap 'echo asked; exit 9' TERM\necho ready\nsleep 1000 & wait\n");
	pid_t pid = start(&launch);

	(void)state;
	WAIT_UNTIL(strcmp(text_of(in_home("out")), "ready\n") == 0);
	order(pid, SHEPHERD_CANCEL, 0);
	finish(pid);
	assert_end(END_CANCELLED, 9);
	assert_string_equal(text_of(in_home("out")), "ready\nasked\n");
}

static void a_job_can_be_killed_at_once(void **state)
{
	struct launch launch = launch_script(stubborn);
	pid_t pid;

	(void)state;
	launch.grace_s = 1000;
	pid = start(&launch);
	WAIT_UNTIL(count_pids(false) == 7);
	order(pid, SHEPHERD_CANCEL, 0); /* a second word is harder */
	order(pid, SHEPHERD_CANCEL, 1);
	finish(pid);
	assert_end(END_CANCELLED, 256 + 9);
	assert_int_equal(count_pids(true), 0);
}

static bool shows_suspended(bool expected)
{
	return spool_read(folder, 12, 1, &spool, &err) && spool.has_usage &&
	       spool.usage.suspended == expected;
}

/* A number that grows while the job works. */
static void while_suspended_the_limit_stands_still(void **state)
{
	static const char script[] =
		"echo $$ >me; i=0; while :; do i=$((i + 1)); echo $i >count; sleep 0.01; done\n";
	struct launch launch = launch_script(script);
	int64_t since_ms;
	char before[TEXT_ROOM];
	pid_t pid, shell;

	(void)state;
	launch.wall_limit_s = 1;
	pid = start(&launch);
	WAIT_UNTIL(text_of(in_home("count"))[0] != '\0');
	order(pid, SHEPHERD_SUSPEND, 0);
	WAIT_UNTIL(shows_suspended(true));
	since_ms = time_ms();
	shell = pid_in("me");
	WAIT_UNTIL(strchr("TD", state_of(shell)) != NULL); /* D: it waits for the exec of a stopped child */
	assert_true(spool.usage.processes >= 1 && spool.usage.mem_kb > 0);
	snprintf(before, sizeof before, "%s", text_of(in_home("count")));
	WAIT_UNTIL(time_ms() > since_ms + 1200);
	assert_string_equal(text_of(in_home("count")), before);
	assert_int_equal(judge(12), SPOOL_ALIVE);
	order(pid, SHEPHERD_RESUME, 0);
	WAIT_UNTIL(strcmp(text_of(in_home("count")), before) != 0);
	finish(pid);
	assert_end(END_WALL_LIMIT, 256 + 15);
	assert_true(spool.ended.run_ms >= 1000 && spool.ended.run_ms < 2000);
}

static void a_suspended_job_can_be_cancelled(void **state)
{
	struct launch launch =
		launch_script("trap 'exit 9' TERM\necho ready\nwhile :; do sleep 0.01; done\n");
	pid_t pid = start(&launch);

	(void)state;
	WAIT_UNTIL(strcmp(text_of(in_home("out")), "ready\n") == 0);
	order(pid, SHEPHERD_SUSPEND, 0);
	order(pid, SHEPHERD_CANCEL, 0);
	finish(pid);
	assert_end(END_CANCELLED, 9);
}

static void a_signal_reaches_the_job(void **state)
{
	struct launch launch = launch_script("trap 'echo got; exit 3' USR1\necho ready\nsleep 1000 & wait\n");
	pid_t pid = start(&launch);

	(void)state;
	WAIT_UNTIL(strcmp(text_of(in_home("out")), "ready\n") == 0);
	order(pid, SHEPHERD_SIGNAL, 0);
	order(pid, SHEPHERD_SIGNAL, 1000);
	kill(pid, SIGTERM); /* nobody ends a shepherd like this */
	order(pid, SHEPHERD_SIGNAL, SIGUSR1);
	finish(pid);
	assert_end(END_EXITED, 3);
	assert_string_equal(text_of(in_home("out")), "ready\ngot\n");
}

/* sleep does not catch it, so it is not disturbed. */
static void the_warning_reaches_those_who_listen(void **state)
{
	struct launch launch =
		launch_script("trap 'kill -0 $! && echo warned; exit 5' USR1\nsleep 1000 & wait\n");

	(void)state;
	launch.wall_limit_s = 100;
	launch.warn_s = 99;
	launch.warn_signal = SIGUSR1;
	run(&launch);
	assert_end(END_EXITED, 5);
	assert_string_equal(text_of(in_home("out")), "warned\n");
}

static void a_new_limit_counts_from_the_start(void **state)
{
	struct launch launch = launch_script("echo ready; exec sleep 1000\n");
	pid_t pid = start(&launch);

	(void)state;
	WAIT_UNTIL(strcmp(text_of(in_home("out")), "ready\n") == 0);
	order(pid, SHEPHERD_LIMIT, 1);
	finish(pid);
	assert_end(END_WALL_LIMIT, 256 + 15);
	assert_true(spool.ended.run_ms >= 1000 && spool.ended.run_ms < 3000);
}

/* tail keeps all it reads; it has more than it may, but not so much that it cannot get it. */
static void a_job_that_takes_too_much_memory_is_killed(void **state)
{
	struct launch launch = launch_script("{ head -c 60000000 /dev/zero; sleep 1000; } | tail -n 1\n");

	(void)state;
	launch.mem_mb = 40;
	run(&launch);
	assert_end(END_MEM_LIMIT, 256 + 9);
	assert_true(spool.ended.mem_peak_kb > 40 * 1024);
	assert_true(spool.ended.user_ms + spool.ended.system_ms > 0);
}

/* --- at most once, whoever dies ------------------------------------------------------------------- */

static void a_second_shepherd_does_nothing(void **state)
{
	struct launch launch = launch_script("echo begun >>starts\nwhile [ ! -e go ]; do sleep 0.01; done\n");
	pid_t first = start(&launch);

	(void)state;
	WAIT_UNTIL(text_of(in_home("starts"))[0] != '\0');
	assert_int_equal(exit_of(start(&launch)), SHEPHERD_NOT_IT);
	put_file(in_home("go"), "", 0644);
	finish(first);
	assert_int_equal(exit_of(start(&launch)), SHEPHERD_NOT_IT);
	assert_string_equal(text_of(in_home("starts")), "begun\n");
	assert_end(END_EXITED, 0);
}

static void when_its_shepherd_is_killed_a_job_is_lost(void **state)
{
	struct launch launch = launch_script("echo $$ >me; exec sleep 1000\n");
	pid_t pid = start(&launch);

	(void)state;
	WAIT_UNTIL(text_of(in_home("me"))[0] != '\0');
	assert_int_equal(judge(12), SPOOL_ALIVE);
	assert_int_equal(spool.begun.pid, pid);
	assert_int_equal(spool.begun.pid_start, spool_pid_start(pid));
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(judge(12), SPOOL_LOST);
	WAIT_UNTIL(!is_alive(pid_in("me")));
}

static void a_launch_that_makes_no_sense_is_not_begun(void **state)
{
	struct launch launch = launch_script("true\n");
	struct str bytes = {0};

	(void)state;
	launch.wall_limit_s = 0;
	assert_int_equal(exit_of(start(&launch)), SHEPHERD_FAILED);
	assert_int_equal(judge(12), SPOOL_NONE);
	str_add(&bytes, "KL1?");
	assert_int_equal(exit_of(start_bytes(&bytes, getuid())), SHEPHERD_FAILED);
	str_free(&bytes);
}

/* --- the site -------------------------------------------------------------------------------------- */

static void the_sites_programs_run_around_a_job(void **state)
{
	struct launch launch = launch_script("cat before\n");
	char text[2000];

	(void)state;
	snprintf(text, sizeof text,
		 "#!/bin/sh\necho $KAHU_JOBID $KAHU_USER $KAHU_UID $OURS >%s/before\nsleep 1000 &\n", home);
	put_file(in_home("prolog"), text, 0755);
	snprintf(text, sizeof text, "#!/bin/sh\ncat %s/out >%s/after\nexit 3\n", home, home);
	put_file(in_home("epilog"), text, 0755);
	launch.prolog = in_home("prolog");
	launch.epilog = in_home("epilog");
	run(&launch);
	assert_end(END_EXITED, 0);
	snprintf(text, sizeof text, "12 eva %u\n", who);
	assert_string_equal(text_of(in_home("out")), text);
	assert_string_equal(text_of(in_home("after")), text);
}

static void a_prolog_can_refuse_a_job(void **state)
{
	struct launch launch = launch_script("true\n");
	char expected[1000];

	(void)state;
	put_file(in_home("prolog"), "#!/bin/sh\nexit 3\n", 0755);
	launch.prolog = in_home("prolog");
	run(&launch);
	assert_int_equal(spool.ended.reason, END_PROLOG);
	snprintf(expected, sizeof expected, "%s/prolog ended with status 3", home);
	assert_string_equal(spool.ended.text, expected);
	assert_int_equal(access(in_home("out"), F_OK), -1);
	spool_remove(folder, 12, 1, NULL);
	launch.prolog = "/no/prolog";
	run(&launch);
	assert_string_equal(spool.ended.text, "/no/prolog could not be run, or ended with status 127");
}

/* It waits for the prolog, and then there is no job. */
static void a_job_cancelled_before_its_start_never_runs(void **state)
{
	struct launch launch = launch_script("true\n");
	char text[2000];
	pid_t pid;

	(void)state;
	snprintf(text, sizeof text, "#!/bin/sh\ncd %s; echo >begun; while [ ! -e go ]; do sleep 0.01; done\n",
		 home);
	put_file(in_home("prolog"), text, 0755);
	launch.prolog = in_home("prolog");
	pid = start(&launch);
	WAIT_UNTIL(access(in_home("begun"), F_OK) == 0);
	order(pid, SHEPHERD_CANCEL, 0);
	put_file(in_home("go"), "", 0644);
	finish(pid);
	assert_int_equal(spool.ended.reason, END_CANCELLED);
	assert_int_equal(access(in_home("out"), F_OK), -1);
}

/* --- who waits -------------------------------------------------------------------------------------- */

/* The job with a terminal of ours; its words, then how it ended. */
static void who_waits_gets_terminal_and_end(void **state)
{
	struct launch launch = launch_script("tty; test -t 0 && echo yes >/dev/tty; exit 6\n");
	int listening, terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), side, connection;
	char name[100], words[1000] = "", expected[200];
	size_t len = 0;
	uint32_t reason;
	int32_t status;
	pid_t pid;

	(void)state;
	assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
	assert_int_equal(ptsname_r(terminal, name, sizeof name), 0);
	side = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_int_equal(fchown(side, who, who), 0);
	listening = waiter_listen(in_home("w"), &err);
	assert_true(listening >= 0);
	assert_int_equal(chmod(in_home("w"), 0777), 0);
	launch.waiter = in_home("w");
	launch.flags = LAUNCH_PTY;
	pid = start(&launch);
	connection = waiter_accept(listening, 12, (const int[]){side, side, side}, &err);
	if (who != getuid()) { /* it comes as its user, who is somebody else than us */
		assert_int_equal(connection, -1);
		assert_string_equal(err.text, "somebody else than the job came");
		finish(pid);
		assert_non_null(strstr(spool.ended.text, "does not answer"));
	} else {
		assert_true(connection >= 0);
		assert_true(waiter_hear(connection, &reason, &status));
		assert_true(reason == END_EXITED && status == 6);
		finish(pid);
		snprintf(expected, sizeof expected, "%s\r\nyes\r\n", name);
		while (len < strlen(expected)) {
			ssize_t n = read(terminal, words + len, sizeof words - 1 - len);

			assert_true(n > 0);
			len += (size_t)n;
		}
		assert_string_equal(words, expected);
		close(connection);
	}
	close(listening);
	close(side);
	close(terminal);
}

/* --- single user ------------------------------------------------------------------------------------ */

static void without_root_only_own_jobs_run(void **state)
{
	struct launch launch = launch_script("id -u\n");
	struct str bytes = {0};
	char expected[32];

	(void)state;
	if (who != getuid())
		assert_int_equal(fchown(folder, who, who), 0);
	launch_write(&launch, &bytes);
	finish(start_bytes(&bytes, who));
	assert_end(END_EXITED, 0);
	snprintf(expected, sizeof expected, "%u\n", who);
	assert_string_equal(text_of(in_home("out")), expected);
	if (who != 0) {
		spool_remove(folder, 12, 1, NULL);
		str_clear(&bytes);
		launch.uid = 0;
		launch_write(&launch, &bytes);
		finish(start_bytes(&bytes, who));
		snprintf(expected, sizeof expected, "of user %u only", who);
		assert_int_equal(spool.ended.reason, END_NOT_STARTED);
		assert_non_null(strstr(spool.ended.text, expected));
	}
	str_free(&bytes);
}

/* --- cgroups ----------------------------------------------------------------------------------------- */

static char cgroup[200];

/* One below the root of whatever cgroup v2 there is. */
static bool make_cgroup(void)
{
	static const char *const roots[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
	char file[300];

	for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
		snprintf(file, sizeof file, "%s/cgroup.controllers", roots[i]);
		snprintf(cgroup, sizeof cgroup, "%s/kahu-test-%d", roots[i], (int)getpid());
		if (access(file, F_OK) == 0 && mkdir(cgroup, 0755) == 0)
			return true;
	}
	cgroup[0] = '\0';
	return false;
}

static struct launch launch_in_cgroup(const char *script)
{
	struct launch launch = launch_script(script);

	launch.cgroup = cgroup;
	return launch;
}

static void a_cgroup_holds_a_job_together(void **state)
{
	struct launch launch = launch_in_cgroup(stubborn);
	char own[300];
	pid_t pid;

	(void)state;
	if (cgroup[0] == '\0')
		skip();
	snprintf(own, sizeof own, "%s/job.12.1/cgroup.procs", cgroup);
	launch.grace_s = 0;
	pid = start(&launch);
	WAIT_UNTIL(count_pids(false) == 7);
	WAIT_UNTIL(judge(12) == SPOOL_ALIVE && spool.has_begun);
	assert_true(spool.begun.level >= HOLD_KILL_ONLY);
	assert_true(strlen(text_of(own)) > 0);
	order(pid, SHEPHERD_CANCEL, 0);
	finish(pid);
	assert_end(END_CANCELLED, 256 + 9);
	assert_int_equal(count_pids(true), 0);
	assert_int_equal(access(own, F_OK), -1);
}

static void a_cgroup_is_frozen_while_suspended(void **state)
{
	struct launch launch =
		launch_in_cgroup("trap 'exit 9' TERM\necho $$ >me\nwhile :; do sleep 0.01; done\n");
	char events[300];
	pid_t pid;

	(void)state;
	if (cgroup[0] == '\0')
		skip();
	snprintf(events, sizeof events, "%s/job.12.1/cgroup.events", cgroup);
	pid = start(&launch);
	WAIT_UNTIL(text_of(in_home("me"))[0] != '\0');
	order(pid, SHEPHERD_SUSPEND, 0);
	WAIT_UNTIL(has_line(text_of(events), "frozen 1"));
	assert_true(state_of(pid_in("me")) != 'T');
	order(pid, SHEPHERD_CANCEL, 0);
	finish(pid);
	assert_end(END_CANCELLED, 9);
}

static void a_cgroup_that_cannot_be_had_is_done_without(void **state)
{
	struct launch launch = launch_in_cgroup("exit 3\n");

	(void)state;
	launch.cgroup = "/nonexistent/cgroup";
	run(&launch);
	assert_end(END_EXITED, 3);
	assert_int_equal(spool.begun.level, HOLD_NONE);
	spool_remove(folder, 12, 1, NULL);
	launch.cgroup = home; /* a folder, but no cgroup */
	run(&launch);
	assert_end(END_EXITED, 3);
	assert_int_equal(spool.begun.level, HOLD_NONE);
	assert_int_equal(access(in_home("job.12.1"), F_OK), -1);
}

/* --- all of them -------------------------------------------------------------------------------------- */

#define OURS(test)                                                                                           \
	{                                                                                                    \
#test, test, as_ourselves, remove_folder, NULL                                               \
	}
#define NOBODYS(test)                                                                                        \
	{                                                                                                    \
#test "_as_nobody", test, as_nobody, remove_folder, NULL                                     \
	}

static const struct CMUnitTest tests[] = {
	OURS(exit_status_and_signal_come_back),
	OURS(a_script_is_run_byte_for_byte),
	OURS(a_script_without_interpreter_is_its_shells),
	OURS(what_the_first_process_leaves_behind_ends_too),
	OURS(output_and_errors_go_where_they_are_told),
	OURS(an_output_that_leads_elsewhere_is_not_opened),
	OURS(a_path_that_is_not_there_is_a_sentence),
	OURS(a_program_that_is_not_there_is_a_sentence),
	OURS(the_environment_is_built),
	OURS(a_large_environment_is_carried),
	OURS(a_job_stays_on_its_processors),
	OURS(at_its_limit_nobody_of_a_job_survives),
	OURS(a_cancelled_job_is_asked_first),
	OURS(while_suspended_the_limit_stands_still),
	OURS(a_suspended_job_can_be_cancelled),
	OURS(a_signal_reaches_the_job),
	OURS(the_warning_reaches_those_who_listen),
	OURS(a_new_limit_counts_from_the_start),
	OURS(a_job_that_takes_too_much_memory_is_killed),
	OURS(a_second_shepherd_does_nothing),
	OURS(when_its_shepherd_is_killed_a_job_is_lost),
	OURS(a_launch_that_makes_no_sense_is_not_begun),
	OURS(the_sites_programs_run_around_a_job),
	OURS(a_prolog_can_refuse_a_job),
	OURS(a_job_cancelled_before_its_start_never_runs),
	OURS(who_waits_gets_terminal_and_end),
	OURS(without_root_only_own_jobs_run),
	OURS(a_cgroup_holds_a_job_together),
	OURS(a_cgroup_is_frozen_while_suspended),
	OURS(a_cgroup_that_cannot_be_had_is_done_without),
	/* As root only, from here on. */
	NOBODYS(exit_status_and_signal_come_back),
	NOBODYS(a_script_is_run_byte_for_byte),
	NOBODYS(a_script_without_interpreter_is_its_shells),
	NOBODYS(output_and_errors_go_where_they_are_told),
	NOBODYS(an_output_that_leads_elsewhere_is_not_opened),
	NOBODYS(what_the_user_may_not_open_is_not_opened),
	NOBODYS(a_path_that_is_not_there_is_a_sentence),
	NOBODYS(a_program_that_is_not_there_is_a_sentence),
	NOBODYS(the_environment_is_built),
	NOBODYS(a_job_stays_on_its_processors),
	NOBODYS(a_job_is_its_user_for_good),
	NOBODYS(a_user_that_is_not_known_is_a_sentence),
	NOBODYS(a_job_can_be_killed_at_once),
	NOBODYS(when_its_shepherd_is_killed_a_job_is_lost),
	NOBODYS(the_sites_programs_run_around_a_job),
	NOBODYS(who_waits_gets_terminal_and_end),
	NOBODYS(without_root_only_own_jobs_run),
};
#define OURS_COUNT 30
#define ALL_COUNT  (sizeof tests / sizeof tests[0])

/* Beside the folder `build`, in which this program stands. */
static bool find_program(void)
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

int main(void)
{
	bool is_root = getuid() == 0;
	int failed;

	if (!find_program() || !spool_boot_id(boot_id, &err)) {
		printf("not ok %s is there: make builds it\n", program);
		return 1;
	}
	if (!make_cgroup())
		printf("# no cgroup v2 can be made here\n");
	if (!is_root)
		printf("# jobs of nobody # SKIP only root can start them\n");
	failed = _cmocka_run_group_tests("shepherd", tests, is_root ? ALL_COUNT : OURS_COUNT, NULL, NULL);
	if (cgroup[0] != '\0')
		rmdir(cgroup);
	return failed;
}
