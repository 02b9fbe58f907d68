/* SPDX-License-Identifier: MIT */
/*
 * cmd_tail.c - kahu tail: the output of a job
 *
 * The path of the file comes from the scheduler or the store. If this process runs as root, it reads the file
 * as the job's user. With -f the file is followed until the job has ended. Control characters and bytes that
 * are not UTF-8 are escaped, even if standard output is a pipe, because the output may still reach a
 * terminal; --raw turns this off.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cmd.h"
#include "complete.h"
#include "sched/rm/output_read.h"
#include "tui/draw/text.h"
#include "watch.h"

#define LINES_AT_FIRST 10
#define LINES_MAX      1000000
#define PIECE          8192
#define BYTES_AT_FIRST (1024 * 1024) /* at most this many bytes are read from the end of the file, */
#define BYTES_OF_LINE  1024          /* plus this many for each requested line */
#define LOOK_MS        100           /* -f: pause between two reads of the file */
#define ASK_EACH       10            /* -f: reads between two requests to the scheduler */

struct tail {
	struct cmd_env *env;
	struct job_status job_status;
	struct arena arena;
	const char *path;
	struct output_reader *file; /* NULL: the file does not exist yet */
	off_t at;                   /* end of the part that has been shown */
	bool follow, raw;
	int64_t lines;
	struct str held; /* first bytes of a character whose other bytes are not written yet */
};

/* --- the file ----------------------------------------------------------------------------------------- */

static bool find_path(struct tail *t, bool errors)
{
	const struct job_status *job_status = &t->job_status;

	t->path = errors ? job_status->errors : job_status->output;
	if (t->path != NULL)
		return true;
	if (job_status->user == NULL)
		return err_set(
			&t->env->err,
			"job %" PRIu64
			" does not belong to %s; only its owner and administrators may read its output",
			job_status->job, t->env->who);
	return err_set(&t->env->err,
		       "job %" PRIu64 " has no output file: it never ran, or is attached to 'kahu run'",
		       job_status->job);
}

/*
 * Opens the file. Returns true, with t->file NULL, if it does not exist yet. Returns false with env->err set
 * on failure.
 */
static bool open_file(struct tail *t)
{
	struct err err = {{0}};

	t->file = output_read_open(t->path, t->job_status.user, &err);
	return t->file != NULL || errno == ENOENT || err_set(&t->env->err, "%s", err.text);
}

/* --- output ------------------------------------------------------------------------------------------- */

/* Returns the length of the UTF-8 sequence that begins with this byte; 1 if the byte begins none. */
static size_t sequence_bytes(char first)
{
	unsigned char byte = (unsigned char)first;

	return byte >= 0xf0 && byte < 0xf8   ? 4
	       : byte >= 0xe0 && byte < 0xf8 ? 3
	       : byte >= 0xc2 && byte < 0xe0 ? 2
					     : 1;
}

/*
 * Appends the first character of bytes, in a visible form (text.h) if it is not printable. Returns its
 * length.
 */
static size_t add_character(const struct tail *t, const char *bytes, size_t size, struct str *out)
{
	struct text_piece piece;
	uint32_t code;
	size_t len = text_decode(bytes, size, &code);
	bool plain = code == '\n' || code == '\t' ||
		     (code != TEXT_INVALID && text_code_width(code) >= 0 && (!t->env->ascii || code < 0x80));

	if (plain) {
		str_add_bytes(out, bytes, len);
		return len;
	}
	(void)text_next(bytes, len, t->env->ascii, &piece);
	str_add_bytes(out, piece.bytes, piece.len);
	return len;
}

/*
 * Prints bytes with escapes. Keeps an incomplete character in t->held until its other bytes come, unless the
 * output is over.
 */
static void show_escaped(struct tail *t, const char *bytes, size_t size, bool over)
{
	struct str out = {0};
	size_t at = 0;

	str_add_bytes(&t->held, bytes, size);
	while (at < t->held.len && (over || sequence_bytes(t->held.data[at]) <= t->held.len - at))
		at += add_character(t, t->held.data + at, t->held.len - at, &out);
	if (out.len > 0)
		fwrite(out.data, 1, out.len, stdout);
	str_clear(&out);
	if (at < t->held.len)
		str_add_bytes(&out, t->held.data + at, t->held.len - at);
	str_clear(&t->held);
	str_add_bytes(&t->held, str_text(&out), out.len);
	str_free(&out);
}

static void show(struct tail *t, const char *bytes, size_t size)
{
	if (!t->raw)
		show_escaped(t, bytes, size, false);
	else
		fwrite(bytes, 1, size, stdout);
}

/*
 * Returns the maximum number of bytes to read at a time. There is a limit because a sparse file may have any
 * size.
 */
static off_t most_bytes(const struct tail *t)
{
	return BYTES_AT_FIRST + (off_t)t->lines * BYTES_OF_LINE;
}

/*
 * If more than most_bytes(t) bytes have not been shown yet, skips to the last most_bytes(t) bytes of the
 * file, with a message.
 */
static void leave_out(struct tail *t, off_t size)
{
	off_t begin = size - most_bytes(t);

	if (t->at >= begin)
		return;
	fprintf(stderr, "kahu: tail: %" PRId64 " bytes skipped; only the last %" PRId64 " are shown\n",
		(int64_t)(begin - t->at), (int64_t)most_bytes(t));
	t->at = begin;
}

