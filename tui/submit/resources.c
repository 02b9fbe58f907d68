/* SPDX-License-Identifier: MIT */
/*
 * resources.c - resources: -l, and the job extensions of -W x=
 *
 * -l and -W x= use the same table: -l qos=hi,tpn=2 and -W x=QOS:hi;TPN:2 are equivalent (Maui Administrator's
 * Guide 13.3). Extensions of the guide that are not supported are refused with the reason.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "qsub_inside.h"
#include "sched/base/duration.h"
#include "sched/config/config.h"

/* --- combining processors, memory and devices --------------------------------------------------------- */

/*
 * The same resource can be requested in several ways (nodes= and procs=, mem= and pmem=). A request on the
 * command line replaces all requests of the script for the resource; contradictory requests from one source
 * are errors, because the intent is unknown.
 */

struct qsub_shape *qsub_shape(struct submission *s)
{
	struct qsub_draft *draft = &s->draft;

	if (draft->last_word && !draft->shape.last_word)
		draft->shape = (struct qsub_shape){.last_word = true};
	return &draft->shape;
}

bool qsub_set_shape(int64_t *field, int64_t value, const char *what, struct err *err)
{
	if (*field != 0 && *field != value)
		return err_set(err,
			       "%s: %" PRId64 " is requested here, but %" PRId64 " before; request it once",
			       what, value, *field);
	*field = value;
	return true;
}

struct qsub_memory *qsub_memory(struct submission *s, struct qsub_memory *memory)
{
	if (s->draft.last_word && !memory->last_word)
		*memory = (struct qsub_memory){.last_word = true};
	return memory;
}

static struct qsub_gres *find_gres(struct qsub_draft *draft, const char *name)
{
	for (uint32_t i = 0; i < draft->gres_count; i++)
		if (str_same_word(draft->gres[i].name, name))
			return &draft->gres[i];
	return NULL;
}

bool qsub_add_gres(struct submission *s, const char *name, uint32_t count, enum qsub_scope scope,
		   struct err *err)
{
	struct qsub_draft *draft = &s->draft;
	struct qsub_gres *gres = find_gres(draft, name);
	struct qsub_gres wanted = {.count = count, .scope = (uint8_t)scope, .last_word = draft->last_word};

	if (!qsub_read_name(s, name, &wanted.name, err))
		return false;
	if (gres != NULL && gres->last_word == wanted.last_word &&
	    (gres->count != count || gres->scope != wanted.scope))
		return err_set(err, "%s is requested twice in different terms; request it once", name);
	if (gres == NULL && draft->gres_count == GRES_MAX)
		return err_set(err, "%s exceeds the maximum of %d kinds of resources", name, GRES_MAX);
	if (gres == NULL)
		gres = &draft->gres[draft->gres_count++];
	*gres = wanted;
	return true;
}

/* Adds an item of a list of generic resources, such as gpu:2; Maui's guide writes gpu@2. */
static bool add_item(struct submission *s, char *item, enum qsub_scope scope, struct err *err)
{
	char *at = strchr(item, '@');
	size_t len;
	uint32_t count;

	if (at != NULL)
		*at = ':';
	if (!config_gres_read(item, strlen(item), &len, &count, err))
		return false;
	item[len] = '\0';
	return qsub_add_gres(s, item, count, scope, err);
}

bool qsub_read_gres(struct submission *s, const char *text, enum qsub_scope scope, struct err *err)
{
	for (;; text++) {
		size_t len = strcspn(text, ",+");
		char *item = arena_take(&s->arena, len + 1);

		memcpy(item, text, len);
		item[len] = '\0';
		if (!add_item(s, item, scope, err))
			return false;
		text += len;
		if (*text == '\0')
			return true;
	}
}

/* --- nodes=2:ppn=4:fast+... --------------------------------------------------------------------------- */

/*
 * The value consists of groups separated by '+'. Each group is a number of nodes or a node name, followed by
 * ppn=, gpus= and features, separated by ':'. All tasks of a job must be equal, so the groups must be equal;
 * their numbers are added, and their names form a host list.
 */

