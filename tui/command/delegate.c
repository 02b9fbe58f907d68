/* SPDX-License-Identifier: MIT */
/*
 * delegate.c - a verb that is carried out by another one, with other words
 */
#include "delegate.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

static char *keep(struct delegate *d, const char *text)
{
	return arena_copy(&d->arena, text, strlen(text) + 1);
}

static void add_word(struct delegate *d, const char *text)
{
	if (d->count < DELEGATE_WORDS)
		d->word[d->count] = keep(d, text);
	d->count++;
}

void delegate_add(struct delegate *d, const char *format, ...)
{
	struct str text = {0};
	va_list args;

	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	add_word(d, str_text(&text));
	str_free(&text);
}

void delegate_term(struct delegate *d, const char *key, const char *value)
{
	str_addf(&d->terms, "%s%s=", d->terms.len > 0 ? " " : "", key);
	for (; *value != '\0'; value++) {
		str_add_char(&d->terms, '\\');
		str_add_char(&d->terms, *value);
	}
}

/* --- jobs ------------------------------------------------------------------------------------ */

static bool is_array(const struct snapshot *s, const char *text)
{
	uint64_t id = strtoull(text, NULL, 10);

	for (uint32_t i = 0; s != NULL && i < snapshot_count(s, TABLE_JOBS); i++)
		if (snapshot_jobs(s)[i].state != JOB_NONE && snapshot_jobs(s)[i].array == id)
			return id != 0;
	return false;
}

const char *delegate_label(const struct snapshot *s, struct arena *arena, const char *text)
{
	size_t digits = strspn(text, "0123456789");
	struct str label = {0};
	const char *kept, *rest = text + digits, *end;

	if (digits == 0)
		return arena_string(arena, text);
	str_add_bytes(&label, text, digits);
	if (rest[0] == '_' && rest[1] != '\0') {
		rest += 1 + (rest[1] == '[');
		str_addf(&label, "[%.*s]", (int)strcspn(rest, "]"), rest);
	} else if (rest[0] == '[') {
		end = strchr(rest, ']');
		str_add_bytes(&label, rest, end == NULL ? strlen(rest) : (size_t)(end - rest) + 1);
	} else if (rest[0] != '\0' && rest[0] != '.') {
		str_add(&label, rest); /* 12-15 */
	} else if (is_array(s, str_text(&label))) {
		str_add(&label, "[]");
	}
	kept = arena_string(arena, str_text(&label));
	str_free(&label);
	return kept;
}

void delegate_job(const struct snapshot *s, struct delegate *d, const char *text)
{
	add_word(d, delegate_label(s, &d->arena, text));
}

/* Commas between brackets belong to the tasks of an array. */
void delegate_jobs(const struct snapshot *s, struct delegate *d, const char *list)
{
	while (*list != '\0') {
		struct str job = {0};

		for (bool inside = false; *list != '\0' && (inside || *list != ','); list++) {
			inside = *list == '[' || (inside && *list != ']');
			str_add_char(&job, *list);
		}
		if (job.len > 0)
			delegate_job(s, d, str_text(&job));
		str_free(&job);
		list += *list == ',';
	}
}

void delegate_free(struct delegate *d)
{
	str_free(&d->terms);
	arena_free(&d->arena);
	d->count = 0;
}

enum cmd_status delegate_run(struct cmd_env *env, struct delegate *d, const struct cmd *cmd)
{
	char *words[DELEGATE_WORDS + 4], *argv[DELEGATE_WORDS + 4];
	enum cmd_status status = CMD_USAGE;
	int count, argc = 0;

	argv[argc++] = keep(d, cmd->name);
	if (d->terms.len > 0) {
		argv[argc++] = keep(d, "-w");
		argv[argc++] = keep(d, str_text(&d->terms));
	}
	for (int i = 0; i < d->count && i < DELEGATE_WORDS; i++)
		argv[argc++] = d->word[i];
	argv[argc] = NULL;
	if (d->count > DELEGATE_WORDS)
		err_set(&env->err, "at most %d words can be given at a time, got %d", DELEGATE_WORDS,
			d->count);
	else if (cmd_take_words(env, cmd, argc, argv, words, &count))
		status = cmd->run(env, count, words);
	delegate_free(d);
	return status;
}
