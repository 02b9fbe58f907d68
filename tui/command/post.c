/* SPDX-License-Identifier: MIT */
/*
 * post.c - posting the changes of a verb
 *
 * The changes of a verb are posted together: all are made or none, except that jobs whose state has changed
 * meanwhile are left out (post_chosen). Each change is printed with the number of its journal entry, which
 * `kahu undo` accepts.
 */
#include "post.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "never_starts.h"
#include "sched/base/vec.h"
#include "sched/rm/system_clock.h"
#include "sched/state/state.h"
#include "sched/state/undo_plan.h"
#include "tui/draw/text.h"
#include "tui/report/field.h"
#include "tui/serve/admission.h"
#include "tui/serve/authorization.h"
#include "tui/serve/client.h"
#include "tui/serve/ended_cache.h"
#include "tui/serve/session.h"

/* --- changes without effect --------------------------------------------------------------------------- */

/* Prints the current value of what the event sets: an attribute, or the priority set by an operator. */
static void print_present(const struct snapshot *s, const struct event *ev, struct str *out)
{
	uint32_t slot = snapshot_find_job(s, ev->job);
	const struct job *job = &snapshot_jobs(s)[slot];
	const char *qos = snapshot_job_cred(s, job, CRED_QOS);

	if (ev->kind == EVENT_PRIORITY)
		str_addf(out, "%d %lld", job->adjust, (long long)job->points);
	else if (str_same_word(ev->modify.name, "qos") && qos != NULL && ev->modify.value[0] != '\0')
		str_add(out, qos); /* the QOS requested or assigned */
	else
		state_print_attribute(s, job, state_find_attribute(ev->modify.name), out);
}

/* Would the event leave the job unchanged? Applies it to st, unless the state refuses it. */
static bool sets_nothing(struct state *st, const struct event *ev)
{
	struct str before = {0}, after = {0};
	struct event timely = *ev;
	bool same;

	timely.time_s = state_view(st)->now_s;
	if (!event_check(st, &timely, NULL))
		return false;
	print_present(state_view(st), ev, &before);
	event_apply(st, &timely, NULL);
	print_present(state_view(st), ev, &after);
	same = strcmp(str_text(&before), str_text(&after)) == 0;
	str_free(&before);
	str_free(&after);
	return same;
}

static bool is_of_job(const struct event *ev)
{
	return ev->kind == EVENT_PRIORITY || ev->kind == EVENT_MODIFY;
}

/*
 * Does the event change nothing? The earlier events of the request have been applied to st; if this event
 * changes something, it is applied too.
 */
static bool changes_nothing(struct state *st, const struct event *ev)
{
	struct event timely = *ev;

	if (is_of_job(ev))
		return sets_nothing(st, ev);
	if (ev->until_s == 0 &&
	    undo_plan_is_same_setting(state_view(st), ev->setting.name, ev->setting.value))
		return true;
	timely.time_s = state_view(st)->now_s;
	event_apply(st, &timely, NULL);
	return false;
}

/*
 * Removes events that set an attribute or the priority of a job, or an option, to its current value. Adds a
 * note for each.
 */
static void drop_unchanged(const struct snapshot *s, struct cmd_changes *changes)
{
	struct state *st = NULL;
	struct str what = {0};
	size_t kept = 0;

	for (size_t i = 0; i < changes->count; i++) {
		const struct event *ev = &changes->event[i];

		bool sets = is_of_job(ev) || ev->kind == EVENT_SETTING;

		if (st == NULL && sets)
			st = state_from_snapshot(s);
		if (!sets || !changes_nothing(st, ev)) {
			changes->event[kept++] = *ev;
			continue;
		}
		str_clear(&what);
		cmd_describe(s, ev, &what);
		cmd_add_note(changes, CMD_NOTE_NOTHING, 0, str_text(&what));
	}
	changes->count = kept;
	state_free(st);
	str_free(&what);
}

/* --- output ------------------------------------------------------------------------------------------- */

