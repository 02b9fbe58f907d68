/* SPDX-License-Identifier: MIT */
/*
 * lint_jobs.c - lint of idle jobs: settings that keep them from starting or from ranking
 *
 * Rules W12, L2 to L6, L8 to L10 and L13. The plan contains the gate that blocks each job,
 * with the amounts. All jobs that the same setting blocks are reported in one finding, with their number.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lint_inside.h"
#include "sched/base/vec.h"
#include "sched/policy/priority.h"

/* The number of affected jobs, and the job with the lowest ID. */
struct some_jobs {
	int64_t count;
	uint32_t first; /* slot */
};

static void add_job(struct some_jobs *jobs, uint32_t slot, const struct snapshot *s)
{
	const struct job *job = snapshot_jobs(s);

	if (jobs->count++ == 0 || job[slot].id < job[jobs->first].id)
		jobs->first = slot;
}

static const char *label_of(const struct lint_view *v, uint32_t slot, char buf[static JOB_LABEL_TEXT])
{
	return snapshot_job_label(v->s, &snapshot_jobs(v->s)[slot], buf);
}

/* Returns the plural s: "1 job", "8 jobs". */
static const char *plural(int64_t count)
{
	return count == 1 ? "" : "s";
}

/* --- below the lowest priority -------------------------------------------------------------- */

static bool is_below_0(const struct lint_view *v, const struct queued *queued)
{
	struct prio_result result;

	if (queued->rank > (int64_t)PRIO_FLOOR)
		return false;
	queue_priority(v->s, &snapshot_jobs(v->s)[queued->slot], v->plan->now_s, &v->plan->queue.shares,
		       &result);
	return result.sum < 0;
}

/*
 * Reports jobs whose factors add up to less than 0, if there are at least two: all of them get priority 1 and
 * tie, whereas a single job just ranks last.
 */
static void bounded_jobs(const struct lint_view *v)
{
	const struct queue *queue = &v->plan->queue;
	struct some_jobs below = {0};
	struct config_finding *found;
	char label[JOB_LABEL_TEXT];

	if (v->s->policy.allow_negative || v->s->policy.reject_negative)
		return;
	for (uint32_t i = 0; i < queue->idle_count; i++)
		if (is_below_0(v, &queue->idle[i]))
			add_job(&below, queue->idle[i].slot, v->s);
	if (below.count < 2)
		return;
	found = lint_found(
		v, "W12", NULL,
		"%" PRId64
		" jobs are below priority 0 (the first is %s): they all get priority 1 and tie; set "
		"enablenegjobpriority = true to keep them apart",
		below.count, label_of(v, below.first, label));
	found->count = below.count;
	lint_say_fix(found, "enablenegjobpriority", "true");
}

static void rejected_jobs(const struct lint_view *v)
{
	const struct queue *queue = &v->plan->queue;
	struct some_jobs rejected = {0};
	struct config_finding *found;
	char label[JOB_LABEL_TEXT];

	for (uint32_t i = 0; i < queue->blocked_count; i++)
		if (queue->blocked_reason[i].gate == GATE_NEGATIVE)
			add_job(&rejected, queue->blocked[i], v->s);
	if (rejected.count == 0)
		return;
	found = lint_found(v, "W12", NULL,
			   "%" PRId64 " job%s below priority 0 (the first is %s) cannot start, because "
			   "rejectnegpriojobs is true; set it to false",
			   rejected.count, plural(rejected.count), label_of(v, rejected.first, label));
	found->count = rejected.count;
	lint_say_fix(found, "rejectnegpriojobs", "false");
}

/* --- jobs that fit nowhere ------------------------------------------------------------------ */

