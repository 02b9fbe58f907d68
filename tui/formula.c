/* SPDX-License-Identifier: MIT */
/*
 * formula.c - where does this number come from?
 *
 * Read off the same struct prio_result that ranks the job; nothing is computed again.
 */
#include "formula.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/core/explain.h"
#include "tui/origin.h"
#include "tui/views/page.h"

void formula_fixed(struct str *out, double value)
{
	int64_t hundredths;

	if (fabs(value) >= 1e15) {
		str_addf(out, "%.0f", value);
		return;
	}
	hundredths = llround(fabs(value) * 100);
	str_addf(out, "%s%" PRId64 ".%02" PRId64, value < 0 && hundredths > 0 ? "-" : "", hundredths / 100,
		 hundredths % 100);
}

/* 0.00001 rather than 1e-05. */
static void add_small(struct str *out, double value)
{
	int64_t parts = llround(fabs(value) * 1e9);

	if (parts < 1000)
		str_add_real(out, value);
	else
		str_addf(out, "%s0.%09" PRId64, value < 0 ? "-" : "", parts);
}

void formula_number(struct str *out, double value)
{
	struct str text = {0};
	size_t len;

	if (value != 0 && fabs(value) < 0.1)
		add_small(&text, value);
	else
		formula_fixed(&text, value);
	len = text.len;
	if (strchr(text.data, '.') && !strchr(text.data, 'e')) {
		while (text.data[len - 1] == '0')
			len--;
		len -= text.data[len - 1] == '.';
	}
	str_add_bytes(out, text.data, len);
	str_free(&text);
}

void formula_factor(struct str *out, double value, double weight, double error)
{
	double unit = 100;

	while (unit < 1e6 && fabs(weight * (round(value * unit) / unit - value)) >= error)
		unit *= 10;
	if (unit > 100 && fabs(value) < 1e9)
		str_add_real(out, round(value * unit) / unit);
	else
		formula_number(out, value);
}

/* --- one factor ----------------------------------------------------------------------- */

static double sum_inside(const struct prio_result *r, enum prio_component component)
{
	double sum = 0;

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (policy_factor_info(f)->component == component)
			sum += r->weighted[f];
	return sum;
}

void formula_points(const struct prio_weights *w, const struct prio_result *r,
		    double points[static PRIO_FACTOR_COUNT])
{
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		enum prio_component component = policy_factor_info(f)->component;
		double inside = sum_inside(r, component);
		double each = inside != 0 ? r->component[component] / inside : w->component[component];

		points[f] = r->weighted[f] * each;
	}
}

/* Does it give any points? Also by the weight of a QOS alone. */
static bool counts(const struct prio_weights *w, const struct prio_result *r, enum prio_factor f)
{
	return r->weighted[f] != 0 && w->component[policy_factor_info(f)->component] != 0;
}

/* The weight with what the job's QOS adds. */
static double whole_weight(const struct prio_weights *w, const struct prio_result *r, enum prio_factor f)
{
	double weight = r->capped[f] != 0 ? r->weighted[f] / r->capped[f] : w->factor[f];

	return fabs(weight - w->factor[f]) > 1e-9 * fabs(weight) ? weight : w->factor[f];
}

/* "queuetime 10 * 373 min", the cap where it acted. */
static void add_factor(const struct prio_weights *w, const struct prio_result *r, enum prio_factor f,
		       double error, struct str *out)
{
	const struct prio_factor_info *info = policy_factor_info(f);
	double weight = whole_weight(w, r, f);

	str_addf(out, "%s ", info->keyword);
	formula_number(out, weight);
	str_add(out, " * ");
	formula_factor(out, r->capped[f], weight, error);
	str_addf(out, "%s%s", info->unit[0] ? " " : "", info->unit);
	if (r->capped[f] < r->value[f])
		str_add(out, " (capped)");
}

/* --- one line ------------------------------------------------------------------------- */

static void add_ending(const struct job *job, const struct prio_result *r, struct str *out)
{
	if (r->bounded) {
		str_add(out, ", bounded from ");
		formula_number(out, r->sum);
	}
	if (job->adjust == JOB_ADJUST_RELATIVE)
		str_addf(out, ", with %+" PRId64 " by an operator", job->points);
	else if (job->adjust == JOB_ADJUST_ABSOLUTE)
		str_addf(out, ", set to %" PRId64 " above all computed by an operator", job->points);
}

/* "user 1 * 150 + qos 1 * 500"; nothing when no factor of it gives points. */
static void add_factors(const struct prio_weights *w, const struct prio_result *r,
			enum prio_component component, struct str *out)
{
	double error = 0.05 / fmax(1, fabs(w->component[component]));

	for (enum prio_factor i = 0; i < PRIO_FACTOR_COUNT; i++) {
		if (policy_factor_info(i)->component != component || !counts(w, r, i))
			continue;
		str_add(out, out->len > 0 ? " + " : "");
		add_factor(w, r, i, error, out);
	}
}

static bool cap_acts(const struct prio_weights *w, const struct prio_result *r, enum prio_component component)
{
	return w->component_cap[component] > 0 && sum_inside(r, component) > w->component_cap[component];
}

/* The same; of a component with a weight or a cap of its own "fs 100 * (fsuser 10 * -6.7919 %)". */
static void add_component(const struct prio_weights *w, const struct prio_result *r,
			  enum prio_component component, struct str *out)
{
	struct str factors = {0};

