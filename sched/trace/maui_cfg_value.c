/* SPDX-License-Identifier: MIT */
/*
 * maui_cfg_value.c - conversion of maui.cfg values
 *
 * Maui parses whole numbers as C does: it truncates fractions and reads 010 as eight. Where Maui uses 0 or -1
 * for "none", the option is omitted, or 0 if that means "none" in Kahu, too.
 */
#include "maui_cfg_value.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "maui_cfg_line.h"
#include "sched/base/duration.h"
#include "sched/config/config.h"

static void remark_on(struct import_remark *remark, enum maui_severity severity, const char *says)
{
	remark->severity = severity;
	err_set(&remark->says, "%s", says);
}

/* Is the value zero in any notation, such as 0, 0.0, 0:00:00 or 0+? */
static bool is_zero(const char *text)
{
	return strchr(text, '0') && text[strspn(text, "0.:+-^%")] == '\0';
}

/* --- numbers -------------------------------------------------------------------------------- */

/* Does Maui truncate the value to a whole number, while Kahu accepts fractions? */
static bool is_cut(const struct option *row)
{
	return config_weight_of(row).kind != NO_WEIGHT || strcmp(row->name, "qtweight") == 0 ||
	       strcmp(row->name, "xfweight") == 0 ||
	       (strcmp(row->name, "priority") == 0 && strcmp(row->scope, "node") != 0);
}

static bool is_octal(const char *text)
{
	text += *text == '-';
	return text[0] == '0' && text[1] >= '0' && text[1] <= '9';
}

/*
 * Converts a number as Maui reads it. A text that is not a number is copied, and rejected later by the option
 * row.
 */
static void whole_value(const char *text, struct str *out, struct import_remark *remark)
{
	int64_t whole;
	double real;

	text += *text == '+';
	if (str_read_whole(text, &whole)) {
		if (is_octal(text))
			remark_on(remark, MAUI_CHANGED, "Maui reads a number that begins with 0 as octal");
		str_addf(out, "%" PRId64, is_octal(text) ? (int64_t)strtoll(text, NULL, 8) : whole);
	} else if (str_read_real(text, &real) && fabs(real) < 1e15) {
		if (real - trunc(real) != 0)
			remark_on(remark, MAUI_CHANGED,
				  "Maui truncates it to a whole number; Kahu also accepts fractions");
		str_addf(out, "%.0f", trunc(real) + 0.0);
	} else {
		str_add(out, text);
	}
}

/* Is it the weight of a component as a percentage of all components: "25%"? */
static bool is_part(const struct option *row, const char *text)
{
	size_t digits = strspn(text, "0123456789");

	return config_weight_of(row).kind == COMPONENT_WEIGHT && digits > 0 &&
	       strcmp(text + digits, "%") == 0;
}

static void real_value(const struct option *row, const char *text, struct str *out,
		       struct import_remark *remark)
{
	if (is_part(row, text)) {
		remark_on(remark, MAUI_CHANGED, "Maui treats any weight in percent as 10");
		str_add(out, "10");
	} else if (is_cut(row)) {
		whole_value(text, out, remark);
	} else {
		str_add(out, text + (*text == '+'));
	}
}

/* Is the value a negative number that means "no limit" in Maui? (Kahu uses 0 for this.) */
static bool is_none(const struct option *row, const char *text)
{
	return *text == '-' &&
	       (strncmp(row->name, "systemmax", 9) == 0 || strcmp(row->name, "xfminwclimit") == 0);
}

/*
 * Moab's RMPOLLINTERVAL is MIN,MAX: the minimum and maximum time between polls. Returns the text of MAX,
 * because Kahu runs a pass immediately after each event; other values are returned unchanged.
 */
static const char *longest_poll(const struct option *row, const char *text, struct import_remark *remark)
{
	const char *comma = strcmp(row->name, "rmpollinterval") == 0 ? strchr(text, ',') : NULL;

	if (comma == NULL)
		return text;
	remark_on(remark, MAUI_CHANGED,
		  "MIN,MAX is the form of Moab: MAX is used; Kahu runs a pass after each event, so MIN is "
		  "not needed");
	return comma + 1;
}

static void duration_value(const struct option *row, const char *text, struct str *out,
			   struct import_remark *remark)
{
	char buf[DURATION_TEXT];
	int64_t s;

	text = longest_poll(row, text, remark);

	str_add(out, duration_parse(text, &s, NULL) ? duration_text(buf, s) : text);
}

