/* SPDX-License-Identifier: MIT */
/*
 * replay_do.h - which commands run at which moments of a replay?
 */
#ifndef TUI_REPLAY_DO_H
#define TUI_REPLAY_DO_H

#include <stddef.h>
#include <stdint.h>

#include "cmd.h"

struct driver;
struct json;
struct trace;

/* A moment of a trace: its own seconds, "+D" from the first submission, or a date when the log has one. */
bool trace_moment(const struct trace *trace, const char *text, int64_t *out_s, struct err *err);

struct replay_command {
	int64_t at_s;
	char *line; /* points into the text of its script */
};

/* By time, then by line. Release with replay_script_free. */
struct replay_script {
	struct replay_command *command;
	size_t count, room;
	char *text; /* owned */
};

/* Lines "TIME COMMAND..."; empty ones and those that begin with # are left out. */
bool replay_script_read(const char *file, const struct trace *trace, struct replay_script *out,
			struct err *err);
void replay_script_free(struct replay_script *script);

/* Where commands of a replay put what they print. */
struct replay_output {
	struct str *text;  /* "$ command" and its output       */
	struct json *json; /* or an object for each; NULL = text */
	bool refused;      /* one of them did not work         */
};

/* Runs a line at a moment on the replay's driver; what it changes is posted. */
void replay_do(struct driver *driver, int64_t at_s, const char *line, bool ascii, struct replay_output *out);

/* Runs a report at a moment: text or JSON is appended to out. False with the sentence. */
bool replay_report(struct driver *driver, int64_t at_s, const char *line, bool json, bool ascii,
		   struct str *out, struct err *err);

#endif
