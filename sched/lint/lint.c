/* SPDX-License-Identifier: MIT */
/*
 * lint.c - lint of the settings in force
 *
 * The settings in force are the values of the configuration, in its order, with live changes applied. All
 * rules are checked; the most severe findings come first.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "config_lint.h"
#include "lint.h"
#include "lint_inside.h"
#include "sched/base/vec.h"

/* Appends an uninitialised finding; valid until the next call. */
static struct config_finding *lint_add(struct lint_list *list)
{
	list->item = vec_room(list->item, &list->room, list->count + 1, sizeof *list->item);
	return &list->item[list->count++];
}

struct config_finding *lint_found(const struct lint_view *v, const char *id, const struct config_value *value,
				  const char *format, ...)
{
	struct config_finding *finding = lint_add(v->out);
	va_list args;

	va_start(args, format);
	config_finding_say(finding, id, value, format, args);
	va_end(args);
	return finding;
}

void lint_say_fix(struct config_finding *finding, const char *name, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	config_finding_fix(finding, name, format, args);
	va_end(args);
}

bool lint_begins_section(const struct lint_view *v, size_t i)
{
	const struct config_value *value = &v->values->item[i].value, *before;

	if (i == 0)
		return true;
	before = &v->values->item[i - 1].value;
	return strcmp(before->row->scope, value->row->scope) != 0 || strcmp(before->title, value->title) != 0;
}

/* --- settings for credentials that do not exist ------------------------------------------------------- */

/*
 * Rules L1 and L12. The name may be a typing error, or the credential has no jobs yet. If there are no jobs
 * at all, nothing is reported.
 */

#define NAMED_MOST 3 /* maximum number of names in a message */

/* Returns a flag for each credential: does it have a job or fairshare usage? The caller frees the array. */
static bool *creds_in_use(const struct snapshot *s)
{
	uint32_t creds = snapshot_count(s, TABLE_CREDS);
	bool *there = mem_alloc((creds + 1) * sizeof *there);

	for (uint32_t i = 0; i < creds; i++)
		there[i] = snapshot_creds(s)[i].usage != INDEX_NONE;
	for (uint32_t slot = 0; slot < snapshot_count(s, TABLE_JOBS); slot++) {
		const struct job *job = &snapshot_jobs(s)[slot];

		for (int type = 0; job->state != JOB_NONE && type < CRED_TYPE_COUNT; type++)
			if (job->cred[type] != INDEX_NONE)
				there[job->cred[type]] = true;
	}
	return there;
}

/*
 * Is this the section of a user, group or account? The site defines classes and QOS, which need not have
 * jobs.
 */
static bool is_checked(const struct config_value *value)
{
	enum cred_type type = cred_type_find(value->row->scope);

	return (type == CRED_USER || type == CRED_GROUP || type == CRED_ACCOUNT) &&
	       strcmp(value->title, CRED_DEFAULT) != 0 && !str_same_word(value->title, CRED_NONE);
}

static bool is_missing(const struct snapshot *s, const bool *there, enum cred_type type, const char *name)
{
	uint32_t cred = snapshot_find_cred(s, type, name);

	return cred == INDEX_NONE || !there[cred];
}

static void strangers(const struct lint_view *v, const bool *there)
{
	const struct config_value *first = NULL;
	struct config_finding *found;
	struct str names = {0};
	int64_t count = 0;

	for (size_t i = 0; i < v->values->count; i++) {
		const struct config_value *value = &v->values->item[i].value;

		if (!lint_begins_section(v, i) || !is_checked(value) ||
		    !is_missing(v->s, there, cred_type_find(value->row->scope), value->title))
			continue;
		first = first == NULL ? value : first;
		if (count++ < NAMED_MOST)
			str_addf(&names, "%s%s %s", names.len > 0 ? ", " : "", value->row->scope,
				 value->title);
	}
	if (count > NAMED_MOST)
		str_addf(&names, " and %" PRId64 " more", count - NAMED_MOST);
	if (first != NULL) {
		found = lint_found(v, "L1", first,
				   "no job has or had this credential: %s; check the spelling",
				   str_text(&names));
		found->count = count;
	}
	str_free(&names);
}

static bool has_guest(const struct lint_view *v, const bool *there, const struct advance *advance)
{
	for (uint32_t i = 0; i < advance->guest_count; i++) {
		const struct guest *guest = &snapshot_guests(v->s)[advance->first_guest + i];

		if (guest->type == GUEST_JOB ? snapshot_find_job(v->s, guest->job) != INDEX_NONE
					     : guest->cred != INDEX_NONE && there[guest->cred])
			return true;
	}
	return advance->guest_count == 0;
}

