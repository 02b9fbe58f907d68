/* SPDX-License-Identifier: MIT */
/*
 * state_file.c - packed states, and memory files that the scheduler can withdraw
 */
#include "state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- memory files (memfd) that the scheduler lends to clients and can withdraw -------------------------- */

/*
 * The file is sealed against writing and growing but not against truncation, and its mode prevents others
 * from opening it for writing through /proc.
 */

#define SEALS (F_SEAL_WRITE | F_SEAL_GROW)

static const char nothing[1];

static int give_up(int fd, struct err *err)
{
	err_set(err, "the answer cannot be sent: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

/*
 * The three functions memory_file_begin, memory_file_put and memory_file_seal make a file piece by piece. The
 * file begins with `size` zero bytes. On failure, each function closes the file and returns -1 or false with
 * an error.
 */
static int memory_file_begin(const char *name, size_t size, struct err *err)
{
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0 || fchmod(fd, 0400) != 0 || ftruncate(fd, (off_t)size) != 0)
		return give_up(fd, err);
	return fd;
}

/* Uses pwrite() instead of mmap(), so that the kernel neither clears the pages first nor maps and unmaps each
 * one. */
static bool memory_file_put(int fd, uint64_t offset, const void *bytes, size_t size, struct err *err)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = pwrite(fd, (const char *)bytes + done, size - done, (off_t)(offset + done));

		if (n < 0 && errno != EINTR) {
			give_up(fd, err);
			return false;
		}
		done += n > 0 ? (size_t)n : 0;
	}
	return true;
}

static int memory_file_seal(int fd, struct err *err)
{
	return fcntl(fd, F_ADD_SEALS, SEALS | F_SEAL_SEAL) == 0 ? fd : give_up(fd, err);
}

int memory_file(const char *name, const void *bytes, size_t size, struct err *err)
{
	int fd = memory_file_begin(name, size, err);

	return fd >= 0 && memory_file_put(fd, 0, bytes, size, err) ? memory_file_seal(fd, err) : -1;
}

int memory_file_lend(int fd, struct err *err)
{
	char path[40];
	int lent;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	lent = open(path, O_RDONLY | O_CLOEXEC);
	if (lent < 0)
		err_set(err, "the answer cannot be sent: %s", strerror(errno));
	return lent;
}

void memory_file_withdraw(int fd)
{
	if (ftruncate(fd, 0) != 0) {
		/* truncating cannot fail without F_SEAL_SHRINK; if it failed, the file would keep its memory
		 * until all its descriptors are closed */
	}
	close(fd);
}

/* Reads size bytes at an offset. Returns false if the file was truncated. */
static bool read_all(int fd, unsigned char *at, size_t size, uint64_t offset)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = pread(fd, at + done, size - done, (off_t)(offset + done));

		if (n <= 0 && (n == 0 || errno != EINTR))
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return true;
}

/*
 * Size of the memory for a state: one of a few sizes, so that memory can be reused. Larger memory uses huge
 * pages: on a virtual machine with emulated page tables, writing 10 MB for the first time takes 40 ms in new
 * small pages, 5 ms in small pages that mremap() has moved, and 1 ms in huge pages. Memory that is not
 * written takes no physical memory.
 */
#define SMALL_PAGES ((size_t)1 << 20)

static size_t capacity_of(size_t size)
{
	size_t capacity = SMALL_PAGES;

	while (capacity < size)
		capacity *= 4;
	return capacity;
}

/* Returns memory for size bytes; MAP_FAILED on failure. Reuses earlier memory where possible, because the
 * kernel need not clear existing pages again. */
static void *take_memory(const void *earlier, size_t earlier_size, size_t size)
{
	size_t before = capacity_of(earlier_size), capacity = capacity_of(size);
	void *at;

	if (earlier_size > 0 && before == capacity)
		return (void *)(uintptr_t)earlier;
	if (earlier_size > 0)
		at = mremap((void *)(uintptr_t)earlier, before, capacity, MREMAP_MAYMOVE);
	else
		at = mmap(NULL, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at != MAP_FAILED && capacity > SMALL_PAGES)
		madvise(at, capacity, MADV_HUGEPAGE); /* failure is ignored: small pages also work */
	return at;
}

