/* SPDX-License-Identifier: MIT */
/*
 * test_shepherd_files.c - does a job read and write what its user names, and nothing that somebody put there?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/shepherd_run.h"

/* --- files ------------------------------------------------------------------------------------------ */

static void output_and_errors_go_where_they_are_told(void **state)
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

/* Its launch, for one, is open while it becomes the job. */
static void a_path_names_no_descriptor_of_its_launch(void **state)
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

static void somebody_elses_file_in_a_folder_of_everybody_is_not_opened(void **state)
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
	run(&launch); /* his own will do */
	assert_end(END_EXITED, 0);
	assert_string_equal(text_of(in_home("all/out")), "secret\n");
	spool_remove(folder, 12, 1, NULL);
	assert_int_equal(chown(in_home("all/out"), 1, 1), 0);
	assert_int_equal(chmod(in_home("all"), 0777), 0);
	launch.output = in_home("all/out");
	run(&launch); /* nor where anybody can put a file of somebody else in place of another */
	assert_not_started("its output @/all/out cannot be used: it belongs to another user, in a "
			   "folder that others can write to");
	spool_remove(folder, 12, 1, NULL);
	assert_int_equal(chmod(in_home("all"), 0775), 0);
	run(&launch); /* nor where its group can */
	assert_not_started("its output @/all/out cannot be used: it belongs to another user, in a "
			   "folder that others can write to");
	spool_remove(folder, 12, 1, NULL);
	assert_int_equal(chmod(in_home("all"), 0755), 0);
	run(&launch); /* and where only he can put files nobody else has */
	assert_end(END_EXITED, 0);
	spool_remove(folder, 12, 1, NULL);
	put_file(in_home("all/out"), "bait\n", 0666);
	assert_int_equal(chown(in_home("all/out"), 1, 1), 0);
	assert_int_equal(chown(in_home("all"), 1, 1), 0);
	assert_int_equal(chmod(in_home("all"), 01777), 0);
	launch.output = in_home("all/out");
	run(&launch); /* nor in a folder for everybody that is the bait's owner's */
	assert_not_started("its output @/all/out cannot be used: it belongs to another user, in a "
			   "folder that others can write to");
	assert_string_equal(text_of(in_home("all/out")), "bait\n");
	spool_remove(folder, 12, 1, NULL);
	assert_int_equal(chmod(in_home("all"), 0755), 0);
	launch.output = in_home("all/out");
	run(&launch); /* nor in one that was for everybody until just now */
	assert_not_started("its output @/all/out cannot be used: it belongs to another user, in a "
			   "folder that others can write to");
	spool_remove(folder, 12, 1, NULL);
	launch = launch_script("echo secret\n");
	launch.output = in_home("all/out");
	assert_int_equal(chown(in_home("all/out"), 0, 0), 0);
	run(&launch); /* nor one of root that its owner has moved there */
	assert_not_started("its output @/all/out cannot be used: it belongs to another user, in a "
			   "folder that others can write to");
	assert_string_equal(text_of(in_home("all/out")), "bait\n");
	spool_remove(folder, 12, 1, NULL);
	assert_int_equal(chown(in_home("all"), 0, 0), 0);
	run(&launch); /* but in one of root's alone */
	assert_end(END_EXITED, 0);
}

static void an_input_that_leads_elsewhere_is_not_read(void **state)
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
	assert_not_started("its input /dev/zero cannot be used: it is no file");
}

/* A lease of the user on a file of his own is not a shortage that passes, or it could be retried endlessly.
 */
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
	assert_int_equal(mkfifo(in_home("fifo"), 0666), 0);
	assert_int_equal(chmod(in_home("fifo"), 0666), 0);
	launch.input = in_home("fifo");
	run(&launch);
	assert_not_started("its input @/fifo cannot be used: it is no file");
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

int main(void)
{
	static const struct CMUnitTest tests[] = {
		OURS(output_and_errors_go_where_they_are_told),
		OURS(an_output_that_leads_elsewhere_is_not_opened),
		OURS(a_path_that_is_not_there_is_a_sentence),
		OURS(a_path_names_no_descriptor_of_its_launch),
		NOBODYS(a_path_names_no_descriptor_of_its_launch),
		OURS(a_program_that_is_not_there_is_a_sentence),
		NOBODYS(output_and_errors_go_where_they_are_told),
		NOBODYS(an_output_that_leads_elsewhere_is_not_opened),
		NOBODYS(what_the_user_may_not_open_is_not_opened),
		NOBODYS(a_file_with_a_lease_fails_the_job),
		NOBODYS(somebody_elses_file_in_a_folder_of_everybody_is_not_opened),
		NOBODYS(an_input_that_leads_elsewhere_is_not_read),
		NOBODYS(a_path_that_is_not_there_is_a_sentence),
		NOBODYS(a_program_that_is_not_there_is_a_sentence),
	};

	return run_shepherd_tests("shepherd_files", tests, sizeof tests / sizeof tests[0]);
}
