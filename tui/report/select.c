/* SPDX-License-Identifier: MIT */
/*
 * select.c - selection of jobs by name, credential or state
 */
#include "select.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/model/array.h"
#include "tui/submit/words.h"

/* --- terms ----------------------------------------------------------------------------- */

static const char *const term_keys[] = {"user",  "group", "account", "class", "qos",
					"state", "job",   "acct",    "name"};

/* States of jobs in the queue, and outcomes of ended jobs, as reports name them. */
static const char *const live_states[] = {"idle",     "running",  "held",       "suspended",
					  "deferred", "userhold", "systemhold", "batchhold"};
static const char *const ended_states[] = {"completed", "failed", "atlimit",     "removed",
					   "notrun",    "lost",   "dependfailed"};

/* The next item of a comma-separated list; false at its end. */
static bool next_item(const char **at, const char **item, size_t *len)
{
	if (*at == NULL)
		return false;
	*item = *at;
	*len = strcspn(*at, ",");
	*at = (*at)[*len] == ',' ? *at + *len + 1 : NULL;
	return true;
}

static bool is_same(const char *word, const char *item, size_t len)
{
	return strlen(word) == len && strncasecmp(word, item, len) == 0;
}

static bool is_among(const char *const *word, size_t count, const char *item, size_t len)
{
	for (size_t i = 0; i < count; i++)
		if (is_same(word[i], item, len))
			return true;
	return false;
}

/* Sets out->live and out->ended. Returns false for an unknown state, which would silently select nothing. */
static bool check_states(const char *value, struct job_filter *out, struct err *err)
{
	const char *item;
	size_t len;

	while (next_item(&value, &item, &len)) {
		if (is_among(live_states, sizeof live_states / sizeof live_states[0], item, len))
			out->live = true;
		else if (is_among(ended_states, sizeof ended_states / sizeof ended_states[0], item, len))
			out->ended = true;
		else if (is_same("blocked", item, len))
			return err_set(
				err, "state=blocked is not a selection; 'kahu queue -b' lists blocked jobs");
		else
			return err_set(
				err,
				"state=%.*s: a state is idle, running, held, suspended or deferred; for "
				"a job that has ended, it is completed, failed, atlimit, removed, notrun "
				"or lost",
				(int)(len < 60 ? len : 60), item);
	}
	return true;
}

static bool add_term(const char *word, struct job_filter *out, struct err *err)
{
	const char *sign = strchr(word, '=');
	size_t len = sign ? (size_t)(sign - word) : 0;

	if (!sign || len == 0 || sign[1] == '\0')
		return err_set(err,
			       "'%s' is not of the form NAME=VALUE; write terms such as user=eva state=idle",
			       word);
	if (out->count == JOB_FILTER_TERMS)
		return err_set(err, "a selection has at most %d terms; '%s' is one too many",
			       JOB_FILTER_TERMS, word);
	for (size_t i = 0; i < sizeof term_keys / sizeof term_keys[0]; i++) {
		if (strlen(term_keys[i]) != len || strncmp(term_keys[i], word, len) != 0)
			continue;
		out->term[out->count].key = strcmp(term_keys[i], "acct") == 0 ? "account" : term_keys[i];
		out->term[out->count++].value = mem_string(sign + 1);
		return strcmp(term_keys[i], "state") != 0 || check_states(sign + 1, out, err);
	}
	return err_set(err, "'%s': jobs are selected by user, group, account, class, qos, state, name or job",
		       word);
}

bool job_filter_read(const char *text, struct job_filter *out, struct err *err)
{
	int count;
	char **words = cmd_split(text, &count, err);
	bool ok = words != NULL;

	*out = (struct job_filter){0};
	for (int i = 0; i < count && ok; i++)
		ok = add_term(words[i], out, err);
	free(words);
	if (!ok)
		job_filter_clear(out);
	return ok;
}

bool job_filter_is_live(struct job_filter *f, struct err *err)
{
	if (!f->ended)
		return true;
	job_filter_clear(f);
	return err_set(err,
		       "a job in the queue is idle, running, held, suspended or deferred; 'kahu history -w "
		       "state=...' lists jobs that have ended");
}

void job_filter_clear(struct job_filter *f)
{
	for (size_t i = 0; i < f->count; i++)
		free(f->term[i].value);
	*f = (struct job_filter){0};
}

static bool is_in_state(const struct job *job, const char *item, size_t len)
{
	bool waits = job->state == JOB_IDLE;

	if (is_same("held", item, len))
		return waits && job->holds != 0;
	if (is_same("userhold", item, len))
		return waits && (job->holds & JOB_HOLD_USER) != 0;
	if (is_same("systemhold", item, len))
		return waits && (job->holds & JOB_HOLD_SYSTEM) != 0;
	if (is_same("batchhold", item, len))
		return waits && (job->holds & JOB_HOLD_BATCH) != 0;
	if (is_same("deferred", item, len))
		return waits && job->holds == 0 && job->defer_until_s != TIME_NONE;
	if (is_same("suspended", item, len))
		return job->state == JOB_RUNNING && (job->real & JOB_REAL_SUSPENDED) != 0;
	return is_same(job_state_name(job->state), item, len);
}