static void reservations_for_absent_users(const struct lint_view *v, const bool *there)
{
	for (uint32_t i = 0; i < snapshot_count(v->s, TABLE_ADVANCES); i++) {
		const struct advance *advance = &snapshot_advances(v->s)[i];

		if (advance_is_over(advance, v->plan->now_s) || has_guest(v, there, advance))
			continue;
		lint_found(v, "L12", NULL,
			   "no guest of reservation %s has jobs or fairshare usage; 'kahu unreserve %s' "
			   "releases it",
			   snapshot_string(v->s, advance->name), snapshot_string(v->s, advance->name));
	}
}

static void lint_names(const struct lint_view *v)
{
	bool *there;

	if (v->plan->queue.active_count + snapshot_count(v->s, TABLE_WAITING) == 0)
		return;
	there = creds_in_use(v->s);
	strangers(v, there);
	reservations_for_absent_users(v, there);
	free(there);
}

/* --- settings that contradict each other -------------------------------------------------------------- */

/*
 * Rules L7 and L11.
 */

/* A ratio of hard to soft limits that differs by this factor may be due to a typing error. */
#define RATIO_APART 4

/* --- ratios of hard to soft limits ------------------------------------------------------------ */

/* The limits of one option row with the largest and the smallest ratio of hard to soft value. */
struct ratios {
	const struct config_value *most, *least;
	double most_ratio, least_ratio;
};

static double ratio_of(const struct config_value *value)
{
	struct config_limit limit;

	if (value->row->form != FORM_LIMIT ||
	    !config_limit_read(value->row, value->second, value->second_len, value->value.text, &limit,
			       NULL) ||
	    limit.hard == LIMIT_UNLIMITED || limit.soft >= limit.hard)
		return 0;
	return (double)limit.hard / (double)limit.soft;
}

static struct ratios ratios_of(const struct lint_view *v, const struct option *row)
{
	struct ratios r = {.most = NULL};

	for (size_t i = 0; i < v->values->count; i++) {
		const struct config_value *value = &v->values->item[i].value;
		double ratio = value->row == row ? ratio_of(value) : 0;

		if (ratio > 0 && (r.most == NULL || ratio > r.most_ratio)) {
			r.most = value;
			r.most_ratio = ratio;
		}
		if (ratio > 0 && (r.least == NULL || ratio < r.least_ratio)) {
			r.least = value;
			r.least_ratio = ratio;
		}
	}
	return r;
}

/* Checks L7 for each option row; most rows have no limits. */
static void uneven_ratios(const struct lint_view *v)
{
	for (size_t i = 0; i < config_row_count; i++) {
		const struct option *row = &config_rows[i];
		struct ratios r = row->form == FORM_LIMIT ? ratios_of(v, row) : (struct ratios){.most = NULL};

		if (r.most != NULL && r.least != NULL && r.most_ratio >= RATIO_APART * r.least_ratio)
			lint_found(v, "L7", r.most,
				   "%s: the hard limit is %.1f times the soft limit for %s %s, but %.1f "
				   "times for %s; is this intended?",
				   row->name, r.most_ratio, row->scope, r.most->title, r.least_ratio,
				   r.least->title);
	}
}

/* --- live changes of configured values ------------------------------------------------------------------ */

/*
 * Finds the configured value with the same name as a live change, and its line. Returns false if there is
 * none. Lists of names are skipped, because each of their elements is a separate value.
 */
static bool find_line(const struct snapshot *s, const struct config_value *live, int *line, const char **text)
{
	struct str name = {0}, other = {0};
	bool found = false;

	config_print_name(live, &name);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_VALUES); i++) {
		const struct config_entry *entry = &snapshot_values(s)[i];
		struct config_value value = {.row = &config_rows[entry->row],
					     .title = snapshot_string(s, entry->title),
					     .value.text = snapshot_string(s, entry->text)};

		if (value.row != live->row ||
		    (value.row->type == OPTION_LIST && value.row->form != FORM_LIMIT))
			continue;
		str_clear(&other);
		config_print_name(&value, &other);
		if (!str_same_word(str_text(&name), str_text(&other)))
			continue;
		found = true;
		*line = (int)entry->line;
		*text = config_value_text(&value);
	}
	str_free(&name);
	str_free(&other);
	return found;
}

/* Reports a live change that overrides a configured value. */
static void overridden_line(const struct lint_view *v, const struct change *change)
{
	const char *name = snapshot_string(v->s, change->name), *text = snapshot_string(v->s, change->value);
	const char *said = NULL;
	struct config_value value;
	struct config_finding *found;
	char title[CONFIG_TITLE];
	int line = 0;

	if (!config_resolve(name, text, &value, title, sizeof title, NULL) ||
	    !find_line(v->s, &value, &line, &said) || str_same_word(said, text))
		return;
	found = lint_found(v, "L11", NULL,
			   "%s has been %s since entry %" PRIu64
			   ", overriding %s in line %d of the configuration",
			   name, text, change->seq, said, line);
	found->line = line;
	lint_say_fix(found, name, "%s", said);
}

