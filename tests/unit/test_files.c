/* SPDX-License-Identifier: MIT */
/*
 * test_files.c - unit tests of reading and replacing whole files
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../store_dir.h"
#include "own_dir.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/host/files.h"

/* --- reading -------------------------------------------------------------------------------------- */

/* Creates a temporary folder; *state is its path. */
static int make_folder(void **state)
{
	char path[] = "/tmp/kahu-files-XXXXXX";

	if (!mkdtemp(path))
		return -1;
	*state = mem_string(path);
	return 0;
}

static int remove_folder(void **state)
{
	struct str command = {0};
	int status;

	str_addf(&command, "rm -rf '%s'", (const char *)*state);
	status = system(str_text(&command)); /* NOLINT(cert-env33-c): a folder of this test */
	str_free(&command);
	free(*state);
	return status;
}

static struct str path_of(void **state, const char *name)
{
	struct str path = {0};

	str_addf(&path, "%s/%s", (const char *)*state, name);
	return path;
}

static void put_file(const char *path, const char *bytes, size_t len)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

static void a_file_is_appended_to_the_text(void **state)
{
	static const char bytes[] = "one\0two\xff\n";
	struct str path = path_of(state, "file");
	struct str text = {0};
	struct err err;

	put_file(str_text(&path), bytes, sizeof bytes - 1);
	str_add(&text, "before:");
	assert_true(file_read(str_text(&path), 100, &text, &err));
	assert_int_equal(text.len, 7 + sizeof bytes - 1);
	assert_memory_equal(text.data, "before:one\0two\xff\n", text.len + 1);
	str_free(&text);
	str_free(&path);
}

static void an_empty_file_is_read(void **state)
{
	struct str path = path_of(state, "empty");
	struct str text = {0};
	struct err err;

	put_file(str_text(&path), "", 0);
	assert_true(file_read(str_text(&path), 100, &text, &err));
	assert_int_equal(text.len, 0);
	assert_string_equal(str_text(&text), "");
	str_free(&text);
	str_free(&path);
}

static void a_large_file_is_read_in_full(void **state)
{
	struct str path = path_of(state, "large");
	struct str bytes = {0};
	struct str text = {0};
	struct err err;

	for (int i = 0; i < 300000; i++)
		str_addf(&bytes, "%d\n", i);
	put_file(str_text(&path), bytes.data, bytes.len);
	assert_true(file_read(str_text(&path), bytes.len, &text, &err));
	assert_int_equal(text.len, bytes.len);
	assert_memory_equal(text.data, bytes.data, bytes.len);
	str_free(&text);
	str_free(&bytes);
	str_free(&path);
}

static void a_pipe_is_read_to_its_end(void **state)
{
	struct str path = path_of(state, "pipe");
	struct str command = {0};
	struct str text = {0};
	struct err err;

	assert_int_equal(mkfifo(str_text(&path), 0600), 0);
	str_addf(&command, "{ seq 1 50000 >'%s'; } &", str_text(&path));
	assert_int_equal(system(str_text(&command)), 0); /* NOLINT(cert-env33-c): constant text */
	assert_true(file_read(str_text(&path), 1 << 20, &text, &err));
	assert_int_equal(text.len, 288894);
	assert_memory_equal(text.data + text.len - 6, "50000\n", 6);
	str_free(&text);
	str_free(&command);
	str_free(&path);
}

/* file_read() waits for a writer for a limited time. */
static void a_pipe_without_a_writer_is_refused(void **state)
{
	struct str path = path_of(state, "unwritten");
	struct str text = {0};
	struct err err = {{0}};

	assert_int_equal(mkfifo(str_text(&path), 0600), 0);
	alarm(60);
	assert_false(file_read(str_text(&path), 100, &text, &err));
	alarm(0);
	assert_non_null(strstr(err.text, "unwritten: it is a FIFO, and no process writes to it"));
	str_free(&text);
	str_free(&path);
}

