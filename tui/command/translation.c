/* SPDX-License-Identifier: MIT */
/*
 * translation.c - commands of PBS and Slurm translated to verbs, and the jobs of their listings
 */
#include "translation.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "tui/report/job_text.h"
#include "tui/report/select.h"

/* --- words for a verb --------------------------------------------------------------------------------- */

static char *keep(struct delegate *d, const char *text)
{
	return arena_copy(&d->arena, text, strlen(text) + 1);
}

static void add_word(struct delegate *d, const char *text)
{
	if (d->count < DELEGATE_WORDS)
		d->word[d->count] = keep(d, text);
	d->count++;
}

void delegate_add(struct delegate *d, const char *format, ...)
{
	struct str text = {0};
	va_list args;

	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	add_word(d, str_text(&text));
	str_free(&text);
}

void delegate_term(struct delegate *d, const char *key, const char *value)
{
	str_addf(&d->terms, "%s%s=", d->terms.len > 0 ? " " : "", key);
	for (; *value != '\0'; value++) {
		str_add_char(&d->terms, '\\');
		str_add_char(&d->terms, *value);
	}
}

static bool is_array(const struct snapshot *s, const char *text)
{
	uint64_t id = strtoull(text, NULL, 10);

	for (uint32_t i = 0; s != NULL && i < snapshot_count(s, TABLE_JOBS); i++)
		if (snapshot_jobs(s)[i].state != JOB_NONE && snapshot_jobs(s)[i].array == id)
			return id != 0;
	return false;
}

/* Converts a job from the notation of PBS or Slurm to a label: 12_3 to "12[3]". The label is in the arena. */
static const char *delegate_label(const struct snapshot *s, struct arena *arena, const char *text)
{
	size_t digits = strspn(text, "0123456789");
	struct str label = {0};
	const char *kept, *rest = text + digits, *end;

	if (digits == 0)
		return arena_string(arena, text);
	str_add_bytes(&label, text, digits);
	if (rest[0] == '_' && rest[1] != '\0') {
		rest += 1 + (rest[1] == '[');
		str_addf(&label, "[%.*s]", (int)strcspn(rest, "]"), rest);
	} else if (rest[0] == '[') {
		end = strchr(rest, ']');
		str_add_bytes(&label, rest, end == NULL ? strlen(rest) : (size_t)(end - rest) + 1);
	} else if (rest[0] != '\0' && rest[0] != '.') {
		str_add(&label, rest); /* a range such as 12-15 */
	} else if (is_array(s, str_text(&label))) {
		str_add(&label, "[]");
	}
	kept = arena_string(arena, str_text(&label));
	str_free(&label);
	return kept;
}

void delegate_job(const struct snapshot *s, struct delegate *d, const char *text)
{
	add_word(d, delegate_label(s, &d->arena, text));
}

/* Commas inside brackets separate tasks of an array, not jobs. */
void delegate_jobs(const struct snapshot *s, struct delegate *d, const char *list)
{
	while (*list != '\0') {
		struct str job = {0};

		for (bool inside = false; *list != '\0' && (inside || *list != ','); list++) {
			inside = *list == '[' || (inside && *list != ']');
			str_add_char(&job, *list);
		}
		if (job.len > 0)
			delegate_job(s, d, str_text(&job));
		str_free(&job);
		list += *list == ',';
	}
}

void delegate_free(struct delegate *d)
{
	str_free(&d->terms);
	arena_free(&d->arena);
	d->count = 0;
}

enum cmd_status delegate_run(struct cmd_env *env, struct delegate *d, const struct cmd *cmd)
{
	char *words[DELEGATE_WORDS + 4], *argv[DELEGATE_WORDS + 4];
	enum cmd_status status = CMD_USAGE;
	int count, argc = 0;

	argv[argc++] = keep(d, cmd->name);
	if (d->terms.len > 0) {
		argv[argc++] = keep(d, "-w");
		argv[argc++] = keep(d, str_text(&d->terms));
	}
	for (int i = 0; i < d->count && i < DELEGATE_WORDS; i++)
		argv[argc++] = d->word[i];
	argv[argc] = NULL;
	if (d->count > DELEGATE_WORDS)
		err_set(&env->err, "too many arguments: at most %d, got %d", DELEGATE_WORDS, d->count);
	else if (cmd_take_words(env, cmd, argc, argv, words, &count))
		status = cmd->run(env, count, words);
	delegate_free(d);
	return status;
}

/* --- jobs of a listing -------------------------------------------------------------------------------- */

