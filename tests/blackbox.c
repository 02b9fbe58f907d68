/* SPDX-License-Identifier: MIT */
/*
 * blackbox.c - random scenes as files, and the program's answers about them from replays
 */
#include "blackbox.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sched/base/rng.h"
#include "sched/base/vec.h"

#define BEGIN_S         1767571200 /* Mon 2026-01-05 00:00:00 UTC */
#define LIMIT_S         60         /* for one replay, which takes milliseconds */
#define PICK(rng, list) ((list)[below((rng), (unsigned)(sizeof(list) / sizeof *(list)))])

static unsigned below(struct rng *rng, unsigned limit)
{
	return (unsigned)rng_below(rng, limit);
}

/* One in `of`. */
static bool one_in(struct rng *rng, unsigned of)
{
	return below(rng, of) == 0;
}

/* --- configurations -------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void add_line(struct blackbox_scene *scene, const char *format,
							   ...)
{
	va_list args;

	if (scene->lines == BLACKBOX_LINES)
		return;
	va_start(args, format);
	vsnprintf(scene->line[scene->lines++].text, sizeof scene->line[0].text, format, args);
	va_end(args);
}

static const char *const users[] = {"a", "b", "c"};
static const char *const groups[] = {"g", "h"};
static const char *const accounts[] = {NULL, "x", "y"};
static const char *const classes[] = {"batch", "batch", "short"};
static const char *const qualities[] = {NULL, NULL, "hi", "lo"};

static void draw_weights(struct rng *rng, struct blackbox_scene *scene)
{
	static const char *const name[] = {
		"queuetimeweight", "xfactorweight",  "userweight",  "groupweight",           "qosweight",
		"procweight",      "walltimeweight", "psweight",    "bypassweight",          "memweight",
		"nodeweight",      "peweight",       "classweight", "targetqueuetimeweight", "fsuserweight",
		"fsgroupweight",   "fsqosweight"};
	bool drawn[sizeof name / sizeof *name] = {false};

	for (unsigned i = below(rng, 5); i > 0; i--) {
		unsigned which = below(rng, sizeof name / sizeof *name);
		int value = (int)below(rng, 60) - 10;

		if (!drawn[which])
			add_line(scene, "%s = %d", name[which], value);
		drawn[which] = true;
	}
	if (one_in(rng, 6))
		add_line(scene, "xfactorcap = %u", 1 + below(rng, 20));
	if (one_in(rng, 6))
		add_line(scene, "xfminwclimit = \"0:%02u:00\"", below(rng, 60));
	if (one_in(rng, 8))
		add_line(scene, "enablenegjobpriority = true");
	if (one_in(rng, 8))
		add_line(scene, "rejectnegpriojobs = true");
	if (one_in(rng, 4))
		add_line(scene, "jobprioaccrualpolicy = %s", one_in(rng, 2) ? "fullpolicy" : "always");
}

static void draw_passes(struct rng *rng, struct blackbox_scene *scene)
{
	static const char *const backfill[] = {"none", "bestfit", "greedy", "firstfit"};
	static const char *const metric[] = {"procs", "procseconds", "seconds", "pe"};
	static const char *const kept[] = {"highest", "never", "currenthighest"};
	static const char *const order[] = {"oldest", "newest", "priority"};
	static const char *const access[] = {"singlejob", "singleuser", "singletask"};
	static const char *const nodes[] = {"firstavailable", "minresource", "priority", "contiguous",
					    "maxbalance"};
	static const char *const poll[] = {"10s", "0:05:00", "0:02:00"};

	if (one_in(rng, 2))
		add_line(scene, "backfillpolicy = %s", PICK(rng, backfill));
	if (one_in(rng, 5))
		add_line(scene, "backfillmetric = %s", PICK(rng, metric));
	if (one_in(rng, 6))
		add_line(scene, "backfilldepth = %u", 1 + below(rng, 4));
	if (one_in(rng, 2))
		add_line(scene, "reservationpolicy = %s", PICK(rng, kept));
	if (one_in(rng, 2))
		add_line(scene, "reservationdepth = %u", one_in(rng, 4) ? 1000 : below(rng, 6));
	if (one_in(rng, 3))
		add_line(scene, "hardpass = %s", one_in(rng, 3) ? "idleonly" : "resources");
	if (one_in(rng, 4))
		add_line(scene, "idlepromotion = %s", PICK(rng, order));
	if (one_in(rng, 5))
		add_line(scene, "nodeaccesspolicy = %s", PICK(rng, access));
	if (one_in(rng, 4))
		add_line(scene, "nodeallocationpolicy = %s", PICK(rng, nodes));
	if (one_in(rng, 3))
		add_line(scene, "rmpollinterval = \"%s\"", PICK(rng, poll));
	if (one_in(rng, 8))
		add_line(scene, "reservationlevel 1 { reservationdepth = %u reservationqoslist = {\"hi\"} }",
			 1 + below(rng, 3));
}

static void draw_system(struct rng *rng, struct blackbox_scene *scene)
{
	if (one_in(rng, 10))
		add_line(scene, "systemmaxjobwalltime = %u", 1800 + below(rng, 4) * 1800);
	if (one_in(rng, 10))
		add_line(scene, "systemmaxprocperjob = %u", 1 + below(rng, scene->nodes * scene->procs));
	if (one_in(rng, 10))
		add_line(scene, "systemmaxprocsecondperjob = %u", 3600 * (1 + below(rng, 8)));
	if (one_in(rng, 10))
		add_line(scene, "system { maxjob = {\"%u\"} }", 1 + below(rng, 6));
}

/* "7" or "3,7". */
static void add_pair(struct rng *rng, struct str *text, unsigned unit, unsigned most)
{
	unsigned hard = 1 + below(rng, most);

	if (one_in(rng, 2))
		str_addf(text, "%u,", unit * (1 + below(rng, hard)));
	str_addf(text, "%u", unit * hard);
}

