/* SPDX-License-Identifier: MIT */
/*
 * cmd_import.c - kahu import: a maui.cfg translated to a kahu.conf
 *
 * In a shell, the configuration is written to standard output, and the findings about its lines to standard
 * error. In the console both are shown, the findings as comments at the end.
 */
#include <stdio.h>

#include "cmd.h"
#include "sched/base/option.h"
#include "sched/host/files.h"
#include "sched/trace/maui_cfg.h"
#include "tui/draw/text.h"
#include "tui/report/field.h"
#include "tui/report/report.h"

static bool get_severity(const void *item, struct value *out)
{
	out->text = maui_severity_name(((const struct maui_finding *)item)->severity);
	return true;
}

static const struct field finding_fields[] = {
	{"line", NULL, FIELD_COUNT, FIELD_OR_NULL(struct maui_finding, line, 0)},
	{"severity", NULL, FIELD_TEXT, .get = get_severity},
	{"text", NULL, FIELD_TEXT, FIELD_AT(struct maui_finding, text)},
	{0}};

static void each_finding(const void *item, field_visit *visit, void *self)
{
	const struct maui_cfg *cfg = item;

	for (size_t i = 0; i < cfg->count; i++)
		visit(self, &cfg->finding[i]);
}

static bool get_conf(const void *item, struct value *out)
{
	out->text = str_text(&((const struct maui_cfg *)item)->conf);
	return true;
}

static const struct field import_fields[] = {
	{"values", NULL, FIELD_COUNT, FIELD_AT(struct maui_cfg, values)},
	{"conf", NULL, FIELD_TEXT, .get = get_conf},
	{"findings", NULL, FIELD_LIST, .of = finding_fields, .each = each_finding},
	{0}};

static void print_finding(const struct maui_finding *f, const char *file, const char *before, bool ascii,
			  struct str *out)
{
	str_add(out, before);
	text_safe(out, file, ascii);
	if (f->line > 0)
		str_addf(out, ":%d", f->line);
	str_addf(out, ": %s: ", maui_severity_name(f->severity));
	text_safe(out, f->text, ascii);
	str_add_char(out, '\n');
}

static size_t count_of(const struct maui_cfg *cfg, enum maui_severity severity)
{
	size_t count = 0;

	for (size_t i = 0; i < cfg->count; i++)
		count += cfg->finding[i].severity == severity;
	return count;
}

/* Prints the findings and the number of each severity. Each line begins with `before`. */
static void print_findings(const struct maui_cfg *cfg, const char *file, const char *before, bool ascii,
			   struct str *out)
{
	for (size_t i = 0; i < cfg->count; i++)
		print_finding(&cfg->finding[i], file, before, ascii, out);
	str_add(out, before);
	text_safe(out, file, ascii);
	str_add(out, ": ");
	report_count(out, cfg->values, "value", "values");
	str_add(out, " imported");
	for (enum maui_severity s = 0; s < MAUI_SEVERITY_COUNT; s++)
		str_addf(out, ", %zu %s", count_of(cfg, s), maui_severity_name(s));
	str_add_char(out, '\n');
}

static void print_text(const struct maui_cfg *cfg, struct cmd_env *env, const char *file)
{
	struct str aside = {0};

	str_add(env->out, str_text(&cfg->conf));
	print_findings(cfg, file, env->shell ? "" : "# ", env->ascii, env->shell ? &aside : env->out);
	fputs(str_text(&aside), stderr);
	str_free(&aside);
}

static enum cmd_status run_import(struct cmd_env *env, int argc, char **argv)
{
	const char *file = file_name(argv[1]);
	struct str text = {0};
	struct maui_cfg cfg = {0};
	bool ok;

	(void)argc;
	ok = file_read(argv[1], OPTION_TEXT_MAX, &text, &env->err) &&
	     maui_cfg_read(file, str_text(&text), text.len, &cfg, &env->err);
	if (ok && env->json)
		fields_document(env->out, import_fields, 0, &cfg);
	else if (ok)
		print_text(&cfg, env, file);
	maui_cfg_clear(&cfg);
	str_free(&text);
	return ok ? CMD_DONE : CMD_REFUSED;
}

const struct cmd cmd_import = {
	.name = "import",
	.args = "FILE",
	.help = "Print the policy of a maui.cfg as a kahu.conf. Settings that are not imported, or only "
		"approximately, are listed on standard error with their lines.",
	.min = 1,
	.max = 1,
	.run = run_import,
};
