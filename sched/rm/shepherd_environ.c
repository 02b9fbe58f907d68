/* SPDX-License-Identifier: MIT */
/*
 * shepherd_environ.c - environment variables and files of the job
 *
 * Every job gets the KAHU_ variables, and those PBS_ and SLURM_ variables that job scripts use. Nothing is
 * inherited from the shepherd. Defaults are set first and may be replaced by submitted variables; the
 * variables that describe the job and its allocation are set last and cannot be replaced.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "sched/base/vec.h"
#include "shepherd_inside.h"
#include "waiter.h"

/* --- environment variables of the job ----------------------------------------------------------------- */

#define NUMBER_ROOM 24

#define HOST_ROOM 256

#define NODE_FILE_MAX ((size_t)16 << 20) /* maximum bytes of the list of nodes */

/* --- lists of variables ------------------------------------------------------------------------------- */

/* Do both settings have the same NAME? */
static bool is_same_name(const char *a, const char *b)
{
	size_t len = strcspn(a, "=");

	return strncmp(a, b, len + 1) == 0;
}

/* Adds a setting, or replaces the one of the same name. Takes ownership of the string. */
static void put(struct settings *out, char *setting)
{
	size_t i = 0;

	while (i < out->count && !is_same_name(out->item[i], setting))
		i++;
	if (i < out->count) {
		free(out->item[i]);
	} else {
		out->item = vec_room(out->item, &out->cap, out->count + 2, sizeof *out->item);
		out->item[++out->count] = NULL;
	}
	out->item[i] = setting;
}

void environ_set(struct settings *out, const char *name, const char *value)
{
	size_t room = strlen(name) + strlen(value) + 2;
	char *setting = mem_alloc(room);

	snprintf(setting, room, "%s=%s", name, value);
	put(out, setting);
}

void environ_drop(struct settings *out, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < out->count; i++)
		if (strncmp(out->item[i], name, len) == 0 && out->item[i][len] == '=') {
			free(out->item[i]);
			out->item[i] = out->item[--out->count];
			out->item[out->count] = NULL;
			return;
		}
}

void environ_add(struct settings *out, const char *item)
{
	if (item[0] != '=' && strchr(item, '=') != NULL)
		put(out, mem_string(item));
}

static bool has(const struct settings *out, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < out->count; i++)
		if (strncmp(out->item[i], name, len) == 0 && out->item[i][len] == '=')
			return true;
	return false;
}

static void set_default(struct settings *out, const char *name, const char *value)
{
	if (!has(out, name))
		environ_set(out, name, value);
}

static void set_known(struct settings *out, const char *name, const char *value)
{
	if (value != NULL)
		environ_set(out, name, value);
}

static void set_number(struct settings *out, const char *name, int64_t value)
{
	char text[NUMBER_ROOM];

	snprintf(text, sizeof text, "%" PRId64, value);
	environ_set(out, name, text);
}

/* --- variables ---------------------------------------------------------------------------------------- */

static void set_defaults(const struct launch *launch, const struct identity *who, struct settings *out)
{
	set_default(out, "HOME", who->home);
	set_default(out, "SHELL", who->shell);
	set_default(out, "PATH", "/usr/local/bin:/usr/bin:/bin");
	set_default(out, "LANG", "C.UTF-8");
	if (launch->procs > 0)
		set_number(out, "OMP_NUM_THREADS", launch->procs);
}

/* Reads the next item "NAME*PROCESSORS" of a list of nodes. Returns false at the end of the list. */
static bool next_node(const char **at, struct str *name, int64_t *procs)
{
	size_t len = strcspn(*at, "* ");

	if (len == 0)
		return false;
	str_clear(name);
	str_add_bytes(name, *at, len);
	*at += len;
	*procs = **at == '*' ? strtoll(*at + 1, NULL, 10) : 1;
	*at += strcspn(*at, " ");
	*at += strspn(*at, " ");
	return true;
}

/* The allocation in the form that scripts for PBS and Slurm expect. */
struct layout {
	int64_t nodes, procs; /* number of nodes; processors of the first node */
	int64_t tasks, task_procs;
	struct str names;      /* names of the nodes, separated by commas */
	struct str procs_each; /* processors of each node, in the format of Slurm: "4(x2),2" */
	struct str tasks_each;
};

