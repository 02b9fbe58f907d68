/* SPDX-License-Identifier: MIT */
/*
 * slurm_compare.c - differences between Slurm and the state of the scheduler, as events
 *
 * A job is found by its label, which is its ID in Slurm. The scheduler assigns other IDs, because in Slurm an
 * array task has no number of its own before it starts, and numbers are reused after some time.
 */
#include "slurm_compare.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "slurm_text.h"

/*
 * A change of a job's expected start is reported if it is more than this, and more than a tenth of the time
 * until the new start.
 */
#define EXPECTED_MOVES_S 300

/*
 * If the start time of a running job is later than the recorded one by more than this, the job was requeued
 * and has started again. A smaller difference may come from the clocks of the hosts.
 */
#define SAME_RUN_S 120

#define BY_MANAGER "sched" /* the author of reports, as for all resource managers */

/* A job of the state, by the hash of its label. */
struct known {
	uint64_t hash, id; /* id 0 = an empty place */
	bool listed;
};

struct step; /* see below */

struct comparison {
	struct slurm_memory *memory;
	const struct slurm_cluster *c;
	const struct state *st;
	int64_t now_s;
	int64_t at_s; /* time of the events that are being reported; event_of() limits it to now_s */
	slurm_report *report;
	void *to;
	struct known *known; /* open addressing */
	size_t slots;
	struct depend *depend; /* of the job that is being described */
	size_t depend_room;
	struct slurm_hosts_of hosts;
	struct alloc_run *run;
	size_t run_room;
	struct step *step;
	size_t steps, step_room;
};

/* --- jobs by label ------------------------------------------------------------------------------------ */

static uint64_t hash_of(const char *label)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *label != '\0'; label++)
		h = (h ^ (unsigned char)*label) * UINT64_C(0x100000001b3);
	return h ^ h >> 32;
}

/*
 * Returns the job with this ID in the current state; NULL if it has left. The pointer is valid until the next
 * report.
 */
static const struct job *job_of(const struct comparison *x, uint64_t id)
{
	uint32_t slot = state_find(x->st, id);

	return slot == INDEX_NONE ? NULL : &snapshot_jobs(state_view(x->st))[slot];
}

static const char *label_of(const struct comparison *x, uint64_t id)
{
	const struct job *job = job_of(x, id);

	return job == NULL ? "" : snapshot_string(state_view(x->st), job->label);
}

static struct known *find(struct comparison *x, const char *label)
{
	uint64_t hash = hash_of(label);
	size_t at = hash & (x->slots - 1);

	for (; x->known[at].id != 0; at = (at + 1) & (x->slots - 1))
		if (x->known[at].hash == hash && strcmp(label_of(x, x->known[at].id), label) == 0)
			return &x->known[at];
	return NULL;
}

/* Was there a job with this label when the comparison began? It may have ended since. */
static bool was_known(const struct comparison *x, const char *label)
{
	uint64_t hash = hash_of(label);
	size_t at = hash & (x->slots - 1);

	while (x->known[at].id != 0 && x->known[at].hash != hash)
		at = (at + 1) & (x->slots - 1);
	return x->known[at].id != 0;
}

static void add_known(struct comparison *x, uint64_t hash, uint64_t id, bool listed)
{
	size_t at = hash & (x->slots - 1);

	while (x->known[at].id != 0)
		at = (at + 1) & (x->slots - 1);
	x->known[at] = (struct known){.hash = hash, .id = id, .listed = listed};
}

static void index_job(struct comparison *x, uint32_t slot)
{
	const struct snapshot *s = state_view(x->st);
	const struct job *job = &snapshot_jobs(s)[slot];

	if (job->label != 0)
		add_known(x, hash_of(snapshot_string(s, job->label)), job->id, false);
}

