/* SPDX-License-Identifier: MIT */
/*
 * directives.c - the directives in job scripts
 *
 * Comment lines of the script are parsed up to the first command. Lines that begin with #PBS or #MSUB, after
 * optional blanks, contain options of qsub; lines that begin with #SBATCH, without blanks before, contain
 * options of Slurm. "##PBS" and "# PBS" are comments. Words may be quoted as in a shell; a '#' at the
 * beginning of a word, or any '#' in #SBATCH lines, begins a comment. (PBS and Slurm parse lines this way.)
 */
#include <stdlib.h>
#include <string.h>

#include "qsub_inside.h"
#include "words.h"

#define PROBLEMS_MOST 20 /* maximum number of wrong lines reported for a script */

enum line_kind {
	LINE_COMMENT, /* comment or empty line */
	LINE_PBS,
	LINE_MSUB,
	LINE_SBATCH,
	LINE_COMMAND
};

struct line {
	const char *text;
	size_t len;
	uint32_t number;
	enum line_kind kind;
};

static const char *const marks[] = {[LINE_PBS] = "#PBS", [LINE_MSUB] = "#MSUB", [LINE_SBATCH] = "#SBATCH"};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* Does the text begin with the mark of this kind, followed by a blank or an option? If so, skips the mark. */
static bool take_mark(const char **text, size_t *len, enum line_kind kind)
{
	size_t mark = strlen(marks[kind]);

	if (*len < mark || memcmp(*text, marks[kind], mark) != 0)
		return false;
	if (*len > mark && !is_blank((*text)[mark]) && (*text)[mark] != '-')
		return false;
	*text += mark;
	*len -= mark;
	return true;
}

/* Determines the kind of a line, and reduces its text to the part after the mark. */
static void judge(struct line *line)
{
	line->kind = LINE_SBATCH;
	if (take_mark(&line->text, &line->len, LINE_SBATCH))
		return;
	while (line->len > 0 && is_blank(line->text[0])) {
		line->text++;
		line->len--;
	}
	line->kind = LINE_PBS;
	if (take_mark(&line->text, &line->len, LINE_PBS))
		return;
	line->kind = LINE_MSUB;
	if (take_mark(&line->text, &line->len, LINE_MSUB))
		return;
	line->kind = line->len == 0 || line->text[0] == '#' ? LINE_COMMENT : LINE_COMMAND;
}

/* --- words ------------------------------------------------------------------------------------------- */

/* Returns the length of the text before a comment; anywhere: a '#' begins a comment even inside a word. */
static size_t before_comment(const char *text, bool anywhere)
{
	char quote = '\0', last = ' ';
	size_t i;

	for (i = 0; text[i] != '\0'; i++) {
		if (quote == '\0' && text[i] == '#' && (anywhere || is_blank(last)))
			break;
		last = text[i];
		if (text[i] == '\\' && quote != '\'' && text[i + 1] != '\0')
			i++;
		else if (text[i] == quote)
			quote = '\0';
		else if (quote == '\0' && (text[i] == '\'' || text[i] == '"'))
			quote = text[i];
	}
	return i;
}

static bool read_pbs(struct submission *s, const struct submitter *by, int count, const char *const *word,
		     struct err *err)
{
	int rest;

	return qsub_read_words(s, by, count, word, &rest, err) &&
	       (rest == count || err_set(err, "\"%.60s\" is not an option", word[rest]));
}

static bool read_text(struct submission *s, const struct submitter *by, enum line_kind kind, char *text,
		      struct err *err)
{
	char **words;
	int count;
	bool good;

	text[before_comment(text, kind == LINE_SBATCH)] = '\0';
	words = cmd_split(text, &count, err);
	if (words == NULL)
		return false;
	good = (kind == LINE_SBATCH ? qsub_read_sbatch : read_pbs)(s, by, count, (const char *const *)words,
								   err);
	free(words);
	return good;
}

static bool read_line(struct submission *s, const struct submitter *by, const char *name,
		      const struct line *line, struct err *err)
{
	char *text = arena_take(&s->arena, line->len + 1);
	bool good;

	memcpy(text, line->text, line->len);
	text[line->len] = '\0';
	good = memchr(text, '\0', line->len) == NULL ? read_text(s, by, line->kind, text, err)
						     : err_set(err, "contains a NUL byte");
	return good || err_prefix(err, "%s:%u: %s", name, line->number, marks[line->kind]);
}

/* --- the script ---------------------------------------------------------------------------------------- */

/* Gets the next line of the script. Returns false if there are no more lines. */
static bool next_line(const char **at, const char *end, struct line *out)
{
	const char *stop;

	if (*at == end)
		return false;
	stop = memchr(*at, '\n', (size_t)(end - *at));
	out->text = *at;
	out->len = (size_t)((stop == NULL ? end : stop) - *at);
	out->number++;
	*at = stop == NULL ? end : stop + 1;
	return true;
}

bool qsub_read_script(struct submission *out, const struct submitter *by, const char *name,
		      const void *script, size_t size, struct err *err)
{
	const char *at = script, *end = at + size;
	struct line line = {.number = 0};
	struct err bad = {""};
	unsigned wrong = 0;

	if (size == 0)
		return err_set(err, "%s: the script is empty", name);
	if (size > LAUNCH_NEW_SCRIPT_MAX)
		return err_set(
			err, "%s: the script has %zu bytes; the maximum is %zu; put data into separate files",
			name, size, LAUNCH_NEW_SCRIPT_MAX);
	str_clear(&out->problems);
	out->draft.last_word = false;
	out->draft.script_name = arena_string(&out->arena, name);
	out->launch.script = arena_copy(&out->arena, script, size);
	out->launch.script_size = (uint32_t)size;
	while (next_line(&at, end, &line)) {
		judge(&line);
		if (line.kind == LINE_COMMAND)
			break;
		if (line.kind != LINE_COMMENT && !read_line(out, by, name, &line, &bad)) {
			str_addf(&out->problems, "%s\n", bad.text);
			if (++wrong == PROBLEMS_MOST)
				break;
		}
	}
	return wrong == 0 || err_set(err, "%s", bad.text);
}
