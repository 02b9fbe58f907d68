/* SPDX-License-Identifier: MIT */
/*
 * origin.c - where was an option set?
 *
 * A live change is found in the snapshot, which wins; else the text of the configuration is
 * walked word by word, without taking it apart again: it was accepted once, so every { has
 * its }. The last place counts.
 */
#include "origin.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "sched/base/str.h"
#include "sched/config/config.h"

/* The entry that set an option last and still holds; 0 = none. */
static uint64_t live_entry(const struct snapshot *s, const char *option)
{
	const struct change *change = snapshot_changes(s);

	for (uint32_t i = snapshot_count(s, TABLE_CHANGES); i-- > 0;)
		if (change[i].kind == CHANGE_SETTING && !change[i].dead &&
		    str_same_word(snapshot_string(s, change[i].name), option))
			return change[i].seq;
	return 0;
}

/* --- words of a configuration ------------------------------------------------------------- */

/* A word, or one of the signs { } = and the comma. */
struct word {
	const char *text;
	size_t len;
	int line;
	bool quoted;
};

struct walk {
	const char *at;
	int line;
};

static void skip_line(struct walk *w)
{
	w->at += strcspn(w->at, "\n");
}

static void skip_remark(struct walk *w)
{
	const char *end = strstr(w->at + 2, "*/");

	for (end = end ? end + 2 : w->at + strlen(w->at); w->at < end; w->at++)
		w->line += *w->at == '\n';
}

static void skip_blanks(struct walk *w)
{
	for (;;) {
		if (*w->at == '#' || strncmp(w->at, "//", 2) == 0)
			skip_line(w);
		else if (strncmp(w->at, "/*", 2) == 0)
			skip_remark(w);
		else if (*w->at != '\0' && strchr(" \t\r\n", *w->at))
			w->line += *w->at++ == '\n';
		else
			return;
	}
}

static size_t quoted_length(const char *text)
{
	size_t len = 0;

	while (text[len] != '\0' && text[len] != '"')
		len += text[len] == '\\' && text[len + 1] != '\0' ? 2 : 1;
	return len;
}

static bool next_word(struct walk *w, struct word *out)
{
	skip_blanks(w);
	*out = (struct word){.text = w->at, .line = w->line};
	if (*w->at == '\0')
		return false;
	if (*w->at == '"') {
		out->text++;
		out->quoted = true;
		out->len = quoted_length(out->text);
		w->at = out->text + out->len;
		w->at += *w->at == '"';
		return true;
	}
	out->len = strchr("{}=,", *w->at) ? 1 : strcspn(w->at, "{}=, \t\r\n\"#");
	w->at += out->len;
	return true;
}

static bool is_sign(const struct word *w, char sign)
{
	return !w->quoted && w->len == 1 && w->text[0] == sign;
}

static bool is_same(const struct word *w, const char *text, size_t len)
{
	return w->len == len && strncasecmp(w->text, text, len) == 0;
}

/* --- options ------------------------------------------------------------------------------- */

/* kind[title].name[...]: where each begins and how long it is; kind is empty at the top level. */
struct parts {
	const char *kind, *title, *name;
	size_t kind_len, title_len, name_len;
};

static void split(const char *option, struct parts *out)
{
	const char *close = strstr(option, "]."), *dot;

	*out = (struct parts){.kind = "", .title = "", .name = option};
	if (close) {
		out->kind = option;
		out->kind_len = strcspn(option, "[");
		out->title = option + out->kind_len + 1;
		out->title_len = (size_t)(close - out->title);
		out->name = close + 2;
	} else if (strncasecmp(option, "system.", 7) == 0) {
		dot = strchr(option, '.');
		out->kind = option;
		out->kind_len = (size_t)(dot - option);
		out->name = dot + 1;
	}
	out->name_len = strcspn(out->name, "[");
}

/* The section that is open; a { behind a = begins a list, which belongs to its option. */
struct section {
	struct word kind, title;
	bool is_open;
};

static bool is_in(const struct section *section, const struct parts *parts)
{
	if (parts->kind_len == 0)
		return !section->is_open;
	return section->is_open && is_same(&section->kind, parts->kind, parts->kind_len) &&
	       is_same(&section->title, parts->title, parts->title_len);
}

/* The line of the configuration that sets the option; 0 = none. */
static int config_line(const char *text, const struct parts *parts)
{
	struct walk walk = {.at = text, .line = 1};
	struct word before[2] = {{.text = ""}, {.text = ""}}, word;
	struct section section = {.is_open = false};
	int found = 0;

	while (next_word(&walk, &word)) {
		if (is_sign(&word, '{') && is_sign(&before[1], '=')) {
			while (next_word(&walk, &word) && !is_sign(&word, '}'))
				continue;
		} else if (is_sign(&word, '{')) {
			bool is_titled = before[0].len > 0 && !strchr("{}=,", before[0].text[0]) &&
					 before[0].line == before[1].line;

			section = (struct section){.kind = before[is_titled ? 0 : 1], .is_open = true};
			section.title = is_titled ? before[1] : (struct word){.text = ""};
		} else if (is_sign(&word, '}')) {
			section.is_open = false;
		} else if (is_sign(&word, '=') && is_in(&section, parts) &&
			   is_same(&before[1], parts->name, parts->name_len)) {
			found = before[1].line;
		}
		before[0] = before[1];
		before[1] = word;
	}
	return found;
}

bool origin_find(const struct snapshot *s, const char *option, struct str *out, uint64_t *entry)
{
	struct parts parts;
	int line;

	*entry = live_entry(s, option);
	if (*entry) {
		str_addf(out, "set by entry %" PRIu64, *entry);
		return true;
	}
	split(option, &parts);
	line = config_line(snapshot_string(s, s->config_text), &parts);
	if (line)
		str_addf(out, "%s:%d", snapshot_string(s, s->config_file), line);
	else
		str_add(out, "default");
	return line != 0;
}