static void a_dash_is_standard_input(void **state)
{
	struct str path = path_of(state, "input");
	struct str text = {0};
	struct err err;
	int before = dup(STDIN_FILENO);
	int fd;

	put_file(str_text(&path), "typed", 5);
	fd = open(str_text(&path), O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	assert_true(file_read("-", 100, &text, &err));
	assert_string_equal(str_text(&text), "typed");
	assert_string_equal(file_name("-"), "standard input");
	assert_string_equal(file_name("x-"), "x-");
	if (before >= 0) {
		dup2(before, STDIN_FILENO);
		close(before);
	}
	close(fd);
	str_free(&text);
	str_free(&path);
}

/* Expects the error "cannot read PATH: REST", and unchanged text. */
static void expect_error(const char *path, size_t max_bytes, const char *rest)
{
	struct str text = {0};
	struct str sentence = {0};
	struct err err;

	str_add(&text, "before");
	str_addf(&sentence, "cannot read %s: %s", path, rest);
	assert_false(file_read(path, max_bytes, &text, &err));
	assert_string_equal(err.text, str_text(&sentence));
	assert_string_equal(str_text(&text), "before");
	assert_int_equal(text.len, 6);
	str_free(&sentence);
	str_free(&text);
}

static void an_unreadable_file_gives_an_error(void **state)
{
	struct str path = path_of(state, "refused");

	expect_error("/nowhere/at/all", 100, "No such file or directory; check the name");
	expect_error(*state, 100, "it is a directory; name a file in it");
	put_file(str_text(&path), "12345", 5);
	expect_error(str_text(&path), 4, "it has more than 4 bytes, the maximum");
	assert_int_equal(chmod(str_text(&path), 0), 0);
	if (geteuid() != 0)
		expect_error(str_text(&path), 100,
			     "Permission denied; ask its owner for permission to read it");
	expect_error("/dev/zero", 100000, "it has more than 100000 bytes, the maximum");
	str_free(&path);
}

static int read_fault; /* errno of the next read; 0 = it succeeds */
static bool fstat_fails;

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): replacements of functions of libc */
ssize_t read(int fd, void *out, size_t size)
{
	if (read_fault == 0)
		return syscall(SYS_read, fd, out, size);
	errno = read_fault;
	read_fault = 0;
	return -1;
}

