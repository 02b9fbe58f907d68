/* SPDX-License-Identifier: MIT */
/*
 * swf.c - what does a workload log in the Standard Workload Format say?
 *
 * One pass over the bytes: a line is cut out, its numbers are scanned in place, and either
 * a job, a rejection or a bad line comes of it. The machine's size may stand at the end of
 * the log, so jobs larger than it are taken out when all lines are read.
 *
 * Format: D. Feitelson, "The Standard Workload Format", version 2.2, Parallel Workloads
 * Archive.
 */
#include "swf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

/* The fields of a line, by their number less one. */
enum field {
	FIELD_NUMBER,
	FIELD_SUBMIT,
	FIELD_WAIT,
	FIELD_RUN,
	FIELD_PROCS,
	FIELD_CPU_TIME,
	FIELD_MEMORY_USED,
	FIELD_PROCS_ASKED,
	FIELD_TIME_ASKED,
	FIELD_MEMORY_ASKED,
	FIELD_STATUS,
	FIELD_USER,
	FIELD_GROUP,
	FIELD_PROGRAM,
	FIELD_QUEUE,
	FIELD_PARTITION,
	FIELD_PRECEDING,
	FIELD_THINK_TIME,
	FIELD_COUNT
};

#define FIELDS_NEEDED 9 /* up to the time asked for */

static const char *const field_name[FIELD_COUNT] = {
	[FIELD_NUMBER] = "job number",
	[FIELD_SUBMIT] = "submit time",
	[FIELD_WAIT] = "wait time",
	[FIELD_RUN] = "run time",
	[FIELD_PROCS] = "processors",
	[FIELD_CPU_TIME] = "CPU time",
	[FIELD_MEMORY_USED] = "memory used",
	[FIELD_PROCS_ASKED] = "processors asked",
	[FIELD_TIME_ASKED] = "time asked",
	[FIELD_MEMORY_ASKED] = "memory asked",
	[FIELD_STATUS] = "status",
	[FIELD_USER] = "user",
	[FIELD_GROUP] = "group",
	[FIELD_PROGRAM] = "program",
	[FIELD_QUEUE] = "queue",
	[FIELD_PARTITION] = "partition",
	[FIELD_PRECEDING] = "preceding job",
	[FIELD_THINK_TIME] = "think time",
};

/* The largest value of a field that Kahu can hold; 0 = any that fits into 63 bits. */
static const int64_t field_max[FIELD_COUNT] = {
	[FIELD_SUBMIT] = MOMENT_MAX_S,     [FIELD_RUN] = MOMENT_MAX_S,
	[FIELD_TIME_ASKED] = MOMENT_MAX_S, [FIELD_MEMORY_ASKED] = MEMORY_MAX_MB * 1024,
	[FIELD_USER] = INT32_MAX,          [FIELD_GROUP] = INT32_MAX,
	[FIELD_QUEUE] = INT32_MAX,
};

/* Header lines that are used, and where their value goes. */
static const struct {
	const char *name;
	size_t offset;
} header_names[] = {
	{"MaxProcs", offsetof(struct trace, max_procs)},
	{"MaxNodes", offsetof(struct trace, max_nodes)},
	{"UnixStartTime", offsetof(struct trace, unix_start_s)},
};

/* How files begin that must be unpacked first. */
static const struct {
	const char *begin;
	const char *unpack;
} packings[] = {
	{"\x1f\x8b", "zcat"},
	{"\xfd"
	 "7zXZ",
	 "xzcat"},
	{"BZh", "bzcat"},
	{"\x28\xb5\x2f\xfd", "zstdcat"},
};

struct reader {
	struct trace *out;
	uint32_t line;     /* the present one, from 1                    */
	uint64_t readable; /* lines that say a job, rejected ones included */
};

/* A piece of a line. */
struct span {
	const char *at, *end;
};

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void skip_blanks(struct span *s)
{
	while (s->at < s->end && is_blank(*s->at))
		s->at++;
}

enum scan {
	SCAN_OK,
	SCAN_TEXT,
	SCAN_TOO_LARGE
};

