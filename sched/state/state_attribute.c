/* SPDX-License-Identifier: MIT */
/*
 * state_attribute.c - attributes of jobs that can be changed, and their text form
 *
 * One row per attribute; the same three functions check, set and print all attributes of a form. A printed
 * value can be set again with the same result, so that a change can store it as text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "state_inside.h"

enum attribute_form {
	AS_SECONDS,
	AS_SIZE,
	AS_NUMBER,
	AS_DATE,
	AS_TRAITS,
	AS_RESOURCES,
	AS_HOSTS,
	AS_QOS,
	AS_DEPENDS,
	AS_PART,
	AS_ACCESS,
	AS_ALLOCATE
};

#define FIELD(f) .offset = offsetof(struct job, f)

const struct job_attribute job_attributes[] = {
	{"walltime", AS_SECONDS, "a duration", FIELD(wall_limit_s)},
	{"starttime", AS_DATE, "a time, or none", FIELD(not_before_s)},
	{"qos", AS_QOS, "a QOS, or empty for the default", 0},
	{"partition", AS_PART, "a partition", 0},
	{"nodes", AS_NUMBER, "a number of nodes, 0 for any number", FIELD(nodes)},
	{"tpn", AS_NUMBER, "tasks per node, 0 for any number", FIELD(tasks_per_node)},
	{"mem", AS_SIZE, "memory per task", FIELD(mem_mb)},
	{"swap", AS_SIZE, "virtual memory per task", FIELD(swap_mb)},
	{"disk", AS_SIZE, "local disk per task", FIELD(disk_mb)},
	{"gres", AS_RESOURCES, "generic resources per task, such as gpu:2", 0},
	{"features", AS_TRAITS, "features of its nodes", FIELD(features)},
	{"prefer", AS_TRAITS, "preferred features of its nodes", FIELD(prefer)},
	{"hosts", AS_HOSTS, "names of nodes", 0},
	{"access", AS_ACCESS, "who may share its nodes", FIELD(access)},
	{"nallocpolicy", AS_ALLOCATE, "how its nodes are chosen", FIELD(allocation)},
	{"throttle", AS_NUMBER, "how many tasks of its array may run at a time, 0 for any number",
	 FIELD(array_limit)},
	{JOB_DEPEND_ATTRIBUTE, AS_DEPENDS, "jobs that must come first, such as afterok:12", 0},
};
const size_t job_attribute_count = sizeof job_attributes / sizeof job_attributes[0];

const struct job_attribute *state_find_attribute(const char *name)
{
	for (size_t i = 0; i < job_attribute_count; i++)
		if (str_same_word(job_attributes[i].name, name))
			return &job_attributes[i];
	return NULL;
}

/* --- numbers ---------------------------------------------------------------------------------- */

static void *field_of(struct job *job, const struct job_attribute *a)
{
	return (char *)job + a->offset;
}

static const void *field_in(const struct job *job, const struct job_attribute *a)
{
	return (const char *)job + a->offset;
}

/* "none" means no date. */
static bool read_date(const char *text, int64_t now_s, int64_t *out, struct err *err)
{
	if (text[0] != '\0' && !str_same_word(text, "none"))
		return str_read_whole(text, out) || moment_parse(text, now_s, out, err);
	*out = TIME_NONE;
	return true;
}

static bool read_number(const struct snapshot *s, const struct job_attribute *a, const char *text,
			int64_t *out, struct err *err)
{
	switch ((enum attribute_form)a->form) {
	case AS_SECONDS:
		return str_read_whole(text, out) || duration_parse(text, out, err);
	case AS_SIZE:
		return memory_parse(text, out, err);
	case AS_DATE:
		return read_date(text, s->now_s, out, err);
	default:
		return (str_read_whole(text, out) && *out >= 0 && *out <= UINT32_MAX) ||
		       err_set(err, "\"%s\" is not a whole number from 0 to %u", text, UINT32_MAX);
	}
}

static void store_number(struct job *job, const struct job_attribute *a, int64_t number)
{
	if (a->form == AS_NUMBER)
		*(uint32_t *)field_of(job, a) = (uint32_t)number;
	else
		*(int64_t *)field_of(job, a) = number;
}