struct group {
	int64_t nodes;    /* number of nodes; 0: the group is a named host */
	int64_t per_node; /* 0 = not given */
	int64_t gpus;
	struct str host, features;
};

static void group_free(struct group *g)
{
	str_free(&g->host);
	str_free(&g->features);
}

/* Returns the text after '=' if the name matches: "4" for "ppn=4". */
static const char *value_of(const char *word, const char *name)
{
	size_t len = strlen(name);

	return strncmp(word, name, len) == 0 && word[len] == '=' ? word + len + 1 : NULL;
}

static bool read_property(const char *word, struct group *g, struct err *err)
{
	const char *ppn = value_of(word, "ppn"), *gpus = value_of(word, "gpus");

	if (ppn != NULL)
		return qsub_read_count(ppn, &g->per_node, err) || err_prefix(err, "ppn");
	if (strcmp(word, "shared") == 0 || strcmp(word, "exclusive_process") == 0 ||
	    strcmp(word, "default") == 0 || strcmp(word, "exclusive_thread") == 0 ||
	    strcmp(word, "reseterr") == 0)
		return true; /* GPU modes have no effect: the administrator of the host sets them */
	if (gpus != NULL)
		return qsub_read_count(gpus, &g->gpus, err) || err_prefix(err, "gpus");
	if (word[0] == '\0' || strchr(word, '=') != NULL)
		return err_set(err, "\"%s\" is neither ppn=, gpus= nor a feature", word);
	if (strchr(word, '|') != NULL)
		return err_set(err,
			       "\"%s\": alternative features are not supported; list the features that the "
			       "job needs",
			       word);
	if (g->features.len > 0)
		str_add_char(&g->features, ' ');
	str_add(&g->features, word);
	return true;
}

/* Parses the beginning of a group: a number of nodes, or a host name. */
static bool read_head(const char *word, struct group *g, struct err *err)
{
	if (word[0] == '\0')
		return err_set(err, "the number of nodes is missing; write nodes=2:ppn=4 or nodes=n01+n02");
	if (word[strspn(word, "0123456789")] == '\0')
		return qsub_read_count(word, &g->nodes, err);
	str_add(&g->host, word);
	return true;
}

/* Parses one group. Modifies text. */
static bool read_group(char *text, struct group *g, struct err *err)
{
	char *rest = strchr(text, ':');

	if (rest != NULL)
		*rest++ = '\0';
	if (!read_head(text, g, err))
		return false;
	while (rest != NULL) {
		char *word = rest;

		rest = strchr(word, ':');
		if (rest != NULL)
			*rest++ = '\0';
		if (!read_property(word, g, err))
			return false;
	}
	return true;
}

/* Adds group g to *all. Returns false with a message unless both request the same on each node. */
static bool join_group(struct group *all, const struct group *g, struct err *err)
{
	if ((all->nodes == 0) != (g->nodes == 0))
		return err_set(err, "named hosts and a number of other nodes cannot be combined");
	if (all->per_node != g->per_node || all->gpus != g->gpus ||
	    strcmp(str_text(&all->features), str_text(&g->features)) != 0)
		return err_set(err, "the node groups differ; all tasks of a job must be equal: submit two "
				    "jobs, or request the same on each node");
	all->nodes += g->nodes;
	if (g->nodes == 0) {
		str_add_char(&all->host, ' ');
		str_add(&all->host, str_text(&g->host));
	}
	return true;
}

/* Parses all groups into *all. Modifies text. */
static bool read_groups(char *text, struct group *all, struct err *err)
{
	char *rest = text;

	for (bool first = true; rest != NULL; first = false) {
		struct group g = {.nodes = 0};
		char *word = rest;
		bool good;

		rest = strchr(word, '+');
		if (rest != NULL)
			*rest++ = '\0';
		good = read_group(word, first ? all : &g, err) && (first || join_group(all, &g, err));
		group_free(&g);
		if (!good)
			return false;
	}
	return all->nodes <= INT32_MAX || err_set(err, "too many nodes; the maximum is %d", INT32_MAX);
}

