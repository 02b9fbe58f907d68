/* SPDX-License-Identifier: MIT */
/*
 * qsub_nodes.c - what does nodes=2:ppn=4:fast+... ask for?
 *
 * Groups with '+' between them, each a number of nodes or the name of one, then with ':' between them
 * ppn=, gpus= and features. A job is of equal tasks, so the groups have to be alike; their
 * numbers add up, their names become a list of hosts.
 */
#include <string.h>

#include "qsub_inside.h"

struct group {
	int64_t nodes;    /* 0: it is a host */
	int64_t per_node; /* 0 = not said    */
	int64_t gpus;
	struct str host, features;
};

static void group_free(struct group *g)
{
	str_free(&g->host);
	str_free(&g->features);
}

/* "ppn=4" for "ppn": what stands behind the '='. */
static const char *value_of(const char *word, const char *name)
{
	size_t len = strlen(name);

	return strncmp(word, name, len) == 0 && word[len] == '=' ? word + len + 1 : NULL;
}

static bool read_property(const char *word, struct group *g, struct err *err)
{
	const char *ppn = value_of(word, "ppn"), *gpus = value_of(word, "gpus");

	if (ppn != NULL)
		return qsub_read_count(ppn, &g->per_node, err) || err_prefix(err, "ppn");
	if (strcmp(word, "shared") == 0 || strcmp(word, "exclusive_process") == 0 ||
	    strcmp(word, "default") == 0 || strcmp(word, "exclusive_thread") == 0 ||
	    strcmp(word, "reseterr") == 0)
		return true; /* modes of a GPU, which the host's administrator sets */
	if (gpus != NULL)
		return qsub_read_count(gpus, &g->gpus, err) || err_prefix(err, "gpus");
	if (word[0] == '\0' || strchr(word, '=') != NULL)
		return err_set(err, "\"%s\" is neither ppn=, gpus= nor a feature", word);
	if (strchr(word, '|') != NULL)
		return err_set(err, "\"%s\": a job has no choice between features; name those it needs",
			       word);
	if (g->features.len > 0)
		str_add_char(&g->features, ' ');
	str_add(&g->features, word);
	return true;
}

/* A number of nodes, or a host. */
static bool read_head(const char *word, struct group *g, struct err *err)
{
	if (word[0] == '\0')
		return err_set(err, "the number of nodes is missing; write nodes=2:ppn=4 or nodes=n01+n02");
	if (word[strspn(word, "0123456789")] == '\0')
		return qsub_read_count(word, &g->nodes, err);
	str_add(&g->host, word);
	return true;
}

/* text is changed. */
static bool read_group(char *text, struct group *g, struct err *err)
{
	char *rest = strchr(text, ':');

	if (rest != NULL)
		*rest++ = '\0';
	if (!read_head(text, g, err))
		return false;
	while (rest != NULL) {
		char *word = rest;

		rest = strchr(word, ':');
		if (rest != NULL)
			*rest++ = '\0';
		if (!read_property(word, g, err))
			return false;
	}
	return true;
}

/* Puts g to all, of the same kind. */
static bool join_group(struct group *all, const struct group *g, struct err *err)
{
	if ((all->nodes == 0) != (g->nodes == 0))
		return err_set(err, "hosts by name and a number of other nodes cannot be asked for together");
	if (all->per_node != g->per_node || all->gpus != g->gpus ||
	    strcmp(str_text(&all->features), str_text(&g->features)) != 0)
		return err_set(err, "its groups are not alike; a job is of equal tasks: submit two jobs, or "
				    "ask for the same on each node");
	all->nodes += g->nodes;
	if (g->nodes == 0) {
		str_add_char(&all->host, ' ');
		str_add(&all->host, str_text(&g->host));
	}
	return true;
}

/* text is changed. */
static bool read_groups(char *text, struct group *all, struct err *err)
{
	char *rest = text;

	for (bool first = true; rest != NULL; first = false) {
		struct group g = {.nodes = 0};
		char *word = rest;
		bool good;

		rest = strchr(word, '+');
		if (rest != NULL)
			*rest++ = '\0';
		good = read_group(word, first ? all : &g, err) && (first || join_group(all, &g, err));
		group_free(&g);
		if (!good)
			return false;
	}
	return all->nodes <= INT32_MAX || err_set(err, "so many nodes cannot be");
}

static bool apply(struct submission *s, const struct group *all, struct err *err)
{
	struct qsub_shape *shape = qsub_shape(s);
	int64_t nodes = all->nodes;
	uint32_t hosts = 0;

	if (nodes == 0 && !qsub_read_names(s, str_text(&all->host), " ", &shape->hosts, &hosts, err))
		return false;
	if (all->features.len > 0 &&
	    !qsub_read_names(s, str_text(&all->features), " ", &shape->features, NULL, err))
		return false;
	if (!qsub_set_shape(&shape->nodes, nodes == 0 ? hosts : nodes, "nodes", err))
		return false;
	if (all->per_node > 0 && !qsub_set_shape(&shape->per_node, all->per_node, "ppn", err))
		return false;
	return all->gpus == 0 || qsub_add_gres(s, "gpu", (uint32_t)all->gpus, QSUB_NODE, err);
}

bool qsub_read_nodes(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	struct group all = {.nodes = 0};
	char *copy = arena_copy(&s->arena, text, strlen(text) + 1), *hash = strchr(copy, '#');
	bool good;

	if (hash != NULL) {
		*hash++ = '\0';
		if (strcmp(hash, "excl") == 0)
			s->draft.access = ACCESS_SINGLEJOB;
		else if (strcmp(hash, "shared") != 0)
			return err_set(err, "\"#%.40s\" is not known; there are #excl and #shared", hash);
	}
	good = read_groups(copy, &all, err) && apply(s, &all, err);

	(void)by;
	group_free(&all);
	return good;
}