static bool is_last_of_name(const struct snapshot *s, uint32_t at)
{
	const struct change *change = snapshot_changes(s);

	for (uint32_t i = at + 1; i < snapshot_count(s, TABLE_CHANGES); i++)
		if (change[i].kind == CHANGE_SETTING && !change[i].dead &&
		    str_same_word(snapshot_string(s, change[i].name), snapshot_string(s, change[at].name)))
			return false;
	return true;
}

static void lint_settings(const struct lint_view *v)
{
	uneven_ratios(v);
	for (uint32_t i = 0; i < snapshot_count(v->s, TABLE_CHANGES); i++) {
		const struct change *change = &snapshot_changes(v->s)[i];

		if (change->kind == CHANGE_SETTING && !change->dead && is_last_of_name(v->s, i))
			overridden_line(v, change);
	}
}

/* --- the values in force ------------------------------------------------------------------------------ */

/*
 * Appends a value of the configuration. The snapshot has the values in the order of the configuration, so no
 * search is needed.
 */
static void add_entry(struct config_list *list, const struct snapshot *s, const struct config_entry *entry)
{
	const char *title = snapshot_string(s, entry->title), *text = snapshot_string(s, entry->text);
	struct config_value value = {.row = &config_rows[entry->row], .place.line = (int)entry->line};
	size_t title_size = strlen(title) + 1, text_size = strlen(text) + 1;
	char *words;

	if (!option_read(value.row, text, &value.value, NULL))
		return;
	words = mem_alloc(title_size + text_size);
	memcpy(words, title, title_size);
	memcpy(words + title_size, text, text_size);
	value.title = words;
	value.value.text = words + title_size;
	list->item = vec_room(list->item, &list->room, list->count + 1, sizeof *list->item);
	list->item[list->count++] = (struct config_kept){.value = value, .words = words};
}

static void add_change(struct config_list *list, const struct snapshot *s, const struct change *change)
{
	struct config_value value;
	char title[CONFIG_TITLE];

	if (change->kind == CHANGE_SETTING && change->dead == 0 &&
	    config_resolve(snapshot_string(s, change->name), snapshot_string(s, change->value), &value, title,
			   sizeof title, NULL))
		config_list_set(list, &value);
}

static void collect(struct config_list *list, const struct snapshot *s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_VALUES); i++)
		add_entry(list, s, &snapshot_values(s)[i]);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++)
		add_change(list, s, &snapshot_changes(s)[i]);
}

#define ROOM_AT_FIRST 32

static void judge_values(struct lint_list *out, const struct config_list *values)
{
	size_t found;

	out->item = vec_room(out->item, &out->room, ROOM_AT_FIRST, sizeof *out->item);
	found = config_lint_list(values, out->item, out->room);
	if (found > out->room) {
		out->item = vec_room(out->item, &out->room, found, sizeof *out->item);
		found = config_lint_list(values, out->item, out->room);
	}
	out->count = found;
}

/* --- order of findings -------------------------------------------------------------------------------- */

/* Sorts by severity, most severe first; findings of equal severity keep their order. */
static void sort_by_severity(struct lint_list *list)
{
	struct config_finding *sorted = mem_alloc((list->count + 1) * sizeof *sorted);
	size_t count = 0;

	for (int severity = SEVERITY_ERROR; severity >= SEVERITY_NOTE; severity--)
		for (size_t i = 0; i < list->count; i++)
			if ((int)list->item[i].severity == severity)
				sorted[count++] = list->item[i];
	memcpy(list->item, sorted, count * sizeof *sorted);
	free(sorted);
}

void lint_state(struct lint_list *list, const struct snapshot *s, const struct plan *plan)
{
	struct config_list values = {0};
	struct lint_view view = {.s = s, .plan = plan, .values = &values, .out = list};

	collect(&values, s);
	judge_values(list, &values);
	lint_jobs(&view);
	lint_machine(&view);
	lint_names(&view);
	lint_settings(&view);
	sort_by_severity(list);
	config_list_free(&values);
}

void lint_free(struct lint_list *list)
{
	free(list->item);
	*list = (struct lint_list){0};
}

/* --- comparing two lists of findings ------------------------------------------------------------------ */

static bool is_in_list(const struct lint_list *before, const struct config_finding *finding)
{
	for (size_t i = 0; i < before->count; i++) {
		const struct config_finding *old = &before->item[i];

		if (strcmp(old->id, finding->id) == 0 && strcmp(old->option, finding->option) == 0 &&
		    old->count >= finding->count)
			return true;
	}
	return false;
}

void lint_new(struct lint_list *out, const struct lint_list *before, const struct lint_list *after)
{
	out->count = 0;
	for (size_t i = 0; i < after->count; i++)
		if (!is_in_list(before, &after->item[i]))
			*lint_add(out) = after->item[i];
}

size_t lint_count(const struct lint_list *list, enum config_severity severity)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		count += list->item[i].severity == severity;
	return count;
}
