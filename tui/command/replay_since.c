/* SPDX-License-Identifier: MIT */
/*
 * replay_since.c - kahu replay --since: the journal of a store replayed
 *
 * Without another policy, passes run at the times at which the journal records them, and the jobs must start
 * as recorded; differences are listed with their causes. To compare policies, passes run whenever one is due,
 * under the recorded policy too, so that all columns are computed in the same way.
 */
#include "replay_since.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "replay_output.h"
#include "replay_setup.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/host/files.h"
#include "sched/host/rerun.h"
#include "sched/rm/wallclock.h"
#include "store/store.h"
#include "tui/draw/text.h"
#include "tui/report/cmd_env.h"
#include "tui/report/field.h"
#include "tui/report/history_source.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"

/* A period of the journal. The caller sets env, and zeroes all other members, before it calls period_open. */
struct recorded_period {
	struct cmd_env *env; /* has the options; receives err */
	struct store *store;
	struct state *from; /* the state before the period */
	struct rerun_record record;
};

/* One configuration of --compare, and its replay. */
struct since_other {
	struct replay_config config;
	struct rerun *rerun;
	struct rerun_parties parties; /* comparison with the base */
};

struct since_result {
	const struct cmd_env *env;
	const char *name; /* name of the configuration; NULL = the recorded one */
	bool has_set;     /* --set was applied to every configuration */
	const struct rerun *rerun;
	const struct rerun_record *record;       /* the record that rerun replays */
	const struct rerun_agreement *agreement; /* NULL: rerun uses another policy than the record */
	bool watched; /* rerun is what a watched manager did; the first of `other` is the policy */
	/* the replay with which each `other` is compared; NULL without --compare; may be equal to rerun */
	const struct rerun *base;
	const struct since_other *other;
	size_t others;
	struct replay_cost cost;
};

/* --- the period --------------------------------------------------------------------------------------- */

/*
 * Entries are ordered by time, so a binary search finds the first entry of a period. An age given with
 * --since counts back from the last entry of the journal and not from now, so that it works for simulated
 * clusters and old stores.
 */

#define PATH_ROOM 4096

static enum cmd_status look_at_journal(struct recorded_period *period, struct journal_span *j)
{
	if (!journal_span_find(period->store, j, &period->env->err))
		return CMD_FAILED;
	if (j->last == 0) {
		err_set(&period->env->err, "the store %s has no journal yet; nothing to replay",
			store_dir(period->store));
		return CMD_REFUSED;
	}
	return CMD_DONE;
}

static enum cmd_status read_moments(struct recorded_period *period, const struct journal_span *j,
				    int64_t *from_s, int64_t *until_s)
{
	struct err *err = &period->env->err;
	const char *since = cmd_option(period->env, "--since"), *until = cmd_option(period->env, "--until");
	char first[MOMENT_TEXT], last[MOMENT_TEXT];

	*until_s = j->last_s;
	if (!wallclock_since(since, j->last_s, from_s, err)) {
		err_prefix(err, "--since");
		return CMD_USAGE;
	}
	if (until != NULL && !wallclock_parse(until, *from_s, until_s, err)) {
		err_prefix(err, "--until");
		return CMD_USAGE;
	}
	wallclock_iso(first, j->first_s);
	wallclock_iso(last, j->last_s);
	if (*from_s > j->last_s)
		err_set(err, "--since %s: the journal of %s ends at %s; nothing happened later", since,
			store_dir(period->store), last);
	else if (*until_s < *from_s)
		err_set(err, "--until %s is before --since %s; write the earlier one first", until, since);
	else if (*from_s < j->first_s && j->first > 1)
		err_set(err, "--since %s is before the journal of %s begins (%s)", since,
			store_dir(period->store), first);
	else
		return CMD_DONE;
	return CMD_REFUSED;
}

static bool open_state(struct recorded_period *period, uint64_t before)
{
	char moment[MOMENT_TEXT];

	period->from = store_state_after(period->store, before, &period->env->err);
	return period->from != NULL || err_prefix(&period->env->err, "cannot reconstruct the state before %s",
						  wallclock_iso(moment, period->record.from_s));
}

static bool take_entry(void *self, const struct event *ev)
{
	return rerun_record_take(self, ev);
}

/*
 * Refuses a period in which the clock was set, and names the periods before and after it. A time that
 * occurred twice means the second occurrence, so neither of these periods begins or ends at such a time.
 */
