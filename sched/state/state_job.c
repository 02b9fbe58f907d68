/* SPDX-License-Identifier: MIT */
/*
 * state_job.c - jobs entering and leaving the tables, their defaults, their records
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "state_inside.h"

static void free_slot(struct state *st, uint32_t slot);

static uint32_t take_slot(struct state *st)
{
	if (st->free_count > 0)
		return st->free_slot[--st->free_count];
	state_make_room(st, TABLE_JOBS, 1);
	return st->s->table[TABLE_JOBS].count++;
}

static uint32_t cred_of(struct state *st, enum cred_type type, const char *name)
{
	return name == NULL || name[0] == '\0' ? INDEX_NONE : state_intern_cred(st, type, name);
}

/* Converts the names of a record to indexes, bits and offsets. */
static void name_job(struct state *st, struct job *job, const struct job_record *record)
{
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		job->cred[t] = cred_of(st, (enum cred_type)t, record->cred[t]);
	job->qos_asked = cred_of(st, CRED_QOS, record->qos_asked);
	job->partition = state_intern_partition(st, record->partition);
	memset(job->unknown, 0, sizeof job->unknown);
	state_name_traits(st, job, UNKNOWN_FEATURES, record->features);
	state_name_traits(st, job, UNKNOWN_PREFER, record->prefer);
	state_name_traits(st, job, UNKNOWN_GRES, record->gres);
	job->label = state_add_string(st, record->label);
	job->name = state_add_string(st, record->name);
	job->hosts = state_add_string(st, record->hosts);
	job->order = state_add_string(st, record->order);
	job->hold_reason = state_add_string(st, record->hold_reason);
	job->base_reason = state_add_string(st, record->base_reason);
	job->said = state_add_string(st, record->said);
}

void state_reserve_ids(struct state *st, uint64_t last)
{
	st->reserved_id = last;
}

uint64_t state_next_id(const struct state *st)
{
	return st->s->next_job_id > st->reserved_id ? st->s->next_job_id : st->reserved_id + 1;
}

uint32_t state_add_job(struct state *st, const struct job_record *record, uint64_t id)
{
	struct job job = record->job;
	uint32_t slot;

	state_find_spare_creds(st);
	slot = take_slot(st);

	job.id = id;
	name_job(st, &job, record);
	job.depend = state_chain_depends(st, record->depend, record->depend_count);
	job.run = INDEX_NONE;
	job.state = JOB_IDLE;
	job.launch_size = record->launch_size;
	state_mark_particular(st->s, &job);
	*state_job(st, slot) = job;
	state_index_job(st, slot);
	state_queue_job(st, slot);
	state_count_job(st, slot, 1);
	state_store_job(st, slot);
	if (id >= st->s->next_job_id)
		st->s->next_job_id = id + 1;
	return slot;
}

static void waste_strings(struct state *st, const struct job *job)
{
	const uint32_t string[] = {job->label, job->name, job->hosts, job->order, job->said};

	for (size_t i = 0; i < sizeof string / sizeof string[0]; i++)
		state_waste_string(st, string[i]);
	state_wipe_string(st, job->base_reason);
	for (int k = 0; k < UNKNOWN_COUNT; k++)
		state_waste_string(st, job->unknown[k]);
}

static void free_slot(struct state *st, uint32_t slot)
{
	*state_job(st, slot) = (struct job){.state = JOB_NONE};
	st->free_slot = vec_room(st->free_slot, &st->free_room, st->free_count + 1, sizeof *st->free_slot);
	st->free_slot[st->free_count++] = slot;
}

void state_end_job(struct state *st, uint32_t slot, int64_t now_s)
{
	struct job *job = state_job(st, slot);

	if (job->state == JOB_RUNNING) {
		state_leave_nodes(st, slot, now_s);
	} else {
		state_unqueue_job(st, slot);
		state_free_runs(st, slot);
	}
	state_count_job(st, slot, -1);
	state_unstore_job(st, slot);
	state_free_depends(st, job->depend);
	state_drop_changes(st, job->id);
	state_unindex_job(st, job->id);
	waste_strings(st, job);
	free_slot(st, slot);
	state_compact_strings(st);
}