static void index_jobs(struct comparison *x)
{
	const struct snapshot *s = state_view(x->st);
	size_t jobs = x->c->jobs + snapshot_count(s, TABLE_WAITING) + snapshot_count(s, TABLE_RUNNING);

	for (x->slots = 64; x->slots < 2 * jobs;)
		x->slots *= 2;
	x->known = mem_zero(x->slots, sizeof *x->known);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++)
		index_job(x, snapshot_waiting(s)[i].slot);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++)
		index_job(x, snapshot_running(s)[i]);
}

static int by_hash(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static bool has_hash(const uint64_t *list, size_t count, uint64_t hash)
{
	return count > 0 && bsearch(&hash, list, count, sizeof *list, by_hash) != NULL;
}

/* --- events ------------------------------------------------------------------------------------------- */

/*
 * Returns an event at x->at_s, at the latest at x->now_s. That may be before the time of the state; the
 * receiver of the report corrects it then.
 */
static struct event event_of(const struct comparison *x, enum event_kind kind, uint64_t job)
{
	return (struct event){.kind = kind,
			      .job = job,
			      .who = BY_MANAGER,
			      .time_s = x->at_s < x->now_s ? x->at_s : x->now_s};
}

static void tell(struct comparison *x, const struct event *ev)
{
	x->report(x->to, ev);
}

/* --- ends --------------------------------------------------------------------------------------------- */

static void tell_end(struct comparison *x, const struct slurm_job *found, uint64_t id)
{
	struct event ev = event_of(x, EVENT_END, id);

	ev.end.status = found->status;
	ev.end.at_limit = strcmp(found->state, "TIMEOUT") == 0;
	if (strcmp(found->state, "COMPLETED") != 0 && strcmp(found->state, "FAILED") != 0)
		ev.end.why = found->state;
	tell(x, &ev);
}

static bool has_run(const struct slurm_job *found)
{
	return found->hosts[0] != '\0' && found->start_s > 0 && found->start_s <= found->end_s;
}

/* Has the job been submitted, run and ended since the last comparison? */
static bool is_unseen(const struct comparison *x, const struct slurm_job *found)
{
	const struct slurm_memory *m = x->memory;

	return m->polled_s != 0 && found->end_s > m->polled_s && has_run(found) && !was_known(x, found->id) &&
	       !has_hash(m->ended, m->ended_count, hash_of(found->id));
}

/*
 * Reports jobs that Slurm no longer lists: running jobs as lost, because their end is unknown, and idle jobs
 * as cancelled.
 */
static void tell_missing(struct comparison *x)
{
	struct slurm_memory *m = x->memory;
	uint64_t *missing = mem_alloc((x->slots + 1) * sizeof *missing);
	size_t count = 0;

	for (size_t i = 0; i < x->slots; i++) {
		const struct known *known = &x->known[i];
		const struct job *job = known->id == 0 || known->listed ? NULL : job_of(x, known->id);
		struct event ev = event_of(x, EVENT_CANCEL, known->id);

		if (job == NULL)
			continue;
		if (!has_hash(m->missing, m->missing_count, known->hash)) {
			missing[count++] = known->hash;
			continue;
		}
		if (job->state == JOB_RUNNING) {
			ev.kind = EVENT_END;
			ev.end.lost = true;
			ev.end.why = "Slurm no longer lists the job";
		}
		tell(x, &ev);
	}
	qsort(missing, count, sizeof *missing, by_hash);
	free(m->missing);
	m->missing = missing;
	m->missing_count = count;
}

static void remember_ended(struct comparison *x)
{
	struct slurm_memory *m = x->memory;
	uint64_t *ended = mem_alloc((x->c->jobs + 1) * sizeof *ended);
	size_t count = 0;

	for (size_t i = 0; i < x->c->jobs; i++)
		if (x->c->job[i].phase == SLURM_ENDED)
			ended[count++] = hash_of(x->c->job[i].id);
	qsort(ended, count, sizeof *ended, by_hash);
	free(m->ended);
	m->ended = ended;
	m->ended_count = count;
}

/* --- nodes -------------------------------------------------------------------------------------------- */

/* Will the job be reported as started and ended in this comparison? */
static bool is_brief(struct comparison *x, const struct slurm_job *found)
{
	const struct known *known = find(x, found->id);

	if (found->phase != SLURM_ENDED || !has_run(found))
		return false;
	return known != NULL ? job_of(x, known->id)->state == JOB_IDLE : is_unseen(x, found);
}

/*
 * Adds up what jobs hold on each node that run or will be reported as started, so that no node is reported
 * with fewer resources.
 */
static void hold_running(struct comparison *x)
{
	struct slurm_map *map = &x->memory->map;
	struct slurm_shape shape;

	for (size_t i = 0; i < x->c->jobs; i++) {
		const struct slurm_job *found = &x->c->job[i];

		if (found->phase != SLURM_RUNNING && !is_brief(x, found))
			continue;
		slurm_map_shape(map, found, &shape);
		slurm_map_hosts(map, found, &x->hosts);
		if (found->phase == SLURM_RUNNING)
			slurm_map_hold(map, &shape, &x->hosts);
		else
			slurm_map_hold_briefly(map, &shape, &x->hosts);
	}
	map->notes.count[NOTE_GRES] = 0; /* counted again when the jobs are mapped */
}

/* The record of a node that Slurm no longer has. Its texts are copied: they move when the state grows. */
static struct node_record gone_node(struct comparison *x, uint32_t node, struct state_parts *parts)
{
	struct arena *arena = &x->memory->map.arena;
	struct node_record record;

	state_node_record(state_view(x->st), node, &record, parts);
	record.name = arena_string(arena, record.name);
	record.partition = arena_string(arena, record.partition);
	record.used_by = arena_string(arena, record.used_by);
	record.shut = 1;
	record.said = "Slurm no longer has this node";
	return record;
}

/* Reports nodes that Slurm no longer has: they stay in the state, but accept no jobs. */
static void tell_gone_nodes(struct comparison *x)
{
	const struct snapshot *s = state_view(x->st);
	bool *there = mem_zero((size_t)snapshot_count(s, TABLE_NODES) + 1, sizeof *there);
	struct state_parts parts = {.run = NULL};

	for (size_t i = 0; i < x->c->nodes; i++) {
		uint32_t node = state_find_node(x->st, x->c->node[i].name);

		if (node != INDEX_NONE && node < snapshot_count(s, TABLE_NODES))
			there[node] = true;
	}
	for (uint32_t i = 0; i < snapshot_count(state_view(x->st), TABLE_NODES); i++) {
		struct event ev = event_of(x, EVENT_NODE, 0);

		if (there[i])
			continue;
		ev.node = gone_node(x, i, &parts);
		if (state_report_is_news(x->st, &ev.node))
			tell(x, &ev);
	}
	state_parts_free(&parts);
	free(there);
}

/*
 * Returns the record of a node. It has at least as many processors as are busy in the state, because the ends
 * of jobs are reported after the nodes.
 */
static struct node_record node_of(struct comparison *x, size_t i)
{
	struct node_record record = slurm_map_node(&x->memory->map, i);
	uint32_t node = state_find_node(x->st, record.name);

	if (node != INDEX_NONE && snapshot_nodes(state_view(x->st))[node].procs_busy > record.procs) {
		record.procs = snapshot_nodes(state_view(x->st))[node].procs_busy;
		x->memory->map.procs_brief[i]++; /* it is reported again after the ends */
	}
	return record;
}

static void tell_nodes(struct comparison *x)
{
	hold_running(x);
	for (size_t i = 0; i < x->c->nodes; i++) {
		struct event ev = event_of(x, EVENT_NODE, 0);

		ev.node = node_of(x, i);
		if (state_report_is_news(x->st, &ev.node))
			tell(x, &ev);
	}
	tell_gone_nodes(x);
}

/* Reports nodes again that were reported with more resources for jobs whose ends have now been reported. */
static void tell_nodes_again(struct comparison *x)
{
	struct slurm_map *map = &x->memory->map;

	for (size_t i = 0; i < x->c->nodes; i++) {
		struct event ev = event_of(x, EVENT_NODE, 0);

		if (!slurm_map_forget_brief(map, i))
			continue;
		ev.node = slurm_map_node(map, i);
		if (state_report_is_news(x->st, &ev.node))
			tell(x, &ev);
	}
}

/* --- reservations ------------------------------------------------------------------------------------- */

static bool add_place(void *self, const char *name)
{
	advance_add_place(self, name, 0);
	return true;
}

/* Adds the names of a list as guests. Returns false if the list excludes a name ("-eva"). */
static bool add_guests(struct advance_text *a, enum cred_type type, const char *list)
{
	while (*list != '\0') {
		size_t len = strcspn(list, ",");
		struct str name = {0};

		if (*list == '-')
			return false;
		str_add_bytes(&name, list, len);
		if (len > 0)
			advance_add_guest(a, type, arena_string(&a->arena, str_text(&name)), 0);
		str_free(&name);
		list += len + (list[len] == ',');
	}
	return true;
}

static bool is_name_char(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' ||
	       c == '-';
}

/*
 * Appends the name and the text (advance_write) of the scheduler's reservation for r. Returns false if the
 * scheduler cannot express it.
 */
static bool write_reservation(const struct slurm_reservation *r, struct str *name, struct str *text)
{
	struct advance_text a = {.begin_s = r->begin_s, .end_s = r->end_s > 0 ? r->end_s : TIME_NEVER};
	bool good = r->whole && r->hosts[0] != '\0' && slurm_hosts(r->hosts, add_place, &a) &&
		    add_guests(&a, CRED_USER, r->users) && add_guests(&a, CRED_ACCOUNT, r->accounts);

	a.reason = "reserved in Slurm";
	for (const char *c = r->name; *c != '\0' && name->len + 1 < ADVANCE_NAME; c++) {
		if (is_name_char(*c))
			str_add_char(name, *c);
		else
			str_add_char(name, '_');
	}
	if (good)
		advance_write(&a, text);
	advance_text_free(&a);
	return good;
}

/* Returns the reservation of this name in the state that is not over; NULL if there is none. */
static const struct advance *find_reservation(const struct comparison *x, const char *name)
{
	const struct snapshot *s = state_view(x->st);
	uint32_t at = snapshot_find_advance(s, name);

	return at == INDEX_NONE || advance_is_over(&snapshot_advances(s)[at], x->now_s)
		       ? NULL
		       : &snapshot_advances(s)[at];
}

/* Does the reservation in the state have the same times and as many nodes and guests? */
static bool is_same_reservation(const struct comparison *x, const struct advance *a, const char *text)
{
	const struct snapshot *s = state_view(x->st);
	struct advance_text wanted;
	uint32_t nodes = 0;
	bool same;

	if (!advance_read(text, &wanted, NULL))
		return false;
	for (uint32_t i = 0; i < a->run_count; i++)
		nodes += snapshot_kept_runs(s)[a->first_run + i].nodes;
	same = a->begin_s == wanted.begin_s && a->end_s == wanted.end_s && nodes == wanted.place_count &&
	       a->guest_count == wanted.guest_count;
	advance_text_free(&wanted);
	return same;
}

/* Was the reservation reported by the manager, not made by an operator? */
static bool is_managers(const struct comparison *x, const struct advance *a)
{
	return strcmp(snapshot_string(state_view(x->st), a->owner), BY_MANAGER) == 0;
}

static void tell_unreserve(struct comparison *x, const char *name)
{
	struct event ev = event_of(x, EVENT_UNRESERVE, 0);

	ev.reserve.name = name;
	tell(x, &ev);
}

static void tell_reservation(struct comparison *x, const struct slurm_reservation *r)
{
	struct event ev = event_of(x, EVENT_RESERVE, 0);
	struct str name = {0}, text = {0};
	const struct advance *known = NULL;
	bool written = write_reservation(r, &name, &text);

	if (written)
		known = find_reservation(x, str_text(&name));
	if (!written) {
		x->memory->map.notes.count[NOTE_CORES]++;
	} else if (known != NULL && !is_managers(x, known)) {
		x->memory->map.notes.count[NOTE_TAKEN]++;
	} else if ((r->end_s == 0 || r->end_s > x->now_s) &&
		   (known == NULL || !is_same_reservation(x, known, str_text(&text)))) {
		if (known != NULL)
			tell_unreserve(x, str_text(&name));
		ev.reserve.name = str_text(&name);
		ev.reserve.text = str_text(&text);
		tell(x, &ev);
	}
	str_free(&name);
	str_free(&text);
}

/* Does Slurm still have the reservation with this name? */
static bool is_listed(const struct comparison *x, const char *wanted)
{
	bool found = false;

	for (size_t i = 0; i < x->c->reservations && !found; i++) {
		struct str name = {0}, text = {0};

		found = write_reservation(&x->c->reservation[i], &name, &text) &&
			strcmp(str_text(&name), wanted) == 0;
		str_free(&name);
		str_free(&text);
	}
	return found;
}

/* Returns the name of a reservation in force that Slurm no longer has; NULL if there is none. */
static char *unlisted(const struct comparison *x)
{
	const struct snapshot *s = state_view(x->st);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_ADVANCES); i++) {
		const struct advance *a = &snapshot_advances(s)[i];

		if (is_managers(x, a) && !advance_is_over(a, x->now_s) &&
		    !is_listed(x, snapshot_string(s, a->name)))
			return mem_string(snapshot_string(s, a->name));
	}
	return NULL;
}

