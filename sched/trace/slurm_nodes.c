/* SPDX-License-Identifier: MIT */
/*
 * slurm_nodes.c - nodes, partitions and reservations from the output of scontrol
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "slurm.h"
#include "slurm_text.h"

void slurm_cluster_reset(struct slurm_cluster *c)
{
	c->nodes = c->partitions = c->reservations = c->jobs = 0;
	c->bad = (struct bad_lines){0};
	arena_reset(&c->arena);
}

void slurm_cluster_free(struct slurm_cluster *c)
{
	free(c->node);
	free(c->partition);
	free(c->reservation);
	free(c->job);
	arena_free(&c->arena);
	*c = (struct slurm_cluster){.node = NULL};
}

/* --- lines -------------------------------------------------------------------------------------------- */

/* A line that scontrol -o has printed. */
struct row {
	struct slurm_cluster *c;
	const char *line;
	uint32_t number; /* of the line, from 1 */
};

static bool refuse(const struct row *row, const char *why, const char *word)
{
	bad_lines_note(&row->c->bad, row->number, why, (struct span){word, word + strlen(word)});
	return false;
}

/* Returns a copy of a value; "" if it is missing or stands for no value. */
static const char *value(const struct row *row, const char *key)
{
	size_t len;
	const char *at = slurm_value(row->line, key, &len);
	char *copy;

	if (at == NULL || len == 0)
		return "";
	copy = arena_take(&row->c->arena, len + 1);
	memcpy(copy, at, len);
	copy[len] = '\0';
	return slurm_is_none(copy) ? "" : copy;
}

/* Returns a copy of a value with blanks in place of commas; "" if it is missing or stands for no value. */
static const char *words(const struct row *row, const char *key)
{
	size_t len;
	const char *at = slurm_value(row->line, key, &len);
	char *copy;

	if (at == NULL || len == 0)
		return "";
	copy = arena_take(&row->c->arena, len + 1);
	memcpy(copy, at, len);
	copy[len] = '\0';
	if (slurm_is_none(copy))
		return "";
	for (char *comma = copy; (comma = strchr(comma, ',')) != NULL;)
		*comma = ' ';
	return copy;
}

/* Returns a number of at most 15 digits; 0 if it is missing or not a number. */
static int64_t number(const struct row *row, const char *key)
{
	size_t len;
	const char *at = slurm_value(row->line, key, &len);
	int64_t n = 0;

	if (at == NULL || len == 0 || len > 15)
		return 0;
	for (size_t i = 0; i < len; i++) {
		if (at[i] < '0' || at[i] > '9')
			return 0;
		n = n * 10 + (at[i] - '0');
	}
	return n;
}

typedef bool take_row(const struct row *row);

/*
 * Passes each line that begins with `key` to take(). If there are no objects of a kind, the answer is a
 * sentence such as "No reservations in the system", or empty.
 */
static bool read_rows(struct slurm_cluster *c, char *text, size_t len, const char *key, take_row *take,
		      struct err *err)
{
	size_t key_len = strlen(key), lines = 0, taken = 0;
	char *at = text, *end;

	if (strlen(text) != len)
		return err_set(err, "scontrol has printed a NUL");
	if (len > 0 && text[len - 1] != '\n')
		return err_set(err, "the answer of scontrol was cut off");
	for (uint32_t n = 1; *at != '\0'; at = end + 1, n++) {
		struct row row = {.c = c, .line = at, .number = n};

		end = strchr(at, '\n');
		*end = '\0';
		if (strncmp(at, "No ", 3) == 0 || strspn(at, " \t\r") == strlen(at))
			continue;
		lines++;
		if (strncmp(at, key, key_len) != 0 || at[key_len] != '=')
			refuse(&row, "the line does not begin with", key);
		else
			taken += take(&row);
	}
	return lines == 0 || taken > 0 ||
	       err_set(err, "no line that scontrol has printed could be read; line %u: %s",
		       c->bad.shown_count > 0 ? c->bad.shown[0].line : 0,
		       c->bad.shown_count > 0 ? c->bad.shown[0].why : "");
}

