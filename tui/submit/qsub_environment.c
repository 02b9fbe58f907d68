/* SPDX-License-Identifier: MIT */
/*
 * qsub_environment.c - which variables does a job get from who submits it?
 *
 * NAME takes the value that it has here, NAME=VALUE says one; -V takes all. A value with
 * commas stands in quotes, or has a backslash before each. What is said later wins.
 */
#include <string.h>

#include "qsub_inside.h"

struct qsub_setting {
	const struct qsub_setting *before;
	const char *text; /* NAME=value */
};

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_variable_name(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_letter(text[i]) && (i == 0 || text[i] < '0' || text[i] > '9'))
			return false;
	return len > 0;
}

/* Does "NAME=value" set the variable that another of its kind, or NAME alone, names? */
static bool is_same_variable(const char *setting, const char *other)
{
	size_t len = strcspn(setting, "=");

	return strncmp(setting, other, len) == 0 && (other[len] == '=' || other[len] == '\0');
}

static const char *find_here(const struct submitter *by, const char *name)
{
	for (const char *const *at = by->environment; at != NULL && *at != NULL; at++)
		if (strchr(*at, '=') != NULL && is_same_variable(*at, name))
			return *at;
	return NULL;
}

static void add_setting(struct submission *s, const char *text)
{
	struct qsub_setting *setting = arena_take(&s->arena, sizeof *setting);

	*setting = (struct qsub_setting){.before = s->draft.setting, .text = arena_string(&s->arena, text)};
	s->draft.setting = setting;
}

/* --- lists ------------------------------------------------------------------------------------- */

/* Copies a value up to the comma behind it; false: a quote is not closed, or not the value's end. */
static bool take_value(const char **at, struct str *out)
{
	char quote = '\0';

	if (**at == '\'' || **at == '"')
		quote = *(*at)++;
	while (**at != quote && (quote != '\0' || **at != ',')) {
		if (**at == '\0')
			return quote == '\0';
		if (**at == '\\' && (*at)[1] != '\0' && ((*at)[1] == ',' || (*at)[1] == quote))
			++*at;
		str_add_char(out, *(*at)++);
	}
	if (quote != '\0')
		++*at;
	return **at == '\0' || **at == ',';
}

/* One word of a list, at *at; appended to *out as it was meant. */
static bool take_variable(const char **at, struct str *out, struct err *err)
{
	size_t len = strcspn(*at, "=,");

	if (!is_variable_name(*at, len))
		return err_set(err, "\"%.*s\" is not the name of a variable", (int)(len < 60 ? len : 60),
			       *at);
	str_add_bytes(out, *at, len);
	*at += len;
	if (**at != '=')
		return true;
	++*at;
	str_add_char(out, '=');
	return take_value(at, out) ||
	       err_set(err, "the quote in %.60s is not closed before the comma", str_text(out));
}

/* Slurm's lists have two words more. */
static bool is_slurm_word(struct submission *s, const char *word)
{
	if (strcmp(word, "ALL") == 0)
		s->draft.all_variables = true;
	return strcmp(word, "ALL") == 0 || strcmp(word, "NONE") == 0;
}

static bool add_variable(struct submission *s, const struct submitter *by, const char *word, struct err *err)
{
	const char *here = word;

	if (strchr(word, '=') == NULL)
		here = find_here(by, word);
	if (here == NULL)
		return err_set(err, "there is no variable %s here; write %s=VALUE", word, word);
	add_setting(s, here);
	return true;
}

static bool read_list(struct submission *s, const struct submitter *by, const char *text, bool slurm,
		      struct err *err)
{
	struct str word = {0};
	bool good;

	for (;; text++) {
		str_clear(&word);
		good = take_variable(&text, &word, err) && ((slurm && is_slurm_word(s, str_text(&word))) ||
							    add_variable(s, by, str_text(&word), err));
		if (!good || *text == '\0')
			break;
	}
	str_free(&word);
	return good;
}

bool qsub_read_variables(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	return read_list(s, by, text, false, err);
}

bool qsub_read_export(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	s->draft.export_said = true;
	return read_list(s, by, text, true, err);
}

bool qsub_all_variables(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	(void)text;
	(void)err;
	s->draft.all_variables = true;
	return true;
}

/* --- the whole ---------------------------------------------------------------------------------- */

/* What is there already wins. */
static void add_word(const char **item, uint32_t *count, const char *text)
{
	for (uint32_t i = 0; i < *count; i++)
		if (is_same_variable(item[i], text))
			return;
	item[(*count)++] = text;
}

static size_t count_words(const struct submission *s, const struct submitter *by)
{
	size_t count = 0;

	for (const struct qsub_setting *set = s->draft.setting; set != NULL; set = set->before)
		count++;
	if (s->draft.all_variables)
		for (const char *const *at = by->environment; at != NULL && *at != NULL; at++)
			count++;
	return count;
}

/* Where commands were looked for at submission; NULL: nowhere. */
static const char *origin_path(struct submission *s, const struct submitter *by)
{
	const char *path = find_here(by, "PATH");
	struct str word = {0};
	const char *kept;

	if (path == NULL)
		return NULL;
	str_addf(&word, "PBS_O_%s", path);
	kept = arena_string(&s->arena, str_text(&word));
	str_free(&word);
	return kept;
}

bool qsub_build_environment(struct submission *s, const struct submitter *by, struct err *err)
{
	const char *path = origin_path(s, by);
	size_t most = count_words(s, by);
	const char **item;
	uint32_t count = 0;

	if (most > LAUNCH_WORDS_MAX)
		return err_set(err,
			       "a job takes at most %u variables, these are %zu; name with -v those it needs",
			       LAUNCH_WORDS_MAX, most);
	item = arena_take(&s->arena, (most + 2) * sizeof *item);
	for (const struct qsub_setting *set = s->draft.setting; set != NULL; set = set->before)
		add_word(item, &count, set->text);
	if (path != NULL && most < LAUNCH_WORDS_MAX)
		add_word(item, &count, path);
	if (s->draft.all_variables)
		for (const char *const *at = by->environment; at != NULL && *at != NULL; at++)
			if ((*at)[0] != '=' && strchr(*at, '=') != NULL)
				add_word(item, &count, arena_string(&s->arena, *at));
	item[count] = NULL;
	s->launch.environment = (struct launch_words){item, count};
	return true;
}
