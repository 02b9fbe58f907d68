/* SPDX-License-Identifier: MIT */
/*
 * replay_setup.h - the input of a replay: workload, cluster, usage, configuration and script
 *
 * A file that begins like a Maui trace (maui_begins) is read as one, every other log as Standard Workload
 * Format.
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

/* The files of a replay. A zeroed struct is empty. `cluster.node` points into `resource`. */
struct replay_input {
	struct trace trace;
	struct maui_resource resource;
	struct fake_cluster cluster; /* without nodes, it is derived from the log */
	struct fsfile *window;       /* ordered by begin_s */
	size_t window_count, window_room;
};

/*
 * Reads all FS.<epoch> files of a folder into in->window. Returns false with err set on failure, or if there
 * are no such files.
 */
bool replay_read_usage(const char *folder, struct replay_input *in, struct err *err);
void replay_input_clear(struct replay_input *in);

/* --- the script of --do ------------------------------------------------------------------------------- */

/*
 * Parses a time of a log: seconds of the log, "+D" for a duration after the first submission, or a date if
 * the log has a start date. If the times of the log are seconds since 1970, "16:30" also works: the first
 * 16:30 after the first submission. Returns false with err set on failure.
 */
bool trace_parse_time(const struct trace *trace, const char *text, int64_t *out_s, struct err *err);

struct replay_command {
	int64_t at_s;
	char *line; /* points into text of the script */
};

/* Commands, ordered by time, then by line. Release with replay_script_free. */
struct replay_script {
	struct replay_command *command;
	size_t count, room;
	char *text; /* owned */
};

/*
 * Reads lines of the form "TIME COMMAND...". Empty lines and lines that begin with # are skipped. Takes
 * ownership of text, which was allocated with malloc, even on failure. On failure, returns false with err set
 * to a message that names the file and the line.
 */
bool replay_script_read(const char *file, char *text, const struct trace *trace, struct replay_script *out,
			struct err *err);

void replay_script_free(struct replay_script *script);

/* --- the request -------------------------------------------------------------------------------------- */

struct replay_config {
	const char *file; /* name in messages; NULL = the default configuration */
	struct str text;
	struct err barred; /* why the programs of the configuration are not run; "" = they are run */
};

/*
 * What the command line requests. The caller sets env and file, and zeroes all other members, before it calls
 * replay_request_read.
 */
struct replay_request {
	struct cmd_env *env; /* has the options; receives err */
	const char *file;    /* the log; "-" is standard input */
	struct replay_input input;
	struct replay_config config;
	struct replay_config other; /* configuration of --compare; file NULL: none */
	char **set;                 /* options of --set; each is "NAME", NUL, "VALUE"; owned */
	const char **set_name, **set_value;
	struct replay_setup setup; /* points to the members above */
	struct replay_script script;
};

/*
 * Reads and checks options, configuration, log and script. Prints unreadable lines of the log on standard
 * error.
 */
enum cmd_status replay_request_read(struct replay_request *r);

/* Reads only --config or --policy, --set and --compare. */
enum cmd_status replay_request_read_policy(struct replay_request *r);

/*
 * Reads a configuration: name is fcfs, easy, conservative, or the path of a file. Returns false with err set
 * on failure.
 */
bool replay_read_policy(const char *name, struct replay_config *out, struct err *err);
void replay_request_clear(struct replay_request *r);

#endif
