/* SPDX-License-Identifier: MIT */
/*
 * launch.c - encoding and decoding of a launch
 *
 * One table gives the tag, type and offset of every field; encoding and decoding walk over this table. A
 * string is written with its NUL, so that a decoded string points into the bytes; only the arrays of lists
 * need memory. Fields that are zero or NULL are omitted. Tags are stored, so a tag never changes its meaning.
 */
#include "launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

/* --- job names and output paths ----------------------------------------------------------------------- */

/*
 * In file names, the label of an array task is changed so that no two jobs, and no two tasks of an array,
 * share a file by accident (launch_path() in launch.h).
 */

/* Returns the task number in a label, "3" of "12[3]", and its length; NULL if the label has none. */
static const char *array_number(const char *label, size_t *len)
{
	const char *open = label == NULL ? NULL : strchr(label, '[');
	const char *close = open == NULL ? NULL : strchr(open, ']');

	if (close == NULL || close == open + 1)
		return NULL;
	*len = (size_t)(close - open - 1);
	return open + 1;
}

void launch_job_id(const struct launch *launch, struct str *out)
{
	if (launch->label != NULL)
		str_add(out, launch->label);
	else
		str_addf(out, "%" PRIu64, launch->job);
}

/* Appends a part of a file name, without '/'. */
static void add_name(struct str *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		str_add_char(out, (char)(text[i] == '/' ? '_' : text[i]));
}

static void add_array_number(struct str *out, const char *label)
{
	size_t len;
	const char *number = array_number(label, &len);

	if (number != NULL)
		add_name(out, number, len);
}

void launch_array_id(const struct launch *launch, struct str *out)
{
	add_array_number(out, launch->label);
}

/*
 * Appends the value of %j: "12" for job 12; "12-3" for task 12[3], but "12" if `apart`, because the pattern
 * then contains the task number separately.
 */
static void add_job(struct str *out, const struct launch *launch, bool apart)
{
	size_t len;
	const char *number = array_number(launch->label, &len);

	if (number == NULL && launch->label != NULL) {
		add_name(out, launch->label, strlen(launch->label));
	} else if (number == NULL) {
		str_addf(out, "%" PRIu64, launch->job);
	} else {
		add_name(out, launch->label, (size_t)(number - 1 - launch->label));
		if (!apart) {
			str_add_char(out, '-');
			add_name(out, number, len);
		}
	}
}

/* Does the pattern contain %a, the task number? */
static bool tells_array_apart(const char *pattern)
{
	for (const char *c = strchr(pattern, '%'); c != NULL && c[1] != '\0'; c = strchr(c + 2, '%'))
		if (c[1] == 'a')
			return true;
	return false;
}

/* Appends the value of the sequence of % and `letter`. Returns false if there is no such sequence. */
static bool add_percent(struct str *out, char letter, const struct launch *launch, bool apart)
{
	switch (letter) {
	case 'j':
		add_job(out, launch, apart);
		return true;
	case 'a':
		add_array_number(out, launch->label);
		return true;
	case 'u':
		add_name(out, launch->user, launch->user == NULL ? 0 : strlen(launch->user));
		return true;
	case '%':
		str_add_char(out, '%');
		return true;
	default:
		return false;
	}
}

bool launch_path(const char *pattern, const struct launch *launch, struct str *out, struct err *err)
{
	bool apart = tells_array_apart(pattern);

	for (const char *c = pattern; *c != '\0'; c++)
		if (*c != '%')
			str_add_char(out, *c);
		else if (!add_percent(out, *++c, launch, apart))
			return err_set(err,
				       "unknown %% sequence in %s; %%j is the job, %%a the task number in an "
				       "array, %%u the user, %%%% a percent sign",
				       pattern);
	return true;
}

/* --- encoding and decoding of a launch ---------------------------------------------------------------- */

#define WORD "KL1"

#define WORD_SIZE (sizeof WORD - 1)

#define FIELD_HEAD 5u /* u8 tag, u32 length */

#define FLAGS_KNOWN ((uint32_t)(LAUNCH_REQUEUE | LAUNCH_JOIN | LAUNCH_APPEND | LAUNCH_PTY))

enum kind {
	TEXT,
	PATH,     /* a text that starts with '/' */
	WORDS,    /* one field per item */
	SETTINGS, /* one field per item, each "NAME=value" */
	SCRIPT,   /* bytes                                            */
	SMALL,    /* uint32_t                                         */
	LARGE     /* uint64_t, or an int64_t that is not negative */
};

