/* SPDX-License-Identifier: MIT */
/*
 * replay_since_out.c - what does a journal that was run again hand over?
 *
 * First what was taken for granted: nobody knows how long a job would have run that had not ended, or was
 * taken away. Then whether it came out as recorded, then the summary, then who gains and who loses.
 */
#include "replay_since_out.h"

#include <inttypes.h>
#include <stdio.h>

#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/rm/wallclock.h"
#include "tui/draw/text.h"
#include "tui/report/report.h"

#define SHOWN 20 /* differences and refusals that people are told */

/* Another policy decides at other moments: compared are runs with passes wherever one is due. */
#define PASSES_ON_RECORD "passes on record"
#define PASSES_WHEN_DUE  "passes when due"

/* --- why is it another? ------------------------------------------------------------------------------ */

static const struct rerun_job *recorded(const struct rerun *rerun, size_t job)
{
	return &rerun_of(rerun)->job[job];
}

static void add_cause(const struct rerun *rerun, size_t job, struct str *out)
{
	const struct rerun_refusal *refusal = rerun_cause(rerun, job);
	char when[MOMENT_TEXT];

	if (refusal == NULL)
		str_add(out, "nothing on record explains it: another version of the program?");
	else
		str_addf(out, "%s%s at %s could not be done again: %s",
			 refusal->job == recorded(rerun, job)->id ? "" : "follows from others: ",
			 refusal->what, wallclock_iso(when, refusal->time_s), refusal->why);
}

/* --- text ------------------------------------------------------------------------------------------------
 */

static void print_assumed(const struct rerun_record *record, struct str *out)
{
	char from[MOMENT_TEXT], until[MOMENT_TEXT];

	str_addf(out, "From %s to %s: %" PRIu64 " entries, %zu jobs.\n", wallclock_iso(from, record->from_s),
		 wallclock_iso(until, record->until_s), record->entries, record->jobs);
	if (record->no_end > 0) {
		report_count(out, record->no_end, "job", "jobs");
		str_add(out, " had not ended; one that starts at another moment is taken to run to its "
			     "limit.\n");
	}
	if (record->taken_away > 0) {
		report_count(out, record->taken_away, "job was", "jobs were");
		str_add(out, " cancelled while running: nobody knows for how long they would have run; "
			     "likewise.\n");
	}
}

static void cell_moment(struct report *r, int64_t at_s)
{
	char when[MOMENT_TEXT];

	report_cell(r, at_s == TIME_NONE ? "-" : wallclock_iso(when, at_s));
}

static void print_differences(const struct since_found *f, struct str *out)
{
	static const struct report_column columns[] = {
		{"JOB", TEXT_RIGHT}, {"RECORDED", TEXT_LEFT}, {"ONCE MORE", TEXT_LEFT}, {"WHY", TEXT_LEFT}};
	struct report r = {.column = columns, .columns = 4, .width = f->env->width};
	const struct rerun_agreement *a = f->agreement;
	struct str cause = {0};
	char label[JOB_LABEL_TEXT];

	for (size_t i = 0; i < a->count && i < SHOWN; i++) {
		str_clear(&cause);
		add_cause(f->rerun, a->differs[i], &cause);
		report_cell(&r, rerun_label(f->rerun, a->differs[i], label));
		cell_moment(&r, recorded(f->rerun, a->differs[i])->start_s);
		cell_moment(&r, rerun_fates(f->rerun)[a->differs[i]].start_s);
		report_cell(&r, str_text(&cause));
	}
	if (a->count > 0)
		report_print(&r, 0, f->env->ascii, out);
	if (a->count > SHOWN)
		str_addf(out, "and %zu more; --json lists all of them\n", a->count - SHOWN);
	report_free(&r);
	str_free(&cause);
}

static double share(uint32_t part, uint32_t all)
{
	return all > 0 ? (double)part / all : 1;
}