static void add_repeated(struct str *out, int64_t value, int64_t times)
{
	str_addf(out, "%s%" PRId64, out->len > 0 ? "," : "", value);
	if (times > 1)
		str_addf(out, "(x%" PRId64 ")", times);
}

static void find_layout(const struct launch *launch, struct layout *out)
{
	const char *at = launch->nodes != NULL ? launch->nodes : "";
	int64_t procs = 0, before = 0, times = 0;
	struct str name = {0};

	*out = (struct layout){.tasks = launch->tasks > 0 ? launch->tasks : 1};
	out->task_procs = launch->procs > out->tasks ? launch->procs / out->tasks : 1;
	for (bool more = true; more; before = procs) {
		more = next_node(&at, &name, &procs);
		if (more && out->nodes++ == 0)
			out->procs = before = procs;
		if (more)
			str_addf(&out->names, "%s%s", out->names.len > 0 ? "," : "", str_text(&name));
		if (times > 0 && (!more || procs != before)) {
			add_repeated(&out->procs_each, before, times);
			add_repeated(&out->tasks_each, before / out->task_procs, times);
			times = 0;
		}
		times++;
	}
	str_free(&name);
}

static void layout_free(struct layout *layout)
{
	str_free(&layout->names);
	str_free(&layout->procs_each);
	str_free(&layout->tasks_each);
}

/* Appends the ID of a job without its task number, such as "12" for "12[3]". */
static void add_stem(const char *id, struct str *out)
{
	str_add_bytes(out, id, strcspn(id, "["));
}

/*
 * Sets the variables of an array task, or removes them: a job outside an array must not have those of the job
 * that submitted it.
 */
static void set_array(const struct launch *launch, const char *id, const char *array_id, struct settings *out)
{
	static const char *const names[] = {
		"PBS_ARRAYID",          "PBS_ARRAY_INDEX",      "PBS_ARRAY_ID",
		"SLURM_ARRAY_TASK_ID",  "SLURM_ARRAY_JOB_ID",   "SLURM_ARRAY_TASK_COUNT",
		"SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP"};
	struct str stem = {0};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		environ_drop(out, names[i]);
	if (array_id[0] == '\0')
		return;
	add_stem(id, &stem);
	environ_set(out, "PBS_ARRAYID", array_id);
	environ_set(out, "PBS_ARRAY_INDEX", array_id);
	environ_set(out, "SLURM_ARRAY_TASK_ID", array_id);
	environ_set(out, "SLURM_ARRAY_JOB_ID", str_text(&stem));
	str_add(&stem, "[]");
	environ_set(out, "PBS_ARRAY_ID", str_text(&stem));
	str_free(&stem);
	if (launch->array_tasks == 0)
		return;
	set_number(out, "SLURM_ARRAY_TASK_COUNT", launch->array_tasks);
	set_number(out, "SLURM_ARRAY_TASK_MIN", launch->array_first);
	set_number(out, "SLURM_ARRAY_TASK_MAX", launch->array_last);
	set_number(out, "SLURM_ARRAY_TASK_STEP", launch->array_step > 0 ? launch->array_step : 1);
}

/* The variables of PBS. */
static void set_as_pbs(const struct launch *launch, const struct layout *layout, const char *id,
		       const char *host, struct settings *out)
{
	environ_set(out, "PBS_JOBID", id);
	set_known(out, "PBS_JOBNAME", launch->name);
	set_known(out, "PBS_QUEUE", launch->class);
	set_known(out, "PBS_ACCOUNT", launch->account);
	environ_set(out, "PBS_ENVIRONMENT", launch->waiter != NULL ? "PBS_INTERACTIVE" : "PBS_BATCH");
	environ_set(out, "PBS_SERVER", host);
	environ_set(out, "PBS_O_HOST", host);
	environ_set(out, "PBS_O_SERVER", host);
	set_known(out, "PBS_O_QUEUE", launch->class);
	set_number(out, "PBS_NP", launch->procs);
	set_number(out, "PBS_NUM_NODES", layout->nodes);
	set_number(out, "PBS_NUM_PPN", layout->procs);
	set_number(out, "PBS_WALLTIME", launch->wall_limit_s);
	set_number(out, "NCPUS", layout->procs);
	set_number(out, "PBS_NODENUM", 0);
	set_number(out, "PBS_VNODENUM", 0);
	set_number(out, "PBS_TASKNUM", 1);
}