#define SHOWN_MAX 20

/* Prints the notes, with a title before each kind. Verbs add the notes about what cannot be undone first. */
static void print_notes(const struct cmd_env *env)
{
	const struct cmd_changes *changes = env->changes;

	for (size_t i = 0; i < changes->notes; i++) {
		const struct cmd_note *note = &changes->note[i];

		if (i == 0 || note->kind != note[-1].kind)
			str_addf(env->out, "%s:\n", cmd_note_title(note->kind));
		str_add(env->out, "  ");
		if (note->seq != 0 && note->kind != CMD_NOTE_CANNOT)
			str_addf(env->out, "%" PRIu64 "  ", note->seq);
		text_safe(env->out, note->text, env->ascii);
		str_add_char(env->out, '\n');
	}
}

/*
 * The object that posted_fields describe: changes that have been posted, or that would be (--dry-run), and
 * their effect.
 */
struct posted {
	const struct cmd_env *env;
	const struct snapshot *s;
	const char *effect;
	const char *needs; /* why the changes need a --reason; NULL: they need none */
};

struct posted_change {
	const char *what;
	uint64_t seq; /* journal entry of the change; 0 = none */
};

static void each_change(const void *item, field_visit *visit, void *self)
{
	const struct posted *p = item;
	struct str what = {0};

	for (size_t i = 0; i < p->env->changes->count; i++) {
		const struct event *ev = &p->env->changes->event[i];

		str_clear(&what);
		cmd_describe(p->s, ev, &what);
		visit(self, &(struct posted_change){str_text(&what), p->env->dry_run ? 0 : ev->seq});
	}
	str_free(&what);
}

struct shown_changes {
	const struct cmd_env *env;
	size_t count;
};

static void print_change(void *self, const void *item)
{
	const struct posted_change *change = item;
	struct shown_changes *shown = self;
	const struct cmd_env *env = shown->env;

	if (shown->count++ >= SHOWN_MAX)
		return;
	if (env->dry_run)
		str_add(env->out, "would ");
	text_safe(env->out, change->what, env->ascii);
	if (!env->dry_run)
		str_addf(env->out, "  [journal %" PRIu64 "]", change->seq);
	str_add_char(env->out, '\n');
}

static void print_posted(const struct posted *p)
{
	struct shown_changes shown = {p->env, 0};
	struct str *out = p->env->out;

	print_notes(p->env);
	each_change(p, print_change, &shown);
	if (shown.count > SHOWN_MAX)
		str_addf(out, "and %zu more\n", shown.count - SHOWN_MAX);
	str_addf(out, "%s\n", p->effect);
	if (p->needs != NULL)
		str_addf(out, "needs a reason: %s\n", p->needs);
}

static bool get_note_kind(const void *item, struct value *out)
{
	static const char *const key[] = {
		[CMD_NOTE_CANNOT] = "cannot", [CMD_NOTE_NOTHING] = "nothing", [CMD_NOTE_DOES] = "done",
		[CMD_NOTE_STAYS] = "stays",   [CMD_NOTE_OTHERS] = "others",
	};

	out->text = key[((const struct cmd_note *)item)->kind];
	return true;
}

static const struct field note_fields[] = {{"kind", NULL, FIELD_TEXT, .get = get_note_kind},
					   {"seq", NULL, FIELD_COUNT, FIELD_OR_NULL(struct cmd_note, seq, 0)},
					   {"text", NULL, FIELD_TEXT, FIELD_AT(struct cmd_note, text)},
					   {0}};

static void each_note(const void *item, field_visit *visit, void *self)
{
	const struct cmd_changes *changes = ((const struct posted *)item)->env->changes;

	for (size_t i = 0; i < changes->notes; i++)
		visit(self, &changes->note[i]);
}

static const struct field change_fields[] = {
	{"what", NULL, FIELD_TEXT, FIELD_AT(struct posted_change, what)},
	{"seq", NULL, FIELD_COUNT, FIELD_OR_NULL(struct posted_change, seq, 0)},
	{0}};

