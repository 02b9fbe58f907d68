/* SPDX-License-Identifier: MIT */
/*
 * option.c - reads a configuration by its option rows, with libconfuse
 *
 *     option_scan   rejects what libconfuse would misread, records the positions of values
 *     libconfuse    parses the same text with tables made from the same rows
 *     option_read   checks each value against its row
 *
 * All options are strings for libconfuse: its own number parser reads "010" as eight, accepts "nan", and
 * reads "25.0+" as 25. It is given texts in memory only, because its scanner ends the process if a stream
 * cannot be read. After a successful scan libconfuse can fail only if memory is exhausted.
 */
#include "option.h"

#include <confuse.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "option_scan.h"
#include "str.h"
#include "vec.h"

/* Is row i the first row of its scope? */
static bool opens_scope(const struct option *rows, size_t i)
{
	/* Search backwards: usually the previous row has the same scope. */
	for (size_t earlier = i; earlier > 0; earlier--)
		if (str_same_word(rows[earlier - 1].scope, rows[i].scope))
			return false;
	return true;
}

/* Appends the options of one scope; returns the next free entry. */
static cfg_opt_t *add_options(cfg_opt_t *place, const struct option *rows, size_t count, const char *scope)
{
	for (size_t i = 0; i < count; i++) {
		cfg_flag_t flags = CFGF_NODEFAULT | (rows[i].type == OPTION_LIST ? CFGF_LIST : CFGF_NONE);

		if (str_same_word(rows[i].scope, scope))
			*place++ = (cfg_opt_t)CFG_STR(rows[i].name, NULL, flags);
	}
	return place;
}

/* Builds libconfuse's tables for all rows; returns the first of an array to be freed with free_tables. */
static cfg_opt_t *make_tables(const struct option *rows, size_t count)
{
	const cfg_opt_t end = CFG_END();
	cfg_opt_t *table = mem_zero(count + 1, sizeof *table);
	cfg_opt_t *place = add_options(table, rows, count, "");

	for (size_t i = 0; i < count; i++) {
		const char *scope = rows[i].scope;
		cfg_flag_t flags = CFGF_MULTI | (*scope == '!' ? CFGF_NONE : CFGF_TITLE);
		cfg_opt_t *inner;

		if (*scope == '\0' || !opens_scope(rows, i))
			continue;
		inner = mem_alloc((count + 1) * sizeof *inner); /* enough for any scope */
		*add_options(inner, rows, count, scope) = end;
		*place++ = (cfg_opt_t)CFG_SEC(option_section_name(scope), inner, flags);
	}
	*place = end;
	return table;
}

static void free_tables(cfg_opt_t *table)
{
	for (cfg_opt_t *option = table; option->name; option++)
		free(option->subopts);
	free(table);
}

/* State of one option_parse call. */
struct reading {
	const char *file;
	const struct option_scan *scan;
	cfg_t *cfg;
	option_sink *sink;
	void *self;
};

static bool hand_over(const struct reading *r, const struct option_mark *mark, struct err *err)
{
	const struct option_section *section = &r->scan->section[mark->section];
	const struct option_place place = {.file = r->file, .line = mark->line};
	const char *kind = option_section_name(section->scope);
	cfg_t *cfg = mark->section > 0 ? cfg_getnsec(r->cfg, kind, section->nth) : r->cfg;
	const char *text = mark->row ? cfg_getnstr(cfg, mark->row->name, mark->element) : kind;
	const char *title = section->title_len > 0 ? cfg_title(cfg) : "";
	struct option_value value = {.text = text};

	if (!text || !title)
		return err_set(err, "libconfuse did not read this value");
	if (mark->row && !option_read(mark->row, text, &value, err))
		return false;
	return r->sink(r->self, mark->row, title, &value, &place, err);
}

static void say_nothing(cfg_t *cfg, const char *format, va_list args)
{
	(void)cfg;
	(void)format;
	(void)args;
}

static bool parse_and_hand_over(struct reading *r, struct err *err)
{
	const struct option_scan *scan = r->scan;
	int parsed;

	cfg_set_error_function(r->cfg, say_nothing);
	errno = 0;
	parsed = cfg_parse_buf(r->cfg, scan->text);
	/* Exhausted memory must not be reported as an error in the text. */
	if (errno == ENOMEM)
		mem_exhausted();
	if (parsed != CFG_SUCCESS)
		return err_set(err, "%s:%d: libconfuse rejects the text near this line", r->file,
			       r->cfg->line);
	for (size_t i = 0; i < scan->mark_count; i++)
		if (!hand_over(r, &scan->mark[i], err))
			return err_prefix(err, "%s:%d", r->file, scan->mark[i].line);
	return true;
}

bool option_parse(const struct option *rows, size_t count, const char *file, const char *text, size_t len,
		  option_sink *sink, void *self, struct err *err)
{
	struct option_scan scan;
	struct reading reading = {.file = file, .scan = &scan, .sink = sink, .self = self};
	/* libconfuse's scanner keeps its position in global variables: one text at a time. */
	static pthread_mutex_t scanner = PTHREAD_MUTEX_INITIALIZER;
	cfg_opt_t *table;
	bool good;

	if (!option_scan(rows, count, file, text, len, &scan, err)) {
		option_scan_free(&scan);
		return false;
	}
	pthread_mutex_lock(&scanner);
	table = make_tables(rows, count);
	reading.cfg = cfg_init(table, CFGF_NOCASE);
	free_tables(table);
	if (reading.cfg == NULL)
		mem_exhausted();
	good = parse_and_hand_over(&reading, err);
	cfg_free(reading.cfg);
	pthread_mutex_unlock(&scanner);
	option_scan_free(&scan);
	return good;
}
