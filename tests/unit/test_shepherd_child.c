/* SPDX-License-Identifier: MIT */
/*
 * test_shepherd_child.c - environment, processors, user and files of a job
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <linux/keyctl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "tests/emulated.h"
#include "tests/shepherd_run.h"

/* --- environment, processors, user
 * -------------------------------------------------------------------------- */

static void environment_contains_the_variables_of_the_job(void **state)
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
					       "CUDA_DEVICE_ORDER=PCI_BUS_ID",
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

/* Each job has the variables of both Slurm and PBS, which scripts written for these systems read. */
static void variables_of_slurm_and_pbs_are_set(void **state)
{
	static const char *const expected[] = {"SLURM_JOB_ID=12",
					       "SLURM_JOBID=12",
					       "SLURM_JOB_NAME=a name",
					       "SLURM_JOB_PARTITION=fast",
					       "SLURM_ARRAY_JOB_ID=7",
					       "SLURM_ARRAY_TASK_ID=3",
					       "SLURM_ARRAY_TASK_COUNT=5",
					       "SLURM_ARRAY_TASK_MIN=1",
					       "SLURM_ARRAY_TASK_MAX=9",
					       "SLURM_ARRAY_TASK_STEP=2",
					       "SLURM_NTASKS=3",
					       "SLURM_NPROCS=3",
					       "SLURM_CPUS_PER_TASK=2",
					       "SLURM_NNODES=2",
					       "SLURM_JOB_NUM_NODES=2",
					       "SLURM_JOB_NODELIST=n1,n2",
					       "SLURM_CPUS_ON_NODE=4",
					       "SLURM_JOB_CPUS_PER_NODE=4,2",
					       "SLURM_TASKS_PER_NODE=2,1",
					       "SLURM_MEM_PER_NODE=512",
					       "SLURM_GPUS=2",
					       "SLURM_GPUS_ON_NODE=2",
					       "SLURM_JOB_GPUS=0,2",
					       "SLURM_LOCALID=0",
					       "SLURM_PROCID=0",
					       "SLURM_SUBMIT_DIR=/",
					       "PBS_ARRAY_INDEX=3",
					       "PBS_ARRAY_ID=7[]",
					       "PBS_NP=6",
					       "PBS_NUM_NODES=2",
					       "PBS_NUM_PPN=4",
					       "PBS_WALLTIME=30"};
	struct launch launch =
		launch_script("env; cat \"$PBS_NODEFILE\" >nodes; echo \"$PBS_NODEFILE\" >name\n");
	const char *text;
	char name[64];

	(void)state;
	launch.label = "7[3]";
	launch.name = "a name";
	launch.nodes = "n1*4 n2*2";
	launch.class = "fast";
	launch.procs = 6;
	launch.tasks = 3;
	launch.mem_mb = 1024;
	launch.devices = "0,2";
	launch.submit_dir = "/";
	launch.array_tasks = 5;
	launch.array_first = 1;
	launch.array_last = 9;
	launch.array_step = 2;
	launch.wall_limit_s = 30;
	run(&launch);
	assert_end(END_EXITED, 0);
	text = text_of(in_home("out"));
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
		if (!has_line(text, expected[i]))
			fail_msg("%s is not in\n%s", expected[i], text);
	assert_string_equal(text_of(in_home("nodes")), "n1\nn1\nn2\n");
	text = text_of(in_home("name"));
	assert_int_equal(text[0], '/');
	snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "\n"), text);
	assert_int_equal(access(name, F_OK), -1); /* removed when the job ended */
}

/* A job submitted from inside another job does not inherit variables of its array, devices and memory. */
static void variables_of_an_outer_job_are_removed(void **state)
{
	static const char *const outer[] = {"SLURM_ARRAY_TASK_ID=4", "PBS_ARRAYID=4", "SLURM_JOB_GPUS=1",
					    "SLURM_MEM_PER_NODE=7", NULL};
	static const char *const words[] = {"env", NULL};
	struct launch launch = launch_of(words, 1);
	const char *text;

	(void)state;
	launch.environment = (struct launch_words){outer, 4};
	run(&launch);
	assert_end(END_EXITED, 0);
	text = text_of(in_home("out"));
	assert_null(strstr(text, "ARRAY"));
	assert_null(strstr(text, "SLURM_JOB_GPUS"));
	assert_null(strstr(text, "SLURM_MEM_PER_NODE"));
}