/* --- words ---------------------------------------------------------------------------------- */

/* Words with a different spelling in Kahu. */
static const struct spelling {
	const char *option, *maui, *kahu;
	enum maui_severity severity;
	const char *says; /* text of the remark; NULL = no remark */
} spellings[] = {
	{"backfillpolicy", "BESTTIMEFIT", "firstfit", MAUI_CHANGED, "Maui treats it as FIRSTFIT"},
	{"backfillpolicy", "LAZY", "firstfit", MAUI_CHANGED, "Maui treats it as FIRSTFIT"},
	{"backfillpolicy", "PREEMPT", NULL, MAUI_LOST,
	 "preemption is not supported yet; firstfit is used instead"},
	{"backfillmetric", "NODES", "procs", MAUI_CHANGED, "Maui treats it as PROCS"},
	{"nodeallocationpolicy", "LOCAL", "local", MAUI_CHANGED,
	 "set localnodeallocation to the site's program; until then nodes are allocated as with minresource"},
	{"nodeallocationpolicy", "MINLOCAL", NULL, MAUI_LOST,
	 "Maui accepts this name but does not implement the policy; nodes are allocated as with "
	 "lastavailable"},
	{"nodeallocationpolicy", "MINGLOBAL", NULL, MAUI_LOST,
	 "Maui accepts this name but does not implement the policy; nodes are allocated as with "
	 "lastavailable"},
	{"nodeallocationpolicy", "FIRSTSET", NULL, MAUI_LOST,
	 "Maui accepts this name but does not implement the policy; nodes are allocated as with "
	 "lastavailable"},
	{"nodeaccesspolicy", "DEDICATED", "singlejob", MAUI_CHANGED, "renamed SINGLEJOB in Maui 3.2"},
	{"fspolicy", "[NONE]", "none", MAUI_CHANGED, NULL},
	{"fspolicy", "OFF", "none", MAUI_CHANGED, NULL},
	{"fspolicy", "FALSE", "none", MAUI_CHANGED, NULL},
	{"fspolicy", "PSDEDICATED", "dedicatedps", MAUI_CHANGED, "renamed DEDICATEDPS in Maui 3.2"},
	{"fspolicy", "PSUTILIZED", "utilizedps", MAUI_CHANGED, "renamed UTILIZEDPS in Maui 3.2"},
	{"fspolicy", "ON", "dedicatedps", MAUI_CHANGED, "Maui treats it as DEDICATEDPS"},
	{"fspolicy", "TRUE", "dedicatedps", MAUI_CHANGED, "Maui treats it as DEDICATEDPS"},
};

static const struct spelling *find_spelling(const struct option *row, const char *text)
{
	for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
		if (strcmp(spellings[i].option, row->name) == 0 && str_same_word(spellings[i].maui, text))
			return &spellings[i];
	return NULL;
}

static void add_lower(const char *text, struct str *out)
{
	for (; *text; text++) {
		bool is_upper = *text >= 'A' && *text <= 'Z';

		str_add_char(out, (char)(is_upper ? *text - 'A' + 'a' : *text));
	}
}

/* Converts a choice. Returns false, with the reason in remark, if Kahu has no such choice. */
static bool choice_value(const struct option *row, const char *text, struct str *out,
			 struct import_remark *remark)
{
	const struct spelling *other = find_spelling(row, text);

	if (other && other->says)
		remark_on(remark, other->severity, other->says);
	if (other && !other->kahu)
		return false;
	add_lower(other ? other->kahu : text, out);
	return true;
}

/*
 * Converts FSPOLICY. The name of the metric ends at a %, which requests differences relative to the target.
 */
static bool fairshare_value(const struct option *row, char *text, struct str *out,
			    struct import_remark *remark)
{
	char *percent = strchr(text, '%');

	if (percent)
		*percent = '\0';
	if (!choice_value(row, text, out, remark))
		return false;
	if (percent && strcmp(str_text(out), "none") != 0)
		str_add_char(out, '%');
	return true;
}

static void switch_value(const char *text, struct str *out)
{
	static const struct {
		const char *maui, *kahu;
	} words[] = {{"1", "true"},  {"T", "true"},  {"Y", "true"},
		     {"0", "false"}, {"F", "false"}, {"N", "false"}};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (str_same_word(words[i].maui, text))
			text = words[i].kahu;
	add_lower(text, out);
}

/* --- lists ------------------------------------------------------------------------------------ */

