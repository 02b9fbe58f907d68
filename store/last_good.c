/* SPDX-License-Identifier: MIT */
/*
 * last_good.c - checksummed copy of the queue beside the store
 *
 * The copy is a flat file with the records of the state, the launch data of its jobs, and the answers to
 * recent requests; a CRC-32C covers the whole file. The copy is written under another name, synced and
 * renamed, so there is always a complete one. A running scheduler writes a new copy after at least
 * STORE_CHECKPOINT_EVENTS entries that together have at least as many bytes as the last copy, and when it
 * stops. A thread writes the copy in a read transaction, so commits are not delayed.
 *
 *     "KAHULG01"                                              the format
 *     u8 table  u16 size of key  u32 size of value  key  value    for each record
 *     u8 255    u64 entry        i64 its time        u32 CRC-32C   of everything before it
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inside.h"
#include "sched/base/crc32c.h"
#include "sched/base/vec.h"

#define MAGIC     "KAHULG01"
#define MAGIC_LEN 8
#define END_MARK  255
#define END_BYTES 21 /* size of the last line of the format above, in bytes */
#define NEW_COPY  "last-good.new"
#define FLUSH     ((size_t)1 << 18)

/* A command that changes a store without a scheduler writes a new copy after this number of entries. */
#define VERB_ENTRIES 100

/* --- writing ---------------------------------------------------------------------------------- */

struct copy {
	int fd;
	uint32_t crc;
	uint64_t seq, size;
	struct str bytes;
	int error; /* errno of the first failure; 0 = none */
};

static void flush(struct copy *c)
{
	const char *at = c->bytes.data;
	size_t left = c->bytes.len;

	while (left > 0 && c->error == 0) {
		ssize_t done = write(c->fd, at, left);

		if (done < 0 && errno != EINTR)
			c->error = errno;
		else if (done > 0) {
			at += done;
			left -= (size_t)done;
			c->size += (size_t)done;
		}
	}
	str_clear(&c->bytes);
}

static void add_number(struct copy *c, uint64_t number, size_t size)
{
	unsigned char bytes[8];

	for (size_t i = 0; i < size; i++)
		bytes[i] = (unsigned char)(number >> 8 * i);
	c->crc = crc32c(c->crc, bytes, size);
	str_add_bytes(&c->bytes, bytes, size);
}

static void add_bytes(struct copy *c, struct bytes bytes)
{
	c->crc = crc32c(c->crc, bytes.data, bytes.size);
	str_add_bytes(&c->bytes, bytes.data, bytes.size);
}

static void add_table(struct db_txn *txn, struct copy *c, enum db_table table)
{
	struct db_cursor cursor = db_walk(txn, table, NULL, DB_UP);

	while (db_next(&cursor) && c->error == 0) {
		add_number(c, table, 1);
		add_number(c, cursor.key.size, 2);
		add_number(c, cursor.value.size, 4);
		add_bytes(c, cursor.key);
		add_bytes(c, cursor.value);
		if (c->bytes.len >= FLUSH)
			flush(c);
	}
	db_stop(&cursor);
}

static void copy_tables(struct db_txn *txn, void *self)
{
	static const enum db_table table[] = {DB_META,   DB_NODE,   DB_JOB,    DB_USAGE,
					      DB_CHANGE, DB_LAUNCH, DB_COOKIE, DB_COOKIE_AGE};
	struct copy *c = self;
	struct key key = key_word(META_COUNTERS);
	struct tally tally = {.nodes = 0};
	struct bytes value;

	if (!db_get(txn, DB_META, key_bytes(&key), &value))
		return;
	if (!get_tally(&value, &key, &tally, db_err(txn))) {
		db_fail(txn);
		return;
	}
	add_bytes(c, (struct bytes){MAGIC, MAGIC_LEN});
	for (size_t i = 0; i < sizeof table / sizeof table[0] && db_good(txn); i++)
		add_table(txn, c, table[i]);
	c->seq = tally.counters.seq;
	add_number(c, END_MARK, 1);
	add_number(c, c->seq, 8);
	add_number(c, (uint64_t)tally.counters.now_s, 8);
	add_number(c, c->crc, 4);
	flush(c);
}

static bool put_in_place(const char *dir, struct err *err)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool good = fd >= 0 && renameat(fd, NEW_COPY, fd, STORE_LAST_GOOD) == 0 && fsync(fd) == 0;

	if (!good)
		err_set(err, "%s/" STORE_LAST_GOOD " cannot be replaced: %s", dir, strerror(errno));
	if (fd >= 0)
		close(fd);
	return good;
}

