/* SPDX-License-Identifier: MIT */
/*
 * nodealloc.c - node allocation policies
 *
 * A policy sorts the candidates or selects a part of them; the tasks are then distributed over them in order.
 */
#include "nodealloc.h"

#include <stdlib.h>

#include "sched/base/rng.h"
#include "sched/base/vec.h"

/* A part of the candidates; empty if no part suffices for the job. */
struct alloc_part {
	struct alloc_candidate *item;
	size_t count;
};

/* Returns the number of tasks that must be on the same node. */
static inline uint32_t alloc_unit(const struct job *job)
{
	return job->tasks_per_node > 1 ? job->tasks_per_node : 1;
}

/*
 * Returns the exact number of nodes that the job gets; 0 = any number. It is lower than the requested number
 * if some nodes would get no task.
 */
static inline uint32_t alloc_nodes(const struct job *job)
{
	uint32_t units = job->tasks / alloc_unit(job);

	return job->nodes < units ? job->nodes : units;
}

/* Returns the speed that the policies compare. */
static inline double alloc_speed(const struct alloc_input *input, const struct alloc_candidate *c)
{
	const struct node *node = &input->node[c->node];

	return input->speeds == SPEEDS_PROCS ? node->procspeed : node->speed;
}

/* --- policies that sort by one key ---------------------------------------------------------------------- */

/*
 * Each policy determines the key of a candidate, whether larger or smaller keys come first, and how ties are
 * broken. CPULOAD cannot be expressed as an order of keys: it forms groups, see sort_cpuload.
 */

#define LOAD_TOLERANCE 0.1 /* CPULOAD: difference in processors without load that counts as a tie */

static int compare_real(double a, double b)
{
	return a < b ? -1 : a > b;
}

static int by_index(const void *a, const void *b)
{
	const struct alloc_candidate *x = a, *y = b;

	return x->node < y->node ? -1 : x->node > y->node;
}

static int by_index_down(const void *a, const void *b)
{
	return by_index(b, a);
}

static int by_gap(const void *a, const void *b)
{
	const struct alloc_candidate *x = a, *y = b;

	if (x->until_s != y->until_s)
		return x->until_s < y->until_s ? -1 : 1;
	return by_index_down(a, b);
}

static int by_value(const void *a, const void *b)
{
	const struct alloc_candidate *x = a, *y = b;
	int c = compare_real(y->value, x->value);

	return c != 0 ? c : by_index(a, b);
}

/* Sorts only if necessary, because candidates are often sorted already. */
static void sort(struct alloc_part all, int (*compare)(const void *, const void *))
{
	size_t i = 1;

	while (i < all.count && compare(&all.item[i - 1], &all.item[i]) < 0)
		i++;
	if (i < all.count)
		qsort(all.item, all.count, sizeof *all.item, compare);
}

/*
 * Reverses the candidates first: they arrive by ascending index, but nodes without a later claim must be in
 * descending order.
 */
static void sort_by_gap(struct alloc_part all)
{
	for (size_t i = 0; i < all.count / 2; i++) {
		struct alloc_candidate one = all.item[i];

		all.item[i] = all.item[all.count - 1 - i];
		all.item[all.count - 1 - i] = one;
	}
	sort(all, by_gap);
}

/*
 * Sorts by speed; if all speeds are equal, by a pseudorandom number that depends on the job's ID and the
 * node's index.
 */
static void sort_fastest(const struct alloc_input *input, struct alloc_part all)
{
	for (size_t i = 0; i < all.count; i++) {
		struct alloc_candidate *c = &all.item[i];
		struct rng rng;

		c->value = alloc_speed(input, c);
		if (input->speeds != SPEEDS_EQUAL)
			continue;
		rng_seed_at(&rng, input->job->id, c->node);
		c->value = rng_unit(&rng);
	}
	sort(all, by_value);
}

/*
 * Groups the candidates by load: first those within LOAD_TOLERANCE of the best candidate, then those within
 * LOAD_TOLERANCE of the best remaining candidate, and so on. Within a group, the highest node index comes
 * first.
 */
static void sort_cpuload(struct alloc_part all)
{
	size_t done = 0;

	sort(all, by_value);
	while (done < all.count) {
		double best = all.item[done].value;
		size_t end = done + 1;

		while (end < all.count && all.item[end].value > best - LOAD_TOLERANCE)
			end++;
		sort((struct alloc_part){all.item + done, end - done}, by_index_down);
		done = end;
	}
}

