/* SPDX-License-Identifier: MIT */
/*
 * complete.c - completion of command lines
 *
 * Candidates are verbs, options, and names in a snapshot such as jobs and nodes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "complete.h"
#include "sched/base/vec.h"

void candidates_add(struct cmd_candidates *c, const char *word, const char *text)
{
	if (strncmp(text, word, strlen(word)) != 0)
		return;
	c->text = vec_room(c->text, &c->room, c->count + 1, sizeof *c->text);
	c->text[c->count++] = mem_string(text);
}

void candidates_clear(struct cmd_candidates *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->text[i]);
	free(c->text);
	*c = (struct cmd_candidates){0};
}

static int by_text(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

static void sort_once(struct cmd_candidates *c)
{
	size_t kept = 0;

	if (c->count == 0)
		return;
	qsort(c->text, c->count, sizeof *c->text, by_text);
	for (size_t i = 1; i < c->count; i++) {
		if (strcmp(c->text[kept], c->text[i]) == 0)
			free(c->text[i]);
		else
			c->text[++kept] = c->text[i];
	}
	c->count = kept + 1;
}

/* Adds an array as a whole. Its tasks are added only after '[' is typed. */
static void add_array(uint64_t array, const char *word, struct cmd_candidates *out)
{
	char name[32];

	snprintf(name, sizeof name, "%llu[]", (unsigned long long)array);
	candidates_add(out, word, name);
}

void complete_jobs(const struct snapshot *s, const char *word, struct cmd_candidates *out)
{
	const struct job *jobs = snapshot_jobs(s);
	bool tasks = strchr(word, '[') != NULL;
	char label[JOB_LABEL_TEXT];

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++) {
		if (jobs[i].state == JOB_NONE)
			continue;
		if (jobs[i].array != 0 && !tasks)
			add_array(jobs[i].array, word, out);
		else
			candidates_add(out, word, snapshot_job_label(s, &jobs[i], label));
	}
}

static void complete_option(const struct option *row, const char *title, const char *word,
			    struct cmd_candidates *out)
{
	struct config_value value = {.row = row, .title = title, .value.text = ""};
	struct str name = {0};

	config_print_name(&value, &name);
	candidates_add(out, word, str_text(&name));
	str_free(&name);
}

static bool is_live_of_node(const struct option *row)
{
	return strcmp(row->scope, "node") == 0 &&
	       config_check_live(&(struct config_value){.row = row, .title = ""}, NULL);
}

/* An option of a section is added once for each existing user, node or other name that can have it. */
void complete_options(const struct snapshot *s, const char *word, struct cmd_candidates *out)
{
	for (size_t i = 0; i < config_row_count; i++) {
		const struct option *row = &config_rows[i];
		enum cred_type type = cred_type_find(row->scope);

		if (row->scope[0] == '\0' || row->scope[0] == '!')
			complete_option(row, "", word, out);
		if (is_live_of_node(row))
			complete_option(row, CRED_DEFAULT, word, out);
		for (uint32_t n = 0; s && is_live_of_node(row) && n < snapshot_count(s, TABLE_NODES); n++)
			complete_option(row, snapshot_string(s, snapshot_nodes(s)[n].name), word, out);
		for (uint32_t c = 0; s && type != CRED_TYPE_COUNT && c < snapshot_count(s, TABLE_CREDS); c++)
			if (snapshot_creds(s)[c].type == type)
				complete_option(row, snapshot_string(s, snapshot_creds(s)[c].name), word,
						out);
	}
}

static void add_verbs(const char *word, unsigned without, struct cmd_candidates *out)
{
	for (size_t i = 0; i < out->verbs->count; i++) {
		if (out->verbs->item[i]->flags & without)
			continue;
		candidates_add(out, word, out->verbs->item[i]->name);
	}
}

void complete_verbs(const struct snapshot *s, const char *word, struct cmd_candidates *out)
{
	(void)s;
	add_verbs(word, 0, out);
}

static void add_flags(const struct cmd *cmd, const char *word, struct cmd_candidates *out)
{
	for (const struct cmd_option *o = cmd->options; o && o->name; o++)
		candidates_add(out, word, o->name);
	for (size_t i = 0; cmd_shared_option(cmd, i); i++)
		candidates_add(out, word, cmd_shared_option(cmd, i)->name);
}

/* Returns the verb of a line; NULL if its first word is not a verb. */
static const struct cmd *verb_of(const struct cmd_table *verbs, const char *line)
{
	int count;
	char **words = cmd_split(line, &count, NULL);
	const struct cmd *cmd = words && count > 0 ? cmd_find(verbs, words[0], NULL) : NULL;

	free(words);
	return cmd;
}

void cmd_complete(const struct cmd_table *verbs, const struct snapshot *s, const char *line,
		  const struct cmd_console *ask, size_t *start, struct cmd_candidates *out)
{
	const char *word = strrchr(line, ' ');
	const struct cmd *cmd;

	out->verbs = verbs;
	out->ask = ask;
	word = word ? word + 1 : line;
	*start = (size_t)(word - line);
	if (strspn(line, " ") == *start) {
		add_verbs(word, ask ? CMD_SHELL : CMD_CONSOLE, out);
		sort_once(out);
		return;
	}
	cmd = verb_of(verbs, line);
	if (cmd && word[0] == '-')
		add_flags(cmd, word, out);
	else if (cmd && cmd->complete && (s || !(cmd->flags & CMD_STORE)))
		cmd->complete(s, word, out);
	sort_once(out);
}
