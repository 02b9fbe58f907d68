/* SPDX-License-Identifier: MIT */
/*
 * cmd_when.c - kahu when: the estimated start of a job, or of a new job of a given size
 *
 * Prints, like Maui's showstart, the start of the job reservation, the estimated start, and how long similar
 * jobs have waited recently. A new job is submitted to a copy of the state.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "complete.h"
#include "sched/base/duration.h"
#include "tui/draw/text.h"
#include "tui/report/ended.h"
#include "tui/report/field.h"
#include "tui/report/hypothetical_job.h"
#include "tui/report/job_text.h"
#include "tui/report/select.h"
#include "tui/report/statistics.h"

/* The assumption about run times, and the accuracy of past limits on which it is based. */
struct basis {
	enum assume_kind assume;
	struct accuracy accuracy;
};

/* The object that answer_fields describe. Times that are unknown or do not apply are TIME_NEVER. */
struct answer {
	struct basis basis;
	const char *label;
	int64_t now_s;
	int64_t procs, wall_s;
	int64_t started_s; /* start of a running job */
	struct future future;
	struct future_start start; /* the estimated start and end */
	int64_t reserved_s;        /* start of the job reservation */
	struct str why;            /* the reason why the job waits, as a sentence; "" = none */
	/* the sentence for a job that starts at the next pass, for which `why` is empty; for JSON */
	struct str next_pass;
	int64_t similar;        /* similar jobs that ended recently */
	int64_t similar_wait_s; /* sum of the waits of these jobs */
};

/* --- waits of similar jobs ---------------------------------------------------------------------------- */

#define LATELY_S (7 * INT64_C(86400))

static bool is_near(int64_t a, int64_t b)
{
	return a <= 2 * b && b <= 2 * a;
}

static void add_similar(void *self, const struct ended_job *ended)
{
	struct answer *a = self;
	const struct job *job = &ended->record.job;

	if (job->start_s == TIME_NONE || !is_near(job_procs(job), a->procs) ||
	    !is_near(job->wall_limit_s, a->wall_s))
		return;
	a->similar++;
	a->similar_wait_s += ended_wait_s(ended);
}

/*
 * Returns the mean wait of recently ended jobs with half to twice as many processors and half to twice the
 * wallclock limit; TIME_NEVER if there are none.
 */
static int64_t mean_wait_s(const struct answer *a)
{
	return a->similar > 0 ? a->similar_wait_s / a->similar : TIME_NEVER;
}

/* --- output ------------------------------------------------------------------------------------------- */

static bool get_tier(const void *item, struct value *out)
{
	out->text = future_tier_name(((const struct answer *)item)->start.tier);
	return true;
}

static bool get_assume(const void *item, struct value *out)
{
	out->text = assume_name(((const struct answer *)item)->basis.assume);
	return true;
}

static bool get_similar_wait(const void *item, struct value *out)
{
	out->whole = mean_wait_s(item);
	return out->whole != TIME_NEVER;
}

static bool get_explanation(const void *item, struct value *out)
{
	const struct answer *a = item;

	out->text = str_text(a->why.len > 0 ? &a->why : &a->next_pass);
	return a->why.len > 0 || a->next_pass.len > 0;
}

static const struct field answer_fields[] = {
	{"job", NULL, FIELD_TEXT, FIELD_AT(struct answer, label)},
	{"now", NULL, FIELD_INSTANT, FIELD_AT(struct answer, now_s)},
	{"procs", NULL, FIELD_COUNT, FIELD_AT(struct answer, procs)},
	{"wclimit_s", NULL, FIELD_DURATION, FIELD_AT(struct answer, wall_s)},
	{"start", "started", FIELD_INSTANT, FIELD_OR_NULL(struct answer, started_s, TIME_NEVER)},
	{"reserved_start", "reserved start", FIELD_INSTANT,
	 FIELD_OR_NULL(struct answer, reserved_s, TIME_NEVER)},
	{"estimated_start", "estimated start", FIELD_INSTANT,
	 FIELD_OR_NULL(struct answer, start.start_s, TIME_NEVER)},
	{"estimated_end", "estimated end", FIELD_INSTANT,
	 FIELD_OR_NULL(struct answer, start.end_s, TIME_NEVER)},
	{"tier", NULL, FIELD_TEXT, .get = get_tier},
	{"assume", NULL, FIELD_TEXT, .get = get_assume},
	{"similar_jobs", NULL, FIELD_COUNT, FIELD_AT(struct answer, similar)},
	{"similar_wait_s", NULL, FIELD_DURATION, .get = get_similar_wait},
	{"explanation", NULL, FIELD_TEXT, .get = get_explanation},
	{0}};

