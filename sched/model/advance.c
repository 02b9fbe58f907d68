/* SPDX-License-Identifier: MIT */
/*
 * advance.c - text form of advance reservations
 *
 * The texts come from clients and from the store. Each word is KEY=VALUE; an unknown word is rejected with an
 * error that quotes it.
 */
#include "advance.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/vec.h"

#define TEXT_MAX 1000000 /* maximum length in bytes; enough to name about ten thousand nodes */

/* --- names ----------------------------------------------------------------------------------- */

bool advance_check_name(const char *name, struct err *err)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	size_t len = name == NULL ? 0 : strlen(name);

	if (len == 0)
		return err_set(err, "the name of the reservation is missing");
	if (len >= ADVANCE_NAME)
		return err_set(err, "the name of a reservation can have at most %d bytes, this one has %zu",
			       ADVANCE_NAME - 1, len);
	return strspn(name, allowed) == len ||
	       err_set(err, "the name of a reservation may contain only letters, digits, '.', '_' and '-'");
}

const char *guest_type_name(uint32_t type)
{
	return type == GUEST_JOB ? "job" : cred_type_name((enum cred_type)type);
}

/* --- building -------------------------------------------------------------------------- */

void advance_add_place(struct advance_text *a, const char *node, uint32_t procs)
{
	a->place = vec_room(a->place, &a->place_room, a->place_count + 1, sizeof *a->place);
	a->place[a->place_count++] =
		(struct advance_place){.node = arena_string(&a->arena, node), .procs = procs};
}

void advance_add_guest(struct advance_text *a, uint32_t type, const char *name, uint64_t job)
{
	a->guest = vec_room(a->guest, &a->guest_room, a->guest_count + 1, sizeof *a->guest);
	a->guest[a->guest_count++] = (struct advance_guest){
		.type = type, .name = name == NULL ? NULL : arena_string(&a->arena, name), .job = job};
}

void advance_text_free(struct advance_text *a)
{
	free(a->place);
	free(a->guest);
	arena_free(&a->arena);
	*a = (struct advance_text){.place = NULL};
}

void advance_write(const struct advance_text *a, struct str *out)
{
	str_addf(out, "start=%lld", (long long)a->begin_s);
	if (a->end_s != TIME_NEVER)
		str_addf(out, " end=%lld", (long long)a->end_s);
	str_add(out, a->personal ? " personal" : "");
	str_add(out, a->all_nodes ? " nodes=ALL" : "");
	for (size_t i = 0; i < a->place_count; i++) {
		str_addf(out, " node=%s", a->place[i].node);
		if (a->place[i].procs > 0)
			str_addf(out, "*%u", a->place[i].procs);
	}
	for (size_t i = 0; i < a->guest_count; i++)
		if (a->guest[i].type == GUEST_JOB)
			str_addf(out, " job=%llu", (unsigned long long)a->guest[i].job);
		else
			str_addf(out, " %s=%s", guest_type_name(a->guest[i].type), a->guest[i].name);
	if (a->reason != NULL)
		str_addf(out, " reason=%s", a->reason);
}

/* --- parsing --------------------------------------------------------------------------------------- */

static bool read_moment(const char *value, int64_t *out, struct err *err)
{
	return (str_read_whole(value, out) && *out >= 0 && *out <= MOMENT_MAX_S) ||
	       err_set(err, "a reservation time must be in seconds since 1970, got '%s'", value);
}

/*
 * Parses a node such as "n02" or "n02*4" and adds it to out; the last star separates the number of
 * processors. Changes value.
 */
static bool read_place(char *value, struct advance_text *out, struct err *err)
{
	char *star = strrchr(value, '*');
	int64_t procs = 0;

	if (star != NULL && (!str_read_whole(star + 1, &procs) || procs < 1 || procs > UINT32_MAX))
		return err_set(err, "a node of a reservation must be NODE or NODE*PROCESSORS, got '%s'",
			       value);
	if (star != NULL)
		*star = '\0';
	if (value[0] == '\0')
		return err_set(err, "the reservation contains a node without a name");
	advance_add_place(out, value, (uint32_t)procs);
	return true;
}