	add_factors(w, r, component, &factors);
	if (factors.len > 0 && w->component[component] == 1 && !cap_acts(w, r, component)) {
		str_add(out, str_text(&factors));
	} else if (factors.len > 0) {
		str_addf(out, "%s ", policy_component_name(component));
		formula_number(out, w->component[component]);
		str_addf(out, " * (%s", str_text(&factors));
		if (cap_acts(w, r, component)) {
			str_add(out, ", capped to ");
			formula_number(out, w->component_cap[component]);
		}
		str_add_char(out, ')');
	}
	str_free(&factors);
}

void formula_line(const struct forecast *f, const struct job *job, struct str *out)
{
	const struct prio_weights *w = snapshot_job_weights(f->s, job);
	const char *between = " = ";
	struct prio_result r;
	struct str part = {0};

	forecast_priority(f, job, &r);
	str_addf(out, "%" PRId64, r.rank);
	for (enum prio_component i = 0; i < PRIO_COMPONENT_COUNT; i++) {
		str_clear(&part);
		add_component(w, &r, i, &part);
		if (part.len == 0)
			continue;
		str_addf(out, "%s%s", between, str_text(&part));
		between = " + ";
	}
	add_ending(job, &r, out);
	str_free(&part);
}

/* --- the pane ------------------------------------------------------------------------- */

static void put_factor(struct page *p, const struct forecast *f, const struct prio_weights *w,
		       const struct prio_result *r, enum prio_factor i, int width)
{
	char option[48];
	struct str text = {0};

	page_line(p);
	page_at(p, 3);
	add_factor(w, r, i, 0.005, &text);
	str_add(&text, " = ");
	formula_number(&text, r->weighted[i]);
	page_add(p, ROLE_FORMULA, str_text(&text));
	str_clear(&text);
	snprintf(option, sizeof option, "%sweight", policy_factor_info(i)->keyword);
	str_addf(&text, "%s: ", option);
	origin_add(f->s, option, &text);
	if (whole_weight(w, r, i) != w->factor[i])
		str_add(&text, ", and what the QOS adds");
	page_beside(p, ROLE_DIM, 42, width, str_text(&text));
	str_free(&text);
}

static void put_component(struct page *p, const struct prio_weights *w, const struct prio_result *r,
			  enum prio_component component)
{
	struct str text = {0};

	if (w->component[component] == 1 && w->component_cap[component] == 0)
		return;
	page_line(p);
	page_at(p, 3);
	str_addf(&text, "%s together, weight ", policy_component_name(component));
	formula_number(&text, w->component[component]);
	if (w->component_cap[component] != 0) {
		str_add(&text, ", cap ");
		formula_number(&text, w->component_cap[component]);
	}
	str_add(&text, " = ");
	formula_number(&text, r->component[component]);
	page_add(p, ROLE_FORMULA, str_text(&text));
	str_free(&text);
}

static bool component_counts(const struct prio_weights *w, const struct prio_result *r,
			     enum prio_component component)
{
	for (enum prio_factor i = 0; i < PRIO_FACTOR_COUNT; i++)
		if (policy_factor_info(i)->component == component && counts(w, r, i))
			return true;
	return false;
}

static void put_priority(struct page *p, const struct forecast *f, const struct job *job, int width)
{
	const struct prio_weights *w = snapshot_job_weights(f->s, job);
	struct prio_result r;
	struct str line = {0};
	char label[JOB_LABEL_TEXT];

	forecast_priority(f, job, &r);
	str_addf(&line, "Priority of %s: %" PRId64 " = the sum of these",
		 snapshot_job_label(f->s, job, label), r.rank);
	add_ending(job, &r, &line);
	page_wrap(p, ROLE_TEXT, 1, width - 2, str_text(&line));
	str_free(&line);
	for (enum prio_factor i = 0; i < PRIO_FACTOR_COUNT; i++)
		if (counts(w, &r, i))
			put_factor(p, f, w, &r, i, width);
	for (enum prio_component i = 0; i < PRIO_COMPONENT_COUNT; i++)
		if (component_counts(w, &r, i))
			put_component(p, w, &r, i);
}

static void put_start(struct page *p, const struct outlook *o, const struct job *job, uint32_t slot,
		      int width)
{
	const struct plan *plan = &o->live.plan;
	char when[MOMENT_TEXT], now[MOMENT_TEXT], wait[DURATION_TEXT], wall[DURATION_TEXT];
	struct str line = {0};

	if (job->state == JOB_RUNNING)
		str_addf(&line, "It started %s and ends by %s: the start + its wallclock limit %s.",
			 moment_short(when, job->start_s, o->now_s),
			 moment_short(now, job_due_end_s(job), o->now_s),
			 duration_text(wall, job->wall_limit_s));
	else if (plan->start_s[slot] == TIME_NEVER)
		str_add(&line, "It has no estimated start: what keeps it does not clear by itself.");
	else
		str_addf(&line,
			 "Estimated start %s = %s + %s: the first gap of %" PRId64
			 " processors for %s, after the jobs "
			 "before it in the order are placed; running jobs are taken to run to their limits.",
			 moment_short(when, plan->start_s[slot], o->now_s),
			 moment_short(now, o->now_s, o->now_s),
			 duration_text(wait, plan->start_s[slot] - o->now_s), job_procs(job),
			 duration_text(wall, job->wall_limit_s));
	page_wrap(p, ROLE_TEXT, 1, width - 2, str_text(&line));
	str_free(&line);
}

void formula_page(struct page *p, const struct outlook *o, uint64_t id, int width)
{
	uint32_t slot;
	const struct job *job = forecast_job(&o->live, id, &slot);

	if (!job) {
		page_add(p, ROLE_DIM, " There is no job under the cursor.");
		return;
	}
	put_priority(p, &o->live, job, width);
	put_start(p, o, job, slot, width);
}