/* --- submission: checks and defaults ------------------------------------------------------------------ */

/*
 * Features and the wallclock limit default to those of the class, then to those of class DEFAULT; the
 * wallclock limit then defaults to that of the site. Memory defaults to that of the site. The QOS is the
 * requested one if it is permitted, otherwise the default (M-13, M-16).
 */

/* Returns the attributes of a class: its own if `is_set` is true for them, otherwise those of DEFAULT. */
static const struct cred_attr *class_attr(const struct state *st, uint32_t class_cred,
					  bool (*is_set)(const struct cred_attr *attr))
{
	const struct cred *cred = snapshot_creds(st->s);

	return class_cred != INDEX_NONE && is_set(&cred[class_cred].attr) ? &cred[class_cred].attr
									  : &cred[CRED_CLASS].attr;
}

static bool has_wall(const struct cred_attr *attr)
{
	return attr->default_wall_s > 0;
}

static bool has_features(const struct cred_attr *attr)
{
	return attr->default_features != 0;
}

static int64_t wall_limit(const struct state *st, const struct job_record *record)
{
	const char *class_name = record->cred[CRED_CLASS];
	const struct cred_attr *attr;

	if (record->job.wall_limit_s != 0)
		return record->job.wall_limit_s;
	attr = class_attr(st, class_name == NULL ? INDEX_NONE : state_find_cred(st, CRED_CLASS, class_name),
			  has_wall);
	return has_wall(attr) ? attr->default_wall_s : st->s->policy.default_wall_s;
}

/*
 * Returns the memory per task. The site's default is per job, or per node if the job requests nodes; it is
 * divided among the tasks of the job or node, rounded up.
 */
static int64_t task_memory(const struct state *st, const struct job *job)
{
	int64_t given_mb = st->s->policy.default_mem_mb;
	uint32_t parts = job->nodes > 0 ? job->tasks / job->nodes : job->tasks;

	if (job->mem_mb != 0 || given_mb == 0)
		return job->mem_mb;
	return parts > 1 ? (given_mb + parts - 1) / parts : given_mb;
}

/*
 * Checks the size of an array. All its tasks are added to the tables at once, so their number and the number
 * of their dependencies are limited.
 */
static bool check_array(const struct job_record *record, struct err *err)
{
	if (record->range_count == 0)
		return record->job.array_limit == 0 ||
		       err_set(err, "only an array can limit the number of its running tasks");
	if (!array_check(record->ranges, record->range_count, err))
		return false;
	return (uint64_t)job_record_tasks(record) * record->depend_count <= ARRAY_DEPENDS_MAX ||
	       err_set(err, "%u tasks with %u dependencies each are too many: at most %d dependencies in all",
		       job_record_tasks(record), record->depend_count, ARRAY_DEPENDS_MAX);
}

bool state_check_submission(const struct state *st, const struct job_record *record, struct err *err)
{
	struct job job = record->job;

	if ((job.base_holds & ~JOB_HOLD_ALL) != 0)
		return err_set(err, "unknown kind of hold; the kinds are user, system and batch");
	if ((job.real & ~(JOB_REAL_LAUNCH | JOB_REAL_RERUN | JOB_REAL_MAIL)) != 0)
		return err_set(err, "a job that is submitted cannot be suspended or requeued yet");
	if (record->launch != NULL && (job.real & JOB_REAL_LAUNCH) == 0)
		return err_set(err, "the job has launch data but is not marked as having it");
	job.wall_limit_s = wall_limit(st, record);
	job.mem_mb = task_memory(st, &record->job);
	return check_array(record, err) && state_check_size(&job, err) &&
	       state_check_job_traits(record, err) &&
	       state_check_depends(st, 0, record->depend, record->depend_count, err);
}

