/* SPDX-License-Identifier: MIT */
/*
 * fuzz_maui_cfg.c - imports of maui.cfg
 *
 * The resulting configuration is valid and has the reported number of values, and
 * the findings are in the order of their lines. A line with an unknown parameter that is added at the end is
 * reported.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/lint/config_lint.h"
#include "sched/trace/maui_cfg.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The resulting configuration is checked for one input in this number, because that takes longer than the
 * import. */
#define CHECK_EVERY 8

#define ODD_LINE "\nZZGARBLEZZ 1\n"

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_conf(const struct maui_cfg *cfg)
{
	struct config_list list = {0};
	struct config_finding finding[4];

	require(config_list_read("conf", str_text(&cfg->conf), cfg->conf.len, &list, NULL));
	require(list.count == cfg->values);
	config_list_free(&list);
	config_lint("conf", str_text(&cfg->conf), cfg->conf.len, finding, 4);
}

static void check_findings(const struct maui_cfg *cfg)
{
	int line = 1;

	for (size_t i = 0; i < cfg->count; i++) {
		const struct maui_finding *f = &cfg->finding[i];

		require(f->severity < MAUI_SEVERITY_COUNT && f->text[0] != '\0');
		require(strstr(f->text, ": ") != NULL);
		require(f->line == 0 || (f->line >= line && line > 0));
		line = f->line;
	}
}

static bool is_named(const struct maui_cfg *cfg, const char *name)
{
	for (size_t i = 0; i < cfg->count; i++)
		if (strstr(cfg->finding[i].text, name))
			return true;
	return false;
}

/* An added line is reported, unless an unterminated comment or a continued line before it includes it. */
static void check_added_line(const char *text, size_t size)
{
	char *longer = mem_alloc(size + sizeof ODD_LINE);
	struct maui_cfg cfg;

	memcpy(longer, text, size);
	memcpy(longer + size, ODD_LINE, sizeof ODD_LINE);
	if (maui_cfg_read("longer", longer, size + sizeof ODD_LINE - 1, &cfg, NULL))
		require(is_named(&cfg, "ZZGARBLEZZ") || memchr(text, '\\', size));
	maui_cfg_clear(&cfg);
	free(longer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = size > 0 ? (const char *)data : "";
	struct maui_cfg cfg;
	struct err err = {""};

	if (!maui_cfg_read("f", text, size, &cfg, &err)) {
		require(strncmp(err.text, "f: ", 3) == 0 && cfg.count == 0 && cfg.conf.len == 0);
		return 0;
	}
	check_findings(&cfg);
	if (size % CHECK_EVERY == 0)
		check_conf(&cfg);
	if (size % CHECK_EVERY == 1)
		check_added_line(text, size);
	maui_cfg_clear(&cfg);
	return 0;
}