static void tell_reservations(struct comparison *x)
{
	uint32_t most = snapshot_count(state_view(x->st), TABLE_ADVANCES);

	for (uint32_t i = 0; i < most; i++) {
		char *name = unlisted(x);

		if (name == NULL)
			break;
		tell_unreserve(x, name);
		free(name);
	}
	for (size_t i = 0; i < x->c->reservations; i++)
		tell_reservation(x, &x->c->reservation[i]);
}

/* --- descriptions of jobs ----------------------------------------------------------------------------- */

/*
 * Parses a dependency such as "afterok:7(unfulfilled)" up to `end`. Returns false if it is not on a single
 * job in the queue.
 */
static bool read_depend(struct comparison *x, const char *at, const char *end, struct depend *out)
{
	static const struct {
		const char *name;
		enum depend_type type;
	} types[] = {{"after:", DEPEND_START},
		     {"afterany:", DEPEND_COMPLETE},
		     {"afterok:", DEPEND_OK},
		     {"afternotok:", DEPEND_FAILED}};
	char label[SLURM_NAME];
	const struct known *known;

	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		size_t name_len = strlen(types[i].name), len;

		if (strncmp(at, types[i].name, name_len) != 0)
			continue;
		at += name_len;
		len = strspn(at, "0123456789_");
		if (len == 0 || len >= sizeof label || strncmp(at + len, "(unfulfilled)", 13) != 0 ||
		    at + len + 13 != end)
			return false;
		memcpy(label, at, len);
		label[len] = '\0';
		known = find(x, label);
		*out = (struct depend){.on = known != NULL ? known->id : 0,
				       .type = (uint8_t)types[i].type,
				       .of = DEPEND_ON_JOB};
		return known != NULL;
	}
	return false;
}

