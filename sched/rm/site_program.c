/* SPDX-License-Identifier: MIT */
/*
 * site_program.c - start of site programs, and their answers
 *
 * The input is a file in memory (memfd), so that a program that does not read it cannot block the caller. The
 * program has its own session, and therefore no access to the terminal from which the caller was started.
 */
#include "site_program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "monotonic.h"
#include "sched/base/vec.h"
#include "trusted.h"

/* --- start -------------------------------------------------------------------------------------------- */

#define ENVIRONMENT_ROOM 64

int spawn_input(const struct str *text)
{
	int fd = memfd_create("kahu-input", MFD_CLOEXEC);
	size_t done = 0;

	while (fd >= 0 && done < text->len) {
		ssize_t n = write(fd, text->data + done, text->len - done);

		if (n == 0)
			errno = ENOSPC;
		if (n > 0) {
			done += (size_t)n;
		} else if (errno != EINTR) {
			close(fd);
			return -1;
		}
	}
	if (fd >= 0)
		lseek(fd, 0, SEEK_SET);
	return fd;
}

static void make_environment(const char *const *own, const char *out[static ENVIRONMENT_ROOM])
{
	size_t count = 0;

	out[count++] = "PATH=/usr/local/bin:/usr/bin:/bin";
	out[count++] = "LC_ALL=C";
	for (; *own != NULL && count < ENVIRONMENT_ROOM - 1; own++)
		out[count++] = *own;
	out[count] = NULL;
}

static void give_file(posix_spawn_file_actions_t *files, int fd, int to)
{
	if (fd >= 0)
		posix_spawn_file_actions_adddup2(files, fd, to);
	else
		posix_spawn_file_actions_addopen(files, to, "/dev/null", O_RDWR, 0);
}

static void give_files(posix_spawn_file_actions_t *files, int in, int out, int errors)
{
	give_file(files, in, STDIN_FILENO);
	give_file(files, out, STDOUT_FILENO);
	give_file(files, errors, STDERR_FILENO);
	posix_spawn_file_actions_addclosefrom_np(files, STDERR_FILENO + 1);
	posix_spawn_file_actions_addchdir_np(files, "/");
}

int spawn_program(const char *const *argv, const char *const *environment, int in, int out, int errors,
		  pid_t *pid)
{
	const char *clean[ENVIRONMENT_ROOM];
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	int failed;

	make_environment(environment, clean);
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes,
				 POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawn_file_actions_init(&files);
	give_files(&files, in, out, errors);
	failed = posix_spawn(pid, argv[0], &files, &attributes, (char *const *)(uintptr_t)argv,
			     (char *const *)(uintptr_t)clean);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	return failed;
}

/* --- answers ------------------------------------------------------------------------------------------ */

/*
 * An answer is complete when the pipe is closed and the program has exited with status 0. The program is the
 * leader of a process group, which is killed before the leader is reaped: until then, the ID of the group
 * cannot be reused.
 */

#define ANSWER_PIECE 4096
#define LONG_MS      60000
#define LINGER_MS    5 /* interval at which a program that has closed its output is checked for its exit */

/* A question whose program is running. */
struct asked {
	struct ask *ask;
	pid_t pid; /* 0: the process does not exist or was reaped */
	int fd;    /* descriptor of its output; -1: closed */
};

static bool refuse_start(struct ask *ask, const char *program, int why)
{
	return err_set(&ask->err, "%s could not be started: %s", program, strerror(why));
}

static bool begin(const char *program, struct asked *a)
{
	const char *argv[] = {program, NULL};
	int in = spawn_input(&a->ask->input), fds[2], failed;

	if (in < 0)
		return refuse_start(a->ask, program, errno);
	if (pipe2(fds, O_CLOEXEC) != 0) {
		failed = errno;
		close(in);
		return refuse_start(a->ask, program, failed);
	}
	failed = spawn_program(argv, a->ask->environment, in, fds[1], -1, &a->pid);
	close(in);
	close(fds[1]);
	if (failed != 0) {
		close(fds[0]);
		a->pid = 0;
		return refuse_start(a->ask, program, failed);
	}
	a->fd = fds[0];
	fcntl(a->fd, F_SETFL, O_NONBLOCK);
	return true;
}