static enum cmd_status refuse_clock(struct recorded_period *period, const struct journal_span *j)
{
	const struct rerun_record *record = &period->record;
	int64_t old_s = record->clock_old_s, new_s = record->clock_new_s, after_s = record->clock_last_s + 1;
	int64_t before_s = (old_s < new_s ? old_s : new_s) - 1;
	char before[MOMENT_TEXT], after[MOMENT_TEXT];
	bool can_end = before_s >= record->from_s, can_begin = after_s > j->first_s && after_s <= j->last_s;
	struct str advice = {0};

	if (can_end)
		str_addf(&advice, "use --until %s", wallclock_iso(before, before_s));
	if (can_begin)
		str_addf(&advice, "%s --since %s", can_end ? " or" : "use", wallclock_iso(after, after_s));
	err_set(&period->env->err,
		"the system clock was set in entry %llu of the journal; a period that contains such an entry "
		"cannot be replayed; %s",
		(unsigned long long)record->clock,
		can_end || can_begin ? str_text(&advice) : "replay a later period once it is on record");
	str_free(&advice);
	return CMD_REFUSED;
}

static enum cmd_status read_record(struct recorded_period *period, const struct journal_span *j,
				   int64_t from_s, int64_t until_s)
{
	uint64_t before;

	period->record.from_s = from_s;
	if (!journal_span_before(period->store, j, from_s, &before, &period->env->err))
		return CMD_FAILED;
	if (!open_state(period, before))
		return CMD_REFUSED;
	rerun_record_begin(&period->record, state_view(period->from),
			   from_s > j->first_s ? from_s : j->first_s,
			   until_s < j->last_s ? until_s : j->last_s);
	if (!store_journal(period->store, before + 1, false, take_entry, &period->record, &period->env->err))
		return CMD_FAILED;
	rerun_record_finish(&period->record);
	return period->record.clock == 0 ? CMD_DONE : refuse_clock(period, j);
}

/*
 * Opens the store of --store and reads the record from --since to --until, or to the last entry. CMD_REFUSED:
 * the store cannot be read, or the journal has no entries of that period. Call period_close in every case.
 */
static enum cmd_status period_open(struct recorded_period *period)
{
	char dir[PATH_ROOM];
	struct journal_span journal;
	int64_t from_s, until_s;
	enum cmd_status status;

	if (!session_store_dir(period->env->shell->store, dir, sizeof dir, &period->env->err))
		return CMD_REFUSED;
	period->store = store_open(dir, STORE_READ, &period->env->err);
	if (period->store == NULL)
		return CMD_REFUSED;
	status = look_at_journal(period, &journal);
	if (status == CMD_DONE)
		status = read_moments(period, &journal, &from_s, &until_s);
	return status == CMD_DONE ? read_record(period, &journal, from_s, until_s) : status;
}

static void period_close(struct recorded_period *period)
{
	rerun_record_clear(&period->record);
	state_free(period->from);
	if (period->store != NULL)
		store_close(period->store);
}

#define SHOWN_EVERY 1024 /* number of entries between two updates of the progress bar */

struct walk {
	struct rerun *rerun;
	struct progress bar;
	uint64_t seen;
};

static bool run_entry(void *self, const struct event *ev)
{
	struct walk *w = self;

	if (++w->seen % SHOWN_EVERY == 0)
		progress_show(&w->bar, w->seen);
	return rerun_take(w->rerun, ev);
}

/*
 * Replays the period. Returns NULL with env->err and *status set on failure. Release the result with
 * rerun_free.
 */
static struct rerun *period_rerun(struct recorded_period *period, const struct rerun_setup *setup,
				  enum cmd_status *status)
{
	struct walk w = {.rerun = rerun_new(setup, &period->env->err)};
	bool read;

	*status = CMD_REFUSED;
	if (w.rerun == NULL)
		return NULL;
	progress_begin(&w.bar, "entries", period->record.entries);
	read = store_journal(period->store, period->record.first_seq + 1, false, run_entry, &w,
			     &period->env->err);
	progress_end(&w.bar);
	*status = read ? CMD_DONE : CMD_FAILED;
	if (read) {
		rerun_finish(w.rerun);
		return w.rerun;
	}
	rerun_free(w.rerun);
	return NULL;
}

/* --- results as text ---------------------------------------------------------------------------------- */