static void unfit_jobs(const struct lint_view *v)
{
	const struct queue *queue = &v->plan->queue;
	struct some_jobs unfit = {0};
	struct config_finding *found;
	char label[JOB_LABEL_TEXT];

	for (uint32_t i = 0; i < queue->blocked_count; i++)
		if (queue->blocked_reason[i].gate == GATE_FEASIBLE)
			add_job(&unfit, queue->blocked[i], v->s);
	if (unfit.count == 0)
		return;
	found = lint_found(
		v, "L6", NULL,
		"%" PRId64
		" idle job%s can never fit on any nodes (the first is %s); 'kahu why %s' shows what "
		"is missing",
		unfit.count, plural(unfit.count), label_of(v, unfit.first, label), label);
	found->count = unfit.count;
}

/* --- limits that a single job exceeds ----------------------------------------------------------------- */

/*
 * Returns the name of the option that sets the limit of a reason: "systemmaxprocperjob", "max.proc",
 * "MAXPROC"; NULL if no option sets a limit of this kind.
 */
static const char *option_of(const struct reason *reason)
{
	static const char *const of_system[LIMIT_KIND_COUNT] = {
		[LIMIT_PROC] = "systemmaxprocperjob",
		[LIMIT_PS] = "systemmaxprocsecondperjob",
		[LIMIT_WC] = "systemmaxjobwalltime",
	};
	static const char *const of_class[LIMIT_KIND_COUNT] = {
		[LIMIT_PROC] = "max.proc", [LIMIT_NODE] = "max.node", [LIMIT_WC] = "max.wclimit"};

	if (reason->gate == GATE_SYSTEM_LIMIT)
		return of_system[reason->kind];
	if (reason->gate == GATE_CLASS_LIMIT)
		return of_class[reason->kind];
	return limit_name((enum limit_scope)reason->scope, (enum limit_kind)reason->kind);
}

/* Appends the section of the limit: "user[john].", "system." or nothing. */
static void add_owner(const struct snapshot *s, const struct reason *reason, bool by_default, struct str *out)
{
	const struct cred *cred = reason->cred != INDEX_NONE ? &snapshot_creds(s)[reason->cred] : NULL;

	if (reason->gate == GATE_SYSTEM_LIMIT)
		return;
	if (cred == NULL)
		str_add(out, "system.");
	else
		str_addf(out, "%s[%s].", cred_type_name((enum cred_type)cred->type),
			 by_default ? CRED_DEFAULT : snapshot_string(s, cred->name));
}

/*
 * Replaces *out with a name of the limit in a reason. by_default: as written in the section of DEFAULT, not
 * in that of the owner. each: the limit applies to each second credential of the type, not only to the one in
 * the reason.
 */
static void name_as(const struct snapshot *s, const struct reason *reason, bool by_default, bool each,
		    struct str *out)
{
	const struct cred *second = reason->second != INDEX_NONE ? &snapshot_creds(s)[reason->second] : NULL;

	str_clear(out);
	add_owner(s, reason, by_default, out);
	for (const char *at = option_of(reason); *at != '\0'; at++)
		str_add_char(out, (char)(*at >= 'A' && *at <= 'Z' ? *at - 'A' + 'a' : *at));
	if (second == NULL)
		return;
	str_addf(out, "[%s", cred_type_name((enum cred_type)second->type));
	if (!each)
		str_addf(out, ":%s", snapshot_string(s, second->name));
	str_add_char(out, ']');
}

static const struct config_value *find_value(const struct lint_view *v, const char *name)
{
	const struct config_value *found = NULL;
	struct str other = {0};

	for (size_t i = 0; i < v->values->count && found == NULL; i++) {
		if (strstr(name, v->values->item[i].value.row->name) == NULL)
			continue;
		str_clear(&other);
		config_print_name(&v->values->item[i].value, &other);
		if (str_same_word(str_text(&other), name))
			found = &v->values->item[i].value;
	}
	str_free(&other);
	return found;
}

/*
 * Returns the value in force that sets the limit of a reason; NULL if there is none. *name is the name of the
 * value.
 */
static const struct config_value *limit_value(const struct lint_view *v, const struct reason *reason,
					      struct str *name)
{
	const struct config_value *value = NULL;