struct field {
	uint8_t tag;
	enum kind kind;
	const char *name;
	size_t offset;
	uint64_t max; /* largest valid number */
};

#define AT(member) offsetof(struct launch, member)

/* Sorted by tag, from 1 and without gaps. */
static const struct field fields[] = {
	{1, WORDS, "command", AT(command), 0},
	{2, SCRIPT, "script", AT(script), 0},
	{3, TEXT, "shell", AT(shell), 0},
	{4, SETTINGS, "environment", AT(environment), 0},
	{5, PATH, "dir", AT(dir), 0},
	{6, PATH, "input", AT(input), 0},
	{7, PATH, "output", AT(output), 0},
	{8, PATH, "errors", AT(errors), 0},
	{9, PATH, "waiter", AT(waiter), 0},
	{10, SMALL, "umask", AT(umask), 0777},
	{11, SMALL, "flags", AT(flags), FLAGS_KNOWN},
	{12, SMALL, "uid", AT(uid), UINT32_MAX - 1},
	{13, SMALL, "gid", AT(gid), UINT32_MAX - 1},
	{14, LARGE, "job", AT(job), UINT64_MAX},
	{15, SMALL, "attempt", AT(attempt), UINT32_MAX},
	{16, TEXT, "label", AT(label), 0},
	{17, TEXT, "name", AT(name), 0},
	{18, TEXT, "user", AT(user), 0},
	{19, TEXT, "group", AT(group), 0},
	{20, TEXT, "account", AT(account), 0},
	{21, TEXT, "class", AT(class), 0},
	{22, TEXT, "qos", AT(qos), 0},
	{23, TEXT, "nodes", AT(nodes), 0},
	{24, TEXT, "cpus", AT(cpus), 0},
	{25, TEXT, "devices", AT(devices), 0},
	{26, PATH, "cgroup", AT(cgroup), 0},
	{27, PATH, "prolog", AT(prolog), 0},
	{28, PATH, "epilog", AT(epilog), 0},
	{29, LARGE, "procs", AT(procs), INT64_MAX},
	{30, LARGE, "wall_limit", AT(wall_limit_s), INT64_MAX},
	{31, LARGE, "mem", AT(mem_mb), INT64_MAX},
	{32, LARGE, "grace", AT(grace_s), INT64_MAX},
	{33, LARGE, "warn", AT(warn_s), INT64_MAX},
	{34, SMALL, "warn_signal", AT(warn_signal), 64},
	{35, TEXT, "mail", AT(mail), 0},
	{36, TEXT, "mail_to", AT(mail_to), 0},
	{37, TEXT, "pam", AT(pam), 0},
	{38, SMALL, "no_new_privs", AT(no_new_privs), 1},
	{39, LARGE, "processes", AT(processes), INT64_MAX},
	{40, PATH, "submit_dir", AT(submit_dir), 0},
	{41, SMALL, "tasks", AT(tasks), INT32_MAX},
	{42, SMALL, "array_tasks", AT(array_tasks), INT32_MAX},
	{43, SMALL, "array_first", AT(array_first), INT32_MAX},
	{44, SMALL, "array_last", AT(array_last), INT32_MAX},
	{45, SMALL, "array_step", AT(array_step), INT32_MAX},
	{46, SMALL, "own_signal", AT(own_signal), 64},
	{47, LARGE, "own_signal_s", AT(own_signal_s), INT32_MAX},
	{48, TEXT, "waiter_key", AT(waiter_key), 0},
};

#define FIELD_COUNT (sizeof fields / sizeof fields[0])

static bool is_list(const struct field *f)
{
	return f->kind == WORDS || f->kind == SETTINGS;
}

/* --- writing ----------------------------------------------------------------------------------- */

static void put_number(struct str *out, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		str_add_char(out, (char)(value >> 8 * i & 0xff));
}

static void put_field(struct str *out, uint8_t tag, const void *bytes, size_t size)
{
	put_number(out, tag, 1);
	put_number(out, size, 4);
	str_add_bytes(out, bytes, size);
}

static void write_number(const struct field *f, uint64_t value, struct str *out)
{
	if (value == 0)
		return;
	put_number(out, f->tag, 1);
	put_number(out, 8, 4);
	put_number(out, value, 8);
}