/* Sets variables about the submission: folder, host, user. */
static void set_origin(const struct launch *launch, const struct identity *who, const char *host,
		       struct settings *out)
{
	const char *dir = launch->dir != NULL ? launch->dir : who->home;

	environ_set(out, "PBS_O_WORKDIR", dir);
	environ_set(out, "PBS_O_HOME", who->home);
	environ_set(out, "PBS_O_LOGNAME", who->user);
	environ_set(out, "PBS_O_SHELL", who->shell);
	environ_set(out, "PBS_JOBDIR", dir);
	environ_set(out, "SLURM_SUBMIT_DIR", launch->submit_dir != NULL ? launch->submit_dir : dir);
	environ_set(out, "SLURM_SUBMIT_HOST", host);
	environ_set(out, "SLURM_JOB_USER", who->user);
	set_number(out, "SLURM_JOB_UID", launch->uid);
	set_number(out, "SLURM_JOB_GID", launch->gid);
}

static void set_memory(const struct launch *launch, const struct layout *layout, struct settings *out)
{
	environ_drop(out, "SLURM_MEM_PER_NODE");
	if (launch->mem_mb > 0)
		set_number(out, "SLURM_MEM_PER_NODE",
			   launch->mem_mb / (layout->nodes > 0 ? layout->nodes : 1));
}

/* The variables of Slurm. A job has one step with one process, on its first node. */
static void set_as_slurm(const struct launch *launch, const struct layout *layout, const char *host,
			 struct settings *out)
{
	static const char *const numbers[] = {"SLURM_LOCALID", "SLURM_PROCID", "SLURM_NODEID", "SLURM_GTIDS"};

	set_number(out, "SLURM_JOB_ID", (int64_t)launch->job);
	set_number(out, "SLURM_JOBID", (int64_t)launch->job);
	set_known(out, "SLURM_JOB_NAME", launch->name);
	set_known(out, "SLURM_JOB_PARTITION", launch->class);
	set_known(out, "SLURM_JOB_ACCOUNT", launch->account);
	set_known(out, "SLURM_JOB_QOS", launch->qos);
	environ_set(out, "SLURM_CLUSTER_NAME", "kahu");
	environ_set(out, "SLURM_JOB_NODELIST", str_text(&layout->names));
	environ_set(out, "SLURM_NODELIST", str_text(&layout->names));
	environ_set(out, "SLURMD_NODENAME", host);
	set_number(out, "SLURM_JOB_NUM_NODES", layout->nodes);
	set_number(out, "SLURM_NNODES", layout->nodes);
	set_number(out, "SLURM_NTASKS", layout->tasks);
	set_number(out, "SLURM_NPROCS", layout->tasks);
	set_number(out, "SLURM_CPUS_PER_TASK", layout->task_procs);
	set_number(out, "SLURM_CPUS_ON_NODE", layout->procs);
	set_number(out, "SLURM_NTASKS_PER_NODE", layout->procs / layout->task_procs);
	environ_set(out, "SLURM_TASKS_PER_NODE", str_text(&layout->tasks_each));
	environ_set(out, "SLURM_JOB_CPUS_PER_NODE", str_text(&layout->procs_each));
	set_number(out, "SLURM_RESTART_COUNT", launch->attempt > 0 ? launch->attempt - 1 : 0);
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		set_number(out, numbers[i], 0);
	set_memory(launch, layout, out);
}

/* Returns the number of items of a comma-separated list. */
static int64_t count_items(const char *list)
{
	int64_t count = list[0] != '\0';

	for (; *list != '\0'; list++)
		count += *list == ',';
	return count;
}

/*
 * Sets the devices that the job may use: "" hides all devices; NULL only removes the variables of Slurm,
 * which the submitting shell may have set. Each vendor has its own variable for the same list. CUDA by
 * default numbers the fastest device first, so it is set to bus order, the order of Kahu's numbers. Of AMD's
 * two variables only ROCR_VISIBLE_DEVICES is set, because HIP_VISIBLE_DEVICES would be applied to its result;
 * a submitted HIP_VISIBLE_DEVICES is removed for the same reason.
 */
