/* SPDX-License-Identifier: MIT */
/*
 * state_hash.c - hash of the logical content of a state
 *
 * The hash covers the logical content, with names where the tables have indexes. Credentials, partitions,
 * traits and windows are in the order of their appearance, which may differ in a restored state: their hashes
 * are summed.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "state_inside.h"

#define HASH_BEGIN UINT64_C(0xcbf29ce484222325)

/* --- hashes of values ----------------------------------------------------------------------- */

static void add_bytes(uint64_t *h, const void *bytes, size_t len)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < len; i++)
		*h = (*h ^ p[i]) * UINT64_C(0x100000001b3);
}

static void add_number(uint64_t *h, uint64_t n)
{
	unsigned char bytes[8];

	for (int i = 0; i < 8; i++)
		bytes[i] = (unsigned char)(n >> (8 * i));
	add_bytes(h, bytes, sizeof bytes);
}

static void add_numbers(uint64_t *h, const int64_t *number, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_number(h, (uint64_t)number[i]);
}

#define ADD_NUMBERS(h, list) add_numbers((h), (list), sizeof(list) / sizeof *(list))

static void add_real(uint64_t *h, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	add_number(h, bits);
}

static void add_text(uint64_t *h, const char *text)
{
	if (text != NULL)
		add_bytes(h, text, strlen(text));
	add_number(h, 0);
}

static void add_string(uint64_t *h, const struct snapshot *s, uint32_t at)
{
	add_text(h, snapshot_string(s, at));
}

static void add_cred_name(uint64_t *h, const struct snapshot *s, uint32_t cred)
{
	add_text(h, cred == INDEX_NONE ? NULL : snapshot_string(s, snapshot_creds(s)[cred].name));
}

/* Names of traits are case-insensitive. */
static uint64_t name_hash(const char *name)
{
	uint64_t h = HASH_BEGIN;

	for (; *name != '\0'; name++)
		add_number(&h, (uint64_t)tolower((unsigned char)*name));
	return h;
}

/*
 * Returns a hash of the names in a text that does not depend on their order. with_counts: names may have a
 * count, as in "gpu:2".
 */
static uint64_t sum_names(const char *at, bool with_counts)
{
	const char *word;
	uint64_t sum = 0;
	size_t len;

	while ((word = config_word(&at, &len)) != NULL) {
		char name[CONFIG_TITLE];
		uint32_t count = 1;

		if (with_counts)
			config_gres_read(word, len, &len, &count, NULL);
		snprintf(name, sizeof name, "%.*s", (int)len, word);
		sum += name_hash(name) * count;
	}
	return sum;
}

/*
 * Returns the sum of the hashes of the job's names that have no slot. A name has the same hash with and
 * without a slot.
 */
static uint64_t unknown_sum(const struct snapshot *s, const struct job *job, enum job_unknown which)
{
	return sum_names(snapshot_string(s, job->unknown[which]), which == UNKNOWN_GRES);
}

static uint64_t sum_traits(const struct snapshot *s, enum trait_kind kind, uint64_t bits)
{
	const struct trait *trait = snapshot_traits(s);
	uint64_t sum = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_TRAITS) && bits != 0; i++)
		if (trait[i].kind == kind && (bits >> trait[i].bit & 1) != 0)
			sum += name_hash(snapshot_string(s, trait[i].name));
	return sum;
}

static void add_traits(uint64_t *h, const struct snapshot *s, enum trait_kind kind, uint64_t bits)
{
	add_number(h, sum_traits(s, kind, bits));
}

static uint64_t sum_gres(const struct snapshot *s, const uint32_t gres[static GRES_MAX])
{
	const struct trait *trait = snapshot_traits(s);
	uint64_t sum = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_TRAITS); i++)
		if (trait[i].kind == TRAIT_GRES)
			sum += name_hash(snapshot_string(s, trait[i].name)) * gres[trait[i].bit];
	return sum;
}

/* --- jobs and nodes --------------------------------------------------------------------------- */

static void add_chains(uint64_t *h, const struct snapshot *s, const struct job *job)
{
	for (uint32_t r = job->run; r != INDEX_NONE; r = snapshot_runs(s)[r].next) {
		const struct alloc_run *run = &snapshot_runs(s)[r];
		const int64_t number[] = {run->node, run->nodes, run->procs, run->tasks};

		ADD_NUMBERS(h, number);
	}
	for (uint32_t d = job->depend; d != INDEX_NONE; d = snapshot_depends(s)[d].next) {
		const struct depend *depend = &snapshot_depends(s)[d];
		const int64_t number[] = {(int64_t)depend->on, depend->type, depend->state};

		ADD_NUMBERS(h, number);
		if (depend->of != DEPEND_ON_JOB)
			add_number(h, (uint64_t)depend->of << 32 | depend->number);
	}
}