static void print_agreement(const struct since_found *f, struct str *out)
{
	const struct rerun_agreement *a = f->agreement;

	str_addf(out,
		 "Under the same policy %" PRIu32 " of %" PRIu32
		 " jobs start in the recorded order (%.2f %%), %" PRIu32 " of them at the same second.\n",
		 a->in_order, a->jobs, 100 * share(a->in_order, a->jobs), a->same_start);
	print_differences(f, out);
}

static void print_refusals(const struct since_found *f, const struct rerun *rerun, struct str *out)
{
	const struct rerun_refusal *refusal;
	uint64_t all;
	size_t kept;
	char when[MOMENT_TEXT];

	refusal = rerun_refusals(rerun, &kept, &all);
	if (all == 0)
		return;
	str_addf(out, "%" PRIu64 " of what people did could not be done again:\n", all);
	for (size_t i = 0; i < kept && i < SHOWN; i++) {
		str_addf(out, "  %s  ", wallclock_iso(when, refusal[i].time_s));
		text_safe(out, refusal[i].what, f->env->ascii);
		str_add(out, ": ");
		text_safe(out, refusal[i].why, f->env->ascii);
		str_add_char(out, '\n');
	}
	if (all > SHOWN)
		str_addf(out, "  and %" PRIu64 " more\n", all - SHOWN);
}

static const char *party_type(const struct rerun_party *party)
{
	return party->type == CRED_TYPE_COUNT ? "all" : cred_type_name(party->type);
}

static const char *party_name(const struct rerun *base, const struct rerun_party *party)
{
	const struct snapshot *s = rerun_view(base);

	return party->type == CRED_TYPE_COUNT ? "" : snapshot_string(s, snapshot_creds(s)[party->cred].name);
}

static void party_row(struct report *r, const struct rerun *base, const struct rerun_party *p)
{
	double jobs = p->jobs > 0 ? p->jobs : 1;
	char wait[DURATION_TEXT];

	report_cell(r, party_type(p));
	report_cell(r, party_name(base, p));
	report_cellf(r, "%" PRIu32, p->jobs);
	report_cell(r, duration_text(wait, (int64_t)(p->before.wait_s / jobs)));
	report_cell(r, duration_text(wait, (int64_t)(p->after.wait_s / jobs)));
	report_cellf(r, "%.2f", p->before.slowdown / jobs);
	report_cellf(r, "%.2f", p->after.slowdown / jobs);
	report_cellf(r, "%.2f", p->before.xfactor / jobs);
	report_cellf(r, "%.2f", p->after.xfactor / jobs);
	report_cellf(r, "%" PRIu32, p->earlier);
	report_cellf(r, "%" PRIu32, p->later);
}

static void print_parties(const struct since_found *f, const struct rerun_parties *parties, struct str *out)
{
	static const struct report_column columns[] = {
		{"", TEXT_LEFT},          {"OF", TEXT_LEFT},       {"JOBS", TEXT_RIGHT},
		{"MEANWAIT", TEXT_RIGHT}, {"THEN", TEXT_RIGHT},    {"SLOWDOWN", TEXT_RIGHT},
		{"THEN", TEXT_RIGHT},     {"XFACTOR", TEXT_RIGHT}, {"THEN", TEXT_RIGHT},
		{"EARLIER", TEXT_RIGHT},  {"LATER", TEXT_RIGHT}};
	struct report r = {.column = columns, .columns = 11, .width = f->env->width};

	for (size_t i = 0; i < parties->count; i++)
		party_row(&r, f->base, &parties->item[i]);
	report_print(&r, 0, f->env->ascii, out);
	report_free(&r);
}

/* Which jobs say nothing about who gains. */
static void print_unpaired(const struct rerun_parties *p, struct str *out)
{
	if (p->only_before > 0 || p->only_after > 0 || p->neither > 0)
		str_addf(out,
			 "Means are over the jobs that start under both; %" PRIu32
			 " start only under the first, %" PRIu32 " only under the other, %" PRIu32
			 " under neither.\n",
			 p->only_before, p->only_after, p->neither);
}

