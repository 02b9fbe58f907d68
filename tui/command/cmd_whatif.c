/* SPDX-License-Identifier: MIT */
/*
 * cmd_whatif.c - kahu whatif: projected starts under a draft of changes
 *
 * The changes are events of verbs. They are applied to a copy of the state, and the projected starts of both
 * states are compared. The state itself is not changed.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "complete.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/forecast/ablate.h"
#include "sched/forecast/future.h"
#include "sched/forecast/solve.h"
#include "sched/forecast/whatif.h"
#include "sched/rm/wallclock.h"
#include "sched/state/draft.h"
#include "tui/query/draft_query.h"
#include "tui/report/select.h"
#include "tui/report/statistics.h"
#include "tui/report/whatif_report.h"

struct whatif_request {
	struct cmd_env *env;
	struct cmd_changes changes; /* the draft; may be empty                  */
	bool full;                  /* use the full projection; else the instant plan */
	enum assume_kind assume;
	struct accuracy accuracy;
	struct whatif_report report;
};

static struct future_setup make_setup(const struct whatif_request *q)
{
	return (struct future_setup){
		.now_s = q->env->now_s, .full = q->full, .assume = q->assume, .accuracy = &q->accuracy};
}

/*
 * Sets *slot to the job of --job; INDEX_NONE without the option. Returns false with err set if there is no
 * such job, or it is not idle.
 */
static bool find_job(const struct whatif_request *q, uint32_t *slot)
{
	const char *word = cmd_option(q->env, "--job");

	*slot = INDEX_NONE;
	if (!word)
		return true;
	*slot = select_job(q->env->s, word, &q->env->err);
	if (*slot == INDEX_NONE)
		return false;
	return snapshot_jobs(q->env->s)[*slot].state == JOB_IDLE ||
	       err_set(&q->env->err, "job %s is no longer idle", word);
}

/* --- --ablate: the effect of each edit ---------------------------------------------------------------- */

static enum cmd_status run_ablate(struct whatif_request *q)
{
	struct ablate found = {.edit = NULL};
	struct future live = {.start_s = NULL};
	struct future_setup setup = make_setup(q);
	struct ablation_report report = {.common = q->report, .found = &found};
	bool good;

	future_build(&live, q->env->s, &setup);
	good = ablate_find(&found, q->env->s, &live.side, q->changes.event, q->changes.count, &setup,
			   &q->env->err);
	if (good && q->env->json)
		ablation_report_json(&report, q->env->out);
	else if (good)
		ablation_report_text(&report, q->env->out);
	ablate_clear(&found);
	future_clear(&live);
	return good ? CMD_DONE : CMD_REFUSED;
}

/* --- --sweep: one setting over several values --------------------------------------------------------- */

struct sweep_run {
	struct whatif_request *q;
	struct arena arena;
	struct sweep_spec asked;
	uint32_t slot; /* the watched job; INDEX_NONE = none */
	struct sweep found;
};

/*
 * Evaluates all values of the sweep. Returns false if every value is refused; err is then the error of the
 * first value.
 */
static bool find_sweep(struct sweep_run *w)
{
	const struct whatif_request *q = w->q;
	struct sweep_setup setup = {.ev = q->changes.event,
				    .count = q->changes.count,
				    .name = w->asked.name,
				    .value = w->asked.value,
				    .values = w->asked.values,
				    .watch = w->slot == INDEX_NONE ? 0 : snapshot_jobs(q->env->s)[w->slot].id,
				    .ahead = make_setup(q)};
	bool any = false;

	sweep_find(&w->found, q->env->s, &setup);
	for (size_t i = 0; i < w->found.points; i++)
		any = any || !w->found.point[i].refused;
	return any || err_set(&q->env->err, "%s", w->found.point[0].err.text);
}

static enum cmd_status run_sweep(struct whatif_request *q, const char *words)
{
	struct sweep_run w = {.q = q};
	struct sweep_report report;
	enum cmd_status status = CMD_USAGE;

