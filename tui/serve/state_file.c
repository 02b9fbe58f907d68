/* SPDX-License-Identifier: MIT */
/*
 * state_file.c - states as the scheduler lends them to clients: a file in memory, packed
 */
#include "state_file.h"

#include <stdint.h>
#include <string.h>

#include "memory_file.h"

#define MAGIC      UINT32_C(0x3150484b)
#define WORD       sizeof(uint64_t)
#define BLOCK      64u /* words */
#define WRITE_SIZE ((size_t)64 << 10)

struct head {
	uint32_t magic, version;
	uint64_t size;
};

/* How many words before it the same word of another item stands; 0: in no table of words. */
static size_t stride_of(int table)
{
	size_t item = snapshot_item_size[table], stride = item;

	while (stride % WORD != 0)
		stride += item;
	return table == TABLE_STRINGS ? 0 : stride / WORD;
}

static uint64_t word_at(const unsigned char *bytes, size_t i)
{
	uint64_t word;

	memcpy(&word, bytes + i * WORD, WORD);
	return word;
}

/* --- writing ----------------------------------------------------------------------------------- */

struct writer {
	int fd;
	struct err *err;
	uint64_t offset;
	size_t used;
	unsigned char bytes[WRITE_SIZE];
};

static bool flush(struct writer *w)
{
	bool good = w->used == 0 || memory_file_put(w->fd, w->offset, w->bytes, w->used, w->err);

	w->offset += w->used;
	w->used = 0;
	return good;
}

static bool write_bytes(struct writer *w, const void *bytes, size_t size)
{
	if (size > sizeof w->bytes - w->used && !flush(w))
		return false;
	if (size > sizeof w->bytes) {
		w->offset += size;
		return memory_file_put(w->fd, w->offset - size, bytes, size, w->err);
	}
	memcpy(w->bytes + w->used, bytes, size);
	w->used += size;
	return true;
}

/* Of the words from i on, at most a block. Without branches: which words differ cannot be foreseen. */
static bool write_block(struct writer *w, const unsigned char *table, size_t i, size_t words, size_t stride)
{
	uint64_t block[1 + BLOCK], bits = 0;
	size_t count = words - i < BLOCK ? words - i : BLOCK, kept = 0;

	for (size_t k = 0; k < count; k++) {
		uint64_t word = word_at(table, i + k);

		word ^= i + k >= stride ? word_at(table, i + k - stride) : 0;
		block[1 + kept] = word;
		bits |= (uint64_t)(word != 0) << k;
		kept += word != 0;
	}
	block[0] = bits;
	return write_bytes(w, block, (1 + kept) * WORD);
}

static bool write_table(struct writer *w, const struct snapshot *s, int table)
{
	const unsigned char *bytes = (const unsigned char *)s + s->table[table].offset;
	size_t size = (size_t)s->table[table].count * snapshot_item_size[table], words = size / WORD;
	size_t stride = stride_of(table);

	if (stride == 0)
		return write_bytes(w, bytes, size);
	for (size_t i = 0; i < words; i += BLOCK)
		if (!write_block(w, bytes, i, words, stride))
			return false;
	return write_bytes(w, bytes + words * WORD, size % WORD);
}

/* The header is that of a copy: without the room that the tables of a state have. */
static bool write_state(struct writer *w, const struct snapshot *s)
{
	struct snapshot header = *s;
	uint32_t count[TABLE_COUNT];
	struct head head = {.magic = MAGIC, .version = SNAPSHOT_VERSION};
	bool good;

	for (int i = 0; i < TABLE_COUNT; i++)
		count[i] = s->table[i].count;
	head.size = header.size = snapshot_layout(header.table, count);
	good = write_bytes(w, &head, sizeof head) && write_bytes(w, &header, sizeof header);
	for (int i = 0; good && i < TABLE_COUNT; i++)
		good = write_table(w, s, i);
	return good && flush(w);
}

int state_file_make(const struct snapshot *s, size_t *size, struct err *err)
{
	struct writer w = {.err = err};

	w.fd = memory_file_begin("kahu-state", 0, err);
	if (w.fd < 0 || !write_state(&w, s))
		return -1;
	*size = (size_t)w.offset;
	return memory_file_seal(w.fd, err);
}

/* --- reading ----------------------------------------------------------------------------------- */

struct reader {
	const unsigned char *at, *end;
};

/* NULL: there is less. */
static const unsigned char *take(struct reader *r, size_t size)
{
	const unsigned char *at = r->at;

	if ((size_t)(r->end - at) < size)
		return NULL;
	r->at += size;
	return at;
}

