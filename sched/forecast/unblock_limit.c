/* SPDX-License-Identifier: MIT */
/*
 * unblock_limit.c - which limit or share would have to be larger?
 *
 * A limit that the job fails must be as large as what is in use and what the job asks for together for it to
 * start at once; later less may do, and where others that it holds back come first, more is needed. Where it
 * comes from DEFAULT, the one for the credential alone is set.
 */
#include <ctype.h>

#include "sched/base/amount.h"
#include "sched/base/str.h"
#include "sched/config/config.h"
#include "unblock_inside.h"

/* Whose option it is. What a QOS sets in place of others' limits counts what its jobs' other credentials use.
 */
static uint32_t owner_of(const struct search *s, const struct reason *r)
{
	bool overrides = r->scope == LIMIT_OVERRIDE_ACTIVE || r->scope == LIMIT_OVERRIDE_IDLE;

	return overrides ? s->job->cred[CRED_QOS] : r->cred;
}

/* "user[eva].maxps", "class[fast].maxproc[user:eva]": what sets the limit of a reason, for this owner alone.
 */
static void add_option(const struct search *s, const struct reason *r, struct str *out)
{
	const struct cred *cred = snapshot_creds(s->s);
	uint32_t owner = owner_of(s, r);
	size_t name;

	if (owner != INDEX_NONE)
		str_addf(out, "%s[%s].", cred_type_name((enum cred_type)cred[owner].type),
			 snapshot_string(s->s, cred[owner].name));
	else if (r->scope != LIMIT_SYSTEM)
		str_add(out, "system.");
	name = out->len;
	str_addf(out, "%s%s", r->scope == LIMIT_CLASS ? "max." : "",
		 limit_name((enum limit_scope)r->scope, (enum limit_kind)r->kind));
	for (size_t i = name; i < out->len; i++)
		out->data[i] = (char)tolower((unsigned char)out->data[i]);
	if (r->second != INDEX_NONE)
		str_addf(out, "[%s:%s]", cred_type_name((enum cred_type)cred[r->second].type),
			 snapshot_string(s->s, cred[r->second].name));
}

static bool is_of(const struct search *s, const struct limit *limit, const struct reason *r)
{
	bool pair = limit->second_type != CRED_TYPE_COUNT;
	uint32_t owner = owner_of(s, r);

	return limit->scope == r->scope && limit->kind == r->kind && pair == (r->second != INDEX_NONE) &&
	       (r->hard ? limit->hard : limit->soft) == r->limit &&
	       (limit->cred == INDEX_NONE) == (owner == INDEX_NONE) &&
	       (owner == INDEX_NONE ||
		snapshot_creds(s->s)[limit->cred].type == snapshot_creds(s->s)[owner].type);
}

/* The limit as it is set; {0} with soft and hard of the reason when nobody knows. */
static struct limit find_limit(const struct search *s, const struct reason *r)
{
	struct limit found = {.kind = r->kind, .soft = r->limit, .hard = r->limit};

	for (uint32_t i = 0; i < snapshot_count(s->s, TABLE_LIMITS); i++) {
		const struct limit *limit = &snapshot_limits(s->s)[i];

		if (is_of(s, limit, r) && (limit->cred == owner_of(s, r) || found.hard == r->limit))
			found = *limit;
	}
	return found;
}

/* A limit on a single job has one amount, and of one on idle or queued jobs the hard one alone counts. */
static bool has_one_amount(const struct reason *r)
{
	return r->scope == LIMIT_SYSTEM || r->scope == LIMIT_CLASS || r->scope == LIMIT_IDLE ||
	       r->scope == LIMIT_OVERRIDE_IDLE || r->scope == LIMIT_QUEUED;
}

static struct event with_limit(struct search *s, int64_t number)
{
	const struct reason *r = s->reason;
	struct limit limit = find_limit(s, r);
	struct str name = {0}, value = {0};
	struct event ev;

