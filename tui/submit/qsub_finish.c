/* SPDX-License-Identifier: MIT */
/*
 * qsub_finish.c - what follows from all that was asked for together?
 *
 * The draft becomes a record and a launch: tasks (qsub_share.c), names, folder and paths,
 * environment. Here all is known: the name that stands in a path, whether there is an array.
 */
#include <stdlib.h>
#include <string.h>

#include "qsub_inside.h"
#include "sched/base/vec.h"

/* --- names ------------------------------------------------------------------------------------- */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL || slash[1] == '\0' ? path : slash + 1;
}

static bool find_name(struct submission *s, struct err *err)
{
	struct qsub_draft *draft = &s->draft;
	const char *from = s->launch.script_size > 0 ? draft->script_name : NULL;

	if (draft->name != NULL)
		return true;
	if (from == NULL && s->launch.command.count > 0)
		from = s->launch.command.item[0];
	if (from == NULL)
		return err_set(err, "there is nothing to be run; name a script, or a command behind --");
	return qsub_read_title(s, last_part(from), &draft->name, err) ||
	       err_prefix(err, "the job's name; give it another one with -N");
}

/* Two lists of names as one. */
static const char *join_names(struct submission *s, const char *a, const char *b)
{
	struct str both = {0};
	const char *joined;

	if (a == NULL || b == NULL)
		return a == NULL ? b : a;
	str_addf(&both, "%s %s", a, b);
	joined = arena_string(&s->arena, str_text(&both));
	str_free(&both);
	return joined;
}

static bool fill_names(struct submission *s, struct err *err)
{
	const struct qsub_draft *draft = &s->draft;
	struct job_record *record = &s->record;

	if (draft->hosts != NULL && draft->shape.hosts != NULL)
		return err_set(err, "nodes are named twice, as hostlist %s and as nodes %s; name them once",
			       draft->hosts, draft->shape.hosts);
	record->name = draft->name;
	record->cred[CRED_ACCOUNT] = draft->account;
	record->cred[CRED_CLASS] = draft->class;
	record->cred[CRED_QOS] = draft->qos;
	record->partition = draft->partition;
	record->features = join_names(s, draft->shape.features, draft->features);
	record->prefer = draft->prefer;
	record->hosts = draft->hosts != NULL ? draft->hosts : draft->shape.hosts;
	return true;
}

/* --- paths -------------------------------------------------------------------------------------- */

/* Text that stands for itself in a pattern. */
static void add_literal(struct str *out, const char *text, bool part_of_a_name)
{
	for (; *text != '\0'; text++) {
		if (*text == '%')
			str_add(out, "%%");
		else if (*text == '/' && part_of_a_name)
			str_add_char(out, '_');
		else
			str_add_char(out, *text);
	}
}

/* NAME.o%j */
static void add_default(struct str *out, const struct submission *s, char letter)
{
	add_literal(out, s->draft.name, true);
	str_addf(out, ".%c%%j%s", letter, s->range_count > 0 ? "-%a" : "");
}

/* What only a submission knows is put in: %x the name, %A the whole array. */
static void add_pattern(struct str *out, const struct submission *s, const struct submitter *by,
			const char *pattern)
{
	for (const char *c = pattern; *c != '\0'; c++)
		if (c[0] == '%' && c[1] >= '0' && c[1] <= '9') {
			/* Slurm's %4a: the width is left out. */
			size_t digits = strspn(c + 1, "0123456789");
			char *plain = mem_string(c + digits);

			plain[0] = '%';
			add_pattern(out, s, by, plain);
			free(plain);
			return;
		} else if (c[0] == '%' && (c[1] == 'J' || c[1] == 'b')) {
			str_add(out, c[1] == 'J' ? "%j" : "%a");
			c++;
		} else if (c[0] == '%' && c[1] == 's') {
			str_add(out, "batch");
			c++;
		} else if (c[0] == '%' && c[1] == 'x') {
			add_literal(out, s->draft.name, true);
			c++;
		} else if (c[0] == '%' && c[1] == 'A') {
			str_add(out, "%j");
			c++;
		} else if (c[0] == '%' && c[1] == 'N' && by->host != NULL) {
			add_literal(out, by->host, true);
			c++;
		} else if (c[0] == '%' && (c[1] == 'n' || c[1] == 't')) {
			str_add_char(out, '0'); /* a job's output is of its first task, on its first node */
			c++;
		} else {
			str_add_char(out, *c);
			if (c[0] == '%' && c[1] != '\0')
				str_add_char(out, *++c);
		}
}

/* Does the manager understand it? */
static bool check_pattern(const struct submission *s, const char *pattern, struct err *err)
{
	struct launch launch = {.job = 1, .user = "user", .label = s->range_count > 0 ? "1[1]" : NULL};
	struct str path = {0};
	bool good = launch_path(pattern, &launch, &path, err);

	str_free(&path);
	return good;
}

static bool ends_with_slash(const struct str *path)
{
	return path->len > 0 && path->data[path->len - 1] == '/';
}

