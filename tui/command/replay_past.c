/* SPDX-License-Identifier: MIT */
/*
 * replay_past.c - from where to where is a journal run again, and with which state does that begin?
 *
 * Entries stand in the order of time, so the first one of a moment is found by halving. The clock that
 * --since goes by is the journal's: its last entry is now, also of a simulated cluster or of a store that
 * stopped a year ago.
 */
#include "replay_past.h"

#include <string.h>

#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"
#include "store/store.h"
#include "tui/report/progress.h"
#include "tui/report/span.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"

#define PATH_ROOM 4096

static enum cmd_status look_at_journal(struct replay_past *past, struct journal_span *j)
{
	if (!span_find(past->store, j, &past->env->err))
		return CMD_FAILED;
	if (j->last == 0) {
		err_set(&past->env->err, "the store %s has no journal yet: there is nothing to run again",
			store_dir(past->store));
		return CMD_REFUSED;
	}
	return CMD_DONE;
}

/* --- what is asked for --------------------------------------------------------------------------------- */

static enum cmd_status read_moments(struct replay_past *past, const struct journal_span *j, int64_t *from_s,
				    int64_t *until_s)
{
	struct err *err = &past->env->err;
	const char *since = cmd_option(past->env, "--since"), *until = cmd_option(past->env, "--until");
	char first[MOMENT_TEXT], last[MOMENT_TEXT];

	*until_s = j->last_s;
	if (!wallclock_since(since, j->last_s, from_s, err)) {
		err_prefix(err, "--since");
		return CMD_USAGE;
	}
	if (until != NULL && !wallclock_parse(until, *from_s, until_s, err)) {
		err_prefix(err, "--until");
		return CMD_USAGE;
	}
	wallclock_iso(first, j->first_s);
	wallclock_iso(last, j->last_s);
	if (*from_s > j->last_s)
		err_set(err, "--since %s: the journal of %s ends at %s; nothing happened later", since,
			store_dir(past->store), last);
	else if (*until_s < *from_s)
		err_set(err, "--until %s is before --since %s; write the earlier one first", until, since);
	else if (*from_s < j->first_s && j->first > 1)
		err_set(err, "--since %s is before the journal of %s begins (%s)", since,
			store_dir(past->store), first);
	else
		return CMD_DONE;
	return CMD_REFUSED;
}

static bool open_state(struct replay_past *past, uint64_t before)
{
	char moment[MOMENT_TEXT];

	past->from = store_state_after(past->store, before, &past->env->err);
	return past->from != NULL || err_prefix(&past->env->err, "the state before %s cannot be put together",
						wallclock_iso(moment, past->record.from_s));
}

static bool take_entry(void *self, const struct event *ev)
{
	return rerun_record_take(self, ev);
}

static enum cmd_status read_record(struct replay_past *past, const struct journal_span *j, int64_t from_s,
				   int64_t until_s)
{
	uint64_t before;

	past->record.from_s = from_s;
	if (!span_before(past->store, j, from_s, &before, &past->env->err))
		return CMD_FAILED;
	if (!open_state(past, before))
		return CMD_REFUSED;
	rerun_record_begin(&past->record, state_view(past->from), from_s > j->first_s ? from_s : j->first_s,
			   until_s < j->last_s ? until_s : j->last_s);
	if (!store_journal(past->store, before + 1, false, take_entry, &past->record, &past->env->err))
		return CMD_FAILED;
	rerun_record_finish(&past->record);
	return CMD_DONE;
}

enum cmd_status replay_past_open(struct replay_past *past)
{
	char dir[PATH_ROOM];
	struct journal_span journal;
	int64_t from_s, until_s;
	enum cmd_status status;

	if (!session_store_dir(past->env->shell->store, dir, sizeof dir, &past->env->err))
		return CMD_REFUSED;
	past->store = store_open(dir, STORE_READ, &past->env->err);
	if (past->store == NULL)
		return CMD_REFUSED;
	status = look_at_journal(past, &journal);
	if (status == CMD_DONE)
		status = read_moments(past, &journal, &from_s, &until_s);
	return status == CMD_DONE ? read_record(past, &journal, from_s, until_s) : status;
}

void replay_past_close(struct replay_past *past)
{
	rerun_record_clear(&past->record);
	state_free(past->from);
	if (past->store != NULL)
		store_close(past->store);
}

/* --- once more -------------------------------------------------------------------------------------------
 */

#define SHOWN_EVERY 1024 /* entries */

struct walk {
	struct rerun *rerun;
	struct progress bar;
	uint64_t seen;
};

static bool run_entry(void *self, const struct event *ev)
{
	struct walk *w = self;

	if (++w->seen % SHOWN_EVERY == 0)
		progress_show(&w->bar, w->seen);
	return rerun_take(w->rerun, ev);
}

struct rerun *replay_past_run(struct replay_past *past, const struct rerun_setup *setup,
			      enum cmd_status *status)
{
	struct walk w = {.rerun = rerun_new(setup, &past->env->err)};
	bool read;

	*status = CMD_REFUSED;
	if (w.rerun == NULL)
		return NULL;
	progress_begin(&w.bar, "entries", past->record.entries);
	read = store_journal(past->store, past->record.first_seq + 1, false, run_entry, &w, &past->env->err);
	progress_end(&w.bar);
	*status = read ? CMD_DONE : CMD_FAILED;
	if (read) {
		rerun_finish(w.rerun);
		return w.rerun;
	}
	rerun_free(w.rerun);
	return NULL;
}