int fstat(int fd, struct stat *out)
{
	if (!fstat_fails)
		return (int)syscall(SYS_fstat, fd, out);
	errno = EIO;
	return -1;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

static void reading_continues_after_a_signal_and_stops_at_an_error(void **state)
{
	struct str path = path_of(state, "some"), out = {0};
	struct err err;

	put_file(str_text(&path), "12345", 5);
	read_fault = EINTR;
	assert_true(file_read(str_text(&path), 100, &out, &err));
	assert_string_equal(str_text(&out), "12345");
	read_fault = EIO;
	expect_error(str_text(&path), 100, "Input/output error");
	fstat_fails = true;
	expect_error(str_text(&path), 100, "Input/output error");
	fstat_fails = false;
	str_add(&path, "/below");
	expect_error(str_text(&path), 100, "Not a directory");
	str_free(&path);
	str_free(&out);
}

/* Needs a child process without root's permissions: root can read every file. */
static void a_file_of_another_user_gives_advice(void **state)
{
	struct str path = path_of(state, "secret");
	struct err err;
	struct str out = {0};
	int status;
	pid_t pid;

	if (geteuid() != 0)
		skip();
	put_file(str_text(&path), "12345", 5);
	assert_int_equal(chmod(str_text(&path), 0600), 0);
	assert_int_equal(chmod(*state, 0755), 0);
	pid = fork();
	if (pid == 0) {
		if (setresuid(65534, 65534, 65534) != 0 || file_read(str_text(&path), 100, &out, &err))
			_exit(1);
		_exit(strstr(err.text, "Permission denied; ask its owner") == NULL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	str_free(&path);
}

/* --- replacement ---------------------------------------------------------------------------------- */

static void check_file(const char *name, const char *expected)
{
	char text[100] = "";
	FILE *f = fopen(name_in(&dir, name), "r");

	assert_non_null(f);
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(text, expected);
}

static int count_files(void)
{
	DIR *d = opendir(dir.path);
	int count = 0;

	while (readdir(d))
		count++;
	closedir(d);
	return count - 2;
}

static void write_file(const char *name, const char *content)
{
	struct outfile f;
	struct str text = {0};

	str_add(&text, content);
	assert_true(outfile_open(&f, name_in(&dir, name), NULL));
	assert_true(outfile_write(&f, &text, NULL));
	outfile_drop(&f);
	str_free(&text);
}

static void a_file_is_replaced_when_complete(void **state)
{
	struct outfile f;

	(void)state;
	write_file("a", "first\n");
	assert_true(outfile_open(&f, name_in(&dir, "a"), NULL));
	check_file("a", "first\n");
	outfile_drop(&f);
	check_file("a", "first\n");
	write_file("a", "second\n");
	check_file("a", "second\n");
	assert_int_equal(count_files(), 1);
}

static void an_unwritable_path_is_rejected_at_once(void **state)
{
	struct outfile f;
	struct err err;

	(void)state;
	assert_false(outfile_open(&f, name_in(&dir, "none/a"), &err));
	assert_non_null(strstr(err.text, "cannot write"));
	assert_false(outfile_open(&f, dir.path, &err));
	outfile_drop(&f);
	assert_int_equal(count_files(), 0);
}

/* In a folder that all users can write to, another user may guess the name of the temporary file. */
static void a_link_with_the_name_of_the_temporary_file_is_not_followed(void **state)
{
	char beside[40];

	(void)state;
	write_file("precious", "precious\n");
	snprintf(beside, sizeof beside, "a.%ld.new", (long)getpid());
	assert_int_equal(symlink("precious", name_in(&dir, beside)), 0);
	write_file("a", "ours\n");
	check_file("a", "ours\n");
	check_file("precious", "precious\n");
	assert_int_equal(count_files(), 2);
}

/* Another user may make links in a folder that all users can write to. */
static void a_link_of_another_user_to_a_device_is_replaced(void **state)
{
	struct stat st;

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(symlink("/dev/null", name_in(&dir, "a")), 0);
	assert_int_equal(lchown(name_in(&dir, "a"), 65534, 65534), 0);
	write_file("a", "ours\n");
	check_file("a", "ours\n");
	assert_true(lstat(name_in(&dir, "a"), &st) == 0 && S_ISREG(st.st_mode));
}

/* Keeps exchanging the target of a link: a device, a file. */
static void exchange_links(void)
{
	char link[600], next[600];

	snprintf(link, sizeof link, "%s", name_in(&dir, "a"));
	snprintf(next, sizeof next, "%s", name_in(&dir, "next"));
	for (unsigned i = 0;; i++)
		if (symlink(i % 2 ? "precious" : "/dev/null", next) != 0 || rename(next, link) != 0)
			_exit(1);
}

static void a_link_that_is_exchanged_meanwhile_is_not_followed_to_a_file(void **state)
{
	pid_t child;

	(void)state;
	write_file("precious", "precious\n");
	child = fork();
	if (child == 0)
		exchange_links();
	assert_true(child > 0);
	for (unsigned i = 0; i < 5000; i++)
		write_file("a", "ours\n");
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	check_file("precious", "precious\n");
}

static void a_device_is_written_directly(void **state)
{
	struct outfile f;
	struct str text = {0};

	(void)state;
	str_add(&text, "x");
	assert_true(outfile_open(&f, "/dev/null", NULL));
	assert_true(outfile_write(&f, &text, NULL));
	str_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_appended_to_the_text),
		cmocka_unit_test(an_empty_file_is_read),
		cmocka_unit_test(a_large_file_is_read_in_full),
		cmocka_unit_test(a_pipe_is_read_to_its_end),
		cmocka_unit_test(a_pipe_without_a_writer_is_refused),
		cmocka_unit_test(a_dash_is_standard_input),
		cmocka_unit_test(an_unreadable_file_gives_an_error),
		cmocka_unit_test(reading_continues_after_a_signal_and_stops_at_an_error),
		cmocka_unit_test(a_file_of_another_user_gives_advice),
		cmocka_unit_test_setup_teardown(a_file_is_replaced_when_complete, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(an_unwritable_path_is_rejected_at_once, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_link_with_the_name_of_the_temporary_file_is_not_followed,
						new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_link_of_another_user_to_a_device_is_replaced, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(a_link_that_is_exchanged_meanwhile_is_not_followed_to_a_file,
						new_dir, old_dir),
		cmocka_unit_test(a_device_is_written_directly),
	};

	return cmocka_run_group_tests_name("files", tests, make_folder, remove_folder);
}
