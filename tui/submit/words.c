/* SPDX-License-Identifier: MIT */
/*
 * words.c - splits a line into words, as a shell does
 *
 * Words are separated by blanks. '...' quotes everything, "..." quotes everything except \" and \\, and a
 * backslash elsewhere quotes the next character. There are no variables, patterns or comments. The array and
 * the words are in one block of memory.
 */
#include "words.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Copies the quoted text at *at to *to and advances both; *at is then after the closing quote. */
static bool copy_quoted(const char **at, char **to, struct err *err)
{
	char quote = **at;
	const char *from = *at + 1;

	for (; *from != quote; from++) {
		if (*from == '\0')
			return err_set(err, "the quote %c is opened but not closed; close it", quote);
		if (*from == '\\' && quote == '"' && (from[1] == '"' || from[1] == '\\'))
			from++;
		*(*to)++ = *from;
	}
	*at = from + 1;
	return true;
}

/* Copies the word at *at without its quotes, terminated by NUL, and advances *at and *to. */
static bool copy_word(const char **at, char **to, struct err *err)
{
	while (**at != '\0' && !is_blank(**at)) {
		if (**at == '\'' || **at == '"') {
			if (!copy_quoted(at, to, err))
				return false;
			continue;
		}
		if (**at == '\\' && (*at)[1] != '\0')
			(*at)++;
		*(*to)++ = *(*at)++;
	}
	*(*to)++ = '\0';
	return true;
}

char **cmd_split(const char *line, int *count, struct err *err)
{
	size_t len = strlen(line), most = len / 2 + 2;
	/* The pointers come first, then the words: at most the length of the line plus one NUL per word. */
	char **words = mem_alloc(most * sizeof *words + len + most);
	char *to = (char *)(words + most);

	*count = 0;
	for (;;) {
		while (is_blank(*line))
			line++;
		if (*line == '\0')
			break;
		words[(*count)++] = to;
		if (!copy_word(&line, &to, err)) {
			free(words);
			return NULL;
		}
	}
	words[*count] = NULL;
	return words;
}