static void print_incomparable(const struct replay_compared *c, const struct rerun_parties *p,
			       struct str *out)
{
	str_addf(out,
		 "No job starts under both \"%s\" and \"%s\": there is nothing to compare. %" PRIu32
		 " start only under the first, %" PRIu32 " only under the other, %" PRIu32
		 " under neither.\n",
		 c->name, c->other_name, p->only_before, p->only_after, p->neither);
}

/* Of a column: --set stands over each configuration. */
static void add_name(const struct since_found *f, const char *config, struct str *out)
{
	str_add(out, config != NULL ? config : f->has_set ? "" : "as it was");
	if (f->has_set)
		str_add(out, config != NULL ? " with --set" : "with --set");
}

static struct replay_compared compared(const struct since_found *f, const struct since_other *other)
{
	struct replay_compared c = {.other_name = other->config.file, .passes = PASSES_WHEN_DUE};

	rerun_summarise(f->base, &c.sum);
	rerun_summarise(other->rerun, &c.other);
	return c;
}

static void print_other(const struct since_found *f, const struct since_other *other, struct str *out)
{
	struct replay_compared c = compared(f, other);
	bool any = other->parties.item[0].jobs > 0;
	struct str name = {0}, other_name = {0};

	add_name(f, f->name, &name);
	add_name(f, other->config.file, &other_name);
	c.name = str_text(&name);
	c.other_name = str_text(&other_name);
	str_add_char(out, '\n');
	if (any)
		replay_print_compared(&c, out);
	else
		print_incomparable(&c, &other->parties, out);
	print_refusals(f, other->rerun, out);
	if (any) {
		str_add_char(out, '\n');
		print_parties(f, &other->parties, out);
		print_unpaired(&other->parties, out);
	}
	str_free(&name);
	str_free(&other_name);
}

void since_print_text(const struct since_found *f, struct str *out)
{
	struct replay_summary sum;

	print_assumed(rerun_of(f->rerun), out);
	if (f->agreement != NULL)
		print_agreement(f, out);
	print_refusals(f, f->rerun, out);
	str_add_char(out, '\n');
	rerun_summarise(f->rerun, &sum);
	replay_print_summary(&sum, &f->cost, f->agreement != NULL ? PASSES_ON_RECORD : PASSES_WHEN_DUE, out);
	for (size_t i = 0; i < f->others; i++)
		print_other(f, &f->other[i], out);
}

/* --- JSON
 * ------------------------------------------------------------------------------------------------------ */

static void json_differences(const struct since_found *f, struct json *j)
{
	const struct rerun_agreement *a = f->agreement;
	struct str cause = {0};
	char label[JOB_LABEL_TEXT];

	json_open(j, "differences", '[');
	for (size_t i = 0; i < a->count; i++) {
		str_clear(&cause);
		add_cause(f->rerun, a->differs[i], &cause);
		json_open(j, NULL, '{');
		json_text(j, "job", rerun_label(f->rerun, a->differs[i], label));
		json_int_or_null(j, "recorded_start", recorded(f->rerun, a->differs[i])->start_s, TIME_NONE);
		json_int_or_null(j, "start", rerun_fates(f->rerun)[a->differs[i]].start_s, TIME_NONE);
		json_text(j, "cause", str_text(&cause));
		json_close(j);
	}
	json_close(j);
	str_free(&cause);
}

static void json_agreement(const struct since_found *f, struct json *j)
{
	const struct rerun_agreement *a = f->agreement;

	json_open(j, "same", '{');
	json_int(j, "jobs", a->jobs);
	json_int(j, "in_order", a->in_order);
	json_real(j, "share", share(a->in_order, a->jobs));
	json_int(j, "same_start", a->same_start);
	json_differences(f, j);
	json_close(j);
}