static bool apply(struct submission *s, const struct group *all, struct err *err)
{
	struct qsub_shape *shape = qsub_shape(s);
	int64_t nodes = all->nodes;
	uint32_t hosts = 0;

	if (nodes == 0 && !qsub_read_names(s, str_text(&all->host), " ", &shape->hosts, &hosts, err))
		return false;
	if (all->features.len > 0 &&
	    !qsub_read_names(s, str_text(&all->features), " ", &shape->features, NULL, err))
		return false;
	if (!qsub_set_shape(&shape->nodes, nodes == 0 ? hosts : nodes, "nodes", err))
		return false;
	if (all->per_node > 0 && !qsub_set_shape(&shape->per_node, all->per_node, "ppn", err))
		return false;
	return all->gpus == 0 || qsub_add_gres(s, "gpu", (uint32_t)all->gpus, QSUB_NODE, err);
}

bool qsub_read_nodes(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	struct group all = {.nodes = 0};
	char *copy = arena_copy(&s->arena, text, strlen(text) + 1), *hash = strchr(copy, '#');
	bool good;

	if (hash != NULL) {
		*hash++ = '\0';
		if (strcmp(hash, "excl") == 0)
			s->draft.access = ACCESS_SINGLEJOB;
		else if (strcmp(hash, "shared") != 0)
			return err_set(err, "unknown \"#%.40s\"; write #excl or #shared", hash);
	}
	good = read_groups(copy, &all, err) && apply(s, &all, err);

	(void)by;
	group_free(&all);
	return good;
}

/* --- PBS Pro's chunks: -l select=2:ncpus=4:mem=8gb:ngpus=1 and -l place=scatter ----------------------- */

/*
 * A chunk becomes a task, so it is on one node. Chunks that differ are an error, because all tasks of a job
 * must be equal. mpiprocs only affects the environment variables; ompthreads has no effect.
 */

struct chunk {
	int64_t count, procs, mb, gpus, mpi;
	const char *host;
	struct str features;
};

static bool is_true(const char *text)
{
	return str_same_word(text, "true") || str_same_word(text, "t") || str_same_word(text, "yes") ||
	       str_same_word(text, "y") || strcmp(text, "1") == 0;
}

/* Parses one NAME=VALUE of a chunk. */
static bool read_part(struct submission *s, const char *name, const char *value, struct chunk *out,
		      struct err *err)
{
	static const char *const known[] = {"ncpus", "mpiprocs", "ngpus",     "mem",
					    "host",  "vnode",    "ompthreads"};

	if (str_same_word(name, "ncpus"))
		return qsub_read_count(value, &out->procs, err);
	if (str_same_word(name, "mpiprocs"))
		return qsub_read_count(value, &out->mpi, err);
	if (str_same_word(name, "ngpus"))
		return strcmp(value, "0") == 0 || qsub_read_count(value, &out->gpus, err);
	if (str_same_word(name, "mem") || str_same_word(name, "pmem"))
		return memory_parse(value, &out->mb, err);
	if (str_same_word(name, "host") || str_same_word(name, "vnode"))
		return qsub_read_name(s, value, &out->host, err);
	if (str_same_word(name, "ompthreads") || str_same_word(name, "vmem") || str_same_word(name, "arch") ||
	    str_same_word(name, "accelerator")) {
		qsub_ignore(s, "select ", name);
		return true;
	}
	if (is_true(value)) {
		str_addf(&out->features, "%s%s", out->features.len > 0 ? " " : "", name);
		return true;
	}
	/* Site-specific resources are ignored, unless the name is similar to a known one. */
	if (str_nearest(name, known, sizeof known / sizeof known[0]) == NULL) {
		qsub_ignore(s, "select ", name);
		return true;
	}
	return err_set(err,
		       "unknown chunk resource \"%.40s=%.40s\"; resources are ncpus, mem, ngpus, mpiprocs, "
		       "host and FEATURE=true",
		       name, value);
}

