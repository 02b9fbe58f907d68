/* SPDX-License-Identifier: MIT */
/*
 * shares.c - fairshare: the report as text and JSON, and figures for the screen
 */
#include "shares.h"

#include <inttypes.h>
#include <math.h>

#include "field.h"
#include "report.h"
#include "sched/base/duration.h"
#include "sched/policy/priority.h"
#include "sched/rm/wallclock.h"

const char *shares_metric_name(enum fs_policy policy)
{
	static const char *const names[] = {
		[FS_NONE] = "NONE",
		[FS_DEDICATEDPS] = "DEDICATEDPS",
		[FS_DEDICATEDPES] = "DEDICATEDPES",
		[FS_UTILIZEDPS] = "UTILIZEDPS",
	};

	return names[fs_metric(policy)];
}

char shares_suffix(enum fs_mode mode)
{
	static const char suffix[] = {[FS_NO_TARGET] = ' ', [FS_TARGET] = ' ',       [FS_FLOOR] = '+',
				      [FS_CEILING] = '-',   [FS_CAP_ABSOLUTE] = '^', [FS_CAP_RELATIVE] = '%'};

	return suffix[mode];
}

bool shares_is_shown(const struct fs_share *share)
{
	return share->mode != FS_NO_TARGET || share->usage > 0;
}

double shares_busy_window(const struct fairshare *f)
{
	int64_t now = f->total[0], before = f->depth > 1 ? f->total[1] : 0;

	return (double)(now >= before / 2 ? now : before) / (double)FS_UNIT;
}

double shares_effect(const struct prio_weights *w, enum cred_type type, const struct fs_share *share)
{
	enum prio_factor factor = PRIO_FS_USER + (enum prio_factor)type;
	double points = w->factor[factor] * priority_capped(share->delta, w->factor_cap[factor]);

	return w->component[PRIO_FS] * priority_capped(points, w->component_cap[PRIO_FS]);
}

bool shares_cap_is_reached(const struct fs_share *share)
{
	if (share->mode == FS_CAP_RELATIVE)
		return share->percent >= share->target;
	return share->mode == FS_CAP_ABSOLUTE && share->usage >= share->target;
}

uint32_t shares_waiting(const struct forecast *f, uint32_t cred, uint32_t *capped)
{
	const struct waiting *waiting = snapshot_waiting(f->s);
	enum cred_type type = (enum cred_type)snapshot_creds(f->s)[cred].type;
	uint32_t count = 0;

	*capped = 0;
	for (uint32_t i = 0; i < snapshot_count(f->s, TABLE_WAITING); i++) {
		uint32_t slot = waiting[i].slot;
		const struct reason *reason = &f->plan.reason[slot];

		if (snapshot_jobs(f->s)[slot].cred[type] != cred)
			continue;
		count++;
		*capped += reason->gate == GATE_FS_CAP && reason->cred == cred;
	}
	return count;
}

void shares_move_target(struct cred_attr *attr, int points)
{
	double target = attr->fs_mode == FS_NO_TARGET ? 0 : attr->fs_target;

	if (attr->fs_mode == FS_CAP_ABSOLUTE)
		target += target * points / 100;
	else
		target = fmin(target + points, 100);
	if (target <= 0)
		attr->fs_mode = FS_NO_TARGET;
	else if (attr->fs_mode == FS_NO_TARGET)
		attr->fs_mode = FS_TARGET;
	attr->fs_target = target;
}

bool shares_add_up(const struct fairshare *f, const struct cred *creds, enum cred_type type)
{
	for (uint32_t i = 0; i < f->depth; i++) {
		int64_t sum = 0;

		for (uint32_t c = 0; c < f->share_count; c++)
			if (creds[c].type == type)
				sum = fs_add(sum, f->share[c].window[i]);
		if (sum != f->total[i])
			return false;
	}
	return true;
}

/* --- fields --------------------------------------------------------------------------------------------- */

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const char nothing[] = "-------";

static const char *mode_name(enum fs_mode mode)
{
	static const char *const names[] = {
		[FS_NO_TARGET] = NULL,
		[FS_TARGET] = "target",
		[FS_FLOOR] = "floor",
		[FS_CEILING] = "ceiling",
		[FS_CAP_ABSOLUTE] = "cap-absolute",
		[FS_CAP_RELATIVE] = "cap-relative",
	};

	return names[mode];
}