#define SHOWN 20 /* maximum number of differences, and of refusals, listed in text */

#define PASSES_ON_RECORD "passes recorded"
#define PASSES_WHEN_DUE  "passes run"
#define PASSES_OF_SLURM  "starts by Slurm"

static const struct rerun_job *recorded(const struct rerun *rerun, size_t job)
{
	return &rerun_of(rerun)->job[job];
}

static void add_cause(const struct rerun *rerun, size_t job, struct str *out)
{
	const struct rerun_refusal *refusal = rerun_cause(rerun, job);
	char when[MOMENT_TEXT];

	if (refusal == NULL)
		str_add(out, "unknown; perhaps recorded by another version");
	else
		str_addf(out, "%s%s at %s could not be replayed: %s",
			 refusal->job == recorded(rerun, job)->id ? "" : "caused by another job: ",
			 refusal->what, wallclock_iso(when, refusal->time_s), refusal->why);
}

/*
 * Prints the size of the record, and how many run times are assumptions: those of jobs that had not ended or
 * were cancelled.
 */
static void print_assumptions(const struct rerun_record *record, struct str *out)
{
	char from[MOMENT_TEXT], until[MOMENT_TEXT];

	str_addf(out, "From %s to %s: %" PRIu64 " entries, %zu jobs.\n", wallclock_iso(from, record->from_s),
		 wallclock_iso(until, record->until_s), record->entries, record->jobs);
	if (record->no_end > 0) {
		report_count(out, record->no_end, "job", "jobs");
		str_add(out,
			" had not ended; if the start changes, the job is assumed to run to its limit.\n");
	}
	if (record->taken_away > 0) {
		report_count(out, record->taken_away, "job was", "jobs were");
		str_add(out, " cancelled while running; if the start changes, the job is assumed to run to "
			     "its limit.\n");
	}
}

/* A job that the replay does not start in the recorded order. */
struct difference_item {
	const char *job, *cause;
	int64_t recorded_s, start_s; /* TIME_NONE: the job does not start */
};

static enum role moment_cell(int64_t at_s, struct str *out)
{
	char when[MOMENT_TEXT];

	str_add(out, at_s == TIME_NONE ? "-" : wallclock_iso(when, at_s));
	return ROLE_TEXT;
}

static enum role recorded_cell(const void *item, struct str *out)
{
	return moment_cell(((const struct difference_item *)item)->recorded_s, out);
}

static enum role replayed_cell(const void *item, struct str *out)
{
	return moment_cell(((const struct difference_item *)item)->start_s, out);
}

static const struct field difference_fields[] = {
	{"job", "JOB", FIELD_TEXT, FIELD_AT(struct difference_item, job), .align = TEXT_RIGHT},
	{"recorded_start", "RECORDED", FIELD_INSTANT, .cell = recorded_cell,
	 FIELD_OR_NULL(struct difference_item, recorded_s, TIME_NONE)},
	{"start", "REPLAYED", FIELD_INSTANT, .cell = replayed_cell,
	 FIELD_OR_NULL(struct difference_item, start_s, TIME_NONE)},
	{"cause", "WHY", FIELD_TEXT, FIELD_AT(struct difference_item, cause)},
	{0}};

static void visit_difference(const struct since_result *f, size_t i, field_visit *visit, void *self)
{
	size_t job = f->agreement->differs[i];
	struct difference_item item = {.recorded_s = recorded(f->rerun, job)->start_s,
				       .start_s = rerun_fates(f->rerun)[job].start_s};
	struct str cause = {0};
	char label[JOB_LABEL_TEXT];

	add_cause(f->rerun, job, &cause);
	item.job = rerun_label(f->rerun, job, label);
	item.cause = str_text(&cause);
	visit(self, &item);
	str_free(&cause);
}

static void print_differences(const struct since_result *f, struct str *out)
{
	static const struct field_column columns[] = {
		{.key = "job"}, {.key = "recorded_start"}, {.key = "start"}, {.key = "cause"}};
	const struct rerun_agreement *a = f->agreement;
	struct field_table t;

	if (a->count == 0)
		return;
	field_table_begin(&t, difference_fields, columns, 4);
	t.report.width = f->env->width;
	for (size_t i = 0; i < a->count && i < SHOWN; i++)
		visit_difference(f, i, field_table_visit, &t);
	field_table_print(&t, 0, f->env->ascii, out);
	field_table_free(&t);
	if (a->count > SHOWN)
		str_addf(out, "and %zu more; --json lists all\n", a->count - SHOWN);
}

