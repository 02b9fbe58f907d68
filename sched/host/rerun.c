/* SPDX-License-Identifier: MIT */
/*
 * rerun.c - replay of the journal, without one entry or under another policy
 *
 * The entries drive the clock: before an entry is processed, the replay runs all ends that are due and, with
 * RERUN_WHEN_DUE, all passes that are due. Entries with the same time keep their order. A recorded decision
 * shows that a pass took place after everything that had happened until then.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "driver.h"
#include "rerun_inside.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

/* --- jobs of the record ------------------------------------------------------------------------------- */

/*
 * A job that starts at a recorded time is ended by the recorded end. For any other job, an end after its
 * recorded run time is put into a queue of ends.
 */

/* Returns the index of a job in the record; record->jobs if the job is not in the record. */
static size_t rerun_place(const struct rerun *r, uint64_t id)
{
	const struct rerun_job *job = rerun_record_find(r->record, id);

	return job == NULL ? r->record->jobs : (size_t)(job - r->record->job);
}

/* Returns the job in the current state of the replay; NULL if it is neither idle nor running there. */
static const struct job *rerun_job_here(const struct rerun *r, uint64_t id)
{
	uint32_t slot = state_find(r->st, id);

	return slot == INDEX_NONE ? NULL : &snapshot_jobs(state_view(r->st))[slot];
}

static void note_facts(struct rerun *r, size_t place, const struct job *job)
{
	struct rerun_fate *fate = &r->fate[place];

	fate->wall_limit_s = job->wall_limit_s;
	fate->procs = job_procs(job);
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		fate->cred[type] = job->cred[type];
}

static void note_waiting(struct rerun *r, uint64_t id)
{
	size_t place = rerun_place(r, id);
	const struct job *job = rerun_job_here(r, id);

	if (place == r->record->jobs || job == NULL)
		return;
	r->fate[place].submit_s = job->submit_s;
	note_facts(r, place, job);
	if (job->label != 0)
		r->label[place] = arena_string(&r->arena, snapshot_string(state_view(r->st), job->label));
}

/* Did a recorded run of the job start at this time? */
static bool started_then(const struct rerun *r, const struct rerun_job *job, int64_t at_s)
{
	for (uint32_t i = job->stint; i != INDEX_NONE; i = r->record->stint[i].next)
		if (r->record->stint[i].start_s == at_s)
			return true;
	return false;
}

static void queue_end(struct rerun *r, size_t place, int64_t at_s)
{
	const struct rerun_job *job = &r->record->job[place];

	r->end_s[place] = at_s;
	ends_add(&r->ends,
		 &(struct ending){
			 .end_s = at_s, .job = job->id, .status = job->status, .at_limit = job->at_limit});
}

/*
 * Notes a start. Unless the recorded end applies, the job is to end after its recorded run time, or else at
 * its wallclock limit.
 */
static void note_start(struct rerun *r, const struct event *ev)
{
	size_t place = rerun_place(r, ev->job);
	const struct job *job = rerun_job_here(r, ev->job);
	struct rerun_fate *fate;
	int64_t run_s;

	if (place == r->record->jobs)
		return;
	fate = &r->fate[place];
	run_s = r->record->job[place].run_s;
	note_facts(r, place, job);
	fate->end_s = TIME_NONE;
	if (fate->start_s == TIME_NONE) {
		fate->start_s = event_start_s(ev);
		fate->rank = r->started++;
		fate->backfilled = ev->start.backfilled;
	}
	r->end_s[place] = TIME_NONE;
	if (!started_then(r, &r->record->job[place], event_start_s(ev)))
		queue_end(r, place, ev->time_s + (run_s >= 0 ? run_s : job->wall_limit_s));
}

/* Notes the end of a run. A job that is idle again has not ended. */
static void note_end(struct rerun *r, const struct event *ev)
{
	size_t place = rerun_place(r, ev->job);

	if (place == r->record->jobs)
		return;
	r->end_s[place] = TIME_NONE;
	if (rerun_job_here(r, ev->job) == NULL)
		r->fate[place].end_s = ev->time_s;
}

/* Notes that a running job was cancelled or requeued. It takes as long to end as it did in the record. */
static void note_asked(struct rerun *r, const struct event *ev)
{
	size_t place = rerun_place(r, ev->job);
	const struct job *job = rerun_job_here(r, ev->job);
	int64_t end_s;

	if (place == r->record->jobs || job == NULL || job->state != JOB_RUNNING ||
	    r->end_s[place] == TIME_NONE)
		return;
	end_s = ev->time_s + r->record->job[place].grace_s;
	if (end_s < r->end_s[place])
		queue_end(r, place, end_s);
}

