/* SPDX-License-Identifier: MIT */
/*
 * submission.c - builds the job record and launch from all options
 *
 * When this file determines tasks, names, directories, paths and the environment, all options have been
 * parsed. So everything that these depend on is known, such as the job name in a path, and whether the job is
 * an array.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "qsub_inside.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"

/*
 * A job record contains the request of one task. First, the numbers of nodes and tasks are determined. A
 * per-node request requires the same number of tasks on every node. If the number of devices is not a
 * multiple of the number of tasks, tasks are merged, so that each task has an integer number of devices
 * (`merge`). Memory is divided last and rounded up, so that no part of the job has less than requested.
 */

struct sharing {
	int64_t nodes;    /* 0 = any number                          */
	int64_t per_node; /* tasks on every node; 0 = any            */
	int64_t tasks, task_procs;
	int64_t merge; /* number of requested tasks merged into one */
};

static int64_t common_divisor(int64_t a, int64_t b)
{
	while (b != 0) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static int64_t divide_up(int64_t amount, int64_t parts)
{
	return amount / parts + (amount % parts != 0);
}

/* --- sharing the request among equal tasks ------------------------------------------------------------ */

static int64_t or_one(int64_t number)
{
	return number == 0 ? 1 : number;
}

static bool check_counts(const struct sharing *sh, struct err *err)
{
	if (sh->tasks > INT32_MAX / sh->task_procs)
		return err_set(err,
			       "%" PRId64 " tasks of %" PRId64
			       " processors exceed the maximum of %d processors",
			       sh->tasks, sh->task_procs, INT32_MAX);
	if (sh->nodes > sh->tasks)
		return err_set(err,
			       "%" PRId64 " tasks cannot run on %" PRId64
			       " nodes; request at least one task per node",
			       sh->tasks, sh->nodes);
	if (sh->per_node > 0 && sh->nodes * sh->per_node != sh->tasks)
		return err_set(err,
			       "%" PRId64 " tasks are not %" PRId64 " on each of %" PRId64
			       " nodes; give only two of these numbers",
			       sh->tasks, sh->per_node, sh->nodes);
	return true;
}

static bool settle_counts(const struct qsub_shape *shape, struct sharing *sh, struct err *err)
{
	*sh = (struct sharing){.nodes = shape->nodes,
			       .per_node = shape->per_node,
			       .tasks = shape->tasks,
			       .task_procs = or_one(shape->task_procs),
			       .merge = 1};
	if (sh->tasks == 0)
		sh->tasks = or_one(sh->nodes) * or_one(sh->per_node);
	if (sh->nodes == 0 && sh->per_node > 0)
		sh->nodes = sh->tasks < sh->per_node ? 1 : sh->tasks / sh->per_node;
	return check_counts(sh, err);
}

/* --- devices ------------------------------------------------------------------------------------ */

static bool is_of_nodes(const struct submission *s)
{
	const struct qsub_draft *draft = &s->draft;
	bool found = draft->memory.mb[QSUB_NODE] > 0;

	for (uint32_t i = 0; i < draft->gres_count; i++)
		found = found || (draft->gres[i].count > 0 && draft->gres[i].scope == QSUB_NODE);
	return found;
}

/*
 * Puts the same number of tasks on all nodes, as a per-node request requires. Returns false if the tasks
 * cannot be divided evenly.
 */
static bool spread_evenly(struct sharing *sh, struct err *err)
{
	if (sh->nodes == 0)
		sh->nodes = 1;
	if (sh->tasks % sh->nodes != 0)
		return err_set(err,
			       "%" PRId64 " tasks on %" PRId64
			       " nodes are not evenly distributed, so a per-node request cannot be divided "
			       "among them; request the resource per task or per processor",
			       sh->tasks, sh->nodes);
	sh->per_node = sh->tasks / sh->nodes;
	return true;
}

/* An amount of a resource, and the number of tasks that share it. */
struct part {
	int64_t count, tasks;
};

/*
 * Finds the smallest amount of the resource that is divided among tasks: the amount of one task, of one node
 * or of the whole job. Returns false with a message if the nodes would have different amounts.
 */
static bool find_part(const struct qsub_gres *gres, struct sharing *sh, struct part *out, struct err *err)
{
	*out = (struct part){.count = gres->count, .tasks = 1};
	if (gres->scope == QSUB_NODE)
		out->tasks = sh->per_node;
	if (gres->scope != QSUB_JOB)
		return true;
	out->tasks = sh->tasks;
	if (sh->nodes == 0)
		return true;
	if (gres->count % sh->nodes != 0) {
		err_set(err,
			"%u %s cannot be divided among %" PRId64
			" nodes equally; request a multiple of the number of nodes",
			gres->count, gres->name, sh->nodes);
		return false;
	}
	if (!spread_evenly(sh, err))
		return false;
	*out = (struct part){.count = gres->count / sh->nodes, .tasks = sh->per_node};
	return true;
}

static bool find_merge(const struct submission *s, struct sharing *sh, struct err *err)
{
	for (uint32_t i = 0; i < s->draft.gres_count; i++) {
		const struct qsub_gres *gres = &s->draft.gres[i];
		struct part part;
		int64_t wanted;

		if (gres->count == 0)
			continue;
		if (!find_part(gres, sh, &part, err))
			return false;
		/*
		 * `merge` and `wanted` both divide the number of tasks, so their least common multiple also
		 * divides that number.
		 */
		wanted = part.tasks / common_divisor(part.tasks, part.count);
		if (wanted > 1)
			sh->merge *= wanted / common_divisor(sh->merge, wanted);
	}
	if (sh->merge > 1 && s->draft.tasks_per_node > 1)
		return err_set(err,
			       "with fewer devices than tasks, several tasks must be merged into one, which "
			       "conflicts with tpn=%" PRId64 "; request devices per task with gres=",
			       s->draft.tasks_per_node);
	sh->tasks /= sh->merge;
	sh->per_node /= sh->merge;
	sh->task_procs *= sh->merge;
	return true;
}

/* Returns the amount of the resource for one merged task. */
static int64_t gres_of_task(const struct qsub_gres *gres, const struct sharing *sh)
{
	if (gres->scope == QSUB_TASK)
		return gres->count * sh->merge;
	if (gres->scope == QSUB_NODE)
		return gres->count / sh->per_node;
	return gres->count / sh->tasks;
}

static void write_gres(struct submission *s, const struct sharing *sh)
{
	struct str text = {0};

	for (uint32_t i = 0; i < s->draft.gres_count; i++) {
		const struct qsub_gres *gres = &s->draft.gres[i];

		if (gres->count > 0)
			str_addf(&text, "%s%s:%" PRId64, text.len == 0 ? "" : " ", gres->name,
				 gres_of_task(gres, sh));
	}
	s->record.gres = text.len == 0 ? NULL : arena_string(&s->arena, str_text(&text));
	str_free(&text);
}

/* --- memory --------------------------------------------------------------------------------------- */

/* Determines the memory of one merged task: the largest of the requests, each converted to an amount per
 * task. */
static bool share_memory(const struct qsub_memory *memory, const struct sharing *sh, int64_t *out,
			 struct err *err)
{
	int64_t task = memory->mb[QSUB_TASK], proc = memory->mb[QSUB_PROC];
	int64_t parts[2] = {divide_up(memory->mb[QSUB_JOB], sh->tasks),
			    divide_up(memory->mb[QSUB_NODE], or_one(sh->per_node))};

	if (task > MEMORY_MAX_MB / sh->merge || proc > MEMORY_MAX_MB / sh->task_procs)
		return err_set(err, "too much memory; the maximum is %" PRId64 " MB", MEMORY_MAX_MB);
	*out = task * sh->merge;
	if (*out < proc * sh->task_procs)
		*out = proc * sh->task_procs;
	for (int i = 0; i < 2; i++)
		if (*out < parts[i])
			*out = parts[i];
	return true;
}

/* --- the whole ------------------------------------------------------------------------------------- */

static bool check_tasks_per_node(int64_t least, const struct sharing *sh, struct err *err)
{
	bool good = least <= 1 ||
		    (sh->tasks % least == 0 && sh->per_node % least == 0 && sh->nodes * least <= sh->tasks);

	if (good)
		return true;
	if (sh->nodes == 0)
		return err_set(err,
			       "tpn=%" PRId64 " requires a multiple of that number of tasks, got %" PRId64 "",
			       least, sh->tasks);
	return err_set(err,
		       "tpn=%" PRId64 " requires a multiple of that number of tasks on each of %" PRId64
		       " nodes; this is impossible with a total of %" PRId64 " tasks",
		       least, sh->nodes, sh->tasks);
}

/*
 * Converts memory and processors per GPU to a request per task, node or job, according to the scope of the
 * GPUs. Processors per GPU are used only if neither processors per task nor several tasks are requested.
 */
static void add_of_gpus(struct submission *s, struct qsub_shape *shape)
{
	struct qsub_draft *draft = &s->draft;

	for (uint32_t i = 0; i < draft->gres_count; i++) {
		const struct qsub_gres *gres = &draft->gres[i];

		if (!str_same_word(gres->name, "gpu") || gres->count == 0 || gres->count > INT16_MAX)
			continue;
		if (draft->gpu_mem_mb > draft->memory.mb[gres->scope] / gres->count &&
		    draft->gpu_mem_mb < MEMORY_MAX_MB)
			draft->memory.mb[gres->scope] = draft->gpu_mem_mb * gres->count;
		if (draft->gpu_procs > 0 && draft->gpu_procs < INT16_MAX && shape->task_procs == 0 &&
		    (shape->tasks <= 1 || gres->scope == QSUB_TASK) && shape->per_node <= 1)
			shape->task_procs = draft->gpu_procs * gres->count;
	}
}

/* Converts the requested shape and amounts to equal tasks, and stores them in the record. */
static bool qsub_make_tasks(struct submission *s, struct err *err)
{
	const struct qsub_draft *draft = &s->draft;
	struct job *job = &s->record.job;
	struct qsub_shape shape = draft->shape;
	struct sharing sh;

	add_of_gpus(s, &shape);
	if (shape.nodes == 0 && draft->place == QSUB_PLACE_PACK)
		shape.nodes = 1;
	if (shape.nodes == 0 && draft->place == QSUB_PLACE_SCATTER)
		shape.nodes = shape.tasks;
	if (!settle_counts(&shape, &sh, err) || (is_of_nodes(s) && !spread_evenly(&sh, err)) ||
	    !find_merge(s, &sh, err) || !check_tasks_per_node(draft->tasks_per_node, &sh, err))
		return false;
	s->launch.tasks =
		(uint32_t)(draft->processes > 0 && draft->processes <= INT32_MAX ? draft->processes
										 : sh.tasks * sh.merge);
	write_gres(s, &sh);
	if (!share_memory(&draft->memory, &sh, &job->mem_mb, err) ||
	    !share_memory(&draft->swap, &sh, &job->swap_mb, err))
		return false;
	job->tasks = (uint32_t)sh.tasks;
	job->task_procs = (uint32_t)sh.task_procs;
	job->nodes = (uint32_t)sh.nodes;
	job->tasks_per_node = (uint32_t)(sh.per_node > 1 ? sh.per_node : draft->tasks_per_node);
	return true;
}

/* --- variables of the submitter's environment --------------------------------------------------------- */

/*
 * NAME exports the current value of a variable, NAME=VALUE exports it with another value, and -V exports all
 * variables. A value that contains commas is quoted, or each comma is preceded by a backslash. Later options
 * take precedence.
 */

struct qsub_setting {
	const struct qsub_setting *before;
	const char *text; /* NAME=value */
};

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_variable_name(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_letter(text[i]) && (i == 0 || text[i] < '0' || text[i] > '9'))
			return false;
	return len > 0;
}

