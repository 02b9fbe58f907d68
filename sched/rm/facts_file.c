/* SPDX-License-Identifier: MIT */
/*
 * facts_file.c - how is the small text read that the kernel shows of itself?
 *
 * Files in /proc and /sys have no length: they are read until they end, KERNEL_TEXT bytes at most. Opening
 * never waits, so that a FIFO in place of a file does no harm.
 */
#include "facts_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *kernel_root(const char *root)
{
	return strcmp(root, "/") == 0 ? "" : root;
}

static bool read_all(int fd, struct str *out)
{
	char part[4096];

	while (out->len < KERNEL_TEXT) {
		ssize_t n = read(fd, part, sizeof part);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0;
		str_add_bytes(out, part, (size_t)n);
	}
	return true;
}

static bool read_text(struct str *out, const char *path, va_list words)
{
	struct str name = {0};

	str_clear(out);
	str_addv(&name, path, words);
	int fd = open(str_text(&name), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	str_free(&name);
	if (fd < 0)
		return false;
	bool good = read_all(fd, out);
	close(fd);
	if (!good)
		str_clear(out);
	while (out->len > 0 && strchr(" \t\n", out->data[out->len - 1]) != NULL)
		out->data[--out->len] = '\0';
	return good;
}

bool kernel_text(struct str *out, const char *path, ...)
{
	va_list words;

	va_start(words, path);
	bool good = read_text(out, path, words);
	va_end(words);
	return good;
}

bool kernel_number(int64_t *out, const char *path, ...)
{
	struct str text = {0};
	va_list words;

	va_start(words, path);
	bool good = read_text(&text, path, words) && str_read_whole(str_text(&text), out);
	va_end(words);
	str_free(&text);
	return good;
}

/* What stands behind the label, blanks left out; NULL: no such line. */
static const char *behind(const char *text, const char *label)
{
	size_t len = strlen(label);

	while (text != NULL && strncmp(text, label, len) != 0) {
		text = strchr(text, '\n');
		if (text != NULL)
			text++;
	}
	return text == NULL ? NULL : text + len + strspn(text + len, " \t");
}

bool kernel_line(const char *text, const char *label, struct str *out)
{
	const char *value = behind(text, label);

	str_clear(out);
	if (value == NULL)
		return false;
	str_add_bytes(out, value, strcspn(value, "\n"));
	return true;
}

bool kernel_line_number(const char *text, const char *label, int64_t *out)
{
	const char *value = behind(text, label);
	char digits[24] = "";

	if (value == NULL)
		return false;
	size_t len = strcspn(value, " \t\n");
	if (len >= sizeof digits)
		return false;
	memcpy(digits, value, len);
	return str_read_whole(digits, out);
}

bool kernel_has_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	while (*text != '\0') {
		size_t here = strcspn(text, " \t\n");

		if (here == len && strncmp(text, word, len) == 0)
			return true;
		text += here;
		text += strspn(text, " \t\n");
	}
	return false;
}
