/* SPDX-License-Identifier: MIT */
/*
 * cmd_tune.c - how is the policy changed?
 */
#include <string.h>

#include "cmd.h"
#include "complete.h"
#include "sched/base/duration.h"
#include "sched/config/config.h"
#include "sched/state/event.h"

/* --- tune ------------------------------------------------------------------------------- */

/* 0 = for good. */
static bool read_for(struct cmd_env *env, int64_t *out_s)
{
	const char *text = cmd_option(env, "--for");

	if (text == NULL)
		return true;
	if (!duration_parse(text, out_s, &env->err))
		return err_prefix(&env->err, "--for");
	return *out_s > 0 || err_set(&env->err, "--for: no time at all; write how long, such as 30m");
}

static enum cmd_status run_tune(struct cmd_env *env, int argc, char **argv)
{
	char *sign = argc == 2 ? strchr(argv[1], '=') : NULL;
	const char *text = argc == 3 ? argv[2] : sign ? sign + 1 : NULL;
	struct config_value value;
	struct str name = {0};
	struct event *ev;
	char title[CONFIG_TITLE];
	int64_t for_s = 0;

	if (!read_for(env, &for_s))
		return CMD_USAGE;
	if (!text) {
		err_set(&env->err, "tune %s: to which value? usage: tune NAME VALUE", argv[1]);
		return CMD_USAGE;
	}
	if (sign)
		*sign = '\0';
	if (!config_resolve(argv[1], text, &value, title, sizeof title, &env->err) ||
	    !config_check_live(&value, &env->err))
		return CMD_REFUSED;
	/* As the option is written, whatever way it was typed. */
	config_print_name(&value, &name);
	ev = cmd_add_event(env, EVENT_SETTING, 0);
	ev->setting.name = cmd_own(env, str_text(&name));
	ev->setting.value = cmd_own(env, config_value_text(&value));
	ev->until_s = for_s > 0 ? env->now_s + for_s : 0;
	str_free(&name);
	return CMD_DONE;
}

const struct cmd cmd_tune = {
	.name = "tune",
	.alias = "changeparam",
	.args = "NAME VALUE",
	.help = "Sets an option at once; the change is in the journal and can be undone.",
	.options = (const struct cmd_option[]){{"--for", "DURATION",
						"taken back by itself then, unless it is set again for good"},
					       {0}},
	.min = 1,
	.max = 2,
	.authority = CMD_ADMIN1,
	.flags = CMD_CHANGES | CMD_STORE,
	.run = run_tune,
	.complete = complete_options,
};
