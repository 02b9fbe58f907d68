/* SPDX-License-Identifier: MIT */
/*
 * host_info_cgroup.c - the directory for cgroups of jobs, and its controllers
 *
 * This directory, called home here, is the cgroup in which the scheduler was started: the service manager
 * (systemd with Delegate=yes) or the container has delegated that part of the tree, and nothing above it. The
 * cgroups of jobs are created in home.
 *
 * The kernel enables controllers for the children of a cgroup only if the cgroup itself contains no processes
 * (except the root cgroup). So a scheduler that is alone in home moves into home/scheduler. A scheduler that
 * is started in a cgroup of this name (after an upgrade, or with DelegateSubgroup=scheduler) uses the parent
 * as home. Other processes in home, such as a login shell, are not moved; while they are there, the processes
 * of a job can be found and killed together, but its memory cannot be limited.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host_info_inside.h"

/* --- the cgroup of this process ----------------------------------------------------------------------- */

/*
 * /proc/self/cgroup has a line "NUMBER:CONTROLLERS:PATH" for each tree; the line of version 2 is "0::PATH".
 * /proc/self/mounts shows where a tree is mounted. A container often sees only its part of a tree, while
 * /proc/self/cgroup shows the path on the host. If that path does not exist, the mount point is used.
 */

/*
 * Copies the next word of a line to *out, with escapes such as "\040" decoded. Returns the rest of the line.
 */
static const char *take_word(const char *at, struct str *out)
{
	str_clear(out);
	at += strspn(at, " ");
	while (*at != '\0' && *at != ' ' && *at != '\n') {
		if (at[0] == '\\' && at[1] >= '0' && at[1] <= '3' && at[2] >= '0' && at[2] <= '7' &&
		    at[3] >= '0' && at[3] <= '7') {
			str_add_char(out, (char)((at[1] - '0') * 64 + (at[2] - '0') * 8 + (at[3] - '0')));
			at += 4;
		} else {
			str_add_char(out, *at++);
		}
	}
	return at;
}

/* Is `item` in the comma-separated list? */
static bool has_item(const char *list, const char *item)
{
	size_t len = strlen(item);

	for (;; list++) {
		size_t here = strcspn(list, ",");

		if (here == len && strncmp(list, item, len) == 0)
			return true;
		list += here;
		if (*list == '\0')
			return false;
	}
}

/*
 * Does the line of /proc/self/mounts (source, mount point, type, options) describe the tree of the
 * controller? Sets *where to its mount point.
 */
static bool is_tree(const char *line, const char *controller, struct str *where)
{
	struct str word = {0};

	line = take_word(line, &word);
	line = take_word(line, where);
	line = take_word(line, &word);
	bool found = strcmp(str_text(&word), controller ? "cgroup" : "cgroup2") == 0;
	take_word(line, &word);
	if (found && controller)
		found = has_item(str_text(&word), controller);
	str_free(&word);
	return found && str_text(where)[0] == '/';
}

