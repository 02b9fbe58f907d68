/* SPDX-License-Identifier: MIT */
/*
 * lint_host.c - lint rules about the host
 *
 * Rules H1 to H5. This file performs no I/O: the caller, which runs on the host, passes a function that
 * checks programs, users and files.
 */
#include <inttypes.h>
#include <string.h>

#include "config_lint.h"
#include "lint_text.h"
#include "sched/base/str.h"

struct host {
	struct lint lint;
	host_ask *ask;
	void *self;
	const char *file;
	const struct config_value *first_program;
};

/* --- programs ---------------------------------------------------------------------------- */

/* Returns the consequence of a missing program; NULL if the value is not the path of a program. */
static const char *loss_of(const struct config_value *value)
{
	static const struct {
		const char *name, *loss;
	} programs[] = {
		{"prolog", "no job starts"},
		{"epilog", "nothing cleans up after jobs"},
		{"notifyprogram", "no notifications are sent"},
		{"mailprogram", "no mail is sent"},
		{"localnodeallocation", "nodes are allocated as with minresource"},
	};

	for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
		if (lint_is(value, "", programs[i].name))
			return programs[i].loss;
	return NULL;
}

static void judge_program(struct host *h, const struct config_value *value)
{
	const char *path = value->value.text, *loss = loss_of(value);
	const char *rule = lint_is(value, "", "prolog") ? "H1" : "H2";
	enum host_state state;
	struct err why;

	if (loss == NULL || path[0] == '\0')
		return;
	h->first_program = h->first_program != NULL ? h->first_program : value;
	state = h->ask(h->self, HOST_PROGRAM, path, &why);
	if (state == HOST_GOOD)
		return;
	if (state == HOST_UNTRUSTED)
		lint_report(&h->lint, rule, value, "%s, so %s", why.text, loss);
	else
		lint_report(&h->lint, rule, value,
			    state == HOST_MISSING
				    ? "%s = %s does not exist, so %s; install it or remove the option"
				    : "%s = %s is not an executable program, so %s; make it executable or "
				      "remove the option",
			    value->row->name, path, loss);
	lint_fix_value(&h->lint, value, "%s", "");
}

/* --- users ------------------------------------------------------------------------------ */

static bool is_known(const struct host *h, const char *word, size_t len)
{
	char name[CONFIG_TITLE];

	if (len >= sizeof name)
		return false;
	memcpy(name, word, len);
	name[len] = '\0';
	return h->ask(h->self, HOST_USER, name, NULL) == HOST_GOOD;
}

/* Appends the names in a list that have an account on the host (known), or that have none (not known). */
static void add_known(const struct host *h, const char *list, bool known, struct str *out)
{
	const char *word;
	size_t len;

	while ((word = config_word(&list, &len)) != NULL)
		if (is_known(h, word, len) == known)
			str_addf(out, "%s%.*s", out->len > 0 ? " " : "", (int)len, word);
}

static void judge_admins(struct host *h, const struct config_value *value)
{
	struct str unknown = {0}, known = {0};

	if (!lint_is(value, "", "admin1") && !lint_is(value, "", "admin2") && !lint_is(value, "", "admin3"))
		return;
	add_known(h, value->value.text, false, &unknown);
	add_known(h, value->value.text, true, &known);
	if (unknown.len > 0) {
		lint_report(&h->lint, "H3", value,
			    "%s contains names without an account on this host: %s; a user who gets such an "
			    "account later is an administrator immediately",
			    value->row->name, str_text(&unknown));
		lint_fix_value(&h->lint, value, "%s", str_text(&known));
	}
	str_free(&unknown);
	str_free(&known);
}

/* Is value i the first value in the section of a user without an account on this host? */
static bool is_of_stranger(const struct host *h, size_t i)
{
	const struct config_value *value = lint_value(&h->lint, i);

	return strcmp(value->row->scope, "user") == 0 && strcmp(value->title, CRED_DEFAULT) != 0 &&
	       lint_section_of(&h->lint, i).first == i && !is_known(h, value->title, strlen(value->title));
}

/*
 * Reports all users without an account on this host in one finding, because a configuration from another host
 * may have many of them.
 */
static void judge_sections(struct host *h)
{
	const struct config_value *first = NULL;
	struct config_finding *finding;
	int64_t others = -1;

	for (size_t i = 0; i < h->lint.list->count; i++) {
		if (!is_of_stranger(h, i))
			continue;
		first = first != NULL ? first : lint_value(&h->lint, i);
		others++;
	}
	if (first == NULL)
		return;
	if (others == 0)
		lint_report(&h->lint, "H4", first,
			    "user %s has no account on this host, and therefore no jobs", first->title);
	else
		lint_report(&h->lint, "H4", first,
			    "user %s and %" PRId64 " other%s with settings have no account on this host",
			    first->title, others, others == 1 ? "" : "s");
	if (h->lint.found > h->lint.room)
		return;
	finding = &h->lint.out[h->lint.found - 1];
	finding->count = others + 1;
}

/* Checks H5. A configuration without programs is not checked; the finding refers to its first program. */
static void judge_file(struct host *h)
{
	struct err why;

	if (h->first_program == NULL || h->ask(h->self, HOST_CONFIG, h->file, &why) != HOST_UNTRUSTED)
		return;
	lint_report(&h->lint, "H5", h->first_program, "the programs in this file are not run, because %s",
		    why.text);
}

static void judge(struct host *h)
{
	for (size_t i = 0; i < h->lint.list->count; i++) {
		judge_program(h, lint_value(&h->lint, i));
		judge_admins(h, lint_value(&h->lint, i));
	}
	judge_sections(h);
	judge_file(h);
}

size_t config_lint_host(const char *file, const char *text, size_t len, host_ask *ask, void *self,
			struct config_finding *out, size_t room)
{
	struct config_list list = {0};
	struct host h = {
		.lint = {.list = &list, .out = out, .room = room}, .ask = ask, .self = self, .file = file};

	if (!config_list_read(file, text, len, &list, NULL))
		return 0;
	lint_drop_empty(&list);
	judge(&h);
	config_list_free(&list);
	return h.lint.found;
}
