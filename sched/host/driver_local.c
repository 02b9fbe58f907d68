/* SPDX-License-Identifier: MIT */
/*
 * driver_local.c - node allocation by the site's program (NODEALLOCATIONPOLICY LOCAL)
 *
 * Before a pass the driver runs the program for the first jobs of the queue that have no answer yet, all at
 * the same time (requirement N-10). The program reads the candidate nodes from standard input, one line
 * "NAME PROCS FREE" each, and the job from its environment; it writes node names, the best first. The answer
 * becomes an event, which the pass reads. A missing or invalid answer becomes an event too, so that the
 * program runs once per job.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "driver_inside.h"
#include "sched/base/vec.h"
#include "sched/pass/queue.h"
#include "sched/placement/placement.h"
#include "sched/rm/site_program.h"

#define ASKED_AT_ONCE 16
#define VARIABLES_MAX 24

static bool wants_answer(const struct snapshot *s, const struct job *job)
{
	unsigned policy = job->allocation > 0 ? job->allocation - 1U : s->policy.allocation;

	return policy == ALLOCATE_LOCAL && job->order == 0;
}

static bool any_wants_answer(const struct snapshot *s)
{
	const struct waiting *waiting = snapshot_waiting(s);

	if (s->local_program == 0)
		return false;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++)
		if (wants_answer(s, &snapshot_jobs(s)[waiting[i].slot]))
			return true;
	return false;
}

/* --- questions -------------------------------------------------------------------------------- */

/* The environment of the program for one job. The arena owns its strings. */
struct question {
	uint64_t job;
	const char *variable[VARIABLES_MAX + 1];
	size_t count;
	struct arena arena;
};

static void __attribute__((format(printf, 2, 3))) add_variable(struct question *q, const char *format, ...)
{
	struct str text = {0};
	va_list args;

	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	if (q->count < VARIABLES_MAX)
		q->variable[q->count++] = arena_string(&q->arena, str_text(&text));
	str_free(&text);
}

static void add_creds(struct question *q, const struct snapshot *s, const struct job *job)
{
	static const char *const names[CRED_TYPE_COUNT] = {
		[CRED_USER] = "USER", [CRED_GROUP] = "GROUP", [CRED_ACCOUNT] = "ACCOUNT",
		[CRED_QOS] = "QOS",   [CRED_CLASS] = "CLASS",
	};

	for (int t = 0; t < CRED_TYPE_COUNT; t++) {
		const char *name = snapshot_job_cred(s, job, (enum cred_type)t);

		if (name != NULL)
			add_variable(q, "KAHU_%s=%s", names[t], name);
	}
}

static void add_job(struct question *q, const struct snapshot *s, const struct job *job)
{
	char label[JOB_LABEL_TEXT];
	struct str features = {0};

	add_variable(q, "KAHU_JOB=%s", snapshot_job_label(s, job, label));
	add_creds(q, s, job);
	add_variable(q, "KAHU_TASKS=%" PRIu32, job->tasks);
	add_variable(q, "KAHU_TASK_PROCS=%" PRIu32, job->task_procs);
	add_variable(q, "KAHU_TASKS_PER_NODE=%" PRIu32, job->tasks_per_node);
	add_variable(q, "KAHU_NODES=%" PRIu32, job->nodes);
	add_variable(q, "KAHU_WALLTIME=%" PRId64, job->wall_limit_s);
	add_variable(q, "KAHU_TASK_MEMORY_MB=%" PRId64, job->mem_mb);
	add_variable(q, "KAHU_TASK_SWAP_MB=%" PRId64, job->swap_mb);
	add_variable(q, "KAHU_TASK_DISK_MB=%" PRId64, job->disk_mb);
	snapshot_job_traits(s, job, UNKNOWN_FEATURES, &features);
	add_variable(q, "KAHU_FEATURES=%s", str_text(&features));
	str_free(&features);
}

static void add_candidates(struct str *input, const struct snapshot *s, const struct job *job)
{
	const struct node *node = snapshot_nodes(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++)
		if (placement_node_feasible(s, job, i))
			str_addf(input, "%s %" PRIu32 " %" PRIu32 "\n", snapshot_string(s, node[i].name),
				 node[i].procs, node_procs_free(&node[i]));
}

/* --- answers -------------------------------------------------------------------------------------- */

/*
 * Appends the node names of an answer, separated by blanks. Returns false with err set if a name is not that
 * of a candidate or is repeated, or if there is no name.
 */
