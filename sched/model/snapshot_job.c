/* SPDX-License-Identifier: MIT */
/*
 * snapshot_job.c - QOS, account, node access and weights that apply to a job
 *
 * A setting that a credential does not have is inherited from DEFAULT of its type, and a job without a
 * credential of a type is treated as DEFAULT. A QOS inherits nothing: QOS DEFAULT applies to jobs without a
 * QOS.
 *
 * Source: Maui Administrator's Guide 7.3 (QOS access), 5.3 (node access), 7.1.4 (reservation levels).
 */
#include "snapshot.h"

#include "sched/policy/priority.h"

void snapshot_job_creds(const struct snapshot *s, const struct job *job, struct prio_creds *out)
{
	static const struct cred_attr nothing;
	const struct cred *cred = snapshot_creds(s);
	const struct cred_attr *attr[CRED_TYPE_COUNT];

	/* The first five credentials are DEFAULT of each type, in the order of the types. */
	for (int t = 0; t < CRED_TYPE_COUNT; t++) {
		uint32_t i = t == CRED_QOS && job->cred[t] == INDEX_NONE ? CRED_QOS : job->cred[t];

		attr[t] = i == INDEX_NONE ? &nothing : &cred[i].attr;
		out->priority[t] = attr[t]->priority;
		if (out->priority[t] == 0 && t != CRED_QOS)
			out->priority[t] = cred[t].attr.priority;
		out->fs_delta[t] = 0;
	}
	out->qt_weight = attr[CRED_QOS]->qt_weight;
	out->xf_weight = attr[CRED_QOS]->xf_weight;
	out->qt_target_s = attr[CRED_QOS]->qt_target_s;
	if (out->qt_target_s == 0)
		out->qt_target_s = attr[CRED_USER]->qt_target_s;
	if (out->qt_target_s == 0)
		out->qt_target_s = cred[CRED_USER].attr.qt_target_s;
	out->xf_target = attr[CRED_QOS]->xf_target;
	if (out->xf_target == 0)
		out->xf_target = attr[CRED_USER]->xf_target;
	if (out->xf_target == 0)
		out->xf_target = cred[CRED_USER].attr.xf_target;
}

const struct prio_weights *snapshot_job_weights(const struct snapshot *s, const struct job *job)
{
	return job->partition == 0 ? &s->policy.weights : &snapshot_partitions(s)[job->partition].weights;
}

/* --- QOS access ------------------------------------------------------------------------ */

static bool is_qos_permit(const struct permit *permit)
{
	return permit->kind < PERMIT_LEVEL;
}

static bool site_has_lists(const struct snapshot *s)
{
	const struct permit *permit = snapshot_permits(s);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_PERMITS); i++)
		if (is_qos_permit(&permit[i]))
			return true;
	return false;
}

/* What a credential's access list says about one QOS or account. */
struct permit_list {
	bool exists, names_it;
	uint32_t kind;
};

static struct permit_list list_of(const struct snapshot *s, uint32_t owner, uint32_t qos)
{
	const struct permit *permit = snapshot_permits(s);
	struct permit_list list = {.exists = false};

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_PERMITS); i++) {
		if (!is_qos_permit(&permit[i]) || permit[i].owner != owner)
			continue;
		list.exists = true;
		list.kind = permit[i].kind;
		list.names_it = list.names_it || permit[i].qos == qos;
	}
	return list;
}

/*
 * Returns the access list that applies to a job's credential of a type: its own list, or else the list of
 * DEFAULT.
 */
static struct permit_list list_for(const struct snapshot *s, uint32_t cred, uint32_t type, uint32_t qos)
{
	struct permit_list own = {.exists = false};

	if (cred != INDEX_NONE)
		own = list_of(s, cred, qos);
	return own.exists ? own : list_of(s, type, qos);
}

/*
 * The types of credential with access lists and default QOS, in the order in which they apply; the system is
 * last.
 */
static const uint8_t qos_givers[] = {CRED_USER, CRED_GROUP, CRED_ACCOUNT, CRED_CLASS};
#define QOS_GIVERS (sizeof qos_givers / sizeof qos_givers[0])

/*
 * Returns the access list of type qos_givers[i], or of the system for i == QOS_GIVERS, for a job with these
 * credentials.
 */
static struct permit_list list_of_giver(const struct snapshot *s, size_t i,
					const uint32_t cred[static CRED_TYPE_COUNT], uint32_t qos)
{
	return i == QOS_GIVERS ? list_of(s, INDEX_NONE, qos)
			       : list_for(s, cred[qos_givers[i]], qos_givers[i], qos);
}

/*
 * Do the access lists permit the QOS? A list with ^ decides alone. Otherwise every list with & must contain
 * the QOS, and so must one of the plain lists, if there are any. Returns false if there are no lists.
 */
static bool qos_is_permitted(const struct snapshot *s, const uint32_t cred[static CRED_TYPE_COUNT],
			     uint32_t qos)
{
	bool any = false, any_plain = false, in_plain = false, in_both = true;

	for (size_t i = 0; i <= QOS_GIVERS; i++) {
		struct permit_list list = list_of_giver(s, i, cred, qos);

		if (!list.exists)
			continue;
		if (list.kind == PERMIT_QOS_ONLY)
			return list.names_it;
		any = true;
		any_plain = any_plain || list.kind == PERMIT_QOS;
		in_plain = in_plain || (list.kind == PERMIT_QOS && list.names_it);
		in_both = in_both && (list.kind != PERMIT_QOS_BOTH || list.names_it);
	}
	return any && in_both && (in_plain || !any_plain);
}