/* --- distributing tasks over nodes in order ------------------------------------------------------------- */

/*
 * Tasks are distributed in units: the tasks that must be on the same node. Each node, in order, gets as many
 * units as fit or, if the job requests a number of nodes, its share. The policies also use this to test
 * whether a part of the candidates suffices.
 */

/* Puts as many tasks on each node as fit, in whole units; returns the number of tasks that remain. */
static uint32_t distribute_on_any(struct alloc_part part, uint32_t tasks, uint32_t unit)
{
	for (size_t i = 0; i < part.count; i++) {
		struct alloc_candidate *c = &part.item[i];
		uint32_t fits = c->tasks < tasks ? c->tasks : tasks;

		c->give = fits - fits % unit;
		tasks -= c->give;
	}
	return tasks;
}

/*
 * The shares into which the units of a job are divided: each node gets a small share, or a large one of one
 * unit more.
 */
struct shares {
	uint32_t units;        /* number of units in a small share */
	uint32_t small, large; /* number of nodes with a small, or a large, share */
};

static struct shares shares_of(const struct job *job)
{
	uint32_t units = job->tasks / alloc_unit(job), nodes = alloc_nodes(job);

	return (struct shares){units / nodes, nodes - units % nodes, units % nodes};
}

/* Gives a share to as many nodes as the job requests. Returns false if there are too few nodes for this. */
static bool distribute_on_nodes(struct alloc_part part, struct shares left, uint32_t unit)
{
	for (size_t i = 0; i < part.count; i++) {
		struct alloc_candidate *c = &part.item[i];
		uint32_t fits = c->tasks / unit;

		c->give = 0;
		if (left.large > 0 && fits > left.units) {
			c->give = (left.units + 1) * unit;
			left.large--;
		} else if (left.small > 0 && fits >= left.units) {
			c->give = left.units * unit;
			left.small--;
		}
	}
	return left.small + left.large == 0;
}

/* Distributes the job's tasks over a part of the candidates (.give). Returns true if all tasks fit. */
static bool distribute(const struct alloc_input *input, struct alloc_part part)
{
	uint32_t unit = alloc_unit(input->job), tasks = input->job->tasks;

	if (tasks % unit != 0)
		return false;
	if (alloc_nodes(input->job) == 0)
		return distribute_on_any(part, tasks, unit) == 0;
	return distribute_on_nodes(part, shares_of(input->job), unit);
}

/*
 * Returns the largest number of tasks that fit on the requested number of nodes, with the largest nodes taken
 * first.
 */
static uint32_t most_on_nodes(struct alloc_part all, struct shares left, uint32_t unit)
{
	uint32_t large = 0, small = 0, less = 0, most;

	for (size_t i = 0; i < all.count; i++) {
		uint32_t fits = all.item[i].tasks / unit;

		large += fits > left.units;
		small += fits == left.units;
		if (fits < left.units && fits > less)
			less = fits;
	}
	small += large > left.large ? large - left.large : 0;
	large = large < left.large ? large : left.large;
	most = large * (left.units + 1) + (small < left.small ? small : left.small) * left.units;
	return (small < left.small ? most + less : most) * unit;
}

/*
 * Returns the largest number of the job's tasks that fit on a part of the candidates, which need not be
 * adjacent.
 */
static uint32_t most_of(const struct alloc_input *input, struct alloc_part part)
{
	uint32_t unit = alloc_unit(input->job), tasks = input->job->tasks;

	/* A partial unit is never allocated. */
	tasks -= tasks % unit;
	if (alloc_nodes(input->job) == 0)
		return tasks - distribute_on_any(part, tasks, unit);
	return most_on_nodes(part, shares_of(input->job), unit);
}

/* --- CONTIGUOUS ----------------------------------------------------------------------------------------- */

/*
 * Nodes have an order: by rack and index if these are set, otherwise as configured. A stretch is a sequence
 * of adjacent candidates, within one rack if that suffices, otherwise across racks. A block is a part of a
 * stretch that suffices for the job. The block with the fewest nodes is taken; among equal blocks the one in
 * the shortest stretch, so that long stretches are not broken up; among these the first.
 *
 * Source: Maui Administrator's Guide 5.2 (CONTIGUOUS, non-flat networks); the guide gives no
 * algorithm.
 */