static void set_devices(const char *devices, struct settings *out)
{
	static const char *const names[] = {"SLURM_JOB_GPUS", "SLURM_GPUS", "SLURM_GPUS_ON_NODE"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		environ_drop(out, names[i]);
	if (devices == NULL)
		return;
	if (devices[0] != '\0') {
		environ_set(out, "SLURM_JOB_GPUS", devices);
		set_number(out, "SLURM_GPUS", count_items(devices));
		set_number(out, "SLURM_GPUS_ON_NODE", count_items(devices));
	}
	environ_set(out, "CUDA_DEVICE_ORDER", "PCI_BUS_ID");
	environ_set(out, "CUDA_VISIBLE_DEVICES", devices);
	environ_set(out, "ROCR_VISIBLE_DEVICES", devices);
	environ_drop(out, "HIP_VISIBLE_DEVICES");
	environ_set(out, "NVIDIA_VISIBLE_DEVICES", devices[0] == '\0' ? "void" : devices);
}

void environ_add_job(const struct launch *launch, struct settings *out)
{
	struct str id = {0}, array_id = {0};

	launch_job_id(launch, &id);
	launch_array_id(launch, &array_id);
	environ_set(out, "KAHU_JOBID", str_text(&id));
	set_number(out, "KAHU_ATTEMPT", launch->attempt);
	set_number(out, "KAHU_PROCS", launch->procs);
	set_known(out, "KAHU_JOBNAME", launch->name);
	set_known(out, "KAHU_NODES", launch->nodes);
	set_known(out, "KAHU_CPUS", launch->cpus);
	set_known(out, "KAHU_DEVICES", launch->devices);
	set_known(out, "KAHU_QUEUE", launch->class);
	set_known(out, "KAHU_ACCOUNT", launch->account);
	if (array_id.len > 0)
		environ_set(out, "KAHU_ARRAY_ID", str_text(&array_id));
	str_free(&id);
	str_free(&array_id);
}

/* Sets the same values under the names that PBS and Slurm use. */
static void set_as_others(const struct launch *launch, const struct identity *who, struct settings *out)
{
	struct str id = {0}, array_id = {0};
	struct layout layout;
	char host[HOST_ROOM] = "localhost";

	gethostname(host, sizeof host - 1);
	find_layout(launch, &layout);
	launch_job_id(launch, &id);
	launch_array_id(launch, &array_id);
	set_origin(launch, who, host, out);
	set_as_pbs(launch, &layout, str_text(&id), host, out);
	set_as_slurm(launch, &layout, host, out);
	set_array(launch, str_text(&id), str_text(&array_id), out);
	set_devices(launch->devices, out);
	layout_free(&layout);
	str_free(&id);
	str_free(&array_id);
}

void environ_make(const struct launch *launch, const struct identity *who, struct settings *out)
{
	set_defaults(launch, who, out);
	for (uint32_t i = 0; i < launch->environment.count; i++)
		put(out, mem_string(launch->environment.item[i]));
	environ_set(out, "USER", who->user);
	environ_set(out, "LOGNAME", who->user);
	environ_add_job(launch, out);
	set_as_others(launch, who, out);
}

/* --- the list of nodes -------------------------------------------------------------------------------- */

static void list_nodes(const struct launch *launch, struct str *out)
{
	const char *at = launch->nodes != NULL ? launch->nodes : "";
	struct str name = {0};
	struct layout layout;
	int64_t procs;

	find_layout(launch, &layout);
	while (next_node(&at, &name, &procs))
		for (int64_t i = 0; i < procs && out->len < NODE_FILE_MAX; i += layout.task_procs)
			str_addf(out, "%s\n", str_text(&name));
	layout_free(&layout);
	str_free(&name);
}

bool environ_write_nodes(const struct launch *launch, struct node_file *out)
{
	struct str lines = {0};
	bool good;
	int why;

	list_nodes(launch, &lines);
	good = node_file_write(out, str_text(&lines), lines.len);
	why = errno;
	str_free(&lines);
	errno = why;
	return good;
}

/* --- input and output files of the job ---------------------------------------------------------------- */

/*
 * All files are opened as the user of the job, with that user's permissions. Another user may have placed
 * something unexpected at the path of an output: a symbolic or hard link to a file of the job's user, a FIFO
 * (opening it could block indefinitely) or a device. Therefore the opened file is checked before it is
 * truncated: only a regular file with one name, or /dev/null, is accepted.
 */

#define NULL_DEVICE makedev(1, 3)

static bool refuse(struct err *err, const char *what, const char *path, const char *why)
{
	return err_set(err, "its %s %s cannot be used: %s", what, path, why);
}

static const char *open_reason(int why)
{
	switch (why) {
	case ELOOP:
		return "it is a symbolic link, which is not followed";
	case ENXIO:
		return "it is not a regular file";
	case ENOENT:
		return "its folder does not exist";
	case EAGAIN:
		return "a process holds a lease on it";
	default:
		return strerror(why);
	}
}

/* Returns why the file is not acceptable; NULL if it is acceptable. */
static const char *objection(const struct stat *st, bool is_output)
{
	if (S_ISCHR(st->st_mode) && st->st_rdev == NULL_DEVICE)
		return NULL;
	if (!S_ISREG(st->st_mode))
		return "it is not a regular file";
	if (is_output && st->st_nlink > 1)
		return "the file has other names as well (hard links)";
	return NULL;
}

/* Makes reads and writes blocking, as programs expect. */
static bool make_blocking(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0;
}

static bool check_open(int fd, const char *what, const char *path, bool is_output, struct err *err)
{
	const char *why;
	struct stat st;

	if (fstat(fd, &st) != 0 || !make_blocking(fd))
		return refuse(err, what, path, strerror(errno));
	why = objection(&st, is_output);
	return why == NULL || refuse(err, what, path, why);
}

/* Makes fd the descriptor `as`, and closes fd itself. Returns false with errno set on failure. */
static bool put_at(int fd, int as)
{
	bool good = dup2(fd, as) == as;

	if (fd != as)
		close(fd);
	return good;
}

/* Makes fd the descriptor `as`. On failure, the message names the file. */
static bool place(int fd, int as, const char *what, const char *path, struct err *err)
{
	return put_at(fd, as) || child_note_errno(errno) || refuse(err, what, path, strerror(errno));
}

/*
 * Records whether a failed open() is a transient failure, and returns false. EAGAIN and EINTR count as
 * failures of the job, not of the host, because a process of the user may hold a lease (F_SETLEASE) on the
 * file.
 */
static bool note_open(int why)
{
	return why == EAGAIN || why == EINTR ? child_note(END_NOT_STARTED) : child_note_errno(why);
}

/*
 * Is the file in /proc? Such files are regular files, too, but their contents depend on the process that
 * opens them.
 */
static bool is_of_proc(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

static bool open_input(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
	int why = errno;

	if (fd < 0)
		return note_open(why) ||
		       refuse(err, "input", path, why == ENOENT ? strerror(why) : open_reason(why));
	if (is_of_proc(fd))
		return refuse(err, "input", path, "it is a file of /proc");
	return check_open(fd, "input", path, false, err) && place(fd, STDIN_FILENO, "input", path, err);
}

/*
 * May a user other than root and the job's user have placed this output file? Its owner could read and change
 * what the job writes. So a file of another user is accepted only in a folder of root or the job's user that
 * others cannot write to. The owner of the folder matters, not only its mode, because the owner of a folder
 * that all users can write to can change its mode before the job starts. The kernel itself refuses to open
 * some such files in sticky folders, but only if fs.protected_regular is set.
 */
static bool is_bait(int folder_fd, int fd)
{
	struct stat file, folder;

	if (fstat(fd, &file) != 0 || fstat(folder_fd, &folder) != 0)
		return true;
	if (!S_ISREG(file.st_mode) || file.st_uid == geteuid() || (file.st_uid == 0 && folder.st_uid == 0))
		return false;
	return (folder.st_uid != geteuid() && folder.st_uid != 0) ||
	       (folder.st_mode & (S_IWOTH | S_IWGRP)) != 0;
}

/* Returns the last component of the path; "." if the path ends with '/' and so names a folder. */
static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash[1] != '\0' ? slash + 1 : ".";
}

/*
 * Opens the folder that contains the file. It is opened only once, because the owner of a folder above it
 * could redirect the path later. Returns -1 with errno set on failure.
 */
static int open_folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct str dir = {0};
	int fd, why;

	str_add_bytes(&dir, slash == NULL ? "." : path, slash == NULL ? 1 : (size_t)(slash + 1 - path));
	fd = open(str_text(&dir), O_PATH | O_DIRECTORY | O_CLOEXEC);
	why = errno;
	str_free(&dir);
	errno = why;
	return fd;
}

