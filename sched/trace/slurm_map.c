/* SPDX-License-Identifier: MIT */
/*
 * slurm_map.c - nodes and jobs of Slurm as records of this scheduler
 */
#include "slurm_map.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "slurm_text.h"

const char *slurm_note_text(enum slurm_note note)
{
	static const char *const text[NOTE_COUNT] = {
		[NOTE_MIXED] = "components of heterogeneous jobs, which are left to Slurm",
		[NOTE_PARTITIONS] = "jobs that request several partitions; the first one counts",
		[NOTE_FEATURES] = "jobs with a constraint that is not a list of required features; it is "
				  "ignored",
		[NOTE_GRES] = "jobs with generic resources that cannot be divided among their tasks; these "
			      "are ignored",
		[NOTE_DEPENDS] = "jobs with a dependency that is not on single jobs; they are held while "
				 "Slurm names it as the reason",
		[NOTE_RESERVATION] = "jobs that request a reservation; they may be planned outside of it",
		[NOTE_LICENSES] = "jobs that request licenses, which are ignored",
		[NOTE_UNLIMITED] = "jobs without a time limit, which count as jobs of 365 days",
		[NOTE_STATE] = "jobs in an unknown state, which are ignored",
		[NOTE_SHARED] = "oversubscribed partitions; two jobs on one processor count as two "
				"processors",
		[NOTE_CORES] = "reservations of cores or without nodes, or with excluded users, which are "
			       "ignored",
		[NOTE_TAKEN] = "reservations with the name of a reservation that an operator made here; they "
			       "are ignored",
		[NOTE_NAMES] = "nodes with more partitions, features or generic resources than can be "
			       "named; the rest is ignored",
		[NOTE_REFUSED] = "reports that the scheduler has refused",
		[NOTE_BAD_LINES] = "lines that cannot be read",
	};

	return text[note];
}

/* --- names -------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const char *name)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *name != '\0'; name++)
		h = (h ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
	return h;
}

static void index_nodes(struct slurm_map *m)
{
	size_t slots = 16;

	while (slots < 2 * m->c->nodes)
		slots *= 2;
	m->node_by_name = mem_zero(slots, sizeof *m->node_by_name);
	m->node_slots = slots;
	for (size_t i = 0; i < m->c->nodes; i++) {
		size_t at = hash_of(m->c->node[i].name) & (slots - 1);

		while (m->node_by_name[at] != 0)
			at = (at + 1) & (slots - 1);
		m->node_by_name[at] = (uint32_t)i + 1;
	}
}

static bool find_node(const struct slurm_map *m, const char *name, uint32_t *out)
{
	size_t at = hash_of(name) & (m->node_slots - 1);

	for (; m->node_by_name[at] != 0; at = (at + 1) & (m->node_slots - 1)) {
		*out = m->node_by_name[at] - 1;
		if (strcmp(m->c->node[*out].name, name) == 0)
			return true;
	}
	return false;
}

/* Returns the index of a name in a list, and adds it if there is room; UINT32_MAX if there is none. */
static uint32_t name_index(struct arena *arena, const char **list, uint32_t *count, uint32_t most,
			   const char *name, size_t len)
{
	char *copy;

	for (uint32_t i = 0; i < *count; i++)
		if (strncasecmp(list[i], name, len) == 0 && list[i][len] == '\0')
			return i;
	if (*count == most)
		return UINT32_MAX;
	copy = arena_take(arena, len + 1);
	memcpy(copy, name, len);
	copy[len] = '\0';
	list[*count] = copy;
	return (*count)++;
}

/*
 * Returns the words of a text that are in the list or can be added to it. Sets *left_out if it leaves out a
 * word.
 */
static const char *known_words(struct slurm_map *m, const char *text, const char **list, uint32_t *count,
			       bool *left_out)
{
	struct str kept = {0};
	const char *word, *result;
	size_t len;

	while ((word = config_word(&text, &len)) != NULL) {
		/* one name less than the list can have, because a job may name one that no node has */
		if (len >= CONFIG_TITLE || name_index(&m->arena, list, count, 63, word, len) == UINT32_MAX) {
			*left_out = true;
			continue;
		}
		if (kept.len > 0)
			str_add_char(&kept, ' ');
		str_add_bytes(&kept, word, len);
	}
	result = kept.len > 0 ? arena_string(&m->arena, str_text(&kept)) : NULL;
	str_free(&kept);
	return result;
}

