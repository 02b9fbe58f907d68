/* SPDX-License-Identifier: MIT */
/*
 * cmd_tail.c - kahu tail: what has a job written?
 *
 * The scheduler says in which file it is; we open that ourselves, so nobody reads what they could not read
 * anyway. With -f we stay until the job has ended and all it wrote is shown. What somebody else's job wrote
 * is shown on a terminal, never obeyed by it.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "complete.h"
#include "tui/draw/text.h"
#include "watch.h"

#define LINES_AT_FIRST 10
#define LINES_MAX      1000000
#define PIECE          8192
#define LOOK_MS        100 /* how often the file is looked at with -f       */
#define ASK_EACH       10  /* looks between two questions to the scheduler */

struct tail {
	struct cmd_env *env;
	struct fate fate;
	struct arena arena;
	const char *path;
	int file; /* -1: it is not there yet */
	off_t at; /* what has been shown     */
	bool follow, strange;
	int64_t lines;
	struct str held; /* of somebody else's: a line that is not whole yet */
};

/* --- finding it ------------------------------------------------------------------------------------- */

static bool find_path(struct tail *t, bool errors)
{
	const struct fate *fate = &t->fate;

	t->path = errors ? fate->errors : fate->output;
	if (t->path != NULL)
		return true;
	if (fate->user == NULL)
		return err_set(&t->env->err,
			       "job %" PRIu64 " is not %s's; its owner or an administrator sees it",
			       fate->job, t->env->who);
	return err_set(&t->env->err,
		       "job %" PRIu64 " writes to no file: it never ran, or 'kahu run' shows what it writes",
		       fate->job);
}

/* A FIFO that somebody has put there is not waited for. */
static bool open_file(struct tail *t)
{
	struct stat st;

	t->file = open(t->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (t->file < 0)
		return errno == ENOENT ||
		       err_set(&t->env->err, "%s cannot be read: %s", t->path, strerror(errno));
	return (fstat(t->file, &st) == 0 && S_ISREG(st.st_mode)) ||
	       err_set(&t->env->err, "%s is no file; nothing of it is kept", t->path);
}

/* --- showing it ------------------------------------------------------------------------------------- */

static void show_line(struct tail *t)
{
	struct str safe = {0};

	text_safe(&safe, str_text(&t->held), t->env->ascii);
	puts(str_text(&safe));
	str_free(&safe);
	str_clear(&t->held);
}

/* Line by line; a NUL would end the text, and is one of those that are not shown. */
static void show_strange(struct tail *t, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (bytes[i] == '\n' || t->held.len >= PIECE)
			show_line(t);
		if (bytes[i] == '\0')
			str_add_char(&t->held, '?');
		else if (bytes[i] != '\n')
			str_add_char(&t->held, bytes[i]);
	}
}

static void show(struct tail *t, const char *bytes, size_t size)
{
	if (t->strange)
		show_strange(t, bytes, size);
	else
		fwrite(bytes, 1, size, stdout);
}

/* A job that was put back into the queue begins its file anew. */
static void look_whether_emptied(struct tail *t)
{
	struct stat st;

	if (fstat(t->file, &st) == 0 && st.st_size < t->at)
		t->at = 0;
}

static bool show_rest(struct tail *t)
{
	char bytes[PIECE];
	ssize_t n;

	look_whether_emptied(t);
	while ((n = pread(t->file, bytes, sizeof bytes, t->at)) > 0) {
		show(t, bytes, (size_t)n);
		t->at += n;
	}
	if (fflush(stdout) != 0)
		return err_set(&t->env->err, "the output could not be written: %s", strerror(errno));
	return n == 0 || err_set(&t->env->err, "%s cannot be read: %s", t->path, strerror(errno));
}

/* How many line ends are in the piece before `at`; stops behind the one that is asked for. */
static off_t back_over(const char *bytes, ssize_t n, off_t at, int64_t *lines)
{
	for (ssize_t i = n; i-- > 0;)
		if (bytes[i] == '\n' && (*lines)-- == 0)
			return at + i + 1;
	return at;
}

/* Where the last lines begin; the end of the last one does not count. */
static off_t find_last(const struct tail *t)
{
	char bytes[PIECE];
	struct stat st;
	int64_t lines = t->lines;
	off_t at, begin;

	if (fstat(t->file, &st) != 0)
		return 0;
	at = st.st_size;
	if (lines == 0)
		return at;
	if (at > 0 && pread(t->file, bytes, 1, at - 1) == 1 && bytes[0] != '\n')
		lines--;
	while (at > 0 && lines >= 0) {
		off_t from = at > PIECE ? at - PIECE : 0;
		ssize_t n = pread(t->file, bytes, (size_t)(at - from), from);

		if (n <= 0)
			return from;
		begin = back_over(bytes, n, from, &lines);
		if (lines < 0)
			return begin;
		at = from;
	}
	return at;
}

/* --- following it ----------------------------------------------------------------------------------- */

static bool look(struct tail *t)
{
	if (t->file < 0 && !open_file(t))
		return false;
	return t->file < 0 || show_rest(t);
}

/* The last look comes after the end was known: nothing is missed. */
static bool follow(struct tail *t)
{
	const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
	bool ended = t->fate.phase == FATE_ENDED;

	for (unsigned looks = 1; !ended; looks++) {
		nanosleep(&pause, NULL);
		if (looks % ASK_EACH == 0 && watch_again(t->env, &t->fate))
			ended = t->fate.phase == FATE_ENDED || t->fate.phase == FATE_UNKNOWN;
		if (!look(t))
			return false;
	}
	return true;
}

static bool show_all(struct tail *t)
{
	if (!open_file(t))
		return false;
	if (t->file < 0 && !t->follow)
		return err_set(&t->env->err, "job %" PRIu64 " has written nothing: %s is not there",
			       t->fate.job, t->path);
	if (t->file >= 0)
		t->at = find_last(t);
	if (!look(t) || (t->follow && !follow(t)))
		return false;
	if (t->held.len > 0)
		show_line(t);
	return true;
}

static enum cmd_status run_tail(struct cmd_env *env, int argc, char **argv)
{
	struct tail t = {.env = env, .file = -1, .follow = cmd_option(env, "-f") != NULL};
	bool good;

	(void)argc;
	if (!cmd_option_whole(env, "-n", 0, LINES_MAX, LINES_AT_FIRST, &t.lines))
		return CMD_USAGE;
	good = watch_find(env, argv[1], &t.arena, &t.fate) && find_path(&t, cmd_option(env, "-e") != NULL);
	if (good) {
		t.strange =
			isatty(STDOUT_FILENO) && (t.fate.user == NULL || strcmp(t.fate.user, env->who) != 0);
		good = show_all(&t);
	}
	if (t.file >= 0)
		close(t.file);
	str_free(&t.held);
	arena_free(&t.arena);
	return good ? CMD_DONE : CMD_REFUSED;
}

const struct cmd cmd_tail = {
	.name = "tail",
	.args = "JOB",
	.help = "The end of what a job has written, and with -f what it writes until it ends.",
	.options =
		(const struct cmd_option[]){
			{"-f", NULL, "follow it until the job has ended"},
			{"-n", "LINES", "so many lines of what is there; 10"},
			{"-e", NULL, "its errors"},
			{0},
		},
	.min = 1,
	.max = 1,
	.flags = CMD_STORE | CMD_SHELL,
	.run = run_tail,
	.complete = complete_jobs,
};
