/* SPDX-License-Identifier: MIT */
/*
 * outside_processes.c - load, memory and devices used by processes outside of jobs
 *
 * A measurement of all processes is called a look. The processor time of a process is the time used since the
 * last look; processes are identified by PID and start time. A process that started after the last look
 * counts with all its processor time. A process that starts and exits between two looks is not seen. The
 * processes of a job whose shepherd has died are no longer descendants of a shepherd, and count as outside
 * processes from then on.
 */
#include "outside_processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "host_info_inside.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

/* A process table: at most PROCESSES_MAX processes, sorted by PID when it is complete. */
#define PROCESSES_MAX 65536

struct process_table {
	struct process *item;
	size_t count, cap;
	double at_s; /* when the pass over /proc began, in seconds since boot */
	DIR *folder; /* /proc during an incomplete pass; NULL = no pass in progress */
};

/* Devices that a process has open. */
struct device_seen {
	bool nvidia, amd; /* has the memory device of the driver open */
	uint64_t nvidia_devices, amd_devices;
};

/*
 * State of the search for devices among the open files of outside processes, which is done in parts.
 * Initially all zero.
 */
struct device_look {
	struct device_node {
		bool amd;
		int16_t node; /* number of the device node, as in struct device */
	} wanted[HOST_DEVICES_MAX];
	uint32_t count;
	uint64_t used;  /* devices in use: those found in the last complete round and so far in this round */
	uint64_t found; /* devices found in this round; a round begins with the first process */
	int64_t from;   /* the next look begins at the first process with at least this PID */
	size_t at;      /* index of the process to examine */
	size_t links;   /* open files read in this look */
	DIR *folder;    /* /proc/PID/fd of this process; NULL = not open */
	size_t folder_links;     /* open files read of this process */
	struct device_seen seen; /* devices found among these files */
};

/* --- the process table, and the owners of processes --------------------------------------------------- */

/*
 * /proc/PID/stat is "PID (NAME) STATE PARENT ...", see proc(5). NAME may contain any characters, including
 * parentheses and newlines: the fields begin after the last ')'. A process that exits while it is read is
 * ignored. The parent of an orphaned process is process 1, or the nearest shepherd among its ancestors.
 */

/* Flags in the field FIELD_FLAGS. */
#define KERNEL_THREAD INT64_C(0x00200000) /* PF_KTHREAD */

#define EXITS INT64_C(0x0000040c) /* PF_SIGNALED, PF_POSTCOREDUMP, PF_EXITING */

#define THREADS_LOOKED 1000 /* maximum number of threads examined if the first thread has exited */

#define TICKS_MAX (INT64_C(1) << 52)

#define PAGES_MAX (INT64_C(1) << 34)