/* Notes an event that was applied, whatever its origin. */
static void rerun_note(struct rerun *r, const struct event *ev)
{
	switch (ev->kind) {
	case EVENT_SUBMIT:
		for (uint32_t i = 0; i < job_record_tasks(&ev->submit); i++)
			note_waiting(r, ev->job + i);
		break;
	case EVENT_START:
		note_start(r, ev);
		break;
	case EVENT_END:
		note_end(r, ev);
		break;
	case EVENT_CANCEL:
	case EVENT_REQUEUE:
		note_asked(r, ev);
		break;
	default:
		break;
	}
}

static void rerun_make_fates(struct rerun *r)
{
	size_t count = r->record->jobs;
	const struct snapshot *s = state_view(r->st);

	r->fate = mem_zero(count + 1, sizeof *r->fate);
	r->end_s = mem_alloc((count + 1) * sizeof *r->end_s);
	r->label = mem_zero(count + 1, sizeof *r->label);
	for (size_t i = 0; i < count; i++) {
		r->fate[i].submit_s = r->fate[i].start_s = r->fate[i].end_s = TIME_NONE;
		r->end_s[i] = TIME_NONE;
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++)
		note_waiting(r, snapshot_jobs(s)[snapshot_waiting(s)[i].slot].id);
}

/* --- repeating actions of users, the resource manager and nodes -------------------------------------- */

/*
 * In the replay, entries have other numbers than in the journal, so the entry that an undo names must be
 * looked up. An action of a user that cannot be repeated is recorded as refused; a report about a job that
 * does not run in the replay is ignored.
 */

static void note_twin(struct rerun *r, uint64_t on_record, uint64_t here)
{
	r->twin = vec_room(r->twin, &r->twin_cap, r->twins + 1, sizeof *r->twin);
	r->twin[r->twins++] = (struct twin){on_record, here};
}

static int by_record(const void *left, const void *right)
{
	const struct twin *a = left, *b = right;

	return a->on_record < b->on_record ? -1 : a->on_record > b->on_record;
}

/* Returns the number in the replay of the entry with this number in the journal; 0: it was not repeated. */
static uint64_t twin_of(const struct rerun *r, uint64_t on_record)
{
	struct twin key = {.on_record = on_record};
	const struct twin *found;

	if (on_record <= r->record->first_seq)
		return on_record;
	if (r->twins == 0)
		return 0;
	found = bsearch(&key, r->twin, r->twins, sizeof key, by_record);
	return found == NULL ? 0 : found->here;
}

/*
 * Is it the undo or keep of a live setting, while another policy applies? Then live settings are not
 * repeated, and neither is the undo or keep.
 */
static bool is_of_the_policy(const struct rerun *r, const struct event *ev)
{
	uint64_t here = twin_of(r, ev->undo.seq);
	const struct change *change = here == 0 ? NULL : state_find_change(state_view(r->st), here);

	return r->other_policy && (change == NULL || change->kind == CHANGE_SETTING);
}

/* Does the undo or keep refer to the entry that is left out? */
static bool is_of_what_is_left_out(const struct rerun *r, const struct event *ev)
{
	return r->without != 0 && twin_of(r, ev->undo.seq) == 0;
}

/* Does the recorded end apply? It does not apply to a job that started at another time. */
static bool is_its_end(const struct rerun *r, const struct event *ev)
{
	size_t place = rerun_place(r, ev->job);
	const struct job *job = rerun_job_here(r, ev->job);

	return place < r->record->jobs && job != NULL && job->state == JOB_RUNNING &&
	       r->end_s[place] == TIME_NONE;
}

/* Must this entry, which is not a decision, be repeated? */
static bool rerun_happens_again(const struct rerun *r, const struct event *ev)
{
	switch (ev->kind) {
	case EVENT_SIM:
		return false;
	case EVENT_CONFIG:
	case EVENT_SETTING:
		return !r->other_policy;
	case EVENT_UNDO:
	case EVENT_KEEP:
		return !is_of_the_policy(r, ev) && !is_of_what_is_left_out(r, ev);
	case EVENT_END:
		return is_its_end(r, ev);
	default:
		return true;
	}
}