static bool get_applied(const void *item, struct value *out)
{
	const struct cmd_env *env = ((const struct posted *)item)->env;

	out->whole = !env->dry_run && env->changes->count > 0;
	return true;
}

static const struct field posted_fields[] = {
	{"applied", NULL, FIELD_BOOL, .get = get_applied},
	{"effect", NULL, FIELD_TEXT, FIELD_AT(struct posted, effect)},
	{"notes", NULL, FIELD_LIST, .of = note_fields, .each = each_note},
	{"needs_reason", NULL, FIELD_TEXT, FIELD_AT(struct posted, needs)},
	{"changes", NULL, FIELD_LIST, .of = change_fields, .each = each_change},
	{0}};

/* Are all changes submissions? Then only the IDs are printed, for scripts. */
static bool only_submissions(const struct cmd_changes *changes)
{
	for (size_t i = 0; i < changes->count; i++)
		if (changes->event[i].kind != EVENT_SUBMIT)
			return false;
	return true;
}

/*
 * Visits the IDs of submitted jobs. The ID of an array is followed by "[]", the form that other verbs accept.
 */
static void each_id(const void *item, field_visit *visit, void *self)
{
	const struct cmd_changes *changes = item;
	char id[32];

	for (size_t i = 0; i < changes->count; i++) {
		const struct event *ev = &changes->event[i];

		snprintf(id, sizeof id, "%" PRIu64 "%s", ev->job,
			 ev->submit.range_count > 0 && !changes->slurm ? "[]" : "");
		visit(self, id);
	}
}

static const struct field id_fields[] = {{NULL, "", FIELD_TEXT, .held = HELD_ITEM}, {0}};

static void print_id(void *self, const void *item)
{
	const struct cmd_env *env = self;

	str_addf(env->out, "%s%s\n",
		 env->changes->slurm && !env->changes->terse ? "Submitted batch job " : "",
		 (const char *)item);
}

static void print_ids(struct cmd_env *env)
{
	if (env->json)
		fields_array(env->out, id_fields, 0, each_id, env->changes);
	else
		each_id(env->changes, print_id, env);
}

/* --- posting ------------------------------------------------------------------------------------------ */

/*
 * Checks submissions to a stopped store and sets their user, as a running scheduler does. The time is that of
 * the system clock; in a simulation that of the store, in a replay that of the log. Returns false with
 * env->err set on failure.
 */
static bool sign_submissions(struct cmd_env *env, const struct driver *driver)
{
	const struct snapshot *s = driver_view(driver);
	struct users *users = users_new();
	struct authorization authorization = {.by = users_find(users, s, geteuid(), getegid()),
					      .st = driver_state(driver),
					      .now_s = env->replay != NULL ? env->now_s
						       : s->sim.active     ? s->now_s
									   : system_clock_s()};
	struct ended_cache *ended_cache = env->store != NULL ? ended_cache_new((struct ledger){0}) : NULL;
	bool good;

	if (authorization.now_s < s->now_s)
		authorization.now_s = s->now_s;
	if (ended_cache != NULL &&
	    ended_cache_recall(ended_cache, env->store, authorization.now_s - ENDED_CACHE_RECALLED_S, NULL))
		authorization.ended_cache = ended_cache;
	good = authorize_events(&authorization, env->changes->event, env->changes->count,
				&env->changes->arena, &env->err);
	users_free(users);
	ended_cache_free(ended_cache);
	return good;
}

/* In a replay, submitted jobs have no script and run up to their wallclock limits. */
static void simulate(struct cmd_changes *changes)
{
	for (size_t i = 0; i < changes->count; i++) {
		struct job_record *record = &changes->event[i].submit;

		record->job.true_run_s = INT32_MAX;
		record->job.real = 0;
		record->launch = NULL;
		record->launch_size = 0;
	}
}

