/* SPDX-License-Identifier: MIT */
/*
 * slurm_jobs.c - jobs from the output of squeue
 *
 * A line has one field for each row of job_fields, separated by SEPARATOR, and the name of the job as the
 * last one, because users choose it freely. Everything else has been checked by Slurm.
 */
#include <signal.h>
#include <string.h>

#include "sched/base/vec.h"
#include "slurm.h"
#include "slurm_text.h"

#define SEPARATOR '^'

/*
 * The fields of squeue -O, printed with width 0, which means without padding. When a field with `describes`
 * changes, the job is described to the scheduler anew.
 */
static const struct {
	const char *name;
	size_t offset; /* of the text in struct slurm_job; 0: no text, except for the first field */
	bool describes;
} job_fields[] = {
	{"jobarrayid", offsetof(struct slurm_job, id), true},
	{"state", offsetof(struct slurm_job, state), false},
	{"username", offsetof(struct slurm_job, user), true},
	{"groupname", offsetof(struct slurm_job, group), true},
	{"account", offsetof(struct slurm_job, account), true},
	{"qos", offsetof(struct slurm_job, qos), true},
	{"partition", offsetof(struct slurm_job, partition), true},
	{"numcpus", 0, true},
	{"numnodes", 0, true},
	{"numtasks", 0, true},
	{"cpus-per-task", 0, true},
	{"timelimit", 0, true},
	{"submittime", 0, true},
	{"starttime", 0, false},
	{"endtime", 0, false},
	{"reason", offsetof(struct slurm_job, reason), false},
	{"prioritylong", 0, false},
	{"tres-alloc", offsetof(struct slurm_job, tres), true},
	{"tres-per-job", offsetof(struct slurm_job, gres_job), true},
	{"tres-per-node", offsetof(struct slurm_job, gres_node), true},
	{"tres-per-socket", offsetof(struct slurm_job, gres_socket), true},
	{"tres-per-task", offsetof(struct slurm_job, gres_task), true},
	{"feature", offsetof(struct slurm_job, features), true},
	{"dependency", offsetof(struct slurm_job, depends), true},
	{"oversubscribe", offsetof(struct slurm_job, sharing), true},
	{"reservation", offsetof(struct slurm_job, reservation), true},
	{"reqnodes", offsetof(struct slurm_job, hosts_asked), true},
	{"licenses", offsetof(struct slurm_job, licenses), true},
	{"exit_code", 0, false},
	{"hetjobid", 0, true},
	{"nodelist", offsetof(struct slurm_job, hosts), false},
	{"name", offsetof(struct slurm_job, name), true},
};

enum job_field {
	FIELD_PROCS = 7,
	FIELD_NODES,
	FIELD_TASKS,
	FIELD_TASK_PROCS,
	FIELD_LIMIT,
	FIELD_SUBMIT,
	FIELD_START,
	FIELD_END,
	FIELD_REASON,
	FIELD_PRIORITY,
	FIELD_EXIT = 28,
	FIELD_MIXED,
	FIELD_NAME = 31,
	FIELD_COUNT
};
_Static_assert(FIELD_COUNT == sizeof job_fields / sizeof job_fields[0], "each field has a number");

void slurm_job_format(const char *mark, struct str *out)
{
	for (size_t i = 0; i < FIELD_COUNT; i++) {
		str_addf(out, "%s%s:0%s", i > 0 ? "," : "", job_fields[i].name, i == 0 ? mark : "");
		if (i < FIELD_NAME)
			str_add_char(out, SEPARATOR);
	}
}

/* --- states ------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	enum slurm_phase phase;
	int32_t status; /* of a job that has ended in this state without an exit status */
} job_states[] = {
	{"PENDING", SLURM_PENDING, 0},
	{"RUNNING", SLURM_RUNNING, 0},
	{"SUSPENDED", SLURM_RUNNING, 0},
	{"COMPLETING", SLURM_RUNNING, 0},
	{"CONFIGURING", SLURM_RUNNING, 0},
	{"STAGE_OUT", SLURM_RUNNING, 0},
	{"SIGNALING", SLURM_RUNNING, 0},
	{"STOPPED", SLURM_RUNNING, 0},
	{"RESIZING", SLURM_RUNNING, 0},
	{"EXPEDITING", SLURM_PENDING, 0},
	{"POWER_UP_NODE", SLURM_RUNNING, 0},
	{"REQUEUED", SLURM_PENDING, 0},
	{"REQUEUE_FED", SLURM_PENDING, 0},
	{"REQUEUE_HOLD", SLURM_PENDING, 0},
	{"RESV_DEL_HOLD", SLURM_PENDING, 0},
	{"SPECIAL_EXIT", SLURM_PENDING, 0},
	{"COMPLETED", SLURM_ENDED, 0},
	{"CANCELLED", SLURM_ENDED, 256 + SIGTERM},
	{"FAILED", SLURM_ENDED, 1},
	{"TIMEOUT", SLURM_ENDED, 256 + SIGTERM},
	{"NODE_FAIL", SLURM_ENDED, 256 + SIGKILL},
	{"PREEMPTED", SLURM_ENDED, 256 + SIGTERM},
	{"BOOT_FAIL", SLURM_ENDED, 256 + SIGKILL},
	{"DEADLINE", SLURM_ENDED, 256 + SIGTERM},
	{"OUT_OF_MEMORY", SLURM_ENDED, 256 + SIGKILL},
	{"LAUNCH_FAILED", SLURM_ENDED, 1},
	{"RECONFIG_FAIL", SLURM_ENDED, 1},
	{"REVOKED", SLURM_ENDED, 256 + SIGTERM},
};