static bool read_names(const struct state *st, const struct job *job, const char *text, struct str *out,
		       struct err *err)
{
	const struct snapshot *s = state_view(st);
	bool *named = mem_zero(snapshot_count(s, TABLE_NODES) + 1, sizeof *named);
	struct str name = {0};
	bool ok = true;

	for (const char *at = text; ok; at += strcspn(at, " \t\r\n")) {
		size_t len;
		uint32_t i;

		at += strspn(at, " \t\r\n");
		len = strcspn(at, " \t\r\n");
		if (len == 0)
			break;
		str_clear(&name);
		str_add_bytes(&name, at, len);
		i = state_find_node(st, str_text(&name));
		ok = i != INDEX_NONE && !named[i] && placement_node_feasible(s, job, i);
		if (!ok)
			err_set(err, "%s is not a node on which the job fits, or is listed twice",
				str_text(&name));
		else
			named[i] = true;
		str_addf(out, "%s%s", out->len > 0 ? " " : "", str_text(&name));
	}
	str_free(&name);
	free(named);
	return ok && (out->len > 0 || err_set(err, "it printed no node name"));
}

/* Warns once, and again only after the next valid answer. */
static void say_unanswered(struct driver *d, const struct job *job, const struct err *why)
{
	char label[JOB_LABEL_TEXT];

	if (d->local_failed)
		return;
	d->local_failed = true;
	driver_say(d, "the nodes of job %s are chosen as with minresource: %s",
		   snapshot_job_label(state_view(d->st), job, label), why->text);
}

static bool take_answer(struct driver *d, const struct question *q, struct ask *ask, int64_t now_s,
			struct err *err)
{
	const struct job *job = &snapshot_jobs(state_view(d->st))[state_find(d->st, q->job)];
	struct event ev = {.time_s = now_s, .kind = EVENT_ORDER, .job = q->job, .who = "sched"};
	struct str names = {0};
	bool ok;

	if (ask->answered && read_names(d->st, job, str_text(&ask->answer), &names, &ask->err)) {
		ev.order.nodes = str_text(&names);
		d->local_failed = false;
	} else {
		say_unanswered(d, job, &ask->err);
	}
	ev = driver_in_time(d->st, &ev);
	ok = driver_apply(d, &ev, err);
	str_free(&names);
	return ok;
}

/* --- the first jobs in the queue ------------------------------------------------------------------------ */

static size_t choose_jobs(const struct snapshot *s, int64_t now_s, uint32_t slot[static ASKED_AT_ONCE])
{
	struct queue queue = {0};
	size_t count = 0;

	queue_build(&queue, s, now_s);
	for (uint32_t i = 0; i < queue.idle_count && count < ASKED_AT_ONCE; i++)
		if (wants_answer(s, &snapshot_jobs(s)[queue.idle[i].slot]))
			slot[count++] = queue.idle[i].slot;
	queue_clear(&queue);
	return count;
}

/*
 * Asks the program for all jobs. If the configuration is not trusted, its program is not run, and every
 * question fails for this reason.
 */
static void ask_program(struct driver *d, struct ask *ask, size_t count)
{
	const struct snapshot *s = state_view(d->st);
	const char *program = snapshot_string(s, s->local_program);

	if (d->barred.len == 0) {
		ask_all(program, ask, count, s->policy.local_timeout_s);
		return;
	}
	for (size_t i = 0; i < count; i++)
		err_set(&ask[i].err, "%s is not run, as %s", program, str_text(&d->barred));
}

static bool ask_first(struct driver *d, int64_t now_s, struct err *err)
{
	const struct snapshot *s = state_view(d->st);
	struct question question[ASKED_AT_ONCE] = {{.job = 0}};
	struct ask ask[ASKED_AT_ONCE] = {{.answered = false}};
	uint32_t slot[ASKED_AT_ONCE];
	size_t count;
	bool ok = true;

	count = choose_jobs(s, now_s, slot);
	for (size_t i = 0; i < count; i++) {
		const struct job *job = &snapshot_jobs(s)[slot[i]];

		question[i].job = job->id;
		add_job(&question[i], s, job);
		add_candidates(&ask[i].input, s, job);
		ask[i].environment = question[i].variable;
	}
	ask_program(d, ask, count);
	for (size_t i = 0; i < count; i++) {
		ok = ok && take_answer(d, &question[i], &ask[i], now_s, err);
		arena_free(&question[i].arena);
		ask_clear(&ask[i]);
	}
	return ok;
}

bool driver_ask_local(struct driver *d, int64_t now_s, struct err *err)
{
	return !any_wants_answer(state_view(d->st)) || ask_first(d, now_s, err);
}