static void close_output(struct asked *a)
{
	if (a->fd >= 0)
		close(a->fd);
	a->fd = -1;
}

/* Kills the rest of the process group, reaps the leader and returns its exit status. */
static int reap(struct asked *a)
{
	int status = 0;

	close_output(a);
	kill(-a->pid, SIGKILL);
	while (waitpid(a->pid, &status, 0) < 0 && errno == EINTR)
		;
	a->pid = 0;
	return status;
}

static void give_up(struct asked *a, const char *program, const char *why)
{
	reap(a);
	str_clear(&a->ask->answer);
	err_set(&a->ask->err, "%s %s", program, why);
}

/* Called when the output is closed: checks whether the program has exited, and with which status. */
static void check_exit(struct asked *a, const char *program)
{
	siginfo_t info = {.si_pid = 0};
	int status;

	if (waitid(P_PID, (id_t)a->pid, &info, WEXITED | WNOWAIT | WNOHANG) != 0 || info.si_pid == 0)
		return;
	status = reap(a);
	a->ask->answered = WIFEXITED(status) && WEXITSTATUS(status) == 0;
	if (a->ask->answered)
		return;
	str_clear(&a->ask->answer);
	if (WIFEXITED(status))
		err_set(&a->ask->err, "%s ended with status %d", program, WEXITSTATUS(status));
	else
		err_set(&a->ask->err, "%s was ended by signal %d", program, WTERMSIG(status));
}

/* Appends a piece to the answer. NUL bytes, which would truncate the answer, become blanks. */
static void keep_piece(struct str *answer, char *piece, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (piece[i] == '\0')
			piece[i] = ' ';
	str_add_bytes(answer, piece, len);
}

static void read_answer(struct asked *a, const char *program)
{
	char piece[ANSWER_PIECE];
	ssize_t n = read(a->fd, piece, sizeof piece);

	if (n > 0) {
		keep_piece(&a->ask->answer, piece, (size_t)n);
		if (a->ask->answer.len > ASK_ANSWER_MAX)
			give_up(a, program, "printed an answer that is too long");
	} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		close_output(a);
	}
}

static size_t count_running(const struct asked *asked, size_t count, bool *lingering)
{
	size_t running = 0;

	*lingering = false;
	for (size_t i = 0; i < count; i++) {
		running += asked[i].pid != 0;
		*lingering = *lingering || (asked[i].pid != 0 && asked[i].fd < 0);
	}
	return running;
}

static void wait_for_output(const struct asked *asked, size_t count, struct pollfd *fd, int64_t left_ms,
			    bool lingering)
{
	for (size_t i = 0; i < count; i++)
		fd[i] = (struct pollfd){.fd = asked[i].fd, .events = POLLIN};
	if (left_ms > (lingering ? LINGER_MS : LONG_MS))
		left_ms = lingering ? LINGER_MS : LONG_MS;
	poll(fd, (nfds_t)count, (int)left_ms);
}

static void wait_for_all(const char *program, struct asked *asked, size_t count, int64_t until_ms)
{
	struct pollfd *fd = mem_zero(count, sizeof *fd);
	bool lingering;

	while (count_running(asked, count, &lingering) > 0) {
		int64_t left_ms = until_ms - monotonic_ms();

		if (left_ms <= 0)
			break;
		wait_for_output(asked, count, fd, left_ms, lingering);
		for (size_t i = 0; i < count; i++) {
			if (asked[i].fd >= 0 && fd[i].revents != 0)
				read_answer(&asked[i], program);
			if (asked[i].pid != 0 && asked[i].fd < 0)
				check_exit(&asked[i], program);
		}
	}
	for (size_t i = 0; i < count; i++)
		if (asked[i].pid != 0)
			give_up(&asked[i], program, "did not answer in time");
	free(fd);
}

void ask_all(const char *program, struct ask *ask, size_t count, int64_t timeout_s)
{
	struct asked *asked = mem_zero(count, sizeof *asked);
	int64_t until_ms = monotonic_ms() + timeout_s * 1000;

	for (size_t i = 0; i < count; i++) {
		asked[i] = (struct asked){.ask = &ask[i], .fd = -1};
		if (trusted_program(program, &ask[i].err))
			begin(program, &asked[i]);
	}
	wait_for_all(program, asked, count, until_ms);
	free(asked);
}

