/* SPDX-License-Identifier: MIT */
/*
 * replay_setup.h - the input of a replay: workload, cluster, usage, configuration and script
 *
 * A file whose first line is VERSION is a Maui trace. Every other log is read as Standard Workload Format.
 */
#ifndef COMMAND_REPLAY_SETUP_H
#define COMMAND_REPLAY_SETUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd.h"
#include "sched/base/err.h"
#include "sched/host/replay.h"
#include "sched/rm/fake.h"
#include "sched/trace/fsfile.h"
#include "sched/trace/maui_resource.h"
#include "sched/trace/trace.h"

/* Zero is empty. cluster points into resource. */
struct replay_input {
	struct trace trace;
	struct maui_resource resource;
	struct fake_cluster cluster; /* no nodes: taken from the log */
	struct fsfile *window;       /* in order of begin_s          */
	size_t window_count, window_room;
};

/* Reads all FS.<epoch> files of a folder. */
bool replay_read_usage(const char *folder, struct replay_input *in, struct err *err);
void replay_input_clear(struct replay_input *in);

/* --- the script of --do ------------------------------------------------------------------------------- */

/*
 * Parses a time of a log: seconds of the log, "+D" after the first submission, or a date if the log has an
 * absolute start. A log in seconds since the epoch also takes "16:30", the first after the first submission.
 */
bool trace_parse_time(const struct trace *trace, const char *text, int64_t *out_s, struct err *err);

struct replay_command {
	int64_t at_s;
	char *line; /* points into text of the script */
};

/* Commands in order of time, then of line. Release with replay_script_free. */
struct replay_script {
	struct replay_command *command;
	size_t count, room;
	char *text; /* owned */
};

/*
 * Reads lines "TIME COMMAND...". Empty lines and lines that begin with # are skipped. Takes ownership of
 * text, which comes from malloc, also on failure; messages name file.
 */
bool replay_script_read(const char *file, char *text, const struct trace *trace, struct replay_script *out,
			struct err *err);

void replay_script_free(struct replay_script *script);

/* --- the request -------------------------------------------------------------------------------------- */

struct replay_config {
	const char *file; /* for messages; NULL = the defaults */
	struct str text;
	struct err barred; /* why the programs that it names are not run; "" = they are run */
};

/* Set env and file, and the rest to zero, before replay_request_read. */
struct replay_request {
	struct cmd_env *env; /* options and err */
	const char *file;    /* the log; "-" is standard input */
	struct replay_input input;
	struct replay_config config;
	struct replay_config other; /* of --compare; file NULL: none    */
	char **set;                 /* "NAME", NUL, "VALUE" each; owned */
	const char **set_name, **set_value;
	struct replay_setup setup; /* points to the fields above */
	struct replay_script script;
};

/* Reads and checks options, configuration, log and script. Reports unreadable lines of the log on stderr. */
enum cmd_status replay_request_read(struct replay_request *r);

/* Reads only --config or --policy, --set and --compare. */
enum cmd_status replay_request_read_policy(struct replay_request *r);

/* name is a preset or a file. */
bool replay_read_policy(const char *name, struct replay_config *out, struct err *err);
void replay_request_clear(struct replay_request *r);

#endif
