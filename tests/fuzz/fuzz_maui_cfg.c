/* SPDX-License-Identifier: MIT */
/*
 * fuzz_maui_cfg.c - is whatever is read as a maui.cfg a kahu.conf, and nothing of it unsaid?
 *
 * What comes out is read and judged as any configuration, has as many values as was said, and
 * the findings stand in the order of their lines. A line that was added to the end, of a name
 * that exists nowhere, is named.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/lint/config_lint.h"
#include "sched/trace/maui_cfg.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reading it again takes far longer than the import: one input in so many has it checked. */
#define DEAR 8

#define ODD_LINE "\nZZGARBLEZZ 1\n"

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void check_conf(const struct maui_cfg *cfg)
{
	struct config_list list = {0};
	struct config_finding finding[4];

	must(config_list_read("conf", str_text(&cfg->conf), cfg->conf.len, &list, NULL));
	must(list.count == cfg->values);
	config_list_free(&list);
	config_lint("conf", str_text(&cfg->conf), cfg->conf.len, finding, 4);
}

static void check_findings(const struct maui_cfg *cfg)
{
	int line = 1;

	for (size_t i = 0; i < cfg->count; i++) {
		const struct maui_finding *f = &cfg->finding[i];

		must(f->severity < MAUI_SEVERITY_COUNT && f->text[0] != '\0');
		must(strstr(f->text, ": ") != NULL);
		must(f->line == 0 || (f->line >= line && line > 0));
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

/* Unless what stands before it takes it in: a comment without end, or a line that goes on. */
static void check_added_line(const char *text, size_t size)
{
	char *longer = mem_alloc(size + sizeof ODD_LINE);
	struct maui_cfg cfg;

	memcpy(longer, text, size);
	memcpy(longer + size, ODD_LINE, sizeof ODD_LINE);
	if (maui_cfg_read("longer", longer, size + sizeof ODD_LINE - 1, &cfg, NULL))
		must(is_named(&cfg, "ZZGARBLEZZ") || memchr(text, '\\', size));
	maui_cfg_clear(&cfg);
	free(longer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = size > 0 ? (const char *)data : "";
	struct maui_cfg cfg;
	struct err err = {""};

	if (!maui_cfg_read("f", text, size, &cfg, &err)) {
		must(strncmp(err.text, "f: ", 3) == 0 && cfg.count == 0 && cfg.conf.len == 0);
		return 0;
	}
	check_findings(&cfg);
	if (size % DEAR == 0)
		check_conf(&cfg);
	if (size % DEAR == 1)
		check_added_line(text, size);
	maui_cfg_clear(&cfg);
	return 0;
}