/* Does "NAME=value" set the same variable as the other text, which is NAME or NAME=value? */
static bool is_same_variable(const char *setting, const char *other)
{
	size_t len = strcspn(setting, "=");

	return strncmp(setting, other, len) == 0 && (other[len] == '=' || other[len] == '\0');
}

static const char *find_here(const struct submitter *by, const char *name)
{
	for (const char *const *at = by->environment; at != NULL && *at != NULL; at++)
		if (strchr(*at, '=') != NULL && is_same_variable(*at, name))
			return *at;
	return NULL;
}

static void add_setting(struct submission *s, const char *text)
{
	struct qsub_setting *setting = arena_take(&s->arena, sizeof *setting);

	*setting = (struct qsub_setting){.before = s->draft.setting, .text = arena_string(&s->arena, text)};
	s->draft.setting = setting;
}

/* --- lists ------------------------------------------------------------------------------------- */

/*
 * Appends the value at *at, up to the next comma, to *out. Returns false if a quote is not closed, or does
 * not end the value.
 */
static bool take_value(const char **at, struct str *out)
{
	char quote = '\0';

	if (**at == '\'' || **at == '"')
		quote = *(*at)++;
	while (**at != quote && (quote != '\0' || **at != ',')) {
		if (**at == '\0')
			return quote == '\0';
		if (**at == '\\' && (*at)[1] != '\0' && ((*at)[1] == ',' || (*at)[1] == quote))
			++*at;
		str_add_char(out, *(*at)++);
	}
	if (quote != '\0')
		++*at;
	return **at == '\0' || **at == ',';
}

