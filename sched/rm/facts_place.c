/* SPDX-License-Identifier: MIT */
/*
 * facts_place.c - where in the trees of cgroups are we?
 *
 * /proc/self/cgroup has a line "NUMBER:CONTROLLERS:PATH" for each tree, version 2 is "0::PATH";
 * /proc/self/mounts says where a tree is seen. A container often sees its own part of a tree as the whole but
 * is told the path of the host: where that path is not there, the mount itself is our place.
 */
#include "facts_inside.h"

#include <string.h>
#include <sys/stat.h>

/* The next word of a line, with "\040" and the like as the bytes they mean. */
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

/* Is it one of the words that commas part? */
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

/* A line of mounts: what, where, kind, options. */
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

/* The path of a line of /proc/self/cgroup when it is the tree's; else NULL. */
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

/* A path that leads out of what we see ("/../x") is no place. */
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