static void add_limits(struct rng *rng, struct str *text, const char *second)
{
	static const struct {
		const char *name;
		unsigned unit, most;
	} row[] = {{"maxjob", 1, 3},  {"maxproc", 1, 12},  {"maxps", 600, 40}, {"maxwc", 300, 24},
		   {"maxijob", 1, 4}, {"maxiproc", 1, 12}, {"maxpe", 1, 12},   {"maxqueued", 1, 6},
		   {"maxnode", 1, 4}, {"maxips", 600, 40}};

	for (unsigned i = 1 + below(rng, 2); i > 0; i--) {
		unsigned which = below(rng, sizeof row / sizeof *row);

		if (strstr(str_text(text), row[which].name))
			continue;
		str_addf(text, " %s = {\"%s", row[which].name, second);
		add_pair(rng, text, row[which].unit, row[which].most);
		str_add(text, "\"}");
	}
}

static void add_target(struct rng *rng, struct str *text)
{
	static const char *const mode[] = {"", "+", "-", "%", "%", "%"};

	if (one_in(rng, 5))
		str_addf(text, " fstarget = \"%u^\"", 1200 * (1 + below(rng, 40)));
	else
		str_addf(text, " fstarget = \"%u%s\"", 5 + below(rng, 80), PICK(rng, mode));
}

static void draw_shares(struct rng *rng, struct blackbox_scene *scene)
{
	static const char *const metric[] = {"dedicatedps", "dedicatedps", "dedicatedpes", "utilizedps",
					     "\"dedicatedps%\""};
	static const unsigned interval_s[] = {600, 1800, 3600, 3600 * 6, 86400};

	add_line(scene, "fspolicy = %s", PICK(rng, metric));
	add_line(scene, "fsinterval = %u", PICK(rng, interval_s));
	if (one_in(rng, 2))
		add_line(scene, "fsdepth = %u", 1 + below(rng, 8));
	if (one_in(rng, 2))
		add_line(scene, "fsdecay = 0.%u", 1 + below(rng, 9));
}