/* Parses one item of a list at *at, and appends it without quotes to *out. */
static bool take_variable(const char **at, struct str *out, struct err *err)
{
	size_t len = strcspn(*at, "=,");

	if (!is_variable_name(*at, len))
		return err_set(err, "\"%.*s\" is not the name of a variable", (int)(len < 60 ? len : 60),
			       *at);
	str_add_bytes(out, *at, len);
	*at += len;
	if (**at != '=')
		return true;
	++*at;
	str_add_char(out, '=');
	return take_value(at, out) ||
	       err_set(err, "the quote in %.60s is not closed before the comma", str_text(out));
}

/* Is the word ALL or NONE, which lists of Slurm also allow? ALL exports all variables. */
static bool is_slurm_word(struct submission *s, const char *word)
{
	if (strcmp(word, "ALL") == 0)
		s->draft.all_variables = true;
	return strcmp(word, "ALL") == 0 || strcmp(word, "NONE") == 0;
}

static bool add_variable(struct submission *s, const struct submitter *by, const char *word, struct err *err)
{
	const char *here = word;

	if (strchr(word, '=') == NULL)
		here = find_here(by, word);
	if (here == NULL)
		return err_set(err, "variable %s is not set; write %s=VALUE", word, word);
	add_setting(s, here);
	return true;
}

