/* SPDX-License-Identifier: MIT */
/*
 * cmd_reserve.c - kahu reserve and unreserve: advance reservations
 *
 * Reserves the named nodes, or a number of processors. If a number is given, the processors are chosen when
 * the reservation is created, among those that are free throughout the reservation, so that later starts do
 * not affect it. Maui's commands are setres and releaseres.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "complete.h"
#include "hostlist.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/placement/placement.h"
#include "sched/rm/wallclock.h"
#include "tui/draw/text.h"
#include "tui/report/select.h"

/* --- times -------------------------------------------------------------------------------------------- */

static bool read_end(struct cmd_env *env, struct advance_text *a)
{
	const char *end = cmd_option(env, "-e"), *duration = cmd_option(env, "-d");
	int64_t lasts_s;

	a->end_s = TIME_NEVER;
	if (end && duration)
		return err_set(&env->err, "-e and -d are mutually exclusive; give only one");
	if (end)
		return wallclock_parse(end, end[0] == '+' ? env->now_s : a->begin_s, &a->end_s, &env->err);
	if (!duration)
		return true;
	if (!duration_parse(duration, &lasts_s, &env->err))
		return false;
	a->end_s = a->begin_s + lasts_s;
	return true;
}

static bool read_times(struct cmd_env *env, struct advance_text *a)
{
	const char *start = cmd_option(env, "-s");

	a->begin_s = env->now_s;
	if (start && !wallclock_parse(start, env->now_s, &a->begin_s, &env->err))
		return false;
	if (a->begin_s < env->now_s)
		a->begin_s = env->now_s;
	return read_end(env, a) &&
	       (a->end_s > a->begin_s || err_set(&env->err, "the reservation would end before it starts"));
}

/* --- access list -------------------------------------------------------------------------------------- */

static const struct guest_option {
	const char *option;
	uint32_t type;
} guest_options[] = {
	{"-u", CRED_USER},  {"-g", CRED_GROUP}, {"-a", CRED_ACCOUNT},
	{"-c", CRED_CLASS}, {"-q", CRED_QOS},   {"-j", GUEST_JOB},
};

static bool add_name(struct cmd_env *env, struct advance_text *a, uint32_t type, const char *name)
{
	uint32_t slot;

	if (name[0] == '\0' || strpbrk(name, " \t") != NULL)
		return err_set(&env->err, "'%s' is not a valid %s name", name, guest_type_name(type));
	if (type != GUEST_JOB) {
		advance_add_guest(a, type, name, 0);
		return true;
	}
	slot = select_job(env->s, name, &env->err);
	if (slot == INDEX_NONE)
		return false;
	advance_add_guest(a, type, NULL, snapshot_jobs(env->s)[slot].id);
	return true;
}

/* Adds the credentials or jobs of a list separated by commas. Returns false with err set on failure. */
static bool add_names(struct cmd_env *env, struct advance_text *a, uint32_t type, const char *names)
{
	bool good = true;

	while (good) {
		size_t len = strcspn(names, ",");
		struct str name = {0};

		str_add_bytes(&name, names, len);
		good = add_name(env, a, type, str_text(&name));
		str_free(&name);
		if (names[len] == '\0')
			break;
		names += len + 1;
	}
	return good;
}

static bool is_for(const struct advance_text *a, const char *user)
{
	for (size_t i = 0; i < a->guest_count; i++)
		if (a->guest[i].type == CRED_USER && strcmp(a->guest[i].name, user) == 0)
			return true;
	return false;
}

static bool read_guests(struct cmd_env *env, struct advance_text *a)
{
	const char *names;

	for (size_t i = 0; i < sizeof guest_options / sizeof guest_options[0]; i++)
		for (size_t at = 0; (names = cmd_option_at(env, guest_options[i].option, at)); at++)
			if (!add_names(env, a, guest_options[i].type, names))
				return false;
	a->personal = cmd_option(env, "-p") != NULL;
	if (a->personal && !is_for(a, env->who))
		advance_add_guest(a, CRED_USER, env->who, 0);
	return true;
}