/*
 * Shows the part of the file that has not been shown yet, up to its current size. Returns false with env->err
 * set on failure.
 */
static bool show_rest(struct tail *t)
{
	char bytes[PIECE];
	off_t size;
	ssize_t n = 0;

	if (!output_read_size(t->file, &size, &t->env->err))
		return false;
	if (size < t->at) /* a requeued job truncates its file */
		t->at = 0;
	leave_out(t, size);
	while (t->at < size && (n = output_read_at(t->file, bytes, sizeof bytes, t->at, &t->env->err)) > 0) {
		show(t, bytes, (size_t)n);
		t->at += n;
	}
	if (n < 0)
		return false;
	return fflush(stdout) == 0 || err_set(&t->env->err, "cannot write the output: %s", strerror(errno));
}

/*
 * Searches a piece of the file, which begins at offset `at`, backward for the newline before the requested
 * lines, and decrements *lines for each newline. Returns the offset after that newline; `at` if the piece
 * does not contain it.
 */
static off_t back_over(const char *bytes, ssize_t n, off_t at, int64_t *lines)
{
	for (ssize_t i = n; i-- > 0;)
		if (bytes[i] == '\n' && (*lines)-- == 0)
			return at + i + 1;
	return at;
}

/*
 * Sets t->at to the beginning of the last t->lines lines. If these are longer than most_bytes(t), stops
 * searching at or before the last most_bytes(t) bytes; leave_out skips the excess. A newline at the end of
 * the file does not count. Returns false with env->err set on failure.
 */
static bool find_last(struct tail *t)
{
	char bytes[PIECE];
	int64_t lines = t->lines;
	struct err *err = &t->env->err;
	off_t at, first;

	if (!output_read_size(t->file, &at, err))
		return false;
	t->at = at;
	first = at - most_bytes(t);
	if (lines == 0 || at == 0)
		return true;
	if (output_read_at(t->file, bytes, 1, at - 1, err) == 1 && bytes[0] != '\n')
		lines--;
	while (at > 0 && at > first && lines >= 0) {
		off_t from = at > PIECE ? at - PIECE : 0;
		ssize_t n = output_read_at(t->file, bytes, (size_t)(at - from), from, err);

		if (n < 0)
			return false;
		t->at = n == 0 ? from : back_over(bytes, n, from, &lines);
		if (n == 0 || lines < 0)
			return true;
		at = from;
	}
	t->at = at;
	return true;
}

/* --- following the file ------------------------------------------------------------------------------- */

static bool look(struct tail *t)
{
	if (t->file == NULL && !open_file(t))
		return false;
	return t->file == NULL || show_rest(t);
}

/* Shows what is written until the job has ended. The file is read once more after the end is known. */
static bool follow(struct tail *t)
{
	const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
	bool ended = t->job_status.phase == JOB_PHASE_ENDED;

	for (unsigned looks = 1; !ended; looks++) {
		nanosleep(&pause, NULL);
		if (looks % ASK_EACH == 0 && watch_again(t->env, &t->job_status))
			ended = t->job_status.phase == JOB_PHASE_ENDED ||
				t->job_status.phase == JOB_PHASE_UNKNOWN;
		if (!look(t))
			return false;
	}
	return true;
}

static bool show_all(struct tail *t)
{
	if (!open_file(t))
		return false;
	if (t->file == NULL && !t->follow)
		return err_set(&t->env->err, "job %" PRIu64 " has no output yet: %s does not exist",
			       t->job_status.job, t->path);
	if (t->file != NULL && !find_last(t))
		return false;
	if (!look(t) || (t->follow && !follow(t)))
		return false;
	show_escaped(t, "", 0, true);
	return fflush(stdout) == 0 || err_set(&t->env->err, "cannot write the output: %s", strerror(errno));
}

static enum cmd_status run_tail(struct cmd_env *env, int argc, char **argv)
{
	struct tail t = {
		.env = env, .follow = cmd_option(env, "-f") != NULL, .raw = cmd_option(env, "--raw") != NULL};
	bool good;

	(void)argc;
	if (!cmd_option_whole(env, "-n", 0, LINES_MAX, LINES_AT_FIRST, &t.lines))
		return CMD_USAGE;
	good = watch_find(env, argv[1], &t.arena, &t.job_status) &&
	       find_path(&t, cmd_option(env, "-e") != NULL);
	good = good && show_all(&t);
	output_read_close(t.file);
	str_free(&t.held);
	arena_free(&t.arena);
	return good ? CMD_DONE : CMD_REFUSED;
}

const struct cmd cmd_tail = {
	.name = "tail",
	.args = "JOB",
	.help = "Print the last lines of a job's output, and with -f follow it until the job ends. Root "
		"reads the "
		"file as the job's user. Control characters are escaped.",
	.options =
		(const struct cmd_option[]){
			{"-f", NULL, "follow the output until the job has ended"},
			{"-n", "LINES", "number of lines to print (10)"},
			{"-e", NULL, "print standard error instead of standard output"},
			{"--raw", NULL, "do not escape control characters"},
			{0},
		},
	.min = 1,
	.max = 1,
	.flags = CMD_STORE | CMD_SHELL,
	.run = run_tail,
	.complete = complete_jobs,
};
