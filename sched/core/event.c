/* SPDX-License-Identifier: MIT */
/*
 * event.c - how does each happening change the state, and when is it refused?
 *
 * One row per kind: check says in a sentence why not, apply cannot fail after it. A new
 * kind of event is a new row here, a new record in the store's codec, and nothing else.
 */
#include "event.h"

#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"

static const char *label_of(const struct snapshot *s, uint32_t slot, char buf[static JOB_LABEL_TEXT])
{
	return snapshot_job_label(s, &snapshot_jobs(s)[slot], buf);
}

/* The slot of the event's job if the state table allows the action now. */
static bool check_action(const struct state *st, const struct event *ev, enum job_action action,
			 const char *what, struct err *err)
{
	uint32_t slot = state_find(st, ev->job);
	const struct job *job;
	char label[JOB_LABEL_TEXT], when[MOMENT_TEXT];

	if (slot == INDEX_NONE)
		return err_set(err, "job %llu is not here: it never was, or it has ended",
			       (unsigned long long)ev->job);
	job = &snapshot_jobs(state_view(st))[slot];
	if (job_next((enum job_state)job->state, action) != JOB_STATE_COUNT)
		return true;
	if (job->state == JOB_RUNNING)
		return err_set(err, "job %s runs since %s; %s acts only on waiting jobs",
			       label_of(state_view(st), slot, label), moment_iso(when, job->start_s), what);
	return err_set(err, "job %s is %s; %s does not apply", label_of(state_view(st), slot, label),
		       job_state_name((enum job_state)job->state), what);
}

/* --- configuration and machine -------------------------------------------------------- */

static bool check_config(const struct state *st, const struct event *ev, struct err *err)
{
	struct state *copy = state_from_snapshot(state_view(st));
	bool ok = state_set_config(copy, ev->config.file, ev->config.text, err);

	state_free(copy);
	return ok;
}

static void apply_config(struct state *st, const struct event *ev)
{
	state_set_config(st, ev->config.file, ev->config.text, NULL);
}

static bool check_node(const struct state *st, const struct event *ev, struct err *err)
{
	const struct node_record *record = &ev->node;
	uint32_t busy, at;

	if (record->name == NULL || record->name[0] == '\0')
		return err_set(err, "a node was reported without a name");
	if (record->mem_mb < 0 || record->swap_mb < 0 || record->disk_mb < 0)
		return err_set(err, "node %s was reported with less than no memory or disk", record->name);
	at = state_find_node(st, record->name);
	busy = at == INDEX_NONE ? 0 : snapshot_nodes(state_view(st))[at].procs_busy;
	if (record->procs < busy)
		return err_set(err, "node %s was reported with %u processors, its running jobs use %u",
			       record->name, record->procs, busy);
	return true;
}

static void apply_node(struct state *st, const struct event *ev)
{
	state_add_node(st, &ev->node);
}

static bool check_nothing(const struct state *st, const struct event *ev, struct err *err)
{
	(void)st;
	(void)ev;
	(void)err;
	return true;
}

static void apply_sim(struct state *st, const struct event *ev)
{
	state_header(st)->sim = ev->sim;
}

static void apply_pass(struct state *st, const struct event *ev)
{
	(void)ev;
	state_header(st)->ends_pending = 0;
}

/* --- the life of a job ----------------------------------------------------------------- */

static bool check_submit(const struct state *st, const struct event *ev, struct err *err)
{
	const struct job *job = &ev->submit.job;

	if (ev->job != 0 && (state_find(st, ev->job) != INDEX_NONE || ev->job < state_view(st)->next_job_id))
		return err_set(err, "job id %llu has been used", (unsigned long long)ev->job);
	if ((job->base_holds & ~JOB_HOLD_ALL) != 0)
		return err_set(err, "there is no such kind of hold; there are user, system and batch");
	return state_check_size(job, err);
}

static void apply_submit(struct state *st, const struct event *ev)
{
	struct job_record record = ev->submit;
	struct job *job = &record.job;

	job->accrual_s = job->submit_s;
	job->start_s = TIME_NONE;
	job->planned_s = TIME_NEVER;
	job->holds = job->base_holds;
	job->adjust = JOB_ADJUST_NONE;
	job->points = 0;
	job->bypass = 0;
	job->flags = 0;
	state_add_job(st, &record, ev->job);
}

static bool check_start(const struct state *st, const struct event *ev, struct err *err)
{
	if (!check_action(st, ev, JOB_START, "a start", err))
		return false;
	return state_check_runs(st, &snapshot_jobs(state_view(st))[state_find(st, ev->job)], ev->start.runs,
				ev->start.count, err);
}