/* A credential's section: its points, its share, its limits. */
static void draw_section(struct rng *rng, struct blackbox_scene *scene, const char *type, const char *name,
			 bool shares)
{
	struct str text = {0};
	const char *second = "";

	if (strcmp(type, "class") == 0 && one_in(rng, 2))
		second = one_in(rng, 2) ? "USER=" : "GROUP=";
	if (one_in(rng, 3))
		str_addf(&text, " priority = %d", (int)below(rng, 60) - 20);
	if (shares && one_in(rng, 2))
		add_target(rng, &text);
	if (one_in(rng, 2))
		add_limits(rng, &text, second);
	if (strcmp(type, "qos") == 0 && one_in(rng, 3))
		str_addf(&text, " omaxjob = {\"%u\"}", 1 + below(rng, 5));
	if (strcmp(type, "qos") == 0 && one_in(rng, 3))
		str_addf(&text, " qttarget = %u xfweight = %u", 600 * (1 + below(rng, 12)), below(rng, 20));
	if (strcmp(type, "class") == 0 && one_in(rng, 4))
		str_addf(&text, " max.wclimit = %u", 1800 * (1 + below(rng, 4)));
	if (strcmp(type, "class") == 0 && one_in(rng, 6))
		str_addf(&text, " min.proc = %u", 1 + below(rng, 2));
	if (strcmp(type, "class") == 0 && one_in(rng, 6))
		str_addf(&text, " max.proc = %u", 2 + below(rng, 8));
	if (text.len > 0)
		add_line(scene, "%s %s {%s }", type, name, str_text(&text));
	str_free(&text);
}

static void draw_sections(struct rng *rng, struct blackbox_scene *scene)
{
	static const struct {
		const char *type, *name;
		unsigned of;
	} row[] = {{"user", "DEFAULT", 3},    {"user", "a", 2},      {"user", "b", 3},
		   {"group", "DEFAULT", 6},   {"group", "g", 4},     {"account", "x", 4},
		   {"account", "DEFAULT", 8}, {"class", "short", 3}, {"class", "batch", 5},
		   {"qos", "hi", 2},          {"qos", "lo", 4}};
	bool shares = one_in(rng, 2);

	if (shares)
		draw_shares(rng, scene);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		if (one_in(rng, row[i].of))
			draw_section(rng, scene, row[i].type, row[i].name, shares);
}

static void draw_places(struct rng *rng, struct blackbox_scene *scene)
{
	if (one_in(rng, 6))
		add_line(scene, "node n001 { features = {\"fast\"} }");
	if (one_in(rng, 10))
		add_line(scene, "node DEFAULT { memory = %u }", 512 * (1 + below(rng, 4)));
}

/* --- jobs and acts --------------------------------------------------------------------------- */

static struct blackbox_job draw_job(struct rng *rng, const struct blackbox_scene *scene)
{
	static const int64_t wall_s[] = {60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 86400};
	unsigned machine = scene->nodes * scene->procs;
	struct blackbox_job job = {.task_procs = 1, .not_before_s = 0};

	job.user = PICK(rng, users);
	job.group = PICK(rng, groups);
	job.account = PICK(rng, accounts);
	job.class_name = PICK(rng, classes);
	job.qos = PICK(rng, qualities);
	job.tasks = 1 + below(rng, one_in(rng, 3) ? machine : (machine + 1) / 2);
	if (one_in(rng, 8) && scene->procs > 1) {
		job.task_procs = 1 + below(rng, scene->procs);
		job.tasks = 1 + below(rng, scene->nodes);
	}
	if (one_in(rng, 10))
		job.nodes = 1 + below(rng, scene->nodes);
	if (job.nodes > job.tasks)
		job.tasks = job.nodes;
	if (one_in(rng, 12))
		job.mem_mb = 64 * (1 + below(rng, 12));
	if (one_in(rng, 20))
		job.feature = "fast";
	job.wall_s = PICK(rng, wall_s);
	job.run_s = one_in(rng, 2) ? job.wall_s : 1 + below(rng, (unsigned)job.wall_s);
	return job;
}

static int by_submission(const void *left, const void *right)
{
	const struct blackbox_job *a = left, *b = right;

	return a->submit_s < b->submit_s ? -1 : a->submit_s > b->submit_s;
}