	if (!sweep_spec_read(&w.asked, q->env->s, words, &w.arena, &q->env->err))
		err_prefix(&q->env->err, "--sweep");
	else
		status = find_job(q, &w.slot) && find_sweep(&w) ? CMD_DONE : CMD_REFUSED;
	report = (struct sweep_report){q->report, w.asked.name, w.slot, &w.found};
	if (status == CMD_DONE && q->env->json)
		sweep_report_json(&report, q->env->out);
	else if (status == CMD_DONE)
		sweep_report_text(&report, q->env->out);
	sweep_clear(&w.found);
	arena_free(&w.arena);
	return status;
}

/* --- --solve: the nearest value that starts a job in time --------------------------------------------- */

struct solution {
	struct whatif_request *q;
	struct arena arena;
	struct knob knob;
	double lo, hi;
	uint32_t slot;
	int64_t by_s;
	struct solve found;
};

static bool read_range(struct solution *v)
{
	const char *given = cmd_option(v->q->env, "--range");
	struct err *err = &v->q->env->err;
	char *words, *dots;

	knob_range(&v->knob, &v->lo, &v->hi);
	if (!given)
		return true;
	words = arena_copy(&v->arena, given, strlen(given) + 1);
	dots = strstr(words, "..");
	if (!dots)
		return err_set(err, "--range %s: write LO..HI", given);
	*dots = '\0';
	if (!knob_read_ends(&v->knob, words, dots + 2, &v->lo, &v->hi, err))
		return err_prefix(err, "--range");
	v->lo = knob_ceil(&v->knob, v->lo);
	v->hi = knob_floor(&v->knob, v->hi);
	return true;
}

static bool read_by(struct solution *v)
{
	const char *by = cmd_option(v->q->env, "--by");

	v->by_s = v->q->env->now_s;
	return !by || wallclock_parse(by, v->q->env->now_s, &v->by_s, &v->q->env->err);
}

static bool has_job(const struct whatif_request *q)
{
	return cmd_option(q->env, "--job") ||
	       err_set(&q->env->err, "--solve needs a job; name it with --job");
}

static enum cmd_status print_answer(const struct solution *v)
{
	struct cmd_env *env = v->q->env;
	struct solution_report report = {v->q->report, &v->knob, v->lo, v->hi, v->slot, v->by_s, &v->found};
	struct str refusal = {0};

	if (env->json)
		solution_report_json(&report, env->out);
	else if (v->found.outcome != SOLVE_NONE)
		solution_report_text(&report, env->out);
	if (v->found.outcome != SOLVE_NONE)
		return CMD_DONE;
	solution_report_refusal(&report, &refusal);
	err_set(&env->err, "%s", str_text(&refusal));
	str_free(&refusal);
	return CMD_REFUSED;
}

static bool find_solution(struct solution *v)
{
	const struct whatif_request *q = v->q;
	struct solve_setup setup = {.ev = q->changes.event,
				    .count = q->changes.count,
				    .knob = &v->knob,
				    .lo = v->lo,
				    .hi = v->hi,
				    .job = snapshot_jobs(q->env->s)[v->slot].id,
				    .now_s = q->env->now_s,
				    .by_s = v->by_s,
				    .assume = q->assume,
				    .accuracy = &q->accuracy};

	return solve_find(&v->found, q->env->s, &setup, &q->env->err);
}

/*
 * Finds and prints the value closest to the current one that lets the job start in time. CMD_REFUSED if there
 * is none.
 */
static enum cmd_status run_solve(struct whatif_request *q, const char *name)
{
	struct solution v = {.q = q};
	enum cmd_status status = CMD_USAGE;

	if (has_job(q) && read_by(&v)) {
		status = CMD_REFUSED;
		if (knob_find(&v.knob, q->env->s, name, &v.arena, &q->env->err) && read_range(&v) &&
		    find_job(q, &v.slot) && find_solution(&v))
			status = print_answer(&v);
	}
	solve_clear(&v.found);
	arena_free(&v.arena);
	return status;
}

/* --- the draft ---------------------------------------------------------------------------------------- */

/* The state to which the earlier verbs of the draft have been applied; the next verb runs on it. */
struct stage {
	struct state *st;
	struct stage *before; /* not freed yet, because events of the verb that ran on it may point into it */
};