	if (option_of(reason) == NULL)
		return NULL;
	for (int way = 0; way < 4 && value == NULL; way++) {
		name_as(v->s, reason, way >= 2, way % 2 == 1, name);
		value = find_value(v, str_text(name));
	}
	return value;
}

/* Does the request of the job alone exceed the limit? */
static bool is_beyond_alone(const struct reason *reason)
{
	switch (reason->gate) {
	case GATE_CLASS_LIMIT:
	case GATE_SYSTEM_LIMIT:
	case GATE_IDLE_LIMIT:
	case GATE_ACTIVE_HARD:
		return reason->asked > reason->limit;
	default:
		return false;
	}
}

/* A limit or cap, and the jobs that it blocks. */
struct cause {
	const struct config_value *value;
	struct reason reason; /* reason of the job with the largest request */
	struct some_jobs jobs;
};

struct causes {
	struct cause *item;
	size_t count, room;
};

static void add_cause(struct causes *causes, const struct lint_view *v, uint32_t slot,
		      const struct config_value *value, const struct reason *reason)
{
	struct cause *cause;
	size_t at = 0;

	while (at < causes->count &&
	       (causes->item[at].value != value || causes->item[at].reason.gate != reason->gate))
		at++;
	if (at == causes->count) {
		causes->item = vec_room(causes->item, &causes->room, causes->count + 1, sizeof *causes->item);
		causes->item[causes->count++] = (struct cause){.value = value, .reason = *reason};
	}
	cause = &causes->item[at];
	if (reason->asked > cause->reason.asked)
		cause->reason = *reason;
	add_job(&cause->jobs, slot, v->s);
}

static void say_beyond(const struct lint_view *v, const struct cause *cause)
{
	int64_t count = cause->jobs.count;
	struct config_finding *found;
	struct str name = {0};
	char label[JOB_LABEL_TEXT];

	config_print_name(cause->value, &name);
	found = lint_found(v, "L8", cause->value,
			   "%s permanently blocks %" PRId64
			   " job%s, whose request%s it (the first is %s): %" PRId64 " requested, %" PRId64
			   " allowed",
			   str_text(&name), count, plural(count), count == 1 ? " exceeds" : "s exceed",
			   label_of(v, cause->jobs.first, label), cause->reason.asked, cause->reason.limit);
	found->count = count;
	lint_say_fix(found, str_text(&name), "%" PRId64, cause->reason.asked);
	str_free(&name);
}

static void beyond_alone(const struct lint_view *v)
{
	const struct queue *queue = &v->plan->queue;
	struct causes causes = {0};
	struct str name = {0};

	for (uint32_t i = 0; i < queue->blocked_count; i++) {
		const struct reason *reason = &queue->blocked_reason[i];
		const struct config_value *value =
			is_beyond_alone(reason) ? limit_value(v, reason, &name) : NULL;

		if (value != NULL)
			add_cause(&causes, v, queue->blocked[i], value, reason);
	}
	for (size_t i = 0; i < causes.count; i++)
		say_beyond(v, &causes.item[i]);
	free(causes.item);
	str_free(&name);
}

/* --- blocked jobs that gain no priority ----------------------------------------------------------- */

static void hidden_jobs(const struct lint_view *v)
{
	const struct queue *queue = &v->plan->queue;
	struct some_jobs hidden = {0};
	const struct reason *first = NULL;
	struct config_finding *found;

	if (v->s->policy.accrual == ACCRUAL_ALWAYS)
		return;
	for (uint32_t i = 0; i < queue->blocked_count; i++) {
		const struct reason *reason = &queue->blocked_reason[i];

		if (reason->gate != GATE_IDLE_LIMIT)
			continue;
		add_job(&hidden, queue->blocked[i], v->s);
		first = first == NULL ? reason : first;
	}
	if (first == NULL)
		return;
	found = lint_found(v, "L9", NULL,
			   "%s keeps %" PRId64 " job%s from gaining priority (%s); with "
			   "jobprioaccrualpolicy = always, blocked jobs gain priority, too",
			   limit_name((enum limit_scope)first->scope, (enum limit_kind)first->kind),
			   hidden.count, plural(hidden.count),
			   v->s->policy.accrual == ACCRUAL_FULL ? "FULLPOLICY" : "QUEUEPOLICY");
	found->count = hidden.count;
	lint_say_fix(found, "jobprioaccrualpolicy", "always");
}

