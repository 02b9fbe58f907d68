/* SPDX-License-Identifier: MIT */
/*
 * values.c - values of options: names, numbers, paths, and tables of options
 *
 * Names are shown on the terminals of operators, so names that are not printable are refused.
 */
#include <string.h>

#include "qsub_inside.h"
#include "sched/config/config.h"
#include "sched/host/notifier.h"
#include "tui/draw/text.h"

#define PATH_MOST 4000 /* maximum length of a path in bytes; leaves room for a directory before it */

bool qsub_is_shown(const char *text)
{
	size_t len = strlen(text);

	while (len > 0) {
		uint32_t code;
		size_t used = text_decode(text, len, &code);

		if (code == TEXT_INVALID || text_code_width(code) < 0)
			return false;
		text += used;
		len -= used;
	}
	return true;
}

/* Checks that the text is printable, not empty, and at most `most` bytes long. */
static bool check_text(const char *text, size_t most, struct err *err)
{
	if (text[0] == '\0')
		return err_set(err, "the value is empty");
	if (!qsub_is_shown(text))
		return err_set(err, "\"%s\" contains unprintable bytes; use letters, digits and punctuation",
			       text);
	return strlen(text) <= most || err_set(err, "\"%.20s...\" is longer than %zu bytes", text, most);
}

bool qsub_read_title(struct submission *s, const char *text, const char **out, struct err *err)
{
	if (!check_text(text, CONFIG_TITLE - 1, err))
		return false;
	*out = arena_string(&s->arena, text);
	return true;
}

bool qsub_read_name(struct submission *s, const char *text, const char **out, struct err *err)
{
	if (!check_text(text, CONFIG_TITLE - 1, err))
		return false;
	if (!cred_name_is_plain(text))
		return err_set(err, "not a valid name: \"%s\"; use letters, digits and %s", text,
			       CRED_NAME_SIGNS);
	*out = arena_string(&s->arena, text);
	return true;
}

static bool is_among(const char *names, const char *name, size_t len)
{
	for (const char *at = names; *at != '\0'; at += strspn(at, " ")) {
		size_t other = strcspn(at, " ");

		if (other == len && memcmp(at, name, len) == 0)
			return true;
		at += other;
	}
	return false;
}

static bool add_name(struct submission *s, struct str *names, const char *text, size_t len, struct err *err)
{
	struct str word = {0};
	const char *name = "";
	bool good;

	str_add_bytes(&word, text, len);
	good = qsub_read_name(s, str_text(&word), &name, err) &&
	       (!is_among(str_text(names), text, len) || err_set(err, "%s is given twice", name));
	str_free(&word);
	if (!good)
		return false;
	if (names->len > 0)
		str_add_char(names, ' ');
	str_add(names, name);
	return true;
}

bool qsub_read_names(struct submission *s, const char *text, const char *separators, const char **out,
		     uint32_t *count, struct err *err)
{
	struct str names = {0};
	uint32_t found = 0;
	bool good = true;

	for (;; text++) {
		size_t len = strcspn(text, separators);

		good = add_name(s, &names, text, len, err);
		found++;
		text += len;
		if (!good || *text == '\0')
			break;
	}
	if (good)
		*out = arena_string(&s->arena, str_text(&names));
	if (good && count != NULL)
		*count = found;
	str_free(&names);
	return good;
}

bool qsub_read_count(const char *text, int64_t *out, struct err *err)
{
	int64_t number;

	if (!str_read_whole(text, &number) || number < 1 || number > INT32_MAX)
		return err_set(err, "\"%s\" is not a whole number from 1 to %d", text, INT32_MAX);
	*out = number;
	return true;
}

bool qsub_read_path(struct submission *s, const char *text, const char **out, struct err *err)
{
	if (!check_text(text, PATH_MOST, err))
		return false;
	if (strchr(text, '$') != NULL)
		return err_set(err,
			       "\"%s\": variables are not expanded here; write the path, with %%j for the "
			       "job and %%u for the user",
			       text);
	*out = arena_string(&s->arena, text);
	return true;
}

/* --- paths of jobs --------------------------------------------------------------------------------- */

