/* SPDX-License-Identifier: MIT */
/*
 * admission.c - check of the names in a submission
 */
#include "admission.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/config/config.h"
#include "tui/submit/qsub.h"

/* --- names of classes and QOS that have a section in the configuration -------------------------------- */

struct names {
	char **item;
	size_t count, room;
};

struct configured {
	struct str text; /* the configuration text from which the names were read */
	bool read;
	struct names of[CRED_TYPE_COUNT];
};

struct configured *configured_new(void)
{
	return mem_zero(1, sizeof(struct configured));
}

static void clear(struct configured *c)
{
	for (int type = 0; type < CRED_TYPE_COUNT; type++) {
		for (size_t i = 0; i < c->of[type].count; i++)
			free(c->of[type].item[i]);
		c->of[type].count = 0;
	}
}

void configured_free(struct configured *c)
{
	if (c == NULL)
		return;
	clear(c);
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		free(c->of[type].item);
	str_free(&c->text);
	free(c);
}

static bool has(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->item[i], name) == 0)
			return true;
	return false;
}

static bool has_in_other_case(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcasecmp(names->item[i], name) == 0)
			return true;
	return false;
}

/* Adds the name of the section to which a value of the configuration belongs. Each setting of a section is
 * one value; a section without settings is represented by one value that marks its existence. */
static void add(struct configured *c, const struct config_value *value)
{
	enum cred_type type = cred_type_find(value->row != NULL ? value->row->scope : value->value.text);
	struct names *names;

	if ((type != CRED_CLASS && type != CRED_QOS) || strcmp(value->title, CRED_DEFAULT) == 0 ||
	    has(&c->of[type], value->title))
		return;
	names = &c->of[type];
	names->item = vec_room(names->item, &names->room, names->count + 1, sizeof *names->item);
	names->item[names->count++] = mem_string(value->title);
}

static void read_again(struct configured *c, const char *text)
{
	struct config_list list = {0};

	clear(c);
	str_clear(&c->text);
	str_add(&c->text, text);
	c->read = true;
	if (config_list_read("kahu.conf", text, c->text.len, &list, NULL))
		for (size_t i = 0; i < list.count; i++)
			add(c, &list.item[i].value);
	config_list_free(&list);
}

static struct configured_name find(struct configured *c, const char *text, enum cred_type type,
				   const char *name)
{
	if (!c->read || strcmp(text, str_text(&c->text)) != 0)
		read_again(c, text);
	return (struct configured_name){.any = c->of[type].count > 0,
					.this = has(&c->of[type], name),
					.case_differs = !has(&c->of[type], name) &&
							has_in_other_case(&c->of[type], name)};
}

struct configured_name configured_find(struct configured *c, const struct snapshot *s, enum cred_type type,
				       const char *name)
{
	const char *text = snapshot_string(s, s->config_text);
	struct configured *once;
	struct configured_name found;

	if (c != NULL)
		return find(c, text, type, name);
	once = configured_new();
	found = find(once, text, type, name);
	configured_free(once);
	return found;
}

/* --- check of the names in a submission --------------------------------------------------------------- */

/* --- class and QOS ---------------------------------------------------------------------------------- */

/* Rejects an unknown class, unless the submission is forced, and always a class that differs from a known one
 * only in case: the core compares class names case-sensitively for limits and lists, but not for the classes
 * of nodes, so such a job would run without the limits of the class. */
static bool check_class(struct configured *c, const struct state *st, const char *name, bool forced,
			struct err *err)
{
	const struct snapshot *s = state_view(st);
	const char *of_nodes;
	struct configured_name n;

	if (name == NULL)
		return true;
	n = configured_find(c, s, CRED_CLASS, name);
	if (n.this)
		return true;
	of_nodes = snapshot_trait_name(s, TRAIT_CLASS, name);
	if (n.case_differs || (of_nodes != NULL && strcmp(of_nodes, name) != 0))
		return err_set(err,
			       "class %s is not known here, but a class whose name differs only in upper and "
			       "lower case is; 'kahu config' and 'kahu node' list the classes",
			       name);
	return forced || of_nodes != NULL || !n.any ||
	       err_set(err, "class %s is not known here; 'kahu config' lists the classes", name);
}

static bool check_qos(struct configured *c, const struct state *st, const struct job_record *record,
		      struct err *err)
{
	const struct snapshot *s = state_view(st);
	const char *name = record->cred[CRED_QOS];
	uint32_t cred[CRED_TYPE_COUNT];