static void print_moment(struct cmd_env *env, const char *what, int64_t at_s)
{
	str_addf(env->out, "%-16s ", what);
	job_text_moment(env->out, at_s, env->now_s);
	str_add_char(env->out, '\n');
}

/* Prints a line with the time of a field, if the job has it. */
static void print_line(struct cmd_env *env, const struct answer *a, const char *key)
{
	const struct field *f = field_find(answer_fields, key);
	struct value v = {.text = NULL};

	if (field_value(f, a, &v))
		print_moment(env, f->title, v.whole);
}

static void say_basis(const struct basis *basis, struct str *out)
{
	static const char *const words[ASSUME_KIND_COUNT] = {
		[ASSUME_WCLIMIT] = "up to their limits",
		[ASSUME_HISTORY] = "as long as recent jobs of the same user, in proportion to their limits",
		[ASSUME_MEDIAN] = "as long as recent jobs of all users, in proportion to their limits",
	};

	str_addf(out, "Assumes that jobs run %s", words[basis->assume]);
	if (basis->assume != ASSUME_WCLIMIT)
		str_addf(out, " (median %.0f %% of the limit, %" PRIu32 " jobs)",
			 100 * accuracy_median(&basis->accuracy.all), basis->accuracy.all.jobs);
	str_add(out, " and that no jobs are submitted.\n");
}

static void print_text(struct cmd_env *env, const struct answer *a)
{
	char limit[DURATION_TEXT];

	if (a->label) {
		str_add(env->out, "job ");
		text_safe(env->out, a->label, env->ascii);
	} else {
		str_add(env->out, "a new job");
	}
	str_addf(env->out, " requests %" PRId64 " processor%s for %s\n", a->procs, a->procs == 1 ? "" : "s",
		 duration_text(limit, a->wall_s));
	print_line(env, a, "start");
	if (a->started_s != TIME_NEVER) {
		print_moment(env, "ends by", a->started_s + a->wall_s);
		return;
	}
	print_line(env, a, "reserved_start");
	if (a->start.start_s == TIME_NEVER) {
		str_add(env->out, "no estimated start: ");
	} else {
		str_addf(env->out, "%-16s ", "estimated start");
		estimated_text(env->out, &a->start, a->reserved_s, env->now_s);
		str_add_char(env->out, '\n');
		print_line(env, a, "estimated_end");
	}
	text_safe(env->out, str_text(&a->why), env->ascii);
	if (a->why.len > 0)
		str_add_char(env->out, '\n');
	if (a->similar > 0)
		str_addf(env->out, "%" PRId64 " recent job%s of similar size waited %s on average\n",
			 a->similar, a->similar == 1 ? "" : "s", duration_text(limit, mean_wait_s(a)));
	if (a->start.placeholder)
		estimated_note(env->out, &a->future, env->now_s);
	else if (a->start.start_s != TIME_NEVER)
		say_basis(&a->basis, env->out);
}

/* Appends a sentence about a new job, which begins with "It" because the job has no label yet. */
static void say_of_it(const struct snapshot *s, const struct job *job, const struct reason *reason,
		      int64_t now_s, struct str *out)
{
	str_add(out, "It ");
	job_text_predicate(s, job, reason, now_s, out);
}

/*
 * Sets the estimated and the reserved start of an idle job in the answer, and the reason why the job waits.
 */
static void ask_ahead(const struct cmd_env *env, const struct snapshot *s, uint32_t slot, struct answer *a)
{
	const struct job *job = &snapshot_jobs(s)[slot];
	struct reason reason;

	a->start = estimated_job(&a->future, env, s, slot, a->basis.assume, &a->basis.accuracy);
	a->reserved_s = job->planned_s;
	reason = explain_future(&a->future, slot).reason;
	if (a->label)
		job_text_sentence(s, job, &reason, env->now_s,
				  reason.gate == GATE_NONE ? &a->next_pass : &a->why);
	else if (reason.gate != GATE_NONE)
		say_of_it(s, job, &reason, env->now_s, &a->why);
}

