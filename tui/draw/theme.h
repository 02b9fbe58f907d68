/* SPDX-License-Identifier: MIT */
/*
 * theme.h - styles of roles, and theme files
 *
 * A theme file has one line for each role, in the syntax of kahu.conf:
 *
 *     description = "for dark terminals"
 *     role "job.running" { style = "green bold"  style256 = "71 bold" }
 *
 * A style is a list of words in any order: attributes (bold dim italic underline reverse), a colour, and "on"
 * followed by the colour of the background. In style, a colour is one of sixteen names (black red green
 * yellow blue magenta cyan white, and bright_black to bright_white) or "default"; in style256, also a number
 * from 0 to 255. A role without style256 uses style on all terminals.
 *
 * On a terminal without colours, or with NO_COLOR, only the attributes of style are used.
 *
 * The shipped themes are compiled in from the files of themes/. A directory of the user can contain further
 * themes; a theme there replaces a shipped theme of the same name. TEMPLATE.theme explains every role.
 */
#ifndef DRAW_THEME_H
#define DRAW_THEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"

/* --- roles of cells ----------------------------------------------------------------------------------- */

/*
 * A screen determines the role of a text, its meaning; a theme determines how the role looks. To add a role,
 * add one line here and one in each file of themes/ (test_theme.c reports files without it).
 *
 * No meaning is shown by colour alone. Roles that must be distinguished in the same place have different
 * marks: short ASCII texts that the screen draws with them. Pairs that must also look different without
 * colour are listed in role_rivals() and differ by an attribute in every theme.
 */

