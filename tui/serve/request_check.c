/* SPDX-License-Identifier: MIT */
/*
 * request_check.c - complete validation of a client's request
 *
 * There is one function for each kind of event. It copies into a new event only the fields that a client may
 * set, so a field added to struct event or struct job later is dropped until it is listed here and in the
 * header.
 */
#include "request_check.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/un.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/config/config.h"
#include "sched/host/notifier.h"
#include "sched/model/advance.h"
#include "sched/model/array.h"
#include "sched/model/cred.h"
#include "sched/rm/launch.h"
#include "sched/rm/waiter.h"
#include "tui/submit/qsub.h"

/* --- removal of duplicates from the lists of a request ------------------------------------------------ */

/* --- words --------------------------------------------------------------------------------------- */

struct word {
	const char *at;
	size_t len;   /* bytes */
	size_t named; /* number of bytes, from the first, that identify the word */
	size_t place; /* position among all words */
};

static int compare_names(const struct word *a, const struct word *b)
{
	size_t len = a->named < b->named ? a->named : b->named;
	int order = strncasecmp(a->at, b->at, len);

	return order != 0 ? order : (a->named > b->named) - (a->named < b->named);
}

static int by_name_and_place(const void *a, const void *b)
{
	const struct word *x = a, *y = b;
	int order = compare_names(x, y);

	return order != 0 ? order : (x->place > y->place) - (x->place < y->place);
}

static int by_place(const void *a, const void *b)
{
	const struct word *x = a, *y = b;

	return (x->place > y->place) - (x->place < y->place);
}

static size_t split(const char *text, bool counted, struct word **out)
{
	struct word *word = NULL;
	size_t count = 0, room = 0, len;
	const char *at;

	while ((at = config_word(&text, &len)) != NULL) {
		const char *colon = counted ? memchr(at, ':', len) : NULL;

		word = vec_room(word, &room, count + 1, sizeof *word);
		word[count] = (struct word){.at = at, .len = len, .place = count};
		word[count++].named = colon == NULL ? len : (size_t)(colon - at);
	}
	*out = word;
	return count;
}

/* Of the words with the same name, keeps only the last one. The kept words stay in the order of the text.
 * Returns their number. */
static size_t keep_last(struct word *word, size_t count)
{
	size_t kept = 0;

	qsort(word, count, sizeof *word, by_name_and_place);
	for (size_t i = 0; i < count; i++)
		if (i + 1 == count || compare_names(&word[i], &word[i + 1]) != 0)
			word[kept++] = word[i];
	qsort(word, kept, sizeof *word, by_place);
	return kept;
}

const char *distinct_words(const char *text, bool counted, struct arena *arena)
{
	struct word *word;
	struct str out = {0};
	size_t count, kept;

	if (text == NULL)
		return NULL;
	count = split(text, counted, &word);
	kept = count < 2 ? count : keep_last(word, count);
	for (size_t i = 0; i < kept && kept < count; i++) {
		if (i > 0)
			str_add_char(&out, ' ');
		str_add_bytes(&out, word[i].at, word[i].len);
	}
	if (kept < count)
		text = arena_string(arena, str_text(&out));
	str_free(&out);
	free(word);
	return text;
}

/* --- dependencies ----------------------------------------------------------------------------------- */

struct placed {
	struct depend depend;
	uint32_t place;
};

static int compare_depends(const struct depend *a, const struct depend *b)
{
	if (a->on != b->on)
		return a->on < b->on ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	if (a->of != b->of)
		return a->of < b->of ? -1 : 1;
	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	return (a->state > b->state) - (a->state < b->state);
}

static int by_depend_and_place(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;
	int order = compare_depends(&x->depend, &y->depend);

	return order != 0 ? order : (x->place > y->place) - (x->place < y->place);
}

