/* SPDX-License-Identifier: MIT */
/*
 * cookies.c - answers to recent requests, for clients that lost the connection and ask again
 *
 * Answers are stored by the cookie of their request. A second table contains the cookies by age, so that the
 * oldest can be removed. Each commit removes up to twice as many answers as it adds, so the number of answers
 * exceeds neither COOKIES_MAX nor the number added within COOKIE_KEPT_S by much.
 */
#include <stdlib.h>

#include "inside.h"
#include "sched/base/vec.h"

#define COOKIES_MAX 200000 /* answers, which take about 40 MB in the file */

/* --- storing --------------------------------------------------------------------------------- */

static void put_one(struct db_txn *txn, const struct answered *answered, int64_t at_s, struct str *bytes)
{
	struct key key = key_cookie(&answered->cookie), age = key_cookie_age(at_s, &answered->cookie);
	const struct kept_answer kept = {at_s, {answered->answer, answered->size}};

	str_clear(bytes);
	put_answer(bytes, &key, &kept);
	db_put(txn, DB_COOKIE, key_bytes(&key), (struct bytes){bytes->data, bytes->len});
	db_put(txn, DB_COOKIE_AGE, key_bytes(&age), (struct bytes){"", 0});
}

/*
 * Lists the keys of the answers to remove, oldest first: those that have expired or exceed COOKIES_MAX, but
 * at most twice as many as the step adds, so that a backlog shrinks.
 */
static size_t list_old(struct db_txn *txn, const struct ledger_step *step, struct key *old)
{
	int64_t now_s = step->after->now_s; /* TIME_NONE before the first event with a time */
	struct key bound = key_moment(now_s == TIME_NONE ? TIME_NONE : now_s - COOKIE_KEPT_S);
	struct db_cursor c = db_walk(txn, DB_COOKIE_AGE, NULL, DB_UP);
	uint64_t kept = db_count(txn, DB_COOKIE_AGE);
	size_t count = 0;

	while (count < 2 * step->answered_count && db_next(&c) &&
	       (kept - count > COOKIES_MAX || key_first(c.key) < key_first(key_bytes(&bound))))
		old[count++] = key_copy(c.key);
	db_stop(&c);
	return count;
}

void cookies_put(struct db_txn *txn, const struct ledger_step *step)
{
	struct key *old = mem_zero(2 * step->answered_count + 1, sizeof *old);
	struct str bytes = {0};
	size_t count;

	for (size_t i = 0; i < step->answered_count; i++)
		put_one(txn, &step->answered[i], step->after->now_s, &bytes);
	count = list_old(txn, step, old);
	for (size_t i = 0; i < count; i++) {
		struct key cookie = key_of_age(key_bytes(&old[i]));

		db_delete(txn, DB_COOKIE, key_bytes(&cookie));
		db_delete(txn, DB_COOKIE_AGE, key_bytes(&old[i]));
	}
	str_free(&bytes);
	free(old);
}

/* --- repeated requests --------------------------------------------------------------------------------- */

struct recalled {
	struct key key;
	bool known;
	struct str *out;
};

static void recall_work(struct db_txn *txn, void *self)
{
	struct recalled *recalled = self;
	struct kept_answer kept;
	struct bytes value;

	if (!db_get(txn, DB_COOKIE, key_bytes(&recalled->key), &value))
		return;
	if (!get_answer(&value, &recalled->key, &kept, db_err(txn))) {
		db_fail(txn);
		return;
	}
	recalled->known = true;
	str_add_bytes(recalled->out, kept.bytes.data, kept.bytes.size);
}

bool cookies_recall(struct store *s, const struct cookie *cookie, bool *known, struct str *out,
		    struct err *err)
{
	struct recalled recalled = {.key = key_cookie(cookie), .out = out};
	bool good = db_read(s->db, recall_work, &recalled, err);

	*known = recalled.known;
	return good || err_prefix(err, "the answer to an earlier request cannot be read");
}

/* --- verify -------------------------------------------------------------------------------------- */

static bool is_kept(struct db_txn *txn, const struct key *age)
{
	struct key key = key_of_age(key_bytes(age)), again;
	struct kept_answer kept;
	struct bytes value;

	if (!db_get(txn, DB_COOKIE, key_bytes(&key), &value))
		return false;
	if (!get_answer(&value, &key, &kept, db_err(txn))) {
		db_fail(txn);
		return false;
	}
	again = key_moment(kept.at_s);
	return key_first(key_bytes(&again)) == key_first(key_bytes(age));
}

void cookies_check(struct db_txn *txn)
{
	struct db_cursor c = db_walk(txn, DB_COOKIE_AGE, NULL, DB_UP);
	uint64_t seen = 0;
	bool good = true;

	for (; good && db_next(&c); seen++) {
		struct key age = key_copy(c.key);

		good = is_kept(txn, &age);
	}
	db_stop(&c);
	if (!db_good(txn) || (good && db_count(txn, DB_COOKIE) == seen))
		return;
	err_set(db_err(txn), "table cookie: the stored answers and their ages do not match");
	db_fail(txn);
}