/* --- the cluster -------------------------------------------------------------------------------------- */

void slurm_map_free(struct slurm_map *m)
{
	free(m->node_by_name);
	free(m->procs);
	free(m->mem_mb);
	free(m->gres_held);
	free(m->procs_brief);
	free(m->gres_brief);
	arena_free(&m->arena);
	*m = (struct slurm_map){.c = NULL};
}

/*
 * Lists the names of the generic resources of all nodes: first kinds such as "gpu", then types such as
 * "gpu_a100".
 */
static void name_gres(struct slurm_map *m)
{
	for (int typed = 0; typed < 2; typed++)
		for (size_t i = 0; i < m->c->nodes; i++) {
			const char *text = m->c->node[i].gres, *word;
			size_t len, name_len;
			uint32_t count;

			while ((word = config_word(&text, &len)) != NULL)
				if (config_gres_read(word, len, &name_len, &count, NULL) &&
				    (memchr(word, '_', name_len) != NULL) == typed)
					name_index(&m->arena, m->gres, &m->gres_count, GRES_MAX, word,
						   name_len);
		}
}

/*
 * Does Slurm allocate memory? If it does not, nodes with jobs have no allocated memory, and what jobs request
 * is not a limit. While no node has jobs, the earlier answer `counted` is used.
 */
static bool counts_memory(const struct slurm_cluster *c, bool counted)
{
	bool runs = false;

	for (size_t i = 0; i < c->nodes; i++) {
		if (c->node[i].mem_taken_mb > 0)
			return true;
		runs = runs || c->node[i].procs_taken > 0;
	}
	return counted && !runs;
}

static void note_cluster(struct slurm_map *m)
{
	for (size_t i = 0; i < m->c->partitions; i++) {
		const char *sharing = m->c->partition[i].sharing;
		size_t word = strcspn(sharing, ":");

		/* "FORCE:1" and "YES:1" let jobs share a node, but not its processors */
		m->notes.count[NOTE_SHARED] +=
			(strncmp(sharing, "FORCE", 5) == 0 || strncmp(sharing, "YES", 3) == 0) &&
			strcmp(sharing + word, ":1") != 0;
	}
	m->notes.count[NOTE_BAD_LINES] = (uint32_t)m->c->bad.count;
}

void slurm_map_begin(struct slurm_map *m, const struct slurm_cluster *c, bool counted_memory)
{
	slurm_map_free(m);
	m->c = c;
	index_nodes(m);
	name_gres(m);
	m->counts_memory = counts_memory(c, counted_memory);
	m->procs = mem_zero(c->nodes + 1, sizeof *m->procs);
	m->mem_mb = mem_zero(c->nodes + 1, sizeof *m->mem_mb);
	m->gres_held = mem_zero(c->nodes * GRES_MAX + 1, sizeof *m->gres_held);
	m->procs_brief = mem_zero(c->nodes + 1, sizeof *m->procs_brief);
	m->gres_brief = mem_zero(c->nodes * GRES_MAX + 1, sizeof *m->gres_brief);
	note_cluster(m);
}

/* --- what a job requests ------------------------------------------------------------------------------ */

/* Sums of generic resources of a whole job, by index in slurm_map.gres. */
struct job_gres {
	struct slurm_map *m;
	uint64_t count[GRES_MAX];
	uint64_t times; /* factor for the counts of the resources that are visited */
	bool unknown;
};

static void add_gres(struct job_gres *g, const char *name, const char *type, uint32_t count)
{
	struct str whole = {0};
	uint32_t i;

	str_addf(&whole, type[0] != '\0' ? "%s_%s" : "%s", name, type);
	i = name_index(&g->m->arena, g->m->gres, &g->m->gres_count, g->m->gres_count, str_text(&whole),
		       whole.len);
	str_free(&whole);
	if (i == UINT32_MAX)
		g->unknown = true;
	else
		g->count[i] += count * g->times;
}