/* Clears the fields that a submitted job cannot have yet. */
static void forget_past(struct job *job)
{
	job->accrual_s = job->submit_s;
	job->start_s = TIME_NONE;
	job->suspended_s = job->suspended_at_s = job->resume_s = 0;
	job->released_s = job->held_since_s = job->charged_ps = 0;
	job->planned_s = TIME_NEVER;
	job->defer_until_s = TIME_NONE;
	job->used_ps = -1;
	job->holds = job->base_holds;
	job_take_base_points(job);
	job->array = 0;
	job->array_index = 0;
	job->bypass = job->defer_count = job->start_count = job->procs_held = 0;
	job->retries = 0;
	job->access_held = ACCESS_UNSET;
	job->flags = 0;
}

static struct depend *open_depends(const struct state *st, const struct job_record *record)
{
	struct depend *depend = mem_zero((size_t)record->depend_count + 1, sizeof *depend);

	for (uint32_t i = 0; i < record->depend_count; i++) {
		depend[i] = record->depend[i];
		state_open_depend(st, &depend[i]);
	}
	return depend;
}

static void give_defaults(struct state *st, uint32_t slot)
{
	const struct job *job = state_job(st, slot);
	uint64_t features = job->features;
	struct job changed = *job;
	uint32_t qos;

	/* The permitted QOS depend on the account, too. */
	if (changed.cred[CRED_ACCOUNT] == INDEX_NONE)
		changed.cred[CRED_ACCOUNT] = snapshot_account_for(st->s, changed.cred);
	qos = snapshot_qos_for(st->s, changed.cred, job->qos_asked);

	if (features == 0 && job->unknown[UNKNOWN_FEATURES] == 0)
		features = class_attr(st, job->cred[CRED_CLASS], has_features)->default_features;
	if (qos == job->cred[CRED_QOS] && features == job->features &&
	    changed.cred[CRED_ACCOUNT] == job->cred[CRED_ACCOUNT])
		return;
	changed.cred[CRED_QOS] = qos;
	changed.features = features;
	state_edit_waiting(st, slot, &changed);
}

/* Adds one job per task number; the first has the ID of the array. */
static void add_tasks(struct state *st, struct job_record *record, uint64_t id)
{
	struct str label = {0};

	record->job.array = id;
	for (uint32_t i = 0; i < job_record_tasks(record); i++) {
		record->job.array_index = array_number(record->ranges, record->range_count, i);
		str_clear(&label);
		str_addf(&label, "%llu[%u]", (unsigned long long)id, record->job.array_index);
		record->label = str_text(&label);
		give_defaults(st, state_add_job(st, record, id + i));
	}
	str_free(&label);
}

void state_submit_job(struct state *st, const struct job_record *asked, uint64_t id)
{
	struct job_record record = *asked;
	struct depend *depend = NULL;

	forget_past(&record.job);
	record.job.wall_limit_s = wall_limit(st, asked);
	record.job.mem_mb = task_memory(st, &asked->job);
	record.qos_asked = asked->cred[CRED_QOS];
	record.base_reason = asked->hold_reason;
	record.order = NULL;
	if (asked->depend_count > 0)
		record.depend = depend = open_depends(st, asked);
	if (asked->range_count > 0)
		add_tasks(st, &record, id);
	else
		give_defaults(st, state_add_job(st, &record, id));
	free(depend);
}

static void describe_running(struct state *st, uint32_t slot, const struct job_record *record)
{
	uint32_t said = state_add_string(st, record->said);
	struct job *job = state_job(st, slot);

	state_waste_string(st, job->said);
	job->said = said;
	job->described = record->job.described;
	job->expected_s = record->job.expected_s;
	if (job->wall_limit_s == record->job.wall_limit_s)
		return;
	state_unlist_running(st, slot);
	state_count_job(st, slot, -1);
	state_job(st, slot)->wall_limit_s = record->job.wall_limit_s;
	state_count_job(st, slot, 1);
	state_list_running(st, slot);
}

