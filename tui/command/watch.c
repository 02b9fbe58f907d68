/* SPDX-License-Identifier: MIT */
/*
 * watch.c - following jobs until they end
 */
#include "watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "never_starts.h"
#include "sched/base/vec.h"
#include "sched/host/outputs.h"
#include "sched/rm/monotonic.h"
#include "store/store.h"
#include "tui/report/ended.h"
#include "tui/report/select.h"
#include "tui/serve/client.h"
#include "tui/serve/shell.h"
#include "tui/serve/state_file.h"

#define RANGE_MAX 1000
#define TRIES     8 /* how often a request is repeated because the scheduler stopped during it */

/* --- selection of jobs -------------------------------------------------------------------------------- */

static bool is_watched(const struct watch *w, uint64_t job)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->item[i].name.job == job)
			return true;
	return false;
}

static void append(struct watch *w, struct job_ref name, bool may_be_missing)
{
	w->item = vec_room(w->item, &w->room, w->count + 1, sizeof *w->item);
	w->item[w->count++] = (struct watched){
		.name = name, .may_be_missing = may_be_missing, .job_status = {.job = name.job}};
}

static void add(struct watch *w, uint64_t job, bool may_be_missing)
{
	if (!is_watched(w, job))
		append(w, (struct job_ref){.job = job}, may_be_missing);
}

static void add_selected(struct watch *w, const struct snapshot *s, const struct job_selection *chosen)
{
	for (size_t i = 0; i < chosen->count; i++)
		add(w, snapshot_jobs(s)[chosen->slot[i]].id, false);
}

/* Adds all numbers of a range of IDs; some may not be jobs. Returns false if the word is not a range. */
static bool add_range(struct watch *w, const char *word)
{
	int64_t first, last;
	char *end;

	first = strtoll(word, &end, 10);
	if (*end != '-' || !str_read_whole(end + 1, &last) || first <= 0 || last < first ||
	    last - first >= RANGE_MAX)
		return false;
	for (int64_t job = first; job <= last; job++)
		add(w, (uint64_t)job, true);
	return true;
}

/* Adds a word that names no job in the queue: a range, an array, or a job that has ended. */
static void add_ended(struct watch *w, const char *word)
{
	if (add_range(w, word))
		return;
	append(w, (struct job_ref){.label = mem_string(word)}, false);
}

/*
 * Does the word name a whole array? It is followed as one, because some of its tasks may already have ended.
 */
static bool is_whole_array(const char *word)
{
	size_t len = strlen(word);

	return len > 2 && strcmp(word + len - 2, "[]") == 0;
}

static void add_word(struct watch *w, const struct cmd_env *env, char *word)
{
	struct job_selection chosen = {.slot = NULL};

	if (!is_whole_array(word) && select_jobs(env->s, &word, 1, NULL, &chosen, NULL)) {
		add_selected(w, env->s, &chosen);
		add_range(w, word);
	} else {
		add_ended(w, word);
	}
	free(chosen.slot);
}

bool watch_read(struct watch *w, struct cmd_env *env, char *const *word, int count)
{
	const char *where = cmd_option(env, "-w");
	struct job_selection chosen;

	if (where != NULL) {
		if (!select_jobs(env->s, word, count, where, &chosen, &env->err))
			return false;
		add_selected(w, env->s, &chosen);
		free(chosen.slot);
		return true;
	}
	if (count == 0)
		return err_set(&env->err,
			       "no job given; name one, a range such as 12-15, or -w 'user=eva state=idle'");
	for (int i = 0; i < count; i++)
		add_word(w, env, word[i]);
	return true;
}

void watch_clear(struct watch *w)
{
	if (w->item == NULL)
		return;
	for (size_t i = 0; i < w->count; i++)
		free((char *)(uintptr_t)w->item[i].name.label);
	free(w->item);
	*w = (struct watch){.item = NULL};
}

/* --- state changes ------------------------------------------------------------------------------------ */

struct following {
	int64_t looked_ms; /* time of the last check for jobs that never start */
	struct watch *w;
	struct cmd_env *env;
	watch_change *change;
	void *self;
	size_t ended;
	bool enough;
};