#define DIGITS_MAX 19 /* so many always fit into 64 bits */

/* The digits at the front as a number; false when it is above INT64_MAX. */
static bool take_digits(struct span *s, int64_t *out)
{
	const char *first = s->at;
	const char *at = first;
	uint64_t value = 0;

	for (; at < s->end && is_digit(*at); at++)
		value = value * 10 + (uint64_t)(*at - '0');
	s->at = at;
	*out = (int64_t)value;
	while (at - first > DIGITS_MAX && *first == '0')
		first++;
	return at - first <= DIGITS_MAX && value <= INT64_MAX;
}

/* One number up to the next blank; digits after a point are cut off. */
static enum scan take_number(struct span *s, int64_t *out)
{
	bool negative = *s->at == '-';
	const char *first = s->at += negative;
	bool fits = take_digits(s, out);
	bool has_digits = s->at > first;

	if (s->at < s->end && *s->at == '.') {
		const char *fraction = ++s->at;

		while (s->at < s->end && is_digit(*s->at))
			s->at++;
		has_digits = has_digits || s->at > fraction;
	}
	if (!has_digits || (s->at < s->end && !is_blank(*s->at)))
		return SCAN_TEXT;
	if (!fits)
		return SCAN_TOO_LARGE;
	if (negative)
		*out = -*out;
	return SCAN_OK;
}

/* Counts a bad line and keeps the first few: why, and the word from `at` on as it was found. */
static void note_bad(struct reader *r, struct span word, const char *why)
{
	struct trace *t = r->out;
	struct trace_bad *bad;
	char text[33];
	size_t len = 0;

	t->bad_lines++;
	if (t->bad_count == TRACE_BAD_SHOWN)
		return;
	bad = &t->bad[t->bad_count++];
	bad->line = r->line;
	for (; word.at < word.end && !is_blank(*word.at) && len < sizeof text - 1; word.at++) {
		bool is_plain = *word.at >= ' ' && *word.at <= '~';

		text[len] = '?';
		if (is_plain)
			text[len] = *word.at;
		len++;
	}
	text[len] = '\0';
	if (len)
		snprintf(bad->why, sizeof bad->why, "%s: '%s'", why, text);
	else
		snprintf(bad->why, sizeof bad->why, "%s", why);
}

static bool refuse_field(struct reader *r, enum field f, struct span word, const char *what)
{
	char why[80];

	snprintf(why, sizeof why, "field %d (%s) %s", (int)f + 1, field_name[f], what);
	note_bad(r, word, why);
	return false;
}

static bool read_field(struct reader *r, struct span *rest, enum field f, int64_t *out)
{
	struct span word = *rest;

	switch (take_number(rest, out)) {
	case SCAN_OK:
		break;
	case SCAN_TEXT:
		return refuse_field(r, f, word, "is not a number");
	case SCAN_TOO_LARGE:
		return refuse_field(r, f, word, "is too large");
	}
	if (f == FIELD_SUBMIT && *out < 0)
		return refuse_field(r, f, word, "is negative");
	if (field_max[f] && *out > field_max[f])
		return refuse_field(r, f, word, "is too large");
	return true;
}

/* All fields of a job line; the missing ones at the end are -1. False: the line is bad. */
static bool read_fields(struct reader *r, struct span rest, int64_t field[static FIELD_COUNT])
{
	int count = 0;

	while (rest.at < rest.end && count < FIELD_COUNT) {
		if (!read_field(r, &rest, (enum field)count, &field[count]))
			return false;
		count++;
		skip_blanks(&rest);
	}
	if (count < FIELDS_NEEDED) {
		char why[80];

		snprintf(why, sizeof why, "it has %d field%s, a job needs at least %d", count,
			 count == 1 ? "" : "s", FIELDS_NEEDED);
		note_bad(r, (struct span){rest.end, rest.end}, why);
		return false;
	}
	while (count < FIELD_COUNT)
		field[count++] = -1;
	return true;
}

