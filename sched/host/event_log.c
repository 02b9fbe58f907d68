/* SPDX-License-Identifier: MIT */
/*
 * event_log.c - the scheduler's event log and counters
 *
 * A line is "start job=12 user=eva ...", which programs can parse. Names come from users: any byte other than
 * letters, digits and some punctuation becomes '?', so that a user cannot forge lines.
 */
#include "event_log.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "service.h"

#define LINE_HEAD 64 /* maximum number of bytes before and after the text of a line */

struct event_log {
	int log;
	bool leveled;
	int changed; /* an eventfd, written when the state or the counters have changed */

	pthread_mutex_t lock; /* guards all below */
	struct figures figures;
	uint64_t lost;    /* number of lines lost since the last line that was written */
	struct str batch; /* lines to be written */
	unsigned lines;   /* number of lines in the batch */
};

/* --- lines --------------------------------------------------------------------------------------------- */

static void add_word(struct str *out, const char *key, const char *value)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/@%+,*[]";

	if (value == NULL || value[0] == '\0')
		return;
	str_addf(out, " %s=", key);
	for (; *value != '\0'; value++)
		str_add_bytes(out, strchr(plain, *value) != NULL ? value : "?", 1);
}

/* Quotes a sentence. Backslashes are doubled because logfmt readers treat them as escapes. */
static void add_sentence(struct str *out, const char *key, const char *text)
{
	if (text == NULL || text[0] == '\0')
		return;
	str_addf(out, " %s=\"", key);
	for (size_t n, left = strlen(text); left > 0; text += n, left -= n) {
		n = str_utf8_len(text, left);
		if (n == 0 || str_is_hidden(str_utf8_code(text, n)))
			str_add_char(out, '?');
		else if (*text == '"')
			str_add_char(out, '\'');
		else
			str_add_bytes(out, text, n);
		if (*text == '\\')
			str_add_char(out, '\\');
		n += n == 0;
	}
	str_add_char(out, '"');
}

/*
 * Writes without blocking, all or nothing: a writable pipe accepts PIPE_BUF bytes. Returns false if nothing
 * was written.
 */
static bool put(int fd, const char *text, size_t size)
{
	struct pollfd writable = {.fd = fd, .events = POLLOUT};

	return poll(&writable, 1, 0) == 1 && (writable.revents & POLLOUT) != 0 &&
	       write(fd, text, size) == (ssize_t)size;
}

/* Writes the collected lines. */
static void flush_lines(struct event_log *c)
{
	if (c->lines == 0)
		return;
	c->lost = put(c->log, c->batch.data, c->batch.len) ? 0 : c->lost + c->lines;
	c->lines = 0;
	str_clear(&c->batch);
}

/* Adds a line to the batch. A step may have a thousand lines, and each write costs a system call. */
static void add_line(struct event_log *c, int level, const char *text)
{
	size_t size = strnlen(text, PIPE_BUF / 2);

	if (c->batch.len + LINE_HEAD + size > PIPE_BUF)
		flush_lines(c);
	if (c->leveled)
		str_addf(&c->batch, "<%d>", level);
	if (c->lines == 0 && c->lost > 0)
		str_addf(&c->batch, "(%" PRIu64 " lines were lost) ", c->lost);
	str_add_bytes(&c->batch, text, size);
	str_add_char(&c->batch, '\n');
	c->lines++;
}

static void say(struct event_log *c, int level, const struct str *text)
{
	if (c->log >= 0)
		add_line(c, level, str_text(text));
}

void event_log_say(struct event_log *c, int level, const char *text)
{
	pthread_mutex_lock(&c->lock);
	if (c->log >= 0) {
		add_line(c, level, text);
		flush_lines(c);
	}
	pthread_mutex_unlock(&c->lock);
}

/* --- jobs ------------------------------------------------------------------------------------------ */

const char *outcome_name(enum outcome outcome)
{
	static const char *const names[] = {
		[OUTCOME_DONE] = "done",   [OUTCOME_FAILED] = "failed",
		[OUTCOME_LIMIT] = "limit", [OUTCOME_CANCELLED] = "cancelled",
		[OUTCOME_LOST] = "lost",   [OUTCOME_DEPEND] = "dependfailed",
	};

	return names[outcome];
}

enum outcome outcome_of(const struct ended_job *ended)
{
	const struct job *job = &ended->record.job;

	if (ended->lost)
		return OUTCOME_LOST;
	if (ended->status == STATUS_DEPEND_FAILED)
		return OUTCOME_DEPEND;
	if (job->state != JOB_RUNNING || (job->flags & JOB_CANCELLED) != 0)
		return OUTCOME_CANCELLED;
	if (ended->at_limit)
		return OUTCOME_LIMIT;
	return ended->status == 0 ? OUTCOME_DONE : OUTCOME_FAILED;
}

static const struct job *find_job(const struct state *st, uint64_t id)
{
	uint32_t slot = state_find(st, id);

	return slot == INDEX_NONE ? NULL : &snapshot_jobs(state_view(st))[slot];
}

