/* SPDX-License-Identifier: MIT */
/*
 * qsub_share.c - how is what a person asks for shared out among equal tasks?
 *
 * A record knows only what one task needs. First the numbers of nodes and tasks are settled. An
 * amount of each node then needs as many tasks on every node; devices of which there are
 * fewer than tasks, or not a multiple, make larger tasks of several (`merge`), so that each has
 * a whole number of them. Memory is divided last, rounded up: no part has less than was asked.
 */
#include <inttypes.h>

#include "qsub_inside.h"
#include "sched/base/duration.h"

struct sharing {
	int64_t nodes;    /* 0 = any number                          */
	int64_t per_node; /* tasks on every node; 0 = any            */
	int64_t tasks, task_procs;
	int64_t merge; /* so many tasks as asked for became one   */
};

static int64_t common_divisor(int64_t a, int64_t b)
{
	while (b != 0) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static int64_t divide_up(int64_t amount, int64_t parts)
{
	return amount / parts + (amount % parts != 0);
}

/* --- numbers of nodes and tasks ---------------------------------------------------------------- */

static int64_t or_one(int64_t number)
{
	return number == 0 ? 1 : number;
}

static bool check_counts(const struct sharing *sh, struct err *err)
{
	if (sh->tasks > INT32_MAX / sh->task_procs)
		return err_set(err, "%" PRId64 " tasks of %" PRId64 " processors are more than there can be",
			       sh->tasks, sh->task_procs);
	if (sh->nodes > sh->tasks)
		return err_set(err, "%" PRId64 " tasks cannot be on %" PRId64 " nodes; ask for a task a node",
			       sh->tasks, sh->nodes);
	if (sh->per_node > 0 && sh->nodes * sh->per_node != sh->tasks)
		return err_set(err,
			       "%" PRId64 " tasks are not %" PRId64 " on each of %" PRId64
			       " nodes; say two of the three numbers",
			       sh->tasks, sh->per_node, sh->nodes);
	return true;
}

static bool settle_counts(const struct qsub_shape *shape, struct sharing *sh, struct err *err)
{
	*sh = (struct sharing){.nodes = shape->nodes,
			       .per_node = shape->per_node,
			       .tasks = shape->tasks,
			       .task_procs = or_one(shape->task_procs),
			       .merge = 1};
	if (sh->tasks == 0)
		sh->tasks = or_one(sh->nodes) * or_one(sh->per_node);
	if (sh->nodes == 0 && sh->per_node > 0)
		sh->nodes = sh->tasks < sh->per_node ? 1 : sh->tasks / sh->per_node;
	return check_counts(sh, err);
}

/* --- devices ------------------------------------------------------------------------------------ */

static bool is_of_nodes(const struct submission *s)
{
	const struct qsub_draft *draft = &s->draft;
	bool found = draft->memory.mb[QSUB_NODE] > 0;

	for (uint32_t i = 0; i < draft->gres_count; i++)
		found = found || (draft->gres[i].count > 0 && draft->gres[i].scope == QSUB_NODE);
	return found;
}

/* Where something is said of each node, all nodes have as many tasks. */
static bool spread_evenly(struct sharing *sh, struct err *err)
{
	if (sh->nodes == 0)
		sh->nodes = 1;
	if (sh->tasks % sh->nodes != 0)
		return err_set(err,
			       "%" PRId64 " tasks on %" PRId64 " nodes are not as many on each, so what is "
			       "asked for a node cannot be shared; ask for it a task or a processor",
			       sh->tasks, sh->nodes);
	sh->per_node = sh->tasks / sh->nodes;
	return true;
}

/* So many of a resource for so many tasks. */
struct part {
	int64_t count, tasks;
};

/* The tasks that have to share; false: nodes would have different numbers of it. */
static bool find_part(const struct qsub_gres *gres, struct sharing *sh, struct part *out, struct err *err)
{
	*out = (struct part){.count = gres->count, .tasks = 1};
	if (gres->scope == QSUB_NODE)
		out->tasks = sh->per_node;
	if (gres->scope != QSUB_JOB)
		return true;
	out->tasks = sh->tasks;
	if (sh->nodes == 0)
		return true;
	if (gres->count % sh->nodes != 0) {
		err_set(err, "%u %s cannot be shared by %" PRId64 " nodes in equal parts; ask for a multiple",
			gres->count, gres->name, sh->nodes);
		return false;
	}
	if (!spread_evenly(sh, err))
		return false;
	*out = (struct part){.count = gres->count / sh->nodes, .tasks = sh->per_node};
	return true;
}

static bool find_merge(const struct submission *s, struct sharing *sh, struct err *err)
{
	for (uint32_t i = 0; i < s->draft.gres_count; i++) {
		const struct qsub_gres *gres = &s->draft.gres[i];
		struct part part;
		int64_t wanted;

		if (gres->count == 0)
			continue;
		if (!find_part(gres, sh, &part, err))
			return false;
		/* Both divide the same number of tasks, so does their least common multiple. */
		wanted = part.tasks / common_divisor(part.tasks, part.count);
		if (wanted > 1)
			sh->merge *= wanted / common_divisor(sh->merge, wanted);
	}
	if (sh->merge > 1 && s->draft.tasks_per_node > 1)
		return err_set(err,
			       "so few devices make larger tasks, for which tpn=%" PRId64
			       " cannot hold; ask for the devices of each task with gres=",
			       s->draft.tasks_per_node);
	sh->tasks /= sh->merge;
	sh->per_node /= sh->merge;
	sh->task_procs *= sh->merge;
	return true;
}

/* What one of the larger tasks has. */
static int64_t gres_of_task(const struct qsub_gres *gres, const struct sharing *sh)
{
	if (gres->scope == QSUB_TASK)
		return gres->count * sh->merge;
	if (gres->scope == QSUB_NODE)
		return gres->count / sh->per_node;
	return gres->count / sh->tasks;
}

static void write_gres(struct submission *s, const struct sharing *sh)
{
	struct str text = {0};

	for (uint32_t i = 0; i < s->draft.gres_count; i++) {
		const struct qsub_gres *gres = &s->draft.gres[i];

		if (gres->count > 0)
			str_addf(&text, "%s%s:%" PRId64, text.len == 0 ? "" : " ", gres->name,
				 gres_of_task(gres, sh));
	}
	s->record.gres = text.len == 0 ? NULL : arena_string(&s->arena, str_text(&text));
	str_free(&text);
}

/* --- memory --------------------------------------------------------------------------------------- */

/* The largest of what was said, for one task. */
static bool share_memory(const struct qsub_memory *memory, const struct sharing *sh, int64_t *out,
			 struct err *err)
{
	int64_t task = memory->mb[QSUB_TASK], proc = memory->mb[QSUB_PROC];
	int64_t parts[2] = {divide_up(memory->mb[QSUB_JOB], sh->tasks),
			    divide_up(memory->mb[QSUB_NODE], or_one(sh->per_node))};

	if (task > MEMORY_MAX_MB / sh->merge || proc > MEMORY_MAX_MB / sh->task_procs)
		return err_set(err, "so much memory cannot be; at most %" PRId64 " MB", MEMORY_MAX_MB);
	*out = task * sh->merge;
	if (*out < proc * sh->task_procs)
		*out = proc * sh->task_procs;
	for (int i = 0; i < 2; i++)
		if (*out < parts[i])
			*out = parts[i];
	return true;
}

/* --- the whole ------------------------------------------------------------------------------------- */

static bool check_tasks_per_node(int64_t least, const struct sharing *sh, struct err *err)
{
	bool good = least <= 1 ||
		    (sh->tasks % least == 0 && sh->per_node % least == 0 && sh->nodes * least <= sh->tasks);

	if (good)
		return true;
	if (sh->nodes == 0)
		return err_set(err,
			       "tpn=%" PRId64 " wants a multiple of so many tasks, which %" PRId64 " is not",
			       least, sh->tasks);
	return err_set(err,
		       "tpn=%" PRId64 " wants a multiple of so many tasks on each of %" PRId64
		       " nodes, which cannot be with %" PRId64,
		       least, sh->nodes, sh->tasks);
}

/* What is asked for each GPU is asked for a task, a node or the job, as the GPUs are. Processors count only
 * where the number of tasks or their processors is not said. */
static void add_of_gpus(struct submission *s, struct qsub_shape *shape)
{
	struct qsub_draft *draft = &s->draft;

	for (uint32_t i = 0; i < draft->gres_count; i++) {
		const struct qsub_gres *gres = &draft->gres[i];

		if (!str_same_word(gres->name, "gpu") || gres->count == 0 || gres->count > INT16_MAX)
			continue;
		if (draft->gpu_mem_mb > draft->memory.mb[gres->scope] / gres->count &&
		    draft->gpu_mem_mb < MEMORY_MAX_MB)
			draft->memory.mb[gres->scope] = draft->gpu_mem_mb * gres->count;
		if (draft->gpu_procs > 0 && draft->gpu_procs < INT16_MAX && shape->task_procs == 0 &&
		    (shape->tasks <= 1 || gres->scope == QSUB_TASK) && shape->per_node <= 1)
			shape->task_procs = draft->gpu_procs * gres->count;
	}
}

bool qsub_make_tasks(struct submission *s, struct err *err)
{
	const struct qsub_draft *draft = &s->draft;
	struct job *job = &s->record.job;
	struct qsub_shape shape = draft->shape;
	struct sharing sh;

	add_of_gpus(s, &shape);
	if (shape.nodes == 0 && draft->place == QSUB_PLACE_PACK)
		shape.nodes = 1;
	if (shape.nodes == 0 && draft->place == QSUB_PLACE_SCATTER)
		shape.nodes = shape.tasks;
	if (!settle_counts(&shape, &sh, err) || (is_of_nodes(s) && !spread_evenly(&sh, err)) ||
	    !find_merge(s, &sh, err) || !check_tasks_per_node(draft->tasks_per_node, &sh, err))
		return false;
	s->launch.tasks =
		(uint32_t)(draft->processes > 0 && draft->processes <= INT32_MAX ? draft->processes
										 : sh.tasks * sh.merge);
	write_gres(s, &sh);
	if (!share_memory(&draft->memory, &sh, &job->mem_mb, err) ||
	    !share_memory(&draft->swap, &sh, &job->swap_mb, err))
		return false;
	job->tasks = (uint32_t)sh.tasks;
	job->task_procs = (uint32_t)sh.task_procs;
	job->nodes = (uint32_t)sh.nodes;
	job->tasks_per_node = (uint32_t)(sh.per_node > 1 ? sh.per_node : draft->tasks_per_node);
	return true;
}