static bool check_number(const struct state *st, const struct job *job, const struct job_attribute *a,
			 const char *text, struct err *err)
{
	struct job changed = *job;
	int64_t number;

	if (!read_number(st->s, a, text, &number, err))
		return false;
	store_number(&changed, a, number);
	if (changed.array == 0 && changed.array_limit != 0)
		return err_set(err, "job %llu is not a task of an array", (unsigned long long)job->id);
	return state_check_size(&changed, err);
}

static void set_number(struct state *st, struct job *job, const struct job_attribute *a, const char *text)
{
	int64_t number;

	if (read_number(st->s, a, text, &number, NULL))
		store_number(job, a, number);
}

static void print_size(const struct snapshot *s, const struct job *job, const struct job_attribute *a,
		       struct str *out)
{
	(void)s;
	str_addf(out, "%lld", (long long)*(const int64_t *)field_in(job, a));
}

/* Jobs from traces may have limits and dates outside of the accepted range: these are printed as plain
 * numbers. */
static void print_seconds(const struct snapshot *s, const struct job *job, const struct job_attribute *a,
			  struct str *out)
{
	int64_t duration_s = *(const int64_t *)field_in(job, a);
	char text[DURATION_TEXT];

	if (duration_s > DURATION_MAX_S)
		print_size(s, job, a, out);
	else
		str_add(out, duration_text(text, duration_s));
}

static void print_number(const struct snapshot *s, const struct job *job, const struct job_attribute *a,
			 struct str *out)
{
	(void)s;
	str_addf(out, "%u", *(const uint32_t *)field_in(job, a));
}

static void print_date(const struct snapshot *s, const struct job *job, const struct job_attribute *a,
		       struct str *out)
{
	int64_t date_s = *(const int64_t *)field_in(job, a);
	char text[MOMENT_TEXT];

	if (date_s == TIME_NONE)
		str_add(out, "none");
	else if (date_s < 0 || date_s > MOMENT_MAX_S)
		print_size(s, job, a, out);
	else
		str_add(out, moment_iso(text, date_s));
}

/* --- traits and nodes --------------------------------------------------------------------------- */

static enum job_unknown asked_by(const struct job_attribute *a)
{
	if (a->form == AS_RESOURCES)
		return UNKNOWN_GRES;
	return a->offset == offsetof(struct job, prefer) ? UNKNOWN_PREFER : UNKNOWN_FEATURES;
}

static bool check_traits(const struct state *st, const struct job *job, const struct job_attribute *a,
			 const char *text, struct err *err)
{
	(void)st;
	(void)job;
	return state_read_names(a->form == AS_RESOURCES ? TRAIT_GRES : TRAIT_FEATURE, text, err);
}

static void set_traits(struct state *st, struct job *job, const struct job_attribute *a, const char *text)
{
	state_name_traits(st, job, asked_by(a), text);
}

static void print_traits(const struct snapshot *s, const struct job *job, const struct job_attribute *a,
			 struct str *out)
{
	snapshot_job_traits(s, job, asked_by(a), out);
}

static bool check_hosts(const struct state *st, const struct job *job, const struct job_attribute *a,
			const char *text, struct err *err)
{
	const char *word;
	size_t len;
	struct str name = {0};
	bool good = true;

	(void)job;
	(void)a;
	while (good && (word = config_word(&text, &len)) != NULL) {
		str_clear(&name);
		str_add_bytes(&name, word, len);
		good = state_find_node(st, str_text(&name)) != INDEX_NONE ||
		       err_set(err, "there is no node %s", str_text(&name));
	}
	str_free(&name);
	return good;
}

static void set_hosts(struct state *st, struct job *job, const struct job_attribute *a, const char *text)
{
	struct str hosts = {0};
	const char *word;
	size_t len;

	(void)a;
	while ((word = config_word(&text, &len)) != NULL) {
		if (hosts.len > 0)
			str_add_char(&hosts, ' ');
		str_add_bytes(&hosts, word, len);
	}
	state_waste_string(st, job->hosts);
	job->hosts = state_add_string(st, str_text(&hosts));
	str_free(&hosts);
}