/* Returns the expansion of a variable in a path; NULL if the variable is unknown. */
static const char *variable(const struct submitter *by, const char *name, size_t len)
{
	const struct {
		const char *name, *value;
	} known[] = {{"PBS_JOBID", "%j"},
		     {"SLURM_JOB_ID", "%j"},
		     {"SLURM_JOBID", "%j"},
		     {"PBS_JOBNAME", "%x"},
		     {"SLURM_JOB_NAME", "%x"},
		     {"PBS_ARRAYID", "%a"},
		     {"PBS_ARRAY_INDEX", "%a"},
		     {"SLURM_ARRAY_TASK_ID", "%a"},
		     {"HOME", by->home},
		     {"PBS_O_HOME", by->home},
		     {"USER", by->user},
		     {"LOGNAME", by->user},
		     {"PBS_O_LOGNAME", by->user},
		     {"PBS_O_WORKDIR", by->dir},
		     {"SLURM_SUBMIT_DIR", by->dir},
		     {"PWD", by->dir}};

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strlen(known[i].name) == len && memcmp(known[i].name, name, len) == 0)
			return known[i].value;
	return NULL;
}

/*
 * Appends the expansion of "$NAME" or "${NAME}" at *at and advances *at. Returns false if the variable is
 * unknown.
 */
static bool take_variable(const char **at, const struct submitter *by, struct str *out)
{
	const char *name = *at + 1 + ((*at)[1] == '{');
	size_t len = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
	const char *value = variable(by, name, len);

	if (value == NULL || ((*at)[1] == '{' && name[len] != '}'))
		return false;
	for (; *value != '\0'; value++)
		/* Percent signs in the name of a folder are escaped. */
		str_addf(out,
			 *value == '%' && value[1] != 'j' && value[1] != 'x' && value[1] != 'a' ? "%%%%"
												: "%c",
			 *value);
	*at = name + len + ((*at)[1] == '{');
	return true;
}

/* Removes the host from "host:/path" or "host:path". */
static const char *without_host(const char *text)
{
	size_t len = strcspn(text, ":/");

	return text[len] == ':' && text[len + 1] != '\0' ? text + len + 1 : text;
}

bool qsub_read_job_path(struct submission *s, const struct submitter *by, const char *text, const char **out,
			struct err *err)
{
	struct str path = {0};
	bool good = true;

	text = without_host(text);
	while (good && *text != '\0') {
		const char *array = "^array_index^"; /* form of PBS Pro */

		if (*text == '$') {
			good = take_variable(&text, by, &path);
		} else if (strncmp(text, array, strlen(array)) == 0) {
			str_add(&path, "%a");
			text += strlen(array);
		} else {
			str_add_char(&path, *text++);
		}
	}
	good = good ? qsub_read_path(s, str_text(&path), out, err)
		    : err_set(err,
			      "\"%.80s\": this variable is unknown at submission; write the path, with %%j "
			      "for the job and %%u for the user",
			      text);
	str_free(&path);
	return good;
}

bool qsub_read_gpus(struct submission *s, const char *text, enum qsub_scope scope, struct err *err)
{
	size_t digits = strspn(text, "0123456789");
	const char *colon = strrchr(text, ':'), *number = text;
	char *copy = arena_copy(&s->arena, text, strlen(text) + 1);
	int64_t count = 0;

	if (digits > 0 && text[digits] == ':') { /* a number and a mode, such as 2:shared */
		copy[digits] = '\0';
		number = copy;
	} else if (colon != NULL) { /* a type and a number, such as a100:2 */
		number = colon + 1;
		copy[colon - text] = '\0';
		qsub_ignore(s, "the GPU type ", qsub_is_shown(copy) && strlen(copy) < 60 ? copy : "?");
	}
	if (!qsub_read_count(number, &count, err))
		return false;
	return qsub_add_gres(s, "gpu", (uint32_t)count, scope, err);
}

/* --- tables of options -------------------------------------------------------------------------------- */

const struct qsub_row *qsub_find(const struct qsub_table *table, const char *name, size_t len)
{
	for (size_t i = 0; i < table->count; i++) {
		const char *own = table->row[i].name;

		if (strlen(own) == len && (len == 1 ? own[0] == name[0] : strncasecmp(own, name, len) == 0))
			return &table->row[i];
	}
	return NULL;
}

void qsub_add_names(const struct qsub_table *table, const char *before, struct str *out)
{
	for (size_t i = 0; i < table->count; i++)
		str_addf(out, "%s%s%s", i == 0 ? "" : ", ", before, table->row[i].name);
}

#define IGNORED_WIDTH 72 /* width of help lines */

