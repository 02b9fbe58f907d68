/* SPDX-License-Identifier: MIT */
/*
 * store.c - opening and closing a store
 */
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "inside.h"
#include "sched/base/vec.h"

/* --- temporary directory ------------------------------------------------------------ */

static char *make_temp_dir(struct err *err)
{
	const char *folder = getenv("TMPDIR");
	struct str path = {0};

	str_addf(&path, "%s/kahu-XXXXXX", folder && *folder ? folder : "/tmp");
	if (mkdtemp(path.data))
		return path.data;
	err_set(err, "cannot create the directory %s for a temporary store: %s", path.data, strerror(errno));
	str_free(&path);
	return NULL;
}

static void remove_file(const char *dir, const char *name)
{
	struct str path = {0};

	str_addf(&path, "%s/%s", dir, name);
	unlink(str_text(&path));
	str_free(&path);
}

static void remove_temp_dir(const char *dir)
{
	remove_file(dir, "data.mdb");
	remove_file(dir, "lock.mdb");
	remove_file(dir, STORE_LOCK_NAME);
	rmdir(dir);
}

/* --- the layout ------------------------------------------------------------------------- */

static bool check_schema(const struct store *s, struct bytes value, const struct key *key, struct err *err)
{
	struct schema schema;

	if (!get_schema(&value, key, &schema, err))
		return err_prefix(err, "the store %s", s->dir);
	return schema.version <= STORE_SCHEMA ||
	       err_set(err,
		       "the store %s has layout %u, written by %s; this is kahu %s, which reads layouts up "
		       "to %d: use the newer version",
		       s->dir, schema.version, schema.writer ? schema.writer : "a newer kahu", KAHU_VERSION,
		       STORE_SCHEMA);
}

struct schema store_schema(struct db_txn *txn)
{
	struct schema schema = {.version = 0};
	struct key key = key_word(META_SCHEMA);
	struct bytes value;

	if (db_get(txn, DB_META, key_bytes(&key), &value) && !get_schema(&value, &key, &schema, db_err(txn)))
		db_fail(txn);
	return schema;
}

/* What look_work reads from a store that is being opened. */
struct look {
	const struct store *store;
	uint32_t version; /* version of the layout; 0 = the store has none yet */
	uint64_t last;    /* last journal entry of its state */
};

static void look_work(struct db_txn *txn, void *self)
{
	struct look *look = self;
	struct key key = key_word(META_SCHEMA);
	struct bytes value;

	if (!db_get(txn, DB_META, key_bytes(&key), &value))
		return;
	if (!check_schema(look->store, value, &key, db_err(txn)))
		db_fail(txn);
	else {
		look->version = store_schema(txn).version;
		look->last = store_last_entry(txn);
	}
}

static void found_work(struct db_txn *txn, void *self)
{
	struct key key = key_word(META_SCHEMA);
	struct schema schema = {.version = STORE_SCHEMA, .writer = "kahu " KAHU_VERSION};
	struct str bytes = {0};

	(void)self;
	put_schema(&bytes, &key, &schema);
	db_put(txn, DB_META, key_bytes(&key), (struct bytes){bytes.data, bytes.len});
	str_free(&bytes);
}

/* Does the store contain all entries of its last good copy? If not, the store has lost commits, even if it is
 * otherwise valid; sets the error. */
static bool is_newest(struct store *s, uint64_t copied, uint64_t last, struct err *err)
{
	if (last >= copied)
		return true;
	errno = EUCLEAN;
	return err_set(err,
		       "the store %s ends with entry %llu, but its " STORE_LAST_GOOD
		       " contains entry %llu: the store has lost its last changes; " DB_RECOVERY,
		       s->dir, (unsigned long long)last, (unsigned long long)copied);
}

static bool settle_layout(struct store *s, struct err *err)
{
	struct look look = {.store = s};
	uint64_t copied = s->mode == STORE_TEMP ? 0 : last_good_entry(s->dir);

	if (!db_read(s->db, look_work, &look, err) || !is_newest(s, copied, look.last, err))
		return false;
	s->copy.seq = copied;
	s->copy.last = look.last;
	if (s->mode == STORE_READ)
		return look.version != 0 || err_set(err, "%s/data.mdb is not a kahu store", s->dir);
	if (look.version == 0)
		return db_write(s->db, found_work, NULL, err);
	return look.version == STORE_SCHEMA || migrate_store(s, look.version, err);
}

