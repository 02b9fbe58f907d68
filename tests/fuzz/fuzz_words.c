/* SPDX-License-Identifier: MIT */
/*
 * fuzz_words.c - splitting of lines into words, which are equal after they are quoted
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "tui/command/cmd.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* Puts a word into double quotes, in which only \" and \\ are special. */
static void add_quoted(struct str *out, const char *word)
{
	str_add_char(out, '"');
	for (; *word; word++) {
		if (*word == '"' || *word == '\\')
			str_add_char(out, '\\');
		str_add_char(out, *word);
	}
	str_add(out, "\" ");
}

static void check_quoted(char *const *word, int count)
{
	struct str line = {0};
	char **again;
	int found;

	for (int i = 0; i < count; i++)
		add_quoted(&line, word[i]);
	again = cmd_split(str_text(&line), &found, NULL);
	require(again && found == count);
	for (int i = 0; i < count; i++)
		require(strcmp(again[i], word[i]) == 0);
	free(again);
	str_free(&line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_alloc(size + 1);
	struct err err = {""};
	char **words;
	int count;

	memcpy(text, data, size);
	text[size] = '\0';
	words = cmd_split(text, &count, &err);
	if (words)
		check_quoted(words, count);
	else
		require(err.text[0] != '\0');
	free(words);
	free(text);
	return 0;
}