/* --- order of neighbours -------------------------------------------------------------------------------- */

struct place {
	uint32_t rack, index, node;
};

static int block_by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->rack != y->rack)
		return x->rack < y->rack ? -1 : 1;
	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

void nodealloc_line(const struct node *node, uint32_t count, uint32_t *place)
{
	struct place *line = mem_alloc(count * sizeof *line);
	bool in_order = true;

	for (uint32_t i = 0; i < count; i++) {
		line[i] = (struct place){node[i].rack, node[i].index, i};
		in_order = in_order && (i == 0 || block_by_place(&line[i - 1], &line[i]) < 0);
	}
	/* Most sites set neither racks nor indexes. */
	if (!in_order)
		qsort(line, count, sizeof *line, block_by_place);
	for (uint32_t i = 0; i < count; i++)
		place[line[i].node] = i;
	free(line);
}

static int by_order(const void *a, const void *b)
{
	const struct alloc_candidate *x = a, *y = b;

	return x->order < y->order ? -1 : x->order > y->order;
}

/* Returns the candidates on which at least one unit fits, sorted by their rank, which is stored in .order. */
static struct alloc_part line_up(const struct alloc_input *input, struct alloc_part all)
{
	bool in_order = true;
	size_t left = 0;

	for (size_t i = 0; i < all.count; i++) {
		if (all.item[i].tasks < alloc_unit(input->job))
			continue;
		all.item[left] = all.item[i];
		all.item[left].order = input->line[all.item[left].node];
		in_order = in_order && (left == 0 || all.item[left - 1].order < all.item[left].order);
		left++;
	}
	if (!in_order)
		qsort(all.item, left, sizeof *all.item, by_order);
	return (struct alloc_part){all.item, left};
}

/* Returns the end of the stretch that begins at index i, within one rack or across racks. */
static size_t stretch_end(const struct alloc_input *input, struct alloc_part line, size_t i, bool in_rack)
{
	size_t end = i + 1;

	while (end < line.count && line.item[end].order == line.item[end - 1].order + 1 &&
	       (!in_rack || input->node[line.item[end].node].rack == input->node[line.item[i].node].rack))
		end++;
	return end;
}

/* --- blocks --------------------------------------------------------------------------------------------- */

/*
 * Returns the number of nodes at the front of a stretch that hold all tasks; 0 = the stretch does not
 * suffice.
 */
static size_t fewest_nodes(const struct alloc_input *input, struct alloc_part rest)
{
	uint32_t unit = alloc_unit(input->job);
	int64_t left = input->job->tasks;

	for (size_t i = 0; i < rest.count; i++) {
		left -= rest.item[i].tasks - rest.item[i].tasks % unit;
		if (left <= 0)
			return i + 1;
	}
	return 0;
}

/*
 * Returns the shortest block that begins at the first node of the stretch and holds all tasks of the job
 * (with exactly the requested number of nodes, if the job requests one); empty if there is none.
 */
static struct alloc_part shortest_block(const struct alloc_input *input, struct alloc_part rest)
{
	struct alloc_part block = {rest.item, alloc_nodes(input->job)};

	if (block.count == 0)
		block.count = fewest_nodes(input, rest);
	else if (block.count > rest.count || !distribute(input, block))
		block.count = 0;
	return block;
}

struct search {
	struct alloc_part best;
	size_t stretch; /* number of nodes in the stretch that contains the best block */
};

static void search_stretch(const struct alloc_input *input, struct alloc_part stretch, struct search *found)
{
	for (size_t i = 0; i < stretch.count; i++) {
		struct alloc_part block =
			shortest_block(input, (struct alloc_part){stretch.item + i, stretch.count - i});

		if (block.count == 0)
			continue;
		if (found->best.count == 0 || block.count < found->best.count ||
		    (block.count == found->best.count && stretch.count < found->stretch))
			*found = (struct search){block, stretch.count};
	}
}

static struct alloc_part search_line(const struct alloc_input *input, struct alloc_part line, bool in_rack)
{
	struct search found = {{line.item, 0}, 0};

	for (size_t i = 0, end; i < line.count; i = end) {
		end = stretch_end(input, line, i, in_rack);
		search_stretch(input, (struct alloc_part){line.item + i, end - i}, &found);
	}
	return found.best;
}