static double share(uint32_t part, uint32_t all)
{
	return all > 0 ? (double)part / all : 1;
}

static void print_agreement(const struct since_result *f, struct str *out)
{
	const struct rerun_agreement *a = f->agreement;

	str_addf(out,
		 "Under the same policy %" PRIu32 " of %" PRIu32
		 " jobs start in the recorded order (%.2f %%), %" PRIu32 " of them at the recorded second.\n",
		 a->in_order, a->jobs, 100 * share(a->in_order, a->jobs), a->same_start);
	print_differences(f, out);
}

static void print_refusals(const struct since_result *f, const struct rerun *rerun, struct str *out)
{
	const struct rerun_refusal *refusal;
	uint64_t all;
	size_t kept;
	char when[MOMENT_TEXT];

	refusal = rerun_refusals(rerun, &kept, &all);
	if (all == 0)
		return;
	str_addf(out, "%" PRIu64 " changes by users could not be replayed:\n", all);
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

/* Means over the jobs of a party (struct rerun_party); omitted in JSON if the party has no jobs. */
struct means_item {
	uint32_t jobs;
	double wait_s, slowdown, xfactor;
};

static bool has_jobs(const void *item)
{
	return ((const struct means_item *)item)->jobs > 0;
}

static const struct field means_fields[] = {
	{"mean_wait_s", NULL, FIELD_REAL, FIELD_AT(struct means_item, wait_s), .when = has_jobs},
	{"mean_bounded_slowdown", NULL, FIELD_REAL, FIELD_AT(struct means_item, slowdown), .when = has_jobs},
	{"mean_xfactor", NULL, FIELD_REAL, FIELD_AT(struct means_item, xfactor), .when = has_jobs},
	{0}};

static struct means_item means_of(const struct rerun_sums *sums, uint32_t jobs)
{
	double count = jobs > 0 ? jobs : 1;

	return (struct means_item){jobs, sums->wait_s / count, sums->slowdown / count, sums->xfactor / count};
}

/* A user, group, account, QOS or class under both policies; or all jobs. */
struct party_item {
	const char *type, *name;
	uint32_t jobs, earlier, later;
	struct means_item before, after;
};

static const struct field party_fields[] = {
	{"type", "", FIELD_TEXT, FIELD_AT(struct party_item, type)},
	{"name", "OF", FIELD_TEXT, FIELD_AT(struct party_item, name)},
	{"jobs", "JOBS", FIELD_COUNT, FIELD_AT(struct party_item, jobs)},
	{NULL, "MEANWAIT", FIELD_DURATION, FIELD_AT(struct party_item, before.wait_s)},
	{NULL, "MEANWAIT THEN", FIELD_DURATION, FIELD_AT(struct party_item, after.wait_s)},
	{NULL, "SLOWDOWN", FIELD_REAL, FIELD_AT(struct party_item, before.slowdown)},
	{NULL, "SLOWDOWN THEN", FIELD_REAL, FIELD_AT(struct party_item, after.slowdown)},
	{NULL, "XFACTOR", FIELD_REAL, FIELD_AT(struct party_item, before.xfactor)},
	{NULL, "XFACTOR THEN", FIELD_REAL, FIELD_AT(struct party_item, after.xfactor)},
	{"earlier", "EARLIER", FIELD_COUNT, FIELD_AT(struct party_item, earlier)},
	{"later", "LATER", FIELD_COUNT, FIELD_AT(struct party_item, later)},
	{"before", NULL, FIELD_OBJECT, FIELD_AT(struct party_item, before), .of = means_fields},
	{"after", NULL, FIELD_OBJECT, FIELD_AT(struct party_item, after), .of = means_fields},
	{0}};

/* The object that other_fields describe: one configuration of --compare. */
struct other_item {
	const struct since_result *result;
	const struct rerun *rerun;
	const struct rerun_parties *parties;
	struct replay_compared compared;
};

static void each_party(const void *item, field_visit *visit, void *self)
{
	const struct other_item *o = item;
	const struct snapshot *s = rerun_view(o->result->base);

	for (size_t i = 0; i < o->parties->count; i++) {
		const struct rerun_party *p = &o->parties->item[i];
		bool all = p->type == CRED_TYPE_COUNT;

		visit(self,
		      &(struct party_item){all ? "all" : cred_type_name(p->type),
					   all ? "" : snapshot_string(s, snapshot_creds(s)[p->cred].name),
					   p->jobs, p->earlier, p->later, means_of(&p->before, p->jobs),
					   means_of(&p->after, p->jobs)});
	}
}

static void print_parties(const struct other_item *o, struct str *out)
{
	static const struct field_column columns[] = {{.key = "type"},
						      {.key = "name"},
						      {.key = "jobs"},
						      {.key = "MEANWAIT"},
						      {.key = "MEANWAIT THEN", .title = "THEN"},
						      {.key = "SLOWDOWN"},
						      {.key = "SLOWDOWN THEN", .title = "THEN"},
						      {.key = "XFACTOR"},
						      {.key = "XFACTOR THEN", .title = "THEN"},
						      {.key = "earlier"},
						      {.key = "later"}};
	struct field_table t;

	field_table_begin(&t, party_fields, columns, 11);
	t.report.width = o->result->env->width;
	each_party(o, field_table_visit, &t);
	field_table_print(&t, 0, o->result->env->ascii, out);
	field_table_free(&t);
}

/* Prints how many jobs are not part of the means. */
static void print_unpaired(const struct rerun_parties *p, struct str *out)
{
	if (p->only_before > 0 || p->only_after > 0 || p->neither > 0)
		str_addf(out,
			 "Means cover the jobs that start under both policies; %" PRIu32
			 " start only under the first, %" PRIu32 " only under the other, %" PRIu32
			 " under neither.\n",
			 p->only_before, p->only_after, p->neither);
}

static void print_incomparable(const struct replay_compared *c, const struct rerun_parties *p,
			       struct str *out)
{
	str_addf(out,
		 "No job starts under both \"%s\" and \"%s\"; nothing to compare. %" PRIu32
		 " start only under the first, %" PRIu32 " only under the other, %" PRIu32
		 " under neither.\n",
		 c->name, c->other_name, p->only_before, p->only_after, p->neither);
}

/* Appends the title of a configuration's column. */
static void add_name(const struct since_result *f, const char *config, struct str *out)
{
	str_add(out, config != NULL ? config : f->has_set ? "" : "as recorded");
	if (f->has_set)
		str_add(out, config != NULL ? " with --set" : "with --set");
}

static struct replay_compared compared(const struct since_result *f, const struct since_other *other)
{
	struct replay_compared c = {.other_name = other->config.file, .passes = PASSES_WHEN_DUE};

	rerun_summarise(f->base, &c.sum);
	rerun_summarise(other->rerun, &c.other);
	c.difference = replay_difference(&c.sum, &c.other);
	return c;
}

static void print_other(const struct since_result *f, const struct since_other *other, struct str *out)
{
	struct replay_compared c = compared(f, other);
	bool any = other->parties.item[0].jobs > 0;
	struct str name = {0}, other_name = {0};

	if (f->watched)
		str_add(&name, "Slurm");
	else
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
		print_parties(&(struct other_item){f, other->rerun, &other->parties, c}, out);
		print_unpaired(&other->parties, out);
	}
	str_free(&name);
	str_free(&other_name);
}