static void add_job(uint64_t *h, const struct snapshot *s, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(s)[slot];
	const int64_t number[] = {
		(int64_t)job->id, job->submit_s,      job->accrual_s,  job->not_before_s,   job->wall_limit_s,
		job->true_run_s,  job->start_s,       job->planned_s,  job->mem_mb,         job->swap_mb,
		job->disk_mb,     job->points,        job->tasks,      job->task_procs,     job->nodes,
		job->bypass,      job->state,         job->base_holds, job->holds,          job->adjust,
		job->flags,       job->defer_until_s, job->used_ps,    job->tasks_per_node, job->procs_held,
		job->defer_count, job->start_count,   job->access,     job->allocation,     job->access_held,
		job->real,
	};
	const int64_t array[] = {(int64_t)job->array, job->array_index, job->array_limit};
	const int64_t suspended[] = {job->suspended_s, job->suspended_at_s, job->resume_s};
	const int64_t released[] = {job->released_s, job->held_since_s, job->charged_ps};
	const uint32_t string[] = {job->label, job->name,        job->hosts,
				   job->order, job->hold_reason, job->base_reason};

	ADD_NUMBERS(h, number);
	/*
	 * Data that earlier versions did not have is hashed only if it is set, so that jobs without it keep
	 * their hash.
	 */
	if (job->array != 0)
		ADD_NUMBERS(h, array);
	if (job->suspended_s != 0 || (job->real & JOB_REAL_SUSPENDED) != 0)
		ADD_NUMBERS(h, suspended);
	if (job->released_s != 0 || job->held_since_s != 0 || (job->real & JOB_REAL_RELEASED) != 0)
		ADD_NUMBERS(h, released);
	if (job->base_points != 0)
		add_number(h, (uint64_t)job->base_points);
	if (job->retries != 0)
		add_number(h, job->retries);
	if (job->launch_size != 0)
		add_number(h, job->launch_size);
	if (job->described != 0) {
		add_number(h, job->described);
		add_number(h, (uint64_t)job->expected_s);
		add_string(h, s, job->said);
	}
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		add_cred_name(h, s, job->cred[t]);
	add_cred_name(h, s, job->qos_asked);
	add_string(h, s, snapshot_partitions(s)[job->partition].name);
	for (size_t i = 0; i < sizeof string / sizeof string[0]; i++)
		add_string(h, s, string[i]);
	add_number(h, sum_traits(s, TRAIT_FEATURE, job->features) + unknown_sum(s, job, UNKNOWN_FEATURES));
	add_number(h, sum_traits(s, TRAIT_FEATURE, job->prefer) + unknown_sum(s, job, UNKNOWN_PREFER));
	add_number(h, sum_gres(s, job->gres) + unknown_sum(s, job, UNKNOWN_GRES));
	add_chains(h, s, job);
}

static void add_node(uint64_t *h, const struct snapshot *s, const struct node *node)
{
	const int64_t number[] = {
		node->procs,       node->procs_busy,   node->mem_mb,        node->swap_mb, node->disk_mb,
		node->used.mem_mb, node->used.swap_mb, node->used.disk_mb,  node->rack,    node->index,
		node->access,      node->active_s,     node->active_from_s,
	};

	add_string(h, s, node->name);
	ADD_NUMBERS(h, number);
	add_real(h, node->used.load);
	add_real(h, node->used.procs);
	if (node->used_by != 0) /* not hashed if unset, so that the hash equals that of earlier versions */
		add_string(h, s, node->used_by);
	if (node->said != 0 || node->shut != 0) {
		add_number(h, node->shut);
		add_string(h, s, node->said);
	}
	add_real(h, node->speed);
	add_real(h, node->procspeed);
	add_real(h, node->priority);
	add_string(h, s, node->priorityf);
	add_string(h, s, snapshot_partitions(s)[node->partition].name);
	add_traits(h, s, TRAIT_FEATURE, node->features);
	add_traits(h, s, TRAIT_CLASS, node->classes);
	add_number(h, sum_gres(s, node->gres));
}