static void draw_jobs(struct rng *rng, struct blackbox_scene *scene, unsigned span_s)
{
	scene->jobs = 5 + below(rng, 36);
	for (size_t i = 0; i < scene->jobs; i++) {
		struct blackbox_job *job = &scene->job[i];

		*job = draw_job(rng, scene);
		job->submit_s = BEGIN_S + 10 * below(rng, span_s / 10 + 1);
		if (one_in(rng, 15))
			job->not_before_s = BEGIN_S + 60 * below(rng, span_s / 20);
	}
	scene->job[0].submit_s = BEGIN_S;
	qsort(scene->job, scene->jobs, sizeof scene->job[0], by_submission);
}

__attribute__((format(printf, 5, 6))) static void add_act(struct blackbox_scene *scene, int64_t at_s,
							  int first, int second, const char *format, ...)
{
	struct blackbox_act *act = &scene->act[scene->acts];
	va_list args;

	if (scene->acts == BLACKBOX_ACTS)
		return;
	scene->acts++;
	act->at_s = at_s;
	act->job[0] = first;
	act->job[1] = second;
	va_start(args, format);
	vsnprintf(act->text, sizeof act->text, format, args);
	va_end(args);
}

static void draw_act(struct rng *rng, struct blackbox_scene *scene)
{
	static const char *const after[] = {"afterany", "afterok", "afternotok", "after"};
	int job = (int)below(rng, (unsigned)scene->jobs), other = (int)below(rng, (unsigned)scene->jobs);
	int64_t begin_s = scene->job[job].submit_s, at_s;

	if (scene->job[other].submit_s > begin_s)
		begin_s = scene->job[other].submit_s;
	at_s = begin_s + below(rng, (unsigned)(scene->ask_s - begin_s) + 1);
	switch (below(rng, 7)) {
	case 0:
		add_act(scene, at_s, job, -1, "hold @");
		break;
	case 1:
		add_act(scene, at_s, job, -1, "set @ priority=%+d", (int)below(rng, 400) - 100);
		break;
	case 2:
		if (job != other)
			add_act(scene, at_s, job, other, "set @ depend=%s:@", PICK(rng, after));
		break;
	case 3:
		add_act(scene, scene->ask_s, -1, -1, "submit -t 1-%u%%%u -l procs=%u,walltime=%u -- x",
			2 + below(rng, 5), 1 + below(rng, 2), 1 + below(rng, scene->procs),
			300 * (1 + below(rng, 8)));
		break;
	case 4:
		add_act(scene, at_s, -1, -1, "reserve -n r%u -s +%u -d %u%s n001", below(rng, 1000),
			60 * below(rng, 60), 600 * (1 + below(rng, 12)), one_in(rng, 2) ? " -u a" : "");
		break;
	case 5:
		add_act(scene, at_s, job, -1, "cancel @");
		break;
	default:
		add_act(scene, at_s, job, -1, "set @ starttime=+%u", 60 * (1 + below(rng, 120)));
		break;
	}
}

void blackbox_draw(struct blackbox_scene *scene, uint64_t seed)
{
	struct rng rng;
	unsigned span_s;

	rng_seed(&rng, seed);
	*scene = (struct blackbox_scene){.seed = seed};
	scene->nodes = 1 + below(&rng, 8);
	scene->procs = 1 + below(&rng, 8);
	span_s = 600 + 60 * below(&rng, 140);
	scene->ask_s = BEGIN_S + span_s;
	if (one_in(&rng, 4))
		scene->poll_s = one_in(&rng, 3) ? 30 : 60;
	draw_weights(&rng, scene);
	draw_passes(&rng, scene);
	draw_system(&rng, scene);
	draw_sections(&rng, scene);
	draw_places(&rng, scene);
	draw_jobs(&rng, scene, span_s);
	if (one_in(&rng, 2))
		for (unsigned i = 1 + below(&rng, 5); i > 0; i--)
			draw_act(&rng, scene);
}

/* --- files ----------------------------------------------------------------------------------- */