/*
 * Refuses job changes that contain unknown names, such as a QOS that does not exist, as a running scheduler
 * does. Returns false with err set if it refuses one.
 */
static bool knows_names(const struct driver *driver, const struct cmd_changes *changes, struct err *err)
{
	for (size_t i = 0; i < changes->count; i++) {
		const struct event *ev = &changes->event[i];

		if (ev->kind == EVENT_MODIFY && ev->modify.name != NULL && ev->modify.value != NULL &&
		    !admission_check_modify(NULL, driver_state(driver), ev->modify.name, ev->modify.value,
					    err))
			return false;
	}
	return true;
}

/*
 * Posts the changes to a driver in this process. Sets the user of submissions; verbs have set the user of
 * other changes.
 */
static enum driver_outcome post_here(struct cmd_env *env, struct driver *driver)
{
	struct cmd_changes *changes = env->changes;

	if (only_submissions(changes) && !sign_submissions(env, driver))
		return DRIVER_REFUSED;
	if (!knows_names(driver, changes, &env->err))
		return DRIVER_REFUSED;
	if (only_submissions(changes) && env->replay != NULL)
		simulate(changes);
	return driver_post(driver, changes->event, changes->count, &env->err);
}

/*
 * Called if the scheduler has ended before it answered. Posts the changes that the scheduler did not make to
 * a driver in this process.
 */
static enum driver_outcome post_instead(struct cmd_env *env, const struct post_to *to)
{
	struct cmd_changes *changes = env->changes;
	struct driver *driver = to->instead != NULL ? to->instead(to->self) : NULL;
	bool made;

	if (driver == NULL ||
	    !client_recall(to->client, driver, changes->event, &changes->count, &made, &env->err))
		return DRIVER_FAILED;
	return made ? DRIVER_DONE : post_here(env, driver);
}

static enum driver_outcome post_events(struct cmd_env *env, const struct post_to *to)
{
	struct cmd_changes *changes = env->changes;
	enum driver_outcome outcome;

	if (to->driver != NULL)
		return post_here(env, to->driver);
	outcome = client_post(to->client, changes->event, changes->count, &env->err);
	if (outcome == DRIVER_FAILED && client_is_lost(to->client))
		outcome = post_instead(env, to);
	return outcome;
}

/* Makes a submission wait for the user's jobs with the same name (--dependency=singleton). */
static void add_namesakes(struct cmd_env *env, const struct snapshot *s, struct event *ev)
{
	const struct job *jobs = snapshot_jobs(s);
	const char *user = session_user();
	uint32_t jobs_count = snapshot_count(s, TABLE_JOBS), count = ev->submit.depend_count;
	struct depend *depend = cmd_own_bytes(env, ((size_t)count + jobs_count + 1) * sizeof *depend);

	for (uint32_t i = 0; i < count; i++)
		depend[i] = ev->submit.depend[i];
	for (uint32_t i = 0; i < jobs_count; i++) {
		const char *owner =
			jobs[i].state == JOB_NONE ? NULL : snapshot_job_cred(s, &jobs[i], CRED_USER);

		if (owner == NULL || strcmp(owner, user) != 0 || jobs[i].name == 0 ||
		    strcmp(snapshot_string(s, jobs[i].name), ev->submit.name) != 0)
			continue;
		if (jobs[i].array != 0 && count > 0 && depend[count - 1].on == jobs[i].array)
			continue; /* an array counts once */
		depend[count++] = (struct depend){.on = jobs[i].array != 0 ? jobs[i].array : jobs[i].id,
						  .type = DEPEND_COMPLETE,
						  .of = jobs[i].array != 0 ? DEPEND_ON_ARRAY : DEPEND_ON_JOB};
	}
	ev->submit.depend = depend;
	ev->submit.depend_count = count;
}