/* --- policy ------------------------------------------------------------------------------------- */

static void add_weights(uint64_t *h, const struct prio_weights *w)
{
	const double *value = w->component;

	for (size_t i = 0; i < sizeof *w / sizeof *value; i++)
		add_real(h, value[i]);
}

/*
 * Adds the limits on requests that are not at their defaults. If all are, the hash equals that of earlier
 * versions.
 */
static void add_request_limits(uint64_t *h, const struct policy *p)
{
	struct policy usual;

	policy_default(&usual);
	const int64_t number[][2] = {
		{p->site.request_events, usual.site.request_events},
		{p->site.job_changes, usual.site.job_changes},
		{p->site.user_names, usual.site.user_names},
		{p->site.user_connections, usual.site.user_connections},
		{p->site.user_requests, usual.site.user_requests},
		{p->site.user_request_mb, usual.site.user_request_mb},
		{p->site.user_answer_mb, usual.site.user_answer_mb},
		{p->site.user_cpu_pct, usual.site.user_cpu_pct},
		{p->site.user_journal_mb, usual.site.user_journal_mb},
		{p->site.user_stored_mb, usual.site.user_stored_mb},
		{p->site.user_changes, usual.site.user_changes},
		{p->site.user_text_mb, usual.site.user_text_mb}, /* the index is hashed: new rows come last */
	};
	for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
		if (number[i][0] != number[i][1]) {
			add_number(h, i);
			add_number(h, (uint64_t)number[i][0]);
		}
}

static void add_policy(uint64_t *h, const struct snapshot *s)
{
	const struct policy *p = &s->policy;
	struct policy usual;

	policy_default(&usual);
	/*
	 * The default was 100000 in earlier versions; a state with the default keeps the hash that it had
	 * then.
	 */
	const int64_t user_jobs = p->site.user_jobs - usual.site.user_jobs + 100000;
	const int64_t number[] = {
		p->allow_negative,
		p->reject_negative,
		p->accrual,
		p->backfill,
		p->reservation,
		p->backfill_metric,
		p->idle_promotion,
		p->hard_pass,
		p->fs_policy,
		p->allocation,
		p->access,
		p->xfactor_min_wall_s,
		p->backfill_depth,
		p->default_wall_s,
		p->fs_interval_s,
		p->fs_depth,
		p->defer_time_s,
		p->defer_count,
		p->defer_start_count,
		p->max_job_procs,
		p->max_job_wall_s,
		p->max_job_ps,
		p->local_timeout_s,
		p->poll_interval_s,
		p->guard_delayed,
		p->user_reservations,
		p->user_reservation_s,
		p->user_reservation_procs,
	};
	const int64_t site[] = {
		p->site.grace_s,
		p->site.warn_s,
		p->site.keep_procs,
		p->site.keep_mem_mb,
		p->site.umask,
		p->site.metrics_interval_s,
		p->site.warn_signal,
		p->site.bind_cpus,
		p->site.allow_root,
		p->site.hide_names,
		user_jobs,
		p->site.journal_keep_s,
		p->site.history_keep_s,
		p->site.journal_max_mb,
		p->site.history_max_mb,
		p->site.disk_reserve_mb,
	};
	const int64_t suspend[] = {p->site.owner_suspend, p->site.suspend_max_s};

	add_weights(h, &p->weights);
	ADD_NUMBERS(h, number);
	if (p->account_access != ACCOUNTS_OPEN)
		add_number(h, p->account_access);
	ADD_NUMBERS(h, p->reservation_depth);
	add_bytes(h, p->available, sizeof p->available);
	add_real(h, p->fs_decay);
	ADD_NUMBERS(h, site);
	/*
	 * Not hashed for the resource manager of this host, so that the hash equals that of earlier versions.
	 */
	if (p->site.manager != MANAGER_LOCAL || p->site.mode != MODE_DRIVE)
		add_number(h, (uint64_t)(p->site.manager * 2 + p->site.mode));
	/* If users may not suspend jobs, the hash equals that of earlier versions. */
	if (p->site.owner_suspend != OWNER_SUSPEND_NO)
		ADD_NUMBERS(h, suspend);
	add_string(h, s, s->local_program);
	for (int i = 0; i < SITE_PAM_SERVICE; i++)
		add_string(h, s, s->site_text[i]);
	/* If these are at their defaults, the hash equals that of earlier versions. */
	if (s->site_text[SITE_PAM_SERVICE] != 0)
		add_string(h, s, s->site_text[SITE_PAM_SERVICE]);
	add_request_limits(h, p);
	if (p->default_mem_mb != 0)
		add_number(h, (uint64_t)p->default_mem_mb);
	if (p->keep_depend_failed)
		add_number(h, 1);
	if (p->site.no_new_privs)
		add_number(h, 1);
	if (p->site.job_processes != SITE_JOB_PROCESSES_DEFAULT)
		add_number(h, (uint64_t)p->site.job_processes);
	add_string(h, s, s->priorityf);
	add_cred_name(h, s, s->qdef);
}

