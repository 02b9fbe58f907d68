/* SPDX-License-Identifier: MIT */
/*
 * breakdown.c - of which parts is the priority of a job made?
 *
 * Read off the same struct prio_result that ranks the job; nothing is computed again but the
 * measuring of what is written down to seconds and processors.
 */
#include "breakdown.h"

#include <math.h>

#include "formula_number.h"

#define SEEN_POINTS 0.05 /* values have the digits that move this much */

double breakdown_inside(const struct prio_result *r, enum prio_component component)
{
	double sum = 0;

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (policy_factor_info(f)->component == component)
			sum += r->weighted[f];
	return sum;
}

struct breakdown breakdown_of(struct figures *out, const struct forecast *f, const struct job *job)
{
	struct breakdown b = {.out = out, .f = f, .job = job, .w = snapshot_job_weights(f->s, job)};

	snapshot_job_creds(f->s, job, &b.creds);
	forecast_priority(f, job, &b.r);
	return b;
}

double breakdown_qos_weight(const struct breakdown *b, enum prio_factor f)
{
	if (f == PRIO_SERV_QUEUETIME)
		return b->creds.qt_weight;
	return f == PRIO_SERV_XFACTOR ? b->creds.xf_weight : 0;
}

/* Of a factor, through its component. */
static double whole_weight(const struct breakdown *b, enum prio_factor f)
{
	return (b->w->factor[f] + breakdown_qos_weight(b, f)) *
	       fmax(1, fabs(b->w->component[policy_factor_info(f)->component]));
}

/* "xfactor 150", taken apart "xfactor (100 + qos 50)". */
static uint32_t weight_part(const struct breakdown *b, enum prio_factor f, bool apart)
{
	const char *name = policy_factor_info(f)->keyword;
	double own = b->w->factor[f], added = breakdown_qos_weight(b, f);

	if (!apart || own == 0 || added == 0)
		return figure_number(b->out, name, own + added, NULL);
	return figure_join(b->out, FIGURE_PLUS, figure_number(b->out, name, own, NULL),
			   figure_number(b->out, "qos", added, NULL));
}

static uint32_t plain(struct figures *out, double value, const char *unit)
{
	return figure_number(out, NULL, value, unit);
}

static uint32_t ratio(struct figures *out, double above, double below, const char *unit)
{
	return figure_join(out, FIGURE_OVER, plain(out, above, unit), plain(out, below, unit));
}

static uint32_t product(struct figures *out, double a, const char *a_unit, double b, const char *b_unit)
{
	return figure_join(out, FIGURE_TIMES, plain(out, a, a_unit), plain(out, b, b_unit));
}

/* 1e8 to the power of the part of the target that is used up, beyond the target 1e8 times that. */
static uint32_t pressure(struct figures *out, uint32_t used, double value)
{
	return figure_join(out, value <= 1e8 ? FIGURE_POWER : FIGURE_TIMES, plain(out, 1e8, NULL), used);
}

uint32_t breakdown_delta(struct figures *out, const struct fs_share *share, bool as_part)
{
	uint32_t usage = figure_number(out, "usage", share->percent, NULL);
	uint32_t target = figure_number(out, "target", share->target, NULL);
	uint32_t delta = as_part ? figure_join(out, FIGURE_MINUS, plain(out, 1, NULL),
					       figure_join(out, FIGURE_OVER, usage, target))
				 : figure_join(out, FIGURE_MINUS, target, usage);

	if (share->mode == FS_TARGET)
		return delta;
	return figure_join(out, share->mode == FS_FLOOR ? FIGURE_MOST : FIGURE_LEAST, delta,
			   plain(out, 0, NULL));
}

/* The deltas of the job's credentials come from their shares. */
static uint32_t delta_part(const struct breakdown *b, enum prio_factor f)
{
	const struct fairshare *shares = &b->f->plan.queue.shares;
	uint32_t cred = b->job->cred[f - PRIO_FS_USER];

	if (cred >= shares->share_count || shares->share[cred].delta == 0)
		return plain(b->out, b->r.value[f], "%");
	return breakdown_delta(b->out, &shares->share[cred],
			       fs_is_percent((enum fs_policy)b->f->s->policy.fs_policy));
}

