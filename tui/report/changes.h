/* SPDX-License-Identifier: MIT */
/*
 * changes.h - events proposed by a verb or a draft, with notes and a preview
 *
 * Proposed events have no effect until they are posted. The preview applies them to a copy of the state and
 * compares two projections, as `kahu whatif` does.
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

/* A line about the effect of the changes, shown before the confirmation. */
enum cmd_note_kind {
	CMD_NOTE_CANNOT,  /* this part of the request is impossible; the text says why */
	CMD_NOTE_NOTHING, /* this part has no effect now */
	CMD_NOTE_DOES,    /* an effect of the changes */
	CMD_NOTE_STAYS,   /* this is not affected */
	/* a change by another operator that is reverted; the text says what, who and when */
	CMD_NOTE_OTHERS
};

struct cmd_note {
	enum cmd_note_kind kind;
	uint64_t seq; /* journal entry that the note is about, 0 = none */
	const char *text;
};

/*
 * Events proposed by a verb, and the memory of their strings. Either all of the events are applied or none.
 */
struct cmd_changes {
	struct event *event;
	size_t count, room;
	struct cmd_note *note;
	size_t notes, note_room;
	const char *reason; /* reason given for the changes; NULL = none */
	/* for submissions: print "Submitted batch job 12" (slurm) or only the ID (terse) */
	bool slurm, terse;
	bool singleton; /* a submission that waits for the user's other jobs with the same name */
	bool forced;    /* submit jobs even if they would never start */
	bool partial;   /* part of the request is impossible, and the user has not accepted that */
	struct arena arena;
};

/* Adds a note with a copy of the text. */
void cmd_add_note(struct cmd_changes *changes, enum cmd_note_kind kind, uint64_t seq, const char *text);
size_t cmd_count_notes(const struct cmd_changes *changes, enum cmd_note_kind kind);

/* Returns the heading of the notes of a kind: "cannot be undone", ... */
const char *cmd_note_title(enum cmd_note_kind kind);
struct event *cmd_add_event(struct cmd_env *env, enum event_kind kind, uint64_t job);

/* cmd_own copies a text, cmd_own_bytes allocates memory; both live as long as env->changes. */
const char *cmd_own(struct cmd_env *env, const char *text);
void *cmd_own_bytes(struct cmd_env *env, size_t size);
void cmd_changes_clear(struct cmd_changes *changes);

/* Describes an event, with the label of its job, and for an undo the change that it reverts. */
void cmd_describe(const struct snapshot *s, const struct event *ev, struct str *out);

/*
 * Appends the difference between two projections: "3 jobs change order; 4 earlier; 1 later; worst: 901013
 * +0:10:00". `s` is the state of the first projection.
 */
void cmd_print_effect(const struct snapshot *s, const struct plan_change *change, struct str *out);

/*
 * Appends the effect of the events on the queue as one line: "3 jobs change order; 901013 +2:00:00". Applies
 * them to a copy of s. asks_only: nothing will be changed, so the preview may take longer. Returns false with
 * err set if the events would be refused.
 */
bool cmd_preview(const struct snapshot *s, int64_t now_s, bool asks_only, const struct cmd_changes *changes,
		 struct str *out, struct err *err);

/* Do the changes require a reason? If so, appends why: "it delays 19 jobs". */
bool cmd_needs_reason(const struct snapshot *s, int64_t now_s, const struct cmd_changes *changes,
		      struct str *out);

/* --- the edits of a draft ----------------------------------------------------------------------------- */

/*
 * A list of edits in their order, each a command line with the events that it makes. A new edit is appended,
 * and replaces only an edit about the same thing. A disabled edit stays in the list and makes no events.
 */

struct edit {
	char *line;           /* command line */
	char *text;           /* description; "" until it is enabled for the first time */
	bool off;             /* disabled */
	size_t first, events; /* position and number of its events among the events of the draft */
};

/* A zeroed list is valid and empty; edits_clear frees. */
struct edits {
	struct edit *item;
	size_t count, room;
	size_t refused; /* position of the edit that the last edits_compile refused */
};

/* Appends an edit; a line that is already in the list stays where it is. */
void edits_add(struct edits *e, const char *line);

/* Appends an edit for each line. */
void edits_add_lines(struct edits *e, const char *lines);

/* Appends a copy of each edit. */
void edits_copy(struct edits *e, const struct edits *from);
void edits_drop(struct edits *e, size_t at);
void edits_clear(struct edits *e);

/*
 * Fills the events and descriptions of all enabled edits by running each line (cmd_run_line) in env, whose
 * changes must be empty. Drops edits that change nothing, and edits replaced by later ones about the same
 * things. If a line is refused, returns false with env->err set, and e->refused is the position of its edit.
 */
typedef enum cmd_status edit_run(struct cmd_env *env, const char *line);

bool edits_compile(struct edits *e, struct cmd_env *env, edit_run *run_edit);

/*
 * Returns the index of the enabled edit that sets an option, with its value in *value; e->count if no edit
 * sets it.
 */
size_t edits_find_setting(const struct edits *e, const struct cmd_changes *changes, const char *name,
			  const char **value);

/* Returns the index of the enabled edit that sets the priority of a job; e->count if no edit sets it. */
size_t edits_find_priority(const struct edits *e, const struct cmd_changes *changes, uint64_t job);

/* Appends the enabled lines, separated by "\n". */
void edits_add_text(const struct edits *e, struct str *out);

#endif
