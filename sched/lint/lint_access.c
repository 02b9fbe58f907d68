/* SPDX-License-Identifier: MIT */
/*
 * lint_access.c - lint of access lists: QOS, accounts, classes and features
 *
 * Rules W28, W43, W47 to W49, W52 and W53. A job may use a QOS if the qlist of one of its
 * credentials contains the QOS. A qlist with & or ^ forbids every QOS that it does not contain.
 *
 * Source: Maui Administrator's Guide 7.3.
 */
#include <stdlib.h>
#include <string.h>

#include "lint_text.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

#define SCOPES (CRED_TYPE_COUNT + 1) /* credential types, and the system */

/* A QOS that a qlist contains, and the scope of the section of this list. */
struct named_qos {
	const char *word;
	size_t len;
	unsigned scope;
};

struct access {
	struct named_qos *named; /* sorted by name */
	size_t count, room;
	size_t usual[SCOPES];  /* index of a qlist value of DEFAULT; SIZE_MAX = DEFAULT has no qlist */
	bool has_list[SCOPES]; /* does a section of this scope have a qlist? */
};

static unsigned scope_of(const struct config_value *value)
{
	return (unsigned)cred_type_find(value->row->scope);
}

/* Returns the next name in a list; *len excludes a suffix & or ^, and *suffix says whether there is one. */
static const char *next_qos(const char **at, size_t *len, bool *suffix)
{
	const char *word = config_word(at, len);

	if (word) {
		*suffix = word[*len - 1] == '&' || word[*len - 1] == '^';
		*len -= *suffix;
	}
	return word;
}

static int by_name(const void *a, const void *b)
{
	const struct named_qos *x = a, *y = b;
	int order = memcmp(x->word, y->word, x->len < y->len ? x->len : y->len);

	return order != 0 ? order : (x->len > y->len) - (x->len < y->len);
}

static void add_list(struct access *access, const struct config_value *value)
{
	const char *at = value->value.text, *word;
	size_t len;
	bool suffix;

	access->has_list[scope_of(value)] = true;
	while ((word = next_qos(&at, &len, &suffix)) != NULL) {
		access->named =
			vec_room(access->named, &access->room, access->count + 1, sizeof *access->named);
		access->named[access->count++] =
			(struct named_qos){.word = word, .len = len, .scope = scope_of(value)};
	}
}

static void collect(const struct lint *l, struct access *access)
{
	for (unsigned scope = 0; scope < SCOPES; scope++)
		access->usual[scope] = SIZE_MAX;
	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);

		if (value->row->form != FORM_QLIST)
			continue;
		add_list(access, value);
		if (strcmp(value->title, CRED_DEFAULT) == 0)
			access->usual[scope_of(value)] = i;
	}
	if (access->count > 0)
		qsort(access->named, access->count, sizeof *access->named, by_name);
}

/* What the qlist of one section says about a QOS. */
struct own_list {
	bool exists, names_it, strict; /* strict: a name has the suffix & or ^ */
};

static struct own_list look_in_section(const struct lint *l, size_t i, const char *qos)
{
	struct lint_section section = lint_section_of(l, i);
	struct own_list own = {.exists = false};

	for (i = section.first; i < section.end; i++) {
		const char *at = lint_value(l, i)->value.text, *word;
		size_t len;
		bool suffix;

		if (lint_value(l, i)->row->form != FORM_QLIST)
			continue;
		own.exists = true;
		while ((word = next_qos(&at, &len, &suffix)) != NULL) {
			own.strict = own.strict || suffix;
			own.names_it = own.names_it || (len == strlen(qos) && memcmp(word, qos, len) == 0);
		}
	}
	return own;
}

