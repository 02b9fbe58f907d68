/* SPDX-License-Identifier: MIT */
/*
 * config_lint_site.c - what is odd in what a site says of jobs that really run, and of its people?
 *
 * Rules W44 to W46. What only this host can tell (is the program there?) is not asked here: a text is
 * judged by itself.
 */
#include <string.h>

#include "config_lint.h"
#include "sched/base/duration.h"
#include "sched/base/str.h"

static void warned_at_once(struct lint *l)
{
	const struct policy *p = &l->policy;
	char time[DURATION_TEXT];

	if (p->site.warn_signal == WARN_NONE || p->site.warn_s < p->default_wall_s)
		return;
	lint_report(
		l, "W44", lint_value_of(l, "warntime"),
		"a job that names no wallclock limit is warned as it begins: it gets %s, and warntime is no "
		"less; make it shorter",
		duration_text(time, p->default_wall_s));
	lint_fix(l, "warntime", "0:01:00");
}

/* The owner's own permissions to read and write. */
#define OWN_FILES 0600

static void files_of_nobody(struct lint *l)
{
	if ((l->policy.site.umask & OWN_FILES) == 0)
		return;
	lint_report(
		l, "W45", lint_value_of(l, "umask"),
		"umask takes from jobs the right to read and write the files they make; 077 keeps them from "
		"all others");
	lint_fix(l, "umask", "077");
}

/* --- administrators ---------------------------------------------------------------------- */

static bool names(const char *list, const char *word, size_t len)
{
	const char *other;
	size_t other_len;

	while ((other = config_word(&list, &other_len)) != NULL)
		if (other_len == len && memcmp(other, word, len) == 0)
			return true;
	return false;
}

/* The words of a list that another has not, appended. */
static void add_others(const char *list, const char *without, struct str *out)
{
	const char *word;
	size_t len;

	while ((word = config_word(&list, &len)) != NULL)
		if (!names(without, word, len))
			str_addf(out, "%s%.*s", out->len > 0 ? " " : "", (int)len, word);
}

static void named_twice(struct lint *l, const char *high_name, const char *low_name)
{
	const struct config_value *high = lint_value_of(l, high_name), *low = lint_value_of(l, low_name);
	const char *at, *word;
	struct str others = {0};
	size_t len;

	if (high == NULL || low == NULL)
		return;
	at = low->value.text;
	while ((word = config_word(&at, &len)) != NULL) {
		if (!names(high->value.text, word, len))
			continue;
		lint_report(l, "W46", low, "%.*s is in %s already, who may do all that %s may", (int)len,
			    word, high_name, low_name);
		add_others(low->value.text, high->value.text, &others);
		lint_fix_value(l, low, "%s", str_text(&others));
		break;
	}
	str_free(&others);
}

void lint_site(struct lint *l)
{
	warned_at_once(l);
	files_of_nobody(l);
	named_twice(l, "admin1", "admin2");
	named_twice(l, "admin1", "admin3");
	named_twice(l, "admin2", "admin3");
}
