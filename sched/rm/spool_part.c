/* SPDX-License-Identifier: MIT */
/*
 * spool_part.c - the bytes of a spool file, part by part
 *
 * Each part has a fixed place in the file: {u32 word, u32 CRC-32C of the rest, fields, zeros}. No part
 * crosses a page, so that a kill leaves a part written completely or not at all. One function for each part
 * walks over its fields, both for reading and for writing.
 */
#include "spool_part.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/crc32c.h"

#define PART_HEAD 8
#define LIST_SIZE 4096

_Static_assert(SPOOL_LIST == LIST_SIZE - PART_HEAD, "a list fills its part");

/* Where a part stands and how it begins. */
struct part {
	size_t at, size;
	uint32_t word;
};

static const struct part begun_part = {0, 1024, UINT32_C(0x31424b53)}; /* "SKB1" */
static const struct part usage_part = {1024, 512, UINT32_C(0x31554b53)};
static const struct part ended_part = {2048, 1024, UINT32_C(0x31454b53)};
static const struct part cpus_part = {4096, LIST_SIZE, UINT32_C(0x31434b53)};
static const struct part devices_part = {8192, LIST_SIZE, UINT32_C(0x31444b53)};

/* --- fields ------------------------------------------------------------------------------------ */

/* A walk over the fields of a part, to write or to read them. */
struct walk {
	unsigned char *at;
	bool writes;
};

static uint64_t number(struct walk *w, uint64_t value, size_t bytes)
{
	uint64_t read = 0;

	for (size_t i = 0; i < bytes; i++)
		if (w->writes)
			w->at[i] = (unsigned char)(value >> 8 * i);
		else
			read |= (uint64_t)w->at[i] << 8 * i;
	w->at += bytes;
	return w->writes ? value : read;
}

static void u32(struct walk *w, uint32_t *value)
{
	*value = (uint32_t)number(w, *value, 4);
}

static void i32(struct walk *w, int32_t *value)
{
	*value = (int32_t)number(w, (uint32_t)*value, 4);
}

static void i64(struct walk *w, int64_t *value)
{
	*value = (int64_t)number(w, (uint64_t)*value, 8);
}

static void flag(struct walk *w, bool *value)
{
	*value = number(w, *value, 1) != 0;
}

static void text(struct walk *w, char *value, size_t room)
{
	if (w->writes)
		memcpy(w->at, value, strnlen(value, room - 1)); /* the rest is zero */
	else
		memcpy(value, w->at, room);
	value[room - 1] = '\0';
	w->at += room;
}

static void walk_begun(struct walk *w, struct spool_begun *p)
{
	text(w, p->boot_id, sizeof p->boot_id);
	i64(w, &p->pid);
	i64(w, &p->pid_start);
	i64(w, &p->begun_s);
	u32(w, &p->level);
	u32(w, &p->uid);
	text(w, p->cpus, SPOOL_TEXT); /* of longer lists the beginning */
	text(w, p->devices, SPOOL_TEXT);
}

static void walk_usage(struct walk *w, struct spool_usage *p)
{
	i64(w, &p->at_s);
	i64(w, &p->cpu_ms);
	i64(w, &p->mem_kb);
	i64(w, &p->mem_peak_kb);
	u32(w, &p->processes);
	flag(w, &p->suspended);
}

static void walk_ended(struct walk *w, struct spool_ended *p)
{
	u32(w, &p->reason);
	i32(w, &p->status);
	i64(w, &p->begun_s);
	i64(w, &p->ended_s);
	i64(w, &p->run_ms);
	i64(w, &p->user_ms);
	i64(w, &p->system_ms);
	i64(w, &p->mem_peak_kb);
	u32(w, &p->survivors);
	text(w, p->text, sizeof p->text);
}

/* --- parts ------------------------------------------------------------------------------------- */

static struct walk write_part(unsigned char *bytes)
{
	return (struct walk){bytes + PART_HEAD, true};
}

static uint32_t part_sum(const struct part *part, const unsigned char *bytes)
{
	return crc32c(part->word, bytes + PART_HEAD, part->size - PART_HEAD);
}