static int32_t credential(int64_t field)
{
	return field < 0 ? SWF_NONE : (int32_t)field;
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void add_job(struct reader *r, const int64_t field[static FIELD_COUNT])
{
	struct trace *t = r->out;
	int64_t run_s = field[FIELD_RUN];
	int64_t limit_s = field[FIELD_TIME_ASKED] > 0 ? field[FIELD_TIME_ASKED] : run_s;
	int64_t procs = field[FIELD_PROCS_ASKED] > 0 ? field[FIELD_PROCS_ASKED] : field[FIELD_PROCS];
	int64_t mem_kb = field[FIELD_MEMORY_ASKED];

	if (run_s <= 0 || procs <= 0 || procs > INT32_MAX) {
		t->rejected++;
		return;
	}
	t->job = vec_room(t->job, &t->room, t->count + 1, sizeof *t->job);
	t->job[t->count++] = (struct trace_job){
		.number = field[FIELD_NUMBER],
		.submit_s = field[FIELD_SUBMIT],
		.run_s = smaller(run_s, limit_s),
		.wall_limit_s = limit_s,
		.mem_mb = mem_kb > 0 ? (mem_kb + 1023) / 1024 : 0,
		.procs = (int32_t)procs,
		.user = credential(field[FIELD_USER]),
		.group = credential(field[FIELD_GROUP]),
		.queue = credential(field[FIELD_QUEUE]),
	};
}

/* The whole number a header value begins with, 0 when it begins with none. */
static int64_t header_number(struct span value)
{
	bool negative;
	int64_t number;

	skip_blanks(&value);
	negative = value.at < value.end && *value.at == '-';
	if (negative || !take_digits(&value, &number))
		return negative ? 0 : INT64_MAX;
	return number;
}

/* "Name: value" after the semicolon. Later lines of a name replace earlier ones. */
static void read_header(struct reader *r, struct span line)
{
	const char *colon;
	struct span name;

	skip_blanks(&line);
	colon = memchr(line.at, ':', (size_t)(line.end - line.at));
	if (!colon)
		return;
	name = (struct span){line.at, colon};
	while (name.end > name.at && is_blank(name.end[-1]))
		name.end--;
	for (size_t i = 0; i < sizeof header_names / sizeof header_names[0]; i++) {
		size_t len = strlen(header_names[i].name);
		int64_t *value = (int64_t *)(void *)((char *)r->out + header_names[i].offset);

		if ((size_t)(name.end - name.at) == len && memcmp(name.at, header_names[i].name, len) == 0)
			*value = header_number((struct span){colon + 1, line.end});
	}
}

static void read_line(struct reader *r, struct span line)
{
	int64_t field[FIELD_COUNT];

	skip_blanks(&line);
	if (line.at == line.end)
		return;
	if (*line.at == ';') {
		line.at++;
		read_header(r, line);
		return;
	}
	if (!read_fields(r, line, field))
		return;
	r->readable++;
	add_job(r, field);
}

static void read_lines(struct reader *r, struct span text)
{
	static const char mark[] = "\xef\xbb\xbf"; /* U+FEFF, as some editors put it in front */

	if (text.end - text.at >= 3 && memcmp(text.at, mark, 3) == 0)
		text.at += 3;
	while (text.at < text.end) {
		const char *newline = memchr(text.at, '\n', (size_t)(text.end - text.at));
		const char *end = newline ? newline : text.end;

		r->line++;
		read_line(r, (struct span){text.at, end});
		text.at = newline ? newline + 1 : end;
	}
}

/* Takes out the jobs that are larger than the machine; numbers the others. */
static void drop_too_large(struct trace *t, int64_t machine)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->count; i++) {
		if (t->job[i].procs > machine)
			continue;
		t->job[kept] = t->job[i];
		t->job[kept].order = (uint32_t)kept;
		kept++;
	}
	t->rejected += t->count - kept;
	t->count = kept;
}