static void print_hosts(const struct snapshot *s, const struct job *job, const struct job_attribute *a,
			struct str *out)
{
	(void)a;
	str_add(out, snapshot_string(s, job->hosts));
}

/* --- QOS and partition ------------------------------------------------------------------------ */

/*
 * May the job have this QOS? A name that is not a credential is in no list, so it is allowed only if there
 * are no lists.
 */
static bool check_qos(const struct state *st, const struct job *job, const struct job_attribute *a,
		      const char *text, struct err *err)
{
	uint32_t qos = state_find_cred(st, CRED_QOS, text);
	const char *user = snapshot_job_cred(st->s, job, CRED_USER);

	(void)a;
	if (qos == INDEX_NONE)
		qos = snapshot_count(st->s, TABLE_CREDS);
	if (strchr(text, '\n') != NULL)
		return err_set(err, "the name of a QOS must be on one line");
	return text[0] == '\0' || snapshot_qos_for(st->s, job->cred, qos) == qos ||
	       err_set(err,
		       "QOS %s is not open to the job of %s: see qlist of its user, group, account and "
		       "class",
		       text, user == NULL ? "nobody" : user);
}

/*
 * A single name is both the requested and the granted QOS: the check has ensured that the job may have it.
 * Without a name the job gets the default. If the requested and the granted QOS differ, a change stores both
 * on two lines, because the default may have changed since.
 */
static void set_qos(struct state *st, struct job *job, const struct job_attribute *a, const char *text)
{
	const char *given = strchr(text, '\n');
	struct str asked = {0};

	(void)a;
	str_add_bytes(&asked, text, given == NULL ? strlen(text) : (size_t)(given - text));
	job->qos_asked = asked.len == 0 ? INDEX_NONE : state_intern_cred(st, CRED_QOS, str_text(&asked));
	if (given != NULL)
		job->cred[CRED_QOS] =
			given[1] == '\0' ? INDEX_NONE : state_intern_cred(st, CRED_QOS, given + 1);
	else if (asked.len > 0)
		job->cred[CRED_QOS] = job->qos_asked;
	else
		job->cred[CRED_QOS] = snapshot_qos_for(st->s, job->cred, INDEX_NONE);
	str_free(&asked);
}

static void print_qos(const struct snapshot *s, const struct job *job, const struct job_attribute *a,
		      struct str *out)
{
	const char *given = snapshot_job_cred(s, job, CRED_QOS);

	(void)a;
	if (job->qos_asked != INDEX_NONE)
		str_add(out, snapshot_string(s, snapshot_creds(s)[job->qos_asked].name));
	if (job->qos_asked == INDEX_NONE || job->qos_asked != job->cred[CRED_QOS])
		str_addf(out, "\n%s", given == NULL ? "" : given);
}

static bool check_partition(const struct state *st, const struct job *job, const struct job_attribute *a,
			    const char *text, struct err *err)
{
	(void)job;
	(void)a;
	return state_find_partition(st, text) != INDEX_NONE || err_set(err, "there is no partition %s", text);
}

static void set_partition(struct state *st, struct job *job, const struct job_attribute *a, const char *text)
{
	(void)a;
	job->partition = state_intern_partition(st, text);
}

static void print_partition(const struct snapshot *s, const struct job *job, const struct job_attribute *a,
			    struct str *out)
{
	(void)a;
	str_add(out, snapshot_string(s, snapshot_partitions(s)[job->partition].name));
}

/* --- choices that are also options ------------------------------------------------------ */

/*
 * Returns the option with the same choices. The attribute also has the value "none", which means the site's
 * setting.
 */
static const struct option *choice_row(const struct job_attribute *a)
{
	return option_find(config_rows, config_row_count, "",
			   a->form == AS_ACCESS ? "nodeaccesspolicy" : "nodeallocationpolicy");
}

/* Parses a choice. 0 in *out means the site's setting. */
static bool read_choice(const struct job_attribute *a, const char *text, uint8_t *out, struct err *err)
{
	struct option_value value;

	*out = 0;
	if (text[0] == '\0' || str_same_word(text, "none"))
		return true;
	if (!option_read(choice_row(a), text, &value, err))
		return false;
	*out = (uint8_t)(value.whole + (a->form == AS_ALLOCATE));
	return true;
}