static bool others_name_it(const struct access *access, unsigned scope, const char *qos)
{
	struct named_qos key = {.word = qos, .len = strlen(qos)};
	size_t low = 0, high = access->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_name(&access->named[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < access->count && by_name(&access->named[low], &key) == 0; low++)
		if (access->named[low].scope != scope)
			return true;
	return false;
}

static bool others_have_lists(const struct access *access, unsigned scope)
{
	for (unsigned other = 0; other < SCOPES; other++)
		if (other != scope && access->has_list[other])
			return true;
	return false;
}

/* Sets the fix: the qlist in the section of the value, with one more QOS. */
static void fix_by_list(struct lint *l, const struct config_value *value, const char *qos)
{
	struct lint_section section = lint_section_of(l, lint_index(l, value));
	struct str list = {0};

	for (size_t i = section.first; i < section.end; i++)
		if (lint_value(l, i)->row->form == FORM_QLIST)
			str_addf(&list, "%s ", lint_value(l, i)->value.text);
	str_add(&list, qos);
	lint_fix_beside(l, value, "qlist", "%s", str_text(&list));
	str_free(&list);
}

static void judge_default(struct lint *l, const struct access *access, size_t i)
{
	const struct config_value *value = lint_value(l, i);
	const char *qos = value->value.text;
	unsigned scope = scope_of(value);
	struct own_list own = look_in_section(l, i, qos);

	if (!own.exists && access->usual[scope] != SIZE_MAX)
		own = look_in_section(l, access->usual[scope], qos);
	if (own.names_it || (!own.exists && !others_have_lists(access, scope)) ||
	    (!own.strict && others_name_it(access, scope, qos)))
		return;
	lint_no_effect(l, "W28", value,
		       "no qlist allows %s for its jobs; add it to the qlist of the same section", qos);
	fix_by_list(l, value, qos);
}

/*
 * Returns the qlist that applies to most jobs: that of the system, otherwise that of a DEFAULT, otherwise the
 * first. The text has at least one qlist.
 */
static const struct config_value *usual_list(const struct lint *l)
{
	const struct config_value *usual = NULL;
	int best = 0;

	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);
		int reach = value->row->scope[0] == '!' ? 3 : strcmp(value->title, CRED_DEFAULT) == 0 ? 2 : 1;

		if (value->row->form != FORM_QLIST || reach <= best)
			continue;
		best = reach;
		usual = value;
	}
	return usual;
}

/* Checks W43: if there are qlists, no job can use a QOS that none of them contains. */
static void judge_qos(struct lint *l, const struct access *access, const struct config_value *value)
{
	if (strcmp(value->title, CRED_DEFAULT) == 0 || str_same_word(value->title, CRED_NONE) ||
	    others_name_it(access, SCOPES, value->title))
		return;
	lint_report(l, "W43", value, "no job may use qos %s: there are qlists, but none contains it",
		    value->title);
	fix_by_list(l, usual_list(l), value->title);
}

static bool some_qos_is_described(const struct lint *l)
{
	for (size_t i = 0; i < l->list->count; i++)
		if (strcmp(lint_value(l, i)->row->scope, "qos") == 0 &&
		    strcmp(lint_value(l, i)->title, CRED_DEFAULT) != 0)
			return true;
	return false;
}

/* Does the QOS have a section, or does a reservation level name it? */
static bool is_described(const struct lint *l, const char *qos, size_t qos_len)
{
	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);
		const char *at = value->value.text, *word;
		size_t len;

		if (strcmp(value->row->scope, "qos") == 0 && strlen(value->title) == qos_len &&
		    memcmp(value->title, qos, qos_len) == 0)
			return true;
		if (value->row->form != FORM_LEVEL_QOS)
			continue;
		while ((word = config_word(&at, &len)) != NULL)
			if (len == qos_len && memcmp(word, qos, qos_len) == 0)
				return true;
	}
	return false;
}

static void judge_names(struct lint *l, const struct config_value *value)
{
	const char *at = value->value.text, *word;
	char words[LINT_WORDS];
	size_t len;
	bool suffix;

	while ((word = next_qos(&at, &len, &suffix)) != NULL)
		if (!is_described(l, word, len))
			lint_report(l, "W49", value,
				    "%s names QOS %.*s, which has no section, so that QOS changes nothing "
				    "for its jobs; correct the name or write qos %.*s { ... }",
				    lint_words(value, words), (int)len, word, (int)len, word);
}

void lint_access(struct lint *l)
{
	struct access access = {.count = 0};
	bool described = some_qos_is_described(l);

	collect(l, &access);
	for (size_t i = 0; i < l->list->count; i++)
		if (lint_value(l, i)->row->form == FORM_QDEF &&
		    !str_same_word(lint_value(l, i)->value.text, CRED_NONE))
			judge_default(l, &access, i);
	for (size_t i = 0; described && i < l->list->count; i++)
		if (lint_value(l, i)->row->form == FORM_QLIST)
			judge_names(l, lint_value(l, i));
	for (size_t i = 0; access.count > 0 && i < l->list->count; i++)
		if (i == lint_section_of(l, i).first && strcmp(lint_value(l, i)->row->scope, "qos") == 0)
			judge_qos(l, &access, lint_value(l, i));
	free(access.named);
}

/* --- accounts ----------------------------------------------------------------------------------------- */