/* Parses one chunk. Modifies text. */
static bool read_chunk(struct submission *s, char *text, struct chunk *out, struct err *err)
{
	char *rest = strchr(text, ':');

	*out = (struct chunk){.count = 1, .procs = 1};
	if (rest != NULL)
		*rest++ = '\0';
	if (strchr(text, '=') != NULL) { /* the number of chunks is omitted */
		if (rest != NULL)
			rest[-1] = ':';
		rest = text;
	} else if (!qsub_read_count(text, &out->count, err)) {
		return false;
	}
	while (rest != NULL) {
		char *word = rest, *value = strchr(word, '=');

		rest = strchr(word, ':');
		if (rest != NULL)
			*rest++ = '\0';
		if (value == NULL || (rest != NULL && value > rest))
			return err_set(err, "\"%.60s\" is not NAME=VALUE", word);
		*value++ = '\0';
		if (!read_part(s, word, value, out, err))
			return false;
	}
	return true;
}

static bool is_same(const struct chunk *a, const struct chunk *b)
{
	return a->procs == b->procs && a->mb == b->mb && a->gpus == b->gpus && a->mpi == b->mpi &&
	       a->host == NULL && b->host == NULL &&
	       strcmp(str_text(&a->features), str_text(&b->features)) == 0;
}

static bool select_apply(struct submission *s, const struct chunk *chunk, struct err *err)
{
	struct qsub_shape *shape = qsub_shape(s);

	if (chunk->count > INT32_MAX)
		return err_set(err, "too many chunks; the maximum is %d", INT32_MAX);
	if (!qsub_set_shape(&shape->tasks, chunk->count, "chunks", err) ||
	    !qsub_set_shape(&shape->task_procs, chunk->procs, "processors of a chunk", err))
		return false;
	if (chunk->mb > 0)
		qsub_memory(s, &s->draft.memory)->mb[QSUB_TASK] = chunk->mb;
	if (chunk->host != NULL)
		shape->hosts = chunk->host;
	if (chunk->features.len > 0 &&
	    !qsub_read_names(s, str_text(&chunk->features), " ", &shape->features, NULL, err))
		return false;
	s->draft.processes = chunk->mpi > 0 && chunk->procs % chunk->mpi == 0 ? chunk->count * chunk->mpi : 0;
	return chunk->gpus == 0 || qsub_add_gres(s, "gpu", (uint32_t)chunk->gpus, QSUB_TASK, err);
}

bool qsub_read_select(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	struct chunk all = {.count = 0}, next = {.count = 0};
	char *rest = arena_copy(&s->arena, text, strlen(text) + 1);
	bool good = true;

	(void)by;
	for (bool first = true; good && rest != NULL; first = false) {
		char *word = rest;

		rest = strchr(word, '+');
		if (rest != NULL)
			*rest++ = '\0';
		good = read_chunk(s, word, first ? &all : &next, err);
		if (good && !first && !is_same(&all, &next))
			good = err_set(err, "the chunks differ; all tasks of a job must be equal: submit two "
					    "jobs, or request the same in each chunk");
		if (!first)
			all.count += next.count;
		str_free(&next.features);
	}
	good = good && select_apply(s, &all, err);
	str_free(&all.features);
	return good;
}

bool qsub_read_place(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	for (const char *at = text; *at != '\0';) {
		size_t len = strcspn(at, ":");
		char *word = arena_copy(&s->arena, at, len + 1);

		word[len] = '\0';
		at += len + (at[len] == ':');
		if (str_same_word(word, "excl") || str_same_word(word, "exclhost"))
			s->draft.access = ACCESS_SINGLEJOB;
		else if (str_same_word(word, "pack"))
			s->draft.place = QSUB_PLACE_PACK;
		else if (str_same_word(word, "scatter") || str_same_word(word, "vscatter"))
			s->draft.place = QSUB_PLACE_SCATTER;
		else if (strncmp(word, "group=", 6) == 0)
			qsub_ignore(s, "place ", "group");
		else if (!str_same_word(word, "free") && !str_same_word(word, "shared"))
			return err_set(err,
				       "unknown placement \"%.40s\"; write free, pack, scatter, excl, "
				       "exclhost or shared",
				       word);
	}
	return true;
}

/* --- -l and -W x= ------------------------------------------------------------------------------------- */

#define BETWEEN ",+:&" /* separators of names */