static void stages_free(struct stage *top)
{
	while (top != NULL) {
		struct stage *before = top->before;

		state_free(top->st);
		free(top);
		top = before;
	}
}

static bool add_stage(struct whatif_request *q, struct stage **top)
{
	const struct snapshot *s = q->env->s;
	struct state *st = draft_make(s, q->changes.event, q->changes.count, NULL, &q->env->err);
	struct stage *new;

	if (st == NULL)
		return false;
	new = mem_zero(1, sizeof *new);
	*new = (struct stage){.st = st, .before = *top};
	*top = new;
	return true;
}

/*
 * Runs a verb and adds its changes to the draft: the command line `line`, or argv if line is NULL. Its output
 * is discarded.
 */
static enum cmd_status run_verb(struct whatif_request *q, const struct snapshot *s, int argc, char **argv,
				const char *line)
{
	struct str out = {0};
	struct cmd_env env = *q->env;
	enum cmd_status status;

	env.s = s;
	env.out = &out;
	env.changes = &q->changes;
	env.given = NULL;
	env.given_count = env.given_room = 0;
	env.dry_run = false;
	status = line != NULL ? cmd_run_line(&env, line) : cmd_run(&env, argc, argv);
	q->env->err = env.err;
	str_free(&out);
	return status;
}

/*
 * Collects the draft from the words NAME=VALUE, then from the lines of --do. Each runs on the state after the
 * previous ones.
 */
static enum cmd_status gather(struct whatif_request *q, int argc, char **argv, struct stage **top)
{
	static char tune[] = "tune";
	size_t words = (size_t)argc - 1, count = words;
	enum cmd_status status = CMD_DONE;

	while (cmd_option_at(q->env, "--do", count - words) != NULL)
		count++;
	for (size_t i = 0; i < count && status == CMD_DONE; i++) {
		char *word = i < words ? argv[i + 1] : NULL;
		const char *line = word != NULL ? NULL : cmd_option_at(q->env, "--do", i - words);

		if (i > 0 && !add_stage(q, top))
			return CMD_REFUSED;
		status = run_verb(q, *top != NULL ? state_view((*top)->st) : q->env->s, 2,
				  (char *[]){tune, word, NULL}, line);
		if (status != CMD_DONE && count > 1)
			err_prefix(&q->env->err, "edit %zu of %zu", i + 1, count);
	}
	if (status == CMD_DONE && q->changes.count == 0 && !cmd_option(q->env, "--sweep") &&
	    !cmd_option(q->env, "--solve")) {
		err_set(&q->env->err, "whatif: no change given; write NAME=VALUE or --do 'hold 12'");
		return CMD_USAGE;
	}
	return status;
}

/* --- the verb ----------------------------------------------------------------------------------------- */

static enum cmd_status show_comparison(struct whatif_request *q)
{
	struct future_setup setup = make_setup(q);
	struct future_pair pair = {.tier = FUTURE_INSTANT};
	struct state *copy = draft_make(q->env->s, q->changes.event, q->changes.count, NULL, &q->env->err);
	bool good = copy != NULL && future_compare(&pair, q->env->s, state_view(copy), &setup);

	q->report.tier = pair.tier;
	if (good && q->env->json)
		whatif_report_json(&q->report, &pair.whatif, q->env->out);
	else if (good)
		whatif_report_text(&q->report, &pair.whatif, q->env->out);
	future_pair_clear(&pair);
	state_free(copy);
	return good ? CMD_DONE : CMD_REFUSED;
}

/*
 * Reads --assume, which cannot be combined with --instant: the instant plan always assumes wallclock limits.
 */
static enum cmd_status read_assumption(struct whatif_request *q)
{
	if (!q->full && cmd_option(q->env, "--assume") != NULL) {
		err_set(&q->env->err,
			"--instant always assumes wallclock limits and cannot be combined with --assume");
		return CMD_USAGE;
	}
	return accuracy_option(q->env, &q->assume, &q->accuracy);
}

/*
 * Describes each edit of the draft in a sentence. The caller frees the array; the sentences are in the arena.
 */