/*
 * Opens or creates the file for appending, and opens its folder. Returns the descriptor of the file; or -1
 * with errno set, and then neither is open.
 */
static int open_to_write(const char *path, int *folder)
{
	int fd, why;

	*folder = open_folder_of(path);
	if (*folder < 0)
		return -1;
	fd = openat(*folder, last_name(path),
		    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW, 0666);
	why = errno;
	if (fd < 0)
		close(*folder);
	errno = why;
	return fd;
}

static bool open_output(const char *what, const char *path, int as, bool appends, struct err *err)
{
	int folder, fd = open_to_write(path, &folder);
	bool bait;

	if (fd < 0)
		return note_open(errno) || refuse(err, what, path, open_reason(errno));
	bait = is_bait(folder, fd);
	close(folder);
	if (!check_open(fd, what, path, true, err))
		return false;
	if (bait)
		return refuse(err, what, path,
			      "it belongs to another user, in a folder that others can write to");
	if (!appends && ftruncate(fd, 0) != 0 && errno != EINVAL) /* EINVAL: the file is /dev/null */
		return refuse(err, what, path, strerror(errno));
	return place(fd, as, what, path, err);
}

static bool open_named_output(const struct launch *launch, const char *what, const char *pattern, int as,
			      struct err *err)
{
	struct str path = {0};
	bool good;