/* Returns the best block of all candidates, within a rack if possible; empty if there is none. */
static struct alloc_part contiguous_block(const struct alloc_input *input, struct alloc_part all)
{
	struct alloc_part line = line_up(input, all), block = search_line(input, line, true);

	return block.count > 0 ? block : search_line(input, line, false);
}

/*
 * Returns the largest number of tasks that fit on a stretch or, if the job requests a number of nodes, on
 * this number of adjacent nodes of the stretch; `most` if that is larger.
 */
static uint32_t stretch_most(const struct alloc_input *input, struct alloc_part stretch, uint32_t most)
{
	size_t asked = alloc_nodes(input->job);
	size_t nodes = asked == 0 || asked > stretch.count ? stretch.count : asked;

	for (size_t i = 0; i + nodes <= stretch.count; i++) {
		uint32_t tasks = most_of(input, (struct alloc_part){stretch.item + i, nodes});

		most = tasks > most ? tasks : most;
	}
	return most;
}

static uint32_t most_in_block(const struct alloc_input *input, struct alloc_part all)
{
	struct alloc_part line = line_up(input, all);
	uint32_t most = 0;

	for (size_t i = 0, end; i < line.count; i = end) {
		end = stretch_end(input, line, i, false);
		most = stretch_most(input, (struct alloc_part){line.item + i, end - i}, most);
	}
	return most;
}

/* --- MINRESOURCE ---------------------------------------------------------------------------------------- */

/*
 * The position of a candidate in Maui's order depends only on its configuration and its index. Candidates
 * with equal configuration then exchange their positions, so that the one with the least free resources comes
 * first. So empty nodes are taken in Maui's order, and a larger node never comes before a smaller one.
 */

#define SMALLEST_CLASS_MB 64

/* The sort keys of a candidate. */
struct small {
	struct alloc_candidate one;
	const struct node *node;
	unsigned memory_class;
	double extra;   /* sum of the node's shares of the machine's swap, disk and generic resources that the
			   job requests */
	uint32_t place; /* index of the node whose position the candidate takes */
};

static unsigned memory_class(int64_t mem_mb)
{
	unsigned class = 0;

	for (int64_t most = SMALLEST_CLASS_MB; most < mem_mb && class < 48; most *= 2)
		class ++;
	return class;
}

static double extra_of(const struct alloc_input *input, const struct node *node)
{
	double sum = 0;

	for (int kind = ALLOC_SWAP; kind < ALLOC_KIND_COUNT; kind++)
		if (alloc_requested(input->job, kind) > 0 && input->machine.of[kind] > 0)
			sum += (double)alloc_configured(node, kind) / (double)input->machine.of[kind];
	return sum;
}

