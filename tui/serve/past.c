/* SPDX-License-Identifier: MIT */
/*
 * past.c - how does a client read what has happened, when only the scheduler can open the store?
 */
#include "past.h"

#include <string.h>

#include "memory_file.h"
#include "sched/base/str.h"
#include "store/codec.h"

/* --- the scheduler's side ----------------------------------------------------------------------- */

struct piece {
	const struct past_wish *wish;
	const struct past_reader *reader;
	struct str bytes;
	size_t count;
};

static bool add_entry(void *self, const struct event *ev)
{
	struct piece *p = self;
	struct key key = key_number(p->count++);

	put_event(&p->bytes, &key, ev);
	return p->count < PAST_PIECE;
}

static bool is_own(const struct past_reader *reader, const struct ended_job *ended)
{
	const char *user = ended->record.cred[CRED_USER];

	return reader->user == NULL || (user != NULL && strcmp(user, reader->user) == 0);
}

static struct ended_job of_another(const struct ended_job *ended, bool names)
{
	static const enum cred_type theirs[] = {CRED_USER, CRED_GROUP, CRED_ACCOUNT};
	struct ended_job out = *ended;

	out.why = out.output = out.errors = out.mail = out.mail_to = NULL;
	if (names)
		return out;
	for (size_t i = 0; i < sizeof theirs / sizeof theirs[0]; i++)
		out.record.cred[theirs[i]] = NULL;
	out.record.name = out.record.hold_reason = out.record.base_reason = NULL;
	return out;
}

static bool add_job(void *self, const struct ended_job *ended)
{
	struct piece *p = self;
	struct key key = key_number(p->count);
	struct ended_job masked;

	if (ended->end_s == p->wish->since_s && ended->record.job.id <= p->wish->from)
		return true;
	masked = is_own(p->reader, ended) ? *ended : of_another(ended, p->reader->names);
	put_ended(&p->bytes, &key, &masked);
	p->count++;
	return p->count < PAST_PIECE;
}

int past_file(struct store *store, const struct past_wish *wish, const struct past_reader *reader,
	      size_t *count, struct err *err)
{
	struct piece p = {.wish = wish, .reader = reader};
	bool good = wish->journal ? store_journal(store, wish->from, wish->backward, add_entry, &p, err)
				  : store_history(store, wish->since_s, add_job, &p, err);
	int fd = good ? memory_file("kahu-past", p.bytes.data, p.bytes.len, err) : -1;

	*count = p.count;
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

static bool read_job(struct bytes *bytes, const struct key *key, struct past_wish *wish,
		     struct past_visit *visit, struct codec_scratch *scratch, struct err *err)
{
	struct ended_job ended;

	if (!get_ended(bytes, key, &ended, scratch, err))
		return false;
	wish->since_s = ended.end_s;
	wish->from = ended.record.job.id;
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
				     : read_job(&bytes, &key, wish, visit, &scratch, err);
	}
	codec_scratch_free(&scratch);
	return good;
}