static int by_submit(const void *left, const void *right)
{
	const struct trace_job *a = left;
	const struct trace_job *b = right;

	if (a->submit_s != b->submit_s)
		return a->submit_s < b->submit_s ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* Most logs are in order already. */
static void sort_by_submit(struct trace *t)
{
	for (size_t i = 1; i < t->count; i++) {
		if (t->job[i - 1].submit_s > t->job[i].submit_s) {
			qsort(t->job, t->count, sizeof *t->job, by_submit);
			return;
		}
	}
}

static bool refuse_packed(const char *file, struct span text, struct err *err)
{
	for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++) {
		size_t len = strlen(packings[i].begin);

		if ((size_t)(text.end - text.at) >= len && memcmp(text.at, packings[i].begin, len) == 0)
			return err_set(err,
				       "%s: it is compressed; unpack it into a pipe: %s LOG | kahu replay -",
				       file, packings[i].unpack);
	}
	return true;
}

static bool refuse_no_jobs(const char *file, const struct trace *t, size_t len, struct err *err)
{
	if (len == 0)
		return err_set(err, "%s: it is empty; a log in the Standard Workload Format is needed", file);
	if (t->bad_count == 0)
		return err_set(err, "%s: it has comments only and no job", file);
	return err_set(
		err,
		"%s: no job could be read, a log in the Standard Workload Format is needed; line %" PRIu32
		": %s",
		file, t->bad[0].line, t->bad[0].why);
}

/* The machine's processors, 0 with a sentence when nobody says how many. */
static int64_t machine_size(const char *file, const struct trace *t, int64_t procs_override, struct err *err)
{
	int64_t procs = procs_override > 0 ? procs_override : t->max_procs > 0 ? t->max_procs : t->max_nodes;

	if (procs <= 0) {
		err_set(err,
			"%s: its header has neither MaxProcs nor MaxNodes; say the machine: --cluster "
			"NODESxPROCS",
			file);
		return 0;
	}
	if (procs > INT32_MAX) {
		err_set(err,
			"%s: the machine has %" PRId64
			" processors, at most %d can be scheduled; say --cluster NODESxPROCS",
			file, procs, INT32_MAX);
		return 0;
	}
	return procs;
}

bool swf_read(const char *file, const char *text, size_t len, int64_t procs_override, struct trace *out,
	      struct err *err)
{
	struct reader r = {.out = out};
	struct span all = {text, text + len};
	int64_t machine;

	*out = (struct trace){0};
	if (!refuse_packed(file, all, err))
		return false;
	read_lines(&r, all);
	if (r.readable == 0) {
		refuse_no_jobs(file, out, len, err);
		trace_clear(out);
		return false;
	}
	machine = machine_size(file, out, procs_override, err);
	if (machine == 0) {
		trace_clear(out);
		return false;
	}
	drop_too_large(out, machine);
	sort_by_submit(out);
	return true;
}

void trace_clear(struct trace *trace)
{
	free(trace->job);
	*trace = (struct trace){0};
}

static int32_t credential_field(int32_t credential_number)
{
	return credential_number == SWF_NONE ? -1 : credential_number;
}

void swf_write(const struct trace *trace, struct str *out)
{
	str_addf(out,
		 "; Version: 2.2\n; MaxJobs: %zu\n; MaxRecords: %zu\n; UnixStartTime: %" PRId64
		 "\n; MaxNodes: %" PRId64 "\n; MaxProcs: %" PRId64 "\n",
		 trace->count, trace->count, trace->unix_start_s, trace->max_nodes, trace->max_procs);
	for (size_t i = 0; i < trace->count; i++) {
		const struct trace_job *job = &trace->job[i];
		int64_t mem_kb = job->mem_mb > 0 ? job->mem_mb * 1024 : -1;

		str_addf(out,
			 "%" PRId64 " %" PRId64 " -1 %" PRId64 " %" PRId32 " -1 -1 %" PRId32 " %" PRId64
			 " %" PRId64 " 1 %" PRId32 " %" PRId32 " -1 %" PRId32 " -1 -1 -1\n",
			 job->number, job->submit_s, job->run_s, job->procs, job->procs, job->wall_limit_s,
			 mem_kb, credential_field(job->user), credential_field(job->group),
			 credential_field(job->queue));
	}
}