static int compare_i64(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

/* Compares the configurations of two nodes; 0 if they are equal. */
static int compare_configured(const struct node *a, const struct node *b)
{
	int c = 0;

	for (int kind = 0; kind < ALLOC_KIND_COUNT && c == 0; kind++)
		c = compare_i64(alloc_configured(a, kind), alloc_configured(b, kind));
	return c;
}

static int by_group_and_index(const void *a, const void *b)
{
	const struct small *x = a, *y = b;
	int c = compare_configured(x->node, y->node);

	return c != 0 ? c : compare_i64(y->one.node, x->one.node);
}

static int by_fit(const void *a, const void *b)
{
	const struct small *x = a, *y = b;
	int c = compare_real(x->one.value, y->one.value);

	return c != 0 ? c : compare_i64(y->one.node, x->one.node);
}

static int by_place(const void *a, const void *b)
{
	const struct small *x = a, *y = b;
	int c = compare_i64(x->one.order, y->one.order);

	c = c != 0 ? c : compare_i64(x->memory_class, y->memory_class);
	c = c != 0 ? c : compare_real(x->extra, y->extra);
	return c != 0 ? c : compare_i64(y->place, x->place);
}

/*
 * Gives the positions of a group of candidates with equal configuration to the same candidates in the order
 * of best fit.
 */
static void share_places(struct small *group, size_t count, uint32_t *place)
{
	for (size_t i = 0; i < count; i++)
		place[i] = group[i].one.node;
	qsort(group, count, sizeof *group, by_fit);
	for (size_t i = 0; i < count; i++)
		group[i].place = place[i];
}

static void share_all_places(struct small *list, size_t count)
{
	uint32_t *place = mem_alloc(count * sizeof *place);
	size_t begin = 0;

	qsort(list, count, sizeof *list, by_group_and_index);
	for (size_t i = 1; i <= count; i++) {
		if (i < count && compare_configured(list[i].node, list[begin].node) == 0)
			continue;
		share_places(list + begin, i - begin, place);
		begin = i;
	}
	free(place);
}

/*
 * Sorts the candidates for MINRESOURCE, and for LOCAL, where the answer of the site's program is the first
 * key.
 */
static void sort_minresource(const struct alloc_input *input, struct alloc_part all)
{
	struct small *list;

	if (all.count < 2)
		return;
	list = mem_alloc(all.count * sizeof *list);
	for (size_t i = 0; i < all.count; i++) {
		const struct node *node = &input->node[all.item[i].node];

		list[i] = (struct small){.one = all.item[i],
					 .node = node,
					 .memory_class = memory_class(node->mem_mb),
					 .extra = extra_of(input, node)};
	}
	share_all_places(list, all.count);
	qsort(list, all.count, sizeof *list, by_place);
	for (size_t i = 0; i < all.count; i++)
		all.item[i] = list[i].one;
	free(list);
}

/* --- MAXBALANCE ----------------------------------------------------------------------------------------- */

/*
 * A parallel job is as fast as its slowest node, so the speed of faster nodes is wasted. Candidates are
 * sorted by speed. Of all ranges of speed that suffice for the job, the one with the smallest difference
 * between its fastest and slowest node is taken, and among equal ranges the slowest.
 *
 * Source: Maui Administrator's Guide 5.2, NODEALLOCATIONPOLICY MAXBALANCE.
 */

static int by_speed(const void *a, const void *b)
{
	const struct alloc_candidate *x = a, *y = b;

	if (x->value < y->value || x->value > y->value)
		return x->value < y->value ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* Returns the end of the group of candidates that begins at index i and has one speed. */
static size_t group_end(struct alloc_part all, size_t i)
{
	size_t end = i + 1;

	while (end < all.count && all.item[end].value <= all.item[i].value)
		end++;
	return end;
}

/*
 * Advances *end by groups of equal speed until the candidates [begin, *end) suffice. Returns false if they
 * never do.
 */
static bool reach(const struct alloc_input *input, struct alloc_part all, size_t begin, size_t *end)
{
	while (*end <= begin || !distribute(input, (struct alloc_part){all.item + begin, *end - begin})) {
		if (*end == all.count)
			return false;
		*end = group_end(all, *end);
	}
	return true;
}

/* Returns the best range of speeds; empty if even all candidates do not suffice. */
static struct alloc_part balanced_part(const struct alloc_input *input, struct alloc_part all)
{
	struct alloc_part best = {all.item, 0};
	double best_span = 0;
	size_t end = 0;

	for (size_t i = 0; i < all.count; i++)
		all.item[i].value = alloc_speed(input, &all.item[i]);
	if (all.count > 1)
		qsort(all.item, all.count, sizeof *all.item, by_speed);
	for (size_t begin = 0; begin < all.count && reach(input, all, begin, &end);
	     begin = group_end(all, begin)) {
		double span = all.item[end - 1].value - all.item[begin].value;

		if (best.count > 0 && span >= best_span)
			continue;
		best = (struct alloc_part){all.item + begin, end - begin};
		best_span = span;
	}
	return best;
}

/* --- selection of nodes --------------------------------------------------------------------------------- */

enum alloc_speeds nodealloc_speeds(const struct node *node, uint32_t count)
{
	enum alloc_speeds speeds = SPEEDS_EQUAL;

	for (uint32_t i = 1; i < count; i++) {
		if (node[i].speed < node[0].speed || node[i].speed > node[0].speed)
			return SPEEDS_RELATIVE;
		if (node[i].procspeed < node[0].procspeed || node[i].procspeed > node[0].procspeed)
			speeds = SPEEDS_PROCS;
	}
	return speeds;
}

double nodealloc_share(const struct job *job, const struct node *node, const struct alloc_amounts *free)
{
	double sum = 0;

	for (int kind = 0; kind < ALLOC_KIND_COUNT; kind++) {
		int64_t configured = alloc_configured(node, kind);

		if (alloc_requested(job, kind) > 0 && configured > 0)
			sum += (double)free->of[kind] / (double)configured;
	}
	return sum;
}

/* Applies the policy: sorts the candidates and returns all of them, or returns the part that it selects. */
static struct alloc_part arrange(const struct alloc_input *input, struct alloc_part all)
{
	switch (input->policy) {
	case ALLOCATE_CONTIGUOUS:
		return contiguous_block(input, all);
	case ALLOCATE_MAXBALANCE:
		return balanced_part(input, all);
	case ALLOCATE_MINRESOURCE:
	case ALLOCATE_LOCAL:
		sort_minresource(input, all);
		break;
	case ALLOCATE_FASTEST:
		sort_fastest(input, all);
		break;
	case ALLOCATE_CPULOAD:
		sort_cpuload(all);
		break;
	case ALLOCATE_PRIORITY:
		sort(all, by_value);
		break;
	case ALLOCATE_FIRSTAVAILABLE:
		sort(all, by_index);
		break;
	case ALLOCATE_LASTAVAILABLE:
	case ALLOCATION_POLICY_COUNT:
		sort_by_gap(all);
		break;
	}
	return all;
}

/* Moves the candidates that the job prefers to the front; returns their number. */
static size_t prefer(const struct alloc_input *input, struct alloc_part all)
{
	size_t front = 0;

	if ((input->job->prefer == 0 && !input->invited) || input->policy == ALLOCATE_PRIORITY)
		return 0;
	for (size_t i = 0; i < all.count; i++) {
		struct alloc_candidate one = all.item[i];

		if (!one.prefers)
			continue;
		for (size_t k = i; k > front; k--)
			all.item[k] = all.item[k - 1];
		all.item[front++] = one;
	}
	return front;
}

/*
 * Applies the policy separately to the candidates that the job prefers, which come first, and to the other
 * candidates. A policy that selects a part is first applied to the preferred candidates alone, and to all if
 * these do not suffice.
 */
static struct alloc_part arrange_preferring(const struct alloc_input *input, struct alloc_part all)
{
	size_t front = prefer(input, all);
	struct alloc_part preferred = {all.item, front}, others = {all.item + front, all.count - front};

	if (front == 0 || front == all.count)
		return arrange(input, all);
	if (input->policy != ALLOCATE_CONTIGUOUS && input->policy != ALLOCATE_MAXBALANCE) {
		arrange(input, preferred);
		arrange(input, others);
		return all;
	}
	preferred = arrange(input, preferred);
	return distribute(input, preferred) ? preferred : arrange(input, all);
}

void nodealloc_add(struct alloc_list *out, size_t first, uint32_t node, uint32_t procs, uint32_t tasks)
{
	struct alloc_run *last = out->count > first ? &out->item[out->count - 1] : NULL;

	if (last != NULL && last->procs == procs && last->tasks == tasks &&
	    (last->node + last->nodes == node || last->node == node + 1)) {
		last->node = last->node < node ? last->node : node;
		last->nodes++;
		return;
	}
	out->item = vec_room(out->item, &out->room, out->count + 1, sizeof *out->item);
	out->item[out->count++] = (struct alloc_run){
		.node = node, .nodes = 1, .procs = procs, .tasks = tasks, .next = INDEX_NONE};
}

bool nodealloc_choose(const struct alloc_input *input, struct alloc_candidate *candidate, size_t count,
		      struct alloc_list *out)
{
	struct alloc_part part = arrange_preferring(input, (struct alloc_part){candidate, count});
	size_t first = out->count;

	if (!distribute(input, part))
		return false;
	for (size_t i = 0; i < part.count; i++) {
		const struct alloc_candidate *c = &part.item[i];
		uint32_t procs = c->whole ? input->node[c->node].procs : c->give * input->job->task_procs;

		if (c->give > 0)
			nodealloc_add(out, first, c->node, procs, c->give);
	}
	return true;
}

uint32_t nodealloc_most(const struct alloc_input *input, struct alloc_candidate *candidate, size_t count)
{
	struct alloc_part all = {candidate, count};

	return input->policy == ALLOCATE_CONTIGUOUS ? most_in_block(input, all) : most_of(input, all);
}