/* --- amounts --------------------------------------------------------------------------------------- */

static bool read_procs(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	int64_t number;

	(void)by;
	return qsub_read_count(text, &number, err) &&
	       qsub_set_shape(&qsub_shape(s)->tasks, number, "processors", err);
}

static bool read_ncpus(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	int64_t number;

	(void)by;
	return qsub_read_count(text, &number, err) &&
	       qsub_set_shape(&qsub_shape(s)->per_node, number, "processors of a node", err);
}

static bool read_tpn(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return qsub_read_count(text, &s->draft.tasks_per_node, err);
}

static bool read_memory(struct submission *s, struct qsub_memory *memory, enum qsub_scope scope,
			const char *text, struct err *err)
{
	int64_t mb;

	if (!memory_parse(text, &mb, err))
		return false;
	qsub_memory(s, memory)->mb[scope] = mb;
	return true;
}

static bool read_mem(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return read_memory(s, &s->draft.memory, QSUB_JOB, text, err);
}

static bool read_pmem(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return read_memory(s, &s->draft.memory, QSUB_TASK, text, err);
}

static bool read_vmem(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return read_memory(s, &s->draft.swap, QSUB_JOB, text, err);
}

static bool read_pvmem(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return read_memory(s, &s->draft.swap, QSUB_TASK, text, err);
}

static bool read_gpus(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return qsub_read_gpus(s, text, QSUB_NODE, err);
}

static bool read_gres(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return qsub_read_gres(s, text, QSUB_TASK, err);
}

static bool read_software(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return qsub_read_gres(s, text, QSUB_JOB, err);
}

/* --- names and choices ------------------------------------------------------------------------------ */

static bool refuse_choice(const char *text, struct err *err)
{
	return strpbrk(text, "|[]()*") == NULL ||
	       err_set(err,
		       "\"%s\": alternative features are not supported; list the features that the job "
		       "needs, as in fast+tape",
		       text);
}

static bool read_features(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return refuse_choice(text, err) && qsub_read_names(s, text, BETWEEN, &s->draft.features, NULL, err);
}

static bool read_prefer(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return refuse_choice(text, err) && qsub_read_names(s, text, BETWEEN, &s->draft.prefer, NULL, err);
}

static bool read_hosts(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return qsub_read_names(s, text, BETWEEN, &s->draft.hosts, NULL, err);
}

static bool read_partition(struct submission *s, const struct submitter *by, const char *text,
			   struct err *err)
{
	(void)by;
	return qsub_read_name(s, text, &s->draft.partition, err);
}

/* Parses the name of a choice. The valid names are those of the configuration option `row`. */
static bool read_choice(const char *row, const char *text, int64_t *out, struct err *err)
{
	struct option_value value;

	if (!option_read(option_find(config_rows, config_row_count, "", row), text, &value, err))
		return false;
	*out = value.whole;
	return true;
}

static bool read_access(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	int64_t choice;

	(void)by;
	if (!read_choice("nodeaccesspolicy", text, &choice, err))
		return false;
	s->draft.access = (uint8_t)choice;
	return true;
}

static bool read_allocation(struct submission *s, const struct submitter *by, const char *text,
			    struct err *err)
{
	int64_t choice;

	(void)by;
	if (!read_choice("nodeallocationpolicy", text, &choice, err))
		return false;
	s->draft.allocation = (uint8_t)(choice + 1);
	return true;
}

static bool read_flags(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	if (!str_same_word(text, "restartable"))
		return err_set(err, "unknown job flag \"%s\"; the only flag is RESTARTABLE", text);
	s->launch.flags |= LAUNCH_REQUEUE;
	return true;
}

/* --- refused resources -------------------------------------------------------------------------------- */

static bool refuse_reservation(struct submission *s, const struct submitter *by, const char *text,
			       struct err *err)
{
	(void)s;
	(void)by;
	return err_set(err, "binding to reservation \"%s\" is not supported; remove the request", text);
}

static bool refuse_node_set(struct submission *s, const struct submitter *by, const char *text,
			    struct err *err)
{
	(void)s;
	(void)by;
	return err_set(err, "node sets (\"%s\") are not supported; request a feature of the nodes", text);
}