/* --- caps that block jobs while processors are free ----------------------------------------------- */

/* Returns the value that sets the cap of the credential in a reason; NULL if the credential itself has no
 * cap. */
static const struct config_value *cap_value(const struct lint_view *v, const struct reason *reason)
{
	const struct cred *cred = &snapshot_creds(v->s)[reason->cred];
	struct str name = {0};
	const struct config_value *value;

	str_addf(&name, "%s[%s].fstarget", cred_type_name((enum cred_type)cred->type),
		 snapshot_string(v->s, cred->name));
	value = find_value(v, str_text(&name));
	str_free(&name);
	return value;
}

static int64_t free_procs(const struct lint_view *v)
{
	return v->s->procs_total - v->s->procs_busy;
}

static void say_capped(const struct lint_view *v, const struct cause *cause)
{
	const struct config_value *value = cause->value;
	struct str option = {0};
	int64_t free = free_procs(v);
	struct config_finding *found;

	config_print_name(value, &option);
	found = lint_found(v, "L13", value,
			   "the cap of %s %s keeps %" PRId64 " job%s waiting while %" PRId64
			   " processor%s free; is this intended?",
			   value->row->scope, value->title, cause->jobs.count, plural(cause->jobs.count),
			   free, free == 1 ? " is" : "s are");
	found->count = cause->jobs.count;
	lint_say_fix(found, str_text(&option), "none");
	str_free(&option);
}

static void capped_jobs(const struct lint_view *v)
{
	const struct queue *queue = &v->plan->queue;
	struct causes causes = {0};

	if (free_procs(v) <= 0)
		return;
	for (uint32_t i = 0; i < queue->blocked_count; i++) {
		const struct reason *reason = &queue->blocked_reason[i];
		const struct config_value *value = reason->gate == GATE_FS_CAP && reason->cred != INDEX_NONE
							   ? cap_value(v, reason)
							   : NULL;

		/* A job larger than the free processors would wait in any case. */
		if (value != NULL && job_procs(&snapshot_jobs(v->s)[queue->blocked[i]]) <= free_procs(v))
			add_cause(&causes, v, queue->blocked[i], value, reason);
	}
	for (size_t i = 0; i < causes.count; i++)
		say_capped(v, &causes.item[i]);
	free(causes.item);
}

void lint_jobs(const struct lint_view *v)
{
	bounded_jobs(v);
	rejected_jobs(v);
	unfit_jobs(v);
	beyond_alone(v);
	hidden_jobs(v);
	capped_jobs(v);
}

/* --- settings that the current nodes cannot satisfy --------------------------------------------------- */

/*
 * Rules L2 to L5 and L10. If there are no nodes, nothing is reported.
 */

/* --- partitions and classes ----------------------------------------------------------------- */

static bool has_nodes(const struct snapshot *s, const char *partition)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++) {
		uint32_t of = snapshot_nodes(s)[i].partition;

		if (str_same_word(snapshot_string(s, snapshot_partitions(s)[of].name), partition))
			return true;
	}
	return false;
}

static void empty_partition(const struct lint_view *v, const struct config_value *value)
{
	if (strcmp(value->row->scope, "partition") != 0 || has_nodes(v->s, value->title))
		return;
	lint_found(v, "L2", value,
		   "no node is in partition %s, so its weights have no effect; add one with node NAME { "
		   "partition = %s }",
		   value->title, value->title);
}