/* Numbers of the fields after the name; the state is field 0. */
enum field {
	FIELD_PARENT = 1,
	FIELD_FLAGS = 6,
	FIELD_USER_TICKS = 11,
	FIELD_SYSTEM_TICKS = 12,
	FIELD_THREADS = 17,
	FIELD_START = 19,
	FIELD_PAGES = 21,
	FIELD_COUNT,
	FIELD_PENDING = 28 /* pending signals of the thread; may be missing */
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
 * Has the process been killed, or is it exiting? The kernel sends KILL to each thread of a killed process;
 * the signal is pending until the thread handles it. From then on the flags show that the process is exiting,
 * even while a tracer delays the exit.
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

/* --- all processes ----------------------------------------------------------------------------- */

static int compare_processes(const void *left, const void *right)
{
	const struct process *a = left;
	const struct process *b = right;

	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

static struct process *process_find(const struct process_table *table, int64_t pid)
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

/*
 * Reads the memory size of a process from another thread, because its first thread has exited and reports 0,
 * while the other threads still use the memory.
 */
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

/* Reads one process. Decreases *left if it must examine several threads. */
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
		err_set(err, "the processes of this host cannot be read from %s; is it mounted?",
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

/*
 * Does a pass over /proc below the prefix, or a part of it: examines at most `most` entries. The table must
 * not be used before the pass is complete.
 */
static enum look process_table_read(struct process_table *table, const char *prefix, size_t most,
				    struct err *err)
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

/* --- our processes and outside processes ------------------------------------------------------------ */

static void claim(struct process_table *table, int64_t pid)
{
	struct process *p = process_find(table, pid);

	if (p != NULL)
		p->whose = WHOSE_OURS;
}

/*
 * Marks a process like its nearest marked ancestor: as ours or as outside; without a marked ancestor, as
 * outside. All processes between the two are marked, too, so that every process is visited once. Processes
 * whose parents form a cycle, which is possible only with inconsistent data, are marked as outside.
 */
static void judge(struct process_table *table, struct process *p)
{
	enum whose whose = WHOSE_OUTSIDE;

	for (struct process *up = p; up != NULL; up = process_find(table, up->parent)) {
		if (up->whose != WHOSE_UNKNOWN) {
			whose = up->whose == WHOSE_OURS ? WHOSE_OURS : WHOSE_OUTSIDE;
			break;
		}
		up->whose = WHOSE_OUTSIDE;
	}
	for (struct process *up = p; whose == WHOSE_OURS && up != NULL && up->whose == WHOSE_OUTSIDE;
	     up = process_find(table, up->parent))
		up->whose = WHOSE_OURS;
}

/* Marks our processes (this process, those in `pid`, and all their descendants) and the outside processes. */
static void process_table_judge(struct process_table *table, const int64_t *pid, size_t count)
{
	claim(table, getpid());
	for (size_t i = 0; i < count; i++)
		claim(table, pid[i]);
	for (size_t i = 0; i < table->count; i++)
		if (table->item[i].whose == WHOSE_UNKNOWN)
			judge(table, &table->item[i]);
}

/* --- GPUs that a process has open --------------------------------------------------------------------- */

/*
 * A process uses a GPU if it has /dev/nvidiaN or /dev/dri/renderDN open, and also /dev/nvidia-uvm or
 * /dev/kfd, which only computing processes open. Only root can read the open files of other users' processes.
 *
 * Reading the link of an open file takes about ten microseconds, and users can have millions of open files:
 * the search is done in parts, and ends after OPEN_MAX_LOOK links. The next look begins with the process at
 * which this one ended. Processes are searched in order of their PIDs, so a user with many of them can make a
 * round longer, but not prevent its end.
 */

#define OPEN_MAX_SEEN 4096 /* maximum number of open files read for one process */

#define OPEN_MAX_LOOK 200000 /* number of open files after which a look ends with the current process */

/* --- devices to search for ---------------------------------------------------------------------------- */

static bool is_same_list(const struct device_look *look, const struct device_node *node, uint32_t count)
{
	bool same = look->count == count;

	for (uint32_t i = 0; same && i < count; i++)
		same = look->wanted[i].amd == node[i].amd && look->wanted[i].node == node[i].node;
	return same;
}

static void device_look_end(struct device_look *look);

/* See outside_watch_devices(). */
static void device_look_for(struct device_look *look, const struct device *device, uint32_t count)
{
	struct device_node node[HOST_DEVICES_MAX];

	for (uint32_t i = 0; i < count; i++)
		node[i] = (struct device_node){.amd = strcmp(device[i].kind, "amd") == 0,
					       .node = device[i].node};
	if (is_same_list(look, node, count))
		return;
	if (count > 0)
		memcpy(look->wanted, node, count * sizeof *node);
	look->count = count;
	look->used = look->found = 0;
	look->from = 0;
	look->at = 0;
	device_look_end(look);
}

/* Is there a device to search for, one with a known device node? */
static bool device_look_wanted(const struct device_look *look)
{
	for (uint32_t i = 0; i < look->count; i++)
		if (look->wanted[i].node >= 0)
			return true;
	return false;
}

/* --- one process -------------------------------------------------------------------------------------- */

/* Returns the number that follows the prefix; -1 if the path is not the prefix and a number. */
static int64_t number_behind(const char *path, const char *prefix)
{
	size_t len = strlen(prefix);
	int64_t number;

	return strncmp(path, prefix, len) == 0 && str_read_whole(path + len, &number) ? number : -1;
}

static uint64_t bit_of(const struct device_look *look, bool amd, int64_t node)
{
	for (uint32_t i = 0; i < look->count && node >= 0; i++)
		if (look->wanted[i].node == node && look->wanted[i].amd == amd)
			return UINT64_C(1) << i;
	return 0;
}

static void note_open(struct device_look *look, const char *path)
{
	struct device_seen *seen = &look->seen;

	seen->nvidia = seen->nvidia || strcmp(path, "/dev/nvidia-uvm") == 0;
	seen->amd = seen->amd || strcmp(path, "/dev/kfd") == 0;
	seen->nvidia_devices |= bit_of(look, false, number_behind(path, "/dev/nvidia"));
	seen->amd_devices |= bit_of(look, true, number_behind(path, "/dev/dri/renderD"));
}

/*
 * Opens the list of open files of a process. Returns false if the process has exited or may not be examined.
 */
static bool open_process(struct device_look *look, const char *prefix, int64_t pid)
{
	struct str path = {0};

	str_addf(&path, "%s/proc/%" PRId64 "/fd", prefix, pid);
	look->folder = opendir(str_text(&path));
	str_free(&path);
	look->folder_links = 0;
	look->seen = (struct device_seen){.nvidia = false};
	return look->folder != NULL;
}

/*
 * Reads open files of the process, and decreases *most for each. Returns true when all files of the process
 * were read.
 */
static bool read_open(struct device_look *look, size_t *most)
{
	const struct dirent *entry;
	char path[64];

	for (; look->folder_links < OPEN_MAX_SEEN; look->folder_links++, look->links++, --*most) {
		if (*most == 0)
			return false;
		entry = readdir(look->folder);
		if (entry == NULL)
			return true;
		ssize_t len = readlinkat(dirfd(look->folder), entry->d_name, path, sizeof path - 1);
		if (len <= 0)
			continue;
		path[len] = '\0';
		note_open(look, path);
	}
	return true;
}

static void close_process(struct device_look *look)
{
	look->found |= (look->seen.nvidia ? look->seen.nvidia_devices : 0) |
		       (look->seen.amd ? look->seen.amd_devices : 0);
	device_look_end(look);
	look->at++;
}

/* --- all outside processes ----------------------------------------------------------------------------- */

/* Begins the search of a look. The table must not change until the search is complete. */
static void device_look_begin(struct device_look *look, const struct process_table *table)
{
	for (look->at = 0; look->at < table->count && table->item[look->at].pid < look->from;)
		look->at++;
	look->links = 0;
}

/* Closes the list of open files of the current process. */
static void device_look_end(struct device_look *look)
{
	if (look->folder != NULL)
		closedir(look->folder);
	look->folder = NULL;
}

/*
 * Ends the search of this look before the end of the round. The next look continues with the process
 * next_pid.
 */
static enum look end_part(struct device_look *look, int64_t next_pid)
{
	look->used |= look->found;
	look->from = next_pid;
	return LOOK_DONE;
}

static enum look end_round(struct device_look *look)
{
	look->used = look->found;
	look->found = 0;
	look->from = 0;
	return LOOK_DONE;
}

/*
 * Continues the search: examines at most `processes` processes and reads at most `links` open files. Returns
 * LOOK_ON or LOOK_DONE.
 */
static enum look device_look_some(struct device_look *look, const char *prefix,
				  const struct process_table *table, size_t processes, size_t links)
{
	if (!device_look_wanted(look))
		return end_round(look);
	while (look->at < table->count) {
		const struct process *p = &table->item[look->at];

		if (p->whose != WHOSE_OUTSIDE) {
			look->at++;
			continue;
		}
		if (look->folder == NULL) {
			if (look->links >= OPEN_MAX_LOOK)
				return end_part(look, p->pid);
			if (processes-- == 0)
				return LOOK_ON;
			if (!open_process(look, prefix, p->pid)) {
				look->at++;
				continue;
			}
		}
		if (!read_open(look, &links))
			return LOOK_ON;
		close_process(look);
	}
	return end_round(look);
}

/* --- load, memory and devices used by processes outside of jobs --------------------------------------- */

#define SHARE_SHOWN 0.05 /* share of a processor; processes that use less are not shown */

#define OWNER_NAME 32

struct outside_watch {
	char *prefix;
	struct process_table last, now; /* swapped after each look; last.at_s < 0: no look yet */
	bool judged;                    /* `now` is complete, and the search for devices is in progress */
	struct outside_use next;        /* the result of this look, if judged */
	struct outside_use answer;      /* the result of the last look */
	struct device_look devices;
	int64_t owner; /* UID of the cached name; -1 = none */
	char owner_name[OWNER_NAME];
	double ticks_per_s;
	int64_t page_kb;
};

struct outside_watch *outside_watch_new(const char *root)
{
	struct outside_watch *w = mem_zero(1, sizeof *w);

	w->prefix = mem_string(kernel_root(root));
	w->last.at_s = -1;
	w->owner = -1;
	w->ticks_per_s = (double)sysconf(_SC_CLK_TCK);
	w->page_kb = (int64_t)sysconf(_SC_PAGESIZE) / 1024;
	return w;
}

void outside_watch_free(struct outside_watch *w)
{
	if (w == NULL)
		return;
	if (w->now.folder != NULL)
		closedir(w->now.folder);
	device_look_end(&w->devices);
	free(w->prefix);
	free(w->last.item);
	free(w->now.item);
	free(w);
}

/*
 * Returns the name of a user. It is looked up only if the UID differs from the last one, because lookups may
 * use the network.
 */
static const char *name_of(struct outside_watch *w, int64_t uid)
{
	char room[4096];
	struct passwd entry;
	struct passwd *found = NULL;

	if (uid == w->owner)
		return w->owner_name;
	w->owner = uid;
	if (getpwuid_r((uid_t)uid, &entry, room, sizeof room, &found) == 0 && found != NULL)
		name_safe(w->owner_name, sizeof w->owner_name, entry.pw_name);
	else
		snprintf(w->owner_name, sizeof w->owner_name, "%" PRId64, uid);
	return w->owner_name;
}

static void name_largest(struct outside_watch *w, const struct process *p, struct outside_use *out)
{
	struct str text = {0};
	int64_t uid;

	if (kernel_text(&text, "%s/proc/%" PRId64 "/status", w->prefix, p->pid) &&
	    kernel_line_number(str_text(&text), "Uid:", &uid) && uid >= 0 && uid <= UINT32_MAX)
		snprintf(out->largest, sizeof out->largest, "%s of %s", p->name, name_of(w, uid));
	else
		snprintf(out->largest, sizeof out->largest, "%s", p->name);
	str_free(&text);
}

/* Returns the processor time of a process since the last look, in ticks. */
static int64_t ticks_since(const struct outside_watch *w, const struct process *p)
{
	const struct process *before = process_find(&w->last, p->pid);

	if (before != NULL && before->start == p->start)
		return p->ticks > before->ticks ? p->ticks - before->ticks : 0;
	return (double)p->start >= w->last.at_s * w->ticks_per_s ? p->ticks : 0;
}

/*
 * Returns mem_mb, but at most the memory that the host has in use: shared pages count for each process, so a
 * sum over processes can exceed it.
 */
static int64_t at_most_in_use_mb(const struct outside_watch *w, int64_t mem_mb)
{
	struct str text = {0};
	int64_t total_kb, available_kb;

	if (mem_mb > 0 && kernel_text(&text, "%s/proc/meminfo", w->prefix) &&
	    kernel_line_number(str_text(&text), "MemTotal:", &total_kb) &&
	    kernel_line_number(str_text(&text), "MemAvailable:", &available_kb) && available_kb >= 0 &&
	    available_kb <= total_kb && (total_kb - available_kb) / 1024 < mem_mb)
		mem_mb = (total_kb - available_kb) / 1024;
	str_free(&text);
	return mem_mb;
}

static void add_up(struct outside_watch *w, struct outside_use *out)
{
	const struct process *largest = NULL;
	double elapsed_s = w->last.at_s < 0 ? 0 : w->now.at_s - w->last.at_s;
	double most = SHARE_SHOWN;
	int64_t mem_kb = 0, stuck_kb = 0;

	for (size_t i = 0; i < w->now.count; i++) {
		const struct process *p = &w->now.item[i];

		if (p->whose != WHOSE_OUTSIDE)
			continue;
		mem_kb += p->pages * w->page_kb;
		stuck_kb += p->ending ? p->pages * w->page_kb : 0;
		double share = elapsed_s > 0 ? (double)ticks_since(w, p) / w->ticks_per_s / elapsed_s : 0;
		out->load += share;
		out->processes += share > SHARE_SHOWN;
		if (share > most) {
			most = share;
			largest = p;
		}
	}
	out->over_s = elapsed_s;
	out->mem_mb = mem_kb / 1024;
	out->stuck_mb = at_most_in_use_mb(w, stuck_kb / 1024);
	if (largest == NULL)
		return;
	out->largest_load = most;
	name_largest(w, largest, out);
}

/* Computes load and memory from a complete table, and begins the search for devices. */
static void judge_all(struct outside_watch *w, const int64_t *job_pid, size_t count)
{
	if (w->now.at_s < w->last.at_s)
		w->last.at_s = -1;
	process_table_judge(&w->now, job_pid, count);
	w->next = (struct outside_use){0};
	add_up(w, &w->next);
	device_look_begin(&w->devices, &w->now);
	w->judged = true;
}

static bool is_too_soon(const struct outside_watch *w)
{
	double apart_s = w->now.at_s - w->last.at_s;

	return w->last.at_s >= 0 && apart_s >= 0 && apart_s < OUTSIDE_APART_S;
}

static void complete(struct outside_watch *w)
{
	struct process_table before = w->last;

	w->last = w->now;
	w->now = before;
	w->answer = w->next;
	w->judged = false;
}

enum look outside_look_some(struct outside_watch *w, size_t most, const int64_t *job_pid, size_t count,
			    struct outside_use *out, struct err *err)
{
	size_t links = most < SIZE_MAX / OUTSIDE_OPEN_EACH ? most * OUTSIDE_OPEN_EACH : SIZE_MAX;
	enum look look;

	*out = (struct outside_use){0};
	if (!w->judged) {
		look = process_table_read(&w->now, w->prefix, most, err);
		if (look != LOOK_DONE)
			return look;
		if (is_too_soon(w)) {
			*out = w->answer;
			return LOOK_DONE;
		}
		judge_all(w, job_pid, count);
		/*
		 * This call has already examined its maximum number of processes, so the search for devices
		 * begins with the next call.
		 */
		if (device_look_wanted(&w->devices))
			return LOOK_ON;
	} else if (device_look_some(&w->devices, w->prefix, &w->now, most, links) == LOOK_ON) {
		return LOOK_ON;
	}
	complete(w);
	*out = w->answer;
	return LOOK_DONE;
}

bool outside_look(struct outside_watch *w, const int64_t *job_pid, size_t count, struct outside_use *out,
		  struct err *err)
{
	enum look look;

	do
		look = outside_look_some(w, SIZE_MAX, job_pid, count, out, err);
	while (look == LOOK_ON);
	return look == LOOK_DONE;
}

void outside_watch_devices(struct outside_watch *w, const struct device *device, uint32_t count)
{
	device_look_for(&w->devices, device, count);
}

uint64_t outside_devices(const struct outside_watch *w)
{
	return w->devices.used;
}