uint32_t snapshot_qos_for(const struct snapshot *s, const uint32_t cred[static CRED_TYPE_COUNT],
			  uint32_t asked)
{
	const struct cred *creds = snapshot_creds(s);
	bool all = !site_has_lists(s);

	if (asked != INDEX_NONE && (all || qos_is_permitted(s, cred, asked)))
		return asked;
	for (size_t i = 0; i < QOS_GIVERS; i++) {
		uint32_t type = qos_givers[i], own = cred[type];
		uint32_t given[2] = {own == INDEX_NONE ? INDEX_NONE : creds[own].qdef, creds[type].qdef};

		for (int k = 0; k < 2; k++)
			if (given[k] != INDEX_NONE && (all || qos_is_permitted(s, cred, given[k])))
				return given[k];
	}
	return s->qdef != INDEX_NONE && (all || qos_is_permitted(s, cred, s->qdef)) ? s->qdef : INDEX_NONE;
}

/* --- accounts ---------------------------------------------------------------------------- */

static const uint8_t account_givers[] = {CRED_USER, CRED_GROUP, CRED_CLASS};
#define ACCOUNT_GIVERS (sizeof account_givers / sizeof account_givers[0])

static struct permit_list accounts_of(const struct snapshot *s, uint32_t owner, uint32_t account)
{
	const struct permit *permit = snapshot_permits(s);
	struct permit_list list = {.exists = false};

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_PERMITS); i++) {
		if (permit[i].kind != PERMIT_ACCOUNT || permit[i].owner != owner)
			continue;
		list.exists = true;
		list.names_it = list.names_it || permit[i].qos == account;
	}
	return list;
}

/*
 * Combines the account lists that apply to a job: whether there is a list, and whether a list contains the
 * account.
 */
static struct permit_list accounts_for(const struct snapshot *s, const uint32_t cred[static CRED_TYPE_COUNT],
				       uint32_t account)
{
	struct permit_list all = {.exists = false};

	for (size_t i = 0; i < ACCOUNT_GIVERS; i++) {
		uint32_t type = account_givers[i];
		struct permit_list list = {.exists = false};

		if (cred[type] != INDEX_NONE)
			list = accounts_of(s, cred[type], account);
		if (!list.exists)
			list = accounts_of(s, type, account);
		all.exists = all.exists || list.exists;
		all.names_it = all.names_it || list.names_it;
	}
	return all;
}

bool snapshot_account_is_listed(const struct snapshot *s, const uint32_t cred[static CRED_TYPE_COUNT],
				uint32_t account)
{
	return accounts_for(s, cred, account).names_it;
}

bool snapshot_account_is_open(const struct snapshot *s, const uint32_t cred[static CRED_TYPE_COUNT],
			      uint32_t account)
{
	struct permit_list list = accounts_for(s, cred, account);

	return list.names_it || (!list.exists && s->policy.account_access == ACCOUNTS_OPEN);
}

uint32_t snapshot_account_for(const struct snapshot *s, const uint32_t cred[static CRED_TYPE_COUNT])
{
	const struct cred *creds = snapshot_creds(s);

	for (size_t i = 0; i < ACCOUNT_GIVERS; i++) {
		uint32_t type = account_givers[i], own = cred[type];
		uint32_t given[2] = {own == INDEX_NONE ? INDEX_NONE : creds[own].adef, creds[type].adef};

		for (int k = 0; k < 2; k++)
			if (given[k] != INDEX_NONE && snapshot_account_is_open(s, cred, given[k]))
				return given[k];
	}
	return INDEX_NONE;
}

/* --- reservation levels, access to nodes -------------------------------------------------- */

unsigned snapshot_job_level(const struct snapshot *s, const struct job *job)
{
	const struct permit *permit = snapshot_permits(s);
	bool has_list[RESERVATION_LEVELS] = {false};
	unsigned level = RESERVATION_LEVELS;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_PERMITS); i++) {
		if (permit[i].kind != PERMIT_LEVEL)
			continue;
		has_list[permit[i].owner] = true;
		if (permit[i].qos == job->cred[CRED_QOS] && permit[i].owner < level &&
		    s->policy.reservation_depth[permit[i].owner] >= 0)
			level = permit[i].owner;
	}
	for (unsigned i = 0; i < RESERVATION_LEVELS && level == RESERVATION_LEVELS; i++)
		if (!has_list[i] && s->policy.reservation_depth[i] >= 0)
			level = i;
	return level;
}

enum node_access snapshot_job_access(const struct snapshot *s, const struct job *job)
{
	const struct cred *creds = snapshot_creds(s);
	uint8_t access = job->access > s->policy.access ? job->access : s->policy.access;
	uint32_t class_cred = job->cred[CRED_CLASS];
	uint8_t of_class = class_cred == INDEX_NONE ? ACCESS_UNSET : creds[class_cred].attr.access;

	if (of_class == ACCESS_UNSET)
		of_class = creds[CRED_CLASS].attr.access;
	return (enum node_access)(of_class > access ? of_class : access);
}

int64_t snapshot_job_grace_s(const struct snapshot *s, const struct job *job)
{
	return (job->real & JOB_REAL_LAUNCH) != 0 ? s->policy.site.grace_s : 0;
}