/*
 * Parses an exit status. Slurm 20.11 and 22.05 print it as wait() returns it; later versions print the exit
 * code and the signal, as in "3:0".
 */
static bool read_status(const char *text, int32_t *out)
{
	char code[12];
	size_t len = strcspn(text, ":");
	uint32_t first, sign = 0;

	if (len >= sizeof code)
		return false;
	memcpy(code, text, len);
	code[len] = '\0';
	if (!slurm_count(code, &first))
		return false;
	if (text[len] == ':') {
		if (!slurm_count(text + len + 1, &sign))
			return false;
	} else {
		sign = first & 0x7f;
		first = first >> 8 & 0xff;
	}
	*out = sign > 0 && sign <= 64 ? (int32_t)(256 + sign) : (int32_t)(first & 0xff);
	return true;
}

static void take_state(struct slurm_job *job, const char *exit_code)
{
	int32_t status = 0;

	job->phase = SLURM_UNKNOWN;
	for (size_t i = 0; i < sizeof job_states / sizeof job_states[0]; i++)
		if (strcmp(job_states[i].name, job->state) == 0) {
			job->phase = job_states[i].phase;
			job->status = job_states[i].status;
		}
	if (job->phase == SLURM_ENDED && strcmp(job->state, "COMPLETED") != 0 &&
	    read_status(exit_code, &status) && status != 0)
		job->status = status;
	job->suspended = strcmp(job->state, "SUSPENDED") == 0 || strcmp(job->state, "STOPPED") == 0;
}

/* --- one job ------------------------------------------------------------------------------------------ */

#define FNV_BEGIN UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

/* Raise this when jobs are described to the scheduler in another way, so that all jobs are described anew. */
#define DESCRIPTION_VERSION 1

static uint64_t fingerprint(char *const field[static FIELD_COUNT])
{
	uint64_t h = FNV_BEGIN + DESCRIPTION_VERSION;

	for (size_t i = 0; i < FIELD_COUNT; i++) {
		if (!job_fields[i].describes)
			continue;
		for (const char *c = field[i]; *c != '\0'; c++)
			h = (h ^ (unsigned char)*c) * FNV_PRIME;
		h = (h ^ 0xff) * FNV_PRIME;
	}
	return h != 0 ? h : 1;
}

/* A line of squeue. */
struct line {
	struct slurm_cluster *c;
	uint32_t number; /* from 1 */
};

static bool refuse(const struct line *line, const char *why, const char *word)
{
	bad_lines_note(&line->c->bad, line->number, why, (struct span){word, word + strlen(word)});
	return false;
}

/* Parses a count. Without --noconvert, squeue prints 2048 as "2K". */
static bool read_count(char *text, uint32_t *out)
{
	size_t len = strlen(text);
	uint32_t unit = 1;

	if (len > 1 && (text[len - 1] == 'K' || text[len - 1] == 'M')) {
		unit = text[len - 1] == 'K' ? 1024 : 1024 * 1024;
		text[len - 1] = '\0';
	}
	if (!slurm_count(text, out) || *out > UINT32_MAX / unit)
		return false;
	*out *= unit;
	return true;
}

static bool read_counts(const struct line *line, char *const field[static FIELD_COUNT], struct slurm_job *job)
{
	if (!read_count(field[FIELD_PROCS], &job->procs) || job->procs == 0)
		return refuse(line, "the number of processors of a job is invalid", field[FIELD_PROCS]);
	if (!read_count(field[FIELD_NODES], &job->nodes))
		return refuse(line, "the number of nodes of a job is invalid", field[FIELD_NODES]);
	if (!read_count(field[FIELD_TASKS], &job->tasks))
		job->tasks = 0;
	if (!read_count(field[FIELD_TASK_PROCS], &job->task_procs))
		job->task_procs = 0;
	return true;
}