/*
 * Records the refusal of a user's action. A refused report about a job that does not run in the replay is
 * ignored.
 */
static void note_refusal(struct rerun *r, const struct event *ev, const struct err *err)
{
	struct str what = {0};

	if (ev->who != NULL && str_same_word(ev->who, "sched"))
		return;
	if (ev->kind == EVENT_SUBMIT)
		r->rejected += job_record_tasks(&ev->submit);
	if (r->refusals < REFUSALS_KEPT) {
		event_describe(ev, r->clock, &what);
		r->refusal[r->refusals] =
			(struct rerun_refusal){.time_s = ev->time_s,
					       .job = ev->job,
					       .what = arena_string(&r->arena, str_text(&what)),
					       .why = arena_string(&r->arena, err->text)};
		str_free(&what);
	}
	r->refusals++;
}

/*
 * Repeats the entry. Returns false if it cannot be repeated; if it is a user's action, the refusal is
 * recorded.
 */
static bool rerun_do_again(struct rerun *r, const struct event *ev)
{
	struct event copy = *ev;
	struct err err;

	if (ev->kind == EVENT_UNDO || ev->kind == EVENT_KEEP)
		copy.undo.seq = twin_of(r, ev->undo.seq);
	if (!event_apply(r->st, &copy, &err)) {
		note_refusal(r, ev, &err);
		return false;
	}
	if (event_can_undo(ev->kind))
		note_twin(r, ev->seq, copy.seq);
	if (ev->kind == EVENT_START)
		decision_hash_add(&r->hash, &copy);
	rerun_note(r, &copy);
	return true;
}

/*
 * Notes the number of the entry in which a pass of the replay has undone a temporary change, because a later
 * entry may undo it in turn.
 */
static void rerun_note_return(struct rerun *r, const struct event *ev)
{
	uint64_t undone = twin_of(r, ev->undo.seq);
	const struct snapshot *s = state_view(r->st);

	for (uint32_t i = snapshot_count(s, TABLE_CHANGES); i-- > 0 && undone != 0;) {
		const struct change *change = &snapshot_changes(s)[i];

		if (change->kind == CHANGE_UNDO && (uint64_t)change->number == undone) {
			note_twin(r, ev->seq, change->seq);
			return;
		}
	}
}

/* --- the policy --------------------------------------------------------------------------------------- */

/*
 * The recorded policy applies, or another configuration replaces it from the beginning. Settings may
 * override either of them.
 */

static bool apply(struct rerun *r, struct event ev, struct err *err)
{
	ev.time_s = r->now_s;
	ev.who = "sched";
	return event_apply(r->st, &ev, err);
}

/* Undoes all live settings, the newest first, so that each can still be undone. */
static bool undo_settings(struct rerun *r, struct err *err)
{
	for (uint32_t i = snapshot_count(state_view(r->st), TABLE_CHANGES); i-- > 0;) {
		const struct change *change = &snapshot_changes(state_view(r->st))[i];

		if (change->kind == CHANGE_SETTING && change->dead == 0 &&
		    !apply(r, (struct event){.kind = EVENT_UNDO, .undo = {.seq = change->seq}}, err))
			return false;
	}
	return true;
}

/* Applies the configuration and the settings of the setup; called once, before the first entry. */
static bool rerun_configure(struct rerun *r, const struct rerun_setup *setup, struct err *err)
{
	if (setup->config_text != NULL &&
	    (!undo_settings(r, err) ||
	     !apply(r,
		    (struct event){.kind = EVENT_CONFIG,
				   .config = {.file = setup->config_file, .text = setup->config_text}},
		    err)))
		return false;
	for (size_t i = 0; i < setup->set_count; i++)
		if (!apply(r,
			   (struct event){
				   .kind = EVENT_SETTING,
				   .setting = {.name = setup->set_name[i], .value = setup->set_value[i]}},
			   err))
			return false;
	return true;
}

/* --- passes and entries in order ---------------------------------------------------------------------- */

/*
 * Maximum number of consecutive passes at the same time. A pass that starts jobs makes the next pass due at
 * once, but more passes than this are a fault.
 */
#define PASSES_AT_ONCE 10000

/* --- passes and ends ------------------------------------------------------------------------------- */

static void move_to(struct rerun *r, int64_t now_s)
{
	const struct snapshot *s = state_view(r->st);
	double dt = (double)(now_s - r->now_s);

	r->busy_ps += dt * (double)s->procs_busy;
	r->there_ps += dt * (double)s->procs_total;
	r->now_s = now_s;
}

