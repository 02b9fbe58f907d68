/* SPDX-License-Identifier: MIT */
/*
 * foreign_process.c - which processes are there, and whose are they?
 *
 * /proc/PID/stat is "PID (NAME) STATE PARENT ...", see proc(5). NAME is anything its owner likes, brackets
 * and newlines included: the fields begin behind the last ')'. A process may go while we look; then it was
 * not there. What has lost its parent belongs to process 1, or to the shepherd above it.
 */
#include "foreign_inside.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "facts_inside.h"
#include "sched/base/vec.h"

/* Of the flags. */
#define KERNEL_THREAD INT64_C(0x00200000) /* PF_KTHREAD */
#define EXITS         INT64_C(0x0000040c) /* PF_SIGNALED, PF_POSTCOREDUMP, PF_EXITING */

#define THREADS_LOOKED 1000 /* of a process whose first thread has ended */

#define TICKS_MAX (INT64_C(1) << 52)
#define PAGES_MAX (INT64_C(1) << 34)

/* Their places behind the name, from the state on. */
enum field {
	FIELD_PARENT = 1,
	FIELD_FLAGS = 6,
	FIELD_USER_TICKS = 11,
	FIELD_SYSTEM_TICKS = 12,
	FIELD_THREADS = 17,
	FIELD_START = 19,
	FIELD_PAGES = 21,
	FIELD_COUNT,
	FIELD_PENDING = 28 /* signals; looked at where there is one */
};

/* --- one process -------------------------------------------------------------------------------- */

void name_safe(char *out, size_t room, const char *text)
{
	size_t i = 0;

	for (; i + 1 < room && text[i] != '\0'; i++)
		out[i] = (char)(text[i] >= ' ' && text[i] <= '~' ? text[i] : '?');
	out[i] = '\0';
}

static bool read_fields(const char *at, int64_t field[static FIELD_COUNT])
{
	field[0] = 0;
	at += strspn(at, " ");
	at += strcspn(at, " ");
	for (size_t i = 1; i < FIELD_COUNT; i++) {
		char *end;

		field[i] = strtoll(at, &end, 10);
		if (end == at)
			return false;
		at = end;
	}
	return true;
}

/*
 * To each thread of a process that is killed the kernel sends KILL, which stays pending until the thread sees
 * it. From then on the flags say that it exits, for as long as a tracer stops it on its way out.
 */
static bool is_ending(const char *at, int64_t flags)
{
	if ((flags & EXITS) != 0)
		return true;
	for (int i = 0; i < FIELD_PENDING; i++) {
		at += strspn(at, " ");
		at += strcspn(at, " ");
	}
	return strtoull(at, NULL, 10) >> (SIGKILL - 1) & 1;
}

static int64_t cut(int64_t value, int64_t most)
{
	return value < 0 ? 0 : value > most ? most : value;
}

bool process_read(const char *stat, struct process *out)
{
	int64_t field[FIELD_COUNT];
	const char *open = strchr(stat, '(');
	const char *close = strrchr(stat, ')');
	char *end, state;

	if (open == NULL || close == NULL || close < open || !read_fields(close + 1, field))
		return false;
	state = close[1 + strspn(close + 1, " ")];
	*out = (struct process){.pid = strtoll(stat, &end, 10),
				.parent = field[FIELD_PARENT],
				.start = cut(field[FIELD_START], TICKS_MAX),
				.ticks = cut(field[FIELD_USER_TICKS], TICKS_MAX) +
					 cut(field[FIELD_SYSTEM_TICKS], TICKS_MAX),
				.pages = cut(field[FIELD_PAGES], PAGES_MAX),
				.ending = is_ending(close + 1, field[FIELD_FLAGS]),
				.leaderless = state == 'Z' && field[FIELD_THREADS] > 1,
				.whose = field[FIELD_FLAGS] & KERNEL_THREAD ? WHOSE_KERNEL : WHOSE_UNKNOWN};
	size_t len = (size_t)(close - open);
	name_safe(out->name, len < sizeof out->name ? len : sizeof out->name, open + 1);
	return end != stat && out->pid > 0;
}

/* --- all of them --------------------------------------------------------------------------------- */