static void apply_start(struct state *st, const struct event *ev)
{
	state_start_job(st, state_find(st, ev->job), ev->time_s, ev->start.runs, ev->start.count,
			ev->start.backfilled);
}

static bool check_end(const struct state *st, const struct event *ev, struct err *err)
{
	return check_action(st, ev, JOB_END, "an end", err);
}

static void apply_end(struct state *st, const struct event *ev)
{
	state_end_job(st, state_find(st, ev->job));
}

/* --- what operators do ------------------------------------------------------------------ */

static bool check_hold(const struct state *st, const struct event *ev, struct err *err)
{
	const struct job *job;
	const char *label;
	char buf[JOB_LABEL_TEXT];

	if (!check_action(st, ev, JOB_HOLD, ev->hold.on ? "a hold" : "a release", err))
		return false;
	if (ev->hold.bits == 0 || (ev->hold.bits & ~JOB_HOLD_ALL) != 0)
		return err_set(err, "no kind of hold was named; there are user, system and batch");
	job = &snapshot_jobs(state_view(st))[state_find(st, ev->job)];
	label = label_of(state_view(st), state_find(st, ev->job), buf);
	if (ev->hold.on && (job->holds & ev->hold.bits) == ev->hold.bits)
		return err_set(err, "job %s has that hold already (%s)", label, job_hold_names(job->holds));
	if (!ev->hold.on && (job->holds & ev->hold.bits) == 0)
		return err_set(err, "job %s has no such hold (its holds: %s)", label,
			       job_hold_names(job->holds));
	return true;
}

static void apply_hold(struct state *st, const struct event *ev)
{
	struct change change = {.seq = ev->seq,
				.job = ev->job,
				.kind = CHANGE_HOLD,
				.number = ev->hold.bits,
				.on = ev->hold.on};

	state_add_change(st, &change, NULL, NULL);
}

static bool check_priority(const struct state *st, const struct event *ev, struct err *err)
{
	if (!check_action(st, ev, JOB_REWEIGH, "a priority", err))
		return false;
	if (ev->priority.adjust > JOB_ADJUST_ABSOLUTE)
		return err_set(err, "a priority is set, added or taken away; nothing else");
	if (ev->priority.points > 1000000000 || ev->priority.points < -1000000000)
		return err_set(err, "a priority change of %lld is beyond +-1000000000",
			       (long long)ev->priority.points);
	if (ev->priority.adjust == JOB_ADJUST_ABSOLUTE && ev->priority.points < 0)
		return err_set(err, "an absolute priority must not be negative, got %lld",
			       (long long)ev->priority.points);
	return true;
}

static void apply_priority(struct state *st, const struct event *ev)
{
	struct change change = {.seq = ev->seq,
				.job = ev->job,
				.kind = CHANGE_PRIORITY,
				.number = ev->priority.points,
				.on = ev->priority.adjust};

	state_add_change(st, &change, NULL, NULL);
}

static bool check_setting(const struct state *st, const struct event *ev, struct err *err)
{
	return state_check_setting(st, ev->setting.name, ev->setting.value, err);
}

static void apply_setting(struct state *st, const struct event *ev)
{
	struct change change = {.seq = ev->seq, .kind = CHANGE_SETTING};

	state_add_change(st, &change, ev->setting.name, ev->setting.value);
}

static bool check_undo(const struct state *st, const struct event *ev, struct err *err)
{
	const struct snapshot *s = state_view(st);
	const struct change *change = state_find_change(s, ev->undo.seq);
	uint32_t slot = change == NULL ? INDEX_NONE : state_find(st, change->job);
	unsigned long long seq = ev->undo.seq;
	char label[JOB_LABEL_TEXT];

	if (change == NULL || (change->job != 0 && slot == INDEX_NONE))
		return err_set(
			err,
			"entry %llu cannot be undone: it is no change of an operator, or its job has ended",
			seq);
	if (change->dead)
		return err_set(err, "entry %llu has been undone already", seq);
	if (change->job == 0 || snapshot_jobs(s)[slot].state == JOB_IDLE)
		return true;
	return err_set(err, "entry %llu cannot be undone: job %s has started since then", seq,
		       label_of(s, slot, label));
}

static void apply_undo(struct state *st, const struct event *ev)
{
	const struct change *undone = state_find_change(state_view(st), ev->undo.seq);
	struct change change = {
		.seq = ev->seq, .job = undone->job, .kind = CHANGE_UNDO, .number = (int64_t)ev->undo.seq};

	state_add_change(st, &change, NULL, NULL);
}