static bool read_guest(const char *key, const char *value, struct advance_text *out, struct err *err)
{
	enum cred_type type = cred_type_find(key);
	int64_t job;

	if (value[0] == '\0')
		return err_set(err, "the reservation contains a %s without a name", key);
	if (strcmp(key, "job") == 0) {
		if (!str_read_whole(value, &job) || job < 1)
			return err_set(err, "'%s' in a reservation is not a job ID", value);
		advance_add_guest(out, GUEST_JOB, NULL, (uint64_t)job);
		return true;
	}
	if (type == CRED_TYPE_COUNT)
		return err_set(err, "unknown key '%s' in a reservation: '%s=%s'", key, key, value);
	advance_add_guest(out, type, value, 0);
	return true;
}

static bool read_word(char *word, struct advance_text *out, struct err *err)
{
	char *value = strchr(word, '=');

	if (strcmp(word, "personal") == 0)
		return out->personal = true;
	if (value == NULL)
		return err_set(err, "'%s' in a reservation is not KEY=VALUE", word);
	*value++ = '\0';
	if (strcmp(word, "start") == 0)
		return read_moment(value, &out->begin_s, err);
	if (strcmp(word, "end") == 0)
		return read_moment(value, &out->end_s, err);
	if (strcmp(word, "node") == 0)
		return read_place(value, out, err);
	if (strcmp(word, "nodes") == 0) {
		out->all_nodes = strcmp(value, "ALL") == 0;
		return out->all_nodes || err_set(err,
						 "nodes= in a reservation can only be ALL, got '%s'; write "
						 "node=NAME for a single node",
						 value);
	}
	return read_guest(word, value, out, err);
}

/*
 * Parses the text at `at`, which it changes, into out. Everything after "reason=", including blanks, is the
 * reason.
 */
static bool read_words(char *at, struct advance_text *out, struct err *err)
{
	static const char reason[] = "reason=";

	while (*(at += strspn(at, " ")) != '\0') {
		char *end;

		if (strncmp(at, reason, sizeof reason - 1) == 0) {
			out->reason = at + sizeof reason - 1;
			return true;
		}
		end = at + strcspn(at, " ");
		at[strcspn(at, " ")] = '\0';
		if (!read_word(at, out, err))
			return false;
		at = end + 1;
	}
	return true;
}

static bool has_control(const char *text)
{
	for (; *text != '\0'; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return true;
	return false;
}

static bool check(const struct advance_text *a, struct err *err)
{
	if (a->begin_s == TIME_NONE)
		return err_set(err, "the reservation has no start time");
	if (a->begin_s >= a->end_s)
		return err_set(err, "the reservation ends before it starts");
	if (a->all_nodes == (a->place_count > 0))
		return err_set(
			err,
			"the reservation must name its nodes (node=NAME) or reserve all nodes (nodes=ALL)");
	return true;
}

bool advance_read(const char *text, struct advance_text *out, struct err *err)
{
	size_t len = text == NULL ? 0 : strlen(text);
	char *words;

	*out = (struct advance_text){.begin_s = TIME_NONE, .end_s = TIME_NEVER};
	if (len == 0 || len > TEXT_MAX)
		return err_set(err, len == 0 ? "the text of the reservation is empty"
					     : "the text of the reservation is longer than a megabyte");
	if (has_control(text))
		return err_set(err, "the text of a reservation contains control characters");
	/*
	 * One byte for the NUL that ends the last word, and one more because read_words continues after that
	 * NUL.
	 */
	words = arena_take(&out->arena, len + 2);
	memcpy(words, text, len);
	words[len] = words[len + 1] = '\0';
	if (read_words(words, out, err) && check(out, err))
		return true;
	advance_text_free(out);
	return false;
}

/* --- formatting ---------------------------------------------------------------------------------- */

void advance_say_places(const struct advance_text *a, struct str *out)
{
	str_add(out, a->all_nodes ? "all nodes" : "");
	for (size_t i = 0; i < a->place_count; i++) {
		str_addf(out, "%s%s", i > 0 ? " " : "", a->place[i].node);
		if (a->place[i].procs > 0)
			str_addf(out, "*%u", a->place[i].procs);
	}
}

void advance_say_guests(const struct advance_text *a, struct str *out)
{
	str_add(out, a->guest_count == 0 ? "nobody" : "");
	for (size_t i = 0; i < a->guest_count; i++) {
		str_add(out, i > 0 ? ", " : "");
		if (a->guest[i].type == GUEST_JOB)
			str_addf(out, "job %llu", (unsigned long long)a->guest[i].job);
		else
			str_addf(out, "%s %s", guest_type_name(a->guest[i].type), a->guest[i].name);
	}
}