const struct depend *distinct_depends(const struct depend *item, uint32_t *count, struct arena *arena)
{
	struct placed *sorted;
	struct depend *out;
	bool *again;
	uint32_t kept = 0;

	if (*count < 2)
		return item;
	sorted = mem_zero(*count, sizeof *sorted);
	again = mem_zero(*count, sizeof *again);
	for (uint32_t i = 0; i < *count; i++)
		sorted[i] = (struct placed){item[i], i};
	qsort(sorted, *count, sizeof *sorted, by_depend_and_place);
	for (uint32_t i = 1; i < *count; i++)
		again[sorted[i].place] = compare_depends(&sorted[i - 1].depend, &sorted[i].depend) == 0;
	out = arena_take(arena, *count * sizeof *out);
	for (uint32_t i = 0; i < *count; i++)
		if (!again[i])
			out[kept++] = item[i];
	free(again);
	free(sorted);
	if (kept == *count)
		return item;
	*count = kept;
	return out;
}

/* Removes duplicate dependencies from a text in the syntax of depend_list_read(). A text that
 * depend_list_read() rejects is returned unchanged. */
static const char *distinct_depend_text(const char *text, struct arena *arena)
{
	struct depend_list list = {.item = NULL};
	const struct depend *kept;
	struct str out = {0};
	uint32_t count;

	if (depend_list_read(text, &list, NULL)) {
		count = (uint32_t)list.count;
		kept = distinct_depends(list.item, &count, arena);
		for (uint32_t i = 0; i < count && count < list.count; i++) {
			if (i > 0)
				str_add_char(&out, ',');
			state_add_depend(&kept[i], &out);
		}
		if (count < list.count)
			text = arena_string(arena, str_text(&out));
	}
	str_free(&out);
	free(list.item);
	return text;
}

/* --- events ------------------------------------------------------------------------------------------ */

static void of_submission(struct job_record *record, struct arena *arena)
{
	record->hosts = distinct_words(record->hosts, false, arena);
	record->features = distinct_words(record->features, false, arena);
	record->prefer = distinct_words(record->prefer, false, arena);
	record->gres = distinct_words(record->gres, true, arena);
	record->depend = distinct_depends(record->depend, &record->depend_count, arena);
}

static void of_modification(struct event *ev, struct arena *arena)
{
	const char *name = ev->modify.name;

	if (str_same_word(name, JOB_DEPEND_ATTRIBUTE))
		ev->modify.value = distinct_depend_text(ev->modify.value, arena);
	else if (str_same_word(name, "hosts") || str_same_word(name, "features") ||
		 str_same_word(name, "prefer"))
		ev->modify.value = distinct_words(ev->modify.value, false, arena);
	else if (str_same_word(name, "gres"))
		ev->modify.value = distinct_words(ev->modify.value, true, arena);
}

static size_t text_size(const char *text)
{
	return text != NULL ? strlen(text) : 0;
}

size_t lists_size(const struct event *ev)
{
	const struct job_record *job = &ev->submit;

	if (ev->kind == EVENT_MODIFY)
		return text_size(ev->modify.value);
	return ev->kind != EVENT_SUBMIT ? 0
					: text_size(job->hosts) + text_size(job->features) +
						  text_size(job->prefer) + text_size(job->gres);
}

void distinct_lists(struct event *ev, struct arena *arena)
{
	if (ev->kind == EVENT_SUBMIT)
		of_submission(&ev->submit, arena);
	else if (ev->kind == EVENT_MODIFY && ev->modify.name != NULL && ev->modify.value != NULL)
		of_modification(ev, arena);
}

/* --- complete validation of a client's request -------------------------------------------------------- */

/* --- texts ----------------------------------------------------------------------------------------- */

static bool check_bytes(const char *text, const char *what, size_t max, struct err *err)
{
	size_t len = strlen(text);

	if (len > max)
		return err_set(err, "%s has %zu bytes, but at most %zu are allowed", what, len, max);
	return qsub_is_shown(text) ||
	       err_set(err, "%s has bytes that cannot be displayed; use letters, digits and punctuation",
		       what);
}

