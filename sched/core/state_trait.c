/* SPDX-License-Identifier: MIT */
/*
 * state_trait.c - which bit stands for a feature, a node's class, a kind of generic resource?
 *
 * A trait gets the next bit of its kind when it is first named, and keeps it. Names are
 * the same in any case, and keep the spelling in which they came first. A site has few; so
 * they are looked up by going through all of them.
 */
#include <string.h>

#include "sched/base/str.h"
#include "state_inside.h"

static uint32_t most_of(enum trait_kind kind)
{
	return kind == TRAIT_GRES ? GRES_MAX : 64;
}

static const char *plural_of(enum trait_kind kind)
{
	static const char *const names[TRAIT_KIND_COUNT] = {
		[TRAIT_FEATURE] = "features",
		[TRAIT_CLASS] = "classes of nodes",
		[TRAIT_GRES] = "kinds of generic resource",
	};

	return names[kind];
}

static uint32_t count_of(const struct snapshot *s, enum trait_kind kind)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_TRAITS); i++)
		count += snapshot_traits(s)[i].kind == kind;
	return count;
}

/* One name of a text, and how many of it: 1, but of generic resources. */
struct named {
	char name[CONFIG_TITLE];
	uint32_t count;
};

/* The next name from *at on, behind which *at moves. False at the end, and for what is none (err). */
static bool next_name(enum trait_kind kind, const char **at, struct named *out, struct err *err)
{
	size_t len;
	const char *word = config_word(at, &len);

	*out = (struct named){.count = 1};
	if (word == NULL)
		return false;
	if (kind == TRAIT_GRES && !config_gres_read(word, len, &len, &out->count, err))
		return false;
	if (len >= sizeof out->name)
		return err_set(err, "the name %.20s... is longer than %d bytes", word, CONFIG_TITLE - 1);
	memcpy(out->name, word, len);
	return true;
}

/* Is the name among those that stand before `before` in a text? */
static bool named_before(enum trait_kind kind, const char *text, const char *before, const char *name)
{
	struct named other;

	while (next_name(kind, &text, &other, NULL) && text < before)
		if (str_same_word(other.name, name))
			return true;
	return false;
}

bool state_check_traits(const struct state *st, enum trait_kind kind, const char *text, struct err *err)
{
	const char *at = text;
	struct named named;
	struct err bad = {""};
	uint32_t count;

	if (text == NULL || text[0] == '\0')
		return true;
	count = count_of(st->s, kind);
	while (next_name(kind, &at, &named, &bad)) {
		if (snapshot_find_trait(st->s, kind, named.name) >= 0 ||
		    named_before(kind, text, at, named.name))
			continue;
		if (++count > most_of(kind))
			return err_set(err, "%s would be one more than the %u %s that there can be",
				       named.name, most_of(kind), plural_of(kind));
	}
	return bad.text[0] == '\0' || err_set(err, "%s", bad.text);
}

bool state_check_job_traits(const struct state *st, const struct job_record *record, struct err *err)
{
	struct str features = {0};
	bool good;

	if (record->features == NULL || record->prefer == NULL)
		return state_check_traits(st, TRAIT_FEATURE,
					  record->features != NULL ? record->features : record->prefer,
					  err) &&
		       state_check_traits(st, TRAIT_GRES, record->gres, err);
	str_addf(&features, "%s %s", record->features, record->prefer);
	good = state_check_traits(st, TRAIT_FEATURE, str_text(&features), err) &&
	       state_check_traits(st, TRAIT_GRES, record->gres, err);
	str_free(&features);
	return good;
}

static int intern(struct state *st, enum trait_kind kind, const char *name)
{
	int bit = snapshot_find_trait(st->s, kind, name);
	uint32_t at;

	if (bit >= 0)
		return bit;
	bit = (int)count_of(st->s, kind);
	at = state_add_string(st, name);
	state_make_room(st, TABLE_TRAITS, 1);
	*(struct trait *)state_item(st, TABLE_TRAITS, st->s->table[TABLE_TRAITS].count++) =
		(struct trait){.name = at, .kind = (uint8_t)kind, .bit = (uint8_t)bit};
	return bit;
}

uint64_t state_intern_traits(struct state *st, enum trait_kind kind, const char *text)
{
	uint64_t bits = 0;
	struct named named;

	while (text != NULL && next_name(kind, &text, &named, NULL))
		bits |= UINT64_C(1) << intern(st, kind, named.name);
	return bits;
}

void state_intern_gres(struct state *st, const char *text, uint32_t gres[static GRES_MAX])
{
	struct named named;

	memset(gres, 0, GRES_MAX * sizeof *gres);
	while (text != NULL && next_name(TRAIT_GRES, &text, &named, NULL))
		gres[intern(st, TRAIT_GRES, named.name)] = named.count;
}
