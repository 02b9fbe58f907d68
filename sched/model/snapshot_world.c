/* SPDX-License-Identifier: MIT */
/*
 * snapshot_world.c - inputs of priority and fairshare from a snapshot, and names of traits
 */
#include "snapshot.h"

#include "sched/base/str.h"
#include "sched/policy/priority.h"

/* --- inputs ------------------------------------------------------------------------------ */

void snapshot_world(const struct snapshot *s, int64_t now_s, struct prio_world *out)
{
	*out = (struct prio_world){
		.now_s = now_s,
		.xfactor_min_wall_s = s->policy.xfactor_min_wall_s,
		.procs = s->procs_total,
		.mem_mb = s->mem_mb_total,
		.swap_mb = s->swap_mb_total,
		.disk_mb = s->disk_mb_total,
	};
}

bool snapshot_weighs(const struct snapshot *s, enum prio_factor f)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_PARTITIONS); i++)
		if (snapshot_partitions(s)[i].weights.factor[f] != 0)
			return true;
	return s->policy.weights.factor[f] != 0;
}

bool snapshot_weighs_shares(const struct snapshot *s)
{
	for (enum prio_factor f = PRIO_FS_USER; f <= PRIO_FS_CLASS; f++)
		if (snapshot_weighs(s, f))
			return true;
	return false;
}

struct machine snapshot_machine(const struct snapshot *s)
{
	return (struct machine){
		.procs = s->procs_total,
		.mem_mb = s->mem_mb_total,
		.swap_mb = s->swap_mb_total,
		.disk_mb = s->disk_mb_total,
	};
}

void snapshot_fs_world(const struct snapshot *s, int64_t now_s, struct fs_world *out)
{
	*out = (struct fs_world){
		.policy = &s->policy,
		.now_s = now_s,
		.machine = snapshot_machine(s),
		.window = s->fs_window,
		.usage = snapshot_usage(s),
		.cred = snapshot_creds(s),
		.cred_count = snapshot_count(s, TABLE_CREDS),
		.job = snapshot_jobs(s),
		.running = snapshot_running(s),
		.running_count = snapshot_count(s, TABLE_RUNNING),
	};
}

/*
 * Sets no_cred, by type, to the credential whose limits apply to jobs without a credential of the type:
 * "none" if limits are set for it. A job without a QOS otherwise has the limits of QOS DEFAULT, if there are
 * any. INDEX_NONE: no limits apply.
 */
static void find_no_creds(const struct snapshot *s, uint32_t no_cred[static CRED_TYPE_COUNT])
{
	const struct limit *limit = snapshot_limits(s);
	const struct cred *cred = snapshot_creds(s);

	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		no_cred[t] = t == CRED_QOS && cred[CRED_QOS].limit_count > 0 ? CRED_QOS : INDEX_NONE;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_LIMITS); i++) {
		uint32_t owner = limit[i].cred;

		if (owner != INDEX_NONE && str_same_word(snapshot_string(s, cred[owner].name), CRED_NONE))
			no_cred[cred[owner].type] = owner;
	}
}

void snapshot_throttle_world(const struct snapshot *s, int64_t now_s, struct throttle_world *out)
{
	*out = (struct throttle_world){
		.now_s = now_s,
		.policy = &s->policy,
		.machine = snapshot_machine(s),
		.cred = snapshot_creds(s),
		.cred_count = snapshot_count(s, TABLE_CREDS),
		.limit = snapshot_limits(s),
		.limit_count = snapshot_count(s, TABLE_LIMITS),
		.job = snapshot_jobs(s),
		.job_count = snapshot_count(s, TABLE_JOBS),
		.run = snapshot_runs(s),
		.node = snapshot_nodes(s),
		.node_count = snapshot_count(s, TABLE_NODES),
		.running = snapshot_running(s),
		.running_count = snapshot_count(s, TABLE_RUNNING),
	};
	find_no_creds(s, out->no_cred);
}

/* --- traits ------------------------------------------------------------------------------- */

static const struct trait *find_trait(const struct snapshot *s, enum trait_kind kind, const char *name)
{
	const struct trait *trait = snapshot_traits(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_TRAITS); i++)
		if (trait[i].kind == kind && str_same_word(snapshot_string(s, trait[i].name), name))
			return &trait[i];
	return NULL;
}

int snapshot_find_trait(const struct snapshot *s, enum trait_kind kind, const char *name)
{
	const struct trait *trait = find_trait(s, kind, name);

	return trait != NULL ? trait->bit : -1;
}

const char *snapshot_trait_name(const struct snapshot *s, enum trait_kind kind, const char *name)
{
	const struct trait *trait = find_trait(s, kind, name);

	return trait != NULL ? snapshot_string(s, trait->name) : NULL;
}

static void add_word(struct str *out, size_t begin, const char *word)
{
	if (out->len > begin)
		str_add_char(out, ' ');
	str_add(out, word);
}

void snapshot_trait_names(const struct snapshot *s, enum trait_kind kind, uint64_t bits, struct str *out)
{
	const struct trait *trait = snapshot_traits(s);
	size_t begin = out->len;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_TRAITS); i++)
		if (trait[i].kind == kind && (bits >> trait[i].bit & 1) != 0)
			add_word(out, begin, snapshot_string(s, trait[i].name));
}

void snapshot_gres_names(const struct snapshot *s, const uint32_t gres[static GRES_MAX], struct str *out)
{
	const struct trait *trait = snapshot_traits(s);
	size_t begin = out->len;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_TRAITS); i++) {
		if (trait[i].kind != TRAIT_GRES || gres[trait[i].bit] == 0)
			continue;
		add_word(out, begin, snapshot_string(s, trait[i].name));
		str_addf(out, ":%u", gres[trait[i].bit]);
	}
}

void snapshot_job_traits(const struct snapshot *s, const struct job *job, enum job_unknown which,
			 struct str *out)
{
	size_t begin = out->len;

	if (which == UNKNOWN_GRES)
		snapshot_gres_names(s, job->gres, out);
	else
		snapshot_trait_names(s, TRAIT_FEATURE, which == UNKNOWN_PREFER ? job->prefer : job->features,
				     out);
	if (job->unknown[which] != 0)
		add_word(out, begin, snapshot_string(s, job->unknown[which]));
}
