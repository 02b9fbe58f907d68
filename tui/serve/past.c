/* SPDX-License-Identifier: MIT */
/*
 * past.c - how does a client read what has happened, when only the scheduler can open the store?
 */
#include "past.h"

#include <stdlib.h>
#include <string.h>

#include "mask.h"
#include "memory_file.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "store/codec.h"

/* --- the scheduler's side ----------------------------------------------------------------------- */

struct piece {
	struct store *store;
	const struct past_wish *wish;
	const struct past_reader *reader;
	struct str bytes;
	size_t count;
	uint64_t looked; /* bytes of the jobs that were looked at to know whose they are */
	bool failed;     /* err says why */
	struct err err;
};

/* One record at least is in each piece, however large it is. */
static bool takes_more(const struct piece *p)
{
	return p->count < PAST_PIECE && p->bytes.len < PAST_PIECE_BYTES && p->looked < PAST_LOOKED_BYTES;
}

static bool is_own(const struct past_reader *reader, const struct ended_job *ended)
{
	const char *user = ended->record.cred[CRED_USER];

	return reader->user == NULL || (user != NULL && strcmp(user, reader->user) == 0);
}

struct judged_end {
	struct piece *piece;
	bool is_own;
};

static bool judge_end(void *self, const struct ended_job *ended)
{
	struct judged_end *judged = self;

	judged->is_own = is_own(judged->piece->reader, ended);
	judged->piece->looked += state_submission_bytes(&ended->record);
	return true;
}

/* Whose job it was only the history knows, while it keeps the job. */
static bool is_own_end(struct piece *p, const struct event *ev)
{
	struct judged_end judged = {.piece = p};

	if (!store_ended_job(p->store, ev->time_s, ev->job, judge_end, &judged, &p->err))
		p->failed = true;
	return judged.is_own;
}

/* What went wrong with a job may name its files, so it is told to the job's user alone. */
static bool add_entry(void *self, const struct event *ev)
{
	struct piece *p = self;
	struct key key = key_number(p->count++);
	struct event shown = *ev;

	if (p->reader->user != NULL && shown.kind == EVENT_DEFER && shown.defer.reason != NULL &&
	    (p->reader->owns == NULL || !p->reader->owns(p->reader->self, shown.job)))
		shown.defer.reason = NULL;
	if (p->reader->user != NULL && shown.kind == EVENT_END && shown.end.why != NULL && !is_own_end(p, ev))
		shown.end.why = NULL;
	put_event(&p->bytes, &key, &shown);
	return !p->failed && takes_more(p);
}

static bool add_journal(struct store *store, struct piece *p, struct err *err)
{
	return store_journal(store, p->wish->from, p->wish->backward, add_entry, p, err) &&
	       (!p->failed || err_set(err, "%s", p->err.text));
}

/* Of "gpu:2 tape:1" or "fast big" the words whose names are the site's; NULL when none is left. */
static const char *site_words(const struct past_reader *reader, enum trait_kind kind, const char *text,
			      struct arena *arena)
{
	char *words, *rest = NULL;
	struct str kept = {0};
	const char *out;

	if (text == NULL || reader->is_site_trait == NULL)
		return NULL;
	words = mem_string(text);
	for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
		char *end = word + strcspn(word, ":"), behind = *end;
		bool shown;

		*end = '\0';
		shown = reader->is_site_trait(reader->self, kind, word);
		*end = behind;
		if (shown)
			str_addf(&kept, "%s%s", kept.len > 0 ? " " : "", word);
	}
	out = kept.len > 0 ? arena_string(arena, str_text(&kept)) : NULL;
	free(words);
	str_free(&kept);
	return out;
}

static struct ended_job of_another(const struct ended_job *ended, const struct past_reader *reader,
				   struct arena *arena)
{
	static const enum cred_type theirs[] = {CRED_USER, CRED_GROUP, CRED_ACCOUNT};
	struct ended_job out = *ended;
	const char *class_name = ended->record.cred[CRED_CLASS];

