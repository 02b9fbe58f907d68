/* SPDX-License-Identifier: MIT */
/*
 * share_settings.c - settings that define the shares, and where they are set
 */
#include "share_settings.h"

#include <inttypes.h>
#include <stdio.h>

#include "finding_lines.h"
#include "page.h"
#include "sched/base/duration.h"
#include "sched/config/config.h"
#include "tui/report/figure.h"
#include "tui/report/settings.h"
#include "tui/report/shares.h"

#define LINT_W 80 /* narrower, a line for what lint counts is one too many */

/* --- the line above the list -------------------------------------------------------------- */

/* A piece that is not broken: on this line, or the next when it does not fit. */
static void put_piece(struct page *p, int width, const struct str *piece)
{
	if (p->lines == 0 || p->x + 2 + text_width(str_text(piece)) > width)
		page_line(p);
	page_at(p, p->x == 0 ? 1 : p->x + 2);
	page_add(p, ROLE_TEXT, str_text(piece));
}

static void add_weights(const struct prio_weights *w, struct str *out)
{
	static const char letter[CRED_TYPE_COUNT + 1] = "UGAQC";

	str_add(out, "FSWEIGHT ");
	formula_number(out, w->component[PRIO_FS]);
	str_add_char(out, ':');
	for (enum cred_type t = 0; t < CRED_TYPE_COUNT; t++) {
		str_addf(out, " %c ", letter[t]);
		formula_number(out, w->factor[PRIO_FS_USER + (enum prio_factor)t]);
	}
}

void share_settings_line(struct page *p, const struct forecast *f, const struct lint_cache *lint_cache,
			 int width)
{
	const struct policy *policy = &f->s->policy;
	const struct fairshare *shares = &f->plan.queue.shares;
	struct str piece[7] = {{0}};
	char text[DURATION_TEXT];

	str_addf(&piece[0], "FSPOLICY %s", shares_metric_name((enum fs_policy)policy->fs_policy));
	if (policy->fs_policy != FS_NONE)
		str_add(&piece[0], fs_is_percent((enum fs_policy)policy->fs_policy) ? " (part of the target)"
										    : " (difference)");
	str_addf(&piece[1], "FSINTERVAL %s", duration_text(text, policy->fs_interval_s));
	str_addf(&piece[2], "FSDEPTH %" PRId64, policy->fs_depth);
	str_add(&piece[3], "FSDECAY ");
	formula_fixed(&piece[3], policy->fs_decay);
	if (!shares->off)
		str_addf(&piece[4], "rolls in %s", duration_text(text, shares->next_roll_s - f->plan.now_s));
	add_weights(&policy->weights, &piece[5]);
	if (width >= LINT_W)
		finding_lines_count(lint_cache, SEVERITY_WARNING, &piece[6]);
	for (size_t i = 0; i < sizeof piece / sizeof piece[0]; i++) {
		if (piece[i].len > 0)
			put_piece(p, width, &piece[i]);
		str_free(&piece[i]);
	}
}

/* --- origins ------------------------------------------------------------------------------ */

/* What an option is called; of a credential's with its name. */
static void add_option_name(const struct snapshot *s, const char *scope, const char *name, uint32_t cred,
			    struct str *out)
{
	if (cred == INDEX_NONE)
		str_add(out, name);
	else
		str_addf(out, "%s[%s].%s", scope, snapshot_string(s, snapshot_creds(s)[cred].name), name);
}

static void note_place(struct figures *out, const struct snapshot *s, const char *option)
{
	struct str place = {0};
	uint64_t entry;

	(void)origin_find(s, option, &place, &entry);
	figure_note_origin(out, option, str_text(&place), entry);
	str_free(&place);
}

/* What an option of the site is set to, and where. */
static void put_option(struct figures *out, const struct snapshot *s, const char *name)
{
	const struct option *row = option_find(config_rows, config_row_count, "", name);
	struct str text = {0};

	str_addf(&text, "%s = ", name);
	config_print_value(row, &s->policy, NULL, NULL, &text);
	figure_say(out, str_text(&text));
	note_place(out, s, name);
	str_free(&text);
}

void share_settings_note(struct figures *out, const struct snapshot *s, uint32_t cred, enum cred_type type)
{
	const struct cred_attr *own = &snapshot_creds(s)[cred].attr;
	struct str option = {0};

	/* Its own, or DEFAULT's, whichever is in force. */
	add_option_name(s, cred_type_name(type), "fstarget",
			own->fs_mode != FS_NO_TARGET ? cred : (uint32_t)type, &option);
	note_place(out, s, str_text(&option));
	str_free(&option);
}

void share_settings_figures(struct figures *out, const struct forecast *f, const struct share_row *row)
{
	static const char *const names[] = {"fspolicy", "fsinterval", "fsdepth", "fsdecay", "fsweight"};
	char weight[48];

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		put_option(out, f->s, names[i]);
	if (row->kind == SHARE_TOTAL)
		return;
	snprintf(weight, sizeof weight, "%sweight",
		 policy_factor_info(PRIO_FS_USER + (enum prio_factor)row->type)->keyword);
	put_option(out, f->s, weight);
}