/* Undoes as many expired changes as the driver does in a step. Returns false if there are more. */
static bool take_returns(struct rerun *r)
{
	struct event ev = {.time_s = r->now_s, .who = "sched"};
	uint32_t at = UINT32_MAX;

	for (unsigned taken = 0; event_returns(r->st, r->now_s, &at, &ev); taken++) {
		if (taken == DRIVER_RETURNS_MOST)
			return false;
		if (!event_apply(r->st, &ev, NULL))
			return true;
		r->ahead++;
	}
	return true;
}

static bool take_drops(struct rerun *r)
{
	struct event ev = {.time_s = r->now_s, .who = "sched"};
	char cause[EVENT_CAUSE_TEXT];
	uint32_t at = 0;

	for (unsigned taken = 0; event_drops(r->st, &at, &ev, cause); taken++) {
		if (taken == DRIVER_RETURNS_MOST)
			return false;
		if (!event_apply(r->st, &ev, NULL))
			return true;
		r->ahead++;
	}
	return true;
}

/* Applies the decisions of a pass. They are never refused, because the pass made them for this state. */
static void take_decisions(struct rerun *r, const struct cycle_result *result)
{
	struct event ev = {.time_s = r->now_s, .who = "sched"};

	r->enact.result = result;
	r->enact.at = 0;
	while (enact_next(&r->enact, &ev)) {
		if (!event_apply(r->st, &ev, NULL))
			continue;
		r->ahead++;
		decision_hash_add(&r->hash, &ev);
		rerun_note(r, &ev);
	}
	if (event_counts_pass(state_view(r->st), &ev) && event_apply(r->st, &ev, NULL))
		r->ahead++;
}

static void pass(struct rerun *r)
{
	struct cycle_result result;
	bool all;

	r->ahead = 0;
	all = take_returns(r);
	r->dirty = !take_drops(r) || !all;
	if (r->dirty)
		return; /* like the driver: no pass while expired changes or jobs to be cancelled are left */
	r->at_once = r->last_pass_s == r->now_s ? r->at_once + 1 : 0;
	cycle_run(r->cycle, state_view(r->st), r->now_s, false, &result);
	r->passes++;
	take_decisions(r, &result);
	r->due_s = result.next_due_s;
	if (r->at_once > PASSES_AT_ONCE && r->due_s <= r->now_s)
		r->due_s = r->now_s + 1;
	r->last_pass_s = r->now_s;
}

/*
 * Applies the ends that are due. If a job was restarted, cancelled or requeued, an older end of it may still
 * be in the queue; it is skipped.
 */
static void take_ends(struct rerun *r)
{
	while (ends_next_s(&r->ends) <= r->now_s) {
		struct ending ending = ends_take(&r->ends);
		size_t place = rerun_place(r, ending.job);
		struct event ev = {.kind = EVENT_END,
				   .time_s = r->now_s,
				   .who = "sched",
				   .job = ending.job,
				   .end = {.status = ending.status, .at_limit = ending.at_limit}};

		if (r->end_s[place] != ending.end_s || !event_apply(r->st, &ev, NULL))
			continue;
		rerun_note(r, &ev);
		r->dirty = true;
	}
}

static int64_t next_s(const struct rerun *r)
{
	int64_t next_s = ends_next_s(&r->ends), due_s = r->dirty ? r->now_s : r->due_s;

	return r->pace == RERUN_WHEN_DUE && due_s < next_s ? due_s : next_s;
}

/*
 * Advances the clock to to_s: runs the ends and, with RERUN_WHEN_DUE, the passes that are due before that
 * time, and the ends at that time.
 */
static void advance(struct rerun *r, int64_t to_s)
{
	for (int64_t at_s; (at_s = next_s(r)) < to_s;) {
		move_to(r, at_s > r->now_s ? at_s : r->now_s);
		take_ends(r);
		if (r->pace == RERUN_WHEN_DUE && (r->dirty || r->due_s <= r->now_s))
			pass(r);
	}
	move_to(r, to_s);
	take_ends(r);
}

/*
 * Prepares for the first entry. With RERUN_AS_RECORDED, the entries show when passes take place. With
 * RERUN_WHEN_DUE, the initial state does not contain the time of the next pass: under the same policy, a
 * pass at the time of the last event finds it and decides nothing, because everything had been decided;
 * under another policy, the first pass is at the beginning of the record.
 */
