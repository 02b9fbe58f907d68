/* SPDX-License-Identifier: MIT */
/*
 * setting_list.h - rows of the Config screen: parameters and findings of lint
 *
 * One of how things are; with a draft a second of how they would be, and what lint would find anew.
 * Both are kept until something that is set changes; what lint finds is the console's.
 */
#ifndef SCREEN_SETTING_LIST_H
#define SCREEN_SETTING_LIST_H

#include "sched/lint/lint.h"
#include "tui/draw/table.h"
#include "tui/query/plan_query.h"
#include "tui/report/settings.h"

/* Which are shown. */
enum setting_part {
	SETTINGS_ALL,
	SETTINGS_CHANGED, /* not as shipped                                */
	SETTINGS_LIVE,    /* otherwise than the configuration says         */
	SETTINGS_ODD,     /* lint has something to say of them             */
	SETTING_PARTS
};

struct setting_list {
	struct settings live, draft;
	const struct lint_cache *lint_cache; /* the console's */
	uint64_t version, draft_version;     /* of what is set */
	const struct plan_query *o;
	bool comparing; /* there is a draft */
	struct err err; /* the configuration could not be read again */
};

/* linted: of the outlook; it stays. */
void setting_list_build(struct setting_list *l, const struct plan_query *o,
			const struct lint_cache *lint_cache);
void setting_list_free(struct setting_list *l);

/* What is shown: with a draft as it would be. */
const struct settings *setting_list_shown(const struct setting_list *l);
const struct lint_list *setting_list_findings(const struct setting_list *l);

/* The i-th finding about an option, from 0; NULL when there are no more. */
const struct config_finding *setting_list_finding(const struct setting_list *l, const char *option, size_t i);

bool setting_list_differs(const struct setting_list *l, const struct setting_row *item);
bool setting_list_is_in(const struct setting_list *l, const struct setting_row *item, enum setting_part part);

/* --- cells ------------------------------------------------------------------------------------- */

#define SETTING_COLUMNS 7
extern const struct table_column setting_columns[SETTING_COLUMNS], setting_draft_columns[SETTING_COLUMNS];
enum role setting_cell(const struct setting_list *l, const struct setting_row *item, size_t column,
		       struct str *out);

#define FINDING_COLUMNS 4
extern const struct table_column finding_columns[FINDING_COLUMNS];
enum role finding_cell(const struct setting_list *l, const struct config_finding *finding, size_t column,
		       struct str *out);
enum role finding_role(const struct config_finding *finding);

#endif