/* --- what a pass itself changes ----------------------------------------------------------- */

static bool check_waiting_job(const struct state *st, uint64_t id, struct err *err)
{
	uint32_t slot = state_find(st, id);

	if (slot == INDEX_NONE || snapshot_jobs(state_view(st))[slot].state != JOB_IDLE)
		return err_set(err, "job %llu does not wait", (unsigned long long)id);
	return true;
}

static bool check_waits(const struct state *st, const struct event *ev, struct err *err)
{
	return check_waiting_job(st, ev->job, err);
}

static void apply_plan(struct state *st, const struct event *ev)
{
	uint32_t slot = state_find(st, ev->job);
	struct job job = *state_job(st, slot);

	job.planned_s = ev->plan.start_s;
	state_edit_waiting(st, slot, &job);
}

static void apply_accrual(struct state *st, const struct event *ev)
{
	uint32_t slot = state_find(st, ev->job);
	struct job job = *state_job(st, slot);

	if (ev->accrual.on) {
		job.flags &= (uint8_t)~JOB_ACCRUAL_PAUSED;
		job.accrual_s = ev->time_s;
	} else {
		job.flags |= JOB_ACCRUAL_PAUSED;
	}
	state_edit_waiting(st, slot, &job);
}

static void apply_eligible(struct state *st, const struct event *ev)
{
	uint32_t slot = state_find(st, ev->job);
	struct job job = *state_job(st, slot);

	if (ev->eligible.on)
		job.flags |= JOB_ELIGIBLE;
	else
		job.flags &= (uint8_t)~JOB_ELIGIBLE;
	state_edit_waiting(st, slot, &job);
}

static bool check_bypass(const struct state *st, const struct event *ev, struct err *err)
{
	for (uint32_t i = 0; i < ev->bypass.count; i++)
		if (!check_waiting_job(st, ev->bypass.item[i].job, err))
			return false;
	return true;
}

static void apply_bypass(struct state *st, const struct event *ev)
{
	for (uint32_t i = 0; i < ev->bypass.count; i++)
		state_job(st, state_find(st, ev->bypass.item[i].job))->bypass += ev->bypass.item[i].by;
}

/* --- the table ------------------------------------------------------------------------------ */

static const struct event_row {
	const char *name;
	bool can_undo;
	bool frees; /* may leave earlier times to jobs with a promise */
	bool (*check)(const struct state *st, const struct event *ev, struct err *err);
	void (*apply)(struct state *st, const struct event *ev);
} event_rows[EVENT_KIND_COUNT] = {
	[EVENT_CONFIG] = {"config", false, true, check_config, apply_config},
	[EVENT_NODE] = {"node", false, true, check_node, apply_node},
	[EVENT_SIM] = {"workload", false, false, check_nothing, apply_sim},
	[EVENT_SUBMIT] = {"submit", false, false, check_submit, apply_submit},
	[EVENT_START] = {"start", false, false, check_start, apply_start},
	[EVENT_END] = {"end", false, true, check_end, apply_end},
	[EVENT_HOLD] = {"hold", true, true, check_hold, apply_hold},
	[EVENT_PRIORITY] = {"priority", true, true, check_priority, apply_priority},
	[EVENT_SETTING] = {"set", true, true, check_setting, apply_setting},
	[EVENT_UNDO] = {"undo", true, true, check_undo, apply_undo},
	[EVENT_PLAN] = {"plan", false, false, check_waits, apply_plan},
	[EVENT_ACCRUAL] = {"accrual", false, false, check_waits, apply_accrual},
	[EVENT_BYPASS] = {"bypass", false, false, check_bypass, apply_bypass},
	[EVENT_ELIGIBLE] = {"eligible", false, false, check_waits, apply_eligible},
	[EVENT_PASS] = {"pass", false, false, check_nothing, apply_pass},
};

/* Kept promises are looked at again by the next pass, not at every pass. */
static void note_freed(struct snapshot *s)
{
	if (s->planned > 0 && s->policy.reservation == RESERVE_HIGHEST)
		s->ends_pending = 1;
}

static bool known_kind(enum event_kind kind)
{
	return kind > 0 && kind < EVENT_KIND_COUNT;
}

bool event_check(const struct state *st, const struct event *ev, struct err *err)
{
	char was[MOMENT_TEXT], is[MOMENT_TEXT];

	if (!known_kind(ev->kind))
		return err_set(err, "an event of unknown kind %d", (int)ev->kind);
	if (ev->time_s < state_view(st)->now_s)
		return err_set(err, "an event at %s comes after one at %s; time does not go back",
			       moment_iso(is, ev->time_s), moment_iso(was, state_view(st)->now_s));
	return event_rows[ev->kind].check(st, ev, err);
}

