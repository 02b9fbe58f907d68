/* SPDX-License-Identifier: MIT */
/*
 * crosses.c - at which values of the weights and caps do two jobs change places?
 *
 * Told are the weights that count today, and whatever else would change the order of the pair.
 */
#include "crosses.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "sched/base/json.h"
#include "sched/pass/crossing.h"
#include "tui/report/select.h"

struct crosses {
	struct cmd_env *env;
	struct crossing_pair pair;
	struct crossing_nearest nearest;
	bool ahead; /* the first job is before the second one today */
};

/* Calls `tell` for each weight and cap worth telling. */
typedef void tell_crossing(const struct crosses *x, struct config_weight weight, const struct crossing *found,
			   void *to);

static void each_crossing(const struct crosses *x, tell_crossing *tell, void *to)
{
	static const struct {
		enum config_weight_kind kind;
		unsigned count;
	} part[] = {{COMPONENT_WEIGHT, PRIO_COMPONENT_COUNT},
		    {FACTOR_WEIGHT, PRIO_FACTOR_COUNT},
		    {COMPONENT_CAP, PRIO_COMPONENT_COUNT},
		    {FACTOR_CAP, PRIO_FACTOR_COUNT}};
	struct crossing found;

	for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
		for (unsigned index = 0; index < part[i].count; index++) {
			struct config_weight weight = {part[i].kind, index};

			crossing_find(&found, &x->pair, weight);
			if (found.down.found || found.up.found || crossing_in_use(&x->pair.a.weights, weight))
				tell(x, weight, &found, to);
		}
}

/* --- JSON -------------------------------------------------------------------------------------------- */

static void json_flip(struct json *j, const char *key, const struct crossing_flip *flip)
{
	json_open(j, key, '{');
	if (flip->found) {
		json_int(j, "at", flip->at);
		json_int(j, "until", flip->until);
		json_bool(j, "to_the_end", flip->to_the_end);
	} else {
		json_null(j, "at");
	}
	json_bool(j, "proven", flip->proven);
	json_bool(j, "hidden", flip->hidden);
	json_close(j);
}

static void json_crossing(const struct crosses *x, struct config_weight weight, const struct crossing *found,
			  void *to)
{
	struct json *j = to;
	struct str name = {0};

	crossing_name(&x->pair, weight, &name);
	json_open(j, NULL, '{');
	json_text(j, "name", str_text(&name));
	json_real(j, "value", found->now);
	json_flip(j, "down", &found->down);
	json_flip(j, "up", &found->up);
	json_close(j);
	str_free(&name);
}

static void print_json(const struct crosses *x)
{
	struct json j = {.out = x->env->out};
	char a[JOB_LABEL_TEXT], b[JOB_LABEL_TEXT];
	struct str name = {0};

	json_open(&j, NULL, '{');
	json_text(&j, "job", snapshot_job_label(x->env->s, x->pair.a.job, a));
	json_text(&j, "other", snapshot_job_label(x->env->s, x->pair.b.job, b));
	json_bool(&j, "ahead", x->ahead);
	if (x->nearest.found) {
		crossing_name(&x->pair, x->nearest.weight, &name);
		json_open(&j, "nearest", '{');
		json_text(&j, "name", str_text(&name));
		json_real(&j, "value", x->nearest.now);
		json_int(&j, "at", x->nearest.at);
		json_real(&j, "relative", x->nearest.relative);
		json_close(&j);
	} else {
		json_null(&j, "nearest");
	}
	json_open(&j, "crossings", '[');
	each_crossing(x, json_crossing, &j);
	json_close(&j);
	json_close(&j);
	str_add_char(x->env->out, '\n');
	str_free(&name);
}

/* --- text -------------------------------------------------------------------------------------------- */

static void cell_flip(struct report *r, const struct crossing_flip *flip, int sign)
{
	struct str text = {0};

	crossing_add_flip(flip, sign, &text);
	report_cell(r, str_text(&text));
	str_free(&text);
}

static void row(const struct crosses *x, struct config_weight weight, const struct crossing *found, void *to)
{
	struct report *r = to;
	struct str name = {0};

	crossing_name(&x->pair, weight, &name);
	report_cell(r, str_text(&name));
	report_cellf(r, "%.10g", found->now);
	cell_flip(r, &found->down, -1);
	cell_flip(r, &found->up, 1);
	str_free(&name);
}

static void print_text(const struct crosses *x)
{
	static const struct report_column columns[] = {
		{"", TEXT_LEFT}, {"TODAY", TEXT_RIGHT}, {"BELOW", TEXT_LEFT}, {"ABOVE", TEXT_LEFT}};
	struct report r = {.column = columns, .columns = 4, .width = x->env->width};
	char a[JOB_LABEL_TEXT], b[JOB_LABEL_TEXT];
	struct str *out = x->env->out, name = {0};

	str_addf(out, "Job %s is %s job %s. They change places where one of these is\n\n",
		 snapshot_job_label(x->env->s, x->pair.a.job, a), x->ahead ? "before" : "behind",
		 snapshot_job_label(x->env->s, x->pair.b.job, b));
	each_crossing(x, row, &r);
	report_print(&r, 0, x->env->ascii, out);
	if (x->nearest.found) {
		crossing_name(&x->pair, x->nearest.weight, &name);
		str_addf(out, "\nThe least change of a weight: %s from %.10g to %" PRId64 ", by %.2g%%\n",
			 str_text(&name), x->nearest.now, x->nearest.at, 100 * x->nearest.relative);
	} else if (x->nearest.hidden) {
		str_add(out,
			"\nThe least change of a weight is not known: which settings are live is hidden\n");
	} else {
		str_add(out, "\nNo change of a weight in use does it\n");
	}
	report_free(&r);
	str_free(&name);
}

/* --- the question ------------------------------------------------------------------------------------ */

static bool find_job(struct cmd_env *env, const char *word, uint32_t *slot)
{
	*slot = select_job(env->s, word, &env->err);
	return *slot != INDEX_NONE && (snapshot_jobs(env->s)[*slot].state == JOB_IDLE ||
				       err_set(&env->err, "job %s does not wait any more", word));
}

static bool find_pair(struct cmd_env *env, const char *pair, uint32_t slot[static 2])
{
	const char *comma = strchr(pair, ',');
	struct str first = {0};
	bool good;

	if (!comma)
		return err_set(&env->err, "--crosses %s: write two jobs, A,B", pair);
	str_addf(&first, "%.*s", (int)(comma - pair), pair);
	good = find_job(env, str_text(&first), &slot[0]) && find_job(env, comma + 1, &slot[1]);
	str_free(&first);
	return good &&
	       (slot[0] != slot[1] || err_set(&env->err, "--crosses %s: that is one job; name two", pair));
}

enum cmd_status crosses_print(struct cmd_env *env, const char *pair)
{
	struct crosses x = {.env = env};
	struct queue queue = {.idle = NULL};
	struct crossing found;
	uint32_t slot[2] = {INDEX_NONE, INDEX_NONE};

	if (!find_pair(env, pair, slot))
		return CMD_REFUSED;
	queue_begin(&queue, env->s, env->now_s);
	crossing_measure(&x.pair, env->s, slot[0], slot[1], env->now_s, &queue.shares);
	x.nearest = crossing_nearest(&x.pair);
	crossing_find(&found, &x.pair, (struct config_weight){COMPONENT_WEIGHT, PRIO_CRED});
	x.ahead = found.ahead;
	if (env->json)
		print_json(&x);
	else
		print_text(&x);
	queue_clear(&queue);
	return CMD_DONE;
}
