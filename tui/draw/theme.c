/* SPDX-License-Identifier: MIT */
/*
 * theme.c - styles of roles, and theme files
 *
 * A theme file is parsed with option rows, like kahu.conf. A role has up to two settings, style and style256.
 * They are collected first and combined at the end, because style256 defaults to style.
 */
#include "theme.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sched/base/option.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

/* --- roles of cells ----------------------------------------------------------------------------------- */

static const struct role_info roles[ROLE_COUNT] = {
#define ROLE_ROW(id, name, mark, help) [id] = {name, mark, help},
	ROLE_TABLE(ROLE_ROW)
#undef ROLE_ROW
};

/* Pairs of roles that appear next to each other and must differ by an attribute. */
static const struct role_pair rivals[] = {
	{ROLE_TEXT, ROLE_STRONG},
	{ROLE_TAB, ROLE_TAB_ACTIVE},
	{ROLE_TEXT, ROLE_HEADER},
	{ROLE_HEADER, ROLE_HEADER_SORT},
	{ROLE_TEXT, ROLE_SECTION},
	{ROLE_TEXT, ROLE_CURSOR},
	{ROLE_CURSOR, ROLE_CURSOR_OFF},
	{ROLE_CURSOR, ROLE_MARK},
	{ROLE_TEXT, ROLE_MARK},
	{ROLE_TEXT, ROLE_MATCH},
	{ROLE_TEXT, ROLE_JOB_CHANGED},
	{ROLE_HINT_KEY, ROLE_HINT_TEXT},
	{ROLE_HELP_KEY, ROLE_TEXT},
	{ROLE_HELP_HEADING, ROLE_TEXT},
	{ROLE_CHECK_OK, ROLE_CHECK_FAIL},
	{ROLE_LIMIT_NEAR, ROLE_LIMIT_OVER},
	{ROLE_JOB_HELD, ROLE_JOB_BLOCKED},
	{ROLE_JOB_RESERVED, ROLE_JOB_BACKFILLED},
	{ROLE_START_ESTIMATE, ROLE_START_RESERVED},
	{ROLE_START_ESTIMATE, ROLE_START_PLACEHOLDER},
	{ROLE_START_ESTIMATE, ROLE_START_SLIPS},
	{ROLE_START_RESERVED, ROLE_START_SLIPS},
	{ROLE_EARLIER, ROLE_LATER},
	{ROLE_TITLE_LIVE, ROLE_TITLE_FROZEN},
	{ROLE_TITLE_LIVE, ROLE_TITLE_DRAFT},
	{ROLE_METER_USED, ROLE_METER_RESERVED},
	{ROLE_METER_USED, ROLE_METER_DOWN},
	{ROLE_SLIDER, ROLE_SLIDER_KNOB},
	{ROLE_CANDIDATE, ROLE_CANDIDATE_CHOSEN},
	{ROLE_DRAFT, ROLE_DRAFT_DANGER},
	{ROLE_MESSAGE, ROLE_ERROR},
	{ROLE_MESSAGE, ROLE_WARNING},
	{ROLE_WARNING, ROLE_ERROR},
};

const struct role_info *role_info(enum role role)
{
	return &roles[role < ROLE_COUNT ? role : ROLE_TEXT];
}

enum role role_find(const char *name)
{
	for (size_t i = 0; i < ROLE_COUNT; i++)
		if (str_same_word(roles[i].name, name))
			return (enum role)i;
	return ROLE_COUNT;
}

const struct role_pair *role_rivals(size_t *count)
{
	*count = sizeof rivals / sizeof rivals[0];
	return rivals;
}

/* --- styles ------------------------------------------------------------------------------------------- */

static const char *const colour_names[] = {
	"black",        "red",           "green",       "yellow",         "blue",
	"magenta",      "cyan",          "white",       "bright_black",   "bright_red",
	"bright_green", "bright_yellow", "bright_blue", "bright_magenta", "bright_cyan",
	"bright_white",
};

