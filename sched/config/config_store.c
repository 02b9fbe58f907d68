/* SPDX-License-Identifier: MIT */
/*
 * config_store.c - where does a value live, and what stands there now?
 *
 * A row's scope says who owns the value, its form how it is kept. Texts and lists of names are
 * kept by the state (state_policy.c), which knows the credentials they name.
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"

enum owner {
	OWNER_POLICY,
	OWNER_WEIGHTS,
	OWNER_ATTR,
	OWNER_NODE,
	OWNER_COUNT
};

static enum owner owner_of(const struct option *row)
{
	if (*row->scope == '\0' || row->form == FORM_LEVEL_DEPTH || row->form == FORM_LEVEL_QOS)
		return OWNER_POLICY;
	if (strcmp(row->scope, "partition") == 0)
		return OWNER_WEIGHTS;
	return strcmp(row->scope, "node") == 0 ? OWNER_NODE : OWNER_ATTR;
}

/* --- storing ----------------------------------------------------------------------------- */

static void store_field(const struct config_value *value, void *place)
{
	const struct option *row = value->row;

	if (row->type == OPTION_REAL)
		*(double *)place = value->value.number;
	else if (row->type == OPTION_BOOL)
		*(bool *)place = value->value.whole != 0;
	else if (row->type == OPTION_CHOICE)
		*(uint8_t *)place = (uint8_t)value->value.whole;
	else if (row->type == OPTION_COUNT && owner_of(row) == OWNER_NODE)
		*(uint32_t *)place = (uint32_t)value->value.whole;
	else
		*(int64_t *)place = value->value.whole;
}

static void store_available(const char *text, struct policy *policy)
{
	const char *word;
	size_t len;

	while ((word = config_word(&text, &len)) != NULL)
		config_available_read(word, len, policy->available, NULL);
}

/* A level that is named is there: one job, as for level 0, unless it says how many. */
static void store_level(const struct config_value *value, struct policy *policy)
{
	int64_t *depth = &policy->reservation_depth[config_level(value->title)];

	if (value->row->form == FORM_LEVEL_DEPTH)
		*depth = value->value.whole;
	else if (*depth < 0)
		*depth = 1;
}

void config_store(const struct config_value *value, struct policy *policy, struct prio_weights *weights,
		  struct cred_attr *attr, struct config_node *node)
{
	void *const owner_at[OWNER_COUNT] = {policy, weights, attr, node};
	char *owner = value->row ? owner_at[owner_of(value->row)] : NULL;

	if (!owner)
		return;
	switch ((enum config_form)value->row->form) {
	case FORM_FIELD:
		store_field(value, owner + value->row->offset);
		break;
	case FORM_TARGET:
		config_target_read(value->value.text, &attr->fs_target, &attr->fs_mode, NULL);
		break;
	case FORM_AVAILABLE:
		store_available(value->value.text, policy);
		break;
	case FORM_LEVEL_DEPTH:
	case FORM_LEVEL_QOS:
		store_level(value, policy);
		break;
	case FORM_UMASK:
		config_umask_read(value->value.text, &policy->site.umask, NULL);
		break;
	default:
		break;
	}
}

/* --- printing ---------------------------------------------------------------------------- */

static bool is_unset(const struct option *row, const void *place)
{
	if (row->fallback || owner_of(row) != OWNER_ATTR)
		return false;
	if (row->type == OPTION_CHOICE)
		return *(const uint8_t *)place == 0;
	return row->type == OPTION_REAL ? !(*(const double *)place > 0) : *(const int64_t *)place == 0;
}

static void print_field(const struct option *row, const void *place, struct str *out)
{
	char buf[DURATION_TEXT];

	if (is_unset(row, place))
		return;
	if (row->type == OPTION_REAL)
		str_add_real(out, *(const double *)place);
	else if (row->type == OPTION_BOOL)
		str_add(out, *(const bool *)place ? "true" : "false");
	else if (row->type == OPTION_CHOICE)
		str_add(out, row->choices[*(const uint8_t *)place - (int)row->min]);
	else if (row->type == OPTION_DURATION)
		str_add(out, duration_text(buf, *(const int64_t *)place));
	else
		str_addf(out, "%" PRId64, *(const int64_t *)place);
}

static void print_target(const struct cred_attr *attr, struct str *out)
{
	static const char *const suffix[] = {
		[FS_NO_TARGET] = "", [FS_TARGET] = "",        [FS_FLOOR] = "+",
		[FS_CEILING] = "-",  [FS_CAP_ABSOLUTE] = "^", [FS_CAP_RELATIVE] = "%",
	};

	if (attr->fs_mode == FS_NO_TARGET)
		return;
	str_add_real(out, attr->fs_target);
	str_add(out, suffix[attr->fs_mode]);
}

void config_print_available(const uint8_t available[static AVAILABLE_RESOURCE_COUNT], struct str *out)
{
	str_add(out, config_available_policy[available[AVAILABLE_PROCS]]);
	for (enum available_resource r = AVAILABLE_MEM; r < AVAILABLE_RESOURCE_COUNT; r++)
		if (available[r] != available[AVAILABLE_PROCS])
			str_addf(out, " %s:%s", config_available_policy[available[r]],
				 config_available_resource[r]);
}

void config_print_value(const struct option *row, const struct policy *policy,
			const struct prio_weights *weights, const struct cred_attr *attr, struct str *out)
{
	const void *const owner_at[OWNER_COUNT] = {policy, weights, attr, NULL};
	const char *owner = owner_at[owner_of(row)];

	if (!owner)
		return;
	if (row->form == FORM_FIELD)
		print_field(row, owner + row->offset, out);
	else if (row->form == FORM_TARGET)
		print_target(attr, out);
	else if (row->form == FORM_AVAILABLE)
		config_print_available(policy->available, out);
	else if (row->form == FORM_UMASK)
		str_addf(out, "%03" PRIo32, policy->site.umask);
}

static void print_amount(enum limit_kind kind, int64_t amount, struct str *out)
{
	char buf[DURATION_TEXT];

	if (amount == LIMIT_UNLIMITED)
		str_add(out, "unlimited");
	else if (kind == LIMIT_WC)
		str_add(out, duration_text(buf, amount));
	else
		str_addf(out, "%" PRId64, amount);
}

void config_print_limit(const struct limit *limit, struct str *out)
{
	if (limit->soft < limit->hard) {
		print_amount((enum limit_kind)limit->kind, limit->soft, out);
		str_add_char(out, ',');
	}
	print_amount((enum limit_kind)limit->kind, limit->hard, out);
}