/*
 * Adds the partitions with weights of their own. Others are omitted, because a restored state lacks those
 * whose jobs have all left.
 */
static void add_partitions(uint64_t *h, const struct snapshot *s)
{
	const struct partition *partition = snapshot_partitions(s);
	uint64_t all = HASH_BEGIN, sum = 0;

	add_weights(&all, &s->policy.weights);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_PARTITIONS); i++) {
		uint64_t one = HASH_BEGIN;

		add_weights(&one, &partition[i].weights);
		if (one == all)
			continue;
		add_string(&one, s, partition[i].name);
		sum += one;
	}
	add_number(h, sum);
}

static uint64_t attr_hash(const struct snapshot *s, const struct cred_attr *a)
{
	const int64_t number[] = {
		a->qt_target_s, a->fs_mode,   a->access,    a->default_wall_s, a->max_wall_s,
		a->min_wall_s,  a->max_procs, a->min_procs, a->max_nodes,      a->min_nodes,
	};
	const double real[] = {a->priority, a->qt_weight, a->xf_weight, a->xf_target, a->fs_target};
	uint64_t h = HASH_BEGIN;

	ADD_NUMBERS(&h, number);
	for (size_t i = 0; i < sizeof real / sizeof real[0]; i++)
		add_real(&h, real[i]);
	add_traits(&h, s, TRAIT_FEATURE, a->default_features);
	return h;
}

/* Adds the credentials with settings. Others are omitted, because a restored state may lack them. */
static void add_creds(uint64_t *h, const struct snapshot *s)
{
	static const struct cred_attr nothing;
	const struct cred *cred = snapshot_creds(s);
	uint64_t unset = attr_hash(s, &nothing), sum = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS); i++) {
		uint64_t one = attr_hash(s, &cred[i].attr);

		if (one == unset && cred[i].qdef == INDEX_NONE && cred[i].adef == INDEX_NONE)
			continue;
		add_number(&one, cred[i].type);
		add_string(&one, s, cred[i].name);
		add_cred_name(&one, s, cred[i].qdef);
		if (cred[i].adef != INDEX_NONE)
			add_cred_name(&one, s, cred[i].adef);
		sum += one;
	}
	add_number(h, sum);
}

static void add_owner(uint64_t *h, const struct snapshot *s, uint32_t cred)
{
	add_number(h, cred == INDEX_NONE ? CRED_TYPE_COUNT : snapshot_creds(s)[cred].type);
	add_cred_name(h, s, cred);
}

static void add_limits(uint64_t *h, const struct snapshot *s)
{
	const struct limit *limit = snapshot_limits(s);
	const struct permit *permit = snapshot_permits(s);
	uint64_t sum = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_LIMITS); i++) {
		const int64_t number[] = {limit[i].kind, limit[i].scope, limit[i].second_type, limit[i].soft,
					  limit[i].hard};
		uint64_t one = HASH_BEGIN;

		add_owner(&one, s, limit[i].cred);
		ADD_NUMBERS(&one, number);
		add_cred_name(&one, s, limit[i].second);
		sum += one;
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_PERMITS); i++) {
		uint64_t one = HASH_BEGIN;

		if (permit[i].kind == PERMIT_LEVEL)
			add_number(&one, permit[i].owner);
		else
			add_owner(&one, s, permit[i].owner);
		add_number(&one, permit[i].kind);
		add_cred_name(&one, s, permit[i].qos);
		sum += one;
	}
	add_number(h, sum);
}

/* --- usage and changes ------------------------------------------------------------------------------ */