unsigned blackbox_id(const struct blackbox_scene *scene, int job)
{
	unsigned id = 0;

	if (job < 0 || scene->job[job].out)
		return 0;
	for (int i = 0; i <= job; i++)
		id += !scene->job[i].out;
	return id;
}

int blackbox_job_of(const struct blackbox_scene *scene, unsigned id)
{
	for (size_t i = 0; i < scene->jobs; i++)
		if (blackbox_id(scene, (int)i) == id && id > 0)
			return (int)i;
	return -1;
}

static const char *or_none(const char *name)
{
	return name ? name : "[NONE]";
}

/* A line of a Maui workload trace. */
static void write_job(const struct blackbox_scene *scene, size_t i, struct str *out)
{
	const struct blackbox_job *job = &scene->job[i];
	int64_t at_s = job->submit_s;

	str_addf(out,
		 "%u %u %u %s %s %" PRId64 " Completed [%s:1] %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64,
		 blackbox_id(scene, (int)i), job->nodes, job->tasks, job->user, job->group, job->wall_s,
		 job->class_name, at_s, at_s, at_s, at_s + job->settled_run_s);
	str_addf(out, " [NONE] [NONE] [NONE] >= 0 >= 0 ");
	str_addf(out, job->feature ? "[%s]" : "%s", or_none(job->feature));
	str_addf(out, " %" PRId64 " %u -1 ", at_s, job->tasks);
	str_addf(out, job->qos ? "%s:" : "%s", or_none(job->qos));
	str_addf(out,
		 "%s [NONE] %s cmd [NONE] 0 0 [DEFAULT] %u %u 0 0 %" PRId64
		 " 0 [NONE] 0 [NONE] [NONE] [NONE] [NONE] [NONE]\n",
		 job->qos ? job->qos : "", or_none(job->account), job->task_procs, job->mem_mb,
		 job->not_before_s);
}

/* With the ids for '@'. False when it names a job that was left out. */
static bool write_act(const struct blackbox_scene *scene, const struct blackbox_act *act, struct str *out)
{
	size_t named = 0;

	for (size_t i = 0; i < 2; i++)
		if (act->job[i] >= 0 && blackbox_id(scene, act->job[i]) == 0)
			return false;
	str_addf(out, "%" PRId64 " ", act->at_s);
	for (const char *c = act->text; *c != '\0'; c++)
		if (*c == '@')
			str_addf(out, "%u", blackbox_id(scene, act->job[named++]));
		else
			str_add_char(out, *c);
	str_add_char(out, '\n');
	return true;
}

static void write_file(const char *folder, const char *name, const struct str *text)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	file = fopen(path, "w");
	if (!file || fputs(str_text(text), file) == EOF || fclose(file) != 0) {
		perror(path);
		exit(3);
	}
}

void blackbox_write(const struct blackbox_scene *scene, const struct blackbox_script *script,
		    const char *folder)
{
	struct str config = {0}, trace = {0}, ask = {0};

	for (size_t i = 0; i < scene->lines; i++)
		if (!scene->line[i].out)
			str_addf(&config, "%s\n", scene->line[i].text);
	str_add(&trace, "VERSION 230\n");
	for (size_t i = 0; i < scene->jobs; i++)
		if (!scene->job[i].out)
			write_job(scene, i, &trace);
	for (size_t i = 0; i < scene->acts; i++)
		if (!scene->act[i].out)
			write_act(scene, &scene->act[i], &ask);
	for (size_t i = 0; script && i < script->count; i++)
		str_addf(&ask, "%" PRId64 " %s\n", script->command[i].at_s, script->command[i].text);
	write_file(folder, "kahu.conf", &config);
	write_file(folder, "workload.trace", &trace);
	write_file(folder, "ask", &ask);
	str_free(&config);
	str_free(&trace);
	str_free(&ask);
}

void blackbox_options(const struct blackbox_scene *scene, struct str *out)
{
	str_addf(out, "--cluster %ux%u --config kahu.conf --do ask", scene->nodes, scene->procs);
	if (scene->poll_s > 0)
		str_addf(out, " --poll %u", scene->poll_s);
}