static bool read_times(const struct line *line, char *const field[static FIELD_COUNT], struct slurm_job *job)
{
	if (!slurm_duration(field[FIELD_LIMIT], &job->limit_s))
		return refuse(line, "the time limit of a job is invalid", field[FIELD_LIMIT]);
	if (!slurm_time(field[FIELD_SUBMIT], &job->submit_s) || job->submit_s <= 0)
		return refuse(line, "the submit time of a job is invalid", field[FIELD_SUBMIT]);
	if (!slurm_time(field[FIELD_START], &job->start_s))
		return refuse(line, "the start time of a job is invalid", field[FIELD_START]);
	if (!slurm_time(field[FIELD_END], &job->end_s))
		return refuse(line, "the end time of a job is invalid", field[FIELD_END]);
	return true;
}

/* Replaces control characters, which a name can contain, and words that stand for no value. */
static void clean(char *text)
{
	for (char *c = text; *c != '\0'; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	if (slurm_is_none(text))
		*text = '\0';
}

static void take_job(const struct line *line, char *field[static FIELD_COUNT])
{
	struct slurm_cluster *c = line->c;
	struct slurm_job job = {.held = strcmp(field[FIELD_PRIORITY], "0") == 0};

	for (size_t i = 0; i < FIELD_COUNT; i++) {
		clean(field[i]);
		if (job_fields[i].offset != 0 || i == 0)
			*(const char **)(void *)((char *)&job + job_fields[i].offset) = field[i];
	}
	field[FIELD_REASON][strcspn(field[FIELD_REASON], ",")] = '\0'; /* "ReqNodeNotAvail, Unavail..." */
	job.fingerprint = fingerprint(field);
	job.mixed = field[FIELD_MIXED][0] != '\0' && strcmp(field[FIELD_MIXED], "0") != 0;
	if (!read_counts(line, field, &job) || !read_times(line, field, &job))
		return;
	take_state(&job, field[FIELD_EXIT]);
	c->job = vec_room(c->job, &c->job_room, c->jobs + 1, sizeof *c->job);
	c->job[c->jobs++] = job;
}

/* --- the answer --------------------------------------------------------------------------------------- */

/*
 * Returns the end of the ID at the beginning of a job's line: "12", "12_3" or "12+1", which the mark and the
 * separator must follow. NULL if they do not: then the line continues the name of the previous job.
 */
static char *end_of_id(char *line, const char *mark)
{
	size_t len = strspn(line, "0123456789_+"), mark_len = strlen(mark);

	return len > 0 && len < SLURM_NAME && strncmp(line + len, mark, mark_len) == 0 &&
			       line[len + mark_len] == SEPARATOR
		       ? line + len
		       : NULL;
}

/*
 * Returns the end of the job that begins at `line`: the newline before the next job, or the last newline of
 * the text.
 */
static char *end_of_job(char *line, const char *mark)
{
	char *end = strchr(line, '\n');

	while (end[1] != '\0' && end_of_id(end + 1, mark) == NULL)
		end = strchr(end + 1, '\n');
	return end;
}

/* Cuts a line into its fields. Returns false if there are too few. */
static bool cut(char *line, char *end_of_first, size_t mark_len, char *field[static FIELD_COUNT])
{
	char *at = end_of_first + mark_len + 1;

	field[0] = line;
	*end_of_first = '\0';
	for (size_t i = 1; i < FIELD_NAME; i++) {
		field[i] = at;
		at = strchr(at, SEPARATOR);
		if (at == NULL)
			return false;
		*at++ = '\0';
	}
	field[FIELD_NAME] = at;
	return true;
}

bool slurm_read_jobs(struct slurm_cluster *c, char *text, size_t len, const char *mark, struct err *err)
{
	size_t mark_len = strlen(mark), before = c->jobs;
	struct line line = {.c = c, .number = 0};
	char *field[FIELD_COUNT];

	if (memchr(text, '\0', len) != NULL)
		return err_set(err, "squeue has printed a NUL");
	if (len > 0 && text[len - 1] != '\n')
		return err_set(err, "the answer of squeue was cut off");
	for (char *at = text, *end; *at != '\0'; at = end + 1) {
		char *first = end_of_id(at, mark);

		line.number++;
		if (first == NULL)
			return err_set(err, "squeue has printed a line that is not a job: \"%.40s\"", at);
		end = end_of_job(at, mark);
		*end = '\0';
		if (cut(at, first, mark_len, field))
			take_job(&line, field);
		else
			refuse(&line, "the line of a job has too few fields; it begins with", at);
	}
	return line.number == 0 || c->jobs > before ||
	       err_set(err, "no job that squeue has printed could be read; line %u: %s",
		       c->bad.shown_count > 0 ? c->bad.shown[c->bad.shown_count - 1].line : 0,
		       c->bad.shown_count > 0 ? c->bad.shown[c->bad.shown_count - 1].why : "");
}
