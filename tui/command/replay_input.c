/* SPDX-License-Identifier: MIT */
/*
 * replay_input.c - which workload, machine and usage does a replay begin with?
 */
#include "replay_input.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/vec.h"
#include "sched/host/arrivals.h"
#include "sched/host/files.h"
#include "sched/rm/unpack.h"
#include "sched/state/state.h"
#include "sched/trace/maui_text.h"
#include "sched/trace/maui_workload.h"
#include "sched/trace/swf.h"

#define TRACE_MAX_BYTES    ((size_t)16 << 30)
#define RESOURCE_MAX_BYTES ((size_t)1 << 30)
#define WINDOW_MAX_BYTES   ((size_t)64 << 20)

static bool read_file(const char *path, size_t max_bytes, struct str *out, struct err *err)
{
	return unpack_is_packed(path) ? unpack_read(path, max_bytes, out, err)
				      : file_read(path, max_bytes, out, err);
}

static bool name_bad_lines(const char *file, const struct bad_lines *bad, bool strict, struct err *err)
{
	for (uint32_t i = 0; i < bad->shown_count; i++)
		fprintf(stderr, "%s:%" PRIu32 ": %s\n", file, bad->shown[i].line, bad->shown[i].why);
	if (bad->count > bad->shown_count)
		fprintf(stderr, "%s: and %" PRIu64 " more lines that cannot be read\n", file,
			bad->count - bad->shown_count);
	return !strict || bad->count == 0 ||
	       err_set(err, "%s: %" PRIu64 " lines cannot be read, and --strict allows none", file,
		       bad->count);
}

/* --- the machine -------------------------------------------------------------------------- */

/* "64x8": nodes, and processors of each. */
static bool read_size(const char *text, struct fake_cluster *out)
{
	const char *cross = strchr(text, 'x');
	char head[24] = "";
	int64_t nodes = 0, procs = 0;

	if (cross && (size_t)(cross - text) < sizeof head)
		memcpy(head, text, (size_t)(cross - text));
	if (!cross || !str_read_whole(head, &nodes) || !str_read_whole(cross + 1, &procs) || nodes < 1 ||
	    procs < 1 || nodes > 1000000 || procs > 1000000 || nodes * procs > INT32_MAX)
		return false;
	*out = (struct fake_cluster){.nodes = (uint32_t)nodes, .node_procs = (uint32_t)procs};
	return true;
}

static bool parse_resource(const char *file, const struct str *text, bool strict, struct replay_input *in,
			   struct err *err)
{
	struct maui_resource *resource = &in->resource;

	if (!maui_begins(str_text(text), text->len))
		return err_set(err,
			       "%s: it is no Maui resource trace; its first line would be VERSION and a "
			       "number, or a "
			       "COMPUTENODE",
			       file);
	if (!maui_resource_read(file, str_text(text), text->len, resource, err))
		return false;
	if (resource->apart > 0)
		fprintf(stderr, "%s: %" PRIu64 " nodes are down or drained and left out\n", file,
			resource->apart);
	in->cluster = (struct fake_cluster){.nodes = (uint32_t)resource->count, .node = resource->node};
	return name_bad_lines(file, &resource->bad, strict, err);
}

enum cmd_status replay_read_cluster(const char *text, bool strict, struct replay_input *in, struct err *err)
{
	struct str trace = {0};
	bool ok;

	if (read_size(text, &in->cluster))
		return CMD_DONE;
	if (access(text, F_OK) != 0) {
		err_set(err,
			"--cluster '%s': write NODESxPROCESSORS, as in 64x8, or name a Maui resource trace",
			text);
		return CMD_USAGE;
	}
	ok = read_file(text, RESOURCE_MAX_BYTES, &trace, err) &&
	     parse_resource(text, &trace, strict, in, err);
	str_free(&trace);
	return ok ? CMD_DONE : CMD_REFUSED;
}

/* --- the workload --------------------------------------------------------------------------- */

static bool refuse_size(const char *file, struct err *err)
{
	return err_set(err,
		       "%s: does not say how big the machine is; give --cluster NxP or a Maui resource trace",
		       file);
}

static bool parse_trace(const char *file, const struct str *text, struct replay_input *in, struct err *err)
{
	int64_t procs = fake_cluster_procs(&in->cluster);

	if (!maui_begins(str_text(text), text->len))
		return swf_read(file, str_text(text), text->len, procs, &in->trace, err);
	if (procs == 0)
		return refuse_size(file, err);
	return maui_workload_read(file, str_text(text), text->len, &in->trace, err);
}

bool replay_read_trace(const char *file, bool strict, struct replay_input *in, struct err *err)
{
	const char *name = file_name(file);
	struct str text = {0};
	bool ok = read_file(file, TRACE_MAX_BYTES, &text, err) && parse_trace(name, &text, in, err);

	str_free(&text);
	if (!ok || !name_bad_lines(name, &in->trace.bad, strict, err))
		return false;
	return in->cluster.nodes > 0 || cluster_of_trace(&in->trace, &in->cluster) || refuse_size(name, err);
}

/* --- usage ------------------------------------------------------------------------------------ */

static bool read_window(const char *path, struct replay_input *in, struct err *err)
{
	struct str text = {0};
	struct fsfile window = {0};
	bool ok = file_read(path, WINDOW_MAX_BYTES, &text, err) &&
		  fsfile_read(path, str_text(&text), text.len, &window, err);

	str_free(&text);
	if (!ok)
		return false;
	in->window = vec_room(in->window, &in->window_room, in->window_count + 1, sizeof *in->window);
	in->window[in->window_count++] = window;
	return true;
}

static bool read_entry(const char *folder, const char *name, struct replay_input *in, struct err *err)
{
	struct str path = {0};
	int64_t begin_s;
	bool ok;

	if (!fsfile_epoch(name, &begin_s))
		return true;
	str_addf(&path, "%s/%s", folder, name);
	ok = read_window(str_text(&path), in, err);
	str_free(&path);
	return ok;
}

static int by_begin(const void *left, const void *right)
{
	const struct fsfile *a = left, *b = right;

	return a->begin_s < b->begin_s ? -1 : a->begin_s > b->begin_s;
}

bool replay_read_usage(const char *folder, struct replay_input *in, struct err *err)
{
	DIR *dir = opendir(folder);
	bool ok = true;

	if (!dir)
		return err_set(err, "cannot read the folder %s: %s", folder, strerror(errno));
	for (struct dirent *entry; ok && (entry = readdir(dir)) != NULL;)
		ok = read_entry(folder, entry->d_name, in, err);
	closedir(dir);
	if (ok && in->window_count == 0)
		return err_set(err, "there is no file FS.<epoch> in %s; such a file holds a window of usage",
			       folder);
	if (ok)
		qsort(in->window, in->window_count, sizeof *in->window, by_begin);
	return ok;
}

void replay_input_clear(struct replay_input *in)
{
	for (size_t i = 0; i < in->window_count; i++)
		fsfile_clear(&in->window[i]);
	free(in->window);
	trace_clear(&in->trace);
	maui_resource_clear(&in->resource);
	*in = (struct replay_input){0};
}