	out.why = out.output = out.errors = out.mail = out.mail_to = NULL;
	out.record.launch_size = 0;
	if (out.record.base_reason != NULL ||
	    (out.record.hold_reason != NULL && mask_is_held_after_defers(out.record.hold_reason)))
		out.record.base_reason = out.record.hold_reason = NULL;
	if (reader->names)
		return out;
	for (size_t i = 0; i < sizeof theirs / sizeof theirs[0]; i++)
		out.record.cred[theirs[i]] = NULL;
	if (class_name != NULL &&
	    (reader->is_site_class == NULL || !reader->is_site_class(reader->self, class_name)))
		out.record.cred[CRED_CLASS] = NULL;
	out.record.name = out.record.hold_reason = out.record.base_reason = NULL;
	out.record.features = site_words(reader, TRAIT_FEATURE, out.record.features, arena);
	out.record.prefer = site_words(reader, TRAIT_FEATURE, out.record.prefer, arena);
	out.record.gres = site_words(reader, TRAIT_GRES, out.record.gres, arena);
	return out;
}

static bool add_job(void *self, const struct ended_job *ended)
{
	struct piece *p = self;
	struct key key = key_number(p->count);
	struct arena arena = {0};
	struct ended_job masked;

	masked = is_own(p->reader, ended) ? *ended : of_another(ended, p->reader, &arena);
	put_ended(&p->bytes, &key, &masked);
	arena_free(&arena);
	p->count++;
	return takes_more(p);
}

/* Which jobs are whose must not come out by asking for each name. */
static bool may_want(const struct past_reader *reader, const char *user)
{
	return user == NULL || reader->names || reader->user == NULL || strcmp(user, reader->user) == 0;
}

static bool add_jobs(struct store *store, struct piece *p, struct past_piece *out, struct err *err)
{
	struct history_walk walk = {.most = PAST_LOOKS};
	struct history_wish jobs = p->wish->jobs;
	bool good;

	if (p->wish->own && p->reader->user != NULL)
		jobs.user = p->reader->user;
	good = !may_want(p->reader, jobs.user) || store_history_find(store, &jobs, &walk, add_job, p, err);

	out->at = walk.at;
	out->more = walk.more;
	return good;
}

int past_file(struct store *store, const struct past_wish *wish, const struct past_reader *reader,
	      struct past_piece *out, struct err *err)
{
	struct piece p = {.store = store, .wish = wish, .reader = reader};
	bool good;
	int fd;

	*out = (struct past_piece){.count = 0};
	good = wish->journal ? add_journal(store, &p, err) : add_jobs(store, &p, out, err);
	fd = good ? memory_file("kahu-past", p.bytes.data, p.bytes.len, err) : -1;
	out->count = p.count;
	out->size = p.bytes.len;
	str_free(&p.bytes);
	return fd;
}

/* --- the client's side --------------------------------------------------------------------------- */

static bool read_entry(struct bytes *bytes, const struct key *key, struct past_wish *wish,
		       struct past_visit *visit, struct codec_scratch *scratch, struct err *err)
{
	struct event ev;

	if (!get_event(bytes, key, &ev, scratch, err))
		return false;
	wish->from = wish->backward ? ev.seq - 1 : ev.seq + 1;
	visit->stopped = !visit->entry(visit->self, &ev);
	return true;
}

static bool read_job(struct bytes *bytes, const struct key *key, struct past_visit *visit,
		     struct codec_scratch *scratch, struct err *err)
{
	struct ended_job ended;

	if (!get_ended(bytes, key, &ended, scratch, err))
		return false;
	visit->stopped = !visit->job(visit->self, &ended);
	return true;
}

bool past_read(const void *data, size_t size, size_t count, struct past_wish *wish, struct past_visit *visit,
	       struct err *err)
{
	struct bytes bytes = {data, size};
	struct codec_scratch scratch = {.bypassed = NULL};
	bool good = true;

	for (size_t i = 0; i < count && good && !visit->stopped; i++) {
		struct key key = key_number(i);

		good = wish->journal ? read_entry(&bytes, &key, wish, visit, &scratch, err)
				     : read_job(&bytes, &key, visit, &scratch, err);
	}
	codec_scratch_free(&scratch);
	return good;
}