static int compare_processes(const void *left, const void *right)
{
	const struct process *a = left;
	const struct process *b = right;

	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

struct process *process_find(const struct process_table *table, int64_t pid)
{
	struct process key = {.pid = pid};

	return table->count == 0 ? NULL
				 : bsearch(&key, table->item, table->count, sizeof key, compare_processes);
}

static bool read_stat(int folder, const char *name, struct process *out)
{
	char path[32];
	char text[1024];

	if (snprintf(path, sizeof path, "%s/stat", name) >= (int)sizeof path)
		return false;
	int fd = openat(folder, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return false;
	ssize_t len = read(fd, text, sizeof text - 1);
	close(fd);
	if (len <= 0)
		return false;
	text[len] = '\0';
	return process_read(text, out);
}

/* The first thread has given up the memory that the others still have: one of them tells of it. */
static void ask_other_threads(int folder, const char *name, size_t *left, struct process *p)
{
	char path[32];
	struct process thread;
	const struct dirent *e;

	snprintf(path, sizeof path, "%.20s/task", name);
	int fd = openat(folder, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *threads = fd < 0 ? NULL : fdopendir(fd);

	for (int i = 0; threads != NULL && i < THREADS_LOOKED && (e = readdir(threads)) != NULL; i++) {
		*left -= *left > 1;
		if (e->d_name[0] == '.' || !read_stat(fd, e->d_name, &thread) || thread.pages == 0)
			continue;
		p->pages = thread.pages;
		p->ending = thread.ending;
		break;
	}
	if (threads != NULL)
		closedir(threads);
	else if (fd >= 0)
		close(fd);
}

/* Takes more of what is left for one with many threads. */
static bool read_process(int folder, const char *name, size_t *left, struct process *out)
{
	if (!read_stat(folder, name, out))
		return false;
	if (out->leaderless)
		ask_other_threads(folder, name, left, out);
	return true;
}

static bool read_uptime(const char *prefix, double *out)
{
	struct str text = {0};
	bool good = kernel_text(&text, "%s/proc/uptime", prefix);

	if (good) {
		text.data[strcspn(text.data, " ")] = '\0';
		good = str_read_real(text.data, out) && *out >= 0;
	}
	str_free(&text);
	return good;
}

static bool begin_pass(struct process_table *table, const char *prefix, struct err *err)
{
	struct str path = {0};

	table->count = 0;
	str_addf(&path, "%s/proc", prefix);
	table->folder = read_uptime(prefix, &table->at_s) ? opendir(str_text(&path)) : NULL;
	if (table->folder == NULL)
		err_set(err, "the processes of this host cannot be seen in %s: is it mounted?",
			str_text(&path));
	str_free(&path);
	return table->folder != NULL;
}

static enum look end_pass(struct process_table *table)
{
	closedir(table->folder);
	table->folder = NULL;
	if (table->count > 0)
		qsort(table->item, table->count, sizeof *table->item, compare_processes);
	return LOOK_DONE;
}

enum look process_table_read(struct process_table *table, const char *prefix, size_t most, struct err *err)
{
	struct process p;

	if (table->folder == NULL && !begin_pass(table, prefix, err))
		return LOOK_FAILED;
	for (; most > 0; most--) {
		const struct dirent *e = table->count < PROCESSES_MAX ? readdir(table->folder) : NULL;

		if (e == NULL)
			return end_pass(table);
		if (e->d_name[0] < '1' || e->d_name[0] > '9' ||
		    !read_process(dirfd(table->folder), e->d_name, &most, &p))
			continue;
		table->item = vec_room(table->item, &table->cap, table->count + 1, sizeof *table->item);
		table->item[table->count++] = p;
	}
	return LOOK_ON;
}

/* --- whose they are ------------------------------------------------------------------------------- */

static void claim(struct process_table *table, int64_t pid)
{
	struct process *p = process_find(table, pid);

	if (p != NULL)
		p->whose = WHOSE_OURS;
}

/*
 * As its nearest ancestor that is known; foreign when there is none. All on the way are known then, so that
 * every process is passed once. A ring, which only a lie could make, is foreign.
 */
static void judge(struct process_table *table, struct process *p)
{
	enum whose whose = WHOSE_FOREIGN;

	for (struct process *up = p; up != NULL; up = process_find(table, up->parent)) {
		if (up->whose != WHOSE_UNKNOWN) {
			whose = up->whose == WHOSE_OURS ? WHOSE_OURS : WHOSE_FOREIGN;
			break;
		}
		up->whose = WHOSE_FOREIGN;
	}
	for (struct process *up = p; whose == WHOSE_OURS && up != NULL && up->whose == WHOSE_FOREIGN;
	     up = process_find(table, up->parent))
		up->whose = WHOSE_OURS;
}

void process_table_judge(struct process_table *table, const int64_t *pid, size_t count)
{
	claim(table, getpid());
	for (size_t i = 0; i < count; i++)
		claim(table, pid[i]);
	for (size_t i = 0; i < table->count; i++)
		if (table->item[i].whose == WHOSE_UNKNOWN)
			judge(table, &table->item[i]);
}