/* Usage in one window by a credential and by all jobs, in thousandths of processor-seconds. */
struct window_item {
	int64_t used, total;
};

static bool get_processor_seconds(const void *item, struct value *out)
{
	out->real = (double)((const struct window_item *)item)->used / (double)FS_UNIT;
	return true;
}

static enum role window_cell(const void *item, struct str *out)
{
	const struct window_item *w = item;

	if (w->used == 0 || w->total == 0)
		str_add(out, nothing);
	else
		str_addf(out, "%.2f", 100 * (double)w->used / (double)w->total);
	return ROLE_TEXT;
}

static const struct field window_fields[] = {
	{NULL, "", FIELD_REAL, .get = get_processor_seconds, .cell = window_cell}, {0}};

/* Gets a percentage after one of the next rolls; not applicable if it is negative. */
static bool get_percent(const void *item, struct value *out)
{
	out->real = *(const double *)item;
	return out->real >= 0;
}

static const struct field roll_fields[] = {{NULL, "", FIELD_REAL, .get = get_percent}, {0}};

/* A credential with its usage. */
struct share_item {
	const struct fairshare *f;
	struct fs_share share;
	enum cred_type type;
	const char *type_name, *name, *mode;
};

static void each_window(const void *item, field_visit *visit, void *self)
{
	const struct share_item *i = item;

	for (uint32_t w = 0; w < i->f->depth; w++)
		visit(self, &(struct window_item){i->share.window[w], i->f->total[w]});
}

static void each_roll(const struct share_item *i, double window_total, field_visit *visit, void *self)
{
	double percent[SHARES_ROLLS];

	fairshare_forecast(i->f, i->share.cred, window_total, SHARES_ROLLS, percent);
	for (size_t roll = 0; roll < SHARES_ROLLS; roll++)
		visit(self, &percent[roll]);
}

static void each_busy_roll(const void *item, field_visit *visit, void *self)
{
	each_roll(item, shares_busy_window(((const struct share_item *)item)->f), visit, self);
}

static void each_idle_roll(const void *item, field_visit *visit, void *self)
{
	each_roll(item, 0, visit, self);
}

static bool get_target(const void *item, struct value *out)
{
	const struct fs_share *share = &((const struct share_item *)item)->share;

	out->real = share->target;
	return share->mode != FS_NO_TARGET;
}

/* Appends the target with the suffix of FSTARGET: "25.00+", "50000.0^". */
static enum role target_cell(const void *item, struct str *out)
{
	const struct fs_share *share = &((const struct share_item *)item)->share;

	if (share->mode == FS_NO_TARGET)
		str_addf(out, "%s ", nothing);
	else
		str_addf(out, "%.*f%c", share->mode == FS_CAP_ABSOLUTE ? 1 : 2, share->target,
			 shares_suffix(share->mode));
	return ROLE_TEXT;
}

static enum role name_cell(const void *item, struct str *out)
{
	const struct share_item *i = item;

	str_addf(out, "%s%s", i->name, i->share.missed ? "*" : "");
	return ROLE_TEXT;
}

static enum role credential_cell(const void *item, struct str *out)
{
	const struct share_item *i = item;

	str_addf(out, "%s %s", i->type_name, i->name);
	return ROLE_TEXT;
}

static const struct field share_fields[] = {
	{"type", NULL, FIELD_TEXT, FIELD_AT(struct share_item, type_name)},
	{"name", "", FIELD_TEXT, FIELD_AT(struct share_item, name), .cell = name_cell},
	{"target", "", FIELD_REAL, .get = get_target, .cell = target_cell},
	{"mode", NULL, FIELD_TEXT, FIELD_AT(struct share_item, mode)},
	{"usage_pct", "NOW", FIELD_REAL, FIELD_AT(struct share_item, share.percent)},
	{"delta", NULL, FIELD_REAL, FIELD_AT(struct share_item, share.delta)},
	{"windows", "", FIELD_LIST, .of = window_fields, .each = each_window},
	{"usage", NULL, FIELD_REAL, FIELD_AT(struct share_item, share.usage)},
	{"missed", NULL, FIELD_BOOL, FIELD_AT(struct share_item, share.missed)},
	{"forecast_busy", "BUSY", FIELD_LIST, .of = roll_fields, .each = each_busy_roll},
	{"forecast_idle", "IDLE", FIELD_LIST, .of = roll_fields, .each = each_idle_roll},
	{NULL, "FORECAST", FIELD_TEXT, .cell = credential_cell},
	{0}};