static bool read_list(struct submission *s, const struct submitter *by, const char *text, bool slurm,
		      struct err *err)
{
	struct str word = {0};
	bool good;

	for (;; text++) {
		str_clear(&word);
		good = take_variable(&text, &word, err) && ((slurm && is_slurm_word(s, str_text(&word))) ||
							    add_variable(s, by, str_text(&word), err));
		if (!good || *text == '\0')
			break;
	}
	str_free(&word);
	return good;
}

bool qsub_read_variables(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	return read_list(s, by, text, false, err);
}

bool qsub_read_export(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	s->draft.export_said = true;
	return read_list(s, by, text, true, err);
}

bool qsub_all_variables(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	(void)text;
	(void)err;
	s->draft.all_variables = true;
	return true;
}

/* --- the whole ---------------------------------------------------------------------------------- */

/* Adds a variable, unless one with the same name was added before. */
static void add_word(const char **item, uint32_t *count, const char *text)
{
	for (uint32_t i = 0; i < *count; i++)
		if (is_same_variable(item[i], text))
			return;
	item[(*count)++] = text;
}

static size_t count_words(const struct submission *s, const struct submitter *by)
{
	size_t count = 0;

	for (const struct qsub_setting *set = s->draft.setting; set != NULL; set = set->before)
		count++;
	if (s->draft.all_variables)
		for (const char *const *at = by->environment; at != NULL && *at != NULL; at++)
			count++;
	return count;
}