static void since_print_text(const struct since_result *f, struct str *out)
{
	struct replay_summary sum;

	print_assumptions(rerun_of(f->rerun), out);
	if (f->agreement != NULL)
		print_agreement(f, out);
	print_refusals(f, f->rerun, out);
	str_add_char(out, '\n');
	rerun_summarise(f->rerun, &sum);
	replay_print_summary(&sum, &f->cost,
			     f->watched             ? PASSES_OF_SLURM
			     : f->agreement != NULL ? PASSES_ON_RECORD
						    : PASSES_WHEN_DUE,
			     out);
	for (size_t i = 0; i < f->others; i++)
		print_other(f, &f->other[i], out);
}

/* --- results as JSON ---------------------------------------------------------------------------------- */

static void each_difference(const void *item, field_visit *visit, void *self)
{
	const struct since_result *f = item;

	for (size_t i = 0; i < f->agreement->count; i++)
		visit_difference(f, i, visit, self);
}

static bool get_share(const void *item, struct value *out)
{
	const struct rerun_agreement *a = item;

	out->real = share(a->in_order, a->jobs);
	return true;
}

static const struct field agreement_fields[] = {
	{"jobs", NULL, FIELD_COUNT, FIELD_AT(struct rerun_agreement, jobs)},
	{"in_order", NULL, FIELD_COUNT, FIELD_AT(struct rerun_agreement, in_order)},
	{"share", NULL, FIELD_REAL, .get = get_share},
	{"same_start", NULL, FIELD_COUNT, FIELD_AT(struct rerun_agreement, same_start)},
	{0}};