	if (name == NULL)
		return true;
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		cred[type] = record->cred[type] == NULL ? INDEX_NONE
							: state_find_cred(st, type, record->cred[type]);
	if (record->cred[CRED_ACCOUNT] == NULL)
		cred[CRED_ACCOUNT] = snapshot_account_for(s, cred);
	/* A section without settings has no credential in the state, so no list can name its QOS. */
	if (cred[CRED_QOS] == INDEX_NONE) {
		if (!configured_find(c, s, CRED_QOS, name).this)
			return err_set(err, "QOS %s is not known here; 'kahu config' lists each QOS", name);
		cred[CRED_QOS] = snapshot_count(s, TABLE_CREDS);
	}
	return snapshot_qos_for(s, cred, cred[CRED_QOS]) == cred[CRED_QOS] ||
	       err_set(err, "QOS %s is not open to %s; omit it, or ask an administrator", name,
		       record->cred[CRED_USER] != NULL ? record->cred[CRED_USER] : "this job");
}

/* --- accounts ---------------------------------------------------------------------------------------- */

/* Sets the error for an account that is not open to the job; the message lists the accounts that the user may
 * charge. Returns false. */
static bool refuse_account(const struct snapshot *s, const uint32_t cred[static CRED_TYPE_COUNT],
			   const struct job_record *record, struct err *err)
{
	const char *user = record->cred[CRED_USER] != NULL ? record->cred[CRED_USER] : "this job";
	struct str names = {0};

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS); i++)
		if (snapshot_creds(s)[i].type == CRED_ACCOUNT && snapshot_account_is_listed(s, cred, i))
			str_addf(&names, "%s%s", names.len > 0 ? ", " : "",
				 snapshot_string(s, snapshot_creds(s)[i].name));
	if (names.len > 0)
		err_set(err, "account %s is not open to %s; use one of these accounts: %s",
			record->cred[CRED_ACCOUNT], user, str_text(&names));
	else
		err_set(err,
			"account %s is not open to %s, and no alist grants any account (see accountaccess); "
			"submit without an account, or ask an administrator",
			record->cred[CRED_ACCOUNT], user);
	str_free(&names);
	return false;
}

static bool check_account(const struct state *st, const struct job_record *record, struct err *err)
{
	const struct snapshot *s = state_view(st);
	uint32_t cred[CRED_TYPE_COUNT];

	if (record->cred[CRED_ACCOUNT] == NULL || record->cred[CRED_ACCOUNT][0] == '\0')
		return true;
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		cred[type] = record->cred[type] == NULL ? INDEX_NONE
							: state_find_cred(st, type, record->cred[type]);
	return snapshot_account_is_open(s, cred, cred[CRED_ACCOUNT]) || refuse_account(s, cred, record, err);
}

/* --- features, resources, partitions -------------------------------------------------------------- */

/* Does the configuration mention the feature or generic resource for a node or class, even if no node has it
 * now? */
static bool is_configured(const struct snapshot *s, enum trait_kind kind, const char *name)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_VALUES); i++) {
		const struct config_entry *entry = &snapshot_values(s)[i];
		const char *text = snapshot_string(s, entry->text), *word;
		size_t len;
		uint32_t count;

		if (!config_row_names(&config_rows[entry->row], kind))
			continue;
		while ((word = config_word(&text, &len)) != NULL) {
			if (kind == TRAIT_GRES)
				config_gres_read(word, len, &len, &count, NULL);
			if (strlen(name) == len && strncasecmp(word, name, len) == 0)
				return true;
		}
	}
	return false;
}

/* Does a node have the feature or generic resource now, or does the configuration mention it? */
static bool is_of_site(const struct snapshot *s, enum trait_kind kind, const char *name)
{
	int bit = snapshot_find_trait(s, kind, name);

	for (uint32_t i = 0; bit >= 0 && i < snapshot_count(s, TABLE_NODES); i++) {
		const struct node *node = &snapshot_nodes(s)[i];

		if (kind == TRAIT_GRES ? node->gres[bit] > 0 : (node->features >> bit & 1) != 0)
			return true;
	}
	return bit >= 0 && is_configured(s, kind, name);
}

static bool check_name(const struct snapshot *s, enum trait_kind kind, const char *word, size_t len,
		       struct err *err)
{
	const char *what = kind == TRAIT_GRES ? "generic resource" : "feature";
	char name[CONFIG_TITLE];

	if (len >= sizeof name)
		return err_set(err, "the name of a %s can have at most %d bytes, but this one has %zu", what,
			       CONFIG_TITLE - 1, len);
	memcpy(name, word, len);
	name[len] = '\0';
	return is_of_site(s, kind, name) ||
	       err_set(err,
		       "no node has the %s %s; 'kahu node' lists the features and generic resources of nodes",
		       what, name);
}