/* Clears pointers to texts, which are valid only until the next answer. */
static void forget_texts(struct watched *item)
{
	item->job_status.label = item->job_status.user = item->job_status.why = NULL;
	item->job_status.output = item->job_status.errors = NULL;
}

static void take(struct following *f, struct watched *item, const struct job_status *now)
{
	struct job_status before = item->job_status;

	item->job_status = *now;
	if (now->phase == before.phase && now->start_s == before.start_s) {
		forget_texts(item);
		return;
	}
	f->ended += now->phase == JOB_PHASE_ENDED;
	if (!f->change(f->self, &before, now))
		f->enough = true;
	forget_texts(item);
}

/* A search in the history for a job that ended long ago. */
struct search {
	struct watched *item;
	struct following *f;
	bool found;
};

static void take_ended(void *self, const struct ended_job *ended)
{
	struct search *search = self;
	const struct job_ref *name = &search->item->name;
	const struct job_record *record = &ended->record;
	char label[ENDED_LABEL_TEXT];
	struct job_status job_status = {.job = record->job.id,
					.phase = JOB_PHASE_ENDED,
					.lost = ended->lost,
					.at_limit = ended->at_limit,
					.cancelled = (record->job.flags & JOB_CANCELLED) != 0,
					.status = ended->status,
					.start_s = record->job.start_s,
					.end_s = ended->end_s,
					.label = record->label,
					.user = record->cred[CRED_USER],
					.why = ended->why,
					.output = ended->output,
					.errors = ended->errors};

	if (search->found || (name->job != 0 ? name->job != record->job.id
					     : strcmp(name->label, ended_label(record, label)) != 0))
		return;
	search->found = true;
	take(search->f, search->item, &job_status);
}

static bool find_in_store(struct following *f, struct watched *item)
{
	struct search search = {.item = item, .f = f};
	struct ended_wish wish = {.jobs = {.after = {.end_s = 0}}};

	if (item->name.job != 0) {
		wish.jobs.id[0] = (struct history_ids){item->name.job, item->name.job};
		wish.jobs.id_count = 1;
	}
	return ended_find(f->env, &wish, take_ended, &search) && search.found;
}

static bool not_known(struct cmd_env *env, const struct job_ref *name)
{
	char number[24];

	snprintf(number, sizeof number, "%" PRIu64, name->job);
	return err_set(&env->err,
		       "unknown job %s: it never existed or ended long ago; 'kahu history' lists ended jobs",
		       name->job != 0 ? number : name->label);
}

/*
 * Looks in the history for a job that the scheduler does not know. Returns false with env->err set if the job
 * is unknown there, too. A missing number of a range counts as ended.
 */
static bool take_unknown(struct following *f, struct watched *item)
{
	if (find_in_store(f, item))
		return true;
	if (!item->may_be_missing)
		return not_known(f->env, &item->name);
	item->job_status.phase = JOB_PHASE_ENDED;
	f->ended++;
	return true;
}

static bool take_all(struct following *f, struct watched *const *item, const struct job_status *job_status,
		     size_t count)
{
	bool good = true;

	for (size_t i = 0; i < count && good && !f->enough; i++) {
		if (job_status[i].phase == JOB_PHASE_UNKNOWN)
			good = take_unknown(f, item[i]);
		else
			take(f, item[i], &job_status[i]);
	}
	return good;
}

#define AT_ONCE 200

/*
 * Fills item with the next jobs from *at on that have not ended, as many as fit into one request. Returns
 * their number.
 */
static size_t choose(struct watch *w, size_t *at, struct watched *item[static AT_ONCE])
{
	size_t count = 0, labels = 0;

	for (; *at < w->count && count < AT_ONCE && labels < JOB_REF_LABELS_MAX; ++*at) {
		if (w->item[*at].job_status.phase == JOB_PHASE_ENDED)
			continue;
		labels += w->item[*at].name.label != NULL;
		item[count++] = &w->item[*at];
	}
	return count;
}

/*
 * Asks the scheduler about the jobs that have not ended. Returns false with *lost set if the connection is
 * lost, and with env->err set on any other failure.
 */