/* --- nodes -------------------------------------------------------------------------------------------- */

/*
 * Does Slurm start no jobs on a node in this state? The state may have flags, as in "IDLE+DRAIN". Older
 * versions mark nodes that do not respond, are off or are being rebooted with a sign at the end, as in
 * "DOWN*".
 */
static bool is_shut(const char *state)
{
	static const char *const bad[] = {
		"DOWN",    "DRAIN",       "DRAINED",       "DRAINING",         "FAIL",
		"FAILING", "ERROR",       "FUTURE",        "DYNAMIC_FUTURE",   "UNKNOWN",
		"INVAL",   "INVALID_REG", "MAINT",         "MAINTENANCE",      "NOT_RESPONDING",
		"REBOOT",  "BLOCKED",     "REBOOT_ISSUED", "REBOOT_REQUESTED", "POWERING_DOWN",
		NULL};
	char word[32];

	for (const char *at = state;;) {
		size_t len = strcspn(at, "+*~#!%$@^-"), sign = strcspn(at, "+");

		if (len < sizeof word) {
			memcpy(word, at, len);
			word[len] = '\0';
			for (size_t i = 0; bad[i] != NULL; i++)
				if (strcmp(word, bad[i]) == 0)
					return true;
		}
		if (memchr(at, '*', sign) != NULL || at[sign] == '\0')
			return memchr(at, '*', sign) != NULL;
		at += sign + 1;
	}
}

/*
 * Returns the reason of a node's state. It may contain blanks, so it ends at the comment, the only field
 * after it, or at the end of the line.
 */
static const char *reason_of(const struct row *row)
{
	size_t len;
	const char *at = slurm_value(row->line, "Reason", &len), *end;
	char *copy;

	if (at == NULL)
		return "";
	end = at + strlen(at);
	if (strstr(at, " Comment=") != NULL)
		end = strstr(at, " Comment=");
	while (end > at && end[-1] == ' ')
		end--;
	copy = arena_take(&row->c->arena, (size_t)(end - at) + 1);
	memcpy(copy, at, (size_t)(end - at));
	copy[end - at] = '\0';
	return slurm_is_none(copy) ? "" : copy;
}

/*
 * Sums of the generic resources of a node: one for each kind, such as "gpu", and one for each of its types.
 */
#define GRES_KINDS 16
struct gres_sums {
	struct {
		char name[2 * SLURM_NAME];
		uint64_t count;
	} item[GRES_KINDS];
	size_t count;
};

static void add_gres(struct gres_sums *sums, const char *name, const char *type, uint32_t count)
{
	char whole[2 * SLURM_NAME];
	size_t i = 0;

	if (snprintf(whole, sizeof whole, type[0] != '\0' ? "%s_%s" : "%s", name, type) >= (int)sizeof whole)
		return;
	for (char *c = whole; *c != '\0'; c++)
		if ((unsigned char)*c <= ' ' || *c == ':')
			*c = '_';
	while (i < sums->count && strcmp(sums->item[i].name, whole) != 0)
		i++;
	if (i == GRES_KINDS)
		return;
	if (i == sums->count) {
		memcpy(sums->item[i].name, whole, sizeof whole);
		sums->item[sums->count++].count = 0;
	}
	sums->item[i].count += count;
}

static void visit_gres(void *self, const char *name, const char *type, uint32_t count)
{
	add_gres(self, name, "", count);
	if (type[0] != '\0')
		add_gres(self, name, type, count);
}

static const char *gres_of(const struct row *row)
{
	struct gres_sums sums = {.count = 0};
	struct str text = {0};
	const char *kept;

	(void)slurm_gres(value(row, "Gres"), visit_gres, &sums); /* what cannot be read is left out */
	for (size_t i = 0; i < sums.count; i++)
		if (sums.item[i].count <= UINT32_MAX)
			str_addf(&text, "%s%s:%llu", text.len > 0 ? " " : "", sums.item[i].name,
				 (unsigned long long)sums.item[i].count);
	kept = text.len > 0 ? arena_string(&row->c->arena, str_text(&text)) : "";
	str_free(&text);
	return kept;
}