void qsub_list_unused(const struct qsub_table *table, const char *before, struct str *out)
{
	size_t column = IGNORED_WIDTH, before_size = strlen(before);

	for (size_t i = 0; i < table->count; i++) {
		size_t size = before_size + strlen(table->row[i].name) + 2;

		if (table->row[i].help != NULL)
			continue;
		if (column == IGNORED_WIDTH)
			str_add(out, "  Accepted without effect:");
		if (column + size > IGNORED_WIDTH) {
			str_add(out, "\n       ");
			column = 7;
		}
		str_addf(out, " %s%s", before, table->row[i].name);
		column += size - 1;
	}
	str_add(out, column == IGNORED_WIDTH ? "" : "\n");
}

#define IGNORED_MOST 1000 /* maximum length of the list of ignored options, in bytes */

void qsub_ignore(struct submission *s, const char *before, const char *name)
{
	struct str word = {0};

	str_addf(&word, "%s%s", before, name);
	if (strstr(str_text(&s->ignored), str_text(&word)) == NULL &&
	    s->ignored.len + word.len < IGNORED_MOST)
		str_addf(&s->ignored, "%s%s", s->ignored.len > 0 ? ", " : "", str_text(&word));
	str_free(&word);
}

bool qsub_read_row(struct submission *s, const struct submitter *by, const struct qsub_row *row,
		   const char *before, const char *value, struct err *err)
{
	if (row->read != NULL)
		return row->read(s, by, value, err) || err_prefix(err, "%s%s", before, row->name);
	qsub_ignore(s, before, row->name);
	return true;
}

void qsub_skip_words(struct submission *s, const struct qsub_row *row, int count, const char *const *word,
		     int *at)
{
	if (s->draft.last_word || row->takes == NULL || (row->read != NULL && row->read != qsub_read_mail_to))
		return;
	while (*at + 1 < count && word[*at + 1][0] != '-') {
		const char *text = word[++*at];

		qsub_ignore(s, "the word ", qsub_is_shown(text) && strlen(text) < 60 ? text : "?");
	}
}

/* Does the text begin with a NAME=VALUE pair? */
static bool begins_pair(const char *text)
{
	return text[strcspn(text, "=,")] == '=';
}

bool qsub_next_pair(struct submission *s, const char **at, struct qsub_pair *out, struct err *err)
{
	size_t name = strcspn(*at, "="), len = name;
	char *copy;

	if (**at == '\0')
		return false;
	if (!begins_pair(*at) || name == 0)
		return err_set(err, "\"%.60s\" is not NAME=VALUE", *at);
	do
		len += 1 + strcspn(*at + len + 1, ",");
	while ((*at)[len] == ',' && (*at)[len + 1] != '\0' && !begins_pair(*at + len + 1));
	copy = arena_copy(&s->arena, *at, len + 1);
	copy[name] = copy[len] = '\0';
	*out = (struct qsub_pair){.name = copy, .value = copy + name + 1};
	*at += len;
	*at += **at == ',';
	return true;
}

/* --- options common to qsub and sbatch ---------------------------------------------------------------- */

/*
 * Options of qsub and sbatch with the same meaning share a parser, such as -A and --account, or qos= of -l
 * and --qos.
 */

bool qsub_read_job_name(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return qsub_read_title(s, text, &s->draft.name, err);
}

bool qsub_read_account(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return qsub_read_name(s, text, &s->draft.account, err);
}

bool qsub_read_class(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return qsub_read_name(s, text, &s->draft.class, err);
}

bool qsub_read_qos(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return qsub_read_name(s, text, &s->draft.qos, err);
}

bool qsub_read_dir(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	return qsub_read_job_path(s, by, text, &s->draft.dir, err);
}

bool qsub_read_output(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	return qsub_read_job_path(s, by, text, &s->draft.output, err);
}

bool qsub_read_errors(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	s->draft.errors_follow = false;
	return qsub_read_job_path(s, by, text, &s->draft.errors, err);
}

bool qsub_read_mail_to(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	(void)err;
	/* Users copy "your.name@example.org, ..." from guides, so invalid addresses are not refused. */
	if (!mail_check_addresses(text, NULL)) {
		qsub_ignore(s, "the mail address ", qsub_is_shown(text) && strlen(text) < 60 ? text : "?");
		return true;
	}
	s->mail_to = arena_string(&s->arena, text);
	return true;
}

bool qsub_hold(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	(void)text;
	(void)err;
	return s->hold = true;
}

bool qsub_terse(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	(void)text;
	(void)err;
	return s->terse = true;
}