/*
 * Rules W47 and W48. A job may charge an account that an alist of its user, group or class contains.
 */

static bool text_names(const char *text, const char *account)
{
	const char *word;
	size_t len;

	while ((word = config_word(&text, &len)) != NULL)
		if (len == strlen(account) && memcmp(word, account, len) == 0)
			return true;
	return false;
}

/* What some alists say about an account. */
struct account_lists {
	bool exist, name_it; /* there is such a list; one of them contains the account */
};

/* Looks for an account in the alists of one section. */
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

/*
 * Looks for an account in the alists of all sections of other kinds: a job may have any of these credentials.
 */
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

/* Sets the fix: the alist in the section of the value, with one more account. */
static void accounts_fix_by_list(struct lint *l, const struct config_value *value)
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

static void accounts_judge_default(struct lint *l, const struct config_value *value)
{
	const char *account = value->value.text, *scope = value->row->scope;
	struct account_lists own = look_in(l, scope, value->title, account);
	struct account_lists other = look_elsewhere(l, scope, account);

	if (!own.exist)
		own = look_in(l, scope, CRED_DEFAULT, account);
	if (own.name_it || other.name_it || (!own.exist && !other.exist && !is_listed_only(l)))
		return;
	lint_no_effect(l, "W47", value,
		       "no alist allows its jobs to charge %s; add it to the alist of the same section",
		       account);
	accounts_fix_by_list(l, value);
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
			accounts_judge_default(l, value);
		if (value->row->form == FORM_ALIST && described)
			judge_list(l, value);
	}
}

/* --- classes and features ----------------------------------------------------------------------------- */

/*
 * Rules W52 and W53. A resource manager may report nodes, and features of nodes, that no section contains. A
 * node without a list of classes accepts jobs of all classes. So a class has no node only if every node
 * section lists classes, and none lists this class.
 */

static bool names_word(const struct config_value *value, const char *word, size_t len)
{
	const char *at = value->value.text, *other;
	size_t other_len;

	while ((other = config_word(&at, &other_len)) != NULL)
		if (other_len == len && memcmp(other, word, len) == 0)
			return true;
	return false;
}

static bool is_node_list(const struct config_value *value, enum trait_kind kind)
{
	return value->row->form == FORM_NODE_WORDS && value->row->offset == (size_t)kind;
}

static bool some_node_has(const struct lint *l, enum trait_kind kind, const char *word, size_t len)
{
	for (size_t i = 0; i < l->list->count; i++)
		if (is_node_list(lint_value(l, i), kind) && names_word(lint_value(l, i), word, len))
			return true;
	return false;
}

static void unknown_features(struct lint *l, const struct config_value *value)
{
	const char *at = value->value.text, *word;
	size_t len;

	while ((word = config_word(&at, &len)) != NULL)
		if (!some_node_has(l, TRAIT_FEATURE, word, len))
			lint_report(
				l, "W52", value,
				"jobs of class %s require feature %.*s, which no node section contains; "
				"they never start unless a resource manager reports nodes with this feature",
				value->title, (int)len, word);
}

/*
 * Does every node section have a list of classes, its own or that of node DEFAULT? Returns false if there are
 * no node sections.
 */
static bool classes_are_listed(const struct lint *l)
{
	bool any = false;

	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);
		struct lint_section section;
		bool has_list = false;

		if (strcmp(value->row->scope, "node") != 0)
			continue;
		section = lint_section_of(l, i);
		for (size_t k = section.first; k < section.end; k++)
			has_list = has_list || is_node_list(lint_value(l, k), TRAIT_CLASS);
		if (has_list && strcmp(value->title, CRED_DEFAULT) == 0)
			return true;
		if (!has_list && strcmp(value->title, CRED_DEFAULT) != 0)
			return false;
		any = any || has_list;
	}
	return any;
}

void lint_places(struct lint *l)
{
	bool listed = classes_are_listed(l);

	for (size_t i = 0; i < l->list->count; i++) {
		const struct config_value *value = lint_value(l, i);

		if (value->row->form == FORM_FEATURES)
			unknown_features(l, value);
		if (listed && strcmp(value->row->scope, "class") == 0 && lint_section_of(l, i).first == i &&
		    strcmp(value->title, CRED_DEFAULT) != 0 &&
		    !some_node_has(l, TRAIT_CLASS, value->title, strlen(value->title)))
			lint_report(
				l, "W53", value,
				"no node section accepts class %s, so its jobs never start; add it to the "
				"classes of some nodes",
				value->title);
	}
}