/* One write, so that a kill leaves the whole part or none. */
static bool put_part(int fd, const struct part *part, unsigned char *bytes)
{
	struct walk head = {bytes, true};
	ssize_t n;

	number(&head, part->word, 4);
	number(&head, part_sum(part, bytes), 4);
	do
		n = pwrite(fd, bytes, part->size, (off_t)part->at);
	while (n < 0 && errno == EINTR);
	if (n == (ssize_t)part->size)
		return true;
	if (n >= 0)
		errno = ENOSPC;
	return false;
}

/* An older shepherd wrote 255 bytes of any longer list, so a list of 255 bytes needs its part as well. */
static bool is_cut(const char *list)
{
	return strlen(list) >= SPOOL_TEXT - 1;
}

static bool write_list(int fd, const struct part *part, char *list)
{
	unsigned char bytes[LIST_SIZE] = {0};
	struct walk w = write_part(bytes);

	text(&w, list, SPOOL_LIST);
	return put_part(fd, part, bytes);
}

bool spool_set_list(char out[static SPOOL_LIST], const char *list)
{
	size_t len = list == NULL ? 0 : strlen(list);

	errno = E2BIG;
	if (len >= SPOOL_LIST)
		return false;
	memcpy(out, len == 0 ? "" : list, len + 1);
	return true;
}

/* The lists come first: who finds their beginning in begun finds them. */
bool spool_write_begun(int fd, const struct spool_begun *begun)
{
	unsigned char bytes[1024] = {0};
	struct spool_begun copy = *begun;
	struct walk w = write_part(bytes);

	if ((is_cut(copy.cpus) && !write_list(fd, &cpus_part, copy.cpus)) ||
	    (is_cut(copy.devices) && !write_list(fd, &devices_part, copy.devices)))
		return false;
	walk_begun(&w, &copy);
	return put_part(fd, &begun_part, bytes);
}

bool spool_write_usage(int fd, const struct spool_usage *usage)
{
	unsigned char bytes[512] = {0};
	struct spool_usage copy = *usage;
	struct walk w = write_part(bytes);

	walk_usage(&w, &copy);
	return put_part(fd, &usage_part, bytes);
}

bool spool_write_ended(int fd, const struct spool_ended *ended)
{
	unsigned char bytes[1024] = {0};
	struct spool_ended copy = *ended;
	struct walk w = write_part(bytes);

	walk_ended(&w, &copy);
	return put_part(fd, &ended_part, bytes);
}

/* False: it is not there, or damaged. */
static bool get_part(const struct part *part, unsigned char *file, struct walk *out)
{
	struct walk head = {file + part->at, false};
	uint32_t word = (uint32_t)number(&head, 0, 4), sum = (uint32_t)number(&head, 0, 4);

	*out = (struct walk){file + part->at + PART_HEAD, false};
	return word == part->word && sum == part_sum(part, file + part->at);
}

/* The list itself where begun has only its beginning. False: it is not there, or damaged. */
static bool read_list(const struct part *part, unsigned char *file, char list[static SPOOL_LIST])
{
	struct walk w;

	if (!is_cut(list))
		return true;
	if (!get_part(part, file, &w))
		return false;
	text(&w, list, SPOOL_LIST);
	return true;
}

void spool_read_parts(unsigned char *file, struct spool *out)
{
	struct walk w;

	if (get_part(&begun_part, file, &w)) {
		walk_begun(&w, &out->begun);
		out->has_begun = out->begun.level <= HOLD_FULL;
		out->has_cpus = out->has_begun && read_list(&cpus_part, file, out->begun.cpus);
		out->has_devices = out->has_begun && read_list(&devices_part, file, out->begun.devices);
	}
	if (get_part(&usage_part, file, &w)) {
		walk_usage(&w, &out->usage);
		out->has_usage = true;
	}
	if (get_part(&ended_part, file, &w)) {
		walk_ended(&w, &out->ended);
		out->has_ended = out->ended.reason < END_REASON_COUNT;
	}
}

static bool is_zero(const unsigned char *bytes, size_t size)
{
	return bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

bool spool_has_begun(const unsigned char *file)
{
	return !is_zero(file + begun_part.at, begun_part.size);
}

bool spool_has_ended(const unsigned char *file)
{
	return !is_zero(file + ended_part.at, ended_part.size);
}