/* With and without an interpreter line. */
static void words_after_a_script_are_its_arguments(void **state)
{
	static const char *const words[] = {"two words", "-x", NULL};
	struct launch launch = launch_script("printf '%s|' \"$#\" \"$@\"\n");

	(void)state;
	launch.command = (struct launch_words){words, 2};
	run(&launch);
	assert_end(END_EXITED, 0);
	assert_string_equal(text_of(in_home("out")), "2|two words|-x|");
	spool_remove(folder, 12, 1, NULL);
	launch.script = "#!/bin/sh\nprintf '%s|' \"$#\" \"$@\"\n";
	launch.script_size = (uint32_t)strlen(launch.script);
	run(&launch);
	assert_end(END_EXITED, 0);
	assert_string_equal(text_of(in_home("out")), "2|two words|-x|");
}

static void an_empty_device_list_hides_all_devices(void **state)
{
	static const char *const words[] = {"env", NULL};
	struct launch launch = launch_of(words, 1);

	(void)state;
	run(&launch); /* no device list */
	assert_null(strstr(text_of(in_home("out")), "VISIBLE_DEVICES"));
	spool_remove(folder, 12, 1, NULL);
	launch.devices = ""; /* an empty device list: the job has none of the host's devices */
	run(&launch);
	assert_true(has_line(text_of(in_home("out")), "CUDA_VISIBLE_DEVICES="));
	assert_true(has_line(text_of(in_home("out")), "NVIDIA_VISIBLE_DEVICES=void"));
}

static void a_large_environment_is_passed_or_refused(void **state)
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
	assert_int_equal(spool.ended.reason, END_HOST_FAULT);
}

/* Every other processor of a host of 1024, and 64 devices with the longest names. */
static void long_lists_are_stored_in_the_spool_file_or_refused(void **state)
{
	struct launch launch = launch_script("echo \"$CUDA_VISIBLE_DEVICES\"\n");
	struct str cpus = {0}, devices = {0};

	(void)state;
	for (unsigned id = 0; id < 1024; id += 2)
		str_addf(&cpus, id > 0 ? ",%u" : "%u", id);
	for (unsigned i = 0; i < 64; i++)
		str_addf(&devices, i > 0 ? ",GPU-%043u" : "GPU-%043u", i);
	launch.cpus = str_text(&cpus);
	launch.devices = str_text(&devices);
	run(&launch);
	assert_end(END_EXITED, 0);
	assert_string_equal(spool.begun.cpus, launch.cpus);
	assert_string_equal(spool.begun.devices, launch.devices);
	spool_remove(folder, 12, 1, NULL);
	for (unsigned i = 64; i < 100; i++)
		str_addf(&devices, ",GPU-%043u", i);
	launch.devices = str_text(&devices);
	assert_int_equal(exit_of(start(&launch)), SHEPHERD_FAILED); /* the list is not truncated */
	assert_int_equal(judge(12), SPOOL_NONE);
	str_free(&cpus);
	str_free(&devices);
}

static void a_job_runs_with_the_ids_and_defaults_of_its_user(void **state)
{
	struct launch launch = launch_script("id -u; id -g; id -G; ulimit -c; cat /proc/self/oom_score_adj; "
					     "grep -E '^(SigIgn|SigBlk)' /proc/self/status\n");
	char expected[200];

	(void)state;
	run(&launch);
	assert_end(END_EXITED, 0);
	snprintf(expected, sizeof expected,
		 "%u\n%u\n%u\n0\n0\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n", who, who, who);
	assert_string_equal(text_of(in_home("out")), expected);
}

/* A process that has a keyring can use its keys with any uid. */
static void a_job_does_not_have_the_keys_of_root(void **state)
{
	struct launch launch = launch_script("grep -c kahu-of-root /proc/keys\n");

	(void)state;
	if (getuid() != 0 || access("/proc/keys", R_OK) != 0 ||
	    syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) < 0)
		skip();
	assert_true(syscall(SYS_add_key, "user", "kahu-of-root", "secret", (size_t)6,
			    KEY_SPEC_SESSION_KEYRING) >= 0);
	run(&launch);
	assert_string_equal(text_of(in_home("out")), "0\n");
}

