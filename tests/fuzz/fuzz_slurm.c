/* SPDX-License-Identifier: MIT */
/*
 * fuzz_slurm.c - the output of Slurm's commands: what is read is valid, and the state accepts or refuses it
 *
 * The input is the output of scontrol show node, partition and reservation and of squeue, separated by lines
 * of
 * "=". Whatever they say, no report may damage the state, and a second comparison with the same output must
 * not start or end a job again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/trace/slurm_compare.h"
#include "sched/trace/slurm_text.h"

#define MARK      "markmark"
#define NOW       INT64_C(1795920000)
#define PARTS     4
#define SEPARATOR "=\n"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* Counts the starts and ends that the state has accepted. */
struct watcher {
	struct state *st;
	unsigned moves;
};

static void take(void *self, const struct event *reported)
{
	struct watcher *w = self;
	struct event ev = *reported;
	struct err err;

	must(ev.who != NULL && ev.time_s <= NOW);
	if (state_view(w->st)->now_s != TIME_NONE && ev.time_s < state_view(w->st)->now_s)
		ev.time_s = state_view(w->st)->now_s;
	if (!event_apply(w->st, &ev, &err))
		must(err.text[0] != '\0');
	else
		w->moves += ev.kind == EVENT_START || ev.kind == EVENT_END;
}

static void check_cluster(const struct slurm_cluster *c)
{
	for (size_t i = 0; i < c->nodes; i++) {
		must(c->node[i].procs > 0 && c->node[i].mem_mb >= 0 && c->node[i].name[0] != '\0');
		must(strlen(c->node[i].name) < SLURM_NAME);
	}
	for (size_t i = 0; i < c->jobs; i++) {
		const struct slurm_job *job = &c->job[i];

		must(job->procs > 0 && job->submit_s > 0 && job->limit_s >= 0 && job->start_s >= 0);
		must(job->id[0] != '\0' && strlen(job->id) < SLURM_NAME && job->fingerprint != 0);
		for (const char *n = job->name; *n != '\0'; n++)
			must((unsigned char)*n >= ' ');
	}
}

/* Splits the input into the four answers; missing ones are empty. */
static void split(char *text, char *part[static PARTS])
{
	char *at = text;

	for (int i = 0; i < PARTS; i++) {
		char *end = i + 1 < PARTS ? strstr(at, SEPARATOR) : NULL;

		part[i] = at;
		at += strlen(at);
		if (end != NULL) {
			at = end + strlen(SEPARATOR);
			*end = '\0';
		}
	}
}

static bool read_all(struct slurm_cluster *c, char *const part[static PARTS])
{
	struct err err = {{0}};
	bool good = slurm_read_nodes(c, part[0], strlen(part[0]), &err) &&
		    slurm_read_partitions(c, part[1], strlen(part[1]), &err) &&
		    slurm_read_reservations(c, part[2], strlen(part[2]), &err) &&
		    slurm_read_jobs(c, part[3], strlen(part[3]), MARK, &err);

	must(good || err.text[0] != '\0');
	return good;
}

static void compare(const struct slurm_cluster *c)
{
	struct watcher w = {.st = state_new()};
	struct slurm_memory memory = {.polled_s = 0};
	unsigned moves;

	slurm_compare(&memory, c, w.st, NOW, take, &w);
	must(state_check(w.st, NULL));
	moves = w.moves;
	slurm_compare(&memory, c, w.st, NOW, take, &w);
	must(state_check(w.st, NULL));
	/* Two lines for one job can contradict each other for ever. */
	must(w.moves == moves || c->jobs > 1);
	slurm_memory_free(&memory);
	state_free(w.st);
}

static void ignore_gres(void *self, const char *name, const char *type, uint32_t count)
{
	(void)self;
	(void)count;
	must(name[0] != '\0' && type != NULL);
}

static bool count_host(void *self, const char *name)
{
	must(name[0] != '\0' && strlen(name) < SLURM_NAME);
	return ++*(unsigned *)self <= SLURM_HOSTS_MAX;
}

/* The readers of single values get the whole input. */
static void read_values(const char *text)
{
	unsigned hosts = 0;
	int64_t number;
	uint32_t count;
	size_t len;

	(void)slurm_hosts(text, count_host, &hosts);
	must(hosts <= SLURM_HOSTS_MAX);
	(void)slurm_gres(text, ignore_gres, NULL);
	if (slurm_time(text, &number))
		must(number >= 0);
	if (slurm_duration(text, &number))
		must(number >= 0);
	if (slurm_size_mb(text, &number))
		must(number >= 0);
	(void)slurm_count(text, &count);
	(void)slurm_value(text, "State", &len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_alloc(size + 1), *part[PARTS];
	struct slurm_cluster c = {.node = NULL};

	memcpy(text, data, size);
	text[size] = '\0';
	read_values(text);
	split(text, part);
	if (read_all(&c, part)) {
		check_cluster(&c);
		compare(&c);
	}
	slurm_cluster_free(&c);
	free(text);
	return 0;
}