static void json_refusals(const struct rerun *rerun, struct json *j)
{
	const struct rerun_refusal *refusal;
	uint64_t all;
	size_t kept;

	refusal = rerun_refusals(rerun, &kept, &all);
	json_int(j, "refused", (int64_t)all);
	json_open(j, "refusals", '[');
	for (size_t i = 0; i < kept; i++) {
		json_open(j, NULL, '{');
		json_int(j, "time", refusal[i].time_s);
		json_text(j, "what", refusal[i].what);
		json_text(j, "why", refusal[i].why);
		json_close(j);
	}
	json_close(j);
}

static void json_sums(struct json *j, const char *key, const struct rerun_sums *sums, uint32_t jobs)
{
	json_open(j, key, '{');
	if (jobs > 0) {
		json_real(j, "mean_wait_s", sums->wait_s / jobs);
		json_real(j, "mean_bounded_slowdown", sums->slowdown / jobs);
		json_real(j, "mean_xfactor", sums->xfactor / jobs);
	}
	json_close(j);
}

static void json_parties(const struct since_found *f, const struct rerun_parties *parties, struct json *j)
{
	json_int(j, "only_before", parties->only_before);
	json_int(j, "only_after", parties->only_after);
	json_int(j, "neither", parties->neither);
	json_open(j, "groups", '[');
	for (size_t i = 0; i < parties->count; i++) {
		const struct rerun_party *p = &parties->item[i];

		json_open(j, NULL, '{');
		json_text(j, "type", party_type(p));
		json_text(j, "name", party_name(f->base, p));
		json_int(j, "jobs", p->jobs);
		json_int(j, "earlier", p->earlier);
		json_int(j, "later", p->later);
		json_sums(j, "before", &p->before, p->jobs);
		json_sums(j, "after", &p->after, p->jobs);
		json_close(j);
	}
	json_close(j);
}

static void json_others(const struct since_found *f, struct json *j)
{
	json_open(j, "compare", '[');
	for (size_t i = 0; i < f->others; i++) {
		struct replay_compared c = compared(f, &f->other[i]);

		json_open(j, NULL, '{');
		replay_json_compared(&c, j);
		json_open(j, "base", '{');
		replay_json_values(&c.sum, j);
		json_close(j);
		json_refusals(f->other[i].rerun, j);
		json_parties(f, &f->other[i].parties, j);
		json_close(j);
	}
	json_close(j);
}

void since_print_json(const struct since_found *f, struct str *out)
{
	const struct rerun_record *record = rerun_of(f->rerun);
	struct json j = {.out = out};
	struct replay_summary sum;

	json_open(&j, NULL, '{');
	rerun_summarise(f->rerun, &sum);
	replay_json_summary(&sum, &f->cost, &j);
	json_int(&j, "since", record->from_s);
	json_int(&j, "until", record->until_s);
	json_int(&j, "entries", (int64_t)record->entries);
	json_int(&j, "not_ended", record->no_end);
	json_int(&j, "taken_away", record->taken_away);
	if (f->agreement != NULL)
		json_agreement(f, &j);
	json_refusals(f->rerun, &j);
	if (f->others > 0)
		json_others(f, &j);
	json_close(&j);
	str_add_char(out, '\n');
}

/* --- starts
 * ---------------------------------------------------------------------------------------------------------
 */

static void add_moment(struct str *out, int64_t at_s)
{
	str_add_char(out, ',');
	if (at_s != TIME_NONE)
		str_addf(out, "%" PRId64, at_s);
}

/* A label never has a comma or a quote in it. */
void since_print_starts(const struct rerun *rerun, struct str *out)
{
	const struct rerun_fate *fate = rerun_fates(rerun);
	char label[JOB_LABEL_TEXT];

	str_add(out, "job,submit,start,end,procs\n");
	for (size_t i = 0; i < rerun_of(rerun)->jobs; i++) {
		if (fate[i].submit_s == TIME_NONE)
			continue;
		str_add(out, rerun_label(rerun, i, label));
		add_moment(out, fate[i].submit_s);
		add_moment(out, fate[i].start_s);
		add_moment(out, fate[i].end_s);
		str_addf(out, ",%" PRId64 "\n", fate[i].procs);
	}
}
