/* SPDX-License-Identifier: MIT */
/*
 * changes.h - events that a verb or a draft proposes, with notes and a preview
 *
 * Nothing happens until somebody posts them. The preview applies them to a copy of the state and compares two
 * futures, as `kahu whatif` does.
 */
#ifndef REPORT_CHANGES_H
#define REPORT_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd_env.h"
#include "sched/base/arena.h"
#include "sched/forecast/plan.h"
#include "sched/state/event.h"

/* One line about what the changes will do, for who has to say yes to them. */
enum cmd_note_kind {
	CMD_NOTE_CANNOT,  /* this part of what was asked for cannot be done; the sentence says why */
	CMD_NOTE_NOTHING, /* this part has no effect now                                           */
	CMD_NOTE_DOES,    /* this part does that                                                   */
	CMD_NOTE_STAYS,   /* this is not touched by it                                             */
	CMD_NOTE_OTHERS   /* this undoes what another operator did: what, who and when             */
};

struct cmd_note {
	enum cmd_note_kind kind;
	uint64_t seq; /* of the entry it is about, 0 = none */
	const char *text;
};

/* Events that a verb wants applied, all or nothing, with the memory their strings live in. */
struct cmd_changes {
	struct event *event;
	size_t count, room;
	struct cmd_note *note;
	size_t notes, note_room;
	const char *reason; /* that was given for them; NULL = none */
	bool slurm, terse;  /* of submissions: say "Submitted batch job 12", or the number alone */
	bool singleton;     /* a submission that waits for its user's other jobs of its name */
	bool forced;        /* submissions are made even if their jobs would never start */
	bool partial;       /* not all that was asked for, and nobody has said that this is all right */
	struct arena arena;
};

/* The text is copied. */
void cmd_add_note(struct cmd_changes *changes, enum cmd_note_kind kind, uint64_t seq, const char *text);
size_t cmd_count_notes(const struct cmd_changes *changes, enum cmd_note_kind kind);

/* "cannot be undone", ... what stands above notes of a kind. */
const char *cmd_note_title(enum cmd_note_kind kind);
struct event *cmd_add_event(struct cmd_env *env, enum event_kind kind, uint64_t job);

/* A copy of a text, and memory, that live as long as the changes. */
const char *cmd_own(struct cmd_env *env, const char *text);
void *cmd_own_bytes(struct cmd_env *env, size_t size);
void cmd_changes_clear(struct cmd_changes *changes);

/* What an event does, with the job as people know it, and what an undo takes back. */
void cmd_describe(const struct snapshot *s, const struct event *ev, struct str *out);

/* "3 jobs change order; 4 earlier; 1 later; worst: 901013 +0:10:00": what lies between two futures. Appended.
 * s: of the first. */
void cmd_print_effect(const struct snapshot *s, const struct plan_change *change, struct str *out);

/*
 * What the events of a changing verb would do to the queue, as one line: "3 jobs change order;
 * 901013 +2:00:00". Applies them to a copy of s. asks_only: nothing will be changed, so it may take longer.
 * False: they would be refused.
 */
bool cmd_preview(const struct snapshot *s, int64_t now_s, bool asks_only, const struct cmd_changes *changes,
		 struct str *out, struct err *err);

/* Do they need a reason? Then what for is appended: "it delays 19 jobs". */
bool cmd_needs_reason(const struct snapshot *s, int64_t now_s, const struct cmd_changes *changes,
		      struct str *out);

/* --- the edits of a draft ----------------------------------------------------------------------------- */

/*
 * Edits in their order, each a command line with the events that it gives. A new edit joins the others; only
 * an edit about the same thing is replaced by it. An edit that is off stays in the list and gives no events.
 */

struct edit {
	char *line;           /* the command                                              */
	char *text;           /* what it does, in words; "" before it was on for the first time */
	bool off;             /* see above                                                */
	size_t first, events; /* its events among those of the draft                      */
};

/* Zero is a valid empty list; edits_clear frees. */
struct edits {
	struct edit *item;
	size_t count, room;
	size_t refused; /* the last edits_compile was refused by this one */
};

/* At the end; a line that is in the list already stays where it is. */
void edits_add(struct edits *e, const char *line);

/* A line each. */
void edits_add_lines(struct edits *e, const char *lines);

/* Appends a copy of each edit. */
void edits_copy(struct edits *e, const struct edits *from);
void edits_drop(struct edits *e, size_t at);
void edits_clear(struct edits *e);

/*
 * Fills the events of all that are on, and the words, by running each line (cmd_run_line) in env, whose
 * changes are empty. Edits that change nothing are dropped, and so are those that a later edit about the same
 * things replaces. False: env->err says which line was refused and why.
 */
typedef enum cmd_status edit_run(struct cmd_env *env, const char *line);

bool edits_compile(struct edits *e, struct cmd_env *env, edit_run *run_edit);

/* The edit that sets an option, of those that are on; e->count if none does. *value is its value. */
size_t edits_find_setting(const struct edits *e, const struct cmd_changes *changes, const char *name,
			  const char **value);

/* Likewise the edit of a job's priority. */
size_t edits_find_priority(const struct edits *e, const struct cmd_changes *changes, uint64_t job);

/* The lines that are on, "\n" between, appended. */
void edits_add_text(const struct edits *e, struct str *out);

#endif