static void an_unknown_user_is_an_error(void **state)
{
	struct launch launch = launch_script("true\n");

	(void)state;
	launch.uid = launch.gid = 54321;
	run(&launch);
	assert_not_started("its user 54321 is unknown on this host");
}

/* As if the account was removed while the job waited, and its uid was assigned to another account. */
static void a_uid_that_now_belongs_to_another_account_is_refused(void **state)
{
	struct launch launch = launch_script("echo ran >>ran\n");
	char expected[200];

	(void)state;
	snprintf(expected, sizeof expected,
		 "uid %u belonged to eva when the job was submitted, and belongs to %s now; submit the job "
		 "again",
		 who, launch.user);
	launch.user = "eva";
	run(&launch);
	assert_not_started(expected);
	assert_string_equal(text_of(in_home("ran")), "");
}

static void a_group_that_its_user_has_left_is_refused(void **state)
{
	struct launch launch = launch_script("id -g >>ran\n");
	char expected[200];

	(void)state;
	launch.gid = 1; /* daemon's */
	snprintf(
		expected, sizeof expected,
		"%s is no longer a member of group 1, with which the job was submitted; submit the job again",
		launch.user);
	run(&launch);
	assert_not_started(expected);
	assert_string_equal(text_of(in_home("ran")), "");
}

/* Root may use any group; without root, the group that runs the scheduler needs no membership. */
static void the_group_of_the_scheduler_needs_no_membership(void **state)
{
	struct launch launch = launch_script("id -g >>ran\n");

	(void)state;
	if (getuid() == 0)
		launch.gid = 1;
	run(&launch);
	assert_end(END_EXITED, 0);
	assert_int_equal(pid_in("ran"), getuid() == 0 ? 1 : getgid());
}

/* The shepherd passes the script as descriptor 100, which the limit forbids. */
static void a_script_without_a_free_descriptor_is_an_error(void **state)
{
	struct launch launch = launch_script("echo ran >>out\n");
	struct rlimit before, few;
	pid_t pid;

	(void)state;
	if (is_emulated())
		skip();
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = 100;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	pid = start(&launch);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	finish(pid);
	assert_string_equal(spool.ended.text, "its script cannot be prepared: Bad file descriptor");
	assert_int_equal(spool.ended.reason, END_HOST_FAULT);
	assert_string_equal(text_of(in_home("out")), "");
}

/* Without a cgroup, the data limit of each process is twice the requested memory. */
static void without_a_cgroup_each_process_has_limits(void **state)
{
	struct launch launch =
		launch_script("awk '/^Max (data size|processes)/ { print $(NF - 2), $(NF - 1) }' "
			      "/proc/self/limits\n");
	char before[TEXT_ROOM];

	(void)state;
	run(&launch);
	assert_end(END_EXITED, 0);
	snprintf(before, sizeof before, "%s", text_of(in_home("out")));
	spool_remove(folder, 12, 1, NULL);
	launch.mem_mb = (INT64_MAX >> 21) + 1; /* too large for an rlimit */
	run(&launch);
	assert_end(END_EXITED, 0);
	assert_string_equal(text_of(in_home("out")), before);
	spool_remove(folder, 12, 1, NULL);
	launch.mem_mb = 100;
	launch.processes = 4000;
	run(&launch);
	assert_end(END_EXITED, 0);
	assert_string_equal(text_of(in_home("out")), "209715200 209715200\n4000 4000\n");
}

/* --- input and output files
 * ------------------------------------------------------------------------------------------ */

static void output_errors_and_input_use_the_given_paths(void **state)
{
	struct launch launch = launch_script("echo out; echo err >&2; cat; umask\n");
	char errors[64];

	(void)state;
	snprintf(errors, sizeof errors, "e%s", launch.user);
	put_file(in_home("in"), "in\n", 0600);
	put_file(in_home("o12.100%"), "old\n", 0600);
	launch.input = in_home("in");
	launch.output = in_home("o%j.100%%");
	launch.errors = in_home("e%a%u");
	launch.umask = 027;
	run(&launch);
	assert_end(END_EXITED, 0);
	assert_string_equal(text_of(in_home("o12.100%")), "out\nin\n0027\n");
	assert_string_equal(text_of(in_home(errors)), "err\n");
	spool_remove(folder, 12, 1, NULL);
	launch.flags = LAUNCH_JOIN | LAUNCH_APPEND;
	launch.input = NULL;
	run(&launch);
	assert_string_equal(text_of(in_home("o12.100%")), "out\nin\n0027\nout\nerr\n0027\n");
}