/*
 * Adds the dependencies of a waiting job to its record. If one of them cannot be expressed, none is added,
 * and the job is held while Slurm gives "Dependency" as the reason.
 */
static void add_depends(struct comparison *x, const struct slurm_job *found, struct job_record *record)
{
	const char *at = found->depends;

	if (found->phase != SLURM_PENDING || *at == '\0')
		return;
	while (at != NULL && *at != '\0') {
		const char *end = at + strcspn(at, ",?");

		x->depend = vec_room(x->depend, &x->depend_room, (size_t)record->depend_count + 1,
				     sizeof *x->depend);
		if (*end == '?' || !read_depend(x, at, end, &x->depend[record->depend_count])) {
			at = NULL;
			break;
		}
		record->depend_count++;
		at = end + (*end == ',');
	}
	record->depend = x->depend;
	if (at != NULL)
		return;
	x->memory->map.notes.count[NOTE_DEPENDS]++;
	record->depend_count = 0;
	if (record->job.base_holds == 0 && strcmp(found->reason, "Dependency") == 0) {
		record->job.base_holds = JOB_HOLD_BATCH;
		record->hold_reason = "Dependency";
	}
}

static int64_t expected_of(const struct comparison *x, const struct slurm_job *found)
{
	return found->phase == SLURM_PENDING && found->start_s > x->now_s ? found->start_s : 0;
}

