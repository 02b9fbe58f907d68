/* SPDX-License-Identifier: MIT */
/*
 * fuzz_config.c - configuration texts and NAME=VALUE
 *
 * A refusal has a message and no effect; every value of
 * an accepted text has the same effect when it is set by name; lint can check an accepted text. The
 * first line is also read as NAME=VALUE.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/lint/config_lint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good)
{
	if (!good)
		abort();
}

/* Resolves a value and, if it is accepted, stores and prints it; false if refused. */
static bool try_name(const char *name, const char *text, struct config_value *value, char title[CONFIG_TITLE])
{
	struct policy policy;
	struct prio_weights weights;
	struct cred_attr attr = {.priority = 0};
	struct config_node node = {.procs = 0};
	struct str printed = {0};
	struct err err = {""};

	if (!config_resolve(name, text, value, title, CONFIG_TITLE, &err)) {
		require(err.text[0] != '\0');
		return false;
	}
	policy_default(&policy);
	prio_weights_default(&weights);
	config_store(value, &policy, &weights, &attr, &node);
	config_print_value(value->row, &policy, &weights, &attr, &printed);
	str_free(&printed);
	return true;
}

static void try_first_line(const uint8_t *data, size_t size)
{
	char *line = mem_zero(size + 1, 1);
	char title[CONFIG_TITLE];
	struct config_value value;
	char *equals;

	memcpy(line, data, size);
	line[strcspn(line, "\n")] = '\0';
	equals = strchr(line, '=');
	if (equals)
		*equals = '\0';
	try_name(line, equals ? equals + 1 : "", &value, title);
	free(line);
}

/* Sets a value of a text by name. */
static void require_same_by_name(const struct config_value *value)
{
	struct str name = {0};
	char title[CONFIG_TITLE];
	struct config_value found;

	config_print_name(value, &name);
	require(try_name(str_text(&name), config_value_text(value), &found, title));
	require(found.row == value->row && found.value.whole == value->value.whole);
	require(!(found.value.number < value->value.number) && !(found.value.number > value->value.number));
	require(strcmp(title, value->title) == 0);
	str_free(&name);
}

/* A stand-in for the host, on which some names do not exist and some programs are not run. */
static enum host_state poor_host(void *self, enum host_thing thing, const char *name, struct err *why)
{
	(void)self;
	if (thing == HOST_CONFIG || (thing == HOST_PROGRAM && strlen(name) % 3 == 0)) {
		err_set(why, "%s is not run", name);
		return HOST_UNTRUSTED;
	}
	return strlen(name) % 2 == 0 ? HOST_MISSING : HOST_GOOD;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = size > 0 ? (const char *)data : "";
	struct config_finding finding[4];
	struct config_list list = {0};
	struct err err = {""};

	try_first_line((const uint8_t *)text, size);
	if (!config_list_read("f", text, size, &list, &err)) {
		require(strncmp(err.text, "f:", 2) == 0);
		require(!list.item && list.count == 0);
		return 0;
	}
	for (size_t i = 0; i < list.count; i++)
		if (list.item[i].value.row)
			require_same_by_name(&list.item[i].value);
	config_list_free(&list);
	config_lint("f", text, size, finding, 4);
	config_lint_host("f", text, size, poor_host, NULL, finding, 4);
	return 0;
}