static void write_text(const struct field *f, const char *text, struct str *out)
{
	if (text != NULL)
		put_field(out, f->tag, text, strlen(text) + 1);
}

static void write_field(const struct launch *launch, const struct field *f, struct str *out)
{
	const void *at = (const char *)launch + f->offset;
	const struct launch_words *words = at;

	switch (f->kind) {
	case TEXT:
	case PATH:
		write_text(f, *(const char *const *)at, out);
		break;
	case WORDS:
	case SETTINGS:
		for (uint32_t i = 0; i < words->count; i++)
			write_text(f, words->item[i], out);
		break;
	case SCRIPT:
		if (launch->script_size > 0)
			put_field(out, f->tag, launch->script, launch->script_size);
		break;
	case SMALL:
		write_number(f, *(const uint32_t *)at, out);
		break;
	case LARGE:
		write_number(f, *(const uint64_t *)at, out);
		break;
	}
}

#define SMALL_FIELDS_BYTES 4096 /* usually enough for all fields except the script */

void launch_write(const struct launch *launch, struct str *out)
{
	/*
	 * Reserve memory for everything at once: a script can have megabytes, and growing for the fields
	 * after it would double the memory.
	 */
	if (launch->script_size > 0)
		str_reserve(out, launch->script_size + SMALL_FIELDS_BYTES);
	str_add_bytes(out, WORD, WORD_SIZE);
	for (size_t i = 0; i < FIELD_COUNT; i++)
		write_field(launch, &fields[i], out);
}

/* --- reading ----------------------------------------------------------------------------------- */

static uint64_t get_number(const unsigned char *bytes, size_t count)
{
	uint64_t value = 0;

	for (size_t i = 0; i < count; i++)
		value |= (uint64_t)bytes[i] << 8 * i;
	return value;
}

/* One encoded field. */
struct piece {
	const struct field *field;
	const unsigned char *bytes;
	size_t size;
};

void launch_forget_start(struct launch *launch)
{
	*launch = (struct launch){
		.command = launch->command,
		.script = launch->script,
		.script_size = launch->script_size,
		.shell = launch->shell,
		.environment = launch->environment,
		.dir = launch->dir,
		.input = launch->input,
		.output = launch->output,
		.errors = launch->errors,
		.waiter = launch->waiter,
		.waiter_key = launch->waiter_key,
		.mail = launch->mail,
		.mail_to = launch->mail_to,
		.umask = launch->umask,
		.flags = launch->flags,
		.uid = launch->uid,
		.gid = launch->gid,
		.submit_dir = launch->submit_dir,
		.tasks = launch->tasks,
		.array_tasks = launch->array_tasks,
		.array_first = launch->array_first,
		.array_last = launch->array_last,
		.array_step = launch->array_step,
		.own_signal = launch->own_signal,
		.own_signal_s = launch->own_signal_s,
	};
}

bool launch_is_of(const struct launch *launch, uint32_t uid, const char *user)
{
	return launch->uid == uid && (launch->user == NULL || strcmp(launch->user, user) == 0);
}

static const struct field *find_field(uint8_t tag)
{
	return tag >= 1 && tag <= FIELD_COUNT ? &fields[tag - 1] : NULL;
}

/* Decodes the head of the next field and advances *at to the end of the field. */
static bool next_piece(const unsigned char **at, const unsigned char *end, struct piece *out, struct err *err)
{
	size_t left = (size_t)(end - *at);

	out->field = left < FIELD_HEAD ? NULL : find_field((*at)[0]);
	if (out->field == NULL) {
		if (left < FIELD_HEAD)
			err_set(err, "the launch data are truncated");
		else
			err_set(err, "unknown field %u in the launch data", (*at)[0]);
		return false;
	}
	out->size = get_number(*at + 1, 4);
	out->bytes = *at + FIELD_HEAD;
	if (out->size > left - FIELD_HEAD) {
		err_set(err, "the launch data are truncated in field %s", out->field->name);
		return false;
	}
	*at = out->bytes + out->size;
	return true;
}

static bool read_number(const struct piece *p, uint64_t *out, struct err *err)
{
	if (p->size != 8)
		return err_set(err, "%s in the launch data is not a number", p->field->name);
	*out = get_number(p->bytes, 8);
	return *out <= p->field->max ||
	       err_set(err, "%s in the launch data is %" PRIu64 "; the maximum is %" PRIu64, p->field->name,
		       *out, p->field->max);
}