void state_describe_job(struct state *st, uint32_t slot, const struct job_record *record)
{
	const struct job old = *state_job(st, slot);

	if (old.state == JOB_RUNNING) {
		describe_running(st, slot, record);
		return;
	}
	state_end_job(st, slot, st->s->now_s);
	state_submit_job(st, record, old.id);
	if (old.submit_s != record->job.submit_s || (old.flags & JOB_ACCRUAL_PAUSED) != 0)
		return;
	slot = state_find(st, old.id);
	state_count_job(st, slot, -1);
	state_job(st, slot)->accrual_s = old.accrual_s;
	state_count_job(st, slot, 1);
}

/* --- records of jobs and nodes ------------------------------------------------------------------------ */

/*
 * A record contains names where the tables contain indexes and bits: it is the form of submissions and of
 * stored jobs. Most names are strings of the snapshot; lists of traits are composed.
 */

void state_parts_free(struct state_parts *parts)
{
	free(parts->run);
	free(parts->depend);
	free(parts->range);
	str_free(&parts->text);
	*parts = (struct state_parts){.run = NULL};
}

static void record_runs(const struct snapshot *s, uint32_t first, struct job_record *out,
			struct state_parts *parts)
{
	for (uint32_t i = first; i != INDEX_NONE; i = snapshot_runs(s)[i].next) {
		parts->run = vec_room(parts->run, &parts->run_room, out->run_count + 1, sizeof *parts->run);
		parts->run[out->run_count++] = snapshot_runs(s)[i];
	}
	out->runs = parts->run;
}

static void record_depends(const struct snapshot *s, uint32_t first, struct job_record *out,
			   struct state_parts *parts)
{
	for (uint32_t i = first; i != INDEX_NONE; i = snapshot_depends(s)[i].next) {
		parts->depend = vec_room(parts->depend, &parts->depend_room, out->depend_count + 1,
					 sizeof *parts->depend);
		parts->depend[out->depend_count++] = snapshot_depends(s)[i];
	}
	out->depend = parts->depend;
}

/* Returns the string at an offset; NULL for offset 0. */
static const char *text_at(const struct snapshot *s, uint32_t at)
{
	return at == 0 ? NULL : snapshot_string(s, at);
}

static const char *partition_name(const struct snapshot *s, uint32_t partition)
{
	return partition == 0 ? NULL : snapshot_string(s, snapshot_partitions(s)[partition].name);
}

/*
 * A composed text: its offset in the buffer that contains all of them, and where to store its address, which
 * is known only when all texts are composed.
 */
struct composed {
	const char **to;
	size_t at;
};

static void compose_end(struct composed *c, struct str *text, const char **to, size_t at)
{
	*c = (struct composed){.to = text->len > at ? to : NULL, .at = at};
	if (text->len > at)
		str_add_char(text, '\0');
}

static void compose_traits(const struct snapshot *s, enum trait_kind kind, uint64_t bits, struct str *text,
			   struct composed *c, const char **to)
{
	size_t at = text->len;

	snapshot_trait_names(s, kind, bits, text);
	compose_end(c, text, to, at);
}

static void compose_gres(const struct snapshot *s, const uint32_t gres[static GRES_MAX], struct str *text,
			 struct composed *c, const char **to)
{
	size_t at = text->len;

	snapshot_gres_names(s, gres, text);
	compose_end(c, text, to, at);
}

static void compose_asked(const struct snapshot *s, const struct job *job, enum job_unknown which,
			  struct str *text, struct composed *c, const char **to)
{
	size_t at = text->len;

	snapshot_job_traits(s, job, which, text);
	compose_end(c, text, to, at);
}

static void compose(const struct composed *c, size_t count, const struct str *text)
{
	for (size_t i = 0; i < count; i++)
		if (c[i].to != NULL)
			*c[i].to = str_text(text) + c[i].at;
}