static struct job_record record_of(struct comparison *x, const struct slurm_job *found)
{
	struct job_record record = slurm_map_job(&x->memory->map, found);

	record.job.expected_s = expected_of(x, found);
	add_depends(x, found, &record);
	return record;
}

static uint64_t tell_submit(struct comparison *x, const struct slurm_job *found)
{
	uint64_t id = state_next_id(x->st);
	struct event ev = event_of(x, EVENT_SUBMIT, id);

	ev.submit = record_of(x, found);
	tell(x, &ev);
	if (job_of(x, id) == NULL)
		return 0;
	add_known(x, hash_of(found->id), id, true);
	return id;
}

/* Has the expected start changed by so much that it is reported? */
static bool has_moved(const struct comparison *x, const struct job *job, const struct slurm_job *found)
{
	int64_t expected_s = expected_of(x, found), by_s;

	if (job->state != JOB_IDLE || found->phase != SLURM_PENDING || expected_s == job->expected_s)
		return false;
	if (expected_s == 0 || job->expected_s == 0)
		return true;
	by_s = expected_s > job->expected_s ? expected_s - job->expected_s : job->expected_s - expected_s;
	return by_s > EXPECTED_MOVES_S && by_s > (expected_s - x->now_s) / 10;
}

static bool is_news(const struct comparison *x, const struct job *job, const struct slurm_job *found)
{
	const char *said = snapshot_string(state_view(x->st), job->said);

	return job->described != slurm_map_described(&x->memory->map, found) || has_moved(x, job, found) ||
	       (found->phase == SLURM_PENDING && strcmp(said, found->reason) != 0) ||
	       (job->state == JOB_IDLE && found->phase == SLURM_PENDING &&
		((job->holds & JOB_HOLD_SYSTEM) != 0) != ((slurm_map_holds(found) & JOB_HOLD_SYSTEM) != 0));
}