static bool ask_once(struct following *f, struct client *client, bool *lost)
{
	struct watched *item[AT_ONCE];
	struct job_ref name[AT_ONCE];
	struct job_status job_status[AT_ONCE];
	size_t at = 0, count;

	while (at < f->w->count && !f->enough) {
		count = choose(f->w, &at, item);
		for (size_t i = 0; i < count; i++)
			name[i] = item[i]->name;
		*lost = count > 0 && !client_jobs(client, name, count, false, job_status, &f->env->err);
		if (*lost || !take_all(f, item, job_status, count))
			return false;
	}
	return true;
}

/* --- jobs that never start ---------------------------------------------------------------------------- */

#define LOOK_EACH_MS 10000

/* Reports the jobs that never start, and counts them as ended. */
static void leave_out(struct following *f, const struct never_starts *never)
{
	for (size_t i = 0; i < f->w->count; i++) {
		struct watched *item = &f->w->item[i];
		const char *why = item->job_status.phase == JOB_PHASE_WAITING
					  ? never_starts_reason(never, item->job_status.job)
					  : NULL;

		if (why == NULL)
			continue;
		fprintf(stderr, "kahu: %s\n", why);
		item->job_status.phase = JOB_PHASE_ENDED;
		f->ended++;
		f->w->never++;
	}
}

/*
 * Checks at first, and then at most every LOOK_EACH_MS, whether jobs can never start: the check needs a pass
 * over the queue.
 */
static void look_for_never(struct following *f, struct client *client)
{
	struct client_picture picture;
	struct never_starts never = {.count = 0};
	int64_t now_ms = monotonic_ms();

	if (f->looked_ms != 0 && now_ms - f->looked_ms < LOOK_EACH_MS)
		return;
	f->looked_ms = now_ms;
	if (!client_newer(client, 0, &picture, &(struct err){{0}}))
		return;
	never_starts_find(picture.s, picture.now_s, f->env->ascii, &never);
	leave_out(f, &never);
	never_starts_clear(&never);
	memory_file_free(picture.s, picture.size);
}

/* --- polling ------------------------------------------------------------------------------------------ */

static void rest(int *pause_ms)
{
	const struct timespec pause = {.tv_sec = *pause_ms / 1000, .tv_nsec = *pause_ms % 1000 * 1000000L};

	nanosleep(&pause, NULL);
	*pause_ms = *pause_ms * 2 < WATCH_LAST_MS ? *pause_ms * 2 : WATCH_LAST_MS;
}

/*
 * Reports the jobs that have ended. Jobs in the queue do not change without a scheduler, so a job that has
 * not ended is an error.
 */
static bool follow_stopped(struct following *f)
{
	for (size_t i = 0; i < f->w->count && !f->enough; i++) {
		struct watched *item = &f->w->item[i];

		if (item->name.job != 0 && snapshot_find_job(f->env->s, item->name.job) != INDEX_NONE)
			return err_set(
				&f->env->err,
				"job %" PRIu64
				" has not ended, and no scheduler is running; start one with 'kahu serve'",
				item->name.job);
		if (!take_unknown(f, item))
			return false;
	}
	return true;
}

static bool follow_running(struct following *f, struct client *client)
{
	int pause_ms = WATCH_FIRST_MS;
	bool good = true, lost = false, runs;

	while (good && !f->enough && f->ended < f->w->count) {
		if (client == NULL) {
			rest(&pause_ms);
			client = client_find(f->env->shell->store, &runs, &f->env->err);
		} else if (ask_once(f, client, &lost)) {
			if (f->ended < f->w->count && !f->enough)
				look_for_never(f, client);
			if (f->ended < f->w->count && !f->enough)
				rest(&pause_ms);
		} else if (lost) {
			client_close(client);
			client = NULL;
		} else {
			good = false;
		}
	}
	client_close(client);
	return good;
}

/* If a scheduler stopped a moment ago, waits for it to start again. */
bool watch_follow(struct watch *w, struct cmd_env *env, watch_change *change, void *self)
{
	struct following f = {.w = w, .env = env, .change = change, .self = self};
	bool runs;
	struct client *client = client_await(env->shell->store, 0, &runs, &env->err);

	if (runs && client == NULL)
		return false;
	return runs || env->client != NULL ? follow_running(&f, client) : follow_stopped(&f);
}

/* --- one job, with its files -------------------------------------------------------------------------- */

