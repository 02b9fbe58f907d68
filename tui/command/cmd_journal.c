/* SPDX-License-Identifier: MIT */
/*
 * cmd_journal.c - kahu journal: entries of the journal
 *
 * Entries are read backward from the end of the journal, so that the newest ones cost the same in a short and
 * in a long journal. They are printed oldest first.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd.h"
#include "sched/base/vec.h"
#include "sched/rm/wallclock.h"
#include "tui/report/field.h"
#include "tui/report/history_source.h"
#include "tui/report/job_text.h"
#include "tui/report/journal_entry.h"

/* One journal entry. It owns its texts. */
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

/*
 * First reading of the journal: counts at most `most` entries, and notes the oldest time and the tasks of
 * arrays whose labels are needed. Returning false stops the reading.
 */
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

/* --- fields ------------------------------------------------------------------------------------------- */

struct entry_item {
	const struct snapshot *s;
	const struct entry *entry;
};

static const struct entry *entry_of(const void *item)
{
	return ((const struct entry_item *)item)->entry;
}

static bool get_time(const void *item, struct value *out)
{
	out->whole = entry_of(item)->time_s;
	return true;
}

static enum role cell_time(const void *item, struct str *out)
{
	char when[MOMENT_TEXT];

	str_add(out, wallclock_iso(when, entry_of(item)->time_s));
	return ROLE_TEXT;
}

static bool get_seq(const void *item, struct value *out)
{
	out->whole = (int64_t)entry_of(item)->seq;
	return true;
}

static bool get_who(const void *item, struct value *out)
{
	out->text = entry_of(item)->who;
	return true;
}

static bool get_kind(const void *item, struct value *out)
{
	out->text = event_kind_name(entry_of(item)->kind);
	return true;
}

static bool get_job(const void *item, struct value *out)
{
	job_text_id(((const struct entry_item *)item)->s, entry_of(item)->job, &out->made);
	return value_made(out);
}

static bool get_what(const void *item, struct value *out)
{
	out->text = entry_of(item)->what;
	return true;
}

static bool get_undo(const void *item, struct value *out)
{
	out->text = journal_undo_state(((const struct entry_item *)item)->s, entry_of(item)->kind,
				       entry_of(item)->seq);
	return out->text[0] != '\0';
}

static enum role cell_undo(const void *item, struct str *out)
{
	str_add(out, journal_undo_state(((const struct entry_item *)item)->s, entry_of(item)->kind,
					entry_of(item)->seq));
	return ROLE_TEXT;
}

static const struct field entry_fields[] = {
	{"seq", "SEQ", FIELD_COUNT, .get = get_seq},
	{"time", "TIME", FIELD_INSTANT, .get = get_time, .cell = cell_time},
	{"who", "WHO", FIELD_TEXT, .get = get_who},
	{"kind", NULL, FIELD_TEXT, .get = get_kind},
	{"job", NULL, FIELD_TEXT, .get = get_job},
	{"what", "WHAT", FIELD_TEXT, .get = get_what},
	{"undo", "UNDO", FIELD_TEXT, .get = get_undo, .cell = cell_undo},
	{0},
};

struct document {
	const struct cmd_env *env;
	const struct entries *all;
};

static void each_entry(const void *item, field_visit *visit, void *self)
{
	const struct document *d = item;

	for (size_t i = 0; i < d->all->count; i++)
		visit(self, &(struct entry_item){d->env->s, &d->all->item[i]});
}

static const struct field document_fields[] = {
	{"entries", NULL, FIELD_LIST, .each = each_entry, .of = entry_fields},
	{0},
};

static void print_entries(const struct document *d)
{
	static const struct field_column columns[] = {
		{.key = "seq"}, {.key = "time"}, {.key = "who"}, {.key = "what"}, {.key = "undo"},
	};
	struct field_table t;

	field_table_begin(&t, entry_fields, columns, sizeof columns / sizeof columns[0]);
	each_entry(d, field_table_visit, &t);
	field_table_print(&t, 0, d->env->ascii, d->env->out);
	field_table_free(&t);
}

/* --- reading ------------------------------------------------------------------------------------------ */

/*
 * Reads the journal twice: the labels of tasks of arrays that have ended must be looked up in the history
 * before the entries can be described.
 */
static bool read_entries(struct cmd_env *env, struct entries *all, uint64_t from, bool backward)
{
	const struct history_source source = {env->store, env->client};

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
	const struct document document = {env, &all};
	int64_t most, from;
	bool ok;

	if (!cmd_option_whole(env, "-n", 1, INT32_MAX, forward ? INT32_MAX : 20, &most) ||
	    !cmd_option_whole(env, "--from", 1, INT64_MAX, 0, &from))
		return CMD_USAGE;
	if (!env->store && !env->client) {
		err_set(&env->err, "a replay has no journal unless it is run with --store DIR");
		return CMD_REFUSED;
	}
	all.most = (size_t)most;
	ok = read_entries(env, &all, forward ? (uint64_t)from : UINT64_MAX, !forward);
	if (!forward)
		reverse(&all);
	if (ok && env->json)
		fields_document(env->out, document_fields, 0, &document);
	else if (ok)
		print_entries(&document);
	entries_free(&all);
	return ok ? CMD_DONE : CMD_FAILED;
}

static enum cmd_status run_journal(struct cmd_env *env, int argc, char **argv)
{
	bool because = cmd_option(env, "--because") != NULL;

	if (argc == 1 && because)
		err_set(&env->err, "--because needs an entry; usage: kahu journal SEQ --because");
	else if (argc > 1 && (cmd_option(env, "-n") != NULL || cmd_option(env, "--from") != NULL))
		err_set(&env->err, "journal: SEQ cannot be combined with -n or --from");
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