static void visit_request(void *self, const char *name, const char *type, uint32_t count)
{
	add_gres(self, name, "", count);
	if (type[0] != '\0')
		add_gres(self, name, type, count);
}

/*
 * In a list of TRES such as "gres/gpu=2,gres/gpu:a100=2", the sum has an item of its own, so the count of a
 * type is not added to it.
 */
static void visit_total(void *self, const char *name, const char *type, uint32_t count)
{
	add_gres(self, name, type, count);
}

/*
 * Adds up the generic resources that the job requests. Returns false if some of them are unknown or cannot be
 * read.
 */
static bool sum_gres(struct slurm_map *m, const struct slurm_job *job, struct job_gres *g)
{
	uint32_t tasks = job->tasks > 0 ? job->tasks : 1, nodes = job->nodes > 0 ? job->nodes : 1;

	*g = (struct job_gres){.m = m, .times = 1};
	if (strstr(job->tres, "gres/") != NULL)
		return slurm_gres(job->tres, visit_total, g) && !g->unknown;
	if (!slurm_gres(job->gres_job, visit_request, g))
		return false;
	g->times = nodes;
	if (!slurm_gres(job->gres_node, visit_request, g))
		return false;
	g->times = tasks;
	return slurm_gres(job->gres_task, visit_request, g) && job->gres_socket[0] == '\0' && !g->unknown;
}

/* Returns the memory of the whole job. */
static int64_t job_memory(const struct slurm_map *m, const struct slurm_job *job)
{
	struct str text = {0};
	int64_t mem_mb = 0;

	if (m->counts_memory && slurm_tres(job->tres, "mem", &text) &&
	    !slurm_size_mb(str_text(&text), &mem_mb))
		mem_mb = 0;
	str_free(&text);
	return mem_mb;
}

void slurm_map_shape(struct slurm_map *m, const struct slurm_job *job, struct slurm_shape *out)
{
	uint32_t nodes = job->nodes > 0 ? job->nodes : 1;
	struct job_gres g;
	bool divides;

	if (job->procs % nodes == 0)
		*out = (struct slurm_shape){.tasks = nodes, .task_procs = job->procs / nodes, .nodes = nodes};
	else
		*out = (struct slurm_shape){.tasks = job->procs, .task_procs = 1};
	out->mem_mb = job_memory(m, job) / out->tasks;
	divides = sum_gres(m, job, &g);
	for (uint32_t i = 0; i < m->gres_count; i++) {
		divides = divides && g.count[i] % out->tasks == 0;
		out->gres[i] = g.count[i] / out->tasks <= UINT32_MAX / out->tasks
				       ? (uint32_t)(g.count[i] / out->tasks)
				       : 0;
	}
	m->notes.count[NOTE_GRES] += !divides;
}

/* --- nodes -------------------------------------------------------------------------------------------- */

struct finding {
	const struct slurm_map *m;
	struct slurm_hosts_of *out;
};

static bool visit_host(void *self, const char *name)
{
	struct finding *f = self;
	uint32_t node;

	if (!find_node(f->m, name, &node))
		return false;
	f->out->item = vec_room(f->out->item, &f->out->room, f->out->count + 1, sizeof *f->out->item);
	f->out->item[f->out->count++] = node;
	return true;
}

