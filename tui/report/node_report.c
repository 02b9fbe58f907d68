/* SPDX-License-Identifier: MIT */
/*
 * node_report.c - node reports, as a table and in detail
 */
#include "node_report.h"

#include <inttypes.h>

#include "report.h"
#include "sched/placement/placement.h"

/* --- node reports, as a table and in detail ----------------------------------------------------------- */

const char *node_state(const struct node *node)
{
	if (node->drained)
		return node->jobs == 0 ? "Drained" : "Draining";
	if (node->jobs == 0)
		return "Idle";
	return node_procs_free(node) > 0 && node->held_whole == 0 ? "Running" : "Busy";
}

const char *node_access(const struct node *node)
{
	static const char *const names[] = {
		[ACCESS_UNSET] = NULL,
		[ACCESS_SHARED] = "SHARED",
		[ACCESS_SINGLEUSER] = "SINGLEUSER",
		[ACCESS_SINGLEJOB] = "SINGLEJOB",
		[ACCESS_SINGLETASK] = "SINGLETASK",
	};

	return names[node->access];
}

double node_active_percent(const struct node_report *v, const struct node *node)
{
	int64_t now_s = v->env->now_s, all_s = now_s - v->s->stats_since_s, active_s = node->active_s;

	if (node->active_from_s != TIME_NONE)
		active_s += now_s - node->active_from_s;
	return all_s > 0 ? 100 * (double)active_s / (double)all_s : 0;
}