static void answer_job(const struct cmd_env *env, uint32_t slot, struct answer *a)
{
	const struct job *job = &snapshot_jobs(env->s)[slot];

	a->procs = job_procs(job);
	a->wall_s = job->wall_limit_s;
	if (job->state == JOB_RUNNING)
		a->started_s = job->start_s;
	else
		ask_ahead(env, env->s, slot, a);
}

/* --- a new job ---------------------------------------------------------------------------------------- */

/*
 * Parses a new job such as "8@2:00:00". Sets *is_wish if the word has an '@' and is therefore not the name of
 * a job. Returns false with err set if the number or the duration is invalid.
 */
static bool read_wish(const char *word, struct answer *a, bool *is_wish, struct err *err)
{
	const char *at = strchr(word, '@');
	char procs[24];

	*is_wish = at != NULL;
	if (!at)
		return true;
	snprintf(procs, sizeof procs, "%.*s", (int)(at - word), word);
	if ((size_t)(at - word) >= sizeof procs || !str_read_whole(procs, &a->procs) || a->procs < 1 ||
	    a->procs > UINT32_MAX)
		return err_set(err,
			       "'%s': write PROCS@DURATION, as in 8@2:00:00, with at least one processor",
			       word);
	if (!duration_parse(at + 1, &a->wall_s, err))
		return false;
	return a->wall_s > 0 || err_set(err, "'%s': the duration must be at least one second", word);
}

static bool answer_wish(struct cmd_env *env, struct answer *a)
{
	struct hypothetical_job wish = {.procs = a->procs, .wall_s = a->wall_s};
	bool ok = hypothetical_job_submit(&wish, env);

	if (ok)
		ask_ahead(env, state_view(wish.copy), wish.slot, a);
	hypothetical_job_free(&wish);
	return ok;
}

/*
 * Fills in the answer for an existing job, idle or running. Returns false with env->err set if there is no
 * such job.
 */
static bool answer_word(struct cmd_env *env, const char *word, char label[static JOB_LABEL_TEXT],
			struct answer *a)
{
	uint32_t slot = select_job(env->s, word, &env->err);

	if (slot == INDEX_NONE)
		return false;
	a->label = snapshot_job_label(env->s, &snapshot_jobs(env->s)[slot], label);
	answer_job(env, slot, a);
	return true;
}

static enum cmd_status find_answer(struct cmd_env *env, const char *word, char label[static JOB_LABEL_TEXT],
				   struct answer *a)
{
	enum cmd_status status;
	bool is_wish;

	if (!read_wish(word, a, &is_wish, &env->err))
		return CMD_USAGE;
	status = accuracy_option(env, &a->basis.assume, &a->basis.accuracy);
	if (status != CMD_DONE)
		return status;
	if (is_wish ? !answer_wish(env, a) : !answer_word(env, word, label, a))
		return CMD_REFUSED;
	return ended_sample(env, env->now_s - LATELY_S, add_similar, a) ? CMD_DONE : CMD_FAILED;
}

static enum cmd_status run_when(struct cmd_env *env, int argc, char **argv)
{
	struct answer a = {.started_s = TIME_NEVER,
			   .start = {.start_s = TIME_NEVER, .end_s = TIME_NEVER, .tier = FUTURE_FULL},
			   .reserved_s = TIME_NEVER};
	char label[JOB_LABEL_TEXT];
	enum cmd_status status = find_answer(env, argv[1], label, &a);

	(void)argc;
	a.now_s = env->now_s;
	if (status == CMD_DONE && env->json)
		fields_document(env->out, answer_fields, 0, &a);
	else if (status == CMD_DONE)
		print_text(env, &a);
	str_free(&a.why);
	str_free(&a.next_pass);
	future_clear(&a.future);
	accuracy_clear(&a.basis.accuracy);
	return status;
}

const struct cmd cmd_when = {
	.name = "when",
	.alias = "showstart",
	.args = "JOB|PROCS@DURATION",
	.help = "Show the estimated start of a job, or of a new job of the given size once it is submitted. "
		"~ marks a rough estimate from the instant plan, which assumes that the order of the queue "
		"does not change; it is shown where the projection took too long.",
	.options = (const struct cmd_option[]){HYPOTHETICAL_JOB_OPTIONS, ASSUME_OPTION, {0}},
	.min = 1,
	.max = 1,
	.flags = CMD_STORE | CMD_PAST,
	.run = run_when,
	.complete = complete_jobs,
};