/* Checks the names in a list of features or generic resources; text may be NULL. */
static bool check_traits(const struct snapshot *s, enum trait_kind kind, const char *text, struct err *err)
{
	const char *word;
	size_t len;

	while (text != NULL && (word = config_word(&text, &len)) != NULL) {
		uint32_t count;

		if (kind == TRAIT_GRES && !config_gres_read(word, len, &len, &count, err))
			return false;
		if (!check_name(s, kind, word, len, err))
			return false;
	}
	return true;
}

/* --- nodes ---------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	return strcasecmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns the names of all nodes in order; the caller frees the array with free(). */
static const char **sort_nodes(const struct snapshot *s)
{
	uint32_t count = snapshot_count(s, TABLE_NODES);
	const char **name = mem_zero((size_t)count + 1, sizeof *name);

	for (uint32_t i = 0; i < count; i++)
		name[i] = snapshot_string(s, snapshot_nodes(s)[i].name);
	qsort(name, count, sizeof *name, by_name);
	return name;
}

/* Is there a node with this name, compared without regard to case? Most names match exactly, so *sorted is
 * made only when a name does not. */
static bool is_node(const struct state *st, const char *name, const char ***sorted)
{
	const struct snapshot *s = state_view(st);

	if (state_find_node(st, name) != INDEX_NONE)
		return true;
	if (*sorted == NULL)
		*sorted = sort_nodes(s);
	return bsearch(&name, *sorted, snapshot_count(s, TABLE_NODES), sizeof **sorted, by_name) != NULL;
}

/* Checks that all hosts are nodes. A list of unknown names could otherwise be as long as a request may be. */
static bool check_hosts(const struct state *st, const char *text, struct err *err)
{
	const char **sorted = NULL, *word;
	struct str name = {0};
	bool good = true;
	size_t len;

	while (good && text != NULL && (word = config_word(&text, &len)) != NULL) {
		str_clear(&name);
		str_add_bytes(&name, word, len);
		good = is_node(st, str_text(&name), &sorted) ||
		       err_set(err, "there is no node %.80s; 'kahu node' lists the nodes", str_text(&name));
	}
	str_free(&name);
	free(sorted);
	return good;
}

static bool check_partition(const struct snapshot *s, const char *name, struct err *err)
{
	return snapshot_find_partition(s, name) != INDEX_NONE ||
	       err_set(err, "there is no partition %s", name);
}

bool admission_check_modify(struct configured *c, const struct state *st, const char *name, const char *value,
			    struct err *err)
{
	const struct snapshot *s = state_view(st);
	enum trait_kind kind = str_same_word(name, "gres") ? TRAIT_GRES : TRAIT_FEATURE;

	if (str_same_word(name, "features") || str_same_word(name, "prefer") || kind == TRAIT_GRES)
		return check_traits(s, kind, value, err) || err_prefix(err, "%s", name);
	if (str_same_word(name, "qos") && value[0] != '\0' &&
	    state_find_cred(st, CRED_QOS, value) == INDEX_NONE &&
	    !configured_find(c, s, CRED_QOS, value).this)
		return err_set(err, "qos: QOS %s is not known here; 'kahu config' lists each QOS", value);
	return true;
}

/* --- names that can be displayed ---------------------------------------------------------------------- */

static bool can_be_shown(const struct job_record *record, struct err *err)
{
	const char *const text[] = {record->name, record->label, record->cred[CRED_ACCOUNT],
				    record->cred[CRED_CLASS], record->cred[CRED_QOS]};

	for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
		if (text[i] != NULL && !qsub_is_shown(text[i]))
			return err_set(err, "a name in the submission contains bytes that cannot be "
					    "displayed; use letters, digits and punctuation");
	return true;
}

bool admission_check(struct configured *c, const struct state *st, const struct job_record *record,
		     struct err *err)
{
	const struct snapshot *s = state_view(st);
	bool forced = (record->job.real & JOB_REAL_FORCED) != 0;

	if (!can_be_shown(record, err) || !check_account(st, record, err) || !check_qos(c, st, record, err) ||
	    !check_partition(s, record->partition, err) || !check_hosts(st, record->hosts, err) ||
	    !check_class(c, st, record->cred[CRED_CLASS], forced, err))
		return false;
	if (forced)
		return true;
	return check_traits(s, TRAIT_FEATURE, record->features, err) &&
	       (check_traits(s, TRAIT_FEATURE, record->prefer, err) || err_prefix(err, "preference")) &&
	       check_traits(s, TRAIT_GRES, record->gres, err);
}