/* asked: NULL = the default; a folder has the default in it. */
static bool make_path(struct submission *s, const struct submitter *by, const char *asked, char letter,
		      const char **out, struct err *err)
{
	bool home = asked == NULL && (letter == 'o' ? s->draft.output_home : s->draft.errors_home);
	struct str path = {0};
	bool good;

	if (asked == NULL || asked[0] != '/') {
		add_literal(&path, home ? by->home : s->launch.dir, false);
		if (!ends_with_slash(&path))
			str_add_char(&path, '/');
	}
	add_pattern(&path, s, by, asked == NULL ? "" : asked);
	if (ends_with_slash(&path))
		add_default(&path, s, letter);
	good = check_pattern(s, str_text(&path), err) || err_prefix(err, "-%c", letter);
	*out = arena_string(&s->arena, str_text(&path));
	str_free(&path);
	return good;
}

static const char *find_dir(struct submission *s, const struct submitter *by)
{
	const char *asked = s->draft.dir;
	struct str path = {0};
	const char *dir;

	if (asked == NULL || asked[0] == '/')
		return asked == NULL ? by->dir : asked;
	str_addf(&path, "%s%s%s", by->dir, by->dir[strlen(by->dir) - 1] == '/' ? "" : "/", asked);
	dir = arena_string(&s->arena, str_text(&path));
	str_free(&path);
	return dir;
}

/* Errors that go to the output have no path of their own; -j eo makes their path the one of both. */
static bool make_paths(struct submission *s, const struct submitter *by, struct err *err)
{
	const struct qsub_draft *draft = &s->draft;
	struct launch *launch = &s->launch;
	bool join = draft->join_output || draft->join_errors || draft->errors_follow;

	launch->dir = find_dir(s, by);
	launch->flags &= ~(uint32_t)LAUNCH_JOIN;
	launch->errors = NULL;
	if (join)
		launch->flags |= LAUNCH_JOIN;
	if (draft->join_errors)
		return make_path(s, by, draft->errors, 'e', &launch->output, err);
	return make_path(s, by, draft->output, 'o', &launch->output, err) &&
	       (join || make_path(s, by, draft->errors, 'e', &launch->errors, err));
}

/* --- the whole ------------------------------------------------------------------------------------- */

static void fill_job(struct submission *s, const struct submitter *by)
{
	const struct qsub_draft *draft = &s->draft;

	s->record.job = (struct job){
		.submit_s = by->now_s,
		.not_before_s = draft->has_not_before ? draft->not_before_s : TIME_NONE,
		.wall_limit_s = draft->wall_limit_s,
		.true_run_s = -1,
		.start_s = TIME_NONE,
		.planned_s = TIME_NEVER,
		.defer_until_s = TIME_NONE,
		.used_ps = -1,
		.base_points = (int32_t)draft->points,
		.base_holds = s->hold ? JOB_HOLD_USER : 0,
		.access = draft->access,
		.allocation = draft->allocation,
	};
}

/* A limit that is not said comes from the class or the site. */
static bool check_size(const struct submission *s, struct err *err)
{
	struct job job = s->record.job;

	if (job.wall_limit_s == 0)
		job.wall_limit_s = 1;
	return state_check_size(&job, err);
}

static bool check_launch(const struct launch *launch, struct err *err)
{
	struct str bytes = {0};
	size_t size;

	if (launch->command.count == 0 && launch->script_size == 0)
		return err_set(err, "there is nothing to be run; name a script, or a command behind --");
	if (launch->command.count > LAUNCH_WORDS_MAX)
		return err_set(err, "a command has at most %u words, this one %u", LAUNCH_WORDS_MAX,
			       launch->command.count);
	launch_write(launch, &bytes);
	size = bytes.len;
	str_free(&bytes);
	return size <= LAUNCH_MAX ||
	       err_set(err, "script, command and variables have %zu bytes, at most %zu can be", size,
		       LAUNCH_MAX);
}

/* What only the submission knows and scripts read in their environment. */
static void fill_origin(struct submission *s, const struct submitter *by)
{
	struct launch *launch = &s->launch;
	int64_t first = INT64_MAX, last = 0;

	launch->submit_dir = strcmp(launch->dir, by->dir) == 0 ? NULL : by->dir;
	if (s->range_count == 0)
		return;
	for (uint32_t i = 0; i < s->range_count; i++) {
		const struct array_range *range = &s->range[i];
		int64_t end = range->first + (range->last - range->first) / range->step * range->step;

		first = range->first < first ? range->first : first;
		last = end > last ? end : last;
	}
	launch->array_tasks = qsub_tasks(s);
	launch->array_first = (uint32_t)first;
	launch->array_last = (uint32_t)last;
	launch->array_step = s->range_count == 1 ? (uint32_t)s->range[0].step : 1;
}

bool qsub_finish(struct submission *out, const struct submitter *by, struct err *err)
{
	fill_job(out, by);
	out->launch.mail = out->mail;
	out->launch.mail_to = out->mail != NULL ? out->mail_to : NULL;
	out->launch.umask = out->draft.has_umask ? out->draft.umask : by->umask & 0777;
	if (!find_name(out, err) || !fill_names(out, err) || !qsub_make_tasks(out, err) ||
	    !check_size(out, err) || !make_paths(out, by, err) || !qsub_build_environment(out, by, err))
		return false;
	fill_origin(out, by);
	return check_launch(&out->launch, err);
}