/* Selects the named jobs that match. Returns false with err set if a word names no job or no job matches. */
static bool choose_named(struct cmd_env *env, struct delegate *d, struct job_selection *out)
{
	const char *where = d->terms.len > 0 ? str_text(&d->terms) : NULL;

	return d->count <= DELEGATE_WORDS
		       ? select_jobs(env->s, d->word, d->count, where, out, &env->err)
		       : err_set(&env->err, "too many jobs: at most %d, got %d", DELEGATE_WORDS, d->count);
}

/* Selects all jobs that match, which may be none. Returns false with err set if a term is invalid. */
static bool choose_matching(struct cmd_env *env, struct delegate *d, struct job_selection *out)
{
	const struct job *jobs = snapshot_jobs(env->s);
	struct job_filter filter;

	if (!job_filter_read(str_text(&d->terms), &filter, &env->err) ||
	    !job_filter_is_live(&filter, &env->err))
		return false;
	for (uint32_t i = 0; i < snapshot_count(env->s, TABLE_JOBS); i++) {
		if (jobs[i].state == JOB_NONE || !job_filter_match(&filter, env->s, &jobs[i]))
			continue;
		out->slot = vec_room(out->slot, &out->room, out->count + 1, sizeof *out->slot);
		out->slot[out->count++] = i;
	}
	job_filter_clear(&filter);
	return true;
}

static int by_id(const void *a, const void *b, void *self)
{
	const struct job *jobs = self;
	uint64_t x = jobs[*(const uint32_t *)a].id, y = jobs[*(const uint32_t *)b].id;

	return (x > y) - (x < y);
}

bool job_list_find(struct cmd_env *env, struct delegate *d, struct job_list *out)
{
	struct job_selection chosen = {.slot = NULL};
	bool good = (d->count > 0 ? choose_named : choose_matching)(env, d, &chosen);

	delegate_free(d);
	*out = (struct job_list){
		.s = env->s, .now_s = env->now_s, .slot = chosen.slot, .count = chosen.count};
	if (!good)
		return false;
	if (chosen.count > 0)
		qsort_r(out->slot, out->count, sizeof *out->slot, by_id,
			(void *)(uintptr_t)snapshot_jobs(env->s));
	future_build(&out->future, env->s,
		     &(struct future_setup){.now_s = env->now_s,
					    .full = chosen.count > 0,
					    .most_work = FUTURE_LIST_WORK,
					    .reasons = true});
	return true;
}

void job_list_free(struct job_list *list)
{
	free(list->slot);
	future_clear(&list->future);
}

const struct job_state_words *job_list_state(const struct job_list *list, const struct job *job)
{
	static const struct job_state_words ends = {"E", "CG", "COMPLETING"}, runs = {"R", "R", "RUNNING"},
					    suspended = {"S", "S", "SUSPENDED"},
					    held = {"H", "PD", "PENDING"}, later = {"W", "PD", "PENDING"},
					    waits = {"Q", "PD", "PENDING"};

	if (job->state == JOB_RUNNING && (job->flags & JOB_CANCELLED) != 0)
		return &ends;
	if (job->state == JOB_RUNNING)
		return (job->real & JOB_REAL_SUSPENDED) != 0 ? &suspended : &runs;
	if (job->holds != 0 || job->depend != INDEX_NONE)
		return &held;
	return job->not_before_s > list->now_s ? &later : &waits;
}

int64_t job_list_ran_s(const struct job_list *list, const struct job *job)
{
	return job->state == JOB_RUNNING ? job_ran_s(job, list->now_s) : 0;
}

static void add_lead(const struct job_list *list, uint32_t slot, struct str *out)
{
	const struct reason reason = explain_future(&list->future, slot).reason;

	job_text_short(list->s, &reason, list->now_s, out);
}

void job_list_reason(const struct job_list *list, uint32_t slot, struct str *out)
{
	if (snapshot_jobs(list->s)[slot].state == JOB_RUNNING)
		str_add(out, "None");
	else
		add_lead(list, slot, out);
}

void job_list_nodes(const struct job_list *list, const struct job *job, struct str *out)
{
	for (uint32_t at = job->run; job->state == JOB_RUNNING && at != INDEX_NONE;
	     at = snapshot_runs(list->s)[at].next)
		str_addf(out, "%s%s", at == job->run ? "" : ",",
			 snapshot_string(list->s,
					 snapshot_nodes(list->s)[snapshot_runs(list->s)[at].node].name));
}

uint32_t job_list_node_count(const struct job_list *list, const struct job *job)
{
	uint32_t count = 0;

	for (uint32_t at = job->run; job->state == JOB_RUNNING && at != INDEX_NONE;
	     at = snapshot_runs(list->s)[at].next)
		count++;
	if (count == 0)
		count = job->nodes;
	return count > 0 ? count : 1;
}

const char *job_list_name(const struct job_list *list, const struct job *job)
{
	return job->name != 0 ? snapshot_string(list->s, job->name) : "-";
}