/* A string contains exactly one NUL, at its end. */
static bool read_text(const struct piece *p, const char **out, struct err *err)
{
	const char *text = (const char *)p->bytes;

	if (p->size == 0 || memchr(text, '\0', p->size) != text + p->size - 1)
		return err_set(err, "%s in the launch data is not a string", p->field->name);
	if (p->field->kind == PATH && text[0] != '/')
		return err_set(err, "%s in the launch data must begin with '/', got %s", p->field->name,
			       text);
	if (p->field->kind == SETTINGS && (text[0] == '=' || strchr(text, '=') == NULL))
		return err_set(err, "a variable in the launch data must be NAME=value, got %.40s", text);
	*out = text;
	return true;
}

static bool read_script(const struct piece *p, struct launch *out, struct err *err)
{
	if (p->size > LAUNCH_SCRIPT_MAX)
		return err_set(err, "the script has %zu bytes; the maximum is %zu", p->size,
			       LAUNCH_SCRIPT_MAX);
	out->script = p->bytes;
	out->script_size = (uint32_t)p->size;
	return true;
}

/* The arrays of the two lists of a launch: words of the command, environment variables. */
struct lists {
	const char **item[2];
	uint32_t count[2];
};

static const char **list_slot(struct lists *lists, const struct field *f)
{
	size_t which = f->kind == SETTINGS;

	return &lists->item[which][lists->count[which]++];
}

static bool read_piece(const struct piece *p, struct launch *out, struct lists *lists, struct err *err)
{
	void *at = (char *)out + p->field->offset;
	uint64_t number = 0;

	switch (p->field->kind) {
	case TEXT:
	case PATH:
		return read_text(p, (const char **)at, err);
	case WORDS:
	case SETTINGS:
		return read_text(p, list_slot(lists, p->field), err);
	case SCRIPT:
		return read_script(p, out, err);
	case SMALL:
		if (!read_number(p, &number, err))
			return false;
		*(uint32_t *)at = (uint32_t)number;
		return true;
	case LARGE:
		return read_number(p, (uint64_t *)at, err);
	}
	return false;
}

/*
 * First pass: checks that the bytes are valid fields and that only fields of lists repeat, and counts the
 * items of each list.
 */
static bool count_pieces(const unsigned char *at, const unsigned char *end, struct lists *lists,
			 struct err *err)
{
	bool seen[FIELD_COUNT] = {false};
	struct piece p;

	while (at < end) {
		if (!next_piece(&at, end, &p, err))
			return false;
		if (!is_list(p.field) && seen[p.field - fields])
			return err_set(err, "%s occurs twice in the launch data", p.field->name);
		seen[p.field - fields] = true;
		if (is_list(p.field) && ++lists->count[p.field->kind == SETTINGS] > LAUNCH_WORDS_MAX)
			return err_set(err, "%s has more than %u words", p.field->name, LAUNCH_WORDS_MAX);
	}
	return true;
}

static bool read_pieces(const unsigned char *at, const unsigned char *end, struct launch *out,
			struct lists *lists, struct err *err)
{
	struct piece p;

	while (at < end)
		if (!next_piece(&at, end, &p, err) || !read_piece(&p, out, lists, err))
			return false;
	out->command = (struct launch_words){lists->item[0], lists->count[0]};
	out->environment = (struct launch_words){lists->item[1], lists->count[1]};
	return true;
}

bool launch_read(const void *bytes, size_t size, struct launch *out, void **room, struct err *err)
{
	const unsigned char *at = bytes, *end = at + size;
	struct lists lists = {.count = {0, 0}};

	memset(out, 0, sizeof *out);
	*room = NULL;
	if (size > LAUNCH_MAX)
		return err_set(err, "the launch data have %zu bytes; the maximum is %zu", size, LAUNCH_MAX);
	if (size < WORD_SIZE || memcmp(bytes, WORD, WORD_SIZE) != 0)
		return err_set(err, "the launch data have an unknown format");
	at += WORD_SIZE;
	if (!count_pieces(at, end, &lists, err))
		return false;
	*room = mem_zero(lists.count[0] + lists.count[1] + 2, sizeof(char *));
	lists.item[0] = *room;
	lists.item[1] = lists.item[0] + lists.count[0] + 1;
	lists.count[0] = lists.count[1] = 0;
	if (read_pieces(at, end, out, &lists, err))
		return true;
	free(*room);
	*room = NULL;
	memset(out, 0, sizeof *out);
	return false;
}