	if (pattern == NULL)
		return open_output(what, "/dev/null", as, true, err);
	good = launch_path(pattern, launch, &path, err) &&
	       open_output(what, str_text(&path), as, (launch->flags & LAUNCH_APPEND) != 0, err);
	str_free(&path);
	return good;
}

static bool open_by_name(const struct launch *launch, struct err *err)
{
	bool joined = (launch->flags & LAUNCH_JOIN) != 0;

	if (!open_input(launch->input == NULL ? "/dev/null" : launch->input, err) ||
	    !open_named_output(launch, "output", launch->output, STDOUT_FILENO, err))
		return false;
	if (joined)
		return dup2(STDOUT_FILENO, STDERR_FILENO) == STDERR_FILENO || child_note_errno(errno) ||
		       err_set(err, "cannot redirect its standard error to its standard output: %s",
			       strerror(errno));
	return open_named_output(launch, "error output", launch->errors, STDERR_FILENO, err);
}

/*
 * Receives the standard descriptors of the job from the waiting client; a terminal becomes the controlling
 * terminal of the job.
 */
static bool open_from_waiter(const struct launch *launch, int *connection, struct err *err)
{
	const struct waiter_call call = {.path = launch->waiter,
					 .key = launch->waiter_key,
					 .job = launch->job,
					 .attempt = launch->attempt};
	int in[3];

	*connection = waiter_ask(&call, in, err);
	if (*connection < 0)
		return false;
	if (!put_at(in[0], STDIN_FILENO) || !put_at(in[1], STDOUT_FILENO) || !put_at(in[2], STDERR_FILENO))
		return err_set(err, "its input and output cannot be used: %s", strerror(errno));
	if ((launch->flags & LAUNCH_PTY) != 0 && ioctl(STDIN_FILENO, TIOCSCTTY, 0) != 0)
		return err_set(err, "its terminal cannot be used: %s", strerror(errno));
	return true;
}

bool files_open(const struct launch *launch, int *connection, struct err *err)
{
	*connection = -1;
	return launch->waiter != NULL ? open_from_waiter(launch, connection, err) : open_by_name(launch, err);
}