/* Checks an optional text: NULL is valid. */
static bool check_optional(const char *text, const char *what, size_t max, struct err *err)
{
	return text == NULL || check_bytes(text, what, max, err);
}

static bool check_required(const char *text, const char *what, size_t max, struct err *err)
{
	if (text == NULL || text[0] == '\0')
		return err_set(err, "%s is missing", what);
	return check_bytes(text, what, max, err);
}

/* Checks the name of a credential or partition. */
static bool check_name(const char *text, const char *what, struct err *err)
{
	return check_required(text, what, CONFIG_TITLE - 1, err) &&
	       (cred_name_is_plain(text) ||
		err_set(err, "%s is not a valid name: \"%s\"; use letters, digits and %s", what, text,
			CRED_NAME_SIGNS));
}

/* --- a submission ---------------------------------------------------------------------------------- */

static bool check_names(const struct job_record *record, struct err *err)
{
	const struct {
		const char *text, *what;
	} names[] = {
		{record->cred[CRED_ACCOUNT], "the account of a submission"},
		{record->cred[CRED_CLASS], "the class of a submission"},
		{record->cred[CRED_QOS], "the QOS of a submission"},
		{record->partition, "the partition of a submission"},
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (names[i].text != NULL && !check_name(names[i].text, names[i].what, err))
			return false;
	return (record->name == NULL ||
		check_required(record->name, "the name of a submission", CONFIG_TITLE - 1, err)) &&
	       check_optional(record->features, "the list of features", REQUEST_VALUE_MAX, err) &&
	       check_optional(record->prefer, "the list of preferred features", REQUEST_VALUE_MAX, err) &&
	       check_optional(record->gres, "the list of generic resources", REQUEST_VALUE_MAX, err) &&
	       check_optional(record->hosts, "the list of hosts", REQUEST_VALUE_MAX, err);
}

static bool check_depend(const struct depend *depend, struct err *err)
{
	if (depend->type >= DEPEND_TYPE_COUNT || depend->of >= DEPEND_OF_COUNT)
		return err_set(err, "unknown kind of dependency");
	if (depend->on == 0)
		return err_set(err, "a dependency is on job 0; jobs are numbered from 1");
	if (depend->number > ARRAY_INDEX_MAX)
		return err_set(err, "a dependency is on task %" PRIu32 ", but task numbers end at %d",
			       depend->number, ARRAY_INDEX_MAX);
	if (depend->number > 0 && depend->of != DEPEND_ON_TASK)
		return err_set(err,
			       "a dependency has task number %" PRIu32 ", but is not on a task of an array",
			       depend->number);
	return depend->state == DEPEND_OPEN ||
	       err_set(err, "a submission cannot mark a dependency as met; omit the marks + and -");
}

static bool check_lists(const struct job_record *record, struct err *err)
{
	if (record->run_count > 0)
		return err_set(err, "a submission cannot assign nodes; the scheduler chooses them");
	if (record->depend_count > ARRAY_DEPENDS_MAX)
		return err_set(err, "a submission has %" PRIu32 " dependencies, but at most %d are allowed",
			       record->depend_count, ARRAY_DEPENDS_MAX);
	for (uint32_t i = 0; i < record->depend_count; i++)
		if (!check_depend(&record->depend[i], err))
			return false;
	if (record->range_count == 0)
		return record->job.array_limit == 0 ||
		       err_set(err, "only an array can limit the number of its running tasks");
	return array_check(record->ranges, record->range_count, err);
}

static bool check_moments(const struct job *job, struct err *err)
{
	if (job->wall_limit_s < 0 || job->wall_limit_s > MOMENT_MAX_S)
		return err_set(err, "a wallclock limit must be between 1 and %lld seconds, got %lld",
			       (long long)MOMENT_MAX_S, (long long)job->wall_limit_s);
	return job->not_before_s == TIME_NONE ||
	       (job->not_before_s >= 0 && job->not_before_s <= MOMENT_MAX_S) ||
	       err_set(err, "a start date must be between 0 and %lld seconds since 1970, got %lld",
		       (long long)MOMENT_MAX_S, (long long)job->not_before_s);
}

/* Checks the size of a job. A job without a wallclock limit receives one later, within the same bounds. */
static bool check_size(struct job job, struct err *err)
{
	if (job.wall_limit_s == 0)
		job.wall_limit_s = 1;
	return state_check_size(&job, err);
}

static bool check_flags(const struct job_record *record, struct err *err)
{
	const struct job *job = &record->job;

	if ((job->base_holds & ~JOB_HOLD_USER) != 0)
		return err_set(
			err,
			"a job can be submitted only with a user hold or without holds, got hold bits %u",
			job->base_holds);
	if ((job->real & ~(JOB_REAL_LAUNCH | JOB_REAL_RERUN | JOB_REAL_FORCED | JOB_REAL_MAIL)) != 0)
		return err_set(err, "a new job cannot be marked as suspended or requeued");
	return ((job->real & JOB_REAL_LAUNCH) != 0) == (record->launch != NULL) ||
	       err_set(err, "the submission %s",
		       record->launch != NULL ? "has launch data but does not announce it"
					      : "has no script or command");
}

/* --- launches -------------------------------------------------------------------------------------- */

static bool check_variables(const struct launch_words *environment, struct err *err)
{
	for (uint32_t i = 0; i < environment->count; i++)
		for (const char *at = environment->item[i]; *at != '='; at++)
			if ((unsigned char)*at <= ' ' || *at == 0x7f)
				return err_set(err,
					       "the name of a variable has blanks or control bytes: %.40s",
					       environment->item[i]);
	return true;
}

static bool check_path(const char *path, const char *what, bool pattern, struct err *err)
{
	const struct launch any = {.job = 1, .label = "1[1]", .user = "user"};
	struct str out = {0};
	bool good;

	if (path == NULL)
		return true;
	if (strlen(path) >= PATH_MAX)
		return err_set(err, "the path of %s has %zu bytes, but at most %d are allowed", what,
			       strlen(path), PATH_MAX - 1);
	good = !pattern || launch_path(path, &any, &out, err);
	str_free(&out);
	return good;
}

static bool check_mail(const struct launch *launch, struct err *err)
{
	if (launch->mail == NULL)
		return launch->mail_to == NULL ||
		       err_set(err, "the submission has mail addresses but no mail events");
	if (launch->mail[0] == '\0' || strspn(launch->mail, "abe") != strlen(launch->mail) ||
	    strlen(launch->mail) > 3)
		return err_set(err,
			       "invalid mail events \"%.10s\"; use one to three of the letters a, b and e",
			       launch->mail);
	return launch->mail_to == NULL || mail_check_addresses(launch->mail_to, err);
}

/* Checks the fields of the launch data that a client may set. The fields that are set when the job starts
 * belong to the scheduler; authorization.c clears them. */
static bool check_launch_fields(const struct launch *launch, struct err *err)
{
	if (launch->command.count == 0 && launch->script_size == 0)
		return err_set(err, "the submission has no script or command");
	if (launch->waiter != NULL && strlen(launch->waiter) >= sizeof((struct sockaddr_un *)0)->sun_path)
		return err_set(err,
			       "the path of the waiter's socket has %zu bytes, but at most %zu are allowed",
			       strlen(launch->waiter), sizeof((struct sockaddr_un *)0)->sun_path - 1);
	if (launch->waiter_key != NULL && (launch->waiter == NULL || !waiter_is_key(launch->waiter_key)))
		return err_set(err, "the key of the waiter's socket must have %d hexadecimal digits",
			       WAITER_KEY);
	return check_variables(&launch->environment, err) &&
	       check_path(launch->shell, "the shell", false, err) &&
	       check_path(launch->dir, "the working directory", false, err) &&
	       check_path(launch->submit_dir, "the folder of the submission", false, err) &&
	       check_path(launch->input, "the input", true, err) &&
	       check_path(launch->output, "the output", true, err) &&
	       check_path(launch->errors, "the errors", true, err) && check_mail(launch, err);
}

static bool check_launch(const struct job_record *record, struct err *err)
{
	struct launch launch;
	void *room = NULL;
	bool good;

	if (record->launch == NULL)
		return true;
	good = launch_read(record->launch, record->launch_size, &launch, &room, err) &&
	       check_launch_fields(&launch, err);
	free(room);
	return good;
}

/* --- kinds of events --------------------------------------------------------------------------------- */

/*
 * Validates the fields that a client may set and copies them from *from to *to, which already has the fields
 * common to all kinds. Returns false with err set if one is invalid.
 */
typedef bool part_checker(const struct event *from, struct event *to, struct err *err);

static bool check_submit(const struct event *from, struct event *to, struct err *err)
{
	const struct job_record *asked = &from->submit;
	const struct job *job = &asked->job;
	struct job_record *kept = &to->submit;

	if (!check_names(asked, err) || !check_lists(asked, err) || !check_moments(job, err) ||
	    !check_size(*job, err) || !check_flags(asked, err) || !check_launch(asked, err))
		return false;
	*kept = (struct job_record){
		.job = {.not_before_s = job->not_before_s,
			.wall_limit_s = job->wall_limit_s,
			.true_run_s = -1,
			.start_s = TIME_NONE,
			.planned_s = TIME_NEVER,
			.mem_mb = job->mem_mb,
			.swap_mb = job->swap_mb,
			.disk_mb = job->disk_mb,
			.defer_until_s = TIME_NONE,
			.used_ps = -1,
			.qos_asked = INDEX_NONE,
			.tasks_per_node = job->tasks_per_node,
			.tasks = job->tasks,
			.task_procs = job->task_procs,
			.nodes = job->nodes,
			.depend = INDEX_NONE,
			.array_limit = job->array_limit,
			.run = INDEX_NONE,
			.base_points = job->base_points,
			.base_holds = job->base_holds,
			.access = job->access,
			.allocation = job->allocation,
			.real = job->real},
		.partition = asked->partition,
		.name = asked->name,
		.features = asked->features,
		.prefer = asked->prefer,
		.gres = asked->gres,
		.hosts = asked->hosts,
		.depend = asked->depend,
		.depend_count = asked->depend_count,
		.ranges = asked->ranges,
		.range_count = asked->range_count,
		.launch = asked->launch,
		.launch_size = asked->launch_size,
	};
	memset(kept->job.cred, 0xff, sizeof kept->job.cred);
	kept->cred[CRED_ACCOUNT] = asked->cred[CRED_ACCOUNT];
	kept->cred[CRED_CLASS] = asked->cred[CRED_CLASS];
	kept->cred[CRED_QOS] = asked->cred[CRED_QOS];
	return true;
}

static bool check_plain(const struct event *from, struct event *to, struct err *err)
{
	(void)from;
	(void)to;
	(void)err;
	return true;
}

static bool check_suspend(const struct event *from, struct event *to, struct err *err)
{
	const unsigned both = SUSPEND_RELEASE | SUSPEND_KEEP;
	unsigned how = from->suspend.how;

	to->suspend.on = from->suspend.on;
	to->suspend.how = from->suspend.how;
	if (from->until_s != 0 && !from->suspend.on)
		return err_set(err, "a resume cannot be temporary");
	if (how != 0 && !from->suspend.on)
		return err_set(
			err, "a resume cannot choose what happens to processors (got %u); only a suspend can",
			how);
	return ((how & ~both) == 0 && how != both) ||
	       err_set(err, "a suspend must either release or keep the processors of its job, got %u", how);
}

static bool check_signal(const struct event *from, struct event *to, struct err *err)
{
	to->signal.number = from->signal.number;
	return (to->signal.number >= 1 && to->signal.number <= EVENT_SIGNAL_MAX) ||
	       err_set(err, "there is no signal %u; signals are numbered from 1 to %d", to->signal.number,
		       EVENT_SIGNAL_MAX);
}

static bool check_hold(const struct event *from, struct event *to, struct err *err)
{
	to->hold.bits = from->hold.bits;
	to->hold.on = from->hold.on;
	to->hold.reason = from->hold.reason;
	if (to->hold.bits == 0 || to->hold.bits > JOB_HOLD_ALL)
		return err_set(err, "no kind of hold was given; the kinds are user, system and batch");
	return check_optional(to->hold.reason, "the reason for a hold", REQUEST_REASON_MAX, err);
}

static bool check_priority(const struct event *from, struct event *to, struct err *err)
{
	to->priority.adjust = from->priority.adjust;
	to->priority.points = from->priority.points;
	if (to->priority.adjust > JOB_ADJUST_ABSOLUTE)
		return err_set(err, "a priority can only be set, changed by points, or reset");
	return (to->priority.points >= -REQUEST_POINTS_MAX && to->priority.points <= REQUEST_POINTS_MAX) ||
	       err_set(err, "a priority change of %lld points exceeds the maximum of +-%d",
		       (long long)to->priority.points, REQUEST_POINTS_MAX);
}

/* Is the value of the attribute a name that many jobs can share, such as an account? */
static bool is_name_of_many(const char *attribute)
{
	return str_same_word(attribute, "account") || str_same_word(attribute, "class") ||
	       str_same_word(attribute, "qos") || str_same_word(attribute, "partition");
}

static bool check_modify(const struct event *from, struct event *to, struct err *err)
{
	to->modify.name = from->modify.name;
	to->modify.value = from->modify.value;
	if (to->modify.value == NULL)
		return err_set(err, "no value was given for the attribute of a job");
	if (!check_required(to->modify.name, "the name of a job's attribute", REQUEST_NAME_MAX, err) ||
	    !check_bytes(to->modify.value, "the value of a job's attribute", REQUEST_VALUE_MAX, err))
		return false;
	return to->modify.value[0] == '\0' || !is_name_of_many(to->modify.name) ||
	       check_name(to->modify.value, "the value of a job's attribute", err);
}

static bool check_setting(const struct event *from, struct event *to, struct err *err)
{
	to->setting.name = from->setting.name;
	to->setting.value = from->setting.value;
	if (to->setting.value == NULL)
		return err_set(err, "no value was given for a setting");
	return check_required(to->setting.name, "the name of a setting", REQUEST_NAME_MAX, err) &&
	       check_bytes(to->setting.value, "the value of a setting", REQUEST_VALUE_MAX, err);
}

static bool check_undo(const struct event *from, struct event *to, struct err *err)
{
	to->undo.seq = from->undo.seq;
	return to->undo.seq > 0 ||
	       err_set(err, "there is no entry 0; the entries of the journal are numbered from 1");
}

static bool check_halt(const struct event *from, struct event *to, struct err *err)
{
	(void)err;
	to->halt.on = from->halt.on;
	to->halt.after = from->halt.after;
	return true;
}

/*
 * Accepts only an event that clears a deferral. Failed starts are reported by the resource manager; from a
 * client, a report of a failed start would put a running job back into the queue.
 */
static bool check_defer(const struct event *from, struct event *to, struct err *err)
{
	to->defer.until_s = TIME_NONE;
	return (from->defer.until_s == TIME_NONE && !from->defer.failed_start) ||
	       err_set(err, "'%s' is an event of the scheduler and cannot be requested",
		       event_kind_name(EVENT_DEFER));
}

static bool check_start(const struct event *from, struct event *to, struct err *err)
{
	to->start.runs = from->start.runs;
	to->start.count = from->start.count;
	if (to->start.count == 0 || to->start.count > REQUEST_RUNS_MAX)
		return err_set(err, "a start must name between 1 and %d groups of nodes, got %" PRIu32,
			       REQUEST_RUNS_MAX, to->start.count);
	for (uint32_t i = 0; i < to->start.count; i++) {
		const struct alloc_run *run = &to->start.runs[i];

		if (run->nodes == 0 || run->procs == 0 || run->nodes > UINT32_MAX - run->node)
			return err_set(err, "a start names a group of nodes that cannot exist");
	}
	return true;
}

/* Checks the names of guests. They become credentials, like the names in a submission. */
static bool check_guests(const struct advance_text *text, struct err *err)
{
	for (size_t i = 0; i < text->guest_count; i++)
		if (text->guest[i].type != GUEST_JOB &&
		    !check_required(text->guest[i].name, "the name of a guest of a reservation",
				    CONFIG_TITLE - 1, err))
			return false;
	return true;
}

static bool check_reserve(const struct event *from, struct event *to, struct err *err)
{
	struct advance_text text;
	bool good;

	to->reserve.name = from->reserve.name;
	to->reserve.text = from->reserve.text;
	if (!advance_check_name(to->reserve.name, err) || !advance_read(to->reserve.text, &text, err))
		return false;
	good = check_guests(&text, err) &&
	       check_optional(text.reason, "the reason for a reservation", REQUEST_REASON_MAX, err);
	advance_text_free(&text);
	return good && (qsub_is_shown(to->reserve.text) ||
			err_set(err, "the text of a reservation has bytes that cannot be displayed"));
}

static bool check_unreserve(const struct event *from, struct event *to, struct err *err)
{
	to->reserve.name = from->reserve.name;
	return advance_check_name(to->reserve.name, err);
}

static bool check_used(const struct used_by *used, struct err *err)
{
	if (used->type >= CRED_TYPE_COUNT)
		return err_set(err, "fairshare usage has an unknown type of credential");
	if (used->amount < 0 || used->amount > REQUEST_USED_MAX)
		return err_set(err,
			       "fairshare usage must be between 0 and %lld thousandths of a "
			       "processor-second, got %lld",
			       (long long)REQUEST_USED_MAX, (long long)used->amount);
	return check_required(used->name, "the name of a credential with fairshare usage", CONFIG_TITLE - 1,
			      err);
}

static bool check_usage(const struct event *from, struct event *to, struct err *err)
{
	const struct usage_window *window = &from->usage;

	to->usage = *window;
	if (window->begin_s < 0 || window->begin_s > MOMENT_MAX_S || window->length_s <= 0 ||
	    window->length_s > MOMENT_MAX_S)
		return err_set(
			err,
			"a window of fairshare usage must begin between 0 and %lld seconds since 1970 and "
			"last at least one second, got begin %lld and length %lld",
			(long long)MOMENT_MAX_S, (long long)window->begin_s, (long long)window->length_s);
	if (window->total < 0 || window->total > REQUEST_USED_MAX)
		return err_set(err,
			       "the total usage of a fairshare window must be between 0 and %lld thousandths "
			       "of a processor-second",
			       (long long)REQUEST_USED_MAX);
	for (uint32_t i = 0; i < window->count; i++)
		if (!check_used(&window->item[i], err))
			return false;
	return true;
}

/* --- whole requests -------------------------------------------------------------------------------- */

/* By kind of event; check NULL: clients may not send this kind. */
static const struct kind_row {
	part_checker *check;
	bool about_job;
	bool for_a_while; /* may be temporary: a suspend, or a temporary change of a console's draft */
} kinds[EVENT_KIND_COUNT] = {
	[EVENT_SUBMIT] = {check_submit, false, false},  [EVENT_START] = {check_start, true, false},
	[EVENT_HOLD] = {check_hold, true, true},        [EVENT_PRIORITY] = {check_priority, true, true},
	[EVENT_SETTING] = {check_setting, false, true}, [EVENT_UNDO] = {check_undo, false, true},
	[EVENT_CANCEL] = {check_plain, true, false},    [EVENT_DEFER] = {check_defer, true, false},
	[EVENT_MODIFY] = {check_modify, true, true},    [EVENT_USAGE] = {check_usage, false, false},
	[EVENT_SUSPEND] = {check_suspend, true, true},  [EVENT_REQUEUE] = {check_plain, true, false},
	[EVENT_HALT] = {check_halt, false, true},       [EVENT_SIGNAL] = {check_signal, true, false},
	[EVENT_RESERVE] = {check_reserve, false, true}, [EVENT_UNRESERVE] = {check_unreserve, false, true},
	[EVENT_KEEP] = {check_undo, false, false},
};

static bool check_until(const struct event *ev, const struct kind_row *row, struct err *err)
{
	if (ev->until_s == 0)
		return true;
	if (!row->for_a_while)
		return err_set(err, "'%s' cannot be temporary", event_kind_name(ev->kind));
	return (ev->until_s > 0 && ev->until_s <= MOMENT_MAX_S) ||
	       err_set(err, "a temporary change must end between 1 and %lld seconds since 1970, got %lld",
		       (long long)MOMENT_MAX_S, (long long)ev->until_s);
}

static bool check_common(const struct event *ev, const struct kind_row *row, struct err *err)
{
	if (row->about_job && ev->job == 0)
		return err_set(err, "'%s' names job 0; jobs are numbered from 1", event_kind_name(ev->kind));
	return check_until(ev, row, err) && check_optional(ev->why, "a reason", REQUEST_REASON_MAX, err);
}

bool request_check_event(struct event *ev, struct err *err)
{
	const struct kind_row *row =
		(int)ev->kind > 0 && ev->kind < EVENT_KIND_COUNT ? &kinds[ev->kind] : NULL;
	struct event kept = {.kind = ev->kind, .until_s = ev->until_s, .why = ev->why};

	if (row == NULL || row->check == NULL)
		return err_set(err, "'%s' is an event of the scheduler and cannot be requested",
			       event_kind_name(ev->kind));
	if (!check_common(ev, row, err) || !row->check(ev, &kept, err))
		return false;
	kept.job = row->about_job ? ev->job : 0;
	*ev = kept;
	return true;
}

bool request_check_name(const struct job_ref *name, struct err *err)
{
	return check_optional(name->label, "the label of a job", REQUEST_NAME_MAX, err);
}

static bool check_ids(const struct history_filter *wish, struct err *err)
{
	for (uint32_t i = 0; i < wish->id_count; i++)
		if (wish->id[i].first > wish->id[i].last ||
		    (i > 0 && wish->id[i].first <= wish->id[i - 1].last))
			return err_set(
				err, "the ID ranges in a request for ended jobs are not in ascending order");
	return true;
}

static bool wants_all(const struct history_filter *wish)
{
	return wish->after.end_s == 0 && wish->after.job == 0 && wish->before.end_s == 0 &&
	       wish->before.job == 0 && !wish->backward && !wish->ran && wish->user == NULL &&
	       wish->id_count == 0;
}

bool request_check_past(const struct past_wish *past, bool of_past, struct err *err)
{
	const struct history_filter *wish = &past->jobs;

	if (!of_past || past->journal)
		return (!past->own && wants_all(wish)) ||
		       err_set(err, "only a request for ended jobs can have a filter");
	if (wish->id_count > HISTORY_IDS_MAX || wish->after.job == UINT64_MAX)
		return err_set(err,
			       "a request for ended jobs contains too many ID ranges or an invalid job ID");
	if (wish->user != NULL &&
	    !check_required(wish->user, "the user of ended jobs", REQUEST_NAME_MAX, err))
		return false;
	return check_ids(wish, err);
}