static void each_share(const void *item, field_visit *visit, void *self)
{
	const struct shares_report *r = item;
	const struct cred *cred = snapshot_creds(r->s);

	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		for (uint32_t i = 0; i < r->f->share_count; i++)
			if (cred[i].type == type && shares_is_shown(&r->f->share[i]))
				visit(self, &(struct share_item){
						    r->f, r->f->share[i], type, cred_type_name(type),
						    snapshot_string(r->s, cred[r->f->share[i].cred].name),
						    mode_name(r->f->share[i].mode)});
}

static void each_total(const void *item, field_visit *visit, void *self)
{
	const struct fairshare *f = ((const struct shares_report *)item)->f;

	for (uint32_t i = 0; i < f->depth; i++)
		visit(self, &(struct window_item){f->total[i], f->total[i]});
}

static bool get_policy(const void *item, struct value *out)
{
	out->text = shares_metric_name((enum fs_policy)((const struct policy *)item)->fs_policy);
	return true;
}

static bool get_is_percent(const void *item, struct value *out)
{
	out->whole = fs_is_percent((enum fs_policy)((const struct policy *)item)->fs_policy);
	return true;
}

static const struct field policy_fields[] = {
	{"policy", NULL, FIELD_TEXT, .get = get_policy},
	{"percent", NULL, FIELD_BOOL, .get = get_is_percent},
	{"interval_s", NULL, FIELD_DURATION, FIELD_AT(struct policy, fs_interval_s)},
	{"depth", NULL, FIELD_COUNT, FIELD_AT(struct policy, fs_depth)},
	{"decay", NULL, FIELD_REAL, FIELD_AT(struct policy, fs_decay)},
	{0}};

static const struct field snapshot_fields[] = {
	{.type = FIELD_MEMBERS, FIELD_AT(struct snapshot, policy), .of = policy_fields}, {0}};

static const struct field time_fields[] = {
	{"window_begin", NULL, FIELD_INSTANT, FIELD_AT(struct fairshare, begin_s)},
	{"next_roll", NULL, FIELD_INSTANT, FIELD_AT(struct fairshare, next_roll_s)},
	{0}};

static const struct field report_fields[] = {
	{.type = FIELD_MEMBERS, FIELD_TO(struct shares_report, s), .of = snapshot_fields},
	{.type = FIELD_MEMBERS, FIELD_TO(struct shares_report, f), .of = time_fields},
	{"totals", NULL, FIELD_LIST, .of = window_fields, .each = each_total},
	{"credentials", NULL, FIELD_LIST, .of = share_fields, .each = each_share},
	{0}};

void shares_report_json(const struct shares_report *r, struct str *out)
{
	fields_document(out, report_fields, 0, r);
}

/* --- text ----------------------------------------------------------------------------------------------- */

static void print_settings(const struct shares_report *r, struct str *out)
{
	const struct policy *p = &r->s->policy;
	char interval[DURATION_TEXT], when[MOMENT_TEXT], in[DURATION_TEXT];

	str_addf(out, "Fairshare: %s%s, depth %" PRId64 " intervals of %s, decay %.2f\n",
		 shares_metric_name((enum fs_policy)p->fs_policy),
		 fs_is_percent((enum fs_policy)p->fs_policy) ? " (relative to targets)" : "", p->fs_depth,
		 duration_text(interval, p->fs_interval_s), p->fs_decay);
	str_addf(out, "Window 0 closes %s, in %s\n\n", wallclock_long(when, r->f->next_roll_s),
		 duration_text(in, r->f->next_roll_s - r->now_s));
}