static void tell_description(struct comparison *x, const struct slurm_job *found, uint64_t id)
{
	struct event ev = event_of(x, EVENT_DESCRIBE, id);

	ev.submit = record_of(x, found);
	tell(x, &ev);
}

/* --- starts ------------------------------------------------------------------------------------------- */

static uint32_t add_runs(struct comparison *x, const struct slurm_shape *shape)
{
	uint32_t count = 0;

	for (size_t i = 0; i < x->hosts.count; i++) {
		uint32_t node = state_find_node(x->st, x->c->node[x->hosts.item[i]].name);
		uint32_t tasks = slurm_map_tasks_on(shape, i, x->hosts.count);
		struct alloc_run *last = count > 0 ? &x->run[count - 1] : NULL;

		if (node == INDEX_NONE)
			return 0;
		if (tasks == 0)
			continue;
		if (last != NULL && last->tasks == tasks && last->node + last->nodes == node) {
			last->nodes++;
			continue;
		}
		x->run = vec_room(x->run, &x->run_room, (size_t)count + 1, sizeof *x->run);
		x->run[count++] = (struct alloc_run){.node = node,
						     .nodes = 1,
						     .procs = tasks * shape->task_procs,
						     .tasks = tasks,
						     .next = INDEX_NONE};
	}
	return count;
}