static const char **describe_edits(struct whatif_request *q, struct arena *arena)
{
	const char **edit = mem_zero(q->changes.count + 1, sizeof *edit);
	struct str line = {0};

	for (size_t i = 0; i < q->changes.count; i++) {
		str_clear(&line);
		cmd_describe(q->env->s, &q->changes.event[i], &line);
		edit[i] = arena_string(arena, str_text(&line));
	}
	str_free(&line);
	return edit;
}

static enum cmd_status answer(struct whatif_request *q)
{
	const char *sweep = cmd_option(q->env, "--sweep"), *solve = cmd_option(q->env, "--solve");
	struct arena arena = {0};
	const char **edit = describe_edits(q, &arena);
	enum cmd_status status;

	q->report = (struct whatif_report){.s = q->env->s,
					   .now_s = q->env->now_s,
					   .tier = q->full ? FUTURE_FULL : FUTURE_INSTANT,
					   .assume = q->assume,
					   .width = q->env->width,
					   .ascii = q->env->ascii,
					   .edit = edit,
					   .edits = q->changes.count};
	if (sweep)
		status = run_sweep(q, sweep);
	else if (solve)
		status = run_solve(q, solve);
	else
		status = cmd_option(q->env, "--ablate") ? run_ablate(q) : show_comparison(q);
	free(edit);
	arena_free(&arena);
	return status;
}

/*
 * Refuses options that have no effect in combination with the other options given. Returns false with err set
 * if there are any.
 */
static bool check_options(struct cmd_env *env)
{
	bool sweep = cmd_option(env, "--sweep"), solve = cmd_option(env, "--solve");

	if (sweep + solve + (cmd_option(env, "--ablate") != NULL) > 1)
		return err_set(&env->err,
			       "--sweep, --solve and --ablate are mutually exclusive; give only one");
	if (!solve && (cmd_option(env, "--by") || cmd_option(env, "--range")))
		return err_set(&env->err, "--by and --range need --solve");
	if (!solve && !sweep && cmd_option(env, "--job"))
		return err_set(&env->err, "--job needs --sweep or --solve");
	return !solve || !cmd_option(env, "--instant") ||
	       err_set(&env->err, "--solve uses the full projection and cannot be combined with --instant");
}

static enum cmd_status run_whatif(struct cmd_env *env, int argc, char **argv)
{
	struct whatif_request q = {.env = env, .full = cmd_option(env, "--instant") == NULL};
	struct stage *top = NULL;
	enum cmd_status status = check_options(env) ? read_assumption(&q) : CMD_USAGE;

	if (status == CMD_DONE)
		status = gather(&q, argc, argv, &top);
	if (status == CMD_DONE)
		status = answer(&q);
	cmd_changes_clear(&q.changes);
	stages_free(top);
	accuracy_clear(&q.accuracy);
	return status;
}

const struct cmd cmd_whatif = {
	.name = "whatif",
	.args = "[NAME=VALUE]...",
	.help = "Compare projected starts with and without the given changes, with totals by user, group, "
		"account, QOS and class. Changes nothing.",
	.options =
		(const struct cmd_option[]){
			{"--do", "LINE", "also apply this command, such as 'hold 12'; may be repeated"},
			ASSUME_OPTION,
			{"--ablate", NULL,
			 "show the effect of each edit: applied alone, and left out of the draft"},
			{"--sweep", "NAME=VALUES",
			 "compare several values of one option, on top of the given changes: LO..HI, "
			 "LO..HI/STEPS or A|B|C"},
			{"--solve", "NAME",
			 "find the value closest to the current one that starts --job by --by"},
			{"--job", "JOB", "the job for --sweep or --solve"},
			{"--by", "TIME", "latest start for --solve (default: now)"},
			{"--range", "LO..HI",
			 "values to search with --solve (default: up to ten times the current value)"},
			{"--instant", NULL, "use the instant plan instead of the full projection"},
			{0}},
	.max = -1,
	.authority = CMD_ANYONE,
	.flags = CMD_STORE,
	.run = run_whatif,
	.complete = complete_options,
};
