/* SPDX-License-Identifier: MIT */
/*
 * asked.h - what comes of options and of lines of a script, as tables of them?
 *
 * Eva submits from /home/eva/run, at a moment at which her clock shows UTC.
 */
#ifndef TESTS_ASKED_H
#define TESTS_ASKED_H

#include <stdlib.h>
#include <string.h>

#include "tui/command/cmd.h"
#include "tui/submit/qsub.h"

#define ASKED_NOW_S  INT64_C(1774368131) /* 2026-03-24T16:02:11 */
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *const asked_environment[] = {"HOME=/home/eva", "EMPTY=",     "COLOUR=blue", "COLOURS=two",
						"=odd",           "no setting", NULL};
static const char *const asked_command[] = {"./bin/work.sh", "--fast", NULL};

static const struct submitter eva = {.dir = "/home/eva/run",
				     .home = "/home/eva",
				     .user = "eva",
				     .shell = "/bin/bash",
				     .environment = asked_environment,
				     .now_s = ASKED_NOW_S,
				     .umask = 027};

/* Reads a script (NULL: a command is run instead), then options as they are typed. */
static inline bool asked_try(struct submission *s, const char *script, const char *options, struct err *err)
{
	struct str line = {0};
	char **words;
	int count, rest;
	bool good;

	*s = (struct submission){.throttle = 0};
	str_addf(&line, "submit %s", options);
	words = cmd_split(str_text(&line), &count, err);
	assert_non_null(words);
	if (script == NULL)
		s->launch.command = (struct launch_words){asked_command, 2};
	good = (script == NULL || qsub_read_script(s, &eva, "jobs/job.sh", script, strlen(script), err)) &&
	       qsub_read_options(s, &eva, count, (const char *const *)words, &rest, err) &&
	       qsub_finish(s, &eva, err);
	if (good)
		assert_int_equal(rest, count);
	free(words);
	str_free(&line);
	return good;
}

/* The same; it has to go well. Release with submission_free. */
static inline void asked(struct submission *s, const char *script, const char *options)
{
	struct err err = {""};

	if (!asked_try(s, script, options, &err))
		fail_msg("%s%s: %s", script == NULL ? "" : script, options, err.text);
}

static inline void check_asked_refused(const char *script, const char *options, const char *sentence)
{
	struct submission s;
	struct err err = {""};

	if (asked_try(&s, script, options, &err))
		fail_msg("%s%s: not refused", script == NULL ? "" : script, options);
	assert_string_equal(err.text, sentence);
	submission_free(&s);
}

/* What is refused, and how. */
struct asked_wrong {
	const char *said, *sentence;
};

static inline void check_wrong_options(const struct asked_wrong *wrong, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_asked_refused(NULL, wrong[i].said, wrong[i].sentence);
}

/* Each is the second line of a script. */
static inline void check_wrong_lines(const struct asked_wrong *wrong, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct str script = {0};

		str_addf(&script, "#!/bin/sh\n%s\nls\n", wrong[i].said);
		check_asked_refused(str_text(&script), "", wrong[i].sentence);
		str_free(&script);
	}
}

static inline void assert_text(const char *is, const char *should)
{
	if (is == NULL || should == NULL)
		assert_true(is == should);
	else
		assert_string_equal(is, should);
}

#endif