static bool read_block(struct reader *r, unsigned char *table, size_t i, size_t words, size_t stride)
{
	const unsigned char *bits = take(r, WORD), *word;
	size_t count = words - i < BLOCK ? words - i : BLOCK;
	uint64_t left;

	if (bits == NULL)
		return false;
	memcpy(&left, bits, WORD);
	if (count < BLOCK && left >> count != 0)
		return false;
	for (size_t k = 0; k < count; k++, left >>= 1) {
		uint64_t value = i + k >= stride ? word_at(table, i + k - stride) : 0;

		if ((left & 1) != 0) {
			word = take(r, WORD);
			if (word == NULL)
				return false;
			value ^= word_at(word, 0);
		}
		memcpy(table + (i + k) * WORD, &value, WORD);
	}
	return true;
}

static bool read_bytes(struct reader *r, void *out, size_t size)
{
	const unsigned char *at = take(r, size);

	if (at != NULL && size > 0)
		memcpy(out, at, size);
	return at != NULL;
}

static bool read_table(struct reader *r, struct snapshot *s, int table)
{
	unsigned char *bytes = (unsigned char *)s + s->table[table].offset;
	size_t size = (size_t)s->table[table].count * snapshot_item_size[table], words = size / WORD;
	size_t stride = stride_of(table);

	if (stride == 0)
		return read_bytes(r, bytes, size);
	for (size_t i = 0; i < words; i += BLOCK)
		if (!read_block(r, bytes, i, words, stride))
			return false;
	return read_bytes(r, bytes + words * WORD, size % WORD);
}

/* The tables stand where the numbers of their items say, so all of them are within the size. */
static bool has_its_layout(const struct snapshot *s, uint64_t size)
{
	struct snapshot_table table[TABLE_COUNT];
	uint32_t count[TABLE_COUNT];

	for (int i = 0; i < TABLE_COUNT; i++)
		count[i] = s->table[i].count;
	if (s->magic != SNAPSHOT_MAGIC || s->version != SNAPSHOT_VERSION || s->size != size ||
	    snapshot_layout(table, count) != size)
		return false;
	for (int i = 0; i < TABLE_COUNT; i++)
		if (s->table[i].offset != table[i].offset)
			return false;
	return true;
}

static bool read_state(struct reader *r, struct snapshot *s)
{
	for (int i = 0; i < TABLE_COUNT; i++)
		if (!read_table(r, s, i))
			return false;
	return r->at == r->end;
}

/* Of another version: the sizes of its items are not known here. */
static bool read_head(struct reader *r, struct snapshot *header)
{
	struct head head;

	return read_bytes(r, &head, sizeof head) && head.magic == MAGIC && head.version == SNAPSHOT_VERSION &&
	       read_bytes(r, header, sizeof *header) && has_its_layout(header, head.size);
}

static struct snapshot *unpack(const void *bytes, size_t packed, const void *earlier, size_t earlier_size,
			       size_t *size, struct err *err)
{
	struct reader r = {bytes, (const unsigned char *)bytes + packed};
	struct snapshot header, *s = NULL;

	if (!read_head(&r, &header)) {
		memory_file_free(earlier, earlier_size);
		err_set(err, "the scheduler is another version of kahu; use the program it was started from");
		return NULL;
	}
	*size = (size_t)header.size;
	s = memory_file_room(earlier, earlier_size, *size, err);
	if (s == NULL)
		return NULL;
	*s = header;
	if (read_state(&r, s))
		return s;
	memory_file_free(s, *size);
	err_set(err, "the state that the scheduler sent cannot be read: it is damaged");
	return NULL;
}

const struct snapshot *state_file_read(int fd, const void *earlier, size_t earlier_size, size_t *size,
				       bool *withdrawn, struct err *err)
{
	size_t packed;
	const void *bytes = memory_file_read(fd, &packed, withdrawn, err);
	const struct snapshot *s = NULL;

	if (bytes != NULL && packed > 0) {
		s = unpack(bytes, packed, earlier, earlier_size, size, err);
		memory_file_free(bytes, packed);
		return s;
	}
	memory_file_free(earlier, earlier_size);
	*withdrawn = *withdrawn || bytes != NULL; /* an empty file was withdrawn before its size was read */
	if (*withdrawn)
		err_set(err, "the scheduler withdrew its answer before it was read; try again");
	return NULL;
}