/*
 * Returns memory that memory_file_free frees; NULL with err set on failure. earlier, if not NULL, is such
 * memory that is no longer needed: it is reused or freed.
 */
static void *memory_file_room(const void *earlier, size_t earlier_size, size_t size, struct err *err)
{
	void *at = take_memory(earlier, earlier_size, size);

	if (at != MAP_FAILED)
		return at;
	memory_file_free(earlier, earlier_size);
	err_set(err, "out of memory for the scheduler's answer: %s", strerror(errno));
	return NULL;
}

/* Sets *size to the size of a received file. Returns false with err set if the file is not sealed. */
static bool find_size(int fd, size_t *size, struct err *err)
{
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0 || (fcntl(fd, F_GET_SEALS) & SEALS) != SEALS)
		return err_set(err, "the scheduler's answer is not sealed and cannot be trusted");
	*size = (size_t)st.st_size;
	return true;
}

static void *say_withdrawn(bool *withdrawn, struct err *err)
{
	*withdrawn = true;
	err_set(err, "the scheduler withdrew its answer before it was read; try again");
	return NULL;
}

const void *memory_file_read(int fd, size_t *size, bool *withdrawn, struct err *err)
{
	void *at;

	*withdrawn = false;
	if (!find_size(fd, size, err))
		return NULL;
	if (*size == 0)
		return nothing;
	at = memory_file_room(NULL, 0, *size, err);
	if (at == NULL)
		return NULL;
	if (read_all(fd, at, *size, 0))
		return at;
	memory_file_free(at, *size);
	return say_withdrawn(withdrawn, err);
}

void memory_file_free(const void *at, size_t size)
{
	if (size > 0)
		munmap((void *)(uintptr_t)at, capacity_of(size));
}

/* --- packed states ------------------------------------------------------------------------------------ */

#define MAGIC UINT32_C(0x3150484b)

#define WORD sizeof(uint64_t)

#define BLOCK 64u /* words in a block */

#define WRITE_SIZE ((size_t)64 << 10)

struct head {
	uint32_t magic, version;
	uint64_t size;
};

/*
 * Returns the distance in words between a word and the same word of the previous item; 0: the table is not
 * packed.
 */
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

/* Writes a block of up to BLOCK words, beginning with word i. Branch-free, because it is unpredictable which
 * words differ. */
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

/* Writes a state. Its header is written as for a compact copy, without the spare capacity of the tables. */
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

/*
 * The file is read in pieces that fit into the processor's cache: writing the whole file to memory first
 * would take the client more time than reading it.
 */
#define READ_SIZE ((size_t)64 << 10)

struct reader {
	int fd;
	bool withdrawn; /* the file was truncated while it was being read */
	uint64_t offset, left;
	unsigned char *at, *end;
	unsigned char bytes[READ_SIZE];
};

/*
 * Moves the unread bytes to the front and fills the rest of the buffer. Returns false if the file was
 * truncated.
 */
static bool fill(struct reader *r)
{
	size_t kept = (size_t)(r->end - r->at), room = sizeof r->bytes - kept;

	memmove(r->bytes, r->at, kept);
	r->at = r->bytes;
	r->end = r->bytes + kept;
	room = r->left < room ? (size_t)r->left : room;
	r->withdrawn = !read_all(r->fd, r->end, room, r->offset);
	r->offset += room;
	r->left -= room;
	r->end += room;
	return !r->withdrawn;
}

/* Returns the next size bytes, at most READ_SIZE; NULL if fewer bytes are left. */
static const unsigned char *take(struct reader *r, size_t size)
{
	const unsigned char *at;

	if ((size_t)(r->end - r->at) < size && (!fill(r) || (size_t)(r->end - r->at) < size))
		return NULL;
	at = r->at;
	r->at += size;
	return at;
}

