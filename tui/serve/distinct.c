/* SPDX-License-Identifier: MIT */
/*
 * distinct.c - removal of duplicates from the lists of a request
 */
#include "distinct.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"

/* --- words --------------------------------------------------------------------------------------- */

struct word {
	const char *at;
	size_t len;   /* bytes                                   */
	size_t named; /* bytes that say which it is              */
	size_t place; /* among all words                         */
};

static int compare_names(const struct word *a, const struct word *b)
{
	size_t len = a->named < b->named ? a->named : b->named;
	int order = strncasecmp(a->at, b->at, len);

	return order != 0 ? order : (a->named > b->named) - (a->named < b->named);
}

static int by_name_and_place(const void *a, const void *b)
{
	const struct word *x = a, *y = b;
	int order = compare_names(x, y);

	return order != 0 ? order : (x->place > y->place) - (x->place < y->place);
}

static int by_place(const void *a, const void *b)
{
	const struct word *x = a, *y = b;

	return (x->place > y->place) - (x->place < y->place);
}

static size_t split(const char *text, bool counted, struct word **out)
{
	struct word *word = NULL;
	size_t count = 0, room = 0, len;
	const char *at;

	while ((at = config_word(&text, &len)) != NULL) {
		const char *colon = counted ? memchr(at, ':', len) : NULL;

		word = vec_room(word, &room, count + 1, sizeof *word);
		word[count] = (struct word){.at = at, .len = len, .place = count};
		word[count++].named = colon == NULL ? len : (size_t)(colon - at);
	}
	*out = word;
	return count;
}

/* Keeps the last of each name, in the order of the text; how many are left. */
static size_t keep_last(struct word *word, size_t count)
{
	size_t kept = 0;

	qsort(word, count, sizeof *word, by_name_and_place);
	for (size_t i = 0; i < count; i++)
		if (i + 1 == count || compare_names(&word[i], &word[i + 1]) != 0)
			word[kept++] = word[i];
	qsort(word, kept, sizeof *word, by_place);
	return kept;
}

const char *distinct_words(const char *text, bool counted, struct arena *arena)
{
	struct word *word;
	struct str out = {0};
	size_t count, kept;

	if (text == NULL)
		return NULL;
	count = split(text, counted, &word);
	kept = count < 2 ? count : keep_last(word, count);
	for (size_t i = 0; i < kept && kept < count; i++) {
		if (i > 0)
			str_add_char(&out, ' ');
		str_add_bytes(&out, word[i].at, word[i].len);
	}
	if (kept < count)
		text = arena_string(arena, str_text(&out));
	str_free(&out);
	free(word);
	return text;
}

/* --- dependencies ----------------------------------------------------------------------------------- */

struct placed {
	struct depend depend;
	uint32_t place;
};

static int compare_depends(const struct depend *a, const struct depend *b)
{
	if (a->on != b->on)
		return a->on < b->on ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	if (a->of != b->of)
		return a->of < b->of ? -1 : 1;
	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	return (a->state > b->state) - (a->state < b->state);
}

static int by_depend_and_place(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;
	int order = compare_depends(&x->depend, &y->depend);

	return order != 0 ? order : (x->place > y->place) - (x->place < y->place);
}

const struct depend *distinct_depends(const struct depend *item, uint32_t *count, struct arena *arena)
{
	struct placed *sorted;
	struct depend *out;
	bool *again;
	uint32_t kept = 0;

	if (*count < 2)
		return item;
	sorted = mem_zero(*count, sizeof *sorted);
	again = mem_zero(*count, sizeof *again);
	for (uint32_t i = 0; i < *count; i++)
		sorted[i] = (struct placed){item[i], i};
	qsort(sorted, *count, sizeof *sorted, by_depend_and_place);
	for (uint32_t i = 1; i < *count; i++)
		again[sorted[i].place] = compare_depends(&sorted[i - 1].depend, &sorted[i].depend) == 0;
	out = arena_take(arena, *count * sizeof *out);
	for (uint32_t i = 0; i < *count; i++)
		if (!again[i])
			out[kept++] = item[i];
	free(again);
	free(sorted);
	if (kept == *count)
		return item;
	*count = kept;
	return out;
}

const char *distinct_depend_text(const char *text, struct arena *arena)
{
	struct depend_list list = {.item = NULL};
	const struct depend *kept;
	struct str out = {0};
	uint32_t count;

	if (depend_list_read(text, &list, NULL)) {
		count = (uint32_t)list.count;
		kept = distinct_depends(list.item, &count, arena);
		for (uint32_t i = 0; i < count && count < list.count; i++) {
			if (i > 0)
				str_add_char(&out, ',');
			state_add_depend(&kept[i], &out);
		}
		if (count < list.count)
			text = arena_string(arena, str_text(&out));
	}
	str_free(&out);
	free(list.item);
	return text;
}

/* --- events ------------------------------------------------------------------------------------------ */

static void of_submission(struct job_record *record, struct arena *arena)
{
	record->hosts = distinct_words(record->hosts, false, arena);
	record->features = distinct_words(record->features, false, arena);
	record->prefer = distinct_words(record->prefer, false, arena);
	record->gres = distinct_words(record->gres, true, arena);
	record->depend = distinct_depends(record->depend, &record->depend_count, arena);
}

static void of_modification(struct event *ev, struct arena *arena)
{
	const char *name = ev->modify.name;

	if (str_same_word(name, JOB_DEPEND_ATTRIBUTE))
		ev->modify.value = distinct_depend_text(ev->modify.value, arena);
	else if (str_same_word(name, "hosts") || str_same_word(name, "features") ||
		 str_same_word(name, "prefer"))
		ev->modify.value = distinct_words(ev->modify.value, false, arena);
	else if (str_same_word(name, "gres"))
		ev->modify.value = distinct_words(ev->modify.value, true, arena);
}

void distinct_lists(struct event *ev, struct arena *arena)
{
	if (ev->kind == EVENT_SUBMIT)
		of_submission(&ev->submit, arena);
	else if (ev->kind == EVENT_MODIFY && ev->modify.name != NULL && ev->modify.value != NULL)
		of_modification(ev, arena);
}