static bool is_taken(const struct snapshot *s, const char *class_name)
{
	int bit = snapshot_find_trait(s, TRAIT_CLASS, class_name);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++) {
		uint64_t classes = snapshot_nodes(s)[i].classes;

		if (classes == 0 || (bit >= 0 && (classes >> bit & 1) != 0))
			return true;
	}
	return false;
}

static bool has_features(const struct snapshot *s, uint64_t features)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++)
		if ((snapshot_nodes(s)[i].features & features) == features)
			return true;
	return false;
}

static void lost_class(const struct lint_view *v, const struct config_value *value)
{
	uint32_t cred;

	if (strcmp(value->row->scope, "class") != 0 || strcmp(value->title, CRED_DEFAULT) == 0)
		return;
	if (!is_taken(v->s, value->title))
		lint_found(v, "L3", value,
			   "no node accepts class %s, so its jobs never start; add it to the classes of some "
			   "nodes",
			   value->title);
	cred = snapshot_find_cred(v->s, CRED_CLASS, value->title);
	if (cred != INDEX_NONE && !has_features(v->s, snapshot_creds(v->s)[cred].attr.default_features))
		lint_found(v, "L4", value,
			   "no node has all the default.features of class %s, so its jobs never start; add "
			   "them to the features of some nodes",
			   value->title);
}

/* --- limits --------------------------------------------------------------------------------- */

/*
 * Returns the size of the whole machine in the unit of this kind of limit; 0 if the machine does not bound
 * it.
 */
static int64_t whole_machine(const struct snapshot *s, enum limit_kind kind)
{
	switch (kind) {
	case LIMIT_JOB: /* a running job has at least one processor */
	case LIMIT_PROC:
	case LIMIT_PE:
		return s->procs_total;
	case LIMIT_NODE:
		return snapshot_count(s, TABLE_NODES);
	case LIMIT_MEM:
		return s->mem_mb_total;
	default:
		return 0;
	}
}

static void above_the_machine(const struct lint_view *v, const struct config_value *value)
{
	struct config_limit limit;
	struct config_finding *found;
	struct str name = {0};
	int64_t most;

	if (value->row->form != FORM_LIMIT ||
	    !config_limit_read(value->row, value->second, value->second_len, value->value.text, &limit,
			       NULL) ||
	    limit.scope != LIMIT_ACTIVE || limit.soft == LIMIT_UNLIMITED)
		return;
	most = whole_machine(v->s, limit.kind);
	if (most <= 0 || limit.soft <= most)
		return;
	config_print_name(value, &name);
	found = lint_found(v, "L5", value, "%s is never reached: the whole machine has %" PRId64,
			   str_text(&name), most);
	lint_say_fix(found, str_text(&name), "%" PRId64, most);
	str_free(&name);
}

/* --- nodes ---------------------------------------------------------------------------------- */

static void all_drained(const struct lint_view *v)
{
	uint32_t nodes = snapshot_count(v->s, TABLE_NODES);
	struct config_finding *found;
	struct str name = {0};

	for (uint32_t i = 0; i < nodes; i++)
		if (!snapshot_nodes(v->s)[i].drained)
			return;
	str_addf(&name, "node[%s].drained", snapshot_string(v->s, snapshot_nodes(v->s)[0].name));
	found = lint_found(v, "L10", NULL,
			   "no job can start: all %" PRIu32 " nodes are drained; resume some of them", nodes);
	found->count = nodes;
	lint_say_fix(found, str_text(&name), "false");
	str_free(&name);
}

void lint_machine(const struct lint_view *v)
{
	if (snapshot_count(v->s, TABLE_NODES) == 0)
		return;
	for (size_t i = 0; i < v->values->count; i++) {
		const struct config_value *value = &v->values->item[i].value;

		if (lint_begins_section(v, i)) {
			empty_partition(v, value);
			lost_class(v, value);
		}
		above_the_machine(v, value);
	}
	all_drained(v);
}