/* The launch data, for example, are still open in the child that becomes the job. */
static void a_path_cannot_name_a_descriptor_of_the_shepherd(void **state)
{
	char input[32];
	char sentence[120];

	(void)state;
	for (int fd = STDERR_FILENO + 1; fd < 40; fd++) {
		struct launch launch = launch_script("cat\n");

		spool_remove(folder, 12, 1, NULL);
		snprintf(input, sizeof input, "/proc/self/fd/%d", fd);
		launch.input = input;
		run(&launch);
		snprintf(sentence, sizeof sentence, "its input %s cannot be used: ", input);
		assert_true(judge(12) == SPOOL_ENDED);
		assert_int_equal(spool.ended.reason, END_NOT_STARTED);
		if (strncmp(spool.ended.text, sentence, strlen(sentence)) != 0)
			fail_msg("%s: %s", input, spool.ended.text);
	}
}

/* Checks that the job is not started, with this error, and that the file "precious" is unchanged. */
static void check_output_refused(const char *sentence)
{
	struct launch launch = launch_script("echo harm\n");

	spool_remove(folder, 12, 1, NULL);
	run(&launch);
	assert_not_started(sentence);
	assert_string_equal(text_of(in_home("precious")), "precious");
	unlink(in_home("out"));
}

static void links_fifos_and_directories_are_refused_as_output(void **state)
{
	(void)state;
	put_file(in_home("precious"), "precious", 0600);
	assert_int_equal(symlink(in_home("precious"), in_home("out")), 0);
	check_output_refused("its output @/out cannot be used: it is a symbolic link, which is not followed");
	assert_int_equal(link(in_home("precious"), in_home("out")), 0);
	check_output_refused(
		"its output @/out cannot be used: the file has other names as well (hard links)");
	assert_int_equal(mkfifo(in_home("out"), 0666), 0);
	assert_int_equal(chmod(in_home("out"), 0666), 0);
	check_output_refused("its output @/out cannot be used: it is not a regular file");
	int reader = open(in_home("precious"), O_RDONLY | O_CLOEXEC);

	assert_int_equal(mkfifo(in_home("out"), 0666), 0);
	assert_int_equal(chmod(in_home("out"), 0666), 0);
	int fifo = open(in_home("out"), O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	check_output_refused(
		"its output @/out cannot be used: it is not a regular file"); /* although the FIFO has a
										 reader */
	close(fifo);
	close(reader);
	assert_int_equal(mkdir(in_home("out"), 0777), 0);
	check_output_refused("its output @/out cannot be used: Is a directory");
	rmdir(in_home("out"));
}

static void a_file_of_another_user_in_a_shared_directory_is_refused(void **state)
{
	struct launch launch = launch_script("echo secret\n");

	(void)state;
	if (getuid() != 0)
		skip();
	assert_int_equal(mkdir(in_home("all"), 0777), 0);
	assert_int_equal(chmod(in_home("all"), 01777), 0);
	launch.output = in_home("all/out");
	put_file(in_home("all/out"), "bait\n", 0666);
	assert_int_equal(chown(in_home("all/out"), 1, 1), 0);
	run(&launch);
	assert_not_started("its output @/all/out cannot be used: it belongs to another user, in a "
			   "folder that others can write to");
	assert_string_equal(text_of(in_home("all/out")), "bait\n");
	spool_remove(folder, 12, 1, NULL);
	assert_int_equal(chown(in_home("all/out"), who, who), 0);
	run(&launch); /* accepted: the file belongs to the job's user */
	assert_end(END_EXITED, 0);
	assert_string_equal(text_of(in_home("all/out")), "secret\n");
	spool_remove(folder, 12, 1, NULL);
	assert_int_equal(chown(in_home("all/out"), 1, 1), 0);
	assert_int_equal(chmod(in_home("all"), 0777), 0);
	launch.output = in_home("all/out");
	run(&launch); /* refused: all users can replace files of the directory */
	assert_not_started("its output @/all/out cannot be used: it belongs to another user, in a "
			   "folder that others can write to");
	spool_remove(folder, 12, 1, NULL);
	assert_int_equal(chmod(in_home("all"), 0775), 0);
	run(&launch); /* refused: the group can replace files of the directory */
	assert_not_started("its output @/all/out cannot be used: it belongs to another user, in a "
			   "folder that others can write to");
	spool_remove(folder, 12, 1, NULL);
	assert_int_equal(chmod(in_home("all"), 0755), 0);
	run(&launch); /* accepted: only the directory's owner can replace its files */
	assert_end(END_EXITED, 0);
	spool_remove(folder, 12, 1, NULL);
	put_file(in_home("all/out"), "bait\n", 0666);
	assert_int_equal(chown(in_home("all/out"), 1, 1), 0);
	assert_int_equal(chown(in_home("all"), 1, 1), 0);
	assert_int_equal(chmod(in_home("all"), 01777), 0);
	launch.output = in_home("all/out");
	run(&launch); /* refused: the sticky directory belongs to the file's owner */
	assert_not_started("its output @/all/out cannot be used: it belongs to another user, in a "
			   "folder that others can write to");
	assert_string_equal(text_of(in_home("all/out")), "bait\n");
	spool_remove(folder, 12, 1, NULL);
	assert_int_equal(chmod(in_home("all"), 0755), 0);
	launch.output = in_home("all/out");
	run(&launch); /* refused: the directory belongs to the file's owner, now without write permission for
			 others */
	assert_not_started("its output @/all/out cannot be used: it belongs to another user, in a "
			   "folder that others can write to");
	spool_remove(folder, 12, 1, NULL);
	launch = launch_script("echo secret\n");
	launch.output = in_home("all/out");
	assert_int_equal(chown(in_home("all/out"), 0, 0), 0);
	run(&launch); /* refused: a file of root in a directory of another user */
	assert_not_started("its output @/all/out cannot be used: it belongs to another user, in a "
			   "folder that others can write to");
	assert_string_equal(text_of(in_home("all/out")), "bait\n");
	spool_remove(folder, 12, 1, NULL);
	assert_int_equal(chown(in_home("all"), 0, 0), 0);
	run(&launch); /* accepted: the file and its directory belong to root */
	assert_end(END_EXITED, 0);
}

static void links_proc_files_and_devices_are_refused_as_input(void **state)
{
	struct launch launch = launch_script("cat\n");

	(void)state;
	put_file(in_home("precious"), "precious", 0644);
	assert_int_equal(symlink(in_home("precious"), in_home("in")), 0);
	launch.input = in_home("in");
	run(&launch);
	assert_not_started("its input @/in cannot be used: it is a symbolic link, which is not followed");
	spool_remove(folder, 12, 1, NULL);
	launch.input = "/proc/self/maps";
	run(&launch);
	assert_not_started("its input /proc/self/maps cannot be used: it is a file of /proc");
	spool_remove(folder, 12, 1, NULL);
	launch.input = "/dev/zero";
	run(&launch);
	assert_not_started("its input /dev/zero cannot be used: it is not a regular file");
}

/* A lease is not treated as a temporary error; otherwise a user could make the start be retried endlessly. */
static void a_file_with_a_lease_fails_the_job(void **state)
{
	struct launch launch = launch_script("true\n");
	int fd;

	(void)state;
	launch.output = in_home("leased");
	put_file(in_home("leased"), "", 0666);
	fd = open(in_home("leased"), O_RDONLY | O_CLOEXEC);
	signal(SIGIO, SIG_IGN);
	assert_int_equal(fcntl(fd, F_SETLEASE, F_RDLCK), 0);
	run(&launch);
	assert_not_started("its output @/leased cannot be used: a process holds a lease on it");
	assert_int_equal(spool.ended.reason, END_NOT_STARTED);
	close(fd);
}

static void files_that_the_user_may_not_open_are_refused(void **state)
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

static void a_missing_or_invalid_path_is_an_error(void **state)
{
	struct launch launch = launch_script("true\n");

	(void)state;
	launch.errors = in_home("no/err");
	run(&launch);
	assert_not_started("its error output @/no/err cannot be used: its folder does not exist");
	spool_remove(folder, 12, 1, NULL);
	launch.input = in_home("none");
	run(&launch);
	assert_not_started("its input @/none cannot be used: No such file or directory");
	spool_remove(folder, 12, 1, NULL);
	assert_int_equal(mkfifo(in_home("fifo"), 0666), 0);
	assert_int_equal(chmod(in_home("fifo"), 0666), 0);
	launch.input = in_home("fifo");
	run(&launch);
	assert_not_started("its input @/fifo cannot be used: it is not a regular file");
	spool_remove(folder, 12, 1, NULL);
	launch.dir = in_home("gone");
	run(&launch);
	assert_not_started("its working directory @/gone cannot be used: No such file or directory");
	spool_remove(folder, 12, 1, NULL);
	launch = launch_script("true\n");
	launch.output = in_home("%x");
	run(&launch);
	assert_int_equal(spool.ended.reason, END_NOT_STARTED);
	assert_non_null(strstr(spool.ended.text, "unknown % sequence in "));
}

static void a_missing_program_is_an_error(void **state)
{
	static const char *const missing[] = {"kahu-no-such-program", NULL};
	struct launch launch = launch_of(missing, 1);

	(void)state;
	run(&launch);
	assert_not_started(
		"kahu-no-such-program cannot be run: it, or the interpreter that it needs, does not exist");
	spool_remove(folder, 12, 1, NULL);
	launch = launch_script("true\n");
	launch.shell = "/bin/nosuchshell";
	run(&launch);
	assert_not_started(
		"/bin/nosuchshell cannot be run: it, or the interpreter that it needs, does not exist");
	spool_remove(folder, 12, 1, NULL);
	launch = launch_script("#!/no/interpreter\n");
	run(&launch);
	assert_not_started("its script cannot be run: it, or the interpreter that it needs, does not exist");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		OURS(environment_contains_the_variables_of_the_job),
		OURS(variables_of_slurm_and_pbs_are_set),
		NOBODYS(variables_of_slurm_and_pbs_are_set),
		OURS(variables_of_an_outer_job_are_removed),
		OURS(words_after_a_script_are_its_arguments),
		OURS(an_empty_device_list_hides_all_devices),
		OURS(a_large_environment_is_passed_or_refused),
		OURS(a_job_stays_on_its_processors),
		OURS(long_lists_are_stored_in_the_spool_file_or_refused),
		OURS(a_script_without_a_free_descriptor_is_an_error),
		OURS(without_a_cgroup_each_process_has_limits),
		NOBODYS(environment_contains_the_variables_of_the_job),
		NOBODYS(a_job_stays_on_its_processors),
		NOBODYS(long_lists_are_stored_in_the_spool_file_or_refused),
		NOBODYS(a_job_runs_with_the_ids_and_defaults_of_its_user),
		NOBODYS(a_job_does_not_have_the_keys_of_root),
		NOBODYS(an_unknown_user_is_an_error),
		NOBODYS(a_uid_that_now_belongs_to_another_account_is_refused),
		NOBODYS(a_group_that_its_user_has_left_is_refused),
		OURS(the_group_of_the_scheduler_needs_no_membership),
		OURS(output_errors_and_input_use_the_given_paths),
		OURS(links_fifos_and_directories_are_refused_as_output),
		OURS(a_missing_or_invalid_path_is_an_error),
		OURS(a_path_cannot_name_a_descriptor_of_the_shepherd),
		NOBODYS(a_path_cannot_name_a_descriptor_of_the_shepherd),
		OURS(a_missing_program_is_an_error),
		NOBODYS(output_errors_and_input_use_the_given_paths),
		NOBODYS(links_fifos_and_directories_are_refused_as_output),
		NOBODYS(files_that_the_user_may_not_open_are_refused),
		NOBODYS(a_file_with_a_lease_fails_the_job),
		NOBODYS(a_file_of_another_user_in_a_shared_directory_is_refused),
		NOBODYS(links_proc_files_and_devices_are_refused_as_input),
		NOBODYS(a_missing_or_invalid_path_is_an_error),
		NOBODYS(a_missing_program_is_an_error),
	};

	return run_shepherd_tests("shepherd_child", tests, sizeof tests / sizeof tests[0]);
}