/* --- nodes and processors ----------------------------------------------------------------------------- */

/* A node, and how many of its processors are free throughout the reservation. */
struct spare {
	uint32_t node;
	int64_t procs;
};

static int by_spare(const void *a, const void *b)
{
	const struct spare *x = a, *y = b;

	if (x->procs != y->procs)
		return x->procs > y->procs ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/*
 * Counts the processors of job reservations as used, because a user's reservation must not delay a job that
 * has a job reservation.
 */
static void count_promises(struct placement *placement, const struct snapshot *s)
{
	for (uint32_t i = 0; s->planned > 0 && i < snapshot_count(s, TABLE_WAITING); i++) {
		uint32_t slot = snapshot_waiting(s)[i].slot;
		const struct job *job = &snapshot_jobs(s)[slot];

		for (uint32_t at = job->run; job->planned_s != TIME_NEVER && at != INDEX_NONE;
		     at = snapshot_runs(s)[at].next)
			placement_count_reservation(placement, slot, job->planned_s,
						    job->planned_s + job->wall_limit_s, &snapshot_runs(s)[at],
						    1);
	}
}

/*
 * Lists the nodes with free processors, those with the most first. Returns the total number of free
 * processors.
 */
static int64_t list_spare(const struct cmd_env *env, const struct advance_text *a, struct spare *list,
			  size_t *count)
{
	struct placement *placement = placement_new();
	int64_t sum = 0;

	*count = 0;
	placement_begin(placement, env->s, env->now_s);
	if (a->personal)
		count_promises(placement, env->s);
	for (uint32_t n = 0; n < snapshot_count(env->s, TABLE_NODES); n++) {
		int64_t procs = placement_spare(placement, n, a->begin_s, a->end_s);

		if (procs <= 0)
			continue;
		list[(*count)++] = (struct spare){n, procs};
		sum += procs;
	}
	placement_free(placement);
	if (*count > 0)
		qsort(list, *count, sizeof *list, by_spare);
	return sum;
}

/*
 * Adds `procs` processors to the reservation, on as few nodes as possible. As the last node, takes the node
 * with the fewest free processors that has enough of them.
 */
static void deal(const struct cmd_env *env, struct advance_text *a, const struct spare *list, size_t count,
		 int64_t procs)
{
	for (size_t i = 0; i < count && procs > 0; i++) {
		size_t last = i;
		int64_t given;

		while (last + 1 < count && list[i].procs >= procs && list[last + 1].procs >= procs)
			last++;
		given = list[last].procs < procs ? list[last].procs : procs;
		advance_add_place(a, snapshot_string(env->s, snapshot_nodes(env->s)[list[last].node].name),
				  (uint32_t)given);
		procs -= given;
	}
}

static bool choose(struct cmd_env *env, struct advance_text *a, int64_t procs)
{
	size_t nodes = snapshot_count(env->s, TABLE_NODES), count;
	struct spare *list = mem_zero(nodes + 1, sizeof *list);
	int64_t sum = list_spare(env, a, list, &count);

	if (sum >= procs)
		deal(env, a, list, count, procs);
	free(list);
	return sum >= procs ||
	       err_set(&env->err,
		       "processors requested: %" PRId64 ", free throughout that time: %" PRId64
		       "; to reserve processors as jobs release them, name nodes",
		       procs, sum);
}

static bool read_nodes(struct cmd_env *env, struct advance_text *a, int argc, char **argv)
{
	bool *marked = mem_zero((size_t)snapshot_count(env->s, TABLE_NODES) + 1, sizeof *marked);
	bool good = true;

	for (int i = 1; good && i < argc; i++)
		good = hostlist_mark(env->s, argv[i], marked, &env->err);
	for (uint32_t n = 0; good && n < snapshot_count(env->s, TABLE_NODES); n++)
		if (marked[n])
			advance_add_place(a, snapshot_string(env->s, snapshot_nodes(env->s)[n].name), 0);
	free(marked);
	return good;
}

static bool read_places(struct cmd_env *env, struct advance_text *a, int argc, char **argv)
{
	static const char tasks[] = "TASKS==";
	int64_t procs;

	if (argc == 2 && strcmp(argv[1], "ALL") == 0)
		return a->all_nodes = true;
	if (strncmp(argv[1], tasks, sizeof tasks - 1) != 0)
		return read_nodes(env, a, argc, argv);
	if (argc != 2 || !str_read_whole(argv[1] + sizeof tasks - 1, &procs) || procs < 1)
		return err_set(&env->err,
			       "TASKS== takes a number of processors and no other arguments, got '%s'",
			       argv[1]);
	return choose(env, a, procs);
}

/* --- name --------------------------------------------------------------------------------------------- */

static bool is_taken(const struct cmd_env *env, const char *name)
{
	uint32_t i = snapshot_find_advance(env->s, name);

	return i != INDEX_NONE && !advance_is_over(&snapshot_advances(env->s)[i], env->now_s);
}

/*
 * Makes a name from the first credential or job of the access list and a number, such as "eva.1"; "SYSTEM.1"
 * if the list is empty.
 */
static const char *make_name(struct cmd_env *env, const struct advance_text *a)
{
	char base[ADVANCE_NAME / 2] = "SYSTEM";
	struct str name = {0};
	const char *own;

	if (a->guest_count > 0 && a->guest[0].type == GUEST_JOB)
		snprintf(base, sizeof base, "job%" PRIu64, a->guest[0].job);
	else if (a->guest_count > 0)
		snprintf(base, sizeof base, "%s", a->guest[0].name);
	for (char *c = base; *c != '\0'; c++)
		if (strchr(".-_", *c) == NULL && !(*c >= '0' && *c <= '9') && !(*c >= 'A' && *c <= 'Z') &&
		    !(*c >= 'a' && *c <= 'z'))
			*c = '_';
	for (unsigned n = 1; name.len == 0 || is_taken(env, str_text(&name)); n++) {
		str_clear(&name);
		str_addf(&name, "%s.%u", base, n);
	}
	own = cmd_own(env, str_text(&name));
	str_free(&name);
	return own;
}

/* --- running jobs on the nodes ------------------------------------------------------------------------ */

/* Returns how many processors a job uses on the marked nodes. */
static int64_t holds_of(const struct cmd_env *env, const struct job *job, const bool *kept)
{
	int64_t procs = 0;

	for (uint32_t at = job->run; at != INDEX_NONE; at = snapshot_runs(env->s)[at].next) {
		const struct alloc_run *run = &snapshot_runs(env->s)[at];

		for (uint32_t n = run->node; n < run->node + run->nodes; n++)
			procs += kept[n] ? run->procs : 0;
	}
	return procs;
}

static void say_job(const struct cmd_env *env, const struct job *job, int64_t procs)
{
	char label[JOB_LABEL_TEXT], when[MOMENT_TEXT];

	str_add(env->out, "job ");
	text_safe(env->out, snapshot_job_label(env->s, job, label), env->ascii);
	str_addf(env->out, " may use %" PRId64 " processor%s of the reservation ", procs,
		 procs == 1 ? "" : "s");
	if (job_due_end_s(job) == TIME_NEVER)
		str_add(env->out, "until the job has ended; it is suspended and must be resumed first\n");
	else
		str_addf(env->out, "until %s; the reservation does not stop it\n",
			 wallclock_long(when, job_due_end_s(job)));
}

/*
 * Marks, by index, the nodes that are reserved as a whole; the caller frees the array. Other nodes need no
 * check: the processors chosen on them are free.
 */
static bool *mark_whole(const struct cmd_env *env, const struct advance_text *a)
{
	uint32_t nodes = snapshot_count(env->s, TABLE_NODES);
	bool *kept = mem_zero((size_t)nodes + 1, sizeof *kept);
	size_t place = 0;

	/* a->place is ordered by node. */
	for (uint32_t n = 0; n < nodes; n++) {
		const char *name = snapshot_string(env->s, snapshot_nodes(env->s)[n].name);
		bool named = place < a->place_count && a->place[place].procs == 0 &&
			     strcmp(a->place[place].node, name) == 0;

		place += named;
		kept[n] = a->all_nodes || named;
	}
	return kept;
}

/* Prints the jobs that may still be running on the reserved nodes when the reservation begins. */
static void say_who_is_there(const struct cmd_env *env, const struct advance_text *a)
{
	bool *kept = mark_whole(env, a);

	for (uint32_t i = 0; i < snapshot_count(env->s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(env->s)[snapshot_running(env->s)[i]];
		int64_t procs = holds_of(env, job, kept);

		if (procs > 0 && job_due_end_s(job) > a->begin_s)
			say_job(env, job, procs);
	}
	free(kept);
}

/* --- the verbs ---------------------------------------------------------------------------------------- */

static void add_reserve(struct cmd_env *env, const struct advance_text *a)
{
	const char *name = cmd_option(env, "-n");
	struct event *ev = cmd_add_event(env, EVENT_RESERVE, 0);
	struct str text = {0};

	advance_write(a, &text);
	ev->reserve.name = name ? cmd_own(env, name) : make_name(env, a);
	ev->reserve.text = cmd_own(env, str_text(&text));
	str_free(&text);
	if (!env->json)
		say_who_is_there(env, a);
}

static enum cmd_status run_reserve(struct cmd_env *env, int argc, char **argv)
{
	struct advance_text a = {.reason = cmd_option(env, "-m")};
	enum cmd_status status = CMD_DONE;

	if (!read_times(env, &a))
		status = CMD_USAGE;
	else if (!read_guests(env, &a) || !read_places(env, &a, argc, argv))
		status = CMD_REFUSED;
	else
		add_reserve(env, &a);
	advance_text_free(&a);
	return status;
}

static enum cmd_status run_unreserve(struct cmd_env *env, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		cmd_add_event(env, EVENT_UNRESERVE, 0)->reserve.name = cmd_own(env, argv[i]);
	return CMD_DONE;
}

static void complete_reservations(const struct snapshot *s, const char *word, struct cmd_candidates *out)
{
	for (uint32_t i = 0; s && i < snapshot_count(s, TABLE_ADVANCES); i++)
		if (!advance_is_over(&snapshot_advances(s)[i], s->now_s))
			candidates_add(out, word, snapshot_string(s, snapshot_advances(s)[i].name));
}

const struct cmd cmd_reserve = {
	.name = "reserve",
	.alias = "setres",
	.args = "HOSTS...|ALL|TASKS==N",
	.help = "Create an advance reservation of nodes, or of a number of processors, for users, groups, "
		"accounts, classes or QOS. If none of these is given, no job can use the reservation, as for "
		"maintenance.",
	.options =
		(const struct cmd_option[]){
			{"-n", "NAME",
			 "name of the reservation (default: derived from the first credential)"},
			{"-s", "TIME", "start time (default: now)"},
			{"-e", "TIME", "end time (default: until it is removed)"},
			{"-d", "DURATION", "duration"},
			{"-u", "USERS", "users allowed to use the reservation, separated by commas"},
			{"-g", "GROUPS", "groups allowed to use it"},
			{"-a", "ACCOUNTS", "accounts allowed to use it"},
			{"-c", "CLASSES", "classes allowed to use it"},
			{"-q", "QOS", "QOS allowed to use it"},
			{"-j", "JOBS", "jobs allowed to use it"},
			{"-p", NULL, "create a user reservation, within the limits set by the site"},
			{"-m", "TEXT", "reason, shown to users"},
			{0},
		},
	.min = 1,
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_reserve,
};

const struct cmd cmd_unreserve = {
	.name = "unreserve",
	.alias = "releaseres",
	.args = "NAME...",
	.help = "Remove an advance reservation.",
	.min = 1,
	.max = -1,
	.authority = CMD_OWNER,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_unreserve,
	.complete = complete_reservations,
};