bool event_apply(struct state *st, struct event *ev, struct err *err)
{
	if (!event_check(st, ev, err))
		return false;
	ev->seq = state_view(st)->seq + 1;
	if (ev->kind == EVENT_SUBMIT && ev->job == 0)
		ev->job = state_view(st)->next_job_id;
	event_rows[ev->kind].apply(st, ev);
	if (event_rows[ev->kind].frees)
		note_freed(state_header(st));
	state_header(st)->seq = ev->seq;
	state_header(st)->now_s = ev->time_s;
	return true;
}

const char *event_kind_name(enum event_kind kind)
{
	return known_kind(kind) ? event_rows[kind].name : "unknown";
}

bool event_can_undo(enum event_kind kind)
{
	return known_kind(kind) && event_rows[kind].can_undo;
}

/* --- in words --------------------------------------------------------------------------------- */

static void describe_priority(const struct event *ev, struct str *out)
{
	if (ev->priority.adjust == JOB_ADJUST_NONE)
		str_addf(out, "set priority of %llu back to the computed one", (unsigned long long)ev->job);
	else
		str_addf(out,
			 ev->priority.adjust == JOB_ADJUST_RELATIVE ? "set priority of %llu %+lld"
								    : "set priority of %llu = %lld",
			 (unsigned long long)ev->job, (long long)ev->priority.points);
}

static void describe_job(const struct event *ev, struct str *out)
{
	const struct job *job = &ev->submit.job;
	char limit[DURATION_TEXT];

	str_addf(out, "submit %llu: %lld processor%s for %s, user %s", (unsigned long long)ev->job,
		 (long long)job_procs(job), job_procs(job) == 1 ? "" : "s",
		 duration_text(limit, job->wall_limit_s),
		 ev->submit.cred[CRED_USER] == NULL ? "none" : ev->submit.cred[CRED_USER]);
}

static void describe_plan(const struct event *ev, struct str *out)
{
	char when[MOMENT_TEXT];

	if (ev->plan.start_s == TIME_NEVER)
		str_addf(out, "reservation of %llu dropped", (unsigned long long)ev->job);
	else
		str_addf(out, "reservation of %llu at %s", (unsigned long long)ev->job,
			 moment_iso(when, ev->plan.start_s));
}

void event_describe(const struct event *ev, struct str *out)
{
	unsigned long long job = ev->job;

	switch (ev->kind) {
	case EVENT_CONFIG:
		str_addf(out, "configuration read from %s", ev->config.file);
		break;
	case EVENT_NODE:
		str_addf(out, "node %s: %u processors", ev->node.name, ev->node.procs);
		break;
	case EVENT_SIM:
		str_addf(out, "simulated workload at job %llu", (unsigned long long)ev->sim.next_index);
		break;
	case EVENT_SUBMIT:
		describe_job(ev, out);
		break;
	case EVENT_START:
		str_addf(out, "start %llu%s", job, ev->start.backfilled ? " (backfilled)" : "");
		break;
	case EVENT_END:
		str_addf(out, "end %llu, status %d%s", job, (int)ev->end.status,
			 ev->end.at_limit ? ", at its wallclock limit" : "");
		break;
	case EVENT_HOLD:
		str_addf(out, "%s %s %llu", ev->hold.on ? "hold" : "release", job_hold_names(ev->hold.bits),
			 job);
		break;
	case EVENT_PRIORITY:
		describe_priority(ev, out);
		break;
	case EVENT_SETTING:
		str_addf(out, "set %s = %s", ev->setting.name, ev->setting.value);
		break;
	case EVENT_UNDO:
		str_addf(out, "undo %llu", (unsigned long long)ev->undo.seq);
		break;
	case EVENT_PLAN:
		describe_plan(ev, out);
		break;
	case EVENT_ACCRUAL:
		str_addf(out, "queue time of %llu %s", job, ev->accrual.on ? "counts again" : "stops");
		break;
	case EVENT_ELIGIBLE:
		str_addf(out, "%llu is %s eligible", job, ev->eligible.on ? "now" : "no longer");
		break;
	case EVENT_BYPASS:
		str_addf(out, "backfill passed %u jobs by", ev->bypass.count);
		break;
	case EVENT_PASS:
		str_add(out, "reservations moved up after ends");
		break;
	case EVENT_KIND_COUNT:
		break;
	}
}
