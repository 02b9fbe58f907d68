/* SPDX-License-Identifier: MIT */
/*
 * swf.c - workload logs in the Standard Workload Format
 *
 * The text is parsed in a single pass. Each line with data is a job, a rejected job or a bad line. The size
 * of the machine may be at the end of the log, so jobs larger than the machine are removed after the pass.
 *
 * Format: D. Feitelson, "The Standard Workload Format", version 2.2, Parallel Workloads Archive.
 */
#include "swf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"

/* Fields of a line, numbered from 0. */
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

#define FIELDS_NEEDED 9 /* the fields up to the requested time are required */

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

/* Maximum value of a field that Kahu accepts; 0 = INT64_MAX. */
static const int64_t field_max[FIELD_COUNT] = {
	[FIELD_SUBMIT] = MOMENT_MAX_S,     [FIELD_RUN] = MOMENT_MAX_S,
	[FIELD_TIME_ASKED] = MOMENT_MAX_S, [FIELD_MEMORY_ASKED] = MEMORY_MAX_MB * 1024,
	[FIELD_USER] = INT32_MAX,          [FIELD_GROUP] = INT32_MAX,
	[FIELD_QUEUE] = INT32_MAX,
};

/* Header lines that are used, and where their values are stored. */
static const struct {
	const char *name;
	size_t offset;
} header_names[] = {
	{"MaxProcs", offsetof(struct trace, max_procs)},
	{"MaxNodes", offsetof(struct trace, max_nodes)},
	{"UnixStartTime", offsetof(struct trace, unix_start_s)},
};

/* First bytes of compressed files, and the command that unpacks them. */
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
	uint32_t line;     /* number of the current line, from 1 */
	uint64_t readable; /* lines that describe a job, including rejected ones */
};

/* Records the line as bad because of the field that begins at `at`. Always returns false. */
static bool refuse_field(struct reader *r, enum field f, const char *at, struct span rest, const char *what)
{
	char why[80];

	snprintf(why, sizeof why, "field %d (%s) %s", (int)f + 1, field_name[f], what);
	bad_lines_note(&r->out->bad, r->line, why, (struct span){at, rest.end});
	return false;
}

static bool read_field(struct reader *r, struct span *rest, enum field f, int64_t *out)
{
	const char *at = rest->at;

	switch (line_number(rest, out)) {
	case SCAN_OK:
		break;
	case SCAN_TEXT:
		return refuse_field(r, f, at, *rest, "is not a number");
	case SCAN_TOO_LARGE:
		return refuse_field(r, f, at, *rest, "is too large");
	}
	if (f == FIELD_SUBMIT && *out < 0)
		return refuse_field(r, f, at, *rest, "is negative");
	if (field_max[f] && *out > field_max[f])
		return refuse_field(r, f, at, *rest, "is too large");
	return true;
}

/*
 * Parses all fields of a job line; missing fields at the end are -1. If a field is invalid or too many are
 * missing, records the line as bad and returns false.
 */
static bool read_fields(struct reader *r, struct span rest, int64_t field[static FIELD_COUNT])
{
	int count = 0;

	while (rest.at < rest.end && count < FIELD_COUNT) {
		if (!read_field(r, &rest, (enum field)count, &field[count]))
			return false;
		count++;
		line_skip_blanks(&rest);
	}
	if (count < FIELDS_NEEDED) {
		char why[80];

		snprintf(why, sizeof why, "it has %d field%s, but a job needs at least %d", count,
			 count == 1 ? "" : "s", FIELDS_NEEDED);
		bad_lines_note(&r->out->bad, r->line, why, (struct span){rest.end, rest.end});
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
	trace_add(t, &(struct trace_job){
			     .number = field[FIELD_NUMBER],
			     .submit_s = field[FIELD_SUBMIT],
			     .run_s = smaller(run_s, limit_s),
			     .wall_limit_s = limit_s,
			     .mem_mb = mem_kb > 0 ? (mem_kb + 1023) / 1024 : 0,
			     .procs = (int32_t)procs,
			     .user = credential(field[FIELD_USER]),
			     .group = credential(field[FIELD_GROUP]),
			     .queue = credential(field[FIELD_QUEUE]),
		     });
}

/*
 * Returns the whole number at the beginning of a header value; 0 if there is none or it is negative,
 * INT64_MAX if it is too large.
 */
static int64_t header_number(struct span value)
{
	bool negative;
	int64_t number;

	line_skip_blanks(&value);
	negative = value.at < value.end && *value.at == '-';
	if (negative || !line_digits(&value, &number))
		return negative ? 0 : INT64_MAX;
	return number;
}

/*
 * Parses a header line "Name: value", after its semicolon. A later line with the same name takes precedence.
 */
static void read_header(struct reader *r, struct span line)
{
	const char *colon;
	struct span name;

	colon = memchr(line.at, ':', span_len(line));
	if (!colon)
		return;
	if (line_words((struct span){line.at, colon}, &name, 1) != 1)
		return;
	for (size_t i = 0; i < sizeof header_names / sizeof header_names[0]; i++) {
		int64_t *value = (int64_t *)(void *)((char *)r->out + header_names[i].offset);

		if (span_is(name, header_names[i].name))
			*value = header_number((struct span){colon + 1, line.end});
	}
}

static void read_line(struct reader *r, struct span line)
{
	int64_t field[FIELD_COUNT];

	line_skip_blanks(&line);
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
	struct span line;

	for (line_skip_mark(&text); line_next(&text, &line);) {
		r->line++;
		read_line(r, line);
	}
}

static bool refuse_packed(const char *file, struct span text, struct err *err)
{
	for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++) {
		size_t len = strlen(packings[i].begin);

		if (span_len(text) >= len && memcmp(text.at, packings[i].begin, len) == 0)
			return err_set(err,
				       "%s: it is compressed; unpack it into a pipe: %s LOG | kahu replay -",
				       file, packings[i].unpack);
	}
	return true;
}

static bool refuse_no_jobs(const char *file, const struct trace *t, size_t len, struct err *err)
{
	if (len == 0)
		return err_set(err, "%s: the file is empty; it must be a log in the Standard Workload Format",
			       file);
	if (t->bad.count == 0)
		return err_set(err, "%s: it contains no jobs, only comments", file);
	return err_set(err,
		       "%s: no job could be read; the file must be a log in the Standard Workload Format; "
		       "line %" PRIu32 ": %s",
		       file, t->bad.shown[0].line, t->bad.shown[0].why);
}

/* Returns the number of processors of the machine; 0 with err set if it is not known or too large. */
static int64_t machine_size(const char *file, const struct trace *t, int64_t procs_override, struct err *err)
{
	int64_t procs = procs_override > 0 ? procs_override : t->max_procs > 0 ? t->max_procs : t->max_nodes;

	if (procs <= 0) {
		err_set(err,
			"%s: its header has neither MaxProcs nor MaxNodes; describe the machine with "
			"--cluster NODESxPROCS",
			file);
		return 0;
	}
	if (procs > INT32_MAX) {
		err_set(err,
			"%s: the machine has %" PRId64
			" processors, but at most %d can be scheduled; use --cluster NODESxPROCS",
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
	trace_finish(out, machine);
	return true;
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