static void tell_start(struct comparison *x, const struct slurm_job *found, uint64_t id)
{
	int64_t start_s = found->start_s > 0 && found->start_s <= x->now_s ? found->start_s : x->now_s;
	struct event ev = event_of(x, EVENT_START, id);
	struct slurm_shape shape;

	if (job_of(x, id)->described != slurm_map_described(&x->memory->map, found))
		tell_description(x, found, id);
	slurm_map_shape(&x->memory->map, found, &shape);
	slurm_map_hosts(&x->memory->map, found, &x->hosts);
	ev.start.count = add_runs(x, &shape);
	ev.start.runs = x->run;
	ev.start.reported = true;
	ev.start.since_s = start_s;
	tell(x, &ev);
}

static void tell_suspension(struct comparison *x, const struct slurm_job *found, uint64_t id)
{
	const struct job *job = job_of(x, id);
	struct event ev = event_of(x, EVENT_SUSPEND, id);

	if (job == NULL || job->state != JOB_RUNNING || job_is_suspended(job) == found->suspended)
		return;
	ev.suspend.on = found->suspended;
	ev.suspend.how = found->suspended ? SUSPEND_KEEP : 0;
	tell(x, &ev);
}

/* Reports that a running job was requeued; in Slurm it may already run again. */
static void tell_requeue(struct comparison *x, uint64_t id)
{
	struct event ev = event_of(x, EVENT_REQUEUE, id), end = event_of_stop(id);

	tell(x, &ev);
	end.who = BY_MANAGER;
	end.time_s = ev.time_s;
	tell(x, &end);
}

static bool is_another_run(const struct comparison *x, const struct job *job, const struct slurm_job *found)
{
	return found->start_s <= x->now_s && found->start_s > job->start_s + SAME_RUN_S;
}

/* --- all jobs ----------------------------------------------------------------------------------------- */

/*
 * What has happened to jobs is reported in the order of time, because a replay of the journal repeats it in
 * this order. Of steps at the same time, ends come first, and starts of jobs that have already ended last.
 */
enum step_kind {
	STEP_END,
	STEP_SUBMIT,
	STEP_CHANGE,     /* a change, a start or a requeue */
	STEP_START,      /* the start of a job that has already ended ... */
	STEP_STARTED_END /* ... and its end */
};

struct step {
	int64_t at_s;
	enum step_kind kind;
	size_t job; /* index in the cluster */
};

/* Adds a step. Its time is at least the submit time of the job and at most now_s, whatever Slurm reports. */
static void add_step(struct comparison *x, enum step_kind kind, size_t job, int64_t at_s)
{
	if (at_s < x->c->job[job].submit_s)
		at_s = x->c->job[job].submit_s;
	x->step = vec_room(x->step, &x->step_room, x->steps + 1, sizeof *x->step);
	x->step[x->steps++] =
		(struct step){.kind = kind, .job = job, .at_s = at_s < x->now_s ? at_s : x->now_s};
}

static void list_ended(struct comparison *x, size_t i, const struct job *job)
{
	const struct slurm_job *found = &x->c->job[i];

	if (job == NULL && !is_unseen(x, found))
		return;
	if (job == NULL)
		add_step(x, STEP_SUBMIT, i, found->submit_s);
	if ((job == NULL || job->state == JOB_IDLE) && has_run(found)) {
		add_step(x, STEP_START, i, found->start_s);
		add_step(x, STEP_STARTED_END, i, found->end_s);
	} else {
		add_step(x, STEP_END, i, found->end_s > 0 ? found->end_s : x->now_s);
	}
}

static void list_present(struct comparison *x, size_t i, const struct job *job)
{
	const struct slurm_job *found = &x->c->job[i];
	bool runs = found->phase == SLURM_RUNNING;

	if (job == NULL)
		add_step(x, STEP_SUBMIT, i, found->submit_s);
	if (job == NULL ? runs
			: is_news(x, job, found) || runs != (job->state == JOB_RUNNING) ||
				  (runs && (is_another_run(x, job, found) ||
					    job_is_suspended(job) != found->suspended)))
		add_step(x, STEP_CHANGE, i,
			 runs && (job == NULL || job->state == JOB_IDLE) ? found->start_s : x->now_s);
}