/* Returns the setting of PBS_O_PATH, which is PATH at submission; NULL if PATH is not set. */
static const char *origin_path(struct submission *s, const struct submitter *by)
{
	const char *path = find_here(by, "PATH");
	struct str word = {0};
	const char *kept;

	if (path == NULL)
		return NULL;
	str_addf(&word, "PBS_O_%s", path);
	kept = arena_string(&s->arena, str_text(&word));
	str_free(&word);
	return kept;
}

static bool qsub_build_environment(struct submission *s, const struct submitter *by, struct err *err)
{
	const char *path = origin_path(s, by);
	size_t most = count_words(s, by);
	const char **item;
	uint32_t count = 0;

	if (most > LAUNCH_WORDS_MAX)
		return err_set(
			err, "too many environment variables: at most %u, got %zu; select variables with -v",
			LAUNCH_WORDS_MAX, most);
	item = arena_take(&s->arena, (most + 2) * sizeof *item);
	for (const struct qsub_setting *set = s->draft.setting; set != NULL; set = set->before)
		add_word(item, &count, set->text);
	if (path != NULL && most < LAUNCH_WORDS_MAX)
		add_word(item, &count, path);
	if (s->draft.all_variables)
		for (const char *const *at = by->environment; at != NULL && *at != NULL; at++)
			if ((*at)[0] != '=' && strchr(*at, '=') != NULL)
				add_word(item, &count, arena_string(&s->arena, *at));
	item[count] = NULL;
	s->launch.environment = (struct launch_words){item, count};
	return true;
}

/* --- record and launch -------------------------------------------------------------------------------- */

/* --- names ------------------------------------------------------------------------------------- */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL || slash[1] == '\0' ? path : slash + 1;
}

static bool find_name(struct submission *s, struct err *err)
{
	struct qsub_draft *draft = &s->draft;
	const char *from = s->launch.script_size > 0 ? draft->script_name : NULL;

	if (draft->name != NULL)
		return true;
	if (from == NULL && s->launch.command.count > 0)
		from = s->launch.command.item[0];
	if (from == NULL)
		return err_set(err, "no command given; name a script, or write a command after --");
	return qsub_read_title(s, last_part(from), &draft->name, err) ||
	       err_prefix(err, "the job name (choose another one with -N)");
}

/* Joins two lists of names; either may be NULL. */
static const char *join_names(struct submission *s, const char *a, const char *b)
{
	struct str both = {0};
	const char *joined;

	if (a == NULL || b == NULL)
		return a == NULL ? b : a;
	str_addf(&both, "%s %s", a, b);
	joined = arena_string(&s->arena, str_text(&both));
	str_free(&both);
	return joined;
}

static bool fill_names(struct submission *s, struct err *err)
{
	const struct qsub_draft *draft = &s->draft;
	struct job_record *record = &s->record;

	if (draft->hosts != NULL && draft->shape.hosts != NULL)
		return err_set(err, "nodes are named twice, as hostlist %s and as nodes %s; name them once",
			       draft->hosts, draft->shape.hosts);
	record->name = draft->name;
	record->cred[CRED_ACCOUNT] = draft->account;
	record->cred[CRED_CLASS] = draft->class;
	record->cred[CRED_QOS] = draft->qos;
	record->partition = draft->partition;
	record->features = join_names(s, draft->shape.features, draft->features);
	record->prefer = draft->prefer;
	record->hosts = draft->hosts != NULL ? draft->hosts : draft->shape.hosts;
	return true;
}

/* --- paths -------------------------------------------------------------------------------------- */

/* Appends text that must not be expanded: escapes '%'. In a part of a file name, '/' becomes '_'. */
static void add_literal(struct str *out, const char *text, bool part_of_a_name)
{
	for (; *text != '\0'; text++) {
		if (*text == '%')
			str_add(out, "%%");
		else if (*text == '/' && part_of_a_name)
			str_add_char(out, '_');
		else
			str_add_char(out, *text);
	}
}