static const struct field same_fields[] = {
	{.type = FIELD_MEMBERS, FIELD_TO(struct since_result, agreement), .of = agreement_fields},
	{"differences", NULL, FIELD_LIST, .of = difference_fields, .each = each_difference},
	{0}};

static const struct field refusal_fields[] = {
	{"time", NULL, FIELD_INSTANT, FIELD_AT(struct rerun_refusal, time_s)},
	{"what", NULL, FIELD_TEXT, FIELD_AT(struct rerun_refusal, what)},
	{"why", NULL, FIELD_TEXT, FIELD_AT(struct rerun_refusal, why)},
	{0}};

/* The items of refusals_fields are struct rerun. */
static bool get_refused(const void *item, struct value *out)
{
	uint64_t all;
	size_t kept;

	rerun_refusals(item, &kept, &all);
	out->whole = (int64_t)all;
	return true;
}

static void each_refusal(const void *item, field_visit *visit, void *self)
{
	const struct rerun_refusal *refusal;
	uint64_t all;
	size_t kept;

	refusal = rerun_refusals(item, &kept, &all);
	for (size_t i = 0; i < kept; i++)
		visit(self, &refusal[i]);
}

static const struct field refusals_fields[] = {
	{"refused", NULL, FIELD_COUNT, .get = get_refused},
	{"refusals", NULL, FIELD_LIST, .of = refusal_fields, .each = each_refusal},
	{0}};

static const struct field parties_fields[] = {
	{"only_before", NULL, FIELD_COUNT, FIELD_AT(struct rerun_parties, only_before)},
	{"only_after", NULL, FIELD_COUNT, FIELD_AT(struct rerun_parties, only_after)},
	{"neither", NULL, FIELD_COUNT, FIELD_AT(struct rerun_parties, neither)},
	{0}};

static const struct field other_fields[] = {
	{.type = FIELD_MEMBERS, FIELD_AT(struct other_item, compared), .of = replay_compared_fields},
	{"base", NULL, FIELD_OBJECT, FIELD_AT(struct other_item, compared.sum), .of = replay_summary_fields},
	{.type = FIELD_MEMBERS, FIELD_TO(struct other_item, rerun), .of = refusals_fields},
	{.type = FIELD_MEMBERS, FIELD_TO(struct other_item, parties), .of = parties_fields},
	{"groups", NULL, FIELD_LIST, .of = party_fields, .each = each_party},
	{0}};

static void each_other(const void *item, field_visit *visit, void *self)
{
	const struct since_result *f = item;

	for (size_t i = 0; i < f->others; i++)
		visit(self, &(struct other_item){f, f->other[i].rerun, &f->other[i].parties,
						 compared(f, &f->other[i])});
}

static const struct field record_fields[] = {
	{"since", NULL, FIELD_INSTANT, FIELD_AT(struct rerun_record, from_s)},
	{"until", NULL, FIELD_INSTANT, FIELD_AT(struct rerun_record, until_s)},
	{"entries", NULL, FIELD_COUNT, FIELD_AT(struct rerun_record, entries)},
	{"not_ended", NULL, FIELD_COUNT, FIELD_AT(struct rerun_record, no_end)},
	{"taken_away", NULL, FIELD_COUNT, FIELD_AT(struct rerun_record, taken_away)},
	{0}};

static bool has_agreement(const void *item)
{
	return ((const struct since_result *)item)->agreement != NULL;
}

static bool has_others(const void *item)
{
	return ((const struct since_result *)item)->others > 0;
}

static const struct field since_fields[] = {
	{.type = FIELD_MEMBERS, FIELD_TO(struct since_result, record), .of = record_fields},
	{"same", NULL, FIELD_OBJECT, .held = HELD_ITEM, .of = same_fields, .when = has_agreement},
	{.type = FIELD_MEMBERS, FIELD_TO(struct since_result, rerun), .of = refusals_fields},
	{"compare", NULL, FIELD_LIST, .of = other_fields, .each = each_other, .when = has_others},
	{0}};