static void begin_line(struct str *line, const char *what, const struct snapshot *s, const struct job *job)
{
	char label[JOB_LABEL_TEXT];

	str_clear(line);
	str_add(line, what);
	add_word(line, "job", snapshot_job_label(s, job, label));
	add_word(line, "user", snapshot_job_cred(s, job, CRED_USER));
}

static void tell_submit(struct event_log *c, const struct event *ev, const struct state *st, struct str *line)
{
	const struct job *job = find_job(st, ev->job);

	c->figures.submitted += job_record_tasks(&ev->submit);
	if (job == NULL)
		return;
	begin_line(line, "submit", state_view(st), job);
	str_addf(line, " procs=%" PRId64 " limit_s=%" PRId64, job_procs(job), job->wall_limit_s);
	say(c, SERVICE_INFO, line);
}

/* A job that has ended in the same step is only logged as ended. */
static void tell_start(struct event_log *c, const struct event *ev, const struct state *st, struct str *line)
{
	const struct job *job = find_job(st, ev->job);
	int64_t waited_s;

	c->figures.started++;
	if (job == NULL || job->state != JOB_RUNNING)
		return;
	waited_s = job->start_s > job->submit_s ? job->start_s - job->submit_s : 0;
	c->figures.waits++;
	c->figures.waited_s += waited_s;
	begin_line(line, "start", state_view(st), job);
	str_addf(line, " procs=%" PRId64 " waited_s=%" PRId64, job_procs(job), waited_s);
	say(c, SERVICE_INFO, line);
}

static void tell_refused(struct event_log *c, const struct event *ev, const struct state *st,
			 struct str *line)
{
	const struct job *job = find_job(st, ev->job);

	if (!ev->defer.failed_start)
		return;
	c->figures.refused++;
	if (job == NULL)
		return;
	begin_line(line, "refused", state_view(st), job);
	if (ev->defer.retry)
		str_addf(line, " retry_s=%" PRId64, ev->defer.until_s - ev->time_s);
	add_sentence(line, "why", ev->defer.reason);
	say(c, SERVICE_WARNING, line);
}

static void tell_end(struct event_log *c, const struct ended_job *ended, struct str *line)
{
	const struct job *job = &ended->record.job;
	enum outcome outcome = outcome_of(ended);
	char id[24];

	c->figures.ended[outcome]++;
	snprintf(id, sizeof id, "%" PRIu64, job->id);
	str_clear(line);
	str_add(line, "end");
	add_word(line, "job", ended->record.label != NULL ? ended->record.label : id);
	add_word(line, "user", ended->record.cred[CRED_USER]);
	add_word(line, "outcome", outcome_name(outcome));
	if (job->state == JOB_RUNNING && !ended->lost)
		str_addf(line, " status=%" PRId32, ended->status);
	if (job->state == JOB_RUNNING)
		str_addf(line, " ran_s=%" PRId64, job_ran_s(job, ended->end_s));
	add_sentence(line, "why", ended->why);
	say(c, outcome == OUTCOME_LOST ? SERVICE_WARNING : SERVICE_INFO, line);
}

static void tell_event(struct event_log *c, const struct event *ev, const struct state *st, struct str *line)
{
	if (ev->kind == EVENT_SUBMIT)
		tell_submit(c, ev, st, line);
	else if (ev->kind == EVENT_START)
		tell_start(c, ev, st, line);
	else if (ev->kind == EVENT_DEFER)
		tell_refused(c, ev, st, line);
}

void event_log_tell(void *self, const struct ledger_step *step, const struct state *st,
		    const struct driver_stats *stats)
{
	struct event_log *c = self;
	struct str line = {0};

	pthread_mutex_lock(&c->lock);
	for (size_t i = 0; i < step->event_count; i++)
		tell_event(c, &step->event[i], st, &line);
	for (size_t i = 0; i < step->ended_count; i++)
		tell_end(c, &step->ended[i], &line);
	flush_lines(c);
	c->figures.passes = stats->passes;
	c->figures.pass_ns = stats->pass_ns;
	pthread_mutex_unlock(&c->lock);
	eventfd_write(c->changed, 1);
	str_free(&line);
}

/* --- counters ------------------------------------------------------------------------------------------ */

int event_log_fd(const struct event_log *c)
{
	return c->changed;
}

void event_log_take(struct event_log *c, struct figures *out)
{
	eventfd_t count;

	eventfd_read(c->changed, &count);
	pthread_mutex_lock(&c->lock);
	*out = c->figures;
	pthread_mutex_unlock(&c->lock);
}

struct event_log *event_log_new(int log, bool leveled, struct err *err)
{
	struct event_log *c = mem_zero(1, sizeof *c);

	c->log = log;
	c->leveled = leveled;
	c->changed = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	pthread_mutex_init(&c->lock, NULL);
	if (c->changed >= 0)
		return c;
	err_set(err, "no file descriptor is left for the log: %s", strerror(errno));
	event_log_free(c);
	return NULL;
}

void event_log_free(struct event_log *c)
{
	if (c == NULL)
		return;
	if (c->changed >= 0)
		close(c->changed);
	pthread_mutex_destroy(&c->lock);
	str_free(&c->batch);
	free(c);
}