static bool refuse_sizes(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)s;
	(void)by;
	return err_set(err, "alternative sizes (\"%s\") are not supported; request one size", text);
}

static bool refuse_at_once(struct submission *s, const struct submitter *by, const char *text,
			   struct err *err)
{
	(void)s;
	(void)by;
	return str_same_word(text, "true") ||
	       err_set(err, "only TRUE is supported, because a job that cannot start now waits in the queue; "
			    "'kahu windows' shows what is free now");
}

static bool refuse_prologue(struct submission *s, const struct submitter *by, const char *text,
			    struct err *err)
{
	(void)s;
	(void)by;
	return err_set(
		err,
		"\"%.60s\": job prologues and epilogues are not supported; call the program in the script",
		text);
}

/* --- the table ----------------------------------------------------------------------------------------- */

static const struct qsub_row resources[] = {
	{"nodes", '\0', "N[:ppn=N][:gpus=N][:FEATURE]... or HOST+HOST",
	 "nodes, with processors, GPUs and features of each", qsub_read_nodes},
	{"procs", '\0', "N", "processors on any nodes", read_procs},
	{"ncpus", '\0', "N", "processors on one node", read_ncpus},
	{"ppn", '\0', "N", "same as ncpus", read_ncpus},
	{"mppwidth", '\0', "N", "same as procs", read_procs},
	{"size", '\0', "N", "same as procs", read_procs},
	{"mppnppn", '\0', "N", "same as ncpus", read_ncpus},
	{"tpn", '\0', "N", "tasks per node: N or a multiple of N", read_tpn},
	{"walltime", '\0', "DURATION", "wallclock limit", qsub_read_walltime},
	{"mem", '\0', "SIZE", "memory for the whole job", read_mem},
	{"pmem", '\0', "SIZE", "memory per task", read_pmem},
	{"dmem", '\0', "SIZE", "same as pmem", read_pmem},
	{"vmem", '\0', "SIZE", "virtual memory for the whole job", read_vmem},
	{"pvmem", '\0', "SIZE", "virtual memory per task", read_pvmem},
	{"gpus", '\0', "N", "GPUs per node", read_gpus},
	{"gres", '\0', "NAME[:N][,...]", "generic resources per task", read_gres},
	{"software", '\0', "NAME[:N][,...]", "licenses for the whole job", read_software},
	{"feature", '\0', "NAME[+NAME]...", "required node features", read_features},
	{"features", '\0', "NAME[+NAME]...", "same as feature", read_features},
	{"pref", '\0', "NAME[+NAME]...", "preferred node features", read_prefer},
	{"hostlist", '\0', "NODE[+NODE]...", "nodes that the job may run on", read_hosts},
	{"partition", '\0', "NAME", "run the job in this partition", read_partition},
	{"qos", '\0', "NAME", "quality of service (QOS) of the job", qsub_read_qos},
	{"naccesspolicy", '\0', "POLICY", "node access policy: which jobs may share the nodes", read_access},
	{"nallocpolicy", '\0', "POLICY", "node allocation policy: how nodes are selected", read_allocation},
	{"flags", '\0', "RESTARTABLE", "same as -r y", read_flags},
	{"select", '\0', "N:ncpus=N[:mem=SIZE][:ngpus=N]...", "N equal chunks, each on one node",
	 qsub_read_select},
	{"place", '\0', "free|pack|scatter[:excl|:shared]", "placement of the chunks", qsub_read_place},
	{"ngpus", '\0', "N", "same as gpus", read_gpus},
	{"host", '\0', "NODE", "same as hostlist", read_hosts},
	{"cput", '\0', "DURATION", "not used: CPU time is not limited", NULL},
	{"pcput", '\0', "DURATION", "same as cput", NULL},
	{"file", '\0', "SIZE", NULL, NULL},
	{"nice", '\0', "N", NULL, NULL},
	{"arch", '\0', "NAME", NULL, NULL},
	{"container", '\0', "X", NULL, NULL},
	{"deadline", '\0', "X", NULL, NULL},
	{"filesystems", '\0', "X", NULL, NULL},
	{"jobfs", '\0', "SIZE", NULL, NULL},
	{"minwclimit", '\0', "X", NULL, NULL},
	{"mppmem", '\0', "SIZE", NULL, NULL},
	{"neednodes", '\0', "X", NULL, NULL},
	{"nodect", '\0', "N", NULL, NULL},
	{"signal", '\0', "X", NULL, NULL},
	{"singularity", '\0', "X", NULL, NULL},
	{"storage", '\0', "X", NULL, NULL},
	{"taskdistpolicy", '\0', "X", NULL, NULL},
	{"ttc", '\0', "X", NULL, NULL},
	{"opsys", '\0', "NAME", NULL, NULL},
	{"ompthreads", '\0', "N", "not used: see OMP_NUM_THREADS", NULL},
	{"mpiprocs", '\0', "N", "not used outside select", NULL},
	{"queuejob", '\0', "TRUE", "accepted: a job that cannot start waits in the queue", refuse_at_once},
};