static bool state_matches(const struct job_names *names, const struct job *job, const char *value)
{
	const char *item;
	size_t len;

	while (next_item(&value, &item, &len))
		if (names->outcome != NULL ? is_same(names->outcome, item, len) : is_in_state(job, item, len))
			return true;
	return false;
}

/* Does the name match an item of a list, which may be a glob pattern? A missing name is "-". */
static bool name_matches(const char *name, const char *value)
{
	const char *item;
	size_t len;

	if (name == NULL)
		name = "-";
	if (strcmp(name, value) == 0)
		return true;
	while (next_item(&value, &item, &len)) {
		char *pattern = mem_string(item);
		bool found;

		pattern[len] = '\0';
		found = fnmatch(pattern, name, 0) == 0;
		free(pattern);
		if (found)
			return true;
	}
	return false;
}

/* --- words ----------------------------------------------------------------------------- */

/* Reads a range of IDs: "12-15". */
static bool read_range(const char *word, int64_t *first, int64_t *last)
{
	const char *dash = strchr(word, '-');
	char start[24];

	if (!dash || dash == word || (size_t)(dash - word) >= sizeof start)
		return false;
	memcpy(start, word, (size_t)(dash - word));
	start[dash - word] = '\0';
	return str_read_whole(start, first) && str_read_whole(dash + 1, last) && *first >= 0 && *last >= 0;
}

/* Is the label a number in the range? A job with a label of its own is not selected by its ID. */
static bool label_in_range(const char *label, int64_t first, int64_t last)
{
	int64_t number;

	return str_read_whole(label, &number) && number >= first && number <= last;
}

/* Does the word name the job, by its label or by a range of IDs? */
static bool word_names(const char *label, const char *word)
{
	int64_t first, last;

	struct array_word tasks;

	if (strcmp(label, word) == 0)
		return true;
	if (array_word_read(word, &tasks))
		return array_word_has(&tasks, label);
	return read_range(word, &first, &last) && label_in_range(label, first, last);
}

bool job_filter_names(const struct job_filter *f, const struct job_names *names, const struct job *job)
{
	for (size_t i = 0; i < f->count; i++) {
		const char *key = f->term[i].key, *value = f->term[i].value;
		bool fits;

		if (strcmp(key, "state") == 0)
			fits = state_matches(names, job, value);
		else if (strcmp(key, "job") == 0)
			fits = word_names(names->label, value);
		else if (strcmp(key, "name") == 0)
			fits = name_matches(names->name, value);
		else
			fits = name_matches(names->cred[cred_type_find(key)], value);
		if (!fits)
			return false;
	}
	return true;
}

bool job_filter_match(const struct job_filter *f, const struct snapshot *s, const struct job *job)
{
	char label[JOB_LABEL_TEXT];
	struct job_names names = {.label = snapshot_job_label(s, job, label),
				  .name = job->name != 0 ? snapshot_string(s, job->name) : NULL};

	if (f->count == 0)
		return true;
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		names.cred[type] = snapshot_job_cred(s, job, type);
	return job_filter_names(f, &names, job);
}

/*
 * Does the word name an array or several tasks where one job is required? If so, sets err to an error that
 * names the first task.
 */
static bool is_array(const struct snapshot *s, const char *word, struct err *err)
{
	const struct job *jobs = snapshot_jobs(s);
	struct array_word tasks;
	struct str all = {0};
	char label[JOB_LABEL_TEXT];
	bool found = false;

	str_addf(&all, "%s%s", word, strchr(word, '[') == NULL ? "[]" : "");
	if (array_word_read(str_text(&all), &tasks))
		for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS) && !found; i++)
			if (jobs[i].state != JOB_NONE && jobs[i].array != 0 &&
			    array_word_has(&tasks, snapshot_job_label(s, &jobs[i], label))) {
				err_set(err,
					"%s names several tasks of an array; name one task, such as %s, or "
					"all: %llu[]",
					word, snapshot_job_label(s, &jobs[i], label),
					(unsigned long long)jobs[i].array);
				found = true;
			}
	str_free(&all);
	return found;
}

/* Is the word the number of a job that is no longer in the state? */
static bool is_gone(const struct snapshot *s, const char *word)
{
	const struct job *jobs = snapshot_jobs(s);
	char *end;
	unsigned long long id = strtoull(word, &end, 10);

	if (word[0] < '1' || word[0] > '9' || *end != '\0' || id >= s->next_job_id)
		return false;
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++)
		if (jobs[i].state != JOB_NONE && jobs[i].id == id)
			return false;
	return true;
}