struct since_document {
	struct replay_printed printed;
	const struct since_result *found;
};

static const struct field document_fields[] = {
	{.type = FIELD_MEMBERS, FIELD_AT(struct since_document, printed), .of = replay_printed_fields},
	{.type = FIELD_MEMBERS, FIELD_TO(struct since_document, found), .of = since_fields},
	{0}};

static void since_print_json(const struct since_result *f, struct str *out)
{
	struct replay_summary sum;

	rerun_summarise(f->rerun, &sum);
	fields_document(out, document_fields, 0, &(struct since_document){replay_printed(&sum, &f->cost), f});
}

/* --- the file of --starts ----------------------------------------------------------------------------- */

static void add_moment(struct str *out, int64_t at_s)
{
	str_add_char(out, ',');
	if (at_s != TIME_NONE)
		str_addf(out, "%" PRId64, at_s);
}

/*
 * Appends CSV lines as replay_print_starts does. Job labels need no quotes: they contain neither commas nor
 * quotes.
 */
static void since_print_starts(const struct rerun *rerun, struct str *out)
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

/* --- the replay --------------------------------------------------------------------------------------- */

struct since {
	struct cmd_env *env;
	double begun_s;
	struct recorded_period period;
	struct replay_request request; /* only its configuration and settings are used */
	struct outfile starts;
	struct rerun *rerun, *base; /* base: the first column of the comparisons; may be equal to rerun */
	struct since_other *other;  /* one for each --compare */
	size_t others;
	struct rerun_agreement agreement;
	bool watched; /* a watched manager has made the recorded starts */
};

static enum cmd_status refuse_options(struct cmd_env *env)
{
	static const char *const of_a_log[] = {"--cluster", "--jobs",      "--poll",   "--fairshare",
					       "--do",      "--placement", "--report", "--strict",
					       "--console", "--speed",     NULL};

	for (size_t i = 0; of_a_log[i] != NULL; i++)
		if (cmd_option(env, of_a_log[i]) != NULL) {
			err_set(&env->err, "%s needs a workload log and cannot be combined with --since",
				of_a_log[i]);
			return CMD_USAGE;
		}
	return CMD_DONE;
}

static bool read_others(struct since *s)
{
	const char *name;

	while (cmd_option_at(s->env, "--compare", s->others) != NULL)
		s->others++;
	s->other = mem_zero(s->others + 2, sizeof *s->other); /* one more for run_watched */
	for (size_t i = 0; (name = cmd_option_at(s->env, "--compare", i)) != NULL; i++)
		if (!replay_read_policy(name, &s->other[i].config, &s->env->err))
			return false;
	return true;
}

static enum cmd_status read_options(struct since *s)
{
	const char *starts = cmd_option(s->env, "--starts");
	enum cmd_status status = refuse_options(s->env);

	if (status == CMD_DONE)
		status = replay_request_read_policy(&s->request);
	if (status == CMD_DONE && !read_others(s))
		status = CMD_REFUSED;
	if (status == CMD_DONE)
		status = period_open(&s->period);
	if (status == CMD_DONE && starts != NULL && !outfile_open(&s->starts, starts, &s->env->err))
		status = CMD_REFUSED;
	return status;
}

static bool is_other_policy(const struct since *s)
{
	return s->request.config.file != NULL || s->request.setup.set_count > 0;
}

static struct rerun_setup setup_of(const struct since *s, enum rerun_pace pace)
{
	const struct replay_request *w = &s->request;

	return (struct rerun_setup){
		.record = &s->period.record,
		.from = state_view(s->period.from),
		.pace = pace,
		.config_file = w->config.file,
		.config_text = w->config.file != NULL ? str_text(&w->config.text) : NULL,
		.set_name = w->set_name,
		.set_value = w->set_value,
		.set_count = w->setup.set_count,
		.clock = wallclock,
	};
}

#define POLICY_OF_RECORD "Kahu" /* name of the recorded policy beside a watched manager */

/*
 * The starts of a watched manager are facts, and not what this scheduler decided: they are the base, and the
 * policy of --config and --set, or else the recorded one, is compared with them like those of --compare.
 */
static enum cmd_status run_watched(struct since *s)
{
	struct rerun_setup facts = setup_of(s, RERUN_FACTS), setup = setup_of(s, RERUN_WHEN_DUE);
	struct since_other *own = &s->other[0];
	enum cmd_status status;