void ask_clear(struct ask *ask)
{
	str_free(&ask->input);
	str_free(&ask->answer);
}

/* --- compressed files, read through gzip, xz and zstd -------------------------------------------------- */

#define UNPACK_PIECE ((size_t)64 << 10)
#define RATIO_MAX    64
#define BEYOND_RATIO ((size_t)16 << 20)
#define NOT_FOUND    127 /* exit status of env(1) if the program does not exist */

static const struct packing {
	const char *suffix, *program;
} packings[] = {{".gz", "gzip"}, {".xz", "xz"}, {".zst", "zstd"}};

static const struct packing *packing_of(const char *path)
{
	size_t len = strlen(path);

	for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++) {
		size_t tail = strlen(packings[i].suffix);

		if (len > tail && strcmp(path + len - tail, packings[i].suffix) == 0)
			return &packings[i];
	}
	return NULL;
}

bool unpack_is_packed(const char *path)
{
	return packing_of(path) != NULL;
}

/* Appends the file up to its end. Returns false if it has more than max_bytes. */
static bool read_all(int fd, size_t max_bytes, struct str *out)
{
	size_t begin = out->len;
	ssize_t n;

	do {
		out->data = vec_room(out->data, &out->cap, out->len + UNPACK_PIECE + 1, 1);
		n = read(fd, out->data + out->len, out->cap - out->len - 1);
		out->len += n > 0 ? (size_t)n : 0;
	} while (out->len - begin <= max_bytes && (n > 0 || (n < 0 && errno == EINTR)));
	out->data[out->len] = '\0';
	return out->len - begin <= max_bytes;
}

static int status_of(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/*
 * Runs the program that unpacks the file `in` and appends its output. Returns false with a message on
 * failure.
 */
static bool run(const struct packing *packing, const char *path, int in, size_t max_bytes, struct str *out,
		struct err *err)
{
	const char *argv[] = {"/usr/bin/env", packing->program, "-dc", NULL}, *environment[] = {NULL};
	int ends[2], failed, status;
	pid_t pid;
	bool fits;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return err_set(err, "cannot read %s: %s", path, strerror(errno));
	failed = spawn_program(argv, environment, in, ends[1], -1, &pid);
	close(ends[1]);
	fits = failed == 0 && read_all(ends[0], max_bytes, out);
	close(ends[0]);
	status = failed == 0 ? status_of(pid) : NOT_FOUND;
	if (failed == 0 && !fits)
		return err_set(
			err,
			"cannot read %s: it unpacks to more than %zu bytes, the maximum for a packed file "
			"of its size; unpack it first",
			path, max_bytes);
	if (status == NOT_FOUND)
		return err_set(err, "cannot read %s: %s, which unpacks it, is not installed; install it",
			       path, packing->program);
	return status == 0 || err_set(err,
				      "cannot read %s: %s cannot unpack it; the file is damaged, or is not a "
				      "%s file",
				      path, packing->program, packing->suffix);
}

/*
 * Determines how many bytes the unpacked file may have. Returns false if `in` is not a regular file or its
 * size is unknown.
 */
static bool find_most(int in, size_t max_bytes, size_t *most)
{
	struct stat st;

	if (fstat(in, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	*most = max_bytes;
	if ((uint64_t)st.st_size < (max_bytes - BEYOND_RATIO) / RATIO_MAX)
		*most = (size_t)st.st_size * RATIO_MAX + BEYOND_RATIO;
	return true;
}

bool unpack_read(const char *path, size_t max_bytes, struct str *out, struct err *err)
{
	const struct packing *packing = packing_of(path);
	size_t begin = out->len;
	int in = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	size_t most;
	bool good;

	if (in < 0)
		return err_set(err, "cannot read %s: %s", path, strerror(errno));
	good = find_most(in, max_bytes, &most)
		       ? run(packing, path, in, most, out, err)
		       : err_set(err,
				 "cannot read %s: it is not a regular file; unpack it into a pipe and give - "
				 "(standard input) as the file",
				 path);
	close(in);
	if (!good && out->data != NULL) {
		out->len = begin;
		out->data[begin] = '\0';
	}
	return good;
}
