/* SPDX-License-Identifier: MIT */
/*
 * cred.c - names of the credential types
 */
#include "cred.h"

#include "sched/base/str.h"

static const char *const names[CRED_TYPE_COUNT] = {
	[CRED_USER] = "user", [CRED_GROUP] = "group", [CRED_ACCOUNT] = "account",
	[CRED_QOS] = "qos",   [CRED_CLASS] = "class",
};

const char *cred_type_name(enum cred_type type)
{
	return names[type];
}

const char *cred_type_plural(enum cred_type type)
{
	static const char *const plurals[] = {[CRED_USER] = "users",
					      [CRED_GROUP] = "groups",
					      [CRED_ACCOUNT] = "accounts",
					      [CRED_QOS] = "QOS",
					      [CRED_CLASS] = "classes"};

	return plurals[type];
}

bool cred_name_is_plain(const char *name)
{
	return name[0] != '\0' && name[0] != '-' && str_has_only(name, CRED_NAME_SIGNS);
}

enum cred_type cred_type_find(const char *name)
{
	enum cred_type type = CRED_USER;

	if (str_same_word(name, "acct"))
		return CRED_ACCOUNT;
	while (type < CRED_TYPE_COUNT && !str_same_word(name, names[type]))
		type++;
	return type;
}