/* --- the program ----------------------------------------------------------------------------- */

size_t blackbox_ask(struct blackbox_script *script, int64_t at_s, const char *format, ...)
{
	char text[512];
	va_list args;

	if (script->count == BLACKBOX_COMMANDS) {
		fprintf(stderr, "blackbox: more than %d commands\n", BLACKBOX_COMMANDS);
		exit(3);
	}
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	script->command[script->count] =
		(struct blackbox_command){.at_s = at_s, .text = arena_string(&script->arena, text)};
	return script->count++;
}

void blackbox_script_clear(struct blackbox_script *script)
{
	arena_free(&script->arena);
	script->count = 0;
}

/* The folder that this process uses; removed at its end. */
static char work[64];

static void remove_work(void)
{
	static const char *const name[] = {"kahu.conf", "workload.trace", "ask", "starts", "words"};
	char path[128];

	for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
		snprintf(path, sizeof path, "%s/%s", work, name[i]);
		unlink(path);
	}
	rmdir(work);
}

static const char *work_folder(void)
{
	if (work[0] == '\0') {
		snprintf(work, sizeof work, "/tmp/kahu-blackbox.XXXXXX");
		if (!mkdtemp(work)) {
			perror(work);
			exit(3);
		}
		atexit(remove_work);
	}
	return work;
}