static uint64_t usage_of(const struct snapshot *s, uint32_t column)
{
	const struct cred *cred = snapshot_creds(s);
	uint64_t sum = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS); i++) {
		uint64_t one = HASH_BEGIN;
		int64_t amount =
			cred[i].usage == INDEX_NONE ? 0 : snapshot_usage(s)[cred[i].usage].amount[column];

		if (amount == 0)
			continue;
		add_owner(&one, s, i);
		add_number(&one, (uint64_t)amount);
		sum += one;
	}
	return sum;
}

static void add_windows(uint64_t *h, const struct snapshot *s)
{
	uint64_t sum = 0;

	for (uint32_t c = 0; c < FS_DEPTH_MAX; c++) {
		const struct fs_window *window = &s->fs_window[c];
		const int64_t number[] = {window->begin_s, window->length_s, window->total};
		uint64_t one = HASH_BEGIN;

		if (window->length_s == 0)
			continue;
		ADD_NUMBERS(&one, number);
		add_number(&one, usage_of(s, c));
		sum += one;
	}
	add_number(h, sum);
}

/*
 * The names that a change requests for a job are printed in the order of their slots, which may differ in a
 * restored state.
 */
static void add_change_text(uint64_t *h, const struct snapshot *s, const struct change *change, uint32_t at)
{
	const char *name = snapshot_string(s, change->name);
	bool counted = strcmp(name, "gres") == 0;

	if (change->kind == CHANGE_MODIFY &&
	    (counted || strcmp(name, "features") == 0 || strcmp(name, "prefer") == 0))
		add_number(h, sum_names(snapshot_string(s, at), counted));
	else
		add_string(h, s, at);
}

static void add_changes(uint64_t *h, const struct snapshot *s)
{
	const struct change *change = snapshot_changes(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++) {
		if (change[i].kind == CHANGE_GONE)
			continue;
		const int64_t number[] = {(int64_t)change[i].seq, (int64_t)change[i].job, change[i].number,
					  change[i].until_s,      change[i].kind,         change[i].on,
					  change[i].dead};

		ADD_NUMBERS(h, number);
		add_string(h, s, change[i].name);
		add_change_text(h, s, &change[i], change[i].value);
		add_change_text(h, s, &change[i], change[i].base);
	}
}

/* The texts of reservations are hashed with the changes; this adds which of them are in force. */
static void add_advances(uint64_t *h, const struct snapshot *s)
{
	const struct alloc_run *run = snapshot_kept_runs(s);
	const struct guest *guest = snapshot_guests(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_ADVANCES); i++) {
		const struct advance *a = &snapshot_advances(s)[i];
		const int64_t number[] = {a->begin_s, a->end_s, a->personal, a->run_count, a->guest_count};

		ADD_NUMBERS(h, number);
		add_string(h, s, a->name);
		add_string(h, s, a->owner);
		add_string(h, s, a->reason);
		for (uint32_t r = a->first_run; r < a->first_run + a->run_count; r++) {
			const int64_t place[] = {run[r].node, run[r].nodes, run[r].procs};

			ADD_NUMBERS(h, place);
		}
		for (uint32_t g = a->first_guest; g < a->first_guest + a->guest_count; g++) {
			add_number(h, guest[g].job);
			add_number(h, guest[g].type);
			add_cred_name(h, s, guest[g].cred);
		}
	}
}

/* --- hash of the state -------------------------------------------------------------------------------- */

uint64_t state_hash(const struct snapshot *s)
{
	const int64_t number[] = {
		s->now_s,
		(int64_t)s->seq,
		(int64_t)s->next_job_id,
		s->ends_pending,
		s->stats_since_s,
		s->halted,
		s->halt_after,
		(int64_t)s->sim.seed,
		s->sim.load_pct,
		s->sim.last_s,
		(int64_t)s->sim.next_index,
		s->sim.active,
		(int64_t)s->sim.job_limit,
	};
	uint64_t h = HASH_BEGIN;

	ADD_NUMBERS(&h, number);
	if (s->set_back != 0)
		add_number(&h, s->set_back);
	add_string(&h, s, s->config_file);
	add_string(&h, s, s->config_text);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++)
		add_job(&h, s, snapshot_waiting(s)[i].slot);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++)
		add_job(&h, s, snapshot_running(s)[i]);
	add_policy(&h, s);
	add_partitions(&h, s);
	add_creds(&h, s);
	add_limits(&h, s);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++)
		add_node(&h, s, &snapshot_nodes(s)[i]);
	add_windows(&h, s);
	add_changes(&h, s);
	add_advances(&h, s);
	return h;
}
