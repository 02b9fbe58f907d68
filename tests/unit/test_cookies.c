/* SPDX-License-Identifier: MIT */
/*
 * test_cookies.c - answers to repeated requests
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "store/inside.h"
#include "tests/history.h"
#include "tests/seed.h"
#include "tests/store_dir.h"

struct scene {
	struct store_dir dir;
	struct store *store;
	struct history h;
};

static void reopen(struct scene *s)
{
	struct err err;

	store_close(s->store);
	s->store = store_open(s->dir.path, STORE_CHANGE, &err);
	if (s->store == NULL)
		fail_msg("%s", err.text);
}

static void begin(struct scene *s)
{
	struct rng rng = seeded("cookies");

	make_store_dir(&s->dir);
	s->store = NULL;
	reopen(s);
	history_begin(&s->h, rng_u64(&rng));
}

static void end(struct scene *s)
{
	struct err err;

	if (!store_verify(s->store, &err))
		fail_msg("%s", err.text);
	history_end(&s->h);
	store_close(s->store);
	remove_store_dir(&s->dir);
}

static struct cookie cookie_of(uint32_t uid, uint32_t number)
{
	struct cookie cookie = {.uid = uid};

	memcpy(cookie.bytes + 5, &number, sizeof number);
	return cookie;
}

/* Commits answers "answer N" for `count` cookies, starting with number `first`. */
static void commit_answers(struct scene *s, uint32_t uid, uint32_t first, uint32_t count)
{
	struct ledger ledger = store_ledger(s->store);
	struct ledger_step step = history_step(&s->h, 5);
	struct answered *answered = mem_zero(count, sizeof *answered);
	char(*text)[32] = mem_zero(count, sizeof *text);
	struct err err;

	for (uint32_t i = 0; i < count; i++) {
		snprintf(text[i], sizeof text[i], "answer %u", first + i);
		answered[i] = (struct answered){cookie_of(uid, first + i), text[i], strlen(text[i])};
	}
	step.answered = answered;
	step.answered_count = count;
	if (!ledger.ops->commit(ledger.self, &step, &err))
		fail_msg("%s", err.text);
	free(answered);
	free(text);
}

static bool is_known(struct scene *s, uint32_t uid, uint32_t number, struct str *out)
{
	struct ledger ledger = store_ledger(s->store);
	struct cookie cookie = cookie_of(uid, number);
	struct err err;
	bool known;

	str_clear(out);
	if (!ledger.ops->recall(ledger.self, &cookie, &known, out, &err))
		fail_msg("%s", err.text);
	return known;
}

static void answers_survive_a_crash(void **state)
{
	struct str out = {0};
	struct scene s;

	(void)state;
	begin(&s);
	assert_false(is_known(&s, 7, 1, &out));
	commit_answers(&s, 7, 1, 2);
	reopen(&s);
	assert_true(is_known(&s, 7, 2, &out));
	assert_string_equal(str_text(&out), "answer 2");
	assert_true(is_known(&s, 7, 1, &out));
	assert_false(is_known(&s, 7, 3, &out));
	str_free(&out);
	end(&s);
}

struct removal {
	enum db_table table;
	struct key key;
};

static void find_first(struct db_txn *txn, void *self)
{
	struct removal *removal = self;
	struct db_cursor c = db_walk(txn, removal->table, NULL, DB_UP);

	if (db_next(&c))
		removal->key = key_copy(c.key);
	db_stop(&c);
}

static void remove_found(struct db_txn *txn, void *self)
{
	const struct removal *removal = self;

	db_delete(txn, removal->table, key_bytes(&removal->key));
}

/* Without the first record of the table, verification fails. */
static void expect_damage_without_first_record(enum db_table table)
{
	struct removal removal = {.table = table};
	struct scene s;
	struct err err;

	begin(&s);
	commit_answers(&s, 7, 1, 2);
	assert_true(db_read(s.store->db, find_first, &removal, &err));
	assert_true(db_write(s.store->db, remove_found, &removal, &err));
	assert_false(store_verify(s.store, &err));
	assert_non_null(strstr(err.text, "the stored answers and their ages do not match"));
	history_end(&s.h);
	store_close(s.store);
	remove_store_dir(&s.dir);
}

static void an_answer_without_an_age_or_an_age_without_an_answer_is_damage(void **state)
{
	(void)state;
	expect_damage_without_first_record(DB_COOKIE);
	expect_damage_without_first_record(DB_COOKIE_AGE);
}

static void cookie_of_another_user_is_not_found(void **state)
{
	struct str out = {0};
	struct scene s;

	(void)state;
	begin(&s);
	commit_answers(&s, 7, 1, 1);
	assert_false(is_known(&s, 8, 1, &out));
	commit_answers(&s, 8, 1, 1);
	assert_true(is_known(&s, 7, 1, &out));
	assert_true(is_known(&s, 8, 1, &out));
	str_free(&out);
	end(&s);
}

static void failed_step_stores_no_answer(void **state)
{
	const struct cookie cookie = cookie_of(7, 1);
	const struct answered answered = {cookie, "x", 1};
	struct str out = {0};
	struct scene s;
	struct err err;

	(void)state;
	begin(&s);
	commit_answers(&s, 7, 9, 1);
	struct ledger ledger = store_ledger(s.store);
	struct ledger_step step = history_step(&s.h, 5), gap = step;

	gap.event_count = step.event_count + 1;
	gap.answered = &answered;
	gap.answered_count = 1;
	gap.event = mem_zero(gap.event_count, sizeof *gap.event);
	assert_false(ledger.ops->commit(ledger.self, &gap, &err));
	assert_false(is_known(&s, 7, 1, &out));
	free((void *)(uintptr_t)gap.event);
	str_free(&out);
	end(&s);
}

static uint64_t count_known(struct scene *s, uint32_t uid, uint32_t most)
{
	struct str out = {0};
	uint64_t count = 0;

	for (uint32_t i = 0; i < most; i++)
		count += is_known(s, uid, i, &out);
	str_free(&out);
	return count;
}

static void expired_answers_are_removed_by_new_ones(void **state)
{
	struct scene s;
	struct str out = {0};
	const uint32_t many = 300;

	(void)state;
	begin(&s);
	commit_answers(&s, 7, 0, many);
	s.h.now_s += COOKIE_KEPT_S - 3600;
	commit_answers(&s, 7, many, 40);
	assert_int_equal(count_known(&s, 7, many), many);
	s.h.now_s += 7200;
	for (uint32_t i = 0; i < 10; i++)
		commit_answers(&s, 8, 1000 * (i + 1), 20);
	assert_int_equal(count_known(&s, 7, many), 0);
	assert_true(is_known(&s, 7, many + 39, &out));
	assert_true(is_known(&s, 8, 1000, &out));
	str_free(&out);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_survive_a_crash),
		cmocka_unit_test(an_answer_without_an_age_or_an_age_without_an_answer_is_damage),
		cmocka_unit_test(cookie_of_another_user_is_not_found),
		cmocka_unit_test(failed_step_stores_no_answer),
		cmocka_unit_test(expired_answers_are_removed_by_new_ones),
	};

	return cmocka_run_group_tests_name("cookies", tests, NULL, NULL);
}