uint32_t select_job(const struct snapshot *s, const char *word, struct err *err)
{
	uint32_t slot = snapshot_find_label(s, word);

	if (slot != INDEX_NONE || is_array(s, word, err))
		return slot;
	if (is_gone(s, word))
		err_set(err, "job %s has ended; see 'kahu history %s'", word, word);
	else
		err_set(err, "there is no job '%s' in the queue; 'kahu queue' lists them", word);
	return slot;
}

/* --- selections ------------------------------------------------------------------------- */

struct selecting {
	const struct snapshot *s;
	struct job_filter filter;
	bool *taken; /* by slot */
	struct job_selection *out;
};

static bool take(struct selecting *sel, uint32_t slot)
{
	struct job_selection *out = sel->out;

	if (!job_filter_match(&sel->filter, sel->s, &snapshot_jobs(sel->s)[slot]))
		return false;
	if (sel->taken[slot])
		return true;
	sel->taken[slot] = true;
	out->slot = vec_room(out->slot, &out->room, out->count + 1, sizeof *out->slot);
	out->slot[out->count++] = slot;
	return true;
}

static int by_id(const void *a, const void *b, void *self)
{
	const struct job *jobs = self;
	uint64_t x = jobs[*(const uint32_t *)a].id, y = jobs[*(const uint32_t *)b].id;

	return (x > y) - (x < y);
}

static bool take_range(struct selecting *sel, int64_t first, int64_t last)
{
	const struct job *jobs = snapshot_jobs(sel->s);
	char label[JOB_LABEL_TEXT];
	bool any = false;

	for (uint32_t i = 0; i < snapshot_count(sel->s, TABLE_JOBS); i++)
		if (jobs[i].state != JOB_NONE &&
		    label_in_range(snapshot_job_label(sel->s, &jobs[i], label), first, last))
			any = take(sel, i) || any;
	return any;
}

/*
 * Selects running and waiting tasks in the order of their IDs, so that the output of verbs is in this order.
 * Returns false if the array has none.
 */
static bool take_tasks(struct selecting *sel, const struct array_word *tasks)
{
	const struct job *jobs = snapshot_jobs(sel->s);
	size_t before = sel->out->count;
	char label[JOB_LABEL_TEXT];
	bool any = false;

	for (uint32_t i = 0; i < snapshot_count(sel->s, TABLE_JOBS); i++)
		if (jobs[i].state != JOB_NONE && jobs[i].array != 0 &&
		    array_word_has(tasks, snapshot_job_label(sel->s, &jobs[i], label))) {
			take(sel, i);
			any = true;
		}
	if (sel->out->count > before)
		qsort_r(sel->out->slot + before, sel->out->count - before, sizeof *sel->out->slot, by_id,
			(void *)(uintptr_t)jobs);
	return any;
}

static bool take_word(struct selecting *sel, const char *word, struct err *err)
{
	uint32_t slot = snapshot_find_label(sel->s, word);
	struct array_word tasks;
	int64_t first, last;

	if (slot != INDEX_NONE) {
		take(sel, slot);
		return true;
	}
	if (array_word_read(word, &tasks))
		return take_tasks(sel, &tasks) ||
		       err_set(err, "no task of %s is in the queue; 'kahu queue' lists all jobs", word);
	if (read_range(word, &first, &last)) {
		if (first > last)
			return err_set(err, "the range %s runs backwards; write the smaller id first", word);
		if (take_range(sel, first, last))
			return true;
		return err_set(err, "no job in the range %s is in the queue; 'kahu queue' lists all jobs",
			       word);
	}
	return select_job(sel->s, word, err) != INDEX_NONE;
}

static bool take_all(struct selecting *sel)
{
	const struct job *jobs = snapshot_jobs(sel->s);

	for (uint32_t i = 0; i < snapshot_count(sel->s, TABLE_JOBS); i++)
		if (jobs[i].state != JOB_NONE)
			take(sel, i);
	return true;
}

bool select_jobs(const struct snapshot *s, char *const *word, int count, const char *where,
		 struct job_selection *out, struct err *err)
{
	struct selecting sel = {.s = s, .out = out};
	bool ok = true;

	*out = (struct job_selection){0};
	if (count == 0 && !where)
		return err_set(err,
			       "no job given; name one, a range such as 12-15, or -w 'user=eva state=idle'");
	if (where && (!job_filter_read(where, &sel.filter, err) || !job_filter_is_live(&sel.filter, err)))
		return false;
	sel.taken = mem_zero((size_t)snapshot_count(s, TABLE_JOBS) + 1, sizeof *sel.taken);
	if (count == 0)
		take_all(&sel);
	for (int i = 0; i < count && ok; i++)
		ok = take_word(&sel, word[i], err);
	if (ok && out->count == 0)
		ok = err_set(err, "no job matches '%s'; 'kahu queue' lists all", where ? where : "");
	free(sel.taken);
	job_filter_clear(&sel.filter);
	if (!ok) {
		free(out->slot);
		*out = (struct job_selection){0};
	}
	return ok;
}