static double wall_of_xfactor(const struct breakdown *b)
{
	return fmax((double)b->job->wall_limit_s, (double)b->f->s->policy.xfactor_min_wall_s);
}

uint32_t breakdown_measured(const struct breakdown *b, enum prio_factor f)
{
	const struct job *job = b->job;
	struct figures *out = b->out;
	double value = b->r.value[f], wall_s = (double)job->wall_limit_s;
	double queued_s = (double)job_queued_s(job, b->f->plan.now_s);

	switch (f) {
	case PRIO_FS_USER:
	case PRIO_FS_GROUP:
	case PRIO_FS_ACCOUNT:
	case PRIO_FS_QOS:
	case PRIO_FS_CLASS:
		return delta_part(b, f);
	case PRIO_RES_MEM:
		return product(out, job->tasks, "tasks", (double)job->mem_mb, "MB");
	case PRIO_RES_SWAP:
		return product(out, job->tasks, "tasks", (double)job->swap_mb, "MB");
	case PRIO_RES_DISK:
		return product(out, job->tasks, "tasks", (double)job->disk_mb, "MB");
	case PRIO_RES_PS:
		return product(out, (double)job_procs(job), "procs", wall_s, "s");
	case PRIO_SERV_QUEUETIME:
		return ratio(out, queued_s, 60, "s");
	case PRIO_SERV_XFACTOR:
		return figure_join(out, FIGURE_PLUS, plain(out, 1, NULL),
				   ratio(out, queued_s, wall_of_xfactor(b), "s"));
	case PRIO_TARGET_QUEUETIME:
		return pressure(out, ratio(out, queued_s, (double)b->creds.qt_target_s, "s"), value);
	case PRIO_TARGET_XFACTOR:
		return pressure(out, ratio(out, queued_s / wall_of_xfactor(b), b->creds.xf_target - 1, NULL),
				value);
	default:
		return plain(out, value, policy_factor_info(f)->unit);
	}
}

uint32_t breakdown_value(const struct breakdown *b, enum prio_factor f, bool apart)
{
	uint32_t value = apart && b->r.value[f] != 0
				 ? breakdown_measured(b, f)
				 : plain(b->out, b->r.value[f], policy_factor_info(f)->unit);

	figure_digits(b->out, value, formula_digits(b->r.value[f], whole_weight(b, f), SEEN_POINTS));
	if (b->r.capped[f] < b->r.value[f])
		value = figure_join(b->out, FIGURE_LEAST, value,
				    figure_number(b->out, "cap", b->r.capped[f], NULL));
	return value;
}

uint32_t breakdown_factor(const struct breakdown *b, enum prio_factor f, bool apart)
{
	return figure_join(b->out, FIGURE_TIMES, weight_part(b, f, apart), breakdown_value(b, f, apart));
}

/* --- components ------------------------------------------------------------------------- */

/* Does it give any points? Also by the weight of a QOS alone. */
static bool counts(const struct prio_weights *w, const struct prio_result *r, enum prio_factor f)
{
	return r->weighted[f] != 0 && w->component[policy_factor_info(f)->component] != 0;
}

bool breakdown_cap_acts(const struct breakdown *b, enum prio_component component)
{
	double cap = b->w->component_cap[component];

	return cap > 0 && breakdown_inside(&b->r, component) > cap;
}

uint32_t breakdown_component(const struct breakdown *b, enum prio_component component)
{
	uint32_t sum = FIGURE_NONE, weight = FIGURE_NONE;

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (policy_factor_info(f)->component == component && counts(b->w, &b->r, f))
			sum = figure_join(b->out, FIGURE_PLUS, sum, breakdown_factor(b, f, false));
	if (sum == FIGURE_NONE)
		return FIGURE_NONE;
	if (breakdown_cap_acts(b, component))
		sum = figure_join(b->out, FIGURE_LEAST, sum,
				  figure_number(b->out, "cap", b->w->component_cap[component], NULL));
	if (b->w->component[component] != 1)
		weight = figure_number(b->out, policy_component_name(component), b->w->component[component],
				       NULL);
	return figure_join(b->out, FIGURE_TIMES, weight, sum);
}