/* --- open and close ----------------------------------------------------------------------- */

static bool open_dir(struct store *s, struct err *err)
{
	if (s->mode == STORE_CHANGE && !store_make_dir(s->dir, err))
		return false;
	if (!store_check_dir(s->dir, err) || !store_claim(s->dir, &s->claim, err))
		return false;
	s->claimed = true;
	if (s->lock >= 0)
		s->lock = store_lock_adopt(s->dir, s->lock, err);
	else if (s->mode != STORE_READ)
		s->lock = store_lock(s->dir, err);
	return s->mode == STORE_READ || s->lock >= 0;
}

static bool open_tables(struct store *s, size_t map_bytes, struct err *err)
{
	struct db_options options = {
		.tables = store_table_names,
		.table_count = DB_TABLE_COUNT,
		.map_bytes = map_bytes,
		.read_only = s->mode == STORE_READ,
		.in_use = s->mode == STORE_READ && store_holder(s->dir) != 0,
		.for_now = s->mode == STORE_TEMP,
		.may_miss = DB_TABLE_COUNT - DB_FIRST_TABLES,
	};

	s->db = db_open(s->dir, &options, err);
	/* A scheduler that started in the meantime may have changed the file during the check. */
	if (!s->db && errno == EUCLEAN && s->mode == STORE_READ && !options.in_use &&
	    store_holder(s->dir) != 0) {
		options.in_use = true;
		s->db = db_open(s->dir, &options, err);
	}
	if (!s->db)
		return false;
	return settle_layout(s, err);
}

static struct store *open_with(const char *dir, enum store_mode mode, int lock, size_t map_bytes,
			       struct err *err)
{
	struct store *s = mem_zero(1, sizeof *s);
	int cause;

	errno = 0;
	s->mode = mode;
	s->lock = lock;
	s->dir = mode == STORE_TEMP ? make_temp_dir(err) : mem_string(dir);
	if (s->dir && open_dir(s, err) && open_tables(s, map_bytes, err))
		return s;
	cause = errno;
	store_close(s);
	errno = cause;
	return NULL;
}

struct store *store_open_sized(const char *dir, enum store_mode mode, size_t map_bytes, struct err *err)
{
	return open_with(dir, mode, -1, map_bytes, err);
}

struct store *store_adopt(const char *dir, int lock, struct err *err)
{
	return open_with(dir, STORE_CHANGE, lock, STORE_MAP_BYTES, err);
}

int store_lock_of(const struct store *s)
{
	return s->lock;
}

int store_hand_over(const struct store *s)
{
	return fcntl(s->lock, F_DUPFD, 0);
}

void store_prune(struct store *s, bool on)
{
	s->prunes = on;
}

void store_ask_to_wait(const struct store *s, bool wait)
{
	(void)store_lock_say(s->lock, wait); /* on failure, other processes still wait, but not as long */
}

struct store *store_open(const char *dir, enum store_mode mode, struct err *err)
{
	return store_open_sized(dir, mode, STORE_MAP_BYTES, err);
}

/* The lock is released last, so that its next holder finds the file closed. */
void store_close(struct store *s)
{
	if (!s)
		return;
	last_good_close(s);
	db_close(s->db);
	if (s->mode == STORE_TEMP && s->dir)
		remove_temp_dir(s->dir);
	if (s->claimed)
		store_unclaim(&s->claim);
	store_unlock(s->lock);
	free(s->dir);
	free(s);
}

const char *store_dir(const struct store *s)
{
	return s->dir;
}

#define PAGE_BYTES 4096

uint64_t store_record_bytes(uint64_t size)
{
	return size <= PAGE_BYTES / 2 ? size : (size / PAGE_BYTES + 1) * PAGE_BYTES;
}

bool store_has_room(const struct store *s, int64_t reserve_mb)
{
	struct statvfs fs;
	uint64_t reserve = (uint64_t)reserve_mb << 20, all;

	if (reserve_mb <= 0 || statvfs(s->dir, &fs) < 0)
		return true;
	all = (uint64_t)fs.f_blocks * fs.f_frsize;
	if (reserve > all / 20)
		reserve = all / 20;
	return (uint64_t)fs.f_bavail * fs.f_frsize >= reserve;
}