	if (!r->hard || has_one_amount(r))
		limit.soft = number;
	if (limit.hard < number || has_one_amount(r))
		limit.hard = number;
	add_option(s, r, &name);
	config_print_limit(&limit, &value);
	ev = search_setting(s, str_text(&name), str_text(&value));
	str_free(&name);
	str_free(&value);
	return ev;
}

/* As good as none. */
#define LIFTED INT64_C(1000000000)

static void try_limit(struct search *s, const struct reason *r)
{
	int64_t needed = amount_add(r->value, r->asked), number;

	s->reason = r;
	if (r->kind != LIMIT_KIND_COUNT && needed > r->limit)
		search_number(s, with_limit, r->limit, needed > LIFTED ? needed : LIFTED, &number);
}

/* A share of 100 percent is no cap. */
#define SHARE_MOST INT64_C(99999)

/* A cap in thousandths of a percent, or in processor-seconds. */
static struct event with_cap(struct search *s, int64_t number)
{
	const struct cred *cred = &snapshot_creds(s->s)[s->reason->cred];
	struct str name = {0}, value = {0};
	struct event ev;

	str_addf(&name, "%s[%s].fstarget", cred_type_name((enum cred_type)cred->type),
		 snapshot_string(s->s, cred->name));
	if (cred->attr.fs_mode == FS_CAP_RELATIVE && number > SHARE_MOST)
		str_add(&value, "none");
	else if (cred->attr.fs_mode == FS_CAP_RELATIVE)
		str_addf(&value, "%.3f%%", (double)number / 1000);
	else
		str_addf(&value, "%lld^", (long long)number);
	ev = search_setting(s, str_text(&name), str_text(&value));
	str_free(&name);
	str_free(&value);
	return ev;
}

/* The cap is compared with usage with this job as a share of what all used without it: where that is 100
 * percent or more, only no cap is large enough. */
static void try_cap(struct search *s, const struct reason *r)
{
	int64_t needed = amount_add(r->asked, 1), most = needed > LIFTED ? needed : LIFTED, number;
	bool relative =
		r->cred != INDEX_NONE && snapshot_creds(s->s)[r->cred].attr.fs_mode == FS_CAP_RELATIVE;

	s->reason = r;
	if (r->cred == INDEX_NONE)
		return;
	if (relative)
		most = SHARE_MOST;
	if (r->limit < most && (needed <= most || s->by_s > s->setup->now_s) &&
	    search_number(s, with_cap, r->limit, most, &number))
		return;
	if (relative)
		search_keep_unnoted(s, with_cap(s, SHARE_MOST + 1));
}

static bool fails(const struct check *check)
{
	return check->known && !check->ok;
}

static bool is_same(const struct reason *a, const struct reason *b)
{
	return a->scope == b->scope && a->kind == b->kind && a->hard == b->hard && a->cred == b->cred &&
	       a->second == b->second;
}

/* What holds it back now; and, where there is time until later, what would at the very end. */
static void try_gate(struct search *s, enum gate gate, void (*try)(struct search *s, const struct reason *r))
{
	const struct check *now = &s->why.check[gate], *last = &s->out->last.check[gate];

	if (fails(now))
		try(s, &now->reason);
	if (s->by_s > s->setup->now_s && fails(last) &&
	    (!fails(now) || !is_same(&now->reason, &last->reason)))
		try(s, &last->reason);
}

void search_limits(struct search *s)
{
	static const enum gate limit[] = {GATE_CLASS_LIMIT, GATE_SYSTEM_LIMIT, GATE_IDLE_LIMIT,
					  GATE_ACTIVE_HARD, GATE_ACTIVE_SOFT};

	for (size_t i = 0; i < sizeof limit / sizeof limit[0]; i++)
		try_gate(s, limit[i], try_limit);
	try_gate(s, GATE_FS_CAP, try_cap);
}