static const struct qsub_table resource_table = {resources, sizeof resources / sizeof resources[0]};

static const struct qsub_row refusals[] = {
	{"advres", '\0', NULL, NULL, refuse_reservation}, {"nodeset", '\0', NULL, NULL, refuse_node_set},
	{"trl", '\0', NULL, NULL, refuse_sizes},          {"prologue", '\0', NULL, NULL, refuse_prologue},
	{"epilogue", '\0', NULL, NULL, refuse_prologue},
};

static const struct qsub_table refusal_table = {refusals, sizeof refusals / sizeof refusals[0]};

void qsub_list_resources(struct str *out)
{
	for (size_t i = 0; i < resource_table.count; i++) {
		const struct qsub_row *row = &resources[i];

		if (row->help != NULL)
			str_addf(out, "  -l %s=%s\n        %s\n", row->name, row->takes, row->help);
	}
	qsub_list_unused(&resource_table, "-l ", out);
}

static bool no_such_resource(const char *name, struct err *err)
{
	return err_set(err, "%.40s is not a resource; 'kahu submit --help' lists resources", name);
}

static bool read_resource(struct submission *s, const struct submitter *by, const struct qsub_pair *pair,
			  struct err *err)
{
	const struct qsub_row *row = qsub_find(&resource_table, pair->name, strlen(pair->name));

	if (row == NULL)
		row = qsub_find(&refusal_table, pair->name, strlen(pair->name));
	if (row == NULL)
		return no_such_resource(pair->name, err);
	return qsub_read_row(s, by, row, row->read == NULL ? "-l " : "", pair->value, err);
}

bool qsub_read_resources(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	struct qsub_pair pair = {.name = ""};
	struct err bad = {""};

	if (text[0] == '\0')
		return err_set(err, "the value is empty");
	/* "wd" (used at NCI) requests the submission directory, in which jobs run anyway. */
	if (strcmp(text, "wd") == 0)
		return true;
	if (strncmp(text, "wd,", 3) == 0)
		text += 3;
	while (qsub_next_pair(s, &text, &pair, &bad))
		if (!read_resource(s, by, &pair, err))
			return false;
	return bad.text[0] == '\0' || err_set(err, "%s", bad.text);
}

/* Parses one NAME:VALUE. Modifies text. */
static bool read_extension(struct submission *s, const struct submitter *by, char *text, struct err *err)
{
	size_t len = strcspn(text, ":=");
	struct qsub_pair pair = {.name = text, .value = text + len + 1};

	if (text[len] == '\0')
		return err_set(err, "\"%s\" is not a job extension; write NAME:VALUE;NAME:VALUE", text);
	text[len] = '\0';
	return read_resource(s, by, &pair, err);
}

bool qsub_read_extensions(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	char *rest = arena_copy(&s->arena, text, strlen(text) + 1);

	do {
		char *word = rest;

		rest += strcspn(rest, ";");
		if (*rest == ';')
			*rest++ = '\0';
		if (!read_extension(s, by, word, err))
			return false;
	} while (*rest != '\0');
	return true;
}