/* Converts a word such as "DEDICATED:PROC"; Maui also accepts PROCS and, for mem, MEMORY. */
static void available_word(char *word, struct str *out)
{
	char *resource = strchr(word, ':');

	if (resource && str_same_word(resource, ":PROCS"))
		resource[5] = '\0';
	else if (resource && str_same_word(resource, ":MEMORY"))
		resource[4] = '\0';
	add_lower(word, out);
}

/*
 * Converts a list. Its names are separated by blanks, commas, semicolons or brackets, and by colons if names
 * of this option cannot contain a colon.
 */
static void list_value(const struct option *row, char *text, struct str *out)
{
	bool available = row->form == FORM_AVAILABLE;
	bool colons = available || strcmp(row->name, "gres") == 0;
	char *word;

	while ((word = import_word(&text, colons ? " \t,;[]" : " \t,;:[]")) != NULL) {
		if (out->len > 0)
			str_add_char(out, ',');
		if (available)
			available_word(word, out);
		else
			str_add(out, word);
	}
}

/* --- one value ---------------------------------------------------------------------------------- */

static bool convert(const struct option *row, char *text, struct str *out, struct import_remark *remark)
{
	if (is_none(row, text)) {
		str_add_char(out, '0');
		return true;
	}
	switch (row->type) {
	case OPTION_REAL:
		real_value(row, text, out, remark);
		return true;
	case OPTION_COUNT:
		whole_value(text, out, remark);
		return true;
	case OPTION_DURATION:
		duration_value(row, text, out, remark);
		return true;
	case OPTION_BOOL:
		switch_value(text, out);
		return true;
	case OPTION_CHOICE:
		return strcmp(row->name, "fspolicy") == 0 ? fairshare_value(row, text, out, remark)
							  : choice_value(row, text, out, remark);
	case OPTION_LIST:
		list_value(row, text, out);
		return true;
	default:
		str_add(out, text);
		return true;
	}
}

/* Is the value valid for its row, and can it be written to a kahu.conf? If not, err is set. */
static bool accepts(const struct option *row, const char *text, struct err *err)
{
	struct option_value value;

	if (strstr(text, "${"))
		return err_set(err, "${ is not allowed in a kahu.conf");
	return option_read(row, text, &value, err);
}

bool import_value(const struct option *row, char *text, struct str *out, struct import_remark *remark)
{
	bool zero = is_zero(text) && *row->scope != '\0';

	str_clear(out);
	if (!convert(row, text, out, remark))
		return false;
	if (accepts(row, str_text(out), &remark->says))
		return true;
	remark->severity = MAUI_WRONG;
	if (zero)
		remark_on(remark, MAUI_UNNEEDED, "Maui treats 0 as not set");
	return false;
}

/* --- limits ---------------------------------------------------------------------------------------- */

/* Appends one amount; a negative one means "unlimited". */
static void add_amount(const char *text, size_t len, struct str *out)
{
	if (*text == '-')
		str_add(out, "unlimited");
	else
		str_add_bytes(out, text, len);
}

/* Is the amount missing or 0, which is no limit in Maui? */
static bool is_nothing(const char *text, size_t len)
{
	return len == 0 || strspn(text, "0:") >= len;
}

static bool amounts_accepted(const struct option *row, const char *second, const char *amounts,
			     struct err *err)
{
	struct str whole = {0};
	bool good;

	if (*second)
		str_addf(&whole, "%s=", second);
	str_add(&whole, amounts);
	good = accepts(row, str_text(&whole), err);
	str_free(&whole);
	return good;
}

bool import_amounts(const struct option *row, const char *second, const char *text, struct str *out,
		    struct import_remark *remark)
{
	size_t soft = strcspn(text, ",");
	const char *hard = text[soft] == ',' ? text + soft + 1 : "";

	str_clear(out);
	if (is_nothing(text, soft) && is_nothing(hard, strlen(hard))) {
		remark_on(remark, MAUI_UNNEEDED, "Maui treats 0 as no limit");
		return false;
	}
	if (!is_nothing(text, soft))
		add_amount(text, soft, out);
	if (out->len > 0 && !is_nothing(hard, strlen(hard)))
		str_add_char(out, ',');
	if (!is_nothing(hard, strlen(hard)))
		add_amount(hard, strlen(hard), out);
	if (amounts_accepted(row, second, str_text(out), &remark->says))
		return true;
	remark->severity = MAUI_WRONG;
	return false;
}
