/* SPDX-License-Identifier: MIT */
/*
 * maui_cfg.c - import of a maui.cfg as a kahu.conf
 *
 * The name of a parameter determines how it is imported (maui_cfg_names.c). Its value is converted
 * (maui_cfg_value.c) and stored (maui_cfg_settings.c). Everything that is not stored results in a finding.
 */
#include "maui_cfg.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "maui_cfg_line.h"
#include "maui_cfg_names.h"
#include "maui_cfg_settings.h"
#include "maui_cfg_value.h"
#include "sched/base/vec.h"

#define QUOTED_MOST 100 /* maximum bytes of a parameter that a finding quotes */

struct import {
	struct maui_cfg *out;
	struct import_settings settings;
	int line;        /* number of the current line; 0 while Maui's defaults are added */
	struct str what; /* the current parameter for findings: "BACKFILLDEPTH 4" */
	size_t known;    /* number of parameters with a known name */
	bool is_own;     /* a line consists of }, so the file is a kahu.conf */
};

static void note(struct import *im, enum maui_severity severity, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void note(struct import *im, enum maui_severity severity, const char *format, ...)
{
	struct maui_cfg *out = im->out;
	struct str says = {0};
	struct err sentence = {""};
	va_list args;

	va_start(args, format);
	str_addv(&says, format, args);
	va_end(args);
	err_set(&sentence, "%s: %s", str_text(&im->what), str_text(&says));
	str_free(&says);
	out->finding = vec_room(out->finding, &out->room, out->count + 1, sizeof *out->finding);
	out->finding[out->count++] = (struct maui_finding){
		.line = im->line, .severity = severity, .text = mem_string(sentence.text)};
}

/* Sets the parameter that findings quote; a long value is shortened. */
static void name_what(struct import *im, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void name_what(struct import *im, const char *format, ...)
{
	va_list args;
	size_t len = QUOTED_MOST;

	str_clear(&im->what);
	va_start(args, format);
	str_addv(&im->what, format, args);
	va_end(args);
	if (im->what.len <= QUOTED_MOST)
		return;
	while (len > 0 && ((unsigned char)im->what.data[len] & 0xc0) == 0x80)
		len--;
	im->what.data[len] = '\0';
	im->what.len = len;
	str_add(&im->what, "...");
}

/* --- storing settings ------------------------------------------------------------------------------- */

static void put(struct import *im, const struct option *row, const char *title, const char *second,
		const char *value)
{
	struct import_section *section = import_section(&im->settings, row->scope, title, im->line);
	const struct import_setting *earlier = import_find(section, row, second);

	if (strcmp(section->title, title) != 0)
		note(im, MAUI_CHANGED, "%s of line %d and %s are the same name in Kahu, which ignores case",
		     section->title, section->line, title);
	if (earlier && strcmp(earlier->value, value) != 0)
		note(im, MAUI_WRONG, "line %d says %s; the last value is used, as in Maui", earlier->line,
		     earlier->value);
	import_put(section, row, second, value, im->line);
}

/*
 * Checks a section title and returns the row under which a value is stored in this section (config_one_row).
 * Notes a finding and returns NULL if the title is invalid.
 */
static const struct option *check_title(struct import *im, const struct option *row, const char **title)
{
	struct err err = {""};

	if (!import_may_be_title(*title)) {
		note(im, MAUI_WRONG, "%s cannot be a name in kahu.conf", *title);
		return NULL;
	}
	if (!config_check_section(row->scope, title, &err)) {
		note(im, MAUI_WRONG, "%s", err.text);
		return NULL;
	}
	return config_one_row(row, title);
}

/*
 * Converts and stores a value. `second` is the second credential of a limit, as in "USER:steve", or "".
 * `text` may be modified.
 */
static void carry(struct import *im, const struct option *row, const char *title, const char *second,
		  char *text)
{
	struct import_remark remark = {.says = {""}};
	struct str value = {0};
	bool good;

	row = check_title(im, row, &title);
	if (!row)
		return;
	good = row->form == FORM_LIMIT ? import_amounts(row, second, text, &value, &remark)
				       : import_value(row, text, &value, &remark);
	if (remark.says.text[0] != '\0')
		note(im, remark.severity, "%s", remark.says.text);
	if (good)
		put(im, row, title, second, str_text(&value));
	str_free(&value);
}

/* --- attributes of sections ---------------------------------------------------------------- */

/*
 * Returns the first of the scopes "user", "qos", "class" and "system" that has an option or a limit with this
 * name; NULL if none has.
 */
static const char *scope_with(const char *name)
{
	static const char *const scopes[] = {"user", "qos", "class", "system"};
	const char *per;

	for (size_t i = 0; i < sizeof scopes / sizeof scopes[0]; i++)
		if (import_limit(scopes[i], name, &per) ||
		    option_find(config_rows, config_row_count, scopes[i], name))
			return scopes[i];
	return NULL;
}

static void note_unknown(struct import *im, const char *scope, const char *name)
{
	struct str near = {0};
	bool is_ours = option_find(config_rows, config_row_count, scope, name) != NULL;
	const char *elsewhere =
		is_ours || strcmp(scope, "node") == 0 || *scope == '\0' ? NULL : scope_with(name);

	import_nearest(scope, name, &near);
	if (elsewhere)
		note(im, MAUI_LOST, "Kahu sets it for each %s, not for each %s", elsewhere, scope);
	else if (near.len > 0 && !is_ours)
		note(im, MAUI_WRONG, "Maui does not know %s and ignored it; was %s meant?", name,
		     str_text(&near));
	else
		note(im, MAUI_WRONG, "Maui does not know %s and ignored it", name);
	str_free(&near);
}

/* Returns the row of an option that is not a limit; NULL if there is none. */
static const struct option *find_option(const char *scope, const char *name)
{
	const struct option *row = option_find(config_rows, config_row_count, scope, name);

	return row && row->form != FORM_LIMIT ? row : NULL;
}

static void take_limit(struct import *im, const struct option *row, const char *title, const char *per,
		       const struct import_attribute *a)
{
	if (*per && *a->second)
		note(im, MAUI_WRONG, "a second credential is given twice, as PER%s and as [%s]", per,
		     a->second);
	else
		carry(im, row, title, *per ? per : a->second, a->value);
}

static void note_moab(struct import *im, const char *name)
{
	note(im, MAUI_LOST, "%s is a parameter of Moab, which neither Maui nor Kahu has", name);
}

static void take_attribute(struct import *im, const char *scope, const char *title,
			   const struct import_attribute *a)
{
	const char *per = "";
	const struct option *row = import_limit(scope, a->name, &per);
	const struct import_name *name = import_name_find(scope, a->name);

	if (a->wrong)
		note(im, MAUI_WRONG, "%s", a->wrong);
	else if (row)
		take_limit(im, row, title, per, a);
	else if (name && name->use == USE_MOAB)
		note_moab(im, a->name);
	else if (name && name->use != USE_OPTION)
		note(im, name->use == USE_LOST ? MAUI_LOST : MAUI_UNNEEDED, "%s", name->what);
	else if ((row = find_option(scope, name ? name->what : a->name)) == NULL)
		note_unknown(im, scope, name ? name->what : a->name);
	else if (*a->second)
		note(im, MAUI_WRONG, "only limits take a second credential in brackets");
	else
		carry(im, row, title, "", a->value);
}

static void take_section(struct import *im, const struct import_line *line, const char *scope)
{
	bool titled = strcmp(scope, "system") != 0;
	struct import_attribute a;
	char *rest = line->value;

	if (titled && *line->index == '\0') {
		note(im, MAUI_WRONG, "the name of the %s must follow in brackets", scope);
		return;
	}
	while (import_attribute_next(&rest, &a)) {
		name_what(im, "%s%s%s%s %s%s%s%s%s%s", line->name, *line->index ? "[" : "", line->index,
			  *line->index ? "]" : "", a.name, *a.second ? "[" : "", a.second,
			  *a.second ? "]" : "", *a.value ? "=" : "", a.value);
		take_attribute(im, scope, titled ? line->index : "", &a);
	}
}

/* --- parameters ------------------------------------------------------------------------------ */

/* Returns the first word of a value; notes a finding if there are more words. */
static char *first_word(struct import *im, char *value)
{
	char *word = import_word(&value, " \t");

	if (value[strspn(value, " \t")] != '\0')
		note(im, MAUI_CHANGED, "Maui uses only the first word, %s", word);
	return word;
}

static bool is_admins(const struct option *row)
{
	return strncmp(row->name, "admin", strlen("admin")) == 0;
}

/*
 * Appends the names in a list of users (prefix "") or groups (prefix "@"). ALL is left out and reported as a
 * finding.
 */
static void add_admins(struct import *im, char *list, const char *prefix, struct str *out)
{
	char *word;

	while ((word = import_word(&list, " \t,;:")) != NULL) {
		if (str_same_word(word, "ALL"))
			note(im, MAUI_LOST,
			     "ALL is not supported: list the administrators by name; hidenames determines "
			     "who sees the jobs of other users");
		else
			str_addf(out, "%s%s%s", out->len > 0 ? " " : "", prefix, word);
	}
}

static void carry_admins(struct import *im, const struct option *row, const struct str *names)
{
	char *text = mem_string(str_text(names));

	if (names->len > 0)
		carry(im, row, "", "", text);
	free(text);
}

/* Imports a line such as "ADMINCFG[1] USERS=ann,bob GROUPS=ops". */
static void take_admin_level(struct import *im, const struct import_line *line, const char *name)
{
	struct str option = {0}, names = {0};
	const struct option *row;
	struct import_attribute a;
	char *rest = line->value;

	str_addf(&option, "%s%s", name, line->index);
	row = option_find(config_rows, config_row_count, "", str_text(&option));
	if (row == NULL)
		note(im, MAUI_LOST, "there are three levels of administrators: admin1, admin2 and admin3");
	while (row != NULL && import_attribute_next(&rest, &a)) {
		bool groups = str_same_word(a.name, "GROUPS");

		name_what(im, "%s[%s] %s%s%s", line->name, line->index, a.name, *a.value ? "=" : "", a.value);
		if (groups || str_same_word(a.name, "USERS"))
			add_admins(im, a.value, groups ? "@" : "", &names);
		else if (!str_same_word(a.name, "NAME"))
			note(im, MAUI_LOST, "the rights of each level are fixed");
	}
	if (row != NULL)
		carry_admins(im, row, &names);
	str_free(&option);
	str_free(&names);
}

/* Is one of the words of the value "NONE" or, in a list of attributes, "TYPE=NONE"? */
static bool is_no_bank(char *value)
{
	char *word;

	while ((word = import_word(&value, " \t")) != NULL)
		if (str_same_word(word, "NONE") || str_same_word(word, "TYPE=NONE"))
			return true;
	return false;
}

/* Does the index stand for the whole system rather than a partition? */
static bool is_everywhere(const char *index)
{
	return *index == '\0' || strcmp(index, "0") == 0 || str_same_word(index, "ALL");
}

static void take_option(struct import *im, const struct import_line *line, const struct option *row)
{
	const char *title = is_everywhere(line->index) ? "" : line->index;
	struct str names = {0};

	if (is_admins(row)) {
		add_admins(im, line->value, "", &names);
		carry_admins(im, row, &names);
		str_free(&names);
		return;
	}
	if (*title && config_weight_of(row).kind != NO_WEIGHT)
		row = option_find(config_rows, config_row_count, "partition", row->name);
	else if (*title) {
		note(im, MAUI_LOST, "Kahu sets %s for the whole system, not for a partition", row->name);
		return;
	}
	carry(im, row, title, "", row->type == OPTION_LIST ? line->value : first_word(im, line->value));
}

static void take_qos(struct import *im, const struct import_line *line, const char *option)
{
	if (*line->index == '\0')
		note(im, MAUI_WRONG, "the name of the qos must follow in brackets");
	else
		carry(im, find_option("qos", option), line->index, "", first_word(im, line->value));
}

static void take_level(struct import *im, const struct import_line *line, const char *option)
{
	const struct option *row = find_option("reservationlevel", option);

	carry(im, row, *line->index ? line->index : "0", "",
	      row->type == OPTION_LIST ? line->value : first_word(im, line->value));
}

static void take_parameter(struct import *im, const struct import_line *line, const struct import_name *name)
{
	switch (name->use) {
	case USE_OPTION:
		take_option(im, line, find_option("", name->what));
		break;
	case USE_SECTION:
		take_section(im, line, name->what);
		break;
	case USE_QOS:
		take_qos(im, line, name->what);
		break;
	case USE_LEVEL:
		take_level(im, line, name->what);
		break;
	case USE_UNNEEDED:
		note(im, MAUI_UNNEEDED, "%s", name->what);
		break;
	case USE_LOST:
		note(im, MAUI_LOST, "%s", name->what);
		break;
	case USE_ADMINS:
		take_admin_level(im, line, name->what);
		break;
	case USE_BANK:
		if (is_no_bank(line->value))
			note(im, MAUI_UNNEEDED, "Kahu has no allocation bank either");
		else
			note(im, MAUI_LOST, "%s", name->what);
		break;
	case USE_MOAB:
		note_moab(im, line->name);
		break;
	case USE_UNKNOWN:
		note(im, MAUI_WRONG, "Maui does not know %s and ignored it; was %s meant?", line->name,
		     name->what);
		break;
	}
}

static void take_line(struct import *im, const struct import_line *line)
{
	const struct import_name *name = import_name_find("", line->name);
	const struct option *weight = name ? NULL : import_weight(line->name);

	im->line = line->number;
	name_what(im, "%s%s%s%s%s%s", line->included ? "#INCLUDE" : line->name, *line->index ? "[" : "",
		  line->index, *line->index ? "]" : "", *line->value ? " " : "", line->value);
	im->known += name != NULL || weight != NULL;
	im->is_own = im->is_own || strcmp(line->name, "}") == 0;
	if (line->included)
		note(im, MAUI_LOST, "the included file is not read; import it separately");
	else if (line->wrong)
		note(im, MAUI_WRONG, "%s", line->wrong);
	else if (weight)
		take_option(im, line, weight);
	else if (name)
		take_parameter(im, line, name);
	else
		note_unknown(im, "", line->name);
}

/* --- the default QOS and account ----------------------------------------------------------------- */

static const struct import_setting *setting_of(const struct import_section *section, const char *name)
{
	const struct option *row = find_option(section->scope, name);

	return row ? import_find(section, row, "") : NULL;
}

/* Does a list of QOS contain this name, with or without a suffix & or ^? */
static bool names_qos(const char *list, const char *qos)
{
	for (size_t len; *list != '\0'; list += strcspn(list, ","), list += *list == ',') {
		len = strcspn(list, ",&^");
		if (len == strlen(qos) && strncmp(list, qos, len) == 0)
			return true;
	}
	return false;
}

/*
 * An option that sets the default QOS or account of jobs, and the access list that must contain this default.
 */
struct given_name {
	const char *option, *list;   /* option names of Kahu */
	const char *keyword, *lists; /* names of Maui */
};
static const struct given_name given_names[] = {
	{"qdef", "qlist", "QDEF", "QLIST"},
	{"adef", "alist", "ADEF", "ALIST"},
};

/*
 * Adds the default QOS or account of a section to the access list of this section, because Maui always
 * permits the default.
 */
static void permit_default(struct import *im, struct import_section *section, const struct given_name *g)
{
	const struct import_setting *given = setting_of(section, g->option);
	const struct import_setting *list = setting_of(section, g->list);
	struct str names = {0};

	if (!given || (list && names_qos(list->value, given->value)))
		return;
	im->line = given->line;
	name_what(im, "%s=%s of %s %s", g->keyword, given->value, section->scope, section->title);
	note(im, MAUI_CHANGED,
	     "Maui permits this default even if %s does not list it, so it is added to the list", g->lists);
	str_addf(&names, "%s%s%s", list ? list->value : "", list ? "," : "", given->value);
	import_put(section, find_option(section->scope, g->list), "", str_text(&names), given->line);
	str_free(&names);
}

/*
 * Adds defaults to access lists, but only if the file has such lists: otherwise every QOS or account is
 * permitted.
 */
static void permit_defaults(struct import *im)
{
	for (size_t k = 0; k < sizeof given_names / sizeof given_names[0]; k++) {
		bool listed = false;

		for (size_t i = 0; i < im->settings.count; i++)
			listed = listed || setting_of(&im->settings.section[i], given_names[k].list);
		for (size_t i = 0; listed && i < im->settings.count; i++)
			permit_default(im, &im->settings.section[i], &given_names[k]);
	}
}

/* --- Maui's defaults ------------------------------------------------------------------ */

/* Defaults of Maui, as observed, that differ from Kahu's. */
static const struct silent {
	const char *option, *value;
	const char *only_with; /* written only if this option is set; NULL = always */
} defaults[] = {
	{"systemdefaultjobwalltime", "10:00:00:00", NULL},
	{"fsinterval", "12:00:00", "fspolicy"},
	{"fsdepth", "8", "fspolicy"},
};

/* Is the option of the top level set to a value other than "none"? */
static bool is_set(struct import *im, const char *option)
{
	const struct import_section *section = import_section(&im->settings, "", "", 0);
	const struct import_setting *item = import_find(section, find_option("", option), "");

	return item && strcmp(item->value, "none") != 0;
}

static void add_default(struct import *im, const struct silent *d)
{
	char value[16];

	if (is_set(im, d->option) || (d->only_with && !is_set(im, d->only_with)))
		return;
	name_what(im, "%s = %s", d->option, d->value);
	note(im, MAUI_CHANGED, "Maui's default differs from Kahu's, so it is written");
	snprintf(value, sizeof value, "%s", d->value);
	carry(im, find_option("", d->option), "", "", value);
}

/* --- the whole file ----------------------------------------------------------------------------------- */

static bool refuse(struct maui_cfg *out, struct err *err, const char *file, const char *why)
{
	maui_cfg_clear(out);
	return err_set(err, "%s: %s", file, why);
}

static void read_lines(struct import *im, const char *text, size_t len)
{
	static const char mark[] = "\xef\xbb\xbf"; /* U+FEFF, byte order mark */
	struct import_reader reader = {.at = text, .end = text + len, .number = 1};
	struct import_line line;

	if (len >= 3 && memcmp(text, mark, 3) == 0)
		reader.at += 3;
	while (import_line_next(&reader, &line))
		take_line(im, &line);
	permit_defaults(im);
	im->line = 0;
	for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++)
		add_default(im, &defaults[i]);
	str_free(&reader.text);
}

/* Sets out->values. Returns false with err set if the resulting text is larger than a kahu.conf can be. */
static bool count_values(const char *file, struct maui_cfg *out, struct err *err)
{
	struct config_list list = {0};

	if (!config_list_read("kahu.conf", str_text(&out->conf), out->conf.len, &list, err)) {
		maui_cfg_clear(out);
		return err_prefix(err, "%s: its settings do not fit into a kahu.conf", file);
	}
	out->values = list.count;
	config_list_free(&list);
	return true;
}

bool maui_cfg_read(const char *file, const char *text, size_t len, struct maui_cfg *out, struct err *err)
{
	struct import im = {.out = out};

	*out = (struct maui_cfg){0};
	if (memchr(text, '\0', len))
		return refuse(out, err, file, "it contains a NUL byte; it is not a maui.cfg");
	read_lines(&im, text, len);
	import_write(&im.settings, &out->conf);
	import_settings_clear(&im.settings);
	str_free(&im.what);
	if (im.is_own)
		return refuse(out, err, file,
			      "it contains sections in { }; it is a kahu.conf, not a maui.cfg");
	if (im.known == 0)
		return refuse(out, err, file, "it contains no parameter of Maui; it is not a maui.cfg");
	return count_values(file, out, err);
}

void maui_cfg_clear(struct maui_cfg *cfg)
{
	str_free(&cfg->conf);
	for (size_t i = 0; i < cfg->count; i++)
		free(cfg->finding[i].text);
	free(cfg->finding);
	*cfg = (struct maui_cfg){0};
}

const char *maui_severity_name(enum maui_severity severity)
{
	static const char *const name[] = {
		[MAUI_UNNEEDED] = "unneeded",
		[MAUI_CHANGED] = "changed",
		[MAUI_LOST] = "lost",
		[MAUI_WRONG] = "wrong",
	};

	return name[severity];
}