static const struct {
	const char *name;
	enum style_attr attr;
} attr_names[] = {
	{"bold", STYLE_BOLD},           {"dim", STYLE_DIM},         {"italic", STYLE_ITALIC},
	{"underline", STYLE_UNDERLINE}, {"reverse", STYLE_REVERSE},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool find_attr(const char *word, struct style *style)
{
	for (size_t i = 0; i < COUNT(attr_names); i++) {
		if (str_same_word(word, attr_names[i].name)) {
			style->attr = (uint8_t)(style->attr | attr_names[i].attr);
			return true;
		}
	}
	return false;
}

static bool find_colour(const char *word, enum colour_depth depth, int16_t *colour)
{
	char *end;
	long number;

	if (str_same_word(word, "default")) {
		*colour = STYLE_DEFAULT_COLOUR;
		return true;
	}
	for (size_t i = 0; i < COUNT(colour_names); i++) {
		if (str_same_word(word, colour_names[i])) {
			*colour = (int16_t)i;
			return true;
		}
	}
	if (depth != COLOUR_256 || word[0] < '0' || word[0] > '9' || strlen(word) > 3)
		return false;
	number = strtol(word, &end, 10);
	if (*end || number > 255)
		return false;
	*colour = (int16_t)number;
	return true;
}

static bool refuse_word(const char *word, enum colour_depth depth, struct err *err)
{
	return err_set(err,
		       "'%s' is neither an attribute (bold dim italic underline reverse) nor a colour "
		       "(default black red green yellow blue magenta cyan white, bright_red ...%s)",
		       word, depth == COLOUR_256 ? ", 0 to 255" : "");
}

/* The parsed part of a style. */
struct style_reader {
	struct style style;
	bool on; /* is the next word the colour of the background? */
	bool has_fg, has_bg;
};

static bool read_word(struct style_reader *r, const char *word, enum colour_depth depth, struct err *err)
{
	bool *has = r->on ? &r->has_bg : &r->has_fg;

	if (!r->on && str_same_word(word, "on")) {
		r->on = true;
		return true;
	}
	if (!r->on && find_attr(word, &r->style))
		return true;
	if (!find_colour(word, depth, r->on ? &r->style.bg : &r->style.fg))
		return refuse_word(word, depth, err);
	if (*has)
		return err_set(err, "'%s' is a second %s colour", word, r->on ? "background" : "text");
	*has = true;
	r->on = false;
	return true;
}

bool style_parse(const char *text, enum colour_depth depth, struct style *out, struct err *err)
{
	struct style_reader reader = {.style = {STYLE_DEFAULT_COLOUR, STYLE_DEFAULT_COLOUR, 0}};
	char word[32];

	for (const char *at = text + strspn(text, " \t"); *at; at += strspn(at, " \t")) {
		size_t len = strcspn(at, " \t");

		snprintf(word, sizeof word, "%.*s", (int)(len < sizeof word ? len : sizeof word - 1), at);
		if (!read_word(&reader, word, depth, err))
			return err_prefix(err, "style '%s'", text);
		at += len;
	}
	if (reader.on)
		return err_set(err, "style '%s': 'on' must be followed by a colour", text);
	*out = reader.style;
	return true;
}

/* --- theme files -------------------------------------------------------------------------------------- */

enum theme_row {
	ROW_DESCRIPTION,
	ROW_STYLE,
	ROW_STYLE256,
	ROW_COUNT
};

static const struct option rows[ROW_COUNT] = {
	[ROW_DESCRIPTION] = {.scope = "",
			     .name = "description",
			     .type = OPTION_TEXT,
			     .fallback = "",
			     .unit = "",
			     .help = "What the theme is for, in a few words."},
	[ROW_STYLE] = {.scope = "role",
		       .name = "style",
		       .type = OPTION_TEXT,
		       .unit = "",
		       .help = "Attributes and one of sixteen colours."},
	[ROW_STYLE256] = {.scope = "role",
			  .name = "style256",
			  .type = OPTION_TEXT,
			  .unit = "",
			  .help = "Like style, for terminals with 256 colours."},
};

struct theme_reader {
	struct theme *theme;
	bool given256[ROLE_COUNT];
};

static bool take_style(struct theme_reader *reader, bool is_256, const char *name, const char *text,
		       struct err *err)
{
	enum role role = role_find(name);
	bool *given = is_256 ? reader->given256 : reader->theme->given;
	struct style *style = is_256 ? reader->theme->style256 : reader->theme->style16;

	if (role == ROLE_COUNT)
		return err_set(err, "unknown role '%s'; TEMPLATE.theme lists all roles", name);
	if (given[role])
		return err_set(err, "role '%s' is given twice", name);
	given[role] = true;
	if (!style_parse(text, is_256 ? COLOUR_256 : COLOUR_16, &style[role], err))
		return err_prefix(err, "role '%s'", name);
	return true;
}

static bool take_option(void *self, const struct option *row, const char *title,
			const struct option_value *value, const struct option_place *place, struct err *err)
{
	struct theme_reader *reader = self;

	(void)place;
	if (!row)
		return err_set(err, "role '%s' has no style", title);
	if (row == &rows[ROW_DESCRIPTION]) {
		snprintf(reader->theme->description, sizeof reader->theme->description, "%s", value->text);
		return true;
	}
	return take_style(reader, row == &rows[ROW_STYLE256], title, value->text, err);
}

/* Sets missing styles: style256 to style, and roles that the file does not set to the style of base. */
static bool complete_theme(struct theme_reader *reader, const struct theme *base, struct err *err)
{
	static const struct style plain = {STYLE_DEFAULT_COLOUR, STYLE_DEFAULT_COLOUR, 0};
	struct theme *theme = reader->theme;

	for (int role = 0; role < ROLE_COUNT; role++) {
		if (!theme->given[role] && reader->given256[role])
			return err_set(err, "role '%s' has style256 but no style",
				       role_info((enum role)role)->name);
		if (!theme->given[role]) {
			theme->style16[role] = base ? base->style16[role] : plain;
			theme->style256[role] = base ? base->style256[role] : plain;
		} else if (!reader->given256[role]) {
			theme->style256[role] = theme->style16[role];
		}
	}
	return true;
}

bool theme_parse(const char *file, const char *text, size_t len, const struct theme *base, struct theme *out,
		 struct err *err)
{
	struct theme theme = {0};
	struct theme_reader reader = {.theme = &theme};

	if (!option_parse(rows, ROW_COUNT, file, text, len, take_option, &reader, err))
		return false;
	if (!complete_theme(&reader, base, err))
		return err_prefix(err, "%s", file);
	*out = theme;
	return true;
}

struct style theme_style(const struct theme *theme, enum role role, enum role over, enum colour_depth depth)
{
	const struct style *table = depth == COLOUR_256 ? theme->style256 : theme->style16;
	struct style style = table[role];

	if (over < ROLE_COUNT) {
		style.attr |= table[over].attr;
		if (table[over].fg != STYLE_DEFAULT_COLOUR)
			style.fg = table[over].fg;
		if (table[over].bg != STYLE_DEFAULT_COLOUR)
			style.bg = table[over].bg;
	}
	if (depth == COLOUR_NONE)
		style.fg = style.bg = STYLE_DEFAULT_COLOUR;
	return style;
}

/* --- available themes --------------------------------------------------------------------------------- */

/*
 * The shipped themes are compiled in; a directory of the user may add or replace themes. Only regular files
 * of limited size are read from it: a FIFO or device of that name must not block the console.
 */

#define THEME_FILE_MAX (64 * 1024)

#define THEME_SUFFIX ".theme"

#define BASE_THEME "default"

static const struct builtin_theme *find_builtin(const char *name)
{
	for (size_t i = 0; i < builtin_theme_count; i++)
		if (strcmp(builtin_themes[i].name, name) == 0)
			return &builtin_themes[i];
	return NULL;
}

/* Does the name consist of letters, digits, - and _ only, so that it cannot be a path? */
static bool is_theme_name(const char *name)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");

	return len > 0 && name[len] == '\0' && len < THEME_NAME_MAX;
}

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

/*
 * Reads a theme file. Returns false with err set on an error, and with an empty err->text if the file does
 * not exist.
 */
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
	err_set(err, "unknown theme '%s'; available themes: %s", name, str_text(&names));
	str_free(&names);
	return false;
}

/*
 * Loads a theme from dir. Returns false with err set on an error, and with an empty err->text if dir has no
 * such theme.
 */
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