static void begin(struct rerun *r, bool same_policy)
{
	int64_t before_s = state_view(r->st)->now_s; /* TIME_NONE: there has been no event yet */

	r->dirty = r->pace == RERUN_WHEN_DUE;
	if (!same_policy || !r->dirty || before_s == TIME_NONE)
		return;
	r->now_s = before_s;
	pass(r);
	advance(r, r->record->from_s);
	r->busy_ps = r->there_ps = 0;
}

/* --- entries --------------------------------------------------------------------------------------- */

/*
 * Makes the next pass due after an entry was repeated: at once, or, if a start failed and the job is not
 * deferred, when the start is to be tried again.
 */
static void look_again(struct rerun *r, const struct event *ev)
{
	bool failed_start = ev->kind == EVENT_DEFER && ev->defer.failed_start;
	int64_t poll_s = state_view(r->st)->policy.poll_interval_s, again_s;

	if (!failed_start || (ev->defer.until_s != TIME_NONE && !ev->defer.retry)) {
		r->dirty = true;
		return;
	}
	again_s = ev->defer.retry ? ev->defer.until_s : r->now_s + (poll_s > 0 ? poll_s : 1);
	if (again_s < r->due_s)
		r->due_s = again_s;
}

/*
 * Processes a recorded decision. Runs a pass first if the last pass of the replay cannot have made this
 * decision: if something has happened since that pass, if another pass is due, or, with RERUN_AS_RECORDED, if
 * that pass was at another time.
 */
static void decide_again(struct rerun *r, const struct event *ev)
{
	bool other = r->dirty || (r->ahead == 0 && r->due_s <= r->now_s) ||
		     (r->pace == RERUN_AS_RECORDED && r->last_pass_s != r->now_s);

	if (other)
		pass(r);
	if (r->ahead > 0)
		r->ahead--;
	if (ev->kind == EVENT_UNDO)
		rerun_note_return(r, ev);
}

/*
 * Is it the start of a job that was already running when it was first read from a watched manager? No pass of
 * the replay can decide such a start, so it is repeated.
 */
static bool ran_before(const struct rerun *r, const struct event *ev)
{
	const struct rerun_job *job =
		ev->kind == EVENT_START && ev->start.reported ? rerun_record_find(r->record, ev->job) : NULL;

	return job != NULL && job->entered_s != TIME_NONE && event_start_s(ev) < job->entered_s;
}

bool rerun_take(struct rerun *r, const struct event *ev)
{
	if (ev->time_s > r->record->until_s)
		return false;
	advance(r, ev->time_s > r->now_s ? ev->time_s : r->now_s);
	if (rerun_is_decision(ev) && (r->pace == RERUN_FACTS || ran_before(r, ev)))
		(void)rerun_do_again(r, ev);
	else if (rerun_is_decision(ev))
		decide_again(r, ev);
	else if (ev->seq != r->without && rerun_happens_again(r, ev) && rerun_do_again(r, ev))
		look_again(r, ev);
	return true;
}

void rerun_finish(struct rerun *r)
{
	advance(r, r->record->until_s > r->now_s ? r->record->until_s : r->now_s);
	while (r->pace == RERUN_WHEN_DUE && (r->dirty || r->due_s <= r->now_s))
		pass(r);
}

/* --- creating and freeing a replay ------------------------------------------------------------------ */

struct rerun *rerun_new(const struct rerun_setup *setup, struct err *err)
{
	struct rerun *r;

	/* otherwise, run times and wait times would be differences of times on two clocks */
	if (setup->record->clock != 0) {
		err_set(err,
			"the system clock was set in entry %llu of the journal; entries before and after it "
			"cannot be replayed together",
			(unsigned long long)setup->record->clock);
		return NULL;
	}
	r = mem_zero(1, sizeof *r);
	r->record = setup->record;
	r->pace = setup->pace;
	r->other_policy = setup->config_text != NULL;
	r->without = setup->without;
	r->clock = setup->clock;
	r->st = state_from_snapshot(setup->from);
	r->cycle = cycle_new();
	r->now_s = setup->record->from_s;
	r->due_s = TIME_NEVER;
	r->last_pass_s = TIME_NONE;
	r->hash = DECISION_HASH_BEGIN;
	rerun_make_fates(r);
	if (!rerun_configure(r, setup, err)) {
		rerun_free(r);
		return NULL;
	}
	begin(r, !r->other_policy && setup->set_count == 0);
	return r;
}