/* Appends the default name of a file: NAME.o%j or NAME.e%j; NAME.o%j-%a for an array. */
static void add_default(struct str *out, const struct submission *s, char letter)
{
	add_literal(out, s->draft.name, true);
	str_addf(out, ".%c%%j%s", letter, s->range_count > 0 ? "-%a" : "");
}

/*
 * Appends a pattern and replaces the sequences that the resource manager does not know, such as %x by the
 * name of the job, %N by the host and %A by %j.
 */
static void add_pattern(struct str *out, const struct submission *s, const struct submitter *by,
			const char *pattern)
{
	for (const char *c = pattern; *c != '\0'; c++)
		if (c[0] == '%' && c[1] >= '0' && c[1] <= '9') {
			/* Slurm's form with a width, such as %4a: the width is ignored. */
			size_t digits = strspn(c + 1, "0123456789");
			char *plain = mem_string(c + digits);

			plain[0] = '%';
			add_pattern(out, s, by, plain);
			free(plain);
			return;
		} else if (c[0] == '%' && (c[1] == 'J' || c[1] == 'b')) {
			str_add(out, c[1] == 'J' ? "%j" : "%a");
			c++;
		} else if (c[0] == '%' && c[1] == 's') {
			str_add(out, "batch");
			c++;
		} else if (c[0] == '%' && c[1] == 'x') {
			add_literal(out, s->draft.name, true);
			c++;
		} else if (c[0] == '%' && c[1] == 'A') {
			str_add(out, "%j");
			c++;
		} else if (c[0] == '%' && c[1] == 'N' && by->host != NULL) {
			add_literal(out, by->host, true);
			c++;
		} else if (c[0] == '%' && (c[1] == 'n' || c[1] == 't')) {
			str_add_char(out, '0'); /* the output is that of the first task on the first node */
			c++;
		} else {
			str_add_char(out, *c);
			if (c[0] == '%' && c[1] != '\0')
				str_add_char(out, *++c);
		}
}

/* Can the resource manager expand the pattern? */
static bool check_pattern(const struct submission *s, const char *pattern, struct err *err)
{
	struct launch launch = {.job = 1, .user = "user", .label = s->range_count > 0 ? "1[1]" : NULL};
	struct str path = {0};
	bool good = launch_path(pattern, &launch, &path, err);

	str_free(&path);
	return good;
}

static bool ends_with_slash(const struct str *path)
{
	return path->len > 0 && path->data[path->len - 1] == '/';
}

/*
 * Makes the pattern of an output path (letter: 'o' or 'e') from the requested path; asked = NULL: the default
 * path. If the requested path is a folder, which ends with '/', the default name is added.
 */
static bool make_path(struct submission *s, const struct submitter *by, const char *asked, char letter,
		      const char **out, struct err *err)
{
	bool home = asked == NULL && (letter == 'o' ? s->draft.output_home : s->draft.errors_home);
	struct str path = {0};
	bool good;

	if (asked == NULL || asked[0] != '/') {
		add_literal(&path, home ? by->home : s->launch.dir, false);
		if (!ends_with_slash(&path))
			str_add_char(&path, '/');
	}
	add_pattern(&path, s, by, asked == NULL ? "" : asked);
	if (ends_with_slash(&path))
		add_default(&path, s, letter);
	good = check_pattern(s, str_text(&path), err) || err_prefix(err, "-%c", letter);
	*out = arena_string(&s->arena, str_text(&path));
	str_free(&path);
	return good;
}

static const char *find_dir(struct submission *s, const struct submitter *by)
{
	const char *asked = s->draft.dir;
	struct str path = {0};
	const char *dir;

	if (asked == NULL || asked[0] == '/')
		return asked == NULL ? by->dir : asked;
	str_addf(&path, "%s%s%s", by->dir, by->dir[strlen(by->dir) - 1] == '/' ? "" : "/", asked);
	dir = arena_string(&s->arena, str_text(&path));
	str_free(&path);
	return dir;
}

/*
 * Sets the working directory and the output paths. If both streams go to one file, standard error has no path
 * of its own; with -j eo, both use the path of standard error.
 */
