/* SPDX-License-Identifier: MIT */
/*
 * config_lint_accounts.c - lists of accounts: default accounts and names that do not fit them
 *
 * Rules W47 and W48. A job may charge an account that an alist of its user, group or class names.
 */
#include <string.h>

#include "config_lint.h"
#include "sched/base/str.h"

static bool text_names(const char *text, const char *account)
{
	const char *word;
	size_t len;

	while ((word = config_word(&text, &len)) != NULL)
		if (len == strlen(account) && memcmp(word, account, len) == 0)
			return true;
	return false;
}

/* What lists say of one account. */
struct account_lists {
	bool exist, name_it;
};

/* The lists of a kind of section, of one name. */
static struct account_lists look_in(const struct lint *l, const char *scope, const char *title,
				    const char *account)
{
	struct account_lists found = {.exist = false};

	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);

		if (value->row->form != FORM_ALIST || strcmp(value->row->scope, scope) != 0 ||
		    strcmp(value->title, title) != 0)
			continue;
		found.exist = true;
		found.name_it = found.name_it || text_names(value->value.text, account);
	}
	return found;
}

/* Those of the other kinds of section, whatever their names: a job may have any of them. */
static struct account_lists look_elsewhere(const struct lint *l, const char *scope, const char *account)
{
	struct account_lists found = {.exist = false};

	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);

		if (value->row->form != FORM_ALIST || strcmp(value->row->scope, scope) == 0)
			continue;
		found.exist = true;
		found.name_it = found.name_it || text_names(value->value.text, account);
	}
	return found;
}

static bool is_listed_only(const struct lint *l)
{
	for (size_t i = 0; i < l->list->count; i++)
		if (strcmp(lint_value(l, i)->row->name, "accountaccess") == 0)
			return lint_value(l, i)->value.whole == ACCOUNTS_LISTED;
	return false;
}

/* The names in the list of the value's section, and one more. */
static void fix_by_list(struct lint *l, const struct config_value *value)
{
	struct lint_section section = lint_section_of(l, lint_index(l, value));
	struct str list = {0};

	for (size_t i = section.first; i < section.end; i++)
		if (lint_value(l, i)->row->form == FORM_ALIST)
			str_addf(&list, "%s ", lint_value(l, i)->value.text);
	str_add(&list, value->value.text);
	lint_fix_beside(l, value, "alist", "%s", str_text(&list));
	str_free(&list);
}

static void judge_default(struct lint *l, const struct config_value *value)
{
	const char *account = value->value.text, *scope = value->row->scope;
	struct account_lists own = look_in(l, scope, value->title, account);
	struct account_lists other = look_elsewhere(l, scope, account);

	if (!own.exist)
		own = look_in(l, scope, CRED_DEFAULT, account);
	if (own.name_it || other.name_it || (!own.exist && !other.exist && !is_listed_only(l)))
		return;
	lint_no_effect(l, "W47", value,
		       "no alist lets its jobs charge %s; add it to the alist of the same section", account);
	fix_by_list(l, value);
}

static bool has_account(const struct lint *l, const char *name, size_t len)
{
	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);

		if (strcmp(value->row->scope, "account") == 0 &&
		    (name == NULL ? strcmp(value->title, CRED_DEFAULT) != 0 &&
					    !str_same_word(value->title, CRED_NONE)
				  : strlen(value->title) == len && memcmp(value->title, name, len) == 0))
			return true;
	}
	return false;
}

static void judge_list(struct lint *l, const struct config_value *value)
{
	const char *at = value->value.text, *word;
	size_t len;

	while ((word = config_word(&at, &len)) != NULL)
		if (!has_account(l, word, len))
			lint_report(l, "W48", value,
				    "alist of %s %s names account %.*s, for which there is no section",
				    value->row->scope, value->title, (int)len, word);
}

void lint_accounts(struct lint *l)
{
	bool described = has_account(l, NULL, 0);

	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);

		if (value->row->form == FORM_ADEF && !str_same_word(value->value.text, CRED_NONE))
			judge_default(l, value);
		if (value->row->form == FORM_ALIST && described)
			judge_list(l, value);
	}
}