static bool read_bytes(struct reader *r, void *out, size_t size)
{
	for (size_t done = 0, part; done < size; done += part) {
		const unsigned char *at;

		part = size - done < READ_SIZE ? size - done : READ_SIZE;
		at = take(r, part);
		if (at == NULL)
			return false;
		memcpy((unsigned char *)out + done, at, part);
	}
	return true;
}

/* Sets count words, from word i on, to those of the previous item, or to zero in the first item. */
static void copy_words(unsigned char *table, size_t i, size_t count, size_t stride)
{
	unsigned char *at = table + i * WORD;

	if (i < stride)
		memset(at, 0, count * WORD);
	else
		memcpy(at, at - stride * WORD, count * WORD);
}

static bool change_words(struct reader *r, unsigned char *at, uint64_t bits)
{
	for (; bits != 0; bits &= bits - 1) {
		unsigned char *word = at + (size_t)__builtin_ctzll(bits) * WORD;
		const unsigned char *difference = take(r, WORD);
		uint64_t value;

		if (difference == NULL)
			return false;
		value = word_at(word, 0) ^ word_at(difference, 0);
		memcpy(word, &value, WORD);
	}
	return true;
}

/* Reads a block in parts that do not extend beyond one item, so that the words of the previous item are
 * complete when they are copied. */
static bool read_block(struct reader *r, unsigned char *table, size_t i, size_t words, size_t stride)
{
	size_t count = words - i < BLOCK ? words - i : BLOCK;
	const unsigned char *head = take(r, WORD);
	uint64_t bits = head != NULL ? word_at(head, 0) : 0;

	if (head == NULL || (count < BLOCK && bits >> count != 0))
		return false;
	for (size_t k = 0, part; k < count; k += part) {
		uint64_t own;

		part = stride - (i + k) % stride;
		part = count - k < part ? count - k : part;
		own = bits >> k & (UINT64_MAX >> (BLOCK - part));
		copy_words(table, i + k, part, stride);
		if (!change_words(r, table + (i + k) * WORD, own))
			return false;
	}
	return true;
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

/* Is each table where the numbers of items place it, so that all tables lie within the size? */
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
	return r->at == r->end && r->left == 0;
}

/* Reads the header. States of another version are rejected, because their item sizes are unknown. */
static bool read_head(struct reader *r, struct snapshot *header)
{
	struct head head;

	return read_bytes(r, &head, sizeof head) && head.magic == MAGIC && head.version == SNAPSHOT_VERSION &&
	       read_bytes(r, header, sizeof *header) && has_its_layout(header, head.size);
}

static struct snapshot *unpack(struct reader *r, const void *earlier, size_t earlier_size, size_t *size,
			       struct err *err)
{
	struct snapshot header, *s = NULL;

	if (!read_head(r, &header)) {
		memory_file_free(earlier, earlier_size);
		err_set(err, "the scheduler is another version of kahu; use the program it was started from");
		return NULL;
	}
	*size = (size_t)header.size;
	s = memory_file_room(earlier, earlier_size, *size, err);
	if (s == NULL)
		return NULL;
	*s = header;
	if (read_state(r, s))
		return s;
	memory_file_free(s, *size);
	err_set(err, "the state that the scheduler sent cannot be read: it is damaged");
	return NULL;
}

const struct snapshot *state_file_read(int fd, const void *earlier, size_t earlier_size, size_t *size,
				       bool *withdrawn, struct err *err)
{
	struct reader r = {.fd = fd};
	const struct snapshot *s;
	size_t packed = 0;

	*withdrawn = false;
	r.at = r.end = r.bytes;
	if (!find_size(fd, &packed, err)) {
		memory_file_free(earlier, earlier_size);
		return NULL;
	}
	if (packed == 0) { /* withdrawn before its size was read */
		memory_file_free(earlier, earlier_size);
		return say_withdrawn(withdrawn, err);
	}
	r.left = packed;
	s = unpack(&r, earlier, earlier_size, size, err);
	return r.withdrawn ? say_withdrawn(withdrawn, err) : s;
}