static bool find_mount(const char *root, const char *controller, struct str *mount)
{
	struct str text = {0};
	struct str where = {0};
	bool found = false;

	kernel_text(&text, "%s/proc/self/mounts", root);
	for (const char *line = str_text(&text); *line != '\0' && !found;) {
		found = is_tree(line, controller, &where);
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	str_clear(mount);
	if (found)
		str_addf(mount, "%s%s", root, str_text(&where));
	str_free(&text);
	str_free(&where);
	return found;
}

/*
 * Returns the path in a line of /proc/self/cgroup if the line is about the tree of the controller, else NULL.
 */
static const char *path_in(const char *line, const char *controller, struct str *controllers)
{
	const char *names = line + strspn(line, "0123456789");

	if (names == line || *names != ':')
		return NULL;
	names++;
	size_t len = strcspn(names, ":\n");
	if (names[len] != ':')
		return NULL;
	str_clear(controllers);
	str_add_bytes(controllers, names, len);
	bool ours = controller ? has_item(str_text(controllers), controller) : strncmp(line, "0::", 3) == 0;
	return ours ? names + len + 1 : NULL;
}

/*
 * Finds the path of this process's cgroup. Returns false if there is none, or if it is outside of the visible
 * tree ("/../x").
 */
static bool find_path(const char *root, const char *controller, struct str *path)
{
	struct str text = {0};
	struct str controllers = {0};
	const char *at = NULL;

	kernel_text(&text, "%s/proc/self/cgroup", root);
	for (const char *line = str_text(&text); *line != '\0' && at == NULL;) {
		at = path_in(line, controller, &controllers);
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	str_clear(path);
	if (at != NULL)
		str_add_bytes(path, at, strcspn(at, "\n"));
	bool good = str_text(path)[0] == '/' && strstr(str_text(path), "/..") == NULL;
	str_free(&controllers);
	str_free(&text);
	return good;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool cgroup_find(const char *root, const char *controller, struct cgroup_place *out)
{
	struct str path = {0};

	*out = (struct cgroup_place){{0}, {0}};
	bool good = find_mount(root, controller, &out->mount) && find_path(root, controller, &path);
	if (good) {
		bool top = strcmp(str_text(&path), "/") == 0;
		str_addf(&out->folder, "%s%s", str_text(&out->mount), top ? "" : str_text(&path));
		if (!is_folder(str_text(&out->folder))) {
			str_clear(&out->folder);
			str_add(&out->folder, str_text(&out->mount));
		}
		good = is_folder(str_text(&out->folder));
	}
	str_free(&path);
	return good;
}

void cgroup_place_free(struct cgroup_place *place)
{
	str_free(&place->mount);
	str_free(&place->folder);
}

/* --- the directory for cgroups of jobs, and its controllers ------------------------------------------- */

#define LEAF "scheduler"

#define VERSION "cgroup version 2"

/* Writes `text` to a file of the folder; returns 0 or an errno. */
static int put(const char *folder, const char *file, const char *text)
{
	struct str path = {0};
	int failed = 0;

	str_addf(&path, "%s/%s", folder, file);
	int fd = open(str_text(&path), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		failed = errno;
	if (fd >= 0)
		close(fd);
	str_free(&path);
	return failed;
}

static bool has(const char *folder, const char *file)
{
	struct str path = {0};

	str_addf(&path, "%s/%s", folder, file);
	bool there = access(str_text(&path), F_OK) == 0;
	str_free(&path);
	return there;
}

/* Does the file, a list of controllers, contain the controller? */
static bool lists(const char *folder, const char *file, const char *controller)
{
	struct str text = {0};
	bool found =
		kernel_text(&text, "%s/%s", folder, file) && kernel_has_word(str_text(&text), controller);

	str_free(&text);
	return found;
}

static bool is_alone_in(const char *home)
{
	struct str text = {0};
	bool alone = kernel_text(&text, "%s/cgroup.procs", home);

	for (const char *at = str_text(&text); alone && *at != '\0'; at += strspn(at, "\n")) {
		char *end;

		alone = strtol(at, &end, 10) == (long)getpid() && end != at;
		at = end;
	}
	str_free(&text);
	return alone;
}

/* Moves this process, with all threads, into home/scheduler; returns 0 or an errno. */
static int step_aside(const char *home)
{
	struct str leaf = {0};
	char pid[24];

	str_addf(&leaf, "%s/" LEAF, home);
	snprintf(pid, sizeof pid, "%ld", (long)getpid());
	int failed = mkdir(str_text(&leaf), 0755) == 0 || errno == EEXIST ? 0 : errno;
	if (failed == 0)
		failed = put(str_text(&leaf), "cgroup.procs", pid);
	str_free(&leaf);
	return failed;
}

/* Enables the controller for the children of home, only as a test unless `lasting`; returns 0 or an errno. */
static int enable(const char *home, const char *controller, bool lasting)
{
	char word[32];

	snprintf(word, sizeof word, "+%s", controller);
	int failed = put(home, "cgroup.subtree_control", word);
	if (failed == 0 && !lists(home, "cgroup.subtree_control", controller))
		failed = EOPNOTSUPP;
	word[0] = '-';
	if (failed == 0 && !lasting)
		put(home, "cgroup.subtree_control", word);
	return failed;
}

bool cgroup_control(const char *home, const char *controller, bool lasting, struct str *why)
{
	if (!lists(home, "cgroup.controllers", controller)) {
		str_addf(why, "%s has no %s controller in %s", VERSION, controller, home);
		return false;
	}
	if (lists(home, "cgroup.subtree_control", controller))
		return true;
	int failed = enable(home, controller, lasting);
	if (failed == EBUSY && is_alone_in(home)) {
		if (!lasting)
			return true;
		failed = step_aside(home);
		if (failed == 0)
			failed = enable(home, controller, lasting);
	}
	if (failed == EBUSY)
		str_addf(why,
			 "%s contains other processes, so the %s controller cannot be used below it; "
			 "start the scheduler in a separate cgroup, as a service or with systemd-run "
			 "(Delegate=yes)",
			 home, controller);
	else if (failed != 0)
		str_addf(why, "the %s controller cannot be used below %s: %s", controller, home,
			 strerror(failed));
	return failed == 0;
}

/* Creates and removes a folder in home; returns 0 or an errno. Sets *killed if the kernel has cgroup.kill. */
static int try_folder(const char *home, bool *killed)
{
	struct str path = {0};

	str_addf(&path, "%s/probe.%ld", home, (long)getpid());
	int failed = mkdir(str_text(&path), 0755) == 0 ? 0 : errno;
	/*
	 * Either all cgroups except the root have cgroup.kill or none has it. Both are tested, because home
	 * may be the root.
	 */
	*killed = failed == 0 && (has(str_text(&path), "cgroup.kill") || has(home, "cgroup.kill"));
	if (failed == 0 && rmdir(str_text(&path)) != 0)
		failed = errno;
	str_free(&path);
	return failed;
}

static bool find_home(const char *root, struct str *home, struct str *why)
{
	static const char leaf[] = "/" LEAF;
	struct cgroup_place place;
	bool found = cgroup_find(root, NULL, &place);

	if (found) {
		size_t len = place.folder.len;
		size_t end = sizeof leaf - 1;

		if (len > place.mount.len && len > end &&
		    strcmp(str_text(&place.folder) + len - end, leaf) == 0)
			len -= end;
		str_add_bytes(home, str_text(&place.folder), len);
	} else {
		str_add(why,
			"no tree of " VERSION " is mounted, or the scheduler's cgroup is not visible in it");
	}
	cgroup_place_free(&place);
	return found;
}

static enum hold_level reach(const char *root, const char *home, bool lasting, struct str *why)
{
	bool killed;
	int failed = try_folder(home, &killed);

	if (failed != 0) {
		str_addf(why,
			 "cannot create a cgroup in %s (%s); start the scheduler in a cgroup that is "
			 "delegated to its user, as a service or with systemd-run (Delegate=yes)",
			 home, strerror(failed));
		return HOLD_NONE;
	}
	if (!killed) {
		str_addf(why, "cgroups in %s have no cgroup.kill, which requires Linux 5.14", home);
		return HOLD_NONE;
	}
	if (!cgroup_control(home, "memory", lasting, why)) {
		struct cgroup_place old;

		if (cgroup_find(root, "memory", &old))
			str_add(why, "; on this host it belongs to version 1, which Kahu does not use");
		cgroup_place_free(&old);
		return HOLD_KILL_ONLY;
	}
	return HOLD_FULL;
}

static enum hold_level look(const char *root, char *folder, size_t room, bool lasting, struct str *why)
{
	struct str home = {0};
	enum hold_level level = HOLD_NONE;
	const char *prefix = kernel_root(root);

	if (find_home(prefix, &home, why)) {
		if (home.len >= room)
			str_add(why, "the path of the scheduler's cgroup is too long");
		else
			level = reach(prefix, str_text(&home), lasting, why);
	}
	snprintf(folder, room, "%s", level == HOLD_NONE ? "" : str_text(&home));
	if (lasting && level != HOLD_NONE) {
		enable(folder, "pids", true);
		enable(folder, "cpuset", true);
	}
	str_free(&home);
	return level;
}

enum hold_level host_info_cgroup(const char *root, char *folder, size_t room, struct str *why)
{
	return look(root, folder, room, false, why);
}

enum hold_level host_info_cgroup_enter(const char *root, char *folder, size_t room, struct str *why)
{
	return look(root, folder, room, true, why);
}