bool last_good_write(struct store *s, struct err *err)
{
	struct str path = {0};
	struct copy c = {.fd = -1};
	bool good;

	str_addf(&path, "%s/" NEW_COPY, s->dir);
	c.fd = open(str_text(&path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (c.fd < 0)
		c.error = errno;
	good = c.error == 0 && db_read(s->db, copy_tables, &c, err);
	if (c.error == 0 && fsync(c.fd) < 0)
		c.error = errno;
	if (c.fd >= 0)
		close(c.fd);
	if (c.error != 0)
		good = err_set(err, "%s cannot be written: %s", str_text(&path), strerror(c.error));
	if (good && c.seq == 0)
		good = err_set(err, "the store %s contains no state to copy", s->dir);
	good = good && put_in_place(s->dir, err);
	if (good) {
		s->copy.size = c.size;
		s->copy.seq = c.seq;
	} else {
		unlink(str_text(&path));
	}
	str_free(&path);
	str_free(&c.bytes);
	return good;
}

/* --- when ---------------------------------------------------------------------------------------- */

static void *write_beside(void *self)
{
	struct store *s = self;

	(void)last_good_write(s,
			      NULL); /* on failure the previous copy is kept, and later commits try again */
	atomic_store(&s->copy.busy, false);
	return NULL;
}

static void join(struct store *s)
{
	if (s->copy.started)
		pthread_join(s->copy.thread, NULL);
	s->copy.started = false;
}

/* Starts a copy only when at least as many bytes have been added as the last copy has, so that writing copies
 * costs no more than adding records. */
void last_good_after(struct store *s, uint64_t seq, uint64_t added)
{
	const uint64_t interval = STORE_CHECKPOINT_EVENTS;
	sigset_t all, before;

	s->copy.last = seq;
	s->copy.added += added;
	if (s->mode != STORE_CHANGE || atomic_load(&s->copy.busy) || seq < s->copy.tried + interval ||
	    seq < s->copy.seq + interval || s->copy.added < s->copy.size)
		return;
	join(s);
	s->copy.tried = seq;
	s->copy.added = 0;
	atomic_store(&s->copy.busy, true);
	sigfillset(&all); /* signals are handled by the scheduler's thread */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	s->copy.started = pthread_create(&s->copy.thread, NULL, write_beside, s) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!s->copy.started)
		atomic_store(&s->copy.busy, false);
}

void last_good_close(struct store *s)
{
	join(s);
	if (s->mode == STORE_CHANGE && s->db != NULL && s->copy.last > s->copy.seq &&
	    (s->prunes || s->copy.seq == 0 || s->copy.last - s->copy.seq >= VERB_ENTRIES))
		(void)last_good_write(s, NULL);
}

/* --- reading -------------------------------------------------------------------------------------- */

static uint64_t number_at(const unsigned char *at, size_t size)
{
	uint64_t number = 0;

	for (size_t i = 0; i < size; i++)
		number |= (uint64_t)at[i] << 8 * i;
	return number;
}

/* Returns false with errno set if the file cannot be read; errno is 0 if the file is too short. */
static bool read_all(int fd, unsigned char *data, size_t size)
{
	size_t got = 0;

	while (got < size) {
		ssize_t some = pread(fd, data + got, size - got, (off_t)got);

		if (some < 0 && errno == EINTR)
			continue;
		if (some <= 0) {
			errno = some < 0 ? errno : 0;
			return false;
		}
		got += (size_t)some;
	}
	return true;
}

/* Checks a copy and sets its entry and time. Returns false if the file is not a complete, undamaged copy. */
static bool check_copy(const unsigned char *data, size_t size, struct last_good *out)
{
	const unsigned char *end;

	if (size < MAGIC_LEN + END_BYTES || memcmp(data, MAGIC, MAGIC_LEN) != 0)
		return false;
	end = data + size - END_BYTES;
	out->seq = number_at(end + 1, 8);
	out->time_s = (int64_t)number_at(end + 9, 8);
	return end[0] == END_MARK && number_at(end + 17, 4) == crc32c(0, data, size - 4);
}

static void visit_records(const unsigned char *at, const unsigned char *end, last_good_visit *visit,
			  void *self)
{
	while (end - at >= 7) {
		unsigned table = at[0];
		size_t key_size = number_at(at + 1, 2), size = number_at(at + 3, 4);

		at += 7;
		if (table >= DB_TABLE_COUNT || (size_t)(end - at) < key_size + size)
			return;
		visit(self, table, (struct bytes){at, key_size}, (struct bytes){at + key_size, size});
		at += key_size + size;
	}
}

bool last_good_read(const char *dir, struct last_good *out, last_good_visit *visit, void *self)
{
	struct str path = {0};
	unsigned char *data = NULL;
	struct stat st;
	bool good = false;

	*out = (struct last_good){.seq = 0};
	str_addf(&path, "%s/" STORE_LAST_GOOD, dir);
	int fd = open(str_text(&path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0 || fstat(fd, &st) != 0) {
		out->error = errno == ENOENT ? 0 : errno;
	} else if (S_ISREG(st.st_mode) && st.st_size > 0) {
		data = mem_zero(1, (size_t)st.st_size);
		if (read_all(fd, data, (size_t)st.st_size))
			good = check_copy(data, (size_t)st.st_size, out);
		else
			out->error = errno;
		if (good && visit)
			visit_records(data + MAGIC_LEN, data + st.st_size - END_BYTES, visit, self);
	}
	if (fd >= 0)
		close(fd);
	if (!good)
		out->seq = 0;
	free(data);
	str_free(&path);
	return good;
}

bool store_last_good(const char *dir, uint64_t *entry, int64_t *at_s)
{
	struct str path = {0};
	struct last_good copy;
	struct stat st;
	bool good = last_good_read(dir, &copy, NULL, NULL);

	str_addf(&path, "%s/" STORE_LAST_GOOD, dir);
	good = good && stat(str_text(&path), &st) == 0;
	str_free(&path);
	if (good) {
		*entry = copy.seq;
		*at_s = (int64_t)st.st_mtime;
	}
	return good;
}

uint64_t last_good_entry(const char *dir)
{
	unsigned char end[END_BYTES] = {0};
	struct str path = {0};
	struct stat st;
	uint64_t seq = 0;

	str_addf(&path, "%s/" STORE_LAST_GOOD, dir);
	int fd = open(str_text(&path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size >= MAGIC_LEN + END_BYTES &&
	    pread(fd, end, sizeof end, st.st_size - END_BYTES) == END_BYTES && end[0] == END_MARK)
		seq = number_at(end + 1, 8);
	if (fd >= 0)
		close(fd);
	str_free(&path);
	return seq;
}