/* Each row: enumerator, name in theme files, mark, description. */
#define ROLE_TABLE(X)                                                                                        \
	/* everywhere */                                                                                     \
	X(ROLE_TEXT, "text", "", "Ordinary text and numbers.")                                               \
	X(ROLE_DIM, "dim", "", "Secondary text: units, explanations, columns that do not matter now.")       \
	X(ROLE_STRONG, "strong", "", "The most important item of a line.")                                   \
	X(ROLE_RULE, "rule", "", "Lines between the panes of a screen.")                                     \
	/* frame */                                                                                          \
	X(ROLE_TITLE, "title", "", "The top line: session, time, user.")                                     \
	X(ROLE_TITLE_LIVE, "title.live", "LIVE", "Top line: the screen follows the scheduler.")              \
	X(ROLE_TITLE_FROZEN, "title.frozen", "FROZEN", "Top line: the screen is frozen and out of date.")    \
	X(ROLE_TITLE_PAUSED, "title.paused", "PAUSED", "Top line: the scheduler starts nothing.")            \
	X(ROLE_TITLE_PAST, "title.past", "VIEW", "Top line: a past state is shown.")                         \
	X(ROLE_TITLE_DRAFT, "title.draft", "DRAFT", "Top line: a draft is open and not yet applied.")        \
	X(ROLE_TITLE_READONLY, "title.readonly", "READ-ONLY", "Top line: the console is read-only.")         \
	X(ROLE_TAB, "tab", "", "The name of another screen.")                                                \
	X(ROLE_TAB_ACTIVE, "tab.active", "[]", "The name of this screen.")                                   \
	X(ROLE_HINT_KEY, "hint.key", "", "A key on the key line at the bottom.")                             \
	X(ROLE_HINT_TEXT, "hint.text", "", "The action of a key on the key line.")                           \
	X(ROLE_STATUS, "status", "", "Totals and the filter line.")                                          \
	/* lists */                                                                                          \
	X(ROLE_HEADER, "header", "", "Column titles.")                                                       \
	X(ROLE_HEADER_SORT, "header.sort", "v^", "Title of the column the list is sorted by.")               \
	X(ROLE_SECTION, "section", "", "The heading of a section of a list: ACTIVE, IDLE, BLOCKED.")         \
	X(ROLE_MORE, "more", "", "The number of hidden rows below.")                                         \
	X(ROLE_CURSOR, "cursor", ">", "The cursor row, on which the next key acts; laid over the row.")      \
	X(ROLE_CURSOR_OFF, "cursor.off", ">", "The cursor row in a pane without the focus.")                 \
	X(ROLE_MARK, "mark", "*", "Marked rows, on which the next command acts together.")                   \
	X(ROLE_MATCH, "match", "", "A match of the search.")                                                 \
	/* jobs */                                                                                           \
	X(ROLE_JOB_RUNNING, "job.running", "", "A running job.")                                             \
	X(ROLE_JOB_IDLE, "job.idle", "", "An idle job.")                                                     \
	X(ROLE_JOB_BLOCKED, "job.blocked", "!", "A blocked job.")                                            \
	X(ROLE_JOB_HELD, "job.held", "H", "A job with a hold on it.")                                        \
	X(ROLE_JOB_RESERVED, "job.reserved", "r", "An idle job with a reservation.")                         \
	X(ROLE_JOB_BACKFILLED, "job.backfilled", "b", "A job that is or will be backfilled.")                \
	X(ROLE_JOB_DONE, "job.done", "", "A job that ended successfully.")                                   \
	X(ROLE_JOB_FAILED, "job.failed", "x", "A job that failed, or was lost.")                             \
	X(ROLE_JOB_CHANGED, "job.changed", "", "Laid over the rows that the last change moved.")             \
	/* starts and reasons */                                                                             \
	X(ROLE_START_ESTIMATE, "start.estimate", "", "An estimated start from the projection.")              \
	X(ROLE_START_PLACEHOLDER, "start.placeholder", "~",                                                  \
	  "A start from the instant plan, not projected yet.")                                               \
	X(ROLE_START_SLIPS, "start.slips", ">", "An estimated start later than the reserved one.")           \
	X(ROLE_START_RESERVED, "start.reserved", "", "A reserved start.")                                    \
	X(ROLE_START_NOW, "start.now", "now", "A start in the next scheduling pass.")                        \
	X(ROLE_START_NEVER, "start.never", "never", "A job that can never start.")                           \
	X(ROLE_REASON, "reason", "", "The reason why a job is not running.")                                 \
	X(ROLE_CHECK_OK, "check.ok", "ok", "A check the job passes.")                                        \
	X(ROLE_CHECK_FAIL, "check.fail", "FAIL", "The check that the job does not pass.")                    \
	X(ROLE_LIMIT_NEAR, "limit.near", "!", "Usage near a limit.")                                         \
	X(ROLE_LIMIT_OVER, "limit.over", "!!", "Usage at or over a limit.")                                  \
	X(ROLE_EARLIER, "change.earlier", "-", "A start that comes earlier, a rank that rises.")             \
	X(ROLE_LATER, "change.later", "+", "A start that comes later, a rank that falls.")                   \
	/* gauges */                                                                                         \
	X(ROLE_METER_LABEL, "meter.label", "", "What a meter measures, and its brackets.")                   \
	X(ROLE_METER_TEXT, "meter.text", "", "The number in a meter.")                                       \
	X(ROLE_METER_USED, "meter.used", "|", "The part in use.")                                            \
	X(ROLE_METER_RESERVED, "meter.reserved", ":", "The reserved part.")                                  \
	X(ROLE_METER_DOWN, "meter.down", "x", "The part that is out of service.")                            \
	X(ROLE_SPARK, "spark", "", "A small graph over time.")                                               \
	X(ROLE_SLIDER, "slider", "-", "The track of a slider.")                                              \
	X(ROLE_SLIDER_KNOB, "slider.knob", "|", "The position of the slider.")                               \
	X(ROLE_SHARE_CRED, "share.cred", "c", "Share of the priority: credentials.")                         \
	X(ROLE_SHARE_FS, "share.fs", "f", "Share of the priority: fairshare.")                               \
	X(ROLE_SHARE_RES, "share.res", "r", "Share of the priority: requested resources.")                   \
	X(ROLE_SHARE_QUEUETIME, "share.queuetime", "q", "Share of the priority: time in the queue.")         \
	X(ROLE_SHARE_XFACTOR, "share.xfactor", "x", "Share of the priority: expansion factor.")              \
	X(ROLE_SHARE_BYPASS, "share.bypass", "b", "Share of the priority: times bypassed.")                  \
	X(ROLE_SHARE_TARGET, "share.target", "t", "Share of the priority: service targets.")                 \
	X(ROLE_SHARE_USAGE, "share.usage", "u", "Share of the priority: usage of a running job.")            \
	/* journal */                                                                                        \
	X(ROLE_EVENT_OPERATOR, "event.operator", "", "A change by a user.")                                  \
	X(ROLE_EVENT_SCHEDULER, "event.scheduler", "", "A decision of the scheduler.")                       \
	X(ROLE_EVENT_JOB, "event.job", "", "An event of a job.")                                             \
	X(ROLE_EVENT_UNDONE, "event.undone", "undone", "An entry that was undone.")                          \
	/* prompts and messages */                                                                           \
	X(ROLE_PROMPT, "prompt", "", "The prompt character, : or /.")                                        \
	X(ROLE_PROMPT_TEXT, "prompt.text", "", "The line being typed.")                                      \
	X(ROLE_CANDIDATE, "candidate", "", "A completion that is offered.")                                  \
	X(ROLE_CANDIDATE_CHOSEN, "candidate.chosen", "", "The selected completion.")                         \
	X(ROLE_DRAFT, "draft", "", "The draft, the confirmation box, and the effects of their changes.")     \
	X(ROLE_DRAFT_DANGER, "draft.danger", "!",                                                            \
	  "The same for changes that cannot be undone; the default answer is No.")                           \
	X(ROLE_MESSAGE, "message", "", "A message about a completed action.")                                \
	X(ROLE_WARNING, "warning", "warning:", "A warning.")                                                 \
	X(ROLE_ERROR, "error", "error:", "An error message.")                                                \
	X(ROLE_HELP_HEADING, "help.heading", "", "Headings of the help and of detail screens.")              \
	X(ROLE_HELP_KEY, "help.key", "", "A key in the help.")                                               \
	X(ROLE_FORMULA, "formula", "", "The computation of a number.")