static bool check_choice(const struct state *st, const struct job *job, const struct job_attribute *a,
			 const char *text, struct err *err)
{
	uint8_t choice;

	(void)st;
	(void)job;
	return read_choice(a, text, &choice, err);
}

static void set_choice(struct state *st, struct job *job, const struct job_attribute *a, const char *text)
{
	(void)st;
	read_choice(a, text, field_of(job, a), NULL);
}

static void print_choice(const struct snapshot *s, const struct job *job, const struct job_attribute *a,
			 struct str *out)
{
	uint8_t choice = *(const uint8_t *)field_in(job, a);

	(void)s;
	str_add(out, choice == 0 ? "none" : choice_row(a)->choices[choice - 1]);
}

/* --- dependencies -------------------------------------------------------------------------------- */

/*
 * Are all dependencies in the list open? Only texts of kept changes may contain marks of settled
 * dependencies.
 */
static bool all_open(const struct depend_list *list, struct err *err)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->item[i].state != DEPEND_OPEN)
			return err_set(err,
				       "dependencies cannot be given with the marks + and -; omit the marks");
	return true;
}

static bool check_depends(const struct state *st, const struct job *job, const struct job_attribute *a,
			  const char *text, struct err *err)
{
	struct depend_list list = {.item = NULL};
	bool good = depend_list_read(text, &list, err) && all_open(&list, err) &&
		    state_check_depends(st, job->id, list.item, list.count, err);

	(void)a;
	free(list.item);
	return good;
}

static void set_depends(struct state *st, struct job *job, const struct job_attribute *a, const char *text)
{
	struct depend_list list = {.item = NULL};

	(void)a;
	depend_list_read(text, &list, NULL);
	for (size_t i = 0; i < list.count; i++)
		if (list.item[i].state == DEPEND_OPEN)
			state_open_depend(st, &list.item[i]);
	state_replace_depends(st, job, list.item, list.count);
	free(list.item);
}

static void print_depends(const struct snapshot *s, const struct job *job, const struct job_attribute *a,
			  struct str *out)
{
	(void)a;
	state_add_depends(s, job, out);
}

/* --- forms of attributes --------------------------------------------------------------------------- */

static const struct {
	bool (*check)(const struct state *st, const struct job *job, const struct job_attribute *a,
		      const char *text, struct err *err);
	void (*set)(struct state *st, struct job *job, const struct job_attribute *a, const char *text);
	void (*print)(const struct snapshot *s, const struct job *job, const struct job_attribute *a,
		      struct str *out);
} forms[] = {
	[AS_SECONDS] = {check_number, set_number, print_seconds},
	[AS_SIZE] = {check_number, set_number, print_size},
	[AS_NUMBER] = {check_number, set_number, print_number},
	[AS_DATE] = {check_number, set_number, print_date},
	[AS_TRAITS] = {check_traits, set_traits, print_traits},
	[AS_RESOURCES] = {check_traits, set_traits, print_traits},
	[AS_HOSTS] = {check_hosts, set_hosts, print_hosts},
	[AS_QOS] = {check_qos, set_qos, print_qos},
	[AS_DEPENDS] = {check_depends, set_depends, print_depends},
	[AS_PART] = {check_partition, set_partition, print_partition},
	[AS_ACCESS] = {check_choice, set_choice, print_choice},
	[AS_ALLOCATE] = {check_choice, set_choice, print_choice},
};

bool state_check_attribute(const struct state *st, const struct job *job,
			   const struct job_attribute *attribute, const char *text, struct err *err)
{
	return forms[attribute->form].check(st, job, attribute, text, err) ||
	       err_prefix(err, "%s", attribute->name);
}

void state_set_attribute(struct state *st, struct job *job, const struct job_attribute *attribute,
			 const char *text)
{
	forms[attribute->form].set(st, job, attribute, text);
}

void state_print_attribute(const struct snapshot *s, const struct job *job,
			   const struct job_attribute *attribute, struct str *out)
{
	forms[attribute->form].print(s, job, attribute, out);
}