static void run_program(const char *const *args, int output)
{
	int words = open("words", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	dup2(output, STDOUT_FILENO);
	dup2(words, STDERR_FILENO);
	setenv("TZ", "UTC", 1);
	setenv("HOME", ".", 1);
	unsetenv("KAHU_CONF");
	unsetenv("KAHU_STORE");
	execv(args[0], (char *const *)(uintptr_t)args);
	_exit(127);
}

static int64_t monotonic_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

/* Everything that comes from fd. False when the time is over first. */
static bool read_all(int fd, struct str *out)
{
	int64_t end_ms = monotonic_ms() + LIMIT_S * INT64_C(1000);
	char bytes[65536];

	for (;;) {
		struct pollfd wait = {.fd = fd, .events = POLLIN};
		int64_t left_ms = end_ms - monotonic_ms();
		ssize_t len;

		if (left_ms <= 0)
			return false;
		if (poll(&wait, 1, (int)left_ms) <= 0)
			continue;
		len = read(fd, bytes, sizeof bytes);
		if (len <= 0)
			return true;
		str_add_bytes(out, bytes, (size_t)len);
	}
}

static int run(const char *const *args, const char *folder, struct str *out)
{
	int pipe_fd[2], status;
	bool whole;
	pid_t child;

	if (pipe(pipe_fd) != 0 || (child = fork()) < 0) {
		perror("blackbox");
		exit(3);
	}
	if (child == 0) {
		if (chdir(folder) != 0)
			_exit(127);
		run_program(args, pipe_fd[1]);
	}
	close(pipe_fd[1]);
	whole = read_all(pipe_fd[0], out);
	close(pipe_fd[0]);
	if (!whole)
		kill(child, SIGKILL);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	if (!whole)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
}

static void read_file(const char *folder, const char *name, struct str *out)
{
	char path[512], bytes[4096];
	size_t len;
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	file = fopen(path, "r");
	while (file && (len = fread(bytes, 1, sizeof bytes, file)) > 0)
		str_add_bytes(out, bytes, len);
	if (file)
		fclose(file);
}

static int64_t number_or_none(const char *text)
{
	return *text >= '0' && *text <= '9' ? strtoll(text, NULL, 10) : -1;
}

/* job,submit,start,end,procs */
static void read_starts(const char *text, struct blackbox_result *out)
{
	for (const char *line = strchr(text, '\n'); line && line[1] != '\0'; line = strchr(line + 1, '\n')) {
		unsigned id = (unsigned)strtoul(line + 1, NULL, 10);
		const char *start = strchr(line + 1, ',');
		const char *end;

		start = start ? strchr(start + 1, ',') : NULL;
		end = start ? strchr(start + 1, ',') : NULL;
		if (!end || id == 0 || id > BLACKBOX_JOBS)
			continue;
		out->start_s[id - 1] = number_or_none(start + 1);
		out->end_s[id - 1] = number_or_none(end + 1);
	}
}

/* Answers come by moment, those of one moment in the order of the file. */
static void read_answers(const struct blackbox_script *script, struct blackbox_result *out)
{
	const struct json_value *all = json_get(out->summary, "do");

	for (size_t i = 0; i < BLACKBOX_COMMANDS; i++)
		out->answer[i] = (struct blackbox_answer){.status = -1, .text = ""};
	for (const struct json_value *one = all->first; script && one; one = one->next) {
		const char *text = json_text_of(one, "command");
		int64_t at_s = json_number_of(one, "time", 0);

		for (size_t i = 0; i < script->count; i++) {
			struct blackbox_answer *answer = &out->answer[i];

			if (answer->status >= 0 || script->command[i].at_s != at_s ||
			    strcmp(script->command[i].text, text) != 0)
				continue;
			answer->status = (int)json_number_of(one, "status", 3);
			answer->text = json_text_of(one, "output");
			answer->value = json_read(answer->text, &out->arena);
			break;
		}
	}
}

void blackbox_replay(const struct blackbox_scene *scene, const struct blackbox_script *script,
		     int64_t until_s, int poll_s, struct blackbox_result *out)
{
	const char *folder = work_folder();
	struct str printed = {0}, starts = {0};
	char cluster[32], poll[32], until[32];
	const char *args[20];
	size_t count = 0;

	memset(out, 0, sizeof *out);
	for (size_t i = 0; i < BLACKBOX_JOBS; i++)
		out->start_s[i] = out->end_s[i] = -1;
	blackbox_write(scene, script, folder);
	snprintf(cluster, sizeof cluster, "%ux%u", scene->nodes, scene->procs);
	snprintf(poll, sizeof poll, "%d", poll_s < 0 ? (int)scene->poll_s : poll_s);
	snprintf(until, sizeof until, "%" PRId64, until_s);
	args[count++] = getenv("KAHU") ? getenv("KAHU") : "kahu";
	args[count++] = "replay";
	args[count++] = "workload.trace";
	args[count++] = "--cluster";
	args[count++] = cluster;
	args[count++] = "--config";
	args[count++] = "kahu.conf";
	args[count++] = "--do";
	args[count++] = "ask";
	args[count++] = "--starts";
	args[count++] = "starts";
	args[count++] = "--json";
	if (strcmp(poll, "0") != 0) {
		args[count++] = "--poll";
		args[count++] = poll;
	}
	if (until_s >= 0) {
		args[count++] = "--until";
		args[count++] = until;
	}
	args[count] = NULL;
	out->status = run(args, folder, &printed);
	read_file(folder, "words", &out->words);
	read_file(folder, "starts", &starts);
	read_starts(str_text(&starts), out);
	out->summary = json_read(str_text(&printed), &out->arena);
	read_answers(script, out);
	str_free(&printed);
	str_free(&starts);
}

void blackbox_result_clear(struct blackbox_result *result)
{
	str_free(&result->words);
	arena_free(&result->arena);
}

bool blackbox_settle(struct blackbox_scene *scene)
{
	struct blackbox_result *first = mem_zero(1, sizeof *first);
	bool ok;

	for (size_t i = 0; i < scene->jobs; i++)
		scene->job[i].settled_run_s = scene->job[i].run_s;
	blackbox_replay(scene, NULL, scene->ask_s, -1, first);
	ok = first->summary != NULL;
	if (!ok)
		fprintf(stderr, "# %s", str_text(&first->words));
	for (size_t i = 0; ok && i < scene->jobs; i++) {
		unsigned id = blackbox_id(scene, (int)i);

		if (id > 0 && (first->end_s[id - 1] < 0 || first->end_s[id - 1] > scene->ask_s))
			scene->job[i].settled_run_s = scene->job[i].wall_s;
	}
	blackbox_result_clear(first);
	free(first);
	return ok;
}
