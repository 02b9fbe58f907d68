/* SPDX-License-Identifier: MIT */
/*
 * cmd_env.c - the options that a verb was given
 */
#include "cmd_env.h"

#include <string.h>

const char *cmd_option_at(const struct cmd_env *env, const char *name, size_t at)
{
	for (size_t i = 0; i < env->given_count; i++)
		if (strcmp(env->given[i].name, name) == 0 && at-- == 0)
			return env->given[i].value;
	return NULL;
}

const char *cmd_option(const struct cmd_env *env, const char *name)
{
	for (size_t i = env->given_count; i-- > 0;)
		if (strcmp(env->given[i].name, name) == 0)
			return env->given[i].value;
	return NULL;
}

bool cmd_option_whole(struct cmd_env *env, const char *name, int64_t min, int64_t max, int64_t fallback,
		      int64_t *out)
{
	const char *text = cmd_option(env, name);

	*out = fallback;
	if (!text)
		return true;
	if (!str_read_whole(text, out) || *out < min || *out > max)
		return err_set(&env->err, "%s takes a whole number from %lld to %lld, got '%s'", name,
			       (long long)min, (long long)max, text);
	return true;
}