static bool make_paths(struct submission *s, const struct submitter *by, struct err *err)
{
	const struct qsub_draft *draft = &s->draft;
	struct launch *launch = &s->launch;
	bool join = draft->join_output || draft->join_errors || draft->errors_follow;

	launch->dir = find_dir(s, by);
	launch->flags &= ~(uint32_t)LAUNCH_JOIN;
	launch->errors = NULL;
	if (join)
		launch->flags |= LAUNCH_JOIN;
	if (draft->join_errors)
		return make_path(s, by, draft->errors, 'e', &launch->output, err);
	return make_path(s, by, draft->output, 'o', &launch->output, err) &&
	       (join || make_path(s, by, draft->errors, 'e', &launch->errors, err));
}

/* --- the whole ------------------------------------------------------------------------------------- */

static void fill_job(struct submission *s, const struct submitter *by)
{
	const struct qsub_draft *draft = &s->draft;

	s->record.job = (struct job){
		.submit_s = by->now_s,
		.not_before_s = draft->has_not_before ? draft->not_before_s : TIME_NONE,
		.wall_limit_s = draft->wall_limit_s,
		.true_run_s = -1,
		.start_s = TIME_NONE,
		.planned_s = TIME_NEVER,
		.defer_until_s = TIME_NONE,
		.used_ps = -1,
		.base_points = (int32_t)draft->points,
		.base_holds = s->hold ? JOB_HOLD_USER : 0,
		.access = draft->access,
		.allocation = draft->allocation,
	};
}

/* Checks the size of the job. A job without a wallclock limit gets that of its class or of the site later. */
static bool check_size(const struct submission *s, struct err *err)
{
	struct job job = s->record.job;

	if (job.wall_limit_s == 0)
		job.wall_limit_s = 1;
	return state_check_size(&job, err);
}

static bool check_launch(const struct launch *launch, struct err *err)
{
	struct str bytes = {0};
	size_t size;

	if (launch->command.count == 0 && launch->script_size == 0)
		return err_set(err, "no command given; name a script, or write a command after --");
	if (launch->command.count > LAUNCH_WORDS_MAX)
		return err_set(err, "the command has too many words: at most %u, got %u", LAUNCH_WORDS_MAX,
			       launch->command.count);
	launch_write(launch, &bytes);
	size = bytes.len;
	str_free(&bytes);
	return size <= LAUNCH_NEW_MAX ||
	       err_set(err, "script, command and environment have %zu bytes; the maximum is %zu", size,
		       LAUNCH_NEW_MAX);
}

/* Sets the members of the launch from which the job's environment variables about the submission and the
 * array are made. */
static void fill_origin(struct submission *s, const struct submitter *by)
{
	struct launch *launch = &s->launch;
	int64_t first = INT64_MAX, last = 0;

	launch->submit_dir = strcmp(launch->dir, by->dir) == 0 ? NULL : by->dir;
	if (s->range_count == 0)
		return;
	for (uint32_t i = 0; i < s->range_count; i++) {
		const struct array_range *range = &s->range[i];
		int64_t end = range->first + (range->last - range->first) / range->step * range->step;

		first = range->first < first ? range->first : first;
		last = end > last ? end : last;
	}
	launch->array_tasks = qsub_tasks(s);
	launch->array_first = (uint32_t)first;
	launch->array_last = (uint32_t)last;
	launch->array_step = s->range_count == 1 ? (uint32_t)s->range[0].step : 1;
}

bool qsub_finish(struct submission *out, const struct submitter *by, struct err *err)
{
	fill_job(out, by);
	out->launch.mail = out->mail;
	out->launch.mail_to = out->mail != NULL ? out->mail_to : NULL;
	out->launch.umask = out->draft.has_umask ? out->draft.umask : by->umask & 0777;
	if (!find_name(out, err) || !fill_names(out, err) || !qsub_make_tasks(out, err) ||
	    !check_size(out, err) || !make_paths(out, by, err) || !qsub_build_environment(out, by, err))
		return false;
	fill_origin(out, by);
	return check_launch(&out->launch, err);
}
