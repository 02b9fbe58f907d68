/* SPDX-License-Identifier: MIT */
/*
 * cmd_journal.c - kahu journal: entries of the journal
 *
 * The journal is read backward from its end, so that the newest entries cost the same in a short and in a
 * long journal, and printed forward.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/base/vec.h"
#include "sched/rm/wallclock.h"
#include "tui/report/history_source.h"
#include "tui/report/job_text.h"
#include "tui/report/journal_entry.h"
#include "tui/report/report.h"

/* One entry with its own copies of texts. */
struct entry {
	uint64_t seq, job;
	int64_t time_s;
	enum event_kind kind;
	char *who, *what;
};

struct entries {
	struct entry *item;
	size_t count, room, most;
	int64_t oldest_s;
	struct task_names names;
};

/* The last entries, up to a maximum. */
static bool note_oldest(void *self, const struct event *ev)
{
	struct entries *all = self;

	if (all->count == 0 || ev->time_s < all->oldest_s)
		all->oldest_s = ev->time_s;
	task_names_want(&all->names, ev);
	return ++all->count < all->most;
}

static bool keep(void *self, const struct event *ev)
{
	struct entries *all = self;
	struct str what = {0};

	task_names_describe(&all->names, ev, &what);
	all->item = vec_room(all->item, &all->room, all->count + 1, sizeof *all->item);
	all->item[all->count++] = (struct entry){.seq = ev->seq,
						 .job = ev->job,
						 .time_s = ev->time_s,
						 .kind = ev->kind,
						 .who = mem_string(ev->who ? ev->who : "sched"),
						 .what = mem_string(str_text(&what))};
	str_free(&what);
	return all->count < all->most;
}

static void entries_free(struct entries *all)
{
	for (size_t i = 0; i < all->count; i++) {
		free(all->item[i].who);
		free(all->item[i].what);
	}
	free(all->item);
	task_names_clear(&all->names);
}

static void reverse(struct entries *all)
{
	for (size_t i = 0; i < all->count / 2; i++) {
		struct entry other = all->item[i];

		all->item[i] = all->item[all->count - 1 - i];
		all->item[all->count - 1 - i] = other;
	}
}

static void print_entries(const struct cmd_env *env, const struct entries *all)
{
	static const struct report_column columns[] = {{"SEQ", TEXT_RIGHT},
						       {"TIME", TEXT_LEFT},
						       {"WHO", TEXT_LEFT},
						       {"WHAT", TEXT_LEFT},
						       {"UNDO", TEXT_LEFT}};
	struct report r = {.column = columns, .columns = 5};
	char when[MOMENT_TEXT];

	for (size_t i = 0; i < all->count; i++) {
		const struct entry *entry = &all->item[i];

		report_cellf(&r, "%" PRIu64, entry->seq);
		report_cell(&r, wallclock_iso(when, entry->time_s));
		report_cell(&r, entry->who);
		report_cell(&r, entry->what);
		report_cell(&r, journal_undo_state(env->s, entry->kind, entry->seq));
	}
	report_print(&r, 0, env->ascii, env->out);
	report_free(&r);
}

static void print_json(const struct cmd_env *env, const struct entries *all)
{
	struct json j = {.out = env->out};

	json_open(&j, NULL, '{');
	json_open(&j, "entries", '[');
	for (size_t i = 0; i < all->count; i++) {
		const struct entry *entry = &all->item[i];
		const char *undo = journal_undo_state(env->s, entry->kind, entry->seq);

		json_open(&j, NULL, '{');
		json_int(&j, "seq", (int64_t)entry->seq);
		json_int(&j, "time", entry->time_s);
		json_text(&j, "who", entry->who);
		json_text(&j, "kind", event_kind_name(entry->kind));
		job_text_json_id(&j, "job", env->s, entry->job);
		json_text(&j, "what", entry->what);
		json_text(&j, "undo", undo[0] ? undo : NULL);
		json_close(&j);
	}
	json_close(&j);
	json_close(&j);
	str_add_char(env->out, '\n');
}

/* Labels of ended array tasks are in the history. */
static bool read_entries(struct cmd_env *env, struct entries *all, uint64_t from, bool backward)
{
	const struct history_source source = {env->store, env->caller};

	if (!history_source_journal(&source, from, backward, note_oldest, all, &env->err) ||
	    !task_names_read(&all->names, env->s, &source, all->oldest_s, &env->err))
		return false;
	all->count = 0;
	return history_source_journal(&source, from, backward, keep, all, &env->err);
}

static enum cmd_status list_entries(struct cmd_env *env)
{
	bool forward = cmd_option(env, "--from") != NULL;
	struct entries all = {0};
	int64_t most, from;
	bool ok;

	if (!cmd_option_whole(env, "-n", 1, INT32_MAX, forward ? INT32_MAX : 20, &most) ||
	    !cmd_option_whole(env, "--from", 1, INT64_MAX, 0, &from))
		return CMD_USAGE;
	if (!env->store && !env->caller) {
		err_set(&env->err, "a replay has no journal unless it is run with --store DIR");
		return CMD_REFUSED;
	}
	all.most = (size_t)most;
	ok = read_entries(env, &all, forward ? (uint64_t)from : UINT64_MAX, !forward);
	if (!forward)
		reverse(&all);
	if (ok && env->json)
		print_json(env, &all);
	else if (ok)
		print_entries(env, &all);
	entries_free(&all);
	return ok ? CMD_DONE : CMD_FAILED;
}

static enum cmd_status run_journal(struct cmd_env *env, int argc, char **argv)
{
	bool because = cmd_option(env, "--because") != NULL;

	if (argc == 1 && because)
		err_set(&env->err, "--because needs an entry; usage: kahu journal SEQ --because");
	else if (argc > 1 && (cmd_option(env, "-n") != NULL || cmd_option(env, "--from") != NULL))
		err_set(&env->err, "journal: SEQ excludes -n and --from");
	else
		return argc > 1 ? journal_entry(env, argv[1], because) : list_entries(env);
	return CMD_USAGE;
}

const struct cmd cmd_journal = {
	.name = "journal",
	.args = "[SEQ]",
	.help = "Show journal entries, the users who caused them, and which ones can be undone, newest last. "
		"With SEQ, show the effect of this entry on the queue and the effect of undoing it now.",
	.options =
		(const struct cmd_option[]){
			{"-n", "N", "show at most N entries (20)"},
			{"--from", "SEQ", "start at this entry instead of showing the last ones"},
			{"--because", NULL,
			 "with SEQ, replay all later events with and without this entry, and show the "
			 "differences"},
			{0},
		},
	.max = 1,
	.flags = CMD_STORE,
	.run = run_journal,
};