void rerun_free(struct rerun *r)
{
	if (r == NULL)
		return;
	enact_clear(&r->enact);
	free(r->fate);
	free(r->end_s);
	free(r->label);
	free(r->twin);
	ends_clear(&r->ends);
	arena_free(&r->arena);
	cycle_free(r->cycle);
	state_free(r->st);
	free(r);
}

/* --- results ------------------------------------------------------------------------------------------ */

const struct rerun_record *rerun_of(const struct rerun *r)
{
	return r->record;
}

int64_t rerun_run_s(const struct rerun *r, size_t job)
{
	const struct rerun_fate *fate = &r->fate[job];
	int64_t run_s = r->record->job[job].run_s;

	if (run_s >= 0)
		return run_s;
	if (fate->start_s == TIME_NONE || fate->end_s == TIME_NONE)
		return fate->wall_limit_s;
	return fate->end_s - fate->start_s;
}

const struct rerun_fate *rerun_fates(const struct rerun *r)
{
	return r->fate;
}

const struct snapshot *rerun_view(const struct rerun *r)
{
	return state_view(r->st);
}

const char *rerun_label(const struct rerun *r, size_t job, char buf[static JOB_LABEL_TEXT])
{
	if (r->label[job] != NULL)
		return r->label[job];
	snprintf(buf, JOB_LABEL_TEXT, "%" PRIu64, r->record->job[job].id);
	return buf;
}

const struct rerun_refusal *rerun_refusals(const struct rerun *r, size_t *kept, uint64_t *all)
{
	*kept = r->refusals < REFUSALS_KEPT ? (size_t)r->refusals : REFUSALS_KEPT;
	*all = r->refusals;
	return r->refusal;
}

void rerun_summarise(const struct rerun *r, struct replay_summary *out)
{
	struct replay_sums sums = {.wait_s = NULL};
	int64_t first_s = TIME_NEVER, last_s = TIME_NONE;

	*out = (struct replay_summary){
		.rejected = r->rejected, .cycles = r->passes, .decisions_hash = r->hash};
	for (size_t i = 0; i < r->record->jobs; i++) {
		const struct rerun_fate *fate = &r->fate[i];

		if (fate->submit_s == TIME_NONE)
			continue;
		out->jobs++;
		if (fate->submit_s < first_s)
			first_s = fate->submit_s;
		if (fate->end_s != TIME_NONE && fate->end_s > last_s)
			last_s = fate->end_s;
		if (fate->start_s != TIME_NONE)
			replay_sum_job(&sums, fate->start_s - fate->submit_s, rerun_run_s(r, i),
				       fate->wall_limit_s, fate->backfilled);
		else
			out->not_started++;
	}
	replay_sums_tell(&sums, out);
	free(sums.wait_s);
	if (out->jobs > 0)
		out->first_submit_s = first_s;
	if (last_s != TIME_NONE)
		out->makespan_s = last_s - first_s;
	if (r->there_ps > 0)
		out->utilization = r->busy_ps / r->there_ps;
}

/* --- why a job does not start as recorded --------------------------------------------------------------- */

/*
 * The same policy makes the same decisions from the same state. So where the replay differs from the record,
 * some action could not be repeated at that time or earlier; actions that failed later are a consequence.
 */

/* Returns the earlier of the job's starts in the record and in the replay. */
static int64_t apart_s(const struct rerun *r, size_t job)
{
	int64_t then_s = rerun_of(r)->job[job].start_s, now_s = rerun_fates(r)[job].start_s;

	if (then_s == TIME_NONE || now_s == TIME_NONE)
		return then_s == TIME_NONE ? now_s : then_s;
	return then_s < now_s ? then_s : now_s;
}

const struct rerun_refusal *rerun_cause(const struct rerun *r, size_t job)
{
	int64_t until_s = apart_s(r, job);
	const struct rerun_refusal *refusal, *last = NULL;
	uint64_t all;
	size_t kept;

	refusal = rerun_refusals(r, &kept, &all);
	for (size_t i = 0; i < kept && refusal[i].time_s <= until_s; i++)
		if (last == NULL || last->job != rerun_of(r)->job[job].id ||
		    refusal[i].job == rerun_of(r)->job[job].id)
			last = &refusal[i];
	return last;
}