static void list_steps(struct comparison *x)
{
	for (size_t i = 0; i < x->c->jobs; i++) {
		struct known *known = find(x, x->c->job[i].id);
		const struct job *job = known == NULL ? NULL : job_of(x, known->id);

		if (known != NULL)
			known->listed = true;
		if (x->c->job[i].phase == SLURM_UNKNOWN)
			x->memory->map.notes.count[NOTE_STATE]++;
		else if (x->c->job[i].phase == SLURM_ENDED)
			list_ended(x, i, job);
		else
			list_present(x, i, job);
	}
}

static int by_time(const void *left, const void *right)
{
	const struct step *a = left, *b = right;

	if (a->at_s != b->at_s)
		return a->at_s < b->at_s ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return (a->job > b->job) - (a->job < b->job);
}

static void change(struct comparison *x, const struct slurm_job *found, uint64_t id)
{
	const struct job *job = job_of(x, id);

	if (job->state == JOB_RUNNING && (found->phase == SLURM_PENDING || is_another_run(x, job, found)))
		tell_requeue(x, id);
	if (is_news(x, job_of(x, id), found))
		tell_description(x, found, id);
	if (job_of(x, id)->state == JOB_IDLE && found->phase == SLURM_RUNNING)
		tell_start(x, found, id);
	if (found->phase == SLURM_RUNNING)
		tell_suspension(x, found, id);
}

static void end(struct comparison *x, const struct slurm_job *found, uint64_t id)
{
	struct event ev = event_of(x, EVENT_CANCEL, id);

	if (job_of(x, id)->state == JOB_RUNNING)
		tell_end(x, found, id);
	else
		tell(x, &ev);
}

static void take_step(struct comparison *x, const struct step *step)
{
	const struct slurm_job *found = &x->c->job[step->job];
	const struct known *known = find(x, found->id);

	x->at_s = step->at_s;
	if (step->kind == STEP_SUBMIT && known == NULL)
		tell_submit(x, found);
	else if (known == NULL)
		return; /* its submission was refused */
	else if (step->kind == STEP_CHANGE)
		change(x, found, known->id);
	else if (step->kind == STEP_START)
		tell_start(x, found, known->id);
	else if (step->kind == STEP_END || step->kind == STEP_STARTED_END)
		end(x, found, known->id);
}

static void tell_jobs(struct comparison *x)
{
	if (x->steps > 0)
		qsort(x->step, x->steps, sizeof *x->step, by_time);
	for (size_t i = 0; i < x->steps; i++)
		take_step(x, &x->step[i]);
}

void slurm_compare(struct slurm_memory *memory, const struct slurm_cluster *c, const struct state *st,
		   int64_t now_s, slurm_report *report, void *to)
{
	struct comparison x = {
		.memory = memory, .c = c, .st = st, .now_s = now_s, .report = report, .to = to};

	x.at_s = state_view(st)->now_s != TIME_NONE ? state_view(st)->now_s : now_s;
	slurm_map_begin(&memory->map, c, snapshot_machine(state_view(st)).mem_mb > 0);
	index_jobs(&x);
	list_steps(&x);
	tell_nodes(&x);
	tell_jobs(&x);
	x.at_s = now_s;
	tell_missing(&x);
	tell_nodes_again(&x);
	tell_reservations(&x);
	remember_ended(&x);
	memory->polled_s = now_s;
	free(x.known);
	free(x.depend);
	free(x.hosts.item);
	free(x.run);
	free(x.step);
}

void slurm_memory_free(struct slurm_memory *memory)
{
	free(memory->ended);
	free(memory->missing);
	slurm_map_free(&memory->map);
	*memory = (struct slurm_memory){.polled_s = 0};
}