enum role {
#define ROLE_ENUM(id, name, mark, help) id,
	ROLE_TABLE(ROLE_ENUM)
#undef ROLE_ENUM
	ROLE_COUNT
};

/* A row of the table. Static storage. */
struct role_info {
	const char *name; /* "job.running"                              */
	const char *mark; /* mark that the screen draws with it; "" = none */
	const char *help; /* one sentence                               */
};

const struct role_info *role_info(enum role role); /* never NULL */

/* Finds a role by name, in any case; ROLE_COUNT if there is none. */
enum role role_find(const char *name);

/* Two roles that appear in the same place and must differ without colour. */
struct role_pair {
	enum role a, b;
};

const struct role_pair *role_rivals(size_t *count);

/* --- styles ------------------------------------------------------------------------------------------- */

enum style_attr {
	STYLE_BOLD = 1,
	STYLE_DIM = 2,
	STYLE_ITALIC = 4,
	STYLE_UNDERLINE = 8,
	STYLE_REVERSE = 16
};

#define STYLE_DEFAULT_COLOUR (-1)

struct style {
	int16_t fg, bg; /* 0..15 (or 0..255 with 256 colours), or STYLE_DEFAULT_COLOUR */
	uint8_t attr;   /* bits of enum style_attr */
};

/* Colours that a terminal has. */
enum colour_depth {
	COLOUR_NONE,
	COLOUR_16,
	COLOUR_256
};

#define THEME_NAME_MAX 32

struct theme {
	char name[THEME_NAME_MAX];
	char description[80];
	struct style style16[ROLE_COUNT];
	struct style style256[ROLE_COUNT];
	bool given[ROLE_COUNT]; /* does the file set the role? if not, its style is that of the default theme
				 */
};

/* The text of a shipped theme; generated from themes/ by the Makefile. */
struct builtin_theme {
	const char *name; /* "default" */
	const char *text;
};

extern const struct builtin_theme builtin_themes[];

extern const size_t builtin_theme_count;

/*
 * Parses a style; colours may be numbers only for COLOUR_256. On failure returns false with *out unchanged,
 * and err names the wrong word and the valid ones.
 */
bool style_parse(const char *text, enum colour_depth depth, struct style *out, struct err *err);

/*
 * Parses the text of a theme file; `file` is its name for messages. A role that the file does not set gets
 * its style from base; if base is NULL, no attributes and the default colours. Returns false, with err
 * set and *out unchanged, for unknown words, unknown roles and repeated roles.
 */
bool theme_parse(const char *file, const char *text, size_t len, const struct theme *base, struct theme *out,
		 struct err *err);

/*
 * Loads a theme by name: NAME.theme in dir (NULL = no directory), otherwise the shipped theme. If neither
 * exists, err lists the available names.
 */
bool theme_load(const char *dir, const char *name, struct theme *out, struct err *err);

/* Calls each() once for every theme that theme_load can find, in alphabetical order. */
void theme_each(const char *dir, void (*each)(void *self, const char *name), void *self);

/* Returns the style of a cell with a role and the overlay `over` (ROLE_COUNT = no overlay). */
struct style theme_style(const struct theme *theme, enum role role, enum role over, enum colour_depth depth);

#endif