static bool is_host_name(const char *name)
{
	size_t len = strlen(name);

	return len > 0 && len < SLURM_NAME && name[strcspn(name, " \t[],")] == '\0';
}

static bool read_node(const struct row *row)
{
	struct slurm_cluster *c = row->c;
	struct slurm_node node = {
		.name = value(row, "NodeName"),
		.mem_mb = number(row, "RealMemory"),
		.disk_mb = number(row, "TmpDisk"),
		.procs_taken = number(row, "CPUAlloc"),
		.mem_taken_mb = number(row, "AllocMem"),
		.partitions = words(row, "Partitions"),
		.state = value(row, "State"),
		.reason = reason_of(row),
		.gres = gres_of(row),
	};
	int64_t procs = number(row, "CPUEfctv"); /* since 22.05: without those reserved for the system */

	if (procs == 0)
		procs = number(row, "CPUTot");
	if (!is_host_name(node.name))
		return refuse(row, "the name of a node is missing or invalid:", node.name);
	if (procs <= 0 || procs > 1000000)
		return refuse(row, "a node has no processors:", node.name);
	if (node.state[0] == '\0')
		return refuse(row, "a node has no state:", node.name);
	node.procs = (uint32_t)procs;
	node.features = words(row, "ActiveFeatures");
	node.shut = is_shut(node.state);
	c->node = vec_room(c->node, &c->node_room, c->nodes + 1, sizeof *c->node);
	c->node[c->nodes++] = node;
	return true;
}

bool slurm_read_nodes(struct slurm_cluster *c, char *text, size_t len, struct err *err)
{
	return read_rows(c, text, len, "NodeName", read_node, err) &&
	       (c->nodes > 0 || err_set(err, "scontrol show node names no node"));
}

/* --- partitions --------------------------------------------------------------------------------------- */

static bool read_partition(const struct row *row)
{
	struct slurm_cluster *c = row->c;
	struct slurm_partition partition = {.name = value(row, "PartitionName"),
					    .state = value(row, "State"),
					    .sharing = value(row, "OverSubscribe")};

	if (partition.name[0] == '\0')
		return refuse(row, "a partition has no name", "");
	if (partition.sharing[0] == '\0') /* its name before 17.11 */
		partition.sharing = value(row, "Shared");
	c->partition = vec_room(c->partition, &c->partition_room, c->partitions + 1, sizeof *c->partition);
	c->partition[c->partitions++] = partition;
	return true;
}

bool slurm_read_partitions(struct slurm_cluster *c, char *text, size_t len, struct err *err)
{
	return read_rows(c, text, len, "PartitionName", read_partition, err);
}

/* --- reservations ------------------------------------------------------------------------------------- */

static bool read_reservation(const struct row *row)
{
	struct slurm_cluster *c = row->c;
	struct slurm_reservation r = {.name = value(row, "ReservationName"),
				      .hosts = value(row, "Nodes"),
				      .users = value(row, "Users"),
				      .accounts = value(row, "Accounts")};

	if (r.name[0] == '\0')
		return refuse(row, "a reservation has no name", "");
	if (!slurm_time(value(row, "StartTime"), &r.begin_s) ||
	    !slurm_time(value(row, "EndTime"), &r.end_s) || r.begin_s == 0)
		return refuse(row, "a reservation has no valid times:", r.name);
	/* The cores are listed when they are not all cores of the nodes. */
	r.whole = slurm_value(row->line, "CoreIDs", &(size_t){0}) == NULL;
	c->reservation =
		vec_room(c->reservation, &c->reservation_room, c->reservations + 1, sizeof *c->reservation);
	c->reservation[c->reservations++] = r;
	return true;
}

bool slurm_read_reservations(struct slurm_cluster *c, char *text, size_t len, struct err *err)
{
	return read_rows(c, text, len, "ReservationName", read_reservation, err);
}