	memmove(&s->other[1], &s->other[0], s->others++ * sizeof *s->other);
	*own = (struct since_other){.rerun = NULL};
	facts.config_file = facts.config_text = NULL;
	facts.set_count = 0;
	s->base = s->rerun = period_rerun(&s->period, &facts, &status);
	if (s->rerun == NULL)
		return status;
	own->config.file = s->request.config.file != NULL ? s->request.config.file : POLICY_OF_RECORD;
	own->rerun = period_rerun(&s->period, &setup, &status);
	if (own->rerun != NULL)
		rerun_compare(&own->parties, s->base, own->rerun);
	return status;
}

/* Replays the period under another configuration, with the same --set, and compares it with the base. */
static enum cmd_status run_other(struct since *s, struct since_other *other)
{
	struct rerun_setup setup = setup_of(s, RERUN_WHEN_DUE);
	enum cmd_status status;

	setup.config_file = other->config.file;
	setup.config_text = str_text(&other->config.text);
	other->rerun = period_rerun(&s->period, &setup, &status);
	if (other->rerun == NULL)
		return status;
	rerun_compare(&other->parties, s->base, other->rerun);
	return CMD_DONE;
}

static enum cmd_status run_all(struct since *s)
{
	enum rerun_pace pace = is_other_policy(s) ? RERUN_WHEN_DUE : RERUN_AS_RECORDED;
	struct rerun_setup setup = setup_of(s, pace), when_due = setup_of(s, RERUN_WHEN_DUE);
	enum cmd_status status;

	s->watched = s->period.record.reported > 0;
	if (s->watched) {
		status = run_watched(s);
		for (size_t i = 1; status == CMD_DONE && i < s->others; i++)
			status = run_other(s, &s->other[i]);
		return status;
	}
	s->rerun = period_rerun(&s->period, &setup, &status);
	if (s->rerun != NULL)
		rerun_agree(s->rerun, &s->agreement);
	if (status == CMD_DONE && s->others > 0)
		s->base = is_other_policy(s) ? s->rerun : period_rerun(&s->period, &when_due, &status);
	for (size_t i = 0; status == CMD_DONE && i < s->others; i++)
		status = run_other(s, &s->other[i]);
	return status;
}

static bool write_starts(struct since *s)
{
	struct str text = {0};
	bool ok = true;

	if (s->starts.open) {
		since_print_starts(s->watched ? s->other[0].rerun : s->rerun, &text);
		ok = outfile_write(&s->starts, &text, &s->env->err);
	}
	str_free(&text);
	return ok;
}

static enum cmd_status write_results(struct since *s)
{
	struct rusage use = {0};
	struct since_result found = {.env = s->env,
				     .name = s->request.config.file,
				     .has_set = s->request.setup.set_count > 0,
				     .rerun = s->rerun,
				     .record = rerun_of(s->rerun),
				     .base = s->base,
				     .other = s->other,
				     .others = s->others};

	getrusage(RUSAGE_SELF, &use);
	found.watched = s->watched;
	found.agreement = s->watched || is_other_policy(s) ? NULL : &s->agreement;
	found.cost = (struct replay_cost){.elapsed_s = progress_clock() - s->begun_s,
					  .peak_rss_kb = use.ru_maxrss};
	if (s->env->json)
		since_print_json(&found, s->env->out);
	else
		since_print_text(&found, s->env->out);
	return write_starts(s) ? CMD_DONE : CMD_REFUSED;
}

static void clear(struct since *s)
{
	for (size_t i = 0; i < s->others; i++) {
		str_free(&s->other[i].config.text);
		rerun_free(s->other[i].rerun);
		free(s->other[i].parties.item);
	}
	free(s->other);
	free(s->agreement.differs);
	if (s->base != s->rerun)
		rerun_free(s->base);
	rerun_free(s->rerun);
	outfile_drop(&s->starts);
	period_close(&s->period);
	replay_request_clear(&s->request);
}

enum cmd_status replay_since(struct cmd_env *env)
{
	struct since s = {
		.env = env, .begun_s = progress_clock(), .period = {.env = env}, .request = {.env = env}};
	enum cmd_status status = read_options(&s);

	if (status == CMD_DONE)
		status = run_all(&s);
	if (status == CMD_DONE)
		status = write_results(&s);
	clear(&s);
	return status;
}
