/* SPDX-License-Identifier: MIT */
/*
 * theme_files.c - which themes are there, and where are they read from?
 *
 * The shipped ones are compiled in; a directory of the user's may add to them or go
 * before them. What is read from a directory must be a regular file of a sane size:
 * a FIFO or a device of that name must not stop the console.
 */
#include "theme.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"

#define THEME_FILE_MAX (64 * 1024)
#define THEME_SUFFIX   ".theme"
#define BASE_THEME     "default"

static const struct builtin_theme *find_builtin(const char *name)
{
	for (size_t i = 0; i < builtin_theme_count; i++)
		if (strcmp(builtin_themes[i].name, name) == 0)
			return &builtin_themes[i];
	return NULL;
}

/* Letters, digits, - and _: a name is never a path. */
static bool is_theme_name(const char *name)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");

	return len > 0 && name[len] == '\0' && len < THEME_NAME_MAX;
}

/* ---- listing ---- */

struct name_list {
	char **name;
	size_t count, cap;
};

static void add_name(struct name_list *list, const char *name)
{
	list->name = vec_room(list->name, &list->cap, list->count + 1, sizeof *list->name);
	list->name[list->count++] = mem_string(name);
}

static void add_directory(struct name_list *list, const char *dir)
{
	DIR *stream = opendir(dir);
	struct dirent *entry;

	if (!stream)
		return;
	while ((entry = readdir(stream))) {
		char *end = strrchr(entry->d_name, '.');

		if (!end || strcmp(end, THEME_SUFFIX) != 0)
			continue;
		*end = '\0';
		if (is_theme_name(entry->d_name) && strcmp(entry->d_name, "TEMPLATE") != 0)
			add_name(list, entry->d_name);
	}
	closedir(stream);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void theme_each(const char *dir, void (*each)(void *self, const char *name), void *self)
{
	struct name_list list = {0};

	for (size_t i = 0; i < builtin_theme_count; i++)
		add_name(&list, builtin_themes[i].name);
	if (dir)
		add_directory(&list, dir);
	if (list.count)
		qsort(list.name, list.count, sizeof *list.name, compare_names);
	for (size_t i = 0; i < list.count; i++)
		if (i == 0 || strcmp(list.name[i], list.name[i - 1]) != 0)
			each(self, list.name[i]);
	for (size_t i = 0; i < list.count; i++)
		free(list.name[i]);
	free(list.name);
}

/* ---- loading ---- */

static bool read_all(int fd, const char *path, struct str *out, struct err *err)
{
	char buf[4096];
	ssize_t n;

	while ((n = read(fd, buf, sizeof buf)) > 0 && out->len <= THEME_FILE_MAX)
		str_add_bytes(out, buf, (size_t)n);
	if (n < 0)
		return err_set(err, "theme file %s cannot be read: %s", path, strerror(errno));
	if (out->len > THEME_FILE_MAX)
		return err_set(err, "theme file %s is larger than %d bytes", path, THEME_FILE_MAX);
	return true;
}

/* False without a sentence (err->text empty) when there is no such file. */
static bool read_theme_file(const char *path, struct str *out, struct err *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat info;
	bool ok;

	err->text[0] = '\0';
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return false;
	if (fd < 0)
		return err_set(err, "theme file %s cannot be opened: %s", path, strerror(errno));
	if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode))
		ok = read_all(fd, path, out, err);
	else
		ok = err_set(err, "theme file %s is not a regular file", path);
	close(fd);
	return ok;
}

static bool parse_named(const char *file, const char *name, const char *text, size_t len, struct theme *out,
			struct err *err)
{
	const struct builtin_theme *builtin = find_builtin(BASE_THEME);
	bool has_base = builtin && builtin->text != text;
	struct theme base;

	if (has_base &&
	    !theme_parse(BASE_THEME THEME_SUFFIX, builtin->text, strlen(builtin->text), NULL, &base, err))
		return false;
	if (!theme_parse(file, text, len, has_base ? &base : NULL, out, err))
		return false;
	memcpy(out->name, name, strlen(name) + 1);
	return true;
}

static void list_name(void *self, const char *name)
{
	struct str *list = self;

	str_addf(list, "%s%s", list->len ? ", " : "", name);
}

static bool refuse_name(const char *dir, const char *name, struct err *err)
{
	struct str names = {0};

	theme_each(dir, list_name, &names);
	err_set(err, "there is no theme '%s'; there are %s", name, str_text(&names));
	str_free(&names);
	return false;
}

/* From dir. False with err->text empty when dir has no such theme. */
static bool load_from_directory(const char *dir, const char *name, struct theme *out, struct err *err)
{
	struct str path = {0}, text = {0};
	bool ok;

	str_addf(&path, "%s/%s%s", dir, name, THEME_SUFFIX);
	ok = read_theme_file(str_text(&path), &text, err) &&
	     parse_named(str_text(&path), name, str_text(&text), text.len, out, err);
	str_free(&path);
	str_free(&text);
	return ok;
}

bool theme_load(const char *dir, const char *name, struct theme *out, struct err *err)
{
	const struct builtin_theme *builtin;
	struct err found = {{0}};

	if (!is_theme_name(name))
		return refuse_name(dir, name, err);
	if (dir && load_from_directory(dir, name, out, &found))
		return true;
	if (found.text[0])
		return err_set(err, "%s", found.text);
	builtin = find_builtin(name);
	if (!builtin)
		return refuse_name(dir, name, err);
	return parse_named(builtin->name, builtin->name, builtin->text, strlen(builtin->text), out, err);
}