/* Adds the rows above the credentials: the numbers of the windows, their weights and their totals. */
static void head_rows(struct report *table, const struct fairshare *f)
{
	report_cell(table, "FSInterval");
	report_cell(table, "%");
	report_cell(table, "Target ");
	for (uint32_t i = 0; i < f->depth; i++)
		report_cellf(table, "%u", i);
	report_cell(table, "FSWeight");
	report_cell(table, nothing);
	report_cellf(table, "%s ", nothing);
	for (uint32_t i = 0; i < f->depth; i++)
		report_cellf(table, "%.4f", f->weight[i]);
	report_cell(table, "TotalUsage");
	report_cellf(table, "%.2f", f->total_usage > 0 ? 100.0 : 0.0);
	report_cellf(table, "%s ", nothing);
	for (uint32_t i = 0; i < f->depth; i++)
		report_cellf(table, "%.1f", (double)f->total[i] / (double)FS_UNIT / 3600);
}

struct share_table {
	struct report report;
	int type; /* credential type of the last row; -1 = no row */
};

/* Adds the row of a credential, with a heading row before the first credential of each type. */
static void add_share(void *self, const void *item)
{
	static const struct field_column columns[] = {
		{.key = "name"}, {.key = "usage_pct"}, {.key = "target"}, {.key = "windows"}};
	const struct share_item *i = item;
	struct share_table *t = self;
	struct str heading = {0};

	if (t->type != (int)i->type) {
		report_capitals(&heading, i->type_name);
		report_cell(&t->report, str_text(&heading));
		for (size_t c = 1; c < t->report.columns; c++)
			report_cell(&t->report, "");
		str_free(&heading);
	}
	t->type = (int)i->type;
	field_cells(&t->report, share_fields, columns, COUNT_OF(columns), i);
}

static void print_shares(const struct shares_report *r, struct str *out)
{
	struct report_column column[3 + FS_DEPTH_MAX] = {{"", TEXT_LEFT}};
	struct share_table t = {{.column = column, .columns = 3 + r->f->depth, .no_titles = true}, -1};

	for (size_t c = 1; c < t.report.columns; c++)
		column[c] = (struct report_column){"", TEXT_RIGHT};
	head_rows(&t.report, r->f);
	each_share(r, add_share, &t);
	report_print(&t.report, 0, r->ascii, out);
	report_free(&t.report);
	str_add(out, "Totals are in processor-hours; the usage in a window is a percentage of its total.  * "
		     "off target\n");
	for (uint32_t i = 0; i < r->f->depth; i++)
		if (r->f->other_length_s[i] != 0)
			str_addf(out, "Window %u was recorded with another FSINTERVAL.\n", i);
}

/* Adds the row of a credential to the forecast if it has a target and usage. */
static void add_forecast(void *self, const void *item)
{
	static const struct field_column columns[] = {{.key = "FORECAST"},
						      {.key = "usage_pct"},
						      {.key = "forecast_busy"},
						      {.key = "forecast_idle"}};
	const struct share_item *i = item;

	if (i->share.mode != FS_NO_TARGET && i->share.usage > 0)
		field_cells(self, share_fields, columns, COUNT_OF(columns), i);
}

static void print_forecast(const struct shares_report *r, struct str *out)
{
	static const struct report_column columns[] = {
		{"FORECAST", TEXT_LEFT}, {"NOW", TEXT_RIGHT}, {"BUSY +1", TEXT_RIGHT}, {"+2", TEXT_RIGHT},
		{"+3", TEXT_RIGHT},      {"+4", TEXT_RIGHT},  {"IDLE +1", TEXT_RIGHT}, {"+2", TEXT_RIGHT},
		{"+3", TEXT_RIGHT},      {"+4", TEXT_RIGHT},
	};
	struct report table = {.column = columns, .columns = 2 + 2 * SHARES_ROLLS};

	each_share(r, add_forecast, &table);
	if (table.cells > 0) {
		str_add_char(out, '\n');
		report_print(&table, 0, r->ascii, out);
		str_addf(out,
			 "Usage in percent after the next rolls if the credential runs no jobs, with the "
			 "machine as busy as now (%.1f processor-hours per window) or idle.\n",
			 shares_busy_window(r->f) / 3600);
	}
	report_free(&table);
}

void shares_report_text(const struct shares_report *r, struct str *out)
{
	if (r->f->off) {
		str_add(out, "Fairshare is disabled: FSPOLICY is NONE.\n");
		return;
	}
	print_settings(r, out);
	print_shares(r, out);
	print_forecast(r, out);
}