static void keep_texts(struct job_status *job_status, struct arena *arena)
{
	job_status->label = arena_string(arena, job_status->label);
	job_status->user = arena_string(arena, job_status->user);
	job_status->why = arena_string(arena, job_status->why);
	job_status->output = arena_string(arena, job_status->output);
	job_status->errors = arena_string(arena, job_status->errors);
}

struct keeping {
	struct arena *arena;
	struct job_status *out;
};

static bool keep(void *self, const struct job_status *before, const struct job_status *now)
{
	struct keeping *keeping = self;

	(void)before;
	*keeping->out = *now;
	keep_texts(keeping->out, keeping->arena);
	return false;
}

static bool find_running(struct cmd_env *env, struct client *client, const struct job_ref *name,
			 struct arena *arena, struct job_status *out)
{
	if (!client_jobs(client, name, 1, true, out, &env->err))
		return false;
	keep_texts(out, arena);
	return true;
}

/*
 * Finds the job in the store if no scheduler is running; out->phase is JOB_PHASE_UNKNOWN if it is not in the
 * queue.
 */
static bool find_stopped(struct cmd_env *env, const struct job_ref *name, struct arena *arena,
			 struct job_status *out)
{
	uint32_t slot = name->job != 0 ? snapshot_find_job(env->s, name->job) : INDEX_NONE;
	struct outputs outputs;

	*out = (struct job_status){.job = name->job, .start_s = TIME_NONE, .end_s = TIME_NONE};
	if (slot == INDEX_NONE)
		return true;
	outputs = outputs_find(store_ledger(env->store), NULL, env->s, &snapshot_jobs(env->s)[slot], arena);
	out->phase = snapshot_jobs(env->s)[slot].state == JOB_RUNNING ? JOB_PHASE_RUNNING : JOB_PHASE_WAITING;
	out->user = snapshot_job_cred(env->s, &snapshot_jobs(env->s)[slot], CRED_USER);
	out->output = outputs.output;
	out->errors = outputs.errors;
	return true;
}

/*
 * Finds the job once, in the scheduler or in the store. Sets *lost if the scheduler ended before it answered.
 */
static bool find_once(struct cmd_env *env, const struct job_ref *name, struct arena *arena, bool *lost,
		      struct job_status *out)
{
	bool runs, good;
	struct client *client = client_find(env->shell->store, &runs, &env->err);

	*lost = false;
	if (!runs && env->store == NULL)
		return err_set(&env->err, "the scheduler has stopped; start it with 'kahu serve'");
	if (!runs)
		return find_stopped(env, name, arena, out);
	if (client == NULL)
		return false;
	good = find_running(env, client, name, arena, out);
	*lost = client_is_lost(client);
	client_close(client);
	return good;
}

static bool find_one(struct cmd_env *env, struct watched *item, struct arena *arena, struct job_status *out)
{
	struct keeping keeping = {arena, out};
	struct following f = {.env = env, .change = keep, .self = &keeping};
	bool good, lost;
	int tries = 0;

	do
		good = find_once(env, &item->name, arena, &lost, out);
	while (lost && ++tries < TRIES);
	if (!good || out->phase != JOB_PHASE_UNKNOWN)
		return good;
	item->may_be_missing = false;
	return take_unknown(&f, item);
}

bool watch_find(struct cmd_env *env, char *word, struct arena *arena, struct job_status *out)
{
	struct watch w = {.item = NULL};
	bool good = watch_read(&w, env, &word, 1);

	if (good && w.item != NULL && w.count == 1)
		good = find_one(env, &w.item[0], arena, out);
	else if (good)
		good = err_set(&env->err, "%s matches %zu jobs; name one", word, w.count);
	if (good && out->label != NULL && is_whole_array(out->label))
		good = err_set(&env->err, "%s names all tasks of an array; name one, such as %" PRIu64 "[0]",
			       word, out->job);
	watch_clear(&w);
	return good;
}

bool watch_again(struct cmd_env *env, struct job_status *out)
{
	const struct job_ref name = {.job = out->job};
	bool runs, good;
	struct client *client = client_find(env->shell->store, &runs, NULL);
	struct job_status now;

	good = client != NULL && client_jobs(client, &name, 1, false, &now, NULL);
	if (good) {
		out->phase = now.phase;
		out->start_s = now.start_s;
	}
	client_close(client);
	return good;
}
