/* SPDX-License-Identifier: MIT */
/*
 * unblock_limit.c - which limit or share would have to be larger?
 *
 * A limit that the job fails must be as large as what is in use and what the job asks for together for it to
 * start at once; later less may do. Where it comes from DEFAULT, the one for the credential alone is set.
 */
#include <ctype.h>

#include "config.h"
#include "sched/base/amount.h"
#include "sched/base/str.h"
#include "unblock_inside.h"

/* "user[eva].maxps", "class[fast].maxproc[user:eva]": what sets the limit of a reason, for this owner alone.
 */
static void add_option(const struct snapshot *s, const struct reason *r, struct str *out)
{
	const struct cred *cred = snapshot_creds(s);
	size_t name;

	if (r->cred != INDEX_NONE)
		str_addf(out, "%s[%s].", cred_type_name((enum cred_type)cred[r->cred].type),
			 snapshot_string(s, cred[r->cred].name));
	else if (r->scope != LIMIT_SYSTEM)
		str_add(out, "system.");
	name = out->len;
	str_addf(out, "%s%s", r->scope == LIMIT_CLASS ? "max." : "",
		 limit_name((enum limit_scope)r->scope, (enum limit_kind)r->kind));
	for (size_t i = name; i < out->len; i++)
		out->data[i] = (char)tolower((unsigned char)out->data[i]);
	if (r->second != INDEX_NONE)
		str_addf(out, "[%s:%s]", cred_type_name((enum cred_type)cred[r->second].type),
			 snapshot_string(s, cred[r->second].name));
}

static bool is_of(const struct snapshot *s, const struct limit *limit, const struct reason *r)
{
	bool pair = limit->second_type != CRED_TYPE_COUNT;

	return limit->scope == r->scope && limit->kind == r->kind && pair == (r->second != INDEX_NONE) &&
	       (r->hard ? limit->hard : limit->soft) == r->limit &&
	       (limit->cred == INDEX_NONE) == (r->cred == INDEX_NONE) &&
	       (r->cred == INDEX_NONE ||
		snapshot_creds(s)[limit->cred].type == snapshot_creds(s)[r->cred].type);
}

/* The limit as it is set; {0} with soft and hard of the reason when nobody knows. */
static struct limit find_limit(const struct snapshot *s, const struct reason *r)
{
	struct limit found = {.kind = r->kind, .soft = r->limit, .hard = r->limit};

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_LIMITS); i++) {
		const struct limit *limit = &snapshot_limits(s)[i];

		if (is_of(s, limit, r) && (limit->cred == r->cred || found.hard == r->limit))
			found = *limit;
	}
	return found;
}

/* A limit on a single job has one amount. */
static bool is_single(const struct reason *r)
{
	return r->scope == LIMIT_SYSTEM || r->scope == LIMIT_CLASS;
}

static struct event with_limit(struct search *s, int64_t number)
{
	const struct reason *r = &s->why.check[s->gate].reason;
	struct limit limit = find_limit(s->s, r);
	struct str name = {0}, value = {0};
	struct event ev;

	if (!r->hard || is_single(r))
		limit.soft = number;
	if (limit.hard < number || is_single(r))
		limit.hard = number;
	add_option(s->s, r, &name);
	config_print_limit(&limit, &value);
	ev = search_setting(s, str_text(&name), str_text(&value));
	str_free(&name);
	str_free(&value);
	return ev;
}

/* As good as none. Who comes after others that the limit holds back as well needs more room than his own. */
#define LIFTED INT64_C(1000000000)

static void try_limit(struct search *s, enum gate gate)
{
	const struct reason *r = &s->why.check[gate].reason;
	int64_t needed = amount_add(r->value, r->asked);

	s->gate = gate;
	if (!search_fails(s, gate) || r->kind == LIMIT_KIND_COUNT || needed <= r->limit)
		return;
	if (!search_number(s, with_limit, r->limit, needed) && needed < LIFTED)
		search_number(s, with_limit, needed, LIFTED);
}

/* A cap in thousandths of a percent, or in processor-seconds. */
static struct event with_cap(struct search *s, int64_t number)
{
	const struct reason *r = &s->why.check[GATE_FS_CAP].reason;
	const struct cred *cred = &snapshot_creds(s->s)[r->cred];
	struct str name = {0}, value = {0};
	struct event ev;

	str_addf(&name, "%s[%s].fstarget", cred_type_name((enum cred_type)cred->type),
		 snapshot_string(s->s, cred->name));
	if (cred->attr.fs_mode == FS_CAP_RELATIVE)
		str_addf(&value, "%.3f%%", (double)number / 1000);
	else
		str_addf(&value, "%lld^", (long long)number);
	ev = search_setting(s, str_text(&name), str_text(&value));
	str_free(&name);
	str_free(&value);
	return ev;
}

#define WHOLE_SHARE 100000

/* Up to where usage with this job stands; a share is at most all there is. */
static void try_cap(struct search *s)
{
	const struct reason *r = &s->why.check[GATE_FS_CAP].reason;
	bool is_share;

	if (!search_fails(s, GATE_FS_CAP) || r->cred == INDEX_NONE)
		return;
	is_share = snapshot_creds(s->s)[r->cred].attr.fs_mode == FS_CAP_RELATIVE;
	search_number(s, with_cap, r->limit, is_share ? WHOLE_SHARE : amount_add(r->value, 1));
}

void search_limits(struct search *s)
{
	try_limit(s, GATE_CLASS_LIMIT);
	try_limit(s, GATE_SYSTEM_LIMIT);
	try_limit(s, GATE_IDLE_LIMIT);
	try_limit(s, GATE_ACTIVE_HARD);
	try_limit(s, GATE_ACTIVE_SOFT);
	try_cap(s);
}