void node_each_job(const struct node_report *v, uint32_t node,
		   void (*each)(void *self, const struct job *job, uint32_t procs), void *self)
{
	const struct alloc_run *runs = snapshot_runs(v->s);

	for (uint32_t i = 0; i < snapshot_count(v->s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(v->s)[snapshot_running(v->s)[i]];

		for (uint32_t at = job->run; at != INDEX_NONE; at = runs[at].next)
			if (node >= runs[at].node && node < runs[at].node + runs[at].nodes)
				each(self, job, runs[at].procs);
	}
}

double node_priority(const struct node_report *v, uint32_t node)
{
	return placement_node_priority(v->placement, node, INDEX_NONE);
}

/* Appends the free and the configured amount, "6:8"; "-" if the configured amount is unknown. */
static void add_amount(struct str *out, int64_t configured, int64_t busy)
{
	if (configured == 0)
		str_add_char(out, '-');
	else
		str_addf(out, "%" PRId64 ":%" PRId64, configured - busy, configured);
}

static void amount_cell(struct report *r, int64_t configured, int64_t busy)
{
	struct str text = {0};

	add_amount(&text, configured, busy);
	report_cell(r, str_text(&text));
	str_free(&text);
}

static void names_cell(struct report *r, const struct node_report *v, enum trait_kind kind, uint64_t bits,
		       const char *none)
{
	struct str names = {0};

	snapshot_trait_names(v->s, kind, bits, &names);
	report_cell(r, names.len > 0 ? str_text(&names) : none);
	str_free(&names);
}

/* --- fields ------------------------------------------------------------------------------------------- */

/* A resource of a node. */
struct amount {
	const char *name; /* name of a generic resource; else NULL */
	int64_t configured, busy;
};

static bool get_free(const void *item, struct value *out)
{
	const struct amount *a = item;

	out->whole = a->configured - a->busy;
	return true;
}

static const struct field amount_fields[] = {
	{"name", NULL, FIELD_TEXT, FIELD_AT(struct amount, name), .optional = true},
	{"free", NULL, FIELD_COUNT, .get = get_free},
	{"configured", NULL, FIELD_COUNT, FIELD_AT(struct amount, configured)},
	{0},
};

static struct amount amount_of(const struct node *node, const char *key)
{
	if (strcmp(key, "procs") == 0)
		return (struct amount){.configured = node->procs, .busy = node->procs_busy};
	if (strcmp(key, "mem_mb") == 0)
		return (struct amount){.configured = node->mem_mb, .busy = node->mem_busy_mb};
	if (strcmp(key, "swap_mb") == 0)
		return (struct amount){.configured = node->swap_mb, .busy = node->swap_busy_mb};
	return (struct amount){.configured = node->disk_mb, .busy = node->disk_busy_mb};
}

/* The amount is stored in out->made, because it must remain valid after the getter has returned. */
static bool get_amount(const void *item, const char *key, struct value *out)
{
	const struct node_item *n = item;
	const struct amount amount = amount_of(n->node, key);

	str_add_bytes(&out->made, &amount, sizeof amount);
	out->item = out->made.data;
	return true;
}

static enum role cell_amount(const void *item, const char *key, struct str *out)
{
	const struct node_item *n = item;
	const struct amount amount = amount_of(n->node, key);

	add_amount(out, amount.configured, amount.busy);
	return ROLE_TEXT;
}

static enum role cell_procs(const void *item, struct str *out)
{
	return cell_amount(item, "procs", out);
}

static enum role cell_memory(const void *item, struct str *out)
{
	return cell_amount(item, "mem_mb", out);
}

static enum role cell_disk(const void *item, struct str *out)
{
	return cell_amount(item, "disk_mb", out);
}

static enum role cell_swap(const void *item, struct str *out)
{
	return cell_amount(item, "swap_mb", out);
}

static bool get_name(const void *item, struct value *out)
{
	const struct node_item *n = item;

	out->text = snapshot_string(n->v->s, n->node->name);
	return true;
}

static bool get_state(const void *item, struct value *out)
{
	out->text = node_state(((const struct node_item *)item)->node);
	return true;
}

static bool get_partition(const void *item, struct value *out)
{
	const struct node_item *n = item;

	out->text = snapshot_string(n->v->s, snapshot_partitions(n->v->s)[n->node->partition].name);
	return true;
}

static void each_gres(const void *item, field_visit *visit, void *self)
{
	const struct node_item *n = item;
	const struct trait *trait = snapshot_traits(n->v->s);

	for (uint32_t i = 0; i < snapshot_count(n->v->s, TABLE_TRAITS); i++) {
		unsigned bit = trait[i].bit;

		if (trait[i].kind == TRAIT_GRES && n->node->gres[bit] > 0)
			visit(self, &(struct amount){snapshot_string(n->v->s, trait[i].name),
						     n->node->gres[bit], n->node->gres_busy[bit]});
	}
}

/* Appends the free and the configured amount of a generic resource: "1:2 gpu". */
static void add_gres(void *self, const void *item)
{
	const struct amount *a = item;
	struct str *out = self;

	str_addf(out, "%s%" PRId64 ":%" PRId64 " %s", out->len > 0 ? ", " : "", a->configured - a->busy,
		 a->configured, a->name);
}

static enum role cell_gres(const void *item, struct str *out)
{
	struct str text = {0};

	each_gres(item, add_gres, &text);
	str_add(out, text.len > 0 ? str_text(&text) : "-");
	str_free(&text);
	return ROLE_TEXT;
}

static bool get_features(const void *item, struct value *out)
{
	const struct node_item *n = item;

	snapshot_trait_names(n->v->s, TRAIT_FEATURE, n->node->features, &out->made);
	return value_made(out);
}

static bool get_classes(const void *item, struct value *out)
{
	const struct node_item *n = item;

	snapshot_trait_names(n->v->s, TRAIT_CLASS, n->node->classes, &out->made);
	return value_made(out);
}

static enum role cell_classes(const void *item, struct str *out)
{
	const struct node_item *n = item;
	struct str names = {0};

	snapshot_trait_names(n->v->s, TRAIT_CLASS, n->node->classes, &names);
	str_add(out, names.len > 0 ? str_text(&names) : "any");
	str_free(&names);
	return ROLE_TEXT;
}

static bool get_access(const void *item, struct value *out)
{
	out->text = node_access(((const struct node_item *)item)->node);
	return out->text != NULL;
}

static bool get_load(const void *item, struct value *out)
{
	out->real = ((const struct node_item *)item)->node->used.load;
	return out->real >= 0;
}

static bool get_procs_used(const void *item, struct value *out)
{
	out->real = ((const struct node_item *)item)->node->used.procs;
	return out->real >= 0;
}

static bool get_speed(const void *item, struct value *out)
{
	out->real = ((const struct node_item *)item)->node->speed;
	return true;
}

static bool get_procspeed(const void *item, struct value *out)
{
	out->real = ((const struct node_item *)item)->node->procspeed;
	return true;
}

static bool get_active(const void *item, struct value *out)
{
	const struct node_item *n = item;

	out->real = node_active_percent(n->v, n->node);
	return true;
}

static bool get_priority(const void *item, struct value *out)
{
	const struct node_item *n = item;

	out->real = node_priority(n->v, n->index);
	return true;
}

static bool get_job_count(const void *item, struct value *out)
{
	out->whole = ((const struct node_item *)item)->node->jobs;
	return true;
}

struct job_here {
	const char *label;
	uint32_t procs;
};

struct visiting {
	const struct snapshot *s;
	field_visit *visit;
	void *self;
};

static void visit_job(void *self, const struct job *job, uint32_t procs)
{
	const struct visiting *to = self;
	char label[JOB_LABEL_TEXT];

	to->visit(to->self, &(struct job_here){snapshot_job_label(to->s, job, label), procs});
}

static void each_job(const void *item, field_visit *visit, void *self)
{
	const struct node_item *n = item;
	struct visiting to = {n->v->s, visit, self};

	node_each_job(n->v, n->index, visit_job, &to);
}

static const struct field job_here_fields[] = {
	{"job", NULL, FIELD_TEXT, FIELD_AT(struct job_here, label)},
	{"procs", NULL, FIELD_COUNT, FIELD_AT(struct job_here, procs)},
	{0},
};

const struct field node_fields[] = {
	{"node", "NODE", FIELD_TEXT, .get = get_name},
	{"state", "STATE", FIELD_TEXT, .get = get_state},
	{"partition", "PAR", FIELD_TEXT, .get = get_partition},
	{"procs", "PROCS", FIELD_OBJECT, .get_named = get_amount, .of = amount_fields, .cell = cell_procs,
	 .align = TEXT_RIGHT},
	{"mem_mb", "MEMORY", FIELD_OBJECT, .get_named = get_amount, .of = amount_fields, .cell = cell_memory,
	 .align = TEXT_RIGHT},
	{"swap_mb", "SWAP", FIELD_OBJECT, .get_named = get_amount, .of = amount_fields, .cell = cell_swap,
	 .align = TEXT_RIGHT},
	{"disk_mb", "DISK", FIELD_OBJECT, .get_named = get_amount, .of = amount_fields, .cell = cell_disk,
	 .align = TEXT_RIGHT},
	{"gres", "GRES", FIELD_LIST, .each = each_gres, .of = amount_fields, .cell = cell_gres},
	{"speed", "SPEED", FIELD_REAL, .get = get_speed},
	{"procspeed", NULL, FIELD_REAL, .get = get_procspeed},
	{"features", "FEATURES", FIELD_TEXT, .get = get_features},
	{"classes", "CLASSES", FIELD_TEXT, .get = get_classes, .cell = cell_classes},
	{"access", NULL, FIELD_TEXT, .get = get_access},
	{"load", "LOAD", FIELD_REAL, .get = get_load},
	{"procs_used", NULL, FIELD_REAL, .get = get_procs_used},
	{"active_pct", NULL, FIELD_REAL, .get = get_active},
	{"priority", "PRIORITY", FIELD_REAL, .get = get_priority},
	{NULL, "JOBS", FIELD_COUNT, .get = get_job_count},
	{"jobs", NULL, FIELD_LIST, .each = each_job, .of = job_here_fields},
	{0},
};

struct node_item node_item_of(const struct node_report *v, uint32_t index)
{
	return (struct node_item){v, &snapshot_nodes(v->s)[index], index};
}

/* --- the table ---------------------------------------------------------------------------------------- */

struct sums {
	int64_t procs, procs_busy, mem, mem_busy, disk, disk_busy, swap, swap_busy;
	uint32_t active;
};

static void add_sums(struct sums *sums, const struct node *node)
{
	sums->procs += node->procs;
	sums->procs_busy += node->procs_busy;
	sums->mem += node->mem_mb;
	sums->mem_busy += node->mem_busy_mb;
	sums->disk += node->disk_mb;
	sums->disk_busy += node->disk_busy_mb;
	sums->swap += node->swap_mb;
	sums->swap_busy += node->swap_busy_mb;
	sums->active += node->jobs > 0;
}

static void sums_row(struct report *r, const struct sums *sums)
{
	report_cell(r, "-----");
	report_cell(r, "---");
	amount_cell(r, sums->procs, sums->procs_busy);
	amount_cell(r, sums->mem, sums->mem_busy);
	amount_cell(r, sums->disk, sums->disk_busy);
	amount_cell(r, sums->swap, sums->swap_busy);
	while (r->cells % r->columns != 0)
		report_cell(r, "");
}

void node_print_table(const struct node_report *v, struct str *out)
{
	static const struct field_column columns[] = {
		{.key = "node"},
		{.key = "state"},
		{.key = "procs"},
		{.key = "mem_mb"},
		{.key = "disk_mb", .drop = 6},
		{.key = "swap_mb", .drop = 7},
		{.key = "speed", .drop = 5},
		{.key = "partition", .drop = 9},
		{.key = "load"},
		{.key = "JOBS"},
		{.key = "priority", .drop = 4},
		{.key = "gres", .drop = 1},
		{.key = "classes", .drop = 8},
		{.key = "features", .drop = 2},
	};
	struct field_table t;
	uint32_t count = snapshot_count(v->s, TABLE_NODES);
	struct sums sums = {0};

	field_table_begin(&t, node_fields, columns, sizeof columns / sizeof columns[0]);
	t.report.width = v->env->width;
	for (uint32_t i = 0; i < count; i++) {
		const struct node_item node = node_item_of(v, i);

		field_table_add(&t, &node);
		add_sums(&sums, &snapshot_nodes(v->s)[i]);
	}
	sums_row(&t.report, &sums);
	field_table_print(&t, 0, v->env->ascii, out);
	field_table_free(&t);
	str_addf(out, "Total Nodes: %" PRIu32 "  (Active: %" PRIu32 "  Idle: %" PRIu32 ")\n", count,
		 sums.active, count - sums.active);
}

/* --- one node in detail ------------------------------------------------------------------------------- */

/* Adds a row "PROCS: 4 MEM: 2048M SWAP: 4096M DISK: 4000M"; of the last three, amounts of 0 are omitted. */
static void resources_row(struct report *r, const char *what, int64_t procs, int64_t mem, int64_t swap,
			  int64_t disk)
{
	struct str text = {0};

	str_addf(&text, "PROCS: %" PRId64, procs);
	if (mem > 0)
		str_addf(&text, "  MEM: %" PRId64 "M", mem);
	if (swap > 0)
		str_addf(&text, "  SWAP: %" PRId64 "M", swap);
	if (disk > 0)
		str_addf(&text, "  DISK: %" PRId64 "M", disk);
	report_pair(r, what, "%s", str_text(&text));
	str_free(&text);
}

static void free_gres(const struct node *node, uint32_t out[static GRES_MAX])
{
	for (int i = 0; i < GRES_MAX; i++)
		out[i] = node->gres[i] - node->gres_busy[i];
}

static void amounts_rows(struct report *r, const struct node_report *v, const struct node *node)
{
	uint32_t left[GRES_MAX];
	struct str gres = {0};

	resources_row(r, "configured", node->procs, node->mem_mb, node->swap_mb, node->disk_mb);
	resources_row(r, "dedicated", node->procs_busy, node->mem_busy_mb, node->swap_busy_mb,
		      node->disk_busy_mb);
	if (node->used.procs >= 0)
		report_pair(r, "used", "PROCS: %.2f  MEM: %" PRId64 "M", node->used.procs,
			    node->used.mem_mb > 0 ? node->used.mem_mb : 0);
	snapshot_gres_names(v->s, node->gres, &gres);
	if (gres.len > 0) {
		report_pair(r, "generic", "%s", str_text(&gres));
		str_clear(&gres);
		free_gres(node, left);
		snapshot_gres_names(v->s, left, &gres);
		report_pair(r, "generic free", "%s", gres.len > 0 ? str_text(&gres) : "none");
	}
	str_free(&gres);
}

static void place_rows(struct report *r, const struct node_report *v, const struct node *node)
{
	report_pair(r, "partition", "%s",
		    snapshot_string(v->s, snapshot_partitions(v->s)[node->partition].name));
	report_pair(r, "speed", "%.2f", node->speed);
	if (node->procspeed > 0)
		report_pair(r, "procspeed", "%g", node->procspeed);
	if (node->used.load >= 0)
		report_pair(r, "load", "%.3f", node->used.load);
	if (node_access(node))
		report_pair(r, "access", "%s", node_access(node));
	if (node->rack > 0 || node->index > 0)
		report_pair(r, "place", "rack %" PRIu32 ", index %" PRIu32, node->rack, node->index);
	report_cell(r, "features");
	names_cell(r, v, TRAIT_FEATURE, node->features, "none");
	report_cell(r, "classes");
	names_cell(r, v, TRAIT_CLASS, node->classes, "any");
}

static void list_job(void *self, const void *item)
{
	const struct job_here *job = item;
	struct str *out = self;

	str_addf(out, "%s%s*%" PRIu32, out->len > 0 ? " " : "", job->label, job->procs);
}

void node_print(const struct node_report *v, uint32_t i, struct str *out)
{
	static const struct report_column columns[] = {{"", TEXT_LEFT}, {"", TEXT_LEFT}};
	struct report r = {.column = columns, .columns = 2, .no_titles = true};
	const struct node *node = &snapshot_nodes(v->s)[i];
	uint32_t function = node->priorityf ? node->priorityf : v->s->priorityf;
	struct str jobs = {0};
	const struct node_item item = node_item_of(v, i);

	report_pair(&r, "node", "%s", snapshot_string(v->s, node->name));
	report_pair(&r, "state", "%s", node_state(node));
	if (node->said != 0)
		report_pair(&r, "manager says", "%s", snapshot_string(v->s, node->said));
	amounts_rows(&r, v, node);
	place_rows(&r, v, node);
	report_pair(&r, "active", "%.2f%% of the time", node_active_percent(v, node));
	report_pair(&r, "priority", "%.2f%s%s", node_priority(v, i), function ? " = " : "",
		    snapshot_string(v->s, function));
	each_job(&item, list_job, &jobs);
	report_pair(&r, "jobs", "%s", jobs.len > 0 ? str_text(&jobs) : "none");
	report_print(&r, 0, v->env->ascii, out);
	report_free(&r);
	str_free(&jobs);
}
