/* SPDX-License-Identifier: MIT */
/*
 * view_follow.c - Follow screen: output of a job
 *
 * Shows the end of the output file. Only the last TAIL_BYTES of a large file are read. If the console runs as
 * root, it reads the file as the user of the job. The screen follows the end of the file until the user
 * scrolls up. The output can still be read after the job has ended.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "sched/base/vec.h"
#include "sched/rm/monotonic.h"
#include "sched/rm/output_read.h"
#include "tui/draw/text.h"
#include "tui/serve/session.h"
#include "view.h"

#define LOOK_MS    250
#define TAIL_BYTES 131072
#define SLOW_MS    100 /* duration of a read that counts as slow */
#define PAUSES     20  /* pause after a slow read, as a multiple of its duration */
#define TAB_CELLS  8

struct follow_view {
	struct screen_host *host;
	struct page head, page;
	uint64_t job;
	bool errors; /* standard error is shown */
	/*
	 * Why opening the file timed out. Opening is not retried until the user asks for it, because the
	 * console would block each time.
	 */
	struct err stuck;
	/*
	 * After a slow read: monotonic time in milliseconds before which the file is not read again. A slow
	 * file system must not take most of the console's time.
	 */
	int64_t pause_until_ms;
};

static void follow_open(void *self, struct screen_host *host)
{
	struct follow_view *v = self;

	v->host = host;
	v->page.follows = true;
}

static void follow_close(void *self)
{
	struct follow_view *v = self;

	page_free(&v->head);
	page_free(&v->page);
}

/*
 * Called when another file is shown, or the same file is shown again at the user's request: forgets errors
 * and pauses, and goes to the end.
 */
static void forget_file(struct follow_view *v)
{
	v->stuck.text[0] = '\0';
	v->pause_until_ms = 0;
	page_end(&v->page);
}

static void follow_enter(void *self)
{
	struct follow_view *v = self;

	v->errors = false;
	forget_file(v);
}

/* --- the file --------------------------------------------------------------------------------------- */

/*
 * Appends the last bytes of the file to out, from the beginning of a line, and sets *hidden to the number of
 * bytes before them. Returns false with errno and err set if the file cannot be read.
 */
static bool read_tail(struct output_reader *file, struct str *out, off_t *hidden, struct err *err)
{
	char *bytes;
	off_t size;
	ssize_t n;
	size_t from = 0;

	if (!output_read_size(file, &size, err))
		return false;
	*hidden = size > TAIL_BYTES ? size - TAIL_BYTES : 0;
	bytes = mem_alloc(TAIL_BYTES);
	n = output_read_at(file, bytes, (size_t)(size - *hidden), *hidden, err);
	if (n > 0 && *hidden > 0) {
		const char *end = memchr(bytes, '\n', (size_t)n);

		from = end != NULL ? (size_t)(end - bytes) + 1 : 0;
		*hidden += (off_t)from;
	}
	if (n > 0)
		str_add_bytes(out, bytes + from, (size_t)n - from);
	free(bytes);
	return n >= 0;
}

/*
 * Reads the end of the file at path, as the user of the job if this process runs as root. The result is as
 * for read_tail.
 */
static bool read_file(const struct job_files *files, const char *path, struct str *out, off_t *hidden,
		      struct err *err)
{
	struct output_reader *file = output_read_open(path, files->user[0] != '\0' ? files->user : NULL, err);
	bool good = file != NULL && read_tail(file, out, hidden, err);
	int error = errno;

	if (file == NULL && error == ENOENT)
		err_set(err, "No output yet.");
	output_read_close(file);
	errno = error;
	return good;
}

/* --- lines ------------------------------------------------------------------------------------------ */

/*
 * Adds a line as a terminal would show it: text before a carriage return is dropped, because later text
 * overwrites it; tabs are expanded. NUL is shown as '?'; the page makes all other control bytes visible.
 */
static void put_line(struct page *p, const char *line, size_t len)
{
	struct str text = {0};
	int x = 0;

	while (len > 0 && line[len - 1] == '\r')
		len--;
	for (size_t i = len; i > 0; i--)
		if (line[i - 1] == '\r') {
			line += i;
			len -= i;
			break;
		}
	for (size_t i = 0; i < len; i++) {
		if (line[i] == '\t') {
			do
				str_add_char(&text, ' ');
			while (++x % TAB_CELLS != 0);
		} else {
			str_add_char(&text, (char)(line[i] == '\0' ? '?' : line[i]));
			x++;
		}
	}
	page_line(p);
	page_at(p, 1);
	page_add(p, ROLE_TEXT, str_text(&text));
	str_free(&text);
}

static void put_lines(struct page *p, const struct str *text)
{
	const char *at = str_text(text), *end = at + text->len;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t len = newline != NULL ? (size_t)(newline - at) : (size_t)(end - at);

		put_line(p, at, len);
		at += len + (newline != NULL);
	}
}