/* Sets the traits in the record of a job; few jobs have any. */
static void record_traits(const struct snapshot *s, const struct job *job, struct job_record *out,
			  struct state_parts *parts)
{
	struct composed c[3];

	if ((job->flags & JOB_PARTICULAR) == 0 && job->prefer == 0 && job->unknown[UNKNOWN_PREFER] == 0)
		return;
	str_clear(&parts->text);
	compose_asked(s, job, UNKNOWN_FEATURES, &parts->text, &c[0], &out->features);
	compose_asked(s, job, UNKNOWN_PREFER, &parts->text, &c[1], &out->prefer);
	compose_asked(s, job, UNKNOWN_GRES, &parts->text, &c[2], &out->gres);
	compose(c, 3, &parts->text);
}

void state_job_record(const struct snapshot *s, uint32_t slot, struct job_record *out,
		      struct state_parts *parts)
{
	const struct job *job = &snapshot_jobs(s)[slot];

	*out = (struct job_record){
		.job = *job,
		.partition = partition_name(s, job->partition),
		.label = text_at(s, job->label),
		.name = text_at(s, job->name),
		.hosts = text_at(s, job->hosts),
		.order = text_at(s, job->order),
		.hold_reason = text_at(s, job->hold_reason),
		.base_reason = text_at(s, job->base_reason),
		.said = text_at(s, job->said),
		.launch_size = job->launch_size,
	};
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		out->cred[t] = snapshot_job_cred(s, job, (enum cred_type)t);
	if (job->qos_asked != INDEX_NONE)
		out->qos_asked = snapshot_string(s, snapshot_creds(s)[job->qos_asked].name);
	record_traits(s, job, out, parts);
	record_runs(s, job->run, out, parts);
	record_depends(s, job->depend, out, parts);
}

void state_node_record(const struct snapshot *s, uint32_t i, struct node_record *out,
		       struct state_parts *parts)
{
	const struct node *node = &snapshot_nodes(s)[i];
	struct composed c[3];

	*out = (struct node_record){
		.name = snapshot_string(s, node->name),
		.partition = partition_name(s, node->partition),
		.procs = node->procs,
		.mem_mb = node->mem_mb,
		.swap_mb = node->swap_mb,
		.disk_mb = node->disk_mb,
		.speed = node->speed,
		.procspeed = node->procspeed,
		.rack = node->rack,
		.index = node->index,
		.access = node->access,
		.used = node->used,
		.used_by = text_at(s, node->used_by),
		.active_s = node->active_s,
		.active_from_s = node->active_from_s,
		.shut = node->shut,
		.said = text_at(s, node->said),
	};
	str_clear(&parts->text);
	compose_traits(s, TRAIT_FEATURE, node->features, &parts->text, &c[0], &out->features);
	compose_traits(s, TRAIT_CLASS, node->classes, &parts->text, &c[1], &out->classes);
	compose_gres(s, node->gres, &parts->text, &c[2], &out->gres);
	compose(c, 3, &parts->text);
}

void state_usage_window(const struct snapshot *s, uint32_t c, struct usage_window *out,
			struct used_by **items, size_t *room)
{
	const struct fs_window *window = &s->fs_window[c];
	const struct cred *cred = snapshot_creds(s);

	*out = (struct usage_window){
		.begin_s = window->begin_s, .length_s = window->length_s, .total = window->total};
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS) && window->length_s > 0; i++) {
		uint32_t row = cred[i].usage;

		if (row == INDEX_NONE || snapshot_usage(s)[row].amount[c] == 0)
			continue;
		*items = vec_room(*items, room, (size_t)out->count + 1, sizeof **items);
		(*items)[out->count++] = (struct used_by){.type = cred[i].type,
							  .name = snapshot_string(s, cred[i].name),
							  .amount = snapshot_usage(s)[row].amount[c]};
	}
	out->item = *items;
}