static bool follow_namesakes(struct cmd_env *env, const struct post_to *to)
{
	int64_t now_s;
	const struct snapshot *s =
		to->driver != NULL ? driver_view(to->driver) : client_state(to->client, &now_s, &env->err);

	for (size_t i = 0; s != NULL && i < env->changes->count; i++)
		add_namesakes(env, s, &env->changes->event[i]);
	return s != NULL;
}

static enum cmd_status post_submissions(struct cmd_env *env, const struct post_to *to)
{
	enum driver_outcome outcome;

	if (env->changes->singleton && !follow_namesakes(env, to))
		return CMD_FAILED;
	if (!env->changes->forced && env->replay == NULL &&
	    !submissions_can_start(env, to->client, to->driver != NULL ? driver_view(to->driver) : NULL))
		return CMD_REFUSED;
	outcome = post_events(env, to);
	if (outcome == DRIVER_DONE)
		print_ids(env);
	return post_status(outcome);
}

/*
 * Posts changes of several jobs. If the state of some jobs has changed since they were selected, only the
 * others are changed. Changes that exceed the number allowed for a request are posted in several requests.
 */
static enum driver_outcome post_chosen(struct cmd_env *env, const struct post_to *to)
{
	struct cmd_changes *changes = env->changes;
	size_t most = (size_t)env->s->policy.site.request_events;
	enum driver_outcome outcome;
	uint8_t *was;

	if (to->client == NULL || changes->count < 2)
		return post_events(env, to);
	was = client_states(env->s, changes->event, changes->count);
	outcome = client_post_left(to->client, changes->event, &changes->count, was, &env->err);
	if (outcome == DRIVER_REFUSED && changes->count > most)
		outcome =
			client_post_parts(to->client, changes->event, &changes->count, was, most, &env->err);
	free(was);
	if (outcome == DRIVER_FAILED && client_is_lost(to->client))
		outcome = post_instead(env, to);
	return outcome;
}

/* Refuses to undo only some of the changes, which needs --what-can-be. */
static enum cmd_status refuse_part(struct cmd_env *env)
{
	size_t cannot = cmd_count_notes(env->changes, CMD_NOTE_CANNOT);

	if (!env->json)
		print_notes(env);
	err_set(&env->err,
		"%zu of %zu changes cannot be undone, so nothing was undone; --what-can-be undoes the others",
		cannot, cannot + env->changes->count);
	return CMD_REFUSED;
}

static enum driver_outcome ask_reason(struct cmd_env *env, const char *needs)
{
	err_set(&env->err, "a reason is required (--reason TEXT): %s; nothing was changed", needs);
	return DRIVER_REFUSED;
}

enum cmd_status post_changes(struct cmd_env *env, const struct post_to *to)
{
	struct cmd_changes *changes = env->changes;
	enum driver_outcome outcome = DRIVER_DONE;
	struct str effect = {0}, needs = {0};

	if (changes->count == 0)
		return CMD_DONE;
	if (only_submissions(changes))
		return post_submissions(env, to);
	if (changes->partial && !env->dry_run)
		return refuse_part(env);
	drop_unchanged(env->s, changes);
	if (changes->count == 0)
		str_add(&effect, "nothing is changed");
	else if (!cmd_preview(env->s, env->now_s, env->dry_run, changes, &effect, &env->err))
		outcome = DRIVER_REFUSED;
	else if (cmd_needs_reason(env->s, env->now_s, changes, &needs) && !env->dry_run)
		outcome = ask_reason(env, str_text(&needs));
	else if (!env->dry_run)
		outcome = post_chosen(env, to);
	if (outcome == DRIVER_DONE) {
		const struct posted posted = {
			.env = env,
			.s = env->dry_run || to->driver == NULL ? env->s : driver_view(to->driver),
			.effect = str_text(&effect),
			.needs = needs.len > 0 ? str_text(&needs) : NULL};

		if (env->json)
			fields_document(env->out, posted_fields, 0, &posted);
		else
			print_posted(&posted);
	}
	str_free(&effect);
	str_free(&needs);
	return post_status(outcome);
}