static void put_head(struct follow_view *v, const char *path)
{
	const struct forecast *live = &v->host->ops->plan_query(v->host->console)->live;
	const struct job *job = forecast_job(live, v->job, NULL);
	char label[JOB_LABEL_TEXT];

	page_line(&v->head);
	page_at(&v->head, 1);
	if (job != NULL)
		page_addf(&v->head, ROLE_HELP_HEADING, "Job %s", snapshot_job_label(live->s, job, label));
	else
		page_addf(&v->head, ROLE_HELP_HEADING, "Job %" PRIu64, v->job);
	page_addf(&v->head, ROLE_DIM, " %s, %s: %s",
		  job == NULL                 ? "ended"
		  : job->state == JOB_RUNNING ? "running"
					      : "idle",
		  v->errors ? "errors" : "output", path);
}

static void put_note(struct follow_view *v, const char *text)
{
	page_wrap(&v->page, ROLE_DIM, 1, 76, text);
}

static void put_stuck(struct follow_view *v)
{
	put_note(v, v->stuck.text);
	put_note(v, "To retry, leave this screen and open it again.");
}

static void put_file(struct follow_view *v, const struct job_files *files, const char *path)
{
	int64_t begin_ms = monotonic_ms(), took_ms;
	struct str text = {0};
	struct err err = {{0}};
	off_t hidden = 0;

	if (v->stuck.text[0] != '\0') {
		put_stuck(v);
		return;
	}
	if (read_file(files, path, &text, &hidden, &err)) {
		if (hidden > 0) {
			page_line(&v->page);
			page_addf(&v->page, ROLE_DIM, " %" PRId64 " earlier bytes not shown",
				  (int64_t)hidden);
		}
		if (text.len == 0 && hidden == 0)
			put_note(v, "No output yet.");
		put_lines(&v->page, &text);
	} else if (errno == ETIMEDOUT) {
		v->stuck = err;
		put_stuck(v);
	} else {
		put_note(v, err.text);
	}
	str_free(&text);
	took_ms = monotonic_ms() - begin_ms;
	v->pause_until_ms = took_ms > SLOW_MS ? begin_ms + took_ms * (1 + PAUSES) : 0;
}

static const char *path_of(const struct follow_view *v, const struct job_files *files)
{
	return files == NULL ? "" : v->errors ? files->errors : files->output;
}

static void put_job(struct follow_view *v, const struct job_files *files)
{
	const char *path = path_of(v, files);

	if (files == NULL)
		put_note(v, "Asking the scheduler for the path of the output file ...");
	else if (path[0] != '\0')
		put_file(v, files, path);
	else if (files->err.text[0] != '\0')
		put_note(v, files->err.text);
	else
		put_note(
			v,
			"No output file: the job is simulated, has never run, or is attached to 'kahu run'.");
}

static void follow_recalc(void *self)
{
	struct follow_view *v = self;
	uint64_t job = v->host->ops->job(v->host->console);
	const struct job_files *files = job != 0 ? v->host->ops->files(v->host->console, job) : NULL;

	if (job != v->job)
		forget_file(v);
	v->job = job;
	page_clear(&v->head);
	if (job != 0)
		put_head(v, path_of(v, files));
	if (monotonic_ms() < v->pause_until_ms)
		return;
	page_clear(&v->page);
	if (job == 0)
		put_note(v, "No job under the cursor.");
	else
		put_job(v, files);
}

static void follow_draw(void *self, struct canvas *canvas, struct rect r)
{
	struct follow_view *v = self;

	page_draw(&v->head, canvas, rect_take_top(&r, 1));
	page_draw(&v->page, canvas, r);
}

static bool follow_act(void *self, enum action action, int arg)
{
	struct follow_view *v = self;

	(void)arg;
	if (action != ACTION_ERRORS)
		return false;
	v->errors = !v->errors;
	forget_file(v);
	v->host->ops->recalc(v->host->console);
	return true;
}

static struct page *follow_page(void *self)
{
	return &((struct follow_view *)self)->page;
}

static void follow_status(void *self, struct str *out)
{
	const struct follow_view *v = self;

	str_add(out, v->page.at_end ? "following; scroll up to stop"
				    : "not following; G goes to the end and follows");
}

static const enum action hints[] = {ACTION_BACK, ACTION_ERRORS, ACTION_CANCEL, ACTION_WHY, ACTION_NONE};

const struct view_ops view_follow = {
	.name = "follow",
	.title = "Job output",
	.size = sizeof(struct follow_view),
	.one_job = true,
	.hints = hints,
	.look_ms = LOOK_MS,
	.open = follow_open,
	.close = follow_close,
	.enter = follow_enter,
	.recalc = follow_recalc,
	.draw = follow_draw,
	.act = follow_act,
	.page = follow_page,
	.status = follow_status,
};