static int by_number(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

void slurm_map_hosts(const struct slurm_map *m, const struct slurm_job *job, struct slurm_hosts_of *out)
{
	struct finding f = {.m = m, .out = out};

	out->count = 0;
	if (!slurm_hosts(job->hosts, visit_host, &f))
		out->count = 0;
	if (out->count > 1)
		qsort(out->item, out->count, sizeof *out->item, by_number);
	for (size_t i = 1; i < out->count; i++)
		if (out->item[i - 1] == out->item[i])
			out->count = 0;
}

uint32_t slurm_map_tasks_on(const struct slurm_shape *shape, size_t i, size_t nodes)
{
	return shape->tasks / (uint32_t)nodes + (i < shape->tasks % nodes);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void slurm_map_hold(struct slurm_map *m, const struct slurm_shape *shape, const struct slurm_hosts_of *hosts)
{
	for (size_t i = 0; i < hosts->count; i++) {
		uint32_t node = hosts->item[i], tasks = slurm_map_tasks_on(shape, i, hosts->count);

		m->procs[node] += (uint64_t)tasks * shape->task_procs;
		m->mem_mb[node] += tasks * (uint64_t)shape->mem_mb;
		for (uint32_t g = 0; g < m->gres_count; g++)
			m->gres_held[node * GRES_MAX + g] += (uint64_t)tasks * shape->gres[g];
	}
}

void slurm_map_hold_briefly(struct slurm_map *m, const struct slurm_shape *shape,
			    const struct slurm_hosts_of *hosts)
{
	for (size_t i = 0; i < hosts->count; i++) {
		uint32_t node = hosts->item[i], tasks = slurm_map_tasks_on(shape, i, hosts->count);

		m->procs_brief[node] = larger(m->procs_brief[node], (uint64_t)tasks * shape->task_procs);
		for (uint32_t g = 0; g < m->gres_count; g++) {
			uint64_t *most = &m->gres_brief[node * GRES_MAX + g];

			*most = larger(*most, (uint64_t)tasks * shape->gres[g]);
		}
	}
}

bool slurm_map_forget_brief(struct slurm_map *m, size_t node)
{
	bool any = m->procs_brief[node] > 0;

	m->procs_brief[node] = 0;
	memset(&m->gres_brief[node * GRES_MAX], 0, GRES_MAX * sizeof *m->gres_brief);
	return any;
}

/* Returns the count of a generic resource of a node. */
static uint64_t node_gres(const char *text, const char *name)
{
	const char *word;
	size_t len, name_len;
	uint32_t count;

	while ((word = config_word(&text, &len)) != NULL)
		if (config_gres_read(word, len, &name_len, &count, NULL) && strlen(name) == name_len &&
		    strncasecmp(word, name, name_len) == 0)
			return count;
	return 0;
}

static const char *gres_text(struct slurm_map *m, size_t i)
{
	struct str text = {0};
	const char *kept;

	for (uint32_t g = 0; g < m->gres_count; g++) {
		uint64_t count = larger(node_gres(m->c->node[i].gres, m->gres[g]),
					m->gres_held[i * GRES_MAX + g] + m->gres_brief[i * GRES_MAX + g]);

		if (count > 0 && count <= UINT32_MAX)
			str_addf(&text, "%s%s:%llu", text.len > 0 ? " " : "", m->gres[g],
				 (unsigned long long)count);
	}
	kept = text.len > 0 ? arena_string(&m->arena, str_text(&text)) : NULL;
	str_free(&text);
	return kept;
}

static const char *node_words(struct slurm_map *m, const struct slurm_node *node)
{
	struct str text = {0};
	const char *kept;

	if (node->reason[0] == '\0')
		return node->shut ? node->state : NULL;
	str_addf(&text, "%s: %s", node->state, node->reason);
	kept = arena_string(&m->arena, str_text(&text));
	str_free(&text);
	return kept;
}

struct node_record slurm_map_node(struct slurm_map *m, size_t i)
{
	const struct slurm_node *node = &m->c->node[i];
	uint64_t mem_mb = larger((uint64_t)node->mem_mb, m->mem_mb[i]);
	uint64_t procs = larger(node->procs, m->procs[i] + m->procs_brief[i]);
	bool left_out = false;
	struct node_record record = {
		.name = node->name,
		.procs = procs <= UINT32_MAX ? (uint32_t)procs : node->procs,
		.mem_mb = m->counts_memory && mem_mb <= (uint64_t)MEMORY_MAX_MB ? (int64_t)mem_mb : 0,
		.features = known_words(m, node->features, m->features, &m->feature_count, &left_out),
		.classes = known_words(m, node->partitions, m->classes, &m->class_count, &left_out),
		.gres = gres_text(m, i),
		.used = NODE_NOT_MEASURED,
		.active_from_s = TIME_NONE,
		.shut = node->shut,
		.said = node_words(m, node),
	};

	/*
	 * In Slurm, a node without a partition accepts no jobs. In the scheduler, a node without classes
	 * would accept jobs of all classes.
	 */
	if (record.classes == NULL)
		record.shut = 1;
	m->notes.count[NOTE_NAMES] += left_out;
	return record;
}

/* --- jobs --------------------------------------------------------------------------------------------- */

/*
 * Reasons for which Slurm does not start a job and which this scheduler cannot check itself, and the hold
 * that a job gets for each.
 */
static const struct {
	const char *reason;
	uint8_t hold;
} hold_reasons[] = {
	{"JobHeldUser", JOB_HOLD_USER},
	{"JobHeldAdmin", JOB_HOLD_SYSTEM},
	{"DependencyNeverSatisfied", JOB_HOLD_BATCH},
	{"JobArrayTaskLimit", JOB_HOLD_BATCH},
	{"PartitionDown", JOB_HOLD_BATCH},
	{"PartitionInactive", JOB_HOLD_BATCH},
	{"PartitionConfig", JOB_HOLD_BATCH},
	{"PartitionNodeLimit", JOB_HOLD_BATCH},
	{"PartitionTimeLimit", JOB_HOLD_BATCH},
	{"AccountNotAllowed", JOB_HOLD_BATCH},
	{"QOSNotAllowed", JOB_HOLD_BATCH},
	{"InvalidAccount", JOB_HOLD_BATCH},
	{"InvalidQOS", JOB_HOLD_BATCH},
	{"BadConstraints", JOB_HOLD_BATCH},
	{"BurstBufferResources", JOB_HOLD_BATCH},
	{"BurstBufferStageIn", JOB_HOLD_BATCH},
	{"BurstBufferOperation", JOB_HOLD_BATCH},
	{"JobHoldMaxRequeue", JOB_HOLD_BATCH},
	{"Cleaning", JOB_HOLD_BATCH},
	{"DeadLine", JOB_HOLD_BATCH},
	{"FedJobLock", JOB_HOLD_BATCH},
	{"ReservationDeleted", JOB_HOLD_BATCH},
};

uint8_t slurm_map_holds(const struct slurm_job *job)
{
	if (job->phase != SLURM_PENDING)
		return 0;
	for (size_t i = 0; i < sizeof hold_reasons / sizeof hold_reasons[0]; i++)
		if (strcmp(hold_reasons[i].reason, job->reason) == 0)
			return hold_reasons[i].hold;
	return job->held ? JOB_HOLD_SYSTEM : job->mixed ? JOB_HOLD_BATCH : 0;
}

/* Returns the first name of a list of partitions, and notes it if there are others. */
static const char *first_of(struct slurm_map *m, const char *list)
{
	size_t len = strcspn(list, ",");
	char *copy;

	if (list[len] == '\0')
		return list;
	m->notes.count[NOTE_PARTITIONS]++;
	copy = arena_take(&m->arena, len + 1);
	memcpy(copy, list, len);
	copy[len] = '\0';
	return copy;
}

/*
 * Returns the features of a constraint such as "fast&ib", separated by blanks; NULL if there is none or it is
 * another kind of constraint.
 */
static const char *feature_words(struct slurm_map *m, const char *constraint)
{
	char *words;

	if (constraint[0] == '\0')
		return NULL;
	if (strpbrk(constraint, "|[]()*! :") != NULL) {
		m->notes.count[NOTE_FEATURES]++;
		return NULL;
	}
	words = (char *)(uintptr_t)arena_string(&m->arena, constraint);
	for (char *c = words; (c = strpbrk(c, "&,")) != NULL;)
		*c = ' ';
	return words;
}

struct hosts_text {
	struct str text;
	const struct slurm_map *m;
};

static bool add_host(void *self, const char *name)
{
	struct hosts_text *h = self;
	uint32_t node;

	if (!find_node(h->m, name, &node) || h->text.len > 65536)
		return false;
	str_addf(&h->text, "%s%s", h->text.len > 0 ? " " : "", name);
	return true;
}

/*
 * Returns the nodes that a job requires; NULL for none. If these are too few, Slurm adds others. For the
 * scheduler, the list contains all nodes on which the job may run, so a list with fewer nodes than the job
 * needs is ignored.
 */
static const char *host_words(struct slurm_map *m, const struct slurm_job *job, uint32_t nodes)
{
	struct hosts_text h = {.m = m};
	const char *kept = NULL;
	uint32_t named = 1;

	if (job->hosts_asked[0] != '\0' && slurm_hosts(job->hosts_asked, add_host, &h) && h.text.len > 0) {
		for (size_t i = 0; i < h.text.len; i++)
			named += h.text.data[i] == ' ';
		if (named >= nodes)
			kept = arena_string(&m->arena, str_text(&h.text));
	}
	str_free(&h.text);
	return kept;
}

static const char *shape_gres(struct slurm_map *m, const struct slurm_shape *shape)
{
	struct str text = {0};
	const char *kept;

	for (uint32_t g = 0; g < m->gres_count; g++)
		if (shape->gres[g] > 0)
			str_addf(&text, "%s%s:%u", text.len > 0 ? " " : "", m->gres[g], shape->gres[g]);
	kept = text.len > 0 ? arena_string(&m->arena, str_text(&text)) : NULL;
	str_free(&text);
	return kept;
}

static uint8_t access_of(const struct slurm_job *job)
{
	return strcmp(job->sharing, "NO") == 0     ? ACCESS_SINGLEJOB
	       : strcmp(job->sharing, "USER") == 0 ? ACCESS_SINGLEUSER
						   : ACCESS_UNSET;
}

static int64_t limit_of(struct slurm_map *m, const struct slurm_job *job)
{
	m->notes.count[NOTE_UNLIMITED] += job->limit_s == SLURM_UNLIMITED;
	return job->limit_s > 0 && job->limit_s < SLURM_LONGEST_S ? job->limit_s : SLURM_LONGEST_S;
}

static const char *text_of(const char *text)
{
	return text[0] != '\0' ? text : NULL;
}

struct job_record slurm_map_job(struct slurm_map *m, const struct slurm_job *job)
{
	bool waits = job->phase == SLURM_PENDING;
	struct slurm_shape shape;
	struct job_record record;

	slurm_map_shape(m, job, &shape);
	record = (struct job_record){
		.job = {.tasks = shape.tasks,
			.task_procs = shape.task_procs,
			.nodes = shape.nodes,
			.mem_mb = shape.mem_mb,
			.wall_limit_s = limit_of(m, job),
			.submit_s = job->submit_s,
			.not_before_s = waits && strcmp(job->reason, "BeginTime") == 0 && job->start_s > 0
						? job->start_s
						: TIME_NONE,
			.true_run_s = -1,
			.access = access_of(job),
			.base_holds = slurm_map_holds(job),
			.described = slurm_map_described(m, job)},
		.cred = {[CRED_USER] = text_of(job->user),
			 [CRED_GROUP] = text_of(job->group),
			 [CRED_ACCOUNT] = text_of(job->account),
			 [CRED_QOS] = text_of(job->qos),
			 [CRED_CLASS] = first_of(m, job->partition)},
		.label = job->id,
		.name = text_of(job->name),
		.features = feature_words(m, job->features),
		.gres = shape_gres(m, &shape),
		.hosts = host_words(m, job, shape.nodes),
		.said = waits ? text_of(job->reason) : NULL,
	};
	if (record.job.base_holds != 0)
		record.hold_reason = job->mixed ? "a component of a heterogeneous job" : record.said;
	m->notes.count[NOTE_MIXED] += job->mixed;
	m->notes.count[NOTE_RESERVATION] += job->reservation[0] != '\0';
	m->notes.count[NOTE_LICENSES] += job->licenses[0] != '\0';
	return record;
}
